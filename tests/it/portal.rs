//! The portal: who gets in, who may see what, and what a company's people do with their leads.

mod agency;
mod answers;
mod areas;
mod audit;
mod browser;
mod by_hand;
mod calendars;
mod clients;
mod closing;
mod companies;
mod connect_site;
mod connections;
mod designer;
mod device;
mod downloads;
mod from_file;
pub mod imports;
mod inspections;
mod lead_files;
mod lead_page;
mod lead_rules;
mod leads;
mod live;
mod menu;
mod merges;
mod money;
mod notices;
mod operator;
mod own_domain;
mod packed;
mod passkeys;
mod profile;
mod promises;
mod push;
mod quotes;
mod replies;
mod results;
mod self_booking;
mod sent_twice;
mod start;
mod step_reminders;
mod strangers;
mod talk;
mod towns;
mod widgets;
mod wished;
mod words;
mod work;

use std::sync::Arc;

use reqwest::Method;
use shingle_domain::{AccountId, Email, Role, UserName};
use shingle_store::{InviteDraft, SessionOrigin, SignInWay, User};
use shingle_store_fixture::on_both_engines;
use shingle_testing::smtp::SmtpServer;
use shingle_web::portal::{Access, access_table};

use crate::notices::text;
use crate::support::{TestApp, fetch, header};
use browser::Browser;

async fn user(app: &TestApp, account: Option<AccountId>, role: Role, address: &str) -> User {
    let day = std::time::Duration::from_secs(24 * 3_600);
    let draft =
        InviteDraft { account, role, sees: shingle_domain::WidgetScope::All, email: None, by: None, lifetime: day };
    let (_, token) = app.store.people().invite(&draft).await.unwrap();
    let (email, name) = (Email::parse(address).unwrap(), UserName::parse("Maya Lindqvist").unwrap());
    app.store.people().accept_invite(&token, &email, &name).await.unwrap()
}

/// A browser in which this user is signed in.
async fn signed_in<'a>(app: &'a TestApp, user: &User) -> Browser<'a> {
    let origin =
        SessionOrigin { way: SignInWay::MailedCode, user_agent: "Firefox/140 Linux", network: "127.0.0.1", domain: "" };
    let token = app.store.people().begin_session(user.id, origin).await.unwrap();
    Browser::with_cookie(app, &format!("shingle-local={token}"))
}

async fn with_mail(f: shingle_store_fixture::Fixture) -> (TestApp, Arc<SmtpServer>) {
    crate::notices::start(f).await
}

/// The mail that comes: it goes out after the answer.
async fn mail(server: &Arc<SmtpServer>) -> String {
    let server = server.clone();
    text(&tokio::task::spawn_blocking(move || server.next_mail()).await.unwrap())
}

fn word<'t>(text: &'t str, beginning: &str) -> &'t str {
    text.split_whitespace()
        .find(|word| word.starts_with(beginning))
        .unwrap_or_else(|| panic!("no {beginning} in {text}"))
}

on_both_engines! {
    async fn each_route_admits_the_roles_of_the_table_and_nobody_else(f: Fixture) {
        let app = TestApp::start(f).await;
        let member = user(&app, Some(app.account), Role::Member, "member@oak.example.com").await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let operator = user(&app, Some(app.account), Role::Operator, "operator@oak.example.com").await;
        let homeless = user(&app, None, Role::Operator, "root@oak.example.com").await;
        let mut asked = 0;
        let table = access_table();
        for page in table.pages() {
            let (method, route, access) = (&page.method, &page.path, &page.access);
            let path = route.replace("{id}", "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a").replace("{action}", "take");
            let ask = |cookie: String| {
                let request = app.request(method.clone(), &path).header("sec-fetch-site", "same-origin");
                fetch(if cookie.is_empty() { request } else { request.header("cookie", cookie) })
            };
            let garbage = format!("shingle-local={}", "x".repeat(43));
            for nobody in ["", "shingle-local=x", &garbage, "__Host-shingle=1"] {
                let response = ask(nobody.to_owned()).await;
                let location = header(&response, "location").to_owned();
                match access {
                    Access::Open => assert_ne!(response.status(), 403, "{method} {route}"),
                    Access::Company(_) | Access::Installation => {
                        let way_in = location.split('?').next().unwrap();
                        assert_eq!((response.status().as_u16(), way_in), (303, "/portal/sign-in"), "{method} {route}");
                    }
                }
                asked += 1;
            }
            for (user, role, has_company) in
                [(&member, Role::Member, true), (&owner, Role::Owner, true), (&operator, Role::Operator, true), (&homeless, Role::Operator, false)]
            {
                let browser = signed_in(&app, user).await;
                let status = ask(browser.cookies()).await.status().as_u16();
                let may = match access {
                    Access::Open => true,
                    // Where a sign-in ends; it leads an operator without a company on to the installation's pages.
                    Access::Company(_) if *route == "/portal/leads" && *method == Method::GET => true,
                    Access::Company(least) => role >= *least && has_company,
                    Access::Installation => role == Role::Operator,
                };
                assert_eq!(status == 403, !may, "{method} {route} as {role:?}, with company {has_company}: {status}");
                assert!(status < 500, "{method} {route}: {status}");
                asked += 1;
            }
        }
        assert_eq!(asked, table.pages().len() * 8);
        // What is not in the table is nothing, for an operator too.
        let browser = signed_in(&app, &operator).await;
        for (method, path) in [(Method::GET, "/portal/secrets"), (Method::POST, "/portal/usage"), (Method::DELETE, "/portal/people"), (Method::PUT, "/portal/leads")] {
            let request = app.request(method, path).header("sec-fetch-site", "same-origin").header("cookie", browser.cookies());
            assert_eq!(fetch(request).await.status(), 404, "{path}");
        }
    }

    async fn a_form_that_another_page_sends_does_nothing(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let cookies = signed_in(&app, &owner).await.cookies();
        let post = |headers: &[(&'static str, &str)]| {
            let request = app.request(Method::POST, "/portal/settings/name").header("cookie", &cookies);
            let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
            fetch(request.header("content-type", "application/x-www-form-urlencoded").body("name=Mallory"))
        };
        for foreign in [
            &[][..],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "none")],
            &[("origin", "https://evil.example")],
            &[("origin", "null")],
            &[("origin", "http://127.0.0.1:1")],
            &[("sec-fetch-site", "cross-site"), ("origin", app.base.as_str())],
        ] {
            assert_eq!(post(foreign).await.status(), 403, "{foreign:?}");
        }
        assert_eq!(app.store.people().find_user(owner.id).await.unwrap().unwrap().name.as_str(), "Maya Lindqvist");
        assert_eq!(post(&[("origin", app.base.as_str())]).await.status(), 303, "an older browser");
        assert_eq!(app.store.people().find_user(owner.id).await.unwrap().unwrap().name.as_str(), "Mallory");
    }

    async fn a_mailed_code_signs_in_the_browser_that_asked(f: Fixture) {
        let (app, server) = with_mail(f).await;
        user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut browser = Browser::new(&app);
        browser.open("/portal").await;
        browser.shows(200, "Email me a link and a code");
        browser.submit(&[("email", "maya")]).await;
        browser.shows(422, "Please type an email address");
        browser.submit(&[("email", "maya@oak.example.com")]).await;
        browser.shows(200, "Check your email");
        let mailed = mail(&server).await;
        let code = mailed.split("Your code is ").nth(1).unwrap().split('\n').next().unwrap().to_owned();
        browser.submit(&[("code", "000000")]).await;
        browser.shows(422, "4 tries are left");
        browser.submit(&[("code", &code)]).await;
        browser.shows(200, "No lead yet");
        assert!(browser.cookies().contains("shingle-local=") && !browser.cookies().contains("browser="), "{}", browser.cookies());
        browser.press("Sign out").await;
        browser.shows(200, "Sign in");
        browser.open("/portal/leads").await;
        browser.shows(200, "Email me a link and a code");

        // The link of another browser shows a code and lets nobody in.
        browser.open("/portal/sign-in").await;
        browser.submit(&[("email", "maya@oak.example.com")]).await;
        let mailed = mail(&server).await;
        let path = word(&mailed, &app.base)[app.base.len()..].to_owned();
        let mut scanner = Browser::new(&app);
        scanner.open(&path).await;
        scanner.shows(200, "This is another browser");
        scanner.open("/portal/leads").await;
        scanner.shows(200, "Email me a link and a code");
        browser.open(&path).await;
        browser.shows(200, "Sign in as Maya Lindqvist?");
        browser.submit(&[]).await;
        browser.shows(200, "No lead yet");
        browser.open(&path).await;
        browser.shows(410, "This has expired");
    }

    async fn a_mailed_code_and_its_link_end_after_fifteen_minutes(f: Fixture) {
        let (app, server) = with_mail(f).await;
        user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut browser = Browser::new(&app);
        let ask = async |browser: &mut Browser<'_>| {
            browser.open("/portal/sign-in").await;
            browser.shows(200, "The link and code expire in 15 minutes.");
            browser.submit(&[("email", "maya@oak.example.com")]).await;
            let mailed = mail(&server).await;
            let code = mailed.split("Your code is ").nth(1).unwrap().split('\n').next().unwrap().to_owned();
            (code, word(&mailed, &app.base)[app.base.len()..].to_owned())
        };
        let (code, path) = ask(&mut browser).await;
        app.clock.advance(std::time::Duration::from_secs(15 * 60 + 1));
        browser.submit(&[("code", &code)]).await;
        assert!(browser.status >= 400, "{}", browser.html);
        browser.open(&path).await;
        browser.shows(410, "This has expired");
        let (code, _) = ask(&mut browser).await;
        app.clock.advance(std::time::Duration::from_secs(14 * 60));
        browser.submit(&[("code", &code)]).await;
        browser.shows(200, "No lead yet");
    }

    async fn nobody_learns_whether_an_address_is_known(f: Fixture) {
        let (app, server) = with_mail(f).await;
        user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut answers = Vec::new();
        for address in ["maya@oak.example.com", "nobody@oak.example.com"] {
            let mut browser = Browser::new(&app);
            browser.open("/portal/sign-in").await;
            browser.submit(&[("email", address)]).await;
            let asked = (browser.status, browser.html.clone());
            browser.submit(&[("code", "000000")]).await;
            let wrong = (browser.status, browser.html.clone());
            browser.open("/portal/sign-in/recovery").await;
            browser.submit(&[("email", address), ("code", "abcde-fghjk")]).await;
            answers.push((asked, wrong, browser.status, browser.html.replace(address, "")));
        }
        assert_eq!(answers[0], answers[1]);
        mail(&server).await;
        assert!(server.mails().is_empty(), "nobody else is mailed");
        // Mails of one address have their limit.
        let ask = || {
            let form = "email=maya%40oak.example.com";
            let request = app.request(Method::POST, "/portal/sign-in").header("origin", &app.base);
            fetch(request.header("content-type", "application/x-www-form-urlencoded").body(form))
        };
        let mut statuses = Vec::new();
        for _ in 0..6 {
            statuses.push(ask().await.status().as_u16());
        }
        assert!(statuses.contains(&303) && statuses.ends_with(&[429]), "{statuses:?}");
    }

    async fn an_installation_is_claimed_and_a_colleague_is_invited(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let token = app.store.people().claim_link().await.unwrap();
        let mut browser = Browser::new(&app);
        browser.open("/setup").await;
        let fill = [("name", "Maya Lindqvist"), ("email", "maya@harborpine.example"), ("company", "Harbor & Pine Roofing")];
        browser.submit(&[&fill[..], &[("token", "guess")]].concat()).await;
        browser.shows(422, "This key is wrong, used or expired.");
        assert!(browser.html.contains("Harbor &amp; Pine Roofing"), "what was typed stays");
        browser.submit(&[&fill[..], &[("token", &token)]].concat()).await;
        browser.shows(200, "Welcome, Maya Lindqvist");
        let code = browser.html.split("<ol class=\"codes\" id=\"codes\"><li>").nth(1).unwrap().split('<').next().unwrap().to_owned();
        browser.open("/portal/people").await;
        browser.shows(200, "Invite a teammate");
        for (fields, said) in [
            ([("email", "tomas"), ("role", "member")], "Please type an email address"),
            ([("email", "tomas@harborpine.example"), ("role", "operator")], "Please choose what"),
            ([("email", "maya@harborpine.example"), ("role", "member")], "They’re already on your team"),
        ] {
            browser.submit_to("/portal/people/invites", &fields).await;
            assert!(browser.status >= 400 && browser.html.contains(said), "{}", browser.html);
        }
        browser.submit_to("/portal/people/invites", &[("email", "tomas@harborpine.example"), ("role", "member")]).await;
        browser.shows(200, "We’ve emailed the invite");
        let mailed = mail(&server).await;
        assert!(mailed.contains("Maya Lindqvist invited you to join Harbor & Pine Roofing on Shingle"), "{mailed}");
        let path = word(&mailed, &app.base)[app.base.len()..].to_owned();

        let mut colleague = Browser::new(&app);
        for _ in 0..2 {
            colleague.open(&path).await;
            colleague.shows(200, "Join Harbor &amp; Pine Roofing");
        }
        assert!(colleague.html.contains("leads only") && colleague.html.contains("tomas@harborpine.example"));
        colleague.submit(&[("name", "")]).await;
        colleague.shows(422, "Please type a name");
        colleague.submit(&[("name", "Tomas Okafor")]).await;
        colleague.shows(200, "Welcome, Tomas Okafor");
        colleague.open("/portal/people").await;
        colleague.shows(403, "Only an owner of your company can see this");
        colleague.open(&path).await;
        colleague.shows(410, "This link has expired");
        browser.open("/portal/people").await;
        assert!(browser.html.contains("Tomas Okafor") && !browser.html.contains("Withdraw"));
        browser.press("Remove Tomas Okafor").await;
        browser.shows(200, "They no longer have access.");
        colleague.open("/portal/leads").await;
        colleague.shows(200, "Email me a link and a code");

        let mut late = Browser::new(&app);
        late.open("/setup").await;
        late.shows(410, "This installation is set up");
        late.open("/portal/sign-in/recovery").await;
        late.submit(&[("email", "Maya@HarborPine.example"), ("code", &code.to_uppercase())]).await;
        late.shows(200, "7 are left");
        late.shows(200, "Sign out everywhere else");
        late.press("Sign out everywhere else").await;
        browser.open("/portal/leads").await;
        browser.shows(200, "Email me a link and a code");
    }

    async fn pages_of_the_portal_are_kept_by_nobody_and_run_our_files_alone(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let cookies = signed_in(&app, &owner).await.cookies();
        for path in ["/setup", "/portal/sign-in", "/portal/leads", "/portal/settings", "/portal/usage", "/portal/people", "/portal/leads/x"] {
            let response = fetch(app.get(path).header("cookie", &cookies)).await;
            for (name, value) in [("cache-control", "no-store"), ("referrer-policy", "no-referrer"), ("x-robots-tag", "noindex"), ("x-content-type-options", "nosniff")] {
                assert_eq!(header(&response, name), value, "{path}: {name}");
            }
            let policy = header(&response, "content-security-policy").to_owned();
            assert!(policy.contains("default-src 'none'; script-src 'self'; style-src 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
            let html = response.text().await.unwrap();
            assert!(!html.contains("<style") && !html.contains(" style=") && !html.contains(" onclick") && !html.contains("http://") && !html.contains("https://"), "{path}: {html}");
        }
    }

    async fn over_tls_the_cookie_is_this_hosts_alone(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()]).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let code = app.store.people().make_recovery_codes(owner.id).await.unwrap().remove(0);
        let request = app.request(Method::POST, "/portal/sign-in/recovery").header("sec-fetch-site", "same-origin");
        let request = request.header("x-forwarded-proto", "https").header("content-type", "application/x-www-form-urlencoded");
        let response = fetch(request.body(format!("email=owner%40oak.example.com&code={code}"))).await;
        let cookie = header(&response, "set-cookie").to_owned();
        assert!(cookie.starts_with("__Host-shingle=") && cookie.contains("; Path=/; ") && cookie.contains("; Secure; HttpOnly; SameSite=Lax"), "{cookie}");
        let session = cookie.split(';').next().unwrap();
        let page = fetch(app.get("/portal/leads").header("x-forwarded-proto", "https").header("cookie", session)).await;
        assert_eq!(page.status(), 200);
    }

    async fn a_role_is_changed_from_the_next_page_on_and_an_owner_is_always_left(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let member = user(&app, Some(app.account), Role::Member, "member@oak.example.com").await;
        let operator = user(&app, Some(app.account), Role::Operator, "operator@oak.example.com").await;
        let stranger = user(&app, None, Role::Operator, "root@elsewhere.example.com").await;
        let mut of_member = signed_in(&app, &member).await;
        of_member.open("/portal/people").await;
        assert_eq!(of_member.status, 403);
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/people").await;
        let role = async |browser: &mut Browser<'_>, id: shingle_domain::UserId, role: &str| {
            browser.submit_to(&format!("/portal/people/{id}/role"), &[("role", role)]).await;
        };
        browser.press(&format!("Make {} an owner", member.name.as_str())).await;
        browser.shows(200, "Their role is changed");
        of_member.open("/portal/people").await;
        of_member.shows(200, "Invite a teammate");

        // The new owner takes it from the first one, who has it no more at once; and the last one keeps it.
        role(&mut of_member, owner.id, "member").await;
        of_member.shows(200, "Their role is changed");
        browser.open("/portal/people").await;
        assert_eq!(browser.status, 403);
        of_member.send_to(&format!("/portal/people/{}/role", member.id), &[("role", "member")]).await;
        of_member.shows(200, "You can’t change your own role.");
        for id in [operator.id, stranger.id] {
            of_member.send_to(&format!("/portal/people/{id}/role"), &[("role", "member")]).await;
            assert_eq!(of_member.status, 404);
        }
        of_member.send_to(&format!("/portal/people/{}/role", owner.id), &[("role", "operator")]).await;
        assert_eq!(app.store.people().find_user(owner.id).await.unwrap().unwrap().role, Role::Member);
        assert_eq!(app.store.people().find_user(operator.id).await.unwrap().unwrap().role, Role::Operator);
        app.store.people().remove_user(app.account, operator.id).await.unwrap();
        let last = app.store.people().change_role(app.account, member.id, Role::Member).await;
        assert!(matches!(last, Err(shingle_store::StoreError::LastOwner)), "{last:?}");
    }

    async fn an_owner_removes_no_operator_and_an_operator_without_a_company_can_leave(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let operator = user(&app, Some(app.account), Role::Operator, "operator@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/people").await;
        browser.submit_to(&format!("/portal/people/{}/remove", operator.id), &[]).await;
        browser.shows(200, "Only an administrator can remove an administrator");
        assert!(app.store.people().find_user(operator.id).await.unwrap().is_some());
        let mut browser = signed_in(&app, &operator).await;
        browser.open("/portal/people").await;
        browser.submit_to(&format!("/portal/people/{}/remove", owner.id), &[]).await;
        browser.shows(200, "They no longer have access.");

        let homeless = user(&app, None, Role::Operator, "root@oak.example.com").await;
        let mut browser = signed_in(&app, &homeless).await;
        browser.open("/portal").await;
        browser.shows(200, "on this installation. When you open one");
        assert_eq!(browser.path, "/portal/operator");
        assert!(!browser.html.contains("href=\"/portal/leads\""), "pages of a company they do not have");
        browser.press("Sign out").await;
        assert_eq!(browser.cookies(), "");
    }

    async fn guesses_have_a_limit_whichever_way_they_come(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut statuses = Vec::new();
        for n in 0..80 {
            let path = ["/portal/sign-in/link", "/portal/sign-in/code", "/portal/invite"][n % 3];
            let request = app.request(Method::POST, path).header("sec-fetch-site", "same-origin");
            statuses.push(fetch(request.header("content-type", "application/x-www-form-urlencoded").body("token=x&code=1")).await.status().as_u16());
        }
        assert!(statuses[..30].iter().all(|status| *status == 410) && statuses.ends_with(&[429]), "{statuses:?}");
        assert_eq!(fetch(app.get("/portal/sign-in")).await.status(), 200, "looking costs nothing");
    }
}
