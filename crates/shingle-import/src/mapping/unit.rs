//! Units of columns.

use serde::Deserialize;

/// What a column counts in. Areas become square feet, lengths feet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    Sqft,
    M2,
    Sqyd,
    Acres,
    Hectares,
    Ft,
    M,
    Yd,
    In,
}

impl Unit {
    /// Square feet or feet in one of it.
    pub fn factor(self) -> f64 {
        const FOOT: f64 = 0.3048;
        match self {
            Self::Sqft | Self::Ft => 1.0,
            Self::M2 => 1.0 / (FOOT * FOOT),
            Self::Sqyd => 9.0,
            Self::Acres => 43_560.0,
            Self::Hectares => 10_000.0 / (FOOT * FOOT),
            Self::M => 1.0 / FOOT,
            Self::Yd => 3.0,
            Self::In => 1.0 / 12.0,
        }
    }

    pub fn is_area(self) -> bool {
        matches!(self, Self::Sqft | Self::M2 | Self::Sqyd | Self::Acres | Self::Hectares)
    }
}
