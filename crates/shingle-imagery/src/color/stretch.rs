//! How samples of 16 bits become bytes: one scale for a whole file, so that neighboring windows match.
//!
//! The scale runs from the 1st to the 99th percentile of the samples of all colors together (one scale for each color
//! would change the hue). They are taken from the smallest overview that has at least [`ENOUGH`] pixels, or from
//! [`MOST_BLOCKS`] blocks spread evenly over the picture; pixels that the file says are empty do not count. The same file
//! gives the same scale.

use super::Colors;
use crate::error::ImageryError;
use crate::file::directory::Tiff;
use crate::file::page::{Block, Page};

pub const ENOUGH: u64 = 65_536;
/// Of a sample of the picture.
const MOST_BLOCKS: u32 = 48;
/// Looked at in each block.
const MOST_OF_BLOCK: u32 = 65_536;

/// Of the lowest and the highest samples, so much is cut off.
const CUT_OFF: u64 = 100;

/// An alpha band is nearly all clear or solid. In one that is called so and holds infrared, hardly a value is.
const LEAST_EXTREME: f64 = 0.5;

/// Looks at a sample of the picture: sets the scale of 16 bits, and drops a band that is called alpha and is not.
pub fn look(colors: &mut Colors, tiff: &Tiff, page: &Page) -> Result<(), ImageryError> {
    if colors.peak() <= 255 && colors.alpha_band().is_none() {
        return Ok(());
    }
    if let Some(band) = colors.alpha_band() {
        let (mut extreme, mut all) = (0_u64, 0_u64);
        let peak = colors.peak();
        each_sampled(tiff, page, colors.bands(), |block, x, y| {
            let value = block.sample(x, y, band);
            extreme += u64::from(value == 0 || value == peak);
            all += 1;
        })?;
        #[allow(clippy::cast_precision_loss, reason = "some millions")]
        if all > 0 && (extreme as f64) < LEAST_EXTREME * all as f64 {
            colors.without_alpha();
        }
    }
    if colors.peak() <= 255 || colors.is_palette() {
        return Ok(());
    }
    let mut counts = vec![0_u64; usize::from(colors.peak()) + 1];
    each_sampled(tiff, page, colors.bands(), |block, x, y| {
        if colors.shows(block, x, y) {
            for band in colors.color_bands() {
                counts[usize::from(block.sample(x, y, *band))] += 1;
            }
        }
    })?;
    if let Some((low, high)) = percentiles(&counts) {
        colors.stretch(low, high);
    }
    Ok(())
}

fn percentiles(counts: &[u64]) -> Option<(u16, u16)> {
    let all: u64 = counts.iter().sum();
    let beyond = all / CUT_OFF;
    let reach = |mut values: Box<dyn Iterator<Item = usize> + '_>| {
        let mut seen = 0;
        values.find(|value| {
            seen += counts[*value];
            seen > beyond
        })
    };
    let low = reach(Box::new(0..counts.len()))?;
    let high = reach(Box::new((0..counts.len()).rev()))?;
    Some((u16::try_from(low).ok()?, u16::try_from(high).ok()?))
}

/// Pixels spread over the picture. What cannot be read is left out, unless nothing can.
fn each_sampled(
    tiff: &Tiff,
    page: &Page,
    bands: &[usize],
    mut take: impl FnMut(&Block, u32, u32),
) -> Result<(), ImageryError> {
    let (across, down) = (u64::from(page.across()), u64::from(page.down()));
    let blocks = across * down;
    let count = blocks.min(u64::from(MOST_BLOCKS));
    let (mut read, mut problem) = (0, None);
    for i in 0..count {
        // The middle of each equal share.
        let at = (2 * i + 1) * blocks / (2 * count);
        let (x, y) = (u32::try_from(at % across).unwrap_or(0), u32::try_from(at / across).unwrap_or(0));
        match page.block(tiff, x, y, bands) {
            Ok(Some(block)) => {
                read += 1;
                let pixels = u64::from(block.wide) * u64::from(block.high);
                let step = pixels.div_ceil(u64::from(MOST_OF_BLOCK)).max(1);
                // Every so manyth pixel, in the order of rows.
                for pixel in (0..pixels).step_by(usize::try_from(step).unwrap_or(1)) {
                    let (x, y) = (pixel % u64::from(block.wide), pixel / u64::from(block.wide));
                    take(&block, u32::try_from(x).unwrap_or(0), u32::try_from(y).unwrap_or(0));
                }
            }
            Ok(None) => {}
            Err(why) => problem = problem.or(Some(why)),
        }
    }
    match problem {
        Some(why) if read == 0 => Err(why),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundredth_is_cut_off_at_both_ends() {
        let mut counts = vec![0; 1_001];
        counts[..1_000].fill(1);
        assert_eq!(percentiles(&counts), Some((10, 989)));
        let mut lonely = vec![0; 65_536];
        lonely[400] = 7;
        assert_eq!(percentiles(&lonely), Some((400, 400)));
        assert_eq!(percentiles(&[0; 300]), None);
    }
}
