//! What the widgets bring: from seen to lead, by widget, page, source and day; how soon leads are answered; what is won.

use jiff::civil::Date;
use shingle_domain::lead::LeadStatus;
use shingle_domain::{Environment, Language, Usd};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::{dollars, thousands};

use crate::days::month_of_year;
use crate::element::{Tone, button, div, el, hidden, link, note, select};
use crate::frame::{Place, Signed, shell};
use crate::phrase::{phrase, read, translated};
use crate::results_charts::{funnel, touches, towns, won};
use crate::results_sums::{LeadResult, LeadsBy, middle_wait, waits};
use crate::results_tables::{CountsTitles, by_day, counts};
use crate::results_view::{ResultsQuery, ResultsView, card_with_csv, page_in_words, source_in_words, wait_in_words};

/// Months that can be downloaded.
const MONTHS: usize = 25;

pub fn results_page(signed: &Signed<'_>, view: &ResultsView<'_>) -> String {
    let language = signed.language;
    let query = view.query;
    let sum = view.sum();
    let mut inside = vec![chooser(view, language)];
    inside.extend(view.wrong.map(|wrong| note(Tone::Wrong, wrong)));
    inside.push(tiles(view, language));
    inside.push(funnel(view, &sum, language));
    let mut days = card_with_csv("By day", query, "days", language);
    days = days.child(by_day(view, language));
    inside.push(days);
    if view.by_widget.len() > 1 {
        let named = |id: &str| view.title(id).to_owned().into();
        let titles = CountsTitles { title: "By widget", head: "Widget", csv: "widgets" };
        inside.push(counts(view, titles, view.by_widget, (LeadsBy::Widget, &named), language));
    }
    let titles = CountsTitles { title: "By page", head: "Page", csv: "pages" };
    inside.push(counts(view, titles, view.by_page, (LeadsBy::Page, &page_in_words), language));
    let titles = CountsTitles { title: "By source", head: "Source", csv: "sources" };
    inside.push(counts(view, titles, view.by_source, (LeadsBy::Source, &source_in_words), language));
    inside.push(div("columns even").child(touches(view, language)).child(towns(view, language)));
    inside.push(won(view, language));
    inside.push(monthly(view, language));
    let download = link(query.at("/portal/results.csv", "table=steps"), "Download CSV").set("class", "btn");
    shell(signed, Place::Results, "Results", vec![download], inside)
}

/// Any of the last months as a PDF.
fn monthly(view: &ResultsView<'_>, language: Language) -> Node {
    let query = view.query;
    let mut month = query.today.first_of_month();
    let mut months = Vec::new();
    for _ in 0..MONTHS {
        months.push((format!("{:04}-{:02}", month.year(), month.month()), month_of_year(language, month)));
        let Ok(before) = month.yesterday() else { break };
        month = before.first_of_month();
    }
    let last = months.get(1).map(|(value, _)| value.clone()).unwrap_or_default();
    let mut form = el("form").set("method", "get").set("action", "/portal/results.pdf").set("class", "bar flat").child(
        div("field day")
            .child(el("label").set("for", "month").text("Month"))
            .child(select("month", "month", months, &last)),
    );
    if !query.widget.is_empty() {
        form = form.child(hidden("widget", query.widget.clone()));
    }
    if query.environment == Environment::Sandbox {
        form = form.child(hidden("data", "sandbox"));
    }
    Node::classed("section", "card")
        .child(el("h2").text("Monthly report"))
        .child(Node::classed("p", "soft").text("Leads, what they are worth, how soon they were answered and where they came from, compared with the month before."))
        .child(form.child(button("btn", "Download as PDF")))
}

fn chooser(view: &ResultsView<'_>, language: Language) -> Node {
    let query = view.query;
    let ours = |text: &'static str| translated(language, text).to_owned();
    let choice = |id: &'static str, label: &'static str, options: Vec<(String, String)>, chosen: &str| {
        div("field day").child(el("label").set("for", id).text(label)).child(select(id, id, options, chosen))
    };
    let periods = [("7", "Last 7 days"), ("30", "Last 30 days"), ("90", "Last 90 days"), ("own", "Custom dates")];
    let periods = periods.map(|(value, said)| (value.to_owned(), ours(said))).to_vec();
    let period = query.days.map_or_else(|| "own".to_owned(), |days| days.to_string());
    let day = |id: &'static str, label: &'static str, value: Date| {
        div("field day").child(el("label").set("for", id).text(label)).child(
            el("input")
                .set("id", id)
                .set("name", id)
                .set("type", "date")
                .set("class", "in")
                .set("value", value.to_string()),
        )
    };
    let mut form = el("form")
        .set("method", "get")
        .set("action", "/portal/results")
        .set("class", "bar flat")
        .child(choice("days", "Period", periods, &period))
        .child(day("from", "From", query.first))
        .child(day("to", "To", query.last))
        .child(hidden("shown", query.shown()));
    if view.widgets.len() > 1 {
        let all = std::iter::once((String::new(), ours("Every widget")));
        form = form.child(choice("widget", "Widget", all.chain(view.widgets.iter().cloned()).collect(), &query.widget));
    }
    let mut sources: Vec<_> =
        view.sources.iter().map(|source| (source.clone(), read(&source_in_words(source), language))).collect();
    if !query.source.is_empty() && !view.sources.contains(&query.source) {
        sources.push((query.source.clone(), read(&source_in_words(&query.source), language)));
    }
    let all = std::iter::once((String::new(), ours("Every source")));
    form = form.child(choice("source", "Source", all.chain(sources).collect(), &query.source));
    if !query.page.is_empty() {
        form = form.child(hidden("page", query.page.clone()));
    }
    if query.environment == Environment::Sandbox {
        form = form.child(hidden("data", "sandbox"));
    }
    let form = form.child(button("btn", "Show"));
    let other = match query.environment {
        Environment::Production => ResultsQuery { environment: Environment::Sandbox, ..all_of(query) },
        Environment::Sandbox => ResultsQuery { environment: Environment::Production, ..all_of(query) },
    };
    let said = if query.environment == Environment::Production { "Test data" } else { "Real data" };
    let mut links = div("pair").child(link(other.at("/portal/results", ""), said));
    if !query.page.is_empty() {
        let without = ResultsQuery { page: String::new(), ..query.clone() };
        let page = read(&page_in_words(&query.page), language);
        links = links
            .child(el("span").text(phrase(language, "Only page: {page}", &[("page", &page)])))
            .child(link(without.at("/portal/results", ""), "All pages"));
    }
    div("choose").child(form).child(links)
}

/// Without what belongs to one environment.
fn all_of(query: &ResultsQuery) -> ResultsQuery {
    ResultsQuery { widget: String::new(), page: String::new(), source: String::new(), ..query.clone() }
}

fn tiles(view: &ResultsView<'_>, language: Language) -> Node {
    let tile = |name: &'static str, value: String, small: String| {
        let mut tile = div("tile").child(el("dt").text(name)).child(el("dd").text(value));
        if !small.is_empty() {
            tile = tile.child(Node::classed("dd", "small").text(small));
        }
        tile
    };
    let count = i64::try_from(view.leads.len()).unwrap_or_default();
    let before = match view.leads_before {
        Some(before) => phrase(language, "{count} in the same time before", &[("count", &thousands(before as i64))]),
        None => translated(language, "Without spam").to_owned(),
    };
    let quick = waits(view.leads)[0];
    let waited = middle_wait(view.leads);
    let middle = waited.map_or_else(|| "–".to_owned(), |waited| wait_in_words(waited, language));
    let quick = phrase(
        language,
        match waited {
            Some(_) => "Median. {count} of {all} within 5 min",
            None => "At least half haven’t been answered yet. {count} of {all} within 5 min",
        },
        &[("count", &thousands(quick)), ("all", &thousands(count))],
    );
    let won = view.leads.iter().filter(|lead| lead.status == LeadStatus::Won).count();
    let worked = view.leads.iter().filter(|lead| lead.status != LeadStatus::New).count();
    let value: i64 = view.leads.iter().map(LeadResult::won).sum();
    Node::classed("dl", "tiles").children([
        tile("Leads", thousands(count), before),
        tile("Time to first response", middle, if count == 0 { String::new() } else { quick }),
        tile(
            "Won",
            thousands(won as i64),
            phrase(language, "Of {count} in progress or closed", &[("count", &thousands(worked as i64))]),
        ),
        tile(
            "Won value",
            dollars(Usd::from_cents(value)),
            translated(language, "The amounts you entered; without one, the estimate").to_owned(),
        ),
    ])
}
