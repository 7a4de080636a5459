//! The companies of one person: the choice on top of the menu, and the page with all of them.

use shingle_domain::Language;
use shingle_store::OwnCompany;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::element::{button, div, el, hidden, link, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::menu::badge;
use crate::people::role_name;
use crate::phrase::phrase;

/// In the menu; the page has all.
const IN_MENU: usize = 8;
/// From so many on, the page has a field that finds one.
const SEARCHED: usize = 10;

/// A company with its new leads.
pub struct CompanyRow<'c> {
    pub company: &'c OwnCompany,
    pub new_leads: u64,
}

/// Where this leads, with the company that it is for. Who chooses a company or signs out means the person.
fn with_company(to: Option<&Text>, here: &str) -> Option<String> {
    let to = match to? {
        Text::Fixed(to) => *to,
        Text::Made(to) => to.as_str(),
        _ => return None,
    };
    let is_of_person = to.starts_with("/portal/companies") || to == "/portal/sign-out";
    let between = if to.contains('?') { '&' } else { '?' };
    (!is_of_person).then(|| format!("{to}{between}company={here}"))
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

fn choose(company: &OwnCompany, back: Option<&str>, inside: Vec<Node>) -> Node {
    post(format!("/portal/companies/{}", company.account))
        .children(back.map(|to| hidden("to", to.to_owned())))
        .child(button("co-pick", "").children(inside))
}

fn told(company: &OwnCompany) -> Vec<Node> {
    let closed = company.is_closed.then(|| pill("warn", "Closed"));
    let name = el("b").text(company.name.clone());
    let role = Node::classed("span", "soft").text(role_name(company.role));
    [el("span").child(name).child(role)].into_iter().chain(closed).collect()
}

fn is_here(signed: &Signed<'_>, company: &OwnCompany) -> bool {
    signed.here.is_some_and(|here| here == company.account.to_string())
}

/// On top of the menu of a person who has several.
pub(crate) fn choice(signed: &Signed<'_>) -> Option<Node> {
    if signed.companies.len() < 2 {
        return None;
    }
    let here = signed.company.unwrap_or_default();
    let label = phrase(signed.language, "Company: {company}. Choose another", &[("company", here)]);
    let summary = el("summary").set("aria-label", label).child(el("b").text(here.to_owned()));
    let others = signed.companies.iter().filter(|company| !is_here(signed, company)).take(IN_MENU);
    let list = Node::classed("ul", "co-list")
        .children(others.map(|company| el("li").child(choose(company, None, told(company)))))
        .child(el("li").child(link("/portal/companies", "All your companies")));
    Some(Node::classed("details", "co").child(summary).child(list))
}

pub fn companies_page(signed: &Signed<'_>, rows: &[CompanyRow<'_>]) -> String {
    let language = signed.language;
    let row = |CompanyRow { company, new_leads }: &CompanyRow<'_>| {
        let new = (*new_leads > 0).then(|| {
            let count = badge(*new_leads);
            pill("new", phrase(language, "{count} new", &[("count", &count)]))
        });
        let inside: Vec<Node> = told(company).into_iter().chain(new).collect();
        match is_here(signed, company) {
            true => el("li").child(div("co-pick").children(inside).child(pill("ok", "You’re here"))),
            false => el("li").child(choose(company, None, inside)),
        }
    };
    let list = Node::classed("ul", "co-list").children(rows.iter().map(row));
    let find = (rows.len() >= SEARCHED).then(|| {
        let field =
            el("input").set("class", "in").set("id", "co-find").set("type", "search").set("autocomplete", "off");
        // It finds by a script alone.
        let label = el("label").set("for", "co-find").text("Find a company");
        div("field").set("id", "co-finder").set("hidden", "").child(label).child(field)
    });
    let card = Node::classed("section", "card").set("aria-label", "Your companies").children(find).child(list);
    let about = soft("You sign in once, and work in each of these companies with the role you have there.");
    shell(signed, Place::More, "Your companies", Vec::new(), vec![about, card])
}

/// To a person who opened what this company does not have: it may belong to another one of theirs.
pub fn perhaps_elsewhere_page(signed: &Signed<'_>, path: &str) -> String {
    let others = signed.companies.iter().filter(|company| !is_here(signed, company));
    let list = Node::classed("ul", "co-list")
        .children(others.map(|company| el("li").child(choose(company, Some(path), told(company)))));
    let company = signed.company.unwrap_or_default();
    let said = phrase(
        signed.language,
        "{company} doesn’t have this page. It may have been erased, or it belongs to another one of your companies. Choose one to look there.",
        &[("company", company)],
    );
    let card = Node::classed("section", "card").set("aria-label", "Your companies").child(list);
    shell(signed, Place::More, "Nothing here", Vec::new(), vec![soft(said), card])
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
                "Please show once that this email is yours: sign in with a code that we email you. Your other browsers, passkeys and recovery codes stop working then, because they are older than that proof.",
            ),
            by_mail(email),
        ],
        KnownPerson::SignInFirst { email } => vec![
            soft("You already use Shingle with this email. Sign in to join with it."),
            by_mail(email),
            el("p").child(link("/portal/sign-in", "Sign in another way")),
        ],
        KnownPerson::NoMail => vec![soft(
            "This email is already in use here. This server sends no email, so it can’t check whose it is: ask for an invite to another address.",
        )],
    }
}

fn by_mail(email: &str) -> Node {
    post("/portal/sign-in").child(hidden("email", email.to_owned())).child(button("btn ink big", "Email me a code"))
}
