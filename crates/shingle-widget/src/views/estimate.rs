//! Step 4: the price first, then how it was made.

use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::EstimateSheet;

use super::el::{Child, El, View, boxed, el, nothing};
use super::icon::{self, drawing, icon};
use super::{Flow, actions, button, fact, inner, main_part, note, plan};
use crate::flow::{Event, State};
use crate::plan::Detail;
use crate::strokes::{RANGE, courses, mark, triangle as rise_over_run};
use crate::words::{
    Word, area_alert, complexity, dollars, material, material_in_text, pitch_alert, tenths, thousands, w,
};

pub fn view(flow: Flow) -> View {
    flow.read(|s| s.sheet().map(|sheet| draw(flow, sheet))).unwrap_or_else(nothing)
}

fn draw(flow: Flow, sheet: &EstimateSheet) -> View {
    let rows = sheet.prices.iter().enumerate().map(|(row, p)| choice(flow, row, p)).collect::<Vec<_>>();
    let heading = flow.words.fill(w::ESTIMATE_FOR, &[("street", &sheet.street)]);
    let materials = boxed("fieldset", "sh-choices").add(boxed("legend", "sh-h2").add(w::MATERIAL)).add(rows);
    let measured = boxed("div", "only-narrow").add(boxed("h2", "sh-h2").add(w::MEASURED)).add(facts(flow, sheet));
    let main = inner()
        .add(boxed("h1", "sh-label sh-for").all(&[("id", "sh-title"), ("tabindex", "-1")]).add(heading))
        .add(flow.live(|s| s.material.to_string(), price))
        .add(flags(sheet))
        .add(materials)
        .add(measured)
        .add(note("sh-note", icon::INFO, w::NOTE.at(0), flow.say(w::NOTE.at(1))));
    let buttons = actions()
        .add(button(flow, "sh-btn primary", || Event::Book).add(w::BOOK))
        .add(button(flow, "sh-btn quiet", || Event::Print).add(icon(icon::PRINT)).add(w::PRINT));
    let pane = plan::found(flow, Detail::Areas, "sh-pane only-wide tall-strip", Some(facts(flow, sheet)));
    [main_part(main).view(), buttons.view(), pane].view()
}

fn price(flow: Flow, state: &State) -> View {
    let Some(sheet) = state.sheet() else { return nothing() };
    let Some(price) = sheet.prices.get(state.material) else { return nothing() };
    let sum = flow.words.fill(
        w::SUM,
        &[
            ("squares", &tenths(sheet.squares_tenths.into())),
            ("price", &dollars(price.price_per_square)),
            ("material", &flow.words[material_in_text(price.material)]),
        ],
    );
    let wider = has_flags(sheet).then(|| [" ".view(), w::FLAG_WIDER.view()].view());
    let bar = el("svg")
        .all(&[("viewBox", "0 0 320 14"), ("preserveAspectRatio", "none"), ("aria-hidden", "true")])
        .add(boxed("path", "l l-range").set("d", RANGE))
        .add(boxed("path", "l l-mark").put("d", mark(price)));
    let end = |name: Word, amount| el("span").add(name).add(" ").add(el("b").add(dollars(amount)));
    let ends = el("div").add(end(w::LOW, price.low)).add(end(w::HIGH, price.high));
    [
        boxed("p", "price").add(dollars(price.cost)).view(),
        boxed("div", "range").add(bar).add(ends).view(),
        boxed("p", "sh-small").add(sum).add(wider).view(),
    ]
    .view()
}

fn has_flags(sheet: &EstimateSheet) -> bool {
    pitch_alert(sheet.alerts.roof_pitch_alert).is_some() || area_alert(sheet.alerts.roof_area_alert).is_some()
}

fn flags(sheet: &EstimateSheet) -> View {
    let both = [pitch_alert(sheet.alerts.roof_pitch_alert), area_alert(sheet.alerts.roof_area_alert)];
    let notes = both
        .into_iter()
        .flatten()
        .map(|flag| note("sh-note warn", icon::ALERT, flag.at(0), flag.at(1)))
        .collect::<Vec<_>>();
    if notes.is_empty() {
        return nothing();
    }
    [boxed("h2", "sh-h2").add(w::FLAGS).view(), notes.view()].view()
}

fn choice(flow: Flow, row: usize, of: &MaterialPrice) -> El {
    let per = flow.words.fill(w::PER_SQUARE, &[("price", &dollars(of.price_per_square))]);
    let input = boxed("input", "sh-radio")
        .all(&[("type", "radio"), ("name", "sh-material")])
        .set("value", of.material.as_str())
        .checked(move || flow.watch(|s| s.material == row))
        .on("change", move |_| flow.send(Event::Material(row)));
    let kind = boxed("span", "sh-kind")
        .add(drawing("sh-swatch", "0 0 40 40", courses(of.material)))
        .add(el("span").add(el("b").add(material(of.material))).add(el("small").add(per)));
    boxed("label", "sh-choice").add(input).add(kind).add(boxed("span", "amount").add(dollars(of.cost)))
}

/// What was measured, as four figures.
fn facts(flow: Flow, sheet: &EstimateSheet) -> El {
    // Halves as tenths.
    let rise = tenths(i64::from(sheet.rise_halves) * 5);
    let degrees = [&tenths(sheet.pitch_tenths.into()), "°"].concat();
    let facets = sheet.facets.map(|n| flow.words.number(w::FACETS, n as usize).view());
    let pitch = fact(w::FACTS.at(2), [&rise, "/12"].concat(), Some(degrees.view())).set("class", "pitch");
    boxed("dl", "facts")
        .add(fact(w::FACTS.at(0), thousands(sheet.roof_area.into()), Some(w::SQUARE_FEET.view())))
        .add(fact(w::FACTS.at(1), tenths(sheet.squares_tenths.into()), Some(w::TIMES_HUNDRED.view())))
        .add(pitch.add(boxed("dd", "pitch-sign").add(triangle(flow, sheet.rise_halves, rise))))
        .add(fact(w::FACTS.at(3), flow.words[complexity(sheet.complexity)].to_owned(), facets))
}

fn triangle(flow: Flow, rise_halves: u32, rise: String) -> El {
    let path = rise_over_run(rise_halves);
    el("svg")
        .all(&[("viewBox", "0 0 76 56"), ("role", "img")])
        .put("aria-label", flow.words.fill(w::RISE_RUN, &[("rise", &rise)]))
        .add(boxed("path", "f f-w").put("d", path.clone()))
        .add(boxed("path", "l l-ridge").put("d", path))
        .add(el("text").all(&[("x", "32"), ("y", "54"), ("text-anchor", "middle")]).add("12"))
        .add(el("text").all(&[("x", "64"), ("y", "32")]).add(rise))
}
