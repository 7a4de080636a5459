//! The page behind a link of a mail: it says what the link does, and a button does it. Mail scanners open links, so
//! opening alone must do nothing.

use shingle_domain::Language;
use shingle_domain::public::PublicWidget;

use super::node::Node;
use super::page::{document, favicon, meta};
use crate::view::Markup;
use crate::view::block::picture;
use crate::words::flow_words;

/// What the page says. The first line is the title.
pub struct MailLinkPage<'a> {
    pub title: &'a str,
    pub lines: &'a [String],
    /// The label of the button that acts, while there is something to do.
    pub button: Option<&'a str>,
    /// What to do next: labels and addresses, the first one foremost.
    pub ways: &'a [(String, String)],
}

/// What the button sends. A scanner that posts to every address it finds does not send it.
pub const CONFIRMATION: [&str; 2] = ["confirm", "yes"];

/// A page without any script, in the widget's colors. The form posts to the page's own address.
pub fn mail_link_page(widget: &PublicWidget, language: Language, of: &MailLinkPage<'_>) -> String {
    let style = |href: &'static str| Node::new("link").set("rel", "stylesheet").set("href", href);
    let head = Node::new("head").children([
        Node::new("meta").set("charset", "utf-8"),
        meta("viewport", "width=device-width, initial-scale=1, viewport-fit=cover"),
        meta("robots", "noindex"),
        Node::new("title").text(format!("{} · {}", of.title, widget.company_name)),
        favicon(widget),
        style("theme.css"),
        style("check.css"),
    ]);
    let logo = picture("c-logo", &widget.header_logo, widget.company_name.clone(), widget.color("--bg"));
    let top = Node::classed("header", "c-top").child(logo);
    let mut main = Node::classed("main", "c-card").child(Node::new("h1").text(of.title.to_owned()));
    for line in of.lines {
        main = main.child(Node::classed("p", "c-lead").text(line.clone()));
    }
    if let Some(label) = of.button {
        let [name, value] = CONFIRMATION;
        let said = Node::new("input").set("type", "hidden").set("name", name).set("value", value);
        let button = Node::new("button").set("type", "submit").text(label.to_owned());
        main = main.child(Node::classed("form", "c-form").set("method", "post").children([said, button]));
    }
    if !of.ways.is_empty() {
        let way = |(label, href): &(String, String)| {
            Node::new("li").child(Node::new("a").set("href", href.clone()).set("rel", "noreferrer").text(label.clone()))
        };
        main = main.child(Node::classed("ul", "c-ways").children(of.ways.iter().map(way)));
    }
    let body = Node::classed("body", "check").children([top, main]);
    document(Node::new("html").set("lang", language.tag()).child(head).child(body), flow_words(language))
}
