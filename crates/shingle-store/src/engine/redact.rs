//! Keeps passwords out of messages.

/// An address as messages and logs may show it.
pub fn redact_password(address: &str) -> String {
    match url::Url::parse(address) {
        // No host: perhaps a mistyped address, with its password anywhere in it.
        Ok(url) if url.cannot_be_a_base() && address.contains('@') => format!("{}:***", url.scheme()),
        // Cut short by a character of its password, whose rest is anywhere behind it.
        Ok(url) if is_cut_short(&url) => format!("{}://***", url.scheme()),
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

fn is_cut_short(url: &url::Url) -> bool {
    let rest = [Some(url.path()), url.query(), url.fragment()];
    // The path of a file holds any character.
    url.scheme() != "sqlite" && url.username().is_empty() && rest.into_iter().flatten().any(|rest| rest.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::redact_password;

    #[test]
    fn a_password_is_hidden_wherever_it_cuts_the_address_short() {
        for address in [
            "postgres://bo:12#4@db/x",
            "postgres://bo:12/4@db/x",
            "postgres://bo:12?4@db/x",
            "postgres://bo:#4@db/x",
            "postgres://bo:x#4@db/x",
        ] {
            let shown = redact_password(address);
            assert!(!shown.contains('4') && !shown.contains("12"), "{shown}");
        }
        for address in ["sqlite:///home/a@b/x.db", "postgres://bo@db/x", "postgres://db/x?user=bo"] {
            assert_eq!(redact_password(address), address);
        }
    }
}
