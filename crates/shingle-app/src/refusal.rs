//! Why a request that breaks no field rule is refused, in words for its sender.

use shingle_domain::messages;

use crate::logo::LogoError;
use crate::photo::PhotoError;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Refusal {
        IdTaken => "referenceId already exists",
        Changed => "It was changed meanwhile",
        ReadAgain => "It was changed meanwhile. Please read it again.",
        KeyReused => "The Idempotency-Key was used for a different request",
        ControlCharacters => "Texts must not contain control characters",
        TooMany { max: usize } => "There are {max} already, which is the limit",
        VisitConfirmed => "The visit is confirmed and cannot be changed here. Please call the company.",
        NoVisit => "inspection was not asked for",
        InspectionBooked => "An inspection is booked. Cancel it in the portal first.",
        Cursor => "cursor is not one of this list",
        NotAPage =>
            "That is not the address of a page. Write it as your browser shows it, like https://www.example.com/.",
        TooLarge => "Request body is too large",
        TooManyFields => "Too many fields",
        NoBoundary => "Multipart: Boundary not found",
        CutOff => "Multipart: Unexpected end of form",
        LargeLogo { field: &'static str } => "File too large: {field} may have 1 MB at most",
        SecondFile { field: &'static str } => "Unexpected file field - {field}",
        Logo { field: &'static str, why: LogoError } => "{field} {why}",
        Photo { why: PhotoError } => "photo {why}",
    }
}
