//! What an import of photographs says.

use serde::Serialize;
use shingle_app::aerial::{Examined, Fit, PhotoFiles, PhotoLoad};

use super::output::table;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhotoReport {
    name: String,
    taken: String,
    credit: String,
    /// Nothing was written.
    checked: bool,
    pictures: Vec<PictureReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PictureReport {
    file: String,
    width: u32,
    height: u32,
    meters_per_pixel: f64,
    /// West, south, east and north, in degrees.
    bounds: [f64; 4],
    /// Outlines of buildings in it.
    outlines: usize,
    fit: Fit,
}

impl PhotoReport {
    pub fn of(files: &PhotoFiles, load: &PhotoLoad, checked: bool) -> Self {
        let of_picture = |of: &Examined| PictureReport {
            file: of.path.display().to_string(),
            width: of.width,
            height: of.height,
            meters_per_pixel: of.meters_per_pixel,
            bounds: of.bounds,
            outlines: of.outlines,
            fit: of.fit,
        };
        Self {
            name: files.name.clone(),
            taken: files.taken.to_string(),
            credit: files.credit.clone(),
            checked,
            pictures: load.pictures.iter().map(of_picture).collect(),
        }
    }

    pub fn text(&self) -> String {
        let rows: Vec<_> = self.pictures.iter().map(PictureReport::row).collect();
        let listed = table(["file", "pixels", "m/pixel", "buildings", "fit"], &rows);
        let shown = self.pictures.iter().filter(|picture| !matches!(picture.fit, Fit::TooFar { .. })).count();
        let done = if self.checked { "would be loaded; nothing was written" } else { "loaded" };
        let of = self.pictures.len();
        format!("{listed}\n\n{}: {shown} of {of} photos of {} {done}.", self.name, self.taken)
    }
}

impl PictureReport {
    fn row(&self) -> [String; 5] {
        [
            self.file.clone(),
            format!("{} x {}", self.width, self.height),
            format!("{:.2}", self.meters_per_pixel),
            self.outlines.to_string(),
            fit_text(&self.fit),
        ]
    }
}

fn fit_text(fit: &Fit) -> String {
    match fit {
        Fit::Moved { east, north, .. } => format!("moved {}", moved(*east, *north)),
        Fit::Unknown => "stays where its file puts it: too few buildings show in it".to_owned(),
        Fit::TooFar { east, north } => format!("not shown: it lies {} off, more than 3 m", moved(*east, *north)),
    }
}

/// "0.4 m east, 1.2 m south"
fn moved(east: f64, north: f64) -> String {
    let part = |meters: f64, to: &str, back: &str| {
        let to = if meters < 0.0 { back } else { to };
        format!("{:.1} m {to}", meters.abs())
    };
    format!("{}, {}", part(east, "east", "west"), part(north, "north", "south"))
}
