use super::*;

/// The roof of a home that has others near it.
fn roof_of(street: &str, others: &[&str]) -> RoofStep {
    let homes = [street].iter().chain(others).map(|street| suggestion(street)).collect();
    let key = format!("key of {street}");
    RoofStep { key, street: street.into(), homes, ..found(vec![building("House", 2480)]) }
}

fn answer(state: &mut State, n: u32, street: &str, others: &[&str]) -> Vec<Effect> {
    state.apply(Event::LookedUp(n, Ok(RoofAnswer::Roof(roof_of(street, others)))))
}

fn at_roof_with(others: &[&str]) -> State {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    let n = number(&state.apply(Event::Measure));
    answer(&mut state, n, "14 Alder Court", others);
    state
}

fn at_choice() -> State {
    let mut state = at_roof_with(&["12 Alder Court", "16 Alder Court"]);
    state.apply(Event::RoofNo);
    assert_eq!((state.screen(), state.screen().step(), state.home), (Screen::Choose, Some(1), 0));
    state
}

fn history(effects: &[Effect]) -> Vec<usize> {
    let depths = effects.iter().filter_map(|effect| match effect {
        Effect::History(depth) => Some(*depth),
        _ => None,
    });
    depths.collect()
}

#[test]
fn another_home_is_looked_up_by_its_key_and_takes_the_place_of_the_first() {
    let mut state = at_choice();
    state.apply(Event::Home(2));
    let effects = state.apply(Event::MeasureHome);
    let n = number(&effects);
    assert!(effects.contains(&Effect::LookUp(n, AddressChoice::Key("key of 16 Alder Court".into()))));
    assert_eq!(state.apply(Event::MeasureHome), [], "once is enough");
    let effects = answer(&mut state, n, "16 Alder Court", &["14 Alder Court"]);
    assert_eq!((state.screen(), history(&effects)), (Screen::Roof, vec![1]));
    assert_eq!(state.address.as_ref().map(|a| a.street.as_str()), Some("16 Alder Court"));
    state.apply(Event::Back);
    assert_eq!((state.screen(), state.query.as_str()), (Screen::Address, "16 Alder Court, Portland, ME 04103"));
}

#[test]
fn the_home_that_was_found_needs_no_further_look_up() {
    let mut state = at_choice();
    state.apply(Event::Home(1));
    state.apply(Event::Home(0));
    state.apply(Event::Home(7));
    let effects = state.apply(Event::MeasureHome);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::LookUp(..))));
    assert_eq!(state.screen(), Screen::Roof);
}

#[test]
fn ten_times_not_my_roof_grows_nothing() {
    let mut state = at_roof_with(&["16 Alder Court"]);
    let (mut here, mut there) = ("14 Alder Court", "16 Alder Court");
    for _ in 0..10 {
        assert_eq!(history(&state.apply(Event::RoofNo)), [2]);
        state.apply(Event::Home(1));
        let n = number(&state.apply(Event::MeasureHome));
        (here, there) = (there, here);
        assert_eq!(history(&answer(&mut state, n, here, &[there])), [1]);
        assert_eq!((state.trail.len(), state.ahead.len(), state.home), (2, 0, 1));
    }
    state.apply(Event::Back);
    assert_eq!((state.screen(), state.can_go_back()), (Screen::Address, false));
}

#[test]
fn the_next_choice_starts_with_the_home_that_was_found() {
    let mut state = at_choice();
    state.apply(Event::Home(2));
    state.apply(Event::Back);
    state.apply(Event::RoofNo);
    assert_eq!(state.home, 0);
}

#[test]
fn back_and_forward_pass_through_the_choice() {
    let mut state = at_choice();
    state.apply(Event::Home(1));
    state.apply(Event::Popped(1));
    assert_eq!(state.screen(), Screen::Roof);
    state.apply(Event::Popped(2));
    assert_eq!((state.screen(), state.home), (Screen::Choose, 1));
    state.apply(Event::NoHome);
    assert_eq!((state.screen(), state.screen().step()), (Screen::NotMine, Some(1)));
    state.apply(Event::Back);
    assert_eq!(state.screen(), Screen::Choose);
}

#[test]
fn a_look_up_that_is_stopped_or_fails_leaves_the_roof_its_own_address() {
    let street = |state: &State| state.address.as_ref().map(|a| a.street.clone());
    for how in [Event::Stop, Event::Back, Event::Popped(1)] {
        let mut state = at_choice();
        state.apply(Event::Home(1));
        let n = number(&state.apply(Event::MeasureHome));
        state.apply(Event::Slow(n));
        assert_eq!((state.screen(), street(&state)), (Screen::Measuring, Some("12 Alder Court".into())));
        state.apply(how);
        assert_eq!(street(&state), Some("14 Alder Court".into()));
    }
    let mut state = at_choice();
    state.apply(Event::Home(1));
    let n = number(&state.apply(Event::MeasureHome));
    state.apply(Event::LookedUp(n, Err(RequestError::Offline)));
    assert_eq!(state.screen(), Screen::Unreached);
    state.apply(Event::Stop);
    assert_eq!((state.screen(), street(&state)), (Screen::Choose, Some("14 Alder Court".into())));
    let n = number(&state.apply(Event::MeasureHome));
    state.apply(Event::LookedUp(n, Err(RequestError::Invalid)));
    assert_eq!((state.screen(), street(&state)), (Screen::Choose, Some("14 Alder Court".into())));
}

#[test]
fn a_person_is_asked_about_the_home_that_could_not_be_reached() {
    let mut state = at_choice();
    state.apply(Event::Home(1));
    let n = number(&state.apply(Event::MeasureHome));
    state.apply(Event::LookedUp(n, Err(RequestError::Offline)));
    state.apply(Event::AskVisit);
    assert_eq!(state.screen(), Screen::Visit);
    assert_eq!(state.address.as_ref().map(|a| a.street.as_str()), Some("12 Alder Court"));
    state.apply(Event::Back);
    assert_eq!(state.screen(), Screen::Address, "its roof is gone, and so are the steps that show one");
}

#[test]
fn a_home_without_a_price_or_one_that_is_gone_leaves_no_step_without_a_roof() {
    let no_roof = RoofAnswer::NoRoof {
        key: Some("key of 12 Alder Court".into()),
        street: "12 Alder Court".into(),
        city: "Portland, ME 04103".into(),
        why: part("why"),
        pane: part("pane"),
    };
    let not_found = RoofAnswer::NotFound { typed: String::new(), close: Vec::new() };
    for (answer, screen) in [(no_roof, Screen::Visit), (not_found, Screen::NotFound)] {
        let mut state = at_choice();
        state.apply(Event::Home(1));
        let n = number(&state.apply(Event::MeasureHome));
        state.apply(Event::LookedUp(n, Ok(answer)));
        assert_eq!(state.screen(), screen);
        state.apply(Event::Back);
        assert_eq!(state.screen(), Screen::Address);
    }
}

#[test]
fn without_neighbors_it_is_found_together_at_once() {
    let mut state = at_roof_with(&[]);
    // The server sends no list of one.
    state.roof = state.roof.map(|roof| RoofStep { homes: Vec::new(), ..roof });
    state.apply(Event::RoofNo);
    assert_eq!(state.screen(), Screen::NotMine);
    state.apply(Event::EditAddress);
    assert_eq!(state.screen(), Screen::Address);
}

#[test]
fn a_visit_for_a_roof_that_is_not_theirs_names_no_building_of_it() {
    let mut state = at_choice();
    state.apply(Event::NoHome);
    state.apply(Event::AskVisit);
    assert_eq!((state.screen(), state.aside()), (Screen::Visit, None), "nobody's roof is drawn");
    fill_in(&mut state);
    let effects = submit(&mut state, "k1");
    let sent = effects.iter().find_map(|effect| match effect {
        Effect::Send(_, pending) => pending.lead.clone(),
        _ => None,
    });
    let sent = sent.expect("a lead");
    assert_eq!((sent.picked, sent.address), (NOT_MINE, AddressChoice::Key("key of 14 Alder Court".into())));
    // Back to the roof, it is theirs after all.
    let mut state = at_choice();
    state.apply(Event::NoHome);
    state.apply(Event::AskVisit);
    state.apply(Event::Popped(1));
    state.apply(Event::RoofYes);
    assert_eq!((state.screen(), state.asked_buildings()), (Screen::Details, 1));
    assert!(state.aside().is_some());
}

#[test]
fn what_was_picked_of_one_roof_is_not_asked_of_the_next() {
    let mut state = at_roof(vec![building("House", 2480), building("Barn", 900)]);
    state.apply(Event::PickBuilding(1));
    state.apply(Event::PickBuilding(0));
    state.apply(Event::Back);
    let n = number(&state.apply(Event::Measure));
    let (street, city) = ("3 Elm Street".to_owned(), "Portland, ME 04103".to_owned());
    let (why, pane) = (part("why"), part("pane"));
    state.apply(Event::LookedUp(n, Ok(RoofAnswer::NoRoof { key: None, street, city, why, pane })));
    assert_eq!((state.screen(), state.asked_buildings()), (Screen::Visit, 0));
}

#[test]
fn a_restored_tab_goes_on_where_it_was() {
    let restored = |state: &State| {
        let mut fresh = State::new(7);
        fresh.resume(state.draft().expect("a draft"), None);
        let n = number(&fresh.apply(Event::Opened));
        answer(&mut fresh, n, "14 Alder Court", &["12 Alder Court", "16 Alder Court"]);
        fresh
    };
    let mut state = at_choice();
    assert_eq!(restored(&state).screen(), Screen::Choose);
    state.apply(Event::NoHome);
    assert_eq!(restored(&state).screen(), Screen::Choose);
    state.apply(Event::AskVisit);
    let again = restored(&state);
    assert_eq!((again.screen(), again.asked_buildings()), (Screen::Visit, NOT_MINE));
}

#[test]
fn in_another_language_the_choice_stays() {
    let mut state = at_choice();
    state.apply(Event::Home(2));
    state.apply(Event::LanguageChanged);
    let spanish = roof_of("14 Alder Court", &["12 Alder Court", "16 Alder Court"]);
    state.apply(Event::Reread(RoofAnswer::Roof(spanish)));
    assert_eq!((state.screen(), state.home), (Screen::Choose, 2));
}
