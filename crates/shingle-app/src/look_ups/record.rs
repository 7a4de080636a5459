//! The contract's record of one address, and how it was calculated.

use serde::Serialize;
use shingle_domain::area::Table;
use shingle_domain::buyer::BuyerInsightsRecord;
use shingle_domain::details::{AddressInfoRecord, LeadIntegrity, PropertyDetails, Reason};
use shingle_domain::lookup::{AddressInput, Include, LookupQuery, Product};
use shingle_domain::roof::RoofEstimateRecord;
use shingle_domain::solar::SolarIndexRecord;
use shingle_domain::utility::{UtilityBillRecord, UtilityMonth, UtilityRange};
use shingle_domain::{Evidence, Timestamp};
use shingle_estimate::buyer::{buyer_scores, sales_hacks};
use shingle_estimate::calibration::Calibration;
use shingle_estimate::details::{self, property_details};
use shingle_estimate::integrity::lead_integrity;
use shingle_estimate::roof::{self, roof_estimate};
use shingle_estimate::solar::solar_index;
use shingle_estimate::utility::utility_bill;
use shingle_property::reference::Reference;

/// What the estimates need besides evidence and query.
#[derive(Clone, Copy)]
pub struct Models<'a> {
    pub reference: &'a Reference,
    /// The fit of the buyer scores to the operator's own outcomes, if there is one.
    pub calibration: Option<&'a Calibration>,
    pub now: Timestamp,
}

/// A record of the contract.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Record {
    AddressInfo(AddressInfoRecord),
    BuyerInsights(BuyerInsightsRecord),
    Roof(RoofEstimateRecord),
    Solar(SolarIndexRecord),
    Utility(UtilityBillRecord),
}

/// A record, and how it was calculated.
pub struct ExplainedRecord {
    pub record: Record,
    pub reasons: Vec<Reason>,
    pub notes: Vec<String>,
    /// Reference tables whose figures were used, each once.
    pub tables: Vec<Table>,
    /// Of the utility bill.
    pub usage: Option<Usage>,
}

/// Consumption figures beyond the record.
pub struct Usage {
    pub range: Option<UtilityRange>,
    pub months: Vec<UtilityMonth>,
}

impl ExplainedRecord {
    fn new(record: Record, reasons: Vec<Reason>) -> Self {
        Self { record, reasons, notes: Vec::new(), tables: Vec::new(), usage: None }
    }
}

impl Models<'_> {
    pub(super) fn record(&self, product: Product, evidence: Option<&Evidence>, query: &LookupQuery) -> ExplainedRecord {
        let mut explained = self.explained(product, evidence, query);
        if evidence.is_some() && !explained.record.is_determined() && explained.notes.is_empty() {
            explained.notes.extend(explained.record.why_undetermined().map(str::to_owned));
        }
        explained
    }

    fn explained(&self, product: Product, evidence: Option<&Evidence>, query: &LookupQuery) -> ExplainedRecord {
        match product {
            Product::AddressInfo => self.address_info(evidence, query, false),
            Product::AddressInfoV2 => self.address_info(evidence, query, query.lead_integrity_score_on),
            Product::BuyerInsights => self.buyer_insights(evidence, query),
            Product::RoofEstimate => self.roof(evidence, query),
            Product::SolarIndex => self.solar(evidence, query),
            Product::UtilityBill => self.utility(evidence, query),
        }
    }

    fn address_info(&self, evidence: Option<&Evidence>, query: &LookupQuery, integrity: bool) -> ExplainedRecord {
        let (details, mut reasons) = self.details(evidence, query);
        let integrity = integrity.then(|| integrity_score(evidence, query, &mut reasons));
        let record = AddressInfoRecord { timestamp: self.now, details, integrity };
        ExplainedRecord::new(Record::AddressInfo(record), reasons)
    }

    fn buyer_insights(&self, evidence: Option<&Evidence>, query: &LookupQuery) -> ExplainedRecord {
        let (details, mut reasons) = self.details(evidence, query);
        let integrity = query.lead_integrity_score_on.then(|| integrity_score(evidence, query, &mut reasons));
        let buyer = buyer_scores(evidence, self.now, self.calibration);
        reasons.extend(buyer.reasons);
        let notes = buyer.notes;
        let record = BuyerInsightsRecord {
            timestamp: self.now,
            details,
            integrity,
            sales_hacks: query.sales_hacks_on.then(|| sales_hacks(&buyer.scores)),
            scores: buyer.scores,
        };
        ExplainedRecord { notes, tables: buyer.tables, ..ExplainedRecord::new(Record::BuyerInsights(record), reasons) }
    }

    fn roof(&self, evidence: Option<&Evidence>, query: &LookupQuery) -> ExplainedRecord {
        let prices = self.reference.roof_prices();
        let (material, price) = (query.roof_material, query.installed_price);
        let estimate = roof_estimate(evidence, None, material, price, prices);
        // This measures the roof a second time.
        let reasons =
            if wants_reasons(query) { roof::reasons(evidence, None, material, price, prices) } else { Vec::new() };
        let priced = price.is_none() && estimate.roof_cost_estimate.is_some();
        let tables = if priced { vec![Table::RoofPrices] } else { Vec::new() };
        let record = RoofEstimateRecord { timestamp: self.now, estimate };
        ExplainedRecord { tables, ..ExplainedRecord::new(Record::Roof(record), reasons) }
    }

    fn solar(&self, evidence: Option<&Evidence>, query: &LookupQuery) -> ExplainedRecord {
        let (details, mut reasons) = self.details(evidence, query);
        let integrity = query.lead_integrity_score_on.then(|| integrity_score(evidence, query, &mut reasons));
        let solar = solar_index(evidence, self.now);
        reasons.extend(solar.reasons);
        let record = SolarIndexRecord { timestamp: self.now, solar: solar.index, details, integrity };
        ExplainedRecord {
            notes: solar.notes,
            tables: solar.tables,
            ..ExplainedRecord::new(Record::Solar(record), reasons)
        }
    }

    fn utility(&self, evidence: Option<&Evidence>, query: &LookupQuery) -> ExplainedRecord {
        let bill = utility_bill(evidence, self.now);
        let address = evidence.map_or_else(|| requested_address(&query.address), Evidence::matched_line);
        let record = UtilityBillRecord {
            timestamp: self.now,
            status: bill.status,
            message: bill.message,
            address,
            data: bill.data,
        };
        let usage = Some(Usage { range: bill.range, months: bill.months });
        ExplainedRecord { tables: bill.tables, usage, ..ExplainedRecord::new(Record::Utility(record), bill.reasons) }
    }

    fn details(&self, evidence: Option<&Evidence>, query: &LookupQuery) -> (PropertyDetails, Vec<Reason>) {
        let reasons = if wants_reasons(query) { details::reasons(evidence) } else { Vec::new() };
        (property_details(evidence, self.now), reasons)
    }
}

fn wants_reasons(query: &LookupQuery) -> bool {
    query.include.contains(&Include::Reasons)
}

/// Whether any field is known besides the county, which every ZIP gives.
fn has_property_facts(details: &PropertyDetails) -> bool {
    let without_county = PropertyDetails { county: None, ..details.clone() };
    without_county != PropertyDetails::default()
}

/// The address as the caller wrote it.
fn requested_address(address: &AddressInput) -> String {
    match address {
        AddressInput::Parts(parts) => parts.to_string(),
        AddressInput::Line(line) => line.clone(),
    }
}

fn integrity_score(evidence: Option<&Evidence>, query: &LookupQuery, reasons: &mut Vec<Reason>) -> LeadIntegrity {
    let result = lead_integrity(evidence, query.last_name.as_deref());
    reasons.extend(result.reasons);
    result.integrity
}

impl Record {
    /// What a reader is told about a known home with an empty record; `None` where the record says it itself.
    fn why_undetermined(&self) -> Option<&'static str> {
        match self {
            Self::AddressInfo(_) => Some("Nothing is on record of this home but its address."),
            Self::Roof(_) => {
                Some("The home has no roof of its own on record, or neither an outline nor an area: no estimate.")
            }
            Self::BuyerInsights(_) | Self::Solar(_) | Self::Utility(_) => None,
        }
    }

    /// Whether it holds a result. A record without one is not billed.
    pub fn is_determined(&self) -> bool {
        match self {
            Self::AddressInfo(r) => has_property_facts(&r.details),
            Self::BuyerInsights(r) => r.scores.pay_score.is_some() || has_property_facts(&r.details),
            Self::Roof(r) => r.estimate.roof_area.is_some(),
            Self::Solar(r) => r.solar.solar_index.is_some(),
            Self::Utility(r) => r.data.electricity.is_some(),
        }
    }
}
