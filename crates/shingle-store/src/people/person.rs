//! The rows of one person: users with one address, each in a company.

use shingle_domain::SessionId;

use crate::StoreError;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional};
use crate::people::People;
use crate::store::require_row;

/// Rows of the person whose row this is.
macro_rules! of_person {
    ($user:literal) => {
        concat!("(SELECT b.id FROM portal_user a JOIN portal_user b ON b.email = a.email WHERE a.id = ", $user, ")")
    };
}
pub(crate) use of_person;

impl People<'_> {
    /// Locks the row of a session.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] once it has ended.
    pub(crate) async fn goes_on(self, tx: &mut Tx<'_>, session: SessionId) -> Result<(), StoreError> {
        require_row(execute!(
            tx,
            "UPDATE portal_session SET last_used_at = last_used_at WHERE id = $1",
            session.to_string()
        )?)
    }

    /// Two who would get one address at the same moment come one after the other.
    pub(crate) async fn one_at_a_time(self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        execute!(tx, "UPDATE installation SET serving = serving WHERE id = 1")?;
        Ok(())
    }

    /// To the same person in another company, before this row ends.
    pub(crate) async fn hand_over_keys(self, tx: &mut Tx<'_>, user: &str) -> Result<(), StoreError> {
        let heir = fetch_optional!(
            tx,
            (String,),
            concat!(
                "SELECT id FROM portal_user WHERE id <> $1 AND disabled_at IS NULL AND id IN ",
                of_person!("$1"),
                " ORDER BY created_at, id LIMIT 1"
            ),
            user
        )?;
        let Some((heir,)) = heir else { return Ok(()) };
        execute!(tx, "UPDATE portal_passkey SET user_id = $2 WHERE user_id = $1", user, &heir)?;
        execute!(tx, "UPDATE portal_recovery_code SET user_id = $2 WHERE user_id = $1", user, &heir)?;
        Ok(())
    }

    /// All users of a company that will be erased.
    pub(crate) async fn hand_over_keys_of_all(self, tx: &mut Tx<'_>, account: &str) -> Result<(), StoreError> {
        let users = fetch_all!(
            tx,
            (String,),
            "SELECT id FROM portal_user WHERE account_id = $1 AND disabled_at IS NULL ORDER BY id",
            account
        )?;
        for (user,) in users {
            self.hand_over_keys(tx, &user).await?;
        }
        Ok(())
    }
}
