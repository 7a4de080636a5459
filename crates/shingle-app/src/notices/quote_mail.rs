//! Mails about quotes: composed when they are sent, from the quote as it is then.

use shingle_deliver::mail::OutgoingMail;
use shingle_deliver::{Job, Outcome, Verdict};
use shingle_domain::event::EventKind;
use shingle_domain::quote::QuoteState;
use shingle_domain::{Email, Environment};
use shingle_notice::{Language, NoticeTiming, QuoteMail, QuotePaper};
use shingle_store::{Contact, QUOTES_OF_HOMEOWNERS};

use super::mail_transport::{MailTransport, Preparation, Prepared, not};
use super::messages::NoNotice;
use super::quote_answers::{Answered, answered, company_zone, of_job};
use crate::lead_reference::reference;

impl MailTransport {
    pub(super) async fn quote_mail(&self, job: &Job) -> Preparation {
        match job.destination.draft.address.as_str() {
            QUOTES_OF_HOMEOWNERS => self.quote_to_homeowner(job).await,
            _ => self.answer_to_assignee(job).await,
        }
    }

    /// The quote while it can be accepted, or what was accepted.
    async fn quote_to_homeowner(&self, job: &Job) -> Preparation {
        let tenant = &job.destination.tenant;
        let Some((lead, quote)) = of_job(&self.store, job).await? else { return Ok(not(&NoNotice::Erased)) };
        let wanted = match job.delivery.event.kind {
            EventKind::QuoteSent => QuoteState::Sent,
            _ => QuoteState::Accepted,
        };
        let (true, Some(parties)) = (quote.state == wanted, &quote.record.parties) else {
            return Ok(not(&NoNotice::NewerQuote));
        };
        let Some(widget) = self.store.widgets().find_of_lead(tenant, lead.widget_id).await? else {
            return Ok(not(&NoNotice::WidgetGone));
        };
        // Of leads that are merged, the one that stays has the contact that is corrected.
        let stays = match self.store.leads().merged_into(tenant, lead.id).await? {
            Some(stays) => self.store.leads().find(tenant, stays).await?,
            None => None,
        };
        let contact = stays.as_ref().filter(|stays| stays.email.is_some()).unwrap_or(&lead);
        if contact.email_problem.is_some() {
            return Ok(not(&NoNotice::Bounced));
        }
        let Some(to) = contact.email.clone() else { return Ok(not(&NoNotice::NoEmail)) };
        // The confirmation of what they accepted goes out anyway.
        if job.delivery.event.kind == EventKind::QuoteSent
            && self.store.leads().is_stopped(tenant.account, Contact::Email(&to)).await?
        {
            return Ok(not(&NoNotice::EmailsStopped));
        }
        let Some(version) = self.store.leads().link_version(tenant, lead.id).await? else {
            return Ok(not(&NoNotice::Erased));
        };
        let language = parties.language;
        let links = self.links.of(tenant.account);
        let page = links.quote_page(widget.widget.link_id(), quote.id, version, language);
        let time_zone = company_zone(&self.store, tenant).await?;
        let paper = QuotePaper {
            quote: &quote,
            parties,
            widget: &widget.widget,
            sandbox: tenant.environment == Environment::Sandbox,
            time_zone: &time_zone,
        };
        let reference = reference(lead.id);
        let base_url = &links.base_url;
        let mail = QuoteMail { paper, lead: contact, page: &page, reference: &reference, base_url };
        let content = mail.content()?;
        let Some(message_id) = self.ids.event(job.delivery.event.id.as_str(), job.destination.id) else {
            return Ok(not(&NoNotice::NoId));
        };
        let company = &widget.widget;
        let head = self.letterhead(tenant.account, (&company.company_name, &company.company_email)).await?;
        Ok(Prepared::Mail(Box::new(OutgoingMail {
            to,
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
        })))
    }

    /// Of those that are notified of leads, each has a mailbox of its own.
    async fn answer_to_assignee(&self, job: &Job) -> Preparation {
        let tenant = &job.destination.tenant;
        let settings = self.store.destinations().notice_settings(tenant).await?.unwrap_or_default();
        if let Some(until) = NoticeTiming::of(&settings).wait_until(false, self.clock.now()) {
            return Ok(Prepared::Not(Box::new(Outcome::new(Verdict::Postponed(until)))));
        }
        let answered = match answered(&self.store, job).await? {
            Ok(answered) => answered,
            Err(why) => return Ok(not(&why)),
        };
        let stays = self.store.leads().merged_into(tenant, answered.lead.id).await?.unwrap_or(answered.lead.id);
        // The lead may be someone else’s by now.
        let Some((user, _)) = self.store.leads().work(tenant, stays).await?.assignee else {
            return Ok(not(&NoNotice::StepNotTheirs));
        };
        let Some(user) = self.store.people().find_user(user).await? else { return Ok(not(&NoNotice::LeftCompany)) };
        if !user.sees.sees(answered.lead.widget_id) {
            return Ok(not(&NoNotice::NotTheirs));
        }
        let language = user.language.as_deref().map_or(Language::English, Language::of_tag);
        self.answer_mail(job, &answered, (user.email, language)).await
    }

    pub(super) async fn answer_mail(
        &self,
        job: &Job,
        answered: &Answered,
        (to, language): (Email, Language),
    ) -> Preparation {
        let tenant = &job.destination.tenant;
        let lead = &answered.lead;
        let stays = self.store.leads().merged_into(tenant, lead.id).await?.unwrap_or(lead.id);
        let link = self.links.of(tenant.account).in_portal(stays, tenant.environment);
        let time_zone = company_zone(&self.store, tenant).await?;
        let reference = reference(lead.id);
        let notice = answered.notice(&reference, &link, (to.as_str(), language), &time_zone, tenant.environment);
        let content = notice.content();
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
}
