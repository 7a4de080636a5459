//! Events on their way to webhooks: from the change to the receiver, by the clock of the test.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_app::config::Settings;
use shingle_deliver::SigningSecret;
use shingle_domain::Timestamp;
use shingle_store::Clock as _;
use shingle_store_fixture::{Fixture, on_both_engines};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::form;
use crate::support::receiver::{Receiver, Reply};
use crate::support::{TestApp, WIDGET, fetch, header, send};

pub fn open(settings: &mut Settings) {
    settings.egress_allow = vec!["127.0.0.0/8".parse().unwrap()];
    settings.egress_http = true;
}

async fn start(fixture: Fixture) -> TestApp {
    TestApp::start_with(fixture, open).await
}

/// A webhook for everything, and what is different about this one.
async fn webhook(app: &TestApp, receiver: &Receiver, more: Value) -> Value {
    let mut sent = json!({
        "name": "crm", "url": receiver.url(),
        "events": ["lead.created", "lead.updated", "widget.created", "widget.updated"],
    });
    for (name, value) in more.as_object().unwrap() {
        sent[name] = value.clone();
    }
    let (status, made) = send(app.api(Method::POST, "/api/v1/webhooks").body(sent.to_string())).await;
    assert_eq!(status, 201, "{made}");
    made
}

async fn show(app: &TestApp, webhook: &Value) -> Value {
    send(app.api(Method::GET, &format!("/api/v1/webhooks/{}", webhook["id"].as_str().unwrap()))).await.1
}

async fn log(app: &TestApp, webhook: &Value) -> Vec<Value> {
    let path = format!("/api/v1/webhooks/{}/deliveries", webhook["id"].as_str().unwrap());
    send(app.api(Method::GET, &path)).await.1["data"].as_array().unwrap().clone()
}

async fn details(app: &TestApp, delivery: &Value) -> Value {
    send(app.api(Method::GET, &format!("/api/v1/deliveries/{}", delivery["id"].as_str().unwrap()))).await.1
}

async fn ping(app: &TestApp, webhook: &Value) {
    let path = format!("/api/v1/webhooks/{}/test", webhook["id"].as_str().unwrap());
    assert_eq!(send(app.api(Method::POST, &path)).await.0, 202);
}

on_both_engines! {
    async fn each_of_the_four_events_arrives_signed_with_the_whole_record(f: Fixture) {
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(200)).await;
        let hook = webhook(&app, &receiver, json!({})).await;
        let record = app.widget().await;
        let form = form::Form::empty().set("buttonText", "Price my roof");
        let (_, changed) = send(app.api(Method::PUT, &format!("/api/v1/roof-estimate-widget/{WIDGET}")).multipart(form.build())).await;
        let (status, receipt) = app.send_lead(&app.submission().await).await;
        assert_eq!(status, 201, "{receipt}");
        let lead_path = format!("/api/v1/leads/{}", receipt["id"].as_str().unwrap());
        let (_, lead) = send(app.api(Method::GET, &lead_path)).await;
        let (_, contacted) = send(app.api(Method::PATCH, &lead_path).body(json!({ "status": "contacted" }).to_string())).await;
        app.engine.work_off().await;

        let mut received = receiver.take();
        received.sort_by_key(|r| r.json()["type"].as_str().unwrap().to_owned());
        let kinds: Vec<_> = received.iter().map(|r| r.json()["type"].clone()).collect();
        assert_eq!(kinds, ["lead.created", "lead.updated", "widget.created", "widget.updated"]);
        for (one, data) in received.iter().zip([&lead, &contacted, &record, &changed]) {
            let body = one.json();
            assert_eq!(&body["data"], data);
            assert_eq!(one.header("webhook-id"), body["id"].as_str().unwrap());
            assert_eq!((one.method.as_str(), one.path.as_str(), one.header("content-type")), ("POST", "/hook", "application/json"));
            assert!(one.header("user-agent").starts_with("Shingle/"));
            assert_eq!(body["apiVersion"], "1.0.0");
            assert!(Timestamp::parse_iso(body["timestamp"].as_str().unwrap()).is_some());
            let secret = SigningSecret::parse(hook["secret"].as_str().unwrap()).unwrap();
            let timestamp = one.header("webhook-timestamp").parse().unwrap();
            assert_eq!(timestamp, app.clock.now().seconds());
            assert!(secret.verifies(one.header("webhook-signature"), one.header("webhook-id"), timestamp, &one.body));
        }
        let sequences: Vec<_> = received.iter().map(|r| r.json()["sequence"].as_u64().unwrap()).collect();
        assert_eq!(sequences, [1, 2, 1, 2]);
        let hook = show(&app, &hook).await;
        assert_eq!((&hook["successCount"], &hook["failureCount"]), (&json!(4), &json!(0)));
        assert_eq!((&hook["lastSuccessAt"], &hook["lastFailureAt"]), (&json!("2026-03-10T12:00:00.000Z"), &Value::Null));
    }

    async fn only_what_was_subscribed_to_arrives(f: Fixture) {
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(200)).await;
        webhook(&app, &receiver, json!({ "events": ["widget.created"] })).await;
        webhook(&app, &receiver, json!({ "widgets": ["0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a"] })).await;
        webhook(&app, &receiver, json!({ "active": false })).await;
        app.widget().await;
        app.send_lead(&app.submission().await).await;
        app.engine.work_off().await;
        let received = receiver.take();
        assert_eq!(received.iter().map(|r| r.json()["type"].clone()).collect::<Vec<_>>(), ["widget.created"]);
    }

    async fn every_status_but_success_is_tried_again_on_schedule_until_it_is_given_up(f: Fixture) {
        let app = start(f).await;
        for status in [100, 199, 301, 302, 307, 400, 401, 404, 408, 409, 422, 500, 503, 599] {
            let mut receiver = Receiver::start(Reply::With(status, "Location: http://127.0.0.1:1/\r\n", "no")).await;
            let hook = webhook(&app, &receiver, json!({ "timeoutSeconds": 1 })).await;
            ping(&app, &hook).await;
            app.engine.work_off().await;
            assert_eq!(receiver.take().len(), 1, "{status}");
            let delivery = details(&app, &log(&app, &hook).await[0]).await;
            assert_eq!((&delivery["state"], &delivery["attemptCount"]), (&json!("pending"), &json!(1)), "{status}: {delivery}");
            assert_eq!(delivery["attempts"][0]["delivered"], false, "{status}");
            send(app.api(Method::DELETE, &format!("/api/v1/webhooks/{}", hook["id"].as_str().unwrap()))).await;
        }
        let mut receiver = Receiver::start(Reply::Status(500)).await;
        let hook = webhook(&app, &receiver, json!({})).await;
        ping(&app, &hook).await;
        let mut ids = Vec::new();
        for wait in [0, 7, 361, 2_161, 8_641, 21_601, 43_201, 60_481, 86_401, 103_681] {
            app.clock.advance(Duration::from_secs(wait));
            app.engine.work_off().await;
            let one = receiver.take();
            assert_eq!(one.len(), 1, "after {wait} s");
            ids.push((one[0].header("webhook-id").to_owned(), one[0].body.clone()));
        }
        assert!(ids.iter().all(|one| *one == ids[0]), "the same id and the same bytes");
        app.clock.advance(Duration::from_secs(30 * 24 * 3_600));
        app.engine.work_off().await;
        assert!(receiver.take().is_empty());
        let delivery = &log(&app, &hook).await[0];
        assert_eq!((&delivery["state"], &delivery["attemptCount"]), (&json!("failed"), &json!(10)));
        assert!(delivery["reason"].as_str().unwrap().starts_with("given up after 10 attempts"), "{delivery}");
        assert_eq!(show(&app, &hook).await["failureCount"], 10);
    }

    async fn a_receiver_can_ask_for_time_and_nothing_else_is_sent_there_meanwhile(f: Fixture) {
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::With(429, "Retry-After: 120\r\n", "")).await;
        let hook = webhook(&app, &receiver, json!({})).await;
        ping(&app, &hook).await;
        app.engine.work_off().await;
        assert_eq!(receiver.take().len(), 1);
        receiver.will(Reply::Status(200));
        ping(&app, &hook).await;
        app.clock.advance(Duration::from_secs(119));
        app.engine.work_off().await;
        assert_eq!(receiver.take().len(), 0, "too early for both");
        app.clock.advance(Duration::from_secs(2));
        app.engine.work_off().await;
        assert_eq!(receiver.take().len(), 2);
        let states: Vec<_> = log(&app, &hook).await.iter().map(|d| d["state"].clone()).collect();
        assert_eq!(states, ["delivered", "delivered"]);
    }

    async fn gone_switches_the_webhook_off_and_what_waited_can_be_replayed(f: Fixture) {
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(410)).await;
        let hook = webhook(&app, &receiver, json!({})).await;
        ping(&app, &hook).await;
        app.engine.work_off().await;
        let off = show(&app, &hook).await;
        assert_eq!(off["active"], false);
        assert!(off["inactiveReason"].as_str().unwrap().contains("410"), "{off}");
        receiver.take();
        app.clock.advance(Duration::from_secs(1));
        ping(&app, &hook).await;
        app.engine.work_off().await;
        assert!(receiver.take().is_empty(), "an inactive webhook does not accept events");
        assert_eq!(log(&app, &hook).await[0]["state"], "skipped");

        receiver.will(Reply::Status(200));
        let path = format!("/api/v1/webhooks/{}", hook["id"].as_str().unwrap());
        let (_, on) = send(app.api(Method::PATCH, &path).body("{\"active\":true}")).await;
        assert_eq!((&on["active"], on.get("inactiveReason")), (&json!(true), None));
        let since = json!({ "since": "2026-03-10T00:00:00Z" }).to_string();
        let replay = || send(app.api(Method::POST, &format!("{path}/replay")).body(since.clone()));
        assert_eq!(replay().await, (202, json!({ "replayed": 2 })));
        assert_eq!(replay().await, (202, json!({ "replayed": 0 })), "they are on their way already");
        app.engine.work_off().await;
        assert_eq!(receiver.take().len(), 2);
        assert_eq!(replay().await, (202, json!({ "replayed": 0 })), "they have arrived");
    }

    async fn one_delivery_is_replayed_with_the_same_event_id(f: Fixture) {
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(204)).await;
        let hook = webhook(&app, &receiver, json!({})).await;
        ping(&app, &hook).await;
        app.engine.work_off().await;
        let delivery = log(&app, &hook).await[0].clone();
        let path = format!("/api/v1/deliveries/{}/replay", delivery["id"].as_str().unwrap());
        let (status, first) = send(app.api(Method::POST, &path).header("idempotency-key", "again")).await;
        assert_eq!(status, 202);
        assert_eq!(send(app.api(Method::POST, &path).header("idempotency-key", "again")).await, (202, first));
        app.engine.work_off().await;
        let received = receiver.take();
        assert_eq!(received.len(), 2);
        assert_eq!(received[0].header("webhook-id"), received[1].header("webhook-id"));
        assert_eq!(received[0].body, received[1].body);
    }

    async fn a_rotated_secret_signs_beside_the_new_one_for_a_day(f: Fixture) {
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(200)).await;
        let hook = webhook(&app, &receiver, json!({})).await;
        let path = format!("/api/v1/webhooks/{}/rotate-secret", hook["id"].as_str().unwrap());
        let (status, rotated) = send(app.api(Method::POST, &path)).await;
        assert_eq!(status, 200);
        assert_ne!(rotated["secret"], hook["secret"]);
        for (later, old_signs) in [(0, true), (24 * 3_600, false)] {
            app.clock.advance(Duration::from_secs(later));
            ping(&app, &hook).await;
            app.engine.work_off().await;
            let one = receiver.next().await;
            let timestamp = one.header("webhook-timestamp").parse().unwrap();
            let signs = |made: &Value| {
                SigningSecret::parse(made["secret"].as_str().unwrap())
                    .unwrap()
                    .verifies(one.header("webhook-signature"), one.header("webhook-id"), timestamp, &one.body)
            };
            assert!(signs(&rotated));
            assert_eq!(signs(&hook), old_signs);
        }
    }

    async fn secrets_are_unreadable_in_the_database_and_absent_from_the_log(f: Fixture) {
        let folder = f.folder.as_ref().map(|folder| folder.path().to_owned());
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(200)).await;
        let hook = webhook(&app, &receiver, json!({ "headers": { "Authorization": "Bearer s3cret-value" } })).await;
        ping(&app, &hook).await;
        app.engine.work_off().await;
        assert_eq!(receiver.next().await.header("authorization"), "Bearer s3cret-value");
        let delivery = details(&app, &log(&app, &hook).await[0]).await;
        let headers = &delivery["attempts"][0]["exchange"]["request"]["headers"];
        assert!(headers.as_array().unwrap().contains(&json!(["authorization", "[secret]"])), "{headers}");
        assert!(!delivery.to_string().contains("s3cret"));
        let secret = hook["secret"].as_str().unwrap().as_bytes();
        for entry in folder.into_iter().flat_map(|folder| std::fs::read_dir(folder).unwrap().flatten()) {
            let bytes = std::fs::read(entry.path()).unwrap();
            for word in [&b"s3cret-value"[..], secret] {
                assert!(!bytes.windows(word.len()).any(|part| part == word), "in {}", entry.path().display());
            }
        }
    }

    async fn a_thin_payload_holds_no_personal_data(f: Fixture) {
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(200)).await;
        app.widget().await;
        webhook(&app, &receiver, json!({ "payload": "thin", "events": ["lead.created"] })).await;
        let (_, receipt) = app.send_lead(&app.submission().await).await;
        app.engine.work_off().await;
        assert_eq!(receiver.next().await.json()["data"], json!({ "id": receipt["id"] }));
    }

    async fn an_erased_lead_is_not_sent_and_its_log_says_nothing_of_it(f: Fixture) {
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(500)).await;
        app.widget().await;
        let hook = webhook(&app, &receiver, json!({ "events": ["lead.created"] })).await;
        let (_, receipt) = app.send_lead(&app.submission().await).await;
        app.engine.work_off().await;
        assert_eq!(receiver.take().len(), 1);
        send(app.api(Method::DELETE, &format!("/api/v1/leads/{}", receipt["id"].as_str().unwrap()))).await;
        app.clock.advance(Duration::from_secs(3_600));
        app.engine.work_off().await;
        assert!(receiver.take().is_empty());
        let delivery = details(&app, &log(&app, &hook).await[0]).await;
        assert_eq!((&delivery["state"], &delivery["reason"]), (&json!("skipped"), &json!("erased")));
        assert_eq!(delivery["attempts"][0]["exchange"], Value::Null);
        let replay = format!("/api/v1/deliveries/{}/replay", delivery["id"].as_str().unwrap());
        assert_eq!(send(app.api(Method::POST, &replay)).await.0, 202);
        app.engine.work_off().await;
        assert!(receiver.take().is_empty(), "there is nothing to send");
    }

    async fn receivers_that_hang_flood_drip_or_lie_end_in_time_and_are_reported(f: Fixture) {
        let app = start(f).await;
        for (reply, state, part) in [
            (Reply::Silence, "pending", "did not finish its response within 1 second"),
            (Reply::Close, "pending", "closed the connection"),
            (Reply::Bytes(b"HTTP/1.1 200".to_vec()), "pending", "closed the connection"),
            (Reply::Bytes(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()), "pending", "closed the connection"),
            (Reply::BytesThenSilence(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()), "pending", "did not finish"),
            (Reply::BytesThenSilence(b"HTTP/1.1 200 OK\r\nContent-Len".to_vec()), "pending", "did not finish"),
            (Reply::BytesThenSilence([b"HTTP/1.1 200 OK\r\nX: ".to_vec(), vec![b'x'; 2_000_000]].concat()), "pending", ""),
            (Reply::BytesThenSilence(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n".to_vec()), "pending", ""),
            // The status has arrived, so the event has: a body that lies or hangs changes nothing.
            (Reply::Flood, "delivered", ""),
            (Reply::Drip, "delivered", ""),
            (Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort".to_vec()), "delivered", ""),
            (Reply::Bytes(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n".to_vec()), "delivered", ""),
        ] {
            let receiver = Receiver::start(reply).await;
            let hook = webhook(&app, &receiver, json!({ "timeoutSeconds": 1 })).await;
            ping(&app, &hook).await;
            app.engine.work_off().await;
            let delivery = details(&app, &log(&app, &hook).await[0]).await;
            assert_eq!(delivery["state"], state, "{delivery}");
            let attempt = &delivery["attempts"][0];
            assert!(attempt["cause"].as_str().unwrap_or_default().contains(part), "{part}: {delivery}");
            let body = attempt["exchange"]["response"]["body"].as_str().unwrap_or_default();
            assert!(body.len() <= 16 * 1024, "{} bytes", body.len());
        }
    }

    async fn a_private_network_s_errors_are_not_shown(f: Fixture) {
        let app = start(f).await;
        let receiver = Receiver::start(Reply::With(404, "Server: intranet/1\r\n", "internal secrets")).await;
        let hook = webhook(&app, &receiver, json!({})).await;
        ping(&app, &hook).await;
        app.engine.work_off().await;
        let delivery = details(&app, &log(&app, &hook).await[0]).await;
        assert!(!delivery.to_string().contains("intra") && !delivery.to_string().contains("internal secrets"), "{delivery}");
        assert_eq!(delivery["attempts"][0]["status"], 404);
    }

    async fn with_order_asked_for_one_event_of_a_lead_waits_for_the_one_before(f: Fixture) {
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(500)).await;
        app.widget().await;
        let hook = webhook(&app, &receiver, json!({ "ordered": true, "events": ["lead.created", "lead.updated"] })).await;
        let (_, receipt) = app.send_lead(&app.submission().await).await;
        let path = format!("/api/v1/leads/{}", receipt["id"].as_str().unwrap());
        for status in ["contacted", "qualified"] {
            send(app.api(Method::PATCH, &path).body(json!({ "status": status }).to_string())).await;
        }
        app.engine.work_off().await;
        assert_eq!(receiver.take().len(), 1, "the first failed, so the others wait");
        let mut states: Vec<_> = log(&app, &hook).await.iter().map(|d| (d["sequence"].as_u64(), d["state"].clone())).collect();
        states.sort_by_key(|(sequence, _)| *sequence);
        assert_eq!(states.iter().map(|(_, s)| s.clone()).collect::<Vec<_>>(), ["pending", "waiting", "waiting"]);
        receiver.will(Reply::Status(200));
        app.clock.advance(Duration::from_secs(10));
        app.engine.work_off().await;
        let sequences: Vec<_> = receiver.take().iter().map(|r| r.json()["sequence"].as_u64().unwrap()).collect();
        assert_eq!(sequences, [1, 2, 3]);
    }

    async fn a_webhook_that_only_fails_gets_pauses_and_is_switched_off_after_five_days(f: Fixture) {
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(500)).await;
        let hook = webhook(&app, &receiver, json!({})).await;
        for _ in 0..60 {
            ping(&app, &hook).await;
        }
        app.engine.work_off().await;
        let tried = receiver.take().len();
        assert!((5..=20).contains(&tried), "16 at once, and 4 more until the circuit opens: {tried}");
        for _ in 0..48 {
            app.clock.advance(Duration::from_secs(3 * 3_600));
            app.engine.work_off().await;
        }
        let off = show(&app, &hook).await;
        assert_eq!(off["active"], false, "{off}");
        assert!(off["inactiveReason"].as_str().unwrap().starts_with("nothing but failures since"), "{off}");
    }

    async fn two_engines_deliver_every_event_once(f: Fixture) {
        let second = f.open_again().await;
        let app = start(f).await;
        let mut receiver = Receiver::start(Reply::Status(200)).await;
        let hook = webhook(&app, &receiver, json!({})).await;
        for _ in 0..40 {
            ping(&app, &hook).await;
        }
        let other = app.engine_over(second);
        let (a, b) = tokio::join!(app.engine.work_off(), other.work_off());
        assert_eq!(a + b, 40);
        let mut ids: Vec<_> = receiver.take().iter().map(|r| r.header("webhook-id").to_owned()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 40);
        assert_eq!(show(&app, &hook).await["successCount"], 40);
    }

    async fn the_figures_of_deliveries_are_for_this_machine_alone(f: Fixture) {
        let app = start(f).await;
        let receiver = Receiver::start(Reply::With(429, "Retry-After: 120\r\n", "")).await;
        let hook = webhook(&app, &receiver, json!({})).await;
        ping(&app, &hook).await;
        app.clock.advance(Duration::from_secs(7));
        let figures = async || {
            let answer = fetch(app.get("/metrics")).await;
            assert_eq!((answer.status().as_u16(), header(&answer, "content-type")), (200, "application/openmetrics-text; version=1.0.0; charset=utf-8"));
            answer.text().await.unwrap()
        };
        let before = figures().await;
        for line in ["shingle_delivery_backlog 1", "shingle_delivery_backlog_age_seconds 7.0", "shingle_delivery_destinations_paused 0"] {
            assert!(before.lines().any(|l| l == line), "{line}: {before}");
        }
        app.engine.work_off().await;
        let after = figures().await;
        for line in [
            "shingle_delivery_backlog 0", "shingle_delivery_destinations_paused 1", "shingle_delivery_attempts_failed_total 1",
            "shingle_delivery_first_attempt_seconds_count 1", "shingle_delivery_first_attempt_seconds_sum 7.0",
        ] {
            assert!(after.lines().any(|l| l == line), "{line}: {after}");
        }
        // A proxy on this machine carries strangers here.
        for name in ["x-forwarded-for", "x-real-ip", "forwarded", "via"] {
            assert_eq!(fetch(app.get("/metrics").header(name, "203.0.113.9")).await.status(), 404, "{name}");
        }
    }

    async fn an_event_that_is_sent_on_to_another_page_is_tried_twice_more_a_day_apart(f: Fixture) {
        let app = start(f).await;
        for status in [302, 303] {
            let mut receiver = Receiver::start(Reply::With(status, "Location: https://script.example.com/done\r\n", "")).await;
            let hook = webhook(&app, &receiver, json!({})).await;
            ping(&app, &hook).await;
            app.engine.work_off().await;
            let said = details(&app, &log(&app, &hook).await[0]).await["attempts"][0].to_string();
            assert!(said.contains("may have taken the event") && said.contains(&status.to_string()), "{said}");
            let mut tried = vec![receiver.take().len()];
            for hours in [12, 17, 12, 17, 100, 100] {
                app.clock.advance(Duration::from_secs(hours * 3_600));
                app.engine.work_off().await;
                tried.push(receiver.take().len());
            }
            assert_eq!(tried, [1, 0, 1, 0, 1, 0, 0], "{status}");
            assert_eq!(log(&app, &hook).await[0]["state"], "failed");
        }
    }

    async fn a_kept_connection_that_the_receiver_closed_counts_as_no_attempt(f: Fixture) {
        let app = start(f).await;
        // It answers the first request of each connection and closes at the second, as a server does whose time for idle
        // connections ends at that moment.
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut answered = false;
                    let mut seen = Vec::new();
                    let mut bytes = [0; 4_096];
                    while let Ok(count @ 1..) = socket.read(&mut bytes).await {
                        if answered {
                            return;
                        }
                        seen.extend_from_slice(&bytes[..count]);
                        if seen.windows(4).any(|end| end == b"\r\n\r\n") && seen.ends_with(b"}") {
                            answered = true;
                            let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
                        }
                    }
                });
            }
        });
        let sent = json!({ "name": "crm", "url": url, "events": ["lead.created"] });
        let (_, hook) = send(app.api(Method::POST, "/api/v1/webhooks").body(sent.to_string())).await;
        for _ in 0..6 {
            ping(&app, &hook).await;
            app.engine.work_off().await;
        }
        let shown = show(&app, &hook).await;
        assert_eq!((&shown["successCount"], &shown["failureCount"]), (&json!(6), &json!(0)), "{shown}");
        for delivery in log(&app, &hook).await {
            assert_eq!(delivery["attemptCount"].as_u64().or(delivery["attempts"].as_u64()), Some(1), "{delivery}");
        }
    }
}
