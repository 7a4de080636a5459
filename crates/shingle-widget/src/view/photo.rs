//! The photograph from the air under a drawing: the image, the switch between both, and what is said of it.

use shingle_domain::aerial::{AerialPhoto, PhotoDate};
use shingle_domain::public::RoofFound;

use super::block::line;
use super::markup::Markup;
use crate::path::{Path, join};
use crate::words::{Words, w};

/// It lies under everything else of the drawing.
pub fn image<M: Markup>(of: &AerialPhoto) -> M {
    let [left, top, wide, high] = of.frame.map(|n| n.to_string());
    M::classed("image", "aerial")
        .set("href", of.url.clone())
        .set("x", left)
        .set("y", top)
        .set("width", wide)
        .set("height", high)
        .set("preserveAspectRatio", "none")
}

/// For paper: the photograph beside the drawing, with the outline of the roof on it.
pub fn beside<M: Markup>(words: Words, roof: &RoofFound, of: &AerialPhoto) -> M {
    let [left, top, wide, high] = of.frame;
    // What lies about the home itself.
    let window = [left + wide / 5, top + high / 5, wide * 3 / 5, high * 3 / 5];
    let mut outline = Path::default();
    for building in &roof.buildings {
        let [x, y] = building.at;
        for ring in building.drawing.iter().flat_map(|drawing| &drawing.rings) {
            outline.outline(&ring.iter().map(|at| [at[0] + x, at[1] + y]).collect::<Vec<_>>());
        }
    }
    let date = date(words, of.taken);
    let picture = M::classed("svg", "plan")
        .set("viewBox", join(&window))
        .set("preserveAspectRatio", "xMidYMid slice")
        .set("role", "img")
        .set("aria-label", words.fill(w::PHOTO_FROM, &[("date", &date)]))
        .child(image(of))
        .child(line("l case", outline.clone()))
        .child(line("l l-eave", outline));
    let with = [("date", date.as_str()), ("credit", of.credit.as_str())];
    M::classed("figure", "s-photo").child(picture).child(M::new("figcaption").text(words.fill(w::PHOTO_SOURCE, &with)))
}

/// Both ways to look at the roof. Nobody sees it before the photograph is there.
pub fn switch<M: Markup>(words: Words, of: &AerialPhoto) -> M {
    let from = words.fill(w::PHOTO_FROM, &[("date", &date(words, of.taken))]);
    let choice = |value: &'static str| {
        M::classed("input", "sh-vh").all(&[("type", "radio"), ("name", "sh-view")]).set("value", value)
    };
    let drawing = choice("drawing");
    let photo = choice("photo").set("checked", "").set("aria-label", from);
    let label = |input: M, word| M::new("label").child(input).child(M::new("span").text(word));
    M::classed("fieldset", "sh-view")
        .child(M::classed("legend", "sh-vh").text(w::PHOTO_SHOW))
        .child(label(drawing, w::PHOTO_DRAWING))
        .child(label(photo, w::PHOTO_PHOTO))
}

/// "Photo, July 2023", on the drawing while the photograph is.
pub fn tag<M: Markup>(words: Words, of: &AerialPhoto) -> M {
    M::classed("p", "sh-tag of-photo").text(words.fill(w::PHOTO_TAG, &[("date", &date(words, of.taken))]))
}

/// Whose it is, under the facts.
pub fn source<M: Markup>(words: Words, of: &AerialPhoto) -> M {
    let with = [("date", date(words, of.taken)), ("credit", of.credit.clone())];
    let text = words.fill(w::PHOTO_SOURCE, &with.each_ref().map(|(name, value)| (*name, value.as_str())));
    M::classed("p", "sh-small of-photo").text(text)
}

/// The end of the drawing's description.
pub fn seen(words: Words, of: &AerialPhoto) -> String {
    words.fill(w::PLAN_PHOTO, &[("date", &date(words, of.taken))])
}

/// "July 2023", or the year where nothing more is known.
pub fn date(words: Words, of: PhotoDate) -> String {
    let year = of.year().to_string();
    match of.month() {
        Some(month) => {
            let month = words.text(w::MONTHS_LONG.at(usize::from(month - 1)));
            words.fill(w::PHOTO_MONTH, &[("month", month), ("year", &year)])
        }
        None => year,
    }
}
