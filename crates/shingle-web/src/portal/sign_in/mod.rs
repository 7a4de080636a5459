//! Who comes in, and how: codes, links, passkeys, recovery codes, invitations.

pub(crate) mod asked_party;
pub(crate) mod invite;
pub(crate) mod passkeys;
pub(crate) mod relying_party;
pub(crate) mod return_to;
pub(crate) mod session;

use crate::portal::access::{MEMBER, OPEN};
use crate::portal::route::Page;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/setup", OPEN, invite::show_setup),
        Page::post("/setup", OPEN, invite::claim),
        Page::post("/setup/passkey", OPEN, invite::setup_passkey),
        Page::get("/portal", OPEN, session::front),
        Page::get("/portal/sign-in", OPEN, session::show),
        Page::post("/portal/sign-in", OPEN, session::ask),
        Page::get("/portal/sign-in/code", OPEN, session::show_code),
        Page::post("/portal/sign-in/code", OPEN, session::check_code),
        Page::get("/portal/sign-in/link", OPEN, session::show_link),
        Page::post("/portal/sign-in/link", OPEN, session::use_link),
        Page::get("/portal/sign-in/recovery", OPEN, session::show_recovery),
        Page::post("/portal/sign-in/recovery", OPEN, session::use_recovery),
        Page::post("/portal/sign-in/passkey", OPEN, passkeys::sign_in),
        Page::post("/portal/sign-in/passkey/options", OPEN, passkeys::sign_in_options),
        Page::get("/portal/invite", OPEN, invite::show),
        Page::post("/portal/invite/passkey", OPEN, invite::invite_passkey),
        Page::post("/portal/invite", OPEN, invite::accept),
        Page::post("/portal/sign-out", OPEN, session::sign_out),
        Page::post("/portal/settings/passkeys", MEMBER, passkeys::add).for_clients(),
        Page::post("/portal/settings/passkeys/options", MEMBER, passkeys::add_options).for_clients(),
        Page::post("/portal/settings/passkeys/{id}", MEMBER, passkeys::rename).for_clients(),
        Page::post("/portal/settings/passkeys/{id}/remove", MEMBER, passkeys::remove).for_clients(),
    ]
}
