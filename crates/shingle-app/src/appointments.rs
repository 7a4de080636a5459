//! Inspections as both sides book, move and cancel them.

use shingle_domain::appointment::{Appointment, CancelReason, Openness, Outcome};
use shingle_domain::inspection::Wish;
use shingle_domain::lead::Lead;
use shingle_domain::mail::CalendarMethod;
use shingle_domain::notice::{Hours, NoticeSettings, TimeOfDay};
use shingle_domain::rules::{Booking, BookingField, BookingForm, BookingProblem};
use shingle_domain::settings::{DayPart, VisitHours};
use shingle_domain::{Environment, LeadId, Tenant, WidgetSettings};
use shingle_notice::{InspectionNews, InspectionNotice, InspectionReader, Language, reminder_at, zone_of};
use shingle_store::{Booked, BookingOrder, Canceler, StoredWidget, Telling, User};

use crate::app::App;
use crate::failure::Failure;
use crate::lead_reference::reference;
use crate::notices::lead_language;

/// What became of a form that books.
#[derive(Debug)]
pub enum BookOutcome {
    Stored(Booked),
    Broken(Vec<(BookingField, BookingProblem)>),
}

/// When the company goes to see roofs, and where its clocks are.
pub struct InspectionHours {
    hours: Option<VisitHours>,
    pub zone: String,
}

impl InspectionHours {
    /// Of the widget of a lead; of one that is gone, the account's.
    pub async fn of(app: &App, tenant: &Tenant, widget: Option<&StoredWidget>) -> Result<Self, Failure> {
        // Test data follows the settings of its own, where there are any.
        let live = Tenant { environment: Environment::Production, ..*tenant };
        let mut decided = app.store.destinations().cached_notice_settings(tenant).await?;
        if decided.is_none() {
            decided = app.store.destinations().cached_notice_settings(&live).await?;
        }
        let default = NoticeSettings::default();
        let notices = Option::as_ref(&decided).unwrap_or(&default);
        let hours = match widget {
            Some(widget) => widget.settings.visit_hours(notices),
            None => WidgetSettings::default().visit_hours(notices),
        };
        let zone = hours.as_ref().map_or(&notices.time_zone, |hours| &hours.time_zone).clone();
        Ok(Self { hours, zone })
    }

    pub(crate) fn into_hours(self) -> Option<VisitHours> {
        self.hours
    }

    /// Half hours of a wish at which an inspection may start. What the company has not said is the usual.
    pub fn starts(&self, wish: Wish) -> Vec<TimeOfDay> {
        let usual = match wish.part {
            DayPart::Morning => (8 * 60, 12 * 60),
            DayPart::Afternoon => (12 * 60, 17 * 60),
            DayPart::Evening => (17 * 60, 20 * 60),
        };
        let own = self.hours.as_ref().and_then(|hours| hours.on(wish.date.weekday(), wish.part));
        let (from, to) = own.map_or(usual, |Hours { from, to }| (from.minutes(), to.minutes()));
        (from.div_ceil(30)..to.div_ceil(30)).filter_map(|half| TimeOfDay::from_minutes(half * 30)).collect()
    }
}

/// Whether this homeowner can be told by mail.
pub fn mails_homeowner(app: &App, lead: &Lead) -> bool {
    app.mail.is_some() && lead.email.is_some() && lead.email_problem.is_none()
}

pub(crate) fn telling(app: &App, lead: &Lead) -> Telling {
    Telling { homeowner: mails_homeowner(app, lead), team: app.mail.is_some(), remind_at: None }
}

/// Books an inspection, or moves the one that the form showed.
pub async fn book(
    app: &App,
    tenant: &Tenant,
    lead: &Lead,
    by: &User,
    (form, seen, allowed): (&BookingForm<'_>, &str, &[LeadId]),
) -> Result<BookOutcome, Failure> {
    let widget = app.store.widgets().find_of_lead(tenant, lead.widget_id).await?;
    let hours = InspectionHours::of(app, tenant, widget.as_deref()).await?;
    let now = app.clock.now();
    let booking = match Booking::parse(form, (&hours.zone, &zone_of(&hours.zone)), now) {
        Ok(booking) => booking,
        Err(broken) => return Ok(BookOutcome::Broken(broken)),
    };
    let telling = Telling { remind_at: reminder_at(&booking.time, now), ..telling(app, lead) };
    let order = BookingOrder { booking: &booking, seen, allowed, telling };
    Ok(BookOutcome::Stored(app.store.leads().book(tenant, lead.id, by, order).await?))
}

/// Both sides are told.
pub async fn cancel(app: &App, tenant: &Tenant, lead: &Lead, by: Canceler<'_>, seen: &str) -> Result<Booked, Failure> {
    Ok(app.store.leads().cancel_appointment(tenant, lead.id, by, seen, telling(app, lead)).await?)
}

pub async fn end(
    app: &App,
    tenant: &Tenant,
    lead: &Lead,
    by: &User,
    (outcome, seen): (Outcome, &str),
) -> Result<Booked, Failure> {
    Ok(app.store.leads().end_appointment(tenant, lead.id, by, outcome, seen).await?)
}

/// What a homeowner does on the page of an inspection.
#[derive(Debug, Clone, Copy)]
pub enum HomeownerAnswer {
    Agree,
    OtherTime(Wish),
    Cancel(Option<CancelReason>),
}

/// `None`: too late, or there is nothing left to change.
pub async fn answer(
    app: &App,
    tenant: &Tenant,
    lead: &Lead,
    (now, seen): (&Appointment, &str),
    answer: HomeownerAnswer,
) -> Result<Option<Booked>, Failure> {
    let openness = now.openness(app.clock.now());
    let agrees = matches!(answer, HomeownerAnswer::Agree);
    if openness != Openness::Open && !(agrees && openness == Openness::Soon) {
        return Ok(None);
    }
    let telling = telling(app, lead);
    let leads = app.store.leads();
    Ok(Some(match answer {
        HomeownerAnswer::Agree => leads.agree_to_appointment(tenant, lead.id, seen, telling).await?,
        HomeownerAnswer::OtherTime(wish) => leads.ask_other_time(tenant, lead.id, wish, seen, telling).await?,
        HomeownerAnswer::Cancel(reason) => {
            leads.cancel_appointment(tenant, lead.id, Canceler::Homeowner(reason), seen, telling).await?
        }
    }))
}

/// The homeowner's calendar file, to add by hand.
pub fn homeowner_file(app: &App, lead: &Lead, appointment: &Appointment, widget: &StoredWidget, page: &str) -> String {
    notice(app, lead, appointment, widget, InspectionReader::Homeowner { page }, lead_language(lead))
}

/// A colleague's.
pub fn team_file(
    app: &App,
    lead: &Lead,
    appointment: &Appointment,
    widget: &StoredWidget,
    (user, language, link): (&User, Language, &str),
) -> String {
    let goes = appointment.person.user == Some(user.id);
    let reader = InspectionReader::Team { name: user.name.as_str(), to: &user.email, lead: link, goes };
    notice(app, lead, appointment, widget, reader, language)
}

fn notice(
    app: &App,
    lead: &Lead,
    appointment: &Appointment,
    widget: &StoredWidget,
    reader: InspectionReader<'_>,
    language: Language,
) -> String {
    InspectionNotice {
        news: InspectionNews::Booked,
        reader,
        lead,
        appointment,
        keeps_time: false,
        widget: &widget.widget,
        reference: &reference(lead.id),
        sandbox: false,
        language,
        base_url: &app.base_url,
    }
    .file(CalendarMethod::Publish)
}
