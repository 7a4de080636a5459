//! The Model Context Protocol, by which AI assistants call tools: messages, versions, the tools with their descriptions,
//! and what leads look like to an assistant. Nothing here knows a transport or a store: [`next`] takes a message and says
//! what follows, and the code that runs the tool hands its result to [`Call::finish`].
//!
//! # Decisions
//!
//! - Written here, in place of the crate `rmcp`: a server of tools answers five methods, and `rmcp` would have taken more
//!   than the release program has left. Official clients of both eras of the protocol test it
//!   (`tests/browser/mcp.test.js`).
//! - Both eras are spoken: revision 2026-07-28, in which every request names its version, and those before it, which begin
//!   with `initialize`. No session is kept, so any node answers any request, and a client that never sends
//!   `notifications/initialized` is served. Batches, which only 2025-03-26 had, are refused with the reason.
//! - The tools are a file, `tools.json`. A test holds its words against the domain's.
//! - What fails inside a tool is a result with `isError`, which the model reads and can act on, without
//!   `structuredContent`: clients hold that against the schema of a success. Errors of the protocol are for clients.
//! - What a website's visitor typed or sent is in members named `fromVisitor`, without characters that nobody sees. The
//!   descriptions say that it is data. Turned down: leaving it out, since a homeowner's message is why one reads a lead.

mod bridge;
mod lead;
mod message;
mod protocol;
mod tool;

pub use bridge::{Bridge, Forward, Line};
pub use lead::{lead_summary, visible, whole_lead};
pub use message::{Id, Message, Reply, Request, code};
pub use protocol::{Call, MirroredHeaders, Next, next};
pub use tool::{NOTE, Rights, Tool, ToolResult};
