//! A route of the API: its handler together with its description. Neither can exist without the other.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::routing::{MethodFilter, MethodRouter};
use serde_json::{Value, json};

use crate::api::endpoints::schemas::Schemas;
use crate::state::Web;
use crate::web::boxed_handler::on;

/// One route of the API. The router and the document are both made from a list of these.
pub struct Endpoint {
    pub route: Route,
    /// Names it in generated clients.
    pub id: &'static str,
    pub group: Group,
    pub summary: &'static str,
    pub text: &'static str,
    pub parameters: Vec<Parameter>,
    pub body: Option<Body>,
    pub answer: Answer,
}

pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub handler: MethodRouter<Arc<Web>>,
}

impl Route {
    pub fn get<H: Handler<T, Arc<Web>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self { method: Method::GET, path, handler: on(MethodFilter::GET, handler) }
    }

    pub fn post<H: Handler<T, Arc<Web>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self { method: Method::POST, path, handler: on(MethodFilter::POST, handler) }
    }

    pub fn put<H: Handler<T, Arc<Web>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self { method: Method::PUT, path, handler: on(MethodFilter::PUT, handler) }
    }

    pub fn patch<H: Handler<T, Arc<Web>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self { method: Method::PATCH, path, handler: on(MethodFilter::PATCH, handler) }
    }

    pub fn delete<H: Handler<T, Arc<Web>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self { method: Method::DELETE, path, handler: on(MethodFilter::DELETE, handler) }
    }

    /// Bytes of a body, where they are not the usual.
    pub fn at_most(mut self, bytes: usize) -> Self {
        self.handler = self.handler.layer(DefaultBodyLimit::max(bytes));
        self
    }
}

/// The chapters of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    LookUps,
    Widgets,
    Leads,
    Webhooks,
    Deliveries,
    Connectors,
    Notices,
    PersonalData,
}

impl Group {
    pub const ALL: [Self; 8] = [
        Self::LookUps,
        Self::Widgets,
        Self::Leads,
        Self::Webhooks,
        Self::Deliveries,
        Self::Connectors,
        Self::Notices,
        Self::PersonalData,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::LookUps => "Look-ups",
            Self::Widgets => "Widgets",
            Self::Leads => "Leads",
            Self::Webhooks => "Webhooks",
            Self::Deliveries => "Deliveries",
            Self::Connectors => "Connectors",
            Self::Notices => "Notices",
            Self::PersonalData => "Personal data",
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Self::LookUps => {
                "What is known of a home, by its address. An address that matches nothing is a 200 whose fields are null; \
                 it is not billed. Sandbox keys look up the homes of an invented town, which are never billed."
            }
            Self::Widgets => "The estimate on a contractor's site: its record, its logos and its settings.",
            Self::Leads => "The homeowners who asked for an estimate.",
            Self::Webhooks => {
                "Addresses that events are posted to, signed as Standard Webhooks has it (`webhook-id`, \
                 `webhook-timestamp`, `webhook-signature`). What fails is tried again for three days; a 410 switches the \
                 webhook off."
            }
            Self::Deliveries => "The log of events on their way to webhooks and connectors, and sending them again.",
            Self::Connectors => "Leads in other systems, without a receiver of one's own.",
            Self::Notices => "Who is notified of leads by mail, and when.",
            Self::PersonalData => {
                "What is stored of a homeowner who asks for it or wants it erased, and how long leads are kept. What other \
                 systems hold of a lead is not erased from here; the export names them."
            }
        }
    }
}

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Path,
    Query,
    Header,
}

impl Place {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Parameter {
    pub place: Place,
    pub name: &'static str,
    pub required: bool,
    pub text: &'static str,
    pub schema: Value,
    pub example: Value,
}

impl Parameter {
    pub fn query(name: &'static str, text: &'static str, schema: Value, example: impl Into<Value>) -> Self {
        Self { place: Place::Query, name, required: false, text, schema, example: example.into() }
    }

    /// The id of a record in the path.
    pub fn id(name: &'static str, text: &'static str, example: &'static str) -> Self {
        let schema = json!({ "type": "string", "format": "uuid" });
        Self { place: Place::Path, name, required: true, text, schema, example: example.into() }
    }

    pub fn idempotency_key() -> Self {
        Self {
            place: Place::Header,
            name: "Idempotency-Key",
            required: false,
            text: "A text of your own for this request. The same request under the same key is done once, however often \
                   it is sent, and has the same answer; another request under it is a 400.",
            schema: json!({ "type": "string", "pattern": "^[ -~]{1,200}$" }),
            example: "order-4711".into(),
        }
    }
}

/// A schema, once there is somebody to make it: the test that writes `assets/openapi.json`. The program, which serves that
/// file, leaves it out, and with it the code that describes every type.
#[derive(Clone, Copy)]
pub struct SchemaOf {
    #[cfg(test)]
    make: MakeSchema,
}

type MakeSchema = fn(&mut Schemas) -> Value;

impl SchemaOf {
    // Always inlined, as what calls it is: so nothing is left that names the function.
    #[inline(always)]
    fn of(make: MakeSchema) -> Self {
        #[cfg(not(test))]
        let _ = make;
        Self {
            #[cfg(test)]
            make,
        }
    }

    #[cfg(test)]
    pub fn make(self, schemas: &mut Schemas) -> Value {
        (self.make)(schemas)
    }
}

pub struct Body {
    pub required: bool,
    pub text: &'static str,
    pub content: &'static str,
    pub schema: SchemaOf,
    /// One that is accepted as it is, where one can be.
    pub example: Option<Value>,
}

impl Body {
    #[inline(always)]
    pub fn json(text: &'static str, schema: MakeSchema, example: Value) -> Self {
        let schema = SchemaOf::of(schema);
        Self { required: true, text, content: "application/json", schema, example: Some(example) }
    }

    /// No body changes nothing.
    pub fn optional(self) -> Self {
        Self { required: false, ..self }
    }

    #[inline(always)]
    pub fn form(text: &'static str, schema: MakeSchema) -> Self {
        let schema = SchemaOf::of(schema);
        Self { required: true, text, content: "multipart/form-data", schema, example: None }
    }
}

/// The answer to a request that succeeded. Those to others are the same everywhere.
pub struct Answer {
    pub status: StatusCode,
    pub text: &'static str,
    pub content: &'static str,
    pub schema: SchemaOf,
    /// Whether it comes as a table too, for a request that asks for `text/csv`.
    pub or_table: bool,
    /// Where its fields lead on: the operation, its path parameter, and the field as a JSON pointer.
    pub links: Vec<Link>,
}

pub struct Link {
    pub operation: &'static str,
    pub parameter: &'static str,
    pub pointer: &'static str,
}

impl Answer {
    #[inline(always)]
    pub fn of(status: StatusCode, text: &'static str, schema: MakeSchema) -> Self {
        let schema = SchemaOf::of(schema);
        Self { status, text, content: "application/json", schema, or_table: false, links: Vec::new() }
    }

    pub fn or_table(self) -> Self {
        Self { or_table: true, ..self }
    }

    #[inline(always)]
    pub fn ok(text: &'static str, schema: MakeSchema) -> Self {
        Self::of(StatusCode::OK, text, schema)
    }

    /// `operations` take the id at `pointer` as their path parameter.
    pub fn leading_to(mut self, pointer: &'static str, parameter: &'static str, operations: &[&'static str]) -> Self {
        self.links.extend(operations.iter().map(|operation| Link { operation, parameter, pointer }));
        self
    }
}
