//! Every setting from every source.

use toml::Value;

use super::Settings;
use super::source::{Sources, fits, names};
use crate::operator_error::OperatorError;

fn with(variables: &[(&str, &str)]) -> Result<(Settings, Vec<String>), OperatorError> {
    let mut sources = Sources::<Settings>::default();
    sources.variables(variables.iter().map(|(name, text)| (name.into(), text.into())))?;
    let unknown = sources.unknown_variables.clone();
    Ok((sources.settings()?, unknown))
}

#[test]
fn every_setting_has_a_variable() {
    let names = names::<Settings>();
    assert!(names.len() > 40, "{names:?}");
    // A value of the wrong type is refused by name, so each variable is read.
    for keys in &names {
        let value = Value::Array(vec![Value::Array(Vec::new())]);
        assert!(fits::<Settings>(keys, &value).is_err(), "{keys:?} takes anything");
    }
    for (name, text, shown) in [
        ("SHINGLE_MAX_IMPORT_MEGABYTES", "7", "max_import_megabytes: 7"),
        ("SHINGLE_AREA_MILES", "30", "area_miles: 30"),
        ("SHINGLE_LIMITS_LEADS_PER_VISITOR", "3", "leads_per_visitor: 3"),
        ("SHINGLE_LISTEN", "127.0.0.1:9", "listen: 127.0.0.1:9"),
        ("SHINGLE_EGRESS_HTTP", "true", "egress_http: true"),
        ("SHINGLE_RETRY_SECONDS", "[1, 2]", "retry_seconds: [1, 2]"),
        ("SHINGLE_TRUSTED_PROXY", "10.0.0.0/8, ::1", "trusted_proxy: [10.0.0.0/8, ::1/128]"),
        ("SHINGLE_ACME_DOMAINS", "a.example, b.example", r#"["a.example", "b.example"]"#),
        ("SHINGLE_DKIM_SELECTOR", "20261122", r#"dkim_selector: Some("20261122")"#),
        ("SHINGLE_DATA", "2026-11-27", r#"data: "2026-11-27""#),
        ("SHINGLE_LOG", "true", r#"log: "true""#),
        ("SHINGLE_LOOKUP_CENTS", "1_0", "lookup_cents: 10"),
        ("SHINGLE_STORAGE", "", "storage: None"),
    ] {
        let (settings, unknown) = with(&[(name, text)]).unwrap();
        let debug = format!("{settings:?}");
        assert!(debug.contains(shown), "{name}: {debug}");
        assert_eq!(unknown, [""; 0]);
    }
}

#[test]
fn a_variable_may_name_a_file_with_the_value_and_the_value_itself_is_preferred() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (url, miles) = (file("url", "postgres://ann:hunter2@db/x\n"), file("miles", "30\r\n"));
    let all = [("SHINGLE_DATABASE_FILE", url.as_str()), ("SHINGLE_AREA_MILES_FILE", &miles)];
    let (settings, unknown) = with(&all).unwrap();
    assert_eq!(settings.database.as_deref(), Some("postgres://ann:hunter2@db/x"));
    assert_eq!((settings.area_miles, unknown.len()), (30, 0));
    let shown = serde_json::to_string(&settings.without_passwords()).unwrap();
    assert!(shown.contains("postgres://ann:***@db/x") && !shown.contains("hunter2"), "{shown}");
    for value in [[("SHINGLE_AREA_MILES", "40"), all[1]], [all[1], ("SHINGLE_AREA_MILES", "40")]] {
        assert_eq!(with(&value).unwrap().0.area_miles, 40);
    }
    // A setting that is a file itself is no such variable.
    let (settings, _) = with(&[("SHINGLE_SECRET_FILE", "kept/secret")]).unwrap();
    assert_eq!(settings.secret_file, Some("kept/secret".into()));
    let missing = with(&[("SHINGLE_METRICS_KEY_FILE", "no-such-file")]).unwrap_err().to_string();
    assert!(missing.contains("SHINGLE_METRICS_KEY_FILE = no-such-file"), "{missing}");
    let (_, unknown) = with(&[("SHINGLE_NOTHING_FILE", "x")]).unwrap();
    assert_eq!(unknown, ["SHINGLE_NOTHING_FILE"]);
}

#[test]
fn a_number_may_be_a_password() {
    let (settings, _) = with(&[("SHINGLE_METRICS_KEY", "1234567890123456")]).unwrap();
    assert_eq!(settings.metrics_key.unwrap().reveal(), "1234567890123456");
}

#[test]
fn a_wrong_variable_is_named_and_an_unknown_one_is_told() {
    for (name, text, key) in [
        ("SHINGLE_LISTEN", "here", "listen"),
        ("SHINGLE_EGRESS_HTTP", "perhaps", "egress_http"),
        ("SHINGLE_LOOKUP_CENTS", "1.5", "lookup_cents"),
        ("SHINGLE_TRUSTED_PROXY", "all", "trusted_proxy"),
        ("SHINGLE_LIMITS_LEADS_PER_VISITOR", "-1", "limits.leads_per_visitor"),
    ] {
        let problem = with(&[(name, text)]).unwrap_err().to_string();
        assert!(problem.contains(name) && problem.contains(key), "{problem}");
    }
    let others = [("PATH", "/bin"), ("SHINGLE_LISTN", "x"), ("SHINGLE_LIMITS", "x"), ("SHINGLE", "x")];
    let (settings, unknown) = with(&others).unwrap();
    assert_eq!(unknown, ["SHINGLE_LIMITS", "SHINGLE_LISTN"]);
    assert_eq!(settings, Settings::default());
}

#[test]
fn a_broken_file_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shingle.toml");
    for (text, place) in [
        ("log = 'info'\nlisten = 127.0.0.1:80\n", "line 2"),
        ("log = 'info'\nlog = 'debug'\n", "line 2"),
        ("smtp_url = 'smtps://ann:hunter2@mail.example", "line 1"),
        ("limits = 3", "limits"),
        ("[limit]\nx = 1", "limit"),
        ("[limit]\n", "limit"),
    ] {
        std::fs::write(&file, text).unwrap();
        let problem = Sources::<Settings>::default().file(&file).unwrap_err().to_string();
        assert!(problem.contains(place) && problem.contains("shingle.toml"), "{problem}");
        assert!(!problem.contains("hunter2"), "{problem}");
    }
}
