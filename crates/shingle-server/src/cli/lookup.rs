//! `shingle lookup "ADDRESS"`: what is known of it, from where, and every estimate.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use shingle_address::MailOnly;
use shingle_domain::Evidence;
use shingle_domain::details::Reason;
use shingle_domain::evidence::Building;
use shingle_domain::lookup::{AddressInput, Include, LookupQuery, Product};
use shingle_domain::public::Suggestion;
use shingle_estimate::roof::{RoofMeasure, measure};
use shingle_property::{Lookup as Found, PropertyIndex};

use super::place::{Flags, Place};
use super::{Everywhere, Problem, Report};
use crate::products::{Models, Provenance};

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
    /// Surname of the lead, to compare with the deed
    #[arg(long, value_name = "NAME")]
    last_name: Option<String>,
    /// Show the addends of every number
    #[arg(long)]
    reasons: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    key: String,
    evidence: Evidence,
    #[serde(flatten)]
    /// As the API answers them, with all that can be included.
    records: Map<String, Value>,
    #[serde(skip)]
    reasons: Vec<Reason>,
    #[serde(skip)]
    sources: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Unknown<'a> {
    close: &'a [Suggestion],
}

impl Lookup {
    pub fn run(self, everywhere: &Everywhere, report: Report) -> Result<(), Problem> {
        let place = Place::of(everywhere, Flags { property: self.property.clone(), ..Flags::default() })?;
        let folder = if self.sample_town {
            shingle_property::sample_town::ensure(&place.sample_town())?;
            place.sample_town()
        } else {
            place.settings.property()
        };
        let reference = place.reference()?;
        let calibration = place.calibration()?;
        let index = PropertyIndex::open(&folder, reference.clone())?;
        match index.lookup(&AddressInput::Line(self.address.clone()))? {
            Found::Found { key, evidence } => {
                let models =
                    Models { reference: &reference, calibration: calibration.as_ref(), now: place.clock.now() };
                report.done(&self.known(key.to_string(), evidence, models)?, words)
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

    /// Every record, under the name of its path.
    fn known(&self, key: String, evidence: Evidence, models: Models<'_>) -> Result<Known, Problem> {
        let query = LookupQuery {
            address: AddressInput::Line(self.address.clone()),
            last_name: self.last_name.clone(),
            lead_integrity_score_on: true,
            sales_hacks_on: true,
            roof_material: None,
            installed_price: None,
            include: vec![Include::Match, Include::Provenance, Include::Range, Include::Reasons],
        };
        let mut records = Map::new();
        let (mut reasons, mut sources) = (Vec::new(), Vec::new());
        for product in Product::ALL {
            let answer = models.complete(product, Some(&evidence), &query, Vec::new());
            let value = serde_json::to_value(&answer)
                .map_err(|e| Problem::new(format!("The record cannot be written as JSON: {e}")))?;
            records.insert(camel(product.as_str()), value);
            add_new(&mut reasons, answer.reasons().iter().filter(|_| self.reasons).cloned());
            add_new(&mut sources, answer.provenance().into_iter().flat_map(Provenance::lines));
        }
        Ok(Known { key, evidence, records, reasons, sources })
    }
}

fn add_new<T: PartialEq>(all: &mut Vec<T>, more: impl Iterator<Item = T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}

/// `address-info-v2` becomes `addressInfoV2`.
fn camel(path: &str) -> String {
    let mut name = String::with_capacity(path.len());
    for word in path.split('-') {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if !name.is_empty() => name.extend(first.to_uppercase()),
            first => name.extend(first),
        }
        name.push_str(letters.as_str());
    }
    name
}

fn fail(what: &str, address: &str, close: &[Suggestion], report: Report) -> Result<(), Problem> {
    let problem = Problem::new(what).at(address);
    if let Some(why) = MailOnly::of(&AddressInput::Line(address.to_owned())) {
        return Err(problem.mend(format!("{why}.")));
    }
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
    let mut lines = ground(known);
    for (product, title) in [
        (Product::AddressInfoV2, "Property details and lead integrity"),
        (Product::RoofEstimate, "Roof estimate"),
        (Product::UtilityBill, "Utility bill, the last 12 months"),
        (Product::SolarIndex, "Solar index"),
        (Product::BuyerInsights, "Buyer insights: stated priors, no consumer report"),
    ] {
        lines.push(format!("\n{title}"));
        let record = known.records.get(&camel(product.as_str()));
        for (name, value) in record.and_then(Value::as_object).into_iter().flatten() {
            let beside = DETAIL.contains(&name.as_str()) || (name == "range" && value.is_null());
            if !beside && (product == Product::AddressInfoV2 || !repeated(known, name)) {
                field(name, value, &mut lines);
            }
        }
    }
    if !known.reasons.is_empty() {
        lines.push("\nReasons".into());
        let reason = |r: &Reason| {
            let weight = r.weight.map(|w| format!(", weight {w}")).unwrap_or_default();
            format!("  {}, {}: {:.3}{weight}\n    {}", r.field, r.part, r.points, r.because)
        };
        lines.extend(known.reasons.iter().map(reason));
    }
    lines.push("\nSources".into());
    lines.extend(known.sources.iter().cloned());
    lines.join("\n")
}

/// Whether level 2 has said it already.
fn repeated(known: &Known, name: &str) -> bool {
    let details = known.records.get(&camel(Product::AddressInfoV2.as_str()));
    name != "range" && details.and_then(Value::as_object).is_some_and(|details| details.contains_key(name))
}

fn field(name: &str, value: &Value, lines: &mut Vec<String>) {
    let shown = match value {
        Value::Null => "not known".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        Value::Object(inner) => {
            for (part, value) in inner {
                field(&format!("{name}.{part}"), value, lines);
            }
            return;
        }
        other => other.to_string(),
    };
    lines.push(format!("  {:<44} {shown}", name.trim_start_matches("data.")));
}

/// Parts of an answer that are shown once for all records, or only as JSON.
const DETAIL: [&str; 5] = ["match", "provenance", "reasons", "notes", "timestamp"];

/// How the address was tied to a place, and what stands on it.
fn ground(known: &Known) -> Vec<String> {
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
    line("storeys", facts.storeys.as_ref().map(|f| f.value.to_string()));
    line("living", facts.living_area_sqft.as_ref().map(|f| format!("{:.0} sq ft", f.value)));
    line("heating", facts.heat_fuel.as_ref().map(|f| word(&f.value)));
    for (number, building) in place.buildings.iter().enumerate() {
        line(&format!("building {}", number + 1), Some(outline(building, measure(&known.evidence, Some(number)))));
    }
    for permit in &place.permits {
        line("permit", Some(format!("{}, {}", word(&permit.kind), permit.issued)));
    }
    lines
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_named_like_its_path() {
        let names = Product::ALL.map(|p| camel(p.as_str()));
        assert_eq!(
            names,
            ["addressInfo", "addressInfoV2", "buyerInsights", "roofEstimate", "solarIndex", "utilityBill"]
        );
    }
}
