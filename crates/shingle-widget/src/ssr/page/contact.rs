//! Step 3: who asks. The same form asks for a visit where nothing could be measured.

use shingle_domain::public::RoofFound;
use shingle_domain::rules::{self, FieldProblem};

use super::field::{FORM, Field, hidden, note, submit};
use super::frame::{self, Body, Head, lead, title};
use super::plan::Pane;
use super::{Node, Passed, Step, node, page};
use crate::plan::Detail;
use crate::strokes::ALERT;
use crate::words::{Problem, w};

/// What the form asks about.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    Roof(Box<RoofFound>, usize),
    /// The place is known, its roof is not.
    Bare {
        key: String,
        street: String,
    },
    /// Nobody knows it.
    Unknown {
        typed: String,
    },
}

/// What was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Details {
    pub first: String,
    pub last: String,
    pub email: String,
    pub phone: String,
    pub consent: bool,
}

impl Details {
    /// Names of their fields, in their order.
    pub const NAMES: [&'static str; 4] = ["given-name", "family-name", "email", "tel"];

    fn values(&self) -> [&str; 4] {
        [&self.first, &self.last, &self.email, &self.phone].map(|text| text.trim())
    }

    fn judged(&self) -> [Option<FieldProblem>; 4] {
        let [first, last, email, phone] = self.values();
        [
            rules::person_name(first).err(),
            rules::person_name(last).err(),
            rules::email(email).err(),
            rules::phone(phone).err(),
        ]
    }

    pub fn are_fit(&self) -> bool {
        self.judged().iter().all(Option::is_none)
    }
}

/// The form as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    pub place: Place,
    pub token: String,
    pub typed: Details,
    /// It was sent: say what is wrong with its fields.
    pub checked: bool,
    /// Why it comes back although its fields are fit.
    pub notice: Option<[String; 2]>,
}

pub fn contact_page(step: &Step<'_>, contact: &Contact) -> String {
    let t = step.words();
    let (heading, words, go) = match &contact.place {
        Place::Roof(..) => (t.text(w::DETAILS_TITLE), t.text(w::DETAILS_LEAD).to_owned(), t.text(w::DETAILS_GO)),
        Place::Bare { street, .. } => {
            (t.text(w::VISIT_TITLE), step.say_with(t.text(w::VISIT_LEAD), &[("street", street)]), t.text(w::VISIT_GO))
        }
        Place::Unknown { .. } => (t.text(w::VISIT_TITLE), step.say(t.text(w::VISIT_UNKNOWN)), t.text(w::VISIT_GO)),
    };
    let problems = if contact.checked { problems(step, &contact.typed) } else { Default::default() };
    let summary = summary(step, &problems);
    let notice = contact.notice.as_ref().map(|[heading, text]| note("sh-note bad", ALERT, heading, text));
    let said = [summary, notice].into_iter().flatten().collect::<Vec<_>>();
    let alert = (!said.is_empty()).then(|| node("div").set("role", "alert").children(said));
    let inner =
        [title(heading), lead(words)].into_iter().chain(alert).chain([form(step, contact, &problems)]).collect();
    let (back, pane) = match &contact.place {
        Place::Roof(roof, building) => (
            step.href("measure", &[("key", &roof.key), ("building", &building.to_string())]),
            Pane::found(step, roof, *building, Detail::Areas, "sh-pane only-wide"),
        ),
        _ => (step.home(), Pane::blank(step)),
    };
    let number = if matches!(contact.place, Place::Roof(..)) { Some(2) } else { None };
    let body = Body { screen: "details", number, back: Some(back), inner, actions: vec![submit(go)], pane };
    page(step, Head::of_step(step, heading), vec![frame::step(step, body)])
}

const IDS: [&str; 4] = ["sh-first", "sh-last", "sh-email", "sh-phone"];

fn form(step: &Step<'_>, contact: &Contact, problems: &[String; 4]) -> Node {
    const KINDS: [&str; 4] = ["text", "text", "email", "tel"];
    let t = step.words();
    let values = contact.typed.values();
    let first_wrong = problems.iter().position(|p| !p.is_empty());
    let field = |at: usize| {
        Field {
            id: IDS[at],
            name: Details::NAMES[at],
            label: t.text(w::FIELDS.at(at)),
            aside: if at == 3 { t.text(w::OPTIONAL) } else { "" },
            kind: KINDS[at],
            mode: KINDS[at],
            autocomplete: Details::NAMES[at],
            value: values[at],
            hint: "",
            problem: &problems[at],
        }
        .node(first_wrong == Some(at))
    };
    let tick = node("input").set("type", "checkbox").set("name", "consent").set("value", "yes");
    let tick = if contact.typed.consent { tick.set("checked", "") } else { tick };
    let trap =
        node("input").set("type", "text").set("name", "website").set("tabindex", "-1").set("autocomplete", "off");
    let building;
    let passed: &Passed<'_> = match &contact.place {
        Place::Roof(roof, at) => {
            building = at.to_string();
            &[("key", &roof.key), ("building", &building)]
        }
        Place::Bare { key, .. } => &[("key", key)],
        Place::Unknown { typed } => &[("address", typed)],
    };
    let fields = vec![
        node("div").class("sh-two sh-names").child(field(0)).child(field(1)),
        field(2),
        field(3),
        node("label").class("sh-check").child(tick).child(node("span").text(step.consent())),
        node("div").class("sh-hp").set("aria-hidden", "true").child(node("label").text(t.text(w::TRAP)).child(trap)),
        hidden("token", &contact.token),
    ];
    step.form("post", "contact", passed, fields).class("sh-form").set("id", FORM).set("novalidate", "")
}

fn problems(step: &Step<'_>, typed: &Details) -> [String; 4] {
    let t = step.words();
    // The telephone may be empty.
    let empty = [w::ERR_FIRST, w::ERR_LAST, w::ERR_EMAIL, w::ERR_PHONE];
    let judged = typed.judged();
    core::array::from_fn(|at| judged[at].map(|p| Problem::of(p, empty[at]).text(t)).unwrap_or_default())
}

/// "2 fields need a look", with links to them.
fn summary(step: &Step<'_>, problems: &[String; 4]) -> Option<Node> {
    let t = step.words();
    let wrong = (0..4).filter(|at| !problems[*at].is_empty()).collect::<Vec<_>>();
    let last = wrong.len().checked_sub(1)?;
    let count = if last == 0 { t.text(w::WRONG_ONE).to_owned() } else { t.number(w::WRONG_MANY, wrong.len()) };
    let mut words = node("span").child(node("b").text(count)).text(" ");
    for (at, field) in wrong.into_iter().enumerate() {
        words = match at {
            0 => words,
            _ if at == last => words.text(" ").text(t.text(w::AND)).text(" "),
            _ => words.text(", "),
        };
        words = words.child(node("a").set("href", format!("#{}", IDS[field])).text(t.text(w::FIELDS.at(field))));
    }
    Some(node("p").class("sh-note bad").child(frame::icon(ALERT)).child(words.text(".")))
}
