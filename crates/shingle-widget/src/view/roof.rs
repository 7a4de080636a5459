//! Is this the roof? What is said of it, and of each of several buildings.

use shingle_domain::public::{BuildingChoice, MeasureMethod, RoofFound};
use shingle_domain::roof::DrawingBasis;

use super::block::{amount, fact, lead, note, small};
use super::markup::{Markup, Text};
use super::photo;
use crate::strokes::{ALERT, INFO};
use crate::words::{Word, Words, tenths, thousands, w};

pub fn heading(roof: &RoofFound) -> Word {
    match (roof.buildings.len() > 1, roof.confidence < 100) {
        (true, _) => w::MANY_TITLE,
        (_, true) => w::NEAR_TITLE,
        _ => w::ROOF_TITLE,
    }
}

/// Under the heading.
pub fn intro<M: Markup>(inner: M, words: Words, roof: &RoofFound) -> M {
    if roof.buildings.len() > 1 {
        let n = roof.buildings.len().to_string();
        return inner.child(lead(words.fill(w::MANY_LEAD, &[("n", &n), ("street", &roof.street)])));
    }
    if roof.confidence < 100 {
        let heading = words.number(w::NEAR_NOTE_TITLE, roof.confidence.into());
        return inner.child(lead(words.fill(w::NEAR_LEAD, &[("street", &roof.street)]))).child(note(
            "sh-note warn",
            ALERT,
            heading,
            w::NEAR_NOTE,
        ));
    }
    inner.child(lead([roof.street.as_str(), ", ", &roof.city].concat()))
}

/// What a building among several is called.
pub fn letter(at: usize) -> String {
    char::from(b'A' + (at % 26) as u8).to_string()
}

/// A row of the choice among buildings, behind its mark.
pub fn choice<M: Markup>(row: M, at: usize, of: &BuildingChoice) -> M {
    let shape = if at == 0 && of.shape.is_empty() { w::MANY_LARGEST.into() } else { Text::Made(of.shape.clone()) };
    let name = M::new("b").text([&letter(at), " · ", &of.label].concat());
    row.child(M::new("span").child(name).child(M::new("small").text(shape)))
        .child(amount::<M>(thousands(of.area.into())).child(M::new("small").text(w::SQUARE_FEET)))
}

/// What is known of one building, and from where.
pub fn facts<M: Markup>(words: Words, roof: &RoofFound, building: &BuildingChoice) -> Vec<M> {
    let sides = match building.longest_sides {
        Some([a, b]) => {
            let sides = [&tenths(a.into()), " × ", &tenths(b.into()), " ", &words[w::FEET]].concat();
            fact(w::ROOF_SIDES, sides, None)
        }
        None => fact(w::ROOF_AREA, thousands(building.area.into()), Some(w::SQUARE_FEET.into())),
    };
    let mut list = M::classed("dl", "facts").child(sides);
    let outline_only = building.drawing.as_ref().is_some_and(|d| d.basis == DrawingBasis::Outline);
    if outline_only {
        list = list.child(fact(w::OUTLINE_GROUND, thousands(building.ground.into()), Some(w::SQUARE_FEET.into())));
    }
    if !building.shape.is_empty() {
        // `L-` ends no line, and `L` does not begin one.
        let shape = building.shape.replace('-', "\u{2011}").replace("en ", "en\u{a0}");
        list = list.child(fact(w::ROOF_SHAPE, shape, None));
    }
    let mut from: M = small(source(words, roof));
    if building.drawing.as_ref().is_some_and(|d| d.basis != DrawingBasis::Outline) {
        from = from.text(" ").text(w::SOURCE_ARROWS);
    }
    if let Some(named) = source_name(words, roof) {
        from = from.text(" ").text(named);
    }
    let mut facts = vec![list, from];
    facts.extend(roof.photo.as_ref().map(|photo| photo::source(words, photo)));
    let surveyed = roof.provenance.method == MeasureMethod::Survey && !roof.provenance.invented;
    if let Some(year) = roof.provenance.year.as_ref().filter(|_| surveyed) {
        let heading = words.fill(w::NEWER_TITLE, &[("year", year)]);
        facts.push(note("sh-note", INFO, heading, w::NEWER_TEXT));
    }
    facts
}

/// Whose data it is. Of an invented home the sentence before says all.
pub fn source_name(words: Words, roof: &RoofFound) -> Option<String> {
    let of = &roof.provenance;
    let named = match &of.year {
        Some(year) => [of.source.as_str(), ", ", year].concat(),
        None => of.source.clone(),
    };
    (!of.invented && !of.source.is_empty()).then(|| words.fill(w::SOURCE_NAME, &[("source", &named)]))
}

/// Where the drawing comes from, in a sentence.
pub fn source(words: Words, roof: &RoofFound) -> Text {
    if roof.provenance.invented {
        return w::SOURCE_INVENTED.into();
    }
    let (plain, dated) = match roof.provenance.method {
        MeasureMethod::Survey => (w::SOURCE_SURVEY, w::SOURCE_SURVEY_YEAR),
        MeasureMethod::Outline => (w::SOURCE_OUTLINE, w::SOURCE_OUTLINE_YEAR),
        MeasureMethod::Records => (w::SOURCE_RECORDS, w::SOURCE_RECORDS_YEAR),
    };
    match &roof.provenance.year {
        Some(year) => words.fill(dated, &[("year", year)]).into(),
        None => plain.into(),
    }
}
