//! A quote as the homeowner gets it, by email and as a PDF, and the notice to the contractor that it was answered.

use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::Lead;
use shingle_domain::mail::{MailAttachment, MailContent};
use shingle_domain::quote::{Quote, QuoteChoice, QuoteParties, QuoteState, percent_text};
use shingle_domain::widget::{Widget, WidgetLinks};
use shingle_domain::{Language, Usd};
use shingle_widget::words::{fill, flow_words, money, w};

use crate::compose::compose;
use crate::error::NoticeError;
use crate::letter::{Amount, Block, Button, Letter, Row, Span};
use crate::moment::LocalTime;
use crate::pdf::{QuotePages, QuoteSection, pages};
use crate::skin::{Skin, light_palette};
use crate::words::{Words, words};
use crate::{clean, facts};

/// What page and PDF say of a choice, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteParts {
    pub title: String,
    pub material: String,
    pub includes: Vec<String>,
    /// What and how much.
    pub items: Vec<[String; 2]>,
    /// Price and tax, where there is one, and the total.
    pub sums: Vec<[String; 2]>,
    pub deposit: Option<[String; 2]>,
    pub total: String,
}

pub fn quote_parts(quote: &Quote, choice: &QuoteChoice, language: Language) -> QuoteParts {
    let (words, content) = (words(language), quote.content());
    let sums = content.sums(choice);
    let mut rows = Vec::new();
    if let Some(tax) = sums.tax {
        let percent = percent_text(content.tax);
        rows.push([words.quote_price.to_owned(), money(sums.price)]);
        rows.push([fill(words.quote_tax, &[("percent", &percent)]), money(tax)]);
    }
    rows.push([words.quote_total.to_owned(), money(sums.total)]);
    let items = choice.items.iter().map(|item| [item.text.clone(), money(Usd::from_cents(item.cents))]);
    QuoteParts {
        title: choice.title.clone(),
        material: choice.material.clone(),
        includes: choice.includes.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect(),
        items: items.collect(),
        sums: rows,
        deposit: sums.deposit.map(|deposit| [words.quote_deposit.to_owned(), money(deposit)]),
        total: money(sums.total),
    }
}

/// What is said of a quote wherever it is shown.
#[derive(Debug, Clone, Copy)]
pub struct QuotePaper<'a> {
    pub quote: &'a Quote,
    /// As they were when it was sent; of a draft, as they are.
    pub parties: &'a QuoteParties,
    /// For its colors.
    pub widget: &'a Widget,
    pub sandbox: bool,
    /// The company's IANA time zone.
    pub time_zone: &'a str,
}

impl QuotePaper<'_> {
    fn words(&self) -> &'static Words {
        words(self.parties.language)
    }

    pub fn title(&self) -> String {
        let words = self.words();
        let name = self.quote.name();
        let title = match self.quote.state {
            QuoteState::Draft => words.quote_draft.to_owned(),
            _ => fill(words.quote, &[("number", &name)]),
        };
        if self.sandbox { fill(words.quote_test, &[("title", &title)]) } else { title }
    }

    /// `November 24, 2026`
    pub fn day(&self, day: VisitDate) -> String {
        LocalTime::long_day(self.parties.language, day)
    }

    pub fn dates(&self) -> String {
        let (date, until) = (self.day(self.parties.sent_on), self.day(self.quote.content().valid_until));
        fill(self.words().quote_dates, &[("date", &date), ("until", &until)])
    }

    /// Who accepted what, and when; `None`: nobody has.
    pub fn accepted(&self, is_page: bool) -> Option<String> {
        let (quote, words) = (self.quote, self.words());
        let (choice, answer, at) = (quote.accepted()?, quote.answer.as_ref()?, quote.answered_at?);
        let time = LocalTime::of(self.time_zone, self.parties.language).full(at);
        let sum = money(quote.content().sums(choice).total);
        let sentence = match (answer.by_company, is_page) {
            (true, _) => words.quote_accepted_elsewhere,
            (false, true) => words.quote_accepted_line,
            (false, false) => words.quote_accepted_paper,
        };
        let with = [
            ("name", answer.name.as_str()),
            ("company", &self.parties.company),
            ("choice", &choice.title),
            ("sum", &sum),
            ("time", &time),
        ];
        Some(fill(sentence, &with))
    }

    pub fn pdf(&self) -> Result<Vec<u8>, NoticeError> {
        let (quote, words, parties) = (self.quote, self.words(), self.parties);
        let content = quote.content();
        let mut sections: Vec<QuoteSection> =
            content.choices.iter().map(|choice| self.section(quote_parts(quote, choice, parties.language))).collect();
        if !content.terms.is_empty() {
            sections.push(QuoteSection {
                title: words.quote_terms.to_owned(),
                lines: content.terms.lines().map(str::to_owned).collect(),
                is_small: true,
                ..QuoteSection::default()
            });
        }
        if let Some(accepted) = self.accepted(false) {
            let digest = fill(words.quote_digest, &[("digest", &quote.digest)]);
            sections.push(QuoteSection {
                title: words.quote_accepted.to_owned(),
                lead: accepted,
                lines: vec![digest],
                is_small: true,
                ..QuoteSection::default()
            });
        }
        let palette = light_palette(self.widget);
        let title = self.title();
        let mut about: Vec<String> = Vec::new();
        if !parties.homeowner.is_empty() {
            about.push(fill(words.quote_for, &[("name", &parties.homeowner)]));
        }
        about.extend([parties.address.clone(), self.dates()]);
        let folio = |n: usize| {
            let page = fill(words.quote_page, &[("n", &n.to_string())]);
            [title.as_str(), " · ", &parties.company, " · ", &page].concat()
        };
        pages(&QuotePages {
            language: parties.language,
            palette: &palette,
            company: parties.company.clone(),
            contact: parties.contact.join(" · "),
            title: title.clone(),
            about,
            message: content.message.lines().map(str::to_owned).collect(),
            sections,
            folio: &folio,
            made: LocalTime::utc_parts(quote.sent_at.unwrap_or(quote.updated_at)),
        })
    }

    fn section(&self, parts: QuoteParts) -> QuoteSection {
        let mut lines = parts.includes;
        if !lines.is_empty() {
            lines.insert(0, [self.words().quote_includes, ":"].concat());
        }
        let deposit = parts.deposit.into_iter().collect();
        let tables = [(parts.items, false), (parts.sums, true), (deposit, false)];
        let tables = tables.into_iter().filter(|(rows, _)| !rows.is_empty()).collect();
        QuoteSection {
            title: [&parts.title, ": ", &parts.total].concat(),
            lead: parts.material,
            lines,
            tables,
            is_small: false,
        }
    }

    /// `quote-1007.pdf`
    pub fn file_name(&self) -> String {
        let name = self.quote.name();
        let number = if name.is_empty() { String::new() } else { ["-", &name].concat() };
        [self.words().quote_file, &number, ".pdf"].concat()
    }
}

/// To the homeowner: the quote, or what was accepted of it.
#[derive(Debug, Clone, Copy)]
pub struct QuoteMail<'a> {
    pub paper: QuotePaper<'a>,
    pub lead: &'a Lead,
    /// Where it is answered.
    pub page: &'a str,
    /// What people call the lead.
    pub reference: &'a str,
    pub base_url: &'a str,
}

impl QuoteMail<'_> {
    pub fn content(&self) -> Result<MailContent, NoticeError> {
        let (paper, quote) = (&self.paper, self.paper.quote);
        let (words, widget, language) = (paper.words(), paper.widget, paper.parties.language);
        let company = clean::line(&paper.parties.company);
        let with = [("company", company.as_str()), ("phone", widget.company_phone.as_str())];
        let mut blocks = vec![Block::Kicker { what: company.clone(), when: paper.title() }];
        if paper.sandbox {
            blocks.push(Block::Notice(words.lead_test_why.to_owned()));
        }
        let button = |label: &str| {
            Block::Buttons(vec![Button {
                label: label.to_owned(),
                text: [label.to_owned(), self.page.to_owned()],
                href: self.page.to_owned(),
                primary: true,
            }])
        };
        let subject = match quote.accepted() {
            Some(choice) => {
                let parts = quote_parts(quote, choice, language);
                blocks.push(Block::Title(fill(words.quote_done_title, &[("choice", &clean::line(&parts.title))])));
                blocks.push(Block::Line(clean::line(&paper.parties.address)));
                blocks.push(Block::Amount(Amount { sum: parts.total, proud: true, strong: None, details: Vec::new() }));
                blocks.push(Block::Line(fill(words.quote_done_line, &with)));
                blocks.push(button(words.quote_see));
                words.quote_done_subject
            }
            None => {
                blocks.push(Block::Title(match facts::greeting_name(self.lead) {
                    Some(first) => fill(words.quote_title_for, &[("first", &first)]),
                    None => words.quote_title.to_owned(),
                }));
                blocks.push(Block::Line(clean::line(&paper.parties.address)));
                blocks.extend(clean::block(&quote.content().message).into_iter().map(Block::Line));
                let rows = quote.content().choices.iter().map(|choice| {
                    let parts = quote_parts(quote, choice, language);
                    let lines = [parts.total, parts.material].into_iter().filter(|line| !line.is_empty());
                    Row::plain(&clean::line(&parts.title), lines.map(|line| clean::line(&line)))
                });
                blocks.push(Block::Rows(rows.collect()));
                blocks.push(button(words.quote_open));
                blocks.push(Block::Small(vec![Span::plain(words.quote_open_why)]));
                blocks.push(Block::Small(vec![Span::Plain(paper.dates())]));
                words.quote_subject
            }
        };
        blocks.push(Block::Small(vec![Span::Plain(fill(words.quote_hint, &with))]));
        let subject = fill(subject, &[("company", &clean::subject_part(&company))]);
        let subject = if paper.sandbox { fill(words.quote_test, &[("title", &subject)]) } else { subject };
        let reference = fill(words.reference, &[("reference", &clean::line(self.reference))]);
        let links =
            WidgetLinks { base_url: self.base_url, pages_url: self.base_url.into(), storage_url: self.base_url };
        let privacy = widget.privacy_policy(&links).as_str().to_owned();
        let footer = vec![
            Span::Plain([&fill(words.quote_why, &with), " ", &reference, " "].concat()),
            Span::Link { label: flow_words(language)[w::PRIVACY].to_owned(), href: privacy },
        ];
        let attachment =
            MailAttachment { file_name: paper.file_name(), media_type: "application/pdf", bytes: paper.pdf()? };
        Ok(compose(Letter {
            language,
            skin: Skin::of(Some(widget)),
            subject,
            preview: [&paper.title(), ". ", &paper.dates()].concat(),
            blocks,
            footer,
            pictures: Vec::new(),
            attachments: vec![attachment],
        }))
    }
}

/// To the contractor: the homeowner has answered.
#[derive(Debug, Clone, Copy)]
pub struct QuoteAnswered<'a> {
    pub quote: &'a Quote,
    pub lead: &'a Lead,
    pub reference: &'a str,
    /// The lead in the portal.
    pub link: &'a str,
    /// The recipient's address.
    pub to: &'a str,
    pub sandbox: bool,
    /// The reader's.
    pub language: Language,
    pub time_zone: &'a str,
}

impl QuoteAnswered<'_> {
    /// `Ann Sample accepted quote 1007`
    pub fn title(&self) -> String {
        let words = words(self.language);
        let sentence = match self.quote.state {
            QuoteState::Accepted => words.quote_team_accepted,
            _ => words.quote_team_declined,
        };
        let name = clean::subject_part(&facts::title_name(self.lead));
        fill(sentence, &[("name", &name), ("number", &self.quote.name())])
    }

    /// `Better, $14,200`; nothing where it was declined.
    pub fn chosen(&self) -> Option<String> {
        let choice = self.quote.accepted()?;
        let total = money(self.quote.content().sums(choice).total);
        Some([&clean::line(&choice.title), ", ", &total].concat())
    }

    pub fn content(&self) -> MailContent {
        let (words, lead) = (words(self.language), self.lead);
        let time = LocalTime::of(self.time_zone, self.language);
        let when = self.quote.answered_at.map(|at| time.moment(at)).unwrap_or_default();
        let mut blocks = vec![Block::Kicker { what: words.quote_kicker.to_owned(), when: when.clone() }];
        if self.sandbox {
            blocks.push(Block::Notice(words.lead_test_why.to_owned()));
        }
        blocks.push(Block::Title(self.title()));
        let answer = self.quote.answer.as_ref();
        let mut rows = Vec::new();
        match self.chosen() {
            Some(chosen) => {
                rows.push(Row::plain(words.quote_team_choice, [chosen]));
                let signed = answer.map(|answer| clean::line(&answer.name)).unwrap_or_default();
                rows.push(Row::plain(words.quote_team_signed, [signed]));
            }
            None => {
                let reason = answer.map(|answer| clean::block(&answer.reason)).unwrap_or_default();
                let reason = if reason.is_empty() { vec![words.quote_team_no_reason.to_owned()] } else { reason };
                rows.push(Row::plain(words.quote_team_reason, reason));
            }
        }
        let phone = lead.phone.as_ref().map_or(words.no_phone, |phone| phone.as_str());
        rows.push(Row::plain(words.address, [clean::line(&lead.address)]));
        rows.push(Row::plain(words.phone, [phone.to_owned()]));
        blocks.push(Block::Rows(rows));
        blocks.push(Block::Buttons(vec![Button {
            label: words.open_in_portal.to_owned(),
            href: self.link.to_owned(),
            primary: true,
            text: [words.open_in_portal.to_owned(), self.link.to_owned()],
        }]));
        if self.quote.state == QuoteState::Accepted {
            blocks.push(Block::Small(vec![Span::plain(words.quote_team_won)]));
        }
        let footer = [
            fill(words.reference, &[("reference", &clean::line(self.reference))]),
            fill(words.quote_team_why, &[("to", &clean::line(self.to))]),
        ];
        let subject = self.title();
        compose(Letter {
            language: self.language,
            skin: Skin::of(None),
            subject: if self.sandbox { fill(words.quote_test, &[("title", &subject)]) } else { subject },
            preview: self.chosen().unwrap_or(when),
            blocks,
            footer: vec![Span::Plain(footer.join(" "))],
            pictures: Vec::new(),
            attachments: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests;
