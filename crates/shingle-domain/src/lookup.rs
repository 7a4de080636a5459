//! The query of a look-up.

use crate::address::Address;
use crate::money::Usd;
use crate::roof::RoofMaterial;

/// The products an account can be billed for, by the last part of their path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Product {
    AddressInfo,
    AddressInfoV2,
    BuyerInsights,
    RoofEstimate,
    SolarIndex,
    UtilityBill,
}

impl Product {
    pub const ALL: [Self; 6] = [
        Self::AddressInfo,
        Self::AddressInfoV2,
        Self::BuyerInsights,
        Self::RoofEstimate,
        Self::SolarIndex,
        Self::UtilityBill,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::AddressInfo => "address-info",
            Self::AddressInfoV2 => "address-info-v2",
            Self::BuyerInsights => "buyer-insights",
            Self::RoofEstimate => "roof-estimate",
            Self::SolarIndex => "solar-index",
            Self::UtilityBill => "utility-bill",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.as_str() == name)
    }

    /// Buyer scores are off by default: an operator switches them on after reading their limits.
    pub fn on_by_default(self) -> bool {
        self != Self::BuyerInsights
    }
}

/// The requested address: the five parts, or one line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AddressInput {
    Parts(Address),
    Line(String),
}

/// The parsed query of a look-up, with the parameters of all products.
#[derive(Debug, Clone, PartialEq)]
pub struct LookupQuery {
    pub address: AddressInput,
    pub last_name: Option<String>,
    pub lead_integrity_score_on: bool,
    pub sales_hacks_on: bool,
    pub roof_material: Option<RoofMaterial>,
    pub installed_price: Option<Usd>,
    pub include: Vec<Include>,
}

/// Extra details, only on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Include {
    Match,
    Provenance,
    Segments,
    Range,
    Reasons,
}

impl Include {
    pub const ALL: [Self; 5] = [Self::Match, Self::Provenance, Self::Segments, Self::Range, Self::Reasons];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Provenance => "provenance",
            Self::Segments => "segments",
            Self::Range => "range",
            Self::Reasons => "reasons",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|i| i.as_str() == name)
    }
}
