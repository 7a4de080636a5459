//! The results as tables: by day, widget, page and source, and as files.

use shingle_domain::visit::VisitStep;
use shingle_domain::{Language, Usd};
use shingle_store::StepCounts;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::{dollars, thousands};

use crate::chart::{Column, as_table, columns, table};
use crate::element::{div, el, link, soft};
use crate::phrase::{phrase, translated};
use crate::results_sums::{LeadsBy, WAITS, Week, Worth, waits, weeks};
use crate::results_view::{ResultsQuery, ResultsView, card_with_csv, share_or_counts};

pub(crate) fn by_day(view: &ResultsView<'_>, language: Language) -> Node {
    let (opened, lead) = (VisitStep::Opened as usize, VisitStep::Lead as usize);
    let mut days = Vec::new();
    let mut at = view.query.first;
    while at <= view.query.last {
        let (name, key) = (view.day(at, language), at.to_string());
        let counts = view.by_day.iter().find(|(day, _)| *day == key).map(|(_, counts)| *counts).unwrap_or_default();
        days.push((name, counts));
        let Ok(next) = at.tomorrow() else { break };
        at = next;
    }
    let busiest = days.iter().max_by_key(|(_, counts)| counts[opened]);
    let Some((busiest, most)) = busiest.filter(|(_, counts)| counts[opened] > 0) else {
        return soft("Nobody opened a widget in this period.");
    };
    let drawn: Vec<_> = days
        .iter()
        .map(|(_, counts)| Column { value: counts[opened], strong: counts[lead].min(counts[opened]) })
        .collect();
    let sentence = phrase(
        language,
        "Opened by day, with the leads among them. The most on {day}: {opened} opened, leads: {leads}.",
        &[("day", busiest), ("opened", &thousands(most[opened])), ("leads", &thousands(most[lead]))],
    );
    let rows = days.iter().rev().filter(|(_, counts)| counts.iter().any(|count| *count > 0)).map(|(day, counts)| {
        let figures = counts.iter().map(|count| Text::from(thousands(*count)));
        std::iter::once(Text::from(day.clone())).chain(figures).collect()
    });
    let heads = ["Day", "Seen", "Opened", "Address", "Roof", "Details", "Leads"];
    let caption = translated(language, "Visits by day; days without any are left out").to_owned();
    div("stack")
        .child(columns(
            &sentence,
            &drawn,
            [&view.day(view.query.first, language), &view.day(view.query.last, language)],
            ["Opened", "Leads"],
        ))
        .child(as_table(table(caption, &heads, rows.collect())))
}

/// With the names of leads that no visit was counted for: they were added by hand, or came from a file.
fn with_leads(view: &ResultsView<'_>, rows: &[(String, StepCounts)], by: LeadsBy) -> Vec<(String, StepCounts)> {
    let mut all = rows.to_vec();
    for lead in view.leads {
        let name = by.of(lead);
        if !name.is_empty() && all.iter().all(|(known, _)| known != name) {
            let mut counts = StepCounts::default();
            counts[VisitStep::Lead as usize] = Worth::of(view.leads, by, name).leads;
            all.push((name.to_owned(), counts));
        }
    }
    all
}

/// Titles of a table: its own, that of its first column, and the file's.
pub(crate) struct CountsTitles {
    pub title: &'static str,
    pub head: &'static str,
    pub csv: &'static str,
}

pub(crate) fn counts(
    view: &ResultsView<'_>,
    CountsTitles { title, head, csv }: CountsTitles,
    rows: &[(String, StepCounts)],
    (by, named): (LeadsBy, &dyn Fn(&str) -> Text),
    language: Language,
) -> Node {
    let (opened, lead) = (VisitStep::Opened as usize, VisitStep::Lead as usize);
    let with_seen = by == LeadsBy::Widget;
    let mut rows = with_leads(view, rows, by);
    rows.retain(|(_, counts)| with_seen || counts[1..].iter().any(|count| *count > 0));
    let all = card_with_csv(title, view.query, csv, language);
    if rows.is_empty() {
        return all.child(soft("Nobody opened a widget in this period."));
    }
    let cells = |name: Node, counts: &StepCounts, worth: Worth| {
        let figure = |label: &'static str, text: String| {
            Node::classed("td", "n").child(Node::classed("span", "label-n").text(label)).child(el("span").text(text))
        };
        let mut row = el("tr").child(name).child(figure("Leads", thousands(counts[lead])));
        if with_seen {
            row = row.child(figure("Seen", thousands(counts[0])));
        }
        row.child(figure("Opened", thousands(counts[opened])))
            .child(figure("Conversion", share_or_counts(counts[lead], counts[opened], language)))
            .child(figure("Value", dollars(Usd::from_cents(worth.value_cents))))
            .child(figure("Won", dollars(Usd::from_cents(worth.won_cents))))
    };
    let mut total = (StepCounts::default(), Worth::default());
    let mut body = Vec::new();
    for (name, counts) in &rows {
        let worth = Worth::of(view.leads, by, name);
        total.1.join(worth);
        for (sum, count) in total.0.iter_mut().zip(counts) {
            *sum += count;
        }
        let only = match by {
            LeadsBy::Page => ResultsQuery { page: name.clone(), ..view.query.clone() },
            LeadsBy::Source => ResultsQuery { source: name.clone(), ..view.query.clone() },
            LeadsBy::Widget => ResultsQuery { widget: name.clone(), ..view.query.clone() },
        };
        let to = link(only.at("/portal/results", ""), named(name));
        body.push(cells(el("th").set("scope", "row").child(to), counts, worth));
    }
    let seen: &[&'static str] = if with_seen { &["Seen"] } else { &[] };
    let heads = ["Leads"].iter().chain(seen).chain(&["Opened", "Conversion", "Value", "Won"]);
    let heads = std::iter::once(el("th").set("scope", "col").text(head))
        .chain(heads.map(|head| el("th").set("scope", "col").set("class", "n").text(*head)));
    let foot = cells(el("th").set("scope", "row").text("Total"), &total.0, total.1);
    all.child(
        Node::classed("table", "counts")
            .child(Node::classed("caption", "vh").text(title))
            .child(el("thead").child(el("tr").children(heads)))
            .child(el("tbody").children(body))
            .child(el("tfoot").child(foot)),
    )
    .child(soft(
        "Value: what all these leads are worth, by the amounts you entered or the estimate. Won: the won ones alone.",
    ))
}

/// Heads and rows of one table, for a file.
pub fn results_rows(view: &ResultsView<'_>, name: &str) -> Option<(Vec<&'static str>, Vec<Vec<String>>)> {
    let steps = ["seen", "opened", "address", "roof", "details", "lead"];
    let figures = |counts: &StepCounts| counts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let usd = |cents: i64| format!("{}.{:02}", cents / 100, cents.rem_euclid(100));
    let by = |by: LeadsBy, rows: &[(String, StepCounts)]| {
        let row = |(name, counts): &(String, StepCounts)| {
            let worth = Worth::of(view.leads, by, name);
            let worth = vec![worth.won.to_string(), usd(worth.won_cents), usd(worth.value_cents)];
            [vec![name.clone()], figures(counts), worth].concat()
        };
        let rows = with_leads(view, rows, by).iter().map(row).collect();
        (std::iter::once(by.as_str()).chain(steps).chain(["won", "wonUsd", "valueUsd"]).collect(), rows)
    };
    Some(match name {
        "steps" => {
            let sum = view.sum();
            let rows = steps.iter().zip(sum).map(|(step, count)| vec![(*step).to_owned(), count.to_string()]).collect();
            (vec!["step", "count"], rows)
        }
        "days" => {
            let rows = view.by_day.iter().map(|(day, counts)| [vec![day.clone()], figures(counts)].concat()).collect();
            (std::iter::once("day").chain(steps).collect(), rows)
        }
        "widgets" => by(LeadsBy::Widget, view.by_widget),
        "pages" => by(LeadsBy::Page, view.by_page),
        "sources" => by(LeadsBy::Source, view.by_source),
        "touch" => {
            let rows = WAITS.iter().zip(waits(view.leads));
            let rows = rows.map(|((_, name), count)| vec![(*name).to_owned(), count.to_string()]).collect();
            (vec!["time", "leads"], rows)
        }
        "weeks" => {
            let weeks = weeks(view.leads, view.query.first, view.query.last);
            let row = |week: Week| {
                vec![week.monday.to_string(), week.leads.to_string(), week.won.to_string(), usd(week.cents)]
            };
            (vec!["week", "leads", "won", "valueUsd"], weeks.into_iter().map(row).collect())
        }
        "towns" => {
            let rows = view.towns.iter().map(|(town, asked)| vec![town.clone(), asked.to_string()]).collect();
            (vec!["town", "addresses"], rows)
        }
        _ => return None,
    })
}
