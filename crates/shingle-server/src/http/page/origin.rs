//! Where a visitor came from, told by the query of the first page, as the runtime reads it too.

use shingle_domain::lead::{LeadSource, Via};
use url::form_urlencoded;

/// Click ids of advertisers, kept as `name=value`.
const CLICKS: [&str; 8] = ["gclid", "fbclid", "gbraid", "wbraid", "msclkid", "ttclid", "twclid", "li_fat_id"];

/// `page`: the first page, without its query.
pub(super) fn source(page: &str, query: &str) -> LeadSource {
    let url = if query.is_empty() { page.to_owned() } else { format!("{page}?{query}") };
    let mut source = LeadSource { via: Via::Hosted, page_url: Some(url), ..LeadSource::default() };
    tell(&mut source, query);
    source
}

fn tell(source: &mut LeadSource, query: &str) {
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let text = Some(value.clone().into_owned());
        match name.as_ref() {
            "via" => {
                source.via = match value.as_ref() {
                    "embed" => Via::Embed,
                    "link" => Via::Link,
                    "qr" => Via::Qr,
                    _ => source.via,
                }
            }
            // The frame that stands in for the overlay passes on where it stands and how its page was reached.
            "pageUrl" => source.page_url = text,
            "touch" => {
                if let Ok((referrer, search)) = serde_json::from_str::<(String, String)>(&value) {
                    source.referrer = Some(referrer);
                    first_touch(source, search.trim_start_matches('?'));
                }
            }
            _ => {}
        }
    }
    first_touch(source, query);
}

/// What advertisers write into links.
fn first_touch(source: &mut LeadSource, query: &str) {
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let text = Some(value.clone().into_owned());
        match name.as_ref() {
            "utm_source" => source.utm_source = text,
            "utm_medium" => source.utm_medium = text,
            "utm_campaign" => source.utm_campaign = text,
            "utm_term" => source.utm_term = text,
            "utm_content" => source.utm_content = text,
            click if CLICKS.contains(&click) => source.click_id = Some(format!("{click}={value}")),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_of_the_first_page_tells_where_a_visitor_came_from() {
        let page = "https://roofs.example/w/1";
        let plain = source(page, "");
        assert_eq!((plain.via, plain.page_url.as_deref()), (Via::Hosted, Some(page)));
        let query = "via=qr&utm_source=yard%20sign&utm_term=roof&gclid=a1&x=y";
        let qr = source(page, query);
        assert_eq!(
            (qr.via, qr.utm_source.as_deref(), qr.utm_term.as_deref()),
            (Via::Qr, Some("yard sign"), Some("roof"))
        );
        assert_eq!(qr.click_id.as_deref(), Some("gclid=a1"));
        assert_eq!(qr.page_url, Some(format!("{page}?{query}")));
        let framed = r#"via=embed&pageUrl=https%3A%2F%2Foak.example%2F&touch=["https://search.example/","?fbclid=b2%26utm_source=mail"]"#;
        let framed = source(page, framed);
        assert_eq!((framed.via, framed.page_url.as_deref()), (Via::Embed, Some("https://oak.example/")));
        assert_eq!((framed.click_id.as_deref(), framed.utm_source.as_deref()), (Some("fbclid=b2"), Some("mail")));
        assert_eq!(framed.referrer.as_deref(), Some("https://search.example/"));
        assert_eq!(source(page, "via=boss&touch=no").via, Via::Hosted);
    }
}
