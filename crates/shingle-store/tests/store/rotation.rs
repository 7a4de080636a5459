//! New keys while the nodes go on, and rows of older keys that are encrypted again afterwards.

use std::path::{Path, PathBuf};
use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::message::ToMessage;
use shingle_domain::{LeadId, Tenant, WidgetId};
use shingle_store::{DeliveryFilter, DestinationDraft, DestinationKind, Secret, Store, StoreError};
use shingle_store_fixture::{Fixture, on_both_engines};

use crate::samples;

const MINUTE: Duration = Duration::from_secs(60);

/// The secret of the fixture as a file.
fn secret_file(folder: &Path) -> PathBuf {
    let path = folder.join("secret");
    std::fs::write(&path, format!("{}\n", "07".repeat(32))).unwrap();
    path
}

/// Another process with its own memory.
async fn node(f: &Fixture, file: &Path) -> Store {
    Store::open(&f.address, f.clock.clone(), &Secret::load_or_create(file).unwrap()).await.unwrap()
}

async fn lead(store: &Store, tenant: &Tenant, widget: WidgetId, name: &str) -> LeadId {
    store.leads().accept(tenant, widget, &samples::draft(name), name, name.as_bytes()).await.unwrap().lead.id
}

async fn name_of(store: &Store, tenant: &Tenant, id: LeadId) -> String {
    store.leads().find(tenant, id).await.unwrap().unwrap().first_name
}

/// Of everything that is encrypted, what a key of this beginning has not encrypted.
async fn others(f: &Fixture, beginning: &'static str) -> i64 {
    f.number(match beginning {
        "~AQAB" => "SELECT (SELECT COUNT(*) FROM lead WHERE substr(record, 1, 5) <> '~AQAB') + (SELECT COUNT(*) FROM event WHERE substr(payload, 1, 5) <> '~AQAB') + (SELECT COUNT(*) FROM consent WHERE substr(evidence, 1, 5) <> '~AQAB')",
        _ => "SELECT (SELECT COUNT(*) FROM lead WHERE substr(record, 1, 5) <> '~AQAC') + (SELECT COUNT(*) FROM event WHERE substr(payload, 1, 5) <> '~AQAC') + (SELECT COUNT(*) FROM consent WHERE substr(evidence, 1, 5) <> '~AQAC')",
    })
    .await
}

on_both_engines! {
    async fn keys_are_replaced_while_two_nodes_go_on(f: Fixture) {
        let folder = tempfile::tempdir().unwrap();
        let file = secret_file(folder.path());
        let old_file = folder.path().join("old");
        std::fs::copy(&file, &old_file).unwrap();
        let (one, two) = (node(&f, &file).await, node(&f, &file).await);
        let tenant = samples::tenant(&one).await;
        let widget = samples::stored_widget(&one, &tenant, 1).await;
        let hook = one.destinations().create(&tenant, &webhook("whsec_first"), None).await.unwrap();
        let before = lead(&one, &tenant, widget, "Ann").await;
        assert_eq!(name_of(&two, &tenant, before).await, "Ann");
        assert!(!one.encryption().needs_rotation().await.unwrap());

        assert_eq!(Secret::add_key(&file).unwrap(), 2);
        assert!(one.encryption().needs_rotation().await.unwrap());
        let rotation = one.encryption().rotate_keys().await.unwrap();
        assert_eq!((rotation.key, rotation.accounts, rotation.destinations), (2, 1, 1));
        let again = one.encryption().rotate_keys().await.unwrap();
        assert_eq!((again.accounts, again.destinations, one.encryption().needs_rotation().await.unwrap()), (0, 0, false));
        assert_eq!(f.number("SELECT COUNT(*) FROM data_key WHERE wrapping <> 2").await, 0);

        // The other node has read neither file nor keys since. Nothing is encrypted yet that it could not open.
        let meanwhile = lead(&one, &tenant, widget, "Bea").await;
        assert_eq!(name_of(&two, &tenant, meanwhile).await, "Bea");
        assert_eq!(others(&f, "~AQAB").await, 0);
        f.clock.advance(MINUTE * 2);
        let [of_one, of_two] = [lead(&one, &tenant, widget, "Cyd").await, lead(&two, &tenant, widget, "Dan").await];
        assert_eq!(f.number("SELECT COUNT(*) FROM lead WHERE substr(record, 1, 5) = '~AQAC'").await, 2);
        for (node, id, name) in [(&two, of_one, "Cyd"), (&one, of_two, "Dan"), (&two, before, "Ann")] {
            assert_eq!(name_of(node, &tenant, id).await, name);
        }
        let secrets = two.destinations().find(&tenant, hook.id).await.unwrap().unwrap().draft.secrets;
        assert_eq!(secrets.as_deref(), Some("whsec_first"));

        // What the old key encrypted is encrypted again, once no node uses it any more.
        assert_eq!(one.encryption().encrypt_older_rows(1_000).await.unwrap().rows, 0);
        f.clock.advance(MINUTE * 5);
        assert_eq!(one.encryption().count_accounts_with_older_rows().await.unwrap(), 1);
        let (_, done) = tokio::join!(two.encryption().encrypt_older_rows(1_000), one.encryption().encrypt_older_rows(1_000));
        assert_eq!(done.unwrap().unreadable, 0);
        assert_eq!(others(&f, "~AQAC").await, 0);
        while one.encryption().encrypt_older_rows(1_000).await.unwrap().rows > 0 {}
        assert_eq!(one.encryption().count_accounts_with_older_rows().await.unwrap(), 0);
        assert_eq!(name_of(&two, &tenant, before).await, "Ann");
        assert_eq!(two.consents().check(tenant.account).await.unwrap().faults, []);

        // A machine with the old file says what it lacks.
        let behind = node(&f, &old_file).await;
        assert!(matches!(behind.leads().find(&tenant, before).await, Err(StoreError::MissingKey(2))));
        std::fs::copy(&file, &old_file).unwrap();
        assert_eq!(name_of(&behind, &tenant, before).await, "Ann", "the file was brought without a restart");
    }

    async fn rows_of_an_older_key_are_encrypted_again_a_few_at_a_time(f: Fixture) {
        let folder = tempfile::tempdir().unwrap();
        let file = secret_file(folder.path());
        let store = node(&f, &file).await;
        let tenant = samples::tenant(&store).await;
        let widget = samples::stored_widget(&store, &tenant, 1).await;
        let hook = store.destinations().create(&tenant, &webhook("whsec_first"), None).await.unwrap();
        let mut ids = Vec::new();
        for name in ["Ann", "Bea", "Cyd", "Dan"] {
            ids.push(lead(&store, &tenant, widget, name).await);
            f.clock.advance(MINUTE);
        }
        // What is left of this one is in the clear.
        store.leads().erase(&tenant, ids[1]).await.unwrap();
        // And one that somebody has damaged.
        f.run("UPDATE lead SET record = '~AQAA' WHERE id = (SELECT MAX(id) FROM lead)").await;
        Secret::add_key(&file).unwrap();
        store.encryption().rotate_keys().await.unwrap();
        f.clock.advance(MINUTE * 6);
        assert!(others(&f, "~AQAC").await > 5);
        let first = store.encryption().encrypt_older_rows(2).await.unwrap();
        assert!(first.rows >= 2 && first.rows < 12, "{first:?}");
        let mut unreadable = first.unreadable;
        for _ in 0..20 {
            unreadable += store.encryption().encrypt_older_rows(2).await.unwrap().unreadable;
        }
        assert!(unreadable > 0);
        assert_eq!(others(&f, "~AQAC").await, 1, "the damaged one");
        assert_eq!(store.encryption().count_accounts_with_older_rows().await.unwrap(), 0);
        assert_eq!(name_of(&store, &tenant, ids[0]).await, "Ann");
        assert_eq!(f.number("SELECT COUNT(*) FROM delivery WHERE reason = 'erased'").await, 2);
        let log = store.deliveries().list(&tenant, hook.id, &DeliveryFilter::default(), None, 10).await.unwrap();
        assert_eq!(log.deliveries.iter().filter(|sent| sent.reason == Some("erased".to_message())).count(), 1);
    }

    async fn a_text_that_somebody_wrote_in_the_clear_is_not_taken(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let id = lead(&f.store, &tenant, widget, "Ann").await;
        f.run("UPDATE lead SET record = '{}'").await;
        assert!(matches!(f.store.leads().find(&tenant, id).await, Err(StoreError::Cipher)));
    }
}

fn webhook(secret: &str) -> DestinationDraft {
    DestinationDraft {
        kind: DestinationKind::Webhook,
        name: "crm".to_owned(),
        address: "https://hooks.example.com/".to_owned(),
        events: vec![EventKind::LeadCreated],
        widgets: Vec::new(),
        active: true,
        ordered: false,
        timeout_seconds: 10,
        config: "{}".to_owned(),
        secrets: Some(secret.to_owned()),
    }
}

#[test]
fn a_secret_file_has_a_root_and_numbered_keys() {
    let folder = tempfile::tempdir().unwrap();
    let file = secret_file(folder.path());
    assert_eq!(Secret::load_or_create(&file).unwrap().newest_key(), 1);
    let root = Secret::load_or_create(&file).unwrap().derive("test");
    let numbers = std::thread::scope(|scope| {
        let adds = [(); 6].map(|()| scope.spawn(|| Secret::add_key(&file).unwrap()));
        let mut numbers = adds.map(|add| add.join().unwrap());
        numbers.sort_unstable();
        numbers
    });
    assert_eq!(numbers, [2, 3, 4, 5, 6, 7], "none is lost");
    let secret = Secret::load_or_create(&file).unwrap();
    assert_eq!((secret.newest_key(), secret.derive("test")), (7, root));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0);
    }
    let digits = "07".repeat(32);
    for wrong in [
        "",
        "07",
        &format!("{digits}\n1 {digits}"),
        &format!("{digits}\n3 {digits}\n2 {digits}"),
        &format!("{digits}\n2 07"),
        &format!("{digits}\n{digits}"),
    ] {
        std::fs::write(&file, wrong).unwrap();
        assert!(matches!(Secret::load_or_create(&file), Err(StoreError::SecretForm)), "{wrong}");
        assert!(matches!(Secret::add_key(&file), Err(StoreError::SecretForm)), "{wrong}");
    }
}
