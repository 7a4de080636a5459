//! Minifies stylesheets: takes out comments and blanks. Shorter notations would win nothing after brotli.
//!
//! # Decision
//!
//! Thirty lines minify the stylesheets for server and builder. Turned down: lightningcss, with fewer characters but
//! more bytes after brotli.

/// Removes comments, and blanks that mean nothing. Quoted text stays as it is.
pub fn minify_css(style: &str) -> String {
    let mut minified = String::with_capacity(style.len());
    let mut rest = style;
    while let Some(next) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            continue;
        }
        if matches!(next, '"' | '\'') {
            let end = rest[1..].find(next).map_or(rest.len(), |end| end + 2);
            minified.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        rest = &rest[next.len_utf8()..];
        if next.is_ascii_whitespace() {
            // A blank before a colon begins a selector; one after it never means anything.
            if !minified.is_empty() && !minified.ends_with([' ', '{', '}', ';', ',', ':', '>']) {
                minified.push(' ');
            }
            continue;
        }
        if matches!(next, '{' | '}' | ';' | ',' | '>' | '!') {
            minified.truncate(minified.trim_end_matches(' ').len());
        }
        if next == '}' && minified.ends_with(';') {
            minified.pop();
        }
        minified.push(next);
    }
    minified
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minified_style_says_the_same_in_fewer_characters() {
        let style = "/* why; { */\n.a :hover,\n.b > i {\n  margin: calc(1px + 2px) 0 !important;\n  \
            content: \"a ; /* { b\";\n}\n\n@media (width < 3px) and (hover) {\n  .c { --x: 1; }\n}\n";
        let minified = ".a :hover,.b>i{margin:calc(1px + 2px) 0!important;content:\"a ; /* { b\"}\
            @media (width < 3px) and (hover){.c{--x:1}}";
        assert_eq!(minify_css(style), minified);
        assert_eq!(minify_css(minified), minified);
    }

    #[test]
    fn a_quote_or_a_comment_that_does_not_end_ends_the_style_and_not_the_server() {
        for (style, minified) in [("a{b:'c  d", "a{b:'c  d"), ("a{} /* b", "a{}"), ("'", "'"), ("", "")] {
            assert_eq!(minify_css(style), minified);
        }
    }
}
