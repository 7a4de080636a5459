//! Cuts a window from a picture: each pixel of the window is the average of what it covers in the picture, or lies
//! between its neighbors where the picture is coarser.

use super::gather::{Grid, Part, gather};
use super::window::{Mapping, Window};
use crate::cloud;
use crate::error::ImageryError;
use crate::placed::{Layer, Placed};

/// A window cut from a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    pub wide: u32,
    pub high: u32,
    /// Row by row from the top left; where nothing is seen, black, or the color that means nothing in the file.
    pub rgb: Vec<u8>,
    /// The share of the pixels that the picture shows, 0 to 1.
    pub covered: f64,
    /// The share of the pixels that look like cloud, 0 to 1.
    pub cloudy: f64,
    /// For each pixel: whether the picture shows it.
    pub seen: Vec<bool>,
}

impl Cut {
    fn of(wide: u32, high: u32, rgb: Vec<u8>, seen: Vec<bool>) -> Self {
        let mut cut = Self { wide, high, rgb, covered: 0.0, cloudy: 0.0, seen };
        cut.measure();
        cut
    }

    #[allow(clippy::cast_precision_loss, reason = "two millions at most")]
    fn measure(&mut self) {
        self.covered = self.seen.iter().filter(|seen| **seen).count() as f64 / self.seen.len().max(1) as f64;
        self.cloudy = cloud::share(self.wide as usize, &self.rgb, &self.seen);
    }

    /// Fills what this one lacks from another cut of the same window. One of another size is left alone.
    pub fn fill_from(&mut self, other: &Self) {
        if (self.wide, self.high) != (other.wide, other.high) {
            return;
        }
        for (at, seen) in self.seen.iter_mut().enumerate() {
            if !*seen && other.seen[at] {
                *seen = true;
                self.rgb[at * 3..][..3].copy_from_slice(&other.rgb[at * 3..][..3]);
            }
        }
        self.measure();
    }
}

impl Placed {
    /// Cuts a north-up window. `None` where the picture shows nothing of it.
    pub fn cut(&self, window: &Window) -> Result<Option<Cut>, ImageryError> {
        cut(self, window)
    }
}

fn cut(placed: &Placed, window: &Window) -> Result<Option<Cut>, ImageryError> {
    window.check()?;
    let Some(mapping) = Mapping::of(window, &placed.matrix, &placed.system) else { return Ok(None) };
    let scale = mapping.scale();
    let Some(layer) = layer_for(placed, scale.0.min(scale.1)) else { return Ok(None) };
    let smaller = smaller(placed, layer);
    // Of the page, for one pixel of the window.
    let scale = (scale.0 / smaller.0, scale.1 / smaller.1);
    let [left, top, right, bottom] = mapping.bounds();
    let (page, by) = (&layer.picture.page, (whole(scale.0), whole(scale.1)));
    let across = span(left / smaller.0, right / smaller.0, by.0, page.wide);
    let down = span(top / smaller.1, bottom / smaller.1, by.1, page.high);
    let (Some((left, right)), Some((top, bottom))) = (across, down) else { return Ok(None) };
    let grid = gather(placed, layer, Part { left, top, right, bottom, by })?;

    let to_grid = |at: f64, smaller: f64, start: u32, by: u32| (at / smaller - f64::from(start)) / f64::from(by);
    let size = ((scale.0 / f64::from(by.0)).max(1.0), (scale.1 / f64::from(by.1)).max(1.0));
    let nothing = placed.colors.of_nothing();
    let (mut rgb, mut seen) = (Vec::new(), Vec::new());
    for y in 0..window.high {
        for x in 0..window.wide {
            let (column, row) = mapping.at(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let center = (to_grid(column, smaller.0, left, by.0), to_grid(row, smaller.1, top, by.1));
            let pixel = average(&grid, center, size);
            seen.push(pixel.is_some());
            rgb.extend_from_slice(&pixel.unwrap_or(nothing));
        }
    }
    let cut = Cut::of(window.wide, window.high, rgb, seen);
    Ok((cut.covered > 0.0).then_some(cut))
}

/// How much smaller a layer is than the picture.
fn smaller(placed: &Placed, layer: &Layer) -> (f64, f64) {
    let (full, page) = (&placed.layers[0].picture.page, &layer.picture.page);
    (f64::from(full.wide) / f64::from(page.wide), f64::from(full.high) / f64::from(page.high))
}

/// The coarsest copy that is still finer than the window.
fn layer_for(placed: &Placed, scale: f64) -> Option<&Layer> {
    let factor = |layer: &&Layer| {
        let (x, y) = smaller(placed, layer);
        x.max(y)
    };
    let fine = placed.layers.iter().skip(1).filter(|layer| factor(layer) <= scale * 1.01);
    fine.max_by(|a, b| factor(a).total_cmp(&factor(b))).or(placed.layers.first())
}

/// How many pixels are averaged before the rest is done exactly.
fn whole(scale: f64) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let whole = scale.floor().clamp(1.0, 65_536.0) as u32;
    whole
}

/// From and to, in pixels of a page, with what neighbors need.
fn span(from: f64, to: f64, by: u32, size: u32) -> Option<(u32, u32)> {
    let margin = f64::from(by) * 2.0 + 1.0;
    if to <= 0.0 || from >= f64::from(size) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let pixel = |n: f64| n.clamp(0.0, f64::from(size)) as u32;
    let (from, to) = (pixel((from - margin).floor()), pixel((to + margin).ceil()));
    (from < to).then_some((from, to))
}

/// Of a box about a place in the grid; `None` where less than half of it shows something.
fn average(grid: &Grid, center: (f64, f64), size: (f64, f64)) -> Option<[u8; 3]> {
    let (left, top) = (center.0 - size.0 / 2.0, center.1 - size.1 / 2.0);
    let (right, bottom) = (left + size.0, top + size.1);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the grid")]
    let cells = |from: f64, to: f64, size: usize| {
        let size = size as f64;
        from.floor().clamp(0.0, size) as usize..to.ceil().clamp(0.0, size) as usize
    };
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "shares of a pixel")]
    let share = |at: usize, from: f64, to: f64| ((at as f64 + 1.0).min(to) - (at as f64).max(from)).max(0.0) as f32;
    let (mut sums, mut weight) = ([0.0_f32; 3], 0.0_f32);
    for y in cells(top, bottom, grid.high) {
        let high = share(y, top, bottom);
        for x in cells(left, right, grid.wide) {
            let [r, g, b, shows] = grid.pixels[y * grid.wide + x];
            let part = high * share(x, left, right) * f32::from(shows);
            for (sum, color) in sums.iter_mut().zip([r, g, b]) {
                *sum += part * f32::from(color);
            }
            weight += part;
        }
    }
    #[allow(clippy::cast_possible_truncation, reason = "a box of a few pixels")]
    let all = (size.0 * size.1) as f32 * 255.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an average of bytes")]
    let byte = |sum: f32| (sum / weight + 0.5).min(255.0) as u8;
    (weight >= all * 0.5 && weight > 0.0).then(|| sums.map(byte))
}
