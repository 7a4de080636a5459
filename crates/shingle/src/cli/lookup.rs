//! `shingle lookup "ADDRESS"`: the known facts of an address, their sources, and every estimate.

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
use shingle_property::{Lookup as IndexLookup, PropertyIndex};

use super::args::GlobalArgs;
use super::output::Output;
use shingle_app::installation::SettingFlags;
use shingle_app::look_ups::{Models, Provenance};
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Args)]
pub struct Lookup {
    /// On one line: "14 Alder Court, Harrow Falls, ME 04995" is in the --sample-town
    address: String,
    /// Folder of the property index [default: in the data folder]
    #[arg(long, value_name = "DIR")]
    property: Option<PathBuf>,
    /// Search the invented sample town instead of the imported data
    #[arg(long)]
    sample_town: bool,
    /// Surname of the lead, to compare with the owner's name
    #[arg(long, value_name = "NAME")]
    last_name: Option<String>,
    /// Show how every number was calculated
    #[arg(long)]
    reasons: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LookupView {
    key: String,
    evidence: Evidence,
    #[serde(flatten)]
    /// As the API sends them, with every part that can be included.
    records: Map<String, Value>,
    #[serde(skip)]
    reasons: Vec<Reason>,
    #[serde(skip)]
    notes: Vec<String>,
    #[serde(skip)]
    sources: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CloseMatches<'a> {
    close: &'a [Suggestion],
}

impl Lookup {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context =
            global.installation(SettingFlags { property: self.property.clone(), ..SettingFlags::default() })?;
        let folder = if self.sample_town {
            shingle_property::sample_town::ensure(&context.sample_town())?;
            context.sample_town()
        } else {
            context.settings.property()
        };
        let reference = context.reference()?;
        let calibration = context.calibration()?;
        let index = PropertyIndex::open(&folder, reference.clone())?;
        match index.lookup(&AddressInput::Line(self.address.clone()))? {
            IndexLookup::Found { key, evidence } => {
                let models =
                    Models { reference: &reference, calibration: calibration.as_ref(), now: context.clock.now() };
                output.print(&self.view(key.to_string(), evidence, models)?, to_text)
            }
            IndexLookup::Ambiguous(close) => {
                let what = match close.as_slice() {
                    [_] => "A place is recorded almost like that address",
                    _ => "Several places match that address",
                };
                not_found(what, &self.address, &close, output)
            }
            IndexLookup::NotFound { close } => {
                if index.status().datasets.is_empty() {
                    return Err(OperatorError::new("Nothing is imported yet")
                        .at(folder.display())
                        .fix("Run `shingle import FILE --map MAP.toml`, or search the --sample-town."));
                }
                not_found("That address is unknown", &self.address, &close, output)
            }
        }
    }

    /// Every record, under the name of its path.
    fn view(&self, key: String, evidence: Evidence, models: Models<'_>) -> Result<LookupView, OperatorError> {
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
        let (mut reasons, mut notes, mut sources) = (Vec::new(), Vec::new(), Vec::new());
        for product in Product::ALL {
            let response = models.respond(product, Some(&evidence), &query, Vec::new());
            let value = serde_json::to_value(&response)
                .map_err(|e| OperatorError::new(format!("The record cannot be written as JSON: {e}")))?;
            records.insert(camel(product.as_str()), value);
            add_missing(&mut reasons, response.reasons().iter().filter(|_| self.reasons).cloned());
            add_missing(&mut notes, response.notes().iter().filter(|_| self.reasons).cloned());
            add_missing(&mut sources, response.provenance().into_iter().flat_map(Provenance::lines));
        }
        Ok(LookupView { key, evidence, records, reasons, notes, sources })
    }
}

fn add_missing<T: PartialEq>(all: &mut Vec<T>, more: impl Iterator<Item = T>) {
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

fn not_found(what: &str, address: &str, close: &[Suggestion], output: Output) -> Result<(), OperatorError> {
    let error = OperatorError::new(what).at(address);
    if let Some(why) = MailOnly::of(&AddressInput::Line(address.to_owned())) {
        return Err(error.fix(format!("{why}.")));
    }
    if close.is_empty() {
        return Err(error.fix("Check the spelling, and add the city or ZIP."));
    }
    if output.is_json() {
        output.print(&CloseMatches { close }, |_| String::new())?;
    }
    let list: Vec<String> = close.iter().map(|s| format!("{}, {}", s.street, s.city)).collect();
    Err(error.fix(format!("one of these: {}", list.join("; "))))
}

fn to_text(view: &LookupView) -> String {
    let mut lines = place_lines(view);
    for (product, title) in [
        (Product::AddressInfoV2, "Property details and lead integrity"),
        (Product::RoofEstimate, "Roof estimate"),
        (Product::UtilityBill, "Utility bill, the last 12 months"),
        (Product::SolarIndex, "Solar index"),
        (Product::BuyerInsights, "Buyer insights: stated priors, no consumer report"),
    ] {
        lines.push(format!("\n{title}"));
        let record = view.records.get(&camel(product.as_str()));
        for (name, value) in record.and_then(Value::as_object).into_iter().flatten() {
            let is_extra = EXTRA_PARTS.contains(&name.as_str()) || (name == "range" && value.is_null());
            if !is_extra && (product == Product::AddressInfoV2 || !is_repeated(view, name)) {
                add_field(name, value, &mut lines);
            }
        }
    }
    if !view.reasons.is_empty() || !view.notes.is_empty() {
        lines.push("\nReasons".into());
        let reason = |r: &Reason| {
            let weight = r.weight.map(|w| format!(", weight {w}")).unwrap_or_default();
            format!("  {}, {}: {:.3}{weight}\n    {}", r.field, r.part, r.points, r.because)
        };
        lines.extend(view.reasons.iter().map(reason));
        lines.extend(view.notes.iter().map(|note| format!("  {note}")));
    }
    lines.push("\nSources".into());
    lines.extend(view.sources.iter().cloned());
    lines.join("\n")
}

/// Whether the property details show it already.
fn is_repeated(view: &LookupView, name: &str) -> bool {
    let details = view.records.get(&camel(Product::AddressInfoV2.as_str()));
    name != "range" && details.and_then(Value::as_object).is_some_and(|details| details.contains_key(name))
}

fn add_field(name: &str, value: &Value, lines: &mut Vec<String>) {
    let shown = match value {
        Value::Null => "unknown".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        Value::Object(inner) => {
            for (part, value) in inner {
                add_field(&format!("{name}.{part}"), value, lines);
            }
            return;
        }
        other => other.to_string(),
    };
    lines.push(format!("  {:<44} {shown}", name.trim_start_matches("data.")));
}

/// Parts of a response that are shown once for all records, or only as JSON.
const EXTRA_PARTS: [&str; 5] = ["match", "provenance", "reasons", "notes", "timestamp"];

/// How the address was matched, and the facts of its place.
fn place_lines(view: &LookupView) -> Vec<String> {
    let place = &view.evidence.place;
    let mut lines = vec![
        view.evidence.address_line(),
        format!("  match      {}", json_name(&view.evidence.matched.level)),
        format!("  key        {}", view.key),
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
    line("heating", facts.heat_fuel.as_ref().map(|f| json_name(&f.value)));
    for (number, building) in place.buildings.iter().enumerate() {
        line(&format!("building {}", number + 1), Some(building_text(building, measure(&view.evidence, Some(number)))));
    }
    for permit in &place.permits {
        line("permit", Some(format!("{}, {}", json_name(&permit.kind), permit.issued)));
    }
    lines
}

fn building_text(building: &Building, measure: Option<RoofMeasure>) -> String {
    let corners: usize = building.outline.parts.iter().map(|part| part.exterior.len()).sum();
    let name = building.use_.as_deref().unwrap_or("building");
    let roof = measure.map(|m| format!(", roof {} sq ft", m.area_sqft)).unwrap_or_default();
    format!("{name}, {corners} corners, {} line{roof}", json_name(&building.outline.kind))
}

/// The name of a value in JSON.
fn json_name(value: &impl Serialize) -> String {
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
