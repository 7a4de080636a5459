use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::{AccountId, Environment, KeyId, Tenant, Usd};
use shingle_store::StoreError;
use shingle_store_fixture::on_both_engines;
use uuid::Uuid;

on_both_engines! {
    async fn a_key_opens_its_own_account_and_environment(f: Fixture) {
        let account = f.store.create_account("Acme").await.unwrap().id;
        for environment in [Environment::Sandbox, Environment::Production] {
            let key = f.store.issue_key(account, environment).await.unwrap();
            assert!(key.secret.starts_with(&format!("{environment}_{}", key.id)));
            let caller = f.store.authenticate(&key.secret).await.unwrap().expect("a live key");
            assert_eq!((caller.key, caller.tenant), (key.id, Tenant { account, environment }));
        }
    }

    async fn every_change_to_a_key_makes_it_worthless(f: Fixture) {
        let account = f.store.create_account("Acme").await.unwrap().id;
        let secret = f.store.issue_key(account, Environment::Sandbox).await.unwrap().secret;
        let swapped = secret.replace("sandbox_", "production_");
        let longer = format!("{secret}0");
        for token in ["", "_", "sandbox_", "token", "sandbox_é", &swapped, &longer, &secret[..secret.len() - 1]] {
            assert_eq!(f.store.authenticate(token).await.unwrap(), None, "{token}");
        }
        for place in "sandbox_".len()..secret.len() {
            let mut bytes = secret.clone().into_bytes();
            bytes[place] = if bytes[place] == b'a' { b'b' } else { b'a' };
            assert_eq!(f.store.authenticate(&String::from_utf8(bytes).unwrap()).await.unwrap(), None, "at {place}");
        }
    }

    async fn a_revoked_key_opens_nothing_and_its_sister_still_does(f: Fixture) {
        let account = f.store.create_account("Acme").await.unwrap().id;
        let old = f.store.issue_key(account, Environment::Production).await.unwrap();
        let new = f.store.issue_key(account, Environment::Production).await.unwrap();
        f.store.revoke_key(&old.id).await.unwrap();
        assert_eq!(f.store.authenticate(&old.secret).await.unwrap(), None);
        assert!(f.store.authenticate(&new.secret).await.unwrap().is_some());
        assert!(matches!(f.store.revoke_key(&KeyId("nosuchid".to_owned())).await, Err(StoreError::NotFound)));
    }

    async fn a_list_of_keys_says_when_each_was_used(f: Fixture) {
        let account = f.store.create_account("Acme").await.unwrap().id;
        let key = f.store.issue_key(account, Environment::Production).await.unwrap();
        assert_eq!(f.store.list_keys(account).await.unwrap()[0].last_used_at, None);
        f.store.authenticate(&key.secret).await.unwrap();
        let first = f.store.list_keys(account).await.unwrap()[0].last_used_at;
        assert_eq!(first, Some(key.created_at));
        f.clock.advance(Duration::from_secs(60));
        f.store.authenticate(&key.secret).await.unwrap();
        assert_eq!(f.store.list_keys(account).await.unwrap()[0].last_used_at, first, "noted once an hour");
        f.clock.advance(Duration::from_secs(7_200));
        f.store.authenticate(&key.secret).await.unwrap();
        assert!(f.store.list_keys(account).await.unwrap()[0].last_used_at > first);
    }

    async fn a_use_of_a_key_that_cannot_be_noted_fails_no_call_and_is_noted_later(f: Fixture) {
        let account = f.store.create_account("Acme").await.unwrap().id;
        let key = f.store.issue_key(account, Environment::Production).await.unwrap();
        let call = async || {
            let caller = f.store.authenticate(&key.secret).await.unwrap().expect("a live key");
            let price = Usd::from_cents(25);
            let admitted = f.store.admit(&caller.tenant, &caller.key, Product::RoofEstimate, price).await.unwrap();
            f.store.settle(admitted, true).await.unwrap();
        };
        let on_sqlite = f.folder.is_some();
        f.run(if on_sqlite {
            "CREATE TRIGGER unused BEFORE UPDATE OF last_used_at ON api_key BEGIN SELECT RAISE(ABORT, 'no'); END"
        } else {
            "ALTER TABLE api_key ADD CONSTRAINT unused CHECK (last_used_at IS NULL)"
        })
        .await;
        call().await;
        assert!(f.store.flush_usage().await.is_err(), "it is not written");
        f.clock.advance(Duration::from_secs(2));
        call().await;
        f.run(if on_sqlite { "DROP TRIGGER unused" } else { "ALTER TABLE api_key DROP CONSTRAINT unused" }).await;
        assert_eq!(f.store.list_keys(account).await.unwrap()[0].last_used_at, Some(key.created_at));
        assert_eq!(f.store.find_account(account).await.unwrap().unwrap().used_this_month, 2, "and no call is lost");
    }

    async fn nobody_gets_a_key_without_an_account(f: Fixture) {
        let nobody = AccountId(Uuid::from_u128(1));
        assert!(matches!(f.store.issue_key(nobody, Environment::Sandbox).await, Err(StoreError::NotFound)));
        assert!(f.store.list_keys(nobody).await.unwrap().is_empty());
    }

    async fn a_key_is_never_printed(f: Fixture) {
        let account = f.store.create_account("Acme").await.unwrap().id;
        let key = f.store.issue_key(account, Environment::Sandbox).await.unwrap();
        assert!(!format!("{key:?}").contains(&key.secret[20..]));
    }
}
