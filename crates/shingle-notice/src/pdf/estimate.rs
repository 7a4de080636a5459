//! What is on the page of an estimate.

use core::num::NonZeroU16;

use krilla::configure::{Accessibility, ConfigurationBuilder};
use krilla::metadata::{DateTime, Metadata, TextDirection};
use krilla::outline::Outline;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use shingle_domain::Language;
use shingle_widget::palette::Palette;

use super::sheet::{COLUMN, HEIGHT, MARGIN, Place, Sheet, Style, WHOLE, WIDTH};
use crate::drawing::shape::{Figure, Rgb};
use crate::error::NoticeError;

/// Finished sentences; the page only places them.
#[derive(Debug)]
pub struct EstimatePage<'a> {
    pub language: Language,
    pub palette: &'a Palette,
    pub company: String,
    /// Where it is and how it is reached.
    pub contact: String,
    pub title: String,
    pub address: String,
    /// Date and reference.
    pub date: String,
    pub sum: String,
    pub range: String,
    pub details: Vec<String>,
    /// What the homeowner answered, under its title, in the company's own copy.
    pub told: Option<(String, Vec<String>)>,
    /// The drawing and what it shows.
    pub drawing: Option<(Figure, String)>,
    pub basis: Option<&'a str>,
    pub measured_title: String,
    pub measured: Vec<[String; 2]>,
    pub prices_title: String,
    pub prices: Vec<[String; 2]>,
    pub note: String,
    /// When the estimate was made, in UTC.
    pub made: [u16; 6],
}

const TITLE: NonZeroU16 = NonZeroU16::MIN;
const SECTION: NonZeroU16 = NonZeroU16::MIN.saturating_add(1);

pub fn page(of: &EstimatePage<'_>) -> Result<Vec<u8>, NoticeError> {
    let configuration = ConfigurationBuilder::new()
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|e| NoticeError::Pdf(format!("{e:?}")))?;
    let mut document = Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    let size = PageSettings::from_wh(WIDTH, HEIGHT).ok_or_else(|| NoticeError::Pdf("the page has no size".into()))?;
    let mut page = document.start_page_with(size);
    let mut sheet = Sheet::new(page.surface())?;
    write(&mut sheet, of);
    let (tags, headings) = sheet.finish();
    page.finish();
    let mut outline = Outline::new();
    headings.into_iter().for_each(|heading| outline.push_child(heading));
    document.set_outline(outline);
    document.set_tag_tree(tags.with_lang(Some(of.language.tag().to_owned())));
    document.set_metadata(metadata(of));
    document.finish().map_err(|e| NoticeError::Pdf(format!("{e:?}")))
}

fn metadata(of: &EstimatePage<'_>) -> Metadata {
    let [year, month, day, hour, minute, second] = of.made;
    let part = |n: u16| u8::try_from(n).unwrap_or_default();
    let made = DateTime::new(year).month(part(month)).day(part(day)).hour(part(hour)).minute(part(minute));
    Metadata::new()
        .title([&of.title, ", ", &of.address].concat())
        .authors(vec![of.company.clone()])
        .language(of.language.tag().to_owned())
        .text_direction(TextDirection::LeftToRight)
        .creation_date(made.second(part(second)).utc_offset_hour(0).utc_offset_minute(0))
}

/// The colors of the page, by what they are for.
struct Inks {
    text: Rgb,
    muted: Rgb,
    title: Rgb,
    line: Rgb,
}

fn write(sheet: &mut Sheet<'_>, of: &EstimatePage<'_>) {
    let ink = |name: &str| of.palette.rgb(name).unwrap_or([0; 3]);
    let inks = Inks { text: ink("--text"), muted: ink("--muted"), title: ink("--title"), line: ink("--line") };
    let regular = |size: f32, color| Style { semibold: false, size, leading: size * 1.45, color, max_lines: 2 };
    let semibold = |size: f32, color| Style { semibold: true, size, leading: size * 1.3, color, max_lines: 2 };

    sheet.paragraph(&of.company, semibold(14.0, inks.text));
    sheet.paragraph(&of.contact, Style { max_lines: 3, ..regular(9.0, inks.muted) });
    sheet.y += 8.0;
    sheet.rule(inks.line);
    sheet.y += 16.0;
    sheet.heading(TITLE, &of.title, Style { max_lines: 1, ..semibold(19.0, inks.title) }, WHOLE);
    sheet.paragraph(&of.address, regular(11.0, inks.text));
    sheet.paragraph(&of.date, Style { max_lines: 1, ..regular(9.0, inks.muted) });
    sheet.y += 8.0;
    sheet.paragraph(&of.sum, Style { max_lines: 1, ..semibold(34.0, inks.title) });
    sheet.paragraph(&of.range, Style { max_lines: 1, ..semibold(11.5, inks.text) });
    for detail in &of.details {
        sheet.paragraph(detail, regular(9.5, inks.muted));
    }
    if let Some((title, lines)) = &of.told {
        sheet.y += 8.0;
        sheet.heading(SECTION, title, Style { max_lines: 1, ..semibold(10.5, inks.text) }, WHOLE);
        for line in lines {
            sheet.paragraph(line, regular(9.5, inks.text));
        }
    }
    sheet.y += 10.0;
    if let Some((figure, alt)) = &of.drawing {
        // What is left over below it is enough for the longest tables.
        sheet.figure(figure, alt, (530.0 - sheet.y).clamp(60.0, 270.0));
        if let Some(basis) = of.basis {
            sheet.y += 3.0;
            sheet.paragraph(basis, regular(8.5, inks.muted));
        }
        sheet.y += 14.0;
    }
    tables(sheet, of, &inks);
    sheet.rule(inks.line);
    sheet.y += 8.0;
    sheet.paragraph(&of.note, Style { max_lines: 2, ..regular(9.0, inks.muted) });
}

/// What was measured on the left, what other materials would cost on the right.
fn tables(sheet: &mut Sheet<'_>, of: &EstimatePage<'_>, inks: &Inks) {
    let half = COLUMN / 2.0 - 12.0;
    let heading = Style { semibold: true, size: 10.5, leading: 18.0, color: inks.text, max_lines: 1 };
    let label = Style { semibold: false, size: 9.0, leading: 12.5, color: inks.muted, max_lines: 2 };
    let value = Style { color: inks.text, ..label };
    let top = sheet.y;
    let mut bottom = top;
    let sides =
        [(&of.measured_title, &of.measured, MARGIN, 92.0), (&of.prices_title, &of.prices, MARGIN + half + 24.0, 150.0)];
    for (title, rows, x, column) in sides {
        if rows.is_empty() {
            continue;
        }
        sheet.y = top;
        let place = Place { x, width: half };
        sheet.heading(SECTION, title, heading, place);
        sheet.table(rows, place, column, [label, value]);
        bottom = bottom.max(sheet.y);
    }
    sheet.y = bottom + 10.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::figure::figure;
    use crate::sample;
    use crate::skin::light_palette;

    #[test]
    fn the_longest_texts_still_fit_on_the_page() {
        let palette = light_palette(&sample::widget().unwrap());
        let long = || "Oak Hollow Roofing and Siding ".repeat(40);
        let row = |_| [long(), long()];
        let of = EstimatePage {
            language: Language::Spanish,
            palette: &palette,
            company: long(),
            contact: long(),
            title: long(),
            address: long(),
            date: long(),
            sum: "$1,016,120".into(),
            range: long(),
            details: vec![long(), "1 square = 10 × 10 ft.".into(), long()],
            told: Some((long(), vec![long(), long(), long()])),
            drawing: Some((
                figure(&sample::drawing(), None, "14", &palette, Language::Spanish).unwrap(),
                "the plan".into(),
            )),
            basis: Some("Outline only"),
            measured_title: long(),
            measured: (0..5).map(row).collect(),
            prices_title: long(),
            prices: (0..4).map(row).collect(),
            note: long(),
            made: [2026, 11, 24, 0, 0, 0],
        };
        let mut document = Document::new();
        let mut page = document.start_page_with(PageSettings::from_wh(WIDTH, HEIGHT).unwrap());
        let mut sheet = Sheet::new(page.surface()).unwrap();
        write(&mut sheet, &of);
        // Of 792, of which a printer leaves about 18 white.
        assert!(sheet.y < 770.0, "{}", sheet.y);
        drop(sheet.finish());
        page.finish();
        super::page(&of).unwrap();
    }
}
