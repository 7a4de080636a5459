//! Services in the log, as people know them.

use shingle_deliver::connector::find;
use shingle_store::{AuditEntry, Change};

/// The log has names of connectors; people know services by their titles.
pub(crate) fn with_services(mut entries: Vec<AuditEntry>) -> Vec<AuditEntry> {
    for entry in &mut entries {
        let is_connection = matches!(
            entry.what,
            Some(Change::DestinationCreated | Change::DestinationChanged | Change::DestinationDeleted)
        );
        if let Some(service) = find(&entry.detail).filter(|_| is_connection) {
            service.title.clone_into(&mut entry.detail);
        }
    }
    entries
}
