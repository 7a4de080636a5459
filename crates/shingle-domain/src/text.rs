//! Which characters a text from outside may contain.

/// No control characters (including NUL) and no invisible characters that reorder text on screen.
pub fn is_clean(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || is_bidi_control(c))
}

/// As [`is_clean`], but line breaks and tabs are allowed: for messages of several lines.
pub fn is_clean_block(text: &str) -> bool {
    !text.chars().any(|c| (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || is_bidi_control(c))
}

fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
