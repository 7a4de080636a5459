//! Imports that end badly: killed, out of room, not allowed to write. The version before is served.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use shingle_domain::lookup::AddressInput;

use crate::index::tests::{build, place};
use crate::{IndexBuilder, Lookup, PropertyError, PropertyIndex, Reference};

const FOLDER: &str = "SHINGLE_TEST_CRASH_FOLDER";
const ROOM: &str = "SHINGLE_TEST_CRASH_ROOM";
const POINT: &str = "SHINGLE_TEST_CRASH_POINT";

fn serves(root: &Path, number: &str) {
    let index = PropertyIndex::open(root, Reference::built_in()).unwrap();
    let line = format!("{number} Alder Ct, Portland, ME 04103");
    assert!(matches!(index.lookup(&AddressInput::Line(line)).unwrap(), Lookup::Found { .. }), "{number} is not there");
}

/// Not a test of its own: the process that is killed. Says where it stands and waits for its end.
#[test]
fn the_import_that_is_killed() {
    let (Some(folder), Some(point)) = (std::env::var_os(FOLDER), std::env::var_os(POINT)) else { return };
    let wait = move |here: &str| {
        if point == here {
            println!("\nwaiting at {here}");
            let mut never = String::new();
            std::io::stdin().read_line(&mut never).unwrap();
        }
    };
    let mut builder = IndexBuilder::create(Path::new(&folder), "test").unwrap();
    wait("created");
    for n in 0..2_000 {
        builder.push(place(&format!("{}", 100 + n), "Alder Court")).unwrap();
    }
    wait("pushed");
    builder.stop_at(Box::new(wait.clone()));
    builder.finish().unwrap();
    wait("switched");
}

#[test]
fn an_import_killed_at_any_point_leaves_a_whole_version_in_service() {
    for point in ["created", "pushed", "places", "streets", "sealed", "moved", "switched"] {
        let root = tempfile::tempdir().unwrap();
        build(root.path(), "test", [place("14", "Alder Court")]);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--nocapture", "index::builder::tests::the_import_that_is_killed"])
            .env(FOLDER, root.path())
            .env(POINT, point)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let waiting = format!("waiting at {point}");
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(said.any(|line| line.unwrap() == waiting), "{point} was never reached");
        // While it lives, a second import is refused; a look-up is served.
        let second = IndexBuilder::create(root.path(), "test").err().map(|e| e.to_string());
        if point != "switched" {
            assert!(second.unwrap().contains("another import"), "{point}");
        }
        serves(root.path(), if point == "switched" { "100" } else { "14" });
        // SIGKILL on Unix.
        child.kill().unwrap();
        child.wait().unwrap();
        serves(root.path(), if point == "switched" { "100" } else { "14" });
        // Nothing is in the way of the next import.
        build(root.path(), "test", [place("16", "Alder Court")]);
        serves(root.path(), "16");
        assert!(!root.path().join("test/building").exists(), "{point}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_the_old_index_stays() {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "test", [place("14", "Alder Court")]);
    // No file may grow beyond this many blocks of 512 bytes, and a write that tries is an error, not a signal.
    let script = "ulimit -f 400; trap '' XFSZ; exec \"$0\" --exact --nocapture \
                  index::builder::tests::the_import_without_room";
    let out = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .env(FOLDER, root.path())
        .env(ROOM, "little")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(said.contains("told: cannot write") && said.contains("disk is not full"), "{said}");
    serves(root.path(), "14");
    assert!(!root.path().join("test/building").exists(), "what was begun is removed");
}

/// Not a test of its own: the process that may write little.
#[test]
fn the_import_without_room() {
    let (Some(folder), Some(_)) = (std::env::var_os(FOLDER), std::env::var_os(ROOM)) else { return };
    let mut builder = IndexBuilder::create(Path::new(&folder), "test").unwrap();
    for n in 0..20_000 {
        builder.push(place(&format!("{}", 100 + n), "Alder Court")).unwrap();
    }
    println!("\ntold: {}", builder.finish().unwrap_err());
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "test", [place("14", "Alder Court")]);
    let allow = |mode| std::fs::set_permissions(root.path(), std::fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    let refused = IndexBuilder::create(root.path(), "other").err();
    let is_root = std::fs::write(root.path().join("probe"), b"").is_ok();
    serves(root.path(), "14");
    allow(0o755);
    if is_root {
        shingle_testing::skip("this user may write anywhere");
        return;
    }
    let told = refused.unwrap();
    assert!(matches!(&told, PropertyError::Write { .. }) && told.to_string().contains("other"), "{told}");
}

#[test]
fn old_versions_are_deleted_without_breaking_their_readers() {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "test", (0..500).map(|n| place(&format!("{}", 100 + n), "Alder Court")));
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    let before = index.directory().unwrap();
    for number in ["14", "16", "18"] {
        build(root.path(), "test", [place(number, "Alder Court")]);
    }
    assert!(!before.readers[0].shard.path.exists(), "two versions later the first is gone");
    // A look-up that began before reads on.
    let suggested = crate::suggest::suggest(&before, "250 alder", 5).unwrap();
    assert_eq!(suggested[0].street, "250 Alder Court");
    serves(root.path(), "18");
}
