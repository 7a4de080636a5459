//! Leads from a file, in four steps: file, columns, check, done.

use shingle_domain::lead::LeadStatus;
use shingle_domain::{Environment, Language, Timestamp};
use shingle_store::{ImportProgress, ImportStage};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::counted::{Counted, counted};
use crate::element::{Tone, button, card, div, el, hidden, link, note, p, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::inbox_choices::{options_as, status_in_words};
use crate::phrase::{phrase, translated};
use crate::responsive_table::{Cell, figure, responsive_table};
use crate::time::Hours;

/// A file that was brought in before.
pub struct EarlierFile {
    pub id: String,
    pub name: String,
    pub stage: ImportStage,
    pub progress: ImportProgress,
    pub at: Timestamp,
}

pub struct LeadFilesView<'v> {
    pub environment: Environment,
    pub earlier: &'v [EarlierFile],
    pub hours: &'v Hours,
    pub wrong: Option<Text>,
    /// Leads belong to a widget.
    pub has_widget: bool,
}

/// The page of one file, in every step.
pub struct LeadFile<'v> {
    pub environment: Environment,
    pub id: &'v str,
    pub name: &'v str,
    pub rows: u64,
}

impl LeadFile<'_> {
    fn path(&self, action: &str) -> String {
        let slash = if action.is_empty() { "" } else { "/" };
        format!("/portal/leads/import/{}{slash}{action}{}", self.id, of_tests(self.environment))
    }

    fn step(&self, step: &str) -> String {
        let path = self.path("");
        let sign = if path.contains('?') { '&' } else { '?' };
        format!("{path}{sign}step={step}")
    }
}

pub struct MatchedColumn {
    pub heading: String,
    /// The first that is not blank.
    pub value: String,
    /// As forms send it.
    pub field: &'static str,
}

pub struct LeadFileMatch<'v> {
    pub file: LeadFile<'v>,
    pub columns: &'v [MatchedColumn],
    /// The word of the file, how many rows have it, and what it means here.
    pub statuses: &'v [(String, usize, LeadStatus)],
    /// `None`: it has no dates.
    pub is_day_first: Option<bool>,
    pub zone: &'v str,
    pub encoding: &'static str,
    pub separator: u8,
    /// Ids and names.
    pub widgets: &'v [(String, String)],
    pub widget: &'v str,
    /// The reader uploaded it, or is an owner.
    pub may_delete: bool,
    pub wrong: Option<&'static str>,
}

/// A row as it would be brought in.
pub struct PreviewRow {
    pub number: usize,
    pub fate: Text,
    pub pill: &'static str,
    /// The page of the lead that is here already.
    pub known: Option<String>,
    /// What is kept as a note, or as text.
    pub marks: Vec<&'static str>,
    pub name: String,
    pub contact: String,
    pub address: String,
    pub status: Option<LeadStatus>,
}

pub struct LeadFileCheck<'v> {
    pub file: LeadFile<'v>,
    pub new: usize,
    pub known: usize,
    pub left_out: usize,
    pub in_area: usize,
    pub agreed: usize,
    /// As forms send it.
    pub choice: &'v str,
    /// What the page was made from: a teammate may choose otherwise meanwhile.
    pub seen: &'v str,
    pub preview: Vec<PreviewRow>,
    pub only_look: bool,
    /// Rows that a person should look at.
    pub looks: usize,
}

pub struct LeadFileState<'v> {
    pub file: LeadFile<'v>,
    pub stage: ImportStage,
    pub progress: ImportProgress,
    /// The reader brought it in, or is an owner.
    pub may_undo: bool,
    /// Until when it can be undone.
    pub until: Timestamp,
    pub hours: &'v Hours,
}

/// Where columns can go: as forms send it, and in words.
const FIELDS: [(&str, &str); 18] = [
    ("leaveOut", "Leave out"),
    ("name", "Name"),
    ("firstName", "First name"),
    ("lastName", "Last name"),
    ("phone", "Phone"),
    ("email", "Email"),
    ("address", "Address"),
    ("street", "Street"),
    ("town", "Town"),
    ("state", "State"),
    ("zip", "ZIP"),
    ("status", "Status"),
    ("ownEstimate", "Your own estimate"),
    ("received", "Date received"),
    ("assignee", "Assigned to"),
    ("note", "Note"),
    ("tags", "Tags"),
    ("consent", "Agreed to calls and texts"),
];

const STEPS: [&str; 4] = ["File", "Match columns", "Check", "Done"];

fn of_tests(environment: Environment) -> &'static str {
    match environment {
        Environment::Production => "",
        Environment::Sandbox => "?data=sandbox",
    }
}

fn steps(language: Language, now: usize) -> Node {
    let all = STEPS.into_iter().enumerate().map(|(n, name)| {
        let item = el("li").text(name);
        match n {
            n if n == now && now + 1 < STEPS.len() => item.set("aria-current", "step"),
            n if n <= now => item.set("class", "done"),
            _ => item,
        }
    });
    let with = [
        ("n", &*(now + 1).to_string()),
        ("all", &*STEPS.len().to_string()),
        ("step", translated(language, STEPS.get(now).copied().unwrap_or_default())),
    ];
    div("stepper").child(p(phrase(language, "Step {n} of {all}: {step}", &with))).child(el("ol").children(all))
}

fn back(environment: Environment, to_files: bool) -> Node {
    let nav = el("nav").set("class", "beside").set("aria-label", "The list of leads");
    let nav = nav.child(link(format!("/portal/leads{}", of_tests(environment)), "All leads"));
    if !to_files {
        return nav;
    }
    nav.child(link(format!("/portal/leads/import{}", of_tests(environment)), "All files"))
}

fn page(signed: &Signed<'_>, environment: Environment, now: usize, inside: Vec<Node>) -> String {
    let head = [back(environment, now > 0), steps(signed.language, now)];
    let all = head.into_iter().chain(inside).collect();
    shell(signed, Place::Leads, "Import leads", Vec::new(), all)
}

fn about(language: Language, file: &LeadFile<'_>) -> Node {
    let rows = counted(language, Counted::ROWS, i64::try_from(file.rows).unwrap_or(i64::MAX));
    soft(format!("{}, {rows}", file.name))
}

pub fn lead_files_page(signed: &Signed<'_>, view: &LeadFilesView<'_>) -> String {
    let of_tests = of_tests(view.environment);
    let wrong = view.wrong.clone().map(|said| note(Tone::Wrong, said).set("role", "alert"));
    if !view.has_widget {
        let said = note(Tone::Look, "You need a widget first: its prices and its company name are used.");
        let make = p("").child(link("/portal/widgets/new", "New widget").set("class", "btn ink"));
        return page(signed, view.environment, 0, vec![said, make]);
    }
    let input = el("input")
        .set("id", "file")
        .set("name", "file")
        .set("type", "file")
        .set("accept", ".csv,.txt,.tsv,text/csv,text/plain")
        .set("required", "")
        .set("class", "in")
        .set("aria-describedby", "file-said");
    let example = link("/portal/leads/import/example.csv", "Download an example").set("download", "");
    let form = el("form")
        .set("method", "post")
        .set("action", format!("/portal/leads/import{of_tests}"))
        .set("enctype", "multipart/form-data")
        .child(
            div("field drop").child(el("label").set("for", "file").text("A CSV file")).child(input).child(
                Node::classed("p", "hint")
                    .set("id", "file-said")
                    .text("Up to 10,000 rows and 10 MB. From Excel: File, Save as, CSV."),
            ),
        )
        .child(div("pair").child(button("btn ink", "Upload")).child(example));
    let first = card("Choose a file")
        .children(wrong)
        .child(form)
        .child(soft("Nothing becomes a lead before you have seen what would happen."));
    let mut inside = vec![first];
    if !view.earlier.is_empty() {
        let rows = view.earlier.iter().map(|file| {
            let path = format!("/portal/leads/import/{}{of_tests}", file.id);
            let pill = match file.stage {
                ImportStage::Done => pill("pill ok", stage_in_words(file.stage)),
                stage if stage.is_working() => pill("pill warn", stage_in_words(file.stage)),
                _ => pill("pill", stage_in_words(file.stage)),
            };
            vec![
                Cell::Nodes(vec![link(path, file.name.clone())]),
                Cell::Nodes(vec![pill]),
                Cell::text(figure(file.progress.created)),
                Cell::text(view.hours.full(file.at)),
            ]
        });
        let columns = [("File", false), ("State", false), ("New leads", true), ("Uploaded", false)];
        let table = responsive_table("Files of the last 7 days", &columns, rows.collect());
        inside.push(card("Files of the last 7 days").child(table));
    }
    page(signed, view.environment, 0, inside)
}

fn stage_in_words(stage: ImportStage) -> &'static str {
    match stage {
        ImportStage::Open => "Not imported",
        ImportStage::Running => "Importing",
        ImportStage::Stopping => "Stopping",
        ImportStage::Stopped => "Stopped",
        ImportStage::Done => "Imported",
        ImportStage::Undoing => "Being undone",
        ImportStage::Undone => "Undone",
    }
}

pub fn lead_file_match_page(signed: &Signed<'_>, view: &LeadFileMatch<'_>) -> String {
    let language = signed.language;
    let fields = || FIELDS.into_iter().map(|(value, label)| (value.to_owned(), Text::from(label))).collect();
    let used = view.columns.iter().filter(|column| column.field != "leaveOut").count();
    let rows = view.columns.iter().enumerate().map(|(n, column)| {
        let id = format!("column-{n}");
        let label = phrase(language, "Field for {column}", &[("column", &column.heading)]);
        let select = options_as(id.clone(), id, fields(), column.field).set("aria-label", label);
        let heading = if column.heading.is_empty() { "(blank)".to_owned() } else { column.heading.clone() };
        let value = if column.value.is_empty() { Text::from("(blank)") } else { column.value.clone().into() };
        let state = match column.field {
            "leaveOut" => pill("pill", "Not used"),
            _ => pill("pill ok", "Matched"),
        };
        vec![Cell::text(heading), Cell::text(value), Cell::Nodes(vec![select]), Cell::Nodes(vec![state])]
    });
    let columns = [("Your column", false), ("First value", false), ("Goes to", false), ("Matched", false)];
    let with = [("columns", &*view.columns.len().to_string()), ("used", &*used.to_string())];
    let matched = card("Match your columns")
        .child(soft(phrase(language, "Columns: {columns}. Used: {used}.", &with)))
        .child(responsive_table("Match your columns", &columns, rows.collect()))
        .child(soft("Choose “Agreed to calls and texts” only if you can show that they agreed."));
    let statuses = view.statuses.iter().enumerate().map(|(n, (word, rows, status))| {
        let all = LeadStatus::ALL.into_iter().filter(|status| *status != LeadStatus::Spam);
        let all = all.map(|status| (status.as_str().to_owned(), Text::from(status_in_words(status))));
        let id = format!("status-{n}");
        let select = options_as(id.clone(), id.clone(), all.collect(), status.as_str());
        let rows = counted(language, Counted::ROWS, i64::try_from(*rows).unwrap_or(i64::MAX));
        let label = el("label")
            .set("for", id.clone())
            .child(el("span").text(word.clone()))
            .child(el("span").text(" "))
            .child(Node::classed("span", "soft").text(rows));
        div("field")
            .child(label)
            .child(select)
            .child(el("input").set("type", "hidden").set("name", format!("word-{n}")).set("value", word.to_lowercase()))
    });
    let statuses = (!view.statuses.is_empty()).then(|| card("Statuses").children(statuses));
    let separator = match view.separator {
        b';' => "semicolons",
        b'\t' => "tabs",
        b'|' => "vertical bars",
        _ => "commas",
    };
    let mut text = card("Dates and text");
    if let Some(is_day_first) = view.is_day_first {
        let all = vec![
            ("month".to_owned(), Text::from("Month first (10/14/2026)")),
            ("day".to_owned(), Text::from("Day first (14/10/2026)")),
        ];
        let select = options_as("dates", "dates", all, if is_day_first { "day" } else { "month" });
        text = text
            .child(div("field").child(el("label").set("for", "dates").text("Dates")).child(select))
            .child(soft(phrase(language, "Time zone: {zone}", &[("zone", view.zone)])));
    }
    let with = [("encoding", view.encoding), ("separator", translated(language, separator))];
    text = text.child(soft(phrase(language, "Read as {encoding}, with {separator}.", &with)));
    let widgets = view.widgets.iter().map(|(id, name)| (id.clone(), Text::from(name.clone()))).collect();
    let widget = div("field")
        .child(el("label").set("for", "widget").text("Widget"))
        .child(options_as("widget", "widget", widgets, view.widget))
        .child(Node::classed("p", "hint").text("Its prices are used where we know the roof."));
    let check = phrase(
        language,
        "Check {rows}",
        &[("rows", &counted(language, Counted::ROWS, i64::try_from(view.file.rows).unwrap_or(i64::MAX)))],
    );
    let form = post(view.file.path("match"))
        .set("class", "import-leads")
        .child(hidden("data", view.file.environment.as_str()))
        .children(view.wrong.map(|said| note(Tone::Wrong, said).set("role", "alert")))
        .child(
            div("two")
                .child(matched)
                .child(div("stack").children(statuses).child(text).child(card("Prices").child(widget))),
        )
        .child(div("pair").child(button("btn ink", check)));
    let delete = view.may_delete.then(|| {
        post(view.file.path("delete"))
            .child(hidden("data", view.file.environment.as_str()))
            .child(button("btn bad", "Delete the file"))
    });
    let inside = [about(language, &view.file), form].into_iter().chain(delete).collect();
    page(signed, view.file.environment, 1, inside)
}

pub fn lead_file_check_page(signed: &Signed<'_>, view: &LeadFileCheck<'_>) -> String {
    let language = signed.language;
    let count = |n: usize| figure(u64::try_from(n).unwrap_or(u64::MAX));
    let sums = [("New leads", view.new), ("Already here", view.known), ("Left out", view.left_out)];
    let sums = sums.map(|(label, n)| div("sum").child(el("span").text(label)).child(el("b").text(count(n))));
    let rows = view.preview.iter().map(|row| {
        let marks = row.marks.iter().map(|mark| pill("pill warn", *mark));
        let fate = match &row.known {
            Some(path) => link(path.clone(), row.fate.clone()),
            None => pill(row.pill, row.fate.clone()),
        };
        let fate = std::iter::once(fate).chain(marks).collect();
        let status = row.status.map_or(Cell::Blank, |status| Cell::text(status_in_words(status)));
        vec![
            Cell::text(row.number.to_string()),
            Cell::Nodes(fate),
            Cell::text(row.name.clone()),
            Cell::text(row.contact.clone()),
            Cell::text(row.address.clone()),
            status,
        ]
    });
    let columns = [
        ("Row", false),
        ("What happens", false),
        ("Name", false),
        ("Contact", false),
        ("Address", false),
        ("Status", false),
    ];
    let other = match view.only_look {
        true => link(view.file.step("check"), "All rows"),
        false => {
            let said = phrase(language, "Only rows that need a look ({count})", &[("count", &count(view.looks))]);
            link(format!("{}&rows=look", view.file.step("check")), said)
        }
    };
    let shown = [("shown", &*view.preview.len().to_string()), ("rows", &*figure(view.file.rows))];
    let preview = card("Preview")
        .child(soft(phrase(language, "Rows shown: {shown} of {rows}", &shown)))
        .child(responsive_table("Preview", &columns, rows.collect()))
        .children((view.looks > 0 || view.only_look).then(|| p("").child(other)));
    let choices = [
        ("fillIn", "Fill in blanks", "Nothing that’s here is overwritten. Notes and tags of the file are added."),
        ("skip", "Skip them", "They stay as they are."),
        ("addAnyway", "Add anyway", "Shown as linked leads."),
    ];
    let choices = choices.map(|(value, label, said)| {
        let input = el("input").set("type", "radio").set("name", "known").set("value", value);
        let input = if value == view.choice { input.set("checked", "") } else { input };
        let text = el("span")
            .child(el("b").text(label))
            .child(el("span").text(" "))
            .child(Node::classed("span", "soft").text(said));
        el("label").child(input).child(text)
    });
    let known = (view.known > 0).then(|| {
        let legend = counted(language, Counted::ALREADY_HERE, i64::try_from(view.known).unwrap_or(i64::MAX));
        Node::classed("section", "card")
            .set("aria-label", "Already here")
            .child(Node::classed("fieldset", "which").child(el("legend").text(legend)).children(choices))
    });
    let consent = match view.agreed {
        0 => Text::from("No consent was in the file. Ask before you call or text."),
        n => counted(language, Counted::AGREED_IN_FILE, i64::try_from(n).unwrap_or(i64::MAX)).into(),
    };
    let in_area = phrase(
        language,
        "We know the home of {count} of {new} new leads. Those get a roof and a price.",
        &[("count", &count(view.in_area)), ("new", &count(view.new))],
    );
    let facts = [
        Text::from("Nobody is alerted and no email goes out. Connections get the leads that are filled in."),
        consent,
        in_area.into(),
        Text::from("You can undo the import for 7 days. Leads that a teammate has worked on by then stay."),
    ];
    let facts = Node::classed("ul", "facts").children(facts.map(|fact| el("li").text(fact)));
    let begin = match view.new {
        0 if view.known == 0 => None,
        0 => Some(button("btn ink", "Import").set("name", "do").set("value", "start")),
        n => {
            let said = counted(language, Counted::IMPORT_LEADS, i64::try_from(n).unwrap_or(i64::MAX));
            Some(button("btn ink", said).set("name", "do").set("value", "start"))
        }
    };
    let nothing = begin
        .is_none()
        .then(|| note(Tone::Look, "No row of this file can become a lead. Go back and match other columns."));
    let left_out = (view.left_out > 0).then(|| {
        let said = counted(language, Counted::ROWS_LEFT_OUT, i64::try_from(view.left_out).unwrap_or(i64::MAX));
        link(view.file.path("left-out.csv"), said).set("download", "")
    });
    let form = post(view.file.path("start"))
        .set("class", "import-leads")
        .child(hidden("data", view.file.environment.as_str()))
        .child(hidden("seen", view.seen.to_owned()))
        .child(div("sums").children(sums))
        .child(div("two").child(preview).child(div("stack").children(known).child(card("Good to know").child(facts))))
        .children(nothing)
        .child(
            div("pair")
                .child(link(view.file.step("match"), "Back").set("class", "btn"))
                .children(begin)
                .children(left_out),
        );
    page(signed, view.file.environment, 2, vec![about(language, &view.file), form])
}

pub fn lead_file_state_page(signed: &Signed<'_>, view: &LeadFileState<'_>) -> String {
    let language = signed.language;
    let act = |action: &'static str, class: &'static str, label: &'static str| {
        post(view.file.path(action)).child(hidden("data", view.file.environment.as_str())).child(button(class, label))
    };
    let now =
        if matches!(view.stage, ImportStage::Running | ImportStage::Stopping | ImportStage::Stopped) { 2 } else { 3 };
    let state = match view.stage {
        ImportStage::Running | ImportStage::Stopping | ImportStage::Undoing | ImportStage::Open => {
            running(language, view, act)
        }
        ImportStage::Stopped => card("Stopped").child(soft(sums(language, view))).child(
            div("ways")
                .child(act("start", "btn ink", "Go on"))
                .children(view.may_undo.then(|| act("undo", "btn bad", "Undo import"))),
        ),
        ImportStage::Done => done(language, view, act),
        ImportStage::Undone => card("The import is undone")
            .child(soft("Its leads are erased. Those that a teammate had worked on are still here.")),
    };
    page(signed, view.file.environment, now, vec![about(language, &view.file), state])
}

fn running(
    language: Language,
    view: &LeadFileState<'_>,
    act: impl Fn(&'static str, &'static str, &'static str) -> Node,
) -> Node {
    let is_undone = view.stage == ImportStage::Undoing;
    let title = match view.stage {
        ImportStage::Undoing => "Undoing the import",
        ImportStage::Stopping => "Stopping",
        _ => "Importing",
    };
    let done = view.progress.done.min(view.file.rows);
    let said = match is_undone {
        true => translated(language, "We erase the leads of this file.").to_owned(),
        false => phrase(
            language,
            "Rows done: {done} of {rows}",
            &[("done", &figure(done)), ("rows", &figure(view.file.rows))],
        ),
    };
    let mut bar = el("progress").set("class", "bar2").set("aria-label", title);
    if !is_undone {
        bar = bar.set("max", view.file.rows.to_string()).set("value", done.to_string());
    }
    let stop = (view.stage == ImportStage::Running).then(|| act("stop", "btn bad", "Stop"));
    card(title)
        .set("id", "import")
        .set("data-progress", view.file.path("progress"))
        .child(bar)
        .child(Node::classed("p", "rows2").set("role", "status").text(said))
        .child(soft("You can leave this page."))
        .child(div("ways").child(link(view.file.path(""), "Reload").set("class", "btn")).children(stop))
}

fn sums(language: Language, view: &LeadFileState<'_>) -> String {
    let of = &view.progress;
    phrase(
        language,
        "{created} new, {filled} filled in, {skipped} skipped, {leftOut} left out. {priced} have a roof and a price.",
        &[
            ("created", &figure(of.created)),
            ("filled", &figure(of.filled)),
            ("skipped", &figure(of.skipped)),
            ("leftOut", &figure(of.left_out)),
            ("priced", &figure(of.priced)),
        ],
    )
}

fn done(
    language: Language,
    view: &LeadFileState<'_>,
    act: impl Fn(&'static str, &'static str, &'static str) -> Node,
) -> Node {
    let title = counted(language, Counted::LEADS_ARE_IN, i64::try_from(view.progress.created).unwrap_or(i64::MAX));
    let show = match view.file.environment {
        Environment::Production => "/portal/leads?source=import",
        Environment::Sandbox => "/portal/leads?source=import&data=sandbox",
    };
    let left_out = (view.progress.left_out > 0).then(|| {
        let said = counted(language, Counted::ROWS_LEFT_OUT, i64::try_from(view.progress.left_out).unwrap_or(i64::MAX));
        link(view.file.path("left-out.csv"), said).set("class", "btn").set("download", "")
    });
    let undo = (view.progress.created > 0 && view.may_undo).then(|| {
        el("details")
            .child(el("summary").text("Undo import"))
            .child(p("Leads that nobody has worked on are erased. What was filled in stays."))
            .child(act("undo", "btn bad", "Erase the leads of this file"))
    });
    let until = phrase(
        language,
        "You can undo it until {time}. We delete the file then.",
        &[("time", &view.hours.full(view.until))],
    );
    Node::classed("section", "card")
        .set("aria-label", "Done")
        .child(el("h2").text(title))
        .child(soft(sums(language, view)))
        .child(div("ways").child(link(show, "Show them").set("class", "btn ink")).children(left_out))
        .children(undo)
        .child(soft(until))
}
