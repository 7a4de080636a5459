//! A logo that a page draws itself: an `<svg>` in the link to its home page, or under a name that says logo.

use crate::tokens::StartTag;

/// Bytes of a drawing that are kept. A longer one is an illustration.
const MAX_DRAWING: usize = 200_000;

/// Reads one drawing as markup. Names of elements come without their case, which a browser gives back.
#[derive(Default)]
pub struct DrawnLogo {
    /// How many `<svg>` are open.
    depth: u32,
    markup: String,
    is_too_long: bool,
    found: Option<String>,
}

impl DrawnLogo {
    pub fn is_open(&self) -> bool {
        self.depth > 0
    }

    pub fn is_found(&self) -> bool {
        self.found.is_some()
    }

    pub fn take(&mut self) -> Option<String> {
        self.found.take()
    }

    /// Ends a drawing whose end is missing, as a browser does at this tag.
    pub fn is_left_by(&mut self, name: &str) -> bool {
        const OUTSIDE: [&str; 16] = [
            "body", "br", "center", "div", "h1", "h2", "h3", "h4", "img", "li", "ol", "p", "span", "strong", "table",
            "ul",
        ];
        let is_left = OUTSIDE.contains(&name);
        if is_left {
            *self = Self::default();
        }
        is_left
    }

    /// Of the drawing itself, and of everything in it.
    pub fn start_tag(&mut self, tag: &StartTag) {
        if tag.name == "svg" && !tag.self_closing {
            self.depth += 1;
        }
        self.add("<");
        self.add(&tag.name);
        for (name, value) in &tag.attributes {
            self.add(" ");
            self.add(name);
            self.add("=\"");
            self.add(&value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;"));
            self.add("\"");
        }
        self.add(if tag.self_closing { "/>" } else { ">" });
    }

    pub fn text(&mut self, text: &str) {
        self.add(&text.replace('&', "&amp;").replace('<', "&lt;"));
    }

    pub fn end_tag(&mut self, name: &str) {
        self.add("</");
        self.add(name);
        self.add(">");
        if name != "svg" {
            return;
        }
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            let markup = core::mem::take(&mut self.markup);
            let is_whole = !core::mem::take(&mut self.is_too_long);
            self.found = Some(markup).filter(|markup| is_whole && draws(markup));
        }
    }

    fn add(&mut self, text: &str) {
        self.is_too_long |= self.markup.len() + text.len() > MAX_DRAWING;
        if !self.is_too_long {
            self.markup.push_str(text);
        }
    }
}

/// Whether there is a shape in it. A reference to one elsewhere on the page draws nothing by itself.
fn draws(markup: &str) -> bool {
    const SHAPES: [&str; 9] =
        ["<path", "<rect", "<circle", "<ellipse", "<polygon", "<polyline", "<line ", "<text", "<image"];
    SHAPES.iter().any(|shape| markup.contains(shape))
}
