//! WKT 2 (ISO 19162), which newer programs write, as PROJJSON: the two say the same in the same words.

use serde_json::{Value, json};

use crate::projjson;
use crate::wkt::{Node, ParsedCrs, crs_of, node_of, parse_crs};

/// Whether a text is WKT 2, and what it says.
pub fn parse(text: &str) -> Option<Wkt2> {
    let root = node_of(text)?;
    let root = match root.keyword.as_str() {
        // A height is not needed.
        "COMPOUNDCRS" => root.children.into_iter().next()?,
        _ => root,
    };
    is_wkt2(&root).then(|| Wkt2 { projjson: crs(&root), code: code(&root) })
}

fn is_wkt2(root: &Node<'_>) -> bool {
    ["PROJCRS", "PROJECTEDCRS", "BOUNDCRS"].contains(&root.keyword.as_str()) || is_geographic(root)
}

/// A system of either version as a proj string. `None` where a part of it is missing or not known.
pub fn proj_of(root: &Node<'_>) -> Option<ParsedCrs> {
    if is_wkt2(root) { parse_crs(&projjson::as_wkt(&crs(root)?)?).ok() } else { crs_of(root).ok() }
}

#[derive(Debug, PartialEq)]
pub struct Wkt2 {
    /// `None` where something in it is missing.
    pub projjson: Option<Value>,
    /// Its number by EPSG or Esri.
    pub code: Option<String>,
}

const GEOGRAPHIC: [&str; 6] = ["GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS", "BASEGEOGCRS", "BASEGEODCRS"];

fn is_geographic(node: &Node<'_>) -> bool {
    GEOGRAPHIC.contains(&node.keyword.as_str())
}

fn crs(node: &Node<'_>) -> Option<Value> {
    match node.keyword.as_str() {
        "PROJCRS" | "PROJECTEDCRS" => projected(node),
        "BOUNDCRS" => Some(json!({
            "type": "BoundCRS",
            "source_crs": crs(node.child("SOURCECRS")?.children.first()?)?,
            "transformation": operation(node.child("ABRIDGEDTRANSFORMATION")?, None)?,
        })),
        _ if is_geographic(node) => geographic(node),
        _ => None,
    }
}

fn geographic(node: &Node<'_>) -> Option<Value> {
    let datum = node.one_of(&["DATUM", "ENSEMBLE", "TRF", "GEODETICDATUM"])?;
    let ellipsoid = datum.one_of(&["ELLIPSOID", "SPHEROID"])?;
    let [a, rf, ..] = ellipsoid.numbers[..] else { return None };
    let unit = unit(ellipsoid).map_or(1.0, |(_, factor)| factor);
    Some(json!({
        "type": "GeographicCRS",
        "name": name(node),
        "datum": {
            "name": name(datum),
            "ellipsoid": {"name": name(ellipsoid), "semi_major_axis": a * unit, "inverse_flattening": rf},
            "prime_meridian": {"longitude": node.child("PRIMEM").and_then(|m| m.numbers.first()).copied().unwrap_or(0.0)},
        },
        "coordinate_system": axes(node),
    }))
}

fn projected(node: &Node<'_>) -> Option<Value> {
    let base = node.children.iter().find(|child| is_geographic(child))?;
    Some(json!({
        "type": "ProjectedCRS",
        "name": name(node),
        "base_crs": geographic(base)?,
        "conversion": operation(node.child("CONVERSION")?, axis_unit(node))?,
        "coordinate_system": axes(node),
    }))
}

/// A conversion or a transformation. Lengths without a unit are in that of the axes.
fn operation(node: &Node<'_>, length: Option<(&'static str, f64)>) -> Option<Value> {
    let parameter = |parameter: &Node<'_>| {
        let name = name(parameter);
        let is_length = ["easting", "northing"].iter().any(|word| name.to_ascii_lowercase().contains(word));
        let unit = unit(parameter).or(length.filter(|_| is_length));
        let mut out = json!({"name": name, "value": parameter.numbers.first()?});
        if let Some((kind, factor)) = unit {
            out["unit"] = json!({"type": kind, "conversion_factor": factor});
        }
        Some(out)
    };
    let parameters = node.children.iter().filter(|child| child.keyword == "PARAMETER").map(parameter);
    Some(json!({
        "method": {"name": name(node.one_of(&["METHOD", "PROJECTION"])?)},
        "parameters": parameters.collect::<Option<Vec<_>>>()?,
    }))
}

fn axes(node: &Node<'_>) -> Value {
    match axis_unit(node) {
        Some((kind, factor)) => json!({"axis": [{"unit": {"type": kind, "conversion_factor": factor}}]}),
        None => Value::Null,
    }
}

/// Of the first axis, or of all.
fn axis_unit(node: &Node<'_>) -> Option<(&'static str, f64)> {
    node.child("AXIS").and_then(unit).or_else(|| unit(node))
}

fn unit(node: &Node<'_>) -> Option<(&'static str, f64)> {
    let unit = node.one_of(&["LENGTHUNIT", "ANGLEUNIT", "SCALEUNIT", "UNIT"])?;
    let factor = *unit.numbers.first()?;
    let kind = match unit.keyword.as_str() {
        "ANGLEUNIT" => "AngularUnit",
        "UNIT" if name(unit).to_ascii_lowercase().contains("deg") => "AngularUnit",
        _ => "LinearUnit",
    };
    Some((kind, factor))
}

fn code(node: &Node<'_>) -> Option<String> {
    let id = node.child("ID")?;
    let authority = id.texts.first().filter(|a| a.eq_ignore_ascii_case("EPSG") || a.eq_ignore_ascii_case("ESRI"))?;
    let number = id.numbers.first().map(f64::to_string).or_else(|| id.texts.get(1).map(|text| (*text).to_owned()))?;
    Some(format!("{authority}:{number}"))
}

fn name(node: &Node<'_>) -> String {
    node.texts.first().copied().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use crate::projection::Projection;

    const DEGREE: &str = "ANGLEUNIT[\"degree\",0.0174532925199433]";

    /// As PROJ writes it.
    fn virginia(id: &str, datum: &str) -> String {
        let foot = "LENGTHUNIT[\"US survey foot\",0.304800609601219]";
        format!(
            r#"PROJCRS["NAD83 / Virginia South (ftUS)",
    BASEGEOGCRS["NAD83",{datum},PRIMEM["Greenwich",0,{DEGREE}],ID["EPSG",4269]],
    CONVERSION["SPCS83 Virginia South zone (US survey foot)",
        METHOD["Lambert Conic Conformal (2SP)",ID["EPSG",9802]],
        PARAMETER["Latitude of false origin",36.3333333333333,{DEGREE},ID["EPSG",8821]],
        PARAMETER["Longitude of false origin",-78.5,{DEGREE}],
        PARAMETER["Latitude of 1st standard parallel",37.9666666666667,{DEGREE}],
        PARAMETER["Latitude of 2nd standard parallel",36.7666666666667,{DEGREE}],
        PARAMETER["Easting at false origin",11482916.667,{foot}],
        PARAMETER["Northing at false origin",3280833.333,{foot}]],
    CS[Cartesian,2],AXIS["easting (X)",east,ORDER[1],{foot}],AXIS["northing (Y)",north,ORDER[2],{foot}],
    USAGE[SCOPE["Engineering survey, topographic mapping."],AREA["United States (USA) - Virginia - ""south"""],BBOX[36.54,-83.68,38.28,-75.31]]{id}]"#
        )
    }

    const NAD83: &str =
        r#"DATUM["North American Datum 1983",ELLIPSOID["GRS 1980",6378137,298.257222101,LENGTHUNIT["metre",1]]]"#;

    fn near(ours: &Projection, theirs: &Projection, x: f64, y: f64) {
        let (a, b) = (ours.degrees(x, y).unwrap(), theirs.degrees(x, y).unwrap());
        assert!((a.0 - b.0).abs() < 1e-7 && (a.1 - b.1).abs() < 1e-7, "{a:?} {b:?}");
    }

    #[test]
    fn a_projected_system_says_what_its_number_says() {
        let theirs = Projection::named("2284").unwrap();
        let old = virginia("", NAD83).replace("BASEGEOGCRS", "BASEGEODCRS").replace("LENGTHUNIT[\"US", "UNIT[\"US");
        for text in [
            virginia("", NAD83),
            virginia(",ID[\"EPSG\",2284]", NAD83),
            virginia(",ID[\"EPSG\",\"2284\",URI[\"urn:x\"]]", NAD83),
            old,
            virginia("", NAD83).replace('\n', "\r\n"),
            format!(
                "COMPOUNDCRS[\"x\",{},VERTCRS[\"NAVD88 height\",VDATUM[\"x\"],CS[vertical,1]]]",
                virginia("", NAD83)
            ),
            // What is not known of it, its number tells.
            virginia(",ID[\"EPSG\",2284]", NAD83)
                .replace("METHOD[\"Lambert Conic Conformal (2SP)\"", "METHOD[\"By hand\""),
        ] {
            near(&Projection::wkt(&text).unwrap(), &theirs, 12_092_000.0, 3_464_000.0);
        }
    }

    #[test]
    fn degrees_are_degrees_on_modern_datums_alone() {
        let geographic = |datum: &str| {
            format!(
                r#"GEOGCRS["x",{datum},PRIMEM["Greenwich",0,{DEGREE}],CS[ellipsoidal,2],AXIS["latitude",north,ORDER[1],{DEGREE}],AXIS["longitude",east,ORDER[2],{DEGREE}]]"#
            )
        };
        let ellipsoid = r#"ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]]"#;
        let clarke = r#"ELLIPSOID["Clarke 1866",6378206.4,294.978698213898]"#;
        for datum in [
            NAD83.to_owned(),
            format!("DATUM[\"World Geodetic System 1984\",{ellipsoid}]"),
            format!(
                "ENSEMBLE[\"World Geodetic System 1984 ensemble\",MEMBER[\"World Geodetic System 1984 (G2296)\"],{ellipsoid},ENSEMBLEACCURACY[2.0]]"
            ),
            format!("DYNAMIC[FRAMEEPOCH[2010]],TRF[\"ITRF2014\",{ellipsoid}]"),
        ] {
            assert!(matches!(Projection::wkt(&geographic(&datum)), Ok(Projection::Degrees)), "{datum}");
        }
        for named in ["Old Hawaiian", "Puerto Rico", "Guam 1963", "American Samoa 1962"] {
            let text = geographic(&format!("DATUM[\"{named}\",{clarke}]"));
            assert!(Projection::wkt(&text).unwrap_err().to_string().contains(named), "{named}");
            assert!(
                Projection::wkt(&virginia("", &format!("DATUM[\"{named}\",{clarke}]")))
                    .unwrap_err()
                    .to_string()
                    .contains(named)
            );
            let bound = format!(
                "BOUNDCRS[SOURCECRS[{text}],TARGETCRS[{}],ABRIDGEDTRANSFORMATION[\"x\",METHOD[\"Geocentric translations (geog2D domain)\"],\
                 PARAMETER[\"X-axis translation\",61],PARAMETER[\"Y-axis translation\",-285],PARAMETER[\"Z-axis translation\",-181]]]",
                geographic(NAD83)
            );
            let stated = Projection::named("+proj=longlat +ellps=clrk66 +towgs84=61,-285,-181").unwrap();
            near(&Projection::wkt(&bound).unwrap(), &stated, -157.75, 21.28);
        }
        let nad27 = geographic(&format!("DATUM[\"North American Datum 1927\",{clarke}]"));
        assert!(Projection::wkt(&nad27).unwrap_err().to_string().contains("NAD 27"));
        let paris = geographic(NAD83).replace("PRIMEM[\"Greenwich\",0", "PRIMEM[\"Paris\",2.33722917");
        assert!(Projection::wkt(&paris).unwrap_err().to_string().contains("Greenwich"));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for text in [
            virginia("", NAD83).replace("METHOD[\"Lambert Conic Conformal (2SP)\"", "METHOD[\"By hand\""),
            virginia("", NAD83).replace("Easting at false origin", "Easting of the church"),
            virginia("", "DATUM[\"North American Datum 1983\"]"),
            virginia("", "VDATUM[\"x\"]"),
            "GEOGCRS[\"x\"]".to_owned(),
            "PROJCRS[\"x\",BASEGEOGCRS[\"y\"]]".to_owned(),
            format!("BOUNDCRS[SOURCECRS[{}]]", virginia("", NAD83)),
        ] {
            let message = Projection::wkt(&text).unwrap_err().to_string();
            assert!(message.contains("a part of this WKT 2 is not known; set `crs`"), "{text}: {message}");
        }
    }
}
