//! The six look-ups of the API: their exact records, their nulls, and the parts that are sent on request.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::lookup::Product;
use shingle_store_fixture::on_both_engines;

use crate::support::{HOME, TestApp, bad_request, send};

const DETAILS: [&str; 11] = [
    "primaryOwner",
    "secondaryOwner",
    "ownerOccupied",
    "homeBuiltYear",
    "yearsInHome",
    "county",
    "subdivision",
    "school",
    "propertyType",
    "areaBuildingSize",
    "scructurePresent",
];
const INTEGRITY: [&str; 2] = ["leadIntegrityScore", "leadIntegrityDefects"];
const NOWHERE: &str = "1 Nowhere Lane, Harrow Falls, ME 04995";

/// The record's own fields, after `timestamp` and besides the property details.
fn own(product: Product) -> &'static [&'static str] {
    match product {
        Product::AddressInfo | Product::AddressInfoV2 => &[],
        Product::BuyerInsights => &["payScore", "elevateScore", "buyerInsights", "accuracyCode"],
        Product::RoofEstimate => &[
            "roofArea",
            "squaresWithPitch",
            "averageRoofPitch",
            "roofComplexityLevel",
            "roofMaterial",
            "installedPrice",
            "roofCostEstimate",
            "structurePresentConfidenceScore",
            "dataAccurcyAlerts",
        ],
        Product::SolarIndex => &["solarIndex", "prospectFitLevel", "prospectAttitude", "accuracyCode"],
        Product::UtilityBill => &["status", "message", "address", "data"],
    }
}

fn has_details(product: Product) -> bool {
    !matches!(product, Product::RoofEstimate | Product::UtilityBill)
}

fn names(body: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

fn record(product: Product, integrity: bool) -> Vec<&'static str> {
    let mut all = vec!["timestamp"];
    all.extend(own(product));
    if has_details(product) {
        all.extend(DETAILS);
    }
    if integrity {
        all.extend(INTEGRITY);
    }
    all.sort_unstable();
    all
}

fn path(product: Product) -> String {
    format!("/api/v1/{}", product.as_str())
}

/// Every product is switched on: buyer insights are off until an operator wants them.
async fn started(fixture: shingle_store_fixture::Fixture) -> TestApp {
    let app = TestApp::start(fixture).await;
    app.store.accounts().set_product(app.account, Product::BuyerInsights, true).await.unwrap();
    app
}

async fn ask(app: &TestApp, product: Product, query: &[(&str, &str)]) -> Value {
    let (status, body) = send(app.api(Method::GET, &path(product)).query(query)).await;
    assert_eq!(status, 200, "{}: {body}", product.as_str());
    body
}

on_both_engines! {
    async fn each_record_has_exactly_the_contracts_fields(f: Fixture) {
        let app = started(f).await;
        for product in Product::ALL {
            let body = ask(&app, product, &[("address", HOME)]).await;
            assert_eq!(names(&body), record(product, false), "{}", product.as_str());
            let scored = ask(&app, product, &[("address", HOME), ("leadIntegrityScoreOn", "true"), ("lastName", "Rafterman")]).await;
            let integrity = has_details(product) && product != Product::AddressInfo;
            assert_eq!(names(&scored), record(product, integrity), "{}", product.as_str());
        }
    }

    async fn an_unknown_address_is_all_null_with_code_n(f: Fixture) {
        let app = started(f).await;
        for product in Product::ALL {
            let body = ask(&app, product, &[("address", NOWHERE), ("leadIntegrityScoreOn", "true"), ("salesHacksOn", "true")]).await;
            for (name, value) in body.as_object().unwrap() {
                match name.as_str() {
                    "timestamp" | "status" | "message" | "address" => assert!(value.is_string(), "{name}"),
                    "accuracyCode" => assert_eq!(value, "N"),
                    "data" => assert_eq!((&value["electricity"], &value["fossilFuel"], &value["ratios"]), (&Value::Null, &Value::Null, &Value::Null)),
                    "dataAccurcyAlerts" | "buyerInsights" => {
                        assert!(value.as_object().unwrap().values().all(Value::is_null), "{name}: {value}");
                    }
                    _ => assert_eq!(value, &Value::Null, "{}: {name}", product.as_str()),
                }
            }
        }
    }

    async fn the_demo_home_is_known_in_every_product(f: Fixture) {
        let app = started(f).await;
        let info = ask(&app, Product::AddressInfoV2, &[("address", HOME), ("lastName", "Rafterman"), ("leadIntegrityScoreOn", "true")]).await;
        assert_eq!((&info["leadIntegrityScore"], &info["leadIntegrityDefects"]), (&json!(10), &json!([])));
        assert_eq!((&info["ownerOccupied"], &info["scructurePresent"], &info["homeBuiltYear"]), (&json!(true), &json!(true), &json!("1987")));
        let stranger = ask(&app, Product::AddressInfoV2, &[("address", HOME), ("lastName", "Quillfeather"), ("leadIntegrityScoreOn", "true")]).await;
        assert_eq!((&stranger["leadIntegrityScore"], &stranger["leadIntegrityDefects"]), (&json!(7), &json!(["surname"])));

        let solar = ask(&app, Product::SolarIndex, &[("address", HOME)]).await;
        assert!((0.0..=10.0).contains(&solar["solarIndex"].as_f64().unwrap()), "{solar}");
        assert_eq!(solar["accuracyCode"], "P");

        let bill = ask(&app, Product::UtilityBill, &[("address", HOME)]).await;
        assert_eq!((&bill["status"], &bill["data"]["units"]["consumption"].is_string()), (&json!("success"), &true));
        let electricity = &bill["data"]["electricity"];
        let number = |name: &str| electricity[name].as_f64().unwrap();
        assert!((number("annualCost") - 12.0 * number("monthlyAverageCost")).abs() <= 0.12, "{electricity}");
        assert!((number("annualConsumption") - 12.0 * number("monthlyAverageConsumption")).abs() <= 0.12, "{electricity}");
        assert!(bill["data"]["fossilFuel"]["type"].is_string(), "the demo home is heated with oil: {bill}");

        let buyer = ask(&app, Product::BuyerInsights, &[("address", HOME), ("salesHacksOn", "true")]).await;
        assert!((1..=5).contains(&buyer["payScore"].as_i64().unwrap()));
        for (style, score) in buyer["buyerInsights"].as_object().unwrap() {
            let hack = &buyer["salesHacks"]["buyerInsightHacks"][style.replace("Score", "Hack")];
            assert_eq!(hack.is_string(), score.as_i64().is_some_and(|s| s >= 8), "{style}");
        }
    }

    async fn the_same_query_has_the_same_response(f: Fixture) {
        let app = started(f).await;
        for product in Product::ALL {
            let query = [("address", HOME), ("include", "match,provenance,reasons,range,segments")];
            assert_eq!(ask(&app, product, &query).await, ask(&app, product, &query).await);
        }
    }

    async fn buyer_insights_are_off_by_default_and_sandbox_keys_have_every_product(f: Fixture) {
        let app = TestApp::start(f).await;
        for product in Product::ALL {
            let tried = app.api(Method::GET, &path(product)).query(&[("address", HOME)]);
            assert_eq!(send(tried).await.0, 200, "{product:?}");
        }
        let asked = app.get(&path(Product::BuyerInsights)).header("token", &app.production.token);
        let asked = asked.query(&[("address", HOME)]);
        assert_eq!(send(asked).await, bad_request("Product is not activated. Please contact your administrator."));
    }

    async fn every_number_is_explained_on_request(f: Fixture) {
        let app = started(f).await;
        for product in Product::ALL {
            let query = [("address", HOME), ("leadIntegrityScoreOn", "true"), ("include", "match,provenance,reasons,range")];
            let body = ask(&app, product, &query).await;
            let name = product.as_str();
            assert_eq!(body["match"]["level"], "exact", "{name}");
            let traced = &body["provenance"];
            assert_eq!(traced["sources"][0]["invented"], true, "{name}: the sample town is shown as invented");
            for field in traced["fields"].as_object().unwrap().values() {
                let known = field["source"].is_u64() || field["table"].is_string() || field["derived"].is_string();
                assert!(known, "{name}: {field}");
            }
            assert!(!body["reasons"].as_array().unwrap().is_empty(), "{name}");
            for reason in body["reasons"].as_array().unwrap() {
                assert!(reason["because"].as_str().is_some_and(|b| !b.is_empty()), "{name}: {reason}");
            }
        }
    }
}
