use std::collections::HashSet;
use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::lead::{ContactTime, LeadStatus};
use shingle_domain::roof::RoofMaterial;
use shingle_domain::{LeadId, Tenant, Timestamp, WidgetId};
use shingle_store::{Cursor, HomeownerChange, LeadFilter, OwnerChange, Store, StoreError};
use shingle_store_fixture::{on_both_engines, stored_bytes};
use uuid::Uuid;

use crate::samples;

async fn lead(store: &Store, tenant: &Tenant, widget: WidgetId, name: &str) -> LeadId {
    store.leads().accept(tenant, widget, &samples::draft(name), name, name.as_bytes()).await.unwrap().lead.id
}

on_both_engines! {
    async fn a_list_is_walked_once_through_while_leads_come_in(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let mut expected = vec![];
        for number in 0..23 {
            // Several in one millisecond: the place must not be lost among equals.
            if number % 5 == 0 {
                f.clock.advance(Duration::from_micros(1_300));
            }
            expected.push(lead(&f.store, &tenant, widget, &format!("p{number}")).await);
        }
        let (mut seen, mut cursor, mut pages) = (vec![], None::<Cursor>, 0);
        loop {
            let page = f.store.leads().list(&tenant, &LeadFilter::default(), cursor, 4).await.unwrap();
            assert!(page.leads.len() <= 4);
            seen.extend(page.leads.iter().map(|l| l.id));
            pages += 1;
            f.clock.advance(Duration::from_secs(1));
            lead(&f.store, &tenant, widget, &format!("late{pages}")).await;
            let Some(next) = page.next else { break };
            cursor = Some(next.to_string().parse().unwrap());
        }
        assert_eq!(pages, 6);
        assert_eq!(seen.len(), 23, "each once");
        assert_eq!(seen.iter().collect::<HashSet<_>>(), expected.iter().collect());
        let all = f.store.leads().list(&tenant, &LeadFilter::default(), None, 500).await.unwrap();
        assert!(all.leads.is_sorted_by_key(|l| std::cmp::Reverse(l.created_at)), "newest first");
        assert_eq!((all.leads.len(), all.next), (29, None));
    }

    async fn a_page_that_just_fits_is_the_last(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        for name in ["a", "b"] {
            lead(&f.store, &tenant, widget, name).await;
        }
        let page = f.store.leads().list(&tenant, &LeadFilter::default(), None, 2).await.unwrap();
        assert_eq!((page.leads.len(), page.next), (2, None));
    }

    async fn new_leads_are_counted_to_a_hundred_and_others_are_not(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let other = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        assert_eq!(f.store.leads().count_new(&tenant).await.unwrap(), 0);
        let first = lead(&f.store, &tenant, widget, "a").await;
        let second = lead(&f.store, &tenant, widget, "b").await;
        lead(&f.store, &tenant, widget, "c").await;
        f.store
            .leads()
            .change(&tenant, first, &OwnerChange { status: Some(LeadStatus::Won), ..OwnerChange::default() })
            .await
            .unwrap();
        f.store.leads().erase(&tenant, second).await.unwrap();
        assert_eq!(f.store.leads().count_new(&tenant).await.unwrap(), 1);
        assert_eq!(f.store.leads().count_new(&other).await.unwrap(), 0);
        for number in 0..101 {
            lead(&f.store, &tenant, widget, &format!("p{number}")).await;
        }
        assert_eq!(f.store.leads().count_new(&tenant).await.unwrap(), 100);
    }

    async fn a_list_can_be_narrowed(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (first, second) = (samples::stored_widget(&f.store, &tenant, 1).await, samples::stored_widget(&f.store, &tenant, 2).await);
        let a = lead(&f.store, &tenant, first, "a").await;
        let b = lead(&f.store, &tenant, second, "b").await;
        f.clock.set("2026-03-11T00:00:00Z");
        let c = lead(&f.store, &tenant, first, "c").await;
        f.store.leads().change(&tenant, b, &OwnerChange { status: Some(LeadStatus::Won), ..OwnerChange::default() }).await.unwrap();
        let midnight = Timestamp::parse_iso("2026-03-11T00:00:00Z");
        let all = LeadFilter::default();
        for (filter, expected) in [
            (LeadFilter { widget: Some(first), ..all }, vec![c, a]),
            (LeadFilter { status: Some(LeadStatus::Won), ..all }, vec![b]),
            (LeadFilter { from: midnight, ..all }, vec![c]),
            (LeadFilter { until: midnight, widget: Some(first), ..all }, vec![a]),
            (LeadFilter { status: Some(LeadStatus::Won), widget: Some(first), ..all }, vec![]),
        ] {
            let page = f.store.leads().list(&tenant, &filter, None, 10).await.unwrap();
            assert_eq!(page.leads.iter().map(|l| l.id).collect::<Vec<_>>(), expected, "{filter:?}");
        }
    }

    async fn the_owner_moves_a_lead_on_and_every_move_is_an_event(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let id = lead(&f.store, &tenant, widget, "a").await;
        for status in LeadStatus::ALL {
            f.clock.advance(Duration::from_secs(1));
            let changed = f.store.leads().change(&tenant, id, &OwnerChange { status: Some(status), ..OwnerChange::default() }).await.unwrap();
            assert_eq!(changed.status, status);
            assert_eq!(f.store.leads().find(&tenant, id).await.unwrap(), Some(changed));
        }
        let events = f.store.deliveries().list_events(&tenant, id.0).await.unwrap();
        assert_eq!(events.len(), LeadStatus::ALL.len(), "`new` to `new` tells nobody");
        assert_eq!(events.last().unwrap().kind, EventKind::LeadUpdated);
        let body: serde_json::Value = serde_json::from_str(events.last().unwrap().payload.as_deref().unwrap()).unwrap();
        assert_eq!(body["data"]["status"], "spam");
    }

    async fn a_homeowners_later_steps_change_only_what_they_say(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let id = lead(&f.store, &tenant, widget, "a").await;
        let material = HomeownerChange { roof_material: Some(RoofMaterial::Metal), ..Default::default() };
        f.store.leads().change_as_homeowner(&tenant, id, &material).await.unwrap();
        let rest = HomeownerChange {
            preferred_contact_time: Some(ContactTime::Morning),
            message: Some("Ring twice".to_owned()),
            ..Default::default()
        };
        let changed = f.store.leads().change_as_homeowner(&tenant, id, &rest).await.unwrap();
        assert_eq!(changed.roof_material, Some(RoofMaterial::Metal));
        assert_eq!((changed.preferred_contact_time, changed.message.as_deref()), (Some(ContactTime::Morning), Some("Ring twice")));
        f.store.leads().change_as_homeowner(&tenant, id, &rest).await.unwrap();
        assert_eq!(f.store.deliveries().list_events(&tenant, id.0).await.unwrap().len(), 3);
        let nul = HomeownerChange { message: Some("\0".to_owned()), ..Default::default() };
        assert!(matches!(f.store.leads().change_as_homeowner(&tenant, id, &nul).await, Err(StoreError::Nul)));
    }

    async fn an_erased_lead_is_gone_with_all_it_said(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let id = lead(&f.store, &tenant, widget, "Zebulon").await;
        // What is stored of it is encrypted, so its ciphertext is looked for.
        let stored = [f.text("SELECT record FROM lead").await, f.text("SELECT payload FROM event WHERE kind LIKE 'lead%'").await];
        let kept = lead(&f.store, &tenant, widget, "Ann").await;
        f.store.leads().erase(&tenant, id).await.unwrap();
        assert_eq!(f.store.leads().find(&tenant, id).await.unwrap(), None);
        let page = f.store.leads().list(&tenant, &LeadFilter::default(), None, 10).await.unwrap();
        assert_eq!(page.leads.iter().map(|l| l.id).collect::<Vec<_>>(), [kept]);
        assert!(f.store.consents().list(&tenant, id).await.unwrap().is_empty());
        let events = f.store.deliveries().list_events(&tenant, id.0).await.unwrap();
        assert_eq!(events.iter().map(|e| &e.payload).collect::<Vec<_>>(), [&None]);
        assert!(matches!(f.store.leads().erase(&tenant, id).await, Err(StoreError::NotFound)));
        let change = OwnerChange { status: Some(LeadStatus::Won), ..OwnerChange::default() };
        assert!(matches!(f.store.leads().change(&tenant, id, &change).await, Err(StoreError::NotFound)));
        let replay = f.store.leads().accept(&tenant, widget, &samples::draft("Zebulon"), "Zebulon", b"Zebulon").await;
        assert!(matches!(replay, Err(StoreError::NotFound)), "a late retry does not bring it back");

        if f.folder.is_some() {
            let on_disk = stored_bytes(&f.address).await;
            let holds = |text: &str| on_disk.iter().any(|(_, bytes)| bytes.windows(60).any(|w| w == &text.as_bytes()[..60]));
            assert!(!stored.iter().any(|text| holds(text)), "an erased lead is still on disk");
            assert!(holds(&f.text("SELECT record FROM lead WHERE record IS NOT NULL").await), "the other one is");
        }
    }

    async fn a_lead_that_is_not_there_is_not_found(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let nowhere = LeadId(Uuid::from_u128(1));
        assert_eq!(f.store.leads().find(&tenant, nowhere).await.unwrap(), None);
        assert!(matches!(f.store.leads().erase(&tenant, nowhere).await, Err(StoreError::NotFound)));
    }
}

#[test]
fn a_cursor_that_is_none_is_refused() {
    for text in ["", ".", "12", "zz.00000000000000000000000000000001", "1.2", "1.é"] {
        assert!(matches!(text.parse::<Cursor>(), Err(StoreError::Cursor)), "{text}");
    }
}
