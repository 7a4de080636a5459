//! Evidence of consent: linked, certified, and checked.

use shingle_consent::Fault;
use shingle_domain::{Environment, LeadId, Phone, Tenant, WidgetId};
use shingle_store::{Clock, ConsentCheck, Store, StoreError};
use shingle_store_fixture::on_both_engines;
use tokio::task::JoinSet;

use crate::samples;

async fn lead(store: &Store, tenant: &Tenant, widget: WidgetId, name: &str) -> LeadId {
    let mut draft = samples::draft(name);
    draft.phone = Phone::parse("(207) 555-0199");
    store.leads().accept(tenant, widget, &draft, name, name.as_bytes()).await.unwrap().lead.id
}

async fn faults(store: &Store, tenant: &Tenant) -> Vec<String> {
    store.consents().check(tenant.account).await.unwrap().faults.iter().map(ToString::to_string).collect()
}

on_both_engines! {
    async fn consents_that_come_at_once_are_one_chain_for_each_account(f: Fixture) {
        let (one, other) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let sandbox = Tenant { environment: Environment::Sandbox, ..one };
        let mut widgets = Vec::new();
        for (number, tenant) in [one, one, sandbox, other].into_iter().enumerate() {
            widgets.push((tenant, samples::stored_widget(&f.store, &tenant, number as u128 + 1).await));
        }
        let mut posts = JoinSet::new();
        for number in 0..40 {
            let (store, (tenant, widget)) = (f.store.clone(), widgets[number % 4]);
            posts.spawn(async move { (tenant, lead(&store, &tenant, widget, &format!("Ann{number}")).await) });
        }
        let leads = posts.join_all().await;
        let sound = |consents| ConsentCheck { consents, ..ConsentCheck::default() };
        assert_eq!(f.store.consents().check(one.account).await.unwrap(), sound(30));
        assert_eq!(f.store.consents().check(other.account).await.unwrap(), sound(10));
        let mut places = Vec::new();
        for (tenant, lead) in &leads {
            let certificate = f.store.consents().certificate(tenant, *lead).await.unwrap();
            assert_eq!(certificate.faults(Some(f.store.consents().certificate_key())), []);
            let [consent] = &certificate.consents[..] else { panic!("one consent") };
            assert_eq!(consent.evidence.phone.as_deref(), Some("(207) 555-0199"));
            assert_eq!((consent.evidence.lead_id, certificate.account_name.as_str()), (*lead, "Acme Roofing"));
            places.push((tenant.account, consent.place.sequence));
            let stranger = if *tenant == other { one } else { other };
            assert!(matches!(f.store.consents().certificate(&stranger, *lead).await, Err(StoreError::NotFound)));
        }
        places.sort();
        places.dedup();
        assert_eq!(places.len(), 40);
    }

    async fn texts_are_counted_until_their_lead_is_erased(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let sandbox = Tenant { environment: Environment::Sandbox, ..tenant };
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let first = lead(&f.store, &tenant, widget, "Ann").await;
        let begun = f.clock.now();
        f.clock.advance(std::time::Duration::from_secs(3_600));
        lead(&f.store, &tenant, widget, "Bea").await;
        let mut draft = samples::draft("Cyd");
        draft.consent.text = "Another sentence.".to_owned();
        draft.consent.given = false;
        let cyd = f.store.leads().accept(&tenant, widget, &draft, "Cyd", b"Cyd").await.unwrap().lead.id;
        let texts = f.store.consents().texts(&tenant).await.unwrap();
        let counted: Vec<_> = texts.iter().map(|text| (text.asked, text.agreed)).collect();
        let of = |words: &str| texts.iter().find(|text| text.text == words).unwrap();
        assert_eq!(counted.len(), 2);
        let (another, usual) = (of("Another sentence."), of("Acme Roofing may call me about my roof."));
        assert_eq!((another.asked, another.agreed), (1, 0));
        assert_ne!(another.hash, usual.hash);
        assert_eq!((usual.asked, usual.agreed, usual.first_at, usual.last_at), (2, 2, begun, f.clock.now()));
        assert!(f.store.consents().texts(&sandbox).await.unwrap().is_empty());
        f.store.leads().erase(&tenant, first).await.unwrap();
        let texts = f.store.consents().texts(&tenant).await.unwrap();
        let counted: Vec<_> = texts.iter().map(|text| (text.asked, text.agreed)).collect();
        assert!(counted.len() == 2 && counted.contains(&(1, 0)) && counted.contains(&(1, 1)), "{counted:?}");
        // By the browser of the same lead: two consents of one lead.
        draft.changes = Some(cyd);
        f.store.leads().accept(&tenant, widget, &draft, "Cyd again", b"Cyd again").await.unwrap();
        let texts = f.store.consents().texts(&tenant).await.unwrap();
        assert_eq!(texts.iter().map(|text| text.asked).max(), Some(2));
        f.store.leads().erase(&tenant, cyd).await.unwrap();
        let texts = f.store.consents().texts(&tenant).await.unwrap();
        assert_eq!(texts.iter().map(|text| (text.asked, text.agreed)).collect::<Vec<_>>(), [(1, 1)]);
    }

    async fn what_was_changed_in_the_database_is_named(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        for name in ["Ann", "Bea", "Cyd", "Dan"] {
            lead(&f.store, &tenant, widget, name).await;
        }
        assert_eq!(faults(&f.store, &tenant).await, [""; 0]);
        let changes = [
            ("UPDATE consent SET text = text || '!' WHERE sequence = 2", "UPDATE consent SET text = substr(text, 1, length(text) - 1) WHERE sequence = 2", "consent 2: `text` is not what was recorded"),
            ("UPDATE consent SET given = NOT given WHERE sequence = 3", "UPDATE consent SET given = NOT given WHERE sequence = 3", "consent 3: `given` is not what was recorded"),
            ("UPDATE consent SET at = at - 1 WHERE sequence = 1", "UPDATE consent SET at = at + 1 WHERE sequence = 1", "consent 1: `at` is not what was recorded"),
            ("UPDATE consent SET environment = 'sandbox' WHERE sequence = 4", "UPDATE consent SET environment = 'production' WHERE sequence = 4", "consent 4: `environment` is not what was recorded"),
            ("UPDATE consent SET evidence = '~' || evidence WHERE sequence = 4", "UPDATE consent SET evidence = substr(evidence, 2) WHERE sequence = 4", "consent 4: `evidence` is not what was recorded"),
            ("UPDATE consent SET sequence = 9 WHERE sequence = 4", "UPDATE consent SET sequence = 4 WHERE sequence = 9", "`head` does not agree with the consents"),
        ];
        for (change, back, told) in changes {
            f.run(change).await;
            assert_eq!(faults(&f.store, &tenant).await, [told], "{change}");
            f.run(back).await;
        }
        // Another's evidence, which opens in its own row alone.
        f.run("UPDATE consent SET digest = (SELECT digest FROM consent WHERE sequence = 1) WHERE sequence = 2").await;
        assert_eq!(
            f.store.consents().check(tenant.account).await.unwrap().faults,
            [Fault::Place { sequence: 2 }, Fault::Field { sequence: 2, field: "digest".to_owned() }]
        );
        f.run("DELETE FROM consent WHERE sequence = 2").await;
        assert_eq!(
            f.store.consents().check(tenant.account).await.unwrap().faults,
            [Fault::Missing { sequence: 2 }, Fault::Place { sequence: 3 }]
        );
    }

    async fn an_erased_lead_leaves_its_place_and_nothing_else(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let [gone, kept] = [lead(&f.store, &tenant, widget, "Ann").await, lead(&f.store, &tenant, widget, "Bea").await];
        f.store.leads().erase(&tenant, gone).await.unwrap();
        assert!(matches!(f.store.consents().certificate(&tenant, gone).await, Err(StoreError::NotFound)));
        let check = f.store.consents().check(tenant.account).await.unwrap();
        assert_eq!((check.consents, check.erased, check.faults), (2, 1, vec![]));
        assert_eq!(f.number("SELECT COUNT(*) FROM consent WHERE erased_at IS NOT NULL AND text = '' AND text_hash = '' AND evidence IS NULL").await, 1);
        let certificate = f.store.consents().certificate(&tenant, kept).await.unwrap();
        assert_eq!(certificate.faults(Some(f.store.consents().certificate_key())), []);
        // Somebody hides a consent as if it had been erased.
        f.run("UPDATE consent SET evidence = NULL, text = '', erased_at = 1 WHERE sequence = 2").await;
        assert_eq!(faults(&f.store, &tenant).await, ["consent 2: `evidence` is gone, although its lead was not erased"]);
    }
}
