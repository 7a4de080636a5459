//! Settings of a person and of the company, API keys, the export, the end of an account.

pub(crate) mod brand;
pub(crate) mod calendar;
pub(crate) mod closing;
pub(crate) mod export;
pub(crate) mod keys;
pub(crate) mod lead_rules;
pub(crate) mod page;
pub(crate) mod profile;
pub(crate) mod replies;
pub(crate) mod running_exports;
pub(crate) mod sender;

use crate::api::widget_form::MAX_FORM_BYTES;
use crate::portal::access::{MEMBER, OPEN, OWNER};
use crate::portal::route::Page;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/settings", MEMBER, page::show).for_support().for_clients(),
        Page::post("/portal/settings/name", MEMBER, page::rename).for_clients(),
        Page::post("/portal/settings/language", MEMBER, profile::set_language).for_clients(),
        Page::post("/portal/settings/email", MEMBER, profile::ask_email).for_clients(),
        Page::post("/portal/settings/email/code", MEMBER, profile::confirm_email).for_clients(),
        Page::get("/portal/settings/replies", MEMBER, replies::show).for_support(),
        Page::post("/portal/settings/replies", MEMBER, replies::create),
        Page::post("/portal/settings/replies/{id}", MEMBER, replies::change),
        Page::post("/portal/settings/replies/{id}/delete", MEMBER, replies::delete),
        Page::get("/portal/settings/leads", MEMBER, lead_rules::show).for_support(),
        Page::post("/portal/settings/leads", OWNER, lead_rules::save),
        Page::get("/portal/brand.css", OPEN, brand::style),
        Page::get("/portal/settings/brand", OWNER, brand::show).for_support(),
        Page::post("/portal/settings/brand", OWNER, brand::save).at_most(MAX_FORM_BYTES),
        Page::get("/portal/settings/sender", OWNER, sender::show).for_support(),
        Page::post("/portal/settings/sender", OWNER, sender::save),
        Page::post("/portal/settings/sender/code", OWNER, sender::confirm),
        Page::post("/portal/settings/sender/remove", OWNER, sender::remove),
        Page::post("/portal/settings/company", OWNER, profile::set_company),
        Page::post("/portal/settings/zone", OWNER, profile::set_zone),
        Page::post("/portal/settings/retention", OWNER, profile::set_retention),
        Page::get("/portal/export", OWNER, export::download).when_closed(),
        Page::post("/portal/settings/close", OWNER, closing::close),
        Page::get("/portal/closed", OWNER, closing::show).when_closed(),
        Page::post("/portal/closed/reopen", OWNER, closing::reopen).when_closed(),
        Page::post("/portal/settings/recovery-codes", MEMBER, page::make_codes).for_clients(),
        Page::post("/portal/settings/sessions/{id}/end", MEMBER, page::end_session).for_clients(),
        Page::post("/portal/settings/sessions/end-others", MEMBER, page::end_others).for_clients(),
        Page::get("/portal/calendar", MEMBER, calendar::show).for_clients(),
        Page::post("/portal/calendar/{whose}/{action}", MEMBER, calendar::act).for_clients(),
        Page::get("/portal/keys", OWNER, keys::show).for_support(),
        Page::post("/portal/keys", OWNER, keys::create),
        Page::post("/portal/keys/{id}/{action}", OWNER, keys::act),
    ]
}
