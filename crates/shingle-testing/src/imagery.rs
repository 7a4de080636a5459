//! A service of photographs from the air as ArcGIS publishes them: a catalog with the ground and the date of each photograph,
//! and pictures of any ground that is asked for.

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};
use serde_json::{Value, json};

use crate::bucket::Bucket;

pub const QUERY: &str = "naip/ImageServer/query";
pub const PICTURE: &str = "naip/ImageServer/exportImage";

/// A photograph of the catalog.
#[derive(Debug, Clone)]
pub struct Photograph {
    pub id: i64,
    /// Fields of the catalog besides its number.
    pub fields: Value,
    /// West, south, east and north, in degrees.
    pub bounds: [f64; 4],
}

impl Photograph {
    pub fn new(id: i64, fields: Value, bounds: [f64; 4]) -> Self {
        Self { id, fields, bounds }
    }

    /// With the fields of the real one: milliseconds of a day, and its year.
    pub fn flown(id: i64, (milliseconds, year): (i64, u16), bounds: [f64; 4]) -> Self {
        Self::new(id, json!({ "acquisition_date": milliseconds, "Year": year, "Category": 1 }), bounds)
    }

    fn entry(&self) -> Value {
        let [west, south, east, north] = self.bounds;
        let mut attributes = self.fields.clone();
        attributes["OBJECTID"] = self.id.into();
        let ring = [[west, south], [west, north], [east, north], [east, south], [west, south]];
        json!({ "attributes": attributes, "geometry": { "rings": [ring] } })
    }

    fn meets(&self, [west, south, east, north]: [f64; 4]) -> bool {
        let [w, s, e, n] = self.bounds;
        w <= east && west <= e && s <= north && south <= n
    }
}

/// Answers for these photographs. A question is answered with so many entries at most.
pub fn publish(bucket: &Bucket, photographs: &[Photograph], most: usize) {
    let all = photographs.to_vec();
    bucket.answer(QUERY, move |query| {
        let bounds = numbers(query, "geometry").unwrap_or_default();
        let met: Vec<_> = all.iter().filter(|one| one.meets(bounds)).collect();
        let entries: Vec<Value> = met.iter().take(most).map(|one| one.entry()).collect();
        let answer = json!({
            "objectIdFieldName": "OBJECTID",
            "geometryType": "esriGeometryPolygon",
            "spatialReference": { "wkid": 4326, "latestWkid": 4326 },
            "exceededTransferLimit": met.len() > most,
            "features": entries,
        });
        answer.to_string().into_bytes()
    });
    bucket.answer(PICTURE, |query| picture(query, town));
}

/// The picture that a query asks for, of these colors.
pub fn picture(query: &str, color: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let [wide, high] = size(query);
    let pixels: Vec<u8> = (0..wide * high).flat_map(|n| color(n % wide, n / wide)).collect();
    jpeg(&pixels, wide, high)
}

pub fn jpeg(pixels: &[u8], wide: u32, high: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, 70);
    match encoder.write_image(pixels, wide, high, ExtendedColorType::Rgb8) {
        Ok(()) => bytes,
        Err(_) => Vec::new(),
    }
}

/// Lawns and roofs.
pub fn town(x: u32, y: u32) -> [u8; 3] {
    let is_roof = (x / 24).is_multiple_of(2) && (y / 24).is_multiple_of(2);
    let grain = u8::try_from((x * 7 + y * 13) % 23).unwrap_or_default();
    if is_roof { [120 + grain, 80, 60] } else { [60, 100 + grain, 50] }
}

/// Pixels of the picture that a query asks for.
pub fn size(query: &str) -> [u32; 2] {
    let value = value(query, "size").unwrap_or_default();
    let mut parts = value.split(',').map(|part| part.parse().unwrap_or_default());
    [parts.next().unwrap_or_default(), parts.next().unwrap_or_default()]
}

/// A value of a query, with its signs as they were typed.
pub fn value(query: &str, name: &str) -> Option<String> {
    let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
    let signs =
        [("%2C", ","), ("%7B", "{"), ("%7D", "}"), ("%22", "\""), ("%3A", ":"), ("%5B", "["), ("%5D", "]"), ("+", " ")];
    Some(signs.iter().fold(value.to_owned(), |text, (from, to)| text.replace(from, to)))
}

fn numbers(query: &str, name: &str) -> Option<[f64; 4]> {
    let parts: Vec<f64> = value(query, name)?.split(',').filter_map(|part| part.parse().ok()).collect();
    parts.try_into().ok()
}

/// The description of the built-in source, with its service in the bucket.
pub fn imagery_description(bucket: &Bucket, built_in: &str) -> String {
    let at = bucket.url();
    let line = |line: &str| match line.split_once(" = ") {
        Some(("service", _)) => format!("service = \"{at}naip/ImageServer\""),
        _ => line.to_owned(),
    };
    built_in.lines().map(line).collect::<Vec<_>>().join("\n")
}
