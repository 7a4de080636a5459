//! Step 2: is this the roof?

use shingle_domain::public::{BuildingChoice, Method, RoofFound};
use shingle_domain::roof::DrawingBasis;

use super::el::{Child, El, View, boxed, el, nothing, text};
use super::icon;
use super::{Flow, actions, button, fact, inner, lead, main_part, note, plan, title};
use crate::flow::{Event, State};
use crate::plan::Detail;
use crate::words::{tenths, thousands, w};

pub fn view(flow: Flow) -> View {
    flow.read(|s| s.roof.as_ref().map(|roof| draw(flow, roof))).unwrap_or_else(nothing)
}

fn draw(flow: Flow, roof: &RoofFound) -> View {
    let many = roof.buildings.len() > 1;
    let heading = match (many, roof.confidence < 100) {
        (true, _) => w::MANY_TITLE,
        (_, true) => w::NEAR_TITLE,
        _ => w::ROOF_TITLE,
    };
    let main = inner()
        .add(title(heading))
        .add(intro(flow, roof))
        .add(many.then(|| choices(flow, roof)))
        .add(flow.live(|s| s.building.to_string(), facts));
    let buttons = if many {
        let label = move || flow.words.fill(w::MANY_USE, &[("letter", &letter(flow.watch(|s| s.building)))]);
        actions()
            .add(button(flow, "sh-btn primary", || Event::RoofYes).add(text(label)))
            .add(button(flow, "sh-btn quiet", || Event::RoofNo).add(w::MANY_NONE))
    } else {
        actions()
            .add(button(flow, "sh-btn primary", || Event::RoofYes).add(w::ROOF_YES))
            .add(button(flow, "sh-btn secondary", || Event::RoofNo).add(w::ROOF_NO))
    };
    [plan::found(flow, Detail::Measures, "sh-pane pane-high", None), main_part(main).view(), buttons.view()].view()
}

fn intro(flow: Flow, roof: &RoofFound) -> View {
    if roof.buildings.len() > 1 {
        let n = roof.buildings.len().to_string();
        return lead(flow.words.fill(w::MANY_LEAD, &[("n", &n), ("street", &roof.street)])).view();
    }
    if roof.confidence < 100 {
        let heading = flow.words.number(w::NEAR_NOTE_TITLE, roof.confidence.into());
        let near = note("sh-note warn", icon::ALERT, heading, w::NEAR_NOTE);
        return [lead(flow.words.fill(w::NEAR_LEAD, &[("street", &roof.street)])).view(), near.view()].view();
    }
    lead([roof.street.as_str(), ", ", &roof.city].concat()).view()
}

fn letter(at: usize) -> String {
    char::from(b'A' + (at % 26) as u8).to_string()
}

fn choices(flow: Flow, roof: &RoofFound) -> El {
    let rows = roof.buildings.iter().enumerate().map(|(at, b)| choice(flow, at, b)).collect::<Vec<_>>();
    boxed("fieldset", "sh-choices").add(boxed("legend", "sh-vh").add(w::MANY_LEGEND)).add(rows)
}

fn choice(flow: Flow, at: usize, of: &BuildingChoice) -> El {
    let small = if at == 0 && of.shape.is_empty() { w::MANY_LARGEST.view() } else { of.shape.clone().view() };
    let input = boxed("input", "sh-radio")
        .all(&[("type", "radio"), ("name", "sh-building")])
        .checked(move || flow.watch(|s| s.building == at))
        .on("change", move |_| flow.send(Event::PickBuilding(at)));
    let name = el("b").add([&letter(at), " · ", &of.label].concat());
    boxed("label", "sh-choice")
        .add(input)
        .add(el("span").add(name).add(el("small").add(small)))
        .add(boxed("span", "amount").add(thousands(of.area.into())).add(el("small").add(w::SQUARE_FEET)))
}

fn facts(flow: Flow, state: &State) -> View {
    let (Some(roof), Some(building)) = (&state.roof, state.picked_building()) else { return nothing() };
    let sides = match building.longest_sides {
        Some([a, b]) => {
            let sides = [&tenths(a.into()), " × ", &tenths(b.into()), " ", &flow.words[w::FEET]].concat();
            fact(w::ROOF_SIDES, sides, None)
        }
        None => fact(w::ROOF_AREA, thousands(building.area.into()), Some(w::SQUARE_FEET.view())),
    };
    let shape = (!building.shape.is_empty()).then(|| fact(w::ROOF_SHAPE, building.shape.clone(), None));
    let arrows =
        building.drawing.as_ref().is_some_and(|d| d.basis != DrawingBasis::Outline).then_some(w::SOURCE_ARROWS);
    let newer = roof.provenance.year.as_ref().filter(|_| !roof.provenance.invented).map(|year| {
        let heading = flow.words.fill(w::NEWER_TITLE, &[("year", year)]);
        note("sh-note", icon::INFO, heading, w::NEWER_TEXT)
    });
    let from = boxed("p", "sh-small")
        .add(source(flow, roof))
        .add(" ")
        .add(arrows)
        .add(" ")
        .add(flow.words.fill(w::SOURCE_NAME, &[("source", &roof.provenance.source)]));
    [boxed("dl", "facts").add(sides).add(shape).view(), from.view(), newer.view()].view()
}

fn source(flow: Flow, roof: &RoofFound) -> View {
    if roof.provenance.invented {
        return w::SOURCE_INVENTED.view();
    }
    let (plain, dated) = match roof.provenance.method {
        Method::Survey => (w::SOURCE_SURVEY, w::SOURCE_SURVEY_YEAR),
        Method::Outline => (w::SOURCE_OUTLINE, w::SOURCE_OUTLINE_YEAR),
        Method::Records => (w::SOURCE_RECORDS, w::SOURCE_RECORDS_YEAR),
    };
    match &roof.provenance.year {
        Some(year) => flow.words.fill(dated, &[("year", year)]).view(),
        None => plain.view(),
    }
}
