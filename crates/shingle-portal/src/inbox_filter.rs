//! The filters of the list of leads, and their form in the page's address.

use shingle_domain::lead::LeadStatus;
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
    pub origins: Vec<LeadOrigin>,
    pub wants: Vec<LeadWant>,
    /// Whole dollars.
    pub price_from: String,
    pub price_to: String,
    pub unread: bool,
    pub asked: bool,
    pub sort: LeadSort,
}

pub(crate) const SORTS: [(LeadSort, &str, &str); 3] = [
    (LeadSort::Newest, "newest", "Newest first"),
    (LeadSort::Price, "price", "Highest price first"),
    (LeadSort::Due, "due", "Next step due first"),
];

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
        let given = [&self.widget, &self.assignee].iter().filter(|text| !text.is_empty()).count();
        let pairs = [(&self.from, &self.to), (&self.price_from, &self.price_to)];
        let pairs = pairs.iter().filter(|(from, to)| !from.is_empty() || !to.is_empty()).count();
        let lists = [self.statuses.is_empty(), self.towns.is_empty(), self.origins.is_empty(), self.wants.is_empty()];
        let lists = lists.iter().filter(|is_empty| !**is_empty).count();
        given + pairs + lists + usize::from(self.unread) + usize::from(self.asked)
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
        LeadOrigin::ALL.iter().filter(|o| self.origins.contains(o)).for_each(|o| text("source", o.as_str()));
        LeadWant::ALL.iter().filter(|want| self.wants.contains(want)).for_each(|want| text("wants", want.as_str()));
        text("priceFrom", &self.price_from);
        text("priceTo", &self.price_to);
        text("unread", if self.unread { "yes" } else { "" });
        text("asked", if self.asked { "yes" } else { "" });
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
