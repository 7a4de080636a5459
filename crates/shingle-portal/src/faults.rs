//! The top of a page whose form was refused: nothing was saved, with a link to each field to correct.
//!
//! # Decision
//!
//! A form's mistakes appear at their fields and once more at the top. The page finds what it marks as wrong while it
//! is written, so no form can forget it. Turned down: a list made by each form.

use std::collections::HashMap;

use shingle_domain::Language;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::element::{div, el, link, p};
use crate::phrase::read;

/// A sentence that is at a field or a group of them.
struct Fault<'p> {
    /// The id of the sentence.
    id: String,
    said: &'p Text,
    /// What the fields around it are called together, like a day.
    group: Option<&'p Text>,
    /// Of the fieldset that it belongs to, where it belongs to no single field.
    legend: Option<&'p Text>,
}

#[derive(Default)]
struct Found<'p> {
    faults: Vec<Fault<'p>>,
    /// Ids of sentences and of the fields that they describe.
    fields: HashMap<String, String>,
    labels: HashMap<String, &'p Text>,
}

fn text(node: &Node, name: &str, language: Language) -> Option<String> {
    node.value(name).map(|value| read(value, language))
}

impl<'p> Found<'p> {
    fn look(&mut self, node: &'p Node, mut group: Option<&'p Text>, mut legend: Option<&'p Text>, language: Language) {
        let value = |name: &str| text(node, name, language);
        if node.value("hidden").is_some() {
            return;
        }
        if value("role").as_deref() == Some("group") {
            group = node.value("aria-label");
        }
        match node.tag() {
            "fieldset" => legend = node.elements().find(|inside| inside.tag() == "legend").and_then(Node::first_text),
            "label" => {
                if let (Some(of), Some(said)) = (value("for"), node.first_text()) {
                    self.labels.insert(of, said);
                }
            }
            _ => {}
        }
        if value("aria-invalid").is_some()
            && let (Some(said), Some(id)) = (value("aria-describedby"), value("id"))
        {
            self.fields.insert(said, id);
        }
        if value("class").as_deref() == Some("wrong")
            && let (Some(id), Some(said)) = (value("id"), node.first_text())
        {
            self.faults.push(Fault { id, said, group, legend });
        }
        for inside in node.elements() {
            self.look(inside, group, legend, language);
        }
    }
}

/// `None`: nothing on the page is wrong. `said`: what replaces our own first sentence.
pub(crate) fn summary(page: &[Node], said: Option<&Text>, language: Language) -> Option<Node> {
    let mut found = Found::default();
    for node in page {
        found.look(node, None, None, language);
    }
    if found.faults.is_empty() {
        return None;
    }
    let line = |fault: &Fault<'_>| {
        let field = found.fields.get(&fault.id);
        let label = match field {
            Some(field) => found.labels.get(field).copied(),
            None => fault.legend,
        };
        let names: Vec<String> = [fault.group, label].into_iter().flatten().map(|name| read(name, language)).collect();
        let told = read(fault.said, language);
        let told = if names.is_empty() { told } else { format!("{}: {told}", names.join(", ")) };
        el("li").child(link(format!("#{}", field.unwrap_or(&fault.id)), told))
    };
    let said = said.cloned().unwrap_or_else(|| "Nothing was saved.".into());
    Some(
        div("note bad")
            .set("role", "alert")
            .set("tabindex", "-1")
            .child(p(said))
            .child(el("ul").children(found.faults.iter().map(line))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection_form::{field, input};

    #[test]
    fn each_fault_is_named_and_linked_and_a_page_without_one_says_nothing() {
        let wrong = Text::from("Please type when it begins.");
        let day = |wrong| {
            let from = field("from.monday".into(), "From", input("time", ""), None, wrong);
            vec![div("day-hours").set("role", "group").set("aria-label", "Monday").child(from)]
        };
        assert_eq!(summary(&day(None), None, Language::English), None);
        let html = shingle_widget::ssr::document(
            summary(&day(Some(&wrong)), None, Language::English).unwrap(),
            shingle_widget::words::flow_words(Language::English),
        );
        assert!(html.contains("Nothing was saved."), "{html}");
        assert!(html.contains("<a href=\"#from.monday\">Monday, From: Please type when it begins.</a>"), "{html}");
        let events = el("fieldset")
            .child(el("legend").text("Send"))
            .child(crate::element::group_fault("events-said", "Choose one."));
        let html = shingle_widget::ssr::document(
            summary(&[events], Some(&"Not now.".into()), Language::English).unwrap(),
            shingle_widget::words::flow_words(Language::English),
        );
        assert!(html.contains("Not now.") && !html.contains("Nothing was saved."), "{html}");
        assert!(html.contains("<a href=\"#events-said\">Send: Choose one.</a>"), "{html}");
    }
}
