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
    let report = measure_files(&paths, &outlines).unwrap();
    for roof in &report.roofs {
        let o = outlines.outlines.iter().find(|o| o.id == roof.id).unwrap();
        let (mut lo, mut hi) = ([f64::MAX; 2], [f64::MIN; 2]);
        for p in o.parts.iter().flatten().flatten() { for (i, v) in [p.0, p.1].into_iter().enumerate() { lo[i] = lo[i].min(v); hi[i] = hi[i].max(v); } }
        let m = [(lo[0] + hi[0]) / 2.0, (lo[1] + hi[1]) / 2.0];
        writeln!(out, "roof {}", roof.id).unwrap();
        for ring in o.parts.iter().flatten() { for i in 0..ring.len() { let (p, q) = (ring[i], ring[(i + 1) % ring.len()]); writeln!(out, "o {} {} {} {}", p.0 - m[0], p.1 - m[1], q.0 - m[0], q.1 - m[1]).unwrap(); } }
        for path in &paths { let f = PointFile::open(std::io::BufReader::new(fs::File::open(path).unwrap())).unwrap(); let mut n = 0; f.for_each(|p| { if p.x > lo[0] - 1.0 && p.x < hi[0] + 1.0 && p.y > lo[1] - 1.0 && p.y < hi[1] + 1.0 { n += 1; if n < 40000 { writeln!(out, "p {} {} {} {}", p.x - m[0], p.y - m[1], p.z, p.class).unwrap(); } } }).unwrap(); }
        if let Ok(m) = &roof.result { for e in &m.edges { writeln!(out, "g {:?} {} {} {} {}", e.kind, e.from[0], e.from[1], e.to[0], e.to[1]).unwrap(); } }
        match &roof.result {
            Ok(m) => {
                for f in &m.facets {
                    for poly in &f.polygons {
                        write!(out, "f {:.1} {:.1} {:.0}", f.area, f.pitch_degrees, f.azimuth_degrees).unwrap();
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
