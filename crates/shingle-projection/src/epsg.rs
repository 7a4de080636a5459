//! The systems that have an EPSG code. `build.rs` packs their table; reading a file needs one or two of them.

use std::io::BufRead as _;

static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/systems.br"));

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpsgSystem {
    /// As PROJ writes it, `+proj=…`.
    pub proj: String,
    /// What the datum is called; empty where it has no name.
    pub datum: String,
}

impl EpsgSystem {
    /// `None` for a code that is not built in.
    pub fn of(code: u32) -> Option<Self> {
        // Numbers of Esri for Web Mercator.
        let code = if matches!(code, 102_100 | 102_113 | 900_913) { 3857 } else { code }.to_string();
        let lines = shingle_packed::unpacking(PACKED).lines();
        lines.map_while(Result::ok).find_map(|line| {
            let (known, rest) = line.split_once('\t')?;
            let (datum, proj) = rest.split_once('\t')?;
            (known == code).then(|| Self { proj: proj.to_owned(), datum: datum.to_owned() })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::EpsgSystem;

    #[test]
    fn every_code_has_the_projection_that_was_packed() {
        let mut known = 0;
        for code in (0..=u16::MAX).step_by(113).chain([2283, 2284, 3857, 4326, 5070, 26_918, 32_606]) {
            let published = crs_definitions::from_code(code).map(|def| def.proj4.to_owned());
            known += usize::from(published.is_some());
            assert_eq!(EpsgSystem::of(code.into()).map(|system| system.proj), published, "{code}");
        }
        assert!(known > 30, "{known}");
        assert_eq!(EpsgSystem::of(1), None);
        assert_eq!(EpsgSystem::of(65_536 + 2284), None);
        assert_eq!(EpsgSystem::of(102_100), EpsgSystem::of(3857));
    }

    #[test]
    fn a_code_has_the_datum_of_its_system() {
        for (code, datum) in [
            (4267, "North American Datum 1927"),
            (26_719, "North American Datum 1927"),
            (2283, "North American Datum 1983"),
            (3857, "World Geodetic System 1984 ensemble"),
        ] {
            assert_eq!(EpsgSystem::of(code).unwrap().datum, datum, "{code}");
        }
    }
}
