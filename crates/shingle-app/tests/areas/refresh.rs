//! The release of the next month.

use shingle_app::areas::{AreaError, AreaRefusal, LoadOptions};
use shingle_source::Changes;

use crate::ground::Ground;

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
    let options = LoadOptions { may_shrink: true };
    let taken = ground.load_with(ground.planned("80302", 3.0).unwrap(), options).unwrap();
    assert_eq!(taken.current.map(|load| load.rows.places), Some(400));
}
