use super::*;

fn kept(state: &mut State) -> Vec<Effect> {
    state.apply(Event::Kept(Ok(Box::new(receipt(true)))))
}

#[test]
fn a_lead_is_remembered_by_its_id_and_token() {
    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    let effects = state.apply(Event::Sent(n, Ok(Box::new(receipt(true)))));
    let id = "0193b5a0-0000-7000-8000-000000000001";
    assert!(effects.contains(&Effect::Keep(id.into(), "lead-token".into())), "{effects:?}");
}

#[test]
fn an_earlier_estimate_comes_before_anything_else_and_opens_as_it_was() {
    let mut state = flow();
    let mut chosen = receipt(true);
    chosen.estimate.as_mut().unwrap().chosen = 1;
    state.apply(Event::Kept(Ok(Box::new(chosen))));
    assert_eq!((state.screen(), state.can_go_back()), (Screen::Kept, false));
    state.apply(Event::OpenKept);
    assert_eq!((state.screen(), state.material), (Screen::Estimate, 1));
    state.apply(Event::Book);
    assert_eq!(state.screen(), Screen::Booking);
}

#[test]
fn starting_over_is_one_press_and_deleting_another() {
    let mut state = flow();
    kept(&mut state);
    let effects = state.apply(Event::StartOver);
    assert_eq!((state.screen(), state.receipt.is_none()), (Screen::Address, true));
    assert!(!effects.contains(&Effect::ForgetKept), "it stays until there is another");
    kept(&mut state);
    assert!(state.apply(Event::ForgetKept).contains(&Effect::ForgetKept));
    assert_eq!(state.screen(), Screen::Address);
}

#[test]
fn a_visitor_who_has_begun_to_type_is_not_interrupted() {
    let mut state = flow();
    state.apply(Event::Typed("1".into()));
    assert_eq!(kept(&mut state), []);
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    assert_eq!(kept(&mut state), []);
    assert_eq!((state.screen(), state.receipt.is_none()), (Screen::Address, true));
    let mut state = at_roof(vec![building("House", 2480)]);
    assert_eq!(kept(&mut state), []);
    assert_eq!(state.screen(), Screen::Roof);
}

#[test]
fn an_erased_lead_is_forgotten_and_a_lost_connection_forgets_nothing() {
    let mut state = flow();
    assert_eq!(state.apply(Event::Kept(Err(RequestError::Invalid))), [Effect::ForgetKept]);
    for failure in [RequestError::Offline, RequestError::Busy, RequestError::Refused] {
        assert_eq!(state.apply(Event::Kept(Err(failure))), []);
    }
    assert_eq!(state.screen(), Screen::Address);
}

#[test]
fn in_another_language_the_estimate_is_asked_for_again_and_the_step_stays() {
    let mut state = at_estimate();
    state.apply(Event::Material(1));
    let effects = state.apply(Event::LanguageChanged);
    let reload = Effect::Reload("0193b5a0-0000-7000-8000-000000000001".into(), "lead-token".into());
    assert!(effects.contains(&reload), "{effects:?}");
    let spanish = LeadReceipt { thanks: part("gracias"), ..receipt(true) };
    state.apply(Event::Kept(Ok(Box::new(spanish.clone()))));
    assert_eq!((state.screen(), state.material), (Screen::Estimate, 1));
    assert_eq!(state.receipt, Some(spanish));
}
