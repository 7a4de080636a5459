//! A coordinate system that a person states for files that do not.

use super::file::FileCrs;
use super::system::Horizontal;
use super::units::without_unit;
use super::wkt;
use crate::error::MeasureError;

/// What stands in place of what files say, or do not say, of their coordinates. The unit of their heights is still taken
/// from the files, where they state it.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedCrs {
    horizontal: Horizontal,
    vertical: Option<f64>,
}

impl StatedCrs {
    /// An EPSG number, `EPSG:2284`, a proj string or WKT.
    pub fn named(name: &str) -> Result<Self, MeasureError> {
        let name = name.trim();
        let code = name.rsplit(':').next().and_then(|last| last.trim().parse::<u32>().ok());
        if let Some(code) = code {
            return Ok(Self { horizontal: FileCrs::numbered(code)?, vertical: None });
        }
        if name.starts_with('+') {
            let (proj, meters) = without_unit(name);
            let horizontal = match proj.contains("+proj=longlat") {
                true => Horizontal::Degrees,
                false => Horizontal::Projected { meters, proj },
            };
            return Ok(Self { horizontal, vertical: None });
        }
        let said = wkt::parse(name).unwrap_or_default();
        let unknown = || MeasureError::Crs(format!("`{name}` is no EPSG number, proj string or WKT"));
        Ok(Self { horizontal: said.horizontal.ok_or_else(unknown)??, vertical: said.vertical })
    }

    /// With what the file knows of its heights.
    pub(crate) fn of_file(&self, said: &FileCrs) -> FileCrs {
        let assumed = match &self.horizontal {
            Horizontal::Projected { meters, .. } | Horizontal::Plane { meters } => *meters,
            Horizontal::Unknown | Horizontal::Degrees => 1.0,
        };
        let stated = said.is_vertical_stated.then_some(said.vertical).or(self.vertical);
        FileCrs {
            horizontal: self.horizontal.clone(),
            vertical: stated.unwrap_or(assumed),
            is_vertical_stated: stated.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::system::projected;
    use super::*;

    #[test]
    fn a_system_is_named_by_number_proj_string_or_wkt() {
        let by_number = StatedCrs::named("2283").unwrap();
        assert_eq!(StatedCrs::named("EPSG:2283").unwrap(), by_number);
        let Horizontal::Projected { meters, .. } = &by_number.horizontal else { panic!("{by_number:?}") };
        assert!((meters - 0.304_8).abs() < 1e-5, "state plane feet: {meters}");
        assert_eq!(by_number.horizontal, projected(2283, None).unwrap());
        let by_proj = StatedCrs::named("+proj=utm +zone=14 +datum=WGS84 +units=m").unwrap();
        assert!(matches!(&by_proj.horizontal, Horizontal::Projected { meters: 1.0, proj } if proj.contains("zone=14")));
        assert_eq!(StatedCrs::named("4326").unwrap().horizontal, Horizontal::Degrees);
        assert!(StatedCrs::named("Virginia").is_err());
        assert!(StatedCrs::named("99999").is_err());
    }

    #[test]
    fn heights_are_in_the_unit_that_the_file_states() {
        let feet = StatedCrs::named("2283").unwrap();
        let silent = FileCrs { horizontal: Horizontal::Unknown, vertical: 1.0, is_vertical_stated: false };
        assert!((feet.of_file(&silent).vertical - 0.304_8).abs() < 1e-5);
        let in_meters = FileCrs { is_vertical_stated: true, ..silent };
        assert!((feet.of_file(&in_meters).vertical - 1.0).abs() < 1e-9);
    }
}
