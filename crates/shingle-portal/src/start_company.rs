//! The first run's company: its site, or four answers, and what becomes a widget.

use shingle_domain::Language;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{
    Field, Tone, Under, button, card, color_input, copied, div, el, hidden, labelled, link, note, once, post, soft,
};
use crate::first_run::{StartStep, back, go, step};
use crate::frame::Signed;
use crate::logo_field::{logo_hint, logo_input, undrawn};
use crate::phrase::{phrase, translated};
use crate::widget_fields::{COMPANY, LOGOS, WidgetFormValues};
use crate::widgets::wrong_notes;

pub struct SiteView<'v> {
    pub website: &'v str,
    pub wrong: Option<(&'static str, &'static str)>,
}

/// Two ways of the same rank.
pub fn start_site_page(signed: &Signed<'_>, view: &SiteView<'_>) -> String {
    let wrong = view.wrong.filter(|(field, _)| *field == "website").map(|(_, said)| said);
    let website = Field {
        label: "Website",
        name: "website",
        kind: "url",
        autocomplete: "url",
        value: view.website,
        hint: Some("No need for https:// or www."),
        wrong,
    };
    let form = post("/portal/start/site")
        .set("novalidate", "")
        .child(website.node())
        .child(div("pair").child(button("btn ink", "Read my site")));
    let without = card("I don’t have a website")
        .child(soft("You get a page of your own, with a link and a QR code for cards, trucks and yard signs."))
        .child(div("pair").child(link("/portal/start?step=2&site=none", "Set up without one").set("class", "btn")));
    let inside = vec![
        soft("We’ll read your home page once and draft a widget from it. We don’t change your site."),
        div("card").child(form),
        without,
    ];
    step(signed, Some(StartStep::Company), "Where’s your website?", inside)
}

/// How the values came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteReading<'v> {
    /// From the page of this host.
    Read(&'v str),
    /// The page could not be read, and why.
    Failed(&'v str),
    /// The company has no site.
    None,
}

/// What a page said, to take or to change.
pub struct ReadView<'v> {
    pub values: &'v WidgetFormValues,
    pub reading: SiteReading<'v>,
    /// Names of rows that are checked.
    pub ticked: &'v [String],
    /// The stored logo: `logos/….png`.
    pub logo: Option<&'v str>,
    /// An SVG that a browser can draw: it is likelier to be the logo.
    pub drawing: Option<&'v str>,
    /// The setting that lets this server read the site, for the operator.
    pub opening: Option<&'v str>,
    pub color: &'v str,
    /// For what is not the main button, where the site has another color.
    pub second_color: Option<&'v str>,
    /// Names of what came from the page.
    pub found: &'v [String],
    /// A logo was chosen that could not be used, and a page cannot give it back.
    pub logo_wrong: Option<&'v str>,
}

pub fn start_read_page(signed: &Signed<'_>, view: &ReadView<'_>) -> String {
    let host = match view.reading {
        SiteReading::Read(host) => Some(host),
        _ => None,
    };
    let source = |name: &str| {
        let host = host.filter(|_| view.found.iter().any(|found| found == name));
        host.map(|host| Node::classed("p", "hint").text(phrase(signed.language, "From {host}", &[("host", host)])))
    };
    let [name, phone, email, address, _, privacy] = COMPANY;
    let needed =
        [name, phone, email].map(|field| div("fact").child(field.node(view.values)).children(source(field.name)));
    let row = |name: &'static str, of: &'static str, inside: Node| {
        let box_ = host.map(|_| include(signed, view.ticked, name, of));
        div("fact").children(box_).child(inside).children(source(name))
    };
    let color = labelled("Main color", "primaryColor", color_input("primaryColor", view.color), None);
    // Where the drawing is all that was found, the script says so.
    let drawn = host.filter(|_| view.drawing.is_some() && view.logo.is_none()).map(|host| {
        let from = phrase(signed.language, "From {host}", &[("host", host)]);
        Node::classed("p", "hint").set("data-drawn", "").set("hidden", "").text(from)
    });
    let form = post("/portal/start/widget")
        .set("id", "company")
        .set("novalidate", "")
        .set("enctype", "multipart/form-data")
        .child(once(signed))
        .child(hidden("companyUrl", view.values.get("companyUrl").to_owned()))
        .child(hidden("logo", view.logo.unwrap_or_default().to_owned()))
        .child(hidden("reading", if host.is_some() { "read" } else { "typed" }))
        .children(needed)
        .child(row(address.name, address.label, address.node(view.values)))
        .child(row("logo", "Logo", logo(signed.language, view)).children(drawn))
        .child(row("primaryColor", "Main color", color))
        .children(view.second_color.map(|second| {
            let second = color_input("secondaryColor", second);
            row("secondaryColor", "Second color", labelled("Second color", "secondaryColor", second, None))
        }));
    let form = match view.reading {
        SiteReading::None => form,
        _ => form.child(row(privacy.name, privacy.label, privacy.node(view.values))),
    };
    let title = match view.reading {
        SiteReading::Read(_) => "Is this right?",
        SiteReading::Failed(_) => "We couldn’t read your site",
        SiteReading::None => "Your company",
    };
    let mut inside = Vec::new();
    match view.reading {
        SiteReading::Read(_) => inside.push(soft(
            "Checked rows go into your page. Uncheck what you don’t want. Only name, phone and email are needed.",
        )),
        SiteReading::Failed(why) => {
            inside.push(note(Tone::Look, why.to_owned()));
            inside.extend(view.opening.map(opening));
        }
        SiteReading::None => inside.push(soft("Homeowners see this on your page. You can add a website later.")),
    }
    inside.extend(wrong_notes(view.values));
    inside.push(Node::classed("section", "card").set("aria-label", title).child(form));
    if view.values.get(privacy.name).is_empty() {
        inside.push(soft(
            "No privacy page? We make one with your company’s name. It says what happens to homeowners’ details, and you \
             can change it.",
        ));
    }
    let on = button("btn ink", "Continue").set("form", "company");
    inside.push(go([back("/portal/start?step=2"), on]));
    step(signed, Some(StartStep::Company), title, inside)
}

/// What an operator can do, in a place that no stolen session reaches.
fn opening(line: &str) -> Node {
    let text = el("p").child(Node::classed("code", "mono").set("id", "opening").text(line.to_owned()));
    card("To let this server read the site")
        .child(soft("Add this line to shingle.toml on the server, restart it, and read the site again:"))
        .child(text)
        .child(soft("It opens these addresses for everything this server fetches, webhooks too. Take the line out after a test."))
        .child(div("pair").child(copied("opening")))
}

/// The box before a row. Each is called by what it is for.
fn include(signed: &Signed<'_>, ticked: &[String], name: &'static str, of: &'static str) -> Node {
    let named = format!("{}: {}", translated(signed.language, "Include"), translated(signed.language, of));
    let id = format!("use-{name}");
    let input = el("input")
        .set("type", "checkbox")
        .set("name", id.clone())
        .set("value", "on")
        .set("id", id.clone())
        .set("aria-label", named);
    let input = if ticked.iter().any(|ticked| ticked == name) { input.set("checked", "") } else { input };
    Node::classed("label", "tick").set("for", id).child(input).child(el("span").text("Include"))
}

fn logo(language: Language, view: &ReadView<'_>) -> Node {
    let [field, _] = LOGOS;
    let picture = el("img").set("alt", "Your logo").set("height", "48");
    let around = Node::classed("p", "logo");
    let picture = match (view.logo, view.drawing) {
        (Some(path), _) => Some(around.child(picture.set("src", format!("/storage/{path}")))),
        // The script shows it.
        (None, Some(_)) => Some(around.set("hidden", "").child(picture)),
        (None, None) => None,
    };
    let input = logo_input(field.name)
        .set("data-max", "1048576")
        .set("data-large", phrase(language, "This picture is larger than 1 MB. Choose a smaller one.", &[]));
    let input = match view.drawing {
        Some(drawing) => input.set("data-svg", drawing.to_owned()),
        None => input,
    };
    let under = match view.logo_wrong {
        Some(wrong) => Under::Wrong(wrong.to_owned().into()),
        None => Under::Hint(logo_hint(Some("No logo? We’ll show a simple roof icon."))),
    };
    let label = if view.logo.is_some() { "Another logo" } else { "Logo" };
    labelled(label, field.name, input, Some(under)).child(undrawn()).children(picture)
}
