//! A route of the portal: its handler together with who may use it. Neither can exist without the other.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::MethodRouter;

use crate::portal::access::{Access, PageAccess};
use crate::state::Web;
use crate::web::boxed_handler::{get, post};

pub struct Page {
    pub access: PageAccess,
    pub handler: MethodRouter<Arc<Web>>,
}

impl Page {
    pub fn get<H: Handler<T, Arc<Web>>, T: 'static>(path: &'static str, access: Access, handler: H) -> Self {
        Self { access: PageAccess::new(Method::GET, path, access), handler: get(handler) }
    }

    pub fn post<H: Handler<T, Arc<Web>>, T: 'static>(path: &'static str, access: Access, handler: H) -> Self {
        Self { access: PageAccess::new(Method::POST, path, access), handler: post(handler) }
    }

    /// An operator who looks at a company may use it: to read pages, and to help with widgets. A route that shows a secret,
    /// copies, sends, erases or closes is not for them.
    pub fn for_support(mut self) -> Self {
        self.access.for_support = true;
        self
    }

    /// Owners of a closed company may use it.
    pub fn when_closed(mut self) -> Self {
        self.access.when_closed = true;
        self
    }

    /// Clients may use it, whatever else its role asks for: its handler finds by the store alone, which finds only what they
    /// see. A route that says nothing is not for them.
    pub fn for_clients(mut self) -> Self {
        self.access.for_clients = true;
        self
    }

    /// Bytes of a form, where they are not the usual.
    pub fn at_most(mut self, bytes: usize) -> Self {
        self.handler = self.handler.layer(DefaultBodyLimit::max(bytes));
        self
    }

    /// The handler bounds it while it is written.
    pub fn of_any_size(mut self) -> Self {
        self.handler = self.handler.layer(DefaultBodyLimit::disable());
        self
    }
}
