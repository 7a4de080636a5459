//! What the description of an octree says.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::near::Near;
use crate::crs::{FileCrs, Stated};
use crate::error::MeasureError;
use crate::las::{Cube, Key};

/// Points along an edge of a node, where the description does not say: what the usual program takes.
const USUAL_SPAN: f64 = 128.0;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Description {
    bounds: [f64; 6],
    bounds_conforming: Option<[f64; 6]>,
    data_type: String,
    hierarchy_type: Option<String>,
    span: Option<f64>,
    #[serde(default)]
    srs: Srs,
}

#[derive(Deserialize, Default)]
struct Srs {
    authority: Option<String>,
    #[serde(default)]
    horizontal: Code,
    #[serde(default)]
    vertical: Code,
    wkt: Option<String>,
}

/// Text as the format has it, or a number.
#[derive(Deserialize, Default)]
#[serde(untagged)]
enum Code {
    Number(u32),
    Text(String),
    #[default]
    Missing,
}

impl Code {
    fn number(self) -> Option<u32> {
        match self {
            Self::Number(number) => Some(number),
            Self::Text(text) => text.trim().parse().ok(),
            Self::Missing => None,
        }
    }
}

/// Where the points of an octree are, and in which coordinates.
#[derive(Debug, Clone)]
pub struct Octree {
    cube: Cube,
    pub(super) bounds: [[f64; 3]; 2],
    pub(super) crs: FileCrs,
    span: f64,
}

impl Octree {
    /// The file that makes a folder an octree.
    pub const DESCRIPTION: &str = "ept.json";

    /// Reads `ept.json`.
    pub fn parse(text: &[u8]) -> Result<Self, MeasureError> {
        let said: Description = serde_json::from_slice(text).map_err(|e| MeasureError::Ept(e.to_string()))?;
        let short = |text: &str| text.chars().take(40).collect();
        if said.data_type != "laszip" {
            return Err(MeasureError::EptData(short(&said.data_type)));
        }
        if let Some(packing) = said.hierarchy_type.as_deref().filter(|packing| *packing != "json") {
            return Err(MeasureError::EptPages(short(packing)));
        }
        let ends = |b: [f64; 6]| [[b[0], b[1], b[2]], [b[3], b[4], b[5]]];
        let [min, max] = ends(said.bounds);
        let side = (0..3).map(|axis| max[axis] - min[axis]).fold(0.0, f64::max);
        let cube = Cube::new(min, side).ok_or_else(|| MeasureError::Ept("its bounds are no cube".to_owned()))?;
        let bounds = said.bounds_conforming.map_or([min, max], ends);
        let is_epsg = said.srs.authority.as_deref().is_none_or(|a| a.eq_ignore_ascii_case("EPSG"));
        let code = |code: Code| code.number().filter(|_| is_epsg);
        let stated =
            Stated { wkt: said.srs.wkt, horizontal: code(said.srs.horizontal), vertical: code(said.srs.vertical) };
        let crs = FileCrs::stated(&stated, Some(bounds))?;
        let span = said.span.filter(|span| (1.0..=1e6).contains(span)).unwrap_or(USUAL_SPAN);
        Ok(Self { cube, bounds, crs, span })
    }

    /// Boxes about rings in longitude and latitude, so many meters larger.
    pub fn near<R>(&self, rings: impl IntoIterator<Item = R>, margin: f64) -> Result<Near, MeasureError>
    where
        R: IntoIterator<Item = (f64, f64)>,
    {
        Near::new(rings, margin, &self.crs.projection()?)
    }

    /// About how many meters are between the points of a level and of those above it.
    pub fn spacing(&self, level: u8, near: &Near) -> f64 {
        self.cube.side() / f64::from(1_u32 << level.min(31)) / self.span / near.units_of_meter()
    }

    pub(super) fn plan(&self, key: Key) -> [[f64; 2]; 2] {
        self.cube.plan(key)
    }

    /// The page of an octree that has these nodes alone.
    pub fn page_of(nodes: &BTreeMap<Key, u64>) -> String {
        let entries: Vec<String> = nodes.iter().map(|(key, points)| format!("\"{key}\":{points}")).collect();
        format!("{{{}}}", entries.join(","))
    }

    /// The name of the file with the points of a node.
    pub fn data_of(key: Key) -> String {
        format!("ept-data/{key}.laz")
    }

    /// The name of the page that begins with a node.
    pub fn page_at(key: Key) -> String {
        format!("ept-hierarchy/{key}.json")
    }
}
