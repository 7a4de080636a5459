//! Drafts of every kind of flow, and of none.

use proptest::prelude::*;

use super::*;

fn input() -> impl Strategy<Value = Event> {
    prop_oneof![
        "[a-z ]{0,4}".prop_map(Event::Typed),
        (0..3_usize).prop_map(Event::Choose),
        (0..4_usize, ".{0,3}").prop_map(|(f, text)| Event::Field(Field::ALL[f], text)),
        (0..5_usize, ".{0,3}").prop_map(|(p, text)| Event::AddressPart(AddressPart::ALL[p], text)),
        Just(Event::OpenAddressForm),
        Just(Event::Measure),
        Just(Event::RoofYes),
        Just(Event::RoofNo),
        Just(Event::AskVisit),
        Just(Event::Back),
        (0..3_usize).prop_map(Event::PickBuilding),
    ]
}

proptest! {
    #[test]
    fn every_draft_is_read_as_it_was_written(inputs in proptest::collection::vec(input(), 0..12), there in 0..3_u8) {
        let mut state = match there {
            0 => flow(),
            1 => at_roof(vec![building("House", 2480), building("Barn", 900)]),
            _ => at_details(),
        };
        for event in inputs {
            state.apply(event);
        }
        if let Some(draft) = state.draft() {
            prop_assert_eq!(Draft::from_texts(draft.texts().to_vec()), Some(draft));
        }
    }

    #[test]
    fn no_list_of_texts_is_too_strange(texts in proptest::collection::vec("[0-9klp]{0,3}|.{0,5}", 0..24)) {
        if let Some(draft) = Draft::from_texts(texts) {
            let mut state = State::new(7);
            state.resume(draft, None);
            state.apply(Event::Opened);
        }
    }
}
