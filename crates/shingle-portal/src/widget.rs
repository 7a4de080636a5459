//! One widget: its editor beside a preview, and how to add it to a site.

use std::cell::RefCell;

use shingle_domain::widget::{ElementType, WidgetRecord};
use shingle_domain::{Language, Timestamp};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::counted::{Counted, counted};
use crate::element::{Tone, button, card, div, el, link, note, p, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::install::ways;
use crate::phrase::phrase;
use crate::share::{ShareView, SiteCheckView, sharing, site_check, test_mode};
use crate::time::Hours;
use crate::widget_fields::{
    AERIAL, AERIAL_AGE, ASKED, BOOKED_TIMES, COLORS, COMPANY, COPY, ENGLISH, LAUNCHER, LOGOS, MONTHLY, PLACE, PRICE,
    PRICES, RATING, SCOPE, SELF_BOOKING, SPANISH, TEXTS, VISITS, WidgetField, WidgetFormValues, ZONE,
};
use crate::widget_hours::visit_hours;
use crate::widgets::{state, wrong_notes};

pub struct WidgetView<'v> {
    /// As visitors have it.
    pub record: &'v WidgetRecord,
    pub values: &'v WidgetFormValues,
    /// What a change must still find there.
    pub seen: &'v str,
    /// Who has a draft, and since when.
    pub draft: Option<(&'v str, Timestamp)>,
    /// A form that was not saved: what somebody typed.
    pub is_typed: bool,
    /// A picture was chosen too, which a page cannot give back.
    pub picture_again: bool,
    pub hours: &'v Hours,
    pub preview: PreviewView,
    /// What a roof of 20 squares costs, by material.
    pub sums: &'v [(&'static str, String, String)],
    pub share: ShareView,
    pub check: SiteCheckView<'v>,
}

/// Where the preview is, on this server.
#[derive(Debug, Clone)]
pub struct PreviewView {
    pub page: String,
    /// A site that has the launcher.
    pub stage: String,
    pub logos: [Option<String>; 2],
}

pub fn widget_page(signed: &Signed<'_>, view: &WidgetView<'_>) -> String {
    let record = view.record;
    let path = format!("/portal/widgets/{}", record.reference_id);
    let mut inside = vec![
        Node::classed("p", "crumbs")
            .child(link("/portal/widgets", "All widgets"))
            .child(link(format!("{path}/versions"), "Versions"))
            .child(link("#see", "Preview").set("class", "only-narrow")),
    ];
    inside.extend(wrong_notes(view.values));
    if view.values.is_compared() {
        let said = "Someone changed this widget after you opened it, so nothing was saved. What you typed is below, next to what is saved now. Save again to keep yours.";
        inside.push(note(Tone::Wrong, said));
    }
    if view.picture_again {
        inside.push(note(Tone::Look, "Please choose the picture again."));
    }
    if let Some((by, at)) = view.draft {
        inside.push(draft_bar(signed.language, &path, view, by, at));
    }
    let (form, mut sections) = settings(signed.language, &path, view);
    let install = div("column section")
        .set("id", "s-install")
        .child(on_site(view))
        .child(site_check(signed, &path, &view.check))
        .child(sharing(&path, &view.share))
        .child(test_mode(&view.share));
    sections.push(Section { id: "s-install", title: "Put it on your site", wrong: 0 });
    inside.push(div("columns designer").set("id", "sections").children([
        contents(signed.language, &sections),
        div("column").child(form).child(install),
        div("column side").child(preview(view)),
    ]));
    shell(signed, Place::Widgets, record.first_page_title.clone(), vec![state(record.status)], inside)
}

/// A part of the form with its place in the page.
struct Section {
    id: &'static str,
    title: &'static str,
    /// How many of its fields break a rule.
    wrong: usize,
}

/// Links to the sections. A phone shows one section at a time where scripts run.
fn contents(language: Language, sections: &[Section]) -> Node {
    let entry = |section: &Section| {
        let entry = link(format!("#{}", section.id), section.title);
        match section.wrong {
            0 => entry,
            wrong => entry.child(Node::classed("span", "hot").text(counted(language, Counted::ERRORS, wrong as i64))),
        }
    };
    let back = link("#sections", "All sections").set("class", "back");
    Node::classed("nav", "sections").set("aria-label", "Sections").children(sections.iter().map(entry)).child(back)
}

fn draft_bar(language: Language, path: &str, view: &WidgetView<'_>, by: &str, at: Timestamp) -> Node {
    let since = view.hours.full(at);
    let said = phrase(
        language,
        "A draft by {name}, saved {time}. Visitors do not see it yet.",
        &[("name", by), ("time", &since)],
    );
    let discard = post(format!("{path}/discard?seen={}", view.seen)).child(button("btn", "Discard the draft"));
    // The bar below leads to what would be published.
    Node::classed("div", "note warn").child(p(said)).child(div("pair").child(discard))
}

fn preview(view: &WidgetView<'_>) -> Node {
    let tab = |name: &'static str, to: &str, text: &'static str| {
        let tab = link(to.to_owned(), text).set("target", "preview").set("data-view", name);
        if name == "phone" { tab.set("aria-current", "true") } else { tab }
    };
    let (page, stage) = (&view.preview.page, &view.preview.stage);
    let tabs = Node::classed("p", "tabs views4").children([
        tab("phone", page, "Phone"),
        // Another address than the launcher's, so that the page is loaded again and opens the flow.
        tab("desktop", &format!("{stage}&open=1#roof-estimate"), "Desktop"),
        tab("launcher", stage, "Launcher"),
        tab("hosted", page, "Hosted page"),
    ]);
    let frame = Node::classed("iframe", "preview")
        .set("name", "preview")
        .set("id", "preview")
        .set("src", page.clone())
        .set("title", "The estimate as a visitor sees it");
    let close = el("button").set("type", "button").set("class", "btn close").set("hidden", "").text("Close");
    Node::classed("section", "card")
        .set("id", "see")
        .set("aria-label", "Preview")
        .child(div("see-head").child(el("h2").text("Preview")).child(close))
        .child(tabs)
        .child(div("stage").set("id", "stage").set("data-view", "phone").child(frame))
        .child(soft("This is your visitors’ page with your draft. What you send from it is test data. Visitors don’t see the draft until you publish."))
        .child(Node::classed("p", "soft").set("id", "live").set("role", "status"))
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
        .child(div("pair").child(copied.text("Copy")));
    if view.record.element_type == ElementType::Custom {
        card = card.child(soft("Then give the element that opens it the attribute data-shingle-open."));
    }
    card.children(ways(&view.record.widget_script))
}

fn settings(language: Language, path: &str, view: &WidgetView<'_>) -> (Node, Vec<Section>) {
    let values = view.values;
    let fields = |fields: &[WidgetField]| -> Vec<Node> { fields.iter().map(|field| field.node(values)).collect() };
    // Closed, unless a field in it needs a look.
    let sections = RefCell::new(Vec::new());
    let listed = |id: &'static str, title: &'static str, within: &[WidgetField]| {
        let wrong = within.iter().filter(|field| values.is_refused(field.name)).count();
        sections.borrow_mut().push(Section { id, title, wrong });
    };
    let around = |id: &'static str, title: &'static str, within: &[WidgetField], inside: Vec<Node>| {
        listed(id, title, within);
        let group = Node::classed("details", "card group section").set("id", id);
        let group = group.child(el("summary").text(title)).children(inside);
        if within.iter().any(|field| values.needs_look(field.name)) { group.set("open", "") } else { group }
    };
    let group =
        |id: &'static str, title: &'static str, within: &[WidgetField]| around(id, title, within, fields(within));
    let part = |id: &'static str, title: &'static str, within: &[WidgetField]| {
        listed(id, title, within);
        Node::classed("section", "card section").set("id", id).child(el("h2").text(title))
    };
    let logos = LOGOS.iter().zip(&view.preview.logos).map(|(field, path)| {
        let shown = el("img").set("data-logo", field.name).set("alt", "As visitors see it").set("height", "48");
        let shown = match path {
            Some(path) => shown.set("src", path.clone()),
            None => shown.set("hidden", ""),
        };
        div("drop")
            .set("data-drop", field.name)
            .child(field.node(values))
            .child(Node::classed("p", "logo").child(shown))
    });
    let remove = el("input")
        .set("type", "checkbox")
        .set("name", "removeFooterLogo")
        .set("value", "true")
        .set("id", "removeFooterLogo");
    let remove = view.preview.logos[1].as_ref().map(|_| {
        el("label")
            .set("class", "box")
            .set("for", "removeFooterLogo")
            .child(remove)
            .child(el("span").text("Remove the small logo"))
    });
    let sums = el("tbody").children(view.sums.iter().map(|(material, square, sum)| {
        let cell = |text: &str| Node::classed("td", "n").text(text.to_owned());
        el("tr").child(el("th").set("scope", "row").text(*material)).child(cell(square)).child(cell(sum))
    }));
    let head = ["Material", "A square", "20 squares"].map(|text| el("th").set("scope", "col").text(text));
    let sums = el("table").set("id", "sums").child(el("thead").child(el("tr").children(head))).child(sums);
    let form = post(format!("{path}?seen={}", view.seen))
        .set("enctype", "multipart/form-data")
        .set("novalidate", "")
        .set("id", "designer")
        .set("data-preview", format!("{path}/preview"))
        .set("data-back", phrase(language, "What you typed before and did not save is back.", &[]))
        .set("data-away", phrase(language, "The preview isn’t loading. What you typed is safe in this tab.", &[]))
        .child(el("input").set("type", "hidden").set("name", "settings").set("value", "1"));
    let form = if view.is_typed { form.set("data-typed", "") } else { form };
    let save = |then: &'static str, class: &'static str, text: &'static str| {
        button(class, text).set("name", "then").set("value", then)
    };
    let prices = [&[PRICE][..], &PRICES].concat();
    let see = el("button").set("type", "button").set("class", "btn see").set("hidden", "").text("Preview");
    let form = form.children([
        part("s-place", "On your site", &PLACE).children(fields(&PLACE)),
        part("s-texts", "Texts", &TEXTS).children(fields(&TEXTS)),
        part("s-colors", "Colors", &COLORS)
            .child(soft("If two colors are hard to read together, we adjust the shade."))
            .child(div("swatches").children(fields(&COLORS))),
        part("s-logos", "Logos", &LOGOS).children(logos).children(remove),
        part("s-price", "Price", &prices).child(PRICE.node(values)).children(fields(&PRICES)).child(sums).child(soft(
            "A square is 100 square feet of roof. A price you leave blank is estimated from your asphalt price.",
        )),
        part("s-company", "Your company", &COMPANY).children(fields(&COMPANY)),
        group("s-scope", "What the price includes, license", &SCOPE),
        group("s-monthly", "Monthly example", &MONTHLY),
        group("s-rating", "Rating", &RATING),
        group("s-questions", "Questions after the estimate", &ASKED),
        group("s-copy", "Email to homeowners", &[COPY]),
        around(
            "s-hours",
            "Inspection hours",
            &[&[ZONE][..], &VISITS].concat(),
            vec![
                soft("We don’t offer parts of a day without hours."),
                ZONE.node(values),
                visit_hours(language, values),
            ],
        ),
        around(
            "s-booking",
            "Booking by homeowners",
            &[&[SELF_BOOKING][..], &BOOKED_TIMES].concat(),
            [SELF_BOOKING.node(values), soft("Without inspection hours there is nothing to pick.")]
                .into_iter().chain(fields(&BOOKED_TIMES)).collect(),
        ),
        group("s-english", "English text", &ENGLISH),
        group("s-spanish", "Spanish text", &SPANISH),
        group("s-launcher", "Position and loading", &LAUNCHER),
        group("s-aerial", "Photos from the air", &[AERIAL, AERIAL_AGE]),
    ])
    .child(
        div("savebar")
            .child(save("review", "btn ink", "Review and publish"))
            .child(save("draft", "btn", "Save as draft"))
            .child(see)
            .child(soft("Nothing is public until you publish.")),
    );
    (form, sections.into_inner())
}
