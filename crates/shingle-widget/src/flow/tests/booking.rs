use super::*;

const REQUEST: &str = r#"{"wishes":[{"date":"2026-12-01","part":"morning"}],"contactBy":"email"}"#;

fn at_booking() -> State {
    let mut state = at_estimate();
    state.apply(Event::Book);
    assert_eq!(state.screen(), Screen::Booking);
    state
}

/// The form was sent with this in it.
fn wish(state: &mut State, request: &str) -> Vec<Effect> {
    assert_eq!(state.apply(Event::SubmitBooking), [Effect::ReadBooking]);
    state.apply(Event::Wished(request.to_owned()))
}

fn request_number(effects: &[Effect]) -> u32 {
    let [Effect::RequestVisit(n, id, token, request)] = effects else { panic!("{effects:?}") };
    assert_eq!(id, "0193b5a0-0000-7000-8000-000000000001");
    assert_eq!((token.as_str(), request.as_str()), ("lead-token", REQUEST));
    *n
}

#[test]
fn what_was_wished_goes_with_the_leads_token_and_thanks_say_what_was_asked() {
    let mut state = at_booking();
    let n = request_number(&wish(&mut state, REQUEST));
    assert_eq!(state.booking, Booking::Sending);
    assert_eq!(state.apply(Event::SubmitBooking), [], "once is enough");
    let asked = LeadReceipt { thanks: part("asked"), ..receipt(true) };
    state.apply(Event::Booked(n, Ok(Box::new(asked))));
    assert_eq!(state.screen(), Screen::Thanks);
    assert_eq!(state.receipt.unwrap().thanks, part("asked"));
}

#[test]
fn without_a_time_nothing_is_sent() {
    let mut state = at_booking();
    assert_eq!(wish(&mut state, ""), [Effect::Focus(Focus::Title)]);
    assert_eq!((state.screen(), state.booking), (Screen::Booking, Booking::Empty));
}

#[test]
fn a_request_that_fails_stays_to_be_sent_again() {
    for (failure, shown) in [
        (RequestError::Offline, Booking::Offline),
        (RequestError::Busy, Booking::Offline),
        (RequestError::Invalid, Booking::Refused),
        (RequestError::Refused, Booking::Refused),
    ] {
        let mut state = at_booking();
        let n = request_number(&wish(&mut state, REQUEST));
        state.apply(Event::Booked(n, Err(failure)));
        assert_eq!((state.screen(), state.booking), (Screen::Booking, shown));
        request_number(&wish(&mut state, REQUEST));
    }
}

#[test]
fn an_answer_that_comes_after_the_visitor_has_left_the_step_moves_nobody() {
    let mut state = at_booking();
    let n = request_number(&wish(&mut state, REQUEST));
    state.apply(Event::Back);
    assert_eq!(state.screen(), Screen::Estimate);
    state.apply(Event::Booked(n, Ok(Box::new(receipt(true)))));
    assert_eq!(state.screen(), Screen::Estimate);
    state.apply(Event::Booked(n, Ok(Box::new(receipt(true)))));
    assert_eq!(state.screen(), Screen::Estimate, "a second answer changes nothing");
}

#[test]
fn where_the_server_offers_no_form_booking_leads_to_the_thanks() {
    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    state.apply(Event::Sent(n, Ok(Box::new(LeadReceipt { booking: Part::default(), ..receipt(true) }))));
    state.apply(Event::Book);
    assert_eq!(state.screen(), Screen::Thanks);
}
