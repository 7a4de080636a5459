//! `/mcp`: the Model Context Protocol over HTTP, for AI assistants. `shingle mcp` passes what it is told at standard input
//! on to here.
//!
//! # Decisions
//!
//! - It is always there: without a key it answers nothing, and with one nothing that the API does not. The key's terms,
//!   limits, metering and log hold, since the tools call what the API's handlers call. Each message counts as one request.
//! - Read-only, unless the person who sets the client up asks for more with `?allow=changes`. A model that a text talks into a
//!   change finds no tool for it. Turned down: a setting of the server, which would open it to every client at once.
//! - Answers are JSON, never streams, and there are no sessions: any node answers any message.
//! - No OAuth: a key in a header is what people have here. Clients that take nothing else cannot connect.
//! - A page of another site is refused by its `Origin`. Programs on a desktop send none, or one of their own scheme, which
//!   no page can have. The key is in a header, so a name that an attacker rebinds to this machine brings none along.

mod arguments;
mod http;
mod tools;

pub use http::{answer, refuse_method};

pub const PATH: &str = "/mcp";
