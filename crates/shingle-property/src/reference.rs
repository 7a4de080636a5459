//! Reference tables that travel inside the binary, each with its source and year.

use std::sync::LazyLock;

use csv::{ReaderBuilder, StringRecord, Trim};
use shingle_domain::money::Usd;
use shingle_domain::roof::{PriceTable, RoofPrice};

static ROOF_PRICES: LazyLock<PriceTable> =
    LazyLock::new(|| match parse_roof_prices(include_str!("../../../assets/reference/roof-prices.csv")) {
        Ok(table) => table,
        Err(why) => unreachable!("assets/reference/roof-prices.csv is part of the program: {why}"),
    });

/// National installed prices by material, from `assets/reference/roof-prices.csv`. Parsed once.
pub fn roof_prices() -> &'static PriceTable {
    &ROOF_PRICES
}

/// Columns `material, usd_per_square, low, high, source, year`, with a header line.
fn parse_roof_prices(text: &str) -> Result<PriceTable, String> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| e.to_string())?;
    if header != &StringRecord::from(vec!["material", "usd_per_square", "low", "high", "source", "year"]) {
        return Err(format!("unexpected columns: {header:?}"));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|e| e.to_string())?;
        rows.push(roof_price(&record).ok_or_else(|| format!("not a price: {record:?}"))?);
    }
    PriceTable::new(rows)
        .ok_or_else(|| "every material must stand there once, with 0 < low <= price <= high".to_owned())
}

fn roof_price(record: &StringRecord) -> Option<RoofPrice> {
    let source = record.get(4)?;
    Some(RoofPrice {
        material: record.get(0)?.parse().ok()?,
        per_square: Usd::parse_price(record.get(1)?)?,
        low: Usd::parse_price(record.get(2)?)?,
        high: Usd::parse_price(record.get(3)?)?,
        source: (!source.is_empty()).then(|| source.to_owned())?,
        year: record.get(5)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use shingle_domain::roof::RoofMaterial;

    use super::*;

    #[test]
    fn the_shipped_table_names_every_material_with_its_source() {
        let table = roof_prices();
        assert_eq!(table.price(RoofMaterial::AsphaltShingle), Usd::from_dollars(650));
        assert_eq!(table.price(RoofMaterial::Slate), Usd::from_dollars(2_200));
        assert_eq!(table.price(RoofMaterial::Tile), Usd::from_dollars(1_400));
        assert_eq!(table.price(RoofMaterial::Metal), Usd::from_dollars(1_300));
        assert_eq!(table.price(RoofMaterial::Other), Usd::from_dollars(800));
        assert!(table.rows().iter().all(|r| r.source.len() > 20 && (2020..2100).contains(&r.year)));
        assert_eq!(table.as_of(), 2025);
    }

    #[test]
    fn a_broken_table_is_refused() {
        let good = include_str!("../../../assets/reference/roof-prices.csv");
        assert!(parse_roof_prices(good).is_ok());
        for (from, to) in [
            ("slate,2200", "slate,22O0"),
            ("slate,2200", "slate,9200"),
            ("slate,2200", "thatch,2200"),
            ("slate,2200", "tile,2200"),
            ("material,", "stuff,"),
            (",2023\n", ",\n"),
        ] {
            let broken = good.replacen(from, to, 1);
            assert_ne!(broken, good);
            assert!(parse_roof_prices(&broken).is_err(), "{to}");
        }
        assert!(parse_roof_prices("").is_err());
    }
}
