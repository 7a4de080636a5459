//! From the bytes of an email to the entry of a lead.

use shingle_domain::{Email, EntryId};
use shingle_store::{Answer, AnswerKind, AnswerOutcome, AnsweredEmail, Store, StoreError};

use super::inbound::{Inbound, Wish};
use super::report::Nature;
use crate::tokens::Tokens;

/// Letters of a token.
const TOKEN: usize = 42;
/// Bytes in which an address is looked for.
const MAX_HEAD: usize = 64_000;

/// Where answers go: `reply+TOKEN@in.example.com`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyAddress {
    local: String,
    host: String,
}

impl ReplyAddress {
    /// `reply@in.example.com`. With the token, the name has 64 letters at most.
    pub fn parse(text: &str) -> Option<Self> {
        let email = Email::parse(text)?;
        let (local, host) = email.as_str().rsplit_once('@')?;
        let whole = Self { local: local.to_ascii_lowercase(), host: host.to_ascii_lowercase() };
        (local.is_ascii() && local.len() + 1 + TOKEN <= 64).then_some(whole)
    }

    /// For answers to one email.
    pub fn of(&self, tokens: &Tokens, entry: EntryId) -> Option<Email> {
        Email::parse(&format!("{}+{}@{}", self.local, tokens.reply(entry), self.host))
    }

    /// The email that one of the addresses in a text names with a genuine token.
    fn find(&self, tokens: &Tokens, text: &str) -> Option<EntryId> {
        let low = text.to_ascii_lowercase();
        let before = format!("{}+", self.local);
        low.match_indices(&before).find_map(|(at, _)| {
            let from = at + before.len();
            let token = low.get(from..from + TOKEN)?;
            let follows = low.get(from + TOKEN..)?.starts_with(['@', '=']);
            tokens.reply_entry(token).filter(|_| follows || low.len() == from + TOKEN)
        })
    }
}

/// What became of an email.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    Stored,
    /// It came before.
    Known,
    /// There is nothing to tell: a receipt, or an email of our own.
    Nothing,
    /// The lead has had too many today.
    TooMany,
    /// It answers nothing that we sent.
    Unknown,
    /// It is no email.
    Unreadable,
}

pub struct Receiver<'r> {
    pub store: &'r Store,
    pub tokens: &'r Tokens,
    pub address: &'r ReplyAddress,
    /// Our own sender: what comes from it came back by mistake.
    pub own: Option<&'r Email>,
    /// The installation sends mail.
    pub mails: bool,
}

impl Receiver<'_> {
    /// `to`: whom the envelope names, where that is known; otherwise the head of the email does.
    pub async fn receive(&self, raw: &[u8], to: &str) -> Result<Received, StoreError> {
        let find = |text: &str| self.address.find(self.tokens, text);
        let Some(entry) = find(to).or_else(|| find(&head_of(raw))) else { return Ok(Received::Unknown) };
        let Some(inbound) = Inbound::parse(raw) else { return Ok(Received::Unreadable) };
        let is_own = |from: &Email| {
            find(from.as_str()).is_some()
                || self.own.is_some_and(|own| own.as_str().eq_ignore_ascii_case(from.as_str()))
        };
        if inbound.from.as_ref().is_some_and(is_own) {
            return Ok(Received::Nothing);
        }
        let (kind, text) = match (&inbound.nature, inbound.wish) {
            (Nature::Silent, _) => return Ok(Received::Nothing),
            (Nature::Bounce { for_good, reason, of }, _) => {
                (AnswerKind::Bounce { for_good: *for_good, of: of.as_ref() }, reason.clone())
            }
            (Nature::Person, Some(Wish::Stop)) if inbound.is_bare() => (AnswerKind::Stop, String::new()),
            (Nature::Person, Some(Wish::Stop)) => (AnswerKind::Stop, written(&inbound)),
            (Nature::Person, Some(Wish::Resume)) => (AnswerKind::Resume, written(&inbound)),
            (Nature::Person, None) => (AnswerKind::Written, written(&inbound)),
            (Nature::Machine, _) => (AnswerKind::ByMachine, written(&inbound)),
        };
        let answer = Answer { to: entry, name: &inbound.name, kind, text: &text };
        Ok(match self.store.leads().keep_answer(&answer, self.mails).await? {
            AnswerOutcome::Stored => Received::Stored,
            AnswerOutcome::Known => Received::Known,
            AnswerOutcome::TooMany => Received::TooMany,
            AnswerOutcome::Unknown => Received::Unknown,
        })
    }
}

fn written(of: &Inbound) -> String {
    AnsweredEmail {
        message_id: &of.message_id,
        from: of.from.as_ref().map_or("", Email::as_str),
        subject: &of.subject,
        attachments: &of.attachments.join(", "),
        body: &of.text,
    }
    .written()
}

/// The headers, without their folds.
fn head_of(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw.get(..MAX_HEAD).unwrap_or(raw)).replace("\r\n", "\n");
    let head = text.split("\n\n").next().unwrap_or_default();
    head.replace("\n ", " ").replace("\n\t", " ")
}
