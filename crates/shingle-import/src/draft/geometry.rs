//! Where the shapes of a file lie, and how large they are.

use shingle_address::tables::state_of_zip;
use shingle_domain::Zip;
use shingle_domain::evidence::Position;
use shingle_property::Reference;
use shingle_property::geometry::kilometres;

use crate::draft::sample::Sample;
use crate::format::source::Shape;
use crate::geo::projection::Projection;

/// Half of the polygons of a layer are larger: they are lots.
const LEAST_LOT_M2: f64 = 420.0;
/// Shapes that are measured.
const MEASURED: usize = 400;
/// A place farther from every ZIP's middle lies in no state, or in a wrong projection.
const NEAR_KM: f64 = 80.0;

pub(super) struct Geometry {
    /// The middle of the shapes' first points; `None` where the projection is not known.
    pub centre: Option<Position>,
    /// Of polygons, the one in the middle by size.
    pub area_m2: Option<f64>,
    /// Why nothing could be said.
    pub fault: Option<String>,
}

impl Geometry {
    pub fn of(sample: &Sample) -> Option<Self> {
        if sample.shapes.is_empty() {
            return None;
        }
        let projection = match Projection::of_file(None, sample.declared.clone(), &sample.path, &mut Vec::new()) {
            Ok(projection) => projection,
            Err(e) => return Some(Self { centre: None, area_m2: None, fault: Some(e.to_string()) }),
        };
        let step = sample.shapes.len() / MEASURED + 1;
        let (mut points, mut areas) = (Vec::new(), Vec::new());
        for shape in sample.shapes.iter().step_by(step) {
            let ring = match shape {
                Shape::None => continue,
                Shape::Point(x, y) => vec![(*x, *y)],
                Shape::Rings(rings) => rings.first().cloned().unwrap_or_default(),
            };
            let ring: Option<Vec<(f64, f64)>> = ring.iter().map(|p| projection.degrees(p.0, p.1)).collect();
            let Some(ring) = ring.filter(|ring| !ring.is_empty()) else { continue };
            points.push(ring[0]);
            areas.extend((ring.len() > 2).then(|| area_m2(&ring)));
        }
        let middle = |mut of: Vec<f64>| {
            of.sort_by(f64::total_cmp);
            of.get(of.len() / 2).copied()
        };
        let longitude = middle(points.iter().map(|p| p.0).collect());
        let latitude = middle(points.iter().map(|p| p.1).collect());
        let centre = longitude.zip(latitude).map(|(longitude, latitude)| Position { longitude, latitude });
        Some(Self { centre, area_m2: middle(areas), fault: None })
    }

    pub fn is_lots(&self) -> bool {
        self.area_m2.is_some_and(|area| area > LEAST_LOT_M2)
    }

    /// The state of the nearest ZIP.
    pub fn state(&self) -> Option<&'static str> {
        state_at(self.centre?)
    }
}

pub(super) fn state_at(place: Position) -> Option<&'static str> {
    let reference = Reference::built_in();
    let zips = (1..100_000_u32).filter_map(|n| Zip::parse(&format!("{n:05}")));
    let far = zips.filter_map(|zip| Some((kilometres(reference.zip_centre(&zip)?, place), zip)));
    let (far, zip) = far.min_by(|a, b| a.0.total_cmp(&b.0))?;
    if far > NEAR_KM {
        return None;
    }
    state_of_zip(&zip.to_string())
}

/// On a plane at the ring's first point.
fn area_m2(ring: &[(f64, f64)]) -> f64 {
    const METRES_PER_DEGREE: f64 = 111_195.0;
    let (x0, y0) = ring[0];
    let east = METRES_PER_DEGREE * y0.to_radians().cos();
    let at = |p: &(f64, f64)| ((p.0 - x0) * east, (p.1 - y0) * METRES_PER_DEGREE);
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    let twice: f64 = pairs.map(|(a, b)| (at(a), at(b))).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
    twice.abs() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_in_the_state_of_its_nearest_zip() {
        let at = |longitude, latitude| state_at(Position { longitude, latitude });
        assert_eq!((at(-76.29, 36.85), at(-71.11, 42.37)), (Some("VA"), Some("MA")));
        assert_eq!((at(-82.99, 40.0), at(2.35, 48.85)), (Some("OH"), None));
    }
}
