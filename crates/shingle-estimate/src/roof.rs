//! # The roof: how its size, slope, price and drawing are determined
//!
//! **Methods.** Three kinds of evidence can give a roof; the best available one is used:
//!
//! | method | needs | area | 1 sigma |
//! |---|---|---|---|
//! | [`Survey`](MeasureMethod::Survey) | outline and measured planes | plan × Σ share/cos(pitch) | 1.3 % |
//! | [`Outline`](MeasureMethod::Outline) | outline | plan/cos(usual pitch) | 6 %; 8 % from a wall line |
//! | [`Records`](MeasureMethod::Records) | the assessor's areas | modelled plan/cos(usual pitch) | 14 to 36 % |
//!
//! **Plan.** The area inside the outline, holes taken off, in the local metric frame it was imported in.
//! An outline seen from the air is the roof's edge already. One drawn along the walls gets eaves of 1 ft:
//! `P + e·L + 4e²` with the perimeter `L`; on 6,439 houses of one US city that is 9.9 %, more than the pitch
//! matters. Every roof of one pitch has the area `P/cos(pitch)`, whatever its ridges, so the model below is
//! only for the drawing and for counting facets; on 46 surveyed roofs this identity missed by 0.05 % in the median
//! and by 6.8 % in the worst tenth.
//!
//! **Pitch.** Measured planes are averaged by sloped area. Without them: by roof type where it is on record
//! (flat 2°, shed 14°, gambrel 38°, mansard 45°); else 4/12 in FL, AZ, NV, NM, CA and southern Texas and for
//! one-storey houses of 1950 to 1979, 8/12 before 1940 in New England and the Middle Atlantic, 6/12 otherwise.
//! These are usual values, not measurements: about 7° either way, 6 % of area. In a city of low roofs
//! the mean error was 8 to 10 %.
//!
//! **Records.** `plan = (ground floor + attached garage) × 1.02`, the ground floor being recorded or living area over
//! storeys (2 storeys count 1.88, for upper floors are smaller), the garage recorded, `37 + 250` per car, or 250
//! when nobody says. Without storeys `529 + 0.66 × living area`. Then eaves around `1.135 × 4√plan`. On 2,930
//! homes of one town in Iowa the plan's sigma was 11 % with the garage's area, 12 % with its cars, 35 %
//! from living area alone; the 20 % for an unrecorded garage is a judgement, not measured.
//!
//! **No figure.** A condominium, a flat, or a home in a house of more than four has no roof of its own: no figure is
//! given, not even from an outline, which is that of the whole building. There is none either where neither outline
//! nor area is known.
//!
//! **Complexity.** Up to 4 facets simple, 5 to 12 average, 13 and more complex; planes of 20 sq ft and more count.
//! No public standard gives these thresholds. Where planes are not known they are counted by rectangles: two for
//! each main rectangle of the plan (four under a hip roof, one under a shed roof; a flat roof is one), those under
//! 10 m² left out. The edges of a skeleton are never counted: that was off by 5.7 facets and right in 37 % of
//! classes. The rule itself is proposed in our research and not yet measured against surveys; over 6,598 outlines
//! of one town the model that is drawn falls into the same class in 88 %. From records alone the roof type decides, one
//! step up above 3,500 sq ft. The flow shows a complexity and a number of planes only where a survey counted them.
//!
//! **The flow** draws and prices less than the look-up says ([`home_roof`], [`no_price`]): no planes but a survey's,
//! and only roofs of homes of up to four units with 400 sq ft of ground and more, whose outline does not contradict the
//! records by a factor of two (or three sigmas of the records model, where that is more). Several buildings are priced
//! together ([`measure_chosen`]).
//!
//! **Model.** For the look-up's drawing the outline is reduced (0.6 m), squared about its main direction, and jogs under 1.5 m are
//! taken out, all without changing its area: the modelled planes of those outlines cover the plan to the last digit.
//! Up to twelve corners then carry a straight skeleton, whose triangular ends become gables
//! unless the records say hip (79 % of houses are gabled). Everything else is drawn as a bare outline. The
//! drawing says which it is; its facets add up to the area, which always comes from the full outline.
//!
//! **Price.** Squares (100 sq ft along the slope) × an all-in price per square; waste is inside that price. What to
//! order is given beside it: 10 % more for a simple roof, 13 % for an average one, 18 % for a complex one. Look-up
//! and estimate step multiply squares of two decimals, so both can be checked by hand and agree. What is under 2/12 is
//! priced as a membrane: surveyed planes, and roofs recorded as flat. A contractor may add to the price of steep slopes
//! (from 8/12, from 10/12; surveyed ones alone) and of two or three stories. The range is ±10 %
//! where a survey measured the pitch, −20 % to +30 % where it is assumed or a check raises a flag, and wider where the
//! size is uncertain too; its ends are rounded to 100 USD. It covers the size only, not what a roofer finds under the
//! shingles. The range of the size under an assumed pitch reaches from a flat roof to a steep factor that was fitted on
//! half of Zurich's roofs (`width`, the one table of widths).
//!
//! **Sources.** International Residential Code R905.2.2 for the 2/12 limit; Ames, Iowa (De Cock 2011) for the
//! records model and the share of gables; building outlines of Chesapeake, Virginia for perimeters,
//! overhangs and usual sizes; Building3D and Zurich's LoD2 model for the errors of surveys and of the
//! identity; prices as cited line by line in `assets/reference/roof-prices.csv`.

mod checks;
mod drawing;
mod gate;
mod geometry;
mod home_plan;
mod labels;
mod lines;
mod materials;
mod measure;
mod pitch;
mod plan;
mod price;
mod reasons;
mod records;
mod rectangles;
mod results;
mod shape;
mod skeleton;
mod squaring;
mod width;
mod works;

pub use drawing::{chosen_corner, chosen_drawing, drawing};
pub use gate::no_price;
pub(crate) use home_plan::home_plan;
pub use materials::materials;
pub use measure::{RoofMeasure, measure, measure_chosen};
pub(crate) use plan::{Plane, buildings as plans};
pub use price::{OrderQuantity, PriceTerms, RoofRange, order_quantity, range};
pub use reasons::reasons;
pub use results::{HomeRoof, estimate_summary, home_roof, roof_estimate, roof_found, shown_estimate};

#[cfg(doc)]
use shingle_domain::public::MeasureMethod;
