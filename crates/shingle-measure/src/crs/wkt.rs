//! WKT 1 and 2: the units, the number of the system, and what a projection is made of where it has no number.

use shingle_projection::{Node, ParsedCrs, nodes_of, proj_of};

use super::system::{Horizontal, projected, vertical_of};
use super::units::{Unit, without_unit};
use crate::error::MeasureError;

const PROJECTED: [&str; 3] = ["PROJCS", "PROJCRS", "PROJECTEDCRS"];
const GEOGRAPHIC: [&str; 5] = ["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS"];
const VERTICAL: [&str; 4] = ["VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS"];

#[derive(Debug, Default)]
pub struct Said {
    pub horizontal: Option<Result<Horizontal, MeasureError>>,
    pub vertical: Option<f64>,
}

/// `None` where the text is not WKT.
pub fn parse(text: &str) -> Option<Said> {
    let mut said = Said::default();
    for root in nodes_of(text)? {
        take(&root, &mut said);
    }
    Some(said)
}

fn is(node: &Node<'_>, keywords: &[&str]) -> bool {
    keywords.contains(&node.keyword.as_str())
}

fn take(node: &Node<'_>, said: &mut Said) {
    if is(node, &VERTICAL) {
        let stated = unit_of(node).map(|u| u.meters).or_else(|| code_of(node).and_then(vertical_of));
        said.vertical = said.vertical.or(stated);
    } else if said.horizontal.is_none() && is(node, &PROJECTED) {
        said.horizontal = Some(horizontal(node));
    } else if said.horizontal.is_none() && is(node, &GEOGRAPHIC) {
        said.horizontal = Some(Ok(Horizontal::Degrees));
    } else if is(node, &["COMPD_CS", "COMPOUNDCRS", "BOUNDCRS", "SOURCECRS"]) {
        for child in &node.children {
            take(child, said);
        }
    }
}

fn code_of(node: &Node<'_>) -> Option<u32> {
    let id = node.one_of(&["AUTHORITY", "ID"])?;
    let text = id.texts.get(1).and_then(|t| t.parse().ok());
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float converts within bounds")]
    text.or_else(|| id.numbers.first().map(|n| *n as u32))
}

/// Beside the system, or in its axes.
fn unit_of(node: &Node<'_>) -> Option<Unit> {
    let units = ["UNIT", "LENGTHUNIT"];
    let of_axes = || node.children.iter().filter(|c| is(c, &["AXIS", "CS"])).find_map(|axis| axis.one_of(&units));
    let meters = *node.one_of(&units).or_else(of_axes)?.numbers.first()?;
    (1e-3..=1e4).contains(&meters).then_some(Unit { meters })
}

fn horizontal(node: &Node<'_>) -> Result<Horizontal, MeasureError> {
    let unit = unit_of(node);
    if let Some(Ok(known)) = code_of(node).map(|code| projected(code, unit)) {
        return Ok(known);
    }
    let meters = unit.map_or(1.0, |u| u.meters);
    Ok(match proj_of(node) {
        Some(ParsedCrs::Proj { string, .. }) => Horizontal::Projected { meters, proj: without_unit(&string).0 },
        // Its unit is known, its place is not.
        Some(ParsedCrs::Degrees) | None => Horizontal::Plane { meters },
    })
}
