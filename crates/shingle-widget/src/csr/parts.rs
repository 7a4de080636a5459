//! Which of the parts that come with the configuration is which (`ssr/part/frame.rs`).

pub const LOGO: usize = 0;
pub const CALL: usize = 1;
pub const FOOT: usize = 2;
pub const EXAMPLE: usize = 3;
pub const BLANK: usize = 4;
pub const PAUSED: usize = 5;
/// The heading of the first step.
pub const FIRST_TITLE: usize = 6;
/// The first of four: how far the visitor is.
pub const PROGRESS: usize = 7;
