//! The text of a `.prj` file (WKT 1, as ESRI and OGC write it) as a proj string.

use std::fmt::Write as _;

use crate::problem::WktProblem;

/// A part of a WKT: a keyword with its quoted texts, numbers and children: `UNIT["Foot_US",0.3048006096012192]`.
#[derive(Debug)]
pub struct Node<'a> {
    pub keyword: String,
    pub texts: Vec<&'a str>,
    pub numbers: Vec<f64>,
    pub children: Vec<Node<'a>>,
}

/// A coordinate system as far as an import needs it.
#[derive(Debug, PartialEq)]
pub enum ParsedCrs {
    /// Longitude and latitude in degrees, on a datum that is WGS 84 within a meter or two.
    Degrees,
    /// A proj string, and what the text calls the datum.
    Proj { string: String, datum: String },
}

/// No real file nests deeper.
const MAX_DEPTH: usize = 16;
const MAX_BYTES: usize = 64 * 1024;

/// What a text of either version says; `None` where it is neither.
pub fn node_of(wkt: &str) -> Option<Node<'_>> {
    parser(wkt)?.node(0)
}

/// The systems of a text: Esri writes one of places and one of heights with a comma between them.
pub fn nodes_of(wkt: &str) -> Option<Vec<Node<'_>>> {
    let mut parser = parser(wkt)?;
    let mut nodes = vec![parser.node(0)?];
    while parser.skip(',') {
        nodes.push(parser.node(0)?);
    }
    Some(nodes)
}

fn parser(wkt: &str) -> Option<Parser<'_>> {
    let rest = wkt.trim_start_matches('\u{feff}').trim();
    (rest.len() <= MAX_BYTES).then_some(Parser { rest })
}

/// The coordinate system, or why it cannot be read, in words for a person.
pub fn parse_crs(wkt: &str) -> Result<ParsedCrs, WktProblem> {
    if wkt.len() > MAX_BYTES {
        return Err(WktProblem::TooLong);
    }
    crs_of(&node_of(wkt).ok_or(WktProblem::NotWkt)?)
}

/// Of WKT 1.
pub fn crs_of(root: &Node<'_>) -> Result<ParsedCrs, WktProblem> {
    let geographic = root.find("GEOGCS").ok_or_else(|| WktProblem::NotGeographic { other: root.keyword.clone() })?;
    let datum = geographic.find("DATUM").ok_or(WktProblem::NoDatum)?;
    let name = datum.texts.first().copied().unwrap_or_default();
    let plain = name.to_ascii_lowercase();
    let is_of_1927 = plain.contains("1927") || plain.contains("nad27");
    if geographic.child("PRIMEM").and_then(|m| m.numbers.first()).is_some_and(|m| m.abs() > 1e-9) {
        return Err(WktProblem::NotGreenwich);
    }
    let degree = geographic.child("UNIT").and_then(|u| u.numbers.first()).copied().unwrap_or(0.017_453_292_519_943_3);
    if (degree - 0.017_453_292_519_943_3).abs() > 1e-9 {
        return Err(WktProblem::NotDegrees);
    }
    let projected = root.find("PROJCS");
    let spheroid = datum.child("SPHEROID").or_else(|| datum.child("ELLIPSOID"));
    let Some(spheroid) = spheroid else {
        let is_modern = ["wgs", "world geodetic", "1983", "nad83"].iter().any(|modern| plain.contains(modern));
        return match projected {
            None if is_modern => Ok(ParsedCrs::Degrees),
            _ => Err(WktProblem::NoSpheroid),
        };
    };
    let [a, rf, ..] = spheroid.numbers[..] else { return Err(WktProblem::NoAxes) };
    if !(6.0e6..6.8e6).contains(&a) || !(rf == 0.0 || (100.0..1000.0).contains(&rf)) {
        return Err(WktProblem::NotEarth);
    }
    let mut string = match projected {
        Some(projected) => projected.proj(a, rf)?,
        None => ["+proj=longlat", &axes(a, rf)].join(" "),
    };
    if let Some(shift) = datum.child("TOWGS84").or_else(|| geographic.child("TOWGS84")) {
        let numbers: Vec<String> = shift.numbers.iter().map(f64::to_string).collect();
        let _ = write!(string, " +towgs84={}", numbers.join(","));
    } else if is_of_1927 {
        string.push_str(" +datum=NAD27");
    }
    let datum = name.strip_prefix("D_").unwrap_or(name).replace('_', " ");
    Ok(ParsedCrs::Proj { string, datum })
}

impl<'a> Node<'a> {
    pub fn child(&self, keyword: &str) -> Option<&Self> {
        self.children.iter().find(|c| c.keyword == keyword)
    }

    pub fn one_of(&self, keywords: &[&str]) -> Option<&Self> {
        keywords.iter().find_map(|keyword| self.child(keyword))
    }

    fn find(&self, keyword: &str) -> Option<&Self> {
        if self.keyword == keyword { Some(self) } else { self.children.iter().find_map(|c| c.find(keyword)) }
    }

    fn parameter(&self, names: &[&str]) -> Option<f64> {
        names.iter().find_map(|name| {
            let is =
                |c: &&Self| c.keyword == "PARAMETER" && c.texts.first().is_some_and(|t| t.eq_ignore_ascii_case(name));
            self.children.iter().find(is).and_then(|c| c.numbers.first().copied())
        })
    }

    fn proj(&self, a: f64, rf: f64) -> Result<String, WktProblem> {
        let metres = self.child("UNIT").and_then(|u| u.numbers.first()).copied().ok_or(WktProblem::NoUnit)?;
        if !(1e-3..1e4).contains(&metres) {
            return Err(WktProblem::NotLength);
        }
        let name = self.child("PROJECTION").and_then(|p| p.texts.first()).copied().ok_or(WktProblem::NoProjection)?;
        let key = name.to_ascii_lowercase().replace(' ', "_");
        let own_name = self.texts.first().copied().unwrap_or_default().to_ascii_lowercase();
        let need = |names: &[&'static str]| {
            self.parameter(names).ok_or_else(|| WktProblem::Lacks { name: name.to_owned(), lacks: names[0] })
        };
        let lat_0 = || self.parameter(&["latitude_of_origin", "latitude_of_center"]).unwrap_or(0.0);
        let lon_0 = || need(&["central_meridian", "longitude_of_center", "longitude_of_origin"]);
        let k = self.parameter(&["scale_factor"]).unwrap_or(1.0);
        let mut out = match key.as_str() {
            "transverse_mercator" | "gauss_kruger" => {
                format!("+proj=tmerc +lat_0={} +lon_0={} +k={k}", lat_0(), lon_0()?)
            }
            "lambert_conformal_conic" | "lambert_conformal_conic_2sp" | "lambert_conformal_conic_1sp" => {
                match (self.parameter(&["standard_parallel_1"]), self.parameter(&["standard_parallel_2"])) {
                    (Some(one), Some(two)) => format!(
                        "+proj=lcc +lat_1={one} +lat_2={two} +lat_0={} +lon_0={}{}",
                        lat_0(),
                        lon_0()?,
                        if k == 1.0 { String::new() } else { format!(" +k_0={k}") }
                    ),
                    (one, _) => format!(
                        "+proj=lcc +lat_1={} +lat_0={} +lon_0={} +k_0={k}",
                        one.unwrap_or_else(lat_0),
                        lat_0(),
                        lon_0()?
                    ),
                }
            }
            "albers" | "albers_conic_equal_area" => format!(
                "+proj=aea +lat_1={} +lat_2={} +lat_0={} +lon_0={}",
                need(&["standard_parallel_1"])?,
                need(&["standard_parallel_2"])?,
                lat_0(),
                lon_0()?
            ),
            "lambert_azimuthal_equal_area" => format!("+proj=laea +lat_0={} +lon_0={}", lat_0(), lon_0()?),
            "mercator_auxiliary_sphere" | "popular_visualisation_pseudo_mercator" => return Ok(web_mercator(metres)),
            _ if key.starts_with("mercator") && own_name.contains("pseudo") => return Ok(web_mercator(metres)),
            "mercator" | "mercator_1sp" | "mercator_2sp" => {
                let lat_ts = self.parameter(&["standard_parallel_1"]);
                let scale = lat_ts.map_or_else(|| format!("+k={k}"), |lat| format!("+lat_ts={lat}"));
                format!("+proj=merc +lon_0={} {scale}", lon_0()?)
            }
            _ => return Err(WktProblem::NotBuiltIn { name: name.to_owned() }),
        };
        // WKT counts the false origin in its own unit, proj in meters.
        let x_0 = self.parameter(&["false_easting"]).unwrap_or(0.0) * metres;
        let y_0 = self.parameter(&["false_northing"]).unwrap_or(0.0) * metres;
        let _ = write!(out, " +x_0={x_0} +y_0={y_0} {axes}", axes = axes(a, rf));
        let _ = write!(out, " +to_meter={metres} +no_defs");
        Ok(out)
    }
}

/// The spheroid; a flattening of 0 is a sphere.
fn axes(a: f64, rf: f64) -> String {
    let mut axes = format!("+a={a}");
    let _ = if rf == 0.0 { write!(axes, " +b={a}") } else { write!(axes, " +rf={rf}") };
    axes
}

fn web_mercator(metres: f64) -> String {
    format!(
        "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +to_meter={metres} +nadgrids=@null +no_defs"
    )
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn skip(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn node(&mut self, depth: usize) -> Option<Node<'a>> {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let keyword = self.rest.get(..end).filter(|k| !k.is_empty())?.to_ascii_uppercase();
        self.rest = &self.rest[end..];
        let mut node = Node { keyword, texts: Vec::new(), numbers: Vec::new(), children: Vec::new() };
        let close = match () {
            () if self.skip('[') => ']',
            () if self.skip('(') => ')',
            // A bare word: EAST, NORTH.
            () => return Some(node),
        };
        if depth > MAX_DEPTH {
            return None;
        }
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.chars().next()? {
                '"' => {
                    let body = &self.rest[1..];
                    // Two marks stand for one within a text.
                    let mut end = body.find('"')?;
                    while body[end + 1..].starts_with('"') {
                        end += 2 + body[end + 2..].find('"')?;
                    }
                    node.texts.push(&body[..end]);
                    self.rest = &body[end + 1..];
                }
                c if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => {
                    let end = self
                        .rest
                        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E')))
                        .unwrap_or(self.rest.len());
                    node.numbers.push(self.rest[..end].parse().ok()?);
                    self.rest = &self.rest[end..];
                }
                _ => node.children.push(self.node(depth + 1)?),
            }
            if self.skip(close) {
                return Some(node);
            }
            if !self.skip(',') {
                return None;
            }
        }
    }
}
