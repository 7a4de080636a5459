//! Many boxes, and whether another one touches any of them.

/// From west to east.
#[derive(Debug)]
pub struct Boxes {
    boxes: Vec<([f64; 2], [f64; 2])>,
    widest: f64,
}

impl Boxes {
    /// The lowest and highest corner of each.
    pub fn new(mut boxes: Vec<([f64; 2], [f64; 2])>) -> Self {
        boxes.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
        let widest = boxes.iter().map(|(min, max)| max[0] - min[0]).fold(0.0, f64::max);
        Self { boxes, widest }
    }

    pub fn touch(&self, min: [f64; 2], max: [f64; 2]) -> bool {
        let first = self.boxes.partition_point(|(from, _)| from[0] < min[0] - self.widest);
        let near = self.boxes[first..].iter().take_while(|(from, _)| from[0] <= max[0]);
        near.filter(|(_, to)| to[0] >= min[0]).any(|(from, to)| from[1] <= max[1] && to[1] >= min[1])
    }
}

/// Whether points of a box are wanted, by its lowest and highest corner.
pub type Needs<'a> = dyn Fn([f64; 2], [f64; 2]) -> bool + 'a;
