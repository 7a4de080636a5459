//! Web Push: what is written to a browser through its push service, which cannot read it, and who says that it comes from us.

mod encryption;
mod vapid;

pub use encryption::{PushKeys, decrypt};
pub use vapid::VapidKey;
