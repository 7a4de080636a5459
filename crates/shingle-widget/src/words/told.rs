//! What a homeowner answered, in the company's words: the portal, the notices and the push all say the same.

use shingle_domain::answers::{Answers, ContactTime, Leak, Planned, RoofAge};
use shingle_domain::lead::Lead;

use super::table::{Word, Words, w};

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub label: Word,
    /// With a capital.
    pub text: String,
    /// It leaks, or the homeowner wants the work now.
    pub urgent: bool,
}

/// Everything that was answered by a tap: problem, age, when, contact.
pub fn told(words: Words, lead: &Lead) -> Vec<Told> {
    let answers = &lead.answers;
    let of = |label: usize, text: &str, urgent| Told { label: w::TOLD_LABELS.at(label), text: capital(text), urgent };
    let problem = answers.leak.map(|it| of(0, &words[w::TOLD_PROBLEMS.at(it as usize)], it == Leak::Leaking));
    let age = answers.roof_age.map(|it| of(1, &words[w::TOLD_AGES.at(it as usize)], false));
    let when = answers.planned.map(|it| of(2, &words[w::TOLD_WHEN.at(it as usize)], it == Planned::Now));
    let contact = contact(words, lead).map(|text| of(3, &text, false));
    [problem, age, when, contact].into_iter().flatten().collect()
}

/// Of those, what changes what to do next, the urgent first; for a row of a list.
pub fn wants(words: Words, lead: &Lead) -> Vec<Told> {
    let answers = &lead.answers;
    let matters = |told: &Told| {
        let label = |n: usize| told.label == w::TOLD_LABELS.at(n);
        (!label(0) || matches!(answers.leak, Some(Leak::Leaking | Leak::Damage)))
            && (!label(1) || answers.roof_age == Some(RoofAge::Over20))
            && (!label(2) || !matches!(answers.planned, Some(Planned::Unsure)))
    };
    let mut wants: Vec<Told> = told(words, lead).into_iter().filter(matters).collect();
    wants.sort_by_key(|told| !told.urgent);
    wants
}

/// For a title: `leaks now`. Nothing where nothing is urgent.
pub fn urgent(words: Words, answers: &Answers) -> Option<&'static str> {
    let at = match (answers.leak, answers.planned) {
        (Some(Leak::Leaking), _) => 0,
        (Some(Leak::Damage), _) => 1,
        (_, Some(Planned::Now)) => 2,
        _ => return None,
    };
    Some(words.text(w::TOLD_URGENT.at(at)))
}

/// The homeowner's own sentences: with the form, and after the estimate.
pub fn written(lead: &Lead) -> Vec<&str> {
    let mut texts: Vec<&str> =
        [&lead.message, &lead.answers.note].into_iter().filter_map(|text| text.as_deref()).collect();
    texts.dedup();
    texts
}

/// `Text, evenings`. What was answered last counts: the form asks for the time too.
fn contact(words: Words, lead: &Lead) -> Option<String> {
    let way = lead.answers.contact_by.map(|way| words.text(w::TOLD_WAYS.at(way as usize)));
    let time = lead.answers.contact_time.or(lead.preferred_contact_time).map(|time| words.text(time_in_text(time)));
    let parts: Vec<&str> = way.into_iter().chain(time).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn time_in_text(time: ContactTime) -> Word {
    w::TOLD_TIMES.at(time as usize)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
