//! Emails that come back for a reply: the homeowner's answer, an answering machine, or a mail server that could not deliver
//! it. Each is stored once, on the lead that stays where leads were merged.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shingle_domain::event::EventKind;
use shingle_domain::{Email, EntryId, Tenant, UserId};

use crate::StoreError;
use crate::destinations::destination::Destination;
use crate::destinations::kind::DestinationKind;
use crate::encryption::data_key::Field;
use crate::engine::db::{Tx, execute, fetch_optional, transact};
use crate::leads::Leads;
use crate::leads::lead::subject;
use crate::leads::reply::REPLIES;
use crate::leads::work::EntryKind;
use crate::store::parse_id;

/// Of one lead. Two machines that write to each other stop here.
pub const MAX_ANSWERS_A_DAY: i64 = 50;
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// What came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind<'a> {
    Written,
    /// The homeowner asks for no more emails, or for emails again.
    Stop,
    Resume,
    ByMachine,
    /// The mail server of the homeowner, or one on the way there. For good: the address does not work.
    Bounce {
        for_good: bool,
        /// The address that the report is about.
        of: Option<&'a Email>,
    },
}

#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The entry of the email that it answers.
    pub to: EntryId,
    /// What names it: its Message-ID, or what it says.
    pub name: &'a str,
    pub kind: AnswerKind<'a>,
    /// Of an email, as [`EntryKind::Answered`] says, empty where it holds nothing but the wish; of a bounce, why.
    pub text: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerOutcome {
    Stored,
    /// It came before.
    Known,
    /// The lead has had too many today.
    TooMany,
    /// There is no such email, or no such lead any more.
    Unknown,
}

/// `data` of the event `reply.answered`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplyAnswer {
    /// It has the text.
    pub entry: EntryId,
    /// Who wrote before, and has no mailbox of notices.
    pub to: Option<UserId>,
}

/// What the text of an answer's entry says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnsweredEmail<'a> {
    pub message_id: &'a str,
    /// Empty: it does not say.
    pub from: &'a str,
    pub subject: &'a str,
    /// Names with commas.
    pub attachments: &'a str,
    pub body: &'a str,
}

impl<'a> AnsweredEmail<'a> {
    pub fn read(text: &'a str) -> Option<Self> {
        let mut lines = text.splitn(5, '\n');
        let mut line = || lines.next();
        let (message_id, from, subject) = (line()?, line()?, line()?);
        Some(Self { message_id, from, subject, attachments: line()?, body: line()? })
    }

    pub fn written(&self) -> String {
        [self.message_id, self.from, self.subject, self.attachments, self.body].join("\n")
    }
}

row! {
    struct AnsweredRow {
        lead_id: String,
        account_id: String,
        environment: String,
        author_id: Option<String>,
        text: String,
    }
}

impl Leads<'_> {
    /// Stores what came back, with the notices of it. `mails`: the installation sends mail.
    pub async fn keep_answer(self, answer: &Answer<'_>, mails: bool) -> Result<AnswerOutcome, StoreError> {
        let now = self.store.now();
        let outcome = transact!(self.store.db, |tx| {
            let found = fetch_optional!(
                tx,
                AnsweredRow,
                "SELECT lead_entry.lead_id AS lead_id, lead.account_id AS account_id, lead.environment AS environment,
                        lead_entry.author_id AS author_id, lead_entry.text AS text
                   FROM lead_entry JOIN lead ON lead.id = lead_entry.lead_id JOIN account ON account.id = lead.account_id
                  WHERE lead_entry.id = $1 AND lead_entry.kind = $2 AND record IS NOT NULL AND closed_at IS NULL",
                answer.to.to_string(),
                EntryKind::EmailSent.as_str()
            )?;
            let Some(found) = found else { return Ok(AnswerOutcome::Unknown) };
            let tenant = Tenant {
                account: parse_id("account", &found.account_id)?,
                environment: parse_id("environment", &found.environment)?,
            };
            let id = self.root_in(tx, tenant.account, parse_id("lead", &found.lead_id)?).await?;
            let Some(mut lead) = self.lock(tx, &tenant, id).await? else { return Ok(AnswerOutcome::Unknown) };
            let today = fetch_optional!(
                tx,
                (i64,),
                "SELECT COUNT(*) FROM lead_answer WHERE lead_id = $1 AND created_at > $2",
                id.to_string(),
                (now - DAY).micros()
            )?;
            if today.is_some_and(|(count,)| count >= MAX_ANSWERS_A_DAY) {
                return Ok(AnswerOutcome::TooMany);
            }
            let made = execute!(
                tx,
                "INSERT INTO lead_answer (lead_id, message, account_id, created_at) VALUES ($1, $2, $3, $4)
                     ON CONFLICT DO NOTHING",
                id.to_string(),
                self.store.hashes.request(answer.name.as_bytes()),
                tenant.account.to_string(),
                now.micros()
            )?;
            if made == 0 {
                return Ok(AnswerOutcome::Known);
            }
            // What is said of an address is said of the one that was written to, whatever the lead has by now.
            let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
            let sent = keys.open(Field::LeadEntry, &answer.to.to_string(), found.text)?;
            let to = sent.lines().next().and_then(|line| line.split_once(' ')).map_or("", |(_, to)| to).to_owned();
            drop(keys);
            let is_of = |email: Option<&Email>| email.is_some_and(|email| self.store.hashes.email(email) == to);
            let is_new = match answer.kind {
                AnswerKind::Stop => self.stop_in(tx, tenant.account, &to).await?,
                AnswerKind::Resume => self.resume_in(tx, tenant.account, &to).await?,
                _ => true,
            };
            // A word that changes nothing is an answer like any other.
            let (kind, is_said) = match answer.kind {
                AnswerKind::Stop if is_new => (EntryKind::EmailsStopped, !answer.text.is_empty()),
                AnswerKind::Resume if is_new => (EntryKind::EmailsResumed, false),
                AnswerKind::Stop if answer.text.is_empty() => return Ok(AnswerOutcome::Stored),
                AnswerKind::Written | AnswerKind::Stop | AnswerKind::Resume => (EntryKind::Answered, true),
                AnswerKind::ByMachine => (EntryKind::AnsweredByMachine, false),
                AnswerKind::Bounce { .. } => (EntryKind::Bounced, false),
            };
            let mut entry = (EntryId(self.store.new_id()?), now);
            let text = match kind {
                EntryKind::Bounced => format!("{}\n{}", answer.to, answer.text),
                EntryKind::EmailsStopped | EntryKind::EmailsResumed => String::new(),
                _ => answer.text.to_owned(),
            };
            self.write_entry_as(tx, &tenant, id, entry, ("", None), kind, &text).await?;
            if is_said && kind != EntryKind::Answered {
                entry = (EntryId(self.store.new_id()?), now);
                self.write_entry_as(tx, &tenant, id, entry, ("", None), EntryKind::Answered, answer.text).await?;
            }
            match answer.kind {
                _ if is_said => {
                    // Webhooks hear of it.
                    lead.updated_at = now;
                    self.update(tx, &tenant, &lead).await?;
                    let about = subject(EventKind::ReplyAnswered, &lead);
                    let deliveries = self.store.deliveries();
                    let mut destinations = deliveries.destinations_of(tx, &tenant, about).await?;
                    let author = found.author_id.map(|id| parse_id("user", &id)).transpose()?;
                    let to = match author.filter(|_| mails) {
                        Some(author) if !self.has_mailbox(tx, author, &destinations).await? => Some(author),
                        _ => None,
                    };
                    if to.is_some() {
                        destinations.push(self.team_mailbox(tx, &tenant, (REPLIES, "Replies, to homeowners")).await?);
                    }
                    let data = serde_json::to_value(ReplyAnswer { entry: entry.0, to })?;
                    let event = deliveries.write_event(tx, &tenant, about, &data).await?;
                    for destination in &destinations {
                        deliveries.write_delivery(tx, destination, about, &event, 0).await?;
                    }
                }
                // Of another address, or of one that was corrected meanwhile, it says nothing.
                AnswerKind::Bounce { for_good: true, of }
                    if lead.email_problem.is_none() && is_of(of) && is_of(lead.email.as_ref()) =>
                {
                    self.note_email_problem(tx, &tenant, &mut lead, answer.text).await?;
                }
                _ => {}
            }
            Ok(AnswerOutcome::Stored)
        })?;
        self.store.wake.notify_one();
        Ok(outcome)
    }

    /// Whether one of these is the mailbox of this person.
    async fn has_mailbox(
        self,
        tx: &mut Tx<'_>,
        user: UserId,
        destinations: &[Destination],
    ) -> Result<bool, StoreError> {
        let row = fetch_optional!(tx, (String,), "SELECT email FROM portal_user WHERE id = $1", user.to_string())?;
        let mut mailboxes = destinations.iter().filter(|of| of.draft.kind == DestinationKind::Mail && of.draft.active);
        Ok(row.is_some_and(|(email,)| mailboxes.any(|of| of.draft.address.eq_ignore_ascii_case(&email))))
    }
}
