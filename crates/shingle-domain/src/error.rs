//! The error body of the contract, and the list of broken rules that it usually holds.

use serde::{Deserialize, Serialize};

/// The body of the response to every failed request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    pub message: Message,
    pub error: String,
    pub status_code: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Message {
    One(String),
    Many(Vec<String>),
}

/// Every broken rule of a request, in the order of the contract. Never empty when returned as an error.
#[derive(Debug, Clone, PartialEq, Eq, Default, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct Violations(pub Vec<String>);
