//! What follows a form of a lead's page.

use axum::http::StatusCode;
use axum::response::Response;
use shingle_portal::{Notice, TypedFields};
use shingle_widget::view::Text;

use crate::portal::leads::clash::Clash;

pub enum Answer {
    /// To the lead, with this word in the address.
    Back(&'static str),
    /// The page again, with what was typed.
    Refused {
        typed: TypedFields,
        notice: Option<Notice>,
        status: StatusCode,
    },
    Clash(Clash),
    /// Made already.
    Made(Response),
}

impl Answer {
    pub fn refused(name: &str, typed: &str, why: impl Into<Text>) -> Self {
        let mut fields = TypedFields::default();
        fields.set(name, typed);
        fields.refuse(name, why);
        Self::of(fields)
    }

    pub fn of(typed: TypedFields) -> Self {
        Self::Refused { typed, notice: None, status: StatusCode::UNPROCESSABLE_ENTITY }
    }
}
