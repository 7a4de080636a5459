//! The pages of the portal, as trees of nodes that the server writes out. They are forms and links, and work without scripts;
//! `www/portal/portal.js` adds keys and what only a script can do. Nothing here reads a clock, a store or a request.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test that cannot go on has failed"))]

mod audit;
mod audit_words;
mod board;
mod element;
mod frame;
mod health;
mod inbox;
mod inbox_choices;
mod inbox_filter;
mod install;
mod lead;
mod lead_conflict;
mod lead_estimate;
mod lead_work;
mod menu;
mod more;
mod operator;
mod operator_account;
mod people;
mod phrase;
mod rowed;
mod settings;
mod sign_in;
mod signed;
mod style;
mod suspected;
mod time;
mod usage;
mod widget;
mod widget_fields;
mod widgets;

pub use audit::{AuditView, actor_word, audit_page};
pub use audit_words::{change_in_words, what_in_words, who_in_words};
pub use board::{Board, COLUMNS as BOARD_COLUMNS, board_page};
pub use frame::{Notice, Place, Signed, Trouble};
pub use health::{CheckView, HealthView, VersionLine, health_page};
pub use inbox::{Inbox, inbox_page};
pub use inbox_choices::{Choices, filters_page, status_in_words};
pub use inbox_filter::InboxFilter;
pub use lead::{LeadView, lead_page};
pub use lead_conflict::{Both, Conflict};
pub use lead_work::{LeadDelivery, MAX_NOTE, MAX_STEP, WorkView};
pub use more::more_page;
pub use operator::{AccountsView, MAX_LISTED_ACCOUNTS, NewAccountView, accounts_page, new_account_page};
pub use operator_account::{AccountView, account_page};
pub use people::{People, people_page};
pub use phrase::{phrase, translated};
pub use settings::{SettingsView, settings_page};
pub use shingle_widget::words::Language;
pub use sign_in::{
    CodeView, InviteView, SetupView, SignInView, code_page, ended_page, invite_page, link_page, other_browser_page,
    recovery_page, refused_page, setup_page, sign_in_page, welcome_page,
};
pub use style::{portal_css, portal_js};
pub use suspected::{Suspected, suspected_page};
pub use time::Hours;
pub use usage::{UsageView, usage_page};
pub use widget::{WidgetView, widget_page};
pub use widget_fields::{WidgetFormValues, tidied, widget_field_names};
pub use widgets::{new_widget_page, widgets_page};
