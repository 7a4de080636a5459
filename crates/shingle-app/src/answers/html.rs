//! The text of an email in HTML: what a reader sees, line by line.

/// Where the email below begins in the HTML of common programs, in lower case.
const MARKS: [&str; 7] = [
    "class=\"gmail_quote",
    "class=\"gmail_attr",
    "class=\"yahoo_quoted",
    "id=\"divrplyfwdmsg\"",
    "id=\"appendonsend\"",
    "id=\"mail-editor-reference-message-container\"",
    "<blockquote type=\"cite\"",
];
/// They begin a line.
const BLOCKS: [&str; 11] = ["div", "p", "tr", "li", "ul", "ol", "table", "blockquote", "h1", "h2", "h3"];
/// What is in them is not shown.
const HIDDEN: [&str; 5] = ["head", "style", "script", "template", "title"];
/// Letters and signs that programs write by name.
const NAMED: [(&str, char); 31] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("aacute", 'á'),
    ("eacute", 'é'),
    ("iacute", 'í'),
    ("oacute", 'ó'),
    ("uacute", 'ú'),
    ("Aacute", 'Á'),
    ("Eacute", 'É'),
    ("Iacute", 'Í'),
    ("Oacute", 'Ó'),
    ("Uacute", 'Ú'),
    ("ntilde", 'ñ'),
    ("Ntilde", 'Ñ'),
    ("uuml", 'ü'),
    ("Uuml", 'Ü'),
    ("iexcl", '¡'),
    ("iquest", '¿'),
    ("rsquo", '’'),
    ("lsquo", '‘'),
    ("rdquo", '”'),
    ("ldquo", '“'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("euro", '€'),
    ("middot", '·'),
];

/// Up to the email below; all of it where nothing stands above.
pub(super) fn text_of_html(html: &str) -> String {
    // ASCII alone changes, so places stay the same.
    let low = html.to_ascii_lowercase();
    let end = MARKS.iter().filter_map(|mark| low.find(mark)).min();
    // The mark is within its tag.
    let end = end.and_then(|end| low.get(..=end)?.rfind('<')).unwrap_or(html.len());
    let above = text(html.get(..end).unwrap_or(html), low.get(..end).unwrap_or(&low));
    if above.trim().is_empty() { text(html, &low) } else { above }
}

/// `low`: the same in lower case.
fn text(html: &str, low: &str) -> String {
    let mut out = String::with_capacity(html.len() / 2);
    let mut unclosed: Vec<&str> = Vec::new();
    let mut from = 0;
    while let Some(at) = low.get(from..).and_then(|rest| rest.find('<')).map(|at| from + at) {
        push_words(&mut out, html.get(from..at).unwrap_or_default());
        let end_of = |what: &str, from: usize| Some(from + low.get(from..)?.find(what)? + what.len());
        let tag = low.get(at + 1..).unwrap_or_default();
        if tag.starts_with("!--") {
            from = end_of("-->", at).unwrap_or(html.len());
            continue;
        }
        let Some(after) = end_of(">", at) else { return out };
        from = after;
        let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if HIDDEN.contains(&name) && !tag.starts_with('/') && !unclosed.contains(&name) {
            match end_of(&format!("</{name}"), after).and_then(|end| end_of(">", end)) {
                Some(end) => from = end,
                // It is looked for once.
                None => unclosed.push(name),
            }
        }
        if name == "br" || (BLOCKS.contains(&name) && !out.ends_with('\n')) {
            out.push('\n');
        }
    }
    push_words(&mut out, html.get(from..).unwrap_or_default());
    out
}

/// Words with one space between them, and letters that stand for themselves.
fn push_words(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_whitespace() {
            if !out.ends_with([' ', '\n']) {
                out.push(' ');
            }
        } else if let Some((letter, after)) = rest.strip_prefix('&').and_then(named) {
            out.push(letter);
            rest = after;
            continue;
        } else {
            out.push(c);
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
}

/// What follows the `&`.
fn named(text: &str) -> Option<(char, &str)> {
    let end = text.bytes().take(10).position(|b| b == b';')?;
    let (name, after) = (text.get(..end)?, text.get(end + 1..)?);
    let letter = match name.strip_prefix('#') {
        Some(number) => {
            let hex = number.strip_prefix(['x', 'X']).map(|hex| u32::from_str_radix(hex, 16));
            char::from_u32(hex.unwrap_or_else(|| number.parse()).ok()?)?
        }
        None => NAMED.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((letter, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_as_in_a_browser_and_what_is_hidden_is_left_out() {
        for (html, text) in [
            ("<p>One</p><p>Two</p>", "\nOne\nTwo\n"),
            ("<div>One</div><DIV class=x>Two &amp; <b>three</b></DIV>", "\nOne\nTwo & three\n"),
            ("One<br>Two<br/><br>Three", "One\nTwo\n\nThree"),
            ("<html><head><title>x</title><style>p{a:b}</style></head><body>Hi\n  there</body>", "Hi there"),
            ("<script>if (a<b) x()</script>Hi<!-- <p>no</p> --> &lt;b&gt;", "Hi <b>"),
            ("Ma&ntilde;ana &#233;&#xe9; &bogus; &#x110000; AT&T", "Mañana éé &bogus; &#x110000; AT&T"),
            ("broken <p", "broken "),
            ("<style>Hi", "Hi"),
            ("<STYLE>no</Style >Hi", "Hi"),
            ("", ""),
        ] {
            assert_eq!(super::text(html, &html.to_ascii_lowercase()), text, "{html}");
        }
    }

    #[test]
    fn it_ends_where_the_email_below_begins() {
        let html = "<div>Thursday</div><div class=\"gmail_quote\"><div>On Dec 1 Oak wrote:</div>Old</div>";
        assert_eq!(text_of_html(html).trim(), "Thursday");
        assert!(text_of_html("<blockquote type=\"cite\">Old</blockquote>").contains("Old"), "nothing is above");
        assert_eq!(text_of_html("ñ<p>é").trim(), "ñ\né");
        // However much is wrong with it, each letter is looked at a few times.
        for piece in ["<style>", "<!--", "&", "<", "<p", "<div class=\"gmail_quote"] {
            text_of_html(&piece.repeat(50_000));
        }
    }
}
