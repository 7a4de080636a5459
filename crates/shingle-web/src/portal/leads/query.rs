//! The query of a lead list, as shown and as the store takes it.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use shingle_domain::lead::LeadStatus;
use shingle_domain::loss::LossReason;
use shingle_domain::{Environment, Timestamp, Usd, UserId, WidgetId};
use shingle_portal::InboxFilter;
use shingle_store::{Assignee, LeadOrigin, LeadQuery, LeadSort, LeadWant};

use crate::portal::form::PortalForm;

const MAX_SEARCH: usize = 200;
/// Towns and tags that can be chosen together.
const MAX_CHOSEN: usize = 50;

pub struct Asked {
    pub shown: InboxFilter,
    pub query: LeadQuery,
    /// What was not understood.
    pub wrong: Option<&'static str>,
}

/// Real leads unless test data is asked for.
pub fn environment(form: &PortalForm) -> Environment {
    if form.text("data") == "sandbox" { Environment::Sandbox } else { Environment::Production }
}

/// The list that a lead was opened from: the one without filters, where nothing is said.
pub fn opened_from(form: &PortalForm, zone: &str, own: UserId) -> Asked {
    let mut list = asked(&PortalForm::of_query(Some(form.text("list"))), zone, own);
    list.shown.environment = Some(environment(form));
    list
}

pub fn asked(form: &PortalForm, zone: &str, own: UserId) -> Asked {
    let mut wrong = None;
    let mut known = |name: &str, is_known: bool, said: &'static str| {
        if !form.text(name).is_empty() && !is_known {
            wrong = Some(said);
        }
    };
    let statuses: Vec<LeadStatus> = form.all("status").filter_map(|text| text.parse().ok()).collect();
    known("status", !statuses.is_empty(), "Unknown status. Showing all leads.");
    let day = |name: &str| form.text(name).parse::<Date>().ok();
    let (from, to) = (day("from"), day("to"));
    known("from", from.is_some(), "“From” isn’t a valid date, so we ignored it.");
    known("to", to.is_some(), "“To” isn’t a valid date, so we ignored it.");
    let widget = form.text("widget").parse::<WidgetId>().ok();
    known("widget", widget.is_some(), "Unknown widget. Showing all widgets.");
    let assignee = match form.text("assignee") {
        "me" => Some(Assignee::User(own)),
        "nobody" => Some(Assignee::Nobody),
        id => id.parse().ok().map(Assignee::User),
    };
    known("assignee", assignee.is_some(), "Unknown person. Showing everyone’s leads.");
    let (price_from, price_to) = (dollars(form.text("priceFrom")), dollars(form.text("priceTo")));
    known("priceFrom", price_from.is_some(), "“From” isn’t a dollar amount, so we ignored it.");
    known("priceTo", price_to.is_some(), "“To” isn’t a dollar amount, so we ignored it.");
    let origins: Vec<LeadOrigin> = form.all("source").filter_map(LeadOrigin::parse).collect();
    known("source", !origins.is_empty(), "Unknown source. Showing all leads.");
    let wants: Vec<LeadWant> = form.all("wants").filter_map(LeadWant::parse).collect();
    known("wants", !wants.is_empty(), "Unknown answer. Showing all leads.");
    let hashes = |name: &str| -> Vec<String> {
        form.all(name).filter(|hash| is_hash(hash)).take(MAX_CHOSEN).map(str::to_owned).collect()
    };
    let (towns, tags) = (hashes("town"), hashes("tag"));
    known("town", !towns.is_empty(), "Unknown town. Showing all leads.");
    known("tag", !tags.is_empty(), "Unknown tag. Showing all leads.");
    let losses: Vec<LossReason> = form.all("loss").filter_map(|text| text.parse().ok()).collect();
    known("loss", !losses.is_empty(), "Unknown reason. Showing all leads.");
    let sort = InboxFilter::parse_sort(form.text("sort"));
    known("sort", sort.is_some(), "Unknown sort order. Showing the newest leads first.");
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    let begin = |day: Date| {
        let at = day.to_zoned(zone.clone()).ok()?.timestamp().as_microsecond();
        Some(Timestamp::from_micros(at))
    };
    let [unread, asked, waiting] = ["unread", "asked", "waiting"].map(|name| form.text(name) == "yes");
    let search: String = form.text("search").chars().take(MAX_SEARCH).collect();
    let whole = |price: Option<Usd>| price.map(|price| (price.cents() / 100).to_string()).unwrap_or_default();
    let shown = InboxFilter {
        environment: Some(environment(form)),
        statuses: statuses.clone(),
        search: search.clone(),
        from: from.map(|day| day.to_string()).unwrap_or_default(),
        to: to.map(|day| day.to_string()).unwrap_or_default(),
        widget: widget.map(|id| id.to_string()).unwrap_or_default(),
        assignee: if assignee.is_some() { form.text("assignee").to_owned() } else { String::new() },
        towns: towns.clone(),
        tags: tags.clone(),
        losses: losses.clone(),
        origins: origins.clone(),
        wants: wants.clone(),
        price_from: whole(price_from),
        price_to: whole(price_to),
        unread,
        asked,
        waiting,
        sort: sort.unwrap_or_default(),
    };
    let query = LeadQuery {
        statuses,
        widget,
        from: from.and_then(begin),
        until: to.and_then(|day| day.tomorrow().ok()).and_then(begin),
        assignee,
        price_from,
        price_to,
        towns,
        tags,
        losses,
        origins,
        wants,
        unread_by: unread.then_some(own),
        asked,
        waiting,
        search,
        sort: sort.unwrap_or(LeadSort::Newest),
    };
    Asked { shown, query, wrong }
}

/// `20000`, `$20,000`; cents are left out.
fn dollars(text: &str) -> Option<Usd> {
    let digits: String = text.chars().filter(|c| !matches!(c, '$' | ',' | ' ')).collect();
    let whole = digits.split('.').next().unwrap_or_default();
    let is_number = (1..=9).contains(&whole.len()) && whole.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| whole.parse().ok()).flatten().map(Usd::from_dollars)
}

/// As the store names towns.
fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// A path of the lists, and nothing that leads elsewhere.
pub fn own_path(path: &str) -> &str {
    let (before, query) = path.split_once('?').unwrap_or((path, ""));
    let is_own = matches!(before, "/portal/leads" | "/portal/leads/board");
    let is_clean = query.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'\\' | b'"' | b'<' | b'>' | b'#'));
    if is_own && is_clean { path } else { "/portal/leads" }
}

/// With what became of it.
pub fn with_said(path: &str, said: &str) -> String {
    let join = if path.contains('?') { '&' } else { '?' };
    format!("{path}{join}said={said}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_leads_back_to_the_list_and_nowhere_else() {
        for own in ["/portal/leads?status=new", "/portal/leads", "/portal/leads/board?town=00"] {
            assert_eq!(own_path(own), own);
        }
        for foreign in [
            "https://evil.example",
            "//evil.example",
            "/portal/leads.evil",
            "/portal/leads?\r\nx: y",
            "/portal/leads?ö",
            "",
        ] {
            assert_eq!(own_path(foreign), "/portal/leads", "{foreign:?}");
        }
    }

    #[test]
    fn a_price_is_whole_dollars_however_it_is_written() {
        for (text, read) in [("20000", 20_000), ("$20,000", 20_000), ("12.99", 12), ("0", 0)] {
            assert_eq!(dollars(text), Some(Usd::from_dollars(read)), "{text}");
        }
        for none in ["", "-1", "1e9", "abc", "1234567890", "."] {
            assert_eq!(dollars(none), None, "{none}");
        }
    }

    #[test]
    fn what_is_not_understood_is_left_out_and_told() {
        let own: UserId = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a".parse().unwrap();
        let of = |query: &str| asked(&PortalForm::of_query(Some(query)), "America/New_York", own);
        for query in [
            "status=x",
            "from=x",
            "to=2026-02-30",
            "widget=x",
            "assignee=x",
            "priceFrom=x",
            "source=x",
            "wants=x",
            "town=x",
            "tag=x",
            "loss=x",
            "sort=x",
        ] {
            let Asked { shown, wrong, .. } = of(query);
            assert!(wrong.is_some() && shown.query().is_empty(), "{query}: {}", shown.query());
        }
        let query = "data=sandbox&status=new&status=won&search=a&from=2026-11-01&assignee=me&town=0123456789abcdef&tag=fedcba9876543210&loss=price&loss=other&source=qr&wants=leaks&wants=text&priceFrom=5&unread=yes&asked=yes&waiting=yes&sort=due";
        let Asked { shown, query: read, wrong } = of(query);
        assert_eq!((shown.query().as_str(), wrong), (query, None));
        assert_eq!(read.from.unwrap().to_string(), "2026-11-01T04:00:00.000Z");
        assert_eq!(of(&format!("search={}", "ö".repeat(500))).query.search.chars().count(), MAX_SEARCH);
        assert_eq!(of(&"town=0123456789abcdef&".repeat(200)).query.towns.len(), MAX_CHOSEN);
    }
}
