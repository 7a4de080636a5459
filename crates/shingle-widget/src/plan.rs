//! A roof drawing as paths and labels. Feet × 10, north up; strokes do not scale, so only
//! places and letter sizes are worked out here, in whole numbers.
//!
//! # Decisions
//!
//! - One drawing serves every pane (`site.rs`): a 4:3 window holds the home with its lengths, and the SVG overflows,
//!   so another shape shows more street instead of a margin. It grows by a fifth to show a neighbor and leaves the
//!   top to tags. Texts yield to the home, its lengths, scale and compass; a street's name is whole or absent. Turned
//!   down: a drawing per width.
//! - In forced colors the drawing takes system colors: browsers leave SVG alone, and dark ink on black is invisible.
//!   axe reads a sheet's colors there, so its contrast rule is off in that mode and a rule of ours checks the
//!   drawing.

use shingle_domain::roof::{Aspect, Dimension, Facet, LineKind, RoofDrawing, Side};

use crate::path::Path;
use crate::words::{Words, tenths, w};

/// What is drawn over the roof itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Lengths of the sides, arrows the way water runs, a scale.
    Measures,
    /// The area of each facet.
    Areas,
    /// For paper, which has room: lengths and areas; numbers instead of areas where there is a table of facets.
    Paper,
}

/// A facet too small for a label, in square feet.
pub(crate) const MIN_LABELLED_AREA: u32 = 40;
/// With more facets than this, only the largest are labelled.
pub(crate) const MAX_LABELLED: usize = 12;
const MAX_LABELLED_OF_MANY: usize = 6;

/// A text about a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Its middle.
    pub x: i32,
    pub y: i32,
    /// Degrees clockwise, from -90 to 89: never upside down.
    pub turn: i32,
    pub text: String,
}

/// Everything to draw, in the order of drawing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sheet {
    /// Left, top, width and height.
    pub view_box: [i32; 4],
    /// Letter height in the drawing's units: about 14 px in the wide layout.
    pub font: i32,
    /// Class and path of each facet; the whole outline when no facet is known.
    pub facets: Vec<(&'static str, Path)>,
    pub hips: Path,
    pub valleys: Path,
    pub ridges: Path,
    pub eaves: Path,
    pub dimensions: Path,
    pub arrows: Path,
    pub lengths: Vec<Label>,
    pub areas: Vec<Label>,
    pub scale: Path,
    pub scale_ends: Vec<Label>,
}

/// Feet along each kind of line: ridges, hips, valleys, eaves.
pub fn lengths(drawing: &RoofDrawing) -> [u32; 4] {
    let along = |kind| drawing.lines.iter().filter(|l| l.kind == kind).map(|l| l.length).sum();
    let eaves: f64 = drawing.rings.iter().map(|r| perimeter(r)).sum();
    [along(LineKind::Ridge), along(LineKind::Hip), along(LineKind::Valley), (eaves / 10.0).round() as u32]
}

fn perimeter(ring: &[[i32; 2]]) -> f64 {
    let ends = ring.iter().cycle().skip(1);
    ring.iter().zip(ends).map(|(a, b)| f64::from((b[0] - a[0]).pow(2) + (b[1] - a[1]).pow(2)).sqrt()).sum()
}

pub fn sheet(drawing: &RoofDrawing, detail: Detail, words: Words) -> Sheet {
    let (width, height) = (drawing.width.max(1), drawing.height.max(1));
    let longest = width.max(height);
    // The measures of the design are those of a roof 56 ft long.
    let unit = |n: i32| n * longest / 560;
    let measures = detail == Detail::Measures;
    let (side, top, bottom) = if measures { (130, 110, 230) } else { (110, 100, 110) };
    let (full_width, full_height) = (width + 2 * unit(side), height + unit(top) + unit(bottom));
    let mut sheet = Sheet {
        view_box: [-unit(side), -unit(top), full_width, full_height],
        font: (full_width * 14 / 574).max(full_height * 14 / 560).max(1),
        ..Sheet::default()
    };
    for ring in &drawing.rings {
        sheet.eaves.outline(ring);
    }
    if drawing.facets.is_empty() {
        sheet.facets.push(("f f-n", sheet.eaves.clone()));
    }
    for facet in &drawing.facets {
        let mut path = Path::default();
        path.outline(&facet.ring);
        sheet.facets.push((shade(facet.aspect), path));
    }
    for line in &drawing.lines {
        let path = match line.kind {
            LineKind::Hip => &mut sheet.hips,
            LineKind::Valley => &mut sheet.valleys,
            LineKind::Ridge => &mut sheet.ridges,
        };
        path.line(&[line.from, line.to]);
    }
    for facet in labelled(&drawing.facets) {
        if measures {
            arrow(&mut sheet.arrows, facet, unit(30));
        } else {
            let [x, y] = facet.label;
            sheet.areas.push(label(x, y, crate::words::thousands(facet.area.into())));
        }
    }
    if measures {
        for dimension in &drawing.dimensions {
            let text = length(dimension.length, words);
            sheet.lengths.extend(measure(&mut sheet.dimensions, dimension, [0, 0], text, unit(44), unit(10)));
        }
        scale(&mut sheet, [width, height], unit(118), unit(8), words);
    }
    sheet
}

pub(crate) fn shade(aspect: Aspect) -> &'static str {
    match aspect {
        Aspect::North | Aspect::Flat => "f f-n",
        Aspect::West => "f f-w",
        Aspect::South => "f f-s",
        Aspect::East => "f f-e",
    }
}

pub(crate) fn labelled(facets: &[Facet]) -> Vec<&Facet> {
    let most = if facets.len() > MAX_LABELLED { MAX_LABELLED_OF_MANY } else { MAX_LABELLED };
    let larger = |than: &Facet| facets.iter().filter(|f| f.area > than.area).count();
    facets.iter().filter(|f| f.area >= MIN_LABELLED_AREA && larger(f) < most).take(most).collect()
}

/// An arrow over the middle of a facet, the way water runs down it.
pub(crate) fn arrow(path: &mut Path, facet: &Facet, half: i32) {
    let (dx, dy) = match facet.aspect {
        Aspect::North => (0, -1),
        Aspect::East => (1, 0),
        Aspect::South => (0, 1),
        Aspect::West => (-1, 0),
        Aspect::Flat => return,
    };
    // No longer than fits on the facet.
    let half = half.min((facet.area.saturating_mul(100).isqrt() / 6) as i32);
    let head = half / 3;
    let [x, y] = facet.label;
    let tip = [x + dx * half, y + dy * half];
    path.line(&[[x - dx * half, y - dy * half], tip]);
    path.line(&[
        [tip[0] - dx * head + dy * head, tip[1] - dy * head + dx * head],
        tip,
        [tip[0] - dx * head - dy * head, tip[1] - dy * head - dx * head],
    ]);
}

/// A line along the edge that it measures, `away` from it and with ticks at its ends, and its text; `None` where the edge
/// has no length. `shift` is where the drawing's origin lies.
pub(crate) fn measure(
    path: &mut Path,
    of: &Dimension,
    shift: [i32; 2],
    text: String,
    away: i32,
    tick: i32,
) -> Option<Label> {
    let (dx, dy) = (f64::from(of.to[0] - of.from[0]), f64::from(of.to[1] - of.from[1]));
    let run = dx.hypot(dy);
    if run < 1.0 {
        return None;
    }
    let (along_x, along_y) = (dx / run, dy / run);
    // Outwards: across the edge, to the side that it faces.
    let faces = match of.side {
        Side::North => -along_x,
        Side::South => along_x,
        Side::East => -along_y,
        Side::West => along_y,
    };
    let (out_x, out_y) = if faces < 0.0 { (along_y, -along_x) } else { (-along_y, along_x) };
    let at = |[x, y]: [i32; 2], by: i32| {
        let by = f64::from(by);
        [shift[0] + x + (out_x * by).round() as i32, shift[1] + y + (out_y * by).round() as i32]
    };
    for end in [of.from, of.to] {
        path.line(&[at(end, away - tick), at(end, away + tick)]);
    }
    let [from, to] = [at(of.from, away), at(of.to, away)];
    path.line(&[from, to]);
    Some(Label { x: (from[0] + to[0]) / 2, y: (from[1] + to[1]) / 2, turn: turn(dx, dy), text })
}

/// The angle of a line for a text along it: from left to right, or upwards.
pub(crate) fn turn(dx: f64, dy: f64) -> i32 {
    let degrees = (dy.atan2(dx).to_degrees().round() as i32).rem_euclid(180);
    if degrees >= 90 { degrees - 180 } else { degrees }
}

fn scale(sheet: &mut Sheet, [width, height]: [i32; 2], below: i32, tick: i32, words: Words) {
    let feet = [200, 100, 50, 20, 10, 5].into_iter().find(|feet| feet * 10 <= width / 2).unwrap_or(5);
    let (y, end) = (height + below, feet * 10);
    sheet.scale.line(&[[0, y - tick], [0, y], [end, y], [end, y - tick]]);
    sheet.scale.line(&[[end / 2, y - tick], [end / 2, y]]);
    let foot = y + sheet.font * 5 / 3;
    sheet.scale_ends = vec![label(0, foot, "0".to_owned()), label(end, foot, length(end, words))];
}

/// Feet × 10 in words: `53.4 ft`.
pub fn length(tenths_of_feet: i32, words: Words) -> String {
    [&tenths(tenths_of_feet.into()), " ", &words[w::FEET]].concat()
}

pub(crate) fn label(x: i32, y: i32, text: String) -> Label {
    Label { x, y, turn: 0, text }
}

/// The roof of the first step, before there is a real one: an L-shaped hip roof, 6/12, whose figures add up.
pub fn example() -> RoofDrawing {
    use Aspect::{East, North, South, West};
    use LineKind::{Hip, Ridge, Valley};
    use shingle_domain::roof::{DrawingBasis, OuterEdges, RoofLine};
    type Corners = &'static [[i32; 2]];
    const RING: Corners = &[[0, 0], [560, 0], [560, 534], [330, 534], [330, 300], [0, 300]];
    const FACETS: &[(Aspect, u32, [i32; 2], Corners)] = &[
        (North, 688, [280, 80], &[[0, 0], [560, 0], [410, 150], [150, 150]]),
        (West, 251, [56, 154], &[[0, 0], [150, 150], [0, 300]]),
        (South, 540, [232, 234], &[[0, 300], [150, 150], [410, 150], [445, 185], [330, 300]]),
        (West, 301, [388, 364], &[[330, 300], [445, 185], [445, 419], [330, 534]]),
        (South, 148, [445, 498], &[[330, 534], [445, 419], [560, 534]]),
        (East, 552, [506, 284], &[[560, 0], [560, 534], [445, 419], [445, 185], [410, 150]]),
    ];
    const LINES: &[(LineKind, u32, [i32; 2], [i32; 2])] = &[
        (Hip, 23, [0, 0], [150, 150]),
        (Hip, 22, [0, 300], [150, 150]),
        (Hip, 23, [560, 0], [410, 150]),
        (Hip, 5, [410, 150], [445, 185]),
        (Hip, 17, [330, 534], [445, 419]),
        (Hip, 17, [560, 534], [445, 419]),
        (Valley, 17, [330, 300], [445, 185]),
        (Ridge, 26, [150, 150], [410, 150]),
        (Ridge, 23, [445, 185], [445, 419]),
    ];
    let facet = |&(aspect, area, label, ring): &_| Facet { ring: <[_]>::to_vec(ring), area, aspect, label };
    RoofDrawing {
        width: 560,
        height: 534,
        rings: vec![RING.to_vec()],
        facets: FACETS.iter().map(facet).collect(),
        lines: LINES.iter().map(|&(kind, length, from, to)| RoofLine { kind, from, to, length }).collect(),
        // It is shown with its areas.
        dimensions: Vec::new(),
        outer: Some(OuterEdges { eaves: 219, rakes: 0 }),
        basis: DrawingBasis::Measured,
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::Language;

    use super::*;
    use crate::words::flow_words;

    fn sheet(drawing: &RoofDrawing, detail: Detail) -> Sheet {
        super::sheet(drawing, detail, flow_words(Language::English))
    }

    #[test]
    fn the_example_adds_up() {
        let roof = example();
        assert_eq!(roof.facets.iter().map(|f| f.area).sum::<u32>(), 2480);
        assert_eq!(lengths(&roof), [49, 107, 17, 219]);
    }

    #[test]
    fn every_facet_is_one_path_with_the_shade_of_its_side() {
        let sheet = sheet(&example(), Detail::Areas);
        assert_eq!(sheet.facets.len(), 6);
        let (class, path) = &sheet.facets[1];
        assert_eq!((*class, path.svg().as_str()), ("f f-w", "M0 0L150 150L0 300Z"));
        assert_eq!(
            sheet.areas.iter().map(|l| l.text.as_str()).collect::<Vec<_>>(),
            ["688", "251", "540", "301", "148", "552"]
        );
        assert!(sheet.arrows.is_empty() && sheet.lengths.is_empty());
    }

    #[test]
    fn measures_show_lengths_arrows_and_a_scale() {
        let dimensions = vec![
            Dimension { side: Side::North, from: [0, 0], to: [560, 0], length: 560 },
            Dimension { side: Side::East, from: [560, 0], to: [560, 534], length: 534 },
            Dimension { side: Side::South, from: [330, 534], to: [560, 534], length: 230 },
            Dimension { side: Side::West, from: [0, 0], to: [0, 300], length: 300 },
        ];
        let sheet = sheet(&RoofDrawing { dimensions, ..example() }, Detail::Measures);
        assert_eq!(sheet.view_box, [-130, -110, 820, 874]);
        assert_eq!(
            sheet.lengths.iter().map(|l| l.text.as_str()).collect::<Vec<_>>(),
            ["56 ft", "53.4 ft", "23 ft", "30 ft"]
        );
        let arrows = sheet.arrows.svg();
        assert!(arrows.starts_with("M280 110L280 50"), "north runs up: {arrows}");
        assert_eq!(sheet.scale_ends[1].text, "20 ft");
        assert!(sheet.areas.is_empty());
    }

    #[test]
    fn an_outline_alone_is_still_a_shape() {
        let bare = RoofDrawing { facets: vec![], lines: vec![], dimensions: vec![], ..example() };
        let sheet = sheet(&bare, Detail::Areas);
        assert_eq!(sheet.facets.len(), 1);
        assert_eq!(sheet.facets[0].1, sheet.eaves);
    }

    #[test]
    fn small_facets_have_no_label_and_of_many_only_the_largest() {
        let mut roof = example();
        roof.facets[4].area = 39;
        assert_eq!(sheet(&roof, Detail::Areas).areas.len(), 5);
        let facet = roof.facets[0].clone();
        roof.facets = (100..113).map(|area| Facet { area, ..facet.clone() }).collect();
        let texts = sheet(&roof, Detail::Areas).areas.into_iter().map(|l| l.text).collect::<Vec<_>>();
        assert_eq!(texts, ["107", "108", "109", "110", "111", "112"]);
    }

    #[test]
    fn a_drawing_without_size_does_not_divide_by_nought() {
        let sheet = sheet(&RoofDrawing::default(), Detail::Measures);
        assert!(sheet.font >= 1);
    }
}
