//! A browser without scripts that keeps cookies, follows redirects and presses buttons.

use std::collections::BTreeMap;

use reqwest::{Method, Response, Url};

use crate::support::{TestApp, fetch};

pub struct Browser<'a> {
    app: &'a TestApp,
    cookies: BTreeMap<String, String>,
    /// What it asks for as `Accept-Language`.
    pub speaks: &'static str,
    pub path: String,
    pub status: u16,
    pub html: String,
    /// Address and body of the last form of a page.
    sent: (String, String),
}

impl<'a> Browser<'a> {
    pub fn new(app: &'a TestApp) -> Self {
        Self {
            app,
            cookies: BTreeMap::new(),
            speaks: "",
            path: String::new(),
            status: 0,
            html: String::new(),
            sent: Default::default(),
        }
    }

    pub fn with_cookie(app: &'a TestApp, cookie: &str) -> Self {
        let mut browser = Self::new(app);
        let (name, value) = cookie.split_once('=').unwrap();
        browser.cookies.insert(name.to_owned(), value.to_owned());
        browser
    }

    pub fn cookies(&self) -> String {
        self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    pub async fn open(&mut self, path: &str) {
        self.go(Method::GET, path, None).await;
    }

    async fn go(&mut self, method: Method, path: &str, body: Option<String>) {
        let (mut method, mut path, mut body) = (method, path.to_owned(), body);
        for _ in 0..5 {
            let request = self.app.request(method, &path).header("cookie", self.cookies());
            let request = request.header("sec-fetch-site", "same-origin").header("sec-fetch-mode", "navigate");
            let request = request.header("user-agent", "Firefox/140 Linux");
            let request = request.header("accept-language", self.speaks);
            let response = fetch(match body.take() {
                Some(body) => request.header("content-type", "application/x-www-form-urlencoded").body(body),
                None => request,
            })
            .await;
            self.keep(&response);
            let Some(next) = response.headers().get("location") else {
                (self.path, self.status) = (path, response.status().as_u16());
                self.html = response.text().await.unwrap();
                return;
            };
            path = next.to_str().unwrap().to_owned();
            assert!(path.starts_with('/') && !path.starts_with("//"), "{path}");
            method = Method::GET;
        }
        panic!("{path} leads in a circle");
    }

    fn keep(&mut self, response: &Response) {
        for cookie in response.headers().get_all("set-cookie") {
            let text = cookie.to_str().unwrap();
            assert!(text.contains("HttpOnly") && text.contains("SameSite=Lax") && text.contains("Path=/"), "{text}");
            let (name, rest) = text.split_once('=').unwrap();
            if text.contains("Max-Age=0;") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), rest.split(';').next().unwrap().to_owned());
            }
        }
    }

    pub fn shows(&self, status: u16, text: &str) {
        assert!(
            self.status == status && self.html.contains(text),
            "{} at {}: no {text:?} in {}",
            self.status,
            self.path,
            self.html
        );
    }

    /// What a script of the page would be answered, and what it would keep.
    pub async fn ask(&mut self, path: &str, fields: &[(&str, &str)]) -> (u16, serde_json::Value) {
        let request = self.app.request(Method::POST, path).header("cookie", self.cookies());
        let request = request.header("sec-fetch-site", "same-origin").body(encoded(fields));
        let response = fetch(request).await;
        self.keep(&response);
        let status = response.status().as_u16();
        (status, serde_json::from_str(&response.text().await.unwrap()).unwrap_or_default())
    }

    /// A form that is in no page, or sent a second time.
    pub async fn send_to(&mut self, path: &str, fields: &[(&str, &str)]) {
        self.go(Method::POST, path, Some(encoded(fields))).await;
    }

    /// The page's forms that are sent by POST. The time zone's is hidden until a script shows it.
    fn forms(&self) -> Vec<&str> {
        let all = self.html.split("<form ").skip(1).map(|rest| rest.split("</form>").next().unwrap());
        let others = ["/portal/sign-out", "/portal/companies/", "id=\"zone-ask\""];
        all.filter(|form| form.starts_with("method=\"post\"") && others.iter().all(|other| !form.contains(other)))
            .collect()
    }

    /// Fills in the first form of the page and sends it.
    pub async fn submit(&mut self, fields: &[(&str, &str)]) {
        let form = (*self.forms().first().expect("a form")).to_owned();
        self.send(&form, fields).await;
    }

    /// The form that goes there.
    pub async fn submit_to(&mut self, action: &str, fields: &[(&str, &str)]) {
        let goes = |form: &str| {
            let rest = form.split("action=\"").nth(1).and_then(|rest| rest.strip_prefix(action));
            rest.is_some_and(|rest| rest.starts_with(['"', '?']))
        };
        let form = self.forms().into_iter().find(|form| goes(form));
        let form = form.unwrap_or_else(|| panic!("no form to {action}: {}", self.html)).to_owned();
        self.send(&form, fields).await;
    }

    /// The first button with this text.
    pub async fn press(&mut self, label: &str) {
        let all = self.html.split("<form ").skip(1).map(|rest| rest.split("</form>").next().unwrap());
        let form = all.into_iter().find(|form| form.contains(&format!(">{label}</button>")));
        let form = form.unwrap_or_else(|| panic!("no button {label}: {}", self.html)).to_owned();
        self.send(&form, &[]).await;
    }

    async fn send(&mut self, form: &str, fields: &[(&str, &str)]) {
        let action = attribute(form, "action");
        let kept = form.split("<input ").skip(1).filter(|input| input.starts_with("type=\"hidden\""));
        let kept = kept.map(|input| (attribute(input, "name"), attribute(input, "value")));
        let typed = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let sent: Vec<(String, String)> =
            kept.filter(|(name, _)| !fields.iter().any(|(field, _)| field == name)).chain(typed).collect();
        let body = Url::parse_with_params("http://form", sent).unwrap().query().unwrap_or_default().to_owned();
        self.sent = (action.clone(), body.clone());
        self.go(Method::POST, &action, Some(body)).await;
    }

    /// As [`Browser::press`], with what is typed.
    pub async fn press_with(&mut self, label: &str, fields: &[(&str, &str)]) {
        let form = self.forms().into_iter().find(|form| form.contains(&format!(">{label}</button>")));
        let form = form.unwrap_or_else(|| panic!("no button {label}: {}", self.html)).to_owned();
        self.send(&form, fields).await;
    }

    /// The form of this page that answers so, which goes to the page's own address.
    pub async fn answer(&mut self, answer: &str, fields: &[(&str, &str)]) {
        let form = self.forms().into_iter().find(|form| form.contains(&format!("name=\"answer\" value=\"{answer}\"")));
        let form = form.unwrap_or_else(|| panic!("no answer {answer}: {}", self.html));
        let form = format!("action=\"{}\" {form}", self.path.replace('&', "&amp;"));
        self.send(&form, fields).await;
    }

    /// The last form once more, as a second click or a reload sends it.
    pub async fn send_again(&mut self) {
        let (action, body) = self.sent.clone();
        self.go(Method::POST, &action, Some(body)).await;
    }
}

pub fn encoded(fields: &[(&str, &str)]) -> String {
    Url::parse_with_params("http://form", fields).unwrap().query().unwrap_or_default().to_owned()
}

fn attribute(tag: &str, name: &str) -> String {
    let from = tag.split(&format!("{name}=\"")).nth(1).unwrap_or_else(|| panic!("no {name} in {tag}"));
    let text = from.split('"').next().unwrap();
    text.replace("&quot;", "\"").replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}
