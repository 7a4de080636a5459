//! Areas on the command line, from a bucket of our own, with a program that is killed at each step.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use shingle_testing::bucket::{Bucket, Fault};
use shingle_testing::imagery::{self, Photograph, imagery_description};
use shingle_testing::release::{Home, Layout, ReleaseFiles, description, town};
use shingle_testing::survey::{MadeSurvey, list, survey_description};

use super::{failure, json, shingle};

const BUILT_IN: &str = include_str!("../../../../assets/sources/overture.toml");
const HOME: &str = "12 Alder Court, Boulder, CO 80302";
const ADD: [&str; 5] = ["area", "add", "80302", "--miles", "3"];

fn homes() -> Vec<Home> {
    town("a", (-105.349, 40.025), 10, 20, ("80302", "Boulder", "CO"))
}

fn publish(bucket: &Bucket, release: &str, homes: &[Home]) {
    let mut files = ReleaseFiles::default();
    files.add(release, homes, &Layout { rows_of_group: 100, ..Layout::default() }).unwrap();
    files.publish(bucket, release).unwrap();
}

fn bucket_for(data: &Path) -> Bucket {
    let bucket = Bucket::start().unwrap();
    publish(&bucket, "2026-10-21.0", &homes());
    std::fs::write(data.join("shingle.toml"), "egress_allow = '127.0.0.0/8'\negress_http = true\n").unwrap();
    let sources = data.join("kept/sources");
    std::fs::create_dir_all(&sources).unwrap();
    std::fs::write(sources.join("overture.toml"), description(&bucket, BUILT_IN, true)).unwrap();
    bucket
}

fn text(data: &Path, words: &[&str]) -> String {
    let output = shingle(data, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_zip_becomes_priced_homes_once_the_license_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let bucket = bucket_for(data);
    let told = text(data, &ADD);
    for said in
        ["about 200 addresses, 200 buildings", "to download", "Open Database License", "Nothing was loaded. Add --yes"]
    {
        assert!(told.contains(said), "{said}: {told}");
    }
    assert_eq!(json(data, &["area", "list"]), serde_json::json!([]));
    let planned = json(data, &ADD);
    assert_eq!((&planned["plan"]["license"]["accepted"], &planned["area"]), (&false.into(), &Value::Null));
    assert!(failure(data, &["lookup", HOME]).contains("Nothing is imported yet"));

    let added = json(data, &[&ADD[..], &["--yes"]].concat());
    let load = &added["area"]["current"];
    assert_eq!((&load["rows"]["places"], &load["rows"]["withOutline"]), (&200.into(), &200.into()), "{added}");
    assert_eq!(load["homes"].as_array().unwrap().len(), 3);
    for home in load["homes"].as_array().unwrap() {
        let found = json(data, &["lookup", home.as_str().unwrap()]);
        assert!(found["roofEstimate"]["roofArea"].as_f64().unwrap() > 500.0, "{home}: {found}");
    }
    assert!(text(data, &["lookup", HOME]).contains("roofCostEstimate"));
    let sources = json(data, &["lookup", HOME])["evidence"]["place"]["sources"].to_string();
    for said in ["ODbL", "OpenStreetMap contributors", "2026-10-21"] {
        assert!(sources.contains(said), "{said}: {sources}");
    }

    let list = text(data, &["area", "list"]);
    assert!(list.contains("area-80302") && list.contains("2026-10-21.0") && list.contains("ready"), "{list}");
    let show = text(data, &["area", "show", "80302"]);
    assert!(show.contains("200 homes from 400 rows") && show.contains("license accepted"), "{show}");

    publish(&bucket, "2026-11-18.0", &homes()[..190]);
    let checked = json(data, &["area", "refresh", "--check"]);
    assert_eq!((&checked[0]["isNewer"], &checked[0]["area"]), (&true.into(), &Value::Null));
    let refreshed = text(data, &["area", "refresh", "80302"]);
    assert!(refreshed.contains("0 new, 10 gone, 0 moved"), "{refreshed}");
    assert!(text(data, &["area", "refresh"]).contains("is the newest"));
    let undone = text(data, &["area", "undo", "80302"]);
    assert!(undone.contains("release 2026-10-21.0"), "{undone}");
    assert!(undone.contains("release 2026-11-18.0 waits, because a person took it back"), "{undone}");
    assert_eq!(json(data, &["area", "monthly"])["monthly"], false);
    assert!(text(data, &["area", "monthly", "on"]).contains("once a month"));
    assert!(text(data, &["area", "list"]).contains("once a month"));
    assert_eq!(json(data, &["area", "monthly", "off"])["monthly"], false);
    let removed = text(data, &["area", "remove", "80302"]);
    assert!(removed.contains("is removed"), "{removed}");
    assert!(failure(data, &["area", "show", "80302"]).contains("area list"));
}

const LIDAR: &str = include_str!("../../../../assets/sources/usgs-lidar.toml");

#[test]
fn roofs_are_measured_from_the_survey_where_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let bucket = bucket_for(data);
    std::fs::write(data.join("kept/sources/usgs-lidar.toml"), survey_description(&bucket, LIDAR)).unwrap();
    MadeSurvey::over(&homes()[..20], 5).publish(&bucket, "CO_Boulder_2021");
    bucket.put("resources.geojson", list(&[("CO_Boulder_2021", [-106.0, 39.5, -104.5, 40.5])]));
    let told = text(data, &[&ADD[..], &["--survey"]].concat());
    assert!(
        told.contains("roofs measured from the laser survey CO_Boulder_2021 (2021): takes at most about"),
        "{told}"
    );
    let added = text(data, &[&ADD[..], &["--survey", "--yes"]].concat());
    for said in
        ["roofs measured from the survey CO_Boulder_2021 (2021): 20 of 200", "180: the survey has no points there"]
    {
        assert!(added.contains(said), "{said}: {added}");
    }
    assert!(text(data, &["area", "list"]).contains("20 of 200"));
    let found = json(data, &["lookup", HOME]);
    let outline = &found["evidence"]["place"]["buildings"][0]["outline"];
    assert_eq!(outline["planes"].as_array().map(Vec::len), Some(2), "{found}");
    let source = outline["survey"]["source"].as_u64().unwrap() as usize;
    let source = &found["evidence"]["place"]["sources"][source];
    assert_eq!(source["title"], "USGS 3D Elevation Program, CO_Boulder_2021");

    // The switch is kept, and a survey that cannot be used costs no home.
    publish(&bucket, "2026-11-18.0", &homes());
    bucket.remove("resources.geojson");
    let refreshed = text(data, &["area", "refresh", "80302"]);
    assert!(refreshed.contains("roofs not measured: there is nothing at"), "{refreshed}");
    let shown = json(data, &["area", "show", "80302"]);
    assert_eq!((&shown["survey"], &shown["current"]["rows"]["places"]), (&true.into(), &200.into()), "{shown}");
}

const NAIP: &str = include_str!("../../../../assets/sources/usgs-naip.toml");

#[test]
fn photographs_are_loaded_where_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let bucket = bucket_for(data);
    std::fs::write(data.join("kept/sources/usgs-naip.toml"), imagery_description(&bucket, NAIP)).unwrap();
    let flown = Photograph::flown(1, (1_689_292_800_000, 2023), [-106.0, 39.5, -104.5, 40.5]);
    imagery::publish(&bucket, &[flown], 100);
    let told = text(data, &[&ADD[..], &["--photos"]].concat());
    assert!(told.contains("photos from the air, USGS NAIP Plus of 2023-07: takes at most"), "{told}");
    let added = text(data, &[&ADD[..], &["--photos", "--yes"]].concat());
    assert!(added.contains("photos from the air of 2023-07:"), "{added}");
    assert!(text(data, &["area", "list"]).contains("2023-07"));
    let photos = text(data, &["photo", "list"]);
    assert!(photos.contains("area-80302") && photos.contains("USDA, public domain"), "{photos}");

    // The switch is kept, and a service that fails costs no home and no photograph.
    publish(&bucket, "2026-11-18.0", &homes());
    bucket.answer(imagery::QUERY, |_| br#"{"error":{"code":499,"message":"Token Required"}}"#.to_vec());
    let refreshed = text(data, &["area", "refresh", "80302"]);
    assert!(refreshed.contains("photos not loaded: USGS NAIP Plus could not be read"), "{refreshed}");
    assert!(text(data, &["photo", "list"]).contains("area-80302"));
    let shown = json(data, &["area", "show", "80302"]);
    assert_eq!((&shown["photos"], &shown["current"]["rows"]["places"]), (&true.into(), &200.into()), "{shown}");
    text(data, &["area", "remove", "80302"]);
    assert!(text(data, &["photo", "list"]).contains("There are no photos"));
}

#[test]
fn what_is_no_area_is_asked_back() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    for (place, miles, said) in [
        ("00000", "5", "There is no ZIP 00000"),
        ("Springfield", "5", "write the state too"),
        ("80302", "5000", "The limit is 60 miles"),
        ("80302", "-1", "above 0"),
        ("K1A 0B1", "5", "Canada"),
        ("somewhere", "5", "No town or county is named somewhere"),
    ] {
        let told = failure(data, &["area", "add", place, "--miles", miles]);
        assert!(told.contains(said), "{place}: {told}");
    }
    assert!(failure(data, &["area", "add", "80302", "--miles", "many"]).contains("--miles"));
    assert!(failure(data, &["area", "remove", "area-80302"]).contains("There is no area named area-80302"));
}

#[cfg(unix)]
#[test]
fn a_program_that_is_killed_at_any_step_does_no_harm_and_the_next_one_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let bucket = bucket_for(data);
    json(data, &[&ADD[..], &["--yes"]].concat());
    publish(&bucket, "2026-11-18.0", &homes()[..195]);
    // The catalog, the boxes of all files, an end of a file, boxes, columns; then the second file.
    for (part, passing) in [
        ("catalog.json", 0),
        ("2026-11-18.0/collections.parquet", 0),
        ("11-18.0/theme=addresses", 0),
        ("11-18.0/theme=addresses", 1),
        ("11-18.0/theme=addresses", 3),
        ("11-18.0/theme=addresses", 5),
        ("11-18.0/theme=buildings", 1),
        ("11-18.0/theme=buildings", 4),
    ] {
        let held = bucket.hold(part, passing);
        let mut refresh = Command::new(env!("CARGO_BIN_EXE_shingle"))
            .current_dir(data)
            .args(["area", "refresh", "80302", "--data"])
            .arg(data.join("kept"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        held.wait();
        refresh.kill().unwrap();
        refresh.wait().unwrap();
        bucket.release();
        let area = &json(data, &["area", "show", "80302"])["current"];
        assert_eq!(area["release"], "2026-10-21.0", "{part} {passing}");
        assert!(text(data, &["lookup", HOME]).contains("roofCostEstimate"), "{part} {passing}");
    }
    bucket.take_requests();
    let refreshed = json(data, &["area", "refresh", "80302"]);
    assert_eq!(refreshed[0]["area"]["current"]["rows"]["places"], 195, "{refreshed}");
    // The end of the file was read again, and nothing else of what was whole.
    let again = bucket.take_requests().into_iter().filter(|r| r.path.contains("theme=addresses")).count();
    assert_eq!(again, 1);
    bucket.fail("catalog.json", Fault::Status(404), 0, 1);
    assert!(failure(data, &["area", "refresh"]).contains("there is nothing at"));
}
