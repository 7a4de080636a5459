//! The files of a survey.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use crate::boxes::Needs;
use crate::crs::{FileCrs, StatedCrs};
use crate::ept::{Ept, Folder, Octree};
use crate::error::MeasureError;
use crate::las::{Ended, Point, PointFile};

/// What one file gave.
#[derive(Debug)]
pub struct FileReport {
    pub path: PathBuf,
    /// `Err`: nothing could be read, and the file was left out.
    pub result: Result<FileFacts, MeasureError>,
}

#[derive(Debug, Clone)]
pub struct FileFacts {
    pub points: u64,
    pub format: u8,
    pub ended: Ended,
    /// First and last day the points near the outlines were measured, in days since 1970, where their times say it.
    pub measured: Option<(i64, i64)>,
}

/// The first file and its error, where no file could be read.
pub fn nothing_read(reports: &[FileReport]) -> Option<(&Path, &MeasureError)> {
    let mut failed = reports.iter().map(|report| Some((report.path.as_path(), report.result.as_ref().err()?)));
    let first = failed.next()??;
    failed.all(|f| f.is_some()).then_some(first)
}

impl FileFacts {
    pub(crate) fn add(&mut self, other: Self) {
        self.points = self.points.max(other.points);
        if matches!(self.ended, Ended::Whole) {
            self.ended = other.ended;
        }
        self.measured = match (self.measured, other.measured) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
    }
}

/// A file or a folder that can be read, and where its points are.
pub struct Tile {
    pub path: PathBuf,
    pub crs: FileCrs,
    /// As the file says.
    pub bounds: Option<[[f64; 3]; 2]>,
    pub format: u8,
    pub has_standard_time: bool,
    ept: Option<Ept>,
}

/// The LAS and LAZ files and the EPT folders of a list in which other folders stand for all that is in them, in the order of
/// their names.
pub fn point_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, MeasureError> {
    let mut files = Vec::new();
    for path in paths {
        if path.file_name().is_some_and(|name| name == Octree::DESCRIPTION) {
            files.push(path.parent().map(Path::to_owned).unwrap_or_default());
        } else if path.is_dir() {
            in_folder(path, 0, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() {
        return Err(MeasureError::NoFiles);
    }
    Ok(files)
}

/// Folders within folders; a link that leads back up ends somewhere.
const DEEPEST: usize = 12;

fn in_folder(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), MeasureError> {
    if folder.join(Octree::DESCRIPTION).is_file() {
        files.push(folder.to_owned());
        return Ok(());
    }
    let mut entries = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            if depth < DEEPEST {
                in_folder(&path, depth + 1, files)?;
            }
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("las") || e.eq_ignore_ascii_case("laz")) {
            files.push(path);
        }
    }
    Ok(())
}

fn open(path: &Path) -> Result<PointFile<BufReader<File>>, MeasureError> {
    PointFile::open(BufReader::with_capacity(1 << 16, File::open(path)?))
}

impl Tile {
    /// `stated` stands in place of what the file says of its coordinates.
    pub fn open(path: &Path, stated: Option<&StatedCrs>) -> Result<Self, MeasureError> {
        // The folder in which the program runs has an empty path.
        if path.as_os_str().is_empty() || path.is_dir() {
            let ept = Ept::open(&Folder(path.to_owned()))?;
            return Ok(Self {
                path: path.to_owned(),
                crs: stated.map_or_else(|| ept.crs().clone(), |stated| stated.of_file(ept.crs())),
                bounds: Some(ept.bounds()),
                format: ept.format,
                has_standard_time: ept.has_standard_time,
                ept: Some(ept),
            });
        }
        let header = open(path)?.header;
        let said = FileCrs::of(&header);
        let crs = match stated {
            Some(stated) => stated.of_file(&said.unwrap_or_else(|_| FileCrs::unknown())),
            None => said?,
        };
        Ok(Self {
            path: path.to_owned(),
            crs,
            bounds: header.bounds,
            format: header.format,
            has_standard_time: header.has_standard_time,
            ept: None,
        })
    }

    /// Hands points to `each`: all that are where `needs` says so of a box in the coordinates of the file, and of files
    /// that have no order all others too.
    pub fn for_each(&self, needs: &Needs<'_>, mut each: impl FnMut(&Point)) -> Result<Ended, MeasureError> {
        match &self.ept {
            Some(ept) => ept.for_each(&Folder(self.path.clone()), needs, each),
            None => open(&self.path)?.for_each_in(needs, |point| each(&point)),
        }
    }
}

/// Files of one coordinate system together, those of the first file first.
pub fn groups(mut tiles: Vec<Tile>) -> Vec<(FileCrs, Vec<Tile>)> {
    let mut groups = Vec::new();
    while let Some(crs) = tiles.first().map(|tile| tile.crs.clone()) {
        let (group, others) = tiles.into_iter().partition(|tile| tile.crs == crs);
        groups.push((crs, group));
        tiles = others;
    }
    groups
}

pub fn all_bounds(tiles: &[Tile]) -> Option<[[f64; 3]; 2]> {
    tiles.iter().filter_map(|t| t.bounds).reduce(|a, b| {
        let axis = |f: fn(f64, f64) -> f64, a: [f64; 3], b: [f64; 3]| [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])];
        [axis(f64::min, a[0], b[0]), axis(f64::max, a[1], b[1])]
    })
}
