//! Which photographs from the air an installation has: a list of sets, each with its files.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use shingle_domain::aerial::PhotoDate;
use shingle_domain::cold_sort::ColdSort as _;

use super::ground::Ground;

const FORMAT: u32 = 1;
const FILE: &str = "catalog.json";

/// A year of age counts as so much less sharpness: a photograph of 0.3 m from 2018 is as good as one of 0.6 m from 2023.
const PER_YEAR: f64 = 1.15;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    format: u32,
    pub sets: Vec<PhotoSet>,
}

impl Default for Catalog {
    fn default() -> Self {
        Self { format: FORMAT, sets: Vec::new() }
    }
}

/// Photographs of one flight, or of one area.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PhotoSet {
    pub name: String,
    pub taken: PhotoDate,
    /// Whose it is and under which terms.
    pub credit: String,
    /// The coordinate system of files that name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    pub pictures: Vec<Picture>,
}

/// One file, and where it lies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// In the folder of pictures: the hash of its content, and its ending.
    pub file: String,
    /// West, south, east and north, in degrees.
    pub bounds: [f64; 4],
    pub meters_per_pixel: f64,
    pub fit: Fit,
}

/// How a picture fits the outlines of the buildings in it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Fit {
    /// Moved so many meters, it fits.
    Moved { east: f64, north: f64, outlines: usize },
    /// Too few outlines, or none that show: it stays where its file puts it.
    Unknown,
    /// It would have to be moved further than a photograph may be: it is not shown.
    TooFar { east: f64, north: f64 },
}

impl Picture {
    /// Meters to the east and to the north; `None` for one that is not shown.
    pub fn shift(&self) -> Option<(f64, f64)> {
        match self.fit {
            Fit::Moved { east, north, .. } => Some((east, north)),
            Fit::Unknown => Some((0.0, 0.0)),
            Fit::TooFar { .. } => None,
        }
    }

    fn holds(&self, longitude: f64, latitude: f64) -> bool {
        let [west, south, east, north] = self.bounds;
        (west..=east).contains(&longitude) && (south..=north).contains(&latitude)
    }
}

impl PhotoSet {
    /// Another number whenever anything of the set is another.
    pub fn id(&self) -> [u8; 4] {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let hash = blake3::hash(&text);
        let mut id = [0; 4];
        id.copy_from_slice(&hash.as_bytes()[..4]);
        id
    }

    /// The pictures that can show this ground, the sharpest first.
    pub fn pictures_of(&self, ground: &Ground) -> Vec<&Picture> {
        let [west, south, east, north] = ground.bounds();
        let touches =
            |p: &&Picture| p.bounds[0] <= east && p.bounds[2] >= west && p.bounds[1] <= north && p.bounds[3] >= south;
        let mut found: Vec<_> = self.pictures.iter().filter(|p| p.shift().is_some()).filter(touches).collect();
        found.cold_sort_by(|a, b| a.meters_per_pixel.total_cmp(&b.meters_per_pixel).then_with(|| a.file.cmp(&b.file)));
        found
    }

    /// Whether its pictures hold the middle of the ground and its corners.
    pub fn covers(&self, ground: &Ground) -> bool {
        let pictures = self.pictures_of(ground);
        ground.corners_and_middle().iter().all(|(x, y)| pictures.iter().any(|p| p.holds(*x, *y)))
    }

    /// Smaller is better: sharper, and newer.
    fn rank(&self, ground: &Ground, this_year: u16) -> f64 {
        let sharpest = self.pictures_of(ground).first().map_or(f64::MAX, |p| p.meters_per_pixel);
        sharpest * PER_YEAR.powi(i32::from(this_year) - i32::from(self.taken.year()))
    }
}

impl Catalog {
    /// One that does not exist is empty.
    pub fn read(folder: &Path) -> std::io::Result<Self> {
        match fs::read(folder.join(FILE)) {
            Ok(text) => {
                let catalog: Self = serde_json::from_slice(&text)?;
                if catalog.format > FORMAT {
                    let why = format!("format {} is of a newer version", catalog.format);
                    return Err(std::io::Error::new(ErrorKind::InvalidData, why));
                }
                Ok(catalog)
            }
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(e) => Err(e),
        }
    }

    /// Replaces the list as a whole.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let next = folder.join(format!("{FILE}.new"));
        let mut file = fs::File::create(&next)?;
        file.write_all(&serde_json::to_vec_pretty(self)?)?;
        file.sync_all()?;
        fs::rename(&next, folder.join(FILE))
    }

    /// What tells one list from the next without reading it.
    pub fn stamp(folder: &Path) -> Option<(std::time::SystemTime, u64)> {
        let about = fs::metadata(folder.join(FILE)).ok()?;
        Some((about.modified().ok()?, about.len()))
    }

    /// The sets that show all of this ground, the best first. `oldest`: the first year that is not too old.
    pub fn sets_of(&self, ground: &Ground, this_year: u16, oldest: Option<u16>) -> Vec<&PhotoSet> {
        let is_new = |set: &&PhotoSet| oldest.is_none_or(|oldest| set.taken.year() >= oldest);
        let mut found: Vec<_> = self.sets.iter().filter(is_new).filter(|set| set.covers(ground)).collect();
        found.cold_sort_by(|a, b| {
            let ranks = a.rank(ground, this_year).total_cmp(&b.rank(ground, this_year));
            ranks.then_with(|| b.taken.cmp(&a.taken)).then_with(|| a.name.cmp(&b.name))
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, taken: &str, meters_per_pixel: f64, bounds: [f64; 4]) -> PhotoSet {
        let picture = Picture { file: format!("{name}.tif"), bounds, meters_per_pixel, fit: Fit::Unknown };
        PhotoSet {
            name: name.to_owned(),
            taken: taken.parse().unwrap(),
            credit: "USDA".to_owned(),
            system: None,
            pictures: vec![picture],
        }
    }

    const TOWN: [f64; 4] = [-84.1, 39.0, -83.9, 39.2];

    fn home() -> Ground {
        Ground::about(-84.0, 39.1, 40.0)
    }

    fn best(sets: Vec<PhotoSet>, oldest: Option<u16>) -> Option<String> {
        let catalog = Catalog { sets, ..Catalog::default() };
        catalog.sets_of(&home(), 2026, oldest).first().map(|set| set.name.clone())
    }

    #[test]
    fn sharper_and_newer_wins() {
        let sets = |a: (&str, f64), b: (&str, f64)| vec![set("a", a.0, a.1, TOWN), set("b", b.0, b.1, TOWN)];
        assert_eq!(best(sets(("2021", 0.6), ("2021", 0.3)), None).unwrap(), "b");
        assert_eq!(best(sets(("2023", 0.6), ("2021", 0.6)), None).unwrap(), "a");
        assert_eq!(
            best(sets(("2023", 0.6), ("2021", 0.15)), None).unwrap(),
            "b",
            "two years older, four times as sharp"
        );
        assert_eq!(best(sets(("2023", 0.6), ("2009", 0.3)), None).unwrap(), "a", "fourteen years older");
        assert_eq!(best(sets(("2023-05", 0.6), ("2023-07", 0.6)), None).unwrap(), "b", "two months newer");
    }

    #[test]
    fn what_is_too_old_or_shows_the_half_of_it_is_left_out() {
        assert_eq!(best(vec![set("old", "2019", 0.3, TOWN)], Some(2020)), None);
        assert_eq!(best(vec![set("old", "2020", 0.3, TOWN)], Some(2020)).unwrap(), "old");
        let half = [-84.1, 39.0, -84.0, 39.2];
        assert_eq!(best(vec![set("half", "2023", 0.3, half)], None), None);
        let mut both = set("both", "2023", 0.3, half);
        both.pictures.extend(set("other", "2023", 0.3, [-84.0, 39.0, -83.9, 39.2]).pictures);
        assert_eq!(best(vec![both], None).unwrap(), "both", "two files that lie side by side");
    }

    #[test]
    fn a_picture_that_would_be_moved_too_far_is_not_shown() {
        let mut far = set("far", "2023", 0.3, TOWN);
        far.pictures[0].fit = Fit::TooFar { east: 5.0, north: 0.0 };
        assert_eq!(best(vec![far], None), None);
    }

    #[test]
    fn a_list_is_read_as_it_was_written_and_a_newer_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Catalog::read(folder.path()).unwrap(), Catalog::default());
        let mut catalog = Catalog { sets: vec![set("a", "2023-07", 0.6, TOWN)], ..Catalog::default() };
        catalog.sets[0].pictures[0].fit = Fit::Moved { east: -0.5, north: 1.25, outlines: 40 };
        catalog.write(folder.path()).unwrap();
        assert_eq!(Catalog::read(folder.path()).unwrap(), catalog);
        fs::write(folder.path().join(FILE), r#"{"format":2,"sets":[]}"#).unwrap();
        assert!(Catalog::read(folder.path()).unwrap_err().to_string().contains("newer version"));
    }
}
