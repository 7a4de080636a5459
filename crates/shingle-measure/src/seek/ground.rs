//! The ground under everything that stands on it, from the lowest points of squares: what a window of a growing size
//! takes off the surface stands on the ground, and the ground below is drawn between its sides.

/// Half the windows, in squares.
const WINDOWS: [u8; 8] = [2, 4, 7, 11, 16, 22, 30, 40];
/// Steeper than this no ground rises for long, in squares up for squares along.
const STEEP: f32 = 0.12;
const ROUGH: f32 = 0.4;

/// `low` holds the lowest point of each square, row by row; infinity in a square without points.
pub fn ground(low: &[f32], columns: usize) -> Vec<f32> {
    let mut stands = vec![false; low.len()];
    let mut last = low.to_vec();
    for half in WINDOWS {
        let most = ROUGH + STEEP * f32::from(half);
        let opened = opened(&last, columns, usize::from(half));
        for ((stands, last), opened) in stands.iter_mut().zip(&last).zip(&opened) {
            *stands |= last - opened > most;
        }
        last = opened;
    }
    let seen: Vec<f32> = low.iter().zip(&stands).map(|(z, stands)| if *stands { f32::INFINITY } else { *z }).collect();
    between(&seen, columns)
}

/// Lowest in each window, and of that the highest.
fn opened(values: &[f32], columns: usize, half: usize) -> Vec<f32> {
    let lowest = over_window(values, columns, half, f32::min);
    let known: Vec<f32> = lowest.iter().map(|v| if v.is_finite() { *v } else { f32::NEG_INFINITY }).collect();
    let mut highest = over_window(&known, columns, half, f32::max);
    for (value, old) in highest.iter_mut().zip(values) {
        if !value.is_finite() {
            *value = *old;
        }
    }
    highest
}

fn over_window(values: &[f32], columns: usize, half: usize, pick: fn(f32, f32) -> f32) -> Vec<f32> {
    let rows = values.len() / columns.max(1);
    let mut along = vec![0.0; values.len()];
    for (from, to) in values.chunks_exact(columns).zip(along.chunks_exact_mut(columns)) {
        window(from, to, half, pick);
    }
    let (mut column, mut done) = (vec![0.0; rows], vec![0.0; rows]);
    for at in 0..columns {
        for (row, value) in column.iter_mut().enumerate() {
            *value = along[row * columns + at];
        }
        window(&column, &mut done, half, pick);
        for (row, value) in done.iter().enumerate() {
            along[row * columns + at] = *value;
        }
    }
    along
}

/// In three comparisons for a value, whatever the window: from the start of each block forward, from its end back.
fn window(from: &[f32], to: &mut [f32], half: usize, pick: fn(f32, f32) -> f32) {
    let width = 2 * half + 1;
    let (mut forward, mut back) = (from.to_vec(), from.to_vec());
    for at in 1..from.len() {
        if at % width != 0 {
            forward[at] = pick(forward[at], forward[at - 1]);
        }
    }
    for at in (0..from.len().saturating_sub(1)).rev() {
        if (at + 1) % width != 0 {
            back[at] = pick(back[at], back[at + 1]);
        }
    }
    for (at, to) in to.iter_mut().enumerate() {
        let (first, last) = (at.saturating_sub(half), (at + half).min(from.len() - 1));
        *to = match last - first {
            // A window at the end of a line may lie within one block.
            _ if first / width == last / width => from[first..=last].iter().copied().fold(from[at], pick),
            _ => pick(back[first], forward[last]),
        };
    }
}

/// Squares without a value get one from the nearest in the four directions, the nearer the more.
fn between(values: &[f32], columns: usize) -> Vec<f32> {
    let rows = values.len() / columns.max(1);
    let mut sums = vec![(0.0_f32, 0.0_f32); values.len()];
    let mut sweep = |cells: &mut dyn Iterator<Item = usize>| {
        let (mut last, mut far) = (f32::INFINITY, 0.0_f32);
        for cell in cells {
            far += 1.0;
            if values[cell].is_finite() {
                (last, far) = (values[cell], 0.0);
            } else if last.is_finite() {
                sums[cell].0 += last / far;
                sums[cell].1 += 1.0 / far;
            }
        }
    };
    for row in 0..rows {
        sweep(&mut (row * columns..(row + 1) * columns));
        sweep(&mut (row * columns..(row + 1) * columns).rev());
    }
    for column in 0..columns {
        sweep(&mut (column..values.len()).step_by(columns));
        sweep(&mut (0..rows).rev().map(|row| row * columns + column));
    }
    let value = |(value, (sum, weight)): (&f32, &(f32, f32))| match (value.is_finite(), *weight > 0.0) {
        (true, _) => *value,
        (false, true) => sum / weight,
        (false, false) => f32::INFINITY,
    };
    values.iter().zip(&sums).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_what_looking_at_all_of_it_gives() {
        let values: Vec<f32> = (0_u16..50).map(|i| f32::from(i * 37 % 23)).collect();
        for half in [1, 2, 7, 24, 60] {
            let mut fast = vec![0.0; values.len()];
            window(&values, &mut fast, half, f32::min);
            for at in 0..values.len() {
                let near = &values[at.saturating_sub(half)..=(at + half).min(values.len() - 1)];
                let slow = near.iter().copied().fold(f32::INFINITY, f32::min);
                assert!((fast[at] - slow).abs() < f32::EPSILON, "{half} {at}");
            }
        }
    }

    #[test]
    fn what_stands_on_a_slope_is_taken_off() {
        let (columns, rows) = (80_u16, 60_u16);
        let slope = |c: u16, r: u16| f32::from(c) * 0.1 + f32::from(r) * 0.05;
        let mut low = Vec::new();
        for r in 0..rows {
            for c in 0..columns {
                let house = (20..35).contains(&c) && (20..30).contains(&r);
                let hall = (45..75).contains(&c) && (10..40).contains(&r);
                let is_hole = (c * 7 + r * 3) % 11 == 0;
                let up = if house { 5.0 } else { 0.0 } + if hall { 7.0 } else { 0.0 };
                low.push(if is_hole { f32::INFINITY } else { slope(c, r) + up });
            }
        }
        let ground = ground(&low, usize::from(columns));
        for r in 0..rows {
            for c in 0..columns {
                let off = ground[usize::from(r) * usize::from(columns) + usize::from(c)] - slope(c, r);
                assert!(off.abs() < 0.9, "{c} {r}: {off}");
            }
        }
    }
}
