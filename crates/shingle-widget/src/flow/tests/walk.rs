use super::*;

#[test]
fn opening_puts_the_focus_into_the_address_field() {
    let mut state = State::new(7);
    let effects = state.apply(Event::Opened);
    assert!(effects.contains(&Effect::Focus(Focus::Address)));
    assert_eq!(emitted(&effects), ["open", "view"]);
}

#[test]
fn every_step_is_one_entry_of_the_browsers_history() {
    let mut state = at_estimate();
    let effects = state.apply(Event::Book);
    assert!(effects.contains(&Effect::History(4)), "roof, details, estimate, booking");
    assert!(effects.contains(&Effect::Focus(Focus::Title)));
}

#[test]
fn back_keeps_all_that_was_typed() {
    let mut state = at_details();
    state.apply(Event::Back);
    assert_eq!(state.screen(), Screen::Roof);
    state.apply(Event::Back);
    assert_eq!((state.screen(), state.can_go_back()), (Screen::Address, false));
    assert_eq!(state.apply(Event::Back), []);
    assert_eq!(state.query, "14 Alder Court, Portland, ME 04103");
    assert_eq!(state.contact.email, "dana@example.com");
    assert!(state.can_measure());
}

#[test]
fn the_browsers_back_and_forward_walk_the_steps() {
    let mut state = at_estimate();
    let effects = state.apply(Event::Popped(1));
    assert_eq!(state.screen(), Screen::Roof);
    assert!(effects.contains(&Effect::History(1)));
    state.apply(Event::Popped(3));
    assert_eq!(state.screen(), Screen::Estimate);
    state.apply(Event::Popped(2));
    state.apply(Event::EditAddress);
    state.apply(Event::Popped(2));
    assert_eq!(state.screen(), Screen::Address, "what lay ahead is gone after another turn");
}

#[test]
fn going_back_gives_up_the_look_up_that_runs() {
    let mut state = flow();
    suggested(&mut state, "41 Alder", &[]);
    let n = number(&state.apply(Event::Measure));
    let close = vec![suggestion("14 Alder Court")];
    state.apply(Event::LookedUp(n, Ok(RoofAnswer::NotFound { typed: "41 Alder".into(), close })));
    let n = number(&state.apply(Event::CloseMatch(0)));
    assert!(state.apply(Event::Back).contains(&Effect::StopLookUp));
    assert_eq!(state.apply(Event::LookedUp(n, Ok(RoofAnswer::Roof(found(vec![building("House", 1)]))))), []);
    assert_eq!(state.screen(), Screen::Address);
}

#[test]
fn back_waits_while_the_lead_is_on_its_way_and_the_answer_does_not_drag_forward() {
    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    assert_eq!(state.apply(Event::Back), []);
    state.apply(Event::Popped(1));
    state.apply(Event::Sent(n, Ok(Box::new(receipt(true)))));
    assert_eq!(state.screen(), Screen::Roof);
    assert!(state.receipt.is_some());
}

#[test]
fn closing_asks_only_if_something_would_be_lost() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    assert!(state.clone().apply(Event::Close).contains(&Effect::Close), "mere typing is not asked about");
    state.apply(Event::Choose(0));
    assert_eq!(state.apply(Event::Close), [Effect::Focus(Focus::KeepGoing)]);
    assert!(state.closing);
    state.apply(Event::KeepGoing);
    assert!(!state.closing && state.chosen.is_some());
}

#[test]
fn escape_on_the_question_keeps_going() {
    let mut state = at_details();
    state.apply(Event::Close);
    state.apply(Event::Close);
    assert!(!state.closing);
    assert_eq!(state.screen(), Screen::Details);
}

#[test]
fn discarding_starts_over_and_late_answers_find_nobody() {
    let mut state = at_details();
    state.apply(Event::EditAddress);
    let n = number(&state.apply(Event::Measure));
    state.apply(Event::Close);
    let effects = state.apply(Event::Discard);
    assert_eq!(effects, [Effect::StopLookUp, Effect::Emit("close", ""), Effect::Close]);
    assert_eq!(state.apply(Event::LookedUp(n, Ok(RoofAnswer::Roof(found(vec![building("House", 1)]))))), []);
    assert_eq!((state.screen(), state.query.as_str(), state.contact.is_blank()), (Screen::Address, "", true));
}

#[test]
fn nothing_is_asked_while_the_lead_is_on_its_way_for_it_is_kept() {
    let mut state = at_details();
    submit(&mut state, "k1");
    assert!(state.apply(Event::Close).contains(&Effect::Close));
    assert!(!state.closing);
}

#[test]
fn nothing_is_asked_once_the_lead_is_in() {
    let mut state = at_estimate();
    state.apply(Event::Material(1));
    let effects = state.apply(Event::Close);
    assert!(matches!(effects[0], Effect::Change(..)), "an unsaved choice goes out first");
    assert!(effects.contains(&Effect::Close));
    assert_eq!(state.screen(), Screen::Estimate, "and is there when the visitor comes back");
}

#[test]
fn after_the_thanks_a_new_opening_starts_over() {
    let mut state = at_estimate();
    state.apply(Event::Book);
    state.apply(Event::SkipBooking);
    assert_eq!((state.screen(), state.can_go_back()), (Screen::Thanks, false));
    assert!(state.apply(Event::Close).contains(&Effect::Close));
    assert_eq!(state.screen(), Screen::Address);
}
