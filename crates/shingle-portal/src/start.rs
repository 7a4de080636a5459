//! The first ten minutes: the company, its site, a widget, the script, a lead to try it with.

use shingle_domain::Language;
use shingle_domain::widget::WidgetRecord;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{Field, Tone, button, card, div, el, hidden, link, note, once, p, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::install::ways;
use crate::phrase::{phrase, translated};
use crate::share::{SiteCheckView, site_check};
use crate::widget_fields::{COMPANY, WidgetFormValues};
use crate::widgets::wrong_notes;

/// A step of setting up. The signed-in user does the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StartStep {
    You,
    Site,
    Widget,
    OnSite,
    TestLead,
}

impl StartStep {
    const ALL: [Self; 5] = [Self::You, Self::Site, Self::Widget, Self::OnSite, Self::TestLead];

    fn title(self) -> &'static str {
        match self {
            Self::You => "You",
            Self::Site => "Your site",
            Self::Widget => "Your widget",
            Self::OnSite => "On your site",
            Self::TestLead => "Test lead",
        }
    }

    fn number(self) -> usize {
        self as usize + 1
    }

    /// From an address.
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().skip(1).find(|step| step.number().to_string() == text)
    }
}

fn steps(language: Language, now: StartStep) -> Node {
    let all = StartStep::ALL.into_iter().map(|step| {
        let item = el("li").text(step.title());
        match step {
            step if step == now => item.set("aria-current", "step"),
            step if step < now => item.set("class", "done"),
            _ => item,
        }
    });
    let number = now.number().to_string();
    let said = phrase(language, "Step {n} of {all}", &[("n", &number), ("all", "5")]);
    div("stepper").child(p(said)).child(el("ol").children(all))
}

fn step(signed: &Signed<'_>, now: StartStep, title: &'static str, inside: Vec<Node>) -> String {
    let later = link("/portal/leads", "Finish later");
    let mut all = vec![steps(signed.language, now)];
    all.extend(inside);
    shell(signed, Place::Widgets, title, vec![later], all)
}

fn back(to: &'static str) -> Node {
    link(to, "Back").set("class", "btn")
}

pub struct SiteView<'v> {
    pub company: &'v str,
    pub phone: &'v str,
    pub website: &'v str,
    pub wrong: Option<(&'static str, &'static str)>,
}

pub fn start_site_page(signed: &Signed<'_>, view: &SiteView<'_>) -> String {
    let wrong = |name: &str| view.wrong.filter(|(field, _)| *field == name).map(|(_, said)| said);
    let field = |label, name, kind, autocomplete, value, hint| {
        Field { label, name, kind, autocomplete, value, hint, wrong: wrong(name) }.node()
    };
    let form = post("/portal/start/site")
        .set("novalidate", "")
        .child(field("Company name", "company", "text", "organization", view.company, None))
        .child(field("Telephone", "phone", "tel", "tel", view.phone, Some("Empty: the one on your site.")))
        .child(field("Website", "website", "url", "url", view.website, None))
        .child(div("pair").child(button("btn ink", "Read my site")));
    let inside = vec![
        soft("Your front page is read once, and a widget is proposed from it. Nothing is changed there."),
        card("Your company").child(form),
    ];
    step(signed, StartStep::Site, "Your site", inside)
}

/// What a page said, to take or to change.
pub struct ReadView<'v> {
    pub values: &'v WidgetFormValues,
    /// Names of rows that are ticked.
    pub ticked: &'v [String],
    /// Host of the page; `None`: it could not be read.
    pub host: Option<&'v str>,
    /// The site's logo as we would show it.
    pub logo: Option<&'v str>,
    pub color: &'v str,
    /// Whether the page was asked for and did not answer.
    pub unread: bool,
    /// Names of what came from the page.
    pub found: &'v [String],
}

pub fn start_read_page(signed: &Signed<'_>, view: &ReadView<'_>) -> String {
    let is_ticked = |name: &str| view.ticked.iter().any(|ticked| ticked == name);
    let tick = |name: &'static str, of: &'static str| {
        // Each is called by what it is for.
        let named = format!("{}: {}", translated(signed.language, "Use it"), translated(signed.language, of));
        let id = format!("use-{name}");
        let input = el("input")
            .set("type", "checkbox")
            .set("name", "use")
            .set("value", name)
            .set("id", id.clone())
            .set("aria-label", named);
        let input = if is_ticked(name) { input.set("checked", "") } else { input };
        Node::classed("label", "tick").set("for", id).child(input).child(el("span").text("Use it"))
    };
    let source = |name: &str| {
        let host = view.host.filter(|_| view.found.iter().any(|found| found == name));
        host.map(|host| Node::classed("p", "hint").text(phrase(signed.language, "Read on {host}", &[("host", host)])))
    };
    let [name, phone, email, address, _, privacy] = COMPANY;
    let rows = [name, phone, email, address, privacy].map(|field| {
        div("fact").child(tick(field.name, field.label)).child(field.node(view.values)).children(source(field.name))
    });
    let color = el("input")
        .set("type", "color")
        .set("class", "in color")
        .set("id", "primaryColor")
        .set("name", "primaryColor")
        .set("value", view.color.to_owned());
    let color = div("field").child(el("label").set("for", "primaryColor").text("Main color")).child(color);
    let mut form = post("/portal/start/widget")
        .set("novalidate", "")
        .child(once(signed))
        .child(hidden("companyUrl", view.values.get("companyUrl").to_owned()))
        .children(rows)
        .child(div("fact").child(tick("primaryColor", "Main color")).child(color).children(source("primaryColor")));
    if let Some(logo) = view.logo {
        let picture = el("img").set("src", logo.to_owned()).set("alt", "The logo of your site").set("height", "48");
        form = form.child(
            div("fact")
                .child(tick("logo", "Logo"))
                .child(Node::classed("p", "logo").child(picture))
                .children(source("logo")),
        );
    }
    form = form.child(div("pair").child(back("/portal/start?step=2")).child(button("btn ink", "Use the ticked rows")));
    let mut inside = Vec::new();
    if view.unread {
        inside.push(note(
            Tone::Look,
            "Your website could not be read: its name was not found, it did not answer in time, or it turns away programs. Type \
             what is missing and go on.",
        ));
    }
    inside.extend(wrong_notes(view.values));
    inside.push(card("What was read").child(form));
    inside.push(soft("A row that is not ticked is left out. Without a logo, a plain roof is shown."));
    step(signed, StartStep::Site, "Your site", inside)
}

pub struct StartWidgetView<'v> {
    pub record: &'v WidgetRecord,
    pub hosted_path: String,
}

pub struct StartScriptView<'v> {
    pub record: &'v WidgetRecord,
    pub check: SiteCheckView<'v>,
}

pub fn start_widget_page(signed: &Signed<'_>, view: &StartWidgetView<'_>) -> String {
    let frame = Node::classed("iframe", "preview")
        .set("src", view.hosted_path.clone())
        .set("title", "The estimate as a visitor sees it");
    let change = format!("/portal/widgets/{}", view.record.reference_id);
    let inside = vec![
        card("What visitors see")
            .child(div("stage").child(frame))
            .child(soft("Your estimate page is live. Next, add it to your site.")),
        div("pair")
            .child(back("/portal/start?step=2"))
            .child(link(change, "Change it").set("class", "btn"))
            .child(link("/portal/start?step=4", "Continue").set("class", "btn ink")),
    ];
    step(signed, StartStep::Widget, "Your widget", inside)
}

pub fn start_script_page(signed: &Signed<'_>, view: &StartScriptView<'_>) -> String {
    let script = el("textarea")
        .set("id", "script")
        .set("class", "in mono")
        .set("readonly", "")
        .set("rows", "3")
        .set("spellcheck", "false")
        .text(view.record.widget_script.clone());
    let copy = el("button").set("type", "button").set("class", "btn ink").set("hidden", "").set("data-copy", "script");
    let put = card("Put it on your site")
        .child(div("field").child(el("label").set("for", "script").text("Copy this line into your site")).child(script))
        .child(div("pair").child(copy.text("Copy")))
        .children(ways(&view.record.widget_script));
    let check = site_check(signed, "/portal/start", &view.check);
    let on = div("pair")
        .child(back("/portal/start?step=3"))
        .child(link("/portal/start?step=5", "Continue").set("class", "btn ink"));
    step(signed, StartStep::OnSite, "Put it on your site", vec![put, check, on])
}

pub struct TestLeadView<'v> {
    /// Of the widget: where notices go.
    pub company_email: &'v str,
    pub has_mail: bool,
    /// This user's devices that get notifications of leads.
    pub devices: usize,
    /// Of the newest test lead.
    pub lead_path: Option<String>,
}

pub fn start_lead_page(signed: &Signed<'_>, view: &TestLeadView<'_>) -> String {
    let send = |text| post("/portal/start/test-lead").child(button("btn ink", text));
    let mut card = card("Test lead").child(soft(
        "A made-up homeowner at 14 Alder Court asks for a roof. The lead goes the whole way, like a real one, and is marked as test \
         data. It is not counted and not billed.",
    ));
    if let Some(path) = &view.lead_path {
        card = card.child(
            Node::classed("ul", "rows").child(
                el("li")
                    .child(div("who2").child(el("b").text("Inbox")).child(soft("It has arrived, among the test data.")))
                    .child(link(path.clone(), "Open it").set("class", "btn")),
            ),
        );
    }
    let mail = if view.has_mail {
        phrase(
            signed.language,
            "A mail about it goes to {email}. The lead’s page shows whether your mail server accepted it.",
            &[("email", view.company_email)],
        )
    } else {
        phrase(
            signed.language,
            "Mail is not set up on this server, so no mail goes out: leads wait in the inbox. Ask the person who runs it.",
            &[],
        )
    };
    let phone = match view.devices {
        0 => "None of your devices gets notifications of leads yet.",
        _ => "Your devices that are told show it: name, street, price.",
    };
    card = card.child(
        Node::classed("ul", "rows").child(
            el("li")
                .child(div("who2").child(el("b").text("Phone")).child(soft(phone)))
                .child(link("/portal/phone", "Choose devices").set("class", "btn")),
        ),
    );
    card = card.child(if view.has_mail { soft(mail) } else { note(Tone::Look, mail) });
    card = card.child(send(if view.lead_path.is_some() { "Send another" } else { "Send myself a test lead" }));
    let leads = link("/portal/leads", "Go to my leads").set("class", "btn");
    let on = div("pair").child(back("/portal/start?step=4")).child(leads);
    step(signed, StartStep::TestLead, "Send yourself a test lead", vec![card, on])
}
