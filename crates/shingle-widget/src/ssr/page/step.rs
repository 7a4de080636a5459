//! What every step has: the widget, the language, and the addresses of the other steps.

use shingle_domain::Language;
use shingle_domain::public::PublicWidget;
use url::form_urlencoded::Serializer;

use super::field::hidden;
use super::page_words::PageWords;
use crate::ssr::node::Node;
use crate::view::Markup;
use crate::view::frame::{fill, say};
use crate::words::{Word, Words, flow_words, w};

/// Texts of the page's metadata.
pub(crate) struct About {
    pub description: String,
    pub picture: String,
    pub locale: &'static str,
    pub failed: &'static str,
    pub go_on: &'static str,
}

/// What a step passes on to the next, by the names of fields.
pub type Passed<'a> = [(&'static str, &'a str)];

/// What every step knows.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    pub widget: &'a PublicWidget,
    pub language: Language,
    /// The query by which the first page was reached: where the visitor came from.
    pub from: &'a str,
    /// Whether this is the first page, one level above the steps.
    pub first: bool,
}

impl<'a> Step<'a> {
    pub fn first(widget: &'a PublicWidget, language: Language) -> Self {
        Self { widget, language, from: "", first: true }
    }

    pub fn words(&self) -> Words {
        flow_words(self.language)
    }

    /// The text beside the box, word for word.
    pub fn consent(&self) -> String {
        self.say(w::CONSENT)
    }

    pub(crate) fn about(&self) -> About {
        let w = PageWords::of(self.language);
        About {
            description: self.fill(&w.description, &[]),
            picture: self.fill(&w.picture, &[]),
            locale: match self.language {
                Language::English => "en_US",
                Language::Spanish => "es_US",
            },
            failed: &w.failed,
            go_on: &w.go_on,
        }
    }

    /// A sentence with `{company}` and `{phone}` filled in.
    pub(super) fn say(&self, word: Word) -> String {
        self.say_with(word, &[])
    }

    pub(super) fn say_with(&self, word: Word, more: &[(&str, &str)]) -> String {
        say(self.words(), self.widget, word, more)
    }

    /// The same for a text that only pages have.
    pub(super) fn fill(&self, template: &str, more: &[(&str, &str)]) -> String {
        fill(template, self.widget, more)
    }

    /// Relative, so that it holds under whatever name the service is reached by.
    pub(super) fn path(&self, name: &str) -> String {
        if self.first { format!("{}/{name}", self.widget.id) } else { name.to_owned() }
    }

    fn own(&self) -> Vec<(&'static str, &str)> {
        let mut own = vec![("lang", self.language.tag())];
        if !self.from.is_empty() {
            own.push(("from", self.from));
        }
        own
    }

    /// The address of another step.
    pub fn href(&self, name: &str, passed: &Passed<'_>) -> String {
        let query = Serializer::new(String::new()).extend_pairs(passed).extend_pairs(self.own()).finish();
        format!("{}?{query}", self.path(name))
    }

    /// Back to the first page, as it was reached.
    pub fn home(&self) -> String {
        let lang = Serializer::new(String::new()).append_pair("lang", self.language.tag()).finish();
        let and = if self.from.is_empty() { "" } else { "&" };
        format!("../{}?{lang}{and}{}", self.widget.id, self.from)
    }

    /// Visible fields come first: the runtime takes over what was typed into the first one.
    pub(super) fn form(&self, method: &'static str, name: &str, passed: &Passed<'_>, fields: Vec<Node>) -> Node {
        let own = self.own();
        let hidden = passed.iter().chain(&own).map(|(name, value)| hidden(name, value));
        Node::new("form").set("method", method).set("action", self.path(name)).children(fields).children(hidden)
    }
}
