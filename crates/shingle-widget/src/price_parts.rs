//! How a price adds up that is made of several parts, in words.

use shingle_domain::Usd;
use shingle_domain::lead::{MaterialPrice, PricePart, RoofWork};

use crate::words::{Word, Words, dollars, material, squares, w};

/// One part of a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartLine {
    /// `Low slope: a membrane`
    pub work: Word,
    /// `11.21 squares × $1,050`
    pub sum: String,
    /// `$11,771`
    pub amount: String,
}

/// Empty where the whole roof has one price.
pub fn part_lines(words: Words, of: &MaterialPrice) -> Vec<PartLine> {
    of.parts.iter().map(|part| line(words, of, part)).collect()
}

fn line(words: Words, of: &MaterialPrice, part: &PricePart) -> PartLine {
    let with = [("squares", &*squares(part.roof_area.into())), ("price", &dollars(part.price_per_square))];
    PartLine { work: work(part.work, of), sum: words.fill(w::WORK_SUM, &with), amount: dollars(part.cost) }
}

fn work(work: RoofWork, of: &MaterialPrice) -> Word {
    match work {
        RoofWork::Covering => material(of.material),
        RoofWork::LowSlope => w::WORKS.at(0),
        RoofWork::Steep => w::WORKS.at(1),
        RoofWork::VerySteep => w::WORKS.at(2),
        RoofWork::TwoStories => w::WORKS.at(3),
        RoofWork::ThreeStories => w::WORKS.at(4),
    }
}

/// `Low slope: a membrane – 11.21 squares × $1,050 = $11,771. Asphalt shingle – …`; `None` where the whole roof has one price.
pub fn parts_in_text(words: Words, of: &MaterialPrice) -> Option<String> {
    let lines = part_lines(words, of).into_iter();
    let lines: Vec<_> =
        lines.map(|line| [&words[line.work], " – ", &line.sum, " = ", &line.amount, "."].concat()).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

/// What a price is for, and what its square costs: the material, or the membrane that the whole roof needs.
pub fn named(of: &MaterialPrice) -> (Word, Usd) {
    match of.parts.first().filter(|_| of.is_all_low_slope()) {
        Some(part) => (work(part.work, of), part.price_per_square),
        None => (material(of.material), of.price_per_square),
    }
}

/// Whether a part of the roof is too low for the material that was chosen.
pub fn has_low_slope(of: &MaterialPrice) -> bool {
    of.parts.iter().any(|part| part.work == RoofWork::LowSlope)
}
