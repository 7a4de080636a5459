//! How far the loading of an area is: a card where it is the matter, a bar on the other steps.

use shingle_domain::Language;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::area_plan::AreaPlace;
use crate::counted::{Counted, counted};
use crate::element::{button, div, el, hidden, link, post, soft};
use crate::health::bytes;
use crate::phrase::{phrase, translated};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AreaLoadingView {
    pub id: String,
    pub title: String,
    pub stage: LoadingStage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadingStage {
    Asking,
    Fetching { bytes: u64, total: u64, homes: u64 },
    Importing,
}

impl AreaLoadingView {
    pub(crate) fn path(&self, action: &str) -> String {
        format!("/portal/operator/areas/{}/{action}", self.id)
    }

    /// Of a hundred, which is all of it and not nearly all; `None`: nobody knows yet.
    pub fn percent(&self) -> Option<u64> {
        match self.stage {
            LoadingStage::Asking => None,
            LoadingStage::Fetching { bytes, total, .. } => Some((bytes * 100 / total.max(1)).min(99)),
            LoadingStage::Importing => Some(100),
        }
    }
}

/// `29 MB of 48 MB, 38,204 homes so far`
pub fn loading_in_words(language: Language, view: &AreaLoadingView) -> String {
    match view.stage {
        LoadingStage::Asking => translated(language, "Asking the source for its newest data").to_owned(),
        LoadingStage::Importing => {
            translated(language, "Everything is here. Now we make the homes findable.").to_owned()
        }
        LoadingStage::Fetching { bytes: loaded, total, homes } => {
            let homes = counted(language, Counted::HOMES, i64::try_from(homes).unwrap_or(i64::MAX));
            phrase(
                language,
                "{loaded} of {total}, {homes} so far",
                &[("loaded", &bytes(loaded)), ("total", &bytes(total)), ("homes", &homes)],
            )
        }
    }
}

/// In few words, for the bar.
pub fn loading_in_short(language: Language, view: &AreaLoadingView) -> String {
    match view.percent() {
        Some(percent) => phrase(language, "Loading homes, {percent}%", &[("percent", &percent.to_string())]),
        None => translated(language, "Loading homes").to_owned(),
    }
}

fn meter(view: &AreaLoadingView, label: impl Into<Text>) -> Node {
    let bar = el("progress").set("class", "bar2").set("aria-label", label).set("max", "100");
    match view.percent() {
        Some(percent) => bar.set("value", percent.to_string()),
        None => bar,
    }
}

fn stop(view: &AreaLoadingView, at: AreaPlace) -> Node {
    post(view.path("stop")).child(hidden("from", at.word())).child(button("btn", "Stop"))
}

/// The bar with what is said of it; a script keeps it up to date.
pub(crate) fn progress(language: Language, view: &AreaLoadingView, at: AreaPlace) -> Node {
    div("loading")
        .set("data-load", view.path("progress"))
        .child(meter(view, view.title.clone()))
        .child(Node::classed("p", "rows2").set("role", "status").text(loading_in_words(language, view)))
        .child(div("ways").child(stop(view, at)))
}

pub(crate) fn loading_card(language: Language, view: &AreaLoadingView, at: AreaPlace) -> Node {
    let title = phrase(language, "Loading {area}", &[("area", &view.title)]);
    Node::classed("section", "card")
        .child(el("h2").text(title))
        .child(progress(language, view, at))
        .child(soft("You can leave this page. Loading goes on, also after a restart."))
        .child(soft("If you stop, we keep what is here and load only the rest later."))
        .child(div("ways").child(link(at.path(), "Reload").set("class", "btn")))
}

/// Under the head of another step.
pub(crate) fn loading_bar(language: Language, view: &AreaLoadingView) -> Node {
    div("load-bar")
        .set("data-load", view.path("progress"))
        .set("data-short", "")
        .child(meter(view, view.title.clone()))
        .child(el("span").set("class", "rows2").set("role", "status").text(loading_in_short(language, view)))
}
