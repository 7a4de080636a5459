//! Sorting for code that is seldom run, or that sorts little.
//!
//! # Decision
//!
//! The standard library's sorts are compiled for each type, 5 kB each: 260 of them were 1.2 MB of the program. Here one sort
//! of places is shared, and what is compiled for a type only compares and swaps. It takes twice the time and a list of
//! places, so what is sorted with each request or in the millions keeps the standard library's.

use core::cmp::Ordering;

pub trait ColdSort {
    type Item;

    /// Equal items stay in their order, as with [`sort_by`](slice::sort_by).
    fn cold_sort_by(&mut self, compare: impl FnMut(&Self::Item, &Self::Item) -> Ordering);

    fn cold_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&Self::Item) -> K) {
        self.cold_sort_by(|one, other| key(one).cmp(&key(other)));
    }

    fn cold_sort(&mut self)
    where
        Self::Item: Ord,
    {
        self.cold_sort_by(Ord::cmp);
    }
}

impl<T> ColdSort for [T] {
    type Item = T;

    fn cold_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut from = places(self.len(), &mut |one, other| compare(&self[one], &self[other]));
        // `from` says for each place which item comes there: one circle of moves after the other.
        for start in 0..from.len() {
            let mut at = start;
            loop {
                let next = core::mem::replace(&mut from[at], at);
                if next == start {
                    break;
                }
                self.swap(at, next);
                at = next;
            }
        }
    }
}

/// Which place the item of each place comes from.
fn places(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut from: Vec<usize> = (0..count).collect();
    from.sort_by(|one, other| compare(*one, *other));
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same numbers in each run, small enough to be equal often.
    fn numbers(count: usize) -> Vec<(u32, usize)> {
        let mut state = 12_345_u32;
        let next = |at| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 28, at)
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        for count in (0..40).chain([100, 1_000]) {
            let (mut ours, mut theirs) = (numbers(count), numbers(count));
            ours.cold_sort_by_key(|(number, _)| *number);
            theirs.sort_by_key(|(number, _)| *number);
            assert_eq!(ours, theirs, "{count}: equal ones stay in their order");
            ours.cold_sort_by(|one, other| other.cmp(one));
            theirs.sort_by(|one, other| other.cmp(one));
            assert_eq!(ours, theirs, "{count}");
            ours.cold_sort();
            theirs.sort();
            assert_eq!(ours, theirs, "{count}");
        }
    }

    #[test]
    fn what_cannot_be_copied_is_moved_once() {
        let mut words: Vec<String> = ["pitch", "eave", "ridge", "hip", "eave"].map(str::to_owned).into();
        words.cold_sort();
        assert_eq!(words, ["eave", "eave", "hip", "pitch", "ridge"]);
    }
}
