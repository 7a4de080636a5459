//! What goes wrong between here and a source. Whatever it is, look-ups answer as before.

use std::sync::Arc;

use parquet::basic::{Compression, GzipLevel};
use shingle_app::OperatorError;
use shingle_app::areas::{AreaError, AreaRefusal, LoadWatch};
use shingle_source::SourceError;
use shingle_testing::bucket::{Fault, Held};
use shingle_testing::release::{Layout, ReleaseFiles};

use crate::ground::{ACCEPTED, Ground};

/// On a thread of its own: the load goes on meanwhile.
async fn held_now(held: Held) {
    tokio::task::spawn_blocking(move || held.wait()).await.unwrap();
}

const ADDRESSES: &str = "theme=addresses";
/// Requests of one file that pass before the fault: its end and the boxes of its groups are read by then.
const LATER: usize = 4;

#[test]
fn what_passes_is_asked_for_again_and_costs_nothing_but_requests() {
    let whole = Ground::new();
    let planned = whole.planned("80302", 3.0).unwrap();
    whole.load(planned).unwrap();
    let bytes = |ground: &Ground| ground.bucket.take_requests().iter().map(|r| r.bytes).sum::<u64>();
    let needed = bytes(&whole);
    for (fault, passing, times) in [
        (Fault::SlowDown, 0, 2),
        (Fault::Status(500), LATER, 2),
        (Fault::Status(503), LATER, 3),
        (Fault::CutAfter(100), LATER, 1),
        (Fault::Shorter(7), LATER, 1),
        (Fault::CutAfter(0), 0, 1),
    ] {
        let ground = Ground::new();
        ground.bucket.fail(ADDRESSES, fault.clone(), passing, times);
        let record = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
        let load = record.current.unwrap();
        assert_eq!((load.rows.places, load.repeated), (600, times as u64), "{fault:?}");
        let read = bytes(&ground);
        assert!(read < needed + needed / 2, "{fault:?}: {read} for {needed}");
    }
}

#[test]
fn what_lasts_is_told_and_changes_nothing() {
    let ground = Ground::new();
    let before = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    let is_as_before = |what: &str| {
        assert_eq!(ground.areas.find("80302").unwrap().current, before.current, "{what}");
        assert!(ground.roof("12 Alder Court, Boulder, CO 80302").is_some(), "{what}");
    };
    let mut month = 0;
    let mut failed = |fault: Fault, passing: usize, said: &str| {
        // Each with a release of its own: what was loaded is kept.
        month += 1;
        ground.publish(&format!("2027-{month:02}-01.0"), &ground.homes, |_| {});
        ground.bucket.fail(ADDRESSES, fault.clone(), passing, usize::MAX);
        let ended = ground.planned("80302", 3.0).and_then(|planned| ground.load(planned));
        let told = ended.expect_err(said).to_string();
        assert!(told.contains(said), "{fault:?}: {told}");
        ground.bucket.release();
        is_as_before(said);
    };
    failed(Fault::Status(403), 0, "is not there any more");
    failed(Fault::Status(404), LATER, "is not there any more");
    failed(Fault::SlowDown, LATER, "the server is busy (status 503)");
    failed(Fault::Status(451), LATER, "the server answers with status 451");
    failed(Fault::CutAfter(10), LATER, "bytes came");
    failed(Fault::Shorter(1), LATER, "bytes came");
    failed(Fault::NoRanges, 0, "does not send parts of a file");
}

#[test]
fn a_file_that_changes_while_it_is_read_is_begun_again() {
    let ground = Ground::new();
    let path = "release/2026-10-21.0/theme=addresses/type=address/part-00000.zstd.parquet";
    let same = ground.bucket.get(path).unwrap().to_vec();
    ground.bucket.fail(path, Fault::Replaced(same.clone()), LATER, 1);
    let planned = ground.planned("80302", 3.0).unwrap();
    let record = ground.load(planned).unwrap();
    assert_eq!(record.current.map(|load| load.rows.places), Some(600));

    ground.areas.remove("80302").unwrap();
    ground.bucket.fail(path, Fault::Replaced(same), 1, usize::MAX);
    let changing = ground.planned("80302", 3.0).and_then(|planned| ground.load(planned));
    assert!(matches!(changing, Err(AreaError::Source(SourceError::Changed { .. }))), "{changing:?}");
}

#[test]
fn a_file_of_another_form_or_with_pages_that_burst_is_refused_by_name() {
    let ground = Ground::new();
    ground.publish("2026-11-01.0", &ground.homes, |layout| layout.renamed = Some(("number", "house_number")));
    let renamed = ground.planned("80302", 3.0).err().unwrap();
    assert!(matches!(renamed, AreaError::Source(SourceError::NoColumn { ref column, .. }) if column == "number"));
    ground.publish("2026-11-02.0", &ground.homes, |layout| layout.corners = ["west", "east", "south", "north"]);
    let boxless = ground.planned("80302", 3.0).err().unwrap();
    assert!(matches!(boxless, AreaError::Source(SourceError::NoBoxes { .. })), "{boxless:?}");
    // Seventy megabytes of nothing, in seventy kilobytes.
    let layout =
        Layout { padded_geometry: 70 << 20, packing: Compression::GZIP(GzipLevel::default()), ..Layout::default() };
    let mut files = ReleaseFiles::default();
    files.add("2026-11-03.0", &ground.homes[..1], &layout).unwrap();
    files.publish(&ground.bucket, "2026-11-03.0").unwrap();
    let bomb = ground.planned("80302", 3.0).and_then(|planned| ground.load(planned)).err().unwrap();
    assert!(matches!(bomb, AreaError::Source(SourceError::TooLarge { .. })), "{bomb}");
    assert!(ground.roof("12 Alder Court, Boulder, CO 80302").is_none());
}

#[test]
fn nothing_there_is_said_of_the_sea_and_of_an_empty_area() {
    let ground = Ground::new();
    // Adak, on the other side of the antimeridian's neighborhood; and a ZIP of the plains, without a home in this release.
    for (zip, miles) in [("99546", 60.0), ("81050", 5.0)] {
        let none = ground.planned(zip, miles).err().unwrap();
        assert!(matches!(none, AreaError::Area(AreaRefusal::NothingThere { .. })), "{zip}: {none}");
    }
}

#[test]
fn a_source_at_a_private_address_is_not_asked() {
    let ground = Ground::with("");
    let refused = ground.planned("80302", 3.0).err().unwrap().to_string();
    assert!(refused.contains("egress_http"), "{refused}");
    let ground = Ground::with("egress_http = true");
    let refused = ground.planned("80302", 3.0).err().unwrap().to_string();
    assert!(refused.contains("is not on the public internet"), "{refused}");
    assert!(ground.bucket.take_requests().is_empty());
}

#[test]
fn of_two_that_work_on_one_area_the_second_is_told() {
    let ground = Ground::new();
    let held = ground.bucket.hold(ADDRESSES, LATER);
    let (first, second) = (ground.planned("80302", 3.0).unwrap(), ground.planned("80302", 3.0).unwrap());
    let found = ground.found("80302", 3.0);
    let clock = ground.context.clock.clone();
    let loaded = Ground::running(async {
        let watch = Arc::new(LoadWatch::default());
        let loading = ground.areas.load(found.clone(), first, ACCEPTED, watch, clock.as_ref());
        let other = async {
            held_now(held).await;
            let watch = Arc::new(LoadWatch::default());
            let busy = ground.areas.load(found.clone(), second, ACCEPTED, watch, clock.as_ref()).await;
            ground.bucket.release();
            busy
        };
        tokio::join!(loading, other)
    });
    assert!(loaded.0.is_ok(), "{:?}", loaded.0);
    assert!(matches!(loaded.1, Err(AreaError::Area(AreaRefusal::Busy { .. }))), "{:?}", loaded.1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_changes_nothing() {
    let ground = Ground::new();
    let before = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    ground.publish("2026-11-18.0", &ground.homes[..550], |_| {});
    let planned = ground.planned("80302", 3.0).unwrap();
    // The device that is always full, where the first file will be written.
    let name = before.current.as_ref().unwrap().folder.replace("2026-10-21.0", "2026-11-18.0");
    let folder = ground.context.settings.data.join("areas/area-80302").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.join("address-00000.part")).unwrap();
    let full = ground.load(planned).err().unwrap();
    assert!(matches!(full, AreaError::Source(SourceError::DiskFull { .. })), "{full}");
    assert!(OperatorError::from(full).to_string().contains("Free some disk"));
    assert_eq!(ground.areas.find("80302").unwrap().current, before.current);
    // With room again the same command does it.
    let done = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    assert_eq!(done.current.map(|load| load.rows.places), Some(550));
}

#[test]
fn what_was_stopped_goes_on_with_the_files_that_are_whole() {
    let ground = Ground::new();
    let held = ground.bucket.hold("theme=buildings", 1);
    let planned = ground.planned("80302", 3.0).unwrap();
    let found = ground.found("80302", 3.0);
    let clock = ground.context.clock.clone();
    let stopped = Ground::running(async {
        let watch = Arc::new(LoadWatch::default());
        let loading = ground.areas.load(found, planned, ACCEPTED, watch.clone(), clock.as_ref());
        let stopping = async {
            held_now(held).await;
            watch.stop();
            ground.bucket.release();
        };
        tokio::join!(loading, stopping).0
    });
    assert!(matches!(stopped, Err(AreaError::Source(SourceError::Stopped))), "{stopped:?}");
    ground.bucket.take_requests();
    let planned = ground.planned("80302", 3.0).unwrap();
    let planning = ground.bucket.take_requests().len();
    assert!(planning > 0);
    ground.load(planned).unwrap();
    let requests = ground.bucket.take_requests();
    assert!(requests.iter().all(|r| !r.path.contains(ADDRESSES)), "addresses were whole: {requests:?}");
}
