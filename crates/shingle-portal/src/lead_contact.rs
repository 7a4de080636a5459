//! The homeowner's contact on the page of a lead, and the form that corrects it.

use shingle_domain::lead::Lead;
use shingle_domain::rules::FieldProblem;
use shingle_domain::{Language, Rule, Violations};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::connection_form::{TypedFields, field, input};
use crate::element::{Tone, button, card, div, el, hidden, note, soft};
use crate::lead_estimate::facts;
use crate::phrase::phrase;

/// A field of the form: its label, its name, and the name of what the form showed in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactField {
    pub label: &'static str,
    pub name: &'static str,
    pub seen: &'static str,
}

/// By the name that entries have for it.
pub fn contact_field(name: &str) -> ContactField {
    match name {
        "firstName" => ContactField { label: "First name", name: "first-name", seen: "seen-first-name" },
        "lastName" => ContactField { label: "Last name", name: "last-name", seen: "seen-last-name" },
        "phone" => ContactField { label: "Phone", name: "contact-phone", seen: "seen-phone" },
        "email" => ContactField { label: "Email", name: "contact-email", seen: "seen-email" },
        _ => ContactField { label: "Address", name: "home-address", seen: "seen-address" },
    }
}

/// Of an entry, by the name that it has for the field.
pub(crate) fn edited_in_words(name: &str) -> &'static str {
    match name {
        "firstName" => "{name} changed the first name: {old} → {new}",
        "lastName" => "{name} changed the last name: {old} → {new}",
        "phone" => "{name} changed the phone: {old} → {new}",
        "email" => "{name} changed the email: {old} → {new}",
        _ => "{name} changed the address: {old} → {new}",
    }
}

/// What is wrong with a name, an email or a phone that a company's people type.
pub fn contact_problem(language: Language, name: &str, problem: FieldProblem) -> Text {
    let sentence = match (problem, name) {
        (FieldProblem::Empty, "email") => "Please type the email.",
        (FieldProblem::Empty, _) => "Please type the name.",
        (FieldProblem::TooLong(_), _) => "That’s too long. Please shorten it.",
        (FieldProblem::Unclean, _) => "It contains an invisible character. Please remove it.",
        (FieldProblem::EmailWithoutName | FieldProblem::EmailWithoutEnding | FieldProblem::EmailMalformed, _) => {
            "Please type an email address, like ann@example.com."
        }
        (FieldProblem::PhoneMalformed, _) => "A phone number has digits only, like (207) 555-0163.",
        (FieldProblem::PhoneDigits(count), _) => {
            let said = "A US phone number has 10 digits; this one has {count}.";
            return phrase(language, said, &[("count", &count.to_string())]).into();
        }
    };
    sentence.into()
}

/// What is wrong with an address.
pub fn address_problem(broken: &Violations) -> &'static str {
    let rules = || broken.0.iter().map(|violation| violation.rule.clone());
    if rules().any(|rule| rule == Rule::NotEmpty) {
        "Please type the address."
    } else if rules().any(|rule| matches!(rule, Rule::MaxLength { .. })) {
        "That’s too long. Please shorten it."
    } else {
        "It contains an invisible character. Please remove it."
    }
}

/// What the homeowner agreed for, where the lead has another number or address now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgreedFor {
    Phone(String),
    Email(String),
}

impl AgreedFor {
    pub(crate) fn in_words(&self, language: Language) -> String {
        match self {
            Self::Phone(number) => {
                phrase(language, "Consent was given for {number}, not for the new number.", &[("number", number)])
            }
            Self::Email(email) => {
                phrase(language, "Consent was given for {email}, not for the new contact details.", &[("email", email)])
            }
        }
    }
}

/// `agreed_for`: what the homeowner agreed for, where it is another now. `form` makes the form of an action.
pub(crate) fn contact(
    language: Language,
    lead: &Lead,
    agreed_for: Option<&AgreedFor>,
    typed: &TypedFields,
    form: &impl Fn(&str) -> Node,
) -> Node {
    let phone = lead.phone.as_ref().map(|phone| phone.as_str().to_owned());
    let now = |name: &str| match name {
        "firstName" => lead.first_name.clone(),
        "lastName" => lead.last_name.clone(),
        "phone" => phone.clone().unwrap_or_default(),
        "email" => lead.email_text().to_owned(),
        _ => lead.address.clone(),
    };
    let line = |name: &'static str, kind: &'static str, max: &'static str| {
        let of = contact_field(name);
        let value = typed.typed(of.name).map_or_else(|| now(name), str::to_owned);
        let input = input(kind, &value).set("maxlength", max);
        field(of.name.into(), of.label, input, None, typed.wrong(of.name))
    };
    let names = ["firstName", "lastName", "phone", "email", "address"];
    let seen = names.map(|name| hidden(contact_field(name).seen, now(name)));
    let edit = form("edit")
        .children(seen)
        .child(line("firstName", "text", "100"))
        .child(line("lastName", "text", "100"))
        .child(line("phone", "tel", "40"))
        .child(line("email", "email", "254"))
        .child(line("address", "text", "200"))
        .child(soft(
            "We look up a new address again. If we know its roof, that and its price replace these. A consent stays with the number that it was given for.",
        ))
        .child(div("pair").child(button("btn", "Save contact")));
    let details = Node::classed("details", "change");
    let is_typed = names.iter().any(|name| typed.typed(contact_field(name).name).is_some());
    let details = if is_typed { details.set("open", "") } else { details };
    let mut whole = card("Homeowner").child(facts([
        ("Email", lead.email.as_ref().map(|email| email.as_str().to_owned()), None),
        ("Phone", phone.clone(), None),
    ]));
    if let Some(agreed) = agreed_for {
        whole = whole.child(note(Tone::Look, agreed.in_words(language)));
    }
    whole.child(details.child(el("summary").text("Edit")).child(edit))
}

#[cfg(test)]
mod tests {
    use shingle_domain::public::AddressChoice;

    use super::*;

    #[test]
    fn a_refused_address_says_what_to_do() {
        let said = |text: &str| AddressChoice::Line(text.to_owned()).parse().map_err(|broken| address_problem(&broken));
        assert!(said("14 Alder Court").is_ok());
        assert_eq!(said(" ").unwrap_err(), "Please type the address.");
        assert_eq!(said(&"x".repeat(201)).unwrap_err(), "That’s too long. Please shorten it.");
        assert_eq!(said("14\u{202e}x").unwrap_err(), "It contains an invisible character. Please remove it.");
    }
}
