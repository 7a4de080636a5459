//! Step 2: is this the roof?

use shingle_domain::public::{BuildingChoice, Method, RoofFound};
use shingle_domain::roof::DrawingBasis;

use super::el::{Child, El, View, boxed, el, nothing, text};
use super::icon;
use super::{Flow, actions, button, fact, inner, lead, main_part, note, plan, title};
use crate::flow::{Event, State};
use crate::plan::Detail;
use crate::words::{fill, number, tenths, thousands};

pub fn view(flow: Flow) -> View {
    flow.read(|s| s.roof.as_ref().map(|roof| draw(flow, roof))).unwrap_or_else(nothing)
}

fn draw(flow: Flow, roof: &RoofFound) -> View {
    let w = flow.words;
    let many = roof.buildings.len() > 1;
    let heading = match (many, roof.confidence < 100) {
        (true, _) => w.many_title,
        (_, true) => w.near_title,
        _ => w.roof_title,
    };
    let main = inner()
        .add(title(heading.to_owned()))
        .add(intro(flow, roof))
        .add(many.then(|| choices(flow, roof)))
        .add(flow.live(|s| s.building.to_string(), facts));
    let buttons = if many {
        let label = move || fill(w.many_use, &[("letter", &letter(flow.watch(|s| s.building)))]);
        actions()
            .add(button(flow, "sh-btn primary", || Event::RoofYes).add(text(label)))
            .add(button(flow, "sh-btn quiet", || Event::RoofNo).add(w.many_none))
    } else {
        actions()
            .add(button(flow, "sh-btn primary", || Event::RoofYes).add(w.roof_yes))
            .add(button(flow, "sh-btn secondary", || Event::RoofNo).add(w.roof_no))
    };
    [plan::found(flow, Detail::Measures, "sh-pane pane-high", None), main_part(main).view(), buttons.view()].view()
}

fn intro(flow: Flow, roof: &RoofFound) -> View {
    let w = flow.words;
    if roof.buildings.len() > 1 {
        let n = roof.buildings.len().to_string();
        return lead(fill(w.many_lead, &[("n", &n), ("street", &roof.street)])).view();
    }
    if roof.confidence < 100 {
        let heading = number(w.near_note_title, roof.confidence.into());
        let near = note("sh-note warn", icon::ALERT, heading, w.near_note.to_owned());
        return [lead(fill(w.near_lead, &[("street", &roof.street)])).view(), near.view()].view();
    }
    lead([roof.street.as_str(), ", ", &roof.city].concat()).view()
}

fn letter(at: usize) -> String {
    char::from(b'A' + (at % 26) as u8).to_string()
}

fn choices(flow: Flow, roof: &RoofFound) -> El {
    let rows = roof.buildings.iter().enumerate().map(|(at, b)| choice(flow, at, b)).collect::<Vec<_>>();
    boxed("fieldset", "sh-choices").add(boxed("legend", "sh-vh").add(flow.words.many_legend)).add(rows)
}

fn choice(flow: Flow, at: usize, of: &BuildingChoice) -> El {
    let w = flow.words;
    let small = if at == 0 && of.shape.is_empty() { w.many_largest.to_owned() } else { of.shape.clone() };
    let input = boxed("input", "sh-radio")
        .all(&[("type", "radio"), ("name", "sh-building")])
        .checked(move || flow.watch(|s| s.building == at))
        .on("change", move |_| flow.send(Event::PickBuilding(at)));
    let name = el("b").add([&letter(at), " · ", &of.label].concat());
    boxed("label", "sh-choice")
        .add(input)
        .add(el("span").add(name).add(el("small").add(small)))
        .add(boxed("span", "amount").add(thousands(of.area.into())).add(el("small").add(w.square_feet)))
}

fn facts(flow: Flow, state: &State) -> View {
    let w = flow.words;
    let (Some(roof), Some(building)) = (&state.roof, state.picked_building()) else { return nothing() };
    let sides = match building.longest_sides {
        Some([a, b]) => {
            let sides = [&tenths(a.into()), " × ", &tenths(b.into()), " ", w.feet].concat();
            fact(w.roof_sides, sides, String::new())
        }
        None => fact(w.roof_area, thousands(building.area.into()), w.square_feet.to_owned()),
    };
    let shape = (!building.shape.is_empty()).then(|| fact(w.roof_shape, building.shape.clone(), String::new()));
    let arrows = building.drawing.as_ref().is_some_and(|d| d.basis != DrawingBasis::Outline).then_some(w.source_arrows);
    let newer = roof.provenance.year.as_ref().filter(|_| !roof.provenance.invented).map(|year| {
        let heading = fill(w.newer_title, &[("year", year)]);
        note("sh-note", icon::INFO, heading, w.newer_text.to_owned())
    });
    let from = boxed("p", "sh-small")
        .add(source(flow, roof))
        .add(" ")
        .add(arrows)
        .add(" ")
        .add(fill(w.source_name, &[("source", &roof.provenance.source)]));
    [boxed("dl", "facts").add(sides).add(shape).view(), from.view(), newer.view()].view()
}

fn source(flow: Flow, roof: &RoofFound) -> String {
    let w = flow.words;
    if roof.provenance.invented {
        return w.source_invented.to_owned();
    }
    let (plain, dated) = match roof.provenance.method {
        Method::Survey => (w.source_survey, w.source_survey_year),
        Method::Outline => (w.source_outline, w.source_outline_year),
        Method::Records => (w.source_records, w.source_records_year),
    };
    match &roof.provenance.year {
        Some(year) => fill(dated, &[("year", year)]),
        None => plain.to_owned(),
    }
}
