//! The sums: what is known of a property in, what it means out. Pure and deterministic: no I/O, no clock,
//! and the same figures on every platform, because every step is either exact in IEEE 754 or comes from
//! `libm`'s own code instead of the system's. (Clippy refuses the others. The one library that asks the system,
//! for the skeletons of drawings, has its points rounded to a nanometre.)

pub mod buyer;
pub mod calibration;
pub mod details;
mod household;
pub mod integrity;
pub mod owner;
pub mod roof;
pub mod solar;
pub mod surname;
pub mod utility;
