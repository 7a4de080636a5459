//! Head and foot, the same on every step.

use leptos::prelude::*;
use shingle_domain::public::Picture;

use super::Flow;
use super::icon::{self, icon};
use crate::flow::{Event, State};
use crate::words::{fill, number};

pub fn head(flow: Flow) -> AnyView {
    let w = flow.words;
    let back = Memo::new(move |_| flow.state.with(State::can_go_back));
    let back_button = move || {
        back.get().then(|| {
            view! {
                <button type="button" class="sh-iconbtn" aria-label=w.back on:click=move |_| flow.send(Event::Back)>
                    {icon(icon::BACK)}
                </button>
            }
        })
    };
    let call = flow.widget(|c| {
        let label = fill(w.call_company, &[("company", &c.company_name), ("phone", &c.company_phone)]);
        let href = ["tel:", &c.company_phone_dial].concat();
        view! {
            <a class="sh-call" href=href aria-label=label>{icon(icon::PHONE)}<span>{c.company_phone.clone()}</span></a>
        }
        .into_any()
    });
    let close = (!flow.page).then(|| {
        view! {
            <button type="button" class="sh-iconbtn" aria-label=w.close on:click=move |_| flow.send(Event::Close)>
                {icon(icon::CLOSE)}
            </button>
        }
    });
    let logo = flow.widget(|c| picture("sh-logo", &c.header_logo, c.company_name.clone()));
    view! {
        <header class="sh-head" class:has-back=move || back.get()>
            {back_button}
            {logo}
            {progress(flow)}
            {call}
            {close}
        </header>
    }
    .into_any()
}

fn progress(flow: Flow) -> AnyView {
    let w = flow.words;
    let step = Memo::new(move |_| flow.state.with(|s| s.screen().step()));
    (move || {
        step.get().map(|now| {
            let steps = w.steps.iter().enumerate().map(|(at, name)| {
                let class = match at.cmp(&now) {
                    core::cmp::Ordering::Less => "done",
                    core::cmp::Ordering::Equal => "now",
                    core::cmp::Ordering::Greater => "",
                };
                view! { <li class=class aria-current=(at == now).then_some("step")>{*name}</li> }
            });
            view! {
                <div class="sh-progress">
                    <ol>{steps.collect::<Vec<_>>()}</ol>
                    <p>{number(w.step_of, now + 1)}" · "<b>{w.steps[now]}</b></p>
                </div>
            }
        })
    })
    .into_any()
}

fn picture(class: &'static str, of: &Picture, alt: String) -> AnyView {
    view! {
        <img class=class src=of.url.clone() width=of.width.to_string() height=of.height.to_string() alt=alt/>
    }
    .into_any()
}

pub fn foot(flow: Flow) -> AnyView {
    let w = flow.words;
    flow.widget(|c| {
        let logo = c.footer_logo.as_ref().map(|p| picture("sh-mark", p, String::new()));
        let terms = c.terms_link.clone().map(|href| link(href, w.terms));
        view! {
            <footer class="sh-foot">
                <span>{logo}<span>{c.footer_company_name.clone()}</span></span>
                {link(c.privacy_link.clone(), w.privacy)}
                {terms}
            </footer>
        }
        .into_any()
    })
}

fn link(href: String, text: &'static str) -> AnyView {
    view! { <a href=href target="_blank" rel="noopener">{text}</a> }.into_any()
}
