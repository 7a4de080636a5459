//! Inspections with a time: whose they are, who gets one of two that are booked at once, and that they end with their lead.

use std::time::Duration;

use shingle_domain::appointment::{Attendant, LocalMoment};
use shingle_domain::event::EventKind;
use shingle_domain::inspection::VisitDate;
use shingle_domain::notice::TimeOfDay;
use shingle_domain::rules::Booking;
use shingle_domain::{Email, LeadId, Role, Tenant, UserName};
use shingle_store::{Booked, BookingOrder, Canceler, InviteDraft, Store, Telling, User};
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

fn order<'a>(booking: &'a Booking, seen: &'a str) -> BookingOrder<'a> {
    BookingOrder { booking, seen, allowed: &[], telling: TOLD }
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
}
