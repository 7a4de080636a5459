//! The pages, as the build has packed them.

use std::sync::LazyLock;

use serde::Deserialize;

/// The page that `/manual` shows.
pub(crate) const FIRST: &str = "index";

#[derive(Deserialize)]
pub(crate) struct Page {
    pub name: String,
    /// The heading above it in the list; empty for the first page.
    pub part: String,
    pub title: String,
    pub html: String,
    pub sections: Vec<Section>,
}

/// The text under one heading.
#[derive(Deserialize)]
pub(crate) struct Section {
    pub anchor: String,
    pub heading: String,
    pub text: String,
}

impl Page {
    pub fn path(&self) -> String {
        if self.name == FIRST { "/manual".to_owned() } else { format!("/manual/{}", self.name) }
    }
}

/// All pages, in the order of the list.
pub(crate) fn pages() -> &'static [Page] {
    static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
        // The build wrote it, and a test reads it.
        let text = shingle_packed::unpacked_text(include_bytes!(concat!(env!("OUT_DIR"), "/manual.br")));
        serde_json::from_str(&text).unwrap_or_default()
    });
    &PAGES
}

/// The names of all pages, as in `/manual/{name}`. The first page is `index`.
pub fn names() -> impl Iterator<Item = &'static str> {
    pages().iter().map(|page| page.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packed_pages_are_read() {
        assert!(pages().len() > 10);
        assert_eq!(pages()[0].name, FIRST);
        for page in pages() {
            let first = &page.sections[0];
            assert!(page.html.starts_with("<h1"), "{}", page.name);
            assert!(page.html.contains(&format!("<h1 id=\"{}\">", first.anchor)), "{}", page.name);
            assert_eq!(page.html.matches("<h1").count(), 1, "{}", page.name);
        }
    }

    /// The program may not grow by what nobody reads.
    #[test]
    fn the_manual_is_small() {
        let packed = include_bytes!(concat!(env!("OUT_DIR"), "/manual.br")).len();
        assert!(packed < 150_000, "{packed} bytes");
    }
}
