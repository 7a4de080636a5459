//! Which files a layer means.

use serde::Deserialize;

/// Names of files, with `*` for any text and `?` for any character; case does not matter.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum FilePatterns {
    One(String),
    Several(Vec<String>),
}

impl FilePatterns {
    fn all(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Several(several) => several,
        }
    }

    pub fn fit(&self, name: &str) -> bool {
        let name: Vec<char> = name.to_lowercase().chars().collect();
        self.all().iter().any(|p| fits(&p.to_lowercase().chars().collect::<Vec<_>>(), &name))
    }
}

impl std::fmt::Display for FilePatterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.all().join("`, `"))
    }
}

/// Goes back to the last `*` only, so the time is at most the product of the lengths.
fn fits(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_name() {
        let one = FilePatterns::One("parcels*.geojson".to_owned());
        assert!(one.fit("Parcels_2025.geojson") && one.fit("PARCELS.GEOJSON"));
        assert!(!one.fit("parcels.csv") && !one.fit("my_parcels.geojson"));
        let several = FilePatterns::Several(vec!["a?.shp".to_owned(), "*b*b*".to_owned()]);
        assert!(several.fit("a1.shp") && several.fit("xxbyyb.z") && !several.fit("a12.shp") && !several.fit("b"));
        assert_eq!(several.to_string(), "`a?.shp`, `*b*b*`");
    }
}
