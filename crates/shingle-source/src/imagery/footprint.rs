//! What each photograph of a catalog shows, and which of them a picture is asked of.

use serde::Deserialize;
use serde_json::{Map, Value};
use shingle_domain::aerial::PhotoDate;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::Position;

use super::date::date_of;
use super::fault::ImageryFault;
use super::grid::Tile;
use crate::area::Area;
use crate::ground_plan::GroundPlan;

/// Photographs that one picture is made of, at most: services have a limit of their own.
const MOST_AT_ONCE: usize = 16;
const DEGREES: u64 = 4326;

/// A photograph of the catalog.
#[derive(Debug, PartialEq)]
pub struct Footprint {
    id: i64,
    taken: Option<PhotoDate>,
    ground: GroundPlan,
    /// Of the ground.
    bounds: [f64; 4],
}

/// The photographs that a picture is asked of, and their date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub photographs: Vec<i64>,
    /// As exact as it is true of all of them; a day counts as its month.
    pub taken: PhotoDate,
}

impl Footprint {
    pub fn id(&self) -> i64 {
        self.id
    }

    /// A day counts as its month, as for what is shown of it.
    pub fn taken(&self) -> Option<PhotoDate> {
        self.taken.map(month_of)
    }

    pub fn holds(&self, longitude: f64, latitude: f64) -> bool {
        self.ground.holds(Position { longitude, latitude })
    }

    /// The newest photographs that show all of a tile: one of them, else several of one month, else of one year.
    pub fn newest_of(all: &[Self], tile: &Tile) -> Option<Shown> {
        let spots = tile.spots();
        let ([west, south], [east, north]) = (spots[0], spots[spots.len() - 1]);
        let is_near = |one: &&Self| {
            let [w, s, e, n] = one.bounds;
            w <= east && west <= e && s <= north && south <= n
        };
        let held = |one: &Self| spots.iter().map(|[x, y]| one.holds(*x, *y)).collect::<Vec<_>>();
        let near = all.iter().filter(is_near).filter_map(|one| Some((one, one.taken?, held(one))));
        let mut near: Vec<_> = near.filter(|(_, _, held)| held.contains(&true)).collect();
        near.cold_sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.id.cmp(&b.0.id)));
        let whole = near.iter().find(|(_, _, held)| !held.contains(&false));
        let mut found = whole.map(|(one, taken, _)| Shown { photographs: vec![one.id], taken: month_of(*taken) });
        for coarser in [month_of, year_of] {
            // A date comes more than once; the first that shows everything is the newest.
            for of in near.iter().map(|(_, taken, _)| coarser(*taken)) {
                // What one photograph shows is as new and more exact.
                if found.as_ref().is_some_and(|found| coarser(found.taken) >= of) {
                    break;
                }
                let same: Vec<_> = near.iter().filter(|(_, taken, _)| coarser(*taken) == of).collect();
                let all_held = (0..spots.len()).all(|spot| same.iter().any(|(_, _, held)| held[spot]));
                if all_held && same.len() <= MOST_AT_ONCE {
                    found = Some(Shown { photographs: same.iter().map(|(one, ..)| one.id).collect(), taken: of });
                    break;
                }
            }
        }
        found
    }
}

/// What is printed under a photograph has no day.
fn month_of(date: PhotoDate) -> PhotoDate {
    let month = date.month().map(|month| format!("{:04}-{month:02}", date.year()));
    month.and_then(|text| text.parse().ok()).unwrap_or(date)
}

fn year_of(date: PhotoDate) -> PhotoDate {
    format!("{:04}", date.year()).parse().unwrap_or(date)
}

/// An answer of a catalog.
#[derive(Debug)]
pub struct Listed {
    pub footprints: Vec<Footprint>,
    /// There are more.
    pub is_cut_off: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    features: Vec<Feature>,
    spatial_reference: Option<Reference>,
    #[serde(default)]
    exceeded_transfer_limit: bool,
}

#[derive(Deserialize)]
struct Reference {
    wkid: Option<u64>,
}

#[derive(Deserialize)]
struct Feature {
    #[serde(default)]
    attributes: Map<String, Value>,
    geometry: Option<Geometry>,
}

#[derive(Deserialize)]
struct Geometry {
    #[serde(default)]
    rings: GroundPlan,
}

impl Listed {
    pub fn parse(bytes: &[u8], date_fields: &[String]) -> Result<Self, ImageryFault> {
        let answer: Answer =
            serde_json::from_slice(bytes).map_err(|e| ImageryFault::NotACatalog { why: e.to_string() })?;
        // Some servers do not listen to what they are asked for.
        if let Some(system) = answer.spatial_reference.and_then(|of| of.wkid).filter(|wkid| *wkid != DEGREES) {
            return Err(ImageryFault::OtherSystem { system });
        }
        let footprints = answer.features.into_iter().filter_map(|feature| {
            let value = |name: &str| {
                feature.attributes.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
            };
            let ground = feature.geometry?.rings;
            Some(Footprint {
                id: value("OBJECTID")?.as_i64()?,
                taken: date_fields.iter().find_map(|field| date_of(value(field)?)),
                bounds: ground.bounds()?,
                ground,
            })
        });
        Ok(Self { footprints: footprints.collect(), is_cut_off: answer.exceeded_transfer_limit })
    }
}

/// The boxes about an area: one on each side of the antimeridian. West, south, east and north, in degrees.
pub fn boxes_of(area: &Area) -> Vec<[f64; 4]> {
    let mut sides: [Option<[f64; 4]>; 2] = [None, None];
    for (x, y) in area.corners().into_iter().flatten() {
        let side = &mut sides[usize::from(x > 0.0)];
        let [west, south, east, north] = side.unwrap_or([x, y, x, y]);
        *side = Some([west.min(x), south.min(y), east.max(x), north.max(y)]);
    }
    sides.into_iter().flatten().collect()
}

pub fn quarters([west, south, east, north]: [f64; 4]) -> [[f64; 4]; 4] {
    let (x, y) = ((west + east) / 2.0, (south + north) / 2.0);
    [[west, south, x, y], [x, south, east, y], [west, y, x, north], [x, y, east, north]]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::area::Circle;
    use crate::imagery::grid::Grid;

    fn fields() -> Vec<String> {
        ["acquisition_date", "Year"].map(str::to_owned).to_vec()
    }

    fn feature(id: i64, taken: &Value, [west, south, east, north]: [f64; 4]) -> Value {
        let ring = [[west, south], [west, north], [east, north], [east, south], [west, south]];
        json!({ "attributes": { "OBJECTID": id, "acquisition_date": taken }, "geometry": { "rings": [ring] } })
    }

    fn listed(features: Vec<Value>) -> Vec<Footprint> {
        let answer = json!({ "features": features, "spatialReference": { "wkid": 4326 } });
        Listed::parse(answer.to_string().as_bytes(), &fields()).unwrap().footprints
    }

    const TOWN: [f64; 4] = [-105.4, 39.9, -105.2, 40.1];
    const WEST: [f64; 4] = [-105.4, 39.9, -105.3, 40.1];
    const EAST: [f64; 4] = [-105.3, 39.9, -105.2, 40.1];

    /// A picture across the line between west and east.
    fn shown(features: Vec<Value>) -> Option<(Vec<i64>, String)> {
        let tile = Grid::at(40.0, 0.6, 1_000).tiles([[-105.3001, 40.0, -105.2999, 40.0001]]).pop().unwrap();
        Footprint::newest_of(&listed(features), &tile).map(|found| (found.photographs, found.taken.to_string()))
    }

    #[test]
    fn the_newest_photograph_that_shows_all_of_it_is_asked() {
        let of = |id, taken: &str, bounds| feature(id, &json!(taken), bounds);
        let found = |ids: &[i64], taken: &str| Some((ids.to_vec(), taken.to_owned()));
        assert_eq!(shown(vec![of(1, "2021-07-14", TOWN), of(2, "2023-08-01", TOWN)]), found(&[2], "2023-08"));
        assert_eq!(shown(vec![of(1, "2021-07-14", TOWN), of(2, "2023-08-01", WEST)]), found(&[1], "2021-07"));
        // Two that lie side by side: the date is what both have in common.
        assert_eq!(shown(vec![of(1, "2023-07-14", WEST), of(2, "2023-07-20", EAST)]), found(&[2, 1], "2023-07"));
        assert_eq!(shown(vec![of(1, "2023-07-14", WEST), of(2, "2023-09-20", EAST)]), found(&[2, 1], "2023"));
        assert_eq!(shown(vec![of(1, "2021-07-14", WEST), of(2, "2023-09-20", EAST)]), None, "no year is true of both");
        // An old one of all of it, and newer ones side by side.
        let both = || vec![of(1, "2023-07-14", WEST), of(2, "2023-07-20", EAST), of(3, "2019-06-01", TOWN)];
        assert_eq!(shown(both()), found(&[2, 1], "2023-07"));
        let newer = [both(), vec![of(4, "2023-06-30", TOWN)]].concat();
        assert_eq!(shown(newer), found(&[2, 1], "2023-07"));
        let as_new = [both(), vec![of(4, "2023-07-01", TOWN)]].concat();
        assert_eq!(shown(as_new), found(&[4], "2023-07"), "one photograph has no seam");
        assert_eq!(shown(vec![of(1, "2023", TOWN)]), found(&[1], "2023"));
        assert_eq!(shown(vec![feature(1, &Value::Null, TOWN)]), None, "no date");
        assert_eq!(shown(vec![of(1, "2023-07-14", [-84.0, 33.0, -83.0, 34.0])]), None, "elsewhere");
        assert_eq!(shown(vec![]), None);
    }

    #[test]
    fn a_catalog_is_read_whatever_else_it_says() {
        let text = json!({
            "objectIdFieldName": "objectid",
            "fields": [{ "name": "objectid", "type": "esriFieldTypeOID" }],
            "geometryType": "esriGeometryPolygon",
            "spatialReference": { "wkid": 4326, "latestWkid": 4326 },
            "exceededTransferLimit": true,
            "features": [
                { "attributes": { "objectid": 5, "YEAR": 2021, "acquisition_date": null },
                  "geometry": { "rings": [[[0, 0], [0, 1], [1, 1], [0, 0]]] } },
                { "attributes": { "OBJECTID": 7 }, "geometry": { "rings": [] } },
                { "attributes": { "Year": 2021 }, "geometry": { "rings": [] } },
                { "attributes": { "OBJECTID": 6 } },
            ],
        });
        let found = Listed::parse(text.to_string().as_bytes(), &fields()).unwrap();
        assert!(found.is_cut_off);
        let [one] = found.footprints.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.id(), one.taken().map(|date| date.to_string()).as_deref()), (5, Some("2021")));
        for (text, said) in [
            ("<html>", "is not a catalog"),
            ("{}", "features"),
            (r#"{"features":[],"spatialReference":{"wkid":102100}}"#, "other coordinates (EPSG:102100)"),
        ] {
            let why = Listed::parse(text.as_bytes(), &fields()).unwrap_err().to_string();
            assert!(why.contains(said), "{text}: {why}");
        }
    }

    #[test]
    fn an_area_has_a_box_on_each_side_of_the_antimeridian() {
        let circle = |latitude, longitude| Circle { latitude, longitude, miles: 20.0 };
        let boxes = boxes_of(&Area::new(vec![circle(40.0, -105.3), circle(40.1, -105.0)]));
        assert!(
            matches!(boxes[..], [[west, south, east, north]] if west < -105.6 && east > -104.7 && south < 39.8 && north > 40.3)
        );
        let adak = boxes_of(&Area::new(vec![circle(51.9, 179.9)]));
        assert_eq!(adak.len(), 2, "{adak:?}");
        assert_eq!(quarters([0.0, 0.0, 2.0, 4.0])[3], [1.0, 2.0, 2.0, 4.0]);
    }
}
