//! The address in its five parts: the way round the search.

use leptos::prelude::*;

use super::address::{FORM, problems, submit};
use super::icon::{self, icon};
use super::{Flow, actions, button, lead, main_part, plan, title};
use crate::flow::Event;
use crate::flow::contact::Part;

pub fn view(flow: Flow) -> AnyView {
    let w = flow.words;
    let main = view! {
        {title(w.parts_title.to_owned())}
        {lead(w.parts_lead.to_owned())}
        {flow.live(problems)}
        <form id=FORM class="sh-form" novalidate on:submit=move |e| {
            e.prevent_default();
            flow.send(Event::MeasureParts);
        }>
            <div class="sh-two sh-street">
                {part(flow, Part::Number, "off", "text", "")}
                {part(flow, Part::Street, "address-line1", "text", "")}
            </div>
            {part(flow, Part::City, "address-level2", "text", "")}
            <div class="sh-two">
                {part(flow, Part::State, "address-level1", "text", w.parts_state_hint)}
                {part(flow, Part::Zip, "postal-code", "numeric", w.parts_zip_hint)}
            </div>
        </form>
    };
    let buttons = view! {
        {submit(flow, w.parts_go, |_| true)}
        {button(flow, "sh-btn quiet", w.parts_back, || Event::Back)}
    };
    view! { {main_part(main.into_any())} {actions(buttons.into_any())} {plan::example(flow)} }.into_any()
}

pub fn part_id(part: Part) -> &'static str {
    ["sh-number", "sh-street", "sh-city", "sh-state", "sh-zip"][part as usize]
}

fn part_note(part: Part) -> &'static str {
    ["sh-number-n", "sh-street-n", "sh-city-n", "sh-state-n", "sh-zip-n"][part as usize]
}

fn part(flow: Flow, part: Part, autocomplete: &'static str, mode: &'static str, hint: &'static str) -> AnyView {
    let problem = Memo::new(move |_| flow.state.with(|s| s.parts.problem(part).to_owned()));
    view! {
        <div class="sh-field">
            <label for=part_id(part)>{flow.words.part_labels[part as usize]}</label>
            <input
                class="sh-input"
                id=part_id(part)
                type="text"
                inputmode=mode
                autocomplete=autocomplete
                aria-describedby=part_note(part)
                aria-invalid=move || problem.with(|p| (!p.is_empty()).then_some("true"))
                prop:value=move || flow.state.with(|s| s.parts.value(part).to_owned())
                on:input:target=move |e| flow.send(Event::Part(part, e.target().value()))
            />
            <div id=part_note(part)>{move || wrong(problem.get(), hint)}</div>
        </div>
    }
    .into_any()
}

/// The words under a field: what is wrong with it, else a hint.
pub fn wrong(problem: String, hint: &'static str) -> AnyView {
    if !problem.is_empty() {
        view! { <p class="sh-error">{icon(icon::ALERT)}{problem}</p> }.into_any()
    } else if !hint.is_empty() {
        view! { <p class="sh-hint">{hint}</p> }.into_any()
    } else {
        ().into_any()
    }
}
