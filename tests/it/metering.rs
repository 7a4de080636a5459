//! Limits and prices of look-ups.

use reqwest::Method;
use serde_json::Value;
use shingle_domain::Usd;
use shingle_domain::lookup::Product;
use shingle_store_fixture::Fixture;
use shingle_store_fixture::on_both_engines;

use crate::support::{HOME, TestApp, bad_request, sample_town, send};

const PATH: &str = "/api/v1/roof-estimate";

async fn started(fixture: Fixture) -> TestApp {
    TestApp::start_with(fixture, |settings| {
        settings.property = Some(sample_town().to_owned());
        settings.lookup_cents = 25;
    })
    .await
}

async fn look_up(app: &TestApp, address: &str) -> (u16, Value) {
    let request = app.request(Method::GET, PATH).header("token", &app.production.token);
    send(request.query(&[("address", address)])).await
}

async fn balance(app: &TestApp) -> Option<i64> {
    app.store.find_account(app.account).await.unwrap().unwrap().balance.map(Usd::cents)
}

on_both_engines! {
    async fn the_four_business_errors_have_the_contracts_messages_and_order(f: Fixture) {
        let app = started(f).await;
        let say = |opening: &str| bad_request(format!("{opening} Please contact your administrator."));
        app.store.credit(app.account, Usd::from_cents(1)).await.unwrap();
        assert_eq!(look_up(&app, HOME).await, say("Insufficient Account Balance to process request."));
        app.store.set_limit(app.account, Some(0)).await.unwrap();
        assert_eq!(look_up(&app, HOME).await, say("API Monthly Limit is reached."));
        app.store.set_product(app.account, Product::RoofEstimate, false).await.unwrap();
        assert_eq!(look_up(&app, HOME).await, say("Product is not activated."));
        app.store.pause(app.account).await.unwrap();
        assert_eq!(look_up(&app, HOME).await, say("Account is paused due to failed payment."));
        let sandbox = app.api(Method::GET, PATH).query(&[("address", HOME)]);
        assert_eq!(send(sandbox).await, say("Account is paused due to failed payment."));
    }

    async fn request_errors_come_before_account_errors(f: Fixture) {
        let app = started(f).await;
        app.store.pause(app.account).await.unwrap();
        let (status, body) = send(app.request(Method::GET, PATH).header("token", &app.production.token)).await;
        assert_eq!((status, body["message"].as_array().map(Vec::len)), (400, Some(10)));
    }

    async fn only_a_roof_that_was_found_is_billed(f: Fixture) {
        let app = started(f).await;
        app.store.credit(app.account, Usd::from_cents(60)).await.unwrap();
        assert_eq!(look_up(&app, "1 Nowhere Lane, Harrow Falls, ME").await.0, 200);
        assert_eq!(balance(&app).await, Some(60));
        assert_eq!(look_up(&app, HOME).await.0, 200);
        assert_eq!(balance(&app).await, Some(35));
        let sandbox = app.api(Method::GET, PATH).query(&[("address", HOME)]);
        assert_eq!(send(sandbox).await.0, 200);
        assert_eq!(balance(&app).await, Some(35), "the sandbox is never billed");
    }

    async fn concurrent_lookups_spend_no_more_than_the_balance(f: Fixture) {
        let app = std::sync::Arc::new(started(f).await);
        app.store.credit(app.account, Usd::from_cents(100)).await.unwrap();
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..12 {
            let app = app.clone();
            all.spawn(async move { look_up(&app, HOME).await.0 });
        }
        let answered = all.join_all().await.into_iter().filter(|status| *status == 200).count();
        assert_eq!((answered, balance(&app).await), (4, Some(0)));
    }

    async fn the_monthly_limit_counts_from_the_first_of_the_month(f: Fixture) {
        let app = started(f).await;
        app.store.set_limit(app.account, Some(1)).await.unwrap();
        assert_eq!(look_up(&app, HOME).await.0, 200);
        assert_eq!(look_up(&app, HOME).await.0, 400);
        app.clock.set("2026-04-01T00:00:00Z");
        assert_eq!(look_up(&app, HOME).await.0, 200);
    }
}
