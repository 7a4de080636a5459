//! Where a visitor came from, by the query of the first page. The browser runtime reads it the same way.

use shingle_domain::lead::{CLICK_IDS, LeadChannel, LeadSource};
use url::form_urlencoded;

/// `page`: the first page, without its query.
pub(crate) fn lead_source(page: &str, query: &str) -> LeadSource {
    let url = if query.is_empty() { page.to_owned() } else { format!("{page}?{query}") };
    let mut source = LeadSource { via: LeadChannel::Hosted, page_url: Some(url), ..LeadSource::default() };
    read_query(&mut source, query);
    source
}

fn read_query(source: &mut LeadSource, query: &str) {
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let text = Some(value.clone().into_owned());
        match name.as_ref() {
            "via" => {
                source.via = match value.as_ref() {
                    "embed" => LeadChannel::Embed,
                    "link" => LeadChannel::Link,
                    "qr" => LeadChannel::Qr,
                    _ => source.via,
                }
            }
            // A frame in place of the overlay passes on its page's URL and how the visitor reached that page.
            "pageUrl" => source.page_url = text,
            "touch" => {
                if let Ok((referrer, search)) = serde_json::from_str::<(String, String)>(&value) {
                    source.referrer = Some(referrer);
                    read_campaign(source, search.trim_start_matches('?'));
                }
            }
            _ => {}
        }
    }
    read_campaign(source, query);
}

/// The parameters that advertisers add to links.
fn read_campaign(source: &mut LeadSource, query: &str) {
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let text = Some(value.clone().into_owned());
        match name.as_ref() {
            "utm_source" => source.utm_source = text,
            "utm_medium" => source.utm_medium = text,
            "utm_campaign" => source.utm_campaign = text,
            "utm_term" => source.utm_term = text,
            "utm_content" => source.utm_content = text,
            click if CLICK_IDS.contains(&click) => add_click_id(source, click, &value),
            _ => {}
        }
    }
}

/// The frame's query may repeat those of its page.
fn add_click_id(source: &mut LeadSource, name: &str, value: &str) {
    let pair = (name.to_owned(), value.to_owned());
    if value.is_empty() || value.contains('&') || source.click_ids().contains(&pair) {
        return;
    }
    let ids = source.click_id.take().map_or_else(String::new, |ids| ids + "&");
    source.click_id = Some(format!("{ids}{name}={value}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_of_the_first_page_tells_where_a_visitor_came_from() {
        let page = "https://roofs.example/w/1";
        let plain = lead_source(page, "");
        assert_eq!((plain.via, plain.page_url.as_deref()), (LeadChannel::Hosted, Some(page)));
        let query = "via=qr&utm_source=yard%20sign&utm_term=roof&gclid=a1&x=y";
        let qr = lead_source(page, query);
        assert_eq!(
            (qr.via, qr.utm_source.as_deref(), qr.utm_term.as_deref()),
            (LeadChannel::Qr, Some("yard sign"), Some("roof"))
        );
        assert_eq!(qr.click_id.as_deref(), Some("gclid=a1"));
        assert_eq!(qr.page_url, Some(format!("{page}?{query}")));
        let framed = r#"via=embed&pageUrl=https%3A%2F%2Foak.example%2F&touch=["https://search.example/","?fbclid=b2%26utm_source=mail"]"#;
        let framed = lead_source(page, framed);
        assert_eq!((framed.via, framed.page_url.as_deref()), (LeadChannel::Embed, Some("https://oak.example/")));
        assert_eq!((framed.click_id.as_deref(), framed.utm_source.as_deref()), (Some("fbclid=b2"), Some("mail")));
        let clicks = |query| lead_source(page, query).click_id;
        assert_eq!(clicks("gclid=a1&wbraid=c=3&fbclid=b2").as_deref(), Some("gclid=a1&wbraid=c=3&fbclid=b2"));
        let repeated = "touch=[\"\",\"?gclid=a1\"]&gclid=a1&gclid=&fbclid=b%262";
        assert_eq!(clicks(repeated).as_deref(), Some("gclid=a1"), "once, and none that would be taken for two");
        assert_eq!(framed.referrer.as_deref(), Some("https://search.example/"));
        assert_eq!(lead_source(page, "via=boss&touch=no").via, LeadChannel::Hosted);
    }

    #[test]
    fn the_script_keeps_the_same_click_ids() {
        let script = include_str!("../../../../../www/loader/stage.js");
        let (_, rest) = script.split_once("if (/^(([gdy]").unwrap();
        let pattern = format!("^(([gdy]{}", rest.split_once("/.test(pair)").unwrap().0);
        let kept = regex::Regex::new(&pattern).unwrap();
        for name in CLICK_IDS {
            assert!(kept.is_match(&format!("{name}=a1")), "{name}");
        }
        for other in ["clid", "xclid", "braid", "gclidx", "gclsrc", "li_fat", "utm_id"] {
            assert!(!kept.is_match(&format!("{other}=a1")) && !CLICK_IDS.contains(&other), "{other}");
        }
        let page = "https://roofs.example/w/1";
        let all: String = CLICK_IDS.iter().map(|name| format!("{name}=a1&")).collect();
        assert_eq!(lead_source(page, &all).click_ids().len(), CLICK_IDS.len());
    }
}
