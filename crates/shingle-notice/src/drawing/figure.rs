//! A roof as shapes: the sheet that the flow draws too, with the house number, on a light ground.

use std::sync::Arc;

use image::RgbImage;
use shingle_domain::Language;
use shingle_domain::evidence::Point as Place;
use shingle_domain::geometry::{edges, ring_contains};
use shingle_domain::roof::RoofDrawing;
use shingle_widget::palette::Palette;
use shingle_widget::path::{Path, Stroke};
use shingle_widget::plan::{Detail, Label, Sheet, sheet};
use shingle_widget::words::flow_words;

use super::font::{Face, SEMIBOLD};
use super::shape::{Figure, PlacedPhoto, Point, Rgb, Shape, Step, Style};
use crate::error::NoticeError;

/// Twice the width at which mails show it.
pub const WIDTH: f32 = 1120.0;
const MAX_HEIGHT: f32 = 760.0;
const MIN_HEIGHT: f32 = 380.0;
/// Letters and lines, in pixels.
const LETTERS: f32 = 29.0;
const NUMBER: f32 = 32.0;
/// Places tried along each side for the pin of a roof without facets.
const GRID: u32 = 32;

/// `number` is the house number on the pin; empty for none.
pub fn figure(
    roof: &RoofDrawing,
    photo: Option<&PhotoUnder>,
    number: &str,
    palette: &Palette,
    language: Language,
) -> Result<Figure, NoticeError> {
    let sheet = sheet(roof, Detail::Measures, flow_words(language));
    let mut canvas = Canvas::of(&sheet, palette)?;
    if let Some(photo) = photo {
        canvas.lay(photo);
        canvas.casing(&sheet);
    }
    canvas.roof(&sheet, roof.facets.is_empty());
    canvas.measures(&sheet);
    canvas.compass();
    canvas.pin(roof, number);
    Ok(canvas.figure)
}

/// Width and height of the painted figure, in pixels.
pub fn size(roof: &RoofDrawing, language: Language) -> (u32, u32) {
    let fit = Fit::of(&sheet(roof, Detail::Measures, flow_words(language)));
    (WIDTH as u32, fit.height as u32)
}

/// A photograph from the air, and where it lies on the drawing: left, top, width and height, feet × 10.
#[derive(Debug, Clone)]
pub struct PhotoUnder {
    image: Arc<RgbImage>,
    frame: [i32; 4],
}

impl PhotoUnder {
    /// `None` unless it is a WebP.
    pub fn new(webp: &[u8], frame: [i32; 4]) -> Option<Self> {
        let image = image::load_from_memory_with_format(webp, image::ImageFormat::WebP).ok()?;
        Some(Self { image: Arc::new(image.into_rgb8()), frame })
    }

    /// Whether it lies under a drawing at all: by its middle.
    pub fn covers_the_middle_of(&self, drawing: &RoofDrawing) -> bool {
        let [left, top, wide, high] = self.frame;
        (left..left + wide).contains(&(drawing.width / 2)) && (top..top + high).contains(&(drawing.height / 2))
    }
}

/// How the sheet is laid on the canvas.
struct Fit {
    scale: f32,
    height: f32,
    /// Where the sheet's origin lies.
    origin: Point,
}

impl Fit {
    fn of(sheet: &Sheet) -> Self {
        let [left, top, wide, high] = sheet.view_box.map(|n| n as f32);
        let scale = (WIDTH / wide.max(1.0)).min(MAX_HEIGHT / high.max(1.0));
        let height = (high * scale).round().clamp(MIN_HEIGHT, MAX_HEIGHT);
        let origin = [(WIDTH - wide * scale) / 2.0 - left * scale, (height - high * scale) / 2.0 - top * scale];
        Self { scale, height, origin }
    }
}

struct Canvas<'a> {
    figure: Figure,
    palette: &'a Palette,
    face: Face<'static>,
    scale: f32,
    /// Where the sheet's origin lies.
    origin: Point,
}

impl<'a> Canvas<'a> {
    fn of(sheet: &Sheet, palette: &'a Palette) -> Result<Self, NoticeError> {
        let Fit { scale, height, origin } = Fit::of(sheet);
        let ground = palette.rgb("--wash").unwrap_or([255; 3]);
        let figure = Figure { width: WIDTH, height, ground, photo: None, shapes: Vec::new() };
        Ok(Self { figure, palette, face: Face::of(&SEMIBOLD)?, scale, origin })
    }

    fn color(&self, name: &str) -> Rgb {
        self.palette.rgb(name).unwrap_or([0; 3])
    }

    fn place(&self, [x, y]: Point) -> Point {
        [self.origin[0] + x * self.scale, self.origin[1] + y * self.scale]
    }

    fn add(&mut self, path: Vec<Step>, color: Rgb, style: Style) {
        if !path.is_empty() {
            self.figure.shapes.push(Shape { path, color, style });
        }
    }

    fn stroke(&mut self, path: &Path, color: &str, width: f32, dash: Option<[f32; 2]>) {
        let path = self.on_canvas(path);
        self.add(path, self.color(color), Style::Stroke { width, dash });
    }

    fn on_canvas(&self, path: &Path) -> Vec<Step> {
        let place = |to: [i32; 2]| self.place(to.map(|n| n as f32));
        let step = |stroke: &Stroke| match *stroke {
            Stroke::Move(to) => Step::Move(place(to)),
            Stroke::Line(to) => Step::Line(place(to)),
            Stroke::Close => Step::Close,
        };
        path.strokes().iter().map(step).collect()
    }

    fn lay(&mut self, photo: &PhotoUnder) {
        let [left, top, wide, high] = photo.frame.map(|n| n as f32);
        let (at, image) = (self.place([left, top]), photo.image.clone());
        self.figure.photo = Some(PlacedPhoto { image, at, wide: wide * self.scale, high: high * self.scale });
    }

    /// Under the lines, so that they stand out from whatever the photograph shows.
    fn casing(&mut self, sheet: &Sheet) {
        for (path, width) in [
            (&sheet.eaves, 12.0),
            (&sheet.hips, 8.0),
            (&sheet.valleys, 8.0),
            (&sheet.ridges, 10.0),
            (&sheet.dimensions, 7.0),
        ] {
            self.stroke(path, "--card", width, None);
        }
        self.stroke(&sheet.scale, "--card", 8.0, None);
    }

    /// An outline alone gets the middle shade, which stands out from the ground. A photograph shows the planes itself.
    fn roof(&mut self, sheet: &Sheet, outline: bool) {
        let facets = if self.figure.photo.is_some() { &[][..] } else { &sheet.facets };
        for (class, path) in facets {
            let name = match *class {
                "f f-w" => "--facet-w",
                "f f-s" => "--facet-s",
                "f f-e" => "--facet-e",
                _ if outline => "--facet-s",
                _ => "--facet-n",
            };
            let path = self.on_canvas(path);
            self.add(path, self.color(name), Style::Fill);
        }
        self.stroke(&sheet.hips, "--drawn", 2.5, None);
        self.stroke(&sheet.valleys, "--on-card-secondary", 3.0, Some([9.0, 7.0]));
        self.stroke(&sheet.ridges, "--drawn", 4.0, None);
        self.stroke(&sheet.eaves, "--drawn", 6.0, None);
    }

    fn measures(&mut self, sheet: &Sheet) {
        self.stroke(&sheet.dimensions, "--muted", 2.0, None);
        self.stroke(&sheet.scale, "--muted", 2.5, None);
        for label in &sheet.lengths {
            // The text interrupts the line that it stands on.
            let at = self.place([label.x as f32, label.y as f32]);
            let half = self.face.width(&label.text, LETTERS) / 2.0 + 9.0;
            let gap = [[-half, -17.0], [half, -17.0], [half, 17.0], [-half, 17.0]];
            self.add(polygon(&gap.map(|p| turned(at, label.turn, p))), self.figure.ground, Style::Fill);
            self.centred(at, label.turn, &label.text, LETTERS, "--text");
        }
        for Label { x, y, text, .. } in &sheet.scale_ends {
            let [x, y] = self.place([*x as f32, *y as f32]);
            self.plate([x, y], self.face.width(text, LETTERS * 0.9) / 2.0 + 8.0);
            self.centred([x, y], 0, text, LETTERS * 0.9, "--muted");
        }
    }

    /// A text whose middle is at a point, turned by degrees.
    fn centred(&mut self, at: Point, turn: i32, text: &str, size: f32, color: &str) {
        let half = self.face.width(text, size) / 2.0;
        // Capitals and digits of the font are 0.73 of its size high.
        let down = size * 0.365;
        let place = |[along, across]: Point| turned(at, turn, [along - half, across + down]);
        let path = self.face.outlines(text, size).into_iter().map(|step| step.map(place)).collect();
        self.add(path, self.color(color), Style::Fill);
    }

    /// The ground of a text that would stand on the photograph.
    fn plate(&mut self, at: Point, half: f32) {
        if self.figure.photo.is_some() {
            self.add(pill(at, half.max(18.0), 17.0), self.figure.ground, Style::Fill);
        }
    }

    /// North is up.
    fn compass(&mut self) {
        let [x, y] = [WIDTH - 62.0, 44.0];
        if self.figure.photo.is_some() {
            let ground = [[x - 28.0, 10.0], [x + 28.0, 10.0], [x + 28.0, y + 78.0], [x - 28.0, y + 78.0]];
            self.add(polygon(&ground), self.figure.ground, Style::Fill);
        }
        let left = [[x, y + 18.0], [x - 13.0, y + 66.0], [x, y + 56.0]];
        let all = [left[0], [x + 13.0, y + 66.0], left[2], left[1]];
        self.add(polygon(&left), self.color("--muted"), Style::Fill);
        self.add(polygon(&all), self.color("--muted"), Style::Stroke { width: 2.5, dash: None });
        self.centred([x, y - 4.0], 0, "N", 26.0, "--muted");
    }

    fn pin(&mut self, roof: &RoofDrawing, number: &str) {
        let Some(at) = pin_place(roof).filter(|_| !number.is_empty()) else { return };
        let at = self.place(at);
        let half = (self.face.width(number, NUMBER) / 2.0 + 14.0).max(32.0);
        let tail = [[at[0] - 9.0, at[1] + 28.0], [at[0] + 9.0, at[1] + 28.0], [at[0], at[1] + 46.0]];
        self.add(polygon(&tail), self.color("--primary"), Style::Fill);
        self.add(pill(at, half, 32.0), self.color("--primary"), Style::Fill);
        self.centred(at, 0, number, NUMBER, "--on-primary");
    }
}

/// On the largest facet; without facets, where there is most room around it.
fn pin_place(roof: &RoofDrawing) -> Option<Point> {
    if let Some(largest) = roof.facets.iter().max_by_key(|facet| facet.area) {
        return Some(largest.label.map(|n| n as f32));
    }
    let rings: Vec<Vec<Place>> = roof.rings.iter().map(|ring| ring.iter().map(place).collect()).collect();
    let sides: Vec<(Place, Place)> = rings.iter().flat_map(|ring| edges(ring)).collect();
    let (wide, high) = (f64::from(roof.width), f64::from(roof.height));
    let mut best: Option<(f64, Place)> = None;
    for n in 0..GRID * GRID {
        let share = |n: u32| (f64::from(n) + 0.5) / f64::from(GRID);
        let at = Place { x: share(n % GRID) * wide, y: share(n / GRID) * high };
        if rings.iter().filter(|ring| ring_contains(ring, at)).count() % 2 == 0 {
            continue;
        }
        let room = sides.iter().map(|side| distance(at, *side)).fold(f64::INFINITY, f64::min);
        if best.is_none_or(|(most, _)| room > most) {
            best = Some((room, at));
        }
    }
    best.map(|(_, at)| [at.x as f32, at.y as f32])
}

fn place(&[x, y]: &[i32; 2]) -> Place {
    Place { x: f64::from(x), y: f64::from(y) }
}

/// Squared, from a point to a line between two.
fn distance(p: Place, (a, b): (Place, Place)) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy).max(1e-9);
    let along = along.clamp(0.0, 1.0);
    let (x, y) = (p.x - a.x - along * dx, p.y - a.y - along * dy);
    x * x + y * y
}

fn polygon(points: &[Point]) -> Vec<Step> {
    let mut path: Vec<Step> =
        points.iter().enumerate().map(|(n, p)| if n == 0 { Step::Move(*p) } else { Step::Line(*p) }).collect();
    path.push(Step::Close);
    path
}

/// A point beside `at`, in a frame turned by degrees clockwise.
fn turned(at: Point, degrees: i32, [x, y]: Point) -> Point {
    let (sin, cos) = (degrees as f32).to_radians().sin_cos();
    [at[0] + x * cos - y * sin, at[1] + x * sin + y * cos]
}

/// A circle that is drawn out to both sides.
fn pill([x, y]: Point, half: f32, r: f32) -> Vec<Step> {
    let (k, d) = (r * 0.5523, half - r);
    let (left, right) = (x - d, x + d);
    vec![
        Step::Move([left, y - r]),
        Step::Line([right, y - r]),
        Step::Cubic([right + k, y - r], [right + r, y - k], [right + r, y]),
        Step::Cubic([right + r, y + k], [right + k, y + r], [right, y + r]),
        Step::Line([left, y + r]),
        Step::Cubic([left - k, y + r], [left - r, y + k], [left - r, y]),
        Step::Cubic([left - r, y - k], [left - k, y - r], [left, y - r]),
        Step::Close,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use crate::skin::light_palette;

    fn of(roof: &RoofDrawing, number: &str) -> Figure {
        figure(roof, None, number, &light_palette(&sample::widget().unwrap()), Language::English).unwrap()
    }

    #[test]
    fn the_pin_of_an_outline_stands_on_the_roof_away_from_its_edges_and_not_in_a_court() {
        let bare = RoofDrawing { facets: vec![], ..sample::drawing() };
        let [x, y] = pin_place(&bare).unwrap();
        // The corner of the L, where both wings meet, has the most room.
        assert!((350.0..430.0).contains(&x) && (130.0..220.0).contains(&y), "{x} {y}");
        let court = vec![[100, 100], [460, 100], [460, 434], [100, 434]];
        let around = vec![vec![[0, 0], [560, 0], [560, 534], [0, 534]], court];
        let [x, y] = pin_place(&RoofDrawing { rings: around, ..bare }).unwrap();
        assert!(!(100.0..460.0).contains(&x) || !(100.0..434.0).contains(&y), "{x} {y}");
        assert_eq!(pin_place(&RoofDrawing::default()), None);
    }

    #[test]
    fn everything_is_drawn_inside_the_picture() {
        let long = RoofDrawing { width: 2_200, height: 300, facets: vec![], lines: vec![], ..sample::drawing() };
        for roof in [sample::drawing(), long] {
            let figure = of(&roof, "1204-B");
            for point in figure.shapes.iter().flat_map(|shape| shape.path.iter()).flat_map(ends) {
                assert!(
                    (0.0..=figure.width).contains(&point[0]) && (0.0..=figure.height).contains(&point[1]),
                    "{point:?}"
                );
            }
        }
    }

    #[test]
    fn a_photograph_lies_under_the_lines_and_the_planes_are_left_to_it() {
        let image = RgbImage::from_pixel(8, 8, image::Rgb([200, 20, 20]));
        let mut webp = Vec::new();
        image.write_with_encoder(image::codecs::webp::WebPEncoder::new_lossless(&mut webp)).unwrap();
        let roof = sample::drawing();
        // Only under the western half of the roof.
        let under = PhotoUnder::new(&webp, [-2_000, -2_000, 2_000 + roof.width / 2, 4_000]).unwrap();
        let palette = light_palette(&sample::widget().unwrap());
        let figure = figure(&roof, Some(&under), "14", &palette, Language::English).unwrap();
        let painted = crate::drawing::png::paint(&figure).unwrap();
        assert_eq!(painted.media_type, "image/jpeg");
        let picture = image::load_from_memory(&painted.bytes).unwrap().into_rgb8();
        assert_eq!((picture.width() as f32, picture.height() as f32), (figure.width, figure.height));
        let red = |x: u32| picture.get_pixel(x, 12).0[0] > 150 && picture.get_pixel(x, 12).0[1] < 90;
        assert_eq!([red(8), red(400), red(760)], [true, true, false], "it ends in the middle of the roof");
        assert!(PhotoUnder::new(b"RIFF", [0; 4]).is_none());
    }

    #[test]
    fn a_house_number_is_a_pin_and_a_missing_one_is_none() {
        assert!(of(&sample::drawing(), "14").shapes.len() > of(&sample::drawing(), "").shapes.len());
    }

    fn ends(step: &Step) -> Option<Point> {
        match *step {
            Step::Move(p) | Step::Line(p) | Step::Quad(_, p) | Step::Cubic(_, _, p) => Some(p),
            Step::Close => None,
        }
    }
}
