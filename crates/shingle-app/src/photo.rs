//! Photographs that homeowners send: decoded, turned upright, scaled and encoded again. Only the pixels are stored, so the
//! place where they were taken is not.

use std::io::Cursor;

use image::DynamicImage;
use shingle_domain::messages;

use crate::bounded_image::{self, DecodeError, DecodeLimits, DecodedImage};

/// Bytes of an uploaded photograph, inclusive.
pub const MAX_PHOTO_BYTES: usize = 10 * 1024 * 1024;
/// The longer side of a stored one.
const STORED_SIDE: u32 = 2_048;
const QUALITY: u8 = 82;
/// What phones make today: 50 megapixels of three bytes.
const LIMITS: DecodeLimits = DecodeLimits { side: 12_000, bytes: 160 * 1024 * 1024 };

/// A photograph that can be stored: JPEG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedPhoto {
    pub bytes: Vec<u8>,
    pub width: u32,
    pub height: u32,
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum PhotoError {
        Heic => "is a HEIC image, which cannot be read here: send it as a JPEG",
        TooLarge => "has more pixels than the 50 million that can be read here",
        Unreadable { why: DecodeError } => "{why}",
    }
}

impl From<DecodeError> for PhotoError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::TooLarge => Self::TooLarge,
            why => Self::Unreadable { why },
        }
    }
}

/// Takes processor time: not for an async thread.
pub fn reencode(bytes: &[u8]) -> Result<EncodedPhoto, PhotoError> {
    if is_heic(bytes) {
        return Err(PhotoError::Heic);
    }
    let DecodedImage { mut image, orientation, .. } = bounded_image::decode(bytes, LIMITS)?;
    if image.width() > STORED_SIDE || image.height() > STORED_SIDE {
        image = image.thumbnail(STORED_SIDE, STORED_SIDE);
    }
    image.apply_orientation(orientation);
    let image = DynamicImage::ImageRgb8(image.into_rgb8());
    let mut out = Cursor::new(Vec::new());
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut out, QUALITY);
    image.write_with_encoder(encoder).map_err(DecodeError::from)?;
    Ok(EncodedPhoto { bytes: out.into_inner(), width: image.width(), height: image.height() })
}

/// The box `ftyp` with one of the brands of HEIF's HEVC images.
fn is_heic(bytes: &[u8]) -> bool {
    let brand = bytes.get(4..12).and_then(|head| head.strip_prefix(b"ftyp"));
    brand.is_some_and(|brand| {
        [b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"].iter().any(|b| *b == brand)
    })
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgb, RgbImage};

    use super::*;

    /// Red on the left, blue on the right.
    fn picture(width: u32, height: u32) -> DynamicImage {
        DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, _| {
            if x < width / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) }
        }))
    }

    fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        image.write_to(&mut out, format).unwrap();
        out.into_inner()
    }

    /// A JPEG as a phone writes it: lying on its side, with the place in its EXIF data.
    fn from_a_telephone() -> Vec<u8> {
        let mut tiff = b"MM\0*\0\0\0\x08".to_vec();
        let entry = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
            [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count.to_be_bytes(), &value].concat()
        };
        // IFD 0: the orientation (6: turn it clockwise) and where the GPS data is.
        tiff.extend([0, 2]);
        tiff.extend(entry(0x0112, 3, 1, [0, 6, 0, 0]));
        tiff.extend(entry(0x8825, 4, 1, 38_u32.to_be_bytes()));
        tiff.extend([0; 4]);
        // The GPS data: north, 43 degrees 39 minutes 36 seconds.
        tiff.extend([0, 2]);
        tiff.extend(entry(1, 2, 2, *b"N\0\0\0"));
        tiff.extend(entry(2, 5, 3, 68_u32.to_be_bytes()));
        tiff.extend([0; 4]);
        for (value, of) in [(43_u32, 1_u32), (39, 1), (36, 1)] {
            tiff.extend([value.to_be_bytes(), of.to_be_bytes()].concat());
        }
        let exif = [b"Exif\0\0".to_vec(), tiff].concat();
        let length = u16::try_from(exif.len() + 2).unwrap();
        let jpeg = encoded(&picture(400, 300), ImageFormat::Jpeg);
        [&jpeg[..2], &[0xff, 0xe1], &length.to_be_bytes(), &exif, &jpeg[2..]].concat()
    }

    #[test]
    fn a_telephones_photograph_stands_upright_and_does_not_say_where_it_was_taken() {
        let sent = from_a_telephone();
        assert!(sent.windows(4).any(|w| w == b"Exif"));
        let photo = reencode(&sent).unwrap();
        assert_eq!((photo.width, photo.height), (300, 400));
        assert!(!photo.bytes.windows(4).any(|w| w == b"Exif"));
        let stored = image::load_from_memory(&photo.bytes).unwrap().into_rgb8();
        // Turned clockwise, what was on the left is at the top.
        let (top, bottom) = (stored.get_pixel(150, 50), stored.get_pixel(150, 350));
        assert!(top[0] > 180 && bottom[2] > 180, "{top:?} {bottom:?}");
    }

    #[test]
    fn every_format_becomes_a_jpeg_of_at_most_2048_pixels() {
        for (format, size, stored) in [
            (ImageFormat::Jpeg, (3_000, 1_500), (2_048, 1_024)),
            (ImageFormat::Png, (640, 480), (640, 480)),
            (ImageFormat::WebP, (100, 2_100), (98, 2_048)),
        ] {
            let photo = reencode(&encoded(&picture(size.0, size.1), format)).unwrap();
            assert_eq!((photo.width, photo.height), stored, "{format:?}");
            assert_eq!(image::guess_format(&photo.bytes).unwrap(), ImageFormat::Jpeg);
        }
    }

    #[test]
    fn what_is_no_photograph_is_refused_with_its_reason() {
        let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
        assert_eq!(reencode(heic), Err(PhotoError::Heic));
        for bytes in [&b""[..], b"GIF89a\x01\x00\x01\x00", b"<svg/>", b"%PDF-1.7", b"\0\0\0\x18ftypisom"] {
            assert_eq!(reencode(bytes), Err(PhotoError::Unreadable { why: DecodeError::UnknownFormat }));
        }
        let whole = encoded(&picture(400, 300), ImageFormat::Png);
        assert_eq!(reencode(&whole[..whole.len() / 2]), Err(PhotoError::Unreadable { why: DecodeError::Damaged }));
        let whole = encoded(&picture(400, 300), ImageFormat::WebP);
        assert_eq!(reencode(&whole[..whole.len() / 2]), Err(PhotoError::Unreadable { why: DecodeError::Damaged }));
    }

    #[test]
    fn sixteen_bits_a_colour_are_read_or_named() {
        let deep = |width, height| {
            let image = DynamicImage::ImageRgb16(image::ImageBuffer::new(width, height));
            reencode(&encoded(&image, ImageFormat::Png)).map(|photo| photo.width)
        };
        assert_eq!(deep(300, 200), Ok(300));
        assert_eq!(deep(6_000, 5_000), Err(PhotoError::Unreadable { why: DecodeError::Deep }));
    }

    #[test]
    fn a_bomb_is_refused_before_its_pixels_are_decoded() {
        let mut bomb = encoded(&picture(16, 16), ImageFormat::Jpeg);
        let frame = bomb.windows(2).position(|w| w == [0xff, 0xc0]).unwrap();
        for (width, height) in [(65_000_u16, 65_000_u16), (11_000, 11_000)] {
            bomb[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
            bomb[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
            assert_eq!(reencode(&bomb), Err(PhotoError::TooLarge), "{width}");
        }
    }
}
