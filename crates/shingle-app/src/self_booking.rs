//! Inspections that homeowners book themselves, where the company lets them.

use jiff::tz::TimeZone;
use shingle_domain::appointment::{Appointment, Attendant, LocalMoment, MAX_PLACE, Openness};
use shingle_domain::free_times::{FreeDay, OpenTimes, Span};
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::rules::Booking;
use shingle_domain::settings::{SelfBooking, VisitHours};
use shingle_domain::{Language, Tenant, Timestamp};
use shingle_notice::{reminder_at, zone_of};
use shingle_portal::clock;
use shingle_store::{Booked, PickedTime, StoredWidget, Telling};
use shingle_widget::ssr::part::{FreeOffer, short_day};
use shingle_widget::words::flow_words;

use crate::app::App;
use crate::appointments::{InspectionHours, telling};
use crate::failure::Failure;
use crate::self_booking_words::pick_words;

/// In the flow.
const OFFERED_DAYS: usize = 3;
const OFFERED_TIMES: usize = 4;

/// The times of one widget, read at one moment.
pub struct PickableTimes {
    hours: VisitHours,
    rules: TimeZone,
    of: SelfBooking,
    now: Timestamp,
}

impl PickableTimes {
    /// `None`: homeowners of this widget book nothing themselves, or the company has not said when it visits. A lead
    /// that is held as spam books nothing, either.
    pub async fn of(app: &App, tenant: &Tenant, lead: &Lead, widget: &StoredWidget) -> Result<Option<Self>, Failure> {
        let of = &widget.settings.self_booking;
        if !of.on || lead.status == LeadStatus::Spam {
            return Ok(None);
        }
        let Some(hours) = InspectionHours::of(app, tenant, Some(widget)).await?.into_hours() else { return Ok(None) };
        let rules = zone_of(&hours.time_zone);
        Ok(Some(Self { hours, rules, of: of.clone(), now: app.clock.now() }))
    }

    pub fn zone(&self) -> &str {
        &self.hours.time_zone
    }

    fn times(&self) -> OpenTimes<'_> {
        OpenTimes { hours: &self.hours, rules: &self.rules, of: &self.of, now: self.now }
    }

    /// What this homeowner can pick now.
    pub async fn free(&self, app: &App, tenant: &Tenant, lead: &Lead) -> Result<Vec<FreeDay>, Failure> {
        Ok(self.times().days(&self.taken(app, tenant, lead).await?))
    }

    async fn taken(&self, app: &App, tenant: &Tenant, lead: &Lead) -> Result<Vec<Span>, Failure> {
        Ok(app.store.leads().taken_times(tenant, lead, self.times().reach()).await?)
    }
}

/// What the flow shows of them: the first days, with the first times of each.
pub async fn offer(
    app: &App,
    (tenant, lead, widget): (&Tenant, &Lead, &StoredWidget),
    path: &str,
    language: Language,
) -> Result<Option<FreeOffer>, Failure> {
    let Some(times) = PickableTimes::of(app, tenant, lead, widget).await? else { return Ok(None) };
    let days = times.free(app, tenant, lead).await?;
    let page = format!("{}{path}?lang={}", app.own_domains.base_of(tenant.account), language.tag());
    let time = |time: &LocalMoment| [clock(language, time.time), format!("{page}&time={}", time.at.seconds())];
    let day = |day: &FreeDay| {
        let name = short_day(flow_words(language), day.date);
        (name, spread(&day.times).into_iter().map(time).collect())
    };
    let words = pick_words(language);
    let offer = FreeOffer {
        title: words.title,
        lead: words.part_lead,
        days: days.iter().take(OFFERED_DAYS).map(day).collect(),
        all: [words.part_all.to_owned(), page.clone()],
        or: words.part_or,
    };
    Ok((!days.is_empty()).then_some(offer))
}

/// A few over the whole day.
fn spread(times: &[LocalMoment]) -> Vec<&LocalMoment> {
    let step = times.len().div_ceil(OFFERED_TIMES).max(1);
    times.iter().step_by(step).collect()
}

/// Whether an inspection that stands can still be moved by its homeowner; one that does not stand leaves everything open.
pub fn may_pick(now: Option<&Appointment>, at: Timestamp) -> bool {
    let standing = now.filter(|now| now.state.stands());
    standing.is_none_or(|now| now.openness(at) == Openness::Open)
}

/// `None`: this time is not offered, or not any more.
pub async fn book(
    app: &App,
    (tenant, lead, widget): (&Tenant, &Lead, &StoredWidget),
    times: &PickableTimes,
    (at, seen): (Timestamp, &str),
) -> Result<Option<Booked>, Failure> {
    let leads = app.store.leads();
    let now = leads.appointment(tenant, lead.id).await?;
    // The same form again, after it has booked.
    if let Some(same) = now.as_ref().filter(|now| now.state.stands() && now.time.at == at) {
        return Ok(Some(Booked::Done(same.clone())));
    }
    if !may_pick(now.as_ref(), times.now) {
        return Ok(Some(Booked::Changed(now)));
    }
    let Some(time) = times.times().find(at, &times.taken(app, tenant, lead).await?) else { return Ok(None) };
    let wish = time.wish();
    let telling = Telling { remind_at: reminder_at(&time, times.now), ..telling(app, lead) };
    let person = Attendant { user: None, name: widget.widget.company_name.clone() };
    let place = lead.address.chars().take(MAX_PLACE).collect();
    let booking = Booking { time, minutes: times.of.minutes, person, place, line: None };
    let picked = PickedTime { booking: &booking, wish, seen, rules: &times.of, telling };
    match leads.book_as_homeowner(tenant, lead.id, picked).await? {
        Booked::Overlaps(_) => Ok(None),
        booked => Ok(Some(booked)),
    }
}
