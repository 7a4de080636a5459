//! WKT 1 and 2: the units, the number of the system, and what a projection is made of where it has no number.

use std::fmt::Write as _;

use super::system::{Horizontal, projected, vertical_of};
use super::units::Unit;
use crate::error::MeasureError;

const MAX_DEPTH: usize = 40;

#[derive(Debug, Default)]
pub struct Said {
    pub horizontal: Option<Result<Horizontal, MeasureError>>,
    pub vertical: Option<f64>,
}

#[derive(Debug)]
struct Node<'a> {
    keyword: String,
    texts: Vec<&'a str>,
    numbers: Vec<f64>,
    children: Vec<Node<'a>>,
}

impl Node<'_> {
    fn is(&self, keywords: &[&str]) -> bool {
        keywords.contains(&self.keyword.as_str())
    }

    fn child(&self, keywords: &[&str]) -> Option<&Self> {
        self.children.iter().find(|c| c.is(keywords))
    }

    fn code(&self) -> Option<u32> {
        let id = self.child(&["AUTHORITY", "ID"])?;
        let text = id.texts.get(1).and_then(|t| t.parse().ok());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float converts within bounds")]
        text.or_else(|| id.numbers.first().map(|n| *n as u32))
    }

    /// Beside the system, or in its axes.
    fn unit(&self) -> Option<Unit> {
        let units = ["UNIT", "LENGTHUNIT"];
        let unit = self.child(&units);
        let unit =
            unit.or_else(|| self.children.iter().filter(|c| c.is(&["AXIS", "CS"])).find_map(|a| a.child(&units)));
        let meters = *unit?.numbers.first()?;
        (1e-3..=1e4).contains(&meters).then_some(Unit { meters })
    }
}

const PROJECTED: [&str; 3] = ["PROJCS", "PROJCRS", "PROJECTEDCRS"];
const GEOGRAPHIC: [&str; 5] = ["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS"];
const VERTICAL: [&str; 4] = ["VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS"];

/// `None` where the text is not WKT.
pub fn parse(text: &str) -> Option<Said> {
    let mut parser = Parser { rest: text };
    let mut said = Said::default();
    // Esri writes two systems with a comma between them.
    loop {
        let root = parser.node(0)?;
        take(&root, &mut said);
        if !parser.skip(',') {
            return Some(said);
        }
    }
}

fn take(node: &Node<'_>, said: &mut Said) {
    if node.is(&VERTICAL) {
        let stated = node.unit().map(|u| u.meters).or_else(|| node.code().and_then(vertical_of));
        said.vertical = said.vertical.or(stated);
    } else if said.horizontal.is_none() && node.is(&PROJECTED) {
        said.horizontal = Some(horizontal(node));
    } else if said.horizontal.is_none() && node.is(&GEOGRAPHIC) {
        said.horizontal = Some(Ok(Horizontal::Degrees));
    } else if node.is(&["COMPD_CS", "COMPOUNDCRS", "BOUNDCRS", "SOURCECRS"]) {
        for child in &node.children {
            take(child, said);
        }
    }
}

fn horizontal(node: &Node<'_>) -> Result<Horizontal, MeasureError> {
    let unit = node.unit();
    if let Some(Ok(known)) = node.code().map(|code| projected(code, unit)) {
        return Ok(known);
    }
    let meters = unit.map_or(1.0, |u| u.meters);
    Ok(match proj(node, meters) {
        Some(proj) => Horizontal::Projected { meters, proj },
        None => Horizontal::Plane { meters },
    })
}

/// The projections of surveys: Lambert's and Mercator's. Others have their unit, not their place.
fn proj(node: &Node<'_>, meters: f64) -> Option<String> {
    let conversion = node.child(&["CONVERSION"]);
    let method = conversion.and_then(|c| c.child(&["METHOD"])).or_else(|| node.child(&["PROJECTION"]))?;
    let method = key(method.texts.first()?);
    let geographic = node.child(&["GEOGCS", "BASEGEOGCRS", "BASEGEODCRS"])?;
    let datum = geographic.child(&["DATUM", "ENSEMBLE"])?;
    let ellipsoid = datum.child(&["SPHEROID", "ELLIPSOID"])?;
    let &[a, rf, ..] = &ellipsoid.numbers[..] else { return None };
    let of = conversion.unwrap_or(node);
    let number = |names: &[&str]| {
        let is_named =
            |p: &&Node<'_>| p.is(&["PARAMETER"]) && p.texts.first().is_some_and(|t| names.contains(&&*key(t)));
        of.children.iter().find(is_named).and_then(|p| p.numbers.first()).copied()
    };
    let lat_0 = number(&["latitudeoforigin", "latitudeofnaturalorigin", "latitudeoffalseorigin", "latitudeofcenter"]);
    let lon_0 =
        number(&["centralmeridian", "longitudeofnaturalorigin", "longitudeoffalseorigin", "longitudeofcenter"])?;
    let lat_1 = number(&["standardparallel1", "latitudeof1ststandardparallel"]);
    let lat_2 = number(&["standardparallel2", "latitudeof2ndstandardparallel"]);
    let k = number(&["scalefactor", "scalefactoratnaturalorigin"]).unwrap_or(1.0);
    // The false origin is in the unit of the system.
    let x_0 = number(&["falseeasting", "eastingatfalseorigin"]).unwrap_or(0.0) * meters;
    let y_0 = number(&["falsenorthing", "northingatfalseorigin"]).unwrap_or(0.0) * meters;
    let lat_0 = lat_0.unwrap_or(0.0);
    let mut out = if method.contains("transversemercator") || method.contains("gausskruger") {
        format!("+proj=tmerc +lat_0={lat_0} +lon_0={lon_0} +k={k}")
    } else if method.contains("lambertconformalconic") {
        match (lat_1, lat_2) {
            (Some(one), Some(two)) => format!("+proj=lcc +lat_1={one} +lat_2={two} +lat_0={lat_0} +lon_0={lon_0}"),
            (one, _) => {
                format!("+proj=lcc +lat_1={} +lat_0={lat_0} +lon_0={lon_0} +k_0={k}", one.unwrap_or(lat_0))
            }
        }
    } else if method.contains("albers") {
        format!("+proj=aea +lat_1={} +lat_2={} +lat_0={lat_0} +lon_0={lon_0}", lat_1?, lat_2?)
    } else if method.contains("auxiliarysphere") || method.contains("pseudomercator") {
        return Some(
            "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +nadgrids=@null".to_owned(),
        );
    } else {
        return None;
    };
    let shape = if rf == 0.0 { format!("+b={a}") } else { format!("+rf={rf}") };
    // Writing to a text does not fail.
    let _ = write!(out, " +x_0={x_0} +y_0={y_0} +a={a} {shape} +no_defs");
    Some(out)
}

/// Dialects differ in spaces, underlines and capitals.
fn key(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn skip(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
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
                    let end = body.find('"')?;
                    node.texts.push(&body[..end]);
                    self.rest = &body[end + 1..];
                    // Two marks within a text stand for one: the text is cut there, which costs no number.
                    while let Some(rest) = self.rest.strip_prefix('"') {
                        self.rest = &rest[rest.find('"')? + 1..];
                    }
                }
                c if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => {
                    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
                    let end = self.rest.find(|c: char| !is_part(c)).unwrap_or(self.rest.len());
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
