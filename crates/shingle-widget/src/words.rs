//! Every sentence the flow says, in one table: another language is another table. `{company}` and such
//! are filled in by [`fill`].
//!
//! Nothing here promises what an operator may not do: no "free", no copy by e-mail, no time to reply.

mod english;

pub use english::EN;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::roof::{AreaAlert, Complexity, PitchAlert, RoofMaterial};
use shingle_domain::rules::FieldProblem;

pub struct Words {
    pub lang: &'static str,
    pub steps: [&'static str; 4],
    pub step_of: &'static str,
    pub back: &'static str,
    pub close: &'static str,
    pub call_company: &'static str,
    pub call: &'static str,
    pub call_instead: &'static str,
    pub privacy: &'static str,
    pub terms: &'static str,
    pub estimate_name: &'static str,

    pub address_lead: &'static str,
    pub address_label: &'static str,
    pub address_placeholder: &'static str,
    pub address_promise: &'static str,
    pub address_clear: &'static str,
    pub address_list: &'static str,
    pub address_go: &'static str,
    pub choose_first: &'static str,
    pub count_none: &'static str,
    pub count_one: &'static str,
    pub count_many: &'static str,
    pub parts_row: &'static str,
    pub parts_row_note: &'static str,
    pub keys: [&'static str; 3],
    pub problem_title: &'static str,

    pub parts_title: &'static str,
    pub parts_lead: &'static str,
    pub part_labels: [&'static str; 5],
    pub parts_state_hint: &'static str,
    pub parts_zip_hint: &'static str,
    pub parts_go: &'static str,
    pub parts_back: &'static str,

    pub measuring_title: &'static str,
    pub measuring_chosen: &'static str,
    pub measuring_now: &'static str,
    pub measuring_then: &'static str,
    pub measuring_time_one: &'static str,
    pub measuring_time: &'static str,
    pub measuring_stop: &'static str,

    pub notfound_title: &'static str,
    pub notfound_close: &'static str,
    pub notfound_none: &'static str,
    pub notfound_list: &'static str,
    pub notfound_edit: &'static str,
    pub notfound_person: &'static str,

    pub roof_title: &'static str,
    pub roof_sides: &'static str,
    pub roof_shape: &'static str,
    pub roof_area: &'static str,
    pub feet: &'static str,
    pub square_feet: &'static str,
    /// In place of the sentences below, for homes that nobody measured.
    pub source_invented: &'static str,
    pub source_survey: &'static str,
    pub source_survey_year: &'static str,
    pub source_outline: &'static str,
    pub source_outline_year: &'static str,
    pub source_records: &'static str,
    pub source_records_year: &'static str,
    pub source_arrows: &'static str,
    pub source_name: &'static str,
    pub newer_title: &'static str,
    pub newer_text: &'static str,
    pub roof_yes: &'static str,
    pub roof_no: &'static str,
    pub many_title: &'static str,
    pub many_lead: &'static str,
    pub many_legend: &'static str,
    pub many_largest: &'static str,
    pub many_use: &'static str,
    pub many_none: &'static str,
    pub near_title: &'static str,
    pub near_lead: &'static str,
    pub near_note_title: &'static str,
    pub near_note: &'static str,

    pub details_title: &'static str,
    pub details_lead: &'static str,
    pub fields: [&'static str; 4],
    pub optional: &'static str,
    pub consent: &'static str,
    pub trap: &'static str,
    pub details_go: &'static str,
    pub details_busy: &'static str,
    pub wrong_one: &'static str,
    pub wrong_many: &'static str,
    pub and: &'static str,
    pub err_first: &'static str,
    pub err_last: &'static str,
    pub err_text: &'static str,
    pub err_long: &'static str,
    pub err_email: &'static str,
    pub err_email_name: &'static str,
    pub err_email_ending: &'static str,
    pub err_email_form: &'static str,
    pub err_phone: &'static str,
    pub err_phone_letters: &'static str,
    pub err_part: [&'static str; 5],

    pub visit_title: &'static str,
    pub visit_lead: &'static str,
    pub visit_unknown: &'static str,
    pub visit_go: &'static str,

    pub estimate_title: &'static str,
    pub estimate_for: &'static str,
    pub low: &'static str,
    pub high: &'static str,
    pub sum: &'static str,
    pub per_square: &'static str,
    pub material: &'static str,
    pub materials: [&'static str; 5],
    pub materials_in_text: [&'static str; 5],
    pub measured: &'static str,
    pub facts: [&'static str; 4],
    pub times_hundred: &'static str,
    pub complexity: [&'static str; 3],
    pub facets: &'static str,
    pub unknown: &'static str,
    pub rise_run: &'static str,
    pub flags: &'static str,
    pub flag_wider: &'static str,
    pub high_pitch: [&'static str; 2],
    pub low_pitch: [&'static str; 2],
    pub high_area: [&'static str; 2],
    pub low_area: [&'static str; 2],
    pub note: [&'static str; 2],
    pub book: &'static str,
    pub print: &'static str,
    pub price_said: &'static str,

    pub thanks_title: &'static str,
    pub thanks_lead: &'static str,
    pub thanks_call: [&'static str; 2],
    pub thanks_mail: [&'static str; 2],
    pub thanks_visit: [&'static str; 2],
    pub thanks_yours: [&'static str; 2],

    pub unsent_title: &'static str,
    pub unsent_lead: &'static str,
    pub unreached_title: &'static str,
    pub unreached_lead: &'static str,
    pub retry_in: &'static str,
    pub retry_now: &'static str,
    pub retry_over: &'static str,
    pub retry_attempt: &'static str,
    pub retry_keeps: &'static str,
    pub retry_go: &'static str,
    pub kept: &'static str,
    pub kept_rows: [&'static str; 4],
    pub forget: &'static str,
    pub paused_title: &'static str,
    pub paused_lead: &'static str,

    pub closing_title: &'static str,
    pub closing_text: &'static str,
    pub closing_keep: &'static str,
    pub closing_drop: &'static str,

    pub north: &'static str,
    pub lines: [&'static str; 4],
    pub plan_name: &'static str,
    pub plan_facets: &'static str,
    pub plan_outline: &'static str,
    pub tag_example: &'static str,
    pub tag_areas: &'static str,
    pub tag_size: &'static str,
    pub tag_modelled: &'static str,
    pub tag_outline: &'static str,
    pub tag_invented: &'static str,
    pub tag_none: &'static str,
}

/// `template` with each `{name}` replaced. Small on purpose: the formatting machinery of the standard
/// library would weigh more than all these words.
pub fn fill(template: &str, with: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len() + 24);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, behind)) = after.split_once('}') else { break };
        text.push_str(before);
        if let Some((_, value)) = with.iter().find(|(n, _)| *n == name) {
            text.push_str(value);
        }
        rest = behind;
    }
    text.push_str(rest);
    text
}

pub fn number(template: &str, n: usize) -> String {
    fill(template, &[("n", &n.to_string())])
}

/// How many suggestions there are, to be read out.
pub fn count(n: usize) -> String {
    match n {
        0 => EN.count_none.to_owned(),
        1 => EN.count_one.to_owned(),
        _ => number(EN.count_many, n),
    }
}

/// `1234567` as `1,234,567`.
pub fn thousands(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + 4);
    if n < 0 {
        text.push('-');
    }
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Tenths, without a nought behind the point: `248` is `24.8`, `560` is `56`.
pub fn tenths(n: i64) -> String {
    let mut text = thousands(n / 10);
    if n % 10 != 0 {
        text.push('.');
        text.push_str(&(n % 10).unsigned_abs().to_string());
    }
    text
}

/// Whole dollars.
pub fn dollars(amount: shingle_domain::Usd) -> String {
    let mut text = String::from("$");
    text.push_str(&thousands((amount.cents() + 50) / 100));
    text
}

pub fn material(of: RoofMaterial) -> &'static str {
    EN.materials[of as usize]
}

pub fn material_in_text(of: RoofMaterial) -> &'static str {
    EN.materials_in_text[of as usize]
}

pub fn complexity(of: Option<Complexity>) -> &'static str {
    of.map_or(EN.unknown, |c| EN.complexity[c as usize])
}

/// A price that was just chosen, to be read out.
pub fn price_said(price: &MaterialPrice) -> String {
    fill(
        EN.price_said,
        &[
            ("material", material(price.material)),
            ("price", &dollars(price.cost)),
            ("low", &dollars(price.low)),
            ("high", &dollars(price.high)),
        ],
    )
}

pub fn pitch_alert(alert: Option<PitchAlert>) -> Option<&'static [&'static str; 2]> {
    match alert? {
        PitchAlert::HighPitch => Some(&EN.high_pitch),
        PitchAlert::LowPitch => Some(&EN.low_pitch),
        PitchAlert::NoAlerts => None,
    }
}

pub fn area_alert(alert: Option<AreaAlert>) -> Option<&'static [&'static str; 2]> {
    match alert? {
        AreaAlert::HighArea => Some(&EN.high_area),
        AreaAlert::LowArea => Some(&EN.low_area),
        AreaAlert::NoAlerts => None,
    }
}

/// What is wrong with a field, and how to mend it. `empty` is said of an empty one.
pub fn problem(of: FieldProblem, empty: &str) -> String {
    match of {
        FieldProblem::Empty => empty.to_owned(),
        FieldProblem::TooLong(most) => number(EN.err_long, most),
        FieldProblem::Unclean => EN.err_text.to_owned(),
        FieldProblem::EmailWithoutName => EN.err_email_name.to_owned(),
        FieldProblem::EmailWithoutEnding => EN.err_email_ending.to_owned(),
        FieldProblem::EmailMalformed => EN.err_email_form.to_owned(),
        FieldProblem::PhoneDigits(n) => number(EN.err_phone, n),
        FieldProblem::PhoneMalformed => EN.err_phone_letters.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_tenths_drop_a_nought() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(tenths(248), "24.8");
        assert_eq!(tenths(560), "56");
        assert_eq!(dollars(shingle_domain::Usd::from_cents(1_611_950)), "$16,120");
    }

    #[test]
    fn placeholders_are_filled_and_unknown_ones_vanish() {
        assert_eq!(fill("{a} of {b}{c}", &[("a", "1"), ("b", "{a}")]), "1 of {a}");
        assert_eq!(fill("no end {a", &[("a", "1")]), "no end {a");
    }

    #[test]
    fn no_sentence_promises_what_an_operator_may_not_do() {
        // The table's own source text: every sentence in it, none forgotten.
        let table = include_str!("words.rs").split("pub static EN").nth(1).unwrap().split("};").next().unwrap();
        for word in [" free", "we also email", "working day", "!\"", "oops", "please"] {
            assert!(!table.to_lowercase().contains(word), "{word}");
        }
    }
}
