//! The `shingle` program itself, each time on a new, empty folder.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "command_line/accounts.rs"]
mod accounts;
#[path = "command_line/areas.rs"]
mod areas;
#[cfg(unix)]
#[path = "command_line/owners.rs"]
mod owners;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use shingle_testing::shared;

fn shingle(data: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shingle"));
    command.current_dir(data).args(words).arg("--data").arg(data.join("kept")).output().unwrap()
}

fn json(data: &Path, words: &[&str]) -> Value {
    let output = shingle(data, &[words, &["--json"]].concat());
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a failed command wrote to standard error.
fn failure(data: &Path, words: &[&str]) -> String {
    let output = shingle(data, words);
    assert!(!output.status.success(), "{words:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_widget_is_made_from_an_account_and_an_address_and_says_what_was_filled_in() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let account = json(data, &["account", "create", "--name", "Oak Roofing"])["id"].as_str().unwrap().to_owned();
    let create = |more: &[&'static str]| {
        let words = ["widget", "create", "--account", &account, "--url", "https://www.oak.example.com"];
        words.into_iter().map(str::to_owned).chain(more.iter().map(|word| (*word).to_owned())).collect::<Vec<_>>()
    };
    let run = |words: &[String]| json(data, &words.iter().map(String::as_str).collect::<Vec<_>>());
    let made = run(&create(&[]));
    let id = made["referenceId"].as_str().unwrap();
    let script = format!("<script async src=\"http://localhost:8080/w/{id}.js\"></script>");
    for (name, value) in [
        ("environment", "sandbox"),
        ("widgetScript", &script),
        ("hostedPageLink", &format!("http://localhost:8080/w/{id}")),
        ("companyName", "Oak Roofing"),
        ("companyUrl", "https://www.oak.example.com/"),
        ("firstPageTitle", "See what a new roof would cost"),
    ] {
        assert_eq!(made[name], value, "{name}");
    }
    let logo = made["headerLogoUrl"].as_str().unwrap().split("/storage/").nth(1).unwrap().to_owned();
    assert!(std::fs::read(data.join("kept/storage").join(logo)).unwrap().starts_with(b"\x89PNG"));
    let notes = made["notes"].to_string();
    for told in
        ["reference table's: $", "is nobody's. --phone", "is nobody's. --email", "--logo", "--privacy", "--address"]
    {
        assert!(notes.contains(told), "{told}: {notes}");
    }

    std::fs::write(data.join("logo.png"), include_bytes!("../../../www/demo/logo.png")).unwrap();
    let own = run(&create(&[
        "--env",
        "production",
        "--name",
        "Oak & Sons",
        "--phone",
        "757 555 0134",
        "--email",
        "hi@oak.example.com",
        "--price",
        "540.50",
        "--color",
        "#8c3b24",
        "--logo",
        "logo.png",
        "--privacy",
        "https://oak.example.com/privacy",
        "--address",
        "1 Main St",
        "--base-url",
        "https://roofs.example.com",
    ]));
    assert_eq!((&own["companyPhone"], &own["installedPrice"]), (&"(757) 555-0134".into(), &540.5.into()));
    assert!(own["widgetScript"].as_str().unwrap().contains("https://roofs.example.com/w/"));
    assert_eq!(own["notes"].as_array().unwrap().len(), 1, "{}", own["notes"]);
    assert!(own["notes"][0].as_str().unwrap().contains("shingle import"));

    let list = json(data, &["widget", "list", "--account", &account]);
    let listed: Vec<_> = list.as_array().unwrap().iter().map(|one| &one["referenceId"]).collect();
    assert_eq!(listed, [&own["referenceId"], &made["referenceId"]]);
    let sandbox = json(data, &["widget", "list", "--account", &account, "--env", "sandbox"]);
    assert_eq!(sandbox.as_array().unwrap().len(), 1);
    let none = json(data, &["account", "create", "--name", "Pine Roofing"])["id"].as_str().unwrap().to_owned();
    for (listed, said) in [("widget", "no production widget yet"), ("lead", "no production leads yet")] {
        let args = [listed, "list", "--account", &none, "--env", "production"];
        let text = String::from_utf8(shingle(data, &args).stdout).unwrap();
        assert!(text.contains(said), "{text}");
    }
    let text = String::from_utf8(shingle(data, &["widget", "list", "--account", &account]).stdout).unwrap();
    assert!(text.contains(id) && text.contains("Oak & Sons"), "{text}");

    let refused = |more: &[&'static str]| {
        let words = create(more);
        failure(data, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for (more, said) in [
        (&["--env", "production"][..], "--phone and --email"),
        (&["--logo", "nowhere.png"], "nowhere.png"),
        (&["--logo", "kept/shingle.db"], "must be a PNG, JPEG or WebP image"),
        (&["--color", "blue"], "#8c3b24"),
        (&["--phone", "555"], "ten digits"),
        (&["--price", "free"], "540"),
        (&["--name", ""], "companyName should not be empty"),
        (&["--url", "http://localhost:3000"], "--url"),
    ] {
        assert!(refused(more).contains(said), "{more:?}: {}", refused(more));
    }
    let listed = json(data, &["widget", "list", "--account", &account]);
    assert_eq!(listed.as_array().unwrap().len(), 2, "what was refused made nothing");
}

#[test]
fn an_error_says_what_where_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let nobody = "11111111-1111-4111-8111-111111111111";
    for words in [
        &["account", "pause", nobody][..],
        &["key", "issue", "--account", nobody, "--env", "sandbox"],
        &["key", "list", "--account", nobody],
        &["lead", "list", "--account", nobody],
    ] {
        let said = failure(data, words);
        assert!(said.contains("There is no such account") && said.contains(nobody) && said.contains("try:"), "{said}");
    }
    let said = failure(data, &["lookup", "1 Nowhere Lane"]);
    assert!(said.contains("Nothing is imported yet") && said.contains("shingle import"), "{said}");
    let said = failure(data, &["import", "towns.csv", "--map", "missing.toml"]);
    assert!(said.contains("missing.toml") && said.contains("--draft") && said.contains("openaddresses"), "{said}");
    let said = failure(data, &["serve", "--listen", "everywhere"]);
    assert!(said.contains("--listen"), "{said}");
    let said: Value = serde_json::from_str(&failure(data, &["key", "revoke", "nokey", "--json"])).unwrap();
    assert_eq!((&said["error"], &said["where"]), (&"There is no such key".into(), &"nokey".into()));
}

#[test]
fn a_home_of_the_sample_town_is_found_and_marked_as_invented() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["lookup", "--sample-town", "14 Alder Court"];
    let found = json(folder.path(), &words);
    assert!(found["roofEstimate"]["roofArea"].as_f64().unwrap() > 500.0);
    assert_eq!(found["evidence"]["place"]["sources"][0]["invented"], true);
    let text = String::from_utf8(shingle(folder.path(), &words).stdout).unwrap();
    for said in
        ["roofCostEstimate", "range.order.wastePercent", "solarIndex", "annualConsumption", "payScore", "INVENTED"]
    {
        assert!(text.contains(said), "{said}: {text}");
    }
    let explained = String::from_utf8(shingle(folder.path(), &[&words[..], &["--reasons"]].concat()).stdout).unwrap();
    assert!(explained.contains("solarIndex, economics: "), "{explained}");
    let said = failure(folder.path(), &["lookup", "--sample-town", "14 Alder Road"]);
    assert!(said.contains("almost like that address") && said.contains("14 Alder Court"), "{said}");
}

#[test]
fn a_town_is_imported_and_found() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/maps/chesapeake-va.toml");
    let Some(outlines) = shared("data/footprints/chesapeake_va_1.shp") else { return };
    let done = json(data, &["import", outlines.to_str().unwrap(), "--map", map]);
    let count = |name: &str| done[name].as_u64().unwrap();
    assert_eq!(count("rowsRead"), count("imported") + count("rejected") + count("duplicates"));
    assert!(count("places") > 1_000, "{done}");
    let checks = shingle(data, &["doctor", "--json"]);
    assert!(String::from_utf8(checks.stdout).unwrap().contains("chesapeake"));
}

/// As an operator does it who has a table and nothing else.
#[test]
fn a_drafted_mapping_takes_a_table_in_and_its_homes_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut table = "PARCEL_ID,SITUS_ADDR,SITUS_CITY,SITUS_STATE,SITUS_ZIP,YR_BLT,LVG_AREA,USE_DESC\n".to_owned();
    for n in (2..=80).step_by(2) {
        let (use_, area) = if n == 80 { ("CHURCH", String::new()) } else { ("SINGLE FAMILY", (1_200 + n).to_string()) };
        table += &format!("R-{n},{n} Alder Ct,Harrow,NH,03290,19{:02},{area},{use_}\n", 10 + n);
    }
    std::fs::write(data.join("roll.csv"), table).unwrap();
    let drafted = shingle(data, &["import", "--draft", "roll.csv"]);
    let mapping = String::from_utf8(drafted.stdout).unwrap();
    assert!(drafted.status.success() && mapping.contains("Of 40 rows this mapping takes 40"), "{mapping}");
    std::fs::write(data.join("town.toml"), mapping).unwrap();
    let taken = json(data, &["import", "roll.csv", "--map", "town.toml"]);
    assert_eq!(taken["imported"], 40, "{taken}");
    let of = |number: u32| json(data, &["lookup", &format!("{number} Alder Court, Harrow, NH 03290")]);
    let (home, church) = (of(14), of(80));
    assert_eq!(home["solarIndex"]["homeBuiltYear"], "1924");
    assert_eq!(home["utilityBill"]["status"], "success");
    // A church is no home, although the draft has no class for it.
    assert_eq!(church["solarIndex"]["propertyType"], "CHURCH");
    assert_eq!(
        (&church["solarIndex"]["solarIndex"], &church["buyerInsights"]["payScore"]),
        (&Value::Null, &Value::Null)
    );
    assert_ne!(church["utilityBill"]["status"], "success");
    // A file that is not a table is refused by name, and a missing one too.
    std::fs::write(data.join("notes.txt"), "14 Alder Court is for sale").unwrap();
    for file in ["notes.txt", "none.csv"] {
        let refused = failure(data, &["import", "--draft", file]);
        assert!(refused.contains(file), "{refused}");
    }
}

#[test]
fn the_doctor_reports_every_check() {
    let folder = tempfile::tempdir().unwrap();
    let output = shingle(folder.path(), &["doctor", "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = found["checks"].as_array().unwrap();
    for name in
        ["configuration", "secret", "database", "storage", "property index", "sample town", "reference tables", "clock"]
    {
        let check = checks.iter().find(|c| c["check"] == name).unwrap();
        assert_eq!(check["ok"], true, "{check}");
    }
    assert_eq!(output.status.success(), found["ok"] == true, "the exit code says the same");
    std::fs::write(folder.path().join("shingle.toml"), "listen = 'here'").unwrap();
    let output = shingle(folder.path(), &["doctor"]);
    assert!(!output.status.success() && String::from_utf8(output.stdout).unwrap().contains("listen"));
}

#[test]
fn the_support_text_tells_the_settings_and_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    std::fs::write(
        data.join("shingle.toml"),
        "smtp_url = 'smtps://bo:hunter2@mail.example.com'\nmail_from = 'leads@example.com'\nmetrics_key = '0123456789abcdef'\n",
    )
    .unwrap();
    let words = ["doctor", "--support"];
    let text = String::from_utf8(shingle(data, &words).stdout).unwrap();
    for told in
        ["shingle 0.1.0 (", "\"lookup_cents\": 10", "\"mail_from\": \"leads@example.com\"", "disk space", "open files"]
    {
        assert!(text.contains(told), "{told}: {text}");
    }
    let postgres = "postgres://bo:hunter2@127.0.0.1:1/none";
    let other = String::from_utf8(shingle(data, &["doctor", "--support", "--database", postgres]).stdout).unwrap();
    assert!(other.contains("127.0.0.1:1/none"), "{other}");
    let secret = std::fs::read_to_string(data.join("kept/secret")).unwrap();
    for hidden in ["hunter2", "0123456789abcdef", secret.trim()] {
        assert!(!text.contains(hidden) && !other.contains(hidden), "{hidden}");
    }
}

#[test]
fn a_reference_table_is_shown_loaded_and_reset() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let listed = |name: &str| {
        let list = json(data, &["reference", "list"]);
        let list = list.as_array().unwrap().clone();
        assert_eq!(list.len(), 12);
        list.into_iter().find(|t| t["name"] == name).unwrap()
    };
    let before = listed("energy-prices");
    assert_eq!((&before["year"], &before["rows"], &before["file"]), (&2026.into(), &52.into(), &Value::Null));
    assert!(before["placeholders"].as_u64() > Some(0) && before["source"].as_str().unwrap().contains("Energy"));
    let text = String::from_utf8(shingle(data, &["reference", "list"]).stdout).unwrap();
    assert!(text.contains("solar-yield") && text.contains("built in"), "{text}");

    // Placeholders are marked and explained.
    let shown =
        String::from_utf8(shingle(data, &["reference", "show", "energy-prices", "--zip", "98101"]).stdout).unwrap();
    assert!(shown.contains("3.174*") && shown.contains("nothing is published"), "{shown}");
    let zip = json(data, &["reference", "show", "zip-areas", "--zip", "04901"]);
    assert_eq!((&zip["cells"][0][0], zip["cells"].as_array().unwrap().len()), (&"04901".into(), 1));
    assert!(failure(data, &["reference", "show", "solar-yield", "--zip", "00000"]).contains("no row"));
    assert!(failure(data, &["reference", "show", "weather"]).contains("degree-days"));

    // The built-in table is the template: one figure and the year are changed.
    let pattern = String::from_utf8(shingle(data, &["reference", "show", "energy-prices"]).stdout).unwrap();
    let mine = pattern.replace("# year: 2026", "# year: 2027").replace("\nME,29.99,", "\nME,31,");
    let file = data.join("mine.csv");
    std::fs::write(&file, &mine).unwrap();
    let load = ["reference", "load", "energy-prices", file.to_str().unwrap()];
    let loaded = json(data, &load);
    assert_eq!((&loaded["year"], &loaded["rows"], &loaded["before"]), (&2027.into(), &52.into(), &2026.into()));
    assert_eq!(listed("energy-prices")["year"], 2027);
    let checks = String::from_utf8(shingle(data, &["doctor"]).stdout).unwrap();
    assert!(checks.contains("12 tables, 1 loaded here"), "{checks}");

    // A broken or older table does not replace it.
    std::fs::write(&file, mine.replace("\nME,31,", "\nME,lots,")).unwrap();
    let told = failure(data, &load);
    assert!(told.contains("line ") && told.contains("`electricity_cents_per_kwh`") && told.contains("lots"), "{told}");
    std::fs::write(&file, &pattern).unwrap();
    assert!(failure(data, &load).contains("--older"));
    let maine = json(data, &["reference", "show", "energy-prices", "--state", "ME"]);
    assert_eq!(maine["cells"][0][1], "31");
    json(data, &[&load[..], &["--older"]].concat());
    assert_eq!(listed("energy-prices")["year"], 2026);

    assert_eq!(json(data, &["reference", "reset", "energy-prices"])["removed"], true);
    assert_eq!(json(data, &["reference", "reset", "energy-prices"])["removed"], false);
    assert_eq!(listed("energy-prices")["file"], Value::Null);

    // A broken file is reported, and the built-in table is used.
    std::fs::write(data.join("kept/reference/gas-months.csv"), "nonsense").unwrap();
    assert!(listed("gas-months")["problem"].as_str().unwrap().contains("gas-months.csv"));
    let checks = String::from_utf8(shingle(data, &["doctor"]).stdout).unwrap();
    assert!(checks.contains("FAIL  reference tables"), "{checks}");
}

/// A running server, and what it said when it was ready. Few files may be open until it asks for more.
#[cfg(unix)]
fn serve(data: &Path) -> (Child, Value) {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -Sn 128 && exec \"$0\" serve --listen 127.0.0.1:0 --json --data \"$1\""]);
    command.arg(env!("CARGO_BIN_EXE_shingle")).arg(data);
    let mut server = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (server, serde_json::from_str(&line).unwrap())
}

#[cfg(unix)]
fn end(server: Child, signal: &str) -> String {
    assert!(Command::new("kill").args([signal, &server.id().to_string()]).status().unwrap().success());
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success(), "{signal}: {}", output.status);
    String::from_utf8(output.stderr).unwrap()
}

#[cfg(unix)]
#[test]
fn the_server_prints_its_address_responds_and_stops_on_a_signal() {
    let folder = tempfile::tempdir().unwrap();
    let (server, ready) = serve(folder.path());
    let mut socket = TcpStream::connect(ready["listening"].as_str().unwrap()).unwrap();
    for path in ["healthz", "healthz", "nowhere?name=Ann"] {
        let request = format!("GET /{path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.7\r\n\r\n");
        socket.write_all(request.as_bytes()).unwrap();
        assert!(socket.read(&mut [0; 4_096]).unwrap() > 0);
    }
    socket.write_all(b"GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("{\"status\":\"ok\"}"), "{answer}");

    let log = end(server, "-TERM");
    assert!(log.contains("/nowhere") && log.contains("stopped") && !log.contains("Ann"), "no query in the log: {log}");
    assert!(!log.contains("/readyz"), "balancers ask every few seconds: {log}");
    assert_eq!(log.matches("not in trusted_proxy").count(), 1, "{log}");
    let (server, _) = serve(folder.path());
    assert!(end(server, "-HUP").contains("stopped"), "a terminal that closes ends it as gently");
}

#[cfg(unix)]
#[test]
fn the_doctor_knows_its_own_server_at_the_base_url() {
    let folder = tempfile::tempdir().unwrap();
    let (server, ready) = serve(&folder.path().join("kept"));
    let base = ready["baseUrl"].as_str().unwrap();
    let found = |data: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shingle"));
        command.current_dir(data).args(["doctor", "--json", "--data"]).arg(data.join("kept"));
        let output = command.env("SHINGLE_BASE_URL", base).output().unwrap();
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = found["checks"].as_array().unwrap().clone();
        checks.into_iter().filter(|check| check["check"] == "base url" || check["check"] == "clock").collect::<Vec<_>>()
    };
    let own = found(folder.path());
    assert!(own.iter().all(|check| check["ok"] == true) && own.len() == 2, "{own:?}");
    assert!(own[1]["detail"].as_str().unwrap().contains("is this server"), "{own:?}");
    let stranger = tempfile::tempdir().unwrap();
    let other = found(stranger.path());
    assert!(other[1]["detail"].as_str().unwrap().contains("Another installation"), "{other:?}");
    end(server, "-TERM");
    let gone = found(folder.path());
    assert!(gone[1]["ok"] == false && gone[1]["detail"].as_str().unwrap().contains("refused"), "{gone:?}");
}

#[cfg(unix)]
#[test]
fn the_server_may_open_more_files_than_a_shell_allows_and_so_takes_many_connections() {
    let folder = tempfile::tempdir().unwrap();
    let (server, ready) = serve(folder.path());
    let connect = || TcpStream::connect(ready["listening"].as_str().unwrap()).unwrap();
    let silent: Vec<_> = (0..200).map(|_| connect()).collect();
    let mut socket = connect();
    socket.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    drop(silent);
    let log = end(server, "-TERM");
    assert!(!log.contains("cannot accept"), "{log}");
}

/// A limit on the size of files stands for a disk that fails: what goes beyond it is an I/O error.
#[cfg(target_os = "linux")]
#[test]
fn a_server_whose_disk_failed_says_so_and_writes_again_once_it_works() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    // By default the system ends a program that goes beyond the limit.
    command.args(["-c", r#"trap '' XFSZ; exec "$0" "$@""#, env!("CARGO_BIN_EXE_shingle")]);
    command.args(["serve", "--listen", "127.0.0.1:0", "--json", "--data"]).arg(folder.path());
    let mut server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let listening = serde_json::from_str::<Value>(&line).unwrap()["listening"].as_str().unwrap().to_owned();
    let until_ready_is = |wanted: bool| {
        // A check's result stands for a second.
        for _ in 0..100 {
            let mut socket = TcpStream::connect(&listening).unwrap();
            socket.write_all(b"GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
            let mut answer = String::new();
            socket.read_to_string(&mut answer).unwrap();
            if answer.starts_with("HTTP/1.1 200") == wanted {
                return true;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        false
    };
    let limit = |to: &str| {
        let pid = server.id().to_string();
        Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={to}")]).status().is_ok_and(|s| s.success())
    };
    let works = until_ready_is(true);
    let failed = limit("100:").then(|| until_ready_is(false));
    let recovered = limit("unlimited:").then(|| until_ready_is(true));
    server.kill().unwrap();
    server.wait().unwrap();
    if failed.is_none() {
        return shingle_testing::skip("prlimit cannot set limits here");
    }
    assert_eq!((works, failed, recovered), (true, Some(true), Some(true)));
}

#[test]
fn the_import_explains_itself() {
    let folder = tempfile::tempdir().unwrap();
    let said = |words: &[&str]| {
        let output = shingle(folder.path(), words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(said(&["import", "--help", "mapping"]).contains("| `year_built` | a year |"));
    assert!(said(&["import", "--help"]).contains("--allow-shrink"));
    let guide = said(&["import", "--guide", "Virginia"]);
    assert!(guide.contains("ODbL") && guide.contains("--map overture --dataset COUNTY-va"), "{guide}");
    assert!(failure(folder.path(), &["import", "--guide", "Virginai"]).contains("is not a state"));
}
