//! Loads photographs from files: each is looked at, brought to the outlines of the buildings in it, and copied.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use shingle_domain::aerial::PhotoDate;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::Place;
use shingle_domain::messages;
use shingle_imagery::{ImageryError, Placed, find_shift};
use shingle_property::geometry::LocalPlane;
use shingle_property::{PropertyError, PropertyIndex};

use super::catalog::{Catalog, Fit, PhotoSet, Picture};
use super::cut::pictures_folder;
use crate::operator_error::OperatorError;

/// Meters that a photograph may be moved to fit the outlines.
const MOST_MOVED: f64 = 3.0;
/// Meters in which the outlines are looked for: beyond what is allowed, to tell a photograph that lies too far off from one
/// that fits.
const SEARCHED: f64 = 6.0;
/// Outlines that a picture is compared with.
const MOST_OUTLINES: usize = 1_000;
/// What lies beside a picture and belongs to it, by what is put after its name or in place of its ending.
const AFTER: [&str; 3] = ["ovr", "msk", "aux.xml"];
const INSTEAD: [&str; 3] = ["tfw", "tifw", "wld"];

/// Files of one set, and what is said of them.
#[derive(Debug, Clone)]
pub struct PhotoFiles {
    pub files: Vec<PathBuf>,
    pub name: String,
    pub taken: PhotoDate,
    pub credit: String,
    /// The coordinate system of files that name none: `EPSG:26916`.
    pub system: Option<String>,
}

/// What was found in the files.
#[derive(Debug, Clone)]
pub struct PhotoLoad {
    pub pictures: Vec<Examined>,
}

#[derive(Debug, Clone)]
pub struct Examined {
    pub path: PathBuf,
    pub width: u32,
    pub height: u32,
    pub meters_per_pixel: f64,
    /// West, south, east and north, in degrees.
    pub bounds: [f64; 4],
    /// Outlines of buildings in it.
    pub outlines: usize,
    pub fit: Fit,
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum LoadFault {
        NoSuchSet { name: String } => "There are no photos named {name}",
        List => "List them with `shingle photo list`.",
        Busy => "Photos are being loaded by another process",
        Wait => "Wait until it has ended.",
        NotWritten { why: String } => "The photos cannot be written: {why}",
        ListUnreadable { why: String } => "The list of photos cannot be read: {why}",
    }
}

fn not_written(error: &io::Error) -> OperatorError {
    OperatorError::new(LoadFault::NotWritten { why: error.to_string() })
}

/// Looks at each file and writes nothing.
pub fn examine(of: &PhotoFiles, index: &PropertyIndex) -> Result<PhotoLoad, OperatorError> {
    let failed = |path: &Path| {
        let place = path.display().to_string();
        move |error: ImageryError| OperatorError::text(error).at(place)
    };
    let mut opened = Vec::new();
    for path in &of.files {
        let placed = Placed::open(path, of.system.as_deref()).map_err(failed(path))?;
        opened.push((path, placed));
    }
    let bounds: Vec<[f64; 4]> = opened.iter().map(|(_, placed)| placed.facts().bounds).collect();
    let outlines = outlines_in(&bounds, index)?;
    let mut pictures = Vec::new();
    for ((path, placed), outlines) in opened.into_iter().zip(outlines) {
        let shift = find_shift(&placed, &outlines, SEARCHED).map_err(failed(path))?;
        let fit = match shift {
            None => Fit::Unknown,
            Some(found) if found.east.hypot(found.north) > MOST_MOVED => {
                Fit::TooFar { east: found.east, north: found.north }
            }
            Some(found) => Fit::Moved { east: found.east, north: found.north, outlines: found.outlines },
        };
        let facts = placed.facts();
        pictures.push(Examined {
            path: path.clone(),
            width: facts.width,
            height: facts.height,
            meters_per_pixel: facts.meters_per_pixel,
            bounds: facts.bounds,
            outlines: outlines.len(),
            fit,
        });
    }
    Ok(PhotoLoad { pictures })
}

/// The outlines of buildings in each of these bounds, as rings of longitude and latitude.
fn outlines_in(bounds: &[[f64; 4]], index: &PropertyIndex) -> Result<Vec<Vec<Vec<[f64; 2]>>>, PropertyError> {
    let mut found = vec![Vec::new(); bounds.len()];
    index.each_place(|place: Place| {
        let Some(origin) = place.origin else { return };
        let inside = |[west, south, east, north]: [f64; 4]| {
            (west..=east).contains(&origin.longitude) && (south..=north).contains(&origin.latitude)
        };
        if !bounds.iter().any(|of| inside(*of)) {
            return;
        }
        let plane = LocalPlane::at(origin);
        let rings = place.buildings.iter().flat_map(|building| &building.outline.parts).map(|part| {
            let corner = |at| {
                let position = plane.position(at);
                [position.longitude, position.latitude]
            };
            part.exterior.iter().copied().map(corner).collect::<Vec<_>>()
        });
        let rings: Vec<_> = rings.collect();
        for (of, found) in bounds.iter().zip(&mut found) {
            if inside(*of) {
                found.extend(rings.iter().cloned());
            }
        }
    })?;
    for rings in &mut found {
        let every = rings.len().div_ceil(MOST_OUTLINES).max(1);
        *rings = rings.drain(..).step_by(every).collect();
    }
    Ok(found)
}

/// Loads the files as one set, in place of an earlier one of this name. Until the end nothing of it is shown.
pub fn load(folder: &Path, of: &PhotoFiles, index: &PropertyIndex) -> Result<PhotoLoad, OperatorError> {
    let _lock = lock(folder)?;
    let examined = examine(of, index)?;
    let mut catalog = read(folder)?;
    let mut pictures = Vec::new();
    for picture in &examined.pictures {
        let file = copy(folder, &picture.path).map_err(|e| not_written(&e).at(picture.path.display()))?;
        pictures.push(Picture {
            file,
            bounds: picture.bounds,
            meters_per_pixel: picture.meters_per_pixel,
            fit: picture.fit,
        });
    }
    pictures.cold_sort_by(|a, b| a.file.cmp(&b.file));
    pictures.dedup_by(|a, b| a.file == b.file);
    catalog.sets.retain(|set| set.name != of.name);
    catalog.sets.push(PhotoSet {
        name: of.name.clone(),
        taken: of.taken,
        credit: of.credit.clone(),
        system: of.system.clone(),
        pictures,
    });
    catalog.sets.cold_sort_by(|a, b| a.name.cmp(&b.name));
    write(folder, &catalog)?;
    Ok(examined)
}

/// Removes a set and the files that no other has.
pub fn remove(folder: &Path, name: &str) -> Result<(), OperatorError> {
    let _lock = lock(folder)?;
    let mut catalog = read(folder)?;
    let before = catalog.sets.len();
    catalog.sets.retain(|set| set.name != name);
    if catalog.sets.len() == before {
        return Err(OperatorError::new(LoadFault::NoSuchSet { name: name.to_owned() }).fix(LoadFault::List));
    }
    write(folder, &catalog)
}

/// Removes the sets whose names are meant, and the files that no other has. There may be none.
pub fn remove_sets(folder: &Path, is_meant: &dyn Fn(&str) -> bool) -> Result<(), OperatorError> {
    if !folder.exists() {
        return Ok(());
    }
    let _lock = lock(folder)?;
    let mut catalog = read(folder)?;
    let before = catalog.sets.len();
    catalog.sets.retain(|set| !is_meant(&set.name));
    match catalog.sets.len() == before {
        true => Ok(()),
        false => write(folder, &catalog),
    }
}

fn read(folder: &Path) -> Result<Catalog, OperatorError> {
    let unreadable = |e: io::Error| OperatorError::new(LoadFault::ListUnreadable { why: e.to_string() });
    Catalog::read(folder).map_err(|e| unreadable(e).at(folder.display()))
}

fn write(folder: &Path, catalog: &Catalog) -> Result<(), OperatorError> {
    catalog.write(folder).and_then(|()| delete_others(folder, catalog)).map_err(|e| not_written(&e))
}

/// One process writes at a time.
fn lock(folder: &Path) -> Result<File, OperatorError> {
    let make = || {
        fs::create_dir_all(pictures_folder(folder))?;
        File::create(folder.join("lock"))
    };
    let file = make().map_err(|e| not_written(&e).at(folder.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OperatorError::new(LoadFault::Busy).fix(LoadFault::Wait)),
        Err(TryLockError::Error(e)) => Err(not_written(&e)),
    }
}

/// Copies a picture and what belongs to it; its name is the hash of both.
fn copy(folder: &Path, path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    let after = AFTER.map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(".");
        name.push(ending);
        (format!("tif.{ending}"), PathBuf::from(name))
    });
    let instead = INSTEAD.map(|ending| (ending.to_owned(), path.with_extension(ending)));
    let beside: Vec<_> = after.into_iter().chain(instead).filter(|(_, path)| path.is_file()).collect();
    hash(&mut hasher, path)?;
    for (ending, path) in &beside {
        hasher.update(ending.as_bytes());
        hash(&mut hasher, path)?;
    }
    let stem = hasher.finalize().to_hex()[..32].to_owned();
    for (ending, from) in &beside {
        place(folder, from, &format!("{stem}.{ending}"))?;
    }
    let name = format!("{stem}.tif");
    place(folder, path, &name)?;
    Ok(name)
}

fn hash(hasher: &mut blake3::Hasher, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut block = vec![0; 1 << 20];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(()),
            read => hasher.update(&block[..read]),
        };
    }
}

/// A file that is there has this content.
fn place(folder: &Path, from: &Path, name: &str) -> io::Result<()> {
    let to = pictures_folder(folder).join(name);
    if to.exists() {
        return Ok(());
    }
    let next = pictures_folder(folder).join(format!("{name}.new"));
    let mut file = File::create(&next)?;
    io::copy(&mut File::open(from)?, &mut file)?;
    file.sync_all()?;
    fs::rename(&next, &to)
}

/// What no set names any more.
fn delete_others(folder: &Path, catalog: &Catalog) -> io::Result<()> {
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let named: BTreeSet<String> =
        catalog.sets.iter().flat_map(|set| &set.pictures).map(|picture| stem(&picture.file)).collect();
    for entry in fs::read_dir(pictures_folder(folder))? {
        let entry = entry?;
        if !named.contains(&stem(&entry.file_name().to_string_lossy())) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
