//! Which projection a file without one may be in: those in use where its rows say they are.
//!
//! # Decision
//!
//! A projection is written as a guess only if exactly one of those in use puts the shapes where the rows are, with
//! the way to check it.

use std::sync::LazyLock;

use shingle_address::tables::state_of_zip;
use shingle_domain::evidence::Position;
use shingle_domain::{State, Zip};
use shingle_property::geometry::kilometres;
use shingle_property::{Reference, zips_of_town};

use crate::draft::owner_mail::OwnerMail;
use crate::draft::roles::Roles;
use crate::format::cell;
use crate::geo::state_boxes::may_lie_in;
use shingle_projection::Projection;

/// A place farther from every ZIP's middle lies in no state, or in a wrong projection.
const NEAR_KM: f64 = 80.0;
/// A county's middle is nearer than this to the middle of the ZIP that most of its rows name.
const COUNTY_KM: f64 = 60.0;
/// The zones of NAD 83's UTM that the lower states lie in, by their EPSG numbers.
const UTM: std::ops::RangeInclusive<u16> = 26_910..=26_919;
const WEB_MERCATOR: u16 = 3_857;

/// Where the rows of an import say they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Whereabouts {
    pub state: Option<String>,
    /// The middle of the most frequent ZIP, or of the town.
    pub near: Option<(String, Position)>,
}

impl Whereabouts {
    pub fn of(roles: &Roles<'_>) -> Self {
        let mail = OwnerMail::of(roles);
        let most = |key: &str| Some(roles.get(key)?.profile.most_frequent()?.0.to_owned());
        let zip = most("zip").or_else(|| mail.as_ref()?.zips.first().cloned());
        let zip = zip.and_then(|zip| Zip::parse(zip.get(..5)?));
        let of_zip = || Some(state_of_zip(zip.as_ref()?.as_str())?.to_owned());
        let stated = || most("state").or_else(|| mail.as_ref()?.state.clone());
        let state = of_zip().or_else(|| Some(cell::state(&stated()?)?.as_str().to_owned()));
        let of_zip = || Some((format!("ZIP {}", zip?), Reference::built_in().zip_centre(&zip?)?));
        let town = || {
            let town = most("city").or_else(|| mail.as_ref()?.city.clone())?;
            Some((town.clone(), town_centre(&town, state.as_deref()?)?))
        };
        let near = of_zip().or_else(town);
        Self { state, near }
    }

    fn fits(&self, at: Position) -> bool {
        self.near.as_ref().is_none_or(|(_, near)| kilometres(*near, at) < COUNTY_KM)
    }
}

/// The first ZIP whose mail names the town.
fn town_centre(town: &str, state: &str) -> Option<Position> {
    let mut zips = zips_of_town(town).iter().filter(|zip| state_of_zip(zip) == Some(state));
    zips.find_map(|zip| Reference::built_in().zip_centre(&Zip::parse(zip)?))
}

/// Every ZIP with its middle.
fn every_zip() -> &'static [(Zip, Position)] {
    static ALL: LazyLock<Vec<(Zip, Position)>> = LazyLock::new(|| {
        let zips = (1..100_000_u32).filter_map(|n| Zip::parse(&format!("{n:05}")));
        zips.filter_map(|zip| Some((zip, Reference::built_in().zip_centre(&zip)?))).collect()
    });
    &ALL
}

/// The state of the nearest ZIP.
pub(super) fn state_at(place: Position) -> Option<&'static str> {
    // A degree of latitude is 111 km.
    let near = every_zip().iter().filter(|(_, at)| (at.latitude - place.latitude).abs() <= NEAR_KM / 100.0);
    let zips = near.map(|(zip, at)| (kilometres(*at, place), zip));
    let (far, zip) = zips.min_by(|a, b| a.0.total_cmp(&b.0))?;
    if far > NEAR_KM {
        return None;
    }
    state_of_zip(zip.as_str())
}

/// The EPSG numbers of projections in use that put a point of the file where its rows are: state planes in feet and
/// meters, UTM, Web Mercator.
pub(super) fn guesses(point: (f64, f64), whereabouts: &Whereabouts) -> Vec<u16> {
    let is_of = |state: &str| whereabouts.state.as_deref().is_none_or(|own| own == state);
    let planes = STATE_PLANES.iter().filter(|(state, _)| is_of(state));
    let planes = planes.flat_map(|(state, codes)| codes.iter().map(|code| (*code, Some(*state))));
    let others = UTM.chain([WEB_MERCATOR]).map(|code| (code, None));
    planes
        .chain(others)
        .filter(|(code, plane)| puts_there(*code, *plane, point, whereabouts))
        .map(|(code, _)| code)
        .collect()
}

fn puts_there(code: u16, plane: Option<&str>, point: (f64, f64), whereabouts: &Whereabouts) -> bool {
    let Ok(projection) = Projection::named(&code.to_string()) else { return false };
    let Some((longitude, latitude)) = projection.degrees(point.0, point.1) else { return false };
    // A zone is used within it, and a little over its edge where a county lies across.
    let middle = -123.0 + 6.0 * f64::from(code.saturating_sub(*UTM.start()));
    if UTM.contains(&code) && (longitude - middle).abs() > 3.5 {
        return false;
    }
    let state = plane.or(whereabouts.state.as_deref());
    let boxed = |state: &str| State::parse(state).is_some_and(|state| may_lie_in(state, longitude, latitude));
    let place = Position { longitude, latitude };
    // Looking for the nearest ZIP takes long, and comes last.
    state.is_none_or(boxed)
        && whereabouts.fits(place)
        && state_at(place).is_some_and(|at| state.is_none_or(|state| state == at))
}

/// State planes of NAD 83 by EPSG number, in feet where the state uses them, and in meters.
#[rustfmt::skip]
const STATE_PLANES: [(&str, &[u16]); 51] = [
    ("AK", &[26931, 26932, 26933, 26934, 26935, 26936, 26937, 26938, 26939, 26940]),
    ("AL", &[26929, 26930]),
    ("AR", &[3433, 3434, 26951, 26952]),
    ("AZ", &[2222, 2223, 2224, 26948, 26949, 26950]),
    ("CA", &[2225, 2226, 2227, 2228, 2229, 2230, 26941, 26942, 26943, 26944, 26945, 26946]),
    ("CO", &[2231, 2232, 2233, 26953, 26954, 26955]),
    ("CT", &[2234, 26956]),
    ("DE", &[2235, 26957]),
    ("FL", &[2236, 2237, 2238, 26958, 26959, 26960]),
    ("GA", &[2239, 2240, 26966, 26967]),
    ("HI", &[3759, 26961, 26962, 26963, 26964, 26965]),
    ("IA", &[3417, 3418, 26975, 26976]),
    ("ID", &[2241, 2242, 2243, 26968, 26969, 26970]),
    ("IL", &[3435, 3436, 26971, 26972]),
    ("IN", &[2965, 2966, 26973, 26974]),
    ("KS", &[3419, 3420, 26977, 26978]),
    ("KY", &[2246, 2247, 26979, 26980]),
    ("LA", &[3451, 3452, 26981, 26982]),
    ("MA", &[2249, 2250, 26986, 26987]),
    ("MD", &[2248, 26985]),
    ("ME", &[26847, 26848, 26983, 26984]),
    ("MI", &[2251, 2252, 2253, 26988, 26989, 26990]),
    ("MN", &[26849, 26850, 26851, 26991, 26992, 26993]),
    ("MO", &[26996, 26997, 26998]),
    ("MS", &[2254, 2255, 26994, 26995]),
    ("MT", &[2256, 32100]),
    ("NC", &[2264, 32119]),
    ("ND", &[2265, 2266, 32120, 32121]),
    ("NE", &[26852, 32104]),
    ("NH", &[3437, 32110]),
    ("NJ", &[3424, 32111]),
    ("NM", &[2257, 2258, 2259, 32112, 32113, 32114]),
    ("NV", &[3421, 3422, 3423, 32107, 32108, 32109]),
    ("NY", &[2260, 2261, 2262, 2263, 32115, 32116, 32117, 32118]),
    ("OH", &[3734, 3735, 32122, 32123]),
    ("OK", &[2267, 2268, 32124, 32125]),
    ("OR", &[2269, 2270, 32126, 32127]),
    ("PA", &[2271, 2272, 32128, 32129]),
    ("PR", &[32161]),
    ("RI", &[3438, 32130]),
    ("SC", &[2273, 32133]),
    ("SD", &[3455, 4457, 32134, 32135]),
    ("TN", &[2274, 32136]),
    ("TX", &[2275, 2276, 2277, 2278, 2279, 32137, 32138, 32139, 32140, 32141]),
    ("UT", &[3560, 3566, 3567, 32142, 32143, 32144]),
    ("VA", &[2283, 2284, 32146, 32147]),
    ("VT", &[5646, 32145]),
    ("WA", &[2285, 2286, 32148, 32149]),
    ("WI", &[2287, 2288, 2289, 32152, 32153, 32154]),
    ("WV", &[26853, 26854, 32150, 32151]),
    ("WY", &[3736, 3737, 3738, 3739, 32155, 32156, 32157, 32158]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn projected(code: u16, place: Position) -> (f64, f64) {
        // By halving steps: the projections are only read backwards.
        let projection = Projection::named(&code.to_string()).unwrap();
        let (mut x, mut y) = (500_000.0, 500_000.0);
        for _ in 0..60 {
            let at = |x: f64, y: f64| projection.degrees(x, y).unwrap();
            let (here, east, north) = (at(x, y), at(x + 1.0, y), at(x, y + 1.0));
            let (a, b, c, d) = (east.0 - here.0, north.0 - here.0, east.1 - here.1, north.1 - here.1);
            let (u, v) = (place.longitude - here.0, place.latitude - here.1);
            let determinant = a * d - b * c;
            x += ((u * d - v * b) / determinant).clamp(-1e6, 1e6);
            y += ((v * a - u * c) / determinant).clamp(-1e6, 1e6);
        }
        (x, y)
    }

    #[test]
    fn the_zip_of_the_rows_leaves_one_projection() {
        for (state, zip, code) in [
            ("CA", "94607", 2_227),
            ("VA", "23322", 2_284),
            ("NM", "87106", 26_913),
            ("NY", "14201", 2_262),
            ("OH", "43085", 26_917),
        ] {
            let centre = Reference::built_in().zip_centre(&Zip::parse(zip).unwrap()).unwrap();
            let near = Some((zip.to_owned(), centre));
            let point = projected(code, centre);
            let found = guesses(point, &Whereabouts { state: Some(state.to_owned()), near });
            assert_eq!(found, [code], "{state} {point:?}");
        }
    }

    #[test]
    fn without_a_place_several_remain() {
        let centre = Reference::built_in().zip_centre(&Zip::parse("94607").unwrap()).unwrap();
        let point = projected(2_227, centre);
        let found = guesses(point, &Whereabouts { state: Some("CA".to_owned()), near: None });
        assert!(found.len() > 1 && found.contains(&2_227), "{found:?}");
    }

    #[test]
    fn a_place_is_in_the_state_of_its_nearest_zip() {
        let at = |longitude, latitude| state_at(Position { longitude, latitude });
        assert_eq!((at(-76.29, 36.85), at(-71.11, 42.37)), (Some("VA"), Some("MA")));
        assert_eq!((at(-82.99, 40.0), at(2.35, 48.85)), (Some("OH"), None));
    }
}
