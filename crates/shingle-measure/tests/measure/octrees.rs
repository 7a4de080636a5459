//! COPC and EPT are read in part, and measure as the whole file does. Damaged ones end in a result or a sentence.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use shingle_measure::{
    Ended, MeasureError, NodeKey, Octree, Outlines, PointFile, Report, Walk, measure_files, measure_found, point_files,
};

use crate::support::las::{Kind, TestPoint};
use crate::support::made::{Flight, fly, house};
use crate::support::octree::{copc, ept};
use crate::{outline, outlines, write};

const FLIGHT: Flight = Flight { density: 8.0, noise: 0.03, outliers: true, trees: false, chimney: true };

/// Twelve houses far apart.
fn town() -> (Vec<TestPoint>, Vec<Vec<(f64, f64)>>) {
    let (mut points, mut rings) = (Vec::new(), Vec::new());
    for index in 0..12_u32 {
        let roof = house(["gable", "hip", "l", "t"][index as usize % 4], u64::from(index) + 2);
        let to = |x: f64, y: f64| (x + f64::from(index % 4) * 70.0, y + f64::from(index / 4) * 70.0);
        for (p, class) in fly(&roof, FLIGHT, u64::from(index) + 9) {
            let (x, y) = to(p[0], p[1]);
            points.push(([x, y, p[2]], class));
        }
        rings.push(roof.outline().iter().map(|p| to(p.0, p.1)).collect());
    }
    (points, rings)
}

fn one_and_all(rings: &[Vec<(f64, f64)>]) -> (Outlines, Outlines) {
    let all = rings.iter().enumerate().map(|(i, ring)| outline(&i.to_string(), ring.clone())).collect();
    (outlines(vec![outline("5", rings[5].clone())]), outlines(all))
}

fn text(report: &Report) -> String {
    format!("{:?}", report.roofs)
}

fn points_of(report: &Report) -> u64 {
    report.files.iter().map(|f| f.result.as_ref().unwrap().points).sum()
}

const NO_SRS: &str = "{}";

#[test]
fn octrees_measure_as_the_whole_file_does() {
    let (points, rings) = town();
    let (one, all) = one_and_all(&rings);
    let folder = tempfile::tempdir().unwrap();
    let whole = write(folder.path(), "whole.las", &Kind::plain(), &points);
    let tree = folder.path().join("tree.copc.laz");
    std::fs::write(&tree, copc(&Kind::plain(), &points, 5)).unwrap();
    let octree = folder.path().join("octree");
    ept(&octree, &Kind::plain(), &points, 5, NO_SRS);
    let first = measure_files(std::slice::from_ref(&whole), &all).unwrap();
    assert!(first.roofs.iter().all(|roof| roof.result.is_ok()));
    let found = text(&measure_found(std::slice::from_ref(&whole)).unwrap());
    for path in [tree, octree] {
        let paths = point_files(std::slice::from_ref(&path)).unwrap();
        assert_eq!(paths, [path]);
        assert_eq!(text(&measure_files(&paths, &all).unwrap()), text(&first));
        let part = measure_files(&paths, &one).unwrap();
        assert_eq!(part.roofs[0].result, first.roofs[5].result);
        let share = points_of(&part) as f64 / points.len() as f64;
        println!("{}: {share:.3} of the points for one of twelve houses", paths[0].display());
        assert!(share < 0.25, "{share}");
        assert_eq!(text(&measure_found(&paths).unwrap()), found);
    }
}

/// Counts the bytes that are read, as a server would that is asked for ranges.
struct Counted {
    of: Cursor<Vec<u8>>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.of.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.of.seek(to)
    }
}

#[test]
fn of_a_copc_file_only_the_wanted_bytes_are_read() {
    let (points, rings) = town();
    let bytes = copc(&Kind::plain(), &points, 5);
    let length = bytes.len() as u64;
    let read = Arc::new(AtomicU64::new(0));
    let file = PointFile::open(Counted { of: Cursor::new(bytes), read: Arc::clone(&read) }).unwrap();
    let (x, y) = rings[5][0];
    let needs = |min: [f64; 2], max: [f64; 2]| min[0] <= x && max[0] >= x && min[1] <= y && max[1] >= y;
    let mut count = 0;
    assert_eq!(file.for_each_in(&needs, |_| count += 1).unwrap(), Ended::Whole);
    let share = read.load(Ordering::Relaxed) as f64 / length as f64;
    println!("{count} of {} points, {share:.3} of the bytes", points.len());
    assert!(count > 0 && share < 0.2, "{count} {share}");
}

#[test]
fn an_octree_in_web_mercator_is_brought_to_meters() {
    let roof = house("gable", 21);
    let truth = roof.truth();
    let stretch = 1.0 / 40_f64.to_radians().cos();
    let offset = [-8_500_000.0, 4_865_942.28, 0.0];
    let to = |x: f64, y: f64| (x * stretch + offset[0], y * stretch + offset[1]);
    let flown = fly(&roof, FLIGHT, 6).into_iter().map(|(p, class)| {
        let (x, y) = to(p[0], p[1]);
        ([x, y, p[2]], class)
    });
    let points: Vec<TestPoint> = flown.collect();
    let ring: Vec<_> = roof.outline().iter().map(|p| to(p.0, p.1)).collect();
    let folder = tempfile::tempdir().unwrap();
    let kind = Kind { offset, ..Kind::plain() };
    ept(folder.path(), &kind, &points, 4, r#"{"authority":"EPSG","horizontal":"3857"}"#);
    let description = folder.path().join("ept.json");
    let report = measure_files(&point_files(&[description]).unwrap(), &outlines(vec![outline("a", ring)])).unwrap();
    let m = report.roofs[0].result.as_ref().unwrap();
    assert!((m.area / truth.area - 1.0).abs() < 0.01, "{} is not {}", m.area, truth.area);
    assert!((m.pitch_degrees - truth.pitch).abs() < 0.5, "{} is not {}", m.pitch_degrees, truth.pitch);
    // Traced as well, and its ring is in degrees.
    let found = measure_found(&[folder.path().to_owned()]).unwrap();
    let m = found.roofs[0].result.as_ref().unwrap();
    assert!((m.area / truth.area - 1.0).abs() < 0.06, "{} is not {}", m.area, truth.area);
    let degrees = found.roofs[0].traced.as_ref().unwrap().degrees.as_ref().unwrap();
    assert!(degrees.iter().all(|p| (p.0 + 76.36).abs() < 0.01 && (p.1 - 40.0).abs() < 0.01), "{degrees:?}");
}

/// Of a point in Web Mercator.
fn degrees((x, y): (f64, f64)) -> (f64, f64) {
    let radius = 6_378_137.0;
    ((x / radius).to_degrees(), (2.0 * (y / radius).exp().atan() - std::f64::consts::FRAC_PI_2).to_degrees())
}

#[test]
fn an_excerpt_of_the_nodes_near_an_outline_measures_as_the_whole_octree_does() {
    let (points, rings) = town();
    let stretch = 1.0 / 40_f64.to_radians().cos();
    let offset = [-8_500_000.0, 4_865_942.28, 0.0];
    let to = |x: f64, y: f64| (x * stretch + offset[0], y * stretch + offset[1]);
    let points: Vec<TestPoint> = points
        .into_iter()
        .map(|(p, class)| {
            let (x, y) = to(p[0], p[1]);
            ([x, y, p[2]], class)
        })
        .collect();
    let ring: Vec<(f64, f64)> = rings[5].iter().map(|p| degrees(to(p.0, p.1))).collect();
    let one = Outlines::in_degrees(vec![outline("a", ring.clone())]);
    let folder = tempfile::tempdir().unwrap();
    let (whole, part) = (folder.path().join("whole"), folder.path().join("part"));
    // Numbers in place of text are read too.
    let srs = r#"{"authority":"EPSG","horizontal":3857,"vertical":5703}"#;
    ept(&whole, &Kind { offset, ..Kind::plain() }, &points, 5, srs);
    let octree = Octree::parse(&std::fs::read(whole.join(Octree::DESCRIPTION)).unwrap()).unwrap();
    let near = octree.near([ring], 5.0).unwrap();
    let mut walk = Walk::new(&octree);
    let mut pages = 0;
    loop {
        let wanted = walk.next_pages(2);
        if wanted.is_empty() {
            break;
        }
        for page in wanted {
            let text = std::fs::read(whole.join(Octree::page_at(page))).unwrap();
            walk.take(page, &text, &|min, max| near.touch(min, max)).unwrap();
            pages += 1;
        }
    }
    let nodes = walk.into_nodes();
    assert!(pages > 1 && nodes.contains_key(&NodeKey::ROOT));
    for sub in ["ept-data", "ept-hierarchy"] {
        std::fs::create_dir_all(part.join(sub)).unwrap();
    }
    std::fs::copy(whole.join(Octree::DESCRIPTION), part.join(Octree::DESCRIPTION)).unwrap();
    std::fs::write(part.join(Octree::page_at(NodeKey::ROOT)), Octree::page_of(&nodes)).unwrap();
    let mut bytes = 0;
    for key in nodes.keys() {
        bytes += std::fs::copy(whole.join(Octree::data_of(*key)), part.join(Octree::data_of(*key))).unwrap();
    }
    let all = std::fs::read_dir(whole.join("ept-data")).unwrap().flatten();
    let all: u64 = all.map(|entry| entry.metadata().unwrap().len()).sum();
    println!("{:.3} of the bytes of points for one of twelve houses", bytes as f64 / all as f64);
    assert!(bytes * 4 < all, "{bytes} of {all}");
    let measured = [whole, part].map(|folder| text(&measure_files(&[folder], &one).unwrap()));
    assert!(measured[0].contains("Ok("), "{}", measured[0]);
    assert_eq!(measured[0], measured[1]);
}

#[test]
fn a_walk_ends_where_it_is_told_to() {
    let octree =
        Octree::parse(br#"{"bounds":[0,0,0,8,8,8],"dataType":"laszip","srs":{"horizontal":"3857"},"span":64}"#);
    let octree = octree.unwrap();
    let mut walk = Walk::new(&octree);
    let page = walk.next_page().unwrap();
    let text = r#"{"0-0-0-0":9,"1-0-0-0":5,"2-1-1-1":-1,"2-0-0-0":3,"3-0-0-0":0,"1-1-1-1":-7}"#;
    walk.take(page, text.as_bytes(), &|_, _| true).unwrap();
    assert_eq!(walk.nodes().len(), 3);
    walk.end_at(1);
    assert_eq!((walk.nodes().len(), walk.next_page()), (2, None));
    // It does not go deeper again.
    walk.end_at(9);
    walk.take(page, text.as_bytes(), &|_, _| true).unwrap();
    assert_eq!(walk.into_nodes().values().sum::<u64>(), 14);
    let near = octree.near([vec![(0.0, 0.0), (1e-5, 1e-5)]], 0.0).unwrap();
    let spacing = octree.spacing(2, &near);
    assert!((spacing - 8.0 / 4.0 / 64.0).abs() < 1e-3, "{spacing}");
}

#[test]
fn other_data_of_an_ept_folder_is_refused_by_name() {
    let (points, _) = town();
    let folder = tempfile::tempdir().unwrap();
    ept(folder.path(), &Kind::plain(), &points[..500], 2, NO_SRS);
    let path = folder.path().join("ept.json");
    let json = std::fs::read_to_string(&path).unwrap();
    for name in ["binary", "zstandard"] {
        std::fs::write(&path, json.replace("laszip", name)).unwrap();
        let report = measure_found(&[folder.path().to_owned()]).unwrap();
        let error = report.files[0].result.as_ref().unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("laszip"), "{error}");
    }
}

/// Numbers of the hierarchy that a file may lie with: offset, size and count of the first entry, and where the root is.
#[test]
fn a_damaged_hierarchy_of_a_copc_file_does_not_cost_its_points() {
    let (points, rings) = town();
    let (_, all) = one_and_all(&rings);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.copc.laz");
    let good = copc(&Kind::plain(), &points, 4);
    std::fs::write(&path, &good).unwrap();
    let first = text(&measure_files(std::slice::from_ref(&path), &all).unwrap());
    let info = 375 + 54;
    let at = |from: usize| usize::try_from(u64::from_le_bytes(good[from..from + 8].try_into().unwrap())).unwrap();
    let (root, size) = (at(info + 40), at(info + 48));
    let far = (good.len() as u64 + 1).to_le_bytes();
    let to_itself: Vec<u8> =
        [root.to_le_bytes().as_slice(), &u32::try_from(size).unwrap().to_le_bytes(), &[255; 4]].concat();
    for (what, place, bytes) in [
        ("a root beyond the end", info + 40, far.to_vec()),
        ("a root of odd size", info + 48, 33_u64.to_le_bytes().to_vec()),
        ("a chunk beyond the end", root + 16, far.to_vec()),
        ("a negative size", root + 24, vec![255; 4]),
        ("a negative count", root + 28, vec![254, 255, 255, 255]),
        ("a huge count", root + 28, vec![255, 255, 255, 127]),
        ("a page that is its own", root + 16, to_itself),
        ("a level of billions", root, vec![255, 255, 255, 127]),
        ("a place outside of its level", root + 4, vec![9, 0, 0, 0]),
        ("a cube without a size", info + 24, vec![0; 8]),
        ("a cube that is no number", info, vec![255; 8]),
    ] {
        let mut bad = good.clone();
        bad[place..place + bytes.len()].copy_from_slice(&bytes);
        std::fs::write(&path, bad).unwrap();
        let report = measure_files(std::slice::from_ref(&path), &all).unwrap();
        assert_eq!(text(&report), first, "{what}");
    }
}

#[test]
fn a_damaged_ept_folder_ends_in_a_sentence_or_gives_what_it_has() {
    let (points, rings) = town();
    let (_, all) = one_and_all(&rings);
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("ept-hierarchy/0-0-0-0.json");
    let measure = |page: &str| {
        ept(folder.path(), &Kind::plain(), &points, 3, NO_SRS);
        std::fs::write(&root, page).unwrap();
        let report = measure_files(&[folder.path().to_owned()], &all).unwrap();
        report.files.into_iter().next().unwrap().result
    };
    for page in ["", "[]", r#"{"0-0-0-0":"many"}"#, r#"{"../../x":5}"#, r#"{"1-2-0-0":5}"#, r#"{"40-0-0-0":5}"#] {
        let error = measure(page).unwrap_err().to_string();
        assert!(error.contains("EPT"), "{page}: {error}");
    }
    // A page that names itself is read once.
    assert_eq!(measure(r#"{"0-0-0-0":-1}"#).unwrap().points, 0);
    // A missing node is reported, and the others are read.
    let facts = measure(r#"{"0-0-0-0":9,"1-1-1-1":9,"2-3-3-3":9}"#).unwrap();
    assert!(facts.points > 0 && matches!(&facts.ended, Ended::Early { why, .. } if why.contains("node")), "{facts:?}");
    for json in [
        "",
        "{}",
        "[1",
        r#"{"bounds":[0,0,0,1,1],"dataType":"laszip"}"#,
        r#"{"bounds":[0,0,0,-1,-1,-1],"dataType":"laszip"}"#,
    ] {
        std::fs::write(folder.path().join("ept.json"), json).unwrap();
        let report = measure_files(&[folder.path().to_owned()], &all).unwrap();
        let error = report.files[0].result.as_ref().unwrap_err();
        assert!(matches!(error, MeasureError::Ept(_)), "{json}: {error}");
    }
}

fn small() -> Vec<TestPoint> {
    (0..300).map(|i| ([f64::from(i) * 0.5, f64::from(i * 7 % 150), f64::from(i % 7)], 2)).collect()
}

/// Points near the middle, or how reading ended.
fn read_part(bytes: Vec<u8>) -> Result<u64, MeasureError> {
    let mut count = 0;
    let needs = |min: [f64; 2], max: [f64; 2]| min[0] <= 90.0 && max[0] >= 60.0 && min[1] <= 90.0 && max[1] >= 60.0;
    PointFile::open(Cursor::new(bytes))?.for_each_in(&needs, |_| count += 1)?;
    Ok(count)
}

fn read_folder(folder: &Path) -> u64 {
    let ring = vec![(60.0, 60.0), (90.0, 60.0), (90.0, 90.0), (60.0, 90.0)];
    let report = measure_files(&[folder.to_owned()], &outlines(vec![outline("a", ring)]));
    let files = report.map(|report| report.files).unwrap_or_default();
    files.iter().filter_map(|file| file.result.as_ref().ok()).map(|facts| facts.points).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_copc_files_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..10),
        place in 0..3,
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = copc(&Kind::plain(), &small(), 4);
        // Anywhere, in the header and its records, or in the hierarchy at the end.
        let range = match place {
            0 => 0..bytes.len(),
            1 => 0..640,
            _ => bytes.len() - 700..bytes.len(),
        };
        for (at, value) in changes {
            bytes[range.start + at.index(range.len())] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(count) = read_part(bytes) {
            prop_assert!(count <= 1 << 20, "{count}");
        }
    }

    #[test]
    fn changed_ept_folders_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"0123456789-\"{}[]:,.x".to_vec())), 1..6),
        file in prop::sample::select(vec!["ept.json", "ept-hierarchy/0-0-0-0.json", "ept-data/0-0-0-0.laz"]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        ept(folder.path(), &Kind::plain(), &small(), 3, r#"{"authority":"EPSG","horizontal":"26918"}"#);
        let path = folder.path().join(file);
        let mut bytes = std::fs::read(&path).unwrap();
        let length = bytes.len();
        for (at, value) in changes {
            bytes[at.index(length)] = value;
        }
        std::fs::write(&path, bytes).unwrap();
        prop_assert!(read_folder(folder.path()) <= 1 << 20);
    }

    #[test]
    fn any_description_of_an_ept_folder_is_read_or_refused(text in "[\\[\\]{}:,\"a-zA-Z0-9. -]{0,200}") {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ept.json"), text).unwrap();
        prop_assert_eq!(read_folder(folder.path()), 0);
    }
}
