//! Whatever is in the owner's column, and whatever a visitor types, the answers are sound.

use proptest::prelude::*;
use shingle_domain::Timestamp;
use shingle_domain::details::PropertyDetails;
use shingle_domain::evidence::{Assessor, Evidence, MatchLevel, PropertyClass};
use shingle_domain::money::Usd;
use shingle_estimate::Confirmation;
use shingle_estimate::details::{property_details, reasons, sources};
use shingle_estimate::integrity::lead_integrity;
use shingle_estimate::owner::Owners;
use shingle_estimate::surname::find;

use crate::fixture::{evidence, fact};

/// Any text, and texts of the words that have meaning.
fn line() -> impl Strategy<Value = String> {
    let words = vec![
        "TALLOWBY",
        "ADA",
        "M",
        "DE",
        "LA",
        "O",
        "MC",
        "VAN",
        "TRUST",
        "TRUSTEE",
        "OF",
        "THE",
        "LLC",
        "BANK",
        "CITY",
        ",",
        "&",
        "AND",
        "/",
        "C/O",
        "%",
        "JR",
        "ET",
        "UX",
        "ESTATE",
        "LIFE",
        "EST",
        "2012",
        "(",
        ")",
        "\"",
        "-",
        "SMITH-JONES",
        "NEE",
        "OR",
        "FAMILY",
        "REALTY",
        "CHURCH",
        "GARCIA",
        "Y",
        "'",
        "’",
        ".",
        "ǅ",
        "ß",
        "ﬁ",
        "İ",
        "\u{301}",
        "\u{fffd}",
        "王",
        "12 ELM ST",
    ];
    prop_oneof![
        2 => ".{0,40}",
        5 => prop::collection::vec(prop::sample::select(words), 0..12).prop_map(|w| w.join(" ")),
        1 => "[A-Z,&/ .'-]{0,60}",
    ]
}

fn assessor() -> impl Strategy<Value = Assessor> {
    let classes =
        vec![PropertyClass::SingleFamily, PropertyClass::VacantLand, PropertyClass::Commercial, PropertyClass::Other];
    let flag = || prop::option::of(any::<bool>());
    let text = || prop::option::of(line());
    (
        (text(), text(), text(), text(), text()),
        (flag(), flag(), prop::option::of(prop::sample::select(classes))),
        (prop::option::of(any::<u16>()), prop::option::of(any::<f64>()), prop::option::of(any::<i64>())),
    )
        .prop_map(|((primary, secondary, kind, zoning, date), (exempt, here, class), (year, area, cents))| {
            Assessor {
                primary_owner: primary.and_then(fact),
                secondary_owner: secondary.and_then(fact),
                property_type: kind.and_then(fact),
                zoning: zoning.and_then(fact),
                sale_date: date.and_then(fact),
                residential_exemption: exempt.and_then(fact),
                mailed_here: here.and_then(fact),
                property_class: class.and_then(fact),
                year_built: year.and_then(fact),
                building_area_sqft: area.and_then(fact),
                building_value: cents.map(Usd::from_cents).and_then(fact),
                ..Assessor::default()
            }
        })
}

fn found() -> impl Strategy<Value = Evidence> {
    let levels = vec![MatchLevel::Exact, MatchLevel::WithoutUnit, MatchLevel::SimilarName, MatchLevel::Interpolated];
    (assessor(), prop::sample::select(levels)).prop_map(|(assessor, level)| {
        let mut found = evidence(vec![], assessor);
        found.matched.level = level;
        found
    })
}

fn texts(details: PropertyDetails) -> [Option<String>; 9] {
    let d = details;
    [
        d.primary_owner,
        d.secondary_owner,
        d.home_built_year,
        d.years_in_home,
        d.county,
        d.subdivision,
        d.school,
        d.property_type,
        d.area_building_size,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_record_has_one_sound_score(found in found(), typed in prop::option::of(line())) {
        let answer = lead_integrity(Some(&found), typed.as_deref());
        prop_assert_eq!(&answer, &lead_integrity(Some(&found), typed.as_deref()));
        let nothing = found.matched.level == MatchLevel::Interpolated;
        prop_assert_eq!(answer.integrity.lead_integrity_score.is_none(), nothing);
        prop_assert_eq!(answer.integrity.lead_integrity_defects.is_none(), nothing);
        let score = answer.integrity.lead_integrity_score.unwrap_or(0);
        let defects = answer.integrity.lead_integrity_defects.unwrap_or_default();
        prop_assert!(score <= 10 && (nothing || (score == 10) == defects.is_empty()));
        let points: f64 = answer.reasons.iter().map(|r| r.points).sum();
        prop_assert!((points - f64::from(score)).abs() <= 0.5 + 1e-9);
        prop_assert!(answer.reasons.iter().all(|r| (0.0..=10.0).contains(&r.points) && !r.because.is_empty()));
    }

    #[test]
    fn any_record_has_one_sound_set_of_details(found in found(), micros in any::<i64>()) {
        let now = Timestamp::from_micros(micros);
        let details = property_details(Some(&found), now);
        prop_assert_eq!(&details, &property_details(Some(&found), now));
        let PropertyDetails { owner_occupied, scructure_present, .. } = details;
        let texts = texts(details);
        prop_assert!(texts.iter().flatten().all(|t| t.contains(char::is_alphanumeric) && t.trim() == t));
        // What has a value has an origin, and nothing else has.
        let judged = usize::from(owner_occupied.is_some()) + usize::from(scructure_present.is_some());
        let told = texts.iter().flatten().count() + judged;
        prop_assert_eq!(sources(Some(&found), now).len(), told);
        prop_assert!(reasons(Some(&found)).iter().all(|r| (0.0..=1.0).contains(&r.points)));
    }

    #[test]
    fn a_family_name_before_a_comma_is_found_however_it_is_typed(
        name in "[A-Z][A-Z]{4,11}",
        given in "[A-Z]{5,9}",
        initial in "[A-Z]",
    ) {
        let owners = Owners::read(Some(&format!("{name}, {given} {initial}. & ROMY")), None);
        prop_assume!(owners.kind() == Some(shingle_estimate::owner::OwnerKind::Person));
        for typed in [name.clone(), name.to_lowercase(), format!(" {name} Jr. "), format!("{given} {name}")] {
            prop_assert_eq!(find(&owners, &typed), Some(Confirmation::Confirmed), "{} typed {}", name, typed);
        }
    }
}
