//! One lead: what to do first, then what is known.

use shingle_domain::Environment;
use shingle_domain::inspection::InspectionState;
use shingle_domain::lead::{Lead, LeadChannel, Same};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::{dollars, tenths, thousands};

use crate::element::{button, card, div, el, hidden, link, p, pill, post, select, soft};
use crate::frame::{Place, Signed, shell};
use crate::inbox::{full_name, price, status_pill, statuses};
use crate::lead_work::{WorkView, history, work};
use crate::time::Hours;

pub struct LeadView<'v> {
    pub lead: &'v Lead,
    pub environment: Environment,
    /// What both sides name it by: `4K7Q-2M`.
    pub reference: &'v str,
    /// The sheet of the estimate, where one was shown.
    pub sheet: Option<String>,
    pub hours: &'v Hours,
    pub work: WorkView<'v>,
    pub has_drawing: bool,
}

/// A name with its value; rows without a value are left out.
fn facts(rows: impl IntoIterator<Item = (&'static str, Option<String>)>) -> Node {
    let rows = rows.into_iter().filter_map(|(name, value)| Some((name, value?)));
    Node::classed("dl", "facts").children(rows.flat_map(|(name, value)| [el("dt").text(name), el("dd").text(value)]))
}

pub fn lead_page(signed: &Signed<'_>, view: &LeadView<'_>) -> String {
    let lead = view.lead;
    let name = full_name(lead);
    let back = match view.environment {
        Environment::Production => "/portal/leads",
        Environment::Sandbox => "/portal/leads?data=sandbox",
    };
    let about = Node::classed("p", "about soft")
        .child(el("span").text(format!("{} · {} · ", lead.address, view.reference)))
        .child(view.hours.aged(lead.created_at));
    let act = |action: &str| form(view, action);
    let came = (lead.created_at, format!("Came in: {}", via(lead.source.via)));
    let left = div("column")
        .child(estimate(view))
        .children(visit(view))
        .child(homeowner(view))
        .child(history(&view.work, view.hours, came, &act));
    let right = div("column")
        .child(work(&view.work, &act))
        .child(source(view))
        .child(consent(view))
        .children(elsewhere(view))
        .child(erase(view));
    shell(
        signed,
        Place::Leads,
        &name,
        vec![status_pill(lead.status)],
        vec![p("").child(link(back, "All leads")), about, what_to_do(view), div("columns").children([left, right])],
    )
}

/// Where a form of this lead goes.
fn form(view: &LeadView<'_>, action: &str) -> Node {
    post(format!("/portal/leads/{}/{action}", view.lead.id)).child(hidden("data", view.environment.as_str()))
}

fn what_to_do(view: &LeadView<'_>) -> Node {
    let lead = view.lead;
    let taken = match &lead.taken_by {
        None => div("now")
            .child(form(view, "take").child(button("btn ink", "I’m on it")))
            .child(soft("Nobody has taken it up yet.")),
        Some(name) => div("now").child(p(format!("{name} is on it."))),
    };
    let mut ways = div("ways");
    if let Some(phone) = &lead.phone {
        ways = ways
            .child(link(format!("tel:{}", phone.dialled()), format!("Call {}", phone.as_str())).set("class", "btn"))
            .child(link(format!("sms:{}", phone.dialled()), "Text").set("class", "btn"));
    }
    let directions = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("api", "1")
        .append_pair("destination", &lead.address)
        .finish();
    ways = ways.child(link(format!("mailto:{}", lead.email.as_str()), "Email").set("class", "btn")).child(
        link(format!("https://www.google.com/maps/dir/?{directions}"), "Directions")
            .set("class", "btn")
            .set("rel", "noreferrer noopener")
            .set("target", "_blank"),
    );
    let status = form(view, "status")
        .set("class", "inline")
        .child(el("label").set("for", "status").text("Status"))
        .child(select("status", "status", statuses(), lead.status.as_str()))
        .child(hidden("seen", lead.updated_at.to_string()))
        .child(button("btn", "Save"));
    Node::classed("section", "card do").set("aria-label", "What to do").children([taken, ways, status])
}

fn estimate(view: &LeadView<'_>) -> Node {
    let lead = view.lead;
    let Some(estimate) = &lead.estimate else {
        return card("Estimate")
            .child(soft("No roof data: nothing could be measured, and the person asked for a visit."));
    };
    let chosen = estimate.prices.iter().find(|price| Some(price.material) == lead.roof_material);
    let chosen = chosen.or_else(|| estimate.prices.first());
    let mut card = card("Estimate");
    if let (Some(sum), Some(shown)) = (price(lead), chosen) {
        card = card.child(Node::classed("p", "sum").text(dollars(sum))).child(soft(format!(
            "{} to {}, {}",
            dollars(shown.low),
            dollars(shown.high),
            shown.material.as_str()
        )));
    }
    let others = estimate.prices.iter().filter(|price| chosen.is_none_or(|chosen| chosen.material != price.material));
    let others: Vec<_> = others.map(|price| format!("{} {}", price.material.as_str(), dollars(price.cost))).collect();
    let round = |number: f64| thousands(number.round() as i64);
    card = card.child(facts([
        (
            "Sum",
            chosen.map(|price| {
                format!(
                    "{} squares × {}",
                    tenths((estimate.squares * 10.0).round() as i64),
                    dollars(price.price_per_square)
                )
            }),
        ),
        ("Roof area", Some(format!("{} sq ft", round(estimate.roof_area)))),
        ("Average pitch", Some(format!("{}°", tenths((estimate.average_roof_pitch * 10.0).round() as i64)))),
        (
            "Confidence",
            Some(format!("{} of 100 that it is this building", estimate.structure_present_confidence_score)),
        ),
        ("Other materials", Some(others.join(", ")).filter(|text| !text.is_empty())),
    ]));
    if view.has_drawing {
        let path = format!("/portal/leads/{}/drawing.png?data={}", lead.id, view.environment.as_str());
        let alt = format!("The roof of {} from above, with its lengths", lead.address);
        card = card.child(Node::classed("img", "drawing").set("src", path).set("alt", alt).set("loading", "lazy"));
    }
    match &view.sheet {
        Some(sheet) => card.child(p("").child(link(sheet.clone(), "Drawing and print sheet"))),
        None => card,
    }
}

fn visit(view: &LeadView<'_>) -> Option<Node> {
    let inspection = view.lead.inspection.as_ref()?;
    let state = match inspection.state {
        InspectionState::Asked => pill("pill warn", "Not answered"),
        InspectionState::Confirmed => pill("pill ok", "Confirmed"),
        InspectionState::Declined => pill("pill", "Declined"),
    };
    let wishes = inspection.wishes.iter().map(|wish| el("li").text(format!("{}, {}", wish.date, wish.part.as_str())));
    let mut card =
        card("Inspection asked").child(p("").child(state)).child(Node::classed("ol", "wishes").children(wishes));
    if let Some(note) = &inspection.note {
        card = card.child(Node::classed("blockquote", "said").text(note.clone()));
    }
    if inspection.state == InspectionState::Asked {
        let answer = |state: &'static str, class: &'static str, said: &'static str| {
            form(view, "inspection").child(hidden("state", state)).child(button(class, said))
        };
        card = card.child(div("pair").children([
            answer("confirmed", "btn ink", "Mark as confirmed"),
            answer("declined", "btn", "Mark as declined"),
        ]));
    }
    Some(card)
}

fn homeowner(view: &LeadView<'_>) -> Node {
    let lead = view.lead;
    let mut card = card("Homeowner").child(facts([
        ("Email", Some(lead.email.as_str().to_owned())),
        ("Telephone", lead.phone.as_ref().map(|phone| phone.as_str().to_owned())),
        ("Wants a call", lead.preferred_contact_time.map(|time| time.as_str().to_owned())),
        ("Mail returns", lead.email_problem.clone()),
    ]));
    if let Some(message) = &lead.message {
        card = card.child(Node::classed("blockquote", "said").text(message.clone()));
    }
    if let Some(earlier) = &lead.earlier_lead {
        let said = match earlier.same {
            Same::Person => "An earlier lead of the same person",
            _ => "An earlier lead of the same home",
        };
        let path = match view.environment {
            Environment::Production => format!("/portal/leads/{}", earlier.id),
            Environment::Sandbox => format!("/portal/leads/{}?data=sandbox", earlier.id),
        };
        card = card.child(p("").child(link(path, said)));
    }
    card
}

fn via(channel: LeadChannel) -> &'static str {
    match channel {
        LeadChannel::Embed => "Your site",
        LeadChannel::Hosted => "Hosted page",
        LeadChannel::Link => "Link",
        LeadChannel::Qr => "QR code",
    }
}

fn source(view: &LeadView<'_>) -> Node {
    let source = &view.lead.source;
    let campaign: Vec<&str> = [&source.utm_source, &source.utm_medium, &source.utm_campaign]
        .into_iter()
        .filter_map(|part| part.as_deref())
        .collect();
    card("Source").child(facts([
        ("Came by", Some(via(source.via).to_owned())),
        ("Page", source.page_url.clone()),
        ("Page before", source.referrer.clone()),
        ("Campaign", Some(campaign.join(" / ")).filter(|text| !text.is_empty())),
        ("First touch", view.lead.first_touch_at.map(|at| view.hours.full(at))),
    ]))
}

fn consent(view: &LeadView<'_>) -> Node {
    let consent = &view.lead.consent;
    let state = if consent.given { pill("pill ok", "May call and text") } else { pill("pill warn", "Was not given") };
    card("Consent")
        .child(p("").child(state))
        .child(Node::classed("blockquote", "said").text(consent.text.clone()))
        .child(facts([("When", Some(view.hours.full(consent.at))), ("Network address", consent.ip.clone())]))
        .child(p("").child(link(
            format!("/portal/leads/{}/consent?data={}", view.lead.id, view.environment.as_str()),
            "Certificate",
        )))
}

fn elsewhere(view: &LeadView<'_>) -> Option<Node> {
    let records = &view.lead.records;
    let row = |record: &shingle_domain::lead::ExternalRecord| {
        let said = format!("{}, {}", record.system, record.id);
        match record.link.as_deref().filter(|link| link.starts_with("https://")) {
            Some(href) => el("li").child(link(href.to_owned(), said).set("rel", "noreferrer noopener")),
            None => el("li").text(said),
        }
    };
    (!records.is_empty()).then(|| card("In other systems").child(el("ul").children(records.iter().map(row))))
}

fn erase(view: &LeadView<'_>) -> Node {
    let typed = div("field")
        .child(el("label").set("for", "reference").text(format!("To erase it, type {}", view.reference)))
        .child(
            el("input")
                .set("id", "reference")
                .set("name", "reference")
                .set("class", "in")
                .set("type", "text")
                .set("autocomplete", "off"),
        );
    card("Erase")
        .child(soft("Removes name, contact, message and photographs here. What other systems got stays there. It cannot be undone."))
        .child(form(view, "erase").child(typed).child(button("btn bad", "Erase this lead")))
}
