//! Town, state and ZIPs of a table that only says them of its owners: many live in the home, and get their mail there.

use shingle_domain::cold_sort::ColdSort as _;
use std::collections::HashMap;

use crate::draft::roles::Roles;

/// Homes whose owner's mail goes there: fewer say nothing of a town.
const LEAST_HOMES: usize = 5;

pub(super) struct OwnerMail {
    pub city: Option<String>,
    pub state: Option<String>,
    /// Every ZIP of at least one home in 200, in order.
    pub zips: Vec<String>,
}

impl OwnerMail {
    pub fn of(roles: &Roles<'_>) -> Option<Self> {
        let (line, mail) = (roles.get("line")?, roles.get("mailing_line")?);
        let cells = |key: &str| roles.get(key).map(|c| &c.profile.column.cells);
        let (line, mail) = (&line.profile.column.cells, &mail.profile.column.cells);
        let at_home: Vec<usize> = (0..line.len()).filter(|&row| starts_alike(&line[row], &mail[row])).collect();
        if at_home.len() < LEAST_HOMES {
            return None;
        }
        let most = |key: &str| {
            let cells = cells(key)?;
            counts(at_home.iter().map(|&row| cells[row].as_str())).into_iter().next().map(|(text, _)| text)
        };
        let zips = cells("mailing_zip").map(|cells| counts(at_home.iter().filter_map(|&row| cells[row].get(..5))));
        let often = zips.unwrap_or_default().into_iter().filter(|(_, n)| n * 200 >= at_home.len());
        let mut zips: Vec<String> = often.map(|(zip, _)| zip).collect();
        zips.cold_sort();
        Some(Self { city: most("mailing_city"), state: most("mailing_state"), zips })
    }
}

/// The same number, and the same first word behind it.
fn starts_alike(line: &str, mail: &str) -> bool {
    let start = |text: &str| text.split_whitespace().take(2).map(str::to_uppercase).collect::<Vec<_>>();
    let line = start(line);
    line.len() == 2 && line[0].starts_with(|c: char| c.is_ascii_digit()) && line == start(mail)
}

/// Texts that are not blank, the most frequent first.
fn counts<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<(String, usize)> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for text in texts.filter(|t| !t.is_empty()) {
        *counts.entry(text.to_uppercase()).or_default() += 1;
    }
    let mut list: Vec<(String, usize)> = counts.into_iter().collect();
    list.cold_sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    list
}
