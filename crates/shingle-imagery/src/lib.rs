//! Aerial photographs as files: GeoTIFFs are opened, placed on Earth, cut north-up around a home, compared with outlines
//! of buildings, and written as WebP.
//!
//! ```no_run
//! use shingle_imagery::{ImageryError, Placed, Window};
//!
//! # fn main() -> Result<(), ImageryError> {
//! let picture = Placed::open("town.tif".as_ref(), None)?;
//! println!("{:.2} m a pixel", picture.facts().meters_per_pixel);
//! let window = Window::about(-84.5, 33.75, 80.0, 780, 600);
//! if let Some(cut) = picture.cut(&window)? {
//!     std::fs::write("home.webp", cut.webp(15_000)?)?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The way of a pixel: `file` finds and unpacks the block it is in, `color` makes it red, green and blue, `place` says
//! where on Earth it is, `view` brings it into the window.
//!
//! - The same file and window give the same bytes.
//! - Memory is bounded by the window and by one block of the file, whatever the file says of itself.
//! - Samples of 16 bits become bytes by one scale for the whole file: see `color::stretch`.
//! - A fourth band is alpha only if the file says so, and if it looks like it: some surveys write infrared and call it
//!   alpha.

mod cloud;
mod color;
mod error;
mod facts;
mod file;
mod jpeg_picture;
mod place;
mod placed;
mod shift;
mod view;
mod webp;

pub use error::ImageryError;
pub use facts::{Coverage, Facts};
pub use jpeg_picture::{JpegLook, geotiff_of_jpeg, look_at_jpeg};
pub use placed::Placed;
pub use shift::{Shift, find_shift};
pub use view::{Cut, Window};
