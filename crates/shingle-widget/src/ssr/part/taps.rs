//! What a contractor asks after the estimate: one tap each. The runtime saves an answer as it is given.
//!
//! # Decision
//!
//! Answers after the estimate are saved when tapped, below the materials, by the part alone. They are optional, and
//! the price does not depend on them. Turned down: a step of their own, which would block the way out.

use shingle_domain::WidgetSettings;
use shingle_domain::answers::{Answers, ContactBy, ContactTime, Leak, Planned, RoofAge};
use shingle_domain::public::PublicWidget;
use shingle_domain::settings::Question;

use crate::ssr::node::Node;
use crate::strokes::{ALERT, CHECK};
use crate::view::Markup;
use crate::view::block::{heading, icon, note, small};
use crate::view::frame::{dial, say};
use crate::words::{Group, Word, Words, w};

/// Whose answers they are, and where they go.
#[derive(Debug, Clone, Copy)]
pub struct AskedLead<'a> {
    /// `{base}/w/{id}/leads/{lead}`
    pub url: &'a str,
    pub token: &'a str,
    pub answers: &'a Answers,
}

/// The questions, saved as they are answered.
pub(super) fn taps(
    words: Words,
    settings: &WidgetSettings,
    widget: &PublicWidget,
    lead: AskedLead<'_>,
) -> Option<Node> {
    let failed = words.fill(w::TAPS_FAILED, &[("phone", &widget.company_phone)]);
    let status = Node::classed("p", "sh-small").set("role", "status");
    let asked = questions(words, settings, widget, lead.answers)?;
    let asked = asked
        .set("data-lead", lead.url.to_owned())
        .set("data-token", lead.token.to_owned())
        .set("data-answers", "")
        .set("data-said", words.text(w::TAPS_SAID))
        .set("data-failed", failed);
    Some(section(words, widget, asked).child(status))
}

/// The questions under their heading.
pub(crate) fn section(words: Words, widget: &PublicWidget, asked: Node) -> Node {
    let lead_in: Node = small(say(words, widget, w::TAPS_LEAD, &[]));
    Node::classed("section", "sh-taps").child(heading(w::TAPS_TITLE)).child(lead_in).child(asked)
}

/// All that is asked, with what was answered; nothing where nothing is asked.
pub(crate) fn questions(
    words: Words,
    settings: &WidgetSettings,
    widget: &PublicWidget,
    given: &Answers,
) -> Option<Node> {
    let mut asked = Vec::new();
    for question in &settings.questions {
        match question {
            Question::RoofAge => asked.push(chips(
                "roofAge",
                w::TAPS_AGE,
                w::TAPS_AGES,
                RoofAge::ALL.iter().map(|a| (a.as_str(), given.roof_age == Some(*a))),
            )),
            Question::Leak => {
                let answers = Leak::ALL.iter().map(|a| (a.as_str(), given.leak == Some(*a)));
                asked.push(chips("leak", w::TAPS_LEAK, w::TAPS_LEAKS, answers));
                let call = words.fill(w::CALL, &[("phone", &widget.company_phone)]);
                let call = Node::new("a").set("href", dial(widget)).text(call);
                let urgent: Node = note("sh-note warn sh-urgent", ALERT, w::TAPS_URGENT.at(0), w::TAPS_URGENT.at(1));
                asked.push(urgent.child(call));
            }
            Question::Planned => asked.push(chips(
                "planned",
                w::TAPS_PLANNED,
                w::TAPS_WHEN,
                Planned::ALL.iter().map(|a| (a.as_str(), given.planned == Some(*a))),
            )),
            Question::ContactTime => {
                let ways = ContactBy::ALL.iter().map(|a| (a.as_str(), given.contact_by == Some(*a)));
                let times = ContactTime::ALL.iter().map(|a| (a.as_str(), given.contact_time == Some(*a)));
                asked.push(chips("contactBy", w::TAPS_BY, w::TAPS_WAYS, ways));
                asked.push(chips("contactTime", w::TAPS_TIME, w::TAPS_TIMES, times));
            }
            Question::Note => {
                let text = Node::new("textarea")
                    .all(&[("name", "note"), ("rows", "3"), ("maxlength", "2000"), ("class", "sh-area")])
                    .text(given.note.clone().unwrap_or_default());
                let label = say(words, widget, w::TAPS_NOTE, &[]);
                asked.push(
                    Node::classed("label", "sh-tap").child(Node::classed("span", "sh-label").text(label)).child(text),
                );
            }
        }
    }
    (!asked.is_empty()).then(|| Node::new("div").children(asked))
}

/// One question; the whole chip is the target.
fn chips<'a>(name: &'static str, question: Word, says: Group, answers: impl Iterator<Item = (&'a str, bool)>) -> Node {
    let chips = answers.enumerate().map(|(at, (value, given))| {
        let mut input = Node::new("input").set("type", "radio").set("name", name).set("value", value.to_owned());
        if given {
            input = input.set("checked", "");
        }
        Node::classed("label", "sh-chip").child(input).child(icon(CHECK)).child(Node::new("span").text(says.at(at)))
    });
    Node::classed("fieldset", "sh-tap")
        .child(Node::classed("legend", "sh-label").text(question))
        .child(Node::classed("div", "sh-chips").children(chips))
}

#[cfg(test)]
mod tests {
    use shingle_domain::widget::WidgetLinks;

    use shingle_domain::Language;

    use super::*;
    use crate::example;
    use crate::ssr::public_widget;
    use crate::words::flow_words;

    fn drawn(questions: &[Question], answers: &Answers) -> Option<String> {
        let links = WidgetLinks {
            base_url: "https://roofs.example",
            pages_url: std::borrow::Cow::Borrowed("https://roofs.example"),
            storage_url: "https://roofs.example/storage",
        };
        let settings = WidgetSettings { questions: questions.to_vec(), ..WidgetSettings::default() };
        let widget = public_widget(&example::widget(), &settings, Language::English, &links);
        let words = flow_words(Language::English);
        let lead = AskedLead { url: "https://roofs.example/w/1/leads/2", token: "secret", answers };
        taps(words, &settings, &widget, lead).map(|node| node.read(words).to_string())
    }

    #[test]
    fn only_what_is_switched_on_is_asked_and_what_was_answered_is_chosen() {
        assert_eq!(drawn(&[], &Answers::default()), None);
        let given = Answers { roof_age: Some(RoofAge::Over20), ..Answers::default() };
        let html = drawn(&[Question::RoofAge, Question::Leak], &given).unwrap();
        assert_eq!(html.matches("<fieldset").count(), 2);
        assert_eq!(html.matches(" checked").count(), 1);
        assert!(html.contains("value=\"over-20\" checked=\"\""), "{html}");
        assert!(html.contains("data-lead=\"https://roofs.example/w/1/leads/2\" data-token=\"secret\""), "{html}");
        assert!(html.contains("tel:+1"), "who has a leak can call: {html}");
        assert!(!html.contains("textarea") && !html.contains("planned"), "{html}");
        let all = drawn(Question::ALL, &Answers { note: Some("<b>".into()), ..Answers::default() }).unwrap();
        assert_eq!(all.matches("<fieldset").count(), 5);
        assert!(all.contains("&lt;b&gt;</textarea>"), "{all}");
    }
}
