//! When the photograph under the drawing is shown.

use super::*;

fn look_up(state: &mut State, street: &str) -> Vec<Effect> {
    suggested(state, "14 Alder", &[street]);
    state.apply(Event::Choose(0));
    let n = number(&state.apply(Event::Measure));
    state.apply(Event::LookedUp(n, Ok(RoofAnswer::Roof(found(vec![building("House", 1)])))))
}

/// The timer that says the photograph takes long.
fn late_timer(effects: &[Effect]) -> Event {
    let late = effects.iter().find_map(|effect| match effect {
        Effect::After(8_000, event @ Event::PhotoLate(_)) => Some(event.clone()),
        _ => None,
    });
    late.unwrap()
}

#[test]
fn it_shows_by_itself_once_if_it_comes_soon() {
    let mut state = flow();
    let late = late_timer(&look_up(&mut state, "14 Alder Court"));
    assert_eq!(state.photo.name(), None, "nobody waits for it");
    state.apply(Event::PhotoLoaded);
    assert_eq!(state.photo, Photo::Shown);
    state.apply(late);
    assert_eq!(state.photo, Photo::Shown);
}

#[test]
fn one_that_is_late_only_offers_the_switch() {
    let mut state = flow();
    let late = late_timer(&look_up(&mut state, "14 Alder Court"));
    state.apply(late);
    state.apply(Event::PhotoLoaded);
    assert_eq!(state.photo, Photo::Ready);
    // The steps that follow load it again.
    state.apply(Event::PhotoLoaded);
    assert_eq!(state.photo, Photo::Ready);
    state.apply(Event::SwitchPhoto(true));
    assert_eq!(state.photo, Photo::Shown);
}

#[test]
fn what_the_visitor_chose_stays_for_the_next_home() {
    let mut state = flow();
    look_up(&mut state, "14 Alder Court");
    state.apply(Event::PhotoLoaded);
    state.apply(Event::SwitchPhoto(false));
    assert_eq!(state.photo, Photo::Ready);
    state.apply(Event::Back);
    let late = late_timer(&look_up(&mut state, "16 Alder Court"));
    assert_eq!(state.photo, Photo::Awaited);
    state.apply(Event::PhotoLoaded);
    assert_eq!(state.photo, Photo::Ready, "the drawing was chosen");
    state.apply(Event::SwitchPhoto(true));
    state.apply(Event::Back);
    look_up(&mut state, "14 Alder Court");
    state.apply(late);
    assert_eq!(state.photo, Photo::Awaited, "that was the timer of another home");
}

#[test]
fn a_switch_before_there_is_a_photograph_shows_none() {
    let mut state = flow();
    look_up(&mut state, "14 Alder Court");
    state.apply(Event::SwitchPhoto(true));
    assert_eq!(state.photo.name(), None);
}
