//! Splits a recorded line into words that can be compared.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The rest of a longer text is ignored; names on deeds have a few dozen letters.
const MAX_LETTERS: usize = 600;

/// A letter that a broken import lost: equal to any letter.
pub(crate) const LOST_LETTER: char = '\u{fffd}';

/// A token of a recorded line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// Upper case without accents, apostrophes and points; hyphens are kept.
    Word(String),
    Comma,
    /// `&`, `AND`, `OR`, `;`, `/`: another owner begins.
    Next,
    /// `C/O`, `%`, `ATTN`: a mail recipient follows.
    CareOf,
}

/// Upper-case letters of the Latin alphabet where there is one, accents off, apostrophes out.
fn plain(text: &str, out: &mut Vec<char>) {
    // A spacing accent must not become a space on decomposition.
    let marks = |c: char| matches!(c, '\'' | '’' | '‘' | '`' | '´' | 'ʼ' | 'ʻ' | 'ʹ' | '′' | '＇' | '‛');
    for c in text.chars().take(MAX_LETTERS).filter(|c| !marks(*c)).nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ß' | 'ẞ' => out.extend(['S', 'S']),
            'æ' | 'Æ' => out.extend(['A', 'E']),
            'œ' | 'Œ' => out.extend(['O', 'E']),
            'ø' | 'Ø' => out.push('O'),
            'đ' | 'Đ' | 'ð' | 'Ð' => out.push('D'),
            'ł' | 'Ł' => out.push('L'),
            'þ' | 'Þ' => out.extend(['T', 'H']),
            'ı' => out.push('I'),
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => out.push('-'),
            c if marks(c) => {}
            c => out.extend(c.to_uppercase()),
        }
    }
}

/// Splits a line into tokens. Text in `(…)` and `"…"` is never an owner's name and is left out, except that
/// `(NÉE …)` is read as another name.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut letters = Vec::new();
    plain(text, &mut letters);
    let letters = remove_asides(&letters);
    let mut found = Vec::new();
    let mut start = 0;
    for (i, c) in letters.iter().enumerate() {
        if c.is_whitespace() || matches!(c, ',' | '&' | '+' | ';' | '|' | '%' | '*' | '_' | '=' | '<' | '>' | '~' | '!')
        {
            word(&letters[start..i], &mut found);
            start = i + 1;
            match c {
                ',' => found.push(Token::Comma),
                '&' | '+' | ';' | '|' | '\n' | '\r' => found.push(Token::Next),
                // `50%` is a share and ends an owner, `% NAME` is a mail recipient.
                '%' if i.checked_sub(1).is_some_and(|p| letters[p].is_ascii_digit()) => found.push(Token::Next),
                '%' => found.push(Token::CareOf),
                _ => {}
            }
        }
    }
    word(&letters[start..], &mut found);
    // Between names they separate owners; elsewhere they are names themselves.
    for i in 1..found.len().saturating_sub(1) {
        let parts = matches!(&found[i], Token::Word(w) if matches!(w.as_str(), "OR" | "AKA" | "FKA" | "NKA" | "NEE"));
        if parts && matches!((&found[i - 1], &found[i + 1]), (Token::Word(_), Token::Word(_))) {
            found[i] = Token::Next;
        }
    }
    found
}

fn remove_asides(letters: &[char]) -> Vec<char> {
    let mut kept = Vec::with_capacity(letters.len());
    let mut i = 0;
    while i < letters.len() {
        let close = match letters[i] {
            '(' => Some(')'),
            '[' => Some(']'),
            '"' | '“' | '”' => Some('"'),
            _ => None,
        };
        let end = close.and_then(|close| {
            let is_end = |c: &char| *c == close || (close == '"' && matches!(c, '“' | '”'));
            letters[i + 1..].iter().position(is_end).map(|n| i + 1 + n)
        });
        match (close, end) {
            (Some(_), Some(end)) => {
                let inside: String = letters[i + 1..end].iter().collect();
                if let Some(name) = inside.trim().strip_prefix("NEE ") {
                    kept.extend([' ', ';', ' ']);
                    kept.extend(name.chars());
                    kept.extend([' ', ';']);
                }
                kept.push(' ');
                i = end + 1;
            }
            (Some(_), None) => {
                kept.push(' ');
                i += 1;
            }
            (None, _) => {
                kept.push(letters[i]);
                i += 1;
            }
        }
    }
    kept
}

/// Splits a run without spaces at slashes and points.
fn word(run: &[char], found: &mut Vec<Token>) {
    let run: &[char] = match run {
        [rest @ .., ':' | '.' | ')' | ']'] | ['#' | ':' | '.' | '*', rest @ ..] => return word(rest, found),
        run => run,
    };
    if run.is_empty() || !run.iter().any(|c| c.is_alphanumeric()) {
        return;
    }
    let slashed: Vec<&[char]> = run.split(|c| matches!(c, '/' | '\\')).filter(|p| !p.is_empty()).collect();
    if let [a, b] = slashed.as_slice()
        && *a == ['C']
        && matches!(b, ['O'] | ['0'])
    {
        found.push(Token::CareOf);
        return;
    }
    // `C/OJOHN`
    if let ['C', '/', 'O', rest @ ..] = run
        && !rest.is_empty()
    {
        found.push(Token::CareOf);
        return word(rest, found);
    }
    if slashed.len() > 1 {
        // `J/T`, `A/K/A`, `U/D/T` are one word; `1/2` is a share.
        if slashed.iter().all(|p| p.len() <= 2) {
            return word(&slashed.concat(), found);
        }
        for (i, part) in slashed.iter().enumerate() {
            if i > 0 {
                found.push(Token::Next);
            }
            word(part, found);
        }
        return;
    }
    let pointed: Vec<&[char]> = run.split(|c| *c == '.').filter(|p| !p.is_empty()).collect();
    if pointed.len() > 1 {
        // `L.L.C.`, `PH.D.`, but not `ST.JOHN`.
        if pointed.iter().all(|p| p.len() <= 2) && pointed.iter().any(|p| p.len() == 1) {
            return word(&pointed.concat(), found);
        }
        for part in pointed {
            word(part, found);
        }
        return;
    }
    let mut text = String::new();
    for (i, c) in run.iter().enumerate() {
        match c {
            c if c.is_alphanumeric() => text.push(*c),
            '-' if !text.is_empty() && i + 1 < run.len() => text.push('-'),
            '?' | &LOST_LETTER if i > 0 && i + 1 < run.len() => text.push(LOST_LETTER),
            _ => {}
        }
    }
    match text.as_str() {
        "" => {}
        "AND" => found.push(Token::Next),
        "ATTN" | "ATTENTION" => found.push(Token::CareOf),
        _ => found.push(Token::Word(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let shown = |p: Token| match p {
            Token::Word(w) => w,
            Token::Comma => ",".into(),
            Token::Next => "&".into(),
            Token::CareOf => "C/O".into(),
        };
        tokens(text).into_iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_line_is_read_into_plain_words() {
        for (text, words) in [
            ("Nguyễn, Đức", "NGUYEN , DUC"),
            ("O’Brien-Łoś  Zoë", "OBRIEN-LOS ZOE"),
            ("O´Dell", "ODELL"),
            ("TALLOWBY L.L.C.", "TALLOWBY LLC"),
            ("ST.CLOUD/RUSK, ED. PH.D", "ST CLOUD & RUSK , ED PHD"),
            ("PINE ADA J/T 1/2 INT", "PINE ADA JT 12 INT"),
            ("% PINE ADA", "C/O PINE ADA"),
            ("PINE ADA 50% & OAK C/O ELM", "PINE ADA 50 & & OAK C/O ELM"),
            ("PINE_ADA\nOAK*BO", "PINE ADA & OAK BO"),
            ("ROBERT \"BOB\" PINE (TRUSTEE)", "ROBERT PINE"),
            ("PINE ADA (NEE OAKLEY)", "PINE ADA & OAKLEY &"),
            ("NU?EZ, A", "NU\u{fffd}EZ , A"),
            ("OR, ADA", "OR , ADA"),
            ("PINE ADA OR OAK BO", "PINE ADA & OAK BO"),
            ("¿? …", ""),
        ] {
            assert_eq!(shown(text), words, "{text}");
        }
    }
}
