//! Step 3: who asks. The same form asks for a visit where nothing could be measured.

use super::address::wrong;
use super::block::title;
use super::el::{Child, El, View, nothing, text};
use super::flow::Flow;
use super::plan;
use crate::flow::contact::Field;
use crate::flow::{Effect, Event, Focus, State};
use crate::runtime::dom::{ticked, typed_into};
use crate::runtime::submit::submit;
use crate::strokes::ALERT;
use crate::view::block::{actions, inner, lead, main_part, note};
use crate::view::contact::{CONTACT_FIELDS, FORM, consent, row, summary, tick, trap, trap_input};
use crate::view::{Markup, Text};
use crate::words::w;

pub fn view(flow: Flow, visit: bool) -> View {
    let (heading, words, go) = if visit {
        (w::VISIT_TITLE, visit_lead(flow).into(), w::VISIT_GO)
    } else {
        (w::DETAILS_TITLE, Text::Word(w::DETAILS_LEAD), w::DETAILS_GO)
    };
    let why = if visit { flow.read(|s| s.why.0.clone()) } else { String::new() };
    let main = inner::<El>()
        .child(title(heading))
        .child(lead(words))
        .part(why)
        .child(El::new("div").set("role", "alert").add(flow.live(problems_key, problems)))
        .child(form(flow));
    let label = move || flow.words[if flow.watch(State::is_sending) { w::DETAILS_BUSY } else { go }].to_owned();
    let button = El::classed("button", "sh-btn primary")
        .set("type", "submit")
        .set("form", FORM)
        .set("aria-describedby", "sh-to")
        .follow(flow, "aria-busy", |s| s.is_sending().then(|| "true".to_owned()))
        .add(text(label));
    // The recipient of what was typed is named beside the button that sends it.
    let to = El::classed("p", "sh-to").set("id", "sh-to").text(flow.say(w::RECEIVES));
    [main_part(main).view(), actions::<El>().child(to).child(button).view(), plan::aside(flow)].view()
}

fn visit_lead(flow: Flow) -> String {
    flow.read(|s| match &s.address {
        // The server knows this address, but no roof of it; otherwise it does not know the address.
        Some(address) if s.close_matches.is_empty() && !address.city.is_empty() => {
            flow.say_with(w::VISIT_LEAD, &[("street", &address.street)])
        }
        _ => flow.say(w::VISIT_UNKNOWN),
    })
}

fn form(flow: Flow) -> El {
    let agreed = tick::<El>()
        .checked(move || flow.watch(|s| s.contact.consent))
        .on("change", move |e| flow.send(Event::Consent(ticked(&e))));
    let trapped = trap_input::<El>()
        .value(move || flow.watch(|s| s.contact.website.clone()))
        .on("input", move |e| flow.send(Event::Website(typed_into(&e))));
    let [first, last, email, phone] = Field::ALL.map(|each| field(flow, each));
    El::classed("form", "sh-form")
        .set("id", FORM)
        .set("novalidate", "")
        .on("submit", move |e| {
            e.prevent_default();
            submit(flow);
        })
        .child(row("sh-two sh-names", first, last))
        .child(email)
        .child(phone)
        .child(consent(agreed, flow.say(w::CONSENT)))
        .child(trap(trapped))
}

fn field(flow: Flow, field: Field) -> El {
    let of = &CONTACT_FIELDS[field as usize];
    let problem = move || flow.complaint(|s| s.contact.problem(field));
    let optional = field == Field::Phone;
    let input = of
        .input::<El>(Some(of.autocomplete))
        // Enter submits the form, so only the last field says "go". The others keep the browser's default.
        .track("enterkeyhint", move || optional.then(|| "go".to_owned()))
        .set("aria-required", if optional { "false" } else { "true" })
        .set("aria-describedby", of.note)
        .track("aria-invalid", move || (!problem().is_empty()).then(|| "true".to_owned()))
        .value(move || flow.watch(|s| s.contact.value(field).to_owned()))
        .on("input", move |e| flow.send(Event::Field(field, typed_into(&e))))
        .on("blur", move |_| flow.send(Event::Left(field)));
    let note = El::new("div").set("id", of.note).set("aria-live", "polite").add(wrong(problem, None));
    El::classed("div", "sh-field").child(of.label(w::FIELDS.at(field as usize), optional)).child(input).child(note)
}

fn problems_key(state: &State) -> String {
    let wrong: String = state.contact.wrong().map(|field| CONTACT_FIELDS[field as usize].id).collect();
    [wrong, state.contact.refused.to_string(), state.rejected.to_string()].concat()
}

/// What is wrong with the fields, with links to them; or that the server rejected them.
fn problems(flow: Flow, state: &State) -> View {
    if state.rejected {
        return note::<El>("sh-note bad", ALERT, w::REJECTED.at(0), flow.say(w::REJECTED.at(1))).view();
    }
    if !state.contact.refused {
        return nothing();
    }
    let wrong: Vec<usize> = state.contact.wrong().map(|field| field as usize).collect();
    let follow = move |link: El, field: usize| {
        link.on("click", move |e| {
            e.prevent_default();
            flow.run(Effect::Focus(Focus::Field(Field::ALL[field])));
        })
    };
    summary(flow.words, &wrong, follow).view()
}
