//! Files that cannot be used say so in a sentence, and odd ones that can be used are.

use std::fs;
use std::path::{Path, PathBuf};

use shingle_imagery::{Coverage, ImageryError, Placed, Window};
use tempfile::TempDir;

/// A little-endian file of one page, tag by tag.
#[derive(Clone)]
struct Page {
    tags: Vec<(u16, u16, Vec<u8>)>,
    pixels: Vec<u8>,
}

const SHORT: u16 = 3;
const LONG: u16 = 4;
const DOUBLE: u16 = 12;

fn shorts(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|n| n.to_le_bytes()).collect()
}

fn doubles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|n| n.to_le_bytes()).collect()
}

impl Page {
    /// Bytes of gray from 0 up, in one strip, at 100 m east and 200 m north of Web Mercator's middle, 2 m a pixel.
    fn gray(wide: u16, high: u16) -> Self {
        let pixels = (0..wide as usize * high as usize).map(|i| i as u8).collect();
        let page = Self { tags: Vec::new(), pixels };
        page.with(256, SHORT, shorts(&[wide]))
            .with(257, SHORT, shorts(&[high]))
            .with(258, SHORT, shorts(&[8]))
            .with(259, SHORT, shorts(&[1]))
            .with(262, SHORT, shorts(&[1]))
            .with(277, SHORT, shorts(&[1]))
            .with(278, SHORT, shorts(&[high]))
            .with(33_550, DOUBLE, doubles(&[2.0, 2.0, 0.0]))
            .with(33_922, DOUBLE, doubles(&[0.0, 0.0, 0.0, 100.0, 200.0, 0.0]))
            .in_system(3857, 1)
    }

    fn with(mut self, tag: u16, kind: u16, value: Vec<u8>) -> Self {
        self.tags.retain(|(t, ..)| *t != tag);
        self.tags.push((tag, kind, value));
        self
    }

    fn without(mut self, tag: u16) -> Self {
        self.tags.retain(|(t, ..)| *t != tag);
        self
    }

    fn in_system(self, code: u16, raster: u16) -> Self {
        self.with(34_735, SHORT, shorts(&[1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, raster, 3072, 0, 1, code]))
    }

    fn bytes(&self) -> Vec<u8> {
        let page = self.clone().with(273, LONG, vec![8, 0, 0, 0]);
        let mut page = page.with(279, LONG, (self.pixels.len() as u32).to_le_bytes().to_vec());
        page.tags.sort_by_key(|(tag, ..)| *tag);
        let mut out = b"II*\0".to_vec();
        let directory = 8 + self.pixels.len() + self.pixels.len() % 2;
        out.extend_from_slice(&(directory as u32).to_le_bytes());
        out.extend_from_slice(&self.pixels);
        out.resize(directory, 0);
        out.extend_from_slice(&(page.tags.len() as u16).to_le_bytes());
        let mut beyond = directory + 2 + page.tags.len() * 12 + 4;
        let mut values = Vec::new();
        for (tag, kind, value) in &page.tags {
            let size = match *kind {
                SHORT => 2,
                LONG => 4,
                DOUBLE => 8,
                _ => 1,
            };
            out.extend_from_slice(&tag.to_le_bytes());
            out.extend_from_slice(&kind.to_le_bytes());
            out.extend_from_slice(&((value.len() / size) as u32).to_le_bytes());
            if value.len() <= 4 {
                out.extend_from_slice(value);
                out.resize(out.len() + 4 - value.len(), 0);
            } else {
                out.extend_from_slice(&(beyond as u32).to_le_bytes());
                values.extend_from_slice(value);
                beyond += value.len();
            }
        }
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&values);
        out
    }
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn open(&self, page: &Page) -> Result<Placed, ImageryError> {
        Placed::open(&self.file("picture.tif", &page.bytes()), None)
    }

    fn refused(&self, page: &Page) -> ImageryError {
        self.open(page).unwrap_err()
    }
}

/// The brightness of a pixel whose middle is so many meters of Web Mercator east and north.
fn light_at(picture: &Placed, east: f64, north: f64) -> Option<u8> {
    let degrees = |meters: f64| meters / 111_319.490_793;
    // The ellipsoid is flatter than the sphere of the projection.
    let window = Window::about(degrees(east), degrees(north), 0.1, 1, 1);
    picture.cut(&window).unwrap().map(|cut| cut.rgb[0])
}

#[test]
fn what_is_no_picture_is_refused() {
    let folder = Folder::new();
    let open = |bytes: &[u8]| Placed::open(&folder.file("a.tif", bytes), None).unwrap_err();
    assert!(matches!(open(b""), ImageryError::NotTiff));
    assert!(matches!(open(b"\x89PNG\r\n\x1a\n and more"), ImageryError::NotTiff));
    assert!(matches!(open(b"II*\0"), ImageryError::CutOff { .. }));
    assert!(matches!(open(b"II*\0\xff\xff\xff\x7f"), ImageryError::CutOff { .. }));
    assert!(matches!(open(b"II*\0\0\0\0\0"), ImageryError::Damaged(_)));
    assert!(matches!(Placed::open(folder.0.path(), None).unwrap_err(), ImageryError::Io(_)));
    assert!(matches!(Placed::open(Path::new("/no/such/file.tif"), None).unwrap_err(), ImageryError::Io(_)));
}

#[test]
fn pixels_that_are_not_read_name_the_command_that_helps() {
    let folder = Folder::new();
    let gray = Page::gray(8, 8);
    for (page, word) in [
        (gray.clone().with(258, SHORT, shorts(&[32])).with(339, SHORT, shorts(&[3])), "floating"),
        (gray.clone().with(258, SHORT, shorts(&[64])).with(339, SHORT, shorts(&[6])), "complex"),
        (gray.clone().with(339, SHORT, shorts(&[2])), "signed"),
        (gray.clone().with(258, SHORT, shorts(&[12])), "12 bits"),
        (gray.clone().with(259, SHORT, shorts(&[34_887])), "LERC"),
        (gray.clone().with(259, SHORT, shorts(&[4])), "fax"),
        (gray.clone().with(262, SHORT, shorts(&[5])), "CMYK"),
        (gray.clone().with(317, SHORT, shorts(&[3])).with(259, SHORT, shorts(&[8])), "predictor 3"),
    ] {
        let said = folder.refused(&page).to_string();
        assert!(said.contains(word) && said.contains("gdal_translate"), "{word}: {said}");
    }
    let vast = gray.clone().with(256, LONG, 60_000_u32.to_le_bytes().to_vec()).with(259, SHORT, shorts(&[8]));
    let vast =
        vast.with(257, LONG, 60_000_u32.to_le_bytes().to_vec()).with(278, LONG, 60_000_u32.to_le_bytes().to_vec());
    let said = folder.refused(&vast).to_string();
    assert!(said.contains("TILED=YES"), "{said}");
}

#[test]
fn a_picture_without_a_place_or_a_system_is_refused() {
    let folder = Folder::new();
    let gray = Page::gray(8, 8);
    assert!(matches!(folder.refused(&gray.clone().without(33_550)), ImageryError::NotPlaced));
    assert!(matches!(folder.refused(&gray.clone().without(34_735)), ImageryError::NoSystem));
    let flat = gray.clone().with(33_550, DOUBLE, doubles(&[f64::NAN, 2.0, 0.0]));
    assert!(matches!(folder.refused(&flat), ImageryError::Placement(_)));
    let unknown = folder.refused(&gray.clone().in_system(1, 1)).to_string();
    assert!(unknown.contains("gdalwarp") && !unknown.contains("[geometry]"), "{unknown}");

    let nameless = folder.file("nameless.tif", &gray.clone().without(34_735).bytes());
    assert!(Placed::open(&nameless, Some("EPSG:3857")).is_ok());
    let named = folder.file("named.tif", &gray.bytes());
    assert!(Placed::open(&named, Some("3857")).is_ok());
    let other = Placed::open(&named, Some("EPSG:32631")).unwrap_err();
    assert!(matches!(other, ImageryError::OtherSystem { .. }), "{other}");
}

#[test]
fn swapped_axes_are_refused() {
    let folder = Folder::new();
    let degrees = Page::gray(8, 8).with(34_735, SHORT, shorts(&[1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326]));
    let at = |x: f64, y: f64| {
        let page = degrees.clone().with(33_922, DOUBLE, doubles(&[0.0, 0.0, 0.0, x, y, 0.0]));
        folder.open(&page.with(33_550, DOUBLE, doubles(&[1e-6, 1e-6, 0.0])))
    };
    assert!(at(-84.5, 33.7).is_ok());
    assert!(matches!(at(33.7, -84.5).unwrap_err(), ImageryError::OffEarth { .. }));
    assert!(matches!(at(40.7, -111.9).unwrap_err(), ImageryError::OffEarth { .. }));
}

#[test]
fn points_are_the_middles_of_pixels_and_world_files_too() {
    let folder = Folder::new();
    // Of eight columns, the pixel at column 3 and row 2 is 19.
    let area = folder.open(&Page::gray(8, 8)).unwrap();
    assert_eq!(light_at(&area, 107.0, 195.0), Some(19));
    let points = folder.open(&Page::gray(8, 8).in_system(3857, 2)).unwrap();
    assert_eq!(light_at(&points, 106.0, 196.0), Some(19));
    let bare = Page::gray(8, 8).without(33_550).without(33_922);
    let path = folder.file("bare.tif", &bare.bytes());
    for name in ["bare.tfw", "bare.tifw", "bare.wld"] {
        folder.file(name, b"2\n0\n0\n-2\n101\n199\n");
        assert_eq!(light_at(&Placed::open(&path, None).unwrap(), 107.0, 195.0), Some(19), "{name}");
        fs::remove_file(folder.0.path().join(name)).unwrap();
    }
    // The placement inside goes first.
    let path = folder.file("both.tif", &Page::gray(8, 8).bytes());
    folder.file("both.tfw", b"2\n0\n0\n-2\n5000\n5000\n");
    assert_eq!(light_at(&Placed::open(&path, None).unwrap(), 107.0, 195.0), Some(19));
}

#[test]
fn a_value_for_nothing_counts_only_if_the_type_can_hold_it() {
    let folder = Folder::new();
    let white = Page { pixels: vec![255; 64], ..Page::gray(8, 8) }.with(42_113, 2, b"255\0".to_vec());
    let picture = folder.open(&Page { pixels: (192..=255).collect(), ..white }).unwrap();
    let window = Window::about(115.0 / 111_319.490_793, 186.0 / 111_319.490_793, 4.0, 4, 4);
    let cut = picture.cut(&window).unwrap().unwrap();
    assert!(cut.covered < 0.9 && cut.rgb.iter().all(|byte| *byte > 190), "{cut:?}");
    for (text, coverage) in [
        (&b"19\0"[..], Coverage::NoData),
        (b"-10000\0", Coverage::Whole),
        (b"nan\0", Coverage::Whole),
        (b"0.5\0", Coverage::Whole),
        (b"what\0", Coverage::Whole),
    ] {
        let picture = folder.open(&Page::gray(8, 8).with(42_113, 2, text.to_vec())).unwrap();
        assert_eq!(picture.facts().coverage, coverage);
        assert_eq!(light_at(&picture, 107.0, 195.0), (coverage == Coverage::Whole).then_some(19));
    }
}

#[test]
fn one_pixel_is_a_picture_and_beside_it_is_nothing() {
    let folder = Folder::new();
    let mut page = Page::gray(1, 1);
    page.pixels = vec![77];
    let picture = folder.open(&page).unwrap();
    assert_eq!(light_at(&picture, 101.0, 199.0), Some(77));
    assert_eq!(light_at(&picture, 104.0, 199.0), None);
    assert_eq!(light_at(&picture, -8_000_000.0, 199.0), None);
}

#[test]
fn a_picture_that_is_moved_shows_what_was_beside() {
    let folder = Folder::new();
    let picture = folder.open(&Page::gray(8, 8)).unwrap();
    let window = Window::about(107.0 / 111_319.490_793, 195.0 / 111_319.490_793, 0.1, 1, 1);
    let light =
        |shift_east, shift_north| picture.cut(&Window { shift_east, shift_north, ..window }).unwrap().unwrap().rgb[0];
    assert_eq!((light(0.0, 0.0), light(2.0, 0.0), light(0.0, 2.0)), (19, 18, 27));
}

#[test]
fn windows_that_make_no_sense_are_refused() {
    let folder = Folder::new();
    let picture = folder.open(&Page::gray(8, 8)).unwrap();
    let good = Window::about(0.001, 0.0017, 10.0, 10, 10);
    assert!(picture.cut(&good).unwrap().is_some());
    for bad in [
        Window { wide: 0, ..good },
        Window { wide: 1 << 20, high: 1 << 20, ..good },
        Window { longitude: f64::NAN, ..good },
        Window { latitude: 97.0, ..good },
        Window { meters_wide: 0.0, ..good },
        Window { meters_high: f64::INFINITY, ..good },
        Window { shift_north: 1e9, ..good },
    ] {
        assert!(matches!(picture.cut(&bad).unwrap_err(), ImageryError::Window(_)), "{bad:?}");
    }
}

#[test]
fn webp_fits_or_is_refused_and_one_cut_fills_another() {
    let folder = Folder::new();
    let picture = folder.open(&Page::gray(64, 64)).unwrap();
    let window = Window::about(165.0 / 111_319.490_793, 135.0 / 111_319.490_793, 160.0, 400, 400);
    let cut = picture.cut(&window).unwrap().unwrap();
    assert_eq!(cut, picture.cut(&window).unwrap().unwrap());
    let large = cut.webp(60_000).unwrap();
    let small = cut.webp(large.len() / 2).unwrap();
    assert!(large.len() <= 60_000 && small.len() <= large.len() / 2, "{} {}", large.len(), small.len());
    assert_eq!(image::load_from_memory(&small).unwrap().width(), 400);
    assert!(matches!(cut.webp(200).unwrap_err(), ImageryError::TooManyBytes { most: 200 }));

    let mut holed = picture.cut(&Window { shift_east: 70.0, ..window }).unwrap().unwrap();
    let before = holed.covered;
    assert!((0.1..0.9).contains(&before) && cut.covered > before, "{before} {}", cut.covered);
    holed.fill_from(&cut);
    assert!(holed.covered >= cut.covered);
    let at = (200 * 400 + 10) * 3;
    assert_eq!(holed.rgb[at..at + 3], cut.rgb[at..at + 3]);
}
