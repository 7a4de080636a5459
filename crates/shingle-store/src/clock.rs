use shingle_domain::Timestamp;

/// Where the present moment comes from. The server hands in the machine's clock, tests one they turn.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}
