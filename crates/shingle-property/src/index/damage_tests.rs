use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use shingle_domain::State;
use shingle_domain::evidence::{Place, Position};
use shingle_domain::lookup::AddressInput;
use shingle_domain::surroundings::{Neighbor, Surroundings};

use super::manifest;
use crate::index::tests::{build, line, place, rectangle, with_unit};
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

#[test]
fn a_file_of_another_format_is_told() {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "test", [place("14", "Alder Court")]);
    let file = rusqlite::Connection::open(only_file(root.path())).unwrap();
    file.pragma_update(None, "user_version", 2).unwrap();
    drop(file);
    let told = PropertyIndex::open(root.path(), Reference::built_in()).err().unwrap().to_string();
    assert!(told.contains("ME.sqlite") && told.contains("format 2") && told.contains("reads format 1"), "{told}");
}

/// Homes of a few streets, with units, parcels, outlines, and one without a ZIP. `more` streets of one home each.
fn homes(more: usize) -> Vec<Place> {
    let mut homes = Vec::new();
    for (street, number) in [("Alder Court", 10), ("Birch Lane", 12), ("N Elm Street", 10)] {
        for n in 0..7_u32 {
            let home = place(&(number + 2 * n).to_string(), street);
            let away = f64::from(n) * 2e-4;
            homes.push(Place {
                parcel: Some(format!("{street}-{n}")),
                origin: Some(Position {
                    longitude: -70.25 + away,
                    latitude: 43.65 + f64::from(street.len() as u32) * 3e-4,
                }),
                buildings: vec![rectangle(-5.0, -5.0, 10.0, 12.0)],
                ..home
            });
        }
    }
    homes.extend(["1", "2"].map(|unit| with_unit(place("40", "Alder Court"), unit)));
    homes.extend((0..more).map(|n| place(&(n % 90 + 1).to_string(), &format!("Road {}", n + 100))));
    homes
}

/// What an index says to some questions, each as text or as the fault that is told; and what stands around a home.
type Answers = (Vec<Result<String, PropertyError>>, Surroundings);

fn answers(root: &Path) -> Answers {
    let index = match PropertyIndex::open(root, Reference::built_in()) {
        Ok(index) => index,
        Err(e) => return (vec![Err(e)], Surroundings::default()),
    };
    let mut found = Vec::new();
    for text in [
        "14 Alder Ct, Portland, ME 04103",
        "22 Birch Ln, 04103",
        "12 Elm St, Portland, ME",
        "40 Alder Ct, Portland, ME 04103",
        "15 Birch Lane, Portland, ME 04103",
        "12 Oak Street, Portland, ME 04103",
        "16 Aldr Ct, Portland, ME 04103",
    ] {
        found.push(index.lookup(&AddressInput::Line(text.into())).map(|found| format!("{found:?}")));
    }
    for text in ["1", "14 al", "alder", "16 Brich lane", "9 elm"] {
        found.push(index.suggest(text, 9).map(|found| format!("{found:?}")));
    }
    found.push(index.towns(State::parse("ME").unwrap()).map(|found| format!("{found:?}")));
    let mut all = String::new();
    found.push(index.each_place(|home| all += &format!("{home:?}")).map(|()| all));
    match index.surroundings(&homes(0)[3]) {
        Ok(around) => (found, around),
        Err(e) => {
            found.push(Err(e));
            (found, Surroundings::default())
        }
    }
}

/// Changes a byte here and there, one at a time. Each question then gets the answer it got before, or an error. What
/// is drawn around a home may lack houses: that a row of a span is missing is not noticed.
fn flip(more: usize, every: usize) {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "test", homes(more));
    let (sound, around) = answers(root.path());
    let sound: Vec<String> = sound.into_iter().map(|answer| answer.unwrap()).collect();
    assert!(around.neighbors.len() > 6, "{around:?}");
    let path = only_file(root.path());
    let bytes = std::fs::read(&path).unwrap();
    let mut file = File::options().write(true).open(&path).unwrap();
    let mut write = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(&[byte]).unwrap();
    };
    let (mut told, mut unharmed, mut wrong) = (0, 0, Vec::new());
    for at in (0..bytes.len()).step_by(every) {
        write(at, bytes[at] ^ 1 << (at % 8));
        let (found, drawn) = answers(root.path());
        write(at, bytes[at]);
        let is_sound = |house: &Neighbor| {
            around.neighbors.iter().any(|known| {
                let address = |of: &Neighbor| of.home.as_ref().map(|home| (home.key.clone(), home.street.clone()));
                // With a house less, a further one is offered, and stands elsewhere to the rest.
                let is_same = known.home.is_none() || house.home.is_none() || address(known) == address(house);
                (&known.number, &known.ring) == (&house.number, &house.ring) && is_same
            })
        };
        assert!(drawn.neighbors.iter().all(is_sound), "byte {at}: {drawn:?}");
        let mut is_told = false;
        for (n, answer) in found.into_iter().enumerate() {
            match answer {
                Err(e) => {
                    let text = e.to_string();
                    assert!(text.contains("ME.sqlite") && text.contains("again"), "byte {at}: {text}");
                    is_told = true;
                }
                Ok(text) if text == sound[n] => {}
                Ok(text) => wrong.push((at, n, text)),
            }
        }
        (told, unharmed) = if is_told { (told + 1, unharmed) } else { (told, unharmed + 1) };
    }
    println!("{} bytes, {told} changes were told, {unharmed} did no harm", bytes.len());
    for (at, n, text) in wrong.iter().take(40) {
        println!("byte {at}, page {}, {n}: {text}\n  not {}", at / 1_024, sound[*n]);
    }
    assert!(wrong.is_empty(), "{} answers differ", wrong.len());
    assert!(told > bytes.len() / every / 8, "{told} of {}", bytes.len() / every);
}

#[test]
fn a_changed_byte_is_told_or_does_no_harm() {
    flip(0, 7);
}

#[test]
fn a_changed_byte_of_a_large_file_is_told_or_does_no_harm() {
    flip(5_000, 4_999);
}
