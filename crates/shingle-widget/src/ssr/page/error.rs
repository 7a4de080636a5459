//! What is shown when a step cannot be: what happened, and how it goes on.

use super::field::link;
use super::frame::{self, Body, Head, page};
use super::page_words::PageWords;
use super::plan::Pane;
use super::step::Step;
use super::thanks::call;
use crate::ssr::node::Node;
use crate::view::Markup;
use crate::view::block::{inner, lead, title};
use crate::words::w;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageError {
    /// Seconds to wait.
    TooMany(u64),
    /// Our fault.
    Broken,
    /// The page of a lead whose token has run out.
    Over,
    /// A form that another page sent.
    Foreign,
    /// The form was open for too long, or the network changed.
    OldForm,
    /// Something in it that the rules do not take, and that no field can show.
    Refused,
}

impl PageError {
    /// What happened, and what to do.
    pub fn words(&self, step: &Step<'_>) -> [String; 2] {
        let words = PageWords::of(step.language);
        let [heading, text] = match self {
            Self::TooMany(_) => &words.too_many,
            Self::Broken => &words.broken,
            Self::Over => &words.over,
            Self::Foreign => &words.foreign_form,
            Self::OldForm => &words.old_form,
            Self::Refused => {
                let [heading, text] = [w::REJECTED.at(0), w::REJECTED.at(1)];
                return [step.words().text(heading).to_owned(), step.say(text)];
            }
        };
        let seconds = if let Self::TooMany(seconds) = self { seconds.to_string() } else { String::new() };
        [heading.clone(), step.fill(text, &[("s", &seconds)])]
    }
}

/// `again`: where the same may be tried once more.
pub fn error_page(step: &Step<'_>, error: &PageError, again: Option<&str>) -> String {
    let words = PageWords::of(step.language);
    let [heading, text] = error.words(step);
    let next = match again {
        Some(href) => link("sh-btn secondary", href.to_owned(), words.again.as_str()),
        None => link("sh-btn secondary", step.home(), words.home.as_str()),
    };
    let body = Body {
        screen: "unreached",
        number: None,
        back: None,
        inner: inner::<Node>().child(title(heading.clone())).child(lead(text)),
        actions: vec![call(step), next],
        pane: Pane::blank(step),
    };
    page(step, Head::of_step(step, &heading), vec![frame::step(step, body)])
}
