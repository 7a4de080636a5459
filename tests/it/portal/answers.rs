//! Whatever a homeowner sends has a place where the company looks.

use std::process::Command;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::Role;
use shingle_domain::answers::SentAnswers;
use shingle_domain::lead::{ContactTime, LeadChannel, LeadSource};
use shingle_domain::public::{
    AddressChoice, ConsentChoice, InspectionRequest, LeadChange, LeadSubmission, WishRequest,
};
use shingle_domain::roof::RoofMaterial;
use shingle_store_fixture::on_both_engines;
use shingle_testing::smtp::{ReceivedMail, SmtpServer};

use super::push::{read, subscribe, to_this_machine};
use super::{signed_in, user};
use crate::notices::{link, set, text, to};
use crate::support::receiver::{Receiver, Reply};
use crate::support::{TestApp, fetch, send};

/// What the company reads in a field's place, in English and in Spanish.
struct Places {
    page: [&'static str; 2],
    mail: [&'static str; 2],
    table: [&'static str; 2],
}

enum Field {
    Seen(Places),
    /// Nobody reads it: why.
    Machine(&'static str),
}

fn seen(english: &'static str, spanish: &'static str) -> Field {
    let both = [english, spanish];
    Field::Seen(Places { page: both, mail: both, table: both })
}

fn same(text: &'static str) -> Field {
    seen(text, text)
}

/// Of the form, by its path. A field that is not here fails the test.
fn of_the_form(path: &str) -> Option<Field> {
    Some(match path {
        "token" | "altcha" => Field::Machine("proves that the page was admitted"),
        "idempotencyKey" => Field::Machine("makes one lead of two sendings"),
        "leadId" | "leadToken" => Field::Machine("names the lead that is changed"),
        "website" | "elapsedMs" | "acts" => Field::Machine("tells people from programs"),
        "lang" => Field::Machine("the language of the receipt; the lead has the one of its source"),
        "buildings" => Field::Machine("what the estimate is the sum of"),
        "address.line" => same("14 Alder Court"),
        "firstName" => same("Quentin"),
        "lastName" => same("Marlowe"),
        "email" => same("quentin@example.com"),
        "phone" => same("(207) 555-0143"),
        "preferredContactTime" => seen("Afternoons", "Por la tarde"),
        "message" => same("Two chimneys."),
        "consent.given" => Field::Seen(Places {
            page: ["May call and text", "Se puede llamar y enviar mensajes"],
            mail: ["Calls and texts: agreed", "Llamadas y mensajes: aceptó"],
            table: ["Yes", "Sí"],
        }),
        // The mail says what was agreed to, the certificate in which words.
        "consent.text" => Field::Seen(Places { page: ["Oak Roofing"; 2], mail: [""; 2], table: ["Oak Roofing"; 2] }),
        "source.via" => Field::Seen(Places {
            page: ["QR code", "Código QR"],
            mail: ["A QR code", "Un código QR"],
            table: ["QR code", "Código QR"],
        }),
        // The server takes it from the words that were agreed to.
        "source.language" => seen("English", "Inglés"),
        "source.pageUrl" => same("https://oak.example.com/roofs"),
        "source.referrer" => same("https://search.example.com/"),
        "source.utmSource" => same("flyer"),
        "source.utmMedium" => same("mailbox"),
        "source.utmCampaign" => same("spring"),
        "source.utmTerm" => same("shingles"),
        "source.utmContent" => same("back side"),
        "source.clickId" => same("gclid"),
        _ => return None,
    })
}

/// Of what is sent after the estimate.
fn of_the_change(path: &str) -> Option<Field> {
    Some(match path {
        "leadToken" => Field::Machine("proves whose lead it is"),
        "lang" => Field::Machine("the language of the receipt"),
        "roofMaterial" => same("metal"),
        "preferredContactTime" => Field::Machine("the answers say it anew"),
        "message" => same("Three chimneys."),
        "inspection.wishes.0.date" => seen("Mar 13", "13 mar"),
        "inspection.wishes.0.part" => seen("evening", "noche"),
        "inspection.wishes.1.date" => seen("Mar 11", "11 mar"),
        "inspection.wishes.1.part" => seen("morning", "mañana"),
        "inspection.contactBy" => seen("Email", "Correo"),
        "inspection.note" => same("Side gate is open."),
        "answers.roofAge" => seen("Over 20 years", "Más de 20 años"),
        "answers.leak" => seen("Leaks", "Goteras"),
        "answers.planned" => seen("Now", "Ahora"),
        "answers.contactBy" => seen("Text, evenings", "Mensaje de texto, por la noche"),
        "answers.contactTime" => seen("evenings", "por la noche"),
        "answers.note" => same("Ring the side door."),
        _ => return None,
    })
}

/// All of them: a new one does not compile until it is here.
fn form(token: String, consent: String) -> LeadSubmission {
    LeadSubmission {
        token,
        idempotency_key: Some("one".to_owned()),
        lead_id: None,
        lead_token: None,
        address: AddressChoice::Line("14 Alder Court, Harrow Falls, ME 04995".to_owned()),
        buildings: "0".to_owned(),
        first_name: "Quentin".to_owned(),
        last_name: "Marlowe".to_owned(),
        email: "quentin@example.com".to_owned(),
        phone: Some("(207) 555-0143".to_owned()),
        preferred_contact_time: Some(ContactTime::Afternoon),
        message: Some("Two chimneys.".to_owned()),
        consent: ConsentChoice { given: true, text: consent },
        lang: Some("en".to_owned()),
        source: LeadSource {
            via: LeadChannel::Qr,
            language: shingle_domain::Language::English,
            page_url: Some("https://oak.example.com/roofs".to_owned()),
            referrer: Some("https://search.example.com/".to_owned()),
            utm_source: Some("flyer".to_owned()),
            utm_medium: Some("mailbox".to_owned()),
            utm_campaign: Some("spring".to_owned()),
            utm_term: Some("shingles".to_owned()),
            utm_content: Some("back side".to_owned()),
            click_id: Some("gclid=a1b2".to_owned()),
        },
        website: String::new(),
        elapsed_ms: 20_000,
        acts: Some(9),
        altcha: None,
    }
}

fn change(lead_token: String) -> LeadChange {
    let wish = |date: &str, part: &str| WishRequest { date: date.to_owned(), part: part.to_owned() };
    LeadChange {
        lead_token,
        roof_material: Some(RoofMaterial::Metal),
        preferred_contact_time: None,
        message: Some("Three chimneys.".to_owned()),
        lang: None,
        inspection: Some(InspectionRequest {
            wishes: vec![wish("2026-03-13", "evening"), wish("2026-03-11", "morning")],
            contact_by: "email".to_owned(),
            note: Some("Side gate is open.".to_owned()),
        }),
        answers: Some(SentAnswers {
            roof_age: Some("over-20".to_owned()),
            leak: Some("leak".to_owned()),
            planned: Some("now".to_owned()),
            contact_by: Some("text".to_owned()),
            contact_time: Some("evening".to_owned()),
            note: Some("Ring the side door.".to_owned()),
        }),
    }
}

/// The paths of all values: `consent.given`, `inspection.wishes.0.date`.
fn paths(of: &Value, at: &str, into: &mut Vec<String>) {
    let under = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
    match of {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| paths(value, &under(name), into)),
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(n, value)| paths(value, &under(&n.to_string()), into));
        }
        _ => into.push(at.to_owned()),
    }
}

fn one_line(text: &str) -> String {
    let text = text.replace("&nbsp;", " ").replace('\u{a0}', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the company reads of one lead, in one language.
struct Read {
    page: String,
    mail: String,
    table: String,
}

async fn read_by(app: &TestApp, browser: &mut super::Browser<'_>, id: &str, mails: &str) -> Read {
    browser.open(&format!("/portal/leads/{id}?data=sandbox")).await;
    assert_eq!(browser.status, 200, "{}", browser.html);
    let csv = app.get("/portal/leads.csv?data=sandbox").header("cookie", browser.cookies());
    let csv = fetch(csv.header("accept-language", browser.speaks)).await.text().await.unwrap();
    Read { page: one_line(&browser.html), mail: one_line(mails), table: one_line(&csv) }
}

fn look(sent: &Value, place_of: fn(&str) -> Option<Field>, language: usize, read: &Read, missing: &mut Vec<String>) {
    let mut all = Vec::new();
    paths(sent, "", &mut all);
    for path in all {
        let Some(field) = place_of(&path) else {
            missing.push(format!("{path} has no place"));
            continue;
        };
        let places = match field {
            Field::Seen(places) => places,
            Field::Machine(why) => {
                assert!(!why.is_empty());
                continue;
            }
        };
        for (place, text, wanted) in
            [("page", &read.page, places.page), ("mail", &read.mail, places.mail), ("table", &read.table, places.table)]
        {
            if !text.contains(wanted[language]) {
                missing.push(format!("{path} is not in the {place}: {:?}", wanted[language]));
            }
        }
    }
}

fn mails_to(mails: &[ReceivedMail], address: &str) -> String {
    let own = mails.iter().filter(|mail| to(mail) == address);
    own.map(|mail| text(mail).replace("=\n", "")).collect::<Vec<_>>().join("\n")
}

/// What a reader of the PDF sees, in one line.
fn printed(pdf: &[u8]) -> Option<String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pdf).unwrap();
    let read = Command::new("pdftotext").arg(file.path()).arg("-").output();
    let Ok(read) = read else {
        shingle_testing::skip("pdftotext (poppler-utils) is missing");
        return None;
    };
    assert!(read.status.success(), "{read:?}");
    Some(one_line(&String::from_utf8(read.stdout).unwrap()))
}

on_both_engines! {
    async fn every_field_of_a_submission_has_a_place(f: Fixture) {
        let server = SmtpServer::start();
        let port = server.port();
        let app = TestApp::start_with(f, |settings| {
            to_this_machine(settings);
            settings.smtp_url = Some(format!("smtp://127.0.0.1:{port}").as_str().into());
            settings.mail_from = Some("Shingle <leads@shingle.example>".to_owned());
        })
        .await;
        app.widget().await;
        let (ann, bea) = ("ann@oak.example.com", "bea@oak.example.com");
        set(&app, json!({ "recipients": [{ "email": ann }, { "email": bea, "language": "es" }] })).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut english = signed_in(&app, &maya).await;
        let mut spanish = signed_in(&app, &maya).await;
        spanish.speaks = "es";
        let mut phone = Receiver::start(Reply::Status(201)).await;
        assert_eq!(subscribe(&english, &app, &phone.url()).await, "/portal/phone?said=on");

        let sample = app.submission().await;
        let consent = sample["consent"]["text"].as_str().unwrap().to_owned();
        let form = serde_json::to_value(form(sample["token"].as_str().unwrap().to_owned(), consent)).unwrap();
        let (status, receipt) = app.send_lead(&form).await;
        assert_eq!(status, 201, "{receipt}");
        let id = receipt["id"].as_str().unwrap().to_owned();
        app.engine.work_off().await;
        let first = server.mails();
        let pushed = read(&phone.next().await);
        assert_eq!(pushed["title"], "Quentin Marlowe");
        assert!(pushed["body"].as_str().unwrap().contains("Afternoons"), "{pushed}");
        let mut missing = Vec::new();
        for (language, browser, address) in [(0, &mut english, ann), (1, &mut spanish, bea)] {
            let read = read_by(&app, browser, &id, &mails_to(&first, address)).await;
            look(&form, of_the_form, language, &read, &mut missing);
        }

        let change = serde_json::to_value(change(receipt["leadToken"].as_str().unwrap().to_owned())).unwrap();
        let (status, answer) = send(app.page(Method::PATCH, &format!("/leads/{id}")).body(change.to_string())).await;
        assert_eq!(status, 200, "{answer}");
        app.clock.advance(Duration::from_secs(61));
        app.engine.work_off().await;
        let second = server.mails();
        let pushed = read(&phone.next().await);
        assert_eq!(pushed["title"], "Quentin Marlowe, leaks now");
        for part in ["14 Alder Court", "$", "Leaks, Now, Over 20 years, Text, evenings", "Mar 13, evening"] {
            assert!(pushed["body"].as_str().unwrap().contains(part), "{part}: {pushed}");
        }
        for (language, browser, address) in [(0, &mut english, ann), (1, &mut spanish, bea)] {
            let read = read_by(&app, browser, &id, &mails_to(&second, address)).await;
            look(&change, of_the_change, language, &read, &mut missing);
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));

        // On a phone, the page's order is the screen's: status and assignee are one row on top; then what was answered, then
        // what is done about it.
        english.open(&format!("/portal/leads/{id}?data=sandbox")).await;
        let at = |part: &str| english.html.find(part).unwrap_or_else(|| panic!("{part}: {}", english.html));
        assert!(at("id=\"assignee\"") < at("What Quentin told you"));
        for after in ["id=\"reply\"", "Next step", "Notes"] {
            assert!(at("What Quentin told you") < at(after), "{after}");
        }
        let mail = second.iter().find(|mail| to(mail) == ann).unwrap();
        let pdf = fetch(app.get(&link(&app, mail, "/estimate.pdf?"))).await.bytes().await.unwrap();
        if let Some(printed) = printed(&pdf) {
            for told in ["Leaks", "Over 20 years", "Text, evenings", "Three chimneys.", "Ring the side door.", "Mar 13, evening", "Side gate is open."] {
                assert!(printed.contains(told), "{told} is not in the company's PDF: {printed}");
            }
        }

        english.open("/portal/leads?data=sandbox").await;
        for shown in ["want hot\">Leaks", "want hot\">Now", "want\">Text, evenings"] {
            english.shows(200, shown);
        }
        let reference = receipt["reference"].as_str().unwrap();
        let joined = reference.replace('-', "").to_lowercase();
        for words in ["marlowe", "alder", "5550143", "quentin@example.com", "chimneys", "side door", "gate", "leak", reference, &joined] {
            english.open(&format!("/portal/leads?data=sandbox&search={}", words.replace(' ', "+"))).await;
            assert!(english.html.contains("Quentin Marlowe"), "{words}: {}", english.html);
        }
        for (filter, found) in [("leaks", true), ("now", true), ("old-roof", true), ("text", true), ("damage", false), ("call", false)] {
            english.open(&format!("/portal/leads?data=sandbox&wants={filter}")).await;
            assert_eq!(english.html.contains("Quentin Marlowe"), found, "{filter}");
        }
    }

    async fn the_answers_are_mailed_once_and_only_where_the_lead_was_mailed_without_them(f: Fixture) {
        let (app, server) = crate::notices::start(f).await;
        app.widget().await;
        let (_, receipt) = app.send_lead(&app.submission().await).await;
        let id = receipt["id"].as_str().unwrap();
        let answer = |answers: Value| {
            let body = json!({ "leadToken": receipt["leadToken"], "answers": answers });
            send(app.page(Method::PATCH, &format!("/leads/{id}")).body(body.to_string()))
        };
        app.engine.work_off().await;
        assert_eq!(server.mails().len(), 1);
        assert_eq!(answer(json!({ "leak": "leak" })).await.0, 200);
        app.clock.advance(Duration::from_secs(30));
        assert_eq!(answer(json!({ "planned": "now", "contactBy": "text" })).await.0, 200);
        app.engine.work_off().await;
        assert!(server.mails().is_empty(), "it waits for the other answers");
        app.clock.advance(Duration::from_secs(31));
        app.engine.work_off().await;
        let mails = server.mails();
        assert_eq!(mails.len(), 1);
        let message = crate::notices::parse(&mails[0]);
        assert!(message.subject().unwrap().starts_with("Test: new answers: Ann Sample, leaks now, 14 Alder Court"), "{:?}", message.subject());
        assert_eq!(answer(json!({ "roofAge": "over-20" })).await.0, 200);
        app.clock.advance(Duration::from_secs(3_600));
        app.engine.work_off().await;
        assert!(server.mails().is_empty(), "once");

        // Answered before anybody was told: the notice of the lead has them.
        let mut sent = app.submission().await;
        sent["address"] = json!({ "line": "16 Alder Court" });
        let (_, receipt) = app.send_lead(&sent).await;
        let body = json!({ "leadToken": receipt["leadToken"], "answers": { "leak": "leak" } });
        let path = format!("/leads/{}", receipt["id"].as_str().unwrap());
        assert_eq!(send(app.page(Method::PATCH, &path).body(body.to_string())).await.0, 200);
        app.clock.advance(Duration::from_secs(120));
        app.engine.work_off().await;
        let subjects: Vec<String> =
            server.mails().iter().map(|mail| crate::notices::parse(mail).subject().unwrap().to_owned()).collect();
        assert_eq!(subjects.len(), 1, "{subjects:?}");
        assert!(subjects[0].starts_with("Test lead: Ann Sample, leaks now"), "{subjects:?}");
    }
}
