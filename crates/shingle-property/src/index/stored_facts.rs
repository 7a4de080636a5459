//! How an assessor's record is written: which facts there are as the bits of a number, then each of them in few bytes.
//!
//! Whole and half numbers, whole dollars and dates take one to four bytes. What the homes of a street share stands
//! together, so that a block of them ([`super::block`]) says it once.

use shingle_domain::Usd;
use shingle_domain::evidence::{Assessor, Fact, Garage, Grade, HeatFuel, PropertyClass, RoofType};

use super::packed::{Malformed, Unpacker, put_number, put_signed};

/// A value of a fact.
trait Stored: Sized {
    fn put(&self, to: &mut Vec<u8>);
    fn take(from: &mut Unpacker<'_>) -> Result<Self, Malformed>;
}

/// Does something with every fact, in the order in which they are written.
macro_rules! all_facts {
    ($do:ident) => {
        $do! {
            year_built, storeys, living_area_sqft, building_area_sqft, ground_floor_sqft, garage, sale_date, sale_price,
            assessed_value, building_value, tax_delinquent, mailed_here, residential_exemption, primary_owner,
            secondary_owner, mailing_address, roof_type, roof_material, style, wall_type, grade, units, property_class,
            property_type, zoning, county, subdivision, school_district, heat_fuel
        }
    };
}

pub(super) fn put(assessor: &Assessor, to: &mut Vec<u8>) {
    let mut sources = Vec::new();
    let mut there: u64 = 0;
    macro_rules! note {
        ($($field:ident),+) => {
            // Naming every field makes a new one a compile error here.
            let Assessor { $($field: _),+ } = assessor;
            let mut bit = 1;
            $(
                if let Some(fact) = &assessor.$field {
                    there |= bit;
                    sources.push(fact.source);
                }
                bit <<= 1;
            )+
            let _ = bit;
        };
    }
    all_facts!(note);
    put_number(there, to);
    match sources.first() {
        None => return,
        Some(first) if sources.iter().all(|source| source == first) => put_number(u64::from(*first) + 1, to),
        Some(_) => {
            put_number(0, to);
            to.extend_from_slice(&sources);
        }
    }
    macro_rules! values {
        ($($field:ident),+) => {
            $(
                if let Some(fact) = &assessor.$field {
                    fact.value.put(to);
                }
            )+
        };
    }
    all_facts!(values);
}

pub(super) fn take(from: &mut Unpacker<'_>) -> Result<Assessor, Malformed> {
    let mut there = from.number()?;
    let mut assessor = Assessor::default();
    if there == 0 {
        return Ok(assessor);
    }
    let (only, mut each) = match from.number()? {
        0 => (None, from.take(there.count_ones() as usize)?.iter()),
        only => (Some(u8::try_from(only - 1).map_err(|_| Malformed)?), [].iter()),
    };
    macro_rules! values {
        ($($field:ident),+) => {
            $(
                if there & 1 == 1 {
                    let source = only.or_else(|| each.next().copied()).ok_or(Malformed)?;
                    assessor.$field = Some(Fact { value: Stored::take(from)?, source });
                }
                there >>= 1;
            )+
        };
    }
    all_facts!(values);
    if there == 0 { Ok(assessor) } else { Err(Malformed) }
}

impl Stored for bool {
    fn put(&self, to: &mut Vec<u8>) {
        to.push(u8::from(*self));
    }

    fn take(from: &mut Unpacker<'_>) -> Result<Self, Malformed> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed),
        }
    }
}

impl Stored for u16 {
    fn put(&self, to: &mut Vec<u8>) {
        put_number(u64::from(*self), to);
    }

    fn take(from: &mut Unpacker<'_>) -> Result<Self, Malformed> {
        from.count()
    }
}

/// Whole and half numbers as twice themselves, even behind the last bit; all others as they are, behind a one.
impl Stored for f64 {
    fn put(&self, to: &mut Vec<u8>) {
        const MOST: f64 = (1_u64 << 40) as f64;
        let twice = *self * 2.0;
        if (0.0..MOST).contains(&twice) && twice.fract() == 0.0 && self.is_sign_positive() {
            put_number((twice as u64) << 1, to);
        } else {
            put_number(1, to);
            to.extend_from_slice(&self.to_le_bytes());
        }
    }

    fn take(from: &mut Unpacker<'_>) -> Result<Self, Malformed> {
        match from.number()? {
            1 => from.take(8)?.first_chunk().map(|bytes| Self::from_le_bytes(*bytes)).ok_or(Malformed),
            n if n & 1 == 0 => Ok((n >> 1) as Self / 2.0),
            _ => Err(Malformed),
        }
    }
}

/// Dollars, or cents behind a one; as they are, behind a number that no dollars have, where they are too many for that.
impl Stored for Usd {
    fn put(&self, to: &mut Vec<u8>) {
        let cents = self.cents();
        match (cents % 100, cents.checked_mul(2)) {
            (0, _) => put_signed(cents / 100 * 2, to),
            (_, Some(twice)) => put_signed(twice | 1, to),
            _ => {
                put_signed(i64::MIN, to);
                to.extend_from_slice(&cents.to_le_bytes());
            }
        }
    }

    fn take(from: &mut Unpacker<'_>) -> Result<Self, Malformed> {
        let n = from.signed()?;
        match (n & 1, n) {
            (_, i64::MIN) => {
                from.take(8)?.first_chunk().map(|bytes| Self::from_cents(i64::from_le_bytes(*bytes))).ok_or(Malformed)
            }
            (0, _) => (n >> 1).checked_mul(100).map(Self::from_cents).ok_or(Malformed),
            _ => Ok(Self::from_cents(n >> 1)),
        }
    }
}

/// Its length and itself, or a date as a number behind a one.
impl Stored for String {
    fn put(&self, to: &mut Vec<u8>) {
        match day(self) {
            Some(day) => put_number(u64::from(day) << 1 | 1, to),
            None => {
                put_number((self.len() as u64) << 1, to);
                to.extend_from_slice(self.as_bytes());
            }
        }
    }

    fn take(from: &mut Unpacker<'_>) -> Result<Self, Malformed> {
        let n = from.number()?;
        match n & 1 {
            0 => {
                let bytes = from.take(usize::try_from(n >> 1).map_err(|_| Malformed)?)?;
                Ok(std::str::from_utf8(bytes).map_err(|_| Malformed)?.to_owned())
            }
            _ => {
                let n = n >> 1;
                Ok(format!("{:04}-{:02}-{:02}", n / 372, n / 31 % 12 + 1, n % 31 + 1))
            }
        }
    }
}

/// `2019-06-14` as a number, all months as long as the longest.
fn day(text: &str) -> Option<u32> {
    let [a, b, c, d, b'-', e, f, b'-', g, h] = *text.as_bytes() else { return None };
    let of = |digits: &[u8]| {
        digits.iter().try_fold(0, |n, digit| digit.is_ascii_digit().then(|| n * 10 + u32::from(digit - b'0')))
    };
    let (year, month, day) = (of(&[a, b, c, d])?, of(&[e, f])?, of(&[g, h])?);
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then(|| (year * 12 + month - 1) * 31 + day - 1)
}

impl Stored for Garage {
    fn put(&self, to: &mut Vec<u8>) {
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        to.push(flag(self.attached, 1) | flag(self.area_sqft.is_some(), 2) | flag(self.cars.is_some(), 4));
        [self.area_sqft, self.cars].iter().flatten().for_each(|n| n.put(to));
    }

    fn take(from: &mut Unpacker<'_>) -> Result<Self, Malformed> {
        let flags = from.byte()?;
        let mut number = |bit: u8| (flags & bit > 0).then(|| f64::take(from)).transpose();
        let (area_sqft, cars) = (number(2)?, number(4)?);
        Ok(Self { attached: flags & 1 > 0, area_sqft, cars })
    }
}

/// One of a few, as its place among them.
macro_rules! one_of {
    ($type:ident: $($variant:ident),+) => {
        impl Stored for $type {
            fn put(&self, to: &mut Vec<u8>) {
                // Naming every variant makes a new one a compile error here.
                let known = match self { $(Self::$variant => Self::$variant),+ };
                let all = [$(Self::$variant),+];
                to.push(all.iter().position(|one| *one == known).unwrap_or_default() as u8);
            }

            fn take(from: &mut Unpacker<'_>) -> Result<Self, Malformed> {
                [$(Self::$variant),+].get(usize::from(from.byte()?)).copied().ok_or(Malformed)
            }
        }
    };
}

one_of!(RoofType: Flat, Shed, Gable, Hip, Gambrel, Mansard);
one_of!(Grade: BelowAverage, Average, AboveAverage);
one_of!(HeatFuel: Gas, Oil, Propane, Electric, Other);
one_of!(PropertyClass: SingleFamily, TwoToFourUnits, Condominium, Apartments, MobileHome, MixedResidential, VacantLand, Commercial, Other);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn round_trip<T: Stored>(value: &T) -> T {
        let mut bytes = Vec::new();
        value.put(&mut bytes);
        let mut from = Unpacker(&bytes);
        let read = T::take(&mut from).unwrap();
        assert!(from.is_empty());
        read
    }

    proptest! {
        #[test]
        fn every_value_comes_back(number: f64, cents: i32, far: i64, text: String, bits: u64) {
            prop_assert_eq!(round_trip(&number).to_bits(), number.to_bits());
            let odd = f64::from_bits(bits);
            prop_assert_eq!(round_trip(&odd).to_bits(), bits);
            for half in [f64::from(cents), f64::from(cents) / 2.0, f64::from(cents) / 10.0] {
                prop_assert_eq!(round_trip(&half).to_bits(), half.to_bits());
            }
            for cents in [i64::from(cents), i64::from(cents) * 100, far, i64::MIN, i64::MAX] {
                prop_assert_eq!(round_trip(&Usd::from_cents(cents)).cents(), cents);
            }
            prop_assert_eq!(round_trip(&text), text);
        }

        #[test]
        fn dates_and_what_looks_like_one_come_back(text in "[0-9]{4}-[0-3][0-9]-[0-3][0-9]") {
            prop_assert_eq!(round_trip(&text), text);
        }

        #[test]
        fn any_bytes_are_a_record_or_refused(bytes: Vec<u8>) {
            let _ = take(&mut Unpacker(&bytes));
        }
    }

    #[test]
    fn zero_below_zero_keeps_its_sign() {
        assert!(round_trip(&-0.0_f64).is_sign_negative());
    }

    #[test]
    fn common_values_are_short() {
        let length = |put: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = Vec::new();
            put(&mut bytes);
            bytes.len()
        };
        assert_eq!(length(&|to| 1.5_f64.put(to)), 1);
        assert_eq!(length(&|to| 1_850.0_f64.put(to)), 2);
        assert_eq!(length(&|to| Usd::from_cents(31_250_000).put(to)), 3);
        assert_eq!(length(&|to| "2019-06-14".to_owned().put(to)), 3);
    }
}
