//! Whether a score treats groups alike: a sum over a table the operator brings, run on the operator's machine.
//!
//! Groups come from outside (the racial composition of census tracts, say) and are looked at here only; Shingle has
//! no place to store them. The adverse-impact ratio is a group's rate of selection over the highest
//! group's; under four fifths it is taken as a sign of adverse impact in United States employment practice
//! (29 CFR 1607.4 D), and is worth a lawyer's look anywhere. Small groups swing: read the counts.

use std::collections::BTreeMap;

/// Below this ratio look closer.
pub const FOUR_FIFTHS: f64 = 0.8;

#[derive(Debug, Clone, PartialEq)]
pub struct Monitored {
    pub group: String,
    pub score: f64,
    /// Whether the lead was followed up because of its score, where that is known.
    pub selected: Option<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub name: String,
    pub rows: usize,
    pub mean_score: f64,
    /// Share selected of the rows that say so, 0 to 1.
    pub selected: Option<f64>,
    /// Against the group selected most often.
    pub adverse_impact_ratio: Option<f64>,
}

/// The groups by name.
pub fn monitor(rows: &[Monitored]) -> Vec<Group> {
    let mut groups: BTreeMap<&str, Vec<&Monitored>> = BTreeMap::new();
    for row in rows {
        groups.entry(&row.group).or_default().push(row);
    }
    let mut groups: Vec<Group> = groups
        .into_iter()
        .map(|(name, rows)| {
            let told: Vec<bool> = rows.iter().filter_map(|r| r.selected).collect();
            let selected = told.iter().filter(|s| **s).count() as f64 / told.len() as f64;
            Group {
                name: name.to_owned(),
                rows: rows.len(),
                mean_score: rows.iter().map(|r| r.score).sum::<f64>() / rows.len() as f64,
                selected: (!told.is_empty()).then_some(selected),
                adverse_impact_ratio: None,
            }
        })
        .collect();
    let most = groups.iter().filter_map(|g| g.selected).fold(0.0, f64::max);
    if most > 0.0 {
        for group in &mut groups {
            group.adverse_impact_ratio = group.selected.map(|s| s / most);
        }
    }
    groups
}
