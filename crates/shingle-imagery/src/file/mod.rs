//! TIFF files: directories, pages, blocks of pixels.

pub mod bytes;
mod codec;
pub mod directory;
pub mod jpeg;
pub mod page;
