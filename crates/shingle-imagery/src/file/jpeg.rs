//! JPEG blocks, with the colors that GDAL gives them.
//!
//! A block is a stream without its tables, which the page holds once. What its three components mean, the page says, not
//! the stream: a stream without a marker of Adobe is taken for YCbCr by every reader of JPEG, and in a TIFF page that is
//! RGB it is RGB. So components are taken as they are and converted here. Only a page that says YCbCr of a stream that
//! says RGB, by its marker or by the names of its components, is not believed.

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::error::ImageryError;

/// Bytes for so many samples a pixel. `most_high`: of a block that is not the last. `ycbcr`: what the page says.
pub fn unpack(
    tables: Option<&[u8]>,
    packed: &[u8],
    (wide, high): (u32, u32),
    most_high: u32,
    samples: usize,
    ycbcr: bool,
) -> Result<Vec<u8>, ImageryError> {
    let problem = |why: String| ImageryError::Compression { method: "JPEG", why };
    let frame = Frame::of(packed).ok_or_else(|| problem("it has no frame".to_owned()))?;
    // A decoder allocates by what the frame says. The last strip may say the full height.
    let fits = u32::from(frame.wide) == wide && (high..=most_high).contains(&u32::from(frame.high));
    if !fits || samples != frame.components.len() {
        return Err(problem("it has another size than its block".to_owned()));
    }
    let mut stream = vec![0xff, 0xd8];
    stream.extend_from_slice(tables.and_then(segments).unwrap_or_default());
    frame.without_adobe(packed, &mut stream);
    let limits = DecoderOptions::default()
        .set_max_width(usize::from(frame.wide))
        .set_max_height(usize::from(frame.high))
        .set_strict_mode(false);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&stream), limits);
    decoder.decode_headers().map_err(|e| problem(format!("{e:?}")))?;
    let own = decoder.input_colorspace().ok_or_else(|| problem("it has no colors".to_owned()))?;
    decoder.set_options(limits.jpeg_set_out_colorspace(own));
    let mut pixels = decoder.decode().map_err(|e| problem(format!("{e:?}")))?;
    let length = wide as usize * high as usize * samples;
    if pixels.len() < length {
        return Err(problem("it ends too early".to_owned()));
    }
    pixels.truncate(length);
    if ycbcr && samples == 3 && !frame.says_rgb() {
        for pixel in pixels.chunks_exact_mut(3) {
            let rgb = to_rgb([pixel[0], pixel[1], pixel[2]]);
            pixel.copy_from_slice(&rgb);
        }
    }
    Ok(pixels)
}

/// Of ITU-R BT.601 in full range, as JFIF has it, in 16 bits of fraction.
fn to_rgb([y, cb, cr]: [u8; 3]) -> [u8; 3] {
    let (y, cb, cr) = (i32::from(y) << 16, i32::from(cb) - 128, i32::from(cr) - 128);
    let byte = |n: i32| u8::try_from(((n + 0x8000) >> 16).clamp(0, 255)).unwrap_or(0);
    [byte(y + 91_881 * cr), byte(y - 22_554 * cb - 46_802 * cr), byte(y + 116_130 * cb)]
}

/// What lies between the first and the last marker of a stream of tables.
fn segments(tables: &[u8]) -> Option<&[u8]> {
    let inner = tables.strip_prefix(&[0xff, 0xd8])?;
    Some(inner.strip_suffix(&[0xff, 0xd9]).unwrap_or(inner))
}

/// What a stream says of its picture.
pub struct Frame {
    pub wide: u16,
    pub high: u16,
    /// Their names.
    pub components: Vec<u8>,
    /// Of the first component, against the others: across and down.
    pub sampling: [u8; 2],
    /// Where Adobe's segment is, and which conversion it states.
    adobe: Option<(std::ops::Range<usize>, u8)>,
}

impl Frame {
    pub fn of(stream: &[u8]) -> Option<Self> {
        let mut adobe = None;
        let mut at = 2;
        loop {
            while *stream.get(at)? != 0xff || *stream.get(at + 1)? == 0xff {
                at += 1;
            }
            let marker = *stream.get(at + 1)?;
            if matches!(marker, 0x00 | 0x01 | 0xd0..=0xd8) {
                at += 2;
                continue;
            }
            let length = usize::from(u16::from_be_bytes([*stream.get(at + 2)?, *stream.get(at + 3)?]));
            let body = stream.get(at + 4..at + 2 + length)?;
            match marker {
                0xee if body.starts_with(b"Adobe") && body.len() >= 12 => {
                    adobe = Some((at..at + 2 + length, body[11]));
                }
                0xc0..=0xc2 => {
                    let [_, h0, h1, w0, w1, count, rest @ ..] = body else { return None };
                    let components: Vec<u8> = rest.chunks_exact(3).map(|c| c[0]).collect();
                    let sampling = rest.get(1).map_or([1, 1], |both| [both >> 4, both & 15]);
                    let (wide, high) = (u16::from_be_bytes([*w0, *w1]), u16::from_be_bytes([*h0, *h1]));
                    return (components.len() == usize::from(*count) && wide > 0 && high > 0).then_some(Self {
                        wide,
                        high,
                        components,
                        sampling,
                        adobe,
                    });
                }
                0xd9 | 0xda => return None,
                _ => {}
            }
            at += 2 + length;
        }
    }

    pub fn says_rgb(&self) -> bool {
        self.components == *b"RGB" || matches!(self.adobe, Some((_, 0)))
    }

    fn without_adobe(&self, stream: &[u8], out: &mut Vec<u8>) {
        match &self.adobe {
            Some((segment, _)) => {
                out.extend_from_slice(&stream[2..segment.start.max(2)]);
                out.extend_from_slice(&stream[segment.end..]);
            }
            None => out.extend_from_slice(&stream[2..]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gray_stays_gray_and_primaries_are_primaries() {
        for level in 0..=255 {
            assert_eq!(to_rgb([level, 128, 128]), [level; 3]);
        }
        assert_eq!(to_rgb([76, 85, 255]), [254, 0, 0]);
        assert_eq!(to_rgb([29, 255, 107]), [0, 0, 254]);
    }

    #[test]
    fn a_frame_that_is_cut_off_is_no_frame() {
        let stream = [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0];
        let whole = Frame::of(&stream).map(|frame| (frame.wide, frame.high, frame.components));
        assert_eq!(whole, Some((16, 16, vec![1])));
        for end in 0..stream.len() {
            assert!(Frame::of(&stream[..end]).is_none(), "{end}");
        }
    }
}
