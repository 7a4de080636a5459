//! Whether a score treats groups alike: computed from the operator's table, on the operator's machine.
//!
//! Groups come from outside (for example the racial composition of census tracts) and are used only here; Shingle
//! does not store them. The adverse-impact ratio is a group's rate of selection over the highest
//! group's; under four fifths it is taken as a sign of adverse impact in United States employment practice
//! (29 CFR 1607.4 D), and is worth a lawyer's look anywhere. The ratio of a small group varies by chance: read the counts.

use std::collections::BTreeMap;

/// A lower ratio deserves a closer look.
pub const FOUR_FIFTHS: f64 = 0.8;

#[derive(Debug, Clone, PartialEq)]
pub struct MonitoredLead {
    pub group: String,
    pub score: f64,
    /// Whether the lead was followed up because of its score, where that is known.
    pub selected: Option<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GroupReport {
    pub name: String,
    pub rows: usize,
    pub mean_score: f64,
    /// Share selected of the rows that say so, 0 to 1.
    pub selected: Option<f64>,
    /// Against the group selected most often.
    pub adverse_impact_ratio: Option<f64>,
}

/// The groups by name.
pub fn monitor(rows: &[MonitoredLead]) -> Vec<GroupReport> {
    let mut groups: BTreeMap<&str, Vec<&MonitoredLead>> = BTreeMap::new();
    for row in rows {
        groups.entry(&row.group).or_default().push(row);
    }
    let mut groups: Vec<GroupReport> = groups
        .into_iter()
        .map(|(name, rows)| {
            let told: Vec<bool> = rows.iter().filter_map(|r| r.selected).collect();
            let selected = told.iter().filter(|s| **s).count() as f64 / told.len() as f64;
            GroupReport {
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
