//! Small invented pictures in each compression, layout and depth. `tests/gdal.py fixtures tests/files` makes them, and
//! writes down what GDAL reads.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use shingle_imagery::{Cut, Placed, Window};

fn files() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

/// Means of what is seen in the four quarters of a cut.
pub fn quarters(cut: &Cut) -> Vec<Option<[f64; 3]>> {
    let (wide, high) = (cut.wide as usize, cut.high as usize);
    let mut sums = [([0.0; 3], 0.0); 4];
    for (at, seen) in cut.seen.iter().enumerate().filter(|(_, seen)| **seen) {
        assert!(*seen);
        let quarter = &mut sums[usize::from(at / wide >= high / 2) * 2 + usize::from(at % wide >= wide / 2)];
        (0..3).for_each(|i| quarter.0[i] += f64::from(cut.rgb[at * 3 + i]));
        quarter.1 += 1.0;
    }
    sums.map(|(sum, count)| (count > 0.0).then(|| sum.map(|s| s / count))).to_vec()
}

/// How far the means of a cut are from those that were expected.
pub fn worst(cut: &Cut, expected: &Value) -> f64 {
    let mut worst: f64 = 0.0;
    for (got, wanted) in quarters(cut).iter().zip(expected["means"].as_array().unwrap()) {
        // A quarter that is covered by less than a pixel has no color; what is covered is compared apart.
        if let (Some(got), Some(wanted)) = (got, wanted.as_array()) {
            for (got, wanted) in got.iter().zip(wanted) {
                worst = worst.max((got - wanted.as_f64().unwrap()).abs());
            }
        }
    }
    worst
}

/// The whole of a picture in its own pixels, as near as a window comes to it.
fn whole(picture: &Placed) -> Window {
    let facts = picture.facts();
    let [west, south, east, north] = facts.bounds;
    let meters = f64::from(facts.width) * facts.meters_per_pixel;
    Window::about(f64::midpoint(west, east), f64::midpoint(south, north), meters, facts.width, facts.height)
}

#[test]
fn every_kind_of_file_has_the_colors_that_gdal_reads() {
    let expected: Value = serde_json::from_slice(&fs::read(files().join("expected.json")).unwrap()).unwrap();
    let expected = expected.as_array().unwrap();
    assert!(expected.len() > 25, "{}", expected.len());
    for expected in expected {
        let name = expected["file"].as_str().unwrap();
        let picture = Placed::open(&files().join(name), None).unwrap_or_else(|e| panic!("{name}: {e}"));
        let cut = picture.cut(&whole(&picture)).unwrap_or_else(|e| panic!("{name}: {e}")).unwrap();
        let (worst, covered) = (worst(&cut, expected), expected["covered"].as_f64().unwrap());
        println!("{name}: {worst:.2} off");
        // Colors that are stored at half the size spread over an edge, in each decoder a bit differently.
        let most = if name.contains("ycbcr") { 3.0 } else { 1.0 };
        assert!(worst < most, "{name}: {worst} off: {:?} instead of {}", quarters(&cut), expected["means"]);
        assert!((cut.covered - covered).abs() < 0.05, "{name}: {} instead of {covered}", cut.covered);
    }
}
