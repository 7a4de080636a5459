//! Planes as heights over the ground plan: no roof facet is vertical.

/// A point in meters about the origin of its roof.
pub type Xyz = [f64; 3];

/// `z = a x + b y + c`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    pub a: f64,
    pub b: f64,
    pub c: f64,
}

impl Plane {
    pub fn z(&self, x: f64, y: f64) -> f64 {
        self.a * x + self.b * y + self.c
    }

    /// Of the pitch: what a square meter of the plane covers on the ground.
    pub fn cos(&self) -> f64 {
        1.0 / (1.0 + self.a * self.a + self.b * self.b).sqrt()
    }

    pub fn pitch_degrees(&self) -> f64 {
        self.a.hypot(self.b).atan().to_degrees()
    }

    /// Where water runs, clockwise from north.
    pub fn azimuth_degrees(&self) -> f64 {
        (-self.a).atan2(-self.b).to_degrees().rem_euclid(360.0)
    }

    pub fn cos_angle(&self, other: &Self) -> f64 {
        (self.a * other.a + self.b * other.b + 1.0) * self.cos() * other.cos()
    }
}

/// A plane with its cosine, for many points.
#[derive(Debug, Clone, Copy)]
pub struct Leveled {
    pub plane: Plane,
    pub cos: f64,
}

impl From<&Plane> for Leveled {
    fn from(plane: &Plane) -> Self {
        Self { plane: *plane, cos: plane.cos() }
    }
}

impl Leveled {
    /// Meters above the plane, at right angles to it.
    pub fn distance(&self, p: &Xyz) -> f64 {
        (p[2] - self.plane.z(p[0], p[1])) * self.cos
    }

    pub fn cos_angle(&self, other: &Self) -> f64 {
        (self.plane.a * other.plane.a + self.plane.b * other.plane.b + 1.0) * self.cos * other.cos
    }
}

/// Sums of points, from which a plane follows. Taken about a point near them, so that no digits are lost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Moments {
    pub n: f64,
    s: [f64; 3],
    ss: [f64; 6],
}

impl Moments {
    pub fn add(&mut self, p: &Xyz) {
        let [x, y, z] = *p;
        self.n += 1.0;
        self.s[0] += x;
        self.s[1] += y;
        self.s[2] += z;
        self.ss[0] += x * x;
        self.ss[1] += x * y;
        self.ss[2] += y * y;
        self.ss[3] += x * z;
        self.ss[4] += y * z;
        self.ss[5] += z * z;
    }

    pub fn of<'a>(points: impl IntoIterator<Item = &'a Xyz>) -> Self {
        let mut moments = Self::default();
        for p in points {
            moments.add(p);
        }
        moments
    }

    /// The plane of least squares and the root of its mean square distance. `None` where the points are on a line.
    pub fn fit(&self) -> Option<(Plane, f64)> {
        if self.n < 3.0 {
            return None;
        }
        let m = self.s.map(|s| s / self.n);
        let xx = self.ss[0] / self.n - m[0] * m[0];
        let xy = self.ss[1] / self.n - m[0] * m[1];
        let yy = self.ss[2] / self.n - m[1] * m[1];
        let xz = self.ss[3] / self.n - m[0] * m[2];
        let yz = self.ss[4] / self.n - m[1] * m[2];
        let zz = self.ss[5] / self.n - m[2] * m[2];
        let det = xx * yy - xy * xy;
        if det <= 1e-4 * (xx + yy) * (xx + yy) || det < 1e-9 {
            return None;
        }
        let a = (xz * yy - yz * xy) / det;
        let b = (yz * xx - xz * xy) / det;
        let plane = Plane { a, b, c: m[2] - a * m[0] - b * m[1] };
        let rest = (zz - a * xz - b * yz).max(0.0);
        Some((plane, rest.sqrt() * plane.cos()))
    }
}
