//! The filters of expressions. There are no others; none makes a text much longer than its inputs.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::value::{Rest, Value};
use minijinja::{Environment, Error, ErrorKind, filters};
use sha2::{Digest, Sha256};
use shingle_domain::{Phone, Timestamp};

use crate::connector::escape;

/// What one text may grow to.
pub const MAX_TEXT: usize = 64 * 1024;

type Filtered = Result<Value, Error>;

pub fn add_to(env: &mut Environment<'static>) {
    env.add_filter("default", default);
    env.add_filter("sha256", |v: &Value| on_text(v, |t| Ok(hex(&Sha256::digest(t.trim().to_lowercase())))));
    env.add_filter("base64", |v: &Value| on_text(v, |t| Ok(STANDARD.encode(t))));
    env.add_filter("google_email", |v: &Value| on_text(v, |t| Ok(google_email(&t))));
    env.add_filter("e164", |v: &Value| on_text(v, e164));
    env.add_filter("digits", |v: &Value| on_text(v, |t| Ok(t.chars().filter(char::is_ascii_digit).collect())));
    env.add_filter("first_name", |v: &Value| on_text(v, |t| Ok(t.split_whitespace().next().unwrap_or("").to_owned())));
    env.add_filter("last_name", |v: &Value| on_text(v, |t| Ok(last_name(&t))));
    env.add_filter("dollars", |v: &Value| on_number(v, |n| format!("${}", grouped(n.round(), 0))));
    env.add_filter("number", |v: &Value, digits: Option<usize>| {
        on_number(v, |n| grouped(n, digits.unwrap_or(0).min(6)))
    });
    env.add_filter("iso", |v: &Value| on_time(v, |t| Value::from(t.to_string())));
    env.add_filter("unix", |v: &Value| on_time(v, |t| Value::from(t.seconds())));
    env.add_filter("unix_millis", |v: &Value| on_time(v, |t| Value::from(t.micros().div_euclid(1_000))));
    env.add_filter("unix_micros", |v: &Value| on_time(v, |t| Value::from(t.micros())));
    env.add_filter("truncate", |v: &Value, n: usize| on_text(v, |t| Ok(escape::fitted(&t, n, str::to_owned))));
    env.add_filter("plain", |v: &Value, n: Option<usize>| fitted(v, n, escape::plain));
    env.add_filter("mrkdwn", |v: &Value, n: Option<usize>| fitted(v, n, escape::mrkdwn));
    env.add_filter("markdown", |v: &Value, n: Option<usize>| fitted(v, n, escape::markdown));
    env.add_filter("html", |v: &Value, n: Option<usize>| fitted(v, n, escape::html));
    env.add_filter("markup", |v: &Value| on_text(v, |t| Ok(escape::markup(&t))));
    env.add_filter("plain_bytes", |v: &Value, n: usize| on_text(v, |t| Ok(escape::fitted_bytes(&t, n, escape::plain))));
    env.add_filter("urlencode", |v: &Value| {
        on_text(v, |t| Ok(url::form_urlencoded::byte_serialize(t.as_bytes()).collect()))
    });
    env.add_filter("raw", |v: &Value| on_text(v, Ok).map(|v| Value::from_safe_string(v.to_string())));
    env.add_filter("json", json);
    env.add_filter("replace", replace);
    env.add_filter("upper", |v: &Value| on_text(v, |t| Ok(t.to_uppercase())));
    env.add_filter("lower", |v: &Value| on_text(v, |t| Ok(t.to_lowercase())));
    env.add_filter("trim", |v: &Value| on_text(v, |t| Ok(t.trim().to_owned())));
    env.add_filter("string", |v: &Value| on_text(v, Ok));
    env.add_filter("length", filters::length);
    env.add_filter("first", filters::first);
    env.add_filter("last", filters::last);
    env.add_filter("join", filters::join);
    env.add_filter("round", filters::round);
    env.add_filter("int", filters::int);
    env.add_filter("float", filters::float);
}

/// Compact, and no exception from escaping.
fn json(value: &Value) -> Filtered {
    let text = serde_json::to_string(value).map_err(|_| invalid("this cannot be written as JSON"))?;
    if text.len() > MAX_TEXT { Err(invalid("the text is longer than 64 kB")) } else { Ok(Value::from(text)) }
}

/// Instead of nothing: of a field that is not there, of `null` and of an empty text.
fn default(value: &Value, other: Rest<Value>) -> Value {
    let nothing = value.is_undefined() || value.is_none() || value.as_str().is_some_and(str::is_empty);
    if nothing { other.first().cloned().unwrap_or_else(|| Value::from("")) } else { value.clone() }
}

/// `null` stays `null`: what is not known is left out, not sent as a word.
fn on_text(value: &Value, f: impl FnOnce(String) -> Result<String, Error>) -> Filtered {
    if value.is_undefined() {
        return Err(Error::from(ErrorKind::UndefinedError));
    }
    if value.is_none() {
        return Ok(Value::from(()));
    }
    let text = f(value.to_string())?;
    if text.len() > MAX_TEXT {
        return Err(invalid("the text is longer than 64 kB"));
    }
    Ok(Value::from(text))
}

fn on_number(value: &Value, f: impl FnOnce(f64) -> String) -> Filtered {
    if value.is_undefined() {
        return Err(Error::from(ErrorKind::UndefinedError));
    }
    if value.is_none() {
        return Ok(Value::from(()));
    }
    let number = f64::try_from(value.clone()).map_err(|_| invalid("this is not a number"))?;
    if !number.is_finite() || number.abs() >= 1e15 {
        return Err(invalid("this number cannot be written"));
    }
    Ok(Value::from(f(number)))
}

fn on_time(value: &Value, f: impl FnOnce(Timestamp) -> Value) -> Filtered {
    if value.is_undefined() {
        return Err(Error::from(ErrorKind::UndefinedError));
    }
    if value.is_none() {
        return Ok(Value::from(()));
    }
    let time = value.as_str().and_then(Timestamp::parse_iso).ok_or_else(|| invalid("this is not a time"))?;
    Ok(f(time))
}

fn fitted(value: &Value, limit: Option<usize>, by: fn(&str) -> String) -> Filtered {
    on_text(value, |t| Ok(limit.map_or_else(|| by(&t), |n| escape::fitted(&t, n, by))))
}

fn e164(text: String) -> Result<String, Error> {
    if let Some(phone) = Phone::parse_loosely(&text) {
        return Ok(format!("+1{}", phone.as_str().chars().filter(char::is_ascii_digit).collect::<String>()));
    }
    Err(invalid("this is not a telephone number of the North American plan"))
}

/// As Google wants an address before it is hashed: dots before gmail.com mean nothing.
fn google_email(text: &str) -> String {
    let text = text.trim().to_lowercase();
    match text.split_once('@') {
        Some((name, host)) if ["gmail.com", "googlemail.com"].contains(&host) => {
            format!("{}@{host}", name.replace('.', ""))
        }
        _ => text,
    }
}

fn last_name(text: &str) -> String {
    let mut words = text.split_whitespace();
    words.next();
    words.collect::<Vec<_>>().join(" ")
}

fn replace(value: &Value, from: &str, to: &str) -> Filtered {
    on_text(value, |text| {
        let found = if from.is_empty() { 0 } else { text.matches(from).count() };
        if text.len().saturating_add(found.saturating_mul(to.len())) > MAX_TEXT {
            return Err(invalid("the text is longer than 64 kB"));
        }
        Ok(if found == 0 { text } else { text.replace(from, to) })
    })
}

fn grouped(number: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", number.abs());
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), None), |(w, f)| (w, Some(f)));
    let mut out = String::new();
    if number < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('-');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

fn invalid(problem: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, problem)
}
