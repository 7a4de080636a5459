//! API keys: `sandbox_` or `production_`, an 8-character id, 256 random bits and a checksum, in base 62.

use core::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use shingle_domain::{AccountId, Environment, KeyId, Tenant, Timestamp};
use subtle::ConstantTimeEq;

use crate::caches::{LiveKey, raise_revision};
use crate::db::{execute, fetch_all, fetch_optional, transact};
use crate::store::{parse_id, require_row};
use crate::{Store, StoreError};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_LENGTH: usize = 8;
/// 43 characters of 62 hold 256 bits.
const RANDOM_LENGTH: usize = 43;
const CHECKSUM_LENGTH: usize = 6;

/// The last use is recorded at most once an hour: recording is a write, and authentication should stay a read.
const USE_RECORDED_EVERY_MICROS: i64 = 3_600_000_000;

/// A new key. Its secret can be read only here.
#[derive(Clone)]
pub struct IssuedKey {
    pub id: KeyId,
    pub tenant: Tenant,
    /// The whole token, as it is sent in the `token` header.
    pub secret: String,
    pub created_at: Timestamp,
}

impl fmt::Debug for IssuedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IssuedKey").field("id", &self.id).field("tenant", &self.tenant).finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    pub id: KeyId,
    pub tenant: Tenant,
    pub created_at: Timestamp,
    /// To the hour.
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// Who is calling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub key: KeyId,
    pub tenant: Tenant,
}

row! {
    struct KeyRow {
        id: String,
        account_id: String,
        environment: String,
        hash: String,
        created_at: i64,
        last_used_at: Option<i64>,
        revoked_at: Option<i64>,
    }
}

impl KeyRow {
    fn tenant(&self) -> Result<Tenant, StoreError> {
        Ok(Tenant {
            account: parse_id("account", &self.account_id)?,
            environment: parse_id("environment", &self.environment)?,
        })
    }
}

impl Store {
    pub async fn issue_key(&self, account: AccountId, environment: Environment) -> Result<IssuedKey, StoreError> {
        let tenant = Tenant { account, environment };
        let (id, secret) = new_token(environment)?;
        let hash = self.hashes.api_key(&secret).to_hex();
        let (account, now) = (account.to_string(), self.now());
        transact!(self.db, |tx| {
            let known = fetch_optional!(tx, (String,), "SELECT id FROM account WHERE id = $1", &account)?;
            if known.is_none() {
                return Err(StoreError::NotFound);
            }
            execute!(
                tx,
                "INSERT INTO api_key (id, account_id, environment, hash, created_at) VALUES ($1, $2, $3, $4, $5)",
                &id.0,
                &account,
                environment.as_str(),
                hash.as_str(),
                now.micros()
            )?;
            Ok(())
        })?;
        Ok(IssuedKey { id, tenant, secret, created_at: now })
    }

    /// The key is refused from now on. Revoking it twice keeps the first time.
    pub async fn revoke_key(&self, id: &KeyId) -> Result<(), StoreError> {
        let now = self.now();
        let _changing = self.caches.generations.changing();
        transact!(self.db, |tx| {
            require_row(execute!(
                tx,
                "UPDATE api_key SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1",
                &id.0,
                now.micros()
            )?)?;
            raise_revision(tx).await
        })
    }

    /// Revoked ones too, oldest first.
    pub async fn list_keys(&self, account: AccountId) -> Result<Vec<ApiKey>, StoreError> {
        self.flush_usage().await?;
        let mut reader = self.db.read().await?;
        let rows = fetch_all!(
            reader,
            KeyRow,
            "SELECT id, account_id, environment, hash, created_at, last_used_at, revoked_at
               FROM api_key WHERE account_id = $1 ORDER BY created_at, id",
            account.to_string()
        )?;
        rows.into_iter()
            .map(|row| {
                Ok(ApiKey {
                    tenant: row.tenant()?,
                    id: KeyId(row.id),
                    created_at: Timestamp::from_micros(row.created_at),
                    last_used_at: row.last_used_at.map(Timestamp::from_micros),
                    revoked_at: row.revoked_at.map(Timestamp::from_micros),
                })
            })
            .collect()
    }

    /// `None` for anything that is not a live key of this installation. Malformed tokens never reach the
    /// database.
    pub async fn authenticate(&self, token: &str) -> Result<Option<Caller>, StoreError> {
        let Some(id) = id_of(token) else { return Ok(None) };
        let Some(key) = self.live_key(id).await? else { return Ok(None) };
        // The hash covers the environment in the token, so a key does not work in the other environment.
        let hash = self.hashes.api_key(token).to_hex();
        if !bool::from(hash.as_bytes().ct_eq(key.hash.as_bytes())) {
            return Ok(None);
        }
        let now = self.now().micros();
        if key.last_used_at.load(Ordering::Relaxed) < now - USE_RECORDED_EVERY_MICROS {
            // Written with the next usage, outside of any request: whether it succeeds is nothing to the caller.
            key.last_used_at.store(now, Ordering::Relaxed);
            self.usage.note_use(&key.id, now);
        }
        Ok(Some(Caller { tenant: key.tenant, key: key.id.clone() }))
    }

    /// `None` for one that is revoked, too.
    async fn live_key(&self, id: &str) -> Result<Option<Arc<LiveKey>>, StoreError> {
        let generation = self.generation().await?;
        if let Some(key) = self.caches.keys.get(id, generation) {
            return Ok(Some(key));
        }
        let mut reader = self.db.read().await?;
        let row = fetch_optional!(
            reader,
            KeyRow,
            "SELECT id, account_id, environment, hash, created_at, last_used_at, revoked_at
               FROM api_key WHERE id = $1 AND revoked_at IS NULL",
            id
        )?;
        let Some(row) = row else { return Ok(None) };
        let key = Arc::new(LiveKey {
            tenant: row.tenant()?,
            last_used_at: AtomicI64::new(row.last_used_at.unwrap_or_default()),
            hash: row.hash,
            id: KeyId(row.id),
        });
        self.caches.keys.insert(id.to_owned(), generation, key.clone());
        Ok(Some(key))
    }
}

fn new_token(environment: Environment) -> Result<(KeyId, String), StoreError> {
    let id = random_text(ID_LENGTH)?;
    let mut token = format!("{environment}_{id}{}", random_text(RANDOM_LENGTH)?);
    token.push_str(&checksum(&token));
    Ok((KeyId(id), token))
}

/// The id in a well-formed token, `None` for anything else.
fn id_of(token: &str) -> Option<&str> {
    let (environment, rest) = token.split_once('_')?;
    environment.parse::<Environment>().ok()?;
    if rest.len() != ID_LENGTH + RANDOM_LENGTH + CHECKSUM_LENGTH || !rest.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    let (body, sum) = token.split_at(token.len() - CHECKSUM_LENGTH);
    (checksum(body) == sum).then(|| &rest[..ID_LENGTH])
}

/// Proves nothing: it lets us, and scanners for leaked keys, tell a key from a similar text.
fn checksum(body: &str) -> String {
    let hash = blake3::hash(body.as_bytes());
    hash.as_bytes().iter().take(CHECKSUM_LENGTH).map(|b| ALPHABET[usize::from(*b) % ALPHABET.len()] as char).collect()
}

/// Every character equally likely: bytes past the last whole multiple of 62 are drawn again.
fn random_text(length: usize) -> Result<String, StoreError> {
    let mut text = String::with_capacity(length);
    let mut bytes = [0; 64];
    while text.len() < length {
        getrandom::fill(&mut bytes).map_err(StoreError::Random)?;
        let fair = bytes.iter().filter(|b| **b < 248).map(|b| ALPHABET[usize::from(*b) % ALPHABET.len()] as char);
        text.extend(fair.take(length - text.len()));
    }
    Ok(text)
}
