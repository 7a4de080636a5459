//! Bad rows, bad files, and imports that were cut short.

use std::fs;

use super::files::*;
use crate::error::ImportError;
use crate::row::row_problem::RowProblem;
use crate::run::checkpoint::{Checkpoint, ImportWorkdir};
use crate::run::fingerprint::Fingerprint;
use crate::run::rejects::Rejects;
use crate::{ImportJob, Mapping, run};
use shingle_property::external_sort::Sorter;

fn old_index() -> Town {
    let town = Town::new();
    let shp = town.shapefile("old.shp", &street(5), Some(WGS84));
    town.import(OUTLINES, &[&shp]).unwrap();
    town
}

fn still_served(town: &Town) {
    assert!(town.find("104 Tanner St, Harrow, OH 43099").is_some(), "the old index is gone");
    let left: Vec<_> = fs::read_dir(town.index()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|n| n.to_string_lossy().starts_with(".importing")), "{left:?}");
}

#[test]
fn a_wrong_projection_ends_the_import_with_one_clear_message() {
    let town = old_index();
    let mut houses = street(30);
    bend(&mut houses, |(x, y)| (x * 100_000.0 + 2e7, y * 90_000.0));
    let shp = town.shapefile("new.shp", &houses, Some(WGS84));
    let error = town.import(OUTLINES, &[&shp]).unwrap_err().to_string();
    assert!(error.contains("30 of 30 shapes: outside the United States; is the projection right?"), "{error}");
    assert!(error.contains("`crs`") && error.contains("Nothing was imported"), "{error}");
    still_served(&town);

    let shp = town.shapefile("new.shp", &houses, None);
    fs::remove_file(shp.with_extension("prj")).unwrap();
    let error = town.import(OUTLINES, &[&shp]).unwrap_err().to_string();
    assert!(error.contains("there is no .prj"), "{error}");
    still_served(&town);
}

#[test]
fn swapped_coordinates_are_called_swapped() {
    let town = old_index();
    let mut houses = street(30);
    bend(&mut houses, |(x, y)| (y, x));
    let shp = town.shapefile("new.shp", &houses, Some(WGS84));
    let error = town.import(OUTLINES, &[&shp]).unwrap_err().to_string();
    assert!(error.contains("coordinates look swapped"), "{error}");
    still_served(&town);

    // A few among many are rows, not the file.
    bend(&mut houses[3..], |(x, y)| (y, x));
    let shp = town.shapefile("new.shp", &houses, Some(WGS84));
    let report = town.import(OUTLINES, &[&shp]).unwrap();
    assert_eq!((report.imported, report.rejected), (27, 3));
    assert!(town.rejects("test-outlines").contains("new.shp,1,coordinates look swapped"));
}

#[test]
fn a_mapping_names_the_projection_that_a_file_lacks() {
    let town = Town::new();
    let web = |(x, y): (f64, f64)| {
        let r = 6_378_137.0;
        (r * x.to_radians(), r * (std::f64::consts::FRAC_PI_4 + y.to_radians() / 2.0).tan().ln())
    };
    let mut houses = street(3);
    bend(&mut houses, web);
    let shp = town.shapefile("a.shp", &houses, None);
    let mapping = OUTLINES.replace("outline_kind = \"eave\"", "outline_kind = \"eave\"\ncrs = 3857");
    town.import(&mapping, &[&shp]).unwrap();
    let area = plan_area(&town.find("102 Tanner St, Harrow, OH 43099").unwrap());
    assert!((area / 157.4 - 1.0).abs() < 2e-3, "{area}");
}

#[test]
fn a_truncated_shapefile_is_refused_and_the_old_index_served() {
    let town = old_index();
    let shp = town.shapefile("new.shp", &street(30), Some(WGS84));
    for ending in ["shp", "dbf"] {
        let path = shp.with_extension(ending);
        let whole = fs::read(&path).unwrap();
        for keep in [whole.len() - 200, whole.len() / 2, 60] {
            fs::write(&path, &whole[..keep]).unwrap();
            let error = town.import(OUTLINES, &[&shp]).unwrap_err().to_string();
            assert!(error.contains("truncated"), "{ending} cut to {keep}: {error}");
            still_served(&town);
        }
        fs::write(&path, whole).unwrap();
    }
    town.import(OUTLINES, &[&shp]).unwrap();
}

#[test]
fn a_table_of_another_shapefile_is_refused() {
    let town = old_index();
    let shp = town.shapefile("new.shp", &street(30), Some(WGS84));
    let other = town.shapefile("other.shp", &street(29), Some(WGS84));
    fs::copy(other.with_extension("dbf"), shp.with_extension("dbf")).unwrap();
    let error = town.import(OUTLINES, &[&shp]).unwrap_err().to_string();
    assert!(error.contains("30 shapes here, 29 records"), "{error}");
    fs::remove_file(shp.with_extension("dbf")).unwrap();
    assert!(town.import(OUTLINES, &[&shp]).unwrap_err().to_string().contains(".dbf"));
    still_served(&town);
}

#[test]
fn a_record_that_lies_about_its_points_costs_one_row() {
    let town = Town::new();
    let shp = town.shapefile("a.shp", &street(10), Some(WGS84));
    let mut bytes = fs::read(&shp).unwrap();
    // Number of points of the first record: header, record header, type, box, parts.
    bytes[100 + 8 + 40..100 + 8 + 44].copy_from_slice(&i32::MAX.to_le_bytes());
    fs::write(&shp, bytes).unwrap();
    let report = town.import(OUTLINES, &[&shp]).unwrap();
    assert_eq!((report.imported, report.rejected), (9, 1));
    assert!(town.rejects("test-outlines").contains("the shape's record is damaged"));
}

#[test]
fn the_same_row_again_is_counted_and_dropped() {
    let town = Town::new();
    let mut houses = street(3);
    houses.iter_mut().for_each(|h| h.parcel = "77");
    houses.push(houses[1].clone());
    houses.push(house("77", "", "", -82.4985, 40.2502));
    let shp = town.shapefile("a.shp", &houses, Some(WGS84));
    let report = town.import(OUTLINES, &[&shp]).unwrap();
    assert_eq!((report.rows_read, report.imported, report.duplicates, report.places), (5, 4, 1, 3));
    // The one without an address stands nearest to the second house.
    assert_eq!(town.find("102 Tanner St, Harrow, OH 43099").unwrap().buildings.len(), 2);
}

#[test]
fn hostile_text_is_kept_harmless() {
    let town = Town::new();
    let table = "id,address,zip,owner,year,area,price,sold,home,roof\n\
        1,12 <script>alert(1)</script> Ln,43099,\"=cmd|'/c calc'!A1\",1950,,,,,\n\
        2,=HYPERLINK(1),43099,x,1950,,,,,\n\
        3,\"14 Fern\u{202e} Ln\0\r\n\",43099,\"O'Neil\"\"; DROP TABLE place;--\",99999,NaN,1e999,13/45/2000,,\n\
        4,16 Fern Ln,4309,y\n\
        5,18 Fern Ln,ABCDE,y,1950,,,,,\n";
    let long = format!("6,20 {} Ln,43099,,,,,,,\n", "Fern".repeat(10_000));
    let file = town.write("t.csv", format!("{table}{long}"));
    let report = town.import(TABLE, &[&file]).unwrap();
    assert_eq!((report.rows_read, report.imported, report.rejected), (6, 2, 4));
    let rejects = town.rejects("test-table");
    assert!(rejects.contains("'=HYPERLINK") && !rejects.contains(",=HYPERLINK"), "{rejects}");
    assert!(
        rejects.contains("4 fields where the header has 10") && rejects.contains("`ABCDE` is not a ZIP"),
        "{rejects}"
    );
    let place = town.find("14 Fern Ln, Harrow, OH 43099").unwrap();
    assert_eq!(place.address.street_address, "Fern Ln");
    assert_eq!(place.assessor.primary_owner.unwrap().value, "O'Neil\"; DROP TABLE place;--");
    assert!(place.assessor.year_built.is_none() && place.assessor.sale_date.is_none());
}

#[test]
fn a_quotation_mark_left_open_does_not_take_the_memory() {
    let town = Town::new();
    let mut text = "id,address,zip,owner,year,area,price,sold,home,roof\n1,\"12 Fern Ln,43099,x,,,,,,\n".to_owned();
    text.push_str(&"2,14 Fern Ln,43099,x,,,,,,\n".repeat(400_000));
    let file = town.write("t.csv", text);
    let error = town.import(TABLE, &[&file]).unwrap_err().to_string();
    assert!(error.contains("quotation mark"), "{error}");
}

#[test]
fn when_no_row_fits_the_index_stays() {
    let town = old_index();
    let mut houses = street(4);
    houses.iter_mut().for_each(|h| h.number = String::new());
    let shp = town.shapefile("new.shp", &houses, Some(WGS84));
    let error = town.import(OUTLINES, &[&shp]).unwrap_err().to_string();
    assert!(error.contains("no row of 4 could be imported") && error.contains("no house number"), "{error}");
    still_served(&town);
}

#[test]
fn an_interrupted_import_goes_on_where_it_stopped() {
    let town = Town::new();
    let mut houses = street(60);
    houses[3].number = String::new();
    houses[50].number = String::new();
    let shp = town.shapefile("a.shp", &houses, Some(WGS84));
    let whole = town.import(OUTLINES, &[&shp]).unwrap();
    let places = town.find("190 Tanner St, Harrow, OH 43099");

    // The state that a process killed after forty rows leaves behind.
    let mapping = Mapping::from_toml(OUTLINES, "test.toml").unwrap();
    let again = Town::new();
    let job = || ImportJob { files: vec![shp.clone()], mapping: &mapping, into: again.index() };
    {
        fs::create_dir_all(again.index()).unwrap();
        let workdir = ImportWorkdir::open(&again.index(), "test-outlines").unwrap();
        let fingerprint = Fingerprint::of(&job()).unwrap().take().unwrap();
        let mut state = Checkpoint { fingerprint, ..workdir.resume(|| Ok(String::new())).unwrap() };
        let zips = Default::default();
        let reading = crate::row::reader::RowReader::new(&mapping.table, &zips);
        let mut file = crate::format::open::open_rows(&shp, &mapping.table.columns, &mapping.table.dialect).unwrap();
        let mut rejects = Rejects::open(&workdir.side_file(), 0).unwrap();
        let mut sorter = Sorter::new(workdir.folder(), "rows", 1);
        let mut row = crate::format::source::Row::default();
        for at in 1..=40 {
            file.next_row(&mut row).unwrap();
            let degrees = shingle_projection::Projection::Degrees;
            match reading.read(0, at, &mut row, Some(&degrees), &mut state.stats) {
                Ok(row) => {
                    let value = postcard::to_stdvec(&row).unwrap();
                    assert!(sorter.push(&[row.group.as_bytes()], &value).unwrap());
                    state.runs = sorter.runs().to_vec();
                }
                Err(e) => {
                    state.rejected += 1;
                    rejects.push("a.shp", (at, None), &e.reason, &e.raw).unwrap();
                }
            }
        }
        state.file_rows = 40;
        state.rows_read = 40;
        state.side_file = rejects.sync().unwrap();
        workdir.save(&state).unwrap();
        // Rows read after the checkpoint leave traces that must not count twice.
        rejects.push("a.shp", (51, None), &RowProblem::NoStreet.into(), "").unwrap();
        rejects.sync().unwrap();
        fs::write(workdir.folder().join("rows-41.run"), b"half a run").unwrap();
    }
    let report = run(job(), &mut ()).unwrap();
    assert_eq!(report.resumed_from, Some(40));
    assert_eq!((report.rows_read, report.imported, report.rejected), (whole.rows_read, whole.imported, whole.rejected));
    assert_eq!(again.find("190 Tanner St, Harrow, OH 43099"), places);
    assert_eq!(again.rejects("test-outlines"), town.rejects("test-outlines"));
    still_served(&again);
}

#[test]
fn a_file_that_is_written_while_it_is_read_has_no_fingerprint() {
    let town = Town::new();
    let mapping = Mapping::from_toml(OUTLINES, "test.toml").unwrap();
    let file = town.write("a.csv", "id\n1\n");
    let job = ImportJob { files: vec![file.clone()], mapping: &mapping, into: town.index() };
    let before = Fingerprint::of(&job).unwrap();
    let first = before.take().unwrap();
    assert!(!first.is_empty());
    fs::write(&file, "id\n1\n2\n").unwrap();
    assert_eq!(before.take().unwrap(), "");
    assert_ne!(Fingerprint::of(&job).unwrap().take().unwrap(), first);
}

#[test]
fn leftovers_of_another_import_are_swept_away() {
    let town = Town::new();
    let folder = town.index().join(".importing-test-outlines");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("run-0"), b"old").unwrap();
    fs::write(folder.join("checkpoint.json"), br#"{"format":1,"fingerprint":"other"}"#).unwrap();
    let shp = town.shapefile("a.shp", &street(5), Some(WGS84));
    let report = town.import(OUTLINES, &[&shp]).unwrap();
    assert_eq!((report.places, report.resumed_from), (5, None));
    still_served(&town);
}

#[test]
fn two_imports_of_one_data_set_do_not_mix() {
    let town = old_index();
    let held = ImportWorkdir::open(&town.index(), "test-outlines").unwrap();
    let shp = town.shapefile("a.shp", &street(5), Some(WGS84));
    assert!(matches!(town.import(OUTLINES, &[&shp]), Err(ImportError::Busy { .. })));
    drop(held);
    town.import(OUTLINES, &[&shp]).unwrap();
}
