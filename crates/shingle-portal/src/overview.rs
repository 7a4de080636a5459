//! All widgets side by side, for a company that runs them for several clients: what waits, what is missing, and what each
//! was used for in a month.

use shingle_domain::{Language, Timestamp};
use shingle_store::StepCounts;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::{dollars, thousands};

use shingle_domain::Usd;
use shingle_domain::visit::VisitStep;

use crate::element::{button, card, div, el, link, pill, select, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;
use crate::responsive_table::{Cell, responsive_table, responsive_table_with_sums};
use crate::results_sums::{LeadResult, middle_wait};
use crate::results_view::wait_in_words;
use crate::time::Hours;

/// Where a widget's script was seen last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteState {
    /// No page has loaded it yet.
    Never,
    Seen {
        host: String,
        at: Timestamp,
    },
    /// No page has loaded it for a week.
    Missing {
        host: String,
        at: Timestamp,
    },
}

/// One widget now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverviewRow {
    pub id: String,
    pub name: String,
    pub company: String,
    /// Of the last seven days.
    pub week: Vec<LeadResult>,
    /// In the seven days before.
    pub before: u64,
    /// Leads that nobody has answered.
    pub waiting: u64,
    pub site: SiteState,
}

/// What one widget was used for in a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WidgetUsage {
    pub id: String,
    pub name: String,
    pub steps: StepCounts,
    pub leads: Vec<LeadResult>,
}

impl WidgetUsage {
    fn opened(&self) -> i64 {
        self.steps[VisitStep::Opened as usize]
    }

    /// Roofs that visitors were shown: each is a look-up.
    fn roofs(&self) -> i64 {
        self.steps[VisitStep::Address as usize]
    }

    fn won(&self) -> i64 {
        self.leads.iter().map(LeadResult::won).sum()
    }

    fn count(&self) -> i64 {
        i64::try_from(self.leads.len()).unwrap_or(i64::MAX)
    }
}

pub struct OverviewView<'v> {
    pub rows: &'v [OverviewRow],
    pub usage: &'v [WidgetUsage],
    /// `2026-11`
    pub month: &'v str,
    /// Values and titles.
    pub months: &'v [(String, String)],
    pub hours: &'v Hours,
}

fn site(language: Language, hours: &Hours, state: &SiteState) -> Node {
    match state {
        SiteState::Never => pill("pill", "Not on a site yet"),
        SiteState::Seen { host, at } => {
            let said = phrase(language, "{host}, {age}", &[("host", host), ("age", &hours.age(*at))]);
            el("span").text(said)
        }
        SiteState::Missing { host, at } => {
            let said = [("host", host.as_str()), ("age", &hours.age(*at))];
            pill("pill bad", phrase(language, "Missing. Last seen on {host}, {age}", &said))
        }
    }
}

fn now(signed: &Signed<'_>, view: &OverviewView<'_>) -> Node {
    let language = signed.language;
    let rows = view.rows.iter().map(|row| {
        let name = link(format!("/portal/widgets/{}", row.id), row.name.clone());
        let about = Node::classed("span", "soft").text(row.company.clone());
        let leads = link(format!("/portal/leads?widget={}", row.id), thousands(len(&row.week)));
        let before = Node::classed("span", "soft").text(phrase(
            language,
            "before: {count}",
            &[("count", &row.before.to_string())],
        ));
        let waiting = match row.waiting {
            0 => Cell::text("0"),
            count => Cell::Nodes(vec![link(
                format!("/portal/leads?widget={}&waiting=yes", row.id),
                thousands(i64::try_from(count).unwrap_or(i64::MAX)),
            )]),
        };
        let wait = middle_wait(&row.week).map_or_else(|| "–".to_owned(), |wait| wait_in_words(wait, language));
        vec![
            Cell::Nodes(vec![name, about]),
            Cell::Nodes(vec![leads, before]),
            waiting,
            Cell::text(wait),
            Cell::Nodes(vec![site(language, view.hours, &row.site)]),
        ]
    });
    let columns = [
        ("Widget", false),
        ("Leads in 7 days", true),
        ("Waiting", true),
        ("First answer", true),
        ("On the site", false),
    ];
    card("Now")
        .child(soft("First answer: half of the week’s leads were answered within this time."))
        .child(responsive_table("Now", &columns, rows.collect()))
}

fn len(leads: &[LeadResult]) -> i64 {
    i64::try_from(leads.len()).unwrap_or(i64::MAX)
}

fn usage(view: &OverviewView<'_>) -> Node {
    let figures = |seen: i64, opened: i64, roofs: i64, leads: i64, won: i64| {
        let counts = [seen, opened, roofs, leads].map(|count| Cell::text(thousands(count)));
        counts.into_iter().chain([Cell::text(dollars(Usd::from_cents(won)))]).collect::<Vec<_>>()
    };
    let sum = |of: &dyn Fn(&WidgetUsage) -> i64| view.usage.iter().map(of).sum::<i64>();
    let rows = view.usage.iter().map(|of| {
        let name = Cell::text(of.name.clone());
        let seen = of.steps[VisitStep::Seen as usize];
        std::iter::once(name).chain(figures(seen, of.opened(), of.roofs(), of.count(), of.won())).collect()
    });
    let columns = [
        ("Widget", false),
        ("Page views", true),
        ("Opened", true),
        ("Addresses looked up", true),
        ("Leads", true),
        ("Won", true),
    ];
    let sums = figures(
        sum(&|of| of.steps[VisitStep::Seen as usize]),
        sum(&WidgetUsage::opened),
        sum(&WidgetUsage::roofs),
        sum(&WidgetUsage::count),
        sum(&WidgetUsage::won),
    );
    let sums = std::iter::once(Cell::text("All")).chain(sums).collect();
    let months = select("month", "month", view.months.iter().cloned(), view.month);
    let form = el("form")
        .set("class", "inline no-print")
        .set("action", "/portal/overview")
        .child(el("label").set("for", "month").text("Month"))
        .child(months)
        .child(button("btn", "Show"));
    let csv =
        link(format!("/portal/overview.csv?month={}", view.month), "CSV").set("aria-label", "CSV: Usage by widget");
    Node::classed("section", "card")
        .child(div("card-head").child(el("h2").text("Usage by widget")).child(csv))
        .child(soft(
            "To bill your clients by what they used. Look-ups with API keys are on the page Usage and billing.",
        ))
        .child(form)
        .child(responsive_table_with_sums("Usage by widget", &columns, rows.collect(), Some(sums)))
}

pub fn overview_page(signed: &Signed<'_>, view: &OverviewView<'_>) -> String {
    let back = link("/portal/widgets", "All widgets").set("class", "btn");
    let inside = match view.rows.is_empty() {
        true => vec![card("No widget yet").child(soft("Create one first: this page compares them."))],
        false => vec![now(signed, view), usage(view)],
    };
    shell(signed, Place::Widgets, "Overview", vec![back], inside)
}

/// The usage as a file: heads and rows.
pub fn overview_rows(usage: &[WidgetUsage]) -> ([&'static str; 7], Vec<Vec<String>>) {
    let heads = ["referenceId", "widget", "pageViews", "opened", "addressesLookedUp", "leads", "wonDollars"];
    let row = |of: &WidgetUsage| {
        let seen = of.steps[VisitStep::Seen as usize];
        let counts = [seen, of.opened(), of.roofs(), of.count()].map(|count| count.to_string());
        let won = Usd::from_cents(of.won()).to_string();
        [of.id.clone(), of.name.clone()].into_iter().chain(counts).chain([won]).collect()
    };
    (heads, usage.iter().map(row).collect())
}
