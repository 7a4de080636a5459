//! A window on Earth, and where its pixels are in a picture.

use crate::error::ImageryError;
use crate::place::matrix::Matrix;
use crate::place::system::{System, meters_of_degree};

/// A window is drawn in a plane: beyond that, Earth bends.
const MOST_METERS: f64 = 5_000.0;
const MOST_PIXELS: u64 = 2_000_000;

/// Steps of the grid of points that are projected exactly. Between them, the way is straight to a thousandth of a
/// pixel: 80 m in eight steps bend by 0.01 mm.
const STEPS: usize = 8;

/// A window on Earth, north up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    pub longitude: f64,
    pub latitude: f64,
    pub meters_wide: f64,
    pub meters_high: f64,
    pub wide: u32,
    pub high: u32,
    /// Meters that the picture is moved before it is cut.
    pub shift_east: f64,
    pub shift_north: f64,
}

impl Window {
    /// Square pixels about a place, so many meters wide; nothing is moved.
    pub fn about(longitude: f64, latitude: f64, meters_wide: f64, wide: u32, high: u32) -> Self {
        let meters_high = meters_wide * f64::from(high) / f64::from(wide.max(1));
        Self { longitude, latitude, meters_wide, meters_high, wide, high, shift_east: 0.0, shift_north: 0.0 }
    }

    pub fn check(&self) -> Result<(), ImageryError> {
        let wrong = |why| Err(ImageryError::Window(why));
        let numbers = [self.longitude, self.latitude, self.shift_east, self.shift_north];
        if !numbers.iter().all(|n| n.is_finite()) || self.latitude.abs() > 89.0 || self.longitude.abs() > 360.0 {
            return wrong("its center is not a place in longitude and latitude");
        }
        if ![self.meters_wide, self.meters_high].iter().all(|m| (0.01..=MOST_METERS).contains(m)) {
            return wrong("it is not between 1 cm and 5 km wide and high");
        }
        if self.shift_east.hypot(self.shift_north) > MOST_METERS {
            return wrong("the picture is moved by more than 5 km");
        }
        if self.wide == 0 || self.high == 0 || u64::from(self.wide) * u64::from(self.high) > MOST_PIXELS {
            return wrong("it does not have between 1 and 2 million pixels");
        }
        Ok(())
    }

    /// Degrees of a place in the picture as it is, by its share of the window from the top left.
    fn degrees(&self, right: f64, down: f64) -> (f64, f64) {
        let (east, north) = meters_of_degree(self.latitude);
        let meters_east = (right - 0.5) * self.meters_wide - self.shift_east;
        let meters_north = (0.5 - down) * self.meters_high - self.shift_north;
        (self.longitude + meters_east / east, self.latitude + meters_north / north)
    }
}

/// Where the pixels of a window are in a picture.
pub struct Mapping {
    points: Vec<(f64, f64)>,
    wide: f64,
    high: f64,
}

impl Mapping {
    /// `None` where the system of the picture does not reach.
    pub fn of(window: &Window, matrix: &Matrix, system: &System) -> Option<Self> {
        let mut points = Vec::new();
        for j in 0..=STEPS {
            for i in 0..=STEPS {
                #[allow(clippy::cast_precision_loss, reason = "eight")]
                let (right, down) = (i as f64 / STEPS as f64, j as f64 / STEPS as f64);
                let (lon, lat) = window.degrees(right, down);
                let (x, y) = system.coordinates(lon, lat)?;
                let (column, row) = matrix.pixel(x, y);
                if !column.is_finite() || !row.is_finite() {
                    return None;
                }
                points.push((column, row));
            }
        }
        Some(Self { points, wide: f64::from(window.wide), high: f64::from(window.high) })
    }

    /// Of a place in the window, in its pixels: where in the picture it is.
    pub fn at(&self, x: f64, y: f64) -> (f64, f64) {
        #[allow(clippy::cast_precision_loss, reason = "eight")]
        let (right, down) = (x / self.wide * STEPS as f64, y / self.high * STEPS as f64);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the grid")]
        let cell = |n: f64| (n.max(0.0) as usize).min(STEPS - 1);
        let (i, j) = (cell(right), cell(down));
        #[allow(clippy::cast_precision_loss, reason = "eight")]
        let (s, t) = (right - i as f64, down - j as f64);
        let of = |i: usize, j: usize| self.points[j * (STEPS + 1) + i];
        let mix = |a: (f64, f64), b: (f64, f64), s: f64| (a.0 + (b.0 - a.0) * s, a.1 + (b.1 - a.1) * s);
        mix(mix(of(i, j), of(i + 1, j), s), mix(of(i, j + 1), of(i + 1, j + 1), s), t)
    }

    /// The box of pixels of the picture that the window touches: left, top, right, bottom.
    pub fn bounds(&self) -> [f64; 4] {
        let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        self.points.iter().fold(start, |b, p| [b[0].min(p.0), b[1].min(p.1), b[2].max(p.0), b[3].max(p.1)])
    }

    /// Columns and rows of the picture for one pixel of the window.
    pub fn scale(&self) -> (f64, f64) {
        let (x, y) = (self.wide / 2.0, self.high / 2.0);
        let (a, b, c) = (self.at(x - 0.5, y - 0.5), self.at(x + 0.5, y - 0.5), self.at(x - 0.5, y + 0.5));
        ((b.0 - a.0).hypot(c.0 - a.0), (b.1 - a.1).hypot(c.1 - a.1))
    }
}
