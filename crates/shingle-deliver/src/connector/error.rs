//! What is wrong with a connector's file, its settings or a request, and where.

use std::fmt;

use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;

messages! {
    /// A problem with its place.
    #[derive(Debug, Clone, PartialEq, Eq)]
    enum Placed {
        At { place: String, problem: Message } => "{place}: {problem}",
    }
}

pub(crate) const PLACED: &[(&str, &str)] = Placed::SENTENCES;

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The way to the value: `request.contact.headers.Authorization`.
    pub place: String,
    /// Of a connector's file, a text for its author.
    pub problem: Message,
}

impl Mistake {
    pub fn new(place: impl Into<String>, problem: impl ToMessage) -> Self {
        Self { place: place.into(), problem: problem.to_message() }
    }
}

impl ToMessage for Mistake {
    fn to_message(&self) -> Message {
        Placed::At { place: self.place.clone(), problem: self.problem.clone() }.to_message()
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}

messages! {
    /// Why the value of a setting does not fit.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SettingProblem {
        Unknown => "there is no such setting",
        Missing { label: String } => "{label} is missing",
        TooLong => "this is longer than 4,000 characters",
        NotOneLine => "this must be one line without control characters",
        TooShort { min: usize } => "this is too short: it must have at least {min} characters",
        NotAnOption { options: Vec<String> } => "this must be one of: {options}",
        NotAUrl => "this is not a web address",
        NotHttps => "this must begin with https://",
        Credentials => "this must not contain a user name or password",
        OtherHost { hosts: Vec<String> } => "this must be an address of {hosts}",
        NotAnId => "this may have letters, digits and -_.:@ only",
        NotANumber => "this is not a number",
        NotAPhone => "this must be a phone number with its country code, such as +12075550163",
    }
}

/// What is wrong with the value of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingMistake {
    /// The setting.
    pub name: String,
    pub problem: SettingProblem,
}

impl ToMessage for SettingMistake {
    fn to_message(&self) -> Message {
        Placed::At { place: self.name.clone(), problem: self.problem.to_message() }.to_message()
    }
}

impl fmt::Display for SettingMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}
