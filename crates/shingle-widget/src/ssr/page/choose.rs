//! Step 2, where it is another roof: which of the homes near it, and what is left where it is none of them.

use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::RoofFound;

use super::field::{link, submit};
use super::frame::{self, Body, Head, page};
use super::plan::Pane;
use super::step::Step;
use crate::site::homes::homes;
use crate::ssr::node::Node;
use crate::view::block::inner;
use crate::view::contact::FORM;
use crate::view::frame::{dial, say};
use crate::view::{Markup, choose as view};
use crate::words::w;

/// The address of the choice that [`choose_page`] or [`not_mine_page`] shows.
pub(super) fn choice(step: &Step<'_>, roof: &RoofFound) -> String {
    step.href("measure", &[("key", &roof.key), ("choose", "")])
}

pub fn choose_page(step: &Step<'_>, roof: &RoofFound) -> String {
    let homes = homes(roof);
    if homes.is_empty() {
        return not_mine_page(step, roof);
    }
    let list = view::list(step.words(), &homes, "key", |_, home| home.key.to_owned());
    let form = step.form("get", "measure", &[], list).set("id", FORM);
    let body = Body {
        screen: "choose",
        number: Some(1),
        back: Some(roof_again(step, roof)),
        inner: inner::<Node>().child(form),
        actions: vec![
            submit(w::PARTS_GO),
            link("sh-btn quiet", step.href("measure", &[("key", &roof.key), ("none", "")]), w::MANY_NONE),
        ],
        pane: Pane::homes(step, roof),
    };
    page(step, Head::of_step(step, step.words().text(w::PICK_TITLE)), vec![frame::step(step, body)])
}

/// The page before, which is no further step.
fn roof_again(step: &Step<'_>, roof: &RoofFound) -> String {
    step.href("measure", &[("key", &roof.key), ("building", &BuildingSet::FIRST.to_string())])
}

/// The roof is none of those on the map.
pub fn not_mine_page(step: &Step<'_>, roof: &RoofFound) -> String {
    let way = |href: String| Node::classed("a", "sh-choice").set("href", href);
    let visit = step.href("contact", &[("key", &roof.key), ("building", BuildingSet::NOT_MINE)]);
    let back = if homes(roof).is_empty() { roof_again(step, roof) } else { choice(step, roof) };
    let call = link("sh-btn secondary", dial(step.widget), say(step.words(), step.widget, w::CALL, &[]));
    let body = Body {
        screen: "not-mine",
        number: Some(1),
        back: Some(back),
        inner: inner::<Node>().children(view::none(way(step.home()), way(visit))),
        actions: vec![call],
        pane: Pane::blank(step),
    };
    page(step, Head::of_step(step, step.words().text(w::LOST_TITLE)), vec![frame::step(step, body)])
}
