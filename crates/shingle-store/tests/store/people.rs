//! What is stored of a person is handed out and erased; old leads are erased by themselves.

use std::time::Duration;

use shingle_domain::{Email, Environment, LeadId, Phone, Tenant, WidgetId};
use shingle_store::{Person, Store, StoreError};
use shingle_store_fixture::on_both_engines;

use crate::samples;

const DAY: Duration = Duration::from_secs(24 * 3_600);

async fn send(store: &Store, tenant: &Tenant, widget: WidgetId, key: &str, email: &str, phone: Option<&str>) -> LeadId {
    let mut draft = samples::draft(key);
    draft.email = Email::parse(email);
    draft.phone = phone.map(|phone| Phone::parse_loosely(phone).unwrap());
    draft.address = format!("{key} Alder Court");
    store.leads().accept(tenant, widget, &draft, key, key.as_bytes()).await.unwrap().lead.id
}

fn person(email: Option<&str>, phone: Option<&str>) -> Person {
    Person {
        email: email.map(|text| Email::parse(text).unwrap()),
        phone: phone.map(|text| Phone::parse_loosely(text).unwrap()),
    }
}

on_both_engines! {
    async fn a_person_is_known_by_address_or_number_and_gets_all_or_nothing(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let other = samples::tenant(&f.store).await;
        let theirs = samples::stored_widget(&f.store, &other, 2).await;
        let one = send(&f.store, &tenant, widget, "1", "Ann@example.com", Some("2075550143")).await;
        f.clock.advance(DAY);
        let two = send(&f.store, &tenant, widget, "2", "ann@EXAMPLE.com", None).await;
        f.clock.advance(DAY);
        let three = send(&f.store, &tenant, widget, "3", "other@example.com", Some("2075550143")).await;
        let bystander = send(&f.store, &tenant, widget, "4", "ann@example.com.au", Some("2075550144")).await;
        send(&f.store, &other, theirs, "5", "ann@example.com", Some("2075550143")).await;

        let (mail, call) = (person(Some("ann@example.com"), None), person(None, Some("(207) 555-0143")));
        let both = person(Some("ann@example.com"), Some("2075550143"));
        let of = async |person: &Person| f.store.leads().of_person(&tenant, person).await.unwrap();
        assert_eq!(of(&mail).await, [two, one]);
        assert_eq!(of(&call).await, [three, one]);
        assert_eq!(of(&both).await, [three, two, one]);
        assert_eq!(of(&Person::default()).await, []);
        // A number that is in somebody's address is not theirs.
        assert_eq!(of(&person(None, Some("2075550199"))).await, []);

        let told = f.store.leads().export_person(&tenant, &both).await.unwrap();
        assert_eq!(told.iter().map(|record| record.lead.id).collect::<Vec<_>>(), [three, two, one]);
        assert_eq!(told[2].consents[0].email.as_deref(), Some("Ann@example.com"));
        assert_eq!(f.store.leads().erase_person(&tenant, &both).await.unwrap(), [three, two, one]);
        assert_eq!(of(&both).await, []);
        assert_eq!(f.store.leads().erase_person(&tenant, &both).await.unwrap(), []);
        assert!(f.store.leads().find(&tenant, bystander).await.unwrap().is_some());
        assert_eq!(f.store.leads().of_person(&other, &both).await.unwrap().len(), 1, "another company's are its own");
        assert_eq!(f.store.consents().check(tenant.account).await.unwrap().faults, []);
    }

    async fn a_person_is_found_by_what_they_gave_before_they_changed_it(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let id = send(&f.store, &tenant, widget, "1", "old@example.com", Some("2075550143")).await;
        let of = async |email: Option<&str>, phone: Option<&str>| {
            f.store.leads().of_person(&tenant, &person(email, phone)).await.unwrap()
        };
        // Its words are there before it is changed.
        assert_eq!(of(Some("old@example.com"), None).await, [id]);
        // Longer than what is found of a name.
        let long = (0..200).map(|n| format!("aa{n}")).collect::<Vec<_>>().join(" ");
        // Each has something in common with the one before, or it would be somebody else's.
        for (key, email, phone, is_long) in [
            ("1b", "new@example.com", "2075550144", false),
            ("1c", "newest@example.com", "2075550144", true),
            ("1d", "newest@example.com", "2075550145", true),
        ] {
            let mut draft = samples::draft("1");
            draft.address = "1 Alder Court".to_owned();
            draft.email = Email::parse(email);
            draft.phone = Phone::parse_loosely(phone);
            draft.changes = Some(id);
            if is_long {
                draft.last_name = long.clone();
            }
            let changed = f.store.leads().accept(&tenant, widget, &draft, key, key.as_bytes()).await.unwrap();
            assert_eq!((changed.lead.id, changed.lead.email_text()), (id, email));
        }
        f.clock.advance(Duration::from_secs(1));
        let bystander = send(&f.store, &tenant, widget, "2", "bold@example.com", Some("2075550146")).await;
        for email in ["OLD@example.com", "new@example.com", "newest@example.com"] {
            assert_eq!(of(Some(email), None).await, [id], "{email}");
        }
        for phone in ["(207) 555-0143", "2075550144", "12075550145"] {
            assert_eq!(of(None, Some(phone)).await, [id], "{phone}");
        }
        assert_eq!(of(Some("old@example.com"), Some("2075550146")).await, [bystander, id]);
        let by_old = person(Some("old@example.com"), None);
        let told = f.store.leads().export_person(&tenant, &by_old).await.unwrap();
        assert_eq!(told[0].consents.iter().filter_map(|consent| consent.email.as_deref()).collect::<Vec<_>>(), [
            "old@example.com",
            "new@example.com",
            "newest@example.com",
            "newest@example.com"
        ]);
        assert_eq!(f.store.leads().erase_person(&tenant, &by_old).await.unwrap(), [id]);
        for email in ["old@example.com", "new@example.com", "newest@example.com"] {
            assert_eq!(of(Some(email), None).await, [], "{email}");
        }
        assert!(f.store.leads().find(&tenant, bystander).await.unwrap().is_some());
    }

    async fn old_leads_are_erased_a_day_after_it_was_said(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let sandbox = Tenant { environment: Environment::Sandbox, ..tenant };
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let invented = samples::stored_widget(&f.store, &sandbox, 2).await;
        let began = f.store.now();
        let oldest = send(&f.store, &tenant, widget, "1", "a@example.com", None).await;
        f.clock.advance(DAY * 10);
        let other = send(&f.store, &sandbox, invented, "2", "b@example.com", None).await;
        f.clock.advance(DAY * 20);
        let young = send(&f.store, &tenant, widget, "3", "c@example.com", None).await;
        let due = f.store.accounts().due_for_erasure(tenant.account, 15).await.unwrap();
        assert_eq!((due.leads, due.oldest, due.newest), (2, Some(began), Some(began + DAY * 10)));
        assert_eq!(f.store.accounts().due_for_erasure(tenant.account, 30).await.unwrap().leads, 0, "not older than thirty days");
        assert_eq!(f.store.accounts().retention(tenant.account).await.unwrap().days, None);
        assert_eq!(f.store.accounts().erase_old_leads().await.unwrap(), 0, "leads are kept until somebody says otherwise");

        let set = f.store.accounts().set_retention(tenant.account, Some(25)).await.unwrap();
        assert_eq!((set.days, set.acts_from), (Some(25), Some(f.store.now() + DAY)));
        assert_eq!(f.store.accounts().erase_old_leads().await.unwrap(), 0, "it is shown for a day before it acts");
        f.clock.advance(DAY);
        assert_eq!(f.store.accounts().erase_old_leads().await.unwrap(), 1);
        assert!(f.store.leads().find(&tenant, oldest).await.unwrap().is_none());
        assert!(f.store.leads().find(&sandbox, other).await.unwrap().is_some());
        // A longer time acts at once, a shorter one a day later.
        let longer = f.store.accounts().set_retention(tenant.account, Some(40)).await.unwrap();
        assert_eq!(longer.acts_from, set.acts_from);
        let shorter = f.store.accounts().set_retention(tenant.account, Some(5)).await.unwrap();
        assert_eq!(shorter.acts_from, Some(f.store.now() + DAY));
        assert_eq!(f.store.accounts().set_retention(tenant.account, None).await.unwrap().acts_from, None);
        f.clock.advance(DAY * 400);
        assert_eq!(f.store.accounts().erase_old_leads().await.unwrap(), 0);
        assert!(f.store.leads().find(&tenant, young).await.unwrap().is_some());
        let nobody = shingle_domain::AccountId(uuid::Uuid::nil());
        assert!(matches!(f.store.accounts().set_retention(nobody, Some(5)).await, Err(StoreError::NotFound)));
    }
}
