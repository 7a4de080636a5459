//! How a lead ended: what a won one was worth, why a lost one was lost.

use shingle_domain::Usd;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::loss::{Loss, LossReason};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::connection_form::{TypedFields, field, input};
use crate::element::{button, card, div, el, group_fault, soft};

pub(crate) struct Outcome<'v> {
    pub lead: &'v Lead,
    pub worth: Option<Usd>,
    pub loss: Option<&'v Loss>,
    pub typed: &'v TypedFields,
}

pub fn loss_in_words(reason: LossReason) -> &'static str {
    match reason {
        LossReason::Price => "The price",
        LossReason::OtherCompany => "Went with another company",
        LossReason::NoAnswer => "Never answered",
        LossReason::Timing => "Bad timing",
        LossReason::NotOurWork => "Not our kind of work",
        LossReason::Other => "Another reason",
    }
}

impl Outcome<'_> {
    /// The script takes it from a fresh page when the status changes.
    pub fn node(&self, form: &impl Fn(&str) -> Node) -> Node {
        let inside = match self.lead.status {
            LeadStatus::Won => Some(self.won(form)),
            LeadStatus::Lost => Some(self.lost(form)),
            _ => None,
        };
        div("outcome").set("id", "outcome").children(inside)
    }

    /// Results counts it.
    fn won(&self, form: &impl Fn(&str) -> Node) -> Node {
        let value = self.worth.map(|worth| worth.to_string()).unwrap_or_default();
        let input = input("text", self.typed.typed("worth").unwrap_or(&value))
            .set("inputmode", "decimal")
            .set("maxlength", "12");
        let field = field("worth".into(), "Contract amount, in dollars", input, None, self.typed.wrong("worth"));
        let form = form("worth").child(field).child(div("pair").child(button("btn", "Save the amount")));
        card("Won").child(form).child(soft("Counted under Results. Leave blank if unknown."))
    }

    fn lost(&self, form: &impl Fn(&str) -> Node) -> Node {
        let stored = self.loss.map_or("", |loss| loss.reason.as_str());
        let chosen = self.typed.typed("loss").unwrap_or(stored);
        let reasons = LossReason::ALL.map(|reason| {
            let input = el("input").set("type", "radio").set("name", "loss").set("value", reason.as_str());
            let input = if reason.as_str() == chosen { input.set("checked", "") } else { input };
            Node::classed("label", "tick").child(input).child(el("span").text(loss_in_words(reason)))
        });
        let mut set = el("fieldset").child(el("legend").text("Why was it lost?")).child(div("ticks").children(reasons));
        if let Some(wrong) = self.typed.wrong("loss") {
            set = set.set("aria-describedby", "loss-said").child(group_fault("loss-said", wrong.clone()));
        }
        let stored = self.loss.and_then(|loss| loss.more.as_deref()).unwrap_or_default();
        let more =
            input("text", self.typed.typed("loss-more").unwrap_or(stored)).set("maxlength", Loss::MAX_MORE.to_string());
        let hint = Node::classed("p", "hint").text("Leave blank if that says it.");
        let more = field("loss-more".into(), "More", more, Some(hint), self.typed.wrong("loss-more"));
        let form = form("loss").child(set).child(more).child(div("pair").child(button("btn", "Save the reason")));
        card("Lost").child(form).child(soft("Only your team sees it. You can skip this."))
    }
}
