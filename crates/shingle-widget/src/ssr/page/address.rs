//! Step 1: the address, on one line or in parts, and what comes close to one that nobody knows.

use shingle_domain::public::{AddressChoice, Suggestion};
use shingle_domain::{State, Zip};

use super::field::{FORM, Field, error, link, submit};
use super::frame::{self, Body, Head, icon, lead, title};
use super::plan::Pane;
use super::{Node, Step, node, page};
use crate::strokes::{ARROW, PIN};
use crate::words::w;

/// The first step, as it stands on the hosted page until the runtime takes over what was typed.
pub fn first_step(step: &Step<'_>) -> Node {
    line_step(step, "", "")
}

/// The first step again, with what was wrong.
pub fn address_page(step: &Step<'_>, typed: &str, problem: &str) -> String {
    let head = Head::of_step(step, &step.widget.first_page_title);
    page(step, head, vec![line_step(step, typed, problem)])
}

fn line_step(step: &Step<'_>, typed: &str, problem: &str) -> Node {
    let t = step.words();
    let mut input = node("input")
        .class("sh-input")
        .set("id", "sh-address")
        .set("name", "address")
        .set("type", "text")
        .set("autocomplete", "street-address")
        .set("autocapitalize", "words")
        .set("spellcheck", "false")
        .set("enterkeyhint", "go")
        .set("placeholder", t.text(w::ADDRESS_PLACEHOLDER));
    if !typed.is_empty() {
        input = input.set("value", typed);
    }
    if !problem.is_empty() {
        input = input.set("aria-invalid", "true").set("aria-describedby", "sh-address-n").set("autofocus", "");
    }
    let wrong = (!problem.is_empty()).then(|| node("div").set("id", "sh-address-n").child(error(problem)));
    let combo = node("div")
        .class("sh-combo sh-field")
        .child(node("label").set("for", "sh-address").text(t.text(w::ADDRESS_LABEL)))
        .child(node("span").class("lead-icon").child(icon(PIN)))
        .child(input)
        .children(wrong);
    let parts = node("p").class("sh-more").child(link(
        "sh-link",
        &step.href("measure", &[("parts", "")]),
        t.text(w::PARTS_ROW),
    ));
    // Whoever has scripts finds the parts at the end of the list of suggestions.
    let parts = if step.first { node("noscript").child(parts) } else { parts };
    let inner = vec![
        title(&step.widget.first_page_title),
        lead(step.say(t.text(w::ADDRESS_LEAD))),
        step.form("get", "measure", &[], vec![combo]).set("id", FORM),
        node("p").class("sh-hint").text(step.say(t.text(w::ADDRESS_PROMISE))),
        parts,
    ];
    frame::step(
        step,
        Body {
            screen: "address",
            number: Some(0),
            back: None,
            inner,
            actions: vec![submit(t.text(w::ADDRESS_GO))],
            pane: Pane::example(step, "sh-pane after"),
        },
    )
}

/// The address in its five parts, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parts {
    pub number: String,
    pub street: String,
    pub city: String,
    pub state: String,
    pub zip: String,
}

impl Parts {
    /// Names of their fields, in their order.
    pub const NAMES: [&'static str; 5] = ["number", "street", "city", "state", "zip"];

    fn values(&self) -> [&str; 5] {
        [&self.number, &self.street, &self.city, &self.state, &self.zip].map(|text| text.trim())
    }

    /// What is wrong with each, by the rules of the runtime's form.
    fn wrong(&self) -> [bool; 5] {
        let [number, street, city, state, zip] = self.values();
        let unfit = |text: &str| text.is_empty() || text.len() > 100;
        [number.len() > 20, unfit(street), unfit(city), State::parse(state).is_none(), Zip::parse(zip).is_none()]
    }

    /// The choice they make; `None` when one of them is wrong.
    pub fn choice(&self) -> Option<AddressChoice> {
        let [number, street, city, state, zip] = self.values().map(str::to_owned);
        (!self.wrong().contains(&true)).then(|| AddressChoice::Parts {
            street_number: number,
            street_address: street,
            city,
            state: state.to_ascii_uppercase(),
            zip,
        })
    }
}

/// The form in parts. `checked`: it was sent, and something in it is wrong.
pub fn parts_page(step: &Step<'_>, typed: &Parts, checked: bool) -> String {
    const IDS: [&str; 5] = ["sh-number", "sh-street", "sh-city", "sh-state", "sh-zip"];
    const FILLS: [&str; 5] = ["off", "address-line1", "address-level2", "address-level1", "postal-code"];
    let t = step.words();
    let wrong = if checked { typed.wrong() } else { [false; 5] };
    let first_wrong = wrong.iter().position(|w| *w);
    let values = typed.values();
    let field = |at: usize| {
        Field {
            id: IDS[at],
            name: Parts::NAMES[at],
            label: t.text(w::PART_LABELS.at(at)),
            aside: "",
            kind: "text",
            mode: if at == 4 { "numeric" } else { "text" },
            autocomplete: FILLS[at],
            value: values[at],
            hint: ["", "", "", t.text(w::PARTS_STATE_HINT), t.text(w::PARTS_ZIP_HINT)][at],
            problem: if wrong[at] { t.text(w::ERR_PART.at(at)) } else { "" },
        }
        .node(first_wrong == Some(at))
    };
    let fields = vec![
        node("div").class("sh-two sh-street").child(field(0)).child(field(1)),
        field(2),
        node("div").class("sh-two").child(field(3)).child(field(4)),
    ];
    let form = step.form("get", "measure", &[("parts", "")], fields).class("sh-form").set("id", FORM);
    let body = Body {
        screen: "parts",
        number: Some(0),
        back: Some(step.home()),
        inner: vec![title(t.text(w::PARTS_TITLE)), lead(t.text(w::PARTS_LEAD)), form],
        actions: vec![submit(t.text(w::PARTS_GO)), link("sh-btn quiet", &step.home(), t.text(w::PARTS_BACK))],
        pane: Pane::example(step, "sh-pane only-wide"),
    };
    page(step, Head::of_step(step, t.text(w::PARTS_TITLE)), vec![frame::step(step, body)])
}

/// An address that nobody knows, and those that come close to it.
pub fn not_found_page(step: &Step<'_>, typed: &str, close: &[Suggestion]) -> String {
    let t = step.words();
    let text = step.say_with(
        if close.is_empty() { t.text(w::NOTFOUND_NONE) } else { t.text(w::NOTFOUND_CLOSE) },
        &[("typed", typed)],
    );
    let rows = close.iter().map(|of| {
        let words = node("span").child(differences(&of.street, typed)).child(node("small").text(&of.city));
        let href = step.href("measure", &[("key", &of.key)]);
        let link = node("a").class("sh-choice").set("href", href).child(icon(PIN)).child(words).child(icon(ARROW));
        node("li").child(link)
    });
    let list = node("ul").class("sh-choices").set("aria-label", t.text(w::NOTFOUND_LIST)).children(rows);
    let parts = link("sh-link", &step.href("measure", &[("parts", "")]), t.text(w::PARTS_ROW));
    let inner = [title(t.text(w::NOTFOUND_TITLE)), lead(text)]
        .into_iter()
        .chain((!close.is_empty()).then_some(list))
        .chain([node("p").class("sh-more").child(parts)])
        .collect();
    let edit = step.href("measure", &[("edit", typed)]);
    let person = step.href("contact", &[("address", typed)]);
    let body = Body {
        screen: "notfound",
        number: Some(0),
        back: Some(edit.clone()),
        inner,
        actions: vec![
            link("sh-btn primary", &edit, t.text(w::NOTFOUND_EDIT)),
            link("sh-btn quiet", &person, t.text(w::NOTFOUND_PERSON)),
        ],
        pane: Pane::blank(step),
    };
    page(step, Head::of_step(step, t.text(w::NOTFOUND_TITLE)), vec![frame::step(step, body)])
}

/// The words of `street`, marked where `typed` has none like it.
fn differences(street: &str, typed: &str) -> Node {
    let same = |word: &str| typed.split([',', ' ']).any(|t| t.eq_ignore_ascii_case(word.trim_end_matches(',')));
    street.split(' ').enumerate().fold(node("b"), |line, (at, word)| {
        let line = if at > 0 { line.text(" ") } else { line };
        if same(word) { line.text(word) } else { line.child(node("mark").text(word)) }
    })
}
