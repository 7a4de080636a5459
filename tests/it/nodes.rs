//! Several servers of one installation: one storage, one set of limits, the same homes.

use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use reqwest::multipart;
use serde_json::{Value, json};
use shingle_app::clock::MachineClock;
use shingle_store::Clock as _;
use shingle_store_fixture::PgCluster;

use crate::support::bucket::{BUCKET, BucketServer};
use crate::support::client::plain_client;
use crate::support::form;
use crate::support::machine::{Machine, PASSPHRASE, Server};
use crate::support::{HOME, SITE, WIDGET, consent, images};

/// The program creates it.
pub fn new_database(cluster: &PgCluster) -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    cluster.address(&format!("nodes_{}", MADE.fetch_add(1, Ordering::Relaxed)))
}

/// A second machine of the same installation.
fn beside(first: &Machine, server: &BucketServer, lines: &str) -> Machine {
    let machine = server.machine(first.database.clone());
    machine.set(&format!("{lines}\n"));
    std::fs::create_dir_all(machine.data()).unwrap();
    std::fs::copy(first.data().join("secret"), machine.data().join("secret")).unwrap();
    machine
}

async fn on_postgres() -> Option<(Machine, BucketServer, String)> {
    let cluster = PgCluster::shared()?;
    let server = BucketServer::start().await;
    let machine = server.machine(Some(new_database(cluster)));
    let lines = format!("storage = \"s3://{BUCKET}/pictures\"\nproperty_bucket = \"s3://{BUCKET}/homes\"");
    machine.set(&format!("{lines}\n"));
    Some((machine, server, lines))
}

pub fn client() -> reqwest::Client {
    // What the issue promises: nobody waits longer.
    plain_client().timeout(Duration::from_secs(15)).build().unwrap()
}

pub async fn answer(request: reqwest::RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    (response.status().as_u16(), serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or_default())
}

/// A company with a widget; its key.
pub async fn found(machine: &Machine, server: &Server) -> String {
    let account = machine.ask(&["account", "create", "--name", "Oak Roofing"]);
    let key = machine.ask(&["key", "issue", "--account", account["id"].as_str().unwrap(), "--env", "sandbox"]);
    let key = key["key"].as_str().unwrap().to_owned();
    let made = client().post(format!("{}/api/v1/roof-estimate-widget", server.base)).header("token", &key);
    assert_eq!(answer(made.multipart(form::widget().build())).await.0, 201);
    key
}

/// A lead: its id and the token of its browser.
pub async fn leave_lead(server: &Server) -> (String, String) {
    let at = |path: &str| client().post(format!("{}/w/{WIDGET}{path}", server.base)).header("origin", SITE);
    let (_, session) = answer(at("/session")).await;
    let sent = json!({
        "token": session["token"], "address": { "line": HOME }, "firstName": "Ann", "lastName": "Sample",
        "email": "ann@example.com", "consent": { "given": true, "text": consent("Oak Roofing") }, "elapsedMs": 20_000,
    });
    let (status, lead) = answer(at("/leads").body(sent.to_string())).await;
    assert_eq!(status, 201, "{lead}");
    (lead["id"].as_str().unwrap().to_owned(), lead["leadToken"].as_str().unwrap().to_owned())
}

/// The owner sees photographs from here on.
pub async fn ask_for_visit(server: &Server, (lead, token): &(String, String)) {
    let day = (MachineClock.now() + Duration::from_secs(3 * 86_400)).to_string()[..10].to_owned();
    let wish = json!({ "wishes": [{ "date": day, "part": "morning" }], "contactBy": "email" });
    let wishes = json!({ "leadToken": token, "inspection": wish });
    let url = format!("{}/w/{WIDGET}/leads/{lead}", server.base);
    let (status, body) = answer(client().patch(url).header("origin", SITE).body(wishes.to_string())).await;
    assert_eq!(status, 200, "{body}");
}

pub async fn send_photo(server: &Server, (lead, token): &(String, String)) -> (u16, Value) {
    let form = multipart::Form::new()
        .text("leadToken", token.clone())
        .part("photo", multipart::Part::bytes(images::png(300, 200)));
    let url = format!("{}/w/{WIDGET}/leads/{lead}/photos", server.base);
    answer(client().post(url).header("origin", SITE).multipart(form)).await
}

pub async fn read_photo(server: &Server, key: &str, lead: &str, photo: &str) -> (u16, Vec<u8>) {
    let url = format!("{}/api/v1/leads/{lead}/photos/{photo}", server.base);
    let response = client().get(url).header("token", key).send().await.unwrap();
    (response.status().as_u16(), response.bytes().await.unwrap().to_vec())
}

pub async fn readiness(server: &Server) -> (u16, Value) {
    answer(client().get(format!("{}/readyz", server.base))).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_photograph_of_one_node_is_seen_and_erased_by_another_and_leads_need_no_bucket() {
    let Some((machine, bucket, lines)) = on_postgres().await else { return };
    let one = machine.serve();
    let key = found(&machine, &one).await;
    let second = beside(&machine, &bucket, &lines);
    let two = second.serve();
    let lead = leave_lead(&one).await;
    let (status, photo) = send_photo(&one, &lead).await;
    assert_eq!(status, 201, "{photo}");
    let photo = photo["id"].as_str().unwrap();
    ask_for_visit(&two, &lead).await;
    let (status, bytes) = read_photo(&two, &key, &lead.0, photo).await;
    assert!(status == 200 && image::load_from_memory(&bytes).is_ok());
    assert_eq!(bucket.names("pictures/photos").len(), 1);
    assert!(!machine.data().join("storage").exists() && !second.data().join("storage").exists());

    bucket.goes();
    let other = leave_lead(&two).await;
    assert_eq!(send_photo(&two, &other).await.0, 503, "within the time of the client");
    assert_eq!(read_photo(&one, &key, &lead.0, photo).await.0, 503);
    assert_eq!(readiness(&one).await.0, 200, "leads are taken without it");
    bucket.comes_back();
    bucket.set_silent(true);
    assert_eq!(send_photo(&two, &other).await.0, 503, "a bucket that says nothing");
    bucket.set_silent(false);
    for refusal in [(507, "XMinioStorageFull"), (403, "AccessDenied"), (503, "SlowDown")] {
        bucket.refuse(Some(refusal));
        assert_eq!(send_photo(&two, &other).await.0, 503, "{refusal:?}");
    }
    bucket.refuse(None);
    assert_eq!(send_photo(&two, &other).await.0, 201);

    let erased = client().delete(format!("{}/api/v1/leads/{}", two.base, lead.0)).header("token", &key);
    assert_eq!(answer(erased).await.0, 200);
    assert_eq!(bucket.names("pictures/photos").len(), 1, "the other's alone");
    assert_eq!(read_photo(&one, &key, &lead.0, photo).await.0, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_another_storage_or_secret_does_not_start() {
    let Some((machine, bucket, lines)) = on_postgres().await else { return };
    let one = machine.serve();
    let elsewhere = beside(&machine, &bucket, &format!("storage = \"s3://{BUCKET}/elsewhere\""));
    let said = elsewhere.refused(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("not that of the other servers") && said.contains("s3://"), "{said}");
    assert!(bucket.names("elsewhere").is_empty(), "it leaves nothing there");
    let folder = beside(&machine, &bucket, "");
    let said = folder.refused(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("not that of the other servers"), "{said}");
    let doctor = folder.command(&["doctor"]).output().unwrap();
    assert!(String::from_utf8_lossy(&doctor.stdout).contains("not that of the other servers"));

    let stranger = beside(&machine, &bucket, &lines);
    std::fs::remove_file(stranger.data().join("secret")).unwrap();
    let said = stranger.refused(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("secret"), "{said}");
    // Another installation that is pointed at the same bucket.
    let other = bucket.machine(Some(new_database(PgCluster::shared().unwrap())));
    other.set(&format!("{lines}\n"));
    let said = other.refused(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("belongs to another installation"), "{said}");
    let alone = bucket.machine(None);
    alone.set(&format!("{lines}\n"));
    let said = alone.refused(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("belongs to another installation"), "{said}");
    assert_eq!(readiness(&one).await.0, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bucket_that_is_away_at_the_start_is_said_and_leads_are_taken() {
    let Some((machine, bucket, _)) = on_postgres().await else { return };
    bucket.goes();
    let mut command = machine.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.stderr(Stdio::null());
    let server = machine.start(command);
    assert_eq!(readiness(&server).await.0, 200);
    let doctor = machine.command(&["doctor"]).output().unwrap();
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(said.contains("The connection to the server of the bucket broke"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_let_pass_the_other_counts() {
    let Some((machine, bucket, lines)) = on_postgres().await else { return };
    let file = machine.at("shingle.toml");
    let lower = |text: String| text.replace("sessions_per_visitor = 100000000", "sessions_per_visitor = 300");
    std::fs::write(&file, lower(std::fs::read_to_string(&file).unwrap())).unwrap();
    let one = machine.serve();
    found(&machine, &one).await;
    let second = beside(&machine, &bucket, &lines);
    let file = second.at("shingle.toml");
    std::fs::write(&file, lower(std::fs::read_to_string(&file).unwrap())).unwrap();
    let two = second.serve();
    let client = client();
    let session = async |server: &Server| {
        answer(client.post(format!("{}/w/{WIDGET}/session", server.base)).header("origin", SITE)).await.0
    };
    let mut taken = 0;
    while session(&one).await == 200 {
        taken += 1;
        assert!(taken < 1_000);
    }
    assert!(taken >= 300);
    // The second node learns of them within a second, and until then lets pass what it has itself: asked slowly, that lasts
    // for half a minute.
    let mut asked = 0;
    while session(&two).await == 200 {
        asked += 1;
        assert!(asked < 300, "it has not been told");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn homes_are_pushed_and_pulled_and_nothing_damaged_is_taken() {
    let Some((machine, bucket, lines)) = on_postgres().await else { return };
    machine.ask(&["account", "create", "--name", "Oak Roofing"]);
    let second = beside(&machine, &bucket, &lines);
    let said = second.refused(&["index", "pull"]);
    assert!(said.contains("No server has pushed homes"), "{said}");
    let said = machine.refused(&["index", "push"]);
    assert!(said.contains("no homes here"), "{said}");
    shingle_property::sample_town::build(&machine.data().join("property")).unwrap();
    let pushed = machine.ask(&["index", "push"]);
    assert!(pushed["places"].as_u64().unwrap() > 0 && pushed["files"] == pushed["sentFiles"], "{pushed}");
    assert_eq!(machine.ask(&["index", "push"])["sentFiles"], 0);

    // Half a pull, and a file that was damaged on the way.
    let stored = bucket.names("homes/files");
    let damaged = bucket.at(&format!("homes/files/{}", stored[0]));
    let whole = std::fs::read(&damaged).unwrap();
    std::fs::write(&damaged, &whole[..whole.len() / 2]).unwrap();
    let said = second.refused(&["index", "pull"]);
    assert!(said.contains("damaged file") && said.contains(&stored[0]), "{said}");
    assert!(!second.data().join("property/manifest.json").exists());
    std::fs::write(&damaged, &whole).unwrap();
    let pulled = second.ask(&["index", "pull"]);
    assert_eq!((&pulled["places"], &pulled["bytes"]), (&pushed["places"], &pushed["bytes"]));
    assert_eq!(second.ask(&["index", "pull"])["sentFiles"], 0);
    let found = |machine: &Machine, home: &str| {
        let said: Value = serde_json::from_slice(&machine.run(&["lookup", home]).stdout).unwrap_or_default();
        (said["key"].is_string(), said["evidence"].clone())
    };
    let here = found(&machine, "14 Alder Court, Harrow Falls, ME 04995");
    assert!(here.0);
    assert_eq!(found(&second, "14 Alder Court, Harrow Falls, ME 04995"), here);

    let rebuilt = |machine: &Machine, file: &str, home: &str| {
        let rows = machine.at(file);
        let (number, street) = home.split_once(' ').unwrap();
        std::fs::write(&rows, format!("number,street,city,state,zip\n{number},{street},Bath,ME,04530\n")).unwrap();
        let map = machine.at("map.toml");
        let mapping = format!(
            "dataset = \"{}\"\n[address]\nnumber = \"number\"\nstreet = \"street\"\ncity = \"city\"\nstate = \"state\"\nzip = \"zip\"\n",
            file.split('.').next().unwrap()
        );
        std::fs::write(&map, mapping).unwrap();
        machine.ask(&["import", rows.to_str().unwrap(), "--map", map.to_str().unwrap()]);
    };
    // After an undo another file has the path that one had before.
    let index = machine.data().join("property");
    rebuilt(&machine, "ash.csv", "3 Ash St");
    machine.ask(&["index", "push"]);
    assert!(shingle_property::undo_import(&index, "ash", 1).unwrap());
    rebuilt(&machine, "ash.csv", "4 Ash St");
    assert_eq!(machine.ask(&["index", "push"])["sentFiles"], 1);
    second.ask(&["index", "pull"]);
    assert!(found(&second, "4 Ash St, Bath, ME 04530").0);
    assert!(!found(&second, "3 Ash St, Bath, ME 04530").0);

    // Both changed: neither is lost without a word.
    rebuilt(&second, "elm.csv", "1 Elm St");
    let said = second.refused(&["index", "pull"]);
    assert!(said.contains("changed and not pushed"), "{said}");
    rebuilt(&machine, "oak.csv", "1 Oak St");
    machine.ask(&["index", "push"]);
    let said = second.refused(&["index", "push"]);
    assert!(said.contains("Another server has pushed"), "{said}");
    second.ask(&["index", "pull", "--replace"]);
    let names = |machine: &Machine| {
        let text = std::fs::read(machine.data().join("property/manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&text).unwrap();
        manifest["datasets"].as_array().unwrap().iter().map(|set| set["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&machine), names(&second));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_holds_what_lies_in_a_bucket_and_a_restore_puts_it_there() {
    let bucket = BucketServer::start().await;
    let machine = bucket.machine(None);
    machine.set(&(format!("storage = \"s3://{BUCKET}/pictures\"") + "\n"));
    let server = machine.serve();
    let key = found(&machine, &server).await;
    let lead = leave_lead(&server).await;
    let photo = send_photo(&server, &lead).await.1["id"].as_str().unwrap().to_owned();
    ask_for_visit(&server, &lead).await;
    let (status, before) = read_photo(&server, &key, &lead.0, &photo).await;
    assert_eq!(status, 200);
    let archive = machine.at("oak.tar.zst");
    machine.ask(&["backup", archive.to_str().unwrap()]);

    let to = bucket.machine(None);
    to.set(&(format!("storage = \"s3://{BUCKET}/restored\"") + "\n"));
    to.ask(&["restore", archive.to_str().unwrap()]);
    let restored = to.serve();
    assert_eq!(read_photo(&restored, &key, &lead.0, &photo).await, (200, before));
    let again = bucket.machine(None);
    again.set(&(format!("storage = \"s3://{BUCKET}/restored\"") + "\n"));
    let said = again.refused(&["restore", archive.to_str().unwrap()]);
    assert!(said.contains("needs an empty folder") && said.contains("of the bucket in `storage`"), "{said}");
    assert!(!said.contains(PASSPHRASE));
    // A folder, too.
    let folder = bucket.machine(None);
    folder.ask(&["restore", archive.to_str().unwrap()]);
    assert!(folder.data().join("storage/photos").read_dir().unwrap().count() > 0);
}

/// A browser in which an operator of the installation is signed in.
struct Operator {
    client: reqwest::Client,
    cookie: String,
}

impl Operator {
    async fn enter(machine: &Machine, server: &Server) -> Self {
        let client = plain_client().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let mut operator = Self { client, cookie: String::new() };
        let token = |receipt: &Value| receipt["link"].as_str().unwrap().split_once("token=").unwrap().1.to_owned();
        let invite = token(&machine.ask(&["invite", "--operator"]));
        let fields = [("token", &*invite), ("email", "root@oak.example.com"), ("name", "Maya Lindqvist")];
        let (status, page) = operator.send(server, "/portal/invite", &fields).await;
        assert_eq!(status, 200, "{page}");
        let link = token(&machine.ask(&["user", "reset", "root@oak.example.com"]));
        let entered = operator.post(server, "/portal/sign-in/link", &[("token", &link)]).await;
        let cookies = entered.headers().get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
        operator.cookie = cookies.map(|cookie| cookie.split(';').next().unwrap()).collect::<Vec<_>>().join("; ");
        operator
    }

    async fn post(&self, server: &Server, path: &str, fields: &[(&str, &str)]) -> reqwest::Response {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.client.post(format!("{}{path}", server.base)).header("sec-fetch-site", "same-origin");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        request.header("cookie", &self.cookie).body(body).send().await.unwrap()
    }

    async fn told(response: reqwest::Response) -> (u16, String) {
        let location = response.headers().get("location").map(|location| location.to_str().unwrap().to_owned());
        let status = response.status().as_u16();
        (status, location.unwrap_or(response.text().await.unwrap()))
    }

    async fn send(&self, server: &Server, path: &str, fields: &[(&str, &str)]) -> (u16, String) {
        Self::told(self.post(server, path, fields).await).await
    }

    async fn open(&self, server: &Server, path: &str) -> (u16, String) {
        let request = self.client.get(format!("{}{path}", server.base)).header("accept", "text/html");
        Self::told(request.header("cookie", &self.cookie).send().await.unwrap()).await
    }

    async fn upload(&self, server: &Server, name: &str, text: &str) -> (u16, String) {
        let file = multipart::Part::bytes(text.as_bytes().to_vec()).file_name(name.to_owned());
        let request = self.client.post(format!("{}/portal/operator/imports", server.base));
        let request = request.header("sec-fetch-site", "same-origin").header("cookie", &self.cookie);
        Self::told(request.multipart(multipart::Form::new().part("file", file)).send().await.unwrap()).await
    }

    /// Opens a page until it says this.
    async fn until(&self, server: &Server, path: &str, says: &str) -> String {
        for _ in 0..300 {
            let (_, page) = self.open(server, path).await;
            if page.contains(says) {
                return page;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{path} never says {says}: {}", self.open(server, path).await.1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_that_one_node_has_is_seen_and_worked_on_at_the_other() {
    let Some((machine, bucket, lines)) = on_postgres().await else { return };
    let one = machine.serve();
    let second = beside(&machine, &bucket, &lines);
    let two = second.serve();
    let operator = Operator::enter(&machine, &one).await;
    // Until each has seen the other.
    let town = crate::portal::imports::TOWN;
    let (status, path) = operator.upload(&one, "biddeford.csv", town).await;
    assert_eq!(status, 303, "{path}");
    operator.until(&two, "/portal/operator/imports", "biddeford.csv").await;

    let page = operator.until(&two, &path, "Ten rows, read this way").await;
    assert!(page.contains("12 Hill St") && !page.contains("ANN SAMPLE"));
    let (status, wrong) = operator.send(&two, &format!("{path}/text"), &[("text", "dataset = 5")]).await;
    assert!(status == 422 && wrong.contains("The mapping cannot be used like this:"), "{status} {wrong}");
    let choice = [("dataset", "biddeford-me"), ("title", "City of Biddeford — ñandú")];
    let (status, to) = operator.send(&two, &format!("{path}/columns"), &choice).await;
    assert_eq!((status, to), (303, format!("{path}?said=saved")));
    assert!(operator.open(&one, &path).await.1.contains("City of Biddeford — ñandú"));
    assert_eq!(operator.send(&two, &format!("{path}/import"), &choice).await.0, 303);
    operator.until(&two, &path, ">Imported<").await;
    let (status, rejected) = operator.open(&two, &format!("{path}/rejects.csv")).await;
    assert!(status == 200 && rejected.contains("biddeford.csv,4,"), "{status} {rejected}");
    assert_eq!(rejected.matches('\u{feff}').count(), 1, "the mark of a table stands once");
    let (_, progress) = operator.open(&two, &format!("{path}/progress")).await;
    assert_eq!(serde_json::from_str::<Value>(&progress).unwrap()["working"], false);

    // Only who may: the node that has the files asks for the session itself.
    let stranger = Operator { client: operator.client.clone(), cookie: String::new() };
    assert_eq!(stranger.open(&two, &path).await.0, 303);
    let forged = operator.client.post(format!("{}{path}/forget", two.base)).header("cookie", &operator.cookie);
    assert_eq!(forged.header("sec-fetch-site", "cross-site").send().await.unwrap().status(), 403);
    assert_eq!(operator.open(&two, "/portal/operator/imports/018f0000-0000-7000-8000-000000000000").await.0, 404);
    let homes = operator.until(&two, "/portal/operator/imports", "biddeford-me").await;
    assert_eq!(homes.matches(&format!("{path}\"")).count(), 1, "listed once");

    // The other one is away, and says so; what it has comes back with it.
    drop(one);
    let (status, silent) = operator.open(&two, &path).await;
    assert!(status == 503 && silent.contains("doesn’t answer"), "{status} {silent}");
    let again = machine.serve();
    operator.until(&two, &path, ">Imported<").await;
    assert_eq!(operator.send(&two, &format!("{path}/undo"), &[]).await, (303, format!("{path}?said=undone")));
    let (status, to) = operator.send(&two, &format!("{path}/forget"), &[]).await;
    assert_eq!((status, &*to), (303, "/portal/operator/imports?said=forgotten"));
    let (_, listed) = operator.open(&again, "/portal/operator/imports").await;
    assert!(!listed.contains("biddeford.csv"), "{listed}");

    // Areas lie together: once a node has one, the others ask it for all that concerns them.
    std::fs::create_dir_all(machine.data().join("areas/area-04005")).unwrap();
    let switch = |machine: &Machine| machine.data().join("areas/switches.json").exists();
    for _ in 0..300 {
        let set = operator.send(&two, "/portal/operator/areas/monthly", &[("on", "1")]).await;
        assert_eq!(set, (303, "/portal/operator/areas?area=monthly".to_owned()));
        if switch(&machine) {
            break;
        }
        std::fs::remove_file(second.data().join("areas/switches.json")).unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(switch(&machine) && !switch(&second));
    assert_eq!(operator.open(&two, "/portal/operator/areas").await.0, 200);
}
