//! Pixels of a part of a page, averaged over small squares where many fall on one pixel of the window. Blocks are read one
//! at a time, so that memory depends on the window alone.

use crate::color::{Colors, Pixel};
use crate::error::ImageryError;
use crate::file::directory::Tiff;
use crate::file::page::{Block, Page};
use crate::placed::{Layer, Placed, Stored};

/// Unpacked for one window, beside it too: blocks are read as a whole.
const MOST_PIXELS: u64 = 400_000_000;
/// Of blocks of a mask that are kept.
const MOST_KEPT: u64 = 32 << 20;

/// A part of a page.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
    /// Pixels that become one.
    pub by: (u32, u32),
}

/// The fourth byte of a pixel is the share that shows something.
pub struct Grid {
    pub wide: usize,
    pub high: usize,
    pub pixels: Vec<Pixel>,
}

pub fn gather(placed: &Placed, layer: &Layer, part: Part) -> Result<Grid, ImageryError> {
    let (tiff, page) = (&placed.files[layer.picture.file], &layer.picture.page);
    let wide = (part.right - part.left).div_ceil(part.by.0) as usize;
    let high = (part.bottom - part.top).div_ceil(part.by.1) as usize;
    let columns = part.left / page.block_wide..=(part.right - 1) / page.block_wide;
    let rows = page.down_at(part.top)..=page.down_at(part.bottom - 1);
    let blocks = u64::from(columns.end() - columns.start() + 1) * u64::from(rows.end() - rows.start() + 1);
    let pixels = blocks * u64::from(page.block_wide) * u64::from(page.block_high);
    if pixels > MOST_PIXELS {
        return Err(ImageryError::LargeWindow { megapixels: pixels / 1_000_000 });
    }
    let mut mask = layer.mask.as_ref().map(|mask| Mask::of(placed, mask));
    let mut sums = Sums::new(wide, high, part);
    let mut row = Vec::new();
    for y in rows {
        for x in columns.clone() {
            let Some(block) = page.block(tiff, x, y, placed.colors.bands())? else { continue };
            let (from, to) = (part.left.max(block.left), part.right.min(block.left + block.wide));
            for y in part.top.max(block.top)..part.bottom.min(block.top + block.high) {
                row.clear();
                pixels_of_row(&placed.colors, &block, (from, to), y, &mut row);
                if let Some(mask) = &mut mask {
                    mask.hide(from, y, &mut row)?;
                }
                sums.add(from, y, &row);
            }
        }
    }
    Ok(sums.grid())
}

fn pixels_of_row(colors: &Colors, block: &Block, (from, to): (u32, u32), y: u32, row: &mut Vec<Pixel>) {
    if from < to {
        colors.row(block, y - block.top, from - block.left, to - block.left, row);
    }
}

struct Sums {
    part: Part,
    wide: usize,
    high: usize,
    /// Where nothing is averaged.
    pixels: Vec<Pixel>,
    /// Sums of red, green and blue, and of how many.
    sums: Vec<[u32; 4]>,
}

impl Sums {
    fn new(wide: usize, high: usize, part: Part) -> Self {
        let (pixels, sums) = if part.by == (1, 1) { (wide * high, 0) } else { (0, wide * high) };
        Self { part, wide, high, pixels: vec![[0; 4]; pixels], sums: vec![[0; 4]; sums] }
    }

    fn add(&mut self, from: u32, y: u32, row: &[Pixel]) {
        let (by_x, by_y) = self.part.by;
        let start = ((y - self.part.top) / by_y) as usize * self.wide;
        if by_x == 1 && by_y == 1 {
            let start = start + (from - self.part.left) as usize;
            self.pixels[start..start + row.len()].copy_from_slice(row);
            return;
        }
        for (x, pixel) in (from - self.part.left..).zip(row) {
            if pixel[3] > 0 {
                let sum = &mut self.sums[start + (x / by_x) as usize];
                (0..3).for_each(|i| sum[i] += u32::from(pixel[i]));
                sum[3] += 1;
            }
        }
    }

    fn grid(self) -> Grid {
        let (by_x, by_y) = self.part.by;
        let averaged = self.sums.iter().enumerate().map(|(at, sum)| {
            let Some(half) = (sum[3] > 0).then_some(sum[3] / 2) else { return [0; 4] };
            let byte = |sum_of: u32| u8::try_from((sum_of + half) / sum[3]).unwrap_or(u8::MAX);
            // The last ones are smaller.
            let span = |at: usize, by: u32, end: u32| by.min(end - u32::try_from(at).unwrap_or(0) * by);
            let all = span(at % self.wide, by_x, self.part.right - self.part.left)
                * span(at / self.wide, by_y, self.part.bottom - self.part.top);
            let share = u64::from(sum[3]) * 255 / u64::from(all.max(1));
            [byte(sum[0]), byte(sum[1]), byte(sum[2]), u8::try_from(share).unwrap_or(u8::MAX).max(1)]
        });
        let pixels = if self.sums.is_empty() { self.pixels } else { averaged.collect() };
        Grid { wide: self.wide, high: self.high, pixels }
    }
}

/// Blocks of a page that says which pixels show something.
struct Mask<'a> {
    tiff: &'a Tiff,
    page: &'a Page,
    kept: Vec<((u32, u32), Option<Block>)>,
}

impl<'a> Mask<'a> {
    fn of(placed: &'a Placed, stored: &'a Stored) -> Self {
        Self { tiff: &placed.files[stored.file], page: &stored.page, kept: Vec::new() }
    }

    fn hide(&mut self, from: u32, y: u32, row: &mut [Pixel]) -> Result<(), ImageryError> {
        let solid = if self.page.bits == 1 { 1 } else { 1 << (self.page.bits - 1) };
        let (page, down) = (self.page, self.page.down_at(y));
        let mut x = from;
        while let Some(rest) = row.get_mut((x - from) as usize..).filter(|rest| !rest.is_empty()) {
            let across = x / page.block_wide;
            let end = (across + 1).saturating_mul(page.block_wide).min(page.wide);
            let count = rest.len().min((end - x) as usize);
            let block = self.block(across, down)?;
            for (x, pixel) in (x..).zip(&mut rest[..count]) {
                let shows = block.is_some_and(|block| block.sample(x - block.left, y - block.top, 0) >= solid);
                if !shows {
                    *pixel = [0; 4];
                }
            }
            x = end;
        }
        Ok(())
    }

    fn block(&mut self, x: u32, y: u32) -> Result<Option<&Block>, ImageryError> {
        let at = match self.kept.iter().rposition(|(at, _)| *at == (x, y)) {
            Some(at) => at,
            None => {
                let one = u64::from(self.page.block_wide) * u64::from(self.page.block_high);
                if (self.kept.len() as u64 + 1) * one > MOST_KEPT {
                    self.kept.clear();
                }
                let block = self.page.block(self.tiff, x, y, &[0])?;
                self.kept.push(((x, y), block));
                self.kept.len() - 1
            }
        };
        Ok(self.kept[at].1.as_ref())
    }
}
