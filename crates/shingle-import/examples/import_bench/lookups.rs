//! What look-ups and suggestions cost: processor time of this thread, warm.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};
use shingle_property::{Lookup, PropertyIndex, Reference};

use crate::clock::{peak_kib, resident_kib, thread};
use crate::town::{Home, Town};

const LOOKUPS: usize = 20_000;
const TYPED: usize = 1_000;

/// A way to type, and what is typed for a home.
type Kind = (&'static str, fn(&Home, usize) -> String);

pub fn lookups(folder: &Path, town: &Town) -> Result<(), Box<dyn Error>> {
    let (first_area, area) = areas(town)?;
    let index = PropertyIndex::open(folder, Reference::built_in())?;
    let ask = |n: usize, there: bool| -> Result<Duration, Box<dyn Error>> {
        let Home { number, street, city, zip } = town.home(scattered(n, town.rows()));
        let number = if there { number } else { format!("{}", number.parse::<u32>()? + 2) };
        let (state, zip) = (State::parse("OH").ok_or("state")?, Zip::parse(&zip).ok_or("zip")?);
        let address = Address { street_number: number, street_address: street, city, state, zip };
        let started = thread();
        let answer = index.lookup(&AddressInput::Parts(address))?;
        let taken = thread() - started;
        // Between two neighbors a number that is missing is given a point, and no record.
        let recorded = matches!(&answer, Lookup::Found { evidence, .. } if evidence.matched.level.is_exact());
        if recorded != there {
            return Err(format!("row {n}: {answer:?}").into());
        }
        Ok(taken)
    };
    let measure = |there: bool, count: usize| -> Result<Spread, Box<dyn Error>> {
        // Twice the same keys: the first pass warms the file's pages.
        for n in 0..count {
            ask(n, there)?;
        }
        Spread::of((0..count).map(|n| ask(n, there)).collect::<Result<_, _>>()?)
    };
    let hits = measure(true, LOOKUPS)?;
    let misses = measure(false, LOOKUPS / 10)?;
    println!(
        "{{\"rows\":{},\"firstArea\":{:.1},\"area\":{},\"hit\":{},\"miss\":{},\"residentKib\":{},\"peakKib\":{}}}",
        town.rows(),
        first_area.as_secs_f64() * 1e6,
        area.json(),
        hits.json(),
        misses.json(),
        resident_kib(),
        peak_kib()
    );
    Ok(())
}

/// What is known of a ZIP: the first time, when the tables are read, and every time after.
fn areas(town: &Town) -> Result<(Duration, Spread), Box<dyn Error>> {
    let reference = Reference::built_in();
    let state = State::parse("OH").ok_or("state")?;
    let ask = |n: usize| -> Result<Duration, Box<dyn Error>> {
        let zip = Zip::parse(&town.home(scattered(n, town.rows())).zip).ok_or("zip")?;
        let started = thread();
        std::hint::black_box(reference.area(state, &zip));
        Ok(thread() - started)
    };
    let first = ask(0)?;
    for n in 0..LOOKUPS {
        ask(n)?;
    }
    Ok((first, Spread::of((0..LOOKUPS).map(ask).collect::<Result<_, _>>()?)?))
}

pub fn suggestions(folder: &Path, town: &Town) -> Result<(), Box<dyn Error>> {
    let index = PropertyIndex::open(folder, Reference::built_in())?;
    let kinds: [Kind; 9] = [
        ("number and one letter", |h, _| format!("{} {}", h.number, &h.street[..1])),
        ("number and three letters", |h, _| format!("{} {}", h.number, &h.street[..3])),
        ("whole address", |h, _| format!("{} {}, {}, OH", h.number, h.street, h.city)),
        ("common street", |h, n| format!("{} {}", h.number, ["main st", "oak", "washington ave", "n"][n % 4])),
        ("common street and town", |h, n| format!("{} {}, {}", h.number, ["main st", "oak"][n % 2], h.city)),
        ("no number", |h, _| h.street[..4.min(h.street.len())].to_owned()),
        ("typing error", |h, _| format!("{} {}x{}", h.number, &h.street[..2], &h.street[3..])),
        ("no such number", |h, _| format!("9{}7 {}", h.number, h.street)),
        ("no such street", |h, _| format!("{} qwxz qwxz", h.number)),
    ];
    let mut parts = Vec::new();
    for (kind, text) in kinds {
        let mut times = Vec::with_capacity(TYPED);
        for pass in 0..2 {
            for n in 0..TYPED {
                let text = text(&town.home(scattered(n, town.rows())), n);
                let started = thread();
                index.suggest(&text, 5)?;
                if pass == 1 {
                    times.push(thread() - started);
                }
            }
        }
        parts.push(format!("\"{kind}\":{}", Spread::of(times)?.json()));
    }
    println!("{{\"rows\":{},{},\"residentKib\":{}}}", town.rows(), parts.join(","), resident_kib());
    Ok(())
}

/// A different row for every number, all over the index.
fn scattered(n: usize, rows: usize) -> usize {
    n * 2_654_435_761 % rows
}

struct Spread {
    mean: f64,
    median: f64,
    p99: f64,
    most: f64,
}

impl Spread {
    fn of(mut times: Vec<Duration>) -> Result<Self, Box<dyn Error>> {
        times.sort();
        let micros = |d: &Duration| d.as_secs_f64() * 1e6;
        let at = |share: f64| times.get((times.len() as f64 * share) as usize).map(micros).ok_or("nothing measured");
        let mean = times.iter().map(micros).sum::<f64>() / times.len() as f64;
        Ok(Self { mean, median: at(0.5)?, p99: at(0.99)?, most: times.last().map(micros).ok_or("nothing measured")? })
    }

    fn json(&self) -> String {
        let Self { mean, median, p99, most } = self;
        format!("{{\"mean\":{mean:.1},\"median\":{median:.1},\"p99\":{p99:.1},\"max\":{most:.1}}}")
    }
}
