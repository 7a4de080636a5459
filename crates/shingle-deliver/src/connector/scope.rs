//! The names expressions may use. An unknown name is found when the file is read, not when a lead arrives.

use std::collections::{BTreeMap, BTreeSet};

/// Fields of a lead, as the API writes them, and `addressParts`, which the server adds.
const LEAD: [&str; 24] = [
    "id",
    "widgetId",
    "status",
    "address",
    "addressParts",
    "firstName",
    "lastName",
    "email",
    "phone",
    "preferredContactTime",
    "roofMaterial",
    "message",
    "estimate",
    "inspection",
    "answers",
    "source",
    "consent",
    "firstTouchAt",
    "takenBy",
    "emailProblem",
    "records",
    "earlierLead",
    "createdAt",
    "updatedAt",
];
const EVENT: [&str; 4] = ["id", "type", "timestamp", "sequence"];
const COMPANY: [&str; 4] = ["name", "phone", "email", "url"];
const LINKS: [&str; 6] = ["onIt", "call", "portal", "estimate", "unsubscribe", "picture"];
/// What the engine itself works out of the lead; see `context.rs`.
const SUMMARY: [&str; 22] = [
    "name",
    "headline",
    "price",
    "low",
    "high",
    "material",
    "squares",
    "pitch",
    "roof",
    "problem",
    "roofAge",
    "planned",
    "contact",
    "answers",
    "visit",
    "written",
    "consent",
    "call",
    "directions",
    "notes",
    "source",
    "clicks",
];

/// The names that are known at one place of a template.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    pub settings: BTreeSet<String>,
    /// By request, what the requests before this one capture.
    pub captures: BTreeMap<String, BTreeSet<String>>,
    /// Whether there is a response already.
    pub response: bool,
}

impl Scope {
    /// `path` as in `lead.source.clickId`. What is wrong with it, if anything is.
    pub fn problem(&self, path: &str) -> Option<String> {
        let mut names = path.split('.');
        let root = names.next().unwrap_or_default();
        let field = names.next();
        let of = |known: &[&str]| match field {
            Some(field) if !known.contains(&field) => Some(format!("{root}.{field} is not a field")),
            _ => None,
        };
        match root {
            "lead" => of(&LEAD),
            "event" => of(&EVENT),
            "company" => of(&COMPANY),
            "links" => of(&LINKS),
            "summary" => of(&SUMMARY),
            "reference" => None,
            "response" if self.response => of(&["status", "headers", "json", "text"]),
            "response" => Some("there is no response yet".to_owned()),
            "settings" => match field {
                Some(field) if !self.settings.contains(field) => {
                    Some(format!("settings.{field} is not declared as a setting"))
                }
                _ => None,
            },
            "steps" => self.step_problem(field, names.next()),
            _ => Some(format!("{root} is not a name that is known here")),
        }
    }

    fn step_problem(&self, step: Option<&str>, capture: Option<&str>) -> Option<String> {
        let step = step?;
        let Some(captures) = self.captures.get(step) else {
            return Some(format!("steps.{step} is not a request before this one"));
        };
        let capture = capture?;
        (!captures.contains(capture)).then(|| format!("the request {step} does not capture {capture}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_a_lead_can_be_named() {
        let consent = serde_json::json!({
            "given": true, "text": "Call me", "textHash": "00", "at": "2026-11-22T12:00:00Z",
            "pageUrl": null, "ip": null, "userAgent": null,
        });
        let lead: shingle_domain::lead::Lead = serde_json::from_value(serde_json::json!({
            "id": "01931f2e-7d3a-7c10-8000-000000000001", "widgetId": "01931f2e-7d3a-7c10-8000-000000000002",
            "status": "new", "address": "14 Alder Court, Portland, ME 04103", "firstName": "Dana",
            "lastName": "Whitfield", "email": "dana@example.com", "consent": consent, "source": {},
            "createdAt": "2026-11-22T12:00:00Z", "updatedAt": "2026-11-22T12:00:00Z",
        }))
        .unwrap();
        let written = serde_json::to_value(&lead).unwrap();
        for field in written.as_object().unwrap().keys() {
            assert_eq!(Scope::default().problem(&format!("lead.{field}")), None);
        }
    }

    #[test]
    fn a_name_that_is_not_known_is_said_with_its_root() {
        let mut scope = Scope::default();
        scope.settings.insert("api_key".to_owned());
        scope.captures.insert("contact".to_owned(), BTreeSet::from(["id".to_owned()]));
        for (path, problem) in [
            ("lead.phon", "lead.phon is not a field"),
            ("led.phone", "led is not a name that is known here"),
            ("settings.key", "settings.key is not declared as a setting"),
            ("steps.job.id", "steps.job is not a request before this one"),
            ("steps.contact.jnid", "the request contact does not capture jnid"),
            ("response.json", "there is no response yet"),
            ("env", "env is not a name that is known here"),
        ] {
            assert_eq!(scope.problem(path).as_deref(), Some(problem));
        }
        for path in ["lead.source.clickId", "settings.api_key", "steps.contact.id", "reference", "lead"] {
            assert_eq!(scope.problem(path), None);
        }
    }
}
