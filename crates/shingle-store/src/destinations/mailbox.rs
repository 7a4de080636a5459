//! A mailbox of the company, as a destination.

use serde::{Deserialize, Serialize};
use shingle_domain::Language;

use crate::destinations::destination::Destination;
use crate::destinations::kind::DestinationKind;

/// How long a mail may take.
pub(crate) const MAIL_TIMEOUT_SECONDS: u8 = 30;

/// The `config` of a mailbox of the company.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MailConfig {
    pub name: Option<String>,
    pub language: Language,
    /// Minutes after a lead at which it is notified.
    pub steps: Vec<u32>,
    /// It follows a widget's `companyEmail`, because no recipient is named.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub company_email: bool,
}

impl Default for MailConfig {
    fn default() -> Self {
        Self { name: None, language: Language::English, steps: vec![0], company_email: false }
    }
}

/// Whether it is the mailbox of a widget's `companyEmail`, which is notified if no recipient is named.
pub(crate) fn follows_company_email(of: &Destination) -> bool {
    of.draft.kind == DestinationKind::Mail
        && serde_json::from_str::<MailConfig>(&of.draft.config).is_ok_and(|config| config.company_email)
}
