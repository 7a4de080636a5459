//! From pixels to coordinates and back. Pixels are counted from the outer corner of the first one.

use crate::error::ImageryError;
use crate::file::directory::{Directory, Tiff};

const SCALE: u16 = 33_550;
const TIE_POINTS: u16 = 33_922;
const MATRIX: u16 = 34_264;

/// How far control points may be off a straight fit: a pixel.
const MOST_OFF: f64 = 1.0;

/// `x = a·column + b·row + c`, `y = d·column + e·row + f`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matrix {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
}

impl Matrix {
    pub fn new([a, b, c, d, e, f]: [f64; 6]) -> Result<Self, ImageryError> {
        let matrix = Self { a, b, c, d, e, f };
        let det = matrix.determinant();
        let finite = [a, b, c, d, e, f].iter().all(|n| n.is_finite());
        if !finite || !det.is_normal() || !(1.0 / det).is_finite() {
            return Err(ImageryError::Placement("its pixels have no size"));
        }
        Ok(matrix)
    }

    fn determinant(&self) -> f64 {
        self.a * self.e - self.b * self.d
    }

    pub fn coordinates(&self, column: f64, row: f64) -> (f64, f64) {
        (self.a * column + self.b * row + self.c, self.d * column + self.e * row + self.f)
    }

    pub fn pixel(&self, x: f64, y: f64) -> (f64, f64) {
        let (dx, dy, det) = (x - self.c, y - self.f, self.determinant());
        ((self.e * dx - self.b * dy) / det, (self.a * dy - self.d * dx) / det)
    }

    /// For numbers that are of the centers of pixels.
    pub fn of_centers(self) -> Self {
        let (c, f) = self.coordinates(-0.5, -0.5);
        Self { c, f, ..self }
    }

    /// What the tags of a page say, `None` where they say nothing.
    pub fn of_tags(tiff: &Tiff, page: &Directory, of_points: bool) -> Result<Option<Self>, ImageryError> {
        let centered = |matrix: Self| if of_points { matrix.of_centers() } else { matrix };
        let m = tiff.numbers(page, MATRIX)?;
        if m.len() >= 16 {
            return Self::new([m[0], m[1], m[3], m[4], m[5], m[7]]).map(|matrix| Some(centered(matrix)));
        }
        let (scale, ties) = (tiff.numbers(page, SCALE)?, tiff.numbers(page, TIE_POINTS)?);
        match (scale.as_slice(), ties.as_slice()) {
            // Heights grow downwards in the picture, whatever the sign: as GDAL has it.
            ([sx, sy, ..], [i, j, _, x, y, _, ..]) if *sx != 0.0 && *sy != 0.0 => {
                let (sx, sy) = (*sx, -sy.abs());
                Self::new([sx, 0.0, x - i * sx, 0.0, sy, y - j * sy]).map(|matrix| Some(centered(matrix)))
            }
            (_, ties) if ties.len() >= 18 => Self::of_control_points(ties).map(|matrix| Some(centered(matrix))),
            _ => Ok(None),
        }
    }

    /// A straight fit by least squares, refused where it is more than a pixel off anywhere.
    fn of_control_points(ties: &[f64]) -> Result<Self, ImageryError> {
        let points: Vec<[f64; 4]> = ties.chunks_exact(6).map(|t| [t[0], t[1], t[3], t[4]]).collect();
        #[allow(clippy::cast_precision_loss, reason = "some hundreds of points")]
        let count = points.len() as f64;
        let mean = |i: usize| points.iter().map(|p| p[i]).sum::<f64>() / count;
        let [u0, v0, x0, y0] = [mean(0), mean(1), mean(2), mean(3)];
        let sum = |f: &dyn Fn(f64, f64, f64, f64) -> f64| {
            points.iter().map(|p| f(p[0] - u0, p[1] - v0, p[2] - x0, p[3] - y0)).sum::<f64>()
        };
        let (uu, uv, vv) = (sum(&|u, _, _, _| u * u), sum(&|u, v, _, _| u * v), sum(&|_, v, _, _| v * v));
        let det = uu * vv - uv * uv;
        let slopes = |u: f64, v: f64| ((u * vv - v * uv) / det, (v * uu - u * uv) / det);
        let (a, b) = slopes(sum(&|u, _, x, _| u * x), sum(&|_, v, x, _| v * x));
        let (d, e) = slopes(sum(&|u, _, _, y| u * y), sum(&|_, v, _, y| v * y));
        let matrix = Self::new([a, b, x0 - a * u0 - b * v0, d, e, y0 - d * u0 - e * v0])?;
        let off = |p: &[f64; 4]| {
            let (column, row) = matrix.pixel(p[2], p[3]);
            (column - p[0]).hypot(row - p[1])
        };
        let pixels = points.iter().map(off).fold(0.0, f64::max);
        if pixels <= MOST_OFF { Ok(matrix) } else { Err(ImageryError::ControlPoints { pixels }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_matrix_leads_there_and_back() {
        let matrix = Matrix::new([0.2, 0.1, 500.0, 0.1, -0.2, 900.0]).unwrap();
        for (column, row) in [(0.0, 0.0), (17.5, 3.25), (-4.0, 1e5)] {
            let (x, y) = matrix.coordinates(column, row);
            let (c, r) = matrix.pixel(x, y);
            assert!((c - column).abs() < 1e-6 && (r - row).abs() < 1e-6, "{c} {r}");
        }
        assert_eq!(matrix.of_centers().coordinates(0.5, 0.5), matrix.coordinates(0.0, 0.0));
    }

    #[test]
    fn control_points_are_fitted_or_refused() {
        let ties = |bend: f64| {
            let at = |c: f64, r: f64| [c, r, 0.0, 10.0 + 0.5 * c + 0.1 * r + bend * c * r, 90.0 - 0.5 * r, 0.0];
            [at(0.0, 0.0), at(100.0, 0.0), at(0.0, 100.0), at(100.0, 100.0)].concat()
        };
        let matrix = Matrix::of_control_points(&ties(0.0)).unwrap();
        let (x, y) = matrix.coordinates(40.0, 10.0);
        assert!((x - 31.0).abs() < 1e-9 && (y - 85.0).abs() < 1e-9, "{x} {y}");
        let refused = Matrix::of_control_points(&ties(0.01)).unwrap_err();
        assert!(matches!(refused, ImageryError::ControlPoints { pixels } if pixels > 10.0), "{refused}");
        let same_place = [[1.0, 1.0, 0.0, 5.0, 5.0, 0.0]; 3].concat();
        assert!(Matrix::of_control_points(&same_place).is_err());
    }
}
