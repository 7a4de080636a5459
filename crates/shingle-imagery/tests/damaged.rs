//! Files that are cut off or changed by chance: an answer or an error, never a panic, and no memory by what a file
//! says of itself. A program of its own, so that its memory is that of these files.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::Index;
use shingle_imagery::{Placed, Window, find_shift};

const MOST_MEMORY: u64 = 300 << 20;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = all.filter(|path| path.extension().is_some_and(|e| e == "tif")).collect();
    files.sort();
    assert!(files.len() > 25);
    files
}

/// All that can be done with a file.
fn use_all(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.tif");
    fs::write(&path, bytes).unwrap();
    let Ok(picture) = Placed::open(&path, Some("EPSG:3857")).or_else(|_| Placed::open(&path, None)) else { return };
    let [west, south, east, north] = picture.facts().bounds;
    let (lon, lat) = (f64::midpoint(west, east), f64::midpoint(south, north));
    for meters in [20.0, 300.0] {
        if let Ok(Some(cut)) = picture.cut(&Window::about(lon, lat, meters, 200, 150)) {
            assert_eq!((cut.rgb.len(), cut.seen.len()), (200 * 150 * 3, 200 * 150));
            assert!((0.0..=1.0).contains(&cut.covered) && (0.0..=1.0).contains(&cut.cloudy));
        }
    }
    // Looks at the same pixels, slowly.
    if !bytes.len().is_multiple_of(8) {
        return;
    }
    let (e, n) = (8.0 / 92_000.0, 8.0 / 111_000.0);
    let house = vec![[lon - e, lat - n], [lon + e, lat - n], [lon + e, lat + n], [lon - e, lat + n]];
    let _ = find_shift(&picture, &vec![house; 4], 3.0);
}

/// The most that this program has held, in bytes; 0 where the system does not tell.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn check_memory() {
    let peak = peak();
    assert!(peak < MOST_MEMORY, "{} MB", peak >> 20);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_file_is_an_error_or_a_picture(
        file in any::<Index>(),
        // Directories are at the start: half of what is changed is there.
        changes in prop::collection::vec((any::<Index>(), any::<bool>(), any::<u8>()), 0..6),
        end in prop::option::of(any::<Index>()),
    ) {
        let files = files();
        let mut bytes = fs::read(file.get(&files)).unwrap();
        for (at, start, value) in changes {
            let length = if start { bytes.len().min(600) } else { bytes.len() };
            bytes[at.index(length)] = value;
        }
        if let Some(end) = end {
            bytes.truncate(end.index(bytes.len() + 1));
        }
        use_all(&bytes);
        check_memory();
    }
}

#[test]
fn each_byte_of_a_directory_may_be_wrong() {
    for file in files().iter().filter(|file| {
        let name = file.file_stem().unwrap().to_string_lossy();
        ["tile_jpeg_ycbcr", "tile_big"].contains(&&*name)
    }) {
        let whole = fs::read(file).unwrap();
        for at in 0..whole.len().min(420) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0xff;
            use_all(&bytes);
        }
        check_memory();
    }
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_an_error_or_a_picture() {
    for file in files() {
        let whole = fs::read(file).unwrap();
        for end in (0..whole.len()).step_by(131) {
            use_all(&whole[..end]);
        }
    }
    check_memory();
}
