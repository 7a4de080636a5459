//! Where the owner's mail goes, against the property.

use shingle_domain::evidence::{Fact, OutlineKind, Place};
use shingle_domain::{Address, State, Zip};

use super::towns::{mapping, shared};
use crate::format::open::open_rows;
use crate::format::source::{Row, Step};
use crate::join::mailing::{NormalizedCache, is_mailed_here};
use crate::join::parcel_groups;
use crate::row::nearby::ZipsOfStreets;
use crate::row::reader::{RowReader, ZipPass};
use crate::row::stats::ImportStats;
use shingle_address::Normalized;

fn property(number: &str, street: &str, unit: &str) -> Normalized {
    let address = Address {
        street_number: number.to_owned(),
        street_address: street.to_owned(),
        city: "Harrow".to_owned(),
        state: State::parse("OH").unwrap(),
        zip: Zip::parse("43099").unwrap(),
    };
    Normalized::from_texts(&address, Some(unit).filter(|u| !u.is_empty()))
}

#[test]
fn mail_to_the_property_is_told_from_mail_elsewhere() {
    let house = property("4-6", "Kirkland Pl", "");
    let flat = property("4-6", "Kirkland Pl", "3");
    let door = property("81", "Antrim St", "773");
    let pair = property("1-2", "Reed Street Ct", "");
    let rear = property("24R", "Alder Court", "");
    let road = property("12", "HWY 20", "");
    for (property, mailing, here) in [
        (&house, "4 KIRKLAND PLACE, HARROW, OH, 43099", Some(true)),
        (&house, "6 KIRKLAND PL, APT 2, HARROW, OH 43099-1234", Some(true)),
        (&house, "6 Kirkland Pl #2 Harrow OH 43099", Some(true)),
        (&house, "4-6 KIRKLAND PL", Some(true)),
        (&house, "4 KIRKLAND, HARROW, OH", Some(true)),
        (&house, "4 KIRKLND PL, HARROW, OH, 43099", Some(true)),
        (&house, "4 KIRKLAND PL, WEST HARROW, OH, 43099", Some(true)),
        (&house, "4 KIRKLAND PL, HARROW, OH, 43098", Some(true)),
        (&house, "C/O JANE ROE, 4 KIRKLAND PL, HARROW, OH, 43099", Some(true)),
        (&house, "C/O JANE ROE 4 KIRKLAND PL, HARROW, OH, 43099", Some(true)),
        (&house, "ATTN: TAX OFFICE, ROE TOWER, 4 KIRKLAND PL, HARROW, OH, 43099", Some(true)),
        (&house, "5 KIRKLAND PL, HARROW, OH, 43099", Some(false)),
        (&road, "12 STATE ROUTE 20, HARROW, OH 43099", Some(true)),
        (&road, "12 US 20, HARROW, OH 43099", Some(true)),
        (&road, "12 HIGHWAY 31, HARROW, OH 43099", Some(false)),
        (&road, "12 STATE ROUTE 31, HARROW, OH 43099", Some(false)),
        (&house, "8 KIRKLAND PL, HARROW, OH, 43099", Some(false)),
        (&house, "4 KIRKLAND ST, HARROW, OH, 43099", Some(false)),
        (&house, "4 N KIRKLAND PL, HARROW, OH, 43099", Some(true)),
        (&house, "4 KIRKLAND PL, LORAIN, OH, 44052", Some(false)),
        (&house, "4 KIRKLAND PL, HARROW, NY, 43099", Some(false)),
        (&house, "PO BOX 4, HARROW, OH, 43099", None),
        (&house, "P.O. BOX 4 HARROW OH", None),
        (&house, "HARROW, OH", None),
        (&house, "C/O JANE ROE", None),
        (&house, "", None),
        (&flat, "4 KIRKLAND PL, UNIT 3, HARROW, OH, 43099", Some(true)),
        (&flat, "4 KIRKLAND PL # 03, HARROW, OH, 43099", Some(true)),
        (&flat, "4 KIRKLAND PL, HARROW, OH, 43099", Some(true)),
        (&flat, "4 KIRKLAND PL, UNIT 5, HARROW, OH, 43099", Some(false)),
        (&flat, "4 KIRKLAND PL 3, HARROW, OH, 43099", Some(true)),
        (&flat, "4 KIRKLAND PL UNIT 3-II, HARROW, OH, 43099", Some(true)),
        (&flat, "4 KIRKLAND PL 5, HARROW, OH, 43099", Some(false)),
        (&door, "77 ANTRIM ST, HARROW, OH, 43099", Some(true)),
        (&door, "73 ANTRIM ST, HARROW, OH, 43099", Some(false)),
        (&pair, "2 REED STREET CT, HARROW, OH, 43099", Some(true)),
        (&pair, "3 REED STREET CT, HARROW, OH, 43099", Some(false)),
        (&rear, "24 ALDER CT, HARROW, OH, 43099", Some(true)),
        (&rear, "24A ALDER CT, HARROW, OH, 43099", Some(false)),
    ] {
        assert_eq!(is_mailed_here(property, mailing), here, "{mailing}");
    }
}

/// Every row of the table as a place of its own.
fn places(file: &std::path::Path, map: &str) -> Vec<Place> {
    let mapping = mapping(map).table;
    let (none, mut zips) = (ZipsOfStreets::default(), ZipsOfStreets::default());
    let mut row = Row::default();
    if let Some(pass) = ZipPass::new(&mapping, &none) {
        let mut rows = open_rows(file, &mapping.columns, &mapping.dialect).unwrap();
        while matches!(rows.next_row(&mut row).unwrap(), Step::Row) {
            pass.note(&row, &mut zips);
        }
    }
    let reading = RowReader::new(&mapping, &zips);
    let mut rows = open_rows(file, &mapping.columns, &mapping.dialect).unwrap();
    let (mut places, mut properties) = (Vec::new(), NormalizedCache::default());
    for at in 1.. {
        match rows.next_row(&mut row).unwrap() {
            Step::End => break,
            Step::Bad(_) => continue,
            Step::Row => {}
        }
        if let Ok(read) = reading.read(0, at, &mut row, None, &mut ImportStats::default()) {
            places.extend(parcel_groups::into_place(read, OutlineKind::Wall, &mapping.source, None, &mut properties));
        }
    }
    places
}

#[test]
fn mail_to_the_property_finds_the_owners_who_live_in_it() {
    let Some(file) = shared("assessor/cambridge_ma_fy2025_property.csv") else { return };
    let places = places(&file, "cambridge-ma.toml");
    let value = |f: &Option<Fact<bool>>| f.as_ref().map(|f| f.value);
    // The homes of estimation.md: one to three families, and condominium units.
    let is_home = |p: &&Place| {
        let class = p.assessor.property_type.as_ref().map(|c| c.value.as_str());
        matches!(class, Some("SNGL-FAM-RES" | "TWO-FAM-RES" | "THREE-FM-RES" | "CONDOMINIUM" | "CNDO LUX"))
    };
    let homes: Vec<&Place> = places.iter().filter(is_home).collect();
    let count = |exempt: bool, mail: Option<bool>| {
        let same = |p: &&&Place| {
            value(&p.assessor.residential_exemption) == Some(exempt) && value(&p.assessor.mailed_here) == mail
        };
        homes.iter().filter(same).count()
    };
    let (hit, miss, none) = (count(true, Some(true)), count(true, Some(false)), count(true, None));
    let (wrong, right, unknown) = (count(false, Some(true)), count(false, Some(false)), count(false, None));
    let recall = hit as f64 / (hit + miss + none) as f64;
    let precision = hit as f64 / (hit + wrong) as f64;
    println!(
        "{} homes; exempt: here {hit}, elsewhere {miss}, unknown {none}; not exempt: here {wrong}, elsewhere {right}, \
         unknown {unknown}; recall {recall:.3}, precision {precision:.3}",
        homes.len()
    );
    assert_eq!(homes.len(), 703);
    assert!(recall >= 0.92 && precision >= 0.745, "recall {recall:.3}, precision {precision:.3}");
}
