//! An octree in a folder of this machine.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;

use super::octree::Octree;
use super::walk::Walk;
use crate::boxes::Needs;
use crate::crs::FileCrs;
use crate::error::MeasureError;
use crate::las::{Ended, Key, Point, PointFile};

/// Bytes that are believed of each kind of file.
const MOST_DESCRIPTION: u64 = 8 << 20;
const MOST_PAGE: u64 = 8 << 20;
const MOST_DATA: u64 = 64 << 20;

pub struct Folder(pub PathBuf);

impl Folder {
    /// A whole file, if it is no longer than `most` bytes.
    fn get(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(self.0.join(name))?.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("{name} is too long")));
        }
        Ok(bytes)
    }
}

/// What the description and the first node say.
pub struct Ept {
    octree: Octree,
    pub format: u8,
    pub has_standard_time: bool,
}

impl Ept {
    pub fn open(files: &Folder) -> Result<Self, MeasureError> {
        let octree = Octree::parse(&files.get(Octree::DESCRIPTION, MOST_DESCRIPTION)?)?;
        // What the description leaves out, the first node says.
        let first = PointFile::open(Cursor::new(files.get(&Octree::data_of(Key::ROOT), MOST_DATA)?))?.header;
        let (format, has_standard_time) = (first.format, first.has_standard_time);
        Ok(Self { octree, format, has_standard_time })
    }

    pub fn crs(&self) -> &FileCrs {
        &self.octree.crs
    }

    pub fn bounds(&self) -> [[f64; 3]; 2] {
        self.octree.bounds
    }

    /// Hands points to `each`, of the nodes that may have some where `needs` says so of a box. A node that cannot be read
    /// does not stop the others.
    pub fn for_each(
        &self,
        files: &Folder,
        needs: &Needs<'_>,
        mut each: impl FnMut(&Point),
    ) -> Result<Ended, MeasureError> {
        let mut walk = Walk::new(&self.octree);
        while let Some(page) = walk.next_page() {
            walk.take(page, &files.get(&Octree::page_at(page), MOST_PAGE)?, needs)?;
        }
        let mut points = 0;
        let mut damage: Option<String> = None;
        for key in walk.into_nodes().into_keys() {
            let opened = files.get(&Octree::data_of(key), MOST_DATA).map_err(MeasureError::from);
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
}
