//! `/api/v1/usage`.

use serde_json::json;

use crate::api::endpoints::endpoint::{Answer, Endpoint, Group, Parameter, Route};
use crate::api::endpoints::schemas::answered;
use crate::api::usage;
use shingle_app::usage_report::UsageReport;

pub fn endpoints() -> Vec<Endpoint> {
    let day = || json!({ "type": "string", "format": "date", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" });
    vec![Endpoint {
        route: Route::get("/api/v1/usage", usage::show),
        id: "getUsage",
        group: Group::LookUps,
        summary: "What the look-ups come to",
        text: "Calls, billed calls and amounts by day, key and product, in the environment of this key; amounts are whole \
               cents. What was credited to the account, less what was taken from the balance on all days, is the balance. \
               With `Accept: text/csv` the lines come as a table.",
        parameters: vec![
            Parameter::query(
                "from",
                "The first day, in UTC; by default the first of the month of `to`.",
                day(),
                "2026-03-01",
            ),
            Parameter::query(
                "to",
                "The last day, in UTC, at most 365 days after `from`; by default today.",
                day(),
                "2026-03-31",
            ),
        ],
        body: None,
        answer: Answer::ok("The sums and their lines.", answered::<UsageReport>).or_table(),
    }]
}
