//! What a suggestion and a look-up cost where the same homes lie in one file or in many.
//! `cargo run --release -p shingle-property --example many_files_bench`

use std::time::Duration;

use shingle_domain::evidence::{Assessor, Place, Position, Source};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};
use shingle_property::{IndexBuilder, Lookup, PlaceKey, PropertyError, PropertyIndex, Reference};

const HOMES: usize = 60_000;
const OF_A_STREET: usize = 20;
const FILES: [usize; 4] = [1, 10, 40, 150];
const PASSES: usize = 7;
/// The system counts a thread's time in ticks of some milliseconds: a pass takes many of them.
const PASS: Duration = Duration::from_millis(200);
const AT_ONCE: usize = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Whole streets in one file, as towns are; or every street in many, as surveys of one town are.
    for split in [Split::Streets, Split::Homes] {
        println!("{split:?}, {HOMES} homes; microseconds of processor time, the best of {PASSES} passes by turns");
        println!("{:<18} {:>8} {:>8} {:>8} {:>8}   most", "files", FILES[0], FILES[1], FILES[2], FILES[3]);
        let row = |name: &str, values: &[f64]| {
            let shown: Vec<String> = values.iter().map(|value| format!("{value:>8.1}")).collect();
            let most = values.iter().fold(0.0, |most: f64, value| most.max(value / values[0]));
            println!("{name:<18} {}   {most:.2} x", shown.join(" "));
        };
        let indexes = FILES.into_iter().map(|files| Built::of(split, files)).collect::<Result<Vec<_>, _>>()?;
        row("the first search", &indexes.iter().map(|built| built.first_search).collect::<Vec<_>>());
        row("bytes of a home", &indexes.iter().map(|built| built.bytes_of_a_home).collect::<Vec<_>>());
        for kind in ["a full line", "a beginning", "a letter missing", "no such number", "no such street"] {
            row(kind, &by_turns(&indexes, |built, n| built.index.suggest(&typed(kind, n), 5).map(drop))?);
        }
        row(
            "a home by its key",
            &by_turns(&indexes, |built, n| built.index.get(&built.keys[n % built.keys.len()]).map(drop))?,
        );
        row(
            "an exact address",
            &by_turns(&indexes, |built, n| match place(n * 53 % HOMES) {
                Some(place) => built.index.lookup(&AddressInput::Parts(place.address)).map(drop),
                None => Ok(()),
            })?,
        );
    }
    Ok(())
}

#[derive(Debug, Clone, Copy)]
enum Split {
    Streets,
    Homes,
}

/// The homes, in so many files.
struct Built {
    index: PropertyIndex,
    keys: Vec<PlaceKey>,
    first_search: f64,
    bytes_of_a_home: f64,
    _folder: tempfile::TempDir,
}

impl Built {
    fn of(split: Split, files: usize) -> Result<Self, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let mut bytes = 0;
        for file in 0..files {
            let mut builder = IndexBuilder::create(folder.path(), &format!("set-{file:03}"))?;
            let here = |n: &usize| match split {
                Split::Streets => n / OF_A_STREET % files == file,
                Split::Homes => n % files == file,
            };
            for n in (0..HOMES).filter(here) {
                builder.push(place(n).ok_or("a place")?)?;
            }
            bytes += builder.finish()?.states.iter().map(|state| state.bytes).sum::<u64>();
        }
        let index = PropertyIndex::open(folder.path(), Reference::built_in())?;
        let started = now();
        index.suggest("14 alder", 5)?;
        let first_search = started.until_now().as_secs_f64() * 1e6;
        let mut keys = Vec::new();
        // Each home once: those that were found lately are kept.
        for n in 0..4_000 {
            let address = place(n * 53 % HOMES).ok_or("a place")?.address;
            if let Lookup::Found { key, .. } = index.lookup(&AddressInput::Parts(address))? {
                keys.push(key);
            }
        }
        Ok(Self { index, keys, first_search, bytes_of_a_home: bytes as f64 / HOMES as f64, _folder: folder })
    }
}

fn typed(kind: &str, n: usize) -> String {
    let at = n * 37 % HOMES;
    let (street, number) = (street(at / OF_A_STREET), 2 * (at % OF_A_STREET) + 2);
    match kind {
        "a full line" => format!("{number} {street}, Portland, ME"),
        "a beginning" => format!("{number} {}", &street[..5]),
        "a letter missing" => format!("{number} {}{}", &street[..2], &street[3..]),
        "no such number" => format!("9{number}7 {street}"),
        _ => format!("{number} qwxz qwxz street"),
    }
}

/// Microseconds of processor time that one takes in each index, in the pass that was disturbed least. Each index has its
/// turn in every pass, so that a machine that is slow for a while is slow for all.
fn by_turns(
    indexes: &[Built],
    one: impl Fn(&Built, usize) -> Result<(), PropertyError>,
) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
    let mut best = vec![f64::INFINITY; indexes.len()];
    // The first pass prepares each file's statements.
    for pass in 0..=PASSES {
        for (built, best) in indexes.iter().zip(&mut best) {
            let (started, mut done) = (now(), 0);
            let mut taken = Duration::ZERO;
            while taken < PASS {
                (done..done + AT_ONCE).try_for_each(|n| one(built, n))?;
                done += AT_ONCE;
                taken = started.until_now();
            }
            if pass > 0 {
                *best = best.min(taken.as_secs_f64() * 1e6 / done as f64);
            }
        }
    }
    Ok(best)
}

/// A moment, in this thread's time on a processor, if the system reports it.
struct Moment {
    on_processor: Option<Duration>,
    at: std::time::Instant,
}

#[allow(clippy::disallowed_methods, reason = "a bench reads the clock")]
fn now() -> Moment {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split_whitespace().next()?.parse().ok());
    Moment { on_processor: nanoseconds.map(Duration::from_nanos), at: std::time::Instant::now() }
}

impl Moment {
    fn until_now(&self) -> Duration {
        let Moment { on_processor, at } = now();
        let on_processor = on_processor.zip(self.on_processor).map(|(now, then)| now - then);
        on_processor.unwrap_or_else(|| at - self.at)
    }
}

fn street(n: usize) -> String {
    const SYLLABLES: [&str; 10] = ["al", "ber", "cot", "dal", "fen", "gro", "hol", "lin", "mar", "wes"];
    const SUFFIXES: [&str; 6] = ["Street", "Court", "Avenue", "Lane", "Drive", "Road"];
    let digit = |at: u32| SYLLABLES[n / 10usize.pow(at) % 10];
    let name = format!("{}{}{}{}", digit(0), digit(1), digit(2), digit(3));
    format!("{}{} {}", name[..1].to_uppercase(), &name[1..], SUFFIXES[n % SUFFIXES.len()])
}

fn place(n: usize) -> Option<Place> {
    let at = n / OF_A_STREET;
    Some(Place {
        address: Address {
            street_number: (2 * (n % OF_A_STREET) + 2).to_string(),
            street_address: street(at),
            city: "Portland".into(),
            state: State::parse("ME")?,
            zip: Zip::parse(&format!("041{:02}", at % 20))?,
        },
        unit: None,
        parcel: Some(format!("{n:09}")),
        origin: Some(Position { longitude: -70.25, latitude: 43.66 }),
        buildings: Vec::new(),
        assessor: Assessor::default(),
        permits: Vec::new(),
        conflicts: Vec::new(),
        sources: vec![Source { name: "bench".into(), title: None, licence: None, as_of: None, invented: true }],
    })
}
