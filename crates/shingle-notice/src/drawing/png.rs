//! Paints a figure as PNG.

use image::{DynamicImage, ImageFormat, RgbaImage};
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

use super::shape::{Figure, Rgb, Shape, Step, Style};
use crate::error::NoticeError;

pub fn paint(figure: &Figure) -> Result<Vec<u8>, NoticeError> {
    let (width, height) = (figure.width.round() as u32, figure.height.round() as u32);
    let mut map = Pixmap::new(width, height).ok_or(NoticeError::NoCanvas)?;
    map.fill(color(figure.ground));
    for shape in &figure.shapes {
        draw(&mut map, shape);
    }
    let picture = RgbaImage::from_raw(width, height, map.take()).ok_or(NoticeError::NoCanvas)?;
    let mut out = std::io::Cursor::new(Vec::new());
    DynamicImage::ImageRgba8(picture).into_rgb8().write_to(&mut out, ImageFormat::Png)?;
    Ok(out.into_inner())
}

fn draw(map: &mut Pixmap, shape: &Shape) {
    let Some(path) = path(&shape.path) else { return };
    let mut paint = Paint::default();
    paint.set_color(color(shape.color));
    match shape.style {
        Style::Fill => map.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None),
        Style::Stroke { width, dash } => {
            let stroke = Stroke {
                width,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                dash: dash.and_then(|dash| StrokeDash::new(dash.to_vec(), 0.0)),
                ..Stroke::default()
            };
            map.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
        }
    }
}

fn color([r, g, b]: Rgb) -> Color {
    Color::from_rgba8(r, g, b, 255)
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
