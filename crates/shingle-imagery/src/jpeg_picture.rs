//! JPEG pictures of a map server: whether one is whole, and the same bytes as a GeoTIFF.

use crate::error::ImageryError;
use crate::file::jpeg::{Frame, unpack};
use crate::file::page::MOST_PICTURE;

/// Bytes after the last marker, at most: some servers end with a line.
const MOST_BEHIND: usize = 16;
/// Samples of one color differ by so much at most: compression leaves traces.
const SAME: u8 = 6;

/// A JPEG picture that was unpacked to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JpegLook {
    pub wide: u32,
    pub high: u32,
    /// It shows nothing: all its pixels have the same color.
    pub one_color: bool,
}

/// Unpacks the whole picture. One that was cut off is an error.
pub fn look_at_jpeg(jpeg: &[u8]) -> Result<JpegLook, ImageryError> {
    let frame = whole_frame(jpeg)?;
    let (wide, high, samples) = (u32::from(frame.wide), u32::from(frame.high), frame.components.len());
    let pixels = unpack(None, jpeg, (wide, high), high, samples, true)?;
    let (mut least, mut most) = ([u8::MAX; 3], [0_u8; 3]);
    for pixel in pixels.chunks_exact(samples) {
        for (band, sample) in pixel.iter().enumerate() {
            least[band] = least[band].min(*sample);
            most[band] = most[band].max(*sample);
        }
    }
    let one_color = least.iter().zip(&most).all(|(least, most)| most.saturating_sub(*least) <= SAME);
    Ok(JpegLook { wide, high, one_color })
}

fn whole_frame(jpeg: &[u8]) -> Result<Frame, ImageryError> {
    let problem = |why: &str| ImageryError::Compression { method: "JPEG", why: why.to_owned() };
    let frame = jpeg.starts_with(&[0xff, 0xd8]).then(|| Frame::of(jpeg)).flatten();
    let frame = frame.ok_or_else(|| problem("it has no frame"))?;
    if !matches!(frame.components.len(), 1 | 3) {
        return Err(problem("it is neither gray nor of three colors"));
    }
    let bytes = u64::from(frame.wide) * u64::from(frame.high) * frame.components.len() as u64;
    if bytes > MOST_PICTURE {
        return Err(ImageryError::LargeBlock { megabytes: bytes >> 20, most: MOST_PICTURE >> 20 });
    }
    let end = &jpeg[jpeg.len().saturating_sub(MOST_BEHIND + 2)..];
    if !end.windows(2).any(|marker| marker == [0xff, 0xd9]) {
        return Err(problem("it ends too early"));
    }
    Ok(frame)
}

const SHORT: u16 = 3;
const LONG: u16 = 4;
const DOUBLE: u16 = 12;

/// The same picture as a GeoTIFF of one strip. `bounds`: west, south, east and north of its outermost pixels' edges, in
/// the coordinates of this EPSG system, which has east before north; `system` 4326 means degrees.
pub fn geotiff_of_jpeg(jpeg: &[u8], bounds: [f64; 4], system: u16) -> Result<Vec<u8>, ImageryError> {
    let frame = whole_frame(jpeg)?;
    let [west, south, east, north] = bounds;
    let is_box = bounds.iter().all(|edge| edge.is_finite()) && west < east && south < north;
    if !is_box {
        return Err(ImageryError::Placement("its edges are no rectangle"));
    }
    let (wide, high) = (u32::from(frame.wide), u32::from(frame.high));
    let samples = frame.components.len();
    // White is zero, black is zero, RGB, …, YCbCr.
    let shade = match samples {
        1 => 1,
        _ if frame.says_rgb() => 2,
        _ => 6,
    };
    let [model, key] = if system == 4326 { [2, 2_048] } else { [1, 3_072] };
    let keys = [1, 1, 0, 3, 1_024, 0, 1, model, 1_025, 0, 1, 1, key, 0, 1, system];
    let scale = [(east - west) / f64::from(wide), (north - south) / f64::from(high), 0.0];
    let mut tags = Tags::default();
    tags.longs(256, &[wide]);
    tags.longs(257, &[high]);
    tags.shorts(258, &vec![8; samples]);
    tags.shorts(259, &[7]);
    tags.shorts(262, &[shade]);
    tags.strip(273);
    tags.shorts(277, &[u16::try_from(samples).unwrap_or(3)]);
    tags.longs(278, &[high]);
    tags.longs(279, &[u32::try_from(jpeg.len()).map_err(|_| ImageryError::Damaged("it is too large"))?]);
    tags.shorts(284, &[1]);
    if shade == 6 {
        tags.shorts(530, &frame.sampling.map(u16::from));
    }
    tags.doubles(33_550, &scale);
    tags.doubles(33_922, &[0.0, 0.0, 0.0, west, north, 0.0]);
    tags.shorts(34_735, &keys);
    Ok(tags.file(jpeg))
}

/// Entries of a directory, in the order of their numbers.
#[derive(Default)]
struct Tags {
    /// Number, kind, count and value.
    entries: Vec<(u16, u16, u32, Vec<u8>)>,
}

impl Tags {
    fn add(&mut self, number: u16, kind: u16, count: usize, value: Vec<u8>) {
        self.entries.push((number, kind, u32::try_from(count).unwrap_or_default(), value));
    }

    fn shorts(&mut self, number: u16, values: &[u16]) {
        self.add(number, SHORT, values.len(), values.iter().flat_map(|v| v.to_le_bytes()).collect());
    }

    fn longs(&mut self, number: u16, values: &[u32]) {
        self.add(number, LONG, values.len(), values.iter().flat_map(|v| v.to_le_bytes()).collect());
    }

    fn doubles(&mut self, number: u16, values: &[f64]) {
        self.add(number, DOUBLE, values.len(), values.iter().flat_map(|v| v.to_le_bytes()).collect());
    }

    /// Where the picture begins; filled in when that is known.
    fn strip(&mut self, number: u16) {
        self.add(number, LONG, 1, Vec::new());
    }

    /// Header, directory, values that do not fit into it, picture.
    fn file(&self, picture: &[u8]) -> Vec<u8> {
        let head = 8 + 2 + self.entries.len() * 12 + 4;
        let beside: usize = self.entries.iter().map(|entry| entry.3.len()).filter(|len| *len > 4).sum();
        let at = |offset: usize| u32::try_from(offset).unwrap_or_default().to_le_bytes();
        let mut file = b"II*\0\x08\0\0\0".to_vec();
        file.extend(u16::try_from(self.entries.len()).unwrap_or_default().to_le_bytes());
        let mut values = Vec::with_capacity(beside);
        for (number, kind, count, value) in &self.entries {
            file.extend(number.to_le_bytes());
            file.extend(kind.to_le_bytes());
            file.extend(count.to_le_bytes());
            match value.len() {
                0 => file.extend(at(head + beside)),
                1..=4 => file.extend(value.iter().copied().chain([0; 4]).take(4)),
                _ => {
                    file.extend(at(head + values.len()));
                    values.extend_from_slice(value);
                }
            }
        }
        file.extend([0; 4]);
        file.extend(values);
        file.extend_from_slice(picture);
        file
    }
}

#[cfg(test)]
mod tests {
    use image::codecs::jpeg::JpegEncoder;
    use image::{ExtendedColorType, ImageEncoder};

    use super::*;
    use crate::{Placed, Window};

    const SIDE: u32 = 240;
    /// Degrees of a pixel: about half a meter.
    const PIXEL: f64 = 5e-6;
    const CORNER: [f64; 2] = [-105.3, 40.02];

    /// Green, with a red quarter in the north-east.
    fn colors(wide: u32, high: u32) -> Vec<u8> {
        let pixel = |n: u32| {
            let is_red = n % wide >= wide / 2 && n / wide < high / 2;
            if is_red { [200, 40, 40] } else { [40, 140, 40] }
        };
        (0..wide * high).flat_map(pixel).collect()
    }

    fn jpeg(pixels: &[u8], wide: u32, high: u32, colors: ExtendedColorType) -> Vec<u8> {
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, 85).write_image(pixels, wide, high, colors).unwrap();
        bytes
    }

    fn picture(wide: u32, high: u32) -> Vec<u8> {
        jpeg(&colors(wide, high), wide, high, ExtendedColorType::Rgb8)
    }

    fn opened(file: &[u8]) -> Placed {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tif");
        std::fs::write(&path, file).unwrap();
        Placed::open(&path, None).unwrap()
    }

    fn bounds() -> [f64; 4] {
        let reach = f64::from(SIDE) * PIXEL;
        [CORNER[0], CORNER[1] - reach, CORNER[0] + reach, CORNER[1]]
    }

    /// Of a pixel of the cut about the middle, in tenths of its sides.
    fn colors_at(placed: &Placed, [west, south, east, north]: [f64; 4]) -> [[u8; 3]; 2] {
        let window = Window::about((west + east) / 2.0, (south + north) / 2.0, 80.0, 80, 80);
        let cut = placed.cut(&window).unwrap().unwrap();
        let at = |x: usize, y: usize| {
            let at = (y * 80 + x) * 3;
            [cut.rgb[at], cut.rgb[at + 1], cut.rgb[at + 2]]
        };
        [at(65, 15), at(15, 65)]
    }

    #[test]
    fn a_picture_in_degrees_is_read_where_it_was_put() {
        let placed = opened(&geotiff_of_jpeg(&picture(SIDE, SIDE), bounds(), 4326).unwrap());
        let facts = placed.facts();
        assert_eq!((facts.width, facts.height, facts.bands, facts.compression), (SIDE, SIDE, 3, "JPEG"));
        for (found, wanted) in facts.bounds.iter().zip(bounds()) {
            assert!((found - wanted).abs() < 1e-10, "{:?}", facts.bounds);
        }
        let [red, green] = colors_at(&placed, bounds());
        assert!(red[0] > 180 && red[1] < 70 && green[1] > 120 && green[0] < 70, "{red:?} {green:?}");
    }

    #[test]
    fn a_picture_in_web_mercator_is_too_and_its_pixels_are_as_large_as_on_the_ground() {
        let mercator = |longitude: f64, latitude: f64| {
            let up = (std::f64::consts::FRAC_PI_4 + latitude.to_radians() / 2.0).tan().ln();
            [6_378_137.0 * longitude.to_radians(), 6_378_137.0 * up]
        };
        let [west, north] = mercator(CORNER[0], CORNER[1]);
        let unit = 0.6 / CORNER[1].to_radians().cos();
        let of = [west, north - f64::from(SIDE) * unit, west + f64::from(SIDE) * unit, north];
        let placed = opened(&geotiff_of_jpeg(&picture(SIDE, SIDE), of, 3857).unwrap());
        let facts = placed.facts();
        assert!((facts.meters_per_pixel - 0.6).abs() < 0.003, "{}", facts.meters_per_pixel);
        assert!((facts.bounds[0] - CORNER[0]).abs() < 1e-9 && (facts.bounds[3] - CORNER[1]).abs() < 1e-9);
        let [red, green] = colors_at(&placed, facts.bounds);
        assert!(red[0] > 180 && green[1] > 120, "{red:?} {green:?}");
    }

    #[test]
    fn gray_and_oblong_pictures_are_read_too() {
        let gray: Vec<u8> = (0..300 * 100_u32).map(|n| (n % 200) as u8).collect();
        let file = geotiff_of_jpeg(&jpeg(&gray, 300, 100, ExtendedColorType::L8), bounds(), 4326).unwrap();
        assert_eq!((opened(&file).facts().width, opened(&file).facts().bands), (300, 1));
    }

    #[test]
    fn a_picture_that_is_cut_off_anywhere_is_not_whole() {
        let whole = picture(64, 48);
        assert_eq!(look_at_jpeg(&whole).unwrap(), JpegLook { wide: 64, high: 48, one_color: false });
        for end in 0..whole.len() - 1 {
            assert!(look_at_jpeg(&whole[..end]).is_err(), "{end} of {}", whole.len());
            assert!(geotiff_of_jpeg(&whole[..end], bounds(), 4326).is_err(), "{end}");
        }
        let line = [&whole[..], b"\r\n"].concat();
        assert!(look_at_jpeg(&line).is_ok());
        for other in [&b"<html><body>busy</body></html>"[..], b"{\"error\":{\"code\":400}}", b"", &[0xff, 0xd8]] {
            assert!(look_at_jpeg(other).is_err(), "{other:?}");
        }
    }

    #[test]
    fn one_color_is_told_from_a_picture() {
        for color in [[0; 3], [255; 3], [86, 120, 34]] {
            let pixels = color.repeat(90 * 70);
            assert!(look_at_jpeg(&jpeg(&pixels, 90, 70, ExtendedColorType::Rgb8)).unwrap().one_color, "{color:?}");
        }
        assert!(look_at_jpeg(&jpeg(&[0; 900], 30, 30, ExtendedColorType::L8)).unwrap().one_color);
    }

    #[test]
    fn edges_that_are_no_rectangle_and_pictures_beyond_all_measure_are_refused() {
        let [west, south, east, north] = bounds();
        for wrong in [[east, south, west, north], [west, north, east, south], [west, f64::NAN, east, north]] {
            assert!(geotiff_of_jpeg(&picture(64, 48), wrong, 4326).is_err(), "{wrong:?}");
        }
        // The size is in its frame: height and width after the marker, the length and the bits of a sample.
        let mut huge = picture(64, 48);
        let at = huge.windows(2).position(|two| two == [0xff, 0xc0]).unwrap();
        huge[at + 5..at + 9].copy_from_slice(&[0xff; 4]);
        assert!(matches!(look_at_jpeg(&huge), Err(ImageryError::LargeBlock { .. })));
    }
}
