use shingle_domain::evidence::{Assessor, Outline, Polygon, RoofPlane, RoofType};
use shingle_domain::roof::{Aspect, DrawingBasis, LineKind, RoofDrawing, Side};
use shingle_estimate::roof::{drawing, roof_found};

use crate::fixture::{DESIGN, building, design_outline, evidence, outline, polygon, rectangle, ring, with_roof};

fn drawn(parts: Vec<Polygon>, assessor: Assessor) -> RoofDrawing {
    let found = roof_found("k", &evidence(vec![building(outline(parts), "house")], assessor)).expect("a roof");
    found.buildings[0].drawing.clone().expect("a drawing")
}

fn feet(drawing: &RoofDrawing, kind: LineKind) -> u32 {
    drawing.lines.iter().filter(|l| l.kind == kind).map(|l| l.length).sum()
}

fn count(drawing: &RoofDrawing, kind: LineKind) -> usize {
    drawing.lines.iter().filter(|l| l.kind == kind).count()
}

#[test]
fn the_designs_planes_are_drawn_as_designed() {
    let drawing = drawing(&design_outline(), 26.57, None, 2_480).expect("a drawing");
    assert_eq!(drawing.basis, DrawingBasis::Measured);
    assert_eq!((drawing.width, drawing.height), (560, 534));
    let areas: Vec<u32> = drawing.facets.iter().map(|f| f.area).collect();
    assert_eq!(areas, [688, 251, 540, 301, 148, 552]);
    let aspects: Vec<Aspect> = drawing.facets.iter().map(|f| f.aspect).collect();
    use Aspect::{East, North, South, West};
    assert_eq!(aspects, [North, West, South, West, South, East]);
    assert_eq!(drawing.facets[0].ring, [[150, 150], [410, 150], [560, 0], [0, 0]]);
    assert_eq!((feet(&drawing, LineKind::Ridge), feet(&drawing, LineKind::Valley)), (49, 17));
    assert_eq!(feet(&drawing, LineKind::Hip), 107);
    assert_eq!((count(&drawing, LineKind::Ridge), count(&drawing, LineKind::Valley)), (2, 1));
}

#[test]
fn the_model_of_a_hipped_l_is_the_designs_roof() {
    let drawing = drawn(vec![polygon(&DESIGN)], with_roof(RoofType::Hip));
    assert_eq!(drawing.basis, DrawingBasis::Modelled);
    let mut areas: Vec<u32> = drawing.facets.iter().map(|f| f.area).collect();
    areas.sort_unstable();
    assert_eq!(areas, [148, 251, 301, 540, 552, 688]);
    assert_eq!((feet(&drawing, LineKind::Ridge), feet(&drawing, LineKind::Valley)), (49, 17));
}

#[test]
fn a_gabled_rectangle_has_one_ridge_from_wall_to_wall() {
    let drawing = drawn(vec![rectangle(50.0, 30.0)], Assessor::default());
    assert_eq!(drawing.basis, DrawingBasis::Modelled);
    assert_eq!(drawing.facets.len(), 2);
    let [ridge] = &drawing.lines[..] else { panic!("{:?}", drawing.lines) };
    assert_eq!((ridge.kind, ridge.length), (LineKind::Ridge, 50));
    let mut ends = [ridge.from, ridge.to];
    ends.sort_unstable();
    assert_eq!(ends, [[0, 150], [500, 150]]);
    let dimensions: Vec<(Side, i32)> = drawing.dimensions.iter().map(|d| (d.side, d.length)).collect();
    assert_eq!(dimensions, [(Side::North, 500), (Side::East, 300), (Side::South, 500), (Side::West, 300)]);
    assert_eq!((drawing.dimensions[0].from, drawing.dimensions[0].to), ([0, 0], [500, 0]));
    assert_eq!((drawing.dimensions[1].from, drawing.dimensions[1].to), ([500, 0], [500, 300]));
}

#[test]
fn a_turned_house_is_drawn_as_it_lies() {
    // 50 x 30 ft along a 3-4-5 direction.
    let turn = |x: f64, y: f64| (x * 0.8 - y * 0.6, x * 0.6 + y * 0.8);
    let turned = polygon(&[turn(0.0, 0.0), turn(50.0, 0.0), turn(50.0, 30.0), turn(0.0, 30.0)]);
    let drawing = drawn(vec![turned], Assessor::default());
    assert_eq!((drawing.width, drawing.height), (580, 540));
    assert_eq!(drawing.facets.len(), 2);
    assert_eq!(feet(&drawing, LineKind::Ridge), 50);
}

#[test]
fn facets_add_up_to_the_roof_and_labels_lie_inside() {
    let u =
        [(0.0, 0.0), (63.0, 0.0), (63.0, 51.0), (44.0, 51.0), (44.0, 22.0), (19.0, 22.0), (19.0, 47.0), (0.0, 47.0)];
    let found = roof_found("k", &evidence(vec![building(outline(vec![polygon(&u)]), "house")], Assessor::default()));
    let choice = found.expect("a roof").buildings.remove(0);
    let drawing = choice.drawing.expect("a drawing");
    assert_eq!(drawing.facets.len(), 6);
    assert_eq!(drawing.facets.iter().map(|f| f.area).sum::<u32>(), choice.area);
    assert_eq!(choice.shape, "U-shaped");
    for facet in &drawing.facets {
        assert!(inside(&facet.ring, facet.label), "{facet:?}");
    }
}

fn inside(ring: &[[i32; 2]], [x, y]: [i32; 2]) -> bool {
    let mut inside = false;
    for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        let ([ax, ay], [bx, by]) = (a.map(f64::from), b.map(f64::from));
        let (x, y) = (f64::from(x), f64::from(y));
        if (ay > y) != (by > y) && x < ax + (bx - ax) * (y - ay) / (by - ay) {
            inside = !inside;
        }
    }
    inside
}

#[test]
fn a_courtyard_has_its_hole_and_its_valleys() {
    let mut court = rectangle(80.0, 70.0);
    court.holes.push(ring(&[(25.0, 25.0), (25.0, 45.0), (55.0, 45.0), (55.0, 25.0)]));
    let drawing = drawn(vec![court], Assessor::default());
    assert_eq!((drawing.basis, drawing.rings.len(), drawing.facets.len()), (DrawingBasis::Modelled, 2, 8));
    assert_eq!(count(&drawing, LineKind::Valley), 4);
}

#[test]
fn what_cannot_be_modelled_stays_an_outline() {
    let octagon =
        [(12.0, 0.0), (28.0, 0.0), (40.0, 12.0), (40.0, 28.0), (28.0, 40.0), (12.0, 40.0), (0.0, 28.0), (0.0, 12.0)];
    for assessor in [Assessor::default(), with_roof(RoofType::Hip)] {
        let drawing = drawn(vec![polygon(&octagon)], assessor);
        assert_eq!((drawing.basis, drawing.facets.len(), drawing.lines.len()), (DrawingBasis::Outline, 0, 0));
        assert_eq!(drawing.rings[0].len(), 8);
    }
    let mansard = drawn(vec![rectangle(50.0, 30.0)], with_roof(RoofType::Mansard));
    assert_eq!(mansard.basis, DrawingBasis::Outline);
}

#[test]
fn a_flat_roof_is_one_facet_that_faces_nowhere() {
    let drawing = drawn(vec![polygon(&DESIGN)], with_roof(RoofType::Flat));
    let [facet] = &drawing.facets[..] else { panic!("{:?}", drawing.facets) };
    assert_eq!((facet.aspect, drawing.lines.len()), (Aspect::Flat, 0));
}

#[test]
fn shapes_are_named_as_far_as_known() {
    let shape = |parts: Vec<Polygon>, assessor: Assessor| {
        let found = roof_found("k", &evidence(vec![building(outline(parts), "house")], assessor)).expect("a roof");
        found.buildings[0].shape.clone()
    };
    assert_eq!(shape(vec![rectangle(50.0, 30.0)], with_roof(RoofType::Gable)), "Gable, rectangular");
    assert_eq!(shape(vec![polygon(&DESIGN)], Assessor::default()), "L-shaped");
    let t =
        [(0.0, 0.0), (60.0, 0.0), (60.0, 24.0), (40.0, 24.0), (40.0, 50.0), (20.0, 50.0), (20.0, 24.0), (0.0, 24.0)];
    assert_eq!(shape(vec![polygon(&t)], with_roof(RoofType::Hip)), "Hip, T-shaped");
    let z =
        [(0.0, 0.0), (40.0, 0.0), (40.0, 25.0), (60.0, 25.0), (60.0, 50.0), (20.0, 50.0), (20.0, 25.0), (0.0, 25.0)];
    assert_eq!(shape(vec![polygon(&z)], Assessor::default()), "Z-shaped");
}

/// Two planes that fall away from a line between them, the western one from `height` meters above the eastern one.
fn beside_each_other(height: Option<f32>) -> RoofDrawing {
    let plane = |corners: &[(f64, f64)], azimuth_degrees: f64, height: Option<f32>| RoofPlane {
        ring: ring(corners),
        holes: vec![],
        pitch_degrees: 20.0,
        azimuth_degrees,
        height,
    };
    let planes = vec![
        plane(&[(20.0, 0.0), (20.0, 30.0), (0.0, 30.0), (0.0, 0.0)], 270.0, height.map(|height| 8.0 + height)),
        plane(&[(20.0, 0.0), (40.0, 0.0), (40.0, 30.0), (20.0, 30.0)], 90.0, height.map(|_| 8.0)),
    ];
    let outline = Outline { planes, ..outline(vec![rectangle(40.0, 30.0)]) };
    drawing(&outline, 20.0, None, 1_277).expect("drawn")
}

#[test]
fn a_wall_between_two_planes_is_no_ridge() {
    let ridges = |height| beside_each_other(height).lines.iter().filter(|l| l.kind == LineKind::Ridge).count();
    assert_eq!(ridges(Some(0.1)), 1, "the noise of a survey");
    assert_eq!(ridges(Some(2.5)), 0, "a story higher");
    assert_eq!(ridges(None), 1, "nobody knows the heights");
}

#[test]
fn a_plane_with_a_hole_has_the_area_of_what_is_left_and_lies_under_what_stands_in_it() {
    let square = |low: f64, high: f64| ring(&[(low, low), (high, low), (high, high), (low, high)]);
    let flat = |ring, holes| RoofPlane { ring, holes, pitch_degrees: 0.0, azimuth_degrees: 0.0, height: None };
    // The house in the middle is larger than what is left around it.
    let planes = vec![flat(square(4.0, 36.0), vec![]), flat(square(0.0, 40.0), vec![square(4.0, 36.0)])];
    let outline = Outline { planes, ..outline(vec![rectangle(40.0, 40.0)]) };
    let drawn = drawing(&outline, 0.0, None, 1_600).expect("drawn");
    let areas: Vec<u32> = drawn.facets.iter().map(|facet| facet.area).collect();
    assert_eq!(areas, [1_600 - 1_024, 1_024], "the one around it is drawn first");
}
