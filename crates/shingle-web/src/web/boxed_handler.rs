//! A handler without its own type. The router wraps every handler in a dozen services; the compiler makes each of them
//! once for this type instead of once for each handler, which takes most of the time to compile this crate.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{self, MethodFilter, MethodRouter};

use crate::state::Web;

pub type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

#[derive(Clone)]
pub struct BoxedHandler(Arc<dyn Fn(Request, Arc<Web>) -> Answering + Send + Sync>);

pub fn boxed<H: Handler<T, Arc<Web>>, T: 'static>(handler: H) -> BoxedHandler {
    BoxedHandler(Arc::new(move |request, web| Box::pin(handler.clone().call(request, web))))
}

impl BoxedHandler {
    pub fn answer(&self, request: Request, web: Arc<Web>) -> Answering {
        (self.0)(request, web)
    }
}

impl Handler<(), Arc<Web>> for BoxedHandler {
    type Future = Answering;

    fn call(self, request: Request, web: Arc<Web>) -> Answering {
        self.answer(request, web)
    }
}

pub fn on<H: Handler<T, Arc<Web>>, T: 'static>(method: MethodFilter, handler: H) -> MethodRouter<Arc<Web>> {
    routing::on(method, boxed(handler))
}

pub fn get<H: Handler<T, Arc<Web>>, T: 'static>(handler: H) -> MethodRouter<Arc<Web>> {
    on(MethodFilter::GET, handler)
}

pub fn post<H: Handler<T, Arc<Web>>, T: 'static>(handler: H) -> MethodRouter<Arc<Web>> {
    on(MethodFilter::POST, handler)
}

pub fn patch<H: Handler<T, Arc<Web>>, T: 'static>(handler: H) -> MethodRouter<Arc<Web>> {
    on(MethodFilter::PATCH, handler)
}
