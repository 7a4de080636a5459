//! From the coordinates of a file to longitude and latitude.

use std::path::Path;

use proj4rs::Proj;
use proj4rs::transform::transform;

use crate::error::ImportError;
use crate::format::source::DeclaredCrs;
use crate::geo::crs::CrsName;
use crate::geo::misplaced::{Misplaced, check_position};
use crate::geo::wkt::{self, ParsedCrs};

/// A coordinate system that can be converted to degrees of WGS 84. NAD 83 counts as WGS 84: positions differ by one or
/// two metres, areas do not differ.
pub(crate) enum Projection {
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

/// Ends every message about a coordinate system that cannot be read.
pub(crate) const ADVICE: &str =
    "set `crs` in the `[geometry]` of the mapping to its EPSG number (2284, say) or to a proj string";

impl Projection {
    /// `EPSG:2284`, `urn:ogc:def:crs:EPSG::2284`, `2284`, `urn:ogc:def:crs:OGC:1.3:CRS84`, `+proj=…`, WKT.
    pub fn named(name: &str) -> Result<Self, String> {
        let name = name.trim();
        if name.starts_with("+proj") {
            return Self::proj(name);
        }
        if name.contains(['[', '(']) {
            return Self::wkt(name);
        }
        let last = name.rsplit([':', '/']).next().unwrap_or(name);
        if last.eq_ignore_ascii_case("CRS84") || last.eq_ignore_ascii_case("CRS83") {
            return Ok(Self::Degrees);
        }
        match last.parse::<u16>() {
            Ok(4326 | 4269) => Ok(Self::Degrees),
            Ok(code) => {
                let from = Proj::from_epsg_code(code).map_err(|_| format!("EPSG {code} is not built in; {ADVICE}"))?;
                Self::from_proj(from, name)
            }
            Err(_) => Err(format!("the coordinate system `{name}` is not known; {ADVICE}")),
        }
    }

    pub fn wkt(text: &str) -> Result<Self, String> {
        match wkt::parse_crs(text).map_err(|m| format!("{m}; {ADVICE}"))? {
            ParsedCrs::Degrees => Ok(Self::Degrees),
            ParsedCrs::Proj(string) => Self::proj(&string),
        }
    }

    fn proj(string: &str) -> Result<Self, String> {
        let from = Proj::from_proj_string(string).map_err(|e| format!("`{string}`: {e}; {ADVICE}"))?;
        Self::from_proj(from, string)
    }

    fn from_proj(from: Proj, name: &str) -> Result<Self, String> {
        if from.is_latlong() {
            return Ok(Self::Degrees);
        }
        let to = Proj::from_proj_string("+proj=longlat +datum=WGS84 +no_defs").map_err(|e| format!("{name}: {e}"))?;
        Ok(Self::Projected { from: Box::new(from), to: Box::new(to) })
    }

    /// Of a file: what the mapping says, else what the file says of itself.
    pub fn of_file(
        named: Option<&CrsName>,
        declared: DeclaredCrs,
        path: &Path,
        notes: &mut Vec<String>,
    ) -> Result<Self, ImportError> {
        let projection = match (named, declared) {
            (Some(named), _) => Self::named(&named.0),
            (None, DeclaredCrs::Wkt(text)) => Self::wkt(&text),
            (None, DeclaredCrs::Name(name)) => Self::named(&name),
            (None, DeclaredCrs::Degrees | DeclaredCrs::Table) => Ok(Self::Degrees),
            (None, DeclaredCrs::PerhapsDegrees) => {
                let note = "there is no .prj; coordinates were read as longitude and latitude";
                notes.push(format!("{}: {note}", path.display()));
                Ok(Self::Degrees)
            }
            (None, DeclaredCrs::Nothing) => {
                Err(format!("there is no .prj, and the coordinates are not degrees; {ADVICE}"))
            }
        };
        projection.map_err(|detail| ImportError::input(path, detail))
    }

    /// Converts every point to degrees, and checks that it may be there.
    pub fn rings_to_degrees(&self, rings: &mut [Vec<(f64, f64)>]) -> Result<(), Misplaced> {
        for point in rings.iter_mut().flatten() {
            if !point.0.is_finite() || !point.1.is_finite() {
                return Err(Misplaced::NoNumber);
            }
            let (lon, lat) = self.degrees(point.0, point.1).ok_or(Misplaced::Outside)?;
            check_position(lon, lat)?;
            *point = (lon, lat);
        }
        Ok(())
    }

    /// Degrees east and north; `None` where the projection is not defined.
    pub fn degrees(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        if !x.is_finite() || !y.is_finite() {
            return None;
        }
        match self {
            Self::Degrees => Some((x, y)),
            Self::Projected { from, to } => {
                let mut point = (x, y, 0.0);
                transform(from, to, &mut point).ok()?;
                let (lon, lat) = (point.0.to_degrees(), point.1.to_degrees());
                (lon.is_finite() && lat.is_finite()).then_some((lon, lat))
            }
        }
    }
}

/// After this many shapes a file whose coordinates are mostly outside the country is refused.
pub(crate) const SAMPLE_SHAPES: u64 = 1_000;

/// A few rows outside the country are bad data; most rows outside mean a wrong projection. `counts` are of the reasons of
/// [`Misplaced`].
pub(crate) fn check_most(
    path: &Path,
    (misplaced, shapes): (u64, u64),
    count: impl Fn(&str) -> u64,
) -> Result<(), ImportError> {
    if misplaced * 2 <= shapes {
        return Ok(());
    }
    let all = [Misplaced::Outside, Misplaced::Swapped, Misplaced::OtherState, Misplaced::NoNumber];
    let most = all.into_iter().max_by_key(|m| count(m.reason())).unwrap_or(Misplaced::Outside);
    let reason = most.reason();
    let detail = match most {
        Misplaced::Swapped => {
            format!("{misplaced} of {shapes} shapes: {reason}. Exchange the two in the source. Nothing was imported")
        }
        Misplaced::NoNumber => {
            format!("{misplaced} of {shapes} shapes: {reason}. Export the file again. Nothing was imported")
        }
        _ => format!("{misplaced} of {shapes} shapes: {reason} If it is not, {ADVICE}. Nothing was imported"),
    };
    Err(ImportError::input(path, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(projection: &Projection, x: f64, y: f64, lon: f64, lat: f64) {
        let got = projection.degrees(x, y).unwrap();
        assert!((got.0 - lon).abs() < 2e-6 && (got.1 - lat).abs() < 2e-6, "{got:?} is not {lon}, {lat}");
    }

    const CLARKE: &str = r#"GEOGCS["x",DATUM["unspecified",SPHEROID["Clarke_1866",6378206.4,294.9786982]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]"#;

    // Snyder, Map Projections: A Working Manual (1987), numerical examples of pages 269 and 296.
    #[test]
    fn transverse_mercator_gives_the_published_example() {
        let p = Projection::wkt(&format!(
            r#"PROJCS["t",{CLARKE},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-75.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]"#
        ));
        near(&p.unwrap(), 127_106.5, 4_484_124.4, -73.5, 40.5);
    }

    #[test]
    fn lambert_conformal_conic_gives_the_published_example() {
        let p = Projection::wkt(&format!(
            r#"PROJCS["t",{CLARKE},PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-96.0],PARAMETER["Standard_Parallel_1",33.0],PARAMETER["Standard_Parallel_2",45.0],PARAMETER["Latitude_Of_Origin",23.0],UNIT["Meter",1.0]]"#
        ));
        near(&p.unwrap(), 1_894_410.9, 1_564_649.5, -75.0, 35.0);
    }

    #[test]
    fn a_state_plane_file_in_us_feet_agrees_with_its_epsg_number() {
        let wkt = r#"PROJCS["NAD_1983_StatePlane_Virginia_South_FIPS_4502_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",11482916.66666666],PARAMETER["False_Northing",3280833.333333333],PARAMETER["Central_Meridian",-78.5],PARAMETER["Standard_Parallel_1",36.76666666666667],PARAMETER["Standard_Parallel_2",37.96666666666667],PARAMETER["Latitude_Of_Origin",36.33333333333334],UNIT["Foot_US",0.3048006096012192]]"#;
        let (ours, theirs) = (Projection::wkt(wkt).unwrap(), Projection::named("2284").unwrap());
        let (x, y) = (12_092_000.0, 3_464_000.0);
        let (lon, lat) = theirs.degrees(x, y).unwrap();
        assert!(check_position(lon, lat).is_ok(), "{lon} {lat}");
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
        near(&Projection::wkt(&albers).unwrap(), 1_885_472.7, 1_535_925.0, -75.0, 35.0);
    }

    #[test]
    fn an_unreadable_projection_says_what_to_do() {
        for text in [
            "",
            "PROJCS[",
            "PROJCRS[\"x\",BASEGEOGCRS[\"y\"]]",
            &format!(r#"PROJCS["t",{CLARKE},PROJECTION["Hotine_Oblique_Mercator"],UNIT["Meter",1.0]]"#),
            r#"GEOGCS["GCS_North_American_1927",DATUM["D_North_American_1927",SPHEROID["Clarke_1866",6378206.4,294.97]]]"#,
            &"A[".repeat(5_000),
        ] {
            let message = Projection::wkt(text).unwrap_err();
            assert!(message.ends_with(ADVICE), "{message}");
        }
        assert!(Projection::named("EPSG:1").is_err());
        assert!(Projection::named("Town grid").unwrap_err().contains("Town grid"));
    }
}
