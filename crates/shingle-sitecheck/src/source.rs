//! Whether a source expression of a Content Security Policy matches a URL: "Does url match expression in origin" of
//! CSP level 3, as browsers implement it.

use url::Url;

/// Of the keywords in quotes, only `'self'` matches URLs.
pub fn matches(expression: &str, target: &Url, page: &Url) -> bool {
    let lower = lower_but_path(expression);
    let text = lower.as_str();
    if text == "*" {
        return matches!(target.scheme(), "http" | "https" | "ws" | "wss") || target.scheme() == page.scheme();
    }
    if text == "'self'" {
        return is_self(target, page);
    }
    if text.starts_with('\'') {
        return false;
    }
    if let Some(scheme) = text.strip_suffix(':')
        && is_scheme(scheme)
    {
        return scheme_matches(scheme, target.scheme());
    }
    HostSource::parse(text).is_some_and(|source| source.matches(target, page))
}

/// Scheme and host are case-insensitive, the path is not.
fn lower_but_path(text: &str) -> String {
    let host_at = text.find("://").map_or(0, |at| at + 3);
    let path_at = text[host_at..].find('/').map_or(text.len(), |at| host_at + at);
    format!("{}{}", text[..path_at].to_ascii_lowercase(), &text[path_at..])
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// An insecure scheme in a policy also matches its secure form, never the other way round.
fn scheme_matches(written: &str, real: &str) -> bool {
    written == real
        || matches!((written, real), ("http", "https") | ("ws", "wss" | "http" | "https") | ("wss", "https"))
}

fn is_self(target: &Url, page: &Url) -> bool {
    let usual = |url: &Url| url.port().is_none();
    target.host_str() == page.host_str()
        && (target.port_or_known_default() == page.port_or_known_default() && target.scheme() == page.scheme()
            || (target.port() == page.port() || (usual(target) && usual(page)))
                && scheme_matches(page.scheme(), target.scheme()))
}

/// `scheme://*.host:port/path`, where everything but the host is optional.
struct HostSource<'t> {
    scheme: Option<&'t str>,
    host: &'t str,
    port: Option<&'t str>,
    path: &'t str,
}

impl<'t> HostSource<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) => (Some(scheme), rest),
            None => (None, text),
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        };
        let name = host.strip_prefix("*.").unwrap_or(host);
        let named = host == "*"
            || (!name.is_empty()
                && name.split('.').all(|label| {
                    !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
                }));
        let port_fits = port.is_none_or(|p| p == "*" || p.parse::<u16>().is_ok());
        let scheme_fits = scheme.is_none_or(is_scheme);
        let path_fits = !path.contains(['?', '#']);
        (named && port_fits && scheme_fits && path_fits).then_some(Self { scheme, host, port, path })
    }

    fn matches(&self, target: &Url, page: &Url) -> bool {
        scheme_matches(self.scheme.unwrap_or(page.scheme()), target.scheme())
            && self.matches_host(target.host_str().unwrap_or_default())
            && self.matches_port(target)
            && self.matches_path(target.path())
    }

    fn matches_host(&self, host: &str) -> bool {
        match self.host.strip_prefix('*') {
            Some(tail) => tail.is_empty() || (host.len() > tail.len() && host.ends_with(tail)),
            None => host == self.host,
        }
    }

    fn matches_port(&self, target: &Url) -> bool {
        let real = target.port_or_known_default();
        match self.port {
            None => target.port().is_none(),
            Some("*") => true,
            Some(port) => port.parse().ok() == real || (port == "80" && real == Some(443)),
        }
    }

    /// A path that ends with a slash matches everything below it; any other path only itself.
    fn matches_path(&self, path: &str) -> bool {
        let written = percent_decoded(self.path);
        let path = percent_decoded(path);
        written.is_empty() || if written.ends_with('/') { path.starts_with(&written) } else { path == written }
    }
}

/// Decodes percent escapes.
fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match (first, tail) {
            (b'%', [high, low, after @ ..]) => {
                let digit = |b: &u8| char::from(*b).to_digit(16);
                digit(high).zip(digit(low)).map(|(high, low)| ((high * 16 + low) as u8, after))
            }
            _ => None,
        };
        let (byte, after) = escaped.unwrap_or((*first, tail));
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expression: &str, target: &str, page: &str) -> bool {
        matches(expression, &target.parse().unwrap(), &page.parse().unwrap())
    }

    const HTTPS: &str = "https://oak.example.com/roofs";
    const HTTP: &str = "http://oak.example.com/roofs";

    #[test]
    fn expressions_match_what_the_standard_says() {
        for (expression, target, page) in [
            ("*", "https://roofs.example/w/a.js", HTTPS),
            ("https:", "https://roofs.example/w/a.js", HTTPS),
            ("HTTPS:", "https://roofs.example/w/a.js", HTTPS),
            ("http:", "https://roofs.example/w/a.js", HTTPS),
            ("roofs.example", "https://roofs.example/w/a.js", HTTPS),
            ("Roofs.Example", "https://roofs.example/w/a.js", HTTPS),
            ("roofs.example", "https://roofs.example/w/a.js", HTTP),
            ("roofs.example", "http://roofs.example/w/a.js", HTTP),
            ("http://roofs.example", "https://roofs.example/w/a.js", HTTPS),
            ("https://roofs.example/", "https://roofs.example/w/a.js", HTTPS),
            ("https://roofs.example/w/", "https://roofs.example/w/a.js", HTTPS),
            ("https://roofs.example/w/a.js", "https://roofs.example/w/a.js", HTTPS),
            ("https://roofs.example/%77/a.js", "https://roofs.example/w/a.js", HTTPS),
            ("*.roofs.example", "https://a.roofs.example/w/a.js", HTTPS),
            ("https://*.roofs.example", "https://a.b.roofs.example/w/a.js", HTTPS),
            ("https://*", "https://roofs.example/w/a.js", HTTPS),
            ("*:8443", "https://roofs.example:8443/w/a.js", HTTPS),
            ("roofs.example:443", "https://roofs.example/w/a.js", HTTPS),
            ("http://roofs.example:80", "https://roofs.example/w/a.js", HTTPS),
            ("roofs.example:*", "https://roofs.example:8443/w/a.js", HTTPS),
            ("roofs.example:8443", "https://roofs.example:8443/w/a.js", HTTPS),
            ("127.0.0.1:8080", "http://127.0.0.1:8080/w/a.js", HTTP),
            ("'self'", "https://oak.example.com/w/a.js", HTTPS),
            ("'SELF'", "https://oak.example.com/w/a.js", HTTPS),
            ("'self'", "https://oak.example.com/w/a.js", HTTP),
            ("'self'", "http://oak.example.com:3000/w", "http://oak.example.com:3000/"),
        ] {
            assert!(check(expression, target, page), "{expression} must match {target} on {page}");
        }
    }

    #[test]
    fn expressions_match_nothing_else() {
        for (expression, target, page) in [
            ("https:", "http://roofs.example/w/a.js", HTTP),
            ("roofs.example", "http://roofs.example/w/a.js", HTTPS),
            ("https://roofs.example", "http://roofs.example/w/a.js", HTTP),
            ("roofs.example", "https://www.roofs.example/w/a.js", HTTPS),
            ("*.roofs.example", "https://roofs.example/w/a.js", HTTPS),
            ("*.roofs.example", "https://evilroofs.example/w/a.js", HTTPS),
            ("roofs.example", "https://roofs.example.evil.net/w/a.js", HTTPS),
            ("roofs.example", "https://roofs.example:8443/w/a.js", HTTPS),
            ("roofs.example:8443", "https://roofs.example/w/a.js", HTTPS),
            ("https://roofs.example/w", "https://roofs.example/w/a.js", HTTPS),
            ("https://roofs.example/W/", "https://roofs.example/w/a.js", HTTPS),
            ("https://roofs.example/runtime/", "https://roofs.example/w/a.js", HTTPS),
            ("https://roofs.example/w/a.js?x", "https://roofs.example/w/a.js", HTTPS),
            ("'self'", "https://roofs.example/w/a.js", HTTPS),
            ("'self'", "https://oak.example.com:8443/w/a.js", HTTPS),
            ("'self'", "http://oak.example.com/w/a.js", HTTPS),
            ("'none'", "https://roofs.example/w/a.js", HTTPS),
            ("'unsafe-inline'", "https://roofs.example/w/a.js", HTTPS),
            ("'nonce-abc'", "https://roofs.example/w/a.js", HTTPS),
            ("self", "https://oak.example.com/w/a.js", HTTPS),
            ("data:", "https://roofs.example/w/a.js", HTTPS),
            ("roofs..example", "https://roofs.example/w/a.js", HTTPS),
            ("roofs.example:http", "https://roofs.example/w/a.js", HTTPS),
            ("https://", "https://roofs.example/w/a.js", HTTPS),
            ("", "https://roofs.example/w/a.js", HTTPS),
        ] {
            assert!(!check(expression, target, page), "{expression} must not match {target} on {page}");
        }
    }
}
