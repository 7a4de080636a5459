//! A connector's dry run: what would be sent or was sent, and the response.

use shingle_domain::message::Message;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::catalog::say;
use crate::element::{Tone, card, el, note, pill, soft};
use crate::frame::Signed;
use crate::phrase::phrase;

#[derive(Debug, Clone)]
pub struct TrialStep {
    pub name: String,
    /// Why it is not sent.
    pub left_out: Option<Message>,
    /// Why it may be left out, which an answer will show.
    pub unless: Option<Message>,
    /// Without secrets.
    pub request: Option<String>,
    pub status: Option<u16>,
    pub answer: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Trial {
    /// The id of the lead; empty for the made-up one.
    pub lead: String,
    /// `None`: nothing was sent. Otherwise what became of it, and whether that is well.
    pub outcome: Option<(String, bool)>,
    pub steps: Vec<TrialStep>,
}

pub(crate) fn block(label: &'static str, text: &str) -> [Node; 2] {
    let block = el("pre").set("tabindex", "0").set("role", "group").set("aria-label", label).text(text.to_owned());
    [el("p").set("class", "soft").text(label), block]
}

pub(crate) fn trial_card(signed: &Signed<'_>, trial: &Trial) -> Node {
    let card = match &trial.outcome {
        None => card("What would be sent")
            .child(note(Tone::Well, "Nothing was sent. Values that only an answer will show are between ~ marks.")),
        Some((said, is_well)) => {
            card("What came back").child(note(if *is_well { Tone::Well } else { Tone::Wrong }, said.clone()))
        }
    };
    let steps = trial.steps.iter().enumerate().map(|(n, step)| {
        let number = (n + 1).to_string();
        let title = el("b").text(format!("{number}. {}", step.name));
        let mut entry = el("li").child(title);
        if let Some(status) = step.status {
            let kind = if (200..300).contains(&status) { "pill ok" } else { "pill bad" };
            entry = entry.child(pill(kind, format!("HTTP {status}")));
        }
        if let Some(why) = &step.left_out {
            let why = say(signed.language, why);
            entry = entry.child(soft(phrase(signed.language, "Skipped: {why}", &[("why", &why)])));
        }
        if let Some(why) = &step.unless {
            let why = say(signed.language, why);
            entry = entry.child(soft(phrase(signed.language, "Skipped if {why}.", &[("why", &why)])));
        }
        entry = entry.children(step.request.iter().flat_map(|text| block("Request, without secrets", text)));
        entry.children(step.answer.iter().flat_map(|text| block("Answer", text)))
    });
    card.set("id", "trial").child(el("ol").set("class", "history").children(steps))
}
