//! Backups: everything of an installation in one file or object, taken while servers run, and the way back.
//!
//! # Decisions
//!
//! - The database is copied first, the secret after it, files last. So the copy has every lead that was acknowledged
//!   before, the secret has every key that the copy needs, and a photo that the copy names is there unless it was erased meanwhile.
//! - All of the data folder is taken except what is listed in `layout.rs`: a folder that a later version adds is not
//!   forgotten. Turned down: a list of what to take.
//! - A restore goes into an empty folder only, first beside its final places and then there by renaming. Turned down:
//!   a restore over an installation, which one mistyped command would end.
//! - The secret is sealed with a passphrase, because with it and the database anyone can read every lead. It may be left out, but only
//!   by saying so.

mod archive;
mod bucket;
mod check;
mod kept;
mod layout;
mod messages;
mod place;
mod restore;
mod schedule;
mod stop;
mod take;

pub use check::{BackupContents, check_backup};
pub(crate) use kept::Keeping;
pub use messages::{BackupFault, BackupFix};
pub use place::BackupPlace;
pub use restore::{RestoreRequest, Restored, restore_backup};
pub use schedule::ScheduledBackups;
pub use stop::Stop;
pub use take::{BackupRequest, TakenBackup, take_backup};

/// What becomes of the secret in a backup.
pub enum SecretKept {
    Sealed(shingle_backup::Passphrase),
    /// The operator keeps it elsewhere.
    LeftOut,
}
