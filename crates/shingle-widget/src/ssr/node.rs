//! A tree of elements and texts, written as HTML or handed to the loader as JSON.

use core::fmt;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::view::{Markup, Text};
use crate::words::Words;

/// One element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    tag: &'static str,
    attributes: Vec<(&'static str, Text)>,
    children: Vec<Child>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Child {
    Node(Node),
    Text(Text),
}

impl Markup for Node {
    fn new(tag: &'static str) -> Self {
        Self { tag, attributes: Vec::new(), children: Vec::new() }
    }

    fn attribute(mut self, name: &'static str, value: Text) -> Self {
        self.attributes.push((name, value));
        self
    }

    fn child(mut self, child: Self) -> Self {
        self.children.push(Child::Node(child));
        self
    }

    fn write(mut self, text: Text) -> Self {
        self.children.push(Child::Text(text));
        self
    }
}

impl Node {
    pub fn tag(&self) -> &'static str {
        self.tag
    }

    pub fn value(&self, name: &str) -> Option<&Text> {
        self.attributes.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// The elements in it, to look at.
    pub fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(|child| match child {
            Child::Node(node) => Some(node),
            Child::Text(_) => None,
        })
    }

    /// The first text in it or in an element of it.
    pub fn first_text(&self) -> Option<&Text> {
        self.children.iter().find_map(|child| match child {
            Child::Node(node) => node.first_text(),
            Child::Text(text) => Some(text),
        })
    }

    /// The elements inside.
    pub fn inside(self) -> Vec<Self> {
        let node = |child| match child {
            Child::Node(node) => Some(node),
            Child::Text(_) => None,
        };
        self.children.into_iter().filter_map(node).collect()
    }

    /// With everything inside in another element.
    pub fn around(mut self, mut inner: Self) -> Self {
        inner.children = core::mem::take(&mut self.children);
        self.children.push(Child::Node(inner));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.attributes.retain(|(found, _)| *found != name);
        self
    }

    /// With every element changed, from the inmost on.
    pub fn changed(mut self, change: &impl Fn(Self) -> Self) -> Self {
        let child = |child| match child {
            Child::Node(node) => Child::Node(node.changed(change)),
            text @ Child::Text(_) => text,
        };
        self.children = self.children.into_iter().map(child).collect();
        change(self)
    }

    /// With every text of ours that people read in another language. What was made at run time stays as it is.
    pub fn translated(mut self, into: &impl Fn(&'static str) -> &'static str) -> Self {
        let translate = |text: &mut Text| {
            if let Text::Fixed(ours) = text {
                *text = Text::Fixed(into(ours));
            }
        };
        for (name, value) in &mut self.attributes {
            // On a phone a cell shows its `data-l` before it.
            if matches!(*name, "aria-label" | "alt" | "title" | "placeholder" | "data-l") {
                translate(value);
            }
        }
        let child = |child| match child {
            Child::Node(node) => Child::Node(node.translated(into)),
            Child::Text(mut text) => {
                translate(&mut text);
                Child::Text(text)
            }
        };
        self.children = self.children.into_iter().map(child).collect();
        self
    }

    /// In one language.
    pub fn read(self, words: Words) -> Page {
        Page { words, root: self }
    }
}

/// A tree and the language it is written in.
#[derive(Debug, Clone)]
pub struct Page {
    words: Words,
    root: Node,
}

/// As HTML.
impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        html(f, &self.root, self.words)
    }
}

fn html(f: &mut fmt::Formatter<'_>, node: &Node, words: Words) -> fmt::Result {
    write!(f, "<{}", node.tag)?;
    for (name, value) in &node.attributes {
        write!(f, " {name}=\"")?;
        escaped(f, value.read(words))?;
        f.write_str("\"")?;
    }
    f.write_str(">")?;
    if matches!(node.tag, "img" | "input" | "link" | "meta" | "br" | "source" | "wbr") {
        return Ok(());
    }
    for child in &node.children {
        match child {
            Child::Node(node) => html(f, node, words)?,
            Child::Text(text) => escaped(f, text.read(words))?,
        }
    }
    write!(f, "</{}>", node.tag)
}

fn escaped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for c in text.chars() {
        match c {
            '&' => f.write_str("&amp;")?,
            '<' => f.write_str("&lt;")?,
            '>' => f.write_str("&gt;")?,
            '"' => f.write_str("&quot;")?,
            '\'' => f.write_str("&#39;")?,
            _ => fmt::Write::write_char(f, c)?,
        }
    }
    Ok(())
}

/// As the loader reads it: `[tag, {attributes}, ...children]`.
impl Serialize for Page {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Branch(&self.root, self.words).serialize(to)
    }
}

struct Branch<'a>(&'a Node, Words);

impl Serialize for Branch<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(node, words) = *self;
        let mut list = to.serialize_seq(None)?;
        list.serialize_element(node.tag)?;
        list.serialize_element(&Attributes(&node.attributes, words))?;
        for child in &node.children {
            match child {
                Child::Node(node) => list.serialize_element(&Branch(node, words))?,
                Child::Text(text) => list.serialize_element(text.read(words))?,
            }
        }
        list.end()
    }
}

struct Attributes<'a>(&'a [(&'static str, Text)], Words);

impl Serialize for Attributes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value.read(self.1))?;
        }
        map.end()
    }
}
