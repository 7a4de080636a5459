//! A widget as the texts of its form, and back: what the fields hold, what the rules read, and what differs between two.

use serde_json::Value;
use shingle_domain::notice::Weekday;
use shingle_domain::rules::{FieldItem, Fields};
use shingle_domain::settings::{DayPart, Question};
use shingle_domain::widget::WidgetRecord;
use shingle_domain::{FieldPath, Language, Violations, WidgetSettings};
use shingle_widget::view::Text;

use crate::widget_fields::{
    AERIAL, AERIAL_AGE, ASKED, BOOKED_TIMES, COPY, Control, LOGOS, PRICES, SELF_BOOKING, WidgetFormValues, all_fields,
    settings_fields, visit_name, widget_field_names,
};

/// What the form shows of a widget.
pub fn widget_values(record: &WidgetRecord, settings: &WidgetSettings) -> WidgetFormValues {
    let mut values = WidgetFormValues::default();
    let record = serde_json::to_value(record).unwrap_or_default();
    for name in widget_field_names() {
        values.set(name, text_of(record.get(name)));
    }
    values.set(LOGOS[0].name, text_of(record.get("headerLogoUrl")));
    values.set(LOGOS[1].name, text_of(record.get("footerLogoUrl")));
    let json = serde_json::to_value(settings).unwrap_or_default();
    for field in settings_fields() {
        let found = field.name.split('.').try_fold(&json, |at, part| at.get(part));
        values.set(field.name, text_of(found));
    }
    for question in Question::ALL {
        let asked = ASKED.iter().find(|field| field.name.strip_prefix("ask.") == Some(question.as_str()));
        if let Some(field) = asked {
            values.set(field.name, if settings.asks(*question) { "on" } else { "" });
        }
    }
    values.set(COPY.name, if settings.mail.homeowner_copy { "on" } else { "" });
    values.set(AERIAL.name, if settings.aerial_photos.show { "on" } else { "" });
    values.set(SELF_BOOKING.name, if settings.self_booking.on { "on" } else { "" });
    for visit in settings.working_hours.iter().flat_map(|hours| &hours.visits) {
        for day in &visit.days {
            for (part, hours) in DayPart::ALL.iter().zip([&visit.morning, &visit.afternoon, &visit.evening]) {
                if let (Some(hours), Some(name)) = (hours, visit_name(*day, *part)) {
                    let times = serde_json::to_value(hours).unwrap_or_default();
                    values.set(name, format!("{}-{}", text_of(times.get("from")), text_of(times.get("to"))));
                }
            }
        }
    }
    values
}

fn text_of(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

/// The settings that the form says, as their rules read them.
pub fn settings_input(values: &WidgetFormValues) -> Fields<'static> {
    let mut fields = Fields::default();
    let text = |name: &str| Some(values.get(name).to_owned()).filter(|text| !text.is_empty());
    let line = |name: &str| text(name).map_or(FieldItem::Null, |text| FieldItem::Text(text.into()));
    let number = |name: &str| match text(name) {
        Some(typed) => match typed.trim_start_matches('$').replace([',', '%'], "").trim().parse() {
            Ok(number) => FieldItem::Number(number),
            Err(_) => FieldItem::Text(typed.into()),
        },
        None => FieldItem::Null,
    };
    let lines = |name: &str| {
        let lines = values.get(name).lines().map(str::trim).filter(|line| !line.is_empty());
        FieldItem::List(lines.map(|line| FieldItem::Text(line.to_owned().into())).collect())
    };
    let object = |prefix: &str, members: &[(&str, bool)]| {
        let full = |member: &str| format!("{prefix}.{member}");
        if members.iter().all(|(member, _)| values.get(&full(member)).is_empty()) {
            return FieldItem::Null;
        }
        let item = |(member, is_number): &(&str, bool)| {
            let item = if *is_number { number(&full(member)) } else { line(&full(member)) };
            ((*member).to_owned(), item)
        };
        FieldItem::Object(members.iter().map(item).collect())
    };
    fields.push_item("priceIncludes", lines("priceIncludes"));
    fields.push_item("priceExcludes", lines("priceExcludes"));
    fields.push_item("license", line("license"));
    let prices = PRICES.each_ref().map(|field| (field.name.strip_prefix("prices.").unwrap_or(field.name), true));
    fields.push_item("prices", object("prices", &prices));
    let monthly = [("aprPercent", true), ("months", true), ("leastAmount", true), ("link", false)];
    fields.push_item("monthlyPayment", object("monthlyPayment", &monthly));
    fields.push_item("rating", object("rating", &[("value", true), ("count", true), ("link", false)]));
    let asked = ASKED.iter().filter(|field| !values.get(field.name).is_empty());
    let asked = asked.filter_map(|field| field.name.strip_prefix("ask."));
    fields.push_item("questions", FieldItem::List(asked.map(|name| FieldItem::Text(name.into())).collect()));
    let copy = FieldItem::Boolean(!values.get(COPY.name).is_empty());
    fields.push_item("mail", FieldItem::Object(vec![("homeownerCopy".to_owned(), copy)]));
    fields.push_item("workingHours", working_hours(values));
    let of_language = |language: &str| {
        let at = |name: &str| format!("texts.{language}.{name}");
        let mut members: Vec<(String, FieldItem<'static>)> =
            ["firstPageTitle", "buttonText", "bannerText", "license", "privacy"]
                .map(|name| (name.to_owned(), line(&at(name))))
                .into();
        members.extend(["priceIncludes", "priceExcludes"].map(|name| (name.to_owned(), lines(&at(name)))));
        FieldItem::Object(members)
    };
    let texts = ["en", "es"].map(|language| (language.to_owned(), of_language(language)));
    fields.push_item("texts", FieldItem::Object(texts.into()));
    fields.push_item("launcher", object("launcher", &[("offsetX", true), ("offsetY", true)]));
    fields.push_item("fetchAhead", line("fetchAhead"));
    let photos = vec![
        ("show".to_owned(), FieldItem::Boolean(!values.get(AERIAL.name).is_empty())),
        ("oldestYears".to_owned(), number(AERIAL_AGE.name)),
    ];
    fields.push_item("aerialPhotos", FieldItem::Object(photos));
    let mut booking = vec![("on".to_owned(), FieldItem::Boolean(!values.get(SELF_BOOKING.name).is_empty()))];
    let members = BOOKED_TIMES.iter().filter_map(|field| Some((field, field.name.strip_prefix("selfBooking.")?)));
    booking.extend(members.map(|(field, member)| {
        let item = if matches!(field.control, Control::Lines) { lines(field.name) } else { number(field.name) };
        (member.to_owned(), item)
    }));
    fields.push_item("selfBooking", FieldItem::Object(booking));
    fields
}

/// The days that have hours, in their order.
fn visited(values: &WidgetFormValues) -> Vec<(Weekday, [&str; 3])> {
    let parts = |day: Weekday| {
        let at = |part: usize| {
            let part = DayPart::ALL.get(part).copied().unwrap_or(DayPart::Evening);
            visit_name(day, part).map_or("", |name| values.get(name))
        };
        [at(0), at(1), at(2)]
    };
    let days = Weekday::ALL.iter().map(|day| (*day, parts(*day)));
    days.filter(|(_, parts)| parts.iter().any(|text| !text.is_empty())).collect()
}

/// Days with the same hours stand together.
fn grouped(values: &WidgetFormValues) -> Vec<(Vec<Weekday>, [&str; 3])> {
    let mut groups: Vec<(Vec<Weekday>, [&str; 3])> = Vec::new();
    for (day, parts) in visited(values) {
        match groups.iter_mut().find(|(_, same)| *same == parts) {
            Some((days, _)) => days.push(day),
            None => groups.push((vec![day], parts)),
        }
    }
    groups
}

fn working_hours(values: &WidgetFormValues) -> FieldItem<'static> {
    let zone = values.get("workingHours.timeZone");
    let groups = grouped(values);
    if zone.is_empty() && groups.is_empty() {
        return FieldItem::Null;
    }
    let time = |text: &str| FieldItem::Text(text.to_owned().into());
    let hours = |text: &str| match text.split_once('-') {
        _ if text.is_empty() => FieldItem::Null,
        Some((from, to)) => FieldItem::Object(vec![("from".to_owned(), time(from)), ("to".to_owned(), time(to))]),
        None => FieldItem::Object(vec![("from".to_owned(), time(text)), ("to".to_owned(), time(text))]),
    };
    let visit = |(days, parts): (Vec<Weekday>, [&str; 3])| {
        let days = days.into_iter().map(|day| time(day.as_str())).collect();
        let mut members = vec![("days".to_owned(), FieldItem::List(days))];
        members.extend(DayPart::ALL.iter().zip(parts).map(|(part, text)| (part.as_str().to_owned(), hours(text))));
        FieldItem::Object(members)
    };
    FieldItem::Object(vec![
        ("timeZone".to_owned(), time(zone)),
        ("visits".to_owned(), FieldItem::List(groups.into_iter().map(visit).collect())),
    ])
}

/// The field of the form in which a rule of the settings is broken: hours are counted there by groups of days.
fn field_of(path: &FieldPath, values: &WidgetFormValues) -> String {
    let mut parts = path.parts();
    if (parts.next(), parts.next()) != (Some("workingHours"), Some("visits")) {
        return path.to_string();
    }
    let group = parts.next().and_then(|number| number.parse::<usize>().ok()).unwrap_or_default();
    let part = parts.next().and_then(|part| part.parse().ok()).unwrap_or(DayPart::Morning);
    let day = grouped(values).get(group).and_then(|(days, _)| days.first().copied()).unwrap_or(Weekday::Monday);
    visit_name(day, part).unwrap_or_default().to_owned()
}

/// Rules of the settings, each at the field of the form.
pub fn refuse_settings(language: Language, values: &mut WidgetFormValues, violations: &Violations) {
    for violation in &violations.0 {
        let name = field_of(&violation.path, values);
        values.refuse_rule(language, &name, violation);
    }
}

/// One field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WidgetChange {
    pub name: &'static str,
    pub label: &'static str,
    pub before: Text,
    pub after: Text,
}

impl WidgetChange {
    pub fn is_picture(&self) -> bool {
        LOGOS.iter().any(|logo| logo.name == self.name)
    }
}

/// In the order of the form.
pub fn widget_changes(before: &WidgetFormValues, after: &WidgetFormValues) -> Vec<WidgetChange> {
    let shown = |control: &Control, text: &str| match control {
        Control::Choice(options) => match options.iter().find(|(value, _)| *value == text) {
            Some((_, said)) => Text::Fixed(said),
            None => Text::Made(text.to_owned()),
        },
        Control::Check => Text::Fixed(if text.is_empty() { "No" } else { "Yes" }),
        _ => Text::Made(text.to_owned()),
    };
    let differs = all_fields().filter(|field| before.get(field.name) != after.get(field.name));
    differs
        .map(|field| WidgetChange {
            name: field.name,
            label: field.label,
            before: shown(&field.control, before.get(field.name)),
            after: shown(&field.control, after.get(field.name)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(_: &str) -> bool {
        true
    }

    fn typed(pairs: &[(&str, &str)]) -> WidgetFormValues {
        let mut values = WidgetFormValues::default();
        pairs.iter().for_each(|(name, text)| values.set(name, *text));
        values
    }

    #[test]
    fn what_is_typed_becomes_settings_and_the_same_texts_again() {
        let values = typed(&[
            ("priceIncludes", "Tear-off\n\n  Permit "),
            ("license", "RC-1"),
            ("monthlyPayment.aprPercent", "8.99%"),
            ("monthlyPayment.months", "120"),
            ("monthlyPayment.leastAmount", "$5,000"),
            ("rating.value", "4.8"),
            ("rating.count", "212"),
            ("rating.link", "https://oak.example.com/reviews"),
            ("ask.leak", "on"),
            ("workingHours.timeZone", "America/New_York"),
            ("visit.monday.morning", "08:00-12:00"),
            ("visit.tuesday.morning", "08:00-12:00"),
            ("visit.saturday.evening", "17:00-19:00"),
            ("texts.es.buttonText", "Ver precio"),
            ("launcher.offsetX", "12"),
            ("fetchAhead", "idle"),
        ]);
        let settings = WidgetSettings::parse(&settings_input(&values), zone).unwrap();
        assert_eq!(settings.price_includes, ["Tear-off", "Permit"]);
        assert!(!settings.mail.homeowner_copy, "an empty box is a no");
        let hours = settings.working_hours.as_ref().unwrap();
        assert_eq!(hours.visits.len(), 2, "days with the same hours stand together");
        let json = serde_json::to_value(&settings).unwrap();
        assert_eq!((json["launcher"]["offsetX"].as_u64(), json["rating"]["count"].as_u64()), (Some(12), Some(212)));
        assert_eq!(json["texts"]["es"]["buttonText"], "Ver precio");
        assert_eq!(
            WidgetSettings::parse(
                &settings_input(&typed(&[("mail.homeownerCopy", "on"), ("aerialPhotos.show", "on")])),
                zone
            ),
            Ok(WidgetSettings::default())
        );
    }

    #[test]
    fn each_broken_rule_of_the_settings_stands_at_its_field() {
        let mut values = typed(&[
            ("rating.value", "many"),
            ("workingHours.timeZone", "America/New_York"),
            ("visit.friday.afternoon", "noon"),
            ("priceIncludes", &"x".repeat(300)),
            ("launcher.offsetY", "900"),
        ]);
        let broken = WidgetSettings::parse(&settings_input(&values), zone).unwrap_err();
        refuse_settings(Language::English, &mut values, &broken);
        for name in ["rating.value", "visit.friday.afternoon", "priceIncludes", "launcher.offsetY"] {
            assert!(values.is_refused(name), "{name}: {broken:?}");
        }
        assert_eq!(values.said_of_none().collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn changes_are_named_as_the_form_names_them() {
        let (before, after) = (typed(&[("status", "active")]), typed(&[("status", "inactive"), ("ask.note", "on")]));
        let changes = widget_changes(&before, &after);
        let said: Vec<_> = changes.into_iter().map(|c| (c.label, c.before, c.after)).collect();
        let fixed = |label, before, after| (label, Text::Fixed(before), Text::Fixed(after));
        assert_eq!(said, [fixed("State", "On", "Off"), fixed("A note", "No", "Yes")]);
        assert!(widget_changes(&after, &after).is_empty());
    }
}
