//! The small parts that every step is made of.

use shingle_domain::color::Ground;
use shingle_domain::public::PublicImage;

use super::markup::{Markup, Text};
use crate::words::Word;

/// The part of a step that scrolls; what goes in comes with [`Markup::child`].
pub fn inner<M: Markup>() -> M {
    M::classed("div", "sh-inner")
}

pub fn main_part<M: Markup>(inner: M) -> M {
    M::classed("div", "sh-main sh-scroll").child(inner)
}

pub fn actions<M: Markup>() -> M {
    M::classed("div", "sh-actions")
}

/// The heading that names the step.
pub fn title<M: Markup>(text: impl Into<Text>) -> M {
    M::classed("h1", "sh-title").set("id", "sh-title").text(text)
}

pub fn heading<M: Markup>(text: Word) -> M {
    M::classed("h2", "sh-h2").text(text)
}

pub fn lead<M: Markup>(text: impl Into<Text>) -> M {
    M::classed("p", "sh-lead").text(text)
}

pub fn small<M: Markup>(text: impl Into<Text>) -> M {
    M::classed("p", "sh-small").text(text)
}

pub fn hint<M: Markup>(text: impl Into<Text>) -> M {
    M::classed("p", "sh-hint").text(text)
}

/// A way round the step, under its form.
pub fn more<M: Markup>(link: M) -> M {
    M::classed("p", "sh-more").child(link)
}

/// A paragraph beside an icon: what it is about, and more of it.
pub fn note<M: Markup>(class: &'static str, path: &'static str, heading: impl Into<Text>, text: impl Into<Text>) -> M {
    let words = M::new("span").child(M::new("b").text(heading)).text(" ").text(text);
    M::classed("p", class).child(icon(path)).child(words)
}

/// One row of a list of facts.
pub fn fact<M: Markup>(name: Word, value: impl Into<Text>, small: Option<Text>) -> M {
    let mut shown = M::new("dd").text(value);
    if let Some(small) = small {
        shown = shown.text(" ").child(M::new("small").text(small));
    }
    M::new("div").child(M::new("dt").text(name)).child(shown)
}

/// An icon in the text's color.
pub fn icon<M: Markup>(path: &'static str) -> M {
    drawing("sh-icon", "0 0 20 20", path)
}

/// One path, decoration only.
pub fn drawing<M: Markup>(class: &'static str, view_box: &'static str, path: &'static str) -> M {
    M::classed("svg", class).set("viewBox", view_box).set("aria-hidden", "true").child(line("l", path))
}

pub fn line<M: Markup>(class: &'static str, path: impl Into<Text>) -> M {
    M::classed("path", class).set("d", path)
}

/// A logo. `behind`: the color of what it stands on; one that cannot be told from that gets a ground of its own.
pub fn picture<M: Markup>(class: &'static str, of: &PublicImage, alt: String, behind: [u8; 3]) -> M {
    let ground = match of.tones.and_then(|tones| tones.ground(behind)) {
        Some(Ground::Light) => " on-light",
        Some(Ground::Dark) => " on-dark",
        None => "",
    };
    M::new("img")
        .set("class", [class, ground].concat())
        .set("src", of.url.clone())
        .set("alt", alt)
        .set("width", of.width.to_string())
        .set("height", of.height.to_string())
}

/// The last column of a choice.
pub fn amount<M: Markup>(text: String) -> M {
    M::classed("span", "amount").text(text)
}
