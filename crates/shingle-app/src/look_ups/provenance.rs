//! The source of each field of a record, for `include=provenance`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::Evidence;
use shingle_domain::area::Table;
use shingle_domain::evidence::{Building, Conflict, Source};
use shingle_domain::lookup::Product;
use shingle_domain::public::MeasureMethod;
use shingle_estimate::details::{self, Origin};
use shingle_estimate::roof::roof_found;

use super::record::{ExplainedRecord, Models};

/// The sources of one record, the source of each field, and the values that were not used.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// The sources. Fields name one by its place in this list, from 0.
    sources: Vec<SourceNote>,
    /// For each field of the record that has a value, where it comes from.
    fields: BTreeMap<&'static str, FieldNote>,
    /// Values of other sources that were not used.
    conflicts: Vec<ConflictNote>,
    /// The reference tables that were used.
    tables: Vec<TableNote>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SourceNote {
    /// Its name. Example: `city-of-portland`
    name: String,
    /// The licence it is published under. Null where it is not stated. Example: `CC0-1.0`
    licence: Option<String>,
    /// Its date or year. Null where it is not stated. Example: `2026`
    as_of: Option<String>,
    /// Whether it is invented: true for the sample town. Example: `true`
    invented: bool,
}

/// Another source's value where the newest was used.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ConflictNote {
    /// The field of the source. Example: `year_built`
    field: String,
    /// Its value there. Example: `1972`
    value: String,
    /// The source, by its place in `sources`. Example: `1`
    source: u8,
}

/// A source, a table or a rule; or a source and the rule that was applied to it.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FieldNote {
    /// The source, by its place in `sources`. Absent where it comes from none. Example: `0`
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<u8>,
    /// The reference table. Absent where it comes from none. Example: `roof-prices`
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'static str>,
    /// How it was calculated. Absent where it was not. Example: `the outline and a usual pitch`
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<&'static str>,
    /// Of a roof that was measured in the points of a survey: how many points it had on a square meter. Absent otherwise.
    /// Example: `8.4`
    #[serde(skip_serializing_if = "Option::is_none")]
    points_per_square_meter: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TableNote {
    /// Its name. Example: `roof-prices`
    name: &'static str,
    /// Who publishes it. Example: `Remodeling cost report`
    source: String,
    /// The latest year of its figures. Example: `2025`
    year: u16,
}

/// Names and mailing addresses of people: shown only with records that show the owner anyway.
const PERSONAL_FIELDS: [&str; 3] = ["primary_owner", "secondary_owner", "mailing_address"];

pub fn provenance(
    models: &Models<'_>,
    product: Product,
    evidence: Option<&Evidence>,
    explained: &ExplainedRecord,
) -> Provenance {
    let Some(evidence) = evidence else { return Provenance::default() };
    let shows_owner = !matches!(product, Product::RoofEstimate | Product::UtilityBill);
    // A neighbor's personal data is never shown.
    let shows_personal = shows_owner && evidence.matched.level.is_exact();
    let conflict = |c: &Conflict| ConflictNote { field: c.field.clone(), value: c.value.clone(), source: c.source };
    let shown = |c: &&Conflict| shows_personal || !PERSONAL_FIELDS.contains(&c.field.as_str());
    Provenance {
        sources: evidence.place.sources.iter().map(SourceNote::of).collect(),
        fields: fields(models, product, evidence),
        conflicts: evidence.place.conflicts.iter().filter(shown).map(conflict).collect(),
        tables: explained.tables.iter().map(|table| TableNote::of(models, *table)).collect(),
    }
}

/// The fields of the record that hold a value.
fn fields(models: &Models<'_>, product: Product, evidence: &Evidence) -> BTreeMap<&'static str, FieldNote> {
    let derived = |source, rule| FieldNote { source, derived: Some(rule), ..FieldNote::default() };
    let derived_fields =
        |names: &[&'static str], rule| names.iter().map(move |name| (*name, derived(None, rule))).collect();
    let mut fields: BTreeMap<_, _> = match product {
        Product::AddressInfo | Product::AddressInfoV2 => BTreeMap::new(),
        Product::BuyerInsights => {
            derived_fields(&["payScore", "elevateScore", "buyerInsights"], "stated priors: see reasons")
        }
        Product::SolarIndex => {
            derived_fields(&["solarIndex", "prospectFitLevel", "prospectAttitude"], "weighted parts: see reasons")
        }
        Product::UtilityBill => {
            derived_fields(&["electricity", "fossilFuel", "ratios"], "a home like this one: see reasons")
        }
        Product::RoofEstimate => return roof(evidence),
    };
    if product != Product::UtilityBill {
        let note = |origin| match origin {
            Origin::Recorded(source) => FieldNote { source: Some(source), ..FieldNote::default() },
            Origin::Table(table) => FieldNote { table: Some(table.as_str()), ..FieldNote::default() },
            Origin::Derived { source, rule } => derived(Some(source), rule),
        };
        let details = details::sources(Some(evidence), models.now);
        fields.extend(details.into_iter().map(|(name, origin)| (name, note(origin))));
    }
    fields
}

/// The roof's fields come from its outline or from the assessor's records.
fn roof(evidence: &Evidence) -> BTreeMap<&'static str, FieldNote> {
    let Some(found) = roof_found("", evidence) else { return BTreeMap::new() };
    let from = found.provenance;
    let sources = &evidence.place.sources;
    let is_it = |source: &Source| source.shown() == from.source;
    // Two sources may have one title: the one that measured or drew a building is meant.
    let surveyed = |building: &Building| building.outline.survey.map(|survey| survey.source);
    let mut drawn = evidence.place.buildings.iter().flat_map(|b| surveyed(b).into_iter().chain([b.source]));
    let drawn = drawn.find(|number| sources.get(usize::from(*number)).is_some_and(is_it));
    let source = drawn.or_else(|| sources.iter().position(is_it).and_then(|n| u8::try_from(n).ok()));
    let rule = match from.method {
        MeasureMethod::Survey => "the outline and its measured planes",
        MeasureMethod::Outline => "the outline and a usual pitch",
        MeasureMethod::Records => "the assessor's areas, storeys and garage",
    };
    let names = ["roofArea", "squaresWithPitch", "averageRoofPitch", "roofComplexityLevel", "roofCostEstimate"];
    let measured = (from.method == MeasureMethod::Survey).then_some(&evidence.place.buildings);
    let surveys = measured.into_iter().flatten().filter_map(|building| building.outline.survey);
    // A survey flies all buildings of a lot alike.
    let density = surveys.filter(|survey| Some(survey.source) == source).map(|survey| survey.points_per_sqm).next();
    let points_per_square_meter = density.map(|points| (f64::from(points) * 10.0).round() / 10.0);
    let note = || FieldNote { source, table: None, derived: Some(rule), points_per_square_meter };
    names.map(|name| (name, note())).into()
}

impl SourceNote {
    fn of(source: &Source) -> Self {
        let Source { name, licence, as_of, invented, .. } = source.clone();
        Self { name, licence, as_of, invented }
    }
}

impl TableNote {
    fn of(models: &Models<'_>, table: Table) -> Self {
        let about = models.reference.info(table).about;
        Self { name: table.as_str(), source: about.source, year: about.year }
    }
}

impl Provenance {
    /// For people: one line for each source, table and unused value.
    pub fn lines(&self) -> Vec<String> {
        let source = |s: &SourceNote| {
            let as_of = s.as_of.as_deref().map(|year| format!(", as of {year}")).unwrap_or_default();
            let invented = if s.invented { ", INVENTED" } else { "" };
            format!("  {}{as_of}{invented}", s.name)
        };
        let table = |t: &TableNote| format!("  {} {}: {}", t.name, t.year, t.source);
        let conflict = |c: &ConflictNote| {
            let source = self.sources.get(usize::from(c.source)).map(|s| s.name.as_str()).unwrap_or_default();
            format!("  not used: {} \"{}\" of {source}", c.field, c.value)
        };
        let lines = self.sources.iter().map(source).chain(self.tables.iter().map(table));
        lines.chain(self.conflicts.iter().map(conflict)).collect()
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::evidence::{AddressMatch, Assessor, MatchLevel, Place};
    use shingle_domain::lookup::{AddressInput, LookupQuery};
    use shingle_domain::{Address, State, Timestamp, Zip};
    use shingle_property::reference::Reference;

    use super::*;

    fn evidence(level: MatchLevel) -> Evidence {
        let address = Address {
            street_number: "12".into(),
            street_address: "Elm St".into(),
            city: "Harrow".into(),
            state: State::parse("OH").unwrap(),
            zip: Zip::parse("43099").unwrap(),
        };
        let conflict = |field: &str, value: &str| Conflict { field: field.into(), value: value.into(), source: 0 };
        Evidence {
            matched: AddressMatch { level },
            place: Place {
                address,
                unit: None,
                parcel: None,
                origin: None,
                buildings: Vec::new(),
                assessor: Assessor::default(),
                permits: Vec::new(),
                conflicts: vec![conflict("primary_owner", "ROE ADA"), conflict("year_built", "1950")],
                sources: Vec::new(),
            },
            area: Default::default(),
            asked_unit: None,
        }
    }

    fn conflicts(product: Product, level: MatchLevel) -> Vec<String> {
        let reference = Reference::built_in();
        let models = Models { reference: &reference, calibration: None, now: Timestamp::from_micros(0) };
        let evidence = evidence(level);
        let query = LookupQuery {
            address: AddressInput::Line(String::new()),
            last_name: None,
            lead_integrity_score_on: false,
            sales_hacks_on: false,
            roof_material: None,
            installed_price: None,
            include: Vec::new(),
        };
        let explained = models.record(product, Some(&evidence), &query);
        let shown = provenance(&models, product, Some(&evidence), &explained);
        shown.conflicts.into_iter().map(|c| c.field).collect()
    }

    #[test]
    fn unused_owner_values_are_shown_only_with_the_owner_of_an_exact_match() {
        let all = ["primary_owner", "year_built"];
        assert_eq!(conflicts(Product::AddressInfo, MatchLevel::Exact), all);
        assert_eq!(conflicts(Product::RoofEstimate, MatchLevel::Exact), all[1..]);
        for neighbour in [MatchLevel::SimilarName, MatchLevel::Interpolated] {
            assert_eq!(conflicts(Product::AddressInfo, neighbour), all[1..], "{neighbour:?}");
        }
    }
}
