//! Quotes of leads: drafted, sent with a number, replaced, withdrawn, and answered once.
//!
//! # Decisions
//!
//! - Numbers are given in the transaction that sends: a quote that is not sent takes none, so there is no gap. A revision
//!   keeps its number.
//! - An answer is one conditional update of the quote's row, so of two at once one wins. Status and value of the lead, the
//!   entry in its timeline and the notices follow in the same transaction.
//! - A lead is worth what its accepted quotes cost together, before tax.

use shingle_domain::event::EventKind;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::quote::{
    Quote, QuoteAnswer, QuoteContent, QuoteDefaults, QuoteParties, QuoteRecord, QuoteState, quote_name,
};
use shingle_domain::{AccountId, Environment, LeadId, QuoteId, Tenant, Timestamp};

use crate::StoreError;
use crate::audit::actor::seen_now;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::leads::Leads;
use crate::leads::loss::forget_loss;
use crate::leads::quote_notice::QuoteTelling;
use crate::leads::seen::is_seen;
use crate::leads::work::{EntryKind, mark_changed};
use crate::people::user::User;
use crate::store::{columns, from_json, parse_id, require_row, to_json};

/// Quotes of one lead, drafts and revisions too.
pub const MAX_QUOTES: usize = 50;

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuoteOutcome {
    Done(Box<Quote>),
    /// It is not any more as it was shown: what it is now, if it is there.
    Changed(Option<Box<Quote>>),
}

/// How a quote is sent.
#[derive(Debug, Clone, Copy)]
pub struct QuoteSending<'a> {
    pub parties: &'a QuoteParties,
    /// The end of its last day.
    pub expires_at: Timestamp,
    /// Whether the homeowner gets an email.
    pub mails: bool,
}

/// What is answered, and by whom.
#[derive(Debug, Clone, Copy)]
pub enum QuoteReply<'a> {
    Accept {
        choice: usize,
        name: &'a str,
        /// The digest of what was shown.
        seen: &'a str,
    },
    Decline {
        reason: &'a str,
    },
    /// Somebody of the company enters that it was accepted on paper or by phone, also after it expired.
    AcceptedElsewhere {
        choice: usize,
        by: &'a User,
    },
}

row! {
    struct QuoteRow {
        id: String,
        lead_id: String,
        number: Option<i64>,
        revision: i64,
        state: String,
        record: String,
        answer: Option<String>,
        chosen: Option<i64>,
        digest: String,
        replaces: Option<String>,
        expires_at: Option<i64>,
        author: String,
        updated_at: i64,
        sent_at: Option<i64>,
        answered_at: Option<i64>,
    }
}

macro_rules! quote_columns {
    () => {
        "SELECT id, lead_id, number, revision, state, record, answer, chosen, digest, replaces, expires_at, author,
                updated_at, sent_at, answered_at FROM quote "
    };
}

impl QuoteRow {
    fn read(self, keys: &DataKeys) -> Result<Quote, StoreError> {
        let record = keys.open(Field::QuoteRecord, &self.id, self.record)?;
        let answer = keys.open_some(Field::QuoteAnswer, &self.id, self.answer)?;
        let at = |at: Option<i64>| at.map(Timestamp::from_micros);
        let unreadable = |_| StoreError::Unreadable { what: "quote", id: self.id.clone(), reason: self.state.clone() };
        Ok(Quote {
            id: parse_id("quote", &self.id)?,
            lead: parse_id("lead", &self.lead_id)?,
            number: self.number,
            revision: self.revision,
            state: self.state.parse().map_err(unreadable)?,
            record: from_json("quote", &self.id, &record)?,
            answer: answer.map(|answer| from_json("answer to quote", &self.id, &answer)).transpose()?,
            chosen: self.chosen.and_then(|chosen| usize::try_from(chosen).ok()),
            digest: self.digest,
            replaces: self.replaces.map(|id| parse_id("quote", &id)).transpose()?,
            expires_at: at(self.expires_at),
            author: self.author,
            updated_at: Timestamp::from_micros(self.updated_at),
            sent_at: at(self.sent_at),
            answered_at: at(self.answered_at),
        })
    }
}

impl Leads<'_> {
    /// With those of the leads that were merged into it, the newest first.
    pub async fn quotes(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<Quote>, StoreError> {
        if self.find(tenant, lead).await?.is_none() {
            return Ok(Vec::new());
        }
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            QuoteRow,
            concat!(
                quote_columns!(),
                "WHERE account_id = $2 AND environment = $3 AND record IS NOT NULL
                   AND lead_id IN (SELECT CAST($1 AS TEXT) UNION ALL
                                   SELECT id FROM lead WHERE merged_into = $1 AND account_id = $2 AND ",
                is_seen!("widget_id", "$2", "$4"),
                ")
                 ORDER BY id DESC"
            ),
            lead.to_string(),
            &account,
            environment,
            seen_now().text()
        )?;
        rows.into_iter().map(|row| row.read(&keys)).collect()
    }

    /// Of this lead alone: what is stored of a person is exported lead by lead.
    pub(crate) async fn own_quotes(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<Quote>, StoreError> {
        let mut all = self.quotes(tenant, lead).await?;
        all.retain(|quote| quote.lead == lead);
        Ok(all)
    }

    pub async fn quote(self, tenant: &Tenant, id: QuoteId) -> Result<Option<Quote>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            QuoteRow,
            concat!(quote_columns!(), "WHERE id = $1 AND account_id = $2 AND environment = $3 AND record IS NOT NULL"),
            id.to_string(),
            &account,
            environment
        )?;
        let found = row.map(|row| row.read(&keys)).transpose()?;
        drop(reader);
        // A reader who does not see the lead does not see its quotes.
        match found {
            Some(quote) => Ok(self.find(tenant, quote.lead).await?.map(|_| quote)),
            None => Ok(None),
        }
    }

    /// Where a link leads, which names the quote alone.
    pub async fn quote_home(self, id: QuoteId) -> Result<Option<(Tenant, LeadId)>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String, String, String),
            "SELECT account_id, environment, lead_id FROM quote WHERE id = $1 AND record IS NOT NULL",
            id.to_string()
        )?;
        row.map(|(account, environment, lead)| {
            let environment = parse_id("environment", &environment)?;
            Ok((Tenant { account: parse_id("account", &account)?, environment }, parse_id("lead", &lead)?))
        })
        .transpose()
    }

    /// What the next quote of the company begins with.
    pub async fn quote_defaults(self, account: AccountId) -> Result<QuoteDefaults, StoreError> {
        let keys = self.store.encryption().data_keys(account).await?;
        let id = account.to_string();
        let mut reader = self.store.db.read().await?;
        let row =
            fetch_optional!(reader, (Option<String>,), "SELECT record FROM quote_settings WHERE account_id = $1", &id)?;
        let Some((Some(sealed),)) = row else { return Ok(QuoteDefaults::default()) };
        from_json("quote settings of", &id, &keys.open(Field::QuoteSettings, &id, sealed)?)
    }

    /// A new draft under an id that its form brings, or a changed one. `seen`: the mark of the draft that the form showed,
    /// empty for a new one. Sent twice, it is stored once.
    ///
    /// # Errors
    /// [`StoreError::TooMany`]; [`StoreError::NotFound`].
    pub async fn save_quote(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        (id, seen): (QuoteId, &str),
        (content, replaces): (&QuoteContent, Option<QuoteId>),
    ) -> Result<QuoteOutcome, StoreError> {
        let row = id.to_string();
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let record = QuoteRecord { content: content.clone(), parties: None, salt: String::new() };
        let sealed = keys.seal(Field::QuoteRecord, &row, &to_json(&record)?.to_string())?;
        let (account, environment) = columns(tenant);
        transact!(self.store.db, |tx| {
            self.lock(tx, tenant, lead).await?.ok_or(StoreError::NotFound)?;
            let old = self.quote_in(tx, tenant, id).await?;
            let now = self.store.now().micros();
            if let Some(old) = old {
                if old.lead != lead {
                    return Err(StoreError::NotFound);
                }
                if old.state == QuoteState::Draft && old.record == record {
                    return Ok(QuoteOutcome::Done(Box::new(old)));
                }
                if old.state != QuoteState::Draft || old.mark() != seen {
                    return Ok(QuoteOutcome::Changed(Some(Box::new(old))));
                }
                let changed_at = now.max(old.updated_at.micros() + 1_000);
                execute!(tx, "UPDATE quote SET record = $2, updated_at = $3 WHERE id = $1", &row, &sealed, changed_at)?;
            } else {
                if !seen.is_empty() {
                    return Ok(QuoteOutcome::Changed(None));
                }
                let known: Option<(i64,)> =
                    fetch_optional!(tx, (i64,), "SELECT COUNT(*) FROM quote WHERE lead_id = $1", lead.to_string())?;
                if known.is_some_and(|(count,)| count >= MAX_QUOTES as i64) {
                    return Err(StoreError::TooMany { max: MAX_QUOTES });
                }
                if let Some(replaced) = replaces {
                    let replaced = self.quote_in(tx, tenant, replaced).await?.filter(|quote| quote.lead == lead);
                    replaced.ok_or(StoreError::NotFound)?;
                }
                execute!(
                    tx,
                    "INSERT INTO quote (id, lead_id, account_id, environment, revision, state, record, digest, replaces, amounts,
                                        author, created_at, updated_at)
                     VALUES ($1, $2, $3, $4, 1, 'draft', $5, '', $6, '', $7, $8, $8)",
                    &row,
                    lead.to_string(),
                    &account,
                    environment,
                    &sealed,
                    replaces.map(|id| id.to_string()),
                    by.name.as_str(),
                    now
                )?;
            }
            let stored = self.quote_in(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
            Ok(QuoteOutcome::Done(Box::new(stored)))
        })
    }

    /// # Errors
    /// [`StoreError::NotFound`] also for one that was sent.
    pub async fn delete_quote_draft(self, tenant: &Tenant, lead: LeadId, id: QuoteId) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            self.lock(tx, tenant, lead).await?.ok_or(StoreError::NotFound)?;
            require_row(execute!(
                tx,
                "DELETE FROM quote WHERE id = $1 AND lead_id = $2 AND account_id = $3 AND state = 'draft'",
                id.to_string(),
                lead.to_string(),
                tenant.account.to_string()
            )?)
        })
    }

    /// Sends a draft as it was shown: it gets its number, replaces the one it was made for, and never changes again.
    /// Its terms, tax and deposit are what the company's next quote begins with.
    pub async fn send_quote(
        self,
        tenant: &Tenant,
        by: &User,
        (id, seen): (QuoteId, &str),
        sending: QuoteSending<'_>,
    ) -> Result<QuoteOutcome, StoreError> {
        let Some(lead) = self.quote(tenant, id).await?.map(|quote| quote.lead) else {
            return Ok(QuoteOutcome::Changed(None));
        };
        let sent = transact!(self.store.db, |tx| {
            let mut kept = self.lock(tx, tenant, lead).await?.ok_or(StoreError::NotFound)?;
            let draft = self.quote_in(tx, tenant, id).await?;
            let draft = match draft {
                Some(draft) if draft.state == QuoteState::Draft && draft.mark() == seen => draft,
                other => return Ok(QuoteOutcome::Changed(other.map(Box::new))),
            };
            let replaced = match draft.replaces {
                Some(old) => self.quote_in(tx, tenant, old).await?,
                None => None,
            };
            // It was accepted while this one was written, or somebody else's revision was sent: one takes its place, once.
            let replaceable = [QuoteState::Sent, QuoteState::Declined, QuoteState::Withdrawn];
            if let Some(over) = replaced.as_ref().filter(|old| !replaceable.contains(&old.state)) {
                return Ok(QuoteOutcome::Changed(Some(Box::new(over.clone()))));
            }
            let (number, revision) = match replaced.as_ref().and_then(|old| Some((old, old.number?))) {
                Some((_, number)) => (number, self.last_revision(tx, tenant, number).await? + 1),
                None => (self.next_number(tx, tenant).await?, 1),
            };
            let now = self.store.now();
            if let Some(old) = &replaced {
                execute!(
                    tx,
                    "UPDATE quote SET state = 'replaced', updated_at = $2 WHERE id = $1",
                    old.id.to_string(),
                    now.micros().max(old.updated_at.micros() + 1_000)
                )?;
            }
            // Without it the digest would show, after an erasure, whose name and address fit.
            let salt = self.store.new_id()?.simple().to_string();
            let record = QuoteRecord { content: draft.content().clone(), parties: Some(sending.parties.clone()), salt };
            let written = to_json(&record)?.to_string();
            let digest = digest(number, revision, &written);
            let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
            let prices: Vec<String> =
                record.content.choices.iter().map(|choice| choice.price_cents.to_string()).collect();
            execute!(
                tx,
                "UPDATE quote SET state = 'sent', number = $2, revision = $3, record = $4, digest = $5, amounts = $6,
                                  expires_at = $7, sent_at = $8, updated_at = $9, author = $10
                  WHERE id = $1",
                id.to_string(),
                number,
                revision,
                keys.seal(Field::QuoteRecord, &id.to_string(), &written)?,
                digest,
                prices.join(" "),
                sending.expires_at.micros(),
                now.micros(),
                now.micros().max(draft.updated_at.micros() + 1_000),
                by.name.as_str()
            )?;
            self.keep_defaults(tx, tenant, &record.content).await?;
            // Somebody has answered the homeowner.
            if kept.first_touch_at.is_none() {
                (kept.first_touch_at, kept.updated_at) = (Some(now), now);
                self.update(tx, tenant, &kept).await?;
            }
            let root = self.root_in(tx, tenant.account, lead).await?;
            mark_changed(tx, root).await?;
            let name = quote_name(Some(number), revision);
            self.add_entry(tx, tenant, root, by, EntryKind::QuoteSent, &name).await?;
            if sending.mails {
                self.tell_homeowner_of_quote(tx, tenant, &kept, EventKind::QuoteSent, id).await?;
            }
            let sent = self.quote_in(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
            Ok(QuoteOutcome::Done(Box::new(sent)))
        })?;
        self.store.wake.notify_one();
        Ok(sent)
    }

    /// The email once more, for a quote that can still be accepted.
    pub async fn mail_quote_again(self, tenant: &Tenant, by: &User, id: QuoteId) -> Result<bool, StoreError> {
        let Some(lead) = self.quote(tenant, id).await?.map(|quote| quote.lead) else { return Ok(false) };
        let sent = transact!(self.store.db, |tx| {
            let kept = self.lock(tx, tenant, lead).await?.ok_or(StoreError::NotFound)?;
            let quote = self.quote_in(tx, tenant, id).await?;
            let Some(quote) = quote.filter(|quote| quote.state == QuoteState::Sent) else { return Ok(false) };
            let root = self.root_in(tx, tenant.account, lead).await?;
            self.add_entry(tx, tenant, root, by, EntryKind::QuoteSent, &quote.name()).await?;
            self.tell_homeowner_of_quote(tx, tenant, &kept, EventKind::QuoteSent, id).await?;
            Ok(true)
        })?;
        self.store.wake.notify_one();
        Ok(sent)
    }

    /// The homeowner cannot accept it any more.
    pub async fn withdraw_quote(self, tenant: &Tenant, by: &User, id: QuoteId) -> Result<QuoteOutcome, StoreError> {
        let Some(lead) = self.quote(tenant, id).await?.map(|quote| quote.lead) else {
            return Ok(QuoteOutcome::Changed(None));
        };
        transact!(self.store.db, |tx| {
            self.lock(tx, tenant, lead).await?.ok_or(StoreError::NotFound)?;
            let changed = execute!(
                tx,
                "UPDATE quote SET state = 'withdrawn', updated_at = updated_at + 1000
                  WHERE id = $1 AND account_id = $2 AND state = 'sent'",
                id.to_string(),
                tenant.account.to_string()
            )?;
            let now = self.quote_in(tx, tenant, id).await?;
            match (changed, now) {
                (1, Some(now)) => {
                    let root = self.root_in(tx, tenant.account, lead).await?;
                    self.add_entry(tx, tenant, root, by, EntryKind::QuoteWithdrawn, &now.name()).await?;
                    Ok(QuoteOutcome::Done(Box::new(now)))
                }
                (_, now) => Ok(QuoteOutcome::Changed(now.map(Box::new))),
            }
        })
    }

    /// The one answer to a quote. What is not open any more, or was shown otherwise, is not answered.
    pub async fn answer_quote(
        self,
        tenant: &Tenant,
        id: QuoteId,
        reply: QuoteReply<'_>,
        telling: QuoteTelling,
    ) -> Result<QuoteOutcome, StoreError> {
        let Some(lead) = self.quote(tenant, id).await?.map(|quote| quote.lead) else {
            return Ok(QuoteOutcome::Changed(None));
        };
        let answered = transact!(self.store.db, |tx| {
            let own = self.lock(tx, tenant, lead).await?.ok_or(StoreError::NotFound)?;
            let Some(old) = self.quote_in(tx, tenant, id).await? else { return Ok(QuoteOutcome::Changed(None)) };
            let now = self.store.now();
            let (state, choice, answer, not_before) = match reply {
                QuoteReply::Accept { choice, name, seen } => {
                    if seen != old.digest {
                        return Ok(QuoteOutcome::Changed(Some(Box::new(old))));
                    }
                    let answer = QuoteAnswer { name: name.to_owned(), reason: String::new(), by_company: false };
                    (QuoteState::Accepted, Some(choice), answer, now.micros())
                }
                QuoteReply::AcceptedElsewhere { choice, by } => {
                    let name = by.name.as_str().to_owned();
                    let answer = QuoteAnswer { name, reason: String::new(), by_company: true };
                    (QuoteState::Accepted, Some(choice), answer, i64::MIN)
                }
                QuoteReply::Decline { reason } => {
                    let answer = QuoteAnswer { name: String::new(), reason: reason.to_owned(), by_company: false };
                    (QuoteState::Declined, None, answer, now.micros())
                }
            };
            let chosen = match choice {
                Some(choice) => Some(old.content().choices.get(choice).ok_or(StoreError::NotFound)?),
                None => None,
            };
            let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
            let changed = execute!(
                tx,
                "UPDATE quote SET state = $2, answer = $3, chosen = $4, amount_cents = $5, answered_at = $6, updated_at = $7
                  WHERE id = $1 AND state = 'sent' AND expires_at > $8",
                id.to_string(),
                state.as_str(),
                keys.seal(Field::QuoteAnswer, &id.to_string(), &to_json(&answer)?.to_string())?,
                choice.and_then(|choice| i64::try_from(choice).ok()),
                chosen.map(|chosen| chosen.price_cents),
                now.micros(),
                now.micros().max(old.updated_at.micros() + 1_000),
                not_before
            )?;
            if changed == 0 {
                return Ok(QuoteOutcome::Changed(Some(Box::new(old))));
            }
            let root = self.root_in(tx, tenant.account, lead).await?;
            let stays = match root == lead {
                true => own.clone(),
                false => self.lock(tx, tenant, root).await?.ok_or(StoreError::NotFound)?,
            };
            let told = match chosen {
                Some(chosen) => [&old.name(), "\n", &chosen.title, "\n", &chosen.price_cents.to_string()].concat(),
                None => [&old.name(), "\n", &answer.reason].concat(),
            };
            let kind = if choice.is_some() { EntryKind::QuoteAccepted } else { EntryKind::QuoteDeclined };
            match reply {
                QuoteReply::AcceptedElsewhere { by, .. } => {
                    self.add_entry(tx, tenant, root, by, kind, told.trim_end()).await?;
                }
                _ => self.add_entry_of(tx, tenant, root, "", kind, told.trim_end()).await?,
            }
            if choice.is_some() {
                self.note_won(tx, tenant, stays, chosen.map_or(0, |chosen| chosen.price_cents)).await?;
            }
            // Who enters it tells the others.
            if !matches!(reply, QuoteReply::AcceptedElsewhere { .. }) {
                self.tell_of_answer(tx, tenant, (&own, root), id, telling).await?;
            }
            let stored = self.quote_in(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
            Ok(QuoteOutcome::Done(Box::new(stored)))
        })?;
        self.store.wake.notify_one();
        Ok(answered)
    }

    /// The lead is won, for what its accepted quotes cost together. An amount that somebody typed stays.
    async fn note_won(self, tx: &mut Tx<'_>, tenant: &Tenant, mut lead: Lead, accepted: i64) -> Result<(), StoreError> {
        let sum = fetch_optional!(
            tx,
            (Option<i64>,),
            "SELECT CAST(SUM(amount_cents) AS BIGINT) FROM quote
              WHERE state = 'accepted' AND account_id = $2
                AND lead_id IN (SELECT CAST($1 AS TEXT) UNION ALL SELECT id FROM lead WHERE merged_into = $1 AND account_id = $2)",
            lead.id.to_string(),
            tenant.account.to_string()
        )?;
        let sum = sum.and_then(|(sum,)| sum).unwrap_or_default();
        execute!(
            tx,
            "UPDATE lead SET won_value_cents = $2, tokens_at = NULL
              WHERE id = $1 AND COALESCE(won_value_cents, 0) = $3",
            lead.id.to_string(),
            sum,
            sum - accepted
        )?;
        let now = self.store.now();
        if lead.status == LeadStatus::Lost {
            forget_loss(tx, lead.id).await?;
        }
        lead.first_touch_at = lead.first_touch_at.or(Some(now));
        (lead.status, lead.updated_at) = (LeadStatus::Won, now);
        self.update(tx, tenant, &lead).await
    }

    async fn quote_in(self, tx: &mut Tx<'_>, tenant: &Tenant, id: QuoteId) -> Result<Option<Quote>, StoreError> {
        let (account, environment) = columns(tenant);
        let row = fetch_optional!(
            tx,
            QuoteRow,
            concat!(quote_columns!(), "WHERE id = $1 AND account_id = $2 AND environment = $3 AND record IS NOT NULL"),
            id.to_string(),
            &account,
            environment
        )?;
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        row.map(|row| row.read(&keys)).transpose()
    }

    async fn last_revision(self, tx: &mut Tx<'_>, tenant: &Tenant, number: i64) -> Result<i64, StoreError> {
        let (account, environment) = columns(tenant);
        let row = fetch_optional!(
            tx,
            (i64,),
            "SELECT COALESCE(MAX(revision), 0) FROM quote WHERE account_id = $1 AND environment = $2 AND number = $3",
            &account,
            environment,
            number
        )?;
        Ok(row.map_or(0, |(last,)| last))
    }

    /// Locks the company's count until the transaction ends.
    async fn next_number(self, tx: &mut Tx<'_>, tenant: &Tenant) -> Result<i64, StoreError> {
        let sql = match tenant.environment {
            Environment::Production => {
                "INSERT INTO quote_settings (account_id, last_production, last_sandbox) VALUES ($1, 1001, 1000)
                     ON CONFLICT (account_id) DO UPDATE SET last_production = quote_settings.last_production + 1
                 RETURNING last_production"
            }
            Environment::Sandbox => {
                "INSERT INTO quote_settings (account_id, last_production, last_sandbox) VALUES ($1, 1000, 1001)
                     ON CONFLICT (account_id) DO UPDATE SET last_sandbox = quote_settings.last_sandbox + 1
                 RETURNING last_sandbox"
            }
        };
        let row = fetch_optional!(tx, (i64,), sql, tenant.account.to_string())?;
        row.map(|(number,)| number).ok_or(StoreError::NotFound)
    }

    async fn keep_defaults(self, tx: &mut Tx<'_>, tenant: &Tenant, of: &QuoteContent) -> Result<(), StoreError> {
        let id = tenant.account.to_string();
        let defaults = QuoteDefaults { terms: of.terms.clone(), tax: of.tax, deposit: of.deposit };
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        let sealed = keys.seal(Field::QuoteSettings, &id, &to_json(&defaults)?.to_string())?;
        execute!(tx, "UPDATE quote_settings SET record = $2 WHERE account_id = $1", &id, sealed)?;
        Ok(())
    }
}

fn digest(number: i64, revision: i64, written: &str) -> String {
    blake3::hash([&quote_name(Some(number), revision), "\n", written].concat().as_bytes()).to_hex().to_string()
}
