//! Which roof is yours? The rows of the choice, and what is left where it is none of them.

use shingle_domain::surroundings::{Stands, Wind};

use super::block::{amount, icon, lead, small, title};
use super::markup::Markup;
use crate::site::homes::Home;
use crate::strokes::{HOUSE, SEARCH};
use crate::words::{Group, Words, thousands, w};

/// The choice among homes, the first of which is chosen. `value`: what the radio of a home stands for.
pub fn list<M: Markup>(
    words: Words,
    homes: &[Home<'_>],
    name: &'static str,
    value: impl Fn(usize, &Home<'_>) -> String,
) -> Vec<M> {
    // Named by the heading.
    let list = M::classed("div", "sh-choices").all(&[("role", "radiogroup"), ("aria-labelledby", "sh-title")]);
    let rows = homes.iter().enumerate().map(|(at, home)| {
        let tick = M::classed("input", "sh-radio").set("type", "radio").set("name", name);
        let tick = tick.set("value", value(at, home)).set("data-at", at.to_string());
        let tick = if at == 0 { tick.set("checked", "") } else { tick };
        let label = M::classed("label", "sh-choice").set("data-building", at.to_string());
        row(label.child(tick), words, home)
    });
    let list = list.children(rows);
    vec![title::<M>(w::PICK_TITLE).set("tabindex", "-1"), lead(w::PICK_LEAD), list, small(w::PICK_NOTE)]
}

/// A row of the choice, behind its mark.
fn row<M: Markup>(row: M, words: Words, of: &Home<'_>) -> M {
    let said = of.stands.map_or_else(|| words[w::PICK_MATCHED].to_owned(), |stands| place(words, stands));
    let named = M::new("span").child(M::new("b").text(of.street.to_owned())).child(M::new("small").text(said));
    let area = || amount::<M>(thousands(of.ground.into())).child(M::new("small").text(w::SQUARE_FEET));
    row.child(named).children((of.ground > 0).then(area))
}

/// Where a home stands, seen from the one that was found.
pub fn place(words: Words, stands: &Stands) -> String {
    let wind = |wind: Wind| words.text(w::PICK_WINDS.at(wind as usize));
    match stands {
        Stands::NextDoor(to) => words.fill(w::PICK_NEXT, &[("wind", wind(*to))]),
        Stands::Behind { on: None } => words[w::PICK_BEHIND.at(0)].to_owned(),
        Stands::Behind { on: Some(street) } => words.fill(w::PICK_BEHIND.at(1), &[("street", street)]),
        Stands::Across { street, toward } => {
            let which = usize::from(street.is_some()) * 2 + usize::from(toward.is_some());
            let street = street.as_deref().unwrap_or_default();
            words.fill(w::PICK_ACROSS.at(which), &[("street", street), ("wind", toward.map_or("", wind))])
        }
        Stands::Nearby(to) => words.fill(w::PICK_NEAR, &[("wind", wind(*to))]),
    }
}

/// The roof is none of those on the map. The two ways that are left, as buttons or links.
pub fn none<M: Markup>(address: M, visit: M) -> Vec<M> {
    let way = |of: M, path: &'static str, said: Group| {
        let named = M::new("span").child(M::new("b").text(said.at(0))).child(M::new("small").text(said.at(1)));
        of.child(icon(path)).child(named)
    };
    let ways = M::classed("div", "sh-choices").child(way(address, SEARCH, w::LOST_ADDRESS)).child(way(
        visit,
        HOUSE,
        w::LOST_VISIT,
    ));
    vec![title::<M>(w::LOST_TITLE).set("tabindex", "-1"), lead(w::LOST_LEAD), ways]
}

#[cfg(test)]
mod tests {
    use shingle_domain::Language;

    use super::*;
    use crate::words::flow_words;

    #[test]
    fn each_place_has_its_words_in_both_languages() {
        let mill = || Some("Mill Road".to_owned());
        let table = [
            (Stands::NextDoor(Wind::West), "Next door, west", "Al lado, al oeste"),
            (Stands::Behind { on: None }, "Behind", "Detrás"),
            (Stands::Behind { on: mill() }, "Behind, on Mill Road", "Detrás, en Mill Road"),
            (Stands::Across { street: None, toward: None }, "Across the street", "Enfrente, al cruzar la calle"),
            (
                Stands::Across { street: None, toward: Some(Wind::Southeast) },
                "Across the street, southeast",
                "Al cruzar la calle, al sureste",
            ),
            (Stands::Across { street: mill(), toward: None }, "Across Mill Road", "Al cruzar Mill Road"),
            (
                Stands::Across { street: mill(), toward: Some(Wind::North) },
                "Across Mill Road, north",
                "Al cruzar Mill Road, al norte",
            ),
            (Stands::Nearby(Wind::Northwest), "Nearby, northwest", "Cerca, al noroeste"),
        ];
        for (stands, english, spanish) in table {
            assert_eq!(place(flow_words(Language::English), &stands), english);
            assert_eq!(place(flow_words(Language::Spanish), &stands), spanish);
        }
    }
}
