//! Step 2: is this the roof?

use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::RoofFound;

use super::choose::choice;
use super::field::{link, submit};
use super::frame::{self, Body, Head, page};
use super::page_words::PageWords;
use super::plan::Pane;
use super::step::Step;
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::strokes::ALERT;
use crate::view::block::{inner, note, title};
use crate::view::contact::FORM;
use crate::view::{Markup, roof as view};
use crate::words::w;

/// `picked`: which of several buildings are ticked; `None` where the form was sent without any.
pub fn roof_page(step: &Step<'_>, roof: &RoofFound, picked: Option<BuildingSet>) -> String {
    let t = step.words();
    let many = roof.buildings.len() > 1;
    let heading = view::heading(roof);
    let own = PageWords::of(step.language);
    let nothing = picked.is_none().then(|| {
        let [heading, text] = own.many_nothing.clone();
        note::<Node>("sh-note bad", ALERT, heading, text).set("role", "alert")
    });
    let first = picked.and_then(|picked| picked.indices().next()).unwrap_or(0);
    let inner = view::intro(inner::<Node>().child(title(heading)), t, roof)
        .children(nothing)
        .children(many.then(|| choices(step, roof, picked)))
        .children(roof.buildings.get(first).into_iter().flat_map(|b| view::facts(t, roof, b)));
    let actions = if many {
        vec![submit(own.many_go.clone()), link("sh-btn quiet", choice(step, roof), w::MANY_NONE)]
    } else {
        let yes = step.href("contact", &[("key", &roof.key), ("building", "0")]);
        vec![link("sh-btn primary", yes, w::ROOF_YES), link("sh-btn secondary", choice(step, roof), w::ROOF_NO)]
    };
    let pane = Pane::found(step, roof, None, Detail::Measures, "sh-pane pane-high");
    let body = Body { screen: "roof", number: Some(1), back: Some(step.home()), inner, actions, pane };
    page(step, Head::of_step(step, t.text(heading)), vec![frame::step(step, body)])
}

/// A box for each building, by the letter that it has on the drawing.
fn choices(step: &Step<'_>, roof: &RoofFound, picked: Option<BuildingSet>) -> Node {
    let rows = roof.buildings.iter().enumerate().map(|(at, of)| {
        let tick = Node::classed("input", "sh-radio box")
            .all(&[("type", "checkbox"), ("name", "building")])
            .set("value", at.to_string());
        let tick = if picked.is_some_and(|picked| picked.contains(at)) { tick.set("checked", "") } else { tick };
        view::choice(Node::classed("label", "sh-choice").child(tick), at, of)
    });
    let all = Node::classed("fieldset", "sh-choices").child(Node::classed("legend", "sh-vh").text(w::MANY_LEGEND));
    step.form("get", "contact", &[("key", &roof.key)], vec![all.children(rows)]).set("id", FORM)
}
