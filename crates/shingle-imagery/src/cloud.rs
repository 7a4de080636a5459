//! How much of a window looks like cloud: fields that are bright, without color and without texture, and that fade into
//! their surroundings. Roofs of white membrane, concrete and boats are bright and even as well, and end sharply.
//!
//! A modest measure. Thin cloud and haze keep the texture of the ground and are not seen, nor are the shadows of clouds,
//! nor specks below a fiftieth of the window. Even snow that fills the window counts as cloud: nothing is seen of the
//! roof either way. Made for windows of 0.05 to 0.4 m a pixel.

use std::ops::Range;

/// Pixels of a side of a cell.
const CELL: usize = 8;
/// Least brightness of a cell, of 255.
const BRIGHT: f32 = 185.0;
/// Most difference between the colors of a cell.
const COLOR: f32 = 26.0;
/// Most change from pixel to pixel in a cell, on average.
const TEXTURE: f32 = 3.5;
/// Change of brightness within two cells that is an edge.
const EDGE: f32 = 50.0;
/// A field with edges along more than that share of its border is no cloud.
const MOST_EDGES: f64 = 0.3;
/// Of all cells, for a field to count.
const LEAST_FIELD: f64 = 0.02;

#[derive(Clone, Copy, Default)]
struct Cell {
    seen: bool,
    cloudy: bool,
    darkest: f32,
    brightest: f32,
}

/// The share of all pixels, 0 to 1.
#[allow(clippy::cast_precision_loss, reason = "some thousands of cells")]
pub fn share(wide: usize, rgb: &[u8], seen: &[bool]) -> f64 {
    if wide == 0 || seen.is_empty() {
        return 0.0;
    }
    let high = seen.len() / wide;
    let light: Vec<f32> =
        rgb.chunks_exact(3).map(|p| (f32::from(p[0]) * 2.0 + f32::from(p[1]) * 5.0 + f32::from(p[2])) / 8.0).collect();
    let (across, down) = (wide.div_ceil(CELL), high.div_ceil(CELL));
    let range = |at: usize, end: usize| at * CELL..((at + 1) * CELL).min(end);
    let cells: Vec<Cell> = (0..across * down)
        .map(|at| cell(wide, rgb, &light, seen, range(at % across, wide), range(at / across, high)))
        .collect();
    let mut taken = vec![false; cells.len()];
    let mut cloudy = 0;
    for start in 0..cells.len() {
        let field = field(across, &cells, start, &mut taken);
        let least = (LEAST_FIELD * cells.len() as f64).max(2.0);
        if field.len() as f64 >= least && edges(across, &cells, &field) <= MOST_EDGES {
            cloudy += field.len();
        }
    }
    cloudy as f64 / cells.len() as f64
}

fn cell(wide: usize, rgb: &[u8], light: &[f32], seen: &[bool], xs: Range<usize>, ys: Range<usize>) -> Cell {
    let (mut sum, mut color, mut change, mut changes, mut count) = (0.0, 0.0, 0.0, 0.0_f32, 0.0_f32);
    let (mut darkest, mut brightest) = (f32::INFINITY, f32::NEG_INFINITY);
    for y in ys.clone() {
        for x in xs.clone() {
            let at = y * wide + x;
            if !seen[at] {
                return Cell::default();
            }
            let p = &rgb[at * 3..at * 3 + 3];
            color += f32::from(p[0].max(p[1]).max(p[2]) - p[0].min(p[1]).min(p[2]));
            sum += light[at];
            count += 1.0;
            darkest = darkest.min(light[at]);
            brightest = brightest.max(light[at]);
            if x > xs.start {
                change += (light[at] - light[at - 1]).abs();
                changes += 1.0;
            }
            if y > ys.start {
                change += (light[at] - light[at - wide]).abs();
                changes += 1.0;
            }
        }
    }
    let cloudy = sum / count >= BRIGHT && color / count <= COLOR && change / changes.max(1.0) <= TEXTURE;
    Cell { seen: true, cloudy, darkest, brightest }
}

/// The cells that hang together with one.
fn field(across: usize, cells: &[Cell], start: usize, taken: &mut [bool]) -> Vec<usize> {
    let mut field = Vec::new();
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        if cells[at].cloudy && !taken[at] {
            taken[at] = true;
            field.push(at);
            open.extend(beside(across, cells.len(), at));
        }
    }
    field
}

fn beside(across: usize, count: usize, at: usize) -> impl Iterator<Item = usize> {
    let (left, right) = (!at.is_multiple_of(across), !(at + 1).is_multiple_of(across));
    let below = (at + across < count).then_some(at + across);
    let sides = [left.then(|| at - 1), right.then(|| at + 1), at.checked_sub(across), below];
    sides.into_iter().flatten()
}

/// The share of the border of a field that is sharp. A field without a border has none.
#[allow(clippy::cast_precision_loss, reason = "some thousands of cells")]
fn edges(across: usize, cells: &[Cell], field: &[usize]) -> f64 {
    let (mut border, mut sharp) = (0.0, 0.0);
    for &at in field {
        for next in beside(across, cells.len(), at).filter(|next| cells[*next].seen && !cells[*next].cloudy) {
            let (a, b) = (cells[at], cells[next]);
            border += 1.0;
            sharp += f64::from(u8::from(a.brightest.max(b.brightest) - a.darkest.min(b.darkest) > EDGE));
        }
    }
    if border > 0.0 { sharp / border } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: usize = 200;
    const HIGH: usize = 160;

    /// Ground with the texture of trees and grass, under something white: its share at each place.
    fn picture(white: impl Fn(f32, f32) -> f32) -> (Vec<u8>, Vec<bool>) {
        let mut rgb = Vec::new();
        for y in 0..HIGH {
            for x in 0..WIDE {
                let (u, v) = (x as f32, y as f32);
                let ground = 90.0 + 30.0 * (u * 0.9).sin() * (v * 1.1).cos() + 20.0 * (u * 0.21 + v * 0.13).sin();
                let share = white(u, v).clamp(0.0, 1.0);
                let grain = ((x * 7 + y * 13) % 5) as f32 - 2.0;
                for tint in [0.9, 1.0, 0.7] {
                    rgb.push((ground * tint * (1.0 - share) + (232.0 + grain) * share) as u8);
                }
            }
        }
        (rgb, vec![true; WIDE * HIGH])
    }

    fn share_of(white: impl Fn(f32, f32) -> f32) -> f64 {
        let (rgb, seen) = picture(white);
        share(WIDE, &rgb, &seen)
    }

    #[test]
    fn ground_alone_has_no_cloud() {
        assert_eq!(share_of(|_, _| 0.0), 0.0);
    }

    #[test]
    fn a_cloud_counts_by_its_size() {
        // Solid within a radius of 50, gone at 110.
        let cloud = |x: f32, y: f32| (110.0 - (x - 100.0).hypot(y - 80.0)) / 60.0;
        let found = share_of(cloud);
        assert!((0.15..0.5).contains(&found), "{found}");
        let half = share_of(|x, _| (130.0 - x) / 70.0);
        assert!((0.25..0.6).contains(&half), "{half}");
        assert!(share_of(|_, _| 1.0) > 0.99);
    }

    #[test]
    fn a_white_roof_is_no_cloud() {
        for size in [20.0, 40.0, 70.0] {
            let square = |x: f32, y: f32| f32::from((x - 100.0).abs() < size && (y - 80.0).abs() < size);
            assert_eq!(share_of(square), 0.0, "{size}");
            // Turned, and as soft as an enlarged picture.
            let turned = |x: f32, y: f32| (size + 4.0 - ((x - 100.0).abs() * 0.8 + (y - 80.0).abs() * 0.6)) / 8.0;
            assert_eq!(share_of(turned), 0.0, "{size}");
        }
        // A drive of concrete across the window.
        assert_eq!(share_of(|x, _| f32::from((60.0..90.0).contains(&x)) * 0.9), 0.0);
    }

    #[test]
    fn what_is_not_seen_is_not_cloud() {
        let (rgb, mut seen) = picture(|_, _| 1.0);
        seen[..WIDE * HIGH / 2].fill(false);
        let found = share(WIDE, &rgb, &seen);
        assert!((0.45..0.55).contains(&found), "{found}");
        assert_eq!(share(WIDE, &rgb, &vec![false; WIDE * HIGH]), 0.0);
        assert_eq!(share(0, &[], &[]), 0.0);
    }
}
