//! What somebody types for where they work, as ground on the map.
//!
//! # Decision
//!
//! Our tables have the center of each ZIP and no border, so a ZIP is the circle around its center: of so many miles as
//! are asked for, else up to where the fourth ZIP around it has its center. A few homes of the neighbors are in it too,
//! and none of its own is missing. Turned down: the Census' polygons of ZIPs, 530 MB for the country.

use serde::{Deserialize, Serialize};
use shingle_address::parse_line;
use shingle_address::tables::state_by_name;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::Position;
use shingle_domain::{State, Zip};
use shingle_property::geometry::kilometres;
use shingle_property::{Reference, zips_of_town};
use shingle_source::{Area, Circle};

use super::messages::AreaRefusal;

const KM_OF_MILE: f64 = 1.609_344;
/// Without miles: which of the nearest ZIPs the circle reaches to, and its least and most miles.
const NEIGHBOR: usize = 4;
const REACH_MILES: (f64, f64) = (2.0, 25.0);
/// Post boxes have the place of their post office: they are no neighbors.
const SAME_PLACE_KM: f64 = 0.8;
const MOST_STATES_NAMED: usize = 12;

#[derive(Debug, Clone, PartialEq)]
pub struct AreaRequest {
    /// ZIPs, or one town or county.
    pub places: Vec<String>,
    pub miles: Option<f64>,
}

/// Where it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundArea {
    /// Of the data set and the folder: `area-80302`.
    pub name: String,
    /// `80302 and 10 miles around`
    pub title: String,
    /// As they are called: a ZIP, `Boulder, CO`.
    pub places: Vec<String>,
    /// Around each of them; `None`: as far as each reaches.
    pub miles: Option<f64>,
    pub zips: Vec<String>,
    pub area: Area,
}

enum Found {
    Zip(Zip),
    /// The name with its state, and its ZIPs.
    Named(String, Vec<Zip>),
}

/// Understands what was typed.
pub fn find_area(request: &AreaRequest, reference: &Reference, most_miles: u32) -> Result<FoundArea, AreaRefusal> {
    let texts = request.places.iter().flat_map(|text| pieces(text));
    let (mut zips, mut names) = (Vec::<Zip>::new(), Vec::new());
    for text in texts {
        match found(text, reference)? {
            Found::Zip(zip) => {
                names.push(zip.as_str().to_owned());
                zips.push(zip);
            }
            Found::Named(name, of_name) => {
                names.push(name);
                zips.extend(of_name);
            }
        }
    }
    zips.cold_sort_by(|a, b| a.as_str().cmp(b.as_str()));
    zips.dedup();
    let Some(first) = names.first() else { return Err(AreaRefusal::NoPlace) };
    let centers: Vec<(&Zip, Position)> =
        zips.iter().filter_map(|zip| Some((zip, reference.zip_centre(zip)?))).collect();
    if centers.is_empty() {
        return Err(AreaRefusal::ZipWithoutCenter { zip: first.clone() });
    }
    if let Some(miles) = request.miles {
        check_miles(miles, most_miles, centers[0].1, reference)?;
    }
    let circle = |(_, at): &(&Zip, Position)| Circle {
        latitude: at.latitude,
        longitude: at.longitude,
        miles: request.miles.unwrap_or_else(|| reach(*at, reference).min(f64::from(most_miles))),
    };
    let mut circles: Vec<Circle> = centers.iter().map(circle).collect();
    circles.dedup();
    let title = match request.miles {
        Some(miles) => format!("{} and {miles} miles around", names.join(", ")),
        None => names.join(", "),
    };
    Ok(FoundArea {
        name: data_set(&names),
        title,
        miles: request.miles,
        zips: zips.iter().map(|zip| zip.as_str().to_owned()).collect(),
        area: Area::new(circles),
        places: names,
    })
}

/// The ZIP of an address line: where somebody may work who lives there.
pub fn zip_of_line(line: &str) -> Option<Zip> {
    parse_line(line).normalized.zip
}

/// `80302, 80303` are two places, `Boulder, CO` is one.
fn pieces(text: &str) -> Vec<&str> {
    let all: Vec<&str> = text.split([',', ';']).map(str::trim).filter(|piece| !piece.is_empty()).collect();
    let begins_with_digit = |piece: &&str| piece.starts_with(|c: char| c.is_ascii_digit());
    if all.iter().all(begins_with_digit) {
        return all.iter().flat_map(|piece| piece.split_whitespace()).collect();
    }
    vec![text.trim()]
}

fn found(text: &str, reference: &Reference) -> Result<Found, AreaRefusal> {
    if is_canadian_code(text) {
        return Err(AreaRefusal::Canada { text: text.to_owned() });
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        // A ZIP+4 has its ZIP in front.
        let five = text.split_once('-').map_or(text, |(zip, _)| zip);
        let zip = Zip::parse(five).ok_or_else(|| AreaRefusal::NotAZip { text: text.to_owned() })?;
        if reference.zip_state(&zip).is_none() {
            return Err(AreaRefusal::UnknownZip { zip: zip.as_str().to_owned() });
        }
        if reference.zip_centre(&zip).is_none() {
            return Err(AreaRefusal::ZipWithoutCenter { zip: zip.as_str().to_owned() });
        }
        return Ok(Found::Zip(zip));
    }
    let unknown = || AreaRefusal::UnknownTown { name: text.to_owned() };
    let (name, state) = match text.rsplit_once(',') {
        Some((name, state)) => (name.trim(), Some(state.trim())),
        None => (text, None),
    };
    let state = match state {
        Some(code) if is_province(code) => return Err(AreaRefusal::Canada { text: text.to_owned() }),
        Some(code) => Some(state_of(code).ok_or_else(unknown)?),
        None => None,
    };
    let named = |state: State, zips: Vec<Zip>| Found::Named(format!("{}, {}", titled(name), state.as_str()), zips);
    let is_county = name.to_lowercase().ends_with(" county") || name.to_lowercase().ends_with(" parish");
    let listed: Vec<(State, Zip)> = match is_county {
        true => reference.zips_of_county(name).collect(),
        false => {
            let zips = zips_of_town(name).iter().filter_map(|zip| Zip::parse(zip));
            zips.filter_map(|zip| Some((reference.zip_state(&zip)?, zip))).collect()
        }
    };
    let mut by_state: Vec<(State, Vec<Zip>)> = Vec::new();
    for (of, zip) in listed.into_iter().filter(|(of, _)| state.is_none_or(|wanted| wanted == *of)) {
        match by_state.iter_mut().find(|(known, _)| *known == of) {
            Some((_, zips)) => zips.push(zip),
            None => by_state.push((of, vec![zip])),
        }
    }
    if by_state.len() > 1 {
        let mut states: Vec<String> = by_state.iter().map(|(state, _)| state.as_str().to_owned()).collect();
        states.cold_sort();
        let first = states[0].clone();
        if states.len() > MOST_STATES_NAMED {
            let more = states.len() - MOST_STATES_NAMED;
            states.truncate(MOST_STATES_NAMED);
            states.push(format!("and {more} more"));
        }
        return Err(AreaRefusal::ManyTowns { name: titled(name), states, first });
    }
    let (state, zips) = by_state.pop().ok_or_else(unknown)?;
    Ok(named(state, zips))
}

fn state_of(text: &str) -> Option<State> {
    State::parse(&text.to_uppercase()).or_else(|| State::parse(state_by_name(&text.to_uppercase())?))
}

fn titled(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    name.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// `K1A 0B1`
fn is_canadian_code(text: &str) -> bool {
    let signs: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    signs.len() == 6
        && signs.iter().enumerate().all(|(at, c)| match at % 2 {
            0 => c.is_ascii_alphabetic(),
            _ => c.is_ascii_digit(),
        })
}

fn is_province(code: &str) -> bool {
    const PROVINCES: [&str; 14] =
        ["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT", "CANADA"];
    PROVINCES.contains(&code.to_uppercase().as_str())
}

fn check_miles(miles: f64, most: u32, from: Position, reference: &Reference) -> Result<(), AreaRefusal> {
    if !(miles.is_finite() && miles > 0.0) {
        return Err(AreaRefusal::NoMiles);
    }
    if miles <= f64::from(most) {
        return Ok(());
    }
    let within =
        |miles: f64| reference.zip_centres().filter(|(_, at)| kilometres(from, *at) <= miles * KM_OF_MILE).count();
    let (zips, most_zips) = (within(miles), within(f64::from(most)));
    Err(AreaRefusal::TooFar { miles: miles.to_string(), most, zips, most_zips })
}

/// How far a ZIP may reach, in miles.
fn reach(from: Position, reference: &Reference) -> f64 {
    let mut apart: Vec<f64> = reference.zip_centres().map(|(_, at)| kilometres(from, at)).collect();
    apart.retain(|km| *km > SAME_PLACE_KM);
    apart.cold_sort_by(f64::total_cmp);
    let km = apart.get(NEIGHBOR - 1).copied().unwrap_or_default();
    (km / KM_OF_MILE).clamp(REACH_MILES.0, REACH_MILES.1)
}

/// `area-80302`, `area-boulder-co`; for many ZIPs a name of the same length for each list.
fn data_set(names: &[String]) -> String {
    const MOST: usize = 3;
    let slug = |name: &String| {
        let signs = name.to_lowercase();
        let words = signs.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("-")
    };
    let mut slugs: Vec<String> = names.iter().map(slug).collect();
    slugs.cold_sort();
    slugs.dedup();
    let whole = slugs.join("-");
    if slugs.len() <= MOST && whole.len() <= 50 {
        return format!("area-{whole}");
    }
    let digest = blake3::hash(whole.as_bytes()).to_hex();
    let first: String = slugs[0].chars().take(30).collect();
    format!("area-{first}-{}-{}", slugs.len(), &digest[..6])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(places: &[&str], miles: Option<f64>) -> Result<FoundArea, AreaRefusal> {
        let places = places.iter().map(|place| (*place).to_owned()).collect();
        find_area(&AreaRequest { places, miles }, &Reference::built_in(), 60)
    }

    #[test]
    fn zips_towns_and_counties_are_circles_with_names() {
        let one = asked(&["80302"], Some(10.0)).unwrap();
        assert_eq!((one.name.as_str(), one.title.as_str()), ("area-80302", "80302 and 10 miles around"));
        assert_eq!((one.area.circles().len(), one.area.circles()[0].miles), (1, 10.0));
        assert_eq!(asked(&["80302-1234"], Some(10.0)).unwrap(), one);
        let list = asked(&["80302, 80303", "80301"], None).unwrap();
        assert_eq!((list.name.as_str(), list.zips.len()), ("area-80301-80302-80303", 3));
        assert_eq!(list.name, asked(&["80303 80301 80302"], None).unwrap().name);
        assert!(list.area.circles().iter().all(|c| (2.0..=25.0).contains(&c.miles)), "{list:?}");
        let town = asked(&["boulder, co"], Some(5.0)).unwrap();
        assert_eq!((town.name.as_str(), town.title.as_str()), ("area-boulder-co", "Boulder, CO and 5 miles around"));
        assert!(town.zips.contains(&"80302".to_owned()));
        assert_eq!(asked(&["Boulder, Colorado"], Some(5.0)).unwrap().zips, town.zips);
        let county = asked(&["Boulder County, CO"], None).unwrap();
        assert!(county.zips.len() > town.zips.len() && county.name == "area-boulder-county-co", "{county:?}");
    }

    #[test]
    fn what_is_no_place_is_asked_back() {
        for (text, said) in [
            ("", "Name a ZIP"),
            ("00000", "There is no ZIP 00000"),
            ("8030", "8030 is not a ZIP"),
            ("803021", "803021 is not a ZIP"),
            ("00001", "Nobody publishes where the ZIP 00001 is"),
            ("K1A 0B1", "is in Canada"),
            ("Toronto, ON", "is in Canada"),
            ("qwertyuiop", "No town or county is named qwertyuiop"),
            ("Boulder, ZZ", "No town or county is named"),
            ("Springfield", "write the state too: Springfield, "),
            ("Washington County", "write the state too"),
        ] {
            let problem = asked(&[text], Some(10.0)).unwrap_err().to_string();
            assert!(problem.contains(said), "{text}: {problem}");
        }
    }

    #[test]
    fn miles_have_a_limit_and_the_answer_says_what_they_mean() {
        let far = asked(&["80302"], Some(5_000.0)).unwrap_err();
        assert!(
            matches!(far, AreaRefusal::TooFar { most: 60, zips, most_zips, .. } if zips > 40_000 && most_zips > 50),
            "{far:?}"
        );
        for miles in [0.0, -3.0, f64::NAN, f64::INFINITY] {
            assert_eq!(asked(&["80302"], Some(miles)), Err(AreaRefusal::NoMiles), "{miles}");
        }
    }

    #[test]
    fn a_post_box_zip_is_the_ground_around_its_office() {
        let boxes = asked(&["23327"], None).unwrap();
        assert!(boxes.area.circles()[0].miles >= 2.0, "{boxes:?}");
    }
}
