//! Every built-in connector in recorded exchanges: what it sends, to the letter, and what it makes of the answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bad;
mod exchange;
mod limits;
mod run;
mod server;

use std::collections::BTreeSet;

use serde_json::Value;
use shingle_deliver::connector::built_in;

use crate::exchange::{files, outcome, play, sent};

/// For a request that is the first case's.
const SAME: &str = "as in the first case";

#[tokio::test]
async fn every_exchange_goes_as_recorded() {
    let mut wrong = Vec::new();
    for (path, file) in files() {
        for case in file["cases"].as_array().unwrap() {
            let played = play(&file, case).await;
            let place = format!("{}: {}", path.file_name().unwrap().display(), case["name"]);
            let expected: Vec<&Value> =
                case["exchanges"].as_array().unwrap().iter().map(|exchange| &exchange["request"]).collect();
            let got = sent(&played);
            if played.asked.len() != expected.len() {
                wrong.push(format!("{place}: {} requests, not {}", played.asked.len(), expected.len()));
            }
            for (n, (expected, got)) in expected.into_iter().zip(&got).enumerate() {
                let first = || &file["cases"][0]["exchanges"][n]["request"];
                let expected = if expected == SAME { first() } else { expected };
                if expected != got {
                    wrong.push(format!("{place}: sent\n{got:#}\nrecorded\n{expected:#}"));
                }
            }
            let end = outcome(&played.report.outcome);
            if end != case["outcome"] {
                wrong.push(format!("{place}: ended with\n{end:#}\nrecorded\n{:#}", case["outcome"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_connector_that_sends_has_exchanges_of_success_of_a_wrong_key_of_a_refusal_of_too_many_and_of_a_fault() {
    let mut missing = Vec::new();
    for template in built_in().iter().filter(|template| template.sends()) {
        let cases: Vec<Value> = files()
            .into_iter()
            .filter(|(_, file)| file["connector"] == template.name.as_str())
            .flat_map(|(_, file)| file["cases"].as_array().unwrap().clone())
            .collect();
        let statuses: BTreeSet<u64> = cases
            .iter()
            .flat_map(|case| case["exchanges"].as_array().unwrap())
            .map(|exchange| exchange["response"]["status"].as_u64().unwrap())
            .collect();
        let ends = |end: &str| cases.iter().filter(|case| !case["outcome"][end].is_null()).count();
        if !cases.iter().any(|case| case["outcome"].get("delivered").is_some()) {
            missing.push(format!("{}: a success", template.name));
        }
        if ends("refused") < 2 {
            missing.push(format!("{}: a wrong key, and a refusal", template.name));
        }
        if !statuses.contains(&429) || !statuses.iter().any(|status| *status >= 500) || ends("retry") < 2 {
            missing.push(format!("{}: too many requests, and a fault", template.name));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[tokio::test]
#[ignore = "writes the requests and outcomes of every exchange anew: read the difference before you keep it"]
async fn record() {
    for (path, mut file) in files() {
        for at in 0..file["cases"].as_array().unwrap().len() {
            let played = play(&file, &file["cases"][at]).await;
            for (n, request) in sent(&played).into_iter().enumerate() {
                let same = at > 0 && file["cases"][0]["exchanges"][n]["request"] == request;
                file["cases"][at]["exchanges"][n]["request"] = if same { Value::from(SAME) } else { request };
            }
            file["cases"][at]["outcome"] = outcome(&played.report.outcome);
        }
        let text = serde_json::to_string_pretty(&file).unwrap();
        std::fs::write(path, format!("{text}\n")).unwrap();
    }
}
