//! `shingle config …`: the settings as they are in use.

use clap::Subcommand;
use serde::Serialize;
use shingle_app::OperatorError;
use shingle_app::config::Settings;
use shingle_app::installation::SettingFlags;

use super::args::GlobalArgs;
use super::output::Output;

#[derive(Debug, Subcommand)]
pub enum Config {
    /// Print every setting as it is in use, without passwords
    Show,
    /// Read every setting and say what is wrong with it, without starting anything
    Check,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SettingsView {
    /// `None`: there is no settings file.
    file: Option<String>,
    /// Variables that begin like a setting's but are not one.
    unknown_variables: Vec<String>,
    settings: Settings,
}

impl Config {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        // A wrong setting is an error that names it and where it was set.
        let context = global.installation(SettingFlags::default())?;
        let view = SettingsView {
            file: context.settings_file.as_ref().map(|file| file.display().to_string()),
            unknown_variables: context.unknown_variables.clone(),
            settings: context.settings.without_passwords(),
        };
        match self {
            Self::Show => {
                let text = settings_text(&view.settings)?;
                output.print(&view, |view| format!("{}\n\n{text}", said_of_sources(view)))
            }
            Self::Check => output.print(&view, |view| format!("{}\nEvery setting is valid.", said_of_sources(view))),
        }
    }
}

fn settings_text(settings: &Settings) -> Result<String, OperatorError> {
    serde_json::to_string_pretty(settings)
        .map_err(|e| OperatorError::new(format!("The settings cannot be written as JSON: {e}")))
}

fn said_of_sources(view: &SettingsView) -> String {
    let file = match &view.file {
        Some(file) => format!("Settings file: {file}"),
        None => "Settings file: none".to_owned(),
    };
    let unknown = view.unknown_variables.iter().map(|name| format!("\nNot a setting: {name}"));
    file + &unknown.collect::<String>()
}
