//! What is on the pages of a monthly report: sections of figures, as many to a page as fit.

use core::num::NonZeroU16;

use krilla::configure::{Accessibility, ConfigurationBuilder};
use krilla::metadata::{DateTime, Metadata, TextDirection};
use krilla::outline::Outline;
use krilla::page::PageSettings;
use krilla::tagging::TagTree;
use krilla::{Document, SerializeSettings};
use shingle_domain::Language;
use shingle_widget::palette::Palette;

use super::sheet::{HEIGHT, MARGIN, Sheet, Style, WHOLE, WIDTH};
use crate::drawing::shape::Rgb;
use crate::error::NoticeError;

/// Finished sentences; the pages only place them.
#[derive(Debug)]
pub struct ReportPages<'a> {
    pub language: Language,
    pub palette: &'a Palette,
    pub company: String,
    pub title: String,
    /// When it was made, and of what.
    pub under: String,
    pub sections: Vec<ReportPart>,
    /// When it was made, in UTC.
    pub made: [u16; 6],
}

#[derive(Debug)]
pub struct ReportPart {
    pub title: String,
    pub figures: Vec<[String; 2]>,
    pub sources_title: String,
    pub sources: Vec<[String; 2]>,
}

const TITLE: NonZeroU16 = NonZeroU16::MIN;
const SECTION: NonZeroU16 = NonZeroU16::MIN.saturating_add(1);
const TABLE: NonZeroU16 = NonZeroU16::MIN.saturating_add(2);
/// Where the second column begins.
const LABEL: f32 = 210.0;

struct Inks {
    text: Rgb,
    muted: Rgb,
    title: Rgb,
    line: Rgb,
    brand: Rgb,
}

fn regular(size: f32, color: Rgb) -> Style {
    Style { semibold: false, size, leading: size * 1.45, color, max_lines: 2 }
}

fn semibold(size: f32, color: Rgb) -> Style {
    Style { semibold: true, size, leading: size * 1.3, color, max_lines: 2 }
}

pub fn report_pages(of: &ReportPages<'_>) -> Result<Vec<u8>, NoticeError> {
    let pdf = |e: &dyn core::fmt::Debug| NoticeError::Pdf(format!("{e:?}"));
    let configuration =
        ConfigurationBuilder::new().with_accessibility_validator(Accessibility::UA1).finish().map_err(|e| pdf(&e))?;
    let mut document = Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    let size = PageSettings::from_wh(WIDTH, HEIGHT).ok_or_else(|| NoticeError::Pdf("the page has no size".into()))?;
    let ink = |name: &str| of.palette.rgb(name).unwrap_or([0; 3]);
    let inks = Inks {
        text: ink("--text"),
        muted: ink("--muted"),
        title: ink("--title"),
        line: ink("--line"),
        brand: ink("--primary"),
    };
    let (mut tags, mut outline) = (TagTree::new(), Outline::new());
    let mut left = of.sections.iter().peekable();
    let mut number = 0;
    while number == 0 || left.peek().is_some() {
        let mut page = document.start_page_with(size.clone());
        let mut sheet = Sheet::on_page(page.surface(), number)?;
        sheet.band(inks.brand);
        if number == 0 {
            head(&mut sheet, of, &inks);
        } else {
            sheet.paragraph(&of.company, semibold(9.5, inks.muted));
        }
        let top = sheet.y;
        while let Some(part) = left.next_if(|part| sheet.y <= top || sheet.y + height(part) <= HEIGHT - MARGIN) {
            write(&mut sheet, part, &inks);
        }
        let (own, headings) = sheet.finish();
        page.finish();
        own.children.into_iter().for_each(|child| tags.push(child));
        headings.into_iter().for_each(|heading| outline.push_child(heading));
        number += 1;
    }
    document.set_outline(outline);
    document.set_tag_tree(tags.with_lang(Some(of.language.tag().to_owned())));
    document.set_metadata(metadata(of));
    document.finish().map_err(|e| pdf(&e))
}

fn metadata(of: &ReportPages<'_>) -> Metadata {
    let [year, month, day, hour, minute, second] = of.made;
    let part = |n: u16| u8::try_from(n).unwrap_or_default();
    let made = DateTime::new(year).month(part(month)).day(part(day)).hour(part(hour)).minute(part(minute));
    Metadata::new()
        .title([&of.company, ", ", &of.title].concat())
        .authors(vec![of.company.clone()])
        .language(of.language.tag().to_owned())
        .text_direction(TextDirection::LeftToRight)
        .creation_date(made.second(part(second)).utc_offset_hour(0).utc_offset_minute(0))
}

fn head(sheet: &mut Sheet<'_>, of: &ReportPages<'_>, inks: &Inks) {
    sheet.paragraph(&of.company, semibold(14.0, inks.text));
    sheet.y += 6.0;
    sheet.heading(TITLE, &of.title, Style { max_lines: 1, ..semibold(22.0, inks.title) }, WHOLE);
    sheet.paragraph(&of.under, regular(9.5, inks.muted));
}

/// More than what a part takes: most texts are one line.
fn height(part: &ReportPart) -> f32 {
    let rows = part.figures.len() + part.sources.len();
    let rows = f32::from(u16::try_from(rows).unwrap_or(u16::MAX));
    92.0 + rows * 19.0
}

fn write(sheet: &mut Sheet<'_>, part: &ReportPart, inks: &Inks) {
    sheet.y += 18.0;
    sheet.rule(inks.line);
    sheet.y += 12.0;
    sheet.heading(SECTION, &part.title, semibold(14.0, inks.title), WHOLE);
    sheet.y += 4.0;
    let styles = [regular(10.5, inks.text), semibold(10.5, inks.text)];
    sheet.table(&part.figures, WHOLE, LABEL, styles);
    if !part.sources.is_empty() {
        sheet.y += 6.0;
        let style = Style { max_lines: 1, ..semibold(10.5, inks.muted) };
        sheet.heading(TABLE, &part.sources_title, style, WHOLE);
        sheet.y += 2.0;
        sheet.table(&part.sources, WHOLE, LABEL, [regular(9.5, inks.text), regular(9.5, inks.muted)]);
    }
}
