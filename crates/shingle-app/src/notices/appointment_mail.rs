//! Mails about an inspection, to the homeowner and to the team. Each is composed when it is sent, from what is booked then:
//! one that has been moved or canceled meanwhile is not told of twice, and not at its old time.

use serde::Deserialize;
use shingle_deliver::Job;
use shingle_deliver::mail::OutgoingMail;
use shingle_domain::appointment::{Appointment, AppointmentState};
use shingle_domain::event::EventKind;
use shingle_domain::{Email, Environment, LeadId};
use shingle_notice::{InspectionNews, InspectionNotice, InspectionReader, Language, is_eve};
use shingle_store::{Addressee, AppointmentNotice, StoredWidget};

use super::mail_transport::{MailTransport, Preparation, Prepared, lead_language, not};
use super::messages::NoNotice;
use crate::lead_reference::reference;

#[derive(Deserialize)]
struct Body {
    data: AppointmentNotice,
}

/// Who reads it, and where.
struct Reader {
    to: Email,
    name: String,
    language: Language,
    is_homeowner: bool,
    /// Whether this is the one who goes.
    goes: bool,
}

fn news(kind: EventKind) -> Option<InspectionNews> {
    Some(match kind {
        EventKind::InspectionBooked => InspectionNews::Booked,
        EventKind::InspectionMoved => InspectionNews::Moved,
        EventKind::InspectionCanceled => InspectionNews::Canceled,
        EventKind::InspectionReminder => InspectionNews::Tomorrow,
        EventKind::InspectionAgreed => InspectionNews::Agreed,
        EventKind::InspectionOther => InspectionNews::OtherAsked,
        _ => return None,
    })
}

impl MailTransport {
    pub(super) async fn appointment_mail(&self, job: &Job) -> Preparation {
        let tenant = &job.destination.tenant;
        let event = &job.delivery.event;
        let id = LeadId(event.resource);
        let Some(news) = news(event.kind) else { return Ok(not(&NoNotice::OtherEvents)) };
        let Some(payload) = &event.payload else { return Ok(not(&NoNotice::Erased)) };
        let notice = serde_json::from_str::<Body>(payload)?.data;
        let Some(lead) = self.store.leads().find(tenant, id).await? else { return Ok(not(&NoNotice::Erased)) };
        let now = self.store.leads().appointment(tenant, id).await?;
        let Some(now) = now.filter(|now| is_wanted(&notice, now)) else { return Ok(not(&NoNotice::NewerTime)) };
        let news = match notice.to {
            Addressee::Former(_) if matches!(now.state, AppointmentState::Canceled { .. }) => InspectionNews::Canceled,
            Addressee::Former(_) => InspectionNews::HandedOver,
            _ => news,
        };
        if news == InspectionNews::Tomorrow && !now.state.stands() {
            return Ok(not(&NoNotice::NewerTime));
        }
        if news == InspectionNews::Tomorrow && !is_eve(&now.time, self.clock.now()) {
            return Ok(not(&NoNotice::LateReminder));
        }
        // The lead may have been assigned to someone else since.
        if let (InspectionNews::Tomorrow, Addressee::Colleague(user)) = (news, notice.to)
            && now.person.user != Some(user)
        {
            let assignee = self.store.leads().work(tenant, id).await?.assignee;
            if assignee.is_none_or(|(assignee, _)| assignee != user) {
                return Ok(not(&NoNotice::NotTheirs));
            }
        }
        // The homeowner's page is gone with the account, and nobody will come.
        if news == InspectionNews::Tomorrow && self.store.accounts().is_closed(tenant.account).await? {
            return Ok(not(&NoNotice::AccountClosed));
        }
        let Some(widget) = self.store.widgets().find_of_lead(tenant, lead.widget_id).await? else {
            return Ok(not(&NoNotice::WidgetGone));
        };
        // Of leads that are merged, the one that stays has the contact that is corrected.
        let stays = match self.store.leads().merged_into(tenant, id).await? {
            Some(stays) => self.store.leads().find(tenant, stays).await?,
            None => None,
        };
        let contact = stays.as_ref().filter(|stays| stays.email.is_some()).unwrap_or(&lead);
        let reader = match notice.to {
            Addressee::Homeowner if contact.email_problem.is_some() => return Ok(not(&NoNotice::Bounced)),
            Addressee::Homeowner => Reader {
                to: match contact.email.clone() {
                    Some(email) => email,
                    None => return Ok(not(&NoNotice::NoEmail)),
                },
                name: lead.first_name.clone(),
                language: lead_language(&lead),
                is_homeowner: true,
                goes: false,
            },
            Addressee::Company => company(&widget),
            Addressee::Colleague(user) | Addressee::Former(user) => match self.store.people().find_user(user).await? {
                Some(user) if !user.sees.sees(lead.widget_id) => return Ok(not(&NoNotice::NotTheirs)),
                Some(user) => Reader {
                    language: user.language.as_deref().map_or(Language::English, Language::of_tag),
                    name: user.name.as_str().to_owned(),
                    to: user.email,
                    is_homeowner: false,
                    goes: now.person.user == Some(user.id),
                },
                None => return Ok(not(&NoNotice::LeftCompany)),
            },
        };
        let version = self.store.leads().link_version(tenant, id).await?.unwrap_or_default();
        let link = widget.widget.link_id();
        let links = self.links.of(tenant.account);
        let page = links.inspection_page(link, id, version, reader.language);
        let in_portal = links.in_portal(id, tenant.environment);
        let content = InspectionNotice {
            news,
            reader: match reader.is_homeowner {
                true => InspectionReader::Homeowner { page: &page },
                false => {
                    InspectionReader::Team { name: &reader.name, to: &reader.to, lead: &in_portal, goes: reader.goes }
                }
            },
            lead: &lead,
            appointment: &now,
            keeps_time: notice.keeps_time,
            widget: &widget.widget,
            reference: &reference(id),
            sandbox: tenant.environment == Environment::Sandbox,
            language: reader.language,
            base_url: &self.links.domains.base_url,
        }
        .content();
        let Some(message_id) = self.ids.event(event.id.as_str(), job.destination.id) else {
            return Ok(not(&NoNotice::NoId));
        };
        let company = &widget.widget;
        let (from_name, from, reply_to) = match reader.is_homeowner {
            true => {
                let head = self.letterhead(tenant.account, (&company.company_name, &company.company_email)).await?;
                (Some(head.from_name.clone()), head.from, Some((head.from_name, head.reply_to)))
            }
            false => {
                let name = format!("{} {}", lead.first_name, lead.last_name);
                (None, None, lead.email.clone().map(|email| (name, email)))
            }
        };
        Ok(Prepared::Mail(Box::new(OutgoingMail {
            to: reader.to,
            from_name,
            from,
            bounces_to: None,
            reply_to,
            message_id,
            references: Vec::new(),
            list_unsubscribe: None,
            auto_submitted: true,
            date: self.clock.now(),
            language: reader.language.tag(),
            content,
        })))
    }
}

/// Whether the inspection is still as the mail tells it. Who no longer goes is told so as long as that is true: a change
/// that came after it reaches others alone.
fn is_wanted(notice: &AppointmentNotice, now: &Appointment) -> bool {
    match notice.to {
        Addressee::Former(user) => now.id == notice.appointment && now.person.user != Some(user),
        _ => (now.id, now.sequence) == (notice.appointment, notice.sequence),
    }
}

fn company(widget: &StoredWidget) -> Reader {
    Reader {
        to: widget.widget.company_email.clone(),
        name: widget.widget.company_name.clone(),
        language: Language::English,
        is_homeowner: false,
        goes: false,
    }
}
