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

#[test]
fn outlines_that_were_moved_are_found_again() {
    let Some((picture, outlines)) = town() else { return };
    let still = find_shift(&picture, &outlines, MOST).unwrap().unwrap();
    println!("unmoved: {still:?}");
    let mut chance = Chance(7);
    for count in [43, 30, 20, 12, 8, 5, 3] {
        for (least, most) in [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)] {
            let (mut found, mut near, tries) = (0, 0, 12);
            for _ in 0..tries {
                let (size, way) = (least + (most - least) * chance.next(), chance.next() * std::f64::consts::TAU);
                // The answer itself must stay within what is searched.
                let (east, north) = (size * way.cos(), size * way.sin());
                let some = chance.some(&outlines, count);
                let shift = find_shift(&picture, &moved(&some, east, north), MOST + 1.5).unwrap();
                if let Some(shift) = shift {
                    found += 1;
                    near += usize::from(off(&shift, &still, east, north) <= PIXEL);
                }
            }
            println!("{count} outlines, {least} to {most} m: {tries} tries, {found} found, {near} within a pixel");
        }
    }
}

#[test]
fn outlines_of_another_place_are_not_found() {
    let Some((picture, outlines)) = town() else { return };
    let mut chance = Chance(11);
    for count in [43, 20, 12, 8, 5, 3] {
        let (mut wrong, tries) = (0, 30);
        for i in 0..tries {
            let way = f64::from(i) / f64::from(tries) * std::f64::consts::TAU;
            let some = chance.some(&outlines, count);
            wrong += usize::from(find_shift(&picture, &moved(&some, 40.0 * way.cos(), 40.0 * way.sin()), MOST).unwrap().is_some());
        }
        println!("{count} outlines 40 m away: {tries} tries, {wrong} found");
    }
    let [west, south, east, north] = picture.facts().bounds;
    for count in [43, 20, 12, 8, 5, 3] {
        let (mut wrong, tries) = (0, 30);
        for _ in 0..tries {
            let boxes: Vec<Ring> = (0..count).map(|_| {
                let (x, y) = (west + (east - west) * (0.1 + 0.8 * chance.next()), south + (north - south) * (0.1 + 0.8 * chance.next()));
                let (w, h, turn) = ((8.0 + 8.0 * chance.next()) / 2.0, (8.0 + 8.0 * chance.next()) / 2.0, chance.next() * 3.2);
                [(-w, -h), (w, -h), (w, h), (-w, h), (-w, -h)].iter().map(|(a, b)| {
                    let (e, n) = (a * turn.cos() - b * turn.sin(), a * turn.sin() + b * turn.cos());
                    [x + e / 92_700.0, y + n / 110_920.0]
                }).collect()
            }).collect();
            wrong += usize::from(find_shift(&picture, &boxes, MOST).unwrap().is_some());
        }
        println!("{count} boxes by chance: {tries} tries, {wrong} found");
    }
}
