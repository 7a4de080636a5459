//! Error bodies of every part of the server.

use std::io::Write as _;

use reqwest::Method;
use serde_json::Value;
use shingle_store_fixture::on_both_engines;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{TestApp, bad_request, error, fetch, header, not_found, send};

fn error_body(status: u16, word: &str, message: &str) -> Value {
    error(status, word, message).1
}

/// Sends bytes as they are, and reads the status and the JSON of the response.
async fn raw(app: &TestApp, request: &[u8]) -> (u16, Value) {
    let mut socket = TcpStream::connect(app.base.trim_start_matches("http://")).await.unwrap();
    socket.write_all(request).await.unwrap();
    let mut read = String::new();
    socket.read_to_string(&mut read).await.unwrap();
    let (head, body) = read.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap())
}

on_both_engines! {
    async fn an_unknown_route_is_a_404_with_the_original_method_and_path(f: Fixture) {
        let app = TestApp::start(f).await;
        for target in ["/", "/nope?x=1&y=%20", "/api/v1/webhook", "/api/v2/roof-estimate", "/API/V1/Nope/", "/runtime/x.js"] {
            assert_eq!(send(app.api(Method::GET, target)).await, not_found("GET", target));
        }
    }

    async fn a_wrong_method_is_an_unknown_route(f: Fixture) {
        let app = TestApp::start(f).await;
        for (method, target) in [
            (Method::DELETE, "/healthz"),
            (Method::POST, "/api/v1/roof-estimate?x=1"),
            (Method::DELETE, "/api/v1/roof-estimate-widget"),
            (Method::OPTIONS, "/api/v1/leads"),
        ] {
            assert_eq!(send(app.api(method.clone(), target)).await, not_found(method.as_str(), target));
        }
    }

    async fn head_is_answered_like_get_without_a_body(f: Fixture) {
        let app = TestApp::start(f).await;
        let response = fetch(app.request(Method::HEAD, "/healthz")).await;
        assert_eq!(response.status(), 200);
        assert!(response.text().await.unwrap().is_empty());
        assert_eq!(fetch(app.request(Method::HEAD, "/nope")).await.status(), 404);
    }

    async fn api_paths_may_differ_in_case_and_by_one_slash(f: Fixture) {
        let app = TestApp::start(f).await;
        let (status, body) = send(app.api(Method::GET, "/API/v1/Roof-Estimate/")).await;
        assert_eq!((status, body["message"].as_array().map(Vec::len)), (400, Some(10)));
        assert_eq!(send(app.api(Method::GET, "/api/v1/leads//")).await, not_found("GET", "/api/v1/leads//"));
    }

    async fn a_path_that_is_not_utf8_gets_the_same_error_body(f: Fixture) {
        let app = TestApp::start(f).await;
        let asked = send(app.api(Method::GET, "/api/v1/leads/%E0%A4%A")).await;
        assert_eq!(asked, bad_request("Failed to decode param '%E0%A4%A'"));
    }

    async fn an_invalid_or_too_large_json_body_gets_an_error_message(f: Fixture) {
        let app = TestApp::start(f).await;
        let lead = "/api/v1/leads/0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a";
        for body in ["{", "[]", "7", "\"x\"", "{\"status\":}", "\u{0}"] {
            let sent = app.api(Method::PATCH, lead).body(body);
            assert_eq!(send(sent).await, bad_request("Request body is not valid JSON"), "{body}");
        }
        let sent = app.api(Method::PATCH, lead).body("x".repeat(65 * 1024));
        assert_eq!(send(sent).await, bad_request("Request body is too large"));
    }

    async fn plain_http_is_allowed_from_this_machine_and_not_through_a_proxy(f: Fixture) {
        let app = TestApp::start_with(f, |settings| {
            settings.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()];
        })
        .await;
        let via = |scheme: &str| app.get("/nope").header("x-forwarded-for", "203.0.113.9").header("x-forwarded-proto", scheme);
        assert_eq!(fetch(via("https")).await.status(), 404);
        let (status, body) = send(via("http")).await;
        assert_eq!(status, 400);
        assert!(body["message"].as_str().unwrap().starts_with("Only HTTPS is supported."), "{body}");
        assert_eq!(fetch(app.get("/readyz").header("x-forwarded-proto", "http")).await.status(), 200, "health is open");
    }

    async fn a_request_that_cannot_be_read_gets_the_same_error_body(f: Fixture) {
        let app = TestApp::start(f).await;
        let long = "x".repeat(40_000);
        for (request, status, error, message) in [
            ("GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n".to_owned(), 400, "Bad Request", "The request names more than one host"),
            ("GET / HTTP/1.1\r\nhost: a\r\nno header\r\n\r\n".to_owned(), 400, "Bad Request", "The request cannot be read"),
            (format!("GET /{long} HTTP/1.1\r\n"), 431, "Request Header Fields Too Large", "The head of the request is too large"),
        ] {
            assert_eq!(raw(&app, request.as_bytes()).await, (status, error_body(status, error, message)), "{message}");
        }
    }

    async fn every_response_has_a_request_id_and_is_not_sniffed(f: Fixture) {
        let app = TestApp::start(f).await;
        let (first, second) = (fetch(app.get("/healthz")).await, fetch(app.get("/nope")).await);
        assert_ne!(first.headers()["x-request-id"], second.headers()["x-request-id"]);
        assert_eq!(second.headers()["x-content-type-options"], "nosniff");
    }

    async fn a_request_without_a_host_is_refused(f: Fixture) {
        let app = TestApp::start(f).await;
        let refused = raw(&app, b"GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n").await;
        assert_eq!(refused, bad_request("The request names no host"));
        let twice = raw(&app, b"GET /readyz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n").await;
        assert_eq!(twice, bad_request("The request names more than one host"));
        assert_eq!(raw(&app, b"GET /readyz HTTP/1.0\r\n\r\n").await.0, 200);
    }

    async fn json_may_begin_with_a_mark_and_come_packed(f: Fixture) {
        let app = TestApp::start(f).await;
        let body = r#"{"name":"CRM"}"#;
        let plain = send(app.api(Method::POST, "/api/v1/webhooks").body(body)).await;
        assert_eq!(plain.0, 400);
        let packed = |bytes: &[u8]| {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            gzip.write_all(bytes).unwrap();
            gzip.finish().unwrap()
        };
        let post = || app.api(Method::POST, "/api/v1/webhooks");
        let marked = format!("\u{feff}{body}");
        let gzip = |bytes: Vec<u8>| post().header("content-encoding", "gzip").body(bytes);
        for (what, request) in [
            ("marked", post().body(marked.clone())),
            ("packed", gzip(packed(body.as_bytes()))),
            ("packed and marked", gzip(packed(marked.as_bytes()))),
            ("in capitals", post().header("content-encoding", "GZIP").body(packed(body.as_bytes()))),
            ("said to be plain", post().header("content-encoding", "identity").body(body)),
        ] {
            assert_eq!(send(request).await, plain, "{what}");
        }
        // Two marks, a cut body, one that is not packed, and one that unpacks to more than a route takes.
        for (what, request, said) in [
            ("two marks", post().body(format!("\u{feff}{marked}")), "Request body is not valid JSON"),
            ("too much", gzip(packed(&vec![b' '; 300_000])), "Request body is too large"),
        ] {
            assert_eq!(send(request).await, bad_request(said), "{what}");
        }
        for broken in [packed(body.as_bytes())[..12].to_vec(), body.as_bytes().to_vec()] {
            assert_eq!(send(gzip(broken)).await.0, 400);
        }
        for coding in ["br", "deflate", "zstd", "compress", "gzip, gzip", "x-snappy"] {
            let response = fetch(post().header("content-encoding", coding).body(body)).await;
            assert_eq!((response.status().as_u16(), header(&response, "accept-encoding")), (415, "gzip, identity"), "{coding}");
            let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
            assert_eq!((&body["statusCode"], &body["error"]), (&415.into(), &"Unsupported Media Type".into()));
        }
    }

    async fn a_browser_that_comes_over_plain_http_is_told_what_to_set(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()]).await;
        let ask = |path: &'static str, accept: &'static str| {
            fetch(app.get(path).header("x-forwarded-proto", "http").header("accept", accept))
        };
        for path in ["/portal", "/setup", "/portal/leads", "/w/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11", "/"] {
            let page = ask(path, "text/html,*/*;q=0.8").await;
            assert_eq!((page.status().as_u16(), header(&page, "content-type")), (400, "text/html; charset=utf-8"), "{path}");
            let text = page.text().await.unwrap();
            for setting in ["HTTPS only", "127.0.0.1", "acme_domains", "tls_cert", "trusted_proxy", "base_url"] {
                assert!(text.contains(setting), "{path}: {setting}");
            }
        }
        let style = ask("/portal/portal.css", "text/css").await;
        assert_eq!((style.status().as_u16(), header(&style, "content-type")), (200, "text/css; charset=utf-8"));
        assert_eq!(ask("/api/v1/leads", "application/json").await.status(), 400);
        assert_eq!(ask("/portal/portal.js", "*/*").await.status(), 400);
    }
}
