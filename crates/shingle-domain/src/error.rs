//! The error body of the contract.

use serde::{Deserialize, Serialize};

/// The body of the response to every failed request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// What is wrong: one sentence, or for broken field rules a list with a sentence for each, in the order of the
    /// fields. Example: `["zip must be a 5-digit code"]`
    pub message: Message,
    /// The status in words. Example: `Bad Request`
    pub error: String,
    /// The status of the answer. Example: `400`
    pub status_code: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(untagged)]
pub enum Message {
    One(String),
    Many(Vec<String>),
}
