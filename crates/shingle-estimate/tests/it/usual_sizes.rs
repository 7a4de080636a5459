//! Where a home's size is assumed: how many homes of known size the assumed width holds. The sizes are hidden, every second
//! home's are used to fit a width, and the width is tried on the others.

use shingle_domain::evidence::{Evidence, PropertyClass};
use shingle_estimate::utility::utility_bill;
use shingle_property::reference::Reference;

use crate::cambridge::cambridge;
use crate::utility::now;

/// The standard error of ln size that the model takes where nobody says the size.
const ASSUMED: f64 = 0.5;
const EIGHT_IN_TEN: f64 = 1.28;

/// What the bill's reasons say of the size.
fn size(evidence: &Evidence) -> Option<(f64, String)> {
    let estimate = utility_bill(Some(evidence), now());
    let said = estimate.reasons.iter().find(|r| r.part == "size")?.because.clone();
    let (sqft, why) = said.split_once(" sq ft: ")?;
    Some((sqft.replace(',', "").parse().ok()?, why.to_owned()))
}

/// How far the usual size is off, as a logarithm, and whether it was the usual one.
fn off(home: &Evidence) -> Option<f64> {
    let (known, why) = size(home)?;
    assert!(why.starts_with("living area on record"), "{why}");
    let mut hidden = home.clone();
    let assessor = &mut hidden.place.assessor;
    (assessor.living_area_sqft, assessor.building_area_sqft, assessor.ground_floor_sqft) = (None, None, None);
    let (usual, why) = size(&hidden)?;
    assert!(why.starts_with("a usual size"), "{why}");
    Some((known / usual).ln().abs())
}

#[test]
fn the_width_of_a_usual_size_holds_eight_in_ten_homes_that_it_was_not_fitted_on() {
    let Some(town) = cambridge() else { return };
    let reference = Reference::built_in();
    for (class, least) in
        [(PropertyClass::SingleFamily, 100), (PropertyClass::TwoToFourUnits, 120), (PropertyClass::Condominium, 380)]
    {
        let of_class =
            town.iter().filter(|e| e.place.assessor.property_class.as_ref().is_some_and(|c| c.value == class));
        let known = of_class.filter(|e| e.place.assessor.living_area_sqft.as_ref().is_some_and(|a| a.value >= 300.0));
        let errors: Vec<f64> = known
            .filter_map(|e| {
                let mut home = e.clone();
                let address = &home.place.address;
                home.area = reference.area(address.state, &address.zip);
                off(&home)
            })
            .collect();
        let half = |rest: usize| -> Vec<f64> {
            let every_second = errors.iter().enumerate().filter(|(at, _)| at % 2 == rest);
            let mut half: Vec<f64> = every_second.map(|(_, error)| *error).collect();
            half.sort_by(f64::total_cmp);
            half
        };
        let (fitted_on, tested_on) = (half(0), half(1));
        let sigma = fitted_on[(fitted_on.len() * 8).div_ceil(10) - 1] / EIGHT_IN_TEN;
        let holds =
            |sigma: f64, of: &[f64]| of.iter().filter(|e| **e <= EIGHT_IN_TEN * sigma).count() as f64 / of.len() as f64;
        println!(
            "{class:?}: {} homes; a width fitted on half is {sigma:.2} and holds {:.0} % of the others; {ASSUMED} holds {:.0} %",
            errors.len(),
            holds(sigma, &tested_on) * 100.0,
            holds(ASSUMED, &errors) * 100.0
        );
        assert!(errors.len() >= least, "{class:?}: {}", errors.len());
        assert!(holds(sigma, &tested_on) > 0.68, "what was fitted on half is of no use for the others");
        assert!(holds(ASSUMED, &errors) >= 0.78, "{class:?}");
    }
}
