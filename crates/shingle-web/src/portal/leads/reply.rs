//! Writing to a homeowner on a lead's page: a reply that is filled in, prepared, and said to be sent.

use std::time::Duration;

use shingle_domain::lead::Lead;
use shingle_domain::reply::{Place, ReplyText, filled};
use shingle_domain::text::{is_clean, is_clean_block};
use shingle_domain::{Language, Tenant};
use shingle_portal::{FilledReply, PreparedReply, ReplyView, ReplyWay, SEND, Sending, TypedFields, date_and_time};
use shingle_store::{Contact, EntryKind, LeadEntry, ReplyTemplate, StoredWidget};
use shingle_widget::words::dollars;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::answer::Answer;
use crate::portal::responses::too_many;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::notices::lead_language;

/// A reply that is prepared is offered for so long.
const READY_FOR: Duration = Duration::from_secs(24 * 3_600);

/// What the page shows.
pub(super) struct Reply {
    templates: Vec<ReplyTemplate>,
    filled: Option<(String, FilledReply)>,
    ready: Option<(LeadEntry, String)>,
    ways: [bool; 2],
    sending: Result<Sending, &'static str>,
}

impl Reply {
    pub async fn read(
        web: &Web,
        signed: &Signed,
        tenant: &Tenant,
        lead: &Lead,
        (entries, form): (&[LeadEntry], &PortalForm),
    ) -> ApiResult<Self> {
        let templates = web.store.accounts().reply_templates(tenant.account).await?;
        let picked = templates.iter().find(|template| template.id.to_string() == form.text("reply"));
        let filled = match picked {
            Some(template) => Some((template.id.to_string(), fill(web, tenant, lead, &template.text).await?)),
            None => None,
        };
        let since = web.clock.now() - READY_FOR;
        let mut own = entries.iter().filter(|entry| {
            entry.author_id == Some(signed.user.id)
                && matches!(entry.kind, EntryKind::ReplyPrepared | EntryKind::Replied)
        });
        let last = own.next().filter(|entry| entry.kind == EntryKind::ReplyPrepared && entry.at > since);
        let ready = last.and_then(|entry| Some((entry.clone(), href(lead, &entry.text)?)));
        let sending = sending(web, signed, tenant, lead).await?;
        Ok(Self { templates, filled, ready, ways: [lead.email.is_some(), may_text(lead)], sending })
    }

    pub fn view(&self) -> ReplyView<'_> {
        ReplyView {
            templates: &self.templates,
            filled: self.filled.as_ref().map(|(id, filled)| {
                let FilledReply { subject, body, missing } = filled;
                let filled = FilledReply { subject: subject.clone(), body: body.clone(), missing: missing.clone() };
                (id.as_str(), filled)
            }),
            ready: self.ready.as_ref().map(|(entry, href)| (entry, href.clone())),
            ways: self.ways,
            sending: self.sending.as_ref().map_err(|why| *why),
        }
    }
}

/// How we send an email to this homeowner, or why we don't.
async fn sending(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead) -> ApiResult<Result<Sending, &'static str>> {
    let own = web.settings.own_sender().filter(|_| web.mail.is_some());
    let Some(own) = own else {
        return Ok(Err("Email is not set up on this server, so we can’t send from here. You can prepare an email."));
    };
    let Some(email) = &lead.email else { return Ok(Err("We have no email address of this homeowner.")) };
    if lead.email_problem.is_some() {
        return Ok(Err("The last email to this address bounced. Correct the address before you write again."));
    }
    if web.store.leads().is_stopped(tenant.account, Contact::Email(email)).await? {
        return Ok(Err("The homeowner asked for no more emails."));
    }
    let sender = web.store.accounts().sender(tenant.account).await?;
    let company = match &sender {
        Some(sender) if !sender.name.is_empty() => sender.name.clone(),
        _ => {
            let widget = web.store.widgets().find_of_lead(tenant, lead.widget_id).await?;
            widget.map_or_else(String::new, |widget| widget.widget.company_name.clone())
        }
    };
    let address = sender.as_ref().map(|sender| &sender.email).filter(|email| web.settings.may_send_as(email));
    let answers_to = match web.settings.answers().ok().flatten() {
        Some(_) => None,
        None => Some(sender.as_ref().map_or(&signed.user.email, |sender| &sender.email).as_str().to_owned()),
    };
    Ok(Ok(Sending { from: format!("{company} <{}>", address.unwrap_or(&own).as_str()), answers_to }))
}

/// In the homeowner's language, as far as it is ours.
async fn fill(web: &Web, tenant: &Tenant, lead: &Lead, text: &ReplyText) -> ApiResult<FilledReply> {
    let widget = web.store.widgets().find_of_lead(tenant, lead.widget_id).await?;
    let booked = web
        .store
        .leads()
        .appointments_shown(tenant, &[lead.id])
        .await?
        .remove(&lead.id)
        .filter(|now| now.state.stands());
    let language = lead_language(lead);
    let when = booked.map(|now| date_and_time(language, now.time.date, now.time.time));
    let known = |place| known(language, place, lead, widget.as_deref(), when.as_deref());
    let (subject, mut missing) = filled(&text.subject, known);
    let (body, others) = filled(&text.body, known);
    missing.extend(others.into_iter().filter(|place| !missing.contains(place)).collect::<Vec<_>>());
    let missing: Vec<String> = missing.iter().map(|place| format!("{{{}}}", place.as_str())).collect();
    Ok(FilledReply { subject, body, missing: missing.join(", ") })
}

fn known(
    language: Language,
    place: Place,
    lead: &Lead,
    widget: Option<&StoredWidget>,
    when: Option<&str>,
) -> Option<String> {
    match place {
        Place::FirstName => Some(lead.first_name.trim().to_owned()),
        Place::Company => widget.map(|widget| widget.widget.company_name.clone()),
        Place::Address => lead.address.split(',').next().map(|street| street.trim().to_owned()),
        Place::PriceRange => lead.shown_price().map(|price| {
            let to = match language {
                Language::English => "to",
                Language::Spanish => "a",
            };
            format!("{} {to} {}", dollars(price.low), dollars(price.high))
        }),
        Place::Inspection => when.map(str::to_owned),
    }
}

/// Texts go to those alone who agreed to them.
fn may_text(lead: &Lead) -> bool {
    lead.phone.is_some() && lead.consent.given
}

/// Browsers on Windows open no longer address in another program, and say nothing.
const MAX_HREF: usize = 1_900;

/// What opens it where the reader is: without the body where that is too long, to be copied from the page.
fn href(lead: &Lead, text: &str) -> Option<String> {
    let prepared = PreparedReply::read(text)?;
    let escaped = |text: &str| {
        let text = text.replace('\n', "\r\n");
        url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
    };
    Some(match prepared.way {
        ReplyWay::Email => {
            let (subject, body) = (escaped(prepared.subject), escaped(prepared.body));
            let address = lead.email.as_ref()?.as_str();
            let address = address.replace('%', "%25").replace('?', "%3F").replace('#', "%23").replace('&', "%26");
            let whole = format!("mailto:{address}?subject={subject}&body={body}");
            if whole.len() > MAX_HREF { format!("mailto:{address}?subject={subject}") } else { whole }
        }
        ReplyWay::Text => format!("sms:{}?&body={}", lead.phone.as_ref()?.dialled(), escaped(prepared.body)),
    })
}

pub async fn prepare(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    let (subject, body) = (form.text("write-subject"), form.text("write-body").replace("\r\n", "\n"));
    let mut typed = TypedFields::default();
    typed.set("write-subject", subject);
    typed.set("write-body", body.as_str());
    let sends = form.text("way") == SEND;
    let way = if sends { Some(ReplyWay::Email) } else { ReplyWay::parse(form.text("way")) };
    let way = way.filter(|way| match way {
        ReplyWay::Email => lead.email.is_some(),
        ReplyWay::Text => may_text(lead),
    });
    if subject.chars().count() > ReplyText::MAX_SUBJECT {
        typed.refuse("write-subject", "That’s too long. Please shorten it.");
    } else if !is_clean(subject) {
        typed.refuse("write-subject", "It contains an invisible character. Please remove it.");
    }
    if body.is_empty() {
        typed.refuse("write-body", "Please write something.");
    } else if body.chars().count() > ReplyText::MAX_BODY {
        typed.refuse("write-body", "That’s too long. Please shorten it.");
    } else if !is_clean_block(&body) {
        typed.refuse("write-body", "It contains an invisible character. Please remove it.");
    }
    let Some(way) = way else {
        // Sent by the Enter key, or the address is gone meanwhile.
        typed.refuse("write-body", "Please choose email or text.");
        return Ok(Answer::of(typed));
    };
    if typed.is_refused() {
        return Ok(Answer::of(typed));
    }
    if sends {
        if let Err(why) = sending(web, signed, tenant, lead).await? {
            typed.refuse("write-body", why);
            return Ok(Answer::of(typed));
        }
        if let Err(wait) = web.portal.limits.may_reply(signed.account) {
            return Ok(Answer::Made(too_many(wait)));
        }
        web.store.leads().send_reply(tenant, lead.id, &signed.user, &format!("{subject}\n{body}")).await?;
        return Ok(Answer::Back("mailed"));
    }
    let subject = if way == ReplyWay::Email { subject } else { "" };
    let text = PreparedReply { way, subject, body: &body }.written();
    web.store.leads().prepare_reply(tenant, lead.id, &signed.user, &text).await?;
    Ok(Answer::Back("prepared"))
}

pub async fn sent(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    let entry = form.text("entry").parse().map_err(|_| ApiError::NotFound)?;
    web.store.leads().reply_is_sent(tenant, lead.id, &signed.user, entry).await?;
    Ok(Answer::Back("saved"))
}
