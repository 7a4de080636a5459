//! Who gets new leads: set by an owner, and told to the one who gets one.

use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;

use super::leads::ids;
use super::{signed_in, user, with_mail};
use crate::notices::{parse, text, to};

const PAGE: &str = "/portal/settings/leads";

on_both_engines! {
    async fn an_owner_sets_the_rules_and_who_gets_a_lead_is_told(f: Fixture) {
        let (app, server) = with_mail(f).await;
        app.widget().await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let ana = user(&app, Some(app.account), Role::Member, "ana@oak.example.com").await;
        app.store.people().rename_user(ana.id, &shingle_domain::UserName::parse("Ana Ruiz").unwrap()).await.unwrap();
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/settings").await;
        browser.shows(200, "New leads go to");
        let (id, own) = (ana.id.to_string(), maya.id.to_string());
        for (places, to, said) in [
            ("0410", id.as_str(), "is neither a ZIP code nor a town"),
            ("<b>", &id, "“&lt;b&gt;” is neither"),
            ("Saco", "", "Please choose who gets these leads."),
            ("Saco", "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a", "Please choose who gets these leads."),
            ("", &id, "Please type a town or a ZIP code."),
        ] {
            browser.open(PAGE).await;
            browser.submit_to(PAGE, &[("places-0", places), ("to-0", to)]).await;
            browser.shows(422, said);
        }
        let mut other = signed_in(&app, &maya).await;
        other.open(PAGE).await;
        browser.open(PAGE).await;
        let sent = app.submission().await;
        let zip = sent["address"].as_str().map(|line| line.rsplit(' ').next().unwrap().to_owned());
        browser.submit_to(PAGE, &[("places-0", "Nowhere, 99999"), ("to-0", &own), ("turn", &id)]).await;
        browser.shows(200, "Saved.");
        browser.shows(200, "value=\"Nowhere, 99999\"");
        other.submit_to(PAGE, &[("places-0", "Saco"), ("to-0", &own)]).await;
        other.shows(409, "Someone changed these rules");
        other.shows(409, "value=\"Saco\"");
        let (status, receipt) = app.send_lead(&sent).await;
        assert_eq!(status, 201, "{receipt} {zip:?}");
        // Nobody has set notices, so this is the only mail that goes to her.
        let server = server.clone();
        let told = tokio::task::spawn_blocking(move || loop {
            let mail = server.next_mail();
            if to(&mail) == "ana@oak.example.com" {
                break mail;
            }
        });
        let told = told.await.unwrap();
        let lead = ids(&app).await[0].clone();
        assert!(text(&told).contains(&format!("/portal/leads/{lead}")), "{}", text(&told));
        assert!(parse(&told).subject().unwrap().starts_with("A rule assigned"), "{:?}", parse(&told).subject());
        let mut member = signed_in(&app, &ana).await;
        member.open(&format!("/portal/leads/{lead}?data=sandbox")).await;
        member.shows(200, "Given to Ana Ruiz, whose turn it was");
        member.shows(200, "selected=\"\">Ana Ruiz");
        member.open(PAGE).await;
        member.shows(200, "Only an owner can change this.");
        member.send_to(PAGE, &[("turn", &own)]).await;
        assert_eq!(member.status, 403);
        // Who has left is named, and goes with the next save.
        app.store.people().remove_user(app.account, ana.id).await.unwrap();
        browser.open(PAGE).await;
        browser.shows(200, "Someone in these rules has left the team.");
        browser.submit_to(PAGE, &[("places-0", ""), ("to-0", &own)]).await;
        browser.shows(200, "Saved.");
        assert!(!browser.html.contains("has left the team") && !browser.html.contains("Nowhere"), "{}", browser.html);
    }
}
