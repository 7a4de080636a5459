//! An address that matches nothing, and those that come close to it.

use leptos::prelude::*;
use shingle_domain::public::Suggestion;

use super::icon::{self, icon};
use super::{Flow, actions, button, lead, main_part, plan, title};
use crate::flow::Event;

pub fn view(flow: Flow) -> AnyView {
    let w = flow.words;
    let (typed, close) =
        flow.read(|s| (s.place.as_ref().map(|p| p.line()).unwrap_or_default(), s.close_matches.clone()));
    let text = if close.is_empty() { w.notfound_none } else { w.notfound_close };
    let choices = (!close.is_empty()).then(|| {
        let rows = close.iter().enumerate().map(|(row, of)| choice(flow, row, of, &typed)).collect::<Vec<_>>();
        view! { <ul class="sh-choices" aria-label=w.notfound_list>{rows}</ul> }
    });
    let main = view! {
        {title(w.notfound_title.to_owned())}
        {lead(flow.say_with(text, &[("typed", &typed)]))}
        {choices}
        <p class="sh-more">{button(flow, "sh-link", w.parts_row, || Event::OpenParts)}</p>
    };
    let buttons = view! {
        {button(flow, "sh-btn primary", w.notfound_edit, || Event::RoofNo)}
        {button(flow, "sh-btn quiet", w.notfound_person, || Event::AskVisit)}
    };
    view! { {main_part(main.into_any())} {actions(buttons.into_any())} {plan::blank(flow, "only-wide")} }.into_any()
}

fn choice(flow: Flow, row: usize, of: &Suggestion, typed: &str) -> AnyView {
    view! {
        <li>
            <button type="button" class="sh-choice" on:click=move |_| flow.send(Event::CloseMatch(row))>
                {icon(icon::PIN)}
                <span><b>{differences(&of.street, typed)}</b><small>{of.city.clone()}</small></span>
                {icon(icon::ARROW)}
            </button>
        </li>
    }
    .into_any()
}

/// The words of `street`, underlined where `typed` has none like it.
fn differences(street: &str, typed: &str) -> AnyView {
    let same = |word: &str| {
        typed.split(|c: char| c == ',' || c.is_whitespace()).any(|t| t.eq_ignore_ascii_case(word.trim_end_matches(',')))
    };
    street
        .split_inclusive(' ')
        .map(|piece| {
            let word = piece.trim_end();
            let text = word.to_owned();
            let space = if word.len() < piece.len() { " " } else { "" };
            let shown = if same(word) { text.into_any() } else { view! { <mark>{text}</mark> }.into_any() };
            view! { {shown}{space} }.into_any()
        })
        .collect::<Vec<_>>()
        .into_any()
}
