//! The hosted page and the steps behind it, for browsers without our runtime: the same flow, a page a step.
//! What a step needs to know of the ones before it travels in its address and its form.

mod address;
mod contact;
mod estimate;
mod field;
mod frame;
mod language;
mod plan;
mod roof;
mod thanks;
mod trouble;

pub use crate::words::Language;
pub use address::{Parts, address_page, first_step, not_found_page, parts_page};
pub use contact::{Contact, Details, Place, contact_page};
pub use estimate::{Estimate, estimate_page};
pub use frame::{Head, page};
pub use language::PageWords;
pub use roof::roof_page;
pub use thanks::{Thanks, paused_step, thanks_page};
pub use trouble::{Trouble, trouble_page};

use shingle_domain::public::PublicWidget;
use url::form_urlencoded::Serializer;

use super::node::{Node, node};
use crate::words::{Words, fill, w};

/// What the page says about itself where it is not seen.
pub(super) struct About {
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
        self.language.words()
    }

    /// The text beside the box, word for word.
    pub fn consent(&self) -> String {
        self.say(self.words().text(w::CONSENT))
    }

    pub(super) fn about(&self) -> About {
        let w = self.language.page_words();
        About {
            description: self.say(&w.description),
            picture: self.say(&w.picture),
            locale: match self.language {
                Language::English => "en_US",
                Language::Spanish => "es_US",
            },
            failed: &w.failed,
            go_on: &w.go_on,
        }
    }

    /// A text with `{company}` and `{phone}` filled in.
    fn say(&self, template: &str) -> String {
        self.say_with(template, &[])
    }

    fn say_with(&self, template: &str, more: &[(&str, &str)]) -> String {
        let mut with = vec![("company", self.widget.company_name.as_str()), ("phone", &self.widget.company_phone)];
        with.extend_from_slice(more);
        fill(template, &with)
    }

    /// Relative, so that it holds under whatever name the service is reached by.
    fn path(&self, name: &str) -> String {
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

    /// What is filled in comes first: the runtime takes over what stands in the first field.
    fn form(&self, method: &'static str, name: &str, passed: &Passed<'_>, fields: Vec<Node>) -> Node {
        let own = self.own();
        let hidden = passed.iter().chain(&own).map(|(name, value)| field::hidden(name, value));
        node("form").set("method", method).set("action", self.path(name)).children(fields).children(hidden)
    }
}
