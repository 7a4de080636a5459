//! Files on a lead's page: checked as photographs are, downloaded by the company alone, erased with their lead.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use shingle_domain::{Role, UserName};
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::leads::{ids, with_leads};
use super::{signed_in, user};
use crate::support::{TestApp, fetch, header, images, send};

const PDF: &[u8] = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";

async fn add(app: &TestApp, browser: &Browser<'_>, lead: &str, name: &str, bytes: Vec<u8>) -> (u16, String) {
    let part = Part::bytes(bytes).file_name(name.to_owned());
    let form = Form::new().text("data", "sandbox").part("file", part);
    let request = app.request(Method::POST, &format!("/portal/leads/{lead}/files?data=sandbox"));
    let request = request.header("sec-fetch-site", "same-origin").header("cookie", browser.cookies());
    let response = fetch(request.multipart(form)).await;
    (response.status().as_u16(), response.text().await.unwrap())
}

fn links(html: &str, lead: &str) -> Vec<String> {
    let begins = format!("href=\"/portal/leads/{lead}/files/");
    let all = html.split(&begins).skip(1).map(|rest| rest.split('"').next().unwrap());
    all.map(|rest| format!("/portal/leads/{lead}/files/{}", rest.replace("&amp;", "&"))).collect()
}

fn stored(app: &TestApp) -> usize {
    app.stored_files().iter().filter(|file| file.to_string_lossy().contains("/files/")).count()
}

on_both_engines! {
    async fn pictures_and_pdfs_are_kept_with_a_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ellis"]).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        app.store.people().rename_user(luis.id, &UserName::parse("Luis Ferreira").unwrap()).await.unwrap();
        let [newer, older] = <[String; 2]>::try_from(ids(&app).await).unwrap();
        let page = format!("/portal/leads/{older}?data=sandbox");
        let (mut owner, mut member) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await);
        assert_eq!(add(&app, &owner, &older, "Contract.PDF", PDF.to_vec()).await.0, 303);
        assert_eq!(add(&app, &member, &older, "../roof <b>.png", images::png(40, 30)).await.0, 303);
        member.open(&page).await;
        member.shows(200, "Contract.pdf");
        member.shows(200, "roof b.jpg");
        member.shows(200, "Luis Ferreira added the file roof b.jpg");
        assert_eq!(member.html.matches("Delete file").count(), 1, "its own alone");
        let [picture, contract] = <[String; 2]>::try_from(links(&member.html, &older)).unwrap();
        for (path, kind, begins, name) in [
            (&picture, "image/jpeg", &[0xff, 0xd8][..], "roof%20b.jpg"),
            (&contract, "application/pdf", b"%PDF-", "Contract.pdf"),
        ] {
            let response = fetch(app.request(Method::GET, path).header("cookie", member.cookies())).await;
            assert_eq!((response.status().as_u16(), header(&response, "content-type")), (200, kind));
            assert_eq!(header(&response, "content-disposition"), format!("attachment; filename*=UTF-8''{name}"));
            assert_eq!(header(&response, "x-content-type-options"), "nosniff");
            assert_eq!(header(&response, "content-security-policy"), "default-src 'none'; sandbox");
            assert!(response.bytes().await.unwrap().starts_with(begins), "{path}");
            assert_eq!(fetch(app.get(path)).await.status(), 303, "nobody is signed in");
            let elsewhere = path.replace(&older, &newer);
            assert_eq!(fetch(app.request(Method::GET, &elsewhere).header("cookie", member.cookies())).await.status(), 404);
        }
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(elm), Role::Owner, "owner@elm.example.com").await;
        let foreign = signed_in(&app, &stranger).await;
        assert_eq!(fetch(app.request(Method::GET, &contract).header("cookie", foreign.cookies())).await.status(), 404);
        assert_eq!(add(&app, &foreign, &older, "x.pdf", PDF.to_vec()).await.0, 404);
        assert_eq!(stored(&app), 2);
        let names = app.texts("SELECT name FROM lead_file").await;
        assert!(names.iter().all(|name| name.starts_with('~')), "{names:?}");
        let file = app.stored_files().into_iter().find(|file| file.to_string_lossy().ends_with(".pdf")).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(fetch(app.get(&format!("/storage/files/{name}"))).await.status(), 404, "even with the name");

        // Only its author and owners delete one.
        let id = |path: &str| path.split("/files/").nth(1).unwrap().split('?').next().unwrap().to_owned();
        let delete = format!("/portal/leads/{older}/delete-file?data=sandbox");
        member.send_to(&delete, &[("data", "sandbox"), ("file", &id(&contract))]).await;
        assert_eq!(member.status, 404);
        owner.send_to(&delete, &[("data", "sandbox"), ("file", &id(&picture))]).await;
        owner.shows(200, "File deleted.");
        owner.shows(200, "deleted the file roof b.jpg");
        assert_eq!((stored(&app), links(&owner.html, &older).len()), (1, 1));
        // Those of a merged lead are on the page of the one that stays, and go when it is erased.
        owner.open(&format!("/portal/leads/{older}/compare?with={newer}&data=sandbox")).await;
        owner.submit(&[("stays", &newer)]).await;
        owner.shows(200, "Contract.pdf");
        let (status, found) = send(app.api(Method::POST, "/api/v1/personal-data/export").json(&json!({ "email": "whitfield@example.com" }))).await;
        if status == 200 {
            assert!(found.to_string().contains("Contract.pdf"), "{found}");
        }
        let person = shingle_store::Person { email: shingle_domain::Email::parse("whitfield@example.com"), phone: None };
        let tenant = shingle_domain::Tenant { account: app.account, environment: shingle_domain::Environment::Sandbox };
        let records = app.store.leads().export_person(&tenant, &person).await.unwrap();
        assert_eq!(records.iter().map(|record| record.files.len()).sum::<usize>(), 1);
        assert_eq!(send(app.api(Method::DELETE, &format!("/api/v1/leads/{newer}"))).await.0, 200);
        assert_eq!(stored(&app), 0, "erased with its lead");
    }

    async fn what_is_neither_is_refused_with_the_reason(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let lead = ids(&app).await[0].clone();
        let member = signed_in(&app, &luis).await;
        let mut large = PDF.to_vec();
        large.resize(10 * 1024 * 1024 + 1, b' ');
        for (name, bytes, said) in [
            ("page.html", b"<html><script>alert(1)</script>".to_vec(), "can’t read this file as one"),
            ("drawing.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(), "can’t read this file as one"),
            ("fake.pdf", b"<html>%PDF-1.4 %%EOF".to_vec(), "can’t read this file as one"),
            ("cut.pdf", PDF[..40].to_vec(), "can’t read this file as one"),
            ("bomb.png", images::png(40, 30)[..60].to_vec(), "can’t read this file as one"),
            ("phone.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec(), "can’t read HEIC"),
            ("empty.pdf", Vec::new(), "Please choose a file."),
            ("large.pdf", large, "more than 10 MB"),
        ] {
            let (status, html) = add(&app, &member, &lead, name, bytes).await;
            assert!(status == 422 && html.contains(said), "{name}: {status} {html}");
        }
        assert_eq!(stored(&app), 0);
        let request = app.request(Method::POST, &format!("/portal/leads/{lead}/files?data=sandbox")).header("sec-fetch-site", "same-origin");
        let request = request.header("cookie", member.cookies()).header("content-type", "application/x-www-form-urlencoded");
        assert_eq!(fetch(request.body("file=x")).await.status(), 400);
        for _ in 0..20 {
            assert_eq!(add(&app, &member, &lead, "a.pdf", PDF.to_vec()).await.0, 303);
        }
        let (status, html) = add(&app, &member, &lead, "a.pdf", PDF.to_vec()).await;
        assert!(status == 422 && html.contains("20 files at most"), "{status}");
        assert_eq!(stored(&app), 20);
    }
}
