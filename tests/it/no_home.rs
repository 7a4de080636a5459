//! A building that is not a home gets no figures of a home: each kind of building, by use code and by outline, over all
//! look-ups and the flow.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::lookup::Product;
use shingle_store_fixture::on_both_engines;

use crate::support::town::{self, Row};
use crate::support::{TestApp, form, send};

fn called(kind: &str) -> Row<'_> {
    Row { zip: "43099", kind, ..Row::default() }
}

fn typed(property_type: &str) -> Row<'_> {
    Row { zip: "43099", kind: "yes", property_type, ..Row::default() }
}

fn coded(code: &str) -> Row<'_> {
    Row { zip: "43099", kind: "yes", code, ..Row::default() }
}

/// Each with whether it is a home.
fn buildings() -> Vec<(Row<'static>, bool)> {
    let homes = [called("house"), called("yes"), typed("Single Family"), typed("Store with dwelling"), coded("R")];
    let no_homes = [
        called("commercial"),
        called("industrial"),
        called("retail"),
        called("school"),
        called("church"),
        called("warehouse"),
        typed("Commercial"),
        typed("IND - LIGHT INDUSTRIAL"),
        typed("Retail Store"),
        typed("PUBLIC SCHOOL"),
        typed("Church"),
        coded("C"),
        Row { property_type: "Church", ..called("house") },
    ];
    homes.map(|row| (row, true)).into_iter().chain(no_homes.map(|row| (row, false))).collect()
}

on_both_engines! {
    async fn no_home_gets_a_homes_figures_in_no_look_up_and_no_price_in_the_flow(f: Fixture) {
        let buildings = buildings();
        let rows: Vec<Row<'_>> = buildings.iter().map(|(row, _)| *row).collect();
        let app = TestApp::start_with(f, |settings| town::import(&rows, &settings.property())).await;
        app.store.accounts().set_product(app.account, Product::BuyerInsights, true).await.unwrap();
        let key = |request: reqwest::RequestBuilder| request.header("token", app.production.token.clone());
        let create = key(app.request(Method::POST, "/api/v1/roof-estimate-widget"));
        assert_eq!(send(create.multipart(form::widget().build())).await.0, 201);
        let session = app.session().await;
        for (n, (row, is_home)) in buildings.iter().enumerate() {
            let address = format!("{} Tanner Street, Harrow, OH 43099", 2 * n + 2);
            let said = format!("{address}: {} {} {}", row.kind, row.property_type, row.code);
            let ask = async |product: Product| -> Value {
                let query = [("address", address.as_str()), ("include", "reasons")];
                let (status, body) = send(key(app.get(&format!("/api/v1/{}", product.as_str()))).query(&query)).await;
                assert_eq!(status, 200, "{said}: {body}");
                body
            };
            for details in [Product::AddressInfo, Product::AddressInfoV2] {
                assert_eq!(ask(details).await["homeBuiltYear"], "1987", "{said}");
            }
            let bill = ask(Product::UtilityBill).await;
            assert_eq!(bill["data"]["electricity"].is_object(), *is_home, "{said}: {bill}");
            let solar = ask(Product::SolarIndex).await;
            for field in ["solarIndex", "prospectFitLevel", "prospectAttitude"] {
                assert!(solar[field].is_null() != *is_home, "{said}: {field} of {solar}");
            }
            let buyer = ask(Product::BuyerInsights).await;
            for field in ["payScore", "elevateScore"] {
                assert!(*is_home || buyer[field].is_null(), "{said}: {field} of {buyer}");
            }
            let scores = buyer["buyerInsights"].as_object().unwrap();
            assert_eq!(scores.values().any(Value::is_number), *is_home, "{said}: {buyer}");
            let roof = ask(Product::RoofEstimate).await;
            assert!(roof["roofArea"].as_f64().is_some_and(|area| area > 1_500.0), "{said}: {roof}");
            assert_eq!(roof.to_string().contains("The roof of no home"), !is_home, "{said}: {roof}");
            let body = json!({ "token": session, "address": { "line": address } }).to_string();
            let (status, shown) = send(app.page(Method::POST, "/roof").body(body)).await;
            assert_eq!(status, 200, "{said}: {shown}");
            let kind = if *is_home { "roof" } else { "noRoof" };
            assert_eq!(shown["kind"], kind, "{said}: {shown}");
            assert_eq!(shown.to_string().contains("not listed as a home"), !is_home, "{said}: {shown}");
        }
    }
}
