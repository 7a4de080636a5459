//! Who does what is being done: the code that authenticates a caller says so once, and the store writes it beside each
//! change.

use std::cell::RefCell;

use shingle_domain::{KeyId, UserId};

/// Who changes something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The server itself: its chores and deliveries.
    Server,
    /// The operator, on the server's command line.
    CommandLine,
    /// Somebody who is not signed in: a visitor, or the person who opened a mailed link.
    Visitor,
    Key(KeyId),
    User(UserId),
}

impl Actor {
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::CommandLine => "commandLine",
            Self::Visitor => "visitor",
            Self::Key(_) => "key",
            Self::User(_) => "user",
        }
    }

    pub(crate) fn id(&self) -> Option<String> {
        match self {
            Self::Server | Self::CommandLine | Self::Visitor => None,
            Self::Key(id) => Some(id.to_string()),
            Self::User(id) => Some(id.to_string()),
        }
    }

    pub(crate) fn read(kind: &str, id: Option<&str>) -> Option<Self> {
        Some(match (kind, id) {
            ("server", _) => Self::Server,
            ("commandLine", _) => Self::CommandLine,
            ("visitor", _) => Self::Visitor,
            ("key", Some(id)) => Self::Key(KeyId(id.to_owned())),
            ("user", Some(id)) => Self::User(id.parse().ok()?),
            _ => return None,
        })
    }
}

tokio::task_local! {
    static ACTOR: RefCell<Actor>;
}

/// Runs `work` as this actor, until it says with [`act_as`] who else it is. A task that it spawns is the server's.
pub async fn acting<T>(actor: Actor, work: impl Future<Output = T>) -> T {
    ACTOR.scope(RefCell::new(actor), work).await
}

/// From here on, the work that [`acting`] runs is theirs. Outside of any it does nothing.
pub fn act_as(actor: Actor) {
    let _: Result<(), _> = ACTOR.try_with(|now| *now.borrow_mut() = actor);
}

/// For work that goes on in a task of its own.
pub fn acting_now() -> Actor {
    ACTOR.try_with(|now| now.borrow().clone()).unwrap_or(Actor::Server)
}
