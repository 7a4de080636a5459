//! What a line of text from outside may hold.

/// No control characters (NUL among them) and none of the invisible marks that reorder text on screen.
pub fn is_clean(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || is_bidi_control(c))
}

/// As [`is_clean`], but line breaks and tabs may stay: for messages of several lines.
pub fn is_clean_block(text: &str) -> bool {
    !text.chars().any(|c| (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || is_bidi_control(c))
}

fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
