//! The inspection on the page of a lead: what is shown of it, and the forms that book, move, cancel and end it.

use std::collections::HashMap;
use std::time::Duration;

use axum::http::StatusCode;
use shingle_domain::appointment::{Appointment, AppointmentState, LocalMoment, Nearness, Outcome, nearness};
use shingle_domain::event::EventKind;
use shingle_domain::inspection::{InspectionState, Wish};
use shingle_domain::lead::Lead;
use shingle_domain::notice::TimeOfDay;
use shingle_domain::rules::{BookingField, BookingForm, BookingProblem};
use shingle_domain::text::is_clean;
use shingle_domain::{Environment, LeadId, Tenant, Timestamp, UserId};
use shingle_notice::zone_of;
use shingle_portal::{
    AppointmentView, Hours, LeadDelivery, NearInspection, Notice, ReadyText, ToldLine, TypedFields, WishStarts,
    booking_problem, date_and_time, phrase, translated,
};
use shingle_store::{
    APPOINTMENTS_OF_HOMEOWNERS, Booked, Canceler, DeliveryState, DestinationKind, EntryKind, LeadEntry, LeadWork,
    OwnerChange, StoreError, StoredWidget, User,
};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::state::Web;
use crate::web::error::ApiResult;
use shingle_app::appointments::{self, BookOutcome, InspectionHours};
use shingle_app::chores::MAX_DELIVERY_AGE;
use shingle_app::notices::lead_language;
use shingle_app::tokens::inspection_path;

/// Minutes that are looked at around a proposed start.
const USUAL_MINUTES: u64 = 45;
/// What is looked at around an inspection.
const AROUND: Duration = Duration::from_secs(30 * 60);
/// Letters of what is told on.
const MAX_WORD: usize = 300;

/// What the page shows.
pub(super) struct Inspection {
    now: Option<Appointment>,
    is_begun: bool,
    has_left: bool,
    zone: String,
    who: String,
    wishes: Vec<WishStarts>,
    told: Vec<ToldLine>,
    text: Option<ReadyText>,
    page: Option<String>,
    near: Vec<NearInspection>,
    mails: [bool; 2],
}

/// What else is known of the lead.
pub(super) struct Around<'a> {
    pub work: &'a LeadWork,
    pub entries: &'a [LeadEntry],
    pub deliveries: &'a [LeadDelivery],
    /// Ids and names of the company's people.
    pub people: &'a [(String, String)],
    pub hours: &'a Hours,
}

impl Inspection {
    pub async fn read(
        web: &Web,
        signed: &Signed,
        tenant: &Tenant,
        lead: &Lead,
        around: &Around<'_>,
    ) -> ApiResult<Self> {
        let widget = web.store.widgets().find_of_lead(tenant, lead.widget_id).await?;
        let hours = InspectionHours::of(web, tenant, widget.as_deref()).await?;
        let now = web.store.leads().appointment(tenant, lead.id).await?;
        let at = web.clock.now();
        let who = around.work.assignee.as_ref().map(|(id, _)| *id);
        let who = who.or((signed.user.account == Some(tenant.account)).then_some(signed.user.id));
        let is_one = |id: UserId| around.people.iter().any(|(known, _)| *known == id.to_string());
        let page = page_of(web, tenant, lead, widget.as_deref()).await?;
        let stands = now.as_ref().filter(|now| now.state.stands());
        Ok(Self {
            is_begun: stands.is_some_and(|now| now.time.at <= at),
            has_left: stands.and_then(|now| now.person.user).is_some_and(|id| !is_one(id)),
            wishes: wishes(web, tenant, lead, now.as_ref(), (&hours, who)).await?,
            told: now.as_ref().map_or_else(Vec::new, |now| told(signed, now, lead, around, at)),
            text: stands.and_then(|now| text(lead, now, widget.as_deref(), page.as_deref(), around.entries)),
            near: match stands {
                Some(now) => near(web, tenant, lead.id, now).await?,
                None => Vec::new(),
            },
            page: page.filter(|_| now.is_some()),
            who: who.map(|id| id.to_string()).unwrap_or_default(),
            zone: hours.zone,
            mails: [appointments::mails_homeowner(web, lead), web.mail.is_some()],
            now,
        })
    }

    pub fn view(&self) -> AppointmentView<'_> {
        AppointmentView {
            now: self.now.as_ref(),
            is_begun: self.is_begun,
            has_left: self.has_left,
            zone: &self.zone,
            who: &self.who,
            wishes: &self.wishes,
            told: &self.told,
            text: self.text.as_ref().map(|text| ReadyText {
                href: text.href.clone(),
                body: text.body.clone(),
                is_sent: text.is_sent,
            }),
            page: self.page.as_deref(),
            near: &self.near,
            mails: self.mails,
        }
    }
}

async fn page_of(web: &Web, tenant: &Tenant, lead: &Lead, widget: Option<&StoredWidget>) -> ApiResult<Option<String>> {
    let Some(widget) = widget else { return Ok(None) };
    let version = web.store.leads().link_version(tenant, lead.id).await?;
    Ok(version.map(|version| {
        let path = inspection_path(widget.widget.link_id(), &web.tokens.link(lead.id, version));
        format!("{}{path}", web.own_domains.base_of(tenant.account))
    }))
}

/// The homeowner's times with the half hours in them, and whether the one who would go is busy then.
async fn wishes(
    web: &Web,
    tenant: &Tenant,
    lead: &Lead,
    now: Option<&Appointment>,
    (hours, who): (&InspectionHours, Option<UserId>),
) -> ApiResult<Vec<WishStarts>> {
    let asked = lead.inspection.as_ref().filter(|asked| asked.state != InspectionState::Declined);
    let other = now.and_then(|now| match &now.state {
        AppointmentState::OtherAsked { wish } => Some(*wish),
        _ => None,
    });
    let mut all: Vec<Wish> = other.into_iter().collect();
    all.extend(asked.into_iter().flat_map(|asked| &asked.wishes).filter(|wish| Some(**wish) != other));
    let (at, rules) = (web.clock.now(), zone_of(&hours.zone));
    let mut found = Vec::new();
    for wish in all {
        let moment = |time: &TimeOfDay| {
            LocalMoment::resolve(wish.date, *time, (&hours.zone, &rules), None).ok().filter(|moment| moment.at > at)
        };
        let starts: Vec<(TimeOfDay, Timestamp)> =
            hours.starts(wish).iter().filter_map(|time| moment(time).map(|moment| (*time, moment.at))).collect();
        let taken = match (starts.first(), starts.last(), who) {
            (Some((_, first)), Some((_, last)), Some(who)) => {
                let span = (*first, *last + Duration::from_secs(USUAL_MINUTES * 60));
                web.store.leads().appointments_between(tenant, Some(who), span).await?
            }
            _ => Vec::new(),
        };
        let is_busy = |start: Timestamp| {
            let end = start + Duration::from_secs(USUAL_MINUTES * 60);
            taken.iter().any(|(of, other)| {
                *of != lead.id && nearness((start, end), (other.time.at, other.ends_at())) == Some(Nearness::Overlap)
            })
        };
        found.push(WishStarts {
            wish,
            is_past: starts.is_empty(),
            starts: starts.iter().map(|(time, start)| (*time, is_busy(*start))).collect(),
        });
    }
    Ok(found)
}

/// Other inspections of the same person that overlap or are tight.
async fn near(web: &Web, tenant: &Tenant, lead: LeadId, now: &Appointment) -> ApiResult<Vec<NearInspection>> {
    let Some(user) = now.person.user else { return Ok(Vec::new()) };
    let span = (now.time.at - AROUND, now.ends_at() + AROUND);
    let others = web.store.leads().appointments_between(tenant, Some(user), span).await?;
    let others: Vec<_> = others.into_iter().filter(|(of, _)| *of != lead).collect();
    let names = names(web, tenant, others.iter().map(|(of, _)| *of)).await?;
    Ok(others
        .into_iter()
        .filter_map(|(of, other)| {
            let name = names.get(&of).cloned().unwrap_or_default();
            now.nearness(&other).map(|nearness| NearInspection { nearness, name, appointment: other })
        })
        .collect())
}

async fn names(web: &Web, tenant: &Tenant, ids: impl Iterator<Item = LeadId>) -> ApiResult<HashMap<LeadId, String>> {
    let leads = web.store.leads().by_id(tenant, &ids.collect::<Vec<_>>()).await?;
    let name = |lead: &Lead| format!("{} {}", lead.first_name, lead.last_name).trim().to_owned();
    Ok(leads.iter().map(|lead| (lead.id, name(lead))).collect())
}

/// Who knows, who will, and who does not. An email is called delivered when a mail server took it.
fn told(signed: &Signed, now: &Appointment, lead: &Lead, around: &Around<'_>, at: Timestamp) -> Vec<ToldLine> {
    let language = signed.language;
    let first = match lead.first_name.trim() {
        "" => translated(language, "the homeowner"),
        first => first,
    };
    let of_this = |kinds: &'static [EventKind], to_homeowner: bool| {
        let found = around.deliveries.iter().filter(move |of| {
            of.kind == DestinationKind::Appointment
                && (of.to == APPOINTMENTS_OF_HOMEOWNERS) == to_homeowner
                && kinds.contains(&of.delivery.kind)
                && of.delivery.created_at >= now.since
        });
        found.map(|of| &of.delivery)
    };
    let mut lines = Vec::new();
    let say = |english: &str| phrase(language, english, &[("name", first)]);
    match of_this(NEWS, true).next_back() {
        Some(delivery) => {
            let (class, said) = match delivery.state {
                DeliveryState::Delivered => ("well", say("Email to {name} delivered")),
                DeliveryState::Pending | DeliveryState::Waiting => ("", say("Email to {name} is on its way")),
                DeliveryState::Failed | DeliveryState::Skipped => {
                    ("broken", say("Email to {name} was not delivered. Call or text."))
                }
            };
            let at = delivery.completed_at.unwrap_or(delivery.created_at);
            lines.push(ToldLine { class, said, at: Some(around.hours.age(at)) });
        }
        // Deliveries are kept for a while; after it nothing says whether there was one.
        None if now.since + MAX_DELIVERY_AGE <= at => {}
        None => lines.push(ToldLine { class: "look", said: say("{name} got no email. Call or text."), at: None }),
    }
    let team: Vec<_> = of_this(NEWS, false).collect();
    if let Some(last) = team.last() {
        let any = |state: DeliveryState| team.iter().any(|delivery| delivery.state == state);
        let (class, said) = match () {
            () if any(DeliveryState::Failed) => ("broken", "A calendar file to the team was not delivered"),
            () if any(DeliveryState::Pending) || any(DeliveryState::Waiting) => {
                ("", "Calendar file to the team is on its way")
            }
            () if any(DeliveryState::Delivered) => ("well", "Calendar file to the team delivered"),
            () => ("broken", "The team got no calendar file"),
        };
        let said = translated(language, said);
        let at = last.completed_at.unwrap_or(last.created_at);
        lines.push(ToldLine { class, said: said.to_owned(), at: Some(around.hours.age(at)) });
    }
    if now.state.stands()
        // The homeowner's, where there is one: the team looks here.
        && let Some(reminder) = of_this(REMINDER, true).next_back().or_else(|| of_this(REMINDER, false).next_back())
    {
        let (class, said) = match reminder.state {
            DeliveryState::Delivered => ("well", translated(language, "Reminder delivered")),
            DeliveryState::Pending | DeliveryState::Waiting => ("", translated(language, "Reminder")),
            DeliveryState::Failed | DeliveryState::Skipped => ("broken", translated(language, "No reminder was sent")),
        };
        lines.push(ToldLine { class, said: said.to_owned(), at: Some(around.hours.full(reminder.due_at)) });
    }
    if let Some(texted) = around.entries.iter().find(|entry| entry.kind == EntryKind::Texted && entry.at >= now.since) {
        let said = phrase(language, "Text sent by {name}", &[("name", &texted.author)]);
        lines.push(ToldLine { class: "well", said, at: Some(around.hours.age(texted.at)) });
    }
    lines
}

const NEWS: &[EventKind] = &[EventKind::InspectionBooked, EventKind::InspectionMoved, EventKind::InspectionCanceled];
const REMINDER: &[EventKind] = &[EventKind::InspectionReminder];

/// For a homeowner who agreed to texts, in the homeowner's language.
fn text(
    lead: &Lead,
    now: &Appointment,
    widget: Option<&StoredWidget>,
    page: Option<&str>,
    entries: &[LeadEntry],
) -> Option<ReadyText> {
    let phone = lead.phone.as_ref().filter(|_| lead.consent.given)?;
    let language = lead_language(lead);
    let time = date_and_time(language, now.time.date, now.time.time);
    let with = [
        ("name", lead.first_name.trim()),
        ("person", now.person.name.as_str()),
        ("company", widget.map_or("", |widget| widget.widget.company_name.as_str())),
        ("place", now.place.split(',').next().unwrap_or_default()),
        ("time", &time),
        ("link", page?),
    ];
    let body =
        phrase(language, "Hi {name}, {person} from {company} will be at {place} {time}. Move or cancel: {link}", &with);
    let escaped: String = url::form_urlencoded::byte_serialize(body.as_bytes()).collect::<String>().replace('+', "%20");
    Some(ReadyText {
        href: format!("sms:{}?&body={escaped}", phone.dialled()),
        body,
        is_sent: entries.iter().any(|entry| entry.kind == EntryKind::Texted && entry.at >= now.since),
    })
}

/// What follows a form.
pub(super) enum Answer {
    /// The page says this.
    Back(&'static str),
    /// The page again, with what was typed and why it was refused.
    Refused { typed: TypedFields, notice: Option<Notice>, status: StatusCode },
}

impl Answer {
    fn of(booked: &Booked, said: &'static str) -> Self {
        match booked {
            Booked::Done(_) => Self::Back(said),
            _ => Self::changed(TypedFields::default()),
        }
    }

    /// Somebody else was faster; the page shows what is booked now.
    fn changed(typed: TypedFields) -> Self {
        let text =
            "Someone changed the inspection after you opened this page. This is what’s booked now; nothing was saved.";
        let notice = Some(Notice { text: text.into(), is_wrong: true });
        Self::Refused { typed, notice, status: StatusCode::CONFLICT }
    }
}

pub(super) async fn book(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Lead,
    form: &PortalForm,
) -> ApiResult<Answer> {
    let (start_of_wish, day_of_wish) = (format!("start-{}", form.text("wish")), format!("day-{}", form.text("wish")));
    // The day comes with the form: the homeowner may have changed the wishes since it was opened.
    let is_wish = !matches!(form.text("wish"), "other" | "");
    let (date, start) = match is_wish {
        true => (form.text(&day_of_wish), form.text(&start_of_wish)),
        false => (form.text("date"), form.text("start")),
    };
    let fields = BookingForm {
        date,
        start,
        which: form.text("which"),
        minutes: form.text("minutes"),
        user: form.text("person"),
        other: form.text("other"),
        place: form.text("place"),
        line: form.text("line"),
    };
    // Those that were shown: another person's, or those of another time, are asked about again.
    let allowed: Vec<LeadId> = form.text("anyway").split(',').filter_map(|id| id.parse().ok()).collect();
    let outcome = appointments::book(web, tenant, lead, &signed.user, (&fields, form.text("seen"), &allowed)).await?;
    let mut typed = TypedFields::default();
    for (name, value) in form.pairs().filter(|(name, _)| !matches!(*name, "seen" | "anyway" | "which")) {
        typed.set(name, value);
    }
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    Ok(match outcome {
        BookOutcome::Broken(broken) => {
            for (field, problem) in broken {
                let name = name_of(field);
                if problem == BookingProblem::Twice {
                    typed.set("which", "");
                }
                // What belongs to a field that the chosen time does not show is said on top.
                let name = if is_wish && matches!(name, "date" | "start") { "" } else { name };
                typed.refuse(name, booking_problem(signed.language, problem));
            }
            Answer::Refused { typed, notice: None, status }
        }
        BookOutcome::Stored(Booked::Done(now)) => Answer::Back(if now.sequence == 0 { "booked" } else { "moved" }),
        BookOutcome::Stored(Booked::Changed(_)) => Answer::changed(TypedFields::default()),
        BookOutcome::Stored(Booked::NotColleague) => {
            typed.refuse("person", "This person is no longer on the team. Choose someone else.");
            Answer::Refused { typed, notice: None, status }
        }
        BookOutcome::Stored(Booked::Overlaps(others)) => {
            let names = names(web, tenant, others.iter().map(|(of, _)| *of)).await?;
            // Who does not see the other lead learns that the time is taken, and no more.
            if others.iter().any(|(of, _)| !names.contains_key(of)) {
                typed.refuse("person", "This person is busy then. Choose someone else or another time.");
                return Ok(Answer::Refused { typed, notice: None, status });
            }
            let said = others.iter().map(|(of, other)| {
                let time = date_and_time(signed.language, other.time.date, other.time.time);
                let lead = names.get(of).map(String::as_str).unwrap_or_default();
                let with = [("name", other.person.name.as_str()), ("lead", lead), ("time", &time)];
                phrase(signed.language, "{name} already has {lead} then: {time}.", &with)
            });
            let said = said.collect::<Vec<_>>().join(" ");
            let hint = translated(signed.language, "Pick another person or time, or book both.");
            let shown: Vec<String> = others.iter().map(|(of, _)| of.to_string()).collect();
            typed.set("anyway", shown.join(","));
            typed.refuse("", format!("{said} {hint}"));
            Answer::Refused { typed, notice: None, status }
        }
    })
}

/// Under which names the form has its fields.
const NAMES: [(BookingField, &str); 6] = [
    (BookingField::Date, "date"),
    (BookingField::Start, "start"),
    (BookingField::Minutes, "minutes"),
    (BookingField::Person, "person"),
    (BookingField::Place, "place"),
    (BookingField::Line, "line"),
];

fn name_of(of: BookingField) -> &'static str {
    NAMES.iter().find(|(field, _)| *field == of).map_or("", |(_, name)| name)
}

pub(super) async fn cancel(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Lead,
    form: &PortalForm,
) -> ApiResult<Answer> {
    let word: String =
        form.text("word").chars().filter(|c| is_clean(c.encode_utf8(&mut [0; 4]))).take(MAX_WORD).collect();
    let word = Some(word.as_str()).filter(|word| !word.is_empty());
    let by = Canceler::Colleague { user: &signed.user, word };
    let canceled = appointments::cancel(web, tenant, lead, by, form.text("seen")).await?;
    Ok(Answer::of(&canceled, "canceled"))
}

pub(super) async fn end(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Lead,
    form: &PortalForm,
) -> ApiResult<Answer> {
    let Some(outcome) = Outcome::parse(form.text("outcome")) else { return Ok(Answer::Back("unknown")) };
    let ended = appointments::end(web, tenant, lead, &signed.user, (outcome, form.text("seen"))).await?;
    Ok(Answer::of(&ended, "saved"))
}

/// Refused while an inspection is booked: both calendars have it.
pub(super) async fn decline(web: &Web, tenant: &Tenant, lead: LeadId) -> ApiResult<Answer> {
    let change = OwnerChange { inspection: Some(InspectionState::Declined), ..OwnerChange::default() };
    match web.store.leads().change(tenant, lead, &change).await {
        Ok(_) => Ok(Answer::Back("saved")),
        Err(StoreError::InspectionBooked) => Ok(Answer::changed(TypedFields::default())),
        Err(error) => Err(error.into()),
    }
}

pub(super) async fn texted(web: &Web, tenant: &Tenant, lead: LeadId, by: &User) -> ApiResult<Answer> {
    match web.store.leads().note_texted(tenant, lead, by).await? {
        true => Ok(Answer::Back("saved")),
        false => Ok(Answer::changed(TypedFields::default())),
    }
}

/// The calendar file of a colleague.
pub(super) async fn file(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead) -> ApiResult<Option<String>> {
    let now = web.store.leads().appointment(tenant, lead.id).await?;
    let widget = web.store.widgets().find_of_lead(tenant, lead.widget_id).await?;
    let (Some(now), Some(widget)) = (now.filter(|now| now.state.stands()), widget) else { return Ok(None) };
    let data = if tenant.environment == Environment::Sandbox { "?data=sandbox" } else { "" };
    let link = format!("{}/portal/leads/{}{data}", web.own_domains.base_of(tenant.account), lead.id);
    Ok(Some(appointments::team_file(web, lead, &now, &widget, (&signed.user, signed.language, &link))))
}
