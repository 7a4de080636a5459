//! What can be wrong with an area, and what to do about it.

use std::fmt;
use std::path::PathBuf;

use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;
use shingle_import::ImportError;
use shingle_property::PropertyError;
use shingle_source::SourceError;

use crate::operator_error::OperatorError;

messages! {
    #[derive(Debug, Clone, PartialEq)]
    pub enum AreaRefusal {
        NoPlace => "Name a ZIP, a town or a county",
        NotAZip { text: String } => "{text} is not a ZIP: a ZIP has five digits",
        UnknownZip { zip: String } => "There is no ZIP {zip}",
        ZipWithoutCenter { zip: String } => "Nobody publishes where the ZIP {zip} is: it is for post boxes or one office",
        UnknownTown { name: String } => "No town or county is named {name}",
        ManyTowns { name: String, states: Vec<String>, first: String } =>
            "There is a {name} in {states}; write the state too: {name}, {first}",
        Canada { text: String } => "{text} is in Canada; only the United States are covered",
        NoMiles => "The miles must be a number above 0",
        TooFar { miles: String, most: u32, zips: usize, most_zips: usize } =>
            "There {zips|is|are} {zips} {zips|ZIP|ZIPs} within {miles} {miles|mile|miles}. The limit is {most} \
             {most|mile|miles}, with {most_zips} (the setting area_miles)",
        NothingThere { title: String } => "The source has no address in this area: {title}",
        NoSuchArea { name: String } => "There is no area named {name}",
        NothingBefore { name: String } => "Nothing was loaded before what {name} has now, or it was imported over",
        Busy { name: String } => "Another process is working on the area {name}",
        LittleRoom { needed: u64, free: u64 } =>
            "The area needs about {needed} MB of free disk and {free} MB are free; nothing was changed",
        Shrinks { before: u64, after: u64 } =>
            "The area would go from {before} {before|home|homes} to {after}, so it stays as it was",
        LicenseNotAccepted { license: String } => "The license was not accepted: {license}",
        LicenseChanged { before: String, now: String } =>
            "The license has changed, so the area stays as it was. It was: {before}. It is now: {now}",
        Mapping { why: Message } => "The mapping of the source cannot be used: {why}",
        Files { path: PathBuf, why: String } => "{path} cannot be written: {why}",
        SlowSource { seconds: u64 } => "The source did not answer within {seconds} {seconds|second|seconds}",
        Broke => "The work on the area broke off; start it again and it goes on",
    }
}

messages! {
    /// What to do about it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum AreaFix {
        Shrink => "Look at what the source says. To take the new release all the same, add --allow-shrink.",
        License => "Read the license. To accept it, add --yes.",
        ListAreas => "`shingle area list` names the areas.",
        FreeDisk => "Free some disk, or choose a smaller area.",
        Wait => "Wait until it is done. If no other process runs, start the command again.",
        Connect =>
            "Check this machine's connection, or name a mirror in sources/overture.toml of the data folder. Then start \
             the same command again: what was loaded is kept.",
        Again => "Start the same command again: what was loaded is kept and the rest is fetched.",
    }
}

#[derive(Debug)]
pub enum AreaError {
    Area(AreaRefusal),
    Source(SourceError),
    Import(ImportError),
    Index(PropertyError),
    Photos(Message),
}

impl ToMessage for AreaError {
    fn to_message(&self) -> Message {
        match self {
            Self::Area(problem) => problem.to_message(),
            Self::Source(error) => error.to_message(),
            Self::Import(error) => error.to_message(),
            Self::Index(error) => error.to_message(),
            Self::Photos(why) => why.clone(),
        }
    }
}

impl fmt::Display for AreaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}

impl std::error::Error for AreaError {}

impl From<AreaRefusal> for AreaError {
    fn from(problem: AreaRefusal) -> Self {
        Self::Area(problem)
    }
}

impl From<SourceError> for AreaError {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

impl From<ImportError> for AreaError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Index(PropertyError::Shrinks { before, after, .. }) => {
                AreaRefusal::Shrinks { before, after }.into()
            }
            error => Self::Import(error),
        }
    }
}

impl From<PropertyError> for AreaError {
    fn from(error: PropertyError) -> Self {
        Self::Index(error)
    }
}

impl AreaError {
    pub(super) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |e| AreaRefusal::Files { path, why: e.to_string() }.into()
    }

    fn fix(&self) -> Option<AreaFix> {
        match self {
            Self::Area(AreaRefusal::Shrinks { .. }) => Some(AreaFix::Shrink),
            Self::Area(AreaRefusal::LicenseNotAccepted { .. } | AreaRefusal::LicenseChanged { .. }) => {
                Some(AreaFix::License)
            }
            Self::Area(AreaRefusal::NoSuchArea { .. }) => Some(AreaFix::ListAreas),
            Self::Area(AreaRefusal::LittleRoom { .. }) | Self::Source(SourceError::DiskFull { .. }) => {
                Some(AreaFix::FreeDisk)
            }
            Self::Area(AreaRefusal::Busy { .. }) => Some(AreaFix::Wait),
            Self::Source(SourceError::Unanswered { .. }) => Some(AreaFix::Connect),
            Self::Area(AreaRefusal::Broke)
            | Self::Source(SourceError::Changed { .. } | SourceError::ReleaseGone { .. } | SourceError::Stopped) => {
                Some(AreaFix::Again)
            }
            _ => None,
        }
    }
}

impl From<AreaError> for OperatorError {
    fn from(error: AreaError) -> Self {
        let fix = error.fix();
        let plain = match error {
            AreaError::Import(error) => error.into(),
            AreaError::Index(error) => error.into(),
            error => Self::new(error.to_message()),
        };
        match fix {
            Some(fix) => plain.fix(fix),
            None => plain,
        }
    }
}
