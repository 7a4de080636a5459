//! What the check needs from a page's HTML: scripts wherever they stand, policies, the base, and signs of tools that
//! change pages. One pass of a tokenizer reads it, so no page can make this slow. The few rules of tree building that
//! matter (what is a head, what is raw text) are written by hand.

use std::cell::RefCell;

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, CharacterTokens, CommentToken, StartTag, Tag, TagToken, Token, TokenSink, TokenSinkResult, Tokenizer,
    TokenizerOpts,
};

use crate::policy::Policy;

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

impl ScriptElement {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The tag as HTML, without the script's text.
    pub fn tag(&self) -> String {
        let mut tag = String::from("<script");
        for (name, value) in &self.attributes {
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
    /// `needle` is what our script's address contains in any spelling: the widget's id.
    pub fn read(html: &str, needle: &str) -> Self {
        read(html, needle, Container::Page)
    }
}

fn read(html: &str, needle: &str, container: Container) -> ParsedPage {
    let state = ReaderState {
        container,
        needle: needle.to_owned(),
        head: container == Container::Page,
        ..ReaderState::default()
    };
    let tokenizer = Tokenizer::new(PageReader(RefCell::new(state)), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let mut state = tokenizer.sink.0.into_inner();
    state.end_text();
    state.page
}

struct PageReader(RefCell<ReaderState>);

impl TokenSink for PageReader {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            TagToken(tag) if tag.kind == StartTag => return state.open(&tag, line),
            TagToken(tag) => state.close(&tag.name),
            CommentToken(text) => state.comment(&text, line),
            CharacterTokens(text) => state.text(&text, line),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

#[derive(Default)]
struct ReaderState {
    page: ParsedPage,
    container: Container,
    needle: String,
    /// Whether the body has not begun: only before it can a `<meta>` set a policy.
    head: bool,
    elements: usize,
    template_depth: usize,
    foreign_depth: usize,
    /// The element whose raw text is being read.
    raw_text_of: Option<String>,
    text: String,
    text_line: u64,
}

/// What may stand in a head. Everything else begins the body.
const HEAD_ELEMENTS: [&str; 13] = [
    "html", "head", "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style",
    "template", "title",
];

impl ReaderState {
    fn open(&mut self, tag: &Tag, line: u64) -> TokenSinkResult<()> {
        self.end_text();
        self.elements += 1;
        let name: &str = &tag.name;
        if self.foreign_depth == 0 && !HEAD_ELEMENTS.contains(&name) {
            self.head = false;
        }
        let attributes =
            || tag.attrs.iter().map(|a| (a.name.local.to_string(), a.value.to_string())).collect::<Vec<_>>();
        let get = |wanted: &str| tag.attrs.iter().find(|a| &*a.name.local == wanted).map(|a| a.value.to_string());
        self.page.has_opener |=
            get("data-shingle-open").is_some() || get("href").is_some_and(|h| h == "#roof-estimate");
        let live = self.container == Container::Page && self.template_depth == 0;
        match name {
            "html" => self.page.is_amp |= get("amp").is_some() || get("\u{26a1}").is_some(),
            "base" if live && self.page.base.is_none() => self.page.base = get("href"),
            "meta" if live => self.meta(get("http-equiv"), get("content"), line),
            "frame" | "iframe" => self.page.frames.extend(get("src")),
            "shingle-estimate" => self.page.has_inline_card = true,
            "svg" | "math" if !tag.self_closing => self.foreign_depth += 1,
            "template" if self.foreign_depth == 0 => self.template_depth += 1,
            "script" => self.page.scripts.push(ScriptElement {
                attributes: attributes(),
                text: String::new(),
                line,
                position: self.elements,
                container: if live || self.container != Container::Page { self.container } else { Container::Template },
                has_duplicate_attributes: tag.had_duplicate_attributes,
            }),
            // Elements of the body end an SVG or MathML that was never closed.
            "div" | "p" | "body" | "ul" | "table" | "h1" | "h2" | "h3" | "img" | "span" => self.foreign_depth = 0,
            _ => {}
        }
        if self.foreign_depth > 0 {
            return TokenSinkResult::Continue;
        }
        let kind = match name {
            "script" => RawKind::ScriptData,
            "title" | "textarea" => RawKind::Rcdata,
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => RawKind::Rawtext,
            // Browsers with scripts read it as text.
            "noscript" if self.container == Container::Page => RawKind::Rawtext,
            "plaintext" => return TokenSinkResult::Plaintext,
            _ => return TokenSinkResult::Continue,
        };
        self.raw_text_of = Some(name.to_owned());
        TokenSinkResult::RawData(kind)
    }

    fn close(&mut self, name: &str) {
        self.end_text();
        self.raw_text_of = None;
        match name {
            "svg" | "math" => self.foreign_depth = self.foreign_depth.saturating_sub(1),
            "template" => self.template_depth = self.template_depth.saturating_sub(1),
            "body" | "html" | "br" => self.head = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str, line: u64) {
        if self.text.is_empty() {
            self.text_line = line;
        }
        self.text.push_str(text);
    }

    /// Handles a whole run of text: what it means depends on where it stood.
    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return;
        }
        match self.raw_text_of.as_deref() {
            Some("script") => {
                if let Some(script) = self.page.scripts.last_mut() {
                    script.text = text;
                }
            }
            Some("noscript") => self.scripts_within(&text, Container::Noscript, self.text_line),
            Some("textarea") => self.note_needle(&text),
            Some(_) => {}
            None => {
                if !text.trim_ascii().is_empty() {
                    self.head = false;
                }
                self.page.letters += text.chars().filter(|c| c.is_alphanumeric()).count();
                self.note_needle(&text);
            }
        }
    }

    fn note_needle(&mut self, text: &str) {
        if text.contains(&self.needle) {
            self.page.needle_lines.push(self.text_line);
        }
    }

    fn comment(&mut self, text: &str, line: u64) {
        self.end_text();
        if self.container == Container::Page && text.contains("script") {
            self.scripts_within(text, Container::Comment, line);
        }
    }

    /// Adds the scripts of a text that is not part of the page itself.
    fn scripts_within(&mut self, text: &str, container: Container, line: u64) {
        let lines = text.matches('\n').count() as u64;
        let first = line.saturating_sub(lines).max(1);
        let inner = read(text, &self.needle, container);
        let position = self.elements;
        let scripts =
            inner.scripts.into_iter().map(|script| ScriptElement { line: first + script.line - 1, position, ..script });
        self.page.scripts.extend(scripts);
    }

    fn meta(&mut self, equiv: Option<String>, content: Option<String>, line: u64) {
        let (Some(equiv), Some(content)) = (equiv, content) else { return };
        if equiv.eq_ignore_ascii_case("content-security-policy") && self.head {
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

    fn scripts(html: &str) -> Vec<(Container, Option<String>)> {
        let page = ParsedPage::read(html, "ID");
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
        let page = ParsedPage::read(
            "<script>document.write('<script src=a><\\/script>')</script><script src=b></script>",
            "ID",
        );
        assert_eq!(page.scripts.len(), 2);
        assert!(page.scripts[0].text.contains("document.write"));
    }

    #[test]
    fn a_script_keeps_its_line_and_its_attributes() {
        let html =
            "<html>\n<head>\n<script async\n data-x=\"1\" src=a data-x=2></script>\n<!--\n<script src=b></script>-->";
        let page = ParsedPage::read(html, "ID");
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
            let page = ParsedPage::read(&format!("{before}{meta}"), "ID");
            assert_eq!(page.policies.len(), usize::from(counts), "{before}");
        }
    }

    #[test]
    fn the_base_refresh_frames_and_openers_are_found() {
        let page = ParsedPage::read(
            "<html amp><base target=_top><base href=/a/><base href=/b/><meta http-equiv=refresh content='0; URL=\"/c\"'>\
             <iframe src=https://x.example></iframe><a href=#roof-estimate>go</a><shingle-estimate></shingle-estimate>\
             <p>&lt;script src=/w/ID.js&gt;</p>",
            "ID",
        );
        assert_eq!((page.base.as_deref(), page.refresh.as_deref()), (Some("/a/"), Some("/c")));
        assert!(page.is_amp && page.has_opener && page.has_inline_card);
        assert_eq!(
            (page.frames.as_slice(), page.needle_lines.as_slice()),
            (&["https://x.example".to_owned()][..], &[1][..])
        );
        assert!(page.letters > 0);
        assert_eq!(ParsedPage::read("<div id=root></div><script src=app.js></script>", "ID").letters, 0);
    }

    #[test]
    fn a_deeply_nested_page_is_read_in_one_pass() {
        let deep = format!("{}<script src=a></script>", "<div><b><svg><template></template></svg>".repeat(50_000));
        assert_eq!(scripts(&deep), one(Container::Page, "a"));
        assert_eq!(ParsedPage::read(&"<!--<script>".repeat(20_000), "ID").scripts.len(), 1);
    }
}
