//! A draft finds columns by their words and by their cells, names those it leaves out, and costs about as much as a check.

use super::files::*;
use crate::{ImportJob, Mapping, check, draft};

const STREETS: [&str; 8] = ["ALDER", "BIRCH", "CEDAR", "DOGWOOD", "ELM", "FIR", "GROVE", "HAZEL"];

/// Rows made of cells by their number.
fn table(heading: &str, count: usize, row: impl Fn(usize) -> String) -> String {
    let rows: String = (0..count).map(|n| row(n) + "\n").collect();
    format!("{heading}\n{rows}")
}

#[test]
fn plain_headings_are_understood() {
    let town = Town::new();
    for (heading, cell, key) in [
        ("Construction Year", "1978", "year_built"),
        ("Year Of Construction", "1978", "year_built"),
        ("Build Year", "1978", "year_built"),
        ("Year Constructed", "1978", "year_built"),
        ("Living Space Size", "\"1,400\"", "living_area_sqft"),
        ("Finished Area", "1400", "living_area_sqft"),
        ("Heated Floor Area", "1400", "living_area_sqft"),
        ("Habitable Space", "1400", "living_area_sqft"),
        ("Current Full Cash Value", "\"150,000\"", "assessed_value"),
        ("Just Value", "150000", "assessed_value"),
        ("Fair Market Value", "150000", "assessed_value"),
        ("Total Taxable Value", "150000", "assessed_value"),
        ("UNIT_COUNT", "1", "units"),
        ("Dwelling Count", "2", "units"),
        ("DOR_DESC", "RESIDENTIAL - SINGLE FAMILY", "property_type"),
        ("Land Use Description", "Single Family", "property_type"),
        ("Number of Dwellings", "2", "units"),
        ("NO_RES_UNT", "1", "units"),
        ("Stories Count", "2", "storeys"),
        ("JV", "150000", "assessed_value"),
        ("Appraised Total Value", "150000", "assessed_value"),
        ("TOT_LVG_AR", "1400", "living_area_sqft"),
        ("ACT_YR_BLT", "1978", "year_built"),
        ("PRIMARY_ZONE", "2000", "zoning"),
        ("Zoning Class", "R-1", "zoning"),
    ] {
        let rows = table(&format!("PIN,SITE_ADDR,SITE_CITY,SITE_ZIP,{heading}"), 30, |n| {
            let cell = if key == "year_built" { (1950 + n).to_string() } else { cell.to_owned() };
            format!("R-{n:05},{} {} ST,HARROW,43099,{cell}", 10 + n, STREETS[n % 8])
        });
        let file = town.write("t.csv", rows);
        let drafted = draft(&[file]).unwrap().mapping;
        let line = drafted.lines().find(|line| line.starts_with(&format!("{key} = ")));
        assert!(line.is_some_and(|line| line.contains(heading)), "{heading}: {drafted}");
    }
}

#[test]
fn the_homes_town_and_zip_are_found_behind_any_qualifier() {
    let town = Town::new();
    for [address, city, zip] in [
        ["TRUE_SITE_ADDR", "TRUE_SITE_CITY", "TRUE_SITE_ZIP_CODE"],
        ["Property Address", "Property City", "Property Zip Code"],
        ["Current Situs Address", "Current Situs City", "Current Situs Zip"],
        ["PHYSICAL_ADDRESS", "PHYSICAL_CITY", "PHYSICAL_ZIP"],
        ["Location Address", "Location City", "Location Postal Code"],
        ["PARCEL_ADDR", "PARCEL_CITY", "PARCEL_ZIP"],
        ["HOUSE_ADDRESS", "HOUSE_CITY", "HOUSE_ZIP"],
        ["SITUS_ADDR_CUR", "SITUS_CITY_CUR", "SITUS_ZIP_CUR"],
        ["Actual Site Address", "Actual Site City", "Actual Site Zip"],
        ["prop_loc_addr", "prop_loc_city", "prop_loc_zip"],
        ["PHY_ADDR1", "PHY_CITY", "PHY_ZIPCD"],
    ] {
        let rows = table(&format!("PIN,OWNER,MAIL_CITY,MAIL_ZIP,{address},{city},{zip}"), 30, |n| {
            format!("R-{n:05},ROE,MIAMI,33101,{} {} ST,Harrow Bay,43099-0000", 10 + n, STREETS[n % 8])
        });
        let file = town.write("t.csv", rows);
        let drafted = draft(std::slice::from_ref(&file)).unwrap().mapping;
        assert!(!drafted.contains("DOUBTFUL: the file"), "{drafted}");
        assert_eq!(town.import(&drafted, &[&file]).unwrap().imported, 30);
        assert!(town.find("10 Alder St, Harrow Bay, OH 43099").is_some(), "{drafted}");
    }
}

#[test]
fn the_kind_of_street_is_no_part_of_the_number() {
    let town = Town::new();
    for [number, direction, street, suffix] in [
        ["SITUS_STREET_NUM", "SITUS_STREET_PREFX", "SITUS_STREET", "SITUS_STREET_SUFFIX"],
        ["Property Street Number", "Property Street Direction", "Property Street Name", "Property Street Type"],
        ["ST_NUM", "ST_DIR", "ST_NAME", "ST_SUFFIX"],
        ["STREET_NO", "STREET_DIR", "STREET_NAME", "STREET_SUFFIX"],
        ["Street No", "Street Direction", "Street", "Suffix"],
        ["HOUSE_NO", "PREDIR", "STREET", "STTYPE"],
        ["addr_num", "addr_dir", "street_nm", "street_suf"],
        ["LOC_NUM", "LOC_DIR", "LOC_STREET", "LOC_STREET_SUFFIX"],
        ["SITE_NUMBER", "SITE_DIR", "SITE_STREET", "SITE_SUFFIX"],
        ["PROP_ST_NO", "PROP_ST_DIR", "PROP_ST_NAME", "PROP_ST_TYPE"],
    ] {
        let rows = table(&format!("APN,{number},{direction},{street},{suffix},CITY,ZIP"), 30, |n| {
            format!("R-{n:05},{},W,{},AVE,HARROW,43099", 10 + n, STREETS[n % 8])
        });
        let file = town.write("t.csv", rows);
        let drafted = draft(std::slice::from_ref(&file)).unwrap().mapping;
        town.import(&drafted, &[&file]).unwrap();
        assert!(town.find("10 W Alder Ave, Harrow, OH 43099").is_some(), "{drafted}");
        assert!(town.find("10 W Alder St, Harrow, OH 43099").is_none(), "{drafted}");
    }
}

#[test]
fn a_town_and_a_zip_without_a_heading_that_says_so_are_found_by_their_cells() {
    let town = Town::new();
    let rows =
        table("PIN,ADDR,WHERE,CODE5", 40, |n| format!("R-{n:05},{} {} ST,COLUMBUS,43215", 10 + n, STREETS[n % 8]));
    let file = town.write("t.csv", rows);
    let drafted = draft(&[file]).unwrap().mapping;
    for line in ["city = \"WHERE\"  # DOUBTFUL", "zip = \"CODE5\"  # DOUBTFUL"] {
        assert!(drafted.contains(line), "{drafted}");
    }
}

#[test]
fn columns_are_preferred_to_a_line_that_ends_in_its_town() {
    let town = Town::new();
    for end in [" HARROW 43099", " HARROW OH 43099", ", HARROW", ", HARROW, OH 43099-1234", " 43099"] {
        let rows = table("APN,NUMBER,DIR,STREET NAME,TYPE,CITY,ZIP,FULL ADDRESS", 40, |n| {
            let (number, street) = (10 + n, STREETS[n % 8]);
            format!("R-{n:05},{number},W,{street},AVE,HARROW,43099,\"{number} W {street} AVE{end}\"")
        });
        let file = town.write("t.csv", &rows);
        let drafted = draft(std::slice::from_ref(&file)).unwrap().mapping;
        assert!(drafted.contains("number = \"NUMBER\"") && !drafted.contains("\nline = "), "{end}: {drafted}");
        town.import(&drafted, &[&file]).unwrap();
        assert!(town.find("10 W Alder Ave, Harrow, OH 43099").is_some(), "{drafted}");
        // A mapping by hand that reads the line finds them too.
        let by_hand = "dataset = \"t\"\n[address]\nline = \"FULL ADDRESS\"\ncity = \"CITY\"\nstate = { constant = \"OH\" }\nzip = \"ZIP\"\n";
        town.import(by_hand, &[&file]).unwrap();
        assert!(town.find("10 W Alder Ave, Harrow, OH 43099").is_some(), "{end}");
    }
}

#[test]
fn the_date_of_a_sale_is_the_one_beside_its_price() {
    let town = Town::new();
    for heading in
        ["Sale Date,Sale Price,Deed Date", "Deed Date,Sale Date,Sale Price", "Transfer Date,Sale Price,Sale Date"]
    {
        let sold = heading.split(',').position(|h| h == "Sale Date").unwrap();
        let price = heading.split(',').position(|h| h == "Sale Price").unwrap();
        let rows = table(&format!("PIN,ADDR,CITY,ZIP,{heading}"), 30, |n| {
            let mut cells = vec!["2020-01-15".to_owned(); 3];
            cells[sold] = format!("2019-02-{:02}", n % 28 + 1);
            cells[price] = "200000".to_owned();
            format!("R-{n:05},{} ELM ST,HARROW,43099,{}", 10 + n, cells.join(","))
        });
        let file = town.write("t.csv", rows);
        let drafted = draft(&[file]).unwrap().mapping;
        assert!(drafted.contains("sale_date = \"Sale Date\""), "{heading}: {drafted}");
    }
}

#[test]
fn of_two_towns_the_home_is_in_the_one_that_its_rows_share() {
    let town = Town::new();
    let owners = ["MIAMI,FL,33101", "HARROW,OH,43099", "AUSTIN,TX,78701", "BOISE,ID,83702"];
    for count in [1, 40] {
        for home_first in [false, true] {
            let (before, behind) = ("OWNER,ADDR,CITY,ST,ZIP", "NUM,STREET,CITY,ST,ZIP");
            let heading = if home_first { format!("PIN,{behind},{before}") } else { format!("PIN,{before},{behind}") };
            let rows = table(&heading, count, |n| {
                let owner = format!("ROE JAN,PO BOX {n},{}", owners[n % 4]);
                let home = format!("{},{} CT,HARROW,OH,43099", 12 + 2 * n, STREETS[n % 8]);
                if home_first { format!("P{n},{home},{owner}") } else { format!("P{n},{owner},{home}") }
            });
            let file = town.write("t.csv", rows);
            let drafted = draft(std::slice::from_ref(&file)).unwrap().mapping;
            town.import(&drafted, &[&file]).unwrap();
            assert!(town.find("12 Alder Ct, Harrow, OH 43099").is_some(), "{count} {home_first}: {drafted}");
        }
    }
}

#[test]
fn columns_that_are_left_over_are_named_by_the_draft_and_by_the_check() {
    let town = Town::new();
    let file = town.write(
        "t.csv",
        table("PIN,ADDR,CITY,ZIP,Soil Group,Flood Zone Map", 20, |n| {
            format!("R-{n:05},{} ELM ST,HARROW,43099,C,390{n:03}", 10 + n)
        }),
    );
    let drafted = draft(std::slice::from_ref(&file)).unwrap().mapping;
    assert!(drafted.contains("# Columns that are not used: Soil Group, Flood Zone Map"), "{drafted}");
    let mapping = Mapping::from_toml(&drafted, "m.toml").unwrap();
    let found = check(&ImportJob { files: vec![file], mapping: &mapping, into: town.index() }, &mut ()).unwrap();
    let told = "columns that the mapping does not use: `Soil Group`, `Flood Zone Map`";
    assert!(said(&found.suggestions).iter().any(|s| s == told), "{:?}", found.suggestions);
}

/// Processor time of this thread.
fn cpu(work: impl FnOnce()) -> f64 {
    let now = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let from = now();
    work();
    now() - from
}

#[test]
fn a_draft_costs_about_as_much_as_a_check() {
    let town = Town::new();
    for place in ["HARROW", "NOWHERE AT ALL", "COLUMBUS"] {
        let rows = table("PIN,ADDR,TOWN,STATE,YEAR BUILT", 4_000, |n| {
            format!("R-{n:05},{} {} ST,{place},OH,{}", 10 + n, STREETS[n % 8], 1900 + n % 100)
        });
        let file = town.write("t.csv", rows);
        let files = [file];
        // What a process does once.
        let mapping = Mapping::from_toml(&draft(&files).unwrap().mapping, "m.toml").unwrap();
        let drafted = cpu(|| drop(draft(&files).unwrap()));
        let job = ImportJob { files: files.to_vec(), mapping: &mapping, into: town.index() };
        let checked = cpu(|| drop(check(&job, &mut ()).unwrap()));
        assert!(drafted < 4.0 * checked, "{place}: {drafted} against {checked}");
    }
}
