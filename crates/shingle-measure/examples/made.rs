#[path = "../tests/measure/support/las.rs"]
mod las;
#[path = "../tests/measure/support/made.rs"]
mod made;
use made::*;
use shingle_measure::*;
use std::fs;
use std::path::PathBuf;

fn main() {
    let arg = |n: usize| std::env::args().nth(n);
    let per: u64 = arg(1).and_then(|s| s.parse().ok()).unwrap_or(4);
    let show = arg(2).is_some();
    let dir = tempfile::tempdir().unwrap();
    for (density, noise) in [(2.0, 0.03), (2.0, 0.1), (8.0, 0.03), (8.0, 0.06), (8.0, 0.1), (20.0, 0.03), (20.0, 0.1)] {
        let (mut el, mut et, mut ch, mut ct) = (0.0, 0.0, 0, 0);
        let (mut ea, mut ep, mut exact, mut one, mut n) = (0.0, 0.0, 0, 0, 0);
        for kind in KINDS {
            let (mut ka, mut kp, mut kx, mut k1, mut got) = (0.0, 0.0, 0, 0, Vec::new());
            for seed in 0..per {
                let roof = house(kind, seed * 31 + 7);
                let truth = roof.truth();
                let flight = Flight { density, noise, outliers: true, trees: seed % 2 == 1, chimney: true };
                let points = fly(&roof, flight, seed * 77 + 5);
                let path = match arg(3) { Some(d) if density == 8.0 && noise == 0.03 => PathBuf::from(d).join(format!("{kind}{seed}.las")), _ => dir.path().join("a.las") };
                if let Some(d) = arg(3) { let c: Vec<String> = roof.outline().iter().map(|p| format!("[{},{}]", p.0, p.1)).collect();
                fs::write(PathBuf::from(d).join(format!("{kind}{seed}.geojson")), format!("{{\"type\":\"Feature\",\"properties\":{{\"id\":\"{kind}{seed}\"}},\"geometry\":{{\"type\":\"Polygon\",\"coordinates\":[[{}]]}}}}", c.join(","))).unwrap(); }
                fs::write(&path, las::file(&las::Kind::plain(), &points)).unwrap();
                let outlines = Outlines { outlines: vec![Outline { id: "a".into(), parts: vec![vec![roof.outline()]] }], code: None, says_degrees: false };
                let report = measure_files(&[path], &outlines).unwrap();
                n += 1;
                match &report.roofs[0].result {
                    Ok(m) => {
                        let a = (m.area / truth.area - 1.0) * 100.0;
                        let p = m.pitch_degrees - truth.pitch;
                        let d = m.facets.len().abs_diff(truth.facets);
                        ka += a.abs(); kp += p.abs(); kx += usize::from(d == 0); k1 += usize::from(d <= 1);
                        let inner: Vec<&Edge> = m.edges.iter().filter(|e| matches!(e.kind, EdgeKind::Ridge | EdgeKind::Hip | EdgeKind::Valley | EdgeKind::Break)).collect();
                        let total: f64 = inner.iter().map(|e| e.length).sum();
                        el += (total - truth.inner_edges).abs(); et += truth.inner_edges;
                        let o = roof.outline(); let lo = o.iter().fold((f64::MAX, f64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1))); let hi = o.iter().fold((f64::MIN, f64::MIN), |a, b| (a.0.max(b.0), a.1.max(b.1)));
                        let mid = ((lo.0 + hi.0) / 2.0, (lo.1 + hi.1) / 2.0);
                        for c in &truth.corners { ct += 1; if inner.iter().flat_map(|e| [e.from, e.to]).any(|p| (p[0] + mid.0 - c.0).hypot(p[1] + mid.1 - c.1) < 0.5) { ch += 1 } }
                        if show { print!(" {:.1}/{:.1}", total, truth.inner_edges) }
                        got.push(format!("{}/{}{}{:+.1}%{:+.1}", m.facets.len(), truth.facets, if seed % 2 == 1 { "t" } else { "" }, a, p));
                    }
                    Err(e) => { got.push(format!("{e:?}")); ka += 100.0 }
                }
            }
            if show { println!("  {kind:8} area {:.2}% pitch {:.2} exact {kx} within {k1} of {per}  {}", ka / per as f64, kp / per as f64, got.join(" ")); }
            ea += ka; ep += kp; exact += kx; one += k1;
        }
        println!("density {density} noise {noise}: area MAE {:.2}% pitch MAE {:.2} exact {:.0}% within one {:.0}% edges {:.1}% of {:.0} corners {:.0}% of {ct}", ea / n as f64, ep / n as f64, 100.0 * exact as f64 / n as f64, 100.0 * one as f64 / n as f64, 100.0 * el / et, et, 100.0 * ch as f64 / ct as f64);
    }
}
