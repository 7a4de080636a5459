//! Reminders of next steps: once, for what is still planned, to those whom it concerns.

use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::LeadStatus;
use shingle_domain::next_step::{Due, DueTime};
use shingle_domain::notice::TimeOfDay;
use shingle_domain::{LeadId, Tenant};
use shingle_store::{
    DueStep, LeadQuery, ListPlace, MergeChoice, MergeOutcome, OwnerChange, PlannedStep, Store, StoreError, User,
};
use shingle_store_fixture::on_both_engines;

use crate::samples;

async fn lead(store: &Store, tenant: &Tenant, name: &str) -> LeadId {
    let widget = match store.widgets().list(tenant).await.unwrap().first() {
        Some(widget) => widget.widget.reference_id,
        None => samples::stored_widget(store, tenant, 1).await,
    };
    store.leads().accept(tenant, widget, &samples::draft(name), name, b"1").await.unwrap().lead.id
}

/// In UTC.
fn at(store: &Store, minutes: u64) -> Due {
    let at = store.now() + Duration::from_secs(minutes * 60);
    let of_day = at.to_string()[11..16].to_owned();
    let time = DueTime { of_day: TimeOfDay::parse(&of_day).unwrap(), at };
    Due { day: VisitDate::parse(&at.to_string()[..10]).unwrap(), time: Some(time) }
}

async fn plan(store: &Store, tenant: &Tenant, lead: LeadId, by: &User, step: &str, due: Due) {
    let planned = PlannedStep { step, due: Some(due), remind_at: due.time.map(|time| time.at) };
    store.leads().plan(tenant, lead, by, planned, None).await.unwrap();
}

async fn due(store: &Store) -> Vec<LeadId> {
    store.leads().due_steps(None).await.unwrap().iter().map(|step| step.lead).collect()
}

/// As a node does once a minute.
async fn remind(store: &Store) -> usize {
    let mut made = 0;
    for step in store.leads().due_steps(None).await.unwrap() {
        made += usize::from(store.leads().remind_of_step(&step, true).await.unwrap());
    }
    made
}

async fn reminders(store: &Store, tenant: &Tenant, lead: LeadId) -> usize {
    let all = store.deliveries().list_of(tenant, lead.0).await.unwrap();
    all.iter().filter(|of| of.kind == EventKind::StepReminder).count()
}

on_both_engines! {
    async fn a_step_is_reminded_of_once_however_many_nodes_ask(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let ann = lead(&f.store, &tenant, "Ann").await;
        f.store.leads().assign(&tenant, ann, &maya, Some(maya.id), None).await.unwrap();
        plan(&f.store, &tenant, ann, &maya, "Call", at(&f.store, 10)).await;
        f.clock.advance(Duration::from_secs(599));
        assert_eq!(due(&f.store).await, []);
        f.clock.advance(Duration::from_secs(1));
        assert_eq!(due(&f.store).await, [ann]);
        // Two nodes have read it; a third one begins anew.
        let step: DueStep = f.store.leads().due_steps(None).await.unwrap()[0];
        let leads = f.store.leads();
        let (one, other) = tokio::join!(leads.remind_of_step(&step, true), leads.remind_of_step(&step, true));
        assert_eq!(usize::from(one.unwrap()) + usize::from(other.unwrap()), 1);
        assert_eq!((due(&f.store).await, reminders(&f.store, &tenant, ann).await), (vec![], 1));
        // The same plan again is no new one; another time is.
        let work = leads.work(&tenant, ann).await.unwrap();
        plan(&f.store, &tenant, ann, &maya, "Call", work.due.unwrap()).await;
        assert_eq!(remind(&f.store).await, 0);
        plan(&f.store, &tenant, ann, &maya, "Call", at(&f.store, 5)).await;
        f.clock.advance(Duration::from_secs(300));
        assert_eq!((remind(&f.store).await, reminders(&f.store, &tenant, ann).await), (1, 2));
        // What is erased takes its reminders along.
        plan(&f.store, &tenant, ann, &maya, "Call again", at(&f.store, 5)).await;
        leads.erase(&tenant, ann).await.unwrap();
        f.clock.advance(Duration::from_secs(300));
        assert_eq!(due(&f.store).await, []);
    }

    async fn what_is_done_changed_deleted_or_lost_is_not_reminded_of(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let leads = f.store.leads();
        let mut ids = Vec::new();
        for name in ["Done", "Changed", "Deleted", "Lost", "Past"] {
            let id = lead(&f.store, &tenant, name).await;
            leads.assign(&tenant, id, &maya, Some(maya.id), None).await.unwrap();
            plan(&f.store, &tenant, id, &maya, "Call", at(&f.store, 10)).await;
            ids.push(id);
        }
        leads.finish_step(&tenant, ids[0], &maya, None).await.unwrap();
        plan(&f.store, &tenant, ids[1], &maya, "Call", at(&f.store, 90)).await;
        leads.plan(&tenant, ids[2], &maya, PlannedStep::default(), None).await.unwrap();
        let lost = OwnerChange { status: Some(LeadStatus::Lost), ..OwnerChange::default() };
        leads.change(&tenant, ids[3], &lost).await.unwrap();
        // A step for a time that has passed reminds nobody: it is overdue at once.
        let past = at(&f.store, 0);
        plan(&f.store, &tenant, ids[4], &maya, "Call", past).await;
        f.clock.advance(Duration::from_secs(600));
        let step = DueStep { tenant, lead: ids[0], at: f.store.now() };
        assert!(!leads.remind_of_step(&step, true).await.unwrap(), "read before it was done");
        assert_eq!((remind(&f.store).await, due(&f.store).await), (0, vec![]));
        // Also when the lead is open again: its moment has passed.
        let open = OwnerChange { status: Some(LeadStatus::Contacted), ..OwnerChange::default() };
        leads.change(&tenant, ids[3], &open).await.unwrap();
        assert_eq!(remind(&f.store).await, 0);
        f.clock.advance(Duration::from_secs(80 * 60));
        assert_eq!(due(&f.store).await, [ids[1]]);
    }

    async fn a_reminder_that_is_more_than_a_day_late_is_left_out(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let mut ids = Vec::new();
        for (name, minutes) in [("Ann", 10), ("Bea", 11)] {
            let id = lead(&f.store, &tenant, name).await;
            f.store.leads().assign(&tenant, id, &maya, Some(maya.id), None).await.unwrap();
            plan(&f.store, &tenant, id, &maya, "Call", at(&f.store, minutes)).await;
            ids.push(id);
        }
        // As of a company that was closed for a day: one is a minute later than that, the other is not.
        f.clock.advance(Duration::from_secs((24 * 60 + 11) * 60));
        assert_eq!(due(&f.store).await, ids);
        assert_eq!(remind(&f.store).await, 1);
        let told = (reminders(&f.store, &tenant, ids[0]).await, reminders(&f.store, &tenant, ids[1]).await);
        assert_eq!((told, due(&f.store).await), ((0, 1), vec![]));
        // The step itself is as it was.
        let work = f.store.leads().work(&tenant, ids[0]).await.unwrap();
        assert_eq!(work.next_step.as_deref(), Some("Call"));
    }

    async fn a_merged_step_is_reminded_of_where_it_is_and_not_again_after_undoing(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let leads = f.store.leads();
        let (stays, goes) = (lead(&f.store, &tenant, "Ann").await, lead(&f.store, &tenant, "Anne").await);
        for id in [stays, goes] {
            leads.assign(&tenant, id, &maya, Some(maya.id), None).await.unwrap();
        }
        plan(&f.store, &tenant, goes, &maya, "Call", at(&f.store, 10)).await;
        let before = leads.work(&tenant, goes).await.unwrap();
        let mut marks = Vec::new();
        for id in [stays, goes] {
            let lead = leads.find(&tenant, id).await.unwrap().unwrap();
            marks.push(leads.merge_mark(&tenant, &lead).await.unwrap());
        }
        let merged = leads.merge(&tenant, (stays, goes), &maya, (&marks[0], &marks[1]), MergeChoice::default()).await.unwrap();
        assert_eq!(merged, MergeOutcome::Done);
        assert_eq!(leads.work(&tenant, stays).await.unwrap().due, before.due);
        f.clock.advance(Duration::from_secs(600));
        assert_eq!(due(&f.store).await, [stays]);
        assert_eq!(remind(&f.store).await, 1);
        assert!(leads.undo_merge(&tenant, (stays, goes), &maya).await.unwrap());
        assert_eq!(leads.work(&tenant, goes).await.unwrap(), before);
        assert_eq!((due(&f.store).await, leads.work(&tenant, stays).await.unwrap().due), (vec![], None));
    }

    async fn a_lead_of_nobody_reminds_the_mailbox_of_its_widget_and_another_company_none(f: Fixture) {
        let (tenant, other) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let (maya, zoe) = (samples::teammate(&f.store, &tenant, "Maya").await, samples::teammate(&f.store, &other, "Zoe").await);
        let ann = lead(&f.store, &tenant, "Ann").await;
        plan(&f.store, &tenant, ann, &maya, "Call", at(&f.store, 10)).await;
        let planned = PlannedStep::of("Call", None);
        assert!(matches!(f.store.leads().plan(&other, ann, &zoe, planned, None).await, Err(StoreError::NotFound)));
        f.clock.advance(Duration::from_secs(600));
        let stranger = DueStep { tenant: other, lead: ann, at: f.store.now() };
        assert!(!f.store.leads().remind_of_step(&stranger, true).await.unwrap());
        assert_eq!((remind(&f.store).await, reminders(&f.store, &tenant, ann).await), (1, 1));
    }

    async fn the_list_sorts_by_the_minute(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let mut ids = Vec::new();
        for (name, minutes) in [("Noon", 60), ("Morning", 30), ("Evening", 400)] {
            let id = lead(&f.store, &tenant, name).await;
            plan(&f.store, &tenant, id, &maya, "Call", at(&f.store, minutes)).await;
            ids.push(id);
        }
        let day = lead(&f.store, &tenant, "Day").await;
        plan(&f.store, &tenant, day, &maya, "Call", Due { time: None, ..at(&f.store, 0) }).await;
        let query = LeadQuery { sort: shingle_store::LeadSort::Due, ..LeadQuery::default() };
        let list = f.store.leads().list_by(&tenant, &query, ListPlace::Top, 10).await.unwrap();
        let found: Vec<_> = list.leads.iter().map(|lead| lead.id).collect();
        assert_eq!(found, [ids[1], ids[0], ids[2], day]);
    }
}
