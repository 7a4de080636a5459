//! What was looked up, and what it cost.

use std::collections::BTreeMap;

use shingle_domain::Usd;
use shingle_store::UsageLine;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::thousands;

use crate::element::{card, div, el, link, soft};
use crate::frame::{Place, Signed, shell};

pub struct UsageView<'v> {
    /// Of the month, newest day first.
    pub lines: &'v [UsageLine],
    /// `November 2026`
    pub month: String,
    /// `None`: not prepaid.
    pub balance: Option<Usd>,
}

fn money(amount: Usd) -> String {
    let cents = amount.cents();
    format!("${}.{:02}", thousands(cents / 100), cents.rem_euclid(100))
}

pub fn usage_page(signed: &Signed<'_>, view: &UsageView<'_>) -> String {
    let (mut calls, mut billed, mut amount) = (0, 0, Usd::from_cents(0));
    let mut days: BTreeMap<(String, &'static str), (i64, i64, i64)> = BTreeMap::new();
    for line in view.lines {
        calls += line.sum.calls;
        billed += line.sum.billed;
        amount = Usd::from_cents(amount.cents() + line.sum.amount.cents());
        let of = days.entry((line.day.date().to_string(), line.product.as_str())).or_default();
        of.0 += line.sum.calls;
        of.1 += line.sum.billed;
        of.2 += line.sum.amount.cents();
    }
    let tile = |name: &'static str, value: String| div("tile").child(el("dt").text(name)).child(el("dd").text(value));
    let tiles = Node::classed("dl", "tiles").children([
        tile("Look-ups", thousands(calls)),
        tile("Billed", thousands(billed)),
        tile("Amount", money(amount)),
        tile("Balance", view.balance.map_or_else(|| "Not prepaid".to_owned(), money)),
    ]);
    let heads = ["Day", "Product", "Look-ups", "Billed", "Amount"].into_iter().enumerate().map(|(n, name)| {
        let head = el("th").set("scope", "col").text(name);
        if n > 1 { head.set("class", "n") } else { head }
    });
    let rows = days.iter().rev().map(|((day, product), (calls, billed, cents))| {
        el("tr").children([
            el("th").set("scope", "row").text(day.clone()),
            el("td").text(*product),
            Node::classed("td", "n").text(thousands(*calls)),
            Node::classed("td", "n").text(thousands(*billed)),
            Node::classed("td", "n").text(money(Usd::from_cents(*cents))),
        ])
    });
    let table = Node::classed("table", "plain")
        .child(Node::classed("caption", "vh").text(format!("Look-ups in {}, by day and product", view.month)))
        .child(el("thead").child(el("tr").children(heads)))
        .child(el("tbody").children(rows));
    let by_day = card("By day and product");
    let by_day = if days.is_empty() {
        by_day.child(soft(format!("Nothing was looked up in {}.", view.month)))
    } else {
        by_day.child(
            div("wide").set("tabindex", "0").set("role", "region").set("aria-label", "By day and product").child(table),
        )
    };
    let download = link("/portal/usage.csv", "Download CSV").set("class", "btn");
    shell(
        signed,
        Place::Usage,
        "Usage",
        vec![download],
        vec![soft(format!("{}, in UTC days.", view.month)), tiles, by_day],
    )
}
