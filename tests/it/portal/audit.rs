//! Who changed what: written with each change, read by owners and operators.

use std::time::Duration;

use reqwest::Method;
use shingle_domain::{Environment, Role, Tenant, Usd};
use shingle_store::{AUDIT_KEPT, Actor, AuditFilter, Change, acting};
use shingle_store_fixture::on_both_engines;

use super::{signed_in, user};
use crate::support::{TestApp, fetch};

/// Newest first, and the next change is a later one.
async fn log(app: &TestApp) -> Vec<(Actor, Change, String)> {
    let entries = app.store.audit().log(app.account, &AuditFilter::default(), 100).await.unwrap();
    app.clock.advance(Duration::from_secs(1));
    entries.into_iter().map(|entry| (entry.actor, entry.what.unwrap(), entry.detail)).collect()
}

on_both_engines! {
    async fn a_change_is_logged_with_its_author(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        assert!(!log(&app).await.is_empty());
        browser.open("/portal/people").await;
        browser.submit_to("/portal/people/invites", &[("email", "tomas@oak.example.com"), ("role", "member")]).await;
        assert_eq!(log(&app).await[0], (Actor::User(owner.id), Change::UserInvited, "member".to_owned()));
        browser.press("Withdraw").await;
        assert_eq!(log(&app).await[0].1, Change::InviteEnded);

        // By a key of the API, which is named.
        app.widget().await;
        let made = log(&app).await;
        assert_eq!((&made[0].0, made[0].1), (&Actor::Key(app.sandbox.id.clone()), Change::WidgetCreated));

        // A download takes the leads out of the portal.
        let csv = app.get("/portal/leads.csv?data=sandbox").header("cookie", browser.cookies());
        assert_eq!(fetch(csv).await.status(), 200);
        assert_eq!(log(&app).await[0], (Actor::User(owner.id), Change::LeadsDownloaded, "sandbox 0".to_owned()));

        // On the command line.
        let id = app.account;
        acting(Actor::CommandLine, app.store.accounts().set_limit(id, Some(2_000))).await.unwrap();
        app.clock.advance(Duration::from_secs(1));
        acting(Actor::CommandLine, app.store.accounts().set_limit(id, Some(5_000))).await.unwrap();
        assert_eq!(log(&app).await[0], (Actor::CommandLine, Change::AccountLimited, "2000 → 5000".to_owned()));

        // By nobody: the server.
        app.store.accounts().set_retention(id, Some(90)).await.unwrap();
        assert_eq!(log(&app).await[0], (Actor::Server, Change::RetentionSet, "90".to_owned()));

        // What does not happen is not written.
        let before = log(&app).await.len();
        assert!(app.store.accounts().credit(id, Usd::from_cents(-5)).await.is_err());
        let unknown = Tenant { account: id, environment: Environment::Production };
        assert!(app.store.leads().erase(&unknown, "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a".parse().unwrap()).await.is_err());
        assert!(app.store.people().remove_user(id, owner.id).await.is_err(), "the last owner");
        assert_eq!(log(&app).await.len(), before);
    }

    async fn the_log_names_nobody_by_itself(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/people").await;
        browser.submit_to("/portal/people/invites", &[("email", "tomas@oak.example.com"), ("role", "member")]).await;
        browser.open("/portal/settings").await;
        browser.submit_to("/portal/settings/name", &[("name", "=cmd|' /C calc'!A0")]).await;
        for entry in app.store.audit().log(app.account, &AuditFilter::default(), 100).await.unwrap() {
            let kept = format!("{:?} {:?} {}", entry.actor, entry.target, entry.detail);
            assert!(!kept.contains("tomas") && !kept.contains("Maya") && !kept.contains("cmd"), "{kept}");
        }
        // The name is that of now, in a file that runs nothing.
        let file = fetch(app.get("/portal/audit.csv").header("cookie", browser.cookies())).await.text().await.unwrap();
        assert!(file.contains("'=cmd|") && !file.contains(",=cmd"), "{file}");
        browser.open("/portal/audit").await;
        browser.shows(200, "changed their name");
    }

    async fn it_is_filtered_by_who_what_and_day_and_read_page_by_page(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let browser = signed_in(&app, &owner).await;
        for n in 0..120 {
            app.store.accounts().set_retention(app.account, Some(100 + n)).await.unwrap();
            app.clock.advance(Duration::from_secs(1));
        }
        let open = async |query: &str| {
            let path = format!("/portal/audit{query}");
            fetch(app.get(&path).header("cookie", browser.cookies())).await.text().await.unwrap()
        };
        let first = open("?what=retention.set").await;
        assert_eq!(first.matches("<span>changed how long we keep leads: ").count(), 50);
        let older = |page: &str| {
            let from = page.split("href=\"/portal/audit?").skip(1).map(|rest| rest.split('"').next().unwrap());
            from.filter(|query| query.contains("after=")).map(|query| format!("?{}", query.replace("&amp;", "&"))).next()
        };
        let (mut page, mut seen, mut pages) = (first, std::collections::BTreeSet::new(), 0);
        loop {
            for part in page.split("how long we keep leads: ").skip(1) {
                assert!(seen.insert(part.split('<').next().unwrap().to_owned()), "twice");
            }
            pages += 1;
            let Some(next) = older(&page) else { break };
            page = open(&next).await;
        }
        assert_eq!((seen.len(), pages), (120, 3));
        assert!(open("?what=user.joined").await.contains("<span>joined: Maya Lindqvist, owner"));
        assert!(!open(&format!("?who=user.{}", owner.id)).await.contains("<span>joined"), "the server made them, in this test");
        assert!(open("?from=2999-01-01").await.contains("No changes in this period"));
        for hostile in ["?after=x", "?who=%00", "?who=key.%00", "?what='--", "?from=yesterday&to=9999-12-31", "?to=-9999-01-01"] {
            assert!(open(hostile).await.contains("Audit log"), "{hostile}");
        }
    }

    async fn an_owner_reads_their_own_account_and_an_operator_all(f: Fixture) {
        let app = TestApp::start(f).await;
        let other = app.store.accounts().create("Elm").await.unwrap().id;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let root = user(&app, None, Role::Operator, "root@oak.example.com").await;
        acting(Actor::CommandLine, app.store.accounts().set_limit(other, Some(777))).await.unwrap();
        let operators = AuditFilter { what: Some(Change::UserJoined), ..AuditFilter::default() };
        let joined = app.store.audit().log_of_all(&operators, 10).await.unwrap();
        assert!(joined.iter().any(|entry| entry.account.is_none() && entry.detail == "operator"), "{joined:?}");
        app.store.audit().note_installation_change(Change::ImportDone, "", "harrow-falls").await.unwrap();
        for path in ["/portal/audit", "/portal/audit.csv", "/portal/audit?who=commandLine"] {
            let page = fetch(app.get(path).header("cookie", signed_in(&app, &owner).await.cookies())).await.text().await.unwrap();
            // Ids may hold these digits among others.
            let has_limit = page.split(|c: char| !c.is_alphanumeric()).any(|word| word == "777");
            assert!(!has_limit && !page.contains("harrow-falls"), "{path}: {page}");
        }
        for path in ["/portal/operator/audit", "/portal/operator/audit.csv"] {
            let page = fetch(app.get(path).header("cookie", signed_in(&app, &root).await.cookies())).await.text().await.unwrap();
            assert!(page.contains("777") && page.contains("harrow-falls") && page.contains("Elm"), "{path}: {page}");
        }
        let request = app.request(Method::GET, "/portal/operator/audit").header("cookie", signed_in(&app, &owner).await.cookies());
        assert_eq!(fetch(request).await.status(), 403);
    }

    async fn entries_are_kept_for_two_years(f: Fixture) {
        let app = TestApp::start(f).await;
        assert!(!log(&app).await.is_empty());
        app.clock.advance(AUDIT_KEPT - Duration::from_secs(60));
        assert_eq!(app.store.audit().delete_old().await.unwrap(), 0);
        app.clock.advance(Duration::from_secs(120));
        assert!(app.store.audit().delete_old().await.unwrap() > 0);
        assert!(log(&app).await.is_empty());
    }
}
