//! GeoTIFF keys, as LAS files carry them.

use super::system::{Horizontal, projected, vertical_of};
use super::units::{Unit, of_code};
use crate::error::MeasureError;

const MODEL: u16 = 1024;
const GEOGRAPHIC: u16 = 2048;
const PROJECTED: u16 = 3072;
const LINEAR_UNIT: u16 = 3076;
const LINEAR_SIZE: u16 = 3077;
const VERTICAL: u16 = 4096;
const VERTICAL_UNIT: u16 = 4099;

const IN_DOUBLES: u16 = 34736;
/// "Defined by the user", or nothing.
const NO_CODE: [u32; 2] = [0, 32767];

#[derive(Debug, Default)]
pub struct GeoKeys {
    /// Key and number.
    numbers: Vec<(u16, f64)>,
}

impl GeoKeys {
    pub fn parse(keys: &[u8], doubles: &[u8]) -> Self {
        let shorts: Vec<u16> = keys.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
        let numbers = shorts.chunks_exact(4).skip(1).filter_map(|key| {
            let number = match key[1] {
                0 => f64::from(key[3]),
                IN_DOUBLES => {
                    let at = usize::from(key[3]) * 8;
                    f64::from_le_bytes(doubles.get(at..at + 8)?.try_into().ok()?)
                }
                _ => return None,
            };
            number.is_finite().then_some((key[0], number))
        });
        Self { numbers: numbers.collect() }
    }

    fn number(&self, key: u16) -> Option<f64> {
        self.numbers.iter().find(|(k, _)| *k == key).map(|(_, n)| *n)
    }

    fn code(&self, key: u16) -> Option<u32> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "codes are 16 bits wide")]
        let code = self.number(key)? as u32;
        (!NO_CODE.contains(&code)).then_some(code)
    }

    pub fn horizontal(&self) -> Option<Result<Horizontal, MeasureError>> {
        let unit = self.code(LINEAR_UNIT).and_then(of_code);
        let unit = unit.or_else(|| self.number(LINEAR_SIZE).filter(|size| (1e-3..=1e4).contains(size)));
        let unit = unit.map(|meters| Unit { meters });
        match (self.code(PROJECTED), self.code(GEOGRAPHIC), self.code(MODEL)) {
            (Some(code), ..) => Some(match projected(code, unit) {
                // The place is lost, the unit is not.
                Err(_) if unit.is_some() => Ok(Horizontal::Plane { meters: unit.map_or(1.0, |u| u.meters) }),
                known => known,
            }),
            (None, _, Some(2)) => Some(Ok(Horizontal::Degrees)),
            (None, ..) => unit.map(|unit| Ok(Horizontal::Plane { meters: unit.meters })),
        }
    }

    pub fn vertical(&self) -> Option<f64> {
        self.code(VERTICAL_UNIT).and_then(of_code).or_else(|| self.code(VERTICAL).and_then(vertical_of))
    }
}
