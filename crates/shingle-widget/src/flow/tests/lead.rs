use super::*;

#[test]
fn what_is_done_by_hand_is_counted_and_what_happens_is_not() {
    let mut state = at_details();
    let before = state.acts;
    let by_hand = [
        Event::Field(Field::First, "D".into()),
        Event::Field(Field::First, "Da".into()),
        Event::Consent(true),
        Event::Consent(false),
        Event::RoofYes,
        Event::PickBuilding(0),
        Event::EditAddress,
        Event::Typed("1".into()),
        Event::Typed("14".into()),
        Event::Measure,
    ];
    for event in by_hand {
        state.apply(event);
    }
    assert_eq!(state.acts, before + 10);
    let others =
        [Event::Painted, Event::TryNow, Event::Website("x".into()), Event::Popped(0), Event::Second(1), Event::Close];
    for event in others {
        state.apply(event);
    }
    assert_eq!(state.acts, before + 10, "nobody did anything");
}

#[test]
fn the_first_wrong_field_gets_the_focus_and_all_get_their_words() {
    let mut state = at_details();
    state.apply(Event::Field(Field::Email, "dana.whitfield@example".into()));
    state.apply(Event::Field(Field::Phone, "(207) 555-01".into()));
    assert_eq!(submit(&mut state, "k1"), [Effect::Focus(Focus::Field(Field::Email))]);
    assert_eq!(complaint(state.contact.problem(Field::Email)), "Add the ending, for example “.com”.");
    assert_eq!(
        complaint(state.contact.problem(Field::Phone)),
        "A US number has 10 digits. This one has 8. Leave an extension out, or give it in the note later. The phone is optional."
    );
    assert!(state.contact.refused);

    state.apply(Event::Field(Field::Email, "dana.whitfield@example.com".into()));
    assert_eq!(complaint(state.contact.problem(Field::Email)), "");
    state.apply(Event::Field(Field::Phone, "(207) 555-0163".into()));
    assert!(!state.contact.refused, "the summary goes once all is mended");
}

#[test]
fn a_field_is_judged_when_it_is_left_but_not_while_it_is_typed() {
    let mut state = at_details();
    state.apply(Event::Field(Field::Email, "dana@exam".into()));
    assert_eq!(complaint(state.contact.problem(Field::Email)), "");
    state.apply(Event::Left(Field::Email));
    assert_ne!(complaint(state.contact.problem(Field::Email)), "");

    let mut untouched = at_roof(vec![building("House", 2480)]);
    untouched.apply(Event::RoofYes);
    untouched.apply(Event::Left(Field::First));
    assert_eq!(complaint(untouched.contact.problem(Field::First)), "", "passing through is no mistake");
}

#[test]
fn the_page_is_told_once_that_the_form_was_reached() {
    let mut state = at_roof(vec![building("House", 2480)]);
    assert_eq!(emitted(&state.apply(Event::RoofYes)), ["view", "contact"]);
    assert_eq!(emitted(&submit(&mut state, "k1")), [""; 0]);
    state.apply(Event::Back);
    assert_eq!(emitted(&state.apply(Event::RoofYes)), ["view"]);
}

#[test]
fn another_language_leaves_all_where_it_is_but_asks_for_consent_again() {
    let mut state = at_details();
    state.apply(Event::Consent(true));
    assert!(state.apply(Event::LanguageChanged).contains(&Effect::Focus(Focus::Title)));
    assert_eq!((state.screen(), state.contact.consent), (Screen::Details, false));
    assert_eq!(state.contact.value(Field::First).trim(), "Dana");
    let mut sent = at_details();
    sent.apply(Event::Consent(true));
    submit(&mut sent, "k1");
    sent.apply(Event::LanguageChanged);
    assert!(sent.contact.consent, "what was sent was agreed to");
    let mut done = at_estimate();
    done.apply(Event::LanguageChanged);
    assert_eq!(done.screen(), Screen::Estimate);
}

#[test]
fn consent_and_telephone_never_block() {
    let mut state = at_details();
    assert!(!state.contact.consent);
    let effects = submit(&mut state, "k1");
    let lead = state.pending.as_ref().unwrap();
    assert_eq!(effects, [Effect::Send(number(&effects), Box::new(lead.clone()))]);
    let sent = lead.lead.as_ref().unwrap();
    assert_eq!((sent.contact[3].as_str(), sent.consent), ("", false));
    assert_eq!(sent.contact[0], "Dana");
}

#[test]
fn a_given_consent_and_the_honeypot_travel_with_the_lead() {
    let mut state = at_details();
    state.apply(Event::Consent(true));
    state.apply(Event::Website("http://spam.example".into()));
    state.apply(Event::Field(Field::Phone, "207 555 0163".into()));
    submit(&mut state, "k1");
    let sent = state.pending.unwrap().lead.unwrap();
    assert!(sent.consent);
    assert_eq!((sent.website.as_str(), sent.contact[3].as_str()), ("http://spam.example", "207 555 0163"));
}

#[test]
fn a_second_press_sends_once() {
    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    assert!(state.is_sending());
    assert_eq!(submit(&mut state, "k2"), []);
    let effects = state.apply(Event::Sent(n, Ok(Box::new(receipt(true)))));
    assert_eq!(effects[0], Effect::Forget("k1".into()));
    assert_eq!(emitted(&effects), ["submit", "estimate", "view"]);
    assert_eq!(state.apply(Event::Sent(n, Ok(Box::new(receipt(true))))), [], "nor is it counted twice");
}

#[test]
fn an_unsent_lead_keeps_its_key_through_every_attempt() {
    let mut state = at_details();
    let mut n = number(&submit(&mut state, "k1"));
    for attempt in 1..MAX_ATTEMPTS {
        let mut effects = state.apply(Event::Sent(n, Err(RequestError::Offline)));
        assert_eq!(state.screen(), Screen::Unsent);
        let retry = state.retry.clone().unwrap();
        assert_eq!(retry.attempt, attempt);
        for _ in 0..retry.wait.unwrap() {
            let (ms, second) = timer(&effects);
            assert_eq!(ms, 1_000);
            effects = state.apply(second);
        }
        n = number(&effects);
        let lead = state.pending.clone().unwrap();
        assert_eq!(lead.key, "k1");
        assert_eq!(effects, [Effect::Send(n, Box::new(lead))]);
    }
    let effects = state.apply(Event::Sent(n, Err(RequestError::Offline)));
    assert_eq!(state.retry.clone().unwrap(), Retry { attempt: MAX_ATTEMPTS, wait: None });
    assert!(!effects.iter().any(|e| matches!(e, Effect::After(..))), "ten are enough; the visitor may go on");
    assert!(!state.would_lose(), "it is kept: closing loses nothing");
    let n = number(&state.apply(Event::TryNow));
    state.apply(Event::Sent(n, Ok(Box::new(receipt(true)))));
    assert_eq!(state.screen(), Screen::Estimate);
}

#[test]
fn trying_now_does_not_try_twice() {
    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    let effects = state.apply(Event::Sent(n, Err(RequestError::Busy)));
    let (_, second) = timer(&effects);
    let n = number(&state.apply(Event::TryNow));
    assert_eq!(state.apply(Event::TryNow), []);
    assert_eq!(state.apply(second), [], "the countdown that was overtaken is over");
    state.apply(Event::Sent(n, Ok(Box::new(receipt(true)))));
    assert_eq!(state.screen(), Screen::Estimate);
    assert_eq!(state.apply(Event::TryNow), [], "and nothing is left to try");
}

#[test]
fn waits_grow_and_browsers_spread_out() {
    assert_eq!((1..6).map(|n| backoff(n, 0)).collect::<Vec<_>>(), [4, 8, 16, 32, 60]);
    let spread = (0..50).map(|seed| backoff(5, seed)).collect::<std::collections::HashSet<_>>();
    assert!(spread.len() > 5 && spread.iter().all(|s| (60..=80).contains(s)), "{spread:?}");
}

#[test]
fn a_lead_the_server_does_not_take_is_shown_again_to_be_corrected() {
    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    let effects = state.apply(Event::Sent(n, Err(RequestError::Invalid)));
    assert!(effects.contains(&Effect::Forget("k1".into())));
    assert_eq!((state.screen(), state.rejected), (Screen::Details, true));
    state.apply(Event::Field(Field::Email, "dana.w@example.com".into()));
    submit(&mut state, "k2");
    assert_eq!(state.pending.unwrap().key, "k2", "a corrected lead is another lead");
}

#[test]
fn a_lead_refused_because_the_widget_was_switched_off_stays_on_the_device() {
    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    let effects = state.apply(Event::Sent(n, Err(RequestError::Refused)));
    assert_eq!(state.screen(), Screen::Paused);
    assert!(!effects.iter().any(|e| matches!(e, Effect::Forget(_))));
}

#[test]
fn an_unsent_lead_can_be_deleted_from_the_device() {
    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    state.apply(Event::Sent(n, Err(RequestError::Offline)));
    assert!(state.apply(Event::Forget).contains(&Effect::Forget("k1".into())));
    assert_eq!((state.screen(), state.pending.is_none()), (Screen::Details, true));
    assert_eq!(state.contact.first, " Dana", "what was typed is still in the form");
}

#[test]
fn the_same_details_again_are_not_sent_again() {
    let mut state = at_estimate();
    state.apply(Event::Back);
    assert_eq!(state.screen(), Screen::Details);
    let effects = submit(&mut state, "k2");
    assert!(!effects.iter().any(|e| matches!(e, Effect::Send(..))));
    assert_eq!(state.screen(), Screen::Estimate);
}

#[test]
fn changed_details_are_a_new_lead() {
    let mut state = at_estimate();
    state.apply(Event::Back);
    state.apply(Event::Field(Field::Last, "Whitfield-Ames".into()));
    let effects = submit(&mut state, "k2");
    assert!(matches!(&effects[..], [Effect::Send(_, p)] if p.key == "k2"));
}

#[test]
fn a_material_is_saved_once_choosing_settles() {
    let mut state = at_estimate();
    let (ms, first) = timer(&state.apply(Event::Material(1)));
    assert_eq!(ms, 400);
    let (_, second) = timer(&state.apply(Event::Material(0)));
    let (_, third) = timer(&state.apply(Event::Material(1)));
    assert_eq!(state.apply(first), []);
    assert_eq!(state.apply(second), []);
    let effects = state.apply(third);
    let [Effect::Change(n, id, token, material)] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(id, "0193b5a0-0000-7000-8000-000000000001");
    assert_eq!((token.as_str(), *material), ("lead-token", RoofMaterial::Metal));
    assert_eq!(said(&state), "Now $28520.");
    assert_eq!(state.apply(Event::Changed(*n, Ok(()))), []);
}

#[test]
fn a_material_that_is_not_offered_or_already_chosen_changes_nothing() {
    let mut state = at_estimate();
    assert_eq!(state.apply(Event::Material(0)), []);
    assert_eq!(state.apply(Event::Material(9)), []);
}

#[test]
fn an_unsaved_material_is_tried_again_but_not_after_a_newer_choice() {
    let mut state = at_estimate();
    let (_, due) = timer(&state.apply(Event::Material(1)));
    let n = number(&state.apply(due));
    let (_, again) = timer(&state.apply(Event::Changed(n, Err(RequestError::Offline))));
    let (_, newer) = timer(&state.apply(Event::Material(0)));
    assert_eq!(state.apply(again), []);
    assert_eq!(state.apply(Event::Changed(n, Err(RequestError::Offline))), []);
    assert!(matches!(&state.apply(newer)[..], [Effect::Change(.., RoofMaterial::AsphaltShingle)]));
}

#[test]
fn booking_saves_the_choice_at_once() {
    let mut state = at_estimate();
    state.apply(Event::Material(1));
    let effects = state.apply(Event::Book);
    assert!(matches!(&effects[0], Effect::Change(.., RoofMaterial::Metal)));
    assert_eq!(state.screen(), Screen::Booking);
}

#[test]
fn a_roof_without_a_price_ends_with_thanks() {
    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    state.apply(Event::Sent(n, Ok(Box::new(receipt(false)))));
    assert_eq!(state.screen(), Screen::Thanks);
}

#[test]
fn a_slip_in_a_mail_domain_and_a_number_of_one_digit_are_asked_about_once() {
    let mut state = at_details();
    state.apply(Event::Field(Field::Email, "dana@gmial.com".into()));
    state.apply(Event::Field(Field::Phone, "000 000 0000".into()));
    let asked = submit(&mut state, "k1");
    assert!(asked.contains(&Effect::Focus(Focus::Field(Field::Email))), "{asked:?}");
    assert_eq!(state.contact.wrong().collect::<Vec<_>>(), [Field::Email, Field::Phone]);
    state.apply(Event::Left(Field::Email));
    assert!(complaint(state.contact.problem(Field::Email)).starts_with("Check the part after the @."));
    assert!(submit(&mut state, "k2").iter().any(|effect| matches!(effect, Effect::Send(..))), "pressed again");
}

#[test]
fn usual_and_unknown_mail_domains_are_not_asked_about() {
    for email in ["a@gmail.com", "a@mail.com", "a@ymail.com", "a@gmx.com", "a@harborpine.example", "a@yahoo.co.uk"] {
        let mut state = at_details();
        state.apply(Event::Field(Field::Email, email.into()));
        submit(&mut state, "k1");
        assert_eq!(state.contact.problem(Field::Email), None, "{email}");
    }
}
