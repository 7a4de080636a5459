//! Keeps passwords out of messages.

/// An address as messages and logs may show it.
pub fn redact_password(address: &str) -> String {
    match url::Url::parse(address) {
        // No host: perhaps a mistyped address, with its password anywhere in it.
        Ok(url) if url.cannot_be_a_base() && address.contains('@') => format!("{}:***", url.scheme()),
        Ok(mut url) => {
            if url.password().is_some() && url.set_password(Some("***")).is_err() {
                return format!("{}://***", url.scheme());
            }
            if url.query_pairs().any(|(name, _)| name == "password") {
                url.set_query(None);
            }
            url.into()
        }
        Err(_) if address.contains('@') => "***".to_owned(),
        Err(_) => address.to_owned(),
    }
}
