//! Loader, hosted page and redirect, for active and inactive widgets.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use reqwest::Method;
use sha2::{Digest as _, Sha256};
use shingle_app::runtime::Runtime;
use shingle_store_fixture::on_both_engines;
use shingle_testing::skip;

use crate::support::form::{self, Form};
use crate::support::{TestApp, WIDGET, fetch, header, not_found, send};

async fn switch_off(app: &TestApp) {
    let form = Form::empty().set("status", "inactive").build();
    let path = format!("/api/v1/roof-estimate-widget/{WIDGET}");
    assert_eq!(send(app.api(Method::PUT, &path).multipart(form)).await.0, 200);
}

on_both_engines! {
    async fn the_loader_is_a_cacheable_script_for_every_site(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let path = format!("/w/{WIDGET}.js");
        let response = fetch(app.get(&path)).await;
        for (name, value) in [
            ("content-type", "text/javascript; charset=utf-8"),
            ("cache-control", "public, max-age=300, stale-while-revalidate=604800, stale-if-error=2592000"),
            ("access-control-allow-origin", "*"),
            ("cross-origin-resource-policy", "cross-origin"),
            ("timing-allow-origin", "*"),
            ("vary", "accept-encoding"),
        ] {
            assert_eq!(header(&response, name), value, "{name}");
        }
        let tag = header(&response, "etag").to_owned();
        let text = response.text().await.unwrap();
        assert!(text.contains(&app.base) && text.contains(WIDGET));
        let again = fetch(app.get(&path).header("if-none-match", &tag)).await;
        assert_eq!((again.status().as_u16(), header(&again, "etag")), (304, tag.as_str()));
        assert!(again.text().await.unwrap().is_empty());
    }

    async fn the_loader_is_compressed_as_the_browser_accepts(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let ask = |encoding: &'static str| {
            let request = app.get(&format!("/w/{WIDGET}.js")).header("accept-encoding", encoding);
            async move {
                let response = fetch(request).await;
                let name = header(&response, "content-encoding").to_owned();
                (name, response.bytes().await.unwrap().len())
            }
        };
        let ((plain, all), (gzip, some), (brotli, few)) = (ask("identity").await, ask("gzip").await, ask("gzip, br").await);
        assert_eq!((plain.as_str(), gzip.as_str(), brotli.as_str()), ("", "gzip", "br"));
        assert!(few < some && some < all, "{few} {some} {all}");
    }

    async fn a_changed_widget_has_a_new_loader(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let path = format!("/w/{WIDGET}.js");
        let before = fetch(app.get(&path)).await.text().await.unwrap();
        let form = Form::empty().set("buttonText", "What does my roof cost?").build();
        send(app.api(Method::PUT, &format!("/api/v1/roof-estimate-widget/{WIDGET}")).multipart(form)).await;
        let after = fetch(app.get(&path)).await.text().await.unwrap();
        assert!(!before.contains("What does my roof cost?") && after.contains("What does my roof cost?"));
    }

    async fn the_hosted_page_runs_only_our_own_files(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let response = fetch(app.get(&format!("/w/{WIDGET}"))).await;
        assert_eq!((response.status().as_u16(), header(&response, "content-type")), (200, "text/html; charset=utf-8"));
        let policy = header(&response, "content-security-policy").to_owned();
        for part in [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval';",
            "style-src 'self';",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'self' oak.example.com:* www.oak.example.com:*",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
        let text = response.text().await.unwrap();
        assert!(text.contains("Oak Roofing") && text.contains("(757) 555-0134"));
        assert!(!text.contains("<style") && !text.contains(" style=") && !text.contains("onclick"));
        for (file, kind) in [("hosted.js", "text/javascript; charset=utf-8"), ("theme.css", "text/css; charset=utf-8")] {
            let response = fetch(app.get(&format!("/w/{WIDGET}/{file}"))).await;
            assert_eq!((response.status().as_u16(), header(&response, "content-type")), (200, kind));
        }
    }

    async fn a_link_to_the_page_has_an_image_in_the_widgets_colors(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let path = format!("/w/{WIDGET}/preview.png");
        let ask = async || image::load_from_memory(&fetch(app.get(&path)).await.bytes().await.unwrap()).unwrap().into_rgb8();
        let picture = ask().await;
        assert_eq!(picture.dimensions(), (1200, 630));
        assert_eq!(picture.get_pixel(0, 0).0, [0xf5, 0xf7, 0xfa], "the page's background");
        let drawn = picture.pixels().filter(|p| p.0 == [0x0b, 0x3d, 0x91]).count();
        assert!(drawn > 5_000, "the roof's lines in the primary color: {drawn}");
        let logo = |picture: &image::RgbImage| picture.get_pixel(280, 315).0;
        assert_ne!(logo(&picture), [0xf5, 0xf7, 0xfa], "the logo");
        let form = Form::empty().set("backgroundColor", "#102030").build();
        send(app.api(Method::PUT, &format!("/api/v1/roof-estimate-widget/{WIDGET}")).multipart(form)).await;
        assert_eq!(ask().await.get_pixel(0, 0).0, [0x10, 0x20, 0x30], "a change is seen");
    }

    async fn the_link_redirects_only_to_the_stored_url(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget_with(form::widget().set("companyUrl", "https://oak.example.com/roofs?a=b#top")).await;
        for (asked, target) in [
            ("", format!("https://oak.example.com/roofs?a=b&roof-estimate={WIDGET}#top")),
            ("?via=qr", format!("https://oak.example.com/roofs?a=b&roof-estimate={WIDGET}&via=qr#top")),
            ("?via=x&url=https://evil.example.com", format!("https://oak.example.com/roofs?a=b&roof-estimate={WIDGET}#top")),
        ] {
            let response = fetch(app.get(&format!("/go/{WIDGET}{asked}"))).await;
            assert_eq!((response.status().as_u16(), header(&response, "location")), (302, target.as_str()));
            assert_eq!(header(&response, "cache-control"), "no-store");
        }
    }

    async fn an_inactive_widget_says_so_and_offers_the_telephone(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        switch_off(&app).await;
        let script = fetch(app.get(&format!("/w/{WIDGET}.js"))).await;
        assert_eq!(script.status(), 200);
        let script = script.text().await.unwrap();
        assert!(script.starts_with("console.warn(") && script.contains("not active") && script.len() < 300, "{script}");
        for path in [format!("/w/{WIDGET}"), format!("/go/{WIDGET}")] {
            let page = fetch(app.get(&path)).await;
            assert_eq!((page.status().as_u16(), header(&page, "cache-control")), (200, "no-store"), "{path}");
            let text = page.text().await.unwrap();
            assert!(text.contains("tel:+17575550134") && !text.contains("hosted.js"), "{path}");
        }
        let session = send(app.page(Method::POST, "/session")).await;
        assert_eq!(session, crate::support::bad_request("This widget is not active."));
    }

    async fn an_unknown_widget_is_a_404_and_its_script_says_why(f: Fixture) {
        let app = TestApp::start(f).await;
        let script = fetch(app.get(&format!("/w/{WIDGET}.js"))).await;
        assert_eq!((script.status().as_u16(), header(&script, "content-type")), (404, "text/javascript; charset=utf-8"));
        assert!(script.text().await.unwrap().starts_with("console.warn("));
        for path in [format!("/w/{WIDGET}"), format!("/go/{WIDGET}"), "/w/x".into(), "/w/x.js".into(), "/go/x".into()] {
            assert_eq!(send(app.get(&path)).await, not_found("GET", &path));
        }
    }

    async fn the_runtime_is_immutable_under_hashed_names(f: Fixture) {
        let Some(runtime) = Runtime::embedded() else {
            skip("the server was built without the browser runtime");
            return;
        };
        let app = TestApp::start(f).await;
        for (file, kind) in [(&runtime.js, "text/javascript; charset=utf-8"), (&runtime.wasm, "application/wasm")] {
            let path = format!("/runtime/{}", file.file);
            let plain = file.plain().unwrap();
            let digest = BASE64.encode(Sha256::digest(&plain));
            assert_eq!(file.integrity, format!("sha256-{digest}"), "{path}");
            for (accepted, encoding, bytes) in [
                ("identity", "", &*plain),
                ("gzip", "gzip", file.gzip),
                ("gzip, deflate, br", "br", file.brotli),
            ] {
                let response = fetch(app.get(&path).header("accept-encoding", accepted)).await;
                for (name, value) in [
                    ("content-type", kind),
                    ("content-encoding", encoding),
                    ("cache-control", "public, max-age=31536000, immutable"),
                    ("access-control-allow-origin", "*"),
                    ("cross-origin-resource-policy", "cross-origin"),
                    ("x-content-type-options", "nosniff"),
                    ("vary", "accept-encoding"),
                ] {
                    assert_eq!(header(&response, name), value, "{path} {accepted}: {name}");
                }
                assert_eq!(response.bytes().await.unwrap(), bytes);
            }
        }
    }
}
