//! The browser's builder of markup: all elements are of one type.
//!
//! Leptos gives every shape of markup its own type, and compiles building, updating and removing it again for
//! each. Here all markup is one type, [`View`], and [`Page`] implements Leptos' [`Render`] once. What follows the
//! state is a [`RenderEffect`]. Nothing is built from markup text, which a page with Trusted Types forbids.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, JSON, Object};
use leptos::prelude::{RenderEffect, untrack};
use leptos::tachys::renderer::Rndr;
use leptos::tachys::renderer::types::{Element, Node, Placeholder};
use leptos::tachys::view::{Mountable, Render};
use leptos::web_sys::Event;
use wasm_bindgen::prelude::*;

use crate::view::{Markup, Text};
use crate::words::{Word, Words};

const SVG: &str = "http://www.w3.org/2000/svg";

/// What is drawn in one place: nothing, one thing, or several.
pub enum View {
    Element(El),
    Text(Text),
    /// A text that follows the state; the only child of its element, or else in a `span` of its own.
    Following(Read),
    /// What the server has drawn.
    Part(String),
    /// Drawn again whenever the first function returns another text.
    Region(Box<dyn Fn() -> String>, Box<dyn Fn() -> View>),
    Several(Vec<View>),
}

type Read = Box<dyn Fn() -> String>;

/// One pointer wide: a chain of calls moves little.
pub struct El(Box<Inside>);

struct Inside {
    tag: &'static str,
    attributes: Vec<(&'static str, Attribute)>,
    children: Vec<View>,
    listeners: Vec<(&'static str, Act)>,
    attended: Option<Begin>,
}

type Act = Box<dyn FnMut(Event)>;
type Begin = Box<dyn FnOnce() -> Box<dyn Any>>;

enum Attribute {
    Text(Text),
    Live(Live),
    /// A property: the text of a field, whose attribute is only the initial value, or of an element.
    Value(Read),
    Checked(Box<dyn Fn() -> bool>),
}

/// `None` removes the attribute.
type Live = Box<dyn Fn() -> Option<String>>;

impl Markup for El {
    #[inline(never)]
    fn new(tag: &'static str) -> Self {
        let (attributes, children, listeners) = (Vec::new(), Vec::new(), Vec::new());
        Self(Box::new(Inside { tag, attributes, children, listeners, attended: None }))
    }

    #[inline(never)]
    fn attribute(self, name: &'static str, value: Text) -> Self {
        self.has(name, Attribute::Text(value))
    }

    fn child(self, child: Self) -> Self {
        self.add_view(View::Element(child))
    }

    fn write(self, text: Text) -> Self {
        self.add_view(View::Text(text))
    }
}

impl El {
    #[inline(never)]
    fn has(mut self, name: &'static str, attribute: Attribute) -> Self {
        self.0.attributes.push((name, attribute));
        self
    }

    /// An attribute that follows what is read in `value`; `None` removes it.
    pub fn track(self, name: &'static str, value: impl Fn() -> Option<String> + 'static) -> Self {
        self.has(name, Attribute::Live(Box::new(value)))
    }

    /// The text of a field.
    pub fn value(self, value: impl Fn() -> String + 'static) -> Self {
        self.has("value", Attribute::Value(Box::new(value)))
    }

    /// Whether a box is ticked.
    pub fn checked(self, value: impl Fn() -> bool + 'static) -> Self {
        self.has("checked", Attribute::Checked(Box::new(value)))
    }

    pub fn on(self, name: &'static str, act: impl FnMut(Event) + 'static) -> Self {
        self.shared_on(name, Box::new(act))
    }

    #[inline(never)]
    fn shared_on(mut self, name: &'static str, act: Act) -> Self {
        self.0.listeners.push((name, act));
        self
    }

    /// What `begin` returns is dropped with the element. It is called after the children are built, so that its
    /// effects run after theirs.
    pub fn attend(mut self, begin: impl FnOnce() -> Box<dyn Any> + 'static) -> Self {
        self.0.attended = Some(Box::new(begin));
        self
    }

    pub fn add(self, child: impl Child) -> Self {
        self.add_view(child.view())
    }

    /// What the server has drawn.
    pub fn part(self, part: String) -> Self {
        if part.is_empty() { self } else { self.add_view(View::Part(part)) }
    }

    #[inline(never)]
    fn add_view(mut self, child: View) -> Self {
        self.0.children.push(child);
        self
    }

    fn build(self, into: &mut Drawn) -> Element {
        let Inside { tag, attributes, children, listeners, attended } = *self.0;
        let element = Rndr::create_element(tag, matches!(tag, "svg" | "g" | "path" | "text").then_some(SVG));
        for (name, attribute) in attributes {
            set(&element, name, attribute, into);
        }
        for (name, act) in listeners {
            // Not dropped here: the browser frees it with the element.
            let act = Closure::wrap(act).into_js_value();
            // `load` does not bubble: an element around it hears it on the way down alone.
            let _ = element.add_event_listener_with_callback_and_bool(name, act.unchecked_ref(), name == "load");
        }
        let mut inside = Drawn::new(into.words);
        for child in children {
            match child {
                View::Following(read) => inside.follow(&element, read),
                child => inside.draw(child),
            }
        }
        inside.mount(&element, None);
        // The child nodes are removed with the element; these are not nodes.
        into.kept.append(&mut inside.kept);
        into.regions.append(&mut inside.regions);
        into.kept.extend(attended.map(|begin| begin()));
        element
    }
}

/// A tree of the server's, `[tag, {attributes}, ...children]`, as nodes of the document.
fn grown(tree: &JsValue, space: Option<&'static str>) -> Node {
    let Some(tree) = tree.dyn_ref::<Array>() else {
        return Rndr::create_text_node(&tree.as_string().unwrap_or_default()).into();
    };
    let tag = tree.get(0).as_string().unwrap_or_default();
    let space = space.or_else(|| (tag == "svg").then_some(SVG));
    let element = Rndr::create_element(&tag, space);
    for pair in Object::entries(&tree.get(1).unchecked_into()) {
        let pair: Array = pair.unchecked_into();
        let [name, value] = [pair.get(0), pair.get(1)].map(|text| text.as_string().unwrap_or_default());
        Rndr::set_attribute(&element, &name, &value);
    }
    for at in 2..tree.length() {
        Rndr::insert_node(&element, &grown(&tree.get(at), space), None);
    }
    element.into()
}

fn set(element: &Element, name: &'static str, attribute: Attribute, into: &mut Drawn) {
    let (property, read): (bool, Live) = match attribute {
        Attribute::Text(value) => return Rndr::set_attribute(element, name, value.read(into.words)),
        Attribute::Live(read) => (false, read),
        Attribute::Value(read) => (true, Box::new(move || Some(read()))),
        Attribute::Checked(read) => (true, Box::new(move || read().then(String::new))),
    };
    let element = element.clone();
    into.kept.push(on_change(read, move |value| match value {
        Some(value) if !property => Rndr::set_attribute(&element, name, value),
        None if !property => Rndr::remove_attribute(&element, name),
        _ => {
            let value = if name == "checked" { value.is_some().into() } else { value.map(String::as_str).into() };
            Rndr::set_property(&element, name, &value);
        }
    }));
}

/// Calls `act` now, and whenever `read` returns something else than before.
fn on_change(read: Live, mut act: impl FnMut(Option<&String>) + 'static) -> Box<dyn Any> {
    let mut before = None;
    watch(Box::new(move || {
        let now = Some(read());
        if now != before {
            act(now.as_ref().and_then(Option::as_ref));
            before = now;
        }
    }))
}

/// Runs now and after every change of a signal that is read in it, until what it returns is dropped.
#[inline(never)]
pub fn watch(mut run: Box<dyn FnMut()>) -> Box<dyn Any> {
    Box::new(RenderEffect::new(move |_: Option<()>| run()))
}

/// What can stand inside an element.
pub trait Child {
    fn view(self) -> View;
}

impl Child for El {
    fn view(self) -> View {
        View::Element(self)
    }
}

impl Child for View {
    fn view(self) -> View {
        self
    }
}

impl Child for Text {
    fn view(self) -> View {
        View::Text(self)
    }
}

impl Child for Word {
    fn view(self) -> View {
        View::Text(self.into())
    }
}

impl Child for String {
    fn view(self) -> View {
        View::Text(self.into())
    }
}

impl Child for &'static str {
    fn view(self) -> View {
        View::Text(self.into())
    }
}

impl<T: Child> Child for Option<T> {
    fn view(self) -> View {
        self.map_or_else(nothing, Child::view)
    }
}

impl<T: Child> Child for Vec<T> {
    fn view(self) -> View {
        View::Several(self.into_iter().map(Child::view).collect())
    }
}

impl<const N: usize> Child for [View; N] {
    fn view(self) -> View {
        View::Several(Vec::from(self))
    }
}

pub fn nothing() -> View {
    View::Several(Vec::new())
}

/// A text that follows the state.
pub fn text(value: impl Fn() -> String + 'static) -> View {
    View::Following(Box::new(value))
}

/// A region that is drawn again whenever `key` changes, and is left alone otherwise.
pub fn region(key: impl Fn() -> String + 'static, draw: impl Fn() -> View + 'static) -> View {
    View::Region(Box::new(key), Box::new(draw))
}

/// What is in the document, with the effects that keep it up to date.
pub struct Drawn {
    words: Words,
    pieces: Vec<Piece>,
    kept: Vec<Box<dyn Any>>,
    /// Every region in here, at whatever depth.
    regions: Vec<Rc<RefCell<Drawn>>>,
}

enum Piece {
    Node(Node),
    /// What a region shows now; it is followed by a marker node.
    Region(Rc<RefCell<Drawn>>),
}

impl Drawn {
    fn new(words: Words) -> Self {
        Self { words, pieces: Vec::new(), kept: Vec::new(), regions: Vec::new() }
    }

    fn draw(&mut self, view: View) {
        match view {
            View::Element(el) => {
                let element = el.build(self);
                self.pieces.push(Piece::Node(element.into()));
            }
            View::Text(text) => {
                let node = Rndr::create_text_node(text.read(self.words));
                self.pieces.push(Piece::Node(node.into()));
            }
            View::Following(read) => {
                let element = Rndr::create_element("span", None);
                self.follow(&element, read);
                self.pieces.push(Piece::Node(element.into()));
            }
            View::Part(part) => {
                for tree in JSON::parse(&part).unwrap_or_default().unchecked_into::<Array>() {
                    self.pieces.push(Piece::Node(grown(&tree, None)));
                }
            }
            View::Region(key, draw) => self.region(key, draw),
            View::Several(views) => views.into_iter().for_each(|view| self.draw(view)),
        }
    }

    /// The whole text of this element. Not a text node: a browser that translates the page replaces those, and what is
    /// written into them afterwards nobody sees.
    fn follow(&mut self, element: &Element, read: Read) {
        set(element, "textContent", Attribute::Value(read), self);
    }

    fn region(&mut self, key: Read, draw: Box<dyn Fn() -> View>) {
        let marker: Placeholder = Rndr::create_placeholder();
        let words = self.words;
        let shown = Rc::new(RefCell::new(Self::new(words)));
        self.regions.push(shown.clone());
        self.pieces.push(Piece::Region(shown.clone()));
        self.pieces.push(Piece::Node(marker.clone().into()));
        let act = move |_: Option<&String>| {
            let mut fresh = untrack(|| {
                let mut fresh = Self::new(words);
                fresh.draw(draw());
                fresh
            });
            // The old content is removed first, so that no id is there twice.
            shown.replace(Self::new(words)).unmount();
            if let Some(parent) = Rndr::get_parent(&marker) {
                fresh.mount(parent.unchecked_ref(), Some(&marker));
            }
            shown.replace(fresh);
        };
        self.kept.push(on_change(Box::new(move || Some(key())), act));
    }

    /// Stops following the state immediately and at every depth: an effect that is merely dropped ends later, when
    /// the state may be gone.
    fn end(&mut self) {
        self.kept.clear();
        for region in self.regions.drain(..) {
            region.replace(Self::new(self.words)).end();
        }
    }
}

/// A view and its language.
pub struct Page(pub Words, pub View);

impl Render for Page {
    type State = Drawn;

    fn build(self) -> Drawn {
        let mut drawn = Drawn::new(self.0);
        drawn.draw(self.1);
        drawn
    }

    /// Draws again: nothing tells whether two views have the same structure.
    fn rebuild(self, state: &mut Drawn) {
        let mut fresh = self.build();
        state.insert_before_this(&mut fresh);
        state.unmount();
        *state = fresh;
    }
}

impl Mountable for Drawn {
    /// Final: nothing is mounted a second time.
    fn unmount(&mut self) {
        for piece in self.pieces.drain(..) {
            match piece {
                Piece::Node(node) => Rndr::remove(&node),
                Piece::Region(shown) => shown.replace(Self::new(self.words)).unmount(),
            }
        }
        self.end();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        for piece in &self.pieces {
            match piece {
                Piece::Node(node) => Rndr::insert_node(parent, node, marker),
                Piece::Region(shown) => shown.borrow_mut().mount(parent, marker),
            }
        }
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        self.pieces.iter().any(|piece| match piece {
            Piece::Node(node) => {
                let parent = Rndr::get_parent(node);
                parent.is_some_and(|parent| child.try_mount(parent.unchecked_ref(), Some(node)))
            }
            Piece::Region(shown) => shown.borrow().insert_before_this(child),
        })
    }

    fn elements(&self) -> Vec<Element> {
        let nodes = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Node(node) => Some(node.clone()),
            Piece::Region(_) => None,
        });
        nodes.filter_map(|node| node.dyn_into().ok()).collect()
    }
}
