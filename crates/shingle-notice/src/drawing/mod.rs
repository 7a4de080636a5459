//! The drawing of a roof: described once ([`figure`]), painted as PNG ([`png`]).

pub mod figure;
pub mod font;
pub mod png;
pub mod shape;
