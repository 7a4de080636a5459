//! `/docs`: the API for people. A page without any script, in colors of its own: it belongs to no widget.

use shingle_domain::Language;

use super::minify::minify_css;
use super::node::Node;
use super::page::{document, meta};
use crate::view::Markup;
use crate::words::flow_words;

const STYLE: &str = include_str!("../../../../www/docs.css");

/// The whole page.
#[derive(Debug, Clone, Default)]
pub struct ApiDocs {
    pub title: String,
    /// Paragraphs, with an empty line between.
    pub about: String,
    /// Where the API is served.
    pub base_url: String,
    pub groups: Vec<ApiGroup>,
}

/// A chapter.
#[derive(Debug, Clone, Default)]
pub struct ApiGroup {
    pub title: String,
    pub text: String,
    pub entries: Vec<ApiEntry>,
}

/// An operation, an event, an error or a record.
#[derive(Debug, Clone, Default)]
pub struct ApiEntry {
    pub id: String,
    /// Method and path, of an operation.
    pub route: Option<(String, String)>,
    pub title: String,
    pub text: String,
    pub parts: Vec<ApiPart>,
}

/// What is sent or answered.
#[derive(Debug, Clone, Default)]
pub struct ApiPart {
    pub title: String,
    pub text: String,
    /// The records that it is made of.
    pub records: Vec<String>,
    pub fields: Vec<ApiField>,
    pub code: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct ApiField {
    pub name: String,
    /// In a few words.
    pub kind: String,
    pub required: bool,
    pub text: String,
    pub example: String,
    /// The record that is in it.
    pub record: Option<String>,
}

pub fn api_docs_page(docs: &ApiDocs) -> String {
    let head = Node::new("head").children([
        Node::new("meta").set("charset", "utf-8"),
        meta("viewport", "width=device-width, initial-scale=1, viewport-fit=cover"),
        meta("color-scheme", "light dark"),
        Node::new("title").text(format!("{} API", docs.title)),
        // None: without this line browsers ask for one.
        Node::new("link").set("rel", "icon").set("href", "data:,"),
        Node::new("link").set("rel", "stylesheet").set("href", "docs.css"),
    ]);
    let mut main = Node::new("main").child(Node::new("h1").text(format!("{} API", docs.title)));
    for paragraph in docs.about.split("\n\n") {
        main = main.child(prose("p", paragraph));
    }
    main = main.child(
        Node::new("p")
            .text("Base address: ")
            .child(Node::new("code").text(docs.base_url.clone()))
            .text(". For programs: ")
            .child(Node::new("a").set("href", "openapi.json").text("openapi.json"))
            .text(" (OpenAPI 3.1)."),
    );
    let main = main.children(docs.groups.iter().map(chapter));
    let body = Node::new("body").children([contents(docs), main]);
    document(Node::new("html").set("lang", "en").child(head).child(body), flow_words(Language::English))
}

/// `/docs.css`
pub fn api_docs_css() -> String {
    minify_css(STYLE)
}

fn contents(docs: &ApiDocs) -> Node {
    let line = |entry: &ApiEntry| {
        let link = Node::new("a").set("href", format!("#{}", entry.id)).text(entry.title.clone());
        Node::new("li").child(link)
    };
    let group = |group: &ApiGroup| {
        let title = Node::new("a").set("href", format!("#{}", anchor(&group.title))).text(group.title.clone());
        Node::new("li").child(title).child(Node::new("ul").children(group.entries.iter().map(line)))
    };
    Node::new("nav").set("aria-label", "Contents").child(Node::new("ul").children(docs.groups.iter().map(group)))
}

fn anchor(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

fn chapter(group: &ApiGroup) -> Node {
    Node::new("section")
        .child(Node::new("h2").set("id", anchor(&group.title)).text(group.title.clone()))
        .child(prose("p", &group.text))
        .children(group.entries.iter().map(entry))
}

fn entry(of: &ApiEntry) -> Node {
    let title = Node::new("h3").child(Node::new("a").set("href", format!("#{}", of.id)).text(of.title.clone()));
    let route = of.route.as_ref().map(|(method, path)| {
        Node::classed("p", "route").child(Node::new("b").text(method.clone())).text(" ").child(path_code(path))
    });
    Node::new("article")
        .set("id", of.id.clone())
        .child(title)
        .children(route)
        .child(prose("p", &of.text))
        .children(of.parts.iter().flat_map(part))
}

/// A long path breaks at its slashes.
fn path_code(path: &str) -> Node {
    let mut code = Node::new("code");
    for (at, piece) in path.split('/').enumerate() {
        if at > 0 {
            code = code.text("/").child(Node::new("wbr"));
        }
        code = code.text(piece.to_owned());
    }
    code
}

fn part(of: &ApiPart) -> Vec<Node> {
    let mut all = Vec::new();
    if !of.title.is_empty() {
        all.push(Node::new("h4").text(of.title.clone()));
    }
    if !of.text.is_empty() {
        all.push(prose("p", &of.text));
    }
    if !of.records.is_empty() {
        let mut line = Node::new("p").text("Record: ");
        for (at, name) in of.records.iter().enumerate() {
            line = line.text(if at > 0 { " and " } else { "" }).child(record_link(name));
        }
        all.push(line);
    }
    if !of.fields.is_empty() {
        all.push(Node::new("dl").children(of.fields.iter().flat_map(field)));
    }
    if let Some(code) = &of.code {
        // A long line can be scrolled by keyboard, too.
        let lines = Node::new("pre").set("tabindex", "0").set("role", "group").set("aria-label", "Example");
        all.push(lines.child(Node::new("code").text(code.clone())));
    }
    all
}

fn record_link(name: &str) -> Node {
    Node::new("a").set("href", format!("#record-{name}")).text(name.to_owned())
}

fn field(of: &ApiField) -> [Node; 2] {
    let mut kind = Node::classed("span", "kind");
    kind = match &of.record {
        Some(record) => {
            let (before, after) = of.kind.split_once(record.as_str()).unwrap_or((of.kind.as_str(), ""));
            let gap = if before == of.kind { ": " } else { "" };
            kind.text(format!("{before}{gap}")).child(record_link(record)).text(after.to_owned())
        }
        None => spans(kind, &of.kind),
    };
    let name = Node::new("dt")
        .child(Node::new("code").text(of.name.clone()))
        .text(" ")
        .child(kind)
        .text(if of.required { "" } else { ", optional" });
    let mut said = prose("dd", &of.text);
    if !of.example.is_empty() {
        let example = Node::new("code").text(of.example.clone());
        said = said.child(Node::classed("span", "example").text(" Example: ").child(example));
    }
    [name, said]
}

/// A text whose words between backticks are code.
fn prose(tag: &'static str, text: &str) -> Node {
    spans(Node::new(tag), text)
}

fn spans(node: Node, text: &str) -> Node {
    text.split('`').enumerate().fold(node, |node, (at, piece)| match at % 2 {
        0 => node.text(piece.to_owned()),
        _ => node.child(Node::new("code").text(piece.to_owned())),
    })
}
