//! The price, how it was made, and what it is of.

use shingle_domain::home_roof::PitchReason;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::EstimateSummary;

use super::block::{amount, drawing, fact, heading, line, note, small};
use super::markup::Markup;
use crate::price_parts::{PartLine, has_low_slope, named, part_lines, parts_in_text};
use crate::strokes::{ALERT, INFO, RANGE, courses, mark, triangle};
use crate::words::{
    Group, Word, Words, area_alert, complexity, dollars, material_in_text, pitch_alert, squares, tenths, thousands, w,
};

/// What names the step, above the price.
pub fn title<M: Markup>(text: String) -> M {
    M::classed("h1", "sh-label sh-for").set("id", "sh-title").text(text)
}

/// The price of one covering, its range, and the sum it comes from.
pub fn price<M: Markup>(words: Words, sheet: &EstimateSummary, of: &MaterialPrice) -> [M; 3] {
    let bar = M::new("svg")
        .all(&[("viewBox", "0 0 320 14"), ("preserveAspectRatio", "none"), ("aria-hidden", "true")])
        .child(line("l l-range", RANGE))
        .child(line("l l-mark", mark(of)));
    let end = |name: Word, amount| M::new("span").text(name).text(" ").child(M::new("b").text(dollars(amount)));
    let ends = M::new("div").child(end(w::LOW, of.low)).child(end(w::HIGH, of.high));
    let range = M::classed("div", "range").child(bar).child(ends);
    [M::classed("p", "price").text(dollars(of.cost)), range, sum(words, sheet, of)]
}

/// How a price adds up: a list where it has parts.
fn sum<M: Markup>(words: Words, sheet: &EstimateSummary, of: &MaterialPrice) -> M {
    if of.parts.is_empty() {
        return sum_on_paper(words, sheet, of);
    }
    let mut parts = M::classed("dl", "facts parts");
    for PartLine { work, sum, amount } in part_lines(words, of) {
        parts = parts.child(fact(work, amount, Some(sum.into())));
    }
    let said = about_the_sum(words, sheet, of, small::<M>(w::SQUARE));
    M::new("div").child(heading(w::WORKS_TITLE)).child(parts).child(said)
}

/// The same in one paragraph.
pub fn sum_on_paper<M: Markup>(words: Words, sheet: &EstimateSummary, of: &MaterialPrice) -> M {
    let minimum = of.minimum.map(dollars).unwrap_or_default();
    let with = [
        ("squares", &*squares(sheet.roof_area.into())),
        ("price", &dollars(of.price_per_square)),
        ("material", &words[material_in_text(of.material)]),
        ("minimum", &minimum),
    ];
    let how = if of.minimum.is_some() { w::MINIMUM } else { w::SUM };
    let sum = parts_in_text(words, of).unwrap_or_else(|| words.fill(how, &with));
    about_the_sum(words, sheet, of, small::<M>(sum).text(" ").text(w::SQUARE))
}

/// What has to be said about a sum, behind it.
fn about_the_sum<M: Markup>(words: Words, sheet: &EstimateSummary, of: &MaterialPrice, sum: M) -> M {
    let mut said = sum;
    if let Some(minimum) = of.minimum.filter(|_| !of.parts.is_empty()) {
        said = said.text(" ").text(words.fill(w::MINIMUM_OF_PARTS, &[("minimum", &dollars(minimum))]));
    }
    if has_low_slope(of) {
        said = said.text(" ").text(w::LOW_SLOPE_NOTE);
    }
    // An assumed pitch widens it anyhow, and says so itself.
    if sheet.assumed_pitch.is_none() && flagged(sheet).next().is_some() {
        said = said.text(" ").text(w::FLAG_WIDER);
    }
    said
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
    let (named, square) = named(of);
    let per = words.fill(w::PER_SQUARE, &[("price", &dollars(square))]);
    let names = M::new("span").child(M::new("b").text(named)).child(M::new("small").text(per));
    let swatch = drawing("sh-swatch", "0 0 40 40", courses(of.material));
    row.child(M::classed("span", "sh-kind").child(swatch).child(names)).child(amount(dollars(of.cost)))
}

/// The figures once more, where there is no room for them beside the drawing.
pub fn measured<M: Markup>(words: Words, sheet: &EstimateSummary) -> M {
    M::classed("div", "only-narrow").child(heading(w::MEASURED)).child(facts(words, sheet))
}

/// What is assumed, why, and what it does to the range; nothing where a survey measured the pitch.
pub fn assumed<M: Markup>(words: Words, sheet: &EstimateSummary) -> Option<M> {
    let assumed = sheet.assumed_pitch.as_ref()?;
    let rise = tenths(i64::from(sheet.rise_halves) * 5);
    let why = match assumed.reason {
        PitchReason::Usual => 0,
        PitchReason::LowRegion => 1,
        PitchReason::Ranch => 2,
        PitchReason::OldNortheast => 3,
        PitchReason::RoofType { .. } => 4,
    };
    let mut text = words.text(w::ASSUMED.at(1)).to_owned();
    let mut add = |sentence: &str| {
        text.push(' ');
        text.push_str(sentence);
    };
    add(&words.fill(w::ASSUMED_WHY.at(why), &[("rise", &rise)]));
    if let [low, high] = &assumed.others[..] {
        let with = [
            ("p1", low.rise.to_string()),
            ("n1", squares(low.roof_area.into())),
            ("p2", high.rise.to_string()),
            ("n2", squares(high.roof_area.into())),
        ];
        add(&words.fill(w::ASSUMED_OTHERS, &with.each_ref().map(|(name, value)| (*name, value.as_str()))));
    }
    add(words.text(w::ASSUMED_RANGE));
    Some(note("sh-note", INFO, w::ASSUMED.at(0), text))
}

/// What was measured or assumed, as figures.
pub fn facts<M: Markup>(words: Words, sheet: &EstimateSummary) -> M {
    // Halves as tenths.
    let rise = tenths(i64::from(sheet.rise_halves) * 5);
    let plain = words.fill(w::RISE_PLAIN, &[("rise", &rise)]);
    let facets = sheet.facets.map(|n| words.number(w::FACETS, n as usize).into());
    let named = if sheet.assumed_pitch.is_some() { w::PITCH_ASSUMED } else { w::FACTS.at(2) };
    let pitch: M = fact(named, [&rise, "/12"].concat(), Some(plain.into()));
    let assumed = sheet.assumed_pitch.is_some();
    let sign = M::classed("dd", "pitch-sign").child(slope(words, sheet.rise_halves, rise, assumed));
    let facts = M::classed("dl", "facts")
        .child(fact(w::FACTS.at(0), thousands(sheet.roof_area.into()), Some(w::SQUARE_FEET.into())))
        .child(fact(w::FACTS.at(1), squares(sheet.roof_area.into()), Some(w::TIMES_HUNDRED.into())))
        .child(pitch.set("class", "pitch").child(sign));
    match sheet.complexity {
        Some(_) => facts.child(fact(w::FACTS.at(3), complexity(sheet.complexity), facets)),
        // Nobody counted.
        None => facts,
    }
}

fn slope<M: Markup>(words: Words, rise_halves: u32, rise: String, assumed: bool) -> M {
    let path = triangle(rise_halves);
    let named = if assumed { w::ASSUMED_RISE } else { w::RISE_RUN };
    // Dashed: it was not measured.
    let edge = line::<M>("l l-ridge", path.clone());
    let edge = if assumed { edge.set("stroke-dasharray", "4 4") } else { edge };
    // A half needs more room than a whole number.
    let view_box = if rise_halves.is_multiple_of(2) { "0 0 76 56" } else { "0 0 92 56" };
    M::new("svg")
        .set("viewBox", view_box)
        .set("role", "img")
        .set("aria-label", words.fill(named, &[("rise", &rise)]))
        .child(line(if assumed { "f flat" } else { "f f-w" }, path))
        .child(edge)
        .child(M::new("text").all(&[("x", "32"), ("y", "54"), ("text-anchor", "middle")]).text("12"))
        .child(M::new("text").all(&[("x", "64"), ("y", "32")]).text(rise))
}
