//! What is imported, as a company sees it.

use shingle_domain::{Environment, Role, Tenant};
use shingle_store_fixture::on_both_engines;

use super::{signed_in, user};
use crate::support::town::{Row, import};
use crate::support::{TestApp, WIDGET};

on_both_engines! {
    async fn an_owner_sees_the_towns_that_are_imported_and_those_that_are_missing(f: Fixture) {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().to_owned();
        let app = TestApp::start_with(f, |settings| settings.data = data).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/towns").await;
        browser.shows(200, "Nothing is imported yet");
        browser.open("/portal/towns.csv").await;
        browser.shows(200, "town,homes,sources\r\n");

        import(&[Row { zip: "43000", ..Row::default() }; 9], &app.app.settings.property());
        browser.open("/portal/towns").await;
        browser.shows(200, "1 town, 9 homes");
        // So few homes fill no patch of the map, and an empty one would say nothing.
        assert!(!browser.html.contains("class=\"map\""), "{}", browser.html);
        browser.shows(200, "Town of Harrow");
        browser.shows(200, "In the last 90 days no visitor asked");
        browser.open("/portal/towns.csv?state=OH").await;
        browser.shows(200, "Harrow,9,Town of Harrow\r\n");
        for odd in ["?state=TX", "?state=%3Cscript%3E", "?state=..%2F..", "?state="] {
            browser.open(&format!("/portal/towns{odd}")).await;
            browser.shows(200, "1 town, 9 homes");
        }
        assert!(!browser.html.contains("<script>"));

        // Asked for at a widget of theirs; test data and other companies are not in it.
        let tenant = |account, environment| Tenant { account, environment };
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        for (of, town) in [
            (tenant(app.account, Environment::Production), "Biddeford, ME"),
            // Imported since.
            (tenant(app.account, Environment::Production), "Harrow, OH"),
            (tenant(app.account, Environment::Sandbox), "Saco, ME"),
            (tenant(elm, Environment::Production), "Gorham, ME"),
        ] {
            app.store.widgets().count_town(of, WIDGET.parse().unwrap(), town);
        }
        browser.open("/portal/towns").await;
        browser.shows(200, "Biddeford, ME");
        assert!(!browser.html.contains("Saco") && !browser.html.contains("Gorham"));
        assert!(!browser.html.contains("Harrow, OH"), "{}", browser.html);
        browser.open("/portal/results").await;
        browser.shows(200, "Biddeford, ME");
        assert!(!browser.html.contains("Harrow, OH"), "{}", browser.html);
    }
}
