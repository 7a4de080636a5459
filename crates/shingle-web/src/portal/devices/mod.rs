//! The portal on a phone: installing it, notifications.

pub(crate) mod installed;
pub(crate) mod phone;

use crate::portal::access::{MEMBER, OPEN};
use crate::portal::files;
use crate::portal::route::Page;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/portal.css", OPEN, files::style),
        Page::get("/portal/portal.js", OPEN, files::script),
        Page::get("/portal/icon.svg", OPEN, files::icon),
        Page::get("/portal/icon-192.png", OPEN, installed::icon_192),
        Page::get("/portal/icon-512.png", OPEN, installed::icon_512),
        Page::get("/portal/manifest.webmanifest", OPEN, installed::manifest),
        Page::get("/portal/worker.js", OPEN, installed::worker),
        Page::get("/portal/offline", OPEN, installed::offline),
        Page::get("/portal/phone", MEMBER, phone::show).for_clients(),
        Page::post("/portal/phone/push", MEMBER, phone::subscribe).for_clients(),
        Page::post("/portal/phone/push/{id}/{action}", MEMBER, phone::act).for_clients(),
    ]
}
