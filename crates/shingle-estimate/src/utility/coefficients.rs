//! The fitted numbers: regressions on the public-use microdata of the Residential Energy Consumption Survey
//! 2015 (US EIA; 5,686 households), one line a year's consumption of one fuel.

use shingle_domain::area::{Division, HomeKind, Vintage};

/// `ln use = constant + ln_sqft·ln ft² + cdd_k·CDD/1000 + hdd_k·HDD/1000 + kind + vintage + division`, and for
/// electricity the terms of [`Coefficients::cdd_k_ln_sqft`] and [`Coefficients::all_electric`].
///
/// Left out, and so zero: a detached house, built 1950 to 1979, in the South Atlantic division.
#[derive(Debug)]
pub(crate) struct Coefficients {
    pub constant: f64,
    pub ln_sqft: f64,
    pub cdd_k: f64,
    pub hdd_k: f64,
    /// Times `CDD/1000 · (ln ft² − 7.3)`.
    pub cdd_k_ln_sqft: f64,
    /// Of a home without fossil fuel: a constant, and a slope on HDD/1000.
    pub all_electric: [f64; 2],
    /// Attached, two to four units, five and more, mobile.
    kinds: [f64; 4],
    /// Before 1950, 1980 to 1999, 2000 and later.
    vintages: [f64; 3],
    /// New England, Middle Atlantic, East and West North Central, East and West South Central, Mountain North and
    /// South, Pacific.
    divisions: [f64; 9],
    /// Turns the median of a log model into its mean.
    pub smear: f64,
    /// One standard error of ln use.
    pub sigma: f64,
}

impl Coefficients {
    pub fn kind(&self, kind: HomeKind) -> f64 {
        match kind {
            HomeKind::Detached => 0.0,
            HomeKind::Attached => self.kinds[0],
            HomeKind::TwoToFourUnits => self.kinds[1],
            HomeKind::FiveOrMoreUnits => self.kinds[2],
            HomeKind::Mobile => self.kinds[3],
        }
    }

    pub fn vintage(&self, vintage: Vintage) -> f64 {
        match vintage {
            Vintage::Before1950 => self.vintages[0],
            Vintage::From1950To1979 => 0.0,
            Vintage::From1980To1999 => self.vintages[1],
            Vintage::From2000 => self.vintages[2],
        }
    }

    pub fn division(&self, division: Division) -> f64 {
        match division {
            Division::NewEngland => self.divisions[0],
            Division::MiddleAtlantic => self.divisions[1],
            Division::EastNorthCentral => self.divisions[2],
            Division::WestNorthCentral => self.divisions[3],
            Division::SouthAtlantic => 0.0,
            Division::EastSouthCentral => self.divisions[4],
            Division::WestSouthCentral => self.divisions[5],
            Division::MountainNorth => self.divisions[6],
            Division::MountainSouth => self.divisions[7],
            Division::Pacific => self.divisions[8],
        }
    }
}

/// kWh; 5,682 households.
pub(crate) static ELECTRICITY: Coefficients = Coefficients {
    constant: 6.5123,
    ln_sqft: 0.30676,
    cdd_k: 0.13318,
    hdd_k: 0.05409,
    cdd_k_ln_sqft: 0.01911,
    all_electric: [0.19493, 0.0718],
    kinds: [-0.24838, -0.34891, -0.50355, 0.01361],
    vintages: [-0.03569, 0.05796, 0.07182],
    divisions: [-0.46382, -0.30545, -0.32249, -0.25558, 0.07768, 0.06401, -0.35631, -0.28633, -0.24754],
    smear: 1.121,
    sigma: 0.4947,
};

/// Therms; 3,223 households.
pub(crate) static GAS: Coefficients = Coefficients {
    constant: 3.20647,
    ln_sqft: 0.37362,
    cdd_k: -0.07156,
    hdd_k: 0.10621,
    cdd_k_ln_sqft: 0.0,
    all_electric: [0.0, 0.0],
    kinds: [-0.14252, -0.29366, -0.68198, -0.1781],
    vintages: [0.0183, -0.02091, -0.08462],
    divisions: [-0.05051, 0.09876, 0.07929, -0.14043, -0.07069, -0.04842, -0.01966, -0.06876, -0.22181],
    smear: 1.1227,
    sigma: 0.5133,
};

/// Gallons where propane is the main fuel; 369 households.
pub(crate) static PROPANE: Coefficients = Coefficients {
    constant: 2.73801,
    ln_sqft: 0.36206,
    cdd_k: 0.03176,
    hdd_k: 0.12814,
    cdd_k_ln_sqft: 0.0,
    all_electric: [0.0, 0.0],
    kinds: [0.24098, -0.1848, -0.34666, -0.08734],
    vintages: [-0.06045, -0.19584, -0.15327],
    divisions: [-0.0664, -0.09985, -0.04465, -0.07769, -0.22119, 0.20107, 0.06423, -0.20355, -0.05508],
    smear: 1.1807,
    sigma: 0.5955,
};

/// Gallons of No. 2 oil; 262 households. Four divisions had none that could be asked: theirs is zero.
pub(crate) static OIL: Coefficients = Coefficients {
    constant: 2.68557,
    ln_sqft: 0.34969,
    cdd_k: 0.20059,
    hdd_k: 0.06886,
    cdd_k_ln_sqft: 0.0,
    all_electric: [0.0, 0.0],
    kinds: [0.13903, -0.26243, -0.46399, -0.4179],
    vintages: [-0.00866, -0.12406, -0.35051],
    divisions: [0.4351, 0.26929, 0.35375, 0.26204, 0.0, 0.0, 0.0, 0.0, 0.47035],
    smear: 1.1126,
    sigma: 0.4988,
};

/// The months of electricity: an additive model of the same survey, kWh a year. Only its shape is used.
pub(crate) struct MonthShape {
    /// What runs all year: detached or mobile; attached or two to four units; five and more units.
    pub base: [f64; 3],
    pub base_per_1000_sqft: f64,
    pub base_all_electric: f64,
    /// Times CDD · √ft² / 10,000.
    pub cooling: f64,
    /// Times HDD · √ft² / 10,000, in a home without fossil fuel. In others the fit found nothing (−2.84): zero.
    pub heating_all_electric: f64,
}

pub(crate) static MONTHS: MonthShape = MonthShape {
    base: [5792.6, 2712.48, 1308.42],
    base_per_1000_sqft: 1036.56,
    base_all_electric: 2244.35,
    cooling: 367.0,
    heating_all_electric: 204.69,
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The file of the fits, if it is beside the repository.
    fn research() -> Option<serde_json::Value> {
        let file = shingle_testing::shared("data/reference/recs2015_models.json")?;
        Some(serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap())
    }

    #[test]
    fn every_coefficient_is_the_fitted_one() {
        let Some(models) = research() else { return };
        let kinds = ["type_SFA", "type_MF2_4", "type_MF5", "type_MH"];
        let vintages = ["vintage_<1950", "vintage_1980-99", "vintage_2000+"];
        let fits = [
            ("electricity_kwh", &ELECTRICITY),
            ("gas_therms", &GAS),
            ("propane_gal_main", &PROPANE),
            ("fuel_oil_gal", &OIL),
        ];
        let mut compared = 0;
        for (name, ours) in fits {
            let fit = &models["log_models"][name];
            let term = |term: &str| fit["terms"][term].as_f64().unwrap_or(0.0);
            let mut pairs = vec![
                (ours.constant, term("const")),
                (ours.ln_sqft, term("ln_sqft")),
                (ours.cdd_k, term("cdd65_k")),
                (ours.hdd_k, term("hdd65_k")),
                (ours.cdd_k_ln_sqft, term("cdd_k_x_ln_sqft_c")),
                (ours.all_electric[0], term("allelec")),
                (ours.all_electric[1], term("allelec_x_hdd_k")),
                (ours.smear, fit["smear"].as_f64().unwrap_or(f64::NAN)),
                (ours.sigma, fit["sigma_ln"].as_f64().unwrap_or(f64::NAN)),
            ];
            pairs.extend(ours.kinds.iter().zip(kinds).map(|(ours, name)| (*ours, term(name))));
            pairs.extend(ours.vintages.iter().zip(vintages).map(|(ours, name)| (*ours, term(name))));
            pairs.extend(Division::ALL.map(|d| (ours.division(d), term(&format!("div_{}", d.name())))));
            for (index, (ours, theirs)) in pairs.iter().enumerate() {
                assert_eq!(ours, theirs, "{name}, number {index}");
            }
            compared += pairs.len();
        }
        let additive: Vec<f64> = models["additive_electricity"]["coef"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(serde_json::Value::as_f64)
            .collect();
        let [a, b, c] = MONTHS.base;
        let ours = [a, b, c, MONTHS.base_per_1000_sqft, MONTHS.cooling, MONTHS.base_all_electric];
        assert_eq!(additive[..6], ours);
        assert_eq!(additive[6], MONTHS.heating_all_electric);
        println!("{} coefficients are the fitted ones", compared + 7);
    }
}
