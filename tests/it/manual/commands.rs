//! Runs the commands of each page in order, as a reader would: with the real program, in a folder of the page's own.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use regex::Regex;
use serde_json::{Value, json};
use shingle_testing::smtp::SmtpServer;

use super::pages::{all, blocks};
use crate::support::client::plain_client;
use crate::support::consent;

/// Blocks that are not run here, by their mark, and why.
const ELSEWHERE: [(&str, &str); 4] = [
    (
        "package",
        "it needs root on a machine of its own: the walk types it in a fresh Debian (`xtask/src/release/walk/reader.rs`)",
    ),
    ("network", "it asks Overture Maps; the tests of areas ask a bucket on this machine"),
    ("files", "it needs a county's file or a survey's; the tests of imports and of measured roofs have them"),
    ("people", "it needs somebody who has signed in; the tests of the portal have them"),
];
/// Programs that a block needs besides bash and curl.
const TOOLS: [&str; 2] = ["openssl", "zstd"];
/// Pages whose reader has no installation yet.
const FROM_NOTHING: [&str; 2] = ["first-run", "install"];
const COMPANY: &str = "My Roofing";

/// What a reader of a page has in front of them.
pub struct Session {
    folder: tempfile::TempDir,
    /// What stands for the words in capitals.
    words: BTreeMap<String, String>,
    variables: Vec<(String, String)>,
    server: Option<Server>,
}

pub struct Server {
    process: Child,
    /// Kept: a server that cannot print ends.
    _printed: BufReader<ChildStdout>,
    pub address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Session {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let programs = folder.path().join("bin");
        std::fs::create_dir(&programs).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_installed-shingle"), programs.join("shingle")).unwrap();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&path))).unwrap();
        let variables = [("PATH", path.to_str().unwrap()), ("SHINGLE_EGRESS_ALLOW", "127.0.0.1")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Self { folder, words: BTreeMap::new(), variables, server: None }
    }

    pub fn set(&mut self, variable: &str, value: &str) {
        self.variables.push((variable.to_owned(), value.to_owned()));
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn address(&self) -> &str {
        &self.server.as_ref().unwrap().address
    }

    fn command(&self, line: &str) -> Command {
        let mut line = line.to_owned();
        for (word, value) in &self.words {
            line = Regex::new(&format!(r"\b{word}\b")).unwrap().replace_all(&line, value.as_str()).into_owned();
        }
        // A receiver of nobody: its name would be looked up.
        line = line.replace("https://hooks.example.com/", "https://127.0.0.1:8443/");
        if let Some(server) = &self.server {
            line = line.replace("127.0.0.1:8080", &server.address);
        }
        let mut command = Command::new("bash");
        command.args(["-c", &line]).current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command.env("HOME", self.folder.path()).envs(self.variables.iter().cloned());
        command
    }

    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Runs a line that has to succeed, and keeps the ids it prints.
    fn follow(&mut self, line: &str) {
        let output = self.run(line);
        let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "$ {line}\n{said}{told}");
        assert!(
            !said.is_empty() || line.contains(" > ") || line.contains(" -o ") || line.contains(" -out "),
            "$ {line} says nothing"
        );
        let printed = Regex::new(r"(?m)^(account|widget|key|id)\s+([\w-]{8,})").unwrap();
        for found in printed.captures_iter(&said) {
            let word = if &found[1] == "id" { "KEY_ID".to_owned() } else { found[1].to_uppercase() };
            self.words.insert(word, found[2].to_owned());
        }
    }

    /// Starts a line that goes on running.
    pub fn serve(&mut self, line: &str) {
        let mut command = self.command(&format!("exec {line}"));
        command.env("SHINGLE_LISTEN", "127.0.0.1:0").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut printed = BufReader::new(process.stdout.take().unwrap());
        let mut first = String::new();
        printed.read_line(&mut first).unwrap();
        let found = Regex::new(r"^Shingle serves .* \(listening on ([\d.:]+)\)").unwrap().captures(&first);
        let address = found.map(|found| found[1].to_owned());
        let server = Server { process, _printed: printed, address: address.unwrap_or_default() };
        assert!(!server.address.is_empty(), "$ {line}\n{first}");
        self.server = Some(server);
    }

    /// What a reader has after the first run: a company with a key, a widget and a lead, and a server.
    pub async fn with_company(&mut self) {
        self.follow(&format!("shingle account create --name '{COMPANY}'"));
        self.serve("shingle serve");
        self.follow("shingle key issue --account ACCOUNT --env sandbox");
        self.follow("shingle widget create --account ACCOUNT --url https://www.example.com");
        let lead = self.leave_lead().await;
        self.words.insert("LEAD".to_owned(), lead);
    }

    async fn leave_lead(&self) -> String {
        let (client, base) = (plain_client().build().unwrap(), format!("http://{}", self.address()));
        let send = async |path: &str, body: Value| -> Value {
            let url = format!("{base}/w/{}{path}", self.words["WIDGET"]);
            let sent = client.post(url).header("origin", &base).body(body.to_string()).send().await.unwrap();
            serde_json::from_str(&sent.text().await.unwrap()).unwrap()
        };
        let session = send("/session", json!({})).await;
        let lead = json!({
            "token": session["token"], "idempotencyKey": "of-the-manual",
            "address": { "line": "14 Alder Court, Harrow Falls, ME 04995" },
            "firstName": "Ann", "lastName": "Sample", "email": "ann@example.com", "elapsedMs": 40_000, "acts": 30,
            "consent": { "given": true, "text": consent(COMPANY) },
        });
        let receipt = send("/leads", lead).await;
        receipt["id"].as_str().unwrap_or_else(|| panic!("{receipt}")).to_owned()
    }
}

/// Counts of one page.
#[derive(Default)]
struct Count {
    run: usize,
    elsewhere: BTreeMap<&'static str, usize>,
}

async fn follow_page(path: &Path, count: &mut Count) {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let blocks: Vec<_> = blocks(path).into_iter().filter(|block| block.marks[0] == "console").collect();
    if blocks.is_empty() {
        return;
    }
    let mut session = Session::new();
    let mail = (name == "mail").then(SmtpServer::start);
    if let Some(mail) = &mail {
        session.set("SHINGLE_SMTP_URL", &format!("smtp://127.0.0.1:{}", mail.port()));
        session.set("SHINGLE_MAIL_FROM", "Shingle <leads@example.com>");
    }
    if !FROM_NOTHING.contains(&name) {
        session.with_company().await;
    }
    for block in blocks {
        let commands = block.commands();
        assert!(!commands.is_empty(), "{name}: a block of commands without one: {}", block.text);
        let mark = block.marks.get(1).map_or("", String::as_str);
        if let Some((mark, _)) = ELSEWHERE.iter().find(|(known, _)| *known == mark) {
            *count.elsewhere.entry(mark).or_default() += commands.len();
            continue;
        }
        if let Some(tool) = TOOLS.iter().find(|tool| **tool == mark)
            && !session.run(&format!("command -v {tool}")).status.success()
        {
            shingle_testing::skip(&format!("{tool} is not installed, which {name}.md uses"));
            continue;
        }
        let is_known = ["", "serve", "mail"].contains(&mark) || TOOLS.contains(&mark);
        assert!(is_known, "{name}: a block of commands is marked {mark}");
        for line in commands {
            match mark {
                "serve" => session.serve(&line),
                _ => session.follow(&line),
            }
            count.run += 1;
        }
    }
    if let Some(mail) = mail {
        assert!(mail.mails().iter().any(|mail| mail.to.iter().any(|to| to.contains("you@example.com"))));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_of_the_manual_works() {
    let mut count = Count::default();
    for path in all() {
        follow_page(&path, &mut count).await;
    }
    for (mark, why) in ELSEWHERE {
        let commands = count.elsewhere.get(mark).copied().unwrap_or_default();
        assert!(commands > 0, "no command is marked {mark}");
        println!("{commands} commands marked {mark} are not run here: {why}");
    }
    println!("{} commands of the manual were run", count.run);
    assert!(count.run > 50, "{}", count.run);
}
