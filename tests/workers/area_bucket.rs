//! A bucket for browser journeys: a release of invented homes in Portland, Maine, laid out as Overture publishes its own,
//! and photographs of that ground from the air.
//!
//! `area-bucket FOLDER`: writes descriptions of both there, which read from here, says `ready`, and does what each line of
//! its input says: `hold PART`, `release`, `publish RELEASE HOMES`. It answers `done`, and ends with its
//! input.

#![allow(clippy::unwrap_used, reason = "a worker of a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "its answers")]

use std::path::PathBuf;

use shingle_testing::bucket::Bucket;
use shingle_testing::imagery::{self, Photograph, imagery_description};
use shingle_testing::release::{Layout, ReleaseFiles, description, town};

const HOMES: &str = include_str!("../../assets/sources/overture.toml");
const PHOTOGRAPHS: &str = include_str!("../../assets/sources/usgs-naip.toml");
/// 2023-07-14, in milliseconds, and its year.
const FLOWN: (i64, u16) = (1_689_292_800_000, 2023);
const FLOWN_OVER: [f64; 4] = [-71.0, 43.0, -69.5, 44.5];
/// A ZIP's center is near.
const AT: (f64, f64) = (-70.262, 43.655);

fn publish(bucket: &Bucket, release: &str, count: usize) {
    let homes = town("p", AT, 20, 30, ("04101", "Portland", "ME"));
    let mut files = ReleaseFiles::default();
    files.add(release, &homes[..count.min(homes.len())], &Layout::default()).unwrap();
    files.publish(bucket, release).unwrap();
}

fn main() {
    let Some(folder) = std::env::args().nth(1).map(PathBuf::from) else { panic!("area-bucket FOLDER") };
    let bucket = Bucket::start().unwrap();
    publish(&bucket, "2026-10-21.0", usize::MAX);
    imagery::publish(&bucket, &[Photograph::flown(1, FLOWN, FLOWN_OVER)], 100);
    std::fs::write(folder.join("overture.toml"), description(&bucket, HOMES, true)).unwrap();
    std::fs::write(folder.join("usgs-naip.toml"), imagery_description(&bucket, PHOTOGRAPHS)).unwrap();
    println!("ready");
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["hold", part] => drop(bucket.hold(part, 0)),
            ["release"] => bucket.release(),
            ["publish", release, count] => publish(&bucket, release, count.parse().unwrap()),
            other => panic!("no such order: {other:?}"),
        }
        println!("done");
    }
}
