//! From a window on Earth to its pixels.

mod cut;
mod gather;
mod window;

pub use cut::Cut;
pub use window::Window;
