//! Seen from a home on the north side of a street that runs to the east, then with everything turned.

use shingle_domain::surroundings::Wind::*;

use super::*;

/// A house of 12 by 10 m about a place.
fn house(number: u32, street: &str, [x, y]: [f64; 2]) -> House {
    let corners = [[-6.0, -5.0], [6.0, -5.0], [6.0, 5.0], [-6.0, 5.0]];
    House {
        street: street.to_uppercase(),
        street_shown: street.to_owned(),
        number,
        shown: number.to_string(),
        address: None,
        at: Point { x, y },
        rings: vec![corners.map(|[a, b]| Point { x: x + a, y: y + b }).to_vec()],
    }
}

type Line = (&'static str, [f64; 2], [f64; 2]);

const ALDER: Line = ("Alder Court", [-80.0, -20.0], [80.0, -20.0]);
const BIRCH: Line = ("Birch Street", [-80.0, 62.0], [80.0, 62.0]);
const MILL: Line = ("Mill Road", [22.0, -20.0], [22.0, 80.0]);

/// What is said of the first of these houses, with everything turned by so many degrees to the left.
fn said(degrees: f64, streets: &[Line], houses: &[(u32, &str, [f64; 2])]) -> Stands {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let turn = |p: Point| Point { x: p.x * cos - p.y * sin, y: p.x * sin + p.y * cos };
    let turned = |(number, street, at): &(u32, &str, [f64; 2])| {
        let plain = house(*number, street, *at);
        let rings = plain.rings.iter().map(|ring| ring.iter().copied().map(turn).collect()).collect();
        House { at: turn(plain.at), rings, ..plain }
    };
    let names: Vec<String> = streets.iter().map(|(name, ..)| name.to_uppercase()).collect();
    let known: Vec<KnownStreet<'_>> = streets
        .iter()
        .zip(&names)
        .map(|((shown, from, to), street)| {
            let [from, to] = [from, to].map(|[x, y]| turn(Point { x: *x, y: *y }));
            KnownStreet { street, shown, from, to }
        })
        .collect();
    let own = turned(&(14, "Alder Court", [0.0, 0.0]));
    let houses: Vec<House> = houses.iter().map(turned).collect();
    let known: Vec<&KnownStreet<'_>> = known.iter().collect();
    Scene { own: &own, houses: &houses, streets: &known }.stands(&houses[0])
}

fn across(street: Option<&str>, toward: Option<Wind>) -> Stands {
    Stands::Across { street: street.map(str::to_owned), toward }
}

fn behind(on: Option<&str>) -> Stands {
    Stands::Behind { on: on.map(str::to_owned) }
}

#[test]
fn houses_around_a_home_are_named_as_people_name_them() {
    let table: [(&str, u32, &str, [f64; 2], Stands); 13] = [
        ("beside it", 12, "Alder Court", [-24.0, 0.0], Stands::NextDoor(West)),
        ("beside it, set back", 16, "Alder Court", [24.0, 9.0], Stands::NextDoor(East)),
        ("beside it, far back", 16, "Alder Court", [24.0, 20.0], Stands::Nearby(Northeast)),
        ("too far to be next", 8, "Alder Court", [-48.0, 0.0], Stands::Nearby(West)),
        ("behind it", 23, "Birch Street", [4.0, 36.0], behind(Some("Birch Street"))),
        ("behind it, on a lane of its own street", 14, "Alder Court", [4.0, 36.0], behind(None)),
        ("behind its neighbor", 25, "Birch Street", [30.0, 30.0], Stands::Nearby(Northeast)),
        ("over two gardens and a street", 24, "Birch Street", [0.0, 84.0], Stands::Nearby(North)),
        ("over the street", 13, "Alder Court", [5.0, -40.0], across(None, None)),
        ("over the street and on", 15, "Alder Court", [30.0, -40.0], across(None, Some(Southeast))),
        ("over the street and on the other way", 11, "Alder Court", [-30.0, -40.0], across(None, Some(Southwest))),
        ("far over the street", 17, "Alder Court", [60.0, -40.0], Stands::Nearby(Southeast)),
        ("before it, on its own side", 2, "Alder Court", [14.0, -14.0], Stands::Nearby(Southeast)),
    ];
    for (what, number, street, at, expected) in table {
        assert_eq!(said(0.0, &[ALDER, BIRCH], &[(number, street, at)]), expected, "{what}");
    }
}

#[test]
fn a_street_in_any_direction_turns_the_winds_and_no_word() {
    let streets = [ALDER, BIRCH];
    // Counterclockwise from the north.
    let left = [North, Northwest, West, Southwest, South, Southeast, East, Northeast];
    let wind = |eighth: usize, start: usize| left[(start + eighth) % 8];
    for eighth in 0..8 {
        let degrees = 45.0 * eighth as f64;
        let at = |number, street, place| said(degrees, &streets, &[(number, street, place)]);
        assert_eq!(at(12, "Alder Court", [-24.0, 0.0]), Stands::NextDoor(wind(eighth, 2)), "{degrees}");
        assert_eq!(at(16, "Alder Court", [24.0, 0.0]), Stands::NextDoor(wind(eighth, 6)), "{degrees}");
        assert_eq!(at(23, "Birch Street", [0.0, 36.0]), behind(Some("Birch Street")), "{degrees}");
        assert_eq!(at(13, "Alder Court", [0.0, -40.0]), across(None, None), "{degrees}");
        assert_eq!(at(15, "Alder Court", [32.0, -40.0]), across(None, Some(wind(eighth, 5))), "{degrees}");
        assert_eq!(at(25, "Birch Street", [30.0, 30.0]), Stands::Nearby(wind(eighth, 7)), "{degrees}");
    }
    // Between two winds the nearer one is named.
    assert_eq!(said(13.0, &streets, &[(12, "Alder Court", [-24.0, 0.0])]), Stands::NextDoor(West));
    assert_eq!(said(30.0, &streets, &[(12, "Alder Court", [-24.0, 0.0])]), Stands::NextDoor(Southwest));
}

#[test]
fn a_street_drawn_the_other_way_round_says_the_same() {
    let back = |(name, from, to): Line| (name, to, from);
    for (number, street, at) in [(12, "Alder Court", [-24.0, 0.0]), (23, "Birch Street", [0.0, 36.0])] {
        let home = [(number, street, at)];
        assert_eq!(said(0.0, &[ALDER, BIRCH], &home), said(0.0, &[back(ALDER), back(BIRCH)], &home));
    }
}

#[test]
fn from_a_corner_the_other_street_has_its_name() {
    let streets = [ALDER, MILL];
    let at = |number, street, place| said(0.0, &streets, &[(number, street, place)]);
    assert_eq!(at(40, "Mill Road", [44.0, 2.0]), across(Some("Mill Road"), None));
    assert_eq!(at(42, "Mill Road", [44.0, 30.0]), across(Some("Mill Road"), Some(Northeast)));
    // The next house around the corner stands behind it.
    assert_eq!(at(41, "Mill Road", [2.0, 28.0]), behind(Some("Mill Road")));
    // Over both streets it is neither.
    let both = [ALDER, ("Mill Road", [22.0, -80.0], [22.0, 80.0])];
    assert_eq!(said(0.0, &both, &[(39, "Mill Road", [36.0, -36.0])]), Stands::Nearby(Southeast));
}

#[test]
fn a_house_beyond_another_one_is_not_the_next() {
    let streets = [ALDER, BIRCH];
    let hidden = |first: (u32, &str, [f64; 2]), second| said(0.0, &streets, &[first, second]);
    assert_eq!(
        hidden((10, "Alder Court", [-38.0, 0.0]), (12, "Alder Court", [-19.0, 0.0])),
        Stands::Nearby(West),
        "two doors on"
    );
    assert_eq!(
        hidden((21, "Birch Street", [0.0, 50.0]), (14, "Birch Street", [0.0, 26.0])),
        Stands::Nearby(North),
        "behind the one behind"
    );
    assert_eq!(
        hidden((13, "Alder Court", [0.0, -60.0]), (11, "Alder Court", [0.0, -40.0])),
        Stands::Nearby(South),
        "in the second row over the street"
    );
}

#[test]
fn where_nobody_knows_the_street_only_the_next_number_is_next_door() {
    let at = |number, street, place| said(0.0, &[], &[(number, street, place)]);
    assert_eq!(at(12, "Alder Court", [-20.0, -14.0]), Stands::NextDoor(Southwest), "in a bend");
    assert_eq!(at(13, "Alder Court", [0.0, -30.0]), Stands::Nearby(South), "the other side, as its number says");
    assert_eq!(at(23, "Birch Street", [0.0, 30.0]), Stands::Nearby(North));
    let gap = [(10, "Alder Court", [-20.0, -14.0]), (12, "Alder Court", [20.0, -14.0])];
    assert_eq!(said(0.0, &[], &gap), Stands::Nearby(Southwest), "12 is the next number");
}

#[test]
fn beside_it_on_a_street_whose_course_nobody_knows_is_nearby() {
    // Mill Road may run between the two.
    assert_eq!(said(0.0, &[ALDER], &[(40, "Mill Road", [30.0, 0.0])]), Stands::Nearby(East));
    assert_eq!(said(0.0, &[ALDER, MILL], &[(41, "Mill Road", [-30.0, 0.0])]), Stands::NextDoor(West));
}

#[test]
fn a_house_at_the_very_same_place_breaks_nothing() {
    assert_eq!(said(0.0, &[ALDER], &[(14, "Alder Court", [0.0, 0.0])]), Stands::NextDoor(North));
}
