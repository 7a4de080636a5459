//! The pages of the portal, as trees of nodes that the server writes out. They are forms and links, and work without scripts;
//! `www/portal/portal.js` adds keys and what only a script can do. Nothing here reads a clock, a store or a request.
//!
//! # Decisions
//!
//! - Pages are trees of nodes that the server writes out, in the hosted page's builder. Everything is a link or a
//!   form, so it works without scripts, and text never becomes markup. Turned down: a second template system; an app
//!   in the browser.
//! - One address is one user of one company. An operator may have a company too. Turned down: people in several
//!   companies, which every page would have to ask about.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test that cannot go on has failed"))]

mod appointment;
mod area_list;
mod area_loading;
mod area_map;
mod area_plan;
mod areas;
mod audit;
mod audit_words;
mod board;
mod calendar;
mod catalog;
mod chart;
mod closing;
mod connection_form;
mod connection_reach;
mod connections;
mod consent_texts;
mod contrast;
mod counted;
mod days;
mod delivery;
mod destination;
mod element;
mod faults;
mod first_run;
mod frame;
mod health;
mod health_words;
mod import;
mod import_told;
mod import_words;
mod imports;
mod inbox;
mod inbox_bar;
mod inbox_choices;
mod inbox_filter;
mod inbox_table;
mod inbox_view;
mod input_normalization;
mod install;
mod keys;
mod lead;
mod lead_answers;
mod lead_beside;
mod lead_conflict;
mod lead_contact;
mod lead_estimate;
mod lead_import;
mod lead_new;
mod lead_notes;
mod lead_outcome;
mod lead_reply;
mod lead_tags;
mod lead_timeline;
mod lead_work;
mod logo_field;
mod menu;
mod more;
mod new_connection;
mod notices;
mod operator;
mod operator_account;
mod passkey;
mod people;
mod phone;
mod phrase;
mod product_words;
mod profile;
mod replies;
mod responsive_table;
mod results;
mod results_charts;
mod results_sums;
mod results_tables;
mod results_view;
mod settings;
mod share;
mod sign_in;
mod signed;
mod spam_reasons;
mod start_area;
mod start_company;
mod start_live;
mod start_prices;
mod style;
mod time;
mod towns;
mod trial;
mod usage;
mod usage_chart;
mod visit_words;
mod widget;
mod widget_fields;
mod widget_hours;
mod widget_names;
mod widget_values;
mod widget_versions;
mod widgets;

pub use appointment::{AppointmentView, NearInspection, ReadyText, ToldLine, WishStarts, booking_problem};
pub use area_list::{AreaLoadView, AreaRow, AreaState, area_page};
pub use area_loading::{AreaLoadingView, LoadingStage, loading_in_short, loading_in_words};
pub use area_map::{AreaMapView, MapCover};
pub use area_plan::{AreaFormView, AreaPlace, AreaPlanView, area_title};
pub use areas::{AreasView, areas_page};
pub use audit::{AuditView, actor_word, audit_page};
pub use audit_words::{change_in_words, what_in_words, who_in_words};
pub use board::{Board, COLUMNS as BOARD_COLUMNS, board_page};
pub use calendar::{CalendarView, calendar_page};
pub use catalog::{catalog, say};
pub use closing::{ClosedView, closed_page};
pub use connection_form::{SettingField, TypedFields};
pub use connection_reach::{EVERY, REACH, SOME};
pub use connections::{CatalogueEntry, ConnectionsView, connections_page};
pub use consent_texts::{ConsentTextsView, consent_texts_page};
pub use contrast::shades;
pub use counted::{Counted, counted, counted_with};
pub use days::{clock, date_and_time, month_of_year};
pub use delivery::{DeliveryView, ExchangeText, delivery_page};
pub use destination::{DestinationView, LogFilter, destination_page};
pub use first_run::StartStep;
pub use frame::{Notice, Place, Reach, Signed, Trouble, Visiting, visit_refused_page};
pub use health::{CheckView, HealthView, VersionLine, health_page};
pub use import::{ImportCheck, ImportColumn, ImportDone, ImportField, ImportRow, ImportView, import_page};
pub use imports::{ImportState, ImportsView, ListedImport, imports_page};
pub use inbox::inbox_page;
pub use inbox_choices::{Choices, filters_page, status_in_words};
pub use inbox_filter::{FilterGroup, InboxFilter};
pub use inbox_view::Inbox;
pub use input_normalization::tidied;
pub use keys::{KeysView, keys_page};
pub use lead::{LeadView, channel_in_words, language_in_words, lead_page};
pub use lead_beside::OpenedFrom;
pub use lead_conflict::{Both, Conflict};
pub use lead_contact::{ContactField, address_problem, contact_field, contact_problem};
pub use lead_import::{
    EarlierFile, LeadFile, LeadFileCheck, LeadFileMatch, LeadFileState, LeadFilesView, MatchedColumn, PreviewRow,
    lead_file_check_page, lead_file_match_page, lead_file_state_page, lead_files_page,
};
pub use lead_new::{FoundHome, NewLeadView, new_lead_page};
pub use lead_notes::{MAX_NOTE, note_field};
pub use lead_outcome::loss_in_words;
pub use lead_reply::{FilledReply, PreparedReply, ReplyView, ReplyWay};
pub use lead_tags::tag_problem;
pub use lead_timeline::LeadDelivery;
pub use lead_work::{MAX_STEP, WorkView};
pub use menu::badge;
pub use more::more_page;
pub use new_connection::{NewConnectionView, ServiceView, new_connection_page};
pub use notices::{Foreseen, NoticesView, notices_page};
pub use operator::{AccountsView, MAX_LISTED_ACCOUNTS, NewAccountView, accounts_page, new_account_page};
pub use operator_account::{AccountView, account_page};
pub use passkey::PasskeysView;
pub use people::{People, people_page};
pub use phone::{DeviceView, PhoneView, phone_page};
pub use phrase::{capital, phrase, translated};
pub use profile::{CompanyView, KEPT_DAYS, ProfileView, WouldErase, ZONES};
pub use replies::{replies_page, reply_field, reply_problem};
pub use results::results_page;
pub use results_sums::LeadResult;
pub use results_tables::results_rows;
pub use results_view::{ResultsQuery, ResultsView};
pub use settings::{SettingsView, browser, settings_page};
pub use share::{ShareView, SiteCheckView, sheet_page, stage_page};
pub use shingle_domain::Language;
pub use sign_in::{
    CodeView, InviteView, NoPasskeys, SetupView, SignInView, code_page, ended_page, https_only_page, invite_page,
    link_page, offline_page, other_browser_page, recovery_page, refused_page, setup_page, sign_in_page, welcome_page,
};
pub use spam_reasons::{Suspected, suspected_page};
pub use start_area::{AreaView, AreaWay, ExampleView, start_area_page};
pub use start_company::{ReadView, SiteReading, SiteView, start_read_page, start_site_page};
pub use start_live::{DoneView, LiveView, TestLeadView, start_done_page, start_lead_page, start_live_page};
pub use start_prices::{INCLUDED, MINIMUM, PriceRow, PricesView, USUALLY_INCLUDED, start_prices_page};
pub use style::{portal_css, portal_js};
pub use time::Hours;
pub use towns::{ImportedData, TownRow, TownsView, towns_page};
pub use trial::{Trial, TrialStep};
pub use usage::{UsageMonth, UsageView, statement_page, usage_page};
pub use widget::{PreviewView, WidgetView, widget_page};
pub use widget_fields::{WidgetFormValues, setting_field_names, widget_field_names};
pub use widget_hours::typed_hours;
pub use widget_names::widget_names;
pub use widget_values::{WidgetChange, refuse_settings, settings_input, widget_changes, widget_values};
pub use widget_versions::{WidgetVersionLine, review_page, versions_page};
pub use widgets::{new_widget_page, widgets_page};
