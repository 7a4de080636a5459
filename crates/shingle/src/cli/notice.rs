//! `shingle notice …`: who is notified of leads, and when.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use shingle_domain::notice::{Hours, NoticeSettings, Recipient, TimeOfDay};
use shingle_domain::{AccountId, Email, Environment, Tenant};

use super::account::{Switch, unknown_account};
use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;
use shingle_app::installation::SettingFlags;
use shingle_app::notice_settings::parse as parse_notice_settings;
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Subcommand)]
pub enum Notice {
    /// Show who is notified of an account's leads, and when
    Show {
        #[command(flatten)]
        whose: Whose,
    },
    /// Change it; what is not named stays
    Set {
        #[command(flatten)]
        whose: Whose,
        #[command(flatten)]
        change: Box<Change>,
    },
}

#[derive(Debug, Args)]
pub struct Whose {
    #[arg(long, value_name = "ID")]
    account: AccountId,
    /// sandbox or production
    #[arg(long, default_value = "production")]
    env: Environment,
}

#[derive(Debug, Args)]
pub struct Change {
    /// All settings as JSON, as `show --json` prints them; the flags are applied on top
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Who is notified, in this order; replaces the list
    #[arg(long = "to", value_name = "EMAIL", value_parser = email)]
    to: Vec<Email>,
    /// Minutes without a touch until the next person is notified; `none`: all at once
    #[arg(long, value_name = "MINUTES")]
    escalate_after: Option<Minutes>,
    /// The time zone of all hours, such as America/New_York
    #[arg(long, value_name = "NAME")]
    time_zone: Option<String>,
    /// When nothing is sent, such as 21:00-07:00; `none` for always
    #[arg(long, value_name = "HOURS")]
    quiet: Option<QuietHours>,
    /// When the summary of the day before is sent, such as 07:00; `none` for never
    #[arg(long, value_name = "TIME")]
    digest_at: Option<DigestTime>,
    /// Whether homeowners get their estimate by email
    #[arg(long, value_name = "on|off")]
    homeowner_copy: Option<Switch>,
}

/// A value, or `none`.
macro_rules! or_none {
    ($name:ident($value:ty), $parse:expr, $what:literal) => {
        #[derive(Debug, Clone, Copy)]
        pub struct $name(Option<$value>);

        impl core::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                if text == "none" {
                    return Ok(Self(None));
                }
                let parse: fn(&str) -> Option<$value> = $parse;
                parse(text).map(|value| Self(Some(value))).ok_or_else(|| concat!($what, ", or `none`").to_owned())
            }
        }
    };
}

or_none!(Minutes(u16), |text| text.parse().ok(), "a number of minutes");
or_none!(DigestTime(TimeOfDay), TimeOfDay::parse, "a time such as 07:00");
or_none!(
    QuietHours(Hours),
    |text| {
        let (from, to) = text.split_once('-')?;
        Some(Hours { from: TimeOfDay::parse(from.trim())?, to: TimeOfDay::parse(to.trim())? })
    },
    "two times such as 21:00-07:00"
);

fn email(text: &str) -> Result<Email, String> {
    Email::parse(text).ok_or_else(|| "not an email address".to_owned())
}

impl Notice {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        let (whose, change) = match self {
            Self::Show { whose } => (whose, None),
            Self::Set { whose, change } => (whose, Some(change)),
        };
        let tenant = Tenant { account: whose.account, environment: whose.env };
        let settings = block_on(async {
            let store = context.store().await?;
            if store.accounts().find(tenant.account).await?.is_none() {
                return Err(unknown_account(tenant.account));
            }
            let stored = store.destinations().notice_settings(&tenant).await?;
            let settings = match change {
                None => stored.unwrap_or_default(),
                Some(change) => {
                    let settings = change.apply(stored.unwrap_or_default())?;
                    store.destinations().set_notice_settings(&tenant, &settings).await?;
                    settings
                }
            };
            store.close().await?;
            Ok(settings)
        })?;
        output.print(&settings, to_text)
    }
}

impl Change {
    fn apply(&self, stored: NoticeSettings) -> Result<NoticeSettings, OperatorError> {
        let mut settings = match &self.file {
            None => stored,
            Some(file) => {
                let text = std::fs::read(file)
                    .map_err(|e| OperatorError::new(format!("The file cannot be read: {e}")).at(file.display()))?;
                parse_notice_settings(&text).map_err(|e| OperatorError::text(e).at(file.display()))?
            }
        };
        if !self.to.is_empty() {
            let known = std::mem::take(&mut settings.recipients);
            settings.recipients = self.to.iter().map(|email| recipient(&known, email)).collect();
        }
        if let Some(Minutes(minutes)) = self.escalate_after {
            settings.escalate_after_minutes = minutes;
        }
        if let Some(zone) = &self.time_zone {
            settings.time_zone.clone_from(zone);
        }
        if let Some(QuietHours(hours)) = self.quiet {
            settings.quiet_hours = hours;
        }
        if let Some(DigestTime(time)) = self.digest_at {
            settings.digest_at = time;
        }
        if let Some(switch) = self.homeowner_copy {
            settings.homeowner_copy = matches!(switch, Switch::On);
        }
        let text = serde_json::to_vec(&settings).map_err(OperatorError::text)?;
        parse_notice_settings(&text).map_err(OperatorError::text)
    }
}

/// Someone who is listed already keeps name, language and switches.
fn recipient(known: &[Recipient], email: &Email) -> Recipient {
    let same = known.iter().find(|r| r.email.as_str().eq_ignore_ascii_case(email.as_str()));
    same.cloned().unwrap_or_else(|| Recipient::of(email.clone()))
}

fn to_text(of: &NoticeSettings) -> String {
    let mut lines = Vec::new();
    if of.recipients.is_empty() {
        lines.push("told          the companyEmail of each widget".to_owned());
    }
    for (position, recipient) in of.recipients.iter().enumerate() {
        let steps: Vec<String> = of.steps(position).iter().map(|m| format!("{m} min")).collect();
        lines.push(format!("told          {} after {}", recipient.email, steps.join(" and ")));
    }
    let time = |time: TimeOfDay| format!("{:02}:{:02}", time.minutes() / 60, time.minutes() % 60);
    lines.push(format!("time zone     {}", of.time_zone));
    let quiet = of.quiet_hours.map_or("none".to_owned(), |h| format!("{} to {}", time(h.from), time(h.to)));
    lines.push(format!("quiet hours   {quiet}"));
    lines.push(format!("digest        {}", of.digest_at.map_or("never".to_owned(), time)));
    lines.push(format!("homeowners    {}", if of.homeowner_copy { "get a copy by email" } else { "get no email" }));
    lines.join("\n")
}
