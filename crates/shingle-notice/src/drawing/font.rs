//! The one font of pictures and PDF: which letters it has, how wide they run, and their outlines.

use std::ops::Range;
use std::sync::LazyLock;

use shingle_packed::unpacked;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider};

use super::shape::Step;
use crate::error::NoticeError;

pub static REGULAR: LazyLock<Vec<u8>> =
    LazyLock::new(|| unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/Inter-Regular.br"))));
pub static SEMIBOLD: LazyLock<Vec<u8>> =
    LazyLock::new(|| unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/Inter-SemiBold.br"))));

pub struct Face<'a> {
    font: FontRef<'a>,
}

impl<'a> Face<'a> {
    pub fn of(bytes: &'a [u8]) -> Result<Self, NoticeError> {
        Ok(Self { font: FontRef::new(bytes).map_err(|_| NoticeError::Font)? })
    }

    pub fn has(&self, c: char) -> bool {
        self.font.charmap().map(c).is_some_and(|glyph| glyph.to_u32() != 0)
    }

    /// Whether every letter of the text can be drawn. A name of which some are missing would be another name.
    pub fn has_all(&self, text: &str) -> bool {
        text.chars().all(|c| c.is_whitespace() || self.has(c))
    }

    /// Without kerning, which only makes text narrower.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        let metrics = self.metrics(size);
        let map = self.font.charmap();
        text.chars().filter_map(|c| metrics.advance_width(map.map(c)?)).sum()
    }

    /// One for each letter, without kerning: what [`Face::width`] counts.
    pub fn glyphs(&self, text: &str) -> impl Iterator<Item = Glyph> {
        let (metrics, map) = (self.metrics(1.0), self.font.charmap());
        text.char_indices().filter_map(move |(at, c)| {
            let id = map.map(c)?;
            let advance = metrics.advance_width(id)?;
            Some(Glyph { id: id.to_u32(), of: at..at + c.len_utf8(), advance })
        })
    }

    /// The outlines of a text that begins at 0, on the line y = 0, with y downwards. Letters that the font lacks are
    /// left out.
    pub fn outlines(&self, text: &str, size: f32) -> Vec<Step> {
        let (metrics, map, glyphs) = (self.metrics(size), self.font.charmap(), self.font.outline_glyphs());
        let mut pen = Pen { x: 0.0, steps: Vec::new() };
        for glyph in text.chars().filter_map(|c| map.map(c)) {
            if let Some(outline) = glyphs.get(glyph) {
                // A broken outline is not drawn: the font is ours and a test draws every letter.
                let _ = outline.draw(DrawSettings::unhinted(Size::new(size), LocationRef::default()), &mut pen);
            }
            pen.x += metrics.advance_width(glyph).unwrap_or_default();
        }
        pen.steps
    }

    fn metrics(&self, size: f32) -> GlyphMetrics<'a> {
        self.font.glyph_metrics(Size::new(size), LocationRef::default())
    }
}

pub struct Glyph {
    pub id: u32,
    /// The bytes of its letter.
    pub of: Range<usize>,
    /// For letters of size 1.
    pub advance: f32,
}

struct Pen {
    x: f32,
    steps: Vec<Step>,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> [f32; 2] {
        [self.x + x, -y]
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.steps.push(Step::Move(self.at(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.steps.push(Step::Line(self.at(x, y)));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.steps.push(Step::Quad(self.at(cx, cy), self.at(x, y)));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.steps.push(Step::Cubic(self.at(ax, ay), self.at(bx, by), self.at(x, y)));
    }

    fn close(&mut self) {
        self.steps.push(Step::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_weights_have_every_letter_of_our_words_with_an_outline() {
        let letters = "ABCXYZabcxyz0123456789ñÑáéíóúüÁÉÍÓÚÜ¿¡çãõœß×·–—“”‘’½¼°²…$%&@#/()[]{}+-=,.;:!?'\"€łčő";
        for bytes in [&REGULAR, &SEMIBOLD] {
            let face = Face::of(bytes).unwrap();
            for c in letters.chars() {
                assert!(face.has(c), "{c}");
                assert!(!face.outlines(&c.to_string(), 20.0).is_empty(), "{c}");
            }
            assert!(face.has(' ') && face.outlines(" ", 20.0).is_empty());
            assert!(!face.has('李') && !face.has('👩'));
            for name in [
                "Mái Nhà Nguyễn",
                "Στέγη Παπαδόπουλος",
                "Крыши Їжакевич",
                "Ђорђевић Кровови",
                "Hawaiʻi Roofing",
                "Åström",
                "Łódź",
            ] {
                assert!(face.has_all(name), "{name}");
            }
            for name in ["김씨 지붕", "سقف", "Kim 김 Roofing", "गृह", "李"] {
                assert!(!face.has_all(name), "{name}");
            }
            assert!(bytes.len() < 100_000);
        }
    }

    #[test]
    fn letters_that_are_missing_take_no_room() {
        let face = Face::of(&REGULAR).unwrap();
        assert_eq!(face.outlines("李👩", 20.0), []);
        assert!(face.width("mm", 20.0) > face.width("ii", 20.0));
        assert!((face.width("mmmm", 10.0) - face.width("mm", 20.0)).abs() < 0.01);
    }
}
