//! EPT: an octree as a folder, with a page or more of JSON that say which nodes there are and a file of points for each.
//!
//! Names of files are made of the numbers of nodes, never taken from the pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;

use serde::Deserialize;

use crate::crs::{FileCrs, Stated};
use crate::error::MeasureError;
use crate::las::{Cube, Ended, Key, Point, PointFile};

/// Bytes that are believed of each kind of file.
const MOST_DESCRIPTION: u64 = 8 << 20;
const MOST_PAGE: u64 = 8 << 20;
const MOST_DATA: u64 = 64 << 20;
const MOST_PAGES: usize = 50_000;
const MOST_NODES: usize = 1_000_000;

/// Where the files of the folder come from.
pub trait Files {
    /// A whole file, if it is no longer than `most` bytes.
    fn get(&self, name: &str, most: u64) -> io::Result<Vec<u8>>;
}

/// A folder on the disk.
pub struct Folder(pub PathBuf);

impl Files for Folder {
    fn get(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(self.0.join(name))?.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("{name} is too long")));
        }
        Ok(bytes)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Description {
    bounds: [f64; 6],
    bounds_conforming: Option<[f64; 6]>,
    data_type: String,
    #[serde(default)]
    srs: Srs,
}

#[derive(Deserialize, Default)]
struct Srs {
    authority: Option<String>,
    horizontal: Option<String>,
    vertical: Option<String>,
    wkt: Option<String>,
}

/// What the description says.
pub struct Ept {
    cube: Cube,
    pub bounds: [[f64; 3]; 2],
    pub crs: FileCrs,
    pub format: u8,
    pub has_standard_time: bool,
}

impl Ept {
    pub fn open(files: &dyn Files) -> Result<Self, MeasureError> {
        let text = files.get("ept.json", MOST_DESCRIPTION)?;
        let said: Description = serde_json::from_slice(&text).map_err(|e| MeasureError::Ept(e.to_string()))?;
        if said.data_type != "laszip" {
            return Err(MeasureError::EptData(said.data_type.chars().take(40).collect()));
        }
        let ends = |b: [f64; 6]| [[b[0], b[1], b[2]], [b[3], b[4], b[5]]];
        let [min, max] = ends(said.bounds);
        let side = (0..3).map(|axis| max[axis] - min[axis]).fold(0.0, f64::max);
        let cube = Cube::new(min, side).ok_or_else(|| MeasureError::Ept("its bounds are no cube".to_owned()))?;
        let bounds = said.bounds_conforming.map_or([min, max], ends);
        let is_epsg = said.srs.authority.as_deref().is_none_or(|a| a.eq_ignore_ascii_case("EPSG"));
        let code = |text: Option<String>| text.filter(|_| is_epsg).and_then(|text| text.trim().parse().ok());
        let stated =
            Stated { wkt: said.srs.wkt, horizontal: code(said.srs.horizontal), vertical: code(said.srs.vertical) };
        let crs = FileCrs::stated(&stated, Some(bounds))?;
        // What the description leaves out, the first node says.
        let first = PointFile::open(Cursor::new(files.get(&data_of(Key::ROOT), MOST_DATA)?))?.header;
        let (format, has_standard_time) = (first.format, first.has_standard_time);
        Ok(Self { cube, bounds, crs, format, has_standard_time })
    }

    /// Hands points to `each`, of the nodes that may have some where `needs` says so of a box. A node that cannot be read
    /// does not stop the others.
    pub fn for_each(
        &self,
        files: &dyn Files,
        needs: &dyn Fn([f64; 2], [f64; 2]) -> bool,
        mut each: impl FnMut(&Point),
    ) -> Result<Ended, MeasureError> {
        let mut points = 0;
        let mut damage: Option<String> = None;
        for key in self.nodes(files, needs)? {
            let opened = files.get(&data_of(key), MOST_DATA).map_err(MeasureError::from);
            let read = opened.and_then(|bytes| PointFile::open(Cursor::new(bytes))).and_then(|file| {
                file.for_each(|point| {
                    points += 1;
                    each(&point);
                })
            });
            let why = match read {
                Ok(Ended::Whole) => continue,
                Ok(Ended::Early { why, .. }) => why,
                Err(e) => e.to_string(),
            };
            damage.get_or_insert_with(|| format!("node {key}: {why}"));
        }
        Ok(match damage {
            None => Ended::Whole,
            Some(why) => Ended::Early { points, why },
        })
    }

    fn nodes(
        &self,
        files: &dyn Files,
        needs: &dyn Fn([f64; 2], [f64; 2]) -> bool,
    ) -> Result<BTreeSet<Key>, MeasureError> {
        let bad = |what: &str| MeasureError::Ept(what.to_owned());
        let mut nodes = BTreeSet::new();
        let mut waiting = vec![Key::ROOT];
        let mut seen = BTreeSet::new();
        while let Some(page) = waiting.pop() {
            if !seen.insert(page) {
                continue;
            }
            if seen.len() > MOST_PAGES {
                return Err(bad("its hierarchy has too many pages"));
            }
            let text = files.get(&format!("ept-hierarchy/{page}.json"), MOST_PAGE)?;
            let entries: BTreeMap<String, i64> =
                serde_json::from_slice(&text).map_err(|e| MeasureError::Ept(format!("page {page}: {e}")))?;
            for (text, count) in entries {
                // A page tells of what is below it, so that pages do not lead back.
                let key = Key::parse(&text).filter(|key| key.is_in(page));
                let key = key.ok_or_else(|| bad("a node of its hierarchy has no place"))?;
                let [min, max] = self.cube.plan(key);
                match count {
                    _ if !needs(min, max) => {}
                    -1 => waiting.push(key),
                    1.. => {
                        nodes.insert(key);
                    }
                    _ => {}
                }
            }
            if nodes.len() > MOST_NODES {
                return Err(bad("its hierarchy has too many nodes"));
            }
        }
        Ok(nodes)
    }
}

fn data_of(key: Key) -> String {
    format!("ept-data/{key}.laz")
}
