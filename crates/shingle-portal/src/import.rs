//! One import: the mapping, ten rows read with it, progress and result.

use shingle_domain::Language;
use shingle_domain::message::Message;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::catalog::say;
use crate::counted::{Counted, counted};
use crate::element::{Field, Tone, button, card, div, el, link, note, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::health::bytes;
use crate::import_told::{found_rows, notes, reasons};
use crate::import_words::{field_name, heading, told_by_import};
use crate::imports::ImportState;
use crate::phrase::{phrase, translated};
use crate::responsive_table::{Cell, figure, responsive_table};
use crate::time::Hours;

/// What a field is read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportColumn {
    Nothing,
    Column(String),
    /// A formula of the mapping's text.
    Formula,
}

pub struct ImportField {
    /// `address.city`
    pub key: &'static str,
    pub from: ImportColumn,
    pub is_doubtful: bool,
}

/// A row as the mapping reads it: each cell, and whether it is not understood.
pub struct ImportRow {
    pub number: u64,
    pub cells: Vec<(String, bool)>,
    pub refused: Option<Message>,
    /// It comes to one by another row of its parcel, or is rejected.
    pub is_without_address: bool,
}

pub struct ImportCheck<'v> {
    pub rows_read: u64,
    pub usable: u64,
    pub rejected: u64,
    pub addressed: u64,
    pub reasons: &'v [(Message, u64)],
    /// Name, cells that gave a fact, blank ones, others, what was not understood.
    pub fields: &'v [(String, u64, u64, u64, Option<Message>)],
    /// Name, its numbers or words, and how many are unusual.
    pub ranges: &'v [(String, String, u64)],
    pub notes: &'v [Message],
    /// Of some of its rows: found as people write them, and asked for.
    pub own_rows: Option<(u64, u64)>,
    /// It is not imported unless somebody asks for it twice.
    pub finds_too_few: bool,
}

pub struct ImportDone<'v> {
    pub at: shingle_domain::Timestamp,
    pub rows_read: u64,
    pub imported: u64,
    pub rejected: u64,
    pub duplicates: u64,
    pub places: u64,
    pub reasons: &'v [(Message, u64)],
    pub notes: &'v [Message],
    pub own_rows: Option<(u64, u64)>,
}

pub struct ImportView<'v> {
    pub id: &'v str,
    pub files: &'v [(String, u64)],
    pub state: ImportState,
    /// Why it failed or was refused.
    pub said: Option<&'v Message>,
    pub dataset: &'v str,
    pub title: &'v str,
    pub fields: &'v [ImportField],
    /// Of the file, for the choices.
    pub columns: &'v [String],
    pub text: &'v str,
    /// What is wrong with the text, or with the names.
    pub wrong: Option<&'v Message>,
    /// Why no mapping could be proposed.
    pub unproposed: Option<&'v Message>,
    /// What the cells of the rows are called; after them comes what happens.
    pub headings: Vec<String>,
    pub rows: Vec<ImportRow>,
    pub skip: u64,
    pub only_problems: bool,
    pub check: Option<ImportCheck<'v>>,
    /// Rows read, and of how many.
    pub progress: Option<(u64, Option<u64>)>,
    /// Homes before and after.
    pub shrinks: Option<(u64, u64)>,
    pub done: Option<ImportDone<'v>>,
    pub hours: &'v Hours,
}

impl ImportView<'_> {
    fn path(&self, action: &str) -> String {
        format!("/portal/operator/imports/{}/{action}", self.id)
    }
}

pub fn import_page(signed: &Signed<'_>, view: &ImportView<'_>) -> String {
    let language = signed.language;
    let files =
        view.files.iter().map(|(name, size)| format!("{name}, {}", bytes(*size))).collect::<Vec<_>>().join(" · ");
    let mut page = vec![link("/portal/operator/imports", "Imports"), soft(files)];
    match view.state {
        ImportState::Looking | ImportState::Checking | ImportState::Importing => page.push(running(language, view)),
        ImportState::Refused => page.push(
            card("We can’t import that")
                .children(view.said.map(|said| told_by_import(note(Tone::Wrong, ""), language, said)))
                .child(soft("Nothing was saved."))
                .child(link("/portal/operator/imports", "Choose another file").set("class", "btn")),
        ),
        ImportState::Done | ImportState::Undone => page.extend(done(language, view)),
        ImportState::Ready
        | ImportState::CutOff
        | ImportState::Stopped
        | ImportState::Failed
        | ImportState::Shrinks => {
            page.extend(told(language, view));
            page.extend(open(language, view));
        }
    }
    let title = match view.state {
        ImportState::Done | ImportState::Undone => "Imported file",
        _ => "Import a file",
    };
    shell(signed, Place::Imports, title, vec![view.state.pill()], page)
}

/// What has happened to it, above the mapping.
fn told(language: Language, view: &ImportView<'_>) -> Option<Node> {
    let (tone, text) = match view.state {
        ImportState::CutOff => (
            Tone::Look,
            Text::from(
                "The server stopped during this import. None of it is in the index. Start it again: it continues where it was.",
            ),
        ),
        ImportState::Stopped => (Tone::Look, "This import was stopped. Nothing was imported.".into()),
        ImportState::Failed => {
            return view.said.map(|said| happened(told_by_import(note(Tone::Wrong, ""), language, said)));
        }
        ImportState::Shrinks => {
            let (before, after) = view.shrinks.unwrap_or_default();
            let (before, after) = (figure(before), figure(after));
            (
                Tone::Look,
                phrase(
                    language,
                    "Homes with this import: {after}; now: {before}. Half a file often looks like that, so we changed nothing.",
                    &[("after", &after), ("before", &before)],
                )
                .into(),
            )
        }
        _ => return None,
    };
    let card = happened(note(tone, text));
    Some(match view.state {
        ImportState::Shrinks => {
            card.child(post(view.path("shrink")).child(button("btn bad", "Import the smaller data set")))
        }
        _ => card,
    })
}

fn happened(what: Node) -> Node {
    Node::classed("section", "card").set("aria-label", "What happened").child(what)
}

fn running(language: Language, view: &ImportView<'_>) -> Node {
    let (rows, total) = view.progress.unwrap_or((0, None));
    let title = match view.state {
        ImportState::Looking => "Looking at the file",
        ImportState::Checking => "Checking every row",
        _ => "Importing",
    };
    let said = match total {
        Some(total) => {
            phrase(language, "Rows read: {rows} of {total}", &[("rows", &figure(rows)), ("total", &figure(total))])
        }
        None => counted(language, Counted::ROWS, rows as i64),
    };
    let mut bar = el("progress").set("class", "bar2").set("aria-label", title);
    if let Some(total) = total {
        bar = bar.set("max", total.to_string()).set("value", rows.min(total).to_string());
    }
    let stop = match view.state {
        ImportState::Importing | ImportState::Checking => {
            Some(post(view.path("stop")).child(button("btn bad", "Stop")))
        }
        _ => None,
    };
    card(title)
        .set("id", "import")
        .set("data-progress", view.path("progress"))
        .child(bar)
        .child(Node::classed("p", "rows2").set("role", "status").text(said))
        .child(soft("You can leave this page. If you stop, we keep nothing: we import a town completely or not at all. Leads keep coming in meanwhile."))
        .child(div("ways").child(link(format!("/portal/operator/imports/{}", view.id), "Reload").set("class", "btn")).children(stop))
}

/// The form of the names and columns.
const COLUMNS: &str = "columns";

fn open(language: Language, view: &ImportView<'_>) -> Vec<Node> {
    let begin = match view.state {
        ImportState::CutOff => "Start over",
        _ => "Import",
    };
    // With the names and columns as they are typed, saved or not.
    let of_columns = |button: Node, action: &str| button.set("form", COLUMNS).set("formaction", view.path(action));
    let import = match view.check.as_ref().is_some_and(|check| check.finds_too_few) {
        true => button("btn bad", "Import it anyway").set("name", "anyway").set("value", "1"),
        false => button("btn ink", begin),
    };
    let ways = div("ways")
        .child(of_columns(import, "import"))
        .child(of_columns(button("btn", "Check every row first"), "check"))
        .child(post(view.path("forget")).child(button("btn bad", "Delete the upload")));
    let wrong = view.wrong.map(|wrong| {
        Node::classed("section", "card")
            .set("aria-label", "What is wrong")
            .child(note(Tone::Wrong, "The mapping cannot be used like this:"))
            .child(told_by_import(el("pre").set("tabindex", "0"), language, wrong))
    });
    let unproposed = view.unproposed.map(|why| {
        Node::classed("section", "card")
            .set("aria-label", "Why there is no mapping")
            .child(note(Tone::Wrong, "We couldn’t propose a mapping:"))
            .child(told_by_import(el("p"), language, why))
            .child(soft(
                "Choose the columns below, or write the mapping as text; or delete the upload and choose another file.",
            ))
    });
    let mut page: Vec<Node> = unproposed.into_iter().chain(wrong).collect();
    page.push(mapping(language, view));
    page.extend(rows(language, view));
    page.extend(view.check.as_ref().map(|check| checked(language, check)));
    page.push(
        Node::classed("section", "card")
            .set("aria-label", "What to do")
            .child(ways)
            .child(soft("An import replaces this data set in one step; you can bring the previous version back.")),
    );
    page
}

fn mapping(language: Language, view: &ImportView<'_>) -> Node {
    // What a town has to have, and what was found of the rest; the others are a press away.
    let is_shown = |field: &&ImportField| !field.key.starts_with("assessor.") || field.from != ImportColumn::Nothing;
    let (shown, more): (Vec<_>, Vec<_>) = view.fields.iter().partition(is_shown);
    let row = |field: &ImportField| {
        let sure = match (&field.from, field.is_doubtful) {
            (ImportColumn::Nothing, _) => pill("pill", "Left out"),
            (_, true) => pill("pill warn", "A guess"),
            (ImportColumn::Formula, _) => pill("pill ok", "Made by a formula"),
            (ImportColumn::Column(_), false) => pill("pill ok", "Chosen"),
        };
        let id = format!("f-{}", field.key.replace('.', "-"));
        let label = el("label").set("for", id.clone()).text(field_name(field.key).unwrap_or(field.key));
        Node::classed("div", "mapped").child(label).child(choice(language, view, field, id)).child(sure)
    };
    let name = |label: &'static str, name: &'static str, value: &str, hint: &'static str| {
        Field { label, name, kind: "text", autocomplete: "off", value, hint: Some(hint), wrong: None }.node()
    };
    let columns = post(view.path("columns"))
        .set("id", COLUMNS)
        .set("novalidate", "")
        .child(div("pair2").children([
            name(
                "Data set",
                "dataset",
                view.dataset,
                "Letters a to z, digits and -. An import replaces the data set of this name.",
            ),
            name(
                "Title",
                "title",
                view.title,
                "Visitors see this as the source of the figures, like City of Biddeford.",
            ),
        ]))
        .children(shown.into_iter().map(row))
        .child(el("details").child(el("summary").text("More fields")).children(more.into_iter().map(row)))
        .child(button("btn", "Read the rows this way"));
    let text = el("textarea")
        .set("id", "text")
        .set("name", "text")
        .set("class", "in mono")
        .set("rows", "24")
        .set("spellcheck", "false")
        .text(view.text.to_owned());
    let by_text = post(view.path("text"))
        .child(div("field").child(el("label").set("for", "text").text("The mapping as text")).child(text))
        .child(soft(
            "Formulas, units, codes and layers are written here; shingle import --help mapping explains each key.",
        ))
        .child(button("btn", "Save the text"));
    card("What each column means")
        .child(columns)
        .child(el("details").child(el("summary").text("Read it another way: the mapping as text")).child(by_text))
}

fn choice(language: Language, view: &ImportView<'_>, field: &ImportField, id: String) -> Node {
    let option = |value: &str, text: String, is_chosen: bool| {
        let option = el("option").set("value", value.to_owned());
        if is_chosen { option.set("selected", "").text(text) } else { option.text(text) }
    };
    let mut options =
        vec![option("", translated(language, "Not in the file").to_owned(), field.from == ImportColumn::Nothing)];
    if field.from == ImportColumn::Formula {
        options.push(option("=", translated(language, "As the text says").to_owned(), true));
    }
    let chosen = match &field.from {
        ImportColumn::Column(column) => Some(column),
        _ => None,
    };
    // A column that no file has is still what the mapping says.
    let unknown = chosen.filter(|chosen| !view.columns.contains(chosen));
    for column in unknown.into_iter().chain(view.columns) {
        // `:` tells a column from the two words above.
        options.push(option(&format!(":{column}"), column.clone(), chosen == Some(column)));
    }
    el("select").set("id", id).set("name", field.key).set("class", "in").children(options)
}

fn rows(language: Language, view: &ImportView<'_>) -> Option<Node> {
    if view.wrong.is_some() || view.unproposed.is_some_and(|_| view.rows.is_empty()) {
        return None;
    }
    let refused = view.rows.iter().filter(|row| row.refused.is_some()).count();
    let said = phrase(
        language,
        "Imported: {taken}. Rejected: {refused}.",
        &[("taken", &(view.rows.len() - refused).to_string()), ("refused", &refused.to_string())],
    );
    let path = |skip: u64, only: bool| {
        let only = if only { "&problems=1" } else { "" };
        format!("/portal/operator/imports/{}?skip={skip}{only}", view.id)
    };
    let last = view.rows.last().map_or(view.skip, |row| row.number);
    let other = link(path(last, view.only_problems), "Ten other rows").set("class", "btn");
    let problems = match view.only_problems {
        true => link(path(0, false), "All rows").set("class", "btn"),
        false => link(path(0, true), "Only rows with a problem").set("class", "btn"),
    };
    let list = card("Ten rows, read this way").child(soft(said));
    let table = match view.rows.is_empty() {
        true => soft(match view.only_problems {
            true => "None of the next 20,000 rows has a problem.",
            false => "The file has no more rows.",
        }),
        false => div("wide")
            .set("tabindex", "0")
            .set("role", "region")
            .set("aria-label", "Ten rows, read this way")
            .child(table(language, view)),
    };
    Some(list.child(table).child(div("ways").children([other, problems])))
}

fn table(language: Language, view: &ImportView<'_>) -> Node {
    let heads = view.headings.iter().map(|name| el("th").set("scope", "col").text(heading(name)));
    let heads = std::iter::once(el("th").set("scope", "col").text("Row")).chain(heads);
    let heads = heads.chain([el("th").set("scope", "col").text("What happens")]);
    let body = view.rows.iter().map(|row| {
        let cells = row.cells.iter().map(|(text, is_unread)| {
            let cell = el("td");
            let cell = if *is_unread {
                cell.set("class", "unread2").child(Node::classed("span", "vh").text("Not understood:")).text(" ")
            } else {
                cell
            };
            cell.child(el("span").text(text.clone()))
        });
        let happens = match &row.refused {
            Some(reason) => Node::classed("td", "unread2")
                .child(el("b").text("Rejected"))
                .child(el("span").text(": "))
                .child(told_by_import(el("span"), language, reason)),
            None if row.is_without_address => {
                el("td").text("No address of its own: imported with a row of its parcel that has one")
            }
            None => el("td").text("Taken"),
        };
        el("tr").child(el("th").set("scope", "row").text(figure(row.number))).children(cells).child(happens)
    });
    Node::classed("table", "read")
        .child(Node::classed("caption", "vh").text("Ten rows, read this way"))
        .child(el("thead").child(el("tr").children(heads)))
        .child(el("tbody").children(body))
}

fn checked(language: Language, check: &ImportCheck<'_>) -> Node {
    let said = phrase(
        language,
        "Rows read: {rows}, nothing saved yet. Ready to import: {usable}. Rejected: {rejected}. With an address: {addressed}.",
        &[
            ("rows", &figure(check.rows_read)),
            ("usable", &figure(check.usable)),
            ("rejected", &figure(check.rejected)),
            ("addressed", &figure(check.addressed)),
        ],
    );
    let rows = check.fields.iter().map(|(name, known, blank, unread, problem)| {
        let range = check.ranges.iter().find(|range| range.0 == *name);
        vec![
            Cell::text(name.clone()),
            Cell::text(figure(*known)),
            Cell::text(figure(*blank)),
            Cell::text(figure(*unread)),
            Cell::text(range.map(|range| range.1.clone()).unwrap_or_default()),
            Cell::text(range.map(|range| figure(range.2)).unwrap_or_default()),
            Cell::text(problem.as_ref().map(|problem| say(language, problem)).unwrap_or_default()),
        ]
    });
    let columns = [
        ("Field", false),
        ("Known", true),
        ("Blank", true),
        ("Not understood", true),
        ("Values: lowest / middle / highest", false),
        ("Unusual", true),
        ("Such as", false),
    ];
    let too_few = check.finds_too_few.then(|| {
        note(
            Tone::Wrong,
            "Fewer than 95 in 100 of its rows are found as people write them: visitors would not find these homes. Look at the mapping first.",
        )
    });
    card("Preview of each field")
        .child(el("p").text(said))
        .children(found_rows(language, check.own_rows))
        .children(too_few)
        .children(reasons(language, check.reasons))
        .children(
            (!check.fields.is_empty()).then(|| responsive_table("Preview of each field", &columns, rows.collect())),
        )
        .children(notes(language, check.notes))
}

fn done(language: Language, view: &ImportView<'_>) -> Vec<Node> {
    if view.state == ImportState::Undone {
        let forget = post(view.path("forget")).child(button("btn", "Discard it"));
        return vec![card("Undone").child(soft("Look-ups use the data from before this import.")).child(forget)];
    }
    let Some(done) = &view.done else { return Vec::new() };
    let said = phrase(
        language,
        "{homes} in {dataset}, from {rows}. Live since {time}.",
        &[
            ("homes", &counted(language, Counted::HOMES, done.places as i64)),
            ("dataset", view.dataset),
            ("rows", &counted(language, Counted::ROWS, done.rows_read as i64)),
            ("time", &view.hours.full(done.at)),
        ],
    );
    let facts = [("Imported rows", done.imported), ("Rejected", done.rejected), ("Duplicates", done.duplicates)];
    let facts = facts.into_iter().flat_map(|(name, n)| [el("dt").text(name), el("dd").text(figure(n))]);
    let result = card("Imported")
        .child(note(Tone::Well, said))
        .child(Node::classed("dl", "facts").children(facts))
        .children(found_rows(language, done.own_rows))
        .children(notes(language, done.notes));
    let mut page = vec![result];
    if done.rejected > 0 {
        page.push(
            card("Rejected rows")
                .children(reasons(language, done.reasons))
                .child(soft("The file has each rejected row's number and address, with the reason."))
                .child(link(view.path("rejects.csv"), "Download").set("class", "btn")),
        );
    }
    page.push(
        card("Undo")
            .child(soft("Look-ups then use this data set as it was before the import, if it existed."))
            .child(div("ways").child(post(view.path("undo")).child(button("btn bad", "Undo this import")))),
    );
    page
}
