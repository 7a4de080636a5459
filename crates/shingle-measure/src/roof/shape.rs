//! An outline in meters.

use geo::{Area as _, LineString, MultiPolygon, Polygon};

use super::cells::Line;

/// Meters of the longest building.
const LONGEST: f64 = 1_000.0;
/// Meters of a wall that counts at a corner, and the sine of the turn there.
const SHORTEST_WALL: f64 = 1.0;
const SHARPEST: f64 = 0.5;

/// The parts of an outline, in meters about the origin of its roof.
#[derive(Debug, Clone)]
pub struct Shape {
    pub polygons: MultiPolygon<f64>,
    pub min: [f64; 2],
    pub max: [f64; 2],
    /// Square meters.
    pub area: f64,
}

impl Shape {
    /// Of rings that need neither closing nor a direction. `None` without area.
    pub fn new(parts: &[Vec<Vec<(f64, f64)>>]) -> Option<Self> {
        let polygons: Vec<_> = parts
            .iter()
            .filter_map(|rings| {
                let mut rings = rings.iter().map(|ring| LineString::from(ring.clone()));
                let outer = rings.next()?;
                Some(Polygon::new(outer, rings.collect()))
            })
            .collect();
        Self::of(MultiPolygon::new(polygons))
    }

    /// `None` without area.
    pub fn of(polygons: MultiPolygon<f64>) -> Option<Self> {
        let area = polygons.unsigned_area();
        if area.is_nan() || area <= 0.0 {
            return None;
        }
        let mut shape = Self { polygons, min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2], area };
        for (a, _) in shape.edges() {
            for (axis, v) in [a.0, a.1].into_iter().enumerate() {
                shape.min[axis] = shape.min[axis].min(v);
                shape.max[axis] = shape.max[axis].max(v);
            }
        }
        Some(shape)
    }

    /// No building is so long; grids over it would be.
    pub fn is_too_large(&self) -> bool {
        (0..2).any(|axis| self.max[axis] - self.min[axis] > LONGEST)
    }

    /// Corners that point into the building, with the lines of the two walls that meet there.
    pub fn inner_corners(&self) -> Vec<((f64, f64), [Line; 2])> {
        let mut corners = Vec::new();
        for polygon in &self.polygons {
            for (ring, outer) in
                std::iter::once((polygon.exterior(), true)).chain(polygon.interiors().iter().map(|ring| (ring, false)))
            {
                let walls: Vec<_> = ring.lines().filter(|wall| wall.dx().hypot(wall.dy()) > SHORTEST_WALL).collect();
                // The inside of an outer ring is to the left where its area is positive; that of a hole lies outside of it.
                let area: f64 = ring.lines().map(|wall| wall.determinant()).sum();
                let turn = if outer { area.signum() } else { -area.signum() };
                for (index, wall) in walls.iter().enumerate() {
                    let next = &walls[(index + 1) % walls.len()];
                    if wall.end != next.start {
                        continue;
                    }
                    let cross = wall.dx() * next.dy() - wall.dy() * next.dx();
                    let sine = turn * cross / (wall.dx().hypot(wall.dy()) * next.dx().hypot(next.dy()));
                    let line = |wall: &geo::Line<f64>| Line::of(-wall.dy(), wall.dx(), wall.determinant());
                    if let (true, Some(one), Some(other)) = (sine < -SHARPEST, line(wall), line(next)) {
                        corners.push(((wall.end.x, wall.end.y), [one, other]));
                    }
                }
            }
        }
        corners
    }

    pub fn edges(&self) -> Vec<((f64, f64), (f64, f64))> {
        let rings = self.polygons.iter().flat_map(|p| std::iter::once(p.exterior()).chain(p.interiors()));
        rings.flat_map(|ring| ring.lines().map(|l| ((l.start.x, l.start.y), (l.end.x, l.end.y)))).collect()
    }
}

/// Edges, looked up by the row they pass: whether a place is inside, for many places.
pub struct Inside {
    edges: Vec<((f64, f64), (f64, f64))>,
    bands: Vec<Vec<u32>>,
    min: f64,
    height: f64,
}

impl Inside {
    pub fn of(shape: &Shape) -> Self {
        let edges = shape.edges();
        let count = 64;
        let (min, height) = (shape.min[1], ((shape.max[1] - shape.min[1]) / 64.0).max(1e-9));
        let mut bands = vec![Vec::new(); count];
        let band = |y: f64| super::near::floor((y - min) / height).min(count - 1);
        for (index, (a, b)) in edges.iter().enumerate() {
            for slot in &mut bands[band(a.1.min(b.1))..=band(a.1.max(b.1))] {
                slot.push(super::near::index_of(index));
            }
        }
        Self { edges, bands, min, height }
    }

    pub fn contains(&self, x: f64, y: f64) -> bool {
        if y < self.min {
            return false;
        }
        let Some(band) = self.bands.get(super::near::floor((y - self.min) / self.height).min(self.bands.len())) else {
            return false;
        };
        let mut inside = false;
        for index in band {
            let ((ax, ay), (bx, by)) = self.edges[*index as usize];
            if (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
                inside = !inside;
            }
        }
        inside
    }

    /// Where a line from west to east crosses the outline, in order.
    pub fn crossings(&self, y: f64, found: &mut Vec<f64>) {
        found.clear();
        if y < self.min {
            return;
        }
        let Some(band) = self.bands.get(super::near::floor((y - self.min) / self.height).min(self.bands.len())) else {
            return;
        };
        for index in band {
            let ((ax, ay), (bx, by)) = self.edges[*index as usize];
            if (ay > y) != (by > y) {
                found.push((bx - ax) * (y - ay) / (by - ay) + ax);
            }
        }
        found.sort_unstable_by(f64::total_cmp);
    }
}
