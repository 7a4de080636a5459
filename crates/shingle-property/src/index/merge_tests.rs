use proptest::prelude::*;
use shingle_domain::Usd;
use shingle_domain::evidence::{Garage, Outline, OutlineKind, PermitKind, Point, Polygon, RoofType};

use super::*;
use crate::index::tests::place;

fn across(places: impl IntoIterator<Item = Place>) -> Option<Place> {
    super::across(places.into_iter().map(|place| (place, Reach::Local)))
}

fn source(name: &str, as_of: Option<&str>) -> Source {
    Source { name: name.into(), title: None, licence: None, as_of: as_of.map(str::to_owned), invented: false }
}

fn of(name: &str, as_of: Option<&str>, fill: impl FnOnce(&mut Assessor)) -> Place {
    let mut place = place("14", "Alder Court");
    place.sources = vec![source(name, as_of)];
    fill(&mut place.assessor);
    place
}

fn fact<T>(value: T) -> Option<Fact<T>> {
    Some(Fact { value, source: 0 })
}

fn text(value: &str) -> Option<Fact<String>> {
    fact(value.to_owned())
}

/// What is believed, with the name of the source, and what is not.
fn told<T: Comparable>(place: &Place, fact: &Option<Fact<T>>) -> (String, String) {
    let fact = fact.as_ref().unwrap();
    (fact.value.shown(), place.sources[usize::from(fact.source)].name.clone())
}

fn doubts(place: &Place) -> Vec<(&str, &str, &str)> {
    let name = |c: &Conflict| place.sources[usize::from(c.source)].name.as_str();
    place.conflicts.iter().map(|c| (c.field.as_str(), c.value.as_str(), name(c))).collect()
}

fn pair(value: &str, source: &str) -> (String, String) {
    (value.to_owned(), source.to_owned())
}

#[test]
fn the_newest_source_is_believed_and_the_other_kept_as_a_conflict() {
    for (old, new) in [
        ("2021", "2024"),
        ("2024", "2024-06"),
        ("2024-06", "2024-06-02"),
        ("2023-12-31", "2024"),
        ("spring", "1990"),
        ("2024-13-01", "2023"),
        ("2023-01-01T12:00:00Z", "2023-01-02"),
    ] {
        let old = of("old", Some(old), |a| {
            a.year_built = fact(1950);
            a.storeys = fact(2.0);
        });
        let new = of("new", Some(new), |a| a.year_built = fact(1951));
        for order in [[old.clone(), new.clone()], [new, old]] {
            let place = across(order).unwrap();
            assert_eq!(told(&place, &place.assessor.year_built), pair("1951", "new"));
            assert_eq!(told(&place, &place.assessor.storeys), pair("2", "old"), "only one source knows");
            assert_eq!(doubts(&place), [("year_built", "1950", "old")]);
        }
    }
}

#[test]
fn a_local_source_is_believed_before_a_national_one_whatever_their_dates() {
    let building = |width: f64| crate::index::tests::rectangle(0.0, 0.0, width, 8.0);
    for (county, nation) in [("2019", "2026-11-18"), ("2026-11-18", "2019"), ("2024", "2024"), ("?", "2026-11-18")] {
        let mut local = of("county", Some(county), |a| {
            a.year_built = fact(1950);
            a.living_area_sqft = fact(1_500.0);
            a.primary_owner = text("ROE ADA");
        });
        local.address.street_address = "Alder Ct".to_owned();
        local.buildings = vec![building(10.0)];
        let mut national = of("nation", Some(nation), |a| {
            a.year_built = fact(1960);
            a.living_area_sqft = fact(1_900.0);
            a.primary_owner = text("DOE JOHN");
            a.storeys = fact(2.0);
        });
        national.address.street_address = "Alder Court".to_owned();
        national.buildings = vec![building(12.0)];
        let both = [(local.clone(), Reach::Local), (national.clone(), Reach::National)];
        for order in [both.clone(), [both[1].clone(), both[0].clone()]] {
            let place = super::across(order).unwrap();
            assert_eq!(told(&place, &place.assessor.year_built), pair("1950", "county"));
            assert_eq!(told(&place, &place.assessor.living_area_sqft), pair("1500", "county"));
            assert_eq!(told(&place, &place.assessor.primary_owner), pair("ROE ADA", "county"));
            assert_eq!(told(&place, &place.assessor.storeys), pair("2", "nation"), "only one source knows");
            assert_eq!(place.address.street_address, "Alder Ct", "{county} {nation}");
            let of = |building: &Building| place.sources[usize::from(building.source)].name.clone();
            assert_eq!(place.buildings.iter().map(of).collect::<Vec<_>>(), ["county"]);
            let mut doubts = doubts(&place);
            doubts.sort_unstable();
            let expected = [
                ("living_area_sqft", "1900", "nation"),
                ("primary_owner", "DOE JOHN", "nation"),
                ("year_built", "1960", "nation"),
            ];
            assert_eq!(doubts, expected);
        }
        // A county that has no outline gets the other one's.
        local.buildings.clear();
        let place = super::across([(local, Reach::Local), (national, Reach::National)]).unwrap();
        assert_eq!(place.sources[usize::from(place.buildings[0].source)].name, "nation");
    }
    // Of two national ones the newer, and what is invented comes last.
    let year = |name, as_of, year| (of(name, Some(as_of), |a| a.year_built = fact(year)), Reach::National);
    let place = super::across([year("old", "2025", 1950), year("new", "2026", 1960)]).unwrap();
    assert_eq!(told(&place, &place.assessor.year_built), pair("1960", "new"));
    let mut invented = of("invented", Some("2030"), |a| a.year_built = fact(1900));
    invented.sources[0].invented = true;
    let place = super::across([(invented, Reach::Local), year("nation", "2020", 1950)]).unwrap();
    assert_eq!(told(&place, &place.assessor.year_built), pair("1950", "nation"));
}

#[test]
fn of_equally_old_sources_the_first_given_is_believed_and_a_date_beats_none() {
    let year = |name, as_of, year| of(name, as_of, |a| a.year_built = fact(year));
    for as_of in [None, Some("2024"), Some("?")] {
        let place = across([year("a", as_of, 1950), year("b", as_of, 1960), year("c", as_of, 1970)]).unwrap();
        assert_eq!(told(&place, &place.assessor.year_built), pair("1950", "a"));
        assert_eq!(doubts(&place), [("year_built", "1960", "b"), ("year_built", "1970", "c")]);
    }
    let place = across([year("undated", None, 1950), year("dated", Some("1999"), 1960)]).unwrap();
    assert_eq!(told(&place, &place.assessor.year_built), pair("1960", "dated"));
    let mut invented = year("invented", Some("2030"), 1900);
    invented.sources[0].invented = true;
    let place = across([invented, year("undated", None, 1950)]).unwrap();
    assert_eq!(told(&place, &place.assessor.year_built), pair("1950", "undated"));
}

#[test]
fn what_says_the_same_in_other_words_is_no_conflict() {
    let place = across([
        of("a", Some("2020"), |a| {
            a.primary_owner = text("EXAMPLE FAMILY  TRUST");
            a.living_area_sqft = fact(2_009.0);
            a.garage = fact(Garage { attached: true, area_sqft: Some(400.0), cars: None });
        }),
        of("b", Some("2024"), |a| {
            a.primary_owner = text("Example Family Trust");
            a.living_area_sqft = fact(2_000.0);
            a.garage = fact(Garage { attached: true, area_sqft: Some(401.0), cars: Some(2.0) });
        }),
    ])
    .unwrap();
    assert_eq!(told(&place, &place.assessor.primary_owner), pair("Example Family Trust", "b"));
    assert_eq!(told(&place, &place.assessor.living_area_sqft), pair("2000", "b"));
    assert_eq!(doubts(&place), []);
}

#[test]
fn a_value_that_is_believed_in_the_end_is_not_doubted_as_well() {
    let year = |name, as_of, year| of(name, Some(as_of), |a| a.year_built = fact(year));
    let place = across([year("a", "2020", 1950), year("b", "2022", 1951), year("c", "2024", 1950)]).unwrap();
    assert_eq!(told(&place, &place.assessor.year_built), pair("1950", "c"));
    assert_eq!(doubts(&place), [("year_built", "1951", "b")]);
}

#[test]
fn owners_and_sales_are_not_put_together_from_two_times() {
    let old = of("old", Some("2020"), |a| {
        a.primary_owner = text("Old Owner");
        a.secondary_owner = text("Old Spouse");
        a.sale_date = text("2001-05-06");
        a.sale_price = fact(Usd::from_cents(10_000_000));
        a.mailing_address = text("1 Far Away");
        a.mailed_here = fact(false);
    });
    let new = of("new", Some("2024"), |a| {
        a.primary_owner = text("New Owner");
        a.sale_date = text("2023-05-06");
        a.mailing_address = text("1 FAR AWAY");
    });
    let place = across([old.clone(), new]).unwrap();
    assert_eq!(told(&place, &place.assessor.primary_owner), pair("New Owner", "new"));
    assert_eq!(place.assessor.secondary_owner, None);
    assert_eq!(place.assessor.sale_price, None, "the price of another sale");
    assert_eq!(told(&place, &place.assessor.mailed_here), pair("no", "old"), "of the same address");
    let doubted: Vec<&str> = place.conflicts.iter().map(|c| c.field.as_str()).collect();
    assert_eq!(doubted, ["primary_owner", "secondary_owner", "sale_date", "sale_price"]);

    let agrees = of("new", Some("2024"), |a| a.primary_owner = text("OLD OWNER"));
    let place = across([old, agrees]).unwrap();
    assert_eq!(told(&place, &place.assessor.secondary_owner), pair("Old Spouse", "old"));
    assert_eq!(doubts(&place), []);
}

fn house(wide: f64) -> Building {
    let exterior = [(0.0, 0.0), (wide, 0.0), (wide, 8.0), (0.0, 8.0)].map(|(x, y)| Point { x, y }).to_vec();
    let parts = vec![Polygon { exterior, holes: Vec::new() }];
    let outline = Outline { kind: OutlineKind::Eave, parts, planes: Vec::new(), survey: None, spans_parcels: false };
    Building { outline, use_: None, lot: Vec::new(), source: 0 }
}

#[test]
fn buildings_come_from_the_newest_source_that_has_any() {
    let with = |name, as_of, houses: &[f64]| {
        let mut place = of(name, as_of, |_| {});
        place.buildings = houses.iter().map(|w| house(*w)).collect();
        place.origin = Some(Position { longitude: -70.0, latitude: 43.0 });
        place
    };
    let widths = |place: &Place| -> Vec<f64> {
        place.buildings.iter().map(|b| b.outline.parts[0].exterior[1].x - b.outline.parts[0].exterior[0].x).collect()
    };
    let place = across([
        with("2018", Some("2018"), &[10.0, 4.0]),
        with("2022", Some("2022"), &[10.2]),
        with("2024", Some("2024"), &[]),
    ])
    .unwrap();
    assert_eq!(widths(&place), [10.2]);
    assert_eq!(place.sources[usize::from(place.buildings[0].source)].name, "2022");
    let mut rows = PlaceMerger::rows(with("set", Some("2024"), &[10.0]));
    rows.add(with("set", Some("2024"), &[4.0, 10.0]));
    assert_eq!(widths(&rows.finish()), [10.0, 4.0], "rows of one data set add up");
    let mut rows = PlaceMerger::rows(with("set", Some("2020"), &[10.0, 3.0]));
    rows.add(with("set", Some("2024"), &[10.1]));
    rows.add(with("set", Some("2021"), &[7.0]));
    assert_eq!(widths(&rows.finish()), [10.1], "unless one is newer");
}

fn merged(rows: impl IntoIterator<Item = Place>) -> Place {
    let mut rows = rows.into_iter();
    let mut merger = PlaceMerger::rows(rows.next().unwrap());
    rows.for_each(|row| merger.add(row));
    merger.finish()
}

fn on_parcel(parcel: &str, owner: &str, year: Option<u16>, sold: Option<&str>) -> Place {
    let mut place = of("roll", Some("2024"), |a| {
        a.primary_owner = text(owner);
        a.year_built = year.and_then(fact);
        a.sale_date = sold.and_then(text);
        a.sale_price = sold.and(fact(Usd::from_cents(31_250_000)));
    });
    place.parcel = Some(parcel.into());
    place
}

#[test]
fn parcels_with_one_address_do_not_melt_into_each_other() {
    let land = on_parcel("1", "LAND LLC", None, Some("2023-05-01"));
    let house = on_parcel("2", "EXAMPLE ANN", Some(1950), Some("2001-05-01"));
    let other = on_parcel("3", "EXAMPLE BEN", Some(1990), Some("2010-05-01"));
    let rows = [land, house, other];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let place = merged(order.map(|at| rows[at].clone()));
        let a = &place.assessor;
        assert_eq!(place.parcel.as_deref(), Some("3"), "a building before land, then the one sold last");
        assert_eq!(told(&place, &a.primary_owner).0, "EXAMPLE BEN");
        assert_eq!((told(&place, &a.year_built).0, told(&place, &a.sale_date).0), ("1990".into(), "2010-05-01".into()));
        let mut doubted = doubts(&place);
        doubted.sort_unstable();
        assert_eq!(doubted, [("parcel", "1", "roll"), ("parcel", "2", "roll")]);
    }
    // What one parcel does not know is not taken from the other.
    let place = merged([on_parcel("1", "EXAMPLE ANN", None, None), on_parcel("2", "EXAMPLE BEN", Some(1990), None)]);
    assert_eq!(told(&place, &place.assessor.primary_owner).0, "EXAMPLE BEN");
    let place =
        merged([on_parcel("1", "EXAMPLE ANN", Some(1950), None), on_parcel("2", "B", None, Some("2020-01-01"))]);
    assert!(place.assessor.sale_date.is_none() && place.assessor.sale_price.is_none());
}

#[test]
fn parcels_without_a_number_do_not_melt_into_each_other_either() {
    let unnumbered = |owner: &str, year: Option<u16>, sold: Option<&str>| {
        let mut place = on_parcel("", owner, year, sold);
        place.parcel = None;
        place
    };
    let land = unnumbered("LAND LLC", None, None);
    let mut house = unnumbered("EXAMPLE ANN", Some(1950), None);
    house.assessor.living_area_sqft = fact(1_400.0);
    let newer = unnumbered("EXAMPLE BEN", Some(1990), Some("2010-05-01"));
    let rows = [land, house, newer];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]] {
        let place = merged(order.map(|at| rows[at].clone()));
        let a = &place.assessor;
        assert_eq!(told(&place, &a.primary_owner).0, "EXAMPLE BEN", "a building before land, then the one sold last");
        assert_eq!(told(&place, &a.year_built).0, "1990");
        assert_eq!(a.living_area_sqft, None, "the other house's");
        let mut doubted = doubts(&place);
        doubted.sort_unstable();
        let other = [
            ("primary_owner", "EXAMPLE ANN", "roll"),
            ("primary_owner", "LAND LLC", "roll"),
            ("year_built", "1950", "roll"),
        ];
        assert_eq!(doubted, other, "{order:?}");
    }
    // A row that contradicts nothing says more of the same parcel; one with a number is told apart by what it says.
    let mut roof = unnumbered("EXAMPLE ANN", None, None);
    roof.assessor.roof_type = fact(RoofType::Gable);
    let place = merged([rows[1].clone(), roof]);
    assert!(place.assessor.roof_type.is_some() && place.conflicts.is_empty(), "{:?}", place.conflicts);
    for order in [[0, 1], [1, 0]] {
        let both = [on_parcel("7", "EXAMPLE CAL", Some(1930), None), rows[2].clone()];
        let place = merged(order.map(|at| both[at].clone()));
        assert_eq!((place.parcel, told_owner(&place.assessor)), (None, Some("EXAMPLE BEN")));
    }
    // One owner after the other, of one house.
    let sales = [
        unnumbered("EXAMPLE ANN", Some(1950), Some("1998-01-02")),
        unnumbered("EXAMPLE BEN", Some(1950), Some("2019-07-30")),
        unnumbered("EXAMPLE CAL", None, Some("2008-03-04")),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
        let place = merged(order.map(|at| sales[at].clone()));
        assert_eq!(told_owner(&place.assessor), Some("EXAMPLE BEN"), "{order:?}");
        assert_eq!(told(&place, &place.assessor.sale_date).0, "2019-07-30");
        assert_eq!(told(&place, &place.assessor.year_built).0, "1950");
    }
}

fn told_owner(assessor: &Assessor) -> Option<&str> {
    assessor.primary_owner.as_ref().map(|owner| owner.value.as_str())
}

#[test]
fn of_a_placeholder_address_the_built_parcel_that_was_sold_last_is_still_the_answer() {
    let row = |n: u16| {
        let mut place = on_parcel("", &format!("EXAMPLE {n}"), None, None);
        place.parcel = None;
        place
    };
    let mut built = row(999);
    built.assessor.year_built = fact(1990);
    let place = merged((0..500).map(row).chain([built]).chain((500..900).map(row)));
    assert_eq!(told_owner(&place.assessor), Some("EXAMPLE 999"));
    assert!(place.conflicts.len() <= MAX_CONFLICTS);
}

#[test]
fn of_several_sales_of_a_parcel_the_last_is_believed_in_any_order() {
    let sales = [
        on_parcel("12-3", "EXAMPLE ANN", Some(1950), Some("1998-01-02")),
        on_parcel("12-3", "EXAMPLE BEN", Some(1950), Some("2019-07-30")),
        on_parcel("123", "EXAMPLE CAL", Some(1950), Some("2008-03-04")),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
        let place = merged(order.map(|at| sales[at].clone()));
        assert_eq!(told(&place, &place.assessor.primary_owner).0, "EXAMPLE BEN", "{order:?}");
        assert_eq!(told(&place, &place.assessor.sale_date).0, "2019-07-30");
    }
}

#[test]
fn permits_are_united_and_sources_listed_once() {
    let permit = |kind, issued: &str, contractor: Option<&str>| Permit {
        kind,
        issued: issued.into(),
        contractor: contractor.map(str::to_owned),
        source: 0,
    };
    let mut a = of("a", Some("2024"), |_| {});
    a.permits = vec![permit(PermitKind::Roof, "2019-04-01", None), permit(PermitKind::Solar, "2020-04-01", None)];
    let mut b = of("b", Some("2023"), |_| {});
    b.permits = vec![
        permit(PermitKind::Roof, "2019-04-01", Some("Example Roofing")),
        permit(PermitKind::Roof, "2021-04-01", None),
    ];
    let place = across([a.clone(), b, a]).unwrap();
    let told: Vec<_> = place.permits.iter().map(|p| (p.issued.as_str(), p.contractor.as_deref(), p.source)).collect();
    assert_eq!(told, [("2021-04-01", None, 1), ("2020-04-01", None, 0), ("2019-04-01", Some("Example Roofing"), 1)]);
    assert_eq!(place.sources.len(), 2);
}

#[test]
fn the_address_with_a_zip_is_shown_and_a_placeholder_does_not_fill_the_record_with_doubts() {
    let mut without = of("new", Some("2024"), |_| {});
    without.address.zip = shingle_domain::Zip::parse("00000").unwrap();
    without.parcel = Some("12 034".into());
    let mut with = of("old", Some("2020"), |_| {});
    with.parcel = Some("12-034".into());
    let place = across([without, with]).unwrap();
    assert_eq!(place.address.zip.as_str(), "04103");
    assert_eq!(doubts(&place), []);

    let mut rows = PlaceMerger::rows(of("set", None, |a| a.primary_owner = text("0")));
    (1..1_000).for_each(|n| rows.add(of("set", None, |a| a.primary_owner = text(&n.to_string()))));
    assert_eq!(rows.finish().conflicts.len(), MAX_CONFLICTS);
}

proptest! {
    /// With different dates the order in which data sets were imported does not matter.
    #[test]
    fn the_order_of_dated_sources_does_not_matter(years in proptest::collection::vec(proptest::option::of(1900u16..1905), 1..5), turn in 0usize..5) {
        let places: Vec<Place> = years.iter().enumerate().map(|(at, year)| {
            let as_of = (2000 + at).to_string();
            of(&as_of, Some(&as_of), |a| a.year_built = year.map(|value| Fact { value, source: 0 }))
        }).collect();
        let newest = years.iter().rev().find_map(|y| *y);
        let mut turned = places.clone();
        turned.rotate_left(turn % places.len());
        for order in [places, turned] {
            let place = across(order).unwrap();
            prop_assert_eq!(place.assessor.year_built.as_ref().map(|f| f.value), newest);
            let mut doubted: Vec<String> = place.conflicts.iter().map(|c| c.value.clone()).collect();
            doubted.sort();
            let mut others: Vec<String> = years.iter().flatten().filter(|y| Some(**y) != newest).map(u16::to_string).collect();
            others.sort();
            others.dedup();
            prop_assert_eq!(doubted, others);
        }
    }
}
