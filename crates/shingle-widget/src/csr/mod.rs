//! What the browser draws, one file for each step. The views draw a [`State`](crate::flow::State) and send
//! [`Event`](crate::flow::Event)s, and know nothing of requests or timers. What they share with
//! the server is in [`view`](crate::view).

mod address;
mod address_form;
pub mod app;
mod block;
mod booking;
mod closing;
mod details;
pub mod el;
mod estimate;
pub mod flow;
mod frame;
mod kept;
mod measuring;
mod notfound;
mod parts;
mod paused;
mod plan;
mod retry;
mod roof;
mod thanks;
