//! Ready-made replies of a company: made and edited under Settings.

use shingle_domain::Language;
use shingle_domain::reply::{Place as ReplyPlace, ReplyField, ReplyProblem, ReplyText};
use shingle_store::ReplyTemplate;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::connection_form::{TypedFields, field, hint, input};
use crate::element::{button, card, div, el, hidden, link, once, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;

/// The form's name of a field.
pub fn reply_field(field: ReplyField) -> &'static str {
    match field {
        ReplyField::Name => "reply-name",
        ReplyField::Subject => "reply-subject",
        ReplyField::Body => "reply-body",
    }
}

pub fn reply_problem(language: Language, problem: &ReplyProblem) -> Text {
    match problem {
        ReplyProblem::Empty => "Please write something.".into(),
        ReplyProblem::Long => "That’s too long. Please shorten it.".into(),
        ReplyProblem::Unclean => "It contains an invisible character. Please remove it.".into(),
        ReplyProblem::UnknownPlace(place) => phrase(
            language,
            "We can’t fill in {place}. Use one of the words below.",
            &[("place", &format!("{{{place}}}"))],
        )
        .into(),
    }
}

fn form(signed: &Signed<'_>, path: &str, shown: (&str, &str, &str), typed: &TypedFields, seen: Option<i64>) -> Node {
    let (name, subject, body) = shown;
    let value = |of: ReplyField, stored: &str| typed.typed(reply_field(of)).unwrap_or(stored).to_owned();
    let line = |of: ReplyField, label: &'static str, most: usize, stored: &str, under: Option<Node>| {
        let input = input("text", &value(of, stored)).set("maxlength", most.to_string());
        field(reply_field(of).into(), label, input, under, typed.wrong(reply_field(of)))
    };
    let places: Vec<String> = ReplyPlace::ALL.iter().map(|place| format!("{{{}}}", place.as_str())).collect();
    let with = [("places", places.join(", "))];
    let said =
        phrase(signed.language, "We fill in {places}.", &with.each_ref().map(|(name, value)| (*name, value.as_str())));
    let area = el("textarea").set("class", "in").set("rows", "6").set("maxlength", ReplyText::MAX_BODY.to_string());
    let area = area.text(value(ReplyField::Body, body));
    let under = Some(Node::classed("p", "hint").text(said));
    post(path.to_owned())
        .set("class", "new-lead")
        .child(once(signed))
        .children(seen.map(|seen| hidden("seen", seen.to_string())))
        .child(line(ReplyField::Name, "Name of the reply", ReplyText::MAX_NAME, name, None))
        .child(line(
            ReplyField::Subject,
            "Subject",
            ReplyText::MAX_SUBJECT,
            subject,
            hint("For emails. Leave blank for texts."),
        ))
        .child(field(
            reply_field(ReplyField::Body).into(),
            "Message",
            area,
            under,
            typed.wrong(reply_field(ReplyField::Body)),
        ))
        .child(div("pair").child(button("btn ink", "Save reply")))
}

/// `open`: the one that was refused, or a new one that was, with what was typed.
pub fn replies_page(
    signed: &Signed<'_>,
    templates: &[ReplyTemplate],
    open: Option<&str>,
    typed: &TypedFields,
) -> String {
    let none = TypedFields::default();
    let back = soft("").child(link("/portal/settings", "Settings"));
    let about =
        soft("For emails and texts to homeowners. Pick one on a lead’s page; you can change it before you send it.");
    let mut inside = vec![back, about];
    for template in templates {
        let id = template.id.to_string();
        let path = format!("/portal/settings/replies/{id}");
        let is_open = open == Some(id.as_str());
        let of = if is_open { typed } else { &none };
        let ReplyText { name, subject, body } = &template.text;
        // The ids of fields are of the page: only the open one has them.
        let details = Node::classed("section", "card").child(el("h2").text(name.clone()));
        let shown = match is_open {
            true => details.child(form(signed, &path, (name, subject, body), of, Some(template.updated_at.micros()))),
            false => details
                .child(Node::classed("blockquote", "said").text(body.clone()))
                .child(link(format!("/portal/settings/replies?open={id}"), "Edit").set("class", "btn")),
        };
        inside.push(shown.child(post(format!("{path}/delete")).child(button("btn bad", "Delete reply"))));
    }
    inside.push(match open {
        None | Some("") => {
            let new = form(signed, "/portal/settings/replies", ("", "", ""), typed, None);
            card("New reply").child(new)
        }
        Some(_) => soft("").child(link("/portal/settings/replies", "New reply").set("class", "btn")),
    });
    shell(signed, Place::Settings, "Replies", Vec::new(), inside)
}
