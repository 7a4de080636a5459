//! Where a picture is: from pixels to coordinates of its system, and to degrees.

pub mod keys;
pub mod matrix;
pub mod system;
pub mod world_file;
