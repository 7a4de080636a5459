//! Values that attack the request, and servers that do not behave.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shingle_deliver::connector::{
    ConnectorContext, ConnectorInput, ConnectorOutcome, ConnectorProgress, ConnectorReport, ConnectorRun,
    ConnectorSettings, ConnectorTemplate, Plan,
};
use shingle_deliver::{Egress, EgressError, EgressPolicy};

use crate::exchange::{NOW, egress};
use crate::server::{Answer, Server};

/// A connector of one setting and of requests.
fn template(requests: &str) -> ConnectorTemplate {
    let head = r#"
name = "oak"
title = "Oak"
kind = "crm"
about = "Writes leads into Oak."
documentation = "https://oak.example.com/docs"
tried = "documentation"
base = "https://api.oak.example.com/v1"
limits = { timeout_seconds = 30, max_bytes = 2048 }

[[setting]]
name = "key"
label = "Key"
kind = "text"
secret = true
"#;
    ConnectorTemplate::parse(&format!("{head}{requests}")).unwrap_or_else(|e| panic!("{e:?}"))
}

fn settings(template: &ConnectorTemplate, key: &str) -> ConnectorSettings {
    ConnectorSettings::parse(&template.settings, &BTreeMap::from([("key".to_owned(), key.to_owned())])).unwrap()
}

fn lead(lead: Value) -> ConnectorContext {
    ConnectorContext::new(ConnectorInput { lead, ..ConnectorInput::default() })
}

fn plan(requests: &str, key: &str, context: &ConnectorContext) -> Plan {
    let template = template(requests);
    let settings = settings(&template, key);
    let run = ConnectorRun { template: &template, settings: &settings, context, now: NOW, instead: None };
    run.plan().remove(0).plan
}

fn unbuildable(plan: Plan) -> String {
    match plan {
        Plan::Unbuildable(e) => e.to_string(),
        other => panic!("{other:?}"),
    }
}

fn answer(status: u16, body: &str) -> Answer {
    Answer { status, headers: Vec::new(), body: body.as_bytes().to_vec() }
}

async fn run(requests: &str, server: &Server, progress: ConnectorProgress) -> ConnectorReport {
    let template = template(requests);
    let settings = settings(&template, "k3y-of-oak");
    let context = lead(json!({ "firstName": "Dana", "message": "hello" }));
    let instead = Some(server.url.clone());
    ConnectorRun { template: &template, settings: &settings, context: &context, now: NOW, instead }
        .run(&egress(), progress)
        .await
}

#[test]
fn no_value_changes_the_host_or_leaves_the_path() {
    for (path, written) in [
        ("/c/{{ lead.message }}", "/v1/c/"),
        ("/c/{{ lead.message }}/d?e=1", "/v1/c/"),
        ("?x={{ lead.message }}", "/v1?x="),
    ] {
        for value in [
            "../../admin",
            "//evil.example.org/",
            "@evil.example.org/",
            ":8443/",
            "?a=b&c=d#e",
            "\\\\evil.example.org\\",
            "x\r\nHost: evil.example.org",
            "%2e%2e/",
        ] {
            let request = format!("[[request]]\nname = \"a\"\nmethod = \"GET\"\npath = \"{path}\"\n");
            let Plan::Send(request) = plan(&request, "k3y-of-oak", &lead(json!({ "message": value }))) else {
                panic!("{path} {value}");
            };
            let url: url::Url = request.url.parse().unwrap();
            assert_eq!((url.host_str(), url.port()), (Some("api.oak.example.com"), None), "{url}");
            assert!(request.url.contains(written), "{url}");
            let pairs = url.query_pairs().count();
            assert_eq!(pairs, usize::from(path.contains('?')), "{url}");
            assert!(!url.path().contains("admin") || url.path().contains("..%2F..%2Fadmin"), "{url}");
        }
    }
    for value in [".", ".."] {
        let request = "[[request]]\nname = \"a\"\nmethod = \"GET\"\npath = \"/c/{{ lead.message }}/d\"\n";
        let said = unbuildable(plan(request, "k3y-of-oak", &lead(json!({ "message": value }))));
        assert!(said.contains("another folder"), "{said}");
    }
    let raw = "[[request]]\nname = \"a\"\nmethod = \"GET\"\npath = \"/{{ lead.message|raw }}\"\n";
    for value in ["../admin", "/../../admin", "x/../../y"] {
        let said = unbuildable(plan(raw, "k3y-of-oak", &lead(json!({ "message": value }))));
        assert!(said.contains("another address"), "{value}: {said}");
    }
}

#[test]
fn a_value_cannot_end_a_header() {
    let request = "[[request]]\nname = \"a\"\nmethod = \"GET\"\nheaders = { X-Note = \"{{ lead.message }}\" }\n";
    for value in ["a\r\nX-Evil: 1", "a\nb", "a\0b", "snow ☃"] {
        let said = unbuildable(plan(request, "k3y-of-oak", &lead(json!({ "message": value }))));
        assert!(said.contains("request.a.headers.x-note"), "{said}");
    }
}

#[test]
fn a_field_that_is_not_there_is_named_unless_there_is_a_default() {
    let said = |expression: &str| {
        let request = format!("[[request]]\nname = \"a\"\nmethod = \"POST\"\ntext = \"{{{{ {expression} }}}}\"\n");
        plan(&request, "k3y-of-oak", &lead(json!({ "firstName": "Dana", "phone": null, "estimate": null })))
    };
    for (expression, named) in [
        ("lead.message", "lead.message is not there"),
        ("lead.firstName ~ lead.message", "lead.message is not there"),
        ("lead.message|upper", "lead.message is not there"),
        ("lead.estimate.squares", "lead.estimate.squares is not there"),
        ("links.portal ~ lead.message", "lead.message, links.portal are not there"),
        ("lead.firstName|dollars", "this is not a number"),
        ("lead.firstName|unix", "this is not a time"),
        ("lead.firstName|e164", "not a telephone number"),
        ("lead", "cannot be part of a text"),
    ] {
        let said = unbuildable(said(expression));
        assert!(said.contains(named), "{expression}: {said}");
    }
    for expression in ["lead.message|default('x')", "lead.phone", "(lead.estimate|default({})).squares|default('x')"] {
        assert!(matches!(said(expression), Plan::Send(_)), "{expression}: {:?}", said(expression));
    }
}

#[test]
fn what_grows_without_end_is_ended_by_steps_and_by_bytes() {
    let text = |source: &str| format!("[[request]]\nname = \"a\"\nmethod = \"POST\"\ntext = '{source}'\n");
    let long = lead(json!({ "message": "a".repeat(10_000), "firstName": "aaaaaaaaaa" }));
    for (source, why) in [
        ("{{ lead.message * 100 }}", "64 kB"),
        (
            "{{ lead.message }}{{ lead.message }}{{ lead.message }}{{ lead.message }}{{ lead.message }}{{ lead.message }}{{ lead.message }}",
            "64 kB",
        ),
        (r#"{{ lead.message|replace("a", lead.message) }}"#, "64 kB"),
        (r#"{{ lead.firstName|replace("a", lead.message)|replace("a", lead.message) }}"#, "64 kB"),
        ("{{ lead.message * 1000000000000 }}", "too large"),
    ] {
        let said = unbuildable(plan(&text(source), "k3y-of-oak", &long));
        assert!(said.contains(why), "{source}: {said}");
    }
    let fields: Vec<String> = (0..8).map(|n| format!("\"f{n}\": \"{{{{ lead.message }}}}\"")).collect();
    let json = format!("[[request]]\nname = \"a\"\nmethod = \"POST\"\njson = '{{ {} }}'\n", fields.join(", "));
    let said = unbuildable(plan(&json, "k3y-of-oak", &long));
    assert!(said.contains("64 kB"), "{said}");
}

#[test]
fn a_secret_is_hidden_in_every_form_it_is_sent_in() {
    let request = "[[request]]\nname = \"a\"\nmethod = \"POST\"\npath = \"/{{ settings.key }}?k={{ settings.key }}\"\n\
                   headers = { X-Key = \"{{ settings.key }}\", X-Code = \"{{ settings.key|base64 }}\", \
                   Authorization = \"Basic {{ ('me:' ~ settings.key)|base64 }}\" }\n";
    let key = "p&ss \"w/rd\"+1";
    let context = lead(json!({ "message": "hello" }));
    for body in ["json = '{ \"key\": \"{{ settings.key }}\" }'", "[request.form]\nkey = \"{{ settings.key }}\""] {
        let plan = plan(&format!("{request}{body}\n"), key, &context);
        let shown = format!("{plan:?}");
        assert!(matches!(plan, Plan::Send(_)), "{shown}");
        for part in ["p&ss", "p%26ss", "w/rd", "w%2Frd", "cCZzcy", "OnAmc3M"] {
            assert!(!shown.contains(part), "{part} in {shown}");
        }
    }
}

const ONE: &str = "[[request]]\nname = \"a\"\nmethod = \"POST\"\ntext = \"{{ lead.message }}\"\ncaptures = { id = \"response.json.id\" }\n\
                   [record]\nid = \"steps.a.id\"\n";

#[tokio::test]
async fn a_success_without_its_id_is_not_sent_again() {
    let long = format!("{{\"x\":\"{}\",\"id\":7}}", "y".repeat(5_000));
    for body in ["", "{}", "not json", "[]", "null", "{\"id\"", long.as_str()] {
        let server = Server::start(vec![answer(200, body)]).await;
        let report = run(ONE, &server, ConnectorProgress::default()).await;
        let ConnectorOutcome::Refused { cause } = &report.outcome else { panic!("{body}: {:?}", report.outcome) };
        assert!(cause.to_string().contains("has no id"), "{cause}");
    }
}

#[tokio::test]
async fn every_status_is_done_or_tried_again_or_refused() {
    let end = |outcome: &ConnectorOutcome| match outcome {
        ConnectorOutcome::Delivered { .. } => "done",
        ConnectorOutcome::Retry { .. } => "again",
        ConnectorOutcome::Refused { .. } => "refused",
        _ => "else",
    };
    for (statuses, expected) in [
        (&[200, 201, 202, 299][..], "done"),
        (&[408, 409, 425, 429, 500, 502, 503, 504, 599], "again"),
        (&[300, 301, 302, 307, 308, 400, 401, 402, 403, 404, 405, 410, 413, 422, 451, 499], "refused"),
    ] {
        for status in statuses {
            let server = Server::start(vec![answer(*status, "{\"id\":7}")]).await;
            let report = run(ONE, &server, ConnectorProgress::default()).await;
            assert_eq!(end(&report.outcome), expected, "{status}: {:?}", report.outcome);
        }
    }
}

#[tokio::test]
async fn a_wait_that_is_asked_for_is_bounded_and_nonsense_is_no_wait() {
    for (asked, expected) in [
        ("30", Some(30)),
        ("0", Some(0)),
        ("999999999", Some(86_400)),
        ("999999999999999999999", None),
        ("-5", None),
        ("NaN", None),
        ("soon", None),
        ("Sun, 22 Nov 2026 18:13:00 GMT", Some(60)),
        ("Sun, 22 Nov 2026 18:00:00 GMT", Some(0)),
        ("22.11.2026", None),
        ("", None),
    ] {
        let mut busy = answer(429, "");
        busy.headers.push(("retry-after".to_owned(), asked.to_owned()));
        let server = Server::start(vec![busy]).await;
        let report = run(ONE, &server, ConnectorProgress::default()).await;
        let ConnectorOutcome::Retry { retry_after, .. } = report.outcome else { panic!("{asked}") };
        assert_eq!(retry_after.map(|wait| wait.as_secs()), expected, "{asked}");
    }
}

#[tokio::test]
async fn a_redirect_is_named_and_not_followed() {
    let other = Server::start(vec![answer(200, "{\"id\":7}")]).await;
    let mut moved = answer(307, "");
    moved.headers.push(("location".to_owned(), other.url.to_string()));
    let server = Server::start(vec![moved]).await;
    let report = run(ONE, &server, ConnectorProgress::default()).await;
    let ConnectorOutcome::Refused { cause } = report.outcome else { panic!("{:?}", report.outcome) };
    assert_eq!(cause.to_string(), "HTTP 307: it sends on to 127.0.0.1, and redirects are not followed");
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn a_response_is_kept_within_bounds_and_says_no_secret() {
    let echo = format!("{{\"id\":7,\"key\":\"k3y-of-oak\",\"more\":\"{}\"}}", "z".repeat(500));
    let mut reply = answer(200, &echo);
    reply.headers.push(("set-cookie".to_owned(), "session=1".to_owned()));
    reply.headers.push(("x-request-id".to_owned(), "r-1".to_owned()));
    let server = Server::start(vec![reply]).await;
    let report = run(ONE, &server, ConnectorProgress::default()).await;
    let response = report.steps[0].response.as_ref().unwrap();
    assert!(response.body.contains("[secret]") && !response.body.contains("k3y-of-oak"), "{}", response.body);
    assert_eq!(response.headers, [("x-request-id".to_owned(), "r-1".to_owned())]);
    assert!(response.private, "127.0.0.1 is not on the public internet");
}

#[tokio::test]
async fn what_is_done_is_handed_back_and_not_done_again() {
    let two = "[[request]]\nname = \"a\"\nmethod = \"POST\"\ncaptures = { id = \"response.json.id\" }\n\
               [[request]]\nname = \"b\"\nmethod = \"POST\"\npath = \"/{{ steps.a.id }}\"\n";
    let server = Server::start(vec![answer(200, "{\"id\":7}"), answer(503, ""), answer(200, "")]).await;
    let first = run(two, &server, ConnectorProgress::default()).await;
    assert!(matches!(first.outcome, ConnectorOutcome::Retry { .. }), "{:?}", first.outcome);
    let stored = serde_json::to_string(&first.progress).unwrap();
    assert_eq!(stored, r#"{"a":{"id":7}}"#);
    let second = run(two, &server, serde_json::from_str(&stored).unwrap()).await;
    assert_eq!(second.outcome, ConnectorOutcome::Delivered { record: None });
    let paths: Vec<String> = server.asked().into_iter().map(|asked| asked.path).collect();
    assert_eq!(paths, ["/v1", "/v1/7", "/v1/7"]);
}

#[tokio::test]
async fn a_token_is_fetched_in_every_attempt_and_kept_nowhere() {
    let two = "[[request]]\nname = \"token\"\nmethod = \"POST\"\nfresh = true\ncaptures = { t = \"response.json.t\" }\n\
               [[request]]\nname = \"b\"\nmethod = \"POST\"\nheaders = { X-Token = \"{{ steps.token.t }}\" }\n";
    let token = || answer(200, "{\"t\":\"ya29-of-oak\"}");
    let server = Server::start(vec![token(), answer(503, "ya29-of-oak"), token(), answer(200, "")]).await;
    let first = run(two, &server, ConnectorProgress::default()).await;
    assert!(!format!("{first:?}").contains("ya29-of-oak"), "{first:?}");
    let second = run(two, &server, first.progress).await;
    assert_eq!(second.outcome, ConnectorOutcome::Delivered { record: None });
    let tokens = server.asked().into_iter().filter(|asked| asked.headers.contains_key("x-token")).count();
    assert_eq!((server.asked().len(), tokens), (4, 2));
}

#[tokio::test]
async fn a_server_that_is_not_reached_or_may_not_be_is_said_by_the_client() {
    let template = template(ONE);
    let settings = settings(&template, "k3y-of-oak");
    let context = lead(json!({ "message": "hello" }));
    // A port that was free a moment ago.
    let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let instead: url::Url = format!("http://{}", server.local_addr().unwrap()).parse().unwrap();
    drop(server);
    let run = ConnectorRun {
        template: &template,
        settings: &settings,
        context: &context,
        now: NOW,
        instead: Some(instead.clone()),
    };
    let report = run.run(&egress(), ConnectorProgress::default()).await;
    assert!(
        matches!(report.outcome, ConnectorOutcome::Unreachable(EgressError::ConnectionRefused { .. })),
        "{report:?}"
    );
    let strict = Egress::new(EgressPolicy::default(), "Shingle/1").unwrap();
    let report = run.run(&strict, ConnectorProgress::default()).await;
    assert_eq!(report.outcome, ConnectorOutcome::Unreachable(EgressError::NotHttps));
}

#[tokio::test]
async fn a_lead_that_does_not_fit_is_not_sent_at_all() {
    let server = Server::start(Vec::new()).await;
    let request = "[[request]]\nname = \"a\"\nmethod = \"POST\"\ntext = \"{{ lead.address }}\"\n";
    let report = run(request, &server, ConnectorProgress::default()).await;
    let ConnectorOutcome::Unbuildable(e) = report.outcome else { panic!("{:?}", report.outcome) };
    assert!(e.to_string().contains("lead.address is not there"), "{e}");
    assert!(server.asked().is_empty());
}
