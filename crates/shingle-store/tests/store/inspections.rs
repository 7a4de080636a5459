//! The visit that a homeowner asks for, its photographs, and the link to the estimate.

use std::time::Duration;

use shingle_domain::answers::{AnswerChange, AnswersChange, ContactBy, Leak};
use shingle_domain::event::EventKind;
use shingle_domain::inspection::{Inspection, InspectionState, PhotoId, VisitDate, Wish};
use shingle_domain::lead::LeadStatus;
use shingle_domain::rules::InspectionWishes;
use shingle_domain::settings::DayPart;
use shingle_domain::{LeadId, Tenant};
use shingle_store::{HomeownerChange, OwnerChange, Store, StoreError};
use shingle_store_fixture::on_both_engines;

use crate::samples;

async fn lead(store: &Store, tenant: &Tenant) -> LeadId {
    let widget = samples::stored_widget(store, tenant, 1).await;
    store.leads().accept(tenant, widget, &samples::draft("Ann"), "1", b"1").await.unwrap().lead.id
}

fn wishes(part: DayPart, note: Option<&str>) -> InspectionWishes {
    InspectionWishes {
        wishes: vec![Wish { date: VisitDate::parse("2026-12-01").unwrap(), part }],
        contact_by: ContactBy::Email,
        note: note.map(str::to_owned),
    }
}

fn ask(wishes: InspectionWishes) -> HomeownerChange {
    HomeownerChange { inspection: Some(wishes), ..HomeownerChange::default() }
}

fn answer(state: InspectionState) -> OwnerChange {
    OwnerChange { inspection: Some(state), ..OwnerChange::default() }
}

async fn inspection(store: &Store, tenant: &Tenant, id: LeadId) -> Option<Inspection> {
    store.leads().find(tenant, id).await.unwrap().unwrap().inspection
}

async fn kinds(store: &Store, tenant: &Tenant, id: LeadId) -> Vec<EventKind> {
    store.deliveries().list_events(tenant, id.0).await.unwrap().into_iter().map(|event| event.kind).collect()
}

async fn photo(store: &Store, tenant: &Tenant, id: LeadId) -> PhotoId {
    let reserved = store.leads().reserve_photo(tenant, id, (640, 480, 9_000)).await.unwrap();
    store.leads().keep_photo(tenant, id, reserved.id).await.unwrap();
    reserved.id
}

on_both_engines! {
    async fn who_asks_for_a_visit_changes_the_lead_and_the_company_is_told(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = lead(&f.store, &tenant).await;
        let changed = f.store.leads().change_as_homeowner(&tenant, id, &ask(wishes(DayPart::Morning, Some("Dog")))).await.unwrap();
        let asked = changed.inspection.clone().unwrap();
        assert_eq!((asked.state, asked.note.as_deref(), asked.requested_at), (InspectionState::Asked, Some("Dog"), f.store.now()));
        assert_eq!(f.store.leads().find(&tenant, id).await.unwrap(), Some(changed));
        let both = [EventKind::LeadCreated, EventKind::LeadUpdated, EventKind::InspectionAsked];
        assert_eq!(kinds(&f.store, &tenant, id).await, both);

        f.clock.advance(Duration::from_secs(60));
        f.store.leads().change_as_homeowner(&tenant, id, &ask(wishes(DayPart::Morning, Some("Dog")))).await.unwrap();
        assert_eq!(kinds(&f.store, &tenant, id).await, both, "the same wishes again are one request");
        f.store.leads().change_as_homeowner(&tenant, id, &ask(wishes(DayPart::Evening, None))).await.unwrap();
        let again = inspection(&f.store, &tenant, id).await.unwrap();
        assert_eq!((again.wishes[0].part, again.note), (DayPart::Evening, None));
        assert_eq!(kinds(&f.store, &tenant, id).await.len(), 5);
    }

    async fn a_confirmed_visit_is_not_replaced_and_a_declined_one_may_be_asked_for_again(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = lead(&f.store, &tenant).await;
        let early = f.store.leads().change(&tenant, id, &answer(InspectionState::Confirmed)).await;
        assert!(matches!(early, Err(StoreError::NoInspection)));
        f.store.leads().change_as_homeowner(&tenant, id, &ask(wishes(DayPart::Morning, None))).await.unwrap();
        f.store.leads().change(&tenant, id, &answer(InspectionState::Confirmed)).await.unwrap();
        let other = f.store.leads().change_as_homeowner(&tenant, id, &ask(wishes(DayPart::Evening, None))).await;
        assert!(matches!(other, Err(StoreError::InspectionConfirmed)));
        let late = f.store.leads().reserve_photo(&tenant, id, (1, 1, 1)).await;
        assert!(matches!(late, Err(StoreError::InspectionConfirmed)));
        assert_eq!(inspection(&f.store, &tenant, id).await.unwrap().state, InspectionState::Confirmed);
        f.store.leads().change(&tenant, id, &answer(InspectionState::Declined)).await.unwrap();
        f.store.leads().change_as_homeowner(&tenant, id, &ask(wishes(DayPart::Morning, None))).await.unwrap();
        assert_eq!(inspection(&f.store, &tenant, id).await.unwrap().state, InspectionState::Asked);
    }

    async fn photographs_count_from_the_moment_they_are_written(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = lead(&f.store, &tenant).await;
        let early = photo(&f.store, &tenant, id).await;
        assert_eq!(kinds(&f.store, &tenant, id).await.len(), 1, "not sent yet");
        assert_eq!(f.store.leads().photo_path(&tenant, id, early).await.unwrap(), None, "nor the owner's to see");
        f.store.leads().change_as_homeowner(&tenant, id, &ask(wishes(DayPart::Morning, None))).await.unwrap();
        assert!(f.store.leads().photo_path(&tenant, id, early).await.unwrap().unwrap().starts_with("photos/"));
        f.clock.advance(Duration::from_secs(1));
        let half = f.store.leads().reserve_photo(&tenant, id, (1, 1, 1)).await.unwrap();
        assert_eq!(inspection(&f.store, &tenant, id).await.unwrap().photos.len(), 1);
        f.store.leads().keep_photo(&tenant, id, half.id).await.unwrap();
        let ids: Vec<_> = inspection(&f.store, &tenant, id).await.unwrap().photos.iter().map(|p| p.id).collect();
        assert_eq!(ids, [early, half.id]);
        assert_eq!(kinds(&f.store, &tenant, id).await.last(), Some(&EventKind::LeadUpdated));

        f.store.leads().remove_photo(&tenant, id, early).await.unwrap();
        assert_eq!(inspection(&f.store, &tenant, id).await.unwrap().photos.len(), 1);
        let removed = f.store.leads().removed_photos().await.unwrap();
        assert_eq!(removed.iter().map(|p| p.id).collect::<Vec<_>>(), [early]);
        f.store.leads().forget_photo(early).await.unwrap();
        f.store.leads().forget_photo(half.id).await.unwrap();
        assert!(f.store.leads().removed_photos().await.unwrap().is_empty());
        assert_eq!(f.store.leads().list_photos(&tenant, id).await.unwrap().len(), 1, "what is not removed is not forgotten");
        assert!(matches!(f.store.leads().remove_photo(&tenant, id, early).await, Err(StoreError::NotFound)));
    }

    async fn a_lead_has_at_most_five_photographs_also_when_they_arrive_at_once(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = lead(&f.store, &tenant).await;
        let arriving: Vec<_> = (0..8)
            .map(|_| {
                let store = f.store.clone();
                tokio::spawn(async move { store.leads().reserve_photo(&tenant, id, (1, 1, 1)).await })
            })
            .collect();
        let mut kept = 0;
        for one in arriving {
            match one.await.unwrap() {
                Ok(_) => kept += 1,
                Err(error) => assert!(matches!(error, StoreError::TooMany { max: 5 }), "{error}"),
            }
        }
        assert_eq!(kept, 5);
        f.clock.advance(Duration::from_secs(3_601));
        assert_eq!(f.store.leads().removed_photos().await.unwrap().len(), 5, "uploads that have stopped make room");
        photo(&f.store, &tenant, id).await;
    }

    async fn photographs_that_were_never_sent_and_those_of_an_erased_lead_are_removed(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = lead(&f.store, &tenant).await;
        let never_sent = photo(&f.store, &tenant, id).await;
        f.clock.advance(Duration::from_secs(3 * 24 * 3_600));
        assert_eq!(f.store.leads().removed_photos().await.unwrap()[0].id, never_sent);
        f.store.leads().forget_photo(never_sent).await.unwrap();
        let sent = photo(&f.store, &tenant, id).await;
        f.store.leads().change_as_homeowner(&tenant, id, &ask(wishes(DayPart::Morning, Some("Zebulon")))).await.unwrap();
        f.clock.advance(Duration::from_secs(90 * 24 * 3_600));
        assert!(f.store.leads().removed_photos().await.unwrap().is_empty());
        let path = f.store.leads().photo_path(&tenant, id, sent).await.unwrap().unwrap();
        f.store.leads().erase(&tenant, id).await.unwrap();
        let removed = f.store.leads().removed_photos().await.unwrap();
        assert_eq!((removed[0].id, &removed[0].path), (sent, &path));
        assert_eq!(f.store.leads().photo_path(&tenant, id, sent).await.unwrap(), None);
        assert!(f.store.deliveries().list_events(&tenant, id.0).await.unwrap().iter().all(|event| event.payload.is_none()));
    }

    async fn another_tenant_finds_no_photograph_and_revokes_no_link(f: Fixture) {
        let (tenant, other) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let id = lead(&f.store, &tenant).await;
        let sent = photo(&f.store, &tenant, id).await;
        f.store.leads().change_as_homeowner(&tenant, id, &ask(wishes(DayPart::Morning, None))).await.unwrap();
        assert_eq!(f.store.leads().photo_path(&other, id, sent).await.unwrap(), None);
        assert!(f.store.leads().list_photos(&other, id).await.unwrap().is_empty());
        assert!(matches!(f.store.leads().reserve_photo(&other, id, (1, 1, 1)).await, Err(StoreError::NotFound)));
        assert!(matches!(f.store.leads().remove_photo(&other, id, sent).await, Err(StoreError::NotFound)));
        assert!(matches!(f.store.leads().revoke_link(&other, id).await, Err(StoreError::NotFound)));
        assert_eq!(f.store.leads().link_version(&other, id).await.unwrap(), None);
    }

    async fn a_revoked_link_has_another_version_and_an_erased_lead_has_none(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = lead(&f.store, &tenant).await;
        assert_eq!(f.store.leads().link_version(&tenant, id).await.unwrap(), Some(1));
        f.store.leads().revoke_link(&tenant, id).await.unwrap();
        assert_eq!(f.store.leads().link_version(&tenant, id).await.unwrap(), Some(2));
        assert_eq!(kinds(&f.store, &tenant, id).await, [EventKind::LeadCreated]);
        f.store.leads().erase(&tenant, id).await.unwrap();
        assert_eq!(f.store.leads().link_version(&tenant, id).await.unwrap(), None);
        assert!(matches!(f.store.leads().revoke_link(&tenant, id).await, Err(StoreError::NotFound)));
    }

    async fn answers_are_kept_one_by_one(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = lead(&f.store, &tenant).await;
        let say = |changes| HomeownerChange { answers: Some(AnswersChange(changes)), ..HomeownerChange::default() };
        f.store.leads().change_as_homeowner(&tenant, id, &say(vec![AnswerChange::Leak(Some(Leak::Damage))])).await.unwrap();
        let note = AnswerChange::Note(Some("Since May".to_owned()));
        let changed = f.store.leads().change_as_homeowner(&tenant, id, &say(vec![note])).await.unwrap();
        assert_eq!((changed.answers.leak, changed.answers.note.as_deref()), (Some(Leak::Damage), Some("Since May")));
        let told = [EventKind::LeadCreated, EventKind::LeadUpdated, EventKind::LeadAnswered, EventKind::LeadUpdated];
        assert_eq!(kinds(&f.store, &tenant, id).await, told, "the people are told once");
        let taken_back = f.store.leads().change_as_homeowner(&tenant, id, &say(vec![AnswerChange::Leak(None)])).await.unwrap();
        assert_eq!((taken_back.answers.leak, taken_back.status), (None, LeadStatus::New));
    }
}
