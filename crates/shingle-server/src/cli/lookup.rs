//! `shingle lookup "ADDRESS"`

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use shingle_domain::Evidence;
use shingle_domain::evidence::Building;
use shingle_domain::lookup::AddressInput;
use shingle_domain::public::Suggestion;
use shingle_domain::roof::RoofEstimate;
use shingle_estimate::roof::{RoofMeasure, measure, roof_estimate};
use shingle_property::{Lookup as Found, PropertyIndex};

use super::place::{Flags, Place};
use super::{Everywhere, Problem, Report};

#[derive(Debug, Args)]
pub struct Lookup {
    /// One line: "14 Alder Court, Portland, ME 04103"
    address: String,
    /// Folder of the property index [default: in the data folder]
    #[arg(long, value_name = "DIR")]
    property: Option<PathBuf>,
    /// In the invented sample town instead of what was imported
    #[arg(long)]
    sample_town: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    key: String,
    evidence: Evidence,
    roof_estimate: RoofEstimate,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Unknown<'a> {
    close: &'a [Suggestion],
}

impl Lookup {
    pub fn run(self, everywhere: &Everywhere, report: Report) -> Result<(), Problem> {
        let place = Place::of(everywhere, Flags { property: self.property, ..Flags::default() })?;
        let folder = if self.sample_town {
            shingle_property::sample_town::ensure(&place.sample_town())?;
            place.sample_town()
        } else {
            place.settings.property()
        };
        let reference = place.reference()?;
        let index = PropertyIndex::open(&folder, reference.clone())?;
        match index.lookup(&AddressInput::Line(self.address.clone()))? {
            Found::Found { key, evidence } => {
                let estimate = roof_estimate(Some(&evidence), None, None, None, reference.roof_prices());
                let known = Known { key: key.to_string(), evidence, roof_estimate: estimate };
                report.done(&known, words)
            }
            Found::Ambiguous(close) => fail("Several places fit that address", &self.address, &close, report),
            Found::NotFound { close } => {
                if index.status().datasets.is_empty() {
                    return Err(Problem::new("Nothing is imported yet")
                        .at(folder.display())
                        .mend("`shingle import FILE --map MAP.toml`, or look in the --sample-town."));
                }
                fail("That address is not known", &self.address, &close, report)
            }
        }
    }
}

fn fail(what: &str, address: &str, close: &[Suggestion], report: Report) -> Result<(), Problem> {
    let problem = Problem::new(what).at(address);
    if close.is_empty() {
        return Err(problem.mend("Check the spelling, and add town or ZIP."));
    }
    if report.is_json() {
        report.done(&Unknown { close }, |_| String::new())?;
    }
    let list: Vec<String> = close.iter().map(|s| format!("{}, {}", s.street, s.city)).collect();
    Err(problem.mend(format!("one of these: {}", list.join("; "))))
}

fn words(known: &Known) -> String {
    let place = &known.evidence.place;
    let mut lines = vec![
        place.address.to_string(),
        format!("  match      {}", word(&known.evidence.matched.level)),
        format!("  key        {}", known.key),
    ];
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            lines.push(format!("  {name:<10} {value}"));
        }
    };
    line("parcel", place.parcel.clone());
    line("position", place.origin.map(|o| format!("{:.6}, {:.6}", o.latitude, o.longitude)));
    let facts = &place.assessor;
    line("built", facts.year_built.as_ref().map(|f| f.value.to_string()));
    line("storeys", facts.storeys.as_ref().map(|f| f.value.to_string()));
    line("living", facts.living_area_sqft.as_ref().map(|f| format!("{} sq ft", f.value)));
    line("type", facts.property_type.as_ref().map(|f| f.value.clone()));
    line("county", facts.county.as_ref().map(|f| f.value.clone()));
    for (number, building) in place.buildings.iter().enumerate() {
        line(&format!("building {}", number + 1), Some(outline(building, measure(&known.evidence, Some(number)))));
    }
    let roof = &known.roof_estimate;
    match (roof.roof_area, roof.squares_with_pitch, roof.roof_cost_estimate, roof.installed_price) {
        (Some(area), Some(squares), Some(cost), Some(price)) => {
            let pitch = roof.average_roof_pitch.unwrap_or_default();
            line("roof", Some(format!("{area} sq ft = {squares} squares, pitch {pitch:.1}\u{b0}")));
            line("estimate", Some(format!("${cost} = {squares} squares x ${price}, asphalt shingle")));
        }
        _ => line("roof", Some("not known".into())),
    }
    for source in &place.sources {
        let as_of = source.as_of.as_deref().map(|year| format!(", as of {year}")).unwrap_or_default();
        let invented = if source.invented { ", INVENTED" } else { "" };
        lines.push(format!("  source     {}{as_of}{invented}", source.name));
    }
    lines.join("\n")
}

fn outline(building: &Building, measure: Option<RoofMeasure>) -> String {
    let corners: usize = building.outline.parts.iter().map(|part| part.exterior.len()).sum();
    let name = building.use_.as_deref().unwrap_or("building");
    let roof = measure.map(|m| format!(", roof {} sq ft", m.area_sqft)).unwrap_or_default();
    format!("{name}, {corners} corners, {} line{roof}", word(&building.outline.kind))
}

/// The word that JSON has for a value.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}
