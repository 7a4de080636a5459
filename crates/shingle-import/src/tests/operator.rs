//! The operator's try: tables in the style of counties that the lists of headings were not written for, drafted and imported
//! as the drafts stand.

use std::path::Path;

use super::files::Town;
use crate::draft;

fn drafted(files: &[&Path]) -> String {
    draft(&files.iter().map(|f| f.to_path_buf()).collect::<Vec<_>>()).unwrap_or_else(|e| panic!("{e}")).mapping
}

#[test]
fn one_address_column_with_units_and_states_in_full() {
    let town = Town::new();
    let roll = town.write(
        "a_roll.csv",
        "Map Par Id,Site Address,Owner Name 1,Mail Addr,Mail City,Mail State,Mail Zip,Bldg Yr Built,Fin Area Sqft,No Stories,\
         Roof Cover Desc,Land Use Desc,Last Sale Dt,Last Sale Amt,Tot Appr Val\n\
         093-01,\"101 MAPLE HOLLOW RD, HARROW, Tennessee 37091\",DOE AMOS,101 MAPLE HOLLOW RD,HARROW,TN,37091,1974,1520,1,\
         COMP SHINGLE,SINGLE FAMILY,03/14/2011,98000,154300\n\
         093-03,\"105 MAPLE HOLLOW RD APT 2, HARROW, Tennessee 37091\",POE DINA,PO BOX 88,DOVER,TN,38401,1985,940,2,\
         COMP SHINGLE,DUPLEX,11/20/2019,132000,120100\n\
         093-04,\"105 MAPLE HOLLOW RD APT 3, HARROW, Tennessee 37091\",COE IDA,PO BOX 89,DOVER,TN,38401,1985,955,2,\
         COMP SHINGLE,DUPLEX,11/21/2019,133000,121900\n\
         093-05,\"2210 STATE HWY 50 E, HARROW, Tennessee 37091\",LOWE ED,2210 STATE HWY 50 E,HARROW,TN,37091,1962,1288,1.5,\
         METAL,SINGLE FAMILY,,0,99000\n",
    );
    let text = drafted(&[&roll]);
    town.import(&text, &[&roll]).unwrap();
    let home = town.find("101 Maple Hollow Rd, Harrow, TN 37091").unwrap().assessor;
    assert_eq!((home.year_built.unwrap().value, home.storeys.unwrap().value), (1974, 1.0), "{text}");
    assert_eq!(home.roof_material.unwrap().value, "asphalt shingle", "{text}");
    let unit = town.find("105 Maple Hollow Rd Unit 3, Harrow, TN 37091").unwrap();
    assert_eq!(unit.assessor.primary_owner.unwrap().value, "COE IDA", "{text}");
    assert!(town.find("2210 Tn-50 E, Harrow, TN 37091").is_some(), "{text}");
}

#[test]
fn parts_with_directions_before_and_behind_and_halves_of_numbers() {
    let town = Town::new();
    let points = town.write(
        "b_points.txt",
        "OBJECTID|PIN_NUM|HOUSE_NO|HALF_ADD|PREFIX_DIR|ST_NAME|ST_TYPE|SUFFIX_DIR|UNIT_NUM|POSTAL_COMMUNITY|ST_ABBR|ZIP5|\
         HEATED_SQFT|ACT_YEAR_BUILT\n\
         1|R100|410|||ALDER|ST|NW||CANBY|OREGON|97013|1830|1994\n\
         2|R101|412||N|ALDER|ST|||CANBY|OREGON|97013|1600|1989\n\
         3|R102|500|1/2||TENTH|AVE|SE||CANBY|OREGON|97013|1210|1961\n\
         4|R103|502|||TENTH|AVE|SE|A|CANBY|OREGON|97013|880|1961\n\
         5|R104|18|||HIGHWAY 99||E||CANBY|OREGON|97013|1400|1977\n",
    );
    let text = drafted(&[&points]);
    town.import(&text, &[&points]).unwrap();
    let year = |line: &str| {
        let home = town.find(&format!("{line}, Canby, OR 97013"));
        home.unwrap_or_else(|| panic!("{line}: {text}")).assessor.year_built.unwrap().value
    };
    assert_eq!(year("410 Alder St NW"), 1994);
    assert_eq!(year("412 N Alder St"), 1989);
    assert_eq!(year("500 1/2 10th Ave SE"), 1961);
    assert_eq!(year("502 10th Ave SE Unit A"), 1961);
    assert_eq!(year("18 Hwy 99 E"), 1977);
    assert!(text.contains("parcel = \"PIN_NUM\""), "{text}");
    // A column of directions is never left out, whatever its name.
    let odd = town.write(
        "odd.csv",
        "HOUSE_NO,QUAD,ST_NAME,ST_TYPE,CITY,STATE,ZIP\n14,N,ALDER,CT,HARROW,OH,43099\n16,S,ALDER,CT,HARROW,OH,43099\n",
    );
    let text = drafted(&[&odd]);
    town.import(&text, &[&odd]).unwrap();
    assert!(town.find("14 N Alder Ct, Harrow, OH 43099").is_some(), "{text}");
}

#[test]
fn lots_roofs_and_a_table_without_a_state_joined_by_their_id() {
    let town = Town::new();
    let square = |x: f64, y: f64, d: f64| {
        format!("[[[{x},{y}],[{},{y}],[{},{}],[{x},{}],[{x},{y}]]]", x + d, x + d, y + d, y + d)
    };
    let feature = |properties: String, ring: String| {
        format!(
            r#"{{"type":"Feature","properties":{properties},"geometry":{{"type":"Polygon","coordinates":{ring}}}}}"#
        )
    };
    let uses = ["210", "220", "210", "311", "411", "210"];
    let mut rolls =
        "SWIS,SBL_KEY,LOC_ST_NBR,LOC_ST_NAME,LOC_MUNI_NAME,LOC_ZIP,OWNER,PROP_CLASS,YR_BLT,SFLA,FUEL_TYPE,SALE_DATE,\
                     SALE_PRICE,TOTAL_AV\n"
            .to_owned();
    let (mut lots, mut roofs) = (Vec::new(), Vec::new());
    for (i, class) in uses.iter().enumerate() {
        let (x, id) = (-77.6 + 1e-3 * i as f64, format!("061.{i:02}-1-{}", i + 1));
        rolls += &format!(
            "2614,{id},{},Birch Hill Rd,Rochester,14620,DOE {i},{class},{},{},Natural gas,2019-0{}-05,{},{}\n",
            20 + 2 * i,
            1950 + i,
            1400 + 20 * i,
            i + 1,
            120_000 + i,
            150_000 + i
        );
        lots.push(feature(format!("{{\"PRINT_KEY\":\"{id}\",\"ACRES\":0.4}}"), square(x, 43.15, 6e-4)));
        roofs.push(feature(format!("{{\"OBJ\":{i}}}"), square(x + 1e-4, 43.1501, 1.5e-4)));
    }
    let rolls = town.write("c_rolls.csv", rolls);
    let lots = town.write("c_parcels.geojsonl", lots.join("\n"));
    let roofs = town.write("c_roofprints.geojsonl", roofs.join("\n"));
    let files = [&*rolls, &*lots, &*roofs];
    let text = drafted(&files);
    let report = town.import(&text, &files).unwrap();
    assert_eq!(report.rejected, 0, "{:?} {text}", report.reasons);
    let home = town.find("22 Birch Hill Rd, Rochester, NY 14620").unwrap();
    assert_eq!(home.buildings.len(), 1, "{text}");
    let class = home.assessor.property_class.unwrap().value;
    assert_eq!(class, shingle_domain::evidence::PropertyClass::TwoToFourUnits, "{text}");
}

#[test]
fn lines_before_the_headings_a_locality_and_square_metres() {
    let town = Town::new();
    let roll = town.write(
        "d_roll.csv",
        "County of Harrow, Property Records\nPrinted 2025-01-01\n\nParcel Id;Situs Address;Locality;Zip;Living Area m2;Year Built\n\
         R-1001;14 ALDER CT;HARROW;43215;171.9;1987\nR-1002;16 ALDER CT;HARROW;43215;140.0;1962\n\
         R-1003;18 ALDER CT;HARROW;43215;95.5;1990\n",
    );
    let text = drafted(&[&roll]);
    for part in ["skip_lines = 2", "city = \"Locality\"", "unit = \"m2\""] {
        assert!(text.contains(part), "{part}: {text}");
    }
    town.import(&text, &[&roll]).unwrap();
    let area = town.find("14 Alder Ct, Harrow, OH 43215").unwrap().assessor.living_area_sqft.unwrap().value;
    assert!((area - 1_850.3).abs() < 0.1, "{area}");
    // No heading says that these are square meters: their size does.
    let roll = town.write(
        "e_roll.csv",
        "SITUS,MUNICIPALITY,ZIP,LIVING_AREA\n14 ALDER CT,HARROW,43215,171\n16 ALDER CT,HARROW,43215,140\n",
    );
    let text = drafted(&[&roll]);
    assert!(text.contains("living_area_sqft = \"LIVING_AREA\"  # DOUBTFUL: small for square feet"), "{text}");
    assert!(text.contains("city = \"MUNICIPALITY\""), "{text}");
}

#[test]
fn codes_that_only_the_county_knows_are_asked_about() {
    let town = Town::new();
    let mut roll = "SITUS,CITY,ZIP,LAND_USE,ROOF_TYPE,FUEL\n".to_owned();
    for (n, (class, roof, fuel)) in [("R1", "03", "Gas"), ("R1", "03", "Oil"), ("C4", "11", "Gas")].iter().enumerate() {
        roll += &format!("{} ALDER CT,HARROW,43215,{class},{roof},{fuel}\n", 14 + 2 * n);
    }
    let roll = town.write("f_roll.csv", roll);
    let text = drafted(&[&roll]);
    for part in [
        "# property_class = { column = \"LAND_USE\", codes = { \"R1\" = \"…\", \"C4\" = \"…\" }, otherwise = \"other\" }  # DOUBTFUL",
        "# roof_type = { column = \"ROOF_TYPE\", codes = { \"03\" = \"…\", \"11\" = \"…\" } }  # DOUBTFUL",
        "write for each one of: flat, shed, gable, hip, gambrel, mansard",
        "\nheat_fuel = { column = \"FUEL\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The rest is imported as it stands, and the line works once its codes are filled in.
    town.import(&text, &[&roll]).unwrap();
    let line =
        text.lines().find_map(|line| line.strip_prefix("# ").filter(|line| line.starts_with("roof_type"))).unwrap();
    let filled = line.replacen("\"…\"", "\"gable\"", 1).replacen("\"…\"", "\"flat\"", 1);
    town.import(&text.replace(&format!("# {line}"), &filled), &[&roll]).unwrap();
    let roof = town.find("18 Alder Ct, Harrow, OH 43215").unwrap().assessor.roof_type.unwrap().value;
    assert_eq!(roof, shingle_domain::evidence::RoofType::Flat);
}
