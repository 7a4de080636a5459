//! Who is notified of leads, as JSON.

use shingle_domain::notice::NoticeSettings;
use shingle_domain::{Rule, Violations};
use shingle_notice::is_time_zone;

/// Every broken rule of settings as JSON.
pub fn parse(body: &[u8]) -> Result<NoticeSettings, Violations> {
    // A list would be read as the settings in their order: an empty one as all defaults.
    let listed = body.trim_ascii_start().starts_with(b"[");
    let read = if listed { Err(serde::de::Error::custom("a list is no object")) } else { serde_json::from_slice(body) };
    // serde's message names the field, or repeats what was sent.
    let settings: NoticeSettings = read.map_err(|error: serde_json::Error| {
        let why: String = error.to_string().chars().take(200).collect();
        Violations::one("", Rule::UnreadableSettings { why })
    })?;
    let mut problems = settings.problems();
    if !is_time_zone(&settings.time_zone) {
        problems.push("timeZone", Rule::TimeZone);
    }
    problems.or(settings)
}
