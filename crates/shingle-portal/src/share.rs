//! A widget's links and codes, a test on the live site, and whether the site shows it.

use shingle_domain::check::{Finding, Level, SiteCheck, Verdict};
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::message::Message;
use shingle_domain::widget::WidgetRecord;
use shingle_domain::{Language, Role, Timestamp};
use shingle_widget::ssr::{Node, document, meta};
use shingle_widget::view::Markup;
use shingle_widget::words::flow_words;

use crate::catalog::say;
use crate::element::{Tone, button, card, div, el, link, note, p, pill, post, soft};
use crate::frame::Signed;
use crate::phrase::{phrase, translated};
use crate::time::Hours;

/// Links of a widget, and the codes for the site and for the hosted page.
#[derive(Debug, Clone)]
pub struct ShareView {
    pub hosted: String,
    pub redirect: String,
    pub codes: [String; 2],
    /// The site with the widget in test mode, and the hosted page.
    pub tests: [String; 2],
    /// Whether the PDF of an estimate shows the company's name: its font has every letter of it.
    pub prints_name: bool,
}

pub(crate) fn sharing(path: &str, view: &ShareView) -> Node {
    let [site, hosted] = &view.codes;
    let code = |title: &'static str, [png, svg]: [&'static str; 2], path: &str, says: &'static str| {
        let vector = path.replace(".png", ".svg");
        let picture = el("img").set("src", path.to_owned()).set("alt", title).set("width", "120").set("height", "120");
        let file = |to: String, label: &'static str, text: &'static str| {
            link(to, text).set("download", "").set("class", "btn").set("aria-label", label)
        };
        let files = div("pair").child(file(path.to_owned(), png, "PNG")).child(file(vector, svg, "SVG"));
        div("code2").child(picture).child(div("who2").child(el("b").text(title)).child(soft(says)).child(files))
    };
    card("Links and codes")
        .child(shown("hosted", "Link to your page", &view.hosted))
        .child(shown("redirect", "Link to your site, with the estimate open", &view.redirect))
        .child(code(
            "Code for your page",
            ["Code for your page, PNG", "Code for your page, SVG for print"],
            hosted,
            "Nothing to install: it opens your page here.",
        ))
        .child(code(
            "Code for your site",
            ["Code for your site, PNG", "Code for your site, SVG for print"],
            site,
            "It opens your site with the estimate, once the script is there.",
        ))
        .child(
            p("").child(
                link(format!("{path}/sheet"), "A sheet to print: yard sign, van, flyer")
                    .set("target", "_blank")
                    .set("rel", "noopener"),
            ),
        )
        .children((!view.prints_name).then(|| soft(UNPRINTED_NAME)))
}

const UNPRINTED_NAME: &str =
    "The PDF of an estimate shows your website instead of your company name: its font lacks some of the letters.";

pub(crate) fn shown(id: &'static str, label: &'static str, text: &str) -> Node {
    let field = el("input")
        .set("id", id)
        .set("class", "in mono")
        .set("type", "text")
        .set("readonly", "")
        .set("value", text.to_owned());
    let copy = el("button").set("type", "button").set("class", "btn").set("hidden", "").set("data-copy", id);
    div("field").child(el("label").set("for", id).text(label)).child(field).child(copy.text("Copy"))
}

pub(crate) fn test_mode(view: &ShareView) -> Node {
    let [site, hosted] = &view.tests;
    let to = |href: &str, text: &'static str| {
        link(href.to_owned(), text).set("class", "btn").set("target", "_blank").set("rel", "noopener")
    };
    card("Try it without creating a lead")
        .child(soft(
            "These links open the published widget for one day, just for you. What you send from that tab is test data and isn’t billed.",
        ))
        .child(div("pair").child(to(site, "Test on your site")).child(to(hosted, "Test on your page")))
        .child(p("").child(link("/portal/leads?data=sandbox", "Show test data")))
}

/// Whether the site shows the widget.
pub struct SiteCheckView<'c> {
    pub address: &'c str,
    pub outcome: Option<Result<&'c SiteCheck, &'c str>>,
    /// Host and time, the newest first.
    pub seen: &'c [(String, Timestamp)],
    /// Earlier looks: when, at what, and what was found.
    pub looks: &'c [(Timestamp, String, Verdict)],
    pub hours: &'c Hours,
}

fn verdict(verdict: Verdict) -> (Tone, &'static str) {
    match verdict {
        Verdict::Shown => (Tone::Well, "Found. Visitors of this page see it."),
        Verdict::Limited => (Tone::Look, "Found. Something keeps visitors from having all of it."),
        Verdict::Unclear => (Tone::Look, "We can’t tell from here whether visitors see it."),
        Verdict::Hidden => (Tone::Wrong, "Visitors can’t see it yet."),
    }
}

fn finding(signed: &Signed<'_>, finding: &Finding) -> Node {
    let language = signed.language;
    let (class, word) = match finding.level {
        Level::Fine => ("pill ok", "OK"),
        Level::Note => ("pill", "Good to know"),
        Level::Limits => ("pill warn", "Limits it"),
        Level::Unclear => ("pill warn", "Unclear"),
        Level::Stops => ("pill bad", "Problem"),
    };
    let said = |node: Node, text: Option<&Message>| text.map(|text| node.text(say(language, text)));
    let code = |line: &String| Node::classed("pre", "mono").set("tabindex", "0").text(line.clone());
    // A server setting is for its operator.
    let todo = match finding.is_for_operator && signed.role < Role::Operator {
        true => Some(p(
            "Ask your administrator: the address of this server must start with https:// and be on the internet.",
        )),
        false => said(el("p"), finding.todo.as_ref()),
    };
    let about = div("who2")
        .children(said(el("b"), Some(&finding.title)))
        .children(said(Node::classed("p", "soft"), finding.text.as_ref()))
        .children(todo)
        .children(finding.code.iter().map(code));
    el("li").child(pill(class, word)).child(about)
}

pub(crate) fn site_check(signed: &Signed<'_>, path: &str, view: &SiteCheckView<'_>) -> Node {
    let language = signed.language;
    let mut card = card("Is it installed?").set("id", "there");
    card = card.children(view.seen.iter().take(5).map(|(host, at)| {
        let ago = view.hours.ago(*at);
        note(Tone::Well, phrase(language, "Last seen on {host} {ago}.", &[("host", host), ("ago", &ago)]))
    }));
    if view.seen.is_empty() {
        card = card.child(soft("No page has loaded it yet. Open your site once, then look here again."));
    }
    let field = el("input")
        .set("id", "address")
        .set("name", "address")
        .set("class", "in")
        .set("type", "text")
        .set("inputmode", "url")
        .set("autocomplete", "url")
        .set("value", view.address.to_owned());
    card = card.child(
        post(format!("{path}/check#there"))
            .child(div("field").child(el("label").set("for", "address").text("Page to check")).child(field))
            .child(div("pair").child(button("btn", "Check my site"))),
    );
    match view.outcome {
        None => {}
        Some(Err(said)) => card = card.child(note(Tone::Wrong, said.to_owned())),
        Some(Ok(check)) => {
            let (tone, said) = verdict(check.verdict);
            let mut findings: Vec<&Finding> = check.findings.iter().collect();
            findings.cold_sort_by_key(|finding| core::cmp::Reverse(finding.level));
            let findings =
                Node::classed("ul", "rows").children(findings.into_iter().map(|found| finding(signed, found)));
            card = card.child(note(tone, said)).child(soft(check.url.clone())).child(findings);
        }
    }
    if !view.looks.is_empty() {
        let look = |(at, page, found): &(Timestamp, String, Verdict)| {
            let (_, said) = verdict(*found);
            el("li").child(div("who2").child(el("b").text(said)).child(soft(page.clone()))).child(view.hours.aged(*at))
        };
        card = card.child(
            el("details")
                .child(el("summary").text("Earlier checks"))
                .child(Node::classed("ul", "rows").children(view.looks.iter().map(look))),
        );
    }
    card
}

/// Wider than a phone, so it scrolls there, also by keyboard.
fn rolled(label: &'static str) -> Node {
    Node::classed("section", "sheet").set("tabindex", "0").set("aria-label", label)
}

/// The codes as they are printed: cut out, or sent to a sign maker.
pub fn sheet_page(language: Language, path: &str, record: &WidgetRecord, codes: &[String; 2], logo: &str) -> String {
    let code = codes[1].replace(".png", ".svg");
    let picture =
        |class: &'static str| Node::classed("img", class).set("src", code.clone()).set("alt", "Code for your page");
    let words = || {
        div("sign-words")
            .child(Node::classed("p", "sign-title").text(record.first_page_title.clone()))
            .child(Node::classed("p", "sign-name").text(record.company_name.clone()))
            .child(Node::classed("p", "sign-name").text(record.company_phone.as_str().to_owned()))
    };
    let logo = || Node::classed("img", "sign-logo").set("src", logo.to_owned()).set("alt", "");
    let sign = |class: &'static str, size: &'static str, label: &'static str| {
        let sign = Node::classed("div", class).child(logo()).child(words()).child(picture("sign-code"));
        rolled(label)
            .child(Node::classed("h2", "not-printed").text(label))
            .child(soft(size).set("class", "not-printed soft"))
            .child(sign)
    };
    let cards = div("sign cards").children((0..8).map(|_| div("sign-card").child(words()).child(picture("sign-code"))));
    let print = el("button")
        .set("type", "button")
        .set("class", "btn ink not-printed")
        .set("hidden", "")
        .set("data-print", "")
        .text("Print");
    let main = el("main").set("class", "sheets").set("id", "main").children([
        el("h1").set("class", "not-printed").text("To print"),
        el("p").set("class", "not-printed").child(link(path.to_owned(), "Back to the widget")),
        soft("Each one has its own page: print the one you need. The code opens your page, with no app or account.")
            .set("class", "not-printed soft"),
        print,
        sign("sign yard", "7 by 10 inches. A phone reads the code from 6 feet.", "Yard sign, poster"),
        sign("sign van", "10 by 5 inches. For a magnet on a van or a banner.", "Van"),
        rolled("Cards to cut and hand out")
            .child(Node::classed("h2", "not-printed").text("Cards to cut and hand out"))
            .child(cards),
    ]);
    let head = el("head").children([
        el("meta").set("charset", "utf-8"),
        meta("viewport", "width=device-width, initial-scale=1"),
        meta("robots", "noindex"),
        el("title").text(format!("{} · Shingle", record.company_name)),
        el("link").set("rel", "stylesheet").set("href", "/portal/portal.css"),
        el("link").set("rel", "icon").set("href", "/portal/icon.svg").set("type", "image/svg+xml"),
        el("script").set("src", "/portal/portal.js").set("defer", "").set("fetchpriority", "low"),
    ]);
    let html = el("html").set("lang", language.tag()).child(head).child(el("body").child(main));
    document(html.translated(&|english| translated(language, english)), flow_words(language))
}

/// A site of nobody, with the launcher on it.
pub fn stage_page(language: Language, script: &str, company: &str) -> String {
    let head = el("head").children([
        el("meta").set("charset", "utf-8"),
        meta("viewport", "width=device-width, initial-scale=1"),
        meta("robots", "noindex"),
        el("title").text(company.to_owned()),
        el("link").set("rel", "stylesheet").set("href", "/portal/portal.css"),
        el("link").set("rel", "icon").set("href", "/portal/icon.svg").set("type", "image/svg+xml"),
    ]);
    let line = |class: &'static str| Node::classed("p", class);
    let main = Node::classed("main", "mock")
        .child(Node::classed("p", "mock-name").text(company.to_owned()))
        .child(line("mock-hero"))
        .children(["mock-line", "mock-line", "mock-line short", "mock-line", "mock-line short"].map(line));
    let script = el("script").set("async", "").set("src", script.to_owned());
    let html = el("html")
        .set("lang", language.tag())
        .child(head)
        .child(Node::classed("body", "mocked").child(main).child(script));
    document(html, flow_words(language))
}
