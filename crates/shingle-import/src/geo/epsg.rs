//! The projection of an EPSG code. The table is packed by `build.rs`; an import asks it once or twice.

use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;

static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/projections.gz"));

/// As PROJ writes it, `+proj=…`. `None` for a code that is not built in.
pub(crate) fn projection_of(code: u16) -> Option<String> {
    let code = code.to_string();
    let lines = BufReader::new(GzDecoder::new(PACKED)).lines();
    lines.map_while(Result::ok).find_map(|line| {
        let (known, projection) = line.split_once(' ')?;
        (known == code).then(|| projection.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::projection_of;

    #[test]
    fn every_code_has_the_projection_that_was_packed() {
        let mut known = 0;
        for code in (0..=u16::MAX).step_by(113).chain([2283, 2284, 3857, 4326, 5070, 26_918, 32_606]) {
            let published = crs_definitions::from_code(code).map(|def| def.proj4.to_owned());
            known += usize::from(published.is_some());
            assert_eq!(projection_of(code), published, "{code}");
        }
        assert!(known > 30, "{known}");
        assert_eq!(projection_of(1), None);
        assert!(projection_of(32_606).is_some_and(|text| text.starts_with("+proj=utm +zone=6 ")));
    }
}
