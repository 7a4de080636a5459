//! Cuts of the photographs of `../shared` against what GDAL makes of the same windows. Needs python3 with rasterio.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use shingle_imagery::{Placed, Window};
use shingle_testing::{shared, skip};

use crate::fixtures::{quarters, worst};

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gdal.py")
}

/// Whether GDAL is there to be asked; otherwise the test is skipped.
fn gdal() -> bool {
    let found = Command::new("python3").args(["-c", "import rasterio"]).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        skip("there is no python3 with rasterio to compare with");
    }
    found
}

fn expected(requests: &[Value]) -> Vec<Value> {
    let mut child = Command::new("python3")
        .arg(script())
        .arg("expect")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn request(file: &Path, system: Option<&str>, window: &Window) -> Value {
    json!({
        "file": file, "system": system, "longitude": window.longitude, "latitude": window.latitude,
        "meters_wide": window.meters_wide, "meters_high": window.meters_high, "wide": window.wide,
        "high": window.high,
    })
}

/// Windows at several scales, over the middle and over a corner.
fn windows(picture: &Placed) -> Vec<Window> {
    let facts = picture.facts();
    let [west, south, east, north] = facts.bounds;
    let at = |x: f64, y: f64| (west + (east - west) * x, south + (north - south) * y);
    let pixel = facts.meters_per_pixel;
    let short = f64::from(facts.width.min(facts.height)).min(400.0);
    let (middle, corner) = (at(0.5, 0.5), at(0.12, 0.85));
    vec![
        // Its own pixels, four to one, one to three.
        Window::about(middle.0, middle.1, short * 0.8 * pixel, (short * 0.8) as u32, (short * 0.8) as u32),
        Window::about(middle.0, middle.1, short * 0.8 * pixel, (short * 0.2) as u32, (short * 0.2) as u32),
        Window::about(middle.0, middle.1, 60.0 * pixel, 180, 180),
        Window::about(corner.0, corner.1, short * 0.5 * pixel, (short * 0.3) as u32, (short * 0.3) as u32),
    ]
}

fn compare(files: &[(PathBuf, Option<&str>)], which: &[usize]) {
    let mut requests = Vec::new();
    let mut cuts = Vec::new();
    for (file, system) in files {
        let picture = Placed::open(file, *system).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        for window in which.iter().map(|i| windows(&picture)[*i]) {
            let cut = picture.cut(&window).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            requests.push(request(file, *system, &window));
            cuts.push((file, window, cut));
        }
    }
    let expected = expected(&requests);
    assert_eq!(expected.len(), cuts.len());
    let mut wrong = Vec::new();
    for ((file, window, cut), expected) in cuts.iter().zip(&expected) {
        let name = file.file_name().unwrap().to_string_lossy();
        let covered = expected["covered"].as_f64().unwrap();
        let Some(cut) = cut else {
            if covered > 0.02 {
                wrong.push(format!("{name}: nothing instead of {covered}"));
            }
            continue;
        };
        let (worst, off) = (worst(cut, expected), (cut.covered - covered).abs());
        println!(
            "{name} {} -> {}: {worst:.2} off, covered {:.3} of {covered:.3}",
            window.meters_wide, window.wide, cut.covered
        );
        // Pixels at the border of what is shown count as a whole in one and as a part in the other.
        let most = if covered > 0.9999 { 1.0 } else { 2.0 };
        // None of these photographs has a cloud.
        if worst > most || off > 0.02 || cut.cloudy > 0.0 {
            wrong.push(format!(
                "{name} {window:?}: {worst}, {off}, {}: {:?} instead of {expected}",
                cut.cloudy,
                quarters(cut)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn real_photographs_have_the_colors_of_gdal() {
    let (Some(folder), true) = (shared("data/imagery"), gdal()) else { return };
    let names = [
        "atlanta_sample",
        "hro_colorado_201404",
        "hro_colorado_201404_alpha",
        "naip_m_3211605_ne_11_060_20200415",
        "riotiler_cog_cmap_paletted",
        "riotiler_hro_colorado_extmask",
        "riotiler_hro_colorado_mask",
        "riotiler_hro_colorado_nodata",
        "riotiler_pix4d_alpha_nodata",
    ];
    let mut files: Vec<_> = names.map(|name| (folder.join(format!("{name}.tif")), None)).to_vec();
    files.push((folder.join("ign_ortho_77055_627760.tif"), Some("EPSG:2154")));
    compare(&files, &[0, 1, 2, 3]);
}

#[test]
fn a_photograph_has_the_colors_of_gdal_however_it_is_stored() {
    let (Some(folder), true) = (shared("data/imagery/ign_ortho_77055_627760.tif"), gdal()) else { return };
    let out = tempfile::tempdir().unwrap();
    let derived = Command::new("python3").arg(script()).arg("derive").arg(folder).arg(out.path()).output().unwrap();
    assert!(derived.status.success(), "{}", String::from_utf8_lossy(&derived.stderr));
    let files: Vec<_> =
        String::from_utf8(derived.stdout).unwrap().lines().map(|line| (PathBuf::from(line), None)).collect();
    assert!(files.len() > 90, "{}", files.len());
    compare(&files, &[0, 3]);
}
