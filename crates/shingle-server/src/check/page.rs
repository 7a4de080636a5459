//! What a page's HTML holds that matters here: scripts wherever they stand, policies, the base, and signs of
//! tools that change pages. A tokenizer reads it in one pass, so no page can make this slow; the few rules of
//! tree building that matter (what is a head, what is raw text) are followed by hand.

use std::cell::RefCell;

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, CharacterTokens, CommentToken, StartTag, Tag, TagToken, Token, TokenSink, TokenSinkResult, Tokenizer,
    TokenizerOpts,
};

use super::policy::Policy;

/// A script element, or what is left of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    pub attributes: Vec<(String, String)>,
    /// Between its tags.
    pub text: String,
    pub line: u64,
    /// Its number among the page's elements.
    pub place: usize,
    pub within: Within,
    /// A tag that names an attribute twice gets no nonce.
    pub doubled: bool,
}

/// Where an element stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Within {
    #[default]
    Page,
    Comment,
    Noscript,
    Template,
}

impl Script {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// As it would be written.
    pub fn tag(&self) -> String {
        let mut tag = String::from("<script");
        for (name, value) in &self.attributes {
            let shown: String = value.chars().take(300).collect();
            if value.is_empty() {
                tag.push_str(&format!(" {name}"));
            } else {
                tag.push_str(&format!(" {name}=\"{shown}\""));
            }
        }
        tag + "></script>"
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    pub scripts: Vec<Script>,
    pub policies: Vec<Policy>,
    /// `href` of the first `<base>` that has one.
    pub base: Option<String>,
    /// Where a `<meta http-equiv="refresh">` sends visitors.
    pub refresh: Option<String>,
    /// Whether an element opens the dialog: `data-shingle-open`, `href="#roof-estimate"`.
    pub opener: bool,
    /// Whether there is a `<shingle-estimate>`.
    pub inline: bool,
    pub amp: bool,
    /// Addresses of frames.
    pub frames: Vec<String>,
    /// Letters that a visitor reads, roughly: none where a script draws everything.
    pub letters: usize,
    /// Lines where visible text holds one of the needles.
    pub shown: Vec<u64>,
}

impl Page {
    /// `needle` is what our address holds in any spelling: the widget's id.
    pub fn read(html: &str, needle: &str) -> Self {
        read(html, needle, Within::Page)
    }
}

fn read(html: &str, needle: &str, within: Within) -> Page {
    let state = State { within, needle: needle.to_owned(), head: within == Within::Page, ..State::default() };
    let tokenizer = Tokenizer::new(Reader(RefCell::new(state)), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let mut state = tokenizer.sink.0.into_inner();
    state.end_text();
    state.page
}

struct Reader(RefCell<State>);

impl TokenSink for Reader {
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
struct State {
    page: Page,
    within: Within,
    needle: String,
    /// Before the body begins: only there a `<meta>` can be a policy.
    head: bool,
    elements: usize,
    templates: usize,
    foreign: usize,
    /// The element whose raw text is being read.
    raw: Option<String>,
    text: String,
    text_line: u64,
}

/// What may stand in a head. Everything else begins the body.
const HEAD: [&str; 13] = [
    "html", "head", "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style",
    "template", "title",
];

impl State {
    fn open(&mut self, tag: &Tag, line: u64) -> TokenSinkResult<()> {
        self.end_text();
        self.elements += 1;
        let name: &str = &tag.name;
        if self.foreign == 0 && !HEAD.contains(&name) {
            self.head = false;
        }
        let attributes =
            || tag.attrs.iter().map(|a| (a.name.local.to_string(), a.value.to_string())).collect::<Vec<_>>();
        let get = |wanted: &str| tag.attrs.iter().find(|a| &*a.name.local == wanted).map(|a| a.value.to_string());
        self.page.opener |= get("data-shingle-open").is_some() || get("href").is_some_and(|h| h == "#roof-estimate");
        let live = self.within == Within::Page && self.templates == 0;
        match name {
            "html" => self.page.amp |= get("amp").is_some() || get("\u{26a1}").is_some(),
            "base" if live && self.page.base.is_none() => self.page.base = get("href"),
            "meta" if live => self.meta(get("http-equiv"), get("content"), line),
            "frame" | "iframe" => self.page.frames.extend(get("src")),
            "shingle-estimate" => self.page.inline = true,
            "svg" | "math" if !tag.self_closing => self.foreign += 1,
            "template" if self.foreign == 0 => self.templates += 1,
            "script" => self.page.scripts.push(Script {
                attributes: attributes(),
                text: String::new(),
                line,
                place: self.elements,
                within: if live || self.within != Within::Page { self.within } else { Within::Template },
                doubled: tag.had_duplicate_attributes,
            }),
            // The body of a page ends a drawing that was never closed.
            "div" | "p" | "body" | "ul" | "table" | "h1" | "h2" | "h3" | "img" | "span" => self.foreign = 0,
            _ => {}
        }
        if self.foreign > 0 {
            return TokenSinkResult::Continue;
        }
        let kind = match name {
            "script" => RawKind::ScriptData,
            "title" | "textarea" => RawKind::Rcdata,
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => RawKind::Rawtext,
            // As browsers with scripts read it.
            "noscript" if self.within == Within::Page => RawKind::Rawtext,
            "plaintext" => return TokenSinkResult::Plaintext,
            _ => return TokenSinkResult::Continue,
        };
        self.raw = Some(name.to_owned());
        TokenSinkResult::RawData(kind)
    }

    fn close(&mut self, name: &str) {
        self.end_text();
        self.raw = None;
        match name {
            "svg" | "math" => self.foreign = self.foreign.saturating_sub(1),
            "template" => self.templates = self.templates.saturating_sub(1),
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

    /// A run of text is whole: what it was depends on where it stood.
    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return;
        }
        match self.raw.as_deref() {
            Some("script") => {
                if let Some(script) = self.page.scripts.last_mut() {
                    script.text = text;
                }
            }
            Some("noscript") => self.inner(&text, Within::Noscript, self.text_line),
            Some("textarea") => self.shown(&text),
            Some(_) => {}
            None => {
                if !text.trim_ascii().is_empty() {
                    self.head = false;
                }
                self.page.letters += text.chars().filter(|c| c.is_alphanumeric()).count();
                self.shown(&text);
            }
        }
    }

    fn shown(&mut self, text: &str) {
        if text.contains(&self.needle) {
            self.page.shown.push(self.text_line);
        }
    }

    fn comment(&mut self, text: &str, line: u64) {
        self.end_text();
        if self.within == Within::Page && text.contains("script") {
            self.inner(text, Within::Comment, line);
        }
    }

    /// Scripts inside of what is no part of the page.
    fn inner(&mut self, text: &str, within: Within, line: u64) {
        let lines = text.matches('\n').count() as u64;
        let first = line.saturating_sub(lines).max(1);
        let inner = read(text, &self.needle, within);
        let place = self.elements;
        let scripts = inner.scripts.into_iter().map(|script| Script { line: first + script.line - 1, place, ..script });
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

    fn scripts(html: &str) -> Vec<(Within, Option<String>)> {
        let page = Page::read(html, "ID");
        page.scripts.iter().map(|s| (s.within, s.get("src").map(str::to_owned))).collect()
    }

    fn one(within: Within, src: &str) -> Vec<(Within, Option<String>)> {
        vec![(within, Some(src.to_owned()))]
    }

    #[test]
    fn a_script_is_found_wherever_it_stands_and_where_is_told() {
        for (html, within) in [
            ("<script src=a></script>", Within::Page),
            ("<!doctype html><html><head><title>x</title><SCRIPT SRC='a' async></SCRIPT>", Within::Page),
            ("<p>text<script src=a>", Within::Page),
            ("<div><svg><title>t</title></svg><script src=a></script>", Within::Page),
            ("<!-- <script src=a></script> -->", Within::Comment),
            ("<!--[if IE]><script src='a'></script><![endif]-->", Within::Comment),
            ("<noscript><p>hi<script src=a></script></noscript>", Within::Noscript),
            ("<head><noscript><script src=a></script></noscript>", Within::Noscript),
            ("<template><div><script src=a></script></div></template>", Within::Template),
        ] {
            assert_eq!(scripts(html), one(within, "a"), "{html}");
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
        let page =
            Page::read("<script>document.write('<script src=a><\\/script>')</script><script src=b></script>", "ID");
        assert_eq!(page.scripts.len(), 2);
        assert!(page.scripts[0].text.contains("document.write"));
    }

    #[test]
    fn a_script_keeps_its_line_and_its_attributes() {
        let html =
            "<html>\n<head>\n<script async\n data-x=\"1\" src=a data-x=2></script>\n<!--\n<script src=b></script>-->";
        let page = Page::read(html, "ID");
        assert_eq!((page.scripts[0].get("data-x"), page.scripts[0].doubled), (Some("1"), true));
        assert_eq!(page.scripts[0].tag(), "<script async data-x=\"1\" src=\"a\"></script>");
        let lines: Vec<_> = page.scripts.iter().map(|s| s.line).collect();
        assert_eq!(lines, [4, 6]);
        assert!(page.scripts[0].place < page.scripts[1].place + 1);
    }

    #[test]
    fn a_policy_counts_in_the_head_alone() {
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
            let page = Page::read(&format!("{before}{meta}"), "ID");
            assert_eq!(page.policies.len(), usize::from(counts), "{before}");
        }
    }

    #[test]
    fn signs_of_other_ways_are_noticed() {
        let page = Page::read(
            "<html amp><base target=_top><base href=/a/><base href=/b/><meta http-equiv=refresh content='0; URL=\"/c\"'>\
             <iframe src=https://x.example></iframe><a href=#roof-estimate>go</a><shingle-estimate></shingle-estimate>\
             <p>&lt;script src=/w/ID.js&gt;</p>",
            "ID",
        );
        assert_eq!((page.base.as_deref(), page.refresh.as_deref()), (Some("/a/"), Some("/c")));
        assert!(page.amp && page.opener && page.inline);
        assert_eq!((page.frames.as_slice(), page.shown.as_slice()), (&["https://x.example".to_owned()][..], &[1][..]));
        assert!(page.letters > 0);
        assert_eq!(Page::read("<div id=root></div><script src=app.js></script>", "ID").letters, 0);
    }

    #[test]
    fn a_page_nested_without_end_is_read_in_one_pass() {
        let deep = format!("{}<script src=a></script>", "<div><b><svg><template></template></svg>".repeat(50_000));
        assert_eq!(scripts(&deep), one(Within::Page, "a"));
        assert_eq!(Page::read(&"<!--<script>".repeat(20_000), "ID").scripts.len(), 1);
    }
}
