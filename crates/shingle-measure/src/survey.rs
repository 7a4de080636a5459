//! Many roofs from many files, in little memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::crs::{FileCrs, StatedCrs};
use crate::error::MeasureError;
use crate::las::{Ended, Header, Point, PointFile};
use crate::on_earth::OnEarth;
use crate::outline::Outlines;
use crate::place::{Placed, Way};
use crate::roof::{Measured, RoofPoint, Unmeasured, measure};

/// Points held at a time: 16 bytes each, twice that while a list grows.
const MOST_POINTS: usize = 4_000_000;
/// Of one roof.
const MOST_POINTS_OF_ROOF: f64 = 60_000.0;
const FEWEST_OF_ROOF: f64 = 4_000.0;
/// More points a square meter than this do not measure better.
const MOST_DENSE: f64 = 40.0;
/// Outlines at a time.
const MOST_OUTLINES: usize = 20_000;
/// Squares of the index of outlines.
const MOST_SQUARES: f64 = 1_000_000.0;
/// Higher over the sea or lower is an error of the instrument.
const HEIGHTS: std::ops::Range<f64> = -600.0..9_000.0;

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

#[derive(Debug)]
pub struct Roof {
    pub id: String,
    pub result: Result<Measured, Unmeasured>,
}

#[derive(Debug)]
pub struct Report {
    /// In the order of the outlines.
    pub roofs: Vec<Roof>,
    pub files: Vec<FileReport>,
}

struct Tile {
    path: PathBuf,
    header: Header,
    crs: FileCrs,
}

/// The LAS and LAZ files of a list in which folders stand for all that is in them, in the order of their names.
pub fn point_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, MeasureError> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
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

/// Measures every outline from the points of all files. A file that cannot be read is reported and left out.
pub fn measure_files(paths: &[PathBuf], outlines: &Outlines) -> Result<Report, MeasureError> {
    let mut results: Vec<Result<Measured, Unmeasured>> = Vec::new();
    results.resize_with(outlines.outlines.len(), || Err(Unmeasured::NoPoints));
    let files = measure_each(paths, outlines, None, &mut |index, result, _| {
        results[index] = result;
        ControlFlow::Continue(())
    })?;
    let roofs = outlines.outlines.iter().zip(results).map(|(o, result)| Roof { id: o.id.clone(), result });
    Ok(Report { roofs: roofs.collect(), files })
}

/// What is done with each roof: the number of its outline, what was measured, and where on the Earth its meters are. Of
/// one outline the last one counts; some have none.
pub type TakeRoof<'a> = dyn FnMut(usize, Result<Measured, Unmeasured>, Option<OnEarth>) -> ControlFlow<()> + 'a;

/// As [`measure_files`], in memory that does not grow with what is measured. `stated` stands in place of the coordinate
/// system of the files. Every outline is handed to `take`, which may end the whole.
pub fn measure_each(
    paths: &[PathBuf],
    outlines: &Outlines,
    stated: Option<&StatedCrs>,
    take: &mut TakeRoof<'_>,
) -> Result<Vec<FileReport>, MeasureError> {
    let mut files = Vec::new();
    let mut tiles: Vec<Tile> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for path in paths.iter().filter(|path| seen.insert((*path).clone())) {
        let read = open(path).and_then(|file| {
            let crs = match (FileCrs::of(&file.header), stated) {
                (Ok(said), Some(stated)) => stated.of_file(&said),
                (Err(_), Some(stated)) => stated.of_file(&FileCrs::unknown()),
                (said, None) => said?,
            };
            Ok((crs, file.header))
        });
        match read {
            Ok((crs, header)) => tiles.push(Tile { path: path.clone(), header, crs }),
            Err(e) => files.push(FileReport { path: path.clone(), result: Err(e) }),
        }
    }
    let mut taken = Taken { best: vec![None; outlines.outlines.len()], units: Units::default(), take, is_over: false };
    let mut facts: BTreeMap<PathBuf, Result<FileFacts, MeasureError>> = BTreeMap::new();
    let mut first_error = None;
    while let Some(crs) = tiles.first().map(|tile| tile.crs.clone()) {
        let (group, others): (Vec<_>, Vec<_>) = tiles.into_iter().partition(|tile| tile.crs == crs);
        tiles = others;
        if let Err(e) = measure_group(&group, &crs, outlines, &mut taken, &mut facts) {
            // Files that cannot be brought together with the outlines are left out as those that cannot be read.
            for tile in &group {
                facts.insert(tile.path.clone(), Err(MeasureError::Crs(e.to_string())));
            }
            first_error.get_or_insert(e);
        }
        if taken.is_over {
            break;
        }
    }
    if let Some(e) = first_error
        && facts.values().all(Result::is_err)
    {
        return Err(e);
    }
    files.extend(facts.into_iter().map(|(path, result)| FileReport { path, result }));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    taken.rest();
    taken.units.check()?;
    Ok(files)
}

/// What was handed on.
struct Taken<'t> {
    /// The density of what each outline has so far; `None` where it has nothing.
    best: Vec<Option<Best>>,
    units: Units,
    take: &'t mut TakeRoof<'t>,
    is_over: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Best {
    Unmeasured,
    Density(f64),
}

impl Taken<'_> {
    fn offer(&mut self, index: usize, result: Result<Measured, Unmeasured>, on_earth: Option<OnEarth>) {
        let offered = match &result {
            Ok(measured) => Best::Density(measured.density),
            Err(_) => Best::Unmeasured,
        };
        let is_better =
            self.best[index].is_none_or(|best| offered > best || offered == Best::Unmeasured && best == offered);
        if !is_better || self.is_over {
            return;
        }
        self.best[index] = Some(offered);
        if let Ok(measured) = &result {
            self.units.note(measured);
        }
        self.is_over = (self.take)(index, result, on_earth).is_break();
    }

    /// Outlines that no group of files has come to.
    fn rest(&mut self) {
        for index in 0..self.best.len() {
            if self.best[index].is_none() {
                self.offer(index, Err(Unmeasured::NoPoints), None);
            }
        }
    }
}

fn open(path: &Path) -> Result<PointFile<BufReader<File>>, MeasureError> {
    PointFile::open(BufReader::with_capacity(1 << 16, File::open(path)?))
}

/// Files of one coordinate system.
fn measure_group(
    tiles: &[Tile],
    crs: &FileCrs,
    outlines: &Outlines,
    taken: &mut Taken<'_>,
    facts: &mut BTreeMap<PathBuf, Result<FileFacts, MeasureError>>,
) -> Result<(), MeasureError> {
    let projection = crs.projection()?;
    let name = tiles.first().map(|t| t.path.display().to_string()).unwrap_or_default();
    let way = Way::choose(outlines, crs, all_bounds(tiles), &name)?;
    let mut waiting = Vec::new();
    for (index, outline) in outlines.outlines.iter().enumerate() {
        match Placed::new(outline, &way, &projection) {
            Some(placed) if placed.shape.is_too_large() => taken.offer(index, Err(Unmeasured::TooLarge), None),
            Some(placed) => waiting.push((index, placed)),
            None => taken.offer(index, Err(Unmeasured::BadOutline), None),
        }
    }
    // Neighbors together, so that a batch needs few files. The order is turned round: batches are taken from the end.
    let width = 500.0 / crs.meters();
    let square = |placed: &Placed| ((placed.min[0] / width).floor(), (placed.min[1] / width).floor());
    waiting.sort_by(|(i, a), (j, b)| {
        let (a, b) = (square(a), square(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(j.cmp(i))
    });
    for tile in tiles {
        facts.entry(tile.path.clone()).or_insert_with(|| {
            Ok(FileFacts { points: 0, format: tile.header.format, ended: Ended::Whole, measured: None })
        });
    }
    while !waiting.is_empty() && !taken.is_over {
        let batch = waiting.split_off(waiting.len().saturating_sub(MOST_OUTLINES));
        let mut batch = Batch::new(batch, crs);
        for tile in tiles {
            if batch.may_need(&tile.header) {
                let result = batch.read(tile, &mut waiting);
                facts.insert(tile.path.clone(), result);
            }
        }
        for bucket in batch.buckets {
            if taken.is_over {
                break;
            }
            let result = measure(&bucket.placed.shape, bucket.points);
            taken.offer(bucket.index, result, bucket.placed.on_earth);
        }
    }
    Ok(())
}

fn all_bounds(tiles: &[Tile]) -> Option<[[f64; 3]; 2]> {
    tiles.iter().filter_map(|t| t.header.bounds).reduce(|a, b| {
        let axis = |f: fn(f64, f64) -> f64, a: [f64; 3], b: [f64; 3]| [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])];
        [axis(f64::min, a[0], b[0]), axis(f64::max, a[1], b[1])]
    })
}

/// The points of one roof, thinned by chance that hangs on their coordinates alone, so that it does not matter in
/// which order or file they come.
struct Bucket {
    index: usize,
    placed: Placed,
    points: Vec<RoofPoint>,
    most: usize,
    below: u64,
}

impl Bucket {
    fn new(index: usize, placed: Placed) -> Self {
        let (min, max) = (placed.shape.min, placed.shape.max);
        let margin = 2.0 * crate::place::MARGIN;
        let area = (max[0] - min[0] + margin) * (max[1] - min[1] + margin);
        let most = (area * MOST_DENSE).clamp(FEWEST_OF_ROOF, MOST_POINTS_OF_ROOF);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the bounds above")]
        let most = most as usize;
        Self { index, placed, points: Vec::new(), most, below: u64::MAX }
    }

    /// Points more than before.
    fn add(&mut self, point: RoofPoint) -> isize {
        if self.below < u64::MAX && chance(&point) > self.below {
            return 0;
        }
        let before = self.points.len();
        self.points.push(point);
        while self.points.len() > self.most {
            self.below /= 2;
            let below = self.below;
            self.points.retain(|p| chance(p) <= below);
        }
        self.points.len().cast_signed() - before.cast_signed()
    }
}

/// The same for the same point, and as good as random.
fn chance(p: &RoofPoint) -> u64 {
    let mut h = u64::from(p.x.to_bits()) << 32 | u64::from(p.y.to_bits());
    h ^= u64::from(p.z.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

struct Batch {
    buckets: Vec<Bucket>,
    min: [f64; 2],
    max: [f64; 2],
    side: f64,
    columns: usize,
    rows: usize,
    /// The buckets about each square.
    squares: Vec<Vec<u32>>,
    held: usize,
    vertical: f64,
    /// Of the unit of the file in meters, for tolerances.
    unit: f64,
}

impl Batch {
    fn new(outlines: Vec<(usize, Placed)>, crs: &FileCrs) -> Self {
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (_, placed) in &outlines {
            for axis in 0..2 {
                min[axis] = min[axis].min(placed.min[axis]);
                max[axis] = max[axis].max(placed.max[axis]);
            }
        }
        let (width, depth) = (max[0] - min[0], max[1] - min[1]);
        let unit = crs.meters();
        let side = (20.0 / unit).max((width * depth / MOST_SQUARES).sqrt());
        let count = |length: f64| cells(length / side) + 1;
        let (columns, rows) = (count(width), count(depth));
        let mut batch = Self {
            buckets: Vec::with_capacity(outlines.len()),
            min,
            max,
            side,
            columns,
            rows,
            squares: vec![Vec::new(); columns * rows],
            held: 0,
            vertical: crs.vertical,
            unit,
        };
        for (index, placed) in outlines {
            let at = u32::try_from(batch.buckets.len()).unwrap_or(u32::MAX);
            for row in batch.row(placed.min[1])..=batch.row(placed.max[1]) {
                for column in batch.column(placed.min[0])..=batch.column(placed.max[0]) {
                    batch.squares[row * columns + column].push(at);
                }
            }
            batch.buckets.push(Bucket::new(index, placed));
        }
        batch
    }

    fn column(&self, x: f64) -> usize {
        cells((x - self.min[0]) / self.side).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> usize {
        cells((y - self.min[1]) / self.side).min(self.rows - 1)
    }

    /// Headers are often a little off, and some are empty: only a file that is surely elsewhere is left out.
    fn may_need(&self, header: &Header) -> bool {
        let tolerance = 100.0 / self.unit;
        header.bounds.is_none_or(|[min, max]| {
            let is_said = max[0] > min[0] && max[1] > min[1];
            let apart = |axis: usize| min[axis] - tolerance > self.max[axis] || max[axis] + tolerance < self.min[axis];
            !is_said || !(apart(0) || apart(1))
        })
    }

    /// Outlines whose points do not fit into memory go back to `waiting`.
    fn read(&mut self, tile: &Tile, waiting: &mut Vec<(usize, Placed)>) -> Result<FileFacts, MeasureError> {
        let file = open(&tile.path)?;
        let has_time = file.header.has_standard_time;
        let mut times: Option<(f64, f64)> = None;
        let mut points = 0;
        let ended = file.for_each(|point| {
            points += 1;
            if self.add(&point) && has_time && point.gps_time.is_finite() {
                let (first, last) = times.unwrap_or((point.gps_time, point.gps_time));
                times = Some((first.min(point.gps_time), last.max(point.gps_time)));
            }
            if self.held > MOST_POINTS {
                self.put_back(waiting);
            }
        })?;
        let measured = times.and_then(|(first, last)| Some((day(first)?, day(last)?)));
        Ok(FileFacts { points, format: tile.header.format, ended, measured })
    }

    /// Whether the point is near an outline.
    fn add(&mut self, point: &Point) -> bool {
        let (x, y) = (point.x, point.y);
        let is_within = x >= self.min[0] && x <= self.max[0] && y >= self.min[1] && y <= self.max[1];
        if !is_within || point.is_withheld {
            return false;
        }
        let z = point.z * self.vertical;
        if !HEIGHTS.contains(&z) {
            return false;
        }
        let square = self.row(y) * self.columns + self.column(x);
        let mut is_near = false;
        for at in &self.squares[square] {
            let Some(bucket) = self.buckets.get_mut(*at as usize) else { continue };
            let placed = &bucket.placed;
            if x < placed.min[0] || x > placed.max[0] || y < placed.min[1] || y > placed.max[1] {
                continue;
            }
            let (x, y) = placed.frame.meters(x, y);
            #[allow(
                clippy::cast_possible_truncation,
                reason = "meters about a roof: a tenth of a millimeter is enough"
            )]
            let (x, y, z) = (x as f32, y as f32, z as f32);
            let more = bucket.add(RoofPoint { x, y, z, class: point.class, is_last: point.is_last });
            self.held = self.held.saturating_add_signed(more);
            is_near = true;
        }
        is_near
    }

    fn put_back(&mut self, waiting: &mut Vec<(usize, Placed)>) {
        // One roof alone always fits.
        let keep = self.buckets.len().div_ceil(2);
        for bucket in self.buckets.drain(keep..) {
            self.held -= bucket.points.len();
            waiting.push((bucket.index, bucket.placed));
        }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float converts within bounds")]
fn cells(value: f64) -> usize {
    value.max(0.0) as usize
}

/// Days since 1970 of a standard GPS time. `None` for times before the first survey and after the last.
#[allow(clippy::cast_possible_truncation, reason = "within the bounds checked")]
fn day(gps_time: f64) -> Option<i64> {
    // 1980-01-06, and the billion seconds that the format leaves out.
    let day = ((gps_time + 1e9) / 86_400.0).floor() + 3_657.0;
    (10_000.0..50_000.0).contains(&day).then_some(day as i64)
}

/// Houses are a few stories high. Where all of them are towers with roofs as steep as walls, one unit is wrong.
#[derive(Default)]
struct Units {
    heights: Vec<f32>,
    pitches: Vec<f32>,
}

impl Units {
    #[allow(clippy::cast_possible_truncation, reason = "the middle of many is compared with a round number")]
    fn note(&mut self, measured: &Measured) {
        self.heights.extend(measured.height.map(|height| height as f32));
        self.pitches.push(measured.pitch_degrees as f32);
    }

    fn check(mut self) -> Result<(), MeasureError> {
        if self.heights.len() < 3 {
            return Ok(());
        }
        self.heights.sort_unstable_by(f32::total_cmp);
        self.pitches.sort_unstable_by(f32::total_cmp);
        let height = f64::from(self.heights[self.heights.len() / 2]);
        let pitch = f64::from(self.pitches[self.pitches.len() / 2]);
        if height > 12.0 && pitch > 48.0 {
            return Err(MeasureError::Units { height, pitch });
        }
        Ok(())
    }
}
