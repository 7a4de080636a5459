//! A homeowner who leaves their details.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::demo::word;

pub const COMPANY: &str = "Oak Roofing";
/// A home of the sample town.
const HOME: &str = "14 Alder Court, Harrow Falls, ME 04995";

/// The number tells their emails apart.
pub fn leave_lead(server: SocketAddr, widget: &str, number: u32) -> Result<()> {
    let (_, session) = send(server, &format!("/w/{widget}/session"), &json!({}))?;
    let words: Value = serde_json::from_str(include_str!("../../../../../www/words/en.json"))?;
    let consent = word(&words, "consent")?.replace("{company}", COMPANY);
    let lead = json!({
        "token": session["token"],
        "idempotencyKey": format!("walk-{number}"),
        "address": { "line": HOME },
        "firstName": "Ann",
        "lastName": "Sample",
        "email": format!("visitor.{number}@example.com"),
        "elapsedMs": 40_000,
        "acts": 30,
        "consent": { "given": true, "text": consent },
    });
    let (status, answer) = send(server, &format!("/w/{widget}/leads"), &lead)?;
    ensure!(status == 201, "the lead was refused ({status}): {answer}");
    Ok(())
}

fn send(server: SocketAddr, path: &str, body: &Value) -> Result<(u16, Value)> {
    let origin = format!("http://{server}");
    let request = ureq::post(format!("{origin}{path}")).config().http_status_as_error(false).build();
    let mut answer = request.header("origin", &origin).send(body.to_string())?;
    let status = answer.status().as_u16();
    Ok((status, answer.body_mut().read_json().with_context(|| format!("{path}: {status}"))?))
}
