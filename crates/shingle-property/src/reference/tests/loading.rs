//! Operators' files: taken when they are whole, refused with the place of the fault when they are not.

use std::fs;

use super::super::*;
use super::{area, state};

/// The shipped text of a table with one change.
fn changed(table: Table, from: &str, to: &str) -> String {
    let good = Reference::built_in().text(table).unwrap();
    assert!(good.contains(from), "{from}");
    good.replacen(from, to, 1)
}

fn fault(table: Table, text: &str) -> String {
    Reference::check(table, text, Path::new("mine.csv")).unwrap_err().to_string()
}

/// The number of the line that a change is in.
fn line_of(table: Table, from: &str) -> usize {
    let good = Reference::built_in().text(table).unwrap();
    let at = good.find(from).unwrap();
    1 + good[..=at].matches('\n').count()
}

#[test]
fn a_broken_file_is_refused_with_line_and_column() {
    let cases = [
        (Table::EnergyPrices, "\nME,29.99,", "\nME,29.99 c,", "electricity_cents_per_kwh", "`29.99 c` is not a number"),
        (Table::EnergyPrices, "\nME,29.99,", "\nME,2999,", "electricity_cents_per_kwh", "from 1 to 200"),
        (Table::EnergyPrices, "\nME,29.99,", "\nME,,", "electricity_cents_per_kwh", "a number is missing"),
        (Table::EnergyPrices, "\nME,29.99,", "\nME,NaN,", "electricity_cents_per_kwh", "not a number"),
        (Table::EnergyPrices, "\nME,29.99,", "\nMaine,29.99,", "state", "`Maine` is not a two-letter"),
        (Table::EnergyPrices, "\nME,29.99,", "\nMD,29.99,", "state", "`MD` appears twice"),
        (Table::EnergyPrices, "state,elec", "state,median_income,elec", "median_income", "no such column"),
        (Table::EnergyPrices, "gas_usd_per_therm", "gas", "gas", "no such column"),
        (Table::ElectricityLevels, "\nAK,580,", "\nAK,680,", "bill_usd_month", "680 kWh at 23.1 cents is not 134.11"),
        (Table::ElectricityLevels, ",17412,0.4\n", ",17412,0.5\n", "level", "is 0.400"),
        (Table::GasMonths, "\nAK,0.1518", "\nAK,0.2518", "month_12", "add up to 1.0998, not to 1"),
        (Table::GasMonths, "\nAK,0.1518", "\nAK,0.1518*", "month_01", "leave the * out"),
        (Table::HeatingFuels, "\nAK,49.7", "\nAK,4.97", "other_percent", "not to 100 %"),
        (
            Table::HeatingHabits,
            "\nNew England,detached,before 1950",
            "\nBoston,detached,before 1950",
            "division",
            "`Boston`",
        ),
        (Table::HeatingHabits, "detached,before 1950", "detached,1900", "built", "`1900` is not one of"),
        (Table::GridEmissions, "\nNEWE,", "\nNE England,", "area", "`NE England`"),
        (Table::GridEmissions, "\nNEWE,541.1,0.042", "\nNEWE,541.1,4.2", "loss", "from 0 to 0.5"),
        (Table::ZipAreas, "\n04103,ME", "\n4103,ME", "zip", "`4103` is not a 5-digit code"),
        (Table::ZipAreas, "\n04103,ME", "\n04101,ME", "zip", "rising order"),
        (Table::ZipAreas, "43.695,-70.289", "-70.289,43.695", "latitude", "from -15 to 72"),
        (Table::ZipAreas, ",0.5866,", ",58.66,", "owner_occupied", "from 0 to 1"),
        (Table::SolarYield, "\n04103,", "\n04103,1", "kwh_per_kw_year", "from 300 to 3000"),
        (Table::StateSolar, "\nAL,", "\nAL,-", "kwh_per_kw_year", "`-1439.9`"),
        (Table::RoofPrices, "\nslate,", "\nthatch,", "material", "`thatch`"),
        (Table::RoofPrices, "slate,2200", "slate,22O0", "usd_per_square", "`22O0`"),
    ];
    for (table, from, to, column, detail) in cases {
        let text = changed(table, from, to);
        let told = fault(table, &text);
        let line = line_of(table, from);
        let place = format!("mine.csv, line {line}, column `{column}`: ");
        assert!(told.starts_with(&place) && told.contains(detail), "{from:?} to {to:?}: {told}, expected {place}");
    }
    let text = changed(Table::DegreeDays, ",13484,", ",1348,");
    assert!(fault(Table::DegreeDays, &text).contains("column `heating_year`: the months add up to 13"));
    // A row too short, and what concerns no one line.
    let text = changed(Table::EnergyPrices, "\nME,29.99,", "\nME,");
    let line = line_of(Table::EnergyPrices, "\nME,29.99,");
    assert!(fault(Table::EnergyPrices, &text).starts_with(&format!("mine.csv, line {line}: there are 6 cells")));
    for (table, from, to, detail) in [
        (Table::EnergyPrices, "\nWY,", "\nPR,", "no row for WY"),
        (Table::EnergyPrices, "\nUS,", "\nVI,", "no row for US"),
        (Table::EnergyPrices, "# year: 2026", "", "no line `# year"),
        (Table::EnergyPrices, "# year: 2026", "# year: 20266", "1990 to 2100"),
        (Table::EnergyPrices, "# refreshed: 2026-11-21", "# refreshed: soon", "`refreshed` must be a date"),
        (Table::EnergyPrices, "# table: energy-prices", "# table: gas-months", "is the table `gas-months`"),
        (Table::RoofPrices, "\nslate,2200", "\ntile,2200", "every material"),
    ] {
        let told = fault(table, &changed(table, from, to));
        assert!(told.contains(detail), "{told}");
    }
    for nothing in ["", "\u{feff}", "state\n", "<!doctype html><html>"] {
        assert!(fault(Table::GasMonths, nothing).contains("no line `# table"));
    }
}

#[test]
fn a_broken_file_in_the_folder_is_told_and_the_table_of_the_program_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let path = files::file(folder.path(), Table::EnergyPrices);
    let built_in = area("ME", "04103").prices;
    for bytes in [
        changed(Table::EnergyPrices, "\nME,29.99,", "\nME,x,").into_bytes(),
        changed(Table::EnergyPrices, "Weekly", "W\u{e9}ekly").chars().map(|c| c as u8).collect(),
        vec![0; 4_096],
        Vec::new(),
    ] {
        fs::write(&path, bytes).unwrap();
        let reference = Reference::open(folder.path()).unwrap();
        assert_eq!(reference.area(state("ME"), &Zip::parse("04103").unwrap()).prices, built_in);
        let info = reference.info(Table::EnergyPrices);
        assert_eq!(info.file, None);
        assert!(info.problem.is_some_and(|p| p.contains("energy-prices.csv")));
        assert_eq!(reference.problems().len(), 1);
    }
}

#[test]
fn a_newer_file_takes_the_place_of_a_table_until_it_is_reset() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data/reference");
    let file = folder.path().join("bought.csv");
    let newer = changed(Table::EnergyPrices, "\nME,29.99,", "\nME,31.5*,").replace("# year: 2026", "# year: 2027");
    fs::write(&file, format!("\u{feff}{}", newer.replace('\n', "\r\n"))).unwrap();
    let loaded = load(&data, Table::EnergyPrices, &file, false).unwrap();
    assert_eq!((loaded.before.about.year, loaded.table.about.year, loaded.table.rows), (2026, 2027, 52));
    assert_eq!(loaded.table.file, Some(files::file(&data, Table::EnergyPrices)));

    let price = || {
        let reference = Reference::open(&data).unwrap();
        let area = reference.area(state("ME"), &Zip::parse("04103").unwrap());
        area.prices.electricity_per_kwh.map(|f| (f.value, f.placeholder))
    };
    assert_eq!(price(), Some((0.315, true)), "and it is a placeholder from now on");
    // The other tables are the program's, and what is shown is what is used.
    let reference = Reference::open(&data).unwrap();
    assert!(reference.tables().iter().all(|t| t.file.is_some() == (t.table == Table::EnergyPrices)));
    let maine = reference.excerpt(Table::EnergyPrices, Some(Wanted::State(state("ME")))).unwrap();
    assert_eq!(maine.rows.len(), 1);
    assert_eq!(maine.rows[0][1], "31.5*");

    // Older or broken: the loaded one stays.
    fs::write(&file, Reference::built_in().text(Table::EnergyPrices).unwrap()).unwrap();
    let refused = load(&data, Table::EnergyPrices, &file, false).unwrap_err();
    assert!(matches!(refused, PropertyError::OlderTable { .. }) && refused.to_string().contains("2027"), "{refused}");
    assert_eq!(price(), Some((0.315, true)));
    fs::write(&file, newer.replace("\nME,31.5*,", "\nME,free,")).unwrap();
    assert!(matches!(load(&data, Table::EnergyPrices, &file, true), Err(PropertyError::Table { line: Some(_), .. })));
    assert!(matches!(
        load(&data, Table::EnergyPrices, &folder.path().join("nowhere.csv"), true),
        Err(PropertyError::Read { .. })
    ));
    assert_eq!(price(), Some((0.315, true)));
    fs::write(&file, Reference::built_in().text(Table::EnergyPrices).unwrap()).unwrap();
    load(&data, Table::EnergyPrices, &file, true).unwrap();
    assert_eq!(price(), Some((0.2999, false)));

    assert!(reset(&data, Table::EnergyPrices).unwrap());
    assert!(!reset(&data, Table::EnergyPrices).unwrap());
    assert_eq!(Reference::open(&data).unwrap().info(Table::EnergyPrices).file, None);
    assert_eq!(fs::read_dir(&data).unwrap().count(), 0, "nothing half-written is left");
}

#[test]
fn a_newer_year_of_bills_brings_its_own_level() {
    let text = changed(Table::ElectricityLevels, "\nME,", "\nME,600,30,180,7000,\nXX,");
    let kept: String = text.lines().filter(|l| !l.starts_with("XX,")).map(|l| format!("{l}\n")).collect();
    let folder = tempfile::tempdir().unwrap();
    fs::write(files::file(folder.path(), Table::ElectricityLevels), kept.replace("# year: 2022", "# year: 2024"))
        .unwrap();
    let reference = Reference::open(folder.path()).unwrap();
    let level = reference.area(state("ME"), &Zip::parse("04103").unwrap()).electricity_level.unwrap();
    assert!((level.value - 12.0 * 600.0 / 7_000.0).abs() < 1e-12);
    let bill = reference.bills().into_iter().find(|b| b.state == state("ME")).unwrap();
    assert_eq!((bill.kwh_month, bill.usd_per_kwh, bill.usd_month, bill.year), (600.0, 0.3, 180.0, 2024));
}

#[test]
fn incentives_come_from_the_operator_only() {
    assert_eq!(area("ME", "04103").sun.incentive, None);
    let folder = tempfile::tempdir().unwrap();
    let head = Reference::built_in().text(Table::SolarIncentives).unwrap();
    let write = |row: &str| {
        fs::write(files::file(folder.path(), Table::SolarIncentives), format!("{head}{row}\n")).unwrap();
        Reference::open(folder.path()).unwrap()
    };
    let reference = write("ME,0.5,full retail net metering");
    let incentive = reference.area(state("ME"), &Zip::parse("04103").unwrap()).sun.incentive.unwrap();
    assert_eq!((incentive.value, incentive.table), (0.5, Table::SolarIncentives));
    assert_eq!(reference.area(state("NH"), &Zip::parse("03801").unwrap()).sun.incentive, None);
    for row in ["ME,0.6,too much", "ME,-0.1,too little", "ME,0.5,"] {
        assert!(write(row).info(Table::SolarIncentives).problem.is_some(), "{row}");
    }
}

#[test]
fn a_folder_that_is_none_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("reference");
    fs::write(&file, "").unwrap();
    assert!(matches!(Reference::open(&file), Err(PropertyError::Read { .. })));
}
