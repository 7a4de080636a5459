//! One widget: what visitors see, how it gets onto a site, and everything that can be changed.

use shingle_domain::widget::{ElementType, WidgetRecord};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{button, card, div, el, link, p, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::install::ways;
use crate::widget_fields::{COLORS, COMPANY, LOGOS, PLACE, PRICE, TEXTS, WidgetField, WidgetFormValues};
use crate::widgets::{state, wrong_notes};

pub struct WidgetView<'v> {
    pub record: &'v WidgetRecord,
    /// Of the hosted page, on this server.
    pub hosted_path: String,
    pub check_path: String,
    pub logo_path: String,
    /// The codes for the site and for the hosted page.
    pub codes: [String; 2],
    pub values: &'v WidgetFormValues,
    /// What a change must still find there.
    pub version: u64,
}

pub fn widget_page(signed: &Signed<'_>, view: &WidgetView<'_>) -> String {
    let record = view.record;
    let mut inside = vec![p("").child(link("/portal/widgets", "All widgets"))];
    inside.extend(wrong_notes(view.values));
    let left = div("column").child(on_site(view)).child(sharing(view));
    inside.push(div("columns").children([left, div("column").child(preview(view))]));
    inside.push(settings(view));
    shell(signed, Place::Widgets, &record.first_page_title, vec![state(record.status)], inside)
}

fn preview(view: &WidgetView<'_>) -> Node {
    let frame = Node::classed("iframe", "preview")
        .set("src", view.hosted_path.clone())
        .set("title", "The estimate as a visitor sees it")
        .set("loading", "lazy");
    card("What visitors see")
        .child(frame)
        .child(soft("This is the real page: contact details that you leave here make a lead."))
        .child(p("").child(link(view.hosted_path.clone(), "Open it").set("target", "_blank").set("rel", "noopener")))
}

fn on_site(view: &WidgetView<'_>) -> Node {
    let script = el("textarea")
        .set("id", "script")
        .set("class", "in mono")
        .set("readonly", "")
        .set("rows", "3")
        .set("spellcheck", "false")
        .text(view.record.widget_script.clone());
    let copied =
        el("button").set("type", "button").set("class", "btn ink").set("hidden", "").set("data-copy", "script");
    let mut card = card("Put it on your site")
        .child(div("field").child(el("label").set("for", "script").text("Copy this line into your site")).child(script))
        .child(
            div("pair").child(copied.text("Copy")).child(
                link(view.check_path.clone(), "Check my site")
                    .set("class", "btn")
                    .set("target", "_blank")
                    .set("rel", "noopener"),
            ),
        );
    if view.record.element_type == ElementType::Custom {
        card = card.child(soft("Then give the element that opens it the attribute data-shingle-open."));
    }
    card.children(ways(&view.record.widget_script))
}

fn sharing(view: &WidgetView<'_>) -> Node {
    let [site, hosted] = &view.codes;
    let code = |title: &'static str, path: &str, says: &str| {
        let vector = path.replace(".png", ".svg");
        let picture = el("img").set("src", path.to_owned()).set("alt", title).set("width", "160").set("height", "160");
        let files = p("")
            .child(link(path.to_owned(), "PNG").set("download", "").set("aria-label", format!("{title}, PNG")))
            .child(el("span").text(" · "))
            .child(
                link(vector, "SVG, for print").set("download", "").set("aria-label", format!("{title}, SVG for print")),
            );
        div("code2")
            .child(picture)
            .child(div("who2").child(el("b").text(title)).child(soft(says.to_owned())).child(files))
    };
    card("Share it")
        .child(
            div("field")
                .child(el("label").set("for", "hosted").text("Link to your page"))
                .child(shown("hosted", &view.record.hosted_page_link)),
        )
        .child(
            div("field")
                .child(el("label").set("for", "redirect").text("Link to your site, with the estimate open"))
                .child(shown("redirect", &view.record.widget_link)),
        )
        .child(code("Code for your page", hosted, "For a yard sign, a van or a flyer: it opens your page here."))
        .child(code("Code for your site", site, "It opens your site with the estimate."))
}

fn shown(id: &'static str, text: &str) -> Node {
    el("input")
        .set("id", id)
        .set("class", "in mono")
        .set("type", "text")
        .set("readonly", "")
        .set("value", text.to_owned())
}

fn settings(view: &WidgetView<'_>) -> Node {
    let fields = |fields: &[WidgetField]| -> Vec<Node> { fields.iter().map(|field| field.node(view.values)).collect() };
    let logo = Node::classed("p", "logo").child(
        el("img").set("src", view.logo_path.clone()).set("alt", "Your logo as it is shown now").set("height", "48"),
    );
    let action = format!("/portal/widgets/{}?seen={}", view.record.reference_id, view.version);
    post(action)
        .set("enctype", "multipart/form-data")
        .set("novalidate", "")
        .child(
            div("columns").children([
                div("column").children([
                    card("Texts").children(fields(&TEXTS)),
                    card("Your company").children(fields(&COMPANY)),
                ]),
                div("column").children([
                    card("Colors")
                        .child(soft(
                            "Where two of them could not be read on each other, visitors see a shade that can.",
                        ))
                        .child(div("swatches").children(fields(&COLORS))),
                    card("Button").children(fields(&PLACE)),
                    card("Price").child(PRICE.node(view.values)),
                    card("Logos").child(logo).children(fields(&LOGOS)),
                ]),
            ]),
        )
        .child(div("pair").child(button("btn ink", "Save and show it to visitors")))
}
