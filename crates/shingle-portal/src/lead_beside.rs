//! The way back to the list a lead was opened from, and to its neighbors there.

use shingle_store::Beside;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::thousands;

use crate::element::link;
use crate::frame::Signed;
use crate::inbox_filter::InboxFilter;
use crate::phrase::phrase;

/// A list and the place of a lead in it.
pub struct OpenedFrom<'v> {
    pub list: &'v InboxFilter,
    pub beside: Beside,
}

pub(crate) fn beside(signed: &Signed<'_>, from: &OpenedFrom<'_>) -> Node {
    let OpenedFrom { list, beside } = from;
    let back = if list.named().is_some() { "Back to the list" } else { "All leads" };
    let mut nav = Node::classed("nav", "beside")
        .set("aria-label", "The list of this lead")
        .child(link(list.at("/portal/leads"), back));
    if let (Some(number), Some(total)) = (beside.number, beside.total) {
        let with = [("number", thousands(number as i64)), ("count", thousands(total as i64))];
        let place =
            phrase(signed.language, "{number} of {count}", &with.each_ref().map(|(name, text)| (*name, text.as_str())));
        nav = nav.child(Node::classed("span", "soft").text(place));
    }
    let way = |to, text: &'static str, rel: &'static str, key: &'static str| {
        link(list.lead_at(to), text).set("class", "btn").set("rel", rel).set("aria-keyshortcuts", key)
    };
    nav.children(beside.before.map(|to| way(to, "Previous", "prev", "k")))
        .children(beside.after.map(|to| way(to, "Next", "next", "j")))
}
