//! Accounts, their keys and their usage.

use serde_json::Value;

use super::{failure, json, shingle};

#[test]
fn an_account_is_created_managed_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    assert_eq!(json(data, &["account", "list"]), serde_json::json!([]));
    let made = json(data, &["account", "create", "--name", "Oak Roofing"]);
    let id = made["id"].as_str().unwrap();
    assert_eq!(
        (&made["name"], &made["paused"], &made["balanceCents"]),
        (&"Oak Roofing".into(), &false.into(), &Value::Null)
    );
    assert_eq!(json(data, &["account", "pause", id])["paused"], true);
    assert_eq!(json(data, &["account", "resume", id])["paused"], false);
    assert_eq!(json(data, &["account", "credit", id, "500"])["balanceCents"], 500);
    assert_eq!(json(data, &["account", "credit", id, "-200"])["balanceCents"], 300);
    assert_eq!(json(data, &["account", "limit", id, "7"])["monthlyLimit"], 7);
    assert_eq!(json(data, &["account", "limit", id, "none"])["monthlyLimit"], Value::Null);
    let products = json(data, &["account", "product", id, "buyer-insights", "on"])["products"].clone();
    assert!(products.as_array().unwrap().contains(&"buyer-insights".into()));
    let text = String::from_utf8(shingle(data, &["account", "list"]).stdout).unwrap();
    assert!(text.contains(id) && text.contains("Oak Roofing") && text.contains("$3.00"), "{text}");
}

#[test]
fn a_key_is_shown_once_and_can_be_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let account = json(data, &["account", "create", "--name", "Oak"])["id"].as_str().unwrap().to_owned();
    let issued = json(data, &["key", "issue", "--account", &account, "--env", "sandbox"]);
    let (id, key) = (issued["id"].as_str().unwrap(), issued["key"].as_str().unwrap());
    assert!(key.starts_with("sandbox_"));
    let list = shingle(data, &["key", "list", "--account", &account, "--json"]);
    assert!(!String::from_utf8(list.stdout).unwrap().contains(key), "never again");
    assert_eq!(json(data, &["key", "revoke", id])["revoked"], true);
    assert!(json(data, &["key", "list", "--account", &account])[0]["revokedAt"].is_string());
}

#[test]
fn a_key_has_terms_and_is_replaced_by_one_on_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let account = json(data, &["account", "create", "--name", "Oak"])["id"].as_str().unwrap().to_owned();
    let create = ["key", "create", "--account", account.as_str(), "--env", "production"];
    let terms = "--name CRM --expires 2100-01-31 --product solar-index --product solar-index --network 203.0.113.7/24 \
                 --network 2001:db8::1";
    let words: Vec<&str> = create.into_iter().chain(terms.split_whitespace()).collect();
    let old = json(data, &words);
    for (name, value) in [
        ("name", serde_json::json!("CRM")),
        ("expiresAt", "2100-02-01T00:00:00.000Z".into()),
        ("products", serde_json::json!(["solar-index"])),
        ("networks", serde_json::json!(["203.0.113.0/24", "2001:db8::1/128"])),
    ] {
        assert_eq!(old[name], value, "{name}");
    }
    let new = json(data, &["key", "rotate", old["id"].as_str().unwrap(), "--days", "3"]);
    assert!(new["key"] != old["key"] && new["networks"] == old["networks"] && new["products"] == old["products"]);
    let listed = json(data, &["key", "list", "--account", &account]);
    assert_eq!((&listed[0]["successor"], &listed[0]["state"]), (&new["id"], &"live".into()));
    assert_eq!((&listed[1]["successor"], &listed[1]["name"]), (&Value::Null, &"CRM".into()));
    let text = String::from_utf8(shingle(data, &["key", "list", "--account", &account]).stdout).unwrap();
    let then = format!(", then {}", new["id"].as_str().unwrap());
    assert!(text.contains(&then) && text.contains("solar-index, from 203.0.113.0/24 2001:db8::1/128"), "{text}");
    let ended = String::from_utf8(shingle(data, &["key", "rotate", new["id"].as_str().unwrap(), "--days", "0"]).stdout);
    let ended = ended.unwrap();
    assert!(ended.contains("2001:db8::1/128 until 2") && ended.contains(" has ended."), "{ended}");
    let again = failure(data, &["key", "rotate", old["id"].as_str().unwrap()]);
    assert!(again.contains("was replaced by") && again.contains(new["id"].as_str().unwrap()), "{again}");
    let last = &json(data, &["key", "list", "--account", &account])[2];
    let last = last["id"].as_str().unwrap();
    json(data, &["key", "revoke", last]);
    assert!(failure(data, &["key", "rotate", last]).contains("revoked or has expired"));
    assert!(failure(data, &["key", "rotate", "nokey"]).contains("There is no such key"));
    let plain = json(data, &create);
    assert_eq!(
        (&plain["products"], &plain["networks"], &plain["expiresAt"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    for (flag, value, said) in [
        ("--expires", "2020-01-01", "expired already"),
        ("--expires", "soon", "must be a day"),
        ("--product", "roofs", "solar-index"),
        ("--network", "everywhere", "203.0.113.0/24"),
        ("--name", "a\nb", "name of the key"),
    ] {
        let refused = failure(data, &[&create[..], &[flag, value]].concat());
        assert!(refused.contains(said), "{flag}: {refused}");
    }
}

#[test]
fn usage_is_shown_for_a_period_and_an_account_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let account = json(data, &["account", "create", "--name", "Oak"])["id"].as_str().unwrap().to_owned();
    let run = |more: &[&str]| shingle(data, &[&["usage", "--account", account.as_str()], more].concat());
    let said = String::from_utf8(run(&["--from", "2026-03-01", "--to", "2026-03-31"]).stdout).unwrap();
    assert_eq!(said, "2026-03-01 to 2026-03-31: 0 calls, 0 billed for $0.00, $0.00 of it from the balance.\n");
    let table = String::from_utf8(run(&["--csv"]).stdout).unwrap();
    assert_eq!(table, "day,environment,keyId,product,calls,billed,amountCents,fromBalanceCents\r\n");
    json(data, &["account", "credit", &account, "500"]);
    let none = json(data, &["usage", "--account", &account]);
    assert_eq!((&none["data"], &none["total"]["amountCents"]), (&serde_json::json!([]), &0.into()));
    assert_eq!(none["balanceCents"], 500);
    let backwards = ["usage", "--account", &account, "--from", "2026-03-02", "--to", "2026-03-01"];
    assert!(failure(data, &backwards).contains("must not be after to"));
    assert!(failure(data, &["usage", "--account", &account, "--from", "march"]).contains("must be a day"));
    let nobody = "00000000-0000-0000-0000-000000000001";
    assert!(failure(data, &["usage", "--account", nobody]).contains("There is no such account"));
}
