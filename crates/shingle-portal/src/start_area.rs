//! The first run's area: where the company works, and which homes get a price there.

use shingle_domain::Language;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::squares;

use crate::area_list::{AreaRow, areas_card};
use crate::area_loading::{AreaLoadingView, loading_card};
use crate::area_plan::{AreaFormView, AreaPlace, area_form, load_form, other_ways};
use crate::counted::{Counted, counted};
use crate::element::{Tone, button, card, div, el, link, note, once, post, soft};
use crate::first_run::{StartStep, back, go, step};
use crate::frame::Signed;
use crate::phrase::{phrase, translated};
use crate::time::Hours;

/// A home that gets a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleView {
    /// On one line.
    pub address: String,
    /// Tenths of squares.
    pub roof_area: u32,
    /// As it is shown: `$12,480`.
    pub price: String,
    /// Where it can be tried; `None`: only by a test lead.
    pub link: Option<String>,
}

/// The homes that a visitor can look up.
pub struct AreaView<'v> {
    /// The demo town alone is there.
    pub is_demo: bool,
    pub homes: u64,
    pub towns: Option<usize>,
    pub examples: &'v [ExampleView],
    /// Of the areas that are loaded: homes, and how many have an outline.
    pub outlines: Option<(u64, u64)>,
    pub way: AreaWay<'v>,
}

/// What this user can do about them.
pub enum AreaWay<'v> {
    /// Somebody else loads homes.
    Ask {
        /// By mail from here.
        can_mail: bool,
        /// Whom to ask otherwise.
        operators: &'v [String],
    },
    /// Where do you work?
    Choose(Box<AreaFormView<'v>>),
    /// Homes are there, and an area can be added.
    More,
    Loading(AreaLoadingView),
    /// A load came to an end before its time.
    Ended(&'v [AreaRow], &'v Hours),
}

pub fn start_area_page(signed: &Signed<'_>, view: &AreaView<'_>) -> String {
    let language = signed.language;
    let mut inside = Vec::new();
    let title = match (&view.way, view.is_demo) {
        (AreaWay::Choose(_), true) => {
            inside.push(soft("We load the homes in your area, so visitors find their roof."));
            inside.push(note(Tone::Look, "No addresses loaded yet: visitors can only ask you to call."));
            "Where do you work?"
        }
        (AreaWay::Loading(_), _) => {
            inside.push(soft("No need to wait. Visitors outside of what is here can ask you to call."));
            "Loading your homes"
        }
        (AreaWay::Ended(..), _) => "Your homes are not loaded yet",
        (AreaWay::Ask { .. }, true) => {
            inside.push(note(Tone::Look, "No addresses loaded yet: visitors can only ask you to call."));
            "Which homes get a price?"
        }
        (_, _) if view.outlines.is_some() => "Your homes are in",
        (AreaWay::Ask { .. } | AreaWay::Choose(_) | AreaWay::More, _) => "Which homes get a price?",
    };
    if !view.is_demo {
        inside.extend(known(language, view));
    }
    match &view.way {
        AreaWay::Ask { can_mail, operators } => inside.push(ask(signed, *can_mail, operators)),
        AreaWay::Choose(form) => inside.extend(area_form(language, form)),
        AreaWay::More => inside.push(add("Add another area")),
        AreaWay::Loading(loading) => inside.push(loading_card(language, loading, AreaPlace::Start)),
        AreaWay::Ended(rows, hours) => {
            inside.push(areas_card(language, rows, hours, AreaPlace::Start));
            inside.push(add("Choose another area"));
        }
    }
    if view.is_demo && !matches!(view.way, AreaWay::Loading(_)) {
        inside.push(demo(language, view));
        if !matches!(view.way, AreaWay::Ask { .. }) {
            inside.push(other_ways());
        }
    }
    inside.push(go(onward(view)));
    step(signed, Some(StartStep::Area), title, inside)
}

fn add(label: &'static str) -> Node {
    div("pair").child(link("/portal/start?step=4&add=1", label).set("class", "btn"))
}

/// One filled button: what most people do next.
fn onward(view: &AreaView<'_>) -> Vec<Node> {
    let load = match &view.way {
        AreaWay::Choose(form) => load_form(form),
        _ => None,
    };
    let label = match &view.way {
        AreaWay::Loading(_) => "Go on while it loads",
        _ if view.is_demo => "Continue without homes",
        _ => "Continue",
    };
    let class = match (&view.way, view.is_demo) {
        // The form above has the filled button.
        (AreaWay::Choose(_), true) => "btn",
        _ if load.is_some() => "btn",
        _ => "btn ink",
    };
    let on = link("/portal/start?step=5", label).set("class", class);
    [back("/portal/start?step=3"), on].into_iter().chain(load).collect()
}

/// The homes that are there, and some to try.
fn known(language: Language, view: &AreaView<'_>) -> Vec<Node> {
    let number = |of, count| counted(language, of, i64::try_from(count).unwrap_or(i64::MAX));
    let homes = number(Counted::HOMES, view.homes);
    let said = match view.towns {
        Some(towns) => {
            let towns = number(Counted::TOWNS, towns as u64);
            phrase(language, "{homes} in {towns}.", &[("homes", &homes), ("towns", &towns)])
        }
        None => format!("{homes}."),
    };
    let mut nodes = vec![note(Tone::Well, said)];
    if let Some((all, with)) = view.outlines {
        let percent = (with * 100 / all.max(1)).to_string();
        let with = number(Counted::OUTLINES, with);
        nodes.push(soft(phrase(
            language,
            "{homes} ({percent}%). The rest ask for a visit, and still become leads.",
            &[("homes", &with), ("percent", &percent)],
        )));
    }
    if view.examples.is_empty() {
        nodes.push(soft("None of those we looked at has a known roof, so visitors ask you for a visit."));
    } else {
        nodes.push(card("Homes to try").child(examples(language, view.examples)));
    }
    nodes.push(soft("At any other address visitors can ask you to call."));
    nodes
}

fn demo(language: Language, view: &AreaView<'_>) -> Node {
    card("Try it meanwhile")
        .child(soft("These homes are in Harrow Falls, our demo town. It is made up: only your test leads use it."))
        .child(examples(language, view.examples))
}

fn ask(signed: &Signed<'_>, can_mail: bool, operators: &[String]) -> Node {
    let ask = card("Ask for your area");
    if can_mail {
        return ask
            .child(soft("The administrator of this server loads homes. We email them your company and where you are."))
            .child(
                post("/portal/start/ask")
                    .child(once(signed))
                    .child(div("pair").child(button("btn", "Ask the administrator"))),
            );
    }
    let said = match operators {
        [] => translated(signed.language, "Ask the person who runs this server to load the homes of your area.")
            .to_owned(),
        some => {
            phrase(signed.language, "Ask {people} to load the homes of your area.", &[("people", &some.join(", "))])
        }
    };
    ask.child(soft(said))
}

fn examples(language: Language, examples: &[ExampleView]) -> Node {
    let row = |home: &ExampleView| {
        let squares = squares(i64::from(home.roof_area));
        let said = phrase(language, "{squares} squares, {price}", &[("squares", &squares), ("price", &home.price)]);
        let about = div("who2").child(el("b").text(home.address.clone())).child(soft(said));
        let named = phrase(language, "Try it: {address}", &[("address", &home.address)]);
        let try_it = home.link.as_ref().map(|to| {
            link(to.clone(), "Try it")
                .set("class", "btn")
                .set("aria-label", named.clone())
                .set("target", "_blank")
                .set("rel", "noopener")
        });
        el("li").child(about).children(try_it)
    };
    Node::classed("ul", "rows").children(examples.iter().map(row))
}
