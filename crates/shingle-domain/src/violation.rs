//! Broken rules: where in a request, and which rule. `Display` gives the contract's message.

use core::fmt;

use crate::message::{Message, ToMessage};

/// Where a value stands: `workingHours.visits.0.days`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FieldPath(String);

impl FieldPath {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Names of members and positions in lists, from the outside in.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split('.')
    }

    /// The field of the request in which it lies.
    pub fn field(&self) -> &str {
        self.parts().next().unwrap_or_default()
    }
}

impl<T: Into<String>> From<T> for FieldPath {
    fn from(path: T) -> Self {
        Self(path.into())
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ToMessage for FieldPath {
    fn to_message(&self) -> Message {
        Message::Text(self.0.clone())
    }
}

messages! {
    /// A rule that a value can break, said of the value: it stands behind the name of its field.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Rule {
        // What kind of value it is.
        Text => "must be a string",
        Boolean => "must be a boolean value",
        Number => "must be a number",
        Integer => "must be an integer number",
        Array => "must be an array",
        Object => "must be an object",
        // Emptiness and length.
        NotEmpty => "should not be empty",
        Clean => "must not contain control characters",
        MaxLength { max: usize } => "must be shorter than or equal to {max} characters",
        CleanLine { max: usize } => "must be a clean line of 1 to {max} characters",
        Line { max: usize } => "must be a line of at most {max} characters",
        // Formats.
        Uuid => "must be a UUID",
        Color => "must be a hexadecimal color",
        Url => "must be a URL address",
        Email => "must be an email",
        AsciiLocalPart => "has letters before the @ that mail servers do not take",
        /// As a widget's record has it.
        PhonePattern => r"must match /^\(\d{3}\) \d{3}-\d{4}$/ regular expression",
        PhoneNumber => "must be a valid phone number",
        State => "must be a two-letter abbreviation",
        Zip => "must be a 5-digit code",
        Price => "value must be a decimal greater than 0 with at most 2 decimal places",
        IsoTime => "must be a valid ISO 8601 date string",
        CalendarDay => "must be a day (YYYY-MM-DD)",
        VisitDay => "must be a day such as 2026-12-01",
        TimeOfDay => "must be a time of day such as 08:30",
        TimeZone => "must be the name of a time zone, such as America/New_York",
        Domains => "must be a comma-separated list of domain names",
        HeaderName => "must be a header name",
        // Numbers.
        Min { min: i64 } => "must not be less than {min}",
        Max { max: i64 } => "must not be greater than {max}",
        WholeFrom { min: u32, max: u32 } => "must be a whole number from {min} to {max}",
        OneDecimalPlace => "must have at most 1 decimal place",
        DecimalPlaces { places: u8 } => "must have at most {places} decimal places",
        // Words and lists.
        OneOf { words: Vec<&'static str> } => "must be one of the following values: {words}",
        MaxElements { max: usize } => "must contain no more than {max} elements",
        Elements { min: usize, max: usize } => "must contain {min} to {max} elements",
        Unique => "must be unique",
        /// Of all elements of a list.
        AllUnique => "must be unique in each of its elements",
        /// Of each value in a list or an object.
        EachValue { rule: Box<Rule> } => "{rule}",
        /// Of each name in an object.
        EachName { rule: Box<Rule> } => "{rule}",
        // A widget's record.
        LocationFor { kind: &'static str, words: Vec<&'static str> } =>
            "must be one of the following values when elementType is {kind}: {words}",
        NoLocationFor { kind: &'static str } => "should be empty when elementType is {kind}",
        // Settings.
        UnknownSetting { of: SettingOwner } => "is not a setting of {of}",
        MisspelledSetting { of: SettingOwner, meant: FieldPath } => "is not a setting of {of}; did you mean {meant}?",
        /// `why` names the place in the text, or repeats what was sent.
        UnreadableSettings { why: String } => "The settings cannot be read: {why}",
        EachDayOnce => "must name each day once",
        LaterThanFrom => "must be later than from",
        DifferentFromFrom => "must differ from from",
        SomePartOfDay => "must have a morning, an afternoon or an evening",
        PartsInOrder => "must have its morning before its afternoon before its evening",
        SomeTimeLeft => "must leave some time of the day",
        OutsideQuietHours => "must not lie within quietHours",
        NeedsRecipients => "needs recipients: name who gets the summary",
        // A lead.
        ShownConsent => "must be a text that the widget shows",
        NamesNoBuilding => "names no building",
        NamesNoAddress => "names no address",
        Unchangeable => "cannot be changed",
        NearDay { max_days: i32 } => "must be a day from tomorrow on, at most {max_days} days ahead",
        NotOffered => "is not among the times at which the company visits",
        EmailWithoutPhone => "must be email, because there is no phone number",
        EmailOrPhone => "or phone should not be empty",
        // Days of usage.
        NotAfterTo => "must not be after to",
        WithinYear => "must be at most 365 days before to",
        // A webhook.
        OwnHeader { name: String } => "must not set {name}",
        /// By what the operator allows.
        UrlNotAllowed { why: Message } => "is not allowed: {why}",
        /// What a connector's file says of its settings.
        ConnectorSetting { problem: Message } => "{problem}",
    }
}

messages! {
    /// What has settings.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SettingOwner {
        Widget => "a widget",
        /// A setting that has settings of its own.
        Setting { path: FieldPath } => "{path}",
    }
}

impl Rule {
    pub fn one_of(words: &[&'static str]) -> Self {
        Self::OneOf { words: words.to_vec() }
    }

    pub fn each_value(self) -> Self {
        Self::EachValue { rule: Box::new(self) }
    }

    /// The rule itself, where it is one of each value or name.
    pub fn of_each(&self) -> &Self {
        match self {
            Self::EachValue { rule } | Self::EachName { rule } => rule.of_each(),
            rule => rule,
        }
    }
}

/// A broken rule and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub path: FieldPath,
    pub rule: Rule,
}

impl Violation {
    pub fn new(path: impl Into<FieldPath>, rule: Rule) -> Self {
        Self { path: path.into(), rule }
    }
}

messages! {
    /// A broken rule in a sentence with its place.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Broken {
        Value { path: FieldPath, rule: Rule } => "{path} {rule}",
        EachValue { path: FieldPath, rule: Rule } => "each value in {path} {rule}",
        EachName { path: FieldPath, rule: Rule } => "each name in {path} {rule}",
        AllUnique { path: FieldPath } => "All {path}'s elements must be unique",
        Named { path: FieldPath, rule: Rule } => "{path}: {rule}",
        Whole { rule: Rule } => "{rule}",
    }
}

impl Violation {
    fn broken(&self) -> Broken {
        let Self { path, rule } = self.clone();
        match rule {
            Rule::EachValue { rule } => Broken::EachValue { path, rule: *rule },
            Rule::EachName { rule } => Broken::EachName { path, rule: *rule },
            Rule::AllUnique => Broken::AllUnique { path },
            Rule::UnreadableSettings { .. } => Broken::Whole { rule },
            Rule::ConnectorSetting { .. } => Broken::Named { path, rule },
            rule => Broken::Value { path, rule },
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.broken().fmt(f)
    }
}

impl ToMessage for Violation {
    fn to_message(&self) -> Message {
        self.broken().to_message()
    }
}

/// Every broken rule of a request, in the order of the contract. Never empty when returned as an error.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Violations(pub Vec<Violation>);

impl Violations {
    pub fn one(path: impl Into<FieldPath>, rule: Rule) -> Self {
        Self(vec![Violation::new(path, rule)])
    }

    pub fn push(&mut self, path: impl Into<FieldPath>, rule: Rule) {
        self.0.push(Violation::new(path, rule));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The contract's messages.
    pub fn messages(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// The value, unless a rule was broken.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.messages().join("; "))
    }
}

impl core::error::Error for Violations {}
