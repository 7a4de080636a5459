//! The solar index over the country: its spread by ZIP, and whether it ranks ZIPs as their roofs do.

use std::collections::BTreeMap;

use shingle_domain::Evidence;
use shingle_domain::address::{State, Zip};
use shingle_domain::area::Table;
use shingle_domain::evidence::{Assessor, Outline, PropertyClass, RoofPlane};
use shingle_domain::solar::FitLevel;
use shingle_estimate::solar::{SolarEstimate, fit, solar_index};
use shingle_property::reference::Reference;

use super::fixture::{building, evidence, fact, outline, rectangle};
use super::home::now;
use super::shared::shared;

/// The cells of a built-in table under these headings.
fn columns(reference: &Reference, table: Table, names: [&str; 2]) -> Vec<[String; 2]> {
    let text = reference.text(table).expect("a table");
    let mut lines = text.lines().filter(|l| !l.starts_with('#'));
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let at = names.map(|n| head.iter().position(|h| *h == n).expect("the column"));
    lines
        .filter_map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            Some([cells.get(at[0])?.to_string(), cells.get(at[1])?.to_string()])
        })
        .collect()
}

/// ZIPs with a yield of their own, and their states.
fn zips(reference: &Reference) -> Vec<(State, Zip)> {
    let states: BTreeMap<String, String> =
        columns(reference, Table::ZipAreas, ["zip", "state"]).into_iter().map(|[zip, state]| (zip, state)).collect();
    columns(reference, Table::SolarYield, ["zip", "kwh_per_kw_year"])
        .into_iter()
        .filter_map(|[zip, _]| Some((State::parse(states.get(&zip)?)?, Zip::parse(&zip)?)))
        .collect()
}

/// An owner-occupied house under 960 sq ft of roof, all facing south: size 0.8, facing and pitch 1.
fn house() -> Evidence {
    let pitch_degrees = 20.0_f64;
    let side = (960.0 * pitch_degrees.to_radians().cos()).sqrt();
    let part = rectangle(side, side);
    let plane =
        RoofPlane { ring: part.exterior.clone(), holes: vec![], height: None, pitch_degrees, azimuth_degrees: 180.0 };
    let roof = Outline { planes: vec![plane], ..outline(vec![part]) };
    let assessor = Assessor {
        property_class: fact(PropertyClass::SingleFamily),
        residential_exemption: fact(true),
        ..Assessor::default()
    };
    evidence(vec![building(roof, "house")], assessor)
}

/// USD, Census ACS 2022.
const US_MEDIAN_HOME: f64 = 281_900.0;

fn nothing_but_the_place() -> Evidence {
    evidence(Vec::new(), Assessor::default())
}

fn answer(home: &Evidence, reference: &Reference, state: State, zip: &Zip) -> SolarEstimate {
    let mut home = home.clone();
    home.place.address.state = state;
    home.place.address.zip = *zip;
    home.area = reference.area(state, zip);
    solar_index(Some(&home), now())
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[(share * (sorted.len() - 1) as f64) as usize]
}

/// Percent Ideal, Moderate, Weak.
fn shares(indices: &[f64]) -> [f64; 3] {
    [FitLevel::Ideal, FitLevel::Moderate, FitLevel::Weak]
        .map(|level| indices.iter().filter(|i| fit(**i) == level).count() as f64 * 100.0 / indices.len() as f64)
}

#[test]
fn the_country_spreads_over_the_levels_as_it_did_in_the_study() {
    let reference = Reference::built_in();
    let (house, place) = (house(), nothing_but_the_place());
    let (mut homes, mut areas) = (Vec::new(), Vec::new());
    let mut by_state: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let zips = zips(&reference);
    for (state, zip) in &zips {
        let home = answer(&house, &reference, *state, zip);
        // Puerto Rico has no prices.
        let Some(index) = home.index.solar_index else { continue };
        let roof = home.reasons.iter().find(|r| r.part == "roof").map(|r| r.because.clone());
        assert!(roof.is_some_and(|r| r.starts_with("0.80 of 1")), "{home:?}");
        homes.push(index);
        by_state.entry(state.as_str()).or_default().push(index);
        areas.extend(answer(&place, &reference, *state, zip).index.solar_index);
    }
    homes.sort_by(f64::total_cmp);
    let spread = [0.05, 0.5, 0.95].map(|share| quantile(&homes, share));
    let median = |state: &str| {
        let mut all = by_state[state].clone();
        all.sort_by(f64::total_cmp);
        quantile(&all, 0.5)
    };
    let mut medians: Vec<(f64, &str)> = by_state.keys().map(|s| (median(s), *s)).collect();
    medians.sort_by(|a, b| a.0.total_cmp(&b.0));
    let fits = shares(&homes);
    println!("{} ZIPs, owner-occupied house, roof 0.8: q05, median, q95 {spread:.2?}", homes.len());
    println!("Ideal, Moderate, Weak: {fits:.1?} %; area only, {} ZIPs: {:.1?} %", areas.len(), shares(&areas));
    println!("state medians: lowest {:.2?}, highest {:.2?}", &medians[..3], &medians[medians.len() - 3..]);
    assert!(homes.len() > 9_000);
    for (measured, study) in spread.into_iter().zip([5.2, 6.6, 9.6]) {
        assert!((measured - study).abs() <= 0.3, "{measured} {study}");
    }
    for (measured, study) in fits.into_iter().zip([18.0, 80.0, 2.0]) {
        assert!((measured - study).abs() <= 4.0, "{measured} {study}");
    }
    for (state, study) in [("ND", 4.5), ("CA", 9.6), ("HI", 9.7)] {
        assert!((median(state) - study).abs() <= 0.3, "{state} {}", median(state));
    }
    assert_eq!((medians[0].1, medians[medians.len() - 1].1), ("ND", "HI"));
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = before as f64 + (tied.len() as f64 + 1.0) / 2.0;
        tied.iter().for_each(|i| ranks[*i] = rank);
        before += tied.len();
    }
    ranks
}

fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}

#[test]
fn ranks_of_tied_values_are_shared() {
    assert_eq!(ranks(&[3.0, 1.0, 3.0]), [2.5, 1.0, 2.5]);
    assert!((spearman(&[1.0, 2.0, 9.0], &[5.0, 6.0, 7.0]) - 1.0).abs() < 1e-12);
    assert!((spearman(&[1.0, 2.0, 9.0], &[7.0, 6.0, 5.0]) + 1.0).abs() < 1e-12);
}

#[test]
fn zips_with_more_panels_on_their_roofs_have_the_higher_index() {
    let Some(file) = shared("reference/sunroof_zip_yield.csv") else { return };
    let text = std::fs::read_to_string(file).expect("text");
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let column = |name| head.iter().position(|h| *h == name).expect("the column");
    let (zip, state) = (column("zip"), column("state"));
    let (fit_for, counted) = (column("count_qualified"), column("existing_installs_count"));
    let reference = Reference::built_in();
    let place = nothing_but_the_place();
    let (mut whole, mut economics, mut with_value, mut panels) = (vec![], vec![], vec![], vec![]);
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |i: usize| cells[i].parse::<f64>().unwrap_or(0.0);
        // Fewer buildings make a share of nothing but chance.
        let (Some(state), Some(zip), true) =
            (State::parse(cells[state]), Zip::parse(cells[zip]), number(fit_for) >= 200.0)
        else {
            continue;
        };
        let found = answer(&place, &reference, state, &zip);
        let part = |name| found.reasons.iter().find(|r| r.part == name);
        let score = |name| part(name).and_then(|r| Some(r.points / r.weight?));
        let (Some(index), Some(money), Some(owners)) =
            (found.index.solar_index, score("economics"), score("occupancy"))
        else {
            continue;
        };
        let weights: f64 = found.reasons.iter().filter_map(|r| r.weight).sum();
        whole.push(index);
        economics.push(money * weights);
        // The study's own version for areas: the index leaves the ZIP's home value out.
        let dear = reference.area(state, &zip).homes.median_value.map_or(1.0, |f| f.value / US_MEDIAN_HOME);
        let value = (dear.clamp(0.5, 2.0) / 0.5).ln() / 4.0_f64.ln();
        let adoption = score("adoption").map_or(0.5, |s| s * weights / 10.0);
        with_value.push(0.04 * money * weights + 0.02 * owners * weights + 0.15 * value + 0.25 * adoption);
        panels.push(number(counted) / number(fit_for));
    }
    let [all, money, study] = [&whole, &economics, &with_value].map(|index| spearman(index, &panels));
    println!(
        "{} ZIPs, only the area known, against panels counted per suitable building: Spearman {all:.3}; \
         economics alone {money:.3}; the study's version with the ZIP's home value {study:.3}",
        whole.len()
    );
    assert!(whole.len() > 9_000);
    assert!(all >= 0.43 && money >= 0.37 && study >= 0.5, "{all} {money} {study}");
}
