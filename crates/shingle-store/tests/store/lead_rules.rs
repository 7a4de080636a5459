//! Who gets new leads: decided with the lead, in turn, also for leads that arrive together.

use std::collections::BTreeMap;
use std::time::Duration;

use shingle_domain::lead::LeadStatus;
use shingle_domain::{Email, Phone, Role, UserId, UserName};
use shingle_store::{
    AddedBy, AuditFilter, EntryKind, InviteDraft, LeadDraft, LeadRules, OwnerChange, PlaceRule, SpamReason, StoreError,
    SubmissionOutcome,
};
use shingle_store_fixture::on_both_engines;

use crate::samples;

fn at(name: &str, address: &str) -> LeadDraft {
    LeadDraft { address: address.to_owned(), ..samples::draft(name) }
}

on_both_engines! {
    async fn a_new_lead_goes_to_whom_the_rules_name(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let (ana, ben, cy) = (samples::teammate(&f.store, &tenant, "Ana").await, samples::teammate(&f.store, &tenant, "Ben").await, samples::teammate(&f.store, &tenant, "Cy").await);
        let leads = f.store.leads();
        let send = |draft: LeadDraft| {
            let store = f.store.clone();
            async move { store.leads().accept(&tenant, widget, &draft, &draft.first_name, b"1").await.unwrap() }
        };
        // As before: nobody.
        assert_eq!(send(samples::draft("None")).await.given_to, None);
        let places = vec![PlaceRule { places: vec!["04101".to_owned(), "Saco".to_owned()], to: ana.id }];
        leads.set_rules(tenant.account, &LeadRules { places, in_turn: vec![ben.id, cy.id] }, "").await.unwrap();
        let by_zip = send(at("Zip", "1 Elm St, Portland, ME 04101-2233")).await;
        assert_eq!(by_zip.given_to, Some(ana.id));
        let entries = leads.entries(&tenant, by_zip.lead.id).await.unwrap();
        assert_eq!((entries[0].kind, entries[0].text.as_str()), (EntryKind::GivenByRule, "Ana\n04101"));
        assert_eq!(leads.work(&tenant, by_zip.lead.id).await.unwrap().assignee, Some((ana.id, "Ana".to_owned())));
        assert_eq!(send(at("Town", "1 Elm St, SACO, ME 04072")).await.given_to, Some(ana.id));
        let turns: Vec<_> = [send(samples::draft("A")).await, send(samples::draft("B")).await, send(samples::draft("C")).await].map(|of| of.given_to.unwrap()).into();
        assert_eq!(turns, [ben.id, cy.id, ben.id]);
        // The same request again gives nobody another one.
        let again = send(samples::draft("C")).await;
        assert_eq!((again.outcome, again.given_to), (SubmissionOutcome::Replayed, None));
        // What a program sent and what a teammate adds are nobody's turn.
        let spam = LeadDraft { spam: Some(SpamReason::TooFast), ..samples::draft("Spam") };
        assert_eq!(send(spam).await.given_to, None);
        let added = AddedBy { id: ana.id, name: "Ana".to_owned(), email: ana.email.clone(), from_file: None };
        assert_eq!(send(LeadDraft { added_by: Some(added), ..samples::draft("Hand") }).await.given_to, None);
        // Tests have turns of their own.
        let test = leads.accept_test(&tenant, widget, &samples::draft("T"), "T", b"1").await.unwrap();
        assert_eq!(test.given_to, Some(ben.id));
        assert_eq!(send(samples::draft("D")).await.given_to, Some(cy.id));
        // Who has left is passed over, in a place and in turn. A company keeps an owner.
        let lifetime = Duration::from_secs(3_600);
        let owner = InviteDraft { account: Some(tenant.account), role: Role::Owner, sees: shingle_domain::WidgetScope::All, email: None, by: None, lifetime };
        let (_, token) = f.store.people().invite(&owner).await.unwrap();
        let email = Email::parse("owner@oak.example.com").unwrap();
        f.store.people().accept_invite(&token, &email, &UserName::parse("Olga").unwrap()).await.unwrap();
        f.store.people().remove_user(tenant.account, ana.id).await.unwrap();
        f.store.people().remove_user(tenant.account, ben.id).await.unwrap();
        for name in ["E", "F"] {
            assert_eq!(send(at(name, "1 Elm St, Saco, ME 04072")).await.given_to, Some(cy.id));
        }
        f.store.people().remove_user(tenant.account, cy.id).await.unwrap();
        assert_eq!(send(samples::draft("G")).await.given_to, None);
    }

    async fn leads_that_arrive_together_skip_nobody(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let mut widgets = Vec::new();
        for number in 1..4 {
            widgets.push(samples::stored_widget(&f.store, &tenant, number).await);
        }
        let mut people = Vec::new();
        for name in ["Ana", "Ben", "Cy"] {
            people.push(samples::teammate(&f.store, &tenant, name).await.id);
        }
        f.store.leads().set_rules(tenant.account, &LeadRules { places: Vec::new(), in_turn: people.clone() }, "").await.unwrap();
        let sent: Vec<_> = (0..30)
            .map(|n| {
                let (store, widget) = (f.store.clone(), widgets[n % 3]);
                tokio::spawn(async move {
                    let draft = at(&format!("N{n}"), &format!("{n} Elm St, Saco, ME 04072"));
                    store.leads().accept(&tenant, widget, &draft, &format!("k{n}"), b"1").await.unwrap().given_to
                })
            })
            .collect();
        let mut counts: BTreeMap<Option<UserId>, usize> = BTreeMap::new();
        for one in sent {
            *counts.entry(one.await.unwrap()).or_default() += 1;
        }
        assert_eq!(counts.len(), 3, "{counts:?}");
        assert!(people.iter().all(|person| counts[&Some(*person)] == 10), "{counts:?}");
    }

    async fn of_two_who_set_the_rules_one_is_told(f: Fixture) {
        let (tenant, other) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let ana = samples::teammate(&f.store, &tenant, "Ana").await;
        let leads = f.store.leads();
        let rules = LeadRules { places: Vec::new(), in_turn: vec![ana.id] };
        leads.set_rules(tenant.account, &rules, "").await.unwrap();
        let mark = leads.rules(tenant.account).await.unwrap().mark;
        leads.set_rules(tenant.account, &rules, "").await.unwrap();
        assert!(matches!(leads.set_rules(tenant.account, &LeadRules::default(), "").await, Err(StoreError::Outdated)));
        assert_eq!(leads.rules(tenant.account).await.unwrap().rules, rules);
        leads.set_rules(tenant.account, &LeadRules::default(), &mark).await.unwrap();
        assert!(matches!(leads.set_rules(tenant.account, &rules, &mark).await, Err(StoreError::Outdated)));
        assert_eq!(leads.rules(other.account).await.unwrap().mark, "");
        let log = f.store.audit().log(tenant.account, &AuditFilter::default(), 100).await.unwrap();
        let set = log.iter().filter(|entry| entry.what.is_some_and(|what| what.as_str() == "leadRules.set")).count();
        assert_eq!(set, 2, "the same once more is no change");
    }

    async fn a_second_lead_of_a_homeowner_and_one_out_of_spam_meet_the_rules(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let (ana, ben) = (samples::teammate(&f.store, &tenant, "Ana").await, samples::teammate(&f.store, &tenant, "Ben").await);
        let leads = f.store.leads();
        let send = |name: &'static str, phone: &'static str, spam: Option<SpamReason>| {
            let draft = LeadDraft { email: None, phone: Phone::parse(phone), spam, ..samples::draft(name) };
            let store = f.store.clone();
            async move { store.leads().accept(&tenant, widget, &draft, name, b"1").await.unwrap() }
        };
        leads.set_rules(tenant.account, &LeadRules { places: Vec::new(), in_turn: vec![ana.id, ben.id] }, "").await.unwrap();
        let first = send("A", "(207) 555-0141", None).await;
        assert_eq!(first.given_to, Some(ana.id));
        f.clock.advance(Duration::from_secs(60));
        // The same number: not Ben's turn, and it stays his.
        let second = send("Again", "(207) 555-0141", None).await;
        assert_eq!(second.given_to, Some(ana.id));
        let entries = leads.entries(&tenant, second.lead.id).await.unwrap();
        assert_eq!((entries[0].kind, entries[0].text.as_str()), (EntryKind::GivenByRule, "Ana\n"));
        assert_eq!(send("B", "(207) 555-0142", None).await.given_to, Some(ben.id));
        // Out of spam: told who got it, once.
        let spam = send("S", "(207) 555-0143", Some(SpamReason::TooFast)).await;
        assert_eq!(spam.given_to, None);
        let set = |status| OwnerChange { status: Some(status), ..OwnerChange::default() };
        let (lead, to) = leads.change_given(&tenant, spam.lead.id, &set(LeadStatus::New), Some(&ben)).await.unwrap();
        assert_eq!((lead.status, to), (LeadStatus::New, Some(ana.id)));
        assert_eq!(leads.work(&tenant, spam.lead.id).await.unwrap().assignee.map(|(id, _)| id), Some(ana.id));
        leads.change_given(&tenant, spam.lead.id, &set(LeadStatus::Spam), Some(&ben)).await.unwrap();
        let (_, again) = leads.change_given(&tenant, spam.lead.id, &set(LeadStatus::New), Some(&ben)).await.unwrap();
        assert_eq!(again, None, "it is somebody's");
        // Lost or won at once: nobody's turn.
        for (name, phone, status) in [("T", "(207) 555-0144", LeadStatus::Lost), ("U", "(207) 555-0145", LeadStatus::Won)] {
            let spam = send(name, phone, Some(SpamReason::TooFast)).await.lead.id;
            assert_eq!(leads.change_given(&tenant, spam, &set(status), Some(&ben)).await.unwrap().1, None, "{name}");
            assert_eq!(leads.work(&tenant, spam).await.unwrap().assignee, None, "{name}");
        }
        // Where the first ones are finished, the turn goes on.
        for id in [first.lead.id, second.lead.id] {
            leads.change(&tenant, id, &set(LeadStatus::Lost)).await.unwrap();
        }
        assert_eq!(send("Third", "(207) 555-0141", None).await.given_to, Some(ben.id));
        // Rules that were cleared give nobody the next one of this homeowner either.
        let mark = leads.rules(tenant.account).await.unwrap().mark;
        leads.set_rules(tenant.account, &LeadRules::default(), &mark).await.unwrap();
        f.clock.advance(Duration::from_secs(60));
        let next = send("Fourth", "(207) 555-0141", None).await;
        assert_eq!(next.given_to, None);
        assert_eq!(leads.work(&tenant, next.lead.id).await.unwrap().assignee, None);
    }
}
