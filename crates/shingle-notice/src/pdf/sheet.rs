//! A page that is written from top to bottom, each text with its tag.

use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::outline::OutlineNode;
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, Node, SpanTag, TableHeaderScope, Tag, TagGroup, TagKind, TagTree,
};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use unicode_normalization::UnicodeNormalization;

use crate::drawing::font::{Face, REGULAR, SEMIBOLD};
use crate::drawing::shape::{Figure, Rgb};
use crate::drawing::vector;
use crate::error::NoticeError;

/// Points. A4 is narrower by 17 and higher by 50.
pub const WIDTH: f32 = 612.0;
pub const HEIGHT: f32 = 792.0;
/// To every side: an A4 printer cuts off 8 at most.
pub const MARGIN: f32 = 54.0;
pub const COLUMN: f32 = WIDTH - 2.0 * MARGIN;

#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub semibold: bool,
    pub size: f32,
    pub leading: f32,
    pub color: Rgb,
    /// What does not fit into so many lines is cut off.
    pub max_lines: usize,
}

/// Left edge and width.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub x: f32,
    pub width: f32,
}

pub const WHOLE: Place = Place { x: MARGIN, width: COLUMN };

pub struct Sheet<'a> {
    surface: Surface<'a>,
    fonts: [Font; 2],
    faces: [Face<'static>; 2],
    /// Where the next line begins, from the top.
    pub y: f32,
    pub tags: TagTree,
    pub outline: Vec<OutlineNode>,
    /// From 0 on.
    pub number: usize,
}

/// What goes from one page to the next.
pub struct Turned {
    fonts: [Font; 2],
    faces: [Face<'static>; 2],
    pub tags: TagTree,
    pub outline: Vec<OutlineNode>,
    number: usize,
}

impl Turned {
    pub fn onto(self, surface: Surface<'_>) -> Sheet<'_> {
        let Self { fonts, faces, tags, outline, number } = self;
        Sheet { surface, fonts, faces, y: MARGIN, tags, outline, number: number + 1 }
    }
}

impl<'a> Sheet<'a> {
    pub fn new(surface: Surface<'a>) -> Result<Self, NoticeError> {
        Self::on_page(surface, 0)
    }

    /// Pages are counted from 0.
    pub fn on_page(surface: Surface<'a>, number: usize) -> Result<Self, NoticeError> {
        let font = |bytes: &'static [u8]| Font::new(bytes.into(), 0).ok_or(NoticeError::Font);
        Ok(Self {
            surface,
            fonts: [font(&REGULAR)?, font(&SEMIBOLD)?],
            faces: [Face::of(&REGULAR)?, Face::of(&SEMIBOLD)?],
            y: MARGIN,
            tags: TagTree::new(),
            outline: Vec::new(),
            number,
        })
    }

    pub fn turn(self) -> Turned {
        self.surface.finish();
        let Self { fonts, faces, tags, outline, number, .. } = self;
        Turned { fonts, faces, tags, outline, number }
    }

    /// How high a text is in lines of this width.
    pub fn height(&self, text: &str, width: f32, style: Style) -> f32 {
        let text = self.kept(text, style.semibold);
        let lines = wrapped(&text, &self.faces[usize::from(style.semibold)], style, width).len();
        style.leading * u16::try_from(lines).map_or(0.0, f32::from)
    }

    /// At the foot of the page, for the eye alone.
    pub fn folio(&mut self, text: &str, style: Style) {
        let (text, y) = (self.kept(text, style.semibold), self.y);
        self.y = HEIGHT - MARGIN + 14.0;
        self.surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
        self.glyphs(&text, MARGIN, style);
        self.surface.end_tagged();
        self.y = y;
    }

    pub fn finish(self) -> (TagTree, Vec<OutlineNode>) {
        self.surface.finish();
        (self.tags, self.outline)
    }

    /// A paragraph over the whole width.
    pub fn paragraph(&mut self, text: &str, style: Style) {
        let lines = self.lines(text, WHOLE, style);
        self.group(Tag::P, lines);
    }

    /// A heading that the outline leads to.
    pub fn heading(&mut self, level: core::num::NonZeroU16, text: &str, style: Style, place: Place) {
        let title = self.kept(text, style.semibold);
        let to = XyzDestination::new(self.number, Point::from_xy(place.x, self.y));
        let lines = self.lines(text, place, style);
        if !lines.is_empty() {
            self.outline.push(OutlineNode::new(title.clone(), to));
        }
        self.group(Tag::Hn(level, Some(title)), lines);
    }

    /// Two columns: what, and how much. Empty without rows.
    pub fn table(&mut self, rows: &[[String; 2]], place: Place, label: f32, styles: [Style; 2]) {
        let mut table = TagGroup::new(Tag::Table);
        for [name, value] in rows {
            let top = self.y;
            let first = self.lines(name, Place { x: place.x, width: label - 8.0 }, styles[0]);
            let below = self.y;
            self.y = top;
            let second = self.lines(value, Place { x: place.x + label, width: place.width - label }, styles[1]);
            self.y = self.y.max(below) + 3.0;
            let header = TagGroup::with_children(Tag::TH(TableHeaderScope::Row), first);
            let cell = TagGroup::with_children(Tag::TD, second);
            table.push(TagGroup::with_children(Tag::TR, vec![Node::Group(header), Node::Group(cell)]));
        }
        if !table.children.is_empty() {
            self.tags.push(table);
        }
    }

    /// A figure on its ground, over the whole width, at most so high.
    pub fn figure(&mut self, figure: &Figure, alt: &str, most: f32) {
        let scale = (COLUMN / figure.width).min(most / figure.height);
        let (wide, high) = (figure.width * scale, figure.height * scale);
        let id = self.surface.start_tagged(ContentTag::Other);
        self.rectangle(MARGIN, self.y, COLUMN, high, figure.ground);
        vector::paint(&mut self.surface, figure, [MARGIN + (COLUMN - wide) / 2.0, self.y], scale);
        self.surface.end_tagged();
        self.tags.push(TagGroup::with_children(Tag::Figure(Some(alt.to_owned())), vec![Node::Leaf(id)]));
        self.y += high;
    }

    /// A stripe along the upper edge, which says nothing.
    pub fn band(&mut self, color: Rgb) {
        self.surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
        self.rectangle(0.0, 0.0, WIDTH, 10.0, color);
        self.surface.end_tagged();
    }

    /// A hairline, which says nothing.
    pub fn rule(&mut self, color: Rgb) {
        self.surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
        self.rectangle(MARGIN, self.y, COLUMN, 0.75, color);
        self.surface.end_tagged();
    }

    fn rectangle(&mut self, x: f32, y: f32, width: f32, height: f32, color: Rgb) {
        let Some(rect) = Rect::from_xywh(x, y, width, height) else { return };
        let mut path = PathBuilder::new();
        path.push_rect(rect);
        if let Some(path) = path.finish() {
            self.surface.set_stroke(None);
            self.surface.set_fill(Some(vector::fill(color)));
            self.surface.draw_path(&path);
        }
    }

    fn group(&mut self, tag: impl Into<TagKind>, lines: Vec<Node>) {
        if !lines.is_empty() {
            self.tags.push(TagGroup::with_children(tag, lines));
        }
    }

    /// Writes a text in lines, and moves down.
    fn lines(&mut self, text: &str, place: Place, style: Style) -> Vec<Node> {
        let text = self.kept(text, style.semibold);
        let lines = wrapped(&text, &self.faces[usize::from(style.semibold)], style, place.width);
        lines.iter().map(|line| Node::Leaf(self.line(line, place.x, style))).collect()
    }

    fn line(&mut self, line: &str, x: f32, style: Style) -> Identifier {
        let id = self.surface.start_tagged(ContentTag::Span(SpanTag::empty()));
        self.glyphs(line, x, style);
        self.surface.end_tagged();
        self.y += style.leading;
        id
    }

    fn glyphs(&mut self, line: &str, x: f32, style: Style) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(vector::fill(style.color)));
        // The letters are in the middle of their line.
        let base = Point::from_xy(x, self.y + style.leading / 2.0 + style.size * 0.36);
        let font = self.fonts[usize::from(style.semibold)].clone();
        let glyphs = self.faces[usize::from(style.semibold)].glyphs(line).map(|glyph| KrillaGlyph {
            glyph_id: GlyphId::new(glyph.id),
            text_range: glyph.of,
            x_advance: glyph.advance,
            x_offset: 0.0,
            y_offset: 0.0,
            y_advance: 0.0,
            location: None,
        });
        self.surface.draw_glyphs(base, &glyphs.collect::<Vec<_>>(), font, line, style.size, false);
    }

    /// Without what the font cannot show.
    fn kept(&self, text: &str, semibold: bool) -> String {
        let face = &self.faces[usize::from(semibold)];
        let known: String =
            text.nfc().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| face.has(*c)).collect();
        known.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// Broken at blanks, and inside words that are wider than a line.
fn wrapped(text: &str, face: &Face<'_>, style: Style, width: f32) -> Vec<String> {
    let fits = |line: &str| face.width(line, style.size) <= width;
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let longer = if line.is_empty() { word.to_owned() } else { [&line, " ", word].concat() };
        if fits(&longer) {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(core::mem::take(&mut line));
        }
        for c in word.chars() {
            line.push(c);
            if !fits(&line) && line.chars().count() > 1 {
                line.pop();
                lines.push(core::mem::take(&mut line));
                line.push(c);
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    if lines.len() > style.max_lines {
        lines.truncate(style.max_lines);
        if let Some(last) = lines.last_mut() {
            while !last.is_empty() && !fits(&[last, "…"].concat()) {
                last.pop();
            }
            last.push('…');
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_blanks_and_cut_with_a_mark() {
        let face = Face::of(&REGULAR).unwrap();
        let style = Style { semibold: false, size: 10.0, leading: 14.0, color: [0; 3], max_lines: 2 };
        assert_eq!(wrapped("one two three", &face, style, 45.0), ["one two", "three"]);
        let cut = wrapped(&"word ".repeat(50), &face, style, 60.0);
        assert!(cut.len() == 2 && cut[1].ends_with('…') && face.width(&cut[1], 10.0) <= 60.0, "{cut:?}");
        let long = wrapped(&"x".repeat(500), &face, style, 60.0);
        assert!(long.iter().all(|line| face.width(line, 10.0) <= 60.0), "{long:?}");
        assert_eq!(wrapped("", &face, style, 60.0), Vec::<String>::new());
    }
}
