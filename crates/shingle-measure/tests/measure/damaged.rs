//! Files that are cut off, changed at random, or wrong in a way a writer once had: never a panic, never endless, and what
//! comes before the damage is used.

use std::io::Cursor;

use proptest::prelude::*;
use shingle_measure::{Ended, MeasureError, PointFile, measure_files};

use crate::support::las::{Kind, TestPoint, file};
use crate::support::made::{Flight, fly, house};
use crate::{outline, outlines, write};

fn points() -> Vec<TestPoint> {
    (0..200).map(|i| ([f64::from(i) * 0.5, f64::from(i % 17), f64::from(i % 7)], 2)).collect()
}

fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for format in [0, 1, 2, 3, 6, 7, 8] {
        for chunk in [None, Some(50), Some(0)] {
            // Chunks of different sizes came with the newer formats.
            if chunk != Some(0) || format >= 6 {
                kinds.push(Kind { minor: if format >= 6 { 4 } else { 2 }, format, chunk, ..Kind::plain() });
            }
        }
    }
    kinds
}

/// Points that could be read.
fn read(bytes: Vec<u8>) -> Result<(u64, Ended), MeasureError> {
    let mut count = 0;
    let ended = PointFile::open(Cursor::new(bytes))?.for_each(|_| count += 1)?;
    Ok((count, ended))
}

#[test]
fn every_format_is_read() {
    for kind in kinds() {
        let points = points();
        let mut read = Vec::new();
        let opened = PointFile::open(Cursor::new(file(&kind, &points))).unwrap();
        let ended = opened.for_each(|p| read.push(([p.x, p.y, p.z], p.class))).unwrap();
        assert_eq!(ended, Ended::Whole, "{kind:?}");
        assert_eq!(read, points, "{kind:?}");
    }
}

#[test]
fn older_versions_are_read_and_waveforms_refused_by_name() {
    for minor in 0..=3 {
        assert_eq!(read(file(&Kind { minor, ..Kind::plain() }, &points())).unwrap().0, 200);
    }
    for format in [4, 5, 9, 10] {
        let mut bytes = file(&Kind::plain(), &points());
        bytes[104] = format;
        let error = read(bytes).unwrap_err();
        assert!(error.to_string().contains("waveforms"), "{error}");
    }
    let mut bytes = file(&Kind::plain(), &points());
    bytes[104] = 11;
    assert!(matches!(read(bytes.clone()).unwrap_err(), MeasureError::PointFormat(11)));
    bytes[25] = 5;
    assert!(matches!(read(bytes.clone()).unwrap_err(), MeasureError::Version { major: 1, minor: 5 }));
    bytes[0] = b'P';
    assert!(matches!(read(bytes).unwrap_err(), MeasureError::NotLas));
    assert!(matches!(read(b"LASF and no more".to_vec()).unwrap_err(), MeasureError::ShortHeader));
}

#[test]
fn a_file_that_is_cut_off_gives_what_it_has() {
    for kind in kinds() {
        let whole = file(&kind, &points());
        let mut most = 0;
        for length in (0..whole.len()).step_by(13) {
            if let Ok((count, ended)) = read(whole[..length].to_vec()) {
                assert!(count < 200 && ended != Ended::Whole || count == 200, "{kind:?} at {length}");
                most = most.max(count);
            }
        }
        assert!(most > 0, "{kind:?} gives nothing when it is cut");
    }
}

#[test]
fn counts_of_the_header_are_not_believed() {
    for (at, length) in [(100, 4), (107, 4), (94, 2), (105, 2), (235, 8), (243, 4), (247, 8)] {
        for kind in [Kind::plain(), Kind { minor: 4, format: 6, chunk: Some(50), ..Kind::plain() }] {
            let mut bytes = file(&kind, &points());
            for byte in &mut bytes[at..at + length] {
                *byte = 0xff;
            }
            // Which of both does not matter: it ends, and soon.
            let _ = read(bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_never_panic(
        kind in prop::sample::select(kinds()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        in_header in any::<bool>(),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = file(&kind, &points());
        let range = if in_header { 460.min(bytes.len()) } else { bytes.len() };
        for (at, value) in changes {
            let at = at.index(range);
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        // A count of billions is a count of points that are not there: the file ends before them.
        if let Ok((count, _)) = read(bytes.clone()) {
            prop_assert!(count <= 1 << 20, "{count} points of {} bytes", bytes.len());
        }
    }

    #[test]
    fn outlines_of_any_text_never_panic(text in "[\\[\\]{}:,\"a-z0-9. -]{0,200}") {
        let _ = shingle_measure::Outlines::from_geojson(&text);
    }
}

#[test]
fn a_bad_tile_does_not_stop_the_others() {
    let roof = house("hip", 2);
    let flight = Flight { density: 8.0, noise: 0.03, outliers: false, trees: false, chimney: false };
    let points = fly(&roof, flight, 3);
    let folder = tempfile::tempdir().unwrap();
    let good = write(folder.path(), "good.las", &Kind::plain(), &points);
    let sea = write(folder.path(), "sea.las", &Kind::plain(), &[([9e5, 9e5, 0.0], 9); 5]);
    let high: Vec<TestPoint> = points.iter().step_by(9).map(|(p, c)| ([p[0], p[1], 99_999.0], *c)).collect();
    let high = write(folder.path(), "high.las", &Kind::plain(), &high);
    let empty = write(folder.path(), "empty.las", &Kind::plain(), &[]);
    let text = folder.path().join("text.laz");
    std::fs::write(&text, "no points").unwrap();
    let missing = folder.path().join("missing.laz");
    let outlines = outlines(vec![outline("house", roof.outline())]);
    let alone = measure_files(std::slice::from_ref(&good), &outlines).unwrap();
    let paths = [text.clone(), missing.clone(), sea, high, empty, good];
    let among = measure_files(&paths, &outlines).unwrap();
    assert_eq!(format!("{:?}", among.roofs), format!("{:?}", alone.roofs));
    let failed: Vec<_> = among.files.iter().filter(|f| f.result.is_err()).map(|f| f.path.clone()).collect();
    assert_eq!(failed, [missing, text]);
}
