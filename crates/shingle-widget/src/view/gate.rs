//! Why a roof gets no price from here, in facts that a homeowner can check.

use shingle_domain::evidence::PropertyClass;
use shingle_domain::home_roof::NoPrice;

use super::block::note;
use super::markup::{Markup, Text};
use crate::strokes::ALERT;
use crate::words::{Words, thousands, w};

/// `None` where nothing can be said but that nothing is known.
pub fn why<M: Markup>(words: Words, reason: &NoPrice) -> Option<M> {
    let square_feet = |n: &u32| thousands(i64::from(*n));
    let (heading, text): (Text, Text) = match reason {
        NoPrice::Unknown => return None,
        NoPrice::Uncovered { town } => {
            (words.fill(w::GATE_UNCOVERED.at(0), &[("town", town)]).into(), w::GATE_UNCOVERED.at(1).into())
        }
        NoPrice::Small { ground, .. } => {
            (words.fill(w::GATE_SMALL.at(0), &[("ground", &square_feet(ground))]).into(), w::GATE_SMALL.at(1).into())
        }
        NoPrice::Outbuilding { label, ground } => (
            words.fill(w::GATE_OUTBUILDING.at(0), &[("label", label), ("ground", &square_feet(ground))]).into(),
            w::GATE_OUTBUILDING.at(1).into(),
        ),
        NoPrice::Unit { unit, homes } => {
            let heading = match (unit, homes) {
                (Some(unit), Some(homes)) if *homes > 2 => {
                    words.fill(w::GATE_UNIT.at(1), &[("unit", unit), ("n", &(homes - 1).to_string())]).into()
                }
                (Some(unit), _) => words.fill(w::GATE_UNIT.at(0), &[("unit", unit)]).into(),
                (None, _) => w::GATE_UNIT.at(2).into(),
            };
            (heading, w::GATE_UNIT.at(3).into())
        }
        NoPrice::Apartments { homes } => {
            let heading = match homes {
                Some(homes) => words.number(w::GATE_APARTMENTS.at(0), usize::from(*homes)).into(),
                None => w::GATE_APARTMENTS.at(1).into(),
            };
            (heading, w::GATE_APARTMENTS.at(2).into())
        }
        NoPrice::NoHome { class } => {
            let which = match class {
                PropertyClass::VacantLand => 0,
                PropertyClass::MixedResidential => 1,
                _ => 2,
            };
            (w::GATE_NO_HOME.at(which).into(), w::GATE_NO_HOME.at(3).into())
        }
        NoPrice::SizesDiffer { outline, records } => {
            let with = [("outline", &*square_feet(outline)), ("records", &square_feet(records))];
            (w::GATE_SIZES.at(0).into(), words.fill(w::GATE_SIZES.at(1), &with).into())
        }
    };
    Some(note("sh-note warn", ALERT, heading, text))
}
