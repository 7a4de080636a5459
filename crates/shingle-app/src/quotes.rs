//! Quotes as both sides make, send and answer them.

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::{Lead, MaterialPrice};
use shingle_domain::quote::{
    MAX_CHOICES, Quote, QuoteChoice, QuoteContent, QuoteDefaults, QuoteParties, USUAL_DAYS_VALID,
};
use shingle_domain::{Environment, Language, QuoteId, Tenant, Timestamp, Usd};
use shingle_notice::{QuotePaper, local_day, zone_of};
use shingle_store::{Contact, QuoteOutcome, QuoteReply, QuoteSending, QuoteTelling, StoredWidget, User};
use shingle_widget::words::{flow_words, material};

use crate::app::App;
use crate::appointments::mails_homeowner;
use crate::failure::Failure;
use crate::notices::{company_zone, lead_language};

/// The company's day.
pub async fn today(app: &App, tenant: &Tenant) -> Result<VisitDate, Failure> {
    Ok(VisitDate(local_day(&company_zone(&app.store, tenant).await?, app.clock.now())))
}

/// In the language of the homeowner, as the three choices usually are.
const TITLES: [[&str; MAX_CHOICES]; 2] = [["Good", "Better", "Best"], ["Buena", "Mejor", "La mejor"]];

/// What a new quote begins with: the lead's estimate, one choice for each material, the cheapest first.
pub fn prefilled(
    lead: &Lead,
    widget: Option<&StoredWidget>,
    defaults: QuoteDefaults,
    today: VisitDate,
) -> QuoteContent {
    let language = lead_language(lead);
    let includes = widget.map(|widget| widget.settings.price_includes(language).join("\n")).unwrap_or_default();
    let prices = offered(lead);
    let titles = match prices.len() {
        // One choice has nothing to be better than.
        1 => ["", "", ""],
        _ => TITLES[usize::from(language == Language::Spanish)],
    };
    let choices = prices.iter().zip(titles).map(|(price, title)| {
        let name = flow_words(language)[material(price.material)].to_owned();
        QuoteChoice {
            title: if title.is_empty() { name.clone() } else { title.to_owned() },
            material: if title.is_empty() { String::new() } else { name },
            includes: includes.clone(),
            items: Vec::new(),
            price_cents: middle(price).cents(),
        }
    });
    let until = today.0.checked_add(jiff::Span::new().days(USUAL_DAYS_VALID)).map_or(today, VisitDate);
    let QuoteDefaults { terms, tax, deposit } = defaults;
    QuoteContent { choices: choices.collect(), tax, deposit, valid_until: until, message: String::new(), terms }
}

/// At most three: the material that the homeowner chose, and those beside it in price.
fn offered(lead: &Lead) -> Vec<&MaterialPrice> {
    let Some(estimate) = &lead.estimate else { return Vec::new() };
    let mut prices: Vec<&MaterialPrice> = estimate.prices.iter().collect();
    prices.cold_sort_by_key(|price| price.cost);
    let chosen = lead.shown_price().map(|price| price.material);
    let at = prices.iter().position(|price| Some(price.material) == chosen).unwrap_or_default();
    let first = at.saturating_sub(1).min(prices.len().saturating_sub(MAX_CHOICES));
    prices.into_iter().skip(first).take(MAX_CHOICES).collect()
}

/// The middle of what was shown, to fifty dollars; of a small job, to five.
fn middle(price: &MaterialPrice) -> Usd {
    let cents = (price.low.cents() + price.high.cents()) / 2;
    let step = if cents >= 200_000 { 5_000 } else { 500 };
    Usd::from_cents(((cents + step / 2) / step * step).max(step))
}

/// Who it is from and for, as it is now.
pub fn parties(lead: &Lead, stored: &StoredWidget, today: VisitDate) -> QuoteParties {
    let (widget, language) = (&stored.widget, lead_language(lead));
    let site = if widget.has_site() { widget.company_url.as_str() } else { "" };
    let license = stored.settings.license(language).unwrap_or_default();
    let contact =
        [widget.company_address.as_str(), widget.company_phone.as_str(), widget.company_email.as_str(), site, license];
    QuoteParties {
        company: widget.company_name.clone(),
        contact: contact.into_iter().filter(|part| !part.is_empty()).map(str::to_owned).collect(),
        homeowner: format!("{} {}", lead.first_name, lead.last_name).trim().to_owned(),
        address: lead.address.clone(),
        language,
        sent_on: today,
    }
}

/// The end of a day, where the company is.
fn end_of(day: VisitDate, zone: &str) -> Option<Timestamp> {
    let next = day.0.tomorrow().ok()?.to_zoned(zone_of(zone)).ok()?;
    Some(Timestamp::from_micros(next.timestamp().as_microsecond()))
}

/// Whether an email about a quote goes to the homeowner.
///
/// # Errors
/// Those of the store.
pub async fn mails_quotes(app: &App, tenant: &Tenant, lead: &Lead) -> Result<bool, Failure> {
    let Some(email) = lead.email.as_ref().filter(|_| mails_homeowner(app, lead)) else { return Ok(false) };
    Ok(!app.store.leads().is_stopped(tenant.account, Contact::Email(email)).await?)
}

/// Sends the draft that was shown.
pub async fn send(
    app: &App,
    tenant: &Tenant,
    by: &User,
    (lead, quote, seen): (&Lead, &Quote, &str),
) -> Result<QuoteOutcome, Failure> {
    let widget = app.store.widgets().find_of_lead(tenant, lead.widget_id).await?.ok_or(Failure::NotFound)?;
    let zone = company_zone(&app.store, tenant).await?;
    let parties = parties(lead, &widget, VisitDate(local_day(&zone, app.clock.now())));
    let expires_at = end_of(quote.content().valid_until, &zone).ok_or(Failure::NotFound)?;
    let sending = QuoteSending { parties: &parties, expires_at, mails: mails_quotes(app, tenant, lead).await? };
    Ok(app.store.leads().send_quote(tenant, by, (quote.id, seen), sending).await?)
}

/// The homeowner's answer, or one that a colleague enters.
pub async fn answer(
    app: &App,
    tenant: &Tenant,
    lead: &Lead,
    quote: QuoteId,
    reply: QuoteReply<'_>,
) -> Result<QuoteOutcome, Failure> {
    let accepts = matches!(reply, QuoteReply::Accept { .. });
    let telling = QuoteTelling { homeowner: accepts && mails_homeowner(app, lead), assignee: app.mail.is_some() };
    Ok(app.store.leads().answer_quote(tenant, quote, reply, telling).await?)
}

/// As the homeowner gets it; of a draft, as it would be sent today.
pub async fn pdf(app: &App, tenant: &Tenant, lead: &Lead, quote: Quote) -> Result<(String, Vec<u8>), Failure> {
    let widget = app.store.widgets().find_of_lead(tenant, lead.widget_id).await?.ok_or(Failure::NotFound)?;
    let zone = company_zone(&app.store, tenant).await?;
    let parties = match &quote.record.parties {
        Some(parties) => parties.clone(),
        None => parties(lead, &widget, VisitDate(local_day(&zone, app.clock.now()))),
    };
    let sandbox = tenant.environment == Environment::Sandbox;
    let draw = move || {
        let paper = QuotePaper { quote: &quote, parties: &parties, widget: &widget.widget, sandbox, time_zone: &zone };
        paper.pdf().map(|pdf| (paper.file_name(), pdf))
    };
    app.heavy_work.run(draw).await?.map_err(Failure::fault)
}
