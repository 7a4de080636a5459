//! The company's widgets: the list, and the form that makes a new one.

use shingle_domain::widget::{WidgetRecord, WidgetStatus};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{Tone, button, card, div, el, form_fault, link, note, once, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;
use crate::widget_copy::copy_card;
use crate::widget_fields::{COMPANY, LOGOS, PRICE, WidgetFormValues};
use crate::widget_names::widget_names;

pub(crate) fn state(status: WidgetStatus) -> Node {
    match status {
        WidgetStatus::Active => pill("pill ok", "On"),
        WidgetStatus::Inactive => pill("pill", "Off"),
    }
}

pub fn widgets_page(signed: &Signed<'_>, widgets: &[WidgetRecord]) -> String {
    let add = link("/portal/widgets/new", "New widget").set("class", "btn ink");
    let names = widget_names(widgets.iter().map(|widget| widget.first_page_title.as_str()));
    let row = |(widget, name): (&WidgetRecord, String)| {
        let path = format!("/portal/widgets/{}", widget.reference_id);
        let about = div("who2").child(el("b").child(link(path.clone(), name.clone()))).child(
            Node::classed("span", "soft").text(format!("{} · {}", widget.company_name, widget.company_url.host())),
        );
        let label = phrase(signed.language, "Duplicate {name}", &[("name", &name)]);
        let duplicate = post(format!("{path}/duplicate"))
            .child(once(signed))
            .child(button("btn", "Duplicate").set("aria-label", label));
        el("li").child(about).child(state(widget.status)).child(duplicate)
    };
    let inside = if widgets.is_empty() {
        Node::classed("section", "card")
            .child(el("h2").text("No widget yet"))
            .child(soft(
                "A widget is the button on your site with the estimate behind it. We read your name, logo and color from your website, so you’re done in a minute.",
            ))
            .child(div("pair").child(add).child(link("/portal/start", "Set up step by step").set("class", "btn")))
    } else {
        let ids = widgets.iter().map(|widget| widget.reference_id.to_string());
        let named: Vec<(String, String)> = ids.zip(names.iter().cloned()).collect();
        let list = Node::classed("ul", "rows").children(widgets.iter().zip(names).map(row));
        let mut actions = vec![link("/portal/start", "Set up step by step").set("class", "btn"), add];
        let mut inside = vec![Node::classed("section", "card").set("aria-label", "Your widgets").child(list)];
        if widgets.len() > 1 {
            actions.insert(0, link("/portal/overview", "Overview").set("class", "btn"));
            inside.push(copy_card(signed, &named));
        }
        return shell(signed, Place::Widgets, "Widgets", actions, inside);
    };
    shell(signed, Place::Widgets, "Widgets", Vec::new(), vec![inside])
}

/// What is wrong with no single field.
pub(crate) fn wrong_notes(values: &WidgetFormValues) -> Vec<Node> {
    values.said_of_none().map(|said| form_fault(said.to_owned())).collect()
}

/// `was_read`: fields hold what the company's website said.
pub fn new_widget_page(signed: &Signed<'_>, values: &WidgetFormValues, was_read: bool) -> String {
    let [name, phone, email, address, website, privacy] = COMPANY;
    let site = card("Your website")
        .child(soft(
            "We fill in what you leave blank below from your site: name, phone, address, privacy policy, logo and color.",
        ))
        .child(website.node(values));
    let company = card("Your company").children([name, phone, email, address, privacy].map(|field| field.node(values)));
    let rest = card("Price and logo")
        .child(PRICE.node(values))
        .child(LOGOS[0].node(values))
        .child(soft("Leave blank to use the logo on your website. No logo there? We’ll show a simple roof icon."));
    let mut form = post("/portal/widgets").set("enctype", "multipart/form-data").set("novalidate", "");
    form = form
        .child(once(signed))
        .children([site, company, rest])
        .child(div("pair").child(button("btn ink", "Create the widget")));
    let mut inside = vec![Node::classed("p", "").child(link("/portal/widgets", "All widgets"))];
    inside.extend(wrong_notes(values));
    if was_read {
        inside.push(note(Tone::Look, "We filled this in from your website. Please check it."));
    }
    inside.push(form);
    shell(signed, Place::Widgets, "New widget", Vec::new(), inside)
}
