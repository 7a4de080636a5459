use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::lead::{ContactTime, EarlierLead, Lead, LeadStatus, Same};
use shingle_domain::{Email, LeadId, Phone, Tenant, WidgetId};
use shingle_store::{LeadDraft, LeadFilter, OwnerChange, SpamReason, Store, StoreError, SubmissionOutcome};
use shingle_store_fixture::on_both_engines;
use tokio::task::JoinSet;

use crate::samples;

const DAY: Duration = Duration::from_secs(24 * 3_600);

async fn kinds(store: &Store, tenant: &Tenant, lead: LeadId) -> Vec<EventKind> {
    store.deliveries().list_events(tenant, lead.0).await.unwrap().into_iter().map(|e| e.kind).collect()
}

async fn leads(store: &Store, tenant: &Tenant) -> usize {
    store.leads().list(tenant, &LeadFilter::default(), None, 500).await.unwrap().leads.len()
}

/// A tenant with one widget.
async fn ready(store: &Store) -> (Tenant, WidgetId) {
    let tenant = samples::tenant(store).await;
    (tenant, samples::stored_widget(store, &tenant, 1).await)
}

on_both_engines! {
    async fn a_lead_comes_in_with_its_consent_and_its_event(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let mut draft = samples::draft("Ann");
        draft.message = Some("I'd \"love\" a call \u{1f3e0}\n".repeat(100));
        draft.phone = Phone::parse("(207) 555-0199");
        let accepted = f.store.leads().accept(&tenant, widget, &draft, "key-1", b"body").await.unwrap();
        assert_eq!(accepted.outcome, SubmissionOutcome::Created);
        let lead = f.store.leads().find(&tenant, accepted.lead.id).await.unwrap().unwrap();
        assert_eq!(lead, accepted.lead);
        assert_eq!((lead.status, &lead.message, &lead.phone), (LeadStatus::New, &draft.message, &draft.phone));
        assert_eq!(lead.consent.text_hash, blake3_of(&draft.consent.text));
        assert_eq!(f.store.consents().list(&tenant, lead.id).await.unwrap(), std::slice::from_ref(&lead.consent));

        let events = f.store.deliveries().list_events(&tenant, lead.id.0).await.unwrap();
        assert_eq!(events.len(), 1);
        let body: serde_json::Value = serde_json::from_str(events[0].payload.as_deref().unwrap()).unwrap();
        assert_eq!((body["type"].as_str(), &body["data"]), (Some("lead.created"), &serde_json::to_value(&lead).unwrap()));
    }

    async fn the_same_request_again_is_the_same_lead(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let first = f.store.leads().accept(&tenant, widget, &samples::draft("Ann"), "key-1", b"body").await.unwrap();
        f.clock.advance(DAY * 2);
        let again = f.store.leads().accept(&tenant, widget, &samples::draft("Ann"), "key-1", b"body").await.unwrap();
        assert_eq!((again.outcome, again.lead), (SubmissionOutcome::Replayed, first.lead.clone()));
        assert_eq!(kinds(&f.store, &tenant, first.lead.id).await, [EventKind::LeadCreated]);
        assert_eq!(leads(&f.store, &tenant).await, 1);
    }

    async fn leads_that_come_at_once_share_transactions(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let mut posts = JoinSet::new();
        for number in 0..50 {
            let store = f.store.clone();
            posts.spawn(async move {
                let name = format!("p{number}");
                store.leads().accept(&tenant, widget, &samples::draft(&name), &name, name.as_bytes()).await.unwrap()
            });
        }
        assert!(posts.join_all().await.iter().all(|accepted| accepted.outcome == SubmissionOutcome::Created));
        assert_eq!(leads(&f.store, &tenant).await, 50);
        let transactions = f.number("SELECT acquisitions FROM widget_lock").await;
        assert!(transactions < 25, "each takes the widget's lock once: {transactions}");
    }

    async fn of_leads_that_come_at_once_each_has_its_own_result(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let other = samples::stored_widget(&f.store, &tenant, 2).await;
        let known = f.store.leads().accept(&tenant, widget, &samples::draft("Ann"), "known", b"1").await.unwrap().lead;
        let nobodys: WidgetId = "00000000-0000-4000-8000-0000000000ff".parse().unwrap();
        let mut posts = JoinSet::new();
        for number in 0..24 {
            let store = f.store.clone();
            posts.spawn(async move {
                let mut draft = samples::draft(&format!("p{number}"));
                let (mut to, mut key, mut request) = (widget, format!("key-{number}"), format!("{number}"));
                match number {
                    3 => draft.first_name.push('\0'),
                    7 => to = nobodys,
                    11 => key = "known".to_owned(),
                    15 => (key, request) = ("known".to_owned(), "1".to_owned()),
                    19 => to = other,
                    _ => {}
                }
                (number, store.leads().accept(&tenant, to, &draft, &key, request.as_bytes()).await)
            });
        }
        for (number, result) in posts.join_all().await {
            match number {
                3 => assert!(matches!(result, Err(StoreError::Nul))),
                7 => assert!(matches!(result, Err(StoreError::NotFound))),
                11 => assert!(matches!(result, Err(StoreError::KeyReused))),
                15 => assert_eq!(result.unwrap().lead, known, "the answer of the first"),
                _ => assert_eq!(result.unwrap().outcome, SubmissionOutcome::Created, "{number}"),
            }
        }
        assert_eq!(leads(&f.store, &tenant).await, 21);
    }

    async fn leads_of_one_home_that_come_at_once_name_the_first_of_their_person(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let mut posts = JoinSet::new();
        for number in 0..30 {
            let store = f.store.clone();
            posts.spawn(async move {
                let mut draft = samples::draft(["ann", "bob", "eve"][number % 3]);
                draft.spam = (number % 3 == 2).then_some(SpamReason::Crowded);
                let key = number.to_string();
                (number % 3, store.leads().accept(&tenant, widget, &draft, &key, key.as_bytes()).await.unwrap().lead)
            });
        }
        let all = posts.join_all().await;
        let first = all.iter().find(|(who, lead)| *who < 2 && lead.earlier_lead.is_none()).expect("one came first");
        let is_first = |who: usize, lead: &Lead| lead.earlier_lead.as_ref().is_none_or(|e| e.same == Same::Home) && who < 2;
        for (who, lead) in &all {
            let earlier = lead.earlier_lead.as_ref().map(|earlier| (earlier.same, earlier.id));
            let named = earlier.map(|(same, id)| (same, all.iter().find(|(_, other)| other.id == id).expect("one of them")));
            match named {
                // Suspected spam is nobody's earlier lead, and may come before all others.
                None => assert!(lead.id == first.1.id || *who == 2),
                // The clock stands still, so which of a person's leads is the first is not said.
                Some((Same::Home, (other, _))) => assert!(*other < 2 && other != who),
                Some((Same::Person, (other, _))) => assert_eq!(other, who),
            }
        }
        assert_eq!(all.iter().filter(|(who, lead)| is_first(*who, lead)).count(), 2, "one for Ann, one for Bob");
    }

    async fn a_lead_that_breaks_the_shared_transaction_costs_no_other_its_place(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        f.run(if f.folder.is_some() {
            "CREATE TRIGGER breaks BEFORE INSERT ON lead WHEN NEW.status = 'spam'
             BEGIN SELECT RAISE(ROLLBACK, 'no'); END"
        } else {
            "CREATE FUNCTION breaks() RETURNS trigger AS 'BEGIN RAISE EXCEPTION ''no''; END' LANGUAGE plpgsql;
             CREATE TRIGGER breaks BEFORE INSERT ON lead FOR EACH ROW WHEN (NEW.status = 'spam')
             EXECUTE FUNCTION breaks()"
        })
        .await;
        let mut posts = JoinSet::new();
        for number in 0..12 {
            let store = f.store.clone();
            posts.spawn(async move {
                let name = format!("p{number}");
                let draft = LeadDraft { spam: (number == 5).then_some(SpamReason::TooFast), ..samples::draft(&name) };
                (number, store.leads().accept(&tenant, widget, &draft, &name, name.as_bytes()).await)
            });
        }
        for (number, result) in posts.join_all().await {
            assert_eq!(result.is_ok(), number != 5, "{number}: {result:?}");
        }
        assert_eq!(leads(&f.store, &tenant).await, 11);
    }

    async fn a_key_used_for_another_request_is_refused(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        f.store.leads().accept(&tenant, widget, &samples::draft("Ann"), "key-1", b"body").await.unwrap();
        let refused = f.store.leads().accept(&tenant, widget, &samples::draft("Bob"), "key-1", b"other").await;
        assert!(matches!(refused, Err(StoreError::KeyReused)));
        assert_eq!(leads(&f.store, &tenant).await, 1);
    }

    async fn a_key_belongs_to_one_widget(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let other = samples::stored_widget(&f.store, &tenant, 2).await;
        f.store.leads().accept(&tenant, widget, &samples::draft("Ann"), "key-1", b"body").await.unwrap();
        let there = f.store.leads().accept(&tenant, other, &samples::draft("Ann"), "key-1", b"other").await.unwrap();
        assert_eq!(there.outcome, SubmissionOutcome::Created);
    }

    async fn fifty_posts_at_once_of_one_request_are_one_lead(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let mut posts = JoinSet::new();
        for _ in 0..50 {
            let store = f.store.clone();
            posts.spawn(async move {
                store.leads().accept(&tenant, widget, &samples::draft("Ann"), "key-1", b"body").await.unwrap()
            });
        }
        let answers = posts.join_all().await;
        let id = answers[0].lead.id;
        assert!(answers.iter().all(|a| a.lead.id == id));
        assert_eq!(answers.iter().filter(|a| a.outcome == SubmissionOutcome::Created).count(), 1);
        assert_eq!(kinds(&f.store, &tenant, id).await, [EventKind::LeadCreated]);
        assert_eq!(leads(&f.store, &tenant).await, 1);
    }

    async fn fifty_posts_at_once_of_one_browser_change_one_lead(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let id = f.store.leads().accept(&tenant, widget, &samples::draft("Ann"), "first", b"1").await.unwrap().lead.id;
        let mut posts = JoinSet::new();
        for number in 0..50 {
            let store = f.store.clone();
            posts.spawn(async move {
                let key = format!("key-{number}");
                let draft = LeadDraft { changes: Some(id), ..samples::draft("Ann") };
                store.leads().accept(&tenant, widget, &draft, &key, key.as_bytes()).await.unwrap()
            });
        }
        let answers = posts.join_all().await;
        assert!(answers.iter().all(|a| a.lead.id == id));
        assert_eq!(leads(&f.store, &tenant).await, 1);
        assert_eq!(kinds(&f.store, &tenant, id).await.len(), 51);
        assert_eq!(f.store.consents().list(&tenant, id).await.unwrap().len(), 51);
    }

    async fn fifty_strangers_at_once_who_know_a_lead_change_nothing_of_it(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let first = f.store.leads().accept(&tenant, widget, &samples::draft("Ann"), "first", b"1").await.unwrap().lead;
        f.clock.advance(Duration::from_secs(1));
        let mut posts = JoinSet::new();
        for number in 0..50 {
            let store = f.store.clone();
            posts.spawn(async move {
                let key = format!("key-{number}");
                store.leads().accept(&tenant, widget, &samples::draft("Ann"), &key, key.as_bytes()).await.unwrap()
            });
        }
        let earlier = Some(EarlierLead { id: first.id, same: Same::Person });
        assert!(posts.join_all().await.iter().all(|a| a.lead.id != first.id && a.lead.earlier_lead == earlier));
        assert_eq!(leads(&f.store, &tenant).await, 51);
        assert_eq!(f.store.consents().list(&tenant, first.id).await.unwrap().len(), 1);
        assert_eq!(f.store.leads().find(&tenant, first.id).await.unwrap(), Some(first));
    }

    async fn what_no_person_sent_is_kept_as_spam_and_mixes_with_no_real_lead(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let real = samples::draft("Ann");
        let spam = LeadDraft { spam: Some(SpamReason::HiddenField), ..real.clone() };
        let first = f.store.leads().accept(&tenant, widget, &spam, "key-1", b"1").await.unwrap();
        assert_eq!((first.outcome, first.lead.status), (SubmissionOutcome::Created, LeadStatus::Spam));
        let person = f.store.leads().accept(&tenant, widget, &real, "key-2", b"2").await.unwrap();
        assert_eq!((person.outcome, person.lead.status), (SubmissionOutcome::Created, LeadStatus::New), "not hidden in the spam");
        assert_eq!(person.lead.earlier_lead, None, "spam is nobody's earlier lead");
        let spam = LeadDraft { changes: Some(person.lead.id), ..spam };
        let robot = f.store.leads().accept(&tenant, widget, &spam, "key-3", b"3").await.unwrap();
        assert_eq!(robot.outcome, SubmissionOutcome::Created, "a robot changes nobody's lead");
        assert_eq!(f.store.leads().find(&tenant, person.lead.id).await.unwrap(), Some(person.lead));
    }

    async fn the_same_browser_and_address_within_a_day_update_one_lead(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let mut first = samples::draft("Ann");
        first.message = Some("Please call".to_owned());
        first.phone = Phone::parse("(207) 555-0199");
        let lead = f.store.leads().accept(&tenant, widget, &first, "key-1", b"1").await.unwrap().lead;
        f.store.leads().change(&tenant, lead.id, &OwnerChange { status: Some(LeadStatus::Contacted), ..OwnerChange::default() }).await.unwrap();

        f.clock.advance(DAY - Duration::from_secs(1));
        let mut second = samples::draft("Ann");
        second.email = Email::parse("ANN@Example.com");
        second.address = "14  alder court portland, me 04103".to_owned();
        second.preferred_contact_time = Some(ContactTime::Evening);
        second.consent.given = false;
        second.changes = Some(lead.id);
        let again = f.store.leads().accept(&tenant, widget, &second, "key-2", b"2").await.unwrap();
        assert_eq!((again.outcome, again.lead.id), (SubmissionOutcome::Updated, lead.id));
        assert_eq!(again.lead.preferred_contact_time, Some(ContactTime::Evening));
        assert_eq!((&again.lead.message, &again.lead.phone), (&first.message, &first.phone), "what was not said again stays");
        assert_eq!(again.lead.status, LeadStatus::Contacted, "the owner's word stays");
        assert!(!again.lead.consent.given && again.lead.updated_at > lead.updated_at);
        assert_eq!(again.lead.created_at, lead.created_at);
        let consents = f.store.consents().list(&tenant, lead.id).await.unwrap();
        assert_eq!(consents.iter().map(|c| c.given).collect::<Vec<_>>(), [true, false]);
        assert_eq!(kinds(&f.store, &tenant, lead.id).await,
            [EventKind::LeadCreated, EventKind::LeadUpdated, EventKind::LeadUpdated]);
    }

    async fn a_lead_for_the_same_address_names_the_first_of_the_same_person_or_home(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let mut first = samples::draft("Ann");
        first.phone = Phone::parse("(207) 555-0199");
        let ann = f.store.leads().accept(&tenant, widget, &first, "key-1", b"1").await.unwrap().lead;
        let bob = f.store.leads().accept(&tenant, widget, &samples::draft("Bob"), "key-2", b"2").await.unwrap().lead;
        f.clock.advance(DAY * 30);
        let mut annie = samples::draft("Annie");
        annie.phone = Phone::parse_loosely("207-555-0199");
        let annie = f.store.leads().accept(&tenant, widget, &annie, "key-3", b"3").await.unwrap().lead;
        let bob_again = f.store.leads().accept(&tenant, widget, &samples::draft("Bob"), "key-4", b"4").await.unwrap().lead;
        let named = |id, same| Some(EarlierLead { id, same });
        assert_eq!((ann.earlier_lead, bob.earlier_lead), (None, named(ann.id, Same::Home)));
        assert_eq!(annie.earlier_lead, named(ann.id, Same::Person), "a telephone number is a person too");
        assert_eq!(bob_again.earlier_lead, named(bob.id, Same::Person), "the same person before the same home");
        f.store.leads().erase(&tenant, ann.id).await.unwrap();
        let carl = f.store.leads().accept(&tenant, widget, &samples::draft("Carl"), "key-5", b"5").await.unwrap().lead;
        assert_eq!(carl.earlier_lead, named(bob.id, Same::Home), "an erased lead is named no more");
    }

    async fn a_browser_changes_no_other_persons_address_or_widgets_lead(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let other_widget = samples::stored_widget(&f.store, &tenant, 2).await;
        let ann = f.store.leads().accept(&tenant, widget, &samples::draft("Ann"), "key", b"0").await.unwrap().lead;
        let again = LeadDraft { changes: Some(ann.id), ..samples::draft("Ann") };
        let mut elsewhere = again.clone();
        elsewhere.address = "15 Alder Court, Portland, ME 04103".to_owned();
        let mut bob = samples::draft("Bob");
        bob.changes = Some(ann.id);
        for (number, (widget, draft)) in [(widget, &bob), (widget, &elsewhere), (other_widget, &again)].into_iter().enumerate() {
            let key = format!("key-{number}");
            let accepted = f.store.leads().accept(&tenant, widget, draft, &key, key.as_bytes()).await.unwrap();
            assert_eq!(accepted.outcome, SubmissionOutcome::Created);
        }
        assert_eq!(f.store.leads().find(&tenant, ann.id).await.unwrap().unwrap(), ann);
        let mut corrected = again;
        corrected.email = Email::parse("ann.sample@example.com");
        let accepted = f.store.leads().accept(&tenant, widget, &corrected, "key-9", b"9").await.unwrap();
        assert_eq!((accepted.outcome, accepted.lead.id), (SubmissionOutcome::Updated, ann.id), "a corrected address");
        f.clock.advance(DAY);
        let next_day = f.store.leads().accept(&tenant, widget, &corrected, "key-10", b"10").await.unwrap();
        assert_eq!(next_day.outcome, SubmissionOutcome::Created);
    }

    async fn another_person_address_widget_or_day_is_another_lead(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let other_widget = samples::stored_widget(&f.store, &tenant, 2).await;
        let ann = samples::draft("Ann");
        let mut elsewhere = samples::draft("Ann");
        elsewhere.address = "15 Alder Court, Portland, ME 04103".to_owned();
        let mut accepted = vec![];
        for (number, (widget, draft)) in
            [(widget, &ann), (widget, &samples::draft("Bob")), (widget, &elsewhere), (other_widget, &ann)].into_iter().enumerate()
        {
            let key = format!("key-{number}");
            accepted.push(f.store.leads().accept(&tenant, widget, draft, &key, key.as_bytes()).await.unwrap().outcome);
        }
        f.clock.advance(DAY);
        accepted.push(f.store.leads().accept(&tenant, widget, &ann, "key-next-day", b"5").await.unwrap().outcome);
        assert_eq!(accepted, [SubmissionOutcome::Created; 5]);
    }

    async fn a_nul_anywhere_is_refused_and_nothing_is_written(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        for spoil in [
            (|d| d.first_name.push('\0')) as fn(&mut LeadDraft),
            |d| d.message = Some("\0".to_owned()),
            |d| d.consent.text.push('\0'),
            |d| d.consent.user_agent = Some("a\0".to_owned()),
            |d| d.source.utm_term = Some("\0".to_owned()),
        ] {
            let mut draft = samples::draft("Ann");
            spoil(&mut draft);
            let refused = f.store.leads().accept(&tenant, widget, &draft, "key-1", b"body").await;
            assert!(matches!(refused, Err(StoreError::Nul)));
        }
        assert_eq!(leads(&f.store, &tenant).await, 0);
        let mut honest = samples::draft("Ann");
        honest.message = Some(r"a backslash, u0000: \u0000".to_owned());
        let lead = f.store.leads().accept(&tenant, widget, &honest, "key\0-1", b"\0").await.unwrap().lead;
        assert_eq!(f.store.leads().find(&tenant, lead.id).await.unwrap().unwrap().message, honest.message);
    }

    async fn forgotten_keys_are_forgotten_and_young_ones_are_not(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        f.store.leads().accept(&tenant, widget, &samples::draft("Ann"), "old", b"1").await.unwrap();
        f.clock.advance(DAY);
        f.store.leads().accept(&tenant, widget, &samples::draft("Bob"), "young", b"2").await.unwrap();
        assert_eq!(f.store.leads().delete_idempotency_keys(DAY / 2).await.unwrap(), 1);
        let again = f.store.leads().accept(&tenant, widget, &samples::draft("Bob"), "young", b"2").await.unwrap();
        assert_eq!(again.outcome, SubmissionOutcome::Replayed);
    }

    async fn personal_data_is_never_printed(f: Fixture) {
        let (tenant, widget) = ready(&f.store).await;
        let draft = samples::draft("Ann");
        let accepted = f.store.leads().accept(&tenant, widget, &draft, "key-1", b"1").await.unwrap();
        for printed in [format!("{draft:?}"), format!("{:?}", draft.consent), format!("{accepted:?}")] {
            assert!(!printed.contains("Ann") && !printed.contains("198.51.100.7"), "{printed}");
        }
    }
}

fn blake3_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
