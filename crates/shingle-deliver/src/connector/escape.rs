//! What a visitor has typed, made harmless for the language of a chat: it can notify nobody, draw nothing and link to
//! nowhere. The reader sees the same characters.

/// Invisible, and it ends what a chat would take for a link or a mention.
const BREAK: char = '\u{200b}';

/// Without control characters and characters that turn the direction of writing; links and mentions broken. E-mail
/// addresses stay whole, so that they can be copied.
pub fn plain(text: &str) -> String {
    let kept: String = text.chars().filter(|c| !is_unwanted(*c)).collect();
    let mut out = String::with_capacity(kept.len());
    for word in kept.split_inclusive(char::is_whitespace) {
        if is_email(word.trim_end()) {
            out.push_str(word);
        } else {
            broken(word, &mut out);
        }
    }
    out
}

fn is_email(word: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._%+-".contains(c);
    word.split_once('@').is_some_and(|(name, host)| {
        name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().chain(host.chars()).all(fits)
    })
}

fn broken(word: &str, out: &mut String) {
    let mut before: Option<char> = None;
    let mut rest = word.chars().peekable();
    while let Some(c) = rest.next() {
        let in_word = before.is_some_and(char::is_alphanumeric);
        out.push(c);
        let breaks = match c {
            '@' => !in_word,
            ':' => rest.peek() == Some(&'/'),
            '.' => in_word && rest.peek().is_some_and(|next| next.is_alphabetic()),
            _ => false,
        };
        if breaks {
            out.push(BREAK);
        }
        before = Some(c);
    }
}

fn is_unwanted(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let invisible = matches!(c, BREAK | '\u{2060}'..='\u{2065}' | '\u{feff}');
    turns || invisible || (c.is_control() && c != '\n')
}

/// For Slack's mrkdwn, which cannot escape its own marks: they become characters that look the same.
pub fn mrkdwn(text: &str) -> String {
    replaced(&plain(text), |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '*' => Some("\u{2217}"),
        '_' => Some("\u{ff3f}"),
        '~' => Some("\u{223c}"),
        '`' => Some("\u{2cb}"),
        _ => None,
    })
}

/// For Markdown as Discord and Teams read it.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain(text).chars() {
        if matches!(c, '\\' | '*' | '_' | '~' | '`' | '|' | '>' | '<' | '#' | '[' | ']' | '(' | ')' | '-' | '+' | '!') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// For the HTML subsets of Telegram and Google Chat.
pub fn html(text: &str) -> String {
    markup(&plain(text))
}

/// For HTML in which links may stay.
pub fn markup(text: &str) -> String {
    replaced(text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        _ => None,
    })
}

fn replaced(text: &str, by: impl Fn(char) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match by(c) {
            Some(other) => out.push_str(other),
            None => out.push(c),
        }
    }
    out
}

/// As many characters as fit into `limit` after `escape`, with an ellipsis for the rest. Counted in UTF-16 units, of
/// which a text never has fewer than characters: it fits, whichever of the two a target counts.
pub fn fitted(text: &str, limit: usize, escape: impl Fn(&str) -> String) -> String {
    fitted_by(text, limit, escape, |t| t.encode_utf16().count())
}

/// The same, counted in bytes.
pub fn fitted_bytes(text: &str, limit: usize, escape: impl Fn(&str) -> String) -> String {
    fitted_by(text, limit, escape, str::len)
}

fn fitted_by(text: &str, limit: usize, escape: impl Fn(&str) -> String, size: impl Fn(&str) -> usize) -> String {
    let whole = escape(text);
    if size(&whole) <= limit {
        return whole;
    }
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let cut = |n: usize| format!("{}…", escape(text[..ends[n]].trim_end_matches(is_joint)));
    // The longest beginning that fits; longer beginnings have longer escapes.
    let fits = |n: usize| size(&cut(n)) <= limit;
    let (mut fitting, mut too_long) = (0, ends.len());
    while too_long - fitting > 1 {
        let middle = fitting + (too_long - fitting) / 2;
        if fits(middle) {
            fitting = middle;
        } else {
            too_long = middle;
        }
    }
    if ends.is_empty() || !fits(fitting) { String::new() } else { cut(fitting) }
}

/// What must not be the last character before a cut: it joins what follows, or is white space.
fn is_joint(c: char) -> bool {
    c == '\u{200d}' || c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_links_and_turned_writing_have_no_effect() {
        assert_eq!(plain("@everyone, dana@example.com"), "@\u{200b}everyone, dana@example.com");
        assert_eq!(plain("a@b.example.com/x"), "a@b.\u{200b}example.\u{200b}com/x");
        assert_eq!(plain("https://evil.example.com"), "https:\u{200b}//evil.\u{200b}example.\u{200b}com");
        assert_eq!(plain("24.8 squares at 6:30. Call"), "24.8 squares at 6:30. Call");
        assert_eq!(plain("a\u{202e}b\u{0}c\r\nd\u{200b}@here"), "abc\nd@here");
        assert_eq!(plain("👩\u{200d}🚒"), "👩\u{200d}🚒");
    }

    #[test]
    fn no_mark_of_a_chat_survives() {
        assert_eq!(mrkdwn("<!channel> *b* `c`"), "&lt;!channel&gt; \u{2217}b\u{2217} \u{2cb}c\u{2cb}");
        assert_eq!(markdown("[a](b) <@1> **c**"), "\\[a\\]\\(b\\) \\<@\u{200b}1\\> \\*\\*c\\*\\*");
        assert_eq!(html("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }

    #[test]
    fn a_text_is_cut_to_what_fits_after_escaping_and_never_inside_a_character_or_an_escape() {
        assert_eq!(fitted("abc", 3, str::to_owned), "abc");
        assert_eq!(fitted("abcd", 3, str::to_owned), "ab…");
        assert_eq!(fitted("a&b&", 8, html), "a&amp;b…");
        assert_eq!(fitted("a&b&", 6, html), "a…");
        assert_eq!(fitted("ab👩\u{200d}🚒", 6, str::to_owned), "ab👩…");
        assert_eq!(fitted_bytes("ééé", 5, str::to_owned), "é…");
        for limit in 0..3 {
            assert!(fitted("👩👩👩", limit, str::to_owned).encode_utf16().count() <= limit);
        }
        let long = "🏠&*<".repeat(2_500);
        for escape in [mrkdwn, markdown, html, plain] {
            let cut = fitted(&long, 3_000, escape);
            assert!((2_990..=3_000).contains(&cut.encode_utf16().count()), "{}", cut.encode_utf16().count());
        }
    }
}
