//! Destinations, what events write for them, and how workers take and finish it.

use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::message::ToMessage;
use shingle_domain::notice::{NoticeSettings, Recipient};
use shingle_domain::{DeliveryId, Email, Tenant, WidgetId};
use shingle_store::{
    Attempt, ClaimedDelivery, Delivery, DeliveryFilter, DeliveryState, Destination, DestinationDraft, DestinationKind,
    FinishedDelivery, Next, RequestKey, Store, StoreError,
};
use shingle_store_fixture::on_both_engines;
use uuid::Uuid;

use crate::samples;

const LEASE: Duration = Duration::from_secs(15);
const DAY: Duration = Duration::from_secs(24 * 3_600);

fn webhook(name: &str) -> DestinationDraft {
    DestinationDraft {
        kind: DestinationKind::Webhook,
        name: name.to_owned(),
        address: "https://hooks.example.com/".to_owned(),
        events: vec![EventKind::LeadCreated, EventKind::LeadUpdated],
        widgets: Vec::new(),
        active: true,
        ordered: false,
        timeout_seconds: 15,
        config: "{}".to_owned(),
        secrets: Some("hidden".to_owned()),
    }
}

async fn add(store: &Store, tenant: &Tenant, draft: &DestinationDraft) -> Destination {
    store.destinations().create(tenant, draft, None).await.unwrap()
}

/// A lead of this person, and its id.
async fn lead(store: &Store, tenant: &Tenant, widget: WidgetId, name: &str) -> shingle_domain::LeadId {
    store.leads().accept(tenant, widget, &samples::draft(name), name, b"body").await.unwrap().lead.id
}

async fn take(store: &Store, tenant: &Tenant, id: shingle_domain::LeadId, by: &str) {
    store.leads().take_lead(tenant, id, by).await.unwrap();
}

async fn claim(store: &Store, who: &str) -> Vec<ClaimedDelivery> {
    let claimed = store.deliveries().claim(who, LEASE, 100, &[]).await.unwrap();
    claimed.into_iter().collect::<Result<_, _>>().unwrap()
}

fn result(of: &ClaimedDelivery, next: Next) -> FinishedDelivery {
    let delivered = next == Next::Delivered;
    let attempt = Attempt {
        id: Uuid::new_v4(),
        number: of.attempts + 1,
        started_at: of.event.created_at,
        duration: Duration::from_millis(3),
        delivered,
        status: Some(if delivered { 200 } else { 500 }),
        cause: (!delivered).then(|| "<ann@example.com> is unknown here".to_message()),
        exchange: Some("{\"request\":{\"to\":\"ann@example.com\"}}".to_owned()),
    };
    FinishedDelivery {
        id: of.id,
        account: of.tenant.account,
        destination: of.destination,
        claim: of.claim.clone(),
        attempt: Some(attempt),
        next,
        progress: None,
        record: None,
    }
}

/// Finishes everything that can be claimed now in this way, and returns how much that was.
async fn finish_all(store: &Store, next: Next) -> usize {
    let claimed = claim(store, "worker").await;
    let results: Vec<_> = claimed.iter().map(|delivery| result(delivery, next.clone())).collect();
    assert_eq!(store.deliveries().finish(&results).await.unwrap().lost, 0);
    results.len()
}

/// Newest first.
async fn log(store: &Store, of: &Destination) -> Vec<Delivery> {
    let page = store.deliveries().list(&of.tenant, of.id, &DeliveryFilter::default(), None, 500).await.unwrap();
    page.deliveries
}

async fn states(store: &Store, of: &Destination) -> Vec<DeliveryState> {
    log(store, of).await.into_iter().map(|delivery| delivery.state).collect()
}

fn key(key: &str, request: &str) -> RequestKey {
    RequestKey { key: key.to_owned(), request: request.as_bytes().to_vec() }
}

on_both_engines! {
    async fn a_destination_is_its_tenant_s_alone(f: Fixture) {
        let (tenant, other) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let made = add(&f.store, &tenant, &webhook("crm")).await;
        assert!(f.store.destinations().find(&tenant, made.id).await.unwrap().is_some_and(|found| found.draft == made.draft));
        assert!(f.store.destinations().find(&other, made.id).await.unwrap().is_none());
        assert!(f.store.destinations().list(&other, DestinationKind::Webhook).await.unwrap().is_empty());
        let change = |draft: &mut DestinationDraft| { draft.active = false; Ok::<_, StoreError>(()) };
        assert!(matches!(f.store.destinations().change(&other, made.id, change).await, Err(StoreError::NotFound)));
        assert!(matches!(f.store.destinations().delete(&other, made.id).await, Err(StoreError::NotFound)));
        assert!(matches!(f.store.deliveries().send_ping(&other, made.id, None).await, Err(StoreError::NotFound)));
        assert!(matches!(f.store.deliveries().replay_since(&other, made.id, made.created_at).await, Err(StoreError::NotFound)));
        assert!(f.store.destinations().find(&tenant, made.id).await.unwrap().is_some_and(|found| found.draft.active));
    }

    async fn an_event_is_written_for_those_who_want_it(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (one, two) = (samples::stored_widget(&f.store, &tenant, 1).await, samples::stored_widget(&f.store, &tenant, 2).await);
        let all = add(&f.store, &tenant, &webhook("all")).await;
        let second = add(&f.store, &tenant, &DestinationDraft { widgets: vec![two], ..webhook("second") }).await;
        let updates = add(&f.store, &tenant, &DestinationDraft { events: vec![EventKind::LeadUpdated], ..webhook("updates") }).await;
        let off = add(&f.store, &tenant, &DestinationDraft { active: false, ..webhook("off") }).await;
        lead(&f.store, &tenant, one, "Ann").await;
        for (destination, expected) in [
            (&all, vec![DeliveryState::Pending]), (&second, vec![]), (&updates, vec![]), (&off, vec![DeliveryState::Skipped]),
        ] {
            assert_eq!(states(&f.store, destination).await, expected, "{}", destination.draft.name);
        }
        lead(&f.store, &tenant, two, "Bob").await;
        assert_eq!(states(&f.store, &second).await.len(), 1);
    }

    async fn suspected_spam_goes_to_webhooks_and_to_nobody_else(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let hook = add(&f.store, &tenant, &webhook("crm")).await;
        let connector = add(&f.store, &tenant, &DestinationDraft { kind: DestinationKind::Connector, ..webhook("slack") }).await;
        let mut spam = samples::draft("Robot");
        spam.spam = Some(shingle_store::SpamReason::TooFast);
        f.store.leads().accept(&tenant, widget, &spam, "key", b"body").await.unwrap();
        assert_eq!((states(&f.store, &hook).await.len(), states(&f.store, &connector).await.len()), (1, 0));
        assert!(f.store.destinations().list(&tenant, DestinationKind::Mail).await.unwrap().is_empty());
        lead(&f.store, &tenant, widget, "Ann").await;
        assert_eq!((states(&f.store, &hook).await.len(), states(&f.store, &connector).await.len()), (2, 1));
        let told = f.store.destinations().list(&tenant, DestinationKind::Mail).await.unwrap();
        assert_eq!(told.iter().map(|d| d.draft.address.as_str()).collect::<Vec<_>>(), ["office@acme.example.com"]);
    }

    async fn the_company_s_mailbox_moves_with_its_widget(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = samples::stored_widget(&f.store, &tenant, 1).await;
        lead(&f.store, &tenant, id, "Ann").await;
        let change = |old: &shingle_domain::widget::Widget| {
            let widget = shingle_domain::widget::Widget { company_email: Email::parse("new@acme.example.com").unwrap(), ..old.clone() };
            let record = samples::record(&widget);
            Ok::<_, StoreError>((widget, record))
        };
        f.store.widgets().update(&tenant, id, change).await.unwrap();
        let told = f.store.destinations().list(&tenant, DestinationKind::Mail).await.unwrap();
        assert_eq!(told.iter().map(|d| d.draft.address.as_str()).collect::<Vec<_>>(), ["new@acme.example.com"]);
    }

    async fn a_removed_mailbox_goes_with_its_log(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let tell = async |email: &str| {
            let one = Recipient::of(Email::parse(email).unwrap());
            let settings = NoticeSettings { recipients: vec![one], ..NoticeSettings::default() };
            f.store.destinations().set_notice_settings(&tenant, &settings).await.unwrap();
        };
        let kept = async || f.store.destinations().list(&tenant, DestinationKind::Mail).await.unwrap().len();
        for n in 0..5 {
            tell(&format!("ann{n}@example.org")).await;
        }
        assert_eq!(kept().await, 1, "nothing was ever sent to the others");
        lead(&f.store, &tenant, widget, "Ann").await;
        tell("bob@example.org").await;
        assert_eq!(kept().await, 2, "the log of a lead is kept");
        f.clock.advance(DAY * 31);
        f.store.deliveries().delete_old(DAY * 30).await.unwrap();
        assert_eq!(kept().await, 1);
    }

    async fn a_lease_keeps_others_away_until_it_ends(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let hook = add(&f.store, &tenant, &webhook("crm")).await;
        f.store.deliveries().send_ping(&tenant, hook.id, None).await.unwrap();
        let mine = claim(&f.store, "mine").await;
        assert_eq!(mine.len(), 1);
        let second = f.open_again().await;
        assert!(claim(&second, "theirs").await.is_empty());
        f.clock.advance(LEASE - Duration::from_secs(1));
        f.store.deliveries().renew_leases("theirs", &[mine[0].id], LEASE).await.unwrap();
        f.store.deliveries().renew_leases("mine", &[mine[0].id], LEASE).await.unwrap();
        f.clock.advance(LEASE - Duration::from_secs(1));
        assert!(claim(&second, "theirs").await.is_empty(), "renewed");
        f.clock.advance(Duration::from_secs(1));
        let theirs = claim(&second, "theirs").await;
        assert_eq!(theirs.iter().map(|d| d.id).collect::<Vec<_>>(), [mine[0].id]);

        let late = f.store.deliveries().finish(&[result(&mine[0], Next::Failed { reason: "late".to_message() })]).await.unwrap();
        assert_eq!(late.lost, 1);
        assert_eq!(states(&f.store, &hook).await, [DeliveryState::Pending], "a lost lease decides nothing");
        second.deliveries().finish(&[result(&theirs[0], Next::Delivered)]).await.unwrap();
        let (delivery, attempts) = f.store.deliveries().find(&tenant, mine[0].id).await.unwrap().unwrap();
        assert_eq!((delivery.state, attempts.len()), (DeliveryState::Delivered, 2), "both were sent");
    }

    async fn what_is_given_back_is_due_at_once(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let hook = add(&f.store, &tenant, &webhook("crm")).await;
        f.store.deliveries().send_ping(&tenant, hook.id, None).await.unwrap();
        let mine = claim(&f.store, "mine").await;
        f.store.deliveries().release("theirs", &[mine[0].id], LEASE).await.unwrap();
        assert!(claim(&f.store, "theirs").await.is_empty(), "only by its holder");
        f.store.deliveries().release("mine", &[mine[0].id], LEASE).await.unwrap();
        assert_eq!(claim(&f.store, "theirs").await.len(), 1);
    }

    async fn in_order_an_event_waits_for_the_one_before_it(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let hook = add(&f.store, &tenant, &DestinationDraft { ordered: true, ..webhook("crm") }).await;
        // Nobody else is notified: their deliveries would be claimed too.
        f.store.destinations().set_notice_settings(&tenant, &named("ann@example.org", false)).await.unwrap();
        let ann = lead(&f.store, &tenant, widget, "Ann").await;
        take(&f.store, &tenant, ann, "Bob").await;
        lead(&f.store, &tenant, widget, "Eve").await;
        assert_eq!(states(&f.store, &hook).await.iter().filter(|s| **s == DeliveryState::Waiting).count(), 1);
        let claimed = claim(&f.store, "worker").await;
        assert_eq!(claimed.iter().map(|d| d.event.sequence).collect::<Vec<_>>(), [1, 1], "another lead does not wait");
        let later = f.store.now() + Duration::from_secs(60);
        let retry = Next::Retry { at: later, pause: None };
        let results: Vec<_> = claimed.iter().map(|d| result(d, if d.event.resource == ann.0 { retry.clone() } else { Next::Delivered })).collect();
        f.store.deliveries().finish(&results).await.unwrap();
        assert!(claim(&f.store, "worker").await.is_empty(), "a retry holds its place");
        f.clock.advance(Duration::from_secs(60));
        for sequence in [1, 2] {
            let claimed = claim(&f.store, "worker").await;
            assert_eq!(claimed.iter().map(|d| d.event.sequence).collect::<Vec<_>>(), [sequence]);
            f.store.deliveries().finish(&[result(&claimed[0], Next::Delivered)]).await.unwrap();
        }
    }

    async fn what_failed_or_was_skipped_is_replayed_once(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let hook = add(&f.store, &tenant, &webhook("crm")).await;
        let began = f.store.now();
        for next in [Next::Delivered, Next::Failed { reason: "500".to_message() }, Next::Skipped { reason: "off".to_message() }] {
            f.clock.advance(Duration::from_secs(1));
            f.store.deliveries().send_ping(&tenant, hook.id, None).await.unwrap();
            finish_all(&f.store, next).await;
        }
        assert_eq!(f.store.deliveries().replay_since(&tenant, hook.id, f.store.now() + Duration::from_secs(1)).await.unwrap(), 0);
        assert_eq!(f.store.deliveries().replay_since(&tenant, hook.id, began).await.unwrap(), 2);
        assert_eq!(f.store.deliveries().replay_since(&tenant, hook.id, began).await.unwrap(), 0, "they are on their way");
        assert_eq!(finish_all(&f.store, Next::Delivered).await, 2);
        assert_eq!(f.store.deliveries().replay_since(&tenant, hook.id, began).await.unwrap(), 0, "they have arrived");
    }

    async fn a_homeowner_s_address_gets_one_copy_a_day(f: Fixture) {
        let copy = async |address: &str, delivery: u128| {
            f.store.destinations().take_homeowner_copy(&Email::parse(address).unwrap(), DeliveryId(Uuid::from_u128(delivery))).await.unwrap()
        };
        assert!(copy("ann@example.com", 1).await);
        assert!(copy("ann@example.com", 1).await, "the same mail, tried again");
        for same in ["ann@example.com", "Ann@Example.com", "ann+1@example.com", "ANN+2+3@example.com"] {
            assert!(!copy(same, 2).await, "{same}");
        }
        assert!(copy("bob@example.com", 3).await);
        f.clock.advance(DAY);
        assert!(copy("ann+4@example.com", 4).await);
    }

    async fn a_day_s_digest_is_made_once_by_any_number_of_nodes(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let nodes = [f.store.clone(), f.open_again().await, f.open_again().await];
        let data = serde_json::json!({});
        assert!(!f.store.destinations().make_digest(&tenant, "2026-03-09", &data).await.unwrap(), "nobody wants one");
        f.store.destinations().set_notice_settings(&tenant, &named("ann@example.org", true)).await.unwrap();
        let mut made = 0;
        let [a, b, c] = &nodes;
        let (x, y, z) = tokio::join!(a.destinations().make_digest(&tenant, "2026-03-09", &data), b.destinations().make_digest(&tenant, "2026-03-09", &data), c.destinations().make_digest(&tenant, "2026-03-09", &data));
        for one in [x, y, z] {
            made += usize::from(one.unwrap());
        }
        assert_eq!(made, 1);
        assert!(!f.store.destinations().make_digest(&tenant, "2026-03-08", &data).await.unwrap(), "never one of the past");
        assert!(f.store.destinations().make_digest(&tenant, "2026-03-10", &data).await.unwrap());
        assert_eq!(claim(&f.store, "worker").await.len(), 2);
    }

    async fn a_request_under_its_key_makes_one_thing(f: Fixture) {
        let (tenant, other) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let make = async |tenant: &Tenant, key: &RequestKey| f.store.destinations().create(tenant, &webhook("crm"), Some(key)).await;
        let first = make(&tenant, &key("k", "one")).await.unwrap();
        assert_eq!(make(&tenant, &key("k", "one")).await.unwrap().id, first.id);
        assert!(matches!(make(&tenant, &key("k", "two")).await, Err(StoreError::KeyReused)));
        assert_ne!(make(&other, &key("k", "two")).await.unwrap().id, first.id, "a key is its tenant's");
        let ping = f.store.deliveries().send_ping(&tenant, first.id, Some(&key("p", "ping"))).await.unwrap();
        assert_eq!(f.store.deliveries().send_ping(&tenant, first.id, Some(&key("p", "ping"))).await.unwrap(), ping);
        assert_eq!(log(&f.store, &first).await.len(), 1);
        f.clock.advance(DAY);
        assert_eq!(f.store.accounts().delete_api_requests(DAY / 2).await.unwrap(), 3);
        assert_ne!(make(&tenant, &key("k", "one")).await.unwrap().id, first.id, "forgotten");
    }

    async fn what_was_sent_of_a_lead_is_stored_encrypted_and_read_as_it_was(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        add(&f.store, &tenant, &webhook("crm")).await;
        lead(&f.store, &tenant, widget, "Ann").await;
        let claimed = claim(&f.store, "worker").await;
        let done = Some("{\"contact\":\"ann@example.com\"}".to_owned());
        let retry = Next::Retry { at: f.store.now(), pause: None };
        let first = FinishedDelivery { progress: done.clone(), ..result(&claimed[0], retry) };
        f.store.deliveries().finish(&[first]).await.unwrap();
        let again = claim(&f.store, "worker").await;
        assert_eq!(again[0].progress, done);
        let refused = Next::Failed { reason: "ann@example.com is unknown".to_message() };
        f.store.deliveries().finish(&[result(&again[0], refused)]).await.unwrap();
        let (delivery, attempts) = f.store.deliveries().find(&tenant, again[0].id).await.unwrap().unwrap();
        assert_eq!(delivery.reason, Some("ann@example.com is unknown".to_message()));
        assert_eq!(attempts[1].cause, Some("<ann@example.com> is unknown here".to_message()));
        assert_eq!(attempts[1].exchange.as_deref(), Some("{\"request\":{\"to\":\"ann@example.com\"}}"));
        for sql in [
            "SELECT progress FROM delivery WHERE progress IS NOT NULL",
            "SELECT reason FROM delivery WHERE reason IS NOT NULL",
            "SELECT cause FROM attempt WHERE number = 2",
            "SELECT exchange FROM attempt WHERE number = 2",
        ] {
            let stored = f.text(sql).await;
            assert!(stored.starts_with('~') && !stored.contains("ann"), "{sql}: {stored}");
        }
    }

    async fn an_erased_lead_leaves_nothing_in_the_log(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let hook = add(&f.store, &tenant, &webhook("crm")).await;
        f.store.destinations().set_notice_settings(&tenant, &named("ann@example.org", false)).await.unwrap();
        let ann = lead(&f.store, &tenant, widget, "Ann").await;
        let claimed = claim(&f.store, "worker").await;
        let retry = Next::Retry { at: f.store.now() + LEASE, pause: None };
        f.store.deliveries().finish(&[result(&claimed[0], retry)]).await.unwrap();
        let email = Email::parse("ann@example.com").unwrap();
        assert!(f.store.destinations().take_homeowner_copy(&email, claimed[0].id).await.unwrap());
        f.store.leads().erase(&tenant, ann).await.unwrap();
        let (delivery, attempts) = f.store.deliveries().find(&tenant, claimed[0].id).await.unwrap().unwrap();
        assert_eq!((delivery.state, delivery.reason), (DeliveryState::Skipped, Some("erased".to_message())));
        assert_eq!((attempts[0].exchange.as_deref(), attempts[0].cause.clone()), (None, Some("erased".to_message())));
        assert!(f.store.destinations().take_homeowner_copy(&email, DeliveryId(Uuid::from_u128(9))).await.unwrap(), "the hash is gone");
        f.clock.advance(DAY);
        assert!(claim(&f.store, "worker").await.is_empty());
        // Replayed, there is nothing to send.
        f.store.deliveries().replay(&tenant, claimed[0].id, None).await.unwrap();
        assert_eq!(claim(&f.store, "worker").await[0].event.payload, None);
        assert_eq!(log(&f.store, &hook).await.len(), 2);
    }
}

/// One recipient, notified of leads or only by digest.
fn named(email: &str, digest: bool) -> NoticeSettings {
    let one = Recipient { leads: false, digest, ..Recipient::of(Email::parse(email).unwrap()) };
    NoticeSettings { recipients: vec![one], ..NoticeSettings::default() }
}
