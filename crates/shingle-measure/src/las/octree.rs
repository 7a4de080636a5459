//! Places of the nodes of an octree.

/// A node of a billion points has fewer levels.
const DEEPEST: i64 = 30;

/// Level, and place in it along each axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub level: u8,
    pub axes: [u32; 3],
}

impl Key {
    pub const ROOT: Self = Self { level: 0, axes: [0; 3] };

    /// `None` where there is no such place.
    pub fn new(level: i64, axes: [i64; 3]) -> Option<Self> {
        if !(0..=DEEPEST).contains(&level) || axes.iter().any(|v| !(0..1_i64 << level).contains(v)) {
            return None;
        }
        let axis = |v: i64| u32::try_from(v).ok();
        let axes = [axis(axes[0])?, axis(axes[1])?, axis(axes[2])?];
        Some(Self { level: u8::try_from(level).ok()?, axes })
    }

    /// As EPT writes it: `level-x-y-z`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-').map(|part| part.parse::<u32>().ok().map(i64::from));
        let mut next = || parts.next().flatten();
        let key = Self::new(next()?, [next()?, next()?, next()?])?;
        (parts.next().is_none()).then_some(key)
    }

    /// The node lies in the other one, or is it.
    pub fn is_in(self, other: Self) -> bool {
        let down = self.level.checked_sub(other.level);
        down.is_some_and(|down| (0..3).all(|axis| self.axes[axis] >> down == other.axes[axis]))
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.axes;
        write!(f, "{}-{x}-{y}-{z}", self.level)
    }
}

/// The cube that all points are in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cube {
    min: [f64; 3],
    side: f64,
}

impl Cube {
    pub fn new(min: [f64; 3], side: f64) -> Option<Self> {
        let is_usable = min.iter().all(|v| v.is_finite() && v.abs() < 1e12) && side > 0.0 && side < 1e12;
        is_usable.then_some(Self { min, side })
    }

    pub fn about(center: [f64; 3], half: f64) -> Option<Self> {
        Self::new(center.map(|v| v - half), 2.0 * half)
    }

    pub fn side(&self) -> f64 {
        self.side
    }

    /// The ground plan of a node, a little larger than it: points on its border are rounded to either side, and heights of
    /// octrees are sometimes those of the header.
    pub fn plan(&self, key: Key) -> [[f64; 2]; 2] {
        let side = self.side / f64::from(1_u32 << key.level);
        let slip = 0.01 * side + 1e-9 * self.side;
        let at = |axis: usize| self.min[axis] + f64::from(key.axes[axis]) * side;
        [[at(0) - slip, at(1) - slip], [at(0) + side + slip, at(1) + side + slip]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_places_of_their_level() {
        assert_eq!(Key::parse("2-3-0-1").map(|key| key.to_string()).as_deref(), Some("2-3-0-1"));
        for text in
            ["2-4-0-0", "1-0-0", "1-0-0-0-0", "-1-0-0-0", "31-0-0-0", "a-0-0-0", "", "1-+1-0-0x", "4294967296-0-0-0"]
        {
            assert_eq!(Key::parse(text), None, "{text}");
        }
        assert_eq!(Key::new(i64::from(i32::MAX), [0; 3]), None);
        assert_eq!(Key::new(3, [7, -1, 0]), None);
        let (parent, child) = (Key::parse("1-1-0-0").unwrap(), Key::parse("3-6-1-2").unwrap());
        assert!(child.is_in(parent) && child.is_in(Key::ROOT) && !parent.is_in(child));
        assert!(!Key::parse("3-3-1-2").unwrap().is_in(parent));
    }

    #[test]
    fn a_plan_holds_its_part_of_the_cube() {
        let cube = Cube::about([100.0, 200.0, 0.0], 32.0).unwrap();
        let [min, max] = cube.plan(Key::parse("2-3-0-1").unwrap());
        assert!(min[0] < 116.0 && min[0] > 115.5 && max[0] > 132.0 && max[0] < 132.5, "{min:?} {max:?}");
        assert!(min[1] < 168.0 && min[1] > 167.5 && max[1] > 184.0 && max[1] < 184.5, "{min:?} {max:?}");
        assert!(Cube::about([f64::NAN, 0.0, 0.0], 1.0).is_none() && Cube::about([0.0; 3], -1.0).is_none());
    }
}
