//! Step 1: the address, with suggestions.

use leptos::prelude::*;
use shingle_domain::public::Suggestion;

use super::icon::{self, icon};
use super::{Flow, actions, lead, main_part, note, plan, title};
use crate::flow::{Event, State};

pub const FORM: &str = "sh-form";

pub fn view(flow: Flow) -> AnyView {
    let w = flow.words;
    let main = view! {
        {title(flow.widget(|c| c.first_page_title.clone()))}
        {lead(flow.say(w.address_lead))}
        <form id=FORM novalidate on:submit=move |e| {
            e.prevent_default();
            flow.send(Event::Measure);
        }>
            {combobox(flow)}
        </form>
        {flow.live(problems)}
        <p class="sh-hint">{flow.say(w.address_promise)}</p>
    };
    view! {
        {main_part(main.into_any())}
        {actions(submit(flow, w.address_go, State::can_measure))}
        {plan::example(flow)}
    }
    .into_any()
}

/// The main button of a look-up form. Never `disabled`: it says what is missing.
pub fn submit(flow: Flow, label: &'static str, ready: fn(&State) -> bool) -> AnyView {
    view! {
        <button
            type="submit"
            form=FORM
            class="sh-btn primary"
            aria-disabled=move || (!flow.state.with(ready)).then_some("true")
            aria-busy=flow.of(|s| s.is_looking().then_some("true"))
        >
            {label}
        </button>
    }
    .into_any()
}

/// What the server found wrong with the address.
pub fn problems(flow: Flow, state: &State) -> AnyView {
    if state.problems.is_empty() {
        return ().into_any();
    }
    let text = state.problems.join(". ");
    view! {
        <div role="alert">{note("sh-note bad", icon::ALERT, flow.words.problem_title.to_owned(), text)}</div>
    }
    .into_any()
}

fn combobox(flow: Flow) -> AnyView {
    let w = flow.words;
    let keys = move |e: leptos::ev::KeyboardEvent| {
        let open = flow.read(|s| s.list.open);
        let event = match e.key().as_str() {
            "ArrowDown" => Event::Move(1),
            "ArrowUp" => Event::Move(-1),
            "Escape" if open => Event::CloseList,
            _ => return,
        };
        // Escape closes the list only, not the dialog around it.
        e.prevent_default();
        e.stop_propagation();
        flow.send(event);
    };
    let clear = Memo::new(move |_| flow.state.with(|s| !s.query.is_empty()));
    let clear_button = move || {
        clear.get().then(|| {
            view! {
                <button type="button" class="sh-iconbtn clear" aria-label=w.address_clear on:click=move |_| flow.send(Event::Clear)>
                    {icon(icon::CLOSE)}
                </button>
            }
        })
    };
    #[cfg(feature = "csr")]
    crate::runtime::popover::follow(flow);
    view! {
        <div class="sh-combo sh-field" id="sh-combo">
            <label for="sh-address">{w.address_label}</label>
            <span class="lead-icon">{icon(icon::PIN)}</span>
            <input
                class="sh-input"
                id="sh-address"
                name="address"
                type="text"
                role="combobox"
                aria-autocomplete="list"
                aria-controls="sh-options"
                aria-expanded=flow.of(|s| if s.list.open { "true" } else { "false" })
                aria-activedescendant=flow.of(|s| s.list.active.filter(|_| s.list.open).map(option_id))
                autocomplete="street-address"
                autocapitalize="words"
                spellcheck="false"
                enterkeyhint="go"
                placeholder=w.address_placeholder
                prop:value=flow.of(|s| s.query.clone())
                on:input:target=move |e| flow.send(Event::Typed(e.target().value()))
                on:keydown=keys
                on:blur=move |_| flow.send(Event::CloseList)
            />
            {clear_button}
            <div class="sh-list" id="sh-list" popover="manual" hidden=flow.of(|s| !s.list.open)>
                <ul role="listbox" id="sh-options" aria-label=w.address_list>{flow.live(options)}</ul>
                <p class="keys" aria-hidden="true">
                    <span><kbd>{"↑"}</kbd><kbd>{"↓"}</kbd>{w.keys[0]}</span>
                    <span><kbd>{"Enter"}</kbd>{w.keys[1]}</span>
                    <span><kbd>{"Esc"}</kbd>{w.keys[2]}</span>
                </p>
            </div>
        </div>
    }
    .into_any()
}

fn option_id(row: usize) -> String {
    ["sh-option-", &row.to_string()].concat()
}

fn options(flow: Flow, state: &State) -> AnyView {
    let rows = state.list.rows.iter().map(matched);
    let parts = view! { <div>{flow.words.parts_row}</div><span>{flow.words.parts_row_note}</span> }.into_any();
    rows.chain([parts])
        .enumerate()
        .map(|(row, content)| {
            let chosen = state.list.active == Some(row);
            view! {
                <li
                    role="option"
                    id=option_id(row)
                    aria-selected=if chosen { "true" } else { "false" }
                    // The field keeps the focus.
                    on:mousedown=|e| e.prevent_default()
                    on:click=move |_| flow.send(Event::Choose(row))
                >
                    {content}
                </li>
            }
        })
        .collect::<Vec<_>>()
        .into_any()
}

/// A suggestion with the part that was typed in bold.
fn matched(of: &Suggestion) -> AnyView {
    let at = of.street.char_indices().nth(of.matched as usize).map_or(of.street.len(), |(at, _)| at);
    let (typed, rest) = of.street.split_at(at);
    view! { <div><b>{typed.to_owned()}</b>{rest.to_owned()}</div><span>{of.city.clone()}</span> }.into_any()
}
