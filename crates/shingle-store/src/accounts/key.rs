//! API keys: `sandbox_` or `production_`, an 8-character id, 256 random bits and a checksum, in base 62.

use core::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::{AccountId, Environment, KeyId, Tenant, Timestamp, WidgetScope};
use subtle::ConstantTimeEq;

use crate::accounts::Accounts;
use crate::accounts::api_request::RequestKey;
use crate::accounts::key_terms::KeyTerms;
use crate::audit::change::Change;
use crate::engine::caches::{LiveKey, raise_revision};
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::store::{parse_id, refuse_nul};
use crate::{Refusal, StoreError};

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
    pub terms: KeyTerms,
    pub created_at: Timestamp,
}

impl IssuedKey {
    fn make(tenant: Tenant, terms: KeyTerms, created_at: Timestamp) -> Result<Self, StoreError> {
        let (id, secret) = new_token(tenant.environment)?;
        Ok(Self { id, tenant, secret, terms, created_at })
    }
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
    pub terms: KeyTerms,
    pub created_at: Timestamp,
    /// To the hour.
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// The key that took its place.
    pub successor: Option<KeyId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    Live,
    Revoked,
    Expired,
}

impl ApiKey {
    pub fn state(&self, now: Timestamp) -> KeyState {
        match (self.revoked_at, self.terms.expires_at) {
            (Some(_), _) => KeyState::Revoked,
            (None, Some(end)) if end <= now => KeyState::Expired,
            _ => KeyState::Live,
        }
    }
}

/// Who is calling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub key: KeyId,
    pub tenant: Tenant,
    pub sees: WidgetScope,
    products: Vec<Product>,
}

impl Caller {
    /// Whether the key does everything. One that is for some look-ups or for the leads of some widgets does nothing else.
    pub fn may_do_everything(&self) -> bool {
        self.products.is_empty() && self.sees.is_all()
    }

    /// Whether it reads leads: all of them, or those of its widgets.
    pub fn may_read_leads(&self) -> bool {
        self.may_do_everything() || !self.sees.is_all()
    }

    /// Asked after the account's own checks, which come first in the contract.
    ///
    /// # Errors
    /// [`Refusal::ProductOff`] when the key is for other look-ups.
    pub fn may_look_up(&self, product: Product) -> Result<(), Refusal> {
        let may = self.may_do_everything() || self.products.contains(&product);
        if may { Ok(()) } else { Err(Refusal::ProductOff) }
    }
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
        name: String,
        expires_at: Option<i64>,
        products: Option<String>,
        widgets: Option<String>,
        networks: Option<String>,
        successor: Option<String>,
    }
}

macro_rules! select_keys {
    ($which:literal) => {
        concat!(
            "SELECT id, account_id, environment, hash, created_at, last_used_at, revoked_at, name, expires_at, products,
                    widgets, networks, successor
               FROM api_key ",
            $which
        )
    };
}

impl KeyRow {
    fn tenant(&self) -> Result<Tenant, StoreError> {
        Ok(Tenant {
            account: parse_id("account", &self.account_id)?,
            environment: parse_id("environment", &self.environment)?,
        })
    }

    fn terms(&self) -> Result<KeyTerms, StoreError> {
        let (products, networks) = (self.products.as_deref(), self.networks.as_deref());
        KeyTerms::read(&self.id, self.name.clone(), self.expires_at, products, self.widgets.as_deref(), networks)
    }
}

impl TryFrom<KeyRow> for ApiKey {
    type Error = StoreError;

    fn try_from(row: KeyRow) -> Result<Self, StoreError> {
        Ok(Self {
            tenant: row.tenant()?,
            terms: row.terms()?,
            id: KeyId(row.id),
            created_at: Timestamp::from_micros(row.created_at),
            last_used_at: row.last_used_at.map(Timestamp::from_micros),
            revoked_at: row.revoked_at.map(Timestamp::from_micros),
            successor: row.successor.map(KeyId),
        })
    }
}

impl Accounts<'_> {
    /// A key that does everything from everywhere, until it is revoked.
    pub async fn issue_key(self, account: AccountId, environment: Environment) -> Result<IssuedKey, StoreError> {
        self.issue_key_on(account, environment, &KeyTerms::default()).await
    }

    pub async fn issue_key_on(
        self,
        account: AccountId,
        environment: Environment,
        terms: &KeyTerms,
    ) -> Result<IssuedKey, StoreError> {
        self.issue_key_once(account, environment, terms, None).await
    }

    /// # Errors
    /// [`StoreError::MadeBefore`] when this request has made its key, which was shown then.
    pub async fn issue_key_once(
        self,
        account: AccountId,
        environment: Environment,
        terms: &KeyTerms,
        request: Option<&RequestKey>,
    ) -> Result<IssuedKey, StoreError> {
        refuse_nul(&terms.name)?;
        let issued = IssuedKey::make(Tenant { account, environment }, terms.clone(), self.store.now())?;
        let account = account.to_string();
        transact!(self.store.db, |tx| {
            let known = fetch_optional!(tx, (String,), "SELECT id FROM account WHERE id = $1", &account)?;
            if known.is_none() {
                return Err(StoreError::NotFound);
            }
            if self.keep_request(tx, &issued.tenant, request, &issued.id.0).await?.is_some() {
                return Err(StoreError::MadeBefore);
            }
            self.insert_key(tx, &issued).await?;
            self.store.audit().note_change(tx, issued.tenant.account, Change::KeyIssued, &issued.id.0, "").await
        })?;
        Ok(issued)
    }

    /// A new key on the terms of this one, which is good for so long yet. A key that was to expire is followed by one for
    /// as long again.
    ///
    /// # Errors
    /// [`StoreError::KeyEnded`] and [`StoreError::KeyReplaced`] when it is not the one in use.
    pub async fn rotate_key(self, id: &KeyId, overlap: Duration) -> Result<IssuedKey, StoreError> {
        let now = self.store.now();
        let _changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            let row = fetch_optional!(tx, KeyRow, select_keys!("WHERE id = $1"), &id.0)?;
            let old = ApiKey::try_from(row.ok_or(StoreError::NotFound)?)?;
            if let Some(successor) = old.successor {
                return Err(StoreError::KeyReplaced(successor));
            }
            if old.state(now) != KeyState::Live {
                return Err(StoreError::KeyEnded);
            }
            let end = old.terms.expires_at.map_or(now + overlap, |end| end.min(now + overlap));
            let lifetime = |end: Timestamp| end.micros().saturating_sub(old.created_at.micros());
            let expires_at =
                old.terms.expires_at.map(|end| Timestamp::from_micros(now.micros().saturating_add(lifetime(end))));
            let issued = IssuedKey::make(old.tenant, KeyTerms { expires_at, ..old.terms }, now)?;
            let ended = execute!(
                tx,
                "UPDATE api_key SET expires_at = $2, successor = $3
                  WHERE id = $1 AND revoked_at IS NULL AND successor IS NULL",
                &id.0,
                end.micros(),
                &issued.id.0
            )?;
            if ended == 0 {
                return Err(StoreError::KeyEnded);
            }
            self.insert_key(tx, &issued).await?;
            self.store.audit().note_change(tx, issued.tenant.account, Change::KeyRotated, &id.0, "").await?;
            raise_revision(tx).await?;
            Ok(issued)
        })
    }

    async fn insert_key(self, tx: &mut Tx<'_>, issued: &IssuedKey) -> Result<(), StoreError> {
        let IssuedKey { id, tenant, secret, terms, created_at } = issued;
        execute!(
            tx,
            "INSERT INTO api_key (id, account_id, environment, hash, created_at, name, expires_at, products, networks, widgets)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &id.0,
            tenant.account.to_string(),
            tenant.environment.as_str(),
            self.store.hashes.api_key(secret).to_hex().as_str(),
            created_at.micros(),
            &terms.name,
            terms.expires_at.map(Timestamp::micros),
            terms.products_text(),
            terms.networks_text(),
            terms.sees.text()
        )?;
        Ok(())
    }

    /// The key is refused from now on. Revoking it twice keeps the first time.
    pub async fn revoke_key(self, id: &KeyId) -> Result<(), StoreError> {
        let now = self.store.now();
        let _changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            let row = fetch_optional!(
                tx,
                (String,),
                "UPDATE api_key SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING account_id",
                &id.0,
                now.micros()
            )?;
            let (account,) = row.ok_or(StoreError::NotFound)?;
            let account: AccountId = parse_id("account", &account)?;
            self.store.audit().note_change(tx, account, Change::KeyRevoked, &id.0, "").await?;
            raise_revision(tx).await
        })
    }

    /// Revoked ones too, oldest first.
    pub async fn list_keys(self, account: AccountId) -> Result<Vec<ApiKey>, StoreError> {
        self.store.usage().flush().await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            KeyRow,
            select_keys!("WHERE account_id = $1 ORDER BY created_at, id"),
            account.to_string()
        )?;
        rows.into_iter().map(ApiKey::try_from).collect()
    }

    /// `None` for anything that is not a live key of this installation that may be used `from` there. Malformed tokens never
    /// reach the database.
    pub async fn authenticate(self, token: &str, from: IpAddr) -> Result<Option<Caller>, StoreError> {
        let Some(id) = id_of(token) else { return Ok(None) };
        let Some(key) = self.live_key(id).await? else { return Ok(None) };
        // The hash covers the environment in the token, so a key does not work in the other environment.
        let hash = self.store.hashes.api_key(token).to_hex();
        if !bool::from(hash.as_bytes().ct_eq(key.hash.as_bytes())) {
            return Ok(None);
        }
        let now = self.store.now();
        if !key.terms.allow(now, from) {
            return Ok(None);
        }
        let now = now.micros();
        if key.last_used_at.load(Ordering::Relaxed) < now - USE_RECORDED_EVERY_MICROS {
            // Written with the next usage, outside of any request: whether it succeeds is nothing to the caller.
            key.last_used_at.store(now, Ordering::Relaxed);
            self.store.usage.note_use(&key.id, now);
        }
        Ok(Some(Caller {
            tenant: key.tenant,
            key: key.id.clone(),
            sees: key.terms.sees.clone(),
            products: key.terms.products.clone(),
        }))
    }

    /// `None` for one that is revoked, too.
    async fn live_key(self, id: &str) -> Result<Option<Arc<LiveKey>>, StoreError> {
        let generation = self.store.generation().await?;
        if let Some(key) = self.store.caches.keys.get(id, generation) {
            return Ok(Some(key));
        }
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            KeyRow,
            select_keys!(
                "WHERE id = $1 AND revoked_at IS NULL
               AND NOT EXISTS (SELECT 1 FROM account WHERE account.id = account_id AND closed_at IS NOT NULL)"
            ),
            id
        )?;
        let Some(row) = row else { return Ok(None) };
        let key = Arc::new(LiveKey {
            tenant: row.tenant()?,
            terms: row.terms()?,
            last_used_at: AtomicI64::new(row.last_used_at.unwrap_or_default()),
            hash: row.hash,
            id: KeyId(row.id),
        });
        self.store.caches.keys.insert(id.to_owned(), generation, key.clone());
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
