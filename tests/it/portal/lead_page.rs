//! What a company's people change on the page of a lead: notes, status and assignee, why it was lost, the contact.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::{Environment, Role, Tenant, UserName};
use shingle_store::{AuditFilter, User};
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::leads::{ids, with_leads};
use super::{signed_in, user};
use crate::support::{TestApp, fetch, send};

/// An owner and a member of the company.
async fn two(app: &TestApp) -> (User, User) {
    let maya = user(app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
    let luis = user(app, Some(app.account), Role::Member, "luis@oak.example.com").await;
    app.store.people().rename_user(luis.id, &UserName::parse("Luis Ferreira").unwrap()).await.unwrap();
    (maya, app.store.people().find_user(luis.id).await.unwrap().unwrap())
}

async fn audited(app: &TestApp) -> Vec<String> {
    let entries = app.store.audit().log(app.account, &AuditFilter::default(), 100).await.unwrap();
    entries.into_iter().filter_map(|entry| entry.what.map(|what| what.as_str().to_owned())).collect()
}

/// As the page's script sends a form.
async fn at_once(app: &TestApp, browser: &Browser<'_>, path: &str, fields: &[(&str, &str)]) -> (u16, Value) {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = app.request(Method::POST, path).header("sec-fetch-site", "same-origin");
    let request = request.header("cookie", browser.cookies()).header("accept", "application/json");
    let answer = fetch(request.header("content-type", "application/x-www-form-urlencoded").body(body)).await;
    (answer.status().as_u16(), serde_json::from_str(&answer.text().await.unwrap()).unwrap_or_default())
}

/// The value of the hidden field of this name in the form that goes there.
fn hidden(html: &str, action: &str, name: &str) -> String {
    let form = html
        .split("<form ")
        .find(|form| form.contains(&format!("/{action}\"")) || form.contains(&format!("/{action}?")));
    let form = form.unwrap_or_else(|| panic!("no form {action} in {html}"));
    let field = form.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap();
    field.split('"').next().unwrap().to_owned()
}

on_both_engines! {
    async fn a_note_is_edited_and_deleted_by_its_author_alone(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let (maya, luis) = two(&app).await;
        let lead = ids(&app).await[0].clone();
        let path = format!("/portal/leads/{lead}");
        let page = format!("{path}?data=sandbox");
        let (mut author, mut other) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await);
        author.open(&page).await;
        author.submit_to(&format!("{path}/note"), &[("note", "Two layers <b>")]).await;
        let note = hidden(&author.html, "edit-note", "entry");
        let field = format!("note-{note}");
        author.shows(200, "Two layers &lt;b&gt;");

        // Nobody else has the form, and nobody else's form does anything.
        other.open(&page).await;
        other.shows(200, "Two layers &lt;b&gt;");
        assert!(!other.html.contains("Delete note"), "{}", other.html);
        for action in ["edit-note", "delete-note"] {
            other.send_to(&format!("{path}/{action}?data=sandbox"), &[("data", "sandbox"), ("entry", &note), (&field, "x")]).await;
            assert_eq!(other.status, 404, "{action}");
        }
        let stranger = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(stranger), Role::Owner, "owner@elm.example.com").await;
        let mut foreign = signed_in(&app, &stranger).await;
        foreign.send_to(&format!("{path}/delete-note"), &[("data", "sandbox"), ("entry", &note)]).await;
        assert_eq!(foreign.status, 404);

        // Bad input keeps what was typed, in its own field.
        for (text, said) in [(" ", "Please write something."), (&*"ö".repeat(4_001), "this one has 4001"), ("a\u{202e}b", "an invisible character")] {
            author.open(&page).await;
            author.submit_to(&format!("{path}/edit-note"), &[(&field, text)]).await;
            author.shows(422, said);
            author.shows(422, &format!("href=\"#{field}\""));
        }

        // Two tabs: the second is told, and what it typed stays.
        let mut second = signed_in(&app, &maya).await;
        second.open(&page).await;
        author.open(&page).await;
        author.submit_to(&format!("{path}/edit-note"), &[(&field, "Three layers")]).await;
        author.shows(200, "Three layers");
        author.shows(200, "edited");
        author.shows(200, "Maya Lindqvist edited a note");
        second.submit_to(&format!("{path}/edit-note"), &[(&field, "Four layers")]).await;
        second.shows(422, "It now says: “Three layers”");
        second.shows(422, ">Four layers</textarea>");
        second.submit_to(&format!("{path}/edit-note"), &[(&field, "Four layers")]).await;
        second.shows(200, "Four layers");
        // A tab that has not seen that does not delete it.
        author.submit_to(&format!("{path}/delete-note"), &[]).await;
        author.shows(422, "so we didn’t delete it");
        author.shows(422, "Four layers");
        second.open(&page).await;
        author.open(&page).await;
        author.submit_to(&format!("{path}/delete-note"), &[]).await;
        author.shows(200, "Note deleted.");
        author.shows(200, "Maya Lindqvist deleted a note");
        assert!(!author.html.contains("Four layers"), "{}", author.html);
        // What another tab types into a deleted note becomes a new one.
        second.submit_to(&format!("{path}/edit-note"), &[(&field, "Five layers")]).await;
        second.shows(422, "You deleted that note in another window.");
        second.shows(422, ">Five layers</textarea>");
        second.submit_to(&format!("{path}/note"), &[("note", "Five layers")]).await;
        second.shows(200, "Five layers");
        // Sent twice, it is deleted once.
        second.send_to(&format!("{path}/delete-note"), &[("data", "sandbox"), ("entry", &note)]).await;
        assert_eq!(second.status, 200, "{}", second.html);
        let said = audited(&app).await;
        assert_eq!(said.iter().filter(|what| *what == "note.edited").count(), 2, "{said:?}");
        assert_eq!(said.iter().filter(|what| *what == "note.deleted").count(), 1, "{said:?}");
        let texts = app.texts("SELECT text FROM lead_entry").await;
        assert!(texts.iter().all(|text| text.starts_with('~')), "{texts:?}");
    }

    async fn status_and_assignee_save_themselves_and_a_refusal_puts_back_what_holds(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let (maya, luis) = two(&app).await;
        let lead = ids(&app).await[0].clone();
        let path = format!("/portal/leads/{lead}");
        let (one, other) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await);
        let status = format!("{path}/status?data=sandbox");
        let set = |value, seen| [("data", "sandbox"), ("status", value), ("seen", seen)];
        let saved = at_once(&app, &one, &status, &set("qualified", "new")).await;
        assert_eq!(saved, (200, json!({ "saved": true, "said": "Saved.", "value": "qualified" })));
        app.clock.advance(std::time::Duration::from_secs(120));
        let (code, answer) = at_once(&app, &other, &status, &set("contacted", "new")).await;
        assert_eq!((code, &answer["saved"], &answer["value"]), (409, &json!(false), &json!("qualified")));
        let said = answer["said"].as_str().unwrap();
        assert!(said.starts_with("Maya Lindqvist changed it to Qualified: ") && said.ends_with("Your change was not saved."), "{said}");
        let (code, answer) = at_once(&app, &other, &status, &set("lukewarm", "qualified")).await;
        assert_eq!((code, &answer["value"]), (422, &json!("qualified")));
        let lost = at_once(&app, &other, &status, &set("lost", "qualified")).await;
        assert_eq!(lost.1["said"], "Saved. You can say below why it was lost.");

        let assign = format!("{path}/assign?data=sandbox");
        let (maya_id, luis_id) = (maya.id.to_string(), luis.id.to_string());
        let give = |to, seen| [("data", "sandbox"), ("assignee", to), ("seen", seen)];
        let given = at_once(&app, &one, &assign, &give(&luis_id, "")).await;
        assert_eq!(given, (200, json!({ "saved": true, "said": "Saved.", "value": luis_id })));
        let (code, answer) = at_once(&app, &other, &assign, &give(&maya_id, "")).await;
        assert_eq!((code, &answer["value"]), (409, &json!(luis_id)));
        assert!(answer["said"].as_str().unwrap().starts_with("Maya Lindqvist changed it to Luis Ferreira"), "{answer}");
        let none = at_once(&app, &one, &assign, &give("", &luis_id)).await;
        assert_eq!(none.1["value"], "");

        // Gone meanwhile, another company's, or nobody's: no JSON that a script would take for an answer.
        let stranger = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(stranger), Role::Owner, "owner@elm.example.com").await;
        let foreign = signed_in(&app, &stranger).await;
        assert_eq!(at_once(&app, &foreign, &status, &set("won", "lost")).await, (404, Value::Null));
        let nobody = Browser::new(&app);
        assert_eq!(at_once(&app, &nobody, &status, &set("won", "lost")).await.0, 303);
        let sandbox = Tenant { account: app.account, environment: Environment::Sandbox };
        app.store.leads().erase(&sandbox, lead.parse().unwrap()).await.unwrap();
        assert_eq!(at_once(&app, &one, &status, &set("won", "lost")).await, (404, Value::Null));
    }

    async fn a_lost_lead_is_asked_why_and_forgets_it_when_it_is_not_lost(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let (maya, _) = two(&app).await;
        let lead = ids(&app).await[0].clone();
        let path = format!("/portal/leads/{lead}");
        let page = format!("{path}?data=sandbox");
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&page).await;
        assert!(!browser.html.contains("Why was it lost?"), "{}", browser.html);
        browser.submit_to(&format!("{path}/status"), &[("status", "lost")]).await;
        browser.shows(200, "Why was it lost?");
        browser.submit_to(&format!("{path}/loss"), &[("loss-more", "Moved away")]).await;
        browser.shows(422, "Please choose a reason.");
        browser.shows(422, "value=\"Moved away\"");
        browser.submit_to(&format!("{path}/loss"), &[("loss", "other"), ("loss-more", &"x".repeat(301))]).await;
        browser.shows(422, "Please shorten it.");
        browser.submit_to(&format!("{path}/loss"), &[("loss", "other"), ("loss-more", "Moved <away>")]).await;
        browser.shows(200, "Maya Lindqvist noted why it was lost: Another reason. “Moved &lt;away&gt;”");
        browser.shows(200, "value=\"other\" checked");
        browser.shows(200, "value=\"Moved &lt;away&gt;\"");
        // In what is exported of the person.
        let sandbox = Tenant { account: app.account, environment: Environment::Sandbox };
        let stored = app.store.leads().find(&sandbox, lead.parse().unwrap()).await.unwrap().unwrap();
        let person = shingle_store::Person { email: stored.email.clone(), phone: None };
        let exported = serde_json::to_value(app.store.leads().export_person(&sandbox, &person).await.unwrap()).unwrap();
        assert_eq!(exported[0]["loss"], json!({ "reason": "other", "more": "Moved <away>" }));
        browser.open("/portal/leads?data=sandbox&loss=other").await;
        browser.shows(200, "Loss reason: Another reason");
        browser.shows(200, "1 lead");
        let csv = app.get("/portal/leads.csv?data=sandbox&loss=other").header("cookie", browser.cookies());
        let csv = fetch(csv).await.text().await.unwrap();
        assert!(csv.contains("Loss reason") && csv.contains("Another reason. Moved <away>"), "{csv}");
        browser.open("/portal/leads?data=sandbox&loss=price").await;
        browser.shows(200, "No lead matches");
        browser.open(&format!("{path}?data=sandbox")).await;
        let sealed = app.texts("SELECT loss_more FROM lead_work").await;
        assert!(sealed.len() == 1 && sealed[0].starts_with('~'), "{sealed:?}");

        // Another page still shows the form when it is not lost any more.
        let mut late = signed_in(&app, &maya).await;
        late.open(&page).await;
        browser.submit_to(&format!("{path}/status"), &[("status", "contacted")]).await;
        assert!(!browser.html.contains("Why was it lost?"), "{}", browser.html);
        late.submit_to(&format!("{path}/loss"), &[("loss", "price")]).await;
        late.shows(200, "no longer lost");
        assert_eq!(app.store.leads().loss(&sandbox, lead.parse().unwrap()).await.unwrap(), None);
        browser.submit_to(&format!("{path}/status"), &[("status", "lost")]).await;
        assert!(!browser.html.contains("Moved &lt;away&gt;\""), "it was forgotten: {}", browser.html);
        // By the API too.
        browser.submit_to(&format!("{path}/loss"), &[("loss", "price")]).await;
        let patch = app.api(Method::PATCH, &format!("/api/v1/leads/{lead}")).body(json!({ "status": "won" }).to_string());
        assert_eq!(send(patch).await.0, 200);
        assert_eq!(app.store.leads().loss(&sandbox, lead.parse().unwrap()).await.unwrap(), None);
    }

    async fn a_contact_is_corrected_and_the_consent_stays_as_it_was_given(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let (maya, luis) = two(&app).await;
        let lead = ids(&app).await[0].clone();
        let path = format!("/portal/leads/{lead}");
        let page = format!("{path}?data=sandbox");
        let edit = format!("{path}/edit");
        let of_api = async || send(app.api(Method::GET, &format!("/api/v1/leads/{lead}"))).await.1;
        let before = of_api().await;
        let all = |changed: &[(&'static str, &'static str)]| {
            let now = [
                ("first-name", "Ann"),
                ("last-name", "Whitfield"),
                ("contact-phone", "(207) 555-0143"),
                ("contact-email", "whitfield@example.com"),
                ("home-address", before["address"].as_str().unwrap()),
            ];
            let with = |(name, value): (&'static str, &str)| {
                let typed = changed.iter().find(|(other, _)| *other == name).map_or(value, |(_, typed)| typed);
                (name, typed.to_owned())
            };
            now.map(with)
        };
        let mut browser = signed_in(&app, &maya).await;
        for (field, typed, said) in [
            ("first-name", " ", "Please type the name."),
            ("contact-email", "ann", "Please type an email address"),
            ("contact-phone", "+44 20 7946 0958", "has 10 digits; this one has 12"),
            ("contact-phone", "call me", "digits only"),
            ("home-address", "", "Please type the address."),
            ("home-address", "14\u{202e}x", "an invisible character"),
        ] {
            browser.open(&page).await;
            let typed = all(&[(field, typed)]);
            browser.submit_to(&edit, &typed.each_ref().map(|(name, value)| (*name, value.as_str()))).await;
            browser.shows(422, said);
            browser.shows(422, &format!("href=\"#{field}\""));
        }
        assert_eq!(of_api().await["updatedAt"], before["updatedAt"], "nothing was saved");

        browser.open(&page).await;
        let typed = all(&[("last-name", "O’Neil <x>"), ("contact-phone", "207.555.0199"), ("contact-email", "dana@example.com")]);
        browser.submit_to(&edit, &typed.each_ref().map(|(name, value)| (*name, value.as_str()))).await;
        browser.shows(200, "Maya Lindqvist changed the last name: Whitfield → O’Neil &lt;x&gt;");
        browser.shows(200, "Maya Lindqvist changed the phone: (207) 555-0143 → (207) 555-0199");
        browser.shows(200, "Maya Lindqvist changed the email: whitfield@example.com → dana@example.com");
        browser.shows(200, "Consent was given for (207) 555-0143, not for the new number.");
        browser.shows(200, "Homeowner agreed to calls and texts");
        assert!(!browser.html.contains("May call and text"), "{}", browser.html);
        let after = of_api().await;
        assert_eq!((&after["phone"], &after["email"]), (&json!("(207) 555-0199"), &json!("dana@example.com")));
        // Nothing claims a consent for the new number; what was agreed to, and when, stays.
        let mut of_new = before["consent"].clone();
        of_new["given"] = json!(false);
        assert_eq!((&after["consent"], &after["estimate"]), (&of_new, &before["estimate"]));
        let csv = fetch(app.get("/portal/leads.csv?data=sandbox&headings=names").header("cookie", browser.cookies())).await.text().await.unwrap();
        assert!(csv.contains("(207) 555-0199") && csv.contains(",No,"), "{csv}");
        // With the old number, its consent is back; then the correction again.
        for (phone, given) in [("(207) 555-0143", true), ("207-555-0199", false)] {
            browser.open(&page).await;
            let typed = all(&[("last-name", "O’Neil <x>"), ("contact-phone", phone), ("contact-email", "dana@example.com")]);
            browser.submit_to(&edit, &typed.each_ref().map(|(name, value)| (*name, value.as_str()))).await;
            assert_eq!(of_api().await["consent"]["given"], given, "{phone}");
            assert_eq!(browser.html.contains("not for the new number"), !given, "{phone}");
        }
        assert_eq!(audited(&app).await.iter().filter(|what| *what == "lead.edited").count(), 3);
        // Found by what it is now.
        browser.open("/portal/leads?data=sandbox&search=dana@example.com").await;
        browser.shows(200, "Ann O’Neil");

        // Two at once: different fields are both kept, one field is for the second to choose.
        let mut other = signed_in(&app, &luis).await;
        browser.open(&page).await;
        other.open(&page).await;
        let fields = |first: &'static str, phone: &'static str| {
            [("first-name", first), ("last-name", "O’Neil <x>"), ("contact-phone", phone), ("contact-email", "dana@example.com")]
        };
        let address = before["address"].as_str().unwrap().to_owned();
        let with_address = |fields: [(&'static str, &'static str); 4]| {
            fields.into_iter().map(|(name, value)| (name, value.to_owned())).chain([("home-address", address.clone())]).collect::<Vec<_>>()
        };
        app.clock.advance(std::time::Duration::from_secs(1));
        let mine = with_address(fields("Dana", "(207) 555-0199"));
        browser.submit_to(&edit, &mine.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>()).await;
        browser.shows(200, "Saved.");
        let theirs = with_address(fields("Diana", "(207) 555-0111"));
        other.submit_to(&edit, &theirs.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>()).await;
        other.shows(409, "Maya Lindqvist changed this lead");
        let card = other.html.split("id=\"conflict\"").nth(1).unwrap().split("</section>").next().unwrap().to_owned();
        assert!(card.contains("Diana") && card.contains(">Dana<"), "{card}");
        other.press("Use mine").await;
        other.shows(200, "Luis Ferreira changed the first name: Dana → Diana");
        assert_eq!(of_api().await["phone"], "(207) 555-0111");

        // Another address is looked up again; one that nobody knows stays as it was typed.
        browser.open(&page).await;
        let stored = app.store.leads();
        let sandbox = Tenant { account: app.account, environment: Environment::Sandbox };
        let moved = |address: &str| {
            let mut typed = with_address(fields("Diana", "(207) 555-0111"));
            typed[4].1 = address.to_owned();
            typed
        };
        let unknown = moved("1 Nowhere Lane, Nowhere, ME 04999");
        browser.submit_to(&edit, &unknown.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>()).await;
        browser.shows(200, "→ 1 Nowhere Lane, Nowhere, ME 04999");
        assert_eq!(of_api().await["estimate"], before["estimate"], "what the homeowner was shown stays");
        assert!(stored.drawing(&sandbox, lead.parse().unwrap()).await.unwrap().is_some());
        let back = moved("14 alder ct, harrow falls me 04995");
        browser.submit_to(&edit, &back.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>()).await;
        browser.shows(200, "→ 14 Alder Court, Harrow Falls, ME 04995");
        assert_eq!(of_api().await["estimate"], before["estimate"]);
        assert!(stored.drawing(&sandbox, lead.parse().unwrap()).await.unwrap().is_some());
        // Sent again, nothing changes.
        let entries = app.number("SELECT COUNT(*) FROM lead_entry").await;
        browser.submit_to(&edit, &back.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>()).await;
        assert_eq!(browser.status, 200);
        assert_eq!(app.number("SELECT COUNT(*) FROM lead_entry").await, entries);
    }
}
