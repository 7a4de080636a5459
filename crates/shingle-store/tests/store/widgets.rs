use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::{Environment, LinkId, SafeUrl, Tenant, WidgetId, WidgetSettings};
use shingle_store::{LeadFilter, StoreError};
use shingle_store_fixture::on_both_engines;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::samples;

on_both_engines! {
    async fn a_widget_is_found_as_it_was_stored(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let mut widget = samples::widget(1);
        widget.first_page_title = "'; DROP TABLE widget; -- \"☂\" \u{1f3e0} <script>".to_owned();
        widget.domains = vec!["acme.example.com".to_owned()];
        let created = f.store.widgets().create(&tenant, &widget, samples::record, None).await.unwrap();
        let found = f.store.widgets().find(&tenant, widget.reference_id).await.unwrap().unwrap();
        assert_eq!((found.as_ref(), &found.widget), (&created, &widget));
        let public = f.store.widgets().find_public(widget.link_id()).await.unwrap().unwrap();
        assert_eq!((public.tenant, &public), (tenant, &found));
        assert_eq!(f.store.widgets().list(&tenant).await.unwrap(), [found.as_ref().clone()]);
    }

    async fn an_id_is_taken_once_by_each_tenant_and_each_has_its_own_links(f: Fixture) {
        let (ours, theirs) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let sandbox = Tenant { environment: Environment::Sandbox, ..ours };
        let widget = samples::widget(1);
        let mut links = Vec::new();
        for tenant in [ours, sandbox, theirs] {
            let made = f.store.widgets().create(&tenant, &widget, samples::record, None).await.unwrap();
            let again = f.store.widgets().create(&tenant, &widget, samples::record, None).await;
            assert!(matches!(again, Err(StoreError::AlreadyExists)));
            let link = made.widget.link_id();
            assert!(!links.contains(&link));
            links.push(link);
            assert_eq!(f.store.widgets().find_public(link).await.unwrap().unwrap().tenant, tenant);
            assert_eq!(*f.store.widgets().find(&tenant, widget.reference_id).await.unwrap().unwrap(), made);
            assert_eq!(f.store.widgets().list(&tenant).await.unwrap(), [made]);
            let events = f.store.deliveries().list_events(&tenant, widget.reference_id.0).await.unwrap();
            assert_eq!(events.iter().map(|event| event.sequence).collect::<Vec<_>>(), [1], "no second event");
            assert!(events[0].payload.as_ref().unwrap().contains(&link.to_string()), "with its own links");
        }
        assert_eq!(links[0], widget.reference_id.into(), "the first gets what it asked for");
    }

    async fn a_change_of_one_widget_leaves_those_of_the_same_id_alone(f: Fixture) {
        let (ours, theirs) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let id = samples::stored_widget(&f.store, &ours, 1).await;
        samples::stored_widget(&f.store, &theirs, 1).await;
        let before = f.store.widgets().find(&ours, id).await.unwrap();
        let link = f.store.widgets().find(&theirs, id).await.unwrap().unwrap().widget.link_id();
        let changed = f.store.widgets().update::<StoreError, _>(&theirs, id, |old| {
            let mut new = old.clone();
            (new.company_name, new.link_id) = ("Elm".to_owned(), None);
            Ok((new.clone(), samples::record(&new)))
        }).await.unwrap();
        assert_eq!((changed.widget.company_name.as_str(), changed.widget.link_id()), ("Elm", link));
        let settings = WidgetSettings { license: Some("RC-10448".to_owned()), ..WidgetSettings::default() };
        f.store.widgets().set_settings(&theirs, id, &settings).await.unwrap();
        assert_eq!(f.store.widgets().find_public(link).await.unwrap().unwrap().settings, settings);
        assert_eq!(f.store.widgets().find(&ours, id).await.unwrap(), before);

        // A lead of each; each tenant sees its own.
        for (tenant, name) in [(ours, "Ann"), (theirs, "Bob")] {
            let lead = f.store.leads().accept(&tenant, id, &samples::draft(name), "key", b"1").await.unwrap().lead;
            assert_eq!((lead.widget_id, lead.earlier_lead), (id, None));
        }
        let of = LeadFilter { widget: Some(id), ..LeadFilter::default() };
        for (tenant, name) in [(ours, "Ann"), (theirs, "Bob")] {
            let leads = f.store.leads().list(&tenant, &of, None, 9).await.unwrap().leads;
            assert_eq!(leads.iter().map(|lead| lead.first_name.as_str()).collect::<Vec<_>>(), [name]);
        }
        let none = LeadFilter { widget: Some(WidgetId(Uuid::from_u128(7))), ..of };
        assert!(f.store.leads().list(&ours, &none, None, 9).await.unwrap().leads.is_empty());
    }

    async fn a_former_name_of_the_company_is_remembered_for_a_week(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = samples::stored_widget(&f.store, &tenant, 1).await;
        let rename = async |name: &str| {
            f.store.widgets().update::<StoreError, _>(&tenant, id, |old| {
                let mut new = old.clone();
                name.clone_into(&mut new.company_name);
                Ok((new.clone(), samples::record(&new)))
            }).await.unwrap()
        };
        let names = async || {
            let stored = f.store.widgets().find(&tenant, id).await.unwrap().unwrap();
            stored.company_names(f.store.now()).map(str::to_owned).collect::<Vec<_>>()
        };
        let first = samples::widget(1).company_name;
        rename("Oak").await;
        rename("Oak").await;
        assert_eq!(names().await, ["Oak", &first]);
        f.clock.advance(Duration::from_secs(7 * 24 * 3_600));
        rename("Elm").await;
        assert_eq!(names().await, ["Elm", "Oak", &first]);
        f.clock.advance(Duration::from_secs(2 * 24 * 3_600));
        assert_eq!(names().await, ["Elm", "Oak"]);
        for number in 0..30 {
            rename(&format!("Elm {number}")).await;
        }
        assert_eq!(names().await.len(), 21);
    }

    async fn every_change_is_an_event_with_the_whole_record(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = samples::stored_widget(&f.store, &tenant, 1).await;
        f.clock.advance(Duration::from_secs(5));
        let updated = f.store.widgets().update::<StoreError, _>(&tenant, id, |old| {
            let mut new = old.clone();
            new.company_name = "Acme & Daughters".to_owned();
            Ok((new.clone(), samples::record(&new)))
        }).await.unwrap();
        assert_eq!((updated.version, updated.widget.company_name.as_str()), (2, "Acme & Daughters"));
        assert!(updated.updated_at > updated.created_at);
        assert_eq!(f.store.widgets().find(&tenant, id).await.unwrap(), Some(updated.into()));

        let events = f.store.deliveries().list_events(&tenant, id.0).await.unwrap();
        assert_eq!(events.iter().map(|e| (e.kind, e.sequence)).collect::<Vec<_>>(),
            [(EventKind::WidgetCreated, 1), (EventKind::WidgetUpdated, 2)]);
        let body: serde_json::Value = serde_json::from_str(events[1].payload.as_deref().unwrap()).unwrap();
        assert_eq!(body["id"], events[1].id.as_str());
        assert!(events[1].id.as_str().starts_with("evt_"));
        assert_eq!((body["type"].as_str(), body["timestamp"].as_str()), (Some("widget.updated"), Some("2026-03-10T12:00:05.000Z")));
        assert_eq!(body["data"]["companyName"], "Acme & Daughters");
        assert_eq!(body["data"]["referenceId"], id.to_string());
    }

    async fn a_refused_change_changes_nothing(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = samples::stored_widget(&f.store, &tenant, 1).await;
        let refused = f.store.widgets().update(&tenant, id, |_| Err(StoreError::Amount)).await;
        assert!(matches!(refused, Err(StoreError::Amount)));
        let nul = f.store.widgets().update(&tenant, id, |old| {
            let mut new = old.clone();
            new.company_name = "a\0b".to_owned();
            Ok((new.clone(), samples::record(&new)))
        }).await;
        assert!(matches!(nul, Err(StoreError::Nul)));
        assert_eq!(f.store.widgets().find(&tenant, id).await.unwrap().unwrap().version, 1);
        let missing = f.store.widgets().update(&tenant, WidgetId(Uuid::from_u128(9)), |w| Ok::<_, StoreError>((w.clone(), samples::record(w)))).await;
        assert!(matches!(missing, Err(StoreError::NotFound)));
    }

    async fn changes_at_once_are_all_kept(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = samples::stored_widget(&f.store, &tenant, 1).await;
        let mut changes = JoinSet::new();
        for number in 0..20 {
            let store = f.store.clone();
            changes.spawn(async move {
                store.widgets().update::<StoreError, _>(&tenant, id, |old| {
                    let mut new = old.clone();
                    new.domains.push(format!("{number}.example.com"));
                    Ok((new.clone(), samples::record(&new)))
                }).await.unwrap();
            });
        }
        changes.join_all().await;
        let stored = f.store.widgets().find(&tenant, id).await.unwrap().unwrap();
        assert_eq!((stored.widget.domains.len(), stored.version), (20, 21));
        assert_eq!(f.store.deliveries().list_events(&tenant, id.0).await.unwrap().len(), 21);
    }

    async fn settings_are_stored_with_their_widget_and_are_a_new_version_but_no_event(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = samples::stored_widget(&f.store, &tenant, 1).await;
        let before = f.store.widgets().find(&tenant, id).await.unwrap().unwrap();
        assert_eq!(before.settings, WidgetSettings::default());
        let settings = WidgetSettings {
            price_includes: vec!["'; DROP TABLE widget; -- ☂".to_owned()],
            license: Some("RC-10448".to_owned()),
            ..WidgetSettings::default()
        };
        f.clock.advance(Duration::from_secs(5));
        f.store.widgets().set_settings(&tenant, id, &settings).await.unwrap();
        let after = f.store.widgets().find(&tenant, id).await.unwrap().unwrap();
        assert_eq!((&after.settings, after.version, &after.widget), (&settings, 2, &before.widget));
        assert!(after.updated_at > before.updated_at);
        assert_eq!(f.store.widgets().find_public(id.into()).await.unwrap(), Some(after.clone()));
        assert_eq!(f.store.widgets().list(&tenant).await.unwrap(), [after.as_ref().clone()]);
        assert_eq!(f.store.deliveries().list_events(&tenant, id.0).await.unwrap().len(), 1, "widget.created alone");

        let changed = f.store.widgets().update::<StoreError, _>(&tenant, id, |old| Ok((old.clone(), samples::record(old)))).await;
        assert_eq!(changed.unwrap().settings, settings, "a change of the record keeps them");

        let stranger = samples::tenant(&f.store).await;
        let sandbox = Tenant { environment: Environment::Sandbox, ..tenant };
        for other in [stranger, sandbox] {
            let refused = f.store.widgets().set_settings(&other, id, &WidgetSettings::default()).await;
            assert!(matches!(refused, Err(StoreError::NotFound)));
        }
        let unknown = f.store.widgets().set_settings(&tenant, WidgetId(Uuid::from_u128(2)), &settings).await;
        assert!(matches!(unknown, Err(StoreError::NotFound)));
        let nul = WidgetSettings { license: Some("a\0b".to_owned()), ..WidgetSettings::default() };
        assert!(matches!(f.store.widgets().set_settings(&tenant, id, &nul).await, Err(StoreError::Nul)));
        assert_eq!(f.store.widgets().find(&tenant, id).await.unwrap().unwrap().settings, settings);
    }

    async fn an_id_cannot_be_changed(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = samples::stored_widget(&f.store, &tenant, 1).await;
        let stored = f.store.widgets().update::<StoreError, _>(&tenant, id, |_| {
            let mut other = samples::widget(2);
            other.company_url = SafeUrl::parse("https://other.example.com").unwrap();
            Ok((other.clone(), samples::record(&other)))
        }).await.unwrap();
        assert_eq!(stored.widget.reference_id, id);
        assert_eq!(f.store.widgets().find_public(LinkId(Uuid::from_u128(2))).await.unwrap(), None);
    }
}
