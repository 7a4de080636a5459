//! What a search for an address needs of all files at once, in memory: every street's text once, which files have the street,
//! their towns, and of small files which of them have a house of a number on it. So a search reads the files that have what it
//! looks for, and costs little more with a hundred files than with one.
//!
//! A text takes some 25 bytes and 8 more for each file that has it, a town some 60 for each file, a listed home 16. Homes are
//! listed of the smallest files, up to [`MAX_HOMES`] of them: the others are few, and each finds its houses by a row or two
//! of its own list.
//!
//! # Decision
//!
//! All streets are held in memory from the first search after an import: in a nation of 150 files, some two million texts and
//! ten million pairs of text and file, 130 MB. Turned down: lists in each file of the pieces that survive a typing error, which
//! a search had to ask file by file, seven pieces in each; one merged file on disk, which every small import would rewrite;
//! listing all homes, 16 bytes each.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::Range;
use std::sync::Arc;

use super::reader::Readers;
use super::shard::ShardReader;
use super::title_list::{ListedTitle, TownName};
use crate::error::PropertyError;
use shingle_domain::cold_sort::ColdSort as _;

/// Homes in files whose homes are listed: some 40 MB with their streets, and two seconds to list.
pub(super) const MAX_HOMES: u64 = 2_000_000;

/// Letters at the beginning in which one typing error is forgiven, where so many were typed.
const ALIKE_IN: [usize; 2] = [6, 4];
/// Titles that are like what was typed, at most.
const MAX_ALIKE: usize = 4_000;

#[derive(Default)]
pub(crate) struct Directory {
    pub readers: Arc<Readers>,
    /// Files whose houses are not listed.
    pub unlisted: Vec<usize>,
    /// One behind the other, in their order, and where each begins.
    texts: String,
    starts: Vec<u32>,
    /// The titles of each file, with one behind the last.
    of_files: Vec<Vec<FileTitle>>,
    /// Of each file, in order.
    towns: Vec<Vec<TownName>>,
    /// By number, then title, then file.
    houses: Vec<Numbered>,
    /// The same by title, then number: their places in the list.
    by_title: Vec<u32>,
}

/// A title of a file, with its first street. The streets up to the next title's have it too.
#[derive(Debug, Clone, Copy)]
struct FileTitle {
    title: u32,
    first: u32,
}

/// The streets of one text in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub title: u32,
    pub file: u32,
    first: u32,
    last: u32,
}

impl Span {
    pub fn streets(self) -> (i64, i64) {
        (i64::from(self.first), i64::from(self.last))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Numbered {
    low: u32,
    title: u32,
    file: u32,
}

/// The titles of a file, one after the other.
struct Titles<'r> {
    shard: &'r ShardReader,
    next_row: i64,
    row: std::vec::IntoIter<ListedTitle>,
    /// The street behind those that were read.
    end: i64,
}

impl<'r> Titles<'r> {
    fn of(shard: &'r ShardReader) -> Self {
        Self { shard, next_row: 0, row: Vec::new().into_iter(), end: 1 }
    }

    fn next(&mut self) -> Result<Option<ListedTitle>, PropertyError> {
        if self.row.as_slice().is_empty() {
            let lost = || PropertyError::damaged(&self.shard.path, "a list of titles is missing");
            let Some(row) = self.shard.titles(self.next_row)? else {
                return if self.end == self.shard.street_count() + 1 { Ok(None) } else { Err(lost()) };
            };
            if row.titles.first().is_some_and(|title| title.first != self.end) {
                return Err(lost());
            }
            (self.next_row, self.end, self.row) = (self.next_row + 1, row.end, row.titles.into_iter());
        }
        Ok(self.row.next())
    }
}

impl Directory {
    /// Lists the titles of all files, and the houses of those that have so many homes together, the smallest first.
    pub(crate) fn read(readers: Arc<Readers>, most_homes: u64) -> Result<Self, PropertyError> {
        let mut files: Vec<usize> = (0..readers.len()).collect();
        files.cold_sort_by_key(|file| readers[*file].places);
        let mut homes = 0;
        let (listed, mut unlisted): (Vec<usize>, Vec<usize>) = files.into_iter().partition(|file| {
            homes += readers[*file].places;
            homes <= most_homes
        });
        unlisted.cold_sort();
        let mut found = Self { unlisted, ..Self::default() };
        found.list_titles(&readers)?;
        for reader in readers.iter() {
            found.towns.push(reader.shard.town_names()?);
        }
        found.list_houses(&readers, &listed)?;
        found.readers = readers;
        Ok(found)
    }

    fn list_titles(&mut self, readers: &Readers) -> Result<(), PropertyError> {
        let mut sorted: Vec<Titles<'_>> = readers.iter().map(|reader| Titles::of(&reader.shard)).collect();
        self.of_files = vec![Vec::new(); readers.len()];
        // The next title of each file, the first one on top.
        let mut next = BinaryHeap::with_capacity(sorted.len());
        for (file, titles) in sorted.iter_mut().enumerate() {
            next.extend(titles.next()?.map(|title| Reverse((title.text, file, title.first))));
        }
        while let Some(mut top) = next.peek_mut() {
            let Reverse((text, file, first)) = &*top;
            let file = *file;
            if self.starts.last().is_none_or(|start| self.texts[*start as usize..] != **text) {
                self.starts.push(self.texts.len() as u32);
                self.texts.push_str(text);
            }
            let title = self.starts.len() as u32 - 1;
            self.of_files[file].push(FileTitle { title, first: *first as u32 });
            match sorted[file].next()? {
                Some(title) => *top = Reverse((title.text, file, title.first)),
                None => {
                    let behind = FileTitle { title: u32::MAX, first: sorted[file].end as u32 };
                    self.of_files[file].push(behind);
                    self.of_files[file].shrink_to_fit();
                    drop(PeekMut::pop(top));
                }
            }
        }
        self.texts.shrink_to_fit();
        self.starts.shrink_to_fit();
        Ok(())
    }

    fn list_houses(&mut self, readers: &Readers, listed: &[usize]) -> Result<(), PropertyError> {
        for file in listed {
            let titles = &self.of_files[*file];
            // Streets are numbered in the order of their texts.
            let mut at = 0;
            readers[*file].shard.each_house(|street, low| {
                while titles.get(at + 1).is_some_and(|next| i64::from(next.first) <= street) {
                    at += 1;
                }
                if let Some(FileTitle { title, .. }) = titles.get(at) {
                    self.houses.push(Numbered { low, title: *title, file: *file as u32 });
                }
            })?;
        }
        self.houses.sort_unstable();
        self.houses.dedup();
        self.houses.shrink_to_fit();
        self.by_title = (0..self.houses.len() as u32).collect();
        self.by_title.sort_unstable_by_key(|at| {
            let Numbered { low, title, file } = self.houses[*at as usize];
            (title, low, file)
        });
        Ok(())
    }

    pub(crate) fn title(&self, title: u32) -> &str {
        let at = |title: usize| self.starts.get(title).map_or(self.texts.len(), |start| *start as usize);
        &self.texts[at(title as usize)..at(title as usize + 1)]
    }

    fn titles(&self) -> Range<u32> {
        0..self.starts.len() as u32
    }

    /// The first of some titles for which this does not hold, where it holds for all before it.
    fn first_not(&self, titles: &Range<u32>, holds: impl Fn(&str) -> bool) -> u32 {
        let Range { mut start, mut end } = *titles;
        while start < end {
            let middle = start + (end - start) / 2;
            if holds(self.title(middle)) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }

    /// Those of some titles that begin so.
    fn of_those_beginning_with(&self, titles: &Range<u32>, text: &str) -> Range<u32> {
        let first = self.first_not(titles, |title| title < text);
        first..self.first_not(&(first..titles.end), |title| title.starts_with(text))
    }

    /// The titles that begin so.
    pub(crate) fn beginning_with(&self, text: &str) -> Range<u32> {
        self.of_those_beginning_with(&self.titles(), text)
    }

    /// The titles whose first letters are what was typed but for one typing error, in order.
    pub(crate) fn alike(&self, typed: &str) -> Vec<u32> {
        let typed: Vec<char> = typed.chars().collect();
        let Some(length) = ALIKE_IN.into_iter().find(|length| typed.len() >= *length) else { return Vec::new() };
        let typed = &typed[..length];
        let mut found: Vec<u32> = self.beginning_with(&typed.iter().collect::<String>()).collect();
        for skipped in 0..length {
            if skipped > 0 && typed[skipped] == typed[skipped - 1] {
                continue;
            }
            // One letter skipped, and any letter in any place.
            let left: String = typed.iter().enumerate().filter(|(at, _)| *at != skipped).map(|(_, c)| c).collect();
            let mut titles = self.titles();
            for (at, c) in left.char_indices() {
                self.with_any_letter(&titles, &left, at, &mut found);
                titles = self.of_those_beginning_with(&titles, &left[..at + c.len_utf8()]);
            }
            // The last letter may be any.
            found.extend(titles);
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MAX_ALIKE);
        found
    }

    /// Those of some titles that begin with a text into which a letter is put, where all of them begin as it does before it.
    fn with_any_letter(&self, titles: &Range<u32>, text: &str, at: usize, found: &mut Vec<u32>) {
        let mut titles = titles.clone();
        let mut with = text[..at].to_owned();
        while titles.start < titles.end {
            let Some(letter) = self.title(titles.start).get(at..).and_then(|rest| rest.chars().next()) else {
                // It ends there.
                titles.start += 1;
                continue;
            };
            with.truncate(at);
            with.push(letter);
            let end = self.first_not(&titles, |title| title.starts_with(&with));
            let here = titles.start..end;
            with.push_str(&text[at..]);
            found.extend(self.of_those_beginning_with(&here, &with));
            titles.start = end;
        }
    }

    /// Where a title would be among those of a file.
    fn place_of(&self, file: usize, title: u32) -> usize {
        self.of_files[file].partition_point(|known| known.title < title)
    }

    fn span(&self, file: usize, at: usize) -> Option<Span> {
        let [FileTitle { title, first }, next] = *self.of_files[file].get(at..)?.first_chunk()?;
        Some(Span { title, file: file as u32, first, last: next.first - 1 })
    }

    /// The streets of some titles in some files, in the order of the titles, then of the files.
    pub(crate) fn streets(
        &self,
        titles: &Range<u32>,
        files: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = Span> {
        let end = titles.end;
        let next = move |file: usize, at: usize| {
            self.span(file, at).filter(|span| span.title < end).map(|span| Reverse((span, at)))
        };
        let start = titles.start;
        let mut first: BinaryHeap<Reverse<(Span, usize)>> =
            files.filter_map(|file| next(file, self.place_of(file, start))).collect();
        std::iter::from_fn(move || {
            let Reverse((span, at)) = first.pop()?;
            first.extend(next(span.file as usize, at + 1));
            Some(span)
        })
    }

    /// The streets of a file that have one of some titles: from the first to the last of them.
    pub(crate) fn streets_in(&self, file: usize, titles: &Range<u32>) -> Option<(i64, i64)> {
        let (from, behind) = (self.place_of(file, titles.start), self.place_of(file, titles.end));
        let first = |at: usize| self.of_files[file].get(at).map(|title| i64::from(title.first));
        if from < behind { Some((first(from)?, first(behind)? - 1)) } else { None }
    }

    /// The title of a street.
    pub(crate) fn title_of(&self, file: usize, street: i64) -> u32 {
        let titles = &self.of_files[file];
        let behind = titles.partition_point(|title| i64::from(title.first) <= street);
        titles.get(behind.saturating_sub(1)).map_or(u32::MAX, |title| title.title)
    }

    /// The towns of a file, each with one of its ZIPs, in order.
    pub(crate) fn towns(&self, file: usize) -> &[TownName] {
        &self.towns[file]
    }

    /// The files that have the houses from a number upward on the streets of a title, and those that have the houses below
    /// it; the nearest first.
    pub(crate) fn nearest(&self, title: u32, number: u32, most: usize) -> [Vec<u32>; 2] {
        let house = |at: &u32| self.houses[*at as usize];
        let middle = self.by_title.partition_point(|at| {
            let Numbered { low, title: of, .. } = house(at);
            (of, low) < (title, number)
        });
        let files = |houses: &mut dyn Iterator<Item = &u32>| {
            let mut files = Vec::new();
            for Numbered { file, .. } in houses.map(house).take_while(|house| house.title == title).take(most) {
                if !files.contains(&file) {
                    files.push(file);
                }
            }
            files
        };
        [files(&mut self.by_title[middle..].iter()), files(&mut self.by_title[..middle].iter().rev())]
    }

    /// The streets of some titles in listed files that have a house of this number, in the order of the titles, then files.
    pub(crate) fn with_number(&self, low: u32, titles: &Range<u32>) -> impl Iterator<Item = Span> {
        let (start, end) = (titles.start, titles.end);
        let first = self.houses.partition_point(|house| (house.low, house.title) < (low, start));
        let here = self.houses[first..].iter().take_while(move |house| house.low == low && house.title < end);
        here.filter_map(|house| {
            let file = house.file as usize;
            self.span(file, self.place_of(file, house.title))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::PropertyIndex;
    use crate::index::tests::{build, place, place_in};
    use crate::reference::Reference;

    #[test]
    fn a_street_of_many_files_is_listed_once_with_all_of_them() {
        let root = tempfile::tempdir().unwrap();
        for file in 0..5 {
            let own = format!("Own{} Street", ["a", "b", "c", "d", "e"][file]);
            let of_all = (1..=9).map(|n| place_in(&n.to_string(), "Main Street", "Portland", "ME", "04103"));
            build(root.path(), &format!("set-{file}"), of_all.take(4 + file).chain([place("7", &own)]));
        }
        let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
        let directory = Directory::read(index.readers().unwrap(), MAX_HOMES).unwrap();
        assert!(directory.unlisted.is_empty());
        let main = directory.beginning_with("MAIN");
        assert_eq!((main.len(), directory.title(main.start)), (1, "MAIN STREET"));
        assert_eq!(directory.streets(&main, 0..5).count(), 5);
        assert_eq!(directory.with_number(4, &main).count(), 5);
        assert_eq!(directory.with_number(6, &main).map(|span| span.file).collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!(directory.with_number(77, &main).count(), 0);
        let none: [u32; 0] = [];
        assert_eq!(directory.nearest(main.start, 99, 1), [none.to_vec(), vec![4]], "only the last has nine houses");
        assert_eq!(directory.nearest(main.start, 6, 2), [vec![2, 3], vec![4, 3]]);
        assert_eq!(directory.nearest(main.start, 1, 9)[0].len(), 5);
        assert_eq!(directory.nearest(directory.beginning_with("OWNA").start, 1, 9), [vec![0], none.to_vec()]);
        let own = directory.beginning_with("OWN");
        assert_eq!((own.len(), directory.with_number(7, &own).count()), (5, 5));
        assert_eq!(directory.beginning_with("ZZZ").len(), 0);
    }

    /// The pieces that a text and another share if their first letters differ by one typing error at most: the beginning
    /// itself, and what is left of it without one of its letters.
    fn pieces(text: &str, length: usize) -> BTreeSet<String> {
        let chars: Vec<char> = text.chars().take(length).collect();
        let without = |at: usize| chars.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, c)| c).collect();
        if chars.len() + 1 < length { BTreeSet::new() } else { (0..=chars.len()).map(without).collect() }
    }

    proptest! {
        #[test]
        fn titles_that_are_alike_are_those_that_share_a_piece(
            titles in proptest::collection::btree_set("[AB\u{c9} ]{1,8}", 1..60), typed in "[AB\u{c9} ]{1,8}",
        ) {
            let mut directory = Directory::default();
            for title in &titles {
                directory.starts.push(directory.texts.len() as u32);
                directory.texts.push_str(title);
            }
            let length = typed.chars().count();
            let length = if length >= 6 { 6 } else { 4 };
            let mut wanted: Vec<&str> = Vec::new();
            if typed.chars().count() >= length {
                let of_typed = pieces(&typed, length);
                wanted.extend(titles.iter().filter(|t| !pieces(t, length).is_disjoint(&of_typed)).map(String::as_str));
            }
            let found: Vec<&str> = directory.alike(&typed).into_iter().map(|title| directory.title(title)).collect();
            prop_assert_eq!(found, wanted);
            let begin = directory.beginning_with(&typed).map(|title| directory.title(title).to_owned());
            prop_assert!(begin.eq(titles.iter().filter(|title| title.starts_with(&typed)).cloned()));
        }
    }

    #[test]
    fn the_titles_of_many_files_are_one_list_that_leads_to_the_streets_of_each() {
        let root = tempfile::tempdir().unwrap();
        // One file with more titles than a row of them holds, and two small ones.
        let of_file = |file: usize| (0..[12_000, 90, 7][file]).map(move |n| (n * 7 + file) % 12_500);
        for file in 0..3 {
            let homes = of_file(file).map(|n| place(&(n % 4 + 1).to_string(), &format!("Road {}", n / 2)));
            build(root.path(), &format!("set-{file}"), homes);
        }
        let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
        let readers = index.readers().unwrap();
        assert_eq!([0, 1, 2].map(|file: usize| readers[file].shard.has_lists), [true, false, false]);
        let directory = Directory::read(readers.clone(), 100).unwrap();
        assert_eq!(directory.unlisted, [0]);
        let all = directory.titles();
        assert!((1..all.end).all(|title| directory.title(title - 1) < directory.title(title)));
        let mut streets = [0; 3];
        for span in directory.streets(&all, 0..3) {
            let (first, last) = span.streets();
            assert_eq!(first, streets[span.file as usize] + 1);
            streets[span.file as usize] = last;
            for street in first..=last {
                let row = readers[span.file as usize].shard.street(street).unwrap().unwrap();
                assert_eq!(row.name, directory.title(span.title));
                assert_eq!(directory.title_of(span.file as usize, street), span.title);
            }
        }
        assert_eq!(streets, [0, 1, 2].map(|file: usize| readers[file].shard.street_count()));
        let road = directory.beginning_with("ROAD 44");
        let in_first: Vec<Span> = directory.streets(&road, [0].into_iter()).collect();
        let streets = (in_first[0].streets().0, in_first[in_first.len() - 1].streets().1);
        assert_eq!(directory.streets_in(0, &road), Some(streets));
        assert_eq!(directory.streets_in(0, &directory.beginning_with("ZZZ")), None);
        assert_eq!(readers[0].shard.span("ROAD 44").unwrap(), Some(streets));
        assert_eq!(directory.towns(0).len(), 1);
        assert_eq!(directory.towns(0), directory.towns(2));
    }
}
