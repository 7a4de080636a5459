//! The newest release once a month, without a person.
//!
//! # Decision
//!
//! The switch is a file beside the areas: they are of one machine, as the index is, and each machine refreshes its own.
//! From four weeks after the day of its release an area's source is asked once a day for a newer one: sources publish
//! monthly, and on no fixed day. A release that is held back or was taken back is passed over, the next one is not.
//! Turned down: a column of the database, which would switch it on for machines that have other areas.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shingle_domain::Timestamp;
use shingle_domain::message::ToMessage;
use shingle_source::Release;
use shingle_store::Clock;

use super::load::{EXTRAS_PATIENCE, LoadOptions, now};
use super::messages::{AreaError, AreaRefusal};
use super::record::{AreaCheck, AreaRecord, replace_file};
use super::store::Areas;

const DAY: Duration = Duration::from_secs(24 * 3_600);
const FOUR_WEEKS: Duration = Duration::from_secs(28 * 24 * 3_600);

const SWITCHES: &str = "switches.json";

#[derive(Debug, Default, Serialize, Deserialize)]
struct Switches {
    monthly: bool,
}

impl Areas {
    /// Whether each area is refreshed once a month. Off until somebody switches it on.
    pub fn monthly(&self) -> bool {
        let file = fs::read(self.folder.join(SWITCHES)).ok();
        file.and_then(|bytes| serde_json::from_slice::<Switches>(&bytes).ok()).unwrap_or_default().monthly
    }

    pub fn set_monthly(&self, monthly: bool) -> Result<(), AreaError> {
        let written = fs::create_dir_all(&self.folder)
            .and_then(|()| replace_file(&self.folder, SWITCHES, &serde_json::to_vec(&Switches { monthly })?));
        written.map_err(AreaError::file(&self.folder.join(SWITCHES)))
    }

    /// Begins to refresh the areas that are due, in the background: it ends in their records. The chore of each minute.
    pub fn begin_monthly(self: &Arc<Self>, clock: Arc<dyn Clock>) {
        if self.due(clock.now()).is_empty() || !self.monthly_work.begin() {
            return;
        }
        let areas = self.clone();
        tokio::spawn(async move {
            let _running = areas.monthly_work.running();
            areas.refresh_due(clock.as_ref()).await;
        });
    }

    /// Ends that work soon, with the areas as they were, and begins none again.
    pub fn stop_monthly(&self) {
        self.monthly_work.stop();
    }

    /// Their names.
    fn due(&self, now: Timestamp) -> Vec<String> {
        match self.monthly() {
            true => self.list().into_iter().filter(|area| is_due(area, now)).map(|area| area.found.name).collect(),
            false => Vec::new(),
        }
    }

    /// Refreshes every area that is due, one after the other.
    pub async fn refresh_due(&self, clock: &dyn Clock) {
        for area in self.due(clock.now()) {
            if self.monthly_work.is_stopping() {
                return;
            }
            match self.refresh_one_due(&area, clock).await {
                Ok(Some(release)) => tracing::info!(area, %release, "the monthly refresh loaded a release"),
                Ok(None) => {}
                // Another process is at it.
                Err(AreaError::Area(AreaRefusal::Busy { .. })) => {}
                Err(error) => tracing::warn!(area, %error, "the monthly refresh left an area as it was"),
            }
        }
    }

    /// Gives the release that was loaded, if one was.
    async fn refresh_one_due(&self, name: &str, clock: &dyn Clock) -> Result<Option<Release>, AreaError> {
        let lock = self.lock(name)?;
        // Another process may have done it meanwhile.
        let Some(record) = self.read(&lock.folder).filter(|record| is_due(record, clock.now())) else {
            return Ok(None);
        };
        let watch = self.monthly_work.watch();
        let newest = self.newest(&record.source).await;
        let failed = newest.as_ref().err().map(ToMessage::to_message);
        let checked = AreaRecord { checked: Some(AreaCheck { at: now(clock), failed }), ..record };
        checked.write(&lock.folder).map_err(AreaError::file(&lock.folder))?;
        if !is_wanted(&checked, &newest?) {
            return Ok(None);
        }
        let mut planned = match self.plan(&checked.source, &checked.found).await {
            Ok(planned) => planned,
            Err(e) => {
                let check = AreaCheck { at: now(clock), failed: Some(e.to_message()) };
                let failed = AreaRecord { checked: Some(check), ..checked };
                failed.write(&lock.folder).map_err(AreaError::file(&lock.folder))?;
                return Err(e);
            }
        };
        self.plan_extras(&mut planned, checked.extras, EXTRAS_PATIENCE).await;
        let loaded = self.load_under(&lock, checked.found, planned, LoadOptions::default(), watch, clock).await?;
        Ok(loaded.current.map(|load| load.release))
    }
}

/// What was never loaded waits for a person.
fn is_due(area: &AreaRecord, now: Timestamp) -> bool {
    let Some(load) = &area.current else { return false };
    let published = load.release.day().and_then(|day| Timestamp::parse_iso(&format!("{day}T00:00:00Z")));
    let is_old = published.unwrap_or(load.at) + FOUR_WEEKS <= now;
    is_old && area.checked.as_ref().is_none_or(|checked| checked.at + DAY <= now)
}

fn is_wanted(area: &AreaRecord, newest: &Release) -> bool {
    let is_held = area.held.as_ref().is_some_and(|held| held.release == *newest);
    // A source may withdraw its newest release.
    !is_held && area.current.as_ref().is_some_and(|load| load.release < *newest)
}
