//! One phase of the bench of a nation in a process of its own, so that memory and processor time are its own. Prints one
//! line of JSON. `cargo xtask bench nation` runs the phases and judges them.

mod clock;
mod homes;
mod serving;

use std::error::Error;
use std::path::Path;

use clock::{Meter, peak_kib};
use homes::{Kind, Nation};
use shingle_property::IndexBuilder;

/// Places made at a time, outside the measured time.
const BATCH: usize = 4_096;

const USAGE: &str = "usage: nation_bench points|outlines|roll|all|lookups|suggest|answers|copy FOLDER PLACES STATES";

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [phase, folder, places, states] = args.as_slice() else { return Err(USAGE.into()) };
    let (folder, nation) = (Path::new(folder), Nation::of(places.parse()?, states.parse()?));
    let kind = [Kind::Point, Kind::Outline, Kind::Roll, Kind::All].into_iter().find(|kind| kind.name() == phase);
    match (phase.as_str(), kind) {
        (_, Some(kind)) => build(folder, nation, kind),
        ("lookups", _) => serving::lookups(folder, nation),
        ("suggest", _) => serving::suggestions(folder, nation),
        ("answers", _) => serving::answers(folder, nation),
        ("copy", _) => serving::copy_of_a_state(folder, nation),
        _ => Err(USAGE.into()),
    }
}

fn build(folder: &Path, nation: Nation, kind: Kind) -> Result<(), Box<dyn Error>> {
    let mut meter = Meter::start();
    let mut builder = meter.timed(|| IndexBuilder::create(folder, kind.name()))?;
    if kind == Kind::Point {
        builder.covers_the_country();
    }
    let mut order = nation.order();
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        batch.extend(order.by_ref().take(BATCH).map(|n| nation.place(n, kind)));
        if batch.is_empty() {
            break;
        }
        meter.timed(|| batch.drain(..).try_for_each(|place| builder.push(place)))?;
    }
    let summary = meter.timed(|| builder.finish())?;
    let sum = |of: fn(&shingle_property::index::StateSummary) -> u64| summary.states.iter().map(of).sum::<u64>();
    println!(
        "{{\"rows\":{},\"places\":{},\"bytes\":{},\"streets\":{},\"cpu\":{:.3},\"wall\":{:.3},\"peakKib\":{}}}",
        summary.rows,
        summary.places,
        sum(|state| state.bytes),
        sum(|state| state.streets),
        meter.cpu.as_secs_f64(),
        meter.wall.as_secs_f64(),
        peak_kib()
    );
    Ok(())
}
