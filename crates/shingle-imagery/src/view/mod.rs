//! From a window on Earth to its pixels.

mod cut;
mod gather;
mod window;

pub use cut::{Cut, cut};
pub use window::Window;
