//! One lead: what to do first, then the details.

use shingle_domain::Language;
use shingle_domain::aerial::AerialPhoto;
use shingle_domain::lead::{ExternalRecord, Lead, LeadChannel, LeadStatus, Same};
use shingle_domain::loss::Loss;
use shingle_domain::materials::Need;
use shingle_domain::public::ShownStep;
use shingle_domain::quote::{Quote, QuoteStanding};
use shingle_domain::{Environment, Usd};
use shingle_store::{KnownTag, LeadFile, MergedLead};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::view::photo::date as photo_date;
use shingle_widget::words::{dollars, flow_words};

use crate::appointment::{AppointmentCard, AppointmentView};
use crate::connection_form::{field, input};
use crate::days::date_and_time;
use crate::element::{Tone, button, card, div, el, hidden, link, note, p, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::inbox_choices::{options, status_in_words};
use crate::inbox_view::{full_name, lead_path, status_pill, statuses};
use crate::lead_answers::answers;
use crate::lead_beside::{OpenedFrom, beside};
use crate::lead_conflict::{Conflict, conflict_card};
use crate::lead_contact::{AgreedFor, contact};
use crate::lead_estimate::{estimate, facts};
use crate::lead_files::files;
use crate::lead_materials::materials;
use crate::lead_merge::{merge_path, merged};
use crate::lead_notes::notes;
use crate::lead_outcome::Outcome;
use crate::lead_reply::{ReplyView, reply};
use crate::lead_tags::tags;
use crate::lead_timeline::Timeline;
use crate::lead_work::{WorkView, assignees, next_step, saved_at_once};
use crate::phrase::{phrase, translated};
use crate::quote::quotes_card;
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
    /// Width and height of the drawing's picture, where there is one.
    pub drawing: Option<(u32, u32)>,
    /// The photograph from the air under it.
    pub photo: Option<&'v AerialPhoto>,
    /// What the homeowner was shown.
    pub shown: Option<&'v ShownStep>,
    /// What to order for the roof; empty where nobody measured it.
    pub materials: &'v [Need],
    /// What a won lead was worth.
    pub worth: Option<Usd>,
    /// Why a lost lead was lost.
    pub loss: Option<Loss>,
    pub reply: ReplyView<'v>,
    pub tags: &'v [KnownTag],
    /// Those in use on any lead.
    pub known_tags: &'v [KnownTag],
    /// What the homeowner agreed for, where it is not the lead's any more.
    pub agreed_for: Option<AgreedFor>,
    /// Other leads of the person or the home, the newest first.
    pub linked: &'v [(Lead, Same)],
    /// Those that were merged into it, the last first.
    pub merged: &'v [MergedLead],
    /// Files that the company keeps with it.
    pub files: &'v [LeadFile],
    /// Those of merged leads too, the newest first.
    pub quotes: &'v [(Quote, QuoteStanding)],
    /// Whose inspection is shown: its own, or that of a lead that was merged into it.
    pub inspected: &'v Lead,
    /// What somebody else changed meanwhile.
    pub conflict: Option<Conflict<'v>>,
    /// Whether this user tried to take it and was too late.
    pub too_late: bool,
    pub from: OpenedFrom<'v>,
    pub only_deliveries: bool,
    pub appointment: AppointmentView<'v>,
}

pub fn lead_page(signed: &Signed<'_>, view: &LeadView<'_>) -> String {
    let lead = view.lead;
    let name = full_name(signed.language, lead);
    let about = Node::classed("p", "about soft")
        .child(el("span").text(format!("{} · ", lead.address)))
        .children(
            lead.email.as_ref().map(|email| link(format!("mailto:{}", email.as_str()), email.as_str().to_owned())),
        )
        .child(el("span").text(format!("{}{} · ", if lead.email.is_some() { " · " } else { "" }, view.reference)))
        .child(view.hours.aged(lead.created_at));
    let act = |action: &str| form(view, action);
    let timeline = Timeline {
        agreed_before: view.agreed_for.is_some(),
        lead,
        list: view.from.list,
        entries: view.work.entries,
        deliveries: view.work.deliveries,
        hours: view.hours,
        came: channel_in_words,
        only_deliveries: view.only_deliveries,
        merged: view.merged,
    };
    let known = div("column known")
        .children(answers(signed.language, lead))
        .child(estimate(signed, view.lead, view.shown, drawing(signed.language, view, &act), view.sheet.as_deref()))
        .children(materials(signed.language, view.materials))
        .children(photos(signed.language, view))
        .child(contact(signed.language, lead, view.agreed_for.as_ref(), view.work.typed, &act));
    let inspection = AppointmentCard {
        view: &view.appointment,
        lead: view.inspected,
        people: view.work.people,
        typed: view.work.typed,
        language: signed.language,
        spoken: language_in_words(lead.source.language),
        of_tests: of_tests(view.environment),
    };
    let to_do = div("column to-do")
        .child(inspection.node(&|action: &str| form_of(view, view.inspected, action)))
        .child(next_step(&view.work, &act))
        .child(quotes_card(signed.language, lead, view.environment, view.quotes))
        .child(reply(
            signed.language,
            lead.first_name.trim(),
            (&view.reply, view.work.typed),
            (&format!("/portal/leads/{}", lead.id), view.environment, view.from.list.named()),
            &act,
        ))
        .child(notes(&view.work, view.hours, &act))
        .child(files(signed, (view.files, &view.work), (lead.id, view.environment), view.hours, &act))
        .child(tags(signed.language, view.tags, view.known_tags, view.work.typed, &act))
        .children(linked(signed, view))
        .children(merged(signed, view.merged, view.environment, view.hours))
        .child(source(view));
    let happened = div("column happened")
        .child(timeline.card(signed, &act))
        .child(consent(signed.language, view))
        .children(elsewhere(view))
        .child(erase(signed, view));
    let mut inside = vec![beside(signed, &view.from), about];
    if let Some(problem) = &lead.email_problem {
        let said = phrase(
            signed.language,
            "Your email to the homeowner bounced: {reply} Call instead.",
            &[("reply", problem)],
        );
        inside.push(note(Tone::Wrong, said));
    }
    inside.extend(
        view.conflict.as_ref().map(|conflict| conflict_card(signed, conflict, &view.from.list.lead_at(lead.id), &act)),
    );
    inside.push(status_and_assignee(signed, view));
    inside.push(what_to_do(signed, view));
    let outcome = Outcome { lead, worth: view.worth, loss: view.loss.as_ref(), typed: view.work.typed };
    inside.push(outcome.node(&act));
    inside.push(div("blocks").children([known, to_do, happened]));
    inside.extend(pinned(signed, lead));
    let test = (view.environment == Environment::Sandbox).then(|| pill("pill", "Test lead"));
    let marks = test.into_iter().chain([status_pill(lead.status).set("id", "status-now")]).collect();
    shell(signed, Place::Leads, name, marks, inside)
}

/// In the address too: it leads back to this lead.
fn of_tests(environment: Environment) -> &'static str {
    match environment {
        Environment::Production => "",
        Environment::Sandbox => "?data=sandbox",
    }
}

/// Where a form of this lead goes.
fn form(view: &LeadView<'_>, action: &str) -> Node {
    form_of(view, view.lead, action)
}

fn form_of(view: &LeadView<'_>, lead: &Lead, action: &str) -> Node {
    post(format!("/portal/leads/{}/{action}{}", lead.id, of_tests(view.environment)))
        .child(hidden("data", view.environment.as_str()))
        .children(view.from.list.named().map(|list| hidden("list", list)))
}

fn directions(lead: &Lead) -> Node {
    let to = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("api", "1")
        .append_pair("destination", &lead.address)
        .finish();
    link(format!("https://www.google.com/maps/dir/?{to}"), "Directions")
        .set("class", "btn")
        .set("rel", "noreferrer noopener")
        .set("target", "_blank")
}

fn what_to_do(signed: &Signed<'_>, view: &LeadView<'_>) -> Node {
    let lead = view.lead;
    let taken = match &lead.taken_by {
        None => div("now").child(form(view, "take").child(button("btn ink", "I’m on it"))).child(
            match &view.work.work.assignee {
                Some((_, name)) => {
                    soft(phrase(signed.language, "Assigned to {name}, who hasn’t started yet.", &[("name", name)]))
                }
                None => soft("Nobody is on it yet."),
            },
        ),
        Some(name) if view.too_late => {
            let said = phrase(signed.language, "{name} got to it first.", &[("name", name)]);
            div("now").child(note(Tone::Look, said))
        }
        // Given back, or its owner has left the company.
        Some(name) if view.work.work.assignee.is_none() => {
            div("now").child(p(phrase(signed.language, "{name} took it. It’s unassigned now.", &[("name", name)])))
        }
        Some(name) => div("now").child(p(phrase(signed.language, "{name} is on it.", &[("name", name)]))),
    };
    let email = lead.email.as_ref();
    let email = email.map(|email| link(format!("mailto:{}", email.as_str()), "Email").set("class", "btn"));
    let ways = match &lead.phone {
        // A phone has these under the thumb.
        Some(phone) => {
            let class = if lead.taken_by.is_some() { "btn ink" } else { "btn" };
            let call = phrase(signed.language, "Call {number}", &[("number", phone.as_str())]);
            let wide = div("ways only-wide").children([
                link(format!("tel:{}", phone.dialled()), call).set("class", class),
                link(format!("sms:{}", phone.dialled()), "Message").set("class", "btn"),
                directions(lead),
            ]);
            div("ways").child(wide).children(email)
        }
        None => div("ways").children(email).child(directions(lead)),
    };
    Node::classed("section", "card do").set("id", "to-take").set("aria-label", "What to do").children([taken, ways])
}

fn status_and_assignee(signed: &Signed<'_>, view: &LeadView<'_>) -> Node {
    let status = view.lead.status.as_str();
    let page = view.from.list.lead_at(view.lead.id);
    let save = |action, label, choice| saved_at_once(form(view, action), signed.language, &page, label, choice);
    let (people, own) = assignees(&view.work);
    let both = div("pair")
        .child(save("status", "Status", options("status", statuses(), status)).child(hidden("seen", status)))
        .child(save("assign", "Assignee", people).child(hidden("seen", own)));
    Node::classed("section", "card controls").set("aria-label", "Status and assignee").child(both)
}

/// What stays under the thumb on a phone.
fn pinned(signed: &Signed<'_>, lead: &Lead) -> Option<Node> {
    let phone = lead.phone.as_ref()?;
    let name = if lead.first_name.is_empty() { phone.as_str() } else { &lead.first_name };
    let call = phrase(signed.language, "Call {number}", &[("number", name)]);
    let bar = Node::classed("nav", "pinned only-narrow").set("aria-label", "Contact the homeowner");
    Some(bar.children([
        directions(lead),
        link(format!("sms:{}", phone.dialled()), "Message").set("class", "btn"),
        link(format!("tel:{}", phone.dialled()), call).set("class", "btn ink"),
    ]))
}

/// "Photo from the air: USDA, public domain, July 2023, moved 1 ft east and 3 ft south to fit."
fn photo_source(language: Language, of: &AerialPhoto) -> String {
    let date = photo_date(flow_words(language), of.taken);
    let [east, north] = of.moved.map(|tenths| (f64::from(tenths) / 10.0 / 0.3048).round() as i32);
    let with = [("credit", of.credit.as_str()), ("date", &date)];
    if east == 0 && north == 0 {
        return phrase(language, "Photo from the air: {credit}, {date}.", &with);
    }
    let part = |feet: i32, words: [&'static str; 2]| {
        let word = if feet < 0 { words[1] } else { words[0] };
        (feet != 0).then(|| phrase(language, word, &[("feet", &feet.abs().to_string())]))
    };
    let parts = [part(east, ["{feet} ft east", "{feet} ft west"]), part(north, ["{feet} ft north", "{feet} ft south"])];
    let moved = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let with = [with[0], with[1], ("moved", moved.as_str())];
    phrase(language, "Photo from the air: {credit}, {date}. Moved {moved} to fit the outline.", &with)
}

fn drawing(language: Language, view: &LeadView<'_>, act: &dyn Fn(&str) -> Node) -> Option<Node> {
    let (width, height) = view.drawing?;
    let path = format!("/portal/leads/{}/drawing.png?data={}", view.lead.id, view.environment.as_str());
    let alt =
        phrase(language, "The roof of {address} from above, with its lengths", &[("address", &view.lead.address)]);
    let dark = el("source").set("srcset", format!("{path}&on=dark")).set("media", "(prefers-color-scheme: dark)");
    let picture = Node::classed("img", "drawing").set("src", path).set("alt", alt).set("loading", "lazy");
    let picture = picture.set("width", width.to_string()).set("height", height.to_string());
    let picture = el("picture").child(dark).child(picture);
    let Some(photo) = view.photo else { return Some(picture) };
    let hide = act("hide-home").child(button("btn", "Never show this home in photos"));
    Some(div("aerial").child(picture).child(soft(photo_source(language, photo))).child(hide))
}

fn photos(language: Language, view: &LeadView<'_>) -> Option<Node> {
    let leads = [view.lead].into_iter().chain(view.merged.iter().map(|of| &of.lead));
    let asked = leads.filter_map(|lead| Some((lead.id, lead.inspection.as_ref()?)));
    let photos: Vec<_> = asked.flat_map(|(id, asked)| asked.photos.iter().map(move |photo| (id, photo))).collect();
    if photos.is_empty() {
        return None;
    }
    let photos = photos.into_iter().enumerate().map(|(n, (lead, photo))| {
        let path = format!("/portal/leads/{lead}/photos/{}?data={}", photo.id, view.environment.as_str());
        let alt = phrase(language, "Photo {number}", &[("number", &(n + 1).to_string())]);
        let image = el("img").set("src", path.clone()).set("loading", "lazy").set("alt", alt);
        let image = image.set("width", photo.width.to_string()).set("height", photo.height.to_string());
        el("li").child(el("a").set("href", path).child(image))
    });
    Some(card("Photos from the homeowner").child(Node::classed("ul", "photos").children(photos)))
}

fn linked(signed: &Signed<'_>, view: &LeadView<'_>) -> Option<Node> {
    if view.linked.is_empty() {
        return None;
    }
    let entries = view.linked.iter().map(|(lead, same)| {
        let said = match same {
            Same::Person => "Same email or phone.",
            Same::Home => "Same home, different email and phone.",
        };
        let name = format!("{}, {}", full_name(signed.language, lead), view.hours.age(lead.created_at));
        let status = translated(signed.language, status_in_words(lead.status));
        let price = lead.shown_price().map(|price| format!("{}, ", dollars(price.cost))).unwrap_or_default();
        div("who2")
            .child(link(lead_path(lead.id, view.environment), name))
            .child(
                Node::classed("span", "soft")
                    .child(el("span").text(said))
                    .child(el("span").text(format!(" {price}{status}"))),
            )
            .children(
                // What is held as spam is looked at first.
                (*same == Same::Person && [lead, view.lead].iter().all(|lead| lead.status != LeadStatus::Spam)).then(
                    || {
                        let name = phrase(
                            signed.language,
                            "Merge with {name}",
                            &[("name", &full_name(signed.language, lead))],
                        );
                        link(merge_path(view.from.list, view.lead, lead), "Merge")
                            .set("class", "btn")
                            .set("aria-label", name)
                    },
                ),
            )
    });
    Some(card("Linked leads").child(Node::classed("ul", "rows").children(entries.map(|entry| el("li").child(entry)))))
}

/// How a lead came.
pub fn channel_in_words(channel: LeadChannel) -> &'static str {
    match channel {
        LeadChannel::Embed => "Your site",
        LeadChannel::Hosted => "Hosted page",
        LeadChannel::Link => "Link",
        LeadChannel::Qr => "QR code",
        LeadChannel::Hand => "Added by hand",
        LeadChannel::Import => "From a file",
    }
}

pub fn language_in_words(language: Language) -> &'static str {
    match language {
        Language::English => "English",
        Language::Spanish => "Spanish",
    }
}

fn source(view: &LeadView<'_>) -> Node {
    let source = &view.lead.source;
    let campaign: Vec<&str> =
        [&source.utm_source, &source.utm_medium, &source.utm_campaign, &source.utm_term, &source.utm_content]
            .into_iter()
            .filter_map(|part| part.as_deref())
            .collect();
    let clicks: Vec<String> = source.click_ids().into_iter().map(|(name, _)| name).collect();
    let joined = |parts: String| Some(parts).filter(|text| !text.is_empty());
    card("Source")
        .child(
            Node::classed("p", "")
                .child(el("span").text("Source:"))
                .text(" ")
                .child(el("span").text(channel_in_words(source.via))),
        )
        .child(
            Node::classed("p", "")
                .child(el("span").text("Language:"))
                .text(" ")
                .child(el("span").text(language_in_words(source.language))),
        )
        .child(facts([
            ("Page", source.page_url.clone(), None),
            ("Previous page", source.referrer.clone(), None),
            ("Campaign", joined(campaign.join(" / ")), None),
            ("Ad click", joined(clicks.join(", ")), None),
            ("First response", view.lead.first_touch_at.map(|at| view.hours.full(at)), None),
        ]))
}

fn consent(language: Language, view: &LeadView<'_>) -> Node {
    let consent = &view.lead.consent;
    let state = match (&view.agreed_for, consent.given) {
        (Some(agreed), _) => soft(agreed.in_words(language)),
        (None, true) => p("").child(pill("pill ok", "May call and text")),
        (None, false) => p("").child(pill("pill warn", "Was not given")),
    };
    card("Consent")
        .child(state)
        .child(Node::classed("blockquote", "said").text(consent.text.clone()))
        .child(facts([
            ("When", Some(view.hours.full(consent.at)), None),
            ("Network address", consent.ip.clone(), None),
            ("Text", Some(consent.text_hash.chars().take(12).collect()), None),
        ]))
        .child(p("").child(link(
            format!("/portal/leads/{}/consent?data={}", view.lead.id, view.environment.as_str()),
            "Certificate",
        )))
}

fn elsewhere(view: &LeadView<'_>) -> Option<Node> {
    let records = &view.lead.records;
    let row = |record: &ExternalRecord| {
        let said = format!("{}, {}", record.system, record.id);
        match record.link.as_deref().filter(|link| link.starts_with("https://")) {
            Some(href) => el("li").child(link(href.to_owned(), said).set("rel", "noreferrer noopener")),
            None => el("li").text(said),
        }
    };
    (!records.is_empty()).then(|| card("In other systems").child(el("ul").children(records.iter().map(row))))
}

fn erase(signed: &Signed<'_>, view: &LeadView<'_>) -> Node {
    let label = phrase(signed.language, "To erase it, type {reference}", &[("reference", view.reference)]);
    let typed = view.work.typed;
    let input = input("text", typed.get("reference")).set("autocapitalize", "characters");
    let typed = field("reference".into(), label, input, None, typed.wrong("reference"));
    let mut card = card("Erase").child(soft(
        "Removes name, contact details, message, notes, photos and files here. Copies in other systems stay there. You can’t undo this.",
    ));
    if !view.merged.is_empty() {
        card = card.child(soft("The leads that were merged into this one are erased with it."));
    }
    for record in &view.lead.records {
        let with = [("system", record.system.as_str()), ("id", record.id.as_str())];
        card = card.child(soft(phrase(signed.language, "{system} keeps {id}; erase it there too.", &with)));
    }
    if let Some(now) = view.appointment.now.filter(|now| now.state.stands() && !view.appointment.is_begun) {
        let time = date_and_time(signed.language, now.time.date, now.time.time);
        let said = "An inspection is booked: {time}. Cancel it first, or it stays in both calendars.";
        card = card.child(note(Tone::Look, phrase(signed.language, said, &[("time", &time)])));
    }
    card.child(form(view, "erase").child(typed).child(button("btn bad", "Erase this lead")))
}
