//! Text from outside, made harmless. The parser of a lead refuses most of this; a mail does not rely on it.

use shingle_domain::text::is_clean;

/// Characters of a name or a line in a notice; the parser allows 100 for a name.
const MAX_LINE: usize = 300;
/// Characters of a message in a notice; the parser allows 2,000.
const MAX_BLOCK: usize = 4_000;

/// One line: no control characters, nothing that reorders text, single spaces, shortened.
pub fn line(text: &str) -> String {
    shortened(text, MAX_LINE)
}

/// As [`line`], for what is in a subject.
pub fn subject_part(text: &str) -> String {
    shortened(text, 80)
}

/// Several lines, without empty ones at the ends.
pub fn block(text: &str) -> Vec<String> {
    let mut left = MAX_BLOCK;
    let mut lines = Vec::new();
    for text in text.split(['\n', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']) {
        let line = shortened(text, left);
        left = left.saturating_sub(line.chars().count() + 1);
        lines.push(line);
        if left == 0 {
            break;
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.into_iter().skip_while(String::is_empty).collect()
}

fn shortened(text: &str, most: usize) -> String {
    let seen = text.chars().filter(|c| !is_invisible(*c)).map(|c| if is_blank(c) { ' ' } else { c });
    let seen: String = seen.collect();
    let line = seen.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let mut short: String = line.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Takes no room on screen. The joiners of emoji and of Arabic and Indian letters stay.
fn is_invisible(c: char) -> bool {
    let mut own = [0; 4];
    let reorders = !c.is_control() && !is_clean(c.encode_utf8(&mut own));
    reorders
        || matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_breaks_and_nothing_that_reorders_it() {
        assert_eq!(line(" Dana\r\nBcc: x@example.com\u{202e}\0 Lee\u{2028}Ann "), "Dana Bcc: x@example.com Lee Ann");
        assert_eq!(line("Zoë 👩‍👧 Ω 李"), "Zoë 👩‍👧 Ω 李", "letters and emoji stay");
        assert_eq!(line("\u{200b}\u{202e}\n"), "");
    }

    #[test]
    fn what_is_too_long_is_shortened_and_says_so() {
        let name = line(&"é".repeat(5_000));
        assert_eq!((name.chars().count(), name.ends_with('…')), (MAX_LINE, true));
        let lines = block(&"ten letters\n".repeat(5_000));
        assert!(lines.iter().map(|l| l.chars().count() + 1).sum::<usize>() <= MAX_BLOCK + 1);
    }

    #[test]
    fn a_message_keeps_its_lines() {
        assert_eq!(
            block("\n\nSide gate\tis open.\r\n\r\nFriendly dog.\n\n"),
            ["Side gate is open.", "", "Friendly dog."]
        );
        assert!(block(" \n\t\r\n").is_empty());
    }
}
