//! What a company's page says about it: name, phone, address, logo, color. Used to propose a widget.

use std::sync::atomic::AtomicBool;

use serde_json::Value;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::{Email, HexColor, Phone};
use url::Url;

use crate::drawn_logo::DrawnLogo;
use crate::postal_text::{address_in, phone_in};
use crate::site_colors::{SiteColors, opaque};
use crate::tokens::{self, StartTag, TextKind, TokenSink};

/// Characters of a name or an address that is believed.
const MAX_SHOWN: usize = 200;
/// Bytes of a block of structured data that is read.
const MAX_DATA: usize = 100_000;
const MAX_LOGOS: usize = 5;
/// Bytes of an address, and of one that is a whole picture.
const MAX_ADDRESS: usize = 2_000;
const MAX_PICTURE: usize = 200_000;
/// Bytes of a footer, or of an address, that are read.
const MAX_PART: usize = 8_000;

/// Where a picture of the company is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogoSource {
    /// May be a `data:` address.
    At(Url),
    /// An `<svg>` of the page, as markup.
    Drawn(String),
}

/// All of it is a proposal: the page may be somebody else's, or wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteFacts {
    pub name: Option<String>,
    pub phone: Option<Phone>,
    pub email: Option<Email>,
    pub address: Option<String>,
    pub privacy: Option<Url>,
    pub terms: Option<Url>,
    pub color: Option<HexColor>,
    /// Another one than `color`.
    pub second_color: Option<HexColor>,
    /// The likeliest first.
    pub logos: Vec<LogoSource>,
}

impl SiteFacts {
    /// `url` is the address that the page came from. What is read after `stop` is missing.
    pub fn read(html: &str, url: &Url, stop: &AtomicBool) -> Self {
        let html = html.replace("\r\n", "\n").replace('\r', "\n");
        let mut reader = Reader {
            url,
            facts: Self::default(),
            names: Vec::new(),
            logos: Vec::new(),
            title: String::new(),
            data: String::new(),
            style: String::new(),
            colors: SiteColors::default(),
            within: Within::Page,
            open: Open::default(),
            link: None,
            named: None,
            drawn: DrawnLogo::default(),
            address: String::new(),
            footer: String::new(),
            micro: Micro::default(),
        };
        tokens::read(&html, &mut reader, stop);
        reader.finish()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Page,
    Title,
    Data,
    Style,
}

/// Where a name or a logo came from, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    StructuredData,
    SharedLogo,
    NamedLogo,
    DrawnLogo,
    SiteName,
    HeaderImage,
    TouchIcon,
    Shared,
    Icon,
    Title,
}

struct Reader<'u> {
    url: &'u Url,
    facts: SiteFacts,
    names: Vec<(Source, String)>,
    logos: Vec<(Source, LogoSource)>,
    title: String,
    data: String,
    style: String,
    colors: SiteColors,
    within: Within,
    open: Open,
    /// Whether the link that is open leads home, or says that it is the logo.
    link: Option<bool>,
    /// The element that says it holds the logo, and how many of its name are open.
    named: Option<(String, u32)>,
    drawn: DrawnLogo,
    /// Texts of the page's `<address>` and `<footer>`.
    address: String,
    footer: String,
    micro: Micro,
}

/// How many of these elements are open.
#[derive(Default)]
struct Open {
    header: u32,
    footer: u32,
    address: u32,
}

impl Open {
    fn of(&mut self, name: &str) -> Option<&mut u32> {
        match name {
            "header" => Some(&mut self.header),
            "footer" => Some(&mut self.footer),
            "address" => Some(&mut self.address),
            _ => None,
        }
    }
}

/// An address and a phone number as microdata.
#[derive(Default)]
struct Micro {
    /// The one that is read now.
    property: Option<&'static str>,
    text: String,
    found: Vec<(&'static str, String)>,
}

impl Micro {
    const PROPERTIES: [&'static str; 6] =
        ["streetAddress", "addressLocality", "addressRegion", "postalCode", "telephone", "email"];

    fn keep(&mut self, property: &'static str, text: &str) {
        let is_new = self.found.iter().all(|(known, _)| *known != property);
        self.found.extend(line(text).filter(|_| is_new).map(|text| (property, text)));
    }

    fn end(&mut self) {
        if let Some(property) = self.property.take() {
            let text = core::mem::take(&mut self.text);
            self.keep(property, &text);
        }
    }

    fn of(&self, property: &str) -> Option<&str> {
        self.found.iter().find(|(known, _)| *known == property).map(|(_, text)| text.as_str())
    }

    fn address(&self) -> Option<String> {
        let (street, town) = (self.of("streetAddress")?, self.of("addressLocality")?);
        let region: Vec<&str> = ["addressRegion", "postalCode"].iter().filter_map(|part| self.of(part)).collect();
        line(format!("{street}, {town}, {}", region.join(" ")).trim_end_matches([' ', ',']))
    }
}

/// Lines of a page are parts of an address.
fn separate(part: &mut String) {
    if part.len() < MAX_PART && !part.is_empty() && !part.ends_with(", ") {
        part.push_str(" , ");
    }
}

/// With one space where there are some.
fn append(part: &mut String, text: &str) {
    if part.len() + text.len() > MAX_PART {
        return;
    }
    let is_space = |text: &str| text.is_empty() || text.ends_with(' ');
    let mut is_apart = text.starts_with(char::is_whitespace);
    for word in text.split_whitespace() {
        if is_apart && !is_space(part) {
            part.push(' ');
        }
        part.push_str(word);
        is_apart = true;
    }
    if text.ends_with(char::is_whitespace) && !is_space(part) {
        part.push(' ');
    }
}

/// One line, without what nobody can see.
fn line(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let joined: String = words.join(" ").chars().filter(|c| !c.is_control()).take(MAX_SHOWN).collect();
    (!joined.is_empty()).then_some(joined)
}

impl Reader<'_> {
    fn joined(&self, href: &str) -> Option<Url> {
        let url = self.url.join(href.trim()).ok()?;
        (matches!(url.scheme(), "http" | "https") && url.as_str().len() <= MAX_ADDRESS).then_some(url)
    }

    fn logo(&mut self, source: Source, href: Option<&str>) {
        let found = href.and_then(|href| self.picture(href));
        self.logos.extend(found.map(|url| (source, LogoSource::At(url))));
    }

    /// Also one that is in its address.
    fn picture(&self, href: &str) -> Option<Url> {
        let href = href.trim();
        match href.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("data:image/")) {
            true => Url::parse(href).ok().filter(|_| href.len() <= MAX_PICTURE),
            false => self.joined(href),
        }
    }

    fn meta(&mut self, tag: &StartTag) {
        let name = attribute(tag, "property").or_else(|| attribute(tag, "name")).unwrap_or_default();
        let Some(content) = attribute(tag, "content") else { return };
        match name.to_ascii_lowercase().as_str() {
            "og:site_name" | "application-name" => {
                self.names.extend(line(content).map(|name| (Source::SiteName, name)));
            }
            "theme-color" if self.facts.color.is_none() => self.facts.color = opaque(content),
            "og:logo" => self.logo(Source::SharedLogo, Some(content)),
            "og:image" => self.logo(Source::Shared, Some(content)),
            _ => {}
        }
    }

    fn link(&mut self, tag: &StartTag) {
        let rel = attribute(tag, "rel").unwrap_or_default().to_ascii_lowercase();
        let href = attribute(tag, "href");
        if rel.starts_with("apple-touch-icon") {
            self.logo(Source::TouchIcon, href);
        } else if rel.split_whitespace().any(|word| word == "icon") {
            self.logo(Source::Icon, href);
        }
    }

    fn image(&mut self, tag: &StartTag) {
        let source = match () {
            () if says_logo(tag, &["class", "id", "alt", "src", "data-src"]) => Source::NamedLogo,
            () if self.open.header > 0 => Source::HeaderImage,
            () => return,
        };
        let lazy = attribute(tag, "data-src").or_else(|| attribute(tag, "data-lazy-src"));
        self.logo(source, lazy.or_else(|| attribute(tag, "src")));
    }

    /// Whether this `<svg>` is the company's logo, and not the sign of a menu or a phone.
    fn is_logo(&self, tag: &StartTag) -> bool {
        const NAMES: [&str; 4] = ["class", "id", "aria-label", "aria-labelledby"];
        let is_sign = attribute(tag, "class").is_some_and(|class| class.to_ascii_lowercase().contains("icon"));
        let is_placed = self.named.is_some() || self.open.header > 0 && self.link == Some(true);
        !self.drawn.is_found() && (says_logo(tag, &NAMES) || is_placed && !is_sign)
    }

    /// Follows the link and the element that may hold the logo.
    fn enter(&mut self, tag: &StartTag) {
        const VOID: [&str; 7] = ["img", "input", "link", "meta", "source", "br", "hr"];
        const NAMES: [&str; 3] = ["class", "id", "aria-label"];
        if VOID.contains(&tag.name.as_str()) || tag.self_closing {
            return;
        }
        if tag.name == "a" {
            let home = attribute(tag, "href").and_then(|href| self.joined(href)).is_some_and(|url| self.is_home(&url));
            self.link = Some(home || says_logo(tag, &NAMES));
        }
        match &mut self.named {
            Some((name, open)) if *name == tag.name => *open += 1,
            Some(_) => {}
            None if tag.name != "body" && says_logo(tag, &NAMES) => self.named = Some((tag.name.clone(), 1)),
            None => {}
        }
    }

    fn leave(&mut self, name: &str) {
        if name == "a" {
            self.link = None;
        }
        if let Some((named, open)) = &mut self.named
            && named == name
        {
            *open -= 1;
            if *open == 0 {
                self.named = None;
            }
        }
    }

    fn is_home(&self, url: &Url) -> bool {
        url.host_str() == self.url.host_str() && (url.path() == "/" || url.path() == self.url.path())
    }

    fn anchor(&mut self, tag: &StartTag) {
        let Some(href) = attribute(tag, "href").map(str::trim) else { return };
        let lower = href.to_ascii_lowercase();
        if let Some(number) = lower.strip_prefix("tel:") {
            self.facts.phone = self.facts.phone.take().or_else(|| Phone::parse_loosely(&number.replace("%20", " ")));
        } else if let Some(address) = lower.strip_prefix("mailto:") {
            let address = address.split('?').next().unwrap_or_default();
            self.facts.email = self.facts.email.take().or_else(|| Email::parse(address));
        } else if lower.contains("privacy") {
            self.facts.privacy = self.facts.privacy.take().or_else(|| self.joined(href));
        } else if lower.contains("terms") {
            self.facts.terms = self.facts.terms.take().or_else(|| self.joined(href));
        }
    }

    fn microdata(&mut self, tag: &StartTag) {
        let named = attribute(tag, "itemprop").unwrap_or_default();
        let Some(property) =
            Micro::PROPERTIES.into_iter().find(|known| named.split_whitespace().any(|word| word == *known))
        else {
            return;
        };
        match attribute(tag, "content") {
            Some(content) => self.micro.keep(property, content),
            None => {
                self.micro.end();
                self.micro.property = Some(property);
            }
        }
    }

    /// What is said in more than one place counts where it is said best.
    fn fill_gaps(&mut self) {
        self.micro.end();
        let (micro, facts) = (&self.micro, &mut self.facts);
        facts.phone = facts.phone.take().or_else(|| micro.of("telephone").and_then(Phone::parse_loosely));
        facts.email = facts.email.take().or_else(|| micro.of("email").and_then(Email::parse));
        facts.address = facts
            .address
            .take()
            .or_else(|| micro.address())
            .or_else(|| address_in(&self.address))
            .or_else(|| address_in(&self.footer))
            .and_then(|found| line(&found));
        facts.phone = facts.phone.take().or_else(|| phone_in(&self.address)).or_else(|| phone_in(&self.footer));
    }

    /// What search engines read: `schema.org`, as JSON.
    fn structured(&mut self) {
        let data = core::mem::take(&mut self.data);
        if let Ok(value) = serde_json::from_str::<Value>(&data) {
            self.company(&value);
        }
    }

    fn company(&mut self, value: &Value) {
        match value {
            Value::Array(list) => list.iter().for_each(|item| self.company(item)),
            Value::Object(members) => {
                let text = |name: &str| members.get(name).and_then(Value::as_str);
                // A company says how to reach it; a page, an article and a person's review do not.
                if members.contains_key("telephone") || members.contains_key("address") {
                    self.names.extend(text("name").and_then(line).map(|name| (Source::StructuredData, name)));
                    let facts = &mut self.facts;
                    facts.phone = text("telephone").and_then(Phone::parse_loosely).or(facts.phone.take());
                    facts.email = text("email").and_then(Email::parse).or(facts.email.take());
                    facts.address = facts.address.take().or_else(|| members.get("address").and_then(postal));
                }
                let logo = members.get("logo");
                let logo = logo.and_then(|logo| logo.as_str().or_else(|| logo.get("url").and_then(Value::as_str)));
                if let Some(logo) = logo.map(str::to_owned) {
                    self.logo(Source::StructuredData, Some(&logo));
                }
                if let Some(graph) = members.get("@graph") {
                    self.company(graph);
                }
            }
            _ => {}
        }
    }

    fn finish(mut self) -> SiteFacts {
        self.fill_gaps();
        let facts = &mut self.facts;
        facts.color = facts.color.take().or_else(|| self.colors.main().cloned());
        facts.second_color = self.colors.second(facts.color.as_ref()).cloned();
        // "Oak Ridge Roofing | Roofs in Portland, ME": the company is one of the parts, and mostly the shorter one.
        let parts = self.title.split(['|', '–', '—', '·']).flat_map(|part| part.split(" - "));
        let parts = parts.filter_map(line).filter(|part| !part.eq_ignore_ascii_case("home"));
        self.names.extend(parts.min_by_key(String::len).map(|name| (Source::Title, name)));
        self.names.cold_sort_by_key(|(source, _)| *source);
        let drawn = self.drawn.take().map(|markup| (Source::DrawnLogo, LogoSource::Drawn(markup)));
        self.logos.extend(drawn);
        self.logos.cold_sort_by_key(|(source, _)| *source);
        self.facts.name = self.names.into_iter().next().map(|(_, name)| name);
        for (_, logo) in self.logos {
            if !self.facts.logos.contains(&logo) && self.facts.logos.len() < MAX_LOGOS {
                self.facts.logos.push(logo);
            }
        }
        self.facts
    }
}

impl TokenSink for Reader<'_> {
    fn start_tag(&mut self, tag: StartTag) -> TextKind {
        // Its `<title>` and `<style>` are none of the page.
        let is_in = self.drawn.is_open() && !self.drawn.is_left_by(&tag.name);
        if is_in || tag.name == "svg" && self.is_logo(&tag) {
            self.drawn.start_tag(&tag);
            return TextKind::Markup;
        }
        self.enter(&tag);
        if let Some(open) = self.open.of(&tag.name) {
            *open += 1;
        }
        if matches!(tag.name.as_str(), "br" | "p" | "div" | "li" | "td" | "tr" | "h2" | "h3" | "h4" | "address") {
            separate(&mut self.address);
            separate(&mut self.footer);
        }
        self.microdata(&tag);
        match tag.name.as_str() {
            "meta" => self.meta(&tag),
            "link" => self.link(&tag),
            "img" => self.image(&tag),
            "a" => self.anchor(&tag),
            "title" if self.title.is_empty() => {
                self.within = Within::Title;
                return TextKind::Rcdata;
            }
            "script" => {
                if attribute(&tag, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json")) {
                    self.within = Within::Data;
                }
                return TextKind::Script;
            }
            "title" | "textarea" => return TextKind::Rcdata,
            "style" => {
                self.within = Within::Style;
                return TextKind::Raw;
            }
            "noframes" | "iframe" => return TextKind::Raw,
            _ => {}
        }
        TextKind::Markup
    }

    fn end_tag(&mut self, name: &str) {
        if self.drawn.is_open() {
            return self.drawn.end_tag(name);
        }
        self.leave(name);
        if let Some(open) = self.open.of(name) {
            *open = open.saturating_sub(1);
        }
        self.micro.end();
        match (self.within, name) {
            (Within::Data, "script") => {
                self.structured();
                self.within = Within::Page;
            }
            (Within::Style, "style") => {
                let style = core::mem::take(&mut self.style);
                self.colors.style(&style);
                self.within = Within::Page;
            }
            (Within::Title, "title") => self.within = Within::Page,
            _ => {}
        }
    }

    fn text(&mut self, text: &str, _line: u64) {
        if self.drawn.is_open() {
            return self.drawn.text(text);
        }
        match self.within {
            Within::Title if self.title.len() < MAX_SHOWN * 4 => self.title.push_str(text),
            Within::Style if self.style.len() + text.len() <= MAX_DATA => self.style.push_str(text),
            Within::Data if self.data.len() + text.len() <= MAX_DATA => self.data.push_str(text),
            Within::Page => {
                if self.open.address > 0 {
                    append(&mut self.address, text);
                }
                if self.open.footer > 0 {
                    append(&mut self.footer, text);
                }
                if self.micro.property.is_some() {
                    append(&mut self.micro.text, text);
                }
            }
            _ => {}
        }
    }

    fn comment(&mut self, _text: &str, _line: u64) {}
}

fn says_logo(tag: &StartTag, names: &[&str]) -> bool {
    names.iter().filter_map(|name| attribute(tag, name)).any(|text| text.to_ascii_lowercase().contains("logo"))
}

fn attribute<'t>(tag: &'t StartTag, name: &str) -> Option<&'t str> {
    tag.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).filter(|v| !v.is_empty())
}

fn postal(address: &Value) -> Option<String> {
    let text = |name: &str| address.get(name).and_then(Value::as_str).and_then(line);
    if let Some(whole) = address.as_str() {
        return line(whole);
    }
    let (street, town) = (text("streetAddress")?, text("addressLocality")?);
    let region: Vec<String> = [text("addressRegion"), text("postalCode")].into_iter().flatten().collect();
    line(format!("{street}, {town}, {}", region.join(" ")).trim_end_matches([' ', ',']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> SiteFacts {
        SiteFacts::read(html, &Url::parse("https://www.oak.example.com/roofs/").unwrap(), &AtomicBool::new(false))
    }

    fn address(of: &LogoSource) -> &str {
        match of {
            LogoSource::At(url) => url.as_str(),
            LogoSource::Drawn(markup) => markup.as_str(),
        }
    }

    fn addresses(facts: &SiteFacts) -> Vec<&str> {
        facts.logos.iter().map(address).collect()
    }

    #[test]
    fn a_company_says_who_it_is() {
        let facts = read(
            r##"<!doctype html><title>Home | Oak Ridge Roofing</title><meta name="theme-color" content="#7a1f1f">
            <link rel="icon" href="/favicon.png"><img class="site-logo" src="logo.png"><img src="/team.jpg">
            <script type="application/ld+json">{"@graph":[{"@type":"WebPage","name":"Home"},
            {"@type":"RoofingContractor","name":"Oak Ridge Roofing LLC","telephone":"+1 207 555 0143",
             "address":{"streetAddress":"5 Mill St","addressLocality":"Portland","addressRegion":"ME","postalCode":"04101"}}]}</script>
            <a href="MAILTO:Office@Oak.example.com?subject=Hi">Mail</a><a href="/privacy-policy">Privacy</a>"##,
        );
        assert_eq!(facts.name.as_deref(), Some("Oak Ridge Roofing LLC"));
        assert_eq!(facts.phone.as_ref().unwrap().dialled(), "+12075550143");
        assert_eq!(facts.email.as_ref().unwrap().as_str(), "office@oak.example.com");
        assert_eq!(facts.address.as_deref(), Some("5 Mill St, Portland, ME 04101"));
        assert_eq!(facts.color.as_ref().unwrap().as_str(), "#7a1f1f");
        assert_eq!(facts.privacy.as_ref().unwrap().as_str(), "https://www.oak.example.com/privacy-policy");
        assert_eq!(
            addresses(&facts),
            ["https://www.oak.example.com/roofs/logo.png", "https://www.oak.example.com/favicon.png"]
        );
    }

    #[test]
    fn a_page_without_structured_data_says_it_in_its_text() {
        let facts = read(
            r##"<title>Harbor &amp; Pine</title><meta property="og:logo" content="/mark.png">
            <header><img src="/head.png"></header>
            <footer><div>Harbor &amp; Pine</div><p>88 Wharf Street<br>Portland, ME 04101</p><p>Call (207) 555-0142</p></footer>"##,
        );
        assert_eq!(facts.address.as_deref(), Some("88 Wharf Street, Portland, ME 04101"));
        assert_eq!(facts.phone.as_ref().unwrap().as_str(), "(207) 555-0142");
        assert_eq!(addresses(&facts), ["https://www.oak.example.com/mark.png", "https://www.oak.example.com/head.png"]);
        let facts =
            read("<address>12 Mill Road, Gorham, ME 04038</address><footer>1 Other St, Bath, ME 04530</footer>");
        assert_eq!(facts.address.as_deref(), Some("12 Mill Road, Gorham, ME 04038"));
        let facts = read(
            r##"<p itemscope><span itemprop="streetAddress">7 Tern Lane</span> <span itemprop="addressLocality">Falmouth</span>
            <span itemprop="addressRegion">ME</span> <meta itemprop="postalCode" content="04105">
            <b itemprop="telephone">207-555-0199</b></p>"##,
        );
        assert_eq!(facts.address.as_deref(), Some("7 Tern Lane, Falmouth, ME 04105"));
        assert_eq!(facts.phone.unwrap().as_str(), "(207) 555-0199");
    }

    #[test]
    fn a_logo_may_be_drawn_by_the_page_itself() {
        const MARK: &str = r#"<svg viewBox="0 0 10 5"><title>Oak</title><path d="M0 0h9v4z"/></svg>"#;
        const READ: &str = r#"<svg viewbox="0 0 10 5"><title>Oak</title><path d="M0 0h9v4z"/></svg>"#;
        let header = |inside: &str| read(&format!("<title>Oak Roofing</title><header>{inside}</header>"));
        for inside in [
            format!("<a href=/>{MARK}</a>"),
            format!("<a href='https://www.oak.example.com/'><span>{MARK}</span></a>"),
            format!("<div class=site-logo><div>x</div>{MARK}</div>"),
            format!(
                "<button><svg class=icon><path d='M0'/></svg></button><a href='tel:2075550143'><svg><path d='M1'/></svg></a>\
                 <a href='/'>{MARK}</a>"
            ),
        ] {
            let facts = header(&inside);
            assert_eq!(addresses(&facts), [READ], "{inside}");
            assert_eq!(facts.name.as_deref(), Some("Oak Roofing"), "the drawing's title is not the page's");
        }
        for inside in [
            // A menu, a phone, one that draws nothing, one without an end, one that is not in the header.
            "<button><svg><path d='M0'/></svg></button>",
            "<a href='tel:2075550143'><svg><path d='M0'/></svg></a>",
            "<a href=/><svg class=home-icon><path d='M0'/></svg></a>",
            "<a href=/><svg><use href='#logo'/></svg></a>",
            "<a href=/><svg><path d='M0'/>",
            "</header><a href=/><svg><path d='M0'/></svg></a>",
        ] {
            assert!(header(inside).logos.is_empty(), "{inside}");
        }
        let long = format!("<a href=/><svg><path d='{}'/></svg></a>", "M0 0".repeat(60_000));
        assert!(header(&long).logos.is_empty());
        let endless = header("<a href=/><svg><path d='M0'/></a></header><div><a href='tel:2075550143'>x</a></div>");
        assert!(endless.phone.is_some(), "what follows a drawing without an end is read");
        let both = format!("<a href=/>{MARK}</a><link rel=apple-touch-icon href=/touch.png>");
        assert_eq!(addresses(&header(&both)), [READ, "https://www.oak.example.com/touch.png"]);
        let hostile = header(r#"<a href=/><svg onload="a(&quot;&lt;b&quot;)"><text>&lt;script&gt;</text></svg></a>"#);
        assert_eq!(addresses(&hostile), [r#"<svg onload="a(&quot;&lt;b&quot;)"><text>&lt;script></text></svg>"#]);
    }

    #[test]
    fn colors_are_those_of_the_pages_own_style() {
        const STYLE: &str = "<style>:root{--primary:#7a1f1f;--accent:#0b7a3c}</style>";
        let colors = |html: &str| {
            let facts = read(html);
            [facts.color, facts.second_color].map(|color| color.map(|color| color.as_str().to_owned()))
        };
        let text = |color: &str| Some(color.to_owned());
        assert_eq!(colors(STYLE), [text("#7a1f1f"), text("#0b7a3c")]);
        let themed = format!("<meta name=theme-color content='#0b7a3c'>{STYLE}");
        assert_eq!(colors(&themed), [text("#0b7a3c"), text("#7a1f1f")], "the theme's color comes first");
        assert_eq!(colors("<style>body{color:red}</style>"), [None, None]);
    }

    #[test]
    fn a_logo_may_be_in_its_own_address() {
        let facts = read("<img class=logo src='data:image/svg+xml,%3Csvg/%3E'><img class=logo src='/a/logo.svg'>");
        assert_eq!(addresses(&facts), ["data:image/svg+xml,%3Csvg/%3E", "https://www.oak.example.com/a/logo.svg"]);
        let long = format!("<img class=logo src='data:image/png;base64,{}'>", "A".repeat(MAX_PICTURE));
        assert!(read(&long).logos.is_empty());
    }

    #[test]
    fn what_a_page_does_not_say_is_not_invented() {
        assert_eq!(read(""), SiteFacts::default());
        let facts = read(
            r##"<title>Home</title><meta name=theme-color content="#ffffff"><a href="tel:911">x</a><a href="mailto:">y</a>
            <img class=logo src="javascript:alert(1)"><img class=logo src="data:text/html,x"><a href="javascript:privacy()">z</a>
            <script type="application/ld+json">{"telephone": 5, "address": {"streetAddress": "5 Mill St"}}</script>
            <script type="application/ld+json">{ not json</script>"##,
        );
        assert_eq!(facts, SiteFacts::default());
    }

    #[test]
    fn a_page_of_any_length_is_read_to_a_bound() {
        let long = format!(
            "<title>{}</title><meta property=og:site_name content='{}'>",
            "a ".repeat(1 << 20),
            "b".repeat(1 << 20)
        );
        assert_eq!(read(&long).name.unwrap().len(), MAX_SHOWN);
        let deep = format!("<script type='application/ld+json'>{}</script>", "[".repeat(50_000));
        assert_eq!(read(&deep), SiteFacts::default());
        let many = "<img class=logo src=a1.png><img class=logo src=a2.png>".repeat(1_000);
        assert_eq!(read(&many).logos.len(), 2);
    }
}
