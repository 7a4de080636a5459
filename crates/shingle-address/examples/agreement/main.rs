//! How far the reader of addresses agrees with lists that somebody took apart by hand:
//! `cargo run -p shingle-address --example agreement -- [--misses] [--half tuned|held-out] [--messy|--plain]
//! [--whole-streets] LIST…`.
//!
//! A list is a CSV file in the columns of [`shingle_address::labelled`], or one of the training files of the public
//! `usaddress` package (`.xml`). The reader is improved by one half of the lines, the other one is never looked at: which
//! half a line belongs to is determined by the hash of its text, so the same line of two lists is in the same half.
//!
//! Below what is read as labelled stands what is right or asked back: a street of the labelled words counts, wherever the
//! label parts its name from its suffix, and so does a line in which no house is read, because no home answers it.

#![expect(clippy::print_stdout, reason = "it prints a report")]

mod usaddress;

use std::path::Path;

use shingle_address::KeyHash;
use shingle_address::labelled::{COMPONENTS, LabelledLine, agreement, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut halves = vec![("tuned", false), ("held-out", true)];
    let (mut misses, mut messy, mut whole_streets) = (false, None, false);
    let mut lists = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--misses" => misses = true,
            "--whole-streets" => whole_streets = true,
            "--messy" => messy = Some(true),
            "--plain" => messy = Some(false),
            "--half" => {
                let wanted = arguments.next().unwrap_or_default();
                halves.retain(|(name, _)| *name == wanted);
            }
            list => lists.push(list.to_owned()),
        }
    }
    if lists.is_empty() || halves.is_empty() {
        return Err("give a list, and as a half `tuned` or `held-out`".into());
    }
    for list in lists {
        let path = Path::new(&list);
        let lines = match path.extension().is_some_and(|ending| ending == "xml") {
            true => usaddress::read(path, whole_streets)?,
            false => read(path)?.into_iter().map(|line| (line, false)).collect(),
        };
        for (name, held_out) in &halves {
            let wanted = |(line, is_messy): &&(LabelledLine, bool)| {
                let key = line.input.to_lowercase();
                (KeyHash::of(&key).hash % 2 == 1) == *held_out && messy.is_none_or(|wanted| wanted == *is_messy)
            };
            let lines: Vec<LabelledLine> = lines.iter().filter(wanted).map(|(line, _)| line.clone()).collect();
            report(&format!("{list} ({name})"), &lines, misses);
        }
    }
    Ok(())
}

fn report(list: &str, lines: &[LabelledLine], misses: bool) {
    let found = agreement(lines);
    let share = |(right, all): (usize, usize)| right as f64 * 100.0 / all.max(1) as f64;
    let (right, all) = found.total();
    println!(
        "{list}: {} lines, {:.1} % whole; parts {right} of {all}, {:.2} %",
        found.lines,
        share((found.lines_right, found.lines)),
        share((right, all))
    );
    let by_component = |right: &dyn Fn(usize) -> usize| {
        let parts = COMPONENTS.iter().enumerate();
        let part = |(at, name): (usize, &&str)| {
            let all = found.components[at].1;
            format!("{name} {:.1} % of {all}", share((right(at), all)))
        };
        parts.map(part).collect::<Vec<_>>().join(", ")
    };
    println!("  {}", by_component(&|at| found.components[at].0));
    let either = found.or_asked_back;
    println!("  right or asked back {:.2} %: {}", share((either.iter().sum(), all)), by_component(&|at| either[at]));
    if misses {
        for miss in &found.misses {
            println!("  {}: {:?} | labelled {:?} | read {:?}", miss.component, miss.input, miss.labelled, miss.read);
        }
    }
}
