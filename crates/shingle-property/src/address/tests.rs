use super::*;

fn line(text: &str) -> Normalized {
    parse_line(text).normalized
}

#[test]
fn a_line_with_everything_is_read() {
    let n = line("14 Alder Ct, Portland, ME 04103");
    assert_eq!(n.key(), "14||ALDER|CT|||04103");
    assert_eq!((n.city.as_str(), n.state), ("PORTLAND", State::parse("ME")));
}
