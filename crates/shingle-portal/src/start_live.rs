//! The first run's second half: the live page, a test lead, and what comes after.

use shingle_domain::widget::WidgetRecord;
use shingle_domain::{Language, Role};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::squares;

use crate::area_loading::AreaLoadingView;
use crate::element::{Tone, button, card, copied, div, el, link, note, p, post, soft};
use crate::first_run::{StartStep, back, go, step_while};
use crate::frame::Signed;
use crate::install::ways;
use crate::phone::push_card;
use crate::phrase::{phrase, translated};
use crate::share::{SiteCheckView, site_check};
use crate::start_area::ExampleView;

/// The page that is live, and the ways to it.
pub struct LiveView<'v> {
    /// The area that is being loaded meanwhile.
    pub loading: Option<&'v AreaLoadingView>,
    pub record: &'v WidgetRecord,
    /// On this server.
    pub hosted_path: String,
    /// The code for it, on this server.
    pub code: String,
    /// `None`: the company has no site.
    pub check: Option<SiteCheckView<'v>>,
}

pub fn start_live_page(signed: &Signed<'_>, view: &LiveView<'_>) -> String {
    let change = format!("/portal/widgets/{}", view.record.reference_id);
    let frame = Node::classed("iframe", "preview")
        .set("src", view.hosted_path.clone())
        .set("title", "The estimate as a visitor sees it");
    let seen = card("What visitors see")
        .child(div("stage").child(frame))
        .child(div("pair").child(link(change, "Change it").set("class", "btn")));
    let mut inside = vec![soft(match view.check {
        Some(_) => "Your estimate page is live. Next, add it to your site.",
        None => "Send the link, or print the code. Nothing has to be installed.",
    })];
    inside.push(page_card(&view.record.hosted_page_link, &view.hosted_path, &view.code));
    if let Some(check) = &view.check {
        inside.push(site_card(signed.language, view.record));
        inside.push(site_check(signed, "/portal/start", check));
    }
    inside.push(seen);
    inside.push(go([back("/portal/start?step=4"), link("/portal/start?step=6", "Continue").set("class", "btn ink")]));
    step_while(signed, Some(StartStep::Live), view.loading, "Your estimate page is live", inside)
}

/// Open, copy, print.
fn page_card(address: &str, path: &str, code: &str) -> Node {
    let field = el("input")
        .set("id", "hosted")
        .set("class", "in mono")
        .set("type", "text")
        .set("readonly", "")
        .set("value", address.to_owned());
    let picture = el("img").set("src", code.to_owned()).set("alt", "Code for your page").set("width", "120");
    let open = link(path.to_owned(), "Open it").set("class", "btn").set("target", "_blank").set("rel", "noopener");
    let file = link(code.replace(".png", ".svg"), "Download the code").set("class", "btn").set("download", "");
    // As the server writes it when nobody has given it a name.
    let is_here_only = ["http://localhost", "http://127.", "http://[::1]"].iter().any(|own| address.starts_with(own));
    card("Your estimate page")
        .children(is_here_only.then(|| {
            note(
                Tone::Look,
                "Only this computer can open these addresses. Give the server a name and HTTPS before you print the code or paste the script.",
            )
        }))
        .children(is_here_only.then(|| p("").child(link("/manual/https", "How to do that"))))
        .child(div("field").child(el("label").set("for", "hosted").text("Link")).child(field))
        .child(div("pair").child(copied("hosted")).child(open))
        .child(div("code2").child(picture.set("height", "120")).child(div("pair").child(file)))
}

/// The line for the site, for its owner or for the person who looks after it.
fn site_card(language: Language, record: &WidgetRecord) -> Node {
    let script = el("textarea")
        .set("id", "script")
        .set("class", "in mono")
        .set("readonly", "")
        .set("rows", "4")
        .set("spellcheck", "false")
        .text(record.widget_script.clone());
    let copy = el("button").set("type", "button").set("class", "btn ink").set("hidden", "").set("data-copy", "script");
    let mail = link(mail_to_web_person(language, record), "Email it to my web person").set("class", "btn");
    card("Put it on your site")
        .child(div("field").child(el("label").set("for", "script").text("Copy this line into your site")).child(script))
        .child(div("pair").child(copy.text("Copy")).child(mail))
        .children(ways(&record.widget_script))
}

/// Opens a mail with the line in it.
fn mail_to_web_person(language: Language, record: &WidgetRecord) -> String {
    let site = record.company_url.host();
    let subject = phrase(language, "A line for {site}", &[("site", &site)]);
    let body = phrase(
        language,
        "Hi,\n\ncould you add this line before </body> on every page of {site}?\n\n{script}\n\nIt shows our roof estimate \
         button. In WordPress: the plugin WPCode, Code Snippets, Header \
         & Footer, box Footer. No account is needed.\n\nThank you\n",
        &[("site", &site), ("script", &record.widget_script)],
    );
    format!("mailto:?subject={}&body={}", percent(&subject), percent(&body.replace('\n', "\r\n")))
}

/// As mail programs read the parts of such a link: `+` is no space there.
fn percent(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

pub struct TestLeadView<'v> {
    /// The area that is being loaded meanwhile.
    pub loading: Option<&'v AreaLoadingView>,
    /// Of the widget: where notices go.
    pub company_email: &'v str,
    pub has_mail: bool,
    /// This user's devices that get notifications of leads.
    pub devices: usize,
    /// The home that asks.
    pub home: Option<&'v ExampleView>,
    /// It is one of the demo town.
    pub is_demo: bool,
}

pub fn start_lead_page(signed: &Signed<'_>, view: &TestLeadView<'_>) -> String {
    let language = signed.language;
    let Some(home) = view.home else {
        let none = note(
            Tone::Look,
            "No home here has a known roof, so there is nothing to test with. Ask the person who runs this server.",
        );
        let on = go([back("/portal/start?step=5"), link("/portal/start?step=done", "Skip").set("class", "btn ink")]);
        return step_while(
            signed,
            Some(StartStep::TestLead),
            view.loading,
            "Send yourself a test lead",
            vec![none, on],
        );
    };
    let squares = squares(i64::from(home.roof_area));
    let roof = phrase(language, "{squares} squares, {price}", &[("squares", &squares), ("price", &home.price)]);
    let person = div("who2")
        .child(el("b").text("Jordan Ellis"))
        .child(soft(home.address.clone()))
        .child(soft(roof))
        .child(soft("Leaks, wants it now. Prefers a text in the evening."));
    let town = view.is_demo.then(|| soft("The home is in Harrow Falls, our demo town. It is made up."));
    let mail = if view.has_mail {
        phrase(
            language,
            "An email goes to {email}. The lead page shows whether it was delivered.",
            &[("email", view.company_email)],
        )
    } else {
        translated(
            language,
            match signed.role {
                Role::Operator => "Email is not set up on this server, so no email goes out: leads wait in the inbox. The manual says how to set it up: /manual/mail",
                _ => "Email is not set up on this server, so no email goes out: leads wait in the inbox. Ask the person who runs it.",
            },
        )
        .to_owned()
    };
    let phone = match view.devices {
        0 => "No phone or computer gets lead alerts yet. You can turn them on in the next step.",
        _ => "Your devices with lead alerts show it: name, answers, street, price.",
    };
    let inside = vec![
        soft("It works just like a real lead. It is marked as a test, not counted and not billed."),
        card("Who asks").child(Node::classed("ul", "rows").child(el("li").child(person))).children(town),
        card("Where it shows up")
            .child(soft("In your inbox, under Test data."))
            .child(if view.has_mail { soft(mail) } else { note(Tone::Look, mail) })
            .child(soft(phone)),
        go([
            back("/portal/start?step=5"),
            link("/portal/start?step=done", "Skip").set("class", "btn"),
            post("/portal/start/test-lead").child(button("btn ink", "Send test lead")),
        ]),
    ];
    step_while(signed, Some(StartStep::TestLead), view.loading, "Send yourself a test lead", inside)
}

pub struct DoneView<'v> {
    /// The area that is being loaded meanwhile.
    pub loading: Option<&'v AreaLoadingView>,
    pub record: &'v WidgetRecord,
    pub hosted_path: String,
    pub code: String,
    /// The company has a site.
    pub has_site: bool,
    /// The demo town alone is there.
    pub is_demo: bool,
    /// Of the newest test lead.
    pub lead_path: Option<&'v str>,
    /// With which browsers subscribe; `None`: this installation cannot send.
    pub push_key: Option<&'v str>,
    /// Whether this browser gets alerts.
    pub is_on: bool,
}

pub fn start_done_page(signed: &Signed<'_>, view: &DoneView<'_>) -> String {
    let mut inside = Vec::new();
    if view.is_demo {
        inside.push(note(Tone::Look, "No addresses loaded yet: visitors can only ask you to call."));
        inside.push(div("pair").child(link("/portal/start?step=4", "Which homes get a price?").set("class", "btn")));
    }
    if let Some(path) = view.lead_path {
        inside.push(
            card("Test lead")
                .child(soft("It’s in your inbox, under Test data."))
                .child(div("pair").child(link(path.to_owned(), "Open it").set("class", "btn"))),
        );
    }
    inside.push(push_card(signed, view.push_key, view.is_on, "start"));
    inside.push(page_card(&view.record.hosted_page_link, &view.hosted_path, &view.code));
    if view.has_site {
        inside.push(site_card(signed.language, view.record));
    }
    inside.push(
        card("Invite a teammate")
            .child(soft("So that someone answers while you’re on a roof."))
            .child(div("pair").child(link("/portal/people", "Invite").set("class", "btn"))),
    );
    inside.push(go([
        link("/portal/start?step=6", "Send a test lead").set("class", "btn"),
        link("/portal/leads", "Go to my leads").set("class", "btn ink"),
    ]));
    step_while(signed, None, view.loading, "You’re ready for leads", inside)
}
