//! The connectors that are part of the program: the files of `assets/connectors`.

use std::sync::LazyLock;

use crate::connector::template::ConnectorTemplate;

const FILES: [&str; 2] = [
    include_str!("../../../../assets/connectors/jobnimbus.toml"),
    include_str!("../../../../assets/connectors/slack.toml"),
];

static TEMPLATES: LazyLock<Vec<ConnectorTemplate>> =
    LazyLock::new(|| FILES.iter().filter_map(|text| ConnectorTemplate::parse(text).ok()).collect());

/// All of them.
pub fn built_in() -> &'static [ConnectorTemplate] {
    &TEMPLATES
}

pub fn find(name: &str) -> Option<&'static ConnectorTemplate> {
    built_in().iter().find(|template| template.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_connector_and_all_have_names_of_their_own() {
        let mut names = Vec::new();
        for text in FILES {
            match ConnectorTemplate::parse(text) {
                Ok(template) => names.push(template.name),
                Err(e) => panic!("{}: {e}", text.lines().next().unwrap_or_default()),
            }
        }
        let given = names.len();
        names.sort();
        names.dedup();
        assert_eq!((names.len(), given), (FILES.len(), FILES.len()));
        assert_eq!(built_in().len(), FILES.len());
    }

    #[test]
    fn every_file_of_the_folder_is_part_of_the_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/connectors");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
            .collect();
        there.sort();
        let mut known: Vec<String> = built_in().iter().map(|t| t.name.clone()).collect();
        known.sort();
        assert_eq!(known, there);
    }
}
