//! From a ZIP to priced homes in the portal, against a bucket of our own. Areas are files beside the index and nothing of
//! them is in the database, so one engine is enough.

use std::time::Duration;

use shingle_domain::{Environment, Role, Tenant};
use shingle_store::LeadFilter;
use shingle_store_fixture::Fixture;
use shingle_testing::bucket::{Bucket, Fault};
use shingle_testing::imagery::{self, Photograph, imagery_description};
use shingle_testing::release::{Home, Layout, ReleaseFiles, description, town};
use shingle_testing::survey::{MadeSurvey, list, survey_description};

use super::browser::Browser;
use super::start::{PRICES, made, without_site};
use super::{signed_in, user};
use crate::support::{TestApp, WIDGET, fetch, header};

const BUILT_IN: &str = include_str!("../../../assets/sources/overture.toml");
const AREA: &str = "area-80302";
const PLACE: [(&str, &str); 2] = [("place", "80302"), ("miles", "3")];

fn homes() -> Vec<Home> {
    town("a", (-105.349, 40.025), 10, 20, ("80302", "Boulder", "CO"))
}

fn publish(bucket: &Bucket, release: &str, homes: &[Home]) {
    let mut files = ReleaseFiles::default();
    files.add(release, homes, &Layout { rows_of_group: 100, ..Layout::default() }).unwrap();
    files.publish(bucket, release).unwrap();
}

/// A server beside a bucket with a release of 200 homes.
async fn beside_a_bucket() -> (TestApp, Bucket) {
    let bucket = Bucket::start().unwrap();
    publish(&bucket, "2026-10-21.0", &homes());
    let described = description(&bucket, BUILT_IN, true);
    let app = described_as(&described).await;
    (app, bucket)
}

async fn described_as(source: &str) -> TestApp {
    TestApp::start_with(Fixture::on_sqlite().await, |settings| {
        settings.egress_allow = vec!["127.0.0.0/8".parse().unwrap()];
        settings.egress_http = true;
        std::fs::create_dir_all(settings.sources()).unwrap();
        std::fs::write(settings.sources().join("overture.toml"), source).unwrap();
    })
    .await
}

/// The one who runs the installation, with a company of their own.
async fn operator(app: &TestApp) -> Browser<'_> {
    let operator = user(app, Some(app.account), Role::Operator, "root@oak.example.com").await;
    signed_in(app, &operator).await
}

/// Waits for the end of a load, not for a time.
async fn settled(app: &TestApp) {
    app.app.area_loads.ended(AREA, Duration::from_secs(120)).await;
    assert!(app.app.area_loads.running().is_none(), "it loads for ever");
}

/// Loaded, without its pages.
async fn loaded(app: &TestApp, browser: &mut Browser<'_>) {
    browser.send_to("/portal/operator/areas", &PLACE).await;
    settled(app).await;
}

async fn step_4(browser: &mut Browser<'_>) {
    without_site(browser).await;
    browser.submit_to("/portal/start/prices", &PRICES).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_zip_becomes_priced_homes_in_the_first_run() {
    let (app, bucket) = beside_a_bucket().await;
    let mut browser = operator(&app).await;
    step_4(&mut browser).await;
    browser.shows(200, "Where do you work?");
    browser.shows(200, "Continue without homes");
    assert!(bucket.take_requests().is_empty(), "nothing is asked before somebody names a place");

    browser.open("/portal/start?step=4&place=80302&miles=3").await;
    for said in [
        "About 200 addresses and 200 buildings",
        "to download at most",
        "Overture Maps, release 2026-10-21.0",
        "Open Database License",
        "you accept this license",
        "Map: 80302 + 3 mi. ZIPs in the area:",
    ] {
        browser.shows(200, said);
    }
    assert!(app.app.area_loads.areas().list().is_empty(), "a plan loads nothing");
    let planned = bucket.take_requests().len();
    browser.press("Load these homes").await;
    settled(&app).await;
    let files = bucket.take_requests();
    assert!(planned > 0 && files.iter().all(|request| request.path != "catalog.json"), "planned once: {files:?}");

    browser.open("/portal/start?step=4").await;
    for said in ["Your homes are in", "200 homes in 1 town.", "200 homes have an outline (100%)", "Boulder, CO 80302"] {
        browser.shows(200, said);
    }
    assert_eq!(browser.html.matches(">Try it</a>").count(), 3, "{}", browser.html);
    let link = browser.html.split("/measure?").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    let id = made(&app).await.widget.link_id();
    browser.open(&format!("/w/{id}/measure?{link}")).await;
    browser.shows(200, "Boulder");

    browser.open("/portal/start?step=6").await;
    browser.submit_to("/portal/start/test-lead", &[]).await;
    let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
    let leads = app.store.leads().list(&tenant, &LeadFilter::default(), None, 1).await.unwrap();
    assert!(leads.leads[0].address.contains("Boulder, CO 80302") && leads.leads[0].estimate.is_some());
    let log = fetch(app.get("/portal/operator/audit").header("cookie", browser.cookies())).await.text().await.unwrap();
    assert!(log.contains("imported homes: area-80302"), "{log}");

    // An area more is one press away.
    browser.open("/portal/start?step=4&add=1").await;
    browser.shows(200, "How far do you drive?");
}

const LIDAR: &str = include_str!("../../../assets/sources/usgs-lidar.toml");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_area_measures_roofs_from_the_laser_survey_once_it_is_ticked() {
    let (app, bucket) = beside_a_bucket().await;
    let sources = app.app.settings.sources();
    std::fs::write(sources.join("usgs-lidar.toml"), survey_description(&bucket, LIDAR)).unwrap();
    MadeSurvey::over(&homes()[..20], 5).publish(&bucket, "CO_Boulder_2021");
    bucket.put("resources.geojson", list(&[("CO_Boulder_2021", [-106.0, 39.5, -104.5, 40.5])]));
    let mut browser = operator(&app).await;
    step_4(&mut browser).await;
    browser.open("/portal/start?step=4&place=80302&miles=3").await;
    browser.shows(200, "Measure roofs from the public laser survey");
    browser.shows(200, "Outlines only: we assume the pitch");
    let asked = bucket.take_requests();
    assert!(asked.iter().all(|request| request.path != "resources.geojson"), "off by default: {asked:?}");

    browser.open("/portal/start?step=4&place=80302&miles=3&survey=1").await;
    browser.shows(200, "Roofs are measured in the laser survey CO_Boulder_2021, flown in 2021: about");
    browser.shows(200, "name=\"survey\" value=\"1\" checked");
    let planned = bucket.take_requests().len();
    browser.press("Load these homes").await;
    settled(&app).await;
    let asked = bucket.take_requests();
    assert!(planned > 0 && asked.iter().all(|request| request.path != "resources.geojson"), "planned once: {asked:?}");
    let page = format!("/portal/operator/areas/{AREA}");
    browser.open(&page).await;
    for said in
        ["Measured in the survey CO_Boulder_2021, flown in 2021: 20 of 200", "survey has no points there", ": 180"]
    {
        browser.shows(200, said);
    }
    let id = made(&app).await.widget.link_id();
    browser.open(&format!("/w/{id}/measure?address=12+Alder+Ct,+Boulder,+CO+80302")).await;
    browser.shows(200, "Measured from the 2021 public survey");

    // A survey that cannot be used is said before anything is loaded.
    bucket.put("resources.geojson", list(&[]));
    browser.open("/portal/operator/areas?place=80301&miles=15&survey=1").await;
    browser.shows(200, "no public laser survey covers this area");
}

const NAIP: &str = include_str!("../../../assets/sources/usgs-naip.toml");
const BOULDER: [f64; 4] = [-106.0, 39.5, -104.5, 40.5];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn homes_of_an_area_have_photographs_from_the_air_once_it_is_ticked() {
    let (app, bucket) = beside_a_bucket().await;
    std::fs::write(app.app.settings.sources().join("usgs-naip.toml"), imagery_description(&bucket, NAIP)).unwrap();
    // 2023-07-14.
    imagery::publish(&bucket, &[Photograph::flown(1, (1_689_292_800_000, 2023), BOULDER)], 100);
    let mut browser = operator(&app).await;
    step_4(&mut browser).await;
    browser.open("/portal/start?step=4&place=80302&miles=3").await;
    browser.shows(200, "Show photos from the air (USDA, public domain)");
    assert!(bucket.take_requests().iter().all(|request| !request.path.contains("naip")), "off by default");

    browser.open("/portal/start?step=4&place=80302&miles=3&photos=1").await;
    browser.shows(200, "Photos from the air: USGS NAIP Plus, July 2023. About ");
    browser.shows(200, "name=\"photos\" value=\"1\" checked");
    bucket.take_requests();
    browser.press("Load these homes").await;
    settled(&app).await;
    let asked = bucket.take_requests();
    assert!(asked.iter().all(|request| request.path != imagery::QUERY), "planned once: {asked:?}");
    let pictures = asked.iter().filter(|request| request.path == imagery::PICTURE).count();
    browser.open(&format!("/portal/operator/areas/{AREA}")).await;
    browser.shows(200, &format!("Photos from the air, July 2023; files: {pictures}"));

    // A visitor sees the photograph, and the service hears nothing of that.
    let id = made(&app).await.widget.link_id();
    browser.open(&format!("/w/{id}/measure?address=12+Alder+Ct,+Boulder,+CO+80302")).await;
    browser.shows(200, "data-photo=\"page\"");
    browser.shows(200, "July 2023");
    let image = browser.html.split("/storage/aerial/").nth(1).unwrap().split('"').next().unwrap();
    let image = fetch(app.get(&format!("/storage/aerial/{image}"))).await;
    assert_eq!((image.status().as_u16(), header(&image, "content-type")), (200, "image/webp"));
    assert!(bucket.take_requests().is_empty());

    // A service that has nothing here says so before anything is loaded.
    imagery::publish(&bucket, &[], 100);
    browser.open("/portal/operator/areas?place=80301&miles=15&photos=1").await;
    browser.shows(200, "No photos from the air: the service has no photos here. The homes load all the same.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_area_is_asked_back_and_nothing_is_asked_of_the_source() {
    let (app, bucket) = beside_a_bucket().await;
    let mut browser = operator(&app).await;
    step_4(&mut browser).await;
    for (place, miles, said) in [
        ("00000", "5", "There is no ZIP 00000."),
        ("8030", "5", "8030 is not a ZIP"),
        ("00001", "5", "it is for post boxes or one office"),
        ("80302", "5000", "The limit is 60 miles"),
        ("80302", "-1", "The miles must be a number above 0"),
        ("80302", "many", "The miles must be a number above 0"),
        ("Portland", "5", "Which Portland?"),
        ("K1A 0B1", "5", "only the United States are covered"),
        ("Toronto, ON", "5", "only the United States are covered"),
        ("qwertyuiop", "5", "No town or county is named qwertyuiop"),
        ("<script>", "5", "No town or county is named &lt;script&gt;"),
        ("", "5", "Name a ZIP, a town or a county"),
    ] {
        let query = super::browser::encoded(&[("place", place), ("miles", miles)]);
        for path in ["/portal/start?step=4&", "/portal/operator/areas?"] {
            browser.open(&format!("{path}{query}")).await;
            browser.shows(422, said);
            assert!(!browser.html.contains("Load these homes</button>"), "{place}: {}", browser.html);
        }
        browser.send_to("/portal/operator/areas", &[("place", place), ("miles", miles)]).await;
        browser.shows(422, said);
    }
    browser.open("/portal/start?step=4&place=Portland&miles=5").await;
    browser.shows(422, "place=Portland%2C+ME");
    browser.shows(422, ">Portland, ME</a>");
    browser.shows(422, "Continue without homes");
    assert!(bucket.take_requests().is_empty());
    assert!(app.app.area_loads.areas().list().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_load_goes_on_without_its_page_can_be_stopped_and_goes_on() {
    let (app, bucket) = beside_a_bucket().await;
    let mut browser = operator(&app).await;
    step_4(&mut browser).await;
    browser.open("/portal/start?step=4&place=80302&miles=3").await;
    let held = bucket.hold("type=address", 0);
    browser.press("Load these homes").await;
    tokio::task::spawn_blocking(move || held.wait()).await.unwrap();

    browser.open("/portal/start?step=4").await;
    for said in ["Loading 80302 + 3 mi", "homes so far", "You can leave this page", "Go on while it loads"] {
        browser.shows(200, said);
    }
    for step in [5, 6] {
        browser.open(&format!("/portal/start?step={step}")).await;
        browser.shows(200, "class=\"load-bar\"");
    }
    let progress = format!("/portal/operator/areas/{AREA}/progress");
    let told = fetch(app.get(&progress).header("cookie", browser.cookies())).await;
    let told: serde_json::Value = told.json().await.unwrap();
    assert!(told["working"] == true && told["percent"].is_u64() && told["said"].is_string(), "{told}");
    let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
    let mut other = signed_in(&app, &owner).await;
    other.open("/portal/start?step=5").await;
    assert!(!other.html.contains("load-bar"), "areas are of those who run the installation");

    browser.send_to("/portal/operator/areas", &[("place", "80301"), ("miles", "3"), ("from", "start")]).await;
    browser.shows(200, "Another area is loading.");
    browser.submit_to(&format!("/portal/operator/areas/{AREA}/stop"), &[]).await;
    bucket.release();
    settled(&app).await;
    browser.open("/portal/start?step=4").await;
    browser.shows(200, "Stopped. What was loaded is kept.");
    browser.press("Go on").await;
    settled(&app).await;
    browser.open("/portal/start?step=4").await;
    browser.shows(200, "Your homes are in");
    let told = fetch(app.get(&progress).header("cookie", browser.cookies())).await;
    assert_eq!(told.json::<serde_json::Value>().await.unwrap()["working"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_starts_again_goes_on_with_what_was_cut_off() {
    let (app, bucket) = beside_a_bucket().await;
    let mut browser = operator(&app).await;
    loaded(&app, &mut browser).await;
    // As the end of a server leaves it.
    let record = app.app.settings.data.join("areas").join(AREA).join("area.json");
    let text = std::fs::read_to_string(&record).unwrap();
    assert!(text.contains("\"stage\": \"ready\""), "{text}");
    std::fs::write(&record, text.replace("\"stage\": \"ready\"", "\"stage\": \"working\"")).unwrap();
    browser.open("/portal/operator/areas").await;
    browser.shows(200, "This load was cut off. Nothing is loaded twice.");
    browser.shows(200, "Visitors get release 2026-10-21.0 meanwhile.");
    let before = bucket.take_requests().iter().map(|request| request.bytes).sum::<u64>();
    app.app.area_loads.clone().resume().await;
    browser.open("/portal/operator/areas").await;
    browser.shows(200, ">Ready<");
    let again = bucket.take_requests().iter().map(|request| request.bytes).sum::<u64>();
    assert!(again < before, "whole files are not loaded twice: {again} and {before}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_area_is_checked_refreshed_held_back_taken_back_and_removed() {
    let (app, bucket) = beside_a_bucket().await;
    let mut browser = operator(&app).await;
    loaded(&app, &mut browser).await;
    browser.open("/portal/towns").await;
    for said in ["200 homes, 100% with an outline", "Release 2026-10-21.0, loaded", "Add an area"] {
        browser.shows(200, said);
    }
    let check = format!("/portal/operator/areas/{AREA}/check");
    browser.submit_to(&check, &[]).await;
    browser.shows(200, "You have the newest data.");
    assert_eq!(browser.path.split('?').next().unwrap(), "/portal/towns", "back to the page of the form");

    publish(&bucket, "2026-11-18.0", &homes()[..190]);
    browser.submit_to(&check, &[]).await;
    browser.shows(200, "There is new data.");
    browser.shows(200, "New data: release 2026-11-18.0");
    browser.press("Load changes").await;
    settled(&app).await;
    let page = format!("/portal/operator/areas/{AREA}");
    browser.open(&page).await;
    for said in ["New: 0. Gone: 10. Moved: 0. Changed: 0.", "2026-11-18.0", "190 homes"] {
        browser.shows(200, said);
    }
    browser.press("Undo this refresh").await;
    browser.shows(200, "Undone. Visitors get the release before.");
    browser.open(&page).await;
    browser.shows(200, "200 homes");

    publish(&bucket, "2026-12-16.0", &homes()[..50]);
    browser.open("/portal/operator/areas").await;
    browser.submit_to(&check, &[]).await;
    browser.press("Load changes").await;
    settled(&app).await;
    browser.open("/portal/operator/areas").await;
    browser.shows(200, "would go from 200 homes to 50");
    browser.press("Keep the data we have").await;
    browser.shows(200, "The data you have stays.");
    browser.press("Load changes").await;
    settled(&app).await;
    browser.open("/portal/operator/areas").await;
    browser.press("Use it anyway").await;
    settled(&app).await;
    browser.open(&page).await;
    browser.shows(200, "50 homes");
    // Another license is not accepted by a refresh: a person has to.
    let description = app.app.settings.sources().join("overture.toml");
    let text = std::fs::read_to_string(&description).unwrap();
    std::fs::write(&description, text.replace("name = \"Open Database", "name = \"Another Database")).unwrap();
    publish(&bucket, "2027-01-20.0", &homes()[..50]);
    browser.submit_to(&check, &[]).await;
    browser.press("Load changes").await;
    settled(&app).await;
    browser.open("/portal/operator/areas").await;
    browser.shows(200, "Another Database License");
    browser.press("Accept the license and load").await;
    settled(&app).await;
    browser.open(&page).await;
    browser.shows(200, "2027-01-20.0");

    browser.open("/portal/operator/areas").await;
    browser.press("Refresh monthly").await;
    browser.shows(200, "Stop refreshing monthly");
    assert!(app.app.areas.monthly());
    browser.press("Stop refreshing monthly").await;
    assert!(!app.app.areas.monthly(), "off again");

    bucket.fail("catalog.json", Fault::Status(403), 0, 9);
    browser.open("/portal/operator/areas").await;
    browser.submit_to(&check, &[]).await;
    browser.shows(200, "The source doesn’t answer.");
    browser.open(&page).await;
    browser.press("Remove it and its homes").await;
    browser.shows(200, "Area removed.");
    browser.open("/portal/towns").await;
    browser.shows(200, "Nothing is imported yet");
    browser.open(&page).await;
    assert_eq!(browser.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_town_that_is_asked_for_is_added_by_one_button() {
    let (app, bucket) = beside_a_bucket().await;
    let mut browser = operator(&app).await;
    let tenant = Tenant { account: app.account, environment: Environment::Production };
    app.store.widgets().count_town(tenant, WIDGET.parse().unwrap(), "Boulder, CO");
    browser.open("/portal/towns").await;
    browser.shows(200, "asked for 1 time");
    let link = browser.html.split("/portal/operator/areas?place=").nth(1).unwrap().split('"').next().unwrap();
    let link = format!("/portal/operator/areas?place={link}");
    browser.open(&link).await;
    browser.shows(200, "About 200 addresses");
    browser.press("Load these homes").await;
    app.app.area_loads.ended("area-boulder-co", Duration::from_secs(120)).await;
    browser.open("/portal/towns").await;
    assert!(!browser.html.contains("asked for 1 time"), "{}", browser.html);
    drop(bucket);

    let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
    let mut other = signed_in(&app, &owner).await;
    other.open("/portal/towns").await;
    assert!(!other.html.contains("/portal/operator/"), "{}", other.html);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_source_the_step_says_so_and_goes_on() {
    let nowhere = tempfile::tempdir().unwrap();
    let url = url::Url::from_directory_path(nowhere.path().join("gone")).unwrap();
    let line = |line: &str| match line.split_once(" = ") {
        Some(("catalog", _)) => format!("catalog = \"{url}catalog.json\""),
        Some(("data", _)) => format!("data = \"{url}\""),
        _ => line.to_owned(),
    };
    let described = BUILT_IN.lines().map(line).collect::<Vec<_>>().join("\n");
    let app = described_as(&described).await;
    let mut browser = operator(&app).await;
    step_4(&mut browser).await;
    browser.shows(200, "Where do you work?");
    browser.open("/portal/start?step=4&place=80302&miles=3").await;
    browser.shows(422, "There is nothing at ");
    browser.shows(422, "Continue without homes");
    // Ordered all the same: it ends with the reason, and a way on.
    browser.send_to("/portal/operator/areas", &PLACE).await;
    settled(&app).await;
    browser.open("/portal/start?step=4").await;
    browser.shows(200, "Your homes are not loaded yet");
    browser.shows(200, "Try again");
    browser.open("/portal/start?step=5").await;
    browser.shows(200, "Your estimate page is live");
}
