//! What numbers a field of homes has, and what others are likely to be: the wrong column, or another unit.

use std::fmt;

use serde::Serialize;

use crate::mapping::field::Field;
use crate::row::finding::Finding;
use crate::row::values::{Values, Words};

/// The numbers of a field; zero is left out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ValueRange {
    pub least: f64,
    /// As many are smaller as are larger.
    pub middle: f64,
    pub most: f64,
    /// What one home may have: judged, and wide.
    pub usual: (f64, f64),
    /// How many lie outside of it.
    pub outside: u64,
}

/// A larger unusual share is reported if the median shows nothing.
const MAX_OUTSIDE: f64 = 0.1;

/// `912 / 1640 / 8200`
impl fmt::Display for ValueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&[self.least, self.middle, self.most].map(shown).join(" / "))
    }
}

impl ValueRange {
    /// `None` for a field without numbers.
    pub(crate) fn of(field: Field, values: &Values) -> Option<Self> {
        let (low, high) = usual(field)?;
        Some(Self {
            least: values.least(),
            middle: values.quantile(0.5),
            most: values.most(),
            usual: (low, high),
            outside: values.outside(low, high),
        })
    }
}

/// From the smallest cabin to the largest building with homes in it.
fn usual(field: Field) -> Option<(f64, f64)> {
    Some(match field {
        Field::YearBuilt => (1650.0, 2100.0),
        Field::Storeys => (1.0, 60.0),
        Field::LivingAreaSqft => (150.0, 30_000.0),
        Field::BuildingAreaSqft => (150.0, 1_000_000.0),
        Field::GroundFloorSqft => (100.0, 100_000.0),
        Field::GarageAreaSqft => (80.0, 5_000.0),
        Field::GarageCars => (1.0, 12.0),
        Field::Units => (1.0, 1_000.0),
        Field::SalePrice => (1_000.0, 100_000_000.0),
        Field::AssessedValue | Field::BuildingValue => (1_000.0, 1_000_000_000.0),
        _ => return None,
    })
}

/// A larger share of cells that only `otherwise` gave a meaning is reported.
const MAX_OTHERWISE: f64 = 0.05;
const WORDS_TOLD: usize = 6;

/// Words that went into `otherwise` without being named: whole classes of homes may be among them.
pub(crate) fn swallowed(field: Field, words: &Words) -> Option<Finding> {
    let all: u64 = words.all().iter().map(|(_, cells)| cells).sum();
    if words.swallowed() as f64 <= all as f64 * MAX_OTHERWISE {
        return None;
    }
    let list = words.otherwise().into_iter().take(WORDS_TOLD).map(|(word, cells)| format!("`{word}` ({cells})"));
    Some(Finding::Otherwise { field: field.name().to_owned(), n: words.swallowed(), all, list: list.collect() })
}

/// Texts that seem to mean nothing, and are kept as they are.
pub(crate) fn nothing((word, cells): (&'static str, u64)) -> Finding {
    Finding::Nothing { n: cells, word: word.to_owned() }
}

/// What the numbers of a field seem to be instead, with what to write. The median of a town shows it: single homes
/// differ too much.
pub(crate) fn doubt(field: Field, values: &Values) -> Option<Finding> {
    let middle = values.quantile(0.5);
    let between = |low: f64, high: f64| (low..high).contains(&middle);
    let is_area = matches!(
        field,
        Field::LivingAreaSqft | Field::BuildingAreaSqft | Field::GroundFloorSqft | Field::GarageAreaSqft
    );
    let said = |of: fn(String, String) -> Finding| Some(of(field.name().to_owned(), shown(middle)));
    match field {
        Field::YearBuilt if between(f64::MIN, 1_600.0) => said(|field, middle| Finding::Age { field, middle }),
        Field::YearBuilt => outside(field, values),
        _ if are_years(field, values) => said(|field, middle| Finding::Years { field, middle }),
        Field::LivingAreaSqft | Field::BuildingAreaSqft if between(40.0, 400.0) => said(METRES),
        Field::GroundFloorSqft if between(20.0, 250.0) => said(METRES),
        Field::GarageAreaSqft if between(12.0, 75.0) => said(METRES),
        Field::GarageAreaSqft if between(0.0, 12.0) => said(|field, middle| Finding::Cars { field, middle }),
        Field::LivingAreaSqft if middle >= 20_000.0 => said(DOLLARS),
        Field::LivingAreaSqft if middle >= 6_000.0 => said(|field, middle| Finding::Lot { field, middle }),
        Field::BuildingAreaSqft | Field::GroundFloorSqft if middle >= 50_000.0 => said(DOLLARS),
        Field::GarageAreaSqft if middle >= 5_000.0 => said(DOLLARS),
        _ if is_area && middle < 12.0 => said(|field, middle| Finding::Acres { field, middle }),
        Field::Storeys if middle >= 8.0 => said(|field, middle| Finding::Height { field, middle }),
        Field::GarageCars if middle > 12.0 => said(|field, middle| Finding::GarageArea { field, middle }),
        Field::Units if middle > 50.0 => said(|field, middle| Finding::UnitNumber { field, middle }),
        Field::SalePrice | Field::AssessedValue | Field::BuildingValue if between(10.0, 1_000.0) => {
            said(|field, middle| Finding::Thousands { field, middle })
        }
        _ => outside(field, values),
    }
}

const METRES: fn(String, String) -> Finding = |field, middle| Finding::Metres { field, middle };
const DOLLARS: fn(String, String) -> Finding = |field, middle| Finding::Dollars { field, middle };

/// Nine in ten are whole and of a time in which homes were built, and they differ as years do. The areas of a town reach
/// farther.
fn are_years(field: Field, values: &Values) -> bool {
    let (low, high) = (values.quantile(0.05), values.quantile(0.95));
    field != Field::YearBuilt && values.count() >= 3 && low >= 1_700.0 && high <= 2_035.0
}

fn outside(field: Field, values: &Values) -> Option<Finding> {
    let (low, high) = usual(field)?;
    let n = values.outside(low, high);
    if n as f64 <= values.count() as f64 * MAX_OUTSIDE {
        return None;
    }
    let (name, all, low, high) = (field.name().to_owned(), values.count(), shown(low), shown(high));
    Some(match field {
        Field::SalePrice => Finding::DollarSales { field: name, n, all, low, high },
        _ => Finding::Unusual { field: name, n, all, low, high },
    })
}

/// As it is written in a table: no more decimals than it needs.
fn shown(n: f64) -> String {
    ((n * 100.0).round() / 100.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::values::FieldValues;

    fn told(field: Field, numbers: &[f64]) -> String {
        let values = FieldValues::of_numbers(field, numbers);
        let told = doubt(field, values.of(field).unwrap());
        told.map(|told| told.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_wrong_column_and_a_wrong_unit_are_named() {
        use Field::*;
        let homes = [1_180.0, 1_420.0, 1_985.0, 2_440.0, 3_100.0];
        let dollars = [88_000.0, 210_000.0, 345_000.0];
        let metres = homes.map(|n| n / 10.764);
        let years = [1920.0, 1955.0, 1987.0, 2004.0];
        for (field, numbers, part) in [
            (LivingAreaSqft, &dollars[..], "dollars"),
            (LivingAreaSqft, &metres, "unit = \"m2\""),
            (LivingAreaSqft, &years, "a year"),
            (LivingAreaSqft, &[0.21, 0.25, 0.4], "acres"),
            (LivingAreaSqft, &[7_200.0, 8_400.0, 9_900.0], "the lot's area"),
            (Units, &[101.0, 102.0, 307.0], "a unit's number"),
            (BuildingAreaSqft, &metres, "unit = \"m2\""),
            (GroundFloorSqft, &[70.0, 84.0, 120.0], "unit = \"m2\""),
            (GarageAreaSqft, &[1.0, 2.0, 2.0], "garage_cars"),
            (GarageCars, &[400.0, 484.0, 520.0], "garage_area_sqft"),
            (Storeys, &years, "a year"),
            (Storeys, &[18.0, 24.0, 31.0], "a height"),
            (YearBuilt, &[12.0, 45.0, 88.0], "an age"),
            (YearBuilt, &[1.0, 1920.0, 1987.0, 19.0, 2004.0], "2 of 5 values are not between 1650 and 2100"),
            (Units, &years, "a year"),
            (SalePrice, &[1.0, 1.0, 210_000.0, 345_000.0, 400_000.0], "`blank`"),
            (SalePrice, &[188.0, 244.0, 301.0], "times = 1000"),
            (SalePrice, &years, "a year"),
        ] {
            assert!(told(field, numbers).contains(part), "{field} {numbers:?}: {}", told(field, numbers));
        }
    }

    #[test]
    fn homes_as_they_are_raise_no_doubt() {
        use Field::*;
        for (field, numbers) in [
            (LivingAreaSqft, &[610.0, 1_180.0, 1_420.0, 1_985.0, 2_440.0, 9_000.0][..]),
            (LivingAreaSqft, &[1_720.0, 1_810.0]),
            (Storeys, &[1.0, 1.5, 2.0, 3.0]),
            (YearBuilt, &[1788.0, 1920.0, 2024.0]),
            (GarageAreaSqft, &[240.0, 440.0, 576.0]),
            (GarageCars, &[1.0, 2.0, 3.0]),
            (Units, &[1.0, 1.0, 2.0, 240.0]),
            (SalePrice, &[1.0, 210_000.0, 345_000.0, 88_000.0, 90_000.0, 120_000.0, 99_000.0, 75_000.0, 81_000.0, 1e6]),
        ] {
            assert_eq!(told(field, numbers), "", "{field}");
        }
    }
}
