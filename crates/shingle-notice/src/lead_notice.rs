//! To the contractor: a lead has come in, or nobody has taken it yet.

use shingle_domain::Language;
use shingle_domain::answers::ContactBy;
use shingle_domain::lead::{Lead, LeadChannel, LeadSource};
use shingle_domain::mail::{MailContent, MailPicture};
use shingle_domain::roof::RoofDrawing;
use shingle_domain::widget::Widget;
use shingle_widget::ssr::part::wish_text;
use shingle_widget::words::{dollars, fill, flow_words, material, told, urgent, wants, written};

use crate::compose::compose;
use crate::drawing::figure::PhotoUnder;
use crate::error::NoticeError;
use crate::letter::{Amount, Block, Button, Letter, Row, Span, escaped, mailto};
use crate::moment::{LocalTime, duration};
use crate::skin::Skin;
use crate::words::{Words, words};
use crate::{clean, facts, picture};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    New,
    /// The homeowner asks for a visit.
    Visit,
    /// The homeowner answered after the notice of the lead.
    Answers,
    /// Nobody has said "I'm on it" for so long.
    Reminder {
        minutes: u64,
    },
}

/// A mail to one recipient about one lead.
#[derive(Debug, Clone, Copy)]
pub struct LeadNotice<'a> {
    pub lead: &'a Lead,
    /// Of the building that the visitor chose, if it can be drawn.
    pub drawing: Option<&'a RoofDrawing>,
    /// What lies under it, where there is one.
    pub photo: Option<&'a PhotoUnder>,
    pub widget: &'a Widget,
    /// What people call the lead: `7K3-Q9F`.
    pub reference: &'a str,
    /// Made with a sandbox key.
    pub sandbox: bool,
    pub kind: NoticeKind,
    /// The recipient's address.
    pub to: &'a str,
    pub language: Language,
    /// The recipient's IANA time zone.
    pub time_zone: &'a str,
    /// The signed link that takes the lead.
    pub on_it: &'a str,
    /// The lead in the portal, and where an owner chooses who is notified of leads.
    pub portal: [&'a str; 2],
    /// The estimate as a page and as a PDF, where there is one.
    pub estimate: Option<[&'a str; 2]>,
    /// Links to the photographs of the visit, in their order.
    pub photos: &'a [String],
}

impl LeadNotice<'_> {
    pub fn content(&self) -> Result<MailContent, NoticeError> {
        let (picture, pictures) = self.picture()?;
        let mut blocks = self.opening();
        blocks.extend(self.told());
        blocks.push(self.amount());
        blocks.push(self.buttons());
        blocks.push(Block::Small(vec![Span::plain(self.words().on_it_why)]));
        blocks.extend(picture);
        blocks.push(Block::Heading(self.heading()));
        blocks.push(Block::Rows(self.rows()));
        Ok(compose(Letter {
            language: self.language,
            skin: Skin::of(Some(self.widget)),
            subject: self.subject(),
            preview: self.preview(),
            blocks,
            footer: self.footer(),
            pictures,
            attachments: Vec::new(),
        }))
    }

    fn words(&self) -> &'static Words {
        words(self.language)
    }

    fn time(&self) -> LocalTime {
        LocalTime::of(self.time_zone, self.language)
    }

    /// `New lead`, `Test lead`, `Still waiting, 15 min`
    fn what(&self) -> String {
        let words = self.words();
        let (sentence, minutes) = match (self.kind, self.sandbox) {
            (NoticeKind::New, false) => (words.lead_new, 0),
            (NoticeKind::New, true) => (words.lead_test, 0),
            (NoticeKind::Visit, false) => (words.visit, 0),
            (NoticeKind::Visit, true) => (words.visit_test, 0),
            (NoticeKind::Answers, false) => (words.answered, 0),
            (NoticeKind::Answers, true) => (words.answered_test, 0),
            (NoticeKind::Reminder { minutes }, false) => (words.lead_waiting, minutes),
            (NoticeKind::Reminder { minutes }, true) => (words.lead_waiting_test, minutes),
        };
        fill(sentence, &[("time", &duration(minutes, words))])
    }

    fn subject(&self) -> String {
        let price = facts::shown_price(self.lead).map(|(_, price)| dollars(price.cost));
        let price = price.unwrap_or_else(|| self.words().subject_no_price.to_owned());
        let name = clean::subject_part(&facts::title_name(self.lead));
        let street = clean::subject_part(&facts::street(&self.lead.address));
        let urgent = urgent(flow_words(self.language), &self.lead.answers).unwrap_or_default().to_owned();
        let parts: Vec<String> = [name, urgent, street, price].into_iter().filter(|part| !part.is_empty()).collect();
        [&self.what().replace('\u{a0}', " "), ": ", &parts.join(", ")].concat()
    }

    fn preview(&self) -> String {
        let mut parts: Vec<String> =
            wants(flow_words(self.language), self.lead).into_iter().map(|want| want.text).collect();
        parts.push(self.may_contact());
        parts.extend(self.lead.phone.as_ref().map(|phone| phone.as_str().to_owned()));
        parts.extend(written(self.lead).into_iter().map(clean::line));
        parts.join(" · ")
    }

    fn opening(&self) -> Vec<Block> {
        let (words, at) = (self.words(), self.time().moment(self.lead.created_at));
        let mut blocks = vec![Block::Kicker { what: self.what(), when: at.clone() }];
        if let NoticeKind::Reminder { minutes } = self.kind {
            let time = duration(minutes, words);
            blocks.push(Block::Notice(fill(words.lead_waiting_why, &[("time", &time), ("at", &at)])));
        }
        if self.sandbox {
            blocks.push(Block::Notice(words.lead_test_why.to_owned()));
        }
        if self.kind == NoticeKind::Visit {
            blocks.push(Block::Notice(words.visit_why.to_owned()));
        }
        if self.kind == NoticeKind::Answers {
            blocks.push(Block::Notice(words.answered_why.to_owned()));
        }
        blocks.push(Block::Title(facts::title_name(self.lead)));
        blocks.push(Block::Line(clean::line(&self.lead.address)));
        blocks
    }

    fn amount(&self) -> Block {
        let words = self.words();
        let (sum, detail) = match facts::shown_price(self.lead) {
            Some((estimate, price)) => (dollars(price.cost), facts::sum_line(estimate, price, self.language, words)),
            None => (words.no_price.to_owned(), words.no_price_why.to_owned()),
        };
        Block::Amount(Amount { sum, proud: false, strong: None, details: vec![detail] })
    }

    /// A call is offered only to somebody who agreed to it, or who can be reached by nothing else: the company has added them.
    fn buttons(&self) -> Block {
        let words = self.words();
        let callable = self.lead.phone.as_ref().filter(|_| self.lead.consent.given || self.lead.email.is_none());
        let first = match callable {
            Some(phone) => {
                let label = fill(words.call, &[("phone", phone.as_str())]);
                let short = fill(words.call, &[("phone", "")]);
                let text = [short.trim().to_owned(), phone.as_str().to_owned()];
                Button { label, href: ["tel:", &phone.dialled()].concat(), primary: true, text }
            }
            None => {
                let subject = fill(words.reply_subject, &[("company", &clean::line(&self.widget.company_name))]);
                let href = mailto(self.lead.email_text(), Some(&subject));
                let text = [words.email.to_owned(), self.lead.email_text().to_owned()];
                Button { label: words.reply.to_owned(), href, primary: true, text }
            }
        };
        let link = |label: &str, href: String| Button {
            label: label.to_owned(),
            text: [label.to_owned(), href.clone()],
            href,
            primary: false,
        };
        let to = escaped(&clean::line(&self.lead.address));
        let directions = ["https://www.google.com/maps/dir/?api=1&destination=", &to].concat();
        Block::Buttons(vec![first, link(words.directions, directions), link(words.on_it, self.on_it.to_owned())])
    }

    fn picture(&self) -> Result<(Vec<Block>, Vec<MailPicture>), NoticeError> {
        let Some(drawing) = self.drawing else { return Ok((vec![], vec![])) };
        picture::of(drawing, self.photo, &self.lead.address, self.widget, self.language)
    }

    fn heading(&self) -> String {
        let first = clean::line(&self.lead.first_name);
        if first.is_empty() {
            return self.words().asked.to_owned();
        }
        fill(self.words().asked_by, &[("first", &first)])
    }

    fn may_contact(&self) -> String {
        facts::may_contact(self.lead, &self.time(), self.words())
    }

    /// What the homeowner answered comes first; without an answer, nothing.
    fn told(&self) -> Vec<Block> {
        let (flow, words) = (flow_words(self.language), self.words());
        let taps = told(flow, self.lead).into_iter();
        let mut rows: Vec<Row> = taps.map(|tap| Row::plain(flow.text(tap.label), [tap.text])).collect();
        let notes = written(self.lead).into_iter().map(clean::block).filter(|lines| !lines.is_empty());
        rows.extend(notes.map(|lines| Row::plain(words.note, quoted(lines, words))));
        rows.extend(self.visit());
        if rows.is_empty() {
            return Vec::new();
        }
        let title = match clean::line(&self.lead.first_name) {
            first if first.is_empty() => words.told.to_owned(),
            first => fill(words.told_by, &[("first", &first)]),
        };
        vec![Block::Heading(title), Block::Rows(rows)]
    }

    fn rows(&self) -> Vec<Row> {
        let (lead, words, language) = (self.lead, self.words(), self.language);
        let mut rows = Vec::new();
        rows.extend(self.estimate.map(|links| {
            let labels = [words.estimate_page, words.estimate_pdf];
            let line =
                |(label, href): (&str, &str)| vec![Span::Link { label: label.to_owned(), href: href.to_owned() }];
            Row::new(words.estimate, labels.into_iter().zip(links).map(line).collect())
        }));
        rows.push(Row::plain(words.may_contact, [self.may_contact()]));
        rows.extend(
            lead.roof_material.map(|m| Row::plain(words.material, [flow_words(language)[material(m)].to_owned()])),
        );
        if let Some(estimate) = &lead.estimate {
            let mut measured = facts::measured(estimate, self.drawing, language, words);
            let confidence = estimate.structure_present_confidence_score.to_string();
            measured.push(fill(words.confidence, &[("n", &confidence)]));
            rows.push(Row::plain(words.measured, measured));
            let alerts = facts::alerts(&estimate.alerts, language);
            rows.extend((!alerts.is_empty()).then(|| Row::plain(words.check, alerts)));
        }
        let others = other_prices(lead, language);
        rows.extend((!others.is_empty()).then(|| Row::plain(words.also_shown, others)));
        rows.extend(lead.phone.as_ref().map(|phone| Row::plain(words.phone, [phone.as_str().to_owned()])));
        rows.extend(lead.email.as_ref().map(|email| Row::new(words.email, vec![vec![Span::mail(email.as_str())]])));
        let speaks = match lead.source.language {
            Language::English => words.english,
            Language::Spanish => words.spanish,
        };
        rows.push(Row::plain(words.speaks, [speaks.to_owned()]));
        rows.push(Row::plain(words.came_from, origin(&lead.source, words)));
        rows
    }

    /// The visit that was asked for, the dearest time first.
    fn visit(&self) -> Vec<Row> {
        let (words, Some(visit)) = (self.words(), &self.lead.inspection) else { return Vec::new() };
        let times: Vec<String> = visit.wishes.iter().map(|wish| wish_text(flow_words(self.language), *wish)).collect();
        let answer = match visit.contact_by {
            ContactBy::Call => words.answer_call,
            ContactBy::Text => words.answer_text,
            ContactBy::Email => words.answer_email,
        };
        let mut rows = vec![Row::plain(words.visit_times, times), Row::plain(words.answer, [answer.to_owned()])];
        let note = visit.note.as_deref().map(clean::block).filter(|lines| !lines.is_empty());
        rows.extend(note.map(|lines| Row::plain(words.visit_note, quoted(lines, words))));
        let photos = self.photos.iter().zip(1..).map(|(href, n)| {
            vec![Span::Link { label: fill(words.visit_photo, &[("n", &n.to_string())]), href: href.clone() }]
        });
        rows.extend((!self.photos.is_empty()).then(|| Row::new(words.photos, photos.collect())));
        rows
    }

    fn footer(&self) -> Vec<Span> {
        let words = self.words();
        let reference = fill(words.reference, &[("reference", self.reference)]);
        let why = fill(words.lead_why, &[("to", &clean::line(self.to))]);
        let link = |label: &str, href: &str| Span::Link { label: label.to_owned(), href: href.to_owned() };
        let [lead, notices] = self.portal;
        vec![
            Span::Plain([&reference, " ", &why, " "].concat()),
            link(words.open_in_portal, lead),
            Span::plain(" · "),
            link(words.change_notices, notices),
        ]
    }
}

/// The visitor's own words between quotation marks.
fn quoted(lines: Vec<String>, words: &Words) -> Vec<String> {
    let all = fill(words.quoted, &[("text", &lines.join("\n"))]);
    all.split('\n').map(str::to_owned).collect()
}

fn other_prices(lead: &Lead, language: Language) -> Vec<String> {
    let Some((estimate, shown)) = facts::shown_price(lead) else { return Vec::new() };
    let others = estimate.prices.iter().filter(|price| price.material != shown.material);
    others.map(|price| [&dollars(price.cost), ", ", &facts::material(price.material, language)].concat()).collect()
}

fn origin(source: &LeadSource, words: &Words) -> Vec<String> {
    let via = match source.via {
        LeadChannel::Embed => words.via_embed,
        LeadChannel::Hosted => words.via_hosted,
        LeadChannel::Link => words.via_link,
        LeadChannel::Qr => words.via_qr,
        LeadChannel::Hand => words.via_hand,
        LeadChannel::Import => words.via_import,
    };
    let said = |text: &Option<String>| text.as_deref().map(clean::line).filter(|text| !text.is_empty());
    let campaign: Vec<String> =
        [&source.utm_source, &source.utm_medium, &source.utm_campaign, &source.utm_term, &source.utm_content]
            .into_iter()
            .filter_map(said)
            .collect();
    let mut lines = vec![via.to_owned()];
    lines.extend(said(&source.page_url).map(|url| fill(words.page, &[("url", &url)])));
    lines.extend(said(&source.referrer).map(|url| fill(words.referrer, &[("url", &url)])));
    if !campaign.is_empty() {
        lines.push(fill(words.campaign, &[("text", &campaign.join(" / "))]));
    }
    // Cookies say nothing to a reader.
    let clicks = source.click_ids().into_iter().filter(|(name, _)| !name.starts_with('_'));
    let clicks: Vec<String> = clicks.map(|(name, value)| clean::line(&format!("{name}={value}"))).collect();
    if !clicks.is_empty() {
        lines.push(fill(words.ad_click, &[("text", &clicks.join(" / "))]));
    }
    lines
}

#[cfg(test)]
mod tests;
