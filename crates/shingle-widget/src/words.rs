//! Every sentence the flow says, in one table: another language is another table. `{company}` and such
//! are filled in by [`fill`].
//!
//! Nothing here promises what an operator may not do: no "free", no copy by e-mail, no time to reply.

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

pub static EN: Words = Words {
    lang: "en",
    steps: ["Address", "Roof", "Your details", "Estimate"],
    step_of: "Step {n} of 4",
    back: "Back",
    close: "Close",
    call_company: "Call {company}, {phone}",
    call: "Call {phone}",
    call_instead: "Call instead",
    privacy: "Privacy",
    terms: "Terms",
    estimate_name: "Roof estimate",

    address_lead: "Type your address. We measure the roof from public maps and records and show a price in about a minute.",
    address_label: "Your home address",
    address_placeholder: "Street, city, state",
    address_promise: "No account, no payment. Nothing is sent to {company} until you say so.",
    address_clear: "Clear address",
    address_list: "Matching addresses",
    address_go: "Measure my roof",
    choose_first: "Choose your address from the list first.",
    count_none: "No address matches yet. You can enter it in parts.",
    count_one: "1 address matches. Use the arrow keys to choose.",
    count_many: "{n} addresses match. Use the arrow keys to choose.",
    parts_row: "Enter the address in parts",
    parts_row_note: "Street, city, state and ZIP code",
    keys: ["move", "choose", "close the list"],
    problem_title: "That address was not taken.",

    parts_title: "Enter the address in parts",
    parts_lead: "We use exactly what you type here.",
    part_labels: ["Number", "Street", "City", "State", "ZIP code"],
    parts_state_hint: "Two letters",
    parts_zip_hint: "Five digits",
    parts_go: "Measure this roof",
    parts_back: "Back to search",

    measuring_title: "Measuring your roof",
    measuring_chosen: "Address chosen",
    measuring_now: "Looking up the building and its outline",
    measuring_then: "Facets, pitch and size",
    measuring_time_one: "1 second so far.",
    measuring_time: "{s} seconds so far.",
    measuring_stop: "Stop and change address",

    notfound_title: "We couldn’t find that exact address",
    notfound_close: "You typed “{typed}”. Did you mean one of these? Differences are underlined.",
    notfound_none: "You typed “{typed}”. Check the spelling, or tell {company} about your roof.",
    notfound_list: "Close matches",
    notfound_edit: "Edit the address",
    notfound_person: "Ask a person instead",

    roof_title: "Is this your roof?",
    roof_sides: "Longest sides",
    roof_shape: "Shape",
    roof_area: "Roof area",
    feet: "ft",
    square_feet: "sq ft",
    source_invented: "A home invented for the demonstration: nothing was measured.",
    source_survey: "Measured from a public survey, overhangs included.",
    source_survey_year: "Measured from the {year} public survey, overhangs included.",
    source_outline: "Drawn from public maps of building outlines, with the pitch that is usual here.",
    source_outline_year: "Drawn from {year} public maps of building outlines, with the pitch that is usual here.",
    source_records: "Worked out from the assessor’s records of this house.",
    source_records_year: "Worked out from the assessor’s {year} records of this house.",
    source_arrows: "Arrows show the way water runs.",
    source_name: "Source: {source}.",
    newer_title: "Built on since {year}?",
    newer_text: "A newer addition won’t show here. Carry on; your roofer measures again on site.",
    roof_yes: "Yes, that’s my roof",
    roof_no: "No, choose another",
    many_title: "Which building should we price?",
    many_lead: "There are {n} at {street}.",
    many_legend: "Buildings at this address",
    many_largest: "Largest",
    many_use: "Use building {letter}",
    many_none: "None of these is mine",
    near_title: "We may have the house next door",
    near_lead: "The map places {street} between buildings, so this is the nearest roof. Check the outline.",
    near_note_title: "Medium confidence, {n} of 100.",
    near_note: "We tell your roofer that the building needs confirming.",

    details_title: "Where should we send it?",
    details_lead: "Your estimate is next.",
    fields: ["First name", "Last name", "Email", "Phone"],
    optional: "optional",
    consent: "I agree that {company} may call or text me about this estimate at the number above, including with automated technology. Not required to get an estimate or to buy. Message rates may apply; reply STOP to end.",
    trap: "Leave this field empty",
    details_go: "Show my estimate",
    details_busy: "Sending",
    wrong_one: "One field needs a look.",
    wrong_many: "{n} fields need a look.",
    and: "and",
    err_first: "Enter your first name.",
    err_last: "Enter your last name.",
    err_text: "Use letters and spaces only.",
    err_long: "Use at most {n} characters.",
    err_email: "Enter your email.",
    err_email_name: "Write the whole address, for example “name@example.com”.",
    err_email_ending: "Add the ending, for example “.com”.",
    err_email_form: "Check the email: something in it cannot be right.",
    err_phone: "A US number has 10 digits. This one has {n}.",
    err_phone_letters: "Use digits only.",
    err_part: [
        "Use at most 20 characters.",
        "Enter the street.",
        "Enter the city.",
        "Enter the state in two letters.",
        "Enter the ZIP code in five digits.",
    ],

    visit_title: "We can’t measure this roof from here",
    visit_lead: "There is no outline or survey of {street} yet. {company} can measure it for you.",
    visit_unknown: "Leave your details and {company} can measure it for you.",
    visit_go: "Ask for a measurement",

    estimate_title: "Your roof estimate",
    estimate_for: "Your estimate for {street}",
    low: "Low",
    high: "High",
    sum: "{squares} squares × {price} per square, {material}, installed.",
    per_square: "{price} per square",
    material: "Roof material",
    materials: ["Asphalt shingle", "Natural slate", "Clay or concrete tile", "Standing-seam metal", "Another material"],
    materials_in_text: [
        "asphalt shingle",
        "natural slate",
        "clay or concrete tile",
        "standing-seam metal",
        "another material",
    ],
    measured: "What we measured",
    facts: ["Roof area", "Size in squares", "Average pitch", "Complexity"],
    times_hundred: "× 100 sq ft",
    complexity: ["Simple", "Average", "Complex"],
    facets: "{n} facets",
    unknown: "Not known",
    rise_run: "{rise} rise over 12 run",
    flags: "Worth a second look",
    flag_wider: "The range is wider because a check raised a flag.",
    high_pitch: [
        "Steeper than most roofs here.",
        "Above 12/12 (45°) is rare. Trees or a tower can also look like a steep roof.",
    ],
    low_pitch: [
        "Flatter than most roofs here.",
        "Under 2/12 (9.5°). It may need a flat-roof system, which is priced differently.",
    ],
    high_area: ["Larger than expected for this house.", "A neighbor’s roof or a garage may be included."],
    low_area: ["Smaller than expected for this house.", "Part of the roof may be hidden or missing from the survey."],
    note: [
        "An estimate, not an inspection.",
        "Decking, layers to remove and flashing can change the price. {company} confirms it on site.",
    ],
    book: "Book an inspection",
    print: "Save or print",
    price_said: "{material}: {price}. Between {low} and {high}.",

    thanks_title: "Thank you, {first}",
    thanks_lead: "Your request is with {company}. Reference",
    thanks_call: ["{company} calls or texts you", "From {phone}, to agree a time."],
    thanks_mail: ["{company} replies by email", "To {email}."],
    thanks_visit: ["Your roofer measures on site", "And confirms the price."],
    thanks_yours: ["Call when it suits you", "{phone} reaches {company} directly."],

    unsent_title: "Saved. We’ll send it when you’re back online",
    unsent_lead: "The connection dropped before {company} got your request. Nothing is lost.",
    unreached_title: "The measuring service can’t be reached",
    unreached_lead: "Your address is kept. We try again by ourselves.",
    retry_in: "Trying again in {s} seconds",
    retry_now: "Trying now",
    retry_over: "Not sent yet",
    retry_attempt: "Attempt {n} of 10.",
    retry_keeps: "You can close this page; we try again next time you open it, for 7 days.",
    retry_go: "Try now",
    kept: "Kept on this device",
    kept_rows: ["Name", "Address", "Email", "Phone"],
    forget: "Delete from this device",
    paused_title: "Online estimates are paused",
    paused_lead: "{company} isn’t taking online requests right now. You can still reach them directly.",

    closing_title: "Close your estimate?",
    closing_text: "You’ll lose the roof you picked and the details you typed.",
    closing_keep: "Keep going",
    closing_drop: "Close and discard",

    north: "North is up",
    lines: ["Ridge", "Hip", "Valley", "Eave"],
    plan_name: "Plan of a roof, {a} by {b} feet, {facets}, north up",
    plan_facets: "{n} facets",
    plan_outline: "outline only",
    tag_example: "Example: what we measure",
    tag_areas: "Facet areas in sq ft",
    tag_size: "{area} sq ft · {n} facets",
    tag_modelled: "Ridges modelled from the outline",
    tag_outline: "Outline only",
    tag_invented: "Invented sample data",
    tag_none: "No roof selected yet",
};

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
