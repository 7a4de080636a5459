//! The release of the next month.

use std::fs::File;
use std::sync::Arc;

use shingle_app::areas::{AreaError, AreaRecord, AreaRefusal, AreaStage, LoadOptions, LoadWatch, Phase};
use shingle_source::Changes;

use crate::ground::{ACCEPTED, Ground};

#[test]
fn a_month_later_only_what_changed_changes_and_can_be_taken_back() {
    let ground = Ground::new();
    let first = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    assert!(first.current.as_ref().unwrap().layers.iter().all(|layer| layer.changes.is_none()));

    let mut homes = ground.homes.clone();
    // Ten go, one moves by a few meters, one is painted anew: its street has another name. Two are built.
    homes.drain(590..600);
    homes[3].longitude += 2e-5;
    homes[4].street = "Aspen Ct".to_owned();
    for (n, number) in [(0, 901), (1, 903)] {
        let mut new = homes[n].clone();
        (new.id, new.number, new.latitude) = (format!("new-{n}"), number, new.latitude - 4e-4);
        homes.push(new);
    }
    ground.publish("2026-11-18.0", &homes, |_| {});
    let second = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    let load = second.current.as_ref().unwrap();
    assert_eq!(load.release.as_str(), "2026-11-18.0");
    let changes: Vec<_> = load.layers.iter().map(|layer| layer.changes.unwrap()).collect();
    assert_eq!(changes[0], Changes { new: 2, gone: 10, moved: 1, changed: 1, same: 588 });
    assert_eq!(changes[1], Changes { new: 2, gone: 10, moved: 1, changed: 0, same: 589 });
    assert!(ground.roof("901 Alder Court, Boulder, CO 80302").is_some());
    assert!(ground.roof("18 Aspen Court, Boulder, CO 80302").is_some());
    assert!(ground.roof("18 Alder Court, Boulder, CO 80302").is_none());

    let undone = ground.areas.undo("80302").unwrap();
    assert_eq!((undone.current, undone.previous), (first.current, None));
    assert!(ground.roof("901 Alder Court, Boulder, CO 80302").is_none());
    assert!(ground.roof("18 Alder Court, Boulder, CO 80302").is_some());
    assert!(matches!(ground.areas.undo("80302"), Err(AreaError::Area(AreaRefusal::NothingBefore { .. }))));
}

#[test]
fn a_release_without_a_fifth_of_the_homes_waits_for_a_person() {
    let ground = Ground::new();
    let first = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    ground.publish("2026-11-18.0", &ground.homes[..400], |_| {});
    let shrunk = ground.load(ground.planned("80302", 3.0).unwrap());
    assert!(matches!(shrunk, Err(AreaError::Area(AreaRefusal::Shrinks { before: 600, after: 400 }))), "{shrunk:?}");
    assert_eq!(ground.areas.find("80302").unwrap().current, first.current);
    assert!(ground.roof("24 Dogwood Drive, Boulder, CO 80302").is_some());
    let options = LoadOptions { may_shrink: true, ..ACCEPTED };
    let taken = ground.load_with(ground.planned("80302", 3.0).unwrap(), options).unwrap();
    assert_eq!(taken.current.map(|load| load.rows.places), Some(400));
}

/// Whatever is written of the area fails from now on.
fn make_records_fail(ground: &Ground) -> std::path::PathBuf {
    let in_the_way = ground.context.settings.data.join("areas/area-80302/area.json.new");
    std::fs::create_dir(&in_the_way).unwrap();
    in_the_way
}

fn releases(record: &AreaRecord) -> [Option<&str>; 2] {
    [&record.current, &record.previous].map(|load| load.as_ref().map(|load| load.release.as_str()))
}

/// As if the program had ended between the two: the index is switched, and the record is not written.
#[test]
fn a_load_that_ends_before_its_record_is_written_is_what_look_ups_answer_from() {
    let ground = Ground::new();
    ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    ground.publish("2026-11-18.0", &ground.homes[..590], |_| {});
    let planned = ground.planned("80302", 3.0).unwrap();
    let (found, clock) = (ground.found("80302", 3.0), ground.context.clock.clone());
    // The switch waits for this lock.
    let switch = File::create(ground.context.settings.property().join("lock")).unwrap();
    switch.lock().unwrap();
    let watch = Arc::new(LoadWatch::default());
    let (ended, in_the_way) = Ground::running(async {
        let loading = ground.areas.load(found, planned, ACCEPTED, watch.clone(), clock.as_ref());
        let between = async {
            while watch.phase() != Phase::Importing {
                tokio::task::yield_now().await;
            }
            let in_the_way = make_records_fail(&ground);
            switch.unlock().unwrap();
            in_the_way
        };
        tokio::join!(loading, between)
    });
    assert!(matches!(ended, Err(AreaError::Area(AreaRefusal::Files { .. }))), "{ended:?}");
    std::fs::remove_dir(in_the_way).unwrap();
    let last = "68 Upper Dogwood Drive, Boulder, CO 80302";
    let of_now = ground.areas.find("80302").unwrap();
    assert_eq!(releases(&of_now), [Some("2026-11-18.0"), Some("2026-10-21.0")]);
    assert_eq!((&of_now.stage, of_now.current.as_ref().unwrap().rows.places), (&AreaStage::Ready, 590));
    assert!(ground.roof(last).is_none());
    // Taken back, it is the release before, in the record and in the index.
    assert_eq!(releases(&ground.areas.undo("80302").unwrap()), [Some("2026-10-21.0"), None]);
    assert!(ground.roof(last).is_some());
    // And a load after such an end keeps the release that look-ups really had.
    let again = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    assert_eq!(releases(&again), [Some("2026-11-18.0"), Some("2026-10-21.0")]);
}

#[test]
fn a_load_that_is_taken_back_before_its_record_is_written_is_taken_back() {
    let ground = Ground::new();
    ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    ground.publish("2026-11-18.0", &ground.homes[..590], |_| {});
    ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    let in_the_way = make_records_fail(&ground);
    assert!(matches!(ground.areas.undo("80302"), Err(AreaError::Area(AreaRefusal::Files { .. }))));
    std::fs::remove_dir(in_the_way).unwrap();
    assert_eq!(releases(&ground.areas.find("80302").unwrap()), [Some("2026-10-21.0"), None]);
    assert!(matches!(ground.areas.undo("80302"), Err(AreaError::Area(AreaRefusal::NothingBefore { .. }))));
    let again = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    assert_eq!(releases(&again), [Some("2026-11-18.0"), Some("2026-10-21.0")]);
    let undone = ground.areas.undo("80302").unwrap();
    assert_eq!(
        (releases(&undone), undone.current.as_ref().map(|l| l.rows.places)),
        ([Some("2026-10-21.0"), None], Some(600))
    );
}
