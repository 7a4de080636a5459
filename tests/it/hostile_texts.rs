//! Hostile values in a widget's fields: refused by their rule, or stored as harmless text.

use reqwest::Method;
use serde_json::json;
use shingle_store_fixture::on_both_engines;

use crate::support::{TestApp, WIDGET, fetch, form, send};

const ROOT: &str = "/api/v1/roof-estimate-widget";

on_both_engines! {
    async fn links_that_run_code_or_mislead_are_refused(f: Fixture) {
        let app = TestApp::start(f).await;
        for link in [
            "javascript:alert(1)",
            "java\tscript:alert(1)",
            " javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:x",
            "https://user:pass@evil.example.com/",
            "https://good.example.com@evil.example.com",
            "https:evil.example.com\\@good",
            "https://[::1]/",
            "https://127.0.0.1/",
            "https://oak.example.com/\"onload=x",
            "https://oak.example.com/<script>",
            "https://\u{202e}moc.elpmaxe/",
            "//evil.example.com",
            "https://oak",
            "file:///etc/passwd",
        ] {
            for field in ["companyUrl", "footerPirvacyPolicyLink", "footerTermsOfUseLink"] {
                let form = form::widget().set(field, link);
                let (status, body) = send(app.api(Method::POST, ROOT).multipart(form.build())).await;
                assert_eq!(status, 400, "{field} {link}");
                assert_eq!(body["message"], json!([format!("{field} must be a URL address")]), "{link}");
            }
        }
    }

    async fn markup_in_a_text_stays_text_everywhere(f: Fixture) {
        let app = TestApp::start(f).await;
        let hostile = "</script><img src=x onerror=alert(1)>\"'&{{7*7}}";
        let form = ["companyName", "firstPageTitle", "buttonText", "bannerText", "footerCompanyName", "companyAddress"]
            .iter()
            .fold(form::widget(), |form, field| form.set(field, hostile));
        let record = app.widget_with(form).await;
        assert_eq!(record["companyName"], hostile, "kept as it was sent");
        for path in [format!("/w/{WIDGET}"), format!("/w/{WIDGET}.js"), format!("/w/{WIDGET}/hosted.js")] {
            let text = fetch(app.get(&path)).await.text().await.unwrap();
            assert!(!text.contains("<img src=x") && !text.contains("</script><img"), "{path}");
        }
    }

    async fn control_characters_and_bidi_marks_are_refused(f: Fixture) {
        let app = TestApp::start(f).await;
        for bad in ["a\0b", "a\u{202e}b", "a\u{7}b", "a\u{2066}b"] {
            let form = form::widget().set("companyName", bad);
            let (status, body) = send(app.api(Method::POST, ROOT).multipart(form.build())).await;
            assert_eq!((status, &body["message"]), (400, &json!(["companyName must not contain control characters"])), "{bad:?}");
        }
        let form = form::widget().set("companyName", &"x".repeat(40_000));
        let (_, body) = send(app.api(Method::POST, ROOT).multipart(form.build())).await;
        assert_eq!(body["message"], json!(["companyName must be shorter than or equal to 500 characters"]));
    }

    async fn a_text_that_is_no_utf_8_or_comes_twice_is_no_string(f: Fixture) {
        let app = TestApp::start(f).await;
        let twice = form::widget().add("companyName", "Again");
        let (_, body) = send(app.api(Method::POST, ROOT).multipart(twice.build())).await;
        assert_eq!(body["message"], json!(["companyName must be a string"]));
        let part = reqwest::multipart::Part::bytes(vec![0xff, 0xfe]);
        let form = form::widget().without("companyName").build().part("companyName", part);
        let (_, body) = send(app.api(Method::POST, ROOT).multipart(form)).await;
        assert_eq!(body["message"], json!(["companyName must be a string"]));
    }

    async fn domains_are_host_names(f: Fixture) {
        let app = TestApp::start(f).await;
        for bad in ["*", "com", "https://oak.example.com/landing", "javascript:alert(1)", "oak.example.com;script-src *", "a b.com"] {
            let form = form::widget().set("domains", bad);
            let (status, body) = send(app.api(Method::POST, ROOT).multipart(form.build())).await;
            assert_eq!(status, 400, "{bad}");
            assert_eq!(body["message"], json!(["domains must be a comma-separated list of domain names"]), "{bad}");
        }
        let record = app.widget_with(form::widget().set("domains", "Oak.example.com, *.oak.example.com")).await;
        assert_eq!(record["domains"], "Oak.example.com, *.oak.example.com");
        let page = fetch(app.get(&format!("/w/{WIDGET}"))).await;
        let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
        let frames = "frame-ancestors 'self' oak.example.com:* *.oak.example.com:* localhost:* 127.0.0.1:*";
        assert!(policy.ends_with(frames), "{policy}");
    }
}
