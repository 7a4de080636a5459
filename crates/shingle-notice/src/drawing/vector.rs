//! Paints a figure into a PDF, as vectors.

use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Transform};
use krilla::paint::{Fill, LineCap, LineJoin, Stroke, StrokeDash};
use krilla::surface::Surface;

use super::shape::{Figure, Point, Rgb, Shape, Step, Style};

/// With its top left corner at a place of the page, `scale` times as large.
pub fn paint(surface: &mut Surface<'_>, figure: &Figure, [x, y]: Point, scale: f32) {
    surface.push_transform(&Transform::from_row(scale, 0.0, 0.0, scale, x, y));
    for shape in &figure.shapes {
        draw(surface, shape);
    }
    surface.pop();
}

pub fn fill(color: Rgb) -> Fill {
    let [r, g, b] = color;
    Fill { paint: rgb::Color::new(r, g, b).into(), ..Fill::default() }
}

fn draw(surface: &mut Surface<'_>, shape: &Shape) {
    let Some(path) = path(&shape.path) else { return };
    match shape.style {
        Style::Fill => {
            surface.set_stroke(None);
            surface.set_fill(Some(fill(shape.color)));
        }
        Style::Stroke { width, dash } => {
            surface.set_fill(None);
            surface.set_stroke(Some(Stroke {
                paint: fill(shape.color).paint,
                width,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                dash: dash.map(|dash| StrokeDash { array: dash.to_vec(), offset: 0.0 }),
                ..Stroke::default()
            }));
        }
    }
    surface.draw_path(&path);
}

fn path(steps: &[Step]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for step in steps {
        match *step {
            Step::Move([x, y]) => path.move_to(x, y),
            Step::Line([x, y]) => path.line_to(x, y),
            Step::Quad([a, b], [x, y]) => path.quad_to(a, b, x, y),
            Step::Cubic([a, b], [c, d], [x, y]) => path.cubic_to(a, b, c, d, x, y),
            Step::Close => path.close(),
        }
    }
    path.finish()
}
