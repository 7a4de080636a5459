//! The demo account: a contractor that does not exist, with keys and a widget, made through the same
//! command line and API that anyone uses.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::server::Shingle;

/// What a later start needs to know of an earlier one: keys are shown only once.
#[derive(Debug, Serialize, Deserialize)]
pub struct Account {
    pub id: String,
    pub sandbox_key: String,
    pub production_key: String,
}

/// The widget of the demo site, on the sample town.
pub const SANDBOX_WIDGET: &str = "5b0f6a7e-0d0c-4c3e-9a51-6f2f3f1d8c01";
/// Its twin on imported towns.
pub const PRODUCTION_WIDGET: &str = "5b0f6a7e-0d0c-4c3e-9a51-6f2f3f1d8c02";

/// The account that `demo.json` remembers, or a new one.
pub fn account(shingle: &Shingle) -> Result<Account> {
    let note = shingle.data.join("demo.json");
    if let Ok(text) = fs::read(&note) {
        return serde_json::from_slice(&text).with_context(|| format!("{}: start with `--fresh`", note.display()));
    }
    fs::create_dir_all(&shingle.data).with_context(|| shingle.data.display().to_string())?;
    let id = word(&shingle.ask(&["account", "create", "--name", "Quillback Roofing (demo)"])?, "id")?;
    let key = |env| word(&shingle.ask(&["key", "issue", "--account", &id, "--env", env])?, "key");
    let account = Account { sandbox_key: key("sandbox")?, production_key: key("production")?, id };
    fs::write(&note, serde_json::to_vec_pretty(&account)?)?;
    Ok(account)
}

/// Creates the widget, or brings the one of an earlier start up to date. Returns its record.
pub fn widget(service: SocketAddr, site: SocketAddr, key: &str, id: &str, root: &Path) -> Result<Value> {
    let logo = fs::read(root.join("www/demo/logo.png")).context("www/demo/logo.png")?;
    let url = format!("http://{service}/api/v1/roof-estimate-widget");
    // A name under .localhost is this machine in every browser, and a host name as the record wants one.
    let company = format!("http://quillback.localhost:{}/", site.port());
    let domains = format!("{},localhost,quillback.localhost", site.ip());
    let mut form = Form::new();
    for (name, value) in [
        ("elementType", "button"),
        ("elementSize", "medium"),
        ("elementLocation", "bottom_right"),
        ("buttonText", "Get my roof estimate"),
        ("primaryColor", "#8c3b24"),
        ("secondaryColor", "#2f4858"),
        ("backgroundColor", "#f6f1e9"),
        ("cardBackgroundColor", "#ffffff"),
        ("textColor", "#22262a"),
        ("linkColor", "#8c3b24"),
        ("footerCompanyName", "Quillback Roofing"),
        ("footerPirvacyPolicyLink", &format!("{company}privacy")),
        ("status", "active"),
        ("companyName", "Quillback Roofing"),
        ("companyPhone", "(207) 555-0143"),
        ("companyEmail", "hello@quillback.example"),
        ("companyAddress", "6 Ropewalk Lane, Portland, ME 04101"),
        ("companyUrl", &company),
        ("domains", &domains),
        ("firstPageTitle", "See what a new roof would cost"),
    ] {
        form.text(name, value);
    }
    form.file("headerLogo", "logo.png", "image/png", &logo);
    let body = form.clone().text("referenceId", id).finish();
    let (status, answer) = send(ureq::post(&url), key, &body)?;
    match status {
        200 | 201 => Ok(answer),
        400 if answer["message"].to_string().contains("already exists") => {
            let (status, answer) = send(ureq::put(format!("{url}/{id}")), key, &form.finish())?;
            if status == 200 { Ok(answer) } else { bail!("the demo widget was refused ({status}): {answer}") }
        }
        _ => bail!("the demo widget was refused ({status}): {answer}"),
    }
}

/// Changes some fields of a widget.
pub fn change(service: SocketAddr, key: &str, id: &str, fields: &[(&str, &str)]) -> Result<()> {
    let mut form = Form::new();
    for (name, value) in fields {
        form.text(name, value);
    }
    let url = format!("http://{service}/api/v1/roof-estimate-widget/{id}");
    let (status, answer) = send(ureq::put(url), key, &form.finish())?;
    ensure!(status == 200, "the change of the demo widget was refused ({status}): {answer}");
    Ok(())
}

/// A text of a JSON answer.
pub fn word(answer: &Value, name: &str) -> Result<String> {
    answer[name].as_str().map(str::to_owned).with_context(|| format!("no `{name}` in {answer}"))
}

fn send(request: ureq::RequestBuilder<ureq::typestate::WithBody>, key: &str, body: &[u8]) -> Result<(u16, Value)> {
    let request = request.config().http_status_as_error(false).build();
    let request = request.header("token", key);
    let mut answer = request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}")).send(body)?;
    Ok((answer.status().as_u16(), answer.body_mut().read_json().context("an answer that is not JSON")?))
}

const BOUNDARY: &str = "-----------------------------shingle-workshop";

/// A multipart form of values that this file knows: nothing in them needs escaping.
#[derive(Clone)]
struct Form(Vec<u8>);

impl Form {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn text(&mut self, name: &str, value: &str) -> &mut Self {
        self.0.extend_from_slice(
            format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").as_bytes(),
        );
        self
    }

    fn file(&mut self, name: &str, file: &str, media: &str, bytes: &[u8]) -> &mut Self {
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\ncontent-type: {media}\r\n\r\n"
        );
        self.0.extend_from_slice(head.as_bytes());
        self.0.extend_from_slice(bytes);
        self.0.extend_from_slice(b"\r\n");
        self
    }

    fn finish(&self) -> Vec<u8> {
        [&self.0, format!("--{BOUNDARY}--\r\n").as_bytes()].concat()
    }
}
