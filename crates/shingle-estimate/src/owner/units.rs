//! Words grouped into names: particles go with what follows, hyphens make double names.

use super::words::{FIRM_PARTICLES, LINKS, PARTICLES, is_any};

/// One name, in every way it may be written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Unit {
    /// Everything joined: `DELACRUZ`, `SMITHJONES`.
    pub joined: String,
    /// Names that stand for it as well: `CRUZ`; `SMITH` and `JONES`.
    pub parts: Vec<String>,
    /// What is left without a particle that belongs to the name: `BRIEN`.
    pub core: Option<String>,
    /// A single particle in front, which may be a name of its own: `LE` in `LE THANH`.
    pub lead: Option<String>,
    /// `O`, `D` or `L` in front, which may be an initial instead.
    pub may_be_initial: bool,
}

fn is_initial(word: &str) -> bool {
    word.chars().count() == 1
}

/// `SAINT CLOUD` and `ST CLOUD` are one name.
fn short(particle: &str) -> &str {
    match particle {
        "SAINT" => "ST",
        "SAINTE" => "STE",
        other => other,
    }
}

fn is_name(word: &str) -> bool {
    word.chars().any(char::is_alphabetic) && !word.chars().any(|c| c.is_ascii_digit())
}

/// Single letters are initials and shares are no names: both are passed over, unless nothing else is there.
pub(crate) fn units(words: &[&str]) -> Vec<Unit> {
    let mut found = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let last = i + 1 == words.len();
        if !is_name(word) || (is_any(LINKS, word) && i > 0 && !last) {
            continue;
        }
        if is_any(PARTICLES, word) {
            // A last single letter is an initial; a last particle is a name.
            if !(last && is_initial(word)) {
                run.push(word);
            }
            continue;
        }
        if is_initial(word) {
            flush(&mut run, &mut found);
            continue;
        }
        found.push(unit(&run, word));
        run.clear();
    }
    flush(&mut run, &mut found);
    if found.is_empty() {
        found.extend(words.iter().find(|w| is_name(w)).map(|w| Unit { joined: (*w).to_owned(), ..Unit::default() }));
    }
    found
}

/// Particles that nothing follows: the last of them is the name.
fn flush(run: &mut Vec<&str>, found: &mut Vec<Unit>) {
    if let Some((last, before)) = run.split_last()
        && !is_initial(last)
    {
        found.push(unit(before, last));
    }
    run.clear();
}

fn unit(run: &[&str], word: &str) -> Unit {
    let joined = run.iter().map(|p| short(p)).collect::<String>() + &word.replace('-', "");
    let pieces: Vec<&str> = word.split('-').filter(|p| !p.is_empty()).collect();
    let mut parts = Vec::new();
    if pieces.len() > 1 {
        let all: Vec<&str> = run.iter().copied().chain(pieces).collect();
        for part in units(&all) {
            parts.push(part.joined);
            parts.extend(part.parts);
        }
    }
    let first_last = word.split('-').next().unwrap_or(word);
    let mut unit = Unit { joined, parts, ..Unit::default() };
    if let [.., last] = run {
        if run.iter().any(|p| is_any(FIRM_PARTICLES, p)) {
            unit.core = Some(first_last.to_owned());
        } else {
            unit.parts.push(first_last.to_owned());
        }
        unit.may_be_initial = run.len() == 1 && is_initial(last);
        unit.lead = (run.len() == 1 || run.iter().all(|p| !is_any(FIRM_PARTICLES, p)))
            .then(|| run[0].to_owned())
            .filter(|p| !is_initial(p));
    }
    unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let words: Vec<&str> = text.split(' ').collect();
        units(&words).into_iter().map(|u| [vec![u.joined], u.parts].concat().join("/")).collect()
    }

    #[test]
    fn particles_go_with_the_name_that_follows() {
        for (words, expected) in [
            ("MARIA DE LA CRUZ", vec!["MARIA", "DELACRUZ/CRUZ"]),
            ("O BRIEN PAT", vec!["OBRIEN", "PAT"]),
            ("ADA M PINE-OAK", vec!["ADA", "PINEOAK/PINE/OAK"]),
            ("AL-HASSAN", vec!["ALHASSAN/ALHASSAN/HASSAN"]),
            ("THANH VAN LE", vec!["THANH", "VANLE/LE"]),
            ("ORTEGA Y GASSET", vec!["ORTEGA", "GASSET"]),
            ("PINE ADA O", vec!["PINE", "ADA"]),
            ("VAN", vec!["VAN"]),
            ("O", vec!["O"]),
            ("12 3RD", vec![]),
        ] {
            assert_eq!(shown(words), expected, "{words}");
        }
    }
}
