//! Imports that an operator begins in the portal.

use std::path::Path;
use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use shingle_app::imports::{Imports, Stage, Work};
use shingle_domain::Role;
use shingle_domain::lookup::AddressInput;
use shingle_property::Lookup;
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::{signed_in, user};
use crate::support::{TestApp, fetch, header};

pub const TOWN: &str = "PARCEL_ID,LOC_ADDR,CITY,STATE,ZIP,YR_BLT,X,Y,OWNER1\n\
    1042,12 Hill St,Biddeford,ME,04005,1987,-70.4532,43.4926,ANN SAMPLE\n\
    1043,14 Hill St,Biddeford,ME,04005,1990,-70.4530,43.4927,BEN SAMPLE\n\
    1044,16 Hill St,Biddeford,ME,04005,1991,-70.4527,43.4928,\n\
    1045,,Biddeford,ME,04005,1992,-70.4525,43.4930,\n\
    1046,18 Hill St,Biddeford,ME,04005,n/a,-70.4522,43.4931,\n\
    1047,20 Hill St,Biddeford,ME,04005,1994,0,0,\n";

async fn operator<'a>(app: &'a TestApp) -> Browser<'a> {
    let homeless = user(app, None, Role::Operator, "root@oak.example.com").await;
    signed_in(app, &homeless).await
}

/// Sends files as a browser does; gives the status, and the page or where it leads.
async fn upload(app: &TestApp, browser: &Browser<'_>, files: &[(&str, Vec<u8>)]) -> (u16, String) {
    let mut form = Form::new();
    for (name, bytes) in files {
        form = form.part("file", Part::bytes(bytes.clone()).file_name((*name).to_owned()));
    }
    let request = app.request(Method::POST, "/portal/operator/imports").header("sec-fetch-site", "same-origin");
    let response = fetch(request.header("cookie", browser.cookies()).multipart(form)).await;
    let (status, location) = (response.status().as_u16(), header(&response, "location").to_owned());
    if location.is_empty() { (status, response.text().await.unwrap()) } else { (status, location) }
}

/// The page of an import, once nothing works on it.
async fn settled(browser: &mut Browser<'_>, path: &str) {
    for _ in 0..600 {
        browser.open(path).await;
        if !browser.html.contains("data-progress") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{path} works for ever: {}", browser.html);
}

pub async fn begun(app: &TestApp, browser: &mut Browser<'_>, name: &str, text: &str) -> String {
    let (status, path) = upload(app, browser, &[(name, text.as_bytes().to_vec())]).await;
    assert_eq!(status, 303, "{path}");
    settled(browser, &path).await;
    path
}

async fn import(browser: &mut Browser<'_>, path: &str) {
    browser.send_to(&format!("{path}/import"), &[]).await;
    settled(browser, path).await;
}

fn is_found(app: &TestApp, line: &str) -> bool {
    let found = app.app.indexes.production.lookup(&AddressInput::Line(line.to_owned())).unwrap();
    matches!(found, Lookup::Found { .. })
}

fn left_in(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, |entries| entries.count())
}

on_both_engines! {
    async fn a_town_is_imported_without_a_terminal_and_taken_back(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        browser.open("/portal/operator/imports").await;
        browser.shows(200, "Nothing is imported yet");
        browser.open("/portal/operator/imports?state=maine").await;
        browser.shows(200, "Maine: addresses and roofs of a county");
        browser.open("/portal/operator/imports?state=%3Cb%3EAtlantis").await;
        browser.shows(200, "Please type one of the 50 states or DC.");
        let path = begun(&app, &mut browser, "biddeford.csv", TOWN).await;
        for said in ["What each column means", "<option value=\":LOC_ADDR\" selected=\"\">LOC_ADDR</option>", "12 Hill St", "No address of its own", "Ten rows, read this way"] {
            browser.shows(200, said);
        }
        assert!(!browser.html.contains("ANN SAMPLE"), "names of people are in no preview");
        assert!(!is_found(&app, "12 Hill St, Biddeford, ME 04005"));

        // Corrected by a choice: another column, and one that is left out.
        browser.submit_to(&format!("{path}/columns"), &[("dataset", "biddeford-me"), ("title", "City of Biddeford"), ("assessor.year_built", "")]).await;
        browser.shows(200, "Saved.");
        browser.shows(200, "value=\"biddeford-me\"");
        assert!(!browser.html.contains("year_built ="), "{}", browser.html);
        browser.submit_to(&format!("{path}/columns"), &[("dataset", "biddeford-me"), ("title", "City of Biddeford"), ("assessor.year_built", ":YR_BLT")]).await;
        browser.shows(200, "year_built = &quot;YR_BLT&quot;");
        browser.open(&format!("{path}?problems=1")).await;
        assert!(browser.html.contains("n/a") && !browser.html.contains("12 Hill St, "), "{}", browser.html);
        assert!(!browser.html.contains(">1042<"), "only rows with a problem");

        browser.send_to(&format!("{path}/check"), &[]).await;
        settled(&mut browser, &path).await;
        browser.shows(200, "Rows read: 6, nothing saved yet");
        assert!(!is_found(&app, "12 Hill St, Biddeford, ME 04005"), "a check writes nothing");

        import(&mut browser, &path).await;
        browser.shows(200, ">Imported<");
        browser.shows(200, "homes in biddeford-me");
        assert!(is_found(&app, "12 Hill St, Biddeford, ME 04005"), "the running server answers from it");
        let rejected = fetch(app.get(&format!("{path}/rejects.csv")).header("cookie", browser.cookies())).await;
        assert_eq!(rejected.status(), 200);
        assert!(rejected.text().await.unwrap().contains("biddeford.csv,4,"), "row 4 has no street");
        let log = fetch(app.get("/portal/operator/audit").header("cookie", browser.cookies())).await.text().await.unwrap();
        assert!(log.contains("imported homes: biddeford-me") && log.contains("Maya Lindqvist, administrator"), "{log}");
        let folder = app.app.settings.data.join("imports").join(path.rsplit('/').next().unwrap());
        assert_eq!(left_in(&folder.join("files")), 0, "files with names of people are deleted");

        // A newer version, and back to this one.
        let newer = TOWN.replace("12 Hill St", "99 Hill St");
        let second = begun(&app, &mut browser, "biddeford-2.csv", &newer).await;
        // What is typed beside the button counts without being saved first.
        let typed = [("dataset", "biddeford-me"), ("title", "City of Biddeford")];
        assert!(browser.html.contains(&format!("form=\"columns\" formaction=\"{second}/import\"")), "{}", browser.html);
        browser.send_to(&format!("{second}/import"), &[("dataset", "no name"), ("title", "")]).await;
        browser.shows(422, "The mapping cannot be used like this:");
        browser.send_to(&format!("{second}/import"), &typed).await;
        settled(&mut browser, &second).await;
        assert!(is_found(&app, "99 Hill St, Biddeford, ME 04005") && !is_found(&app, "12 Hill St, Biddeford, ME 04005"));
        browser.open(&path).await;
        browser.press("Undo this import").await;
        browser.shows(200, "Another import changed the index after this one");
        browser.open(&second).await;
        browser.press("Undo this import").await;
        browser.shows(200, "Import undone");
        assert!(is_found(&app, "12 Hill St, Biddeford, ME 04005") && !is_found(&app, "99 Hill St, Biddeford, ME 04005"));
        browser.open(&path).await;
        browser.press("Undo this import").await;
        assert!(!is_found(&app, "12 Hill St, Biddeford, ME 04005"));
    }

    async fn what_is_no_table_is_told_by_its_content_and_nothing_stays(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        let folder = app.app.settings.data.join("imports");
        let deep = format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000));
        for (name, bytes, said) in [
            ("deeds.csv", b"%PDF-1.7 \x00\x01".to_vec(), "this is a PDF"),
            ("town.csv", b"PK\x03\x04 a bomb of any size".to_vec(), "ZIP archive"),
            ("town.csv", b"\x1f\x8b\x08\x00".to_vec(), "gzip"),
            ("page.csv", b"<!DOCTYPE html><html><body>404</body></html>".to_vec(), "web page"),
            ("noise.csv", (0..=255).cycle().take(90_000).collect(), ""),
            ("deep.json", deep.into_bytes(), ""),
            ("torn.shp", vec![0, 0, 0x27, 0x0a, 1, 2, 3], ""),
        ] {
            let (status, path) = upload(&app, &browser, &[(name, bytes)]).await;
            assert_eq!(status, 303, "{name}: {path}");
            settled(&mut browser, &path).await;
            browser.shows(200, "Nothing was saved.");
            browser.shows(200, said);
            let files = app.app.settings.data.join("imports").join(path.rsplit('/').next().unwrap()).join("files");
            assert_eq!(left_in(&files), 0, "{name}");
            assert!(!browser.html.contains(&*app.app.settings.data.to_string_lossy()), "no folder of the server is told");
        }
        let before = left_in(&folder);
        // Nothing chosen, too much, too many.
        assert_eq!(upload(&app, &browser, &[]).await.0, 400, "no form at all");
        assert_eq!(upload(&app, &browser, &[("empty.csv", Vec::new())]).await.0, 422);
        let many: Vec<_> = (0..21).map(|_| ("a.csv", b"A,B\n1,2\n".to_vec())).collect();
        assert_eq!(upload(&app, &browser, &many).await.0, 422);
        assert_eq!(left_in(&folder), before, "nothing stays behind");
        // Readable, but no town: a person writes the mapping.
        let (_, path) = upload(&app, &browser, &[("words.csv", b"A,B\nx,y\n".to_vec())]).await;
        settled(&mut browser, &path).await;
        browser.shows(200, "We couldn’t propose a mapping");
        browser.shows(200, "no column holds addresses");
        // The reason comes first, and nothing is said of the mapping that nobody has written yet.
        assert!(!browser.html.contains("The mapping cannot be used like this"), "{}", browser.html);
        let at = |words: &str| browser.html.find(words).unwrap_or(usize::MAX);
        assert!(at("no column holds addresses") < at("What each column means"), "{}", browser.html);
        browser.submit_to(&format!("{path}/text"), &[("text", "dataset = \"x\"\n[address]\nline = \"C\"\n")]).await;
        browser.open(&path).await;
        browser.shows(200, "The mapping cannot be used like this");
        browser.press("Delete the upload").await;
        assert_eq!(left_in(&folder), before);
        // Names that lead elsewhere are names in our folder.
        let (_, path) = upload(&app, &browser, &[("../../../../escape.csv", TOWN.into()), ("escape.csv", TOWN.into())]).await;
        settled(&mut browser, &path).await;
        let files = folder.join(path.rsplit('/').next().unwrap()).join("files");
        assert_eq!(left_in(&files), 2);
        assert!(!app.app.settings.data.join("escape.csv").exists() && !folder.join("escape.csv").exists());
    }

    async fn a_table_whose_rows_people_do_not_find_is_imported_only_when_asked_for_twice(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        let rows: String = (1..60).map(|n| format!("P{n},{n},\"Hill St, Portland, ME 04101\",Biddeford,ME,04005\n")).collect();
        let path = begun(&app, &mut browser, "hill.csv", &format!("PARCEL_ID,NO,STREET,CITY,STATE,ZIP\n{rows}")).await;
        browser.send_to(&format!("{path}/check"), &[]).await;
        settled(&mut browser, &path).await;
        browser.shows(200, "of 59 found");
        browser.shows(200, "Fewer than 95 in 100 of its rows");
        // As a form says that was open before the check.
        browser.send_to(&format!("{path}/import"), &[]).await;
        browser.shows(200, "Too few of its rows are found as people write them");
        settled(&mut browser, &path).await;
        assert!(browser.html.contains(">Import it anyway</button>"), "{}", browser.html);
        browser.send_to(&format!("{path}/import"), &[("anyway", "1")]).await;
        settled(&mut browser, &path).await;
        browser.shows(200, ">Imported<");
        // A sound table is asked for nothing twice.
        let path = begun(&app, &mut browser, "town.csv", TOWN).await;
        browser.send_to(&format!("{path}/check"), &[]).await;
        settled(&mut browser, &path).await;
        browser.shows(200, "Its own rows, as people write them: 5 of 5 found");
        import(&mut browser, &path).await;
        browser.shows(200, ">Imported<");
    }

    async fn an_upload_has_a_bound_and_one_that_is_cut_off_leaves_nothing(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.max_import_megabytes = 1).await;
        let browser = operator(&app).await;
        let folder = app.app.settings.data.join("imports");
        let (status, page) = upload(&app, &browser, &[("large.csv", vec![b'a'; 1_500_000])]).await;
        assert!(status == 413 && page.contains("larger than 1 MB"), "{status} {page}");
        assert_eq!(left_in(&folder), 0);

        // Ten gigabytes are claimed: nothing is read or made.
        let head = |length: &str| {
            format!(
                "POST /portal/operator/imports HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nCookie: {}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: {length}\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nPARCEL,ADDR\n",
                browser.cookies()
            )
        };
        let address = app.base.trim_start_matches("http://").to_owned();
        let request = head("10000000000");
        let answer = tokio::task::spawn_blocking({
            let address = address.clone();
            move || {
                use std::io::{Read as _, Write as _};
                let mut socket = std::net::TcpStream::connect(address).unwrap();
                socket.write_all(request.as_bytes()).unwrap();
                let mut answer = [0; 12];
                socket.read_exact(&mut answer).unwrap();
                String::from_utf8_lossy(&answer).into_owned()
            }
        }).await.unwrap();
        assert_eq!(answer, "HTTP/1.1 413");
        assert_eq!(left_in(&folder), 0);

        // Half a file, then the connection is gone.
        let request = head("500000");
        tokio::task::spawn_blocking(move || {
            use std::io::Write as _;
            let mut socket = std::net::TcpStream::connect(address).unwrap();
            socket.write_all(request.as_bytes()).unwrap();
        }).await.unwrap();
        for _ in 0..100 {
            if left_in(&folder) == 0 && app.app.imports.list().is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(left_in(&folder), 0, "what was cut off is gone");
    }

    async fn a_mapping_can_be_written_as_text_and_reads_no_other_file(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        let path = begun(&app, &mut browser, "town.csv", TOWN).await;
        let text = format!("{path}/text");
        let secret = app.app.settings.data.join("secret.csv");
        std::fs::write(&secret, "code,word\nA,hunter2\n").unwrap();
        for (typed, said) in [
            ("dataset = \"a\"\n[address]\nline = [\n".to_owned(), "line 3"),
            ("dataset = \"../up\"\n[address]\nline = \"LOC_ADDR\"\n".to_owned(), "name of the index"),
            ("dataset = \"a\"\n[address]\nline = \"LOC_ADDR\"\nwhat = 1\n".to_owned(), "no key is called `what`"),
            ("<script>alert(1)</script>".to_owned(), "&lt;script&gt;"),
            (format!("dataset = \"a\"\n[address]\nline = \"LOC_ADDR\"\n[assessor]\nproperty_type = {{ column = \"ZIP\", codes_from = \"{}\" }}\n", secret.display()), "reads no other file"),
            ("dataset = \"a\"\n[address]\nline = \"LOC_ADDR\"\n[assessor]\nproperty_type = { column = \"ZIP\", codes_from = \"../../secret.csv\" }\n".to_owned(), "reads no other file"),
        ] {
            browser.open(&path).await;
            browser.submit_to(&text, &[("text", &typed)]).await;
            browser.shows(422, said);
            assert!(!browser.html.contains("hunter2") && !browser.html.contains("<script>alert"), "{typed}");
        }
        browser.open(&path).await;
        browser.submit_to(&text, &[("text", "dataset = \"typed\"\r\n[address]\r\nline = \"LOC_ADDR\"\r\ncity = \"CITY\"\r\nstate = \"STATE\"\r\nzip = \"ZIP\"\r\n")]).await;
        browser.shows(200, "value=\"typed\"");
        browser.submit_to(&text, &[("text", "dataset = \"typed\"\n[address]\nline = \"NO_SUCH_COLUMN\"\n")]).await;
        browser.shows(200, "NO_SUCH_COLUMN");
        import(&mut browser, &path).await;
        assert!(browser.html.contains("NO_SUCH_COLUMN") && browser.html.contains("Failed"), "{}", browser.html);
        assert!(app.app.indexes.production.is_empty());
    }

    async fn a_town_that_shrinks_is_a_question(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        let first = begun(&app, &mut browser, "town.csv", TOWN).await;
        browser.submit_to(&format!("{first}/columns"), &[("dataset", "town"), ("title", "")]).await;
        import(&mut browser, &first).await;
        let half: String = TOWN.lines().take(2).map(|line| format!("{line}\n")).collect();
        let second = begun(&app, &mut browser, "half.csv", &half).await;
        browser.submit_to(&format!("{second}/columns"), &[("dataset", "town"), ("title", "")]).await;
        import(&mut browser, &second).await;
        browser.shows(200, "Homes with this import: 1");
        assert!(is_found(&app, "14 Hill St, Biddeford, ME 04005"), "nothing was changed");
        browser.press("Import the smaller data set").await;
        settled(&mut browser, &second).await;
        browser.shows(200, ">Imported<");
        assert!(!is_found(&app, "14 Hill St, Biddeford, ME 04005"));
    }

    async fn an_import_is_stopped_and_one_that_was_cut_off_is_told(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        let mut long = TOWN.to_owned();
        for n in 0..4_000 {
            long.push_str(&format!("P{n},{} Long Rd,Biddeford,ME,04005,1990,-70.45,43.49,\n", n + 1));
        }
        let path = begun(&app, &mut browser, "long.csv", &long).await;
        browser.submit_to(&format!("{path}/columns"), &[("dataset", "long"), ("title", "")]).await;
        let id = path.rsplit('/').next().unwrap().parse().unwrap();
        let form = |action: &str| {
            let request = app.request(Method::POST, &format!("{path}/{action}")).header("sec-fetch-site", "same-origin");
            fetch(request.header("cookie", browser.cookies()))
        };
        let record = app.app.imports.find(id).unwrap();
        let (begun, ()) = tokio::join!(form("import"), async {
            while app.app.imports.progress(id).is_none() {
                tokio::task::yield_now().await;
            }
            // Another one waits for its turn.
            assert!(!app.app.imports.begin(record, Work::Check, app.store.clone(), app.app.clock.clone()));
            app.app.imports.stop(id);
        });
        assert_eq!(begun.status().as_u16(), 303);
        settled(&mut browser, &path).await;
        browser.shows(200, "This import was stopped. Nothing was imported.");
        assert!(app.app.indexes.production.is_empty());
        let index = app.app.settings.property();
        assert!(!index.join(".importing-long").exists(), "what it had done is gone");

        // The server ended in the middle of it: a new one says so, and the import can be begun again.
        let folder = app.app.settings.data.join("imports").join(path.rsplit('/').next().unwrap());
        let record = std::fs::read_to_string(folder.join("import.json")).unwrap();
        std::fs::write(folder.join("import.json"), record.replace("\"stopped\"", "\"importing\"")).unwrap();
        let torn = app.app.settings.data.join("imports/0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a/files");
        std::fs::create_dir_all(&torn).unwrap();
        let again = Imports::open(&app.app.settings.data, index);
        assert_eq!(again.list()[0].stage, Stage::CutOff);
        assert!(!torn.exists(), "half an upload goes at the next start");
        browser.open(&path).await;
        browser.shows(200, "The server stopped during this import");
        browser.send_to(&format!("{path}/import"), &[]).await;
        settled(&mut browser, &path).await;
        browser.shows(200, ">Imported<");
        browser.open("/portal/operator/imports").await;
        browser.shows(200, "<td data-l=\"Homes\" class=\"n\">");
    }

    async fn what_looks_wrong_in_the_rows_is_told_in_the_operators_language(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        let path = begun(&app, &mut browser, "town.csv", &TOWN.replace("Biddeford", "Caribou")).await;
        browser.send_to(&format!("{path}/check"), &[]).await;
        settled(&mut browser, &path).await;
        browser.shows(200, "rows have a ZIP far from their town (04005 is Biddeford, not Caribou): is the town right");
        browser.shows(200, "<td data-l=\"Values: lowest / middle / highest\"><span>1987 / ");
        let spanish = app.get(&path).header("cookie", browser.cookies()).header("accept-language", "es-US");
        let page = fetch(spanish).await.text().await.unwrap();
        assert!(page.contains("lejos de su localidad (04005 es de Biddeford, no de Caribou)"), "{page}");
    }

    async fn imports_are_the_operators_alone_and_ids_lead_nowhere_else(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = operator(&app).await;
        let path = begun(&app, &mut browser, "town.csv", TOWN).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let cookies = signed_in(&app, &owner).await.cookies();
        for page in ["/portal/operator/imports", &path, &format!("{path}/progress"), &format!("{path}/rejects.csv")] {
            assert_eq!(fetch(app.get(page).header("cookie", &cookies)).await.status(), 403, "{page}");
        }
        for id in ["x", "..", "%2e%2e%2f", "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a", "{0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a}"] {
            let page = format!("/portal/operator/imports/{id}");
            assert_eq!(fetch(app.get(&page).header("cookie", browser.cookies())).await.status(), 404, "{id}");
        }
        browser.open(&path).await;
        browser.press("Delete the upload").await;
        browser.shows(200, "Upload deleted");
        browser.open(&path).await;
        assert_eq!(browser.status, 404);
        assert_eq!(left_in(&app.app.settings.data.join("imports")), 0);
    }
}
