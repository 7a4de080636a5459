//! The company's people and who is invited.

use shingle_domain::{Language, Role, UserId, WidgetScope};
use shingle_store::{Invite, User};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::companies::role_name;
use crate::connection_form::{check, ticks};
use crate::element::{
    Field, Tone, button, card, copied, div, el, hidden, link, note, once, p, pill, post, select, soft,
};
use crate::frame::{Place, Signed, shell};
use crate::phrase::{phrase, translated};
use crate::sign_in::role_in_words;
use crate::time::Hours;

pub struct People<'p> {
    pub users: &'p [User],
    pub invites: &'p [Invite],
    pub own: UserId,
    pub hours: &'p Hours,
    /// The link that was just made: it is shown once.
    pub link: Option<&'p str>,
    /// Whether it also went out by mail.
    pub mailed: bool,
    pub email: &'p str,
    pub wrong: Option<&'static str>,
    /// Ids and names of the company's widgets.
    pub widgets: &'p [(String, String)],
    /// Those that are ticked for the next invite.
    pub ticked: &'p WidgetScope,
}

/// One tick for each widget, those of `scope` ticked.
fn widget_ticks(widgets: &[(String, String)], scope: &WidgetScope, hint: &'static str) -> Option<Node> {
    let is_on = |id: &String| scope.ids().is_some_and(|ids| ids.iter().any(|own| own.to_string() == *id));
    let boxes = widgets.iter().map(|(id, name)| check("widget".to_owned(), id, name.clone(), is_on(id)));
    let boxes = ticks("Only these widgets", boxes);
    let choice = |value: &'static str, label: &'static str, is_on: bool| {
        let input = el("input").set("type", "radio").set("name", "sees").set("value", value);
        let input = if is_on { input.set("checked", "") } else { input };
        el("label").set("class", "tick").child(input).child(el("span").text(label))
    };
    let which = [
        choice("all", "Every widget", scope.is_all()),
        choice("only", "Only the widgets ticked below", !scope.is_all()),
    ];
    let which = ticks("What they see", which);
    (!widgets.is_empty()).then(|| div("stack").child(which).child(boxes.child(Node::classed("p", "hint").text(hint))))
}

/// `Client: Oak Street Roofing, Elm Roofing`.
fn role_with_widgets(language: Language, role: Role, scope: &WidgetScope, widgets: &[(String, String)]) -> Node {
    let Some(ids) = scope.ids() else { return el("span").text(role_name(role)) };
    let names = ids.iter().filter_map(|id| widgets.iter().find(|(known, _)| *known == id.to_string()));
    let names: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
    el("span").text(phrase(language, "Client: {widgets}", &[("widgets", &names.join(", "))]))
}

/// What a member sees, to be changed.
fn chosen_widgets(view: &People<'_>, language: Language, user: &User) -> Option<Node> {
    if user.role != Role::Member {
        return None;
    }
    let hint = "Their leads of other widgets become unassigned.";
    let which = widget_ticks(view.widgets, &user.sees, hint)?;
    let name = [("name", user.name.as_str())];
    let summary = el("summary")
        .set("class", "btn")
        .text("Widgets…")
        .set("aria-label", phrase(language, "Widgets of {name}…", &name));
    let form = post(format!("/portal/people/{}/widgets", user.id)).child(which).child(button("btn", "Save"));
    Some(Node::classed("details", "ask").child(summary).child(form))
}

/// An administrator is one on the command line alone.
fn other_role(language: Language, user: &User) -> Option<Node> {
    let (role, about, does) = match user.role {
        Role::Member => (
            Role::Owner,
            "They can then also change widgets, notices, connections and settings, invite and remove people, and see results, usage and the log.",
            "Make {name} an owner",
        ),
        Role::Owner => {
            (Role::Member, "They can then only read and answer leads, of every widget.", "Make {name} a member")
        }
        Role::Operator => return None,
    };
    let name = [("name", user.name.as_str())];
    let summary =
        el("summary").set("class", "btn").text("Role…").set("aria-label", phrase(language, "Role of {name}…", &name));
    let form = post(format!("/portal/people/{}/role", user.id))
        .child(hidden("role", role.as_str().to_owned()))
        .child(button("btn", phrase(language, does, &name)));
    Some(Node::classed("details", "ask").child(summary).child(soft(about)).child(form))
}

pub fn people_page(signed: &Signed<'_>, view: &People<'_>) -> String {
    let language = signed.language;
    let users = view.users.iter().map(|user| {
        let about = div("who2").child(el("b").text(user.name.as_str().to_owned())).child(
            Node::classed("span", "soft").text(format!("{} · ", user.email.as_str())).child(role_with_widgets(
                language,
                user.role,
                &user.sees,
                view.widgets,
            )),
        );
        let row = el("li").child(about);
        if user.id == view.own {
            return row.child(pill("pill ok", "You"));
        }
        let name = [("name", user.name.as_str())];
        row.children(chosen_widgets(view, language, user)).children(other_role(language, user)).child(
            Node::classed("details", "ask")
                .child(
                    el("summary")
                        .set("class", "btn bad")
                        .text("Remove…")
                        .set("aria-label", phrase(language, "Remove {name}…", &name)),
                )
                .child(soft("They lose access now. Their leads become unassigned."))
                .child(p("").child(link(format!("/portal/leads?assignee={}", user.id), "See their leads")))
                .child(
                    post(format!("/portal/people/{}/remove", user.id))
                        .child(button("btn bad", phrase(language, "Remove {name}", &name))),
                ),
        )
    });
    let people = card("People").child(Node::classed("ul", "rows").children(users));
    let mut page = Vec::new();
    if let Some(made) = view.link {
        let said = if view.mailed {
            "We’ve emailed the invite. Here is the link too; you won’t see it again:"
        } else {
            "Send this link to your teammate. You won’t see it again:"
        };
        page.push(
            Node::classed("section", "card")
                .set("aria-label", "The new invite")
                .child(note(Tone::Well, said))
                .child(Node::classed("p", "mono").set("id", "invite-link").text(made.to_owned()))
                .child(copied("invite-link")),
        );
    }
    page.push(people);
    if !view.invites.is_empty() {
        let invites = view.invites.iter().map(|invite| {
            let whom = match &invite.email {
                Some(email) => email.as_str().to_owned(),
                None => translated(language, "Anyone with the link").to_owned(),
            };
            let until = phrase(language, "until {time}", &[("time", &view.hours.full(invite.expires_at))]);
            let about = div("who2").child(el("b").text(whom.clone())).child(
                Node::classed("span", "soft")
                    .child(role_with_widgets(language, invite.role, &invite.sees, view.widgets))
                    .child(el("span").text(format!(" · {until}"))),
            );
            let label = phrase(language, "Withdraw the invite for {whom}", &[("whom", &whom)]);
            el("li").child(about).child(
                post(format!("/portal/people/invites/{}/end", invite.id))
                    .child(button("btn", "Withdraw").set("aria-label", label)),
            )
        });
        page.push(card("Invited").child(Node::classed("ul", "rows").children(invites)));
    }
    let roles = [Role::Member, Role::Owner].map(|role| (role.as_str().to_owned(), role_in_words(role)));
    let address = Field {
        label: "Email",
        name: "email",
        kind: "email",
        autocomplete: "off",
        value: view.email,
        hint: Some("The invite works once, within 7 days, for this address."),
        wrong: view.wrong,
    };
    let role =
        div("field").child(el("label").set("for", "role").text("As")).child(select("role", "role", roles, "member"));
    page.push(
        card("Invite a teammate")
            .child(soft("A member reads and answers leads. An owner also changes widgets, notices, connections and settings, and sees results, usage, people and the log."))
            .child(
                post("/portal/people/invites")
                    .set("novalidate", "")
                    .child(once(signed))
                    .child(address.node())
                    .child(role)
                    .children(widget_ticks(
                        view.widgets,
                        view.ticked,
                        "For a client: a member who sees the leads, results and notices of these widgets and nothing else.",
                    ))
                    .child(button("btn ink", "Invite")),
            ),
    );
    shell(signed, Place::People, "People", Vec::new(), page)
}
