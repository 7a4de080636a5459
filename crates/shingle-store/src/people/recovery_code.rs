//! Recovery codes on paper, for a day without mail and device.

use shingle_domain::{AccountId, Email, SessionId, UserId};

use crate::StoreError;
use crate::audit::change::Change;
use crate::engine::db::{execute, fetch_optional, transact};
use crate::people::People;
use crate::people::person::of_person;
use crate::store::{parse_id, require_row};

/// Codes of one user.
pub const RECOVERY_CODES: usize = 8;
/// Crockford's: those that are mistaken for others are read as them.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

fn new_code() -> Result<String, StoreError> {
    let mut bytes = [0; 10];
    getrandom::fill(&mut bytes).map_err(StoreError::Random)?;
    let letters: Vec<char> = bytes.iter().map(|b| char::from(LETTERS[usize::from(b % 32)])).collect();
    let (first, second) = letters.split_at(5);
    Ok(format!("{}-{}", first.iter().collect::<String>(), second.iter().collect::<String>()))
}

/// As it is hashed, however it was typed.
fn normalized(code: &str) -> String {
    let letters = code.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase());
    letters
        .map(|letter| match letter {
            'i' | 'l' => '1',
            'o' => '0',
            other => other,
        })
        .collect()
}

impl People<'_> {
    /// Generates new codes, which are shown once, and invalidates the old ones.
    pub async fn make_recovery_codes(self, user: UserId) -> Result<Vec<String>, StoreError> {
        self.make_recovery_codes_in(user, None).await
    }

    /// `session`: only while it goes on, so that what ends it ends the codes too.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] once the session has ended.
    pub async fn make_recovery_codes_in(
        self,
        user: UserId,
        session: Option<SessionId>,
    ) -> Result<Vec<String>, StoreError> {
        let codes = (0..RECOVERY_CODES).map(|_| new_code()).collect::<Result<Vec<_>, _>>()?;
        let id = user.to_string();
        transact!(self.store.db, |tx| {
            if let Some(session) = session {
                self.goes_on(tx, session).await?;
            }
            execute!(tx, concat!("DELETE FROM portal_recovery_code WHERE user_id IN ", of_person!("$1")), &id)?;
            for code in &codes {
                execute!(
                    tx,
                    "INSERT INTO portal_recovery_code (user_id, code, made_for) VALUES ($1, $2, $1)",
                    &id,
                    self.recovery_hash(user, code)
                )?;
            }
            let row = fetch_optional!(tx, (Option<String>,), "SELECT account_id FROM portal_user WHERE id = $1", &id)?;
            let account = row.and_then(|(account,)| account);
            let account: Option<AccountId> = account.as_deref().map(|id| parse_id("account", id)).transpose()?;
            self.store.audit().note_change(tx, account, Change::RecoveryCodesMade, &id, "").await
        })?;
        Ok(codes)
    }

    fn recovery_hash(self, user: UserId, code: &str) -> String {
        self.store.hashes.portal("recovery", &format!("{user} {}", normalized(code)))
    }

    /// How many are left.
    pub async fn recovery_codes_left(self, user: UserId) -> Result<u32, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (i64,),
            concat!(
                "SELECT COUNT(*) FROM portal_recovery_code WHERE used_at IS NULL AND user_id IN ",
                of_person!("$1")
            ),
            user.to_string()
        )?;
        Ok(row.and_then(|(left,)| u32::try_from(left).ok()).unwrap_or_default())
    }

    /// Spends a code of the user with the address. `None` where it is not one of theirs.
    pub async fn use_recovery_code(self, email: &Email, code: &str) -> Result<Option<UserId>, StoreError> {
        let Some(user) = self.find_user_by_email(email).await? else { return Ok(None) };
        let (now, id) = (self.store.now().micros(), user.id.to_string());
        let spent: Result<(), StoreError> = transact!(self.store.db, |tx| {
            // All are made at once, for one of the person's users.
            let made_for = fetch_optional!(
                tx,
                (String,),
                concat!("SELECT made_for FROM portal_recovery_code WHERE user_id IN ", of_person!("$1"), " LIMIT 1"),
                &id
            )?;
            let (made_for,) = made_for.ok_or(StoreError::NotFound)?;
            require_row(execute!(
                tx,
                concat!(
                    "UPDATE portal_recovery_code SET used_at = $3 WHERE code = $2 AND used_at IS NULL AND user_id IN ",
                    of_person!("$1")
                ),
                &id,
                self.recovery_hash(parse_id("user", &made_for)?, code),
                now
            )?)
        });
        match spent {
            Ok(()) => Ok(Some(user.id)),
            Err(StoreError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
