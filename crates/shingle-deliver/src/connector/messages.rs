//! What a connector says of settings, requests and a run.

use serde::Deserialize;
use shingle_domain::message::Message;
use shingle_domain::messages;

use crate::connector::error::Mistake;

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
        /// Nothing was sent.
        Unbuildable { mistake: Mistake } => "the request cannot be built: {mistake}",
    }
}

messages! {
    /// Why a request is left out. A connector's file names one for each request with a condition.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum LeftOut {
        #[serde(skip)]
        Done => "done by an earlier attempt",
        KnownPerson => "the other system knows this person already",
        NoVisit => "there is no consent, or the visit is not known",
        NoEmail => "the person gave no email address",
        ByEmail => "the person is found by email address",
        NoStage => "no stage of deals is set",
        NoWorkflow => "no workflow of jobs is set",
    }
}

messages! {
    /// Why an expression has no value.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum ExpressionProblem {
        NotThere { expression: String } => "`{expression}` is not there",
        PartNotThere { expression: String, part: String } => "`{expression}`: {part} is not there",
        PartsNotThere { expression: String, parts: Vec<String> } => "`{expression}`: {parts} are not there",
        TooManySteps { expression: String } => "`{expression}` needs too many steps",
        NotText { expression: String, kind: String } => "`{expression}` is a {kind}, which cannot be part of a text",
        TextTooLong => "the text is longer than 64 kB",
        /// As the interpreter says it.
        Failed { expression: String, why: String } => "`{expression}`: {why}",
    }
}

messages! {
    /// Why a request cannot be built, beside its expressions.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RequestProblem {
        HeaderCharacters => "the value has characters that a header cannot carry",
        BodyTooLong => "the body is longer than 64 kB",
        NoAddress => "the setting that holds its address is missing",
        NotAnAddress => "the setting that holds its address is not an address",
        OtherServer => "the other server has no usable address",
        StepUp => "a value is a step to another folder",
        NoUrl => "this does not make an address",
        LeadsAway => "a value leads to another address",
    }
}
