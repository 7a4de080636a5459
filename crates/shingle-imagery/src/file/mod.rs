//! TIFF files: directories, pages, blocks of pixels.

pub mod bytes;
mod codec;
pub mod directory;
mod jpeg;
pub mod page;
