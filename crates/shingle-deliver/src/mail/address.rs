//! Names and addresses as they may be in a header: one line, ASCII addresses, nothing that reorders text.

use lettre::Address;
use lettre::message::Mailbox;
use shingle_domain::contact::Email;
use shingle_domain::text::is_clean;

/// Characters of a shown name; longer ones are cut.
const MAX_NAME: usize = 100;

/// One line without control and bidi characters, of at most `max` characters. Line breaks become spaces. `=?` would be
/// read as the start of an encoded word, in which anything could be hidden.
pub(super) fn one_line(text: &str, max: usize) -> String {
    let spaced: String = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    let kept: String = spaced.chars().filter(|c| is_clean(c.encode_utf8(&mut [0; 4]))).collect();
    let line = kept.replace("=?", "= ?").split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= max {
        return line;
    }
    let cut: String = line.chars().take(max - 1).collect();
    format!("{}…", cut.trim_end())
}

/// A name to be shown; `None` when nothing is left of it.
pub(super) fn shown_name(name: &str) -> Option<String> {
    Some(one_line(name, MAX_NAME)).filter(|name| !name.is_empty())
}

/// The address with its host in ASCII. `None` when the part before the `@` is not ASCII: few servers take such
/// addresses.
pub(super) fn ascii_address(email: &Email) -> Option<Address> {
    let (local, host) = email.as_str().rsplit_once('@')?;
    if !local.is_ascii() {
        return None;
    }
    let host = match url::Host::parse(host).ok()? {
        url::Host::Domain(host) => host,
        url::Host::Ipv4(_) | url::Host::Ipv6(_) => return None,
    };
    Address::new(local, host).ok()
}

pub(super) fn mailbox(name: Option<&str>, address: Address) -> Mailbox {
    Mailbox::new(name.and_then(shown_name), address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_emoji_and_loses_breaks_bidi_and_encoded_words() {
        for (text, line) in [
            ("Maria Álvarez", "Maria Álvarez"),
            ("  a\r\nBcc: x@example.com\t b ", "a Bcc: x@example.com b"),
            ("a\u{2028}b\u{85}c\u{b}d\0e", "a b c de"),
            ("\u{202e}gpj.exe\u{2066}", "gpj.exe"),
            ("👩‍👩‍👧 Ana", "👩‍👩‍👧 Ana"),
            ("=?utf-8?q?=0D=0A?=", "= ?utf-8?q?=0D=0A?="),
            ("=\u{202e}?utf-8?q?x?=", "= ?utf-8?q?x?="),
            ("\u{202e}\r\n", ""),
        ] {
            assert_eq!(one_line(text, 100), line, "{text:?}");
        }
        assert_eq!(one_line(&"é".repeat(10_000), 100).chars().count(), 100);
        assert_eq!(shown_name("\u{202e}\n"), None);
    }

    #[test]
    fn a_host_in_other_letters_is_written_in_ascii() {
        let ascii = |text: &str| ascii_address(&Email::parse(text).unwrap()).map(|a| a.to_string());
        assert_eq!(ascii("ana@bücher.example"), Some("ana@xn--bcher-kva.example".to_owned()));
        assert_eq!(ascii("o'neil+roof@example.org"), Some("o'neil+roof@example.org".to_owned()));
        assert_eq!(ascii("añá@example.org"), None);
    }
}
