//! Who is notified of a lead, when, and in which language.

use serde::{Deserialize, Serialize};

use crate::contact::Email;
use crate::id::WidgetId;
use crate::language::Language;
use crate::text::is_clean;
use crate::violation::{Rule, Violations};

/// What an account has decided about notices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct NoticeSettings {
    /// Who is notified of leads, in that order. Empty: each widget's `companyEmail`.
    pub recipients: Vec<Recipient>,
    /// Minutes without a touch until the next person is told, and after the last one everybody. Null: all are told at
    /// once, and nobody is reminded. Example: `15`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10080)))]
    pub escalate_after_minutes: Option<u16>,
    /// Name of the time zone of the hours below, as IANA lists it. By default `UTC`. Example: `America/New_York`
    pub time_zone: String,
    /// Reminders wait for these hours. Empty: they come at any time.
    pub working_hours: Vec<WorkingHours>,
    /// Nothing is sent in these hours; it comes when they end. Null: there are none.
    pub quiet_hours: Option<Hours>,
    /// When the summary of the day before is sent. Null: never. Example: `07:30`
    pub digest_at: Option<TimeOfDay>,
    /// Whether homeowners get their estimate by mail. Example: `false`
    pub homeowner_copy: bool,
    /// Widgets about which nobody is told. Example: `["7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11"]`
    pub muted_widgets: Vec<WidgetId>,
}

impl Default for NoticeSettings {
    fn default() -> Self {
        Self {
            recipients: Vec::new(),
            escalate_after_minutes: None,
            time_zone: "UTC".to_owned(),
            working_hours: Vec::new(),
            quiet_hours: None,
            digest_at: None,
            homeowner_copy: false,
            muted_widgets: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Recipient {
    /// Where the notices go. Example: `bo@oak.example.com`
    pub email: Email,
    /// Named on the lead when this person takes it. Null: the e-mail address is. Example: `Bo Roofer`
    #[serde(default)]
    pub name: Option<String>,
    /// The language of the notices. By default `en`. Example: `en`
    #[serde(default)]
    pub language: Language,
    /// Only leads of these widgets. Empty: of all. Example: `["7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11"]`
    #[serde(default)]
    pub widgets: Vec<WidgetId>,
    /// Whether this person is notified of leads. By default yes. Example: `true`
    #[serde(default = "yes")]
    pub leads: bool,
    /// Whether this person gets the summary of the day. By default yes. Example: `true`
    #[serde(default = "yes")]
    pub digest: bool,
    /// Whether this person gets the report of the month before, as a PDF, on the first working day. By default no.
    /// Example: `false`
    #[serde(default)]
    pub report: bool,
}

impl Recipient {
    /// Told of everything, in English.
    pub fn of(email: Email) -> Self {
        Self {
            email,
            name: None,
            language: Language::English,
            widgets: Vec::new(),
            leads: true,
            digest: true,
            report: false,
        }
    }
}

fn yes() -> bool {
    true
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl Weekday {
    pub const ALL: [Self; 7] =
        [Self::Monday, Self::Tuesday, Self::Wednesday, Self::Thursday, Self::Friday, Self::Saturday, Self::Sunday];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Monday => "monday",
            Self::Tuesday => "tuesday",
            Self::Wednesday => "wednesday",
            Self::Thursday => "thursday",
            Self::Friday => "friday",
            Self::Saturday => "saturday",
            Self::Sunday => "sunday",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkingHours {
    /// The days they are on. Example: `["monday", "tuesday"]`
    pub days: Vec<Weekday>,
    /// When they begin. Example: `08:00`
    pub from: TimeOfDay,
    /// When they end: later than `from`. Example: `17:30`
    pub to: TimeOfDay,
}

/// From one time to another; past midnight when the second is the earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hours {
    /// When they begin. Example: `21:00`
    pub from: TimeOfDay,
    /// When they end; past midnight where it is the earlier time. Example: `07:00`
    pub to: TimeOfDay,
}

impl Hours {
    /// Whether a minute of the day lies in them.
    pub fn contains(self, minute: u16) -> bool {
        let (from, to) = (self.from.0, self.to.0);
        if from < to { (from..to).contains(&minute) } else { minute >= from || minute < to }
    }
}

/// Minutes since midnight, written `HH:MM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay(u16);

impl TimeOfDay {
    /// `00:00` to `24:00`.
    pub fn parse(text: &str) -> Option<Self> {
        let (hours, minutes) = text.split_once(':')?;
        let part = |text: &str| {
            (text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse::<u16>().ok()).flatten()
        };
        let (hours, minutes) = (part(hours)?, part(minutes)?);
        (minutes < 60 && hours * 60 + minutes <= 24 * 60).then_some(Self(hours * 60 + minutes))
    }

    /// At most the 1,440 of a day.
    pub fn from_minutes(minutes: u16) -> Option<Self> {
        (minutes <= 24 * 60).then_some(Self(minutes))
    }

    pub fn minutes(self) -> u16 {
        self.0
    }
}

impl core::fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl Serialize for TimeOfDay {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeOfDay {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not a time of day such as 08:30"))
    }
}

/// How many people an account can have told.
pub const MAX_RECIPIENTS: usize = 20;

impl NoticeSettings {
    /// Every broken rule. Whether the time zone exists is checked by code that has the table of zones.
    pub fn problems(&self) -> Violations {
        let mut problems = Violations::default();
        if self.recipients.len() > MAX_RECIPIENTS {
            problems.push("recipients", Rule::MaxElements { max: MAX_RECIPIENTS });
        }
        let twice = |i: usize, one: &Recipient| {
            self.recipients[..i].iter().any(|other| other.email.as_str().eq_ignore_ascii_case(one.email.as_str()))
        };
        if self.recipients.iter().enumerate().any(|(i, one)| twice(i, one)) {
            problems.push("recipients", Rule::AllUnique);
        }
        for (i, recipient) in self.recipients.iter().enumerate() {
            let local = recipient.email.as_str().rsplit_once('@').map_or("", |(local, _)| local);
            if !local.is_ascii() {
                problems.push(format!("recipients.{i}.email"), Rule::AsciiLocalPart);
            }
            if recipient.name.as_deref().is_some_and(|n| n.trim().is_empty() || !is_clean(n) || n.chars().count() > 100)
            {
                problems.push(format!("recipients.{i}.name"), Rule::CleanLine { max: 100 });
            }
        }
        match self.escalate_after_minutes {
            Some(0) => problems.push("escalateAfterMinutes", Rule::Min { min: 1 }),
            Some(more) if more > 7 * 24 * 60 => {
                problems.push("escalateAfterMinutes", Rule::Max { max: 10_080 });
            }
            _ => {}
        }
        for (i, hours) in self.working_hours.iter().enumerate() {
            if hours.days.is_empty() {
                problems.push(format!("workingHours.{i}.days"), Rule::NotEmpty);
            }
            if hours.from >= hours.to {
                problems.push(format!("workingHours.{i}.to"), Rule::LaterThanFrom);
            }
        }
        match self.quiet_hours {
            Some(hours) if hours.from == hours.to => problems.push("quietHours.to", Rule::DifferentFromFrom),
            Some(hours) if (0..24 * 60).all(|minute| hours.contains(minute)) => {
                problems.push("quietHours", Rule::SomeTimeLeft);
            }
            Some(hours) if !self.working_hours.is_empty() && self.never_open(hours) => {
                problems.push("workingHours", Rule::OutsideQuietHours);
            }
            _ => {}
        }
        if self.digest_at.is_some() && self.recipients.is_empty() {
            problems.push("digestAt", Rule::NeedsRecipients);
        }
        problems
    }

    /// Whether reminders would wait for ever.
    fn never_open(&self, quiet: Hours) -> bool {
        self.working_hours.iter().all(|open| (open.from.0..open.to.0).all(|minute| quiet.contains(minute)))
    }

    /// Minutes after the event at which one recipient is told: when it is their turn, and, last, with everybody.
    pub fn steps(&self, position: usize) -> Vec<u32> {
        let Some(minutes) = self.escalate_after_minutes.map(u32::from) else { return vec![0] };
        let turn = u32::try_from(position).unwrap_or(0) * minutes;
        let everybody = u32::try_from(self.recipients.len().max(1)).unwrap_or(1) * minutes;
        vec![turn, everybody]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipient(email: &str) -> Recipient {
        serde_json::from_value(serde_json::json!({ "email": email })).unwrap()
    }

    #[test]
    fn without_escalation_everybody_is_told_at_once() {
        let settings = NoticeSettings {
            recipients: vec![recipient("a@example.com"), recipient("b@example.com")],
            ..Default::default()
        };
        assert_eq!((settings.steps(0), settings.steps(1)), (vec![0], vec![0]));
        let nobody = NoticeSettings { escalate_after_minutes: Some(10), ..Default::default() };
        assert_eq!(nobody.steps(0), [0, 10], "the companyEmail is reminded");
    }

    #[test]
    fn with_escalation_one_after_the_other_is_told_and_then_everybody() {
        let recipients = ["a@example.com", "b@example.com", "c@example.com"].map(recipient).to_vec();
        let settings = NoticeSettings { recipients, escalate_after_minutes: Some(10), ..Default::default() };
        assert_eq!([0, 1, 2].map(|i| settings.steps(i)), [vec![0, 30], vec![10, 30], vec![20, 30]]);
    }

    #[test]
    fn a_time_of_day_has_four_digits() {
        for good in ["00:00", "08:30", "23:59", "24:00"] {
            let time = TimeOfDay::parse(good).unwrap();
            assert_eq!(serde_json::to_value(time).unwrap(), good);
        }
        for bad in ["", "8:30", "08:60", "24:01", "25:00", "-1:00", "08.30", "08:3", "08:300", "aa:bb", "+8:30"] {
            assert_eq!(TimeOfDay::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn contradictions_are_named() {
        let settings = NoticeSettings {
            recipients: vec![recipient("a@example.com"), recipient("A@example.com")],
            escalate_after_minutes: Some(0),
            working_hours: vec![WorkingHours {
                days: vec![],
                from: TimeOfDay::parse("18:00").unwrap(),
                to: TimeOfDay::parse("08:00").unwrap(),
            }],
            ..Default::default()
        };
        assert_eq!(settings.problems().0.len(), 4, "{:?}", settings.problems());
        let time = |text| TimeOfDay::parse(text).unwrap();
        let open = vec![WorkingHours { days: vec![Weekday::Monday], from: time("09:00"), to: time("17:00") }];
        for (from, to, problem) in [
            ("00:00", "24:00", Some("quietHours must leave some time of the day")),
            ("08:00", "18:00", Some("workingHours must not lie within quietHours")),
            ("17:00", "09:00", None),
            ("08:00", "16:59", None),
        ] {
            let quiet_hours = Some(Hours { from: time(from), to: time(to) });
            let settings = NoticeSettings { quiet_hours, working_hours: open.clone(), ..Default::default() };
            assert_eq!(settings.problems().messages().first().map(String::as_str), problem, "{from} to {to}");
        }
        let nobody = NoticeSettings { digest_at: Some(time("07:00")), ..Default::default() };
        assert!(nobody.problems().0[0].rule == Rule::NeedsRecipients);
        assert!(NoticeSettings::default().problems().is_empty());
    }
}
