//! What people call a lead.

use shingle_domain::LeadId;

/// Six characters that are easy to read out, from the random end of the id: `7K3-Q9F`.
pub fn reference(id: LeadId) -> String {
    const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let letter = |position: u32| char::from(LETTERS[(id.0.as_u128() >> (5 * position)) as usize & 31]);
    format!("{}{}{}-{}{}{}", letter(5), letter(4), letter(3), letter(2), letter(1), letter(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_easy_to_read_out() {
        let id: LeadId = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a".parse().unwrap();
        let text = reference(id);
        assert_eq!(text.len(), 7);
        assert!(text.chars().all(|c| c == '-' || (c.is_ascii_alphanumeric() && !"ILOU".contains(c))), "{text}");
    }
}
