//! The photograph from the air that lies under the drawing of a home.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A photograph from the air, and where it lies on the drawing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AerialPhoto {
    /// The whole URL of the image.
    pub url: String,
    /// Left, top, width and height on the drawing: feet × 10, to the east and to the SOUTH of the home's origin.
    pub frame: [i32; 4],
    pub taken: PhotoDate,
    /// Whose it is and under which terms: `USDA, public domain`.
    pub credit: String,
    /// Meters that it was moved, to the east and to the north, so that it fits the outlines; in tenths.
    #[serde(default)]
    pub moved: [i16; 2],
}

/// When a photograph was taken, as far as known: `2023`, `2023-07` or `2023-07-14`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhotoDate {
    year: u16,
    /// 1 to 12.
    month: Option<u8>,
    /// 1 to 31.
    day: Option<u8>,
}

/// The text is no date of a photograph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAPhotoDate;

impl PhotoDate {
    pub fn year(self) -> u16 {
        self.year
    }

    /// 1 to 12, where it is known.
    pub fn month(self) -> Option<u8> {
        self.month
    }
}

impl FromStr for PhotoDate {
    type Err = NotAPhotoDate;

    /// Aerial photography began in 1858; what an operator means by a smaller year is a mistake.
    fn from_str(text: &str) -> Result<Self, NotAPhotoDate> {
        let mut parts = text.split('-');
        let mut number = |digits: usize, least: u16, most: u16| match parts.next() {
            None => Ok(None),
            Some(part) if part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()) => {
                let number: u16 = part.parse().map_err(|_| NotAPhotoDate)?;
                if (least..=most).contains(&number) { Ok(Some(number)) } else { Err(NotAPhotoDate) }
            }
            Some(_) => Err(NotAPhotoDate),
        };
        let year = number(4, 1858, 9999)?.ok_or(NotAPhotoDate)?;
        let month = number(2, 1, 12)?.map(|month| month as u8);
        let days = match month {
            Some(2) if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
            Some(2) => 28,
            Some(4 | 6 | 9 | 11) => 30,
            _ => 31,
        };
        let day = number(2, 1, days)?.map(|day| day as u8);
        if parts.next().is_some() {
            return Err(NotAPhotoDate);
        }
        Ok(Self { year, month, day })
    }
}

impl fmt::Display for PhotoDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        [self.month, self.day].into_iter().flatten().try_for_each(|part| write!(f, "-{part:02}"))
    }
}

impl Serialize for PhotoDate {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PhotoDate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| serde::de::Error::custom("must be YYYY, YYYY-MM or YYYY-MM-DD"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_as_exact_as_it_is_known() {
        for text in ["2023", "2023-07", "2023-07-14", "2024-02-29"] {
            assert_eq!(text.parse::<PhotoDate>().unwrap().to_string(), text);
        }
        let wrong = [
            "",
            "23",
            "2023-7",
            "2023-13",
            "2023-00",
            "2023-02-30",
            "2023-07-14-1",
            "07/2023",
            "2023-",
            "0000",
            "+202",
            "2023-02-29",
            "2023-07-",
            "1492",
            "20230714",
            "2023-07-14T00:00",
        ];
        for text in wrong {
            assert_eq!(text.parse::<PhotoDate>(), Err(NotAPhotoDate), "{text}");
        }
    }

    #[test]
    fn the_newer_of_two_is_the_larger() {
        let [old, new] = ["2021-09", "2023"].map(|text| text.parse::<PhotoDate>().unwrap());
        assert!(new > old);
    }
}
