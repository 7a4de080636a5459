//! What the datum of an EPSG code is called. The table is made by `build.rs`.

include!(concat!(env!("OUT_DIR"), "/datum_names.rs"));

/// Empty for a code that names none.
pub(crate) fn datum_of(code: u16) -> &'static str {
    let found = OF_CODE.binary_search_by_key(&code, |(code, _)| *code);
    found.ok().and_then(|at| NAMES.get(usize::from(OF_CODE[at].1))).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::datum_of;

    #[test]
    fn a_code_has_the_datum_of_its_system() {
        assert_eq!(datum_of(4267), "North American Datum 1927");
        assert_eq!(datum_of(26_719), "North American Datum 1927");
        assert_eq!(datum_of(2283), "North American Datum 1983");
        assert_eq!(datum_of(3857), "World Geodetic System 1984 ensemble");
        assert_eq!(datum_of(1), "");
    }
}
