//! What a connection receives: events of which widgets, how much of each, in which order, with which headers.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::connection_form::{TypedFields, check, field, hint};
use crate::element::{div, el, group_fault, select, soft};
use crate::frame::Signed;
use crate::phrase::phrase;

/// Of which widgets. A form without this field leaves the choice as it is.
pub const REACH: &str = "reach";
pub const EVERY: &str = "every";
pub const SOME: &str = "some";

/// `widgets`: ids and titles.
pub(crate) fn widget_choice(widgets: &[(String, String)], typed: &TypedFields) -> Vec<Node> {
    if widgets.is_empty() {
        return Vec::new();
    }
    let reach =
        [(EVERY.to_owned(), "All widgets, including future ones"), (SOME.to_owned(), "Only the widgets ticked below")];
    let choice = select("reach", REACH, reach, typed.get(REACH));
    let choice = div("field").child(el("label").set("for", "reach").text("Send events from")).child(choice);
    let ticks = widgets.iter().map(|(id, title)| {
        let is_on = !typed.get(&format!("widget {id}")).is_empty();
        check("widget".to_owned(), id, title.clone(), is_on)
    });
    let mut set = el("fieldset")
        .set("class", "ticks")
        .set("id", "some-widgets")
        .child(el("legend").text("Only these widgets"))
        .children(ticks);
    if let Some(wrong) = typed.wrong("widget") {
        set = set.set("aria-describedby", "widget-said").child(group_fault("widget-said", wrong.clone()));
    }
    vec![choice, set]
}

/// Of a webhook alone. `kept`: the names of its headers, whose values are shown to nobody.
pub(crate) fn webhook_options(signed: &Signed<'_>, typed: &TypedFields, kept: &[String]) -> Vec<Node> {
    let payload = [("full".to_owned(), "The whole record"), ("thin".to_owned(), "Only its ID")];
    let payload = field(
        "payload".into(),
        "An event contains",
        select("payload", "payload", payload, typed.get("payload")),
        hint("With only the ID, we send no personal data; your receiver gets the record from the API with a key."),
        None,
    );
    let ordered = check(
        "ordered".to_owned(),
        "yes",
        "Keep the order: each event waits for the one before",
        !typed.get("ordered").is_empty(),
    );
    let text = el("textarea").set("class", "in mono").set("rows", "3").set("spellcheck", "false");
    let headers = field(
        "headers".into(),
        "Extra headers",
        text.text(typed.get("headers").to_owned()),
        hint("One per line, like X-Token: 123. We store them encrypted and don’t show their values again."),
        typed.wrong("headers"),
    );
    let mut options = vec![payload, ordered, headers];
    if !kept.is_empty() {
        let names = kept.join(", ");
        options.push(soft(phrase(
            signed.language,
            "It has {names}. What you type replaces them; leave blank to keep them.",
            &[("names", &names)],
        )));
        options.push(check("noHeaders".to_owned(), "yes", "Remove them all", false));
    }
    options
}
