//! Step 1: the address, on one line or in parts, and what comes close to one that nobody knows.

use shingle_domain::public::{AddressChoice, Suggestion};

use super::field::{TextInput, link, submit};
use super::frame::{self, Body, Head, page};
use super::plan::Pane;
use super::step::Step;
use crate::flow::AddressPart;
use crate::ssr::node::Node;
use crate::view::block::{hint, inner, lead, more, title};
use crate::view::contact::{ADDRESS_FIELDS, FORM, address_hint, error, row};
use crate::view::{Markup, address as view};
use crate::words::{Problem, w};

/// The first step, as it is on the hosted page until the runtime takes over what was typed.
pub fn first_step(step: &Step<'_>) -> Node {
    line_step(step, "", "")
}

/// The first step again, with what was wrong.
pub fn address_page(step: &Step<'_>, typed: &str, problem: &str) -> String {
    let head = Head::of_step(step, &step.widget.first_page_title);
    page(step, head, vec![line_step(step, typed, problem)])
}

fn line_step(step: &Step<'_>, typed: &str, problem: &str) -> Node {
    let mut input: Node = view::input();
    if !typed.is_empty() {
        input = input.set("value", typed.to_owned());
    }
    if !problem.is_empty() {
        input = input.set("aria-invalid", "true").set("aria-describedby", "sh-address-n").set("autofocus", "");
    }
    let wrong = Node::new("div").set("id", "sh-address-n").child(error(problem.to_owned()));
    let field = view::field(input).children((!problem.is_empty()).then_some(wrong));
    // With scripts the form in parts is at the end of the list of suggestions.
    let parts = if step.first { Node::new("noscript").child(parts_link(step)) } else { parts_link(step) };
    let inner = inner::<Node>()
        .child(title(step.widget.first_page_title.clone()))
        .child(lead(step.say(w::ADDRESS_LEAD)))
        .child(step.form("get", "measure", &[], vec![field]).set("id", FORM))
        .child(hint(step.say(w::ADDRESS_PROMISE)))
        .child(parts);
    let body = Body {
        screen: "address",
        number: Some(0),
        back: None,
        inner,
        actions: vec![submit(w::ADDRESS_GO)],
        pane: Pane::example(step, "sh-pane after"),
    };
    frame::step(step, body)
}

fn parts_link(step: &Step<'_>) -> Node {
    more(link("sh-link", step.href("measure", &[("parts", "")]), w::PARTS_ROW))
}

/// The address in its five parts, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypedAddress {
    pub number: String,
    pub street: String,
    pub city: String,
    pub state: String,
    pub zip: String,
}

impl TypedAddress {
    /// Names of their fields, in their order.
    pub const NAMES: [&'static str; 5] = ["number", "street", "city", "state", "zip"];

    fn values(&self) -> [&str; 5] {
        [&self.number, &self.street, &self.city, &self.state, &self.zip].map(|text| text.trim())
    }

    /// What is wrong with each, by the rules of the runtime's form.
    fn problems(&self) -> [Option<Problem>; 5] {
        let values = self.values();
        AddressPart::ALL.map(|part| part.problem(values[part as usize]))
    }

    /// The choice they make; `None` when one of them is wrong.
    pub fn choice(&self) -> Option<AddressChoice> {
        let [number, street, city, state, zip] = self.values().map(str::to_owned);
        self.problems().iter().all(Option::is_none).then(|| AddressChoice::Parts {
            street_number: number,
            street_address: street,
            city,
            state: state.to_ascii_uppercase(),
            zip,
        })
    }
}

/// The form in parts. `checked`: it was sent, and something in it is wrong.
pub fn parts_page(step: &Step<'_>, typed: &TypedAddress, checked: bool) -> String {
    let problems = if checked { typed.problems() } else { [None; 5] };
    let problems = problems.map(|problem| problem.map(|p| p.text(step.words())).unwrap_or_default());
    let first_wrong = problems.iter().position(|problem| !problem.is_empty());
    let values = typed.values();
    let [number, street, city, state, zip] = core::array::from_fn(|at| {
        let field = TextInput {
            of: &ADDRESS_FIELDS[at],
            name: TypedAddress::NAMES[at],
            label: w::PART_LABELS.at(at),
            optional: false,
            value: values[at],
            hint: address_hint(at),
            problem: &problems[at],
            focused: first_wrong == Some(at),
        };
        field.node()
    });
    let fields = vec![row("sh-two sh-street", number, street), city, row("sh-two", state, zip)];
    let form = step.form("get", "measure", &[("parts", "")], fields).set("class", "sh-form").set("id", FORM);
    let body = Body {
        screen: "parts",
        number: Some(0),
        back: Some(step.home()),
        inner: inner::<Node>().child(title(w::PARTS_TITLE)).child(lead(w::PARTS_LEAD)).child(form),
        actions: vec![submit(w::PARTS_GO), link("sh-btn quiet", step.home(), w::PARTS_BACK)],
        pane: Pane::example(step, "sh-pane only-wide"),
    };
    page(step, Head::of_step(step, step.words().text(w::PARTS_TITLE)), vec![frame::step(step, body)])
}

/// An address that nobody knows, and those that come close to it.
pub fn not_found_page(step: &Step<'_>, typed: &str, close: &[Suggestion]) -> String {
    let text = if close.is_empty() { w::NOTFOUND_NONE } else { w::NOTFOUND_CLOSE };
    let rows = close.iter().map(|of| {
        let href = step.href("measure", &[("key", &of.key)]);
        view::close_match(Node::classed("a", "sh-choice").set("href", href), of, typed)
    });
    let list = Node::classed("ul", "sh-choices").set("aria-label", w::NOTFOUND_LIST).children(rows);
    let inner = inner::<Node>()
        .child(title(w::NOTFOUND_TITLE))
        .child(lead(step.say_with(text, &[("typed", typed)])))
        .children((!close.is_empty()).then_some(list))
        .child(parts_link(step));
    let edit = step.href("measure", &[("edit", typed)]);
    let person = step.href("contact", &[("address", typed)]);
    let body = Body {
        screen: "notfound",
        number: Some(0),
        back: Some(edit.clone()),
        inner,
        actions: vec![link("sh-btn primary", edit, w::NOTFOUND_EDIT), link("sh-btn quiet", person, w::NOTFOUND_PERSON)],
        pane: Pane::blank(step),
    };
    page(step, Head::of_step(step, step.words().text(w::NOTFOUND_TITLE)), vec![frame::step(step, body)])
}
