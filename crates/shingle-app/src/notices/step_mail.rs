//! The mail that reminds of a next step. What is done, changed or lost by then is not told.

use shingle_deliver::mail::OutgoingMail;
use shingle_deliver::{Job, Outcome, Verdict};
use shingle_domain::{Email, Environment, Tenant};
use shingle_notice::{Language, NoticeTiming, StepNotice};

use super::mail_transport::{MailTransport, Preparation, Prepared, not};
use super::messages::NoNotice;
use super::step_reminders::{Reminded, reminded};
use crate::lead_reference::reference;

impl MailTransport {
    /// To the assignee: of those that are reminded otherwise, each has a mailbox of notices.
    pub(super) async fn step_mail_to_assignee(&self, job: &Job) -> Preparation {
        let settings = self.store.destinations().notice_settings(&job.destination.tenant).await?.unwrap_or_default();
        if let Some(until) = NoticeTiming::of(&settings).wait_until(false, self.clock.now()) {
            return Ok(Prepared::Not(Box::new(Outcome::new(Verdict::Postponed(until)))));
        }
        let reminded = match reminded(&self.store, job).await? {
            Ok(reminded) => reminded,
            Err(why) => return Ok(not(&why)),
        };
        // The lead may be someone else’s by now.
        let Some((user, _)) = &reminded.work.assignee else { return Ok(not(&NoNotice::StepNotTheirs)) };
        let Some(user) = self.store.people().find_user(*user).await? else { return Ok(not(&NoNotice::LeftCompany)) };
        let language = user.language.as_deref().map_or(Language::English, Language::of_tag);
        self.step_mail(job, &reminded, (user.email, language)).await
    }

    pub(super) async fn step_mail(
        &self,
        job: &Job,
        reminded: &Reminded,
        (to, language): (Email, Language),
    ) -> Preparation {
        let (lead, tenant) = (&reminded.lead, &job.destination.tenant);
        let Some(due) = reminded.work.due else { return Ok(not(&NoNotice::NewerStep)) };
        // Where it was planned: the portal has one zone for real leads and test data.
        let live = Tenant { environment: Environment::Production, ..*tenant };
        let settings = self.store.destinations().notice_settings(&live).await?.unwrap_or_default();
        let content = StepNotice {
            lead,
            step: &reminded.reminder.step,
            due: &due,
            is_own: reminded.reminder.to.is_some(),
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
}
