//! A tree of elements and texts, written as HTML or handed to the loader as JSON.

use core::fmt;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// One element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    tag: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Child>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Child {
    Node(Node),
    Text(String),
}

pub fn node(tag: &'static str) -> Node {
    Node { tag, attributes: Vec::new(), children: Vec::new() }
}

impl Node {
    pub fn set(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }

    pub fn class(self, names: &str) -> Self {
        self.set("class", names)
    }

    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.children.push(Child::Text(text.into()));
        self
    }

    pub fn child(mut self, child: Self) -> Self {
        self.children.push(Child::Node(child));
        self
    }

    pub fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children.into_iter().map(Child::Node));
        self
    }
}

/// As HTML.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.tag)?;
        for (name, value) in &self.attributes {
            write!(f, " {name}=\"")?;
            escaped(f, value)?;
            f.write_str("\"")?;
        }
        f.write_str(">")?;
        if matches!(self.tag, "img" | "input" | "link" | "meta" | "br") {
            return Ok(());
        }
        for child in &self.children {
            match child {
                Child::Node(node) => node.fmt(f)?,
                Child::Text(text) => escaped(f, text)?,
            }
        }
        write!(f, "</{}>", self.tag)
    }
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
impl Serialize for Node {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(None)?;
        list.serialize_element(self.tag)?;
        list.serialize_element(&Attributes(&self.attributes))?;
        for child in &self.children {
            match child {
                Child::Node(node) => list.serialize_element(node)?,
                Child::Text(text) => list.serialize_element(text)?,
            }
        }
        list.end()
    }
}

struct Attributes<'a>(&'a [(&'static str, String)]);

impl Serialize for Attributes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
