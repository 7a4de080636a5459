//! Leads as the portal lists them.

use std::time::Duration;

use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::{Lead, LeadSource, LeadStatus, MaterialPrice, Same, ShownEstimate};
use shingle_domain::loss::{Loss, LossReason};
use shingle_domain::next_step::Due;
use shingle_domain::roof::RoofMaterial;
use shingle_domain::tag::Tag;
use shingle_domain::{Email, LeadId, Phone, Role, Tenant, Usd, UserName, WidgetId};
use shingle_store::{
    Assignee, Beside, InviteDraft, LeadDraft, LeadOrigin, LeadQuery, LeadSort, ListCursor, ListPlace, OwnerChange,
    PlannedStep, SpamReason, Store, User,
};
use shingle_store_fixture::on_both_engines;

use crate::samples;

fn due(day: &str) -> Option<Due> {
    Some(Due { day: VisitDate::parse(day).unwrap(), time: None })
}

async fn user(store: &Store, tenant: &Tenant, name: &str) -> User {
    let day = Duration::from_secs(24 * 3_600);
    let draft = InviteDraft {
        account: Some(tenant.account),
        role: Role::Member,
        sees: shingle_domain::WidgetScope::All,
        email: None,
        by: None,
        lifetime: day,
    };
    let (_, token) = store.people().invite(&draft).await.unwrap();
    let email = Email::parse(&format!("{name}@oak.example.com")).unwrap();
    store.people().accept_invite(&token, &email, &UserName::parse(name).unwrap()).await.unwrap()
}

fn draft(name: &str, town: &str, dollars: Option<i64>) -> LeadDraft {
    let plain = samples::draft(name);
    let price = |dollars| MaterialPrice {
        material: RoofMaterial::Metal,
        price_per_square: Usd::from_dollars(1_000),
        cost: Usd::from_dollars(dollars),
        low: Usd::from_dollars(dollars),
        high: Usd::from_dollars(dollars),
        minimum: None,
        parts: Vec::new(),
    };
    LeadDraft {
        address: format!("{} Alder Court, {town}, ME 04103", name.len()),
        estimate: dollars.map(|d| ShownEstimate { prices: vec![price(d)], ..plain.estimate.clone().unwrap() }),
        ..plain
    }
}

async fn send(store: &Store, tenant: &Tenant, widget: WidgetId, draft: &LeadDraft) -> Lead {
    let key = format!("{:?} {}", draft.email, draft.address);
    store.leads().accept(tenant, widget, draft, &key, key.as_bytes()).await.unwrap().lead
}

async fn names(store: &Store, tenant: &Tenant, query: &LeadQuery) -> Vec<String> {
    let list = store.leads().list_by(tenant, query, ListPlace::Top, 100).await.unwrap();
    assert_eq!(list.total, Some(list.leads.len()), "{query:?}");
    list.leads.into_iter().map(|lead| lead.first_name).collect()
}

on_both_engines! {
    async fn filters_combine_and_changes_are_seen_at_once(f: Fixture) {
        let store = &f.store;
        let tenant = samples::tenant(store).await;
        let widget = samples::stored_widget(store, &tenant, 1).await;
        let other_widget = samples::stored_widget(store, &tenant, 2).await;
        let (maya, luis) = (user(store, &tenant, "Maya").await, user(store, &tenant, "Luis").await);
        let mut ids: Vec<LeadId> = Vec::new();
        let mut ads = draft("Ann", "Portland", Some(12_000));
        ads.source = LeadSource { utm_medium: Some("CPC".into()), ..LeadSource::default() };
        let mut spam = draft("Sue", "Portland", None);
        spam.spam = Some(SpamReason::HiddenField);
        for (n, draft) in [ads, draft("Bob", "Falmouth", Some(28_000)), draft("Cleo", "Portland", None), draft("Dora", "Saco", Some(9_000)), spam].iter().enumerate() {
            let to = if n == 3 { other_widget } else { widget };
            ids.push(send(store, &tenant, to, draft).await.id);
            f.clock.advance(Duration::from_secs(60));
        }
        let all = LeadQuery::default();
        assert_eq!(names(store, &tenant, &all).await, ["Dora", "Cleo", "Bob", "Ann"], "newest first, without spam");
        let counts = store.leads().counts(&tenant, maya.id).await.unwrap();
        assert_eq!((counts.all(), counts.of(LeadStatus::New), counts.of(LeadStatus::Spam), counts.unread), (4, 4, 1, 4));
        let towns: Vec<_> = counts.towns.iter().map(|(_, name, count)| (name.as_str(), *count)).collect();
        assert_eq!((towns[0], towns.len()), (("Portland", 2), 3));
        let portland = counts.towns[0].0.clone();

        store.leads().assign(&tenant, ids[1], &maya, Some(luis.id), None).await.unwrap();
        store.leads().plan(&tenant, ids[0], &maya, PlannedStep::of("Call", due("2026-03-12")), None).await.unwrap();
        store.leads().plan(&tenant, ids[3], &maya, PlannedStep::of("Call", due("2026-03-11")), None).await.unwrap();
        store.leads().change(&tenant, ids[2], &OwnerChange { status: Some(LeadStatus::Won), ..OwnerChange::default() }).await.unwrap();
        store.leads().note_read(maya.id, ids[1]).await.unwrap();
        let q = |change: &dyn Fn(&mut LeadQuery)| { let mut query = LeadQuery::default(); change(&mut query); query };
        let cases: [(LeadQuery, &[&str]); 23] = [
            (q(&|q| q.statuses = vec![LeadStatus::Won, LeadStatus::Spam]), &["Sue", "Cleo"]),
            (q(&|q| q.widget = Some(other_widget)), &["Dora"]),
            (q(&|q| q.assignee = Some(Assignee::User(luis.id))), &["Bob"]),
            (q(&|q| q.assignee = Some(Assignee::User(maya.id))), &[]),
            (q(&|q| q.assignee = Some(Assignee::Nobody)), &["Dora", "Cleo", "Ann"]),
            (q(&|q| q.price_from = Some(Usd::from_dollars(12_000))), &["Bob", "Ann"]),
            (q(&|q| q.price_to = Some(Usd::from_dollars(12_000))), &["Dora", "Ann"]),
            (q(&|q| q.towns = vec![portland.clone()]), &["Cleo", "Ann"]),
            (q(&|q| q.towns = vec!["0".repeat(16)]), &[]),
            (q(&|q| q.origins = vec![LeadOrigin::Ads]), &["Ann"]),
            (q(&|q| q.unread_by = Some(maya.id)), &["Dora", "Cleo", "Ann"]),
            (q(&|q| q.sort = LeadSort::Price), &["Bob", "Ann", "Dora", "Cleo"]),
            (q(&|q| q.sort = LeadSort::Due), &["Dora", "Ann", "Cleo", "Bob"]),
            (q(&|q| q.sort = LeadSort::Oldest), &["Ann", "Bob", "Cleo", "Dora"]),
            (q(&|q| q.sort = LeadSort::PriceLow), &["Dora", "Ann", "Bob", "Cleo"]),
            (q(&|q| q.sort = LeadSort::DueLast), &["Ann", "Dora", "Cleo", "Bob"]),
            (q(&|q| q.sort = LeadSort::Status), &["Dora", "Bob", "Ann", "Cleo"]),
            (q(&|q| q.sort = LeadSort::StatusLast), &["Cleo", "Dora", "Bob", "Ann"]),
            (q(&|q| q.sort = LeadSort::Assignee), &["Bob", "Dora", "Cleo", "Ann"]),
            (q(&|q| q.sort = LeadSort::Urgent), &["Dora", "Cleo", "Bob", "Ann"]),
            // Of those to whom nobody has responded, who waits longest.
            (q(&|q| { q.waiting = true; q.sort = LeadSort::Oldest; }), &["Ann", "Bob", "Dora"]),
            (q(&|q| { q.search = "alder ann".into(); q.towns = vec![portland.clone()]; }), &["Ann"]),
            (q(&|q| { q.search = "ann".into(); q.statuses = vec![LeadStatus::Won]; }), &[]),
        ];
        for (query, expected) in &cases {
            assert_eq!(names(store, &tenant, query).await, *expected, "{query:?}");
        }
        let queries: Vec<LeadQuery> = cases.iter().map(|(query, _)| query.clone()).collect();
        let of_each = store.leads().count_each(&tenant, &queries).await.unwrap();
        assert_eq!(of_each, cases.iter().map(|(_, expected)| Some(expected.len())).collect::<Vec<_>>());
        assert_eq!(store.leads().counts(&tenant, maya.id).await.unwrap().waiting, 3);
        // By the names of teammates, nobody's last in both directions.
        store.leads().assign(&tenant, ids[3], &maya, Some(maya.id), None).await.unwrap();
        let by_name = q(&|q| q.sort = LeadSort::Assignee);
        assert_eq!(names(store, &tenant, &by_name).await, ["Bob", "Dora", "Cleo", "Ann"]);
        let backwards = q(&|q| q.sort = LeadSort::AssigneeLast);
        assert_eq!(names(store, &tenant, &backwards).await, ["Dora", "Bob", "Cleo", "Ann"]);
        store.leads().erase(&tenant, ids[0]).await.unwrap();
        assert_eq!(names(store, &tenant, &all).await, ["Dora", "Cleo", "Bob"]);
        let counts = store.leads().counts(&tenant, maya.id).await.unwrap();
        assert_eq!((counts.all(), counts.unread, counts.of(LeadStatus::Won)), (3, 2, 1));

        // Another node has its own memory, and sees the same.
        let node = Store::open(&f.address, f.clock.clone(), &shingle_store_fixture::Fixture::SECRET).await.unwrap();
        assert_eq!(names(&node, &tenant, &all).await, ["Dora", "Cleo", "Bob"]);
        store.leads().change(&tenant, ids[1], &OwnerChange { status: Some(LeadStatus::Spam), ..OwnerChange::default() }).await.unwrap();
        assert_eq!(names(&node, &tenant, &all).await, ["Dora", "Cleo"]);
        node.close().await.unwrap();

        // Another company has none of it, not by the hash of a town either.
        let stranger = samples::tenant(store).await;
        assert_eq!(names(store, &stranger, &all).await, [""; 0]);
        assert!(store.leads().by_id(&stranger, &ids).await.unwrap().is_empty());
        assert!(store.leads().town_names(&stranger, &[portland]).await.unwrap().is_empty());
    }

    async fn pages_go_both_ways_and_keep_their_place(f: Fixture) {
        let store = &f.store;
        let tenant = samples::tenant(store).await;
        let widget = samples::stored_widget(store, &tenant, 1).await;
        for n in 0..10 {
            send(store, &tenant, widget, &draft(&format!("P{n}"), "Portland", Some(1_000 * (n % 3)))).await;
        }
        for sort in LeadSort::ALL {
            let query = LeadQuery { sort, ..LeadQuery::default() };
            let whole = names(store, &tenant, &query).await;
            assert_eq!(whole.len(), 10);
            let page = async |place| store.leads().list_by(&tenant, &query, place, 4).await.unwrap();
            let first = page(ListPlace::Top).await;
            assert_eq!((first.before, first.total), (None, Some(10)));
            let second = page(ListPlace::After(first.after.unwrap())).await;
            let third = page(ListPlace::After(second.after.unwrap())).await;
            assert_eq!(third.after, None);
            let read: Vec<_> = [&first, &second, &third].iter().flat_map(|list| &list.leads).map(|lead| lead.first_name.clone()).collect();
            assert_eq!(read, whole, "{sort:?}");
            assert_eq!(page(ListPlace::Before(third.before.unwrap())).await.leads, second.leads);
            assert_eq!(page(ListPlace::Before(second.before.unwrap())).await.leads, first.leads);
            let text = second.after.unwrap().to_string();
            assert_eq!(text.parse::<ListCursor>().unwrap(), second.after.unwrap());
        }
        for cursor in ["", "x", "1.2", "1.g.0", "0.0.x", "0.0.0.0"] {
            assert!(cursor.parse::<ListCursor>().is_err(), "{cursor}");
        }
        // The lead at which a page ended is gone: the place stays.
        let query = LeadQuery::default();
        let first = store.leads().list_by(&tenant, &query, ListPlace::Top, 3).await.unwrap();
        store.leads().erase(&tenant, first.leads[2].id).await.unwrap();
        let second = store.leads().list_by(&tenant, &query, ListPlace::After(first.after.unwrap()), 3).await.unwrap();
        assert!(second.leads.iter().all(|lead| !first.leads.contains(lead)));
        let (ids, total) = store.leads().list_ids(&tenant, &query, 2).await.unwrap();
        assert_eq!((ids.len(), total), (2, Some(9)));
    }

    async fn a_list_is_worked_through_lead_by_lead(f: Fixture) {
        let store = &f.store;
        let tenant = samples::tenant(store).await;
        let widget = samples::stored_widget(store, &tenant, 1).await;
        for n in 0..6 {
            send(store, &tenant, widget, &draft(&format!("P{n}"), "Portland", Some(1_000 * (n % 3)))).await;
            f.clock.advance(Duration::from_secs(1));
        }
        // By status, a lead whose status changes has another place.
        let by_others = |sort: &LeadSort| !matches!(sort, LeadSort::Status | LeadSort::StatusLast);
        for sort in LeadSort::ALL.into_iter().filter(by_others) {
            let query = LeadQuery { sort, statuses: vec![LeadStatus::New], ..LeadQuery::default() };
            let (ids, _) = store.leads().list_ids(&tenant, &query, 10).await.unwrap();
            for (at, id) in ids.iter().enumerate() {
                let whole = Beside {
                    number: Some(at + 1),
                    total: Some(6),
                    before: at.checked_sub(1).map(|at| ids[at]),
                    after: ids.get(at + 1).copied(),
                };
                assert_eq!(store.leads().beside(&tenant, &query, *id).await.unwrap(), whole, "{sort:?} {at}");
            }
            // It is called, so the list of new ones has it no more: the next one is the same.
            let status = |status| OwnerChange { status: Some(status), ..OwnerChange::default() };
            store.leads().change(&tenant, ids[2], &status(LeadStatus::Contacted)).await.unwrap();
            let left = Beside { number: None, total: Some(5), before: Some(ids[1]), after: Some(ids[3]) };
            assert_eq!(store.leads().beside(&tenant, &query, ids[2]).await.unwrap(), left, "{sort:?}");
            store.leads().change(&tenant, ids[2], &status(LeadStatus::New)).await.unwrap();
        }
        let query = LeadQuery { search: "alder P2".into(), ..LeadQuery::default() };
        let only = names(store, &tenant, &query).await;
        let (ids, _) = store.leads().list_ids(&tenant, &query, 10).await.unwrap();
        assert_eq!((only.as_slice(), store.leads().beside(&tenant, &query, ids[0]).await.unwrap().number), (&["P2".to_owned()][..], Some(1)));
        let stranger = samples::tenant(store).await;
        assert_eq!(store.leads().beside(&stranger, &LeadQuery::default(), ids[0]).await.unwrap(), Beside::default());
    }

    async fn common_words_are_looked_through_page_by_page(f: Fixture) {
        let store = &f.store;
        let tenant = samples::tenant(store).await;
        let widget = samples::stored_widget(store, &tenant, 1).await;
        // More than a word may have to be a way to find some.
        for n in 0..1_010 {
            send(store, &tenant, widget, &draft(&format!("p{n}"), if n == 3 { "Saco" } else { "Portland" }, None)).await;
            f.clock.advance(Duration::from_millis(1));
        }
        let query = |search: &str| LeadQuery { search: search.to_owned(), ..LeadQuery::default() };
        let list = store.leads().list_by(&tenant, &query("alder portland"), ListPlace::Top, 20).await.unwrap();
        assert_eq!((list.leads.len(), list.total), (20, None));
        assert_eq!(list.leads[0].first_name, "p1009");
        let next = store.leads().list_by(&tenant, &query("alder portland"), ListPlace::After(list.after.unwrap()), 20).await.unwrap();
        assert_eq!(next.leads[0].first_name, "p989");
        let back = store.leads().list_by(&tenant, &query("alder portland"), ListPlace::Before(next.before.unwrap()), 20).await.unwrap();
        assert_eq!(back.leads, list.leads);
        let beside = store.leads().beside(&tenant, &query("alder portland"), list.leads[19].id).await.unwrap();
        let neighbours = Beside { number: None, total: None, before: Some(list.leads[18].id), after: Some(next.leads[0].id) };
        assert_eq!(beside, neighbours);
        assert_eq!(names(store, &tenant, &query("saco alder")).await, ["p3"]);
        assert_eq!(names(store, &tenant, &query("?!")).await, [""; 0]);
    }

    async fn leads_of_one_person_are_linked(f: Fixture) {
        let store = &f.store;
        let tenant = samples::tenant(store).await;
        let widgets = [samples::stored_widget(store, &tenant, 1).await, samples::stored_widget(store, &tenant, 2).await];
        let mut first = draft("Ann", "Portland", None);
        first.phone = Phone::parse_loosely("207 555 0143");
        let ann = send(store, &tenant, widgets[0], &first).await;
        let same_mail = LeadDraft { address: "9 Elm Street, Saco, ME 04072".into(), ..draft("Ann", "Saco", None) };
        let same_mail = send(store, &tenant, widgets[1], &same_mail).await;
        let mut same_phone = draft("Zoe", "Gorham", None);
        same_phone.phone = Phone::parse_loosely("+1 207 555 0143");
        let same_phone = send(store, &tenant, widgets[1], &same_phone).await;
        let same_home = send(store, &tenant, widgets[1], &LeadDraft { address: ann.address.clone(), ..draft("Gus", "X", None) }).await;
        send(store, &tenant, widgets[1], &draft("Nobody", "Saco", None)).await;
        let mut linked = store.leads().linked(&tenant, &ann).await.unwrap();
        linked.sort();
        let mut expected = vec![(same_mail.id, Same::Person), (same_phone.id, Same::Person), (same_home.id, Same::Home)];
        expected.sort();
        assert_eq!(linked, expected);
        store.leads().erase(&tenant, same_mail.id).await.unwrap();
        assert_eq!(store.leads().linked(&tenant, &ann).await.unwrap().len(), 2);
        let stranger = samples::tenant(store).await;
        assert_eq!(store.leads().linked(&stranger, &ann).await.unwrap(), []);
    }

    async fn what_a_lead_was_worth_is_kept_and_told(f: Fixture) {
        let store = &f.store;
        let tenant = samples::tenant(store).await;
        let widget = samples::stored_widget(store, &tenant, 1).await;
        let maya = user(store, &tenant, "Maya").await;
        let lead = send(store, &tenant, widget, &draft("Ann", "Portland", None)).await.id;
        assert_eq!(store.leads().won_value(&tenant, lead).await.unwrap(), None);
        for value in [Some(Usd::from_cents(1_812_350)), Some(Usd::from_cents(1_812_350)), None] {
            store.leads().set_won_value(&tenant, lead, &maya, value).await.unwrap();
            assert_eq!(store.leads().won_value(&tenant, lead).await.unwrap(), value);
            f.clock.advance(Duration::from_millis(1));
        }
        let told: Vec<_> = store.leads().entries(&tenant, lead).await.unwrap().into_iter().map(|entry| entry.text).collect();
        assert_eq!(told, ["", "1812350"]);
        let stranger = samples::tenant(store).await;
        assert_eq!(store.leads().won_value(&stranger, lead).await.unwrap(), None);
        assert!(store.leads().set_won_value(&stranger, lead, &maya, None).await.is_err());
        let mut spam = draft("Sue", "Portland", None);
        spam.spam = Some(SpamReason::TooFast);
        let spam = send(store, &tenant, widget, &spam).await.id;
        assert_eq!(store.leads().spam_reason(&tenant, spam).await.unwrap(), Some(SpamReason::TooFast));
        assert_eq!(store.leads().spam_reason(&tenant, lead).await.unwrap(), None);
        assert!(store.leads().spam_reason(&stranger, spam).await.is_err());
    }

    async fn leads_are_listed_and_found_by_tags_and_reasons_of_loss(f: Fixture) {
        let store = &f.store;
        let (tenant, other) = (samples::tenant(store).await, samples::tenant(store).await);
        let widget = samples::stored_widget(store, &tenant, 1).await;
        let maya = user(store, &tenant, "Maya").await;
        let mut ids = Vec::new();
        for name in ["Ann", "Bob", "Cleo"] {
            ids.push(send(store, &tenant, widget, &draft(name, "Portland", None)).await.id);
            f.clock.advance(Duration::from_secs(60));
        }
        let leads = store.leads();
        for (n, tag) in [(0, "Hail storm"), (1, "hail STORM"), (1, "Señor"), (2, "Slate")] {
            leads.add_tag(&tenant, ids[n], &maya, &Tag::parse(tag).unwrap()).await.unwrap();
        }
        let counts = leads.counts(&tenant, maya.id).await.unwrap();
        let storm = counts.tags[0].clone();
        assert_eq!((storm.1.as_str(), storm.2, counts.tags.len()), ("Hail storm", 2, 3), "as it was first written");
        let hash = |name: &str| counts.tags.iter().find(|(_, known, _)| known == name).unwrap().0.clone();
        let tagged = |tags: Vec<String>| LeadQuery { tags, ..LeadQuery::default() };
        assert_eq!(names(store, &tenant, &tagged(vec![storm.0.clone()])).await, ["Bob", "Ann"]);
        assert_eq!(names(store, &tenant, &tagged(vec![storm.0.clone(), hash("Slate")])).await, ["Cleo", "Bob", "Ann"], "any");
        assert!(names(store, &tenant, &tagged(vec!["0".repeat(16)])).await.is_empty());
        assert!(names(store, &other, &tagged(vec![storm.0.clone()])).await.is_empty());
        assert!(leads.tag_names(&other, std::slice::from_ref(&storm.0)).await.unwrap().is_empty());
        let found = |words: &str| LeadQuery { search: words.to_owned(), ..LeadQuery::default() };
        for (words, expected) in [("storm", &["Bob", "Ann"][..]), ("hai sto", &["Bob", "Ann"]), ("senor", &["Bob"]), ("slate ann", &[])] {
            assert_eq!(names(store, &tenant, &found(words)).await, expected, "{words}");
        }
        assert!(names(store, &other, &found("storm")).await.is_empty());
        // A tag that is removed finds the lead no more, and leaves the others.
        leads.remove_tag(&tenant, ids[0], &maya, &storm.0).await.unwrap();
        assert_eq!(names(store, &tenant, &tagged(vec![storm.0.clone()])).await, ["Bob"]);
        assert_eq!(names(store, &tenant, &found("storm")).await, ["Bob"]);

        // Reasons of loss, with every other filter.
        let lost = OwnerChange { status: Some(LeadStatus::Lost), ..OwnerChange::default() };
        for (n, reason) in [(0, LossReason::Price), (1, LossReason::Other), (2, LossReason::Price)] {
            leads.change(&tenant, ids[n], &lost).await.unwrap();
            let loss = Loss { reason, more: (n == 0).then(|| "Wanted metal".to_owned()) };
            leads.set_loss(&tenant, ids[n], &maya, &loss).await.unwrap();
        }
        let why = |losses: Vec<LossReason>| LeadQuery { losses, ..LeadQuery::default() };
        assert_eq!(names(store, &tenant, &why(vec![LossReason::Price])).await, ["Cleo", "Ann"]);
        assert_eq!(names(store, &tenant, &why(vec![LossReason::Timing])).await, [""; 0]);
        let both = LeadQuery { tags: vec![storm.0.clone()], ..why(vec![LossReason::Other, LossReason::Price]) };
        assert_eq!(names(store, &tenant, &both).await, ["Bob"]);
        let counts = leads.counts(&tenant, maya.id).await.unwrap();
        assert_eq!(counts.losses, [2, 0, 0, 0, 0, 1]);
        let all = leads.losses(&tenant, &ids).await.unwrap();
        assert_eq!((all.len(), all[&ids[0]].more.as_deref()), (3, Some("Wanted metal")));
        assert!(leads.losses(&other, &ids).await.unwrap().is_empty());
        // One that is open again was lost for nothing.
        let open = OwnerChange { status: Some(LeadStatus::Contacted), ..OwnerChange::default() };
        leads.change(&tenant, ids[2], &open).await.unwrap();
        assert_eq!(names(store, &tenant, &why(vec![LossReason::Price])).await, ["Ann"]);
    }
}
