use shingle_domain::lookup::Product;
use shingle_domain::{AccountId, Usd};
use shingle_store::StoreError;
use shingle_store_fixture::on_both_engines;
use uuid::Uuid;

on_both_engines! {
    async fn a_new_account_is_neither_prepaid_nor_limited(f: Fixture) {
        let account = f.store.accounts().create("Acme ☂ \"Roofing\" O'Neil").await.unwrap();
        assert_eq!(account.name, "Acme ☂ \"Roofing\" O'Neil");
        assert_eq!((account.paused, account.balance, account.monthly_limit), (false, None, None));
        assert!(account.products.contains(&Product::RoofEstimate) && !account.products.contains(&Product::BuyerInsights));
        assert_eq!(f.store.accounts().find(account.id).await.unwrap(), Some(account.clone()));
        assert_eq!(f.store.accounts().list().await.unwrap(), [account]);
    }

    async fn an_operators_changes_are_kept(f: Fixture) {
        let id = f.store.accounts().create("Acme").await.unwrap().id;
        assert!(f.store.accounts().pause(id).await.unwrap().paused);
        assert!(!f.store.accounts().resume(id).await.unwrap().paused);
        assert_eq!(f.store.accounts().set_limit(id, Some(3)).await.unwrap().monthly_limit, Some(3));
        assert_eq!(f.store.accounts().set_limit(id, None).await.unwrap().monthly_limit, None);
        assert!(f.store.accounts().set_product(id, Product::BuyerInsights, true).await.unwrap().products.contains(&Product::BuyerInsights));
        assert!(!f.store.accounts().set_product(id, Product::BuyerInsights, false).await.unwrap().products.contains(&Product::BuyerInsights));
        assert_eq!(f.store.accounts().credit(id, Usd::from_cents(250)).await.unwrap(), Usd::from_cents(250));
        assert_eq!(f.store.accounts().credit(id, Usd::from_cents(-50)).await.unwrap(), Usd::from_cents(200));
    }

    async fn a_credit_can_neither_overdraw_nor_overflow(f: Fixture) {
        let id = f.store.accounts().create("Acme").await.unwrap().id;
        for cents in [-1, i64::MAX, i64::MIN] {
            assert!(matches!(f.store.accounts().credit(id, Usd::from_cents(cents)).await, Err(StoreError::Amount)));
        }
        assert_eq!(f.store.accounts().find(id).await.unwrap().unwrap().balance, None, "a refused credit changes nothing");
    }

    async fn an_account_that_is_not_there_is_not_found(f: Fixture) {
        let id = AccountId(Uuid::from_u128(1));
        assert_eq!(f.store.accounts().find(id).await.unwrap(), None);
        assert!(matches!(f.store.accounts().pause(id).await, Err(StoreError::NotFound)));
        assert!(matches!(f.store.accounts().credit(id, Usd::from_cents(1)).await, Err(StoreError::NotFound)));
        assert!(matches!(f.store.accounts().set_product(id, Product::SolarIndex, true).await, Err(StoreError::NotFound)));
        assert!(matches!(f.store.accounts().set_limit(id, Some(1)).await, Err(StoreError::NotFound)));
    }

    async fn a_nul_is_refused_before_the_database_sees_it(f: Fixture) {
        assert!(matches!(f.store.accounts().create("Ac\0me").await, Err(StoreError::Nul)));
        assert!(f.store.accounts().list().await.unwrap().is_empty());
    }
}
