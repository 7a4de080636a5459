//! What goes wrong.

use crate::dice::Dice;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// All is well, or recovers.
    Nothing,
    NodeKilled,
    TwoNodesKilled,
    NodeStopped,
    Promotion,
    StandbyLost,
    DatabaseSilent,
    ConnectionsLost,
    BucketGone,
    BucketSilent,
    ClockAhead,
    ClockBehind,
}

impl Fault {
    const OF_EVERY_MACHINE: [Self; 9] = [
        Self::NodeKilled,
        Self::TwoNodesKilled,
        Self::NodeStopped,
        Self::Promotion,
        Self::StandbyLost,
        Self::DatabaseSilent,
        Self::ConnectionsLost,
        Self::BucketGone,
        Self::BucketSilent,
    ];

    /// Each once.
    pub fn all(with_clocks: bool) -> Vec<Self> {
        let of_clocks = [Self::ClockAhead, Self::ClockBehind].into_iter().filter(|_| with_clocks);
        Self::OF_EVERY_MACHINE.into_iter().chain(of_clocks).collect()
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing, between faults",
            Self::NodeKilled => "kill -9 of a node",
            Self::TwoNodesKilled => "kill -9 of two nodes at once",
            Self::NodeStopped => "a node stands still (SIGSTOP)",
            Self::Promotion => "kill -9 of PostgreSQL, standby promoted",
            Self::StandbyLost => "the synchronous standby is gone",
            Self::DatabaseSilent => "PostgreSQL is silent",
            Self::ConnectionsLost => "all database connections lost",
            Self::BucketGone => "the bucket is gone",
            Self::BucketSilent => "the bucket is silent",
            Self::ClockAhead => "a node's clock is an hour ahead",
            Self::ClockBehind => "a node's clock is an hour behind",
        }
    }
}

/// Faults in an order of the dice: each comes once before any comes again.
pub struct Deck {
    all: Vec<Fault>,
    left: Vec<Fault>,
    dealt: usize,
}

impl Deck {
    pub fn new(all: Vec<Fault>) -> Self {
        Self { all, left: Vec::new(), dealt: 0 }
    }

    pub fn deal(&mut self, dice: &mut Dice) -> Fault {
        if self.left.is_empty() {
            self.left.clone_from(&self.all);
        }
        self.dealt += 1;
        self.left.swap_remove(dice.below(self.left.len() as u64) as usize)
    }

    pub fn is_dealt_once(&self) -> bool {
        self.dealt >= self.all.len()
    }
}
