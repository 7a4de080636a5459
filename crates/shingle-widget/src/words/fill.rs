//! Sentences with something to fill in.

/// `template` with each `{name}` replaced. Small on purpose: the formatting machinery of the standard
/// library would weigh more than all these words.
pub fn fill(template: &str, with: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len() + 24);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, behind)) = after.split_once('}') else { break };
        text.push_str(before);
        if let Some((_, value)) = with.iter().find(|(n, _)| *n == name) {
            text.push_str(value);
        }
        rest = behind;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_and_unknown_ones_vanish() {
        assert_eq!(fill("{a} of {b}{c}", &[("a", "1"), ("b", "{a}")]), "1 of {a}");
        assert_eq!(fill("no end {a", &[("a", "1")]), "no end {a");
    }
}
