//! Who changed what, when: of one account, or of the whole installation.

use shingle_store::{Actor, AuditEntry, Change};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::audit_words::{actor_in_words, change_in_words, what_in_words, who_in_words};
use crate::element::{card, div, el, link, select, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::translated;
use crate::responsive_table::{Cell, responsive_table};
use crate::time::Hours;

pub struct AuditView<'v> {
    pub entries: &'v [AuditEntry],
    pub actors: &'v [(Actor, Option<String>)],
    pub hours: &'v Hours,
    /// What was asked for.
    pub who: &'v str,
    pub what: &'v str,
    pub from: &'v str,
    pub to: &'v str,
    /// Where the older ones are, and the file; both with the same filter.
    pub older: Option<String>,
    pub csv: String,
    /// Of all accounts: for operators.
    pub of_all: bool,
}

/// An actor in an address: `user.0192…`, `server`.
pub fn actor_word(actor: &Actor) -> String {
    match actor {
        Actor::Server => "server".to_owned(),
        Actor::CommandLine => "commandLine".to_owned(),
        Actor::Visitor => "visitor".to_owned(),
        Actor::Key(id) => format!("key.{id}"),
        Actor::User(id) => format!("user.{id}"),
    }
}

pub fn audit_page(signed: &Signed<'_>, view: &AuditView<'_>) -> String {
    let (path, place) = match view.of_all {
        true => ("/portal/operator/audit", Place::OperatorAudit),
        false => ("/portal/audit", Place::Audit),
    };
    let title = if view.of_all { "Installation log" } else { "Audit log" };
    let said = match view.of_all {
        true => {
            "Every change on this installation, and who made it. We keep entries for two years, and nobody can change them."
        }
        false => {
            "Every change in your company, and who made it. You also see here when an administrator opens your account. We keep entries for two years, and nobody can change them."
        }
    };
    let file = link(view.csv.clone(), "Download CSV").set("class", "btn");
    shell(signed, place, title, vec![file], vec![soft(said), filter(signed, view, path), entries(signed, view)])
}

fn filter(signed: &Signed<'_>, view: &AuditView<'_>, path: &'static str) -> Node {
    let language = signed.language;
    let anybody = (String::new(), translated(language, "Anyone").to_owned());
    let actors =
        view.actors.iter().map(|(actor, name)| (actor_word(actor), actor_in_words(language, actor, name.as_deref())));
    let anything = (String::new(), translated(language, "Anything").to_owned());
    let changes = Change::ALL
        .iter()
        .map(|change| (change.as_str().to_owned(), translated(language, change_in_words(*change)).to_owned()));
    let field = |id: &'static str, label: &'static str, input: Node| {
        div("field").child(el("label").set("for", id).text(label)).child(input)
    };
    let day = |id: &'static str, value: &str| {
        el("input").set("id", id).set("name", id).set("type", "date").set("class", "in").set("value", value.to_owned())
    };
    el("form")
        .set("method", "get")
        .set("action", path)
        .set("class", "card filter")
        .set("aria-label", "Filter")
        .children([
            field("who", "Who", select("who", "who", std::iter::once(anybody).chain(actors), view.who)),
            field("what", "What", select("what", "what", std::iter::once(anything).chain(changes), view.what)),
            field("from", "From", day("from", view.from)),
            field("to", "To", day("to", view.to)),
            el("button").set("type", "submit").set("class", "btn").text("Filter"),
        ])
}

fn entries(signed: &Signed<'_>, view: &AuditView<'_>) -> Node {
    let list = card("Changes");
    if view.entries.is_empty() {
        return list.child(soft("No changes in this period, or by this person."));
    }
    let row = |entry: &AuditEntry| {
        let mut cells = vec![
            Cell::Nodes(vec![view.hours.aged(entry.at)]),
            Cell::text(who_in_words(signed.language, entry)),
            Cell::text(what_in_words(signed.language, entry)),
        ];
        if view.of_all {
            cells.push(match (&entry.account, &entry.company) {
                (Some(id), Some(name)) => {
                    Cell::Nodes(vec![link(format!("/portal/operator/accounts/{id}"), name.clone())])
                }
                (Some(_), None) => Cell::text("A closed account"),
                (None, _) => Cell::text("The installation"),
            });
        }
        cells
    };
    let columns: &[_] = match view.of_all {
        true => &[("When", false), ("Who", false), ("What", false), ("Account", false)],
        false => &[("When", false), ("Who", false), ("What", false)],
    };
    let older = view.older.clone().map(|path| link(path, "Older").set("class", "btn"));
    list.child(responsive_table("Changes, newest first", columns, view.entries.iter().map(row).collect()))
        .child(div("ways").children(older))
}
