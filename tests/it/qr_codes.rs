//! QR codes, decoded as a phone would.

use serde_json::Value;
use shingle_store_fixture::on_both_engines;

use crate::support::{TestApp, WIDGET, fetch, form, header};

async fn read(app: &TestApp, url: &Value) -> (String, [u8; 3]) {
    let path = url.as_str().unwrap().strip_prefix(&app.base).unwrap().to_owned();
    let response = fetch(app.get(&path)).await;
    assert_eq!((response.status().as_u16(), header(&response, "content-type")), (200, "image/png"));
    let picture = image::load_from_memory(&response.bytes().await.unwrap()).unwrap().into_rgb8();
    let darkest = picture.pixels().min_by_key(|p| p.0.iter().map(|c| u32::from(*c)).sum::<u32>()).unwrap().0;
    let grey = image::DynamicImage::ImageRgb8(picture).into_luma8();
    let mut scan = rqrr::PreparedImage::prepare(grey);
    let codes = scan.detect_grids().into_iter().map(|grid| grid.decode().unwrap().1);
    (codes.collect::<Vec<_>>().join("|"), darkest)
}

on_both_engines! {
    async fn both_codes_hold_their_links_in_the_contractors_colour(f: Fixture) {
        let app = TestApp::start(f).await;
        let record = app.widget().await;
        let blue = [0x0b, 0x3d, 0x91];
        assert_eq!(read(&app, &record["widgetQrCode"]).await, (format!("{}/go/{WIDGET}?via=qr", app.base), blue));
        assert_eq!(read(&app, &record["hostedQrCode"]).await, (format!("{}/w/{WIDGET}?via=qr", app.base), blue));
    }

    async fn a_pale_colour_is_darkened_until_it_scans(f: Fixture) {
        let app = TestApp::start(f).await;
        let record = app.widget_with(form::widget().set("primaryColor", "#ffe08a")).await;
        let (link, colour) = read(&app, &record["widgetQrCode"]).await;
        assert_eq!(link, format!("{}/go/{WIDGET}?via=qr", app.base));
        assert!(colour.iter().all(|part| *part < 0xb0), "{colour:?}");
    }

    async fn only_the_codes_of_the_record_are_drawn(f: Fixture) {
        let app = TestApp::start(f).await;
        let record = app.widget().await;
        let path = record["widgetQrCode"].as_str().unwrap().strip_prefix(&app.base).unwrap().to_owned();
        assert_eq!(fetch(app.get(&path)).await.status(), 200);
        for other in [
            path.replace("0b3d91", "ff0000"),
            path.replace("0b3d91", "anything-else"),
            path.replace("site", "other"),
            path.replace(".png", ".gif"),
            path.replace(".png", ""),
            path.replace(&WIDGET[..4], "é"),
        ] {
            assert_eq!(fetch(app.get(&other)).await.status(), 404, "{other}");
        }
        let update = form::Form::empty().set("primaryColor", "#7a1f1f").build();
        let own = format!("/api/v1/roof-estimate-widget/{WIDGET}");
        assert_eq!(fetch(app.api(reqwest::Method::PUT, &own).multipart(update)).await.status(), 200);
        assert_eq!(fetch(app.get(&path)).await.status(), 404, "the colour was changed");
        let new = fetch(app.get(&path.replace("0b3d91", "7a1f1f"))).await;
        assert_eq!(new.status(), 200);
    }

    async fn each_code_exists_as_svg_too(f: Fixture) {
        let app = TestApp::start(f).await;
        let record = app.widget().await;
        let path = record["widgetQrCode"].as_str().unwrap().strip_prefix(&app.base).unwrap().replace(".png", ".svg");
        let response = fetch(app.get(&path)).await;
        assert_eq!(header(&response, "content-type"), "image/svg+xml");
        assert_eq!(header(&response, "content-security-policy"), "default-src 'none'; sandbox");
        assert!(response.text().await.unwrap().starts_with("<svg "));
    }
}
