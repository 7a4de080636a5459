//! The settings a connector declares, and the values somebody has given them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use url::Url;

use crate::connector::error::{SettingMistake, SettingProblem};

/// Shorter secrets could not be hidden in a log without hiding half of it.
const MIN_SECRET: usize = 6;
const MAX_VALUE: usize = 4_000;

/// What kind of value a setting has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub enum SettingKind {
    /// One line of text.
    Text,
    /// Letters, digits and `-_.:@`: an id or a key of the target.
    Id,
    Number,
    /// An address of the target's; the only kind that may say where a request goes.
    Url,
    /// A telephone number in the form `+12075550163`.
    Phone,
    Choice,
}

/// A setting as a connector's file declares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SettingDeclaration {
    /// Its name in requests. Example: `url`
    pub name: String,
    /// Its name for people. Example: `Webhook URL`
    pub label: String,
    /// Where to find the value. Null where nothing is said. Example: `In the settings of the app, under Incoming
    /// Webhooks.`
    pub hint: Option<String>,
    /// What kind of value it has. Example: `url`
    pub kind: SettingKind,
    /// Whether it is kept secret and never shown again. Example: `true`
    pub secret: bool,
    /// Whether it has to be given. Example: `true`
    pub required: bool,
    /// Its value where none is given. Null where it has none. Example: `general`
    pub default: Option<String>,
    /// The values of a choice. Empty for other kinds. Example: `["sent", "paid"]`
    pub options: Vec<String>,
    /// The hosts that a URL may name; `.example.com` stands for every host below. Empty: any public host. Example:
    /// `["hooks.slack.com"]`
    pub hosts: Vec<String>,
}

impl SettingDeclaration {
    /// The value, if it is one of this setting's.
    pub fn parse(&self, text: &str) -> Result<Value, SettingProblem> {
        let text = text.trim();
        if text.len() > MAX_VALUE {
            return Err(SettingProblem::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(SettingProblem::NotOneLine);
        }
        if self.secret && text.len() < MIN_SECRET {
            return Err(SettingProblem::TooShort { min: MIN_SECRET });
        }
        match self.kind {
            SettingKind::Text => Ok(Value::from(text)),
            SettingKind::Id => parse_id(text),
            SettingKind::Number => parse_number(text),
            SettingKind::Url => self.parse_url(text),
            SettingKind::Phone => parse_phone(text),
            SettingKind::Choice if self.options.iter().any(|o| o == text) => Ok(Value::from(text)),
            SettingKind::Choice => Err(SettingProblem::NotAnOption { options: self.options.clone() }),
        }
    }

    fn parse_url(&self, text: &str) -> Result<Value, SettingProblem> {
        let url = Url::parse(text).map_err(|_| SettingProblem::NotAUrl)?;
        if url.scheme() != "https" {
            return Err(SettingProblem::NotHttps);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(SettingProblem::Credentials);
        }
        let host = url.host_str().unwrap_or_default().trim_end_matches('.');
        let fits = |allowed: &String| match allowed.strip_prefix('.') {
            Some(parent) => host.strip_suffix(parent).is_some_and(|below| below.len() > 1 && below.ends_with('.')),
            None => host == allowed,
        };
        if !self.hosts.is_empty() && !self.hosts.iter().any(fits) {
            return Err(SettingProblem::OtherHost { hosts: self.hosts.clone() });
        }
        Ok(Value::from(url.as_str()))
    }
}

fn parse_id(text: &str) -> Result<Value, SettingProblem> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.:@".contains(c);
    if text.is_empty() || !text.chars().all(fits) || text.chars().all(|c| c == '.') {
        return Err(SettingProblem::NotAnId);
    }
    Ok(Value::from(text))
}

fn parse_number(text: &str) -> Result<Value, SettingProblem> {
    match text.parse::<i64>() {
        Ok(whole) => Ok(Value::from(whole)),
        Err(_) => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::from(number)),
            _ => Err(SettingProblem::NotANumber),
        },
    }
}

fn parse_phone(text: &str) -> Result<Value, SettingProblem> {
    let compact: String = text.chars().filter(|c| !" ()-.".contains(*c)).collect();
    let digits = compact.strip_prefix('+').unwrap_or_default();
    if !(8..=15).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) || digits.starts_with('0') {
        return Err(SettingProblem::NotAPhone);
    }
    Ok(Value::from(compact))
}

/// The values of a connector's settings. Every one fits its declaration.
#[derive(Clone, PartialEq)]
pub struct ConnectorSettings {
    values: Map<String, Value>,
    secret: Vec<String>,
}

impl ConnectorSettings {
    /// Reports every mistake: what is missing, what does not fit, and what was never declared.
    pub fn parse(
        declared: &[SettingDeclaration],
        given: &BTreeMap<String, String>,
    ) -> Result<Self, Vec<SettingMistake>> {
        let mistake = |name: &str, problem| SettingMistake { name: name.to_owned(), problem };
        let mut mistakes: Vec<_> = given
            .keys()
            .filter(|name| !declared.iter().any(|d| d.name == **name))
            .map(|name| mistake(name, SettingProblem::Unknown))
            .collect();
        let mut settings = Self { values: Map::new(), secret: Vec::new() };
        for declaration in declared {
            let name = &declaration.name;
            let text = given.get(name).map(|t| t.trim()).filter(|t| !t.is_empty()).or(declaration.default.as_deref());
            let value = match text.map(|t| declaration.parse(t)) {
                Some(Ok(value)) => value,
                Some(Err(problem)) => {
                    mistakes.push(mistake(name, problem));
                    continue;
                }
                None if declaration.required => {
                    mistakes.push(mistake(name, SettingProblem::Missing { label: declaration.label.clone() }));
                    continue;
                }
                None => Value::Null,
            };
            if declaration.secret {
                settings.secret.push(name.clone());
            }
            settings.values.insert(name.clone(), value);
        }
        if mistakes.is_empty() { Ok(settings) } else { Err(mistakes) }
    }

    pub(crate) fn to_json(&self) -> Value {
        Value::Object(self.values.clone())
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).and_then(Value::as_str)
    }

    /// The secret values, for hiding them.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secret.iter().filter_map(|name| self.text(name))
    }

    /// For people: secrets are shown as `[secret]`.
    pub fn shown(&self) -> BTreeMap<String, String> {
        let shown = self.values.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (name.clone(), if self.secret.contains(name) { "[secret]".to_owned() } else { text })
        });
        shown.collect()
    }
}

impl std::fmt::Debug for ConnectorSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.shown()).finish()
    }
}
