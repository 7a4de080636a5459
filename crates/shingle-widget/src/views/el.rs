//! Elements by name, and what in them follows the state.
//!
//! The reactivity is Leptos's: signals and render effects (`reactive_graph`). Its `view!` macro is not used,
//! because it gives every shape of markup a type of its own and compiles building, updating and taking down
//! anew for each: this flow weighed 160 kB that way, twice its budget. Here all nodes are one type, built
//! once by one function. Nothing is made from markup text, which a page with Trusted Types forbids.

use std::any::Any;
use std::cell::RefCell;

use reactive_graph::effect::RenderEffect;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event};

use super::Flow;
use crate::flow::State;
use crate::runtime::dom::{Listener, document};

/// Something to see, not yet in the document.
pub enum Node {
    Empty,
    Fixed(&'static str),
    Text(String),
    Live(Box<dyn Fn() -> String>),
    El(El),
    Many(Vec<Node>),
    Part(Key, Draw),
}

type Key = Box<dyn Fn() -> String>;
type Draw = Box<dyn Fn() -> Node>;

/// What must live as long as the nodes it belongs to: effects and listeners.
pub type Kept = Vec<Box<dyn Any>>;

/// One pointer wide, so that a chain of calls moves little.
pub struct El(Box<Sketch>);

struct Sketch {
    tag: &'static str,
    attributes: Vec<Attribute>,
    children: Vec<Node>,
    kept: Kept,
}

enum Attribute {
    Fixed(&'static str, &'static str),
    Table(&'static Table),
    Put(&'static str, String),
    Follow(&'static str, Box<dyn Fn() -> Option<String>>),
    Value(Box<dyn Fn() -> String>),
    Checked(Box<dyn Fn() -> bool>),
    On(&'static str, Box<dyn FnMut(Event)>),
}

/// Attributes that do not change, as a table: far less code than a call for each.
pub type Table = [(&'static str, &'static str)];

#[inline(never)]
pub fn el(tag: &'static str) -> El {
    El(Box::new(Sketch { tag, attributes: Vec::new(), children: Vec::new(), kept: Vec::new() }))
}

/// An element with a class, the most frequent kind.
#[inline(never)]
pub fn boxed(tag: &'static str, class: &'static str) -> El {
    el(tag).set("class", class)
}

impl El {
    #[inline(never)]
    fn attribute(mut self, attribute: Attribute) -> Self {
        self.0.attributes.push(attribute);
        self
    }

    #[inline(never)]
    fn child(mut self, child: Node) -> Self {
        self.0.children.push(child);
        self
    }

    /// A fixed attribute.
    #[inline(never)]
    pub fn set(self, name: &'static str, value: &'static str) -> Self {
        self.attribute(Attribute::Fixed(name, value))
    }

    #[inline(never)]
    pub fn all(self, fixed: &'static Table) -> Self {
        self.attribute(Attribute::Table(fixed))
    }

    /// An attribute that is worked out once.
    #[inline(never)]
    pub fn put(self, name: &'static str, value: String) -> Self {
        self.attribute(Attribute::Put(name, value))
    }

    /// An attribute that follows the state; `None` takes it off.
    #[inline(never)]
    pub fn follow(self, flow: Flow, name: &'static str, read: fn(&State) -> Option<String>) -> Self {
        self.attribute(Attribute::Follow(name, Box::new(move || flow.with(read))))
    }

    /// The same for a value that is more than a look at the state.
    pub fn track(self, name: &'static str, value: impl Fn() -> Option<String> + 'static) -> Self {
        self.attribute(Attribute::Follow(name, Box::new(value)))
    }

    /// The text of a field.
    pub fn value(self, value: impl Fn() -> String + 'static) -> Self {
        self.attribute(Attribute::Value(Box::new(value)))
    }

    /// Whether a box is ticked.
    pub fn checked(self, value: impl Fn() -> bool + 'static) -> Self {
        self.attribute(Attribute::Checked(Box::new(value)))
    }

    pub fn on(self, name: &'static str, act: impl FnMut(Event) + 'static) -> Self {
        self.attribute(Attribute::On(name, Box::new(act)))
    }

    pub fn add(self, child: impl Child) -> Self {
        self.child(child.view())
    }

    /// Keeps something alive as long as the element.
    pub fn keep(mut self, things: Kept) -> Self {
        self.0.kept.extend(things);
        self
    }
}

/// What can stand inside an element.
pub trait Child {
    fn view(self) -> Node;
}

impl Child for El {
    fn view(self) -> Node {
        Node::El(self)
    }
}

impl Child for Node {
    fn view(self) -> Node {
        self
    }
}

impl Child for String {
    fn view(self) -> Node {
        Node::Text(self)
    }
}

impl Child for &'static str {
    fn view(self) -> Node {
        Node::Fixed(self)
    }
}

impl<T: Child> Child for Option<T> {
    fn view(self) -> Node {
        self.map_or(Node::Empty, Child::view)
    }
}

impl<T: Child> Child for Vec<T> {
    fn view(self) -> Node {
        Node::Many(self.into_iter().map(Child::view).collect())
    }
}

impl<const N: usize> Child for [Node; N] {
    fn view(self) -> Node {
        Node::Many(self.into())
    }
}

/// A truth as attributes and keys have it.
pub fn yes(truth: bool) -> String {
    String::from(if truth { "true" } else { "false" })
}

/// A text that follows the state.
pub fn text(value: impl Fn() -> String + 'static) -> Node {
    Node::Live(Box::new(value))
}

/// A part that is drawn anew whenever `key` says something else, and is left alone otherwise.
pub fn part(key: impl Fn() -> String + 'static, draw: impl Fn() -> Node + 'static) -> Node {
    Node::Part(Box::new(key), Box::new(draw))
}

/// Builds `node` as the last child of `parent`.
pub fn plant(node: Node, parent: &web_sys::Node, kept: &mut Kept) {
    match node {
        Node::Empty => (),
        Node::Fixed(text) => append_text(parent, text),
        Node::Text(text) => append_text(parent, &text),
        Node::Live(value) => {
            let place: web_sys::Node = document().create_text_node("").into();
            append(parent, &place);
            keep_up(kept, value, move |text| place.set_text_content(Some(text)));
        }
        Node::Many(nodes) => nodes.into_iter().for_each(|n| plant(n, parent, kept)),
        Node::El(el) => plant_element(*el.0, parent, kept),
        Node::Part(key, draw) => plant_part(parent, key, draw, kept),
    }
}

fn append(parent: &web_sys::Node, child: &web_sys::Node) {
    let _ = parent.append_child(child);
}

fn append_text(parent: &web_sys::Node, text: &str) {
    append(parent, &document().create_text_node(text));
}

/// Runs `act` now, and again whenever what it looks at changes.
#[inline(never)]
pub fn again(kept: &mut Kept, mut act: Box<dyn FnMut()>) {
    kept.push(Box::new(RenderEffect::new(move |_: Option<()>| act())));
}

/// Runs `act` with the value now, and again whenever it is another one.
fn keep_up<T: PartialEq + 'static>(kept: &mut Kept, value: Box<dyn Fn() -> T>, act: impl Fn(&T) + 'static) {
    let mut last = None;
    again(
        kept,
        Box::new(move || {
            let now = value();
            if last.as_ref() != Some(&now) {
                act(&now);
                last = Some(now);
            }
        }),
    );
}

fn plant_element(sketch: Sketch, parent: &web_sys::Node, kept: &mut Kept) {
    let space = match sketch.tag {
        "svg" | "g" | "path" | "text" => "http://www.w3.org/2000/svg",
        _ => "http://www.w3.org/1999/xhtml",
    };
    let Ok(element) = document().create_element_ns(Some(space), sketch.tag) else { return };
    for attribute in sketch.attributes {
        give(&element, attribute, kept);
    }
    for child in sketch.children {
        plant(child, &element, kept);
    }
    kept.extend(sketch.kept);
    append(parent, &element);
}

fn give(element: &Element, attribute: Attribute, kept: &mut Kept) {
    match attribute {
        Attribute::Fixed(name, value) => give_text(element, name, value),
        Attribute::Table(table) => table.iter().for_each(|(name, value)| give_text(element, name, value)),
        Attribute::Put(name, value) => give_text(element, name, &value),
        Attribute::Follow(name, value) => {
            let element = element.clone();
            keep_up(kept, value, move |value| match value {
                Some(value) => give_text(&element, name, value),
                None => {
                    let _ = element.remove_attribute(name);
                }
            });
        }
        Attribute::Value(value) => follow_property(kept, element, "value", Box::new(move || value().into())),
        Attribute::Checked(value) => follow_property(kept, element, "checked", Box::new(move || value().into())),
        Attribute::On(name, act) => kept.push(Box::new(Listener::boxed(element, name, act))),
    }
}

fn give_text(element: &Element, name: &str, value: &str) {
    let _ = element.set_attribute(name, value);
}

/// Properties are set only when they differ from what the visitor sees, so that the caret stays where it is.
fn follow_property(kept: &mut Kept, element: &Element, name: &'static str, value: Box<dyn Fn() -> JsValue>) {
    let element = element.clone();
    again(
        kept,
        Box::new(move || {
            let (name, value) = (name.into(), value());
            if js_sys::Reflect::get(&element, &name).ok().as_ref() != Some(&value) {
                let _ = js_sys::Reflect::set(&element, &name, &value);
            }
        }),
    );
}

/// Between two marks stands what was last drawn.
fn plant_part(parent: &web_sys::Node, key: Key, draw: Draw, kept: &mut Kept) {
    let mark = || web_sys::Node::from(document().create_text_node(""));
    let (first, last) = (mark(), mark());
    append(parent, &first);
    append(parent, &last);
    let inside = RefCell::new(Kept::new());
    keep_up(kept, key, move |_: &String| {
        let mut fresh = Kept::new();
        let fragment = document().create_document_fragment();
        reactive_graph::graph::untrack(|| plant(draw(), &fragment, &mut fresh));
        // Listeners go first: taking a field off the page must not be heard as leaving it.
        drop(inside.replace(fresh));
        let Some(parent) = last.parent_node() else { return };
        while let Some(old) = first.next_sibling().filter(|n| !n.is_same_node(Some(&last))) {
            let _ = parent.remove_child(&old);
        }
        let _ = parent.insert_before(&fragment, Some(&last));
    });
}
