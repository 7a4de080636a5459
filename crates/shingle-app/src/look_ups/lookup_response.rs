//! The response to a look-up: the contract's record, and the parts `include` names.

use schemars::JsonSchema;
use serde::Serialize;
use shingle_address::MailOnly;
use shingle_domain::Evidence;
use shingle_domain::details::Reason;
use shingle_domain::evidence::MatchLevel;
use shingle_domain::lookup::{Include, LookupQuery, Product};
use shingle_domain::public::{BuildingChoice, Suggestion};
use shingle_domain::roof::{PriceTable, RoofDrawing, RoofEstimateRecord};
use shingle_domain::utility::{UtilityMonth, UtilityRange};
use shingle_estimate::roof::{RoofRange, measure, range, roof_found};

use super::provenance::{Provenance, provenance};
use super::record::{ExplainedRecord, Models, Record};

/// A requested part that the product does not have is `null`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct IncludedParts {
    /// How the address was matched to a place. Absent unless `include` names `match`.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    matched: Option<Match>,
    /// The source of each field. Absent unless `include` names `provenance`.
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<Provenance>,
    /// How far the figures may lie from the estimate. Absent unless `include` names `range`; null without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    /// The buildings of a roof with their drawings, or the months of a bill. Absent unless `include` names `segments`;
    /// null where the product has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<Segments>,
    /// Every addend of every score. Absent unless `include` names `reasons`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<Reason>>,
    /// What a reader of the figures must know. Absent unless `include` names `reasons`. Example: `["The year it was
    /// built is not known: a mean of all ages is used."]`
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<Vec<String>>,
}

/// How the address was matched to a place.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Match {
    /// How well it was matched. Null where it was not. Example: `exact`
    level: Option<MatchLevel>,
    /// The address that was found, in one line. Null where none was. Example: `14 Alder Court, Harrow Falls, ME 04995`
    address: Option<String>,
    /// Similar places if none was matched, best first.
    close: Vec<Suggestion>,
    /// Why there can be no place: the address is a post office box, for example. Absent otherwise. Example: `A post
    /// office box stands on no lot.`
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Low and high ends. What they are made of, and where that was fitted or only judged, is said with each.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged)]
pub enum Range {
    Roof(RoofRange),
    Utility(UtilityRange),
    Unknown(()),
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged)]
pub enum Segments {
    Roof {
        /// The house first. Empty where no outline is known.
        buildings: Vec<Segment>,
    },
    Utility {
        /// The last twelve whole months, oldest first.
        months: Vec<UtilityMonth>,
    },
    Unknown(()),
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Segment {
    /// The building, as the source calls it. Example: `House`
    label: String,
    /// Its area along the slope, in square feet. Example: `2480`
    area: u32,
    /// Its roof in plan. Null where no outline is known.
    drawing: Option<RoofDrawing>,
}

/// The contract's record and the included parts.
#[derive(Debug, Serialize)]
pub struct LookupResponse {
    #[serde(flatten)]
    record: Record,
    #[serde(flatten)]
    included: IncludedParts,
}

impl LookupResponse {
    /// Whether it holds a result. A response without one is not billed.
    pub fn is_determined(&self) -> bool {
        self.record.is_determined()
    }

    pub fn reasons(&self) -> &[Reason] {
        self.included.reasons.as_deref().unwrap_or_default()
    }

    pub fn notes(&self) -> &[String] {
        self.included.notes.as_deref().unwrap_or_default()
    }

    pub fn provenance(&self) -> Option<&Provenance> {
        self.included.provenance.as_ref()
    }
}

impl Models<'_> {
    /// The whole response. `close` holds the suggestions for an address that was not matched.
    pub fn respond(
        &self,
        product: Product,
        evidence: Option<&Evidence>,
        query: &LookupQuery,
        close: Vec<Suggestion>,
    ) -> LookupResponse {
        let explained = self.record(product, evidence, query);
        let included = self.included_parts(product, evidence, query, &explained, close);
        LookupResponse { record: explained.record, included }
    }

    /// The parts that `query` includes.
    fn included_parts(
        &self,
        product: Product,
        evidence: Option<&Evidence>,
        query: &LookupQuery,
        explained: &ExplainedRecord,
        close: Vec<Suggestion>,
    ) -> IncludedParts {
        let includes = |part| query.include.contains(&part);
        IncludedParts {
            matched: includes(Include::Match).then(|| Match {
                level: evidence.map(|e| e.matched.level),
                address: evidence.map(Evidence::matched_line),
                close,
                why: MailOnly::of(&query.address).filter(|_| evidence.is_none()).map(|why| why.to_string()),
            }),
            provenance: includes(Include::Provenance).then(|| provenance(self, product, evidence, explained)),
            range: includes(Include::Range).then(|| match (product, &explained.usage) {
                (Product::RoofEstimate, _) => roof_range(evidence, &explained.record, self.reference.roof_prices()),
                (_, Some(usage)) => usage.range.map_or(Range::Unknown(()), Range::Utility),
                _ => Range::Unknown(()),
            }),
            segments: includes(Include::Segments).then(|| match (product, &explained.usage) {
                (Product::RoofEstimate, _) => segments(evidence),
                (_, Some(usage)) => Segments::Utility { months: usage.months.clone() },
                _ => Segments::Unknown(()),
            }),
            reasons: includes(Include::Reasons).then(|| explained.reasons.clone()),
            notes: includes(Include::Reasons).then(|| explained.notes.clone()),
        }
    }
}

/// Ranges of the record's size and cost, and the material to order.
fn roof_range(evidence: Option<&Evidence>, record: &Record, prices: &PriceTable) -> Range {
    let Record::Roof(RoofEstimateRecord { estimate, .. }) = record else { return Range::Unknown(()) };
    let known = || {
        let measure = evidence.and_then(|e| measure(e, None))?;
        Some(range(&measure, estimate.roof_material?, estimate.installed_price?, prices))
    };
    known().map_or(Range::Unknown(()), Range::Roof)
}

fn segments(evidence: Option<&Evidence>) -> Segments {
    let buildings = evidence.and_then(|e| roof_found("", e)).map(|found| found.buildings).unwrap_or_default();
    let segment = |b: BuildingChoice| Segment { label: b.label, area: b.area, drawing: b.drawing };
    Segments::Roof { buildings: buildings.into_iter().map(segment).collect() }
}
