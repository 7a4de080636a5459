//! Step 1: the address, with suggestions.

use leptos::web_sys;
use shingle_domain::public::Suggestion;

use super::block::button;
use super::el::{Child, El, View, nothing, region};
use super::flow::Flow;
use super::parts::FIRST_TITLE;
use super::plan;
use crate::flow::{Event, State};
use crate::runtime::dom::{key_of, typed_into};
use crate::runtime::popover;
use crate::strokes::{ALERT, CLOSE};
use crate::view::block::{actions, hint, icon, inner, lead, main_part, note};
use crate::view::contact::{FORM, error};
use crate::view::{Markup, address};
use crate::words::{Word, w};

pub fn view(flow: Flow) -> View {
    let main = inner::<El>()
        .part(flow.part(FIRST_TITLE))
        .child(lead(flow.say(w::ADDRESS_LEAD)))
        .child(form(flow, || Event::Measure).child(combobox(flow)))
        .add(flow.live(problems_key, problems))
        .child(hint(flow.say(w::ADDRESS_PROMISE)));
    let buttons = actions::<El>().child(submit(flow, w::ADDRESS_GO, State::can_measure));
    [main_part(main).view(), buttons.view(), plan::example(flow)].view()
}

/// A real form; submitting it raises an event of the flow.
pub fn form(flow: Flow, event: fn() -> Event) -> El {
    El::new("form").set("id", FORM).set("novalidate", "").on("submit", move |e| {
        e.prevent_default();
        flow.send(event());
    })
}

/// The main button of a look-up form. Never `disabled`, so that pressing it can say what is missing.
pub fn submit(flow: Flow, label: Word, ready: fn(&State) -> bool) -> El {
    El::classed("button", "sh-btn primary")
        .set("type", "submit")
        .set("form", FORM)
        .track("aria-disabled", move || (!flow.watch(ready)).then(|| "true".to_owned()))
        .follow(flow, "aria-busy", |s| s.is_looking().then(|| "true".to_owned()))
        .text(label)
}

pub fn problems_key(state: &State) -> String {
    [state.rejected, state.list.failed].map(|shown| if shown { "1" } else { "0" }).concat()
}

/// The server rejected the address.
pub fn problems(_: Flow, state: &State) -> View {
    let (title, text) = match (state.rejected, state.list.failed) {
        (true, _) => (w::PROBLEM.at(0), w::PROBLEM.at(1)),
        (_, true) => (w::UNREACHED_TITLE, w::ADDRESS_UNREACHED),
        _ => return nothing(),
    };
    El::new("div").set("role", "alert").child(note("sh-note bad", ALERT, title, text)).view()
}

fn combobox(flow: Flow) -> El {
    let keys = move |e: web_sys::Event| {
        let event = match key_of(&e).as_str() {
            "ArrowDown" => Event::Move(1),
            "ArrowUp" => Event::Move(-1),
            "Escape" if flow.read(|s| s.list.open) => Event::CloseList,
            _ => return,
        };
        // Escape closes only the list, not the dialog.
        e.prevent_default();
        e.stop_propagation();
        flow.send(event);
    };
    let input = address::input::<El>()
        .all(&[("role", "combobox"), ("aria-autocomplete", "list"), ("aria-controls", "sh-options")])
        .follow(flow, "aria-expanded", |s| Some(s.list.open.to_string()))
        .follow(flow, "aria-activedescendant", |s| s.list.active.filter(|_| s.list.open).map(option_id))
        .value(move || flow.watch(|s| s.query.clone()))
        .on("input", move |e| flow.send(Event::Typed(typed_into(&e))))
        .on("keydown", keys)
        .on("blur", move |_| flow.send(Event::CloseList));
    let key = |name: &'static str, what: Word| El::new("span").child(El::new("kbd").text(name)).text(what);
    let arrows = El::new("span").child(El::new("kbd").text("↑")).child(El::new("kbd").text("↓"));
    let keys = El::classed("p", "keys")
        .set("aria-hidden", "true")
        .child(arrows.text(w::KEYS.at(0)))
        .child(key("Enter", w::KEYS.at(1)))
        .child(key("Esc", w::KEYS.at(2)));
    // The active row is marked on the rows that are drawn.
    let options = El::new("ul")
        .all(&[("role", "listbox"), ("id", "sh-options")])
        .set("aria-label", w::ADDRESS_LIST)
        .add(flow.live(rows_key, rows));
    let list = El::classed("div", "sh-list")
        .all(&[("id", "sh-list"), ("popover", "manual")])
        .follow(flow, "hidden", |s| (!s.list.open).then(String::new))
        .child(options)
        .child(keys);
    address::field(input)
        // Positioned after the rows are drawn: their height decides on which side the list fits.
        .attend(move || popover::follow(flow))
        .add(flow.live(|s| s.query.is_empty().to_string(), clear))
        .child(list)
}

fn clear(flow: Flow, state: &State) -> View {
    if state.query.is_empty() {
        return nothing();
    }
    button(flow, "sh-iconbtn clear", || Event::Clear).set("aria-label", w::ADDRESS_CLEAR).child(icon(CLOSE)).view()
}

fn option_id(row: usize) -> String {
    ["sh-option-", &row.to_string()].concat()
}

fn rows_key(state: &State) -> String {
    state.list.rows.iter().map(|r| [r.key.as_str(), &r.matched.to_string(), "\n"].concat()).collect()
}

fn rows(flow: Flow, state: &State) -> View {
    let parts = [El::new("div").text(w::PARTS_ROW), El::new("span").text(w::PARTS_ROW_NOTE)];
    let rows = state.list.rows.iter().map(matched).chain([parts]);
    rows.enumerate()
        .map(|(row, [first, second])| {
            El::new("li")
                .set("role", "option")
                .set("id", option_id(row))
                .track("aria-selected", move || Some(flow.watch(|s| s.list.active == Some(row)).to_string()))
                // The field keeps the focus.
                .on("mousedown", |e| e.prevent_default())
                .on("click", move |_| flow.send(Event::Choose(row)))
                .child(first)
                .child(second)
        })
        .collect::<Vec<_>>()
        .view()
}

/// A suggestion with the part that was typed in bold.
fn matched(of: &Suggestion) -> [El; 2] {
    let at = of.street.char_indices().nth(of.matched as usize).map_or(of.street.len(), |(at, _)| at);
    let (typed, rest) = of.street.split_at(at);
    let street = El::new("div").child(El::new("b").text(typed.to_owned())).text(rest.to_owned());
    [street, El::new("span").text(of.city.clone())]
}

/// Below a field: what is wrong with it, else a hint.
pub fn wrong(problem: impl Fn() -> String + Copy + 'static, below: Option<Word>) -> View {
    region(problem, move || {
        let problem = problem();
        if !problem.is_empty() { error::<El>(problem).view() } else { below.map(hint::<El>).view() }
    })
}
