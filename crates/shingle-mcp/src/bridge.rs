//! Between a client at standard input and output and a server that is reached over HTTP: what becomes of each line, and of
//! each answer. Sends and reads nothing itself.

use serde_json::{Map, Value, json};

use crate::message::{Id, Message, Reply, code, error};

/// What one client has agreed on.
#[derive(Debug, Default)]
pub struct Bridge {
    /// After a handshake. Newer clients name it in each message.
    version: Option<String>,
}

/// What follows from a line of the client.
#[derive(Debug, PartialEq)]
pub enum Line {
    Forward(Forward),
    /// Nobody waits for the answer to this request any more.
    Cancel(Id),
    /// The line is no message: this is the answer to it.
    Reply(Value),
    Nothing,
}

/// A request on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct Forward {
    pub id: Id,
    method: String,
    /// Of HTTP, which repeat what the body says.
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl Bridge {
    pub fn line(&self, line: &[u8]) -> Line {
        if line.trim_ascii().is_empty() {
            return Line::Nothing;
        }
        match Message::parse(line) {
            Err(reply) => Line::Reply(reply.body().clone()),
            Ok(Message::Response) => Line::Nothing,
            Ok(Message::Notification { method, params }) if method == "notifications/cancelled" => {
                params.get("requestId").and_then(Id::read).map_or(Line::Nothing, Line::Cancel)
            }
            // The server keeps nothing of a client, so it need not hear of the rest.
            Ok(Message::Notification { .. }) => Line::Nothing,
            Ok(Message::Request(request)) => Line::Forward(Forward {
                headers: self.headers(&request.method, &request.params),
                id: request.id,
                method: request.method,
                body: line.to_vec(),
            }),
        }
    }

    fn headers(&self, method: &str, params: &Map<String, Value>) -> Vec<(&'static str, String)> {
        let named = params.get("_meta").and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion"));
        let version = named.and_then(Value::as_str).or(self.version.as_deref());
        let name = params.get("name").and_then(Value::as_str).filter(|_| method == "tools/call");
        let all = [("mcp-protocol-version", version), ("mcp-method", Some(method)), ("mcp-name", name)];
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        all.into_iter()
            .filter_map(|(header, text)| Some((header, text.filter(|text| plain(text))?.to_owned())))
            .collect()
    }

    /// The answer to a request, from what the server sent with this status of HTTP.
    pub fn answered(&mut self, forward: &Forward, status: u16, body: &[u8]) -> Value {
        let Ok(Value::Object(mut answer)) = serde_json::from_slice::<Value>(body) else {
            return forward.failed(&unlike(status));
        };
        let is_answer =
            answer.contains_key("jsonrpc") && (answer.contains_key("result") || answer.contains_key("error"));
        if !is_answer {
            return forward.failed(&unlike(status));
        }
        // Refused before the message was read: the model is to hear why its tool did not run.
        if let (401.., Some(said)) = (status, answer.get("error").and_then(|error| error["message"].as_str()))
            && forward.is_call()
            && status != 404
        {
            return forward.failed(said);
        }
        if forward.method == "initialize"
            && let Some(version) = answer.get("result").and_then(|result| result["protocolVersion"].as_str())
        {
            self.version = Some(version.to_owned());
        }
        answer.insert("id".to_owned(), forward.id.value().clone());
        answer.into()
    }
}

impl Forward {
    fn is_call(&self) -> bool {
        self.method == "tools/call"
    }

    /// The answer to a request that did not get through.
    pub fn failed(&self, said: &str) -> Value {
        if self.is_call() {
            let result = json!({ "content": [{ "type": "text", "text": said }], "isError": true });
            return Reply::result(&self.id, result).body().clone();
        }
        error(Some(&self.id), code::INTERNAL, said, None)
    }
}

/// What somebody else than this program's server answers.
fn unlike(status: u16) -> String {
    match status {
        300..=399 => "The server sends its clients to another address: name that one with --url.".to_owned(),
        404 | 405 => {
            "There is no MCP at this address. Check --url, and whether the server has the newest version.".to_owned()
        }
        401 | 403 => {
            format!("Something before the server refuses the request (status {status}): a proxy or its sign-in.")
        }
        _ => format!("The server's answer cannot be read (status {status}). Try again in a minute."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forward(bridge: &Bridge, message: Value) -> Forward {
        match bridge.line(message.to_string().as_bytes()) {
            Line::Forward(forward) => forward,
            other => panic!("{other:?}"),
        }
    }

    fn request(method: &str, params: Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params })
    }

    #[test]
    fn headers_repeat_the_message_and_what_was_agreed() {
        let mut bridge = Bridge::default();
        let hello = forward(&bridge, request("initialize", json!({ "protocolVersion": "2025-06-18" })));
        assert_eq!(hello.headers, [("mcp-method", "initialize".to_owned())]);
        let answer = json!({ "jsonrpc": "2.0", "id": "a", "result": { "protocolVersion": "2025-06-18" } });
        assert_eq!(bridge.answered(&hello, 200, answer.to_string().as_bytes()), answer);
        let call = forward(&bridge, request("tools/call", json!({ "name": "results" })));
        let version = |version: &str| ("mcp-protocol-version", version.to_owned());
        assert_eq!(call.headers[0], version("2025-06-18"));
        assert_eq!(call.headers[2], ("mcp-name", "results".to_owned()));
        let meta = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }, "name": "a\nb: c" });
        let modern = forward(&bridge, request("tools/call", meta));
        assert_eq!(modern.headers, [version("2026-07-28"), ("mcp-method", "tools/call".to_owned())]);
    }

    #[test]
    fn a_line_that_wants_no_answer_gets_none() {
        let bridge = Bridge::default();
        let line = |text: &str| bridge.line(text.as_bytes());
        for text in [
            "",
            "  \r",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ] {
            assert_eq!(line(text), Line::Nothing, "{text}");
        }
        let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
        assert_eq!(line(cancelled), Line::Cancel(Id::read(&json!(7)).unwrap()));
        assert!(matches!(line("hello"), Line::Reply(body) if body["error"]["code"] == code::NOT_JSON));
    }

    #[test]
    fn every_answer_has_the_id_of_its_request_and_says_what_to_do() {
        let mut bridge = Bridge::default();
        let call = forward(&bridge, request("tools/call", json!({ "name": "results" })));
        let list = forward(&bridge, request("tools/list", json!({})));
        let refused = r#"{"jsonrpc":"2.0","id":null,"error":{"code":401,"message":"The key is not valid."}}"#;
        let body = bridge.answered(&call, 401, refused.as_bytes());
        assert_eq!((&body["id"], &body["result"]["isError"]), (&json!("a"), &json!(true)));
        assert_eq!(body["result"]["content"][0]["text"], "The key is not valid.");
        let body = bridge.answered(&list, 401, refused.as_bytes());
        assert_eq!((&body["id"], &body["error"]["message"]), (&json!("a"), &json!("The key is not valid.")));
        for (status, body, says) in [
            (301, "", "--url"),
            (404, r#"{"message":"Cannot POST /mcp","error":"Not Found","statusCode":404}"#, "newest version"),
            (200, "<html>Sign in</html>", "cannot be read"),
            (403, "<html>", "proxy"),
            (502, "Bad Gateway", "Try again"),
            (200, "[]", "cannot be read"),
            (200, r#"{"jsonrpc":"2.0"}"#, "cannot be read"),
        ] {
            let said = bridge.answered(&call, status, body.as_bytes());
            assert!(said["result"]["content"][0]["text"].as_str().unwrap().contains(says), "{said}");
            let said = bridge.answered(&list, status, body.as_bytes());
            assert!(said["error"]["message"].as_str().unwrap().contains(says), "{said}");
        }
    }
}
