use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use shingle_measure::*;

#[path = "../tests/measure/support/las.rs"]
mod las;

fn thin(path: &PathBuf, density: f64, area: f64, seed: u64, to: &std::path::Path) -> PathBuf {
    let mut points = Vec::new();
    let file = PointFile::open(std::io::BufReader::new(fs::File::open(path).unwrap())).unwrap();
    let offset = file.header.offset;
    file.for_each(|p| points.push(([p.x, p.y, p.z], p.class))).unwrap();
    let keep = (density * area) as usize;
    let mut dice = 0x9e3779b97f4a7c15u64.wrapping_mul(seed + 1) | 1;
    for i in 0..keep.min(points.len()) {
        dice ^= dice << 13; dice ^= dice >> 7; dice ^= dice << 17;
        let j = i + (dice % (points.len() - i) as u64) as usize;
        points.swap(i, j);
    }
    points.truncate(keep);
    let kind = las::Kind { offset, ..las::Kind::plain() };
    let out = to.join(path.file_name().unwrap());
    fs::write(&out, las::file(&kind, &points)).unwrap();
    out
}

fn rows(path: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines.map(|l| head.iter().map(|h| h.to_string()).zip(l.split(',').map(str::to_owned)).collect()).collect()
}

fn main() {
    let base = "/work/shared/data/lidar/";
    let which = std::env::args().nth(1).unwrap_or("roofs".into());
    let (truth, id, area, pitch, count, geo) = match which.as_str() {
        "roofs" => ("roofs/roofs.csv", "roof", "area_m2", "pitch_deg", "facets_ge_2m2", "roofs/outlines.geojson"),
        _ => ("ahn3/city3d_result.csv", "id", "area_m2_city3d", "pitch_deg_city3d", "facets_ge_2m2_city3d", "ahn3/outlines_local.geojson"),
    };
    let rows = rows(&format!("{base}{truth}"));
    let outlines = Outlines::from_geojson(&fs::read_to_string(format!("{base}{geo}")).unwrap()).unwrap();
    let paths: Vec<PathBuf> = rows.iter().map(|r| PathBuf::from(format!("{base}{which}/{}.laz", r[id]))).collect();
    let density: f64 = std::env::args().nth(2).and_then(|d| d.parse().ok()).unwrap_or(0.0);
    let seed: u64 = std::env::args().nth(3).and_then(|d| d.parse().ok()).unwrap_or(0);
    let quiet = std::env::args().nth(4).is_some();
    let dir = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = if density > 0.0 {
        paths.iter().zip(&rows).map(|(p, r)| thin(p, density, r["plan_m2"].parse().unwrap(), seed, dir.path())).collect()
    } else { paths };
    let report = measure_files(&paths, &outlines).unwrap();
    let mut errs = Vec::new();
    let (mut exact, mut one) = (0, 0);
    for row in &rows {
        let roof = report.roofs.iter().find(|r| r.id == row[id]).unwrap();
        match &roof.result {
            Ok(m) => {
                let (ta, tp, tc) = (row[area].parse::<f64>().unwrap(), row[pitch].parse::<f64>().unwrap(), row[count].parse::<i64>().unwrap());
                let n = m.facets.len() as i64;
                let ea = (m.area / ta - 1.0) * 100.0;
                let ep = m.pitch_degrees - tp;
                errs.push((ea, ep));
                if n == tc { exact += 1 }
                if (n - tc).abs() <= 1 { one += 1 }
                if quiet { continue }
                println!("{:>10} area {:7.1} truth {ta:7.1} {ea:+6.2}%  pitch {:5.2} {ep:+5.2}  facets {n} truth {tc} {} sup {:.2} h {:?}", roof.id, m.area, m.pitch_degrees, if n==tc {""} else {"*"}, m.support, m.height);
                if n != tc { for f in &m.facets { println!("              {:6.1} m2 pitch {:4.1} az {:5.1} sup {:.2}", f.area, f.pitch_degrees, f.azimuth_degrees, f.support) } }
            }
            Err(e) => println!("{:>10} {e:?}", roof.id),
        }
    }
    let n = errs.len() as f64;
    let mae: f64 = errs.iter().map(|e| e.0.abs()).sum::<f64>() / n;
    let pmae: f64 = errs.iter().map(|e| e.1.abs()).sum::<f64>() / n;
    let med = |mut v: Vec<f64>| { v.sort_by(f64::total_cmp); v[v.len() / 2] };
    println!("area MAE {mae:.3}% median {:.3}  bias {:+.3}  pitch MAE {pmae:.3} median {:.3}  exact {exact} within one {one} of {}", med(errs.iter().map(|e| e.0.abs()).collect()), errs.iter().map(|e| e.0).sum::<f64>()/n, med(errs.iter().map(|e| e.1.abs()).collect()), rows.len());
}
