//! Says when the list of suggestions comes, goes, or has to find its place anew. The stage puts it there.

use std::any::Any;

use super::dom::{Listener, window};
use crate::flow::Effect;
use crate::views::{Flow, watch};

/// Keeps the list at its field until what comes out is dropped.
pub fn follow(flow: Flow) -> Box<dyn Any> {
    let put = move |open| flow.run(Effect::PlaceList(open));
    let followed = watch(Box::new(move || put(flow.watch(|s| s.list.open))));
    let again =
        ["resize", "scroll"].map(|name| Listener::new(&window(), name, move |_| put(flow.read(|s| s.list.open))));
    Box::new((followed, again))
}
