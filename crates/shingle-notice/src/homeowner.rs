//! To the homeowner: the estimate that was shown, with a page to keep.
//!
//! # Decision
//!
//! The homeowner's copy repeats nothing that was typed except an email address, a phone number and a first name that
//! can only be a name. Otherwise anybody could write to strangers through it.

use shingle_domain::Language;
use shingle_domain::inspection::InspectionState;
use shingle_domain::lead::{Lead, MaterialPrice, ShownEstimate};
use shingle_domain::mail::{MailAttachment, MailContent};
use shingle_domain::roof::{AreaAlert, PitchAlert, RoofDrawing};
use shingle_domain::widget::{Widget, WidgetLinks};
use shingle_widget::price_parts::{has_low_slope, parts_in_text};
use shingle_widget::ssr::part::wish_text;
use shingle_widget::words::{dollars, fill, flow_words, material, told, w, written};
use unicode_normalization::UnicodeNormalization as _;

use crate::compose::compose;
use crate::drawing::figure::{self, PhotoUnder};
use crate::drawing::font::{Face, SEMIBOLD};
use crate::error::NoticeError;
use crate::letter::{Amount, Block, Button, Letter, Row, Span};
use crate::moment::LocalTime;
use crate::pdf::{EstimatePage, page};
use crate::skin::{Skin, light_palette};
use crate::words::{Words, words};
use crate::{clean, facts, picture};

/// A copy of what the visitor saw, from the company. The visitor's own words are in it only as the name in the greeting
/// and the address: anyone who types a stranger's mail address can write nothing to them.
#[derive(Debug, Clone, Copy)]
pub struct HomeownerCopy<'a> {
    pub lead: &'a Lead,
    /// Of the building that the visitor chose, if it can be drawn.
    pub drawing: Option<&'a RoofDrawing>,
    /// What lies under it, where there is one.
    pub photo: Option<&'a PhotoUnder>,
    pub widget: &'a Widget,
    /// Origin and path prefix of this server: its pages stand in for those that the company does not have.
    pub base_url: &'a str,
    /// What people call the lead: `7K3-Q9F`.
    pub reference: &'a str,
    /// Made with a sandbox key.
    pub sandbox: bool,
    /// The page with the estimate, if there is one that the homeowner may open.
    pub open: Option<&'a str>,
    /// The page on which the homeowner picks the time of a visit, if there is one.
    pub pick: Option<&'a str>,
    /// What the contractor says the price includes; empty where nothing is configured.
    pub includes: &'a [String],
    pub language: Language,
    /// The company's IANA time zone.
    pub time_zone: &'a str,
}

impl HomeownerCopy<'_> {
    /// `None` for a lead without a price: there is nothing to copy.
    pub fn content(&self) -> Result<Option<MailContent>, NoticeError> {
        let Some((estimate, price)) = facts::shown_price(self.lead) else { return Ok(None) };
        let (mut pictures, mut blocks) = (Vec::new(), self.opening(estimate, price));
        if let Some(drawing) = self.drawing {
            let (shown, files) = picture::of(drawing, self.photo, &self.lead.address, self.widget, self.language)?;
            blocks.extend(shown);
            pictures = files;
        }
        blocks.extend(self.open_button());
        blocks.extend(self.prices(price, estimate));
        blocks.push(Block::Heading(self.words().next.to_owned()));
        blocks.push(Block::Steps(self.steps()));
        blocks.push(self.company_card());
        let [short, rest] = self.note();
        blocks.push(Block::Small(vec![Span::Strong(short), Span::Plain([" ", &rest].concat())]));
        let range = self.range(price);
        Ok(Some(compose(Letter {
            language: self.language,
            skin: Skin::of(Some(self.widget)),
            subject: self.subject(),
            preview: [&dollars(price.cost), ". ", &range].concat(),
            blocks,
            footer: self.footer(),
            pictures,
            attachments: vec![self.attachment(estimate, price, None)?],
        })))
    }

    /// The company's own copy of the page to print, with what the homeowner answered. `None` for a lead without a price.
    pub fn company_pdf(&self) -> Result<Option<Vec<u8>>, NoticeError> {
        let Some((estimate, price)) = facts::shown_price(self.lead) else { return Ok(None) };
        Ok(Some(self.attachment(estimate, price, self.told())?.bytes))
    }

    /// In three lines: the taps, the times of a visit, the homeowner's sentences.
    fn told(&self) -> Option<(String, Vec<String>)> {
        let (flow, words) = (flow_words(self.language), self.words());
        let taps = told(flow, self.lead).into_iter().map(|tap| [flow.text(tap.label), ": ", &tap.text].concat());
        let visit = self.lead.inspection.as_ref();
        let times = visit.into_iter().flat_map(|visit| &visit.wishes).map(|wish| wish_text(flow, *wish));
        let times = times.collect::<Vec<_>>().join("; ");
        let note = visit.and_then(|visit| visit.note.as_deref());
        let notes: Vec<String> = written(self.lead).into_iter().chain(note).map(clean::line).collect();
        let lines = [
            taps.collect::<Vec<_>>().join(" · "),
            if times.is_empty() { times } else { [words.visit_times, ": ", &times].concat() },
            notes.join(" · "),
        ];
        let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        (!lines.is_empty()).then(|| (words.told.to_owned(), lines))
    }

    fn words(&self) -> &'static Words {
        words(self.language)
    }

    fn links(&self) -> WidgetLinks<'_> {
        WidgetLinks { base_url: self.base_url, pages_url: self.base_url.into(), storage_url: self.base_url }
    }

    fn company(&self) -> String {
        clean::line(&self.widget.company_name)
    }

    /// As the sheet can show it: a name of which the font lacks a letter is left out whole, and the site stands for it.
    fn printed_company(&self) -> Result<String, NoticeError> {
        let company: String = self.company().nfc().collect();
        if Face::of(&SEMIBOLD)?.has_all(&company) {
            return Ok(company);
        }
        let site = self.widget.site(&self.links());
        let url = site.as_str();
        let host = url.split("://").nth(1).unwrap_or(url).split('/').next().unwrap_or_default();
        Ok(host.strip_prefix("www.").unwrap_or(host).to_owned())
    }

    fn date(&self) -> String {
        LocalTime::of(self.time_zone, self.language).date(self.lead.created_at)
    }

    /// Nothing that the visitor typed.
    fn subject(&self) -> String {
        let words = self.words();
        let sentence = if self.sandbox { words.copy_subject_test } else { words.reply_subject };
        fill(sentence, &[("company", &clean::subject_part(&self.widget.company_name))])
    }

    fn opening(&self, estimate: &ShownEstimate, price: &MaterialPrice) -> Vec<Block> {
        let words = self.words();
        let mut blocks = vec![Block::Kicker { what: self.company(), when: self.date() }];
        if self.sandbox {
            blocks.push(Block::Notice(words.lead_test_why.to_owned()));
        }
        let name = facts::greeting_name(self.lead);
        let title = name.map(|first| fill(words.copy_title_for, &[("first", &first)]));
        blocks.push(Block::Title(title.unwrap_or_else(|| words.copy_title.to_owned())));
        blocks.push(Block::Line(clean::line(&self.lead.address)));
        let details = self.details(estimate, price);
        blocks.push(Block::Amount(Amount {
            sum: dollars(price.cost),
            proud: true,
            strong: (price.low < price.high).then(|| self.range(price)),
            details,
        }));
        blocks
    }

    fn range(&self, price: &MaterialPrice) -> String {
        fill(self.words().range, &[("low", &dollars(price.low)), ("high", &dollars(price.high))])
    }

    /// How the sum is made.
    fn details(&self, estimate: &ShownEstimate, price: &MaterialPrice) -> Vec<String> {
        let (words, flow) = (self.words(), flow_words(self.language));
        let material = facts::material(price.material, self.language);
        let (squares, per) = (facts::squares(estimate), dollars(price.price_per_square));
        let minimum = price.minimum.map(dollars).unwrap_or_default();
        let with = [("squares", &*squares), ("price", &*per), ("material", &*material), ("minimum", &*minimum)];
        let parts = parts_in_text(flow, price).map(|parts| match price.minimum {
            Some(_) => [&parts, " ", &flow.fill(w::MINIMUM_OF_PARTS, &with)].concat(),
            None => parts,
        });
        let mut sum =
            parts.unwrap_or_else(|| flow.fill(if price.minimum.is_some() { w::MINIMUM } else { w::SUM }, &with));
        if has_low_slope(price) {
            sum = [&sum, " ", &flow[w::LOW_SLOPE_NOTE]].concat();
        }
        let pitch = !matches!(estimate.alerts.roof_pitch_alert, None | Some(PitchAlert::NoAlerts));
        let area = !matches!(estimate.alerts.roof_area_alert, None | Some(AreaAlert::NoAlerts));
        if pitch || area {
            sum = [&sum, " ", &flow[w::FLAG_WIDER]].concat();
        }
        vec![sum, words.one_square.to_owned()]
    }

    fn open_button(&self) -> Vec<Block> {
        let words = self.words();
        let Some(href) = self.open else { return Vec::new() };
        let label = words.open.to_owned();
        let button = |label: String, href: &str, primary| Button {
            text: [label.clone(), href.to_owned()],
            label,
            href: href.to_owned(),
            primary,
        };
        let mut buttons = vec![button(label, href, true)];
        buttons.extend(self.pick.map(|href| button(words.pick_time.to_owned(), href, false)));
        vec![Block::Buttons(buttons), Block::Small(vec![Span::plain(words.open_why)])]
    }

    /// What is included, and the other materials that were shown.
    fn prices(&self, shown: &MaterialPrice, estimate: &ShownEstimate) -> Vec<Block> {
        let words = self.words();
        let mut rows: Vec<Row> =
            self.included().map(|included| Row::plain(words.includes, included)).into_iter().collect();
        let others: Vec<String> =
            self.others(shown, estimate).into_iter().map(|[name, sum]| [&name, ": ", &sum].concat()).collect();
        if !others.is_empty() {
            rows.push(Row::plain(words.others, others));
        }
        if rows.is_empty() {
            return Vec::new();
        }
        vec![Block::Heading(words.price.to_owned()), Block::Rows(rows)]
    }

    /// As far as the company says it: otherwise there is no such row.
    fn included(&self) -> Option<Vec<String>> {
        let told: Vec<String> =
            self.includes.iter().map(|text| clean::line(text)).filter(|text| !text.is_empty()).collect();
        Some(told).filter(|told| !told.is_empty())
    }

    fn others(&self, shown: &MaterialPrice, estimate: &ShownEstimate) -> Vec<[String; 2]> {
        let others = estimate.prices.iter().filter(|price| price.material != shown.material);
        others.map(|p| [flow_words(self.language)[material(p.material)].to_owned(), dollars(p.cost)]).collect()
    }

    /// Only what is true: the company has the details, and nothing is agreed.
    fn steps(&self) -> Vec<[String; 2]> {
        let (words, company) = (self.words(), self.company());
        let with = [
            ("company", &*company),
            ("to", self.lead.phone.as_ref().map_or("", |phone| phone.as_str())),
            ("at", self.lead.email_text()),
        ];
        let called = self.lead.consent.given && self.lead.phone.is_some();
        let contact =
            if called { [words.next_call, words.next_call_why] } else { [words.next_mail, words.next_mail_why] };
        let visit = match self.lead.inspection.as_ref().map(|asked| asked.state) {
            None => [words.next_nothing, words.next_nothing_why],
            Some(InspectionState::Asked) => [words.next_asked, words.next_asked_why],
            Some(InspectionState::Confirmed) => [words.next_confirmed, words.next_confirmed_why],
            Some(InspectionState::Declined) => [words.next_asked, words.next_declined_why],
        };
        let steps = [[words.next_sees, words.next_sees_why], contact, visit];
        steps.map(|step| step.map(|sentence| fill(sentence, &with))).to_vec()
    }

    fn company_card(&self) -> Block {
        let widget = self.widget;
        let phone = Span::Link {
            label: widget.company_phone.as_str().to_owned(),
            href: ["tel:", &widget.company_phone.dialled()].concat(),
        };
        let address = clean::line(&widget.company_address);
        let mut lines = Vec::new();
        if !address.is_empty() {
            lines.push(vec![Span::Plain(address)]);
        }
        lines.push(vec![phone, Span::plain(" · "), Span::mail(widget.company_email.as_str())]);
        if widget.has_site() {
            let site = widget.company_url.as_str();
            lines.push(vec![Span::Link { label: site.to_owned(), href: site.to_owned() }]);
        }
        Block::Card { title: self.company(), lines }
    }

    /// An estimate, not an inspection; and what can change it.
    fn note(&self) -> [String; 2] {
        let flow = flow_words(self.language);
        [flow[w::NOTE.at(0)].to_owned(), flow.fill(w::NOTE.at(1), &[("company", &self.company())])]
    }

    fn footer(&self) -> Vec<Span> {
        let (words, company) = (self.words(), self.company());
        let host = self.widget.site(&self.links()).host();
        let date = self.date();
        let why = fill(words.copy_why, &[("host", &host), ("date", &date), ("company", &company)]);
        let reference = fill(words.reference, &[("reference", &clean::line(self.reference))]);
        let privacy = self.widget.privacy_policy(&self.links()).as_str().to_owned();
        let label = flow_words(self.language)[w::PRIVACY].to_owned();
        vec![Span::Plain([&why, " ", &reference, " "].concat()), Span::Link { label, href: privacy }]
    }

    fn attachment(
        &self,
        estimate: &ShownEstimate,
        price: &MaterialPrice,
        told: Option<(String, Vec<String>)>,
    ) -> Result<MailAttachment, NoticeError> {
        let (words, lead, language) = (self.words(), self.lead, self.language);
        let palette = light_palette(self.widget);
        let drawing = self.drawing.filter(|drawing| facts::is_drawable(drawing));
        let shown = match drawing {
            Some(drawing) => {
                let figure = figure::figure(drawing, None, &facts::house_number(&lead.address), &palette, language)?;
                Some((figure, facts::plan_name(drawing, &lead.address, language, words)))
            }
            None => None,
        };
        let widget = self.widget;
        let address = clean::line(&widget.company_address);
        let contact = [
            address.as_str(),
            widget.company_phone.as_str(),
            widget.company_email.as_str(),
            if widget.has_site() { widget.company_url.as_str() } else { "" },
        ];
        let flow = flow_words(language);
        let mut details = self.details(estimate, price);
        details.extend(self.included().map(|told| fill(words.includes_line, &[("list", &told.join(", "))])));
        let reference = fill(words.reference, &[("reference", &clean::line(self.reference))]);
        let company = self.printed_company()?;
        // Sentences name it too.
        let printed = |text: String| text.replace(&self.company(), &company);
        let bytes = page(&EstimatePage {
            language,
            palette: &palette,
            company: company.clone(),
            contact: contact.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "),
            title: if self.sandbox { words.page_title_test } else { words.page_title }.to_owned(),
            address: clean::line(&lead.address),
            date: [&self.date(), ". ", &reference].concat(),
            sum: dollars(price.cost),
            range: self.range(price),
            details: details.into_iter().map(printed).collect(),
            told,
            drawing: shown,
            basis: drawing.and_then(|drawing| picture::basis(drawing, language)),
            measured_title: flow[w::MEASURED].to_owned(),
            measured: facts::figures(estimate, drawing, language, words),
            prices_title: words.others.to_owned(),
            prices: self.others(price, estimate),
            note: printed(self.note().join(" ")),
            made: LocalTime::utc_parts(lead.created_at),
        })?;
        let reference: String = self.reference.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let file_name = [words.file_name, "-", &reference, ".pdf"].concat();
        Ok(MailAttachment { file_name, media_type: "application/pdf", bytes })
    }
}

#[cfg(test)]
mod tests;
