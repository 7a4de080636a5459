//! Writing to a homeowner from a ready-made reply: filled in here, sent from the reader's own phone or mail program.

use shingle_domain::reply::ReplyText;
use shingle_domain::{Environment, Language};
use shingle_store::{EntryKind, LeadEntry, ReplyTemplate};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::connection_form::{TypedFields, field, input};
use crate::element::{Tone, button, div, el, hidden, link, note, soft};
use crate::inbox_choices::options_as;
use crate::phrase::{phrase, translated};

/// A reply that a lead has filled in.
pub struct FilledReply {
    pub subject: String,
    pub body: String,
    /// Words that nothing is known for, as they are in the text.
    pub missing: String,
}

/// How it goes to the homeowner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyWay {
    Email,
    Text,
}

impl ReplyWay {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Text => "text",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Email, Self::Text].into_iter().find(|way| way.as_str() == text)
    }
}

/// In place of a way: we send it.
pub const SEND: &str = "send";

/// A reply that somebody prepared: what its entry says.
pub struct PreparedReply<'e> {
    pub way: ReplyWay,
    pub subject: &'e str,
    pub body: &'e str,
}

impl<'e> PreparedReply<'e> {
    /// `email`, the subject and the text, a line each; the text may have several.
    pub fn read(text: &'e str) -> Option<Self> {
        let mut lines = text.splitn(3, '\n');
        let way = ReplyWay::parse(lines.next()?)?;
        Some(Self { way, subject: lines.next()?, body: lines.next()? })
    }

    pub fn written(&self) -> String {
        [self.way.as_str(), self.subject, self.body].join("\n")
    }
}

/// An email that we send.
pub struct Sending {
    /// `Oak Roofing <hello@oak.example>`
    pub from: String,
    /// Where the answer goes. `None`: to this page.
    pub answers_to: Option<String>,
}

pub struct ReplyView<'v> {
    /// How we send an email to this homeowner, or why we don't.
    pub sending: Result<&'v Sending, &'static str>,
    pub templates: &'v [ReplyTemplate],
    /// The id of the one that was picked, and the text.
    pub filled: Option<(&'v str, FilledReply)>,
    /// What this reader prepared and has not sent yet, with the link that opens it.
    pub ready: Option<(&'v LeadEntry, String)>,
    pub ways: [bool; 2],
}

/// `get` is where the page is, to pick a reply.
pub(crate) fn reply(
    language: Language,
    first: &str,
    (view, typed): (&ReplyView<'_>, &TypedFields),
    (get, environment, list): (&str, Environment, Option<String>),
    form: &impl Fn(&str) -> Node,
) -> Node {
    let title = match first {
        "" => phrase(language, "Write to the homeowner", &[]),
        first => phrase(language, "Write to {name}", &[("name", first)]),
    };
    let mut whole = Node::classed("section", "card").set("id", "reply").child(el("h2").text(title));
    if let Some((entry, href)) = &view.ready
        && let Some(prepared) = PreparedReply::read(&entry.text)
    {
        let open = match prepared.way {
            ReplyWay::Email => "Open in your email app",
            ReplyWay::Text => "Open in Messages",
        };
        let sent = form("replied").child(hidden("entry", entry.id.to_string())).child(button("btn", "I sent it"));
        whole = whole
            .child(Node::classed("blockquote", "said").text(prepared.body.to_owned()))
            .children(
                (prepared.way == ReplyWay::Email && !href.contains("&body=")).then(|| {
                    note(Tone::Look, "Too long to open with its text: copy the message above into your email.")
                }),
            )
            .child(div("pair").child(link(href.clone(), open).set("class", "btn ink")).child(sent))
            .child(soft(
                "You send this one yourself. The timeline says that you prepared it, until you say that you sent it.",
            ));
    }
    let picked = view.filled.as_ref().map_or("", |(id, _)| id);
    let own = [(String::new(), Text::from("Write my own"))];
    let all = view.templates.iter().map(|template| (template.id.to_string(), Text::from(template.text.name.clone())));
    let pick = el("form")
        .set("method", "get")
        .set("action", format!("{get}#reply"))
        .set("class", "inline")
        .children((environment == Environment::Sandbox).then(|| hidden("data", "sandbox")))
        .children(list.map(|list| hidden("list", list)))
        .child(el("label").set("for", "reply-template").text("Reply"))
        .child(options_as("reply-template", "reply", own.into_iter().chain(all).collect(), picked))
        .child(button("btn", "Use"));
    whole = whole.child(pick);
    if view.templates.is_empty() {
        whole = whole.child(soft("").child(link("/portal/settings/replies", "Make replies for your team")));
    }
    let filled = view.filled.as_ref().map(|(_, filled)| filled);
    if let Some(filled) = filled.filter(|filled| !filled.missing.is_empty()) {
        let said = "We don’t know {places} of this lead. Fill it in yourself.";
        whole = whole.child(note(Tone::Look, phrase(language, said, &[("places", &filled.missing)])));
    }
    let value = |name: &str, of: fn(&FilledReply) -> &str| {
        typed.typed(name).map_or_else(|| filled.map_or(String::new(), |filled| of(filled).to_owned()), str::to_owned)
    };
    let subject = input("text", &value("write-subject", |filled| &filled.subject));
    let subject = subject.set("maxlength", ReplyText::MAX_SUBJECT.to_string());
    let body = el("textarea").set("class", "in").set("rows", "5").set("maxlength", ReplyText::MAX_BODY.to_string());
    let body = body.text(value("write-body", |filled| &filled.body));
    let way = |is_there: bool, way: ReplyWay, label: &'static str| {
        is_there.then(|| button("btn", label).set("name", "way").set("value", way.as_str()))
    };
    let [emails, texts] = view.ways;
    let (send, told) = match &view.sending {
        Ok(sending) => {
            let from = [("from", sending.from.as_str()), ("to", sending.answers_to.as_deref().unwrap_or_default())];
            let told = match sending.answers_to {
                None => "We send emails from {from}. The answer comes to this page.",
                Some(_) => "We send emails from {from}. The answer goes to {to}.",
            };
            let send = button("btn ink", "Send email").set("name", "way").set("value", SEND);
            (Some(send), phrase(language, told, &from))
        }
        Err(why) => (None, translated(language, why).to_owned()),
    };
    let hint = Node::classed("p", "hint").text("For emails. Leave blank for texts.");
    let write = form("reply")
        .child(field("write-subject".into(), "Subject", subject, Some(hint), typed.wrong("write-subject")))
        .child(field("write-body".into(), "Message", body, None, typed.wrong("write-body")))
        .child(soft(told))
        .child(div("pair").children(send).children(way(emails, ReplyWay::Email, "Prepare an email")).children(way(
            texts,
            ReplyWay::Text,
            "Prepare a text",
        )));
    whole.child(write)
}

/// Of an entry.
pub(crate) fn reply_in_words(language: Language, kind: EntryKind, author: &str, text: &str) -> String {
    let Some(prepared) = PreparedReply::read(text) else { return text.to_owned() };
    let sentence = match (kind, prepared.way) {
        (EntryKind::Replied, ReplyWay::Email) => "{name} sent an email",
        (EntryKind::Replied, ReplyWay::Text) => "{name} sent a text",
        (_, ReplyWay::Email) => "{name} prepared an email",
        (_, ReplyWay::Text) => "{name} prepared a text",
    };
    let said = phrase(language, sentence, &[("name", author)]);
    let subject = if prepared.subject.is_empty() { String::new() } else { format!("{}. ", prepared.subject) };
    format!("{said}: “{subject}{}”", prepared.body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prepared_reply_is_read_as_it_was_written() {
        let reply = PreparedReply { way: ReplyWay::Email, subject: "", body: "Hi,\nsee you" };
        let text = reply.written();
        let read = PreparedReply::read(&text).unwrap();
        assert_eq!((read.way, read.subject, read.body), (ReplyWay::Email, "", "Hi,\nsee you"));
        assert!(PreparedReply::read("email\nno body").is_none() && PreparedReply::read("fax\na\nb").is_none());
        let said = reply_in_words(Language::English, EntryKind::ReplyPrepared, "Maya", &text);
        assert_eq!(said, "Maya prepared an email: “Hi,\nsee you”");
    }
}
