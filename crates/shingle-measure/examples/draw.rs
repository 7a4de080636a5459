// draw OUT.txt OUTLINES.geojson POINTS...
use shingle_measure::*;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outlines = Outlines::from_geojson(&fs::read_to_string(&args[1]).unwrap()).unwrap();
    let paths: Vec<PathBuf> = args[2..].iter().map(PathBuf::from).collect();
    let mut out = String::new();
    let (report, traces) = measure_traced(&paths, &outlines).unwrap();
    for (roof, trace) in report.roofs.iter().zip(&traces) {
        let Some((shape, trace)) = trace else { continue };
        writeln!(out, "roof {}", roof.id).unwrap();
        for ((a, b), (c, d)) in shape.edges() { writeln!(out, "o {a} {b} {c} {d}").unwrap(); }
        for (p, l) in trace.points.iter().zip(&trace.labels) { writeln!(out, "p {} {} {} {}", p[0], p[1], p[2], *l as i32).unwrap(); }
        match &roof.result {
            Ok(m) => {
                for f in &m.facets {
                    for poly in &f.polygons {
                        write!(out, "f {:.1} {:.1} {:.0}", f.area, f.plane.pitch_degrees(), f.plane.azimuth_degrees()).unwrap();
                        for c in poly.exterior().coords() { write!(out, " {} {}", c.x, c.y).unwrap(); }
                        writeln!(out).unwrap();
                    }
                }
            }
            Err(e) => writeln!(out, "e {e:?}").unwrap(),
        }
    }
    fs::write(&args[0], out).unwrap();
}
