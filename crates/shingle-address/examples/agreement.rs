//! How far the reader of addresses agrees with lists that somebody took apart by hand:
//! `cargo run --workspace --example agreement LIST.csv…`, and `--misses` to see where it does not. The columns are those
//! of [`shingle_address::labelled`].

#![expect(clippy::print_stdout, reason = "it reports to whoever runs it")]

use shingle_address::labelled::{COMPONENTS, agreement, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, lists): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    for list in &lists {
        let found = agreement(&read(list.as_ref())?);
        let (right, all) = found.total();
        let share = |right: usize, all: usize| right as f64 * 100.0 / all.max(1) as f64;
        println!("{list}: {} lines, {:.1} % whole", found.lines, share(found.lines_right, found.lines));
        println!("  parts {right} of {all}, {:.1} %", share(right, all));
        for (name, (right, all)) in COMPONENTS.iter().zip(found.components) {
            println!("  {name} {right} of {all}, {:.1} %", share(right, all));
        }
        if flags.iter().any(|f| f == "--misses") {
            for miss in &found.misses {
                println!(
                    "  {}: {:?} | labelled {:?} | read {:?}",
                    miss.component, miss.input, miss.labelled, miss.read
                );
            }
        }
    }
    Ok(())
}
