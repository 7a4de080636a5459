//! All accounts of the installation, and a new one: for operators.

use shingle_domain::{Language, Usd};
use shingle_store::{Account, AccountOverview};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::thousands;

use crate::counted::{Counted, counted};
use crate::element::{Field, Tone, button, card, copied, div, el, link, note, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;
use crate::responsive_table::{Cell, figure, responsive_table};

/// How many are on a page: with more, one searches.
pub const MAX_LISTED_ACCOUNTS: usize = 200;

pub struct AccountsView<'v> {
    /// Those that were found, at most [`MAX_LISTED_ACCOUNTS`] of them.
    pub accounts: &'v [AccountOverview],
    pub found: usize,
    pub all: usize,
    pub search: &'v str,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct NewAccountView<'v> {
    pub name: &'v str,
    pub email: &'v str,
    pub wrong: Option<(&'static str, &'static str)>,
    pub mail_is_set: bool,
}

pub(crate) fn dollars(amount: Usd) -> String {
    let cents = amount.cents();
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}${}.{:02}", thousands((cents / 100).abs()), (cents % 100).abs())
}

pub(crate) fn calls(language: Language, account: &Account) -> String {
    let used = figure(account.used_this_month);
    match account.monthly_limit {
        Some(limit) => phrase(language, "{used} of {limit}", &[("used", &used), ("limit", &figure(limit))]),
        None => used,
    }
}

pub(crate) fn balance(account: &Account) -> Cell {
    match account.balance {
        Some(balance) => Cell::text(dollars(balance)),
        None => Cell::text("Not prepaid"),
    }
}

/// What stops its calls, the most lasting cause first.
pub(crate) fn state(account: &Account) -> Node {
    match account {
        account if account.closing.is_some_and(|closing| closing.erased_at.is_some()) => pill("pill", "Erased"),
        account if account.closing.is_some() => pill("pill bad", "Closed"),
        account if account.paused => pill("pill", "Paused"),
        account if account.monthly_limit.is_some_and(|limit| account.used_this_month >= limit) => {
            pill("pill bad", "Limit reached")
        }
        account if account.balance.is_some_and(|balance| balance.cents() <= 0) => pill("pill bad", "No balance"),
        _ => pill("pill ok", "Active"),
    }
}

pub fn accounts_page(signed: &Signed<'_>, view: &AccountsView<'_>) -> String {
    let language = signed.language;
    let new = link("/portal/operator/accounts/new", "New account").set("class", "btn ink");
    let said = counted(language, Counted::ACCOUNTS, view.all as i64);
    let search = el("form")
        .set("method", "get")
        .set("action", "/portal/operator")
        .set("role", "search")
        .set("class", "inline")
        .children([
            el("label").set("for", "q").set("class", "label").text("Find an account"),
            el("input")
                .set("id", "q")
                .set("name", "q")
                .set("type", "search")
                .set("class", "in")
                .set("value", view.search.to_owned()),
            el("button").set("type", "submit").set("class", "btn").text("Find"),
        ]);
    let mut list = Node::classed("section", "card").set("aria-label", "Accounts").child(search);
    if view.accounts.is_empty() {
        list = list.child(soft("No account has this in its name, its owner or its number."));
    } else {
        if view.found > view.accounts.len() {
            let shown = phrase(
                language,
                "The first {shown} of {found}. Search to see others.",
                &[("shown", &view.accounts.len().to_string()), ("found", &view.found.to_string())],
            );
            list = list.child(soft(shown));
        }
        let columns = [
            ("Account", false),
            ("Widgets", true),
            ("Leads, 30 days", true),
            ("Look-ups this month", true),
            ("Balance", true),
            ("State", false),
            ("Actions", false),
        ];
        list = list.child(responsive_table(
            "Accounts",
            &columns,
            view.accounts.iter().map(|of| row(language, of)).collect(),
        ));
    }
    shell(signed, Place::Accounts, "Accounts", vec![new], vec![soft(said), list])
}

fn row(language: Language, of: &AccountOverview) -> Vec<Cell> {
    let AccountOverview { account, owner, widgets, leads } = of;
    let page = format!("/portal/operator/accounts/{}", account.id);
    let owner = match owner {
        Some(owner) => soft(owner.clone()),
        None => soft("Nobody has joined yet"),
    };
    let named = |english: &'static str| phrase(language, english, &[("company", &account.name)]);
    let doing = div("pair")
        .child(
            post(format!("{page}/open"))
                .child(button("btn", "Open as owner").set("aria-label", named("Open as owner of {company}"))),
        )
        .child(link(page.clone(), "Change").set("class", "btn").set("aria-label", named("Change {company}")));
    vec![
        Cell::Nodes(vec![link(page, account.name.clone()), owner]),
        Cell::text(figure(*widgets)),
        Cell::text(figure(*leads)),
        Cell::text(calls(language, account)),
        balance(account),
        Cell::Nodes(vec![state(account)]),
        Cell::Nodes(vec![doing]),
    ]
}

pub fn new_account_page(signed: &Signed<'_>, view: &NewAccountView<'_>) -> String {
    let wrong = |name: &str| view.wrong.filter(|(field, _)| *field == name).map(|(_, said)| said);
    let name = Field {
        label: "Company",
        name: "name",
        kind: "text",
        autocomplete: "off",
        value: view.name,
        hint: Some("As homeowners know it."),
        wrong: wrong("name"),
    };
    let email = Field {
        label: "First owner’s email",
        name: "email",
        kind: "email",
        autocomplete: "off",
        value: view.email,
        hint: Some(match view.mail_is_set {
            true => {
                "We email them an invite, and the next page shows the link. Leave blank for a link that anyone can use once."
            }
            false => {
                "Email is not set up here: the next page shows a link for you to send. Leave blank for a link that anyone can use once."
            }
        }),
        wrong: wrong("email"),
    };
    let form = post("/portal/operator/accounts")
        .set("novalidate", "")
        .child(name.node())
        .child(email.node())
        .child(button("btn ink", "Create the account"));
    let back = link("/portal/operator", "Accounts");
    shell(signed, Place::Accounts, "New account", Vec::new(), vec![back, card("Who is it for?").child(form)])
}

/// A link that was just made: it is shown once.
pub(crate) fn made_link(link: &str, mailed: bool) -> Node {
    let said = match mailed {
        true => "We’ve emailed the invite. Here is the link too; you won’t see it again:",
        false => "Send this link to the owner. You won’t see it again:",
    };
    Node::classed("section", "card")
        .set("aria-label", "The new invite")
        .child(note(Tone::Well, said))
        .child(Node::classed("p", "mono").set("id", "invite-link").text(link.to_owned()))
        .child(copied("invite-link"))
}
