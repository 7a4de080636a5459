//! The refresh that nobody asks for, once a month.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use shingle_app::areas::{AreaError, AreaRecord, AreaRefusal, AreaStage, HeldWhy, LoadOptions};
use shingle_app::checks;
use shingle_domain::Timestamp;
use shingle_store::Clock;
use shingle_testing::bucket::Fault;

use crate::ground::{ACCEPTED, Ground};

/// Stands until it is turned.
struct Turned(AtomicI64);

impl Turned {
    fn to(&self, day: &str) {
        let at = Timestamp::parse_iso(&format!("{day}T12:00:00Z")).unwrap();
        self.0.store(at.micros(), Ordering::Relaxed);
    }
}

impl Clock for Turned {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::Relaxed))
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// An area with the release of October, loaded in October.
fn loaded() -> (Ground, Arc<Turned>) {
    let clock = Arc::new(Turned(AtomicI64::new(0)));
    clock.to("2026-10-25");
    let mut ground = Ground::new();
    ground.context.clock = clock.clone();
    ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    ground.bucket.take_requests();
    (ground, clock)
}

impl Ground {
    fn refresh_due(&self) -> AreaRecord {
        Self::running(self.areas.refresh_due(self.context.clock.as_ref()));
        self.areas.find("80302").unwrap()
    }

    fn check(&self) -> checks::CheckResult {
        let found = Self::running(checks::checks(&self.context));
        found.into_iter().find(|check| check.check == "areas").unwrap()
    }
}

fn release(record: &AreaRecord) -> &str {
    record.current.as_ref().unwrap().release.as_str()
}

#[test]
fn nothing_is_asked_until_it_is_switched_on_and_four_weeks_have_gone() {
    let (ground, clock) = loaded();
    ground.publish("2026-11-18.0", &ground.homes[..590], |_| {});
    clock.to("2026-12-24");
    assert!(!ground.areas.monthly());
    assert_eq!(release(&ground.refresh_due()), "2026-10-21.0");
    ground.areas.set_monthly(true).unwrap();
    assert!(ground.areas.monthly() && ground.other().monthly());
    clock.to("2026-11-17");
    assert_eq!(release(&ground.refresh_due()), "2026-10-21.0");
    assert!(ground.bucket.take_requests().is_empty());
    clock.to("2026-11-19");
    let record = ground.refresh_due();
    assert_eq!((release(&record), record.stage.clone()), ("2026-11-18.0", AreaStage::Ready));
    assert_eq!(record.previous.map(|load| load.release.to_string()).as_deref(), Some("2026-10-21.0"));
    assert!(ground.check().detail.to_string().contains("1 area, refreshed monthly"));
    ground.areas.set_monthly(false).unwrap();
    assert!(!ground.areas.monthly());
}

#[test]
fn a_source_without_news_is_asked_once_a_day() {
    let (ground, clock) = loaded();
    ground.areas.set_monthly(true).unwrap();
    let asked = || ground.bucket.take_requests().len();
    for (day, requests) in [("2026-11-20", 1), ("2026-11-20", 0), ("2026-11-21", 1)] {
        clock.to(day);
        assert_eq!(release(&ground.refresh_due()), "2026-10-21.0");
        assert_eq!(asked(), requests, "{day}");
    }
    // A source that does not answer is told, and asked again the next day.
    ground.bucket.fail("catalog.json", Fault::Status(403), 0, usize::MAX);
    clock.to("2026-11-22");
    let failed = ground.refresh_due().checked.unwrap().failed.unwrap().to_string();
    assert!(failed.contains("is refused"), "{failed}");
    let check = ground.check();
    assert!(check.ok && check.look && check.detail.to_string().contains("is refused"), "{check:?}");
    ground.bucket.release();
    ground.publish("2026-11-18.0", &ground.homes, |_| {});
    assert_eq!(release(&ground.refresh_due()), "2026-10-21.0");
    clock.to("2026-11-23");
    assert_eq!(release(&ground.refresh_due()), "2026-11-18.0");
    assert!(!ground.check().look);
}

#[test]
fn a_release_that_shrinks_or_was_taken_back_waits_and_the_next_one_does_not() {
    let (ground, clock) = loaded();
    ground.areas.set_monthly(true).unwrap();
    ground.publish("2026-11-18.0", &ground.homes[..400], |_| {});
    clock.to("2026-11-20");
    let held = ground.refresh_due();
    let why = held.held.as_ref().map(|held| (held.release.as_str(), held.why.clone()));
    assert_eq!(why, Some(("2026-11-18.0", HeldWhy::Shrinks { before: 600, after: 400 })));
    assert_eq!(release(&held), "2026-10-21.0");
    let check = ground.check();
    let told = check.detail.to_string();
    assert!(
        check.look && told.contains("the release 2026-11-18.0 waits, because the area would go from 600"),
        "{told}"
    );
    // What waits is not loaded again each day.
    ground.bucket.take_requests();
    clock.to("2026-11-21");
    ground.refresh_due();
    assert_eq!(ground.bucket.take_requests().len(), 1);

    ground.publish("2026-12-16.0", &ground.homes[..590], |_| {});
    clock.to("2026-12-17");
    let refreshed = ground.refresh_due();
    assert_eq!((release(&refreshed), &refreshed.held), ("2026-12-16.0", &None));
    let undone = ground.areas.undo("80302").unwrap();
    assert_eq!(undone.held.map(|held| held.why), Some(HeldWhy::TakenBack));
    clock.to("2026-12-18");
    assert_eq!(release(&ground.refresh_due()), "2026-10-21.0");
    assert!(!ground.check().look, "a person wanted it so");
    // A person may take it all the same.
    let taken = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    assert_eq!((release(&taken), &taken.held), ("2026-12-16.0", &None));
}

#[test]
fn a_license_that_changed_waits_until_it_is_accepted() {
    let (ground, clock) = loaded();
    let first = ground.areas.find("80302").unwrap();
    ground.areas.set_monthly(true).unwrap();
    ground.publish("2026-11-18.0", &ground.homes, |_| {});
    clock.to("2026-11-20");
    assert_eq!(ground.refresh_due().accepted_at, first.accepted_at, "the same license: the day stays");

    ground.publish("2026-12-16.0", &ground.homes, |_| {});
    ground.describe_text(|text| text.replace("Open Database License (ODbL 1.0)", "A License of 2027"));
    clock.to("2026-12-17");
    let waits = ground.refresh_due();
    let why = waits.held.as_ref().map(|held| held.why.to_string()).unwrap_or_default();
    assert!(why.contains("A License of 2027"), "{why}");
    assert_eq!((release(&waits), &waits.license, &waits.stage), ("2026-11-18.0", &first.license, &AreaStage::Ready));
    assert!(ground.check().look);
    let planned = || ground.planned("80302", 3.0).unwrap();
    let refused = ground.load_with(planned(), LoadOptions::default()).err().unwrap();
    assert!(matches!(refused, AreaError::Area(AreaRefusal::LicenseChanged { .. })), "{refused}");
    let accepted = ground.load_with(planned(), ACCEPTED).unwrap();
    assert_eq!((release(&accepted), &accepted.held), ("2026-12-16.0", &None));
    assert!(accepted.license.contains("A License of 2027"));
    assert_eq!(accepted.accepted_at, clock.now());
    // Nothing is loaded the first time either.
    let found = ground.found("80302", 4.0);
    ground.areas.remove("80302").unwrap();
    let first =
        Ground::running(ground.areas.load(found, planned(), LoadOptions::default(), Arc::default(), clock.as_ref()));
    assert!(matches!(first, Err(AreaError::Area(AreaRefusal::LicenseNotAccepted { .. }))), "{first:?}");
    assert!(ground.areas.list().is_empty());
}

#[test]
fn of_two_processes_one_does_it() {
    let (ground, clock) = loaded();
    ground.areas.set_monthly(true).unwrap();
    ground.publish("2026-11-18.0", &ground.homes[..590], |_| {});
    clock.to("2026-11-20");
    let other = ground.other();
    let held = ground.bucket.hold("11-18.0/theme=buildings", 1);
    let asked = || ground.bucket.take_requests().iter().filter(|request| request.path == "catalog.json").count();
    Ground::running(async {
        let meanwhile = async {
            tokio::task::spawn_blocking(move || held.wait()).await.unwrap();
            asked();
            other.refresh_due(clock.as_ref()).await;
            assert_eq!(asked(), 0, "the other process is at it");
            ground.bucket.release();
        };
        tokio::join!(ground.areas.refresh_due(clock.as_ref()), meanwhile);
    });
    asked();
    Ground::running(other.refresh_due(clock.as_ref()));
    assert_eq!(asked(), 0, "it is done");
    assert_eq!(release(&ground.areas.find("80302").unwrap()), "2026-11-18.0");
}

#[test]
fn the_chore_begins_it_in_the_background_and_a_server_that_ends_stops_it() {
    let (ground, clock) = loaded();
    ground.areas.set_monthly(true).unwrap();
    ground.publish("2026-11-18.0", &ground.homes[..590], |_| {});
    clock.to("2026-11-20");
    let areas = Arc::new(ground.other());
    let held = ground.bucket.hold("11-18.0/theme=buildings", 1);
    let stopped = Ground::running(async {
        areas.begin_monthly(clock.clone());
        tokio::task::spawn_blocking(move || held.wait()).await.unwrap();
        areas.stop_monthly();
        ground.bucket.release();
        while areas.find("80302").unwrap().stage == AreaStage::Working {
            tokio::task::yield_now().await;
        }
        areas.find("80302").unwrap()
    });
    assert!(
        matches!(&stopped.stage, AreaStage::Failed { said } if said.to_string().contains("stopped")),
        "{stopped:?}"
    );
    assert_eq!(release(&stopped), "2026-10-21.0");
    // The server that starts again goes on the next day.
    clock.to("2026-11-21");
    let areas = Arc::new(ground.other());
    let done = Ground::running(async {
        areas.begin_monthly(clock.clone());
        while release(&areas.find("80302").unwrap()) != "2026-11-18.0" {
            tokio::task::yield_now().await;
        }
        areas.find("80302").unwrap()
    });
    assert_eq!(done.current.map(|load| load.rows.places), Some(590));
}
