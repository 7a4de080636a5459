//! Roofs from a laser survey, of which a bucket has the list and the octrees.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use shingle_app::areas::{AreaError, AreaOrder, AreaPlan, AreaRecord, AreaSurvey, LoadOptions, LoadWatch};
use shingle_domain::evidence::Place;
use shingle_domain::geometry::signed_area;
use shingle_domain::lookup::AddressInput;
use shingle_property::{Lookup, PropertyIndex, Reference};
use shingle_source::SourceError;
use shingle_testing::bucket::Fault;
use shingle_testing::release::town;
use shingle_testing::survey::{MadeSurvey, PITCH_DEGREES, list, survey_description};

use crate::ground::{ACCEPTED, Ground};

const BUILT_IN: &str = include_str!("../../../../assets/sources/usgs-lidar.toml");
/// West, south, east and north.
const BOULDER: [f64; 4] = [-106.0, 39.5, -104.5, 40.5];
const KANSAS: [f64; 4] = [-99.0, 38.0, -98.0, 39.0];
const NAME: &str = "CO_Boulder_2021";
const HOME: &str = "12 Alder Court, Boulder, CO 80302";
/// Homes that the survey flew over: the first of them.
const FLOWN: usize = 24;

/// The files of one survey, made once.
static FILES: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
    let homes = town("a", (-105.349, 40.025), 20, 30, ("80302", "Boulder", "CO"));
    MadeSurvey::over(&homes[..FLOWN], 6).files(NAME)
});

impl Ground {
    fn with_survey() -> Self {
        let ground = Self::new();
        ground.publish_survey();
        ground
    }

    fn publish_survey(&self) {
        for (path, bytes) in FILES.iter() {
            self.bucket.put(path, bytes.clone());
        }
        self.bucket.put("resources.geojson", list(&[(NAME, BOULDER)]));
        self.describe_survey(|text| text);
    }

    fn describe_survey(&self, change: impl Fn(String) -> String) {
        let text = change(survey_description(&self.bucket, BUILT_IN));
        let folder = self.context.settings.sources();
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("usgs-lidar.toml"), text).unwrap();
    }

    fn surveyed(&self) -> AreaPlan {
        let mut planned = self.planned("80302", 3.0).unwrap();
        Self::running(self.areas.plan_survey(&mut planned, Duration::from_secs(60)));
        planned
    }

    fn place(&self, line: &str) -> Place {
        let index = PropertyIndex::open(&self.context.settings.property(), Reference::built_in()).unwrap();
        match index.lookup(&AddressInput::Line(line.to_owned())).unwrap() {
            Lookup::Found { evidence, .. } => evidence.place,
            _ => panic!("{line} is not found"),
        }
    }

    /// The homes were loaded, whatever became of their roofs.
    fn loaded_with(&self, planned: AreaPlan, case: &str) -> AreaSurvey {
        let record = self.load(planned).unwrap();
        let load = record.current.unwrap();
        assert_eq!((load.rows.places, load.rows.with_outline), (600, 600), "{case}");
        assert!(record.extras.survey, "{case}: the switch is kept");
        let left = std::fs::read_dir(self.context.settings.data.join("areas/area-80302")).unwrap().flatten();
        let left: Vec<_> = left.filter(|entry| entry.file_name().to_string_lossy().starts_with("survey-")).collect();
        assert!(left.is_empty(), "{case}: points are left behind: {left:?}");
        load.survey.unwrap()
    }

    fn bytes_of_points(&self) -> u64 {
        self.bucket.take_requests().iter().filter(|r| r.path.contains("/ept-data/")).map(|r| r.bytes).sum()
    }
}

fn check_roof(place: &Place) {
    let outline = &place.buildings[0].outline;
    let survey = outline.survey.unwrap();
    assert_eq!(outline.planes.len(), 2, "{:?}", outline.planes);
    for plane in &outline.planes {
        assert!((plane.pitch_degrees - PITCH_DEGREES).abs() < 0.7, "{plane:?}");
    }
    // Web Mercator is 1.7 times as large here.
    let drawn: f64 = outline.parts.iter().map(|part| signed_area(&part.exterior).abs()).sum();
    let planes: f64 = outline.planes.iter().map(|plane| signed_area(&plane.ring).abs()).sum();
    assert!((planes / drawn - 1.0).abs() < 0.02, "{planes} of {drawn}");
    let source = &place.sources[usize::from(survey.source)];
    assert_eq!(source.title.as_deref(), Some("USGS 3D Elevation Program, CO_Boulder_2021"));
    assert_eq!((source.licence.as_deref(), source.as_of.as_deref()), (Some("public domain"), Some("2021-04-01")));
}

#[test]
fn roofs_are_measured_in_the_best_survey_of_which_only_a_part_is_read() {
    let ground = Ground::with_survey();
    let surveys = [("USGS_LPC_CO_Old_2014_LAS_2023", BOULDER), (NAME, BOULDER), ("KS_Statewide_2024", KANSAS)];
    ground.bucket.put("resources.geojson", list(&surveys));
    let planned = ground.surveyed();
    let plan = planned.survey.as_ref().unwrap().as_ref().unwrap();
    assert_eq!((plan.name.as_str(), plan.year), (NAME, Some(2021)));
    let all: u64 = FILES.iter().filter(|(path, _)| path.contains("/ept-data/")).map(|(_, b)| b.len() as u64).sum();
    let about = plan.bytes as f64 / all as f64;
    assert!((0.8..1.2).contains(&about), "the plan says {} of {all}", plan.bytes);
    let survey = ground.loaded_with(planned, "first");
    let read = ground.bytes_of_points();
    println!("{read} of {all} bytes of points were loaded: {:.2}", read as f64 / all as f64);
    assert!(read > 0 && read * 10 < all * 7, "{read} of {all}");
    assert_eq!((survey.name.as_deref(), survey.year, survey.roofs, survey.outlines), (Some(NAME), Some(2021), 24, 600));
    assert_eq!((&survey.failed, survey.missing), (&None, 0));
    let (why, count) = &survey.reasons[0];
    assert_eq!((why.to_string().as_str(), *count), ("the survey has no points there", 576));
    check_roof(&ground.place(HOME));
    assert!(ground.place("12 Cedar Street, Boulder, CO 80302").buildings[0].outline.survey.is_none());

    // The next release is measured too.
    ground.publish("2026-11-18.0", &ground.homes.clone(), |_| {});
    let record = ground.areas.find("80302").unwrap();
    assert!(AreaOrder::again(&record, LoadOptions::default()).extras.survey);
    assert_eq!(ground.loaded_with(ground.surveyed(), "again").roofs, 24);
    // Off again.
    let record = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    assert_eq!((record.extras.survey, record.current.and_then(|load| load.survey)), (false, None));
    assert!(ground.place(HOME).buildings[0].outline.survey.is_none());
}

#[test]
fn without_the_switch_no_survey_is_asked() {
    let ground = Ground::with_survey();
    let record = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    assert!(!record.extras.survey && record.current.unwrap().survey.is_none());
    let asked = ground.bucket.take_requests();
    assert!(asked.iter().all(|r| !r.path.contains("ept") && !r.path.contains("resources")), "{asked:?}");
}

type Spoil = fn(&Ground);

fn changed(ground: &Ground, path: &str, change: impl Fn(&str) -> String) {
    let path = format!("{NAME}/{path}");
    let text = String::from_utf8(ground.bucket.get(&path).unwrap().to_vec()).unwrap();
    ground.bucket.put(&path, change(&text));
}

/// The pages of an octree are known by then.
const DATA: &str = "/ept-data/";
const ALWAYS: usize = usize::MAX;

#[test]
fn whatever_is_wrong_with_a_survey_the_homes_are_loaded_and_it_is_said() {
    let cases: [(&str, Spoil); 20] = [
        ("there is nothing at", |g| g.bucket.remove("resources.geojson")),
        ("is not as expected", |g| g.bucket.put("resources.geojson", "{\"features\": 7}")),
        ("is not as expected", |g| g.bucket.put("resources.geojson", "<html>")),
        ("no public laser survey covers this area", |g| g.bucket.put("resources.geojson", list(&[(NAME, KANSAS)]))),
        ("no public laser survey covers this area", |g| g.bucket.put("resources.geojson", list(&[]))),
        ("the survey CO_Boulder_2021 could not be read", |g| g.bucket.remove(&format!("{NAME}/ept.json"))),
        ("could not be read: the EPT folder", |g| changed(g, "ept.json", |_| "{}".to_owned())),
        ("binary", |g| changed(g, "ept.json", |text| text.replace("laszip", "binary"))),
        ("gzip", |g| {
            changed(g, "ept.json", |text| text.replace("\"hierarchyType\":\"json\"", "\"hierarchyType\":\"gzip\""))
        }),
        // Its points lie in the sea, it says.
        ("has no points here", |g| {
            changed(g, "ept.json", |text| {
                let mut said: serde_json::Value = serde_json::from_str(text).unwrap();
                said["bounds"] = serde_json::json!([0, 0, 0, 1000, 1000, 1000]);
                said.to_string()
            });
        }),
        ("does not say where its points are", |g| {
            changed(g, "ept.json", |text| {
                let mut said: serde_json::Value = serde_json::from_str(text).unwrap();
                said["srs"] = serde_json::json!({});
                said.to_string()
            });
        }),
        ("page 0-0-0-0", |g| changed(g, "ept-hierarchy/0-0-0-0.json", |text| text[..text.len() / 2].to_owned())),
        ("has no place", |g| changed(g, "ept-hierarchy/0-0-0-0.json", |_| r#"{"../../secret":5}"#.to_owned())),
        ("larger than any honest one", |g| {
            let entry = |n: u32| format!("\"9-{}-{}-0\":1", n % 512, n / 512 % 512);
            let page = (0..600_000).map(entry).collect::<Vec<_>>().join(",");
            g.bucket.put(&format!("{NAME}/ept-hierarchy/0-0-0-0.json"), format!("{{{page}}}"));
        }),
        ("the server answers with status 301", |g| g.bucket.fail(NAME, Fault::Status(301), 0, ALWAYS)),
        ("the server is busy (status 503)", |g| g.bucket.fail(DATA, Fault::SlowDown, 1, ALWAYS)),
        ("files of the survey CO_Boulder_2021 are missing here", |g| {
            g.bucket.fail(DATA, Fault::Status(403), 1, ALWAYS)
        }),
        ("the answer was cut off", |g| g.bucket.fail(DATA, Fault::CutAfter(100), 1, ALWAYS)),
        ("files of the survey CO_Boulder_2021 are missing here", |g| {
            g.bucket.fail(DATA, Fault::Status(404), 1, ALWAYS)
        }),
        ("This is no survey", |g| {
            g.bucket.put(&format!("{NAME}/ept-data/0-0-0-0.laz"), "This is no survey".repeat(40));
        }),
    ];
    for (said, spoil) in cases {
        let ground = Ground::with_survey();
        spoil(&ground);
        let survey = ground.loaded_with(ground.surveyed(), said);
        let roofs = survey.roofs;
        let failed = survey.failed.unwrap_or_else(|| panic!("{said}: {roofs} roofs")).to_string();
        // What is no tile is known by its first letters.
        let said = if said == "This is no survey" { "not a LAS or LAZ file" } else { said };
        assert!(failed.contains(said), "{said}: {failed}");
        assert!(ground.roof(HOME).unwrap().1 > 50.0, "{said}");
        assert!(ground.place(HOME).buildings[0].outline.survey.is_none(), "{said}");
    }
}

#[test]
fn a_survey_at_a_private_address_is_not_asked() {
    let ground = Ground::with_survey();
    ground.describe_survey(|text| text.replace(&ground.bucket.url(), "http://10.0.0.7/"));
    let failed = ground.loaded_with(ground.surveyed(), "private").failed.unwrap().to_string();
    assert!(failed.contains("is not on the public internet"), "{failed}");
    ground.describe_survey(|text| text.replace("most_megabytes", "megabytes"));
    let failed = ground.loaded_with(ground.surveyed(), "described wrongly").failed.unwrap().to_string();
    assert!(failed.contains("the source usgs-lidar is described wrongly"), "{failed}");
}

#[test]
fn small_holes_and_servers_of_whole_files_cost_nothing_but_points() {
    let ground = Ground::with_survey();
    ground.bucket.fail(DATA, Fault::Status(404), 2, 1);
    let survey = ground.loaded_with(ground.surveyed(), "a hole");
    assert_eq!((survey.missing, &survey.failed), (1, &None));
    assert!(survey.roofs >= 20, "{survey:?}");

    let ground = Ground::with_survey();
    ground.bucket.fail(NAME, Fault::NoRanges, 0, ALWAYS);
    assert_eq!(ground.loaded_with(ground.surveyed(), "no ranges").roofs, 24);

    // A file that ends within its points.
    let ground = Ground::with_survey();
    let (path, bytes) =
        FILES.iter().filter(|(path, _)| path.contains("/ept-data/4-")).max_by_key(|f| f.1.len()).unwrap();
    ground.bucket.put(path, &bytes[..bytes.len() / 2]);
    let survey = ground.loaded_with(ground.surveyed(), "cut");
    assert!(survey.failed.is_none() && survey.roofs >= 20, "{survey:?}");

    // What passes is asked for again.
    let ground = Ground::with_survey();
    ground.bucket.fail(DATA, Fault::SlowDown, 3, 2);
    assert_eq!(ground.loaded_with(ground.surveyed(), "busy").roofs, 24);
}

#[test]
fn a_broken_survey_is_passed_over_for_the_next_best() {
    let ground = Ground::with_survey();
    ground.bucket.put("resources.geojson", list(&[("CO_Gone_2025", BOULDER), (NAME, BOULDER)]));
    let survey = ground.loaded_with(ground.surveyed(), "the newest is gone");
    assert_eq!((survey.name.as_deref(), survey.roofs), (Some(NAME), 24));
}

#[test]
fn a_silent_server_is_not_waited_for() {
    let ground = Ground::with_survey();
    let planned = ground.surveyed();
    let held = ground.bucket.hold(DATA, 0);
    let ground = Ground { areas: ground.other().with_survey_time(Duration::from_millis(300)), ..ground };
    let failed = ground.loaded_with(planned, "silent").failed.unwrap().to_string();
    held.wait();
    ground.bucket.release();
    assert!(failed.contains("did not come within"), "{failed}");

    let held = ground.bucket.hold("resources.geojson", 0);
    let mut planned = ground.planned("80302", 3.0).unwrap();
    Ground::running(ground.areas.plan_survey(&mut planned, Duration::from_millis(300)));
    held.wait();
    ground.bucket.release();
    let failed = ground.loaded_with(planned, "a silent list").failed.unwrap().to_string();
    assert!(failed.contains("the survey did not answer within"), "{failed}");
}

#[test]
fn more_points_than_an_area_may_take_are_left_out_level_by_level() {
    let ground = Ground::with_survey();
    // Half a meter between points is enough, and the next level would be too much.
    ground.describe_survey(|text| text.replace("most_megabytes = 3000", "most_megabytes = 1"));
    let planned = ground.surveyed();
    let plan = planned.survey.as_ref().unwrap().as_ref().unwrap();
    assert!(plan.bytes < 2_400_000, "{}", plan.bytes);
    let survey = ground.loaded_with(planned, "fewer levels");
    assert!(survey.failed.is_none() && survey.roofs > 12, "{survey:?}");
    assert!(ground.bytes_of_points() < 2_400_000);

    let ground = Ground::with_survey();
    ground.describe_survey(|text| text.replace("most_megabytes = 3000", "most_megabytes = 0"));
    let failed = ground.loaded_with(ground.surveyed(), "too large").failed.unwrap().to_string();
    assert!(failed.contains("choose fewer miles"), "{failed}");
}

#[test]
fn what_was_stopped_goes_on_with_the_points_that_are_there() {
    let ground = Ground::with_survey();
    let planned = ground.surveyed();
    ground.bucket.take_requests();
    let held = ground.bucket.hold(DATA, 10);
    let clock = ground.context.clock.clone();
    let stopped: Result<AreaRecord, AreaError> = Ground::running(async {
        let watch = Arc::new(LoadWatch::default());
        let found = ground.found("80302", 3.0);
        let loading = ground.areas.load(found, planned, ACCEPTED, watch.clone(), clock.as_ref());
        let stopping = async {
            tokio::task::spawn_blocking(move || held.wait()).await.unwrap();
            watch.stop();
            ground.bucket.release();
        };
        tokio::join!(loading, stopping).0
    });
    assert!(matches!(stopped, Err(AreaError::Source(SourceError::Stopped))), "{stopped:?}");
    let points = |ground: &Ground| {
        let requests = ground.bucket.take_requests().into_iter().filter(|r| r.path.contains(DATA) && r.bytes > 0);
        requests.map(|r| r.path).collect::<Vec<_>>()
    };
    let before = points(&ground);
    let planned = ground.surveyed();
    points(&ground);
    assert_eq!(ground.loaded_with(planned, "again").roofs, 24);
    let again = points(&ground);
    let twice = again.iter().filter(|path| before.contains(path)).count();
    // Those that were on their way when it was stopped.
    assert!(before.len() >= 10 && twice <= 8, "{twice} of {} came twice", before.len());
}
