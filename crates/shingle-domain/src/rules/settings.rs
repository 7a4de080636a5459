//! The rules of the settings beside a widget's record. A `PUT` replaces all of them: what is missing is the default, and
//! an unknown name is refused, because what was meant would be lost.
//!
//! # Decision
//!
//! A `PUT` of a widget's settings replaces all of them, and an unknown name is a 400 that suggests the likely one, so
//! a misspelled setting is never lost silently. Turned down: changing field by field as the record does; lists and
//! nested objects would need a language for changes.

use super::reader::{FieldItem, FieldReader, FieldValue, Fields, LINK, MAX_TEXT, Presence, is_longer, one_of};
use super::spelling::unknown_fields;
use crate::contact::SafeUrl;
use crate::decimal::Decimal;
use crate::error::Violations;
use crate::money::Usd;
use crate::notice::{Hours, TimeOfDay, Weekday};
use crate::settings::{
    FetchAhead, LauncherOffset, MailSwitches, MonthlyPayment, OwnTexts, Question, Rating, TextsByLanguage, VisitDays,
    VisitHours, WidgetSettings,
};
use crate::text::is_clean;

/// Lines of what a price includes, and of what it does not.
const MAX_LINES: usize = 12;
/// Characters of one of them.
const MAX_LINE: usize = 200;
const MAX_LICENSE: usize = 100;
const MAX_MONTHS: f64 = 360.0;
const MAX_APR: f64 = 36.0;
const MAX_REVIEWS: f64 = 1_000_000.0;
/// Dollars.
const MAX_LEAST_AMOUNT: f64 = 1_000_000.0;
/// Pixels: further in, the launcher would be in the middle of a phone.
const MAX_OFFSET: f64 = 200.0;

const NAMES: [&str; 11] = [
    "priceIncludes",
    "priceExcludes",
    "monthlyPayment",
    "license",
    "rating",
    "questions",
    "mail",
    "workingHours",
    "texts",
    "launcher",
    "fetchAhead",
];

impl WidgetSettings {
    /// `is_time_zone` knows the names of time zones.
    pub fn parse(fields: &Fields<'_>, is_time_zone: fn(&str) -> bool) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let settings = Self {
            price_includes: lines(&mut reader, "priceIncludes"),
            price_excludes: lines(&mut reader, "priceExcludes"),
            monthly_payment: object(
                &mut reader,
                "monthlyPayment",
                &["aprPercent", "months", "leastAmount", "link"],
                monthly,
            ),
            license: line(&mut reader, "license", MAX_LICENSE),
            rating: object(&mut reader, "rating", &["value", "count", "link"], rating),
            questions: words(&mut reader, "questions", Question::ALL, Question::as_str).unwrap_or_default(),
            mail: object(&mut reader, "mail", &["homeownerCopy"], mail).unwrap_or_default(),
            working_hours: object(&mut reader, "workingHours", &["timeZone", "visits"], |reader| {
                working_hours(reader, is_time_zone)
            }),
            texts: object(&mut reader, "texts", &["en", "es"], texts).unwrap_or_default(),
            launcher: object(&mut reader, "launcher", &["offsetX", "offsetY"], launcher).unwrap_or_default(),
            fetch_ahead: fetch_ahead(&mut reader),
        };
        let mut violations = reader.violations;
        violations.0.extend(unknown_fields(fields, "", &NAMES, "a setting of a widget").all());
        violations.or(settings)
    }
}

/// A member that is an object with members of its own. Their names are read, and told, as `name.member`.
fn object<T>(
    reader: &mut FieldReader<'_>,
    name: &str,
    known: &[&str],
    read: impl FnOnce(&mut FieldReader<'_>) -> Option<T>,
) -> Option<T> {
    let members = match reader.sent(name) {
        FieldValue::Nothing => return None,
        FieldValue::Object(members) => members,
        _ => {
            reader.violate(name, "must be an object");
            return None;
        }
    };
    let prefix = format!("{name}.");
    let mut fields = Fields::default();
    for (member, item) in members {
        fields.push_item(format!("{prefix}{member}"), item.clone());
    }
    let mut inner = FieldReader::new(&fields);
    let value = read(&mut inner);
    let mut broken = inner.violations.0;
    broken.extend(unknown_fields(&fields, &prefix, known, &format!("a setting of {name}")).all());
    reader.violations.0.append(&mut broken);
    value
}

fn monthly(reader: &mut FieldReader<'_>) -> Option<MonthlyPayment> {
    let apr = number(reader, "monthlyPayment.aprPercent", Presence::Required, 0.0, MAX_APR);
    let apr_percent = decimal(reader, "monthlyPayment.aprPercent", apr, 3);
    let months = whole(reader, "monthlyPayment.months", Presence::Required, 1.0, MAX_MONTHS);
    let least = number(reader, "monthlyPayment.leastAmount", Presence::Required, 0.0, MAX_LEAST_AMOUNT);
    let least: Option<Decimal<100>> = decimal(reader, "monthlyPayment.leastAmount", least, 2);
    let link = reader.optional("monthlyPayment.link", SafeUrl::parse, LINK);
    Some(MonthlyPayment {
        apr_percent: apr_percent?,
        months: months? as u16,
        least_amount: Usd::from_f64(least?.to_f64()),
        link,
    })
}

fn rating(reader: &mut FieldReader<'_>) -> Option<Rating> {
    let value = number(reader, "rating.value", Presence::Required, 1.0, 5.0);
    let value = decimal(reader, "rating.value", value, 1);
    let count = whole(reader, "rating.count", Presence::Required, 1.0, MAX_REVIEWS);
    let link = reader.formatted_if_filled("rating.link", Presence::Required, SafeUrl::parse, LINK);
    Some(Rating { value: value?, count: count? as u32, link: link? })
}

fn mail(reader: &mut FieldReader<'_>) -> Option<MailSwitches> {
    let homeowner_copy = reader.json_boolean("mail.homeownerCopy")?;
    Some(MailSwitches { homeowner_copy })
}

fn launcher(reader: &mut FieldReader<'_>) -> Option<LauncherOffset> {
    let mut offset = |name| whole(reader, name, Presence::Optional, 0.0, MAX_OFFSET).unwrap_or_default() as u16;
    Some(LauncherOffset { offset_x: offset("launcher.offsetX"), offset_y: offset("launcher.offsetY") })
}

fn fetch_ahead(reader: &mut FieldReader<'_>) -> FetchAhead {
    let parse = |text: &str| FetchAhead::ALL.into_iter().find(|when| when.as_str() == text);
    reader.word("fetchAhead", Presence::Optional, parse, &FetchAhead::ALL.map(FetchAhead::as_str)).unwrap_or_default()
}

fn texts(reader: &mut FieldReader<'_>) -> Option<TextsByLanguage> {
    let mut of =
        |language: &str| object(reader, &format!("texts.{language}"), &TEXTS, own_texts(language)).unwrap_or_default();
    Some(TextsByLanguage { en: of("en"), es: of("es") })
}

const TEXTS: [&str; 6] = ["firstPageTitle", "buttonText", "bannerText", "priceIncludes", "priceExcludes", "license"];

fn own_texts(language: &str) -> impl Fn(&mut FieldReader<'_>) -> Option<OwnTexts> {
    let prefix = format!("texts.{language}.");
    move |reader| {
        let at = |name: &str| format!("{prefix}{name}");
        Some(OwnTexts {
            first_page_title: line(reader, &at("firstPageTitle"), MAX_TEXT),
            button_text: line(reader, &at("buttonText"), MAX_TEXT),
            banner_text: line(reader, &at("bannerText"), MAX_TEXT),
            price_includes: lines(reader, &at("priceIncludes")),
            price_excludes: lines(reader, &at("priceExcludes")),
            license: line(reader, &at("license"), MAX_LICENSE),
        })
    }
}

fn working_hours(reader: &mut FieldReader<'_>, is_time_zone: fn(&str) -> bool) -> Option<VisitHours> {
    const ZONE: &str = "workingHours.timeZone";
    const VISITS: &str = "workingHours.visits";
    let time_zone = reader.text(ZONE, Presence::Required);
    if time_zone.is_some_and(|name| !is_time_zone(name)) {
        reader.violate(ZONE, "must be the name of a time zone, such as America/New_York");
    }
    let FieldValue::List(list) = reader.sent(VISITS) else {
        reader.violate(VISITS, "must be an array");
        return None;
    };
    if list.is_empty() || list.len() > Weekday::ALL.len() {
        reader.violate(VISITS, "must contain 1 to 7 elements");
    }
    let mut visits: Vec<VisitDays> = Vec::new();
    for (at, item) in list.iter().enumerate().take(Weekday::ALL.len()) {
        let name = format!("{VISITS}.{at}");
        let mut fields = Fields::default();
        fields.push_item(name.clone(), item.clone());
        let mut one = FieldReader::new(&fields);
        if *item == FieldItem::Null {
            one.violate(&name, "must be an object");
        }
        let known = ["days", "morning", "afternoon", "evening"];
        let visit = object(&mut one, &name, &known, |reader| visit(reader, &name));
        reader.violations.0.append(&mut one.violations.0);
        visits.extend(visit);
    }
    let twice = |day: &Weekday| visits.iter().filter(|visit| visit.days.contains(day)).count() > 1;
    if Weekday::ALL.iter().any(twice) {
        reader.violate(VISITS, "must name each day once");
    }
    Some(VisitHours { time_zone: time_zone?.to_owned(), visits })
}

fn visit(reader: &mut FieldReader<'_>, name: &str) -> Option<VisitDays> {
    let days_name = format!("{name}.days");
    let days = words(reader, &days_name, &Weekday::ALL, Weekday::as_str);
    if days.as_ref().is_none_or(Vec::is_empty) && !matches!(reader.sent(&days_name), FieldValue::List([_, ..])) {
        reader.violate(&days_name, "should not be empty");
    }
    let mut part = |part: &str| {
        let name = format!("{name}.{part}");
        object(reader, &name, &["from", "to"], |reader| hours(reader, &name))
    };
    let (morning, afternoon, evening) = (part("morning"), part("afternoon"), part("evening"));
    let parts: Vec<Hours> = [morning, afternoon, evening].into_iter().flatten().collect();
    if parts.is_empty() && reader.violations.0.is_empty() {
        reader.violate(name, "must have a morning, an afternoon or an evening");
    }
    if parts.windows(2).any(|two| two[0].to > two[1].from) {
        reader.violate(name, "must have its morning before its afternoon before its evening");
    }
    Some(VisitDays { days: days?, morning, afternoon, evening })
}

fn hours(reader: &mut FieldReader<'_>, name: &str) -> Option<Hours> {
    const TIME: &str = "must be a time of day such as 08:30";
    let (from_name, to_name) = (format!("{name}.from"), format!("{name}.to"));
    let from = reader.formatted_if_filled(&from_name, Presence::Required, TimeOfDay::parse, TIME);
    let to = reader.formatted_if_filled(&to_name, Presence::Required, TimeOfDay::parse, TIME);
    let hours = Hours { from: from?, to: to? };
    if hours.from >= hours.to {
        reader.violate(&to_name, "must be later than from");
    }
    Some(hours)
}

/// One line; an empty one counts as absent.
fn line(reader: &mut FieldReader<'_>, name: &str, max: usize) -> Option<String> {
    match reader.sent(name) {
        FieldValue::Nothing => None,
        FieldValue::Text(text) => {
            let line = reader.short_line(name, text.trim(), max)?;
            (!line.is_empty()).then(|| line.to_owned())
        }
        _ => {
            reader.violate(name, "must be a string");
            None
        }
    }
}

/// A list of lines that are not empty.
fn lines(reader: &mut FieldReader<'_>, name: &str) -> Vec<String> {
    let list = match reader.sent(name) {
        FieldValue::Nothing => return Vec::new(),
        FieldValue::List(list) => list,
        _ => {
            reader.violate(name, "must be an array");
            return Vec::new();
        }
    };
    let texts: Vec<&str> = list.iter().filter_map(|item| item.as_text()).map(str::trim).collect();
    let each = |rule: &str| format!("each value in {name} {rule}");
    if texts.len() < list.len() {
        reader.violations.0.push(each("must be a string"));
    }
    if texts.iter().any(|text| text.is_empty()) {
        reader.violations.0.push(each("should not be empty"));
    }
    if texts.iter().any(|text| !is_clean(text)) {
        reader.violations.0.push(each("must not contain control characters"));
    }
    if texts.iter().any(|text| is_longer(text, MAX_LINE)) {
        reader.violations.0.push(each(&format!("must be shorter than or equal to {MAX_LINE} characters")));
    }
    if list.len() > MAX_LINES {
        reader.violate(name, &format!("must contain no more than {MAX_LINES} elements"));
    }
    texts.into_iter().map(str::to_owned).collect()
}

/// A list of words without repetition.
fn words<T: Copy + PartialEq>(
    reader: &mut FieldReader<'_>,
    name: &str,
    all: &[T],
    as_str: fn(T) -> &'static str,
) -> Option<Vec<T>> {
    let list = match reader.sent(name) {
        FieldValue::Nothing => return None,
        FieldValue::List(list) => list,
        _ => {
            reader.violate(name, "must be an array");
            return None;
        }
    };
    let known = |item: &FieldItem<'_>| all.iter().copied().find(|word| item.as_text() == Some(as_str(*word)));
    let found: Vec<T> = list.iter().filter_map(known).collect();
    if found.len() < list.len() {
        let words: Vec<&str> = all.iter().map(|word| as_str(*word)).collect();
        reader.violations.0.push(format!("each value in {name} {}", one_of(&words)));
        return None;
    }
    if (1..found.len()).any(|at| found[..at].contains(&found[at])) {
        reader.violations.0.push(format!("All {name}'s elements must be unique"));
        return None;
    }
    Some(found)
}

/// A number of a JSON body, within bounds.
fn number(reader: &mut FieldReader<'_>, name: &str, presence: Presence, min: f64, max: f64) -> Option<f64> {
    let number = match reader.sent(name) {
        FieldValue::Nothing if presence == Presence::Optional => return None,
        FieldValue::Number(number) if number.is_finite() => number,
        _ => {
            reader.violate(name, "must be a number");
            return None;
        }
    };
    if number < min {
        reader.violate(name, &format!("must not be less than {min}"));
        return None;
    }
    if number > max {
        reader.violate(name, &format!("must not be greater than {max}"));
        return None;
    }
    Some(number)
}

fn whole(reader: &mut FieldReader<'_>, name: &str, presence: Presence, min: f64, max: f64) -> Option<f64> {
    let number = number(reader, name, presence, min, max)?;
    if number.fract() != 0.0 {
        reader.violate(name, "must be an integer number");
        return None;
    }
    Some(number)
}

fn decimal<const UNITS: u32>(
    reader: &mut FieldReader<'_>,
    name: &str,
    number: Option<f64>,
    places: u8,
) -> Option<Decimal<UNITS>> {
    let exact = Decimal::from_f64(number?);
    if exact.is_none() {
        let s = if places == 1 { "" } else { "s" };
        reader.violate(name, &format!("must have at most {places} decimal place{s}"));
    }
    exact
}
