//! One phase of the import bench in a process of its own, so that memory and processor time are its own. Prints
//! one line of JSON. `cargo xtask bench import` runs the phases and judges them.

#[allow(dead_code, reason = "shared with the bench of a nation, which uses all of it")]
#[path = "../../../shingle-property/examples/nation_bench/clock.rs"]
mod clock;
mod lookups;
mod raw;
mod town;

use std::error::Error;
use std::io::{BufWriter, Write};
use std::path::Path;

use clock::{Meter, peak_kib};
use shingle_import::{ImportJob, Mapping, run};
use shingle_property::IndexBuilder;
use town::Town;

/// Places made at a time, outside the measured time.
const BATCH: usize = 4_096;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [phase, folder, rows] = args.as_slice() else {
        return Err("usage: import_bench builder|csv|raw|lookups|suggest FOLDER ROWS".into());
    };
    let (folder, rows) = (Path::new(folder), rows.parse()?);
    let town = Town::of(rows);
    match phase.as_str() {
        "builder" => builder(folder, &town),
        "csv" => csv(folder, &town),
        "raw" => raw::copy(folder),
        "lookups" => lookups::lookups(folder, &town),
        "suggest" => lookups::suggestions(folder, &town),
        other => Err(format!("{other} is not a phase").into()),
    }
}

fn builder(folder: &Path, town: &Town) -> Result<(), Box<dyn Error>> {
    let mut meter = Meter::start();
    let mut builder = meter.timed(|| IndexBuilder::create(folder, "bench"))?;
    let mut order = town.order();
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        batch.extend(order.by_ref().take(BATCH).map(|n| town.place(n)));
        if batch.is_empty() {
            break;
        }
        meter.timed(|| batch.drain(..).try_for_each(|place| builder.push(place)))?;
    }
    let summary = meter.timed(|| builder.finish())?;
    let bytes: u64 = summary.states.iter().map(|s| s.bytes).sum();
    let streets: u64 = summary.states.iter().map(|s| s.streets).sum();
    report(summary.rows, &meter, &format!(",\"bytes\":{bytes},\"streets\":{streets}"))
}

fn csv(folder: &Path, town: &Town) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let table = folder.join("roll.csv");
    let mut file = BufWriter::new(std::fs::File::create(&table)?);
    file.write_all(town::CSV_HEADER.as_bytes())?;
    for n in town.order() {
        town.csv_row(n, &mut file)?;
    }
    file.into_inner()?.sync_all()?;
    let mapping = Mapping::from_toml(town::MAPPING, "bench.toml")?;
    let mut meter = Meter::start();
    let job = ImportJob { files: vec![table.clone()], mapping: &mapping, into: folder.to_owned() };
    let done = meter.timed(|| run(job, &mut ()))?;
    std::fs::remove_file(table)?;
    report(done.imported, &meter, &format!(",\"rejected\":{}", done.rejected))
}

fn report(rows: u64, meter: &Meter, more: &str) -> Result<(), Box<dyn Error>> {
    let (cpu, wall) = (meter.cpu.as_secs_f64(), meter.wall.as_secs_f64());
    println!("{{\"rows\":{rows},\"cpu\":{cpu:.4},\"wall\":{wall:.4},\"peakKib\":{}{more}}}", peak_kib());
    Ok(())
}
