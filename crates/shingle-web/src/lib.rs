//! The web: the API, what visitors' browsers ask for, and the portal, over the use cases of `shingle-app`.

mod api;
mod homes_answers;
mod manual;
pub mod portal;
mod router;
mod site;
mod state;
pub mod telemetry;
mod visitor;
pub mod web;

pub use homes_answers::keep_answering;
#[cfg(debug_assertions)]
pub use shingle_widget::words::pseudo;
pub use site::Site;
pub use state::Web;
pub use web::limit_sharing::keep_sharing;
pub use web::plain::plain_router;
