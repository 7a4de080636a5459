//! `shingle secret`: keys are replaced and what they encrypted is still read.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn shingle(data: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shingle"));
    command.current_dir(data).args(words).arg("--data").arg(data.join("kept")).output().unwrap()
}

fn text(data: &Path, words: &[&str]) -> String {
    let output = shingle(data, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(data: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&text(data, &[words, &["--json"]].concat())).unwrap()
}

#[test]
fn keys_are_prepared_rotated_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let file = data.join("kept/secret");
    let account = json(data, &["account", "create", "--name", "Oak"])["id"].as_str().unwrap().to_owned();
    assert_eq!(
        (&json(data, &["secret", "show"])["key"], json(data, &["secret", "show"])["rotationPending"].as_bool()),
        (&1.into(), Some(false))
    );
    assert!(text(data, &["secret", "show"]).contains("everything is encrypted with it"));
    let hook = ["webhook", "list", "--account", &account];
    let before = text(data, &hook);
    assert_eq!(json(data, &["secret", "rotate", "--prepare"])["key"], 2);
    // Prepared twice is one key, and it is the one that is used.
    assert!(text(data, &["secret", "rotate", "--prepare"]).starts_with("Key 2 is in "));
    assert!(text(data, &["secret", "show"]).contains("run `shingle secret rotate`"));
    let rotated = json(data, &["secret", "rotate"]);
    assert_eq!((&rotated["key"], &rotated["accounts"]), (&2.into(), &1.into()));
    assert_eq!(json(data, &["secret", "rotate"])["key"], 3, "a second time makes another one");
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 3);
    assert_eq!(json(data, &["secret", "show"])["rotationPending"], false);
    assert_eq!(text(data, &hook), before);

    // A lost line is reported with its number.
    let lines = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, lines.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let failed = shingle(data, &["lead", "list", "--account", &account]);
    let error = String::from_utf8(failed.stderr).unwrap();
    assert!(error.contains("the secret file has no key 3"), "{error}");
}
