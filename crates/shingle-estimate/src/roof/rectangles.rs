//! How many rectangles an outline consists of: the measure of its complexity when no roof can be modelled.
//!
//! # Decision
//!
//! Facets are counted by the rectangle rule, not by the planes of the drawn skeleton: one crooked wall would make a
//! simple roof complex.

use shingle_domain::evidence::{Point, Polygon};

use super::geometry::{bounds, contains, edges, point};

/// Smaller rectangles are porches and bays, square meters.
const MIN_RECTANGLE_SQM: f64 = 10.0;
/// Lines of the grid, at most, each way.
const MAX_GRID_LINES: usize = 49;

/// Main rectangles, found largest first, over all parts; at least one. The outline must lie along the axes
/// of its frame.
pub(crate) fn count(parts: &[Polygon]) -> u32 {
    parts.iter().map(count_in).sum::<u32>().max(1)
}

fn count_in(part: &Polygon) -> u32 {
    let (xs, ys) = grid(part);
    let mut free: Vec<Vec<bool>> = ys
        .windows(2)
        .map(|y| {
            let middle = |x: &[f64]| point((x[0] + x[1]) / 2.0, (y[0] + y[1]) / 2.0);
            xs.windows(2).map(|x| contains(part, middle(x))).collect()
        })
        .collect();
    let mut found = 0;
    // Every round removes at least one cell, so this ends.
    while let Some((area, rows, columns)) = largest(&free, &xs, &ys) {
        if area < MIN_RECTANGLE_SQM {
            break;
        }
        found += 1;
        for row in &mut free[rows] {
            row[columns.clone()].fill(false);
        }
    }
    found
}

/// The lines through all corners when walls follow the axes and are few, an even grid otherwise.
fn grid(part: &Polygon) -> (Vec<f64>, Vec<f64>) {
    let rings = || core::iter::once(&part.exterior).chain(&part.holes);
    let square = rings().flat_map(|r| edges(r)).all(|(a, b)| (a.x - b.x).abs() < 0.01 || (a.y - b.y).abs() < 0.01);
    let lines = |of: fn(&Point) -> f64| {
        let mut all: Vec<f64> = rings().flatten().map(of).collect();
        all.sort_by(f64::total_cmp);
        all.dedup_by(|a, b| (*a - *b).abs() < 0.01);
        all
    };
    let (xs, ys) = (lines(|p| p.x), lines(|p| p.y));
    if square && xs.len() <= MAX_GRID_LINES && ys.len() <= MAX_GRID_LINES {
        return (xs, ys);
    }
    let Some((low, high)) = bounds(&part.exterior) else { return (vec![], vec![]) };
    let cell = 0.75_f64.max((high.x - low.x).max(high.y - low.y) / (MAX_GRID_LINES - 1) as f64);
    let even = |from: f64, to: f64| {
        let steps = ((to - from) / cell).ceil().max(1.0) as usize;
        (0..=steps).map(|i| from + (to - from) * i as f64 / steps as f64).collect()
    };
    (even(low.x, high.x), even(low.y, high.y))
}

type CellRange = core::ops::Range<usize>;

/// The largest rectangle of free cells: under every row, the widest stretch below each height of the free
/// columns that are on it.
fn largest(free: &[Vec<bool>], xs: &[f64], ys: &[f64]) -> Option<(f64, CellRange, CellRange)> {
    let mut best: Option<(f64, CellRange, CellRange)> = None;
    let columns = xs.len().saturating_sub(1);
    // The first row of the free run that ends at this row, by column.
    let mut tops = vec![0; columns];
    for (row, cells) in free.iter().enumerate() {
        for (top, cell) in tops.iter_mut().zip(cells) {
            if !cell {
                *top = row + 1;
            }
        }
        // Left edges still open, with the row they reach up to: ever higher runs.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for column in 0..=columns {
            let top = tops.get(column).copied().unwrap_or(row + 1);
            let mut left = column;
            while let Some((start, reach)) = open.pop_if(|(_, reach)| *reach < top) {
                left = start;
                let area = (ys[row + 1] - ys[reach]) * (xs[column] - xs[start]);
                if best.as_ref().is_none_or(|(b, ..)| area > *b) {
                    best = Some((area, reach..row + 1, start..column));
                }
            }
            if top <= row && open.last().is_none_or(|(_, reach)| *reach > top) {
                open.push((left, top));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_of(points: &[(f64, f64)]) -> u32 {
        let exterior = points.iter().map(|(x, y)| point(*x, *y)).collect();
        count(&[Polygon { exterior, holes: vec![] }])
    }

    #[test]
    fn plans_of_houses_fall_into_their_rectangles() {
        assert_eq!(count_of(&[(0.0, 0.0), (12.0, 0.0), (12.0, 8.0), (0.0, 8.0)]), 1);
        assert_eq!(count_of(&[(0.0, 0.0), (12.0, 0.0), (12.0, 14.0), (7.0, 14.0), (7.0, 8.0), (0.0, 8.0)]), 2);
        let t = [(0.0, 0.0), (16.0, 0.0), (16.0, 7.0), (11.0, 7.0), (11.0, 14.0), (5.0, 14.0), (5.0, 7.0), (0.0, 7.0)];
        assert_eq!(count_of(&t), 2);
        let u =
            [(0.0, 0.0), (20.0, 0.0), (20.0, 14.0), (14.0, 14.0), (14.0, 7.0), (6.0, 7.0), (6.0, 14.0), (0.0, 14.0)];
        assert_eq!(count_of(&u), 3);
    }

    #[test]
    fn a_bay_is_no_rectangle_and_a_shed_is_one() {
        let bay = [(0.0, 0.0), (12.0, 0.0), (12.0, 8.0), (8.0, 8.0), (8.0, 9.5), (4.0, 9.5), (4.0, 8.0), (0.0, 8.0)];
        assert_eq!(count_of(&bay), 1);
        assert_eq!(count_of(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]), 1);
    }

    #[test]
    fn a_courtyard_house_has_four_wings() {
        let ring = |low: f64, high: f64| vec![point(low, low), point(high, low), point(high, high), point(low, high)];
        let house = Polygon { exterior: ring(0.0, 20.0), holes: vec![ring(6.0, 14.0)] };
        assert_eq!(count(&[house]), 4);
    }
}
