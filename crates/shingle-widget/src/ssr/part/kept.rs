//! An estimate of an earlier day, before anything else.

use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::{EstimateSummary, Part};

use super::dates::long_day;
use super::part;
use crate::ssr::node::Node;
use crate::strokes::INFO;
use crate::view::Markup;
use crate::view::block::{note, small, title};
use crate::words::{Words, dollars, material_in_text, squares, w};

/// What is shown of it.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'a> {
    pub street: &'a str,
    /// The day of the estimate and today, where the company is.
    pub from: VisitDate,
    pub today: VisitDate,
    /// The price that was shown, with the measure it was computed from.
    pub price: Option<(&'a EstimateSummary, &'a MaterialPrice)>,
    /// The same at today's price, where that is another.
    pub now: Option<&'a MaterialPrice>,
    /// The last day on which this browser opens it.
    pub until: VisitDate,
}

pub fn kept_part(words: Words, of: &Kept<'_>) -> Part {
    let day = match (of.today.0 - of.from.0).get_days() {
        0 => words.text(w::KEPT_DAYS.at(0)).to_owned(),
        1 => words.text(w::KEPT_DAYS.at(1)).to_owned(),
        _ => long_day(words, of.from),
    };
    let heading = if of.price.is_some() { w::KEPT_TITLE } else { w::KEPT_VISIT_TITLE };
    let heading = words.fill(heading, &[("street", of.street), ("day", &day)]);
    let mut nodes = vec![title::<Node>(heading).set("tabindex", "-1")];
    if let Some((sheet, price)) = of.price {
        let range = words.fill(w::KEPT_RANGE, &[("low", &dollars(price.low)), ("high", &dollars(price.high))]);
        let squares = squares(sheet.roof_area.into());
        let covering = words.text(material_in_text(price.material));
        let sum = words.fill(w::KEPT_SQUARES, &[("squares", &squares), ("material", covering)]);
        let figures = Node::new("div")
            .child(Node::new("b").text(dollars(price.cost)))
            .children((price.low < price.high).then(|| Node::new("small").text(range)))
            .child(Node::new("small").text(sum));
        nodes.push(Node::classed("div", "kept").child(figures));
    }
    if let Some(now) = of.now {
        let with = [("price", dollars(now.price_per_square)), ("cost", dollars(now.cost))];
        let with = with.each_ref().map(|(name, value)| (*name, value.as_str()));
        nodes.push(note("sh-note", INFO, w::KEPT_CHANGED.at(0), words.fill(w::KEPT_CHANGED.at(1), &with)));
    }
    nodes.push(small(words.fill(w::KEPT_UNTIL, &[("date", &long_day(words, of.until))])));
    part(nodes, words)
}
