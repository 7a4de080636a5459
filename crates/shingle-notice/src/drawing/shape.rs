//! What a painter has to know: paths, colors, widths.

use std::sync::Arc;

use image::RgbImage;

/// Red, green, blue.
pub type Rgb = [u8; 3];
pub type Point = [f32; 2];

/// A picture: y counts downwards, in pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub width: f32,
    pub height: f32,
    pub ground: Rgb,
    /// Under everything else.
    pub photo: Option<PlacedPhoto>,
    /// In the order of painting.
    pub shapes: Vec<Shape>,
}

/// A photograph, stretched over a part of the picture.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedPhoto {
    pub image: Arc<RgbImage>,
    pub at: Point,
    pub wide: f32,
    pub high: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    pub path: Vec<Step>,
    pub color: Rgb,
    pub style: Style,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Style {
    Fill,
    /// Round ends and corners.
    Stroke {
        width: f32,
        dash: Option<[f32; 2]>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    Move(Point),
    Line(Point),
    Quad(Point, Point),
    Cubic(Point, Point, Point),
    Close,
}

impl Step {
    pub fn map(self, f: impl Fn(Point) -> Point) -> Self {
        match self {
            Self::Move(p) => Self::Move(f(p)),
            Self::Line(p) => Self::Line(f(p)),
            Self::Quad(a, p) => Self::Quad(f(a), f(p)),
            Self::Cubic(a, b, p) => Self::Cubic(f(a), f(b), f(p)),
            Self::Close => Self::Close,
        }
    }
}
