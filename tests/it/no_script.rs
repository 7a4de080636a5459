//! The hosted page in a browser without scripts: from the address to the lead by plain forms.

use std::time::Duration;

use reqwest::{Method, Response, Url};
use serde_json::{Value, json};
use shingle_store_fixture::on_both_engines;

use crate::support::{HOME, TestApp, WIDGET, fetch, form, header, send};

/// A browser that follows links and submits forms.
struct NoScriptBrowser<'a> {
    app: &'a TestApp,
    at: Url,
    status: u16,
    html: String,
}

impl<'a> NoScriptBrowser<'a> {
    async fn open(app: &'a TestApp, query: &str) -> Self {
        let at = Url::parse(&format!("{}/w/{WIDGET}{query}", app.base)).unwrap();
        let mut browser = Self { app, at: at.clone(), status: 0, html: String::new() };
        browser.go(at, Method::GET, None).await;
        browser
    }

    async fn go(&mut self, to: Url, method: Method, body: Option<String>) {
        let response = fetch(self.request(&to, method, body)).await;
        match header(&response, "location") {
            "" => self.read(to, response).await,
            next => {
                assert_eq!(response.status(), 303, "{to}");
                let to = to.join(next).unwrap();
                let response = fetch(self.request(&to, Method::GET, None)).await;
                self.read(to, response).await;
            }
        }
    }

    fn request(&self, to: &Url, method: Method, body: Option<String>) -> reqwest::RequestBuilder {
        let request = self.app.request(method, &target(to)).header("referer", self.at.as_str());
        match body {
            None => request,
            Some(body) => request
                .header("content-type", "application/x-www-form-urlencoded")
                .header("origin", &self.app.base)
                .header("sec-fetch-site", "same-origin")
                .body(body),
        }
    }

    async fn read(&mut self, at: Url, response: Response) {
        assert_eq!(header(&response, "content-type"), "text/html; charset=utf-8", "{at}");
        assert!(header(&response, "content-security-policy").contains("script-src 'self' 'wasm-unsafe-eval';"), "{at}");
        if at.path().matches('/').count() > 2 {
            assert_eq!(header(&response, "cache-control"), "no-store", "{at}");
        }
        self.at = at;
        self.status = response.status().as_u16();
        self.html = response.text().await.unwrap();
        assert!(!self.html.contains("<style") && !self.html.contains(" style=") && !self.html.contains("onclick"));
    }

    /// Sends the page's form with `fields` filled in.
    async fn submit(&mut self, fields: &[(&str, &str)]) {
        let (method, to, body) = self.form(fields);
        self.go(to, method, body).await;
    }

    fn form(&self, fields: &[(&str, &str)]) -> (Method, Url, Option<String>) {
        let form = self.html.split("<form ").nth(1).expect("a form").split("</form>").next().unwrap();
        let mut to = self.at.join(&attribute(form, "action")).unwrap();
        let mut sent: Vec<(String, String)> = form
            .split("<input ")
            .filter(|input| input.starts_with("type=\"hidden\""))
            .map(|input| (attribute(input, "name"), attribute(input, "value")))
            .collect();
        sent.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let encoded = Url::parse_with_params("http://form", sent).unwrap().query().unwrap().to_owned();
        if attribute(form, "method") == "get" {
            to.set_query(Some(&encoded));
            (Method::GET, to, None)
        } else {
            (Method::POST, to, Some(encoded))
        }
    }

    /// Follows the first link whose text contains `label`.
    async fn follow(&mut self, label: &str) {
        let link = self.html.split("<a ").skip(1).find(|a| a.split("</a>").next().unwrap().contains(label));
        let href = attribute(link.unwrap_or_else(|| panic!("no link {label}: {}", self.html)), "href");
        let to = self.at.join(&href).unwrap();
        self.go(to, Method::GET, None).await;
    }

    fn shows(&self, status: u16, text: &str) {
        assert!(
            self.status == status && self.html.contains(text),
            "{} at {}: no {text:?} in {}",
            self.status,
            self.at,
            self.html
        );
    }
}

/// Path and query.
fn target(url: &Url) -> String {
    url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()))
}

fn attribute(tag: &str, name: &str) -> String {
    let from = tag.split(&format!("{name}=\"")).nth(1).unwrap_or_else(|| panic!("no {name} in {tag}"));
    let text = from.split('"').next().unwrap();
    text.replace("&quot;", "\"").replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

const ANN: [(&str, &str); 5] = [
    ("given-name", "Ann"),
    ("family-name", "Sample"),
    ("email", "ann@example.com"),
    ("tel", "207.555.0142"),
    ("consent", "yes"),
];

/// Goes to the contact form, and waits as long as a person would.
async fn at_contact<'a>(app: &'a TestApp, query: &str) -> NoScriptBrowser<'a> {
    let mut browser = NoScriptBrowser::open(app, query).await;
    browser.submit(&[("address", HOME)]).await;
    browser.follow("Yes, that’s my roof").await;
    browser.shows(200, "Who is the estimate for?");
    app.clock.advance(Duration::from_secs(20));
    browser
}

async fn leads(app: &TestApp) -> Vec<Value> {
    let (status, body) = send(app.api(Method::GET, "/api/v1/leads")).await;
    assert_eq!(status, 200);
    body["data"].as_array().unwrap().clone()
}

on_both_engines! {
    async fn a_homeowner_without_scripts_gets_an_estimate_and_the_contractor_the_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut browser = NoScriptBrowser::open(&app, "?via=qr&utm_source=yard+sign").await;
        browser.shows(200, "Measure my roof");
        browser.submit(&[("address", HOME)]).await;
        browser.shows(200, "Is this your roof?");
        assert!(browser.html.contains("14 Alder Court") && browser.html.contains("class=\"plan\""));
        browser.follow("Yes, that’s my roof").await;
        app.clock.advance(Duration::from_secs(20));
        browser.submit(&ANN).await;
        browser.shows(200, "Your estimate for 14 Alder Court");
        assert!(browser.at.path().ends_with("/estimate"), "another page: a reload sends nothing again");

        let lead = leads(&app).await.remove(0);
        for (name, value) in [
            ("/status", "new".into()),
            ("/address", "14 Alder Court, Harrow Falls, ME 04995".into()),
            ("/phone", "(207) 555-0142".into()),
            ("/roofMaterial", "asphalt shingle".into()),
            ("/source/via", "qr".into()),
            ("/source/utmSource", "yard sign".into()),
            ("/source/pageUrl", format!("{}/w/{WIDGET}?via=qr&utm_source=yard+sign", app.base).into()),
            ("/consent/given", true.into()),
            ("/consent/ip", Value::from("127.0.0.1")),
        ] {
            assert_eq!(lead.pointer(name), Some(&value), "{name}");
        }
        let consent = lead["consent"]["text"].as_str().unwrap();
        assert!(consent.starts_with("I agree that Oak Roofing may call or text me"), "{consent}");
        let cost = lead["estimate"]["prices"][0]["cost"].as_f64().unwrap().round();
        let shown = browser.html.split("class=\"price\">$").nth(1).unwrap().split('<').next().unwrap();
        assert_eq!(shown.replace(',', "").parse::<f64>().unwrap(), cost, "what was shown is what was kept");

        browser.submit(&[("material", "slate")]).await;
        browser.shows(200, "natural slate, installed");
        assert_eq!(leads(&app).await[0]["roofMaterial"], "slate");
        browser.follow("Book an inspection").await;
        browser.shows(200, "When could we come by?");
        let action = browser.html.split("<form ").nth(1).unwrap();
        let to = browser.at.join(&attribute(action, "action")).unwrap();
        let days: Vec<String> = browser.html.split("name=\"wish\" value=\"").skip(1)
            .map(|rest| rest.split('"').next().unwrap().to_owned()).take(4).collect();
        let mut typed = reqwest::multipart::Form::new().text("contactBy", "text").text("note", "Mind the <dog>.");
        for day in &days {
            typed = typed.text("wish", day.clone());
        }
        let path = to.as_str().trim_start_matches(&app.base).to_owned();
        let origin = app.base.clone();
        let refused = fetch(app.request(Method::POST, &path).header("origin", origin).multipart(typed)).await;
        assert_eq!(refused.status(), 422, "four times are one too many");
        let html = refused.text().await.unwrap();
        for day in &days {
            let input = html.split("<input ").find(|input| input.contains(&format!("value=\"{day}\""))).unwrap();
            assert!(input.split('>').next().unwrap().contains("checked"), "{day} is still picked: {input}");
        }
        let by = html.split("<input ").find(|input| input.contains("value=\"text\"")).unwrap();
        assert!(by.split('>').next().unwrap().contains("checked") && html.contains("Mind the &lt;dog&gt;."), "{html}");
        assert!(leads(&app).await[0]["inspection"].is_null());
        browser.follow("Skip, no visit for now").await;
        browser.shows(200, "Thank you, Ann");
        assert!(browser.html.contains("No visit was asked for.") && browser.html.contains("Oak Roofing may call or text you"));
        assert_eq!(leads(&app).await.len(), 1);
    }

    async fn several_buildings_are_all_drawn_and_those_that_are_ticked_are_priced(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut browser = NoScriptBrowser::open(&app, "").await;
        browser.submit(&[("address", "14 Cedar Street")]).await;
        browser.shows(200, "Which buildings should we price?");
        for (at, letter) in ["A", "B", "C"].into_iter().enumerate() {
            assert!(browser.html.contains(&format!("<g data-building=\"{at}\">")), "{letter} is drawn");
            assert!(browser.html.contains(&format!(">{letter}</text>")), "{letter} is on the drawing");
            assert!(browser.html.contains(&format!("<b>{letter} · ")), "{letter} is in the list");
        }
        assert_eq!(browser.html.matches(" checked").count(), 1, "the house alone is ticked");
        browser.submit(&[]).await;
        browser.shows(422, "No building is ticked.");
        browser.submit(&[("building", "1"), ("building", "2")]).await;
        browser.shows(200, "We measure this one on site");
        browser.follow("Back").await;
        assert_eq!(browser.html.matches(" checked").count(), 2, "what was ticked still is");
        browser.submit(&[("building", "0"), ("building", "1")]).await;
        browser.shows(200, "Who is the estimate for?");
        app.clock.advance(Duration::from_secs(20));
        browser.submit(&ANN).await;
        browser.shows(200, "Your estimate for 14 Cedar Street");
        assert!(browser.html.contains("<g data-building=\"1\">") && !browser.html.contains("<g data-building=\"2\">"));
        let area = |lead: &Value| lead["estimate"]["roofArea"].as_f64().unwrap();
        let both = area(&leads(&app).await[0]);

        let mut browser = NoScriptBrowser::open(&app, "").await;
        browser.submit(&[("address", "14 Cedar Street")]).await;
        browser.submit(&[("building", "0")]).await;
        app.clock.advance(Duration::from_secs(20));
        browser.submit(&[("given-name", "Bea"), ("family-name", "Sample"), ("email", "bea@example.com")]).await;
        let all = leads(&app).await;
        let house = area(all.iter().find(|lead| lead["firstName"] == "Bea").unwrap());
        assert!(both > house, "{both} with the garage, {house} without");
    }

    async fn another_roof_is_chosen_among_those_near_it_without_scripts(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut browser = NoScriptBrowser::open(&app, "").await;
        browser.submit(&[("address", HOME)]).await;
        browser.follow("Not my roof").await;
        browser.shows(200, "Which roof is yours?");
        assert_eq!(browser.html.matches("type=\"radio\"").count(), 6, "the home that was found and five others");
        assert_eq!(browser.html.matches(" checked").count(), 1);
        for at in 0..6 {
            assert!(browser.html.contains(&format!("<g data-building=\"{at}\">")), "{at} is drawn");
        }
        let row = browser.html.split("<label ").find(|row| row.contains("<b>16 Alder Court</b>")).unwrap();
        assert!(row.contains("Next door, east") && row.contains("sq ft"), "{row}");
        let key = attribute(row, "value");
        browser.follow("Back").await;
        browser.shows(200, "Is this your roof?");
        browser.follow("Not my roof").await;
        browser.submit(&[("key", &key)]).await;
        browser.shows(200, "Is this your roof?");
        assert!(browser.html.contains("16 Alder Court, Harrow Falls"), "{}", browser.html);

        browser.follow("Not my roof").await;
        browser.follow("None of these is mine").await;
        browser.shows(200, "Let’s find it together");
        browser.shows(200, "Call (757) 555-0134");
        browser.follow("Ask us to measure it").await;
        browser.shows(200, "We measure this one on site");
        assert!(!browser.html.contains("data-building"), "nobody's roof is drawn");
        app.clock.advance(Duration::from_secs(20));
        browser.submit(&ANN).await;
        browser.shows(200, "Thank you, Ann");
        let lead = leads(&app).await.remove(0);
        assert_eq!(lead["address"], "16 Alder Court, Harrow Falls, ME 04995");
        assert!(lead["estimate"].is_null() && lead["roofMaterial"].is_null(), "{lead}");
    }

    async fn what_the_contractor_asks_is_answered_without_scripts(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let settings = json!({ "questions": ["roofAge", "leak", "planned", "contactTime", "note"] });
        let path = format!("/api/v1/roof-estimate-widget/{WIDGET}/settings");
        assert_eq!(send(app.api(Method::PUT, &path).body(settings.to_string())).await.0, 200);
        let mut browser = at_contact(&app, "").await;
        browser.submit(&ANN).await;
        browser.shows(200, "How old is the roof?");
        assert!(!browser.html.contains("Saved with your estimate."));
        browser.submit(&[("roofAge", "over-20"), ("note", "Mind the <dog>."), ("material", "slate")]).await;
        browser.shows(200, "natural slate, installed");
        let lead = leads(&app).await.remove(0);
        assert_eq!(lead["answers"], json!({ "roofAge": "over-20", "note": "Mind the <dog>." }), "a material loses no answer");
        browser.submit(&[("leak", "leak"), ("roofAge", "over-20"), ("note", ""), ("answered", "1")]).await;
        browser.shows(200, "Saved with your estimate.");
        let chosen = |value: &str| browser.html.contains(&format!("value=\"{value}\" checked"));
        assert!(chosen("over-20") && chosen("leak") && !browser.html.contains("Mind the"));
        assert_eq!(leads(&app).await[0]["answers"], json!({ "roofAge": "over-20", "leak": "leak" }));
        assert_eq!(leads(&app).await[0]["roofMaterial"], "slate", "it was not sent, and stays");
        browser.submit(&[("leak", "flood"), ("answered", "1")]).await;
        assert_eq!(browser.status, 400);
    }

    async fn a_form_that_is_sent_twice_is_one_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut browser = at_contact(&app, "").await;
        let (_, to, body) = browser.form(&ANN);
        let form = browser.at.clone();
        browser.go(to.clone(), Method::POST, body.clone()).await;
        browser.shows(200, "Your estimate for");
        app.clock.advance(Duration::from_secs(600));
        browser.go(to.clone(), Method::POST, body).await;
        browser.shows(200, "Your estimate for");
        assert_eq!(leads(&app).await.len(), 1);
        // Back, and another form with a corrected name: who sends it cannot be known, but it names the first.
        browser.go(form, Method::GET, None).await;
        app.clock.advance(Duration::from_secs(20));
        let mut corrected = ANN;
        corrected[0].1 = "Anna";
        browser.submit(&corrected).await;
        browser.shows(200, "Your estimate for");
        let all = leads(&app).await;
        let earlier = serde_json::json!({ "id": all[1]["id"], "same": "person" });
        assert_eq!((all.len(), all[0]["firstName"].as_str(), &all[0]["earlierLead"]), (2, Some("Anna"), &earlier));
    }

    async fn a_form_that_another_page_sends_makes_no_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let browser = at_contact(&app, "").await;
        let (_, to, body) = browser.form(&ANN);
        let body = body.unwrap();
        let path = target(&to);
        let without_token = body.split('&').filter(|p| !p.starts_with("token=")).collect::<Vec<_>>().join("&");
        for (body, site, origin) in [
            (body.clone(), Some("cross-site"), "https://evil.example.com"),
            (body.clone(), Some("same-site"), "http://127.0.0.1:1"),
            (body.clone(), None, "https://evil.example.com"),
            (body.clone(), None, "null"),
            (without_token.clone(), Some("same-origin"), app.base.as_str()),
            (format!("{without_token}&token={}", app.session().await), Some("same-origin"), app.base.as_str()),
            (format!("{without_token}&token=00"), None, app.base.as_str()),
        ] {
            let request = app.request(Method::POST, &path).header("origin", origin).body(body);
            let request = site.iter().fold(request, |r, site| r.header("sec-fetch-site", *site));
            let response = fetch(request).await;
            assert_eq!(response.status(), 403, "{origin} {site:?}");
            let html = response.text().await.unwrap();
            assert!(html.contains("role=\"alert\"") && html.contains("ann@example.com"), "nothing typed is lost: {html}");
        }
        assert_eq!(leads(&app).await.len(), 0);
    }

    async fn an_expired_form_comes_back_filled_in_and_can_be_sent(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut browser = at_contact(&app, "").await;
        app.clock.advance(Duration::from_secs(25 * 3_600));
        browser.submit(&ANN).await;
        browser.shows(403, "The form has to be sent once more.");
        assert!(browser.html.contains("value=\"ann@example.com\"") && browser.html.contains("checked"));
        app.clock.advance(Duration::from_secs(5));
        browser.submit(&ANN).await;
        browser.shows(200, "Your estimate for");
        assert_eq!(leads(&app).await.len(), 1);
    }

    async fn invalid_fields_come_back_with_their_values_and_errors(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut browser = at_contact(&app, "").await;
        browser.submit(&[("given-name", "Ann<b>"), ("family-name", ""), ("email", "ann@example"), ("tel", "555")]).await;
        browser.shows(422, "3 fields need a look.");
        for text in [
            "value=\"Ann&lt;b&gt;\"",
            "Enter your last name.",
            "value=\"ann@example\"",
            "Add the ending, for example “.com”.",
            "A US number has 10 digits. This one has 3.",
            "<a href=\"#sh-last\">Last name</a>",
        ] {
            assert!(browser.html.contains(text), "{text}: {}", browser.html);
        }
        assert_eq!(browser.html.matches("aria-invalid").count(), 3);
        assert_eq!(browser.html.matches("autofocus").count(), 1, "the first wrong field");
        assert!(!browser.html.contains("checked"), "consent is never ticked for anybody");
        assert_eq!(leads(&app).await.len(), 0);
        app.clock.advance(Duration::from_secs(20));
        browser.submit(&ANN).await;
        browser.shows(200, "Your estimate for");
        assert_eq!(leads(&app).await.len(), 1);
    }

    async fn an_unknown_address_leads_to_similar_ones_or_to_a_person(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut browser = NoScriptBrowser::open(&app, "").await;
        for (typed, problem) in [("", "Type your address."), (&*"a".repeat(201), "at most 200 characters"), ("a\u{202e}b", "Use letters")] {
            browser.submit(&[("address", typed)]).await;
            browser.shows(422, problem);
        }
        browser.submit(&[("address", "14 Alder Cort")]).await;
        browser.shows(200, "We couldn’t find that exact address");
        browser.follow("14 Alder ").await;
        browser.shows(200, "Is this your roof?");

        let mut browser = NoScriptBrowser::open(&app, "").await;
        browser.submit(&[("address", "99999 Nowhere Boulevard")]).await;
        browser.shows(200, "We couldn’t find that exact address");
        browser.follow("Ask a person instead").await;
        browser.shows(200, "Leave your details and Oak Roofing can measure it for you.");
        app.clock.advance(Duration::from_secs(20));
        browser.submit(&ANN[..3]).await;
        browser.shows(200, "Thank you, Ann");
        assert!(browser.html.contains("Oak Roofing may write to you") && !browser.html.contains("sh-iconbtn"));
        let lead = leads(&app).await.remove(0);
        assert_eq!((lead["address"].as_str(), &lead["estimate"]), (Some("99999 Nowhere Boulevard"), &Value::Null));
        assert_eq!(lead["consent"]["given"], false);

        // A town of which no home is loaded: that is said, and the form is there at once.
        let mut browser = NoScriptBrowser::open(&app, "").await;
        browser.submit(&[("address", "12 Elm Street, Biddeford, ME 04005")]).await;
        browser.shows(200, "We have no map of Biddeford, ME yet.");
        app.clock.advance(Duration::from_secs(20));
        browser.submit(&ANN[..3]).await;
        browser.shows(200, "Thank you, Ann");
        let asked: Vec<Value> = leads(&app).await.into_iter().map(|lead| lead["address"].clone()).collect();
        assert!(asked.contains(&"12 Elm Street, Biddeford, ME 04005".into()), "{asked:?}");
    }

    async fn an_address_can_be_entered_in_parts(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut browser = NoScriptBrowser::open(&app, "").await;
        browser.follow("Enter the address in parts").await;
        browser.shows(200, "We use exactly what you type here.");
        assert!(!browser.html.contains("aria-invalid"));
        let mut parts = [("number", "14"), ("street", "Alder Court"), ("city", ""), ("state", "Main"), ("zip", "04995")];
        browser.submit(&parts).await;
        browser.shows(422, "Enter the city.");
        assert!(browser.html.contains("Enter the state in two letters.") && browser.html.contains("value=\"Alder Court\""));
        (parts[2].1, parts[3].1) = ("Harrow Falls", "me");
        browser.submit(&parts).await;
        browser.shows(200, "Is this your roof?");
    }

    async fn a_form_that_a_program_sent_is_stored_as_spam(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut browser = at_contact(&app, "").await;
        let mut robot = ANN.to_vec();
        robot.push(("website", "https://spam.example"));
        browser.submit(&robot).await;
        browser.shows(200, "Your estimate for");
        assert_eq!(leads(&app).await[0]["status"], "spam");
    }

    async fn a_trap_that_holds_only_blanks_holds_no_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        for blank in [" ", "\t", "\u{a0}", "\u{200b}", "\u{feff} "] {
            let mut browser = at_contact(&app, "").await;
            browser.submit(&[&ANN[..], &[("sh-blank", blank)]].concat()).await;
            assert!(leads(&app).await.iter().all(|lead| lead["status"] == "new"), "{blank:?}");
        }
    }

    async fn a_lead_is_shown_only_to_its_sender_and_for_thirty_days(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut browser = at_contact(&app, "").await;
        browser.submit(&ANN).await;
        let mine = browser.at.clone();
        for (name, value) in [("token", "00"), ("lead", "x"), ("lead", "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a")] {
            let pairs: Vec<_> = mine.query_pairs().map(|(n, v)| (n.to_string(), if n == name { value.into() } else { v.to_string() })).collect();
            let mut other = mine.clone();
            other.query_pairs_mut().clear().extend_pairs(pairs);
            browser.go(other, Method::GET, None).await;
            assert!([401, 404].contains(&browser.status) && !browser.html.contains("Ann"), "{name}: {}", browser.status);
            assert!(browser.html.contains("This estimate is no longer open here."));
        }
        // The roof is the lead's own, whatever the address names.
        let elsewhere = mine.as_str().replace("key=", "key=x");
        browser.go(Url::parse(&elsewhere).unwrap(), Method::GET, None).await;
        browser.shows(200, "Your estimate for 14 Alder Court");
        app.clock.advance(Duration::from_secs(31 * 24 * 3_600));
        browser.go(mine, Method::GET, None).await;
        browser.shows(401, "This estimate is no longer open here.");
    }

    async fn too_many_leads_get_an_error_page_that_keeps_what_was_typed(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.limits.leads_per_visitor = 1).await;
        app.widget().await;
        let mut browser = at_contact(&app, "").await;
        browser.submit(&ANN).await;
        let mut browser = at_contact(&app, "").await;
        browser.submit(&ANN).await;
        browser.shows(429, "Too many tries in a short time.");
        assert!(browser.html.contains("value=\"ann@example.com\""));
        app.clock.advance(Duration::from_secs(60));
        browser.submit(&ANN).await;
        browser.shows(200, "Your estimate for");
    }

    async fn the_pages_of_an_inactive_widget_offer_the_telephone(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let off = form::Form::empty().set("status", "inactive").build();
        send(app.api(Method::PUT, &format!("/api/v1/roof-estimate-widget/{WIDGET}")).multipart(off)).await;
        for step in ["", "/measure?address=1", "/contact?address=1", "/estimate", "/thanks"] {
            let page = fetch(app.get(&format!("/w/{WIDGET}{step}"))).await;
            assert_eq!((page.status().as_u16(), header(&page, "cache-control")), (200, "no-store"), "{step}");
            let html = page.text().await.unwrap();
            assert!(html.contains("Online estimates are paused") && html.contains("tel:+17575550134"), "{step}");
        }
    }

    async fn every_step_is_in_the_visitors_language(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        for (query, likes, language) in [
            ("", "", "en"),
            ("", "es-MX,es;q=0.9", "es"),
            ("?lang=en", "es", "en"),
            ("?lang=es", "en-US", "es"),
            ("?lang=xx", "es", "es"),
        ] {
            let page = fetch(app.get(&format!("/w/{WIDGET}{query}")).header("accept-language", likes)).await;
            assert_eq!(header(&page, "vary"), "accept-encoding, accept-language");
            let html = page.text().await.unwrap();
            assert!(html.contains(&format!("<html lang=\"{language}\">")), "{query} {likes}");
        }
        let mut browser = NoScriptBrowser::open(&app, "?lang=es").await;
        browser.submit(&[("address", HOME)]).await;
        browser.shows(200, "¿Es este su techo?");
        browser.follow("Sí, es mi techo").await;
        browser.shows(200, "¿Para quién es el presupuesto?");
        app.clock.advance(Duration::from_secs(20));
        browser.submit(&ANN).await;
        browser.shows(200, "Su presupuesto para 14 Alder Court");
        let consent = leads(&app).await.remove(0)["consent"]["text"].clone();
        assert!(consent.as_str().unwrap().starts_with("Acepto que Oak Roofing"), "as it was read: {consent}");
    }
}
