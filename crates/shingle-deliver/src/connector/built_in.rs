//! The connectors that are part of the program: the files of `assets/connectors`.

use std::sync::LazyLock;

use crate::connector::template::ConnectorTemplate;

const FILES: [&str; 21] = [
    include_str!("../../../../assets/connectors/acculynx.toml"),
    include_str!("../../../../assets/connectors/discord.toml"),
    include_str!("../../../../assets/connectors/ga4.toml"),
    include_str!("../../../../assets/connectors/google-ads.toml"),
    include_str!("../../../../assets/connectors/google-chat.toml"),
    include_str!("../../../../assets/connectors/google-sheets.toml"),
    include_str!("../../../../assets/connectors/hubspot.toml"),
    include_str!("../../../../assets/connectors/hubspot-form.toml"),
    include_str!("../../../../assets/connectors/jobnimbus.toml"),
    include_str!("../../../../assets/connectors/make.toml"),
    include_str!("../../../../assets/connectors/meta-conversions.toml"),
    include_str!("../../../../assets/connectors/n8n.toml"),
    include_str!("../../../../assets/connectors/ntfy.toml"),
    include_str!("../../../../assets/connectors/pipedrive.toml"),
    include_str!("../../../../assets/connectors/slack.toml"),
    include_str!("../../../../assets/connectors/teams.toml"),
    include_str!("../../../../assets/connectors/telegram.toml"),
    include_str!("../../../../assets/connectors/telnyx-sms.toml"),
    include_str!("../../../../assets/connectors/twilio-sms.toml"),
    include_str!("../../../../assets/connectors/twilio-whatsapp.toml"),
    include_str!("../../../../assets/connectors/zapier.toml"),
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
                Err(mistakes) => panic!("{}: {mistakes:?}", text.lines().next().unwrap_or_default()),
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
