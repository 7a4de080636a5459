//! Names of fields that a request has and the contract does not: they are dropped, and a header of the answer says which, so
//! that a misspelled one is found.

use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};

const HEADER: HeaderName = HeaderName::from_static("shingle-ignored-fields");
/// Names that are listed, and characters of each.
const MAX_NAMES: usize = 20;
const MAX_NAME: usize = 60;

/// An answer, right or wrong, with the names that were dropped.
pub struct Ignoring<R> {
    names: Option<HeaderValue>,
    response: R,
}

impl<R> Ignoring<R> {
    pub fn new(names: Option<HeaderValue>, response: R) -> Self {
        Self { names, response }
    }
}

/// `None` where there are none.
pub fn ignored_names(names: &[&str]) -> Option<HeaderValue> {
    if names.is_empty() {
        return None;
    }
    // What a header or the list in it cannot hold is shown as a question mark.
    let shown = |name: &&str| -> String {
        name.chars().take(MAX_NAME).map(|c| if c.is_ascii_graphic() && c != ',' { c } else { '?' }).collect()
    };
    let names: Vec<String> = names.iter().take(MAX_NAMES).map(shown).collect();
    HeaderValue::from_str(&names.join(", ")).ok()
}

impl<R: IntoResponse> IntoResponse for Ignoring<R> {
    fn into_response(self) -> Response {
        let mut response = self.response.into_response();
        if let Some(names) = self.names {
            response.headers_mut().insert(HEADER, names);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_as_a_header_can_hold_them() {
        let told = |names: &[&str]| ignored_names(names).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(told(&[]), None);
        assert_eq!(told(&["favouriteAnimal", "companyNme"]).as_deref(), Some("favouriteAnimal, companyNme"));
        assert_eq!(told(&["a,b\r\nx: y", "größe", ""]).as_deref(), Some("a?b??x:?y, gr??e, "));
        assert_eq!(told(&[&*"x".repeat(100)]).map(|text| text.len()), Some(60));
        assert_eq!(told(&["x"; 50]).map(|text| text.matches('x').count()), Some(20));
    }
}
