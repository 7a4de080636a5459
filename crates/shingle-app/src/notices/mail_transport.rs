//! One mail to one mailbox.
//!
//! # Decisions
//!
//! - A notice is composed when it is sent, from the current lead, so an erased lead is in no mail and a claimed one
//!   causes no reminder. Turned down: finished mails in the queue, one more place with personal data.
//! - The account's settings turn the homeowner's copy on; a widget can only opt out. Both are checked when the copy
//!   is due. Turned down: a widget switch that could start mail the account has not chosen.

use std::sync::Arc;

use serde::Deserialize;
use shingle_deliver::mail::{MailFailureKind, Mailer, MessageId, OutgoingMail};
use shingle_deliver::{Job, Outcome, OutcomeFuture, Transport, Verdict};
use shingle_domain::event::EventKind;
use shingle_domain::inspection::InspectionState;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::mail::MailContent;
use shingle_domain::message::ToMessage;
use shingle_domain::notice::NoticeSettings;
use shingle_domain::roof::RoofDrawing;
use shingle_domain::{Email, Environment, LeadId, Tenant, Timestamp};
use shingle_notice::{
    Destination as Stopped, HomeownerCopy, Language, LeadNotice, Month, NoticeKind, NoticeTiming, PhotoUnder, Problem,
    ProblemNotice, Remedy, ReportMail,
};
use shingle_store::{
    APPOINTMENTS_OF_HOMEOWNERS, Clock, DeliveryState, DestinationKind, MailConfig, QUOTES_OF_HOMEOWNERS, Store,
    StoreError, StoredWidget,
};

use super::digest::{DigestPayload, DigestReader, ReportPayload, digest_content};
use super::links::CompanyLinks;
use super::message_id::MessageIds;
use super::messages::NoNotice;
use super::outcome;
use super::quote_answers::answered;
use super::step_reminders::reminded;
use crate::aerial::Aerial;
use crate::answers::ReplyAddress;
use crate::config::Settings;
use crate::lead_reference::reference;
use crate::monthly_report::MonthFigures;

pub struct MailTransport {
    mailer: Arc<Mailer>,
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) links: CompanyLinks,
    pub(super) ids: MessageIds,
    pub(super) settings: Settings,
    /// Where homeowners' answers go, if they come to us.
    pub(super) answers: Option<ReplyAddress>,
    aerial: Arc<Aerial>,
}

/// A mail, or why not.
pub(super) enum Prepared {
    Mail(Box<OutgoingMail>),
    Not(Box<Outcome>),
}

pub(super) type Preparation = Result<Prepared, PrepareError>;

#[derive(Debug, thiserror::Error)]
pub(super) enum PrepareError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Notice(#[from] shingle_notice::NoticeError),
    #[error("the system gave no random bytes: {0}")]
    Random(#[from] getrandom::Error),
    #[error("the stored event cannot be read")]
    Event(#[from] serde_json::Error),
}

/// Why the link to an estimate was not mailed.
#[derive(Debug, thiserror::Error)]
pub enum LinkMailError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the mail cannot be put together: {0}")]
    Content(String),
    #[error("the mail server did not take it: {0}")]
    Mail(String),
}

impl From<PrepareError> for LinkMailError {
    fn from(error: PrepareError) -> Self {
        match error {
            PrepareError::Store(error) => Self::Store(error),
            other => Self::Content(other.to_string()),
        }
    }
}

/// `data` of the event `destination.off`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OffData {
    kind: String,
    name: String,
    reason: String,
    failing_since: Option<Timestamp>,
    failures: u64,
}

/// `data` of the event `mail.refused`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RefusedData {
    lead_id: LeadId,
    reply: String,
    at: Timestamp,
}

#[derive(Deserialize)]
struct Body<T> {
    data: T,
}

impl Transport for MailTransport {
    fn deliver<'a>(&'a self, job: &'a Job) -> OutcomeFuture<'a> {
        Box::pin(async move {
            match self.prepare(job).await {
                Ok(Prepared::Mail(mail)) => self.send(job, &mail).await,
                Ok(Prepared::Not(outcome)) => *outcome,
                Err(PrepareError::Store(error)) => Outcome::try_again(error),
                Err(error) => Outcome::try_again(error.to_string()),
            }
        })
    }
}

impl MailTransport {
    /// For mails that are no events.
    pub fn mailer(&self) -> Arc<Mailer> {
        self.mailer.clone()
    }

    pub fn new(
        mailer: Arc<Mailer>,
        store: Store,
        clock: Arc<dyn Clock>,
        links: CompanyLinks,
        aerial: Arc<Aerial>,
        settings: &Settings,
    ) -> Self {
        // It was read before, with the other settings.
        let answers = settings.answers().ok().flatten();
        let settings = settings.clone();
        Self { ids: MessageIds(mailer.clone()), mailer, store, clock, links, settings, answers, aerial }
    }

    async fn send(&self, job: &Job, mail: &OutgoingMail) -> Outcome {
        let is_company = job.destination.draft.kind == DestinationKind::Mail;
        match self.mailer.send(mail).await {
            Ok(receipt) => outcome::accepted(mail, &receipt),
            Err(failure) => {
                let to_homeowner = job.destination.draft.kind == DestinationKind::Homeowner
                    || (job.destination.draft.kind == DestinationKind::Appointment
                        && [APPOINTMENTS_OF_HOMEOWNERS, QUOTES_OF_HOMEOWNERS]
                            .contains(&job.destination.draft.address.as_str()))
                    || job.delivery.event.kind == EventKind::ReplySent;
                if failure.kind == MailFailureKind::Refused && to_homeowner {
                    let lead = LeadId(job.delivery.event.resource);
                    if let Err(error) =
                        self.store.leads().mark_email_problem(&job.destination.tenant, lead, &failure.to_string()).await
                    {
                        tracing::warn!(%error, "the refusal of a homeowner's mail server cannot be kept");
                    }
                }
                outcome::failed(mail, &failure, is_company)
            }
        }
    }

    async fn prepare(&self, job: &Job) -> Preparation {
        if job.destination.draft.kind == DestinationKind::Appointment {
            return match job.delivery.event.kind {
                EventKind::StepReminder => self.step_mail_to_assignee(job).await,
                EventKind::QuoteSent | EventKind::QuoteAnswered => self.quote_mail(job).await,
                EventKind::ReplySent => self.reply_mail(job).await,
                EventKind::ReplyAnswered => self.answer_to_author(job).await,
                _ => self.appointment_mail(job).await,
            };
        }
        let settings = self.store.destinations().notice_settings(&job.destination.tenant).await?.unwrap_or_default();
        if job.destination.draft.kind == DestinationKind::Homeowner {
            return self.homeowner_copy(job, &settings).await;
        }
        let Some(to) = Email::parse(&job.destination.draft.address) else {
            return Ok(not(&NoNotice::BadAddress));
        };
        let config: MailConfig = serde_json::from_str(&job.destination.draft.config)?;
        let company_email = config.company_email;
        let steps = config.steps;
        let brand = self.store.accounts().brand(job.destination.tenant.account).await?.name;
        let from_name = Some(brand).filter(|name| !name.is_empty());
        let mailbox = Mailbox { to, from_name, language: config.language, settings: &settings, company_email, steps };
        // A lead's notice is judged where it is known whether it is still wanted; a test is asked for now.
        let kind = job.delivery.event.kind;
        if !matches!(kind, EventKind::LeadCreated | EventKind::Ping)
            && let Some(until) = NoticeTiming::of(&settings).wait_until(false, self.clock.now())
        {
            return Ok(Prepared::Not(Box::new(Outcome::new(Verdict::Postponed(until)))));
        }
        match kind {
            EventKind::LeadCreated | EventKind::InspectionAsked | EventKind::LeadAnswered => {
                self.lead_notice(job, &mailbox).await
            }
            EventKind::StepReminder => self.step_of_nobody(job, &mailbox).await,
            EventKind::QuoteAnswered => self.quote_notice(job, &mailbox).await,
            EventKind::ReplyAnswered => self.answer_notice(job, (mailbox.to, mailbox.language)).await,
            EventKind::Digest => self.digest(job, &mailbox).await,
            EventKind::Report => self.report(job, &mailbox).await,
            EventKind::DestinationOff => self.switched_off(job, &mailbox),
            EventKind::MailRefused => self.refused(job, &mailbox).await,
            EventKind::Ping => Ok(self.test(job, &mailbox)),
            _ => Ok(not(&NoNotice::OtherEvents)),
        }
    }

    async fn lead_notice(&self, job: &Job, mailbox: &Mailbox<'_>) -> Preparation {
        let tenant = &job.destination.tenant;
        let id = LeadId(job.delivery.event.resource);
        let Some(lead) = self.store.leads().find(tenant, id).await? else { return Ok(not(&NoNotice::Erased)) };
        let answers = job.delivery.event.kind == EventKind::LeadAnswered;
        let reminder = job.delivery.step > 0 && !answers;
        let visit = job.delivery.event.kind == EventKind::InspectionAsked;
        if visit && lead.inspection.as_ref().is_none_or(|asked| asked.state != InspectionState::Asked) {
            return Ok(not(&NoNotice::NoVisit));
        }
        if let Some(why) = no_notice(&lead, reminder, mailbox.settings) {
            return Ok(not(&why));
        }
        if answers && let Some(why) = no_answers(&self.store, job, &lead).await? {
            return Ok(not(&why));
        }
        let now = self.clock.now();
        let timing = NoticeTiming::of(mailbox.settings);
        if reminder {
            let times = timing.times(job.delivery.event.created_at, &mailbox.steps);
            if times.iter().all(|(step, _)| *step != job.delivery.step) {
                return Ok(not(&NoNotice::AtOnce));
            }
        }
        if let Some(until) = timing.wait_until(reminder, now) {
            return Ok(Prepared::Not(Box::new(Outcome::new(Verdict::Postponed(until)))));
        }
        let Some(widget) = self.store.widgets().find_of_lead(tenant, lead.widget_id).await? else {
            return Ok(not(&NoNotice::WidgetGone));
        };
        let (to, link) = (job.destination.id, widget.widget.link_id());
        let links = self.links.of(tenant.account);
        let page = self.store.leads().link_version(tenant, id).await?.filter(|_| lead.estimate.is_some());
        let page = page.map(|version| links.estimate_page(link, id, version, mailbox.language));
        let pdf = links.estimate_pdf(link, id, now)?;
        let photos = lead.inspection.iter().flat_map(|asked| &asked.photos);
        let photos: Result<Vec<String>, _> = photos.map(|photo| links.photo(link, id, photo.id, now)).collect();
        let under = self.photo_under(tenant, id, &widget).await?;
        let waited = (now.micros() - lead.created_at.micros()) / 60_000_000;
        let content = LeadNotice {
            lead: &lead,
            drawing: self.store.leads().drawing(tenant, id).await?.as_ref(),
            photo: under.as_ref(),
            widget: &widget.widget,
            reference: &reference(id),
            sandbox: tenant.environment == Environment::Sandbox,
            kind: match reminder {
                _ if visit => NoticeKind::Visit,
                _ if answers => NoticeKind::Answers,
                true => NoticeKind::Reminder { minutes: u64::try_from(waited).unwrap_or_default() },
                false => NoticeKind::New,
            },
            to: mailbox.to.as_str(),
            language: mailbox.language,
            time_zone: &mailbox.settings.time_zone,
            on_it: &links.on_it(link, id, to, now)?,
            portal: [&links.in_portal(id, tenant.environment), &links.notices()],
            estimate: page.as_deref().map(|page| [page, pdf.as_str()]),
            photos: &photos?,
        }
        .content()?;
        let event = job.delivery.event.id.to_string();
        let follows = visit || answers;
        let own = if follows { self.ids.event(&event, to) } else { self.ids.lead(id, to, job.delivery.step) };
        let (Some(message_id), Some(first)) = (own, self.ids.lead(id, to, 0)) else {
            return Ok(not(&NoNotice::NoId));
        };
        let mail = OutgoingMail {
            reply_to: lead.email.clone().map(|email| (format!("{} {}", lead.first_name, lead.last_name), email)),
            references: if reminder || follows { vec![first] } else { Vec::new() },
            ..self.mail(mailbox, message_id, content)
        };
        Ok(Prepared::Mail(Box::new(mail)))
    }

    /// Of a lead that is nobody's.
    async fn step_of_nobody(&self, job: &Job, mailbox: &Mailbox<'_>) -> Preparation {
        let reminded = match reminded(&self.store, job).await? {
            Ok(reminded) => reminded,
            Err(why) => return Ok(not(&why)),
        };
        if let Some(why) = no_notice(&reminded.lead, false, mailbox.settings) {
            return Ok(not(&why));
        }
        self.step_mail(job, &reminded, (mailbox.to.clone(), mailbox.language)).await
    }

    async fn quote_notice(&self, job: &Job, mailbox: &Mailbox<'_>) -> Preparation {
        let answered = match answered(&self.store, job).await? {
            Ok(answered) => answered,
            Err(why) => return Ok(not(&why)),
        };
        if let Some(why) = no_notice(&answered.lead, false, mailbox.settings) {
            return Ok(not(&why));
        }
        self.answer_mail(job, &answered, (mailbox.to.clone(), mailbox.language)).await
    }

    async fn homeowner_copy(&self, job: &Job, settings: &NoticeSettings) -> Preparation {
        let tenant = &job.destination.tenant;
        let id = LeadId(job.delivery.event.resource);
        let Some(lead) = self.store.leads().find(tenant, id).await? else { return Ok(not(&NoNotice::Erased)) };
        let Some(widget) = self.store.widgets().find_of_lead(tenant, lead.widget_id).await? else {
            return Ok(not(&NoNotice::WidgetGone));
        };
        if !widget.settings.mails_homeowner_copy(settings) {
            return Ok(not(&NoNotice::CopiesOff));
        }
        if !lead.consent.given {
            return Ok(not(&NoNotice::NoConsent));
        }
        let Some(email) = &lead.email else { return Ok(not(&NoNotice::NoEmail)) };
        let Some(mail) = self.copy_mail(tenant, &lead, &widget, settings).await? else {
            return Ok(not(&NoNotice::NoEstimate));
        };
        if !self.store.destinations().take_homeowner_copy(email, job.delivery.id).await? {
            return Ok(not(&NoNotice::CopiedToday));
        }
        Ok(Prepared::Mail(Box::new(mail)))
    }

    /// The photograph from the air for the drawing of a lead, if its widget shows one.
    async fn photo_under(
        &self,
        tenant: &Tenant,
        lead: LeadId,
        widget: &StoredWidget,
    ) -> Result<Option<PhotoUnder>, PrepareError> {
        let view = self.aerial.view(&self.store, widget.settings.aerial_photos, self.clock.now()).await?;
        let Some(view) = view else { return Ok(None) };
        let shown = self.store.leads().shown(tenant, lead).await?;
        Ok(view.under(&self.store, shown.as_ref()).await?.map(|(_, under)| under))
    }

    /// The estimate as it was shown, with its link; `None` where none was shown.
    async fn copy_mail(
        &self,
        tenant: &Tenant,
        lead: &Lead,
        widget: &StoredWidget,
        settings: &NoticeSettings,
    ) -> Result<Option<OutgoingMail>, PrepareError> {
        let Some(email) = lead.email.clone() else { return Ok(None) };
        let drawing = self.store.leads().drawing(tenant, lead.id).await?;
        let Some(version) = self.store.leads().link_version(tenant, lead.id).await? else { return Ok(None) };
        let under = self.photo_under(tenant, lead.id, widget).await?;
        let about = copy_of(lead, drawing.as_ref(), widget, tenant.environment, &settings.time_zone);
        let about = HomeownerCopy { photo: under.as_ref(), ..about };
        let links = self.links.of(tenant.account);
        let open = links.estimate_page(widget.widget.link_id(), lead.id, version, about.language);
        let (language, reference) = (about.language, reference(lead.id));
        let books = widget.settings.self_booking.on && lead.inspection.is_none();
        let pick = books.then(|| links.pick_page(widget.widget.link_id(), lead.id, version, language));
        let content = HomeownerCopy {
            open: Some(&open),
            pick: pick.as_deref(),
            reference: &reference,
            base_url: &links.base_url,
            ..about
        }
        .content()?;
        let (Some(content), Some(message_id)) = (content, self.ids.copy(lead.id)) else { return Ok(None) };
        let company = &widget.widget;
        let head = self.letterhead(tenant.account, (&company.company_name, &company.company_email)).await?;
        Ok(Some(OutgoingMail {
            to: email,
            from_name: Some(head.from_name.clone()),
            from: head.from,
            bounces_to: None,
            reply_to: Some((head.from_name, head.reply_to)),
            message_id,
            references: Vec::new(),
            list_unsubscribe: None,
            auto_submitted: true,
            date: self.clock.now(),
            language: language.tag(),
            content,
        }))
    }

    /// Mails the link to an estimate because its homeowner asks for it now. `false`: the address has had a mail within a
    /// day, or there is nothing to send.
    pub async fn mail_link(
        &self,
        tenant: &Tenant,
        lead: &Lead,
        widget: &StoredWidget,
        settings: &NoticeSettings,
    ) -> Result<bool, LinkMailError> {
        let prepared = self.copy_mail(tenant, lead, widget, settings).await?;
        let Some(mail) = prepared else { return Ok(false) };
        let email = &mail.to;
        let Some(asked) = self.store.destinations().take_asked_copy(email).await? else { return Ok(false) };
        if let Err(failure) = self.mailer.send(&mail).await {
            // It may be asked for again.
            self.store.destinations().return_homeowner_copy(email, asked).await?;
            return Err(LinkMailError::Mail(failure.to_string()));
        }
        Ok(true)
    }

    async fn digest(&self, job: &Job, mailbox: &Mailbox<'_>) -> Preparation {
        let Some(payload) = &job.delivery.event.payload else { return Ok(not(&NoNotice::Erased)) };
        let day: Body<DigestPayload> = serde_json::from_str(payload)?;
        let tenant = &job.destination.tenant;
        let Some(widget) = self.store.widgets().list(tenant).await?.into_iter().next() else {
            return Ok(not(&NoNotice::NoWidget));
        };
        let (now, links) = (self.clock.now(), self.links.of(tenant.account));
        let unsubscribe = match mailbox.company_email {
            true => None,
            false => Some(links.unsubscribe(widget.widget.link_id(), job.destination.id, now)?),
        };
        let reader = DigestReader {
            to: mailbox.to.as_str(),
            language: mailbox.language,
            time_zone: &mailbox.settings.time_zone,
            widget: &widget.widget,
            unsubscribe: unsubscribe.as_deref(),
            held_list: &links.held(tenant.environment),
            widgets: &job.destination.draft.widgets,
            links: &links,
        };
        let Some(content) = digest_content(&self.store, tenant, &day.data, &reader).await? else {
            return Ok(not(&NoNotice::NothingHeld));
        };
        let Some(message_id) = self.ids.event(job.delivery.event.id.as_str(), job.destination.id) else {
            return Ok(not(&NoNotice::NoId));
        };
        let mail = OutgoingMail {
            list_unsubscribe: unsubscribe.and_then(|link| link.parse().ok()),
            ..self.mail(mailbox, message_id, content)
        };
        Ok(Prepared::Mail(Box::new(mail)))
    }

    async fn report(&self, job: &Job, mailbox: &Mailbox<'_>) -> Preparation {
        let Some(payload) = &job.delivery.event.payload else { return Ok(not(&NoNotice::Erased)) };
        let of: Body<ReportPayload> = serde_json::from_str(payload)?;
        let Some(month) = Month::parse(&of.data.month) else { return Ok(not(&NoNotice::OtherEvents)) };
        let (tenant, draft) = (&job.destination.tenant, &job.destination.draft);
        let zone = (month, mailbox.settings.time_zone.as_str());
        let figures = MonthFigures::read(&self.store, tenant, zone, &draft.widgets, mailbox.language).await?;
        let Some(figures) = figures else { return Ok(not(&NoNotice::NoWidget)) };
        let link = figures.widget().link_id();
        let links = self.links.of(tenant.account);
        let unsubscribe = links.unsubscribe(link, job.destination.id, self.clock.now())?;
        let page = links.results(tenant.environment);
        let to = ReportMail { to: mailbox.to.as_str(), page: &page, unsubscribe: &unsubscribe };
        let Some(content) = figures.report().mail(&to)? else { return Ok(not(&NoNotice::NoLeads)) };
        let Some(message_id) = self.ids.event(job.delivery.event.id.as_str(), job.destination.id) else {
            return Ok(not(&NoNotice::NoId));
        };
        let list_unsubscribe = unsubscribe.parse().ok();
        let mail = OutgoingMail { list_unsubscribe, ..self.mail(mailbox, message_id, content) };
        Ok(Prepared::Mail(Box::new(mail)))
    }

    fn switched_off(&self, job: &Job, mailbox: &Mailbox<'_>) -> Preparation {
        let payload = job.delivery.event.payload.as_deref().unwrap_or_default();
        let off: Body<OffData> = serde_json::from_str(payload)?;
        let at = job.delivery.event.created_at;
        let problem = Problem::SwitchedOff {
            destination: match off.data.kind.as_str() {
                "webhook" => Stopped::Webhook,
                "connector" => Stopped::Connector,
                _ => Stopped::MailAddress,
            },
            name: &off.data.name,
            reason: &off.data.reason,
            at,
            failing_since: off.data.failing_since.unwrap_or(at),
            failed: off.data.failures,
            remedy: Remedy::Command(remedy(&off.data.kind)),
        };
        self.problem(job, mailbox, problem)
    }

    async fn refused(&self, job: &Job, mailbox: &Mailbox<'_>) -> Preparation {
        let payload = job.delivery.event.payload.as_deref().unwrap_or_default();
        let Ok(refused) = serde_json::from_str::<Body<RefusedData>>(payload) else { return Ok(not(&NoNotice::Erased)) };
        let id = refused.data.lead_id;
        let Some(lead) = self.store.leads().find(&job.destination.tenant, id).await? else {
            return Ok(not(&NoNotice::Erased));
        };
        let problem = Problem::HomeownerBounced {
            lead: &lead,
            reference: &reference(id),
            reply: &refused.data.reply,
            at: refused.data.at,
            link: &self.links.of(job.destination.tenant.account).in_portal(id, job.destination.tenant.environment),
        };
        self.problem(job, mailbox, problem)
    }

    fn problem(&self, job: &Job, mailbox: &Mailbox<'_>, problem: Problem<'_>) -> Preparation {
        let content = ProblemNotice {
            problem,
            to: mailbox.to.as_str(),
            language: mailbox.language,
            time_zone: &mailbox.settings.time_zone,
        }
        .content();
        let id = self.ids.event(job.delivery.event.id.as_str(), job.destination.id);
        Ok(id.map_or_else(|| not(&NoNotice::NoId), |id| Prepared::Mail(Box::new(self.mail(mailbox, id, content)))))
    }

    fn test(&self, job: &Job, mailbox: &Mailbox<'_>) -> Prepared {
        let text = "This is a test. Notices of new leads come to this address.";
        let content = MailContent {
            subject: "Test of your notices".to_owned(),
            text: text.to_owned(),
            html: format!("<!doctype html><html lang=\"en\"><title>Test</title><p>{text}</p></html>"),
            ..MailContent::default()
        };
        let id = self.ids.event(job.delivery.event.id.as_str(), job.destination.id);
        id.map_or_else(|| not(&NoNotice::NoId), |id| Prepared::Mail(Box::new(self.mail(mailbox, id, content))))
    }

    fn mail(&self, mailbox: &Mailbox<'_>, message_id: MessageId, content: MailContent) -> OutgoingMail {
        OutgoingMail {
            to: mailbox.to.clone(),
            from_name: mailbox.from_name.clone(),
            from: None,
            bounces_to: None,
            reply_to: None,
            message_id,
            references: Vec::new(),
            list_unsubscribe: None,
            auto_submitted: true,
            date: self.clock.now(),
            language: mailbox.language.tag(),
            content,
        }
    }
}

/// A mailbox of the company.
struct Mailbox<'a> {
    to: Email,
    /// Of the company's own brand.
    from_name: Option<String>,
    language: Language,
    settings: &'a NoticeSettings,
    /// It follows a widget's `companyEmail`.
    company_email: bool,
    /// Minutes after a lead came in.
    steps: Vec<u32>,
}

pub(super) fn not(reason: &NoNotice) -> Prepared {
    Prepared::Not(Box::new(Outcome::skipped(reason.to_message())))
}

/// Why nobody is notified of this lead now.
pub(super) fn no_notice(lead: &Lead, reminder: bool, settings: &NoticeSettings) -> Option<NoNotice> {
    if settings.muted_widgets.contains(&lead.widget_id) {
        return Some(NoNotice::Muted);
    }
    if lead.status == LeadStatus::Spam {
        return Some(NoNotice::Spam);
    }
    let since = lead.first_touch_at.filter(|_| reminder)?.to_string();
    Some(match lead.taken_by.clone() {
        Some(by) => NoNotice::Taken { by, since },
        None => NoNotice::TakenBySomebody { since },
    })
}

/// Why no notice of answers goes there: what is sent later of the lead has them anyway.
pub(super) async fn no_answers(store: &Store, job: &Job, lead: &Lead) -> Result<Option<NoNotice>, StoreError> {
    if lead.answers.is_empty() {
        return Ok(Some(NoNotice::NoAnswers));
    }
    let (tenant, event) = (&job.destination.tenant, &job.delivery.event);
    let sent = store.deliveries().list_of(tenant, event.resource).await?;
    let is_behind = sent.iter().any(|delivery| {
        delivery.destination == job.destination.id
            && delivery.kind == EventKind::LeadCreated
            && delivery.state == DeliveryState::Delivered
            && delivery.first_attempt_at.is_some_and(|at| at <= event.created_at)
    });
    Ok((!is_behind).then_some(NoNotice::AnswersSent))
}

/// A homeowner's copy without reference, link and the address of this server.
pub fn copy_of<'a>(
    lead: &'a Lead,
    drawing: Option<&'a RoofDrawing>,
    widget: &'a StoredWidget,
    environment: Environment,
    time_zone: &'a str,
) -> HomeownerCopy<'a> {
    let language = lead_language(lead);
    HomeownerCopy {
        lead,
        drawing,
        photo: None,
        widget: &widget.widget,
        base_url: "",
        reference: "",
        sandbox: environment == Environment::Sandbox,
        open: None,
        pick: None,
        includes: widget.settings.price_includes(language),
        language,
        time_zone,
    }
}

/// The language in which the homeowner read the flow.
pub fn lead_language(lead: &Lead) -> Language {
    lead.source.language
}

/// How a destination is switched on again.
fn remedy(kind: &str) -> &'static str {
    match kind {
        "webhook" => "PATCH /api/v1/webhooks/{webhookId} with {\"active\":true}",
        "connector" => "PATCH /api/v1/destinations/{id} with {\"active\":true}",
        _ => "shingle notice set --account ID --to ADDRESS",
    }
}
