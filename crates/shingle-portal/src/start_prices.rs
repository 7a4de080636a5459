//! The first run's prices: each material its own, a proposal until it is confirmed, and what is included.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{Under, amount_input, button, div, el, labelled, pill, post, soft};
use crate::first_run::{StartStep, back, go, step};
use crate::frame::Signed;
use crate::phrase::{phrase, translated};

/// What a price may include. Their places are the values of the form.
pub const INCLUDED: [&str; 6] = ["Tear-off, one layer", "Disposal", "Underlayment", "Flashing", "Permit", "Cleanup"];
/// Most prices include these.
pub const USUALLY_INCLUDED: [bool; 6] = [true, true, true, true, false, true];

/// The field of what a job costs at least.
pub const MINIMUM: &str = "prices.minimum";

/// The price of one material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceRow {
    pub field: &'static str,
    pub material: &'static str,
    /// As it was typed, or as it is.
    pub price: String,
    /// Nobody has confirmed it.
    pub is_suggested: bool,
    pub wrong: Option<String>,
}

pub struct PricesView<'v> {
    pub rows: &'v [PriceRow],
    /// The newest year of the published prices.
    pub year: u16,
    /// What a job costs at least, as it was typed or as it is, and what is wrong with it.
    pub minimum: &'v str,
    pub minimum_wrong: Option<&'v str>,
    pub included: [bool; 6],
}

pub fn start_prices_page(signed: &Signed<'_>, view: &PricesView<'_>) -> String {
    let language = signed.language;
    let rows = view.rows.iter().map(|row| price(signed, row));
    let boxes = INCLUDED.iter().enumerate().map(|(n, said)| {
        let id = format!("included-{n}");
        let input = el("input")
            .set("type", "checkbox")
            .set("name", "included")
            .set("value", n.to_string())
            .set("id", id.clone());
        let input = if view.included[n] { input.set("checked", "") } else { input };
        Node::classed("label", "box").set("for", id).child(input).child(el("span").text(*said))
    });
    let under = match view.minimum_wrong {
        Some(wrong) => Under::Wrong(wrong.to_owned().into()),
        None => {
            Under::Hint(Node::classed("p", "hint").text("No estimate goes below it. Leave blank if you have none."))
        }
    };
    let minimum = amount_input(MINIMUM, view.minimum);
    let minimum = labelled("Minimum for a job, dollars", MINIMUM, minimum, Some(under));
    let form =
        post("/portal/start/prices").set("id", "prices").set("novalidate", "").children(rows).child(minimum).child(
            el("fieldset")
                .set("class", "included")
                .child(el("legend").text("What’s included"))
                .child(div("boxes").children(boxes))
                .child(soft("Homeowners see this list under the price. Unchecked items are listed as not included.")),
        );
    let about = phrase(
        language,
        "The starting numbers are United States averages from published cost guides, {year}. They’re a suggestion, not \
         advice. Set your own; you can change them any time.",
        &[("year", &view.year.to_string())],
    );
    let inside = vec![
        soft(about),
        Node::classed("section", "card").set("aria-label", "Price per square").child(form),
        soft("A square is 10 by 10 feet of roof. Leave a price blank and we estimate it from your asphalt price."),
        go([back("/portal/start?step=2"), button("btn ink", "Continue").set("form", "prices")]),
    ];
    step(signed, Some(StartStep::Prices), "What do you charge?", inside)
}

fn price(signed: &Signed<'_>, row: &PriceRow) -> Node {
    let label =
        format!("{}, {}", translated(signed.language, row.material), translated(signed.language, "dollars per square"));
    let under = match &row.wrong {
        Some(wrong) => Some(Under::Wrong(wrong.clone().into())),
        None if row.is_suggested => Some(Under::Hint(el("p").child(pill("pill warn", "Suggested")))),
        None if row.price.is_empty() => None,
        None => Some(Under::Hint(el("p").child(pill("pill ok", "Your price")))),
    };
    labelled(label, row.field, amount_input(row.field, &row.price), under)
}
