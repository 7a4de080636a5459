//! The card that writes parts of one widget over others.

use shingle_domain::widget_copy::CopiedPart;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::connection_form::{check, ticks};
use crate::element::{button, card, div, el, once, post, select, soft};
use crate::frame::Signed;

fn part_in_words(part: CopiedPart) -> &'static str {
    match part {
        CopiedPart::Look => "Colors and the launcher",
        CopiedPart::Prices => "Prices and the monthly example",
        CopiedPart::Texts => "Texts of button, banner and price",
        CopiedPart::Questions => "Questions after the estimate",
        CopiedPart::Visits => "Inspection times",
        CopiedPart::Rest => "Email to homeowners, photos from the air, loading",
    }
}

/// `widgets`: ids and names, at least two.
pub(crate) fn copy_card(signed: &Signed<'_>, widgets: &[(String, String)]) -> Node {
    let first = widgets.first().map_or("", |(id, _)| id.as_str());
    let options = widgets.iter().map(|(id, name)| (id.clone(), name.clone()));
    let from = div("field")
        .child(el("label").set("for", "from").text("Take from"))
        .child(select("from", "from", options, first));
    let parts = CopiedPart::ALL.iter().map(|part| check("part".to_owned(), part.as_str(), part_in_words(*part), false));
    let parts = ticks("What to take", parts);
    let to = widgets.iter().map(|(id, name)| check("to".to_owned(), id, name.clone(), false));
    let to = ticks("Put it into", to);
    let form = post("/portal/widgets/copy").child(once(signed)).children([from, parts, to]);
    card("Change several at once")
        .child(soft(
            "Visitors see it within minutes, and each widget’s versions can undo it. Titles, names, contact details, domains, logos, licenses, ratings and privacy texts stay as they are. A widget with an unpublished draft is left alone.",
        ))
        .child(form.child(button("btn ink", "Copy")))
}
