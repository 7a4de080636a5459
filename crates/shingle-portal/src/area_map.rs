//! The picture of an area: ZIPs around it, and the circles that are loaded.

use shingle_domain::Language;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{el, soft};
use crate::phrase::phrase;

/// How much of a ZIP is in the area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapCover {
    Whole,
    Part,
    None,
}

/// In units of the picture.
#[derive(Debug, Clone, PartialEq)]
pub struct AreaMapView {
    pub size: (f64, f64),
    pub cells: Vec<(MapCover, Vec<(f64, f64)>)>,
    /// Center and radius.
    pub rings: Vec<(f64, f64, f64)>,
    pub names: Vec<(String, (f64, f64))>,
    /// Miles, and how long they are.
    pub scale: (u32, f64),
}

/// `title`: what is drawn.
pub(crate) fn area_map(language: Language, title: &str, map: &AreaMapView) -> Node {
    let (width, height) = map.size;
    let count = |of: MapCover| map.cells.iter().filter(|(cover, _)| *cover == of).count().to_string();
    let sentence = phrase(
        language,
        "Map: {area}. ZIPs in the area: {whole}; in part: {part}.",
        &[("area", title), ("whole", &count(MapCover::Whole)), ("part", &count(MapCover::Part))],
    );
    let cells = map.cells.iter().map(|(cover, corners)| {
        let class = match cover {
            MapCover::Whole => "whole",
            MapCover::Part => "part",
            MapCover::None => "none",
        };
        let points = corners.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect::<Vec<_>>().join("L");
        Node::classed("path", class).set("d", format!("M{points}z"))
    });
    let number = |value: f64| format!("{value:.1}");
    let rings = map.rings.iter().map(|(x, y, radius)| {
        Node::classed("circle", "ring").set("cx", number(*x)).set("cy", number(*y)).set("r", number(*radius))
    });
    let names =
        map.names.iter().map(|(name, (x, y))| el("text").set("x", number(*x)).set("y", number(*y)).text(name.clone()));
    let (miles, length) = map.scale;
    let (right, bottom) = (width - 12.0, height - 10.0);
    let scale =
        Node::classed("path", "scale").set("d", format!("M{:.1} {:.1}v7h{length:.1}v-7", right - length, bottom - 7.0));
    let said = phrase(language, "{miles} mi", &[("miles", &miles.to_string())]);
    let said = el("text").set("x", number(right - length / 2.0)).set("y", number(bottom - 10.0)).text(said);
    let picture = Node::classed("svg", "map area-map")
        .set("viewBox", format!("0 0 {width:.0} {height:.0}"))
        .set("role", "img")
        .set("aria-label", sentence)
        .children(cells)
        .children(rings)
        .children(names)
        .child(scale)
        .child(said);
    let key = Node::classed("p", "map-key")
        .child(Node::classed("span", "whole").text("In your area"))
        .child(Node::classed("span", "part").text("In part"));
    let about = soft("Drawn from the centers of ZIPs: the lines between them are approximate.");
    Node::classed("section", "card flush").set("aria-label", "Map").child(picture).child(key).child(about)
}

#[cfg(test)]
mod tests {
    use shingle_widget::ssr::document;
    use shingle_widget::words::flow_words;

    use super::*;

    #[test]
    fn the_picture_says_what_it_shows() {
        let square = vec![(0.0, 0.0), (300.0, 0.0), (300.0, 400.0), (0.0, 400.0)];
        let map = AreaMapView {
            size: (600.0, 400.0),
            cells: vec![(MapCover::Whole, square.clone()), (MapCover::None, square)],
            rings: vec![(300.0, 200.0, 90.0)],
            names: vec![("Boulder".to_owned(), (300.0, 200.0))],
            scale: (5, 100.0),
        };
        let drawn = document(area_map(Language::English, "80302 + 5 mi", &map), flow_words(Language::English));
        for said in ["Map: 80302 + 5 mi. ZIPs in the area: 1; in part: 0.", ">Boulder<", ">5 mi<", "M0.0 0.0L300.0 0.0"]
        {
            assert!(drawn.contains(said), "{said}: {drawn}");
        }
    }
}
