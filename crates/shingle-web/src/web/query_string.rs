//! Query strings, as the rules read them.
//!
//! # Decision
//!
//! A query that is not UTF-8 is a 400 that names the encoding, except on the hosted page: an advertiser's link must not
//! break it.

use shingle_domain::rules::{FieldItem, Fields};

/// The decoded names and values of a query string.
pub(crate) fn query_fields(query: Option<&str>) -> Fields<'_> {
    let mut fields = Fields::default();
    for (name, value) in url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        // `city[]=x` and `city[a]=x` are a list and an object of that name, which no parameter is.
        match name.split_once('[').filter(|(of, rest)| !of.is_empty() && rest.ends_with(']')) {
            Some((of, _)) => {
                if !fields.has(of) {
                    fields.push_item(of.to_owned(), FieldItem::List(Vec::new()));
                }
            }
            None => fields.push(name, value),
        }
    }
    fields
}
