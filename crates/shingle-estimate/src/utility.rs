//! # The utility bill: how a year's energy, its cost and its emissions are estimated
//!
//! **What it is.** The expected use of a home like this one, not a meter reading. A regression gives the shape
//! (what a larger, older, colder home uses more), the state's published bills give the level, degree days and
//! deliveries give the months. On households the fit had not seen, the mean error of one home was 35 % for
//! electricity and 34 % for gas (50 % and 51 % for a plain mean), 34 % for oil, 48 % for propane; of a division's
//! mean 5 % for electricity and gas. By the survey's spread eight in ten homes lie between 0.47 and 1.68 times the
//! figure; of the survey's homes that the fit had not seen the range held 82 % for electricity, 83 % for gas, 88 % of 56
//! for oil and 74 % of 91 for propane. No bills of known homes were at hand to test that, and every answer says so.
//!
//! **Use.** `ln use = c + 0.307·ln ft² + climate + kind + vintage + division`, and for electricity a constant and a
//! slope on heating degree days in homes without fossil fuel. One such line for kWh, therms, gallons of propane
//! and of oil; the mean is e to it times a smear (1.12 to 1.18), electricity also times the state's level:
//! published kWh per customer over the model's mean for the state's homes. Without the level the states' means
//! were off by 18 % (Alaska by 150 %), so without it there is no answer. Another year's bills change the level and
//! the price, nothing here.
//!
//! **Months.** Electricity: `base·days + 367.0·CDD·√ft²/10⁴`, and `204.69·HDD·√ft²/10⁴` in all-electric homes,
//! brought to the year's use; the base is `5792.6` (attached or in a house of two to four 2712.5, in five and more
//! 1308.4) `+ 1036.56` per 1,000 ft² `+ 2244.35` where all is electric. Gas: the state's published shares. Propane,
//! oil and unpublished gas: four fifths by heating degree days, one fifth even for hot water, which misses
//! published deliveries by 1.2 points of a year in the mean month and by 14 where winters hardly are (Florida). The
//! degree days are means of many years, so the twelve months before `now` are twelve usual months (February has
//! 28.25 days): which year they lie in changes their names only. The peak is the month that uses most, the earlier
//! of two alike.
//!
//! **The home.** Kind from the class of the property, then its units, then words such as *row* or *semi* in its style;
//! a condominium or flat of unknown building counts as one home of five or more (in a town whose condominiums are
//! mostly in houses of two to four, 17 % too little). Size is the living area, else the building's, each
//! shared by the units of a house recorded as a whole; else the outline less eaves, porch and garage, times the
//! storeys (1.4 when not recorded); else a usual size, for size matters little: a home half as large uses
//! 19 % less. With usual sizes alone the homes of the survey meet the states' published use to 3.1 % in the mean
//! (bias −1.6 %). Sizes count as 300 to 8,000 ft². A year nobody recorded, or a
//! year to come, is a mean over the ages of such homes in the division. Each of these is said in the message, and
//! a size that is only assumed widens the range, a usual size by a standard error of 0.5 of its logarithm: of the homes of
//! Cambridge, Massachusetts, whose size is known and was hidden, that holds 95 % of single-family ones, 97 % of those in houses
//! of two to four and 95 % of condominiums; widths fitted on half (0.39, 0.25, 0.32) held 71 to 75 % of the others, so the
//! nation's stays (`tests/it/usual_sizes.rs`). An outline's 0.15 and 0.3 are judged: no town here
//! has outlines and areas.
//!
//! **The fuel.** On record, else the likeliest of the state's homes, else of such homes in the division (cells of
//! fewer than 20 homes asked are put together: the kind, then the age, then all); the share is in the message.
//! It is a choice: where two fuels are alike, the answer is one of them. Electricity is the mean over homes that heat with
//! it alone and those that do not, by their shares: half of a state's homes do not make all of them all-electric. An
//! all-electric home has no fossil fuel and no ratio. What wood, coal, sun and steam do is not counted, and said.
//!
//! **Money and air.** Use × the price of the place: latest on file, for the whole year. No fixed charges, tiers or
//! taxes of their own, which such a mean price contains. Emissions are those of the ZIP's grid per kWh generated,
//! as EPA's own calculators count; the share lost on the way is named in the reasons, and so is the CO2 of burning
//! the fuel, for which the record has no field. The ratio sets heat against heat: 3,412 Btu a kWh, 100,000 a therm,
//! 91,452 a gallon of propane, 137,381 a gallon of oil.
//!
//! **Rounding.** The mean month is rounded to 0.01 kWh and its cost to the cent; a year is twelve of them, to the
//! cent. Quarters and the peak are rounded alike and multiplied by the same rate. The reasons of a consumption are
//! addends of its logarithm: e to their sum is the year.
//!
//! **No estimate.** [`Error`](shingle_domain::utility::UtilityStatus::Error), a sentence why, and nulls: no place
//! matched; vacant land, commerce, what is not residential; an address of which nothing about a home is known; a
//! place whose state has no climate, level or price. A fuel without a price is left out and named. A placeholder
//! price is used and flagged in the message.
//!
//! **What it does not know.** Who lives there, at what temperature, with which machines; solar panels, heat pumps,
//! pools and cars; insulation; a second fuel. Winter peaks in northern states that heat with oil are understated.
//! The survey is of 2015: levels follow newer bills, the slopes do not.
//!
//! **Sources.** US EIA: Residential Energy Consumption Survey 2015 (microdata, fitted in our research: 5,682 homes
//! for electricity, 3,223 gas, 369 propane, 262 oil), Form EIA-861 table 5.A, Electric Power Monthly, residential
//! natural gas deliveries, weekly heating fuels. NOAA nClimDiv. US EPA eGRID and emission factors hub.

mod calculation;
mod coefficients;
mod estimate;
mod fuel;
mod home;
mod model;
mod months;
mod reasons;
mod text;

use shingle_domain::Evidence;
use shingle_domain::time::Timestamp;

pub use estimate::UtilityEstimate;

/// The utility bill of the home at a matched place over the last twelve whole calendar months before `now`.
///
/// Without evidence, and whenever there is no electricity figure, the status is `Error` and the figures are null.
pub fn utility_bill(evidence: Option<&Evidence>, now: Timestamp) -> UtilityEstimate {
    estimate::estimate(evidence, now)
}
