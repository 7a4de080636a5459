//! To the company, once a month: what came in, what it is worth, how soon it was answered, and where it came from, compared
//! with the month before; as an email with a PDF, and as the PDF alone.

use shingle_domain::mail::{MailAttachment, MailContent};
use shingle_domain::widget::Widget;
use shingle_domain::{Language, Timestamp, Usd};
use shingle_widget::words::{dollars, fill, thousands};

use crate::clean;
use crate::compose::compose;
use crate::error::NoticeError;
use crate::letter::{Block, Button, Letter, Row, Span};
use crate::moment::{LocalTime, duration};
use crate::pdf::{ReportPages, ReportPart, report_pages};
use crate::skin::{Skin, light_palette};
use crate::timing::Month;
use crate::words::{Words, words};

/// Leads of a month in figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReportSums {
    pub leads: u64,
    pub won: u64,
    pub won_cents: i64,
    /// The estimates of all of them, or what somebody said they are worth.
    pub estimated_cents: i64,
    /// Minutes; `None`: half of them wait still, or there are none.
    pub middle_wait: Option<u64>,
}

/// Of all widgets, or of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportSection {
    /// `None`: all of them.
    pub title: Option<String>,
    pub now: ReportSums,
    pub before: ReportSums,
    /// Names with leads and won ones, the most first.
    pub sources: Vec<(String, u64, u64)>,
}

#[derive(Debug, Clone, Copy)]
pub struct MonthlyReport<'a> {
    pub company: &'a str,
    pub month: Month,
    /// The first one is of all widgets.
    pub sections: &'a [ReportSection],
    /// Whose colors it has.
    pub widget: &'a Widget,
    pub language: Language,
    pub made: Timestamp,
    pub time_zone: &'a str,
    pub sandbox: bool,
}

/// How the email reaches its reader.
#[derive(Debug, Clone, Copy)]
pub struct ReportMail<'a> {
    pub to: &'a str,
    /// The results in the portal.
    pub page: &'a str,
    pub unsubscribe: &'a str,
}

impl MonthlyReport<'_> {
    fn words(&self) -> &'static Words {
        words(self.language)
    }

    fn title(&self) -> String {
        fill(self.words().report_title, &[("month", &self.month.name(self.language))])
    }

    fn company(&self) -> String {
        clean::line(self.company)
    }

    /// A figure, with that of the month before.
    fn compared(&self, now: String, before: String) -> String {
        let month = self.month.before().name(self.language);
        fill(self.words().report_compared, &[("now", &now), ("month", &month), ("before", &before)])
    }

    fn figures(&self, of: &ReportSection) -> Vec<[String; 2]> {
        let words = self.words();
        let count = |n: u64| thousands(i64::try_from(n).unwrap_or(i64::MAX));
        let sum = |cents: i64| dollars(Usd::from_cents(cents));
        let wait = |minutes: Option<u64>| match minutes {
            Some(minutes) => duration(minutes, words),
            None => words.report_no_wait.to_owned(),
        };
        let (now, before) = (&of.now, &of.before);
        let row = |label: &str, now: String, before: String| [label.to_owned(), self.compared(now, before)];
        vec![
            row(words.report_leads, count(now.leads), count(before.leads)),
            row(words.report_won, count(now.won), count(before.won)),
            row(words.report_worth, sum(now.won_cents), sum(before.won_cents)),
            row(words.report_estimated, sum(now.estimated_cents), sum(before.estimated_cents)),
            row(words.report_wait, wait(now.middle_wait), wait(before.middle_wait)),
        ]
    }

    fn section_title(&self, of: &ReportSection) -> String {
        of.title.as_deref().map_or_else(|| self.words().report_all.to_owned(), clean::line)
    }

    /// The whole report. A month without leads says so.
    pub fn pdf(&self) -> Result<Vec<u8>, NoticeError> {
        let words = self.words();
        let date = LocalTime::of(self.time_zone, self.language).date(self.made);
        let mut under = fill(words.report_made, &[("date", &date)]);
        if self.is_empty() {
            under = [&under, " ", &self.none()].concat();
        }
        if self.sandbox {
            under = [&under, " ", words.lead_test_why].concat();
        }
        let source = |(name, leads, won): &(String, u64, u64)| {
            let with = [("n", leads.to_string()), ("won", won.to_string())];
            let with = with.each_ref().map(|(name, value)| (*name, value.as_str()));
            [clean::line(name), fill(words.report_source, &with)]
        };
        let part = |of: &ReportSection| ReportPart {
            title: self.section_title(of),
            figures: self.figures(of),
            sources_title: words.report_sources.to_owned(),
            sources: of.sources.iter().map(source).collect(),
        };
        report_pages(&ReportPages {
            language: self.language,
            palette: &light_palette(self.widget),
            company: self.company(),
            title: self.title(),
            under,
            sections: self.sections.iter().map(part).collect(),
            made: LocalTime::utc_parts(self.made),
        })
    }

    fn is_empty(&self) -> bool {
        self.sections.first().is_none_or(|all| all.now.leads == 0)
    }

    fn none(&self) -> String {
        fill(self.words().report_none, &[("month", &self.month.name(self.language))])
    }

    /// `None` for a month without leads: nobody is written to about nothing.
    pub fn mail(&self, to: &ReportMail<'_>) -> Result<Option<MailContent>, NoticeError> {
        let Some(all) = self.sections.first().filter(|_| !self.is_empty()) else { return Ok(None) };
        let words = self.words();
        let company = self.company();
        let month = self.month.name(self.language);
        let mut blocks = vec![Block::Kicker { what: words.report.to_owned(), when: month.clone() }];
        if self.sandbox {
            blocks.push(Block::Notice(words.lead_test_why.to_owned()));
        }
        let figures = self.figures(all);
        let preview = figures.iter().take(3).map(|[label, value]| [label, ": ", value].concat()).collect::<Vec<_>>();
        blocks.push(Block::Title(self.title()));
        blocks.push(Block::Line(company.clone()));
        blocks.push(Block::Rows(figures.into_iter().map(|[label, value]| Row::plain(&label, [value])).collect()));
        let button = Button {
            label: words.report_open.to_owned(),
            text: [words.report_open.to_owned(), to.page.to_owned()],
            href: to.page.to_owned(),
            primary: true,
        };
        blocks.push(Block::Buttons(vec![button]));
        blocks.push(Block::Small(vec![Span::plain(words.report_attached)]));
        let why = fill(words.report_why, &[("to", &clean::line(to.to))]) + " ";
        let stop = Span::Link { label: words.report_stop.to_owned(), href: to.unsubscribe.to_owned() };
        let attachment = MailAttachment {
            file_name: format!("report-{}.pdf", self.month),
            media_type: "application/pdf",
            bytes: self.pdf()?,
        };
        let subject = [("company", clean::subject_part(self.company)), ("month", month)];
        let subject = subject.each_ref().map(|(name, value)| (*name, value.as_str()));
        Ok(Some(compose(Letter {
            language: self.language,
            skin: Skin::of(Some(self.widget)),
            subject: fill(words.report_subject, &subject),
            preview: preview.join(" · "),
            blocks,
            footer: vec![Span::Plain(why), stop],
            pictures: Vec::new(),
            attachments: vec![attachment],
        })))
    }
}

#[cfg(test)]
mod tests;
