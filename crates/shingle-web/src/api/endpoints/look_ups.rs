//! `GET /api/v1/{product}`: one endpoint for each product.

use schemars::JsonSchema;
use serde_json::{Value, json};
use shingle_domain::buyer::BuyerInsightsRecord;
use shingle_domain::details::AddressInfoRecord;
use shingle_domain::lookup::{Include, Product};
use shingle_domain::roof::{RoofEstimateRecord, RoofMaterial};
use shingle_domain::rules::MAX_TEXT;
use shingle_domain::solar::SolarIndexRecord;
use shingle_domain::utility::UtilityBillRecord;

use crate::api::endpoints::endpoint::{Answer, Endpoint, Group, Parameter, Route};
use crate::api::endpoints::fields::{CLEAN, line};
use crate::api::endpoints::schemas::Schemas;
use crate::api::lookup;
use crate::web::boxed_handler::{BoxedHandler, boxed};
use shingle_app::look_ups::IncludedParts;

const ANSWER: &str = "The record, with the parts that `include` names.";

pub fn endpoints() -> Vec<Endpoint> {
    Product::ALL.into_iter().map(endpoint).collect()
}

/// The path of each, and what answers it.
pub fn handlers() -> Vec<(&'static str, BoxedHandler)> {
    Product::ALL.into_iter().map(|product| (about(product).path, handler(product))).collect()
}

fn handler(product: Product) -> BoxedHandler {
    boxed(move |web, caller, query| lookup::look_up(product, web, caller, query))
}

fn endpoint(product: Product) -> Endpoint {
    let about = about(product);
    Endpoint {
        route: Route::get(about.path, handler(product)),
        id: about.id,
        group: Group::LookUps,
        summary: about.summary,
        text: about.text,
        parameters: parameters(product),
        body: None,
        answer: about.answer,
    }
}

struct About {
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    text: &'static str,
    answer: Answer,
}

fn about(product: Product) -> About {
    match product {
        Product::AddressInfo => About {
            path: "/api/v1/address-info",
            id: "getAddressInfo",
            summary: "Property details, level 1",
            text: "Owner, age, size and kind of the property at an address.",
            answer: Answer::ok(ANSWER, level_one),
        },
        Product::AddressInfoV2 => About {
            path: "/api/v1/address-info-v2",
            id: "getAddressInfoV2",
            summary: "Property details, level 2",
            text: "As level 1, and on request how far a lead from this address can be relied on.",
            answer: Answer::ok(ANSWER, with_parts::<AddressInfoRecord>),
        },
        Product::BuyerInsights => About {
            path: "/api/v1/buyer-insights",
            id: "getBuyerInsights",
            summary: "How the owner buys",
            text: "Scores of the owner and, on request, advice that goes with them. They rest on stated priors and on no \
                   consumer report. Off for production keys until the operator switches the product on.",
            answer: Answer::ok(ANSWER, with_parts::<BuyerInsightsRecord>),
        },
        Product::RoofEstimate => About {
            path: "/api/v1/roof-estimate",
            id: "getRoofEstimate",
            summary: "Size, pitch and price of the roof",
            text: "An approximation, which replaces no inspection.",
            answer: Answer::ok(ANSWER, with_parts::<RoofEstimateRecord>),
        },
        Product::SolarIndex => About {
            path: "/api/v1/solar-index",
            id: "getSolarIndex",
            summary: "How likely the household takes up solar power",
            text: "An index from 0 to 10, what to lead with, and the details of the property.",
            answer: Answer::ok(ANSWER, with_parts::<SolarIndexRecord>),
        },
        Product::UtilityBill => About {
            path: "/api/v1/utility-bill",
            id: "getUtilityBill",
            summary: "Consumption, cost and emissions of a year",
            text: "Electricity and fuel of the last twelve months, worked out from homes like this one.",
            answer: Answer::ok(ANSWER, with_parts::<UtilityBillRecord>),
        },
    }
}

fn with_parts<T: JsonSchema>(schemas: &mut Schemas) -> Value {
    json!({ "allOf": [schemas.answered::<T>(), schemas.answered::<IncludedParts>()] })
}

/// Without the two fields of lead integrity, which level 1 does not have.
fn level_one(schemas: &mut Schemas) -> Value {
    let without = json!({ "not": { "anyOf": [
        { "required": ["leadIntegrityScore"] },
        { "required": ["leadIntegrityDefects"] },
    ] } });
    json!({ "allOf": [schemas.answered::<AddressInfoRecord>(), schemas.answered::<IncludedParts>(), without] })
}

fn parameters(product: Product) -> Vec<Parameter> {
    // None is marked as required: a generated client would then refuse an address in one line.
    let part = |name, text, example: &str| Parameter::query(name, text, line(MAX_TEXT), example);
    let pattern = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    let mut all = vec![
        part("streetNumber", "The house number. This and the four below are required unless `address` is sent.", "14"),
        part("streetAddress", "The street, and a unit where there is one.", "Alder Court"),
        part("city", "The town.", "Harrow Falls"),
        Parameter::query("state", "The state, as its two letters.", pattern("^[A-Za-z]{2}$"), "ME"),
        Parameter::query("zip", "The five digits of the ZIP.", pattern("^[0-9]{5}$"), "04995"),
        Parameter::query(
            "address",
            "The whole address in one line, in place of the five parts: where it is sent and none of them is.",
            line(MAX_TEXT),
            "14 Alder Court, Harrow Falls, ME 04995",
        ),
    ];
    let flag = |name, text| Parameter::query(name, text, json!({ "type": "boolean", "default": false }), true);
    if matches!(product, Product::AddressInfoV2 | Product::BuyerInsights | Product::SolarIndex) {
        let schema = json!({ "type": "string", "maxLength": MAX_TEXT, "pattern": CLEAN });
        all.push(Parameter::query("lastName", "Last name of the lead, for its integrity score.", schema, "Sample"));
        all.push(flag("leadIntegrityScoreOn", "Whether the two fields of lead integrity are sent."));
    }
    if product == Product::BuyerInsights {
        all.push(flag("salesHacksOn", "Whether advice goes with the scores."));
    }
    if product == Product::RoofEstimate {
        let materials = json!({ "type": "string", "enum": RoofMaterial::ALL, "default": RoofMaterial::AsphaltShingle });
        all.push(Parameter::query("roofMaterial", "The covering to price.", materials, "metal"));
        all.push(Parameter::query(
            "installedPrice",
            "Your own price of one installed square of 100 square feet, in US dollars; by default that of the reference \
             table.",
            json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 999_999_999, "multipleOf": 0.01 }),
            525.5,
        ));
    }
    let words = Include::ALL.map(Include::as_str);
    all.push(Parameter::query(
        "include",
        "More about the record, in members of their own, with commas between: how the address was matched, the source of \
         each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is.",
        json!({ "type": "array", "items": { "type": "string", "enum": words } }),
        json!(["match", "range"]),
    ));
    all
}
