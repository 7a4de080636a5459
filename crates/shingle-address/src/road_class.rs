//! Roads of one number that belong to others: the country's, the state's, a county's.

/// How a road of another class may be the one that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherClass {
    /// Nobody said whose road it is: `Highway 20` may be the state's or the country's.
    LeftOut,
    /// Another road was asked for, and may have been meant.
    Doubted,
}

const COUNTRY_AND_STATE: [&str; 2] = ["US HIGHWAY", "STATE ROUTE"];
const COUNTY: [&str; 3] = ["COUNTY ROAD", "COUNTY HIGHWAY", "COUNTY ROUTE"];
const FARM_AND_RANCH: [&str; 3] = ["FM", "RM", "RR"];
/// A road that does not say whose it is.
const PLAIN: &str = "ROUTE";

/// The other roads that may be meant by the name of a numbered road.
pub fn other_classes(name: &str) -> Vec<(String, OtherClass)> {
    if let Some((older, rest)) = ["OLD ", "SCENIC "].iter().find_map(|older| Some((older, name.strip_prefix(older)?))) {
        return other_classes(rest).into_iter().map(|(name, class)| (format!("{older}{name}"), class)).collect();
    }
    let of = |class: &str| name.strip_prefix(class).and_then(|rest| rest.strip_prefix(' '));
    let others = |all: &[&str], number: &str, class: &str| -> Vec<(String, OtherClass)> {
        let others = all.iter().filter(|other| **other != class);
        others.map(|other| (format!("{other} {number}"), OtherClass::Doubted)).collect()
    };
    if let Some(number) = of(PLAIN) {
        let named = COUNTRY_AND_STATE.iter().map(|class| (format!("{class} {number}"), OtherClass::LeftOut));
        let doubted = COUNTY.iter().chain(&FARM_AND_RANCH).map(|c| (format!("{c} {number}"), OtherClass::Doubted));
        return named.chain(doubted).collect();
    }
    for family in [COUNTRY_AND_STATE.as_slice(), &COUNTY, &FARM_AND_RANCH] {
        let found = family.iter().find_map(|class| Some((*class, of(class)?)));
        if let Some((class, number)) = found {
            let mut all = family.to_vec();
            all.push(PLAIN);
            return others(&all, number, class);
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_line;

    /// The name that a road gets in a line.
    fn name(road: &str) -> String {
        parse_line(&format!("700 {road}, Harrow, TX 78006")).normalized.name
    }

    #[test]
    fn each_way_to_write_a_class_is_one_and_classes_stay_apart() {
        let classes: &[(&str, &[&str])] = &[
            ("US HIGHWAY 20", &["US 20", "U.S. 20", "US Hwy 20", "US Route 20", "U S Highway 20", "US20"]),
            (
                "STATE ROUTE 20",
                &["SR 20", "SH 20", "State Route 20", "State Hwy 20", "TX 20", "TX-20", "TX Hwy 20", "St Rd 20"],
            ),
            ("ROUTE 20", &["Hwy 20", "Highway 20", "Route 20", "Rte 20", "Rt 20"]),
            ("COUNTY ROAD 20", &["CR 20", "County Road 20", "Co Rd 20", "Cty Rd 20", "CR20"]),
            ("COUNTY HIGHWAY 20", &["County Hwy 20", "Co Hwy 20", "CTH 20", "County Trunk Hwy 20"]),
            ("COUNTY ROUTE 20", &["County Route 20", "Co Rte 20"]),
            ("COUNTY HIGHWAY K", &["County Highway K", "CTH K", "Cty Hwy K", "County Trunk Highway K"]),
            ("COUNTY ROAD K", &["County Road K", "Co Rd K"]),
            ("FM 20", &["FM 20", "FM Road 20", "Farm to Market Rd 20", "F.M. 20"]),
            ("RM 20", &["RM 20", "Ranch to Market Road 20", "R.M. 20"]),
            ("RR 20", &["RR 20", "Ranch Road 20", "Ranch Rd 20"]),
            (
                "US HIGHWAY 20 BUSINESS",
                &["US Business 20", "US 20 Bus", "Business US 20", "US Hwy 20 Business", "Bus US Hwy 20"],
            ),
            ("US HIGHWAY 20 ALTERNATE", &["US Alt 20", "Alt US 20", "US 20 Alternate"]),
            ("COUNTY ROAD 12 1/2", &["CR 12.5", "County Road 12 1/2", "Co Rd 12½", "CR12.5"]),
            ("COUNTY ROAD 12-5", &["CR 12-5", "County Road 12-5"]),
            ("INTERSTATE 20", &["I-20", "IH 20", "Interstate 20", "Interstate Hwy 20"]),
        ];
        for (normal, written) in classes {
            for road in *written {
                assert_eq!(name(road), *normal, "{road}");
            }
        }
    }

    #[test]
    fn a_road_is_never_among_its_other_classes() {
        for road in [
            "US HIGHWAY 20",
            "STATE ROUTE 20",
            "ROUTE 20",
            "OLD ROUTE 36",
            "COUNTY ROAD K",
            "COUNTY HIGHWAY 9",
            "FM 1960",
            "RR 12",
        ] {
            let others = other_classes(road);
            assert!(!others.is_empty() && others.iter().all(|(other, _)| other != road), "{road}");
            let number = road.rsplit(' ').next().unwrap();
            assert!(others.iter().all(|(other, _)| other.ends_with(&format!(" {number}"))), "{road}");
        }
        for road in ["ALDER", "OLD ALDER", "INTERSTATE 20", "ROUTE", "FOREST ROAD 4"] {
            assert_eq!(other_classes(road), [], "{road}");
        }
        assert!(other_classes("ROUTE 20").contains(&("US HIGHWAY 20".to_owned(), OtherClass::LeftOut)));
        assert!(other_classes("OLD ROUTE 36").contains(&("OLD US HIGHWAY 36".to_owned(), OtherClass::LeftOut)));
        assert!(other_classes("STATE ROUTE 20").contains(&("ROUTE 20".to_owned(), OtherClass::Doubted)));
    }
}
