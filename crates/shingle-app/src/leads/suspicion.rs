//! Whether a lead is a person's. No sign decides alone: a manager of passwords fills in what nobody sees, and a clock that
//! was set makes a form of five minutes one of no time. What speaks for a program is weighed against what speaks for a
//! person.

use std::time::Duration;

use shingle_domain::Timestamp;
use shingle_domain::public::LeadSubmission;
use shingle_domain::text::visible;
use shingle_store::SpamReason;

/// A form that was filled in faster was probably filled in by a program.
const HASTY: Duration = Duration::from_millis(1_500);
const STEADY: Duration = Duration::from_secs(5);
/// A client that took this long for an address is hardly a program.
const LONG: Duration = Duration::from_secs(15);
/// As often as a person does at least who types a name.
const BUSY: u32 = 3;

/// What the server knows on its own of the one who sends.
#[derive(Debug, Clone, Copy)]
pub struct Witness {
    /// When the session was granted, or the form shown.
    pub since: Option<Timestamp>,
    /// A browser says that its user sent this by hand.
    pub by_hand: bool,
}

/// What a lead shows about its origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signs {
    /// There is something in the field that people do not see.
    trapped: bool,
    pace: Pace,
    hands: Hands,
    /// The server itself saw time pass.
    witnessed: bool,
    crowded: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    Hasty,
    Quick,
    Steady,
    Long,
}

impl Pace {
    fn of(took: Duration) -> Self {
        if took < HASTY {
            Self::Hasty
        } else if took < STEADY {
            Self::Quick
        } else if took < LONG {
            Self::Steady
        } else {
            Self::Long
        }
    }
}

/// How much was done by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hands {
    /// Nothing is known, as of a program that sends leads and nothing else.
    Unknown,
    Few,
    Many,
}

impl Signs {
    pub fn of(sent: &LeadSubmission, witness: Witness, crowded: bool, now: Timestamp) -> Self {
        let waited = witness.since.map_or(Duration::ZERO, |since| {
            Duration::from_micros(u64::try_from(now.micros() - since.micros()).unwrap_or_default())
        });
        let took = Duration::from_millis(sent.elapsed_ms.into());
        Self {
            // A blank is no text.
            trapped: !visible(&sent.website).trim().is_empty(),
            pace: Pace::of(took),
            hands: match sent.acts {
                _ if witness.by_hand => Hands::Many,
                Some(BUSY..) => Hands::Many,
                Some(1..) => Hands::Few,
                Some(0) | None => Hands::Unknown,
            },
            witnessed: waited >= STEADY,
            crowded,
        }
    }

    /// Why it is held; `None` for a person's.
    pub fn verdict(self) -> Option<SpamReason> {
        let against = if self.trapped { 4 } else { 0 } + if self.pace == Pace::Hasty { 2 } else { 0 };
        if against > 0 && against >= self.person() {
            return Some(if self.trapped { SpamReason::HiddenField } else { SpamReason::TooFast });
        }
        self.crowded.then_some(SpamReason::Crowded)
    }

    fn person(self) -> u32 {
        let pace = match self.pace {
            Pace::Hasty | Pace::Quick => 0,
            Pace::Steady => 1,
            Pace::Long => 2,
        };
        let hands = match self.hands {
            Hands::Unknown => 0,
            Hands::Few => 1,
            Hands::Many => 3,
        };
        pace + hands + u32::from(self.witnessed)
    }
}

#[cfg(test)]
mod tests;
