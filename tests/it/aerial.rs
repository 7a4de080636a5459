//! Photographs from the air under the drawing of a home.

use std::path::PathBuf;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_app::aerial::{self, PhotoFiles};
use shingle_domain::evidence::Position;
use shingle_domain::lookup::AddressInput;
use shingle_property::{Lookup, PropertyIndex, Reference};
use shingle_store_fixture::on_both_engines;

use crate::support::ortho::{town, write};
use crate::support::{TestApp, WIDGET, fetch, header, sample_town, send};
use crate::visits::send_lead;

const HOME: &str = "14 Alder Court, Harrow Falls, ME 04995";

fn index() -> PropertyIndex {
    PropertyIndex::open(sample_town(), Reference::built_in()).unwrap()
}

fn place_of(address: &str) -> Position {
    match index().lookup(&AddressInput::Line(address.to_owned())).unwrap() {
        Lookup::Found { evidence, .. } => evidence.place.origin.unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Loads a photograph about the home, as the command does.
fn load(app: &TestApp, name: &str, taken: &str, color: impl Fn(u32, u32) -> [u8; 3]) {
    let file = app.data().join(format!("{name}.tif"));
    write(&file, place_of(HOME), color);
    let of = PhotoFiles {
        files: vec![file],
        name: name.to_owned(),
        taken: taken.parse().unwrap(),
        credit: "USDA, public domain".to_owned(),
        system: None,
    };
    aerial::load(&aerial::folder(&app.data()), &of, &index()).unwrap();
}

async fn roof(app: &TestApp, address: &str) -> Value {
    let body = json!({ "token": app.session().await, "address": { "line": address } });
    let (status, answer) = send(app.page(Method::POST, "/roof").body(body.to_string())).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

/// The URL of the photograph in a drawing, below the server's.
fn photo_in(app: &TestApp, answer: &Value) -> Option<String> {
    let pane: Value = serde_json::from_str(answer["pane"].as_str().unwrap()).unwrap();
    fn find(node: &Value) -> Option<String> {
        let list = node.as_array()?;
        if list.first().is_some_and(|tag| tag == "image") {
            return list[1]["href"].as_str().map(str::to_owned);
        }
        list.iter().find_map(find)
    }
    find(&pane).map(|url| url.strip_prefix(&app.base).unwrap().to_owned())
}

async fn settings(app: &TestApp, photos: Value) {
    let path = format!("/api/v1/roof-estimate-widget/{WIDGET}/settings");
    let (status, said) = send(app.api(Method::PUT, &path).json(&json!({ "aerialPhotos": photos }))).await;
    assert_eq!(status, 200, "{said}");
}

on_both_engines! {
    async fn a_photograph_lies_under_the_drawing_and_its_name_is_proved(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        assert_eq!(photo_in(&app, &roof(&app, HOME).await), None, "nothing was loaded");
        load(&app, "usda", "2023-07", town);
        let answer = roof(&app, HOME).await;
        let said = answer.to_string();
        assert!(said.contains("Photo, July 2023") && said.contains("Photo: July 2023, USDA, public domain."), "{said}");
        let url = photo_in(&app, &answer).unwrap();
        let image = fetch(app.get(&url)).await;
        assert_eq!((image.status().as_u16(), header(&image, "content-type")), (200, "image/webp"));
        assert_eq!(header(&image, "cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(header(&image, "access-control-allow-origin"), "*");
        let bytes = image.bytes().await.unwrap();
        assert!(bytes.len() <= 15_000, "{}", bytes.len());
        let picture = image::load_from_memory(&bytes).unwrap().into_rgb8();
        // The home is in the middle, north up.
        let [r, g, _] = picture.get_pixel(picture.width() / 2, picture.height() / 2).0;
        assert!(r > g, "brown: {r} {g}");
        let [r, g, _] = picture.get_pixel(2, 2).0;
        assert!(g > r, "green: {r} {g}");
        assert_eq!(fetch(app.get(&url)).await.bytes().await.unwrap(), bytes, "the same bytes again");

        // Names of nobody's, and of another place.
        let (folder, name) = url.rsplit_once('/').unwrap();
        let forged = format!("{folder}/{}{name}", if name.starts_with('0') { "1" } else { "0" });
        let moved = format!("{folder}/{}{}", if name.starts_with('0') { "1" } else { "0" }, &name[1..]);
        for wrong in [forged, moved, format!("{folder}/.webp"), format!("{folder}/../logos/x.webp"), url.replace(".webp", ".png")] {
            assert_eq!(fetch(app.get(&wrong)).await.status(), 404, "{wrong}");
        }
    }

    async fn a_page_without_scripts_a_mail_and_the_lead_have_it_too(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        load(&app, "usda", "2023-07", town);
        let page = fetch(app.get(&format!("/w/{WIDGET}/measure?address={}", HOME.replace(' ', "+")))).await.text().await.unwrap();
        assert!(page.contains("data-photo=\"page\"") && page.contains("<image"), "{page}");
        let lead = send_lead(&app, None).await;
        let tenant = shingle_domain::Tenant { account: app.account, environment: shingle_domain::Environment::Sandbox };
        let shown = app.store.leads().shown(&tenant, lead.id.parse().unwrap()).await.unwrap().unwrap();
        let kept = shown.roof.as_ref().and_then(|roof| roof.photo.as_ref()).unwrap();
        assert_eq!((kept.taken.to_string().as_str(), kept.credit.as_str()), ("2023-07", "USDA, public domain"));
        let view = app.app.aerial.view(&app.store, Default::default(), app.app.clock.now()).await.unwrap().unwrap();
        let (photo, under) = view.under(&app.store, Some(&shown)).await.unwrap().unwrap();
        assert_eq!(photo.url, kept.url);
        assert!(under.covers_the_middle_of(&app.store.leads().drawing(&tenant, lead.id.parse().unwrap()).await.unwrap().unwrap()));
    }

    async fn a_widget_shows_none_or_none_that_is_too_old(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        load(&app, "usda", "2023-07", town);
        for (photos, shown) in [
            (json!({ "show": false, "oldestYears": null }), false),
            (json!({ "show": true, "oldestYears": 2 }), false),
            (json!({ "show": true, "oldestYears": 3 }), true),
            (json!({}), true),
        ] {
            settings(&app, photos.clone()).await;
            assert_eq!(photo_in(&app, &roof(&app, HOME).await).is_some(), shown, "{photos}");
        }
    }

    async fn a_hidden_home_has_none_and_is_painted_over_at_its_neighbors(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        load(&app, "usda", "2023-07", town);
        let next_door = "16 Alder Court, Harrow Falls, ME 04995";
        let [own, neighbors] = [photo_in(&app, &roof(&app, HOME).await).unwrap(), photo_in(&app, &roof(&app, next_door).await).unwrap()];
        let before = fetch(app.get(&neighbors)).await.bytes().await.unwrap();
        assert_eq!(fetch(app.get(&own)).await.status(), 200);
        let (hidden, is_new) = aerial::hide(&app.store, &index(), HOME).await.unwrap();
        assert!(is_new && hidden.address.starts_with("14 Alder Court"));
        assert!(!aerial::hide(&app.store, &index(), HOME).await.unwrap().1, "once");
        assert_eq!(photo_in(&app, &roof(&app, HOME).await), None);
        // What was named before is not shown any more, though it lies on disk.
        assert_eq!([fetch(app.get(&own)).await.status(), fetch(app.get(&neighbors)).await.status()], [404, 404]);
        let painted = photo_in(&app, &roof(&app, next_door).await).unwrap();
        let after = fetch(app.get(&painted)).await.bytes().await.unwrap();
        let gray = |bytes: &[u8]| {
            let picture = image::load_from_memory(bytes).unwrap().into_rgb8();
            picture.pixels().filter(|pixel| pixel.0.iter().all(|v| v.abs_diff(128) < 8)).count()
        };
        assert!(gray(&before) < 20 && gray(&after) > 200, "{} {}", gray(&before), gray(&after));
        aerial::unhide(&app.store, &index(), HOME).await.unwrap();
        assert_eq!(photo_in(&app, &roof(&app, HOME).await).unwrap(), own);
    }

    async fn clouds_are_tried_once_and_the_next_best_is_shown(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        load(&app, "cloudy", "2025-07", |_, _| [250, 250, 250]);
        let cloudy = photo_in(&app, &roof(&app, HOME).await).unwrap();
        assert_eq!(fetch(app.get(&cloudy)).await.status(), 404);
        assert_eq!(photo_in(&app, &roof(&app, HOME).await), None, "it is not named again");
        load(&app, "older", "2021-07", town);
        assert!(roof(&app, HOME).await.to_string().contains("Photo, July 2021"));
        let page = fetch(app.get(&format!("/w/{WIDGET}/measure?address={}", HOME.replace(' ', "+")))).await.text().await.unwrap();
        assert!(page.contains("July 2021"), "a page that cannot try has one that shows something");
    }

    async fn an_import_replaces_a_set_and_removing_it_leaves_nothing(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        load(&app, "usda", "2021-07", town);
        let old = photo_in(&app, &roof(&app, HOME).await).unwrap();
        load(&app, "usda", "2023-07", |x, y| town(y, x));
        let new = photo_in(&app, &roof(&app, HOME).await).unwrap();
        assert_ne!(old, new);
        assert_eq!(fetch(app.get(&old)).await.status(), 404);
        let folder = aerial::folder(&app.data());
        let pictures = || std::fs::read_dir(folder.join("pictures")).unwrap().map(|e| e.unwrap().path()).collect::<Vec<PathBuf>>();
        assert_eq!(pictures().len(), 1, "the earlier file is gone");
        aerial::remove(&folder, "usda").unwrap();
        assert_eq!((pictures().len(), photo_in(&app, &roof(&app, HOME).await)), (0, None));
        assert!(aerial::remove(&folder, "usda").unwrap_err().to_string().contains("no photos named usda"));
    }
}
