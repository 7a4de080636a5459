//! The areas that are loaded: one as a row of a list, and everything that is known of it.

use shingle_domain::aerial::PhotoDate;
use shingle_domain::message::Message;
use shingle_domain::{Language, Timestamp};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::view::photo::date as photo_date;
use shingle_widget::words::flow_words;

use crate::area_loading::{AreaLoadingView, progress};
use crate::area_plan::{AreaPlace, survey_in_words};
use crate::catalog::say;
use crate::counted::{Counted, counted};
use crate::element::{Tone, button, card, div, el, english, hidden, link, note, pill, post, sentence, soft};
use crate::frame::{Place, Signed, shell};
use crate::health::bytes;
use crate::phrase::phrase;
use crate::responsive_table::figure;
use crate::time::Hours;

/// One area.
pub struct AreaRow {
    pub id: String,
    pub title: String,
    pub state: AreaState,
    /// What came in its way.
    pub said: Option<Message>,
    pub load: Option<AreaLoadView>,
    /// The release that is newest at the source, and when that was asked.
    pub newest: Option<(String, Timestamp)>,
    /// The release before, which can come back.
    pub before: Option<String>,
    pub source: String,
    pub license: String,
    pub accepted_at: Timestamp,
}

/// What look-ups answer from.
pub struct AreaLoadView {
    pub release: String,
    pub at: Timestamp,
    pub homes: u64,
    pub with_outline: u64,
    pub bytes: u64,
    pub requests: u64,
    pub disk: u64,
    pub rejected: u64,
    pub duplicates: u64,
    /// Why rows were left out.
    pub reasons: Vec<(Message, u64)>,
    /// New, gone, moved, changed addresses since the release before.
    pub changes: Option<[u64; 4]>,
    /// What the laser survey measured; `None`: it was off.
    pub survey: Option<AreaSurveyView>,
    /// Which photographs came; `None`: they were off.
    pub photos: Option<AreaPhotosView>,
}

/// Photographs from the air.
pub struct AreaPhotosView {
    /// The newest first.
    pub taken: Vec<PhotoDate>,
    pub pictures: u64,
    pub failed: Option<Message>,
}

impl AreaPhotosView {
    fn in_words(&self, language: Language) -> String {
        if let Some(why) = &self.failed {
            return phrase(language, "No photos from the air: {why}.", &[("why", &say(language, why))]);
        }
        let date = |taken: &PhotoDate| photo_date(flow_words(language), *taken);
        let dates = self.taken.iter().map(date).collect::<Vec<_>>().join(", ");
        phrase(
            language,
            "Photos from the air, {dates}; files: {files}",
            &[("dates", &dates), ("files", &figure(self.pictures))],
        )
    }
}

/// Roofs from a laser survey.
pub struct AreaSurveyView {
    pub name: Option<String>,
    pub year: Option<u16>,
    pub roofs: u64,
    pub outlines: u64,
    /// Why outlines have no measured roof.
    pub reasons: Vec<(Message, u64)>,
    pub failed: Option<Message>,
}

impl AreaSurveyView {
    fn in_words(&self, language: Language) -> String {
        if let Some(why) = &self.failed {
            return phrase(language, "Not measured: {why}.", &[("why", &say(language, why))]);
        }
        let named = survey_in_words(language, self.name.as_deref().unwrap_or_default(), self.year);
        phrase(
            language,
            "Measured in the survey {survey}: {roofs} of {outlines}",
            &[("survey", &named), ("roofs", &figure(self.roofs)), ("outlines", &figure(self.outlines))],
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AreaState {
    Ready,
    Loading(AreaLoadingView),
    /// A server ended meanwhile, or another process works on it.
    CutOff,
    Stopped,
    DiskFull,
    /// The new release has far fewer homes.
    HeldBack,
    /// The source has another license now.
    License,
    NoAnswer,
    Failed,
}

impl AreaState {
    fn pill(&self) -> Node {
        match self {
            Self::Ready => pill("pill ok", "Ready"),
            Self::Loading(_) => pill("pill new", "Loading"),
            Self::CutOff => pill("pill warn", "Cut off"),
            Self::Stopped => pill("pill", "Stopped"),
            Self::HeldBack | Self::License => pill("pill warn", "Held back"),
            Self::NoAnswer => pill("pill warn", "Waiting"),
            Self::DiskFull | Self::Failed => pill("pill bad", "Failed"),
        }
    }
}

impl AreaRow {
    fn path(&self) -> String {
        format!("/portal/operator/areas/{}", self.id)
    }

    fn form(&self, action: &str, at: AreaPlace, class: &'static str, label: &'static str) -> Node {
        post(format!("{}/{action}", self.path())).child(hidden("from", at.word())).child(button(class, label))
    }

    fn has_newer(&self) -> bool {
        match (&self.newest, &self.load) {
            (Some((newest, _)), Some(load)) => *newest != load.release,
            _ => false,
        }
    }
}

/// What came in the way, and what still works.
fn trouble(language: Language, row: &AreaRow) -> Option<Node> {
    let tone = match row.state {
        AreaState::Ready | AreaState::Loading(_) => return None,
        AreaState::DiskFull | AreaState::Failed => Tone::Wrong,
        _ => Tone::Look,
    };
    let said = match (&row.state, &row.said) {
        (AreaState::CutOff, _) => note(tone, "This load was cut off. Nothing is loaded twice."),
        (AreaState::Stopped, _) => note(tone, "Stopped. What was loaded is kept."),
        (_, Some(said)) => sentence(note(tone, ""), language, said),
        (_, None) => return None,
    };
    let works = row
        .load
        .as_ref()
        .map(|load| soft(phrase(language, "Visitors get release {release} meanwhile.", &[("release", &load.release)])));
    Some(div("stack").child(said).children(works))
}

/// What can be done about it.
fn actions(row: &AreaRow, at: AreaPlace) -> Vec<Node> {
    match row.state {
        AreaState::Loading(_) => Vec::new(),
        AreaState::Ready if row.has_newer() => {
            vec![row.form("refresh", at, "btn ink", "Load changes"), row.form("check", at, "btn", "Check for new data")]
        }
        AreaState::Ready => vec![row.form("check", at, "btn", "Check for new data")],
        AreaState::HeldBack => vec![
            row.form("keep", at, "btn ink", "Keep the data we have"),
            row.form("shrink", at, "btn bad", "Use it anyway"),
        ],
        AreaState::License => vec![
            row.form("keep", at, "btn ink", "Keep the data we have"),
            row.form("accept", at, "btn", "Accept the license and load"),
        ],
        AreaState::CutOff | AreaState::Stopped | AreaState::DiskFull => vec![row.form("go", at, "btn ink", "Go on")],
        AreaState::NoAnswer | AreaState::Failed => vec![row.form("go", at, "btn ink", "Try again")],
    }
}

/// `61,234 homes, 96% with an outline`
fn homes_in_words(language: Language, load: &AreaLoadView) -> String {
    let homes = counted(language, Counted::HOMES, i64::try_from(load.homes).unwrap_or(i64::MAX));
    let percent = (load.with_outline * 100 / load.homes.max(1)).to_string();
    phrase(language, "{homes}, {percent}% with an outline", &[("homes", &homes), ("percent", &percent)])
}

fn about(language: Language, row: &AreaRow, hours: &Hours) -> Vec<Node> {
    let Some(load) = &row.load else { return Vec::new() };
    let facts = phrase(
        language,
        "{homes}. Release {release}, loaded {time}.",
        &[("homes", &homes_in_words(language, load)), ("release", &load.release), ("time", &hours.full(load.at))],
    );
    let newest = row.newest.as_ref().map(|(release, at)| {
        let when = hours.full(*at);
        let said = if row.has_newer() {
            "New data: release {release}, found {time}."
        } else {
            "Release {release} is the newest, checked {time}."
        };
        soft(phrase(language, said, &[("release", release), ("time", &when)]))
    });
    let roofs = load.survey.as_ref().map(|survey| soft(survey.in_words(language)));
    let photos = load.photos.as_ref().map(|photos| soft(photos.in_words(language)));
    [soft(facts)].into_iter().chain(roofs).chain(photos).chain(newest).collect()
}

/// One area with what can be done about it.
pub(crate) fn area_item(language: Language, row: &AreaRow, hours: &Hours, at: AreaPlace) -> Node {
    let head = div("area-head").child(el("b").text(row.title.clone())).child(row.state.pill());
    let loading = match &row.state {
        AreaState::Loading(view) => Some(progress(language, view, at)),
        _ => None,
    };
    let details = link(row.path(), "Details")
        .set("class", "btn")
        .set("aria-label", phrase(language, "Details of {area}", &[("area", &row.title)]));
    el("li")
        .child(head)
        .children(about(language, row, hours))
        .children(trouble(language, row))
        .children(loading)
        .child(div("ways").children(actions(row, at)).child(details))
}

pub(crate) fn areas_card(language: Language, rows: &[AreaRow], hours: &Hours, at: AreaPlace) -> Node {
    let all = card("Areas");
    match rows.is_empty() {
        true => all.child(soft("No area is loaded yet.")),
        false => all.child(
            Node::classed("ul", "rows areas").children(rows.iter().map(|row| area_item(language, row, hours, at))),
        ),
    }
}

/// Everything that is known of an area.
pub fn area_page(signed: &Signed<'_>, row: &AreaRow, hours: &Hours) -> String {
    let (language, at) = (signed.language, AreaPlace::Areas);
    let mut page = vec![link("/portal/operator/areas", "Areas")];
    page.extend(trouble(language, row));
    if let AreaState::Loading(view) = &row.state {
        page.push(card("Loading").child(progress(language, view, at)));
    }
    page.push(facts(language, row, hours));
    let ways: Vec<Node> = actions(row, at);
    if !ways.is_empty() {
        page.push(Node::classed("section", "card").set("aria-label", "What to do").child(div("ways").children(ways)));
    }
    if !matches!(row.state, AreaState::Loading(_)) {
        page.extend(row.before.as_ref().map(|before| {
            let back = phrase(
                language,
                "Release {release} is still here. You can go back to it until the next refresh.",
                &[("release", before)],
            );
            card("Undo").child(soft(back)).child(row.form("undo", at, "btn bad", "Undo this refresh"))
        }));
        page.push(removal(row));
    }
    shell(signed, Place::Imports, row.title.clone(), vec![row.state.pill()], page)
}

fn facts(language: Language, row: &AreaRow, hours: &Hours) -> Node {
    let mut facts = vec![
        ("Source", el("dd").text(row.source.clone())),
        ("License", english(el("dd").text(row.license.clone()))),
        ("Accepted", el("dd").text(hours.full(row.accepted_at))),
    ];
    if let Some(load) = &row.load {
        let download = phrase(
            language,
            "{size}; requests: {requests}",
            &[("size", &bytes(load.bytes)), ("requests", &figure(load.requests))],
        );
        facts.extend([
            ("Release", el("dd").text(load.release.clone())),
            ("Loaded", el("dd").text(hours.full(load.at))),
            ("Homes", el("dd").text(homes_in_words(language, load))),
            ("Download", el("dd").text(download)),
            ("On disk", el("dd").text(bytes(load.disk))),
            ("Left out", el("dd").text(figure(load.rejected))),
            ("Duplicates", el("dd").text(figure(load.duplicates))),
        ]);
        facts.extend(load.survey.iter().map(|survey| ("Roofs", el("dd").text(survey.in_words(language)))));
        facts
            .extend(load.photos.iter().map(|photos| ("Photos from the air", el("dd").text(photos.in_words(language)))));
        if let Some([new, gone, moved, changed]) = load.changes {
            let said = phrase(
                language,
                "New: {new}. Gone: {gone}. Moved: {moved}. Changed: {changed}.",
                &[
                    ("new", &figure(new)),
                    ("gone", &figure(gone)),
                    ("moved", &figure(moved)),
                    ("changed", &figure(changed)),
                ],
            );
            facts.push(("Since the release before", el("dd").text(said)));
        }
    }
    let survey = row.load.as_ref().and_then(|load| load.survey.as_ref());
    let rows = row.load.as_ref().map(|load| reasons(language, "Why rows were left out", &load.reasons));
    let roofs = survey.map(|survey| reasons(language, "Why roofs were not measured", &survey.reasons));
    let all = card("Details").child(
        Node::classed("dl", "facts").children(facts.into_iter().flat_map(|(name, value)| [el("dt").text(name), value])),
    );
    all.children([rows, roofs].into_iter().flatten().flatten())
}

fn reasons(language: Language, title: &'static str, reasons: &[(Message, u64)]) -> Vec<Node> {
    let one = |(reason, count): &(Message, u64)| {
        sentence(el("li"), language, reason).child(el("span").text(format!(": {}", figure(*count))))
    };
    match reasons.is_empty() {
        true => Vec::new(),
        false => vec![el("h3").text(title), el("ul").children(reasons.iter().map(one))],
    }
}

/// Asked for twice: the summary, and the button in it.
fn removal(row: &AreaRow) -> Node {
    card("Remove").child(
        el("details")
            .child(el("summary").text("Remove this area"))
            .child(soft("Its homes get no price any more unless another area or file has them. Leads stay."))
            .child(row.form("remove", AreaPlace::Areas, "btn bad", "Remove it and its homes")),
    )
}
