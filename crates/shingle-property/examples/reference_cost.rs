//! What the reference tables cost: bytes in the program, time to read them, memory they stay in.
//! `cargo run -p shingle-property --example reference_cost [--release]`

use shingle_domain::area::Table;
use shingle_domain::{State, Zip};
use shingle_property::{PropertyError, Reference};

fn main() -> Result<(), PropertyError> {
    let reference = Reference::built_in();
    let mut bytes = 0;
    for table in Table::ALL {
        bytes += reference.text(table)?.len();
    }
    println!("embedded                    {bytes:>10} bytes");
    let before = resident();
    let started = now();
    println!(
        "roof prices, all at start   {:>10.1?}   {}",
        timed(started, reference.roof_prices().as_of()),
        memory(before)
    );
    let (Some(maine), Some(zip)) = (State::parse("ME"), Zip::parse("04103")) else { return Ok(()) };
    let started = now();
    println!("first area of a ZIP         {:>10.1?}   {}", timed(started, reference.area(maine, &zip)), memory(before));
    let Some(boxes) = Zip::parse("04104") else { return Ok(()) };
    let started = now();
    println!(
        "first nearby yield          {:>10.1?}   {}",
        timed(started, reference.area(maine, &boxes)),
        memory(before)
    );
    let started = now();
    for _ in 0..1_000 {
        std::hint::black_box(reference.area(maine, &boxes));
    }
    println!("each area after that        {:>10.1?}   {}", timed(started, ()) / 1_000, memory(before));
    Ok(())
}

#[allow(clippy::disallowed_methods, reason = "a measurement needs the clock")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

fn timed<T>(started: std::time::Instant, done: T) -> std::time::Duration {
    std::hint::black_box(done);
    started.elapsed()
}

/// Kilobytes of this process in memory, of its own and of its file, where the system tells.
fn resident() -> Option<(u64, u64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let field = |name: &str| status.lines().find_map(|l| l.strip_prefix(name)?.split_whitespace().next()?.parse().ok());
    Some((field("RssAnon:")?, field("RssFile:")?))
}

fn memory(before: Option<(u64, u64)>) -> String {
    match (before, resident()) {
        (Some((heap, file)), Some((now, mapped))) => {
            format!("+{} kB own, +{} kB of the program file", now.saturating_sub(heap), mapped.saturating_sub(file))
        }
        _ => String::new(),
    }
}
