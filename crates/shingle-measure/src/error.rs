//! What can be wrong with the files that are handed in.

use std::io;

#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("there are no LAS or LAZ files and no EPT folders")]
    NoFiles,
    #[error("this is not a LAS or LAZ file: it does not begin with LASF")]
    NotLas,
    #[error("the file ends within its header")]
    ShortHeader,
    #[error("LAS version {major}.{minor} is not known; 1.0 to 1.4 are")]
    Version { major: u8, minor: u8 },
    #[error("point format {0} holds waveforms, which are not read; export the points without them")]
    Waveform(u8),
    #[error("point format {0} is not known; 0 to 10 are")]
    PointFormat(u8),
    #[error("the header is damaged: {0}")]
    Header(&'static str),
    #[error("the compressed points cannot be read: {0}")]
    Compression(String),
    #[error("the EPT folder cannot be read: {0}")]
    Ept(String),
    #[error("the EPT folder has its points as {0}, which is not read; only laszip is")]
    EptData(String),
    #[error("the EPT folder has its hierarchy as {0}, which is not read; only json is")]
    EptPages(String),
    #[error("the coordinate system of the points cannot be used: {0}")]
    Crs(String),
    #[error("the outlines cannot be read: {0}")]
    Outlines(String),
    #[error(
        "the outlines are in longitude and latitude, and {0} does not say where its points are; give outlines in the \
         coordinates of the points"
    )]
    Unplaced(String),
    #[error(
        "the outlines do not lie where {0} has points, and would with their coordinates swapped: one of the two has north \
         before east"
    )]
    Swapped(String),
    #[error(
        "the heights do not fit the widths: the roofs stand a median of {height:.0} m high and slope {pitch:.0} degrees. \
         One of the two is probably in feet and said to be in meters; state the units in the files"
    )]
    Units { height: f64, pitch: f64 },
}
