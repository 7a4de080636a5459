//! The rules of the settings beside a widget's record. A `PUT` replaces all of them: what is missing is the default, and
//! an unknown name is refused, because what was meant would be lost.
//!
//! # Decision
//!
//! A `PUT` of a widget's settings replaces all of them, and an unknown name is a 400 that suggests the likely one, so
//! a misspelled setting is never lost silently. Turned down: changing field by field as the record does; lists and
//! nested objects would need a language for changes.

use super::reader::{FieldItem, FieldReader, FieldValue, Fields, MAX_TEXT, Presence, is_longer};
use super::spelling::unknown_fields;
use crate::contact::SafeUrl;
use crate::days_off::DaysOff;
use crate::decimal::Decimal;
use crate::money::Usd;
use crate::notice::{Hours, TimeOfDay, Weekday};
use crate::settings::{
    AerialPhotos, FetchAhead, LauncherOffset, MailSwitches, MonthlyPayment, OwnPrices, OwnTexts, Question, Rating,
    SelfBooking, TextsByLanguage, VisitDays, VisitHours, WidgetSettings,
};
use crate::text::is_clean;
use crate::violation::{Rule, SettingOwner, Violations};

/// Lines of what a price includes, and of what it does not.
const MAX_LINES: usize = 12;
/// Characters of one of them.
const MAX_LINE: usize = 200;
const MAX_LICENSE: usize = 100;
/// Characters of a privacy page.
const MAX_PRIVACY: usize = 10_000;
const MAX_MONTHS: i32 = 360;
const MAX_APR: i32 = 36;
const MAX_REVIEWS: i32 = 1_000_000;
/// Dollars of a square.
const MAX_SQUARE: i32 = 100_000;
const MAX_MINIMUM: i32 = 1_000_000;
/// Dollars.
const MAX_LEAST_AMOUNT: i32 = 1_000_000;
/// Pixels: further in, the launcher would be in the middle of a phone.
const MAX_OFFSET: i32 = 200;
/// What is older shows another town.
const MAX_PHOTO_YEARS: i32 = 50;
/// Of a visit that homeowners book: a shorter one is no look at a roof.
const VISIT_MINUTES: (i32, i32) = (15, 480);
const MAX_TRAVEL: i32 = 240;
const MAX_NOTICE_HOURS: i32 = 336;
const MAX_DAYS_BOOKED: i32 = 90;
const MAX_AT_ONCE: i32 = 50;
const MAX_DAYS_OFF: usize = 60;

const NAMES: [&str; 14] = [
    "priceIncludes",
    "priceExcludes",
    "prices",
    "monthlyPayment",
    "license",
    "rating",
    "questions",
    "mail",
    "workingHours",
    "texts",
    "launcher",
    "fetchAhead",
    "aerialPhotos",
    "selfBooking",
];

impl WidgetSettings {
    /// `is_time_zone` knows the names of time zones.
    pub fn parse(fields: &Fields<'_>, is_time_zone: fn(&str) -> bool) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let settings = Self {
            price_includes: lines(&mut reader, "priceIncludes"),
            price_excludes: lines(&mut reader, "priceExcludes"),
            prices: object(&mut reader, "prices", &PRICES, prices).unwrap_or_default(),
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
            aerial_photos: object(&mut reader, "aerialPhotos", &["show", "oldestYears"], aerial_photos)
                .unwrap_or_default(),
            self_booking: object(&mut reader, "selfBooking", &SELF_BOOKING, self_booking).unwrap_or_default(),
        };
        let mut violations = reader.violations;
        violations.0.extend(unknown_fields(fields, "", &NAMES, &SettingOwner::Widget).all());
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
            reader.violate(name, Rule::Object);
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
    broken.extend(unknown_fields(&fields, &prefix, known, &SettingOwner::Setting { path: name.into() }).all());
    reader.violations.0.append(&mut broken);
    value
}

const PRICES: [&str; 9] =
    ["metal", "tile", "slate", "lowSlope", "steep", "verySteep", "twoStories", "threeStories", "minimum"];

fn prices(reader: &mut FieldReader<'_>) -> Option<OwnPrices> {
    let mut of = |name, most| {
        let price = number(reader, name, Presence::Optional, 1, most);
        let price: Option<Decimal<100>> = decimal(reader, name, price, 2);
        price.map(|price| Usd::from_f64(price.to_f64()))
    };
    Some(OwnPrices {
        metal: of("prices.metal", MAX_SQUARE),
        tile: of("prices.tile", MAX_SQUARE),
        slate: of("prices.slate", MAX_SQUARE),
        low_slope: of("prices.lowSlope", MAX_SQUARE),
        steep: of("prices.steep", MAX_SQUARE),
        very_steep: of("prices.verySteep", MAX_SQUARE),
        two_stories: of("prices.twoStories", MAX_SQUARE),
        three_stories: of("prices.threeStories", MAX_SQUARE),
        minimum: of("prices.minimum", MAX_MINIMUM),
    })
}

fn monthly(reader: &mut FieldReader<'_>) -> Option<MonthlyPayment> {
    let apr = number(reader, "monthlyPayment.aprPercent", Presence::Required, 0, MAX_APR);
    let apr_percent = decimal(reader, "monthlyPayment.aprPercent", apr, 3);
    let months = whole(reader, "monthlyPayment.months", Presence::Required, 1, MAX_MONTHS);
    let least = number(reader, "monthlyPayment.leastAmount", Presence::Required, 0, MAX_LEAST_AMOUNT);
    let least: Option<Decimal<100>> = decimal(reader, "monthlyPayment.leastAmount", least, 2);
    let link = reader.optional("monthlyPayment.link", SafeUrl::parse, Rule::Url);
    Some(MonthlyPayment {
        apr_percent: apr_percent?,
        months: months? as u16,
        least_amount: Usd::from_f64(least?.to_f64()),
        link,
    })
}

fn rating(reader: &mut FieldReader<'_>) -> Option<Rating> {
    let value = number(reader, "rating.value", Presence::Required, 1, 5);
    let value = decimal(reader, "rating.value", value, 1);
    let count = whole(reader, "rating.count", Presence::Required, 1, MAX_REVIEWS);
    let link = reader.formatted_if_filled("rating.link", Presence::Required, SafeUrl::parse, Rule::Url);
    Some(Rating { value: value?, count: count? as u32, link: link? })
}

fn mail(reader: &mut FieldReader<'_>) -> Option<MailSwitches> {
    let homeowner_copy = reader.json_boolean("mail.homeownerCopy")?;
    Some(MailSwitches { homeowner_copy })
}

fn launcher(reader: &mut FieldReader<'_>) -> Option<LauncherOffset> {
    let mut offset = |name| whole(reader, name, Presence::Optional, 0, MAX_OFFSET).unwrap_or_default() as u16;
    Some(LauncherOffset { offset_x: offset("launcher.offsetX"), offset_y: offset("launcher.offsetY") })
}

fn aerial_photos(reader: &mut FieldReader<'_>) -> Option<AerialPhotos> {
    let show = match reader.sent("aerialPhotos.show") {
        FieldValue::Nothing => Some(true),
        _ => reader.json_boolean("aerialPhotos.show"),
    };
    let years = whole(reader, "aerialPhotos.oldestYears", Presence::Optional, 0, MAX_PHOTO_YEARS);
    Some(AerialPhotos { show: show?, oldest_years: years.map(|years| years as u16) })
}

const SELF_BOOKING: [&str; 7] = ["on", "minutes", "travelMinutes", "noticeHours", "daysAhead", "atOnce", "daysOff"];

fn self_booking(reader: &mut FieldReader<'_>) -> Option<SelfBooking> {
    let usual = SelfBooking::default();
    let on = match reader.sent("selfBooking.on") {
        FieldValue::Nothing => Some(false),
        _ => reader.json_boolean("selfBooking.on"),
    };
    let mut of = |name, (min, max), usual: u16| match reader.sent(name) {
        FieldValue::Nothing => usual,
        _ => whole(reader, name, Presence::Optional, min, max).unwrap_or_default() as u16,
    };
    let booking = SelfBooking {
        on: on.unwrap_or_default(),
        minutes: of("selfBooking.minutes", VISIT_MINUTES, usual.minutes),
        travel_minutes: of("selfBooking.travelMinutes", (0, MAX_TRAVEL), usual.travel_minutes),
        notice_hours: of("selfBooking.noticeHours", (0, MAX_NOTICE_HOURS), usual.notice_hours),
        days_ahead: of("selfBooking.daysAhead", (1, MAX_DAYS_BOOKED), usual.days_ahead),
        at_once: of("selfBooking.atOnce", (1, MAX_AT_ONCE), usual.at_once),
        days_off: days_off(reader, "selfBooking.daysOff"),
    };
    on.map(|_| booking)
}

fn days_off(reader: &mut FieldReader<'_>, name: &str) -> Vec<DaysOff> {
    let list = match reader.sent(name) {
        FieldValue::Nothing => return Vec::new(),
        FieldValue::List(list) => list,
        _ => {
            reader.violate(name, Rule::Array);
            return Vec::new();
        }
    };
    let days: Vec<DaysOff> = list.iter().filter_map(|item| DaysOff::parse(item.as_text()?)).collect();
    if days.len() < list.len() {
        reader.violate(name, Rule::VisitDay.each_value());
    }
    if list.len() > MAX_DAYS_OFF {
        reader.violate(name, Rule::MaxElements { max: MAX_DAYS_OFF });
    }
    days
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

const TEXTS: [&str; 7] =
    ["firstPageTitle", "buttonText", "bannerText", "priceIncludes", "priceExcludes", "license", "privacy"];

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
            privacy: block(reader, &at("privacy"), MAX_PRIVACY),
        })
    }
}

fn working_hours(reader: &mut FieldReader<'_>, is_time_zone: fn(&str) -> bool) -> Option<VisitHours> {
    const ZONE: &str = "workingHours.timeZone";
    const VISITS: &str = "workingHours.visits";
    let time_zone = reader.text(ZONE, Presence::Required);
    if time_zone.is_some_and(|name| !is_time_zone(name)) {
        reader.violate(ZONE, Rule::TimeZone);
    }
    let FieldValue::List(list) = reader.sent(VISITS) else {
        reader.violate(VISITS, Rule::Array);
        return None;
    };
    if list.is_empty() || list.len() > Weekday::ALL.len() {
        reader.violate(VISITS, Rule::Elements { min: 1, max: Weekday::ALL.len() });
    }
    let mut visits: Vec<VisitDays> = Vec::new();
    for (at, item) in list.iter().enumerate().take(Weekday::ALL.len()) {
        let name = format!("{VISITS}.{at}");
        let mut fields = Fields::default();
        fields.push_item(name.clone(), item.clone());
        let mut one = FieldReader::new(&fields);
        if *item == FieldItem::Null {
            one.violate(&name, Rule::Object);
        }
        let known = ["days", "morning", "afternoon", "evening"];
        let visit = object(&mut one, &name, &known, |reader| visit(reader, &name));
        reader.violations.0.append(&mut one.violations.0);
        visits.extend(visit);
    }
    let twice = |day: &Weekday| visits.iter().filter(|visit| visit.days.contains(day)).count() > 1;
    if Weekday::ALL.iter().any(twice) {
        reader.violate(VISITS, Rule::EachDayOnce);
    }
    Some(VisitHours { time_zone: time_zone?.to_owned(), visits })
}

fn visit(reader: &mut FieldReader<'_>, name: &str) -> Option<VisitDays> {
    let days_name = format!("{name}.days");
    let days = words(reader, &days_name, &Weekday::ALL, Weekday::as_str);
    if days.as_ref().is_none_or(Vec::is_empty) && !matches!(reader.sent(&days_name), FieldValue::List([_, ..])) {
        reader.violate(&days_name, Rule::NotEmpty);
    }
    let mut part = |part: &str| {
        let name = format!("{name}.{part}");
        object(reader, &name, &["from", "to"], |reader| hours(reader, &name))
    };
    let (morning, afternoon, evening) = (part("morning"), part("afternoon"), part("evening"));
    let parts: Vec<Hours> = [morning, afternoon, evening].into_iter().flatten().collect();
    if parts.is_empty() && reader.violations.0.is_empty() {
        reader.violate(name, Rule::SomePartOfDay);
    }
    if parts.windows(2).any(|two| two[0].to > two[1].from) {
        reader.violate(name, Rule::PartsInOrder);
    }
    Some(VisitDays { days: days?, morning, afternoon, evening })
}

fn hours(reader: &mut FieldReader<'_>, name: &str) -> Option<Hours> {
    let (from_name, to_name) = (format!("{name}.from"), format!("{name}.to"));
    let from = reader.formatted_if_filled(&from_name, Presence::Required, TimeOfDay::parse, Rule::TimeOfDay);
    let to = reader.formatted_if_filled(&to_name, Presence::Required, TimeOfDay::parse, Rule::TimeOfDay);
    let hours = Hours { from: from?, to: to? };
    if hours.from >= hours.to {
        reader.violate(&to_name, Rule::LaterThanFrom);
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
            reader.violate(name, Rule::Text);
            None
        }
    }
}

/// A text with line breaks; an empty one counts as absent.
fn block(reader: &mut FieldReader<'_>, name: &str, max: usize) -> Option<String> {
    match reader.sent(name) {
        FieldValue::Nothing => None,
        FieldValue::Text(text) => {
            let text = reader.lines(name, text.trim(), max)?;
            (!text.is_empty()).then(|| text.to_owned())
        }
        _ => {
            reader.violate(name, Rule::Text);
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
            reader.violate(name, Rule::Array);
            return Vec::new();
        }
    };
    let texts: Vec<&str> = list.iter().filter_map(|item| item.as_text()).map(str::trim).collect();
    if texts.len() < list.len() {
        reader.violate(name, Rule::Text.each_value());
    }
    if texts.iter().any(|text| text.is_empty()) {
        reader.violate(name, Rule::NotEmpty.each_value());
    }
    if texts.iter().any(|text| !is_clean(text)) {
        reader.violate(name, Rule::Clean.each_value());
    }
    if texts.iter().any(|text| is_longer(text, MAX_LINE)) {
        reader.violate(name, Rule::MaxLength { max: MAX_LINE }.each_value());
    }
    if list.len() > MAX_LINES {
        reader.violate(name, Rule::MaxElements { max: MAX_LINES });
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
            reader.violate(name, Rule::Array);
            return None;
        }
    };
    let known = |item: &FieldItem<'_>| all.iter().copied().find(|word| item.as_text() == Some(as_str(*word)));
    let found: Vec<T> = list.iter().filter_map(known).collect();
    if found.len() < list.len() {
        let words: Vec<&'static str> = all.iter().map(|word| as_str(*word)).collect();
        reader.violate(name, Rule::OneOf { words }.each_value());
        return None;
    }
    if (1..found.len()).any(|at| found[..at].contains(&found[at])) {
        reader.violate(name, Rule::AllUnique);
        return None;
    }
    Some(found)
}

/// A number of a JSON body, within bounds.
fn number(reader: &mut FieldReader<'_>, name: &str, presence: Presence, min: i32, max: i32) -> Option<f64> {
    let number = match reader.sent(name) {
        FieldValue::Nothing if presence == Presence::Optional => return None,
        FieldValue::Number(number) if number.is_finite() => number,
        _ => {
            reader.violate(name, Rule::Number);
            return None;
        }
    };
    if number < f64::from(min) {
        reader.violate(name, Rule::Min { min: min.into() });
        return None;
    }
    if number > f64::from(max) {
        reader.violate(name, Rule::Max { max: max.into() });
        return None;
    }
    Some(number)
}

fn whole(reader: &mut FieldReader<'_>, name: &str, presence: Presence, min: i32, max: i32) -> Option<f64> {
    let number = number(reader, name, presence, min, max)?;
    if number.fract() != 0.0 {
        reader.violate(name, Rule::Integer);
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
        reader.violate(name, if places == 1 { Rule::OneDecimalPlace } else { Rule::DecimalPlaces { places } });
    }
    exact
}
