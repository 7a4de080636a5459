//! Leads: the list, one of them, searches that were saved, news while the page is open.

pub(crate) mod answer;
pub(crate) mod appointment;
pub(crate) mod bulk;
pub(crate) mod clash;
pub(crate) mod contact;
pub(crate) mod controls;
pub(crate) mod files;
pub(crate) mod from_file;
pub(crate) mod lead;
pub(crate) mod list;
pub(crate) mod live;
pub(crate) mod live_streams;
pub(crate) mod loss;
pub(crate) mod merge;
pub(crate) mod new;
pub(crate) mod notes;
pub(crate) mod query;
pub(crate) mod quotes;
pub(crate) mod reply;
pub(crate) mod tags;
pub(crate) mod views;

use crate::portal::access::MEMBER;
use crate::portal::route::Page;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/leads", MEMBER, list::show).for_support().for_clients(),
        Page::get("/portal/leads.csv", MEMBER, list::download).for_clients(),
        Page::get("/portal/leads/news", MEMBER, list::news).for_support().for_clients(),
        Page::get("/portal/leads/live", MEMBER, live::show).for_support().for_clients(),
        Page::get("/portal/leads/count", MEMBER, list::count).for_support().for_clients(),
        Page::get("/portal/leads/filters", MEMBER, list::filters).for_support().for_clients(),
        Page::get("/portal/leads/board", MEMBER, list::board).for_support().for_clients(),
        Page::get("/portal/leads/{id}/photos/{photo}", MEMBER, lead::photo).for_support().for_clients(),
        Page::post("/portal/leads/views", MEMBER, views::save).for_clients(),
        Page::post("/portal/leads/views/{id}/delete", MEMBER, views::delete).for_clients(),
        Page::get("/portal/leads/{id}/drawing.png", MEMBER, lead::drawing).for_support().for_clients(),
        Page::post("/portal/leads/bulk", MEMBER, bulk::change).for_clients(),
        Page::get("/portal/leads/new", MEMBER, new::show).for_clients(),
        Page::post("/portal/leads/new", MEMBER, new::save).for_clients(),
        Page::get("/portal/leads/import", MEMBER, from_file::list),
        Page::post("/portal/leads/import", MEMBER, from_file::upload).at_most(from_file::MAX_FORM),
        Page::get("/portal/leads/import/example.csv", MEMBER, from_file::example),
        Page::get("/portal/leads/import/{id}", MEMBER, from_file::show),
        Page::get("/portal/leads/import/{id}/progress", MEMBER, from_file::progress),
        Page::get("/portal/leads/import/{id}/left-out.csv", MEMBER, from_file::left_out),
        Page::post("/portal/leads/import/{id}/{action}", MEMBER, from_file::change),
        Page::get("/portal/leads/{id}", MEMBER, lead::show).for_support().for_clients(),
        Page::get("/portal/leads/{id}/consent", MEMBER, lead::consent).for_clients(),
        Page::get("/portal/leads/{id}/compare", MEMBER, merge::show).for_clients(),
        Page::get("/portal/leads/{id}/inspection.ics", MEMBER, lead::calendar_file).for_clients(),
        Page::get("/portal/leads/{id}/files/{file}", MEMBER, files::download).for_clients(),
        Page::post("/portal/leads/{id}/files", MEMBER, lead::add_file).at_most(files::MAX_FORM_BYTES).for_clients(),
        Page::get("/portal/leads/{id}/quotes/new", MEMBER, quotes::new).for_clients(),
        Page::get("/portal/leads/{id}/quotes/{quote}", MEMBER, quotes::show).for_clients(),
        Page::get("/portal/leads/{id}/quotes/{quote}/quote.pdf", MEMBER, quotes::pdf).for_clients(),
        Page::post("/portal/leads/{id}/quotes/{quote}", MEMBER, quotes::save).for_clients(),
        Page::post("/portal/leads/{id}/quotes/{quote}/{action}", MEMBER, quotes::change).for_clients(),
        Page::post("/portal/leads/{id}/{action}", MEMBER, lead::change).for_clients(),
    ]
}
