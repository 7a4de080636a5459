//! Who does what is being done, and which widgets they see: the code that authenticates a caller says so once. The store
//! writes who it was beside each change, and finds nothing of other widgets.
//!
//! # Decision
//!
//! What a client sees is kept beside the actor, and the functions that find leads and widgets ask for it. Turned down: an
//! argument of each of them, which a new page can forget and so show a client another one's leads.

use std::cell::RefCell;

use shingle_domain::{KeyId, UserId, WidgetScope};
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

/// Who acts, and what they see.
#[derive(Clone)]
struct Acting {
    actor: Actor,
    sees: WidgetScope,
}

tokio::task_local! {
    static ACTING: RefCell<Acting>;
}

/// Runs `work` as this actor, until it says with [`act_as`] who else it is. A task that it spawns is the server's, unless
/// [`spawn_acting`] spawns it.
pub async fn acting<T>(actor: Actor, work: impl Future<Output = T>) -> T {
    ACTING.scope(RefCell::new(Acting { actor, sees: WidgetScope::All }), work).await
}

/// From here on, the work that [`acting`] runs is theirs. Outside of any it does nothing.
pub fn act_as(actor: Actor) {
    let _: Result<(), _> = ACTING.try_with(|now| now.borrow_mut().actor = actor);
}

/// From here on, the work that [`acting`] runs finds leads and results of these widgets only.
pub fn see_only(scope: WidgetScope) {
    let _: Result<(), _> = ACTING.try_with(|now| now.borrow_mut().sees = scope);
}

/// Who acts now and what they see, for work that goes on after the request: a table is written while it is read.
#[derive(Clone)]
pub struct ActorContext(Acting);

impl ActorContext {
    pub fn now() -> Self {
        Self(Acting { actor: acting_now(), sees: seen_now() })
    }

    /// The same actor, who sees these widgets while something is run.
    pub fn seeing(self, sees: WidgetScope) -> Self {
        Self(Acting { sees, ..self.0 })
    }

    pub async fn run<T>(&self, work: impl Future<Output = T>) -> T {
        ACTING.scope(RefCell::new(self.0.clone()), work).await
    }
}

pub(crate) fn seen_now() -> WidgetScope {
    ACTING.try_with(|now| now.borrow().sees.clone()).unwrap_or_default()
}

/// Spawns a task that keeps the current actor and what they see: work that outlives the request that started it.
pub fn spawn_acting<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    let now = ActorContext::now();
    tokio::spawn(async move { now.run(work).await })
}

pub(crate) fn acting_now() -> Actor {
    ACTING.try_with(|now| now.borrow().actor.clone()).unwrap_or(Actor::Server)
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

    #[tokio::test]
    async fn what_is_seen_goes_along_with_who_acts() {
        let scope = WidgetScope::only([]);
        let of_task = acting(Actor::Visitor, async {
            see_only(scope.clone());
            spawn_acting(async { seen_now() }).await.unwrap()
        });
        assert_eq!(of_task.await, scope);
        assert_eq!(seen_now(), WidgetScope::All);
    }
}
