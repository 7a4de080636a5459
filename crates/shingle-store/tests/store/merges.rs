//! Leads that are merged into one, and parted again: both are then as they were.

use std::time::Duration;

use shingle_domain::answers::ContactBy;
use shingle_domain::appointment::{Attendant, LocalMoment};
use shingle_domain::inspection::{VisitDate, Wish};
use shingle_domain::lead::{Consent, Lead, LeadStatus};
use shingle_domain::loss::{Loss, LossReason};
use shingle_domain::next_step::Due;
use shingle_domain::notice::TimeOfDay;
use shingle_domain::rules::{Booking, InspectionWishes};
use shingle_domain::settings::DayPart;
use shingle_domain::tag::Tag;
use shingle_domain::{Email, LeadId, Phone, Role, Tenant, Usd, UserName, WidgetId};
use shingle_store::{
    Assignee, Booked, BookingOrder, ConsentDraft, ContactEdit, EditOutcome, EntryKind, HomeownerChange, InviteDraft,
    LeadDraft, LeadFilter, LeadQuery, LeadWork, ListPlace, MergeChoice, MergeOutcome, OutcomeFilter, OwnerChange,
    Person, PlannedStep, SeenContact, Store, StoreError, Telling, User,
};
use shingle_store_fixture::on_both_engines;

use crate::samples;

fn due(day: &str) -> Option<Due> {
    Some(Due { day: VisitDate::parse(day).unwrap(), time: None })
}

async fn send(store: &Store, tenant: &Tenant, widget: WidgetId, draft: &LeadDraft) -> LeadId {
    store.leads().accept(tenant, widget, draft, &draft.first_name, b"1").await.unwrap().lead.id
}

fn by_phone(name: &str, phone: &str) -> LeadDraft {
    LeadDraft { email: None, phone: Phone::parse(phone), ..samples::draft(name) }
}

async fn mark(store: &Store, tenant: &Tenant, id: LeadId) -> String {
    let lead = store.leads().find(tenant, id).await.unwrap().unwrap();
    store.leads().merge_mark(tenant, &lead).await.unwrap()
}

/// As a person does who sees both as they are.
async fn merge(store: &Store, tenant: &Tenant, by: &User, stays: LeadId, goes: LeadId) -> MergeOutcome {
    let (one, other) = (mark(store, tenant, stays).await, mark(store, tenant, goes).await);
    store.leads().merge(tenant, (stays, goes), by, (&one, &other), MergeChoice::default()).await.unwrap()
}

async fn found(store: &Store, tenant: &Tenant, words: &str) -> Vec<LeadId> {
    let query = LeadQuery { search: words.to_owned(), ..LeadQuery::default() };
    store.leads().list_by(tenant, &query, ListPlace::Top, 50).await.unwrap().leads.iter().map(|lead| lead.id).collect()
}

/// As [`merge`], with the values of the other that are chosen.
async fn merge_choosing(store: &Store, tenant: &Tenant, by: &User, of: (LeadId, LeadId), choice: MergeChoice) {
    let (one, other) = (mark(store, tenant, of.0).await, mark(store, tenant, of.1).await);
    let outcome = store.leads().merge(tenant, of, by, (&one, &other), choice).await.unwrap();
    assert_eq!(outcome, MergeOutcome::Done);
}

/// What was asked, and what was said to it.
fn asked(draft: LeadDraft, given: bool, text: &str, ip: &str) -> LeadDraft {
    let consent = ConsentDraft { given, text: text.to_owned(), ip: Some(ip.to_owned()), ..draft.consent.clone() };
    LeadDraft { consent, ..draft }
}

/// All that is shown of a lead, without the time of its last change.
async fn whole(store: &Store, tenant: &Tenant, id: LeadId) -> (Lead, LeadWork, Vec<String>, usize) {
    let leads = store.leads();
    let mut lead = leads.find(tenant, id).await.unwrap().unwrap();
    lead.updated_at = lead.created_at;
    let tags = leads.tags_of(tenant, &[id]).await.unwrap().remove(&id).unwrap_or_default();
    let entries = leads.entries(tenant, id).await.unwrap();
    let entries =
        entries.iter().filter(|of| !matches!(of.kind, EntryKind::MergedAway | EntryKind::Merged | EntryKind::Unmerged));
    (lead, leads.work(tenant, id).await.unwrap(), tags.into_iter().map(|tag| tag.name).collect(), entries.count())
}

fn booking(store: &Store, hour: u16) -> Booking {
    let date = VisitDate(store.now().date().tomorrow().unwrap());
    let time = TimeOfDay::from_minutes(hour * 60).unwrap();
    let at = store.now().day_start() + Duration::from_secs(86_400 + u64::from(hour) * 3_600);
    Booking {
        time: LocalMoment { date, time, zone: "UTC".to_owned(), at },
        minutes: 60,
        person: Attendant { user: None, name: "Tomas".to_owned() },
        place: "14 Alder Court".to_owned(),
        line: None,
    }
}

async fn book(store: &Store, tenant: &Tenant, by: &User, lead: LeadId, hour: u16) -> Booked {
    let now = store.leads().appointment(tenant, lead).await.unwrap();
    let seen = now.map(|now| now.mark()).unwrap_or_default();
    let booking = booking(store, hour);
    let telling = Telling { homeowner: true, team: true, remind_at: None };
    store
        .leads()
        .book(tenant, lead, by, BookingOrder { booking: &booking, seen: &seen, allowed: &[], telling })
        .await
        .unwrap()
}

on_both_engines! {
    async fn a_phone_whose_owner_refused_is_not_put_under_a_consent_that_was_given(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let agreed = samples::draft("Ann");
        assert!(agreed.consent.given && agreed.phone.is_none());
        let refused = by_phone("Greg", "(207) 555-0164");
        let refused = LeadDraft { consent: ConsentDraft { given: false, ..refused.consent.clone() }, ..refused };
        let ann = send(&f.store, &tenant, widget, &agreed).await;
        let greg = send(&f.store, &tenant, widget, &refused).await;
        assert_eq!(merge(&f.store, &tenant, &maya, ann, greg).await, MergeOutcome::Done);
        let stays = f.store.leads().find(&tenant, ann).await.unwrap().unwrap();
        assert_eq!((stays.phone, stays.consent.given), (None, true));
        // The other way round nothing is promised, so nothing is lost.
        assert!(f.store.leads().undo_merge(&tenant, (ann, greg), &maya).await.unwrap());
        assert_eq!(merge(&f.store, &tenant, &maya, greg, ann).await, MergeOutcome::Done);
        let stays = f.store.leads().find(&tenant, greg).await.unwrap().unwrap();
        assert_eq!((stays.email, stays.consent.given), (agreed.email, false));
    }

    async fn a_merged_lead_is_shown_on_the_one_that_stays_and_undone_exactly(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let (maya, luis) = (samples::teammate(&f.store, &tenant, "Maya").await, samples::teammate(&f.store, &tenant, "Luis").await);
        let leads = f.store.leads();
        let ann = send(&f.store, &tenant, widget, &samples::draft("Ann")).await;
        f.clock.advance(Duration::from_secs(60));
        let greg = send(&f.store, &tenant, widget, &by_phone("Greg", "(207) 555-0164")).await;
        leads.add_note(&tenant, ann, &maya, "Two layers").await.unwrap();
        f.clock.advance(Duration::from_secs(1));
        leads.add_note(&tenant, greg, &luis, "Dog in the yard").await.unwrap();
        leads.assign(&tenant, greg, &maya, Some(luis.id), None).await.unwrap();
        leads.add_tag(&tenant, ann, &maya, &Tag::parse("Slate").unwrap()).await.unwrap();
        for tag in ["slate", "Storm"] {
            leads.add_tag(&tenant, greg, &luis, &Tag::parse(tag).unwrap()).await.unwrap();
        }
        leads.plan(&tenant, greg, &luis, PlannedStep::of("Bring samples", due("2026-12-01")), None).await.unwrap();
        let (ann_before, greg_before) = (whole(&f.store, &tenant, ann).await, whole(&f.store, &tenant, greg).await);
        let chain = f.store.consents().list_evidence(&tenant, greg).await.unwrap();
        assert_eq!(leads.count_new(&tenant).await.unwrap(), 2);

        assert_eq!(merge(&f.store, &tenant, &maya, ann, greg).await, MergeOutcome::Done);
        assert_eq!(leads.merged_into(&tenant, greg).await.unwrap(), Some(ann));
        let (stays, work, tags, entries) = whole(&f.store, &tenant, ann).await;
        assert_eq!(stays.email, ann_before.0.email, "its own");
        assert_eq!(stays.phone.as_ref().map(|phone| phone.as_str()), Some("(207) 555-0164"), "it had none");
        assert_eq!((stays.first_name.as_str(), &stays.consent), ("Ann", &ann_before.0.consent));
        assert_eq!((work.assignee, work.next_step.as_deref()), (None, Some("Bring samples")));
        assert_eq!(tags, ["Slate", "Storm"]);
        assert_eq!(entries, ann_before.3 + greg_before.3);
        // Lists, counts, results and search have one lead.
        assert_eq!(found(&f.store, &tenant, "").await, [ann]);
        for words in ["Greg", "5550164", "Ann"] {
            assert_eq!(found(&f.store, &tenant, words).await, [ann], "{words}");
        }
        assert_eq!(leads.count_new(&tenant).await.unwrap(), 1);
        assert_eq!(leads.counts(&tenant, maya.id).await.unwrap().all(), 1);
        assert_eq!(leads.outcomes(&tenant, &OutcomeFilter::default()).await.unwrap().len(), 1);
        let storm = leads.tags(&tenant).await.unwrap().into_iter().find(|tag| tag.name == "Storm").unwrap().hash;
        let tagged = LeadQuery { tags: vec![storm], ..LeadQuery::default() };
        assert_eq!(leads.list_ids(&tenant, &tagged, 10).await.unwrap(), (vec![ann], Some(1)));
        let texts: Vec<String> = leads.notes(&tenant, &[ann]).await.unwrap()[&ann].iter().map(|note| note.text.clone()).collect();
        assert_eq!(texts, ["Dog in the yard", "Two layers"]);
        // The API answers as before.
        assert_eq!(leads.list(&tenant, &LeadFilter::default(), None, 10).await.unwrap().leads.len(), 2);
        assert_eq!(leads.list(&tenant, &LeadFilter { without_merged: true, ..LeadFilter::default() }, None, 10).await.unwrap().leads.len(), 1);
        // Its consent is where it was.
        assert_eq!(f.store.consents().list_evidence(&tenant, greg).await.unwrap(), chain);
        assert!(f.store.consents().certificate(&tenant, greg).await.is_ok());

        // A note that was merged is edited by its author; what is new belongs to the one that stays.
        let entries = leads.entries(&tenant, ann).await.unwrap();
        let dog = entries.iter().find(|entry| entry.text == "Dog in the yard").unwrap();
        leads.edit_note(&tenant, ann, &luis, (dog.id, None), "Two dogs").await.unwrap();
        leads.add_note(&tenant, ann, &maya, "Called back").await.unwrap();
        assert!(leads.undo_merge(&tenant, (ann, greg), &luis).await.unwrap());
        assert!(!leads.undo_merge(&tenant, (ann, greg), &maya).await.unwrap(), "twice is once");
        let (after, work, tags, entries) = whole(&f.store, &tenant, ann).await;
        assert_eq!((after, work, tags), (ann_before.0, ann_before.1, ann_before.2));
        assert_eq!(entries, ann_before.3 + 2, "the new note, and that one was edited");
        assert_eq!(whole(&f.store, &tenant, greg).await, greg_before);
        let texts = leads.notes(&tenant, &[ann, greg]).await.unwrap();
        assert_eq!((texts[&ann].len(), texts[&greg][0].text.as_str()), (2, "Two dogs"));
        assert_eq!(found(&f.store, &tenant, "Greg").await, [greg]);
        assert_eq!(found(&f.store, &tenant, "").await, [greg, ann]);
        assert_eq!(leads.counts(&tenant, maya.id).await.unwrap().all(), 2);
        assert_eq!(leads.count_new(&tenant).await.unwrap(), 2);
    }

    async fn three_are_merged_and_each_comes_back(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let leads = f.store.leads();
        let one = send(&f.store, &tenant, widget, &samples::draft("Ann")).await;
        let two = send(&f.store, &tenant, widget, &by_phone("Bea", "(207) 555-0164")).await;
        let three = send(&f.store, &tenant, widget, &by_phone("Cal", "(207) 555-0165")).await;
        for lead in [two, three] {
            leads.add_tag(&tenant, lead, &maya, &Tag::parse("Storm").unwrap()).await.unwrap();
        }
        let before = (whole(&f.store, &tenant, one).await, whole(&f.store, &tenant, two).await, whole(&f.store, &tenant, three).await);
        // The third into the second, and that into the first: all are on one page.
        assert_eq!(merge(&f.store, &tenant, &maya, two, three).await, MergeOutcome::Done);
        assert_eq!(merge(&f.store, &tenant, &maya, one, two).await, MergeOutcome::Done);
        assert_eq!(found(&f.store, &tenant, "Cal").await, [one]);
        assert_eq!(leads.merged_into(&tenant, three).await.unwrap(), Some(one));
        let with: Vec<_> = leads.merged_with(&tenant, one).await.unwrap().iter().map(|of| (of.lead.id, of.into)).collect();
        assert!(with.contains(&(two, one)) && with.contains(&(three, two)), "{with:?}");
        assert!(!leads.undo_merge(&tenant, (one, three), &maya).await.unwrap(), "it was merged into the second");
        assert!(matches!(leads.undo_merge(&tenant, (two, three), &maya).await, Err(StoreError::Merged)));
        // One that stays elsewhere is not merged once more.
        assert_eq!(merge(&f.store, &tenant, &maya, three, one).await, MergeOutcome::Merged);
        assert!(leads.undo_merge(&tenant, (one, two), &maya).await.unwrap());
        assert_eq!(found(&f.store, &tenant, "Cal").await, [two]);
        assert!(leads.undo_merge(&tenant, (two, three), &maya).await.unwrap());
        let after = (whole(&f.store, &tenant, one).await, whole(&f.store, &tenant, two).await, whole(&f.store, &tenant, three).await);
        assert_eq!(after, before);

        // Two into one: what the other one has too stays when one is parted.
        merge(&f.store, &tenant, &maya, one, two).await;
        merge(&f.store, &tenant, &maya, one, three).await;
        assert!(leads.undo_merge(&tenant, (one, two), &maya).await.unwrap());
        let (lead, _, tags, _) = whole(&f.store, &tenant, one).await;
        assert_eq!(lead.phone.as_ref().map(|phone| phone.as_str()), Some("(207) 555-0165"));
        assert_eq!(tags, ["Storm"]);
        assert!(leads.undo_merge(&tenant, (one, three), &maya).await.unwrap());
        assert_eq!(whole(&f.store, &tenant, one).await, before.0);
    }

    async fn of_two_who_merge_or_edit_at_once_one_is_told(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let (maya, luis) = (samples::teammate(&f.store, &tenant, "Maya").await, samples::teammate(&f.store, &tenant, "Luis").await);
        let leads = f.store.leads();
        let one = send(&f.store, &tenant, widget, &samples::draft("Ann")).await;
        let two = send(&f.store, &tenant, widget, &samples::draft("Bea")).await;
        let (m1, m2) = (mark(&f.store, &tenant, one).await, mark(&f.store, &tenant, two).await);
        let (first, second) = tokio::join!(
            leads.merge(&tenant, (one, two), &maya, (&m1, &m2), MergeChoice::default()),
            leads.merge(&tenant, (two, one), &luis, (&m2, &m1), MergeChoice::default())
        );
        let outcomes = [first.unwrap(), second.unwrap()];
        assert!(outcomes.contains(&MergeOutcome::Done) && outcomes.contains(&MergeOutcome::Merged), "{outcomes:?}");
        let (stays, goes) = if outcomes[0] == MergeOutcome::Done { (one, two) } else { (two, one) };
        // The same once more is the same.
        assert_eq!(leads.merge(&tenant, (stays, goes), &luis, ("", ""), MergeChoice::default()).await.unwrap(), MergeOutcome::Done);
        // A teammate who changes the lead that left the lists is told, and nothing is changed.
        let won = OwnerChange { status: Some(LeadStatus::Won), ..OwnerChange::default() };
        let merged = |result: Result<(), StoreError>| matches!(result, Err(StoreError::Merged));
        assert!(merged(leads.change_by(&tenant, goes, &won, Some(&luis)).await.map(drop)));
        assert!(merged(leads.add_note(&tenant, goes, &luis, "x").await));
        assert!(merged(leads.assign(&tenant, goes, &luis, Some(luis.id), None).await));
        assert!(merged(leads.plan(&tenant, goes, &luis, PlannedStep::of("x", None), None).await));
        assert!(merged(leads.set_won_value(&tenant, goes, &luis, None).await));
        assert!(merged(leads.add_tag(&tenant, goes, &luis, &Tag::parse("x").unwrap()).await.map(drop)));
        // The API answers as before, and so does the link of a mail.
        leads.change(&tenant, goes, &won).await.unwrap();
        assert_eq!(leads.take_lead(&tenant, goes, "Luis").await.unwrap().id, stays);
        leads.undo_merge(&tenant, (stays, goes), &maya).await.unwrap();

        // A change after the two were shown: nothing is merged.
        for change in ["status", "note", "assignee", "tag"] {
            let (m1, m2) = (mark(&f.store, &tenant, one).await, mark(&f.store, &tenant, two).await);
            match change {
                "status" => drop(leads.change_by(&tenant, two, &OwnerChange { status: Some(LeadStatus::Lost), ..OwnerChange::default() }, Some(&luis)).await.unwrap()),
                "assignee" => leads.assign(&tenant, one, &luis, Some(luis.id), None).await.unwrap(),
                "tag" => drop(leads.add_tag(&tenant, two, &luis, &Tag::parse("y").unwrap()).await.unwrap()),
                _ => leads.add_note(&tenant, two, &luis, "Not compared").await.unwrap(),
            }
            let expected = if change == "note" { MergeOutcome::Done } else { MergeOutcome::Outdated };
            assert_eq!(leads.merge(&tenant, (one, two), &maya, (&m1, &m2), MergeChoice::default()).await.unwrap(), expected, "{change}");
            if expected == MergeOutcome::Done {
                leads.undo_merge(&tenant, (one, two), &maya).await.unwrap();
            }
        }
        let spam = OwnerChange { status: Some(LeadStatus::Spam), ..OwnerChange::default() };
        leads.change(&tenant, two, &spam).await.unwrap();
        assert_eq!(merge(&f.store, &tenant, &maya, one, two).await, MergeOutcome::Spam);
    }

    async fn an_inspection_stays_with_its_lead_and_there_is_one(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let leads = f.store.leads();
        let one = send(&f.store, &tenant, widget, &samples::draft("Ann")).await;
        let two = send(&f.store, &tenant, widget, &samples::draft("Bea")).await;
        let Booked::Done(now) = book(&f.store, &tenant, &maya, two, 9).await else { panic!() };
        assert_eq!(merge(&f.store, &tenant, &maya, one, two).await, MergeOutcome::Done);
        assert_eq!(leads.appointments_shown(&tenant, &[one]).await.unwrap()[&one], now);
        // No second one beside it, from either page.
        assert_eq!(book(&f.store, &tenant, &maya, one, 11).await, Booked::Changed(Some(now.clone())));
        // The link that the homeowner has still works.
        let canceled = leads.cancel_appointment(&tenant, two, shingle_store::Canceler::Homeowner(None), &now.mark(), Telling::default()).await.unwrap();
        assert!(matches!(canceled, Booked::Done(_)), "{canceled:?}");
        assert!(leads.entries(&tenant, one).await.unwrap().iter().any(|entry| entry.kind == EntryKind::Canceled));
        let Booked::Done(own) = book(&f.store, &tenant, &maya, one, 11).await else { panic!() };
        assert_eq!(leads.appointments_shown(&tenant, &[one]).await.unwrap()[&one], own);
        let work = leads.work(&tenant, one).await.unwrap();
        assert_eq!(work.assignee.map(|(id, _)| id), Some(maya.id));
        leads.undo_merge(&tenant, (one, two), &maya).await.unwrap();
        book(&f.store, &tenant, &maya, two, 15).await;
        assert_eq!(merge(&f.store, &tenant, &maya, one, two).await, MergeOutcome::BothBooked);
    }

    async fn a_person_is_exported_and_erased_with_all_that_was_merged(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let leads = f.store.leads();
        let one = send(&f.store, &tenant, widget, &samples::draft("Ann")).await;
        let two = send(&f.store, &tenant, widget, &samples::draft("Bea")).await;
        let three = send(&f.store, &tenant, widget, &samples::draft("Cal")).await;
        merge(&f.store, &tenant, &maya, two, three).await;
        merge(&f.store, &tenant, &maya, one, two).await;
        for name in ["ann", "bea", "cal"] {
            let person = Person { email: Email::parse(&format!("{name}@example.com")), phone: None };
            let found = leads.export_person(&tenant, &person).await.unwrap();
            assert_eq!(found.len(), 3, "{name}");
            assert!(found.iter().all(|record| record.consents.len() == 1), "{name}");
        }
        // The one in the middle alone: the last stays merged, and nothing finds what is gone.
        leads.erase(&tenant, two).await.unwrap();
        assert_eq!(leads.merged_into(&tenant, two).await.unwrap(), None);
        assert_eq!(leads.merged_into(&tenant, three).await.unwrap(), Some(one));
        assert!(found(&f.store, &tenant, "bea@example.com").await.is_empty());
        assert_eq!(found(&f.store, &tenant, "cal@example.com").await, [one]);
        assert!(leads.undo_merge(&tenant, (one, three), &maya).await.unwrap());
        merge(&f.store, &tenant, &maya, one, three).await;
        leads.erase(&tenant, one).await.unwrap();
        for lead in [one, three] {
            assert_eq!(leads.find(&tenant, lead).await.unwrap(), None);
            assert!(leads.entries(&tenant, lead).await.unwrap().is_empty());
        }
        assert!(matches!(leads.erase(&tenant, three).await, Err(StoreError::NotFound)));
        assert!(found(&f.store, &tenant, "").await.is_empty());
    }

    async fn an_old_lead_is_kept_as_long_as_the_newest_that_was_merged_into_it(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let day = Duration::from_secs(24 * 3_600);
        let old = send(&f.store, &tenant, widget, &samples::draft("Ann")).await;
        f.clock.advance(day * 300);
        let new = send(&f.store, &tenant, widget, &samples::draft("Bea")).await;
        merge(&f.store, &tenant, &maya, old, new).await;
        f.store.accounts().set_retention(tenant.account, Some(365)).await.unwrap();
        f.clock.advance(day * 100);
        assert_eq!(f.store.accounts().due_for_erasure(tenant.account, 365).await.unwrap().leads, 0);
        assert_eq!(f.store.accounts().erase_old_leads().await.unwrap(), 0);
        assert!(f.store.leads().find(&tenant, old).await.unwrap().is_some());
        f.clock.advance(day * 300);
        f.store.accounts().erase_old_leads().await.unwrap();
        for lead in [old, new] {
            assert_eq!(f.store.leads().find(&tenant, lead).await.unwrap(), None);
        }
    }

    async fn another_company_merges_and_parts_nothing(f: Fixture) {
        let (tenant, other) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let theirs = samples::stored_widget(&f.store, &other, 2).await;
        let (maya, stranger) = (samples::teammate(&f.store, &tenant, "Maya").await, samples::teammate(&f.store, &other, "Eve").await);
        let leads = f.store.leads();
        let one = send(&f.store, &tenant, widget, &samples::draft("Ann")).await;
        let two = send(&f.store, &tenant, widget, &samples::draft("Bea")).await;
        let foreign = send(&f.store, &other, theirs, &samples::draft("Cal")).await;
        for (of, pair, by) in [(&tenant, (one, foreign), &maya), (&other, (foreign, one), &stranger), (&other, (one, two), &stranger), (&tenant, (one, one), &maya)] {
            assert!(matches!(leads.merge(of, pair, by, ("", ""), MergeChoice::default()).await, Err(StoreError::NotFound)));
        }
        merge(&f.store, &tenant, &maya, one, two).await;
        assert!(matches!(leads.undo_merge(&other, (one, two), &stranger).await, Err(StoreError::NotFound)));
        assert_eq!(leads.merged_into(&other, two).await.unwrap(), None);
        assert!(leads.merged_with(&other, one).await.unwrap().is_empty());
        // Somebody else's filter by a person of this company finds the one that stays.
        leads.assign(&tenant, one, &maya, Some(maya.id), None).await.unwrap();
        let query = LeadQuery { assignee: Some(Assignee::User(maya.id)), ..LeadQuery::default() };
        assert_eq!(leads.list_by(&tenant, &query, ListPlace::Top, 9).await.unwrap().leads.len(), 1);
        // A new lead of the merged person names the one that stays.
        let again = send(&f.store, &tenant, widget, &LeadDraft { email: Email::parse("bea@example.com"), address: "2 Oak Street, Saco, ME 04072".to_owned(), ..samples::draft("Dot") }).await;
        let again = leads.find(&tenant, again).await.unwrap().unwrap();
        let linked: Vec<_> = leads.linked(&tenant, &again).await.unwrap().into_iter().map(|(id, _)| id).collect();
        assert_eq!(linked, [one]);
    }

    async fn each_value_that_differs_is_chosen_and_undoing_gives_both_back(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let (maya, luis) = (samples::teammate(&f.store, &tenant, "Maya").await, samples::teammate(&f.store, &tenant, "Luis").await);
        let leads = f.store.leads();
        let with = |name: &str, phone: &str, given: bool| {
            let draft = LeadDraft { phone: Phone::parse(phone), ..samples::draft(name) };
            let email = Email::parse(&format!("{}@example.com", name.to_lowercase()));
            LeadDraft { email, consent: ConsentDraft { given, ..draft.consent.clone() }, ..draft }
        };
        let ann = send(&f.store, &tenant, widget, &with("Ann", "(207) 555-0141", true)).await;
        let greg = send(&f.store, &tenant, widget, &with("Greg", "(207) 555-0142", false)).await;
        let set = |status| OwnerChange { status: Some(status), ..OwnerChange::default() };
        leads.change_by(&tenant, ann, &set(LeadStatus::Lost), Some(&maya)).await.unwrap();
        let loss = Loss { reason: LossReason::Price, more: Some("Wanted metal".to_owned()) };
        leads.set_loss(&tenant, ann, &maya, &loss).await.unwrap();
        leads.change_by(&tenant, greg, &set(LeadStatus::Won), Some(&maya)).await.unwrap();
        leads.set_won_value(&tenant, greg, &maya, Some(Usd::from_dollars(18_400))).await.unwrap();
        leads.assign(&tenant, greg, &maya, Some(luis.id), None).await.unwrap();
        let state = async || {
            let mut all = Vec::new();
            for id in [ann, greg] {
                let (won, loss) = (leads.won_value(&tenant, id).await.unwrap(), leads.loss(&tenant, id).await.unwrap());
                all.push((whole(&f.store, &tenant, id).await, won, loss));
            }
            all
        };
        let before = state().await;
        let all = MergeChoice { name: true, phone: true, email: true, assignee: true, status: true, won_value: true };
        let merge_by = async |stays, goes, choice| {
            let (one, other) = (mark(&f.store, &tenant, stays).await, mark(&f.store, &tenant, goes).await);
            let outcome = leads.merge(&tenant, (stays, goes), &maya, (&one, &other), choice).await.unwrap();
            assert_eq!(outcome, MergeOutcome::Done);
        };
        merge_by(ann, greg, all).await;
        let stays = leads.find(&tenant, ann).await.unwrap().unwrap();
        let goes = leads.find(&tenant, greg).await.unwrap().unwrap();
        assert_eq!((&stays.first_name, &stays.phone, &stays.email, stays.status), (&goes.first_name, &goes.phone, &goes.email, LeadStatus::Won));
        assert!(!stays.consent.given, "the number that stays has none");
        assert_eq!(leads.won_value(&tenant, ann).await.unwrap(), Some(Usd::from_dollars(18_400)));
        assert_eq!(leads.loss(&tenant, ann).await.unwrap(), None);
        assert_eq!(leads.work(&tenant, ann).await.unwrap().assignee.map(|(id, _)| id), Some(luis.id));
        assert!(leads.undo_merge(&tenant, (ann, greg), &maya).await.unwrap());
        assert_eq!(state().await, before);

        // What somebody changed since stays; without a choice, all of the lead that stays does.
        merge_by(ann, greg, all).await;
        leads.change_by(&tenant, ann, &set(LeadStatus::Contacted), Some(&maya)).await.unwrap();
        leads.assign(&tenant, ann, &maya, Some(maya.id), None).await.unwrap();
        assert!(leads.undo_merge(&tenant, (ann, greg), &maya).await.unwrap());
        let now = leads.find(&tenant, ann).await.unwrap().unwrap();
        assert_eq!((now.status, &now.first_name, &now.phone, now.consent.given), (LeadStatus::Contacted, &before[0].0.0.first_name, &before[0].0.0.phone, true));
        assert_eq!(leads.work(&tenant, ann).await.unwrap().assignee.map(|(id, _)| id), Some(maya.id));

        // Of three, each undoing gives back what was before, in any order; erasing one leaves nothing of it.
        let cleo = send(&f.store, &tenant, widget, &with("Cleo", "(207) 555-0143", true)).await;
        let phone = async || leads.find(&tenant, ann).await.unwrap().unwrap().phone.unwrap().as_str().to_owned();
        let only = MergeChoice { phone: true, name: true, ..MergeChoice::default() };
        merge_by(ann, greg, only).await;
        merge_by(ann, cleo, only).await;
        assert_eq!(phone().await, "(207) 555-0143");
        assert!(leads.undo_merge(&tenant, (ann, greg), &maya).await.unwrap());
        assert_eq!(phone().await, "(207) 555-0143", "it is the third one’s");
        leads.erase(&tenant, cleo).await.unwrap();
        let now = leads.find(&tenant, ann).await.unwrap().unwrap();
        assert_eq!((now.phone, now.first_name.as_str()), (Phone::parse("(207) 555-0141"), "Ann"));
    }

    async fn a_contact_that_is_chosen_brings_all_of_the_consent_that_was_given_for_it(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let leads = f.store.leads();
        let of = async |id| leads.find(&tenant, id).await.unwrap().unwrap();
        let refused = asked(by_phone("Ann", "(207) 555-0141"), false, "May we call?", "198.51.100.1");
        let agreed = asked(by_phone("Greg", "(207) 555-0142"), true, "Call me.", "198.51.100.2");
        let ann = send(&f.store, &tenant, widget, &refused).await;
        f.clock.advance(Duration::from_secs(6 * 24 * 3_600));
        let greg = send(&f.store, &tenant, widget, &agreed).await;
        let (before, other) = (of(ann).await, of(greg).await);
        assert!(!before.consent.given && other.consent.given && before.consent.at < other.consent.at);
        let phone = MergeChoice { phone: true, ..MergeChoice::default() };
        merge_choosing(&f.store, &tenant, &maya, (ann, greg), phone).await;
        let now = of(ann).await;
        assert_eq!((&now.phone, &now.consent), (&other.phone, &other.consent));
        assert!(leads.undo_merge(&tenant, (ann, greg), &maya).await.unwrap());
        let now = of(ann).await;
        assert_eq!((&now.phone, &now.consent), (&before.phone, &before.consent));

        // Also where the number of a merged lead is typed; for one that nobody was asked about there is none.
        merge_choosing(&f.store, &tenant, &maya, (ann, greg), MergeChoice::default()).await;
        let none = Consent { given: false, ..other.consent.clone() };
        let typed = [(other.phone.clone(), &other.consent), (Phone::parse("(207) 555-0199"), &none), (before.phone.clone(), &before.consent)];
        for (phone, consent) in typed {
            let now = of(ann).await;
            let (first_name, last_name) = (now.first_name.clone(), now.last_name.clone());
            let edit = ContactEdit { first_name, last_name, email: now.email.clone(), phone, home: None };
            let edited = leads.edit_contact(&tenant, ann, &maya, &edit, &SeenContact::of(&now)).await.unwrap();
            assert!(matches!(edited, EditOutcome::Done(_)));
            let now = of(ann).await;
            assert_eq!((&now.phone, &now.consent), (&edit.phone, consent));
        }

        // Without a number, the consent is for the email.
        let bea = send(&f.store, &tenant, widget, &asked(samples::draft("Bea"), true, "Mail me.", "198.51.100.3")).await;
        f.clock.advance(Duration::from_secs(60));
        let cleo = send(&f.store, &tenant, widget, &asked(samples::draft("Cleo"), false, "May we mail?", "198.51.100.4")).await;
        f.clock.advance(Duration::from_secs(60));
        let dan = asked(by_phone("Dan", "(207) 555-0143"), false, "May we call?", "198.51.100.5");
        let dan = send(&f.store, &tenant, widget, &LeadDraft { email: Email::parse("dan@example.com"), ..dan }).await;
        let before = of(bea).await;
        for goes in [cleo, dan] {
            let other = of(goes).await;
            let email = MergeChoice { email: true, ..MergeChoice::default() };
            merge_choosing(&f.store, &tenant, &maya, (bea, goes), email).await;
            let now = of(bea).await;
            assert_eq!((&now.email, &now.phone, &now.consent), (&other.email, &other.phone, &other.consent));
            assert!(leads.undo_merge(&tenant, (bea, goes), &maya).await.unwrap());
            let now = of(bea).await;
            assert_eq!((&now.email, &now.phone, &now.consent), (&before.email, &before.phone, &before.consent));
        }
    }

    async fn undoing_gives_no_lead_to_a_teammate_who_has_left(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let lifetime = Duration::from_secs(3_600);
        let owner = InviteDraft { account: Some(tenant.account), role: Role::Owner, sees: shingle_domain::WidgetScope::All, email: None, by: None, lifetime };
        let (_, token) = f.store.people().invite(&owner).await.unwrap();
        let email = Email::parse("owner@oak.example.com").unwrap();
        let olga = f.store.people().accept_invite(&token, &email, &UserName::parse("Olga").unwrap()).await.unwrap();
        let (ana, luis) = (samples::teammate(&f.store, &tenant, "Ana").await, samples::teammate(&f.store, &tenant, "Luis").await);
        let leads = f.store.leads();
        let one = send(&f.store, &tenant, widget, &samples::draft("Ann")).await;
        let two = send(&f.store, &tenant, widget, &samples::draft("Bea")).await;
        leads.assign(&tenant, one, &olga, Some(ana.id), None).await.unwrap();
        leads.assign(&tenant, two, &olga, Some(luis.id), None).await.unwrap();
        let assignee = async |id| leads.work(&tenant, id).await.unwrap().assignee.map(|(user, _)| user);
        let theirs = MergeChoice { assignee: true, ..MergeChoice::default() };
        merge_choosing(&f.store, &tenant, &olga, (one, two), theirs).await;
        assert_eq!(assignee(one).await, Some(luis.id));
        f.store.people().remove_user(tenant.account, ana.id).await.unwrap();
        assert!(leads.undo_merge(&tenant, (one, two), &olga).await.unwrap());
        assert_eq!((assignee(one).await, assignee(two).await), (None, Some(luis.id)));
    }

    async fn nobody_waits_for_an_inspection_while_the_other_lead_has_one_booked(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let leads = f.store.leads();
        let ann = send(&f.store, &tenant, widget, &samples::draft("Ann")).await;
        let greg = send(&f.store, &tenant, widget, &by_phone("Greg", "(207) 555-0164")).await;
        let day = VisitDate(f.store.now().date().tomorrow().unwrap());
        for id in [ann, greg] {
            let wishes = InspectionWishes {
                wishes: vec![Wish { date: day, part: DayPart::Morning }],
                contact_by: ContactBy::Email,
                note: None,
            };
            let ask = HomeownerChange { inspection: Some(wishes), ..HomeownerChange::default() };
            leads.change_as_homeowner(&tenant, id, &ask).await.unwrap();
        }
        assert!(matches!(book(&f.store, &tenant, &maya, ann, 9).await, Booked::Done(_)));
        let asked = async || leads.counts(&tenant, maya.id).await.unwrap().asked;
        assert_eq!(asked().await, 1);
        assert_eq!(merge(&f.store, &tenant, &maya, ann, greg).await, MergeOutcome::Done);
        assert_eq!(asked().await, 0, "it is closed");
        assert!(leads.undo_merge(&tenant, (ann, greg), &maya).await.unwrap());
        assert_eq!(asked().await, 1, "and open again");
    }
}
