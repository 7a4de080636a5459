//! House numbers by street, in bounded memory: each street's text is held once, and full buffers go to disk as
//! runs of streets in the order of their text, each with its houses.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::PropertyError;
use crate::external_sort::{Merge, RunFiles, SortedRun, open_run, read_head};

/// A house of a street: its first number, how far its last number is above that, and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct House {
    pub low: u32,
    /// As SQLite sorts it: a signed number.
    pub key: i64,
    pub above: u32,
}

/// Where a street is in the buffer; good until the buffer goes to disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StreetSlot {
    round: u32,
    street: u32,
}

pub(super) struct Houses {
    budget: usize,
    round: u32,
    streets: HashMap<Box<str>, u32>,
    text_bytes: usize,
    houses: Vec<(u32, House)>,
    runs: RunFiles,
}

impl Houses {
    pub(super) fn new(folder: &Path, budget: usize) -> Self {
        Self {
            budget,
            round: 0,
            streets: HashMap::new(),
            text_bytes: 0,
            houses: Vec::new(),
            runs: RunFiles::new(folder, "houses"),
        }
    }

    /// Streets are told apart by their text and come back in its order. `slot` saves finding the text again.
    pub(super) fn push(
        &mut self,
        text: &str,
        slot: &mut Option<StreetSlot>,
        low: u32,
        above: u32,
        hash: u64,
    ) -> Result<(), PropertyError> {
        let street = match slot {
            Some(slot) if slot.round == self.round => slot.street,
            _ => self.street(text),
        };
        *slot = Some(StreetSlot { round: self.round, street });
        if self.houses.capacity() == 0 {
            // Memory that is not used costs nothing; a buffer that grows is copied repeatedly.
            self.houses.reserve(self.budget / size_of::<(u32, House)>() + 1);
        }
        self.houses.push((street, House { low, key: hash as i64, above }));
        if self.held() >= self.budget { self.spill() } else { Ok(()) }
    }

    fn street(&mut self, text: &str) -> u32 {
        if let Some(known) = self.streets.get(text) {
            return *known;
        }
        let next = self.streets.len() as u32;
        // The text, its place in the map and half as much again that a growing map keeps free.
        self.text_bytes += text.len() + 48;
        self.streets.insert(text.into(), next);
        next
    }

    fn held(&self) -> usize {
        self.text_bytes + self.houses.len() * size_of::<(u32, House)>()
    }

    /// What is in memory, in order.
    fn take(&mut self) -> Vec<Street> {
        let mut texts: Vec<(Box<str>, u32)> = self.streets.drain().collect();
        texts.sort_unstable();
        let mut rank = vec![0; texts.len()];
        (0..).zip(&texts).for_each(|(at, (_, street))| rank[*street as usize] = at);
        let mut houses = std::mem::take(&mut self.houses);
        houses.iter_mut().for_each(|(street, _)| *street = rank[*street as usize]);
        houses.sort_unstable();
        self.text_bytes = 0;
        self.round += 1;
        let mut streets = Vec::with_capacity(texts.len());
        let mut rest = houses.as_slice();
        for (at, (text, _)) in (0..).zip(texts) {
            let count = rest.iter().take_while(|(street, _)| *street == at).count();
            let (of_street, others) = rest.split_at(count);
            streets.push(Street { text, houses: of_street.iter().map(|(_, house)| *house).collect() });
            rest = others;
        }
        streets
    }

    fn spill(&mut self) -> Result<(), PropertyError> {
        let streets = self.take();
        self.runs.write(|path| write_run(path, streets.into_iter().map(Ok)))?;
        self.runs.compact(|old, path| write_run(path, SortedStreets::open(old, Vec::new())?))
    }

    /// Every street once, in the order of the texts, with its houses in the order of the table.
    pub(super) fn sorted(mut self) -> Result<SortedStreets, PropertyError> {
        let rest = self.take();
        SortedStreets::open(self.runs.paths(), rest)
    }
}

fn write_run(path: &Path, streets: impl Iterator<Item = Result<Street, PropertyError>>) -> Result<(), PropertyError> {
    let failed = |e| PropertyError::write(path)(e);
    let mut file = BufWriter::with_capacity(1 << 17, File::create(path).map_err(failed)?);
    for street in streets {
        let Street { text, houses } = street?;
        let mut bytes = Vec::with_capacity(HEAD + text.len() + houses.len() * HOUSE);
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(houses.len() as u32).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        for House { low, key, above } in houses {
            bytes.extend_from_slice(&low.to_le_bytes());
            bytes.extend_from_slice(&key.to_le_bytes());
            bytes.extend_from_slice(&above.to_le_bytes());
        }
        file.write_all(&bytes).map_err(failed)?;
    }
    file.flush().map_err(failed)
}

/// Bytes of the two lengths before a street, and of a house.
const HEAD: usize = 8;
const HOUSE: usize = 16;

/// A street with its houses.
#[derive(Default)]
pub(super) struct Street {
    pub text: Box<str>,
    pub houses: Vec<House>,
}

/// All streets of [`Houses`].
pub(super) struct SortedStreets {
    merge: Merge<Run>,
    /// The next street, as far as it was read ahead.
    next: Option<Street>,
}

struct Run {
    source: Source,
    street: Street,
}

enum Source {
    Memory(std::vec::IntoIter<Street>),
    File { path: PathBuf, file: BufReader<File> },
}

impl SortedRun for Run {
    type Error = PropertyError;

    fn advance(&mut self) -> Result<bool, PropertyError> {
        let next = match &mut self.source {
            Source::Memory(streets) => streets.next(),
            Source::File { path, file } => read_street(path, file)?,
        };
        let is_more = next.is_some();
        self.street = next.unwrap_or_default();
        Ok(is_more)
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.street.text.cmp(&other.street.text)
    }
}

fn read_street(path: &Path, file: &mut BufReader<File>) -> Result<Option<Street>, PropertyError> {
    let failed = |e| PropertyError::read(path)(e);
    let mut head = [0; HEAD];
    if !read_head(file, &mut head).map_err(failed)? {
        return Ok(None);
    }
    let [a, b, c, d, e, f, g, h] = head;
    let mut text = vec![0; u32::from_le_bytes([a, b, c, d]) as usize];
    let mut bytes = vec![0; u32::from_le_bytes([e, f, g, h]) as usize * HOUSE];
    file.read_exact(&mut text).and_then(|()| file.read_exact(&mut bytes)).map_err(failed)?;
    let text = String::from_utf8(text).map_err(|e| PropertyError::damaged(path, e))?;
    let (entries, _) = bytes.as_chunks::<HOUSE>();
    let house = |[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: &[u8; HOUSE]| House {
        low: u32::from_le_bytes([*a, *b, *c, *d]),
        key: i64::from_le_bytes([*e, *f, *g, *h, *i, *j, *k, *l]),
        above: u32::from_le_bytes([*m, *n, *o, *p]),
    };
    Ok(Some(Street { text: text.into(), houses: entries.iter().map(house).collect() }))
}

impl SortedStreets {
    fn open(runs: &[PathBuf], rest: Vec<Street>) -> Result<Self, PropertyError> {
        let mut all = vec![Run { source: Source::Memory(rest.into_iter()), street: Street::default() }];
        for path in runs {
            let file = open_run(path).map_err(PropertyError::read(path))?;
            all.push(Run { source: Source::File { path: path.clone(), file }, street: Street::default() });
        }
        let mut it = Self { merge: Merge::open(all)?, next: None };
        it.next = it.part()?;
        Ok(it)
    }

    /// A street with the houses that one run has of it.
    fn part(&mut self) -> Result<Option<Street>, PropertyError> {
        Ok(self.merge.next()?.map(|run| {
            // The text stays in the run: the merge still compares it.
            Street { text: run.street.text.clone(), houses: std::mem::take(&mut run.street.houses) }
        }))
    }

    fn next_street(&mut self) -> Result<Option<Street>, PropertyError> {
        let Some(mut street) = self.next.take() else { return Ok(None) };
        let alone = street.houses.len();
        self.next = self.part()?;
        while let Some(more) = self.next.as_mut().filter(|more| more.text == street.text) {
            street.houses.append(&mut more.houses);
            self.next = self.part()?;
        }
        if street.houses.len() > alone {
            street.houses.sort_unstable();
        }
        // Rows of one place have one house.
        street.houses.dedup_by_key(|h| (h.low, h.key));
        Ok(Some(street))
    }
}

impl Iterator for SortedStreets {
    type Item = Result<Street, PropertyError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_street().transpose()
    }
}
