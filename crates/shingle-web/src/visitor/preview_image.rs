//! The preview image of a link to the hosted page: the company's logo beside the example roof, in the widget's colors.
//! It has no text: the link's title is shown beside it.

use std::sync::Arc;

use image::imageops::{FilterType, overlay};
use image::{DynamicImage, ImageFormat, RgbaImage};
use shingle_domain::LinkId;
use shingle_domain::roof::{Aspect, LineKind};
use shingle_widget::palette::Palette;
use shingle_widget::plan::example;
use shingle_widget::ssr::PREVIEW;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};

/// Preview images by widget and version, of some 40 kB each.
pub type PreviewImages = Arc<quick_cache::sync::Cache<(LinkId, u64), Arc<Vec<u8>>>>;
pub const MAX_PREVIEW_IMAGES: usize = 500;

#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    #[error("the image has no size")]
    NoCanvas,
    #[error("the image could not be drawn")]
    Draw(#[from] image::ImageError),
}

/// Left, top, width and height of the roof's card and of the logo.
const CARD: [f32; 4] = [560.0, 45.0, 595.0, 540.0];
const LOGO: [u32; 4] = [50, 115, 460, 400];
/// Pixels for a unit of the drawing, which is a tenth of a foot.
const SCALE: f32 = 0.8;

/// A PNG of [`PREVIEW`]'s size. A logo that cannot be read is left out. Takes processor time.
pub fn draw(palette: &Palette, logo: Option<&[u8]>) -> Result<Vec<u8>, PreviewError> {
    let [width, height] = PREVIEW;
    let mut canvas = Canvas { map: Pixmap::new(width, height).ok_or(PreviewError::NoCanvas)?, palette };
    canvas.map.fill(canvas.color("--bg"));
    canvas.card();
    canvas.roof();
    let mut picture = RgbaImage::from_raw(width, height, canvas.map.take()).ok_or(PreviewError::NoCanvas)?;
    if let Some(logo) = logo.and_then(|bytes| image::load_from_memory(bytes).ok()) {
        let [x, y, widest, highest] = LOGO;
        let logo = logo.resize(widest, highest, FilterType::CatmullRom);
        let (left, top) = (x + (widest - logo.width()) / 2, y + (highest - logo.height()) / 2);
        overlay(&mut picture, &logo, left.into(), top.into());
    }
    let mut out = std::io::Cursor::new(Vec::new());
    DynamicImage::ImageRgba8(picture).into_rgb8().write_to(&mut out, ImageFormat::Png)?;
    Ok(out.into_inner())
}

struct Canvas<'a> {
    map: Pixmap,
    palette: &'a Palette,
}

impl Canvas<'_> {
    fn color(&self, name: &str) -> Color {
        let [r, g, b] = self.palette.rgb(name).unwrap_or([255; 3]);
        Color::from_rgba8(r, g, b, 255)
    }

    fn paint(&self, name: &str) -> Paint<'static> {
        let mut paint = Paint::default();
        paint.set_color(self.color(name));
        paint
    }

    fn card(&mut self) {
        let [x, y, width, height] = CARD;
        let (Some(edge), Some(inner)) =
            (Rect::from_xywh(x - 2.0, y - 2.0, width + 4.0, height + 4.0), Rect::from_xywh(x, y, width, height))
        else {
            return;
        };
        let (line, wash) = (self.paint("--line"), self.paint("--wash"));
        for (rect, radius, paint) in [(edge, 26.0, line), (inner, 24.0, wash)] {
            if let Some(path) = rounded(rect, radius) {
                self.map.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
            }
        }
    }

    fn roof(&mut self) {
        let roof = example();
        let [x, y, width, height] = CARD;
        let position = Transform::from_scale(SCALE, SCALE).post_translate(
            x + (width - roof.width as f32 * SCALE) / 2.0,
            y + (height - roof.height as f32 * SCALE) / 2.0,
        );
        for facet in &roof.facets {
            let shade = match facet.aspect {
                Aspect::North | Aspect::Flat => "--facet-n",
                Aspect::West => "--facet-w",
                Aspect::South => "--facet-s",
                Aspect::East => "--facet-e",
            };
            if let Some(path) = outline(&facet.ring) {
                let paint = self.paint(shade);
                self.map.fill_path(&path, &paint, FillRule::Winding, position, None);
            }
        }
        let stroke = |width, dash: Option<[f32; 2]>| Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash: dash.and_then(|dash| StrokeDash::new(dash.to_vec(), 0.0)),
            ..Stroke::default()
        };
        for line in &roof.lines {
            let (color, stroke) = match line.kind {
                LineKind::Hip => ("--drawn", stroke(3.0, None)),
                LineKind::Ridge => ("--drawn", stroke(5.0, None)),
                LineKind::Valley => ("--on-card-secondary", stroke(4.5, Some([14.0, 10.0]))),
            };
            if let Some(path) = line_path(&[line.from, line.to]).finish() {
                let paint = self.paint(color);
                self.map.stroke_path(&path, &paint, &stroke, position, None);
            }
        }
        for path in roof.rings.iter().filter_map(|ring| outline(ring)) {
            let paint = self.paint("--drawn");
            self.map.stroke_path(&path, &paint, &stroke(8.0, None), position, None);
        }
    }
}

fn line_path(points: &[[i32; 2]]) -> PathBuilder {
    let mut path = PathBuilder::new();
    for (at, [x, y]) in points.iter().enumerate() {
        let (x, y) = (*x as f32, *y as f32);
        if at == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path
}

fn outline(ring: &[[i32; 2]]) -> Option<Path> {
    let mut path = line_path(ring);
    path.close();
    path.finish()
}

fn rounded(rect: Rect, r: f32) -> Option<Path> {
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    let mut path = PathBuilder::new();
    path.move_to(left + r, top);
    path.line_to(right - r, top);
    path.quad_to(right, top, right, top + r);
    path.line_to(right, bottom - r);
    path.quad_to(right, bottom, right - r, bottom);
    path.line_to(left + r, bottom);
    path.quad_to(left, bottom, left, bottom - r);
    path.line_to(left, top + r);
    path.quad_to(left, top, left + r, top);
    path.close();
    path.finish()
}
