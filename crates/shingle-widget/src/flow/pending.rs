//! A lead, and what is known while it has not arrived.

use shingle_domain::public::AddressChoice;

/// What the visitor enters. The sender adds the source of the visit and the text of the consent.
#[derive(Debug, Clone, PartialEq)]
pub struct Lead {
    pub address: AddressChoice,
    /// A bit for each building of the roof answer that is to be priced.
    pub picked: u32,
    /// In the order of [`Field::ALL`](super::contact::Field::ALL).
    pub contact: [String; 4],
    pub consent: bool,
    /// The honeypot.
    pub website: String,
    /// Between opening the flow for the first time and sending the form.
    pub elapsed_ms: u32,
    /// How often the visitor did something.
    pub acts: u32,
}

/// A lead that is being sent. It is stored on the device until the server has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    /// The `Idempotency-Key`: the same for every attempt.
    pub key: String,
    /// `None` for a lead of an earlier page, which only the device's storage holds.
    pub lead: Option<Lead>,
}

/// A failed request that is tried again.
#[derive(Debug, Clone, PartialEq)]
pub struct Retry {
    /// Failed attempts so far.
    pub attempt: u32,
    /// Seconds to the next attempt; `None` while it runs, or when only the visitor starts it.
    pub wait: Option<u32>,
}

/// How far the request for a visit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Booking {
    Idle,
    Sending,
    /// It did not arrive, and can be sent again.
    Offline,
    /// The server does not accept it.
    Refused,
    /// No time was picked.
    Empty,
}

/// Afterwards only the visitor starts another attempt.
pub const MAX_ATTEMPTS: u32 = 10;

/// Seconds before the next attempt: doubled each time up to a minute, plus up to a quarter that depends on the
/// seed.
pub fn backoff(attempt: u32, seed: u32) -> u32 {
    let base = 2_u32 << attempt.min(5);
    let spread = base / 4 + 1;
    base.min(60) + seed.wrapping_mul(attempt.wrapping_mul(2_654_435_761) | 1) % spread
}
