//! How far the reading of address lines agrees with labelled lists, and every miss:
//! `cargo run -p shingle-address --example address_cases -- [--quiet] LIST.csv …`. The shape of a list is told in
//! `shingle_address::labelled`.

use std::path::Path;
use std::process::ExitCode;

use shingle_address::labelled::{COMPONENTS, agreement, read};

fn main() -> ExitCode {
    let quiet = std::env::args().any(|a| a == "--quiet");
    let lists: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    if lists.is_empty() {
        eprintln!("give at least one list: address_cases [--quiet] LIST.csv …");
        return ExitCode::FAILURE;
    }
    for list in &lists {
        let lines = match read(Path::new(list)) {
            Ok(lines) => lines,
            Err(e) => {
                eprintln!("{list}: {e}");
                return ExitCode::FAILURE;
            }
        };
        let found = agreement(&lines);
        let percent = |(right, all): (usize, usize)| 100.0 * right as f64 / all.max(1) as f64;
        let (right, all) = found.total();
        print!(
            "{list}: {} of {} lines, {right} of {all} components ({:.2} %)",
            found.lines_right,
            found.lines,
            percent((right, all))
        );
        for (name, count) in COMPONENTS.iter().zip(found.components) {
            print!("; {name} {:.1} %", percent(count));
        }
        println!();
        if quiet {
            continue;
        }
        for miss in &found.misses {
            println!("  {}: {:?} labelled, {:?} read, in {:?}", miss.component, miss.labelled, miss.read, miss.input);
        }
    }
    ExitCode::SUCCESS
}
