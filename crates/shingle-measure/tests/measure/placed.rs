//! Units and places: feet, Web Mercator, degrees, and outlines in longitude and latitude.

use shingle_measure::{MeasureError, Outlines, measure_files};

use crate::support::las::{Kind, TestPoint};
use crate::support::made::{Flight, MadeRoof, fly, house};
use crate::{measured, outline, outlines, write};

const FLIGHT: Flight = Flight { density: 10.0, noise: 0.03, outliers: false, trees: false, chimney: false };
const FOOT: f64 = 1200.0 / 3937.0;

fn gable() -> (MadeRoof, Vec<TestPoint>) {
    let roof = house("gable", 21);
    let points = fly(&roof, FLIGHT, 6);
    (roof, points)
}

/// Each place by a rule, heights by a factor.
fn moved(points: &[TestPoint], to: impl Fn(f64, f64) -> (f64, f64), height: f64) -> Vec<TestPoint> {
    let place = |(p, class): &TestPoint| {
        let (x, y) = to(p[0], p[1]);
        ([x, y, p[2] * height], *class)
    };
    points.iter().map(place).collect()
}

fn check(kind: &Kind, points: &[TestPoint], ring: Vec<(f64, f64)>, roof: &MadeRoof, within: f64) {
    let truth = roof.truth();
    let m = measured(kind, points, ring).unwrap();
    assert!((m.area / truth.area - 1.0).abs() < within, "{} is not {}", m.area, truth.area);
    assert!((m.pitch_degrees - truth.pitch).abs() < 0.5, "{} is not {}", m.pitch_degrees, truth.pitch);
}

const STATE_PLANE: &str = r#"PROJCS["NAD83 / Virginia South (ftUS)",GEOGCS["NAD83",DATUM["North_American_Datum_1983",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic_2SP"],PARAMETER["standard_parallel_1",37.96666666666667],PARAMETER["standard_parallel_2",36.76666666666667],PARAMETER["latitude_of_origin",36.33333333333334],PARAMETER["central_meridian",-78.5],PARAMETER["false_easting",11482916.667],PARAMETER["false_northing",3280833.333],UNIT["US survey foot",0.3048006096012192]]"#;

#[test]
fn feet_are_feet_however_they_are_said() {
    let (roof, points) = gable();
    let offset = [11_500_000.0, 3_400_000.0, 0.0];
    let feet = |x: f64, y: f64| (x / FOOT + offset[0], y / FOOT + offset[1]);
    let ring: Vec<_> = roof.outline().iter().map(|p| feet(p.0, p.1)).collect();
    let in_feet = moved(&points, feet, 1.0 / FOOT);
    let plain = Kind { offset, ..Kind::plain() };
    // By keys alone: the number of the zone in feet.
    check(&Kind { keys: vec![[3072, 0, 1, 2284]], ..plain.clone() }, &in_feet, ring.clone(), &roof, 0.003);
    // The number of a zone in meters, with a unit of feet beside it: the unit counts.
    let keys = vec![[3072, 0, 1, 32_147], [3076, 0, 1, 9003]];
    check(&Kind { keys: keys.clone(), ..plain.clone() }, &in_feet, ring.clone(), &roof, 0.003);
    // WKT without a number counts more than keys that name a zone in meters.
    let wkt = Some(STATE_PLANE.to_owned());
    check(
        &Kind { wkt: wkt.clone(), keys: vec![[3072, 0, 1, 32_147]], ..plain.clone() },
        &in_feet,
        ring.clone(),
        &roof,
        0.003,
    );
    // Feet on the ground, heights in meters: only the keys say so.
    let mixed = moved(&points, feet, 1.0);
    let kind = Kind { wkt, keys: vec![[4099, 0, 1, 9001]], ..plain.clone() };
    check(&kind, &mixed, ring.clone(), &roof, 0.003);
    let compound = format!(
        r#"COMPD_CS["x",{STATE_PLANE},VERT_CS["NAVD88",VERT_DATUM["North American Vertical Datum 1988",2005],UNIT["metre",1.0]]]"#
    );
    check(&Kind { wkt: Some(compound), ..plain.clone() }, &mixed, ring.clone(), &roof, 0.003);
    let wkt2 = r#"COMPOUNDCRS["x",PROJCRS["UTM",BASEGEOGCRS["NAD83",DATUM["d",ELLIPSOID["GRS 1980",6378137,298.257222101]]],CONVERSION["c",METHOD["Unheard of"]],CS[Cartesian,2],AXIS["e",east],AXIS["n",north],LENGTHUNIT["foot",0.3048006096012192]],VERTCRS["h",VDATUM["v"],CS[vertical,1],AXIS["up",up],LENGTHUNIT["metre",1]]]"#;
    check(&Kind { wkt: Some(wkt2.to_owned()), ..plain }, &mixed, ring, &roof, 0.003);
}

#[test]
fn heights_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (mut points, mut rings) = (Vec::new(), Vec::new());
    for seed in 0..4_u32 {
        let roof = house("gable", u64::from(seed) + 40);
        let aside = f64::from(seed) * 60.0;
        // Heights in feet, said to be meters.
        points.extend(moved(&fly(&roof, FLIGHT, 6), |x, y| (x + aside, y), 1.0 / FOOT));
        let ring = roof.outline().iter().map(|p| (p.0 + aside, p.1)).collect();
        rings.push(outline(&seed.to_string(), ring));
    }
    let path = write(folder.path(), "a.las", &Kind::plain(), &points);
    let error = measure_files(&[path], &outlines(rings)).unwrap_err();
    assert!(matches!(error, MeasureError::Units { .. }), "{error}");
}

#[test]
fn web_mercator_is_not_measured_as_it_lies() {
    let (roof, points) = gable();
    let stretch = 1.0 / 40_f64.to_radians().cos();
    // At 40 degrees north.
    let offset = [-8_500_000.0, 4_865_942.28, 0.0];
    let to = |x: f64, y: f64| (x * stretch + offset[0], y * stretch + offset[1]);
    let ring: Vec<_> = roof.outline().iter().map(|p| to(p.0, p.1)).collect();
    let kind = Kind { offset, keys: vec![[3072, 0, 1, 3857], [4099, 0, 1, 9001]], ..Kind::plain() };
    check(&kind, &moved(&points, to, 1.0), ring, &roof, 0.01);
}

#[test]
fn outlines_in_degrees_meet_points_in_meters_and_in_degrees() {
    let (roof, points) = gable();
    let truth = roof.truth();
    let folder = tempfile::tempdir().unwrap();
    // 75 degrees west on the equator's side of 40 north: the middle of zone 18.
    let (lat, lon) = (40.0_f64, -75.0_f64);
    let (north, east) = (111_035.0, 85_394.0);
    let degrees = |x: f64, y: f64| (lon + x / east, lat + y / north);
    let ring: Vec<String> =
        roof.outline().iter().map(|p| degrees(p.0, p.1)).map(|(x, y)| format!("[{x:.9},{y:.9}]")).collect();
    let json = format!(
        r#"{{"type":"Feature","id":7,"properties":{{}},"geometry":{{"type":"Polygon","coordinates":[[{},{}]]}}}}"#,
        ring.join(","),
        ring[0]
    );
    let outlines = Outlines::from_geojson(&json).unwrap();
    assert_eq!(outlines.outlines[0].id, "7");
    // On the middle meridian of a zone eastings are 500,000; the northing of 40 degrees by the formulas is 4,427,757.
    let offset = [500_000.0, 4_427_757.22, 0.0];
    let utm = moved(&points, |x, y| (x * 0.9996 + offset[0], y * 0.9996 + offset[1]), 1.0);
    let kind = Kind { offset, keys: vec![[3072, 0, 1, 26_918]], ..Kind::plain() };
    let in_degrees =
        Kind { offset: [lon, lat, 0.0], scale: 1e-8, keys: vec![[1024, 0, 1, 2], [2048, 0, 1, 4269]], ..Kind::plain() };
    // Heights need a scale of their own: this one is too fine for them.
    let low: Vec<_> = points.iter().map(|(p, c)| ([p[0], p[1], p[2]], *c)).collect();
    let files = [
        write(folder.path(), "utm.las", &kind, &utm),
        write(folder.path(), "degrees.las", &in_degrees, &moved(&low, degrees, 1.0)),
    ];
    for path in files {
        let report = measure_files(&[path], &outlines).unwrap();
        let m = report.roofs[0].result.as_ref().unwrap();
        assert!((m.area / truth.area - 1.0).abs() < 0.01, "{} is not {}", m.area, truth.area);
        assert!((m.pitch_degrees - truth.pitch).abs() < 0.5, "{} is not {}", m.pitch_degrees, truth.pitch);
    }
    // Points that do not say where they are.
    let path = write(folder.path(), "unknown.las", &Kind { offset, ..Kind::plain() }, &utm);
    let unknown = path.clone();
    assert!(matches!(measure_files(&[path], &outlines).unwrap_err(), MeasureError::Unplaced(_)));
    // Among others they are left out, and the roof is measured all the same.
    let known = write(folder.path(), "known.las", &kind, &utm);
    let report = measure_files(&[unknown, known], &outlines).unwrap();
    assert!(report.roofs[0].result.is_ok());
    assert_eq!(report.files.iter().filter(|f| f.result.is_err()).count(), 1);
}
