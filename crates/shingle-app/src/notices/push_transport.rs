//! A line about one new lead to one browser.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shingle_deliver::Method;
use shingle_deliver::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use shingle_deliver::header::{HeaderMap, HeaderValue};
use shingle_deliver::push::{PushKeys, VapidKey};
use shingle_deliver::{
    Egress, ExchangeLimits, IncomingResponse, Job, Outcome, OutcomeFuture, OutgoingRequest, Transport, Verdict,
    parse_retry_after,
};
use shingle_domain::event::EventKind;
use shingle_domain::lead::Lead;
use shingle_domain::message::ToMessage;
use shingle_domain::{Environment, LeadId, Tenant, UserId};
use shingle_notice::NoticeTiming;
use shingle_portal::{Language, clock, phrase, translated};
use shingle_store::{AnsweredEmail, Clock, Destination, PushReader, ReplyAnswer, Store, StoreError};
use shingle_widget::ssr::part::wish_text;
use shingle_widget::words::{flow_words, thousands, urgent, wants};

use super::links::lead_path;
use super::mail_transport::{no_answers, no_notice};
use super::messages::{NoNotice, PushFailure};
use super::quote_answers::answered;
use super::reply_mail::other_sender;
use super::step_reminders::{Reminded, reminded};

/// A push service keeps it so long for a phone that is off: a lead of yesterday is no news.
const KEPT_SECONDS: i64 = 24 * 3_600;
const MAX_RESPONSE_BYTES: usize = 1_024;
const MAX_LINE: usize = 120;

/// In the destination's `config`.
#[derive(Serialize, Deserialize)]
pub struct PushConfig {
    /// The key under which the browser subscribed: it takes messages of no other.
    pub key: String,
    /// As people know it.
    pub browser: String,
}

/// In the destination's `secrets`.
#[derive(Serialize, Deserialize)]
pub struct PushSecrets {
    pub endpoint: String,
    #[serde(flatten)]
    pub keys: PushKeys,
}

pub struct PushTransport {
    pub egress: Arc<Egress>,
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    pub key: VapidKey,
    /// The installation's, without a slash at the end.
    pub base_url: String,
}

/// What the worker of the portal shows.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Shown {
    title: String,
    body: String,
    path: String,
}

impl Transport for PushTransport {
    fn deliver<'a>(&'a self, job: &'a Job) -> OutcomeFuture<'a> {
        Box::pin(async move {
            match self.push(job).await {
                Ok(outcome) | Err(Stop::With(outcome)) => outcome,
                Err(Stop::Store(error)) => Outcome::try_again(error),
            }
        })
    }
}

/// Why nothing is sent.
enum Stop {
    With(Outcome),
    Store(StoreError),
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Outcome> for Stop {
    fn from(outcome: Outcome) -> Self {
        Self::With(outcome)
    }
}

/// It makes no sense to send anything there again.
fn gone(cause: PushFailure) -> Outcome {
    Outcome { cause: Some(cause.to_message()), ..Outcome::new(Verdict::Gone) }
}

/// What follows where a browser cannot be written to.
fn unusable(why: PushFailure) -> Outcome {
    if why == PushFailure::KeyChanged { gone(why) } else { Outcome::refused(why) }
}

impl PushTransport {
    async fn push(&self, job: &Job) -> Result<Outcome, Stop> {
        let secrets = self.subscription(&job.destination).map_err(unusable)?;
        // A user who left the company or signed out is notified of nothing.
        let reader = self.store.destinations().push_reader(&job.destination.tenant, job.destination.id).await?;
        let reader = reader.ok_or_else(|| gone(PushFailure::SignedOut))?;
        let shown = self.shown(job, &reader).await?;
        self.send(&job.destination, &secrets, &shown).await
    }

    /// Tells the devices of a user that somebody else assigned leads to them. In quiet hours it does not: the email is there
    /// in the morning.
    pub async fn assigned(
        &self,
        tenant: &Tenant,
        user: UserId,
        by: &str,
        leads: &[Lead],
        path: &str,
    ) -> Result<(), StoreError> {
        let destinations = self.store.destinations();
        let settings = destinations.notice_settings(tenant).await?.unwrap_or_default();
        if NoticeTiming::of(&settings).wait_until(false, self.clock.now()).is_some() {
            return Ok(());
        }
        for device in destinations.list_push_devices(tenant.account, user).await? {
            let destination = match tenant.environment {
                Environment::Production => device.production,
                Environment::Sandbox => device.sandbox,
            };
            let reader = destinations.push_reader(tenant, destination.id).await?;
            let (Some(reader), true) = (reader, destination.draft.active) else { continue };
            let language = reader.language.as_deref().map_or(Language::English, Language::of_tag);
            let shown = of_assigned(by, leads, (tenant.environment, path), language);
            let sent = match self.subscription(&destination) {
                Ok(secrets) => self.send(&destination, &secrets, &shown).await,
                Err(why) => Ok(unusable(why)),
            };
            match sent {
                Ok(outcome) | Err(Stop::With(outcome)) if outcome.verdict == Verdict::Delivered => {}
                Ok(outcome) | Err(Stop::With(outcome)) => {
                    let why = outcome.cause.map(|cause| cause.to_string()).unwrap_or_default();
                    tracing::warn!(destination = %destination.id, why, "an assignment was not pushed");
                }
                Err(Stop::Store(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// Where a browser gets messages, if they are those of our key.
    fn subscription(&self, destination: &Destination) -> Result<PushSecrets, PushFailure> {
        let draft = &destination.draft;
        let secrets = draft.secrets.as_deref().and_then(|text| serde_json::from_str::<PushSecrets>(text).ok());
        let config = serde_json::from_str::<PushConfig>(&draft.config);
        let (Some(secrets), Ok(config)) = (secrets, config) else {
            return Err(PushFailure::UnreadableKeys);
        };
        if config.key != self.key.public() {
            return Err(PushFailure::KeyChanged);
        }
        Ok(secrets)
    }

    async fn send(&self, destination: &Destination, secrets: &PushSecrets, shown: &Shown) -> Result<Outcome, Stop> {
        let text = serde_json::to_vec(shown).map_err(|_| Outcome::refused(PushFailure::Unwritable))?;
        // The address is a secret: no cause names it.
        let target =
            self.egress.target(&secrets.endpoint).map_err(|_| Outcome::try_again(PushFailure::ServiceNotAllowed))?;
        let body = secrets.keys.encrypt(&text).ok_or_else(|| Outcome::refused(PushFailure::NotEncrypted))?;
        let now = self.clock.now();
        let authorization = self.key.authorization(&target.url().origin(), &self.base_url, now);
        let headers = headers(&authorization).ok_or_else(|| Outcome::refused(PushFailure::Headers))?;
        let request = OutgoingRequest { method: Method::POST, target, headers, body: body.into() };
        let timeout = Duration::from_secs(u64::from(destination.draft.timeout_seconds));
        let limits = ExchangeLimits { timeout, max_bytes: MAX_RESPONSE_BYTES };
        Ok(match self.egress.exchange(request, limits).await {
            Ok(response) => self.answered(&response),
            Err(error) => Outcome::try_again(error),
        })
    }

    fn answered(&self, response: &IncomingResponse) -> Outcome {
        let wait = response.header("retry-after").and_then(|text| parse_retry_after(text, self.clock.now()));
        let status = response.status;
        let verdict = match status {
            200..=299 => Verdict::Delivered,
            // The browser takes no messages any more.
            404 | 410 => Verdict::Gone,
            429 => Verdict::TryAgain { retry_after: wait, throttle: true },
            500..=599 => Verdict::TryAgain { retry_after: wait, throttle: false },
            _ => Verdict::Refused,
        };
        let cause = (!response.is_success()).then(|| PushFailure::Status { status }.to_message());
        Outcome { status: Some(status), cause, ..Outcome::new(verdict) }
    }

    async fn step(&self, job: &Job, language: Language) -> Result<Shown, Stop> {
        let tenant = &job.destination.tenant;
        let reminded = reminded(&self.store, job).await?.map_err(Outcome::skipped)?;
        let settings = self.store.destinations().notice_settings(tenant).await?.unwrap_or_default();
        if reminded.reminder.to.is_none()
            && let Some(why) = no_notice(&reminded.lead, false, &settings)
        {
            return Err(Outcome::skipped(why).into());
        }
        // The devices are those of whom it was then.
        if reminded.reminder.to != reminded.work.assignee.as_ref().map(|(id, _)| *id) {
            return Err(Outcome::skipped(NoNotice::StepNotTheirs).into());
        }
        let now = self.clock.now();
        if now.seconds() - job.delivery.event.created_at.seconds() > KEPT_SECONDS {
            return Err(Outcome::skipped(NoNotice::Old).into());
        }
        if let Some(until) = NoticeTiming::of(&settings).wait_until(false, now) {
            return Err(Outcome::new(Verdict::Postponed(until)).into());
        }
        Ok(of_step(&reminded, tenant.environment, language))
    }

    async fn quote(&self, job: &Job, language: Language) -> Result<Shown, Stop> {
        let tenant = &job.destination.tenant;
        let answered = answered(&self.store, job).await?.map_err(|why| Outcome::skipped(why.to_message()))?;
        let settings = self.store.destinations().notice_settings(tenant).await?.unwrap_or_default();
        if let Some(why) = no_notice(&answered.lead, false, &settings) {
            return Err(Outcome::skipped(why).into());
        }
        let now = self.clock.now();
        if now.seconds() - job.delivery.event.created_at.seconds() > KEPT_SECONDS {
            return Err(Outcome::skipped(NoNotice::Old).into());
        }
        if let Some(until) = NoticeTiming::of(&settings).wait_until(false, now) {
            return Err(Outcome::new(Verdict::Postponed(until)).into());
        }
        let lead = of_lead(&answered.lead, tenant.environment, language);
        let notice = answered.notice("", "", ("", language), &settings.time_zone, tenant.environment);
        let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(MAX_LINE).collect::<String>();
        let body = [notice.chosen().unwrap_or_default(), lead.body];
        Ok(Shown {
            title: cut(&notice.title()),
            body: body.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "),
            path: lead.path,
        })
    }

    /// As it is now: nobody is notified of an erased lead or of spam.
    async fn shown(&self, job: &Job, reader: &PushReader) -> Result<Shown, Stop> {
        let language = reader.language.as_deref().map_or(Language::English, Language::of_tag);
        let (tenant, event) = (&job.destination.tenant, &job.delivery.event);
        match event.kind {
            EventKind::Ping => return Ok(test(language)),
            EventKind::LeadCreated | EventKind::LeadAnswered => {}
            EventKind::StepReminder => return self.step(job, language).await,
            EventKind::QuoteAnswered => return self.quote(job, language).await,
            EventKind::ReplyAnswered => {}
            _ => return Err(Outcome::skipped(NoNotice::OtherEventsOnDevice).into()),
        }
        let id = LeadId(event.resource);
        let lead = self.store.leads().find(tenant, id).await?.ok_or_else(|| Outcome::skipped(NoNotice::Erased))?;
        let widgets = &job.destination.draft.widgets;
        if !widgets.is_empty() && !widgets.contains(&lead.widget_id) {
            return Err(Outcome::skipped(NoNotice::OtherEventsOnDevice).into());
        }
        let settings = self.store.destinations().notice_settings(tenant).await?.unwrap_or_default();
        if let Some(why) = no_notice(&lead, false, &settings) {
            return Err(Outcome::skipped(why).into());
        }
        if event.kind == EventKind::LeadAnswered
            && let Some(why) = no_answers(&self.store, job, &lead).await?
        {
            return Err(Outcome::skipped(why).into());
        }
        let now = self.clock.now();
        if now.seconds() - event.created_at.seconds() > KEPT_SECONDS {
            return Err(Outcome::skipped(NoNotice::Old).into());
        }
        if let Some(until) = NoticeTiming::of(&settings).wait_until(false, now) {
            return Err(Outcome::new(Verdict::Postponed(until)).into());
        }
        let shown = of_lead(&lead, tenant.environment, language);
        if event.kind != EventKind::ReplyAnswered {
            return Ok(shown);
        }
        let answer = self.answer(job, &lead).await?;
        let name = answer.from.unwrap_or_else(|| shown.title.clone());
        let title = phrase(language, "Answer by email: {name}", &[("name", &name)]);
        Ok(Shown { title, body: answer.said, ..shown })
    }

    /// The beginning of what the homeowner wrote.
    async fn answer(&self, job: &Job, lead: &Lead) -> Result<Answered, Stop> {
        #[derive(Deserialize)]
        struct Body {
            data: ReplyAnswer,
        }
        let erased = || Stop::With(Outcome::skipped(NoNotice::Erased));
        let payload = job.delivery.event.payload.as_deref().ok_or_else(erased)?;
        let entry = serde_json::from_str::<Body>(payload).map_err(StoreError::from)?.data.entry;
        let entry = self.store.leads().entry(&job.destination.tenant, entry).await?.ok_or_else(erased)?;
        let email = AnsweredEmail::read(&entry.text).ok_or_else(erased)?;
        let said = email.body.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_LINE).collect();
        Ok(Answered { from: other_sender(lead, &email).map(str::to_owned), said })
    }
}

/// An answer, as a device shows it.
struct Answered {
    /// Where that is not the lead's own address.
    from: Option<String>,
    said: String,
}

/// The step, with the time where it has one; then whose lead it is about.
fn of_step(reminded: &Reminded, environment: Environment, language: Language) -> Shown {
    let lead = of_lead(&reminded.lead, environment, language);
    let due = reminded.work.due.and_then(|due| due.time).map(|time| clock(language, time.of_day));
    let title = phrase(language, "Next step: {step}", &[("step", &reminded.reminder.step)]);
    let about = [due.as_deref().unwrap_or_default(), &lead.title, &lead.body];
    let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(MAX_LINE).collect::<String>();
    Shown {
        title: cut(&title),
        body: about.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "),
        path: lead.path,
    }
}

fn test(language: Language) -> Shown {
    Shown {
        title: translated(language, "Test notification").to_owned(),
        body: translated(language, "New leads look like this: name, what is urgent, street, price, answers.")
            .to_owned(),
        path: "/portal/phone".to_owned(),
    }
}

/// Name and what is urgent; then street, price, the other answers and the times of a visit: as the notice by mail has it.
fn of_lead(lead: &Lead, environment: Environment, language: Language) -> Shown {
    let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(MAX_LINE).collect::<String>();
    let street = cut(lead.address.split(',').next().unwrap_or_default());
    let price = lead.shown_price().map(|price| format!("${}", thousands(price.cost.cents() / 100)));
    let is_test = environment == Environment::Sandbox;
    let test = is_test.then(|| translated(language, "Test data").to_owned());
    let words = flow_words(language);
    let answers = wants(words, lead).into_iter().map(|want| want.text).collect::<Vec<_>>().join(", ");
    let times = lead.inspection.iter().flat_map(|visit| &visit.wishes).map(|wish| wish_text(words, *wish));
    let times = times.collect::<Vec<_>>().join("; ");
    let parts = [Some(street), price, Some(cut(&answers)), Some(cut(&times)), test];
    let name = format!("{} {}", lead.first_name, lead.last_name);
    let title = [name.trim(), urgent(words, &lead.answers).unwrap_or_default()];
    Shown {
        title: cut(&title.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")),
        body: parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "),
        path: lead_path(lead.id, environment),
    }
}

/// Who assigned what; for one lead, what its own notice says.
fn of_assigned(by: &str, leads: &[Lead], (environment, path): (Environment, &str), language: Language) -> Shown {
    let cut = |text: String| text.chars().filter(|c| !c.is_control()).take(MAX_LINE).collect::<String>();
    let name = |lead: &Lead| format!("{} {}", lead.first_name, lead.last_name).trim().to_owned();
    match leads {
        [one] => Shown {
            title: cut(phrase(language, "{by} assigned {lead} to you", &[("by", by), ("lead", &name(one))])),
            ..of_lead(one, environment, language)
        },
        _ => {
            let count = leads.len().to_string();
            let title = phrase(language, "{by} assigned {count} leads to you", &[("by", by), ("count", &count)]);
            let names = leads.iter().map(name).collect::<Vec<_>>().join(", ");
            Shown { title: cut(title), body: cut(names), path: path.to_owned() }
        }
    }
}

fn headers(authorization: &str) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::from_str(authorization).ok()?);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"));
    headers.insert(HeaderName::from_static("ttl"), HeaderValue::from(KEPT_SECONDS));
    headers.insert(HeaderName::from_static("urgency"), HeaderValue::from_static("high"));
    Some(headers)
}
