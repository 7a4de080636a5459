//! Boxes about places, in the coordinates of the points.

use crate::boxes::Boxes;
use crate::crs::Projection;
use crate::error::MeasureError;

/// Where points are wanted.
#[derive(Debug)]
pub struct Near {
    boxes: Boxes,
    units_of_meter: f64,
}

impl Near {
    pub(super) fn new<R>(
        rings: impl IntoIterator<Item = R>,
        margin: f64,
        projection: &Projection,
    ) -> Result<Self, MeasureError>
    where
        R: IntoIterator<Item = (f64, f64)>,
    {
        if matches!(projection, Projection::Plane(_)) {
            return Err(MeasureError::Unplaced("the survey".to_owned()));
        }
        let mut boxes: Vec<([f64; 2], [f64; 2])> = rings
            .into_iter()
            .filter_map(|ring| {
                // What lies where the system is not defined has no points.
                let corners =
                    ring.into_iter().map(|(lon, lat)| projection.file(lon, lat)).collect::<Option<Vec<_>>>()?;
                let ends = |f: fn(f64, f64) -> f64, from: f64| {
                    corners.iter().fold([from; 2], |at, (x, y)| [f(at[0], *x), f(at[1], *y)])
                };
                let (min, max) = (ends(f64::min, f64::INFINITY), ends(f64::max, f64::NEG_INFINITY));
                (min[0] <= max[0] && min[1] <= max[1]).then_some((min, max))
            })
            .collect();
        let all = boxes
            .iter()
            .copied()
            .reduce(|(a, b), (c, d)| ([a[0].min(c[0]), a[1].min(c[1])], [b[0].max(d[0]), b[1].max(d[1])]));
        let units_of_meter = all.map_or(1.0, |(min, max)| {
            let middle = (f64::midpoint(min[0], max[0]), f64::midpoint(min[1], max[1]));
            projection.frame(middle).units(1.0)
        });
        let margin = margin * units_of_meter;
        for (min, max) in &mut boxes {
            *min = min.map(|v| v - margin);
            *max = max.map(|v| v + margin);
        }
        Ok(Self { boxes: Boxes::new(boxes), units_of_meter })
    }

    pub fn touch(&self, min: [f64; 2], max: [f64; 2]) -> bool {
        self.boxes.touch(min, max)
    }

    pub(super) fn units_of_meter(&self) -> f64 {
        self.units_of_meter
    }
}
