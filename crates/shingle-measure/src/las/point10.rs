//! The points of formats 0 to 5. `laz` makes all tables of chance of a chunk before its first point, several hundred
//! kilobytes: small files spend most of their time on tables that nothing looks at. Here each is made when it is first used.

use std::io::{self, Read};

use laz::decoders::ArithmeticDecoder;
use laz::models::{ArithmeticBitModel, ArithmeticModel};
use laz::record::FieldDecompressor;

use super::bytes::{i32_at, u16_at};

const SIZE: usize = 20;

/// Which of sixteen groups a return belongs to, by how many its pulse has and which of them it is.
const GROUP: [[u8; 8]; 8] = [
    [15, 14, 13, 12, 11, 10, 9, 8],
    [14, 0, 1, 3, 6, 10, 10, 9],
    [13, 1, 2, 4, 7, 11, 11, 10],
    [12, 3, 4, 5, 8, 12, 12, 11],
    [11, 6, 7, 8, 9, 13, 13, 12],
    [10, 10, 11, 12, 13, 14, 14, 13],
    [9, 10, 11, 12, 13, 14, 15, 14],
    [8, 9, 10, 11, 12, 13, 14, 15],
];

/// Tables of one kind, each made when it is first used.
struct Tables {
    symbols: u32,
    tables: Vec<Option<ArithmeticModel>>,
}

impl Tables {
    fn new(symbols: u32, count: usize) -> Self {
        Self { symbols, tables: (0..count).map(|_| None).collect() }
    }

    fn at(&mut self, index: usize) -> &mut ArithmeticModel {
        let symbols = self.symbols;
        self.tables[index].get_or_insert_with(|| ArithmeticModel::new(symbols, false, &[]))
    }

    fn byte<R: Read>(&mut self, index: u8, decoder: &mut ArithmeticDecoder<R>) -> io::Result<u8> {
        // A table of 256 symbols.
        Ok(decoder.decode_symbol(self.at(usize::from(index)))?.to_le_bytes()[0])
    }
}

/// Numbers near expected ones.
struct Numbers {
    bits: u32,
    lengths: Tables,
    one: ArithmeticBitModel,
    upper: Vec<Option<ArithmeticModel>>,
    /// Bits that the last difference had.
    length: u32,
}

/// Bits of a difference that have a table; those below come as they are.
const MOST_UPPER: u32 = 8;

impl Numbers {
    fn new(bits: u32, contexts: usize) -> Self {
        let upper = (0..bits).map(|_| None).collect();
        Self { bits, lengths: Tables::new(bits + 1, contexts), one: ArithmeticBitModel::new(), upper, length: 0 }
    }

    fn next<R: Read>(&mut self, decoder: &mut ArithmeticDecoder<R>, expected: i32, context: u32) -> io::Result<i32> {
        let length = decoder.decode_symbol(self.lengths.at(context as usize))?;
        self.length = length;
        let off = match length {
            0 => decoder.decode_bit(&mut self.one)?.cast_signed(),
            32.. => i32::MIN,
            _ => {
                let symbols = 1 << length.min(MOST_UPPER);
                let table =
                    self.upper[length as usize - 1].get_or_insert_with(|| ArithmeticModel::new(symbols, false, &[]));
                let mut off = decoder.decode_symbol(table)?;
                if length > MOST_UPPER {
                    let lower = length - MOST_UPPER;
                    off = off << lower | decoder.read_bits(lower)?;
                }
                let off = off.cast_signed();
                // The lower half stands for negative numbers; 0 and 1 have no length.
                if off >= 1 << (length - 1) {
                    off.wrapping_add(1)
                } else {
                    off.wrapping_sub((1_u32 << length).wrapping_sub(1).cast_signed())
                }
            }
        };
        let number = expected.wrapping_add(off);
        if self.bits >= 32 {
            return Ok(number);
        }
        // Around, as the numbers are.
        let range = 1 << self.bits;
        Ok(if number < 0 {
            number.wrapping_add(range)
        } else if number >= range {
            number.wrapping_sub(range)
        } else {
            number
        })
    }
}

/// About the middle of the last five differences.
#[derive(Clone, Copy)]
struct Middle {
    sorted: [i32; 5],
    /// Whether the highest leaves next.
    is_high: bool,
}

impl Middle {
    const NEW: Self = Self { sorted: [0; 5], is_high: true };

    fn get(&self) -> i32 {
        self.sorted[2]
    }

    fn add(&mut self, v: i32) {
        let s = &mut self.sorted;
        if self.is_high {
            if v < s[2] {
                (s[4], s[3]) = (s[3], s[2]);
                if v < s[0] {
                    (s[2], s[1], s[0]) = (s[1], s[0], v);
                } else if v < s[1] {
                    (s[2], s[1]) = (s[1], v);
                } else {
                    s[2] = v;
                }
            } else {
                if v < s[3] {
                    (s[4], s[3]) = (s[3], v);
                } else {
                    s[4] = v;
                }
                self.is_high = false;
            }
        } else if s[2] < v {
            (s[0], s[1]) = (s[1], s[2]);
            if s[4] < v {
                (s[2], s[3], s[4]) = (s[3], s[4], v);
            } else if s[3] < v {
                (s[2], s[3]) = (s[3], v);
            } else {
                s[2] = v;
            }
        } else {
            if s[1] < v {
                (s[0], s[1]) = (s[1], v);
            } else {
                s[0] = v;
            }
            self.is_high = true;
        }
    }
}

#[derive(Default)]
struct Last {
    place: [i32; 3],
    intensity: u16,
    returns: u8,
    class: u8,
    angle: u8,
    user: u8,
    source: u16,
}

/// Version 2 of the item.
pub struct Point10 {
    last: Last,
    intensities: [u16; 16],
    middles: [[Middle; 2]; 16],
    heights: [i32; 8],
    changed: ArithmeticModel,
    returns: Tables,
    classes: Tables,
    angles: Tables,
    users: Tables,
    intensity: Numbers,
    source: Numbers,
    dx: Numbers,
    dy: Numbers,
    z: Numbers,
}

impl Point10 {
    pub fn new() -> Self {
        Self {
            last: Last::default(),
            intensities: [0; 16],
            middles: [[Middle::NEW; 2]; 16],
            heights: [0; 8],
            changed: ArithmeticModel::new(64, false, &[]),
            returns: Tables::new(256, 256),
            classes: Tables::new(256, 256),
            angles: Tables::new(256, 2),
            users: Tables::new(256, 256),
            intensity: Numbers::new(16, 4),
            source: Numbers::new(16, 1),
            dx: Numbers::new(32, 2),
            dy: Numbers::new(32, 22),
            z: Numbers::new(32, 20),
        }
    }

    fn write(&self, out: &mut [u8]) {
        let last = &self.last;
        for (axis, v) in last.place.iter().enumerate() {
            out[4 * axis..4 * axis + 4].copy_from_slice(&v.to_le_bytes());
        }
        out[12..14].copy_from_slice(&last.intensity.to_le_bytes());
        out[14..18].copy_from_slice(&[last.returns, last.class, last.angle, last.user]);
        out[18..20].copy_from_slice(&last.source.to_le_bytes());
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sixteen bits are decoded")]
fn short(v: i32) -> u16 {
    v as u16
}

impl<R: Read> FieldDecompressor<R> for Point10 {
    fn size_of_field(&self) -> usize {
        SIZE
    }

    fn decompress_first(&mut self, source: &mut R, first: &mut [u8]) -> io::Result<()> {
        source.read_exact(first)?;
        self.last = Last {
            place: [0, 4, 8].map(|at| i32_at(first, at)),
            intensity: 0,
            returns: first[14],
            class: first[15],
            angle: first[16],
            user: first[17],
            source: u16_at(first, 18),
        };
        Ok(())
    }

    fn decompress_with(&mut self, decoder: &mut ArithmeticDecoder<R>, out: &mut [u8]) -> io::Result<()> {
        let changed = decoder.decode_symbol(&mut self.changed)?;
        let last = &mut self.last;
        if changed & 1 << 5 != 0 {
            last.returns = self.returns.byte(last.returns, decoder)?;
        }
        let (number, count) = (usize::from(last.returns & 7), usize::from(last.returns >> 3 & 7));
        let group = usize::from(GROUP[count][number]);
        if changed != 0 {
            if changed & 1 << 4 != 0 {
                let context = u32::from(GROUP[count][number].min(3));
                let expected = i32::from(self.intensities[group]);
                self.intensities[group] = short(self.intensity.next(decoder, expected, context)?);
            }
            last.intensity = self.intensities[group];
            if changed & 1 << 3 != 0 {
                last.class = self.classes.byte(last.class, decoder)?;
            }
            if changed & 1 << 2 != 0 {
                let off = self.angles.byte(last.returns >> 6 & 1, decoder)?;
                last.angle = last.angle.wrapping_add(off);
            }
            if changed & 1 << 1 != 0 {
                last.user = self.users.byte(last.user, decoder)?;
            }
            if changed & 1 != 0 {
                last.source = short(self.source.next(decoder, i32::from(last.source), 0)?);
            }
        }
        let is_only = u32::from(count == 1);
        let [x, y] = &mut self.middles[group];
        let off = self.dx.next(decoder, x.get(), is_only)?;
        last.place[0] = last.place[0].wrapping_add(off);
        x.add(off);
        // The longer the step to the east, the longer the others are.
        let even = |length: u32, most: u32| if length < most { length & !1 } else { most };
        let off = self.dy.next(decoder, y.get(), is_only + even(self.dx.length, 20))?;
        last.place[1] = last.place[1].wrapping_add(off);
        y.add(off);
        let height = &mut self.heights[count.abs_diff(number)];
        *height = self.z.next(decoder, *height, is_only + even(u32::midpoint(self.dx.length, self.dy.length), 18))?;
        last.place[2] = *height;
        self.write(out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use laz::las::v2;
    use laz::record::{
        RecordCompressor as _, RecordDecompressor as _, SequentialPointRecordCompressor,
        SequentialPointRecordDecompressor,
    };
    use proptest::prelude::*;

    use super::Point10;

    fn written(records: &[[u8; 20]]) -> Vec<u8> {
        let mut written = Cursor::new(Vec::new());
        let mut compressor = SequentialPointRecordCompressor::new(&mut written);
        compressor.add_field_compressor(v2::LasPoint0Compressor::default());
        for record in records {
            compressor.compress_next(record).unwrap();
        }
        compressor.done().unwrap();
        drop(compressor);
        written.into_inner()
    }

    fn read_again(bytes: &[u8], count: usize) -> Vec<[u8; 20]> {
        let mut decompressor = SequentialPointRecordDecompressor::new(Cursor::new(bytes));
        decompressor.add_field_decompressor(Point10::new());
        let mut record = [0; 20];
        let next = |_| {
            decompressor.decompress_next(&mut record).unwrap();
            record
        };
        (0..count).map(next).collect()
    }

    proptest! {
        #[test]
        fn any_records_come_back(records in proptest::collection::vec(any::<[u8; 20]>(), 1..300)) {
            prop_assert_eq!(read_again(&written(&records), records.len()), records);
        }
    }

    /// Neighbors in a survey differ little.
    #[test]
    fn records_of_a_survey_come_back() {
        let record = |index: i32| {
            let mut record = [0; 20];
            let turn = index.wrapping_mul(7919) % 101;
            record[..4].copy_from_slice(&(500_000_000 + 37 * index + turn).to_le_bytes());
            record[4..8].copy_from_slice(&(-1_000 - 5 * index + turn * turn).to_le_bytes());
            record[8..12].copy_from_slice(&(12_000 + turn % 7 - (index % 3) * 300).to_le_bytes());
            let [low, ..] = index.to_le_bytes();
            record[12..].copy_from_slice(&[low, 1, 0b0000_1001 + (low & 3) * 9, 2 + low % 5, low % 30, 0, 17, 0]);
            record
        };
        let records: Vec<_> = (0..20_000).map(record).collect();
        assert_eq!(read_again(&written(&records), records.len()), records);
    }
}
