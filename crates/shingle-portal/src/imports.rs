//! All imports of the installation, and the upload form.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{Field, Tone, button, card, div, el, english, link, note, pill, soft};
use crate::frame::{Place, Signed, shell};
use crate::health::bytes;
use crate::phrase::phrase;
use crate::responsive_table::{Cell, responsive_table};
use crate::time::Hours;

/// One import in the list.
pub struct ListedImport {
    pub id: String,
    pub files: String,
    pub dataset: String,
    pub at: shingle_domain::Timestamp,
    pub state: ImportState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportState {
    Looking,
    Refused,
    Ready,
    Checking,
    Importing,
    CutOff,
    Stopped,
    Failed,
    Shrinks,
    Done,
    Undone,
}

impl ImportState {
    pub(crate) fn pill(self) -> Node {
        match self {
            Self::Looking => pill("pill new", "Reading"),
            Self::Refused => pill("pill bad", "Can’t read this file"),
            Self::Ready => pill("pill warn", "Waiting for you"),
            Self::Checking => pill("pill new", "Checking"),
            Self::Importing => pill("pill new", "Running"),
            Self::CutOff => pill("pill warn", "Cut off"),
            Self::Stopped => pill("pill", "Stopped"),
            Self::Failed => pill("pill bad", "Failed"),
            Self::Shrinks => pill("pill warn", "A question"),
            Self::Done => pill("pill ok", "Done"),
            Self::Undone => pill("pill", "Undone"),
        }
    }
}

pub struct ImportsView<'v> {
    pub imports: &'v [ListedImport],
    /// Name and homes of what is in the index.
    pub datasets: &'v [(String, u64)],
    pub hours: &'v Hours,
    /// Bytes that may be uploaded.
    pub most: u64,
    pub wrong: Option<&'v str>,
    /// The state whose sources were asked for, and what is known of them.
    pub state: &'v str,
    pub guide: Option<&'v str>,
}

pub fn imports_page(signed: &Signed<'_>, view: &ImportsView<'_>) -> String {
    let mut page = Vec::new();
    page.push(areas());
    page.push(upload(signed, view));
    page.push(guide(view));
    let listed = card("Imports");
    page.push(if view.imports.is_empty() {
        listed.child(soft("Nothing uploaded yet."))
    } else {
        let row = |import: &ListedImport| {
            vec![
                Cell::Nodes(vec![link(format!("/portal/operator/imports/{}", import.id), import.files.clone())]),
                Cell::text(import.dataset.clone()),
                Cell::Nodes(vec![view.hours.aged(import.at)]),
                Cell::Nodes(vec![import.state.pill()]),
            ]
        };
        let columns = [("Files", false), ("Data set", false), ("Since", false), ("State", false)];
        listed.child(responsive_table("Imports, newest first", &columns, view.imports.iter().map(row).collect()))
    });
    let index = card("In the index");
    page.push(if view.datasets.is_empty() {
        index.child(soft(
            "Nothing is imported yet, so visitors can’t find any real address. Sandbox widgets use made-up homes.",
        ))
    } else {
        let rows = view
            .datasets
            .iter()
            .map(|(name, homes)| vec![Cell::text(name.clone()), Cell::text(crate::responsive_table::figure(*homes))]);
        index.child(responsive_table("What is imported", &[("Data set", false), ("Homes", true)], rows.collect()))
    });
    shell(signed, Place::Imports, "Imports", Vec::new(), page)
}

/// Most need no file.
fn areas() -> Node {
    card("Homes around a ZIP")
        .child(soft("Type a ZIP and how far: we load its addresses and outlines from a free national source."))
        .child(div("pair").child(link("/portal/operator/areas", "Add an area").set("class", "btn")))
}

/// Where files come from, with their size and license.
fn guide(view: &ImportsView<'_>) -> Node {
    let mut card = card("Where to get files").set("id", "guide").child(
        el("form")
            .set("method", "get")
            .set("action", "/portal/operator/imports#guide")
            .child(
                Field {
                    label: "State",
                    name: "state",
                    kind: "text",
                    autocomplete: "off",
                    value: view.state,
                    hint: Some("Like ME or Maine. We list free sources, their sizes and their licenses."),
                    wrong: (view.guide.is_none() && !view.state.is_empty())
                        .then_some("Please type one of the 50 states or DC. We know no sources for territories."),
                }
                .node(),
            )
            .child(button("btn", "Show sources")),
    );
    if let Some(text) = view.guide {
        card = card.child(english(el("pre")).set("tabindex", "0").text(text.to_owned()));
    }
    card
}

fn upload(signed: &Signed<'_>, view: &ImportsView<'_>) -> Node {
    let limit = phrase(
        signed.language,
        "CSV, GeoJSON, GeoParquet, OpenStreetMap XML, or the parts of a shapefile together; up to {size}. They stay on this server, and we delete them after the import.",
        &[("size", &bytes(view.most))],
    );
    let input = el("input")
        .set("id", "file")
        .set("name", "file")
        .set("type", "file")
        .set("multiple", "")
        .set("required", "")
        .set("class", "in")
        .set("aria-describedby", "file-said");
    let form = el("form")
        .set("method", "post")
        .set("action", "/portal/operator/imports")
        .set("enctype", "multipart/form-data")
        .set("id", "upload")
        .child(
            div("field drop")
                .child(el("label").set("for", "file").text("Files of one town or county"))
                .child(input)
                .child(Node::classed("p", "hint").set("id", "file-said").text(limit)),
        )
        .child(el("button").set("type", "submit").set("class", "btn ink").text("Upload"));
    card("Import a file").children(view.wrong.map(|wrong| note(Tone::Wrong, wrong.to_owned()))).child(form)
}
