//! What a suggestion and a look-up cost where the same homes lie in one file or in many.
//! `cargo run --release -p shingle-property --example many_files_bench`

use std::time::Duration;

use shingle_domain::evidence::{Assessor, Place, Position, Source};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};
use shingle_property::{IndexBuilder, Lookup, PropertyError, PropertyIndex, Reference};

const HOMES: usize = 60_000;
const OF_A_STREET: usize = 20;
const FILES: [usize; 4] = [1, 10, 40, 150];
const ROUNDS: usize = 2_000;
const PASSES: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Whole streets in one file, as towns are; or every street in many, as surveys of one town are.
    for split in [Split::Streets, Split::Homes] {
        println!("{split:?}, {HOMES} homes; microseconds of processor time, best of {PASSES} x {ROUNDS}");
        println!("{:<18} {:>8} {:>8} {:>8} {:>8}   most", "files", FILES[0], FILES[1], FILES[2], FILES[3]);
        let mut rows: Vec<(&str, Vec<f64>)> = Vec::new();
        for files in FILES {
            for (at, (name, value)) in measured(split, files)?.into_iter().enumerate() {
                match rows.get_mut(at) {
                    Some((_, values)) => values.push(value),
                    None => rows.push((name, vec![value])),
                }
            }
        }
        for (name, values) in rows {
            let shown: Vec<String> = values.iter().map(|value| format!("{value:>8.1}")).collect();
            let most = values.iter().fold(0.0, |most: f64, value| most.max(value / values[0]));
            println!("{name:<18} {}   {most:.2} x", shown.join(" "));
        }
    }
    Ok(())
}

#[derive(Debug, Clone, Copy)]
enum Split {
    Streets,
    Homes,
}

fn measured(split: Split, files: usize) -> Result<Vec<(&'static str, f64)>, Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let mut bytes = 0;
    for file in 0..files {
        let mut builder = IndexBuilder::create(root.path(), &format!("set-{file:03}"))?;
        let here = |n: &usize| match split {
            Split::Streets => n / OF_A_STREET % files == file,
            Split::Homes => n % files == file,
        };
        for n in (0..HOMES).filter(here) {
            builder.push(place(n).ok_or("a place")?)?;
        }
        bytes += builder.finish()?.states.iter().map(|state| state.bytes).sum::<u64>();
    }
    let index = PropertyIndex::open(root.path(), Reference::built_in())?;
    let started = now();
    index.suggest("14 alder", 5)?;
    let first = started.until_now();
    let mut all = Vec::new();
    for kind in ["a full line", "a beginning", "a letter missing", "no such number", "no such street"] {
        all.push((
            kind,
            each(|n| {
                let at = n * 37 % HOMES;
                let (street, number) = (street(at / OF_A_STREET), 2 * (at % OF_A_STREET) + 2);
                let text = match kind {
                    "a full line" => format!("{number} {street}, Portland, ME"),
                    "a beginning" => format!("{number} {}", &street[..5]),
                    "a letter missing" => format!("{number} {}{}", &street[..2], &street[3..]),
                    "no such number" => format!("9{number}7 {street}"),
                    _ => format!("{number} qwxz qwxz street"),
                };
                index.suggest(&text, 5).map(drop)
            })?,
        ));
    }
    let mut keys = Vec::new();
    for n in 0..4_000 {
        if let Lookup::Found { key, .. } =
            index.lookup(&AddressInput::Parts(place(n * 53 % HOMES).ok_or("a place")?.address))?
        {
            keys.push(key);
        }
    }
    // Each home once: those that were found lately are kept.
    let mut next = keys.iter().cycle();
    all.push(("a home by its key", each(|_| next.next().map_or(Ok(()), |key| index.get(key).map(drop)))?));
    let mut next = (0..HOMES).map(|n| n * 53 % HOMES).cycle();
    all.push((
        "an exact address",
        each(|_| match next.next().and_then(place) {
            Some(place) => index.lookup(&AddressInput::Parts(place.address)).map(drop),
            None => Ok(()),
        })?,
    ));
    all.push(("the first search", first.as_secs_f64() * 1e6));
    all.push(("bytes of a home", bytes as f64 / HOMES as f64));
    Ok(all)
}

/// Microseconds of processor time that one of them takes, in the pass that was disturbed least.
fn each(mut one: impl FnMut(usize) -> Result<(), PropertyError>) -> Result<f64, Box<dyn std::error::Error>> {
    // Each file's statements are prepared once.
    (0..ROUNDS).try_for_each(&mut one)?;
    let mut best = f64::INFINITY;
    for _ in 0..PASSES {
        let started = now();
        (0..ROUNDS).try_for_each(&mut one)?;
        best = best.min(started.until_now().as_secs_f64() * 1e6 / ROUNDS as f64);
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
