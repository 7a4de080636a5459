//! The rules of a look-up's query.

use super::reader::{FieldReader, Fields, Presence};
use crate::address::{Address, State, Zip};
use crate::lookup::{AddressInput, Include, LookupQuery, Product};
use crate::roof::RoofMaterial;
use crate::violation::{Rule, Violations};

const ADDRESS_FIELDS: [&str; 5] = ["streetNumber", "streetAddress", "city", "state", "zip"];

impl LookupQuery {
    /// Reads the query of `product`. Names that the product does not know are ignored.
    pub fn parse(product: Product, fields: &Fields<'_>) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let address = address(&mut reader, fields);
        let scored = matches!(product, Product::AddressInfoV2 | Product::BuyerInsights | Product::SolarIndex);
        let last_name = scored.then(|| reader.free_text("lastName")).flatten();
        let lead_integrity_score_on = scored.then(|| reader.boolean("leadIntegrityScoreOn")).flatten();
        let sales_hacks_on = (product == Product::BuyerInsights).then(|| reader.boolean("salesHacksOn")).flatten();
        let priced = product == Product::RoofEstimate;
        let roof_material = priced
            .then(|| {
                let words = RoofMaterial::ALL.map(RoofMaterial::as_str);
                reader.word("roofMaterial", Presence::Optional, |t| t.parse().ok(), &words)
            })
            .flatten();
        let installed_price = priced.then(|| reader.price("installedPrice")).flatten();
        let include = include(&mut reader);
        let Some(address) = address else { return Err(reader.violations) };
        reader.violations.or(Self {
            address,
            last_name: last_name.map(str::trim).filter(|n| !n.is_empty()).map(str::to_owned),
            lead_integrity_score_on: lead_integrity_score_on.unwrap_or(false),
            sales_hacks_on: sales_hacks_on.unwrap_or(false),
            roof_material,
            installed_price,
            include,
        })
    }
}

/// The five parts; or one line, when it is sent and none of the parts is.
fn address(reader: &mut FieldReader<'_>, fields: &Fields<'_>) -> Option<AddressInput> {
    if fields.has("address") && !ADDRESS_FIELDS.iter().any(|part| fields.has(part)) {
        let line = reader.text("address", Presence::Required)?;
        return Some(AddressInput::Line(line.trim().to_owned()));
    }
    let street_number = reader.text(ADDRESS_FIELDS[0], Presence::Required);
    let street_address = reader.text(ADDRESS_FIELDS[1], Presence::Required);
    let city = reader.text(ADDRESS_FIELDS[2], Presence::Required);
    let state = reader.formatted_if_filled(ADDRESS_FIELDS[3], Presence::Required, State::parse, Rule::State);
    let zip = reader.formatted_if_filled(ADDRESS_FIELDS[4], Presence::Required, Zip::parse, Rule::Zip);
    Some(AddressInput::Parts(Address {
        street_number: street_number?.trim().to_owned(),
        street_address: street_address?.trim().to_owned(),
        city: city?.trim().to_owned(),
        state: state?,
        zip: zip?,
    }))
}

fn include(reader: &mut FieldReader<'_>) -> Vec<Include> {
    let Some(list) = reader.free_text("include") else { return Vec::new() };
    let mut wanted = Vec::new();
    for word in list.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        match Include::parse(word) {
            Some(include) if wanted.contains(&include) => {}
            Some(include) => wanted.push(include),
            None => {
                reader.violate("include", Rule::one_of(&Include::ALL.map(Include::as_str)).each_value());
                break;
            }
        }
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(product: Product, pairs: &[(&str, &str)]) -> Result<LookupQuery, Vec<String>> {
        let fields = Fields::from_pairs(pairs.iter().map(|&(n, v)| (n, v)));
        LookupQuery::parse(product, &fields).map_err(|v| v.messages())
    }

    const OAK: [(&str, &str); 5] = [
        ("streetNumber", " 12 "),
        ("streetAddress", "Oak St"),
        ("city", "Portland"),
        ("state", "me"),
        ("zip", "04103"),
    ];

    #[test]
    fn every_missing_part_breaks_type_and_emptiness_in_the_documents_order() {
        let broken = parse(Product::UtilityBill, &[]).unwrap_err();
        assert_eq!(broken.len(), 10);
        assert_eq!(broken[..2], ["streetNumber must be a string", "streetNumber should not be empty"]);
        assert_eq!(broken[8..], ["zip must be a string", "zip should not be empty"]);
    }

    #[test]
    fn five_parts_are_trimmed_and_the_state_is_upper_case() {
        let query = parse(Product::AddressInfo, &OAK).unwrap();
        let AddressInput::Parts(address) = query.address else { panic!("parts were sent") };
        assert_eq!(address.to_string(), "12 Oak St, Portland, ME 04103");
    }

    #[test]
    fn one_line_stands_in_for_the_parts_only_when_no_part_is_sent() {
        let line = [("address", "12 Oak St, Portland ME")];
        let query = parse(Product::RoofEstimate, &line).unwrap();
        assert_eq!(query.address, AddressInput::Line("12 Oak St, Portland ME".into()));
        assert_eq!(parse(Product::RoofEstimate, &[("address", "")]).unwrap_err(), ["address should not be empty"]);
        let mixed = parse(Product::RoofEstimate, &[line[0], ("city", "Portland")]).unwrap_err();
        assert_eq!(mixed.len(), 8, "{mixed:?}");
    }

    #[test]
    fn a_repeated_parameter_is_not_a_string() {
        let pairs = [OAK.as_slice(), &[("city", "Bath")]].concat();
        assert_eq!(parse(Product::AddressInfo, &pairs).unwrap_err(), ["city must be a string"]);
    }

    #[test]
    fn hostile_characters_and_endless_texts_are_named() {
        let long = "x".repeat(501);
        let pairs =
            [("streetNumber", "1\0"), ("streetAddress", "Oak \u{202e}St"), ("city", long.as_str()), OAK[3], OAK[4]];
        assert_eq!(
            parse(Product::AddressInfo, &pairs).unwrap_err(),
            [
                "streetNumber must not contain control characters",
                "streetAddress must not contain control characters",
                "city must be shorter than or equal to 500 characters",
            ]
        );
    }

    #[test]
    fn each_product_reads_only_its_own_parameters() {
        let extra = [("salesHacksOn", "on"), ("roofMaterial", "wood"), ("installedPrice", "0"), ("lastName", "Doe")];
        let pairs = [OAK.as_slice(), &extra].concat();
        let utility = parse(Product::UtilityBill, &pairs).unwrap();
        assert_eq!(utility.last_name, None);
        assert_eq!(parse(Product::BuyerInsights, &pairs).unwrap_err(), ["salesHacksOn must be a boolean value"]);
        assert_eq!(parse(Product::RoofEstimate, &pairs).unwrap_err().len(), 2);
    }

    #[test]
    fn booleans_are_true_false_one_and_zero() {
        for (text, on) in [("true", true), ("TRUE", true), ("1", true), ("false", false), ("0", false)] {
            let pairs = [OAK.as_slice(), &[("leadIntegrityScoreOn", text)]].concat();
            assert_eq!(parse(Product::SolarIndex, &pairs).unwrap().lead_integrity_score_on, on, "{text}");
        }
        let pairs = [OAK.as_slice(), &[("leadIntegrityScoreOn", "")]].concat();
        assert_eq!(parse(Product::SolarIndex, &pairs).unwrap_err(), ["leadIntegrityScoreOn must be a boolean value"]);
    }

    #[test]
    fn include_is_a_list_of_known_words() {
        let with = |list| [OAK.as_slice(), &[("include", list)]].concat();
        let query = parse(Product::RoofEstimate, &with("range, match,range")).unwrap();
        assert_eq!(query.include, [Include::Range, Include::Match]);
        assert_eq!(
            parse(Product::RoofEstimate, &with("match,owners")).unwrap_err(),
            ["each value in include must be one of the following values: match, provenance, segments, range, reasons"]
        );
    }
}
