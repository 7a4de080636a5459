//! What a source is: where it is, how its releases are found, which columns are read, and its license. A file in
//! `assets/sources`, or one of the operator's in its place.

use std::borrow::Cow;
use std::path::Path;

use serde::Deserialize;
use url::Url;

use crate::error::SourceError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub name: String,
    pub title: String,
    /// `None`: there is no catalog, the folders are listed.
    pub catalog: Option<Url>,
    /// A folder: its last sign is a slash.
    pub data: Url,
    /// The folder of releases in it.
    pub releases: String,
    /// The mapping that says what the columns mean.
    pub mapping: String,
    pub license: License,
    pub layers: Vec<Layer>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct License {
    pub name: String,
    pub url: String,
    /// What has to be shown.
    pub attribution: String,
    /// What follows from it, in a few words.
    pub terms: String,
}

/// Files of one kind.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    pub name: String,
    /// As the catalog calls it.
    pub collection: String,
    /// In the folder of a release.
    pub folder: String,
    pub columns: Vec<String>,
    /// Columns that some releases have.
    #[serde(default)]
    pub optional: Vec<String>,
    /// Rows so far beyond the area are loaded too.
    #[serde(default)]
    pub margin_miles: f64,
}

impl Eq for Layer {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    catalog: String,
    data: String,
    releases: String,
    mapping: String,
    license: License,
    layers: Vec<Layer>,
}

const BUILT_IN: [(&str, &str); 1] = [("overture", include_str!("../../../assets/sources/overture.toml"))];

impl Source {
    /// The names of the sources that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The source of this name: the operator's description in this folder, else the one that comes with the program.
    pub fn open(name: &str, folder: &Path) -> Result<Self, SourceError> {
        Self::from_toml(name, &text_of(name, folder, &BUILT_IN)?)
    }

    pub fn from_toml(name: &str, text: &str) -> Result<Self, SourceError> {
        let file: File = toml::from_str(text).map_err(|e| wrong(name, e.to_string()))?;
        let url = |key: &str, text: &str| Url::parse(text).map_err(|e| wrong(name, format!("{key}: {e}")));
        let catalog = match file.catalog.as_str() {
            "" => None,
            text => Some(url("catalog", text)?),
        };
        let mut data = url("data", &file.data)?;
        for url in catalog.iter().chain([&data]) {
            if !matches!(url.scheme(), "https" | "http" | "file") {
                return Err(wrong(name, format!("{url} is neither https:// nor file://")));
            }
        }
        if !data.path().ends_with('/') {
            data.set_path(&format!("{}/", data.path()));
        }
        let is_name = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        if file.layers.is_empty() || !file.layers.iter().all(|l| is_name(&l.name) && !l.columns.is_empty()) {
            return Err(wrong(name, "a layer needs a name of small letters, and columns"));
        }
        Ok(Self {
            name: name.to_owned(),
            title: file.title,
            catalog,
            data,
            releases: file.releases,
            mapping: file.mapping,
            license: file.license,
            layers: file.layers,
        })
    }

    /// The servers that are asked; none for a folder of this machine.
    pub fn hosts(&self) -> Vec<String> {
        let mut hosts: Vec<_> =
            self.catalog.iter().chain([&self.data]).filter_map(|url| url.host_str()).map(str::to_owned).collect();
        hosts.dedup();
        hosts
    }
}

/// The operator's file of this name, else the one that comes with the program.
pub(crate) fn text_of<'a>(
    name: &str,
    folder: &Path,
    built_in: &[(&str, &'a str)],
) -> Result<Cow<'a, str>, SourceError> {
    let path = folder.join(format!("{name}.toml"));
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(text.into()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            let known = built_in.iter().find(|(known, _)| *known == name);
            known.map(|(_, text)| (*text).into()).ok_or_else(|| wrong(name, "there is no such source"))
        }
        Err(e) => Err(wrong(name, format!("{}: {e}", path.display()))),
    }
}

pub(crate) fn wrong(name: &str, why: impl Into<String>) -> SourceError {
    SourceError::Description { name: name.to_owned(), why: why.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_source_that_comes_with_the_program_is_read_and_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        for name in Source::names() {
            let source = Source::open(name, folder.path()).unwrap();
            assert!(source.data.scheme() == "https" && !source.hosts().is_empty() && !source.license.terms.is_empty());
        }
        let (_, text) = BUILT_IN[0];
        let mirror = text
            .replace("https://stac.overturemaps.org/catalog.json", "")
            .replace("https://overturemaps-us-west-2.s3.us-west-2.amazonaws.com/", "file:///srv/overture");
        std::fs::write(folder.path().join("overture.toml"), mirror).unwrap();
        let source = Source::open("overture", folder.path()).unwrap();
        assert_eq!((source.catalog, source.data.as_str()), (None, "file:///srv/overture/"));
    }

    #[test]
    fn a_wrong_description_is_an_error_with_its_name() {
        let (_, text) = BUILT_IN[0];
        for (from, to) in [
            ("data = \"https", "data = \"ftp"),
            ("releases =", "release ="),
            ("name = \"address\"", "name = \"../address\""),
            ("catalog = \"https://", "catalog = \"nowhere "),
        ] {
            let wrong = Source::from_toml("overture", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(wrong.contains("the source overture is described wrongly"), "{to}: {wrong}");
        }
    }
}
