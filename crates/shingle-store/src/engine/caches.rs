//! What every request needs first: read once, then held in memory.

use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use shingle_domain::lookup::Product;
use shingle_domain::notice::NoticeSettings;
use shingle_domain::{AccountId, KeyId, LinkId, Tenant};

use crate::accounts::key_terms::KeyTerms;
use crate::encryption::data_key::DataKeys;
use crate::engine::db::{Db, Tx, execute, fetch_optional};
use crate::engine::patience::promptly;
use crate::engine::record_cache::{Age, Generation, Generations, RecordCache};
use crate::widgets::stored::StoredWidget;
use crate::{Clock, StoreError};

const MAX_KEYS: usize = 20_000;
const MAX_ACCOUNTS: usize = 20_000;
/// Of some 5 kB each.
const MAX_WIDGETS: usize = 4_000;

pub(crate) struct Caches {
    pub keys: RecordCache<String, LiveKey>,
    pub terms: RecordCache<AccountId, CallTerms>,
    pub widgets: RecordCache<LinkId, StoredWidget>,
    pub notices: RecordCache<Tenant, Option<NoticeSettings>>,
    pub data_keys: RecordCache<AccountId, DataKeys>,
    pub generations: Generations,
}

/// A key that is not revoked.
pub(crate) struct LiveKey {
    pub id: KeyId,
    pub tenant: Tenant,
    pub hash: String,
    pub terms: KeyTerms,
    /// Microseconds; zero: never.
    pub last_used_at: AtomicI64,
}

/// On what terms an account may look up. How much of its limit or balance is left is never held in memory.
pub(crate) struct CallTerms {
    pub paused: bool,
    pub products: Vec<Product>,
    /// Has a limit or a balance.
    pub metered: bool,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            keys: RecordCache::new(MAX_KEYS),
            terms: RecordCache::new(MAX_ACCOUNTS),
            widgets: RecordCache::new(MAX_WIDGETS),
            notices: RecordCache::new(MAX_ACCOUNTS),
            data_keys: RecordCache::new(MAX_ACCOUNTS),
            generations: Generations::default(),
        }
    }
}

impl Caches {
    /// The generation of the records that may be used now; reads the revision if that is due.
    pub async fn generation(self: &Arc<Self>, db: &Db, clock: &Arc<dyn Clock>) -> Result<Generation, StoreError> {
        let now = clock.elapsed();
        match self.generations.age(now) {
            Age::Recent => {}
            Age::Due => {
                // One reads, the others go on. A failure shows once the last reading has expired.
                if let Ok(turn) = self.generations.reading.clone().try_lock_owned() {
                    let (caches, db, clock) = (self.clone(), db.clone(), clock.clone());
                    // Requests soon wait for it.
                    tokio::spawn(promptly(async move {
                        let _ = caches.read_revision(&db, &*clock).await;
                        drop(turn);
                    }));
                }
            }
            Age::Expired => {
                let failures = self.generations.failures();
                let _turn = self.generations.reading.lock().await;
                if self.generations.age(clock.elapsed()) == Age::Expired {
                    if let Some(error) = self.generations.failure_after(failures) {
                        return Err(error);
                    }
                    // Rare, and so on the heap: what waits here is part of the state of every request.
                    Box::pin(self.read_revision(db, &**clock)).await?;
                }
            }
        }
        Ok(self.generations.current(now))
    }

    async fn read_revision(&self, db: &Db, clock: &dyn Clock) -> Result<(), StoreError> {
        let begun = clock.elapsed();
        let read = async {
            let mut reader = db.read().await?;
            Ok::<_, StoreError>(fetch_optional!(reader, (i64,), "SELECT revision FROM installation WHERE id = 1")?)
        };
        let row = read.await.map_err(|error| self.generations.note_failure(error))?;
        if self.generations.note(begun, row.map_or(0, |(revision,)| revision)) {
            self.clear();
        }
        Ok(())
    }

    fn clear(&self) {
        self.keys.clear();
        self.terms.clear();
        self.widgets.clear();
        self.notices.clear();
        self.data_keys.clear();
    }
}

/// Tells every process that keys, accounts' terms, widgets or notice settings have changed. The last statement of a transaction: others
/// wait for the row.
pub(crate) async fn raise_revision(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    execute!(tx, "UPDATE installation SET revision = revision + 1 WHERE id = 1")?;
    Ok(())
}
