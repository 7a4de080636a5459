//! The estimate on one page: Letter, but whole on A4 too; tagged for screen readers (PDF/UA-1).

mod estimate;
mod sheet;

pub use estimate::{EstimatePage, page};
