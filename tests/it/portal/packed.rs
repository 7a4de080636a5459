//! What the portal sends is packed where the browser takes that.

use reqwest::Method;
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;

use super::{signed_in, user};
use crate::support::{TestApp, fetch, header};

on_both_engines! {
    async fn pages_and_what_they_load_are_packed_and_a_page_for_another_site_is_not(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let browser = signed_in(&app, &owner).await;
        for path in ["/portal/leads", "/portal/portal.css", "/portal/portal.js"] {
            let is_file = path.contains('.');
            let mut sizes = Vec::new();
            for (site, accepted, coding) in [
                ("same-origin", "gzip, br", "br"),
                ("none", "gzip", "gzip"),
                ("same-origin", "identity", ""),
                ("cross-site", "gzip, br", if is_file { "br" } else { "" }),
            ] {
                let asked = app.request(Method::GET, path).header("cookie", browser.cookies()).header("sec-fetch-site", site);
                let answer = fetch(asked.header("accept-encoding", accepted).header("accept", "text/html,*/*")).await;
                assert_eq!(header(&answer, "content-encoding"), coding, "{path} {site} {accepted}");
                if coding == "br" && !is_file {
                    let vary: Vec<_> = answer.headers().get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
                    assert!(vary.join(",").contains("accept-encoding"), "{vary:?}");
                }
                sizes.push(answer.bytes().await.unwrap().len());
            }
            // A page is packed while the browser waits: quickly, so which of the two is shorter depends on the page.
            assert!(sizes[0].max(sizes[1]) * 2 < sizes[2], "{path}: {sizes:?}");
        }
    }
}
