//! Homes that stand next to each other in the index, packed together: what the homes of a street share is written once.
//!
//! A block is the number of its homes and all their records, compressed with a dictionary of the file, then the sum of both.
//! The position of a home is written as the difference to the home before it. The key of a home follows from its name.
//!
//! # Decision
//!
//! Eight homes a block, zstd's level 6, one dictionary for all large files of a data set, trained on homes of all its
//! states; a small file has a small one of its own. With level 3 an import takes seven tenths of the processor time, and a
//! home 4 bytes more; with level 9 an import of a roll four tenths more, and a home a tenth of a byte less. In an earlier
//! form, a home took 37 bytes more without a dictionary, 5 less with 16 homes a block, which take twice the time to unpack,
//! and 68 more with lz4, which takes a quarter of that time. Turned down: a dictionary in the program, which knows no town;
//! one for each file, whose tables no longer fit in the processor's cache with fifty states; columns, which a
//! look-up would have to visit one by one.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use shingle_domain::evidence::{Place, Source};
use zstd::bulk::Compressor;
use zstd::zstd_safe::{DCtx, DDict};

use super::home::{HOMES, Home};
use super::packed::{Malformed, RowId, Unpacker, put_bytes, put_number, put_signed, seal, unseal};
use super::record::{self, PlaceName, Spot};

/// More does not make a block smaller, and takes longer to pack.
const LEVEL: i32 = 6;
/// What every frame of zstd begins with: left out.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// A block that would unpack to more is damaged.
const MOST_BYTES: usize = 256 << 20;

/// Bytes of the dictionary, and the share of a file that it may be.
const DICTIONARY: u64 = 16 << 10;
const DICTIONARY_SHARE: u64 = 32;
/// A smaller one is not worth its place.
const LEAST_DICTIONARY: u64 = 1_024;
/// Records that a dictionary is made from, and twice as many at most.
const SAMPLES: usize = 4_000;

/// Some records of many, taken evenly.
pub(super) struct Samples {
    records: Vec<Vec<u8>>,
    bytes: u64,
    seen: usize,
    every: usize,
}

impl Samples {
    pub fn new() -> Self {
        Self { records: Vec::new(), bytes: 0, seen: 0, every: 1 }
    }

    pub fn add(&mut self, record: &[u8]) {
        self.bytes += record.len() as u64;
        if self.seen.is_multiple_of(self.every) {
            self.records.push(record.to_vec());
        }
        self.seen += 1;
        if self.records.len() >= 2 * SAMPLES {
            let mut at = 0;
            self.records.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.every *= 2;
        }
    }

    /// Whether a file of these gets the dictionary that all large files of its data set share.
    pub fn are_many(&self) -> bool {
        self.bytes >= DICTIONARY * DICTIONARY_SHARE
    }

    /// The dictionary for these; empty where none would help.
    pub fn dictionary(&self) -> Vec<u8> {
        let most = (self.bytes / DICTIONARY_SHARE).min(DICTIONARY);
        if most < LEAST_DICTIONARY {
            return Vec::new();
        }
        // Too little to learn from is no error: the file does without.
        zstd::dict::from_samples(&self.records, most as usize).unwrap_or_default()
    }
}

/// Fills blocks.
pub(super) struct BlockWriter {
    packer: Compressor<'static>,
    records: Vec<u8>,
    before: Option<Spot>,
    homes: usize,
    next: i64,
}

/// A block and its number.
type Numbered = (i64, Vec<u8>);

impl BlockWriter {
    pub fn new(dictionary: &[u8]) -> std::io::Result<Self> {
        let mut packer = Compressor::with_dictionary(LEVEL, dictionary)?;
        packer.include_dictid(false)?;
        // The seal has it.
        packer.include_checksum(false)?;
        Ok(Self { packer, records: Vec::new(), before: None, homes: 0, next: 0 })
    }

    /// Takes a home; a block once it is full.
    pub fn push(&mut self, spot: Option<Spot>, record: &[u8]) -> std::io::Result<Option<Numbered>> {
        match spot {
            None => self.records.push(0),
            Some(spot) => {
                let (x, y) = self.before.map_or((0, 0), |before| (before.longitude, before.latitude));
                self.records.push(1);
                put_signed(i64::from(spot.longitude) - i64::from(x), &mut self.records);
                put_signed(i64::from(spot.latitude) - i64::from(y), &mut self.records);
                self.before = Some(spot);
            }
        }
        put_bytes(record, &mut self.records);
        self.homes += 1;
        if self.homes == HOMES { self.finish() } else { Ok(None) }
    }

    /// The last block, if it has homes.
    pub fn finish(&mut self) -> std::io::Result<Option<Numbered>> {
        if self.homes == 0 {
            return Ok(None);
        }
        let mut block = Vec::with_capacity(self.records.len());
        put_number(self.homes as u64, &mut block);
        put_number(self.records.len() as u64, &mut block);
        let packed = self.packer.compress(&self.records)?;
        block.extend_from_slice(packed.strip_prefix(&MAGIC).ok_or(Malformed)?);
        self.records.clear();
        let id = self.next;
        (self.homes, self.before, self.next) = (0, None, id + 1);
        Ok(Some((id, seal(block, RowId(id)))))
    }
}

/// Dictionaries that are ready to unpack with, each once: the files of a data set have the same, and one that is used often
/// stays in the processor's cache.
#[derive(Default)]
pub(crate) struct Dictionaries(Mutex<HashMap<blake3::Hash, Arc<DDict<'static>>>>);

impl Dictionaries {
    fn of(&self, dictionary: &[u8]) -> Arc<DDict<'static>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(blake3::hash(dictionary)).or_insert_with(|| Arc::new(DDict::create(dictionary))).clone()
    }
}

/// What unpacks the blocks of a file.
pub(super) struct Unpacking {
    dictionary: Arc<DDict<'static>>,
    sources: Vec<Source>,
}

/// Takes a hundred kilobytes, so there is one for each thread and not for each file.
struct Context {
    unpacker: DCtx<'static>,
    frame: Vec<u8>,
}

thread_local! {
    static CONTEXT: RefCell<Context> = RefCell::new(Context { unpacker: DCtx::create(), frame: Vec::new() });
}

impl Unpacking {
    pub fn new(dictionary: &[u8], sources: Vec<Source>, known: &Dictionaries) -> Self {
        Self { dictionary: known.of(dictionary), sources }
    }

    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    fn unpack(&self, packed: &[u8], length: usize) -> Result<Vec<u8>, Malformed> {
        if length > MOST_BYTES {
            return Err(Malformed);
        }
        let mut records = Vec::with_capacity(length);
        let unpacked = CONTEXT.with_borrow_mut(|Context { unpacker, frame }| {
            frame.clear();
            frame.extend_from_slice(&MAGIC);
            frame.extend_from_slice(packed);
            unpacker.decompress_using_ddict(&mut records, frame, &self.dictionary)
        });
        if unpacked == Ok(length) { Ok(records) } else { Err(Malformed) }
    }
}

/// A block that was unpacked.
pub(super) struct Block {
    homes: usize,
    records: Vec<u8>,
}

impl Block {
    pub fn open(sealed: &[u8], id: i64, with: &Unpacking) -> Result<Self, Malformed> {
        let mut block = unseal(sealed, RowId(id))?;
        let (homes, length) = (block.count()?, block.count()?);
        if homes > HOMES {
            return Err(Malformed);
        }
        Ok(Self { homes, records: with.unpack(block.0, length)? })
    }

    fn records(&self) -> impl Iterator<Item = Result<(Option<Spot>, &[u8]), Malformed>> {
        let (mut rest, mut before) = (Unpacker(&self.records), Spot { longitude: 0, latitude: 0 });
        (0..self.homes).map(move |_| {
            let spot = match rest.byte()? {
                0 => None,
                _ => {
                    let moved =
                        |from: i32, by: i64| i32::try_from(i64::from(from).wrapping_add(by)).map_err(|_| Malformed);
                    let longitude = moved(before.longitude, rest.signed()?)?;
                    before = Spot { longitude, latitude: moved(before.latitude, rest.signed()?)? };
                    Some(before)
                }
            };
            Ok((spot, rest.bytes()?))
        })
    }

    pub fn place(&self, home: Home, with: &Unpacking) -> Result<Place, Malformed> {
        let (spot, record) = self.records().nth(home.in_block()).ok_or(Malformed)??;
        record::decode(record, spot, &with.sources)
    }

    pub fn name(&self, home: Home) -> Result<PlaceName<'_>, Malformed> {
        let (_, record) = self.records().nth(home.in_block()).ok_or(Malformed)??;
        record::decode_name(record)
    }

    pub fn places(&self, with: &Unpacking) -> impl Iterator<Item = Result<Place, Malformed>> {
        self.records().map(|found| found.and_then(|(spot, record)| record::decode(record, spot, &with.sources)))
    }
}

impl From<Malformed> for std::io::Error {
    fn from(malformed: Malformed) -> Self {
        Self::other(malformed.to_string())
    }
}
