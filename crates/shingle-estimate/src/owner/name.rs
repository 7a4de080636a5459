//! Groups words into names: particles belong to the next word, hyphens make double names.

use super::vocabulary::{INSEPARABLE_PARTICLES, LINKS, PARTICLES, is_one_of};

/// One name, in all its forms.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Name {
    /// Everything joined: `DELACRUZ`, `SMITHJONES`.
    pub joined: String,
    /// Names that also count for it: `CRUZ`; `SMITH` and `JONES`.
    pub alternatives: Vec<String>,
    /// The rest of a name without its inseparable particle: `BRIEN`.
    pub without_particle: Option<String>,
    /// A single particle in front that may itself be a name: `LE` in `LE THANH`.
    pub particle: Option<String>,
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

/// Skips initials (single letters) and shares, unless nothing else is there.
pub(crate) fn read_names(words: &[&str]) -> Vec<Name> {
    let mut found = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let last = i + 1 == words.len();
        if !is_name(word) || (is_one_of(LINKS, word) && i > 0 && !last) {
            continue;
        }
        if is_one_of(PARTICLES, word) {
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
        found.push(read_name(&run, word));
        run.clear();
    }
    flush(&mut run, &mut found);
    if found.is_empty() {
        found.extend(words.iter().find(|w| is_name(w)).map(|w| Name { joined: (*w).to_owned(), ..Name::default() }));
    }
    found
}

/// Particles without a following word: the last of them is the name.
fn flush(run: &mut Vec<&str>, found: &mut Vec<Name>) {
    if let Some((last, before)) = run.split_last()
        && !is_initial(last)
    {
        found.push(read_name(before, last));
    }
    run.clear();
}

fn read_name(run: &[&str], word: &str) -> Name {
    let joined = run.iter().map(|p| short(p)).collect::<String>() + &word.replace('-', "");
    let hyphenated: Vec<&str> = word.split('-').filter(|p| !p.is_empty()).collect();
    let mut alternatives = Vec::new();
    if hyphenated.len() > 1 {
        let all: Vec<&str> = run.iter().copied().chain(hyphenated).collect();
        for part in read_names(&all) {
            alternatives.push(part.joined);
            alternatives.extend(part.alternatives);
        }
    }
    let first_half = word.split('-').next().unwrap_or(word);
    let mut name = Name { joined, alternatives, ..Name::default() };
    if let [.., last] = run {
        if run.iter().any(|p| is_one_of(INSEPARABLE_PARTICLES, p)) {
            name.without_particle = Some(first_half.to_owned());
        } else {
            name.alternatives.push(first_half.to_owned());
        }
        name.may_be_initial = run.len() == 1 && is_initial(last);
        name.particle = (run.len() == 1 || run.iter().all(|p| !is_one_of(INSEPARABLE_PARTICLES, p)))
            .then(|| run[0].to_owned())
            .filter(|p| !is_initial(p));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let words: Vec<&str> = text.split(' ').collect();
        read_names(&words).into_iter().map(|u| [vec![u.joined], u.alternatives].concat().join("/")).collect()
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
