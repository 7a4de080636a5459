//! Which names may be alike, told by their letters.

/// Names at least this similar (Jaro-Winkler) count as one name, misspelled.
pub const MIN_SIMILARITY: f64 = 0.94;

/// How often a name has each letter: tells most names that are not alike without comparing them.
pub struct LetterCounts<'a> {
    name: &'a [u8],
    counts: [u8; 128],
}

impl<'a> LetterCounts<'a> {
    pub fn of(name: &'a str) -> Self {
        let mut counts = [0u8; 128];
        for b in name.bytes() {
            if let Some(count) = counts.get_mut(usize::from(b)) {
                *count = count.saturating_add(1);
            }
        }
        Self { name: name.as_bytes(), counts }
    }

    /// `false` where even with all common letters in place and in order the names would not reach [`MIN_SIMILARITY`].
    pub fn may_be_alike(&self, other: &str) -> bool {
        if !other.is_ascii() || !self.name.is_ascii() || other.is_empty() || self.name.len() > 255 {
            return true;
        }
        let mut left = self.counts;
        let mut common = 0.0;
        for b in other.bytes() {
            if let Some(count) = left.get_mut(usize::from(b)).filter(|count| **count > 0) {
                *count -= 1;
                common += 1.0;
            }
        }
        let jaro = (common / self.name.len() as f64 + common / other.len() as f64 + 1.0) / 3.0;
        let prefix = self.name.iter().zip(other.as_bytes()).take(4).take_while(|(a, b)| a == b).count();
        jaro + 0.1 * prefix as f64 * (1.0 - jaro) > MIN_SIMILARITY - 1e-9
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_name_that_is_alike_is_never_left_out(a in "[A-D ]{1,12}", b in "[A-D ]{1,12}", at in 0usize..12) {
            // One letter changed, one left out, and any other.
            let changed: String = a.chars().enumerate().map(|(i, c)| if i == at { 'X' } else { c }).collect();
            let shorter: String = a.chars().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| c).collect();
            for other in [&b, &changed, &shorter] {
                let alike = strsim::jaro_winkler(other, &a) >= MIN_SIMILARITY;
                prop_assert!(!alike || LetterCounts::of(&a).may_be_alike(other), "{a} {other}");
            }
        }
    }

    #[test]
    fn most_names_are_told_apart_by_their_letters() {
        let letters = LetterCounts::of("WASHINGTON");
        assert!(letters.may_be_alike("WASHINGTOM") && letters.may_be_alike("WASHNGTON"));
        assert!(
            ["ALDER", "WASH", "HAMILTON", "BERFENCOT", ""]
                .iter()
                .filter(|n| !n.is_empty())
                .all(|n| !letters.may_be_alike(n))
        );
    }
}
