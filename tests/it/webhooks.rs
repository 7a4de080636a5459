//! `/api/v1/webhooks`: the records.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::{Environment, Tenant};
use shingle_store_fixture::on_both_engines;

use crate::support::{TestApp, bad_request, header, not_found, send};

const PATH: &str = "/api/v1/webhooks";

fn body() -> Value {
    json!({ "name": "crm", "url": "https://hooks.example.com/x", "events": ["lead.created", "lead.updated"] })
}

async fn create(app: &TestApp, body: &Value) -> Value {
    let (status, made) = send(app.api(Method::POST, PATH).body(body.to_string())).await;
    assert_eq!(status, 201, "{made}");
    made
}

async fn patch(app: &TestApp, id: &str, body: Value) -> (u16, Value) {
    send(app.api(Method::PATCH, &format!("{PATH}/{id}")).body(body.to_string())).await
}

on_both_engines! {
    async fn a_webhook_is_made_shown_listed_changed_and_deleted(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut made = create(&app, &body()).await;
        let secret = made.as_object_mut().unwrap().remove("secret").unwrap();
        assert!(secret.as_str().unwrap().starts_with("whsec_"), "{secret}");
        let id = made["id"].as_str().unwrap().to_owned();
        assert_eq!(made, json!({
            "id": id, "name": "crm", "url": "https://hooks.example.com/x", "events": ["lead.created", "lead.updated"],
            "active": true, "failureCount": 0, "successCount": 0, "lastFailureAt": null, "lastSuccessAt": null,
            "timeoutSeconds": 15, "createdAt": "2026-03-10T12:00:00.000Z", "updatedAt": "2026-03-10T12:00:00.000Z",
        }), "exactly the fields of the document");
        let path = format!("{PATH}/{id}");
        assert_eq!(send(app.api(Method::GET, &path)).await, (200, made.clone()), "the secret is shown once");
        assert_eq!(send(app.api(Method::GET, PATH)).await, (200, json!([made])));

        app.clock.advance(std::time::Duration::from_secs(60));
        let (status, changed) = patch(&app, &id, json!({ "active": false, "timeoutSeconds": 30, "name": "new" })).await;
        assert_eq!(status, 200, "{changed}");
        assert_eq!((&changed["active"], &changed["timeoutSeconds"], &changed["name"]), (&json!(false), &json!(30), &json!("new")));
        assert_eq!((&changed["updatedAt"], &changed["url"]), (&json!("2026-03-10T12:01:00.000Z"), &made["url"]));
        assert_eq!(patch(&app, &id, json!({})).await, (200, changed.clone()), "nothing to change");

        assert_eq!(send(app.api(Method::DELETE, &path)).await, (200, changed));
        assert_eq!(send(app.api(Method::GET, &path)).await, not_found("GET", &path));
        assert_eq!(send(app.api(Method::GET, PATH)).await, (200, json!([])));
    }

    async fn a_mistake_in_an_update_is_one_sentence_and_changes_nothing(f: Fixture) {
        let app = TestApp::start(f).await;
        let made = create(&app, &body()).await;
        let id = made["id"].as_str().unwrap();
        for (sent, part) in [
            (json!({ "timeoutSeconds": 31 }), "timeoutSeconds must not be greater than 30"),
            (json!({ "timeoutSeconds": 0 }), "timeoutSeconds must not be less than 1"),
            (json!({ "timeoutSeconds": "5" }), "timeoutSeconds must be an integer number"),
            (json!({ "events": [] }), "events should not be empty"),
            (json!({ "events": ["lead.gone"], "name": "other" }), "each value in events"),
            (json!({ "events": ["ping"] }), "each value in events"),
            (json!({ "active": "yes" }), "active must be a boolean value"),
            (json!({ "url": "http://hooks.example.com/" }), "url must be a URL address"),
            (json!({ "url": "https://10.0.0.1/" }), "egress_allow"),
            (json!({ "url": "https://user:pw@hooks.example.com/" }), "user name or password"),
            (json!({ "headers": { "Host": "x" } }), "headers must not set host"),
            (json!({ "headers": { "Webhook-Signature": "x" } }), "headers must not set webhook-signature"),
            (json!({ "headers": { "x y": "1" } }), "header name"),
            (json!({ "headers": { "x": "a\r\nb: c" } }), "each value in headers"),
            (json!({ "headers": [] }), "headers must be an object"),
            (json!({ "widgets": ["x"] }), "each value in widgets must be a UUID"),
            (json!({ "payload": "tiny" }), "payload must be one of the following values: full, thin"),
        ] {
            let (status, answer) = patch(&app, id, sent.clone()).await;
            let message = answer["message"].as_str().unwrap_or_else(|| panic!("{sent}: {answer}"));
            assert!(status == 400 && message.contains("syntax error") && message.contains(part), "{sent}: {message}");
        }
        for sent in ["{", "[]", "5", "\"x\""] {
            let (status, answer) = send(app.api(Method::PATCH, &format!("{PATH}/{id}")).body(sent)).await;
            assert_eq!((status, answer["message"].is_string()), (400, true), "{sent}: {answer}");
        }
        let (_, now) = send(app.api(Method::GET, &format!("{PATH}/{id}"))).await;
        assert_eq!((&now["name"], &now["updatedAt"]), (&made["name"], &made["updatedAt"]));
    }

    async fn private_targets_are_refused_with_the_setting_that_allows_them(f: Fixture) {
        let app = TestApp::start(f).await;
        for url in [
            "https://127.0.0.1/", "https://0x7f.1/", "https://2130706433/", "https://[::1]/", "https://[::ffff:10.0.0.1]/",
            "https://169.254.169.254/latest/meta-data/", "https://192.168.1.1:8443/", "https://localhost/",
        ] {
            let mut sent = body();
            sent["url"] = url.into();
            let (status, answer) = send(app.api(Method::POST, PATH).body(sent.to_string())).await;
            let message = answer["message"].to_string();
            assert!(status == 400 && message.contains("url must be a URL address") && message.contains("egress_allow"), "{url}: {answer}");
        }
        for url in ["javascript:alert(1)", "file:///etc/passwd", "https://", "https:// x", "//hooks.example.com", "ftp://x.example.com", "https://a\tb.example.com/"] {
            let mut sent = body();
            sent["url"] = url.into();
            let answer = send(app.api(Method::POST, PATH).body(sent.to_string())).await;
            assert_eq!(answer, bad_request(json!(["url must be a URL address"])), "{url}");
        }
        for (url, part) in [("https://hooks.example.com:22/", "port 22"), ("https://u:p@hooks.example.com/", "user name")] {
            let mut sent = body();
            sent["url"] = url.into();
            let (status, answer) = send(app.api(Method::POST, PATH).body(sent.to_string())).await;
            assert!(status == 400 && answer["message"][1].as_str().unwrap().contains(part), "{url}: {answer}");
        }
    }

    async fn the_same_request_again_makes_no_second_webhook(f: Fixture) {
        let app = TestApp::start(f).await;
        let post = |key: &'static str, body: Value| {
            send(app.api(Method::POST, PATH).header("idempotency-key", key).body(body.to_string()))
        };
        let first = post("k1", body()).await;
        assert_eq!(first.0, 201);
        assert_eq!(post("k1", body()).await, first, "with its secret");
        let other = json!({ "name": "other", "url": "https://hooks.example.com/y", "events": ["lead.created"] });
        let (status, answer) = post("k1", other.clone()).await;
        assert!(status == 400 && answer["message"].as_str().unwrap().contains("Idempotency-Key"), "{answer}");
        assert_eq!(post("k2", other).await.0, 201);
        assert_eq!(post("", body()).await.0, 400);
        let (_, list) = send(app.api(Method::GET, PATH)).await;
        assert_eq!(list.as_array().unwrap().len(), 2);

        let twins = futures_of(8, || post("k3", body())).await;
        assert!(twins.iter().all(|(status, made)| *status == 201 && made["id"] == twins[0].1["id"]), "{twins:?}");
    }

    async fn a_webhook_belongs_to_its_account_and_environment(f: Fixture) {
        let app = TestApp::start(f).await;
        let made = create(&app, &body()).await;
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        let stranger = app.second_account().await;
        for token in [&stranger.token, &app.production.token] {
            for (method, path) in [
                (Method::GET, path.clone()),
                (Method::PATCH, path.clone()),
                (Method::DELETE, path.clone()),
                (Method::POST, format!("{path}/rotate-secret")),
                (Method::POST, format!("{path}/test")),
                (Method::POST, format!("{path}/replay")),
                (Method::GET, format!("{path}/deliveries")),
            ] {
                let answer = send(app.request(method.clone(), &path).header("token", token).body("{}")).await;
                assert_eq!(answer, not_found(method.as_str(), &path));
            }
            let (_, list) = send(app.request(Method::GET, PATH).header("token", token)).await;
            assert_eq!(list, json!([]));
        }
        assert_eq!(send(app.request(Method::GET, &path)).await.0, 401);
        assert_eq!(send(app.api(Method::GET, &format!("{PATH}/nope"))).await.0, 404);
    }

    async fn what_goes_beyond_the_document_stands_in_the_record_only_when_it_is_used(f: Fixture) {
        let app = TestApp::start(f).await;
        let widget = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
        let mut sent = body();
        sent["headers"] = json!({ "X-Team": "roofs", "Authorization": "Bearer s3cret" });
        sent["widgets"] = json!([widget]);
        sent["payload"] = "thin".into();
        sent["ordered"] = true.into();
        let made = create(&app, &sent).await;
        assert_eq!(made["headers"], json!(["x-team", "authorization"]), "names, not values");
        assert_eq!((&made["widgets"], &made["payload"], &made["ordered"]), (&json!([widget]), &json!("thin"), &json!(true)));
        assert!(!made.to_string().contains("s3cret"));
    }

    async fn the_public_key_of_a_webhook_is_published(f: Fixture) {
        let app = TestApp::start(f).await;
        let made = create(&app, &body()).await;
        let response = app.get(&format!("/webhook-keys/{}", made["id"].as_str().unwrap())).send().await.unwrap();
        assert_eq!(header(&response, "content-type"), "application/json");
        let keys: Value = response.json().await.unwrap();
        assert!(keys["keys"][0].as_str().unwrap().starts_with("whpk_"), "{keys}");
        let unknown = "/webhook-keys/0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a";
        assert_eq!(send(app.get(unknown)).await, not_found("GET", unknown));
    }

    async fn there_is_an_end_to_the_number_of_webhooks(f: Fixture) {
        let app = TestApp::start(f).await;
        for _ in 0..100 {
            create(&app, &body()).await;
        }
        let (status, answer) = send(app.api(Method::POST, PATH).body(body().to_string())).await;
        assert_eq!((status, &answer["message"]), (400, &json!("There are 100 already, which is the limit")));
    }

    async fn two_rotations_at_once_give_two_secrets_that_both_sign(f: Fixture) {
        let app = TestApp::start(f).await;
        let made = create(&app, &body()).await;
        let path = format!("{PATH}/{}/rotate-secret", made["id"].as_str().unwrap());
        let rotate = || send(app.api(Method::POST, &path));
        let ((_, one), (_, two)) = tokio::join!(rotate(), rotate());
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        let id = made["id"].as_str().unwrap().parse().unwrap();
        let kept = app.store.destinations().find(&tenant, id).await.unwrap().unwrap().draft.secrets.unwrap();
        for secret in [&one["secret"], &two["secret"], &made["secret"]] {
            assert!(kept.contains(secret.as_str().unwrap()), "{secret}");
        }
        assert_ne!(one["secret"], two["secret"]);
    }
}

async fn futures_of<F: Future<Output = (u16, Value)>>(n: usize, make: impl Fn() -> F) -> Vec<(u16, Value)> {
    let mut running: Vec<_> = (0..n).map(|_| Box::pin(make())).collect();
    let mut done: Vec<Option<(u16, Value)>> = vec![None; n];
    std::future::poll_fn(|context| {
        for (slot, future) in done.iter_mut().zip(&mut running) {
            if slot.is_none()
                && let std::task::Poll::Ready(value) = future.as_mut().poll(context)
            {
                *slot = Some(value);
            }
        }
        if done.iter().all(Option::is_some) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}
