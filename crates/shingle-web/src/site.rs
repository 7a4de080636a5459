//! What a listening socket serves: the routes, and the shorter way to those that are asked for all day.
//!
//! # Decision
//!
//! Look-ups and a widget's loader and page do not pass axum's router, whose layers copy and box each request. They have
//! the same handlers and pass the same wrapper (`web/middleware.rs`). Every other spelling of their addresses goes
//! through the router; a test compares both ways.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{Method, header};
use axum::response::Response;
use tower::Service as _;

use crate::api::endpoints;
use crate::router;
use crate::state::Web;
use crate::visitor::hosted;
use crate::web::boxed_handler::{BoxedHandler, boxed};
use crate::web::middleware;
use crate::web::rest::Rest;

/// Cheap to clone: each connection has one.
#[derive(Clone)]
pub struct Site {
    router: Router,
    direct: Option<Arc<Direct>>,
}

struct Direct {
    web: Arc<Web>,
    hosted: BoxedHandler,
    look_ups: Vec<(&'static str, BoxedHandler)>,
}

impl Site {
    /// The whole service.
    pub fn new(web: Arc<Web>) -> Self {
        let direct =
            Direct { web: web.clone(), hosted: boxed(hosted::show_undecoded), look_ups: endpoints::look_ups() };
        Self { router: router::router(web), direct: Some(Arc::new(direct)) }
    }

    pub async fn answer(mut self, request: Request) -> Response {
        if let Some(direct) = &self.direct
            && let Some((route, handler)) = direct.find(&request)
        {
            let rest = Rest::Handler(handler.clone(), direct.web.clone());
            return middleware::around(direct.web.clone(), request, Some(route.into()), rest).await;
        }
        let Ok(response) = self.router.call(request).await;
        response
    }
}

impl From<Router> for Site {
    fn from(router: Router) -> Self {
        Self { router, direct: None }
    }
}

impl Direct {
    fn find(&self, request: &Request) -> Option<(&'static str, &BoxedHandler)> {
        if *request.method() != Method::GET || request.headers().contains_key(header::CONTENT_ENCODING) {
            return None;
        }
        let path = request.uri().path();
        match path.strip_prefix(hosted::FOLDER) {
            Some(name) if !name.is_empty() && !name.contains(['/', '%']) => Some((hosted::ROUTE, &self.hosted)),
            Some(_) => None,
            None => self.look_ups.iter().find(|(route, _)| *route == path).map(|(route, handler)| (*route, handler)),
        }
    }
}
