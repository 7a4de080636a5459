//! What the page of results shows, and the words for it.

use jiff::civil::Date;
use shingle_domain::visit::{HOSTED, OTHER, VisitStep};
use shingle_domain::{Environment, Language};
use shingle_store::StepCounts;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::thousands;

use crate::counted::{Counted, counted};
use crate::days::{day_of_year, short_day};
use crate::element::{div, el, link};
use crate::phrase::{phrase, read, translated};
use crate::results_sums::LeadResult;

/// Below it a share says more than is known.
pub(crate) const ENOUGH: i64 = 30;

/// What is asked for, as it is in the page's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsQuery {
    /// So many days until today; `None`: own dates.
    pub days: Option<u16>,
    pub first: Date,
    pub last: Date,
    pub today: Date,
    /// Id of a widget; empty: all.
    pub widget: String,
    /// As it is counted; empty: all.
    pub page: String,
    pub source: String,
    pub environment: Environment,
}

impl ResultsQuery {
    /// As the query of an address.
    pub fn query(&self) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        match self.days {
            Some(30) => {}
            Some(days) => drop(query.append_pair("days", &days.to_string())),
            None => drop(
                query
                    .append_pair("days", "own")
                    .append_pair("from", &self.first.to_string())
                    .append_pair("to", &self.last.to_string()),
            ),
        }
        for (name, value) in [("widget", &self.widget), ("page", &self.page), ("source", &self.source)] {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        if self.environment == Environment::Sandbox {
            query.append_pair("data", "sandbox");
        }
        query.finish()
    }

    /// The days that are in the form: others in its answer were typed.
    pub fn shown(&self) -> String {
        format!("{} {}", self.first, self.last)
    }

    pub(crate) fn at(&self, path: &str, more: &str) -> String {
        let query =
            [self.query().as_str(), more].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&");
        if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
    }
}

pub struct ResultsView<'v> {
    pub query: &'v ResultsQuery,
    /// What of the query was not understood.
    pub wrong: Option<&'static str>,
    /// Ids and titles.
    pub widgets: &'v [(String, String)],
    pub by_widget: &'v [(String, StepCounts)],
    pub by_page: &'v [(String, StepCounts)],
    pub by_source: &'v [(String, StepCounts)],
    pub by_day: &'v [(String, StepCounts)],
    /// Sources of the period, whatever is chosen.
    pub sources: &'v [String],
    /// Without spam.
    pub leads: &'v [LeadResult],
    /// In as many days before.
    pub leads_before: Option<u64>,
    /// The first day of which anything is counted.
    pub counted_since: Option<Date>,
    pub towns: &'v [(String, i64)],
}

impl ResultsView<'_> {
    pub(crate) fn sum(&self) -> StepCounts {
        let mut sum = StepCounts::default();
        for (_, counts) in self.by_day {
            for (sum, count) in sum.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        sum
    }

    /// As people write it; the year where it is not this one.
    pub(crate) fn day(&self, date: Date, language: Language) -> String {
        match date.year() == self.query.today.year() {
            true => short_day(language, date),
            false => day_of_year(language, date),
        }
    }

    pub(crate) fn title<'s>(&'s self, widget: &'s str) -> &'s str {
        self.widgets.iter().find(|(id, _)| id == widget).map_or(widget, |(_, title)| title)
    }
}

pub(crate) fn step_in_words(step: VisitStep) -> &'static str {
    match step {
        VisitStep::Seen => "Seen",
        VisitStep::Opened => "Opened",
        VisitStep::Address => "Address chosen",
        VisitStep::Roof => "Roof confirmed",
        VisitStep::Details => "Details started",
        VisitStep::Lead => "Lead",
    }
}

pub(crate) fn page_in_words(page: &str) -> Text {
    match page {
        "" => "Page not known".into(),
        "/" => "/ (front page)".into(),
        HOSTED => "The hosted page".into(),
        OTHER => "Other pages".into(),
        path => path.to_owned().into(),
    }
}

pub(crate) fn source_in_words(source: &str) -> Text {
    match source {
        "" => "Source not known".into(),
        "direct" => "Direct".into(),
        HOSTED => "Link to the hosted page".into(),
        "qr" => "QR code".into(),
        "hand" => "Added by hand".into(),
        "import" => "From a file".into(),
        OTHER => "Other sources".into(),
        named => named.split_once(':').map_or(named, |(_, name)| name).to_owned().into(),
    }
}

/// The same in one language.
pub fn source_name(source: &str, language: Language) -> String {
    read(&source_in_words(source), language)
}

/// `72.1%`; nothing where too few are behind it, or more than all.
pub(crate) fn share(count: i64, of: i64) -> Option<String> {
    (of >= ENOUGH && count <= of).then(|| format!("{:.1}%", count as f64 * 100.0 / of as f64))
}

/// A share, else the counts that it would hide.
pub(crate) fn share_or_counts(count: i64, of: i64, language: Language) -> String {
    let counts = [("count", &*thousands(count)), ("all", &*thousands(of))];
    share(count, of)
        .unwrap_or_else(|| if of == 0 { String::new() } else { phrase(language, "{count} of {all}", &counts) })
}

pub(crate) fn wait_in_words(seconds: i64, language: Language) -> String {
    let (count, words) = match seconds {
        ..3_600 => (seconds / 60, "{count} min"),
        3_600..86_400 => (seconds / 3_600, "{count} h"),
        _ => return counted(language, Counted::DAYS, seconds / 86_400),
    };
    phrase(language, words, &[("count", &thousands(count))])
}

pub(crate) fn card_with_csv(title: &'static str, query: &ResultsQuery, name: &'static str, language: Language) -> Node {
    let said = phrase(language, "CSV: {table}", &[("table", translated(language, title))]);
    let csv = link(query.at("/portal/results.csv", &format!("table={name}")), "CSV").set("aria-label", said);
    Node::classed("section", "card").child(div("card-head").child(el("h2").text(title)).child(csv))
}
