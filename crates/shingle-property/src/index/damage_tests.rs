use std::path::Path;

use shingle_domain::lookup::AddressInput;

use super::manifest;
use crate::index::tests::{build, line, place};
use crate::{Lookup, PropertyError, PropertyIndex, Reference};

fn only_file(root: &Path) -> std::path::PathBuf {
    manifest::shard_path(root, "test", 1, "ME")
}

#[test]
fn damaged_files_are_told_with_their_name_and_the_mend() {
    let fresh = || {
        let root = tempfile::tempdir().unwrap();
        build(root.path(), "test", (1..500).map(|n| place(&n.to_string(), "Alder Court")));
        root
    };
    let error = |root: &Path| match PropertyIndex::open(root, Reference::built_in()) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("a damaged index opens"),
    };
    let root = fresh();
    let file = only_file(root.path());
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let told = error(root.path());
    assert!(told.contains("ME.sqlite") && told.contains("bytes") && told.contains("again"), "{told}");

    std::fs::write(&file, vec![0; bytes.len()]).unwrap();
    assert!(error(root.path()).contains("ME.sqlite"));

    // Sound at both ends, noise between: found when it is read.
    let mut noise = bytes.clone();
    noise[4_096..].iter_mut().enumerate().for_each(|(n, b)| *b = (n * 31 % 251) as u8);
    std::fs::write(&file, noise).unwrap();
    let opened = PropertyIndex::open(root.path(), Reference::built_in());
    let told = opened.and_then(|i| i.lookup(&AddressInput::Line("14 Alder Ct, 04103".into()))).unwrap_err();
    assert!(matches!(told, PropertyError::Damaged { .. }), "{told}");

    std::fs::remove_file(&file).unwrap();
    assert!(error(root.path()).contains("ME.sqlite"));

    let root = fresh();
    let manifest = root.path().join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("\"format\": 1", "\"format\": 2")).unwrap();
    let told = error(root.path());
    assert!(told.contains("format 2") && told.contains("reads format 1") && told.contains("Import"), "{told}");
    std::fs::write(&manifest, &text[..text.len() / 2]).unwrap();
    assert!(error(root.path()).contains("manifest.json"));
    std::fs::write(&manifest, text.replace("\"test\"", "\"../test\"")).unwrap();
    assert!(error(root.path()).contains("manifest.json"));

    let file = tempfile::NamedTempFile::new().unwrap();
    assert!(error(file.path()).contains("cannot read"));
}

#[test]
fn a_broken_switch_leaves_the_version_before_in_service() {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "test", [place("14", "Alder Court")]);
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    let manifest = root.path().join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, "{").unwrap();
    assert!(matches!(line(&index, "14 Alder Ct, 04103"), Lookup::Found { .. }));
    assert!(index.status().problem.unwrap().contains("manifest.json"));
    std::fs::write(&manifest, text).unwrap();
    assert_eq!(index.status().problem, None);
}
