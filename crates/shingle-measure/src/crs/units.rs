//! Units of length.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    pub meters: f64,
}

const US_FOOT: f64 = 1200.0 / 3937.0;
const FOOT: f64 = 0.3048;

/// By the EPSG number of a unit.
pub fn of_code(code: u32) -> Option<f64> {
    Some(match code {
        9001 => 1.0,
        9002 => FOOT,
        9003 => US_FOOT,
        9005 => 0.304_797_265_4,
        9036 => 1000.0,
        9070 | 9041 => 0.304_799_471_538_867_6,
        _ => return None,
    })
}

/// A proj string without its unit, and the meters of that.
pub fn without_unit(proj: &str) -> (String, f64) {
    let mut meters = 1.0;
    let mut kept = Vec::new();
    for part in proj.split_whitespace() {
        if let Some(name) = part.strip_prefix("+units=") {
            meters = match name {
                "us-ft" => US_FOOT,
                "ft" => FOOT,
                "km" => 1000.0,
                _ => 1.0,
            };
        } else if let Some(factor) = part.strip_prefix("+to_meter=") {
            meters = factor.parse().unwrap_or(1.0);
        } else if !part.starts_with("+vunits=") && !part.starts_with("+vto_meter=") {
            kept.push(part);
        }
    }
    (kept.join(" "), meters)
}
