//! What is left of a request once its wrapper has begun.

use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;

use crate::state::Web;
use crate::web::boxed_handler::BoxedHandler;

#[derive(Clone)]
pub(crate) enum Rest {
    /// The router has found the route.
    Router(Next),
    /// A handler without a router before it.
    Handler(BoxedHandler, Arc<Web>),
}

impl Rest {
    pub async fn run(self, request: Request) -> Response {
        match self {
            Self::Router(next) => next.run(request).await,
            Self::Handler(handler, web) => handler.answer(request, web).await,
        }
    }
}
