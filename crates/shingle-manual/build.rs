//! Renders `assets/manual/src`, checks every link in it, and packs the pages into one file.
//!
//! The pages are also a book for `mdbook build`: `SUMMARY.md` is its list, and headings have the anchors that mdBook gives.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../assets/manual/src");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = listed(&fs::read_to_string(folder.join("SUMMARY.md"))?)?;
    all_are_listed(&folder, &entries)?;
    let mut book = Vec::new();
    let mut anchors = BTreeMap::new();
    let mut links = Vec::new();
    for entry in entries {
        let text = fs::read_to_string(folder.join(&entry.file))?;
        let page = Page::render(&entry.file, &text).map_err(|e| format!("{}: {e}", entry.file))?;
        links.extend(page.links.iter().map(|link| (entry.file.clone(), link.clone())));
        anchors.insert(entry.file.clone(), page.anchors);
        book.push(json!({
            "name": name_of(&entry.file), "part": entry.part, "title": entry.title, "html": page.html,
            "sections": page.sections,
        }));
    }
    let lost: Vec<String> = links
        .iter()
        .filter(|(_, link)| !lands(link, &anchors))
        .map(|(from, link)| format!("{from} links to {}#{}, which does not exist", link.file, link.anchor))
        .collect();
    if !lost.is_empty() {
        return Err(lost.join("\n").into());
    }
    let target = PathBuf::from(env::var("OUT_DIR")?).join("manual.br");
    shingle_packed::pack(&[Value::from(book).to_string().into_bytes()], fs::File::create(target)?)?;
    Ok(())
}

/// A line of `SUMMARY.md`.
struct Entry {
    /// The heading above it.
    part: String,
    title: String,
    file: String,
}

fn listed(summary: &str) -> Outcome<Vec<Entry>> {
    let (mut part, mut entries) = (String::new(), Vec::new());
    for line in summary.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(heading) = line.strip_prefix("# ") {
            part = if heading == "Summary" { String::new() } else { heading.to_owned() };
            continue;
        }
        let link = line.trim_start_matches("- ").strip_prefix('[').and_then(|rest| rest.strip_suffix(')'));
        let (title, file) = link.and_then(|link| link.split_once("](")).ok_or(format!("SUMMARY.md: {line}"))?;
        entries.push(Entry { part: part.clone(), title: title.to_owned(), file: file.to_owned() });
    }
    Ok(entries)
}

fn all_are_listed(folder: &Path, entries: &[Entry]) -> Outcome<()> {
    for file in fs::read_dir(folder)? {
        let name = file?.file_name().to_string_lossy().into_owned();
        if name != "SUMMARY.md" && !entries.iter().any(|entry| entry.file == name) {
            return Err(format!("SUMMARY.md does not list {name}").into());
        }
    }
    Ok(())
}

fn name_of(file: &str) -> &str {
    file.trim_end_matches(".md")
}

/// To a page of the manual.
#[derive(Clone)]
struct Link {
    file: String,
    /// Empty: its top.
    anchor: String,
}

fn lands(link: &Link, anchors: &BTreeMap<String, BTreeSet<String>>) -> bool {
    anchors.get(&link.file).is_some_and(|known| link.anchor.is_empty() || known.contains(&link.anchor))
}

#[derive(Default)]
struct Page {
    file: String,
    html: String,
    anchors: BTreeSet<String>,
    links: Vec<Link>,
    sections: Vec<Value>,
}

/// The text under one heading, for the search.
#[derive(Default)]
struct Section {
    anchor: String,
    heading: String,
    text: String,
}

impl Section {
    fn packed(self) -> Value {
        json!({ "anchor": self.anchor, "heading": self.heading, "text": words(&self.text) })
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Page {
    fn render(file: &str, text: &str) -> Outcome<Self> {
        if let Some(head) =
            text.lines().zip(text.lines().skip(1)).find(|(head, rule)| rule.starts_with("|--") && head.contains("| |"))
        {
            return Err(format!("a column without a heading: {}", head.0).into());
        }
        let events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
        let mut page = Self { file: file.to_owned(), ..Self::default() };
        let mut out = Vec::new();
        let mut section = Section::default();
        let mut rest = events.into_iter().peekable();
        while let Some(event) = rest.next() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let inside: Vec<_> =
                        rest.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_)))).collect();
                    let heading = words(&inside.iter().filter_map(said).collect::<String>());
                    let anchor = page.anchor(&heading);
                    page.sections.push(core::mem::take(&mut section).packed());
                    section = Section { anchor: anchor.clone(), heading, text: String::new() };
                    page.open_heading(level, &anchor, inside, &mut out)?;
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let CodeBlockKind::Fenced(info) = kind else { return Err("a code block without a fence".into()) };
                    let code: String = rest
                        .by_ref()
                        .take_while(|event| !matches!(event, Event::End(TagEnd::CodeBlock)))
                        .filter_map(|event| said(&event).map(str::to_owned))
                        .collect();
                    section.text += &code;
                    out.push(Event::Html(code_block(&info, &code)?.into()));
                }
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                    let dest_url = page.address(&dest_url)?.into();
                    out.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                }
                Event::Start(Tag::Table(columns)) => {
                    out.push(Event::Html("<div class=\"wide\">".into()));
                    out.push(Event::Start(Tag::Table(columns)));
                }
                Event::End(TagEnd::Table) => {
                    out.push(event);
                    out.push(Event::Html("</div>".into()));
                }
                Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) => {
                    return Err("HTML and pictures have no place here".into());
                }
                other => {
                    match said(&other) {
                        Some(text) => section.text += text,
                        None if !is_inline(&other) => section.text.push(' '),
                        None => {}
                    }
                    out.push(other);
                }
            }
        }
        page.sections.push(section.packed());
        page.sections.retain(|section| section["heading"] != "");
        html::push_html(&mut page.html, out.into_iter());
        Ok(page)
    }

    /// As mdBook makes it.
    fn anchor(&mut self, heading: &str) -> String {
        let kept = |c: char| match c {
            c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
            c if c.is_whitespace() => Some('-'),
            _ => None,
        };
        let plain: String = heading.chars().filter_map(kept).collect();
        let numbered = (1..).map(|n| format!("{plain}-{n}"));
        let anchor = std::iter::once(plain.clone()).chain(numbered).find(|name| !self.anchors.contains(name));
        let anchor = anchor.unwrap_or(plain);
        self.anchors.insert(anchor.clone());
        anchor
    }

    fn open_heading<'e>(
        &mut self,
        level: HeadingLevel,
        anchor: &str,
        inside: Vec<Event<'e>>,
        out: &mut Vec<Event<'e>>,
    ) -> Outcome<()> {
        let is_link = level != HeadingLevel::H1;
        if inside.iter().any(|event| matches!(event, Event::Start(Tag::Link { .. }))) {
            return Err("a link in a heading".into());
        }
        out.push(Event::Html(format!("<{level} id=\"{anchor}\">").into()));
        if is_link {
            out.push(Event::Html(format!("<a href=\"#{anchor}\">").into()));
        }
        out.extend(inside);
        if is_link {
            out.push(Event::Html("</a>".into()));
        }
        out.push(Event::Html(format!("</{level}>\n").into()));
        Ok(())
    }

    /// Where the server has what a link of the book leads to.
    fn address(&mut self, to: &str) -> Outcome<String> {
        if to.starts_with("https://") {
            return Ok(to.to_owned());
        }
        let (file, anchor) = to.split_once('#').unwrap_or((to, ""));
        if file.is_empty() {
            self.links.push(Link { file: self.file.clone(), anchor: anchor.to_owned() });
            return Ok(to.to_owned());
        }
        if !file.ends_with(".md") {
            return Err(format!("a link to {to}: only pages of the manual and https:// may be linked").into());
        }
        self.links.push(Link { file: file.to_owned(), anchor: anchor.to_owned() });
        let page = if file == "index.md" { "/manual".to_owned() } else { format!("/manual/{}", name_of(file)) };
        Ok(if anchor.is_empty() { page } else { format!("{page}#{anchor}") })
    }
}

/// What a person reads of an event.
fn said<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        Event::SoftBreak | Event::HardBreak => Some(" "),
        _ => None,
    }
}

fn is_inline(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::Start(Tag::Emphasis | Tag::Strong | Tag::Link { .. })
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link)
    )
}

/// The prompts of a session are drawn, and not copied with the commands.
fn code_block(info: &str, code: &str) -> Outcome<String> {
    let language = info.split(',').next().unwrap_or_default().trim();
    if language.is_empty() {
        return Err("a code block without a language".into());
    }
    let mut html = format!("<pre><code class=\"language-{language}\">");
    for line in code.lines() {
        match line.strip_prefix("$ ").filter(|_| language == "console") {
            Some(command) => html += &format!("<span class=\"prompt\">$ </span>{}\n", escaped(command)),
            None => html += &format!("{}\n", escaped(line)),
        }
    }
    Ok(html + "</code></pre>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
