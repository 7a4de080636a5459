use shingle_domain::Address;
use shingle_domain::evidence::Place;
use shingle_domain::lookup::AddressInput;

use crate::index::directory::Directory;
use crate::index::reader::Reader;
use crate::index::tests::{index_of, place, place_in};
use crate::{Lookup, PropertyIndex};

fn streets(index: &PropertyIndex, text: &str) -> Vec<String> {
    index.suggest(text, 5).unwrap().into_iter().map(|s| s.street).collect()
}

/// What SQLite did for a search, in steps of its machine.
fn steps(readers: &[Reader]) -> u64 {
    readers.iter().map(|r| r.shard.steps()).sum()
}

#[test]
fn the_number_and_the_beginning_of_a_street_find_the_address() {
    let (_root, index) = index_of([
        place("14", "Alder Court"),
        place("140", "Alder Court"),
        place("16", "Alder Court"),
        place("14", "Birch Court"),
    ]);
    assert_eq!(streets(&index, "14 alder co"), ["14 Alder Court"]);
    assert_eq!(streets(&index, "14 alder ct"), ["14 Alder Court"]);
    assert_eq!(streets(&index, "14 adler co"), ["14 Alder Court"], "a typing error is forgiven");
    assert_eq!(streets(&index, "14 a"), ["14 Alder Court"]);
    assert_eq!(streets(&index, "15 alder"), ["14 Alder Court", "16 Alder Court"], "the neighbours of a gap");
    assert_eq!(index.suggest("14 alder co", 5).unwrap()[0].matched, 11);
}

#[test]
fn a_search_among_a_thousand_streets_takes_few_steps() {
    let mut places = Vec::new();
    for street in 0..1_000 {
        let name = format!("{} Street", name(street));
        for house in 1..=20 {
            places.push(place_in(&house.to_string(), &name, "Portland", "ME", "04103"));
        }
    }
    let (_root, index) = index_of(places);
    let directory = index.directory().unwrap();
    for text in ["14 ba", "14 babe", "14 bbae street", "14 q", "14 babe street, port", "99999 zzzz", "babe"] {
        let before = steps(&directory.readers);
        super::suggest(&directory, text, 5).unwrap();
        let used = steps(&directory.readers) - before;
        assert!(used < 20_000, "{text} took {used} steps");
    }
}

#[test]
fn a_name_that_every_town_has_costs_no_more_than_the_bound() {
    // As many streets of one name as a large state has, and as many titles that one typing error may mean.
    let common = (0..7_000).map(|n| {
        let (city, zip) = (format!("{}ville", name(n)), format!("{:05}", 10_000 + n));
        place_in("14", "Main Street", &city, "ME", &zip)
    });
    let alike = (0..2_000).map(|n| place(&(20 + n % 3).to_string(), &format!("Maple{} Street", name(n))));
    let (_root, index) = index_of(common.chain(alike));
    let directory = index.directory().unwrap();
    let last = format!("14 main st, {}ville", name(6_999));
    for text in [
        "14 main st, nowhere in particular",
        "14 m",
        "14 main",
        "15 main st",
        "m",
        "main",
        "14 mapel",
        "14 mapleb, q",
        "77 mapxe",
        "14 mian street, nowhere",
        &last,
    ] {
        let before = steps(&directory.readers);
        super::suggest(&directory, text, 5).unwrap();
        let used = steps(&directory.readers) - before;
        // A row is a dozen steps, and its street another dozen.
        assert!(used < 24 * super::search::MAX_ROWS as u64, "{text} took {used} steps");
    }
    assert_eq!(streets(&index, &format!("14 main st, {}ville", name(12))), ["14 Main Street"]);
}

/// A different pronounceable name for every number.
fn name(n: usize) -> String {
    const SYLLABLES: [&str; 10] = ["ba", "be", "di", "do", "fu", "ga", "le", "mi", "no", "ru"];
    format!("{n:04}").bytes().map(|b| SYLLABLES[usize::from(b - b'0')]).collect()
}

#[test]
fn suggestions_read_what_people_type() {
    let mut places = vec![
        place("14", "Alder Court"),
        place_in("14", "Alder Court", "Augusta", "ME", "04330"),
        place("2", "Fifth Avenue"),
        place("700", "South Military Highway"),
        place("9", "St. Clair Avenue"),
        place("9", "Peña Street"),
        place("1", "Drum Point Crescent"),
        place("3", "Drum Point Lane"),
    ];
    for unit in ["10", "2", "1"] {
        places.push(crate::index::tests::with_unit(place("8", "Birch Lane"), unit));
    }
    let (_root, index) = index_of(places);
    let first = |text: &str| index.suggest(text, 5).unwrap().into_iter().next().map(|s| (s.street, s.city));
    let portland = |street: &str| Some((street.to_owned(), "Portland, ME 04103".to_owned()));
    assert_eq!(first("14 alder ct, aug"), Some(("14 Alder Court".into(), "Augusta, ME 04330".into())));
    assert_eq!(first("14 alder court portl"), portland("14 Alder Court"));
    assert_eq!(first("14 Alder Ct, Portland, ME 04103"), portland("14 Alder Court"));
    assert_eq!(first("14, alder"), portland("14 Alder Court"));
    assert_eq!(first("2 5th"), portland("2 Fifth Avenue"));
    assert_eq!(first("2 fift"), portland("2 Fifth Avenue"));
    assert_eq!(first("700 military hwy"), portland("700 South Military Highway"));
    assert_eq!(first("700 s mil"), portland("700 South Military Highway"));
    assert_eq!(first("9 saint cl"), portland("9 St. Clair Avenue"));
    assert_eq!(first("9 pena"), portland("9 Peña Street"));
    assert_eq!(streets(&index, "drum"), ["1 Drum Point Crescent", "3 Drum Point Lane"]);
    assert_eq!(streets(&index, "8 birch"), ["8 Birch Lane Unit 1", "8 Birch Lane Unit 2", "8 Birch Lane Unit 10"]);
    assert_eq!(streets(&index, "8 birch ln apt 2")[0], "8 Birch Lane Unit 2");
    assert_eq!(streets(&index, "8 birch ln apt").len(), 3);
    for nothing in ["", " ", ",", "14", "zzzz", "14 zzzz", "\0", "%", "'; DROP TABLE place; --"] {
        assert_eq!(streets(&index, nothing), Vec::<String>::new(), "{nothing:?}");
    }
    assert_eq!(index.suggest("14 alder", 0).unwrap(), []);
}

#[test]
fn one_typing_error_in_the_street_is_forgiven() {
    let (_root, index) = index_of([place("14", "Drum Point Crescent"), place("14", "Dogwood Lane")]);
    for typed in ["14 drm poi", "14 durm po", "14 drumm p", "14 drim poi", "14 rdum point cres", "14 drum piont cre"] {
        assert_eq!(streets(&index, typed), ["14 Drum Point Crescent"], "{typed}");
    }
    assert_eq!(streets(&index, "14 dgo"), Vec::<String>::new(), "three letters are too few to guess from");
}

#[test]
fn the_matched_part_ends_where_the_typed_text_does() {
    use super::matched::matched;
    assert_eq!(matched("14 Alder Court", "14 al"), 5);
    assert_eq!(matched("14 Alder Court", "14 alder ct"), 14);
    assert_eq!(matched("14 Alder Court", "14 adler co"), 11);
    assert_eq!(matched("700 South Military Highway", "700 mil"), 13);
    assert_eq!(matched("140 Alder Court", "14 alder"), 0, "another number is not what was typed");
    assert_eq!(matched("9 Peña Street", "9 pena"), 6);
    assert_eq!(matched("", "x"), 0);
}

#[test]
fn a_misspelled_town_is_asked_back_with_the_home_of_the_town_it_may_be() {
    // Of many towns with that street and number, those spelled almost alike come first.
    let others = ["Auburn", "Bath", "Calais", "Dexter", "Eastport", "Gardiner", "Hallowell"];
    let mut places: Vec<_> = others.iter().map(|town| place_in("14", "Alder Court", town, "ME", "00000")).collect();
    places.push(place_in("14", "Alder Court", "Portland", "ME", "04103"));
    places.push(place_in("14", "Alder Street", "Portland", "ME", "04103"));
    let (_root, index) = index_of(places);
    let close = |text: &str| {
        let answer = index.lookup(&AddressInput::Line(text.into())).unwrap();
        let Lookup::NotFound { close } = answer else { panic!("{text}: {answer:?}") };
        close.into_iter().map(|s| format!("{}, {}", s.street, s.city)).collect::<Vec<_>>()
    };
    for town in ["Portlnad", "Protland", "Portlan", "Portlandd", "Potrland"] {
        assert_eq!(close(&format!("14 Alder Ct, {town}, ME")), ["14 Alder Court, Portland, ME 04103"], "{town}");
    }
    assert_eq!(close("14 Alder Ct Portlnad ME"), ["14 Alder Court, Portland, ME 04103"]);
    assert_eq!(close("14 Alder, Portlnad, ME").len(), 2, "the suffix was left out");
    assert_eq!(close("14 Alder Ct, Springfield, ME").len(), 5, "no town is spelled like that");
}

/// Whether the home is among the first five.
fn is_offered(index: &PropertyIndex, text: &str, street: &str, city: &str) -> bool {
    index.suggest(text, 5).unwrap().iter().any(|s| s.street == street && s.city == city)
}

#[test]
fn whatever_order_people_type_and_paste_the_home_is_offered() {
    let mut places = Vec::new();
    for town in [("Harrow", "OH", "43099"), ("Fenwick", "OH", "43101"), ("Portland", "ME", "04103")] {
        for street in ["Alder Court", "Alder Creek Road", "North Birch Avenue", "5th Street NW"] {
            for number in ["14", "16", "704"] {
                places.push(place_in(number, street, town.0, town.1, town.2));
            }
        }
        for unit in ["3", "A3-418", "TH21"] {
            places.push(crate::index::tests::with_unit(place_in("20", "Alder Court", town.0, town.1, town.2), unit));
        }
    }
    let (_root, index) = index_of(places);
    let mut asked = 0;
    for (street, typed) in [
        ("704 Alder Creek Road", "Alder Creek Rd"),
        ("704 North Birch Avenue", "N Birch Ave"),
        ("704 5th Street NW", "5th St NW"),
        ("704 Alder Court", "alder court"),
    ] {
        for text in [
            format!("704 {typed}, Harrow, OH 43099-1234"),
            format!("704 {typed} Harrow OH 43099-1234"),
            format!("704 {typed} Harrow OH 43099 1234"),
            format!("704 {typed}, Harrow, OH 43099, USA"),
            format!("704 {typed}, Harrow, OH, United States"),
            format!("704 {typed}, Harrow, Ohio 43099"),
            format!("704 {typed} Harrow Ohio 43099"),
            format!("704 {typed}, Harrow, Ohi"),
            format!("704 {typed}, Ohio, Harrow"),
            format!("Harrow, 704 {typed}"),
            format!("Harrow OH 704 {typed}"),
            format!("Harrow, OH 43099, 704 {typed}"),
            format!("43099, 704 {typed}"),
            format!("43099 Harrow, 704 {typed}"),
            format!("OH, Harrow, 704 {typed}"),
            format!("{typed} 704, Harrow"),
            format!("{typed} 704, Harrow, OH 43099"),
            format!("#704 {typed}, Harrow"),
            format!("# 704 {typed} Harrow"),
            format!("704\t{typed}\tHarrow\tOH\t43099"),
            format!("704 {typed}\nHarrow, OH 43099"),
            format!("  704  {typed} ,harrow ,oh"),
            format!("704 {typed} apt 9, Harrow, OH 43099"),
        ] {
            asked += 1;
            assert!(is_offered(&index, &text, street, "Harrow, OH 43099"), "{text:?}: {:?}", index.suggest(&text, 5));
        }
    }
    for (unit, written) in [
        ("A3-418", "A3-418"),
        ("A3-418", "Apt A3-418"),
        ("A3-418", "#A3-418"),
        ("3", "3"),
        ("3", "Unit 3"),
        ("TH21", "TH21"),
    ] {
        for text in [
            format!("20 Alder Ct {written}, Fenwick, OH 43101"),
            format!("20 Alder Ct {written} Fenwick OH 43101"),
            format!("20 Alder Ct {written}, Fenwick, Ohio 43101-0001"),
            format!("20 Alder Ct, {written}, Fenwick"),
            format!("{written}, 20 Alder Ct, Fenwick"),
            format!("Fenwick, 20 Alder Ct {written}"),
        ] {
            let is_bare_first = text.starts_with(written) && written.len() < 3;
            asked += 1;
            let street = format!("20 Alder Court Unit {unit}");
            assert!(
                is_bare_first || is_offered(&index, &text, &street, "Fenwick, OH 43101"),
                "{text:?}: {:?}",
                index.suggest(&text, 5)
            );
        }
    }
    println!("{asked} lines");
}

#[test]
fn the_unit_that_was_typed_is_offered_in_a_tower() {
    let tower = (1..=15).flat_map(|floor| (0..22).map(move |door| format!("{}", floor * 100 + door)));
    let lettered = (1..=29).map(|n| format!("A10{n:02}"));
    let places = tower.clone().map(|unit| crate::index::tests::with_unit(place("251", "Alder Boulevard"), &unit));
    let others = lettered.clone().map(|unit| crate::index::tests::with_unit(place("1111", "Alder Boulevard"), &unit));
    let (_root, index) = index_of(places.chain(others));
    for (number, unit) in tower.map(|u| ("251", u)).step_by(13).chain(lettered.map(|u| ("1111", u)).step_by(5)) {
        for text in [
            format!("{number} Alder Blvd #{unit}"),
            format!("{number} Alder Blvd Unit {unit}"),
            format!("{number} alder boulevard apt {unit}"),
            format!("{number} Alder Blvd, {unit}"),
            format!("{number} Alder Blvd {unit}, Portland, ME 04103"),
        ] {
            let wanted = format!("{number} Alder Boulevard Unit {unit}");
            assert_eq!(streets(&index, &text).first(), Some(&wanted), "{text}");
        }
    }
    assert_eq!(streets(&index, "251 Alder Blvd #9999").len(), 5, "others of the building");
}

#[test]
fn a_numbered_road_is_never_offered_for_another_number() {
    let (_root, index) = index_of([
        place("77", "US Highway 31"),
        place("79", "State Route 13"),
        place("77", "County Road 81"),
        place("77", "State Route 310"),
        place("77", "31st Street"),
    ]);
    for text in ["77 hwy 31", "77 highway 31, portland", "77 us 31", "77 US Hwy 31", "77 rt 31"] {
        assert_eq!(streets(&index, text).first().map(String::as_str), Some("77 US Highway 31"), "{text}");
    }
    for text in
        ["77 hwy 32, portland", "77 us hwy 13, portland", "77 county road 18, portland", "77 32nd street, portland"]
    {
        assert_eq!(streets(&index, text), Vec::<String>::new(), "{text}");
    }
}

/// How homes are split between files.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Split {
    /// Whole streets in each, as towns are.
    Streets,
    /// Each home in any of them, as several surveys of one town are.
    Homes,
}

const HOMES: usize = 6_000;

fn home(n: usize) -> Place {
    let town = [("Portland", "04103"), ("Bath", "04530"), ("Augusta", "04330")][n / 20 % 3];
    let street = format!("{} Street", name(n / 20));
    let home = place_in(&(2 * (n % 20) + 2).to_string(), &street, town.0, "ME", town.1);
    Place { parcel: Some(format!("{n:09}")), ..home }
}

fn in_files(split: Split, files: usize) -> (tempfile::TempDir, PropertyIndex) {
    let root = tempfile::tempdir().unwrap();
    let file_of = |n: usize| match split {
        Split::Streets => n / 20 % files,
        Split::Homes => n % files,
    };
    for file in 0..files {
        let homes = (0..HOMES).filter(|n| file_of(*n) == file).map(home);
        crate::index::tests::build(root.path(), &format!("set-{file:03}"), homes);
    }
    let index = PropertyIndex::open(root.path(), crate::Reference::built_in()).unwrap();
    (root, index)
}

/// At most three tenths more.
fn assert_no_more(split: Split, what: &str, one: u64, many: u64) {
    assert!(many * 10 <= one * 13, "{split:?}, {what}: {many} steps in 50 files, {one} in one");
}

#[test]
fn a_search_costs_no_more_with_many_files() {
    let texts = |n: usize| {
        let Address { street_number: low, street_address: street, city, .. } = home(n * 151 % HOMES).address;
        let other = &street[..4];
        [
            ("a full line", format!("{low} {street}, {city}, ME")),
            ("a street", format!("{low} {street}")),
            ("a beginning", format!("{low} {other}")),
            ("a letter missing", format!("{low} {other}x{}", &street[5..])),
            ("no such number", format!("9{low}7 {street}")),
            ("no such street", format!("{low} qwxz qwxz")),
        ]
    };
    let costs = |index: &PropertyIndex| {
        let directory = index.directory().unwrap();
        let mut costs = [0; 6];
        for n in 0..40 {
            for (cost, (_, text)) in costs.iter_mut().zip(texts(n)) {
                let before = steps(&directory.readers);
                super::suggest(&directory, &text, 5).unwrap();
                *cost += steps(&directory.readers) - before;
            }
        }
        costs
    };
    let (_one_root, one) = in_files(Split::Homes, 1);
    let in_one = costs(&one);
    for split in [Split::Streets, Split::Homes] {
        let (_many_root, many) = in_files(split, 50);
        for (n, (_, text)) in (0..40).flat_map(|n| texts(n).map(|text| (n, text))) {
            assert_eq!(streets(&one, &text).first(), streets(&many, &text).first(), "{text}, {n}");
        }
        for ((cost, in_one), (what, _)) in costs(&many).into_iter().zip(in_one).zip(texts(0)) {
            assert_no_more(split, what, in_one, cost);
        }
    }
}

#[test]
fn a_look_up_costs_no_more_with_many_files() {
    // Each home once: those found lately are kept.
    let costs = |index: &PropertyIndex| {
        let readers = index.readers().unwrap();
        let mut keys = Vec::new();
        // The first look-up lists the keys and the parcels of all files.
        index.lookup(&AddressInput::Parts(home(1).address)).unwrap();
        let before = steps(&readers);
        for n in 2..=40 {
            let answer = index.lookup(&AddressInput::Parts(home(n * 97).address)).unwrap();
            let Lookup::Found { key, evidence } = answer else { panic!("home {n} is not there: {answer:?}") };
            assert_eq!(evidence.place.parcel, home(n * 97).parcel);
            keys.push(key);
        }
        let by_address = steps(&readers) - before;
        for key in keys {
            assert!(index.get(&key).unwrap().is_some());
        }
        (by_address, steps(&readers) - before - by_address)
    };
    let (_one_root, one) = in_files(Split::Homes, 1);
    let in_one = costs(&one);
    for split in [Split::Streets, Split::Homes] {
        let (_many_root, many) = in_files(split, 50);
        let in_many = costs(&many);
        assert_no_more(split, "an exact address", in_one.0, in_many.0);
        assert_no_more(split, "a key", in_one.1, in_many.1);
    }
}

#[test]
fn files_too_large_to_list_are_searched_as_well() {
    let directories = |index: &PropertyIndex| {
        let read = |most_homes| Directory::read(index.readers().unwrap(), most_homes).unwrap();
        let (listed, unlisted) = (read(u64::MAX), read(0));
        assert_eq!((listed.unlisted.len(), unlisted.unlisted.len()), (0, 1));
        (listed, unlisted)
    };
    // Without lists in the file, and with them.
    for streets in [300, 5_000] {
        let homes = (0..streets * 2).map(|n| {
            let street = format!("{} Street", name(n / 2));
            place_in(&(2 + n % 2 * 12).to_string(), &street, "Portland", "ME", "04103")
        });
        let (_root, index) = index_of(homes);
        let (listed, unlisted) = directories(&index);
        for n in (0..streets).step_by(29) {
            let street = name(n);
            for text in [
                format!("14 {street} street"),
                format!("14 {}", &street[..5]),
                format!("14 {}{}", &street[..3], &street[4..]),
                format!("9 {street} st"),
                street.clone(),
            ] {
                let found = |directory| super::suggest(directory, &text, 5).unwrap();
                let (in_memory, in_file) = (found(&listed), found(&unlisted));
                assert!(!in_file.is_empty(), "{text}");
                assert_eq!(in_file.first(), in_memory.first(), "{text}");
            }
        }
        for nothing in ["14 qwxz street", "14 \u{10ffff}"] {
            assert_eq!(super::suggest(&unlisted, nothing, 5).unwrap(), [], "{nothing}");
        }
    }
}

#[test]
fn files_whose_houses_are_listed_and_those_of_large_files_give_the_same_answers() {
    for (split, files) in [(Split::Streets, 3), (Split::Homes, 5)] {
        let (_root, index) = in_files(split, files);
        let read = |most_homes| Directory::read(index.readers().unwrap(), most_homes).unwrap();
        let listed = read(u64::MAX);
        let others = [read(0), read(HOMES as u64 / 2)];
        assert!(others.iter().all(|directory| !directory.unlisted.is_empty()));
        for n in (0..HOMES).step_by(211) {
            let Address { street_number: low, street_address: street, city, zip, .. } = home(n).address;
            for text in [
                format!("{low} {street}"),
                format!("{low} {street}, {city}, ME"),
                format!("{low} {street}, ME {zip}"),
                format!("{low} {street}, {}", &zip.as_str()[..3]),
                format!("{low} {street}, Portland, NH"),
                format!("{low} {}", &street[..1]),
                format!("{low} {}", &street[..3]),
                format!("{low} {}, {}", &street[..2], &city[..3]),
                format!("{low} {}x{}", &street[..2], &street[3..]),
                format!("{low} {}{}, {city}", &street[..1], &street[2..]),
                street[..4].to_owned(),
                format!("{street}, {city}"),
            ] {
                let wanted = super::suggest(&listed, &text, 5).unwrap();
                for directory in &others {
                    assert_eq!(super::suggest(directory, &text, 5).unwrap(), wanted, "{split:?}, {text}");
                }
            }
        }
    }
}

/// A street named otherwise than it was typed is offered as well, and never before the one that fits.
#[test]
fn streets_that_may_be_meant_are_offered_behind_those_that_fit() {
    let (_root, index) = index_of([
        place_in("15", "The Esplanade", "Venice", "FL", "34285"),
        place_in("15", "Esplanade Avenue", "New Orleans", "LA", "70116"),
        place_in("22", "The Strand", "Galveston", "TX", "77550"),
        place_in("8800", "State Route 34", "Yorkville", "IL", "60560"),
        place_in("410", "State Route 9", "Saratoga Springs", "NY", "12866"),
        place_in("10", "15th Street", "Brooklyn", "NY", "11215"),
        place_in("31", "3rd Avenue", "Troy", "NY", "12180"),
        place_in("N123W456", "Maple Road", "Germantown", "WI", "53022"),
        place_in("1056", "Avenida Ponce de Leon", "San Juan", "PR", "00907"),
        place_in("77", "Calle Loiza", "San Juan", "PR", "00911"),
    ]);
    for (typed, wanted) in [
        ("15 Esplanade", &["15 Esplanade Avenue", "15 The Esplanade"] as &[_]),
        ("15 esplan", &["15 Esplanade Avenue", "15 The Esplanade"]),
        ("15 Esplanade, Venice, FL", &["15 The Esplanade"]),
        ("22 Strand", &["22 The Strand"]),
        ("22 stran", &["22 The Strand"]),
        ("22 Strand, Galveston TX 77550", &["22 The Strand"]),
        ("8800 Illinois 34", &["8800 State Route 34"]),
        ("8800 Illinois 34, Yorkville, IL", &["8800 State Route 34"]),
        ("410 New York 9, Saratoga Springs, NY", &["410 State Route 9"]),
        ("10 15 th St", &["10 15th Street"]),
        ("10 15 th st, brooklyn ny", &["10 15th Street"]),
        ("31 3 rd Ave, Troy, NY", &["31 3rd Avenue"]),
        ("N 123 W 456 Maple Rd", &["N123W456 Maple Road"]),
        ("n123 w456 Maple Road, Germantown, WI", &["N123W456 Maple Road"]),
        ("1056 Ponce de Leon Ave, San Juan, PR 00907", &["1056 Avenida Ponce de Leon"]),
        ("77 Loiza St, San Juan, PR", &["77 Calle Loiza"]),
    ] {
        assert_eq!(streets(&index, typed), wanted, "{typed}");
    }
    // The road of one state is not that of another.
    assert!(streets(&index, "8800 Ohio 34, Yorkville, OH").is_empty());
}
