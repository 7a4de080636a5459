//! The result of a site check (`/w/{id}/check`): whether a page runs the widget's script, and if not, what stops it.
//! People get it as a page, programs as JSON.

use serde::{Deserialize, Serialize};

use crate::id::LinkId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub topic: Topic,
    pub level: Level,
    pub title: String,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub text: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub todo: String,
    /// Code to copy, or to look for in the page.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub code: Vec<String>,
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
    pub fn new(topic: Topic, level: Level, title: impl Into<String>) -> Self {
        Self { topic, level, title: title.into(), text: String::new(), todo: String::new(), code: Vec::new() }
    }

    pub fn text(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    pub fn todo(self, todo: impl Into<String>) -> Self {
        Self { todo: todo.into(), ..self }
    }

    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.code.push(code.into());
        self
    }
}
