use proptest::prelude::*;
use shingle_domain::lead::LeadSource;
use shingle_domain::public::{AddressChoice, ConsentChoice};

use super::*;

const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

/// How one visit looks to the server.
#[derive(Debug, Clone, Copy)]
struct Visit {
    trap: &'static str,
    took_ms: u32,
    acts: Option<u32>,
    /// Seconds since the session was granted, or the form shown.
    session: u64,
    by_hand: bool,
}

const fn visit(took_ms: u32, acts: u32, session: u64) -> Visit {
    Visit { trap: "", took_ms, acts: Some(acts), session, by_hand: false }
}

const fn form(took_ms: u32) -> Visit {
    Visit { trap: "", took_ms, acts: None, session: (took_ms / 1_000) as u64, by_hand: true }
}

/// A program that posts to the route of leads.
const fn script(took_ms: u32) -> Visit {
    Visit { trap: "", took_ms, acts: None, session: 0, by_hand: false }
}

impl Visit {
    const fn trapped(self, trap: &'static str) -> Self {
        Self { trap, ..self }
    }

    const fn after(self, session: u64) -> Self {
        Self { session, ..self }
    }

    fn sent(&self) -> LeadSubmission {
        LeadSubmission {
            token: String::new(),
            idempotency_key: None,
            lead_id: None,
            lead_token: None,
            address: AddressChoice::Line("14 Alder Court".into()),
            buildings: String::new(),
            first_name: "Ann".into(),
            last_name: "Sample".into(),
            email: "ann@example.com".into(),
            phone: None,
            preferred_contact_time: None,
            message: None,
            consent: ConsentChoice { given: false, text: "Call me.".into() },
            lang: None,
            source: LeadSource::default(),
            website: self.trap.into(),
            elapsed_ms: self.took_ms,
            acts: self.acts,
            altcha: None,
        }
    }

    fn verdict(&self) -> Option<SpamReason> {
        let witness = Witness { since: Some(NOW - Duration::from_secs(self.session)), by_hand: self.by_hand };
        Signs::of(&self.sent(), witness, false, NOW).verdict()
    }

    /// What was decided before: either sign alone.
    fn was_held(&self) -> bool {
        !self.trap.is_empty() || self.took_ms < 1_500
    }
}

/// None of these may be held.
const HONEST: [(&str, Visit); 36] = [
    ("types, chooses, reads, sends", visit(65_000, 42, 63)),
    ("is quick, with everything filled in by the browser", visit(6_000, 9, 6)),
    ("is as quick as one can be", visit(2_000, 6, 2)),
    ("dictates", visit(40_000, 7, 39)),
    ("uses a screen reader for ten minutes", visit(600_000, 55, 598)),
    ("uses the keyboard alone", visit(90_000, 48, 88)),
    ("uses a switch, one press at a time", visit(900_000, 31, 880)),
    ("speaks to the buttons", visit(70_000, 5, 68)),
    ("has a slow network: the session comes late", visit(50_000, 33, 1)),
    ("lost the session, and got another one for sending", visit(80_000, 40, 0)),
    ("has a device whose clock stepped back", visit(75_000, 44, 74)),
    ("has a device whose clock stepped back behind the server's", visit(75_000, 44, 0)),
    ("has a page that broke the clock of its browser", visit(0, 44, 60)),
    ("has a page that broke the clock, and a session of a moment ago", visit(0, 44, 0)),
    ("comes back to a restored tab and presses at once", visit(61_000, 40, 0)),
    ("comes back to a restored tab of an earlier release, and changes a letter", visit(1_600, 1, 1)),
    ("comes back to a tab whose earlier page had stored no time, and presses at once", visit(400, 12, 0)),
    ("closes the dialog at the last step, opens it again and presses at once", visit(64_000, 41, 62)),
    ("opens the dialog ten times", visit(1_200_000, 130, 1_190)),
    ("leaves the tab open overnight", visit(40_000_000, 40, 28_000)),
    ("has a manager that fills in the trap", visit(45_000, 38, 44).trapped("https://ann.example.com")),
    ("has a manager that fills in the trap and all the rest", visit(16_000, 5, 15).trapped("Ann Sample")),
    ("has a manager that fills in the trap, quickly", visit(7_000, 6, 7).trapped("example.com")),
    ("has a manager that fills in the trap with a blank", visit(5_000, 8, 4).trapped(" ")),
    ("has a manager that fills in the trap with what nobody sees", visit(3_000, 8, 2).trapped("\u{200b}\u{feff}")),
    ("has a manager that fills in the trap, in a restored tab", visit(70_000, 40, 0).trapped("ann.example.com")),
    ("runs an earlier release, which counts no acts", script(30_000).after(29)),
    ("is sent by the page's own prefill: two taps and a tick", visit(9_000, 3, 8)),
    ("touches only the button, after all was filled in", visit(4_000, 1, 3)),
    ("has no scripts", form(48_000)),
    ("has no scripts and an old browser that says nothing of itself", Visit { by_hand: false, ..form(48_000) }),
    ("has no scripts and a browser that fills in the form at once", form(900)),
    ("has no scripts and a manager that fills in the trap", form(20_000).trapped("https://ann.example.com")),
    ("has no scripts and a manager that fills in the trap, quickly", form(6_000).trapped("ann.example.com")),
    ("has no scripts and a manager that fills in the trap with a blank", form(8_000).trapped("  ")),
    ("has no scripts and leaves the form open for a day", form(80_000_000)),
];

/// Scripts of the soak and of the tests of the limits, and what they could try without a browser.
const HOSTILE: [(&str, Visit); 16] = [
    ("sends nothing but the form", script(0)),
    ("sends nothing but the form, later", script(0).after(600)),
    ("says that it took a moment", script(10)),
    ("says that it took nearly long enough", script(1_499)),
    ("fills in the trap", script(0).trapped("https://spam.example.com")),
    ("fills in the trap and says that it took long", script(20_000).trapped("https://spam.example.com")),
    ("fills in the trap and waits", script(20_000).trapped("https://spam.example.com").after(20)),
    ("fills in the trap with one session for hours", script(90_000).trapped("x").after(1_700)),
    ("fills in the trap with a letter", script(60_000).trapped("a").after(30)),
    ("fills in the trap of the form", Visit { by_hand: false, ..form(20_000) }.trapped("https://spam.example")),
    ("fills in the trap of the form at once", Visit { by_hand: false, ..form(0) }.trapped("https://spam.example")),
    ("sends the form at once", Visit { by_hand: false, ..form(0) }),
    ("sends the form after a second", Visit { by_hand: false, ..form(1_000) }),
    ("counts no acts", visit(100, 0, 100)),
    ("counts one act", visit(100, 1, 0)),
    ("counts one act in the trap", visit(30_000, 1, 2).trapped("https://spam.example")),
];

#[test]
fn no_honest_visit_is_held() {
    for (who, visit) in HONEST {
        assert_eq!(visit.verdict(), None, "somebody who {who}: {visit:?}");
    }
}

#[test]
fn every_hostile_script_that_was_held_is_held() {
    for (what, visit) in HOSTILE {
        assert!(visit.was_held() && visit.verdict().is_some(), "a script that {what}: {visit:?}");
    }
    let before = HONEST.iter().filter(|(_, visit)| visit.was_held()).count();
    println!(
        "honest visits held: {before} of {} before, 0 now; hostile scripts let in: 0 of {}",
        HONEST.len(),
        HOSTILE.len()
    );
    assert!(before > 10, "the table tells the rules apart");
}

#[test]
fn a_crowd_is_held_no_matter_who_is_in_it() {
    let witness = Witness { since: None, by_hand: false };
    let signs = Signs::of(&HONEST[0].1.sent(), witness, true, NOW);
    assert_eq!(signs.verdict(), Some(SpamReason::Crowded));
}

fn any_visit() -> impl Strategy<Value = Visit> {
    let trap = prop_oneof![Just(""), Just(" "), Just("https://spam.example")];
    let took = prop_oneof![0_u32..3_000, 0_u32..100_000, Just(u32::MAX)];
    (trap, took, proptest::option::of(0_u32..60), 0_u64..2_000, any::<bool>())
        .prop_map(|(trap, took_ms, acts, session, by_hand)| Visit { trap, took_ms, acts, session, by_hand })
}

proptest! {
    /// Without a browser and without a count of acts, nothing passes that did not pass before: except for a blank in
    /// the trap.
    #[test]
    fn a_script_gains_nothing_by_waiting(visit in any_visit()) {
        let script = Visit { acts: None, by_hand: false, ..visit };
        if script.verdict().is_none() {
            prop_assert!(!script.was_held() || (script.trap.trim().is_empty() && script.took_ms >= 1_500), "{:?}", script);
        }
    }

    /// Time alone never decides for anybody who did something, and neither does the trap for somebody who took his time.
    #[test]
    fn one_sign_alone_never_decides(visit in any_visit(), acts in BUSY..500) {
        let hasty = Visit { trap: "", took_ms: 0, acts: Some(acts), ..visit };
        prop_assert_eq!(hasty.verdict(), None);
        let trapped = Visit { trap: "filled", took_ms: 15_000, acts: Some(acts), ..visit };
        prop_assert_eq!(trapped.verdict(), None);
    }

    /// More that speaks for a person never makes it worse.
    #[test]
    fn a_better_sign_never_holds_a_lead(visit in any_visit(), more in 0_u32..100_000, longer in 0_u64..1_000) {
        let better = Visit {
            took_ms: visit.took_ms.saturating_add(more),
            acts: visit.acts.map(|acts| acts + 1),
            session: visit.session + longer,
            ..visit
        };
        prop_assert!(visit.verdict().is_some() || better.verdict().is_none(), "{:?}", visit);
    }

    #[test]
    fn without_a_sign_nobody_is_held(visit in any_visit()) {
        let plain = Visit { trap: "", took_ms: visit.took_ms.max(1_500), ..visit };
        prop_assert_eq!(plain.verdict(), None);
    }
}
