//! A bucket for browser journeys: a release of invented homes in Portland, Maine, laid out as Overture publishes its own.
//!
//! `area-bucket DESCRIPTION`: rewrites the description of a source so that it reads from here, says `ready`, and does what
//! each line of its input says: `hold PART`, `release`, `publish RELEASE HOMES`. It answers `done`, and ends with its
//! input.

#![allow(clippy::unwrap_used, reason = "a worker of a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "its answers")]

use shingle_testing::bucket::Bucket;
use shingle_testing::release::{Layout, ReleaseFiles, description, town};

const BUILT_IN: &str = include_str!("../../assets/sources/overture.toml");
/// A ZIP's center is near.
const AT: (f64, f64) = (-70.262, 43.655);

fn publish(bucket: &Bucket, release: &str, count: usize) {
    let homes = town("p", AT, 20, 30, ("04101", "Portland", "ME"));
    let mut files = ReleaseFiles::default();
    files.add(release, &homes[..count.min(homes.len())], &Layout::default()).unwrap();
    files.publish(bucket, release).unwrap();
}

fn main() {
    let Some(path) = std::env::args().nth(1) else { panic!("area-bucket DESCRIPTION") };
    let bucket = Bucket::start().unwrap();
    publish(&bucket, "2026-10-21.0", usize::MAX);
    std::fs::write(path, description(&bucket, BUILT_IN, true)).unwrap();
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
