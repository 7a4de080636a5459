//! A lead as submitted, and its outcome.

use core::fmt;

use shingle_domain::lead::{ContactTime, Lead, LeadSource, LeadStatus, ShownEstimate};
use shingle_domain::public::ShownStep;
use shingle_domain::roof::{RoofDrawing, RoofMaterial};
use shingle_domain::tag::Tag;
use shingle_domain::{Email, LeadId, LeadImportId, Phone, Timestamp, Usd, UserId};

/// A submitted lead, before it gets its id, status and times.
#[derive(Clone, PartialEq)]
pub struct LeadDraft {
    /// One line, as it was confirmed.
    pub address: String,
    pub first_name: String,
    pub last_name: String,
    /// `None` only where the company adds the lead.
    pub email: Option<Email>,
    pub phone: Option<Phone>,
    pub preferred_contact_time: Option<ContactTime>,
    pub roof_material: Option<RoofMaterial>,
    pub message: Option<String>,
    pub estimate: Option<ShownEstimate>,
    /// As it was shown.
    pub drawing: Option<RoofDrawing>,
    /// The whole step in which it was shown.
    pub shown: Option<ShownStep>,
    pub source: LeadSource,
    pub consent: ConsentDraft,
    /// The lead that this one changes, by a browser that has shown that lead's token.
    pub changes: Option<LeadId>,
    /// Probably sent by a program: stored as spam, and never changes an earlier lead.
    pub spam: Option<SpamReason>,
    /// Who of the company adds the lead, and gets no notice of it.
    pub added_by: Option<AddedBy>,
}

#[derive(Clone, PartialEq, Eq)]
pub struct AddedBy {
    pub id: UserId,
    pub name: String,
    pub email: Email,
    /// `None`: one by one, by hand.
    pub from_file: Option<Box<FromFile>>,
}

/// What a row of a file says of a lead beside the contact. Nobody gets a notice of such a lead.
#[derive(Clone, PartialEq, Eq)]
pub struct FromFile {
    pub import: LeadImportId,
    pub file_name: String,
    /// `None`: it comes in now.
    pub received: Option<Timestamp>,
    pub status: LeadStatus,
    pub assignee: Option<UserId>,
    /// Of a lead that was won.
    pub won_value: Option<Usd>,
    pub note: Option<String>,
    pub tags: Vec<Tag>,
}

/// Why a lead is taken for a program's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SpamReason {
    /// The field that people do not see was filled in.
    HiddenField,
    /// The form was filled in faster than people do.
    TooFast,
    /// Too many came at once.
    Crowded,
}

impl SpamReason {
    const ALL: [Self; 3] = [Self::HiddenField, Self::TooFast, Self::Crowded];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::HiddenField => "hidden",
            Self::TooFast => "fast",
            Self::Crowded => "crowded",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text)
    }
}

/// A submitted consent, before it gets its time and the hash of its text.
#[derive(Clone, PartialEq, Eq)]
pub struct ConsentDraft {
    pub given: bool,
    /// The text that was on screen, word for word.
    pub text: String,
    pub page_url: Option<String>,
    pub ip: Option<String>,
    pub user_agent: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubmissionOutcome {
    /// A new lead; `lead.created` is written.
    Created,
    /// The same browser, with other details; `lead.updated` is written.
    Updated,
    /// The same request again; nothing is written.
    Replayed,
}

#[derive(Clone, PartialEq)]
pub struct AcceptedLead {
    pub lead: Lead,
    pub outcome: SubmissionOutcome,
    /// Who got the new lead by a rule of the company.
    pub given_to: Option<UserId>,
}

impl LeadDraft {
    pub(crate) fn of_file(&self) -> Option<&FromFile> {
        self.added_by.as_ref()?.from_file.as_deref()
    }
}

impl fmt::Debug for LeadDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LeadDraft([redacted])")
    }
}

impl fmt::Debug for ConsentDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsentDraft").field("given", &self.given).finish_non_exhaustive()
    }
}

impl fmt::Debug for AcceptedLead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AcceptedLead").field("lead", &self.lead.id).field("outcome", &self.outcome).finish()
    }
}
