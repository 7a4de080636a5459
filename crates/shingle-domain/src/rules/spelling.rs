//! Names that nobody knows, and which name was probably meant.

use super::reader::Fields;
use crate::violation::{Rule, SettingOwner, Violation};

/// Fields that were sent and are not among `known`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct UnknownFields {
    /// With the name that was meant.
    pub misspelt: Vec<Violation>,
    pub strange: Vec<Violation>,
}

pub(super) fn unknown_fields(fields: &Fields<'_>, prefix: &str, known: &[&str], of: &SettingOwner) -> UnknownFields {
    let mut unknown = UnknownFields::default();
    for name in fields.names() {
        let own = name.strip_prefix(prefix).unwrap_or(name);
        if known.contains(&own) {
            continue;
        }
        // What was sent is repeated, but not at any length.
        let shown: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
        let of = of.clone();
        let (found, rule) = match meant(own, known) {
            Some(meant) => {
                (&mut unknown.misspelt, Rule::MisspelledSetting { of, meant: format!("{prefix}{meant}").into() })
            }
            None => (&mut unknown.strange, Rule::UnknownSetting { of }),
        };
        let violation = Violation::new(shown, rule);
        if !found.contains(&violation) {
            found.push(violation);
        }
    }
    unknown
}

impl UnknownFields {
    pub(super) fn all(self) -> impl Iterator<Item = Violation> {
        self.misspelt.into_iter().chain(self.strange)
    }
}

/// The one name that is nearest, if it is near.
fn meant<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    const LONGEST: usize = 60;
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let near = |known: &str| {
        let distance = distance(&plain(name), &plain(known));
        (distance <= 1 + known.len() / 8).then_some(distance)
    };
    let mut best: Vec<(usize, &str)> = known.iter().filter_map(|k| near(k).map(|d| (d, *k))).collect();
    best.sort_unstable();
    match best.as_slice() {
        [] => None,
        [(_, only)] => Some(only),
        [(first, one), (second, _), ..] => (first < second).then_some(one),
    }
}

/// Without what people write differently: case, underscores, hyphens.
fn plain(name: &str) -> Vec<char> {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).map(|c| c.to_ascii_lowercase()).collect()
}

/// How many letters are put in, left out, changed, or swapped with their neighbor.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let mut least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        least = least.min(rows[i - 2][j - 2] + 1);
                    }
                    least
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] = ["footerPirvacyPolicyLink", "primaryColor", "secondaryColor", "status", "domains"];

    #[test]
    fn the_nearest_name_is_offered() {
        for (name, known) in [
            ("footerPrivacyPolicyLink", Some("footerPirvacyPolicyLink")),
            ("footer_pirvacy_policy_link", Some("footerPirvacyPolicyLink")),
            ("primaryColour", Some("primaryColor")),
            ("Status", Some("status")),
            ("statsu", Some("status")),
            ("domain", Some("domains")),
            ("x", None),
            ("", None),
            ("favouriteAnimal", None),
        ] {
            assert_eq!(meant(name, &KNOWN), known, "{name}");
        }
        assert_eq!(meant(&"domains".repeat(1_000), &KNOWN), None);
    }

    #[test]
    fn every_unknown_field_is_told_once() {
        let fields = Fields::from_pairs([("status", "x"), ("colour", "1"), ("colour", "2"), ("domain\n", "3")]);
        let unknown = unknown_fields(&fields, "", &KNOWN, &SettingOwner::Widget);
        let told: Vec<String> = unknown.all().map(|violation| violation.to_string()).collect();
        assert_eq!(
            told,
            ["domain is not a setting of a widget; did you mean domains?", "colour is not a setting of a widget"]
        );
    }
}
