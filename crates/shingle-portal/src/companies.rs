//! The companies of one person: the choice on top of the menu, and what a form says of the company that it is for.

use shingle_domain::{Language, Role};
use shingle_store::OwnCompany;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::element::{button, el, hidden, link, pill, post, soft};
use crate::phrase::{phrase, translated};
use crate::signed::Signed;

/// In the menu; the page has all.
const IN_MENU: usize = 8;
/// In the place of a company's id: an operator's place outside of all companies.
pub const INSTALLATION: &str = "installation";

/// Where this leads, with the company that it is for. Who chooses a company or signs out means the person.
fn with_company(to: Option<&Text>, here: &str) -> Option<String> {
    let to = match to? {
        Text::Fixed(to) => *to,
        Text::Made(to) => to.as_str(),
        _ => return None,
    };
    let is_of_person = to.starts_with("/portal/companies") || to == "/portal/sign-out";
    let (path, anchor) = to.find('#').map_or((to, ""), |at| to.split_at(at));
    let between = if path.contains('?') { '&' } else { '?' };
    (!is_of_person).then(|| format!("{path}{between}company={here}{anchor}"))
}

pub(crate) fn role_name(role: Role) -> &'static str {
    match role {
        Role::Member => "Member",
        Role::Owner => "Owner",
        Role::Operator => "Administrator",
    }
}

/// A form names the company that it is for.
pub(crate) fn bound(node: Node, here: &str) -> Node {
    match node.tag() {
        "form" if matches!(node.value("method"), Some(Text::Fixed("post"))) => {
            match with_company(node.value("action"), here) {
                Some(to) => node.without("action").set("action", to),
                None => node,
            }
        }
        "button" => match with_company(node.value("formaction"), here) {
            Some(to) => node.without("formaction").set("formaction", to),
            None => node,
        },
        _ => node,
    }
}

pub(crate) fn choose(company: &OwnCompany, back: Option<&str>, inside: Vec<Node>) -> Node {
    let id = company.account.map_or_else(|| INSTALLATION.to_owned(), |id| id.to_string());
    post(format!("/portal/companies/{id}"))
        .children(back.map(|to| hidden("to", to.to_owned())))
        .child(button("co-pick", "").children(inside))
}

pub(crate) fn told(company: &OwnCompany) -> Vec<Node> {
    let closed = company.is_closed.then(|| pill("warn", "Closed"));
    let name = match company.account {
        Some(_) => el("b").text(company.name.clone()),
        None => el("b").text("This installation"),
    };
    let role = Node::classed("span", "soft").text(role_name(company.role));
    [el("span").child(name).child(role)].into_iter().chain(closed).collect()
}

pub(crate) fn is_here(signed: &Signed<'_>, company: &OwnCompany) -> bool {
    match company.account {
        Some(account) => signed.here.is_some_and(|here| here == account.to_string()),
        None => signed.company.is_none(),
    }
}

/// On top of the menu of a person who has several.
pub(crate) fn choice(signed: &Signed<'_>) -> Option<Node> {
    if signed.companies.len() < 2 {
        return None;
    }
    let here = signed.company.unwrap_or(translated(signed.language, "This installation"));
    let label = phrase(signed.language, "Company: {company}. Choose another", &[("company", here)]);
    let summary = el("summary").set("aria-label", label).child(el("b").text(here.to_owned()));
    let others = signed.companies.iter().filter(|company| !is_here(signed, company)).take(IN_MENU);
    let list = Node::classed("ul", "co-list")
        .children(others.map(|company| el("li").child(choose(company, None, told(company)))))
        // The page is inside of a company.
        .children(signed.company.map(|_| el("li").child(link("/portal/companies", "All your companies"))));
    Some(Node::classed("details", "co").child(summary).child(list))
}

/// What an invite says to a person who uses Shingle already.
#[derive(Debug, Clone, Copy)]
pub enum KnownPerson<'k> {
    /// Signed in as the one it is for.
    Here {
        email: &'k str,
    },
    /// Signed in, but by what others may have too.
    ByMailFirst {
        email: &'k str,
    },
    SignInFirst {
        email: &'k str,
        has_mail: bool,
    },
    /// A server without mail cannot show whose an address is.
    NoMail,
}

/// The part of an invite for a person who uses Shingle already.
pub(crate) fn known(language: Language, token: &str, company: &str, person: KnownPerson<'_>) -> Vec<Node> {
    match person {
        KnownPerson::Here { email } => {
            let said = phrase(
                language,
                "You’re signed in as {email}. After you join, you also work for {company}.",
                &[("email", email), ("company", company)],
            );
            let form = post("/portal/companies").child(hidden("token", token.to_owned()));
            vec![
                soft(said),
                form.child(button("btn ink big", phrase(language, "Join {company}", &[("company", company)]))),
            ]
        }
        KnownPerson::ByMailFirst { email } => vec![
            soft(
                "Please confirm once that this email is yours: sign in with a code that we email you. Your other browsers, passkeys and recovery codes stop working then: someone else may have set them up.",
            ),
            by_mail(email),
        ],
        KnownPerson::SignInFirst { email, has_mail } => {
            let said = soft("You already use Shingle with this email. Sign in to join with it.");
            let other = if has_mail { "Sign in another way" } else { "Sign in" };
            let other = el("p").child(link("/portal/sign-in", other));
            [said].into_iter().chain(has_mail.then(|| by_mail(email))).chain([other]).collect()
        }
        KnownPerson::NoMail => vec![soft(
            "This email is already in use here. This server sends no email, so it can’t check whose it is. Ask your administrator for a sign-in link (shingle user reset), or for an invite to another address.",
        )],
    }
}

fn by_mail(email: &str) -> Node {
    post("/portal/sign-in").child(hidden("email", email.to_owned())).child(button("btn ink big", "Email me a code"))
}
