//! The address in its five parts: the way round the search.

use super::address::{form, problems, problems_key, submit, wrong};
use super::block::{button, title};
use super::el::{Child, El, View};
use super::flow::Flow;
use super::plan;
use crate::flow::{AddressPart, Event};
use crate::runtime::dom::typed_into;
use crate::view::Markup;
use crate::view::block::{actions, inner, lead, main_part};
use crate::view::contact::{ADDRESS_FIELDS, address_hint, row};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let [number, street, city, state, zip] = AddressPart::ALL.map(|part| field(flow, part));
    let fields = form(flow, || Event::MeasureAddressForm)
        .set("class", "sh-form")
        .child(row("sh-two sh-street", number, street))
        .child(city)
        .child(row("sh-two", state, zip));
    let main = inner::<El>()
        .child(title(w::PARTS_TITLE))
        .child(lead(w::PARTS_LEAD))
        .add(flow.live(problems_key, problems))
        .child(fields);
    let buttons = actions::<El>()
        .child(submit(flow, w::PARTS_GO, |_| true))
        .child(button(flow, "sh-btn quiet", || Event::Back).text(w::PARTS_BACK));
    [main_part(main).view(), buttons.view(), plan::example(flow)].view()
}

fn field(flow: Flow, part: AddressPart) -> El {
    let of = &ADDRESS_FIELDS[part as usize];
    let problem = move || flow.complaint(|s| s.address_form.problem(part));
    let input = of
        .input::<El>(None)
        .set("aria-describedby", of.note)
        .track("aria-invalid", move || (!problem().is_empty()).then(|| "true".to_owned()))
        .value(move || flow.watch(|s| s.address_form.value(part).to_owned()))
        .on("input", move |e| flow.send(Event::AddressPart(part, typed_into(&e))));
    El::classed("div", "sh-field")
        .child(of.label(w::PART_LABELS.at(part as usize), false))
        .child(input)
        .child(El::new("div").set("id", of.note).add(wrong(problem, address_hint(part as usize))))
}
