//! Outlines of buildings that are moved on purpose are found again.

use std::fs;

use serde_json::Value;
use shingle_imagery::{Placed, Shift, find_shift};
use shingle_projection::Projection;
use shingle_testing::shared;

type Ring = Vec<[f64; 2]>;

const MOST: f64 = 3.0;
/// Of the photograph.
const PIXEL: f64 = 0.5;

fn town() -> Option<(Placed, Vec<Ring>)> {
    let (picture, outlines) =
        (shared("data/imagery/atlanta_sample.tif")?, shared("data/imagery/atlanta_sample_buildings.geojson")?);
    let utm = Projection::named("EPSG:32616").unwrap();
    let outlines: Value = serde_json::from_slice(&fs::read(outlines).unwrap()).unwrap();
    let ring = |feature: &Value| {
        let geometry = &feature["geometry"];
        let rings = if geometry["type"] == "Polygon" { &geometry["coordinates"] } else { &geometry["coordinates"][0] };
        let points = rings[0].as_array().unwrap().iter();
        let degrees = points.map(|p| utm.degrees(p[0].as_f64().unwrap(), p[1].as_f64().unwrap()).unwrap());
        degrees.map(|(lon, lat)| [lon, lat]).collect()
    };
    let outlines: Vec<Ring> = outlines["features"].as_array().unwrap().iter().map(ring).collect();
    assert_eq!(outlines.len(), 43);
    Some((Placed::open(&picture, None).unwrap(), outlines))
}

fn moved(outlines: &[Ring], east: f64, north: f64) -> Vec<Ring> {
    let by = |p: &[f64; 2]| [p[0] + east / 92_700.0, p[1] + north / 110_920.0];
    outlines.iter().map(|ring| ring.iter().map(by).collect()).collect()
}

/// Numbers from 0 to 1 that look like chance and are the same in each run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1_u64 << 24) as f64
    }

    fn some(&mut self, outlines: &[Ring], count: usize) -> Vec<Ring> {
        let mut left: Vec<&Ring> = outlines.iter().collect();
        (0..count).map(|_| left.swap_remove((self.next() * left.len() as f64) as usize).clone()).collect()
    }
}

fn off(a: &Shift, b: &Shift, east: f64, north: f64) -> f64 {
    // Outlines that were moved east are met by a picture that is moved east.
    (a.east - b.east - east).hypot(a.north - b.north - north)
}

/// How many of so many tries were answered, within a pixel, and off by more than two.
#[derive(Debug, Default)]
struct Tally {
    tries: u32,
    found: u32,
    near: u32,
    wrong: u32,
}

fn of_moved(count: usize, (least, most): (f64, f64), tries: u32) -> Option<Tally> {
    let (picture, outlines) = town()?;
    let still = find_shift(&picture, &outlines, MOST).unwrap().unwrap();
    let (mut chance, mut tally) = (Chance(count as u64 * 10 + least as u64), Tally { tries, ..Tally::default() });
    for _ in 0..tries {
        let (size, way) = (least + (most - least) * chance.next(), chance.next() * std::f64::consts::TAU);
        let (east, north) = (size * way.cos(), size * way.sin());
        let some = chance.some(&outlines, count);
        // The answer is what was moved and what the picture was off before.
        let shift = find_shift(&picture, &moved(&some, east, north), MOST + 1.0).unwrap();
        if let Some(shift) = shift {
            let off = off(&shift, &still, east, north);
            tally.found += 1;
            tally.near += u32::from(off <= PIXEL);
            tally.wrong += u32::from(off > 2.0 * PIXEL);
        }
    }
    println!("{count} outlines moved by {least} to {most} m: {tally:?}");
    Some(tally)
}

/// Outlines 40 m away, in all directions.
fn of_elsewhere(count: usize, tries: u32) -> Option<u32> {
    let (picture, outlines) = town()?;
    let (mut chance, mut wrong) = (Chance(count as u64), 0);
    for i in 0..tries {
        let way = f64::from(i) / f64::from(tries) * std::f64::consts::TAU;
        let away = moved(&chance.some(&outlines, count), 40.0 * way.cos(), 40.0 * way.sin());
        wrong += u32::from(find_shift(&picture, &away, MOST).unwrap().is_some());
    }
    println!("{count} outlines 40 m away: {tries} tries, {wrong} found");
    Some(wrong)
}

/// Boxes of the size of houses, anywhere.
fn of_boxes(count: usize, tries: u32) -> Option<u32> {
    let (picture, _) = town()?;
    let [west, south, east, north] = picture.facts().bounds;
    let (mut chance, mut wrong) = (Chance(count as u64), 0);
    for _ in 0..tries {
        let one = |_| {
            let mut within = |from: f64, to: f64| from + (to - from) * (0.1 + 0.8 * chance.next());
            let (x, y) = (within(west, east), within(south, north));
            let (w, h, turn) = (within(4.0, 8.0), within(4.0, 8.0), within(0.0, 3.2));
            let corners = [(-w, -h), (w, -h), (w, h), (-w, h), (-w, -h)];
            let turned = corners.map(|(a, b)| (a * turn.cos() - b * turn.sin(), a * turn.sin() + b * turn.cos()));
            turned.map(|(e, n)| [x + e / 92_700.0, y + n / 110_920.0]).to_vec()
        };
        let boxes: Vec<Ring> = (0..count).map(one).collect();
        wrong += u32::from(find_shift(&picture, &boxes, MOST).unwrap().is_some());
    }
    println!("{count} boxes by chance: {tries} tries, {wrong} found");
    Some(wrong)
}

#[test]
fn outlines_that_were_moved_are_found_again() {
    for count in [43, 20] {
        for range in [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)] {
            let Some(tally) = of_moved(count, range, 5) else { return };
            assert!(tally.near * 10 >= tally.tries * 9, "{count}, {range:?}: {tally:?}");
        }
    }
    // Few outlines are often not enough, and they are of their own part of the town.
    let Some(few) = of_moved(5, (0.0, 3.0), 10) else { return };
    assert!(few.wrong == 0 && few.near * 3 >= few.found * 2, "{few:?}");
}

#[test]
fn outlines_of_another_place_are_not_found() {
    for count in [43, 12, 5, 3] {
        let (Some(elsewhere), Some(boxes)) = (of_elsewhere(count, 8), of_boxes(count, 8)) else { return };
        assert_eq!((elsewhere, boxes), (0, 0), "{count}");
    }
}

#[test]
fn too_few_outlines_and_odd_ones_give_no_answer() {
    let Some((picture, outlines)) = town() else { return };
    let odd: Vec<Ring> = vec![
        vec![],
        vec![[-84.48, 33.638]],
        vec![[-84.48, 33.638]; 9],
        vec![[f64::NAN, 33.638], [-84.48, f64::INFINITY], [0.0, 0.0]],
        vec![[-180.0, -90.0], [180.0, -90.0], [180.0, 90.0], [-180.0, 90.0]],
    ];
    for some in [&[][..], &outlines[..1], &odd] {
        assert_eq!(find_shift(&picture, some, MOST).unwrap(), None);
    }
    // Swapped axes.
    let swapped: Vec<Ring> = outlines.iter().map(|ring| ring.iter().map(|[x, y]| [*y, *x]).collect()).collect();
    assert_eq!(find_shift(&picture, &swapped, MOST).unwrap(), None);
    for most in [f64::NAN, -1.0, 1e9] {
        assert_eq!(find_shift(&picture, &outlines, most).unwrap(), None);
    }
}

#[test]
#[ignore = "a table to read, of some minutes: --ignored --nocapture"]
fn a_table_of_how_well_outlines_are_found() {
    for count in [43, 30, 20, 12, 8, 5, 3] {
        for range in [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)] {
            of_moved(count, range, 20);
        }
    }
    for count in [43, 20, 12, 8, 5, 3] {
        of_elsewhere(count, 40);
        of_boxes(count, 40);
    }
}
