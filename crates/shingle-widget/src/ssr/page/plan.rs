//! The pane with the drawing, as a step asks for it.

use shingle_domain::home_roof::{BuildingSet, NoPrice};
use shingle_domain::public::RoofFound;

use super::step::Step;
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::view::Markup;
use crate::view::plan::{Picked, blank, example, found, homes};

/// What the pane beside a step shows.
pub(super) struct Pane {
    class: &'static str,
    inside: Vec<Node>,
    /// A photograph lies under the drawing.
    pub has_photo: bool,
}

impl Pane {
    /// The roof of the first step, before there is a real one.
    pub fn example(step: &Step<'_>, class: &'static str) -> Self {
        Self { class, inside: example(step.words()), has_photo: false }
    }

    pub fn blank(step: &Step<'_>) -> Self {
        Self { class: "sh-pane only-wide", inside: blank(step.words()), has_photo: false }
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
        Self { class, inside: found(step.words(), Some(picked), detail, None), has_photo: roof.photo.is_some() }
    }

    /// The choice among the homes near a roof.
    pub fn homes(step: &Step<'_>, roof: &RoofFound) -> Self {
        Self { class: "sh-pane pane-high", inside: homes(step.words(), roof), has_photo: roof.photo_of_homes.is_some() }
    }

    /// A roof that gets no price from here.
    pub fn unpriced(step: &Step<'_>, roof: &RoofFound, reason: Option<&NoPrice>) -> Self {
        let unit = match reason {
            Some(NoPrice::Unit { unit, .. }) => unit.as_deref(),
            _ => None,
        };
        let picked = Picked { roof, chosen: None, priced: false, unit };
        let inside = found(step.words(), Some(picked), Detail::Measures, None);
        Self { class: "sh-pane only-wide", inside, has_photo: roof.photo.is_some() }
    }

    /// Beside the price, with figures under the drawing's key.
    pub fn priced(step: &Step<'_>, roof: Option<&RoofFound>, chosen: BuildingSet, more: Node) -> Self {
        let picked = roof.map(|roof| Picked { roof, chosen: Some(chosen), priced: true, unit: None });
        let has_photo = roof.is_some_and(|roof| roof.photo.is_some());
        Self { class: "sh-pane only-wide", inside: found(step.words(), picked, Detail::Areas, Some(more)), has_photo }
    }

    pub fn node(self) -> Node {
        Node::classed("div", self.class).children(self.inside)
    }
}
