//! Facets over points, as SVG, to look at: `draw OUTLINES.geojson FOLDER POINTS…` writes a picture for each roof.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use shingle_measure::{EdgeKind, Outline, Outlines, PointFile, Roof, measure_files, point_files};

type At = (f64, f64);

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(outlines), Some(folder)) = (args.next(), args.next()) else {
        return Err("draw OUTLINES.geojson FOLDER POINTS…".into());
    };
    let files = point_files(&args.collect::<Vec<_>>())?;
    let outlines = Outlines::from_geojson(&fs::read_to_string(outlines)?)?;
    let report = measure_files(&files, &outlines)?;
    fs::create_dir_all(&folder)?;
    let of_id: HashMap<&str, &Outline> = outlines.outlines.iter().map(|o| (o.id.as_str(), o)).collect();
    for roof in &report.roofs {
        if let Some(outline) = of_id.get(roof.id.as_str()) {
            draw(&folder, outline, roof, &files)?;
        }
    }
    Ok(())
}

/// Minimum and maximum.
fn bounds(outline: &Outline) -> (At, At) {
    let points = outline.parts.iter().flatten().flatten();
    points.fold(((f64::MAX, f64::MAX), (f64::MIN, f64::MIN)), |(low, high), p| {
        ((low.0.min(p.0), low.1.min(p.1)), (high.0.max(p.0), high.1.max(p.1)))
    })
}

fn draw(folder: &Path, outline: &Outline, roof: &Roof, files: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    let (low, high) = bounds(outline);
    let middle = (f64::midpoint(low.0, high.0), f64::midpoint(low.1, high.1));
    let reach = (high.0 - low.0).max(high.1 - low.1) / 2.0 + 1.5;
    let mut svg = String::new();
    writeln!(svg, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{0} {0} {1} {1}">"#, -reach, 2.0 * reach)?;
    writeln!(svg, r##"<rect x="{0}" y="{0}" width="100%" height="100%" fill="#fff"/>"##, -reach)?;
    let mut points = Vec::new();
    for path in files {
        PointFile::open(BufReader::new(File::open(path)?))?.for_each(|p| {
            let (x, y) = (p.x - middle.0, p.y - middle.1);
            if x.abs() < reach && y.abs() < reach && points.len() < 60_000 {
                points.push((x, y, p.z));
            }
        })?;
    }
    let (least, most) = points.iter().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.2), b.max(p.2)));
    for (x, y, z) in &points {
        let hue = 240.0 - 240.0 * (z - least) / (most - least).max(0.1);
        writeln!(svg, r#"<circle cx="{x:.2}" cy="{:.2}" r=".07" fill="hsl({hue:.0} 70% 60%)"/>"#, -y)?;
    }
    match &roof.result {
        Err(why) => writeln!(svg, r#"<text x="{}" y="0" font-size="1">{why}</text>"#, -reach)?,
        Ok(measured) => {
            for edge in &measured.edges {
                let color = match edge.kind {
                    EdgeKind::Ridge => "#c00",
                    EdgeKind::Hip => "#e80",
                    EdgeKind::Valley => "#06c",
                    EdgeKind::Break => "#a0c",
                    EdgeKind::Step => "#000",
                    EdgeKind::Eave => "#283",
                    EdgeKind::Rake | EdgeKind::High => "#7a5",
                };
                let (a, b) = (edge.from, edge.to);
                writeln!(
                    svg,
                    r#"<path d="M{:.2} {:.2}L{:.2} {:.2}" stroke="{color}" stroke-width=".14"/>"#,
                    a[0], -a[1], b[0], -b[1]
                )?;
            }
            for facet in &measured.facets {
                let Some(largest) = facet.polygons.iter().max_by_key(|p| p.exterior().0.len()) else { continue };
                let ring = &largest.exterior().0;
                let count = f64::from(u32::try_from(ring.len())?);
                let (x, y) = ring.iter().fold((0.0, 0.0), |sum, c| (sum.0 + c.x / count, sum.1 + c.y / count));
                writeln!(
                    svg,
                    r#"<text x="{x:.2}" y="{:.2}" font-size=".7" text-anchor="middle">{:.1} m² {:.1}°</text>"#,
                    -y, facet.area, facet.pitch_degrees
                )?;
            }
        }
    }
    svg.push_str("</svg>\n");
    fs::write(folder.join(format!("{}.svg", roof.id.replace(['/', '\\'], "_"))), svg)?;
    Ok(())
}
