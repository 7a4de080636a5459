//! Decodes uploaded images within limits: if a small file claims to be huge, only its header is read.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use shingle_domain::messages;

/// How large an image may be.
#[derive(Debug, Clone, Copy)]
pub struct DecodeLimits {
    /// Pixels of its longer side.
    pub side: u32,
    /// Bytes of its pixels, and of what its decoder holds.
    pub bytes: u64,
}

/// An image with what is not in its pixels.
#[derive(Debug)]
pub struct DecodedImage {
    pub image: DynamicImage,
    pub format: ImageFormat,
    /// How it has to be turned to stand upright.
    pub orientation: Orientation,
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DecodeError {
        UnknownFormat => "must be a PNG, JPEG or WebP image",
        TooLarge => "has more pixels than can be read here",
        Deep => "has 16 bits a color, which is too much to read at its size: save it with 8",
        Damaged => "could not be read: the image is damaged",
    }
}

impl From<ImageError> for DecodeError {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooLarge,
            _ => Self::Damaged,
        }
    }
}

/// Takes processor time: not for an async thread.
pub fn decode(bytes: &[u8], bounds: DecodeLimits) -> Result<DecodedImage, DecodeError> {
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) => format,
        _ => return Err(DecodeError::UnknownFormat),
    };
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(bounds.side);
    limits.max_image_height = Some(bounds.side);
    limits.max_alloc = Some(bounds.bytes);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if width > bounds.side || height > bounds.side {
        return Err(DecodeError::TooLarge);
    }
    if decoder.total_bytes() > bounds.bytes {
        let is_deep = decoder.color_type().bytes_per_pixel() > 4;
        let would_fit = u64::from(width) * u64::from(height) * 4 <= bounds.bytes;
        return Err(if is_deep && would_fit { DecodeError::Deep } else { DecodeError::TooLarge });
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    Ok(DecodedImage { image: DynamicImage::from_decoder(decoder)?, format, orientation })
}
