//! The drill: a backup is taken of the real program while leads arrive, the machine is lost, and the backup is restored
//! elsewhere. Every lead that was acknowledged before the backup began is there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use shingle_store_fixture::{PgCluster, dump_programs};

use crate::support::bucket::{BUCKET, BucketServer};
use crate::support::machine::Machine;
use crate::support::visitors::{Company, Visitors, look_up, stored_leads};

/// Leads before the backup begins.
const BEFORE: usize = 24;

/// `elsewhere`: where the backup goes, a file or a place in a bucket.
async fn drill(engine: &str, from: Machine, to: Machine, elsewhere: &str, lose: impl AsyncFnOnce()) {
    let company = Company::found(&from);
    shingle_property::sample_town::build(&from.data().join("property")).unwrap();
    fs::create_dir_all(from.data().join("areas/harrow")).unwrap();
    fs::write(from.data().join("areas/harrow/excerpt"), "rows").unwrap();
    let server = from.serve();
    let home = look_up(&server, &company).await;
    let (visitors, coming) = Visitors::come_to(&server, &company);
    let before = visitors.until(BEFORE).await;

    let name = elsewhere;
    let mut backup = from.command(&["backup", name]);
    let taken = tokio::task::spawn_blocking(move || backup.output().unwrap()).await.unwrap();
    assert!(taken.status.success(), "{}", String::from_utf8_lossy(&taken.stderr));
    let taken: Value = serde_json::from_slice(&taken.stdout).unwrap();
    let meanwhile = visitors.acknowledged().len() - before.len();
    // Later ones, which are lost with the machine.
    let all = visitors.until(before.len() + meanwhile + 1).await.len();

    visitors.end();
    drop(server);
    for visitor in coming {
        visitor.await.unwrap();
    }
    let settings = fs::read(from.at("shingle.toml")).unwrap();
    fs::remove_dir_all(from.data()).unwrap();
    lose().await;

    let checked = to.ask(&["backup", "check", name]);
    assert_eq!((&checked["files"], checked["secretOpens"].as_bool()), (&taken["files"], Some(true)));
    let restored = to.ask(&["restore", name]);
    assert_eq!((&restored["accounts"], &restored["files"]), (&1.into(), &taken["files"]));
    assert_eq!(fs::read(to.data().join("shingle.toml.restored")).unwrap(), settings);
    assert_eq!(fs::read_to_string(to.data().join("areas/harrow/excerpt")).unwrap(), "rows");
    assert!(!to.data().join(".restoring").exists());

    let server = to.serve();
    let found = stored_leads(&server, &company).await;
    let lost: Vec<_> = before.iter().filter(|(email, id)| found.get(email) != Some(id)).collect();
    assert!(lost.is_empty(), "acknowledged before the backup, and lost: {lost:?}");
    assert_eq!(look_up(&server, &company).await, home);
    let doctor = to.run(&["doctor"]);
    let doctor = String::from_utf8(doctor.stdout).unwrap();
    assert!(!doctor.contains("newest leads are missing"), "{doctor}");
    println!(
        "{engine}: {} leads acknowledged before the backup and 0 lost, {meanwhile} while it ran, {} restored of {all}; {} files, \
         {} bytes in the archive",
        before.len(),
        found.len(),
        taken["files"],
        taken["size"]
    );

    // Over what is there now, nothing is restored.
    drop(server);
    let refused = to.refused(&["restore", name]);
    assert!(refused.contains("An installation is in this folder") && refused.contains("--data"), "{refused}");
    assert_eq!(to.ask(&["lead", "list", "--account", &company.account]).as_array().unwrap().len(), found.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_brings_back_every_acknowledged_lead_on_sqlite() {
    let (elsewhere, file) = a_file();
    drill("SQLite", Machine::new(None), Machine::new(None), &file, async || ()).await;
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1, "no drafts are left beside the backup");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_into_a_bucket_brings_back_every_acknowledged_lead() {
    let server = BucketServer::start().await;
    let place = format!("s3://{BUCKET}/roofs/oak.tar.zst");
    drill("SQLite, S3", server.machine(None), server.machine(None), &place, async || ()).await;
    assert_eq!(server.names("roofs"), ["oak.tar.zst"]);
}

fn a_file() -> (tempfile::TempDir, String) {
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("oak.tar.zst").to_str().unwrap().to_owned();
    (elsewhere, file)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_brings_back_every_acknowledged_lead_on_postgres() {
    let (Some(cluster), Some(_)) = (PgCluster::shared(), dump_programs()) else {
        return shingle_testing::skip("PostgreSQL (initdb, pg_ctl, pg_dump and pg_restore) is not installed");
    };
    let machine = |name: &str| Machine::new(Some(cluster.address(name)));
    let lose = async || cluster.run("DROP DATABASE drill_before WITH (FORCE)").await;
    let (_elsewhere, file) = a_file();
    drill("PostgreSQL", machine("drill_before"), machine("drill_after"), &file, lose).await;
}

/// A backup of one account, and its machine.
fn backed_up(words: &[&str]) -> (Machine, PathBuf) {
    let machine = Machine::new(None);
    machine.ask(&["account", "create", "--name", "Oak Roofing"]);
    let file = machine.at("oak.tar.zst");
    machine.ask(&[&["backup", file.to_str().unwrap()][..], words].concat());
    (machine, file)
}

/// The data folder is not there, as on a new machine.
fn is_untouched(machine: &Machine) -> bool {
    !machine.data().exists()
}

#[test]
fn what_cannot_be_restored_is_refused_by_name_and_leaves_no_folder() {
    let (from, file) = backed_up(&[]);
    let name = file.to_str().unwrap();
    let empty = Machine::new(None);
    let whole = fs::read(&file).unwrap();
    let with = |bytes: &[u8]| {
        let other = empty.at("other.tar.zst");
        fs::write(&other, bytes).unwrap();
        let other = other.to_str().unwrap();
        let said = [empty.refused(&["restore", other]), empty.refused(&["backup", "check", other])];
        assert!(is_untouched(&empty), "{said:?}");
        assert!(said.iter().all(|said| said.contains("other.tar.zst")), "{said:?}");
        said.concat()
    };
    assert_eq!(with(&whole[..whole.len() / 2]).matches("cut short").count(), 2);
    assert_eq!(with(b"notes").matches("is not a backup of Shingle").count(), 2);
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    let said = with(&changed);
    let told = ["the backup is damaged", "the backup cannot be read"].map(|told| said.matches(told).count());
    assert_eq!(told.iter().sum::<usize>(), 2, "{said}");

    // Another passphrase, and none.
    let other_words = empty.at("words");
    fs::write(&other_words, "some other words\n").unwrap();
    let words = ["--passphrase-file", other_words.to_str().unwrap()];
    let said = empty.refused(&[&["restore", name][..], &words].concat());
    assert!(said.contains("the passphrase does not open this backup"), "{said}");
    assert!(is_untouched(&empty));
    let below = empty.at("new/folders");
    empty.refused(&["restore", name, "--data", below.to_str().unwrap(), words[0], words[1]]);
    assert!(!empty.at("new").exists());
    // One that the operator has made stays.
    fs::create_dir_all(&below).unwrap();
    empty.refused(&["restore", name, "--data", below.to_str().unwrap(), words[0], words[1]]);
    assert_eq!(fs::read_dir(&below).unwrap().count(), 0);
    fs::write(empty.at("shingle.toml"), format!("data = {:?}", empty.data())).unwrap();
    let said = empty.refused(&["restore", name]);
    assert!(said.contains("--passphrase-file"), "{said}");

    // Another engine.
    let said = empty.refused(&["restore", name, "--database", "postgres://nobody@127.0.0.1:1/none"]);
    assert!(said.contains("postgres"), "{said}");

    // A folder in use, and one with something in it.
    let said = from.refused(&["restore", name]);
    assert!(said.contains("An installation is in this folder"), "{said}");
    fs::create_dir_all(empty.data()).unwrap();
    fs::write(empty.data().join("notes.txt"), "somebody's").unwrap();
    let said = empty.refused(&["restore", name]);
    assert!(said.contains("needs an empty folder"), "{said}");
    assert_eq!(fs::read_to_string(empty.data().join("notes.txt")).unwrap(), "somebody's");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_sqlite_is_not_restored_into_postgres_nor_over_tables() {
    let Some(cluster) = PgCluster::shared() else { return };
    let (_from, file) = backed_up(&[]);
    let to = Machine::new(Some(cluster.address("drill_other")));
    let said = to.refused(&["restore", file.to_str().unwrap()]);
    assert!(said.contains("The backup is of SQLite, and the database here is PostgreSQL"), "{said}");
    let (in_use, _passing) = cluster.passing_database().await;
    let to = Machine::new(Some(in_use));
    let said = to.refused(&["restore", file.to_str().unwrap()]);
    assert!(said.contains("has tables already"), "{said}");
}

#[test]
fn a_backup_without_its_secret_needs_the_right_one() {
    let (from, file) = backed_up(&["--without-secret"]);
    let (name, secret) = (file.to_str().unwrap(), from.data().join("secret"));
    let to = Machine::new(None);
    let said = to.refused(&["restore", name]);
    assert!(said.contains("--secret-file"), "{said}");
    let other = to.at("other-secret");
    fs::write(&other, "0".repeat(64)).unwrap();
    let said = to.refused(&["restore", name, "--secret-file", other.to_str().unwrap()]);
    assert!(said.contains("The secret is not the one of this backup"), "{said}");
    assert!(is_untouched(&to));
    to.ask(&["restore", name, "--secret-file", secret.to_str().unwrap()]);
    assert_eq!(fs::read(to.data().join("secret")).unwrap(), fs::read(secret).unwrap());
    assert_eq!(to.ask(&["account", "list"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_backup_says_what_keeps_it_from_being_taken() {
    let machine = Machine::new(None);
    let file = machine.at("oak.tar.zst");
    let name = file.to_str().unwrap();
    let said = machine.refused(&["backup", name]);
    assert!(said.contains("There is nothing to back up"), "{said}");
    assert!(!machine.data().exists(), "no installation is made by the question");
    machine.ask(&["account", "create", "--name", "Oak Roofing"]);
    fs::write(&file, "somebody's").unwrap();
    let said = machine.refused(&["backup", name]);
    assert!(said.contains("There is a file of that name already"), "{said}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "somebody's");
    let inside = machine.data().join("oak.tar.zst");
    let said = machine.refused(&["backup", inside.to_str().unwrap()]);
    assert!(said.contains("in its folder `backups`"), "{said}");
    fs::write(machine.at("words"), "short\n").unwrap();
    let words = machine.at("words");
    let said = machine.refused(&["backup", "other", "--passphrase-file", words.to_str().unwrap()]);
    assert!(said.contains("at least 12 characters"), "{said}");
    let kept = machine.data().join("backups/first.tar.zst");
    for _ in 0..2 {
        machine.ask(&["backup", kept.to_str().unwrap()]);
        // A second one holds nothing of the first.
        assert!(fs::metadata(&kept).unwrap().len() < 1_000_000);
        fs::rename(&kept, machine.data().join("backups/second.tar.zst")).unwrap();
    }
    assert!(!is_anything_left_in(machine.folder.path()));
}

#[test]
fn what_a_restore_has_left_half_done_is_no_installation() {
    let (_from, file) = backed_up(&[]);
    let (to, name) = (Machine::new(None), file.to_str().unwrap());
    to.ask(&["restore", name]);
    // As a power cut before the last step leaves it.
    fs::write(to.data().join(".restore-unfinished"), "").unwrap();
    fs::remove_file(to.data().join("secret")).unwrap();
    for words in [&["serve", "--listen", "127.0.0.1:0"][..], &["account", "list"], &["restore", name]] {
        let said = to.refused(words);
        assert!(said.contains("was interrupted") && said.contains("restore again"), "{words:?}: {said}");
    }
    assert!(!to.data().join("secret").exists(), "no secret is made there");
    fs::remove_dir_all(to.data()).unwrap();
    to.ask(&["restore", name]);
    assert_eq!(to.ask(&["account", "list"]).as_array().unwrap().len(), 1);
}

/// Drafts of a backup.
fn is_anything_left_in(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries
        .map(|entry| entry.file_name().into_string().unwrap())
        .any(|name| name.ends_with(".new") || name.ends_with(".database"))
}

/// A limit on the size of files stands for a disk that is full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing_of_a_backup_or_a_restore() {
    let (from, file) = backed_up(&[]);
    let limited = |machine: &Machine, words: &[&str]| {
        let inner = machine.command(words);
        let mut command = Command::new("sh");
        // By default the system ends a program that goes beyond the limit.
        command.args(["-c", r#"trap '' XFSZ; ulimit -f 100; exec "$0" "$@""#]).arg(inner.get_program());
        command.args(inner.get_args()).current_dir(machine.folder.path()).output().unwrap()
    };
    let second = from.at("second.tar.zst");
    let failed = limited(&from, &["backup", second.to_str().unwrap()]);
    let said = String::from_utf8(failed.stderr).unwrap();
    assert!(!failed.status.success() && said.contains("second.tar.zst"), "{said}");
    assert!(!second.exists() && !is_anything_left_in(from.folder.path()));
    let to = Machine::new(None);
    let failed = limited(&to, &["restore", file.to_str().unwrap()]);
    let said = String::from_utf8(failed.stderr).unwrap();
    assert!(!failed.status.success() && said.contains("The disk is full, so nothing was restored"), "{said}");
    assert!(is_untouched(&to));
    to.ask(&["restore", file.to_str().unwrap()]);
}
