//! What one process has in memory, and what another changes.

use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::notice::NoticeSettings;
use shingle_domain::{Environment, KeyId, Usd, WidgetSettings};
use shingle_store::{KeyTerms, Refusal, Store, StoreError};
use shingle_store_fixture::{on_both_engines, sample_widget};

use crate::samples::{self, HERE};

const WIDGET: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";

/// From then on a change by another process is seen.
const SEEN: Duration = Duration::from_secs(1);

async fn admitted(store: &Store, tenant: &shingle_domain::Tenant) -> Result<(), Refusal> {
    match store.usage().admit(tenant, &KeyId("testkey1".to_owned()), Product::RoofEstimate, Usd::from_cents(1)).await {
        Ok(_) => Ok(()),
        Err(StoreError::Refused(refusal)) => Err(refusal),
        Err(other) => panic!("{other}"),
    }
}

on_both_engines! {
    async fn a_key_that_another_process_revokes_is_refused_here_too(f: Fixture) {
        let account = f.store.accounts().create("Acme").await.unwrap().id;
        let key = f.store.accounts().issue_key(account, Environment::Production).await.unwrap();
        assert!(f.store.accounts().authenticate(&key.secret, HERE).await.unwrap().is_some());
        let other = f.open_again().await;
        other.accounts().revoke_key(&key.id).await.unwrap();
        assert_eq!(other.accounts().authenticate(&key.secret, HERE).await.unwrap(), None, "at once where it is revoked");
        f.clock.advance(SEEN);
        assert_eq!(f.store.accounts().authenticate(&key.secret, HERE).await.unwrap(), None);
    }

    async fn a_key_that_another_process_replaces_ends_here_too(f: Fixture) {
        let account = f.store.accounts().create("Acme").await.unwrap().id;
        let key = f.store.accounts().issue_key(account, Environment::Production).await.unwrap();
        assert!(f.store.accounts().authenticate(&key.secret, HERE).await.unwrap().is_some());
        let other = f.open_again().await;
        let new = other.accounts().rotate_key(&key.id, 4 * SEEN).await.unwrap();
        f.clock.advance(SEEN);
        assert!(f.store.accounts().authenticate(&new.secret, HERE).await.unwrap().is_some());
        assert!(f.store.accounts().authenticate(&key.secret, HERE).await.unwrap().is_some(), "two are live");
        f.clock.advance(3 * SEEN);
        assert_eq!(f.store.accounts().authenticate(&key.secret, HERE).await.unwrap(), None);
    }

    async fn the_terms_of_a_key_are_judged_without_reading_it_again(f: Fixture) {
        let account = f.store.accounts().create("Acme").await.unwrap().id;
        let expires_at = Some(f.store.now() + 8 * SEEN);
        let networks = vec!["192.0.2.0/24".parse().unwrap()];
        let terms = KeyTerms { expires_at, networks, products: vec![Product::RoofEstimate], ..KeyTerms::default() };
        let key = f.store.accounts().issue_key_on(account, Environment::Production, &terms).await.unwrap();
        f.store.accounts().authenticate(&key.secret, HERE).await.unwrap().expect("a live key");
        f.store.usage().flush().await.unwrap();
        f.run("ALTER TABLE api_key RENAME TO gone").await;
        for _ in 0..4 {
            f.clock.advance(SEEN);
            let caller = f.store.accounts().authenticate(&key.secret, HERE).await.unwrap().expect("a live key");
            assert_eq!(caller.may_look_up(Product::RoofEstimate), Ok(()));
            assert_eq!(caller.may_look_up(Product::SolarIndex), Err(Refusal::ProductOff));
            assert_eq!(f.store.accounts().authenticate(&key.secret, [192, 0, 3, 1].into()).await.unwrap(), None);
        }
        f.clock.advance(4 * SEEN);
        assert_eq!(f.store.accounts().authenticate(&key.secret, HERE).await.unwrap(), None, "it has expired");
        f.run("ALTER TABLE gone RENAME TO api_key").await;
    }

    async fn an_account_that_another_process_pauses_is_refused_here_too(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        assert_eq!(admitted(&f.store, &tenant).await, Ok(()));
        let other = f.open_again().await;
        other.accounts().pause(tenant.account).await.unwrap();
        f.clock.advance(SEEN);
        assert_eq!(admitted(&f.store, &tenant).await, Err(Refusal::Paused));
        f.store.accounts().resume(tenant.account).await.unwrap();
        assert_eq!(admitted(&f.store, &tenant).await, Ok(()), "at once where it is resumed");
        other.accounts().set_product(tenant.account, Product::RoofEstimate, false).await.unwrap();
        f.clock.advance(SEEN);
        assert_eq!(admitted(&f.store, &tenant).await, Err(Refusal::ProductOff));
    }

    async fn a_balance_that_another_process_gives_is_asked_here_too(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        assert_eq!(admitted(&f.store, &tenant).await, Ok(()));
        f.open_again().await.accounts().credit(tenant.account, Usd::from_cents(1)).await.unwrap();
        f.clock.advance(SEEN);
        let key = KeyId("testkey1".to_owned());
        let call = || f.store.usage().admit(&tenant, &key, Product::RoofEstimate, Usd::from_cents(1));
        f.store.usage().settle(call().await.unwrap(), true).await.unwrap();
        let spent = f.store.usage().settle(call().await.unwrap(), true).await;
        assert!(matches!(spent, Err(StoreError::Refused(Refusal::NoBalance))));
    }

    async fn a_widget_that_was_changed_is_at_once_new_here_and_soon_elsewhere(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (widget, record) = sample_widget(WIDGET.parse().unwrap());
        let id = widget.reference_id;
        f.store.widgets().create(&tenant, &widget, |_| record.clone(), None).await.unwrap();
        let other = f.open_again().await;
        let version = async |store: &Store| store.widgets().find_public(id.into()).await.unwrap().unwrap().version;
        assert_eq!((version(&f.store).await, version(&other).await), (1, 1));
        f.store.widgets().set_settings(&tenant, id, &WidgetSettings::default()).await.unwrap();
        assert_eq!(version(&f.store).await, 2);
        f.clock.advance(SEEN);
        assert_eq!(version(&other).await, 2);
        let changed = f.store.widgets().update(&tenant, id, |old| Ok::<_, StoreError>((old.clone(), record.clone()))).await;
        assert_eq!(changed.unwrap().version, 3);
        assert_eq!(version(&f.store).await, 3);
        f.clock.advance(SEEN);
        assert_eq!(version(&other).await, 3);
    }

    async fn notice_settings_that_were_changed_are_at_once_new_here_and_soon_elsewhere(f: Fixture) {
        let (tenant, stranger) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let other = f.open_again().await;
        let zone = async |store: &Store, of| {
            let settings = store.destinations().cached_notice_settings(of).await.unwrap();
            Option::clone(&settings).map(|settings| settings.time_zone)
        };
        assert_eq!((zone(&f.store, &tenant).await, zone(&other, &tenant).await), (None, None));
        let maine = NoticeSettings { time_zone: "America/New_York".to_owned(), ..NoticeSettings::default() };
        f.store.destinations().set_notice_settings(&tenant, &maine).await.unwrap();
        assert_eq!(zone(&f.store, &tenant).await.as_ref(), Some(&maine.time_zone));
        assert_eq!(zone(&f.store, &stranger).await, None);
        f.clock.advance(SEEN);
        assert_eq!(zone(&other, &tenant).await, Some(maine.time_zone));
    }

    async fn a_widget_in_memory_is_still_nobody_elses(f: Fixture) {
        let (owner, stranger) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let (widget, record) = sample_widget(WIDGET.parse().unwrap());
        f.store.widgets().create(&owner, &widget, |_| record.clone(), None).await.unwrap();
        assert!(f.store.widgets().find(&owner, widget.reference_id).await.unwrap().is_some());
        assert!(f.store.widgets().find(&stranger, widget.reference_id).await.unwrap().is_none());
    }
}
