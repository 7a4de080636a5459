//! `shingle photo list|remove|hide|unhide|hidden`: photographs from the air.

use clap::{Args, Subcommand};
use serde::Serialize;
use shingle_app::aerial::{self, Catalog, Fit};
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::operator_error::OperatorError;
use shingle_property::PropertyIndex;

use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::{Output, table};

#[derive(Debug, Subcommand)]
pub enum Photo {
    /// List the photos of areas, and those that `shingle import FILE.tif` has loaded
    List,
    /// Remove the photos of a name
    Remove(Named),
    /// Never show a home: it gets no photo, and is painted over in those of its neighbors
    Hide(At),
    /// Show a hidden home again
    Unhide(At),
    /// List the hidden homes
    Hidden,
}

#[derive(Debug, Args)]
pub struct Named {
    name: String,
}

#[derive(Debug, Args)]
pub struct At {
    /// On one line: "14 Alder Court, Harrow Falls, ME 04995"
    address: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SetView {
    name: String,
    taken: String,
    credit: String,
    pictures: usize,
    /// Of the sharpest.
    meters_per_pixel: f64,
    /// Pictures that lie too far off to be shown.
    not_shown: usize,
}

#[derive(Debug, Serialize)]
struct Done {
    address: String,
    changed: bool,
}

impl Photo {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        let folder = aerial::folder(&context.settings.data);
        match self {
            Self::List => {
                let catalog = Catalog::read(&folder).map_err(|e| OperatorError::text(e).at(folder.display()))?;
                output.print(&sets(&catalog), |sets| listed(sets))
            }
            Self::Remove(Named { name }) => {
                aerial::remove(&folder, &name)?;
                output.print(&name, |name| format!("Removed {name}."))
            }
            Self::Hide(At { address }) => {
                let index = index(&context)?;
                let (home, changed) =
                    block_on(async { aerial::hide(&context.store().await?, &index, &address).await })?;
                output.print(&Done { address: home.address, changed }, |done| match done.changed {
                    true => format!("{} is hidden: no photo shows it.", done.address),
                    false => format!("{} was hidden already.", done.address),
                })
            }
            Self::Unhide(At { address }) => {
                let index = index(&context)?;
                let address = block_on(async { aerial::unhide(&context.store().await?, &index, &address).await })?;
                output.print(&Done { address, changed: true }, |done| format!("{} is shown again.", done.address))
            }
            Self::Hidden => {
                let homes = block_on(async {
                    let all = context.store().await?.hidden_homes().all().await?;
                    Ok::<_, OperatorError>(all.into_iter().map(|(_, home)| home.address).collect::<Vec<_>>())
                })?;
                output.print(&homes, |homes| match homes.is_empty() {
                    true => "No home is hidden.".to_owned(),
                    false => homes.join("\n"),
                })
            }
        }
    }
}

fn index(context: &Installation) -> Result<PropertyIndex, OperatorError> {
    Ok(PropertyIndex::open(&context.settings.property(), context.reference()?)?)
}

fn sets(catalog: &Catalog) -> Vec<SetView> {
    let view = |set: &aerial::PhotoSet| SetView {
        name: set.name.clone(),
        taken: set.taken.to_string(),
        credit: set.credit.clone(),
        pictures: set.pictures.len(),
        meters_per_pixel: set.pictures.iter().map(|picture| picture.meters_per_pixel).fold(f64::INFINITY, f64::min),
        not_shown: set.pictures.iter().filter(|picture| matches!(picture.fit, Fit::TooFar { .. })).count(),
    };
    catalog.sets.iter().map(view).collect()
}

fn listed(sets: &[SetView]) -> String {
    if sets.is_empty() {
        return "There are no photos. Load those of an area with `shingle area add ZIP --photos`, or files with `shingle import \
                FILE.tif --taken 2023-07 --credit TEXT`."
            .to_owned();
    }
    let row = |set: &SetView| {
        [
            set.name.clone(),
            set.taken.clone(),
            set.pictures.to_string(),
            format!("{:.2}", set.meters_per_pixel),
            set.not_shown.to_string(),
            set.credit.clone(),
        ]
    };
    table(["name", "taken", "files", "m/pixel", "not shown", "credit"], &sets.iter().map(row).collect::<Vec<_>>())
}
