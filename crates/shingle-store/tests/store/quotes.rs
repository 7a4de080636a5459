//! Quotes: their numbers, that one answer of two counts, and what is left of them after an erasure.

use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::LeadStatus;
use shingle_domain::quote::{
    Deposit, Quote, QuoteChoice, QuoteContent, QuoteDefaults, QuoteParties, QuoteStanding, QuoteState,
};
use shingle_domain::{Email, Environment, Language, LeadId, QuoteId, Tenant, Usd};
use shingle_store::{
    EntryKind, MAX_QUOTES, MergeChoice, MergeOutcome, OwnerChange, Person, QuoteOutcome, QuoteReply, QuoteSending,
    QuoteTelling, Store, StoreError, User,
};
use shingle_store_fixture::on_both_engines;
use uuid::Uuid;

use crate::samples;

const DAY: Duration = Duration::from_secs(24 * 3_600);
const TOLD: QuoteTelling = QuoteTelling { homeowner: true, assignee: true };

async fn lead(store: &Store, tenant: &Tenant, name: &str) -> LeadId {
    let widget = match store.widgets().list(tenant).await.unwrap().first() {
        Some(widget) => widget.widget.reference_id,
        None => samples::stored_widget(store, tenant, 1).await,
    };
    store.leads().accept(tenant, widget, &samples::draft(name), name, b"1").await.unwrap().lead.id
}

fn content(prices: &[i64]) -> QuoteContent {
    let choice = |dollars: &i64| QuoteChoice {
        title: format!("For {dollars}"),
        material: "Metal".to_owned(),
        includes: "Tear-off".to_owned(),
        items: Vec::new(),
        price_cents: dollars * 100,
    };
    QuoteContent {
        choices: prices.iter().map(choice).collect(),
        tax: 5_500,
        deposit: Some(Deposit::Percent(30)),
        valid_until: VisitDate::parse("2026-04-09").unwrap(),
        message: "Secretly written".to_owned(),
        terms: "Our terms".to_owned(),
    }
}

fn parties() -> QuoteParties {
    QuoteParties {
        company: "Acme Roofing".to_owned(),
        contact: vec!["(207) 555-0101".to_owned()],
        homeowner: "Ann Sample".to_owned(),
        address: "14 Alder Court".to_owned(),
        language: Language::English,
        sent_on: VisitDate::parse("2026-03-10").unwrap(),
    }
}

fn done(outcome: QuoteOutcome) -> Quote {
    match outcome {
        QuoteOutcome::Done(quote) => *quote,
        other => panic!("{other:?}"),
    }
}

fn id(n: u128) -> QuoteId {
    QuoteId(Uuid::from_u128(n))
}

async fn draft(store: &Store, tenant: &Tenant, lead: LeadId, by: &User, n: u128, replaces: Option<QuoteId>) -> Quote {
    let of = content(&[14_200, 28_000]);
    done(store.leads().save_quote(tenant, lead, by, (id(n), ""), (&of, replaces)).await.unwrap())
}

async fn try_to_send(store: &Store, tenant: &Tenant, by: &User, draft: &Quote) -> QuoteOutcome {
    let parties = parties();
    let sending = QuoteSending { parties: &parties, expires_at: store.now() + DAY * 30, mails: true };
    store.leads().send_quote(tenant, by, (draft.id, &draft.mark()), sending).await.unwrap()
}

async fn sent(store: &Store, tenant: &Tenant, lead: LeadId, by: &User, n: u128, replaces: Option<QuoteId>) -> Quote {
    let draft = draft(store, tenant, lead, by, n, replaces).await;
    done(try_to_send(store, tenant, by, &draft).await)
}

fn accept<'a>(quote: &'a Quote, choice: usize) -> QuoteReply<'a> {
    QuoteReply::Accept { choice, name: "Ann M. Sample", seen: &quote.digest }
}

async fn events(store: &Store, tenant: &Tenant, lead: LeadId) -> Vec<EventKind> {
    let mut all = store.deliveries().list_events(tenant, lead.0).await.unwrap();
    all.sort_by_key(|event| event.sequence);
    all.into_iter().map(|event| event.kind).collect()
}

on_both_engines! {
    async fn numbers_have_no_gaps_and_a_revision_keeps_its_number(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let test = Tenant { environment: Environment::Sandbox, ..tenant };
        let other = samples::tenant(&f.store).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let ann = lead(&f.store, &tenant, "Ann").await;
        let (first, second) = (draft(&f.store, &tenant, ann, &maya, 1, None).await, draft(&f.store, &tenant, ann, &maya, 2, None).await);
        assert_eq!((first.number, first.name()), (None, String::new()));
        // A draft that is thrown away takes no number.
        let third = draft(&f.store, &tenant, ann, &maya, 3, None).await;
        f.store.leads().delete_quote_draft(&tenant, ann, third.id).await.unwrap();
        let (one, two) = tokio::join!(try_to_send(&f.store, &tenant, &maya, &first), try_to_send(&f.store, &tenant, &maya, &second));
        let (one, two) = (done(one), done(two));
        let mut numbers = [one.number.unwrap(), two.number.unwrap()];
        numbers.sort_unstable();
        assert_eq!(numbers, [1_001, 1_002]);
        // Sent twice, it is sent once.
        assert!(matches!(try_to_send(&f.store, &tenant, &maya, &first).await, QuoteOutcome::Changed(Some(now)) if now.number == one.number));
        let revised = sent(&f.store, &tenant, ann, &maya, 4, Some(one.id)).await;
        assert_eq!((revised.number, revised.revision, revised.name()), (one.number, 2, format!("{}-2", one.number.unwrap())));
        let old = f.store.leads().quote(&tenant, one.id).await.unwrap().unwrap();
        assert_eq!((old.state, old.record), (QuoteState::Replaced, one.record.clone()));
        let third = sent(&f.store, &tenant, ann, &maya, 5, Some(revised.id)).await;
        assert_eq!(third.name(), format!("{}-3", one.number.unwrap()));
        assert_eq!(sent(&f.store, &tenant, ann, &maya, 6, None).await.number, Some(1_003));
        // Test data and other companies count for themselves.
        let leo = lead(&f.store, &test, "Leo").await;
        assert_eq!(sent(&f.store, &test, leo, &maya, 7, None).await.number, Some(1_001));
        let stranger = samples::teammate(&f.store, &other, "Stranger").await;
        let eva = lead_of_other(&f.store, &other).await;
        assert_eq!(sent(&f.store, &other, eva, &stranger, 8, None).await.number, Some(1_001));
        // What the next one begins with.
        let defaults = f.store.leads().quote_defaults(tenant.account).await.unwrap();
        assert_eq!(defaults, QuoteDefaults { terms: "Our terms".to_owned(), tax: 5_500, deposit: Some(Deposit::Percent(30)) });
        // Another tenant finds none of them.
        assert_eq!(f.store.leads().quote(&other, one.id).await.unwrap(), None);
        assert_eq!(f.store.leads().quotes(&other, ann).await.unwrap(), []);
        assert!(matches!(f.store.leads().withdraw_quote(&other, &stranger, two.id).await.unwrap(), QuoteOutcome::Changed(None)));
        let answered = f.store.leads().answer_quote(&other, two.id, accept(&two, 0), TOLD).await.unwrap();
        assert_eq!(answered, QuoteOutcome::Changed(None));
        let stolen = f.store.leads().save_quote(&other, eva, &stranger, (two.id, ""), (&content(&[1]), None)).await;
        assert!(stolen.is_err(), "{stolen:?}");
    }

    async fn of_two_answers_one_counts_and_the_lead_is_won(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let ann = lead(&f.store, &tenant, "Ann").await;
        let leads = f.store.leads();
        leads.assign(&tenant, ann, &maya, Some(maya.id), None).await.unwrap();
        let quote = sent(&f.store, &tenant, ann, &maya, 1, None).await;
        assert!(leads.find(&tenant, ann).await.unwrap().unwrap().first_touch_at.is_some(), "somebody has answered");
        // What was shown otherwise is not accepted, and a choice that is not there is none.
        let forged = QuoteReply::Accept { choice: 0, name: "Ann", seen: "0" };
        assert!(matches!(leads.answer_quote(&tenant, quote.id, forged, TOLD).await.unwrap(), QuoteOutcome::Changed(Some(_))));
        assert!(matches!(leads.answer_quote(&tenant, quote.id, accept(&quote, 2), TOLD).await, Err(StoreError::NotFound)));
        let decline = QuoteReply::Decline { reason: "Too much" };
        let (one, two, three) = tokio::join!(
            leads.answer_quote(&tenant, quote.id, accept(&quote, 1), TOLD),
            leads.answer_quote(&tenant, quote.id, accept(&quote, 0), TOLD),
            leads.answer_quote(&tenant, quote.id, decline, TOLD)
        );
        let all = [one.unwrap(), two.unwrap(), three.unwrap()];
        let answered: Vec<_> = all.iter().filter(|outcome| matches!(outcome, QuoteOutcome::Done(_))).collect();
        assert_eq!(answered.len(), 1, "{all:?}");
        let now = leads.quote(&tenant, quote.id).await.unwrap().unwrap();
        assert_eq!(answered[0], &QuoteOutcome::Done(Box::new(now.clone())));
        // Declined, it may be sent again.
        if now.state == QuoteState::Declined {
            assert_eq!(now.answer.unwrap().reason, "Too much");
            return;
        }
        let chosen = now.accepted().unwrap();
        let answer = now.answer.clone().unwrap();
        assert_eq!((answer.name.as_str(), answer.by_company), ("Ann M. Sample", false));
        assert_eq!((now.digest.clone(), now.record.clone()), (quote.digest.clone(), quote.record.clone()), "what was shown stays");
        let lead = leads.find(&tenant, ann).await.unwrap().unwrap();
        assert_eq!(lead.status, LeadStatus::Won);
        assert_eq!(leads.won_value(&tenant, ann).await.unwrap(), Some(Usd::from_cents(chosen.price_cents)));
        let entries = leads.entries(&tenant, ann).await.unwrap();
        let told: Vec<_> = entries.iter().filter(|entry| entry.kind == EntryKind::QuoteAccepted).collect();
        assert_eq!(told.len(), 1);
        assert_eq!((told[0].author.as_str(), told[0].text.clone()), ("", format!("1001\n{}\n{}", chosen.title, chosen.price_cents)));
        let kinds = events(&f.store, &tenant, ann).await;
        assert_eq!(kinds.iter().filter(|kind| **kind == EventKind::QuoteAnswered).count(), 1, "{kinds:?}");
        assert_eq!(kinds.iter().filter(|kind| **kind == EventKind::LeadUpdated).count(), 2, "touched and won: {kinds:?}");
        // The company undoes it by hand, and the quote stays accepted: it is not withdrawn and not replaced.
        let open = OwnerChange { status: Some(LeadStatus::Qualified), ..OwnerChange::default() };
        leads.change_by(&tenant, ann, &open, Some(&maya)).await.unwrap();
        assert!(matches!(leads.withdraw_quote(&tenant, &maya, quote.id).await.unwrap(), QuoteOutcome::Changed(Some(_))));
        let revision = draft(&f.store, &tenant, ann, &maya, 2, Some(quote.id)).await;
        assert!(matches!(try_to_send(&f.store, &tenant, &maya, &revision).await, QuoteOutcome::Changed(Some(now)) if now.state == QuoteState::Accepted));
    }

    async fn what_has_expired_or_is_gone_is_not_accepted_online_and_can_be_entered(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let ann = lead(&f.store, &tenant, "Ann").await;
        let leads = f.store.leads();
        let quote = sent(&f.store, &tenant, ann, &maya, 1, None).await;
        let gone = sent(&f.store, &tenant, ann, &maya, 2, None).await;
        done(leads.withdraw_quote(&tenant, &maya, gone.id).await.unwrap());
        let newer = sent(&f.store, &tenant, ann, &maya, 3, Some(gone.id)).await;
        let declined = sent(&f.store, &tenant, ann, &maya, 4, None).await;
        done(leads.answer_quote(&tenant, declined.id, QuoteReply::Decline { reason: "" }, TOLD).await.unwrap());
        f.clock.advance(DAY * 30);
        for of in [&quote, &gone, &newer, &declined] {
            let answered = leads.answer_quote(&tenant, of.id, accept(of, 0), TOLD).await.unwrap();
            assert!(matches!(answered, QuoteOutcome::Changed(Some(_))), "{answered:?}");
        }
        let standing = async |of: &Quote| leads.quote(&tenant, of.id).await.unwrap().unwrap().standing(f.store.now());
        assert_eq!(standing(&quote).await, QuoteStanding::Expired);
        assert_eq!((standing(&gone).await, standing(&newer).await), (QuoteStanding::Replaced, QuoteStanding::Expired));
        assert_eq!(standing(&declined).await, QuoteStanding::Declined, "time changes nothing that was decided");
        assert_eq!(leads.find(&tenant, ann).await.unwrap().unwrap().status, LeadStatus::New);
        // Two jobs of one homeowner: the lead is worth both.
        let on_paper = |choice| QuoteReply::AcceptedElsewhere { choice, by: &maya };
        let entered = done(leads.answer_quote(&tenant, quote.id, on_paper(0), QuoteTelling::default()).await.unwrap());
        assert!(entered.answer.unwrap().by_company);
        assert_eq!(leads.won_value(&tenant, ann).await.unwrap(), Some(Usd::from_dollars(14_200)));
        done(leads.answer_quote(&tenant, newer.id, on_paper(1), QuoteTelling::default()).await.unwrap());
        assert_eq!(leads.won_value(&tenant, ann).await.unwrap(), Some(Usd::from_dollars(42_200)));
        for of in [&gone, &declined] {
            let entered = leads.answer_quote(&tenant, of.id, on_paper(0), QuoteTelling::default()).await.unwrap();
            assert!(matches!(entered, QuoteOutcome::Changed(Some(_))));
        }
    }

    async fn of_two_who_write_one_draft_the_second_is_told(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let ann = lead(&f.store, &tenant, "Ann").await;
        let leads = f.store.leads();
        let first = draft(&f.store, &tenant, ann, &maya, 1, None).await;
        // The same form twice is one draft; another one is a change of it.
        assert_eq!(draft(&f.store, &tenant, ann, &maya, 1, None).await, first);
        let save = async |prices: &[i64], seen: &str| leads.save_quote(&tenant, ann, &maya, (first.id, seen), (&content(prices), None)).await.unwrap();
        assert!(matches!(save(&[1], "").await, QuoteOutcome::Changed(Some(_))));
        let second = done(save(&[2], &first.mark()).await);
        assert!(matches!(save(&[3], &first.mark()).await, QuoteOutcome::Changed(Some(now)) if *now == second));
        // One that was changed after it was shown is not sent.
        assert!(matches!(try_to_send(&f.store, &tenant, &maya, &first).await, QuoteOutcome::Changed(Some(_))));
        let sent = done(try_to_send(&f.store, &tenant, &maya, &second).await);
        assert_eq!(sent.content().choices.len(), 1);
        assert!(matches!(save(&[4], &second.mark()).await, QuoteOutcome::Changed(Some(now)) if now.state == QuoteState::Sent), "it never changes");
        assert!(leads.delete_quote_draft(&tenant, ann, sent.id).await.is_err());
        for n in 2..=MAX_QUOTES as u128 {
            draft(&f.store, &tenant, ann, &maya, n, None).await;
        }
        let one_more = leads.save_quote(&tenant, ann, &maya, (id(99), ""), (&content(&[1]), None)).await;
        assert!(matches!(one_more, Err(StoreError::TooMany { .. })), "{one_more:?}");
    }

    async fn merged_leads_keep_their_quotes_and_an_erased_lead_keeps_the_amounts_alone(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let maya = samples::teammate(&f.store, &tenant, "Maya").await;
        let (ann, other) = (lead(&f.store, &tenant, "Ann").await, lead(&f.store, &tenant, "Anne").await);
        let leads = f.store.leads();
        let quote = sent(&f.store, &tenant, other, &maya, 1, None).await;
        let marks = {
            let [one, two] = [leads.find(&tenant, ann).await.unwrap().unwrap(), leads.find(&tenant, other).await.unwrap().unwrap()];
            (leads.merge_mark(&tenant, &one).await.unwrap(), leads.merge_mark(&tenant, &two).await.unwrap())
        };
        let merged = leads.merge(&tenant, (ann, other), &maya, (&marks.0, &marks.1), MergeChoice::default()).await.unwrap();
        assert_eq!(merged, MergeOutcome::Done);
        let shown = leads.quotes(&tenant, ann).await.unwrap();
        assert_eq!(shown.iter().map(|of| of.id).collect::<Vec<_>>(), [quote.id]);
        done(leads.answer_quote(&tenant, quote.id, accept(&quote, 0), TOLD).await.unwrap());
        assert_eq!(leads.find(&tenant, ann).await.unwrap().unwrap().status, LeadStatus::Won, "the one that stays");
        assert_eq!(leads.won_value(&tenant, ann).await.unwrap(), Some(Usd::from_dollars(14_200)));
        draft(&f.store, &tenant, ann, &maya, 2, None).await;
        // All that is stored of the person.
        let email = leads.find(&tenant, other).await.unwrap().unwrap().email;
        let person = Person { email: email.clone().or_else(|| Email::parse("x@example.com")), phone: None };
        let records = leads.export_person(&tenant, &person).await.unwrap();
        let quotes: Vec<_> = records.iter().flat_map(|record| &record.quotes).collect();
        let own = quotes.iter().find(|of| of.number.is_some()).unwrap();
        assert_eq!((own.number.as_deref(), own.accepted_by.as_deref()), (Some("1001"), Some("Ann M. Sample")));
        assert_eq!((own.accepted.as_deref(), own.message.as_str()), (Some("For 14200: Metal, 14200.00"), "Secretly written"));

        leads.erase(&tenant, ann).await.unwrap();
        let rows = f.texts("SELECT state || ' ' || COALESCE(number, 0) || ' ' || amounts || ' ' || COALESCE(amount_cents, 0) || ' ' || COALESCE(record, '-') || ' ' || COALESCE(answer, '-') || author FROM quote").await;
        assert_eq!(rows, ["accepted 1001 1420000 2800000 1420000 - -"], "the draft is gone, the amounts stay");
        assert_eq!(leads.quote(&tenant, quote.id).await.unwrap(), None);
        assert_eq!(leads.quote_home(quote.id).await.unwrap(), None);
    }
}

async fn lead_of_other(store: &Store, tenant: &Tenant) -> LeadId {
    let widget = samples::stored_widget(store, tenant, 2).await;
    store.leads().accept(tenant, widget, &samples::draft("Eva"), "Eva", b"1").await.unwrap().lead.id
}
