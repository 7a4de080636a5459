//! The drawing is true to its lengths, whatever home it shows.

use super::homes::{homes, homes_site};
use proptest::prelude::*;
use shingle_domain::Language;
use shingle_domain::roof::{Dimension, RoofDrawing, Side};
use shingle_domain::surroundings::{Neighbor, NeighborHome, Stands, Wind};

use super::*;
use crate::example::{building, found};
use crate::path::Stroke;
use crate::words::flow_words;

/// A rectangle of `wide` by `deep`, turned by `degrees`, somewhere about the origin.
fn turned(wide: f64, deep: f64, degrees: f64, at: [i32; 2]) -> BuildingChoice {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let corners =
        [[0.0, 0.0], [wide, 0.0], [wide, deep], [0.0, deep]].map(|[x, y]: Spot| [x * cos - y * sin, x * sin + y * cos]);
    let low = [0, 1].map(|axis| corners.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min));
    let ring = corners.map(|p| [0, 1].map(|axis| (p[axis] - low[axis]).round() as i32));
    let size = [0, 1].map(|axis| ring.iter().map(|p| p[axis]).max().unwrap_or(0));
    let sides = [(0, 1), (1, 2), (2, 3), (3, 0)].map(|(a, b)| (ring[a], ring[b]));
    let dimensions = sides.into_iter().map(|(from, to)| {
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]].map(f64::from);
        // Outwards of a ring that runs clockwise on the screen.
        let side = match (dx.abs() >= dy.abs(), dx > 0.0, dy > 0.0) {
            (true, true, _) => Side::North,
            (true, false, _) => Side::South,
            (false, _, true) => Side::East,
            (false, _, false) => Side::West,
        };
        Dimension { side, from, to, length: dx.hypot(dy).round() as i32 }
    });
    let drawing = RoofDrawing {
        width: size[0],
        height: size[1],
        rings: vec![ring.to_vec()],
        dimensions: dimensions.collect(),
        ..RoofDrawing::default()
    };
    BuildingChoice { drawing: Some(drawing), at, ..building("House", 1) }
}

fn street(angle: f64, away: f64) -> StreetLine {
    let (sin, cos) = angle.to_radians().sin_cos();
    let at = |along: f64| [(cos * along - sin * away).round() as i32, (sin * along + cos * away).round() as i32];
    StreetLine { name: "Alder Court".into(), from: at(-2_500.0), to: at(2_500.0), half_width: 120 }
}

/// The places of a path, one after the other.
fn numbers(path: &Path) -> Vec<f64> {
    let place = |stroke: &Stroke| match stroke {
        Stroke::Move(to) | Stroke::Line(to) => Some(to.map(f64::from)),
        Stroke::Close => None,
    };
    path.strokes().iter().filter_map(place).flatten().collect()
}

fn drawn(roof: &RoofFound, detail: Detail) -> Site {
    site(flow_words(Language::English), roof, None, detail, "Yours").expect("a home is drawn")
}

#[test]
fn the_scale_stands_on_no_roof_where_it_has_another_place() {
    // A shed behind the house on the right: its corner lies where the scale stands else.
    let house = turned(500.0, 300.0, 0.0, [-250, -150]);
    let shed = turned(120.0, 120.0, 20.0, [260, 240]);
    let alone = drawn(&found(vec![house.clone()]), Detail::Measures);
    let both = drawn(&found(vec![house, shed.clone()]), Detail::Measures);
    let right = |site: &Site| f64::from(site.chip[0] + site.chip[2] / 2) > 0.0;
    assert!(right(&alone), "{:?}", alone.chip);
    let rooms = edge_rooms(shed.drawing.as_ref().unwrap(), shed.at, 30.0);
    assert!(apart(both.chip.map(f64::from), &rooms), "{:?} in {:?}", both.chip, both.view_box);
}

#[test]
fn a_letter_hides_no_area() {
    let mut house = turned(500.0, 300.0, 0.0, [0, 0]);
    if let Some(drawing) = &mut house.drawing {
        *drawing = RoofDrawing { dimensions: Vec::new(), ..crate::plan::example() };
    }
    let site = drawn(&found(vec![house, turned(120.0, 120.0, 0.0, [700, 0])]), Detail::Areas);
    let [house, shed] = &site.buildings[..] else { panic!("{:?}", site.buildings) };
    let (badge, areas) = (house.badge.as_ref().unwrap(), &house.areas);
    assert!(areas.len() > 1 && areas.iter().all(|area| (area.y - badge.y).abs() > site.font || area.x != badge.x));
    assert_eq!(shed.badge.as_ref().unwrap().text, "B");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lengths_run_along_their_edges_and_agree_with_the_scale(
        wide in 150.0..1_500.0_f64,
        deep in 150.0..900.0_f64,
        degrees in -180.0..180.0_f64,
        x in -400..400_i32,
        y in -400..400_i32,
    ) {
        let roof = found(vec![turned(wide, deep, degrees, [x, y])]);
        let site = drawn(&roof, Detail::Measures);
        let [a, _, _, b, c, _, ..] = numbers(&site.scale)[..] else { panic!("{:?}", site.scale) };
        prop_assert_eq!(b, numbers(&site.scale)[3]);
        let bar = c - a;
        let told = site.scale_text.as_ref().and_then(|l| l.text.trim_end_matches(" ft").parse::<f64>().ok()).expect("feet");
        prop_assert!((bar / told - 10.0).abs() < 1e-9);
        // Two ticks and the line between them for each text.
        let lines = numbers(&site.dimensions);
        prop_assert_eq!(lines.len(), site.lengths.len() * 12);
        for (label, line) in site.lengths.iter().zip(lines.chunks_exact(12)) {
            let [fx, fy, tx, ty] = line[8..] else { panic!("four numbers") };
            let feet: f64 = label.text.trim_end_matches(" ft").parse().expect("feet");
            let run = (tx - fx).hypot(ty - fy) / (bar / told);
            prop_assert!((run - feet).abs() < 0.25, "{} ft drawn for {}", run, label.text);
            prop_assert!((-90..90).contains(&label.turn), "upside down: {}", label.turn);
            let along = (ty - fy).atan2(tx - fx).to_degrees() - f64::from(label.turn);
            let off = along.rem_euclid(180.0).min(180.0 - along.rem_euclid(180.0));
            prop_assert!(off < 1.5, "{} degrees off", off);
            // Outside the house: farther from its middle than the edge.
            let drawing = roof.buildings[0].drawing.as_ref().expect("drawn");
            let middle = [f64::from(x) + f64::from(drawing.width) / 2.0, f64::from(y) + f64::from(drawing.height) / 2.0];
            let [lx, ly] = [f64::from(label.x) - middle[0], f64::from(label.y) - middle[1]];
            prop_assert!(lx.hypot(ly) > deep.min(wide) / 2.0);
        }
    }

    #[test]
    fn the_home_fits_into_the_window_with_its_lengths_and_the_street_where_it_can(
        wide in 100.0..1_500.0_f64,
        deep in 100.0..900.0_f64,
        degrees in -180.0..180.0_f64,
        away in 350.0..650.0_f64,
        angle in -90.0..90.0_f64,
    ) {
        let choice = turned(wide, deep, degrees, [-200, -150]);
        let roof = RoofFound {
            around: Some(Surroundings { street: Some(street(angle, away)), ..Surroundings::default() }),
            ..found(vec![choice])
        };
        let site = drawn(&roof, Detail::Measures);
        let [left, top, width, height] = site.view_box.map(f64::from);
        prop_assert!((height / width - 0.75).abs() < 0.01);
        let inside = |x: f64, y: f64| (left..=left + width).contains(&x) && (top..=top + height).contains(&y);
        for pair in numbers(&site.buildings[0].eaves).chunks_exact(2).chain(numbers(&site.dimensions).chunks_exact(2)) {
            prop_assert!(inside(pair[0], pair[1]), "{:?} of {:?}", pair, site.view_box);
        }
        for label in site.lengths.iter().chain(&site.street_names) {
            prop_assert!(inside(label.x.into(), label.y.into()));
        }
    }
}

#[test]
fn neighbours_have_their_numbers_where_enough_of_them_is_seen() {
    let ring = |x: i32, y: i32| vec![[x, y], [x + 300, y], [x + 300, y + 300], [x, y + 300]];
    let neighbor = |number: &str, x, y| Neighbor { number: Some(number.into()), ring: ring(x, y), home: None };
    let neighbors = vec![neighbor("12", -750, 0), neighbor("16", 450, 20), neighbor("40", 9_000, 0)];
    let around = Surroundings { neighbors, street: Some(street(0.0, 450.0)), ..Surroundings::default() };
    let roof = RoofFound { around: Some(around), ..found(vec![turned(500.0, 300.0, 10.0, [-250, -150])]) };
    let site = drawn(&roof, Detail::Measures);
    let told: Vec<&str> = site.numbers.iter().map(|l| l.text.as_str()).collect();
    assert_eq!(told, ["12", "16"]);
    let names: Vec<_> = site.street_names.iter().map(|l| (l.text.as_str(), l.turn)).collect();
    assert_eq!(names, [("Alder Court", 0)]);
    assert!(site.pin.is_some_and(|(_, label)| label.text == "Yours"));
}

#[test]
fn a_wide_pane_shows_the_numbers_of_neighbours_beside_the_window() {
    let ring = |x: i32| vec![[x, -100], [x + 200, -100], [x + 200, 100], [x, 100]];
    let neighbors = [("12", -765), ("16", 575)].map(|(number, x)| Neighbor {
        number: Some(number.to_owned()),
        ring: ring(x),
        home: None,
    });
    let around = Surroundings { neighbors: neighbors.to_vec(), ..Surroundings::default() };
    let roof = RoofFound { around: Some(around), ..found(vec![turned(450.0, 300.0, 0.0, [-220, -150])]) };
    for detail in [Detail::Paper, Detail::Measures] {
        let site = drawn(&roof, detail);
        assert!(site.numbers.is_empty(), "they are beyond its window: {:?}", site.numbers);
        let beside: Vec<_> = site.beside.iter().map(|(class, label)| (*class, label.text.as_str())).collect();
        assert_eq!(beside, [("t-no far", "12"), ("t-no far", "16")]);
        // A narrow pane ends at the window: it does not cut them in two.
        let [left, _, width, _] = site.view_box.map(f64::from);
        let half = f64::from(site.font) * LARGE * 0.58;
        assert!(site.beside.iter().all(|(_, l)| f64::from(l.x) + half < left || f64::from(l.x) - half > left + width));
    }
}

#[test]
fn a_corner_has_two_names_and_neither_stands_on_the_other_street() {
    let own = street(0.0, 400.0);
    for (angle, away) in [(90.0, 420.0), (90.0, -420.0), (70.0, 450.0), (-60.0, 470.0)] {
        let other = StreetLine { name: "Mill Road".into(), ..street(angle, away) };
        let around =
            Surroundings { street: Some(own.clone()), other_streets: vec![other.clone()], ..Surroundings::default() };
        let roof = RoofFound { around: Some(around), ..found(vec![turned(450.0, 300.0, 0.0, [-220, -150])]) };
        let site = drawn(&roof, Detail::Measures);
        let names: Vec<_> = site.street_names.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(names, ["Alder Court", "Mill Road"], "at {angle} degrees");
        for (label, crossed) in site.street_names.iter().zip([&other, &own]) {
            assert!(!touches(crossed, label, label.text.len() as f64 * f64::from(site.font) * 0.29), "{label:?}");
        }
        // No edge of one runs over the other: the middle of each piece lies on its own street alone.
        let edges = numbers(&site.street_edges);
        assert_eq!(edges.len(), 32, "each of four edges is two pieces: {:?}", site.street_edges);
        for piece in edges.chunks_exact(4) {
            let at = [(piece[0] + piece[2]) / 2.0, (piece[1] + piece[3]) / 2.0];
            let on = [&own, &other].map(|street| {
                let [x, y] = nearest(street, at);
                (at[0] - x).hypot(at[1] - y) <= f64::from(street.half_width) + 1.5
            });
            assert!(on[0] != on[1], "{piece:?} at {angle} degrees");
        }
        // Both grounds turn the same way: where they lie on one another no hole is cut.
        assert_eq!(site.street.strokes().iter().filter(|stroke| **stroke == Stroke::Close).count(), 2);
        let around = numbers(&site.street);
        let turns = around.chunks_exact(8).map(|c| (c[2] - c[0]) * (c[5] - c[3]) - (c[3] - c[1]) * (c[4] - c[2]) > 0.0);
        assert_eq!(turns.collect::<std::collections::BTreeSet<_>>().len(), 1);
    }
}

#[test]
fn a_street_that_ends_at_another_leaves_its_far_edge_whole() {
    let own = street(0.0, 0.0);
    let other = StreetLine { from: [0, 0], to: [0, -1_500], ..street(90.0, 0.0) };
    let lengths =
        |path: &Path| -> Vec<f64> { numbers(path).chunks_exact(4).map(|p| (p[2] - p[0]).hypot(p[3] - p[1])).collect() };
    assert_eq!(lengths(&edges(&[&own, &other])), [5_000.0, 2_380.0, 2_380.0, 1_380.0, 1_380.0]);
    assert_eq!(lengths(&edges(&[&own])), [5_000.0, 5_000.0]);
    // One that lies on the other has no edge left.
    let inside = StreetLine { from: [-100, 0], to: [100, 0], half_width: 60, ..own.clone() };
    assert_eq!(lengths(&edges(&[&own, &inside])), [5_000.0, 5_000.0]);
}

#[test]
fn the_border_of_the_lot_is_drawn_where_it_is_known() {
    let roof = |lot| RoofFound {
        around: Some(Surroundings { lot, ..Surroundings::default() }),
        ..found(vec![turned(500.0, 300.0, 10.0, [-250, -150])])
    };
    let drawing = drawn(&roof(vec![[-400, -400], [500, -400], [500, 600], [-400, 600]]), Detail::Measures);
    assert_eq!(drawing.lot.svg(), "M-400 -400L500 -400L500 600L-400 600Z");
    let without = drawn(&roof(vec![]), Detail::Measures);
    assert_eq!((without.lot.is_empty(), without.view_box), (true, drawing.view_box), "the home is as large with it");
}

#[test]
fn no_length_lies_over_a_letter() {
    // A shed close beside the house, where the length of that side stands: at every height of it.
    let (mut moved, mut dropped) = (0, 0);
    let places = [60, 200, 400].into_iter().flat_map(|deep| {
        (20..140).step_by(10).flat_map(move |gap| (-100..300_i32).step_by(20).map(move |y| (gap, y, deep)))
    });
    for (gap, y, deep) in places {
        let roof = found(vec![
            turned(500.0, 300.0, 0.0, [-250, -150]),
            turned(60.0, f64::from(deep), 0.0, [250 + gap, -150 + y]),
        ]);
        let site = drawn(&roof, Detail::Measures);
        let window = {
            let [left, top, width, height] = site.view_box.map(f64::from);
            Window { left, top, width, height, font: width * 14.0 / 574.0 }
        };
        dropped += usize::from(site.lengths.len() < 4);
        for badge in site.buildings.iter().filter_map(|b| b.badge.as_ref()) {
            assert!(!badge.text.is_empty());
            for length in &site.lengths {
                let apart = apart(window.room(badge), &[window.room(length)]);
                assert!(apart, "{length:?} lies over {badge:?}, {gap} {y}");
            }
        }
        assert_eq!(numbers(&site.dimensions).len(), site.lengths.len() * 12);
        let middle = middle(roof.buildings[1].drawing.as_ref().unwrap(), roof.buildings[1].at);
        let badge = site.buildings[1].badge.as_ref().unwrap();
        moved += usize::from((badge.x, badge.y) != (middle.x, middle.y));
    }
    assert!(moved > 0 && dropped > 0, "{moved} {dropped}");
}

#[test]
fn several_buildings_have_letters_and_no_pin_and_only_the_chosen_are_drawn_beside_the_price() {
    let roof = found(vec![turned(500.0, 300.0, 0.0, [0, 0]), turned(200.0, 200.0, 0.0, [600, 50])]);
    let all = drawn(&roof, Detail::Measures);
    let letters: Vec<_> = all.buildings.iter().filter_map(|b| b.badge.as_ref()).map(|l| l.text.as_str()).collect();
    assert_eq!((letters, all.pin), (vec!["A", "B"], None));
    let words = flow_words(Language::English);
    let garage = site(words, &roof, "1".parse().ok(), Detail::Areas, "Yours").expect("drawn");
    assert_eq!(garage.buildings.iter().map(|b| b.index).collect::<Vec<_>>(), [1]);
    assert_eq!(site(words, &found(vec![]), None, Detail::Areas, "Yours"), None);
}

/// A rectangle with its middle at a place.
fn ring([x, y]: [i32; 2], wide: i32, deep: i32) -> Vec<[i32; 2]> {
    let (a, b) = (wide / 2, deep / 2);
    vec![[x - a, y - b], [x + a, y - b], [x + a, y + b], [x - a, y + b]]
}

fn neighbor(number: &str, at: [i32; 2], size: [i32; 2], is_home: bool) -> Neighbor {
    let home = is_home.then(|| NeighborHome {
        key: format!("key of {number}"),
        street: format!("{number} Alder Court"),
        city: "Portland, ME 04103".into(),
        ground: 1_508,
        stands: Stands::Nearby(Wind::West),
    });
    Neighbor { number: Some(number.into()), ring: ring(at, size[0], size[1]), home }
}

fn with_neighbors(neighbors: Vec<Neighbor>) -> RoofFound {
    let around = Surroundings { neighbors, street: Some(street(0.0, 450.0)), ..Surroundings::default() };
    RoofFound { around: Some(around), ..found(vec![turned(500.0, 300.0, 10.0, [-250, -150])]) }
}

#[test]
fn the_homes_to_choose_from_begin_with_the_one_that_was_found() {
    let garage = Neighbor { number: None, ..neighbor("", [300, 300], [100, 100], false) };
    let roof = with_neighbors(vec![
        neighbor("12", [-900, 0], [380, 300], true),
        garage,
        neighbor("16", [800, 20], [380, 300], true),
    ]);
    let all = homes(&roof);
    assert_eq!(
        all.iter().map(|home| home.street).collect::<Vec<_>>(),
        ["14 Alder Court", "12 Alder Court", "16 Alder Court"]
    );
    assert_eq!((all[0].key, all[0].ground, all[0].stands), ("place-14", 2218, None));
    let site = homes_site(flow_words(Language::English), &roof).expect("a drawing");
    let numbers: Vec<_> = site.homes.iter().map(|home| (home.index, home.plain.number.text.as_str())).collect();
    assert_eq!(numbers, [(0, "14"), (1, "12"), (2, "16")]);
    assert!(!site.neighbors.is_empty(), "the garage is drawn and cannot be chosen");
    assert!(site.street_names.iter().any(|name| name.text == "Alder Court"));
    let alone = with_neighbors(vec![neighbor("12", [-900, 0], [380, 300], false)]);
    assert_eq!(homes(&alone), []);
    assert_eq!(homes_site(flow_words(Language::English), &alone), None);
}

#[test]
fn a_home_without_an_outline_still_has_its_row() {
    let mut roof = with_neighbors(vec![neighbor("12", [-900, 0], [380, 300], true)]);
    roof.buildings[0].drawing = None;
    assert_eq!(homes(&roof).len(), 2);
    let site = homes_site(flow_words(Language::English), &roof).expect("a drawing");
    assert_eq!(site.homes.iter().map(|home| home.index).collect::<Vec<_>>(), [1]);
}

proptest! {
    #[test]
    fn every_home_is_in_the_window_and_large_enough_for_a_finger(
        places in proptest::collection::vec((-2_000..2_000_i32, -2_000..2_000_i32, 60..900_i32, 60..900_i32), 1..6),
    ) {
        let all = places.iter().enumerate().map(|(at, (x, y, wide, deep))| {
            neighbor(&(20 + at).to_string(), [*x, *y], [*wide, *deep], true)
        });
        let site = homes_site(flow_words(Language::English), &with_neighbors(all.collect())).expect("a drawing");
        let [left, top, width, height] = site.view_box.map(f64::from);
        prop_assert!((height / width - 0.75).abs() < 0.01);
        prop_assert_eq!(site.homes.len(), places.len() + 1);
        for home in &site.homes {
            let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
            for pair in numbers(&home.outline).chunks_exact(2) {
                prop_assert!(pair[0] > left && pair[0] < left + width && pair[1] > top && pair[1] < top + height);
                for axis in 0..2 {
                    low[axis] = low[axis].min(pair[axis]);
                    high[axis] = high[axis].max(pair[axis]);
                }
            }
            // In the smallest pane, which shows the window 240 px wide.
            for axis in 0..2 {
                let pixels = (high[axis] - low[axis]) * 240.0 / width + f64::from(home.margin);
                prop_assert!(pixels >= 44.0, "{} px", pixels);
            }
            // The check and the number are on the pill.
            let [x, y, wide, tall] = home.chosen.pill.map(f64::from);
            for place in numbers(&home.chosen.check).chunks_exact(2) {
                prop_assert!(place[0] > x && place[0] < x + wide && place[1] > y && place[1] < y + tall);
            }
            prop_assert!(f64::from(home.chosen.number.x) < x + wide && home.plain.check.is_empty());
        }
    }
}
