//! Uploaded logos: decoded, scaled and encoded again. Only the pixels are stored, so neither metadata nor anything hidden
//! in the file survives.
//!
//! # Decision
//!
//! How light a logo is, is found at upload (`Tones`) and judged against each surface that shows it, so a changed
//! color needs no new upload. Turned down: a background behind every logo; filters in the browser.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::color::{Tones, luminance};
use shingle_domain::messages;
use shingle_domain::widget::StoredImage;

use crate::bounded_image::{self, DecodeError, DecodeLimits, DecodedImage};

/// Bytes of an uploaded logo, inclusive.
pub const MAX_LOGO_BYTES: usize = 1024 * 1024;
const LIMITS: DecodeLimits = DecodeLimits { side: 4096, bytes: 64 * 1024 * 1024 };

/// Which logo of a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logo {
    Header,
    Footer,
}

impl Logo {
    pub const BOTH: [Self; 2] = [Self::Header, Self::Footer];

    /// The name of its form field.
    pub fn field(self) -> &'static str {
        match self {
            Self::Header => "headerLogo",
            Self::Footer => "footerLogo",
        }
    }

    /// Twice the largest size at which it is shown, for dense screens.
    fn max_size(self) -> (u32, u32) {
        match self {
            Self::Header => (600, 300),
            Self::Footer => (96, 96),
        }
    }
}

/// A logo that can be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedLogo {
    pub bytes: Vec<u8>,
    /// Of the file's name: `png` or `jpg`.
    pub extension: &'static str,
    pub width: u32,
    pub height: u32,
    pub tones: Option<Tones>,
}

impl EncodedLogo {
    /// As it is stored under this path.
    pub fn stored(&self, path: String) -> StoredImage {
        StoredImage { path, width: self.width, height: self.height, tones: self.tones }
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum LogoError {
        TooLarge => "must be at most 4096 by 4096 pixels",
        Unreadable { why: DecodeError } => "{why}",
    }
}

impl From<DecodeError> for LogoError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::TooLarge => Self::TooLarge,
            why => Self::Unreadable { why },
        }
    }
}

/// Decodes within hard limits and encodes again. Takes processor time: not for an async thread.
pub fn reencode(bytes: &[u8], logo: Logo) -> Result<EncodedLogo, LogoError> {
    let DecodedImage { mut image, format, orientation } = bounded_image::decode(bytes, LIMITS)?;
    image.apply_orientation(orientation);

    let (widest, highest) = logo.max_size();
    if image.width() > widest || image.height() > highest {
        image = image.resize(widest, highest, image::imageops::FilterType::CatmullRom);
    }
    let mut out = Cursor::new(Vec::new());
    let extension = if format == ImageFormat::Jpeg {
        image = DynamicImage::ImageRgb8(image.into_rgb8());
        let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut out, 88);
        image.write_with_encoder(encoder).map_err(DecodeError::from)?;
        "jpg"
    } else {
        image = if image.color().has_alpha() {
            DynamicImage::ImageRgba8(image.into_rgba8())
        } else {
            DynamicImage::ImageRgb8(image.into_rgb8())
        };
        image.write_to(&mut out, ImageFormat::Png).map_err(DecodeError::from)?;
        "png"
    };
    let (tones, width, height) = (tones(&image), image.width(), image.height());
    Ok(EncodedLogo { bytes: out.into_inner(), extension, width, height, tones })
}

/// The color that a logo has most of, where it has any beside greys. Takes processor time.
pub fn brand_color(bytes: &[u8]) -> Option<Option<[u8; 3]>> {
    let image = bounded_image::decode(bytes, LIMITS).ok()?.image.thumbnail(128, 128).into_rgba8();
    // Sums of the pixels of one shade of 4,096.
    let mut shades = std::collections::HashMap::<[u8; 3], ([u32; 3], u32)>::new();
    for pixel in image.pixels().filter(|pixel| pixel.0[3] > 200) {
        let [r, g, b, _] = pixel.0;
        if r.max(g).max(b) - r.min(g).min(b) >= 60 {
            let (sums, count) = shades.entry([r / 16, g / 16, b / 16]).or_default();
            for (sum, part) in sums.iter_mut().zip([r, g, b]) {
                *sum += u32::from(part);
            }
            *count += 1;
        }
    }
    let most = shades.into_iter().max_by_key(|(shade, (_, count))| (*count, *shade));
    Some(most.map(|(_, (sums, count))| sums.map(|sum| u8::try_from(sum / count).unwrap_or(u8::MAX))))
}

/// What stands where a company has sent no logo: a roof's outline, as a PNG.
pub fn plain_roof([r, g, b]: [u8; 3]) -> Result<Vec<u8>, image::ImageError> {
    let mut canvas = image::RgbaImage::new(240, 120);
    if let Some(mut map) = tiny_skia::PixmapMut::from_bytes(&mut canvas, 240, 120) {
        let mut path = tiny_skia::PathBuilder::new();
        for (at, (x, y)) in [(64.0, 66.0), (120.0, 24.0), (176.0, 66.0)].into_iter().enumerate() {
            if at == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        path.move_to(80.0, 70.0);
        path.line_to(80.0, 98.0);
        path.line_to(160.0, 98.0);
        path.line_to(160.0, 70.0);
        let mut paint = tiny_skia::Paint::default();
        paint.set_color_rgba8(r, g, b, 255);
        let stroke = tiny_skia::Stroke { width: 8.0, line_cap: tiny_skia::LineCap::Round, ..Default::default() };
        if let Some(path) = path.finish() {
            map.stroke_path(&path, &paint, &stroke, tiny_skia::Transform::identity(), None);
        }
    }
    let mut out = Cursor::new(Vec::new());
    DynamicImage::ImageRgba8(canvas).write_to(&mut out, ImageFormat::Png)?;
    Ok(out.into_inner())
}

/// `None` for an image that covers its ground.
fn tones(image: &DynamicImage) -> Option<Tones> {
    let image = image.as_rgba8()?;
    let mut visible: Vec<u8> = image
        .pixels()
        .filter(|pixel| pixel.0[3] > 127)
        .map(|pixel| (luminance([pixel.0[0], pixel.0[1], pixel.0[2]]) * 255.0).round() as u8)
        .collect();
    let through = image.pixels().len() - visible.len();
    if visible.is_empty() || through * 20 < image.pixels().len() {
        return None;
    }
    visible.cold_sort();
    Some(Tones([1, 3, 5, 7, 9].map(|tenths| visible[visible.len() * tenths / 10])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut image = DynamicImage::ImageRgba8(RgbaImage::from_pixel(width, height, Rgba([200, 30, 30, 255])));
        if format == ImageFormat::Jpeg {
            image = DynamicImage::ImageRgb8(image.into_rgb8());
        }
        let mut out = Cursor::new(Vec::new());
        image.write_to(&mut out, format).unwrap();
        out.into_inner()
    }

    #[test]
    fn the_color_of_a_logo_is_the_one_that_it_has_most_of() {
        assert_eq!(brand_color(&encoded(40, 20, ImageFormat::Png)), Some(Some([200, 30, 30])));
        assert_eq!(brand_color(b"<svg/>"), None, "not a picture");
        assert_eq!(brand_color(&plain_roof([90; 3]).unwrap()), Some(None), "grey alone");
        assert!(reencode(&plain_roof([90; 3]).unwrap(), Logo::Header).unwrap().tones.is_some());
    }

    #[test]
    fn each_format_is_encoded_the_same_way_every_time() {
        for (format, extension) in [(ImageFormat::Png, "png"), (ImageFormat::Jpeg, "jpg"), (ImageFormat::WebP, "png")] {
            let logo = reencode(&encoded(40, 20, format), Logo::Header).unwrap();
            assert_eq!((logo.width, logo.height, logo.extension), (40, 20, extension));
            assert_eq!(reencode(&encoded(40, 20, format), Logo::Header).unwrap(), logo);
        }
    }

    #[test]
    fn how_light_a_logo_is_shows_where_its_ground_shows_through() {
        let image = |ink: [u8; 3], clear: u32| {
            let image =
                RgbaImage::from_fn(40, 20, |x, _| Rgba([ink[0], ink[1], ink[2], if x < clear { 0 } else { 255 }]));
            let mut out = Cursor::new(Vec::new());
            DynamicImage::ImageRgba8(image).write_to(&mut out, ImageFormat::Png).unwrap();
            reencode(&out.into_inner(), Logo::Header).unwrap().tones
        };
        assert_eq!(image([0; 3], 20), Some(Tones([0; 5])));
        assert_eq!(image([255; 3], 20), Some(Tones([255; 5])));
        assert_eq!(image([0; 3], 0), None, "it brings its own ground");
        assert_eq!(image([0; 3], 40), None, "there is nothing to see");
    }

    #[test]
    fn large_logos_are_scaled_in_proportion() {
        let header = reencode(&encoded(2400, 600, ImageFormat::Png), Logo::Header).unwrap();
        assert_eq!((header.width, header.height), (600, 150));
        let footer = reencode(&encoded(300, 300, ImageFormat::Jpeg), Logo::Footer).unwrap();
        assert_eq!((footer.width, footer.height), (96, 96));
    }

    #[test]
    fn nothing_after_the_image_survives() {
        let mut bytes = encoded(40, 20, ImageFormat::Png);
        bytes.extend_from_slice(b"<script>alert(1)</script>");
        let logo = reencode(&bytes, Logo::Header).unwrap();
        assert!(!logo.bytes.windows(7).any(|w| w == b"<script"));
    }

    #[test]
    fn other_formats_and_damaged_files_are_refused() {
        for bytes in
            [&b"GIF89a\x01\x00\x01\x00"[..], b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html>", b"", b"%PDF"]
        {
            assert_eq!(
                reencode(bytes, Logo::Header).unwrap_err(),
                LogoError::Unreadable { why: DecodeError::UnknownFormat }
            );
        }
        let whole = encoded(400, 200, ImageFormat::Png);
        assert_eq!(
            reencode(&whole[..whole.len() / 2], Logo::Header).unwrap_err(),
            LogoError::Unreadable { why: DecodeError::Damaged }
        );
    }

    #[test]
    fn sixteen_bits_a_colour_are_read_or_named() {
        let deep = |side| {
            let image = DynamicImage::ImageRgba16(image::ImageBuffer::new(side, side));
            let mut out = Cursor::new(Vec::new());
            image.write_to(&mut out, ImageFormat::Png).unwrap();
            reencode(&out.into_inner(), Logo::Header)
        };
        assert!(deep(300).is_ok());
        assert_eq!(deep(3_000).unwrap_err(), LogoError::Unreadable { why: DecodeError::Deep });
    }

    #[test]
    fn an_image_with_a_header_of_sixty_thousand_pixels_is_refused() {
        let mut bomb = encoded(10, 10, ImageFormat::Png);
        bomb[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
        bomb[20..24].copy_from_slice(&60_000_u32.to_be_bytes());
        let crc = crc32(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&crc.to_be_bytes());
        assert_eq!(reencode(&bomb, Logo::Header).unwrap_err(), LogoError::TooLarge);
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 })
        })
    }
}
