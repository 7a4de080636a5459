//! Step 1: the address, with suggestions.

use leptos::web_sys;
use shingle_domain::public::Suggestion;

use super::el::{Child, El, View, boxed, el, nothing};
use super::icon::{self, icon};
use super::{Flow, actions, button, inner, lead, main_part, note, plan, title};
use crate::flow::{Event, State};
use crate::runtime::dom::{key_of, typed_into};
use crate::words::{Word, w};

pub const FORM: &str = "sh-form";

pub fn view(flow: Flow) -> View {
    let main = inner()
        .add(title(flow.widget(|c| c.first_page_title.clone())))
        .add(lead(flow.say(w::ADDRESS_LEAD)))
        .add(form(flow, || Event::Measure).add(combobox(flow)))
        .add(flow.live(problems_key, problems))
        .add(boxed("p", "sh-hint").add(flow.say(w::ADDRESS_PROMISE)));
    [main_part(main).view(), actions().add(submit(flow, w::ADDRESS_GO, State::can_measure)).view(), plan::example(flow)]
        .view()
}

/// A real form, whose sending is an event of the flow.
pub fn form(flow: Flow, event: fn() -> Event) -> El {
    el("form").set("id", FORM).set("novalidate", "").on("submit", move |e| {
        e.prevent_default();
        flow.send(event());
    })
}

/// The main button of a look-up form. Never `disabled`: it says what is missing.
pub fn submit(flow: Flow, label: Word, ready: fn(&State) -> bool) -> El {
    boxed("button", "sh-btn primary")
        .set("type", "submit")
        .set("form", FORM)
        .track("aria-disabled", move || (!flow.watch(ready)).then(|| "true".to_owned()))
        .follow(flow, "aria-busy", |s| s.is_looking().then(|| "true".to_owned()))
        .add(label)
}

pub fn problems_key(state: &State) -> String {
    state.rejected.to_string()
}

/// The server did not take the address.
pub fn problems(_: Flow, state: &State) -> View {
    if !state.rejected {
        return nothing();
    }
    el("div").set("role", "alert").add(note("sh-note bad", icon::ALERT, w::PROBLEM.at(0), w::PROBLEM.at(1))).view()
}

fn combobox(flow: Flow) -> El {
    let keys = move |e: web_sys::Event| {
        let event = match key_of(&e).as_str() {
            "ArrowDown" => Event::Move(1),
            "ArrowUp" => Event::Move(-1),
            "Escape" if flow.read(|s| s.list.open) => Event::CloseList,
            _ => return,
        };
        // Escape closes the list only, not the dialog around it.
        e.prevent_default();
        e.stop_propagation();
        flow.send(event);
    };
    let input = boxed("input", "sh-input")
        .all(&[
            ("id", "sh-address"),
            ("name", "address"),
            ("type", "text"),
            ("role", "combobox"),
            ("aria-autocomplete", "list"),
            ("aria-controls", "sh-options"),
        ])
        .follow(flow, "aria-expanded", |s| Some(s.list.open.to_string()))
        .follow(flow, "aria-activedescendant", |s| s.list.active.filter(|_| s.list.open).map(option_id))
        .all(&[
            ("autocomplete", "street-address"),
            ("autocapitalize", "words"),
            ("spellcheck", "false"),
            ("enterkeyhint", "go"),
        ])
        .say("placeholder", w::ADDRESS_PLACEHOLDER)
        .value(move || flow.watch(|s| s.query.clone()))
        .on("input", move |e| flow.send(Event::Typed(typed_into(&e))))
        .on("keydown", keys)
        .on("blur", move |_| flow.send(Event::CloseList));
    let key = |name: &'static str, what: Word| el("span").add(el("kbd").add(name)).add(what);
    let keys = boxed("p", "keys")
        .set("aria-hidden", "true")
        .add(el("span").add(el("kbd").add("↑")).add(el("kbd").add("↓")).add(w::KEYS.at(0)))
        .add(key("Enter", w::KEYS.at(1)))
        .add(key("Esc", w::KEYS.at(2)));
    let list = boxed("div", "sh-list")
        .all(&[("id", "sh-list"), ("popover", "manual")])
        .follow(flow, "hidden", |s| (!s.list.open).then(String::new))
        .add(el("ul").all(&[("role", "listbox"), ("id", "sh-options")]).say("aria-label", w::ADDRESS_LIST).add(
            // Rows and the active one change together with what is drawn.
            flow.live(rows_key, rows),
        ))
        .add(keys);
    boxed("div", "sh-combo sh-field")
        // After the rows are drawn: their height decides on which side the list fits.
        .attend(move || crate::runtime::popover::follow(flow))
        .add(el("label").set("for", "sh-address").add(w::ADDRESS_LABEL))
        .add(boxed("span", "lead-icon").add(icon(icon::PIN)))
        .add(input)
        .add(flow.live(|s| s.query.is_empty().to_string(), clear))
        .add(list)
}

fn clear(flow: Flow, state: &State) -> View {
    if state.query.is_empty() {
        return nothing();
    }
    button(flow, "sh-iconbtn clear", || Event::Clear).say("aria-label", w::ADDRESS_CLEAR).add(icon(icon::CLOSE)).view()
}

fn option_id(row: usize) -> String {
    ["sh-option-", &row.to_string()].concat()
}

fn rows_key(state: &State) -> String {
    state.list.rows.iter().map(|r| [r.key.as_str(), &r.matched.to_string(), "\n"].concat()).collect()
}

fn rows(flow: Flow, state: &State) -> View {
    let parts = [el("div").add(w::PARTS_ROW), el("span").add(w::PARTS_ROW_NOTE)];
    let rows = state.list.rows.iter().map(matched).chain([parts]);
    rows.enumerate()
        .map(|(row, [first, second])| {
            el("li")
                .set("role", "option")
                .put("id", option_id(row))
                .track("aria-selected", move || Some(flow.watch(|s| s.list.active == Some(row)).to_string()))
                // The field keeps the focus.
                .on("mousedown", |e| e.prevent_default())
                .on("click", move |_| flow.send(Event::Choose(row)))
                .add(first)
                .add(second)
        })
        .collect::<Vec<_>>()
        .view()
}

/// A suggestion with the part that was typed in bold.
fn matched(of: &Suggestion) -> [El; 2] {
    let at = of.street.char_indices().nth(of.matched as usize).map_or(of.street.len(), |(at, _)| at);
    let (typed, rest) = of.street.split_at(at);
    [el("div").add(el("b").add(typed.to_owned())).add(rest.to_owned()), el("span").add(of.city.clone())]
}

/// The words under a field: what is wrong with it, else a hint.
pub fn wrong(problem: impl Fn() -> String + Copy + 'static, hint: Option<Word>) -> View {
    super::el::part(problem, move || {
        let problem = problem();
        if !problem.is_empty() {
            boxed("p", "sh-error").add(icon(icon::ALERT)).add(problem).view()
        } else {
            hint.map(|hint| boxed("p", "sh-hint").add(hint)).view()
        }
    })
}
