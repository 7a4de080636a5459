//! The operator's accounts, and looking at one as its owner.

use std::time::Duration;

use reqwest::Method;
use shingle_domain::{AccountId, Environment, Role};
use shingle_store::Change;
use shingle_store_fixture::on_both_engines;
use shingle_web::portal::{Access, access_table};

use super::browser::Browser;
use super::{mail, signed_in, user, with_mail, word};
use crate::support::{TestApp, fetch};

async fn operator<'a>(app: &'a TestApp) -> Browser<'a> {
    let homeless = user(app, None, Role::Operator, "root@oak.example.com").await;
    signed_in(app, &homeless).await
}

async fn account(app: &TestApp, name: &str) -> shingle_store::Account {
    let all = app.store.accounts().list().await.unwrap();
    all.into_iter().find(|account| account.name == name).unwrap_or_else(|| panic!("no account {name}"))
}

on_both_engines! {
    async fn an_account_is_made_and_run_without_a_terminal(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let mut browser = operator(&app).await;
        browser.open("/portal/operator/accounts/new").await;
        for (fields, said) in [
            ([("name", ""), ("email", "")], "Please type the company’s name"),
            ([("name", "Pine\u{202e}"), ("email", "")], "Please type the company’s name"),
            ([("name", "Harbor & Pine <b>"), ("email", "maya")], "Please type an email address"),
        ] {
            browser.submit(&fields).await;
            assert!(browser.status >= 400 && browser.html.contains(said), "{said}: {}", browser.html);
        }
        assert!(browser.html.contains("value=\"Harbor &amp; Pine &lt;b&gt;\""), "what was typed stays");
        assert_eq!(app.store.accounts().list().await.unwrap().len(), 1, "nothing was made");
        browser.submit(&[("name", "Harbor & Pine"), ("email", "maya@harborpine.example")]).await;
        browser.shows(201, "We’ve emailed the invite");
        browser.shows(201, "Invited, until");
        let mailed = mail(&server).await;
        let path = word(&mailed, &app.base)[app.base.len()..].to_owned();
        let mut owner = Browser::new(&app);
        owner.open(&path).await;
        owner.submit(&[("name", "Maya Lindqvist")]).await;
        owner.shows(200, "Welcome, Maya Lindqvist");

        let id = account(&app, "Harbor & Pine").await.id;
        let page = format!("/portal/operator/accounts/{id}");
        let action = |action: &str| format!("{page}/{action}");
        browser.open(&page).await;
        browser.shows(200, "Maya Lindqvist");
        browser.submit_to(&action("limit"), &[("limit", "5,000")]).await;
        browser.shows(200, "Limit updated");
        browser.shows(200, "0 of 5,000");
        for (field, value, said) in [
            ("limit", "many", "Please type a whole number"),
            ("limit", "-1", "Please type a whole number"),
            ("credit", "ten", "Please type an amount in dollars"),
            ("credit", "-1", "The balance would fall below zero"),
            ("name", "", "Please type the company’s name"),
        ] {
            let form = action(if field == "name" { "rename" } else { field });
            browser.submit_to(&form, &[(field, value)]).await;
            browser.shows(422, said);
            assert!(browser.html.contains(&format!("value=\"{value}\"")), "{field} keeps {value:?}");
        }
        browser.submit_to(&action("credit"), &[("credit", "$100.50")]).await;
        browser.shows(200, "$100.50");
        browser.submit_to(&action("credit"), &[("credit", "-0.50")]).await;
        browser.shows(200, "$100.00");
        browser.submit_to(&action("limit"), &[("limit", "")]).await;
        browser.submit_to(&action("products"), &[("product", "buyer-insights"), ("product", "nonsense")]).await;
        browser.shows(200, "Products updated");
        let now = account(&app, "Harbor & Pine").await;
        assert_eq!((now.monthly_limit, now.balance.unwrap().cents(), now.products.len()), (None, 10_000, 1));
        browser.press("Pause").await;
        browser.shows(200, "Account paused");
        assert!(account(&app, "Harbor & Pine").await.paused);
        browser.press("Resume").await;
        assert!(!account(&app, "Harbor & Pine").await.paused);
        let key = app.store.accounts().issue_key(id, Environment::Production).await.unwrap();
        browser.open(&page).await;
        assert!(!browser.html.contains(&key.secret));
        browser.press("Revoke").await;
        browser.shows(200, "It no longer works");
        assert!(app.store.accounts().authenticate(&key.secret, [127, 0, 0, 1].into()).await.unwrap().is_none());
        browser.submit_to(&action("rename"), &[("name", "Harbor Pine")]).await;
        browser.shows(200, "Account renamed");

        browser.open("/portal/operator?q=maya").await;
        browser.shows(200, "Harbor Pine");
        assert!(!browser.html.contains("Oak Roofing"), "searched for the other");
        browser.open("/portal/operator?q=%00%27%22%3Cscript%3E").await;
        browser.shows(200, "No account has this");
        assert!(!browser.html.contains("<script>"));
    }

    async fn a_form_of_one_account_changes_no_other(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        let other = app.store.accounts().create("Elm").await.unwrap().id;
        let key = app.production.id.to_string();
        let post = |path: String, body: String| {
            let request = app.request(Method::POST, &path).header("sec-fetch-site", "same-origin").header("cookie", browser.cookies());
            fetch(request.header("content-type", "application/x-www-form-urlencoded").body(body))
        };
        let at = |id: &str, action: &str| format!("/portal/operator/accounts/{id}/{action}");
        assert_eq!(post(at(&other.to_string(), "revoke"), format!("key={key}")).await.status(), 404);
        assert!(app.store.accounts().authenticate(&app.production.token, [127, 0, 0, 1].into()).await.unwrap().is_some());
        for id in ["0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a", "x", "..%2f..", "%00"] {
            for action in ["pause", "open", "credit", "limit", "revoke", "close", "reopen"] {
                let status = post(at(id, action), "credit=5".to_owned()).await.status().as_u16();
                assert!(matches!(status, 400 | 404), "{id} {action}: {status}");
            }
        }
        assert_eq!(post(at(&other.to_string(), "explode"), String::new()).await.status(), 404);
        browser.open(&format!("/portal/operator/accounts/{other}")).await;
        browser.shows(200, "Nobody has joined yet");
    }

    async fn an_operator_looks_at_a_company_for_an_hour_and_its_owner_sees_it(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let other = app.store.accounts().create("Elm").await.unwrap().id;
        let stranger = user(&app, Some(other), Role::Owner, "elm@elm.example.com").await;
        let mut browser = operator(&app).await;
        browser.open(&format!("/portal/operator/accounts/{}", app.account)).await;
        browser.press("Open as its owner").await;
        browser.shows(200, "No lead yet");
        for path in ["/portal/leads", "/portal/widgets", "/portal/people", "/portal/settings", "/portal/audit", "/portal/operator", "/portal/operator/audit"] {
            browser.open(path).await;
            browser.shows(200, "You’re viewing Oak Roofing as an administrator until");
            browser.shows(200, ">Leave</button>");
        }

        let mut seen = signed_in(&app, &owner).await;
        seen.open("/portal/audit").await;
        seen.shows(200, "opened this account as an administrator");
        seen.shows(200, "Maya Lindqvist, administrator");
        assert!(!seen.html.contains(">Leave</button>"), "the owner is at home");
        let mut unseen = signed_in(&app, &stranger).await;
        unseen.open("/portal/audit").await;
        assert!(!unseen.html.contains("<span>opened this account"), "{}", unseen.html);

        browser.press("Leave").await;
        browser.shows(200, "You have left the company");
        browser.open("/portal/people").await;
        browser.shows(403, "installation’s own pages");
        seen.open("/portal/audit").await;
        seen.shows(200, "left this account");

        // Left open, it ends on its own.
        browser.open(&format!("/portal/operator/accounts/{}", app.account)).await;
        browser.press("Open as its owner").await;
        app.clock.advance(Duration::from_secs(3_601));
        browser.open("/portal/people").await;
        browser.shows(403, "installation’s own pages");
        let told = "<span>ended an administrator’s visit: the hour was over";
        seen.open("/portal/audit").await;
        assert!(!seen.html.contains(told), "{}", seen.html);
        app.store.people().delete_ended_portal_rows().await.unwrap();
        seen.open("/portal/audit").await;
        seen.shows(200, told);
        let (_, after) = seen.html.split_once(told).unwrap();
        assert!(after.contains("opened this account"), "newest first: {after}");
    }

    async fn a_visit_that_ran_out_is_told_also_when_another_begins_first(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        for _ in 0..2 {
            browser.open(&format!("/portal/operator/accounts/{}", app.account)).await;
            browser.press("Open as its owner").await;
            app.clock.advance(Duration::from_secs(3_601));
        }
        let filter = shingle_store::AuditFilter::default();
        let entries = app.store.audit().log(app.account, &filter, 50).await.unwrap();
        let count = |change| entries.iter().filter(|entry| entry.what == Some(change)).count();
        assert_eq!((count(Change::AccountOpened), count(Change::VisitRanOut), count(Change::AccountLeft)), (2, 1, 0));
    }

    async fn nothing_is_sent_erased_or_copied_in_a_companys_name(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        browser.open(&format!("/portal/operator/accounts/{}", app.account)).await;
        browser.press("Open as its owner").await;
        let mut refused = 0;
        let table = access_table();
        for page in table.pages().iter().filter(|page| matches!(page.access, Access::Company(_))) {
            let (method, route, access) = (&page.method, page.path, page.access);
            let path = route.replace("{id}", "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a").replace("{action}", "erase");
            let request = app.request(method.clone(), &path).header("sec-fetch-site", "same-origin").header("cookie", browser.cookies());
            let status = fetch(request).await.status().as_u16();
            assert_eq!(status == 403, !page.for_support, "{method} {route} {access:?}: {status}");
            refused += usize::from(status == 403);
            assert!(status == 403 || *method == Method::GET || route.starts_with("/portal/widgets"), "{method} {route}");
        }
        assert!(refused > 10, "{refused}");
        browser.open("/portal/leads.csv").await;
        browser.shows(403, "Only the company’s own people can do this");
        browser.shows(403, "as an administrator until");
        browser.open("/portal/notices").await;
        browser.shows(200, "<fieldset class=\"still\" disabled=\"\">");
        browser.shows(200, "</fieldset><p class=\"hint why\">Off for you: only the company’s people can do this.</p></form>");
        browser.shows(200, "href=\"/portal/widgets\"");
        browser.open("/portal/widgets/new").await;
        assert!(!browser.html.contains("class=\"still\""), "{}", browser.html);
        let users = app.store.people().list_users(app.account).await.unwrap();
        assert!(users.is_empty() && app.store.people().list_invites(app.account).await.unwrap().is_empty());
    }

    async fn an_owner_runs_no_other_company_by_a_visit(f: Fixture) {
        let app = TestApp::start(f).await;
        let other: AccountId = app.store.accounts().create("Elm").await.unwrap().id;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let browser = signed_in(&app, &owner).await;
        let session = app.store.people().list_sessions(owner.id).await.unwrap()[0].id;
        // Even a row that should not be there opens nothing to somebody who is no operator.
        app.store.people().begin_visit(session, other).await.unwrap();
        let page = fetch(app.get("/portal/people").header("cookie", browser.cookies())).await.text().await.unwrap();
        assert!(page.contains("Oak Roofing") && !page.contains("Elm"), "{page}");
        let path = format!("/portal/operator/accounts/{other}/open");
        let request = app.request(Method::POST, &path).header("sec-fetch-site", "same-origin").header("cookie", browser.cookies());
        assert_eq!(fetch(request).await.status(), 403);
    }

    async fn the_health_of_the_installation_is_a_page(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        browser.open("/portal/operator/health").await;
        // The checks may take longer than a page waits for them.
        for _ in 0..20 {
            if browser.html.contains("The same checks as shingle doctor") {
                break;
            }
            browser.press("Check again").await;
        }
        for said in ["<b>The database works</b>", "<b>The disk has room</b>", ">Database</span>", "Checked ", "Free on its disk", "Shingle 0.1.0, running since", "<b>initial</b>"] {
            browser.shows(200, said);
        }
        let checks = browser.html.split("<h2>The last hour</h2>").next().unwrap();
        let unsaid: Vec<_> = checks.split("<b>").skip(1).filter(|said| said.starts_with(char::is_lowercase)).collect();
        assert!(unsaid.is_empty(), "checks without a sentence for a contractor: {unsaid:?}");
        // What the server refuses or breaks is counted.
        app.app.metrics.request(None, "GET", 500, Duration::ZERO);
        browser.open("/portal/operator/health").await;
        browser.shows(200, "<dt>Server faults</dt><dd>1</dd>");
        assert!(app.store.database_size().await.unwrap() > 10_000);
        let ran = app.store.migrations().await.unwrap();
        assert!(!ran.is_empty() && ran.iter().all(|(_, at)| at.seconds() > 1_600_000_000), "{ran:?}");
    }
}
