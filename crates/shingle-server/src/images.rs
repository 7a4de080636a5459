//! Uploaded logos: decoded, scaled and drawn anew. What is stored is our own encoding of the pixels, so
//! neither metadata nor anything hidden behind the picture survives.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

/// Bytes a logo may have as it is uploaded, inclusive.
pub const MAX_BYTES: usize = 1024 * 1024;
const MAX_SIDE: u32 = 4096;
const MAX_MEMORY: u64 = 64 * 1024 * 1024;

/// Which logo, and so how large it is ever shown (twice that, for dense screens).
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

    fn largest(self) -> (u32, u32) {
        match self {
            Self::Header => (600, 300),
            Self::Footer => (96, 96),
        }
    }
}

/// A logo that can be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redrawn {
    pub bytes: Vec<u8>,
    /// Of the file's name: `png` or `jpg`.
    pub ending: &'static str,
    pub width: u32,
    pub height: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    #[error("must be a PNG, JPEG or WebP image")]
    NotAPicture,
    #[error("must be at most 4096 by 4096 pixels")]
    TooLarge,
    #[error("could not be read: the image is damaged")]
    Damaged,
}

/// Decodes within hard limits and encodes anew. Takes processor time: not for an async thread.
pub fn redraw(bytes: &[u8], logo: Logo) -> Result<Redrawn, Unusable> {
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) => format,
        _ => return Err(Unusable::NotAPicture),
    };
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    // The header alone is read here: a picture that claims too much is never begun.
    let mut decoder = reader.into_decoder().map_err(unusable)?;
    let (width, height) = decoder.dimensions();
    if width > MAX_SIDE || height > MAX_SIDE || decoder.total_bytes() > MAX_MEMORY {
        return Err(Unusable::TooLarge);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(unusable)?;
    picture.apply_orientation(orientation);

    let (widest, highest) = logo.largest();
    if picture.width() > widest || picture.height() > highest {
        picture = picture.resize(widest, highest, image::imageops::FilterType::CatmullRom);
    }
    let mut out = Cursor::new(Vec::new());
    let ending = if format == ImageFormat::Jpeg {
        picture = DynamicImage::ImageRgb8(picture.into_rgb8());
        let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut out, 88);
        picture.write_with_encoder(encoder).map_err(unusable)?;
        "jpg"
    } else {
        picture = if picture.color().has_alpha() {
            DynamicImage::ImageRgba8(picture.into_rgba8())
        } else {
            DynamicImage::ImageRgb8(picture.into_rgb8())
        };
        picture.write_to(&mut out, ImageFormat::Png).map_err(unusable)?;
        "png"
    };
    Ok(Redrawn { bytes: out.into_inner(), ending, width: picture.width(), height: picture.height() })
}

fn unusable(error: image::ImageError) -> Unusable {
    match error {
        image::ImageError::Limits(_) => Unusable::TooLarge,
        _ => Unusable::Damaged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut picture = DynamicImage::ImageRgba8(RgbaImage::from_pixel(width, height, Rgba([200, 30, 30, 255])));
        if format == ImageFormat::Jpeg {
            picture = DynamicImage::ImageRgb8(picture.into_rgb8());
        }
        let mut out = Cursor::new(Vec::new());
        picture.write_to(&mut out, format).unwrap();
        out.into_inner()
    }

    #[test]
    fn each_format_is_drawn_anew_the_same_way_every_time() {
        for (format, ending) in [(ImageFormat::Png, "png"), (ImageFormat::Jpeg, "jpg"), (ImageFormat::WebP, "png")] {
            let drawn = redraw(&encoded(40, 20, format), Logo::Header).unwrap();
            assert_eq!((drawn.width, drawn.height, drawn.ending), (40, 20, ending));
            assert_eq!(redraw(&encoded(40, 20, format), Logo::Header).unwrap(), drawn);
        }
    }

    #[test]
    fn large_pictures_are_scaled_to_their_place_in_proportion() {
        let header = redraw(&encoded(2400, 600, ImageFormat::Png), Logo::Header).unwrap();
        assert_eq!((header.width, header.height), (600, 150));
        let footer = redraw(&encoded(300, 300, ImageFormat::Jpeg), Logo::Footer).unwrap();
        assert_eq!((footer.width, footer.height), (96, 96));
    }

    #[test]
    fn nothing_behind_the_picture_survives() {
        let mut bytes = encoded(40, 20, ImageFormat::Png);
        bytes.extend_from_slice(b"<script>alert(1)</script>");
        let drawn = redraw(&bytes, Logo::Header).unwrap();
        assert!(!drawn.bytes.windows(7).any(|w| w == b"<script"));
    }

    #[test]
    fn what_is_no_picture_is_refused_whatever_it_calls_itself() {
        for bytes in
            [&b"GIF89a\x01\x00\x01\x00"[..], b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html>", b"", b"%PDF"]
        {
            assert_eq!(redraw(bytes, Logo::Header).unwrap_err(), Unusable::NotAPicture);
        }
        let whole = encoded(400, 200, ImageFormat::Png);
        assert_eq!(redraw(&whole[..whole.len() / 2], Logo::Header).unwrap_err(), Unusable::Damaged);
    }

    #[test]
    fn a_picture_that_claims_sixty_thousand_pixels_is_refused_by_its_header() {
        let mut bomb = encoded(10, 10, ImageFormat::Png);
        bomb[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
        bomb[20..24].copy_from_slice(&60_000_u32.to_be_bytes());
        let crc = crc32(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&crc.to_be_bytes());
        assert_eq!(redraw(&bomb, Logo::Header).unwrap_err(), Unusable::TooLarge);
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 })
        })
    }
}
