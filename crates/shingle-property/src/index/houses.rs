//! House numbers by street, in bounded memory: each street's text is held once, and full buffers go to disk as
//! runs of streets in the order of their text, each with its houses.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::PropertyError;

/// Runs merged at once.
const FAN_IN: usize = 48;

/// A house of a street: its first number, how far its last number is above that, and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct House {
    pub low: u32,
    /// As SQLite sorts it: a signed number.
    pub key: i64,
    pub above: u32,
}

/// Where a street stands in the buffer; good until the buffer goes to disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StreetSlot {
    round: u32,
    street: u32,
}

pub(super) struct Houses {
    folder: PathBuf,
    budget: usize,
    round: u32,
    streets: HashMap<Box<str>, u32>,
    text_bytes: usize,
    houses: Vec<(u32, House)>,
    runs: Vec<PathBuf>,
    written: usize,
}

impl Houses {
    pub(super) fn new(folder: &Path, budget: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            budget,
            round: 0,
            streets: HashMap::new(),
            text_bytes: 0,
            houses: Vec::new(),
            runs: Vec::new(),
            written: 0,
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
            // Room that is not used takes no memory; room that grows is copied again and again.
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
        let mut houses = houses.into_iter().peekable();
        for (at, (text, _)) in (0..).zip(texts) {
            let mut of_street = Vec::new();
            while let Some((_, house)) = houses.next_if(|(street, _)| *street == at) {
                of_street.push(house);
            }
            streets.push(Street { text, houses: of_street });
        }
        streets
    }

    fn spill(&mut self) -> Result<(), PropertyError> {
        let streets = self.take();
        self.write_run(streets.into_iter().map(Ok))?;
        if self.runs.len() >= FAN_IN {
            let old = std::mem::take(&mut self.runs);
            let merged = Merge::open(&old, Vec::new())?;
            self.write_run(merged)?;
            for run in old {
                std::fs::remove_file(&run).map_err(PropertyError::write(&run))?;
            }
        }
        Ok(())
    }

    fn write_run(&mut self, streets: impl Iterator<Item = Result<Street, PropertyError>>) -> Result<(), PropertyError> {
        self.written += 1;
        let path = self.folder.join(format!("houses-{}.run", self.written));
        let failed = |e| PropertyError::write(&path)(e);
        let mut file = BufWriter::with_capacity(1 << 17, File::create(&path).map_err(failed)?);
        for street in streets {
            let Street { text, houses } = street?;
            let mut bytes = Vec::with_capacity(8 + text.len() + houses.len() * 16);
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
        file.flush().map_err(failed)?;
        self.runs.push(path);
        Ok(())
    }

    /// Every street once, in the order of the texts, with its houses in the order of the table.
    pub(super) fn sorted(mut self) -> Result<Merge, PropertyError> {
        let rest = self.take();
        Merge::open(&self.runs, rest)
    }
}

/// A street with its houses.
pub(super) struct Street {
    pub text: Box<str>,
    pub houses: Vec<House>,
}

pub(super) struct Merge {
    heap: BinaryHeap<Reverse<(Box<str>, usize)>>,
    /// The houses that belong to the text in the heap.
    heads: Vec<Vec<House>>,
    sources: Vec<Source>,
}

enum Source {
    Memory(std::vec::IntoIter<Street>),
    File { path: PathBuf, file: BufReader<File> },
}

impl Source {
    fn next(&mut self) -> Result<Option<Street>, PropertyError> {
        match self {
            Self::Memory(streets) => Ok(streets.next()),
            Self::File { path, file } => {
                let mut head = [0; 8];
                match file.read(&mut head[..1]).map_err(PropertyError::read(path))? {
                    0 => return Ok(None),
                    _ => file.read_exact(&mut head[1..]).map_err(PropertyError::read(path))?,
                }
                let [a, b, c, d, e, f, g, h] = head;
                let mut text = vec![0; u32::from_le_bytes([a, b, c, d]) as usize];
                let mut bytes = vec![0; u32::from_le_bytes([e, f, g, h]) as usize * 16];
                file.read_exact(&mut text)
                    .and_then(|()| file.read_exact(&mut bytes))
                    .map_err(PropertyError::read(path))?;
                let text = String::from_utf8(text).map_err(|e| PropertyError::damaged(path, e))?;
                let (entries, _) = bytes.as_chunks::<16>();
                let house = |[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: &[u8; 16]| House {
                    low: u32::from_le_bytes([*a, *b, *c, *d]),
                    key: i64::from_le_bytes([*e, *f, *g, *h, *i, *j, *k, *l]),
                    above: u32::from_le_bytes([*m, *n, *o, *p]),
                };
                Ok(Some(Street { text: text.into(), houses: entries.iter().map(house).collect() }))
            }
        }
    }
}

impl Merge {
    fn open(runs: &[PathBuf], rest: Vec<Street>) -> Result<Self, PropertyError> {
        let mut sources = vec![Source::Memory(rest.into_iter())];
        for path in runs {
            let file = BufReader::with_capacity(1 << 16, File::open(path).map_err(PropertyError::read(path))?);
            sources.push(Source::File { path: path.clone(), file });
        }
        let heads = sources.iter().map(|_| Vec::new()).collect();
        let mut merge = Self { heap: BinaryHeap::new(), heads, sources };
        for at in 0..merge.sources.len() {
            merge.advance(at)?;
        }
        Ok(merge)
    }

    fn advance(&mut self, at: usize) -> Result<(), PropertyError> {
        if let Some(street) = self.sources[at].next()? {
            self.heads[at] = street.houses;
            self.heap.push(Reverse((street.text, at)));
        }
        Ok(())
    }

    fn next_street(&mut self) -> Result<Option<Street>, PropertyError> {
        let Some(Reverse((text, at))) = self.heap.pop() else { return Ok(None) };
        let mut houses = std::mem::take(&mut self.heads[at]);
        self.advance(at)?;
        let alone = houses.len();
        while let Some(Reverse((next, at))) = self.heap.peek()
            && *next == text
        {
            let at = *at;
            self.heap.pop();
            houses.append(&mut self.heads[at]);
            self.advance(at)?;
        }
        if houses.len() > alone {
            houses.sort_unstable();
        }
        // Rows of one place have one house.
        houses.dedup_by_key(|h| (h.low, h.key));
        Ok(Some(Street { text, houses }))
    }
}

impl Iterator for Merge {
    type Item = Result<Street, PropertyError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_street().transpose()
    }
}
