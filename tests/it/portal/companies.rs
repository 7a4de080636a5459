//! One person in several companies: joining, switching, and what keeps them apart.

use std::time::Duration;

use reqwest::Method;
use shingle_domain::{AccountId, Email, Role, UserName};
use shingle_store::{InviteDraft, SessionOrigin, SignInWay, StoreError, User};
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::leads::{ids, with_leads};
use super::{mail, signed_in, user, with_mail, word};
use crate::support::{TestApp, fetch};

/// An invite of the company for this address, as a link that its owner sees.
async fn invite(app: &TestApp, account: AccountId, by: Option<&User>, role: Role, email: Option<&str>) -> String {
    let lifetime = Duration::from_secs(24 * 3_600);
    let email = email.map(|email| Email::parse(email).unwrap());
    let draft = InviteDraft {
        account: Some(account),
        role,
        sees: shingle_domain::WidgetScope::All,
        email,
        by: by.map(|by| by.id),
        lifetime,
    };
    app.store.people().invite(&draft).await.unwrap().1
}

async fn by_way<'a>(app: &'a TestApp, user: &User, way: SignInWay) -> Browser<'a> {
    let origin = SessionOrigin { way, user_agent: "Firefox/140 Linux", network: "127.0.0.1", domain: "" };
    let token = app.store.people().begin_session(user.id, origin).await.unwrap();
    Browser::with_cookie(app, &format!("shingle-local={token}"))
}

async fn is_in(browser: &mut Browser<'_>) -> bool {
    browser.open("/portal/settings").await;
    browser.path == "/portal/settings"
}

on_both_engines! {
    async fn a_teammate_joins_a_second_company_and_switches(f: Fixture) {
        let (app, server) = with_mail(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let lead = ids(&app).await[0].clone();
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let maya = user(&app, Some(elm), Role::Owner, "maya@elm.example.com").await;
        let luis = user(&app, Some(app.account), Role::Owner, "luis@oak.example.com").await;

        // The invite of a company where he is already is refused; that of another one is mailed.
        let mut owner = signed_in(&app, &maya).await;
        owner.open("/portal/people").await;
        owner.submit(&[("email", "Luis@Oak.example.com"), ("role", "member")]).await;
        owner.shows(200, "/portal/invite?token=");
        let mailed = mail(&server).await;
        let link = word(&mailed, "http").to_owned();
        let path = &link[app.base.len()..];

        let mut stranger = Browser::new(&app);
        stranger.open(path).await;
        stranger.shows(200, "Sign in to join with it.");
        assert!(!stranger.html.contains("name=\"name\""), "no second user is made");
        let mut other = signed_in(&app, &maya).await;
        other.open(path).await;
        other.shows(200, "Sign in to join with it.");

        let mut browser = signed_in(&app, &luis).await;
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "Whitfield");
        assert!(!browser.html.contains("class=\"co\""), "one company: nothing to choose");
        browser.open(path).await;
        browser.shows(200, "You’re signed in as luis@oak.example.com");
        browser.submit(&[]).await;
        browser.shows(200, "You joined this company.");
        browser.shows(200, "Company: Elm Roofing. Choose another");
        // The role is the one of this company.
        browser.open("/portal/people").await;
        browser.shows(403, "Only an owner of your company");
        browser.open(path).await;
        browser.shows(410, "expired");

        // A link to the other company's lead says where it may be, and leads there.
        browser.open(&format!("/portal/leads/{lead}?data=sandbox")).await;
        browser.shows(404, "Elm Roofing doesn’t have this page.");
        let to = format!("/portal/leads/{lead}?data=sandbox");
        app.clock.advance(Duration::from_secs(1));
        browser.send_to(&format!("/portal/companies/{}", app.account), &[("to", &to)]).await;
        browser.shows(200, "Whitfield");
        browser.open("/portal/people").await;
        browser.shows(200, "luis@oak.example.com");
        browser.open("/portal/companies").await;
        browser.shows(200, "Elm Roofing");
        browser.shows(200, "You’re here");
        browser.open("/portal/more").await;
        browser.shows(200, "All your companies");

        // Signing in again leads to the company that was chosen last.
        let found = app.store.people().find_user_by_email(&luis.email).await.unwrap().unwrap();
        assert_eq!(found.id, luis.id);
        // What is not theirs cannot be chosen.
        let ash = app.store.accounts().create("Ash Roofing").await.unwrap().id;
        browser.send_to(&format!("/portal/companies/{ash}"), &[]).await;
        assert_eq!(browser.status, 404);
        browser.send_to("/portal/companies/x", &[]).await;
        assert_eq!(browser.status, 404);
        browser.send_to(&format!("/portal/companies/{elm}"), &[("to", "https://evil.example/")]).await;
        assert_eq!((browser.status, browser.path.as_str()), (200, "/portal/leads"));
    }

    async fn a_form_of_another_company_changes_nothing(f: Fixture) {
        let app = TestApp::start(f).await;
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let luis = user(&app, Some(app.account), Role::Owner, "luis@oak.example.com").await;
        let token = invite(&app, elm, None, Role::Owner, Some("luis@oak.example.com")).await;
        let mut tab = signed_in(&app, &luis).await;
        // Opened while there was one company alone.
        tab.open("/portal/people").await;
        let mut other_tab = Browser::with_cookie(&app, &tab.cookies());
        other_tab.open(&format!("/portal/invite?token={token}")).await;
        other_tab.submit(&[]).await;
        tab.submit_to("/portal/people/invites", &[("email", "new@oak.example.com"), ("role", "owner")]).await;
        tab.shows(409, "You switched companies");
        other_tab.send_to(&format!("/portal/companies/{}", app.account), &[]).await;

        tab.open("/portal/people").await;
        tab.shows(200, &format!("?company={}", app.account));
        other_tab.send_to(&format!("/portal/companies/{elm}"), &[]).await;
        tab.submit_to("/portal/people/invites", &[("email", "new@oak.example.com"), ("role", "owner")]).await;
        tab.shows(409, "You switched companies");
        for account in [app.account, elm] {
            assert!(app.store.people().list_invites(account).await.unwrap().is_empty());
        }
        let news = fetch(app.request(Method::GET, &format!("/portal/leads/count?company={}", app.account)).header("cookie", tab.cookies())).await;
        assert_eq!(news.status(), 409);
        other_tab.send_to(&format!("/portal/companies/{}", app.account), &[]).await;
        tab.open("/portal/people").await;
        tab.submit_to("/portal/people/invites", &[("email", "new@oak.example.com"), ("role", "owner")]).await;
        assert_eq!(app.store.people().list_invites(app.account).await.unwrap().len(), 1);

        // An operator who looks at two companies in two tabs.
        let root = user(&app, None, Role::Operator, "root@oak.example.com").await;
        let mut visit = signed_in(&app, &root).await;
        let mut other_visit = Browser::with_cookie(&app, &visit.cookies());
        visit.send_to(&format!("/portal/operator/accounts/{}/open", app.account), &[]).await;
        visit.open("/portal/widgets").await;
        visit.shows(200, &format!("data-company=\"{}\"", app.account));
        other_visit.send_to(&format!("/portal/operator/accounts/{elm}/open"), &[]).await;
        for (account, status) in [(app.account, 409), (elm, 200)] {
            let path = format!("/portal/leads/count?company={account}");
            assert_eq!(fetch(app.request(Method::GET, &path).header("cookie", visit.cookies())).await.status(), status);
        }
    }

    /// The owner of one company invites an address and accepts in its name. Its real owner is invited by another company.
    async fn a_link_that_others_saw_opens_no_other_company(f: Fixture) {
        let app = TestApp::start(f).await;
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let thief = user(&app, Some(elm), Role::Owner, "owner@elm.example.com").await;
        let oaks = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let (email, name) = (Email::parse("luis@oak.example.com").unwrap(), UserName::parse("Luis Ferreira").unwrap());
        let shown = invite(&app, elm, Some(&thief), Role::Member, Some("luis@oak.example.com")).await;
        let taken = app.store.people().accept_invite(&shown, &email, &name).await.unwrap();
        assert!(!taken.is_proven);
        let codes = app.store.people().make_recovery_codes(taken.id).await.unwrap();
        let mut thieves = by_way(&app, &taken, SignInWay::Invite).await;
        let session = app.store.people().list_sessions(taken.id).await.unwrap()[0].id;

        let token = invite(&app, app.account, Some(&oaks), Role::Owner, Some("luis@oak.example.com")).await;
        thieves.open(&format!("/portal/invite?token={token}")).await;
        assert!(!thieves.html.contains("action=\"/portal/companies\""), "{}", thieves.html);
        thieves.send_to("/portal/companies", &[("token", &token)]).await;
        assert!(app.store.people().list_users(app.account).await.unwrap().iter().all(|user| user.email != email));

        let mut own = by_way(&app, &taken, SignInWay::MailedCode).await;
        own.open(&format!("/portal/invite?token={token}")).await;
        own.submit(&[]).await;
        own.shows(200, "You joined this company.");
        assert!(!is_in(&mut thieves).await, "it may be another person");
        // What was under way in their browser makes no key either.
        let people = app.store.people();
        let ended = people.make_recovery_codes_in(taken.id, Some(session)).await;
        assert!(matches!(ended, Err(StoreError::NotFound)));
        let origin = SessionOrigin { way: SignInWay::Passkey, user_agent: "", network: "127.0.0.1", domain: "" };
        assert!(matches!(people.begin_session(taken.id, origin).await, Err(StoreError::NotFound)));
        assert_eq!(app.store.people().use_recovery_code(&email, &codes[0]).await.unwrap(), None);
        assert!(is_in(&mut own).await);

        // Once is enough: the next company ends nothing.
        let mut second = by_way(&app, &taken, SignInWay::CommandLine).await;
        let ash = app.store.accounts().create("Ash Roofing").await.unwrap().id;
        let token = invite(&app, ash, None, Role::Member, None).await;
        second.open(&format!("/portal/invite?token={token}")).await;
        second.shows(200, "Join with another email");
        second.submit(&[]).await;
        second.shows(200, "You joined this company.");
        assert!(is_in(&mut own).await);
        // Nobody joins twice, and an invite to run the installation makes no second user of a person.
        let token = invite(&app, ash, None, Role::Member, None).await;
        second.send_to("/portal/companies", &[("token", &token)]).await;
        assert_eq!(second.path, "/portal/companies");
        assert_eq!(app.store.people().list_users(ash).await.unwrap().len(), 1);
        let draft = InviteDraft { account: None, role: Role::Operator, sees: shingle_domain::WidgetScope::All, email: None, by: None, lifetime: Duration::from_secs(60) };
        let (_, token) = app.store.people().invite(&draft).await.unwrap();
        second.send_to("/portal/companies", &[("token", &token)]).await;
        assert_eq!(second.status, 410);
    }

    async fn leaving_one_company_keeps_the_others(f: Fixture) {
        let app = TestApp::start(f).await;
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        user(&app, Some(elm), Role::Owner, "owner@elm.example.com").await;
        let people = app.store.people();
        let codes = people.make_recovery_codes(luis.id).await.unwrap();
        let token = invite(&app, elm, None, Role::Member, Some("luis@oak.example.com")).await;
        // He joined by a link for nobody in particular, so his first sign-in by mail makes new keys necessary.
        let mut browser = signed_in(&app, &luis).await;
        browser.open(&format!("/portal/invite?token={token}")).await;
        browser.submit(&[]).await;
        browser.shows(200, "You joined this company.");
        assert_eq!(people.use_recovery_code(&luis.email, &codes[0]).await.unwrap(), None);
        let codes = people.make_recovery_codes(luis.id).await.unwrap();
        let there = people.find_user_in(elm, &luis.email).await.unwrap().unwrap();
        assert_eq!(people.recovery_codes_left(there.id).await.unwrap(), 8);

        // A name and an address are the person's.
        people.rename_user(there.id, &UserName::parse("Luis F.").unwrap()).await.unwrap();
        assert_eq!(people.find_user(luis.id).await.unwrap().unwrap().name.as_str(), "Luis F.");
        let new = Email::parse("luis@ferreira.example.com").unwrap();
        let code = people.ask_for_email(there.id, &new).await.unwrap();
        assert_eq!(people.confirm_email(there.id, &code).await.unwrap(), shingle_store::EmailChange::Done);
        assert_eq!(people.companies_of(luis.id).await.unwrap().len(), 2);
        assert!(people.find_user_by_email(&luis.email).await.unwrap().is_none());

        // Removed here, they are still there, with their codes.
        let mut owner = signed_in(&app, &maya).await;
        owner.send_to(&format!("/portal/people/{}/remove", luis.id), &[]).await;
        assert!(people.find_user(luis.id).await.unwrap().is_none());
        assert_eq!(people.use_recovery_code(&new, &codes[3]).await.unwrap(), Some(there.id));
        assert_eq!(people.use_recovery_code(&new, &codes[3]).await.unwrap(), None, "once");
        assert!(is_in(&mut signed_in(&app, &there).await).await);
        assert_eq!(people.companies_of(there.id).await.unwrap().len(), 1);
    }

    async fn an_operator_outside_of_all_companies_joins_one_and_comes_back(f: Fixture) {
        let app = TestApp::start(f).await;
        let root = user(&app, None, Role::Operator, "root@oak.example.com").await;
        let token = invite(&app, app.account, None, Role::Member, None).await;
        let mut browser = signed_in(&app, &root).await;
        browser.open(&format!("/portal/invite?token={token}")).await;
        browser.submit(&[]).await;
        browser.shows(200, "This installation");
        browser.open("/portal/operator").await;
        assert_eq!(browser.status, 403, "a member here");
        app.clock.advance(Duration::from_secs(1));
        browser.send_to("/portal/companies/installation", &[]).await;
        assert_eq!((browser.status, browser.path.as_str()), (200, "/portal/operator"));
        browser.shows(200, "Company: This installation. Choose another");
        browser.send_to(&format!("/portal/companies/{}", app.account), &[]).await;
        browser.shows(200, "No lead yet");
    }

    async fn a_closed_company_leads_to_the_open_ones(f: Fixture) {
        let app = TestApp::start(f).await;
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let token = invite(&app, elm, None, Role::Owner, Some("luis@oak.example.com")).await;
        let mut browser = signed_in(&app, &luis).await;
        browser.open(&format!("/portal/invite?token={token}")).await;
        browser.submit(&[]).await;
        let people = app.store.people();
        let codes = people.make_recovery_codes(luis.id).await.unwrap();
        browser.send_to(&format!("/portal/companies/{}", app.account), &[]).await;
        app.store.accounts().close(app.account).await.unwrap();
        browser.open("/portal/leads").await;
        assert_eq!(browser.path, "/portal/companies");
        browser.shows(200, "Closed");
        browser.send_to(&format!("/portal/companies/{elm}"), &[]).await;
        browser.shows(200, "No lead yet");
        assert_eq!(people.find_user_by_email(&luis.email).await.unwrap().unwrap().account, Some(elm));
        // Erased: what lets them in is theirs, not the company's.
        app.clock.advance(Duration::from_secs(8 * 24 * 3_600));
        while !app.store.accounts().erase(app.account).await.unwrap() {}
        assert!(people.find_user(maya.id).await.unwrap().is_none());
        let found = people.use_recovery_code(&luis.email, &codes[1]).await.unwrap().unwrap();
        assert_eq!(people.find_user(found).await.unwrap().unwrap().account, Some(elm));
        assert_eq!(people.companies_of(found).await.unwrap().len(), 1);
    }
}
