//! An open picture: its pages, its colors, and where on Earth it is.

use std::path::{Path, PathBuf};

use crate::color::{Colors, stretch};
use crate::error::ImageryError;
use crate::facts::{Coverage, Facts};
use crate::file::bytes::Bytes;
use crate::file::directory::{Directory, Tiff};
use crate::file::page::Page;
use crate::place::keys::GeoKeys;
use crate::place::matrix::Matrix;
use crate::place::system::{System, meters_of_degree};
use crate::place::world_file;

const METADATA: u16 = 42_112;
const NODATA: u16 = 42_113;
const DATE_TIME: u16 = 306;

/// Of the sides of a picture, for its bounds.
const STEPS: u32 = 8;

/// No home is further south: Antarctica, or swapped axes.
const SOUTH: f64 = -60.0;

/// A page and the file it is in.
#[derive(Debug)]
pub struct Stored {
    pub file: usize,
    pub page: Page,
}

/// The picture in one of its sizes.
#[derive(Debug)]
pub struct Layer {
    pub picture: Stored,
    pub mask: Option<Stored>,
}

/// An open picture file: pages, placement on Earth.
#[derive(Debug)]
pub struct Placed {
    pub(crate) files: Vec<Tiff>,
    /// The picture itself first, then its smaller copies.
    pub(crate) layers: Vec<Layer>,
    pub(crate) colors: Colors,
    pub(crate) matrix: Matrix,
    pub(crate) system: System,
    facts: Facts,
}

impl Placed {
    /// `system`: an EPSG number, a proj string or WKT, for files that name none; refused where the file names another.
    pub fn open(path: &Path, system: Option<&str>) -> Result<Self, ImageryError> {
        let (tiff, pages) = Tiff::open(Bytes::open(path)?)?;
        let [main, ..] = pages.as_slice() else { return Err(ImageryError::Damaged("it has no page")) };
        let picture = Page::of(&tiff, main)?;
        let nodata = tiff.text(main, NODATA)?;
        let mut colors = Colors::of(&picture, nodata.as_deref())?;

        let keys = GeoKeys::of(&tiff, main)?;
        let matrix = match Matrix::of_tags(&tiff, main, keys.of_points()) {
            Ok(Some(matrix)) => matrix,
            own => match (world_file::beside(path)?, own) {
                (Some(matrix), _) => matrix,
                (None, Err(why)) => return Err(why),
                (None, Ok(_)) => return Err(ImageryError::NotPlaced),
            },
        };
        let corners = outline(picture.wide, picture.high).map(|(x, y)| matrix.coordinates(x, y)).collect::<Vec<_>>();
        let system = System::of(&keys, system, &corners)?;
        let bounds = bounds(&system, &corners)?;
        let meters_per_pixel = meters_per_pixel(&picture, &matrix, &system)?;
        let (taken, processed) = (taken(&tiff, main)?, tiff.text(main, DATE_TIME)?);

        let (files, layers) = layers(path, tiff, &pages, picture);
        let enough = |layer: &&Layer| pixels(&layer.picture.page) >= stretch::ENOUGH;
        let sample = layers.iter().filter(enough).min_by_key(|layer| pixels(&layer.picture.page));
        if let Some(sample) = sample.or(layers.first()) {
            stretch::look(&mut colors, &files[sample.picture.file], &sample.picture.page)?;
        }
        let page = &layers[0].picture.page;
        let coverage = match (&layers[0].mask, &colors.alpha, colors.nodata) {
            (Some(_), ..) => Coverage::Mask,
            (None, Some(_), _) => Coverage::Alpha,
            (None, None, Some(_)) => Coverage::NoData,
            (None, None, None) => Coverage::Whole,
        };
        let facts = Facts {
            width: page.wide,
            height: page.high,
            bands: page.samples,
            bits: page.bits,
            meters_per_pixel,
            bounds,
            taken,
            processed,
            compression: page.compression.name(),
            coverage,
            overviews: layers.len() - 1,
        };
        Ok(Self { files, layers, colors, matrix, system, facts })
    }

    pub fn facts(&self) -> &Facts {
        &self.facts
    }
}

fn pixels(page: &Page) -> u64 {
    u64::from(page.wide) * u64::from(page.high)
}

/// Smaller copies and masks, in the file and beside it. What cannot be read of them is left out.
fn layers(path: &Path, main: Tiff, pages: &[Directory], picture: Page) -> (Vec<Tiff>, Vec<Layer>) {
    let (mut copies, mut masks) = (Vec::new(), Vec::new());
    for page in pages.iter().skip(1).filter_map(|tags| Page::of(&main, tags).ok()) {
        let stored = Stored { file: 0, page };
        match (stored.page.is_mask, stored.page.reduced) {
            (true, _) => masks.push(stored),
            (false, true) => copies.push(stored),
            (false, false) => {}
        }
    }
    let mut files = vec![main];
    for (suffix, of_masks) in [(".ovr", false), (".msk", true), (".msk.ovr", true)] {
        let Ok((tiff, pages)) = Bytes::open(&with_suffix(path, suffix)).and_then(Tiff::open) else { continue };
        for page in pages.iter().filter_map(|tags| Page::of(&tiff, tags).ok()) {
            let mask = of_masks || page.is_mask;
            if mask { &mut masks } else { &mut copies }.push(Stored { file: files.len(), page });
        }
        files.push(tiff);
    }
    let same = |page: &Page| page.samples == picture.samples && page.bits == picture.bits;
    copies.retain(|copy| same(&copy.page) && copy.page.wide < picture.wide && copy.page.high <= picture.high);
    let mut mask_of = |page: &Page| {
        let fits = |mask: &Stored| (mask.page.wide, mask.page.high) == (page.wide, page.high) && mask.page.samples == 1;
        masks.iter().position(fits).map(|at| masks.swap_remove(at))
    };
    let mask = mask_of(&picture);
    let masked = mask.is_some();
    let mut layers = vec![Layer { picture: Stored { file: 0, page: picture }, mask }];
    for copy in copies {
        let mask = mask_of(&copy.page);
        // A copy that lost its mask would show what the picture hides.
        if mask.is_some() == masked {
            layers.push(Layer { picture: copy, mask });
        }
    }
    (files, layers)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Points along the sides, in pixels.
fn outline(wide: u32, high: u32) -> impl Iterator<Item = (f64, f64)> {
    let (wide, high) = (f64::from(wide), f64::from(high));
    (0..=STEPS).flat_map(move |i| {
        let part = f64::from(i) / f64::from(STEPS);
        [(wide * part, 0.0), (wide * part, high), (0.0, high * part), (wide, high * part)]
    })
}

fn bounds(system: &System, corners: &[(f64, f64)]) -> Result<[f64; 4], ImageryError> {
    let mut bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    for &(x, y) in corners {
        let outside = ImageryError::Placement("it lies outside of its coordinate system");
        let (lon, lat) = system.degrees(x, y).ok_or(outside)?;
        if !(SOUTH..=90.0).contains(&lat) {
            return Err(ImageryError::OffEarth { latitude: lat });
        }
        if !(-360.0..=360.0).contains(&lon) {
            return Err(ImageryError::Placement("its longitude is beyond 360 degrees"));
        }
        bounds = [bounds[0].min(lon), bounds[1].min(lat), bounds[2].max(lon), bounds[3].max(lat)];
    }
    Ok(bounds)
}

fn meters_per_pixel(page: &Page, matrix: &Matrix, system: &System) -> Result<f64, ImageryError> {
    let (column, row) = (f64::from(page.wide) / 2.0, f64::from(page.high) / 2.0);
    let degrees = |column: f64, row: f64| {
        let (x, y) = matrix.coordinates(column, row);
        system.degrees(x, y).ok_or(ImageryError::Placement("it lies outside of its coordinate system"))
    };
    let (a, b, c) =
        (degrees(column - 0.5, row - 0.5)?, degrees(column + 0.5, row - 0.5)?, degrees(column - 0.5, row + 0.5)?);
    let (east, north) = meters_of_degree(a.1);
    let (right, down) = (((b.0 - a.0) * east, (b.1 - a.1) * north), ((c.0 - a.0) * east, (c.1 - a.1) * north));
    Ok((right.0 * down.1 - right.1 * down.0).abs().sqrt())
}

/// From the metadata that GDAL writes for the sensors it knows.
fn taken(tiff: &Tiff, page: &Directory) -> Result<Option<String>, ImageryError> {
    let Some(text) = tiff.text(page, METADATA)? else { return Ok(None) };
    let value = text.split("name=\"ACQUISITIONDATETIME\"").nth(1).and_then(|rest| rest.split_once('>'));
    let value = value.and_then(|(_, rest)| rest.split_once('<')).map(|(value, _)| value.trim().to_owned());
    Ok(value.filter(|value| !value.is_empty()))
}
