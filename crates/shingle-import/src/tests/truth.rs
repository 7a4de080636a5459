//! Areas against geodesics on the ellipsoid, whatever coordinates a file is in.

use geo::GeodesicArea;
use proj4rs::Proj;
use proj4rs::transform::transform;
use shingle_domain::evidence::Position;

use super::files::*;
use shingle_projection::EpsgSystem;
use shingle_property::geometry::LocalPlane;

/// Plans in meters: a house, an L, a U, a hall, a mall with a corner cut.
fn plans() -> Vec<Vec<(f64, f64)>> {
    let mut all = vec![
        vec![(0., 0.), (14., 0.), (14., 9.), (0., 9.)],
        vec![(0., 0.), (16., 0.), (16., 7.), (8., 7.), (8., 13.), (0., 13.)],
        vec![(0., 0.), (20., 0.), (20., 18.), (14., 18.), (14., 6.), (6., 6.), (6., 18.), (0., 18.)],
        vec![(0., 0.), (120., 0.), (120., 60.), (0., 60.)],
        vec![(0., 0.), (400., 0.), (400., 200.), (300., 260.), (0., 260.)],
    ];
    // None of them along the axes.
    for (i, ring) in all.iter_mut().enumerate() {
        let (sin, cos) = (0.4 + i as f64).sin_cos();
        ring.iter_mut().for_each(|p| *p = (p.0 * cos - p.1 * sin, p.0 * sin + p.1 * cos));
        ring.push(ring[0]);
    }
    all
}

#[test]
fn areas_agree_with_geodesics_to_a_thousandth_in_every_projection() {
    let degrees = Proj::from_proj_string("+proj=longlat +datum=WGS84 +no_defs").unwrap();
    let mut worst = 0.0_f64;
    // State planes in US feet (Lambert, Virginia South; transverse Mercator, Florida East) and in meters, UTM,
    // Web Mercator, degrees, an equal-area cone.
    for (crs, state, lon, lat) in [
        (2284, "VA", -76.3, 36.8),
        (2236, "FL", -80.3, 25.8),
        (26986, "MA", -71.1, 42.4),
        (26918, "VA", -76.3, 36.8),
        (32606, "AK", -149.9, 61.2),
        (3857, "AK", -149.9, 61.2),
        (3857, "VA", -76.3, 36.8),
        (5070, "OH", -82.5, 40.2),
        (4326, "HI", -157.8, 21.3),
    ] {
        let projected = (crs != 4326).then(|| Proj::from_proj_string(&EpsgSystem::of(crs).unwrap().proj).unwrap());
        let town = Town::new();
        let (mut houses, mut expected) = (Vec::new(), Vec::new());
        for (i, plan) in plans().into_iter().enumerate() {
            let at = Position { longitude: lon + i as f64 * 0.01, latitude: lat };
            let plane = LocalPlane::at(at);
            let places = plan.iter().map(|&(x, y)| plane.position(shingle_domain::evidence::Point { x, y }));
            let ring: Vec<(f64, f64)> = places.map(|p| (p.longitude, p.latitude)).collect();
            let line: geo::LineString<f64> = ring.iter().copied().collect();
            expected.push(geo::Polygon::new(line, Vec::new()).geodesic_area_signed().abs());
            let ring = ring.into_iter().map(|(x, y)| match &projected {
                None => (x, y),
                Some(to) => {
                    let mut point = (x.to_radians(), y.to_radians(), 0.0);
                    transform(&degrees, to, &mut point).unwrap();
                    (point.0, point.1)
                }
            });
            houses.push(House {
                parcel: "",
                number: (i + 1).to_string(),
                street: "TANNER STREET",
                ring: ring.collect(),
            });
        }
        let shp = town.shapefile("a.shp", &houses, None);
        let map = OUTLINES
            .replace("outline_kind = \"eave\"", &format!("outline_kind = \"eave\"\ncrs = {crs}"))
            .replace("\"OH\"", &format!("{state:?}"));
        let report = town.import(&map, &[&shp]).unwrap();
        assert_eq!(report.imported, 5, "{crs}: {report:#?}");
        for (i, expected) in expected.iter().enumerate() {
            let area = plan_area(&town.find(&format!("{} Tanner St, Harrow, {state} 43099", i + 1)).unwrap());
            let off = (area / expected - 1.0).abs();
            assert!(off < 1e-3, "EPSG {crs}, plan {i}: {area} is not {expected}");
            worst = worst.max(off);
        }
    }
    println!("45 areas in 9 projections agree with geodesics, the worst within {:.5} %", worst * 100.0);
}
