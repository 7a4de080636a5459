//! Parcel ids that join what does not belong together: rounded, a word for none, shared by many homes.

use super::files::*;
use crate::{ImportJob, Mapping, check};

const MAP: &str = r#"
dataset = "t"
[place]
parcel = "PIN"
[address]
number = "NUM"
street = "STREET"
city = { constant = "Harrow" }
state = { constant = "OH" }
zip = { constant = "43099" }
[layers.parcels]
files = "lots.geojson"
id = "parcel"
[layers.outlines]
files = "roofs.geojson"
outline_kind = "eave"
"#;

/// Lots of a street with a house on each; the lot at each place has the id.
fn town(ids: &[String]) -> Town {
    let town = Town::new();
    let square = |lon: f64, lat: f64, side: f64| {
        format!("[[[{lon},{lat}],[{lon},{n}],[{e},{n}],[{e},{lat}],[{lon},{lat}]]]", n = lat + side, e = lon + side)
    };
    let list = |side: f64| {
        let all = ids.iter().enumerate().map(|(n, id)| {
            let ring = square(-82.5 + n as f64 * 1e-3, 40.25, side);
            format!("{{\"type\":\"Feature\",\"properties\":{{\"parcel\":\"{id}\"}},\"geometry\":{{\"type\":\"Polygon\",\"coordinates\":{ring}}}}}")
        });
        format!("{{\"type\":\"FeatureCollection\",\"features\":[{}]}}", all.collect::<Vec<_>>().join(","))
    };
    town.write("lots.geojson", list(4e-4));
    town.write("roofs.geojson", list(1e-4));
    town
}

fn import(town: &Town, rows: &str, mapping: &str) -> (crate::ImportReport, Vec<String>) {
    let roll = town.write("roll.csv", format!("PIN,NUM,STREET\n{rows}"));
    let files = [roll, town.path("lots.geojson"), town.path("roofs.geojson")];
    let compiled = Mapping::from_toml(mapping, "m.toml").unwrap();
    let checked = check(&ImportJob { files: files.to_vec(), mapping: &compiled, into: town.index() }, &mut ()).unwrap();
    let files: Vec<_> = files.iter().map(std::path::PathBuf::as_path).collect();
    let report = town.import(mapping, &files).unwrap();
    (report, checked.findings.iter().map(ToString::to_string).collect())
}

#[test]
fn an_id_that_is_none_joins_no_home_to_a_lot_and_is_named() {
    for none in ["0", "000-000", "UNASSIGNED", "N/A", "TBD", "999999", "1.02E+14", "2.3E+11", "None", "PENDING"] {
        // The first lot of the layer has the same word.
        let ids: Vec<String> = [none.to_owned()].into_iter().chain((1..6).map(|n| format!("R{n}"))).collect();
        let town = town(&ids);
        let rows = format!("R1,2,ELM ST\n{none},4,ELM ST\n{none},6,ELM ST\nR2,8,ELM ST\n");
        let (report, checked) = import(&town, &rows, MAP);
        assert_eq!(
            report.rejected, 4,
            "roofs of three lots without a home, and of the lot without an id: {:?}",
            report.reasons
        );
        let roofs = |n: u32| town.find(&format!("{n} Elm St, Harrow, OH 43099")).unwrap().buildings.len();
        assert_eq!([2, 4, 6, 8].map(roofs), [1, 0, 0, 1], "{none}");
        let told: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
        for told in [told, checked] {
            assert!(
                told.iter().any(|t| t.starts_with("2 rows have a parcel id") && t.contains(&format!("`{none}`"))),
                "{told:?}"
            );
        }
    }
}

#[test]
fn an_id_that_many_addresses_share_is_no_id() {
    for count in [2, 8, 9, 30] {
        let ids: Vec<String> = (0..4).map(|n| format!("10200000{}", n / 2)).collect();
        let town = town(&ids);
        let rows: String = (0..count).map(|n| format!("102000000,{},ELM ST\n", 2 + 2 * n)).collect();
        let (report, checked) = import(&town, &rows, MAP);
        let is_shared = count > 8;
        let home = town.find("2 Elm St, Harrow, OH 43099").unwrap();
        assert_eq!((home.buildings.is_empty(), home.parcel.is_none()), (is_shared, is_shared), "{count}");
        assert_eq!(report.places, count as u64);
        let told: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
        for told in [told, checked] {
            assert_eq!(
                told.iter().any(|t| t.contains("shared by more than 8 addresses each (`102000000`)")),
                is_shared,
                "{told:?}"
            );
        }
    }
    // The units of one building are one address.
    let town = town(&["T1".to_owned()]);
    let mapping = MAP.replace("number = \"NUM\"\nstreet = \"STREET\"", "line = \"STREET\"\nunit = \"NUM\"");
    let rows: String = (1..40).map(|n| format!("T1,{n},12 ELM ST\n")).collect();
    let (_, checked) = import(&town, &rows, &mapping);
    assert_eq!(town.find("12 Elm St Apt 7, Harrow, OH 43099").unwrap().buildings.len(), 1);
    assert!(!checked.iter().any(|t| t.contains("shared by")), "{checked:?}");
}

#[test]
fn a_layer_whose_ids_were_all_rounded_is_refused_with_the_reason() {
    let town = town(&(0..5).map(|_| "1.02E+14".to_owned()).collect::<Vec<_>>());
    let roll = town.write("roll.csv", "PIN,NUM,STREET\n102000000000001,2,ELM ST\n");
    let error =
        town.import(MAP, &[&roll, &town.path("lots.geojson"), &town.path("roofs.geojson")]).unwrap_err().to_string();
    assert!(error.contains("a spreadsheet rounded") && error.contains("1.02E+14"), "{error}");
}

#[test]
fn a_house_number_that_became_a_date_is_rejected() {
    for number in ["12-Oct", "Jan-14", "1-Feb", "2024-10-12", "Mar-05", "30-Apr", "May-01", "3-Jun", "Aug-88", "11-Dec"]
    {
        let town = town(&["R1".to_owned(), "R2".to_owned()]);
        let (report, _) = import(&town, &format!("R1,2,ELM ST\nR2,{number},ELM ST\n"), MAP);
        let told = format!("`{number}` is a date that a spreadsheet made of a house number");
        assert!(report.reasons.iter().any(|(reason, n)| *n == 1 && reason.to_string() == told), "{:?}", report.reasons);
    }
}
