//! "Close your estimate?"

use leptos::prelude::*;

use super::{Flow, button};
use crate::flow::Event;

pub fn view(flow: Flow) -> AnyView {
    let asking = Memo::new(move |_| flow.state.with(|s| s.closing));
    let w = flow.words;
    (move || {
        asking.get().then(|| {
            view! {
                <div class="sh-veil">
                    <div
                        class="sh-alert"
                        role="alertdialog"
                        aria-modal="true"
                        aria-labelledby="sh-closing"
                        aria-describedby="sh-closing-text"
                        on:keydown=keep_inside
                    >
                        <h2 id="sh-closing">{w.closing_title}</h2>
                        <p id="sh-closing-text" class="sh-lead">{w.closing_text}</p>
                        <button type="button" id="sh-keep" class="sh-btn primary" on:click=move |_| flow.send(Event::KeepGoing)>
                            {w.closing_keep}
                        </button>
                        {button(flow, "sh-btn secondary", w.closing_drop, || Event::Discard)}
                    </div>
                </div>
            }
        })
    })
    .into_any()
}

/// Two buttons: the tabulator goes from one to the other and nowhere else.
#[cfg(feature = "csr")]
pub fn keep_inside(event: leptos::ev::KeyboardEvent) {
    crate::runtime::dom::keep_inside(&event);
}

#[cfg(not(feature = "csr"))]
pub fn keep_inside(_: leptos::ev::KeyboardEvent) {}
