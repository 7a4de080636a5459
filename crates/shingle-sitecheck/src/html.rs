//! What the check needs from a page's HTML: scripts wherever they stand, policies, the base, and signs of tools that
//! change pages. One pass of a tokenizer reads it, so no page can make this slow. The few rules of tree building that
//! matter (what is a head, what is raw text) are written by hand.
//!
//! # Decision
//!
//! A tokenizer and a few tree rules of our own read HTML in one linear pass, however deep it nests. Turned down: a
//! whole tree, which a hostile page can make deep and large; html5ever's tokenizer, which compares every attribute
//! with the previous ones (100,000 took 49 s).

use std::sync::atomic::AtomicBool;

use crate::policy::{MAX_POLICIES, Policy};
use crate::tokens::{self, StartTag, TextKind, TokenSink};

/// A script element, or what a tool left of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptElement {
    pub attributes: Vec<(String, String)>,
    /// Between its tags.
    pub text: String,
    pub line: u64,
    /// Its index among the page's elements.
    pub position: usize,
    pub container: Container,
    /// A tag that names an attribute twice gets no nonce.
    pub has_duplicate_attributes: bool,
}

/// Where an element stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Container {
    #[default]
    Page,
    Comment,
    Noscript,
    Template,
}

/// Bytes of a tag that a finding quotes, roughly.
const MAX_SHOWN_TAG: usize = 1_000;
/// Of a `<base>`: every address of the page is joined to it.
const MAX_BASE: usize = 2_000;

impl ScriptElement {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The tag as HTML, without the script's text.
    pub fn tag(&self) -> String {
        let mut tag = String::from("<script");
        for (name, value) in &self.attributes {
            if tag.len() > MAX_SHOWN_TAG {
                tag.push_str(" …");
                break;
            }
            let short: String = value.chars().take(300).collect();
            if value.is_empty() {
                tag.push_str(&format!(" {name}"));
            } else {
                tag.push_str(&format!(" {name}=\"{short}\""));
            }
        }
        tag + "></script>"
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedPage {
    pub scripts: Vec<ScriptElement>,
    pub policies: Vec<Policy>,
    /// `href` of the first `<base>` that has one.
    pub base: Option<String>,
    /// Where a `<meta http-equiv="refresh">` sends visitors.
    pub refresh: Option<String>,
    /// Whether an element opens the dialog: `data-shingle-open`, `href="#roof-estimate"`.
    pub has_opener: bool,
    /// Whether there is a `<shingle-estimate>`.
    pub has_inline_card: bool,
    pub is_amp: bool,
    /// Addresses of frames.
    pub frames: Vec<String>,
    /// Letters that a visitor reads, roughly. None where a script draws everything.
    pub letters: usize,
    /// Lines where visible text contains the needle.
    pub needle_lines: Vec<u64>,
}

impl ParsedPage {
    /// `needle` is what our script's address contains in any spelling: the widget's id. What is read after `stop` is
    /// missing.
    pub fn read(html: &str, needle: &str, stop: &AtomicBool) -> Self {
        if html.contains('\r') {
            let html = html.replace("\r\n", "\n").replace('\r', "\n");
            return read(&html, needle, Container::Page, stop);
        }
        read(html, needle, Container::Page, stop)
    }
}

fn read(html: &str, needle: &str, container: Container, stop: &AtomicBool) -> ParsedPage {
    let mut state = ReaderState {
        page: ParsedPage::default(),
        stop,
        container,
        needle,
        head: container == Container::Page,
        elements: 0,
        template_depth: 0,
        foreign_depth: 0,
        raw_text_of: None,
    };
    tokens::read(html, &mut state, stop);
    state.page
}

struct ReaderState<'h> {
    page: ParsedPage,
    stop: &'h AtomicBool,
    container: Container,
    needle: &'h str,
    /// Whether the body has not begun: only before it can a `<meta>` set a policy.
    head: bool,
    elements: usize,
    template_depth: usize,
    foreign_depth: usize,
    /// The element whose raw text is being read.
    raw_text_of: Option<String>,
}

/// What may be in a head. Everything else begins the body.
const HEAD_ELEMENTS: [&str; 13] = [
    "html", "head", "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style",
    "template", "title",
];

impl TokenSink for ReaderState<'_> {
    fn start_tag(&mut self, tag: StartTag) -> TextKind {
        self.elements += 1;
        let name = tag.name.as_str();
        if self.foreign_depth == 0 && !HEAD_ELEMENTS.contains(&name) {
            self.head = false;
        }
        let get = |wanted: &str| tag.attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        self.page.has_opener |=
            get("data-shingle-open").is_some() || get("href").is_some_and(|h| h == "#roof-estimate");
        let live = self.container == Container::Page && self.template_depth == 0;
        match name {
            "html" => self.page.is_amp |= get("amp").is_some() || get("\u{26a1}").is_some(),
            "base" if live && self.page.base.is_none() => self.page.base = get("href").filter(|b| b.len() <= MAX_BASE),
            "meta" if live => self.meta(get("http-equiv"), get("content"), tag.line),
            "frame" | "iframe" => self.page.frames.extend(get("src")),
            "shingle-estimate" => self.page.has_inline_card = true,
            "svg" | "math" if !tag.self_closing => self.foreign_depth += 1,
            "template" if self.foreign_depth == 0 => self.template_depth += 1,
            "script" => self.page.scripts.push(ScriptElement {
                attributes: tag.attributes.clone(),
                text: String::new(),
                line: tag.line,
                position: self.elements,
                container: if live || self.container != Container::Page { self.container } else { Container::Template },
                has_duplicate_attributes: tag.has_duplicate_attributes,
            }),
            // Elements of the body end an SVG or MathML that was never closed.
            "div" | "p" | "body" | "ul" | "table" | "h1" | "h2" | "h3" | "img" | "span" => self.foreign_depth = 0,
            _ => {}
        }
        if self.foreign_depth > 0 {
            return TextKind::Markup;
        }
        let kind = match name {
            "script" => TextKind::Script,
            "title" | "textarea" => TextKind::Rcdata,
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => TextKind::Raw,
            // Browsers with scripts read it as text.
            "noscript" if self.container == Container::Page => TextKind::Raw,
            "plaintext" => return TextKind::Plain,
            _ => return TextKind::Markup,
        };
        self.raw_text_of = Some(tag.name);
        kind
    }

    fn end_tag(&mut self, name: &str) {
        self.raw_text_of = None;
        match name {
            "svg" | "math" => self.foreign_depth = self.foreign_depth.saturating_sub(1),
            "template" => self.template_depth = self.template_depth.saturating_sub(1),
            "body" | "html" | "br" => self.head = false,
            _ => {}
        }
    }

    /// A whole run of text: what it means depends on where it stood.
    fn text(&mut self, text: &str, line: u64) {
        match self.raw_text_of.as_deref() {
            Some("script") => {
                if let Some(script) = self.page.scripts.last_mut() {
                    script.text = text.to_owned();
                }
            }
            Some("noscript") => self.scripts_within(text, Container::Noscript, line),
            Some("textarea") => self.note_needle(text, line),
            Some(_) => {}
            None => {
                if !text.trim_ascii().is_empty() {
                    self.head = false;
                }
                self.page.letters += text.chars().filter(|c| c.is_alphanumeric()).count();
                self.note_needle(text, line);
            }
        }
    }

    fn comment(&mut self, text: &str, line: u64) {
        if self.container == Container::Page && text.contains("script") {
            self.scripts_within(text, Container::Comment, line);
        }
    }
}

impl ReaderState<'_> {
    fn note_needle(&mut self, text: &str, line: u64) {
        if let Some(at) = text.find(self.needle) {
            self.page.needle_lines.push(line + text[..at].matches('\n').count() as u64);
        }
    }

    /// Adds the scripts of a text that is not part of the page itself.
    fn scripts_within(&mut self, text: &str, container: Container, first: u64) {
        let inner = read(text, self.needle, container, self.stop);
        let position = self.elements;
        let scripts =
            inner.scripts.into_iter().map(|script| ScriptElement { line: first + script.line - 1, position, ..script });
        self.page.scripts.extend(scripts);
    }

    fn meta(&mut self, equiv: Option<String>, content: Option<String>, line: u64) {
        let (Some(equiv), Some(content)) = (equiv, content) else { return };
        let is_policy = equiv.eq_ignore_ascii_case("content-security-policy");
        if is_policy && self.head && self.page.policies.len() < MAX_POLICIES {
            self.page.policies.extend(Policy::of_meta(&content, line, self.elements));
        }
        if equiv.eq_ignore_ascii_case("refresh") && self.page.refresh.is_none() {
            self.page.refresh = refresh(&content);
        }
    }
}

/// `0; url=https://…`, with the address in quotes or not.
fn refresh(content: &str) -> Option<String> {
    let (_, rest) = content.split_once([';', ','])?;
    let rest = rest.trim_start();
    let rest = if rest.get(..3).is_some_and(|s| s.eq_ignore_ascii_case("url")) {
        rest[3..].trim_start().strip_prefix('=').unwrap_or(rest).trim()
    } else {
        rest.trim()
    };
    let bare = rest.trim_matches(['"', '\'']);
    (!bare.is_empty()).then(|| bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(html: &str) -> ParsedPage {
        ParsedPage::read(html, "ID", &AtomicBool::new(false))
    }

    fn scripts(html: &str) -> Vec<(Container, Option<String>)> {
        let page = parsed(html);
        page.scripts.iter().map(|s| (s.container, s.get("src").map(str::to_owned))).collect()
    }

    fn one(container: Container, src: &str) -> Vec<(Container, Option<String>)> {
        vec![(container, Some(src.to_owned()))]
    }

    #[test]
    fn a_script_is_found_in_every_container() {
        for (html, container) in [
            ("<script src=a></script>", Container::Page),
            ("<!doctype html><html><head><title>x</title><SCRIPT SRC='a' async></SCRIPT>", Container::Page),
            ("<p>text<script src=a>", Container::Page),
            ("<div><svg><title>t</title></svg><script src=a></script>", Container::Page),
            ("<!-- <script src=a></script> -->", Container::Comment),
            ("<!--[if IE]><script src='a'></script><![endif]-->", Container::Comment),
            ("<noscript><p>hi<script src=a></script></noscript>", Container::Noscript),
            ("<head><noscript><script src=a></script></noscript>", Container::Noscript),
            ("<template><div><script src=a></script></div></template>", Container::Template),
        ] {
            assert_eq!(scripts(html), one(container, "a"), "{html}");
        }
    }

    #[test]
    fn what_is_only_text_is_no_script() {
        for html in [
            "<title><script src=a></script></title>",
            "<textarea><script src=a></script></textarea>",
            "<style><script src=a></script></style>",
            "<iframe><script src=a></script></iframe>",
            "<xmp><script src=a></script></xmp>",
            "<p>&lt;script src=a&gt;&lt;/script&gt;</p>",
            "<plaintext><script src=a></script>",
        ] {
            assert_eq!(scripts(html), [], "{html}");
        }
        let page = parsed("<script>document.write('<script src=a><\\/script>')</script><script src=b></script>");
        assert_eq!(page.scripts.len(), 2);
        assert!(page.scripts[0].text.contains("document.write"));
    }

    #[test]
    fn a_script_keeps_its_line_and_its_attributes() {
        let html =
            "<html>\n<head>\n<script async\n data-x=\"1\" src=a data-x=2></script>\n<!--\n<script src=b></script>-->";
        let page = parsed(html);
        assert_eq!((page.scripts[0].get("data-x"), page.scripts[0].has_duplicate_attributes), (Some("1"), true));
        assert_eq!(page.scripts[0].tag(), "<script async data-x=\"1\" src=\"a\"></script>");
        let lines: Vec<_> = page.scripts.iter().map(|s| s.line).collect();
        assert_eq!(lines, [4, 6]);
        assert!(page.scripts[0].position < page.scripts[1].position + 1);
    }

    #[test]
    fn a_policy_counts_only_in_the_head() {
        let meta = "<meta http-equiv=Content-Security-Policy content=\"default-src 'self'\">";
        for (before, counts) in [
            ("", true),
            (
                "<html><head><title>a</title><link rel=x><style>p{}</style><script>x</script><noscript><p></noscript>",
                true,
            ),
            ("<head></head>", true),
            ("<head></head><body>", false),
            ("<p>", false),
            ("hello", false),
            ("<head><div></head>", false),
            ("<head><template></template>", true),
            ("<template>", false),
            ("<noscript>", false),
            ("<!-- ", false),
        ] {
            let page = parsed(&format!("{before}{meta}"));
            assert_eq!(page.policies.len(), usize::from(counts), "{before}");
        }
    }

    #[test]
    fn the_base_refresh_frames_and_openers_are_found() {
        let page = parsed(
            "<html amp><base target=_top><base href=/a/><base href=/b/><meta http-equiv=refresh content='0; URL=\"/c\"'>\
             <iframe src=https://x.example></iframe><a href=#roof-estimate>go</a><shingle-estimate></shingle-estimate>\
             <p>&lt;script src=/w/ID.js&gt;</p>",
        );
        assert_eq!((page.base.as_deref(), page.refresh.as_deref()), (Some("/a/"), Some("/c")));
        assert!(page.is_amp && page.has_opener && page.has_inline_card);
        assert_eq!(
            (page.frames.as_slice(), page.needle_lines.as_slice()),
            (&["https://x.example".to_owned()][..], &[1][..])
        );
        assert!(page.letters > 0);
        assert_eq!(parsed("<div id=root></div><script src=app.js></script>").letters, 0);
    }

    #[test]
    fn nothing_is_read_once_nobody_waits() {
        let html = "<p>Roofs</p><script src=a></script>";
        assert_eq!(ParsedPage::read(html, "ID", &AtomicBool::new(true)), ParsedPage::default());
    }

    #[test]
    fn lines_are_counted_however_they_end() {
        for end in ["\n", "\r\n", "\r"] {
            let html = ["<p>", "a", "ID</p>", "<textarea>", "", "ID</textarea>", "<script src=a></script>"].join(end);
            let page = parsed(&html);
            assert_eq!((page.needle_lines.as_slice(), page.scripts[0].line), (&[3, 6][..], 7), "{end:?}");
        }
    }

    #[test]
    fn a_deeply_nested_page_is_read_in_one_pass() {
        let deep = format!("{}<script src=a></script>", "<div><b><svg><template></template></svg>".repeat(50_000));
        assert_eq!(scripts(&deep), one(Container::Page, "a"));
        assert_eq!(parsed(&"<!--<script>".repeat(20_000)).scripts.len(), 1);
    }
}
