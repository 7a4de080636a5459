//! A mailbox of the company, as a destination.

use serde::{Deserialize, Serialize};
use shingle_domain::notice::NoticeLanguage;

/// How long a mail may take.
pub(crate) const MAIL_TIMEOUT_SECONDS: u8 = 30;

/// The `config` of a mailbox of the company.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MailConfig {
    pub name: Option<String>,
    pub language: NoticeLanguage,
    /// Minutes after a lead at which it is told.
    pub steps: Vec<u32>,
    pub digest: bool,
}

impl Default for MailConfig {
    fn default() -> Self {
        Self { name: None, language: NoticeLanguage::English, steps: vec![0], digest: false }
    }
}
