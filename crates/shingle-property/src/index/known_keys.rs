//! The keys of a small file, as far as they show that it lacks the one looked for. A look-up asks every file of a
//! state; with many files most of that would be reading files that do not have the home.

pub(super) struct KnownKeys {
    /// A half of each hash, in order.
    halves: Box<[u32]>,
}

impl KnownKeys {
    /// `None` where the list lacks places: those without a number are in no street.
    pub fn of(mut keys: Vec<u64>, places: u64) -> Option<Self> {
        keys.sort_unstable();
        keys.dedup();
        if keys.len() as u64 != places {
            return None;
        }
        Some(Self::all(keys))
    }

    /// Of a list that lacks none.
    pub fn all(keys: Vec<u64>) -> Self {
        let mut halves: Vec<u32> = keys.into_iter().map(|key| key as u32).collect();
        halves.sort_unstable();
        Self { halves: halves.into() }
    }

    pub fn may_have(&self, key: u64) -> bool {
        self.halves.binary_search(&(key as u32)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_key_that_is_there_is_never_denied(keys in proptest::collection::hash_set(any::<u64>(), 0..200), other: u64) {
            let list: Vec<u64> = keys.iter().chain(keys.iter()).copied().collect();
            let known = KnownKeys::of(list, keys.len() as u64).unwrap();
            prop_assert!(keys.iter().all(|key| known.may_have(*key)));
            // Two halves may agree, but seldom do.
            prop_assert!(keys.iter().any(|key| *key as u32 == other as u32) || !known.may_have(other));
        }
    }

    #[test]
    fn a_list_that_lacks_places_denies_nothing() {
        assert!(KnownKeys::of(vec![1, 2, 2], 3).is_none());
        assert!(KnownKeys::of(vec![1, 2, 2], 2).is_some());
    }
}
