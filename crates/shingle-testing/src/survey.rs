//! A laser survey of invented homes, laid out as the national one publishes its own: a list with the boundaries of all
//! surveys, and for each an octree in Web Mercator. Points are not compressed, which the format of its files allows.

use std::collections::BTreeMap;

use serde_json::json;

use crate::bucket::Bucket;
use crate::release::Home;

/// Of the sphere that Web Mercator takes the Earth for.
const RADIUS: f64 = 6_378_137.0;
/// Pages below the first begin at this level.
const PAGES_AT: u8 = 3;
/// Between points, in meters.
const STEP: f64 = 0.4;
/// About each house.
const AROUND: f64 = 6.0;
/// Of every roof.
pub const PITCH_DEGREES: f64 = 30.0;
/// Seconds of 2021-04-01 since 1980-01-06, without a billion of them.
const FLOWN: f64 = 1_301_270_400.0 - 1e9;

/// As the real one says it.
const WKT: &str = r#"PROJCS["WGS 84 / Pseudo-Mercator",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]],PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["X",EAST],AXIS["Y",NORTH],EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0.0 +lon_0=0.0 +x_0=0.0 +y_0=0 +k=1.0 +units=m +nadgrids=@null +wktext  +no_defs"],AUTHORITY["EPSG","3857"]]"#;

type Key = (u8, [u32; 3]);

/// The points of a survey.
#[derive(Debug, Clone, Default)]
pub struct MadeSurvey {
    points: Vec<[f64; 3]>,
    levels: u8,
    pub span: u32,
}

impl MadeSurvey {
    /// Gabled roofs on the outlines of these homes, with ground about them, and a field without houses in the south.
    pub fn over(homes: &[Home], levels: u8) -> Self {
        let mut survey = Self { points: Vec::new(), levels, span: 128 };
        for home in homes {
            survey.fly_over(home);
        }
        let south = homes.iter().map(|home| home.latitude).fold(f64::INFINITY, f64::min) - 0.008;
        let west = homes.iter().map(|home| home.longitude).fold(f64::INFINITY, f64::min);
        for n in 0..60_000_u32 {
            let (x, y) = (f64::from(n % 300) * 2.0, f64::from(n / 300) * 2.0);
            survey.points.push(mercator(west + x / 85_300.0, south + y / 111_000.0, 1_600.0));
        }
        survey
    }

    fn fly_over(&mut self, home: &Home) {
        let (east, north) = (111_320.0 * home.latitude.to_radians().cos(), 111_050.0);
        // As the outline of a home is drawn.
        let (width, depth) = (2.0 * home.half * east, 2.0 * home.half * 0.7 * north);
        let (columns, rows) = (count((width + 2.0 * AROUND) / STEP), count((depth + 2.0 * AROUND) / STEP));
        for n in 0..columns * rows {
            // No survey's points stand in rows.
            let slip = |by: f64| 0.15 * (f64::from(n) * by).sin();
            let x = f64::from(n % columns) * STEP - AROUND + slip(12.9898);
            let y = f64::from(n / columns) * STEP - AROUND + slip(78.233);
            let is_roof = (0.0..=width).contains(&x) && (0.0..=depth).contains(&y);
            let rise = (depth / 2.0 - (y - depth / 2.0).abs()) * PITCH_DEGREES.to_radians().tan();
            let height = if is_roof { 4.0 + rise } else { 0.0 };
            let (lon, lat) = (home.longitude + (x - width / 2.0) / east, home.latitude + (y - depth / 2.0) / north);
            self.points.push(mercator(lon, lat, 1_600.0 + height + 0.02 * (f64::from(n) * 3.7).sin()));
        }
    }

    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// The files of the octree in a folder of this name.
    pub fn files(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        let ends = |axis: usize, f: fn(f64, f64) -> f64, from: f64| self.points.iter().map(|p| p[axis]).fold(from, f);
        let min = [0, 1, 2].map(|axis| ends(axis, f64::min, f64::INFINITY).floor());
        let max = [0, 1, 2].map(|axis| ends(axis, f64::max, f64::NEG_INFINITY));
        let side = (0..3).map(|axis| max[axis] - min[axis]).fold(0.0, f64::max) + 1.0;
        let mut nodes: BTreeMap<Key, Vec<[f64; 3]>> = BTreeMap::new();
        for (index, point) in self.points.iter().enumerate() {
            // Half of the points lie on the deepest level.
            let up = u8::try_from((index + 1).trailing_zeros()).unwrap_or(u8::MAX);
            let level = self.levels.saturating_sub(up.saturating_add(1));
            let cell = side / f64::from(1_u32 << level);
            let at = [0, 1, 2].map(|axis: usize| count((point[axis] - min[axis]) / cell) - 1);
            nodes.entry((level, at)).or_default().push(*point);
        }
        let mut files = vec![(format!("{name}/ept.json"), self.description(min, max, side))];
        let mut pages: BTreeMap<Key, BTreeMap<String, i64>> = BTreeMap::new();
        for (key, points) in &nodes {
            files.push((format!("{name}/ept-data/{}.laz", named(key)), las(points)));
            let (level, at) = *key;
            let page = match level < PAGES_AT {
                true => (0, [0; 3]),
                false => (PAGES_AT, at.map(|v| v >> (level - PAGES_AT))),
            };
            pages.entry(page).or_default().insert(named(key), i64::try_from(points.len()).unwrap_or(i64::MAX));
            if page.0 > 0 {
                pages.entry((0, [0; 3])).or_default().insert(named(&page), -1);
            }
        }
        let page = |(key, nodes): (Key, BTreeMap<String, i64>)| {
            (format!("{name}/ept-hierarchy/{}.json", named(&key)), json!(nodes).to_string().into_bytes())
        };
        files.extend(pages.into_iter().map(page));
        files
    }

    fn description(&self, min: [f64; 3], max: [f64; 3], side: f64) -> Vec<u8> {
        let text = json!({
            "bounds": [min[0], min[1], min[2], min[0] + side, min[1] + side, min[2] + side],
            "boundsConforming": [min[0], min[1], min[2], max[0], max[1], max[2]],
            "dataType": "laszip",
            "hierarchyType": "json",
            "points": self.points.len(),
            "schema": [{ "name": "X", "type": "signed", "size": 4, "scale": 0.01, "offset": 0.0 }],
            "span": self.span,
            "srs": { "authority": "EPSG", "horizontal": "3857", "vertical": "5703", "wkt": WKT },
            "version": "1.0.0",
        });
        text.to_string().into_bytes()
    }

    pub fn publish(&self, bucket: &Bucket, name: &str) {
        for (path, bytes) in self.files(name) {
            bucket.put(&path, bytes);
        }
    }
}

/// The list of surveys: names, and the west, south, east and north of each.
pub fn list(surveys: &[(&str, [f64; 4])]) -> Vec<u8> {
    let feature = |(id, (name, [west, south, east, north])): (usize, &(&str, [f64; 4]))| {
        let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]];
        json!({
            "type": "Feature",
            "properties": {
                "name": name, "id": id, "count": 1_000_000_000_u64 + id as u64,
                // A server that nothing may be read from: only the folder counts.
                "url": format!("https://lidar.example/public/{name}/ept.json"),
            },
            "geometry": { "type": "MultiPolygon", "coordinates": [[ring]] },
        })
    };
    let features: Vec<_> = surveys.iter().enumerate().map(feature).collect();
    json!({ "type": "FeatureCollection", "features": features }).to_string().into_bytes()
}

/// A description of the source that reads `resources.geojson` and the octrees in the bucket.
pub fn survey_description(bucket: &Bucket, built_in: &str) -> String {
    let at = bucket.url();
    let line = |line: &str| match line.split_once(" = ") {
        Some(("list", _)) => format!("list = \"{at}resources.geojson\""),
        Some(("data", _)) => format!("data = \"{at}\""),
        _ => line.to_owned(),
    };
    built_in.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn named((level, [x, y, z]): &Key) -> String {
    format!("{level}-{x}-{y}-{z}")
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
fn count(of: f64) -> u32 {
    of.max(0.0) as u32 + 1
}

fn mercator(lon: f64, lat: f64, z: f64) -> [f64; 3] {
    let quarter = std::f64::consts::FRAC_PI_4;
    [RADIUS * lon.to_radians(), RADIUS * (quarter + lat.to_radians() / 2.0).tan().ln(), z]
}

/// LAS 1.2, point format 1, in hundredths.
fn las(points: &[[f64; 3]]) -> Vec<u8> {
    let axis = |f: fn(f64, f64) -> f64, from: f64, axis: usize| points.iter().map(|p| p[axis]).fold(from, f);
    let length = u32::try_from(points.len()).unwrap_or(u32::MAX);
    let mut out = vec![0; 227];
    out[..4].copy_from_slice(b"LASF");
    // Standard time.
    out[6] = 1;
    (out[24], out[25]) = (1, 2);
    out[94..96].copy_from_slice(&227_u16.to_le_bytes());
    out[96..100].copy_from_slice(&227_u32.to_le_bytes());
    out[104] = 1;
    out[105..107].copy_from_slice(&28_u16.to_le_bytes());
    for at in [107, 111] {
        out[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }
    for at in [131, 139, 147] {
        out[at..at + 8].copy_from_slice(&0.01_f64.to_le_bytes());
    }
    for (number, at) in (0..3).zip((179..).step_by(16)) {
        out[at..at + 8].copy_from_slice(&axis(f64::max, f64::MIN, number).to_le_bytes());
        out[at + 8..at + 16].copy_from_slice(&axis(f64::min, f64::MAX, number).to_le_bytes());
    }
    for point in points {
        #[allow(clippy::cast_possible_truncation, reason = "within the range of the format")]
        point.iter().for_each(|v| out.extend(((v * 100.0).round() as i32).to_le_bytes()));
        out.extend([0, 0, 0b00_001_001, 1, 0, 0, 0, 0]);
        out.extend(FLOWN.to_le_bytes());
    }
    out
}
