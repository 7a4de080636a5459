//! The roof estimate of the API.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_store_fixture::on_both_engines;

use crate::support::{HOME, TestApp, sample_town, send};

const PATH: &str = "/api/v1/roof-estimate";
const RECORD: [&str; 10] = [
    "averageRoofPitch",
    "dataAccurcyAlerts",
    "installedPrice",
    "roofArea",
    "roofComplexityLevel",
    "roofCostEstimate",
    "roofMaterial",
    "squaresWithPitch",
    "structurePresentConfidenceScore",
    "timestamp",
];

fn names(body: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

async fn ask(app: &TestApp, query: &[(&str, &str)]) -> Value {
    let (status, body) = send(app.api(Method::GET, PATH).query(query)).await;
    assert_eq!(status, 200, "{body}");
    body
}

on_both_engines! {
    async fn a_parameter_in_brackets_is_a_list_which_none_may_be(f: Fixture) {
        let app = TestApp::start(f).await;
        let list = async |product: &str, more: &str| {
            let (status, body) = send(app.api(Method::GET, &format!("/api/v1/{product}?{more}"))).await;
            (status, body["message"].clone())
        };
        let rest = "streetNumber=14&streetAddress=Alder+Court&state=ME&zip=04999";
        assert_eq!(list("roof-estimate", &format!("{rest}&city[]=x")).await, (400, json!(["city must be a string"])));
        assert_eq!(list("roof-estimate", &format!("{rest}&city%5Ba%5D=x")).await, (400, json!(["city must be a string"])));
        let rest = format!("{rest}&city=Bath");
        assert_eq!(list("buyer-insights", &format!("{rest}&lastName[]=x")).await, (400, json!(["lastName must be a string"])));
        let price = "installedPrice value must be a decimal greater than 0 with at most 2 decimal places";
        assert_eq!(list("roof-estimate", &format!("{rest}&installedPrice[]=6")).await, (400, json!([price])));
    }

    async fn a_known_home_gets_a_price_that_can_be_recalculated(f: Fixture) {
        let app = TestApp::start(f).await;
        let parts = [
            ("streetNumber", "14"),
            ("streetAddress", "alder ct"),
            ("city", "Harrow Falls"),
            ("state", "me"),
            ("zip", "04995"),
        ];
        let body = ask(&app, &parts).await;
        assert_eq!(names(&body), RECORD, "the plain record, and nothing else");
        let number = |name: &str| body[name].as_f64().unwrap();
        assert!((number("squaresWithPitch") * number("installedPrice") - number("roofCostEstimate")).abs() < 0.01);
        assert!((number("roofArea") / 100.0 - number("squaresWithPitch")).abs() < 0.01);
        assert_eq!(body["structurePresentConfidenceScore"], 100);
        assert_eq!(body["timestamp"], "2026-03-10T12:00:00.000Z");
        assert_eq!(ask(&app, &[("address", HOME)]).await, body, "one line finds the same");
    }

    async fn callers_choose_the_material_and_the_price(f: Fixture) {
        let app = TestApp::start(f).await;
        let body = ask(&app, &[("address", HOME), ("roofMaterial", "metal"), ("installedPrice", "700.5")]).await;
        assert_eq!((&body["roofMaterial"], &body["installedPrice"]), (&"metal".into(), &json!(700.5)));
        let plain = ask(&app, &[("address", HOME)]).await;
        assert!(body["roofCostEstimate"].as_f64() > plain["roofCostEstimate"].as_f64());
    }

    async fn an_unknown_address_gets_a_record_of_nulls(f: Fixture) {
        let app = TestApp::start(f).await;
        for address in ["1 Nowhere Lane, Harrow Falls, ME 04995", "", "🏠", "'; DROP TABLE lead; --", &"x ".repeat(200)] {
            let (status, body) = send(app.api(Method::GET, PATH).query(&[("address", address)])).await;
            if address.is_empty() {
                assert_eq!(body["message"], json!(["address should not be empty"]));
                continue;
            }
            assert_eq!((status, names(&body)), (200, RECORD.to_vec()), "{address}");
            for name in RECORD.iter().filter(|n| !["timestamp", "dataAccurcyAlerts"].contains(n)) {
                assert_eq!(body[*name], Value::Null, "{address}: {name}");
            }
            assert_eq!(body["dataAccurcyAlerts"], json!({ "roofPitchAlert": null, "roofAreaAlert": null }));
        }
    }

    async fn extra_parts_are_sent_only_on_request(f: Fixture) {
        let app = TestApp::start(f).await;
        let body = ask(&app, &[("address", HOME), ("include", "match,provenance,range,segments")]).await;
        assert_eq!(body["match"]["level"], "exact");
        assert_eq!(body["provenance"]["sources"][0]["invented"], true);
        let cost = body["roofCostEstimate"].as_f64().unwrap();
        let ends = &body["range"]["cost"];
        assert!(ends["low"].as_f64().unwrap() < cost && cost < ends["high"].as_f64().unwrap(), "{ends}");
        let ordered = body["range"]["order"]["squares"].as_f64().unwrap();
        assert!(ordered > body["squaresWithPitch"].as_f64().unwrap(), "waste is shown beside the estimate");
        assert!(!body["segments"]["buildings"][0]["drawing"]["rings"][0].as_array().unwrap().is_empty());
        let body = ask(&app, &[("address", "14 Aldre Courtt, Harrow Falls ME"), ("include", "match")]).await;
        let found = body["match"]["level"].is_string() || !body["match"]["close"].as_array().unwrap().is_empty();
        assert!(found, "a misspelled street is found or suggested: {body}");
    }

    async fn a_query_in_another_encoding_is_refused_and_not_half_read(f: Fixture) {
        let app = TestApp::start(f).await;
        for query in ["address=14+Pe%F1a+St", "address=14+Pe%C3a+St", "streetNumber=14&city=%B1", "unknown=%ED%A0%80", "%FF=1"] {
            let (status, body) = send(app.api(Method::GET, &format!("{PATH}?{query}"))).await;
            assert_eq!(status, 400, "{query}");
            assert!(body["message"].as_str().is_some_and(|message| message.contains("UTF-8")), "{query}: {body}");
        }
        for query in ["address=14+Pe%C3%B1a+St", "address=14+Pe%EF%BF%BDa+St", "address=100%25", "address=100%"] {
            assert_eq!(send(app.api(Method::GET, &format!("{PATH}?{query}"))).await.0, 200, "{query}");
        }
    }

    async fn each_environment_has_its_own_property_index(f: Fixture) {
        let app = TestApp::start(f).await;
        let production = app.get(PATH).header("token", &app.production.token).query(&[("address", HOME)]);
        assert_eq!(send(production).await.1["roofArea"], Value::Null, "nothing is imported");
    }

    async fn no_response_holds_the_owner(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.property = Some(sample_town().to_owned())).await;
        let query = [("address", HOME), ("include", "match,provenance,range,segments,reasons")];
        let body = ask(&app, &query).await.to_string();
        assert!(!body.contains("wner"), "{body}");
    }
}
