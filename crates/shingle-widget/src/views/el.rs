//! Elements by name, attributes by name, everything of one type.
//!
//! Leptos gives every shape of markup a type of its own, and compiles building, updating and taking down
//! anew for each: a flow of a dozen screens weighed 160 kB that way. Here all elements share one type, so
//! the module fits its budget. Nothing is built from markup text, which a page with Trusted Types forbids.

use std::sync::{Arc, Mutex};

use leptos::either::Either;
use leptos::ev::Custom;
use leptos::prelude::*;
use leptos::svg;
use leptos::tachys::html::attribute::any_attribute::{AnyAttribute, IntoAnyAttribute};
use leptos::tachys::html::attribute::custom::custom_attribute;
use leptos::tachys::html::element::custom;
use leptos::tachys::html::event::on;
use leptos::tachys::html::property::prop;
use leptos::tachys::reactive_graph::SharedReactiveFunction;
use leptos::web_sys::Event;

use super::Flow;
use crate::flow::State;

/// One pointer wide, so that a chain of calls moves little.
pub struct El(Box<Parts>);

struct Parts {
    tag: &'static str,
    attributes: Vec<AnyAttribute>,
    children: Vec<AnyView>,
}

/// Attributes that do not change, as a table: far less code than a call for each.
pub type Fixed = [(&'static str, &'static str)];

#[inline(never)]
pub fn el(tag: &'static str) -> El {
    El(Box::new(Parts { tag, attributes: Vec::new(), children: Vec::new() }))
}

/// An element with a class, the most frequent kind.
#[inline(never)]
pub fn boxed(tag: &'static str, class: &'static str) -> El {
    el(tag).set("class", class)
}

impl El {
    #[inline(never)]
    fn attribute(mut self, attribute: AnyAttribute) -> Self {
        self.0.attributes.push(attribute);
        self
    }

    /// A fixed attribute.
    #[inline(never)]
    pub fn set(self, name: &'static str, value: &'static str) -> Self {
        self.attribute(custom_attribute(name, value).into_any_attr())
    }

    #[inline(never)]
    pub fn all(self, fixed: &'static Fixed) -> Self {
        fixed.iter().fold(self, |el, (name, value)| el.set(name, value))
    }

    /// An attribute that is worked out once.
    #[inline(never)]
    pub fn put(self, name: &'static str, value: String) -> Self {
        self.attribute(custom_attribute(name, value).into_any_attr())
    }

    #[inline(never)]
    fn shared_attribute(self, name: &'static str, value: SharedReactiveFunction<Option<String>>) -> Self {
        self.attribute(custom_attribute(name, value).into_any_attr())
    }

    /// An attribute that follows the state; `None` takes it off.
    #[inline(never)]
    pub fn follow(self, flow: Flow, name: &'static str, read: fn(&State) -> Option<String>) -> Self {
        self.shared_attribute(name, shared(move || flow.state.with(read)))
    }

    /// The same for a value that is more than a look at the state.
    pub fn track(self, name: &'static str, value: impl Fn() -> Option<String> + Send + 'static) -> Self {
        self.shared_attribute(name, shared(value))
    }

    /// The text of a field.
    pub fn value(self, value: impl Fn() -> String + Send + 'static) -> Self {
        self.shared_value(shared(value))
    }

    #[inline(never)]
    fn shared_value(self, value: SharedReactiveFunction<String>) -> Self {
        self.attribute(prop("value", value).into_any_attr())
    }

    /// Whether a box is ticked.
    pub fn checked(self, value: impl Fn() -> bool + Send + 'static) -> Self {
        self.shared_checked(shared(value))
    }

    #[inline(never)]
    fn shared_checked(self, value: SharedReactiveFunction<bool>) -> Self {
        self.attribute(prop("checked", value).into_any_attr())
    }

    pub fn on(self, name: &'static str, act: impl FnMut(Event) + 'static) -> Self {
        self.shared_on(name, Box::new(act))
    }

    #[inline(never)]
    fn shared_on(self, name: &'static str, act: Box<dyn FnMut(Event)>) -> Self {
        self.attribute(on(Custom::<Event>::new(name), act).into_any_attr())
    }

    pub fn add(self, child: impl Child) -> Self {
        self.add_view(child.view())
    }

    #[inline(never)]
    fn add_view(mut self, child: AnyView) -> Self {
        self.0.children.push(child);
        self
    }
}

/// What can stand inside an element.
pub trait Child {
    fn view(self) -> AnyView;
}

impl Child for El {
    #[inline(never)]
    fn view(self) -> AnyView {
        let Parts { tag, attributes, children } = *self.0;
        match tag {
            "svg" => svg::svg().add_any_attr(attributes).child(children).into_any(),
            "g" => svg::g().add_any_attr(attributes).child(children).into_any(),
            "path" => svg::path().add_any_attr(attributes).child(children).into_any(),
            "text" => svg::text().add_any_attr(attributes).child(children).into_any(),
            tag => custom(tag).add_any_attr(attributes).child(children).into_any(),
        }
    }
}

impl Child for AnyView {
    fn view(self) -> AnyView {
        self
    }
}

impl Child for String {
    #[inline(never)]
    fn view(self) -> AnyView {
        self.into_any()
    }
}

impl Child for &'static str {
    #[inline(never)]
    fn view(self) -> AnyView {
        self.into_any()
    }
}

impl<T: Child> Child for Option<T> {
    fn view(self) -> AnyView {
        self.map_or_else(nothing, Child::view)
    }
}

impl<T: Child> Child for Vec<T> {
    fn view(self) -> AnyView {
        self.into_iter().map(Child::view).collect::<Vec<AnyView>>().into_any()
    }
}

impl<const N: usize> Child for [AnyView; N] {
    fn view(self) -> AnyView {
        Vec::from(self).into_any()
    }
}

pub fn nothing() -> AnyView {
    ().into_any()
}

fn shared<T>(f: impl Fn() -> T + Send + 'static) -> SharedReactiveFunction<T> {
    Arc::new(Mutex::new(f))
}

/// A text that follows the state.
pub fn text(value: impl Fn() -> String + Send + 'static) -> AnyView {
    shared_text(shared(value))
}

#[inline(never)]
fn shared_text(value: SharedReactiveFunction<String>) -> AnyView {
    value.into_any()
}

/// A part that is drawn anew whenever `key` changes, and is left alone otherwise. Drawn anew means new
/// elements: all being of one type, they must not be mended into one another.
pub fn part(key: impl Fn() -> String + Send + Sync + 'static, draw: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    shared_part(Box::new(key), Box::new(draw))
}

#[inline(never)]
fn shared_part(key: Box<dyn Fn() -> String + Send + Sync>, draw: Box<dyn Fn() -> AnyView + Send>) -> AnyView {
    let key = Memo::new(move |_| key());
    let turn = Mutex::new(false);
    shared(move || {
        // Read, not only tracked: a memo that nobody reads watches nothing.
        key.with(|_| ());
        let view = untrack(&draw);
        let left = turn.lock().is_ok_and(|mut turn| {
            *turn = !*turn;
            *turn
        });
        if left { Either::Left(view) } else { Either::<AnyView, AnyView>::Right(view) }
    })
    .into_any()
}
