//! Paints a figure as an image.

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat, RgbaImage};
use tiny_skia::{
    Color, FillRule, FilterQuality, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Stroke,
    StrokeDash, Transform,
};

use super::shape::{Figure, PlacedPhoto, Rgb, Shape, Step, Style};
use crate::error::NoticeError;

/// Of a JPEG.
const QUALITY: u8 = 80;

/// An image, and its media type.
pub struct Painted {
    pub bytes: Vec<u8>,
    pub media_type: &'static str,
}

/// As PNG; with a photograph as JPEG, which is a tenth of the size then.
pub fn paint(figure: &Figure) -> Result<Painted, NoticeError> {
    let (width, height) = (figure.width.round() as u32, figure.height.round() as u32);
    let mut map = Pixmap::new(width, height).ok_or(NoticeError::NoCanvas)?;
    map.fill(color(figure.ground));
    if let Some(photo) = &figure.photo {
        lay(&mut map, photo);
    }
    for shape in &figure.shapes {
        draw(&mut map, shape);
    }
    let picture = RgbaImage::from_raw(width, height, map.take()).ok_or(NoticeError::NoCanvas)?;
    let picture = DynamicImage::ImageRgba8(picture).into_rgb8();
    if figure.photo.is_some() {
        let mut bytes = Vec::new();
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, QUALITY))?;
        return Ok(Painted { bytes, media_type: "image/jpeg" });
    }
    let mut out = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut out, ImageFormat::Png)?;
    Ok(Painted { bytes: out.into_inner(), media_type: "image/png" })
}

fn lay(map: &mut Pixmap, photo: &PlacedPhoto) {
    let (width, height) = photo.image.dimensions();
    let rgba = DynamicImage::ImageRgb8((*photo.image).clone()).into_rgba8().into_raw();
    // It is opaque, so nothing has to be multiplied by alpha.
    let under = tiny_skia::PixmapRef::from_bytes(&rgba, width, height);
    let Some(under) = under else { return };
    let scale = [photo.wide / width as f32, photo.high / height as f32];
    let place = Transform::from_row(scale[0], 0.0, 0.0, scale[1], photo.at[0], photo.at[1]);
    let paint = PixmapPaint { quality: FilterQuality::Bicubic, ..PixmapPaint::default() };
    map.draw_pixmap(0, 0, under, &paint, place, None);
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
