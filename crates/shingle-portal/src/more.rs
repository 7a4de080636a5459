//! On phones: the places that do not fit the bar, and signing out.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::companies::choice;
use crate::element::{button, div, el, post};
use crate::frame::{Place, Signed, shell};
use crate::menu::rest_of_menu;

pub fn more_page(signed: &Signed<'_>) -> String {
    let places = Node::classed("section", "card flush").set("aria-label", "Places").child(rest_of_menu(signed));
    let who = div("who2")
        .child(el("b").text(signed.name.to_owned()))
        .children(signed.company.map(|company| Node::classed("span", "soft").text(company.to_owned())));
    let out = Node::classed("section", "card")
        .set("aria-label", "Signed in as")
        .child(who)
        .child(post("/portal/sign-out").child(button("btn", "Sign out")));
    let choice = choice(signed).map(|choice| choice.set("open", ""));
    let choice =
        choice.map(|choice| Node::classed("section", "card").set("aria-label", "Your companies").child(choice));
    let inside = choice.into_iter().chain([places, out]).collect();
    shell(signed, Place::More, "More", Vec::new(), inside)
}
