//! Step 3: who asks. The same form asks for a visit where nothing could be measured.

use super::address::{FORM, wrong};
use super::el::{Child, El, View, boxed, el, nothing, text};
use super::icon::{self, icon};
use super::{Flow, actions, inner, lead, main_part, note, plan, title};
use crate::flow::contact::Field;
use crate::flow::{Effect, Event, Focus, State};
use crate::plan::Detail;
use crate::runtime::dom::{ticked, typed_into};
use crate::words::w;

pub fn view(flow: Flow, visit: bool) -> View {
    let (heading, words, go) = if visit {
        (w::VISIT_TITLE, visit_lead(flow).view(), w::VISIT_GO)
    } else {
        (w::DETAILS_TITLE, w::DETAILS_LEAD.view(), w::DETAILS_GO)
    };
    let main = inner()
        .add(title(heading))
        .add(lead(words))
        .add(el("div").set("role", "alert").add(flow.live(summary_key, summary)))
        .add(form(flow));
    let label = move || flow.words[if flow.watch(State::is_sending) { w::DETAILS_BUSY } else { go }].to_owned();
    let button = boxed("button", "sh-btn primary")
        .set("type", "submit")
        .set("form", FORM)
        .follow(flow, "aria-busy", |s| s.is_sending().then(|| "true".to_owned()))
        .add(text(label));
    let pane = if visit {
        plan::blank("sh-pane only-wide")
    } else {
        plan::found(flow, Detail::Areas, "sh-pane only-wide", None)
    };
    [main_part(main).view(), actions().add(button).view(), pane].view()
}

fn visit_lead(flow: Flow) -> String {
    flow.read(|s| match &s.place {
        // Known to the server, but without a roof; else nobody knows the place at all.
        Some(place) if s.close_matches.is_empty() && !place.city.is_empty() => {
            flow.say_with(w::VISIT_LEAD, &[("street", &place.street)])
        }
        _ => flow.say(w::VISIT_UNKNOWN),
    })
}

fn form(flow: Flow) -> El {
    let consent = el("input")
        .all(&[("type", "checkbox"), ("name", "consent")])
        .checked(move || flow.watch(|s| s.contact.consent))
        .on("change", move |e| flow.send(Event::Consent(ticked(&e))));
    let trap = el("input")
        .all(&[("type", "text"), ("name", "website"), ("tabindex", "-1"), ("autocomplete", "off")])
        .value(move || flow.watch(|s| s.contact.website.clone()))
        .on("input", move |e| flow.send(Event::Website(typed_into(&e))));
    let names = boxed("div", "sh-two sh-names").add(field(flow, Field::First, "text", "given-name")).add(field(
        flow,
        Field::Last,
        "text",
        "family-name",
    ));
    boxed("form", "sh-form")
        .set("id", FORM)
        .set("novalidate", "")
        .on("submit", move |e| {
            e.prevent_default();
            crate::runtime::submit(flow);
        })
        .add(names)
        .add(field(flow, Field::Email, "email", "email"))
        .add(field(flow, Field::Phone, "tel", "tel"))
        .add(boxed("label", "sh-check").add(consent).add(el("span").add(flow.say(w::CONSENT))))
        .add(boxed("div", "sh-hp").set("aria-hidden", "true").add(el("label").add(w::TRAP).add(trap)))
}

pub fn field_id(field: Field) -> &'static str {
    ["sh-first", "sh-last", "sh-email", "sh-phone"][field as usize]
}

fn field_note(field: Field) -> &'static str {
    ["sh-first-n", "sh-last-n", "sh-email-n", "sh-phone-n"][field as usize]
}

fn field(flow: Flow, field: Field, kind: &'static str, autocomplete: &'static str) -> El {
    let problem = move || flow.complaint(|s| s.contact.problem(field));
    let label = el("label").set("for", field_id(field)).add(w::FIELDS.at(field as usize));
    let optional = field == Field::Phone;
    let label = if optional { label.add(" ").add(el("i").add(w::OPTIONAL)) } else { label };
    let input = boxed("input", "sh-input")
        .set("id", field_id(field))
        .set("name", autocomplete)
        .set("type", kind)
        .set("inputmode", kind)
        .set("autocomplete", autocomplete)
        // Enter sends the form: only the last field may promise that. Between fields the browser's own word is right.
        .track("enterkeyhint", move || optional.then(|| "go".to_owned()))
        .set("aria-required", if optional { "false" } else { "true" })
        .set("aria-describedby", field_note(field))
        .track("aria-invalid", move || (!problem().is_empty()).then(|| "true".to_owned()))
        .value(move || flow.watch(|s| s.contact.value(field).to_owned()))
        .on("input", move |e| flow.send(Event::Field(field, typed_into(&e))))
        .on("blur", move |_| flow.send(Event::Left(field)));
    let note = el("div").set("id", field_note(field)).set("aria-live", "polite").add(wrong(problem, None));
    boxed("div", "sh-field").add(label).add(input).add(note)
}

fn summary_key(state: &State) -> String {
    let wrong: String = state.contact.wrong().map(field_id).collect();
    [wrong, state.contact.refused.to_string(), state.rejected.to_string()].concat()
}

/// "2 fields need a look", with links to them; or the server did not take them.
fn summary(flow: Flow, state: &State) -> View {
    if state.rejected {
        return note("sh-note bad", icon::ALERT, w::REJECTED.at(0), flow.say(w::REJECTED.at(1))).view();
    }
    if !state.contact.refused {
        return nothing();
    }
    let wrong = state.contact.wrong().collect::<Vec<_>>();
    let count = flow.words.number(if wrong.len() == 1 { w::WRONG_ONE } else { w::WRONG_MANY }, wrong.len());
    let last = wrong.len().saturating_sub(1);
    let mut words = el("span").add(el("b").add(count)).add(" ");
    for (at, field) in wrong.into_iter().enumerate() {
        words = match at {
            0 => words,
            _ if at == last => words.add(" ").add(w::AND).add(" "),
            _ => words.add(", "),
        };
        let link = el("a").put("href", ["#", field_id(field)].concat()).add(w::FIELDS.at(field as usize));
        words = words.add(link.on("click", move |e| {
            e.prevent_default();
            flow.run(Effect::Focus(Focus::Field(field)));
        }));
    }
    boxed("p", "sh-note bad").add(icon(icon::ALERT)).add(words.add(".")).view()
}
