//! What a homeowner answers after the estimate: one tap each, and a note.
//!
//! # Decision
//!
//! A missing answer keeps the stored one; an empty text removes it. So a page sends only the chip that was tapped,
//! and an older page deletes nothing it does not know.

use serde::{Deserialize, Serialize};

use crate::widget::string_enum;

string_enum!(ContactTime { Anytime = "anytime", Morning = "morning", Afternoon = "afternoon", Evening = "evening" });
string_enum!(RoofAge { Under10 = "under-10", From10To20 = "10-20", Over20 = "over-20", Unknown = "unknown" });
string_enum!(Leak { Nothing = "none", Leaking = "leak", Damage = "damage", Unsure = "unsure" });
string_enum!(Planned { Now = "now", ThisYear = "this-year", Later = "later", Unsure = "unsure" });
string_enum!(ContactBy { Call = "call", Text = "text", Email = "email" });

/// The answers of one lead. Every question may be skipped.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Answers {
    /// Years of the roof. Absent where it was not answered. Example: `10-20`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roof_age: Option<RoofAge>,
    /// Whether something is wrong with it. Absent where it was not answered. Example: `leak`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leak: Option<Leak>,
    /// When the work is planned. Absent where it was not answered. Example: `this-year`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned: Option<Planned>,
    /// How the homeowner wants to be contacted. Absent where it was not answered. Example: `call`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_by: Option<ContactBy>,
    /// When the homeowner wants to be contacted. Absent where it was not answered. Example: `evening`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_time: Option<ContactTime>,
    /// A note. Absent without one. Example: `Please ring twice.`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Answers {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The member `answers` of `PATCH /w/{id}/leads/{leadId}`: what is missing stays, an empty text or `null` takes an answer back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SentAnswers {
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "null_is_empty")]
    pub roof_age: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "null_is_empty")]
    pub leak: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "null_is_empty")]
    pub planned: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "null_is_empty")]
    pub contact_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "null_is_empty")]
    pub contact_time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "null_is_empty")]
    pub note: Option<String>,
}

/// Where something was sent at all.
fn null_is_empty<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(Some(Option::<String>::deserialize(from)?.unwrap_or_default()))
}

/// Answers that were given or taken back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnswersChange(pub Vec<AnswerChange>);

/// `None` takes the answer back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerChange {
    RoofAge(Option<RoofAge>),
    Leak(Option<Leak>),
    Planned(Option<Planned>),
    ContactBy(Option<ContactBy>),
    ContactTime(Option<ContactTime>),
    Note(Option<String>),
}

impl AnswersChange {
    pub fn apply(&self, to: &mut Answers) {
        for change in &self.0 {
            match change {
                AnswerChange::RoofAge(answer) => to.roof_age = *answer,
                AnswerChange::Leak(answer) => to.leak = *answer,
                AnswerChange::Planned(answer) => to.planned = *answer,
                AnswerChange::ContactBy(answer) => to.contact_by = *answer,
                AnswerChange::ContactTime(answer) => to.contact_time = *answer,
                AnswerChange::Note(answer) => to.note.clone_from(answer),
            }
        }
    }
}
