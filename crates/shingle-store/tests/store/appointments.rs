//! Inspections with a time: whose they are, who gets one of two that are booked at once, and that they end with their lead.

use std::time::Duration;

use shingle_domain::appointment::{Attendant, LocalMoment};
use shingle_domain::event::EventKind;
use shingle_domain::inspection::VisitDate;
use shingle_domain::notice::TimeOfDay;
use shingle_domain::rules::Booking;
use shingle_domain::settings::SelfBooking;
use shingle_domain::{Email, LeadId, Role, Tenant, UserName};
use shingle_store::{Booked, BookingOrder, Canceler, InviteDraft, PickedTime, Store, Telling, User};
use shingle_store_fixture::on_both_engines;

use crate::samples;

const TOLD: Telling = Telling { homeowner: true, team: true, remind_at: None };

async fn lead(store: &Store, tenant: &Tenant, name: &str) -> LeadId {
    let widget = samples::stored_widget(store, tenant, 1).await;
    store.leads().accept(tenant, widget, &samples::draft(name), name, b"1").await.unwrap().lead.id
}

async fn colleague(store: &Store, tenant: &Tenant, email: &str) -> User {
    let email = Email::parse(email).unwrap();
    let lifetime = Duration::from_secs(3_600);
    let draft = InviteDraft {
        account: Some(tenant.account),
        role: Role::Member,
        sees: shingle_domain::WidgetScope::All,
        email: None,
        by: None,
        lifetime,
    };
    let (_, token) = store.people().invite(&draft).await.unwrap();
    store.people().accept_invite(&token, &email, &UserName::parse("Maya").unwrap()).await.unwrap()
}

/// An hour on the day after the clock's.
fn booking(store: &Store, hour: u16, user: Option<&User>) -> Booking {
    let date = VisitDate(store.now().date().tomorrow().unwrap());
    let time = TimeOfDay::from_minutes(hour * 60).unwrap();
    let at = store.now().day_start() + Duration::from_secs(86_400 + u64::from(hour) * 3_600);
    Booking {
        time: LocalMoment { date, time, zone: "UTC".to_owned(), at },
        minutes: 60,
        person: Attendant { user: user.map(|user| user.id), name: "Tomas".to_owned() },
        place: "14 Alder Court".to_owned(),
        line: None,
    }
}

/// An hour with half an hour to the next home.
fn rules(at_once: u16) -> SelfBooking {
    SelfBooking { on: true, minutes: 60, travel_minutes: 30, at_once, ..SelfBooking::default() }
}

fn picked<'a>(booking: &'a Booking, seen: &'a str, rules: &'a SelfBooking) -> PickedTime<'a> {
    PickedTime { booking, wish: booking.time.wish(), seen, rules, telling: TOLD }
}

/// Leads of one widget.
async fn leads_of(store: &Store, tenant: &Tenant, widget: u128, names: [&str; 2]) -> [LeadId; 2] {
    let widget = samples::stored_widget(store, tenant, widget).await;
    let mut ids = Vec::new();
    for name in names {
        let draft = samples::draft(name);
        ids.push(store.leads().accept(tenant, widget, &draft, name, name.as_bytes()).await.unwrap().lead.id);
    }
    [ids[0], ids[1]]
}

fn order<'a>(booking: &'a Booking, seen: &'a str) -> BookingOrder<'a> {
    BookingOrder { booking, seen, allowed: &[], telling: TOLD }
}

fn pick_fails(booked: Result<Booked, shingle_store::StoreError>) -> bool {
    matches!(booked, Err(shingle_store::StoreError::NotFound))
}

on_both_engines! {
    async fn of_two_who_book_one_lead_at_once_one_is_told_of_the_other(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = lead(&f.store, &tenant, "Ann").await;
        let maya = colleague(&f.store, &tenant, "maya@example.com").await;
        let (one, other) = (booking(&f.store, 9, None), booking(&f.store, 11, None));
        let leads = f.store.leads();
        let (first, second) = tokio::join!(leads.book(&tenant, id, &maya, order(&one, "")), leads.book(&tenant, id, &maya, order(&other, "")));
        let done = |booked: &Booked| matches!(booked, Booked::Done(_));
        let changed = |booked: &Booked| matches!(booked, Booked::Changed(Some(_)));
        let (first, second) = (first.unwrap(), second.unwrap());
        assert!((done(&first) && changed(&second)) || (changed(&first) && done(&second)), "{first:?} {second:?}");
        let events = f.store.deliveries().list_events(&tenant, id.0).await.unwrap();
        let booked = events.iter().filter(|event| event.kind == EventKind::InspectionBooked).count();
        assert_eq!(booked, 2, "homeowner and company, once");
    }

    async fn another_tenant_sees_and_changes_no_inspection(f: Fixture) {
        let (tenant, other) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let id = lead(&f.store, &tenant, "Ann").await;
        let maya = colleague(&f.store, &tenant, "maya@example.com").await;
        let stranger = colleague(&f.store, &other, "stranger@example.com").await;
        let leads = f.store.leads();
        let theirs = booking(&f.store, 9, Some(&stranger));
        assert_eq!(leads.book(&tenant, id, &maya, order(&theirs, "")).await.unwrap(), Booked::NotColleague);
        let own = booking(&f.store, 9, Some(&maya));
        let Booked::Done(now) = leads.book(&tenant, id, &maya, order(&own, "")).await.unwrap() else { panic!() };
        assert_eq!(now.person.name, "Maya");
        assert_eq!(leads.appointment(&other, id).await.unwrap(), None);
        assert!(leads.book(&other, id, &stranger, order(&booking(&f.store, 9, None), &now.mark())).await.is_err());
        let canceled = leads.cancel_appointment(&other, id, Canceler::Homeowner(None), &now.mark(), TOLD).await;
        assert!(canceled.is_err());
        let span = (f.store.now(), f.store.now() + Duration::from_secs(3 * 86_400));
        assert_eq!(leads.appointments_between(&other, None, span).await.unwrap(), []);
        assert_eq!(leads.appointments_between(&tenant, Some(maya.id), span).await.unwrap(), [(id, now)]);
        assert_eq!(leads.appointments_between(&tenant, Some(stranger.id), span).await.unwrap(), []);
    }

    async fn an_inspection_ends_with_its_lead_and_nothing_is_sent_of_it(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = lead(&f.store, &tenant, "Ann").await;
        let maya = colleague(&f.store, &tenant, "maya@example.com").await;
        let leads = f.store.leads();
        let own = booking(&f.store, 9, Some(&maya));
        let telling = Telling { remind_at: Some(own.time.at), ..TOLD };
        let order = BookingOrder { telling, ..order(&own, "") };
        assert!(matches!(leads.book(&tenant, id, &maya, order).await.unwrap(), Booked::Done(_)));
        let states = |kind: EventKind| {
            let store = f.store.clone();
            async move {
                let all = store.deliveries().list_of(&tenant, id.0).await.unwrap();
                all.into_iter().filter(|of| of.kind == kind).map(|of| of.state.as_str()).collect::<Vec<_>>()
            }
        };
        assert_eq!(states(EventKind::InspectionReminder).await, ["pending", "pending"]);
        leads.erase(&tenant, id).await.unwrap();
        assert_eq!(leads.appointment(&tenant, id).await.unwrap(), None);
        assert_eq!(states(EventKind::InspectionReminder).await, ["skipped", "skipped"]);
        assert!(leads.book(&tenant, id, &maya, order).await.is_err(), "of a lead that is gone");
    }

    async fn of_two_homeowners_who_take_a_time_at_once_one_gets_it(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let [ann, bo] = leads_of(&f.store, &tenant, 1, ["Ann", "Bo"]).await;
        let (leads, rules) = (f.store.leads(), rules(1));
        let (nine, ten) = (booking(&f.store, 9, None), booking(&f.store, 10, None));
        let (first, second) = tokio::join!(
            leads.book_as_homeowner(&tenant, ann, picked(&nine, "", &rules)),
            leads.book_as_homeowner(&tenant, bo, picked(&ten, "", &rules))
        );
        let won = [(ann, first.unwrap()), (bo, second.unwrap())];
        let done: Vec<_> = won.iter().filter(|(_, booked)| matches!(booked, Booked::Done(_))).collect();
        let late = won.iter().filter(|(_, booked)| *booked == Booked::Overlaps(Vec::new())).count();
        assert_eq!((done.len(), late), (1, 1), "an hour later there is no time for the way: {won:?}");

        // The same form again books and tells nothing.
        let (id, Booked::Done(now)) = done[0] else { panic!() };
        let sent = || async { f.store.deliveries().list_events(&tenant, id.0).await.unwrap().len() };
        let before = sent().await;
        let own = if *id == ann { &nine } else { &ten };
        let again = leads.book_as_homeowner(&tenant, *id, picked(own, "", &rules)).await.unwrap();
        assert_eq!((again, sent().await), (Booked::Done(now.clone()), before));
        let asked = leads.find(&tenant, *id).await.unwrap().unwrap().inspection.unwrap();
        assert!(asked.is_confirmed() && asked.wishes == [now.time.wish()]);
    }

    async fn a_time_is_free_again_once_its_visit_is_moved_or_canceled(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let other = samples::tenant(&f.store).await;
        let [ann, bo] = leads_of(&f.store, &tenant, 1, ["Ann", "Bo"]).await;
        let [cy, _] = leads_of(&f.store, &other, 2, ["Cy", "Di"]).await;
        let (leads, one) = (f.store.leads(), rules(1));
        let [nine, twelve] = [9, 12].map(|hour| booking(&f.store, hour, None));
        let pick = async |id, tenant: &Tenant, of: &Booking, seen: &str, rules: &SelfBooking| {
            leads.book_as_homeowner(tenant, id, picked(of, seen, rules)).await.unwrap()
        };
        let Booked::Done(now) = pick(ann, &tenant, &nine, "", &one).await else { panic!() };
        assert_eq!(pick(bo, &tenant, &nine, "", &one).await, Booked::Overlaps(Vec::new()));
        assert!(matches!(pick(cy, &other, &nine, "", &one).await, Booked::Done(_)), "another company's calendar");
        assert!(pick_fails(leads.book_as_homeowner(&other, bo, picked(&twelve, "", &one)).await), "not their lead");
        let span = (f.store.now(), f.store.now() + Duration::from_secs(3 * 86_400));
        let ann_lead = leads.find(&tenant, ann).await.unwrap().unwrap();
        let bo_lead = leads.find(&tenant, bo).await.unwrap().unwrap();
        assert_eq!(leads.taken_times(&tenant, &bo_lead, span).await.unwrap(), [(now.time.at, now.ends_at())]);
        assert_eq!(leads.taken_times(&tenant, &ann_lead, span).await.unwrap(), [], "one's own is not in the way");

        // A page that is older than the last change does nothing.
        assert_eq!(pick(ann, &tenant, &twelve, "", &one).await, Booked::Changed(Some(now.clone())));
        let Booked::Done(moved) = pick(ann, &tenant, &twelve, &now.mark(), &one).await else { panic!() };
        assert_eq!((moved.id, moved.sequence, moved.state.as_str()), (now.id, 1, "booked"));
        let Booked::Done(of_bo) = pick(bo, &tenant, &nine, "", &one).await else { panic!() };
        leads.cancel_appointment(&tenant, bo, Canceler::Homeowner(None), &of_bo.mark(), TOLD).await.unwrap();
        assert!(matches!(pick(ann, &tenant, &nine, &moved.mark(), &one).await, Booked::Done(_)));
        // As many at once as there may be.
        let canceled = leads.appointment(&tenant, bo).await.unwrap().unwrap();
        assert_eq!(pick(bo, &tenant, &nine, &canceled.mark(), &one).await, Booked::Overlaps(Vec::new()));
        let Booked::Done(again) = pick(bo, &tenant, &nine, &canceled.mark(), &rules(2)).await else { panic!() };
        assert_ne!(again.id, canceled.id, "calendars have dropped the canceled one");
    }

    async fn whose_lead_it_is_goes_where_they_are_free_and_clients_have_calendars_of_their_own(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let [ann, bo] = leads_of(&f.store, &tenant, 1, ["Ann", "Bo"]).await;
        let [cy, _] = leads_of(&f.store, &tenant, 2, ["Cy", "Di"]).await;
        let maya = colleague(&f.store, &tenant, "maya@example.com").await;
        let leads = f.store.leads();
        for id in [ann, bo] {
            leads.take_lead_by(&tenant, id, &maya).await.unwrap();
        }
        let [nine, half] = [9, 10].map(|hour| booking(&f.store, hour, None));
        let two = rules(2);
        let Booked::Done(first) = leads.book_as_homeowner(&tenant, ann, picked(&nine, "", &two)).await.unwrap() else { panic!() };
        assert_eq!((first.person.user, first.person.name.as_str()), (Some(maya.id), "Maya"));
        let Booked::Done(second) = leads.book_as_homeowner(&tenant, bo, picked(&half, "", &two)).await.unwrap() else { panic!() };
        assert_eq!(second.person, Attendant { user: None, name: "Tomas".to_owned() }, "the way from Ann's takes Maya too long");

        let full = leads.book_as_homeowner(&tenant, cy, picked(&nine, "", &two)).await.unwrap();
        assert_eq!(full, Booked::Overlaps(Vec::new()), "one company");
        let of_cy = leads.find(&tenant, cy).await.unwrap().unwrap().widget_id;
        let draft = InviteDraft {
            account: Some(tenant.account),
            role: Role::Member,
            sees: shingle_domain::WidgetScope::only([of_cy]),
            email: None,
            by: None,
            lifetime: Duration::from_secs(3_600),
        };
        let (_, token) = f.store.people().invite(&draft).await.unwrap();
        let email = Email::parse("client@example.com").unwrap();
        f.store.people().accept_invite(&token, &email, &UserName::parse("Client").unwrap()).await.unwrap();
        let own = leads.book_as_homeowner(&tenant, cy, picked(&nine, "", &rules(1))).await.unwrap();
        assert!(matches!(own, Booked::Done(_)), "a client of an agency has other people: {own:?}");
    }
}
