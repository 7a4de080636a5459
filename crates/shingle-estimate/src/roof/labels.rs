//! What buildings are called.

use shingle_domain::evidence::Building;

use super::plan::Plan;

/// The source's name for it, numbered where buildings would have the same name.
pub(crate) fn label(buildings: &[(&Building, Plan)], index: usize) -> String {
    let named = name(buildings[index].0);
    let Some(name) = named else {
        return if index == 0 { "Main building".to_owned() } else { format!("Building {}", index + 1) };
    };
    let same = |(other, _): &&(&Building, Plan)| self::name(other).as_ref() == Some(&name);
    match buildings[..index].iter().filter(same).count() {
        0 => name,
        before => format!("{name} {}", before + 1),
    }
}

fn name(building: &Building) -> Option<String> {
    // "Residential" is a garage as well as a house.
    const MEANINGLESS: [&str; 6] = ["", "yes", "building", "unknown", "other", "residential"];
    let words = building.use_.as_deref()?.trim().to_lowercase().replace('_', " ");
    if MEANINGLESS.contains(&words.as_str()) {
        return None;
    }
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect())
}
