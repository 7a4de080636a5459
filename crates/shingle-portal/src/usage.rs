//! A month's look-ups, their cost, and a projection.
//!
//! # Decision
//!
//! The rest of a month is projected from whole days only, once seven are over, and labeled a projection: the
//! unfinished day would lower every day. Turned down: a trend, which a week cannot show.

use std::collections::BTreeMap;

use shingle_domain::{Environment, Language, Usd};
use shingle_store::UsageLine;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::thousands;

use crate::chart::as_table;
use crate::days::short_day;
use crate::element::{button, card, div, el, hidden, link, select, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::{phrase, translated};
use crate::product_words::named;
use crate::responsive_table::{Cell, responsive_table, responsive_table_with_sums};
use crate::usage_chart::{Days, chart};

/// Whole days that have to be over before the rest of a month is guessed.
const ENOUGH_DAYS: i64 = 7;

/// The month that is shown.
#[derive(Debug, Clone)]
pub struct UsageMonth {
    /// `2026-11`
    pub value: String,
    /// `November 2026`
    pub title: String,
    pub days: u8,
    /// Whole days that are over: all of them in an earlier month.
    pub over: u8,
}

pub struct UsageView<'v> {
    pub month: &'v UsageMonth,
    /// Those to choose, the newest first: `2026-11`, `November 2026`.
    pub months: &'v [(String, String)],
    pub environment: Environment,
    /// Of the month, oldest day first.
    pub lines: &'v [UsageLine],
    /// Ids of keys and what people call them.
    pub keys: &'v [(String, String)],
    /// `None`: not prepaid.
    pub balance: Option<Usd>,
    /// Look-ups in a month, and how many of them were made in this one. `None`: no limit.
    pub limit: Option<(u64, u64)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    calls: i64,
    billed: i64,
    cents: i64,
    paid: i64,
}

impl Sums {
    fn add(&mut self, line: &UsageLine) {
        self.calls += line.sum.calls;
        self.billed += line.sum.billed;
        self.cents += line.sum.amount.cents();
        self.paid += line.sum.paid.cents();
    }
}

fn money(cents: i64) -> String {
    format!("${}.{:02}", thousands(cents / 100), cents.rem_euclid(100))
}

fn sums<K: Ord>(lines: &[UsageLine], key: impl Fn(&UsageLine) -> K) -> BTreeMap<K, Sums> {
    let mut all: BTreeMap<K, Sums> = BTreeMap::new();
    for line in lines {
        all.entry(key(line)).or_default().add(line);
    }
    all
}

fn total(lines: &[UsageLine]) -> Sums {
    let mut total = Sums::default();
    lines.iter().for_each(|line| total.add(line));
    total
}

/// The day of the month, from 1.
fn day(line: &UsageLine) -> u8 {
    u8::try_from(line.day.date().day()).unwrap_or(1)
}

/// What a month comes to if its other days are like those that are over. `None`: it is over, or too few days are.
fn projection(month: &UsageMonth, lines: &[UsageLine]) -> Option<Sums> {
    let over = i64::from(month.over);
    if over < ENOUGH_DAYS || month.over >= month.days {
        return None;
    }
    let mut done = Sums::default();
    lines.iter().filter(|line| day(line) <= month.over).for_each(|line| done.add(line));
    // What today brought already counts, however little the days before it did.
    let spent = total(lines);
    let whole = |part: i64, spent: i64| (part * i64::from(month.days) / over).max(spent);
    Some(Sums {
        calls: whole(done.calls, spent.calls),
        billed: whole(done.billed, spent.billed),
        cents: whole(done.cents, spent.cents),
        paid: whole(done.paid, spent.paid),
    })
}

pub fn usage_page(signed: &Signed<'_>, view: &UsageView<'_>) -> String {
    let actions = vec![
        link(format!("/portal/usage.csv?month={}", view.month.value), "Download CSV").set("class", "btn"),
        link(format!("/portal/usage/statement?month={}", view.month.value), "Statement to print").set("class", "btn"),
        link("/portal/keys", "API keys").set("class", "btn"),
    ];
    let mut inside = vec![chooser(view), tiles(signed, view)];
    if view.lines.is_empty() {
        let said = phrase(signed.language, "No look-ups in {month}.", &[("month", &view.month.title)]);
        inside.push(
            card("Look-ups")
                .child(soft(said))
                .child(soft("Widgets cost nothing here: only programs with an API key make look-ups.")),
        );
    } else {
        inside.push(by_day(signed, view));
        let columns = div("columns").child(card("By product").child(by_product(view))).child(by_key(view));
        inside.push(columns);
        inside.push(details(signed.language, view));
    }
    inside.push(soft("Days and months are in UTC."));
    shell(signed, Place::Usage, "Usage and billing", actions, inside)
}

fn chooser(view: &UsageView<'_>) -> Node {
    let tab = |environment: Environment, text: &'static str| {
        let data = if environment == Environment::Sandbox { "&data=sandbox" } else { "" };
        let tab = link(format!("/portal/usage?month={}{data}", view.month.value), text);
        if environment == view.environment { tab.set("aria-current", "page") } else { tab }
    };
    let tabs = el("nav")
        .set("class", "tabs")
        .set("aria-label", "Which look-ups")
        .children([tab(Environment::Production, "Real look-ups"), tab(Environment::Sandbox, "Tests (free)")]);
    let mut form = el("form").set("method", "get").set("action", "/portal/usage").set("class", "inline no-print");
    if view.environment == Environment::Sandbox {
        form = form.child(hidden("data", "sandbox"));
    }
    let months = select("month", "month", view.months.iter().cloned(), &view.month.value);
    let form = form.child(el("label").set("for", "month").text("Month")).child(months).child(button("btn", "Show"));
    div("column").child(tabs).child(form)
}

fn tiles(signed: &Signed<'_>, view: &UsageView<'_>) -> Node {
    let language = signed.language;
    let sums = total(view.lines);
    let tile = |name: &'static str, value: Node, about: Option<Node>| {
        div("tile")
            .child(el("dt").text(name))
            .child(value)
            .children(about.map(|about| el("dd").set("class", "about").child(about)))
    };
    let text = |value: String| el("dd").text(value);
    let mut tiles = Node::classed("dl", "tiles");
    let limit = view.limit.map(|(limit, used)| {
        let said =
            phrase(language, "{used} of {limit} this month", &[("used", &number(used)), ("limit", &number(limit))]);
        let bar = el("progress")
            .set("max", limit.max(1).to_string())
            .set("value", used.min(limit).to_string())
            .set("aria-label", "Of the monthly limit");
        el("span").child(bar).child(el("span").text(said))
    });
    tiles = tiles.child(tile("Look-ups", text(thousands(sums.calls)), limit));
    if view.environment == Environment::Sandbox {
        return tiles;
    }
    let billed = phrase(language, "{count} billed", &[("count", &thousands(sums.billed))]);
    tiles = tiles.child(tile("Spent", text(money(sums.cents)), Some(el("span").text(billed))));
    if view.month.over < view.month.days {
        tiles = tiles.child(match projection(view.month, view.lines) {
            Some(guess) => {
                let daily = guess.cents / i64::from(view.month.days);
                let said = match daily {
                    0 => phrase(language, "Based on use so far, less than a cent a day", &[]),
                    _ => phrase(language, "Based on use so far: {daily} a day", &[("daily", &money(daily))]),
                };
                tile(
                    "Projected this month",
                    text(phrase(language, "About {amount}", &[("amount", &money(guess.cents))])),
                    Some(el("span").text(said)),
                )
            }
            None => tile(
                "Projected this month",
                el("dd").text("Too early"),
                Some(el("span").text("We project it after 7 days")),
            ),
        });
    }
    tiles.child(match view.balance {
        Some(balance) => tile("Balance now", text(money(balance.cents())), None),
        None => tile("Balance now", el("dd").text("Not prepaid"), None),
    })
}

fn number(of: u64) -> String {
    thousands(i64::try_from(of).unwrap_or(i64::MAX))
}

fn by_day(signed: &Signed<'_>, view: &UsageView<'_>) -> Node {
    let days = sums(view.lines, |line| line.day.date());
    let mut calls = vec![0; usize::from(view.month.days)];
    for (day, sums) in &days {
        let at = usize::try_from(day.day() - 1).unwrap_or_default();
        calls.get_mut(at).into_iter().for_each(|calls| *calls = sums.calls);
    }
    let guess = projection(view.month, view.lines).map(|guess| guess.calls / i64::from(view.month.days));
    let guess = guess.filter(|guess| *guess > 0);
    let rows = days.iter().map(|(day, sums)| {
        el("tr").children([
            el("th").set("scope", "row").text(short_day(signed.language, *day)),
            el("td").text(thousands(sums.calls)),
            el("td").text(money(sums.cents)),
        ])
    });
    let table = Node::classed("table", "vh")
        .child(el("caption").text("Look-ups by day"))
        .child(el("thead").child(
            el("tr").children(["Day", "Look-ups", "Amount"].map(|name| el("th").set("scope", "col").text(name))),
        ))
        .child(el("tbody").children(rows));
    let card = card("By day")
        .child(chart(&Days { calls: &calls, guess, over: usize::from(view.month.over) }))
        .child(div("vh").child(table));
    match guess {
        Some(guess) => card.child(soft(phrase(
            signed.language,
            "Dashed: projected at {count} a day, based on use so far.",
            &[("count", &thousands(guess))],
        ))),
        None => card,
    }
}

/// Name, look-ups, billed, perhaps the price of each, and what they cost.
fn cells(name: impl Into<Text>, sums: &Sums, each: Option<Cell>) -> Vec<Cell> {
    let counts = [Cell::text(name), Cell::text(thousands(sums.calls)), Cell::text(thousands(sums.billed))];
    counts.into_iter().chain(each).chain([Cell::text(money(sums.cents))]).collect()
}

fn by_product(view: &UsageView<'_>) -> Node {
    let products = sums(view.lines, |line| line.product.as_str());
    let rows = products.iter().map(|(product, sums)| {
        // One price for all of them, or none to tell.
        let each = if sums.billed > 0 && sums.cents % sums.billed == 0 {
            Cell::text(money(sums.cents / sums.billed))
        } else {
            Cell::Blank
        };
        cells(named(product), sums, Some(each))
    });
    let columns = [("Product", false), ("Look-ups", true), ("Billed", true), ("Each", true), ("Sum", true)];
    let sum = cells("Total", &total(view.lines), Some(Cell::Blank));
    responsive_table_with_sums("By product", &columns, rows.collect(), Some(sum))
}

fn key_name(view: &UsageView<'_>, id: &str) -> String {
    let known =
        view.keys.iter().find(|(key, _)| key == id).map(|(_, name)| name.as_str()).filter(|name| !name.is_empty());
    known.map_or_else(|| id.to_owned(), |name| format!("{name} ({id})"))
}

fn by_key(view: &UsageView<'_>) -> Node {
    let keys = sums(view.lines, |line| line.key.0.as_str().to_owned());
    let rows = keys.iter().map(|(id, sums)| cells(key_name(view, id), sums, None)).collect();
    let columns = [("Key", false), ("Look-ups", true), ("Billed", true), ("Sum", true)];
    let sum = cells("Total", &total(view.lines), None);
    card("By key").child(responsive_table_with_sums("By key", &columns, rows, Some(sum)))
}

fn details(language: Language, view: &UsageView<'_>) -> Node {
    let days = sums(view.lines, |line| (line.day.date(), line.product.as_str()));
    let rows = days
        .iter()
        .rev()
        .map(|((day, product), sums)| {
            cells(format!("{} · {}", short_day(language, *day), translated(language, named(product))), sums, None)
        })
        .collect();
    let columns = [("Day and product", false), ("Look-ups", true), ("Billed", true), ("Sum", true)];
    card("By day and product").child(as_table(responsive_table("By day and product", &columns, rows)))
}

/// A page to print: the production look-ups of one month.
pub fn statement_page(signed: &Signed<'_>, view: &UsageView<'_>, made: &str) -> String {
    let sums = total(view.lines);
    let fact = |name: &'static str, value: String| [el("dt").text(name), el("dd").text(value)];
    let whole = view.month.over >= view.month.days;
    let period = if whole {
        view.month.title.clone()
    } else {
        phrase(signed.language, "{month}, not over yet", &[("month", &view.month.title)])
    };
    let facts = el("dl")
        .set("class", "facts")
        .children(fact("Company", signed.company.unwrap_or_default().to_owned()))
        .children(fact("Month", period))
        .children(fact("Created", made.to_owned()))
        .children(fact("Sum", money(sums.cents)))
        .children(fact("Charged to the balance", money(sums.paid)));
    let lines = card("Look-ups").child(by_product(view));
    let print = button("btn", "Print").set("type", "button").set("data-print", "").set("hidden", "");
    let back = link(format!("/portal/usage?month={}", view.month.value), "Usage and billing").set("class", "btn");
    let inside = vec![
        card("For").child(facts),
        lines,
        by_key(view),
        soft("Look-ups that found no home are not billed. Sandbox look-ups are free. Dates are in UTC."),
    ];
    shell(signed, Place::Usage, "Statement", vec![back, print], inside)
}

#[cfg(test)]
mod tests {
    use shingle_domain::lookup::Product;
    use shingle_domain::{KeyId, Timestamp};
    use shingle_store::UsageSum;

    use super::*;

    fn line(day: u8, cents: i64) -> UsageLine {
        UsageLine {
            day: Timestamp::parse_iso(&format!("2026-11-{day:02}T00:00:00Z")).unwrap(),
            key: KeyId("Zq3fT9aB".to_owned()),
            product: Product::ALL[0],
            sum: UsageSum { calls: 2, billed: 1, amount: Usd::from_cents(cents), paid: Usd::from_cents(0) },
        }
    }

    fn month(over: u8) -> UsageMonth {
        UsageMonth { value: "2026-11".to_owned(), title: "November 2026".to_owned(), days: 30, over }
    }

    #[test]
    fn a_month_is_guessed_of_its_whole_days_once_there_are_enough() {
        let mut lines: Vec<_> = (1..=10).map(|day| line(day, 300)).collect();
        // Today has only begun: it would make every day look poorer.
        lines.push(line(11, 1));
        assert!(projection(&month(6), &lines).is_none());
        let guess = projection(&month(10), &lines).unwrap();
        assert_eq!((guess.cents, guess.calls, guess.billed), (9_000, 60, 30));
        assert!(projection(&month(30), &lines).is_none(), "it is over");
        assert_eq!(projection(&month(10), &[]).unwrap().cents, 0);
    }
}
