//! Headers of public files: content type, caching, and which origins may load them.

use reqwest::{Method, Response};
use shingle::listen::{self, ConnectionLimits};
use shingle_app::config::Settings;
use shingle_app::https::Https;
use shingle_app::runtime::Runtime;
use shingle_store_fixture::on_both_engines;
use shingle_testing::skip;
use shingle_web::Site;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::support::client::client_that_trusts;
use crate::support::{TestApp, WIDGET, fetch, header};

const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const LOADER: &str = "public, max-age=300, stale-while-revalidate=604800, stale-if-error=2592000";
const PAGE: &str = "public, max-age=60, stale-if-error=86400";
const HOUR: &str = "public, max-age=3600";
const QR: &str = "public, max-age=300, stale-while-revalidate=86400";

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

/// A public path, its content type, its cache rule, and whether pages of every origin may load it.
type Row = (String, &'static str, &'static str, bool);

async fn table(app: &TestApp) -> Vec<Row> {
    let record = app.widget().await;
    let path = |name: &str| record[name].as_str().unwrap().trim_start_matches(&app.base).to_owned();
    let mut table = vec![
        (path("headerLogoUrl"), "image/png", IMMUTABLE, true),
        (path("widgetQrCode"), "image/png", QR, true),
        (path("hostedQrCode"), "image/png", QR, true),
        (format!("/w/{WIDGET}/preview.png"), "image/png", QR, true),
        (format!("/w/{WIDGET}"), HTML, PAGE, false),
        (format!("/w/{WIDGET}?lang=es"), HTML, PAGE, false),
        (format!("/w/{WIDGET}/hosted.js"), SCRIPT, PAGE, false),
        (format!("/w/{WIDGET}/theme.css"), STYLE, PAGE, false),
        (format!("/w/{WIDGET}.js"), SCRIPT, LOADER, true),
        ("/openapi.json".to_owned(), "application/json", HOUR, true),
        ("/docs".to_owned(), HTML, HOUR, false),
        ("/docs.css".to_owned(), STYLE, HOUR, false),
        ("/manual".to_owned(), HTML, HOUR, false),
        ("/manual/backup".to_owned(), HTML, HOUR, false),
        ("/manual.css".to_owned(), STYLE, HOUR, false),
    ];
    match Runtime::embedded() {
        Some(runtime) => table.extend([
            (format!("/runtime/{}", runtime.js.file), SCRIPT, IMMUTABLE, true),
            (format!("/runtime/{}", runtime.wasm.file), "application/wasm", IMMUTABLE, true),
        ]),
        None => skip("/runtime: the server was built without the browser runtime"),
    }
    table
}

fn check(response: &Response, (path, kind, cache, open): &Row) {
    let open_to = if *open { ["*", "*", "cross-origin"] } else { ["", "", ""] };
    for (name, value) in [
        ("cache-control", *cache),
        ("x-content-type-options", "nosniff"),
        ("access-control-allow-origin", open_to[0]),
        ("timing-allow-origin", open_to[1]),
        ("cross-origin-resource-policy", open_to[2]),
        ("set-cookie", ""),
    ] {
        assert_eq!(header(response, name), value, "{path}: {name}");
    }
    assert_eq!(header(response, "content-type"), *kind, "{path}");
}

on_both_engines! {
    async fn public_files_have_their_type_and_cache_headers(f: Fixture) {
        let app = TestApp::start(f).await;
        for row in table(&app).await {
            let response = fetch(app.get(&row.0)).await;
            assert_eq!(response.status(), 200, "{}", row.0);
            check(&response, &row);
            let tag = header(&response, "etag").to_owned();
            assert!(tag.starts_with("W/\"") && tag.len() > 15, "{}: {tag}", row.0);
            assert!(!response.bytes().await.unwrap().is_empty());

            let again = fetch(app.get(&row.0).header("if-none-match", &tag)).await;
            assert_eq!((again.status().as_u16(), header(&again, "etag")), (304, tag.as_str()), "{}", row.0);
            check(&again, &row);
            assert!(again.bytes().await.unwrap().is_empty());
            let other = fetch(app.get(&row.0).header("if-none-match", "\"other\"")).await;
            assert_eq!(other.status(), 200, "{}", row.0);
        }
    }

    async fn what_a_key_reads_is_stored_by_nobody(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let anonymous = app.get("/api/v1/leads");
        for request in [
            app.api(Method::GET, "/api/v1/leads"),
            app.api(Method::GET, "/api/v1/leads.csv"),
            app.api(Method::GET, "/API/v1/roof-estimate"),
            app.api(Method::GET, &format!("/api/v1/roof-estimate-widget/{WIDGET}")),
            app.api(Method::GET, "/api/v1/nothing"),
            anonymous,
        ] {
            let response = fetch(request).await;
            let url = response.url().to_string();
            assert_eq!((header(&response, "cache-control"), header(&response, "vary")), ("no-store", "token"), "{url}");
        }
    }

    async fn browsers_are_told_to_stay_with_https_where_there_is_some(f: Fixture) {
        let app = TestApp::start_with(f, |settings| {
            settings.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()];
        })
        .await;
        let told = async |request: reqwest::RequestBuilder| header(&fetch(request).await, "strict-transport-security").to_owned();
        assert_eq!(told(app.get("/healthz")).await, "");
        assert_eq!(told(app.get("/healthz").header("x-forwarded-proto", "https")).await, "max-age=31536000");
    }

    async fn browsers_are_told_so_over_our_own_https_too(f: Fixture) {
        let app = TestApp::start(f).await;
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (cert, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
        std::fs::write(&cert, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://localhost:{}/healthz", listener.local_addr().unwrap().port());
        let settings = Settings { tls_cert: Some(cert), tls_key: Some(key), ..Settings::default() };
        let acceptor = Https::of(&settings).unwrap().unwrap().acceptor().unwrap();
        let limits = ConnectionLimits::of(&app.app.settings, 4_096);
        let (_stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(listen::serve(listener, Some(acceptor), Site::new(app.app.clone()), limits, async {
            let _ = stopped.await;
        }));
        let response = fetch(client_that_trusts(made.cert.der().clone()).get(url)).await;
        assert_eq!((response.status().as_u16(), header(&response, "strict-transport-security")), (200, "max-age=31536000"));
    }

    async fn the_way_past_the_router_answers_as_the_router_does(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let said = async |request: reqwest::RequestBuilder| {
            let response = fetch(request).await;
            let mut headers = response.headers().clone();
            // The length is that of the body, which is compared.
            for name in ["date", "content-length"] {
                headers.remove(name);
            }
            assert!(headers.remove("x-request-id").is_some());
            (response.status(), headers, response.bytes().await.unwrap().to_vec())
        };
        // One letter of an id as a percent code is the same address, and goes through the router.
        let (first, rest) = WIDGET.split_at(1);
        let coded = format!("%{:02x}{rest}", first.as_bytes()[0]);
        for end in [".js", "", "?lang=es", "?utm_source=caf%E9", ".js?v=1", "x", "/"] {
            let (direct, routed) = (format!("/w/{WIDGET}{end}"), format!("/w/{coded}{end}"));
            let ((status, headers, body), (other_status, other_headers, other_body)) =
                (said(app.get(&direct)).await, said(app.get(&routed)).await);
            assert_eq!((status, &headers), (other_status, &other_headers), "{direct}");
            // A 404 names the path that was sent.
            let text = |body: Vec<u8>| String::from_utf8(body).unwrap().replace(&coded, WIDGET);
            assert_eq!(text(body), text(other_body), "{direct}");
        }
        let address = "?address=14+Alder+Court%2C+Harrow+Falls%2C+ME+04995";
        for product in ["roof-estimate", "address-info", "solar-index", "utility-bill", "buyer-insights", "nothing"] {
            for query in [address, "", "?address=14+Pe%F1a+St", "?address=1&include=provenance"] {
                let path = format!("/api/v1/{product}{query}");
                for key in [Some(app.sandbox.token.as_str()), None, Some("sandbox_invented")] {
                    let keyed = || key.iter().fold(app.get(&path), |request, key| request.header("token", *key));
                    // A body that is not packed, said aloud.
                    let routed = said(keyed().header("content-encoding", "identity")).await;
                    assert_eq!(said(keyed()).await, routed, "{path} {key:?}");
                }
            }
        }
    }

    async fn pages_of_one_visitor_are_not_cached(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        for path in ["measure?address=14+Alder+Court", "contact?address=1+Elm+St", "estimate", "thanks", "measure"] {
            let response = fetch(app.get(&format!("/w/{WIDGET}/{path}"))).await;
            for (name, value) in [
                ("content-type", HTML),
                ("cache-control", "no-store"),
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "strict-origin-when-cross-origin"),
                ("access-control-allow-origin", ""),
                ("set-cookie", ""),
            ] {
                assert_eq!(header(&response, name), value, "{path}: {name}");
            }
            assert!(header(&response, "content-security-policy").contains("form-action 'self'"), "{path}");
        }
    }
}
