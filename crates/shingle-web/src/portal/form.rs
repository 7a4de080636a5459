//! The fields of a submitted portal form.
//!
//! # Decision
//!
//! A form is carried out once. Each response has an id for its forms (`once`); with the fields it is a request key
//! like the API's, so a second click or reload finds the result, and other fields make a new one. Turned down: a
//! script that disables buttons, which a reload bypasses.

use shingle_store::RequestKey;
use url::form_urlencoded;

/// Names and values, in their order. What is longer than the page's field is cut by nobody: rules say so.
#[derive(Clone)]
pub struct PortalForm(Vec<(String, String)>);

impl PortalForm {
    pub fn parse(body: &[u8]) -> Self {
        Self(form_urlencoded::parse(body).into_owned().collect())
    }

    pub fn of_query(query: Option<&str>) -> Self {
        Self::parse(query.unwrap_or_default().as_bytes())
    }

    /// With other names; `None` leaves a field out.
    pub fn renamed(self, name: impl Fn(String) -> Option<String>) -> Self {
        Self(self.0.into_iter().filter_map(|(old, value)| Some((name(old)?, value))).collect())
    }

    /// Trimmed; empty where it was not sent.
    pub fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value.trim())
    }

    /// As it was typed, with spaces and lines around it.
    pub fn raw(&self, name: &str) -> &str {
        self.0.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }

    /// Whether it was sent, empty or not.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(found, _)| found == name)
    }

    /// Trimmed, in their order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.trim()))
    }

    pub fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        self.0.iter().filter(move |(found, _)| found == name).map(|(_, value)| value.trim())
    }

    /// Of a page's form: sent again as it was, it is carried out once. With other values it is another.
    pub fn request_key(&self) -> Option<RequestKey> {
        let sent: Vec<&str> = self.0.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]).collect();
        request_key(self.text("once"), &sent)
    }
}

/// No key of the API begins like it.
pub fn request_key(once: &str, sent: &[&str]) -> Option<RequestKey> {
    let key = || ["\0portal", once, &sent.join("\0")].join("\0");
    (!once.is_empty()).then(|| RequestKey { key: key(), request: Vec::new() })
}
