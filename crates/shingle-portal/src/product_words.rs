//! The names of look-ups for people. Programs and files use the API's names.

use shingle_domain::Language;
use shingle_domain::lookup::Product;

use crate::phrase::translated;

pub(crate) fn product_in_words(product: Product) -> &'static str {
    match product {
        Product::AddressInfo => "Address",
        Product::AddressInfoV2 => "Address, version 2",
        Product::BuyerInsights => "Buyer insights",
        Product::RoofEstimate => "Roof estimate",
        Product::SolarIndex => "Solar index",
        Product::UtilityBill => "Utility bill",
    }
}

/// An unknown one stays as it is.
pub(crate) fn named(name: &'static str) -> &'static str {
    Product::parse(name).map_or(name, product_in_words)
}

pub(crate) fn listed(language: Language, products: &[Product]) -> String {
    products.iter().map(|product| translated(language, product_in_words(*product))).collect::<Vec<_>>().join("; ")
}
