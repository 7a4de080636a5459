use super::*;

#[test]
fn suggestions_are_asked_for_once_typing_pauses() {
    let mut state = flow();
    let (ms, first) = timer(&state.apply(Event::Typed("14 a".into())));
    let (_, second) = timer(&state.apply(Event::Typed("14 al ".into())));
    assert_eq!(ms, 150);
    assert_eq!(state.apply(first), [], "an overtaken pause asks nothing");
    assert!(matches!(&state.apply(second)[..], [Effect::Suggest(_, text)] if text == "14 al"));
}

#[test]
fn fewer_than_three_letters_suggest_nothing() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    assert_eq!(state.apply(Event::Typed("14".into())), []);
    assert!(!state.list.open && state.list.rows.is_empty());
}

#[test]
fn a_late_suggestion_does_not_replace_a_newer_one() {
    let mut state = flow();
    let (_, due) = timer(&state.apply(Event::Typed("14 alder".into())));
    let old = number(&state.apply(due));
    suggested(&mut state, "15 birch", &["15 Birch Lane"]);
    state.apply(Event::Suggested(old, Ok(SuggestResponse { suggestions: vec![suggestion("14 Alder Court")] })));
    assert_eq!(state.list.rows[0].street, "15 Birch Lane");
}

#[test]
fn a_suggestion_that_arrives_after_a_choice_does_not_open_the_list_again() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    let (_, due) = timer(&state.apply(Event::Typed("14 alder c".into())));
    let n = number(&state.apply(due));
    state.apply(Event::Choose(0));
    state.apply(Event::Suggested(n, Ok(SuggestResponse { suggestions: vec![] })));
    assert!(!state.list.open);
    assert_eq!(state.query, "14 Alder Court, Portland, ME 04103");
}

#[test]
fn the_number_of_matches_is_said_once_it_settles() {
    let mut state = flow();
    let (_, due) = timer(&state.apply(Event::Typed("14 alder".into())));
    let n = number(&state.apply(due));
    let rows = vec![suggestion("14 Alder Court"), suggestion("14 Alder Cove")];
    let (ms, say) = timer(&state.apply(Event::Suggested(n, Ok(SuggestResponse { suggestions: rows }))));
    assert_eq!((ms, said(&state).as_str()), (500, ""));
    state.apply(say);
    assert_eq!(said(&state), "2 addresses match. Use the arrow keys to choose.");
}

#[test]
fn arrows_go_round_the_rows_and_the_form_in_parts() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court", "14 Alder Cove"]);
    let mut seen = Vec::new();
    for by in [1, 1, 1, 1, -1, -1] {
        state.apply(Event::Move(by));
        seen.push(state.list.active.unwrap());
    }
    assert_eq!(seen, [0, 1, 2, 0, 2, 1]);
}

#[test]
fn enter_takes_the_active_row_and_enter_again_measures() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Move(1));
    state.apply(Event::Measure);
    assert_eq!(state.chosen.as_ref().unwrap().street, "14 Alder Court");
    assert!(state.can_measure());
    let effects = state.apply(Event::Measure);
    assert!(effects.contains(&Effect::LookUp(number(&effects), AddressChoice::Key("key of 14 Alder Court".into()))));
}

#[test]
fn measuring_without_a_choice_says_what_is_missing() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::CloseList);
    assert!(!state.can_measure());
    assert_eq!(state.apply(Event::Measure), [Effect::Focus(Focus::Address)]);
    assert!(state.list.open);
    assert_eq!(said(&state), "Choose your address from the list first.");
}

#[test]
fn a_line_that_matches_nothing_can_be_sent_as_it_stands() {
    let mut state = flow();
    suggested(&mut state, " 99 Nowhere Rd ", &[]);
    let effects = state.apply(Event::Measure);
    assert!(effects.contains(&Effect::LookUp(number(&effects), AddressChoice::Line("99 Nowhere Rd".into()))));
}

#[test]
fn when_suggestions_fail_the_typed_line_and_the_parts_still_lead_on() {
    let mut state = flow();
    let (_, due) = timer(&state.apply(Event::Typed("14 alder".into())));
    let n = number(&state.apply(due));
    state.apply(Event::Suggested(n, Err(RequestError::Offline)));
    assert!(state.list.open && state.list.failed && state.can_measure());
    state.apply(Event::SayCount(n));
    state.apply(Event::Typed("14 alder c".into()));
    assert!(!state.list.failed);
    state.apply(Event::Choose(0));
    assert_eq!(state.screen(), Screen::AddressForm);
}

#[test]
fn typing_on_after_a_choice_takes_the_choice_back() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    state.apply(Event::Typed("14 Alder Court, Port".into()));
    assert!(state.chosen.is_none() && !state.can_measure());
}

#[test]
fn clearing_empties_the_field_and_stays_in_it() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    assert_eq!(state.apply(Event::Clear), [Effect::Focus(Focus::Address)]);
    assert_eq!((state.query.as_str(), state.list.open), ("", false));
}

#[test]
fn the_parts_say_what_is_missing_in_order() {
    let mut state = flow();
    state.apply(Event::OpenAddressForm);
    assert_eq!(state.apply(Event::MeasureAddressForm), [Effect::Focus(Focus::AddressPart(AddressPart::Street))]);
    assert_eq!(complaint(state.address_form.problem(AddressPart::Zip)), "Enter the ZIP code in five digits.");
    state.apply(Event::AddressPart(AddressPart::Zip, "04103".into()));
    assert_eq!(complaint(state.address_form.problem(AddressPart::Zip)), "", "mended while typing");
}

#[test]
fn the_parts_are_looked_up_as_parts() {
    let mut state = flow();
    state.apply(Event::OpenAddressForm);
    for (part, text) in [
        (AddressPart::Number, " 14 "),
        (AddressPart::Street, "Alder Court"),
        (AddressPart::City, "Portland"),
        (AddressPart::State, "me"),
        (AddressPart::Zip, "04103"),
    ] {
        state.apply(Event::AddressPart(part, text.into()));
    }
    let effects = state.apply(Event::MeasureAddressForm);
    let parts = AddressChoice::Parts {
        street_number: "14".into(),
        street_address: "Alder Court".into(),
        city: "Portland".into(),
        state: "ME".into(),
        zip: "04103".into(),
    };
    assert!(effects.contains(&Effect::LookUp(number(&effects), parts)));
    assert_eq!(state.address.unwrap().line(), "14 Alder Court, Portland, ME 04103");
}

#[test]
fn only_a_slow_look_up_shows_its_own_screen() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    let effects = state.apply(Event::Measure);
    assert!(state.is_looking());
    assert_eq!(state.screen(), Screen::Address);
    let (ms, slow) = timer(&effects);
    assert_eq!(ms, 400);
    let (ms, second) = timer(&state.apply(slow));
    assert_eq!((state.screen(), ms), (Screen::Measuring, 1_000));
    state.apply(second);
    assert_eq!(state.elapsed, 1);
}

#[test]
fn an_answer_to_a_stopped_look_up_is_ignored() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    let effects = state.apply(Event::Measure);
    let (n, (_, slow)) = (number(&effects), timer(&effects));
    state.apply(slow.clone());
    assert!(state.apply(Event::Stop).contains(&Effect::StopLookUp));
    assert_eq!(state.screen(), Screen::Address);
    assert_eq!(state.apply(Event::LookedUp(n, Ok(RoofAnswer::Roof(found(vec![building("House", 1)]))))), []);
    assert_eq!(state.apply(slow), []);
    assert_eq!(state.screen(), Screen::Address);
    assert!(state.chosen.is_some(), "the address is still there");
}

#[test]
fn a_second_press_does_not_ask_twice() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    state.apply(Event::Measure);
    assert_eq!(state.apply(Event::Measure), []);
}

#[test]
fn an_unknown_address_offers_close_ones_and_a_person() {
    let mut state = flow();
    suggested(&mut state, "41 Alder Crt", &[]);
    let n = number(&state.apply(Event::Measure));
    let answer = RoofAnswer::NotFound { typed: "41 Alder Crt".into(), close: vec![suggestion("14 Alder Court")] };
    state.apply(Event::LookedUp(n, Ok(answer)));
    assert_eq!(state.screen(), Screen::NotFound);

    let mut other = state.clone();
    let effects = other.apply(Event::CloseMatch(0));
    assert!(effects.contains(&Effect::LookUp(number(&effects), AddressChoice::Key("key of 14 Alder Court".into()))));

    state.apply(Event::AskVisit);
    assert_eq!(state.screen(), Screen::Visit);
    fill_in(&mut state);
    let effects = submit(&mut state, "k1");
    let sent = state.pending.clone().unwrap().lead.unwrap();
    assert_eq!(sent.address, AddressChoice::Line("41 Alder Crt".into()));
    state.apply(Event::Sent(number(&effects), Ok(Box::new(receipt(false)))));
    assert_eq!(state.screen(), Screen::Thanks);
}

#[test]
fn an_address_without_a_roof_still_makes_a_lead() {
    let mut state = flow();
    suggested(&mut state, "7 fox", &["7 Fox Way"]);
    state.apply(Event::Choose(0));
    let n = number(&state.apply(Event::Measure));
    let answer = RoofAnswer::NoRoof {
        key: Some("fox".into()),
        street: "7 Fox Way".into(),
        city: "X, ME 04001".into(),
        why: Part::default(),
        pane: Part::default(),
    };
    state.apply(Event::LookedUp(n, Ok(answer)));
    assert_eq!((state.screen(), state.screen().step()), (Screen::Visit, Some(2)));
    assert_eq!(state.address.unwrap().choice, AddressChoice::Key("fox".into()));
}

#[test]
fn a_roof_look_up_that_does_not_get_through_is_tried_again() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    let n = number(&state.apply(Event::Measure));
    let effects = state.apply(Event::LookedUp(n, Err(RequestError::Busy)));
    assert_eq!((state.screen(), emitted(&effects)), (Screen::Unreached, vec!["error", "view"]));
    let wait = state.retry.as_ref().unwrap().wait.unwrap();
    let (_, mut second) = timer(&effects);
    for _ in 1..wait {
        (_, second) = timer(&state.apply(second));
    }
    let again = number(&state.apply(second));
    assert_eq!(state.retry.as_ref().unwrap().wait, None, "under way");
    state.apply(Event::LookedUp(again, Ok(RoofAnswer::Roof(found(vec![building("House", 2480)])))));
    assert_eq!((state.screen(), state.retry.is_none()), (Screen::Roof, true));
}

#[test]
fn an_address_the_server_does_not_take_is_shown_as_such_until_it_is_changed() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    let n = number(&state.apply(Event::Measure));
    state.apply(Event::LookedUp(n, Err(RequestError::Invalid)));
    assert_eq!((state.screen(), state.rejected), (Screen::Address, true));
    state.apply(Event::Typed("15".into()));
    assert!(!state.rejected);
}

#[test]
fn buildings_are_added_and_left_out_but_for_the_last() {
    let mut state = at_roof(vec![building("House", 2480), building("Garage", 607)]);
    let picked = |state: &State| state.picked().map(|(at, _)| at).collect::<Vec<_>>();
    assert_eq!(picked(&state), [0]);
    state.apply(Event::PickBuilding(1));
    assert_eq!(picked(&state), [0, 1]);
    for nothing in [2, 31, 32, usize::MAX] {
        state.apply(Event::PickBuilding(nothing));
        assert_eq!(picked(&state), [0, 1], "there is no third");
    }
    state.apply(Event::PickBuilding(0));
    state.apply(Event::PickBuilding(1));
    assert_eq!(picked(&state), [1], "one stays");
    state.apply(Event::RoofYes);
    fill_in(&mut state);
    submit(&mut state, "k1");
    assert_eq!(state.pending.unwrap().lead.unwrap().picked, 0b10);
}

#[test]
fn a_shed_alone_gets_no_price_but_a_visit() {
    let shed = BuildingRow { why: part("a shed"), ..building("Shed", 126) };
    let mut state = at_roof(vec![building("House", 2480), shed]);
    state.apply(Event::PickBuilding(1));
    state.apply(Event::RoofYes);
    assert_eq!(state.screen(), Screen::Details, "beside the house it counts");
    state.apply(Event::Back);
    state.apply(Event::PickBuilding(0));
    state.apply(Event::RoofYes);
    assert_eq!((state.screen(), &state.why), (Screen::Visit, &part("a shed")));
    state.apply(Event::Back);
    state.apply(Event::PickBuilding(0));
    state.apply(Event::RoofYes);
    assert_eq!((state.screen(), &state.why), (Screen::Details, &Part::default()));
}

#[test]
fn in_another_language_the_roof_is_asked_for_again_and_the_choice_stays() {
    let mut state = at_roof(vec![building("House", 2480), building("Garage", 607)]);
    state.apply(Event::PickBuilding(1));
    let effects = state.apply(Event::LanguageChanged);
    assert!(effects.contains(&Effect::Reread(AddressChoice::Key("place-14".into()))));
    let spanish = RoofStep {
        heading: "¿Es este su techo?".into(),
        ..found(vec![building("Casa", 2480), building("Garaje", 607)])
    };
    state.apply(Event::Reread(RoofAnswer::Roof(spanish.clone())));
    assert_eq!((state.roof.as_ref(), state.picked().count()), (Some(&spanish), 2));
    let other = RoofStep { key: "elsewhere".into(), ..spanish.clone() };
    state.apply(Event::Reread(RoofAnswer::Roof(other)));
    assert_eq!(state.roof, Some(spanish), "the visitor has gone on to another home meanwhile");
}

#[test]
fn another_roof_starts_from_the_address_as_it_was_typed() {
    let mut state = at_roof(vec![building("House", 2480)]);
    state.apply(Event::EditAddress);
    assert_eq!((state.screen(), state.query.as_str()), (Screen::Address, "14 Alder Court, Portland, ME 04103"));
}

#[test]
fn a_refused_session_pauses_the_flow_and_a_lost_one_does_not() {
    let mut state = flow();
    state.apply(Event::Session(Err(RequestError::Offline)));
    assert_eq!(state.screen(), Screen::Address);
    state.apply(Event::Session(Err(RequestError::Refused)));
    assert_eq!((state.screen(), state.can_go_back()), (Screen::Paused, false));
}

#[test]
fn the_parts_start_from_what_was_typed_in_the_line() {
    let lines = [
        ("14 Alder Court, Portland, ME 04103", ["14", "Alder Court", "Portland", "ME", "04103"]),
        ("14 alder ct, South Portland me", ["14", "alder ct", "South Portland", "me", ""]),
        ("Alder Court", ["", "Alder Court", "", "", ""]),
        ("", ["", "", "", "", ""]),
    ];
    for (line, parts) in lines {
        let mut state = flow();
        state.apply(Event::Typed(line.into()));
        state.apply(Event::OpenAddressForm);
        assert_eq!(AddressPart::ALL.map(|part| state.address_form.value(part)), parts, "{line}");
    }
}

#[test]
fn parts_that_were_typed_are_not_overwritten_by_the_line() {
    let mut state = flow();
    state.apply(Event::Typed("14 Alder Court".into()));
    state.apply(Event::AddressPart(AddressPart::Number, "16".into()));
    state.apply(Event::OpenAddressForm);
    assert_eq!(state.address_form.value(AddressPart::Number), "16");
}
