//! From samples to red, green and blue, and to whether a pixel shows anything.

pub mod stretch;

use crate::error::ImageryError;
use crate::file::page::{Block, Page, Shade};

/// Red, green, blue, and 255 where the picture shows something or 0 where it does not.
pub type Pixel = [u8; 4];

#[derive(Debug)]
enum Source {
    Gray(usize),
    Rgb([usize; 3]),
    Palette(Vec<[u8; 3]>),
}

#[derive(Debug)]
pub struct Alpha {
    band: usize,
    /// The colors are multiplied by it.
    premultiplied: bool,
}

#[derive(Debug)]
pub struct Colors {
    source: Source,
    pub alpha: Option<Alpha>,
    pub nodata: Option<u16>,
    /// The byte of each value a sample can have.
    bytes: Vec<u8>,
    /// The highest value of a sample.
    peak: u16,
    bands: Vec<usize>,
}

impl Colors {
    pub fn of(page: &Page, nodata: Option<&str>) -> Result<Self, ImageryError> {
        let extra = page.extra.len();
        let colors = page.samples.saturating_sub(extra);
        let source = match page.shade {
            Shade::Palette => Source::Palette(page.palette.clone()),
            Shade::Rgb | Shade::YCbCr if page.samples >= 3 => Source::Rgb([0, 1, 2]),
            // Many write bands of a multispectral picture as gray with extra ones.
            Shade::BlackIsZero if page.samples >= 3 => Source::Rgb([0, 1, 2]),
            Shade::BlackIsZero | Shade::WhiteIsZero | Shade::Mask => Source::Gray(0),
            Shade::Rgb | Shade::YCbCr => return Err(ImageryError::Damaged("it has fewer bands than colors")),
        };
        let at = page.extra.iter().position(|kind| matches!(kind, 1 | 2));
        let alpha = at.map(|at| Alpha { band: colors + at, premultiplied: page.extra[at] == 1 });
        let taken = match source {
            Source::Rgb(_) => 3,
            _ => 1,
        };
        let alpha = alpha.filter(|alpha| (taken..page.samples).contains(&alpha.band));
        let peak = u16::try_from((1_u32 << page.bits) - 1).unwrap_or(u16::MAX);
        let byte = |n: u32| u8::try_from(n * 255 / u32::from(peak)).unwrap_or(u8::MAX);
        let mut bytes: Vec<u8> = (0..=u32::from(peak)).map(byte).collect();
        if page.shade == Shade::WhiteIsZero {
            bytes.reverse();
        }
        let nodata = nodata.and_then(|text| text.parse::<f64>().ok()).filter(|n| n.fract() == 0.0);
        let held = |n: f64| (0.0..=f64::from(peak)).contains(&n);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "looked at")]
        let nodata = nodata.filter(|n| held(*n)).map(|n| n as u16);
        let mut colors = Self { source, alpha, nodata, bytes, peak, bands: Vec::new() };
        colors.list_bands();
        Ok(colors)
    }

    fn list_bands(&mut self) {
        self.bands = match &self.source {
            Source::Gray(band) => vec![*band],
            Source::Rgb(bands) => bands.to_vec(),
            Source::Palette(_) => vec![0],
        };
        self.bands.extend(self.alpha.as_ref().map(|alpha| alpha.band));
    }

    /// The bands that are looked at.
    pub fn bands(&self) -> &[usize] {
        &self.bands
    }

    /// Those of them that are colors, not alpha.
    pub fn color_bands(&self) -> &[usize] {
        &self.bands[..self.bands.len() - usize::from(self.alpha.is_some())]
    }

    pub fn peak(&self) -> u16 {
        self.peak
    }

    pub fn is_palette(&self) -> bool {
        matches!(self.source, Source::Palette(_))
    }

    pub fn alpha_band(&self) -> Option<usize> {
        self.alpha.as_ref().map(|alpha| alpha.band)
    }

    pub fn without_alpha(&mut self) {
        self.alpha = None;
        self.list_bands();
    }

    /// From now on, values between these two become 0 to 255.
    pub fn stretch(&mut self, low: u16, high: u16) {
        let span = u32::from(high.saturating_sub(low).max(1));
        let byte = |n: u32| {
            let over = n.saturating_sub(u32::from(low)).min(span);
            u8::try_from((over * 255 + span / 2) / span).unwrap_or(u8::MAX)
        };
        let inverse = self.bytes.first() > self.bytes.last();
        self.bytes = (0..=u32::from(self.peak)).map(byte).collect();
        if inverse {
            self.bytes.iter_mut().for_each(|byte| *byte = 255 - *byte);
        }
    }

    /// What a pixel that shows nothing looks like: white where white means nothing, so that a roof that is as bright
    /// has no dark holes.
    pub fn of_nothing(&self) -> [u8; 3] {
        let Some(nodata) = self.nodata.map(usize::from) else { return [0; 3] };
        match &self.source {
            Source::Palette(colors) => colors.get(nodata).copied().unwrap_or_default(),
            _ => [self.bytes.get(nodata).copied().unwrap_or_default(); 3],
        }
    }

    /// Whether the file says that a pixel shows something.
    pub fn shows(&self, block: &Block, x: u32, y: u32) -> bool {
        let empty = |value: u16| self.color_bands().iter().all(|band| block.sample(x, y, *band) == value);
        let clear = |alpha: &Alpha| block.sample(x, y, alpha.band) <= self.peak / 2;
        !self.nodata.is_some_and(empty) && !self.alpha.as_ref().is_some_and(clear)
    }

    /// Pixels of a row of a block.
    pub fn row(&self, block: &Block, y: u32, from: u32, to: u32, out: &mut Vec<Pixel>) {
        let byte = |value: u16| self.bytes.get(usize::from(value)).copied().unwrap_or(u8::MAX);
        let plain = self.nodata.is_none() && self.alpha.is_none();
        for x in from..to {
            if !plain && !self.shows(block, x, y) {
                out.push([0; 4]);
                continue;
            }
            let [r, g, b] = match &self.source {
                Source::Gray(band) => [byte(block.sample(x, y, *band)); 3],
                Source::Rgb(bands) => bands.map(|band| byte(self.divided(block, x, y, band))),
                Source::Palette(colors) => colors.get(usize::from(block.sample(x, y, 0))).copied().unwrap_or_default(),
            };
            out.push([r, g, b, 255]);
        }
    }

    #[inline]
    fn divided(&self, block: &Block, x: u32, y: u32, band: usize) -> u16 {
        let value = block.sample(x, y, band);
        match &self.alpha {
            Some(alpha) if alpha.premultiplied => {
                let by = u32::from(block.sample(x, y, alpha.band)).max(1);
                u16::try_from(u32::from(value) * u32::from(self.peak) / by).unwrap_or(u16::MAX).min(self.peak)
            }
            _ => value,
        }
    }
}
