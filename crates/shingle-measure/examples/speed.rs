//! Points a second from files to facets, of processor time: `speed OUTLINES.geojson POINTS…`. Another program that is
//! measured in the same minute says what the figure is worth on a machine.

use std::error::Error;
use std::path::PathBuf;

use shingle_measure::{Outlines, measure_files, point_files};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let outlines = args.next().ok_or("speed OUTLINES.geojson POINTS…")?;
    let files = point_files(&args.collect::<Vec<_>>())?;
    let outlines = Outlines::from_geojson(&std::fs::read_to_string(outlines)?)?;
    let before = processor_seconds()?;
    let report = measure_files(&files, &outlines)?;
    let seconds = processor_seconds()? - before;
    let points: u64 = report.files.iter().filter_map(|f| f.result.as_ref().ok()).map(|facts| facts.points).sum();
    let measured = report.roofs.iter().filter(|roof| roof.result.is_ok()).count();
    println!("{points} points, {measured} of {} roofs, {seconds:.3} s", report.roofs.len());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("memory is not known here"));
    Ok(())
}

/// Of this process, to a hundredth: enough for files that take a second.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: f64 = stat.split_whitespace().next().ok_or("no figure")?.parse()?;
    Ok(nanoseconds / 1e9)
}
