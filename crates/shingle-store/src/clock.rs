use shingle_domain::Timestamp;

/// The current time. The server passes the system clock, tests a clock that they set.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}
