//! Takes out of the small stylesheets what only their readers need. It relies on how they are written: nothing is
//! quoted, and a rule's parts stand on lines of their own.

pub fn lean_css(style: &str) -> String {
    let mut out = String::with_capacity(style.len());
    let mut rest = style;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let joined: String = out.lines().map(str::trim).collect();
    [(" {", "{"), (": ", ":"), (", ", ","), (" > ", ">"), (" !", "!"), (";}", "}"), (":0.", ":."), (" 0.", " .")]
        .into_iter()
        .fold(joined, |css, (long, short)| css.replace(long, short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stylesheet_keeps_the_blanks_that_mean_something() {
        let style = "/* why */\na > b {\n  margin: calc(1px + 2px) auto;\n  font: 600 16px/1 x, y !important;\n}\n";
        assert_eq!(lean_css(style), "a>b{margin:calc(1px + 2px) auto;font:600 16px/1 x,y!important}");
    }
}
