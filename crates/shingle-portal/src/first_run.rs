//! The frame of the first run: no rail, one step at a time, the title in focus.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::area_loading::{AreaLoadingView, loading_bar};
use crate::element::{div, el, link, p};
use crate::frame::{Signed, run};
use crate::phrase::{phrase, translated};

/// A step of setting up. The signed-in user does the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StartStep {
    You,
    Company,
    Prices,
    Area,
    Live,
    TestLead,
}

impl StartStep {
    const ALL: [Self; 6] = [Self::You, Self::Company, Self::Prices, Self::Area, Self::Live, Self::TestLead];

    fn title(self) -> &'static str {
        match self {
            Self::You => "You",
            Self::Company => "Company",
            Self::Prices => "Prices",
            Self::Area => "Area",
            Self::Live => "Your page",
            Self::TestLead => "Test lead",
        }
    }

    fn number(self) -> usize {
        self as usize + 1
    }

    /// From an address.
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().skip(1).find(|step| step.number().to_string() == text)
    }
}

/// `None`: all are done.
fn steps(signed: &Signed<'_>, now: Option<StartStep>) -> Node {
    let all = StartStep::ALL.into_iter().map(|step| {
        let item = el("li").text(step.title());
        match now {
            Some(now) if step == now => item.set("aria-current", "step"),
            Some(now) if step > now => item,
            _ => item.set("class", "done"),
        }
    });
    let said = match now {
        Some(now) => phrase(
            signed.language,
            "Step {n} of {all}: {step}",
            &[
                ("n", &now.number().to_string()),
                ("all", &StartStep::ALL.len().to_string()),
                ("step", translated(signed.language, now.title())),
            ],
        ),
        None => translated(signed.language, "All done").to_owned(),
    };
    div("stepper").child(p(said)).child(el("ol").children(all))
}

/// A page of the run.
pub(crate) fn step(signed: &Signed<'_>, now: Option<StartStep>, title: &'static str, inside: Vec<Node>) -> String {
    step_while(signed, now, None, title, inside)
}

/// With the area that is being loaded meanwhile.
pub(crate) fn step_while(
    signed: &Signed<'_>,
    now: Option<StartStep>,
    loading: Option<&AreaLoadingView>,
    title: &'static str,
    inside: Vec<Node>,
) -> String {
    let later = now.map(|_| link("/portal/leads", "Finish later").set("class", "later"));
    let bar = loading.map(|loading| loading_bar(signed.language, loading));
    run(signed, title, [steps(signed, now)].into_iter().chain(later).chain(bar).collect(), inside)
}

pub(crate) fn back(to: &'static str) -> Node {
    link(to, "Back").set("class", "btn")
}

/// What leads on, always at the same place.
pub(crate) fn go(actions: impl IntoIterator<Item = Node>) -> Node {
    div("go").children(actions)
}
