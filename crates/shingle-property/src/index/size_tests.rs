use std::hash::BuildHasher;

use shingle_domain::Address;
use shingle_domain::lookup::AddressInput;

use super::homes::{Kind, Nation};
use crate::index::tests::{build, place};
use crate::{Lookup, PropertyIndex, Reference};
use shingle_domain::evidence::Place;

const HOMES: usize = 14_000;

/// Whole streets of twenty homes.
fn homes() -> Vec<Vec<Place>> {
    let letter = |first: u8, n: usize| char::from(first + (n % 20) as u8);
    let street = |n: usize| format!("{}{}{}der Court", letter(b'A', n / 20), letter(b'a', n), letter(b'a', n / 400));
    let home = |n: usize, at: usize| Place {
        parcel: Some(format!("{n:06}-{at:03}")),
        ..place(&(2 * at + 2).to_string(), &street(n))
    };
    (0..HOMES / 20).map(|n| (0..20).map(|at| home(n, at)).collect()).collect()
}

/// How homes are dealt out.
#[derive(Debug, Clone, Copy)]
enum Dealt {
    /// Whole streets in each file, as towns are.
    Streets,
    /// Each home into any file, as several surveys of one town are.
    Homes,
}

/// The homes of some files, in an order of its own for each draw.
fn parts(dealt: Dealt, files: usize, draw: u64) -> Vec<Vec<Place>> {
    let mut parts = vec![Vec::new(); files];
    let any = |n: usize| (foldhash::quality::FixedState::with_seed(draw).hash_one(n) % files as u64) as usize;
    for (street, homes) in homes().into_iter().enumerate() {
        for (at, home) in homes.into_iter().enumerate() {
            let file = match dealt {
                Dealt::Streets => any(street),
                Dealt::Homes => any(street * 20 + at),
            };
            parts[file].push(home);
        }
    }
    parts
}

fn built(parts: Vec<Vec<Place>>) -> (tempfile::TempDir, u64) {
    let root = tempfile::tempdir().unwrap();
    let built = parts.into_iter().enumerate();
    let summaries = built.map(|(n, part)| build(root.path(), &format!("set-{n}"), part));
    let bytes = summaries.flat_map(|summary| summary.states).map(|state| state.bytes).sum();
    (root, bytes)
}

/// A file that holds nearly nothing: a page for each of its tables.
const EMPTY_FILE: u64 = 10 << 10;

#[test]
fn many_small_files_take_little_more_than_one() {
    // A file that is not small, as most are.
    let (_root, one) = built(vec![homes().concat()]);
    // Where homes are dealt out, each file says of most streets again what they are.
    for (dealt, files, draw, a_home) in
        [(Dealt::Streets, 20, 1, 4), (Dealt::Homes, 5, 2, 30), (Dealt::Homes, 35, 3, 60)]
    {
        let (root, many) = built(parts(dealt, files, draw));
        let most = one + files as u64 * EMPTY_FILE + HOMES as u64 * a_home;
        println!("{dealt:?}: {many} bytes in {files} files, {one} in one; at most {most}");
        assert!(many < most, "{dealt:?}: {many} bytes in {files} files, {one} in one");
        let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
        for home in homes().into_iter().map(|mut street| street.swap_remove(7)) {
            let found = index.lookup(&AddressInput::Parts(home.address.clone())).unwrap();
            assert!(
                matches!(&found, Lookup::Found { evidence, .. } if evidence.place.parcel == home.parcel),
                "{found:?}"
            );
        }
    }
}

/// Bytes of a home: what a state's file of twice as many homes has more.
fn bytes_of_a_home(kind: Kind) -> u64 {
    let bytes = |homes: usize| {
        let nation = Nation::of(homes, 1);
        let root = tempfile::tempdir().unwrap();
        build(root.path(), kind.name(), nation.order().map(|n| nation.place(n, kind))).states[0].bytes
    };
    const FEW: usize = 16_384;
    (bytes(2 * FEW) - bytes(FEW)) / FEW as u64
}

/// The country's homes fit on one disk: 127 million of them in 32 GB.
#[test]
fn a_home_takes_at_most_240_bytes_with_its_point_its_outline_and_its_record() {
    let [point, outline, row, all] = [Kind::Point, Kind::Outline, Kind::Roll, Kind::All].map(bytes_of_a_home);
    println!("a point {point} bytes, an outline {outline}, a row of a roll {row}, all of them in one data set {all}");
    assert!(point <= 44 && outline <= 90 && row <= 108 && all <= 170, "{point}, {outline}, {row}, {all}");
    assert!(point + outline + row <= 240);
}

/// What a look-up says, by the parcel of the home or the streets it asks about.
fn said(index: &PropertyIndex, line: &str) -> String {
    match index.lookup(&AddressInput::Line(line.to_owned())).unwrap() {
        Lookup::Found { evidence, .. } => format!("{:?} {:?}", evidence.matched.level, evidence.place.parcel),
        Lookup::Ambiguous(asked) => format!("{:?}", asked.iter().map(|one| &one.street).collect::<Vec<_>>()),
        // The nearest; many files offer more.
        Lookup::NotFound { close } => {
            format!("near {:?}", close.iter().take(1).map(|one| &one.street).collect::<Vec<_>>())
        }
    }
}

#[test]
fn addresses_that_are_not_exact_are_found_alike_in_one_file_and_in_many() {
    let (one_root, _) = built(vec![homes().concat()]);
    let one = PropertyIndex::open(one_root.path(), Reference::built_in()).unwrap();
    for (dealt, files, draw) in [(Dealt::Streets, 7, 5), (Dealt::Homes, 30, 6)] {
        let (root, _) = built(parts(dealt, files, draw));
        let many = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
        for (n, street) in homes().into_iter().enumerate().step_by(11) {
            let Address { street_number: number, street_address: street, city, zip, .. } =
                street[n % 20].address.clone();
            let (first, rest) = street.split_at(2);
            let (odd, name) = (number.parse::<u32>().unwrap() + 1, street.trim_end_matches(" Court"));
            for line in [
                format!("{number} {name}, {city}, ME {zip}"),
                format!("{number} {name} Ave, {city}, ME {zip}"),
                format!("{number} N {street}, {city}, ME {zip}"),
                format!("{odd} {street}, {city}, ME {zip}"),
                format!("{number} {street}, {city}, ME 04999"),
                format!("{number} {street}, Nowhere, ME {zip}"),
                format!("{number} {street}"),
                format!("{number} {first}{first}{rest}, {city}, ME {zip}"),
                format!("{number} {street} Apt 7, {city}, ME {zip}"),
                format!("9{number}1 {street}, {city}, ME {zip}"),
            ] {
                assert_eq!(said(&many, &line), said(&one, &line), "{dealt:?}, {line}");
            }
        }
    }
}
