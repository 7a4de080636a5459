//! Who does what is being done: the code that authenticates a caller says so once, and the store writes it beside each
//! change.

use std::cell::RefCell;

use shingle_domain::{KeyId, UserId};
use tokio::task::JoinHandle;

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

/// Runs `work` as this actor, until it says with [`act_as`] who else it is. A task that it spawns is the server's, unless
/// [`spawn_acting`] spawns it.
pub async fn acting<T>(actor: Actor, work: impl Future<Output = T>) -> T {
    ACTOR.scope(RefCell::new(actor), work).await
}

/// From here on, the work that [`acting`] runs is theirs. Outside of any it does nothing.
pub fn act_as(actor: Actor) {
    let _: Result<(), _> = ACTOR.try_with(|now| *now.borrow_mut() = actor);
}

/// Spawns a task that keeps the current actor: work that outlives the request that started it.
pub fn spawn_acting<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    tokio::spawn(acting(acting_now(), work))
}

pub(crate) fn acting_now() -> Actor {
    ACTOR.try_with(|now| now.borrow().clone()).unwrap_or(Actor::Server)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_is_the_servers_unless_it_is_spawned_for_who_acts() {
        let user = Actor::User(UserId(uuid::Uuid::from_u128(7)));
        let of_tasks = acting(Actor::Visitor, async {
            act_as(user.clone());
            let plain = tokio::spawn(async { acting_now() }).await.unwrap();
            let theirs = spawn_acting(async {
                tokio::task::yield_now().await;
                acting_now()
            });
            act_as(Actor::CommandLine);
            (plain, theirs.await.unwrap())
        });
        assert_eq!(of_tasks.await, (Actor::Server, user));
        assert_eq!(acting_now(), Actor::Server);
    }
}
