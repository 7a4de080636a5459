//! A home and what stands around it, as the shapes of one drawing: street, neighbors, the home's buildings, lengths.
//!
//! Units are feet × 10 about the home's origin, y to the south. The window is four to three; wherever a pane has another
//! shape more of the surroundings shows, because nothing is cut off at the window's edge. `font` is the letter height in
//! a wide pane; in a narrow one letters are half as large again and more ([`LARGE`]), and room is left for those.

use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::{BuildingChoice, RoofFound};
use shingle_domain::roof::{LineKind, RoofDrawing};
use shingle_domain::surroundings::{StreetLine, Surroundings};

use crate::path::{Path, Place, written};
use crate::plan::{Detail, Label, arrow, label, labelled, length, measure, shade, turn};
use crate::words::{Words, thousands};

mod facets;
mod frame;
mod geometry;
pub mod homes;
mod streets;

pub use facets::ListedFacets;
use frame::Frame;
use geometry::{Spot, apart, edge_rooms, inner_point, middle, spot, tips};
use streets::{edges, grounds, nearest, touches};

/// Letters of narrow panes, in letters of wide ones: as the stylesheet has it.
const LARGE: f64 = 1.65;
/// The widths at which panes are looked at, in pixels: 320 px with little height, and a desktop's.
const PANES: [f64; 2] = [290.0, 574.0];
/// No window is smaller, feet × 10.
const MIN_WIDTH: f64 = 600.0;
/// The share of the window's height that tags may lie on, at the top of the smallest pane.
const TAGS: f64 = 0.2;

/// One building: a group of its own, so that it can be shown as chosen or not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shapes {
    /// In the roof answer.
    pub index: usize,
    /// Class and path of each plane; the whole outline when none is known.
    pub facets: Vec<(&'static str, Path)>,
    pub hips: Path,
    pub valleys: Path,
    pub ridges: Path,
    pub eaves: Path,
    pub arrows: Path,
    pub areas: Vec<Label>,
    /// `A`, where there are several.
    pub badge: Option<Label>,
}

/// An outline that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlined {
    /// Its place among the homes.
    pub index: usize,
    pub outline: Path,
    /// How wide a line about it has to be, in pixels, for a finger to hit it.
    pub margin: i32,
    pub plain: Badge,
    pub chosen: Badge,
}

/// A house number on a pill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Badge {
    /// Left, top, width and height.
    pub pill: [i32; 4],
    pub number: Label,
    /// Empty while it is not chosen.
    pub check: Path,
}

/// A pill whose tail ends on the roof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    pub tip: Place,
    /// Height of the tail, and half of its width.
    pub tail: i32,
    /// Height of the pill.
    pub tall: i32,
    /// Half of its width.
    pub half: i32,
}

impl Pin {
    /// What an SVG has as `d`.
    pub fn svg(&self) -> String {
        let Self { tip: [x, y], tail, tall, half } = *self;
        let (foot, head, radius) = (y - tail, y - tail - tall, tall / 2);
        let (left, right) = (x - half + radius, x + half - radius);
        let mut path = String::new();
        for (command, numbers) in [
            ('M', [x, y].as_slice()),
            ('L', &[x - tail, foot]),
            ('L', &[left, foot]),
            ('A', &[radius, radius, 0, 0, 1, left, head]),
            ('L', &[right, head]),
            ('A', &[radius, radius, 0, 0, 1, right, foot]),
            ('L', &[x + tail, foot]),
        ] {
            written(&mut path, command, numbers);
        }
        path.push('Z');
        path
    }
}

/// Everything to draw, in the order of drawing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Site {
    /// Left, top, width and height.
    pub view_box: [i32; 4],
    pub font: i32,
    pub street: Path,
    pub street_edges: Path,
    pub lot: Path,
    pub neighbors: Path,
    pub buildings: Vec<Shapes>,
    /// Homes that can be chosen.
    pub homes: Vec<Outlined>,
    pub street_names: Vec<Label>,
    pub numbers: Vec<Label>,
    /// Class and text of what a pane shows that is wider than the window.
    pub beside: Vec<(&'static str, Label)>,
    pub dimensions: Path,
    pub lengths: Vec<Label>,
    /// The pill over the home, its tip on the roof.
    pub pin: Option<(Pin, Label)>,
    /// Left, top, width and height of the ground that the scale stands on.
    pub chip: [i32; 4],
    pub scale: Path,
    pub scale_text: Option<Label>,
}

/// `None` where nothing of the home is drawn. `yours`: what the pin says.
pub fn site(words: Words, of: &RoofFound, chosen: Option<BuildingSet>, detail: Detail, yours: &str) -> Option<Site> {
    let shown: Vec<(usize, &BuildingChoice, &RoofDrawing)> = of
        .buildings
        .iter()
        .enumerate()
        .filter(|(index, _)| chosen.is_none_or(|chosen| chosen.contains(*index)))
        .filter_map(|(index, building)| Some((index, building, building.drawing.as_ref()?)))
        .collect();
    let nothing = Surroundings::default();
    let around = of.around.as_ref().unwrap_or(&nothing);
    let listed = ListedFacets::of(shown.iter().map(|(_, _, drawing)| *drawing)).filter(|_| detail == Detail::Paper);
    let has_switch = of.photo.is_some() && detail != Detail::Paper;
    let frame = Frame::of(detail, shown.len(), listed.is_some(), has_switch);
    let window = Window::of(&shown, around, frame)?;
    let pane = window.pane(frame);
    let many = of.buildings.len() > 1;
    let mut site = Site { view_box: window.view_box(), font: window.font.round() as i32, ..Site::default() };
    let streets: Vec<&StreetLine> = around.street.iter().chain(&around.other_streets).collect();
    site.street = grounds(&streets);
    site.street_edges = edges(&streets);
    if around.lot.len() > 2 {
        site.lot.outline(&around.lot);
    }
    for neighbor in &around.neighbors {
        site.neighbors.outline(&neighbor.ring);
    }
    let measures = detail != Detail::Areas;
    for (index, building, drawing) in &shown {
        let over = match (detail, &listed) {
            (Detail::Measures, _) => Over::Arrows((window.width * 0.036) as i32),
            (_, Some(listed)) => Over::Numbers(listed),
            _ => Over::Areas,
        };
        let shapes = shapes(*index, building.at, drawing, over);
        let badge = many.then(|| {
            let mut badge = Label { text: letter(*index), ..middle(drawing, building.at) };
            if shapes.areas.iter().any(|area| [area.x, area.y] == [badge.x, badge.y]) {
                // Over the text that is there.
                badge.y -= (window.large() * 1.2) as i32;
            }
            badge
        });
        site.buildings.push(Shapes { badge, ..shapes });
    }
    let mut taken = vec![window.compass()];
    if has_switch {
        taken.push(window.switch());
    }
    let (_, first, drawing) = shown.first()?;
    if measures {
        let (away, tick) = (window.large() * 0.95, window.large() * 0.35);
        for dimension in &drawing.dimensions {
            let text = length(dimension.length, words);
            let along =
                f64::from((dimension.to[0] - dimension.from[0]).pow(2) + (dimension.to[1] - dimension.from[1]).pow(2))
                    .sqrt();
            // A text longer than its edge would hide both ends.
            if along < window.text_width(&text) * 0.9 {
                continue;
            }
            let mut line = Path::default();
            let Some(label) = measure(&mut line, dimension, first.at, text, away as i32, tick as i32) else { continue };
            taken.push(window.room(&label));
            // Beside the house the length may lie on another building: its letter gives way, else the length does.
            let mut letters = site.buildings.iter_mut().zip(&shown);
            if letters.all(|(shapes, (_, of, drawing))| window.moves_letter(shapes, tips(drawing, of.at), &taken)) {
                site.dimensions.append(line);
                site.lengths.push(label);
            } else {
                taken.pop();
            }
        }
    }
    let texts = taken.len();
    // The roof itself keeps its corners.
    for (_, building, drawing) in &shown {
        taken.extend(edge_rooms(drawing, building.at, window.large()));
    }
    // The switch to the photograph is on the right.
    window.scale(&mut site, words, taken.split_at(texts), has_switch);
    if detail != Detail::Paper {
        // On a screen the pin stands on the roof.
        taken.truncate(texts);
    }
    taken.push(site.chip.map(f64::from));
    if !many && (detail == Detail::Measures || drawing.facets.is_empty()) {
        let pins = tips(drawing, first.at).into_iter().map(|tip| window.pin(tip, yours));
        let mut pins: Vec<_> = pins.collect();
        let free = pins.iter().position(|(_, label)| window.is_free(label, &taken)).unwrap_or(0);
        let pin = pins.swap_remove(free);
        taken.push(window.room(&pin.1));
        site.pin = Some(pin);
    }
    // Within the window, or beside it: a pane that is narrower cuts nothing in two.
    let beside = |label: &Label| apart(pane.room(label), &[window.sides(), pane.compass()]);
    for (at, street) in streets.iter().enumerate() {
        // On a crossing a name would be either street's.
        let own = |label: &Label| {
            let others = streets.iter().enumerate().filter(|(other, _)| *other != at);
            others.map(|(_, other)| other).all(|other| !touches(other, label, window.text_width(&label.text) / 2.0))
        };
        let inside = window.street_name(street, &taken, own);
        let outside = || pane.street_name(street, &taken, |label| own(label) && beside(label));
        if let Some(name) = inside {
            taken.push(window.room(&name));
            site.street_names.push(name);
        } else if let Some(name) = frame.paper.then(outside).flatten() {
            taken.push(window.room(&name));
            site.beside.push(("t-dim t-street far", name));
        }
    }
    for neighbor in &around.neighbors {
        let Some(number) = &neighbor.number else { continue };
        let inside = window.number(&neighbor.ring, number).filter(|l| window.is_free(l, &taken));
        let outside = || pane.number(&neighbor.ring, number).filter(|l| pane.is_free(l, &taken) && beside(l));
        if let Some(label) = inside {
            taken.push(window.room(&label));
            site.numbers.push(label);
        } else if let Some(label) = outside() {
            taken.push(window.room(&label));
            site.beside.push(("t-no far", label));
        }
    }
    Some(site)
}

/// What is written on the planes.
#[derive(Clone, Copy)]
enum Over<'a> {
    /// The way water runs; half the length of an arrow.
    Arrows(i32),
    Areas,
    /// Those under which the sheet lists them.
    Numbers(&'a ListedFacets<'a>),
}

/// What a building among several is called.
fn letter(index: usize) -> String {
    char::from(b'A' + (index % 26) as u8).to_string()
}

fn shapes(index: usize, at: [i32; 2], drawing: &RoofDrawing, over: Over<'_>) -> Shapes {
    let moved = |[x, y]: [i32; 2]| [x + at[0], y + at[1]];
    let ring = |ring: &[[i32; 2]]| ring.iter().copied().map(moved).collect::<Vec<_>>();
    let mut shapes = Shapes { index, ..Shapes::default() };
    for each in &drawing.rings {
        shapes.eaves.outline(&ring(each));
    }
    if drawing.facets.is_empty() {
        shapes.facets.push(("f flat", shapes.eaves.clone()));
    }
    for facet in &drawing.facets {
        let mut path = Path::default();
        path.outline(&ring(&facet.ring));
        shapes.facets.push((shade(facet.aspect), path));
    }
    for line in &drawing.lines {
        let path = match line.kind {
            LineKind::Hip => &mut shapes.hips,
            LineKind::Valley => &mut shapes.valleys,
            LineKind::Ridge => &mut shapes.ridges,
        };
        path.line(&[moved(line.from), moved(line.to)]);
    }
    if let Over::Numbers(listed) = over {
        shapes.areas.extend(drawing.facets.iter().filter_map(|facet| {
            let [x, y] = moved(facet.label);
            Some(label(x, y, listed.number(facet)?.to_string()))
        }));
        return shapes;
    }
    for facet in labelled(&drawing.facets) {
        let [x, y] = moved(facet.label);
        if let Over::Arrows(half) = over {
            let facet = shingle_domain::roof::Facet { label: [x, y], ..facet.clone() };
            arrow(&mut shapes.arrows, &facet, half);
        } else {
            shapes.areas.push(label(x, y, thousands(facet.area.into())));
        }
    }
    shapes
}

/// What the drawing shows at least.
#[derive(Clone)]
struct Window {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    font: f64,
}

impl Window {
    fn of(shown: &[(usize, &BuildingChoice, &RoofDrawing)], around: &Surroundings, frame: Frame) -> Option<Self> {
        let street = around.street.as_ref();
        let ends = |axis: usize| {
            let low = shown.iter().map(|(_, b, _)| b.at[axis]).min();
            let size = |d: &RoofDrawing| [d.width, d.height][axis];
            let high = shown.iter().map(|(_, b, d)| b.at[axis] + size(d)).max();
            Some([f64::from(low?), f64::from(high?)])
        };
        let ([west, east], [north, south]) = (ends(0)?, ends(1)?);
        let needed = ((east - west) / frame.share[0]).max((south - north) / frame.share[1] * 4.0 / 3.0).max(MIN_WIDTH);
        let middle = [(west + east) / 2.0, (north + south) / 2.0];
        let (mut plain, mut found) = (None, None);
        for &zoom in frame.zooms {
            let width = (needed * zoom).round();
            let mut window = Self { left: 0.0, top: 0.0, width, height: width * 0.75, font: width * 14.0 / 574.0 };
            // Lengths and a letter stand around the home.
            let margin = window.large() * 1.7;
            let slack = [(width - (east - west)) / 2.0 - margin, (window.height - (south - north)) / 2.0 - margin];
            let under_tags = (window.height - (south - north)) / 2.0 - window.height * TAGS;
            let aim = street.map_or(middle, |street| nearest(street, middle));
            let pull = [0, 1].map(|axis| {
                let slack = slack[axis].max(0.0);
                ((aim[axis] - middle[axis]) * 0.5).clamp(-slack, slack)
            });
            let pull = [pull[0], pull[1].min(under_tags.max(-slack[1].max(0.0)))];
            let above_foot = window.height * frame.foot - (window.height - (south - north)) / 2.0;
            let pull = [pull[0], if frame.foot > 0.0 { pull[1].max(above_foot.min(under_tags)) } else { pull[1] }];
            window.left = middle[0] + pull[0] - width / 2.0;
            window.top = middle[1] + pull[1] - window.height / 2.0;
            let with_street = street.is_none_or(|_| window.holds(aim, window.large() * 0.6));
            let seen = if frame.paper { window.pane(frame) } else { window.clone() };
            if with_street && zoom <= Frame::MAX_ZOOM_FOR_A_NEIGHBOR && seen.shows_a_neighbor(around) {
                return Some(window);
            }
            plain = plain.or_else(|| Some(window.clone()));
            found = found.or_else(|| with_street.then_some(window));
        }
        found.or(plain)
    }

    fn shows_a_neighbor(&self, around: &Surroundings) -> bool {
        let shown = |ring: &[[i32; 2]], number: &str| self.number(ring, number).is_some();
        around.neighbors.iter().any(|of| of.number.as_ref().is_some_and(|number| shown(&of.ring, number)))
    }

    /// With what is seen beside it.
    fn pane(&self, frame: Frame) -> Self {
        let width = self.width * frame.pane;
        Self { left: self.left - (width - self.width) / 2.0, width, ..self.clone() }
    }

    /// Left, top, width and height.
    fn sides(&self) -> [f64; 4] {
        [self.left, self.top, self.width, self.height]
    }

    /// The letter height of a narrow pane.
    fn large(&self) -> f64 {
        self.font * LARGE
    }

    fn view_box(&self) -> [i32; 4] {
        self.sides().map(|n| n.round() as i32)
    }

    fn holds(&self, [x, y]: Spot, inset: f64) -> bool {
        (self.left + inset..=self.left + self.width - inset).contains(&x)
            && (self.top + inset..=self.top + self.height - inset).contains(&y)
    }

    fn text_width(&self, text: &str) -> f64 {
        text.chars().count() as f64 * 0.58 * self.large()
    }

    /// The box about a text: left, top, width, height.
    fn room(&self, of: &Label) -> [f64; 4] {
        let (sin, cos) = f64::from(of.turn).to_radians().sin_cos();
        let (along, across) = (self.text_width(&of.text), self.large() * 1.2);
        let wide = along * cos.abs() + across * sin.abs();
        let high = along * sin.abs() + across * cos.abs();
        [f64::from(of.x) - wide / 2.0, f64::from(of.y) - high / 2.0, wide, high]
    }

    fn is_free(&self, of: &Label, taken: &[[f64; 4]]) -> bool {
        let [x, y, wide, high] = self.room(of);
        let inside = self.holds([x, y], 0.0) && self.holds([x + wide, y + high], 0.0);
        inside && apart([x, y, wide, high], taken)
    }

    /// Puts a building's letter where none of `taken` is; `false` where its roof has no such place.
    fn moves_letter(&self, of: &mut Shapes, tips: Vec<Label>, taken: &[[f64; 4]]) -> bool {
        let Some(badge) = &mut of.badge else { return true };
        let free = |label: &Label| apart(self.room(label), taken);
        if !free(badge) {
            let text = core::mem::take(&mut badge.text);
            let mut places = tips.into_iter().map(|tip| Label { text: text.clone(), ..tip });
            let found = places
                .find(|place| free(place) && of.areas.iter().all(|area| apart(self.room(area), &[self.room(place)])));
            let is_found = found.is_some();
            *badge = found.unwrap_or(Label { text, ..badge.clone() });
            return is_found;
        }
        true
    }

    /// Where the switch to the photograph lies over the drawing, at the bottom right.
    fn switch(&self) -> [f64; 4] {
        let (width, height) = (self.width * 0.44, self.height * 0.2);
        [self.left + self.width - width, self.top + self.height - height, width, height]
    }

    /// Where the compass lies over the drawing, at the top right.
    fn compass(&self) -> [f64; 4] {
        let size = self.width * 0.16;
        [self.left + self.width - size, self.top, size, size]
    }

    /// At the foot of the window, where neither a length nor a roof stands; if a roof is everywhere, where no length does.
    fn scale(&self, site: &mut Site, words: Words, (texts, roofs): (&[[f64; 4]], &[[f64; 4]]), on_left: bool) {
        let [small, wide] = PANES.map(|pixels| pixels / self.width);
        let fits = |feet: &i32| f64::from(feet * 10) * small >= 38.0 && f64::from(feet * 10) * wide <= 118.0;
        let lengths = [5, 10, 20, 50, 100, 200];
        // A window that none fits exactly gets the one that is nearest to a sixth of it.
        let feet = lengths
            .into_iter()
            .find(fits)
            .or_else(|| lengths.into_iter().min_by_key(|feet| (f64::from(feet * 10) - self.width / 6.0).abs() as i64));
        let Some(feet) = feet else { return };
        let (bar, text, large) = (f64::from(feet * 10), length(feet * 10, words), self.large());
        let (pad, high) = (large * 0.45, large * 1.7);
        let across = bar + self.text_width(&text) + pad * 3.0;
        let top = self.top + self.height * 0.985 - high;
        let ends = [self.left + self.width * 0.99 - across, self.left + self.width * 0.01];
        let places = if on_left { [ends[1]; 3] } else { [ends[0], ends[1], (ends[0] + ends[1]) / 2.0] };
        let free = |left: &f64, taken| apart([*left, top, across, high], taken);
        let beside_texts = places.into_iter().filter(|left| free(left, texts));
        let left = beside_texts.clone().find(|left| free(left, roofs)).or_else(|| beside_texts.clone().next());
        let left = left.unwrap_or(places[0]);
        site.chip = [left, top, across, high].map(|n| n.round() as i32);
        let [x, foot] = [(left + pad).round() as i32, (top + high * 0.66).round() as i32];
        let head = (top + high * 0.36).round() as i32;
        let end = x + feet * 10;
        site.scale.line(&[[x, head], [x, foot], [end, foot], [end, head]]);
        let middle = f64::from(end) + pad + self.text_width(&text) / 2.0;
        site.scale_text = Some(label(middle.round() as i32, (top + high / 2.0).round() as i32, text));
    }

    /// A pill with a tip, and its text.
    fn pin(&self, tip: Label, text: &str) -> (Pin, Label) {
        let large = self.large();
        let half = (self.text_width(text) / 2.0 + large * 0.5).round() as i32;
        let (tall, tail) = ((large * 1.7).round() as i32, (large * 0.5).round() as i32);
        let pin = Pin { tip: [tip.x, tip.y], tail, tall, half };
        (pin, label(tip.x, tip.y - tail - tall / 2, text.to_owned()))
    }

    /// Along the street, whole or not at all.
    fn street_name(&self, street: &StreetLine, taken: &[[f64; 4]], fits: impl Fn(&Label) -> bool) -> Option<Label> {
        let (from, to) = (spot(street.from), spot(street.to));
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let run = dx.hypot(dy).max(1.0);
        let steps = (run / self.large()) as i32;
        let places = (0..=steps).map(|n| {
            let share = f64::from(n) / f64::from(steps.max(1));
            let at = [from[0] + dx * share, from[1] + dy * share];
            Label { turn: turn(dx, dy), ..label(at[0].round() as i32, at[1].round() as i32, street.name.clone()) }
        });
        let middle = [self.left + self.width * 0.42, self.top + self.height / 2.0];
        let away = |l: &Label| ((f64::from(l.x) - middle[0]).hypot(f64::from(l.y) - middle[1])) as i64;
        // Beside the tags of a narrow pane rather than under them.
        let tags = [[self.left, self.top, self.width * 0.57, self.height * TAGS]];
        let free = places.filter(|place| self.is_free(place, taken) && fits(place));
        free.min_by_key(|place| (!apart(self.room(place), &tags), away(place)))
    }

    /// A neighbor's number, in the middle of what the window shows of the building; `None` where that is too little.
    fn number(&self, ring: &[[i32; 2]], number: &str) -> Option<Label> {
        let seen = self.clipped(ring);
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in &seen {
            for axis in 0..2 {
                low[axis] = low[axis].min(p[axis]);
                high[axis] = high[axis].max(p[axis]);
            }
        }
        // 26 x 22 px on a phone of 390.
        if seen.len() < 3 || high[0] - low[0] < self.font * 2.75 || high[1] - low[1] < self.font * 2.3 {
            return None;
        }
        let corners: Vec<[i32; 2]> = seen.iter().map(|p| p.map(|n| n.round() as i32)).collect();
        let [x, y] = inner_point(&corners)?;
        Some(label(x, y, number.to_owned()))
    }

    /// What of a ring lies in the window (Sutherland and Hodgman).
    fn clipped(&self, ring: &[[i32; 2]]) -> Vec<Spot> {
        let mut seen: Vec<Spot> = ring.iter().copied().map(spot).collect();
        let sides = [
            (0, self.left, 1.0),
            (0, self.left + self.width, -1.0),
            (1, self.top, 1.0),
            (1, self.top + self.height, -1.0),
        ];
        for (axis, bound, sign) in sides {
            let inside = |p: &Spot| (p[axis] - bound) * sign >= 0.0;
            let mut kept = Vec::with_capacity(seen.len() + 2);
            for (a, b) in seen.iter().zip(seen.iter().cycle().skip(1)) {
                if inside(a) {
                    kept.push(*a);
                }
                if inside(a) != inside(b) {
                    let share = (bound - a[axis]) / (b[axis] - a[axis]);
                    kept.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
                }
            }
            seen = kept;
        }
        seen
    }
}

#[cfg(test)]
mod tests;
