use shingle_domain::lookup::AddressInput;

use crate::index::tests::{build, place};
use crate::{Lookup, PropertyIndex, Reference};
use shingle_domain::evidence::Place;

const HOMES: usize = 8_000;

/// Whole streets of twenty homes.
fn homes() -> Vec<Vec<Place>> {
    let street = |n: usize| {
        let (first, second) = (n / 20 % 20, n % 20);
        format!("{}{}der Court", char::from(b'A' + first as u8), char::from(b'a' + second as u8))
    };
    let home = |n: usize, at: usize| Place {
        parcel: Some(format!("{n:06}-{at:03}")),
        ..place(&(2 * at + 2).to_string(), &street(n))
    };
    (0..HOMES / 20).map(|n| (0..20).map(|at| home(n, at)).collect()).collect()
}

#[test]
fn many_small_files_take_little_more_than_one() {
    let bytes = |files: usize| {
        let root = tempfile::tempdir().unwrap();
        let parts = homes();
        let built = parts.chunks(parts.len() / files).enumerate();
        let summaries = built.map(|(n, part)| build(root.path(), &format!("set-{n}"), part.concat()));
        let bytes: u64 = summaries.flat_map(|summary| summary.states).map(|state| state.bytes).sum();
        let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
        for home in homes().into_iter().map(|mut street| street.swap_remove(7)) {
            let found = index.lookup(&AddressInput::Parts(home.address.clone())).unwrap();
            assert!(
                matches!(&found, Lookup::Found { evidence, .. } if evidence.place.parcel == home.parcel),
                "{found:?}"
            );
        }
        bytes
    };
    let one = bytes(1);
    for files in [5, 20] {
        let many = bytes(files);
        assert!(many * 10 < one * 13, "{many} bytes in {files} files, {one} in one");
    }
}
