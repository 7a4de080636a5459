//! National data sets that are read where they are: the newest release of a source, which of its files have rows of an
//! area, and those rows as files of ours, a few megabytes out of hundreds of gigabytes.
//!
//! A [`Source`] says where the files are and what is read of them. A [`Plan`] says what an area takes before any of it
//! is loaded, and [`load`] writes Parquet files that an import reads like any other. Which servers may be asked is
//! decided by the [`RangeReader`] that the caller gives. A [`SurveySource`] lists the laser surveys of an area, an
//! [`ImagerySource`] has photographs of it.
//!
//! # Decision
//!
//! Ranges over plain HTTP, by the caller's [`RangeReader`]: buckets that are open to all answer ordinary requests,
//! and the program has one client of HTTP with one policy. Turned down: `object_store` with its client for S3, another
//! HTTP client beside ours, for signatures that an open bucket does not want.

mod area;
mod client;
mod columns;
mod compare;
mod description;
mod drawn;
mod error;
mod footer;
mod ground_plan;
mod imagery;
mod load;
mod pages;
mod plan;
mod range_reader;
mod release;
mod survey;

pub use area::{Area, BoundingBox, Circle};
pub use client::{Client, FileState, RequestSettings, Traffic};
pub use compare::{Changes, compare};
pub use description::{Layer, License, Source};
pub use drawn::drawn_boxes;
pub use error::{LargePart, SourceError};
pub use footer::OpenFile;
pub use imagery::{Footprint, Grid, ImageryFault, ImagerySource, Shown, Tile, mercator};
pub use load::{LoadProgress, Loaded, load};
pub use plan::{Plan, PlannedFile};
pub use range_reader::{Answer, AnswerFuture, FolderReader, RangeReader, ReadFault, Wanted};
pub use release::{Release, RemoteFile};
pub use survey::{Survey, SurveySource};

/// Every message of this crate: the key of its sentence, and its English.
pub const MESSAGES: &[&[(&str, &str)]] = &[
    SourceError::SENTENCES,
    LargePart::SENTENCES,
    ImageryFault::SENTENCES,
    client::AnswerFault::SENTENCES,
    release::CatalogFault::SENTENCES,
];
