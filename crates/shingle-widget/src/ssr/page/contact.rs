//! Step 3: who asks. The same form asks for a visit where nothing could be measured.

use shingle_domain::home_roof::{BuildingSet, NoPrice};
use shingle_domain::public::RoofFound;

use super::field::{TextInput, hidden, submit};
use super::frame::{self, Body, Head, page};
use super::plan::Pane;
use super::step::{Passed, Step};
use crate::flow::contact::Field;
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::strokes::ALERT;
use crate::view::block::{inner, lead, note, title};
use crate::view::contact::{CONTACT_FIELDS, FORM, consent, row, summary, tick, trap, trap_input};
use crate::view::{Markup, Text, gate};
use crate::words::{Problem, w};

/// What the form asks about.
#[derive(Debug, Clone, PartialEq)]
pub enum ContactSubject {
    /// The roof, and which of its buildings are to be priced.
    Roof(Box<RoofFound>, BuildingSet),
    /// The place is known, its roof is not.
    NoRoof { key: String, street: String, reason: Option<NoPrice>, roof: Option<Box<RoofFound>> },
    /// The roof that is known of the place belongs to somebody else.
    NotMine { key: String, street: String },
    /// Nobody knows it.
    Unknown { typed: String, reason: Option<NoPrice> },
}

impl ContactSubject {
    /// Why what was asked for gets no price from here; `None` where it gets one.
    fn no_price(&self) -> Option<&NoPrice> {
        match self {
            Self::Roof(roof, chosen) => {
                let mut picked = chosen.indices().filter_map(|at| roof.buildings.get(at));
                let first = picked.next()?.no_price.as_ref();
                first.filter(|_| picked.all(|of| of.no_price.is_some()))
            }
            Self::NoRoof { reason, .. } | Self::Unknown { reason, .. } => reason.as_ref(),
            Self::NotMine { .. } => None,
        }
    }
}

/// What was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypedContact {
    pub first: String,
    pub last: String,
    pub email: String,
    pub phone: String,
    pub consent: bool,
}

impl TypedContact {
    /// Names of their fields, in their order.
    pub const NAMES: [&'static str; 4] = ["given-name", "family-name", "email", "tel"];

    fn values(&self) -> [&str; 4] {
        [&self.first, &self.last, &self.email, &self.phone].map(|text| text.trim())
    }

    fn problems(&self) -> [Option<Problem>; 4] {
        let values = self.values();
        Field::ALL.map(|field| field.problem(values[field as usize]))
    }

    pub fn are_fit(&self) -> bool {
        self.problems().iter().all(Option::is_none)
    }
}

/// The form as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    pub subject: ContactSubject,
    pub token: String,
    pub typed: TypedContact,
    /// It was sent: say what is wrong with its fields.
    pub checked: bool,
    /// Why it comes back although its fields are fit.
    pub notice: Option<[String; 2]>,
}

pub fn contact_page(step: &Step<'_>, contact: &Contact) -> String {
    let no_price = contact.subject.no_price();
    let (heading, words, go) = match &contact.subject {
        ContactSubject::Roof(..) if no_price.is_none() => {
            (w::DETAILS_TITLE, Text::Word(w::DETAILS_LEAD), w::DETAILS_GO)
        }
        ContactSubject::Roof(roof, _) => {
            (w::VISIT_TITLE, step.say_with(w::VISIT_LEAD, &[("street", &roof.street)]).into(), w::VISIT_GO)
        }
        ContactSubject::NoRoof { street, .. } | ContactSubject::NotMine { street, .. } => {
            (w::VISIT_TITLE, step.say_with(w::VISIT_LEAD, &[("street", street)]).into(), w::VISIT_GO)
        }
        ContactSubject::Unknown { .. } => (w::VISIT_TITLE, step.say(w::VISIT_UNKNOWN).into(), w::VISIT_GO),
    };
    let problems = if contact.checked { contact.typed.problems() } else { [None; 4] };
    let problems = problems.map(|problem| problem.map(|p| p.text(step.words())).unwrap_or_default());
    let wrong: Vec<usize> = (0..4).filter(|at| !problems[*at].is_empty()).collect();
    let summary = (!wrong.is_empty()).then(|| summary(step.words(), &wrong, |link, _| link));
    let notice = contact.notice.clone().map(|[heading, text]| note("sh-note bad", ALERT, heading, text));
    let said: Vec<Node> = summary.into_iter().chain(notice).collect();
    let alert = (!said.is_empty()).then(|| Node::new("div").set("role", "alert").children(said));
    let why = no_price.and_then(|reason| gate::why(step.words(), reason));
    let inner = inner::<Node>().child(title(heading)).child(lead(words)).children(why).children(alert).child(form(
        step,
        contact,
        &problems,
        wrong.first().copied(),
    ));
    let (back, pane) = match &contact.subject {
        ContactSubject::Roof(roof, chosen) => (
            step.href("measure", &[("key", &roof.key), ("building", &chosen.to_string())]),
            Pane::found(step, roof, Some(*chosen), Detail::Areas, "sh-pane only-wide"),
        ),
        ContactSubject::NoRoof { roof: Some(roof), reason, .. } => {
            (step.home(), Pane::unpriced(step, roof, reason.as_ref()))
        }
        ContactSubject::NotMine { key, .. } => (step.href("measure", &[("key", key), ("none", "")]), Pane::blank(step)),
        _ => (step.home(), Pane::blank(step)),
    };
    // The recipient of what was typed is named beside the button that sends it.
    let to = Node::classed("p", "sh-to").text(step.say(w::RECEIVES));
    let number = matches!(contact.subject, ContactSubject::Roof(..)).then_some(2).filter(|_| no_price.is_none());
    let body = Body { screen: "details", number, back: Some(back), inner, actions: vec![to, submit(go)], pane };
    page(step, Head::of_step(step, step.words().text(heading)), vec![frame::step(step, body)])
}

fn form(step: &Step<'_>, contact: &Contact, problems: &[String; 4], first_wrong: Option<usize>) -> Node {
    let values = contact.typed.values();
    let [first, last, email, phone] = core::array::from_fn(|at| {
        let field = TextInput {
            of: &CONTACT_FIELDS[at],
            name: TypedContact::NAMES[at],
            label: w::FIELDS.at(at),
            optional: at == 3,
            value: values[at],
            hint: None,
            problem: &problems[at],
            focused: first_wrong == Some(at),
        };
        field.node()
    });
    let tick = tick::<Node>().set("value", "yes");
    let tick = if contact.typed.consent { tick.set("checked", "") } else { tick };
    let buildings;
    let passed: &Passed<'_> = match &contact.subject {
        ContactSubject::Roof(roof, chosen) => {
            buildings = chosen.to_string();
            &[("key", &roof.key), ("building", &buildings)]
        }
        ContactSubject::NoRoof { key, .. } => &[("key", key)],
        ContactSubject::NotMine { key, .. } => &[("key", key), ("building", BuildingSet::NOT_MINE)],
        ContactSubject::Unknown { typed, .. } => &[("address", typed)],
    };
    let fields = vec![
        row("sh-two sh-names", first, last),
        email,
        phone,
        consent(tick, step.consent()),
        trap(trap_input()),
        hidden("token", &contact.token),
    ];
    step.form("post", "contact", passed, fields).set("class", "sh-form").set("id", FORM).set("novalidate", "")
}
