use super::*;

/// As another page would find it: through the texts that are stored.
fn stored(state: &State) -> Draft {
    Draft::from_texts(state.draft().expect("something to keep").into_texts()).expect("what was written can be read")
}

/// A new flow that goes on from there, and what it wants done.
fn resumed(state: &State, consent: Option<bool>) -> (State, Vec<Effect>) {
    let mut next = State::new(7);
    next.resume(stored(state), consent);
    let effects = next.apply(Event::Opened);
    (next, effects)
}

fn roof(count: usize) -> Result<RoofAnswer, RequestError> {
    Ok(RoofAnswer::Roof(found((0..count).map(|n| building("House", 2480 - n as u32)).collect())))
}

fn prefill(address: &str, typed: bool) -> Event {
    Event::Prefill(Box::new(Prefill { address: Some(address.into()), typed, ..Prefill::default() }))
}

fn contact(texts: [Option<&str>; 4]) -> Event {
    Event::Prefill(Box::new(Prefill { contact: texts.map(|t| t.map(Into::into)), ..Prefill::default() }))
}

/// The address handed over is asked about, and these are suggested.
fn answer(state: &mut State, offer: Event, streets: &[&str]) -> Vec<Effect> {
    let (_, due) = timer(&state.apply(offer));
    let n = number(&state.apply(due));
    let suggestions = streets.iter().map(|s| suggestion(s)).collect();
    state.apply(Event::Suggested(n, Ok(SuggestResponse { suggestions })))
}

#[test]
fn who_only_looked_leaves_nothing() {
    assert_eq!(flow().draft(), None);
    let mut prefilled = flow();
    answer(&mut prefilled, prefill("14 Alder Court", false), &["14 Alder Court"]);
    prefilled.apply(contact([Some("Dana"), None, None, None]));
    assert!(prefilled.chosen.is_some());
    assert_eq!(prefilled.draft(), None, "what the page knows is the page's");
    assert!(prefilled.apply(Event::Close).contains(&Effect::Close), "and nothing is asked");
}

#[test]
fn half_an_address_is_suggested_for_again() {
    let mut state = flow();
    state.apply(Event::Typed("14 ald".into()));
    let (mut next, effects) = resumed(&state, None);
    let (_, due) = timer(&effects);
    assert!(matches!(&next.apply(due)[..], [Effect::Suggest(_, text)] if text == "14 ald"));
    assert!(effects.contains(&Effect::Focus(Focus::Address)));
}

#[test]
fn a_chosen_address_is_still_chosen() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    let (mut next, effects) = resumed(&state, None);
    assert!(next.can_measure() && !effects.iter().any(|e| matches!(e, Effect::After(..))));
    assert_eq!(next.query, "14 Alder Court, Portland, ME 04103");
    assert!(next.apply(Event::Measure).iter().any(|e| matches!(e, Effect::LookUp(..))));
}

#[test]
fn the_parts_are_still_filled_in() {
    let mut state = flow();
    state.apply(Event::OpenAddressForm);
    state.apply(Event::AddressPart(AddressPart::Street, "Alder Court".into()));
    let (next, effects) = resumed(&state, None);
    assert_eq!((next.screen(), next.address_form.value(AddressPart::Street)), (Screen::AddressForm, "Alder Court"));
    assert!(effects.contains(&Effect::History(1)), "the browser's back leads to the address");
}

#[test]
fn the_details_come_back_with_the_roof_asked_for_anew() {
    let mut state = at_roof(vec![building("House", 2480), building("Barn", 900)]);
    state.apply(Event::PickBuilding(1));
    state.apply(Event::RoofYes);
    fill_in(&mut state);
    state.apply(Event::Consent(true));
    state.apply(Event::Website("http://spam.example".into()));

    let (mut next, effects) = resumed(&state, None);
    assert_eq!(next.screen(), Screen::Measuring);
    assert_eq!(emitted(&effects), ["open", "view"], "an address is reported once, when it is given");
    assert_eq!(next.draft(), state.draft(), "a reload in between loses nothing");
    let n = number(&effects);
    assert!(effects.contains(&Effect::LookUp(n, AddressChoice::Key("place-14".into()))));

    let effects = next.apply(Event::LookedUp(n, roof(2)));
    assert_eq!((next.screen(), next.picked), (Screen::Details, 0b11));
    assert!(effects.contains(&Effect::History(2)));
    assert_eq!(next.contact.email, "dana@example.com");
    assert_eq!((next.contact.consent, next.contact.website.as_str()), (false, ""), "consent is given anew");
    assert_eq!(next.draft(), state.draft());
    next.apply(Event::Back);
    assert_eq!(next.screen(), Screen::Roof);
}

#[test]
fn a_building_that_is_gone_gives_way_to_the_first() {
    let mut state = at_roof(vec![building("House", 2480), building("Barn", 900)]);
    state.apply(Event::PickBuilding(1));
    let (mut next, effects) = resumed(&state, None);
    next.apply(Event::LookedUp(number(&effects), roof(1)));
    assert_eq!((next.screen(), next.picked), (Screen::Roof, 1));
}

#[test]
fn without_a_connection_the_visitor_still_gets_where_he_was_later() {
    let (mut next, effects) = resumed(&at_details(), None);
    next.apply(Event::LookedUp(number(&effects), Err(RequestError::Offline)));
    assert_eq!(next.screen(), Screen::Unreached);
    let n = number(&next.apply(Event::TryNow));
    next.apply(Event::LookedUp(n, roof(1)));
    assert_eq!(next.screen(), Screen::Details);
}

#[test]
fn who_stops_the_way_back_is_not_taken_there_by_another_address() {
    let (mut next, _) = resumed(&at_details(), None);
    next.apply(Event::Stop);
    assert_eq!((next.screen(), next.query.as_str()), (Screen::Address, "14 Alder Court, Portland, ME 04103"));
    let n = number(&next.apply(Event::Measure));
    next.apply(Event::LookedUp(n, roof(1)));
    assert_eq!(next.screen(), Screen::Roof);
}

#[test]
fn a_visit_asked_for_at_an_unknown_address_comes_back() {
    let mut state = flow();
    suggested(&mut state, "41 Nowhere Rd", &[]);
    let n = number(&state.apply(Event::Measure));
    let unknown = || Ok(RoofAnswer::NotFound { typed: "41 Nowhere Rd".into(), close: vec![] });
    state.apply(Event::LookedUp(n, unknown()));
    state.apply(Event::AskVisit);
    let (mut next, effects) = resumed(&state, None);
    next.apply(Event::LookedUp(number(&effects), unknown()));
    assert_eq!(next.screen(), Screen::Visit);
}

#[test]
fn a_lead_that_was_being_sent_is_sent_again_under_its_own_key() {
    let mut state = at_details();
    state.apply(Event::Consent(true));
    submit(&mut state, "k1");
    assert_eq!(stored(&state).lead(), "k1");
    // How long it took is not part of what was said; the device has the lead with every word.
    let lead = state.pending.clone().unwrap().lead.map(|lead| Lead { elapsed_ms: 0, acts: 0, ..lead });

    let (mut next, effects) = resumed(&state, Some(true));
    assert_eq!(next.pending.as_ref().map(|p| p.key.as_str()), Some("k1"), "on this device until it has arrived");
    let effects = next.apply(Event::LookedUp(number(&effects), roof(1)));
    let n = number(&effects);
    assert!(effects.contains(&Effect::Send(n, Box::new(Pending { key: "k1".into(), lead }))));
    assert!(next.is_sending() && next.contact.consent, "the consent is that of the lead");
    next.apply(Event::Sent(n, Ok(Box::new(receipt(true)))));
    assert_eq!((next.screen(), next.draft()), (Screen::Estimate, None));
}

#[test]
fn nothing_is_kept_once_the_lead_is_taken_discarded_or_deleted() {
    assert_eq!(at_estimate().draft(), None);

    let mut state = at_details();
    state.apply(Event::Close);
    assert!(state.draft().is_some(), "the question alone discards nothing");
    state.apply(Event::Discard);
    assert_eq!(state.draft(), None);

    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    state.apply(Event::Sent(n, Err(RequestError::Offline)));
    assert!(state.draft().is_some());
    state.apply(Event::Forget);
    assert_eq!(state.draft(), None);
}

#[test]
fn what_the_page_knows_gives_way_to_what_the_visitor_types() {
    let mut state = flow();
    state.apply(contact([Some("Dan"), None, Some("dan@example.com"), None]));
    state.apply(contact([Some("Dana"), None, None, None]));
    assert_eq!((state.contact.first.as_str(), state.contact.email.as_str()), ("Dana", "dan@example.com"));
    state.apply(Event::Field(Field::First, "Diane".into()));
    state.apply(contact([Some("Dan"), Some("Whitfield"), None, None]));
    assert_eq!((state.contact.first.as_str(), state.contact.last.as_str()), ("Diane", "Whitfield"));
    state.apply(Event::Field(Field::First, String::new()));
    state.apply(contact([Some("Dan"), None, None, None]));
    assert_eq!(state.contact.first, "", "emptied by hand stays empty");
}

#[test]
fn an_address_handed_over_opens_the_list() {
    let mut state = flow();
    answer(&mut state, prefill("14 alder", true), &["14 Alder Court", "14 Alder Cove"]);
    assert!(state.list.open && state.chosen.is_none());
    assert!(state.draft().is_some(), "the visitor typed it, only elsewhere");
}

#[test]
fn an_address_handed_over_that_is_suggested_once_is_chosen() {
    for text in ["14 alder court", "14 Alder Court, Portland ME 04103"] {
        let mut state = flow();
        answer(&mut state, prefill(text, true), &["14 Alder Court", "14 Alder Court Ext"]);
        assert_eq!(state.chosen.as_ref().map(|p| p.street.as_str()), Some("14 Alder Court"), "{text}");
        assert!(!state.list.open && state.can_measure());
    }
    let mut twice = flow();
    answer(&mut twice, prefill("14 Alder Court", true), &["14 Alder Court", "14 Alder Court"]);
    assert!(twice.chosen.is_none() && twice.list.open, "in two towns: the visitor chooses");
}

#[test]
fn typing_in_the_flow_itself_is_never_taken_for_a_choice() {
    let mut state = flow();
    suggested(&mut state, "14 Alder Court", &["14 Alder Court"]);
    assert!(state.chosen.is_none());
}

#[test]
fn a_typed_address_is_not_overwritten_by_the_page() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    assert_eq!(state.apply(prefill("9 Elm Street", false)), []);
    assert_eq!(state.query, "14 alder");
    let mut later = at_roof(vec![building("House", 2480)]);
    assert_eq!(later.apply(prefill("9 Elm Street", false)), []);
}

#[test]
fn an_address_typed_in_the_page_a_moment_ago_is_newer_than_the_draft() {
    let mut next = State::new(7);
    next.resume(stored(&at_details()), None);
    next.apply(prefill("9 Elm Street", true));
    let effects = next.apply(Event::Opened);
    assert_eq!((next.screen(), next.query.as_str()), (Screen::Address, "9 Elm Street"));
    assert!(!effects.iter().any(|e| matches!(e, Effect::LookUp(..))));
    assert_eq!(next.contact.email, "dana@example.com", "who he is has not changed");
}

#[test]
fn the_same_text_twice_takes_no_choice_back() {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    assert_eq!(state.apply(Event::Typed(state.query.clone())), []);
    assert!(state.chosen.is_some());
}

#[test]
fn the_beginning_of_the_drafts_address_is_no_other_address() {
    let mut next = State::new(7);
    next.resume(stored(&at_details()), None);
    assert_eq!(next.apply(prefill("14 alder ", true)), []);
    assert!(next.apply(Event::Opened).iter().any(|e| matches!(e, Effect::LookUp(..))), "still on the way back");
}
