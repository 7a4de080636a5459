//! How long windows take: `cargo run --release -p shingle-imagery --example speed -- FILE TIMES METERS WIDE HIGH`. Run it
//! under `perf stat -e task-clock` or `time`: it reads no clock.

use std::error::Error;
use std::path::Path;

use shingle_imagery::{Placed, Window};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, times, meters, wide, high] = args.as_slice() else {
        return Err("give FILE TIMES METERS WIDE HIGH".into());
    };
    let picture = Placed::open(Path::new(file), None)?;
    let [west, south, east, north] = picture.facts().bounds;
    let (lon, lat) = (f64::midpoint(west, east), f64::midpoint(south, north));
    let window = Window::about(lon, lat, meters.parse()?, wide.parse()?, high.parse()?);
    let mut covered = 0.0;
    for _ in 0..times.parse::<u32>()? {
        covered += picture.cut(&window)?.map_or(0.0, |cut| cut.covered);
    }
    println!("covered {covered}");
    Ok(())
}
