//! Whether the server takes backups, and the last one went well.

use std::time::Duration;

use shingle_domain::Timestamp;

use super::messages::{Fault, Finding, Fix};
use crate::backup::Keeping;
use crate::bucket::{BucketFault, BucketFix};
use crate::installation::Installation;
use crate::operator_error::OperatorError;

const HOUR: Duration = Duration::from_secs(3_600);

/// The page of the server's health waits for this.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) async fn backups(context: &Installation) -> Result<Finding, OperatorError> {
    let settings = &context.settings;
    let Some(keeping) = Keeping::of(settings)? else { return Ok(Finding::NoSchedule) };
    let shown = keeping.to_string();
    let found = match tokio::time::timeout(PATIENCE, keeping.read(settings)).await {
        Ok(found) => found?,
        Err(_) => return Err(OperatorError::new(BucketFault::Silent).at(shown).fix(BucketFix::Reach)),
    };
    let now = context.clock.now();
    if let Some(failure) = found.failure(now) {
        return Err(failure);
    }
    let Some(newest) = found.newest(now) else { return Ok(Finding::NoBackupYet { folder: shown }) };
    // One that is under way is no reason to worry.
    if newest + HOUR * settings.backup_hours * 2 < now {
        return Err(OperatorError::new(Fault::LateBackup { newest: minute(newest) })
            .at(shown)
            .fix(Fix::ServeForBackups));
    }
    Ok(Finding::Backups { newest: minute(newest), kept: found.count(), folder: shown })
}

/// `2026-03-10 12:00 UTC`.
fn minute(at: Timestamp) -> String {
    let text = at.to_string();
    let minute: String = text.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect();
    format!("{minute} UTC")
}
