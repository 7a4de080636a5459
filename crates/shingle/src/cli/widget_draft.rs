//! A new widget from a few flags: fills in the other fields and reports which.
//!
//! # Decision
//!
//! `shingle widget create` fills in what it can say truthfully and reports it; for real homes it requires phone and
//! email, because visitors call one and leads are mailed to the other. Turned down: guessing from the site's address;
//! asking at the terminal, which no script can answer.

use std::path::PathBuf;

use clap::Args;
use shingle_domain::rules::{Fields, WidgetDraft};
use shingle_domain::widget::DEFAULT_FIRST_PAGE_TITLE;
use shingle_domain::{AccountId, Email, Environment, HexColor, Phone, SafeUrl, Usd, WidgetId};

use shingle_app::operator_error::OperatorError;

#[derive(Debug, Args)]
pub struct NewWidget {
    #[arg(long, value_name = "ID")]
    pub account: AccountId,
    /// The company's site, on which the widget will be
    #[arg(long, value_name = "URL", value_parser = site)]
    pub url: SafeUrl,
    /// sandbox: invented homes, also on localhost and in files. production: the towns that you imported
    #[arg(long, default_value = "sandbox")]
    pub env: Environment,
    /// The company's name [default: the account's]
    #[arg(long)]
    pub name: Option<String>,
    /// PNG, JPEG or WebP, at most 1 MB [default: drawn from the name]
    #[arg(long, value_name = "FILE")]
    pub logo: Option<PathBuf>,
    /// Main color, such as #8c3b24
    #[arg(long, value_name = "#RRGGBB", value_parser = color, default_value = "#1f4e79")]
    pub color: HexColor,
    /// The phone that visitors call; production needs it
    #[arg(long, value_parser = phone)]
    pub phone: Option<Phone>,
    /// Where visitors write to, and where leads go once email is set up; production needs it
    #[arg(long, value_parser = email)]
    pub email: Option<Email>,
    /// The company's postal address [default: the host of its site]
    #[arg(long)]
    pub address: Option<String>,
    /// The company's privacy policy [default: its site]
    #[arg(long, value_name = "URL", value_parser = site)]
    pub privacy: Option<SafeUrl>,
    /// The first heading that visitors read
    #[arg(long, value_name = "TEXT", default_value = DEFAULT_FIRST_PAGE_TITLE)]
    pub title: String,
    /// Dollars a square (100 square feet) of asphalt shingle, installed [default: the reference table's]
    #[arg(long, value_name = "DOLLARS", value_parser = price)]
    pub price: Option<Usd>,
    /// URL by which visitors' browsers reach the server [default: the listening address]
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
}

fn site(text: &str) -> Result<SafeUrl, String> {
    SafeUrl::parse(text).ok_or_else(|| {
        "the address of a site, such as https://www.example.com. (Pages on localhost need none: sandbox widgets run there)"
            .to_owned()
    })
}

fn color(text: &str) -> Result<HexColor, String> {
    HexColor::parse(text).ok_or_else(|| "a colour such as #8c3b24, in quotes for the shell".to_owned())
}

fn phone(text: &str) -> Result<Phone, String> {
    Phone::parse_loosely(text).ok_or_else(|| "a phone number of ten digits".to_owned())
}

fn email(text: &str) -> Result<Email, String> {
    Email::parse(text).ok_or_else(|| "not an email address".to_owned())
}

fn price(text: &str) -> Result<Usd, String> {
    Usd::parse_price(text).ok_or_else(|| "dollars above 0, such as 540 or 540.50".to_owned())
}

/// A number that is set aside for stories, and a mailbox that no mail reaches.
const NOBODY: (&str, &str) = ("(202) 555-0100", "nobody@example.com");

impl NewWidget {
    /// The widget, and what was filled in, as sentences.
    pub fn draft(&self, id: WidgetId, account_name: &str) -> Result<(WidgetDraft, Vec<String>), OperatorError> {
        let (phone, email, mut told) = self.contact()?;
        let host = self.url.host();
        let mut fields = Fields::default();
        for (name, value) in [
            ("referenceId", &*id.to_string()),
            ("primaryColor", self.color.as_str()),
            ("secondaryColor", "#2f4858"),
            ("backgroundColor", "#f5f7fa"),
            ("cardBackgroundColor", "#ffffff"),
            ("textColor", "#22262a"),
            ("linkColor", self.color.as_str()),
            ("footerCompanyName", self.name(account_name)),
            ("footerPirvacyPolicyLink", self.privacy.as_ref().unwrap_or(&self.url).as_str()),
            ("status", "active"),
            ("companyName", self.name(account_name)),
            ("companyPhone", &phone),
            ("companyEmail", &email),
            ("companyAddress", self.address.as_deref().unwrap_or(&host)),
            ("companyUrl", self.url.as_str()),
            ("firstPageTitle", &self.title),
        ] {
            fields.push(name, value.to_owned());
        }
        if let Some(price) = self.price {
            fields.push("installedPrice", price.to_string());
        }
        if self.privacy.is_none() {
            told.push(format!("\"Privacy\" leads to {}. --privacy names the policy.", self.url));
        }
        if self.address.is_none() {
            told.push(format!("{host} is shown in place of the postal address. Use --address to set it."));
        }
        let draft = WidgetDraft::parse(&fields, true).map_err(|broken| {
            OperatorError::text(broken).fix("The names are those of the API; the flags are named after them.")
        })?;
        Ok((draft, told))
    }

    pub fn name<'a>(&'a self, account_name: &'a str) -> &'a str {
        self.name.as_deref().unwrap_or(account_name)
    }

    /// Visitors call the number and leads are mailed to the address: where the homes are real, so must these be.
    fn contact(&self) -> Result<(String, String, Vec<String>), OperatorError> {
        let missing: Vec<&str> = [("--phone", self.phone.is_none()), ("--email", self.email.is_none())]
            .into_iter()
            .filter_map(|(flag, missing)| missing.then_some(flag))
            .collect();
        if self.env == Environment::Production && !missing.is_empty() {
            return Err(OperatorError::new("A widget for real homes needs the company's phone and email address")
                .at(missing.join(" and "))
                .fix("Name them, or leave out --env production to try the widget on invented homes."));
        }
        let mut told = Vec::new();
        let mut or_nobodys = |given: Option<String>, nobodys: &str, flag: &str| {
            given.unwrap_or_else(|| {
                told.push(format!("{nobodys} is nobody's. {flag} names yours."));
                nobodys.to_owned()
            })
        };
        let phone = or_nobodys(self.phone.as_ref().map(ToString::to_string), NOBODY.0, "--phone");
        let email = or_nobodys(self.email.as_ref().map(ToString::to_string), NOBODY.1, "--email");
        Ok((phone, email, told))
    }
}
