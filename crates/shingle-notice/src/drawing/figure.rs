//! A roof as shapes: the sheet that the flow draws too, with the house number, on a light ground.

use shingle_domain::evidence::Point as Place;
use shingle_domain::geometry::ring_contains;
use shingle_domain::roof::RoofDrawing;
use shingle_widget::palette::Palette;
use shingle_widget::plan::{Detail, Label, Sheet, sheet};
use shingle_widget::words::Language;

use super::font::{Face, SEMIBOLD};
use super::shape::{Figure, Point, Rgb, Shape, Step, Style};
use crate::error::NoticeError;

/// Twice the width at which mails show it.
pub const WIDTH: f32 = 1120.0;
const MAX_HEIGHT: f32 = 760.0;
const MIN_HEIGHT: f32 = 380.0;
/// Letters and lines, in pixels.
const LETTERS: f32 = 29.0;
const NUMBER: f32 = 32.0;

/// `number` is the house number on the pin; empty for none.
pub fn figure(roof: &RoofDrawing, number: &str, palette: &Palette, language: Language) -> Result<Figure, NoticeError> {
    let sheet = sheet(roof, Detail::Measures, language.words());
    let mut canvas = Canvas::of(&sheet, palette)?;
    canvas.roof(&sheet);
    canvas.measures(&sheet);
    canvas.compass();
    canvas.pin(roof, number);
    Ok(canvas.figure)
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
        let mut numbers = sheet.view_box.split(' ').filter_map(|n| n.parse::<f32>().ok());
        let mut next = || numbers.next().unwrap_or(1.0);
        let [left, top, wide, high] = [next(), next(), next(), next()];
        let scale = (WIDTH / wide.max(1.0)).min(MAX_HEIGHT / high.max(1.0));
        let height = (high * scale).round().clamp(MIN_HEIGHT, MAX_HEIGHT);
        let origin = [(WIDTH - wide * scale) / 2.0 - left * scale, (height - high * scale) / 2.0 - top * scale];
        let ground = palette.rgb("--wash").unwrap_or([255; 3]);
        let figure = Figure { width: WIDTH, height, ground, shapes: Vec::new() };
        Ok(Self { figure, palette, face: Face::of(SEMIBOLD)?, scale, origin })
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

    fn stroke(&mut self, path: &str, color: &str, width: f32, dash: Option<[f32; 2]>) {
        let path = self.on_canvas(path);
        self.add(path, self.color(color), Style::Stroke { width, dash });
    }

    fn on_canvas(&self, path: &str) -> Vec<Step> {
        steps(path).into_iter().map(|step| step.map(|p| self.place(p))).collect()
    }

    fn roof(&mut self, sheet: &Sheet) {
        for (class, path) in &sheet.facets {
            let name = match *class {
                "f f-w" => "--facet-w",
                "f f-s" => "--facet-s",
                "f f-e" => "--facet-e",
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
            let middle = sheet.font as f32 / 3.0 * self.scale;
            let [x, y] = if label.upright { [at[0] - middle, at[1]] } else { [at[0], at[1] - middle] };
            let [wide, high] = if label.upright { [17.0, half] } else { [half, 17.0] };
            self.add(rectangle([x - wide, y - high], [x + wide, y + high]), self.figure.ground, Style::Fill);
            self.centred([x, y], label.upright, &label.text, LETTERS, "--text");
        }
        for Label { x, y, text, .. } in &sheet.scale_ends {
            let [x, y] = self.place([*x as f32, *y as f32]);
            self.centred([x, y - LETTERS * 0.36], false, text, LETTERS * 0.9, "--muted");
        }
    }

    /// A text whose middle is at a point, running up if `upright`.
    fn centred(&mut self, [x, y]: Point, upright: bool, text: &str, size: f32, color: &str) {
        let half = self.face.width(text, size) / 2.0;
        // Capitals and digits of the font are 0.73 of its size high.
        let down = size * 0.365;
        let turn = |[along, across]: Point| {
            if upright { [x + across + down, y - along + half] } else { [x + along - half, y + across + down] }
        };
        let path = self.face.outlines(text, size).into_iter().map(|step| step.map(turn)).collect();
        self.add(path, self.color(color), Style::Fill);
    }

    /// North is up.
    fn compass(&mut self) {
        let [x, y] = [WIDTH - 62.0, 44.0];
        let left = [[x, y + 18.0], [x - 13.0, y + 66.0], [x, y + 56.0]];
        let all = [left[0], [x + 13.0, y + 66.0], left[2], left[1]];
        self.add(polygon(&left), self.color("--muted"), Style::Fill);
        self.add(polygon(&all), self.color("--muted"), Style::Stroke { width: 2.5, dash: None });
        self.centred([x, y - 4.0], false, "N", 26.0, "--muted");
    }

    fn pin(&mut self, roof: &RoofDrawing, number: &str) {
        let Some(at) = pin_place(roof).filter(|_| !number.is_empty()) else { return };
        let at = self.place(at);
        let half = (self.face.width(number, NUMBER) / 2.0 + 14.0).max(32.0);
        let tail = [[at[0] - 9.0, at[1] + 28.0], [at[0] + 9.0, at[1] + 28.0], [at[0], at[1] + 46.0]];
        self.add(polygon(&tail), self.color("--primary"), Style::Fill);
        self.add(pill(at, half, 32.0), self.color("--primary"), Style::Fill);
        self.centred(at, false, number, NUMBER, "--on-primary");
    }
}

/// On the largest facet; without facets, in the widest part of the middle of the roof.
fn pin_place(roof: &RoofDrawing) -> Option<Point> {
    if let Some(largest) = roof.facets.iter().max_by_key(|facet| facet.area) {
        return Some(largest.label.map(|n| n as f32));
    }
    let ring = roof.rings.first()?;
    let places: Vec<Place> = ring.iter().map(|[x, y]| Place { x: f64::from(*x), y: f64::from(*y) }).collect();
    let y = f64::from(roof.height) / 2.0 + 0.5;
    // Sixty-four points along the middle: the centre of the longest run of those inside.
    let step = f64::from(roof.width) / 64.0;
    let inside = (0..=64).map(|n| ring_contains(&places, Place { x: f64::from(n) * step, y }));
    let (mut best, mut run) = ((0, 0), (0, 0));
    for (n, inside) in (0..).zip(inside) {
        run = if inside { (run.0, n + 1) } else { (n + 1, n + 1) };
        if run.1 - run.0 > best.1 - best.0 {
            best = run;
        }
    }
    let middle = f64::from(best.0 + best.1 - 1) / 2.0 * step;
    (best.1 > best.0).then_some([middle as f32, y as f32])
}

/// The steps of a path that the plan wrote: `M`, `L` and `Z` with whole numbers.
fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in path.split_inclusive(['M', 'L', 'Z']).collect::<Vec<_>>().windows(2) {
        let [command, point] = part else { continue };
        let point = point.trim_end_matches(['M', 'L', 'Z']).split_once(' ');
        let point = point.and_then(|(x, y)| Some([x.parse().ok()?, y.parse().ok()?]));
        match (command.chars().last(), point) {
            (Some('M'), Some(p)) => steps.push(Step::Move(p)),
            (Some('L'), Some(p)) => steps.push(Step::Line(p)),
            (Some('Z'), _) => steps.push(Step::Close),
            _ => {}
        }
    }
    if path.ends_with('Z') {
        steps.push(Step::Close);
    }
    steps
}

fn polygon(points: &[Point]) -> Vec<Step> {
    let mut path: Vec<Step> =
        points.iter().enumerate().map(|(n, p)| if n == 0 { Step::Move(*p) } else { Step::Line(*p) }).collect();
    path.push(Step::Close);
    path
}

fn rectangle([left, top]: Point, [right, bottom]: Point) -> Vec<Step> {
    polygon(&[[left, top], [right, top], [right, bottom], [left, bottom]])
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
