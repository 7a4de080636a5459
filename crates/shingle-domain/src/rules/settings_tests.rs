//! The rules of a widget's settings.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::contract::item;
use super::{Fields, MAX_LINK};
use crate::notice::Weekday;
use crate::settings::{DayPart, FetchAhead, Question};
use crate::{Violations, WidgetSettings};

fn read(sent: &Value) -> Result<WidgetSettings, Violations> {
    let mut fields = Fields::default();
    for (name, value) in sent.as_object().unwrap() {
        fields.push_item(name.clone(), item(value));
    }
    WidgetSettings::parse(&fields, |name| name == "America/New_York")
}

/// Everything set.
fn full() -> Value {
    json!({
        "priceIncludes": ["One layer of old shingles off and away", "Permit and cleanup"],
        "priceExcludes": ["Rotten decking ($95 a sheet)"],
        "prices": {
            "metal": 1250.5, "tile": null, "slate": 2200, "lowSlope": 1050, "steep": 40, "verySteep": 80.5,
            "twoStories": null, "threeStories": 60, "minimum": 4500
        },
        "monthlyPayment": {
            "aprPercent": 8.99, "months": 120, "leastAmount": 2000, "link": "https://oak.example.com/pay"
        },
        "license": "RC-10448, insured",
        "rating": { "value": 4.8, "count": 212, "link": "https://reviews.example.com/oak" },
        "questions": ["roofAge", "leak"],
        "mail": { "homeownerCopy": false },
        "workingHours": {
            "timeZone": "America/New_York",
            "visits": [
                {
                    "days": ["monday", "tuesday"],
                    "morning": { "from": "08:00", "to": "12:00" },
                    "afternoon": { "from": "13:00", "to": "17:00" },
                    "evening": null
                },
                { "days": ["saturday"], "morning": { "from": "09:00", "to": "12:00" }, "afternoon": null, "evening": null }
            ]
        },
        "texts": {
            "en": {
                "firstPageTitle": null, "buttonText": null, "bannerText": null, "priceIncludes": [], "priceExcludes": [],
                "license": null, "privacy": "We keep it for a year.\n\nThen it goes."
            },
            "es": {
                "firstPageTitle": "¿Cuánto costaría un techo nuevo?", "buttonText": "Calcular", "bannerText": null,
                "priceIncludes": ["Permiso y limpieza"], "priceExcludes": [], "license": null, "privacy": null
            }
        },
        "launcher": { "offsetX": 0, "offsetY": 72 },
        "fetchAhead": "intent",
        "aerialPhotos": { "show": false, "oldestYears": 8 },
        "selfBooking": {
            "on": true, "minutes": 45, "travelMinutes": 20, "noticeHours": 48, "daysAhead": 14, "atOnce": 2,
            "daysOff": ["2026-12-25", "2026-12-31/2027-01-02"]
        }
    })
}

#[test]
fn what_was_shown_can_be_sent_back() {
    let settings = read(&full()).unwrap();
    assert_eq!(serde_json::to_value(&settings).unwrap(), full());
    assert_eq!(settings.questions, [Question::RoofAge, Question::Leak]);
    let hours = settings.working_hours.as_ref().unwrap();
    assert!(hours.on(Weekday::Tuesday, DayPart::Afternoon).is_some());
    assert!(hours.on(Weekday::Saturday, DayPart::Afternoon).is_none());
    assert!(hours.on(Weekday::Sunday, DayPart::Morning).is_none());

    assert_eq!(settings.prices.of(crate::roof::RoofMaterial::Metal), Some(crate::Usd::from_cents(125_050)));
    assert_eq!(settings.prices.minimum, Some(crate::Usd::from_dollars(4_500)));

    let nothing = read(&json!({})).unwrap();
    assert_eq!(nothing, WidgetSettings::default());
    assert_eq!(nothing.fetch_ahead, FetchAhead::Dwell);
    assert_eq!(read(&serde_json::to_value(&nothing).unwrap()).unwrap(), nothing);
    assert_eq!(serde_json::from_value::<WidgetSettings>(full()).unwrap(), settings, "as the database has them");
}

#[test]
fn every_broken_rule_of_every_setting_is_told_at_once() {
    let broken = read(&json!({
        "priceIncludes": ["", 5, "a\u{7}b"],
        "priceExcludes": "decking",
        "monthlyPayment": { "aprPercent": 36.5, "months": 12.5, "leastAmount": -1, "link": "javascript:alert(1)", "apr": 1 },
        "license": 7,
        "rating": { "value": 4.85, "count": 0 },
        "questions": ["roofAge", "roofAge"],
        "mail": { "homeownerCopy": "yes" },
        "workingHours": { "timeZone": "Oz", "visits": [] },
        "texts": { "fr": {}, "es": { "butonText": "x" } },
        "launcher": { "offsetX": 201 },
        "fetchAhead": "never",
        "aerialPhotos": { "show": "yes", "oldestYears": 51, "old": 1 },
        "selfBooking": { "on": 1, "minutes": 10, "atOnce": 0, "daysOff": ["2027-02-29"], "step": 15 },
        "fetchahead": "idle"
    }))
    .unwrap_err();
    assert_eq!(
        broken.messages(),
        [
            "each value in priceIncludes must be a string",
            "each value in priceIncludes should not be empty",
            "each value in priceIncludes must not contain control characters",
            "priceExcludes must be an array",
            "monthlyPayment.aprPercent must not be greater than 36",
            "monthlyPayment.months must be an integer number",
            "monthlyPayment.leastAmount must not be less than 0",
            "monthlyPayment.link must be a URL address",
            "monthlyPayment.apr is not a setting of monthlyPayment",
            "license must be a string",
            "rating.value must have at most 1 decimal place",
            "rating.count must not be less than 1",
            "rating.link must be a string",
            "rating.link should not be empty",
            "All questions's elements must be unique",
            "mail.homeownerCopy must be a boolean value",
            "workingHours.timeZone must be the name of a time zone, such as America/New_York",
            "workingHours.visits must contain 1 to 7 elements",
            "texts.es.butonText is not a setting of texts.es; did you mean texts.es.buttonText?",
            "texts.fr is not a setting of texts",
            "launcher.offsetX must not be greater than 200",
            "fetchAhead must be one of the following values: intent, dwell, idle",
            "aerialPhotos.show must be a boolean value",
            "aerialPhotos.oldestYears must not be greater than 50",
            "aerialPhotos.old is not a setting of aerialPhotos",
            "selfBooking.on must be a boolean value",
            "selfBooking.minutes must not be less than 15",
            "selfBooking.atOnce must not be less than 1",
            "each value in selfBooking.daysOff must be a day such as 2026-12-01",
            "selfBooking.step is not a setting of selfBooking",
            "fetchahead is not a setting of a widget; did you mean fetchAhead?",
        ]
    );
}

#[test]
fn a_setting_at_its_bound_passes_and_one_beyond_it_does_not() {
    let with = |path: &str, value: Value| {
        let mut sent = full();
        *sent.pointer_mut(path).unwrap() = value;
        read(&sent).map(drop).map_err(|broken| broken.messages().join("; "))
    };
    let many = |n: usize| json!(vec!["line"; n]);
    for (path, good, bad) in [
        ("/priceIncludes", many(12), many(13)),
        ("/priceExcludes/0", json!("x".repeat(200)), json!("x".repeat(201))),
        ("/license", json!("x".repeat(100)), json!("x".repeat(101))),
        ("/texts/es/buttonText", json!("x".repeat(500)), json!("x".repeat(501))),
        ("/monthlyPayment/aprPercent", json!(0), json!(-0.001)),
        ("/monthlyPayment/aprPercent", json!(36), json!(36.001)),
        ("/monthlyPayment/aprPercent", json!(7.125), json!(7.1255)),
        ("/monthlyPayment/months", json!(1), json!(0)),
        ("/monthlyPayment/months", json!(360), json!(361)),
        ("/monthlyPayment/months", json!(12), json!("12")),
        ("/monthlyPayment/leastAmount", json!(0), json!(0.001)),
        ("/monthlyPayment/leastAmount", json!(1_000_000), json!(1_000_000.01)),
        ("/monthlyPayment/link", Value::Null, json!(format!("https://oak.example.com/{}", "x".repeat(MAX_LINK)))),
        ("/monthlyPayment", Value::Null, json!(5)),
        ("/rating/value", json!(5), json!(5.1)),
        ("/rating/value", json!(1), json!(0.9)),
        ("/rating/count", json!(1_000_000), json!(1_000_001)),
        ("/rating/link", json!("https://reviews.example.com"), Value::Null),
        ("/launcher/offsetY", json!(200), json!(-1)),
        ("/launcher/offsetX", json!(0), json!(0.5)),
        ("/workingHours/visits/0/days", json!(["sunday"]), json!([])),
        ("/workingHours/visits/0/days", json!(["friday"]), json!(["saturday"])),
        ("/workingHours/visits/0/days", json!(["monday"]), json!(["monday", "monday"])),
        ("/workingHours/visits/0/days", json!(["monday"]), json!(["Monday"])),
        (
            "/workingHours/visits/0",
            json!({ "days": ["sunday"], "evening": { "from": "17:00", "to": "24:00" } }),
            json!({ "days": ["sunday"] }),
        ),
        (
            "/workingHours/visits/0",
            json!({ "days": ["sunday"], "morning": { "from": "07:00", "to": "09:00" } }),
            Value::Null,
        ),
        ("/workingHours/visits/0/morning/to", json!("13:00"), json!("13:01")),
        ("/workingHours/visits/0/morning/from", json!("11:59"), json!("12:00")),
        ("/workingHours/visits/0/morning/from", json!("00:00"), json!("8:00")),
        ("/workingHours/timeZone", json!("America/New_York"), Value::Null),
    ] {
        assert_eq!(with(path, good.clone()), Ok(()), "{path} {good}");
        assert!(with(path, bad.clone()).is_err(), "{path} {bad}");
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let names = prop_oneof![
        "priceIncludes|monthlyPayment|rating|questions|workingHours|visits|days|texts|es|link",
        any::<String>()
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(names.clone(), inner, 0..4).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn no_json_makes_the_parser_panic(value in any_json(), name in "priceIncludes|monthlyPayment|rating|questions|workingHours|texts|launcher|x") {
        let _ = read(&json!({ name: value }));
    }
}
