//! Paths of icons (20 × 20), of coverings (40 × 40) and of the figures beside a price: drawn alike by the
//! browser and the server.

use shingle_domain::lead::MaterialPrice;
use shingle_domain::roof::RoofMaterial;

pub const BACK: &str = "M12 4.5 6.5 10l5.5 5.5";
pub const CLOSE: &str = "m5 5 10 10M15 5 5 15";
pub const PHONE: &str =
    "M4 3.5h3l1.5 4-2 1.3a9 9 0 0 0 4.7 4.7l1.3-2 4 1.5v3c0 .6-.5 1-1 1C8.6 17 3 11.4 3 4.5c0-.5.4-1 1-1Z";
pub const PIN: &str = "M10 17.5s5.5-4.7 5.5-9a5.5 5.5 0 0 0-11 0c0 4.3 5.5 9 5.5 9ZM12 8.5a2 2 0 1 1-4 0a2 2 0 1 1 4 0";
pub const CHECK: &str = "m4.5 10.5 3.7 3.7 7.3-8";
pub const HOUSE: &str = "M3 9.5l7-6 7 6M5 8v8.5h10V8";
pub const SEARCH: &str = "M14 9a5 5 0 1 1-10 0a5 5 0 1 1 10 0M12.6 12.6l4 4";
pub const ALERT: &str = "M17.25 10a7.25 7.25 0 1 1-14.5 0a7.25 7.25 0 1 1 14.5 0M10 6.3v4.5M10 13.7v.1";
pub const INFO: &str = "M17.25 10a7.25 7.25 0 1 1-14.5 0a7.25 7.25 0 1 1 14.5 0M10 9.3v4.5M10 6.4v.1";
pub const OFFLINE: &str = "M3 3l14 14M5.8 9.8A7 7 0 0 1 8 8.4M2.8 7.4A11 11 0 0 1 6 5.2M9.4 5a11 11 0 0 1 7.8 2.4M12.4 8.7a7 7 0 0 1 1.8 1.1M10 14.5v.1";
pub const PRINT: &str = "M6 7V3.5h8V7M6 14H3.5V7h13v7H14M6 11.5h8v5H6z";
pub const ARROW: &str = "M4 10h12M11 5l5 5-5 5";
pub const RING: &str = "M17.25 10a7.25 7.25 0 1 1-14.5 0a7.25 7.25 0 1 1 14.5 0";
pub const ARC: &str = "M10 2.75a7.25 7.25 0 1 1-6.3 10.8";

/// The pattern a covering is laid in.
pub fn courses(of: RoofMaterial) -> &'static str {
    match of {
        RoofMaterial::AsphaltShingle => {
            "M0 10h40M0 20h40M0 30h40M8 0v10M22 0v10M34 0v10M2 10v10M15 10v10M29 10v10M8 20v10M22 20v10M34 20v10M2 30v10M15 30v10M29 30v10"
        }
        RoofMaterial::Metal => "M7 0v40M9 0v40M19 0v40M21 0v40M31 0v40M33 0v40",
        RoofMaterial::Tile => {
            "M0 3a5 5 0 0 0 10 0a5 5 0 0 0 10 0a5 5 0 0 0 10 0a5 5 0 0 0 10 0M-5 13a5 5 0 0 0 10 0a5 5 0 0 0 10 0a5 5 0 0 0 10 0a5 5 0 0 0 10 0a5 5 0 0 0 10 0M0 23a5 5 0 0 0 10 0a5 5 0 0 0 10 0a5 5 0 0 0 10 0a5 5 0 0 0 10 0M-5 33a5 5 0 0 0 10 0a5 5 0 0 0 10 0a5 5 0 0 0 10 0a5 5 0 0 0 10 0a5 5 0 0 0 10 0"
        }
        RoofMaterial::Slate => "M0 13h40M0 27h40M10 0v13M30 0v13M0 13v14M20 13v14M40 13v14M10 27v13M30 27v13",
        RoofMaterial::Other => "M0 40 40 0M0 20 20 0M20 40 40 20",
    }
}

/// The bar between the low price and the high one, 320 × 14.
pub const RANGE: &str = "M0 7H320M0 1v12M320 1v12";

/// Where the price is between low and high.
pub fn mark(price: &MaterialPrice) -> String {
    let (low, high) = (price.low.cents(), price.high.cents());
    let at = (price.cost.cents() - low).clamp(0, (high - low).max(0)) * 320 / (high - low).max(1);
    ["M", &at.to_string(), " 0v14"].concat()
}

/// A triangle of the roof's slope, 76 × 56.
pub fn triangle(rise_halves: u32) -> String {
    let height = (rise_halves * 56 / 24).clamp(2, 40);
    ["M4 42H60V", &(42 - height).to_string(), "Z"].concat()
}
