//! The post: what leaves this program for other people's servers. [`Egress`] is its only HTTP client, and it
//! goes nowhere but to public addresses, whoever names the target and however it is spelled.

mod address;
mod egress;
mod error;
mod names;
mod target;

pub use address::{Reach, Rules};
pub use egress::{Answer, Egress, Hop, Journey, Limits};
pub use error::{Certificate, EgressError};
pub use names::{MachineNames, Names, Resolving};
pub use target::Target;
