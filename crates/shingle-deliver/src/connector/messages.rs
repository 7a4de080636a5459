//! What a connector says of a run.

use shingle_domain::message::Message;
use shingle_domain::messages;

messages! {
    /// How a run ended, where the target itself says nothing.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum RunMessage {
        SendsNothing => "this connector sends nothing by itself",
        SentOn { status: u16, to: String } => "HTTP {status}: it sends on to {to}, and redirects are not followed",
        SentOnElsewhere { status: u16 } =>
            "HTTP {status}: it sends on to another address, and redirects are not followed",
        NoCapture { request: String, name: String, problem: Message } =>
            "the response to {request} has no {name}: {problem}",
    }
}
