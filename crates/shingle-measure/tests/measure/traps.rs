//! What writers of point files got wrong once, and what people hand in: each is read, or refused with a sentence.

use std::io::Cursor;

use shingle_measure::{Ended, FileCrs, MeasureError, Outlines, PointFile, Unmeasured, measure_files};

use crate::support::las::{Kind, TestPoint, file, file_of_chunks, record};
use crate::support::made::{Flight, MadeRoof, fly, house};
use crate::{measured, outline, outlines, write};

const FLIGHT: Flight = Flight { density: 10.0, noise: 0.03, outliers: false, trees: false, chimney: false };
const FOOT: f64 = 0.3048;
const US_FOOT: f64 = 1200.0 / 3937.0;

fn points() -> Vec<TestPoint> {
    (0..200).map(|i| ([f64::from(i) * 0.5, f64::from(i % 17), f64::from(i % 7)], 2)).collect()
}

/// Where no coordinate can be a degree.
fn gable_far() -> (Vec<(f64, f64)>, Vec<TestPoint>) {
    let (roof, points) = gable();
    let points = points.iter().map(|(p, class)| ([p[0] + 4_000.0, p[1] + 3_000.0, p[2]], *class)).collect();
    (ring_at(&roof, 4_000.0, 3_000.0), points)
}

fn gable() -> (MadeRoof, Vec<TestPoint>) {
    let roof = house("gable", 21);
    let points = fly(&roof, FLIGHT, 6);
    (roof, points)
}

fn wide() -> Kind {
    Kind { minor: 4, format: 6, ..Kind::plain() }
}

fn read(bytes: Vec<u8>) -> Result<(Vec<TestPoint>, Ended), MeasureError> {
    let mut points = Vec::new();
    let ended = PointFile::open(Cursor::new(bytes))?.for_each(|p| points.push(([p.x, p.y, p.z], p.class)))?;
    Ok((points, ended))
}

fn put(bytes: &mut [u8], at: usize, new: &[u8]) {
    bytes[at..at + new.len()].copy_from_slice(new);
}

fn points_at(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes[96..100].try_into().unwrap()) as usize
}

/// Bytes between the records and the points.
fn padded(kind: &Kind, points: &[TestPoint], padding: &[u8]) -> Vec<u8> {
    let mut bytes = file(kind, points);
    let at = points_at(&bytes);
    bytes.splice(at..at, padding.iter().copied());
    put(&mut bytes, 96, &u32::try_from(at + padding.len()).unwrap().to_le_bytes());
    bytes
}

/// The whole file in memory, measured.
fn measured_bytes(bytes: &[u8], ring: &[(f64, f64)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.las");
    std::fs::write(&path, bytes).unwrap();
    let report = measure_files(&[path], &outlines(vec![outline("house", ring.to_vec())])).unwrap();
    format!("{:?}", report.roofs)
}

#[test]
fn points_may_be_longer_than_their_format() {
    for format in [0, 1, 3, 6, 7, 8] {
        for chunk in [None, Some(50)] {
            for extra in [1, 4, 30] {
                let kind = Kind { minor: if format >= 6 { 4 } else { 2 }, format, chunk, extra, ..Kind::plain() };
                assert_eq!(read(file(&kind, &points())).unwrap(), (points(), Ended::Whole), "{kind:?}");
                // A description of them that says nothing, and one without an end.
                for body in [vec![0; 192], vec![b'x'; 100]] {
                    let first = [record(b"LASF_Spec", 4, &body)];
                    let bytes = file_of_chunks(&kind, &[points()], &first);
                    assert_eq!(read(bytes).unwrap().0, points(), "{kind:?}");
                }
            }
        }
    }
    let mut short = file(&Kind::plain(), &points());
    put(&mut short, 105, &19_u16.to_le_bytes());
    assert!(matches!(read(short).unwrap_err(), MeasureError::Header(_)));
}

#[test]
fn bytes_between_records_and_points_are_passed_over() {
    for padding in [&[0xdd, 0xcc][..], &[0; 2], &[7; 501]] {
        for chunk in [None, Some(50)] {
            // The table of chunks lies elsewhere then: it is as good as missing.
            let bytes = padded(&Kind { chunk, ..Kind::plain() }, &points(), padding);
            assert_eq!(read(bytes).unwrap(), (points(), Ended::Whole), "{chunk:?}");
        }
    }
    // Of the first version, whose header ends with two bytes before the points.
    let bytes = padded(&Kind { minor: 0, ..Kind::plain() }, &points(), &[0xdd, 0xcc]);
    assert_eq!(read(bytes).unwrap().0, points());
}

#[test]
fn tables_of_chunks_that_are_missing_empty_or_elsewhere_do_not_cost_points() {
    for kind in [Kind { chunk: Some(50), ..Kind::plain() }, Kind { chunk: Some(50), ..wide() }] {
        let whole = file(&kind, &points());
        let at = points_at(&whole);
        let table = i64::from_le_bytes(whole[at..at + 8].try_into().unwrap());
        let table = usize::try_from(table).unwrap();
        let without = |place: i64, length: usize| {
            let mut bytes = whole[..length].to_vec();
            put(&mut bytes, at, &place.to_le_bytes());
            bytes
        };
        // As a writer leaves it that cannot go back: -1, and nothing or the place at the end.
        let mut at_end = without(-1, whole.len());
        at_end.extend(u64::try_from(table).unwrap().to_le_bytes());
        let mut empty = whole.clone();
        put(&mut empty, table + 4, &0_u32.to_le_bytes());
        let mut countless = whole.clone();
        put(&mut countless, table + 4, &u32::MAX.to_le_bytes());
        let damaged = [without(-1, table), without(0, table), without(i64::MAX, whole.len()), at_end, empty, countless];
        for (case, bytes) in damaged.into_iter().enumerate() {
            assert_eq!(read(bytes).unwrap(), (points(), Ended::Whole), "{case} {kind:?}");
        }
        // Cut off within the table.
        let cut = whole[..whole.len() - 2].to_vec();
        assert_eq!(read(cut).unwrap().0, points(), "{kind:?}");
    }
    // Without it nobody knows where a chunk of an older format ends if they differ.
    let kind = Kind { chunk: Some(0), ..wide() };
    let mut whole = file(&kind, &points());
    let at = points_at(&whole);
    put(&mut whole, at, &(-1_i64).to_le_bytes());
    assert_eq!(read(whole).unwrap().0, points());
}

#[test]
fn compressed_points_without_the_record_of_their_compression_are_refused() {
    let kind = Kind { chunk: Some(50), ..Kind::plain() };
    let mut bytes = file(&kind, &points());
    let name = bytes.windows(14).position(|w| w == b"laszip encoded").unwrap();
    bytes[name] = b'L';
    let error = read(bytes).unwrap_err();
    assert!(error.to_string().contains("compression is missing"), "{error}");
    // And without any records.
    let mut bytes = file(&kind, &points());
    put(&mut bytes, 100, &0_u32.to_le_bytes());
    assert!(matches!(read(bytes).unwrap_err(), MeasureError::Compression(_)));
}

#[test]
fn counts_that_are_too_large_end_with_the_file() {
    for kind in [Kind::plain(), Kind { chunk: Some(50), ..Kind::plain() }, wide(), Kind { chunk: Some(50), ..wide() }] {
        let mut bytes = file(&kind, &points());
        match kind.minor {
            4 => put(&mut bytes, 247, &(u64::MAX / 2).to_le_bytes()),
            _ => put(&mut bytes, 107, &u32::MAX.to_le_bytes()),
        }
        let (read, ended) = read(bytes).unwrap();
        assert_eq!(read, points(), "{kind:?}");
        assert!(matches!(ended, Ended::Early { points: 200, .. }), "{kind:?}: {ended:?}");
    }
    // As many records as there are atoms, and records longer than the file.
    for count in [1_070_000_000_u32, u32::MAX] {
        let mut bytes = file(&Kind { wkt: Some("LOCAL_CS[\"x\"]".to_owned()), ..Kind::plain() }, &points());
        put(&mut bytes, 100, &count.to_le_bytes());
        assert_eq!(read(bytes.clone()).unwrap().0, points());
        put(&mut bytes, 227 + 20, &u16::MAX.to_le_bytes());
        assert_eq!(read(bytes).unwrap().0, points());
    }
}

/// A chunk of no bytes that says it has billions of points: the first of them, over and over.
#[test]
fn chunks_do_not_have_more_points_than_their_bytes_can_hold() {
    let kind = Kind { chunk: Some(u32::MAX - 1), ..wide() };
    let mut bytes = file(&kind, &points()[..1]);
    let at = points_at(&bytes) + 8 + 30;
    put(&mut bytes, at, &u32::MAX.to_le_bytes());
    put(&mut bytes, at + 4, &[0; 36]);
    put(&mut bytes, 247, &u64::MAX.to_le_bytes());
    let count = read(bytes).map_or(0, |(points, _)| points.len());
    assert!(count <= 1, "{count}");
    // The same point over and over is read all the same.
    let same = vec![points()[3]; 50_000];
    assert_eq!(read(file(&Kind { chunk: Some(50_000), ..wide() }, &same)).unwrap().0.len(), same.len());
}

#[test]
fn counts_of_the_older_header_may_be_empty_or_alone() {
    let mut bytes = file(&wide(), &points());
    assert_eq!(bytes[107..111], [0; 4]);
    assert_eq!(read(bytes.clone()).unwrap().0, points());
    put(&mut bytes, 247, &0_u64.to_le_bytes());
    put(&mut bytes, 107, &200_u32.to_le_bytes());
    assert_eq!(read(bytes.clone()).unwrap().0, points());
    // By return, they are not looked at.
    put(&mut bytes, 111, &[0xff; 20]);
    put(&mut bytes, 255, &[0xff; 120]);
    assert_eq!(read(bytes).unwrap().0, points());
}

#[test]
fn scales_and_offsets_that_are_no_numbers_are_refused() {
    for at in [131, 139, 147, 155, 163, 171] {
        for number in [f64::NAN, f64::INFINITY, 0.0, f64::MIN_POSITIVE / 2.0] {
            let mut bytes = file(&Kind::plain(), &points());
            put(&mut bytes, at, &number.to_le_bytes());
            let is_offset = at >= 155;
            match read(bytes) {
                Err(MeasureError::Header(why)) => assert!(why.contains("scale or offset"), "{why}"),
                // An offset may be nothing.
                Ok((read, _)) if is_offset && number.abs() < 1.0 => assert_eq!(read.len(), 200),
                other => panic!("{number} at {at}: {other:?}"),
            }
        }
    }
    // Odd, but numbers.
    for scale in [1.164_513_54e-6, 0.000_25, 1.000_000_000_000_000_2e-6] {
        let kind = Kind { scale, offset: [-3.5, 2.0, -100.0], ..Kind::plain() };
        for (a, b) in read(file(&kind, &points())).unwrap().0.iter().zip(points()) {
            assert!((0..3).all(|axis| (a.0[axis] - b.0[axis]).abs() <= scale), "{a:?} {b:?}");
        }
    }
}

#[test]
fn bounds_of_the_header_are_a_hint() {
    let (ring, points) = gable_far();
    let good = file(&Kind::plain(), &points);
    let first = measured_bytes(&good, &ring);
    assert!(first.contains("facets"), "{first}");
    for number in [f64::NAN, 0.0, f64::INFINITY] {
        let mut bytes = good.clone();
        for at in (179..227).step_by(8) {
            put(&mut bytes, at, &number.to_le_bytes());
        }
        assert_eq!(measured_bytes(&bytes, &ring), first, "{number}");
    }
    // Cut to whole meters, as some writers do.
    let mut bytes = good;
    for at in (179..227).step_by(8) {
        let bound = f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        put(&mut bytes, at, &bound.trunc().to_le_bytes());
    }
    assert_eq!(measured_bytes(&bytes, &ring), first);
}

#[test]
fn a_system_is_found_wherever_a_writer_puts_it() {
    let wkt = r#"PROJCS["x",PROJECTION["Nothing"],UNIT["foot",0.3048]]"#;
    let system = |bytes: Vec<u8>| FileCrs::of(&PointFile::open(Cursor::new(bytes)).unwrap().header).unwrap();
    let usual = system(file(&Kind { wkt: Some(wkt.to_owned()), ..wide() }, &points()));
    assert!((usual.vertical - FOOT).abs() < 1e-9, "{usual:?}");
    for (user, id) in [(&b"liblas"[..], 2112), (b"LASF_Projection", 4224), (b"PDAL", 2112)] {
        // What follows the name is not always zeros, and the text ends with some.
        let mut record = record(user, id, format!("{wkt}\0\0").as_bytes());
        if user.len() < 15 {
            record[2 + user.len() + 1] = b'?';
        }
        assert_eq!(system(file_of_chunks(&wide(), &[points()], &[record])), usual, "{id}");
    }
    // An empty one beside it.
    let empty = record(b"LASF_Projection", 2112, b"\0");
    let kind = Kind { wkt: Some(wkt.to_owned()), ..wide() };
    assert_eq!(system(file_of_chunks(&kind, &[points()], &[empty])), usual);
    // Behind the points.
    let mut bytes = file(&wide(), &points());
    let end = bytes.len() as u64;
    bytes.extend([0, 0]);
    bytes.extend(b"LASF_Projection\0");
    bytes.extend(2112_u16.to_le_bytes());
    bytes.extend((wkt.len() as u64).to_le_bytes());
    bytes.extend([0; 32]);
    bytes.extend(wkt.as_bytes());
    put(&mut bytes, 235, &end.to_le_bytes());
    // Said to be there, and none of them.
    let unknown = system(bytes.clone());
    assert!((unknown.vertical - 1.0).abs() < 1e-9);
    put(&mut bytes, 243, &1_u32.to_le_bytes());
    assert_eq!(system(bytes.clone()), usual);
    // Beyond the file.
    put(&mut bytes, 235, &(u64::MAX - 3).to_le_bytes());
    assert_eq!(system(bytes), unknown);
}

#[test]
fn damaged_keys_say_nothing() {
    let at = |body: &[u8]| {
        let bytes = file_of_chunks(&Kind::plain(), &[points()], &[record(b"LASF_Projection", 34735, body)]);
        FileCrs::of(&PointFile::open(Cursor::new(bytes)).unwrap().header)
    };
    let unknown = at(&[]).unwrap();
    for body in [vec![0; 8], vec![0xff; 3], vec![0xff; 7], vec![1, 0, 1, 0, 0, 0, 0xff, 0xff]] {
        assert_eq!(at(&body).unwrap(), unknown);
    }
    // A number in doubles that are not there.
    let key = |key: u16, place: u16, number: u16| [1, 1, 0, 1, key, place, 1, number].map(u16::to_le_bytes).concat();
    assert_eq!(at(&key(3077, 34736, 9)).unwrap(), unknown);
    // Defined by the user, without a unit.
    assert_eq!(at(&key(3072, 0, 32_767)).unwrap(), unknown);
    let error = at(&key(3072, 0, 9)).unwrap_err();
    assert!(error.to_string().contains("EPSG 9 "), "{error}");
}

/// The number of a zone in meters; heights in feet, as only a unit beside it says.
#[test]
fn heights_in_feet_beside_a_zone_in_meters() {
    let (roof, points) = gable();
    let truth = roof.truth();
    let offset = [3_500_000.0, 1_050_000.0, 0.0];
    let ring: Vec<_> = roof.outline().iter().map(|p| (p.0 + offset[0], p.1 + offset[1])).collect();
    for (unit, key) in [(US_FOOT, [4099, 0, 1, 9003]), (FOOT, [4099, 0, 1, 9002]), (US_FOOT, [4096, 0, 1, 6360])] {
        let place = |p: &[f64; 3]| [p[0] + offset[0], p[1] + offset[1], p[2] / unit];
        let in_feet: Vec<TestPoint> = points.iter().map(|(p, class)| (place(p), *class)).collect();
        let kind = Kind { offset, keys: vec![[3072, 0, 1, 32_147], key], ..Kind::plain() };
        let m = measured(&kind, &in_feet, ring.clone()).unwrap();
        assert!((m.area / truth.area - 1.0).abs() < 0.003, "{} is not {}", m.area, truth.area);
        assert!((m.pitch_degrees - truth.pitch).abs() < 0.5, "{} is not {}", m.pitch_degrees, truth.pitch);
    }
}

/// Two parts in a million are seven meters where eastings are millions of feet.
#[test]
fn a_survey_foot_is_no_foot() {
    let (roof, points) = gable();
    let offset = [11_500_000.0, 3_400_000.0, 0.0];
    let in_feet: Vec<TestPoint> = points
        .iter()
        .map(|(p, class)| ([p[0] / US_FOOT + offset[0], p[1] / US_FOOT + offset[1], p[2] / US_FOOT], *class))
        .collect();
    // The outline in meters of the same zone.
    let ring: Vec<String> = roof
        .outline()
        .iter()
        .map(|p| format!("[{:.4},{:.4}]", p.0 + offset[0] * US_FOOT, p.1 + offset[1] * US_FOOT))
        .collect();
    let json = format!(
        r#"{{"type":"Feature","crs":{{"type":"name","properties":{{"name":"EPSG:32147"}}}},"properties":{{}},"geometry":{{"type":"Polygon","coordinates":[[{},{}]]}}}}"#,
        ring.join(","),
        ring[0]
    );
    let outlines = Outlines::from_geojson(&json).unwrap();
    let with = |unit: u16| {
        let folder = tempfile::tempdir().unwrap();
        let kind = Kind { offset, keys: vec![[3072, 0, 1, 32_147], [3076, 0, 1, unit]], ..Kind::plain() };
        let path = write(folder.path(), "feet.las", &kind, &in_feet);
        measure_files(&[path], &outlines).unwrap().roofs.remove(0).result
    };
    let truth = roof.truth();
    let m = with(9003).unwrap();
    assert!((m.area / truth.area - 1.0).abs() < 0.003, "{} is not {}", m.area, truth.area);
    // Said to be feet of another kind, the roof lies seven meters beside its outline.
    assert!(with(9002).is_err());
}

#[test]
fn swapped_coordinates_are_said_to_be_swapped() {
    let (roof, points) = gable();
    let offset = [500_000.0, 4_427_757.22, 0.0];
    let moved = |x: f64, y: f64| (x + offset[0], y + offset[1]);
    let utm: Vec<TestPoint> =
        points.iter().map(|(p, class)| ([p[0] + offset[0], p[1] + offset[1], p[2]], *class)).collect();
    let folder = tempfile::tempdir().unwrap();
    let kind = Kind { offset, keys: vec![[3072, 0, 1, 26_918]], ..Kind::plain() };
    let path = write(folder.path(), "utm.las", &kind, &utm);
    let paths = std::slice::from_ref(&path);
    let ring: Vec<_> = roof.outline().iter().map(|p| moved(p.0, p.1)).collect();
    assert!(measure_files(paths, &outlines(vec![outline("house", ring.clone())])).unwrap().roofs[0].result.is_ok());
    let swapped = ring.iter().map(|p| (p.1, p.0)).collect();
    let error = measure_files(paths, &outlines(vec![outline("house", swapped)])).unwrap_err();
    assert!(matches!(error, MeasureError::Swapped(_)), "{error}");
    // Latitude before longitude, on either side of 90 degrees west.
    for (zone, lon, lat) in [(26_918, -75.0, 40.0), (26_911, -117.0, 40.0)] {
        let degrees = |x: f64, y: f64| (lon + x / 85_394.0, lat + y / 111_035.0);
        let kind = Kind { keys: vec![[3072, 0, 1, zone]], ..kind.clone() };
        let path = write(folder.path(), "zone.las", &kind, &utm);
        let with = |is_swapped: bool| {
            let ring = roof.outline().into_iter().map(|p| degrees(p.0, p.1));
            let ring = ring.map(|p| if is_swapped { (p.1, p.0) } else { p }).collect();
            let outlines = Outlines { outlines: vec![outline("house", ring)], code: None, says_degrees: false };
            measure_files(std::slice::from_ref(&path), &outlines)
        };
        assert!(with(false).unwrap().roofs[0].result.is_ok(), "{lon}");
        let error = with(true).unwrap_err();
        assert!(matches!(error, MeasureError::Swapped(_)), "{lon}: {error}");
    }
    // Points in degrees, latitude first.
    let kind = Kind {
        offset: [40.0, -75.0, 0.0],
        scale: 1e-8,
        keys: vec![[1024, 0, 1, 2], [2048, 0, 1, 4326]],
        ..Kind::plain()
    };
    let low: Vec<TestPoint> =
        points.iter().map(|(p, class)| ([40.0 + p[1] / 111_035.0, -75.0 + p[0] / 85_394.0, p[2]], *class)).collect();
    let path = write(folder.path(), "degrees.las", &kind, &low);
    let ring = roof.outline().iter().map(|p| (-75.0 + p.0 / 85_394.0, 40.0 + p.1 / 111_035.0)).collect();
    let error = measure_files(&[path], &outlines(vec![outline("house", ring)])).unwrap_err();
    assert!(matches!(error, MeasureError::Swapped(_)), "{error}");
    // What lies elsewhere lies elsewhere.
    let far = ring_at(&roof, 700_000.0, 4_000_000.0);
    let report = measure_files(paths, &outlines(vec![outline("house", far)])).unwrap();
    assert_eq!(report.roofs[0].result, Err(Unmeasured::NoPoints));
}

fn ring_at(roof: &MadeRoof, x: f64, y: f64) -> Vec<(f64, f64)> {
    roof.outline().iter().map(|p| (p.0 + x, p.1 + y)).collect()
}

#[test]
fn overlap_is_kept_and_what_is_withheld_is_not_used() {
    let (roof, points) = gable();
    let ring = roof.outline();
    let plain = [(Kind::plain(), 15, 20, 12_u8, 128_u8), (wide(), 15, 30, 8, 4)];
    for (kind, flags_at, size, overlap, withheld) in plain {
        let good = file(&kind, &points);
        let first = measured_bytes(&good, &ring);
        let flagged = |bits: &dyn Fn(u8) -> u8, every: usize| {
            let mut bytes = good.clone();
            let at = points_at(&bytes);
            for point in bytes[at..].chunks_exact_mut(size).step_by(every) {
                point[flags_at] = bits(point[flags_at]);
            }
            bytes
        };
        // The overlap of strips: a class of the older formats, a flag of the newer ones.
        let is_class = kind.format < 6;
        let marked = flagged(&|b| if is_class { overlap } else { b | overlap }, 1);
        let m = measured_bytes(&marked, &ring);
        match is_class {
            // The ground lost its class as well: the same but for that.
            true => assert!(m.contains("Ok("), "{m}"),
            false => assert_eq!(m, first),
        }
        assert!(measured_bytes(&flagged(&|b| b | withheld, 1), &ring).contains("NoPoints"));
        // Every other point is withheld: as if it were not there.
        let half: Vec<TestPoint> = points.iter().skip(1).step_by(2).copied().collect();
        let left = measured_bytes(&flagged(&|b| b | withheld, 2), &ring);
        assert_eq!(left, measured_bytes(&file(&kind, &half), &ring));
    }
}

#[test]
fn strips_that_lie_apart_are_one_roof() {
    for (seed, kind) in ["gable", "hip", "l", "t"].into_iter().enumerate() {
        let roof = house(kind, 30 + seed as u64);
        let truth = roof.truth();
        let mut points = fly(&roof, FLIGHT, 6);
        // The second strip lies 6 cm higher and 10 cm aside.
        points.extend(fly(&roof, FLIGHT, 7).iter().map(|(p, class)| ([p[0] + 0.1, p[1], p[2] + 0.06], *class)));
        let m = measured(&Kind::plain(), &points, roof.outline()).unwrap();
        assert_eq!(m.facets.len(), truth.facets, "{kind}");
        assert!((m.area / truth.area - 1.0).abs() < 0.01, "{kind}: {} is not {}", m.area, truth.area);
        assert!((m.pitch_degrees - truth.pitch).abs() < 0.5, "{kind}: {} is not {}", m.pitch_degrees, truth.pitch);
    }
}

#[test]
fn classes_that_mean_something_else_do_not_cost_a_roof() {
    let (roof, points) = gable();
    for class in [0, 1, 5, 12, 19, 20, 28] {
        let of_class: Vec<TestPoint> = points.iter().map(|(p, c)| (*p, if *c == 2 { 2 } else { class })).collect();
        let m = measured(&Kind::plain(), &of_class, roof.outline()).unwrap();
        assert_eq!(m.facets.len(), 2, "{class}");
    }
    // Numbers that the older formats have no room for.
    for class in [65, 208, 214] {
        let of_class: Vec<TestPoint> = points.iter().map(|(p, c)| (*p, if *c == 2 { 2 } else { class })).collect();
        assert_eq!(measured(&wide(), &of_class, roof.outline()).unwrap().facets.len(), 2, "{class}");
    }
}

#[test]
fn times_that_are_none_do_not_make_a_date() {
    let (roof, points) = gable();
    let ring = roof.outline();
    // 2020-09-14.
    let good = 284_100_000.0_f64;
    let days = |minor: u8, has_flag: bool, time: &dyn Fn(usize) -> f64| {
        let mut bytes = file(&Kind { minor, format: 1, ..Kind::plain() }, &points);
        bytes[6] = u8::from(has_flag);
        let at = points_at(&bytes);
        for (index, point) in bytes[at..].chunks_exact_mut(28).enumerate() {
            put(point, 20, &time(index).to_le_bytes());
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.las");
        std::fs::write(&path, bytes).unwrap();
        let report = measure_files(&[path], &outlines(vec![outline("house", ring.clone())])).unwrap();
        assert!(report.roofs[0].result.is_ok());
        report.files[0].result.as_ref().unwrap().measured
    };
    assert_eq!(days(2, true, &|_| good), Some((18_519, 18_519)));
    for bad in [f64::NAN, f64::INFINITY, -1e300, 1e300, 0.0, -0.0, f64::MIN_POSITIVE.sqrt() - 1e9] {
        assert_eq!(days(2, true, &|_| bad), None, "{bad}");
        // Among others, it costs them nothing.
        assert_eq!(days(2, true, &|i| if i % 3 == 0 { bad } else { good }), Some((18_519, 18_519)), "{bad}");
    }
    // Seconds of a week that nobody names, and a byte that meant nothing then.
    assert_eq!(days(2, false, &|_| 40_000.0), None);
    assert_eq!(days(0, true, &|_| 40_000.0), None);
    assert_eq!(days(1, true, &|_| 40_000.0), None);
}

#[test]
fn the_same_outline_twice_is_measured_twice() {
    let (roof, points) = gable();
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.las", &Kind::plain(), &points);
    let mut closed = roof.outline();
    closed.push(closed[0]);
    let turned: Vec<_> = roof.outline().into_iter().rev().collect();
    let ring = roof.outline();
    let all =
        vec![outline("a", ring.clone()), outline("a", ring), outline("closed", closed), outline("turned", turned)];
    let report = measure_files(&[path], &outlines(all)).unwrap();
    let areas: Vec<f64> = report.roofs.iter().map(|roof| roof.result.as_ref().unwrap().area).collect();
    assert!(areas.iter().all(|area| (area / areas[0] - 1.0).abs() < 1e-4), "{areas:?}");
    assert_eq!(report.roofs[0].result, report.roofs[1].result);
}

#[test]
fn points_at_one_place_or_at_the_end_of_the_world_are_no_roof() {
    let (ring, points) = gable_far();
    let alone = measured(&Kind::plain(), &points, ring.clone()).unwrap();
    // Among good ones they change nothing.
    for height in [99_999.0, -99_999.0] {
        let mut with = points.clone();
        with.extend(points.iter().step_by(5).map(|(p, class)| ([p[0], p[1], height], *class)));
        assert_eq!(measured(&Kind::plain(), &with, ring.clone()).unwrap(), alone, "{height}");
        let only: Vec<TestPoint> = points.iter().map(|(p, class)| ([p[0], p[1], height], *class)).collect();
        assert_eq!(measured(&Kind::plain(), &only, ring.clone()).unwrap_err(), Unmeasured::NoPoints);
    }
    let here = vec![([4_000.0, 3_000.0, 5.0], 6); 5_000];
    assert_eq!(measured(&Kind::plain(), &here, ring).unwrap_err(), Unmeasured::TooFewPoints);
}

#[test]
fn files_of_no_points_are_read() {
    for kind in [Kind::plain(), wide(), Kind { chunk: Some(50), ..Kind::plain() }, Kind { chunk: Some(50), ..wide() }] {
        assert_eq!(read(file(&kind, &[])).unwrap(), (vec![], Ended::Whole), "{kind:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.las", &Kind::plain(), &[]);
    let report = measure_files(&[path], &outlines(vec![outline("house", gable_far().0)])).unwrap();
    assert_eq!(report.roofs[0].result, Err(Unmeasured::NoPoints));
}
