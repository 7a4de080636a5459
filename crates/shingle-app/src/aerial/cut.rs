//! Cuts the ground of a home out of the files of a set, and keeps what was cut in a folder of bounded size.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use shingle_imagery::{Cut, ImageryError, Placed, Window};
use shingle_store::HiddenHome;

use super::catalog::PhotoSet;
use super::ground::Ground;

/// Bytes of one image.
pub const MOST_BYTES: usize = 15_000;
/// Twice the pixels that a drawing has on a phone.
const MOST_PIXELS: f64 = 800.0;
const LEAST_PIXELS: f64 = 64.0;
/// The share that has to be seen.
const LEAST_COVERED: f64 = 0.97;
/// The share that may look like cloud.
const MOST_CLOUDY: f64 = 0.15;
/// Of all cuts; the older half of them goes when there are more.
const MOST_KEPT: u64 = 512 << 20;
/// What is painted over.
const GRAY: [u8; 3] = [128; 3];

/// `None` where nothing can be shown: clouds, no data, or a file that cannot be read.
pub fn cut(folder: &Path, set: &PhotoSet, ground: &Ground, hidden: &[HiddenHome]) -> Option<Vec<u8>> {
    try_cut(folder, set, ground, hidden).unwrap_or_else(|error| {
        tracing::error!(set = set.name, %error, "a photograph from the air cannot be read");
        None
    })
}

fn try_cut(
    folder: &Path,
    set: &PhotoSet,
    ground: &Ground,
    hidden: &[HiddenHome],
) -> Result<Option<Vec<u8>>, ImageryError> {
    let pictures = set.pictures_of(ground);
    let Some(sharpest) = pictures.first() else { return Ok(None) };
    let meters = 2.0 * ground.half_meters();
    let pixels = (meters / sharpest.meters_per_pixel).ceil().clamp(LEAST_PIXELS, MOST_PIXELS) as u32;
    let middle = ground.middle();
    let mut whole: Option<Cut> = None;
    for picture in pictures {
        let Some((shift_east, shift_north)) = picture.shift() else { continue };
        let placed = Placed::open(&pictures_folder(folder).join(&picture.file), set.system.as_deref())?;
        let window = Window {
            longitude: middle.longitude,
            latitude: middle.latitude,
            meters_wide: meters,
            meters_high: meters,
            wide: pixels,
            high: pixels,
            shift_east,
            shift_north,
        };
        let Some(part) = placed.cut(&window)? else { continue };
        match &mut whole {
            Some(whole) => whole.fill_from(&part),
            None => whole = Some(part),
        }
        if whole.as_ref().is_some_and(|whole| whole.covered >= 1.0) {
            break;
        }
    }
    let Some(mut whole) = whole.filter(|whole| whole.covered >= LEAST_COVERED && whole.cloudy <= MOST_CLOUDY) else {
        return Ok(None);
    };
    for home in hidden {
        paint_over(&mut whole, ground, home);
    }
    whole.webp(MOST_BYTES).map(Some)
}

fn paint_over(cut: &mut Cut, ground: &Ground, home: &HiddenHome) {
    let [west, south, east, north] = ground.bounds();
    let [left, bottom, right, top] = home.bounds.map(|edge| f64::from(edge) / 1e7);
    let (wide, high) = (f64::from(cut.wide), f64::from(cut.high));
    let across = |degrees: f64| (degrees - west) / (east - west) * wide;
    let down = |degrees: f64| (north - degrees) / (north - south) * high;
    let span =
        |from: f64, to: f64, most: f64| from.floor().clamp(0.0, most) as usize..to.ceil().clamp(0.0, most) as usize;
    let columns = span(across(left), across(right), wide);
    for row in span(down(top), down(bottom), high) {
        for column in columns.clone() {
            let at = (row * cut.wide as usize + column) * 3;
            if let Some(pixel) = cut.rgb.get_mut(at..at + 3) {
                pixel.copy_from_slice(&GRAY);
            }
        }
    }
}

pub fn pictures_folder(folder: &Path) -> PathBuf {
    folder.join("pictures")
}

/// What can be made again at any time.
pub fn cuts_folder(folder: &Path) -> PathBuf {
    folder.join("cuts")
}

/// A cut that is kept.
pub fn read(folder: &Path, name: &str) -> Option<Vec<u8>> {
    fs::read(cuts_folder(folder).join(format!("{name}.webp"))).ok()
}

/// Keeps a cut for the next who asks. That it cannot be written is no reason not to show it.
pub fn keep(folder: &Path, name: &str, bytes: &[u8]) {
    let cuts = cuts_folder(folder);
    let next = cuts.join(format!("{name}.new"));
    // The end of a name is as good as random: one in 256 cleans up.
    let cleans = name.ends_with("00");
    let written = fs::create_dir_all(&cuts)
        .and_then(|()| fs::write(&next, bytes))
        .and_then(|()| fs::rename(&next, cuts.join(format!("{name}.webp"))))
        .and_then(|()| if cleans { make_room(&cuts, MOST_KEPT) } else { Ok(()) });
    if let Err(error) = written {
        tracing::warn!(%error, "a cut of a photograph cannot be kept");
    }
}

/// Deletes the older half when there is more than `most`.
fn make_room(cuts: &Path, most: u64) -> std::io::Result<()> {
    let mut all: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(cuts)? {
        let entry = entry?;
        let about = entry.metadata()?;
        all.push((about.modified()?, about.len(), entry.path()));
    }
    let bytes: u64 = all.iter().map(|(_, bytes, _)| bytes).sum();
    if bytes <= most {
        return Ok(());
    }
    all.sort();
    let mut left = bytes;
    for (_, bytes, path) in all {
        if left <= most / 2 {
            break;
        }
        fs::remove_file(path)?;
        left -= bytes;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_older_half_goes_when_there_is_no_room() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..10_u64 {
            let path = folder.path().join(format!("{n}.webp"));
            fs::write(&path, vec![0; 100]).unwrap();
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(n)).unwrap();
        }
        make_room(folder.path(), 1_000).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 10, "it fits");
        make_room(folder.path(), 999).unwrap();
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        left.sort();
        assert_eq!(left, ["6.webp", "7.webp", "8.webp", "9.webp"]);
    }

    #[test]
    fn a_hidden_home_is_gray_and_its_neighbor_is_not() {
        let ground = Ground::about(-84.0, 39.1, 40.0);
        let [west, south, east, north] = ground.bounds();
        let middle = |a: f64, b: f64| (a + b) / 2.0;
        // The eastern half.
        let bounds = [middle(west, east), south, east, north].map(|degrees| (degrees * 1e7).round() as i32);
        let mut cut = Cut { wide: 10, high: 10, rgb: vec![9; 300], covered: 1.0, cloudy: 0.0, seen: vec![true; 100] };
        paint_over(&mut cut, &ground, &HiddenHome { address: String::new(), bounds });
        let pixel = |x: usize, y: usize| cut.rgb[(y * 10 + x) * 3];
        assert_eq!([pixel(0, 0), pixel(3, 5), pixel(6, 5), pixel(9, 9)], [9, 9, 128, 128]);
    }
}
