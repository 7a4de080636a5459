//! `/w/{id}/privacy`: what happens to what a homeowner enters, for a company without a page of its own about it.
//!
//! # Decision
//!
//! The page says what this server does now: how long leads are kept, where they are sent. So it cannot promise what
//! nobody set. An owner may write the page instead, in each language. Turned down: a template to fill in, which would
//! stay as it is when the settings change.

use shingle_domain::WidgetSettings;

use super::frame::{Head, page};
use super::page_words::PageWords;
use super::step::Step;
use crate::ssr::node::Node;
use crate::view::Markup;
use crate::view::frame::{mail, other_language, telephone};
use crate::words::w;

/// What this server does with leads of a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrivacyFacts {
    /// `None`: until somebody erases them.
    pub days_kept: Option<u32>,
    /// Whether they are sent to webhooks or connectors.
    pub is_passed_on: bool,
    /// Whether homeowners get their estimate by mail.
    pub is_mailed: bool,
}

pub fn privacy_page(step: &Step<'_>, settings: &WidgetSettings, facts: PrivacyFacts) -> String {
    let words = PageWords::of(step.language);
    let [title, intro] = &words.privacy_title;
    let own = settings.texts(step.language).privacy.as_deref();
    let mut article = Node::classed("article", "h-doc").child(Node::new("h1").text(title.clone()));
    if own.is_none() {
        article = article.child(paragraph(step.fill(intro, &[])));
    }
    article = article.children(company(step, &words.privacy_who[0]));
    article = match own {
        Some(text) => article.children(text.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).map(lines)),
        None => article.children(sections(step, words, facts)),
    };
    let other = other_language::<Node>(format!("privacy?lang={}", step.words().text(w::OTHER.at(0))));
    let card = article.child(Node::new("p").child(other));
    page(step, Head::of_step(step, title), vec![card])
}

fn company(step: &Step<'_>, heading: &str) -> [Node; 2] {
    let widget = step.widget;
    let mut about = Node::new("p").child(Node::new("b").text(widget.company_name.clone()));
    if !widget.company_address.is_empty() {
        about = about.child(Node::new("br")).text(widget.company_address.clone());
    }
    let about = about.child(Node::new("br")).child(telephone(widget)).child(Node::new("br")).child(mail(widget));
    [Node::new("h2").text(heading.to_owned()), about]
}

fn sections(step: &Step<'_>, words: &PageWords, facts: PrivacyFacts) -> Vec<Node> {
    let [gets, people, passed_on, not_passed_on, mailed, link] = &words.privacy_gets;
    let [kept, for_days, until_erased, encrypted] = &words.privacy_kept;
    let mut who_gets = vec![gets, people, if facts.is_passed_on { passed_on } else { not_passed_on }];
    who_gets.extend(facts.is_mailed.then_some(mailed));
    who_gets.push(link);
    let how_long = vec![kept, if facts.days_kept.is_some() { for_days } else { until_erased }, encrypted];
    let days = facts.days_kept.unwrap_or_default().to_string();
    let all = [
        words.privacy_entered.iter().collect(),
        words.privacy_proof.iter().collect(),
        who_gets,
        words.privacy_device.iter().collect(),
        how_long,
        words.privacy_rights.iter().collect::<Vec<_>>(),
    ];
    let said = |text: &String| step.fill(text, &[("days", &days)]);
    let mut nodes = Vec::new();
    for section in all {
        let mut texts = section.into_iter().map(said);
        nodes.extend(texts.next().map(|heading| Node::new("h2").text(heading)));
        nodes.extend(texts.map(paragraph));
    }
    nodes
}

fn paragraph(text: String) -> Node {
    Node::new("p").text(text)
}

/// A paragraph of the owner's, line by line.
fn lines(text: &str) -> Node {
    let mut paragraph = Node::new("p");
    for (n, line) in text.lines().enumerate() {
        if n > 0 {
            paragraph = paragraph.child(Node::new("br"));
        }
        paragraph = paragraph.text(line.to_owned());
    }
    paragraph
}
