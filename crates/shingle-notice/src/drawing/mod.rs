//! The drawing of a roof: described once ([`figure`]), painted as PNG ([`png`]) and into a PDF ([`vector`]).
//!
//! # Decision
//!
//! A drawing is described once as shapes (`figure.rs`), from the sheet the flow draws too, and painted as PNG and
//! into the PDF. Letters are outlines of the embedded font. Turned down: an SVG renderer for one picture.

pub mod figure;
pub mod font;
pub mod png;
pub mod shape;
pub mod vector;
