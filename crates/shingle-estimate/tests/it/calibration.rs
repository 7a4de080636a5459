//! Calibration: monotone, honest about small numbers, and never worse on what it was fitted to.

use proptest::prelude::*;
use shingle_estimate::buyer::buyer_scores;
use shingle_estimate::calibration::{
    Calibration, CalibrationError, CalibrationMap, MIN_OF_EITHER, MIN_ROWS, MonitoredLead, Score, ScoreOutcome,
    monitor, pool_adjacent_violators,
};

use super::home::{home, now};

/// So many rows at a level, so many of them sales.
fn rows(score: Score, levels: &[(f64, u32, u32)]) -> Vec<ScoreOutcome> {
    let mut all = Vec::new();
    for (value, count, sales) in levels {
        all.extend((0..*count).map(|i| ScoreOutcome { score, value: *value, success: i < *sales }));
    }
    all
}

/// A firm whose sales rise with the level, more or less.
fn firm(score: Score) -> Vec<ScoreOutcome> {
    rows(score, &[(4.0, 100, 5), (5.0, 100, 12), (6.0, 100, 9), (7.0, 100, 20), (8.0, 100, 22), (9.0, 100, 45)])
}

#[test]
fn neighbours_that_fall_are_pooled() {
    let outcomes: Vec<(f64, bool)> =
        firm(Score::Elevate).into_iter().map(|outcome| (outcome.value, outcome.success)).collect();
    let blocks = pool_adjacent_violators(&outcomes);
    let seen: Vec<_> = blocks.iter().map(|b| (b.from, b.to, b.rows, b.successes)).collect();
    assert_eq!(
        seen,
        [(4.0, 4.0, 100, 5), (5.0, 6.0, 200, 21), (7.0, 7.0, 100, 20), (8.0, 8.0, 100, 22), (9.0, 9.0, 100, 45)]
    );
    assert!(pool_adjacent_violators(&[]).is_empty());
    assert!(pool_adjacent_violators(&[(f64::NAN, true)]).is_empty());
}

#[test]
fn a_map_gives_the_levels_worked_on_paper() {
    // 113 sales of 600: odds 0.2320. Block 4: odds 0.0526, lift -2.14: 5 - 4.28 -> under the floor, 3. Block 5 to 6:
    // 0.1173, lift -0.984: 3.03 -> 3. Block 7: 0.25, 0.108: 5.2 -> 5. Block 8: 0.2821, 0.282: 5.56 -> 6. Block 9: 0.8182, 1.818: 8.6 -> 9.
    let map = CalibrationMap::fit(Score::Elevate, &firm(Score::Elevate), now()).expect("enough");
    println!("{map:#?}");
    let levels: Vec<u8> = (1..=10).map(|level| map.level(level)).collect();
    assert_eq!(levels, [1, 2, 3, 3, 3, 3, 5, 6, 9, 9]);
    assert_eq!((map.rows, map.successes, map.fitted.as_str()), (600, 113, "2026-11-21"));
    // Every pair of a sale and a refusal, one by one.
    let pairs: f64 = {
        let all = firm(Score::Elevate);
        let (sales, refusals): (Vec<&ScoreOutcome>, Vec<&ScoreOutcome>) = all.iter().partition(|o| o.success);
        let won = |s: &ScoreOutcome, r: &ScoreOutcome| match s.value.total_cmp(&r.value) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        let total: f64 = sales.iter().flat_map(|s| refusals.iter().map(|r| won(s, r))).sum();
        total / (sales.len() * refusals.len()) as f64
    };
    assert!((map.auc - pairs).abs() <= 5e-5, "{} {pairs}", map.auc);
    assert!(map.brier_after <= map.brier_of_the_overall_rate && map.brier_after <= map.brier_before);
    println!(
        "Brier: level as probability {:.4}, overall rate {:.4}, fitted {:.4}, held out {:.4}; AUC {:.3}",
        map.brier_before, map.brier_of_the_overall_rate, map.brier_after, map.brier_held_out, map.auc
    );
}

#[test]
fn a_score_that_ranks_backwards_makes_everyone_neutral() {
    let backwards = rows(Score::Pay, &[(1.0, 100, 60), (3.0, 100, 40), (5.0, 100, 20)]);
    let map = CalibrationMap::fit(Score::Pay, &backwards, now()).expect("enough");
    assert!((1..=5).all(|level| map.level(level) == 3));
    assert!(map.auc < 0.5);
}

#[test]
fn too_few_outcomes_are_refused_with_the_number_that_is_missing() {
    let fit =
        |levels: &[(f64, u32, u32)]| CalibrationMap::fit(Score::Elevate, &rows(Score::Elevate, levels), now()).err();
    assert_eq!(
        fit(&[(5.0, 199, 50)]),
        Some(CalibrationError::TooFewRows { score: Score::Elevate, rows: 199, least: MIN_ROWS })
    );
    let one_sided =
        CalibrationError::OneSided { score: Score::Elevate, successes: 19, failures: 481, least: MIN_OF_EITHER };
    assert_eq!(fit(&[(5.0, 500, 19)]), Some(one_sided.clone()));
    println!("{one_sided}");
    assert_eq!(fit(&[(11.0, 500, 90)]), Some(CalibrationError::OffScale { score: Score::Elevate, value: 11.0 }));
    assert!(matches!(fit(&[(f64::NAN, 500, 90)]), Some(CalibrationError::OffScale { .. })));
    assert_eq!(fit(&[(5.0, 200, 20)]), None);
}

#[test]
fn a_handful_of_rows_is_no_step_of_its_own() {
    let lucky = rows(Score::Elevate, &[(5.0, 300, 30), (6.0, 300, 60), (10.0, 3, 3)]);
    let map = CalibrationMap::fit(Score::Elevate, &lucky, now()).expect("enough");
    assert_eq!(map.blocks().len(), 2);
    assert_eq!(map.level(10), map.level(6));
}

#[test]
fn a_calibration_is_kept_as_text_and_read_back() {
    let map = CalibrationMap::fit(Score::Elevate, &firm(Score::Elevate), now()).expect("enough");
    let kept = Calibration::default().with(vec![map.clone()]);
    assert_eq!(kept.version(), 1);
    let text = kept.to_json().expect("text");
    assert_eq!(Calibration::parse(&text), Ok(kept.clone()));
    let again = kept.with(vec![map]);
    assert_eq!((again.version(), again.maps().len()), (2, 1));

    let falling = text.replace("\"successes\": 45", "\"successes\": 1");
    assert_ne!(falling, text);
    assert_eq!(Calibration::parse(&falling), Err(CalibrationError::NotRising { score: Score::Elevate }));
    assert_eq!(
        Calibration::parse(&text.replace("\"format\": 1", "\"format\": 2")),
        Err(CalibrationError::Layout { found: 2, read: 1 })
    );
    for damaged in ["", "{}", &text[..text.len() / 2], &text.replace("elevateScore", "karma")] {
        assert!(matches!(Calibration::parse(damaged), Err(CalibrationError::Unreadable { .. })), "{damaged}");
    }
}

#[test]
fn buyer_scores_go_through_the_map_and_say_so() {
    let maps = [Score::Elevate, Score::ImpulseShopper]
        .map(|score| CalibrationMap::fit(score, &firm(score), now()).expect("enough"));
    let calibration = Calibration::default().with(maps.into());
    let home = home();
    let stated = buyer_scores(Some(&home), now(), None);
    let given = buyer_scores(Some(&home), now(), Some(&calibration));
    assert_eq!((stated.scores.elevate_score, given.scores.elevate_score), (Some(9), Some(9)));
    assert_eq!(given.scores.pay_score, stated.scores.pay_score);
    // From 5, whose block sells at half the firm's odds.
    assert_eq!(
        (stated.scores.buyer_insights.impulse_shopper_score, given.scores.buyer_insights.impulse_shopper_score),
        (None, Some(3))
    );
    assert!(given.reasons.iter().any(|r| r.field == "elevateScore" && r.part == "calibration"));
    assert!(!stated.reasons.iter().any(|r| r.part == "calibration"));
}

#[test]
fn the_monitor_compares_groups_with_the_one_selected_most() {
    let row = |group: &str, score: f64, selected: Option<bool>| MonitoredLead { group: group.into(), score, selected };
    let mut table = Vec::new();
    for i in 0..10 {
        table.push(row("north", 8.0, Some(i < 5)));
        table.push(row("south", 6.0, Some(i < 3)));
        table.push(row("untold", 7.0, None));
    }
    let groups = monitor(&table);
    let seen: Vec<_> =
        groups.iter().map(|g| (g.name.as_str(), g.rows, g.mean_score, g.selected, g.adverse_impact_ratio)).collect();
    assert_eq!(
        seen,
        [
            ("north", 10, 8.0, Some(0.5), Some(1.0)),
            ("south", 10, 6.0, Some(0.3), Some(0.6)),
            ("untold", 10, 7.0, None, None)
        ]
    );
    assert!(monitor(&[]).is_empty());
    let nobody = monitor(&[row("north", 1.0, Some(false))]);
    assert_eq!((nobody[0].selected, nobody[0].adverse_impact_ratio), (Some(0.0), None));
}

proptest! {
    #[test]
    fn pooled_rates_rise_and_no_rising_reading_of_the_level_misses_less(
        outcomes in prop::collection::vec((1_u8..=10, prop::bool::ANY), 1..300),
        thresholds in prop::collection::vec(0.0..1.0_f64, 10),
    ) {
        let rows: Vec<(f64, bool)> = outcomes.iter().map(|(v, s)| (f64::from(*v), *s)).collect();
        let blocks = pool_adjacent_violators(&rows);
        prop_assert!(blocks.windows(2).all(|pair| pair[0].rate() < pair[1].rate() && pair[0].to < pair[1].from));
        prop_assert_eq!(blocks.iter().map(|b| b.rows as usize).sum::<usize>(), rows.len());
        let fitted = |v: f64| blocks.iter().find(|b| v <= b.to).map_or(1.0, |b| b.rate());
        let mut rising = thresholds;
        rising.sort_by(f64::total_cmp);
        let brier = |p: &dyn Fn(f64) -> f64| rows.iter().map(|(v, s)| (p(*v) - f64::from(u8::from(*s))).powi(2)).sum::<f64>();
        let least = brier(&fitted) - 1e-9;
        prop_assert!(least <= brier(&|v| (v - 1.0) / 9.0), "the level as a probability");
        prop_assert!(least <= brier(&|v| rising[v as usize - 1]), "any rising map");
    }

    #[test]
    fn calibrated_levels_rise_with_the_stated_ones_and_stay_on_the_scale(
        outcomes in prop::collection::vec((1_u8..=5, prop::bool::weighted(0.3)), 200..400),
        score in prop::sample::select(Score::ALL.to_vec()),
    ) {
        let outcomes: Vec<ScoreOutcome> =
            outcomes.into_iter().map(|(v, success)| ScoreOutcome { score, value: f64::from(v), success }).collect();
        if let Ok(map) = CalibrationMap::fit(score, &outcomes, now()) {
            let levels: Vec<u8> = score.scale().map(|level| map.level(level)).collect();
            prop_assert!(levels.is_sorted(), "{levels:?}");
            prop_assert!(levels.iter().all(|level| score.scale().contains(level)));
            prop_assert!(map.brier_after <= map.brier_of_the_overall_rate);
            prop_assert!((0.0..=1.0).contains(&map.auc));
            let kept = Calibration::default().with(vec![map]);
            let text = kept.to_json().expect("text");
            prop_assert_eq!(Calibration::parse(&text).expect("readable"), kept);
        }
    }
}
