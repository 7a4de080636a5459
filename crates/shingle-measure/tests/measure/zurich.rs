//! Real roofs of Zurich as planes, from which laser points are sampled.

use geo::{Area as _, BoundingRect as _, Contains as _, Coord, LineString, MultiPolygon, Point, Polygon, unary_union};
use serde_json::Value;

use crate::measured;
use crate::support::las::{Kind, TestPoint};
use crate::support::made::Dice;

struct Surface {
    /// `z = a x + b y + c`.
    plane: [f64; 3],
    plan: Polygon<f64>,
    bounds: [Coord<f64>; 2],
}

struct RealRoof {
    surfaces: Vec<Surface>,
    outline: Polygon<f64>,
    low: f64,
}

impl Surface {
    /// `None` for walls and splinters.
    fn new(ring: &[[f64; 3]]) -> Option<Self> {
        let mut n = [0.0; 3];
        for (p, q) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            n[0] += (p[1] - q[1]) * (p[2] + q[2]);
            n[1] += (p[2] - q[2]) * (p[0] + q[0]);
            n[2] += (p[0] - q[0]) * (p[1] + q[1]);
        }
        if n[2].abs() < 0.26 * n[0].hypot(n[1]).hypot(n[2]) || n[2] == 0.0 {
            return None;
        }
        let (a, b) = (-n[0] / n[2], -n[1] / n[2]);
        #[allow(clippy::cast_precision_loss, reason = "a ring has few corners")]
        let c = ring.iter().map(|p| p[2] - a * p[0] - b * p[1]).sum::<f64>() / ring.len() as f64;
        let corners: Vec<Coord<f64>> = ring.iter().map(|p| Coord { x: p[0], y: p[1] }).collect();
        let plan = Polygon::new(LineString::new(corners), Vec::new());
        let bounds = plan.bounding_rect()?;
        let bounds = [bounds.min(), bounds.max()];
        (plan.unsigned_area() > 0.01).then_some(Self { plane: [a, b, c], plan, bounds })
    }

    fn steep(&self) -> f64 {
        self.plane[0].hypot(self.plane[1])
    }

    fn area(&self) -> f64 {
        self.plan.unsigned_area() * (1.0 + self.steep().powi(2)).sqrt()
    }

    fn is_one_with(&self, other: &Self) -> bool {
        let near = |i: usize| (self.plane[i] - other.plane[i]).abs() < 0.02;
        let [x, y] = self.plan.exterior().0.first().map(|c| [c.x, c.y]).unwrap();
        let z = |s: &Self| s.plane[0] * x + s.plane[1] * y + s.plane[2];
        let touches = |a: &Coord<f64>| other.plan.exterior().0.iter().any(|b| (a.x - b.x).hypot(a.y - b.y) < 0.01);
        near(0) && near(1) && (z(self) - z(other)).abs() < 0.1 && self.plan.exterior().0.iter().any(touches)
    }
}

/// Roofs of one piece of more than 30 m², about an origin of their own.
fn roofs(city: &Value) -> Vec<RealRoof> {
    let vertices: Vec<[f64; 3]> = city["vertices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| [0, 1, 2].map(|axis| v[axis].as_f64().unwrap() * 0.001))
        .collect();
    let mut roofs = Vec::new();
    let mut ids: Vec<&String> = city["CityObjects"].as_object().unwrap().keys().collect();
    ids.sort();
    for id in ids {
        for geometry in city["CityObjects"][id]["geometry"].as_array().into_iter().flatten() {
            let (values, kinds) = (&geometry["semantics"]["values"], &geometry["semantics"]["surfaces"]);
            let mut rings: Vec<Vec<[f64; 3]>> = Vec::new();
            for (index, surface) in geometry["boundaries"].as_array().into_iter().flatten().enumerate() {
                let kind = values[index].as_u64().and_then(|v| kinds.get(usize::try_from(v).ok()?));
                if kind.is_some_and(|k| k["type"] == "RoofSurface") {
                    let corner = |v: &Value| vertices[usize::try_from(v.as_u64().unwrap()).unwrap()];
                    rings.push(surface[0].as_array().unwrap().iter().map(corner).collect());
                }
            }
            let Some(origin) = rings.first().and_then(|r| r.first()).copied() else { continue };
            for p in rings.iter_mut().flatten() {
                (p[0], p[1]) = (p[0] - origin[0], p[1] - origin[1]);
            }
            let surfaces: Vec<Surface> = rings.iter().filter_map(|ring| Surface::new(ring)).collect();
            let plans: Vec<Polygon<f64>> = surfaces.iter().map(|s| s.plan.clone()).collect();
            let whole: MultiPolygon<f64> = unary_union(&plans);
            let plan: f64 = plans.iter().map(Polygon::unsigned_area).sum();
            let low = rings.iter().flatten().map(|p| p[2]).fold(f64::MAX, f64::min);
            if let [outline] = &whole.0[..]
                && outline.interiors().is_empty()
                && outline.unsigned_area() > 30.0
                && (plan / outline.unsigned_area() - 1.0).abs() < 0.01
            {
                roofs.push(RealRoof { surfaces, outline: outline.clone(), low });
            }
        }
    }
    roofs
}

impl RealRoof {
    fn facets(&self) -> usize {
        let mut group: Vec<usize> = (0..self.surfaces.len()).collect();
        for _ in 0..group.len() {
            for a in 0..group.len() {
                for b in 0..group.len() {
                    if group[b] > group[a] && self.surfaces[a].is_one_with(&self.surfaces[b]) {
                        group[b] = group[a];
                    }
                }
            }
        }
        let area =
            |g: usize| -> f64 { (0..group.len()).filter(|s| group[*s] == g).map(|s| self.surfaces[s].area()).sum() };
        (0..group.len()).filter(|g| group[*g] == *g && area(*g) >= 2.0).count()
    }

    fn points(&self, density: f64, noise: f64, seed: u64) -> Vec<TestPoint> {
        let mut dice = Dice::new(seed);
        let corners = &self.outline.exterior().0;
        let of = |pick: fn(&Coord<f64>) -> f64| {
            let (low, high) = corners.iter().map(pick).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
            (low - 3.0, high + 3.0)
        };
        let (x, y) = (of(|c| c.x), of(|c| c.y));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "thousands")]
        let count = ((x.1 - x.0) * (y.1 - y.0) * density) as usize;
        let point = |_| {
            let at = Point::new(dice.between(x.0, x.1), dice.between(y.0, y.1));
            let is_near = |s: &&Surface| {
                let [low, high] = s.bounds;
                at.x() >= low.x && at.x() <= high.x && at.y() >= low.y && at.y() <= high.y
            };
            let hit = self.surfaces.iter().filter(is_near).find(|s| s.plan.contains(&at)).map(|s| s.plane);
            let z = hit.map_or(self.low - 4.0, |p| p[0] * at.x() + p[1] * at.y() + p[2]);
            ([at.x(), at.y(), z + noise * dice.normal()], 1)
        };
        (0..count).map(point).collect()
    }
}

#[test]
fn roofs_of_zurich() {
    let Some(file) = shingle_testing::shared("data/lidar/zurich_subset_lod2.city.json") else { return };
    let city: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let roofs = roofs(&city);
    assert!(roofs.len() >= 30, "{}", roofs.len());
    for (density, noise, bar) in [(20.0, 0.03, 1.0), (8.0, 0.05, 1.0), (2.0, 0.05, 1.5)] {
        let (mut area, mut pitch, mut within_one, mut exact, mut count) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (seed, roof) in (1..).zip(&roofs) {
            let ring = roof.outline.exterior().0.iter().map(|c| (c.x, c.y)).collect();
            let truth: f64 = roof.surfaces.iter().map(Surface::area).sum();
            let slope = roof.surfaces.iter().map(|s| s.area() * s.steep().atan().to_degrees()).sum::<f64>() / truth;
            let kind = Kind::plain();
            match measured(&kind, &roof.points(density, noise, seed), ring) {
                Ok(m) => {
                    let (off, lean) = (100.0 * (m.area / truth - 1.0), m.pitch_degrees - slope);
                    let facets = m.facets.len().abs_diff(roof.facets());
                    if facets > 1 || off.abs() > 2.0 {
                        println!(
                            "  roof {seed}: area {truth:.0} {off:+.1} %, pitch {slope:.1} {lean:+.1}, facets {} of {}",
                            m.facets.len(),
                            roof.facets()
                        );
                    }
                    count += 1.0;
                    area += off.abs();
                    pitch += lean.abs();
                    exact += f64::from(u8::from(facets == 0));
                    within_one += f64::from(u8::from(facets <= 1));
                }
                Err(why) => println!("  roof {seed} of {truth:.0} m²: {why}"),
            }
        }
        let (area, pitch, within_one, exact) = (area / count, pitch / count, within_one / count, exact / count);
        println!(
            "Zurich, {density}/m², noise {noise}: {count} of {} roofs, area {area:.2} %, pitch {pitch:.2}, exact {exact:.2}, within one {within_one:.2}",
            roofs.len()
        );
        assert!(area <= bar && pitch <= 1.0, "{area} {pitch}");
    }
}
