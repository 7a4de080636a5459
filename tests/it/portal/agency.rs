//! A company that runs widgets for several roofers: copies, several changed at once, the overview.

use reqwest::Method;
use shingle_domain::{Environment, Role, Tenant, Usd, WidgetId};
use shingle_store::{Brand, StoredWidget};
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::{mail, signed_in, user, with_mail};
use crate::support::{TestApp, fetch, form, images, send};

const OAK: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
const ELM: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c22";
const ASH: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c33";

fn tenant(app: &TestApp) -> Tenant {
    Tenant { account: app.account, environment: Environment::Production }
}

/// Widgets of three roofers; Oak has its own price, color and settings.
async fn agency(app: &TestApp) -> Browser<'_> {
    for (id, title, company, color) in [
        (OAK, "Oak title", "Oak Roofing", "#112233"),
        (ELM, "Elm title", "Elm Roofing", "#445566"),
        (ASH, "Ash title", "Ash Roofing", "#445566"),
    ] {
        let form = form::widget()
            .without("referenceId")
            .set("referenceId", id)
            .without("companyName")
            .set("companyName", company);
        let form = form
            .without("firstPageTitle")
            .set("firstPageTitle", title)
            .without("primaryColor")
            .set("primaryColor", color);
        let form = form.without("installedPrice").set("installedPrice", if id == OAK { "612.5" } else { "500" });
        let sent = app.request(Method::POST, "/api/v1/roof-estimate-widget").header("token", &app.production.token);
        let (status, body) = send(sent.multipart(form.build())).await;
        assert_eq!(status, 201, "{body}");
    }
    let set = serde_json::json!({ "prices": { "metal": 1_100 }, "license": "OAK-1", "questions": ["leak"] });
    let path = format!("/api/v1/roof-estimate-widget/{OAK}/settings");
    let (status, body) =
        send(app.request(Method::PUT, &path).header("token", &app.production.token).body(set.to_string())).await;
    assert_eq!(status, 200, "{body}");
    let owner = user(app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
    signed_in(app, &owner).await
}

async fn stored(app: &TestApp, id: &str) -> StoredWidget {
    let id: WidgetId = id.parse().unwrap();
    StoredWidget::clone(&*app.store.widgets().find(&tenant(app), id).await.unwrap().unwrap())
}

on_both_engines! {
    async fn a_duplicate_has_everything_and_is_off(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = agency(&app).await;
        browser.open("/portal/widgets").await;
        browser.submit_to(&format!("/portal/widgets/{OAK}/duplicate"), &[]).await;
        browser.shows(200, "This is the copy, and it is off.");
        browser.shows(200, "Oak title (copy)");
        // Sent twice, it is one.
        browser.send_again().await;
        browser.shows(200, "Oak title (copy)");
        let all = app.store.widgets().list(&tenant(&app)).await.unwrap();
        assert_eq!(all.len(), 4);
        let is_known = |stored: &&StoredWidget| [OAK, ELM, ASH].contains(&stored.widget.reference_id.to_string().as_str());
        let (copy, own) = (all.iter().find(|stored| !is_known(stored)).unwrap(), stored(&app, OAK).await);
        assert_eq!(copy.settings, own.settings);
        assert_ne!((copy.widget.reference_id, copy.widget.link_id()), (own.widget.reference_id, own.widget.link_id()));
        assert_eq!(copy.widget.status.as_str(), "inactive");
        assert_eq!((copy.widget.installed_price, &copy.widget.company_name), (own.widget.installed_price, &own.widget.company_name));
        browser.open("/portal/widgets").await;
        browser.shows(200, "Duplicate Elm title");
    }

    async fn parts_of_one_widget_are_written_over_others(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = agency(&app).await;
        let before = stored(&app, ELM).await;
        browser.open("/portal/widgets").await;
        browser.shows(200, "Change several at once");
        let copy = |parts: &'static [&'static str], to: &'static [&'static str]| {
            let parts = parts.iter().map(|part| ("part", *part));
            [("from", OAK)].into_iter().chain(parts).chain(to.iter().map(|id| ("to", *id))).collect::<Vec<_>>()
        };
        browser.submit_to("/portal/widgets/copy", &copy(&[], &[ELM])).await;
        browser.shows(200, "You selected nothing.");
        browser.submit_to("/portal/widgets/copy", &copy(&["prices"], &[OAK])).await;
        browser.shows(200, "You selected nothing.");
        browser.submit_to("/portal/widgets/copy", &copy(&["prices", "questions"], &[ELM, ASH])).await;
        browser.shows(200, "2 widgets are up to date.");
        for id in [ELM, ASH] {
            let now = stored(&app, id).await;
            assert_eq!(now.widget.installed_price, Some(Usd::from_cents(61_250)));
            assert_eq!(now.settings.prices.metal, Some(Usd::from_dollars(1_100)));
            assert_eq!(now.settings.questions.len(), 1);
            assert_eq!((now.version, now.settings.license), (2, None), "the license is the company's own");
        }
        let now = stored(&app, ELM).await;
        assert_eq!((&now.widget.company_name, &now.widget.primary_color), (&before.widget.company_name, &before.widget.primary_color));
        // The same again changes nothing, and makes no version.
        browser.submit_to("/portal/widgets/copy", &copy(&["prices"], &[ELM])).await;
        browser.shows(200, "1 widget is up to date.");
        assert_eq!(stored(&app, ELM).await.version, 2);
        // A draft is not overtaken.
        let seen = shingle_store::SeenWidget { version: 2, mark: 0 };
        let id: WidgetId = ASH.parse().unwrap();
        app.store.widgets().save_draft(&tenant(&app), id, seen, "Maya", (&now.widget, &now.settings)).await.unwrap();
        browser.submit_to("/portal/widgets/copy", &copy(&["look"], &[ELM, ASH])).await;
        browser.shows(200, "1 widget is up to date. 1 widget has an unpublished draft, so we left it alone.");
        assert_eq!(stored(&app, ELM).await.widget.primary_color.as_str(), "#112233");
        assert_eq!(stored(&app, ASH).await.widget.primary_color.as_str(), "#445566");
        // What was copied can be undone.
        browser.open(&format!("/portal/widgets/{ELM}/versions")).await;
        browser.shows(200, "/versions/1/restore");
        // A source of another company is no source.
        let path = "/portal/widgets/copy";
        browser.open("/portal/widgets").await;
        browser.submit_to(path, &[("from", "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a"), ("part", "look"), ("to", ELM)]).await;
        assert_eq!(browser.status, 404);
    }

    async fn the_overview_names_what_needs_somebody(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = agency(&app).await;
        browser.open("/portal/overview").await;
        browser.shows(200, "Not on a site yet");
        let loads = app.get(&format!("/w/{OAK}.js")).header("referer", "https://www.oak.example.com/").send().await.unwrap();
        assert_eq!(loads.status(), 200);
        browser.open("/portal/overview").await;
        browser.shows(200, "www.oak.example.com");
        browser.shows(200, "Usage by widget");
        browser.open("/portal/overview.csv").await;
        browser.shows(200, "referenceId,widget,pageViews,opened,addressesLookedUp,leads,wonDollars");
        browser.shows(200, &format!("{OAK},Oak title,1,0,0,0,0"));
        app.clock.advance(std::time::Duration::from_secs(9 * 24 * 3_600));
        browser.open("/portal/overview?month=1999-01").await;
        browser.shows(200, "Missing. Last seen on www.oak.example.com");
        let first = browser.html.find("Oak title").unwrap();
        assert!(first < browser.html.find("Elm title").unwrap(), "what is missing comes first");
    }
    async fn an_agency_puts_its_name_color_and_logo_on_the_portal(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/settings/brand").await;
        browser.shows(200, "How the portal looks");
        let send = async |form: form::Form| {
            let request = app.request(Method::POST, "/portal/settings/brand").header("cookie", signed_in(&app, &owner).await.cookies());
            fetch(request.header("sec-fetch-site", "same-origin").multipart(form.build())).await
        };
        let long = "x".repeat(41);
        let refused = send(form::Form::empty().set("brandName", &long)).await;
        assert_eq!(refused.status(), 422);
        assert!(refused.text().await.unwrap().contains("at most 40 characters."));
        let refused = send(form::Form::empty().set("brandName", "Ridge").file("headerLogo", b"not a picture".to_vec())).await;
        assert_eq!(refused.status(), 422);
        assert_eq!(app.store.accounts().brand(app.account).await.unwrap(), Brand::default(), "nothing was half saved");
        let saved = form::Form::empty().set("brandName", "Ridge <Media>").set("brandColor", "#ffcc00").file("headerLogo", images::png(300, 100));
        assert_eq!(send(saved).await.status(), 303);
        browser.open("/portal/leads").await;
        browser.shows(200, "Ridge &lt;Media&gt;");
        browser.shows(200, "<title>Leads · Ridge &lt;Media&gt;</title>");
        browser.shows(200, "/portal/brand.css?v=ffcc00");
        let logo = browser.html.split("class=\"brand-logo\" src=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert_eq!(fetch(app.get(&logo)).await.status(), 200);
        browser.open("/portal/brand.css?v=ffcc00").await;
        browser.shows(200, "--accent: #");
        // Its mails come in its name.
        browser.open("/portal/people").await;
        browser.submit_to("/portal/people/invites", &[("email", "kim@oak.example.com"), ("role", "member")]).await;
        let mailed = mail(&server).await;
        assert!(mailed.contains("Ridge"), "{mailed}");
        assert!(!mailed.contains("Shingle"), "{mailed}");
        // Without a name and a logo it is ours again.
        assert_eq!(send(form::Form::empty().set("brandName", "").set("removeLogo", "yes")).await.status(), 303);
        browser.open("/portal/leads").await;
        browser.shows(200, "<title>Leads · Shingle</title>");
    }
}
