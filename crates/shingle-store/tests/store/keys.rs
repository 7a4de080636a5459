use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::{AccountId, Environment, KeyId, Tenant, Usd};
use shingle_store::{IssuedKey, KeyState, KeyTerms, Refusal, Store, StoreError};
use shingle_store_fixture::on_both_engines;
use uuid::Uuid;

use crate::samples::HERE;

const DAY: Duration = Duration::from_secs(24 * 3_600);

/// A production key of a new account.
async fn issue(store: &Store, terms: &KeyTerms) -> IssuedKey {
    let account = store.accounts().create("Acme").await.unwrap().id;
    store.accounts().issue_key_on(account, Environment::Production, terms).await.unwrap()
}

async fn is_live(store: &Store, key: &IssuedKey) -> bool {
    store.accounts().authenticate(&key.secret, HERE).await.unwrap().is_some()
}

on_both_engines! {
    async fn a_key_opens_its_own_account_and_environment(f: Fixture) {
        let account = f.store.accounts().create("Acme").await.unwrap().id;
        for environment in [Environment::Sandbox, Environment::Production] {
            let key = f.store.accounts().issue_key(account, environment).await.unwrap();
            assert!(key.secret.starts_with(&format!("{environment}_{}", key.id)));
            let caller = f.store.accounts().authenticate(&key.secret, HERE).await.unwrap().expect("a live key");
            assert_eq!((caller.key, caller.tenant), (key.id, Tenant { account, environment }));
        }
    }

    async fn every_change_to_a_key_makes_it_worthless(f: Fixture) {
        let account = f.store.accounts().create("Acme").await.unwrap().id;
        let secret = f.store.accounts().issue_key(account, Environment::Sandbox).await.unwrap().secret;
        let swapped = secret.replace("sandbox_", "production_");
        let longer = format!("{secret}0");
        for token in ["", "_", "sandbox_", "token", "sandbox_é", &swapped, &longer, &secret[..secret.len() - 1]] {
            assert_eq!(f.store.accounts().authenticate(token, HERE).await.unwrap(), None, "{token}");
        }
        for place in "sandbox_".len()..secret.len() {
            let mut bytes = secret.clone().into_bytes();
            bytes[place] = if bytes[place] == b'a' { b'b' } else { b'a' };
            assert_eq!(f.store.accounts().authenticate(&String::from_utf8(bytes).unwrap(), HERE).await.unwrap(), None, "at {place}");
        }
    }

    async fn a_revoked_key_opens_nothing_and_its_sister_still_does(f: Fixture) {
        let account = f.store.accounts().create("Acme").await.unwrap().id;
        let old = f.store.accounts().issue_key(account, Environment::Production).await.unwrap();
        let new = f.store.accounts().issue_key(account, Environment::Production).await.unwrap();
        f.store.accounts().revoke_key(&old.id).await.unwrap();
        assert_eq!(f.store.accounts().authenticate(&old.secret, HERE).await.unwrap(), None);
        assert!(f.store.accounts().authenticate(&new.secret, HERE).await.unwrap().is_some());
        assert!(matches!(f.store.accounts().revoke_key(&KeyId("nosuchid".to_owned())).await, Err(StoreError::NotFound)));
    }

    async fn a_key_ends_with_its_term(f: Fixture) {
        let expires_at = Some(f.store.now() + DAY);
        let key = issue(&f.store, &KeyTerms { expires_at, ..KeyTerms::default() }).await;
        let state = async || f.store.accounts().list_keys(key.tenant.account).await.unwrap()[0].state(f.store.now());
        f.clock.advance(DAY - Duration::from_millis(1));
        assert_eq!((is_live(&f.store, &key).await, state().await), (true, KeyState::Live));
        f.clock.advance(Duration::from_millis(1));
        assert_eq!((is_live(&f.store, &key).await, state().await), (false, KeyState::Expired));
        assert!(!is_live(&f.open_again().await, &key).await);
        f.store.accounts().revoke_key(&key.id).await.unwrap();
        assert_eq!(state().await, KeyState::Revoked);
    }

    async fn a_key_for_some_networks_is_none_elsewhere_and_no_use_there_is_noted(f: Fixture) {
        let networks = ["203.0.113.0/24", "2001:db8::/32"].map(|text| text.parse().unwrap()).to_vec();
        let key = issue(&f.store, &KeyTerms { networks, ..KeyTerms::default() }).await;
        let from = async |text: &str| f.store.accounts().authenticate(&key.secret, text.parse().unwrap()).await.unwrap().is_some();
        assert!(!from("192.0.2.1").await && !from("2001:db9::1").await && !from("::1").await);
        assert_eq!(f.store.accounts().list_keys(key.tenant.account).await.unwrap()[0].last_used_at, None);
        assert!(from("203.0.113.9").await && from("::ffff:203.0.113.9").await && from("2001:db8::5").await);
        assert!(f.store.accounts().list_keys(key.tenant.account).await.unwrap()[0].last_used_at.is_some());
    }

    async fn a_key_for_some_look_ups_makes_no_others(f: Fixture) {
        let products = vec![Product::RoofEstimate, Product::SolarIndex];
        let key = issue(&f.store, &KeyTerms { products, ..KeyTerms::default() }).await;
        let caller = f.store.accounts().authenticate(&key.secret, HERE).await.unwrap().expect("a live key");
        assert!(!caller.may_do_everything() && !caller.may_read_leads());
        let may: Vec<_> = Product::ALL.into_iter().filter(|product| caller.may_look_up(*product).is_ok()).collect();
        assert_eq!(may, [Product::RoofEstimate, Product::SolarIndex]);
        assert_eq!(caller.may_look_up(Product::UtilityBill), Err(Refusal::ProductOff));
        let other = issue(&f.store, &KeyTerms::default()).await;
        let other = f.store.accounts().authenticate(&other.secret, HERE).await.unwrap().expect("a live key");
        assert!(other.may_do_everything() && Product::ALL.into_iter().all(|p| other.may_look_up(p).is_ok()));
    }

    async fn a_key_is_replaced_on_its_terms_and_both_are_live_for_some_days(f: Fixture) {
        let terms = KeyTerms {
            name: "CRM".to_owned(),
            expires_at: Some(f.store.now() + 90 * DAY),
            products: vec![Product::RoofEstimate],
            sees: shingle_domain::WidgetScope::only([shingle_domain::WidgetId(Uuid::from_u128(7))]),
            networks: vec!["192.0.2.0/24".parse().unwrap()],
        };
        let old = issue(&f.store, &terms).await;
        f.clock.advance(80 * DAY);
        let new = f.store.accounts().rotate_key(&old.id, 7 * DAY).await.unwrap();
        assert_eq!((new.tenant, new.id == old.id), (old.tenant, false));
        assert_eq!(new.terms, KeyTerms { expires_at: Some(f.store.now() + 90 * DAY), ..terms }, "for as long again");
        assert!(is_live(&f.store, &old).await && is_live(&f.store, &new).await);
        let listed = f.store.accounts().list_keys(old.tenant.account).await.unwrap();
        assert_eq!(listed[0].successor, Some(new.id.clone()));
        assert_eq!(listed[0].terms.expires_at, Some(f.store.now() + 7 * DAY));
        assert_eq!((&listed[1].terms, &listed[1].successor), (&new.terms, &None));
        f.clock.advance(7 * DAY);
        assert!(!is_live(&f.store, &old).await && is_live(&f.store, &new).await);
    }

    async fn a_replaced_key_lives_no_longer_than_it_was_to(f: Fixture) {
        let expires_at = Some(f.store.now() + DAY);
        let old = issue(&f.store, &KeyTerms { expires_at, ..KeyTerms::default() }).await;
        f.store.accounts().rotate_key(&old.id, 7 * DAY).await.unwrap();
        assert_eq!(f.store.accounts().list_keys(old.tenant.account).await.unwrap()[0].terms.expires_at, expires_at);
        let at_once = issue(&f.store, &KeyTerms::default()).await;
        assert!(is_live(&f.store, &at_once).await);
        let new = f.store.accounts().rotate_key(&at_once.id, Duration::ZERO).await.unwrap();
        assert!(!is_live(&f.store, &at_once).await && is_live(&f.store, &new).await);
        assert_eq!(new.terms.expires_at, None);
    }

    async fn only_the_key_in_use_is_replaced_and_only_once(f: Fixture) {
        let old = issue(&f.store, &KeyTerms::default()).await;
        let other = f.open_again().await;
        let (here, there) = tokio::join!(f.store.accounts().rotate_key(&old.id, DAY), other.accounts().rotate_key(&old.id, DAY));
        let new = match (here, there) {
            (Ok(new), Err(StoreError::KeyReplaced(_) | StoreError::KeyEnded))
            | (Err(StoreError::KeyReplaced(_) | StoreError::KeyEnded), Ok(new)) => new,
            both => panic!("{both:?}"),
        };
        let again = f.store.accounts().rotate_key(&old.id, DAY).await;
        assert!(matches!(again, Err(StoreError::KeyReplaced(by)) if by == new.id));
        assert_eq!(f.store.accounts().list_keys(old.tenant.account).await.unwrap().len(), 2);
        f.store.accounts().revoke_key(&new.id).await.unwrap();
        assert!(matches!(f.store.accounts().rotate_key(&new.id, DAY).await, Err(StoreError::KeyEnded)));
        let nobody = KeyId("nosuchid".to_owned());
        assert!(matches!(f.store.accounts().rotate_key(&nobody, DAY).await, Err(StoreError::NotFound)));
    }

    async fn terms_that_cannot_be_read_open_nothing(f: Fixture) {
        let key = issue(&f.store, &KeyTerms::default()).await;
        f.run("UPDATE api_key SET products = 'roofs'").await;
        assert!(matches!(f.store.accounts().authenticate(&key.secret, HERE).await, Err(StoreError::Unreadable { .. })));
    }

    async fn a_list_of_keys_says_when_each_was_used(f: Fixture) {
        let account = f.store.accounts().create("Acme").await.unwrap().id;
        let key = f.store.accounts().issue_key(account, Environment::Production).await.unwrap();
        assert_eq!(f.store.accounts().list_keys(account).await.unwrap()[0].last_used_at, None);
        f.store.accounts().authenticate(&key.secret, HERE).await.unwrap();
        let first = f.store.accounts().list_keys(account).await.unwrap()[0].last_used_at;
        assert_eq!(first, Some(key.created_at));
        f.clock.advance(Duration::from_secs(60));
        f.store.accounts().authenticate(&key.secret, HERE).await.unwrap();
        assert_eq!(f.store.accounts().list_keys(account).await.unwrap()[0].last_used_at, first, "noted once an hour");
        f.clock.advance(Duration::from_secs(7_200));
        f.store.accounts().authenticate(&key.secret, HERE).await.unwrap();
        assert!(f.store.accounts().list_keys(account).await.unwrap()[0].last_used_at > first);
    }

    async fn a_use_of_a_key_that_cannot_be_noted_fails_no_call_and_is_noted_later(f: Fixture) {
        let account = f.store.accounts().create("Acme").await.unwrap().id;
        let key = f.store.accounts().issue_key(account, Environment::Production).await.unwrap();
        let call = async || {
            let caller = f.store.accounts().authenticate(&key.secret, HERE).await.unwrap().expect("a live key");
            let price = Usd::from_cents(25);
            let admitted = f.store.usage().admit(&caller.tenant, &caller.key, Product::RoofEstimate, price).await.unwrap();
            f.store.usage().settle(admitted, true).await.unwrap();
        };
        let on_sqlite = f.folder.is_some();
        f.run(if on_sqlite {
            "CREATE TRIGGER unused BEFORE UPDATE OF last_used_at ON api_key BEGIN SELECT RAISE(ABORT, 'no'); END"
        } else {
            "ALTER TABLE api_key ADD CONSTRAINT unused CHECK (last_used_at IS NULL)"
        })
        .await;
        call().await;
        assert!(f.store.usage().flush().await.is_err(), "it is not written");
        f.clock.advance(Duration::from_secs(2));
        call().await;
        f.run(if on_sqlite { "DROP TRIGGER unused" } else { "ALTER TABLE api_key DROP CONSTRAINT unused" }).await;
        assert_eq!(f.store.accounts().list_keys(account).await.unwrap()[0].last_used_at, Some(key.created_at));
        assert_eq!(f.store.accounts().find(account).await.unwrap().unwrap().used_this_month, 2, "and no call is lost");
    }

    async fn nobody_gets_a_key_without_an_account(f: Fixture) {
        let nobody = AccountId(Uuid::from_u128(1));
        assert!(matches!(f.store.accounts().issue_key(nobody, Environment::Sandbox).await, Err(StoreError::NotFound)));
        assert!(f.store.accounts().list_keys(nobody).await.unwrap().is_empty());
    }

    async fn a_key_is_never_printed(f: Fixture) {
        let account = f.store.accounts().create("Acme").await.unwrap().id;
        let key = f.store.accounts().issue_key(account, Environment::Sandbox).await.unwrap();
        assert!(!format!("{key:?}").contains(&key.secret[20..]));
    }
}
