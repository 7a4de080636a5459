//! What a homeowner answered: on top of the lead, and in a few words in a list.

use shingle_domain::Language;
use shingle_domain::lead::Lead;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::{Told, flow_words, told, wants, written};

use crate::days::day_of_week;
use crate::element::{div, el};
use crate::lead_estimate::facts;
use crate::phrase::{capital, phrase, translated};
use crate::visit_words::part_in_words;

/// Nothing where the homeowner answered nothing.
pub(crate) fn answers(language: Language, lead: &Lead) -> Option<Node> {
    let (taps, texts) = (told(flow_words(language), lead), written(lead));
    if taps.is_empty() && texts.is_empty() && lead.inspection.is_none() {
        return None;
    }
    let title = match lead.first_name.trim() {
        "" => translated(language, "What the homeowner told you").to_owned(),
        first => phrase(language, "What {first} told you", &[("first", first)]),
    };
    let mut card = Node::classed("section", "card told").child(el("h2").text(title));
    if !taps.is_empty() {
        let each = taps.into_iter().map(|tap| {
            let label = flow_words(language).text(tap.label);
            div(if tap.urgent { "hot" } else { "" }).child(el("dt").text(label)).child(el("dd").text(tap.text))
        });
        card = card.child(Node::classed("dl", "answers").children(each));
    }
    card = card.children(texts.into_iter().map(|text| Node::classed("blockquote", "said").text(text.to_owned())));
    let visit = lead.inspection.as_ref();
    let times = visit.map(|visit| {
        let wishes = visit.wishes.iter().map(|wish| {
            format!("{}, {}", day_of_week(language, wish.date.0), translated(language, part_in_words(wish.part)))
        });
        wishes.collect::<Vec<_>>().join("; ")
    });
    let consent = if lead.consent.given { "May call and text" } else { "No calls or texts; email only" };
    Some(card.child(facts([
        ("Good times", times, None),
        ("About the inspection", visit.and_then(|visit| visit.note.clone()), None),
        (
            "Confirm the inspection by",
            visit.map(|visit| capital(translated(language, visit.contact_by.as_str()))),
            None,
        ),
        ("Consent", Some(translated(language, consent).to_owned()), None),
    ])))
}

/// `Leaks`, `Now`, `Text, evenings`: what changes what to do next.
pub(crate) fn in_a_row(language: Language, lead: &Lead) -> Vec<Node> {
    let want = |told: Told| {
        let class = if told.urgent { "want hot" } else { "want" };
        Node::classed("span", class).text(told.text)
    };
    wants(flow_words(language), lead).into_iter().map(want).collect()
}
