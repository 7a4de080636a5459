//! From the coordinates of a file to longitude and latitude.

use proj4rs::Proj;
use proj4rs::transform::transform;

use crate::datum::{Shift, shift_of};
use crate::epsg::EpsgSystem;
use crate::problem::{CrsAdvice, CrsProblem};
use crate::projjson;
use crate::wkt::{self, ParsedCrs};
use crate::wkt2;

/// A coordinate system that can be converted to degrees of WGS 84. NAD 83 counts as WGS 84: positions differ by one or
/// two meters, areas do not differ.
pub enum Projection {
    Degrees,
    Projected { from: Box<Proj>, to: Box<Proj> },
}

impl std::fmt::Debug for Projection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Degrees => f.write_str("Degrees"),
            Self::Projected { from, .. } => write!(f, "Projected({})", from.projname()),
        }
    }
}

impl Projection {
    /// `EPSG:2284`, `urn:ogc:def:crs:EPSG::2284`, `2284`, `urn:ogc:def:crs:OGC:1.3:CRS84`, `+proj=…`, WKT.
    pub fn named(name: &str) -> Result<Self, CrsProblem> {
        let name = name.trim();
        let advice = CrsAdvice::SetCrs;
        if name.starts_with("+proj") {
            return Self::proj(name, "");
        }
        if name.contains(['[', '(']) {
            return Self::wkt(name);
        }
        let last = name.rsplit([':', '/']).next().unwrap_or(name);
        if last.eq_ignore_ascii_case("CRS84") || last.eq_ignore_ascii_case("CRS83") {
            return Ok(Self::Degrees);
        }
        match last.parse::<u32>() {
            Ok(4326 | 4269) => Ok(Self::Degrees),
            Ok(code) => {
                let system = EpsgSystem::of(code).ok_or(CrsProblem::NotBuiltIn { code, advice })?;
                Self::proj(&system.proj, &system.datum)
                    .map_err(|why| CrsProblem::NotConverted { code, why: Box::new(why) })
            }
            Err(_) => Err(CrsProblem::Unknown { name: name.to_owned(), advice }),
        }
    }

    pub fn wkt(text: &str) -> Result<Self, CrsProblem> {
        let advice = CrsAdvice::SetCrs;
        if let Some(wkt2) = wkt2::parse(text) {
            return match (wkt2.projjson.as_ref().and_then(projjson::as_wkt), wkt2.code) {
                (Some(wkt), _) => Self::wkt(&wkt),
                (None, Some(code)) => Self::named(&code),
                (None, None) => Err(CrsProblem::Wkt2 { advice }),
            };
        }
        match wkt::parse_crs(text).map_err(|problem| CrsProblem::Wkt { problem, advice })? {
            ParsedCrs::Degrees => Ok(Self::Degrees),
            ParsedCrs::Proj { string, datum } => Self::proj(&string, &datum),
        }
    }

    /// `datum` is what the source of the string calls it.
    fn proj(string: &str, datum: &str) -> Result<Self, CrsProblem> {
        let shift = shift_of(string, datum)?;
        let unknown = |e: proj4rs::errors::Error| CrsProblem::Proj {
            string: string.to_owned(),
            e: e.to_string(),
            advice: CrsAdvice::SetCrs,
        };
        let from = Proj::from_proj_string(string).map_err(unknown)?;
        if from.is_latlong() && shift == Shift::None {
            return Ok(Self::Degrees);
        }
        Self::from_proj(from, string)
    }

    fn from_proj(from: Proj, name: &str) -> Result<Self, CrsProblem> {
        let to = Proj::from_proj_string("+proj=longlat +datum=WGS84 +no_defs")
            .map_err(|e| CrsProblem::Target { name: name.to_owned(), e: e.to_string() })?;
        Ok(Self::Projected { from: Box::new(from), to: Box::new(to) })
    }

    /// Degrees east and north; `None` where the projection is not defined.
    pub fn degrees(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        if !x.is_finite() || !y.is_finite() {
            return None;
        }
        match self {
            Self::Degrees => Some((x, y)),
            Self::Projected { from, to } => {
                let mut point = if from.is_latlong() { (x.to_radians(), y.to_radians(), 0.0) } else { (x, y, 0.0) };
                transform(from, to, &mut point).ok()?;
                let (lon, lat) = (point.0.to_degrees(), point.1.to_degrees());
                (lon.is_finite() && lat.is_finite()).then_some((lon, lat))
            }
        }
    }

    /// The coordinates of a place in degrees; `None` where the projection is not defined.
    pub fn coordinates(&self, lon: f64, lat: f64) -> Option<(f64, f64)> {
        if !lon.is_finite() || !lat.is_finite() {
            return None;
        }
        match self {
            Self::Degrees => Some((lon, lat)),
            Self::Projected { from, to } => {
                let mut point = (lon.to_radians(), lat.to_radians(), 0.0);
                transform(to, from, &mut point).ok()?;
                let (x, y) =
                    if from.is_latlong() { (point.0.to_degrees(), point.1.to_degrees()) } else { (point.0, point.1) };
                (x.is_finite() && y.is_finite()).then_some((x, y))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(projection: &Projection, x: f64, y: f64, lon: f64, lat: f64) {
        let got = projection.degrees(x, y).unwrap();
        assert!((got.0 - lon).abs() < 2e-6 && (got.1 - lat).abs() < 2e-6, "{got:?} is not {lon}, {lat}");
    }

    const CLARKE: &str = r#"GEOGCS["x",DATUM["unspecified",SPHEROID["Clarke_1866",6378206.4,294.9786982]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]"#;

    /// Of texts whose datum is not named: only the formulas are looked at.
    fn on_any_datum(text: &str) -> Projection {
        let ParsedCrs::Proj { string, .. } = wkt::parse_crs(text).unwrap() else { panic!("{text} is in degrees") };
        Projection::from_proj(Proj::from_proj_string(&string).unwrap(), &string).unwrap()
    }

    // Snyder, Map Projections: A Working Manual (1987), numerical examples of pages 269 and 296.
    #[test]
    fn transverse_mercator_gives_the_published_example() {
        let p = on_any_datum(&format!(
            r#"PROJCS["t",{CLARKE},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-75.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]"#
        ));
        near(&p, 127_106.5, 4_484_124.4, -73.5, 40.5);
    }

    #[test]
    fn lambert_conformal_conic_gives_the_published_example() {
        let p = on_any_datum(&format!(
            r#"PROJCS["t",{CLARKE},PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-96.0],PARAMETER["Standard_Parallel_1",33.0],PARAMETER["Standard_Parallel_2",45.0],PARAMETER["Latitude_Of_Origin",23.0],UNIT["Meter",1.0]]"#
        ));
        near(&p, 1_894_410.9, 1_564_649.5, -75.0, 35.0);
    }

    #[test]
    fn a_state_plane_file_in_us_feet_agrees_with_its_epsg_number() {
        let wkt = r#"PROJCS["NAD_1983_StatePlane_Virginia_South_FIPS_4502_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",11482916.66666666],PARAMETER["False_Northing",3280833.333333333],PARAMETER["Central_Meridian",-78.5],PARAMETER["Standard_Parallel_1",36.76666666666667],PARAMETER["Standard_Parallel_2",37.96666666666667],PARAMETER["Latitude_Of_Origin",36.33333333333334],UNIT["Foot_US",0.3048006096012192]]"#;
        let (ours, theirs) = (Projection::wkt(wkt).unwrap(), Projection::named("2284").unwrap());
        let (x, y) = (12_092_000.0, 3_464_000.0);
        let (lon, lat) = theirs.degrees(x, y).unwrap();
        assert!((-77.0..-76.0).contains(&lon) && (36.5..37.5).contains(&lat), "{lon} {lat}");
        near(&ours, x, y, lon, lat);
        near(&ours, 11_482_916.666_666_66, 3_280_833.333_333_333, -78.5, 36.333_333_333_333_34);
    }

    #[test]
    fn utm_albers_and_web_mercator_are_read() {
        near(&Projection::named("EPSG:26918").unwrap(), 500_000.0, 0.0, -75.0, 0.0);
        near(
            &Projection::named("urn:ogc:def:crs:EPSG::3857").unwrap(),
            -8_500_000.0,
            4_400_000.0,
            -76.356799,
            36.718920,
        );
        let web = r#"PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["Central_Meridian",0.0],UNIT["Meter",1.0]]"#;
        near(&Projection::wkt(web).unwrap(), -8_500_000.0, 4_400_000.0, -76.356799, 36.718920);
        let albers = format!(
            r#"PROJCS["t",{CLARKE},PROJECTION["Albers"],PARAMETER["Central_Meridian",-96.0],PARAMETER["Standard_Parallel_1",29.5],PARAMETER["Standard_Parallel_2",45.5],PARAMETER["Latitude_Of_Origin",23.0],UNIT["Meter",1.0]]"#
        );
        // Snyder, page 291.
        near(&on_any_datum(&albers), 1_885_472.7, 1_535_925.0, -75.0, 35.0);
    }

    #[test]
    fn a_place_leads_to_the_coordinates_it_came_from() {
        let shifted = "+proj=longlat +ellps=clrk66 +towgs84=-8,160,176";
        for (name, x, y) in [
            ("4326", -84.5, 33.75),
            ("2284", 12_092_000.0, 3_464_000.0),
            ("26916", 733_601.0, 3_725_139.0),
            ("3857", -8_500_000.0, 4_400_000.0),
            ("5070", 1_200_000.0, 1_300_000.0),
            ("2154", 770_550.0, 6_277_600.0),
            (shifted, -82.5, 40.0),
        ] {
            let projection = Projection::named(name).unwrap();
            let (lon, lat) = projection.degrees(x, y).unwrap();
            let (back_x, back_y) = projection.coordinates(lon, lat).unwrap();
            let near = if x.abs() < 200.0 { 1e-8 } else { 1e-3 };
            assert!((back_x - x).abs() < near && (back_y - y).abs() < near, "{name}: {back_x} {back_y}");
        }
        let utm = Projection::named("26916").unwrap();
        assert_eq!(utm.coordinates(f64::NAN, 33.0), None);
        assert_eq!(utm.coordinates(-84.0, f64::INFINITY), None);
    }

    #[test]
    fn an_unreadable_projection_says_what_to_do() {
        for text in [
            "",
            "PROJCS[",
            "PROJCRS[\"x\",BASEGEOGCRS[\"y\"]]",
            &format!(r#"PROJCS["t",{CLARKE},PROJECTION["Hotine_Oblique_Mercator"],UNIT["Meter",1.0]]"#),
            &"A[".repeat(5_000),
        ] {
            let message = Projection::wkt(text).unwrap_err().to_string();
            assert!(message.ends_with(&CrsAdvice::SetCrs.to_string()), "{message}");
        }
        let text = r#"GEOGCS["GCS_North_American_1927",DATUM["D_North_American_1927",SPHEROID["Clarke_1866",6378206.4,294.97]]]"#;
        assert!(Projection::wkt(text).unwrap_err().to_string().contains("NAD 27"));
        assert!(Projection::named("EPSG:1").is_err());
        assert!(Projection::named("Town grid").unwrap_err().to_string().contains("Town grid"));
    }

    /// By the textbook: geodetic to geocentric, moved, and back in small steps.
    fn moved(lon: f64, lat: f64, (a, rf): (f64, f64), by: [f64; 3]) -> (f64, f64) {
        let geocentric = |lon: f64, lat: f64, a: f64, rf: f64| {
            let (e2, lon, lat) = ((2.0 - 1.0 / rf) / rf, lon.to_radians(), lat.to_radians());
            let n = a / (1.0 - e2 * lat.sin().powi(2)).sqrt();
            [n * lat.cos() * lon.cos(), n * lat.cos() * lon.sin(), n * (1.0 - e2) * lat.sin()]
        };
        let from = geocentric(lon, lat, a, rf);
        let [x, y, z] = [from[0] + by[0], from[1] + by[1], from[2] + by[2]];
        let (a, rf) = (6_378_137.0_f64, 298.257_223_563_f64);
        let e2 = (2.0 - 1.0 / rf) / rf;
        let p = x.hypot(y);
        let mut lat = (z / (p * (1.0 - e2))).atan();
        for _ in 0..20 {
            let n = a / (1.0 - e2 * lat.sin().powi(2)).sqrt();
            lat = (z + e2 * n * lat.sin()).atan2(p);
        }
        (y.atan2(x).to_degrees(), lat.to_degrees())
    }

    #[test]
    fn a_shift_that_is_stated_is_applied_to_degrees_and_meters() {
        const CLARKE_1866: (f64, f64) = (6_378_206.4, 294.978_698_213_898);
        for (lon, lat, by) in [
            (-157.75, 21.28, [61.0, -285.0, -181.0]),
            (-66.61, 18.01, [11.0, 72.0, -101.0]),
            (144.79, 13.47, [-100.0, -248.0, 259.0]),
            (-82.5, 40.0, [-8.0, 160.0, 176.0]),
            (-149.9, 61.2, [-5.0, 135.0, 172.0]),
            (-170.7, -14.3, [-115.0, 118.0, 426.0]),
            (-75.16, 39.95, [-9.0, 161.0, 179.0]),
            (-118.2, 34.05, [-8.0, 159.0, 175.0]),
            (-64.9, 18.34, [11.0, 72.0, -101.0]),
            (-155.5, 19.7, [61.0, -285.0, -181.0]),
        ] {
            let numbers = by.map(|n| n.to_string()).join(",");
            let expected = moved(lon, lat, CLARKE_1866, by);
            assert!((expected.0 - lon).abs() + (expected.1 - lat).abs() > 1e-4, "nothing is shifted");
            let spheroid = r#"SPHEROID["Clarke_1866",6378206.4,294.978698213898]"#;
            let wkt = format!(
                r#"GEOGCS["x",DATUM["x",{spheroid},TOWGS84[{numbers},0,0,0,0]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]"#
            );
            for projection in [
                Projection::named(&format!("+proj=longlat +ellps=clrk66 +towgs84={numbers}")).unwrap(),
                Projection::named(&format!("+proj=longlat +ellps=clrk66 +towgs84={numbers},0,0,0,0 +no_defs")).unwrap(),
                Projection::wkt(&wkt).unwrap(),
            ] {
                near(&projection, lon, lat, expected.0, expected.1);
            }
            // In meters: the same place by the same ellipsoid, unshifted and shifted.
            let plane = format!("+proj=tmerc +lat_0={lat} +lon_0={lon} +k=1 +x_0=0 +y_0=0 +ellps=clrk66 +units=m");
            near(&Projection::named(&format!("{plane} +towgs84={numbers}")).unwrap(), 0.0, 0.0, expected.0, expected.1);
            assert!(Projection::named(&plane).unwrap_err().to_string().contains("-t_srs EPSG:4326"));
        }
    }

    #[test]
    fn a_number_on_another_datum_is_refused_by_the_datums_name() {
        for (code, datum) in [
            (3991, "Puerto Rico"),
            (4139, "Puerto Rico"),
            (3561, "Old Hawaiian"),
            (4135, "Old Hawaiian"),
            (4675, "Guam 1963"),
            (3993, "Guam 1963"),
            (4169, "American Samoa 1962"),
            (32028, "NAD 27"),
            (4267, "NAD 27"),
            (26718, "NAD 27"),
        ] {
            for name in [format!("EPSG:{code}"), format!("urn:ogc:def:crs:EPSG::{code}"), code.to_string()] {
                let message = Projection::named(&name).unwrap_err().to_string();
                assert!(message.contains(datum) && message.contains("-t_srs EPSG:4326"), "{name}: {message}");
            }
        }
        for code in [4326, 4269, 4152, 4759, 6318, 2284, 2927, 26918, 32618, 3857, 102_100, 5070, 6346, 3404] {
            assert!(Projection::named(&code.to_string()).is_ok(), "{code}");
        }
    }
}
