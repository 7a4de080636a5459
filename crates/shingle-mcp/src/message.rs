//! Messages of JSON-RPC 2.0, and replies to them.

use serde_json::{Map, Value, json};

/// Codes of errors.
pub mod code {
    pub const NOT_JSON: i64 = -32700;
    pub const INVALID_REQUEST: i64 = -32600;
    pub const UNKNOWN_METHOD: i64 = -32601;
    pub const INVALID_PARAMS: i64 = -32602;
    pub const INTERNAL: i64 = -32603;
    pub const HEADER_MISMATCH: i64 = -32020;
    pub const UNSUPPORTED_VERSION: i64 = -32022;
}

/// A text or a whole number: what the protocol allows, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Id(Value);

impl Id {
    pub fn read(value: &Value) -> Option<Self> {
        let fits = match value {
            Value::String(_) => true,
            Value::Number(number) => number.is_i64() || number.is_u64(),
            _ => false,
        };
        fits.then(|| Self(value.clone()))
    }

    pub fn value(&self) -> &Value {
        &self.0
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub id: Id,
    pub method: String,
    pub params: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    Request(Request),
    /// Wants no answer.
    Notification {
        method: String,
        params: Map<String, Value>,
    },
    /// An answer. This server asks nothing, so it answers nothing.
    Response,
}

/// What is sent back.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// A result, or an error that is the answer to a request. Over HTTP a success: clients before 2026 take any other status
    /// for a broken connection.
    Plain(Value),
    /// What came is no request of a version that is spoken here: over HTTP, status 400.
    Wrong(Value),
    /// No such method in this version: over HTTP, status 404.
    NoSuchMethod(Value),
}

impl Reply {
    pub fn result(id: &Id, result: Value) -> Self {
        Self::Plain(json!({ "jsonrpc": "2.0", "id": id.0, "result": result }))
    }

    pub fn wrong(id: Option<&Id>, code: i64, message: &str) -> Self {
        Self::Wrong(error(id, code, message, None))
    }

    /// An error as the answer to a request.
    pub(crate) fn refused(id: &Id, code: i64, message: &str) -> Self {
        Self::Plain(error(Some(id), code, message, None))
    }

    pub fn body(&self) -> &Value {
        match self {
            Self::Plain(body) | Self::Wrong(body) | Self::NoSuchMethod(body) => body,
        }
    }
}

pub(crate) fn error(id: Option<&Id>, code: i64, message: &str, data: Option<Value>) -> Value {
    let mut error = json!({ "code": code, "message": message });
    if let Some(data) = data {
        error["data"] = data;
    }
    json!({ "jsonrpc": "2.0", "id": id.map_or(&Value::Null, Id::value), "error": error })
}

impl Message {
    /// # Errors
    /// The answer to what is no message.
    pub fn parse(text: &[u8]) -> Result<Self, Reply> {
        // Editors on Windows begin a text with the mark of UTF-8.
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let value = serde_json::from_slice(text)
            .map_err(|_| Reply::wrong(None, code::NOT_JSON, "The message is not valid JSON"))?;
        Self::read(value)
    }

    fn read(value: Value) -> Result<Self, Reply> {
        let wrong = |id: Option<&Id>, what: &str| Err(Reply::wrong(id, code::INVALID_REQUEST, what));
        let mut members = match value {
            Value::Object(members) => members,
            Value::Array(_) => return wrong(None, "Batches are not supported: send each message by itself"),
            _ => return wrong(None, "A message is a JSON object"),
        };
        let id = members.get("id").map(Id::read);
        let known = id.as_ref().and_then(Option::as_ref);
        if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return wrong(known, "`jsonrpc` must be \"2.0\"");
        }
        let method = match members.get("method") {
            Some(Value::String(method)) => method.clone(),
            Some(_) => return wrong(known, "`method` must be a text"),
            None if members.contains_key("result") || members.contains_key("error") => return Ok(Self::Response),
            None => return wrong(known, "`method` is missing"),
        };
        let params = match members.remove("params") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(Reply::wrong(known, code::INVALID_PARAMS, "`params` must be an object")),
        };
        match id {
            None => Ok(Self::Notification { method, params }),
            Some(Some(id)) => Ok(Self::Request(Request { id, method, params })),
            Some(None) => wrong(None, "`id` must be a text or a whole number"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (Value, i64) {
        match Message::parse(text.as_bytes()) {
            Err(Reply::Wrong(body)) => (body["id"].clone(), body["error"]["code"].as_i64().unwrap()),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn what_is_no_message_is_refused_under_its_id() {
        for text in ["", "{", "hello", "{\"a\":1}{", "\u{1}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}x"] {
            assert_eq!(refused(text), (Value::Null, code::NOT_JSON), "{text}");
        }
        let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(refused(&deep), (Value::Null, code::NOT_JSON));
        for (text, id) in [
            ("[]", Value::Null),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, Value::Null),
            ("7", Value::Null),
            ("null", Value::Null),
            (r#"{"id":1,"method":"ping"}"#, json!(1)),
            (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, json!("a")),
            (r#"{"jsonrpc":"2.0","id":1}"#, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, json!(1)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Value::Null),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Value::Null),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Value::Null),
            (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, Value::Null),
        ] {
            assert_eq!(refused(text), (id, code::INVALID_REQUEST), "{text}");
        }
        let list = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#;
        assert_eq!(refused(list), (json!(1), code::INVALID_PARAMS));
    }

    #[test]
    fn requests_notifications_and_answers_are_told_apart() {
        let parse = |text: &str| Message::parse(text.as_bytes()).unwrap();
        for id in [json!("7"), json!(7), json!(-1), json!(0), json!(""), json!(u64::MAX)] {
            let text = json!({ "jsonrpc": "2.0", "id": id, "method": "ping", "params": null }).to_string();
            let Message::Request(request) = parse(&format!("\u{feff}{text}")) else { panic!("{text}") };
            assert_eq!((request.id.value(), request.method.as_str()), (&id, "ping"), "`7` and 7 are two ids");
        }
        let told = parse(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#);
        assert!(matches!(told, Message::Notification { params, .. } if params["requestId"] == 7));
        assert_eq!(parse(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Message::Response);
        assert_eq!(parse(r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#), Message::Response);
    }
}
