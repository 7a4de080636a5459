//! What publishing changes, and every published version of a widget.

use shingle_domain::Timestamp;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::element::{Tone, button, div, el, link, note, p, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;
use crate::time::Hours;
use crate::widget_values::WidgetChange;

/// One version, with what it changed.
pub struct WidgetVersionLine {
    pub version: u64,
    /// Empty: a program with a key.
    pub by: String,
    pub at: Timestamp,
    /// `None`: what was before it is not kept.
    pub changes: Option<Vec<WidgetChange>>,
}

fn table(changes: &[WidgetChange]) -> Node {
    let cell = |change: &WidgetChange, text: &Text| {
        let cell = el("td");
        match text {
            Text::Made(text) if text.is_empty() => cell.child(el("i").text("nothing")),
            Text::Made(path) if change.is_picture() => {
                let alt = change.label;
                cell.child(el("img").set("src", path.clone()).set("alt", alt).set("height", "40").set("class", "pic"))
            }
            Text::Made(color) if change.name.ends_with("Color") => {
                let swatch = el("svg").set("class", "dot").set("viewBox", "0 0 16 16").set("aria-hidden", "true");
                let swatch = swatch
                    .child(el("rect").set("width", "16").set("height", "16").set("rx", "3").set("fill", color.clone()));
                cell.child(swatch).child(el("span").text(color.clone()))
            }
            text => cell.child(Node::classed("span", "lines").text(text.clone())),
        }
    };
    let row = |change: &WidgetChange| {
        el("tr")
            .child(el("th").set("scope", "row").text(change.label))
            .child(cell(change, &change.before))
            .child(cell(change, &change.after))
    };
    let head = ["Field", "Before", "After"].map(|text| el("th").set("scope", "col").text(text));
    let table = Node::classed("table", "changes").child(el("thead").child(el("tr").children(head)));
    div("wide")
        .set("tabindex", "0")
        .set("role", "group")
        .set("aria-label", "What changes")
        .child(table.child(el("tbody").children(changes.iter().map(row))))
}

/// What publishing the draft changes for visitors. `since`: who has published after the draft was begun.
pub fn review_page(
    signed: &Signed<'_>,
    path: &str,
    title: &str,
    seen: &str,
    changes: &[WidgetChange],
    (by, at): (&str, Timestamp),
    hours: &Hours,
) -> String {
    let back = link(path.to_owned(), "Keep editing").set("class", "btn");
    let who = phrase(signed.language, "The draft of {name}, saved {time}.", &[("name", by), ("time", &hours.full(at))]);
    let mut card = Node::classed("section", "card")
        .set("data-forget", path.to_owned())
        .child(el("h2").text("What changes for visitors"))
        .child(soft(who));
    if changes.is_empty() {
        card = card.child(note(Tone::Look, "Visitors already see this version. There is nothing to publish."));
        card = card.child(div("pair").child(back));
    } else {
        let publish = post(format!("{path}/publish?seen={seen}")).child(button("btn ink", "Publish"));
        card = card.child(table(changes)).child(div("pair").child(publish).child(back));
        card = card
            .child(soft("Pages that are open already change within minutes. You can go back to any version later."));
    }
    let crumbs = Node::classed("p", "crumbs")
        .child(link("/portal/widgets", "All widgets"))
        .child(link(path.to_owned(), title.to_owned()));
    shell(signed, Place::Widgets, "Review and publish", Vec::new(), vec![crumbs, card])
}

pub fn versions_page(
    signed: &Signed<'_>,
    path: &str,
    title: &str,
    seen: &str,
    has_draft: bool,
    versions: &[WidgetVersionLine],
    hours: &Hours,
) -> String {
    let newest = versions.first().map(|line| line.version);
    let line = |line: &WidgetVersionLine| {
        let number = line.version.to_string();
        let name = phrase(signed.language, "Version {number}", &[("number", &number)]);
        let by: Text = if line.by.is_empty() { "Created outside the portal".into() } else { line.by.clone().into() };
        let head = div("who2").child(el("b").text(name)).child(
            Node::classed("span", "soft")
                .child(el("span").text(by))
                .child(el("span").text(" · "))
                .child(hours.aged(line.at)),
        );
        let act = if Some(line.version) == newest {
            pill("pill ok", "What visitors see")
        } else {
            post(format!("{path}/versions/{number}/restore?seen={seen}"))
                .child(button("btn", "Go back to this version"))
        };
        let mut item = el("li").child(head).child(act);
        item = match &line.changes {
            None => item,
            Some(changes) if changes.is_empty() => item.child(soft("The form shows no difference.")),
            Some(changes) => {
                let count = changes.len().to_string();
                let said = phrase(signed.language, "Changes: {count}", &[("count", &count)]);
                item.child(Node::classed("details", "grow").child(el("summary").text(said)).child(table(changes)))
            }
        };
        item
    };
    let crumbs = Node::classed("p", "crumbs")
        .child(link("/portal/widgets", "All widgets"))
        .child(link(path.to_owned(), title.to_owned()));
    let mut card = Node::classed("section", "card").set("aria-label", "Versions");
    card = card.child(p("Going back creates a draft of that version. Check what changes, then publish it."));
    if has_draft {
        card = card.child(note(Tone::Look, "You have a draft. Going back to a version replaces it."));
    }
    card = card.child(Node::classed("ul", "rows").children(versions.iter().map(line)));
    shell(signed, Place::Widgets, "Versions", Vec::new(), vec![crumbs, card])
}
