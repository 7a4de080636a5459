//! What the list of leads is given, and how a lead is shown in lists.

use std::collections::HashMap;

use shingle_domain::appointment::Appointment;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{Environment, Language, LeadId, Timestamp};
use shingle_store::{LeadList, LeadWork, SavedView};
use shingle_widget::ssr::Node;
use shingle_widget::view::Text;
use shingle_widget::words::dollars;

use crate::element::pill;
use crate::inbox_choices::{Choices, status_in_words};
use crate::phrase::translated;
use crate::time::Hours;

pub struct Inbox<'i> {
    pub choices: Choices<'i>,
    pub list: &'i LeadList,
    /// Ids of those that this user has not opened.
    pub unread: &'i [LeadId],
    pub work: &'i HashMap<LeadId, LeadWork>,
    pub appointments: &'i HashMap<LeadId, Appointment>,
    pub hours: &'i Hours,
    /// Why a filter was not understood.
    pub wrong: Option<&'static str>,
    pub views: &'i [SavedView],
    /// Until when the list is known: newer leads are announced.
    pub as_of: Timestamp,
    /// Whether this browser could get notifications of new leads but does not.
    pub is_untold: bool,
    /// What the words alone would find, where nothing is found.
    pub without: Option<&'i LeadList>,
    /// Words near those that no lead has, and what they find.
    pub near: Option<&'i (String, LeadList)>,
}

pub(crate) fn status_pill(status: LeadStatus) -> Node {
    let kind = match status {
        LeadStatus::New => "pill new",
        LeadStatus::Won => "pill ok",
        LeadStatus::Contacted => "pill warn",
        LeadStatus::Spam => "pill bad",
        LeadStatus::Qualified | LeadStatus::Lost => "pill",
    };
    pill(kind, status_in_words(status))
}

pub(crate) fn statuses() -> Vec<(String, Text)> {
    LeadStatus::ALL.map(|status| (status.as_str().to_owned(), status_in_words(status).into())).to_vec()
}

pub(crate) fn full_name(language: Language, lead: &Lead) -> String {
    let name = format!("{} {}", lead.first_name, lead.last_name);
    let name = name.trim();
    if name.is_empty() { translated(language, "No name").to_owned() } else { name.to_owned() }
}

pub(crate) fn price(lead: &Lead) -> Text {
    lead.shown_price().map_or_else(|| "No roof data".into(), |price| dollars(price.cost).into())
}

pub(crate) fn lead_path(id: LeadId, environment: Environment) -> String {
    match environment {
        Environment::Production => format!("/portal/leads/{id}"),
        Environment::Sandbox => format!("/portal/leads/{id}?data=sandbox"),
    }
}
