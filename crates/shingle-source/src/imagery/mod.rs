//! A national service of photographs from the air: what its catalog has of an area, and the pictures of its homes.
//!
//! # What is known, and from where
//!
//! Nothing here was tried on the real service. Its maker documents `query` and `exportImage` of image services; what this
//! one holds was read in public programs that use it: fields `OBJECTID`, `Category`, `Year` (a number) and
//! `acquisition_date` (milliseconds), pictures of 4,000 pixels at most, Web Mercator, red, green and blue first, for each state
//! the newest flight alone. By its documentation a picture whose box has another shape than its size is of more ground than
//! was asked for (`adjustAspectRatio`), so boxes here have the shape of their size.
//!
//! # Decision
//!
//! Each picture is asked of one photograph (`lockRasterIds`), the newest that shows all of it, so that the date under it is
//! the date of what it shows. Turned down: the mosaic as the service lays it out, which may show several flights side by side.

mod date;
mod fault;
mod footprint;
mod grid;

pub use fault::ImageryFault;
pub use footprint::{Footprint, Shown};
pub use grid::{Grid, Tile, mercator};

use std::path::Path;

use bytes::Bytes;
use serde::Deserialize;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::message::ToMessage;
use url::Url;

use crate::area::Area;
use crate::client::Client;
use crate::description::{text_of, wrong};
use crate::error::SourceError;
use crate::range_reader::ReadFault;
use footprint::Listed;

/// Of one answer of the catalog.
const MOST_CATALOG: usize = 16 << 20;
/// What a server says of itself that is printed, in characters.
const MOST_SAID: usize = 200;
/// Questions to the catalog for an area.
const MOST_QUESTIONS: usize = 200;
const MOST_FOOTPRINTS: usize = 50_000;
/// How good a JPEG picture is asked for, of 100.
const QUALITY: &str = "85";

/// Where photographs are. A file in `assets/sources`, or one of the operator's in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct ImagerySource {
    pub name: String,
    pub title: String,
    /// Ends in a slash.
    service: Url,
    pub credit: String,
    condition: String,
    date_fields: Vec<String>,
    pub meters_per_pixel: f64,
    pub most_pixels: u32,
    /// Of the pictures of an area.
    pub most_bytes: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    service: String,
    credit: String,
    #[serde(rename = "where")]
    condition: String,
    date_fields: Vec<String>,
    meters_per_pixel: f64,
    most_pixels: u32,
    most_megabytes: u32,
}

const BUILT_IN: [(&str, &str); 1] = [("usgs-naip", include_str!("../../../../assets/sources/usgs-naip.toml"))];

impl ImagerySource {
    /// The one that is used for areas.
    pub const NATIONAL: &str = "usgs-naip";

    /// The source of this name: the operator's description in this folder, else the one that comes with the program.
    pub fn open(name: &str, folder: &Path) -> Result<Self, SourceError> {
        Self::from_toml(name, &text_of(name, folder, &BUILT_IN)?)
    }

    pub fn from_toml(name: &str, text: &str) -> Result<Self, SourceError> {
        let file: File = toml::from_str(text).map_err(|e| wrong(name, e.to_string()))?;
        let mut service = Url::parse(&file.service).map_err(|e| wrong(name, format!("service: {e}")))?;
        // Tests have a server without TLS; the policy for requests decides.
        if !matches!(service.scheme(), "https" | "http") || service.query().is_some() {
            return Err(wrong(name, format!("{service} is not https://…/ImageServer")));
        }
        service.set_path(&format!("{}/", service.path().trim_end_matches('/')));
        let is_field = |field: &String| {
            !field.is_empty() && field.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
        };
        if file.date_fields.is_empty() || !file.date_fields.iter().all(is_field) {
            return Err(wrong(name, "date_fields has to name fields of the catalog"));
        }
        if !(0.05..=5.0).contains(&file.meters_per_pixel) {
            return Err(wrong(name, "meters_per_pixel has to be from 0.05 to 5"));
        }
        if !(200..=2_000).contains(&file.most_pixels) {
            return Err(wrong(name, "most_pixels has to be from 200 to 2000"));
        }
        Ok(Self {
            name: name.to_owned(),
            title: file.title,
            service,
            credit: file.credit,
            condition: file.condition,
            date_fields: file.date_fields,
            meters_per_pixel: file.meters_per_pixel,
            most_pixels: file.most_pixels,
            most_bytes: u64::from(file.most_megabytes) * 1_000_000,
        })
    }

    /// The server that is asked.
    pub fn hosts(&self) -> Vec<String> {
        self.service.host_str().map(str::to_owned).into_iter().collect()
    }

    fn operation(&self, name: &str, values: &[(&str, &str)]) -> Result<Url, SourceError> {
        let mut url = self.service.join(name).map_err(|e| wrong(&self.name, format!("service: {e}")))?;
        url.query_pairs_mut().extend_pairs(values);
        Ok(url)
    }

    /// What the catalog has of an area. A catalog that answers a part of it is asked for smaller boxes.
    pub async fn footprints(&self, client: &Client, area: &Area) -> Result<Vec<Footprint>, SourceError> {
        let mut waiting = footprint::boxes_of(area);
        let mut found: Vec<Footprint> = Vec::new();
        for _ in 0..MOST_QUESTIONS {
            let Some(bounds) = waiting.pop() else {
                found.cold_sort_by_key(Footprint::id);
                found.dedup_by_key(|footprint| footprint.id());
                return Ok(found);
            };
            let listed = self.listed(client, bounds).await?;
            if listed.is_cut_off {
                waiting.extend(footprint::quarters(bounds));
                continue;
            }
            found.extend(listed.footprints);
            if found.len() > MOST_FOOTPRINTS {
                break;
            }
        }
        Err(SourceError::catalog(self.service.as_str(), ImageryFault::TooMany.to_message()))
    }

    async fn listed(&self, client: &Client, [west, south, east, north]: [f64; 4]) -> Result<Listed, SourceError> {
        let fields = ["OBJECTID"].into_iter().chain(self.date_fields.iter().map(String::as_str)).collect::<Vec<_>>();
        let url = self.operation(
            "query",
            &[
                ("f", "json"),
                ("where", &self.condition),
                ("geometry", &format!("{west},{south},{east},{north}")),
                ("geometryType", "esriGeometryEnvelope"),
                ("inSR", "4326"),
                ("spatialRel", "esriSpatialRelIntersects"),
                ("outFields", &fields.join(",")),
                ("returnGeometry", "true"),
                ("outSR", "4326"),
            ],
        )?;
        client
            .whole_as(&url, MOST_CATALOG, |bytes| {
                refusal(bytes)?;
                Listed::parse(bytes, &self.date_fields).map_err(|why| ReadFault::Lasting { why: why.to_message() })
            })
            .await
    }

    /// Where the picture of a tile is, of these photographs.
    pub fn picture_url(&self, tile: &Tile, photographs: &[i64]) -> Result<Url, SourceError> {
        let [west, south, east, north] = tile.bounds();
        let ids = photographs.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        self.operation(
            "exportImage",
            &[
                ("f", "image"),
                ("format", "jpg"),
                ("compressionQuality", QUALITY),
                ("bbox", &format!("{west},{south},{east},{north}")),
                ("bboxSR", "3857"),
                ("imageSR", "3857"),
                ("size", &format!("{},{}", tile.wide(), tile.high())),
                ("interpolation", "RSP_BilinearInterpolation"),
                ("mosaicRule", &format!("{{\"mosaicMethod\":\"esriMosaicLockRaster\",\"lockRasterIds\":[{ids}]}}")),
            ],
        )
    }

    /// A picture that `check` accepts. `check` sees what is no error of the service.
    pub async fn picture<T>(
        &self,
        client: &Client,
        url: &Url,
        most: usize,
        check: impl Fn(&Bytes) -> Result<T, ReadFault>,
    ) -> Result<T, SourceError> {
        let checked = |bytes: &Bytes| {
            refusal(bytes)?;
            check(bytes)
        };
        client.whole_as(url, most, checked).await
    }
}

/// Services of this kind answer errors with status 200.
fn refusal(bytes: &[u8]) -> Result<(), ReadFault> {
    #[derive(Deserialize)]
    struct Answer {
        error: Option<Error>,
    }
    #[derive(Deserialize)]
    struct Error {
        #[serde(default)]
        code: i64,
        #[serde(default)]
        message: String,
        #[serde(default)]
        details: Vec<String>,
    }
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return Ok(());
    }
    let Ok(Answer { error: Some(error) }) = serde_json::from_slice::<Answer>(bytes) else { return Ok(()) };
    if matches!(error.code, 498 | 499) {
        return Err(ReadFault::Lasting { why: ImageryFault::Token.to_message() });
    }
    let said = [error.message].into_iter().chain(error.details).filter(|said| !said.trim().is_empty());
    let said: String = said.collect::<Vec<_>>().join(", ").chars().take(MOST_SAID).collect();
    let said = if said.is_empty() { error.code.to_string() } else { said };
    let why = ImageryFault::Said { said }.to_message();
    // A server that is busy says so within its answer too.
    Err(match error.code {
        429 | 500..=599 => ReadFault::Passing { why, after: None },
        _ => ReadFault::Lasting { why },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> ImagerySource {
        ImagerySource::from_toml(ImagerySource::NATIONAL, BUILT_IN[0].1).unwrap()
    }

    #[test]
    fn a_wrong_description_is_an_error_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let text = BUILT_IN[0].1;
        for (from, to) in [
            ("service = \"https", "service = \"ftp"),
            ("service = \"https", "service = \"file"),
            ("/ImageServer\"", "/ImageServer?token=x\""),
            ("title =", "titel ="),
            ("meters_per_pixel = 0.6", "meters_per_pixel = 0"),
            ("most_pixels = 1000", "most_pixels = 20000"),
            ("\"Year\"", "\"Year&f=html\""),
            ("[\"acquisition_date\", \"Year\"]", "[]"),
        ] {
            let wrong = ImagerySource::from_toml("usgs-naip", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(wrong.contains("the source usgs-naip is described wrongly"), "{to}: {wrong}");
        }
        assert_eq!(ImagerySource::open("usgs-naip", folder.path()).unwrap().hosts(), ["imagery.nationalmap.gov"]);
        let own = text.replace("https://imagery.nationalmap.gov/arcgis", "https://maps.example/gis");
        std::fs::write(folder.path().join("usgs-naip.toml"), own).unwrap();
        assert_eq!(ImagerySource::open("usgs-naip", folder.path()).unwrap().hosts(), ["maps.example"]);
    }

    #[test]
    fn a_request_names_a_box_and_photographs_and_nothing_else() {
        let tile = Grid::at(40.0, 0.6, 1_000).tiles([[-105.3, 40.0, -105.2999, 40.0001]]).pop().unwrap();
        let url = source().picture_url(&tile, &[7, 9]).unwrap();
        assert!(url.path().ends_with("/USGSNAIPPlus/ImageServer/exportImage"), "{url}");
        let names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
        let all =
            ["f", "format", "compressionQuality", "bbox", "bboxSR", "imageSR", "size", "interpolation", "mosaicRule"];
        assert_eq!(names, all);
        assert!(url.query_pairs().any(|(_, value)| value.ends_with("\"lockRasterIds\":[7,9]}")));
    }

    #[test]
    fn errors_with_status_200_are_told_from_answers() {
        let why = |text: &str| match refusal(text.as_bytes()) {
            Ok(()) => ("fine", String::new()),
            Err(ReadFault::Passing { why, .. }) => ("passing", why.to_string()),
            Err(ReadFault::Lasting { why }) => ("lasting", why.to_string()),
            Err(other) => panic!("{other:?}"),
        };
        let error =
            |code: i64, message: &str| format!(r#"{{"error":{{"code":{code},"message":"{message}","details":[]}}}}"#);
        assert_eq!(why(&error(400, "Invalid bbox")), ("lasting", "the service answers: Invalid bbox".to_owned()));
        assert_eq!(why(&error(500, "Busy")).0, "passing");
        assert!(why(&error(499, "Token Required")).1.contains("asks for a token"));
        assert_eq!(why(&error(403, "")).1, "the service answers: 403");
        assert!(why(&error(400, &"x".repeat(5_000))).1.len() < 300);
        assert_eq!(why(r#"{"features":[]}"#).0, "fine");
        assert_eq!(why("\u{ff}\u{d8}").0, "fine");
    }
}
