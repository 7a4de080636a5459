//! Laser points as a layer: what a home's roof is like, measured in its outline.

use proj4rs::Proj;
use proj4rs::transform::transform;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::Survey;

use super::files::*;

const FOOT: f64 = 1200.0 / 3937.0;
const UTM: &str = "+proj=utm +zone=17 +ellps=GRS80 +units=m +no_defs";
/// Ohio North, in feet.
const STATE_PLANE: &str = "+proj=lcc +lat_0=39.6666666666667 +lon_0=-82.5 +lat_1=41.7 +lat_2=40.4333333333333 \
                           +x_0=600000 +y_0=0 +ellps=GRS80 +units=m +no_defs";

const POINTS: &str = "\n[layers.points]\nfiles = \"*.las\"\ntitle = \"Ohio survey\"\n";

/// A tile, as a survey delivers it.
struct Tile {
    proj: &'static str,
    /// In the file's keys.
    epsg: Option<u16>,
    /// Meters of a unit of the file, in the plane and in height.
    unit: f64,
    points: Vec<[f64; 3]>,
}

impl Tile {
    fn new(proj: &'static str, epsg: Option<u16>, unit: f64) -> Self {
        Self { proj, epsg, unit, points: Vec::new() }
    }

    /// Ground about a house, and over the house a height in meters by the shares of its width and depth.
    fn survey(&mut self, house: &House, height: impl Fn(f64, f64) -> f64) {
        let proj = Proj::from_proj_string(self.proj).unwrap();
        let degrees = Proj::from_proj_string("+proj=longlat +ellps=GRS80 +no_defs").unwrap();
        let (west, south) = house.ring[0];
        let (east, north) = house.ring[2];
        // Every third of a meter, from 3 m outside on.
        let (columns, rows) = (42 + 18, 33 + 18);
        for column in 0..columns {
            for row in 0..rows {
                let (u, v) = ((f64::from(column) - 8.6) / 42.0, (f64::from(row) - 8.4) / 33.0);
                let is_on = (0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v);
                let lon = west + u * (east - west);
                let lat = south + v * (north - south);
                let mut at = (lon.to_radians(), lat.to_radians(), 0.0);
                transform(&degrees, &proj, &mut at).unwrap();
                let z = 200.0 + if is_on { height(u, v) } else { 0.0 };
                self.points.push([at.0 / self.unit, at.1 / self.unit, z / self.unit]);
            }
        }
    }

    /// LAS 1.2, point format 1, with times of 2021-04-01.
    fn bytes(&self) -> Vec<u8> {
        let keys: Vec<u16> = match self.epsg {
            Some(code) => vec![1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, code],
            None => Vec::new(),
        };
        let vlr = if keys.is_empty() { 0 } else { 54 + 2 * keys.len() };
        let axis = |f: fn(f64, f64) -> f64, from: f64, axis: usize| self.points.iter().map(|p| p[axis]).fold(from, f);
        let mut out = vec![0; 227];
        out[..4].copy_from_slice(b"LASF");
        // Standard time.
        out[6] = 1;
        (out[24], out[25]) = (1, 2);
        out[94..96].copy_from_slice(&227_u16.to_le_bytes());
        out[96..100].copy_from_slice(&(227 + vlr as u32).to_le_bytes());
        out[100..104].copy_from_slice(&u32::from(vlr > 0).to_le_bytes());
        out[104] = 1;
        out[105..107].copy_from_slice(&28_u16.to_le_bytes());
        out[107..111].copy_from_slice(&(self.points.len() as u32).to_le_bytes());
        out[111..115].copy_from_slice(&(self.points.len() as u32).to_le_bytes());
        for (at, value) in (131..).step_by(8).zip([0.01, 0.01, 0.01, 0.0, 0.0, 0.0]) {
            let value: f64 = value;
            out[at..at + 8].copy_from_slice(&value.to_le_bytes());
        }
        for (number, at) in (0..3).zip((179..).step_by(16)) {
            out[at..at + 8].copy_from_slice(&axis(f64::max, f64::MIN, number).to_le_bytes());
            out[at + 8..at + 16].copy_from_slice(&axis(f64::min, f64::MAX, number).to_le_bytes());
        }
        if vlr > 0 {
            let mut head = vec![0; 54];
            head[2..17].copy_from_slice(b"LASF_Projection");
            head[18..20].copy_from_slice(&34_735_u16.to_le_bytes());
            head[20..22].copy_from_slice(&(2 * keys.len() as u16).to_le_bytes());
            out.extend(head);
            keys.iter().for_each(|key| out.extend(key.to_le_bytes()));
        }
        // Seconds since 1980-01-06, without a billion of them.
        let time = 1_301_270_400.0_f64 - 1e9;
        for point in &self.points {
            point.iter().for_each(|v| out.extend(((v * 100.0).round() as i32).to_le_bytes()));
            out.extend([0, 0, 0b00_001_001, 1, 0, 0, 0, 0]);
            out.extend(time.to_le_bytes());
        }
        out
    }
}

/// Falls to north and south from a ridge along the middle, 30 degrees, of a house 11.1 m deep.
fn gable(_: f64, v: f64) -> f64 {
    5.0 + (0.5 - (v - 0.5).abs()) * 11.1 * 30_f64.to_radians().tan()
}

fn houses() -> Vec<House> {
    vec![
        house("1", "14", "ALDER COURT", -82.51, 40.25),
        house("2", "16", "ALDER COURT", -82.509, 40.25),
        house("3", "18", "ALDER COURT", -82.508, 40.25),
    ]
}

/// A gable, a house that is gone, one that no tile covers.
fn town(tile: &mut Tile) -> Town {
    let town = Town::new();
    let houses = houses();
    tile.survey(&houses[0], gable);
    tile.survey(&houses[1], |_, _| 0.0);
    town.write("tile.las", tile.bytes());
    town.shapefile("homes.shp", &houses, Some(WGS84));
    town
}

fn import(town: &Town, map: &str) -> Result<crate::ImportReport, crate::error::ImportError> {
    town.import(map, &[&town.path("homes.shp"), &town.path("tile.las")])
}

fn check_gable(town: &Town, case: &str) {
    let home = town.find("14 Alder Ct, Harrow, OH 43099").unwrap();
    let outline = &home.buildings[0].outline;
    assert_eq!(outline.planes.len(), 2, "{case}: {:?}", outline.planes);
    let mut facing: Vec<f64> = outline.planes.iter().map(|p| (p.azimuth_degrees + 90.0) % 360.0).collect();
    facing.cold_sort_by(f64::total_cmp);
    // Of the true north: that of UTM is a degree off here.
    assert!((facing[0] - 90.0).abs() < 0.4 && (facing[1] - 270.0).abs() < 0.4, "{case}: {facing:?}");
    for plane in &outline.planes {
        assert!((plane.pitch_degrees - 30.0).abs() < 0.5, "{case}: {plane:?}");
    }
    let planes: f64 = outline.planes.iter().map(|p| shingle_domain::geometry::ring_area(&p.ring)).sum();
    assert!((planes / plan_area(&home) - 1.0).abs() < 0.01, "{case}: {planes}");
    let survey = outline.survey.unwrap();
    assert!((7.0..12.0).contains(&survey.points_per_sqm), "{case}: {survey:?}");
    let source = &home.sources[usize::from(survey.source)];
    assert_eq!(source.name, "test-outlines-survey");
    assert_eq!(source.title.as_deref(), Some("Ohio survey"));
    assert_eq!(source.as_of.as_deref(), Some("2021-04-01"), "{case}");
}

#[test]
fn a_roof_is_measured_in_its_outline_in_any_system_and_unit() {
    let with_crs = |crs: &str| format!("{OUTLINES}{POINTS}crs = {crs}\n");
    let cases = [
        ("UTM", Tile::new(UTM, Some(26_917), 1.0), format!("{OUTLINES}{POINTS}")),
        ("feet", Tile::new(STATE_PLANE, Some(3734), FOOT), format!("{OUTLINES}{POINTS}")),
        ("stated", Tile::new(UTM, None, 1.0), with_crs("26917")),
        ("stated in feet", Tile::new(STATE_PLANE, None, FOOT), with_crs("\"EPSG:3734\"")),
        ("said wrong", Tile::new(UTM, Some(26_910), 1.0), with_crs("26917")),
    ];
    for (case, mut tile, map) in cases {
        let town = town(&mut tile);
        let report = import(&town, &map).unwrap();
        let notes = said(&report.notes).join("\n");
        assert!(notes.contains("roofs measured: 1 of 3, in 1 file of laser points"), "{case}: {notes}");
        assert!(notes.contains("1 roof was not measured: the survey shows only ground"), "{case}: {notes}");
        assert!(notes.contains("1 roof was not measured: the survey has no points"), "{case}: {notes}");
        check_gable(&town, case);
        for gone in ["16 Alder Ct, Harrow, OH 43099", "18 Alder Ct, Harrow, OH 43099"] {
            let home = town.find(gone).unwrap();
            assert!(home.buildings[0].outline.planes.is_empty(), "{case}");
            assert_eq!(home.buildings[0].outline.survey, None::<Survey>);
            assert_eq!(home.sources.len(), 1, "a survey that measured nothing here is no source");
        }
    }
}

#[test]
fn tiles_that_do_not_say_where_they_are_need_a_crs() {
    let town = town(&mut Tile::new(UTM, None, 1.0));
    let error = import(&town, &format!("{OUTLINES}{POINTS}")).unwrap_err().to_string();
    assert!(error.contains("name their coordinate system, `[layers.points] crs"), "{error}");
    assert!(town.find("14 Alder Ct, Harrow, OH 43099").is_none(), "nothing was imported");
    let error = import(&town, &format!("{OUTLINES}{POINTS}crs = \"Ohio\"\n")).unwrap_err().to_string();
    assert!(error.contains("no EPSG number"), "{error}");
}

#[test]
fn a_tile_that_cannot_be_read_is_left_out_and_said() {
    let mut tile = Tile::new(UTM, Some(26_917), 1.0);
    let town = town(&mut tile);
    town.write("other.las", "LASF and no more");
    let map = format!("{OUTLINES}{POINTS}");
    let files = ["homes.shp", "other.las", "tile.las"].map(|name| town.path(name));
    let report = town.import(&map, &files.each_ref().map(|f| f.as_path())).unwrap();
    let notes = said(&report.notes).join("\n");
    assert!(notes.contains("other.las: left out: the file ends within its header"), "{notes}");
    check_gable(&town, "beside a bad tile");
    let alone = [&files[0], &files[1]].map(|f| f.as_path());
    let error = town.import(&map, &alone).unwrap_err().to_string();
    assert!(error.contains("ends within its header. Nothing was imported"), "{error}");
    check_gable(&town, "as before the import that failed");
}

#[test]
fn points_without_a_layer_are_refused_with_the_way_to_read_them() {
    let town = town(&mut Tile::new(UTM, Some(26_917), 1.0));
    let error = import(&town, OUTLINES).unwrap_err().to_string();
    assert!(error.contains("[layers.points] files"), "{error}");
    let error = town.import(&format!("{OUTLINES}{POINTS}"), &[&town.path("homes.shp")]).unwrap_err().to_string();
    assert!(error.contains("[layers.points]"), "{error}");
    let optional = format!("{OUTLINES}{POINTS}optional = true\n");
    assert_eq!(town.import(&optional, &[&town.path("homes.shp")]).unwrap().imported, 3);
}

#[test]
fn a_folder_of_tiles_is_named_like_a_file() {
    let town = town(&mut Tile::new(UTM, Some(26_917), 1.0));
    std::fs::create_dir(town.path("tiles")).unwrap();
    std::fs::rename(town.path("tile.las"), town.path("tiles/tile.las")).unwrap();
    let map = format!("{OUTLINES}{POINTS}").replace("*.las", "tiles");
    town.import(&map, &[&town.path("homes.shp"), &town.path("tiles")]).unwrap();
    check_gable(&town, "in a folder");
}

#[test]
fn a_draft_names_the_tiles() {
    let town = town(&mut Tile::new(UTM, Some(26_917), 1.0));
    let draft = crate::draft(&[town.path("homes.shp"), town.path("tile.las")]).unwrap();
    assert!(draft.mapping.contains("[layers.points]\nfiles = [\"*.las\"]"), "{}", draft.mapping);
    assert_eq!(draft.addressed, 3);
}
