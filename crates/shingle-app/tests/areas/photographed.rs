//! Photographs from the air of an area, from a service of our own that answers like the national one, and badly.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use shingle_app::aerial::{Catalog, folder};
use shingle_app::areas::{AreaError, AreaExtras, AreaOrder, AreaPhotos, AreaPlan, AreaRecord, LoadOptions, LoadWatch};
use shingle_source::SourceError;
use shingle_testing::bucket::Fault;
use shingle_testing::imagery::{
    PICTURE, Photograph, QUERY, imagery_description, jpeg, picture, publish, size, town, value,
};

use crate::ground::{ACCEPTED, Ground};

const BUILT_IN: &str = include_str!("../../../../assets/sources/usgs-naip.toml");
const AREA: &str = "area-80302";
/// West, south, east and north.
const BOULDER: [f64; 4] = [-106.0, 39.5, -104.5, 40.5];
const KANSAS: [f64; 4] = [-99.0, 38.0, -98.0, 39.0];
/// 2023-07-14 and 2021-09-02.
const NEW: (i64, u16) = (1_689_292_800_000, 2023);
const OLD: (i64, u16) = (1_630_540_800_000, 2021);
const ALWAYS: usize = usize::MAX;

impl Ground {
    fn with_imagery() -> Self {
        let ground = Self::new();
        ground.fly(&[Photograph::flown(1, OLD, BOULDER), Photograph::flown(2, NEW, BOULDER)]);
        ground.describe_imagery(|text| text);
        ground
    }

    /// Pictures of 240 m in place of 600 m, so that there are more of them.
    fn describe_small(&self) {
        self.describe_imagery(|text| text.replace("per_pixel = 3.0", "per_pixel = 1.2"));
    }

    fn fly(&self, photographs: &[Photograph]) {
        publish(&self.bucket, photographs, 1_000);
    }

    fn describe_imagery(&self, change: impl Fn(String) -> String) {
        let folder = self.context.settings.sources();
        std::fs::create_dir_all(&folder).unwrap();
        // As much ground in fewer pixels, which take less time.
        let text = imagery_description(&self.bucket, BUILT_IN);
        let text = text.replace("per_pixel = 0.6", "per_pixel = 3.0").replace("pixels = 1000", "pixels = 200");
        std::fs::write(folder.join("usgs-naip.toml"), change(text)).unwrap();
    }

    fn photographed(&self) -> AreaPlan {
        let mut planned = self.planned("80302", 3.0).unwrap();
        Self::running(self.areas.plan_photos(&mut planned, Duration::from_secs(60)));
        planned
    }

    /// The homes were loaded, whatever became of the photographs.
    fn loaded_photos(&self, planned: AreaPlan, case: &str) -> AreaPhotos {
        let record = self.load(planned).unwrap();
        let load = record.current.unwrap();
        assert_eq!((load.rows.places, load.rows.with_outline), (600, 600), "{case}");
        assert!(record.extras.photos, "{case}: the switch is kept");
        let left = self.context.settings.data.join("areas").join(AREA).join("photos");
        assert!(!left.exists(), "{case}: pictures are left behind");
        load.photos.unwrap()
    }

    /// Names and dates of the sets that are shown, and how many pictures they have.
    fn sets(&self) -> Vec<(String, String, usize)> {
        let catalog = Catalog::read(&self.aerial()).unwrap();
        catalog.sets.iter().map(|set| (set.name.clone(), set.taken.to_string(), set.pictures.len())).collect()
    }

    fn aerial(&self) -> PathBuf {
        folder(&self.context.settings.data)
    }

    /// What was asked for since the last time.
    fn pictures_asked(&self) -> Vec<String> {
        self.bucket.take_requests().into_iter().filter(|r| r.path == PICTURE).map(|r| r.query).collect()
    }
}

#[test]
fn the_homes_of_an_area_get_the_newest_photograph_with_its_own_date() {
    let ground = Ground::with_imagery();
    let planned = ground.photographed();
    let plan = planned.photos.as_ref().unwrap().as_ref().unwrap();
    assert_eq!((plan.title.as_str(), plan.taken.to_string().as_str()), ("USGS NAIP Plus", "2023-07"));
    assert!(plan.requests > 0 && plan.requests <= 600 && plan.bytes > 0, "{} {}", plan.requests, plan.bytes);
    let most = plan.requests;
    ground.bucket.take_requests();
    let said = ground.loaded_photos(planned, "first");
    let asked = ground.pictures_asked();
    assert!(!asked.is_empty() && asked.len() as u64 <= most, "{} of {most}", asked.len());
    for query in &asked {
        assert!(value(query, "mosaicRule").unwrap().contains("\"lockRasterIds\":[2]"), "{query}");
        let [wide, high] = size(query);
        assert!(wide <= 200 && high <= 200 && wide > 40 && high > 40, "{query}");
        let names: Vec<&str> = query.split('&').filter_map(|pair| pair.split('=').next()).collect();
        let allowed =
            ["f", "format", "compressionQuality", "bbox", "bboxSR", "imageSR", "size", "interpolation", "mosaicRule"];
        assert_eq!(names, allowed, "nothing else is said");
    }
    assert_eq!(said.taken.iter().map(ToString::to_string).collect::<Vec<_>>(), ["2023-07"]);
    assert_eq!(
        (said.pictures, said.missing, said.undated, said.beyond, &said.failed),
        (asked.len() as u64, 0, 0, 0, &None)
    );
    assert_eq!(ground.sets(), [(AREA.to_owned(), "2023-07".to_owned(), asked.len())]);
    let catalog = Catalog::read(&ground.aerial()).unwrap();
    assert_eq!(catalog.sets[0].credit, "USDA, public domain");
    // Every home lies in a picture, with the ground about it, as sharp as it was asked for.
    for home in &ground.homes {
        let (x, y) = (50.0 / (111_320.0 * home.latitude.to_radians().cos()), 50.0 / 111_132.0);
        let is_within = |[west, south, east, north]: [f64; 4]| {
            west <= home.longitude - x
                && home.longitude + x <= east
                && south <= home.latitude - y
                && home.latitude + y <= north
        };
        let of = catalog.sets[0].pictures.iter().find(|picture| is_within(picture.bounds));
        assert!((of.unwrap().meters_per_pixel - 3.0).abs() < 0.05, "{home:?}");
    }

    // The next release has newer photographs: they take the place of those before.
    ground.publish("2026-11-18.0", &ground.homes.clone(), |_| {});
    ground.fly(&[Photograph::flown(9, (1_752_451_200_000, 2025), BOULDER)]);
    let record = ground.areas.find("80302").unwrap();
    assert!(AreaOrder::again(&record, LoadOptions::default()).extras.photos);
    ground.loaded_photos(ground.photographed(), "again");
    assert_eq!(ground.sets()[0].1, "2025-07");
    // Taking the homes back leaves the photographs.
    ground.areas.undo("80302").unwrap();
    assert_eq!(ground.sets()[0].1, "2025-07");
    // Off again.
    let record = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    assert_eq!((record.extras, record.current.and_then(|load| load.photos)), (AreaExtras::default(), None));
    assert!(ground.sets().is_empty());
    ground.loaded_photos(ground.photographed(), "on");
    assert_eq!(ground.sets().len(), 1);
    ground.areas.remove("80302").unwrap();
    assert!(ground.sets().is_empty() && std::fs::read_dir(ground.aerial().join("pictures")).unwrap().next().is_none());
}

#[test]
fn without_the_switch_no_photograph_is_asked() {
    let ground = Ground::with_imagery();
    let record = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    assert!(!record.extras.photos && record.current.unwrap().photos.is_none());
    assert!(ground.bucket.take_requests().iter().all(|r| !r.path.contains("naip")));
}

#[test]
fn dates_are_those_of_what_each_picture_shows() {
    let ground = Ground::with_imagery();
    // Two flights side by side, with the line through the town.
    let [west, south, east, north] = BOULDER;
    let middle = -105.346;
    let photograph = |id, taken: &str, bounds| Photograph::new(id, json!({ "acquisition_date": taken }), bounds);
    ground.fly(&[
        photograph(1, "20230714", [west, south, middle + 0.01, north]),
        photograph(2, "20210902", [middle, south, east, north]),
    ]);
    let said = ground.loaded_photos(ground.photographed(), "two flights");
    let dates: Vec<_> = said.taken.iter().map(ToString::to_string).collect();
    assert_eq!(said.undated, 0, "{said:?}");
    assert_eq!(ground.sets().iter().map(|set| set.1.clone()).collect::<Vec<_>>(), dates);
    // A later load with one date leaves none of the other.
    ground.fly(&[Photograph::flown(3, NEW, BOULDER)]);
    ground.loaded_photos(ground.photographed(), "one flight");
    assert_eq!(ground.sets().len(), 1);
    // A line without an overlap, and no year that is true of both sides.
    ground.fly(&[
        photograph(1, "20230714", [west, south, middle, north]),
        photograph(2, "20210902", [middle, south, east, north]),
    ]);
    let said = ground.loaded_photos(ground.photographed(), "a seam");
    assert!(said.undated > 0 && said.failed.is_none(), "{said:?}");
    // Of one year.
    ground.fly(&[
        photograph(1, "20230714", [west, south, middle, north]),
        photograph(2, "20230902", [middle, south, east, north]),
    ]);
    let said = ground.loaded_photos(ground.photographed(), "a seam of one year");
    let dates: Vec<_> = said.taken.iter().map(ToString::to_string).collect();
    assert!(said.undated == 0 && dates.contains(&"2023".to_owned()), "{dates:?}");
}

type Spoil = fn(&Ground);

fn answers(ground: &Ground, with: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) {
    ground.bucket.answer(PICTURE, with);
}

fn error(code: u16, message: &str) -> String {
    json!({ "error": { "code": code, "message": message, "details": [] } }).to_string()
}

#[test]
fn whatever_is_wrong_with_the_photographs_the_homes_are_loaded_and_it_is_said() {
    let cases: [(&str, Spoil); 22] = [
        ("there is nothing at", |g| g.bucket.fail(QUERY, Fault::Status(404), 0, ALWAYS)),
        ("the answer is not a catalog", |g| g.bucket.answer(QUERY, |_| b"<html>".to_vec())),
        ("the service answers: Invalid field", |g| {
            g.bucket.answer(QUERY, |_| error(400, "Invalid field").into_bytes());
        }),
        ("asks for a token", |g| g.bucket.answer(QUERY, |_| error(499, "Token Required").into_bytes())),
        ("status 302", |g| g.bucket.fail(QUERY, Fault::Status(302), 0, ALWAYS)),
        ("has other coordinates (EPSG:102100)", |g| {
            g.bucket.answer(QUERY, |_| br#"{"features":[],"spatialReference":{"wkid":102100}}"#.to_vec());
        }),
        ("more photos here than any honest one", |g| {
            g.bucket.answer(QUERY, |_| br#"{"features":[],"exceededTransferLimit":true}"#.to_vec());
        }),
        ("has no photos here", |g| g.fly(&[])),
        ("has no photos here", |g| g.fly(&[Photograph::flown(1, NEW, KANSAS)])),
        ("does not say when", |g| g.fly(&[Photograph::new(1, json!({ "acquisition_date": null }), BOULDER)])),
        ("no photo shows all of a place", |g| {
            let bounds = [-105.3, 40.05, -105.299, 40.051];
            g.fly(&[Photograph::flown(1, NEW, bounds)]);
        }),
        ("is not a JPEG picture", |g| answers(g, |_| b"<html><body>Please wait</body></html>".to_vec())),
        ("is not a JPEG picture", |g| answers(g, |_| b"\x89PNG\r\n\x1a\n".to_vec())),
        ("is not a JPEG picture", |g| answers(g, |_| Vec::new())),
        ("the service answers: Unable to complete", |g| {
            answers(g, |_| error(400, "Unable to complete operation.").into_bytes());
        }),
        ("the service answers: Busy", |g| answers(g, |_| error(500, "Busy").into_bytes())),
        ("status 301", |g| g.bucket.fail(PICTURE, Fault::Status(301), 0, ALWAYS)),
        ("the server is busy (status 503)", |g| g.bucket.fail(PICTURE, Fault::SlowDown, 0, ALWAYS)),
        ("the answer was cut off", |g| g.bucket.fail(PICTURE, Fault::CutAfter(100), 0, ALWAYS)),
        ("a picture was cut off", |g| {
            answers(g, |query| {
                let whole = picture(query, town);
                whole[..whole.len() / 2].to_vec()
            });
        }),
        ("a picture of another size came (400 × 400)", |g| answers(g, |_| jpeg(&[90; 480_000], 400, 400))),
        ("show nothing", |g| answers(g, |query| picture(query, |_, _| [255; 3]))),
    ];
    for (said, spoil) in cases {
        let ground = Ground::with_imagery();
        spoil(&ground);
        let photos = ground.loaded_photos(ground.photographed(), said);
        let failed = photos.failed.unwrap_or_else(|| panic!("{said}: {}", photos.pictures)).to_string();
        assert!(failed.contains(said), "{said}: {failed}");
        assert!(!failed.contains("bbox"), "addresses of requests say nothing to a person: {failed}");
        assert!(ground.sets().is_empty(), "{said}");
        assert!(ground.roof("12 Alder Court, Boulder, CO 80302").unwrap().1 > 50.0, "{said}");
    }
}

#[test]
fn photographs_that_were_there_stay_where_new_ones_cannot_be_had() {
    let ground = Ground::with_imagery();
    ground.loaded_photos(ground.photographed(), "first");
    let before = ground.sets();
    answers(&ground, |_| b"<html>".to_vec());
    assert!(ground.loaded_photos(ground.photographed(), "again").failed.is_some());
    assert_eq!(ground.sets(), before);
}

#[test]
fn a_service_at_a_private_address_is_not_asked() {
    let ground = Ground::with_imagery();
    ground.describe_imagery(|text| text.replace(&ground.bucket.url(), "http://10.0.0.7/"));
    let failed = ground.loaded_photos(ground.photographed(), "private").failed.unwrap().to_string();
    assert!(failed.contains("is not on the public internet"), "{failed}");
    ground.describe_imagery(|text| text.replace("most_megabytes", "megabytes"));
    let failed = ground.loaded_photos(ground.photographed(), "described wrongly").failed.unwrap().to_string();
    assert!(failed.contains("the source usgs-naip is described wrongly"), "{failed}");
}

#[test]
fn what_passes_is_asked_again_and_a_hole_is_no_harm() {
    let ground = Ground::with_imagery();
    ground.bucket.fail(PICTURE, Fault::SlowDown, 0, 2);
    let said = ground.loaded_photos(ground.photographed(), "busy");
    assert_eq!((said.missing, &said.failed), (0, &None));
    let all = said.pictures;

    // One picture never comes, and one shows nothing: smaller ones, so that there are more than ten.
    let ground = Ground::with_imagery();
    ground.describe_small();
    ground.loaded_photos(ground.photographed(), "all");
    let asked = ground.pictures_asked();
    assert!(asked.len() as u64 > all && asked.len() > 10, "{}", asked.len());
    let (gone, blank) = (value(&asked[3], "bbox"), value(&asked[4], "bbox"));
    answers(&ground, move |query| match value(query, "bbox") {
        bbox if bbox == gone => error(503, "Try again").into_bytes(),
        bbox if bbox == blank => picture(query, |_, _| [0; 3]),
        _ => picture(query, town),
    });
    let said = ground.loaded_photos(ground.photographed(), "a hole");
    assert_eq!((said.missing, said.blank, said.pictures), (1, 1, asked.len() as u64 - 2));
    assert_eq!(said.failed, None);
}

#[test]
fn a_catalog_that_answers_a_part_is_asked_for_smaller_boxes() {
    let ground = Ground::with_imagery();
    let [west, south, east, north] = BOULDER;
    let strips = (0..40_u32).map(|n| {
        let (from, to) = (f64::from(n) / 40.0, f64::from(n + 1) / 40.0 + 0.02);
        let at = |part: f64| west + (east - west) * part;
        Photograph::flown(i64::from(n), NEW, [at(from), south, at(to), north])
    });
    publish(&ground.bucket, &strips.collect::<Vec<_>>(), 3);
    let planned = ground.photographed();
    let questions = ground.bucket.take_requests().iter().filter(|r| r.path == QUERY).count();
    assert!(questions > 1, "{questions}");
    let said = ground.loaded_photos(planned, "strips");
    assert_eq!((&said.failed, said.undated), (&None, 0));
}

#[test]
fn a_silent_service_is_not_waited_for_and_a_slow_one_is() {
    let ground = Ground::with_imagery();
    let planned = ground.photographed();
    let held = ground.bucket.hold(PICTURE, 0);
    let ground = Ground { areas: ground.other().with_photo_time(Duration::from_millis(300)), ..ground };
    let failed = ground.loaded_photos(planned, "silent").failed.unwrap().to_string();
    held.wait();
    ground.bucket.release();
    assert!(failed.contains("did not come within"), "{failed}");

    let held = ground.bucket.hold(QUERY, 0);
    let mut planned = ground.planned("80302", 3.0).unwrap();
    Ground::running(ground.areas.plan_photos(&mut planned, Duration::from_millis(300)));
    held.wait();
    ground.bucket.release();
    let failed = ground.loaded_photos(planned, "a silent catalog").failed.unwrap().to_string();
    assert!(failed.contains("the service of photos did not answer within"), "{failed}");

    let ground = Ground::with_imagery();
    let planned = ground.photographed();
    let held = ground.bucket.hold(PICTURE, 0);
    let releasing = std::thread::scope(|scope| {
        scope.spawn(|| {
            held.wait();
            ground.bucket.release();
        });
        ground.loaded_photos(planned, "slow")
    });
    assert_eq!((releasing.failed, releasing.missing), (None, 0));
}

#[test]
fn more_than_an_area_may_take_is_left_out_where_the_fewest_homes_are() {
    let ground = Ground::with_imagery();
    ground.describe_imagery(|text| text.replace("most_megabytes = 2000", "most_megabytes = 0"));
    let failed = ground.loaded_photos(ground.photographed(), "nothing may be loaded").failed.unwrap().to_string();
    assert!(failed.contains("allows no picture"), "{failed}");
    let ground = Ground::with_imagery();
    ground.describe_imagery(|text| {
        let text = text.replace("most_megabytes = 2000", "most_megabytes = 1");
        text.replace("per_pixel = 3.0", "per_pixel = 0.6").replace("most_pixels = 200", "most_pixels = 400")
    });
    // A grain that compresses badly.
    answers(&ground, |query| {
        picture(query, |x, y| {
            let mixed = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503).rotate_left(7)).to_le_bytes();
            [mixed[3], mixed[2], mixed[1]]
        })
    });
    let said = ground.loaded_photos(ground.photographed(), "some");
    assert!(said.pictures > 0 && said.beyond > 0 && said.bytes < 2_000_000, "{said:?}");
}

#[test]
fn what_was_stopped_goes_on_with_the_pictures_that_are_there() {
    let ground = Ground::with_imagery();
    ground.describe_small();
    let planned = ground.photographed();
    ground.bucket.take_requests();
    let held = ground.bucket.hold(PICTURE, 8);
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
    let before = ground.pictures_asked();
    let said = ground.loaded_photos(ground.photographed(), "again");
    let again = ground.pictures_asked();
    let twice = again.iter().filter(|query| before.contains(query)).count();
    // Those that were on their way when it was stopped.
    assert!(before.len() >= 8 && twice <= 8, "{twice} of {} came twice", before.len());
    assert!(said.failed.is_none() && said.pictures as usize >= again.len(), "{said:?}");
}
