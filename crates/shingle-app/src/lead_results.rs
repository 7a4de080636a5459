//! The leads of a period in numbers: by status, source and week, and what the won ones are worth.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use serde::Serialize;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::lead::LeadStatus;
use shingle_store::LeadOutcome;

/// Sources that are listed; the rest is one.
const MAX_SOURCES: usize = 30;

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeadResults {
    leads: u64,
    won: u64,
    won_revenue_usd: f64,
    by_status: BTreeMap<&'static str, u64>,
    /// The most leads first.
    by_source: Vec<SourceResult>,
    /// Every week of the period, also without leads.
    by_week: Vec<WeekResult>,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct SourceResult {
    /// An address can name any.
    from_visitor: SourceName,
    #[serde(flatten)]
    sums: Sums,
}

#[derive(Debug, PartialEq, Serialize)]
struct SourceName {
    source: String,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct WeekResult {
    /// Its Monday.
    week: String,
    #[serde(flatten)]
    sums: Sums,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Sums {
    leads: u64,
    won: u64,
    won_cents: i64,
}

impl Serialize for Sums {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = to.serialize_map(Some(3))?;
        map.serialize_entry("leads", &self.leads)?;
        map.serialize_entry("won", &self.won)?;
        map.serialize_entry("wonRevenueUsd", &dollars(self.won_cents))?;
        map.end()
    }
}

fn dollars(cents: i64) -> f64 {
    cents as f64 / 100.0
}

impl Sums {
    fn add(&mut self, outcome: &LeadOutcome) {
        self.leads += 1;
        if outcome.status == LeadStatus::Won {
            self.won += 1;
            self.won_cents = self.won_cents.saturating_add(outcome.price.map_or(0, |price| price.cents()));
        }
    }

    fn join(&mut self, other: Self) {
        self.leads += other.leads;
        self.won += other.won;
        self.won_cents = self.won_cents.saturating_add(other.won_cents);
    }
}

fn monday(day: Date) -> Date {
    let since = day.weekday().since(Weekday::Monday);
    day.checked_sub(i64::from(since).days()).unwrap_or(day)
}

impl LeadResults {
    /// Of outcomes from the first day to the last, in days of the company's zone.
    pub fn of(outcomes: &[LeadOutcome], (first, last): (Date, Date), zone: &TimeZone) -> Self {
        let mut all = Sums::default();
        let mut by_status: BTreeMap<&'static str, u64> =
            LeadStatus::ALL.iter().filter(|s| **s != LeadStatus::Spam).map(|status| (status.as_str(), 0)).collect();
        let mut sources: BTreeMap<&str, Sums> = BTreeMap::new();
        let mut weeks: BTreeMap<Date, Sums> = BTreeMap::new();
        let mut week = monday(first);
        while week <= last {
            weeks.insert(week, Sums::default());
            let Ok(next) = week.checked_add(7.days()) else { break };
            week = next;
        }
        for outcome in outcomes {
            all.add(outcome);
            *by_status.entry(outcome.status.as_str()).or_default() += 1;
            sources.entry(outcome.from.source()).or_default().add(outcome);
            if let Ok(at) = jiff::Timestamp::from_microsecond(outcome.created_at.micros()) {
                weeks.entry(monday(at.to_zoned(zone.clone()).date())).or_default().add(outcome);
            }
        }
        Self {
            leads: all.leads,
            won: all.won,
            won_revenue_usd: dollars(all.won_cents),
            by_status,
            by_source: listed(sources),
            by_week: weeks.into_iter().map(|(week, sums)| WeekResult { week: week.to_string(), sums }).collect(),
        }
    }
}

fn listed(sources: BTreeMap<&str, Sums>) -> Vec<SourceResult> {
    let mut all: Vec<(&str, Sums)> = sources.into_iter().collect();
    all.cold_sort_by_key(|(_, sums)| std::cmp::Reverse(sums.leads));
    let mut rest = Sums::default();
    for (_, sums) in all.iter().skip(MAX_SOURCES) {
        rest.join(*sums);
    }
    all.truncate(MAX_SOURCES);
    if rest.leads > 0 {
        all.push(("all others", rest));
    }
    let result =
        |(source, sums): (&str, Sums)| SourceResult { from_visitor: SourceName { source: source.to_owned() }, sums };
    all.into_iter().map(result).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shingle_domain::visit::VisitFrom;
    use shingle_domain::{Timestamp, Usd};

    use super::*;

    fn outcome(at: &str, status: LeadStatus, source: &str, dollars: Option<i64>) -> LeadOutcome {
        LeadOutcome {
            created_at: Timestamp::parse_iso(at).unwrap(),
            first_touch_at: None,
            status,
            from: VisitFrom::counted("/".to_owned(), source.to_owned()),
            widget: None,
            price: dollars.map(Usd::from_dollars),
        }
    }

    fn results(outcomes: &[LeadOutcome], zone: &str) -> serde_json::Value {
        let days = ("2026-03-01".parse().unwrap(), "2026-03-15".parse().unwrap());
        serde_json::to_value(LeadResults::of(outcomes, days, &TimeZone::get(zone).unwrap())).unwrap()
    }

    #[test]
    fn leads_are_counted_by_status_source_and_week() {
        let all = [
            // Sunday evening in New York, Monday in London.
            outcome("2026-03-09T01:30:00Z", LeadStatus::Won, "newsletter", Some(20_000)),
            outcome("2026-03-10T12:00:00Z", LeadStatus::Won, "newsletter", None),
            outcome("2026-03-10T12:00:00Z", LeadStatus::New, "direct", Some(9_000)),
        ];
        let seen = results(&all, "America/New_York");
        assert_eq!((&seen["leads"], &seen["won"], &seen["wonRevenueUsd"]), (&json!(3), &json!(2), &json!(20_000.0)));
        assert_eq!(seen["byStatus"], json!({ "contacted": 0, "lost": 0, "new": 1, "qualified": 0, "won": 2 }));
        assert_eq!(
            seen["bySource"],
            json!([
                { "fromVisitor": { "source": "newsletter" }, "leads": 2, "won": 2, "wonRevenueUsd": 20_000.0 },
                { "fromVisitor": { "source": "direct" }, "leads": 1, "won": 0, "wonRevenueUsd": 0.0 },
            ])
        );
        let weeks = |seen: &serde_json::Value| {
            let weeks = seen["byWeek"].as_array().unwrap().iter();
            weeks
                .map(|week| (week["week"].as_str().unwrap().to_owned(), week["leads"].as_u64().unwrap()))
                .collect::<Vec<_>>()
        };
        let week = |day: &str, leads: u64| (day.to_owned(), leads);
        assert_eq!(weeks(&seen), [week("2026-02-23", 0), week("2026-03-02", 1), week("2026-03-09", 2)]);
        assert_eq!(weeks(&results(&all, "Europe/London"))[2], week("2026-03-09", 3));
        assert_eq!(results(&[], "UTC")["leads"], 0);
    }

    #[test]
    fn a_flood_of_invented_sources_makes_a_short_list() {
        let all: Vec<_> =
            (0..500).map(|n| outcome("2026-03-10T12:00:00Z", LeadStatus::New, &format!("s{n}"), None)).collect();
        let seen = results(&all, "UTC");
        let sources = seen["bySource"].as_array().unwrap();
        assert_eq!(sources.len(), MAX_SOURCES + 1);
        assert_eq!(sources[MAX_SOURCES]["leads"], 500 - MAX_SOURCES as u64);
    }
}
