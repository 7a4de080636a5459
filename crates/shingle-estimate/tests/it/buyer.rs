//! The buyer scores, case by case on paper, and for any home.

use proptest::prelude::*;
use shingle_domain::area::Area;
use shingle_domain::buyer::{BuyerScores, BuyingStyles};
use shingle_domain::details::AccuracyCode;
use shingle_domain::evidence::{Assessor, MatchLevel, PermitKind, PropertyClass};
use shingle_domain::{Evidence, Usd};
use shingle_estimate::buyer::{BuyerEstimate, buyer_scores, sales_hacks};
use shingle_estimate::details::property_details;
use shingle_estimate::owner::Owners;
use shingle_estimate::solar::solar_index;

use super::fixture::fact;
use super::home::{any_home, filled, home, now, permit};

fn scored(evidence: &Evidence) -> BuyerEstimate {
    buyer_scores(Some(evidence), now(), None)
}

fn points(answer: &BuyerEstimate, field: &str) -> f64 {
    answer.reasons.iter().filter(|r| r.field == field).map(|r| r.points).sum()
}

fn styles(scores: &BuyerScores) -> [Option<u8>; 7] {
    let s = &scores.buyer_insights;
    [
        s.savvy_shopper_score,
        s.brand_loyalist_score,
        s.trendsetter_score,
        s.budgetsavvy_buyer_score,
        s.quality_first_buyer_score,
        s.impulse_shopper_score,
        s.popular_picks_score,
    ]
}

#[test]
fn a_home_with_everything_on_record_gets_the_scores_worked_on_paper() {
    // Bought for 240,000 15.0007 years ago, worth 300,000: owed 240,000 x 0.8 x 0.49998 = 95,996; equity 0.68001.
    // Pay 3 + 0.5 + 2 x 0.28001 + 0.5 = 4.56 -> 5.
    // z = -0.4 + 0.8 + 0.6 (30 years old) + 0.5 + 0.6 x 0.68001 = 1.908; 1 + 9 x 0.87082 = 8.84 -> 9.
    // Savvy 5 + 1 (no permits: sale's price is too old to compare): one piece of evidence, null.
    // Trendsetter 5: built 1996, state at 0.6. Budget 5: value 1.0, 2,000 sq ft. Quality 5 + 1 (brick) + 1 (grade).
    // Popular 5 + 1 (value) + 1 (single family under asphalt).
    let answer = scored(&home());
    println!("{answer:#?}");
    assert_eq!(answer.scores.pay_score, Some(5));
    assert_eq!(answer.scores.elevate_score, Some(9));
    assert_eq!(styles(&answer.scores), [None, None, Some(5), Some(5), Some(7), None, Some(7)]);
    assert_eq!(answer.scores.accuracy_code, AccuracyCode::P);
    assert!((points(&answer, "payScore") - 4.56).abs() < 0.001);
    assert!((points(&answer, "elevateScore") - 1.908).abs() < 0.001);

    let mut busy = home();
    busy.place.permits = vec![
        permit(PermitKind::Roof, "2025-05-01", Some("Slate & Sons")),
        permit(PermitKind::HeatPump, "2023-05-01", Some("slate &  sons")),
    ];
    busy.place.assessor.sale_date = fact("2005-01-01".into());
    busy.place.assessor.year_built = fact(1970);
    // Owned 21.9 years, owed 240,000 x 0.8 x 0.27; equity 0.828. z = -0.4 + 0.8 + 0 (new roof) + 0.5 + 0.497 + 0.5 - 0.8
    // = 1.097; 1 + 9 x 0.7497 = 7.75 -> 8. Savvy 5 + 1 + 0.5 = 6.5 -> 7. Loyal 5 + 2 + 1. Trendsetter 5 + 2.
    let answer = scored(&busy);
    assert_eq!(answer.scores.elevate_score, Some(8));
    assert_eq!(styles(&answer.scores), [Some(7), Some(8), Some(7), Some(5), Some(7), None, Some(7)]);
}

#[test]
fn a_small_cheap_home_and_a_large_dear_one_differ_where_they_should() {
    let mut small = home();
    small.place.assessor.assessed_value = fact(Usd::from_dollars(200_000));
    small.place.assessor.sale_price = fact(Usd::from_dollars(180_000));
    small.place.assessor.sale_date = fact("2022-11-21".into());
    small.place.assessor.living_area_sqft = fact(1_100.0);
    small.place.assessor.wall_type = fact("Vinyl".into());
    // 4 years: owed 144,000 x 0.8667; equity 0.376: pay 3 + 0.5 - 0.048 = 3.45. Budget 5 + 1.5 + 1 = 7.5 -> 8.
    // Savvy 5 + 1.5 = 6.5 -> 7.
    let scores = scored(&small).scores;
    assert_eq!(scores.pay_score, Some(3));
    assert_eq!(styles(&scores), [Some(7), None, Some(5), Some(8), Some(6), None, Some(6)]);

    let mut large = home();
    large.place.assessor.assessed_value = fact(Usd::from_dollars(600_000));
    large.place.assessor.roof_material = fact("Slate".into());
    let scores = scored(&large).scores;
    assert_eq!(styles(&scores), [None, None, Some(5), Some(4), Some(9), None, Some(5)]);
}

#[test]
fn fewer_than_two_pieces_of_evidence_are_no_score() {
    let mut little = home();
    little.area = Area::default();
    little.place.buildings.clear();
    little.place.assessor = Assessor { year_built: fact(1990), ..Assessor::default() };
    let scores = scored(&little).scores;
    assert_eq!((scores.pay_score, scores.elevate_score), (None, None));
    assert_eq!(styles(&scores), [None; 7]);
    // Without a score the code says that of nobody.
    assert_eq!(scores.accuracy_code, AccuracyCode::N);
    assert_eq!(scored(&little).notes, ["Too little is on record of the home for a score."]);
    little.place.assessor.residential_exemption = fact(true);
    // z = -0.4 + 0.8 + 0.6 = 1: 1 + 9 x 0.731 = 7.58
    let scores = scored(&little).scores;
    assert_eq!((scores.pay_score, scores.elevate_score), (None, Some(8)));
}

#[test]
fn a_token_price_leaves_equity_to_the_years() {
    let because = |price: i64, sold: &str| {
        let mut deed = home();
        deed.place.assessor.sale_price = fact(Usd::from_dollars(price));
        deed.place.assessor.sale_date = fact(sold.into());
        let answer = scored(&deed);
        let equity = answer.reasons.iter().find(|r| r.field == "payScore" && r.part == "equity");
        equity.map(|r| r.because.clone()).unwrap_or_default()
    };
    assert!(because(1, "2020-01-01").starts_with("equity of 0.50, from years"));
    assert!(because(100, "2005-01-01").starts_with("equity of 0.70, from years"));
    assert!(because(100, "2025-01-01").starts_with("equity of 0.30, from years"));
    assert!(because(20_000, "2020-01-01").starts_with("equity of 0.50, from years"), "7 % of the value");
    assert!(because(20_000, "1980-01-01").starts_with("equity of 1.00, from the last price"));
    // An assessment at a tenth of the market does not make a household poor.
    let mut tenth = home();
    tenth.place.assessor.assessed_value = fact(Usd::from_dollars(30_000));
    assert!((points(&scored(&tenth), "payScore") - (3.0 + 0.5 + 0.4 + 0.5)).abs() < 0.001);
}

#[test]
fn only_published_tax_arrears_take_pay_under_two() {
    let mut poor = home();
    poor.place.assessor.residential_exemption = None;
    poor.place.assessor.mailed_here = fact(false);
    poor.place.assessor.sale_date = fact("2026-06-01".into());
    poor.place.assessor.sale_price = fact(Usd::from_dollars(3_000_000));
    poor.place.assessor.tax_delinquent = None;
    // 3 - 0.5 + 2 x (0.212 - 0.4) - 0.5
    assert_eq!(scored(&poor).scores.pay_score, Some(2));
    poor.place.assessor.tax_delinquent = fact(true);
    assert_eq!(scored(&poor).scores.pay_score, Some(1));
}

#[test]
fn one_and_two_of_elevate_are_given_by_rule() {
    let mut lot = home();
    lot.place.buildings.clear();
    lot.place.assessor = Assessor {
        property_class: fact(PropertyClass::VacantLand),
        primary_owner: fact("ROE ADA".into()),
        ..Assessor::default()
    };
    let scores = scored(&lot).scores;
    assert_eq!((scores.elevate_score, scores.pay_score), (Some(1), None));
    let mut firm = home();
    firm.place.assessor.primary_owner = fact("ELM HOLDINGS LLC".into());
    firm.place.assessor.secondary_owner = None;
    firm.place.assessor.residential_exemption = None;
    assert_eq!(scored(&firm).scores.elevate_score, Some(2));
    firm.place.assessor.residential_exemption = fact(true);
    assert_eq!(scored(&firm).scores.elevate_score, Some(9), "residents hold the exemption");
    let mut trust = home();
    trust.place.assessor.primary_owner = fact("ELM FAMILY TRUST".into());
    trust.place.assessor.secondary_owner = None;
    assert_eq!(scored(&trust).scores.elevate_score, Some(9));
    let mut shop = home();
    shop.place.assessor.property_class = fact(PropertyClass::Commercial);
    assert_eq!((scored(&shop).scores.elevate_score, styles(&scored(&shop).scores)), (None, [None; 7]));
}

#[test]
fn scores_and_details_agree_on_whether_a_building_stands_there() {
    // Vacant by its class, and yet with a house's area and year: nobody knows.
    let mut either = home();
    either.place.assessor.property_class = fact(PropertyClass::VacantLand);
    assert_eq!(property_details(Some(&either), now()).scructure_present, None);
    let scores = scored(&either).scores;
    assert_eq!((scores.elevate_score, scores.pay_score, styles(&scores)), (None, None, [None; 7]));
    assert!(scored(&either).reasons.is_empty());
    // Vacant by the source's words alone.
    let mut lot = home();
    lot.place.buildings.clear();
    lot.place.assessor = Assessor {
        property_type: fact("VACANT RES LAND".into()),
        assessed_value: fact(Usd::from_dollars(60_000)),
        ..Assessor::default()
    };
    assert_eq!(property_details(Some(&lot), now()).scructure_present, Some(false));
    assert_eq!(scored(&lot).scores.elevate_score, Some(1));
    assert_eq!(solar_index(Some(&lot), now()).index.solar_index, None);
}

#[test]
fn where_only_the_area_is_known_pay_is_three_or_null() {
    let mut near = home();
    near.matched.level = MatchLevel::SimilarName;
    let scores = scored(&near).scores;
    assert_eq!((scores.pay_score, scores.elevate_score), (Some(3), None));
    assert_eq!((styles(&scores), scores.accuracy_code), ([None; 7], AccuracyCode::G));
    near.area.homes.median_value = None;
    assert_eq!(scored(&near).scores.pay_score, None);
}

#[test]
fn nothing_in_gives_nothing_out() {
    let answer = buyer_scores(None, now(), None);
    assert_eq!((answer.scores.pay_score, answer.scores.elevate_score), (None, None));
    assert_eq!((styles(&answer.scores), answer.scores.accuracy_code), ([None; 7], AccuracyCode::N));
    assert!(answer.reasons.is_empty() && answer.tables.is_empty());
    assert_eq!(sales_hacks(&answer.scores), None);
}

#[test]
fn a_style_has_advice_from_eight_on_and_pay_and_elevate_at_every_level() {
    let at = |level: Option<u8>, pay: Option<u8>| {
        let scores = BuyerScores {
            pay_score: pay,
            elevate_score: level,
            buyer_insights: BuyingStyles {
                savvy_shopper_score: level,
                brand_loyalist_score: level,
                trendsetter_score: level,
                budgetsavvy_buyer_score: level,
                quality_first_buyer_score: level,
                impulse_shopper_score: level,
                popular_picks_score: level,
            },
            accuracy_code: AccuracyCode::P,
        };
        sales_hacks(&scores).expect("matched")
    };
    let mut texts = std::collections::BTreeSet::new();
    for level in 1..=10 {
        let hacks = at(Some(level), Some(level.min(5)));
        let s = &hacks.buyer_insight_hacks;
        let all = [
            s.savvy_shopper_hack,
            s.brand_loyalist_hack,
            s.trendsetter_hack,
            s.budgetsavvy_buyer_hack,
            s.quality_first_buyer_hack,
            s.impulse_shopper_hack,
            s.popular_picks_hack,
        ];
        assert!(all.iter().all(|hack| hack.is_some() == (level >= 8)), "{level}");
        texts.extend(all.into_iter().flatten().chain(hacks.pay_hack).chain(hacks.elevate_hack));
        assert!(hacks.pay_hack.is_some() && hacks.elevate_hack.is_some(), "{level}");
    }
    assert_eq!(texts.len(), 5 + 10 + 7, "each level and style has its own text");
    let words = ["credit", "afford", "poor", "rich", "income", "loan", "discount", "debt", "family", "wife", "old"];
    for text in texts {
        assert!(text.len() < 120, "{text}");
        let lower = text.to_lowercase();
        let said = lower.split(|c: char| !c.is_alphabetic()).find(|w| words.contains(w));
        assert_eq!(said, None, "{text}");
    }
    let none = at(None, None);
    assert_eq!((none.pay_hack, none.elevate_hack), (None, None));
}

/// Everything that federal law keeps out of lending and housing decisions, and what stands in for it. The name of a
/// school district stays: the details show it, there is no rating, and no score reads it.
const BANNED: [&str; 43] = [
    "race",
    "racial",
    "ethnic",
    "ethnicity",
    "color",
    "religion",
    "church",
    "belief",
    "national",
    "nationality",
    "origin",
    "immigrant",
    "citizenship",
    "language",
    "sex",
    "gender",
    "marital",
    "married",
    "spouse",
    "age",
    "birth",
    "born",
    "senior",
    "child",
    "children",
    "familial",
    "family",
    "household",
    "disability",
    "disabled",
    "veteran",
    "income",
    "poverty",
    "assistance",
    "welfare",
    "education",
    "degree",
    "crime",
    "credit",
    "debt",
    "party",
    "photo",
    "first",
];

/// Words of the list that mean something else here, with the whole key they stand in.
const ANOTHER_SENSE: [&str; 2] = [
    // A kind of building, as a share of the ZIP's homes.
    "singleFamily",
    // Where the local frame of an outline begins.
    "origin",
];

#[test]
fn no_banned_feature_can_be_expressed_in_the_evidence() {
    let everything = serde_json::to_value(filled()).expect("evidence is data");
    let mut keys = std::collections::BTreeSet::new();
    collect(&everything, &mut keys);
    println!("{} keys: {keys:?}", keys.len());
    assert!(keys.len() > 100, "the home is not filled");
    for key in keys.iter().filter(|key| !ANOTHER_SENSE.contains(&key.as_str())) {
        let found = words(key).into_iter().find(|word| BANNED.contains(&word.as_str()));
        assert_eq!(found, None, "{key}");
    }
    assert_eq!(words("medianAgeOf_family"), ["median", "age", "of", "family"]);
}

fn collect(value: &serde_json::Value, keys: &mut std::collections::BTreeSet<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                keys.insert(key.clone());
                collect(value, keys);
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, keys)),
        serde_json::Value::Null => panic!("something is not filled: {keys:?}"),
        _ => {}
    }
}

/// `singleFamily` and `single_family` are two words.
fn words(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in key.chars() {
        if c == '_' || c.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c != '_') {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

proptest! {
    #[test]
    fn scores_of_any_home_stay_in_their_ranges(found in any_home()) {
        let answer = scored(&found);
        prop_assert_eq!(&answer, &scored(&found));
        let scores = &answer.scores;
        prop_assert!(scores.pay_score.is_none_or(|s| (1..=5).contains(&s)));
        prop_assert!(scores.elevate_score.is_none_or(|s| (1..=10).contains(&s)));
        prop_assert!(styles(scores).into_iter().flatten().all(|s| (2..=10).contains(&s)));
        prop_assert_eq!(scores.buyer_insights.impulse_shopper_score, None);
        prop_assert!(answer.reasons.iter().all(|r| r.points.is_finite()), "{:?}", answer.reasons);
        if scores.accuracy_code == AccuracyCode::G {
            prop_assert!(matches!(scores.pay_score, None | Some(3)));
        }
    }

    #[test]
    fn whose_name_is_on_the_deed_changes_no_score(
        found in any_home(),
        names in prop::sample::select(vec![
            ["ELM ROBIN", "GARCIA LOPEZ MARIA"],
            ["ELM ROBIN", "NGUYEN, THANH & LAN"],
            ["ELM ROBIN", "WASHINGTON DESHAWN JR"],
            ["ELM ROBIN", "O'BRIEN SIOBHAN"],
            ["OAK LLC", "AL-NOOR LLC"],
            ["THE ASH FAMILY TRUST", "THE COHEN FAMILY TRUST"],
        ]),
        second in prop::option::of("[A-Z]{3,9} [A-Z]{3,9}"),
    ) {
        let mut one = found;
        one.place.assessor.primary_owner = fact(names[0].into());
        let mut other = one.clone();
        other.place.assessor.primary_owner = fact(names[1].into());
        other.place.assessor.secondary_owner = second.clone().and_then(fact);
        let kind = |first: &str, second: Option<&str>| Owners::read(Some(first), second).kind();
        prop_assume!(kind(names[0], None) == kind(names[1], second.as_deref()));
        prop_assert_eq!(scored(&one), scored(&other));
        prop_assert_eq!(solar_index(Some(&one), now()), solar_index(Some(&other), now()));
    }
}
