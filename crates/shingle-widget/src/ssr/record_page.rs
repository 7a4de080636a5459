//! A record as one page for paper: headings with rows of names and values. It is kept as a file, so its style is in it.

use shingle_domain::Language;

use super::minify::minify_css;
use super::node::Node;
use super::page::{document, meta};
use crate::view::Markup;
use crate::words::flow_words;

const STYLE: &str = include_str!("../../../../www/record.css");

pub struct RecordPage {
    pub title: String,
    pub about: String,
    pub sections: Vec<RecordSection>,
    /// The page that it was opened from; none in a file.
    pub back: Option<String>,
}

pub struct RecordSection {
    pub title: String,
    pub rows: Vec<(&'static str, String)>,
}

pub fn record_page(page: &RecordPage) -> String {
    let head = Node::new("head").children([
        Node::new("meta").set("charset", "utf-8"),
        meta("viewport", "width=device-width, initial-scale=1"),
        meta("robots", "noindex"),
        Node::new("title").text(page.title.clone()),
        Node::new("style").text(minify_css(STYLE)),
    ]);
    let back = page.back.as_ref().map(|to| Node::new("a").set("class", "back").set("href", to.clone()).text("Back"));
    let main = Node::new("main")
        .children(back)
        .child(Node::new("h1").text(page.title.clone()))
        .child(Node::new("p").text(page.about.clone()))
        .children(page.sections.iter().map(section));
    let body = Node::new("body").child(main);
    document(Node::new("html").set("lang", "en").child(head).child(body), flow_words(Language::English))
}

fn section(of: &RecordSection) -> Node {
    let rows =
        of.rows.iter().flat_map(|(name, value)| [Node::new("dt").text(*name), Node::new("dd").text(value.clone())]);
    Node::new("section").child(Node::new("h2").text(of.title.clone())).child(Node::new("dl").children(rows))
}
