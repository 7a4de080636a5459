//! Which files of a state may have a key, for all its small files at once, in memory. A look-up reads only those, and
//! costs the same with 150 files as with one.
//!
//! A key takes 4.5 bytes: 16 bits of its hash, 16 of its file's number and a share of the bucket's start. A state of
//! five million homes in small files takes 23 MB for its homes and at most as much for its parcels, of which those alone are
//! kept that several files have; what lies in large files takes nothing.
//!
//! # Decision
//!
//! One list for all files of a state. Turned down: a list per file, which a look-up had to search once per file.

/// A file with more places is asked every time: a state has few of them.
const MAX_PLACES_OF_A_FILE: u64 = 100_000;
/// Places of one state that are listed, those of the smallest files first.
const MAX_PLACES: u64 = 5_000_000;
const KEYS_OF_A_BUCKET: usize = 8;

pub(super) struct KeyDirectory {
    /// Where each bucket begins in the lists below, and where the last one ends.
    starts: Box<[u32]>,
    /// The lowest bits of each key, and its file.
    listed: Box<[(u16, u16)]>,
    /// Files that may have any key.
    unlisted: Vec<usize>,
}

impl KeyDirectory {
    /// `places` is the number of places of each file; `keys_of` gives the keys of a file, or `None` if its list is not
    /// complete.
    pub fn read<E>(places: &[u64], keys_of: impl FnMut(usize) -> Result<Option<Vec<u64>>, E>) -> Result<Self, E> {
        let (found, unlisted) = Self::listed(places, keys_of)?;
        Ok(Self::of(found, unlisted))
    }

    /// The keys of the files that are listed, and the other files.
    #[expect(clippy::type_complexity, reason = "two lists")]
    fn listed<E>(
        places: &[u64],
        mut keys_of: impl FnMut(usize) -> Result<Option<Vec<u64>>, E>,
    ) -> Result<(Vec<(u64, u16)>, Vec<usize>), E> {
        let mut by_size: Vec<usize> = (0..places.len()).collect();
        by_size.sort_by_key(|file| places[*file]);
        let mut left = MAX_PLACES;
        let mut unlisted = Vec::new();
        let mut found: Vec<(u64, u16)> = Vec::new();
        for file in by_size {
            let fits = places[file] <= MAX_PLACES_OF_A_FILE.min(left);
            let (true, Ok(number)) = (fits, u16::try_from(file)) else {
                unlisted.push(file);
                continue;
            };
            match keys_of(file)? {
                Some(keys) => {
                    left -= places[file];
                    found.extend(keys.into_iter().map(|key| (key, number)));
                }
                None => unlisted.push(file),
            }
        }
        unlisted.sort_unstable();
        Ok((found, unlisted))
    }

    /// Without the keys that one file alone has, where it is known which file asks: most parcels lie in one file.
    pub fn of_shared<E>(places: &[u64], keys_of: impl FnMut(usize) -> Result<Option<Vec<u64>>, E>) -> Result<Self, E> {
        let (mut found, unlisted) = Self::listed(places, keys_of)?;
        // A file that is not listed may share any of them.
        if unlisted.is_empty() {
            found.sort_unstable();
            found.dedup();
            let shared = found.chunk_by(|(one, _), (other, _)| one == other).filter(|files| files.len() > 1);
            found = shared.flatten().copied().collect();
        }
        Ok(Self::of(found, unlisted))
    }

    fn of(mut found: Vec<(u64, u16)>, unlisted: Vec<usize>) -> Self {
        let buckets = found.len() / KEYS_OF_A_BUCKET + 1;
        found.sort_unstable_by_key(|(key, file)| (bucket_of(*key, buckets), *file));
        let mut starts = vec![0; buckets + 1];
        for (key, _) in &found {
            starts[bucket_of(*key, buckets) + 1] += 1;
        }
        for at in 0..buckets {
            starts[at + 1] += starts[at];
        }
        Self { starts: starts.into(), listed: found.iter().map(|(key, file)| (*key as u16, *file)).collect(), unlisted }
    }

    /// The files that may have a key, in order. A file that has it is always among them.
    pub fn files_of(&self, key: u64) -> Vec<usize> {
        let bucket = bucket_of(key, self.starts.len() - 1);
        let listed = &self.listed[self.starts[bucket] as usize..self.starts[bucket + 1] as usize];
        let mut files: Vec<usize> =
            listed.iter().filter(|(mark, _)| *mark == key as u16).map(|(_, file)| usize::from(*file)).collect();
        files.extend(&self.unlisted);
        files.sort_unstable();
        files.dedup();
        files
    }
}

/// The highest half of a key, scaled to the number of buckets.
fn bucket_of(key: u64, buckets: usize) -> usize {
    (((key >> 32) * buckets as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    fn directory(files: &[Option<Vec<u64>>]) -> KeyDirectory {
        let places: Vec<u64> = files.iter().map(|keys| keys.as_ref().map_or(1, |keys| keys.len() as u64)).collect();
        let Ok::<_, Infallible>(directory) = KeyDirectory::read(&places, |file| Ok(files[file].clone()));
        directory
    }

    proptest! {
        #[test]
        fn every_file_with_a_key_is_found_and_hardly_any_other(
            files in proptest::collection::vec(proptest::collection::vec(any::<u64>(), 0..60), 1..30),
        ) {
            let directory = directory(&files.iter().cloned().map(Some).collect::<Vec<_>>());
            let mut others = 0;
            for (file, keys) in files.iter().enumerate() {
                for key in keys {
                    let found = directory.files_of(*key);
                    prop_assert!(found.contains(&file));
                    others += found.iter().filter(|file| !files[**file].contains(key)).count();
                }
            }
            // Of some thousand keys, each compared with eight others.
            prop_assert!(others < 20, "{others} files would be read for nothing");
        }
    }

    proptest! {
        #[test]
        fn of_shared_keys_the_others_that_have_it_are_found(
            files in proptest::collection::vec(proptest::collection::vec(0..40_u64, 0..12), 2..8),
            is_listed in proptest::collection::vec(proptest::bool::weighted(0.9), 8),
        ) {
            let key = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let places = vec![1; files.len()];
            let keys = |file: usize| is_listed[file].then(|| files[file].iter().map(|n| key(*n)).collect());
            let Ok::<_, Infallible>(directory) = KeyDirectory::of_shared(&places, |file| Ok(keys(file)));
            for n in 0..40 {
                let found = directory.files_of(key(n));
                let having: Vec<usize> = (0..files.len()).filter(|file| files[*file].contains(&n)).collect();
                if having.len() > 1 {
                    prop_assert!(having.iter().all(|file| found.contains(file)), "{found:?} of {having:?}");
                }
                if is_listed[..files.len()].iter().all(|listed| *listed) && having.len() < 2 {
                    prop_assert_eq!(found, Vec::<usize>::new());
                }
            }
        }
    }

    #[test]
    fn files_that_are_not_listed_may_have_any_key() {
        let files = [Some(vec![7 << 40 | 1, 9 << 40 | 2]), None, Some(vec![7 << 40 | 1])];
        let directory = directory(&files);
        assert_eq!(directory.files_of(7 << 40 | 1), [0, 1, 2]);
        assert_eq!(directory.files_of(9 << 40 | 2), [0, 1]);
        assert_eq!(directory.files_of(5), [1]);
    }

    #[test]
    fn the_smallest_files_are_listed_as_far_as_memory_allows() {
        let mut places = vec![MAX_PLACES_OF_A_FILE; 60];
        places[3] = MAX_PLACES_OF_A_FILE + 1;
        places[59] = 1;
        let mut asked = Vec::new();
        let Ok::<_, Infallible>(directory) = KeyDirectory::read(&places, |file| {
            asked.push(file);
            Ok(Some(vec![file as u64]))
        });
        assert_eq!((asked.len(), asked[0]), (50, 59));
        assert_eq!(directory.unlisted.len(), 10);
        assert!(directory.unlisted.contains(&3));
    }

    #[test]
    fn a_key_takes_less_than_five_bytes() {
        let keys: Vec<u64> = (0..100_000_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let directory = directory(&[Some(keys)]);
        let bytes = size_of_val(&*directory.starts) + size_of_val(&*directory.listed);
        assert!(bytes < 500_000, "{bytes} bytes for 100,000 keys");
    }
}
