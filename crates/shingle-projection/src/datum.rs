//! On which datum a proj string has its coordinates, and whether they can be brought to WGS 84.
//!
//! # Decision
//!
//! A datum without a stated shift is refused by name, with the way out (reproject to EPSG:4326). Turned down: EPSG's
//! shifts for Old Hawaiian or Puerto Rico, which are averages over islands and tens of meters off.

use shingle_domain::message::{Message, ToMessage};

use crate::problem::{CrsAdvice, CrsProblem, DatumName};

/// How coordinates come to WGS 84.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    /// WGS 84 or NAD 83: within two meters of each other.
    None,
    /// By the numbers of `+towgs84`.
    Stated,
}

/// The shift of a proj string, or why not. `datum` is what its source calls the datum.
pub fn shift_of(proj: &str, datum: &str) -> Result<Shift, CrsProblem> {
    let value = |key: &str| {
        let pairs = proj.split_whitespace().filter_map(|word| word.trim_start_matches('+').split_once('='));
        pairs.into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    };
    let number = |key: &str| value(key).and_then(|text| text.parse::<f64>().ok());
    let advice = CrsAdvice::Reproject;
    let unknown = |what: Message| {
        let name = if datum.is_empty() { what } else { datum.to_message() };
        Err(CrsProblem::Datum { name, advice })
    };
    if let Some(grid) = value("nadgrids").filter(|grid| !matches!(*grid, "@null" | "null")) {
        return Err(CrsProblem::Grid { grid: grid.to_owned(), advice });
    }
    let is_modern = match (value("ellps"), number("a").or_else(|| number("R"))) {
        (Some(name), _) => matches!(name.to_ascii_uppercase().as_str(), "GRS80" | "WGS84" | "SPHERE"),
        (None, Some(a)) => {
            let is_sphere = number("R").is_some() || number("b") == Some(a);
            let flattening = number("rf").or_else(|| number("f").map(f64::recip));
            let flattening = flattening.or_else(|| number("b").map(|b| a / (a - b)));
            is_sphere || ((a - 6_378_137.0).abs() < 1.0 && flattening.is_some_and(|rf| (rf - 298.257_22).abs() < 0.01))
        }
        (None, None) => true,
    };
    if let Some(stated) = value("towgs84") {
        let numbers: Vec<f64> = stated.split(',').filter_map(|n| n.trim().parse().ok()).collect();
        return match numbers.len() {
            3 | 7 if is_modern && numbers.iter().all(|n| *n == 0.0) => Ok(Shift::None),
            3 | 7 => Ok(Shift::Stated),
            _ => Err(CrsProblem::Shift { stated: stated.to_owned() }),
        };
    }
    match value("datum").map(str::to_ascii_uppercase).as_deref() {
        None if is_modern => Ok(Shift::None),
        Some("WGS84" | "NAD83") => Ok(Shift::None),
        Some("NAD27") => Err(CrsProblem::Nad27 { advice }),
        Some(other) => unknown(other.to_message()),
        None => match value("ellps") {
            Some(ellipsoid) => unknown(DatumName::OnEllipsoid { ellipsoid: ellipsoid.to_owned() }.into()),
            None => unknown(DatumName::OnOwnEllipsoid.into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_datum_is_taken_shifted_or_refused_by_name() {
        for (proj, shift) in [
            ("+proj=longlat +datum=WGS84", Shift::None),
            ("+proj=longlat +datum=NAD83 +no_defs", Shift::None),
            ("+proj=utm +zone=18 +ellps=GRS80 +units=m", Shift::None),
            ("+proj=utm +zone=18", Shift::None),
            ("+proj=merc +a=6378137 +b=6378137 +nadgrids=@null", Shift::None),
            ("+proj=laea +lat_0=45 +lon_0=-100 +ellps=sphere", Shift::None),
            ("+proj=lcc +a=6378137 +rf=298.257222101", Shift::None),
            ("+proj=lcc +a=6378137 +b=6356752.314", Shift::None),
            ("+proj=longlat +ellps=GRS80 +towgs84=0,0,0,0,0,0,0", Shift::None),
            ("+proj=longlat +ellps=clrk66 +towgs84=-8,160,176", Shift::Stated),
            ("+proj=longlat +ellps=clrk66 +towgs84=0,0,0", Shift::Stated),
            ("+proj=utm +zone=4 +ellps=clrk66 +towgs84=61,-285,-181,0,0,0,0", Shift::Stated),
            ("+proj=longlat +ellps=GRS80 +towgs84=-0.99,1.9,0.52,0,0,0,0", Shift::Stated),
        ] {
            assert_eq!(shift_of(proj, ""), Ok(shift), "{proj}");
        }
        for (proj, datum, told) in [
            ("+proj=longlat +datum=NAD27", "", "NAD 27"),
            ("+proj=lcc +ellps=clrk66 +units=us-ft", "", "the ellipsoid clrk66"),
            ("+proj=lcc +ellps=clrk66", "Puerto Rico", "its datum, Puerto Rico,"),
            ("+proj=longlat +ellps=clrk66", "Old Hawaiian", "its datum, Old Hawaiian,"),
            ("+proj=longlat +ellps=WGS72", "World Geodetic System 1972", "World Geodetic System 1972"),
            ("+proj=longlat +datum=potsdam", "", "its datum, POTSDAM,"),
            ("+proj=lcc +nadgrids=conus +ellps=clrk66", "", "the shift grid `conus`"),
            ("+proj=lcc +a=6378206.4 +b=6356583.8", "", "an ellipsoid of its own"),
            ("+proj=lcc +a=6378206.4 +rf=294.978698", "Guam 1963", "its datum, Guam 1963,"),
            ("+proj=longlat +ellps=intl", "European Datum 1950", "European Datum 1950"),
        ] {
            let message = shift_of(proj, datum).unwrap_err().to_string();
            assert!(message.contains(told) && message.contains("-t_srs EPSG:4326"), "{proj}: {message}");
        }
        assert!(shift_of("+proj=longlat +towgs84=1,2", "").is_err());
    }
}
