//! How long suggestions and look-ups take on an index of 100,000 addresses, and how large it is.
//! `cargo run -p shingle-property --example suggest_bench`

use std::time::Duration;

use shingle_domain::evidence::{Assessor, Building, Outline, OutlineKind, Place, Point, Polygon, Position, Source};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};
use shingle_property::{IndexBuilder, PropertyIndex, Reference};

const STREETS: usize = 5_000;
const HOUSES: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let state = State::parse("ME").ok_or("state")?;
    let mut builder = IndexBuilder::create(root.path(), "bench")?;
    let started = now();
    for n in 0..STREETS * HOUSES {
        builder.push(place(n / HOUSES, n % HOUSES, state).ok_or("zip")?)?;
    }
    let summary = builder.finish()?;
    let taken = started.elapsed();
    let bytes: u64 = summary.states.iter().map(|s| s.bytes).sum();
    println!(
        "{} addresses on {} streets: built in {taken:.1?} ({:.0} rows/s), {} bytes a row",
        summary.places,
        summary.states.iter().map(|s| s.streets).sum::<u64>(),
        summary.rows as f64 / taken.as_secs_f64(),
        bytes / summary.places,
    );
    let index = PropertyIndex::open(root.path(), Reference::built_in())?;
    for kind in ["one letter", "beginning", "whole", "typing error", "no such number", "no such street"] {
        let mut times: Vec<Duration> = Vec::new();
        let mut found = 0;
        for n in 0..500 {
            let street = street(n * 7 % STREETS);
            let number = 2 * (n % HOUSES) + 2;
            let text = match kind {
                "one letter" => format!("{number} {}", &street[..1]),
                "beginning" => format!("{number} {}", &street[..5]),
                "whole" => format!("{number} {street}, Portland, ME"),
                "typing error" => format!("{number} {}x{}", &street[..2], &street[3..9]),
                "no such number" => format!("9{number}7 {street}"),
                _ => format!("{number} qwxz qwxz"),
            };
            let started = now();
            found += usize::from(!index.suggest(&text, 5)?.is_empty());
            times.push(started.elapsed());
        }
        times.sort();
        println!(
            "suggest, {kind:<15} found {found:>3}/500   median {:>9.1?}   slowest {:>9.1?}",
            times[250], times[499]
        );
    }
    let mut times: Vec<Duration> = Vec::new();
    for n in 0..5_000 {
        let n = n * 37 % (STREETS * HOUSES);
        let address = place(n / HOUSES, n % HOUSES, state).ok_or("zip")?.address;
        let started = now();
        index.lookup(&AddressInput::Parts(address))?;
        times.push(started.elapsed());
    }
    times.sort();
    println!("look-up                               median {:>9.1?}   slowest {:>9.1?}", times[2_500], times[4_999]);
    Ok(())
}

#[allow(clippy::disallowed_methods, reason = "a bench reads the clock")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

fn street(n: usize) -> String {
    const SYLLABLES: [&str; 10] = ["al", "ber", "cot", "dal", "fen", "gro", "hol", "lin", "mar", "wes"];
    const SUFFIXES: [&str; 6] = ["Street", "Court", "Avenue", "Lane", "Drive", "Road"];
    let digit = |at: u32| SYLLABLES[n / 10usize.pow(at) % 10];
    let name = format!("{}{}{}{}", digit(0), digit(1), digit(2), digit(3));
    format!("{}{} {}", name[..1].to_uppercase(), &name[1..], SUFFIXES[n % SUFFIXES.len()])
}

/// A house of a dozen corners, as mapped towns have them.
fn place(at: usize, house: usize, state: State) -> Option<Place> {
    let corners = [(0.0, 0.0), (12.3, 0.4), (12.1, 4.2), (15.7, 4.4), (15.2, 11.9), (9.0, 11.6)];
    let exterior: Vec<Point> =
        corners.iter().flat_map(|(x, y)| [Point { x: *x, y: *y }, Point { x: x + 0.55, y: y + 0.31 }]).collect();
    Some(Place {
        address: Address {
            street_number: (2 * house + 2).to_string(),
            street_address: street(at),
            city: "Portland".into(),
            state,
            zip: Zip::parse(&format!("041{:02}", at % 20))?,
        },
        unit: None,
        parcel: Some(format!("{at:07}{house:04}")),
        origin: Some(Position { longitude: -70.25, latitude: 43.66 }),
        buildings: vec![Building {
            outline: Outline {
                kind: OutlineKind::Eave,
                parts: vec![Polygon { exterior, holes: Vec::new() }],
                planes: Vec::new(),
                survey: None,
                spans_parcels: false,
            },
            use_: Some("House".into()),
            lot: Vec::new(),
            source: 0,
        }],
        assessor: Assessor::default(),
        permits: Vec::new(),
        conflicts: Vec::new(),
        sources: vec![Source { name: "bench".into(), title: None, licence: None, as_of: None, invented: true }],
    })
}
