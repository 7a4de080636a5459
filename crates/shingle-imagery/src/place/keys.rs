//! GeoTIFF keys: which coordinate system the file states.

use crate::error::ImageryError;
use crate::file::directory::{Directory, Tiff};

const DIRECTORY: u16 = 34_735;

const MODEL: u16 = 1_024;
const RASTER: u16 = 1_025;
const GEOGRAPHIC: u16 = 2_048;
const PROJECTED: u16 = 3_072;
const LINEAR_UNIT: u16 = 3_076;

/// "Defined by the user", or nothing.
const NO_CODE: [u16; 2] = [0, 32_767];

#[derive(Debug, Default)]
pub struct GeoKeys {
    /// Keys whose value is a short number: all that are looked at.
    numbers: Vec<(u16, u16)>,
}

impl GeoKeys {
    pub fn of(tiff: &Tiff, page: &Directory) -> Result<Self, ImageryError> {
        let words: Vec<u16> =
            tiff.whole(page, DIRECTORY)?.into_iter().map(|n| u16::try_from(n).unwrap_or(u16::MAX)).collect();
        let in_place = |key: &[u16]| (key[1] == 0).then_some((key[0], key[3]));
        Ok(Self { numbers: words.chunks_exact(4).skip(1).filter_map(in_place).collect() })
    }

    fn number(&self, key: u16) -> Option<u16> {
        self.numbers.iter().find(|(k, _)| *k == key).map(|(_, n)| *n)
    }

    fn code(&self, key: u16) -> Option<u32> {
        self.number(key).filter(|n| !NO_CODE.contains(n)).map(u32::from)
    }

    /// Coordinates are of the centers of pixels.
    pub fn of_points(&self) -> bool {
        self.number(RASTER) == Some(2)
    }

    /// The EPSG number, if there is one.
    pub fn system(&self) -> Option<u32> {
        match self.number(MODEL) {
            Some(2) => self.code(GEOGRAPHIC),
            _ => self.code(PROJECTED).or_else(|| self.number(MODEL).is_none().then(|| self.code(GEOGRAPHIC)).flatten()),
        }
    }

    /// Meters of the unit that is stated beside the system.
    pub fn unit(&self) -> Option<f64> {
        match self.number(LINEAR_UNIT)? {
            9001 => Some(1.0),
            9002 => Some(0.3048),
            9003 => Some(1200.0 / 3937.0),
            _ => None,
        }
    }
}
