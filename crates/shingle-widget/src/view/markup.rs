//! How markup is built, by the server as plain nodes and by the browser as elements of the document.

use crate::words::{Word, Words};

/// A text in markup. Which language a [`Word`] is read in is known where the markup is written out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    Fixed(&'static str),
    Word(Word),
    Made(String),
}

impl Text {
    pub fn read(&self, words: Words) -> &str {
        match self {
            Self::Fixed(text) => text,
            Self::Word(word) => words.text(*word),
            Self::Made(text) => text,
        }
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Self {
        Self::Fixed(text)
    }
}

impl From<Word> for Text {
    fn from(word: Word) -> Self {
        Self::Word(word)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Made(text)
    }
}

/// Attributes that do not change, as a table: far less code than a call for each.
pub type Fixed = [(&'static str, &'static str)];

/// An element under construction. Server and browser implement the first four functions; the others follow from them.
pub trait Markup: Sized {
    fn new(tag: &'static str) -> Self;

    fn attribute(self, name: &'static str, value: Text) -> Self;

    /// Puts an element inside, behind what is there.
    fn child(self, child: Self) -> Self;

    /// Puts a text inside.
    fn write(self, text: Text) -> Self;

    /// An element with a class, the most frequent kind.
    #[inline(never)]
    fn classed(tag: &'static str, class: &'static str) -> Self {
        Self::new(tag).set("class", class)
    }

    #[inline(never)]
    fn set(self, name: &'static str, value: impl Into<Text>) -> Self {
        self.attribute(name, value.into())
    }

    #[inline(never)]
    fn all(self, fixed: &'static Fixed) -> Self {
        fixed.iter().fold(self, |element, (name, value)| element.set(name, *value))
    }

    #[inline(never)]
    fn text(self, text: impl Into<Text>) -> Self {
        self.write(text.into())
    }

    fn children(self, children: impl IntoIterator<Item = Self>) -> Self {
        children.into_iter().fold(self, Self::child)
    }
}
