use shingle_domain::evidence::{Place, Point, Position};
use shingle_domain::lookup::AddressInput;
use shingle_domain::surroundings::{Stands, StreetLine, Surroundings, Wind};

use crate::geometry::LocalPlane;
use crate::index::tests::{build, index_of, place, rectangle, with_unit};
use crate::{Lookup, PropertyIndex, Reference, sample_town};

fn town() -> (tempfile::TempDir, PropertyIndex) {
    let folder = tempfile::tempdir().expect("a folder");
    sample_town::build(folder.path()).expect("the sample town");
    let index = PropertyIndex::open(folder.path(), Reference::built_in()).expect("its index");
    (folder, index)
}

fn around(index: &PropertyIndex, line: &str) -> Surroundings {
    let Lookup::Found { evidence, .. } = index.lookup(&AddressInput::Line(line.into())).expect("a readable index")
    else {
        panic!("{line} is in the town")
    };
    index.surroundings(&evidence.place).expect("a readable index")
}

#[test]
fn the_showpiece_stands_between_12_and_16_on_alder_court() {
    let (_folder, index) = town();
    let found = around(&index, "14 Alder Court, Harrow Falls, ME 04995");
    assert_eq!(found.between, [Some("12".to_owned()), Some("16".to_owned())]);
    let street = found.street.expect("houses on both sides");
    assert_eq!(street.name, "Alder Court");
    // The even side looks north: the street passes there.
    assert!(street.from[1] < 0 && street.to[1] < 0, "{street:?}");
    assert!((80..=135).contains(&street.half_width), "{}", street.half_width);
    let numbers: Vec<&str> = found.neighbors.iter().filter_map(|n| n.number.as_deref()).collect();
    assert!(["12", "16", "13"].iter().all(|n| numbers.contains(n)), "{numbers:?}");
    let over = |ring: &[[i32; 2]]| ring.iter().all(|[x, y]| x.abs() < 200 && y.abs() < 200);
    assert!(!found.neighbors.iter().any(|n| over(&n.ring)), "none of them is the home");
}

#[test]
fn the_manor_stands_on_a_corner() {
    let (_folder, index) = town();
    let found = around(&index, "25 Quince Lane, Harrow Falls, ME 04995");
    assert_eq!(found.between, [Some("23".to_owned()), None]);
    let own = found.street.expect("houses on both sides");
    let [other] = &found.other_streets[..] else { panic!("{:?}", found.other_streets) };
    assert_eq!((own.name.as_str(), other.name.as_str()), ("Quince Lane", "Weathervane Walk"));
    let [west, east] = [own.from[0].min(own.to[0]), own.from[0].max(own.to[0])];
    // It is to the east of the home, runs to the north, and begins at Quince Lane.
    let ends = [other.from, other.to].map(|[x, y]| (x, y));
    assert!(ends.iter().all(|(x, _)| *x > 300 && (west..=east).contains(x)), "{other:?}");
    let (x, south) = ends.into_iter().max_by_key(|(_, y)| *y).unwrap();
    let [run, fall] = [0, 1].map(|axis| f64::from(own.to[axis] - own.from[axis]));
    let there = f64::from(own.from[1]) + fall / run * f64::from(x - own.from[0]);
    assert!((f64::from(south) - there).abs() <= f64::from(own.half_width), "{other:?} ends at {own:?}");
}

/// A house of 10 by 8 m whose middle is so many meters east and north of a corner.
fn house(number: &str, street: &str, x: f64, y: f64) -> Place {
    let corner = LocalPlane::at(Position { longitude: -70.25, latitude: 43.66 });
    let origin = Some(corner.position(Point { x, y }));
    Place { origin, buildings: vec![rectangle(-5.0, -4.0, 10.0, 8.0)], ..place(number, street) }
}

/// Alder Court runs to the east of a corner, Mill Road to its south and north; Birch Lane is behind.
fn corner() -> Vec<Place> {
    let mut all = Vec::new();
    for n in 0..4 {
        let (x, number) = (20.0 + 20.0 * f64::from(n), 2 * n);
        all.push(house(&format!("{}", number + 1), "Alder Court", x, 14.0));
        all.push(house(&format!("{}", number + 2), "Alder Court", x, -14.0));
        all.push(house(&format!("{}", number + 1), "Birch Lane", x, 42.0));
        all.push(house(&format!("{}", number + 2), "Birch Lane", x, 70.0));
        all.push(house(&format!("{}", number + 40), "Mill Rd", -16.0, 14.0 + 20.0 * f64::from(n)));
    }
    all.push(house("31", "Mill Rd", 16.0, -34.0));
    all.push(house("33", "Mill Rd", 16.0, -54.0));
    all.push(house("32", "Mill Rd", -16.0, -34.0));
    all
}

fn at(index: &PropertyIndex, number: &str, street: &str) -> Surroundings {
    around(index, &format!("{number} {street}, Portland, ME 04103"))
}

fn names(streets: &[StreetLine]) -> Vec<&str> {
    streets.iter().map(|street| street.name.as_str()).collect()
}

#[test]
fn houses_on_other_streets_are_there_and_the_other_street_of_a_corner_has_its_name() {
    let (_folder, index) = index_of(corner());
    let found = at(&index, "1", "Alder Court");
    assert_eq!(found.street.as_ref().map(|s| s.name.as_str()), Some("Alder Court"));
    assert_eq!(names(&found.other_streets), ["Mill Rd", "Birch Lane"]);
    assert_eq!(found.between, [None, Some("3".to_owned())], "numbers of its own street");
    let numbers: Vec<&str> = found.neighbors.iter().filter_map(|n| n.number.as_deref()).collect();
    // 28 m behind, and over the crossing.
    assert_eq!(numbers[..6], ["3", "2", "1", "3", "4", "40"], "the nearest first, of every street");
    assert!(numbers.len() > 12);
    // Mill Road passes 20 m to the west of it, from the south to the north.
    let [mill, birch] = &found.other_streets[..] else { panic!("{:?}", found.other_streets) };
    assert!(mill.from[0].abs_diff(mill.to[0]) < 60 && mill.from[0] < -550 && mill.from[0] > -750, "{mill:?}");
    assert!(mill.from[1].abs_diff(mill.to[1]) > 2_500, "{mill:?}");
    assert!(birch.from[1] < -1_000 && birch.from[1].abs_diff(birch.to[1]) < 60, "{birch:?}");
}

#[test]
fn a_street_that_ends_at_another_goes_on_to_it_and_not_through_the_house_behind() {
    let mut houses = vec![house("8", "Alder Court", 0.0, -14.0)];
    for n in 1..4 {
        let x = 20.0 * f64::from(n);
        houses.push(house(&format!("{}", 8 + 2 * n), "Alder Court", x, -14.0));
        houses.push(house(&format!("{}", 9 + 2 * n), "Alder Court", x, 14.0));
        // Its houses begin behind those of Alder Court.
        let y = 16.0 + 14.0 * f64::from(n);
        houses.push(house(&format!("{}", 2 * n), "Mill Road", -14.0, y));
        houses.push(house(&format!("{}", 2 * n + 1), "Mill Road", 14.0, y));
    }
    let (_folder, index) = index_of(houses);
    let found = at(&index, "8", "Alder Court");
    let own = found.street.expect("houses on both sides");
    let [mill] = &found.other_streets[..] else { panic!("{:?}", found.other_streets) };
    // In the middle of Alder Court, which is 14 m north of the home.
    let end = mill.from[1].max(mill.to[1]);
    assert!(end.abs_diff(own.from[1].midpoint(own.to[1])) < 25, "{mill:?} {own:?}");
    // Seen from Mill Road, Alder Court is the other street.
    assert_eq!(names(&at(&index, "2", "Mill Road").other_streets), ["Alder Court"]);
}

#[test]
fn a_building_of_two_addresses_is_drawn_once_and_never_as_a_neighbour_of_itself() {
    let mut houses = vec![house("8", "Alder Court", 0.0, 0.0), house("1", "Mill Road", 0.4, 0.3)];
    houses.extend([house("12", "Alder Court", 30.0, 0.0), house("14", "Alder Court", 30.5, 0.0)]);
    let (folder, _) = index_of(houses);
    // Another data set draws the neighbor again and knows where a house without an outline stands.
    let bare = Place { buildings: Vec::new(), ..house("16", "Alder Court", 60.0, 0.0) };
    build(folder.path(), "other", [house("12", "Alder Ct", 30.2, 0.1), bare]);
    let index = PropertyIndex::open(folder.path(), Reference::built_in()).expect("its index");
    let found = at(&index, "8", "Alder Court");
    let numbers: Vec<_> = found.neighbors.iter().map(|n| n.number.as_deref()).collect();
    assert_eq!(numbers, [Some("12")]);
    assert_eq!(found.between, [None, Some("12".to_owned())]);
    // A home that is nowhere has nothing around it.
    let nowhere = Place { origin: None, ..house("8", "Alder Court", 0.0, 0.0) };
    assert_eq!(index.surroundings(&nowhere).expect("a readable index"), Surroundings::default());
}

#[test]
fn what_stands_around_a_home_is_kept_until_the_next_import() {
    let (folder, index) = index_of([house("8", "Alder Court", 0.0, 0.0), house("12", "Alder Court", 30.0, 0.0)]);
    let first = at(&index, "8", "Alder Court");
    let readers = index.readers().expect("a readable index");
    let before = readers[0].shard.steps();
    assert_eq!(at(&index, "8", "Alder Court"), first);
    assert_eq!(readers[0].shard.steps(), before, "the second time nothing is read");
    build(folder.path(), "other", [house("16", "Alder Court", -30.0, 0.0)]);
    let numbers = at(&index, "8", "Alder Court").neighbors.into_iter().filter_map(|n| n.number);
    assert_eq!(numbers.collect::<std::collections::BTreeSet<_>>(), ["12", "16"].map(str::to_owned).into());
}

#[test]
fn a_tower_and_a_crowd_cost_a_bounded_number_of_rows() {
    let flat = |n: u32| with_unit(house("20", "Alder Court", 30.0, 0.0), &n.to_string());
    let crowd = (0..1_500_u32).map(|n| {
        let (row, column) = (f64::from(n / 50), f64::from(n % 50));
        house(&n.to_string(), "Crowded Row", column * 2.0 - 50.0, row * 2.0 + 20.0)
    });
    let (_folder, index) = index_of((0..3_000).map(flat).chain(crowd).chain([house("8", "Alder Court", 0.0, 0.0)]));
    let readers = index.readers().expect("a readable index");
    let shard = &readers[0].shard;
    let origin = house("8", "Alder Court", 0.0, 0.0).origin.expect("it stands somewhere");
    let before = shard.steps();
    let near = shard.within(origin, super::RADIUS).expect("a readable index");
    println!("{} of 4,501 places, {} steps of SQLite's machine", near.len(), shard.steps() - before);
    assert!(shard.steps() - before < 200);
    // Eight flats of the tower, the crowd within 75 m, the home.
    assert!(near.len() < 1_500 + 9, "{}", near.len());
    let found = at(&index, "8", "Alder Court");
    let bytes = serde_json::to_string(&found).expect("JSON").len();
    assert!(found.neighbors.len() <= 40 && bytes < 6_000, "{bytes}");
    assert!(found.neighbors.iter().any(|n| n.number.as_deref() == Some("20")), "the tower is one building");
}

/// What the cells of the map cost, in the file of the sample town.
#[test]
fn a_place_costs_little_in_its_cell_of_the_map() {
    let (folder, index) = town();
    let places = index.status().datasets[0].places().cast_signed();
    let path = folder.path().join("sample-town/v1/ME.sqlite");
    let file = rusqlite::Connection::open(&path).expect("SQLite's own reader");
    let sql = "SELECT count(*), sum(length(homes)) FROM map_cell";
    let (cells, held): (i64, i64) = file.query_row(sql, (), |row| Ok((row.get(0)?, row.get(1)?))).expect("its table");
    // A cell's number, its lengths and its place on the page are ten bytes.
    let bytes = held + cells * 10;
    let whole = std::fs::metadata(&path).expect("its size").len().cast_signed();
    println!("{places} places in {cells} rows of cells: {} bytes each of {}", bytes / places, whole / places);
    assert!(bytes < places * 7);
    let whole: String = file.query_row("PRAGMA integrity_check", (), |row| row.get(0)).expect("an answer");
    assert_eq!(whole, "ok");
}

#[test]
fn every_home_of_the_town_has_little_around_it_and_no_street_runs_through_a_house() {
    let (_folder, index) = town();
    let (mut homes, mut streets, mut behind, mut most) = (0, 0, 0, 0);
    for place in sample_town::places().step_by(7) {
        let found = index.surroundings(&place).expect("a readable index");
        homes += 1;
        most = most.max(serde_json::to_string(&found).expect("JSON").len());
        behind += usize::from(found.neighbors.len() > 8);
        streets += usize::from(found.street.is_some());
        for street in found.street.iter().chain(&found.other_streets) {
            let (dx, dy) = (street.to[0] - street.from[0], street.to[1] - street.from[1]);
            let length = f64::from(dx).hypot(f64::from(dy));
            for [x, y] in found.neighbors.iter().flat_map(|n| &n.ring) {
                let (x, y) = (f64::from(x - street.from[0]), f64::from(y - street.from[1]));
                let along = (x * f64::from(dx) + y * f64::from(dy)) / length;
                let cross = (x * f64::from(dy) - y * f64::from(dx)) / length;
                let apart = !(0.0..=length).contains(&along) || cross.abs() > f64::from(street.half_width);
                assert!(apart, "{} on {}", place.address, street.name);
            }
        }
    }
    println!("{homes} homes, {streets} with a street, {behind} with houses on other streets, {most} bytes at most");
    assert!(behind * 2 > homes);
    assert!(streets * 10 > homes * 7);
    assert!(most <= 6_000);
}

/// The homes that can be chosen: number, street and where they stand.
fn offered(found: &Surroundings) -> Vec<(String, Stands)> {
    let homes = found.neighbors.iter().filter_map(|neighbor| neighbor.home.as_ref());
    homes.map(|home| (home.street.clone(), home.stands.clone())).collect()
}

#[test]
fn the_five_nearest_homes_can_be_chosen_and_each_key_finds_its_home() {
    let (_folder, index) = town();
    let found = around(&index, "14 Alder Court, Harrow Falls, ME 04995");
    let homes: Vec<_> = found.neighbors.iter().filter_map(|neighbor| neighbor.home.as_ref()).collect();
    assert_eq!(homes.len(), 5);
    for home in &homes {
        let place = index.get(&home.key.parse().expect("a key")).expect("an index").expect("the home").place;
        assert_eq!(place.address.street_line(), home.street);
        assert_eq!(place.address.city_line(), home.city);
        assert!((300..9_000).contains(&home.ground), "{home:?}");
    }
    let offered = offered(&found);
    assert!(offered.contains(&("12 Alder Court".into(), Stands::NextDoor(Wind::West))), "{offered:?}");
    assert!(offered.contains(&("16 Alder Court".into(), Stands::NextDoor(Wind::East))), "{offered:?}");
    assert!(offered.iter().any(|(_, stands)| matches!(stands, Stands::Across { street: None, .. })), "{offered:?}");
}

#[test]
fn on_a_corner_each_neighbor_is_named_by_the_street_between() {
    let (_folder, index) = index_of(corner());
    let offered = offered(&at(&index, "1", "Alder Court"));
    let across = |street: Option<&str>, toward| Stands::Across { street: street.map(str::to_owned), toward };
    assert_eq!(
        offered,
        [
            ("3 Alder Court".to_owned(), Stands::NextDoor(Wind::East)),
            ("2 Alder Court".to_owned(), across(None, None)),
            ("1 Birch Lane".to_owned(), Stands::Behind { on: Some("Birch Lane".to_owned()) }),
            ("3 Birch Lane".to_owned(), Stands::Nearby(Wind::Northeast)),
            ("4 Alder Court".to_owned(), across(None, Some(Wind::Southeast))),
        ]
    );
}

#[test]
fn garages_and_houses_known_by_their_units_alone_are_not_offered() {
    let far = house("30", "Alder Court", 200.0, 0.0);
    let mut with_garage = house("3", "Alder Court", 40.0, 0.0);
    with_garage.buildings.push(rectangle(10.0, 0.0, 8.0, 8.0));
    let flats = ["A", "B"].map(|unit| with_unit(house("5", "Alder Court", 20.0, 30.0), unit));
    let homes = [house("1", "Alder Court", 0.0, 0.0), with_garage, far];
    let (_folder, index) = index_of(homes.into_iter().chain(flats));
    let found = at(&index, "1", "Alder Court");
    assert_eq!(offered(&found).into_iter().map(|(street, _)| street).collect::<Vec<_>>(), ["3 Alder Court"]);
    assert!(found.neighbors.len() > 2, "all of them are drawn: {found:?}");
}
