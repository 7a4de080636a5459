//! Leads by status, side by side. Cards move with a choice and a button, or by dragging if scripts run.

use std::collections::HashMap;

use shingle_domain::LeadId;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_store::{LeadList, LeadWork, SavedView};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::thousands;

use crate::days::short_due;
use crate::element::{button, div, el, hidden, link, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::inbox::{heading_actions, tabs};
use crate::inbox_bar::search_bar;
use crate::inbox_choices::{Choices, status_in_words};
use crate::inbox_filter::InboxFilter;
use crate::inbox_table::overdue;
use crate::inbox_view::{full_name, price};
use crate::lead_answers::in_a_row;
use crate::phrase::phrase;
use crate::time::Hours;

/// Spam has no column.
pub const COLUMNS: [LeadStatus; 5] =
    [LeadStatus::New, LeadStatus::Contacted, LeadStatus::Qualified, LeadStatus::Won, LeadStatus::Lost];

pub struct Board<'b> {
    pub choices: Choices<'b>,
    /// The first leads of each column.
    pub columns: &'b [(LeadStatus, LeadList)],
    pub work: &'b HashMap<LeadId, LeadWork>,
    pub hours: &'b Hours,
    pub views: &'b [SavedView],
}

pub fn board_page(signed: &Signed<'_>, view: &Board<'_>) -> String {
    let filter = view.choices.filter;
    let columns = view.columns.iter().map(|(status, list)| column(signed, view, *status, list));
    let inside = vec![
        tabs(filter, view.choices.counts, view.views),
        Node::classed("section", "card flush listed").set("aria-label", "Filters").child(search_bar(
            signed,
            &view.choices,
            "/portal/leads/board",
        )),
        if columns.len() == 1 { div("board one") } else { div("board") }.children(columns),
    ];
    shell(signed, Place::Leads, "Leads by status", heading_actions(filter, true), inside)
}

fn column(signed: &Signed<'_>, view: &Board<'_>, status: LeadStatus, list: &LeadList) -> Node {
    let filter = view.choices.filter;
    let count = list.total.map(|total| thousands(total as i64)).unwrap_or_default();
    let head =
        el("h2").child(el("span").text(status_in_words(status))).child(Node::classed("span", "count").text(count));
    let cards = list.leads.iter().map(|lead| card(signed, view, status, lead));
    let mut column = Node::classed("section", "lane")
        .set("data-status", status.as_str())
        .set("aria-label", status_in_words(status))
        .child(head)
        .child(el("ul").children(cards));
    if list.leads.is_empty() {
        column = column.child(soft("Nothing here."));
    }
    if list.total.is_none_or(|total| total > list.leads.len()) && !list.leads.is_empty() {
        let all = InboxFilter { statuses: vec![status], ..filter.clone() };
        column = column.child(link(all.at("/portal/leads"), "See all in the list"));
    }
    column
}

fn card(signed: &Signed<'_>, view: &Board<'_>, status: LeadStatus, lead: &Lead) -> Node {
    let filter = view.choices.filter;
    let name = full_name(signed.language, lead);
    let work = view.work.get(&lead.id);
    let whose =
        work.and_then(|work| work.assignee.as_ref()).map_or(Text::from("Nobody"), |(_, name)| name.clone().into());
    let mut facts =
        Node::classed("p", "soft facts-line").child(el("span").text(price(lead))).child(el("span").write(whose));
    if let Some(due) = work.and_then(|work| work.due) {
        let late = view.hours.is_overdue(&due).then(overdue);
        facts = facts.child(el("span").text(short_due(signed.language, &due))).children(late);
    }
    let lane = InboxFilter { statuses: vec![status], ..filter.clone() };
    let field = format!("move-{}", lead.id);
    let label = phrase(signed.language, "Move {name} to", &[("name", &name)]);
    let choices = COLUMNS.map(|to| {
        let option = el("option").set("value", to.as_str());
        let option = if to == status { option.set("selected", "") } else { option };
        option.text(status_in_words(to))
    });
    let form = post(format!("/portal/leads/{}/status", lead.id)).set("class", "move").children([
        hidden("data", filter.environment().as_str()),
        hidden("seen", status.as_str()),
        hidden("back", filter.at("/portal/leads/board")),
        el("label").set("class", "vh").set("for", field.clone()).text(label),
        el("select").set("id", field).set("name", "status").set("class", "in").children(choices),
        button("btn", "Move"),
    ]);
    Node::classed("li", "tile-card")
        .set("data-card", "")
        .child(link(lane.lead_at(lead.id), name))
        .child(Node::classed("span", "soft").text(lead.address.clone()))
        .child(Node::classed("p", "c-wants").children(in_a_row(signed.language, lead)))
        .child(facts)
        .child(Node::classed("span", "soft").child(view.hours.aged(lead.created_at)))
        .child(form)
}
