//! A quote on as many pages as it needs.

use std::collections::VecDeque;

use core::num::NonZeroU16;

use krilla::configure::{Accessibility, ConfigurationBuilder};
use krilla::metadata::{DateTime, Metadata, TextDirection};
use krilla::outline::Outline;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use shingle_domain::Language;
use shingle_widget::palette::Palette;

use super::sheet::{COLUMN, HEIGHT, MARGIN, Sheet, Style, Turned, WHOLE, WIDTH};
use crate::drawing::shape::Rgb;
use crate::error::NoticeError;

/// Finished sentences; the pages only place them.
pub struct QuotePages<'a> {
    pub language: Language,
    pub palette: &'a Palette,
    pub company: String,
    pub contact: String,
    pub title: String,
    /// Name, address and dates.
    pub about: Vec<String>,
    pub message: Vec<String>,
    pub sections: Vec<QuoteSection>,
    /// `Page {n}`.
    pub folio: &'a dyn Fn(usize) -> String,
    /// In UTC.
    pub made: [u16; 6],
}

/// A heading and what is under it.
#[derive(Debug, Default)]
pub struct QuoteSection {
    pub title: String,
    /// Stands out.
    pub lead: String,
    pub lines: Vec<String>,
    /// Tables of what and how much, and whether the last row is the sum.
    pub tables: Vec<(Vec<[String; 2]>, bool)>,
    pub is_small: bool,
}

const TITLE: NonZeroU16 = NonZeroU16::MIN;
const SECTION: NonZeroU16 = NonZeroU16::MIN.saturating_add(1);
/// Where amounts begin, from the left edge.
const AMOUNTS: f32 = COLUMN - 110.0;
/// Characters of a paragraph: a longer one is cut into several, so that a page can end between them.
const MAX_PARAGRAPH: usize = 1_200;
const ANY: usize = usize::MAX;

enum Part {
    Space(f32),
    Rule,
    Text(String, Style),
    /// Not the last thing on a page.
    Heading(NonZeroU16, String, Style),
    Row([String; 2], [Style; 2]),
}

pub fn pages(of: &QuotePages<'_>) -> Result<Vec<u8>, NoticeError> {
    let configuration = ConfigurationBuilder::new()
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|e| NoticeError::Pdf(format!("{e:?}")))?;
    let mut document = Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    let size = PageSettings::from_wh(WIDTH, HEIGHT).ok_or_else(|| NoticeError::Pdf("the page has no size".into()))?;
    let ink = |name: &str| of.palette.rgb(name).unwrap_or([0; 3]);
    let line = ink("--line");
    let small = style(false, 8.5, ink("--muted"));
    let mut parts = parts(of);
    let mut turned: Option<Turned> = None;
    loop {
        let mut page = document.start_page_with(size.clone());
        let mut sheet = match turned.take() {
            None => Sheet::new(page.surface())?,
            Some(turned) => turned.onto(page.surface()),
        };
        fill(&mut sheet, &mut parts, line);
        let folio = (of.folio)(sheet.number + 1);
        sheet.folio(&folio, small);
        let after = sheet.turn();
        page.finish();
        if parts.is_empty() {
            let mut outline = Outline::new();
            after.outline.into_iter().for_each(|heading| outline.push_child(heading));
            document.set_outline(outline);
            document.set_tag_tree(after.tags.with_lang(Some(of.language.tag().to_owned())));
            document.set_metadata(metadata(of));
            return document.finish().map_err(|e| NoticeError::Pdf(format!("{e:?}")));
        }
        turned = Some(after);
    }
}

fn metadata(of: &QuotePages<'_>) -> Metadata {
    let [year, month, day, hour, minute, second] = of.made;
    let part = |n: u16| u8::try_from(n).unwrap_or_default();
    let made = DateTime::new(year).month(part(month)).day(part(day)).hour(part(hour)).minute(part(minute));
    Metadata::new()
        .title([&of.title, ", ", &of.company].concat())
        .authors(vec![of.company.clone()])
        .language(of.language.tag().to_owned())
        .text_direction(TextDirection::LeftToRight)
        .creation_date(made.second(part(second)).utc_offset_hour(0).utc_offset_minute(0))
}

fn style(semibold: bool, size: f32, color: Rgb) -> Style {
    Style { semibold, size, leading: size * 1.42, color, max_lines: ANY }
}

fn parts(of: &QuotePages<'_>) -> VecDeque<Part> {
    let ink = |name: &str| of.palette.rgb(name).unwrap_or([0; 3]);
    let [text, muted, title] = ["--text", "--muted", "--title"].map(ink);
    let (body, soft, strong) = (style(false, 10.0, text), style(false, 9.0, muted), style(true, 10.0, text));
    let mut all = VecDeque::from([
        Part::Text(of.company.clone(), style(true, 14.0, text)),
        Part::Text(of.contact.clone(), soft),
        Part::Space(8.0),
        Part::Rule,
        Part::Space(16.0),
        Part::Heading(TITLE, of.title.clone(), style(true, 19.0, title)),
    ]);
    all.extend(of.about.iter().map(|line| Part::Text(line.clone(), body)));
    if !of.message.is_empty() {
        all.push_back(Part::Space(10.0));
        all.extend(of.message.iter().flat_map(|line| paragraphs(line, body)));
    }
    for section in &of.sections {
        all.extend([Part::Space(16.0), Part::Rule, Part::Space(12.0)]);
        all.push_back(Part::Heading(SECTION, section.title.clone(), style(true, 13.0, title)));
        if !section.lead.is_empty() {
            all.push_back(Part::Text(section.lead.clone(), strong));
        }
        let lines = if section.is_small { soft } else { body };
        all.extend(section.lines.iter().flat_map(|line| paragraphs(line, lines)));
        for (table, has_sum) in &section.tables {
            all.push_back(Part::Space(8.0));
            let sum = table.len().saturating_sub(1);
            all.extend(table.iter().enumerate().map(|(at, row)| {
                let styles = if *has_sum && at == sum { [strong; 2] } else { [soft, body] };
                Part::Row(row.clone(), styles)
            }));
        }
    }
    all
}

/// A line of its own, cut where it would be too long for a page.
fn paragraphs(text: &str, style: Style) -> Vec<Part> {
    let mut all = Vec::new();
    let mut now = String::new();
    for word in text.split_whitespace() {
        if !now.is_empty() && now.chars().count() + word.chars().count() > MAX_PARAGRAPH {
            all.push(Part::Text(core::mem::take(&mut now), style));
        }
        if !now.is_empty() {
            now.push(' ');
        }
        now.push_str(word);
    }
    if now.is_empty() {
        all.push(Part::Space(style.leading / 2.0));
    } else {
        all.push(Part::Text(now, style));
    }
    all
}

/// As many parts as there is room for, one at least.
fn fill(sheet: &mut Sheet<'_>, parts: &mut VecDeque<Part>, line: Rgb) {
    let end = HEIGHT - MARGIN;
    // A page does not begin with what only parts.
    while sheet.number > 0 && matches!(parts.front(), Some(Part::Space(_) | Part::Rule)) {
        parts.pop_front();
    }
    let mut is_first = true;
    while let Some(part) = parts.pop_front() {
        let high = match &part {
            Part::Space(_) | Part::Rule => 1.0,
            Part::Text(text, style) => sheet.height(text, COLUMN, *style),
            // With some lines of what it is about.
            Part::Heading(_, text, style) => sheet.height(text, COLUMN, *style) + 60.0,
            Part::Row([name, value], [first, second]) => {
                sheet.height(name, AMOUNTS - 8.0, *first).max(sheet.height(value, COLUMN - AMOUNTS, *second)) + 3.0
            }
        };
        if !is_first && sheet.y + high > end {
            parts.push_front(part);
            return;
        }
        is_first = false;
        match part {
            Part::Space(high) => sheet.y += high,
            Part::Rule => sheet.rule(line),
            Part::Text(text, style) => sheet.paragraph(&text, style),
            Part::Heading(level, text, style) => sheet.heading(level, &text, style, WHOLE),
            Part::Row(row, styles) => {
                // The rows that follow and have room are one table.
                let mut rows = vec![row];
                let mut room = end - sheet.y - high;
                while let Some(Part::Row([name, value], more)) = parts.front() {
                    let high = sheet.height(name, AMOUNTS - 8.0, more[0]);
                    let high = high.max(sheet.height(value, COLUMN - AMOUNTS, more[1])) + 3.0;
                    if more[0].semibold != styles[0].semibold || high > room {
                        break;
                    }
                    room -= high;
                    let Some(Part::Row(row, _)) = parts.pop_front() else { break };
                    rows.push(row);
                }
                sheet.table(&rows, WHOLE, AMOUNTS, styles);
            }
        }
    }
}
