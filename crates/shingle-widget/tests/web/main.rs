//! The flow in a real document. The server is made up.
#![cfg(all(target_arch = "wasm32", feature = "csr"))]
#![allow(clippy::unwrap_used, reason = "a test")]

mod kept;
mod prefill;
mod stage;
mod steps;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
