//! The drawing of a roof: described once ([`figure`]), painted as PNG ([`png`]) and into a PDF ([`vector`]).

pub mod figure;
pub mod font;
pub mod png;
pub mod shape;
pub mod vector;
