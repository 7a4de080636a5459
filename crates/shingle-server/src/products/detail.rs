//! What is told beyond the contract's record, each part only when `include` names it.

use serde::Serialize;
use shingle_address::MailOnly;
use shingle_domain::Evidence;
use shingle_domain::details::Reason;
use shingle_domain::evidence::MatchLevel;
use shingle_domain::lookup::{Include, LookupQuery, Product};
use shingle_domain::public::{BuildingChoice, Suggestion};
use shingle_domain::roof::{RoofDrawing, RoofEstimateRecord};
use shingle_domain::utility::{UtilityMonth, UtilityRange};
use shingle_estimate::roof::{RoofRange, measure, range, roof_found};

use super::provenance::{Provenance, provenance};
use super::{Answered, Models, Record};

/// A part that was asked for and that the product does not have is `null`.
#[derive(Debug, Default, Serialize)]
pub struct Detail {
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    matched: Option<Match>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<Provenance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<Segments>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<Reason>>,
    /// Said along with the reasons: what a reader of the numbers must know.
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<Vec<String>>,
}

/// How the address was tied to a place.
#[derive(Debug, Serialize)]
pub struct Match {
    level: Option<MatchLevel>,
    address: Option<String>,
    /// Places that come close, when none was matched; best first.
    close: Vec<Suggestion>,
    /// Why no place can be: a post box, say.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Eight in ten homes like this one lie within.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Range {
    Roof(RoofRange),
    Utility(UtilityRange),
    Unknown(()),
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Segments {
    Roof {
        buildings: Vec<Segment>,
    },
    Utility {
        /// The last twelve whole months, oldest first.
        months: Vec<UtilityMonth>,
    },
    Unknown(()),
}

#[derive(Debug, Serialize)]
pub struct Segment {
    label: String,
    /// Square feet along the slope.
    area: u32,
    drawing: Option<RoofDrawing>,
}

/// The contract's record, and what was asked for beyond it.
#[derive(Debug, Serialize)]
pub struct Complete {
    #[serde(flatten)]
    record: Record,
    #[serde(flatten)]
    detail: Detail,
}

impl Complete {
    /// Whether it says anything: what says nothing is not billed.
    pub fn is_determined(&self) -> bool {
        self.record.is_determined()
    }

    pub fn reasons(&self) -> &[Reason] {
        self.detail.reasons.as_deref().unwrap_or_default()
    }

    pub fn provenance(&self) -> Option<&Provenance> {
        self.detail.provenance.as_ref()
    }
}

impl Models<'_> {
    /// Everything that is answered; `close` are the suggestions for an address that was not matched.
    pub fn complete(
        &self,
        product: Product,
        evidence: Option<&Evidence>,
        query: &LookupQuery,
        close: Vec<Suggestion>,
    ) -> Complete {
        let answered = self.answer(product, evidence, query);
        let detail = self.detail(product, evidence, query, &answered, close);
        Complete { record: answered.record, detail }
    }

    /// What `query` includes.
    fn detail(
        &self,
        product: Product,
        evidence: Option<&Evidence>,
        query: &LookupQuery,
        answered: &Answered,
        close: Vec<Suggestion>,
    ) -> Detail {
        let asked = |what| query.include.contains(&what);
        Detail {
            matched: asked(Include::Match).then(|| Match {
                level: evidence.map(|e| e.matched.level),
                address: evidence.map(|e| e.place.address.to_string()),
                close,
                why: MailOnly::of(&query.address).filter(|_| evidence.is_none()).map(|why| why.to_string()),
            }),
            provenance: asked(Include::Provenance).then(|| provenance(self, product, evidence, answered)),
            range: asked(Include::Range).then(|| match (product, &answered.usage) {
                (Product::RoofEstimate, _) => roof_range(evidence, &answered.record),
                (_, Some(usage)) => usage.range.map_or(Range::Unknown(()), Range::Utility),
                _ => Range::Unknown(()),
            }),
            segments: asked(Include::Segments).then(|| match (product, &answered.usage) {
                (Product::RoofEstimate, _) => segments(evidence),
                (_, Some(usage)) => Segments::Utility { months: usage.months.clone() },
                _ => Segments::Unknown(()),
            }),
            reasons: asked(Include::Reasons).then(|| answered.reasons.clone()),
            notes: asked(Include::Reasons).then(|| answered.notes.clone()),
        }
    }
}

/// Around the size and the cost of the record, and what to order for it.
fn roof_range(evidence: Option<&Evidence>, record: &Record) -> Range {
    let Record::Roof(RoofEstimateRecord { estimate, .. }) = record else { return Range::Unknown(()) };
    let measure = evidence.and_then(|e| measure(e, None));
    measure.zip(estimate.installed_price).map_or(Range::Unknown(()), |(m, price)| Range::Roof(range(&m, price)))
}

fn segments(evidence: Option<&Evidence>) -> Segments {
    let buildings = evidence.and_then(|e| roof_found("", e)).map(|found| found.buildings).unwrap_or_default();
    let segment = |b: BuildingChoice| Segment { label: b.label, area: b.area, drawing: b.drawing };
    Segments::Roof { buildings: buildings.into_iter().map(segment).collect() }
}
