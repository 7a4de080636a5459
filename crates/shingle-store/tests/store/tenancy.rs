use shingle_domain::lead::LeadStatus;
use shingle_domain::{Environment, Tenant};
use shingle_store::{HomeownerChange, LeadFilter, OwnerChange, StoreError};
use shingle_store_fixture::on_both_engines;

use crate::samples;

on_both_engines! {
    /// Another account, and the same account in its other environment.
    async fn somebody_elses_ids_find_nothing(f: Fixture) {
        let owner = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &owner, 1).await;
        let accepted = f.store.leads().accept(&owner, widget, &samples::draft("Ann"), "key-1", b"1").await.unwrap();
        let (lead, before) = (accepted.lead.id, accepted.lead);
        let stranger = samples::tenant(&f.store).await;
        let sandbox = Tenant { environment: Environment::Sandbox, ..owner };

        for other in [stranger, sandbox] {
            assert_eq!(f.store.widgets().find(&other, widget).await.unwrap(), None);
            assert!(f.store.widgets().list(&other).await.unwrap().is_empty());
            let change = f.store.widgets().update::<StoreError, _>(&other, widget, |w| Ok((w.clone(), samples::record(w)))).await;
            assert!(matches!(change, Err(StoreError::NotFound)));

            let draft = samples::draft("Bob");
            let accept = f.store.leads().accept(&other, widget, &draft, "key-2", b"2").await;
            assert!(matches!(accept, Err(StoreError::NotFound)));
            let replay = f.store.leads().accept(&other, widget, &samples::draft("Ann"), "key-1", b"1").await;
            assert!(matches!(replay, Err(StoreError::NotFound)));

            assert_eq!(f.store.leads().find(&other, lead).await.unwrap(), None);
            let filter = LeadFilter { widget: Some(widget), ..LeadFilter::default() };
            for filter in [LeadFilter::default(), filter] {
                assert!(f.store.leads().list(&other, &filter, None, 10).await.unwrap().leads.is_empty());
            }
            let status = OwnerChange { status: Some(LeadStatus::Spam), ..OwnerChange::default() };
            assert!(matches!(f.store.leads().change(&other, lead, &status).await, Err(StoreError::NotFound)));
            let message = HomeownerChange { message: Some("mine".to_owned()), ..Default::default() };
            let changed = f.store.leads().change_as_homeowner(&other, lead, &message).await;
            assert!(matches!(changed, Err(StoreError::NotFound)));
            assert!(matches!(f.store.leads().erase(&other, lead).await, Err(StoreError::NotFound)));
            assert!(f.store.consents().list(&other, lead).await.unwrap().is_empty());
            assert!(f.store.deliveries().list_events(&other, lead.0).await.unwrap().is_empty());
            assert!(f.store.deliveries().list_events(&other, widget.0).await.unwrap().is_empty());
        }

        assert_eq!(f.store.leads().find(&owner, lead).await.unwrap(), Some(before));
        assert_eq!(f.store.deliveries().list_events(&owner, lead.0).await.unwrap().len(), 1);
        assert_eq!(f.store.widgets().find(&owner, widget).await.unwrap().unwrap().version, 1);
    }
}
