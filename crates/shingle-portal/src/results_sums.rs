//! The sums behind the results.

use jiff::civil::{Date, Weekday};
use shingle_domain::Usd;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::lead::LeadStatus;
use shingle_domain::visit::VisitFrom;

/// What the results ask of a lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadResult {
    pub from: VisitFrom,
    /// Id of its widget.
    pub widget: String,
    /// The company's day on which it came.
    pub day: Date,
    /// Seconds until somebody was on it, or changed its status.
    pub waited: Option<i64>,
    pub status: LeadStatus,
    /// What somebody told that it was worth, else of the estimate, for the material that was chosen.
    pub price: Option<Usd>,
}

impl LeadResult {
    pub(crate) fn won(&self) -> i64 {
        let price = self.price.filter(|_| self.status == LeadStatus::Won);
        price.map_or(0, Usd::cents)
    }

    pub(crate) fn value(&self) -> i64 {
        self.price.map_or(0, Usd::cents)
    }
}

/// By what leads are summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeadsBy {
    Widget,
    Page,
    Source,
}

impl LeadsBy {
    /// As the page's address names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Widget => "widget",
            Self::Page => "page",
            Self::Source => "source",
        }
    }

    pub fn of(self, lead: &LeadResult) -> &str {
        match self {
            Self::Widget => &lead.widget,
            Self::Page => lead.from.page(),
            Self::Source => lead.from.source(),
        }
    }
}

/// What leads of one name are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Worth {
    pub leads: i64,
    pub won: i64,
    pub won_cents: i64,
    pub value_cents: i64,
}

impl Worth {
    pub fn of(leads: &[LeadResult], by: LeadsBy, name: &str) -> Self {
        let mut worth = Self::default();
        for lead in leads.iter().filter(|lead| by.of(lead) == name) {
            worth.leads += 1;
            worth.won += i64::from(lead.status == LeadStatus::Won);
            worth.won_cents += lead.won();
            worth.value_cents += lead.value();
        }
        worth
    }

    pub fn join(&mut self, other: Self) {
        self.leads += other.leads;
        self.won += other.won;
        self.won_cents += other.won_cents;
        self.value_cents += other.value_cents;
    }
}

/// The longest waits that are told apart, in seconds.
pub(crate) const WAITS: [(i64, &str); 6] = [
    (5 * 60, "Under 5 min"),
    (15 * 60, "5 to 15 min"),
    (3_600, "15 to 60 min"),
    (4 * 3_600, "1 to 4 h"),
    (24 * 3_600, "4 to 24 h"),
    (i64::MAX, "Later or not yet"),
];

/// How many leads waited how long.
pub(crate) fn waits(leads: &[LeadResult]) -> [i64; 6] {
    let mut counts = [0; 6];
    for lead in leads {
        let waited = lead.waited.unwrap_or(i64::MAX);
        let at = WAITS.iter().position(|(until, _)| waited < *until).unwrap_or(WAITS.len() - 1);
        counts[at] += 1;
    }
    counts
}

/// The wait in the middle; `None`: half of them wait still, or there are none.
pub(crate) fn middle_wait(leads: &[LeadResult]) -> Option<i64> {
    let mut all: Vec<i64> = leads.iter().map(|lead| lead.waited.unwrap_or(i64::MAX)).collect();
    all.cold_sort();
    all.get(all.len().saturating_sub(1) / 2).copied().filter(|waited| *waited < i64::MAX)
}

/// Leads of one week, by its Monday, and what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Week {
    pub monday: Date,
    pub leads: i64,
    pub won: i64,
    pub cents: i64,
}

/// Every week that has a day of the period, oldest first.
pub(crate) fn weeks(leads: &[LeadResult], first: Date, last: Date) -> Vec<Week> {
    let monday = |day: Date| {
        let back = day.weekday().since(Weekday::Monday);
        day.checked_sub(jiff::Span::new().days(i64::from(back))).unwrap_or(day)
    };
    let mut weeks = Vec::new();
    let mut at = monday(first);
    while at <= last {
        let of = leads.iter().filter(|lead| monday(lead.day) == at);
        let mut week = Week { monday: at, leads: 0, won: 0, cents: 0 };
        for lead in of {
            week.leads += 1;
            week.won += i64::from(lead.status == LeadStatus::Won);
            week.cents += lead.won();
        }
        weeks.push(week);
        let Ok(next) = at.checked_add(jiff::Span::new().days(7)) else { break };
        at = next;
    }
    weeks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(day: &str, waited: Option<i64>, status: LeadStatus) -> LeadResult {
        let price = Some(Usd::from_cents(100_000));
        LeadResult {
            from: VisitFrom::default(),
            widget: "w".to_owned(),
            day: day.parse().unwrap(),
            waited,
            status,
            price,
        }
    }

    #[test]
    fn a_wait_stands_in_one_group_and_the_middle_one_is_one_of_them() {
        let of = |waits: &[Option<i64>]| -> Vec<LeadResult> {
            waits.iter().map(|waited| lead("2026-11-20", *waited, LeadStatus::New)).collect()
        };
        let all =
            of(&[Some(0), Some(299), Some(300), Some(899), Some(900), Some(3_600), Some(86_399), Some(86_400), None]);
        assert_eq!(waits(&all), [2, 2, 1, 1, 1, 2]);
        assert_eq!(middle_wait(&all), Some(900));
        assert_eq!(middle_wait(&of(&[Some(7), Some(9)])), Some(7));
        assert_eq!((middle_wait(&of(&[Some(7), None, None])), middle_wait(&[])), (None, None));
    }

    #[test]
    fn leads_of_a_name_are_worth_what_they_were_shown_and_what_was_won() {
        let leads = [
            lead("2026-11-02", None, LeadStatus::Won),
            lead("2026-11-02", None, LeadStatus::New),
            LeadResult { widget: "other".to_owned(), ..lead("2026-11-02", None, LeadStatus::Won) },
            LeadResult { price: None, ..lead("2026-11-02", None, LeadStatus::Won) },
        ];
        let worth = Worth::of(&leads, LeadsBy::Widget, "w");
        assert_eq!(worth, Worth { leads: 3, won: 2, won_cents: 100_000, value_cents: 200_000 });
        assert_eq!(Worth::of(&leads, LeadsBy::Widget, ""), Worth::default());
        let mut all = worth;
        all.join(Worth::of(&leads, LeadsBy::Widget, "other"));
        assert_eq!((all.leads, all.won_cents), (4, 200_000));
    }

    #[test]
    fn weeks_begin_on_mondays_and_none_is_left_out() {
        let leads = [
            lead("2026-11-01", None, LeadStatus::Won),
            lead("2026-11-02", None, LeadStatus::Won),
            lead("2026-11-02", None, LeadStatus::Lost),
            lead("2026-11-22", None, LeadStatus::New),
        ];
        let found = weeks(&leads, "2026-11-01".parse().unwrap(), "2026-11-23".parse().unwrap());
        let told: Vec<_> =
            found.iter().map(|week| (week.monday.to_string(), week.leads, week.won, week.cents)).collect();
        let told: Vec<_> = told.iter().map(|(day, leads, won, cents)| (day.as_str(), *leads, *won, *cents)).collect();
        assert_eq!(
            told,
            [
                ("2026-10-26", 1, 1, 100_000),
                ("2026-11-02", 2, 1, 100_000),
                ("2026-11-09", 0, 0, 0),
                ("2026-11-16", 1, 0, 0),
                ("2026-11-23", 0, 0, 0)
            ]
        );
    }
}
