//! The result of a site check (`/w/{id}/check`): whether a page runs the widget's script, and if not, what stops it.
//! People get it as a page, programs as JSON.

use serde::{Deserialize, Serialize, Serializer};

use crate::id::LinkId;
use crate::message::{Message, ToMessage};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteCheck {
    pub widget_id: LinkId,
    /// The page that was checked, after its redirects.
    pub url: String,
    pub verdict: Verdict,
    /// The verdict in a sentence.
    pub summary: String,
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// Visitors see the launcher and everything works.
    Shown,
    /// Visitors see the launcher, later or with less behind it.
    Limited,
    /// Cannot be told from outside.
    Unclear,
    /// Visitors see nothing of it.
    Hidden,
}

/// The result of one check. Programs get its messages in English.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub topic: Topic,
    pub level: Level,
    #[serde(serialize_with = "in_english")]
    pub title: Message,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "some_in_english")]
    pub text: Option<Message>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "some_in_english")]
    pub todo: Option<Message>,
    /// Code to copy, or to look for in the page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code: Vec<String>,
    /// Only who runs the server can do it.
    #[serde(skip)]
    pub is_for_operator: bool,
    /// The text announces the code; otherwise the last words before it do.
    #[serde(skip)]
    pub code_follows_text: bool,
}

fn in_english<S: Serializer>(message: &Message, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(message)
}

fn some_in_english<S: Serializer>(message: &Option<Message>, to: S) -> Result<S::Ok, S::Error> {
    match message {
        Some(message) => to.collect_str(message),
        None => to.serialize_none(),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Topic {
    Widget,
    Domain,
    Page,
    Script,
    Policy,
}

/// How much a finding matters, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Level {
    Fine,
    /// Good to know.
    Note,
    /// Takes something away from visitors.
    Limits,
    /// Hides whether it works.
    Unclear,
    /// Keeps the widget from being seen.
    Stops,
}

impl Finding {
    pub fn new(topic: Topic, level: Level, title: impl ToMessage) -> Self {
        Self {
            topic,
            level,
            title: title.to_message(),
            text: None,
            todo: None,
            code: Vec::new(),
            is_for_operator: false,
            code_follows_text: false,
        }
    }

    pub fn text(self, text: impl ToMessage) -> Self {
        Self { text: Some(text.to_message()), ..self }
    }

    /// A text that ends by announcing the code.
    pub fn text_before_code(self, text: impl ToMessage) -> Self {
        Self { code_follows_text: true, ..self.text(text) }
    }

    pub fn todo(self, todo: impl ToMessage) -> Self {
        Self { todo: Some(todo.to_message()), ..self }
    }

    /// What only who runs the server can do.
    pub fn todo_of_operator(self, todo: impl ToMessage) -> Self {
        Self { is_for_operator: true, ..self.todo(todo) }
    }

    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.code.push(code.into());
        self
    }
}
