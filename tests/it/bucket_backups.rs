//! Backups in a bucket of S3: taken, checked, restored, kept, and what a bucket refuses.

use std::io::{BufRead, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use shingle_app::backup::{BackupPlace, ScheduledBackups};
use shingle_app::installation::{Installation, SettingFlags};
use shingle_domain::Timestamp;
use shingle_store::Clock;

use crate::support::bucket::{BUCKET, BucketServer};
use crate::support::machine::Machine;

fn place(name: &str) -> String {
    format!("s3://{BUCKET}/{name}")
}

/// More than two parts, which no compression makes smaller.
const LARGE: usize = 20 << 20;

fn put_large_file(machine: &Machine) {
    let folder = machine.data().join("storage/photos");
    std::fs::create_dir_all(&folder).unwrap();
    let mut file = std::fs::File::create(folder.join("large.jpg")).unwrap();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..LARGE / 8 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        file.write_all(&state.to_le_bytes()).unwrap();
    }
}

fn founded(server: &BucketServer) -> Machine {
    let machine = server.machine(None);
    machine.ask(&["account", "create", "--name", "Oak Roofing"]);
    machine
}

/// Notes of uploads and drafts of databases.
fn left_on(machine: &Machine) -> usize {
    let entries = std::fs::read_dir(machine.data().join("backups")).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name() != ".lock").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_goes_into_a_bucket_and_comes_back_from_it() {
    let server = BucketServer::start().await;
    let from = founded(&server);
    put_large_file(&from);
    let name = place("roofs/oak.tar.zst");
    let taken = from.ask(&["backup", &name]);
    assert_eq!(taken["file"], name.as_str());
    assert_eq!(taken["size"], std::fs::metadata(server.at("roofs/oak.tar.zst")).unwrap().len());
    assert_eq!((server.left_parts(), left_on(&from)), (0, 0));
    let said = from.refused(&["backup", &name]);
    assert!(said.contains("holds a backup of that name already"), "{said}");

    let to = server.machine(None);
    let checked = to.ask(&["backup", "check", &name]);
    assert_eq!((&checked["files"], checked["secretOpens"].as_bool()), (&taken["files"], Some(true)));
    let restored = to.ask(&["restore", &name]);
    assert_eq!((&restored["accounts"], &restored["files"]), (&1.into(), &taken["files"]));
    let photo = |machine: &Machine| std::fs::read(machine.data().join("storage/photos/large.jpg")).unwrap();
    assert_eq!(photo(&from), photo(&to));

    for command in [&["restore"][..], &["backup", "check"]] {
        let said = server.machine(None).refused(&[command, &[place("roofs/elm.tar.zst").as_str()]].concat());
        assert!(said.contains("holds no backup of that name"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_bucket_refuses_is_told_and_nothing_is_kept() {
    let server = BucketServer::start().await;
    let machine = founded(&server);
    let name = place("oak.tar.zst");
    for (refusal, told) in [
        ((403, "AccessDenied"), "no right to do this"),
        ((507, "XMinioStorageFull"), "stores no more"),
        ((403, "RequestTimeTooSkewed"), "clock of this machine is wrong"),
        ((400, "AuthorizationHeaderMalformed"), "another region"),
        ((405, ""), "not a server of buckets"),
    ] {
        server.refuse(Some(refusal));
        let said = machine.refused(&["backup", &name]);
        assert!(said.contains(told) && said.contains(&name), "{refusal:?}: {said}");
    }
    server.refuse(None);
    let said = machine.refused(&["backup", "s3://elm-backups/oak.tar.zst"]);
    assert!(said.contains("no bucket of that name"), "{said}");
    let said = machine.refused(&["backup", "s3://oak backups/x"]);
    assert!(said.contains("no place in a bucket"), "{said}");
    for (key, secret) in [("AKIAELM", "hunter2-of-the-bucket"), ("AKIAOAK", "another secret")] {
        server.open_to(&machine, key, secret);
        for command in [&["backup"][..], &["backup", "check"]] {
            let said = machine.refused(&[command, &[name.as_str()]].concat());
            assert!(said.contains("does not know this key") && !said.contains(secret), "{said}");
        }
    }
    let shown = machine.run(&["config", "show"]).stdout;
    assert!(!String::from_utf8(shown).unwrap().contains("another secret"));
    assert_eq!((server.names(""), server.left_parts(), left_on(&machine)), (Vec::new(), 0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_goes_away_leaves_no_backup_and_the_next_one_aborts_what_it_left() {
    let server = BucketServer::start().await;
    let machine = founded(&server);
    put_large_file(&machine);
    server.goes_after(1);
    let said = machine.refused(&["backup", &place("oak.tar.zst")]);
    assert!(said.contains("server of the bucket"), "{said}");
    server.comes_back();
    assert_eq!(server.names(""), Vec::<String>::new());
    assert!(server.left_parts() > 0 && left_on(&machine) == 1, "the part that came, and its note");
    machine.ask(&["backup", &place("elm.tar.zst")]);
    assert_eq!((server.names("").len(), server.left_parts(), left_on(&machine)), (1, 0, 0));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_is_interrupted_aborts_its_upload() {
    let server = BucketServer::start().await;
    let machine = founded(&server);
    put_large_file(&machine);
    server.hold(true);
    let mut command = machine.command(&["backup", &place("oak.tar.zst")]);
    let process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    server.until_a_part_came().await;
    assert!(Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap().success());
    let ended = tokio::task::spawn_blocking(move || process.wait_with_output().unwrap()).await.unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(!ended.status.success() && said.contains("was interrupted"), "{said}");
    server.hold(false);
    assert_eq!((server.names(""), left_on(&machine)), (Vec::new(), 0));
}

/// A clock that somebody turns.
struct Turned(Mutex<Timestamp>);

impl Clock for Turned {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_newest_are_kept_and_nothing_else_of_the_bucket_is_touched() {
    let server = BucketServer::start().await;
    let machine = founded(&server);
    std::fs::create_dir_all(server.at("roofs/old")).unwrap();
    for other in
        ["roofs/notes.txt", "roofs/old/shingle-20200101T000000Z.tar.zst", "roofs/shingle-20990101T000000Z.tar.zst"]
    {
        std::fs::write(server.at(other), "somebody's").unwrap();
    }
    let mut context = Installation::read(Some(&machine.at("shingle.toml")), SettingFlags::default()).unwrap();
    let clock = Arc::new(Turned(Mutex::new(Timestamp::parse_iso("2026-03-10T12:00:00Z").unwrap())));
    context.clock = clock.clone();
    context.settings.backup_bucket = Some(place("roofs"));
    context.settings.backups_kept = 2;
    let backups = ScheduledBackups::of(&context).unwrap().unwrap();
    let mut taken = Vec::new();
    for _ in 0..4 {
        let BackupPlace::Object(address) = backups.take_due().await.unwrap().unwrap().place else { panic!() };
        taken.push(address.to_string().rsplit_once('/').unwrap().1.to_owned());
        assert!(backups.take_due().await.unwrap().is_none(), "not yet a day");
        let later = clock.now() + Duration::from_secs(86_400);
        *clock.0.lock().unwrap() = later;
    }
    assert_eq!(server.names("roofs"), ["notes.txt", taken[2].as_str(), taken[3].as_str()]);
    assert_eq!(server.names("roofs/old").len(), 1);
    // A key that may not delete takes backups all the same.
    server.refuse_deletions();
    assert!(backups.take_due().await.unwrap().is_some());
    assert_eq!(server.names("roofs").len(), 4);
    assert!(backups.take_due().await.unwrap().is_none(), "it is taken, so none is due");
    let ask_doctor = || {
        let mut doctor = machine.command(&["doctor"]);
        doctor.env("SHINGLE_BACKUP_BUCKET", place("roofs"));
        String::from_utf8(doctor.output().unwrap().stdout).unwrap()
    };
    let said = ask_doctor();
    assert!(said.contains("The newest backup is from 2026-03-14") && !said.contains("no right"), "{said}");
    let later = clock.now() + Duration::from_secs(86_400);
    *clock.0.lock().unwrap() = later;
    server.refuse(Some((403, "AccessDenied")));
    assert!(backups.take_due().await.is_err());
    let said = ask_doctor();
    assert!(said.contains("no right to do this"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_takes_backups_into_a_bucket_and_its_settings_are_checked() {
    let server = BucketServer::start().await;
    let machine = founded(&server);
    let mut serve = machine.command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.env("SHINGLE_BACKUP_BUCKET", place("roofs")).stderr(Stdio::piped());
    let mut running = machine.start(serve);
    let log = running.process.stderr.take().unwrap();
    let taken = tokio::task::spawn_blocking(move || {
        BufReader::new(log).lines().map_while(Result::ok).any(|line| line.contains("a backup was taken"))
    });
    assert!(taken.await.unwrap());
    let names = server.names("roofs");
    assert_eq!(names.len(), 1);
    assert_eq!(machine.ask(&["backup", "check", &place(&format!("roofs/{}", names[0]))])["secretOpens"], true);
    let mut doctor = machine.command(&["doctor"]);
    let said = doctor.env("SHINGLE_BACKUP_BUCKET", place("roofs")).output().unwrap().stdout;
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("1 backup is in s3://"), "{said}");
    for (name, value, told) in [
        ("SHINGLE_S3_ENDPOINT", "s3.example.com", "does not begin with https://"),
        ("SHINGLE_BACKUP_FOLDER", "kept", "not into both"),
        ("SHINGLE_BACKUP_BUCKET", "roofs", "no place in a bucket"),
        ("SHINGLE_BACKUPS_KEPT", "0", "backups_kept"),
    ] {
        let mut check = machine.command(&["config", "check"]);
        let refused = check.env("SHINGLE_BACKUP_BUCKET", place("roofs")).env(name, value).output().unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && said.contains(told), "{name}={value}: {said}");
    }
}
