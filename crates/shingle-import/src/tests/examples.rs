//! The mappings in `assets/maps`, on tables of their kind.

use shingle_domain::evidence::{HeatFuel, PermitKind, PropertyClass};

use super::files::{Town, counted};
use super::towns::mapping;
use crate::{ImportJob, ImportReport, Mapping, run};

fn import(town: &Town, mapping: &Mapping, table: &str) -> ImportReport {
    let file = town.write("table.csv", table);
    run(ImportJob { files: vec![file], mapping, into: town.index() }, &mut ()).unwrap()
}

#[test]
fn a_list_of_permits_comes_to_its_addresses() {
    let town = Town::new();
    let report = import(
        &town,
        &mapping("example-permits.toml"),
        "PERMIT_NO,STATUS,ISSUE_DATE,WORK_TYPE,DESCRIPTION,LOCATION,PIN,CONTRACTOR\n\
         1,FINALED,4/12/2019,RE-ROOF,TEAR OFF AND REPLACE,14 ALDER CT,07-112,HARROW ROOFING LLC\n\
         2,ISSUED,06/01/2021 10:15 AM,ELECTRICAL,Roof mounted PV array,14 ALDER CT,07-112,HOMEOWNER\n\
         3,ISSUED,6/2/2021,ELECTRICAL,EVSE in garage,,07-112,\n\
         4,VOID,6/2/2021,RE-ROOF,,14 ALDER CT,07-112,\n\
         5,ISSUED,,RE-ROOF,,16 ALDER CT,07-113,\n\
         6,ISSUED,7/7/2020,FENCE,,16 ALDER CT,07-113,\n\
         6,ISSUED,7/7/2020,FENCE,,16 ALDER CT,07-113,\n",
    );
    assert_eq!((report.imported, report.rejected, report.duplicates, report.skipped), (4, 1, 1, 1));
    assert_eq!(counted(&report.reasons), [("the permit has no date of issue".to_owned(), 1)]);
    let place = town.find("14 Alder Ct, Harrow, OH 43099").unwrap();
    let told: Vec<_> = place.permits.iter().map(|p| (p.kind, p.issued.as_str(), p.contractor.as_deref())).collect();
    assert_eq!(
        told,
        [
            (PermitKind::VehicleCharger, "2021-06-02", None),
            (PermitKind::Solar, "2021-06-01", None),
            (PermitKind::Roof, "2019-04-12", Some("HARROW ROOFING LLC")),
        ]
    );
    assert_eq!(town.find("16 Alder Ct, Harrow, OH 43099").unwrap().permits[0].kind, PermitKind::Other);
}

#[test]
fn a_mapping_computes_what_a_table_does_not_say_outright() {
    let town = Town::new();
    let report = import(
        &town,
        &mapping("example-buildings.toml"),
        "Roll of real property 2025\n\
         PIN;CARD;SITUS;OWNERS;MAIL1;MAIL2;MAILCITY;ST;ZIP;USE;FLOOR1;FLOOR2;ATTIC_PCT;HEATED;YR;EFFYR;STY;LAND_THOUS;\
         BLDG_THOUS;SOLD;PRICE;DELINQ\n\
         1;1;14 ALDER CT, HARROW, OH 43099;ROE JAN; X;C/O ROE;14 ALDER CT;HARROW;OH;43099;R101;100;50;40;G;0;1950;1.5 STY;\
         90;$210.5;42526;$1;D\n"
            .replace("ROE JAN; X", "\"ROE JAN & MOE ANN ETAL\"")
            .as_str(),
    );
    assert_eq!((report.imported, report.rejected), (1, 0), "{report:?}");
    let a = town.find("14 Alder Ct, Harrow, OH 43099").unwrap().assessor;
    assert_eq!(a.primary_owner.unwrap().value, "ROE JAN");
    assert_eq!(a.secondary_owner.unwrap().value, "MOE ANN");
    assert_eq!(a.mailing_address.unwrap().value, "C/O ROE, 14 ALDER CT, HARROW, OH 43099");
    assert!(a.mailed_here.unwrap().value);
    let near = |a: f64, b: f64| (a - b).abs() < 0.01;
    assert!(near(a.living_area_sqft.unwrap().value, 170.0 * 10.763_910_4));
    assert!(near(a.ground_floor_sqft.unwrap().value, 1_076.391_04));
    assert_eq!(a.year_built.unwrap().value, 1950);
    assert_eq!(a.storeys.unwrap().value, 1.5);
    assert_eq!(a.property_class.unwrap().value, PropertyClass::SingleFamily);
    assert_eq!(a.property_type.unwrap().value, "One family");
    assert_eq!(a.heat_fuel.unwrap().value, HeatFuel::Gas);
    assert_eq!(a.assessed_value.unwrap().value.dollars(), 300_500.0);
    assert_eq!(a.building_value.unwrap().value.dollars(), 210_500.0);
    assert_eq!(a.sale_date.unwrap().value, "2016-06-05");
    assert_eq!(a.sale_price.unwrap().value.dollars(), 1.0);
    assert!(a.tax_delinquent.unwrap().value);
}
