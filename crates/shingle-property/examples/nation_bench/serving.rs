//! What look-ups and suggestions cost: processor time of this thread, and time on the wall where a person waits for it.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State};
use shingle_property::{Lookup, PropertyIndex, Reference};

use crate::clock::{Stopwatch, open_files, peak_kib, resident_kib, thread};
use crate::homes::{Nation, STATES};

const LOOKUPS: usize = 20_000;
const TYPED: usize = 400;

/// A way to type, and what is typed for a home.
type Way = (&'static str, fn(&Address) -> String);

const WAYS: [Way; 8] = [
    ("number and one letter", |a| format!("{} {}", a.street_number, start(&a.street_address, 1))),
    ("number and three letters", |a| format!("{} {}", a.street_number, start(&a.street_address, 3))),
    ("number and street", |a| a.street_line()),
    ("whole address", |a| format!("{}, {}, {}", a.street_line(), a.city, a.state)),
    ("no number", |a| start(&a.street_address, 5).to_owned()),
    ("typing error", |a| {
        format!("{} {}x{}", a.street_number, start(&a.street_address, 2), behind(&a.street_address, 3))
    }),
    ("no such number", |a| format!("9{}7 {}", a.street_number, a.street_address)),
    ("no such street", |a| format!("{} qwxz qwxz", a.street_number)),
];

fn start(text: &str, letters: usize) -> &str {
    text.get(..letters).unwrap_or(text)
}

fn behind(text: &str, letters: usize) -> &str {
    text.get(letters..).unwrap_or_default()
}

/// A different home for every number, all over the nation.
fn scattered(n: usize, nation: Nation) -> usize {
    (n * 2_654_435_761 + n / 7) % nation.places()
}

pub fn lookups(folder: &Path, nation: Nation) -> Result<(), Box<dyn Error>> {
    let index = PropertyIndex::open(folder, Reference::built_in())?;
    let ask = |n: usize| -> Result<Duration, Box<dyn Error>> {
        let input = AddressInput::Parts(nation.address(scattered(n, nation)));
        let started = thread();
        let answer = index.lookup(&input)?;
        let taken = thread() - started;
        if !matches!(&answer, Lookup::Found { evidence, .. } if evidence.matched.level.is_exact()) {
            return Err(format!("home {n}: {answer:?}").into());
        }
        Ok(taken)
    };
    // Twice the same homes: the first pass warms the pages of the files.
    let count = LOOKUPS.min(nation.places());
    for n in 0..count {
        ask(n)?;
    }
    let times = (0..count).map(ask).collect::<Result<_, _>>()?;
    report(json!({ "lookup": spread(times), "handles": open_files(folder) }))
}

pub fn suggestions(folder: &Path, nation: Nation) -> Result<(), Box<dyn Error>> {
    let index = PropertyIndex::open(folder, Reference::built_in())?;
    // A server answers look-ups too: what they hold is part of its memory.
    for n in 0..LOOKUPS.min(nation.places()) {
        index.lookup(&AddressInput::Parts(nation.address(scattered(n, nation))))?;
    }
    let (first, before) = (thread(), resident_kib());
    index.suggest("1 main st", 5)?;
    let (first, directory) = (thread() - first, resident_kib().saturating_sub(before));
    let mut found = serde_json::Map::new();
    let mut all = [Vec::new(), Vec::new()];
    for (way, text) in WAYS {
        let [mut by_processor, mut by_clock] = [Vec::new(), Vec::new()];
        for n in 0..TYPED {
            let text = text(&nation.address(scattered(n, nation)));
            let (started, watch) = (thread(), Stopwatch::start());
            index.suggest(&text, 5)?;
            by_clock.push(watch.elapsed());
            by_processor.push(thread() - started);
        }
        all[0].extend(&by_processor);
        all[1].extend(&by_clock);
        found.insert(way.to_owned(), json!({ "cpu": spread(by_processor), "wall": spread(by_clock) }));
    }
    let [by_processor, by_clock] = all;
    report(json!({
        "ways": found,
        "cpu": spread(by_processor),
        "wall": spread(by_clock),
        "first": first.as_secs_f64() * 1e6,
        "directoryKib": directory,
        "handles": open_files(folder),
    }))
}

/// What is suggested, one line for each text that is typed: to compare two versions of the search.
pub fn answers(folder: &Path, nation: Nation) -> Result<(), Box<dyn Error>> {
    let index = PropertyIndex::open(folder, Reference::built_in())?;
    for (way, text) in WAYS {
        for n in 0..TYPED {
            let text = text(&nation.address(scattered(n, nation)));
            let found: Vec<String> =
                index.suggest(&text, 5)?.into_iter().map(|one| format!("{}, {}", one.street, one.city)).collect();
            println!("{way}: {text}: {}", found.join("; "));
        }
    }
    Ok(())
}

/// Copies the files of the last state into a folder of their own, as a node pulls them, and finds a home there.
pub fn copy_of_a_state(folder: &Path, nation: Nation) -> Result<(), Box<dyn Error>> {
    let state = STATES[(nation.states - 1) % STATES.len()];
    let to = folder.with_file_name("copy");
    let watch = Stopwatch::start();
    let mut manifest: Value = serde_json::from_slice(&std::fs::read(folder.join("manifest.json"))?)?;
    let mut bytes = 0;
    for dataset in manifest["datasets"].as_array_mut().into_iter().flatten() {
        let inside = format!("{}/v{}/{state}.sqlite", dataset["name"].as_str().unwrap_or_default(), dataset["version"]);
        let target = to.join(&inside);
        std::fs::create_dir_all(target.parent().ok_or("a file has a folder")?)?;
        bytes += std::fs::copy(folder.join(&inside), &target)?;
        std::fs::File::open(&target)?.sync_all()?;
        dataset["shards"].as_array_mut().ok_or("shards")?.retain(|shard| shard["state"] == state);
    }
    std::fs::write(to.join("manifest.json"), manifest.to_string())?;
    let copied = watch.elapsed();
    let index = PropertyIndex::open(&to, Reference::built_in())?;
    let home = nation.address(nation.places() - 1);
    let found = index.lookup(&AddressInput::Parts(home.clone()))?;
    let suggested = index.suggest(&home.street_line(), 5)?;
    let served = watch.elapsed();
    if !matches!(found, Lookup::Found { .. }) || suggested.is_empty() || State::parse(state).is_none() {
        return Err(format!("{found:?}").into());
    }
    drop(index);
    std::fs::remove_dir_all(&to)?;
    report(json!({ "bytes": bytes, "copied": copied.as_secs_f64(), "served": served.as_secs_f64() }))
}

fn report(mut figures: Value) -> Result<(), Box<dyn Error>> {
    figures["residentKib"] = resident_kib().into();
    figures["peakKib"] = peak_kib().into();
    println!("{figures}");
    Ok(())
}

/// In microseconds.
fn spread(mut times: Vec<Duration>) -> Value {
    times.sort();
    let micros = |d: &Duration| d.as_secs_f64() * 1e6;
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).map_or(0.0, micros);
    let mean = times.iter().map(micros).sum::<f64>() / times.len().max(1) as f64;
    json!({ "mean": mean, "median": at(0.5), "p99": at(0.99), "max": times.last().map_or(0.0, micros) })
}
