//! `/w/{id}/check`: for a widget's owner, what is between the widget and the visitors of a site. A page
//! without any script, in the widget's colors.

use shingle_domain::Language;
use shingle_domain::check::{Finding, Level, SiteCheck, Verdict};
use shingle_domain::public::PublicWidget;

use super::minify::minify_css;
use super::node::Node;
use super::page::{document, favicon, meta};
use crate::view::Markup;
use crate::view::block::picture;
use crate::words::flow_words;

const STYLE: &str = include_str!("../../../../www/check.css");

/// The form, and what was found of the page that was asked for.
pub fn check_page(widget: &PublicWidget, address: &str, outcome: CheckOutcome<'_>) -> String {
    let title = format!("Check your site · {}", widget.company_name);
    let style = |href: &'static str| Node::new("link").set("rel", "stylesheet").set("href", href);
    let head = Node::new("head").children([
        Node::new("meta").set("charset", "utf-8"),
        meta("viewport", "width=device-width, initial-scale=1, viewport-fit=cover"),
        meta("robots", "noindex"),
        Node::new("title").text(match outcome {
            CheckOutcome::Found(check) => format!("{} · {title}", word(check.verdict)),
            _ => title,
        }),
        favicon(widget),
        style("theme.css"),
        style("check.css"),
    ]);
    let logo = picture("c-logo", &widget.header_logo, widget.company_name.clone(), widget.color("--bg"));
    let top = Node::classed("header", "c-top").child(logo);
    let mut main = Node::classed("main", "c-card")
        .child(Node::new("h1").text("Does your site show the estimate?"))
        .child(Node::classed("p", "c-lead").text(
        "Give the address of a page that should show it. We fetch that page as a visitor would, read it, and say what \
             we find and what to do.",
    ));
    let trouble = if let CheckOutcome::Refused(words) = &outcome { Some(*words) } else { None };
    main = main.child(form(address, trouble));
    if let CheckOutcome::Found(check) = outcome {
        main = main.child(result(check));
    }
    let body = Node::classed("body", "check").children([top, main]);
    document(Node::new("html").set("lang", "en").child(head).child(body), flow_words(Language::English))
}

/// What there is to say above the form.
#[derive(Debug, Clone, Copy)]
pub enum CheckOutcome<'c> {
    Nothing,
    /// Why nothing was looked at.
    Refused(&'c str),
    Found(&'c SiteCheck),
}

/// `/w/{id}/check.css`
pub fn check_css() -> String {
    minify_css(STYLE)
}

fn form(address: &str, trouble: Option<&str>) -> Node {
    let input = Node::new("input")
        .set("id", "url")
        .set("name", "url")
        // A word without a scheme is completed, so this is not a field of type url.
        .set("type", "text")
        .set("inputmode", "url")
        .set("autocomplete", "url")
        .set("autocapitalize", "none")
        .set("spellcheck", "false")
        .set("required", "")
        .set("maxlength", "2000")
        .set("value", address.to_owned());
    let (input, error) = match trouble {
        Some(words) => (
            input.set("aria-invalid", "true").set("aria-describedby", "trouble"),
            Some(
                Node::new("p")
                    .set("id", "trouble")
                    .set("class", "c-trouble")
                    .set("role", "alert")
                    .text(words.to_owned()),
            ),
        ),
        None => (input, None),
    };
    Node::new("form").set("method", "get").set("action", "check").set("class", "c-form").children(
        [Node::new("label").set("for", "url").text("Page address"), input]
            .into_iter()
            .chain([Node::new("button").set("type", "submit").text("Check this page")])
            .chain(error),
    )
}

fn result(check: &SiteCheck) -> Node {
    let (fine, open): (Vec<_>, Vec<_>) = check.findings.iter().partition(|f| f.level == Level::Fine);
    let mut open = open;
    open.sort_by_key(|finding| core::cmp::Reverse(finding.level));
    let name = match check.verdict {
        Verdict::Shown => "c-shown",
        Verdict::Limited => "c-limited",
        Verdict::Unclear => "c-unclear",
        Verdict::Hidden => "c-hidden",
    };
    let verdict = Node::new("div").set("class", format!("c-verdict {name}")).set("role", "status").children([
        icon(sign(check.verdict)),
        Node::new("div").children([
            Node::new("h2").text(check.summary.clone()),
            Node::classed("p", "c-url").text(check.url.clone()),
        ]),
    ]);
    let mut section = Node::new("section").set("aria-label", "Result").child(verdict);
    if !open.is_empty() {
        section = section.child(Node::classed("ol", "c-list").children(open.into_iter().map(described)));
    }
    if !fine.is_empty() {
        section = section.child(Node::new("h3").text("In order")).child(Node::classed("ul", "c-fine").children(
            fine.into_iter().map(|finding| {
                let text = finding.text.as_ref().map(|text| Node::new("small").text(text.to_string()));
                let line = Node::new("span").text(finding.title.to_string()).children(text);
                Node::new("li").children([icon(Level::Fine), line])
            }),
        ));
    }
    section
}

fn described(finding: &Finding) -> Node {
    let (name, word) = match finding.level {
        Level::Fine => ("c-shown", "In order"),
        Level::Note => ("c-note", "Good to know"),
        Level::Limits => ("c-limited", "Limits it"),
        Level::Unclear => ("c-unclear", "Unclear"),
        Level::Stops => ("c-hidden", "Stops it"),
    };
    let mut item =
        Node::new("li").set("class", name).child(Node::classed("p", "c-level").child(icon(finding.level)).text(word));
    item = item.child(Node::new("h3").text(finding.title.to_string()));
    item = item.children(finding.text.as_ref().map(|text| Node::new("p").text(text.to_string())));
    let todo = |item: Node| match &finding.todo {
        None => item,
        Some(todo) => item.child(Node::new("p").child(Node::new("b").text("What to do: ")).text(todo.to_string())),
    };
    // Code follows the words that announce it.
    if finding.code_follows_text { todo(code(item, finding)) } else { code(todo(item), finding) }
}

fn code(item: Node, finding: &Finding) -> Node {
    // A long line can be scrolled by keyboard, too.
    let line = |text: &String| {
        Node::new("pre")
            .set("tabindex", "0")
            .set("role", "group")
            .set("aria-label", "Code")
            .child(Node::new("code").text(text.clone()))
    };
    item.children(finding.code.iter().map(line))
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Shown => "Shown",
        Verdict::Limited => "Shown with limits",
        Verdict::Unclear => "Unclear",
        Verdict::Hidden => "Not shown",
    }
}

fn sign(verdict: Verdict) -> Level {
    match verdict {
        Verdict::Shown => Level::Fine,
        Verdict::Limited => Level::Limits,
        Verdict::Unclear => Level::Unclear,
        Verdict::Hidden => Level::Stops,
    }
}

fn icon(level: Level) -> Node {
    let path = match level {
        Level::Fine => "m7.5 12.5 3 3 6-7",
        Level::Note => "M12 11v5.5M12 7.6v.1",
        Level::Limits => "M12 7v6M12 16.4v.1",
        Level::Unclear => "M9.5 9.6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.7M12 16.4v.1",
        Level::Stops => "m8.5 8.5 7 7m0-7-7 7",
    };
    Node::new("svg")
        .set("viewBox", "0 0 24 24")
        .set("aria-hidden", "true")
        .child(Node::new("circle").set("cx", "12").set("cy", "12").set("r", "9.5"))
        .child(Node::new("path").set("d", path))
}
