//! Connectors at work: what a lead looks like to them, the destination that keeps their settings, and their transport.

mod connection;
mod subject;
mod transport;

pub use connection::{Connection, ConnectionError};
pub use subject::{NoSubject, Subject};
pub use transport::{ConnectorTransport, NotSent, sample_lead};
