//! Limits and prices of look-ups.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::lookup::Product;
use shingle_domain::{Environment, Usd};
use shingle_store::KeyTerms;
use shingle_store_fixture::Fixture;
use shingle_store_fixture::on_both_engines;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

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

async fn usage(app: &TestApp, query: &str) -> (u16, Value) {
    let request = app.request(Method::GET, &format!("/api/v1/usage{query}"));
    send(request.header("token", &app.production.token)).await
}

async fn balance(app: &TestApp) -> Option<i64> {
    app.store.accounts().find(app.account).await.unwrap().unwrap().balance.map(Usd::cents)
}

on_both_engines! {
    async fn the_four_business_errors_have_the_contracts_messages_and_order(f: Fixture) {
        let app = started(f).await;
        let say = |opening: &str| bad_request(format!("{opening} Please contact your administrator."));
        app.store.accounts().credit(app.account, Usd::from_cents(1)).await.unwrap();
        assert_eq!(look_up(&app, HOME).await, say("Insufficient Account Balance to process request."));
        app.store.accounts().set_limit(app.account, Some(0)).await.unwrap();
        assert_eq!(look_up(&app, HOME).await, say("API Monthly Limit is reached."));
        app.store.accounts().set_product(app.account, Product::RoofEstimate, false).await.unwrap();
        assert_eq!(look_up(&app, HOME).await, say("Product is not activated."));
        app.store.accounts().pause(app.account).await.unwrap();
        assert_eq!(look_up(&app, HOME).await, say("Account is paused due to failed payment."));
        let sandbox = app.api(Method::GET, PATH).query(&[("address", HOME)]);
        assert_eq!(send(sandbox).await, say("Account is paused due to failed payment."));
    }

    async fn a_key_for_other_look_ups_finds_this_one_off_and_a_pause_is_said_first(f: Fixture) {
        let app = started(f).await;
        let terms = KeyTerms { products: vec![Product::SolarIndex], ..KeyTerms::default() };
        let key = app.store.accounts().issue_key_on(app.account, Environment::Production, &terms).await.unwrap();
        let ask = async |path: &str| send(app.get(path).header("token", &key.secret).query(&[("address", HOME)])).await;
        app.store.accounts().credit(app.account, Usd::from_cents(60)).await.unwrap();
        let off = bad_request("Product is not activated. Please contact your administrator.");
        assert_eq!(ask(PATH).await, off);
        assert_eq!(ask("/api/v1/solar-index").await.0, 200);
        assert_eq!(balance(&app).await, Some(60 - 25), "what is refused costs nothing");
        app.store.accounts().pause(app.account).await.unwrap();
        let paused = bad_request("Account is paused due to failed payment. Please contact your administrator.");
        assert_eq!(ask(PATH).await, paused);
    }

    async fn request_errors_come_before_account_errors(f: Fixture) {
        let app = started(f).await;
        app.store.accounts().pause(app.account).await.unwrap();
        let (status, body) = send(app.request(Method::GET, PATH).header("token", &app.production.token)).await;
        assert_eq!((status, body["message"].as_array().map(Vec::len)), (400, Some(10)));
    }

    async fn only_a_roof_that_was_found_is_billed(f: Fixture) {
        let app = started(f).await;
        app.store.accounts().credit(app.account, Usd::from_cents(60)).await.unwrap();
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
        app.store.accounts().credit(app.account, Usd::from_cents(25 * 100)).await.unwrap();
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..200 {
            let app = app.clone();
            all.spawn(async move { look_up(&app, HOME).await.0 });
        }
        let answered = all.join_all().await.into_iter().filter(|status| *status == 200).count();
        assert_eq!((answered, balance(&app).await), (100, Some(0)));
        let (_, usage) = usage(&app, "").await;
        assert_eq!((&usage["total"]["calls"], &usage["total"]["fromBalanceCents"]), (&json!(100), &json!(25 * 100)));
    }

    async fn clients_that_hang_up_leave_nothing_held_and_nothing_free(f: Fixture) {
        let app = started(f).await;
        app.store.accounts().credit(app.account, Usd::from_cents(25 * 40)).await.unwrap();
        let (at, token) = (app.base.strip_prefix("http://").unwrap(), &app.production.token);
        let head = format!("GET {PATH}?address=14+Alder+Court HTTP/1.1\r\nhost: {at}\r\ntoken: {token}\r\n\r\n");
        for number in 0..60 {
            let mut client = TcpStream::connect(at).await.unwrap();
            // Some leave before they have asked, others at once after it.
            let sent = if number % 4 == 0 { head.len() - 2 } else { head.len() };
            client.write_all(&head.as_bytes()[..sent]).await.unwrap();
            drop(client);
        }
        let agree = "SELECT balance_cents + CAST((SELECT COALESCE(SUM(paid_cents), 0) FROM usage_day) AS BIGINT) FROM account";
        assert_eq!(app.number(agree).await, 25 * 40, "at any time, no matter who is still there");
        while look_up(&app, HOME).await.0 == 200 {
            assert_eq!(app.number(agree).await, 25 * 40);
        }
        assert_eq!(balance(&app).await, Some(0), "all that was credited can be spent");
        assert_eq!(usage(&app, "").await.1["total"]["billed"], 40, "and no more");
    }

    async fn the_usage_of_a_key_agrees_with_the_balance_to_the_cent(f: Fixture) {
        let app = started(f).await;
        app.store.accounts().credit(app.account, Usd::from_cents(60)).await.unwrap();
        for (address, status) in [(HOME, 200), ("1 Nowhere Lane, Harrow Falls, ME", 200), (HOME, 200), (HOME, 400)] {
            assert_eq!(look_up(&app, address).await.0, status);
        }
        let sums = |more: Value| {
            let mut all = json!({ "calls": 3, "billed": 2, "amountCents": 50, "fromBalanceCents": 50 });
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            all
        };
        let line = sums(json!({
            "day": "2026-03-10",
            "environment": "production",
            "keyId": app.production.id.0,
            "product": "roof-estimate",
        }));
        let told = json!({
            "from": "2026-03-01", "to": "2026-03-10", "balanceCents": 10, "total": sums(json!({})), "data": [line],
        });
        assert_eq!(usage(&app, "").await, (200, told));
        assert_eq!(balance(&app).await, Some(60 - 50));

        let asked = app.get("/api/v1/usage").header("token", &app.production.token).header("accept", "text/csv");
        let table = asked.send().await.unwrap();
        assert_eq!(table.headers()["content-type"], "text/csv; charset=utf-8");
        let lines = format!(
            "day,environment,keyId,product,calls,billed,amountCents,fromBalanceCents\r\n\
             2026-03-10,production,{},roof-estimate,3,2,50,50\r\n",
            app.production.id
        );
        assert_eq!(table.text().await.unwrap(), lines);

        let none = usage(&app, "?from=2026-03-11&to=2026-03-12").await.1;
        assert_eq!((&none["data"], &none["total"]["calls"]), (&json!([]), &json!(0)));
        let sandbox = send(app.api(Method::GET, "/api/v1/usage")).await.1;
        assert_eq!((&sandbox["data"], &sandbox["balanceCents"]), (&json!([]), &Value::Null), "its own alone");
        for (query, message) in [
            ("?from=yesterday", "from must be a day (YYYY-MM-DD)"),
            ("?from=", "from must be a day (YYYY-MM-DD)"),
            ("?to=2026-03-01&to=2026-03-02", "to must be a day (YYYY-MM-DD)"),
            ("?from=2026-03-02&to=2026-03-01", "from must not be after to"),
            ("?from=2020-01-01", "from must be at most 365 days before to"),
        ] {
            assert_eq!(usage(&app, query).await, bad_request(json!([message])), "{query}");
        }
    }

    async fn the_monthly_limit_counts_from_the_first_of_the_month(f: Fixture) {
        let app = started(f).await;
        app.store.accounts().set_limit(app.account, Some(1)).await.unwrap();
        assert_eq!(look_up(&app, HOME).await.0, 200);
        assert_eq!(look_up(&app, HOME).await.0, 400);
        app.clock.set("2026-04-01T00:00:00Z");
        assert_eq!(look_up(&app, HOME).await.0, 200);
    }
}
