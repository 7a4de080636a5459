//! The figures of `/metrics`, read by a parser, and the dashboard that is made of them.

use std::collections::BTreeSet;

use prometheus_parse::{Scrape, Value};
use reqwest::Method;
use serde_json::Value as Json;
use shingle_store_fixture::on_both_engines;

use crate::support::{TestApp, send};

async fn scrape(app: &TestApp) -> Scrape {
    let text = app.get("/metrics").send().await.unwrap().text().await.unwrap();
    assert!(text.ends_with("# EOF\n"), "OpenMetrics ends with a line that says so");
    Scrape::parse(text.lines().map(|line| Ok(line.to_owned()))).unwrap()
}

/// The sum of a counter over all labels that match.
fn count(scrape: &Scrape, name: &str, labels: &[(&str, &str)]) -> f64 {
    let fits = |sample: &&prometheus_parse::Sample| {
        sample.metric == name && labels.iter().all(|(label, value)| sample.labels.get(label) == Some(value))
    };
    let value = |sample: &prometheus_parse::Sample| match sample.value {
        Value::Counter(value) | Value::Gauge(value) | Value::Untyped(value) => value,
        _ => 0.0,
    };
    scrape.samples.iter().filter(fits).map(value).sum()
}

/// One of every kind that is counted.
async fn visit(app: &TestApp) {
    app.widget().await;
    let sent = app.submission().await;
    assert_eq!(send(app.page(Method::POST, "/leads").body(sent.to_string())).await.0, 201);
    let of = |street: &str| {
        format!("/api/v1/address-info?streetNumber=14&streetAddress={street}&city=Harrow%20Falls&state=ME&zip=04995")
    };
    assert_eq!(send(app.api(Method::GET, &of("Alder%20Court"))).await.0, 200);
    assert_eq!(send(app.api(Method::GET, &of("Nowhere%20Lane"))).await.0, 200);
    assert_eq!(send(app.get("/api/v1/leads")).await.0, 401);
    for path in ["/nowhere/ann@example.com", "/api/v1/nothing", "/w/%F0%9F%8F%A0"] {
        assert_eq!(app.get(path).send().await.unwrap().status(), 404, "{path}");
    }
    let odd = Method::from_bytes(b"BREW").unwrap();
    app.request(odd, "/healthz").send().await.unwrap();
}

on_both_engines! {
    async fn what_happens_is_counted_under_labels_of_ours(f: Fixture) {
        let app = TestApp::start(f).await;
        visit(&app).await;
        let scrape = scrape(&app).await;
        for (name, labels, value) in [
            ("shingle_look_ups_total", &[("product", "address-info"), ("level", "exact")][..], 1.0),
            ("shingle_look_ups_total", &[("product", "address-info"), ("level", "none")], 1.0),
            ("shingle_leads_total", &[("outcome", "created")], 1.0),
            ("shingle_requests_total", &[("route", "/w/:id/session"), ("method", "POST"), ("status", "200")], 1.0),
            ("shingle_requests_total", &[("route", "/w/:id/leads"), ("status", "201")], 1.0),
            ("shingle_requests_total", &[("route", "/api/v1/leads"), ("status", "401")], 1.0),
            ("shingle_requests_total", &[("route", "none"), ("status", "404")], 2.0),
            ("shingle_requests_total", &[("method", "other")], 1.0),
            ("shingle_delivery_backlog", &[], 1.0),
            ("shingle_chores_failed_total", &[], 0.0),
        ] {
            assert_eq!(count(&scrape, name, labels), value, "{name} {labels:?} of {:?}", scrape.samples);
        }
        let told = format!("{:?}", scrape.samples);
        for strange in ["ann@example.com", "nowhere", "BREW", "🏠", "Alder"] {
            assert!(!told.contains(strange), "{strange} is no label");
        }
        for name in ["shingle_request_seconds_count", "shingle_index_seconds_count", "shingle_store_seconds_count"] {
            assert!(count(&scrape, name, &[]) > 0.0, "{name}");
        }
        assert!(told.contains(env!("CARGO_PKG_VERSION")));
    }

    async fn from_elsewhere_a_key_is_needed(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.metrics_key = Some("0123456789abcdef".into())).await;
        // A proxy on this machine carries strangers here.
        let ask = async |key: &str| {
            let request = app.get("/metrics").header("x-forwarded-for", "203.0.113.9").header("authorization", key);
            request.send().await.unwrap().status().as_u16()
        };
        assert_eq!(ask("Bearer 0123456789abcdef").await, 200);
        for wrong in ["Bearer 0123456789abcdeg", "Bearer ", "0123456789abcdef", "Basic 0123456789abcdef", ""] {
            assert_eq!(ask(wrong).await, 404, "{wrong}");
        }
    }

    async fn every_query_of_the_dashboard_names_figures_that_there_are(f: Fixture) {
        let app = TestApp::start(f).await;
        visit(&app).await;
        let scrape = scrape(&app).await;
        let known: BTreeSet<&str> = scrape.samples.iter().map(|sample| sample.metric.as_str()).collect();
        let dashboard: Json = serde_json::from_str(include_str!("../../assets/grafana-dashboard.json")).unwrap();
        let names = regex::Regex::new("shingle_[a-z_]+").unwrap();
        let mut queries = 0;
        for panel in dashboard["panels"].as_array().unwrap() {
            for target in panel["targets"].as_array().unwrap() {
                let query = target["expr"].as_str().unwrap();
                queries += 1;
                for name in names.find_iter(query) {
                    // The parser puts the buckets of a histogram together.
                    let name_of = name.as_str().trim_end_matches("_bucket");
                    assert!(known.contains(name_of), "{} of {query}: {known:?}", name.as_str());
                }
            }
        }
        assert!(queries >= 12, "{queries}");
    }
}
