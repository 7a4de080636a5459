//! Leads are found by what is known of the person.

use std::time::Duration;

use shingle_domain::lead::LeadStatus;
use shingle_domain::{Email, Environment, LeadId, Phone, Tenant, WidgetId};
use shingle_store::{LeadDraft, LeadFilter, LeadQuery, OwnerChange, Person, Store};
use shingle_store_fixture::on_both_engines;

use crate::samples;

fn draft(name: (&str, &str), email: &str, phone: Option<&str>, address: &str) -> LeadDraft {
    LeadDraft {
        first_name: name.0.to_owned(),
        last_name: name.1.to_owned(),
        email: Email::parse(email),
        phone: phone.map(|phone| Phone::parse_loosely(phone).unwrap()),
        address: address.to_owned(),
        ..samples::draft("x")
    }
}

/// Tokens that leads of two accounts or environments have.
const SHARED_TOKENS: &str = "SELECT COUNT(*) FROM lead_token AS a JOIN lead_facet AS of_a ON of_a.number = a.lead
    JOIN lead_token AS b ON a.token = b.token JOIN lead_facet AS of_b ON of_b.number = b.lead
   WHERE of_a.account_id <> of_b.account_id OR of_a.environment <> of_b.environment";

async fn send(store: &Store, tenant: &Tenant, widget: WidgetId, draft: &LeadDraft) -> LeadId {
    let key = format!("{:?} {}", draft.email, draft.address);
    store.leads().accept(tenant, widget, draft, &key, key.as_bytes()).await.unwrap().lead.id
}

async fn found(store: &Store, tenant: &Tenant, text: &str) -> Vec<LeadId> {
    let page = store.leads().search(tenant, &LeadFilter::default(), text, None, 10).await.unwrap();
    page.leads.into_iter().map(|lead| lead.id).collect()
}

on_both_engines! {
    async fn a_lead_is_found_by_name_street_address_and_number(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let zoe = draft(("Zoë", "Quizzelthorn-Smith"), "Zoe.Q@Example.com", Some("207 555 0143"), "14 Alder Court, Portland, ME 04103");
        let zoe = send(&f.store, &tenant, widget, &zoe).await;
        f.clock.advance(Duration::from_secs(60));
        let bo = draft(("Bo", "Alderman"), "bo@example.com", None, "9 Smith Street, Portland, ME 04103");
        let bo = send(&f.store, &tenant, widget, &bo).await;
        let cases: [(&str, &[LeadId]); 20] = [
            ("zoe", &[zoe]),
            ("ZOË", &[zoe]),
            ("quizzel", &[zoe]),
            ("quizzelthorn smith", &[zoe]),
            ("smith", &[bo, zoe]),
            ("smith 14", &[zoe]),
            ("alder", &[bo, zoe]),
            ("alder court", &[zoe]),
            ("alderman court", &[]),
            ("zoe.q@example.com", &[zoe]),
            ("(207) 555-0143", &[zoe]),
            ("+12075550143", &[zoe]),
            ("555-0143", &[zoe]),
            ("0143", &[zoe]),
            ("555-0144", &[]),
            ("04103", &[bo, zoe]),
            ("bo", &[bo]),
            ("al", &[]),
            ("", &[]),
            ("'; DROP TABLE lead; --", &[]),
        ];
        for (text, leads) in cases {
            assert_eq!(found(&f.store, &tenant, text).await, leads, "{text}");
        }
        let other = samples::tenant(&f.store).await;
        let sandbox = Tenant { environment: Environment::Sandbox, ..tenant };
        for stranger in [other, sandbox] {
            assert_eq!(found(&f.store, &stranger, "zoe").await, []);
        }
        // The hashes of one account say nothing of another's.
        let theirs = samples::stored_widget(&f.store, &other, 2).await;
        send(&f.store, &other, theirs, &draft(("Zoë", "Quizzelthorn-Smith"), "z@example.com", None, "1 Elm Road")).await;
        assert_eq!(found(&f.store, &other, "zoe").await.len(), 1);
        assert_eq!(f.number(SHARED_TOKENS).await, 0);
    }

    async fn a_token_that_two_companies_share_shows_neither_the_others_leads(f: Fixture) {
        let (own, other) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        let zoe = draft(("Zoë", "Quizzelthorn"), "zoe@example.com", Some("2075550143"), "14 Alder Court");
        let mut leads = Vec::new();
        for (number, tenant) in [(1, &own), (2, &other)] {
            let widget = samples::stored_widget(&f.store, tenant, number).await;
            leads.push(send(&f.store, tenant, widget, &zoe).await);
        }
        f.store.leads().index_leads().await.unwrap();
        assert_eq!(f.number(SHARED_TOKENS).await, 0);
        // As if the hashes of all words met.
        f.run("INSERT INTO lead_token (token, created_at, lead) SELECT t.token, t.created_at, other.number
                 FROM lead_token AS t JOIN lead_facet AS other ON other.number <> t.lead").await;
        assert!(f.number(SHARED_TOKENS).await > 20);
        let person = Person { email: Email::parse("zoe@example.com"), phone: Phone::parse_loosely("2075550143") };
        for (tenant, lead) in [(&own, leads[0]), (&other, leads[1])] {
            for words in ["zoe", "quizzel alder", "0143", "zoe@example.com", "zoe quizzelthorn alder court"] {
                assert_eq!(found(&f.store, tenant, words).await, [lead], "{words}");
                let query = LeadQuery { search: words.to_owned(), ..LeadQuery::default() };
                let (listed, total) = f.store.leads().list_ids(tenant, &query, 10).await.unwrap();
                assert_eq!((listed, total), (vec![lead], Some(1)), "{words}");
            }
            assert_eq!(f.store.leads().of_person(tenant, &person).await.unwrap(), [lead]);
        }
    }

    async fn a_changed_lead_is_found_as_it_is_now_and_an_erased_one_not_at_all(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let first = draft(("Ann", "Sample"), "ann@example.com", None, "14 Alder Court");
        let id = send(&f.store, &tenant, widget, &first).await;
        assert_eq!(found(&f.store, &tenant, "ann").await, [id]);
        let second = LeadDraft { changes: Some(id), ..draft(("Anna", "Sampler"), "ann@example.com", Some("2075550143"), "14 Alder Court") };
        f.store.leads().accept(&tenant, widget, &second, "again", b"again").await.unwrap();
        assert_eq!(found(&f.store, &tenant, "sampler 0143").await, [id]);
        assert_eq!(found(&f.store, &tenant, "sample@").await, []);
        f.store.leads().erase(&tenant, id).await.unwrap();
        assert_eq!(found(&f.store, &tenant, "sampler").await, []);
        assert_eq!(f.number("SELECT COUNT(*) FROM lead_token").await, 0);
        assert_eq!(f.store.leads().index_leads().await.unwrap(), 0);
    }

    async fn what_is_found_is_filtered_and_paged(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let mut ids = Vec::new();
        for number in 0..7 {
            f.clock.advance(Duration::from_secs(60));
            let lead = draft(("Ann", "Sample"), &format!("ann{number}@example.com"), None, &format!("{number} Alder Court"));
            ids.push(send(&f.store, &tenant, widget, &lead).await);
        }
        ids.reverse();
        assert_eq!(f.store.leads().index_leads().await.unwrap(), 7);
        let mut read = Vec::new();
        let mut after = None;
        loop {
            let page = f.store.leads().search(&tenant, &LeadFilter::default(), "sample ann", after, 3).await.unwrap();
            read.extend(page.leads.iter().map(|lead| lead.id));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(read, ids);
        let won = OwnerChange { status: Some(LeadStatus::Won), ..OwnerChange::default() };
        f.store.leads().change(&tenant, ids[2], &won).await.unwrap();
        let filter = LeadFilter { status: Some(LeadStatus::Won), ..LeadFilter::default() };
        let page = f.store.leads().search(&tenant, &filter, "alder", None, 3).await.unwrap();
        assert_eq!(page.leads.iter().map(|lead| lead.id).collect::<Vec<_>>(), [ids[2]]);
    }
}
