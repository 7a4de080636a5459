//! Emails in a lead's history: what was sent from here and what became of it, and what came back.

use shingle_domain::Language;
use shingle_domain::lead::Lead;
use shingle_store::{AnsweredEmail, Delivery, DeliveryState, DestinationKind, EntryKind, LeadEntry};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::catalog::say;
use crate::element::el;
use crate::phrase::{phrase, translated};
use crate::time::Hours;

/// A delivery with what it went to.
pub struct LeadDelivery {
    pub delivery: Delivery,
    pub kind: DestinationKind,
    pub to: String,
}

/// All that is known beside an entry.
pub(crate) struct Mailed<'v> {
    pub lead: &'v Lead,
    pub entries: &'v [LeadEntry],
    pub deliveries: &'v [LeadDelivery],
    pub hours: &'v Hours,
}

impl Mailed<'_> {
    /// Class and content of the line of an entry; `None` where it is not about an email.
    pub fn line(&self, language: Language, entry: &LeadEntry) -> Option<(&'static str, Vec<Node>)> {
        let said = |text: String| el("span").text(text);
        let quoted = |subject: &str, body: &str| {
            let text = [subject, body].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
            (!text.is_empty()).then(|| Node::classed("blockquote", "said").text(text))
        };
        match entry.kind {
            EntryKind::EmailSent => {
                let mut lines = entry.text.splitn(3, '\n');
                let [event, subject, body] = [(); 3].map(|()| lines.next().unwrap_or_default());
                let event = event.split(' ').next().unwrap_or_default();
                let (class, state) = self.state(language, entry, event);
                let with = [("name", entry.author.as_str()), ("state", &state)];
                let line = said(phrase(language, "{name} emailed the homeowner: {state}", &with));
                Some((class, [Some(line), quoted(subject, body)].into_iter().flatten().collect()))
            }
            EntryKind::Answered | EntryKind::AnsweredByMachine => {
                let of = AnsweredEmail::read(&entry.text)?;
                let own = self.lead.email.as_ref().map_or("", |email| email.as_str());
                let is_own = of.from.is_empty() || of.from.eq_ignore_ascii_case(own);
                let line = match (entry.kind, is_own) {
                    (EntryKind::Answered, true) => translated(language, "Homeowner answered by email").to_owned(),
                    (EntryKind::Answered, false) => {
                        phrase(language, "Answer by email from {email}", &[("email", of.from)])
                    }
                    _ => translated(language, "An automatic answer came back").to_owned(),
                };
                let body = match (of.body, of.attachments) {
                    ("", "") => translated(language, "(The email has no text.)"),
                    (body, _) => body,
                };
                let files = (!of.attachments.is_empty()).then(|| {
                    said(phrase(language, "Attachments, which we don’t keep: {files}", &[("files", of.attachments)]))
                });
                Some(("by", [Some(said(line)), quoted(of.subject, body), files].into_iter().flatten().collect()))
            }
            EntryKind::Bounced => {
                let reason = entry.text.split_once('\n').map_or("", |(_, reason)| reason);
                let line = phrase(language, "An email could not be delivered: {reason}", &[("reason", reason)]);
                Some(("broken", vec![said(line)]))
            }
            _ => None,
        }
    }

    /// What became of an email.
    fn state(&self, language: Language, entry: &LeadEntry, event: &str) -> (&'static str, String) {
        let own = entry.id.to_string();
        let came_back = |of: &&LeadEntry| of.kind == EntryKind::Bounced && of.text.lines().next() == Some(&own);
        if self.entries.iter().any(|of| came_back(&of)) {
            return ("broken", translated(language, "it could not be delivered").to_owned());
        }
        // One that was sent again counts as the last time.
        let sent = self.deliveries.iter().map(|of| &of.delivery).filter(|of| of.event.as_str() == event);
        let Some(last) = sent.max_by_key(|of| of.created_at) else { return ("by", String::new()) };
        let reason = last.reason.as_ref().map(|reason| say(language, reason)).unwrap_or_default();
        match last.state {
            DeliveryState::Delivered => ("well", translated(language, "sent").to_owned()),
            DeliveryState::Pending | DeliveryState::Waiting if last.attempts == 0 => {
                ("by", translated(language, "on its way").to_owned())
            }
            DeliveryState::Pending | DeliveryState::Waiting => {
                let next = self.hours.full(last.due_at);
                (
                    "by",
                    phrase(
                        language,
                        "waiting, because the mail server did not take it. Next try: {time}",
                        &[("time", &next)],
                    ),
                )
            }
            DeliveryState::Failed => ("broken", phrase(language, "not sent: {reason}", &[("reason", &reason)])),
            DeliveryState::Skipped => ("broken", phrase(language, "not sent: {reason}", &[("reason", &reason)])),
        }
    }
}
