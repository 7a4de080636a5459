//! The address in its five parts: the way round the search.

use super::address::{form, problems, problems_key, submit, wrong};
use super::el::{Child, El, View, boxed, el};
use super::{Flow, actions, button, inner, lead, main_part, plan, title};
use crate::flow::Event;
use crate::flow::contact::Part;
use crate::runtime::dom::typed_into;
use crate::words::{Word, w};

pub fn view(flow: Flow) -> View {
    let street = boxed("div", "sh-two sh-street").add(part(flow, Part::Number, "off", "text", None)).add(part(
        flow,
        Part::Street,
        "address-line1",
        "text",
        None,
    ));
    let state = boxed("div", "sh-two")
        .add(part(flow, Part::State, "address-level1", "text", Some(w::PARTS_STATE_HINT)))
        .add(part(flow, Part::Zip, "postal-code", "numeric", Some(w::PARTS_ZIP_HINT)));
    let fields = form(flow, || Event::MeasureParts)
        .set("class", "sh-form")
        .add(street)
        .add(part(flow, Part::City, "address-level2", "text", None))
        .add(state);
    let main =
        inner().add(title(w::PARTS_TITLE)).add(lead(w::PARTS_LEAD)).add(flow.live(problems_key, problems)).add(fields);
    let buttons = actions()
        .add(submit(flow, w::PARTS_GO, |_| true))
        .add(button(flow, "sh-btn quiet", || Event::Back).add(w::PARTS_BACK));
    [main_part(main).view(), buttons.view(), plan::example(flow)].view()
}

pub fn part_id(part: Part) -> &'static str {
    ["sh-number", "sh-street", "sh-city", "sh-state", "sh-zip"][part as usize]
}

fn part_note(part: Part) -> &'static str {
    ["sh-number-n", "sh-street-n", "sh-city-n", "sh-state-n", "sh-zip-n"][part as usize]
}

fn part(flow: Flow, part: Part, autocomplete: &'static str, mode: &'static str, hint: Option<Word>) -> El {
    let problem = move || flow.complaint(|s| s.parts.problem(part));
    let input = boxed("input", "sh-input")
        .set("id", part_id(part))
        .set("type", "text")
        .set("inputmode", mode)
        .set("autocomplete", autocomplete)
        .set("aria-describedby", part_note(part))
        .track("aria-invalid", move || (!problem().is_empty()).then(|| "true".to_owned()))
        .value(move || flow.watch(|s| s.parts.value(part).to_owned()))
        .on("input", move |e| flow.send(Event::Part(part, typed_into(&e))));
    boxed("div", "sh-field")
        .add(el("label").set("for", part_id(part)).add(w::PART_LABELS.at(part as usize)))
        .add(input)
        .add(el("div").set("id", part_note(part)).add(wrong(problem, hint)))
}
