//! The newtypes as JSON Schema: how each is written in JSON. Records describe themselves by the comments of their
//! fields, whose last words "Example: `…`" are the example.
//!
//! # Decision
//!
//! API types derive their JSON Schema behind the feature `schema`. The server turns it on; the browser module is
//! built without it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::color::HexColor;
use crate::contact::{Email, Phone, SafeUrl};
use crate::event::EventKind;
use crate::id::{AccountId, ConsentId, DeliveryId, DestinationId, EntryId, Environment, LeadId, WidgetId};
use crate::inspection::{PhotoId, VisitDate};
use crate::money::Usd;
use crate::notice::TimeOfDay;
use crate::time::Timestamp;

macro_rules! written_as {
    ($($name:ident: $schema:tt),+ $(,)?) => {
        $(impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        })+
    };
}

const UUID: &str = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";
const TIME: &str = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$";
const COLOR: &str = "^#([0-9a-f]{6}|[0-9a-f]{8})$";
const PHONE: &str = r"^\([0-9]{3}\) [0-9]{3}-[0-9]{4}$";

written_as! {
    AccountId: { "type": "string", "format": "uuid", "pattern": UUID },
    Environment: { "type": "string", "enum": ["sandbox", "production"] },
    ConsentId: { "type": "string", "format": "uuid", "pattern": UUID },
    DeliveryId: { "type": "string", "format": "uuid", "pattern": UUID },
    DestinationId: { "type": "string", "format": "uuid", "pattern": UUID },
    EntryId: { "type": "string", "format": "uuid", "pattern": UUID },
    LeadId: { "type": "string", "format": "uuid", "pattern": UUID },
    PhotoId: { "type": "string", "format": "uuid", "pattern": UUID },
    WidgetId: { "type": "string", "format": "uuid", "pattern": UUID },
    Timestamp: { "type": "string", "format": "date-time", "pattern": TIME },
    VisitDate: { "type": "string", "format": "date", "pattern": r"^\d{4}-\d{2}-\d{2}$" },
    TimeOfDay: { "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$" },
    Usd: { "type": "number" },
    HexColor: { "type": "string", "pattern": COLOR },
    Phone: { "type": "string", "pattern": PHONE },
    Email: { "type": "string" },
    SafeUrl: { "type": "string" },
}

/// Those that a webhook can subscribe to: the others have receivers of their own.
impl JsonSchema for EventKind {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "EventKind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::PUBLIC.map(Self::as_str) })
    }
}
