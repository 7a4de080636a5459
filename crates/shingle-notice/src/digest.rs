//! To the contractor, once a day: what came in, what was done about it, and what is held as spam; or the last alone.

use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::mail::MailContent;
use shingle_domain::widget::Widget;
use shingle_domain::{Language, Timestamp};
use shingle_widget::words::{dollars, fill, flow_words, wants};

use crate::compose::compose;
use crate::letter::{Block, Letter, Row, Span};
use crate::moment::{LocalTime, duration};
use crate::skin::Skin;
use crate::words::{Words, words};
use crate::{clean, facts};

/// Leads listed in one section; the rest is a number.
const MAX_LISTED: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch<'a> {
    /// How long it took, and who it was if that is known.
    Taken {
        minutes: u64,
        by: Option<&'a str>,
    },
    Waiting {
        minutes: u64,
    },
}

#[derive(Debug, Clone, Copy)]
pub struct DigestLead<'a> {
    pub lead: &'a Lead,
    pub reference: &'a str,
    pub touch: Touch<'a>,
    /// Its page in the portal.
    pub link: &'a str,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DigestCounts {
    /// That came in on the day.
    pub new: u64,
    /// Of those, taken.
    pub taken: u64,
    /// That nobody has taken, whenever they came in.
    pub waiting: u64,
    pub longest_wait_minutes: Option<u64>,
    pub median_first_touch_minutes: Option<u64>,
}

/// Each lead with its link, and the phone number of those who agreed to calls; no mail addresses.
#[derive(Debug, Clone, Copy)]
pub struct Digest<'a> {
    pub company: &'a str,
    /// Any moment of the day it reports.
    pub day: Timestamp,
    pub counts: DigestCounts,
    pub leads: &'a [DigestLead<'a>],
    pub spam: &'a [DigestLead<'a>],
    /// Whose colors it has, if the account has one widget.
    pub widget: Option<&'a Widget>,
    /// Only leads held as spam are reported, with a link to their list: nobody has asked for more.
    pub held: Option<&'a str>,
    /// `None`: the mailbox gets no other mail that could be ended.
    pub unsubscribe: Option<&'a str>,
    /// The recipient's address.
    pub to: &'a str,
    pub language: Language,
    /// The recipient's IANA time zone.
    pub time_zone: &'a str,
}

impl Digest<'_> {
    pub fn content(&self) -> MailContent {
        let (words, day) = (self.words(), self.time().day(self.day));
        let title = self.title();
        let what = if self.held.is_some() { words.digest_spam } else { words.digest };
        let mut blocks = vec![
            Block::Kicker { what: what.to_owned(), when: day.clone() },
            Block::Title(title.clone()),
            Block::Line(clean::line(self.company)),
        ];
        let counts = self.counts();
        let preview = counts.iter().map(|[label, value]| [label, ": ", value].concat()).collect::<Vec<_>>().join(" · ");
        if !counts.is_empty() {
            blocks.push(Block::Heading(words.digest_counts.to_owned()));
            blocks.push(Block::Rows(counts.into_iter().map(|[label, value]| Row::plain(&label, [value])).collect()));
        }
        if !self.leads.is_empty() {
            blocks.push(Block::Heading(words.digest_leads.to_owned()));
            blocks.push(Block::Rows(self.list(self.leads, false)));
        }
        if !self.spam.is_empty() {
            if self.held.is_none() {
                blocks.push(Block::Heading(words.digest_spam.to_owned()));
            }
            blocks.push(Block::Small(vec![Span::plain(words.digest_spam_why)]));
            blocks.push(Block::Rows(self.list(self.spam, true)));
        }
        let link = |label: &str, href: &str| Span::Link { label: label.to_owned(), href: href.to_owned() };
        if let Some(list) = self.held {
            blocks.push(Block::Small(vec![link(words.held_list, list)]));
        }
        let why = if self.held.is_some() { words.held_why } else { words.digest_why };
        let mut footer = vec![Span::Plain(fill(why, &[("to", &clean::line(self.to))]) + " ")];
        footer.extend(self.unsubscribe.map(|href| link(words.unsubscribe, href)));
        compose(Letter {
            language: self.language,
            skin: Skin::of(self.widget),
            subject: fill(words.digest_subject, &[("count", &title), ("day", &day)]),
            preview,
            blocks,
            footer,
            pictures: Vec::new(),
            attachments: Vec::new(),
        })
    }

    fn words(&self) -> &'static Words {
        words(self.language)
    }

    fn time(&self) -> LocalTime {
        LocalTime::of(self.time_zone, self.language)
    }

    fn title(&self) -> String {
        if self.held.is_some() {
            return match self.spam.len() {
                1 => self.words().held_one.to_owned(),
                n => fill(self.words().held_many, &[("n", &n.to_string())]),
            };
        }
        match self.counts.new {
            0 => self.words().digest_none.to_owned(),
            1 => self.words().digest_one.to_owned(),
            n => fill(self.words().digest_many, &[("n", &n.to_string())]),
        }
    }

    /// Label and value of each figure that says something.
    fn counts(&self) -> Vec<[String; 2]> {
        let (words, counts) = (self.words(), self.counts);
        let mut rows = Vec::new();
        if counts.new > 0 {
            rows.push([words.count_taken.to_owned(), counts.taken.to_string()]);
        }
        if counts.new > 0 || counts.waiting > 0 {
            let n = counts.waiting.to_string();
            let waiting = match counts.longest_wait_minutes.filter(|_| counts.waiting > 0) {
                Some(minutes) => fill(words.waiting_longest, &[("n", &n), ("time", &duration(minutes, words))]),
                None => n,
            };
            rows.push([words.count_waiting.to_owned(), waiting]);
        }
        if let Some(minutes) = counts.median_first_touch_minutes {
            let text = fill(words.first_touch_median, &[("time", &duration(minutes, words))]);
            rows.push([words.first_touch.to_owned(), text]);
        }
        rows
    }

    fn list(&self, leads: &[DigestLead<'_>], spam: bool) -> Vec<Row> {
        let mut rows: Vec<Row> = leads.iter().take(MAX_LISTED).map(|of| self.row(of, spam)).collect();
        let left = leads.len().saturating_sub(MAX_LISTED);
        if left > 0 {
            rows.push(Row::plain("…", [fill(self.words().and_more, &[("n", &left.to_string())])]));
        }
        rows
    }

    fn row(&self, of: &DigestLead<'_>, spam: bool) -> Row {
        let name = Some(facts::name(of.lead)).filter(|name| !name.is_empty()).unwrap_or_else(|| "–".to_owned());
        let price = facts::shown_price(of.lead).map(|(_, price)| dollars(price.cost));
        let price = price.unwrap_or_else(|| self.words().subject_no_price.to_owned());
        let place = [&facts::street(&of.lead.address), ", ", &price].concat();
        let mut more = clean::line(of.reference);
        if !spam {
            more = [&self.state(of), " · ", &more].concat();
        }
        let name = Span::Link { label: name, href: of.link.to_owned() };
        let mut lines = vec![vec![name, Span::Plain([", ", &place].concat())]];
        if !spam {
            let answers = wants(flow_words(self.language), of.lead).into_iter().map(|want| want.text);
            let answers = answers.collect::<Vec<_>>().join(" · ");
            let phone = of.lead.phone.as_ref().filter(|_| of.lead.consent.given);
            let call = phone.map(|phone| Span::Link {
                label: phone.as_str().to_owned(),
                href: ["tel:", &phone.dialled()].concat(),
            });
            let answers = Some(answers).filter(|text| !text.is_empty()).map(Span::Plain);
            let both = call.is_some() && answers.is_some();
            let said: Vec<Span> = call.into_iter().chain(both.then(|| Span::plain(" · "))).chain(answers).collect();
            lines.extend((!said.is_empty()).then_some(said));
        }
        lines.push(vec![Span::Plain(more)]);
        Row::new(&self.time().time_of_day(of.lead.created_at), lines)
    }

    fn state(&self, of: &DigestLead<'_>) -> String {
        let words = self.words();
        let touch = match of.touch {
            Touch::Taken { minutes, by: Some(name) } => {
                fill(words.touch_taken_by, &[("name", &clean::line(name)), ("time", &duration(minutes, words))])
            }
            Touch::Taken { minutes, by: None } => fill(words.touch_taken, &[("time", &duration(minutes, words))]),
            Touch::Waiting { minutes } => fill(words.touch_waiting, &[("time", &duration(minutes, words))]),
        };
        match of.lead.status {
            LeadStatus::New | LeadStatus::Spam => touch,
            LeadStatus::Contacted => [words.status_contacted, ", ", &touch].concat(),
            LeadStatus::Qualified => [words.status_qualified, ", ", &touch].concat(),
            LeadStatus::Won => [words.status_won, ", ", &touch].concat(),
            LeadStatus::Lost => [words.status_lost, ", ", &touch].concat(),
        }
    }
}

#[cfg(test)]
mod tests;
