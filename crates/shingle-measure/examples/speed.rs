// Time of the parts.
#[path = "../tests/measure/support/las.rs"]
mod las;
use shingle_measure::*;
use std::path::PathBuf;
use std::time::Instant;
fn main() {
    let base = "/work/shared/data/lidar/roofs/";
    let outlines = Outlines::from_geojson(&std::fs::read_to_string(format!("{base}outlines.geojson")).unwrap()).unwrap();
    let paths: Vec<PathBuf> = std::fs::read_dir(base).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "laz")).collect();
    let t = Instant::now();
    let mut n = 0u64;
    for p in &paths { PointFile::open(std::io::BufReader::new(std::fs::File::open(p).unwrap())).unwrap().for_each(|_| n += 1).unwrap(); }
    println!("read {n} in {:?}", t.elapsed());
    let t = Instant::now();
    let r = measure_files(&paths, &outlines).unwrap();
    println!("measure {} in {:?}", r.roofs.len(), t.elapsed());
}
