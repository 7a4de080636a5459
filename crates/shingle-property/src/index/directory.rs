//! What a search for an address needs of all files at once, in memory: every street's text once, whatever the number of
//! files that have the street, and which files have a house of a number on it. So a search reads the files that have what
//! it looks for, and costs no more with a hundred files than with one.
//!
//! A home takes 16 bytes, a text some 130. The largest files are left out once there are [`MAX_HOMES`]: they are few, and
//! each is searched on its own.
//!
//! # Decision
//!
//! All streets and house numbers are held in memory (16 bytes a home, about 130 a street) from the first search after
//! an import, so a search opens only files with a match and costs the same with 150 files as with one. Files over 2
//! million homes are searched one by one. Turned down: one merged file on disk, which every small import would
//! rewrite.

use std::ops::Range;
use std::sync::Arc;

use super::reader::Readers;
use super::title::pieces;
use crate::error::PropertyError;

/// Homes in files that are listed: some 40 MB with their streets, and two seconds to list.
pub(super) const MAX_HOMES: u64 = 2_000_000;

#[derive(Default)]
pub(crate) struct Directory {
    pub readers: Arc<Readers>,
    /// Files that are searched one by one.
    pub unlisted: Vec<usize>,
    /// In their order.
    titles: Vec<Box<str>>,
    /// By title, then file.
    spans: Vec<Span>,
    /// Pieces of misspelled text, each with a title that has it, in order.
    pieces: Vec<(u32, u32)>,
    /// By number, then title, then file.
    houses: Vec<Numbered>,
    /// The same by title, then number: their places in the list.
    by_title: Vec<u32>,
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

impl Directory {
    /// Lists the files that have so many homes together, the smallest first.
    pub(crate) fn read(readers: Arc<Readers>, most_homes: u64) -> Result<Self, PropertyError> {
        let mut files: Vec<usize> = (0..readers.len()).collect();
        files.sort_by_key(|file| readers[*file].places);
        let mut homes = 0;
        let (listed, mut unlisted): (Vec<usize>, Vec<usize>) = files.into_iter().partition(|file| {
            homes += readers[*file].places;
            homes <= most_homes
        });
        unlisted.sort_unstable();
        let mut found = Self { unlisted, ..Self::default() };
        let mut texts: Vec<(Box<str>, Span)> = Vec::new();
        for file in &listed {
            readers[*file].shard.each_title(|text, first, last| {
                let span = Span { title: 0, file: *file as u32, first: first as u32, last: last as u32 };
                texts.push((text.into(), span));
            })?;
        }
        texts.sort_unstable();
        for (text, span) in texts {
            if found.titles.last() != Some(&text) {
                found.titles.push(text);
            }
            found.spans.push(Span { title: found.titles.len() as u32 - 1, ..span });
        }
        for (title, text) in (0..).zip(&found.titles) {
            found.pieces.extend(pieces(text).into_iter().map(|piece| (piece as u32, title)));
        }
        found.pieces.sort_unstable();
        found.list_houses(&readers, &listed)?;
        found.readers = readers;
        Ok(found)
    }

    fn list_houses(&mut self, readers: &Readers, listed: &[usize]) -> Result<(), PropertyError> {
        let mut of_file: Vec<Vec<Span>> = vec![Vec::new(); readers.len()];
        for span in &self.spans {
            of_file[span.file as usize].push(*span);
        }
        for file in listed {
            // Streets are numbered in the order of their texts.
            let mut spans = of_file[*file].iter().peekable();
            readers[*file].shard.each_house(|street, low| {
                while spans.next_if(|span| i64::from(span.last) < street).is_some() {}
                if let Some(span) = spans.peek() {
                    self.houses.push(Numbered { low, title: span.title, file: span.file });
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

    /// The titles that begin so.
    pub(crate) fn beginning_with(&self, text: &str) -> Range<u32> {
        let first = self.titles.partition_point(|title| **title < *text);
        let more = self.titles[first..].partition_point(|title| title.starts_with(text));
        first as u32..(first + more) as u32
    }

    pub(crate) fn title(&self, title: u32) -> &str {
        self.titles.get(title as usize).map_or("", |text| text)
    }

    /// The titles that share a piece.
    pub(crate) fn like(&self, piece: i64, most: usize) -> impl Iterator<Item = u32> {
        let piece = piece as u32;
        let first = self.pieces.partition_point(|(known, _)| *known < piece);
        self.pieces[first..].iter().take(most).take_while(move |(known, _)| *known == piece).map(|(_, title)| *title)
    }

    /// The streets of some titles, in the order of the titles.
    pub(crate) fn streets(&self, titles: &Range<u32>) -> impl Iterator<Item = Span> {
        let first = self.spans.partition_point(|span| span.title < titles.start);
        let end = titles.end;
        self.spans[first..].iter().take_while(move |span| span.title < end).copied()
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

    /// The streets of some titles that have a house of this number, in the order of the titles.
    pub(crate) fn with_number(&self, low: u32, titles: &Range<u32>) -> impl Iterator<Item = Span> {
        let (start, end) = (titles.start, titles.end);
        let first = self.houses.partition_point(|house| (house.low, house.title) < (low, start));
        let here = self.houses[first..].iter().take_while(move |house| house.low == low && house.title < end);
        here.filter_map(|house| {
            let at = self.spans.partition_point(|span| (span.title, span.file) < (house.title, house.file));
            self.spans.get(at).copied()
        })
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(directory.streets(&main).count(), 5);
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
}
