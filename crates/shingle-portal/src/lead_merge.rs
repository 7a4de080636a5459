//! Two leads of one homeowner: compared and merged into one; and on the page of that one, what was merged into it.

use shingle_domain::appointment::Appointment;
use shingle_domain::lead::Lead;
use shingle_domain::{Environment, Language, Usd};
use shingle_store::{KnownTag, LeadWork, MergedLead, reference};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::dollars;

use crate::days::{date_and_time, full_due};
use crate::element::{button, card, div, el, form_fault, hidden, link, p, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::inbox_choices::status_in_words;
use crate::inbox_filter::InboxFilter;
use crate::inbox_view::full_name;
use crate::phrase::{phrase, translated};
use crate::time::Hours;

/// One of the two, with what is compared.
pub struct MergeSide<'v> {
    pub lead: &'v Lead,
    pub work: &'v LeadWork,
    pub booked: Option<&'v Appointment>,
    pub tags: &'v [KnownTag],
    /// What the contract was worth.
    pub worth: Option<Usd>,
    /// Stands for what is shown of it.
    pub mark: &'v str,
}

pub struct MergeView<'v> {
    pub environment: Environment,
    /// The lead whose page it was opened from.
    pub opened: &'v Lead,
    /// The one that stays unless another is chosen comes first.
    pub sides: [MergeSide<'v>; 2],
    pub stays: &'v Lead,
    pub list: &'v InboxFilter,
    pub hours: &'v Hours,
    /// Why it was not merged.
    pub wrong: Option<&'static str>,
    /// What was chosen before: the field and the lead whose value stays.
    pub kept: &'v [(&'static str, String)],
}

/// Fields of the form that choose a value: with what they are called.
pub const MERGE_FIELDS: [(&str, &str); 6] = [
    ("keep-name", "Name"),
    ("keep-phone", "Phone"),
    ("keep-email", "Email"),
    ("keep-assignee", "Assignee"),
    ("keep-status", "Status"),
    ("keep-worth", "Contract amount"),
];

const WHAT_HAPPENS: [&str; 5] = [
    "The lead that stays keeps its address and price, and what you choose above. Where it has no phone, no email or no next step, it gets that of the other.",
    "Its page shows the notes, timeline, replies, tags, photos, files and inspection of both.",
    "Consent stays with the number it was given for.",
    "The other one leaves your lists, results and downloads. Its link opens the one that stays.",
    "You can undo this in the timeline at any time.",
];

pub fn merge_page(signed: &Signed<'_>, view: &MergeView<'_>) -> String {
    let [first, second] = &view.sides;
    let back = view.list.lead_at(view.opened.id);
    let other = if first.lead.id == view.opened.id { second.lead.id } else { first.lead.id };
    let sides = view.sides.each_ref().map(|side| compared(signed, view, side));
    let choice = Node::classed("fieldset", "stays")
        .child(el("legend").text("Which one stays?"))
        .child(div("sides").children(sides));
    let of_tests = if view.environment == Environment::Sandbox { "?data=sandbox" } else { "" };
    let form = post(format!("/portal/leads/{}/merge{of_tests}", view.opened.id))
        .child(hidden("data", view.environment.as_str()))
        .children(view.list.named().map(|list| hidden("list", list)))
        .child(hidden("with", other.to_string()))
        .children(view.sides.each_ref().map(|side| {
            let name = format!("seen-{}", side.lead.id);
            el("input").set("type", "hidden").set("name", name).set("value", side.mark.to_owned())
        }))
        .child(choice)
        .children(values(signed.language, view))
        .child(el("ul").children(WHAT_HAPPENS.map(|line| el("li").text(line))))
        .child(
            div("pair")
                .child(button("btn ink", "Merge the two leads"))
                .child(link(back.clone(), "Not the same").set("class", "btn")),
        );
    let nav = Node::classed("nav", "beside")
        .set("aria-label", "The lead")
        .child(link(back, full_name(signed.language, view.opened)));
    let mut inside = vec![nav];
    inside.extend(view.wrong.map(form_fault));
    inside.push(Node::classed("section", "card").child(form));
    shell(signed, Place::Leads, "Same homeowner?", Vec::new(), inside)
}

/// A row for each value that differs, with the one of the lead that stays preselected.
fn values(language: Language, view: &MergeView<'_>) -> Option<Node> {
    let of = |side: &MergeSide<'_>, field: &str| -> Option<String> {
        match field {
            "keep-name" => Some(full_name(language, side.lead)),
            "keep-phone" => side.lead.phone.as_ref().map(|phone| phone.as_str().to_owned()),
            "keep-email" => side.lead.email.as_ref().map(|email| email.as_str().to_owned()),
            "keep-assignee" => side.work.assignee.as_ref().map(|(_, name)| name.clone()),
            "keep-status" => Some(translated(language, status_in_words(side.lead.status)).to_owned()),
            _ => side.worth.map(dollars),
        }
    };
    let [first, second] = &view.sides;
    let row = |(field, name): (&'static str, &'static str)| {
        let both = [of(first, field), of(second, field)];
        // One that is missing is filled in.
        let is_filled = matches!(field, "keep-phone" | "keep-email") && both.iter().any(Option::is_none);
        if both[0] == both[1] && !has_two(field, first, second) || is_filled {
            return None;
        }
        let chosen = view.kept.iter().find(|(of, _)| *of == field).map(|(_, id)| id.clone());
        let chosen = chosen.unwrap_or_else(|| view.stays.id.to_string());
        let radios = [first, second].into_iter().zip(both).map(|(side, value)| {
            let id = side.lead.id.to_string();
            let radio = el("input").set("type", "radio").set("name", field).set("value", id.clone());
            let radio = if chosen == id { radio.set("checked", "") } else { radio };
            let text = match (value, field) {
                (Some(value), _) => el("span").text(value),
                (None, "keep-assignee") => el("span").text("Nobody"),
                (None, _) => el("span").text("None"),
            };
            Node::classed("label", "tick").child(radio).child(text)
        });
        Some(Node::classed("fieldset", "stays").child(el("legend").text(name)).child(div("sides").children(radios)))
    };
    let rows: Vec<Node> = MERGE_FIELDS.into_iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| div("values").child(el("h2").text("Which value stays?")).children(rows))
}

/// Two people of one name.
fn has_two(field: &str, first: &MergeSide<'_>, second: &MergeSide<'_>) -> bool {
    let who = |side: &MergeSide<'_>| side.work.assignee.as_ref().map(|(id, _)| *id);
    field == "keep-assignee" && who(first) != who(second)
}

fn compared(signed: &Signed<'_>, view: &MergeView<'_>, side: &MergeSide<'_>) -> Node {
    let MergeSide { lead, work, booked, tags, .. } = side;
    let language = signed.language;
    let radio = el("input").set("type", "radio").set("name", "stays").set("value", lead.id.to_string());
    let radio = if view.stays.id == lead.id { radio.set("checked", "") } else { radio };
    let label = phrase(language, "Keep {reference}", &[("reference", &reference(lead.id))]);
    let say = |english: &'static str| translated(language, english).to_owned();
    let step = work.next_step.as_ref().map(|step| match work.due {
        Some(due) => format!("{step}, {}", full_due(language, due.day, due.time.map(|time| time.of_day))),
        None => step.clone(),
    });
    let visit = match booked.filter(|now| now.state.stands()) {
        Some(now) => Some(date_and_time(language, now.time.date, now.time.time)),
        None => lead.inspection.as_ref().map(|asked| say(asked_in_words(asked.state))),
    };
    let named = |tags: &[KnownTag]| tags.iter().map(|tag| tag.name.as_str()).collect::<Vec<_>>().join(", ");
    let rows: [(&'static str, Option<String>); 12] = [
        ("Name", Some(full_name(language, lead))),
        ("Phone", lead.phone.as_ref().map(|phone| phone.as_str().to_owned())),
        ("Email", lead.email.as_ref().map(|email| email.as_str().to_owned())),
        ("Address", Some(lead.address.clone())),
        ("Estimate", lead.shown_price().map(|price| dollars(price.cost))),
        ("Status", Some(say(status_in_words(lead.status)))),
        ("Assignee", Some(work.assignee.as_ref().map_or_else(|| say("Nobody"), |(_, name)| name.clone()))),
        ("Next step", step),
        ("Inspection", visit),
        ("Tags", Some(named(tags)).filter(|tags| !tags.is_empty())),
        ("Contract amount", side.worth.map(dollars)),
        ("Consent", Some(say(consent_in_words(lead)))),
    ];
    let received = phrase(language, "Received {time}", &[("time", &view.hours.full(lead.created_at))]);
    div("side")
        .child(Node::classed("label", "tick").child(radio).child(el("span").text(label)))
        .child(soft(received))
        .child(facts(rows))
}

fn facts(rows: impl IntoIterator<Item = (&'static str, Option<String>)>) -> Node {
    let lines = rows.into_iter().flat_map(|(what, value)| {
        [el("dt").text(what), value.map_or_else(|| el("dd").text("None"), |value| el("dd").text(value))]
    });
    Node::classed("dl", "facts").children(lines)
}

fn asked_in_words(state: shingle_domain::inspection::InspectionState) -> &'static str {
    use shingle_domain::inspection::InspectionState;
    match state {
        InspectionState::Asked => "Requested",
        InspectionState::Confirmed => "Confirmed",
        InspectionState::Declined => "Declined",
    }
}

fn consent_in_words(lead: &Lead) -> &'static str {
    if lead.consent.given { "May call and text" } else { "Was not given" }
}

/// The page on which a lead is compared with another.
pub(crate) fn merge_path(list: &InboxFilter, opened: &Lead, with: &Lead) -> String {
    let here = list.lead_at(opened.id);
    let (path, query) = here.split_once('?').unwrap_or((&here, ""));
    let query = if query.is_empty() { String::new() } else { format!("&{query}") };
    format!("{path}/compare?with={}{query}", with.id)
}

/// What the homeowner left with the leads that were merged into this one.
pub(crate) fn merged(
    signed: &Signed<'_>,
    merged: &[MergedLead],
    environment: Environment,
    hours: &Hours,
) -> Option<Node> {
    let entries = merged.iter().map(|MergedLead { lead, .. }| {
        let title = format!("{} ({})", full_name(signed.language, lead), reference(lead.id));
        let certificate = format!("/portal/leads/{}/consent?data={}", lead.id, environment.as_str());
        let kind = if lead.consent.given { "pill ok" } else { "pill warn" };
        div("who2")
            .child(el("b").text(title))
            .child(soft(Text::from(hours.full(lead.created_at))))
            .child(facts([
                ("Phone", lead.phone.as_ref().map(|phone| phone.as_str().to_owned())),
                ("Email", lead.email.as_ref().map(|email| email.as_str().to_owned())),
                ("Address", Some(lead.address.clone())),
                ("Estimate", lead.shown_price().map(|price| dollars(price.cost))),
            ]))
            .children(lead.message.as_ref().map(|said| Node::classed("blockquote", "said").text(said.clone())))
            .child(p("").child(pill(kind, consent_in_words(lead))).text(" ").child(link(certificate, "Certificate")))
    });
    let rows = Node::classed("ul", "rows").children(entries.map(|entry| el("li").child(entry)));
    (!merged.is_empty()).then(|| card("Merged leads").set("id", "merged").child(rows))
}
