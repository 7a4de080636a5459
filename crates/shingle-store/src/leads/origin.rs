//! Where leads come from.

use shingle_domain::lead::{CLICK_IDS, Lead, LeadChannel, LeadSource};
use shingle_domain::visit::VisitFrom;
use url::Url;

/// Where a lead came from, as a list is narrowed by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LeadOrigin {
    Site,
    Hosted,
    Link,
    Qr,
    /// Somebody of the company added it.
    Hand,
    /// It came from a file of the company.
    Import,
    /// By an advertisement, wherever it led to.
    Ads,
}

impl LeadOrigin {
    pub const ALL: [Self; 7] = [Self::Site, Self::Hosted, Self::Link, Self::Qr, Self::Hand, Self::Import, Self::Ads];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Hosted => "hosted",
            Self::Link => "link",
            Self::Qr => "qr",
            Self::Hand => "hand",
            Self::Import => "import",
            Self::Ads => "ads",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.as_str() == text)
    }

    /// A click id or a medium that is paid for is an advertisement.
    pub fn of(lead: &Lead) -> Self {
        const PAID: [&str; 6] = ["cpc", "ppc", "paid", "paidsearch", "paid_social", "display"];
        let source = &lead.source;
        let clicked = source.click_ids().iter().any(|(name, _)| CLICK_IDS.contains(&name.as_str()));
        let medium = source.utm_medium.as_deref().unwrap_or_default().to_ascii_lowercase();
        match source.via {
            _ if clicked || PAID.contains(&medium.as_str()) => Self::Ads,
            LeadChannel::Embed => Self::Site,
            LeadChannel::Hosted => Self::Hosted,
            LeadChannel::Link => Self::Link,
            LeadChannel::Qr => Self::Qr,
            LeadChannel::Hand => Self::Hand,
            LeadChannel::Import => Self::Import,
        }
    }
}

/// The page and the source under which the sums of a company count a lead, as they count its visit.
pub fn counted_from(source: &LeadSource) -> VisitFrom {
    let url = |text: &Option<String>| text.as_deref().and_then(|text| Url::parse(text).ok());
    let (page, referrer) = (url(&source.page_url), url(&source.referrer));
    let host = |url: &Option<Url>| url.as_ref().and_then(Url::host_str).unwrap_or_default().to_owned();
    let utm = source.utm_source.as_deref().unwrap_or_default();
    let path = page.as_ref().map_or("", Url::path);
    VisitFrom::new(source.via, path, utm, other_host(&host(&referrer), &host(&page)))
}

/// A visitor from another page of the same site comes from nowhere else.
pub fn other_host<'h>(referrer: &'h str, own: &str) -> &'h str {
    let same = referrer.strip_prefix("www.").unwrap_or(referrer) == own.strip_prefix("www.").unwrap_or(own);
    if same { "" } else { referrer }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_counted_where_its_visit_was() {
        let from = |page: &str, source: &str| VisitFrom::counted(page.to_owned(), source.to_owned());
        let lead = LeadSource {
            page_url: Some("https://www.oak.example.com/roofs/?gclid=a1#top".to_owned()),
            referrer: Some("https://oak.example.com/".to_owned()),
            ..LeadSource::default()
        };
        assert_eq!(counted_from(&lead), from("/roofs", "direct"));
        let found = LeadSource { referrer: Some("https://www.search.example/?q=roof".to_owned()), ..lead.clone() };
        assert_eq!(counted_from(&found), from("/roofs", "site:search.example"));
        let odd = LeadSource { page_url: Some("no address".to_owned()), ..lead };
        assert_eq!(counted_from(&odd).page(), "");
    }
}
