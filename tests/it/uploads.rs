//! Uploaded logos: validated, encoded again, and stored completely or not at all.

use reqwest::Method;
use serde_json::Value;
use shingle_store_fixture::on_both_engines;

use crate::support::form::Form;
use crate::support::{TestApp, WIDGET, bad_request, fetch, form, images, send};

const ROOT: &str = "/api/v1/roof-estimate-widget";
const LIMIT: usize = 1024 * 1024;

async fn create(app: &TestApp, logo: Vec<u8>) -> (u16, Value) {
    let form = form::widget().without("headerLogo").file("headerLogo", logo);
    send(app.api(Method::POST, ROOT).multipart(form.build())).await
}

on_both_engines! {
    async fn a_logo_has_at_most_one_megabyte(f: Fixture) {
        let app = TestApp::start(f).await;
        let sentence = "File too large: headerLogo may have 1 MB at most";
        assert_eq!(create(&app, images::png_of_size(LIMIT + 1)).await, bad_request(sentence));
        assert_eq!(create(&app, images::png_of_size(4 * LIMIT)).await, bad_request(sentence));
        assert!(app.stored_files().is_empty());
        assert_eq!(create(&app, images::png_of_size(LIMIT)).await.0, 201);
    }

    async fn an_unusable_logo_is_refused_and_stores_nothing(f: Fixture) {
        let app = TestApp::start(f).await;
        let whole = images::png(300, 150);
        let no_picture = "headerLogo must be a PNG, JPEG or WebP image";
        let damaged = "headerLogo could not be read: the image is damaged";
        let large = "headerLogo must be at most 4096 by 4096 pixels";
        for (what, bytes, sentence) in [
            ("a GIF with another name", b"GIF89a\x01\x00\x01\x00\x80\x00\x00".to_vec(), no_picture),
            ("HTML", b"<!doctype html><script>alert(1)</script>".to_vec(), no_picture),
            ("SVG", b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec(), no_picture),
            ("a program", b"\x7fELF\x02\x01\x01".to_vec(), no_picture),
            ("half a PNG", whole[..whole.len() / 2].to_vec(), damaged),
            ("a PNG's first eight bytes", whole[..8].to_vec(), damaged),
            ("a bomb", images::bomb(60_000, 60_000), large),
            ("a long strip", images::bomb(4_097, 1), large),
        ] {
            assert_eq!(create(&app, bytes).await, bad_request(sentence), "{what}");
        }
        assert_eq!(create(&app, Vec::new()).await.1["message"], serde_json::json!(["headerLogo should not be empty"]));
        assert!(app.stored_files().is_empty());
        assert_eq!(send(app.api(Method::GET, &format!("{ROOT}/{WIDGET}"))).await.0, 404, "no widget was made");
    }

    async fn a_stored_logo_is_reencoded_and_served_as_an_image(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut polyglot = images::png(900, 450);
        polyglot.extend_from_slice(b"<html><script>alert(document.domain)</script>");
        let (status, record) = create(&app, polyglot).await;
        assert_eq!(status, 201);
        let path = record["headerLogoUrl"].as_str().unwrap().strip_prefix(&app.base).unwrap().to_owned();
        let response = fetch(app.get(&path)).await;
        for (name, value) in [
            ("content-type", "image/png"),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; sandbox"),
            ("content-disposition", "inline"),
            ("cache-control", "public, max-age=31536000, immutable"),
            ("cross-origin-resource-policy", "cross-origin"),
        ] {
            assert_eq!(response.headers()[name], value, "{name}");
        }
        let bytes = response.bytes().await.unwrap();
        assert!(!bytes.windows(7).any(|window| window == b"<script"));
        let drawn = image::load_from_memory(&bytes).unwrap();
        assert_eq!((drawn.width(), drawn.height()), (600, 300), "scaled to its place");
    }

    async fn a_bad_logo_in_an_update_changes_nothing(f: Fixture) {
        let app = TestApp::start(f).await;
        let before = app.widget().await;
        let form = Form::empty().set("companyName", "New name").file("footerLogo", b"GIF89a".to_vec());
        let sent = app.api(Method::PUT, &format!("{ROOT}/{WIDGET}")).multipart(form.build());
        assert_eq!(send(sent).await, bad_request("footerLogo must be a PNG, JPEG or WebP image"));
        assert_eq!(send(app.api(Method::GET, &format!("{ROOT}/{WIDGET}"))).await.1, before);
    }

    async fn a_second_file_of_one_name_and_a_malformed_form_are_refused(f: Fixture) {
        let app = TestApp::start(f).await;
        let twice = form::widget().file("headerLogo", images::png(10, 10));
        let sent = app.api(Method::POST, ROOT).multipart(twice.build());
        assert_eq!(send(sent).await, bad_request("Unexpected file field - headerLogo"));
        let raw = |kind: &str, body: &str| app.api(Method::POST, ROOT).header("content-type", kind).body(body.to_owned());
        assert_eq!(send(raw("multipart/form-data", "x")).await, bad_request("Multipart: Boundary not found"));
        let cut = "--b\r\ncontent-disposition: form-data; name=\"status\"\r\n\r\nacti";
        let cut = raw("multipart/form-data; boundary=b", cut);
        assert_eq!(send(cut).await, bad_request("Multipart: Unexpected end of form"));
        let many = (0..250).fold(Form::empty(), |form, n| form.add(&format!("x{n}"), "y"));
        assert_eq!(send(app.api(Method::POST, ROOT).multipart(many.build())).await, bad_request("Too many fields"));
    }

    async fn no_path_leads_out_of_the_storage(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        for path in ["..%2fsecret", "logos/..%2f..%2fsecret", "%2fetc%2fpasswd", "logos", "logos/", "logos/.hidden.png", "qr/x.png"] {
            assert_eq!(fetch(app.get(&format!("/storage/{path}"))).await.status(), 404, "{path}");
        }
    }
}
