//! Nodes tell each other once a second what they let pass of limits.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use shingle_store::StoreError;
use tokio::time::MissedTickBehavior;

use crate::state::Web;

const EVERY: Duration = Duration::from_secs(1);

/// By the names of limits.
type Uses = BTreeMap<String, BTreeMap<String, u32>>;

/// Of one node.
#[derive(Default)]
struct Sharing {
    /// What the others were not told yet.
    untold: Uses,
    /// Rows that are counted, and come again.
    counted: HashSet<String>,
    has_begun: bool,
}

impl Sharing {
    async fn share(&mut self, web: &Web) -> Result<(), StoreError> {
        let limits: Vec<_> = web.limits.shared().into_iter().chain(web.portal.limits.shared()).collect();
        for (name, limit) in &limits {
            let used = limit.take_used();
            if !used.is_empty() {
                let untold = self.untold.entry(name.clone()).or_default();
                used.into_iter().for_each(|(key, count)| *untold.entry(key).or_default() += count);
            }
        }
        let told = (!self.untold.is_empty()).then(|| serde_json::to_string(&self.untold)).transpose()?;
        let rows = web.store.nodes().share_limits(&web.node.id, told.as_deref(), !self.has_begun).await?;
        self.untold.clear();
        self.has_begun = true;
        for row in rows.iter().filter(|row| !self.counted.contains(&row.id)) {
            // Another version may write what this one does not read.
            let Ok(uses) = serde_json::from_str::<Uses>(&row.uses) else { continue };
            for (name, limit) in &limits {
                for (key, count) in uses.get(name).into_iter().flatten() {
                    limit.count_others(key, *count);
                }
            }
        }
        self.counted = rows.into_iter().map(|row| row.id).collect();
        Ok(())
    }
}

/// Until it is aborted.
pub async fn keep_sharing(web: Arc<Web>) {
    if !web.store.nodes().may_be_several() {
        return;
    }
    let mut sharing = Sharing::default();
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = sharing.share(&web).await {
            tracing::debug!(%error, "the other servers could not be told what was used of limits");
        }
    }
}
