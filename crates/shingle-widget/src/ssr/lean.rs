//! Minifies stylesheets: takes out comments and blanks. Shorter notations would win nothing after brotli.

/// Removes comments, and blanks that mean nothing. Quoted text stays as it is.
pub fn lean_css(style: &str) -> String {
    let mut lean = String::with_capacity(style.len());
    let mut rest = style;
    while let Some(next) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            continue;
        }
        if matches!(next, '"' | '\'') {
            let end = rest[1..].find(next).map_or(rest.len(), |end| end + 2);
            lean.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        rest = &rest[next.len_utf8()..];
        if next.is_ascii_whitespace() {
            // A blank before a colon begins a selector; one after it never means anything.
            if !lean.is_empty() && !lean.ends_with([' ', '{', '}', ';', ',', ':', '>']) {
                lean.push(' ');
            }
            continue;
        }
        if matches!(next, '{' | '}' | ';' | ',' | '>' | '!') {
            lean.truncate(lean.trim_end_matches(' ').len());
        }
        if next == '}' && lean.ends_with(';') {
            lean.pop();
        }
        lean.push(next);
    }
    lean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lean_style_says_the_same_in_fewer_characters() {
        let style = "/* why; { */\n.a :hover,\n.b > i {\n  margin: calc(1px + 2px) 0 !important;\n  \
            content: \"a ; /* { b\";\n}\n\n@media (width < 3px) and (hover) {\n  .c { --x: 1; }\n}\n";
        let lean = ".a :hover,.b>i{margin:calc(1px + 2px) 0!important;content:\"a ; /* { b\"}\
            @media (width < 3px) and (hover){.c{--x:1}}";
        assert_eq!(lean_css(style), lean);
        assert_eq!(lean_css(lean), lean);
    }

    #[test]
    fn a_quote_or_a_comment_that_does_not_end_ends_the_style_and_not_the_server() {
        for (style, lean) in [("a{b:'c  d", "a{b:'c  d"), ("a{} /* b", "a{}"), ("'", "'"), ("", "")] {
            assert_eq!(lean_css(style), lean);
        }
    }
}
