//! A visit that a homeowner asks for: wishes, not appointments. The company confirms one of them.
//!
//! # Decision
//!
//! A requested visit is part of its lead's record: one event reports it, one erasure removes it. A confirmed visit is
//! not replaced, and the same wishes sent twice are one request. People notified of leads get an event of its own
//! (`inspection.asked`). Turned down: a table of appointments; wishes are not appointments.

use core::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::answers::ContactBy;
use crate::days_off::calendar_day;
use crate::notice::{Hours, Weekday};
use crate::settings::{DayPart, VisitHours};
use crate::time::Timestamp;
use crate::widget::string_enum;

pub const MAX_WISHES: usize = 3;
pub const MAX_PHOTOS: usize = 5;
/// Characters of the note.
pub const MAX_NOTE: usize = 500;
/// How many days ahead a visit can be asked for.
pub const MAX_DAYS_AHEAD: i32 = 60;

/// What a lead's homeowner has asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// When it was asked for, last, in UTC. Example: `2026-11-22T23:10:00.000Z`
    pub requested_at: Timestamp,
    /// One to three times, the dearest first.
    pub wishes: Vec<Wish>,
    /// How the homeowner wants to be told which time it is. Example: `text`
    pub contact_by: ContactBy,
    /// What the homeowner wrote about the visit. Null where it is nothing. Example: `The gate is open.`
    pub note: Option<String>,
    /// Photographs of the roof, at most five; each is read, with a key, at `/api/v1/leads/{id}/photos/{photo}`.
    #[serde(default)]
    pub photos: Vec<Photo>,
    /// Whether the company has answered. Example: `asked`
    pub state: InspectionState,
}

impl Inspection {
    /// A time that a homeowner booked, who asked for nothing before.
    pub fn picked(wish: Wish, now: Timestamp) -> Self {
        Self {
            requested_at: now,
            wishes: vec![wish],
            contact_by: ContactBy::Email,
            note: None,
            photos: Vec::new(),
            state: InspectionState::Confirmed,
        }
    }

    pub fn is_confirmed(&self) -> bool {
        self.state == InspectionState::Confirmed
    }
}

string_enum!(InspectionState { Asked = "asked", Confirmed = "confirmed", Declined = "declined" });

/// A day and a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Wish {
    /// The day, where the company is. Example: `2026-12-01`
    pub date: VisitDate,
    /// The part of the day. Example: `morning`
    pub part: DayPart,
}

/// A photograph of the roof, as it is stored: without what the camera wrote into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Photo {
    /// Its id. Example: `5b2c9a52-6f0a-4c58-9a52-2a2f6e7f0c12`
    pub id: PhotoId,
    /// Pixels from left to right. Example: `1600`
    pub width: u32,
    /// Pixels from top to bottom. Example: `1200`
    pub height: u32,
    /// Size of the file, in bytes. Example: `412000`
    pub bytes: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PhotoId(pub uuid::Uuid);

impl fmt::Display for PhotoId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl core::str::FromStr for PhotoId {
    type Err = uuid::Error;
    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        text.parse().map(Self)
    }
}

/// A calendar day, written `2026-12-01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct VisitDate(pub Date);

impl VisitDate {
    pub fn parse(text: &str) -> Option<Self> {
        calendar_day(text).map(Self)
    }

    pub fn weekday(self) -> Weekday {
        let day = usize::try_from(self.0.weekday().to_monday_zero_offset()).unwrap_or_default();
        Weekday::ALL[day % 7]
    }
}

impl fmt::Display for VisitDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for VisitDate {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for VisitDate {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not a day such as 2026-12-01"))
    }
}

/// The days on which a company can be asked to come by.
#[derive(Debug, Clone)]
pub struct VisitCalendar<'a> {
    /// Where the company is.
    pub today: Date,
    /// `None`: the company has not said when it visits, so nothing is ruled out.
    pub hours: Option<&'a VisitHours>,
}

/// A day with its parts; `None`: no visits then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VisitDay {
    pub date: VisitDate,
    pub parts: [Option<PartOffer>; 3],
}

/// A part of a day that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartOffer {
    pub part: DayPart,
    /// `None`: the company has not said.
    pub hours: Option<Hours>,
}

pub const DAY_PARTS: [DayPart; 3] = [DayPart::Morning, DayPart::Afternoon, DayPart::Evening];

impl VisitCalendar<'_> {
    /// From tomorrow on.
    pub fn is_near(&self, date: VisitDate) -> bool {
        date.0 > self.today && days_between(self.today, date.0) <= MAX_DAYS_AHEAD
    }

    pub fn offer(&self, date: VisitDate, part: DayPart) -> Option<PartOffer> {
        match self.hours {
            None => Some(PartOffer { part, hours: None }),
            Some(hours) => hours.on(date.weekday(), part).map(|open| PartOffer { part, hours: Some(open) }),
        }
    }

    /// All days that can be asked for, from tomorrow on. A day without visits is in it too.
    pub fn all(&self) -> Vec<VisitDay> {
        let days = self.today.series(jiff::Span::new().days(1)).skip(1).take(MAX_DAYS_AHEAD.unsigned_abs() as usize);
        days.map(|date| {
            let date = VisitDate(date);
            VisitDay { date, parts: DAY_PARTS.map(|part| self.offer(date, part)) }
        })
        .collect()
    }
}

fn days_between(from: Date, to: Date) -> i32 {
    from.until(to).map_or(i32::MAX, |span| span.get_days())
}
