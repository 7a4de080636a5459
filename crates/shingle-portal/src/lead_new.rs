//! Adding a lead by hand.

use shingle_domain::lead::{Lead, Same};
use shingle_domain::{Environment, Language};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::dollars;

use crate::connection_form::{TypedFields, field, input};
use crate::element::{Tone, button, card, div, el, group_fault, hidden, link, note, once, p, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::inbox_choices::{options, status_in_words};
use crate::inbox_view::{full_name, lead_path};
use crate::lead_contact::contact_field;
use crate::phrase::{phrase, translated};
use crate::time::Hours;

/// What is known of the address that was typed.
pub struct FoundHome<'v> {
    pub address: &'v str,
    pub estimate: Option<&'v shingle_domain::lead::ShownEstimate>,
}

pub struct NewLeadView<'v> {
    pub environment: Environment,
    /// Ids and names.
    pub widgets: &'v [(String, String)],
    pub people: &'v [(String, String)],
    pub typed: &'v TypedFields,
    /// Once the address was looked up.
    pub home: Option<FoundHome<'v>>,
    /// Leads with the same email, phone or address, the newest first.
    pub known: &'v [(Lead, Same)],
    /// A lead is in nobody's way any more: it is added although others are like it.
    pub is_asked: bool,
    pub hours: &'v Hours,
}

pub const MAX_SAID: usize = 2_000;

/// What the homeowner said about calls and texts: value, label, explanation.
const CONSENTS: [(&str, &str, &str); 3] = [
    (
        "agreed",
        "Yes, by voice",
        "You asked: “May we call or text you about this estimate?” We keep the words, your name and the time.",
    ),
    ("callBack", "Only call back about this", "No texts, no other calls."),
    ("notAsked", "Didn’t ask", "The lead says so. Ask first."),
];

pub fn new_lead_page(signed: &Signed<'_>, view: &NewLeadView<'_>) -> String {
    let of_tests = match view.environment {
        Environment::Production => "",
        Environment::Sandbox => "?data=sandbox",
    };
    let list = format!("/portal/leads{of_tests}");
    let back = el("nav").set("class", "beside").set("aria-label", "The list of leads").child(link(list, "All leads"));
    let mut inside = vec![back, soft("From a call or a visit. It works like any other lead.")];
    if view.widgets.is_empty() {
        inside.push(note(Tone::Look, "You need a widget first: its prices and its company name are used."));
        inside.push(p("").child(link("/portal/widgets/new", "New widget").set("class", "btn ink")));
        return shell(signed, Place::Leads, "Add a lead", Vec::new(), inside);
    }
    inside.extend(view.typed.whole());
    inside.extend(known(signed, view));
    inside.push(form(signed, view, of_tests));
    shell(signed, Place::Leads, "Add a lead", Vec::new(), inside)
}

fn known(signed: &Signed<'_>, view: &NewLeadView<'_>) -> Option<Node> {
    if view.known.is_empty() {
        return None;
    }
    let entries = view.known.iter().map(|(lead, same)| {
        let said = match same {
            Same::Person => "Same email or phone.",
            Same::Home => "Same home, different email and phone.",
        };
        let name = format!("{}, {}", full_name(signed.language, lead), view.hours.age(lead.created_at));
        let status = translated(signed.language, status_in_words(lead.status));
        let entry = div("who2").child(link(lead_path(lead.id, view.environment), name)).child(
            Node::classed("span", "soft").child(el("span").text(said)).child(el("span").text(format!(" {status}"))),
        );
        el("li").child(entry)
    });
    let card = card("Already here").set("id", "known").set("role", "status");
    Some(
        card.child(Node::classed("ul", "rows").children(entries))
            .child(soft("You can still add this one. The leads are then linked.")),
    )
}

fn home(language: Language, home: &FoundHome<'_>) -> Node {
    let Some(estimate) = home.estimate else {
        let said = "We don’t know a roof at “{address}”. You can add the lead without a price.";
        return note(Tone::Look, phrase(language, said, &[("address", home.address)]));
    };
    let prices: Vec<String> = estimate
        .prices
        .iter()
        .map(|price| format!("{} {}", translated(language, price.material.as_str()), dollars(price.cost)))
        .collect();
    let with = [("address", home.address), ("prices", &prices.join(", "))];
    note(Tone::Well, phrase(language, "Found: {address}. {prices}.", &with))
}

fn form(signed: &Signed<'_>, view: &NewLeadView<'_>, of_tests: &str) -> Node {
    let typed = view.typed;
    let line = |name: &'static str, kind: &'static str, max: &'static str, hint: Option<&'static str>| {
        let of = contact_field(name);
        let input = input(kind, typed.get(of.name)).set("maxlength", max);
        let hint = hint.map(|hint| Node::classed("p", "hint").text(hint));
        field(of.name.into(), of.label, input, hint, typed.wrong(of.name))
    };
    let chosen = |name: &str, first: &str| typed.typed(name).map_or_else(|| first.to_owned(), str::to_owned);
    let choose = |name: &'static str, label: &'static str, all: Vec<(String, Text)>, first: &str| {
        let wrong = typed.wrong(name).map(|said| group_fault("choice-said", said.clone()));
        let select = options(name, all, &chosen(name, first));
        let select = if wrong.is_some() { select.set("aria-describedby", "choice-said") } else { select };
        div("field").child(el("label").set("for", name).text(label)).child(select).children(wrong)
    };
    let given = chosen("consent", "notAsked");
    let consents = CONSENTS.map(|(value, label, said)| {
        let input = el("input").set("type", "radio").set("name", "consent").set("value", value);
        let input = if value == given { input.set("checked", "") } else { input };
        let text = el("span")
            .child(el("b").text(label))
            .child(el("span").text(" "))
            .child(Node::classed("span", "soft").text(said));
        el("label").child(input).child(text)
    });
    let mut consent = Node::classed("fieldset", "which")
        .child(el("legend").text("Did they agree to calls and texts?"))
        .children(consents);
    if let Some(wrong) = typed.wrong("consent") {
        consent = consent.set("aria-describedby", "consent-said").child(group_fault("consent-said", wrong.clone()));
    }
    let said = el("textarea").set("class", "in").set("rows", "3").set("maxlength", MAX_SAID.to_string());
    let said = said.text(typed.get("said-text").to_owned());
    let people = view.people.iter().map(|(id, name)| (id.clone(), name.clone().into()));
    let people: Vec<(String, Text)> =
        [("me".to_owned(), "Me".into()), (String::new(), "Nobody".into())].into_iter().chain(people).collect();
    let widgets: Vec<(String, Text)> =
        view.widgets.iter().map(|(id, name)| (id.clone(), name.clone().into())).collect();
    let first = view.widgets.first().map_or("", |(id, _)| id);
    let languages = vec![("en".to_owned(), "English".into()), ("es".to_owned(), "Spanish".into())];
    let add = if view.is_asked { "Add anyway" } else { "Add lead" };
    let mut form = post(format!("/portal/leads/new{of_tests}"))
        .set("class", "new-lead")
        .child(once(signed))
        .child(hidden("data", view.environment.as_str()));
    if view.is_asked {
        form = form.child(hidden("anyway", "yes"));
    }
    let about = card("Home")
        .child(line(
            "address",
            "text",
            "200",
            Some("Street, town, state and ZIP, like 14 Alder Court, Harrow Falls, ME 04995."),
        ))
        .children(view.home.as_ref().map(|found| home(signed.language, found)))
        .child(choose("widget", "Widget", widgets, first))
        .child(div("pair").child(button("btn", "Look up the price").set("name", "do").set("value", "look")));
    let who = card("Homeowner")
        .child(line("firstName", "text", "100", None))
        .child(line("lastName", "text", "100", Some("Leave blank if they didn’t say.")))
        .child(line("phone", "tel", "40", None))
        .child(line("email", "email", "254", Some("Leave blank if they didn’t give one.")))
        .child(choose("language", "Language", languages, "en"))
        .child(field("said-text".into(), "What they said", said, None, typed.wrong("said-text")));
    let rest = card("Consent and assignee").child(consent).child(choose("assignee", "Assignee", people, "me"));
    form.children([about, who, rest])
        .child(div("pair").child(button("btn ink", add).set("name", "do").set("value", "add")))
}
