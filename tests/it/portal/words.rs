//! In which language the portal speaks: the browser's where nobody is signed in, then that of the user, and no English between.

use std::collections::BTreeMap;

use reqwest::Method;
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;
use shingle_web::portal::{Access, access_table};

use super::browser::Browser;
use super::{connections, imports, leads, mail, signed_in, user, with_mail, word};
use crate::deliveries::open;
use crate::support::form::Form;
use crate::support::receiver::{Receiver, Reply};
use crate::support::{TestApp, fetch, header};

/// English and Spanish of every sentence, and of every message that other crates make.
fn sentences() -> BTreeMap<String, String> {
    let [mut all, messages]: [BTreeMap<String, String>; 2] =
        [include_str!("../../../www/words/portal-es.json"), include_str!("../../../www/words/messages-es.json")]
            .map(|file| serde_json::from_str(file).unwrap());
    let lists = [shingle_domain::MESSAGES, shingle_store::MESSAGES, shingle_deliver::MESSAGES, shingle_app::MESSAGES];
    all.extend(lists.concat().concat().into_iter().map(|(key, english)| (english.to_owned(), messages[key].clone())));
    all
}

/// Fewer fixed letters than these are in too many texts that are not ours.
const MIN_LETTERS: usize = 6;

/// An English sentence as it would be in a page: the parts around what is filled in.
struct English {
    sentence: String,
    parts: Vec<String>,
}

impl English {
    fn all() -> Vec<Self> {
        let differs = sentences().into_iter().filter(|(english, spanish)| english != spanish);
        let of = |sentence: String| {
            let mut parts = Vec::new();
            for part in sentence.trim().split('{') {
                parts.push(part.split_once('}').map_or(part, |(_, rest)| rest).to_owned());
            }
            Self { parts, sentence }
        };
        let all = differs.map(|(english, _)| of(english));
        all.filter(|english| english.parts.len() == 1 || english.letters() >= MIN_LETTERS).collect()
    }

    fn letters(&self) -> usize {
        self.parts.iter().flat_map(|part| part.chars()).filter(|c| c.is_alphabetic()).count()
    }

    fn is(&self, text: &str) -> bool {
        let [first, between @ ..] = self.parts.as_slice() else { return false };
        let [between @ .., last] = between else { return first == text };
        let Some(mut rest) = text.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str())) else {
            return false;
        };
        for part in between {
            let Some((_, behind)) = rest.split_once(part.as_str()) else { return false };
            rest = behind;
        }
        true
    }
}

/// What people read of a page, or hear: texts, and attributes that are read out or that scripts show.
fn read(html: &str) -> Vec<String> {
    const SAID: [&str; 10] = [
        "aria-label",
        "alt",
        "title",
        "placeholder",
        "data-l",
        "data-one",
        "data-many",
        "data-some",
        "data-back",
        "data-away",
    ];
    let mut found = Vec::new();
    let mut rest = html;
    while let Some((text, tag)) = rest.split_once('<') {
        found.push(plain(text));
        let (tag, behind) = tag.split_once('>').unwrap();
        for name in SAID {
            let value = tag.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
            found.extend(value.map(plain));
        }
        rest = behind;
        // Code, what was typed, and what is said to be in English.
        let skipped = ["textarea", "pre"].into_iter().find(|name| tag.split(' ').next() == Some(name));
        if let Some(name) = skipped {
            rest = rest.split_once(&format!("</{name}>")).unwrap().1;
        }
        // Two letters of a name, as a picture.
        if tag.contains("class=\"letters\"") {
            rest = rest.split_once("</span>").unwrap().1;
        }
        if tag.contains(" lang=\"en\"") {
            let end = format!("</{}>", tag.split(' ').next().unwrap());
            rest = rest.split_once(&end).unwrap().1;
        }
    }
    found.retain(|text| !text.is_empty());
    found
}

fn plain(text: &str) -> String {
    let text = text.replace("&quot;", "\"").replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&amp;", "&").trim().to_owned()
}

/// That the page is Spanish, and how many texts it has.
fn is_spanish(english: &[English], path: &str, html: &str) -> usize {
    assert!(html.contains("<html lang=\"es\""), "{path}: {}", &html[..200.min(html.len())]);
    let texts = read(html);
    let left: Vec<_> = texts
        .iter()
        .filter_map(|text| {
            let found = english.iter().find(|english| english.is(text))?;
            Some(format!("{text:?} is {:?}", found.sentence))
        })
        .collect();
    assert!(left.is_empty(), "{path} has English:\n{}", left.join("\n"));
    texts.len()
}

/// A widget of the company with a draft, made in the portal.
async fn widget(app: &TestApp, browser: &Browser<'_>) -> String {
    let send = async |path: &str, form: Form| {
        let request = app.request(Method::POST, path).header("sec-fetch-site", "same-origin");
        let response = fetch(request.header("cookie", browser.cookies()).multipart(form.build())).await;
        assert_eq!(response.status(), 303, "{path}");
        header(&response, "location").to_owned()
    };
    let form = Form::empty()
        .set("companyName", "Oak")
        .set("companyPhone", "(207) 555-0143")
        .set("companyEmail", "a@oak.example.com");
    let form = form
        .set("companyAddress", "5 Mill St")
        .set("companyUrl", "https://oak.loopback.example:9")
        .set("installedPrice", "650");
    let made = send("/portal/widgets", form.set("footerPirvacyPolicyLink", "https://oak.example.com/p")).await;
    let path = made.split('?').next().unwrap().to_owned();
    let page = fetch(app.get(&path).header("cookie", browser.cookies())).await.text().await.unwrap();
    let seen = page.split("?seen=").nth(1).unwrap().split('"').next().unwrap().to_owned();
    send(
        &format!("{path}?seen={seen}"),
        Form::empty().set("firstPageTitle", "Su techo").set("primaryColor", "#aa0000"),
    )
    .await;
    path.rsplit('/').next().unwrap().to_owned()
}

/// Seen signed out, or by somebody who is, in the browser's language.
fn is_open(route: &str) -> bool {
    access_table().find(&Method::GET, route).is_some_and(|page| page.access == Access::Open)
}

on_both_engines! {
    async fn pages_seen_signed_out_follow_the_browser(f: Fixture) {
        let app = TestApp::start(f).await;
        let english = English::all();
        let paths = [
            ("/portal/sign-in", 200),
            ("/portal/sign-in/recovery", 200),
            ("/setup", 200),
            ("/portal/offline", 200),
            ("/portal/invite?token=x", 410),
            ("/portal/sign-in/link?token=x", 410),
        ];
        for (asked, language) in [
            ("es", "es"),
            ("es-MX,es;q=0.9,en;q=0.8", "es"),
            ("ES_419", "es"),
            ("en;q=0.4, es;q=0.9", "es"),
            ("de, es;q=0.3", "es"),
            ("en-US,en;q=0.9,es;q=0.8", "en"),
            ("es;q=0", "en"),
            ("de-DE", "en"),
            ("", "en"),
        ] {
            for (path, status) in paths {
                let response = fetch(app.get(path).header("accept-language", asked)).await;
                assert_eq!(response.status(), status, "{path}");
                assert_eq!(header(&response, "vary"), "accept-language", "{path}");
                let html = response.text().await.unwrap();
                assert!(html.contains(&format!("<html lang=\"{language}\"")), "{path} for {asked:?}: {html}");
                if language == "es" {
                    is_spanish(&english, path, &html);
                }
            }
        }
        // Refusals too, no matter which code writes them.
        let spanish = |request: reqwest::RequestBuilder| request.header("accept-language", "es").header("accept", "text/html");
        let form = |path: &str, body: &'static str| {
            let request = app.request(Method::POST, path).header("content-type", "application/x-www-form-urlencoded");
            spanish(request.body(body))
        };
        let own = |path: &str, body: &'static str| form(path, body).header("sec-fetch-site", "same-origin");
        for (request, status, said) in [
            (form("/portal/sign-in", "email=x"), 403, "Desde otra página"),
            (own("/portal/sign-in/recovery", "email=maya&code=x"), 422, "Escriba una dirección de correo"),
            (own("/portal/sign-in/recovery", "email=a%40oak.example.com&code=x"), 422, "La dirección y el código no corresponden"),
            (own("/portal/sign-in/code", "code=1"), 410, "Esto ya no sirve"),
            (own("/setup", "name=A&email=a%40b.example&company=C&token=x"), 422, "Esta clave es incorrecta"),
            (own("/portal/sign-in/passkey/options", ""), 404, "Aquí no hay nada"),
        ] {
            let response = fetch(request).await;
            assert_eq!((response.status().as_u16(), header(&response, "vary")), (status, "accept-language"), "{said}");
            let html = response.text().await.unwrap();
            is_spanish(&english, said, &html);
            assert!(html.contains(said), "{said}: {html}");
        }
        // A script is answered as before.
        let script = app.request(Method::POST, "/portal/sign-in/passkey/options").header("sec-fetch-site", "same-origin");
        let response = fetch(script.header("accept", "*/*")).await;
        assert_eq!((response.status().as_u16(), header(&response, "vary")), (404, ""));
        assert_eq!(response.json::<serde_json::Value>().await.unwrap()["statusCode"], 404);
        // Too often: the last page of a guesser.
        let mut last = String::new();
        for _ in 0..40 {
            last = fetch(own("/portal/sign-in/recovery", "email=a%40oak.example.com&code=x")).await.text().await.unwrap();
        }
        assert!(last.contains("Demasiados intentos"), "{last}");
        is_spanish(&english, "too many", &last);
    }

    async fn somebody_joins_and_signs_in_in_spanish(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let english = English::all();
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/settings").await;
        browser.submit_to("/portal/settings/language", &[("language", "es")]).await;
        browser.open("/portal/people").await;
        browser.submit_to("/portal/people/invites", &[("email", "luz@oak.example.com"), ("role", "member")]).await;
        browser.shows(200, "Enviamos la invitación por correo");
        let mailed = mail(&server).await;
        assert!(mailed.contains("le invitó a unirse a") && mailed.contains("ignore este correo"), "{mailed}");
        let path = word(&mailed, &app.base)[app.base.len()..].to_owned();
        let mut luz = Browser::new(&app);
        luz.speaks = "es-MX,es;q=0.9";
        luz.open(&path).await;
        luz.shows(200, "Usted tiene una invitación. Miembro: solo prospectos.");
        luz.submit(&[("name", "")]).await;
        luz.shows(422, "Escriba un nombre.");
        is_spanish(&english, "invite", &luz.html);
        luz.submit(&[("name", "Luz Ferreira")]).await;
        luz.shows(200, "Le damos la bienvenida, Luz Ferreira");
        is_spanish(&english, "welcome", &luz.html);
        // Nothing is chosen: as the browser asks.
        luz.open("/portal/leads").await;
        is_spanish(&english, "leads", &luz.html);
        luz.open("/portal/usage").await;
        luz.shows(403, "Solo un titular de su empresa puede ver esto.");
        luz.speaks = "en";
        luz.open("/portal/leads").await;
        luz.shows(200, "<html lang=\"en\"");
        luz.press("Sign out").await;

        luz.speaks = "es";
        luz.open("/portal/sign-in").await;
        luz.submit(&[("email", "luz@oak.example.com")]).await;
        luz.shows(200, "Revise su correo");
        luz.submit(&[("code", "000000")]).await;
        luz.shows(422, "Quedan 4 intentos");
        is_spanish(&english, "code", &luz.html);
        let mailed = mail(&server).await;
        let code = mailed.split("Su código es ").nth(1).unwrap_or_else(|| panic!("{mailed}"));
        let code = code.split('\n').next().unwrap().trim().to_owned();
        let link = word(&mailed, &app.base)[app.base.len()..].to_owned();
        let mut other = Browser::new(&app);
        other.speaks = "es";
        other.open(&link).await;
        other.shows(200, "Este es otro navegador");
        is_spanish(&english, "other browser", &other.html);
        luz.open(&link).await;
        luz.shows(200, "¿Iniciar sesión como Luz Ferreira?");
        is_spanish(&english, "link", &luz.html);
        luz.open("/portal/sign-in/code").await;
        luz.submit(&[("code", &code)]).await;
        luz.shows(200, "Todavía no hay prospectos");
        // What somebody has chosen goes before what their browser asks for, in mails too.
        let mut browser = Browser::new(&app);
        browser.speaks = "en";
        browser.open("/portal/sign-in").await;
        browser.submit(&[("email", "owner@oak.example.com")]).await;
        assert!(mail(&server).await.contains("Su código es "));
    }

    async fn no_page_of_the_portal_has_english_in_it(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let english = English::all();
        leads::with_leads(&app, &["Whitfield", "Ferreira"]).await;
        let operator = user(&app, Some(app.account), Role::Operator, "operator@oak.example.com").await;
        let mut browser = signed_in(&app, &operator).await;
        browser.open("/portal/settings").await;
        browser.submit_to("/portal/settings/language", &[("language", "es")]).await;
        browser.open("/portal/people").await;
        browser.submit_to("/portal/people/invites", &[("email", "luz@oak.example.com"), ("role", "member")]).await;
        browser.open("/portal/keys").await;
        browser.submit_to("/portal/keys", &[("name", "Sitio"), ("data", "production")]).await;
        let lead = leads::ids(&app).await[0].clone();
        for (action, fields) in [
            ("take", &[][..]),
            ("note", &[("note", "Llamar el lunes")]),
            ("plan", &[("step", "Llamar"), ("due", "2026-12-01")]),
            ("status", &[("status", "won")]),
        ] {
            let seen = [("data", "sandbox"), ("seen", "new"), ("seen-step", ""), ("seen-due", "")];
            browser.send_to(&format!("/portal/leads/{lead}/{action}"), &[&seen[..], fields].concat()).await;
            is_spanish(&english, action, &browser.html);
        }
        let receiver = Receiver::start(Reply::With(200, "", "taken")).await;
        let url = receiver.url();
        browser.open("/portal/connections/new?of=webhook").await;
        let fill = [("name", "CRM"), ("url", url.as_str()), ("event", "lead.created"), ("timeoutSeconds", "3"), ("data", "sandbox")];
        browser.submit(&[&fill[..1], &[("url", "x")]].concat()).await;
        browser.shows(422, "Escriba");
        is_spanish(&english, "a refused webhook", &browser.html);
        browser.submit(&fill).await;
        browser.shows(200, "CRM");
        is_spanish(&english, "a webhook", &browser.html);
        let connection = connections::id_of(&browser);
        browser.open(&format!("/portal/connections/{connection}")).await;
        browser.submit_to(&format!("/portal/connections/{connection}/test"), &[]).await;
        let delivery = browser.path.rsplit('/').next().unwrap().to_owned();
        let import = imports::begun(&app, &mut browser, "hill.csv", imports::TOWN).await;
        let import = import.rsplit('/').next().unwrap().to_owned();
        let wrong = "dataset = \"x\"\n[address]\nline = { colum = \"LOC_ADDR\" }";
        browser.submit_to(&format!("/portal/operator/imports/{import}/text"), &[("text", wrong)]).await;
        browser.shows(422, "la correspondencia: error de TOML en la línea 3, columna 10");
        browser.shows(422, "ninguna clave se llama `colum` (¿quiere decir `column`?)");
        is_spanish(&english, "a mapping that is wrong", &browser.html);
        let widget = widget(&app, &browser).await;
        let id_of = |route: &str| match route {
            _ if route.contains("/accounts/") => app.account.to_string(),
            _ if route.contains("/imports/") => import.clone(),
            _ if route.contains("/leads/") => lead.clone(),
            _ if route.contains("/connections/") => connection.clone(),
            _ if route.contains("/deliveries/") => delivery.clone(),
            _ => widget.clone(),
        };
        let (mut pages, mut texts) = (0, 0);
        let more = ["/portal/leads?data=sandbox", "/portal/leads?data=sandbox&search=nobody&status=won", "/portal/leads?data=sandbox&status=spam",
            "/portal/leads/board?data=sandbox", "/portal/results?data=sandbox&days=7", "/portal/usage?data=sandbox", "/portal/settings?keep=365",
            "/portal/leads?status=x&from=x", "/portal/start?step=2", "/portal/start?step=4", "/portal/start?step=5", "/portal/settings?said=saved", "/portal/connections/new?of=jobnimbus"];
        let table = access_table();
        let routes = table.pages().iter().filter(|page| page.method == Method::GET).map(|page| page.path);
        for route in routes.chain(more) {
            let mut path = route.replace("{id}", &id_of(route)).replace("{version}", "1");
            if route == "/portal/leads/{id}" {
                path.push_str("?data=sandbox");
            }
            if route == "/portal/connections/new" {
                path.push_str("?of=webhook");
            }
            let response = fetch(app.get(&path).header("cookie", browser.cookies()).header("accept", "text/html").header("accept-language", "en")).await;
            let is_page = header(&response, "content-type").starts_with("text/html");
            let status = response.status().as_u16();
            if !is_page || [303, 307].contains(&status) || route == "/portal/leads/{id}/consent" || is_open(route) {
                continue;
            }
            assert!([200, 404].contains(&status), "{path}: {status}");
            pages += usize::from(status == 200);
            texts += is_spanish(&english, &path, &response.text().await.unwrap());
        }
        assert!(pages >= 45 && texts > 3_500, "{pages} pages with {texts} texts");
    }

    async fn what_other_parts_of_shingle_find_is_told_in_spanish(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let english = English::all();
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/settings").await;
        browser.submit_to("/portal/settings/language", &[("language", "es")]).await;

        let receiver = Receiver::start(Reply::With(503, "", "down")).await;
        let url = receiver.url();
        browser.open("/portal/connections/new?of=webhook").await;
        let fill = [("name", "CRM"), ("url", url.as_str()), ("event", "lead.created"), ("timeoutSeconds", "3"), ("data", "sandbox")];
        browser.submit(&fill).await;
        let connection = format!("/portal/connections/{}", connections::id_of(&browser));
        browser.open(&connection).await;
        browser.submit_to(&format!("{connection}/test"), &[]).await;
        let delivery = browser.path.clone();
        app.engine.work_off().await;
        browser.open(&delivery).await;
        browser.shows(200, "La respuesta es 503");
        is_spanish(&english, "a failed delivery", &browser.html);

        let widget = format!("/portal/widgets/{}", widget(&app, &browser).await);
        browser.open(&widget).await;
        browser.send_to(&format!("{widget}/check"), &[("address", "elm.example.com")]).await;
        for said in [
            "elm.example.com no está en la lista de dominios del widget",
            "En otras páginas el script no hace nada.",
            "Agregue elm.example.com a los dominios del widget",
        ] {
            browser.shows(200, said);
        }
        is_spanish(&english, "a site check", &browser.html);
    }
}
