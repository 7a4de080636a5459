//! Suspected spam, each lead with the reason.

use shingle_domain::LeadId;
use shingle_store::{LeadCounts, LeadList, SavedView, SpamReason};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{button, div, el, hidden, link, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::inbox::tabs;
use crate::inbox_filter::InboxFilter;
use crate::inbox_view::full_name;
use crate::phrase::translated;
use crate::time::Hours;

pub struct Suspected<'s> {
    pub filter: &'s InboxFilter,
    pub counts: &'s LeadCounts,
    pub list: &'s LeadList,
    pub reasons: &'s [(LeadId, Option<SpamReason>)],
    pub hours: &'s Hours,
    pub views: &'s [SavedView],
}

fn reason_in_words(reason: Option<SpamReason>) -> &'static str {
    match reason {
        Some(SpamReason::HiddenField) => "Filled in a hidden field",
        Some(SpamReason::TooFast) => "Filled in faster than a person could",
        Some(SpamReason::Crowded) => "Too many came at once",
        None => "Someone marked it",
    }
}

pub fn suspected_page(signed: &Signed<'_>, view: &Suspected<'_>) -> String {
    let filter = view.filter;
    let entries = view.list.leads.iter().map(|lead| {
        let name = full_name(signed.language, lead);
        let reason = view.reasons.iter().find(|(id, _)| *id == lead.id).and_then(|(_, reason)| *reason);
        let act = |action: &str, class: &'static str, text: &'static str| {
            post(format!("/portal/leads/{}/{action}", lead.id))
                .child(hidden("data", filter.environment().as_str()))
                .child(hidden("back", filter.at("/portal/leads")))
                .child(button(class, text).set("aria-label", format!("{}: {name}", translated(signed.language, text))))
        };
        el("li").children([
            div("who2").children([
                link(filter.lead_at(lead.id), name.clone()),
                Node::classed("span", "soft")
                    .text(lead.address.clone())
                    .child(el("span").text(" · "))
                    .child(view.hours.aged(lead.created_at)),
                pill("pill warn", reason_in_words(reason)),
            ]),
            div("pair").child(act("ham", "btn", "Not spam")).child(
                Node::classed("details", "ask")
                    .child(el("summary").set("class", "btn bad").text("Erase…"))
                    .child(soft("You can’t undo this."))
                    .child(act("erase-spam", "btn bad", "Erase permanently")),
            ),
        ])
    });
    let mut card = Node::classed("section", "card").set("aria-label", "Suspected spam");
    card = if view.list.leads.is_empty() {
        card.child(soft("Nothing is suspected."))
    } else {
        card.child(Node::classed("ul", "rows").children(entries))
    };
    if let Some(after) = &view.list.after {
        let older = filter.at_with("/portal/leads", "after", &after.to_string());
        card = card.child(link(older, "Older").set("class", "btn"));
    }
    let inside = vec![
        tabs(filter, view.counts, view.views),
        soft(
            "We didn’t notify anyone about these. “Not spam” moves a lead to the new ones; “Erase” removes it permanently.",
        ),
        card,
    ];
    shell(signed, Place::Leads, "Suspected spam", Vec::new(), inside)
}
