//! The pane with the drawing, as a step asks for it.

use shingle_domain::home_roof::{BuildingSet, NoPrice};
use shingle_domain::public::RoofFound;

use super::step::Step;
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::view::Markup;
use crate::view::plan::{Picked, blank, example, found};

/// What the pane beside a step shows.
pub(super) struct Pane {
    class: &'static str,
    inside: Vec<Node>,
}

impl Pane {
    /// The roof of the first step, before there is a real one.
    pub fn example(step: &Step<'_>, class: &'static str) -> Self {
        Self { class, inside: example(step.words()) }
    }

    pub fn blank(step: &Step<'_>) -> Self {
        Self { class: "sh-pane only-wide", inside: blank(step.words()) }
    }

    /// `chosen`: all buildings are drawn where none is chosen yet.
    pub fn found(
        step: &Step<'_>,
        roof: &RoofFound,
        chosen: Option<BuildingSet>,
        detail: Detail,
        class: &'static str,
    ) -> Self {
        let picked = Picked { roof, chosen, priced: false, unit: None };
        Self { class, inside: found(step.words(), Some(picked), detail, None) }
    }

    /// A roof that gets no price from here.
    pub fn unpriced(step: &Step<'_>, roof: &RoofFound, reason: Option<&NoPrice>) -> Self {
        let unit = match reason {
            Some(NoPrice::Unit { unit, .. }) => unit.as_deref(),
            _ => None,
        };
        let picked = Picked { roof, chosen: None, priced: false, unit };
        Self { class: "sh-pane only-wide", inside: found(step.words(), Some(picked), Detail::Measures, None) }
    }

    /// Beside the price, with figures under the drawing's key.
    pub fn priced(step: &Step<'_>, roof: Option<&RoofFound>, chosen: BuildingSet, more: Node) -> Self {
        let picked = roof.map(|roof| Picked { roof, chosen: Some(chosen), priced: true, unit: None });
        Self { class: "sh-pane only-wide", inside: found(step.words(), picked, Detail::Areas, Some(more)) }
    }

    pub fn node(self) -> Node {
        Node::classed("div", self.class).children(self.inside)
    }
}
