//! Step 3: who asks. The same form asks for a visit where nothing could be measured.

use leptos::prelude::*;

use super::icon::{self, icon};
use super::parts::wrong;
use super::{Flow, actions, lead, main_part, note, plan, title};
use crate::flow::contact::Field;
use crate::flow::{Effect, Event, Focus, Screen, State};
use crate::plan::Detail;
use crate::words::number;

const FORM: &str = "sh-form";

pub fn view(flow: Flow, visit: bool) -> AnyView {
    let w = flow.words;
    let (heading, text, go) = if visit {
        (w.visit_title, visit_lead(flow), w.visit_go)
    } else {
        (w.details_title, w.details_lead.to_owned(), w.details_go)
    };
    let main = view! {
        {title(heading.to_owned())}
        {lead(text)}
        <div role="alert">{flow.live(summary)}</div>
        {form(flow)}
    };
    let button = view! {
        <button type="submit" form=FORM class="sh-btn primary" aria-busy=flow.of(|s| s.is_sending().then_some("true"))>
            {move || if flow.state.with(State::is_sending) { w.details_busy } else { go }}
        </button>
    };
    let pane = if visit { plan::blank(flow, "only-wide") } else { plan::found(flow, Detail::Areas, "only-wide") };
    view! { {main_part(main.into_any())} {actions(button.into_any())} {pane} }.into_any()
}

fn visit_lead(flow: Flow) -> String {
    flow.read(|s| match &s.place {
        // Known to the server, but without a roof; else nobody knows the place at all.
        Some(place) if s.close_matches.is_empty() && !place.city.is_empty() => {
            flow.say_with(flow.words.visit_lead, &[("street", &place.street)])
        }
        _ => flow.say(flow.words.visit_unknown),
    })
}

fn form(flow: Flow) -> AnyView {
    let w = flow.words;
    let submit = move |e: leptos::ev::SubmitEvent| {
        e.prevent_default();
        #[cfg(feature = "csr")]
        crate::runtime::submit(flow);
    };
    view! {
        <form id=FORM class="sh-form" novalidate on:submit=submit>
            <div class="sh-two sh-names">
                {field(flow, Field::First, "text", "given-name", "text")}
                {field(flow, Field::Last, "text", "family-name", "text")}
            </div>
            {field(flow, Field::Email, "email", "email", "email")}
            {field(flow, Field::Phone, "tel", "tel", "tel")}
            <label class="sh-check">
                <input
                    type="checkbox"
                    name="consent"
                    prop:checked=flow.of(|s| s.contact.consent)
                    on:change:target=move |e| flow.send(Event::Consent(e.target().checked()))
                />
                <span>{flow.say(w.consent)}</span>
            </label>
            <div class="sh-hp" aria-hidden="true">
                <label>
                    {w.trap}
                    <input
                        type="text"
                        name="website"
                        tabindex="-1"
                        autocomplete="off"
                        prop:value=flow.of(|s| s.contact.website.clone())
                        on:input:target=move |e| flow.send(Event::Website(e.target().value()))
                    />
                </label>
            </div>
        </form>
    }
    .into_any()
}

pub fn field_id(field: Field) -> &'static str {
    ["sh-first", "sh-last", "sh-email", "sh-phone"][field as usize]
}

fn field_note(field: Field) -> &'static str {
    ["sh-first-n", "sh-last-n", "sh-email-n", "sh-phone-n"][field as usize]
}

fn field(flow: Flow, field: Field, kind: &'static str, autocomplete: &'static str, mode: &'static str) -> AnyView {
    let w = flow.words;
    let problem = Memo::new(move |_| flow.state.with(|s| s.contact.problem(field).to_owned()));
    let optional = (field == Field::Phone).then(|| view! { " "<i>{w.optional}</i> });
    view! {
        <div class="sh-field">
            <label for=field_id(field)>{w.fields[field as usize]}{optional}</label>
            <input
                class="sh-input"
                id=field_id(field)
                name=autocomplete
                type=kind
                inputmode=mode
                autocomplete=autocomplete
                required=field != Field::Phone
                aria-describedby=field_note(field)
                aria-invalid=move || problem.with(|p| (!p.is_empty()).then_some("true"))
                prop:value=move || flow.state.with(|s| s.contact.value(field).to_owned())
                on:input:target=move |e| flow.send(Event::Field(field, e.target().value()))
                on:blur=move |_| flow.send(Event::Left(field))
            />
            <div id=field_note(field) aria-live="polite">{move || wrong(problem.get(), "")}</div>
        </div>
    }
    .into_any()
}

/// "Two fields need a look", with links to them; or what the server said.
fn summary(flow: Flow, state: &State) -> AnyView {
    let w = flow.words;
    if !state.problems.is_empty() && matches!(state.screen(), Screen::Details | Screen::Visit) {
        return note("sh-note bad", icon::ALERT, state.problems.join(". "), String::new());
    }
    if !state.contact.refused {
        return ().into_any();
    }
    let wrong = state.contact.wrong().collect::<Vec<_>>();
    let count = if wrong.len() == 1 { w.wrong_one.to_owned() } else { number(w.wrong_many, wrong.len()) };
    let last = wrong.len() - 1;
    let links = wrong.into_iter().enumerate().map(|(at, field)| {
        let joint = match at {
            0 => String::new(),
            _ if at == last => [" ", w.and, " "].concat(),
            _ => ", ".to_owned(),
        };
        let go = move |e: leptos::ev::MouseEvent| {
            e.prevent_default();
            flow.run(Effect::Focus(Focus::Field(field)));
        };
        view! { {joint}<a href=["#", field_id(field)].concat() on:click=go>{w.fields[field as usize]}</a> }
    });
    view! {
        <p class="sh-note bad">{icon(icon::ALERT)}<span><b>{count}</b>" "{links.collect::<Vec<_>>()}"."</span></p>
    }
    .into_any()
}
