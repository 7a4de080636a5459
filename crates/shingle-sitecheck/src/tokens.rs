//! The tokens of a page. The work is linear in the page's length whatever it holds, and ends when it is told to.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, Span, State, Tokenizer};

/// Of one tag; no page needs more, and nothing is kept of the others.
const MAX_ATTRIBUTES: usize = 1_000;

/// An opening tag.
#[derive(Debug, Default)]
pub struct StartTag {
    pub name: String,
    /// Each name once, with its first value.
    pub attributes: Vec<(String, String)>,
    pub self_closing: bool,
    pub has_duplicate_attributes: bool,
    /// Of its end.
    pub line: u64,
}

/// How the text after a tag is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    Markup,
    Script,
    Rcdata,
    Raw,
    Plain,
}

/// The consumer of tokens. Lines are those where a text or comment begins.
pub trait TokenSink {
    fn start_tag(&mut self, tag: StartTag) -> TextKind;
    fn end_tag(&mut self, name: &str);
    fn text(&mut self, text: &str, line: u64);
    fn comment(&mut self, text: &str, line: u64);
}

/// Reads a text to its end, or until `stop`. Its lines must end with `\n` alone.
pub fn read(html: &str, sink: &mut dyn TokenSink, stop: &AtomicBool) {
    let collector =
        Collector { sink, html: html.as_bytes(), counted: 0, line: 1, tag: None, seen: HashSet::new(), follows: None };
    let tokenizer = Tokenizer::new_with_emitter(html, PageEmitter(CallbackEmitter::new(collector)));
    // The sink has seen every token on its own.
    for _ in tokenizer {
        if stop.load(Ordering::Relaxed) {
            return;
        }
    }
}

/// Switches to how the text after a tag is read.
struct PageEmitter<'h>(CallbackEmitter<Collector<'h>, (), usize>);

impl ForwardingEmitter for PageEmitter<'_> {
    type Token = ();

    fn inner(&mut self) -> &mut impl Emitter<Token = ()> {
        &mut self.0
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let own = self.0.emit_current_tag();
        self.0.init_string();
        self.0.callback_mut().follows.take().or(own)
    }
}

/// Puts the tokenizer's events together. The sink is behind a pointer: the tokenizer would be compiled for each kind of it.
struct Collector<'h> {
    sink: &'h mut dyn TokenSink,
    html: &'h [u8],
    /// Up to which byte the lines are counted, and the line there.
    counted: usize,
    line: u64,
    tag: Option<StartTag>,
    /// Names of the tag's attributes.
    seen: HashSet<String>,
    follows: Option<State>,
}

impl Collector<'_> {
    fn line_at(&mut self, position: usize) -> u64 {
        let passed = self.html.get(self.counted..position).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.counted = self.counted.max(position);
        self.line
    }

    fn attribute(&mut self, name: &[u8]) {
        let Some(tag) = &mut self.tag else { return };
        let name = owned(name);
        // What follows a name that is dropped is dropped with it: an empty name is never asked for.
        let is_new = !self.seen.contains(&name);
        tag.has_duplicate_attributes |= !is_new;
        let kept = if is_new && self.seen.len() < MAX_ATTRIBUTES {
            self.seen.insert(name.clone());
            name
        } else {
            String::new()
        };
        match tag.attributes.last_mut() {
            Some(last) if last.0.is_empty() => *last = (kept, String::new()),
            _ => tag.attributes.push((kept, String::new())),
        }
    }
}

impl Callback<(), usize> for Collector<'_> {
    /// Yields at every event that may repeat within one token.
    fn handle_event(&mut self, event: CallbackEvent<'_>, span: Span<usize>) -> Option<()> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.seen.clear();
                self.tag = Some(StartTag { name: owned(name), ..StartTag::default() });
            }
            CallbackEvent::AttributeName { name } => self.attribute(name),
            CallbackEvent::AttributeValue { value } => {
                if let Some((name, kept)) = self.tag.as_mut().and_then(|tag| tag.attributes.last_mut())
                    && !name.is_empty()
                {
                    *kept = owned(value);
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                if let Some(mut tag) = self.tag.take() {
                    tag.attributes.retain(|(name, _)| !name.is_empty());
                    tag.self_closing = self_closing;
                    tag.line = self.line_at(span.end);
                    self.follows = match self.sink.start_tag(tag) {
                        TextKind::Markup => None,
                        TextKind::Script => Some(State::ScriptData),
                        TextKind::Rcdata => Some(State::RcData),
                        TextKind::Raw => Some(State::RawText),
                        TextKind::Plain => Some(State::PlainText),
                    };
                }
            }
            CallbackEvent::EndTag { name } => {
                self.tag = None;
                self.sink.end_tag(&owned(name));
            }
            CallbackEvent::String { value } => {
                let line = self.line_at(span.start);
                self.sink.text(&owned(value), line);
            }
            CallbackEvent::Comment { value } => {
                let line = self.line_at(span.start);
                self.sink.comment(&owned(value), line);
            }
            CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        Some(())
    }
}

fn owned(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
