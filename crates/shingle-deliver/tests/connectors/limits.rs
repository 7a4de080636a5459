//! What a visitor may type, and what each target takes.

use serde_json::{Value, json};
use shingle_deliver::connector::{ConnectorContext, ConnectorRun, Plan, ShownRequest, find};

use crate::exchange::{NOW, files, input, settings};

/// The message request of a chat connector for a lead with these changes.
fn message(connector: &str, changes: &Value) -> ShownRequest {
    let (_, file) = files().into_iter().find(|(_, file)| file["connector"] == connector).unwrap();
    let settings = settings(connector, &file["settings"]);
    let context = ConnectorContext::new(input(changes));
    let template = find(connector).unwrap();
    let run = ConnectorRun { template, settings: &settings, context: &context, now: NOW, instead: None };
    match run.plan().remove(0).plan {
        Plan::Send(request) => request,
        other => panic!("{connector}: {other:?}"),
    }
}

fn body(connector: &str, changes: &Value) -> Value {
    serde_json::from_str(&message(connector, changes).body).unwrap()
}

fn form(connector: &str, changes: &Value, field: &str) -> String {
    let body = message(connector, changes).body;
    url::form_urlencoded::parse(body.as_bytes()).find(|(name, _)| name == field).unwrap().1.into_owned()
}

/// Every text inside, with the name of its field.
fn texts(value: &Value) -> Vec<(String, String)> {
    match value {
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => {
            let mut found = Vec::new();
            for (name, field) in fields {
                match field {
                    Value::String(text) => found.push((name.clone(), text.clone())),
                    inner => found.extend(texts(inner)),
                }
            }
            found
        }
        _ => Vec::new(),
    }
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// A message of 10 kB, and a name and an address of nothing but emoji and marks.
fn too_much() -> Value {
    json!({ "lead": {
        "firstName": "👩\u{200d}👩\u{200d}👧 *_~`<&>".repeat(40),
        "lastName": "\u{202e}🏠".repeat(400),
        "address": "🏚️ & <14> *Alder* Court ".repeat(60),
        "message": "🏠 <&> *leak* _here_ [x](y) ".repeat(400),
    } })
}

#[test]
fn a_message_of_10_kb_and_a_name_of_emoji_fit_into_slack() {
    let body = body("slack", &too_much());
    let blocks = body["blocks"].as_array().unwrap();
    assert!(blocks.len() <= 50);
    let header = blocks[0]["text"]["text"].as_str().unwrap();
    assert!((100..=150).contains(&units(header)), "{}", units(header));
    for (name, text) in texts(&body) {
        assert!(units(&text) <= 3_000, "{name}: {}", units(&text));
    }
    let quote = blocks[1]["elements"][1]["elements"][0]["text"].as_str().unwrap();
    assert!(units(quote) > 2_000, "the message is cut to {}", units(quote));
}

#[test]
fn they_fit_into_discord() {
    let body = body("discord", &too_much());
    let embed = &body["embeds"][0];
    let size = |value: &Value| units(value.as_str().unwrap());
    let (title, description) = (size(&embed["title"]), size(&embed["description"]));
    assert!(title <= 256 && description <= 4_096, "{title} {description}");
    let fields = embed["fields"].as_array().unwrap();
    assert!(fields.len() <= 25);
    let mut all = title + description;
    for field in fields {
        let (name, value) = (size(&field["name"]), size(&field["value"]));
        assert!((1..=256).contains(&name) && (1..=1_024).contains(&value), "{field}");
        all += name + value;
    }
    assert!(all <= 6_000, "{all}");
}

#[test]
fn they_fit_into_telegram_ntfy_teams_google_chat_and_texts() {
    let telegram = body("telegram", &too_much());
    assert!(units(telegram["text"].as_str().unwrap()) <= 4_096);

    let ntfy = body("ntfy", &too_much());
    let bytes = ntfy["message"].as_str().unwrap().len();
    assert!((2_000..=4_096).contains(&bytes), "{bytes}");
    assert!(ntfy["title"].as_str().unwrap().len() <= 250);
    assert!(ntfy["actions"].as_array().unwrap().len() <= 3);

    assert!(message("teams", &too_much()).body.len() <= 28 * 1_024);
    assert!(message("google-chat", &too_much()).body.len() <= 32_000);
    assert!(units(&form("twilio-sms", &too_much(), "Body")) <= 1_600);

    assert!(units(body("telnyx-sms", &too_much())["text"].as_str().unwrap()) <= 1_600);

    let variables = form("twilio-whatsapp", &too_much(), "ContentVariables");
    let variables: Value = serde_json::from_str(&variables).unwrap();
    for (number, text) in texts(&variables) {
        assert!(!text.is_empty() && !text.contains('\n') && units(&text) <= 1_024, "{number}: {text}");
    }
}

#[test]
fn texts_for_other_systems_are_cut_to_what_these_take() {
    let note = body("acculynx", &too_much())["note"].as_str().unwrap().to_owned();
    assert!((900..=1_000).contains(&units(&note)), "{}", units(&note));
    let message = body("google-sheets", &too_much())["message"].as_str().unwrap().to_owned();
    assert!((4_980..=5_000).contains(&units(&message)), "{}", units(&message));
}

#[test]
fn what_a_visitor_types_notifies_nobody_links_nowhere_and_draws_nothing() {
    let evil = "<!channel> <!here> @everyone @here <@U1> <users/all> *bold* [x](https://evil.example.org) \
                https://evil.example.org www.evil.example.org <b>b</b> <https://evil.example.org|x>";
    let changes = json!({ "lead": {
        "firstName": "@everyone", "lastName": "<!channel>", "message": evil,
        "address": "1 [x](https://evil.example.org) <b>St</b>",
    } });
    for connector in ["slack", "discord", "telegram", "ntfy", "teams", "google-chat"] {
        let body = body(connector, &changes);
        let typed = texts(&body).into_iter().filter(|(name, text)| name != "url" && !text.contains("/maps/dir/"));
        let mut seen = 0;
        for (name, text) in typed {
            seen += text.matches("evil").count();
            for bad in ["@everyone", "@here", "https://evil", "www.evil", "evil.example"] {
                assert!(!text.contains(bad), "{connector}, {name}: {text}");
            }
        }
        assert!(seen >= 2, "{connector}: message and address are not there");
    }
    let slack = body("slack", &changes);
    assert!(!slack["text"].as_str().unwrap().contains('<'), "{}", slack["text"]);
    let telegram = body("telegram", &changes);
    assert_eq!(telegram["text"].as_str().unwrap().matches("<b>").count(), 5 + 1, "{}", telegram["text"]);
    for (name, text) in texts(&body("google-chat", &changes)) {
        assert!(["title", "subtitle"].contains(&name.as_str()) || !text.contains('<'), "{name}: {text}");
    }
    let discord = &body("discord", &changes)["embeds"][0];
    for text in [&discord["title"], &discord["description"]] {
        let text = text.as_str().unwrap();
        for mark in ["<", "[", "*"] {
            assert_eq!(text.matches(mark).count(), text.matches(&format!("\\{mark}")).count(), "{text}");
        }
    }
}

#[test]
fn a_plan_shows_every_request_and_no_secret() {
    for (_, file) in files() {
        let name = file["connector"].as_str().unwrap();
        let settings = settings(name, &file["settings"]);
        let context =
            ConnectorContext::new(input(&json!({ "lead": { "source": { "clickIds": { "clientId": "1.2" } } } })));
        let template = find(name).unwrap();
        let run = ConnectorRun { template, settings: &settings, context: &context, now: NOW, instead: None };
        let shown = format!("{:?}", run.plan());
        let has_secret = template.settings.iter().any(|setting| setting.secret);
        assert_eq!(shown.contains("secret]"), has_secret, "{shown}");
        assert!(!shown.contains("Unbuildable"), "{shown}");
        for declared in template.settings.iter().filter(|setting| setting.secret) {
            let Some(secret) = file["settings"][&declared.name].as_str() else { continue };
            let hidden = secret.parse::<url::Url>().map_or(secret.to_owned(), |url| url.path().to_owned());
            assert!(!shown.contains(&hidden), "{name}: {} in {shown}", declared.name);
        }
    }
}

#[test]
fn a_message_of_nothing_visible_is_no_message_and_keeps_no_lead_back() {
    for nothing in ["", " \n\t", "\u{200b}\u{202e}\u{feff}", "\0\u{1}"] {
        let changes = json!({ "lead": { "message": nothing } });
        for connector in ["slack", "discord", "telegram", "ntfy", "teams", "google-chat"] {
            for (name, text) in texts(&body(connector, &changes)) {
                assert!(!text.trim().is_empty(), "{connector}: {name} is empty for {nothing:?}");
                assert!(!text.ends_with("<i></i>"), "{connector}: {text}");
            }
        }
    }
}
