//! Host names a widget's script may run on.

/// One entry of a widget's list of domains: `example.com`, `*.example.com`, `localhost`. Text pasted
/// from the address bar is accepted too: scheme, port and final slash are dropped. A path is refused: it would look
/// as if the widget worked only there.
pub fn parse_host(text: &str) -> Option<String> {
    let lower = text.trim().to_ascii_lowercase();
    let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")).unwrap_or(&lower);
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let (wildcard, rest) = match rest.strip_prefix("*.") {
        Some(rest) => ("*.", rest),
        None => ("", rest),
    };
    if rest.is_empty() || rest.contains(['/', '?', '#', '\\', '@', '*', '%']) || rest.contains(char::is_whitespace) {
        return None;
    }
    let url = url::Url::parse(&format!("https://{rest}")).ok()?;
    match url.host()? {
        url::Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            let local = name == "localhost" && wildcard.is_empty();
            let fits = name.len() <= 253
                && name.split('.').all(|l| !l.is_empty() && l.len() <= 63)
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.' || b == b'_');
            ((local || name.contains('.')) && fits).then(|| format!("{wildcard}{name}"))
        }
        url::Host::Ipv4(ip) => (ip.is_loopback() && wildcard.is_empty()).then(|| ip.to_string()),
        url::Host::Ipv6(ip) => (ip.is_loopback() && wildcard.is_empty()).then(|| format!("[{ip}]")),
    }
}

/// Whether `host` (of a page, without port) equals `pattern`, or is a subdomain of its `*.`.
pub fn host_matches(pattern: &str, host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    match pattern.strip_prefix('*') {
        Some(tail) => {
            host.len() > tail.len()
                && host
                    .as_bytes()
                    .get(host.len() - tail.len()..)
                    .is_some_and(|t| t.eq_ignore_ascii_case(tail.as_bytes()))
        }
        None => pattern.eq_ignore_ascii_case(host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_may_be_pasted_from_the_address_bar() {
        for (text, host) in [
            (" Example.com ", "example.com"),
            ("https://www.example.com/", "www.example.com"),
            ("http://example.com:8080", "example.com"),
            ("*.example.com", "*.example.com"),
            ("localhost:3000", "localhost"),
            ("127.0.0.1", "127.0.0.1"),
            ("[::1]:80", "[::1]"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("example.com.", "example.com"),
        ] {
            assert_eq!(parse_host(text).as_deref(), Some(host), "{text}");
        }
    }

    #[test]
    fn what_names_no_host_is_refused() {
        for text in [
            "",
            "*",
            "*.",
            "com",
            "*.localhost",
            "example.com/landing",
            "a@example.com",
            "10.0.0.1",
            "3232235777",
            "javascript:alert(1)",
            "exa mple.com",
            "example.com?x",
            "a..example.com",
            "*.*.com",
            "\u{202e}moc.elpmaxe",
            "<script>.com",
            "//example.com",
        ] {
            assert_eq!(parse_host(text), None, "{text}");
        }
    }

    #[test]
    fn a_star_covers_what_lies_below_it_and_nothing_else() {
        assert!(host_matches("*.example.com", "shop.Example.com"));
        assert!(host_matches("*.example.com", "a.b.example.com"));
        assert!(!host_matches("*.example.com", "example.com"));
        assert!(!host_matches("*.example.com", "evilexample.com"));
        assert!(!host_matches("*.example.com", ".example.com.evil.net"));
        assert!(host_matches("example.com", "EXAMPLE.com."));
        assert!(!host_matches("example.com", "www.example.com"));
        assert!(!host_matches("*.example.com", "é.com"));
    }
}
