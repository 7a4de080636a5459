//! Tells `stage.js` when the list of suggestions opens, closes, or has to be positioned again.

use std::any::Any;

use super::dom::{Listener, window};
use crate::csr::el::watch;
use crate::csr::flow::Flow;
use crate::flow::Effect;

/// Keeps the list at its field until the returned value is dropped.
pub fn follow(flow: Flow) -> Box<dyn Any> {
    let put = move |open| flow.run(Effect::PlaceList(open));
    let followed = watch(Box::new(move || put(flow.watch(|s| s.list.open))));
    let again =
        ["resize", "scroll"].map(|name| Listener::new(&window(), name, move |_| put(flow.read(|s| s.list.open))));
    Box::new((followed, again))
}
