//! A quote: up to three choices with prices, which a homeowner accepts or declines.
//!
//! # Decision
//!
//! A quote that was sent never changes. It holds what it showed: company, homeowner, address and texts as they were, with
//! a digest over all of it, so an acceptance proves what was accepted. A correction is a new revision that replaces it.
//! A quote expires by its last day alone; no job writes a state, so nothing that was decided is ever overwritten by
//! "expired". Turned down: editing sent quotes with a log of changes.

use serde::{Deserialize, Serialize};

use crate::id::{LeadId, QuoteId};
use crate::inspection::VisitDate;
use crate::language::Language;
use crate::money::Usd;
use crate::text::{is_clean, is_clean_block};
use crate::time::Timestamp;
use crate::widget::string_enum;

/// Choices of one quote.
pub const MAX_CHOICES: usize = 3;
/// Items of one choice.
pub const MAX_ITEMS: usize = 20;
/// Cents of a price or an item.
pub const MAX_CENTS: i64 = 999_999_999;
/// How many days ahead a quote may be valid.
pub const MAX_DAYS_VALID: i32 = 365;
/// How many days a new one is valid.
pub const USUAL_DAYS_VALID: i32 = 30;

string_enum!(QuoteState {
    Draft = "draft",
    Sent = "sent",
    Accepted = "accepted",
    Declined = "declined",
    Withdrawn = "withdrawn",
    /// Another revision took its place.
    Replaced = "replaced",
});

/// Where a quote stands now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuoteStanding {
    Draft,
    /// It can be accepted.
    Open,
    Expired,
    Accepted,
    Declined,
    Withdrawn,
    Replaced,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteItem {
    pub text: String,
    /// Negative: a discount.
    pub cents: i64,
}

/// One of the things that a homeowner can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteChoice {
    pub title: String,
    /// May be empty.
    pub material: String,
    /// What is included, a line each. May be empty.
    pub includes: String,
    /// May be empty.
    #[serde(default)]
    pub items: Vec<QuoteItem>,
    /// Before tax; the sum of the items where there are any.
    pub price_cents: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deposit {
    /// Of the total.
    Percent(u8),
    Cents(i64),
}

/// What a company writes into a quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteContent {
    /// One to three.
    pub choices: Vec<QuoteChoice>,
    /// In thousandths of a percent; 0: no tax.
    pub tax: u32,
    pub deposit: Option<Deposit>,
    /// The last day on which it can be accepted, where the company is.
    pub valid_until: VisitDate,
    /// To the homeowner. May be empty.
    pub message: String,
    /// May be empty.
    pub terms: String,
}

/// Who it was from and for, as it was when the quote was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteParties {
    pub company: String,
    /// Address, phone, email, website, license: those that there are.
    pub contact: Vec<String>,
    pub homeowner: String,
    pub address: String,
    pub language: Language,
    /// Where the company is.
    pub sent_on: VisitDate,
}

/// All that is written in a quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteRecord {
    pub content: QuoteContent,
    /// `None`: it was not sent.
    pub parties: Option<QuoteParties>,
    /// Random, of one that was sent: its digest says nothing once this is erased.
    pub salt: String,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteAnswer {
    /// The name that the homeowner typed; of an answer that the company entered, the colleague's.
    pub name: String,
    /// Why it was declined. May be empty.
    #[serde(default)]
    pub reason: String,
    /// Somebody of the company entered it: the homeowner signed on paper, or said so.
    #[serde(default)]
    pub by_company: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    pub id: QuoteId,
    pub lead: LeadId,
    /// In the order in which the company sent them; `None`: a draft that replaces none.
    pub number: Option<i64>,
    pub revision: i64,
    pub state: QuoteState,
    pub record: QuoteRecord,
    pub answer: Option<QuoteAnswer>,
    /// The choice that was accepted.
    pub chosen: Option<usize>,
    /// Over number, revision and all that is written in it. Empty: a draft.
    pub digest: String,
    pub replaces: Option<QuoteId>,
    /// From then on it cannot be accepted any more.
    pub expires_at: Option<Timestamp>,
    /// Who wrote it, by the name of then.
    pub author: String,
    pub updated_at: Timestamp,
    pub sent_at: Option<Timestamp>,
    pub answered_at: Option<Timestamp>,
}

/// What one choice costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuoteSums {
    pub price: Usd,
    /// `None`: no tax.
    pub tax: Option<Usd>,
    pub total: Usd,
    pub deposit: Option<Usd>,
}

/// What a company's next quote begins with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct QuoteDefaults {
    pub terms: String,
    pub tax: u32,
    pub deposit: Option<Deposit>,
}

impl Quote {
    pub fn standing(&self, now: Timestamp) -> QuoteStanding {
        match self.state {
            QuoteState::Draft => QuoteStanding::Draft,
            QuoteState::Sent if self.expires_at.is_some_and(|at| at <= now) => QuoteStanding::Expired,
            QuoteState::Sent => QuoteStanding::Open,
            QuoteState::Accepted => QuoteStanding::Accepted,
            QuoteState::Declined => QuoteStanding::Declined,
            QuoteState::Withdrawn => QuoteStanding::Withdrawn,
            QuoteState::Replaced => QuoteStanding::Replaced,
        }
    }

    /// `1007`, of a later revision `1007-2`. Empty: it has none yet.
    pub fn name(&self) -> String {
        quote_name(self.number, self.revision)
    }

    pub fn content(&self) -> &QuoteContent {
        &self.record.content
    }

    pub fn accepted(&self) -> Option<&QuoteChoice> {
        self.content().choices.get(self.chosen?)
    }

    /// Stands for what a page showed of it.
    pub fn mark(&self) -> String {
        self.updated_at.micros().to_string()
    }
}

pub fn quote_name(number: Option<i64>, revision: i64) -> String {
    match number {
        None => String::new(),
        Some(number) if revision <= 1 => number.to_string(),
        Some(number) => format!("{number}-{revision}"),
    }
}

/// A share, half a cent rounded up.
fn share(cents: i64, part: i64, of: i64) -> i64 {
    (cents * part + of / 2) / of
}

impl QuoteContent {
    pub fn sums(&self, choice: &QuoteChoice) -> QuoteSums {
        let price = choice.price_cents;
        let tax = share(price, i64::from(self.tax), 100_000);
        let total = price + tax;
        let deposit = self.deposit.map(|deposit| match deposit {
            Deposit::Percent(percent) => share(total, i64::from(percent), 100),
            Deposit::Cents(cents) => cents.min(total),
        });
        QuoteSums {
            price: Usd::from_cents(price),
            tax: (self.tax > 0).then(|| Usd::from_cents(tax)),
            total: Usd::from_cents(total),
            deposit: deposit.map(Usd::from_cents),
        }
    }
}

/// `8.875`, of thousandths.
pub fn percent_text(thousandths: u32) -> String {
    let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Deposit {
    /// As a form shows it: `30%`, `2500.00`.
    pub fn text(self) -> String {
        match self {
            Self::Percent(percent) => format!("{percent}%"),
            Self::Cents(cents) => Usd::from_cents(cents).to_string(),
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        if let Some(percent) = text.strip_suffix('%') {
            let percent: u8 = percent.trim_end().parse().ok()?;
            return (1..=100).contains(&percent).then_some(Self::Percent(percent));
        }
        parse_amount(text).filter(|cents| *cents > 0).map(Self::Cents)
    }
}

/// An amount as people type it, in cents: `$14,200`, `14200.50`, `-500`. A comma stands before three digits, or it may be
/// another country's point.
pub fn parse_amount(text: &str) -> Option<i64> {
    let text = text.trim();
    let (text, is_negative) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (rest.trim_start(), true),
        None => (text, false),
    };
    let text = text.strip_prefix('$').unwrap_or(text).trim_start();
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "00"));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let mut digits = first.to_owned();
    for group in groups {
        if group.len() != 3 || first.is_empty() || first.len() > 3 {
            return None;
        }
        digits.push_str(group);
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(&digits) || digits.len() > 9 || !is_number(decimals) || decimals.len() > 2 {
        return None;
    }
    let scale = if decimals.len() == 1 { 10 } else { 1 };
    let cents = digits.parse::<i64>().ok()? * 100 + decimals.parse::<i64>().ok()? * scale;
    (cents <= MAX_CENTS).then_some(if is_negative { -cents } else { cents })
}

/// `8.875`, `8.875 %`, in thousandths of a percent.
fn parse_percent(text: &str) -> Option<u32> {
    let text = text.strip_suffix('%').unwrap_or(text).trim_end();
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || whole.len() > 2 || decimals.len() > 3 || !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let thousandths = format!("{decimals:0<3}").parse::<u32>().ok()?;
    Some(whole.parse::<u32>().ok()? * 1_000 + thousandths)
}

/// Lines of `Tear-off and disposal 2,400`.
pub fn items_text(items: &[QuoteItem]) -> String {
    let line = |item: &QuoteItem| format!("{} {}", item.text, Usd::from_cents(item.cents));
    items.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A choice as it was typed.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChoiceForm<'f> {
    pub is_offered: bool,
    pub title: &'f str,
    pub material: &'f str,
    pub includes: &'f str,
    /// A line each, with the amount at its end.
    pub items: &'f str,
    pub price: &'f str,
}

/// A quote as it was typed.
#[derive(Debug, Clone, Copy, Default)]
pub struct QuoteForm<'f> {
    pub choices: [ChoiceForm<'f>; MAX_CHOICES],
    pub tax: &'f str,
    pub deposit: &'f str,
    pub valid_until: &'f str,
    pub message: &'f str,
    pub terms: &'f str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuoteField {
    /// The number of the choice, from 0 on.
    Title(usize),
    Material(usize),
    Includes(usize),
    Items(usize),
    Price(usize),
    Tax,
    Deposit,
    ValidUntil,
    Message,
    Terms,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuoteProblem {
    /// Nothing is offered.
    NoChoice,
    NoTitle,
    /// Not an amount above nothing.
    NoPrice,
    /// The line that has no amount at its end.
    NoAmount(String),
    /// The line, where a dash stands apart from the amount.
    SignApart(String),
    TooManyItems,
    /// They add up to nothing, or less.
    ItemsSum,
    /// They add up to another price, in cents.
    OtherSum(i64),
    NoPercent,
    NoDeposit,
    /// It is more than the cheapest choice costs.
    LargeDeposit,
    NoDay,
    PastDay,
    FarDay,
    Long,
    Unclean,
}

impl QuoteContent {
    pub const MAX_TITLE: usize = 60;
    pub const MAX_MATERIAL: usize = 120;
    pub const MAX_INCLUDES: usize = 2_000;
    pub const MAX_ITEM: usize = 160;
    pub const MAX_MESSAGE: usize = 2_000;
    pub const MAX_TERMS: usize = 8_000;

    /// `today`: where the company is.
    ///
    /// # Errors
    /// All that is wrong.
    pub fn parse(form: &QuoteForm<'_>, today: VisitDate) -> Result<Self, Vec<(QuoteField, QuoteProblem)>> {
        let mut wrong = Vec::new();
        let mut choices = Vec::new();
        for (n, choice) in form.choices.iter().enumerate().filter(|(_, choice)| choice.is_offered) {
            choices.extend(read_choice(n, choice, &mut wrong));
        }
        if form.choices.iter().all(|choice| !choice.is_offered) {
            wrong.push((QuoteField::Title(0), QuoteProblem::NoChoice));
        }
        let tax = match form.tax.trim() {
            "" => 0,
            text => parse_percent(text).unwrap_or_else(|| {
                wrong.push((QuoteField::Tax, QuoteProblem::NoPercent));
                0
            }),
        };
        let deposit = match form.deposit.trim() {
            "" => None,
            text => {
                let deposit = Deposit::parse(text);
                if deposit.is_none() {
                    wrong.push((QuoteField::Deposit, QuoteProblem::NoDeposit));
                }
                deposit
            }
        };
        let valid_until = VisitDate::parse(form.valid_until.trim());
        let days = valid_until.and_then(|until| Some(today.0.until(until.0).ok()?.get_days()));
        match days {
            None => wrong.push((QuoteField::ValidUntil, QuoteProblem::NoDay)),
            Some(..0) => wrong.push((QuoteField::ValidUntil, QuoteProblem::PastDay)),
            Some(days) if days > MAX_DAYS_VALID => wrong.push((QuoteField::ValidUntil, QuoteProblem::FarDay)),
            Some(_) => {}
        }
        let message = block(QuoteField::Message, form.message, Self::MAX_MESSAGE, &mut wrong);
        let terms = block(QuoteField::Terms, form.terms, Self::MAX_TERMS, &mut wrong);
        let Some(valid_until) = valid_until.filter(|_| wrong.is_empty()) else { return Err(wrong) };
        let content = Self { choices, tax, deposit, valid_until, message, terms };
        let least = content.choices.iter().map(|choice| content.sums(choice).total.cents()).min().unwrap_or_default();
        if matches!(deposit, Some(Deposit::Cents(cents)) if cents > least) {
            return Err(vec![(QuoteField::Deposit, QuoteProblem::LargeDeposit)]);
        }
        Ok(content)
    }
}

type Wrong = Vec<(QuoteField, QuoteProblem)>;

fn line(field: QuoteField, text: &str, most: usize, wrong: &mut Wrong) -> String {
    let text = text.trim();
    if text.chars().count() > most {
        wrong.push((field, QuoteProblem::Long));
    } else if !is_clean(text) {
        wrong.push((field, QuoteProblem::Unclean));
    }
    text.to_owned()
}

fn block(field: QuoteField, text: &str, most: usize, wrong: &mut Wrong) -> String {
    let text = text.replace("\r\n", "\n").trim().to_owned();
    if text.chars().count() > most {
        wrong.push((field, QuoteProblem::Long));
    } else if !is_clean_block(&text) {
        wrong.push((field, QuoteProblem::Unclean));
    }
    text
}

fn read_choice(n: usize, form: &ChoiceForm<'_>, wrong: &mut Wrong) -> Option<QuoteChoice> {
    let title = line(QuoteField::Title(n), form.title, QuoteContent::MAX_TITLE, wrong);
    if title.is_empty() {
        wrong.push((QuoteField::Title(n), QuoteProblem::NoTitle));
    }
    let material = line(QuoteField::Material(n), form.material, QuoteContent::MAX_MATERIAL, wrong);
    let includes = block(QuoteField::Includes(n), form.includes, QuoteContent::MAX_INCLUDES, wrong);
    let items = read_items(n, form.items, wrong)?;
    let typed = match form.price.trim() {
        "" => None,
        text => match parse_amount(text).filter(|cents| *cents > 0) {
            Some(cents) => Some(cents),
            None => {
                wrong.push((QuoteField::Price(n), QuoteProblem::NoPrice));
                return None;
            }
        },
    };
    let sum: i64 = items.iter().map(|item| item.cents).sum();
    let price_cents = match (items.is_empty(), typed) {
        (true, Some(cents)) => cents,
        (true, None) => {
            wrong.push((QuoteField::Price(n), QuoteProblem::NoPrice));
            return None;
        }
        (false, _) if sum <= 0 || sum > MAX_CENTS => {
            wrong.push((QuoteField::Items(n), QuoteProblem::ItemsSum));
            return None;
        }
        (false, Some(cents)) if cents != sum => {
            wrong.push((QuoteField::Price(n), QuoteProblem::OtherSum(sum)));
            return None;
        }
        (false, _) => sum,
    };
    Some(QuoteChoice { title, material, includes, items, price_cents })
}

fn read_items(n: usize, text: &str, wrong: &mut Wrong) -> Option<Vec<QuoteItem>> {
    let mut items = Vec::new();
    for typed in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let read = typed.rsplit_once(char::is_whitespace);
        // The sign of dollars may stand apart.
        let read = read.map(|(text, amount)| (text.trim_end().trim_end_matches('$').trim_end(), amount));
        // "Discount - 500" takes 500 off, and "Gutters - 500" adds it: nobody but the writer knows.
        if read.is_some_and(|(text, amount)| {
            text.ends_with(['-', '\u{2212}', '\u{2013}']) && parse_amount(amount).is_some()
        }) {
            wrong.push((QuoteField::Items(n), QuoteProblem::SignApart(typed.chars().take(60).collect())));
            return None;
        }
        let read = read.and_then(|(text, amount)| {
            Some((text.trim_end_matches([':', '=', ' ', '\t']), amount, parse_amount(amount)?))
        });
        let Some((text, _, cents)) = read.filter(|(text, ..)| !text.is_empty()) else {
            let shown = typed.chars().take(60).collect();
            wrong.push((QuoteField::Items(n), QuoteProblem::NoAmount(shown)));
            return None;
        };
        let text = line(QuoteField::Items(n), text, QuoteContent::MAX_ITEM, wrong);
        items.push(QuoteItem { text, cents });
    }
    if items.len() > MAX_ITEMS {
        wrong.push((QuoteField::Items(n), QuoteProblem::TooManyItems));
        return None;
    }
    Some(items)
}

/// What the homeowner types to accept it.
pub const MAX_SIGNED_NAME: usize = 100;
/// Characters of why it is declined.
pub const MAX_REASON: usize = 1_000;

/// A name somebody signs with: two letters at least, one line.
pub fn signed_name(text: &str) -> Option<String> {
    let text = text.trim();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    (letters >= 2 && text.chars().count() <= MAX_SIGNED_NAME && is_clean(text)).then(|| text.to_owned())
}

/// `None`: it is too long, or has characters that nobody sees.
pub fn decline_reason(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n").trim().to_owned();
    (text.chars().count() <= MAX_REASON && is_clean_block(&text)).then_some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(text: &str) -> VisitDate {
        VisitDate::parse(text).unwrap()
    }

    fn form<'f>(choice: ChoiceForm<'f>) -> QuoteForm<'f> {
        QuoteForm {
            choices: [choice, ChoiceForm::default(), ChoiceForm::default()],
            valid_until: "2026-12-31",
            ..QuoteForm::default()
        }
    }

    fn choice<'f>(price: &'f str, items: &'f str) -> ChoiceForm<'f> {
        ChoiceForm { is_offered: true, title: "Better", price, items, ..ChoiceForm::default() }
    }

    fn parse(form: &QuoteForm<'_>) -> Result<QuoteContent, Vec<(QuoteField, QuoteProblem)>> {
        QuoteContent::parse(form, day("2026-12-01"))
    }

    #[test]
    fn an_amount_is_read_as_people_type_it_and_another_countrys_is_refused() {
        for (text, cents) in [
            ("14200", 1_420_000),
            ("$14,200", 1_420_000),
            ("$ 14,200.5", 1_420_050),
            ("1,234,567.89", 123_456_789),
            ("-500", -50_000),
            ("\u{2212}$500.00", -50_000),
            ("0", 0),
        ] {
            assert_eq!(parse_amount(text), Some(cents), "{text}");
        }
        for text in [
            "", "$", "1,5", "14.200", "14,20", "1234,567", ",123", "1e3", "10000000", "12.", ".5", "1.2.3", "١٢", "--5",
        ] {
            assert_eq!(parse_amount(text), None, "{text}");
        }
    }

    #[test]
    fn tax_and_deposit_are_whole_cents_and_add_up() {
        let typed = QuoteForm { tax: "8.875%", deposit: "30%", ..form(choice("14,200.01", "")) };
        let content = parse(&typed).unwrap();
        assert_eq!(content.tax, 8_875);
        let sums = content.sums(&content.choices[0]);
        // 14,200.01 × 8.875 % = 1,260.2508…
        assert_eq!(sums.tax, Some(Usd::from_cents(126_025)));
        assert_eq!(sums.total, Usd::from_cents(1_546_026));
        assert_eq!(sums.deposit, Some(Usd::from_cents(463_808)));
        // Half a cent goes up.
        let half = parse(&QuoteForm { tax: "5", ..form(choice("0.10", "")) }).unwrap();
        assert_eq!(half.sums(&half.choices[0]).tax, Some(Usd::from_cents(1)));
        for text in ["100", "-1", "8,875", "1.2345", "x", "%"] {
            let wrong = parse(&QuoteForm { tax: text, ..form(choice("10", "")) }).unwrap_err();
            assert_eq!(wrong, [(QuoteField::Tax, QuoteProblem::NoPercent)], "{text}");
        }
        assert_eq!([percent_text(8_875), percent_text(7_000), percent_text(6_250)], ["8.875", "7", "6.25"]);
    }

    #[test]
    fn items_add_up_to_the_price_with_discounts() {
        let items = "Tear-off and disposal: $2,400\r\nShingles  9,800.50\n\nSpring discount -500";
        let content = parse(&form(choice("", items))).unwrap();
        let own = &content.choices[0];
        assert_eq!((own.price_cents, own.items.len()), (1_170_050, 3));
        assert_eq!(own.items[0].text, "Tear-off and disposal");
        // What the form shows again is read the same.
        let again = items_text(&own.items);
        assert_eq!(parse(&form(choice("11,700.50", &again))).unwrap().choices, content.choices);
        let wrong = |price, items| parse(&form(choice(price, items))).unwrap_err();
        assert_eq!(wrong("11,700", items), [(QuoteField::Price(0), QuoteProblem::OtherSum(1_170_050))]);
        assert_eq!(wrong("", "Roof"), [(QuoteField::Items(0), QuoteProblem::NoAmount("Roof".to_owned()))]);
        assert_eq!(wrong("", "500"), [(QuoteField::Items(0), QuoteProblem::NoAmount("500".to_owned()))]);
        for apart in [
            "Spring discount - 500",
            "Discount -$ 500",
            "Discount \u{2212} $500",
            "Gutters \u{2013} 500",
            "Tear-off- 500",
        ] {
            assert_eq!(
                wrong("", apart),
                [(QuoteField::Items(0), QuoteProblem::SignApart(apart.to_owned()))],
                "{apart}"
            );
        }
        assert_eq!(wrong("", "Gift -5"), [(QuoteField::Items(0), QuoteProblem::ItemsSum)]);
        assert_eq!(wrong("", ""), [(QuoteField::Price(0), QuoteProblem::NoPrice)]);
        assert_eq!(wrong("0", ""), [(QuoteField::Price(0), QuoteProblem::NoPrice)]);
        let many = "a 1\n".repeat(MAX_ITEMS + 1);
        assert_eq!(wrong("", &many), [(QuoteField::Items(0), QuoteProblem::TooManyItems)]);
    }

    #[test]
    fn a_quote_offers_something_until_a_day_that_is_near() {
        let none = QuoteForm { choices: [ChoiceForm::default(); 3], ..form(ChoiceForm::default()) };
        assert_eq!(parse(&none).unwrap_err(), [(QuoteField::Title(0), QuoteProblem::NoChoice)]);
        let until = |text| parse(&QuoteForm { valid_until: text, ..form(choice("10", "")) });
        assert!(until("2026-12-01").is_ok() && until("2027-12-01").is_ok());
        for (text, problem) in [
            ("", QuoteProblem::NoDay),
            ("12/31/2026", QuoteProblem::NoDay),
            ("2026-11-30", QuoteProblem::PastDay),
            ("2027-12-02", QuoteProblem::FarDay),
        ] {
            assert_eq!(until(text).unwrap_err(), [(QuoteField::ValidUntil, problem)], "{text}");
        }
        let deposit = QuoteForm { deposit: "11", ..form(choice("10", "")) };
        assert_eq!(parse(&deposit).unwrap_err(), [(QuoteField::Deposit, QuoteProblem::LargeDeposit)]);
        for text in ["0%", "101%", "abc", "-5"] {
            let deposit = QuoteForm { deposit: text, ..form(choice("10", "")) };
            assert_eq!(parse(&deposit).unwrap_err(), [(QuoteField::Deposit, QuoteProblem::NoDeposit)], "{text}");
        }
        let long = "x".repeat(QuoteContent::MAX_TERMS + 1);
        let wrong = parse(&QuoteForm { terms: &long, message: "a\u{202e}b", ..form(choice("10", "")) }).unwrap_err();
        let expected = [(QuoteField::Message, QuoteProblem::Unclean), (QuoteField::Terms, QuoteProblem::Long)];
        assert_eq!(wrong, expected);
    }

    #[test]
    fn a_signature_is_a_name() {
        assert_eq!(signed_name("  José Ruiz "), Some("José Ruiz".to_owned()));
        for text in ["", "x", "12", "...", "a\nb", "a\u{202e}b"] {
            assert_eq!(signed_name(text), None, "{text:?}");
        }
        assert_eq!(signed_name(&"x".repeat(MAX_SIGNED_NAME + 1)), None);
        assert_eq!(decline_reason(" Too\r\nmuch "), Some("Too\nmuch".to_owned()));
        assert_eq!(decline_reason(&"x".repeat(MAX_REASON + 1)), None);
        assert_eq!([quote_name(None, 1), quote_name(Some(7), 1), quote_name(Some(7), 2)], ["", "7", "7-2"]);
    }

    proptest! {
        #[test]
        fn no_text_makes_a_parser_panic_and_an_amount_read_back_is_the_same(text in any::<String>(), cents in -MAX_CENTS..MAX_CENTS) {
            let _ = (parse_amount(&text), parse_percent(&text), Deposit::parse(&text), signed_name(&text));
            prop_assert_eq!(parse_amount(&Usd::from_cents(cents).to_string()), Some(cents));
        }
    }
}
