//! PROJJSON, in which GeoParquet writes coordinate systems, as the WKT that `.prj` files have.

use std::fmt::Write as _;

use serde_json::Value;

/// Names of PROJJSON's parameters, and what WKT calls them.
const PARAMETERS: [(&str, &str); 18] = [
    ("latitude of natural origin", "latitude_of_origin"),
    ("latitude of false origin", "latitude_of_origin"),
    ("latitude of projection centre", "latitude_of_origin"),
    ("longitude of natural origin", "central_meridian"),
    ("longitude of false origin", "central_meridian"),
    ("longitude of projection centre", "central_meridian"),
    ("longitude of origin", "central_meridian"),
    ("latitude of standard parallel", "standard_parallel_1"),
    ("latitude of 1st standard parallel", "standard_parallel_1"),
    ("latitude of 2nd standard parallel", "standard_parallel_2"),
    ("scale factor at natural origin", "scale_factor"),
    ("scale factor at projection centre", "scale_factor"),
    ("false easting", "false_easting"),
    ("easting at false origin", "false_easting"),
    ("easting at projection centre", "false_easting"),
    ("false northing", "false_northing"),
    ("northing at false origin", "false_northing"),
    ("northing at projection centre", "false_northing"),
];
const METHODS: [(&str, &str); 9] = [
    ("transverse mercator", "Transverse_Mercator"),
    ("lambert conic conformal (1sp)", "Lambert_Conformal_Conic_1SP"),
    ("lambert conic conformal (2sp)", "Lambert_Conformal_Conic_2SP"),
    ("albers equal area", "Albers_Conic_Equal_Area"),
    ("lambert azimuthal equal area", "Lambert_Azimuthal_Equal_Area"),
    ("popular visualisation pseudo mercator", "Popular_Visualisation_Pseudo_Mercator"),
    ("mercator (variant a)", "Mercator_1SP"),
    ("mercator (variant b)", "Mercator_2SP"),
    ("mercator", "Mercator"),
];

/// `None` where something in it is not known.
pub fn as_wkt(crs: &Value) -> Option<String> {
    let kind = text(crs, "type")?;
    if kind == "BoundCRS" {
        return bound(crs.get("source_crs")?, crs.get("transformation")?);
    }
    written(crs, kind, None)
}

fn bound(source: &Value, transformation: &Value) -> Option<String> {
    let method = text(transformation.get("method")?, "name")?.to_lowercase();
    // Turned the other way round.
    let sign = if method.contains("coordinate frame") { -1.0 } else { 1.0 };
    let value = |name: &str| {
        let all = transformation.get("parameters").and_then(Value::as_array).into_iter().flatten();
        let own = all.into_iter().find(|p| text(p, "name").is_some_and(|n| n.to_lowercase().starts_with(name)));
        own.and_then(|p| p.get("value")?.as_f64()).unwrap_or(0.0)
    };
    if !["position vector", "geocentric translation", "coordinate frame"].iter().any(|known| method.contains(known)) {
        return None;
    }
    let shift = [
        value("x-axis translation"),
        value("y-axis translation"),
        value("z-axis translation"),
        sign * value("x-axis rotation"),
        sign * value("y-axis rotation"),
        sign * value("z-axis rotation"),
        value("scale difference"),
    ];
    written(source, text(source, "type")?, Some(shift))
}

fn written(crs: &Value, kind: &str, shift: Option<[f64; 7]>) -> Option<String> {
    match kind {
        "GeographicCRS" | "GeodeticCRS" => geographic(crs, shift),
        "ProjectedCRS" => projected(crs, shift),
        _ => None,
    }
}

fn geographic(crs: &Value, shift: Option<[f64; 7]>) -> Option<String> {
    let datum = crs.get("datum").or_else(|| crs.get("datum_ensemble"))?;
    let ellipsoid = datum.get("ellipsoid")?;
    let a = number(ellipsoid.get("semi_major_axis").or_else(|| ellipsoid.get("radius"))?)?;
    let rf = match (ellipsoid.get("inverse_flattening"), ellipsoid.get("semi_minor_axis")) {
        (Some(rf), _) => number(rf)?,
        (None, Some(b)) => {
            let b = number(b)?;
            if b == a { 0.0 } else { a / (a - b) }
        }
        (None, None) => 0.0,
    };
    let meridian = datum.get("prime_meridian").and_then(|m| number(m.get("longitude")?)).unwrap_or(0.0);
    let degree = axis_unit(crs).unwrap_or(DEGREE);
    let shift =
        shift.map(|numbers| format!(",TOWGS84[{}]", numbers.map(|n| n.to_string()).join(","))).unwrap_or_default();
    Some(format!(
        "GEOGCS[\"{name}\",DATUM[\"{datum}\",SPHEROID[\"{ellipsoid}\",{a},{rf}]{shift}],PRIMEM[\"Greenwich\",{meridian}],\
         UNIT[\"degree\",{degree}]]",
        name = plain(crs),
        datum = plain(datum),
        ellipsoid = plain(ellipsoid),
    ))
}

fn projected(crs: &Value, shift: Option<[f64; 7]>) -> Option<String> {
    let conversion = crs.get("conversion")?;
    let method = text(conversion.get("method")?, "name")?.to_lowercase();
    let (_, method) = METHODS.iter().find(|(name, _)| *name == method)?;
    let unit = axis_unit(crs).unwrap_or(1.0);
    let mut out = format!(
        "PROJCS[\"{name}\",{base},PROJECTION[\"{method}\"]",
        name = plain(crs),
        base = geographic(crs.get("base_crs")?, shift)?
    );
    for parameter in conversion.get("parameters").and_then(Value::as_array).into_iter().flatten() {
        let name = text(parameter, "name")?.to_lowercase();
        let (_, name) = PARAMETERS.iter().find(|(known, _)| *known == name)?;
        let mut value = number(parameter.get("value")?)? * parameter.get("unit").map_or(Some(1.0), in_base_unit)?;
        if name.starts_with("false_") {
            // WKT counts them in the unit of the coordinates.
            value /= unit;
        }
        let _ = write!(out, ",PARAMETER[\"{name}\",{value}]");
    }
    let _ = write!(out, ",UNIT[\"unit\",{unit}]]");
    Some(out)
}

const DEGREE: f64 = 0.017_453_292_519_943_3;

/// Of lengths in meters, of angles in radians.
fn axis_unit(crs: &Value) -> Option<f64> {
    let unit = crs.get("coordinate_system")?.get("axis")?.get(0)?.get("unit")?;
    match unit.as_str() {
        Some("degree") => Some(DEGREE),
        Some(_) => Some(1.0),
        None => number(unit.get("conversion_factor")?),
    }
}

/// What one of it is in meters, degrees or of one.
fn in_base_unit(unit: &Value) -> Option<f64> {
    match unit.as_str() {
        Some(_) => Some(1.0),
        None => {
            let factor = number(unit.get("conversion_factor")?)?;
            Some(if text(unit, "type") == Some("AngularUnit") { factor / DEGREE } else { factor })
        }
    }
}

fn text<'v>(of: &'v Value, key: &str) -> Option<&'v str> {
    of.get(key)?.as_str()
}

/// A number, or a value with its unit.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.get("value")?.as_f64())
}

/// A name that cannot end the text around it.
fn plain(of: &Value) -> String {
    text(of, "name").unwrap_or("unnamed").chars().filter(|c| !matches!(c, '"' | '[' | ']')).take(80).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::projection::Projection;

    #[test]
    fn a_projected_system_says_what_its_number_says() {
        let foot = json!({"type": "LinearUnit", "name": "US survey foot", "conversion_factor": 0.304_800_609_601_219});
        let crs = json!({
            "type": "ProjectedCRS", "name": "NAD83 / Virginia South (ftUS)",
            "base_crs": {"name": "NAD83", "datum": {"name": "North American Datum 1983", "ellipsoid":
                {"name": "GRS 1980", "semi_major_axis": 6_378_137, "inverse_flattening": 298.257_222_101}}},
            "conversion": {"name": "x", "method": {"name": "Lambert Conic Conformal (2SP)"}, "parameters": [
                {"name": "Latitude of false origin", "value": 36.333_333_333_333_3, "unit": "degree"},
                {"name": "Longitude of false origin", "value": -78.5, "unit": "degree"},
                {"name": "Latitude of 1st standard parallel", "value": 37.966_666_666_666_7, "unit": "degree"},
                {"name": "Latitude of 2nd standard parallel", "value": 36.766_666_666_666_7, "unit": "degree"},
                {"name": "Easting at false origin", "value": 11_482_916.667, "unit": foot},
                {"name": "Northing at false origin", "value": 3_280_833.333, "unit": foot}]},
            "coordinate_system": {"subtype": "Cartesian", "axis": [{"name": "Easting", "unit": foot}, {"name": "Northing", "unit": foot}]}
        });
        let (ours, theirs) = (Projection::wkt(&as_wkt(&crs).unwrap()).unwrap(), Projection::named("2284").unwrap());
        let (a, b) =
            (ours.degrees(12_092_000.0, 3_464_000.0).unwrap(), theirs.degrees(12_092_000.0, 3_464_000.0).unwrap());
        assert!((a.0 - b.0).abs() < 1e-7 && (a.1 - b.1).abs() < 1e-7, "{a:?} {b:?}");
    }

    #[test]
    fn a_shift_that_is_bound_to_it_is_applied() {
        let source = json!({"type": "GeographicCRS", "name": "x", "datum": {"name": "Old Hawaiian", "ellipsoid":
            {"name": "Clarke 1866", "semi_major_axis": 6_378_206.4, "semi_minor_axis": 6_356_583.8}}});
        let refused = Projection::wkt(&as_wkt(&source).unwrap()).unwrap_err().to_string();
        assert!(refused.contains("Old Hawaiian"), "{refused}");
        let crs = json!({"type": "BoundCRS", "source_crs": source, "transformation": {
            "method": {"name": "Geocentric translations (geog2D domain)"}, "parameters": [
            {"name": "X-axis translation", "value": 61, "unit": "metre"}, {"name": "Y-axis translation", "value": -285},
            {"name": "Z-axis translation", "value": -181}]}});
        let bound = Projection::wkt(&as_wkt(&crs).unwrap()).unwrap();
        let stated = Projection::named("+proj=longlat +ellps=clrk66 +towgs84=61,-285,-181").unwrap();
        let (a, b) = (bound.degrees(-157.75, 21.28).unwrap(), stated.degrees(-157.75, 21.28).unwrap());
        assert!((a.0 - b.0).abs() < 1e-8 && (a.1 - b.1).abs() < 1e-8, "{a:?} {b:?}");
        assert!((a.0 + 157.75).abs() > 1e-3);
    }

    #[test]
    fn what_is_not_known_is_none() {
        for crs in [
            json!({}),
            json!({"type": "VerticalCRS"}),
            json!({"type": "GeographicCRS", "name": "x"}),
            json!({"type": "ProjectedCRS", "conversion": {"method": {"name": "Cassini-Soldner"}}}),
            json!({"type": "BoundCRS", "source_crs": {}, "transformation": {"method": {"name": "NTv2"}}}),
        ] {
            assert_eq!(as_wkt(&crs), None, "{crs}");
        }
    }
}
