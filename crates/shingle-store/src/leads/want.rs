//! What homeowners answered, as a list is narrowed by it.

use shingle_domain::answers::{ContactBy, Leak, Planned, RoofAge};
use shingle_domain::lead::Lead;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LeadWant {
    Leaks,
    Damage,
    Now,
    ThisYear,
    OldRoof,
    Call,
    Text,
    Email,
}

impl LeadWant {
    pub const ALL: [Self; 8] =
        [Self::Leaks, Self::Damage, Self::Now, Self::ThisYear, Self::OldRoof, Self::Call, Self::Text, Self::Email];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Leaks => "leaks",
            Self::Damage => "damage",
            Self::Now => "now",
            Self::ThisYear => "this-year",
            Self::OldRoof => "old-roof",
            Self::Call => "call",
            Self::Text => "text",
            Self::Email => "email",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|want| want.as_str() == text)
    }

    fn is_of(self, lead: &Lead) -> bool {
        let answers = &lead.answers;
        match self {
            Self::Leaks => answers.leak == Some(Leak::Leaking),
            Self::Damage => answers.leak == Some(Leak::Damage),
            Self::Now => answers.planned == Some(Planned::Now),
            Self::ThisYear => answers.planned == Some(Planned::ThisYear),
            Self::OldRoof => answers.roof_age == Some(RoofAge::Over20),
            Self::Call => answers.contact_by == Some(ContactBy::Call),
            Self::Text => answers.contact_by == Some(ContactBy::Text),
            Self::Email => answers.contact_by == Some(ContactBy::Email),
        }
    }

    /// Its bit among those of a lead.
    fn bit(self) -> i64 {
        1 << (self as u32)
    }

    /// Those of a lead, as a column holds them.
    pub(crate) fn bits_of(lead: &Lead) -> i64 {
        Self::bits(Self::ALL.into_iter().filter(|want| want.is_of(lead)))
    }

    /// What a lead with these bits is sorted by: a leak weighs more than all others together.
    pub(crate) fn urgency(bits: i64) -> i64 {
        let weight = |want: Self, weight: i64| if bits & want.bit() == 0 { 0 } else { weight };
        weight(Self::Leaks, 4) + weight(Self::Now, 2) + weight(Self::Damage, 1)
    }

    pub(crate) fn bits(wants: impl IntoIterator<Item = Self>) -> i64 {
        wants.into_iter().map(Self::bit).fold(0, |all, bit| all | bit)
    }
}
