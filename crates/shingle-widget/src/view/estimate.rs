//! The price, how it was made, and what it is of.

use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::EstimateSummary;

use super::block::{amount, drawing, fact, heading, line, note, small};
use super::markup::Markup;
use crate::strokes::{ALERT, RANGE, courses, mark, triangle};
use crate::words::{
    Group, Word, Words, area_alert, complexity, dollars, material, material_in_text, pitch_alert, tenths, thousands, w,
};

/// What names the step, above the price.
pub fn title<M: Markup>(text: String) -> M {
    M::classed("h1", "sh-label sh-for").set("id", "sh-title").text(text)
}

/// The price of one covering, its range, and the sum it comes from.
pub fn price<M: Markup>(words: Words, sheet: &EstimateSummary, of: &MaterialPrice) -> [M; 3] {
    let with = [
        ("squares", &*tenths(sheet.squares_tenths.into())),
        ("price", &dollars(of.price_per_square)),
        ("material", &words[material_in_text(of.material)]),
    ];
    let mut sum: M = small(words.fill(w::SUM, &with));
    if flagged(sheet).next().is_some() {
        sum = sum.text(" ").text(w::FLAG_WIDER);
    }
    let bar = M::new("svg")
        .all(&[("viewBox", "0 0 320 14"), ("preserveAspectRatio", "none"), ("aria-hidden", "true")])
        .child(line("l l-range", RANGE))
        .child(line("l l-mark", mark(of)));
    let end = |name: Word, amount| M::new("span").text(name).text(" ").child(M::new("b").text(dollars(amount)));
    let ends = M::new("div").child(end(w::LOW, of.low)).child(end(w::HIGH, of.high));
    [M::classed("p", "price").text(dollars(of.cost)), M::classed("div", "range").child(bar).child(ends), sum]
}

/// Heading and text of each check that raised a flag.
fn flagged(sheet: &EstimateSummary) -> impl Iterator<Item = Group> {
    let both = [pitch_alert(sheet.alerts.roof_pitch_alert), area_alert(sheet.alerts.roof_area_alert)];
    both.into_iter().flatten()
}

/// What the checks of the roof found strange.
pub fn flags<M: Markup>(sheet: &EstimateSummary) -> Vec<M> {
    let mut notes: Vec<M> = flagged(sheet).map(|flag| note("sh-note warn", ALERT, flag.at(0), flag.at(1))).collect();
    if !notes.is_empty() {
        notes.insert(0, heading(w::FLAGS));
    }
    notes
}

/// A row of the choice among coverings, behind its mark.
pub fn choice<M: Markup>(row: M, words: Words, of: &MaterialPrice) -> M {
    let per = words.fill(w::PER_SQUARE, &[("price", &dollars(of.price_per_square))]);
    let names = M::new("span").child(M::new("b").text(material(of.material))).child(M::new("small").text(per));
    let swatch = drawing("sh-swatch", "0 0 40 40", courses(of.material));
    row.child(M::classed("span", "sh-kind").child(swatch).child(names)).child(amount(dollars(of.cost)))
}

/// The figures once more, where there is no room for them beside the drawing.
pub fn measured<M: Markup>(words: Words, sheet: &EstimateSummary) -> M {
    M::classed("div", "only-narrow").child(heading(w::MEASURED)).child(facts(words, sheet))
}

/// What was measured, as four figures.
pub fn facts<M: Markup>(words: Words, sheet: &EstimateSummary) -> M {
    // Halves as tenths.
    let rise = tenths(i64::from(sheet.rise_halves) * 5);
    let degrees = [&tenths(sheet.pitch_tenths.into()), "°"].concat();
    let facets = sheet.facets.map(|n| words.number(w::FACETS, n as usize).into());
    let pitch: M = fact(w::FACTS.at(2), [&rise, "/12"].concat(), Some(degrees.into()));
    let sign = M::classed("dd", "pitch-sign").child(slope(words, sheet.rise_halves, rise));
    M::classed("dl", "facts")
        .child(fact(w::FACTS.at(0), thousands(sheet.roof_area.into()), Some(w::SQUARE_FEET.into())))
        .child(fact(w::FACTS.at(1), tenths(sheet.squares_tenths.into()), Some(w::TIMES_HUNDRED.into())))
        .child(pitch.set("class", "pitch").child(sign))
        .child(fact(w::FACTS.at(3), complexity(sheet.complexity), facets))
}

fn slope<M: Markup>(words: Words, rise_halves: u32, rise: String) -> M {
    let path = triangle(rise_halves);
    M::new("svg")
        .all(&[("viewBox", "0 0 76 56"), ("role", "img")])
        .set("aria-label", words.fill(w::RISE_RUN, &[("rise", &rise)]))
        .child(line("f f-w", path.clone()))
        .child(line("l l-ridge", path))
        .child(M::new("text").all(&[("x", "32"), ("y", "54"), ("text-anchor", "middle")]).text("12"))
        .child(M::new("text").all(&[("x", "64"), ("y", "32")]).text(rise))
}
