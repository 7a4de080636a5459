//! A new webhook or connector.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::connection_form::{SettingField, TypedFields, field, input, setting_fields, webhook_fields};
use crate::element::{button, card, div, el, hidden, link, once, post, select, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::{phrase, translated};

/// What is known of a service.
#[derive(Debug, Clone)]
pub struct ServiceView {
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub documentation: &'static str,
    /// Whether it was ever tried with a real account; else against the documentation alone.
    pub tried_with_service: bool,
    /// Whether a lead that is sent counts as a conversion of an advertisement.
    pub is_conversion: bool,
    /// What to do in the other system, in order.
    pub steps: &'static [String],
    pub script: Option<&'static str>,
    pub settings: Vec<SettingField>,
    /// Whether it subscribes on its own, and takes no settings here.
    pub is_hook: bool,
}

pub struct NewConnectionView<'v> {
    /// `None`: a webhook.
    pub service: Option<&'v ServiceView>,
    pub typed: &'v TypedFields,
}

/// How it was checked, so that nobody trusts it more than that.
pub(crate) fn checked(signed: &Signed<'_>, service: &ServiceView) -> Node {
    let said = if service.tried_with_service {
        "Tested with a real {title} account."
    } else if service.is_hook {
        "Built from {title}’s documentation. Send a test event after you add it."
    } else {
        "Built from {title}’s documentation. Send a test before you switch it on."
    };
    let documentation = link(service.documentation, "Its documentation").set("rel", "noreferrer");
    soft(phrase(signed.language, said, &[("title", translated(signed.language, service.title))]))
        .child(el("span").text(" "))
        .child(documentation)
}

/// What to do in the other system.
pub(crate) fn steps(signed: &Signed<'_>, service: &ServiceView) -> Option<Node> {
    if service.steps.is_empty() && service.script.is_none() {
        return None;
    }
    let steps = service.steps.iter().map(|step| el("li").text(step.as_str()));
    let title = phrase(signed.language, "Steps in {title}", &[("title", translated(signed.language, service.title))]);
    let card = Node::classed("section", "card")
        .child(el("h2").text(title))
        .child(Node::classed("ol", "steps").children(steps));
    Some(match service.script {
        Some(script) => card.child(
            el("pre")
                .set("tabindex", "0")
                .set("role", "region")
                .set("aria-label", "Script to paste")
                .child(el("code").text(script)),
        ),
        None => card,
    })
}

pub fn new_connection_page(signed: &Signed<'_>, view: &NewConnectionView<'_>) -> String {
    let back = soft("").child(link("/portal/connections", "Connections"));
    let mut inside = vec![back];
    let for_whom = || {
        let options = [("production".to_owned(), "Real leads"), ("sandbox".to_owned(), "Test leads")];
        div("field").child(el("label").set("for", "data").text("Send")).child(select(
            "data",
            "data",
            options,
            view.typed.get("data"),
        ))
    };
    let form = post("/portal/connections/new").set("novalidate", "").child(once(signed)).children(view.typed.whole());
    let Some(service) = view.service else {
        inside.push(soft("We post events to your address as JSON, signed with the Standard Webhooks scheme, and retry for three days until your server accepts them."));
        let form = form
            .child(hidden("of", "webhook"))
            .children(webhook_fields(view.typed))
            .child(for_whom())
            .child(button("btn ink", "Create webhook"));
        inside.push(card("New webhook").child(form));
        return shell(signed, Place::Connections, "New webhook", Vec::new(), inside);
    };
    inside.push(soft(service.about));
    inside.push(checked(signed, service));
    inside.extend(steps(signed, service));
    if service.is_hook {
        inside.push(el("p").child(link("/portal/connections/new?of=webhook", "Add a webhook").set("class", "btn ink")));
        inside.push(
            soft("Your own programs can subscribe through the API, with a key. ")
                .child(link("/docs", "How to do it"))
                .child(el("span").text(" "))
                .child(link("/portal/keys", "API keys")),
        );
    } else {
        let form = form
            .child(hidden("of", service.name))
            .child(field("name".into(), "Name", input("text", view.typed.get("name")), None, view.typed.wrong("name")))
            .children(setting_fields(&service.settings, view.typed, false))
            .child(for_whom())
            .child(soft("It stays off until you switch it on. First, see what would be sent."))
            .child(button("btn ink", "Save and try it"));
        inside.push(card("Settings").child(form));
    }
    shell(signed, Place::Connections, service.title, Vec::new(), inside)
}
