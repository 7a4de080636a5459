//! Closing an account: what stops at once, who may take it back and until when, and that nothing of it is left.

use std::collections::BTreeMap;
use std::time::Duration;

use shingle_domain::{AccountId, Email, Environment, LinkId, Role, Tenant, UserName, WidgetId};
use shingle_store::{InviteDraft, REOPENABLE, Store, StoreError, User};
use shingle_store_fixture::{Fixture, on_both_engines};

use crate::samples;

const SECOND: Duration = Duration::from_secs(1);

/// What stays: of the server, of its books, and the log, which names nobody.
const KEPT: &[&str] = &[
    "_sqlx_migrations",
    "account",
    "audit_entry",
    "hidden_home",
    "homes_place",
    "homes_question",
    "installation",
    "limit_use",
    "node",
    "spent_challenge",
    "usage_day",
    "usage_month",
    "work_lease",
];

async fn user(store: &Store, account: AccountId, role: Role, address: &str) -> User {
    let draft = InviteDraft {
        account: Some(account),
        role,
        sees: shingle_domain::WidgetScope::All,
        email: None,
        by: None,
        lifetime: REOPENABLE,
    };
    let (_, token) = store.people().invite(&draft).await.unwrap();
    let name = UserName::parse("Maya Lindqvist").unwrap();
    store.people().accept_invite(&token, &Email::parse(address).unwrap(), &name).await.unwrap()
}

async fn company(store: &Store, number: u128) -> (Tenant, WidgetId, String) {
    let tenant = samples::tenant(store).await;
    let mut widget = samples::widget(number);
    // One logo of its own, and one that both have.
    widget.footer_logo = Some(widget.header_logo.clone());
    widget.header_logo.path = format!("logos/{number}.png");
    store.widgets().create(&tenant, &widget, samples::record, None).await.unwrap();
    let lead = samples::draft(&format!("Person{number}"));
    store.leads().accept(&tenant, widget.reference_id, &lead, "key", b"body").await.unwrap();
    user(store, tenant.account, Role::Owner, &format!("owner{number}@oak.example.com")).await;
    user(store, tenant.account, Role::Operator, &format!("operator{number}@oak.example.com")).await;
    let key = store.accounts().issue_key(tenant.account, Environment::Production).await.unwrap();
    store.leads().index_leads().await.unwrap();
    (tenant, widget.reference_id, key.secret)
}

async fn rows(f: &Fixture) -> BTreeMap<String, i64> {
    let tables = match f.folder {
        Some(_) => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        None => "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'",
    };
    let mut counted = BTreeMap::new();
    for table in f.texts(tables).await {
        let sql: &'static str = Box::leak(format!("SELECT COUNT(*) FROM \"{table}\"").into_boxed_str());
        let number = f.number(sql).await;
        counted.insert(table, number);
    }
    counted
}

on_both_engines! {
    async fn widgets_and_keys_stop_at_once_and_come_back(f: Fixture) {
        let (tenant, widget, key) = company(&f.store, 1).await;
        let (other, their_widget, their_key) = company(&f.store, 2).await;
        let second = f.open_again().await;
        let works = async |store: &Store, widget: WidgetId, key: &str| {
            let shown = store.widgets().find_public(LinkId::from(widget)).await.unwrap().is_some();
            let called = store.accounts().authenticate(key, samples::HERE).await.unwrap().is_some();
            assert_eq!(shown, called);
            shown
        };
        for store in [&f.store, &second] {
            assert!(works(store, widget, &key).await);
        }
        f.store.accounts().close(tenant.account).await.unwrap();
        assert!(!works(&f.store, widget, &key).await);
        let closed_at = f.store.now();
        // Another node asks once a second whether something has changed.
        f.clock.advance(SECOND);
        for store in [&f.store, &second] {
            assert!(!works(store, widget, &key).await, "what was held in memory is let go");
            assert!(works(store, their_widget, &their_key).await);
        }
        let closing = f.store.accounts().find(tenant.account).await.unwrap().unwrap().closing.unwrap();
        assert_eq!((closing.closed_at, closing.erased_at), (closed_at, None));
        f.clock.advance(REOPENABLE - SECOND * 2);
        f.store.accounts().close(tenant.account).await.unwrap();
        assert!(f.store.accounts().to_erase().await.unwrap().is_empty());
        assert!(matches!(f.store.accounts().erase(tenant.account).await, Err(StoreError::NotFound)), "not yet");
        assert!(f.store.accounts().reopen(tenant.account).await.unwrap(), "closing again does not lengthen it");
        assert!(!f.store.accounts().reopen(tenant.account).await.unwrap(), "it is open");
        f.clock.advance(SECOND);
        for store in [&f.store, &second] {
            assert!(works(store, widget, &key).await);
        }
        assert_eq!(f.store.accounts().find(tenant.account).await.unwrap().unwrap().closing, None);

        f.store.accounts().close(tenant.account).await.unwrap();
        f.clock.advance(REOPENABLE);
        assert!(!f.store.accounts().reopen(tenant.account).await.unwrap(), "too late");
        assert_eq!(f.store.accounts().to_erase().await.unwrap(), [tenant.account]);
        assert!(matches!(f.store.accounts().erase(other.account).await, Err(StoreError::NotFound)), "it is open");
        let nobody = AccountId(uuid::Uuid::nil());
        assert!(matches!(f.store.accounts().close(nobody).await, Err(StoreError::NotFound)));
        assert!(!f.store.accounts().reopen(nobody).await.unwrap());
    }

    async fn nothing_of_an_erased_account_is_left(f: Fixture) {
        let (theirs, ..) = company(&f.store, 2).await;
        f.run(include_str!("filling.sql")).await;
        let before = rows(&f).await;
        let empty: Vec<_> = before.iter().filter(|(_, count)| **count == 0).map(|(table, _)| table).collect();
        assert!(empty.is_empty(), "filling.sql puts a row into every table, so that its erasure is tested: {empty:?}");
        // The same again, for another account.
        let g = match f.folder {
            Some(_) => Fixture::on_sqlite().await,
            None => Fixture::on_postgres().await.unwrap(),
        };
        let (ours, ..) = company(&g.store, 1).await;
        company(&g.store, 2).await;
        g.run(include_str!("filling.sql")).await;
        assert_eq!(g.store.accounts().logos_of(ours.account).await.unwrap(), ["logos/1.png"], "the other one is both companies'");
        g.store.accounts().close(ours.account).await.unwrap();
        g.clock.advance(REOPENABLE);
        assert!(!g.store.accounts().erase(ours.account).await.unwrap(), "photographs have files");
        assert_eq!(g.store.accounts().to_erase().await.unwrap(), [ours.account], "it goes on later");
        let photos = g.store.leads().removed_photos().await.unwrap();
        assert_eq!(photos.len(), 1);
        g.store.leads().forget_photo(photos[0].id).await.unwrap();
        assert!(!g.store.accounts().erase(ours.account).await.unwrap(), "files have blobs too");
        let files = g.store.leads().removed_files().await.unwrap();
        assert_eq!(files.len(), 1);
        g.store.leads().forget_file(files[0].id).await.unwrap();
        assert!(g.store.accounts().erase(ours.account).await.unwrap());
        assert!(g.store.accounts().to_erase().await.unwrap().is_empty());

        let after = rows(&g).await;
        // Operators stay, with their own ways in.
        let operators = ["email_change", "passkey", "recovery_code", "session", "sign_in", "user", "ceremony"]
            .map(|table| format!("portal_{table}"));
        for (table, count) in &before {
            let expected = count + i64::from(operators.contains(table));
            if !KEPT.contains(&table.as_str()) {
                assert_eq!(after[table], expected, "{table}");
            }
        }
        assert_eq!(g.number("SELECT COUNT(*) FROM portal_user WHERE account_id IS NULL").await, 1);
        let account = g.store.accounts().find(ours.account).await.unwrap().unwrap();
        assert_eq!((account.name.as_str(), account.closing.unwrap().erased_at), ("Acme Roofing", Some(g.store.now())));
        assert!(f.store.accounts().find(theirs.account).await.unwrap().unwrap().closing.is_none());
    }
}
