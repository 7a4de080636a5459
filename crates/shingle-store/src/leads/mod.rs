//! Leads: submitted, found again, listed, searched, worked on and erased.

pub(crate) mod answer;
pub(crate) mod appointment;
pub(crate) mod appointment_notice;
pub(crate) mod contact_stop;
pub(crate) mod dedup;
pub(crate) mod draft;
pub(crate) mod edit;
pub(crate) mod estimate_link;
pub(crate) mod facets;
pub(crate) mod file;
pub(crate) mod file_import;
pub(crate) mod held;
pub(crate) mod homeowner_change;
pub(crate) mod index;
pub(crate) mod index_refresh;
pub(crate) mod lead;
pub(crate) mod lead_rules;
pub(crate) mod linked;
pub(crate) mod list;
pub(crate) mod list_cursor;
pub(crate) mod loss;
pub(crate) mod merge;
pub(crate) mod merge_choice;
pub(crate) mod merge_taken;
pub(crate) mod near_words;
pub(crate) mod neighbors;
pub(crate) mod note;
pub(crate) mod opened;
pub(crate) mod origin;
pub(crate) mod person_data;
pub(crate) mod photo;
pub(crate) mod quote;
pub(crate) mod quote_notice;
pub(crate) mod reference;
pub(crate) mod repeated_address;
pub(crate) mod reply;
pub(crate) mod results;
pub(crate) mod saved_view;
pub(crate) mod search;
pub(crate) mod search_token;
pub(crate) mod seen;
pub(crate) mod self_booking;
pub(crate) mod step_reminder;
pub(crate) mod submission;
pub(crate) mod submission_group;
pub(crate) mod submission_queue;
pub(crate) mod submission_rows;
pub(crate) mod tag;
pub(crate) mod want;
pub(crate) mod won_value;
pub(crate) mod work;

use crate::Store;

/// Leads: submitted, found again, listed, searched, worked on and erased.
#[derive(Clone, Copy)]
pub struct Leads<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn leads(&self) -> Leads<'_> {
        Leads { store: self }
    }
}
