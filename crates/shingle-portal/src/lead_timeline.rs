//! A lead's history, newest first; notes are separate.

use shingle_domain::appointment::CancelReason;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::event::EventKind;
use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::{Lead, LeadChannel, LeadStatus};
use shingle_domain::notice::TimeOfDay;
use shingle_domain::{Language, Role, Timestamp, Usd};
use shingle_store::{
    APPOINTMENTS_OF_HOMEOWNERS, DeliveryState, DestinationKind, EntryKind, LeadEntry, MergedLead, QUOTES_OF_HOMEOWNERS,
    reference,
};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::{dollars, money};

use crate::appointment::cancel_reason;
use crate::connection_form::event_in_words;
use crate::counted::{Counted, counted};
use crate::days::{date_and_time, day_of_week, full_due};
use crate::element::{button, card, el, hidden, link};
use crate::frame::Signed;
use crate::inbox_choices::status_in_words;
use crate::inbox_filter::InboxFilter;
use crate::lead_contact::edited_in_words;
use crate::lead_emails::{LeadDelivery, Mailed};
use crate::lead_outcome::loss_in_words;
use crate::lead_reply::reply_in_words;
use crate::phrase::{phrase, translated};
use crate::time::Hours;
use crate::visit_words::part_in_words;

pub(crate) struct Timeline<'v> {
    pub lead: &'v Lead,
    pub list: &'v InboxFilter,
    pub entries: &'v [LeadEntry],
    pub deliveries: &'v [LeadDelivery],
    pub hours: &'v Hours,
    /// How the lead came in.
    pub came: fn(LeadChannel) -> &'static str,
    pub only_deliveries: bool,
    /// Whether there is a consent that is for another number than the lead's.
    pub agreed_before: bool,
    /// The leads that were merged into it.
    pub merged: &'v [MergedLead],
}

type Line = (Timestamp, Node);

impl Timeline<'_> {
    /// `form` makes the form of an action.
    pub fn card(&self, signed: &Signed<'_>, form: &impl Fn(&str) -> Node) -> Node {
        // The entry of an email tells what became of it.
        let shown = |of: &&LeadDelivery| self.only_deliveries || of.delivery.kind != EventKind::ReplySent;
        let mut lines: Vec<Line> = self.deliveries.iter().filter(shown).map(|of| self.delivery(signed, of)).collect();
        if !self.only_deliveries {
            lines.extend(self.people(signed.language, form));
            for lead in [self.lead].into_iter().chain(self.merged.iter().map(|of| &of.lead)) {
                lines.extend(self.homeowner(signed.language, lead));
            }
        }
        lines.cold_sort_by_key(|(at, _)| core::cmp::Reverse(at.micros()));
        let mut card = card("Timeline").set("id", "timeline");
        if !self.deliveries.is_empty() {
            let here = self.list.lead_at(self.lead.id);
            let join = if here.contains('?') { '&' } else { '?' };
            card = card.child(Node::classed("p", "switch").child(match self.only_deliveries {
                true => link(format!("{here}#timeline"), "Everything"),
                false => link(format!("{here}{join}timeline=deliveries#timeline"), "Only deliveries"),
            }));
        }
        card.child(Node::classed("ol", "timeline").children(lines.into_iter().map(|(_, line)| line)))
    }

    fn line(&self, class: &'static str, said: Node, at: Timestamp) -> Line {
        let when = Node::classed("span", "soft").child(self.hours.aged(at));
        (at, Node::classed("li", class).child(said).child(when))
    }

    fn people(&self, language: Language, form: &impl Fn(&str) -> Node) -> Vec<Line> {
        // The lead that stays tells already of each merge.
        let is_told = |entry: &LeadEntry| {
            entry.kind != EntryKind::Note && (entry.kind != EntryKind::MergedAway || self.merged.is_empty())
        };
        let entries = self.entries.iter().filter(|entry| is_told(entry));
        // The newest entry of each merge that stands has the way back.
        let mut undone: Vec<&str> = Vec::new();
        let mailed = Mailed { lead: self.lead, entries: self.entries, deliveries: self.deliveries, hours: self.hours };
        let lines = entries.map(|entry| {
            if let Some((class, said)) = mailed.line(language, entry) {
                let mut said = said.into_iter();
                let (at, line) = self.line(class, said.next().unwrap_or_else(|| el("span")), entry.at);
                return (at, line.children(said));
            }
            let is_later = matches!(entry.kind, EntryKind::NoteDeleted | EntryKind::Replied);
            let later = entry.changed_at.filter(|_| is_later);
            let (at, line) = self.line("by", el("span").text(told(language, entry)), later.unwrap_or(entry.at));
            let stands = entry.kind == EntryKind::Merged
                && self.merged.iter().any(|of| of.into == self.lead.id && of.lead.id.to_string() == entry.text);
            if !stands || undone.contains(&entry.text.as_str()) {
                return (at, line);
            }
            undone.push(&entry.text);
            let undo = form("unmerge").child(hidden("merged", entry.text.clone())).child(button("btn", "Undo merge"));
            (at, line.child(undo))
        });
        lines.collect()
    }

    fn homeowner(&self, language: Language, lead: &Lead) -> Vec<Line> {
        let Lead { created_at, consent, inspection, .. } = lead;
        let way = translated(language, (self.came)(lead.source.via));
        let came = phrase(language, "Source: {way}", &[("way", way)]);
        let has_agreed = consent.given || (lead.id == self.lead.id && self.agreed_before);
        let agreed =
            has_agreed.then(|| (consent.at, translated(language, "Homeowner agreed to calls and texts").to_owned()));
        let visit = inspection.as_ref().map(|visit| {
            let said = match visit.photos.len() {
                0 => phrase(language, "Inspection requested", &[]),
                count => counted(language, Counted::PHOTOS, count as i64),
            };
            (visit.requested_at, said)
        });
        let all = [visit, Some((*created_at, came)), agreed].into_iter().flatten();
        all.map(|(at, said)| self.line("by", el("span").text(said), at)).collect()
    }

    fn delivery(&self, signed: &Signed<'_>, of: &LeadDelivery) -> Line {
        let language = signed.language;
        let LeadDelivery { delivery, kind, to } = of;
        let what = match kind {
            DestinationKind::Webhook => phrase(language, "Webhook {to}", &[("to", to)]),
            DestinationKind::Mail => phrase(language, "Email to {to}", &[("to", to)]),
            DestinationKind::Homeowner => phrase(language, "Email to the homeowner", &[]),
            DestinationKind::Push => phrase(language, "Push to {to}", &[("to", to)]),
            DestinationKind::Connector => phrase(language, "Connector {to}", &[("to", to)]),
            DestinationKind::Appointment
                if [APPOINTMENTS_OF_HOMEOWNERS, QUOTES_OF_HOMEOWNERS].contains(&to.as_str()) =>
            {
                phrase(language, "Email to the homeowner", &[])
            }
            DestinationKind::Appointment => phrase(language, "Email to the team", &[]),
        };
        let (class, state) = match delivery.state {
            DeliveryState::Delivered => ("well", "was delivered"),
            DeliveryState::Pending | DeliveryState::Waiting => ("", "is on its way"),
            DeliveryState::Failed => ("broken", "was not delivered"),
            DeliveryState::Skipped => ("", "was skipped"),
        };
        let mut said = el("span").text(format!(
            "{what} ({}) {}",
            translated(language, event_in_words(delivery.kind)),
            translated(language, state)
        ));
        if signed.role >= Role::Owner && delivery.attempts > 0 {
            let attempts = counted(language, Counted::ATTEMPTS, delivery.attempts.into());
            said = said.text(" ").child(link(format!("/portal/deliveries/{}", delivery.id), attempts));
        }
        self.line(class, said, delivery.completed_at.unwrap_or(delivery.created_at))
    }
}

/// `Call, 2026-12-01` with its day as people write it.
fn with_day(language: Language, step: &str) -> String {
    let due = |text: &str| {
        let (day, time) = text.split_once(' ').map_or((text, None), |(day, time)| (day, Some(time)));
        let time = time.map(|time| TimeOfDay::parse(time).ok_or(())).transpose().ok()?;
        Some(full_due(language, VisitDate::parse(day)?, time))
    };
    let read = step.rsplit_once(", ").and_then(|(what, text)| Some((what, due(text)?)));
    read.map_or_else(|| step.to_owned(), |(what, due)| format!("{what}, {due}"))
}

/// `2026-11-23 13:00 Tomas Okafor` as people write it.
fn with_time(language: Language, text: &str) -> String {
    let mut parts = text.splitn(3, ' ');
    let (date, time, who) = (parts.next(), parts.next(), parts.next().unwrap_or_default());
    let read = date.and_then(VisitDate::parse).zip(time.and_then(TimeOfDay::parse));
    read.map_or_else(|| text.to_owned(), |(date, time)| format!("{}, {who}", date_and_time(language, date, time)))
}

/// `2026-11-24 morning`.
fn wished(language: Language, text: &str) -> String {
    let (date, part) = text.split_once(' ').unwrap_or((text, ""));
    let date = VisitDate::parse(date).map_or_else(String::new, |date| day_of_week(language, date.0));
    let part = part.parse().map_or("", |part| translated(language, part_in_words(part)));
    format!("{date}, {part}")
}

/// The reference of the lead with this id.
fn referred(id: &str) -> String {
    id.parse().map(reference).unwrap_or_default()
}

fn told(language: Language, entry: &LeadEntry) -> String {
    let LeadEntry { author, text, .. } = entry;
    let say = |english: &str, with: &[(&str, &str)]| {
        let with: Vec<_> = [("name", author.as_str())].iter().chain(with).copied().collect();
        phrase(language, english, &with)
    };
    match entry.kind {
        EntryKind::Note => text.clone(),
        EntryKind::Status => {
            let status = text
                .parse::<LeadStatus>()
                .map_or(text.as_str(), |status| translated(language, status_in_words(status)));
            say("{name} set the status to {status}", &[("status", status)])
        }
        EntryKind::Assigned if text.is_empty() => say("{name} unassigned it", &[]),
        EntryKind::Assigned if text == author => say("{name} took it", &[]),
        EntryKind::Assigned => say("{name} assigned it to {other}", &[("other", text)]),
        EntryKind::NextStep if text.is_empty() => say("{name} removed the next step", &[]),
        EntryKind::NextStep => say("{name} planned: {step}", &[("step", &with_day(language, text))]),
        EntryKind::StepDone => say("{name} did: {step}", &[("step", text)]),
        EntryKind::Taken => say("{name} is on it", &[]),
        EntryKind::Worth => match text.parse() {
            Ok(cents) => say("{name} entered the contract amount: {sum}", &[("sum", &dollars(Usd::from_cents(cents)))]),
            Err(_) => say("{name} removed the contract amount", &[]),
        },
        EntryKind::Booked if author.is_empty() => {
            say("Homeowner booked the inspection: {time}", &[("time", &with_time(language, text))])
        }
        EntryKind::Moved if author.is_empty() => {
            say("Homeowner moved the inspection: {time}", &[("time", &with_time(language, text))])
        }
        EntryKind::Booked => say("{name} booked the inspection: {time}", &[("time", &with_time(language, text))]),
        EntryKind::Moved => say("{name} moved the inspection: {time}", &[("time", &with_time(language, text))]),
        EntryKind::Canceled => {
            let (when, word) = text.split_once('\n').unwrap_or((text, ""));
            let time = with_time(language, when);
            let said = match author.is_empty() {
                true => phrase(language, "Homeowner canceled the inspection: {time}", &[("time", &time)]),
                false => say("{name} canceled the inspection: {time}", &[("time", &time)]),
            };
            let reason = CancelReason::parse(word).filter(|_| author.is_empty());
            let word = reason.map_or(word, |reason| translated(language, cancel_reason(reason)));
            if word.is_empty() { said } else { format!("{said}. “{word}”") }
        }
        EntryKind::Agreed => phrase(language, "Homeowner agreed to {time}", &[("time", &with_time(language, text))]),
        EntryKind::OtherTime => {
            phrase(language, "Homeowner asks for another time: {time}", &[("time", &wished(language, text))])
        }
        EntryKind::TookPlace => say("{name} noted: the inspection took place", &[]),
        EntryKind::NobodyHome => say("{name} noted: nobody was home", &[]),
        EntryKind::NotGone => say("{name} noted: we didn’t go", &[]),
        EntryKind::Added => say("{name} added this lead by hand", &[]),
        EntryKind::Imported => say("{name} imported this lead from “{file}”", &[("file", text)]),
        EntryKind::Tagged => say("{name} added the tag {tag}", &[("tag", text)]),
        EntryKind::Untagged => say("{name} removed the tag {tag}", &[("tag", text)]),
        EntryKind::ReplyPrepared | EntryKind::Replied => reply_in_words(language, entry.kind, author, text),
        EntryKind::EmailsStopped => phrase(language, "Homeowner asked for no more emails", &[]),
        EntryKind::EmailsResumed => phrase(language, "Homeowner wants emails again", &[]),
        // They are lines of their own.
        EntryKind::EmailSent | EntryKind::Answered | EntryKind::AnsweredByMachine | EntryKind::Bounced => text.clone(),
        EntryKind::NoteEdited => say("{name} edited a note", &[]),
        EntryKind::NoteDeleted => say("{name} deleted a note", &[]),
        EntryKind::Lost => {
            let (reason, more) = text.split_once('\n').unwrap_or((text, ""));
            let reason = reason.parse().map_or(reason, |reason| translated(language, loss_in_words(reason)));
            let said = say("{name} noted why it was lost: {reason}", &[("reason", reason)]);
            if more.is_empty() { said } else { format!("{said}. “{more}”") }
        }
        EntryKind::Edited => {
            let mut lines = text.splitn(3, '\n');
            let [field, old, new] = [(); 3].map(|()| lines.next().unwrap_or_default());
            let nothing = translated(language, "Nothing");
            let old = if old.is_empty() { nothing } else { old };
            let new = if new.is_empty() { nothing } else { new };
            say(edited_in_words(field), &[("old", old), ("new", new)])
        }
        EntryKind::FileAdded => say("{name} added the file {file}", &[("file", text)]),
        EntryKind::FileDeleted => say("{name} deleted the file {file}", &[("file", text)]),
        EntryKind::GivenByRule => match text.split_once('\n') {
            Some((to, "")) => {
                phrase(language, "Given to {name}, who has another lead of this homeowner", &[("name", to)])
            }
            Some((to, place)) if place.bytes().all(|b| b.is_ascii_digit()) => {
                phrase(language, "Given to {name} by rule: ZIP {place}", &[("name", to), ("place", place)])
            }
            Some((to, place)) => {
                phrase(language, "Given to {name} by rule: {place}", &[("name", to), ("place", place)])
            }
            None => phrase(language, "Given to {name}, whose turn it was", &[("name", text)]),
        },
        EntryKind::Merged => say("{name} merged {reference} into this lead", &[("reference", &referred(text))]),
        EntryKind::MergedAway => say("{name} merged this lead into {reference}", &[("reference", &referred(text))]),
        EntryKind::Unmerged => say("{name} undid the merge with {reference}", &[("reference", &referred(text))]),
        EntryKind::QuoteSent => say("{name} sent quote {number}", &[("number", text)]),
        EntryKind::QuoteWithdrawn => say("{name} withdrew quote {number}", &[("number", text)]),
        EntryKind::QuoteAccepted => {
            let mut lines = text.splitn(3, '\n');
            let [number, choice, cents] = [(); 3].map(|()| lines.next().unwrap_or_default());
            let sum = money(Usd::from_cents(cents.parse().unwrap_or_default()));
            let with = [("number", number), ("choice", choice), ("sum", sum.as_str())];
            match author.is_empty() {
                true => phrase(language, "Homeowner accepted quote {number}: {choice}, {sum}", &with),
                false => say("{name} entered that quote {number} is accepted: {choice}, {sum}", &with),
            }
        }
        EntryKind::QuoteDeclined => {
            let (number, why) = text.split_once('\n').unwrap_or((text, ""));
            let said = phrase(language, "Homeowner declined quote {number}", &[("number", number)]);
            if why.is_empty() { said } else { format!("{said}. “{why}”") }
        }
        EntryKind::Texted => say("{name} texted the time to the homeowner", &[]),
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::EntryId;

    use super::*;

    #[test]
    fn an_entry_is_a_sentence() {
        let told = |kind, text: &str| {
            told(
                Language::English,
                &LeadEntry {
                    id: EntryId(uuid::Uuid::nil()),
                    kind,
                    author: "Maya".into(),
                    author_id: None,
                    text: text.into(),
                    at: Timestamp::from_micros(0),
                    changed_at: None,
                },
            )
        };
        assert_eq!(told(EntryKind::Status, "won"), "Maya set the status to Won");
        assert_eq!(told(EntryKind::Assigned, ""), "Maya unassigned it");
        assert_eq!(told(EntryKind::Assigned, "Maya"), "Maya took it");
        assert_eq!(told(EntryKind::Assigned, "Luis"), "Maya assigned it to Luis");
        assert_eq!(told(EntryKind::NextStep, "Call, 2026-12-01"), "Maya planned: Call, Dec 1, 2026");
        let timed = "Maya planned: Call, Dec 1, 2026, 2:30 PM";
        assert_eq!(told(EntryKind::NextStep, "Call, 2026-12-01 14:30"), timed);
        assert_eq!(told(EntryKind::NextStep, "Call, 2026-12-01 at 2"), "Maya planned: Call, 2026-12-01 at 2");
        assert_eq!(told(EntryKind::NextStep, "Call at 7, then 8"), "Maya planned: Call at 7, then 8");
        assert_eq!(told(EntryKind::StepDone, "Bring samples"), "Maya did: Bring samples");
        assert_eq!(told(EntryKind::Taken, ""), "Maya is on it");
        let time = "2026-11-23 13:00 Tomas Okafor";
        assert_eq!(told(EntryKind::Booked, time), "Maya booked the inspection: Mon, Nov 23, 1:00 PM, Tomas Okafor");
        let why = format!("{time}\nA storm came in");
        let canceled = "Maya canceled the inspection: Mon, Nov 23, 1:00 PM, Tomas Okafor. “A storm came in”";
        assert_eq!(told(EntryKind::Canceled, &why), canceled);
        assert_eq!(told(EntryKind::Lost, "price"), "Maya noted why it was lost: The price");
        let lost = "Maya noted why it was lost: Another reason. “Moved away”";
        assert_eq!(told(EntryKind::Lost, "other\nMoved away"), lost);
        assert_eq!(
            told(EntryKind::Edited, "phone\n\n(207) 555-0163"),
            "Maya changed the phone: Nothing → (207) 555-0163"
        );
        let other = "Homeowner asks for another time: Tue, Nov 24, morning";
        assert_eq!(told(EntryKind::OtherTime, "2026-11-24 morning"), other);
    }
}
