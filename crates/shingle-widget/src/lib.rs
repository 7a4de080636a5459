//! The face: the flow a visitor walks through, as a state machine ([`flow`]), its words, its colours, its
//! pictures, and the glue that ties them to a browser.
//!
//! Without features only the machine and the colours are built, so they are tested natively. `csr` is the
//! browser's build, `ssr` renders the same components to text inside the server.

pub mod flow;
pub mod palette;
pub mod words;

#[cfg(test)]
mod example;
