//! The filters of the list of leads, and their form in the page's address.

use shingle_domain::lead::LeadStatus;
use shingle_domain::loss::LossReason;
use shingle_domain::{Environment, LeadId};
use shingle_store::{LeadOrigin, LeadSort, LeadWant};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InboxFilter {
    pub environment: Option<Environment>,
    pub statuses: Vec<LeadStatus>,
    pub search: String,
    /// Days of the company, `2026-11-24`.
    pub from: String,
    pub to: String,
    /// Id of a widget.
    pub widget: String,
    /// `me`, `nobody`, or the id of a user.
    pub assignee: String,
    /// Hashes, as the store names towns.
    pub towns: Vec<String>,
    /// As towns.
    pub tags: Vec<String>,
    pub losses: Vec<LossReason>,
    pub origins: Vec<LeadOrigin>,
    pub wants: Vec<LeadWant>,
    /// Whole dollars.
    pub price_from: String,
    pub price_to: String,
    pub unread: bool,
    pub asked: bool,
    pub waiting: bool,
    pub sort: LeadSort,
}

/// Filters that are shown and removed as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterGroup {
    Wants,
    Town,
    Tag,
    Assignee,
    Status,
    Loss,
    Price,
    Source,
    Widget,
    Date,
    Unread,
    Asked,
    Waiting,
}

impl FilterGroup {
    pub const ALL: [Self; 13] = [
        Self::Wants,
        Self::Town,
        Self::Tag,
        Self::Assignee,
        Self::Status,
        Self::Loss,
        Self::Price,
        Self::Source,
        Self::Widget,
        Self::Date,
        Self::Unread,
        Self::Asked,
        Self::Waiting,
    ];
}

/// Each order with its word in the address and in the page.
pub(crate) const SORTS: [(LeadSort, &str, &str); LeadSort::ALL.len()] = [
    (LeadSort::Newest, "newest", "Newest first"),
    (LeadSort::Oldest, "oldest", "Oldest first"),
    (LeadSort::Price, "price", "Highest price first"),
    (LeadSort::PriceLow, "price-low", "Lowest price first"),
    (LeadSort::Due, "due", "Next step due first"),
    (LeadSort::DueLast, "due-last", "Next step due last"),
    (LeadSort::Status, "status", "By status, new first"),
    (LeadSort::StatusLast, "status-last", "By status, lost first"),
    (LeadSort::Assignee, "assignee", "By assignee, A to Z"),
    (LeadSort::AssigneeLast, "assignee-last", "By assignee, Z to A"),
    (LeadSort::Urgent, "urgent", "Most urgent first"),
    (LeadSort::UrgentLast, "urgent-last", "Least urgent first"),
];

pub(crate) fn sort_in_words(of: LeadSort) -> &'static str {
    SORTS.iter().find(|(sort, ..)| *sort == of).map_or("", |(.., text)| text)
}

impl InboxFilter {
    pub fn of(environment: Environment) -> Self {
        Self { environment: Some(environment), ..Self::default() }
    }

    pub fn environment(&self) -> Environment {
        self.environment.unwrap_or(Environment::Production)
    }

    pub fn parse_sort(text: &str) -> Option<LeadSort> {
        SORTS.iter().find(|(_, word, _)| *word == text).map(|(sort, ..)| *sort)
    }

    pub fn is_spam(&self) -> bool {
        self.statuses == [LeadStatus::Spam]
    }

    /// How many filters narrow it; search words do not count.
    pub fn narrowing(&self) -> usize {
        self.active().len()
    }

    pub fn is_on(&self, group: FilterGroup) -> bool {
        let mut without = self.clone();
        without.set(group, &Self::default());
        without != *self
    }

    /// Those that narrow it.
    pub fn active(&self) -> Vec<FilterGroup> {
        FilterGroup::ALL.into_iter().filter(|group| self.is_on(*group)).collect()
    }

    fn set(&mut self, group: FilterGroup, from: &Self) {
        match group {
            FilterGroup::Wants => self.wants.clone_from(&from.wants),
            FilterGroup::Town => self.towns.clone_from(&from.towns),
            FilterGroup::Tag => self.tags.clone_from(&from.tags),
            FilterGroup::Loss => self.losses.clone_from(&from.losses),
            FilterGroup::Assignee => self.assignee.clone_from(&from.assignee),
            FilterGroup::Status => self.statuses.clone_from(&from.statuses),
            FilterGroup::Price => {
                self.price_from.clone_from(&from.price_from);
                self.price_to.clone_from(&from.price_to);
            }
            FilterGroup::Source => self.origins.clone_from(&from.origins),
            FilterGroup::Widget => self.widget.clone_from(&from.widget),
            FilterGroup::Date => {
                self.from.clone_from(&from.from);
                self.to.clone_from(&from.to);
            }
            FilterGroup::Unread => self.unread = from.unread,
            FilterGroup::Asked => self.asked = from.asked,
            FilterGroup::Waiting => self.waiting = from.waiting,
        }
    }

    pub(crate) fn without(&self, group: FilterGroup) -> Self {
        let mut without = self.clone();
        without.set(group, &Self::default());
        without
    }

    /// This group alone, of every lead.
    pub fn only(&self, group: FilterGroup) -> Self {
        let mut only = Self::of(self.environment());
        only.set(group, self);
        only
    }

    pub(crate) fn sorted(&self, sort: LeadSort) -> Self {
        Self { sort, ..self.clone() }
    }

    pub(crate) fn is_narrow(&self) -> bool {
        self.narrowing() > 0 || !self.search.is_empty()
    }

    /// With other words to look for, and every lead.
    pub fn searched(&self, words: &str) -> Self {
        Self { search: words.to_owned(), ..self.without_filters() }
    }

    /// The words alone.
    pub fn without_filters(&self) -> Self {
        Self { environment: self.environment, search: self.search.clone(), ..Self::default() }
    }

    /// Names and values of the query, in one order, so that equal lists have equal addresses.
    pub(crate) fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        let mut text = |name, value: &str| {
            if !value.is_empty() {
                pairs.push((name, value.to_owned()));
            }
        };
        if self.environment() == Environment::Sandbox {
            text("data", "sandbox");
        }
        LeadStatus::ALL.iter().filter(|status| self.statuses.contains(status)).for_each(|s| text("status", s.as_str()));
        text("search", &self.search);
        text("from", &self.from);
        text("to", &self.to);
        text("widget", &self.widget);
        text("assignee", &self.assignee);
        self.towns.iter().for_each(|town| text("town", town));
        self.tags.iter().for_each(|tag| text("tag", tag));
        LossReason::ALL.iter().filter(|of| self.losses.contains(of)).for_each(|of| text("loss", of.as_str()));
        LeadOrigin::ALL.iter().filter(|o| self.origins.contains(o)).for_each(|o| text("source", o.as_str()));
        LeadWant::ALL.iter().filter(|want| self.wants.contains(want)).for_each(|want| text("wants", want.as_str()));
        text("priceFrom", &self.price_from);
        text("priceTo", &self.price_to);
        text("unread", if self.unread { "yes" } else { "" });
        text("asked", if self.asked { "yes" } else { "" });
        text("waiting", if self.waiting { "yes" } else { "" });
        if self.sort != LeadSort::Newest {
            text("sort", SORTS.iter().find(|(sort, ..)| *sort == self.sort).map_or("", |(_, word, _)| word));
        }
        pairs
    }

    /// As the query of an address.
    pub fn query(&self) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in self.pairs() {
            query.append_pair(name, &value);
        }
        query.finish()
    }

    pub fn at(&self, path: &str) -> String {
        let query = self.query();
        if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
    }

    /// A lead that is opened from this list.
    pub fn lead_at(&self, id: LeadId) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        if self.environment() == Environment::Sandbox {
            query.append_pair("data", "sandbox");
        }
        if let Some(list) = self.named() {
            query.append_pair("list", &list);
        }
        let query = query.finish();
        let join = if query.is_empty() { "" } else { "?" };
        format!("/portal/leads/{id}{join}{query}")
    }

    /// How an opened lead names its list. `None`: the list without filters, the newest first.
    pub(crate) fn named(&self) -> Option<String> {
        let query = self.query();
        (query != Self::of(self.environment()).query()).then_some(query)
    }

    /// With one more pair.
    pub(crate) fn at_with(&self, path: &str, name: &str, value: &str) -> String {
        let query = self.query();
        let join = if query.is_empty() { "" } else { "&" };
        format!("{path}?{query}{join}{name}={value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_have_equal_addresses() {
        let mut filter = InboxFilter::of(Environment::Production);
        assert_eq!((filter.at("/portal/leads").as_str(), filter.narrowing()), ("/portal/leads", 0));
        filter.statuses = vec![LeadStatus::Won, LeadStatus::New];
        filter.search = "a&b=ö".to_owned();
        filter.price_to = "20000".to_owned();
        filter.origins = vec![LeadOrigin::Ads, LeadOrigin::Site];
        filter.sort = LeadSort::Price;
        let query = "status=new&status=won&search=a%26b%3D%C3%B6&source=site&source=ads&priceTo=20000&sort=price";
        assert_eq!(filter.query(), query);
        assert_eq!(filter.narrowing(), 3);
        filter.statuses.reverse();
        assert_eq!(filter.query(), query);
        assert_eq!(filter.without_filters().query(), "search=a%26b%3D%C3%B6");
    }

    #[test]
    fn each_group_is_removed_and_shown_alone() {
        let filter = InboxFilter {
            statuses: vec![LeadStatus::Won],
            from: "2026-11-01".to_owned(),
            to: "2026-11-30".to_owned(),
            waiting: true,
            sort: LeadSort::Oldest,
            ..InboxFilter::of(Environment::Sandbox)
        };
        assert_eq!(filter.active(), [FilterGroup::Status, FilterGroup::Date, FilterGroup::Waiting]);
        assert_eq!(filter.without(FilterGroup::Date).query(), "data=sandbox&status=won&waiting=yes&sort=oldest");
        assert_eq!(filter.only(FilterGroup::Date).query(), "data=sandbox&from=2026-11-01&to=2026-11-30");
        let mut none = filter.clone();
        for group in FilterGroup::ALL {
            none = none.without(group);
        }
        assert_eq!((none.query().as_str(), none.narrowing()), ("data=sandbox&sort=oldest", 0));
    }

    #[test]
    fn every_order_has_a_word_of_its_own() {
        for sort in LeadSort::ALL {
            let word = SORTS.iter().filter(|(of, ..)| *of == sort).map(|(_, word, _)| *word).collect::<Vec<_>>();
            assert_eq!((word.len(), InboxFilter::parse_sort(word[0])), (1, Some(sort)));
        }
    }

    #[test]
    fn a_lead_knows_the_list_that_it_is_opened_from() {
        let id: LeadId = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a".parse().unwrap();
        let plain = format!("/portal/leads/{id}");
        assert_eq!(InboxFilter::default().lead_at(id), plain);
        let mut filter = InboxFilter::of(Environment::Sandbox);
        assert_eq!(filter.lead_at(id), format!("{plain}?data=sandbox"));
        filter.search = "a&b".to_owned();
        assert_eq!(filter.lead_at(id), format!("{plain}?data=sandbox&list=data%3Dsandbox%26search%3Da%2526b"));
    }
}
