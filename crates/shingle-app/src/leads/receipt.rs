//! What a homeowner's browser shows of a lead, drawn from what is stored: after it was sent, after a change, and on a later
//! day.

use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::{Lead, LeadStatus, MaterialPrice};
use shingle_domain::public::{LeadReceipt, Part, ShownStep};
use shingle_domain::{Language, LeadId, Tenant};
use shingle_notice::local_day;
use shingle_store::FIRST_LINK_VERSION;
use shingle_widget::ssr::part::{
    AskedLead, BookingForm, EstimateLink, EstimateParts, Kept, Outcome, booking_part, estimate_step, kept_part,
    link_part, thanks_part,
};
use shingle_widget::ssr::public_widget;
use shingle_widget::words::flow_words;

use crate::app::App;
use crate::failure::Failure;
use crate::lead_reference::reference;
use crate::leads::estimate_copy::{copy_goes, mails_homeowners};
use crate::leads::home::price_terms;
use crate::leads::widget_request::WidgetRequest;
use crate::self_booking;
use crate::tokens::{MAX_LINK_AGE, estimate_path, pick_path};
use crate::visits::CompanyHours;

/// What is stored beside the record of a lead.
pub struct BesideRecord {
    shown: Option<ShownStep>,
    photos: usize,
    link_version: i64,
}

impl BesideRecord {
    pub async fn read(app: &App, tenant: &Tenant, lead: LeadId) -> Result<Self, Failure> {
        Ok(Self {
            shown: app.store.leads().shown(tenant, lead).await?,
            photos: app.store.leads().list_photos(tenant, lead).await?.len(),
            link_version: app.store.leads().link_version(tenant, lead).await?.ok_or(Failure::NotFound)?,
        })
    }

    /// Of a lead that was just made: known without reading it back.
    pub fn of_new(shown: Option<ShownStep>) -> Self {
        Self { shown, photos: 0, link_version: FIRST_LINK_VERSION }
    }
}

/// `token`: the lead token that the browser holds.
pub async fn receipt(
    app: &App,
    request: &WidgetRequest,
    lead: &Lead,
    beside: BesideRecord,
    token: String,
    language: Language,
) -> Result<LeadReceipt, Failure> {
    let (store, tenant, now) = (&app.store, &request.tenant, app.clock.now());
    let BesideRecord { shown, photos, link_version } = beside;
    let hours = CompanyHours::of(store, tenant, &request.stored.settings, now).await?;
    let calendar = hours.calendar();

    let words = flow_words(language);
    let links = app.links(tenant.account);
    let widget = public_widget(&request.stored.widget, &request.stored.settings, language, &links);
    let reference = reference(lead.id);
    let own = format!("{}/w/{}/leads/{}", links.base_url, request.id(), lead.id);
    let phone = lead.phone.as_ref().map(|phone| phone.as_str());
    let day = |at| VisitDate(local_day(hours.time_zone(), at));
    let until = app.tokens.lead_until(&token, request.token_id(), lead.id, now).ok_or(Failure::SessionEnded)?;

    let pick = pick_path(request.id(), &app.tokens.link(lead.id, link_version));
    let free = self_booking::offer(app, (tenant, lead, &request.stored), &pick, language).await?;
    let form = BookingForm {
        email: lead.email_text(),
        phone,
        calendar: &calendar,
        free: free.as_ref(),
        asked: lead.inspection.as_ref(),
        photos,
        script: Some((&own, &token)),
    };
    let outcome = Outcome {
        first: &lead.first_name,
        email: lead.email_text(),
        phone,
        reference: &reference,
        agreed: lead.consent.given,
        estimate: lead.estimate.is_some(),
        copy: copy_goes(app, tenant, &request.stored.settings, lead).await?,
        visit: lead.inspection.as_ref(),
    };
    let told = shown.as_ref().and_then(|shown| Some((&shown.sheet, chosen(lead, shown)?)));
    let today_price = told.and_then(|(sheet, price)| price_today(app, request, sheet.roof_area, price));
    let kept = Kept {
        street: lead.address.split(',').next().unwrap_or_default(),
        from: day(lead.created_at),
        today: day(now),
        price: told,
        now: today_price.as_ref(),
        until: day(until),
    };
    let link = match &shown {
        Some(_) => {
            format!("{}{}", links.pages_url, estimate_path(request.id(), &app.tokens.link(lead.id, link_version)))
        }
        None => String::new(),
    };
    let mails = lead.status != LeadStatus::Spam && mails_homeowners(app, tenant, &request.stored.settings).await?;
    let panel = EstimateLink {
        email: lead.email.as_ref().filter(|_| mails).map(|email| email.as_str()),
        link: &link,
        until: day(lead.created_at + MAX_LINK_AGE),
        lead: (&own, &token),
    };
    Ok(LeadReceipt {
        id: lead.id,
        estimate: shown.as_ref().map(|shown| {
            let roof = shown.roof.as_ref().map(|roof| (roof, shown.chosen));
            let parts = EstimateParts {
                widget: &widget,
                settings: &request.stored.settings,
                lead: Some(AskedLead { url: &own, token: &token, answers: &lead.answers }),
            };
            estimate_step(words, parts, &shown.sheet, lead.roof_material, roof)
        }),
        booking: booking_part(words, &widget, &form),
        thanks: thanks_part(words, &widget, outcome),
        kept: kept_part(words, &kept),
        panel: if link.is_empty() { Part::default() } else { link_part(words, &panel) },
        link,
        reference,
        lead_token: token,
    })
}

/// The price of the material that the homeowner chose, or the first that was shown.
pub fn chosen<'a>(lead: &Lead, shown: &'a ShownStep) -> Option<&'a MaterialPrice> {
    let prices = &shown.sheet.prices;
    prices.iter().find(|price| Some(price.material) == lead.roof_material).or(prices.first())
}

/// The same roof at today's prices, if they are others.
fn price_today(app: &App, request: &WidgetRequest, roof_area: u32, told: &MaterialPrice) -> Option<MaterialPrice> {
    let today = price_terms(app, &request.stored).again(roof_area, told)?;
    (told.cost.cents() > 0).then_some(today)
}
