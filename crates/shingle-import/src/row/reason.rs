//! Reasons why rows are left out.

/// A reason without what is particular to one row, for counting.
pub(crate) fn kind_of(reason: &str) -> String {
    let mut out = String::new();
    for (i, part) in reason.split('`').enumerate() {
        out.push_str(if i % 2 == 1 { "…" } else { part });
    }
    let mut kind = String::with_capacity(out.len());
    for c in out.chars() {
        let number = c.is_ascii_digit() || (c == '.' && kind.ends_with('#'));
        if !number {
            kind.push(c);
        } else if !kind.ends_with('#') {
            kind.push('#');
        }
    }
    kind
}
