//! Which characters a text from outside may contain.

use std::borrow::Cow;

/// No control characters (including NUL) and no invisible characters that reorder text on screen.
pub fn is_clean(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || is_bidi_control(c))
}

/// As [`is_clean`], but line breaks and tabs are allowed: for messages of several lines.
pub fn is_clean_block(text: &str) -> bool {
    !text.chars().any(|c| (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || is_bidi_control(c))
}

/// Without the characters that nobody sees: they come along with copied text. What joins letters of other scripts than
/// ours stays between two of them.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_invisible(c) || is_joiner(c)) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let neighbors = [seen.chars().next_back(), rest.peek().copied()];
        // Unicode's table of letters would be too large for a browser.
        let is_letter = |c: char| !c.is_ascii() && !c.is_whitespace() && !is_invisible(c) && !is_joiner(c);
        let joins = || neighbors.iter().all(|c| c.is_some_and(is_letter));
        if !is_invisible(c) && (!is_joiner(c) || joins()) {
            seen.push(c);
        }
    }
    Cow::Owned(seen)
}

/// Without any of them: for what is written in ASCII.
pub(crate) fn bare(text: &str) -> String {
    text.chars().filter(|c| !is_invisible(*c) && !is_joiner(*c) && !is_variation_selector(*c)).collect()
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    )
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}')
}

fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_nobody_sees_goes_and_what_joins_letters_stays() {
        for (text, seen) in [
            ("Dana", "Dana"),
            ("\u{202a}Da\u{200b}na\u{202c}", "Dana"),
            ("\u{feff}Jos\u{e9}", "Jos\u{e9}"),
            ("An\u{ad}na Ma\u{2060}ria", "Anna Maria"),
            ("Da\u{200d}na\u{200c}", "Dana"),
            ("\u{200e}\u{200f}\u{61c}", ""),
            // Persian and Hindi are spelled with them.
            (
                "\u{639}\u{644}\u{6cc}\u{200c}\u{631}\u{636}\u{627}",
                "\u{639}\u{644}\u{6cc}\u{200c}\u{631}\u{636}\u{627}",
            ),
            ("\u{915}\u{94d}\u{200d}\u{937}", "\u{915}\u{94d}\u{200d}\u{937}"),
            ("\u{639}\u{200c}", "\u{639}"),
        ] {
            assert_eq!(visible(text), seen, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_that_is_seen_is_lost(text in "[ -~\u{e0}-\u{ff}]{0,20}", sign in "[\u{200b}\u{ad}\u{feff}\u{202a}-\u{202e}]", at in 0_usize..20) {
            let at = text.char_indices().map(|(at, _)| at).nth(at).unwrap_or(text.len());
            let mut with = text.clone();
            with.insert_str(at, &sign);
            prop_assert_eq!(visible(&with), text);
        }

        #[test]
        fn twice_is_once(text in any::<String>()) {
            let once = visible(&text);
            prop_assert_eq!(visible(&once), once.as_ref());
        }
    }
}
