//! What shades of color say on a screen, said by lines on paper: which way a plane faces. North stays blank; west,
//! south and east are hatched ever closer.

use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::RoofFound;

use crate::plan::Detail;
use crate::site::site;
use crate::ssr::node::Node;
use crate::view::Markup;
use crate::view::block::line;
use crate::words::Words;

/// Name, distance of the lines in letter heights × 100, their direction in degrees. The style of the page names them.
const HATCHES: [(&str, i32, i32); 3] = [("hatch-w", 85, 45), ("hatch-s", 62, 90), ("hatch-e", 43, -45)];

/// The patterns at the scale of a drawing; `None` where nothing is drawn.
pub(super) fn hatches(words: Words, roof: &RoofFound, chosen: BuildingSet) -> Option<Node> {
    let drawn = site(words, roof, Some(chosen), Detail::Paper, "")?;
    let pattern = |(name, hundredths, turn): (&'static str, i32, i32)| {
        let apart = (drawn.font * hundredths / 100).max(1).to_string();
        let width = (f64::from(drawn.font) * 0.06).to_string();
        Node::new("pattern")
            .set("id", name)
            .set("width", apart.clone())
            .set("height", apart.clone())
            .set("patternUnits", "userSpaceOnUse")
            .set("patternTransform", ["rotate(", &turn.to_string(), ")"].concat())
            .child(line::<Node>("hatch", ["M0 0V", &apart].concat()).set("stroke-width", width))
    };
    let none = Node::classed("svg", "hatches").set("width", "0").set("height", "0").set("aria-hidden", "true");
    Some(none.child(Node::new("defs").children(HATCHES.map(pattern))))
}
