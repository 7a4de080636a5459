//! Emails to homeowners and what comes back: each is sent once, stored once, and on the lead that stays.

use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::{Email, EntryId, LeadId, Tenant};
use shingle_store::{
    Answer, AnswerKind, AnswerOutcome, AnsweredEmail, Contact, DeliveryState, EmailChange, EntryKind, LeadEntry,
    MAX_ANSWERS_A_DAY, MergeChoice, MergeOutcome, Sender, Store, StoreError, User,
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

async fn of_kind(store: &Store, tenant: &Tenant, lead: LeadId, kind: EntryKind) -> Vec<LeadEntry> {
    let mut entries = store.leads().entries(tenant, lead).await.unwrap();
    entries.retain(|entry| entry.kind == kind);
    entries
}

/// A lead to whom Maya has written.
async fn written(store: &Store, tenant: &Tenant) -> (LeadId, User, EntryId) {
    let maya = samples::teammate(store, tenant, "Maya").await;
    let ann = lead(store, tenant, "Ann").await;
    store.leads().send_reply(tenant, ann, &maya, "Your roof\nHi Ann,\nThursday?").await.unwrap();
    let sent = of_kind(store, tenant, ann, EntryKind::EmailSent).await;
    (ann, maya, sent[0].id)
}

fn answer<'a>(to: EntryId, name: &'a str, kind: AnswerKind<'a>, text: &'a str) -> Answer<'a> {
    Answer { to, name, kind, text }
}

async fn count(store: &Store, tenant: &Tenant, lead: LeadId, kind: EventKind) -> usize {
    let all = store.deliveries().list_of(tenant, lead.0).await.unwrap();
    all.iter().filter(|of| of.kind == kind).count()
}

on_both_engines! {
    async fn an_email_is_an_entry_and_a_delivery_and_a_second_click_is_neither(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (ann, maya, _) = written(&f.store, &tenant).await;
        f.store.leads().send_reply(&tenant, ann, &maya, "Your roof\nHi Ann,\nThursday?").await.unwrap();
        let sent = of_kind(&f.store, &tenant, ann, EntryKind::EmailSent).await;
        let all = f.store.deliveries().list_of(&tenant, ann.0).await.unwrap();
        let mail: Vec<_> = all.iter().filter(|of| of.kind == EventKind::ReplySent).collect();
        assert_eq!((sent.len(), mail.len(), mail[0].state), (1, 1, DeliveryState::Pending));
        let (event, rest) = sent[0].text.split_once(' ').unwrap();
        assert_eq!((event, sent[0].author_id), (mail[0].event.to_string().as_str(), Some(maya.id)));
        assert_eq!(rest.split_once('\n').unwrap().1, "Your roof\nHi Ann,\nThursday?");
        assert!(f.store.leads().find(&tenant, ann).await.unwrap().unwrap().first_touch_at.is_some());
        assert_eq!(f.number("SELECT COUNT(*) FROM audit_entry WHERE what = 'reply.sent'").await, 1);
        let texts = f.texts("SELECT text FROM lead_entry").await;
        assert!(texts.iter().all(|text| text.starts_with('~')), "{texts:?}");
        // The same words a while later are another email.
        f.clock.advance(Duration::from_secs(601));
        f.store.leads().send_reply(&tenant, ann, &maya, "Your roof\nHi Ann,\nThursday?").await.unwrap();
        assert_eq!(of_kind(&f.store, &tenant, ann, EntryKind::EmailSent).await.len(), 2);
        let other = samples::tenant(&f.store).await;
        let refused = f.store.leads().send_reply(&other, ann, &maya, "a\nb").await;
        assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");
        f.store.leads().erase(&tenant, ann).await.unwrap();
        let refused = f.store.leads().send_reply(&tenant, ann, &maya, "a\nb").await;
        assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");
    }

    async fn an_answer_is_stored_once_and_told_to_the_one_who_wrote(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (ann, _, sent) = written(&f.store, &tenant).await;
        let leads = f.store.leads();
        let email = AnsweredEmail { message_id: "1@a.example", from: "ann@a.example", subject: "Re", attachments: "", body: "Yes\nplease" };
        let text = email.written();
        assert_eq!(AnsweredEmail::read(&text), Some(email));
        let came = answer(sent, "1@a.example", AnswerKind::Written, &text);
        let updates = count(&f.store, &tenant, ann, EventKind::LeadUpdated).await;
        // Two nodes get the same email.
        let (one, other) = tokio::join!(leads.keep_answer(&came, true), leads.keep_answer(&came, true));
        let mut both = [one.unwrap(), other.unwrap()];
        both.sort_by_key(|outcome| *outcome == AnswerOutcome::Known);
        assert_eq!(both, [AnswerOutcome::Stored, AnswerOutcome::Known]);
        let stored = of_kind(&f.store, &tenant, ann, EntryKind::Answered).await;
        assert_eq!((stored.len(), stored[0].text.as_str(), stored[0].author.as_str()), (1, text.as_str(), ""));
        assert_eq!(count(&f.store, &tenant, ann, EventKind::ReplyAnswered).await, 2, "the company's mailbox, and Maya");
        assert_eq!(count(&f.store, &tenant, ann, EventKind::LeadUpdated).await, updates, "no webhook is there");
        // A machine's answer disturbs nobody.
        let machine = answer(sent, "2@a.example", AnswerKind::ByMachine, &text);
        assert_eq!(leads.keep_answer(&machine, true).await.unwrap(), AnswerOutcome::Stored);
        assert_eq!(count(&f.store, &tenant, ann, EventKind::ReplyAnswered).await, 2);
        for unknown in [EntryId(uuid::Uuid::nil()), stored[0].id] {
            let came = answer(unknown, "3@a.example", AnswerKind::Written, &text);
            assert_eq!(leads.keep_answer(&came, true).await.unwrap(), AnswerOutcome::Unknown, "an answer is no email of ours");
        }
        leads.erase(&tenant, ann).await.unwrap();
        let late = answer(sent, "4@a.example", AnswerKind::Written, &text);
        assert_eq!(leads.keep_answer(&late, true).await.unwrap(), AnswerOutcome::Unknown);
        assert_eq!(f.number("SELECT COUNT(*) FROM lead_answer").await, 0);
    }

    async fn two_machines_that_write_to_each_other_stop(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (ann, _, sent) = written(&f.store, &tenant).await;
        for number in 0..MAX_ANSWERS_A_DAY {
            let name = number.to_string();
            let came = answer(sent, &name, AnswerKind::ByMachine, "\n\n\n\nAway");
            assert_eq!(f.store.leads().keep_answer(&came, true).await.unwrap(), AnswerOutcome::Stored);
        }
        let more = answer(sent, "more", AnswerKind::ByMachine, "\n\n\n\nAway");
        assert_eq!(f.store.leads().keep_answer(&more, true).await.unwrap(), AnswerOutcome::TooMany);
        f.clock.advance(Duration::from_secs(24 * 3_600 + 1));
        assert_eq!(f.store.leads().keep_answer(&more, true).await.unwrap(), AnswerOutcome::Stored);
        let all = of_kind(&f.store, &tenant, ann, EntryKind::AnsweredByMachine).await;
        assert_eq!(all.len() as i64, MAX_ANSWERS_A_DAY + 1);
    }

    async fn a_bounce_for_good_marks_the_lead_and_another_does_not(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (ann, _, sent) = written(&f.store, &tenant).await;
        let leads = f.store.leads();
        let email = leads.find(&tenant, ann).await.unwrap().unwrap().email.unwrap();
        let full = answer(sent, "1", AnswerKind::Bounce { for_good: false, of: Some(&email) }, "552 Mailbox full");
        leads.keep_answer(&full, true).await.unwrap();
        assert_eq!(leads.find(&tenant, ann).await.unwrap().unwrap().email_problem, None);
        let stranger = Email::parse("bob@example.com").unwrap();
        let forged = answer(sent, "3", AnswerKind::Bounce { for_good: true, of: Some(&stranger) }, "5.1.1");
        leads.keep_answer(&forged, true).await.unwrap();
        let unnamed = answer(sent, "4", AnswerKind::Bounce { for_good: true, of: None }, "5.1.1");
        leads.keep_answer(&unnamed, true).await.unwrap();
        assert_eq!(leads.find(&tenant, ann).await.unwrap().unwrap().email_problem, None, "it is about nobody we wrote to");
        let gone = answer(sent, "2", AnswerKind::Bounce { for_good: true, of: Some(&email) }, "550 No such user");
        leads.keep_answer(&gone, true).await.unwrap();
        let problem = leads.find(&tenant, ann).await.unwrap().unwrap().email_problem;
        assert_eq!(problem.as_deref(), Some("550 No such user"));
        let bounces = of_kind(&f.store, &tenant, ann, EntryKind::Bounced).await;
        assert_eq!(bounces[0].text, format!("{sent}\n550 No such user"));
        assert_eq!(count(&f.store, &tenant, ann, EventKind::MailRefused).await, 1);
    }

    async fn who_wants_no_more_emails_is_known_until_they_do_again_and_to_this_company_alone(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (ann, _, sent) = written(&f.store, &tenant).await;
        let leads = f.store.leads();
        let email = leads.find(&tenant, ann).await.unwrap().unwrap().email.unwrap();
        let upper = Email::parse(&email.as_str().to_uppercase()).unwrap();
        for (name, kind, is_stopped, entries) in [
            ("1", AnswerKind::Stop, true, 1),
            ("2", AnswerKind::Stop, true, 1),
            ("3", AnswerKind::Resume, false, 1),
            ("4", AnswerKind::Stop, true, 2),
        ] {
            assert_eq!(leads.keep_answer(&answer(sent, name, kind, ""), true).await.unwrap(), AnswerOutcome::Stored);
            assert_eq!(leads.is_stopped(tenant.account, Contact::Email(&upper)).await.unwrap(), is_stopped, "{name}");
            let told = of_kind(&f.store, &tenant, ann, EntryKind::EmailsStopped).await;
            assert_eq!(told.len(), entries, "{name}");
        }
        let other = samples::tenant(&f.store).await;
        assert!(!leads.is_stopped(other.account, Contact::Email(&email)).await.unwrap());
        let contacts = f.texts("SELECT contact FROM contact_stop").await;
        assert!(contacts.len() == 1 && !contacts[0].contains('@'), "{contacts:?}");
        // It stays known after the lead is erased.
        leads.erase(&tenant, ann).await.unwrap();
        assert!(leads.is_stopped(tenant.account, Contact::Email(&email)).await.unwrap());
    }

    async fn an_answer_to_a_lead_that_was_merged_is_with_the_one_that_stays(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (ann, maya, sent) = written(&f.store, &tenant).await;
        let stays = lead(&f.store, &tenant, "Bea").await;
        let mut marks = Vec::new();
        for id in [stays, ann] {
            let lead = f.store.leads().find(&tenant, id).await.unwrap().unwrap();
            marks.push(f.store.leads().merge_mark(&tenant, &lead).await.unwrap());
        }
        let merged = f.store.leads().merge(&tenant, (stays, ann), &maya, (&marks[0], &marks[1]), MergeChoice::default());
        assert_eq!(merged.await.unwrap(), MergeOutcome::Done);
        let came = answer(sent, "1", AnswerKind::Written, "1\n\n\n\nYes");
        assert_eq!(f.store.leads().keep_answer(&came, false).await.unwrap(), AnswerOutcome::Stored);
        assert_eq!(of_kind(&f.store, &tenant, stays, EntryKind::Answered).await.len(), 1);
        let refused = f.store.leads().send_reply(&tenant, ann, &maya, "a\nb").await;
        assert!(matches!(refused, Err(StoreError::Merged)), "{refused:?}");
    }

    async fn nothing_is_stored_for_a_closed_company_and_all_of_it_goes_with_the_account(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (_, _, sent) = written(&f.store, &tenant).await;
        f.store.leads().keep_answer(&answer(sent, "1", AnswerKind::Stop, ""), false).await.unwrap();
        let sender = Sender { name: "Oak".into(), email: Email::parse("hello@oak.example").unwrap() };
        f.store.accounts().ask_for_sender(tenant.account, &sender).await.unwrap();
        f.store.accounts().close(tenant.account).await.unwrap();
        let late = answer(sent, "2", AnswerKind::Written, "2\n\n\n\nYes");
        assert_eq!(f.store.leads().keep_answer(&late, false).await.unwrap(), AnswerOutcome::Unknown);
        f.clock.advance(Duration::from_secs(8 * 24 * 3_600));
        while !f.store.accounts().erase(tenant.account).await.unwrap() {}
        for table in ["SELECT COUNT(*) FROM lead_answer", "SELECT COUNT(*) FROM contact_stop", "SELECT COUNT(*) FROM company_sender"] {
            assert_eq!(f.number(table).await, 0, "{table}");
        }
    }

    async fn a_sender_counts_once_its_code_is_typed(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (accounts, account) = (f.store.accounts(), tenant.account);
        let sender = Sender { name: "Oak Roofing".into(), email: Email::parse("Hello@oak.example").unwrap() };
        assert_eq!(accounts.confirm_sender(account, "000000").await.unwrap(), EmailChange::Ended);
        let code = accounts.ask_for_sender(account, &sender).await.unwrap();
        assert_eq!((accounts.sender(account).await.unwrap(), accounts.asked_sender(account).await.unwrap()), (None, Some(sender.clone())));
        let wrong = if code == "000000" { "000001" } else { "000000" };
        assert_eq!(accounts.confirm_sender(account, wrong).await.unwrap(), EmailChange::Wrong);
        let spaced = format!("{} {}", &code[..3], &code[3..]);
        assert_eq!(accounts.confirm_sender(account, &spaced).await.unwrap(), EmailChange::Done);
        assert_eq!((accounts.sender(account).await.unwrap(), accounts.asked_sender(account).await.unwrap()), (Some(sender.clone()), None));
        assert_eq!(accounts.confirm_sender(account, &code).await.unwrap(), EmailChange::Ended, "once");
        // Another one does not count before its own code; the first stays.
        let other = Sender { name: String::new(), email: Email::parse("other@oak.example").unwrap() };
        let code = accounts.ask_for_sender(account, &other).await.unwrap();
        f.clock.advance(Duration::from_secs(15 * 60));
        assert_eq!(accounts.confirm_sender(account, &code).await.unwrap(), EmailChange::Ended, "too late");
        let code = accounts.ask_for_sender(account, &other).await.unwrap();
        for _ in 0..5 {
            accounts.confirm_sender(account, "x").await.unwrap();
        }
        assert_eq!(accounts.confirm_sender(account, &code).await.unwrap(), EmailChange::Ended, "wrong five times");
        assert_eq!(accounts.sender(account).await.unwrap(), Some(sender));
        accounts.rename_sender(account, "Oak").await.unwrap();
        assert_eq!(accounts.sender(account).await.unwrap().unwrap().name, "Oak");
        accounts.remove_sender(account).await.unwrap();
        assert_eq!(accounts.sender(account).await.unwrap(), None);
        assert_eq!(f.number("SELECT COUNT(*) FROM audit_entry WHERE what = 'sender.set'").await, 3);
    }
}
