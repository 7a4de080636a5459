//! One account, as an operator runs it.

use shingle_domain::lookup::Product;
use shingle_domain::{Environment, Language, Role, Timestamp};
use shingle_store::{Account, ApiKey, AuditEntry, Closing, Invite, KeyState, UsageLine, User};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::thousands;

use crate::audit_words::{what_in_words, who_in_words};
use crate::closing::close;
use crate::element::{Field, button, card, div, el, hidden, link, once, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::operator::{balance, calls, dollars, made_link, state};
use crate::own_domain::{OwnDomainView, domain_form};
use crate::phrase::{phrase, translated};
use crate::product_words::{listed, product_in_words};
use crate::responsive_table::{Cell, responsive_table};
use crate::time::Hours;

pub struct AccountView<'v> {
    pub account: &'v Account,
    pub users: &'v [User],
    pub invites: &'v [Invite],
    pub keys: &'v [ApiKey],
    /// Of this month, production.
    pub usage: &'v [UsageLine],
    pub log: &'v [AuditEntry],
    pub hours: &'v Hours,
    pub now: Timestamp,
    /// The link that was just made, and whether it was mailed too.
    pub link: Option<(&'v str, bool)>,
    pub domain: OwnDomainView<'v>,
    /// What is wrong with a field, under its name, and what was typed.
    pub wrong: Option<(&'static str, &'static str, &'v str)>,
}

impl AccountView<'_> {
    fn wrong(&self, name: &str) -> Option<&'static str> {
        self.wrong.filter(|(field, _, _)| *field == name).map(|(_, said, _)| said)
    }

    fn value<'a>(&'a self, name: &str, kept: &'a str) -> &'a str {
        self.wrong.filter(|(field, _, _)| *field == name).map_or(kept, |(_, _, typed)| typed)
    }

    fn path(&self, action: &str) -> String {
        format!("/portal/operator/accounts/{}/{action}", self.account.id)
    }
}

pub fn account_page(signed: &Signed<'_>, view: &AccountView<'_>) -> String {
    let account = view.account;
    if let Some(closed) = account.closing {
        let columns = div("columns")
            .child(div("column").child(card("This account").child(facts(signed.language, view)).child(closing(
                signed.language,
                view,
                closed,
            ))))
            .child(div("column").child(usage(view)).child(log(signed.language, view)));
        return shell(
            signed,
            Place::Accounts,
            account.name.clone(),
            Vec::new(),
            vec![link("/portal/operator", "Accounts"), columns],
        );
    }
    let open = post(view.path("open")).child(button("btn ink", "Open as its owner"));
    let back = link("/portal/operator", "Accounts");
    let mut page = vec![back];
    page.extend(view.link.map(|(link, mailed)| made_link(link, mailed)));
    let columns = div("columns")
        .child(
            div("column")
                .child(card("This account").child(facts(signed.language, view)).child(name(view)).child(pause(view)))
                .child(people(signed.language, view))
                .child(keys(signed.language, view)),
        )
        .child(
            div("column")
                .child(money(signed, view))
                .child(products(view))
                .child(domain(signed.language, view))
                .child(usage(view))
                .child(log(signed.language, view))
                .child(close(
                    signed.language,
                    &account.name,
                    view.path("close"),
                    view.wrong("closing").map(|_| view.value("closing", "")),
                )),
        );
    page.push(columns);
    shell(signed, Place::Accounts, account.name.clone(), vec![open], page)
}

fn facts(language: Language, view: &AccountView<'_>) -> Node {
    let account = view.account;
    Node::classed("dl", "facts").children([
        el("dt").text("State"),
        el("dd").child(state(account)),
        el("dt").text("Look-ups this month"),
        el("dd").text(calls(language, account)),
        el("dt").text("Balance"),
        match balance(account) {
            Cell::Text(text) => el("dd").text(text),
            Cell::Nodes(nodes) => el("dd").children(nodes),
            Cell::Blank => el("dd"),
        },
        el("dt").text("Since"),
        el("dd").text(view.hours.full(account.created_at)),
        el("dt").text("Number"),
        Node::classed("dd", "mono").text(account.id.to_string()),
    ])
}

/// Of an account that was closed: until when it can be opened again.
fn closing(language: Language, view: &AccountView<'_>, closing: Closing) -> Node {
    if closing.erased_at.is_some() || view.now >= closing.ends_at() {
        return soft("It was closed, and we erased it: its name, its monthly use and the log stay.");
    }
    let ends = view.hours.full(closing.ends_at());
    let said =
        phrase(language, "It’s closed: widgets and keys have stopped. We erase it on {time}.", &[("time", &ends)]);
    post(view.path("reopen")).child(soft(said)).child(button("btn ink", "Reopen it"))
}

fn name(view: &AccountView<'_>) -> Node {
    let name = Field {
        label: "Company",
        name: "name",
        kind: "text",
        autocomplete: "off",
        value: view.value("name", &view.account.name),
        hint: None,
        wrong: view.wrong("name"),
    };
    post(view.path("rename")).set("novalidate", "").child(name.node()).child(button("btn", "Rename"))
}

fn pause(view: &AccountView<'_>) -> Node {
    match view.account.paused {
        true => post(view.path("resume"))
            .child(soft("It’s paused: API look-ups are refused. Widgets, leads and sign-in keep working."))
            .child(button("btn", "Resume")),
        false => post(view.path("pause"))
            .child(soft("When paused, API look-ups are refused. Widgets, leads and sign-in keep working."))
            .child(button("btn bad", "Pause")),
    }
}

fn money(signed: &Signed<'_>, view: &AccountView<'_>) -> Node {
    let kept = view.account.monthly_limit.map(|limit| limit.to_string()).unwrap_or_default();
    let limit = Field {
        label: "Look-ups a month",
        name: "limit",
        kind: "text",
        autocomplete: "off",
        value: view.value("limit", &kept),
        hint: Some("Leave blank for no limit. 0 refuses every API look-up."),
        wrong: view.wrong("limit"),
    };
    let credit = Field {
        label: "Add to the balance, in dollars",
        name: "credit",
        kind: "text",
        autocomplete: "off",
        value: view.value("credit", ""),
        hint: Some(match view.account.balance {
            Some(_) => "Enter a negative amount to reduce the balance.",
            None => "The first credit makes the account prepaid: at $0.00, API look-ups are refused.",
        }),
        wrong: view.wrong("credit"),
    };
    let form = |action: &str, field: Field<'_>, label: &'static str| {
        post(view.path(action))
            .set("novalidate", "")
            .child(once(signed))
            .child(field.node())
            .child(button("btn", label))
    };
    card("Limit and balance").child(form("limit", limit, "Set the limit")).child(form("credit", credit, "Add"))
}

fn products(view: &AccountView<'_>) -> Node {
    let boxes = Product::ALL.into_iter().map(|product| {
        let name = product.as_str();
        let input = el("input").set("type", "checkbox").set("name", "product").set("value", name);
        let input = if view.account.products.contains(&product) { input.set("checked", "") } else { input };
        Node::classed("label", "tick").child(input).child(el("span").text(product_in_words(product)))
    });
    card("Products").child(
        post(view.path("products"))
            .child(
                el("fieldset").child(Node::classed("legend", "hint").text("What its keys can look up")).children(boxes),
            )
            .child(button("btn", "Save")),
    )
}

fn domain(language: Language, view: &AccountView<'_>) -> Node {
    let kept = view.domain.domain.map_or("", |domain| domain.host.as_str());
    domain_form(language, &view.domain, view.path("domain"), (view.value("domain", kept), view.wrong("domain")))
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Member => "Member",
        Role::Owner => "Owner",
        Role::Operator => "Administrator",
    }
}

fn people(language: Language, view: &AccountView<'_>) -> Node {
    let row = |name: String, about: String, what: &'static str| {
        let about = div("who2").child(el("b").text(name)).child(Node::classed("span", "soft").text(about));
        el("li").child(about).child(pill("pill", what))
    };
    let users = view
        .users
        .iter()
        .map(|user| row(user.name.as_str().to_owned(), user.email.as_str().to_owned(), role(user.role)));
    let invites = view.invites.iter().map(|invite| {
        let whom = match &invite.email {
            Some(email) => email.as_str().to_owned(),
            None => translated(language, "Anyone with the link").to_owned(),
        };
        let until = phrase(language, "Invited, until {time}", &[("time", &view.hours.full(invite.expires_at))]);
        row(whom, until, role(invite.role))
    });
    let rows: Vec<Node> = users.chain(invites).collect();
    let list = match rows.is_empty() {
        true => soft("Nobody has joined yet, and nobody is invited."),
        false => Node::classed("ul", "rows").children(rows),
    };
    let email = Field {
        label: "Owner’s email",
        name: "email",
        kind: "email",
        autocomplete: "off",
        value: view.value("email", ""),
        hint: Some(
            "The invite works once, within 7 days, for this address. Leave blank for a link that anyone can use.",
        ),
        wrong: view.wrong("email"),
    };
    let form =
        post(view.path("invite")).set("novalidate", "").child(email.node()).child(button("btn", "Invite an owner"));
    card("People").child(list).child(form)
}

fn keys(language: Language, view: &AccountView<'_>) -> Node {
    let list = card("API keys");
    if view.keys.is_empty() {
        return list.child(soft("This account has no key. Its owners create keys in their portal."));
    }
    let row = |key: &ApiKey| {
        let shown = match key.state(view.now) {
            KeyState::Live => pill("pill ok", "Live"),
            KeyState::Expired => pill("pill", "Expired"),
            KeyState::Revoked => pill("pill", "Revoked"),
        };
        let terms = &key.terms;
        let mut about = vec![
            translated(
                language,
                if key.tenant.environment == Environment::Production { "Production" } else { "Sandbox" },
            )
            .to_owned(),
        ];
        if !terms.products.is_empty() {
            about.push(listed(language, &terms.products));
        }
        if !terms.networks.is_empty() {
            about.push(terms.networks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
        }
        if let Some(end) = terms.expires_at {
            about.push(phrase(language, "until {time}", &[("time", &view.hours.full(end))]));
        }
        let name = if terms.name.is_empty() { key.id.to_string() } else { terms.name.clone() };
        let node = el("li")
            .child(
                div("who2")
                    .child(el("b").text(name.clone()))
                    .child(Node::classed("span", "soft").text(about.join(" · "))),
            )
            .child(shown);
        if key.revoked_at.is_some() {
            return node;
        }
        let named = phrase(language, "Revoke {key}", &[("key", &name)]);
        node.child(
            post(view.path("revoke"))
                .child(hidden("key", key.id.to_string()))
                .child(button("btn bad", "Revoke").set("aria-label", named)),
        )
    };
    list.child(Node::classed("ul", "rows").children(view.keys.iter().map(row)))
}

fn usage(view: &AccountView<'_>) -> Node {
    let list = card("Usage this month");
    let mut by_product: Vec<(Product, i64, i64, i64)> = Vec::new();
    for line in view.usage {
        match by_product.iter_mut().find(|(product, ..)| *product == line.product) {
            Some((_, calls, billed, cents)) => {
                *calls += line.sum.calls;
                *billed += line.sum.billed;
                *cents += line.sum.amount.cents();
            }
            None => by_product.push((line.product, line.sum.calls, line.sum.billed, line.sum.amount.cents())),
        }
    }
    if by_product.is_empty() {
        return list.child(soft("No look-ups this month."));
    }
    let rows = by_product.into_iter().map(|(product, calls, billed, cents)| {
        vec![
            Cell::text(product_in_words(product)),
            Cell::text(thousands(calls)),
            Cell::text(thousands(billed)),
            Cell::text(dollars(shingle_domain::Usd::from_cents(cents))),
        ]
    });
    let columns = [("Product", false), ("Look-ups", true), ("Billed", true), ("Amount", true)];
    list.child(responsive_table("Usage this month, by product", &columns, rows.collect()))
}

fn log(language: Language, view: &AccountView<'_>) -> Node {
    let rows = view.log.iter().map(|entry| {
        let who = who_in_words(language, entry);
        el("li").child(
            div("who2")
                .child(el("b").text(format!("{who} {}", what_in_words(language, entry))))
                .child(Node::classed("span", "soft").child(view.hours.aged(entry.at))),
        )
    });
    card("Changes").child(Node::classed("ul", "rows").children(rows)).child(link("/portal/operator/audit", "Audit log"))
}
