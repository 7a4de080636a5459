//! Well-known binary: the geometries of GeoParquet, as rings or a point.

use crate::format::source::Shape;
use crate::format::unread_row::UnreadRow;

/// Collections within collections; deeper is a broken file.
const MAX_DEPTH: u32 = 4;

/// What is drawn. Heights and measures are ignored.
pub(crate) fn shape(bytes: &[u8]) -> Result<Shape, UnreadRow> {
    let mut rings = Vec::new();
    let mut at = Cursor { bytes, little: true };
    let point = at.geometry(&mut rings, 0)?;
    if !rings.is_empty() {
        return Ok(Shape::Rings(rings));
    }
    Ok(point.map_or(Shape::None, |(x, y)| Shape::Point(x, y)))
}

struct Cursor<'a> {
    bytes: &'a [u8],
    little: bool,
}

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], UnreadRow> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>().ok_or(UnreadRow::ShapeEndsEarly)?;
        self.bytes = rest;
        Ok(*taken)
    }

    fn count(&mut self) -> Result<u32, UnreadRow> {
        let four = self.take()?;
        Ok(if self.little { u32::from_le_bytes(four) } else { u32::from_be_bytes(four) })
    }

    fn number(&mut self) -> Result<f64, UnreadRow> {
        let eight = self.take()?;
        Ok(if self.little { f64::from_le_bytes(eight) } else { f64::from_be_bytes(eight) })
    }

    /// The first two numbers of a position.
    fn position(&mut self, dimensions: u32) -> Result<(f64, f64), UnreadRow> {
        let at = (self.number()?, self.number()?);
        for _ in 2..dimensions {
            self.number()?;
        }
        Ok(at)
    }

    /// Adds the rings of polygons; gives the point where it is one.
    fn geometry(&mut self, rings: &mut Vec<Vec<(f64, f64)>>, depth: u32) -> Result<Option<(f64, f64)>, UnreadRow> {
        self.little = self.take::<1>()? != [0];
        let code = self.count()?;
        // Heights are marked by thousands, or in the extended form by the highest bits.
        let (extended, plain) = (code >> 28, code & 0x0fff_ffff);
        let dimensions = match plain / 1_000 {
            0 => 2 + (extended >> 3 & 1) + (extended >> 2 & 1),
            3 => 4,
            _ => 3,
        };
        if extended & 2 != 0 {
            self.count()?;
        }
        match plain % 1_000 {
            1 => {
                let (x, y) = self.position(dimensions)?;
                // A point that is nowhere is written as not-a-number.
                Ok((!x.is_nan()).then_some((x, y)))
            }
            3 => {
                for _ in 0..self.count()? {
                    let ring = (0..self.count()?).map(|_| self.position(dimensions)).collect::<Result<_, _>>()?;
                    rings.push(ring);
                }
                Ok(None)
            }
            4 | 6 | 7 if depth < MAX_DEPTH => {
                let mut first = None;
                for _ in 0..self.count()? {
                    let point = self.geometry(rings, depth + 1)?;
                    first = first.or(point);
                }
                Ok(first)
            }
            2 | 5 => Err(UnreadRow::Line),
            other => Err(UnreadRow::OtherShape { other: u64::from(other) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(order: u8, code: u32, numbers: &[f64]) -> Vec<u8> {
        let mut out = vec![order];
        out.extend(if order == 1 { code.to_le_bytes() } else { code.to_be_bytes() });
        out.extend(numbers.iter().flat_map(|n| if order == 1 { n.to_le_bytes() } else { n.to_be_bytes() }));
        out
    }

    fn polygon(rings: &[&[(f64, f64)]]) -> Vec<u8> {
        let mut out = vec![1, 3, 0, 0, 0];
        out.extend((rings.len() as u32).to_le_bytes());
        for ring in rings {
            out.extend((ring.len() as u32).to_le_bytes());
            out.extend(ring.iter().flat_map(|p| [p.0, p.1]).flat_map(f64::to_le_bytes));
        }
        out
    }

    #[test]
    fn points_are_read_in_both_byte_orders_and_with_heights() {
        for bytes in [
            point(1, 1, &[-82.5, 40.25]),
            point(0, 1, &[-82.5, 40.25]),
            point(1, 1_001, &[-82.5, 40.25, 300.0]),
            point(0, 3_001, &[-82.5, 40.25, 300.0, 1.0]),
            point(1, 0x8000_0001, &[-82.5, 40.25, 300.0]),
        ] {
            assert_eq!(shape(&bytes), Ok(Shape::Point(-82.5, 40.25)));
        }
        assert_eq!(shape(&point(1, 1, &[f64::NAN, f64::NAN])), Ok(Shape::None));
    }

    #[test]
    fn polygons_and_collections_become_rings() {
        let (outer, hole) = ([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)], [(0.1, 0.1), (0.2, 0.1), (0.2, 0.2)]);
        let one = polygon(&[&outer, &hole]);
        let rings = vec![outer.to_vec(), hole.to_vec()];
        assert_eq!(shape(&one), Ok(Shape::Rings(rings.clone())));
        let mut two = vec![1, 6, 0, 0, 0, 2, 0, 0, 0];
        two.extend_from_slice(&one);
        two.extend_from_slice(&one);
        assert_eq!(shape(&two), Ok(Shape::Rings([rings.clone(), rings].concat())));
    }

    #[test]
    fn broken_bytes_are_refused_wherever_they_end() {
        let whole = polygon(&[&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]]);
        for end in 0..whole.len() {
            assert!(shape(&whole[..end]).is_err(), "{end}");
        }
        // Four thousand million rings are promised, and there is none.
        assert!(shape(&[1, 3, 0, 0, 0, 255, 255, 255, 255]).is_err());
        assert!(shape(&[1, 7, 0, 0, 0, 1, 0, 0, 0].repeat(50)).is_err());
        assert!(shape(&[1, 2, 0, 0, 0]).unwrap_err() == UnreadRow::Line);
    }
}
