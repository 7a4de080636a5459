//! What somebody of the company writes to a homeowner, as an email; and the notice of the answer.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use shingle_deliver::mail::{MessageId, OutgoingMail};
use shingle_deliver::{Job, Outcome, Verdict};
use shingle_domain::lead::Lead;
use shingle_domain::mail::MailContent;
use shingle_domain::{Email, EntryId, Environment, LeadId, Tenant};
use shingle_notice::{AnswerNotice, Language, NoticeTiming};
use shingle_store::{AnsweredEmail, Contact, EntryKind, LeadEntry, ReplyAnswer, ReplyNotice, StoreError};

use super::mail_transport::{MailTransport, Preparation, Prepared, lead_language, no_notice, not};
use super::messages::NoNotice;
use crate::lead_reference::reference;

#[derive(Deserialize)]
struct Body<T> {
    data: T,
}

/// `None`: the lead was erased.
fn data<T: DeserializeOwned>(job: &Job) -> Result<Option<T>, serde_json::Error> {
    let payload = job.delivery.event.payload.as_deref();
    payload.map(|payload| serde_json::from_str::<Body<T>>(payload).map(|body| body.data)).transpose()
}

impl MailTransport {
    /// The lead that stays, which has the contact that is corrected.
    async fn lead_of(&self, tenant: &Tenant, job: &Job) -> Result<Option<Lead>, StoreError> {
        let id = LeadId(job.delivery.event.resource);
        let stays = self.store.leads().merged_into(tenant, id).await?.unwrap_or(id);
        self.store.leads().find(tenant, stays).await
    }

    pub(super) async fn reply_mail(&self, job: &Job) -> Preparation {
        let tenant = &job.destination.tenant;
        let Some(notice) = data::<ReplyNotice>(job)? else { return Ok(not(&NoNotice::Erased)) };
        let Some(lead) = self.lead_of(tenant, job).await? else { return Ok(not(&NoNotice::Erased)) };
        let entry = self.store.leads().entry(tenant, notice.entry).await?;
        let Some(entry) = entry else { return Ok(not(&NoNotice::Erased)) };
        let Some(to) = lead.email.clone() else { return Ok(not(&NoNotice::NoEmail)) };
        if lead.email_problem.is_some() {
            return Ok(not(&NoNotice::Bounced));
        }
        if self.store.leads().is_stopped(tenant.account, Contact::Email(&to)).await? {
            return Ok(not(&NoNotice::EmailsStopped));
        }
        let Some(widget) = self.store.widgets().find_of_lead(tenant, lead.widget_id).await? else {
            return Ok(not(&NoNotice::WidgetGone));
        };
        let company = &widget.widget;
        let head = self.letterhead(tenant.account, (&company.company_name, &company.company_email)).await?;
        let answers = self.answers.as_ref().and_then(|address| address.of(&self.links.tokens, entry.id));
        let reply_to = match &answers {
            Some(address) => address.clone(),
            // The one who wrote, where the company has not named another.
            None if !head.is_own => {
                let author = self.store.people().find_user(notice.by).await?;
                author.map_or(head.reply_to, |author| author.email)
            }
            None => head.reply_to,
        };
        let (subject, text) =
            entry.text.split_once('\n').and_then(|(_, text)| text.split_once('\n')).unwrap_or_default();
        let subject = if subject.is_empty() { company.company_name.as_str() } else { subject };
        let Some(message_id) = self.ids.reply(entry.id) else { return Ok(not(&NoNotice::NoId)) };
        let entries = self.store.leads().entries(tenant, lead.id).await?;
        let stop = answers.as_ref().map(|address| format!("mailto:{}?subject=unsubscribe", address.as_str()));
        Ok(Prepared::Mail(Box::new(OutgoingMail {
            to,
            from_name: Some(head.from_name.clone()),
            from: head.from,
            bounces_to: answers,
            reply_to: Some((head.from_name, reply_to)),
            message_id,
            references: self.before(&entries, entry.id),
            list_unsubscribe: stop.and_then(|stop| stop.parse().ok()),
            auto_submitted: false,
            date: self.clock.now(),
            language: lead_language(&lead).tag(),
            content: MailContent { subject: subject.to_owned(), text: format!("{text}\n"), ..MailContent::default() },
        })))
    }

    /// The conversation before an email, oldest first.
    fn before(&self, entries: &[LeadEntry], this: EntryId) -> Vec<MessageId> {
        let earlier = entries.iter().rev().take_while(|entry| entry.id != this);
        let id = |entry: &LeadEntry| match entry.kind {
            EntryKind::EmailSent => self.ids.reply(entry.id),
            EntryKind::Answered => AnsweredEmail::read(&entry.text).and_then(|of| MessageId::parse(of.message_id)),
            _ => None,
        };
        earlier.filter_map(id).collect()
    }

    /// To one who is notified of leads.
    pub(super) async fn answer_notice(&self, job: &Job, reader: (Email, Language)) -> Preparation {
        let tenant = &job.destination.tenant;
        let Some(answer) = data::<ReplyAnswer>(job)? else { return Ok(not(&NoNotice::Erased)) };
        let Some(lead) = self.lead_of(tenant, job).await? else { return Ok(not(&NoNotice::Erased)) };
        let settings = self.store.destinations().notice_settings(tenant).await?.unwrap_or_default();
        if let Some(why) = no_notice(&lead, false, &settings) {
            return Ok(not(&why));
        }
        let entry = self.store.leads().entry(tenant, answer.entry).await?;
        let Some(entry) = entry else { return Ok(not(&NoNotice::Erased)) };
        let Some(email) = AnsweredEmail::read(&entry.text) else { return Ok(not(&NoNotice::Erased)) };
        let (to, language) = reader;
        let content = AnswerNotice {
            lead: &lead,
            other: other_sender(&lead, &email),
            subject: email.subject,
            attachments: email.attachments,
            text: email.body,
            reference: &reference(lead.id),
            link: &self.links.of(tenant.account).in_portal(lead.id, tenant.environment),
            sandbox: tenant.environment == Environment::Sandbox,
            to: to.as_str(),
            language,
            time_zone: &settings.time_zone,
        }
        .content();
        let Some(message_id) = self.ids.event(job.delivery.event.id.as_str(), job.destination.id) else {
            return Ok(not(&NoNotice::NoId));
        };
        let brand = self.store.accounts().brand(tenant.account).await?.name;
        Ok(Prepared::Mail(Box::new(OutgoingMail {
            to,
            from_name: Some(brand).filter(|name| !name.is_empty()),
            from: None,
            bounces_to: None,
            reply_to: lead.email.clone().map(|email| (format!("{} {}", lead.first_name, lead.last_name), email)),
            message_id,
            references: Vec::new(),
            list_unsubscribe: None,
            auto_submitted: true,
            date: self.clock.now(),
            language: language.tag(),
            content,
        })))
    }

    /// To the one who wrote, who has no mailbox of notices.
    pub(super) async fn answer_to_author(&self, job: &Job) -> Preparation {
        let tenant = &job.destination.tenant;
        let Some(answer) = data::<ReplyAnswer>(job)? else { return Ok(not(&NoNotice::Erased)) };
        let settings = self.store.destinations().notice_settings(tenant).await?.unwrap_or_default();
        if let Some(until) = NoticeTiming::of(&settings).wait_until(false, self.clock.now()) {
            return Ok(Prepared::Not(Box::new(Outcome::new(Verdict::Postponed(until)))));
        }
        let Some(to) = answer.to else { return Ok(not(&NoNotice::OtherEvents)) };
        let Some(user) = self.store.people().find_user(to).await? else { return Ok(not(&NoNotice::LeftCompany)) };
        let Some(lead) = self.lead_of(tenant, job).await? else { return Ok(not(&NoNotice::Erased)) };
        if user.account != Some(tenant.account) || !user.sees.sees(lead.widget_id) {
            return Ok(not(&NoNotice::LeftCompany));
        }
        let language = user.language.as_deref().map_or(Language::English, Language::of_tag);
        self.answer_notice(job, (user.email, language)).await
    }
}

/// Who wrote an answer, where that is not the lead's own address.
pub(super) fn other_sender<'e>(lead: &Lead, email: &AnsweredEmail<'e>) -> Option<&'e str> {
    let own = lead.email.as_ref().map_or("", |email| email.as_str());
    Some(email.from).filter(|from| !from.is_empty() && !from.eq_ignore_ascii_case(own))
}
