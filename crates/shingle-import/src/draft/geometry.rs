//! Where the shapes of a file lie, and how large they are.

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::Position;

use crate::draft::projection_guess::{Whereabouts, guesses, state_at};
use crate::draft::sample::Sample;
use crate::format::source::{DeclaredCrs, Shape};
use crate::geo::file_projection::projection_of_file;
use shingle_projection::CrsProblem;
use shingle_projection::Projection;

/// Half of the polygons of a layer are larger: they are lots.
const LEAST_LOT_M2: f64 = 420.0;
/// Shapes that are measured.
const MEASURED: usize = 400;

#[derive(Debug, Default)]
pub(super) struct Geometry {
    /// The middle of the shapes' first points; `None` where the projection is not known.
    pub centre: Option<Position>,
    /// Of polygons, the one in the middle by size.
    pub area_m2: Option<f64>,
    /// Why the file alone says nothing of where it is.
    pub fault: Option<CrsProblem>,
    /// The projections that put it where its rows are. With one alone the rest is known too.
    pub guesses: Vec<u16>,
}

impl Geometry {
    pub fn of(sample: &Sample, whereabouts: &Whereabouts) -> Option<Self> {
        if sample.shapes.is_empty() {
            return None;
        }
        let declared = projection_of_file(None, sample.declared.clone(), &sample.path, &mut Vec::new());
        let fault = match declared {
            Ok(projection) => return Some(Self::measured(sample, &projection)),
            Err(problem) => problem,
        };
        // On a datum that is not converted another projection would only seem to fit.
        let is_known = !matches!(sample.declared, DeclaredCrs::Nothing | DeclaredCrs::PerhapsDegrees);
        let guesses = match middle_point(sample) {
            Some(point) if !is_known => guesses(point, whereabouts),
            _ => Vec::new(),
        };
        let only = (guesses.len() == 1).then(|| Projection::named(&guesses[0].to_string()).ok()).flatten();
        let measured = only.map(|projection| Self::measured(sample, &projection));
        Some(Self { fault: Some(fault), guesses, ..measured.unwrap_or_default() })
    }

    fn measured(sample: &Sample, projection: &Projection) -> Self {
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
        let longitude = middle(points.iter().map(|p| p.0).collect());
        let latitude = middle(points.iter().map(|p| p.1).collect());
        let centre = longitude.zip(latitude).map(|(longitude, latitude)| Position { longitude, latitude });
        Self { centre, area_m2: middle(areas), ..Self::default() }
    }

    pub fn is_lots(&self) -> bool {
        self.area_m2.is_some_and(|area| area > LEAST_LOT_M2)
    }

    /// The state of the nearest ZIP.
    pub fn state(&self) -> Option<&'static str> {
        state_at(self.centre?)
    }
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

/// Of the shapes' first points.
fn middle_point(sample: &Sample) -> Option<(f64, f64)> {
    let first = |shape: &Shape| match shape {
        Shape::None => None,
        Shape::Point(x, y) => Some((*x, *y)),
        Shape::Rings(rings) => rings.first()?.first().copied(),
    };
    let points: Vec<(f64, f64)> = sample.shapes.iter().filter_map(first).collect();
    middle(points.iter().map(|p| p.0).collect()).zip(middle(points.iter().map(|p| p.1).collect()))
}

fn middle(mut of: Vec<f64>) -> Option<f64> {
    of.cold_sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied()
}
