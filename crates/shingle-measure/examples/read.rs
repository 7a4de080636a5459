use shingle_measure::*;
use std::time::Instant;
fn main() {
    for path in std::env::args().skip(1) {
        let t = Instant::now();
        let name = path.rsplit('/').next().unwrap().to_owned();
        let r = std::fs::File::open(&path).map_err(MeasureError::from).and_then(|f| PointFile::open(std::io::BufReader::new(f)));
        match r {
            Err(e) => println!("{name}: {e}"),
            Ok(f) => {
                let crs = FileCrs::of(&f.header);
                let h = f.header.clone();
                let mut n = 0u64; let mut z = (f64::MAX, f64::MIN); let mut cl = std::collections::BTreeMap::new();
                let ended = f.for_each(|p| { n += 1; z = (z.0.min(p.z), z.1.max(p.z)); *cl.entry(p.class).or_insert(0) += 1; });
                println!("{name}: format {} points {n}/{} z {z:?} {crs:?} {ended:?} classes {cl:?} b {:?} {:?}", h.format, h.points, h.bounds.map(|b| [b[0][0], b[0][1], b[1][0], b[1][1]]), t.elapsed());
            }
        }
    }
}
