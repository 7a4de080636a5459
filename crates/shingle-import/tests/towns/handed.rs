//! The small files of rows that were read or answered wrong, where they lie beside the repository.

use shingle_domain::lookup::AddressInput;
use shingle_import::{ImportJob, Mapping, run};
use shingle_property::reference::Reference;
use shingle_property::{Lookup, PropertyIndex};

/// A file, its mapping, and questions with their answers.
type Asked = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The index of a handed file.
fn index_of(file: &str, mapping: &str) -> Option<(tempfile::TempDir, PropertyIndex)> {
    let path = shingle_testing::shared(&format!("faults/inputs/{file}"))?;
    let mapping = std::fs::read_to_string(path.with_file_name(mapping)).unwrap();
    let mapping = Mapping::from_toml(&mapping, "handed.toml").unwrap();
    let root = tempfile::tempdir().unwrap();
    run(ImportJob { files: vec![path], mapping: &mapping, into: root.path().to_owned() }, &mut ()).unwrap();
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    Some((root, index))
}

/// Year built and level, or what else is answered.
fn told(index: &PropertyIndex, line: &str) -> String {
    match index.lookup(&AddressInput::Line(line.to_owned())).unwrap() {
        Lookup::Found { evidence, .. } => {
            let year =
                evidence.place.assessor.year_built.as_ref().map(|year| year.value.to_string()).unwrap_or_default();
            let at = format!("{} {:?}", evidence.place.address.street_line(), evidence.place.unit.unwrap_or_default());
            let level = if evidence.matched.level.is_exact() { "exact" } else { "doubtful" };
            if year.is_empty() { format!("{level} {at}") } else { format!("{level} {year}") }
        }
        Lookup::Ambiguous(found) => format!("one of {}", found.len()),
        Lookup::NotFound { .. } => "nothing".to_owned(),
    }
}

#[test]
fn the_handed_homes_are_found_or_asked_back() {
    let asked: &[Asked] = &[
        (
            "directions.csv",
            "street.toml",
            &[
                ("14 Alder Ct NE Lacey WA 98516", "one of 1"),
                ("14 Alder Ct SE Lacey WA 98516", "exact 14 Alder Ct SE \"\""),
                ("2108 14th St NW Minot ND 58703", "one of 1"),
                ("823 3RD AVE NE ABERDEEN SD 57401", "one of 1"),
            ],
        ),
        (
            "r11_okina.csv",
            "r11_okina.toml",
            &[
                ("12 La\u{2bb}i Rd, Honolulu, Hawai\u{2bb}i 96821", "exact 1921"),
                ("16 N\u{2bc}u\u{2bc}u St, Honolulu, HI 96821", "exact 1925"),
                ("20 \u{2bb}Aea Rd, `Ewa Beach, HI 96706", "exact 1928"),
            ],
        ),
        (
            "r12_decimal_numbers.csv",
            "r12_decimal_numbers.toml",
            &[
                ("575 Tremont St, Harrow, OH 43099", "exact 1999"),
                ("57 Tremont St, Harrow, OH 43099", "exact 1900"),
                ("57 1/2 Tremont St, Harrow, OH 43099", "exact 1911"),
                ("57.5 Tremont St, Harrow, OH 43099", "exact 1911"),
            ],
        ),
        (
            "r12e_decimal_roads.csv",
            "r12e_decimal_roads.toml",
            &[
                ("650 265 Rd, Fruita, CO 81521", "exact 1952"),
                ("650 26 1/2 Rd, Fruita, CO 81521", "exact 1951"),
                ("700 CR 125, Fruita, CO 81521", "exact 1957"),
                ("700 County Road 12 1/2, Fruita, CO 81521", "exact 1956"),
                ("2650 F Rd, Fruita, CO 81521", "exact 1954"),
                ("800 12 Mile Rd, Fruita, CO 81521", "exact 1959"),
            ],
        ),
        (
            "r13_numbered_roads.csv",
            "r13_numbered_roads.toml",
            &[
                ("100 Hwy 20, Harrow, OH 43099", "one of 2"),
                ("100 US 20, Harrow, OH 43099", "exact 1901"),
                ("100 State Route 20, Harrow, OH 43099", "exact 1902"),
                ("77 State Route 31, Harrow, OH 43099", "one of 1"),
                ("77 Hwy 31, Harrow, OH 43099", "exact 1905"),
                ("2823 US Business 70, Harrow, OH 43099", "exact 1904"),
            ],
        ),
        (
            "r14_queens_ranges.csv",
            "r14_queens_ranges.toml",
            &[
                ("75-01 32nd Ave, East Elmhurst, NY 11370", "exact 1961"),
                ("75-33 32nd Ave, East Elmhurst, NY 11370", "exact 1962"),
                ("75-47 32nd Ave, East Elmhurst, NY 11370", "exact 1963"),
                ("7563 32nd Ave, East Elmhurst, NY 11370", "exact 1964"),
                ("75 07 37th Ave, East Elmhurst, NY 11370", "exact 1971"),
                ("75-05 36th Ave, East Elmhurst, NY 11370", "exact 1970"),
                ("507 38th Ave, East Elmhurst, NY 11370", "exact 1973"),
                ("91\u{2212}1001 Keaunui Dr, Ewa Beach, HI 96706", "exact 1968"),
            ],
        ),
        (
            "r15_urbanizacion.csv",
            "r15_urbanizacion.toml",
            &[
                ("123 Calle 5, Ponce, PR 00730", "one of 2"),
                ("Urb El Madrigal, 123 Calle 5, Ponce, PR 00730", "exact 1990"),
                ("Urb Las Lomas, 123 Calle 5, Ponce, PR 00730", "exact 1970"),
                ("Urb No Existe, 123 Calle 5, Ponce, PR 00730", "one of 2"),
            ],
        ),
        (
            "r50_pena_pea.csv",
            "r50_map.toml",
            &[
                ("14 Pe\u{f1}a St, Harrow, OH 43099", "exact 1970"),
                ("14 Pea St, Harrow, OH 43099", "exact 1990"),
                ("14 Pe\u{fffd}a St, Harrow, OH 43099", "nothing"),
            ],
        ),
        (
            "x05_number_words.csv",
            "x05_number_words.toml",
            &[
                ("12 Rear Elm St, Harrow, OH 43099", "exact 1911"),
                ("12 Elm St Rear, Harrow, OH 43099", "exact 1911"),
                ("12 Elm St, Harrow, OH 43099", "exact 1912"),
                ("14 Elm St Rear, Harrow, OH 43099", "exact 1913"),
                ("16R Elm St, Harrow, OH 43099", "exact 1915"),
                ("22 Front Elm St, Harrow, OH 43099", "exact 1921"),
                ("22 Elm St, Harrow, OH 43099", "one of 1"),
                ("26 Bldg 2 Elm St, Harrow, OH 43099", "exact 1924"),
                ("26 Elm St, Harrow, OH 43099", "exact 1925"),
                ("LOT 60 Elm St, Harrow, OH 43099", "exact 1934"),
                ("60 Elm St, Harrow, OH 43099", "nothing"),
                ("68 Elm St, Harrow, OH 43099", "exact 1937"),
                ("6870 Elm St, Harrow, OH 43099", "nothing"),
                ("42 Elm St, Harrow, OH 43099", "exact 1929"),
                ("38 Elm St, Harrow, OH 43099", "exact 1928"),
                ("48 Elm St, Harrow, OH 43099", "exact 1930"),
            ],
        ),
        ("y2_number_with_decimals.shp", "y2_number_with_decimals.toml", &[]),
    ];
    let (mut seen, mut wrong) = (0, Vec::new());
    for (file, mapping, questions) in asked {
        let Some((_root, index)) = index_of(file, mapping) else { return };
        for (line, wanted) in *questions {
            seen += 1;
            let told = told(&index, line);
            if told != *wanted {
                wrong.push(format!("{file}: {line}: {told}, not {wanted}"));
            }
        }
    }
    println!("{seen} questions");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
