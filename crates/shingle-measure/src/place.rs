//! Outlines in the coordinates of the points.

use crate::crs::{FileCrs, Frame, Horizontal, Projection};
use crate::error::MeasureError;
use crate::on_earth::OnEarth;
use crate::outline::{Outline, Outlines};
use crate::roof::Shape;

/// Meters about an outline that are looked at for the ground.
pub const MARGIN: f64 = 4.0;

/// Outlines that are looked at to see whether their coordinates are swapped.
const MOST_LOOKED_AT: usize = 1_000;

/// An outline where the points are.
pub struct Placed {
    pub shape: Shape,
    pub frame: Frame,
    pub on_earth: Option<OnEarth>,
    /// In the coordinates of the file, with the margin.
    pub min: [f64; 2],
    pub max: [f64; 2],
}

/// How the coordinates of outlines become those of a file.
pub enum Way {
    Same { factor: f64 },
    FromDegrees,
    Between(Box<Projection>),
}

impl Way {
    /// `bounds` are what the headers of the points say.
    pub fn choose(
        outlines: &Outlines,
        crs: &FileCrs,
        bounds: Option<[[f64; 3]; 2]>,
        file: &str,
    ) -> Result<Self, MeasureError> {
        let has_place = matches!(crs.horizontal, Horizontal::Projected { .. } | Horizontal::Degrees);
        let degrees = |has_place: bool| match has_place {
            true => Ok(Self::FromDegrees),
            false => Err(MeasureError::Unplaced(file.to_owned())),
        };
        if outlines.says_degrees {
            return degrees(has_place);
        }
        let mut points = outlines.outlines.iter().flat_map(|o| o.parts.iter().flatten().flatten());
        let looks_like_degrees = points.all(|(x, y)| x.abs() <= 180.0 && y.abs() <= 180.0);
        if let Some(code) = outlines.code {
            if !looks_like_degrees && !has_place {
                // What the number stands for need not be looked up.
                return Ok(Self::Same { factor: 1.0 });
            }
            let theirs = FileCrs::numbered(code);
            return match (&crs.horizontal, theirs) {
                (_, Ok(Horizontal::Degrees)) => degrees(has_place),
                // The points do not say where they are: the outlines were made for them.
                (Horizontal::Unknown | Horizontal::Plane { .. }, _) => Ok(Self::Same { factor: 1.0 }),
                (_, Err(e)) => Err(e),
                (
                    Horizontal::Projected { meters, proj },
                    Ok(Horizontal::Projected { meters: their_meters, proj: their_proj }),
                ) if *proj == their_proj => Ok(Self::Same { factor: their_meters / meters }),
                (_, Ok(theirs)) => Ok(Self::Between(Box::new(Projection::of(&theirs)?))),
            };
        }
        let is_among = |(x, y): &(f64, f64)| {
            bounds.is_some_and(|[min, max]| *x >= min[0] && *x <= max[0] && *y >= min[1] && *y <= max[1])
        };
        let lies_with_points = outlines.outlines.iter().any(|o| o.parts.iter().flatten().flatten().any(is_among));
        match looks_like_degrees && !lies_with_points {
            true => degrees(has_place),
            false => Ok(Self::Same { factor: 1.0 }),
        }
    }

    /// Whether no outline lies within the bounds of the points, and some would with east and north swapped.
    pub fn is_swapped(&self, outlines: &[Outline], to: &Projection, [min, max]: [[f64; 3]; 2]) -> bool {
        let is_among =
            |at: Option<(f64, f64)>| at.is_some_and(|(x, y)| x >= min[0] && x <= max[0] && y >= min[1] && y <= max[1]);
        // Near the diagonal, a place and its swapped one are neighbors.
        let is_far = |(x, y): (f64, f64)| (x - y).abs() > 0.05 * x.abs().max(y.abs());
        let corners = || {
            let step = outlines.len().div_ceil(MOST_LOOKED_AT).max(1);
            outlines.iter().step_by(step).filter_map(|o| o.parts.first()?.first()?.first()).copied()
        };
        !corners().any(|at| is_among(self.apply(at, to)))
            && corners().any(|(x, y)| is_far((x, y)) && is_among(self.apply((y, x), to)))
    }

    fn apply(&self, (x, y): (f64, f64), to: &Projection) -> Option<(f64, f64)> {
        match self {
            Self::Same { factor } => Some((x * factor, y * factor)),
            Self::FromDegrees => to.file(x, y),
            Self::Between(from) => {
                let (lon, lat) = from.degrees(x, y)?;
                to.file(lon, lat)
            }
        }
    }
}

impl Placed {
    /// `None` where the outline has no area, or lies where the system of the points is not defined.
    pub fn new(outline: &Outline, way: &Way, projection: &Projection) -> Option<Self> {
        let mut parts = Vec::with_capacity(outline.parts.len());
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for rings in &outline.parts {
            let mut placed = Vec::with_capacity(rings.len());
            for ring in rings {
                let ring = ring.iter().map(|p| way.apply(*p, projection)).collect::<Option<Vec<_>>>()?;
                for (x, y) in &ring {
                    for (axis, v) in [*x, *y].into_iter().enumerate() {
                        min[axis] = min[axis].min(v);
                        max[axis] = max[axis].max(v);
                    }
                }
                placed.push(ring);
            }
            parts.push(placed);
        }
        let middle = (f64::midpoint(min[0], max[0]), f64::midpoint(min[1], max[1]));
        if !middle.0.is_finite() || !middle.1.is_finite() {
            return None;
        }
        let frame = projection.frame(middle);
        for point in parts.iter_mut().flatten().flatten() {
            *point = frame.meters(point.0, point.1);
        }
        let shape = Shape::new(&parts)?;
        let margin = frame.units(MARGIN);
        for axis in 0..2 {
            min[axis] -= margin;
            max[axis] += margin;
        }
        let on_earth = OnEarth::of(&frame, projection);
        Some(Self { shape, frame, on_earth, min, max })
    }
}
