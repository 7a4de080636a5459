//! The page of an inspection, behind the link that its homeowner has. Opening it changes nothing: mail scanners open links.
//! Forms post to the page's own address.

use shingle_domain::Language;
use shingle_domain::public::PublicWidget;

use super::mail_link::CONFIRMATION;
use super::node::Node;
use super::page::{document, favicon, meta};
use crate::view::Markup;
use crate::view::block::picture;
use crate::words::flow_words;

/// What the page says and offers.
pub struct InspectionPage<'a> {
    pub title: String,
    /// Why what was sent did nothing.
    pub alert: Option<&'a str>,
    /// Day and hours.
    pub when: Option<[String; 2]>,
    /// When it was before.
    pub before: Option<String>,
    /// Labels and values.
    pub facts: &'a [(String, String)],
    pub lines: &'a [String],
    pub forms: &'a [InspectionForm],
    /// Labels and addresses, the first one foremost.
    pub ways: &'a [(String, String)],
}

/// A button that changes something, with what it sends.
pub struct InspectionForm {
    pub fields: Vec<(&'static str, String)>,
    pub choice: Option<InspectionChoice>,
    pub button: String,
    /// The foremost one of the page.
    pub is_primary: bool,
}

pub enum InspectionChoice {
    /// Days, each with its times, of which one is picked.
    Times {
        name: &'static str,
        days: Vec<(String, Vec<(String, String)>)>,
        /// Of the values.
        picked: Option<String>,
    },
    /// Name, legend, and values with their labels.
    Radios {
        name: &'static str,
        legend: String,
        all: Vec<(String, String)>,
    },
    Select {
        name: &'static str,
        label: String,
        all: Vec<(String, String)>,
    },
}

/// A page without any script, in the widget's colors. `up`: from the page to where its style is.
pub fn inspection_page(widget: &PublicWidget, language: Language, up: &str, of: &InspectionPage<'_>) -> String {
    let style = |file: &str| Node::new("link").set("rel", "stylesheet").set("href", [up, file].concat());
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
    let mut main = Node::classed("main", "c-card").child(Node::new("h1").text(of.title.clone()));
    if let Some(alert) = of.alert {
        main = main.child(Node::classed("p", "c-alert").set("role", "alert").text(alert.to_owned()));
    }
    if let Some([day, hours]) = &of.when {
        let before = of.before.iter().map(|before| Node::new("p").child(Node::new("s").text(before.clone())));
        let card = Node::classed("div", "c-when")
            .child(Node::new("p").child(Node::new("b").text(day.clone())))
            .child(Node::new("p").child(Node::new("b").text(hours.clone())))
            .children(before);
        main = main.child(card);
    }
    if !of.facts.is_empty() {
        let rows = of
            .facts
            .iter()
            .flat_map(|(label, value)| [Node::new("dt").text(label.clone()), Node::new("dd").text(value.clone())]);
        main = main.child(Node::classed("dl", "c-facts").children(rows));
    }
    main = main.children(of.lines.iter().map(|line| Node::classed("p", "c-lead").text(line.clone())));
    main = main.children(of.forms.iter().map(form));
    if !of.ways.is_empty() {
        let way = |(label, href): &(String, String)| {
            Node::new("li").child(Node::new("a").set("href", href.clone()).set("rel", "noreferrer").text(label.clone()))
        };
        main = main.child(Node::classed("ul", "c-ways").children(of.ways.iter().map(way)));
    }
    let body = Node::classed("body", "check").children([top, main]);
    document(Node::new("html").set("lang", language.tag()).child(head).child(body), flow_words(language))
}

fn form(of: &InspectionForm) -> Node {
    let hidden = |name: &'static str, value: String| {
        Node::new("input").set("type", "hidden").set("name", name).set("value", value)
    };
    let [name, value] = CONFIRMATION;
    let said = of.fields.iter().map(|(name, value)| hidden(name, value.clone()));
    let class = if of.is_primary { "c-form" } else { "c-form quiet" };
    let form = Node::new("form")
        .set("method", "post")
        .set("class", class)
        .child(hidden(name, value.to_owned()))
        .children(said);
    let form = match &of.choice {
        None => form,
        Some(InspectionChoice::Times { name, days, picked }) => form.children(days.iter().map(|(day, times)| {
            let times = times.iter().map(|(value, label)| {
                let radio = Node::new("input").set("type", "radio").set("name", *name).set("value", value.clone());
                let radio = if picked.as_ref() == Some(value) { radio.set("checked", "") } else { radio };
                let radio = radio.set("required", "");
                Node::new("label").child(radio).child(Node::new("span").text(label.clone()))
            });
            let times = Node::classed("div", "c-times").children(times);
            Node::classed("fieldset", "c-day").child(Node::new("legend").text(day.clone())).child(times)
        })),
        Some(InspectionChoice::Radios { name, legend, all }) => {
            let radios = all.iter().enumerate().map(|(n, (value, label))| {
                let radio = Node::new("input").set("type", "radio").set("name", *name).set("value", value.clone());
                let radio = if n == 0 { radio.set("checked", "") } else { radio };
                Node::new("label").child(radio).child(Node::new("span").text(label.clone()))
            });
            form.child(Node::new("fieldset").child(Node::new("legend").text(legend.clone())).children(radios))
        }
        Some(InspectionChoice::Select { name, label, all }) => {
            let options =
                all.iter().map(|(value, text)| Node::new("option").set("value", value.clone()).text(text.clone()));
            let select = Node::new("select").set("id", *name).set("name", *name).children(options);
            form.child(Node::new("label").set("for", *name).text(label.clone())).child(select)
        }
    };
    form.child(Node::new("button").set("type", "submit").text(of.button.clone()))
}
