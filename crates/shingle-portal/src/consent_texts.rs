//! The consent texts homeowners see now and saw before, for owners.

use shingle_domain::Language;
use shingle_store::ConsentText;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::consent_text;

use crate::element::{card, div, el, link, p, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;
use crate::time::Hours;

pub struct ConsentTextsView<'v> {
    /// Names that the widgets have for the company, each once.
    pub companies: &'v [String],
    /// The one that was sent last first.
    pub texts: &'v [ConsentText],
    pub hours: &'v Hours,
}

pub fn consent_texts_page(signed: &Signed<'_>, view: &ConsentTextsView<'_>) -> String {
    let back = soft("").child(link("/portal/settings", "Settings"));
    shell(
        signed,
        Place::Settings,
        "What homeowners agree to",
        Vec::new(),
        vec![back, asked_now(view), agreed_so_far(signed, view)],
    )
}

fn quote(text: String, language: Language) -> Node {
    Node::classed("blockquote", "said").set("lang", language.tag()).text(text)
}

fn asked_now(view: &ConsentTextsView<'_>) -> Node {
    let card = card("Asked now");
    if view.companies.is_empty() {
        return card.child(soft("No widget is on, so we ask nobody."));
    }
    let said = soft(
        "The box next to this text starts unticked, and nobody has to tick it. It names your widget’s company; the rest is fixed, so that you can show each consent word for word.",
    );
    view.companies.iter().fold(card.child(said), |card, company| {
        Language::ALL
            .into_iter()
            .fold(card, |card, language| card.child(quote(consent_text(company, language), language)))
    })
}

fn agreed_so_far(signed: &Signed<'_>, view: &ConsentTextsView<'_>) -> Node {
    let card = card("Agreed to so far");
    if view.texts.is_empty() {
        return card.child(soft("Nobody has sent the form yet. We don’t count test leads."));
    }
    let rows = view.texts.iter().map(|text| {
        let (asked, agreed) = (text.asked.to_string(), text.agreed.to_string());
        let counted = phrase(
            signed.language,
            "{agreed} agreed of {asked} who sent the form",
            &[("agreed", &agreed), ("asked", &asked)],
        );
        let (first, last) = (view.hours.full(text.first_at), view.hours.full(text.last_at));
        let when = phrase(signed.language, "First {first}, last {last}", &[("first", &first), ("last", &last)]);
        let mark: String = text.hash.chars().take(12).collect();
        el("li").child(
            div("stack")
                .child(Node::classed("blockquote", "said").text(text.text.clone()))
                .child(p(counted))
                .child(soft(when))
                .child(soft(phrase(signed.language, "Text {mark}, as on its leads", &[("mark", &mark)]))),
        )
    });
    card.child(soft("We don’t count test leads and erased leads.")).child(Node::classed("ul", "rows").children(rows))
}
