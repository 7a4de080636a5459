//! Ranges of a source's files over the one client for requests to other servers, with its policy.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use shingle_deliver::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue, RANGE};
use shingle_deliver::{
    Egress, EgressError, ExchangeLimits, IncomingResponse, Method, OutgoingRequest, parse_retry_after,
};
use shingle_domain::Timestamp;
use shingle_domain::message::ToMessage;
use shingle_domain::messages;
use shingle_source::{Answer, AnswerFuture, FolderReader, RangeReader, ReadFault, Wanted};
use url::Url;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum RangeFault {
        Status { status: u16 } => "the server answers with status {status}",
        Busy { status: u16 } => "the server is busy (status {status})",
        CutOff => "the answer was cut off",
        Packed => "the answer is compressed, which was not asked for",
    }
}

/// For a part of eight megabytes: a line of two megabits.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct EgressRanges {
    egress: Arc<Egress>,
}

impl EgressRanges {
    pub fn new(egress: Arc<Egress>) -> Self {
        Self { egress }
    }

    async fn ask(&self, url: &Url, wanted: Wanted) -> Result<Answer, ReadFault> {
        let target = self.egress.target(url.as_str()).map_err(|e| fault(&e))?;
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let range = match &wanted {
            Wanted::Whole { .. } => None,
            Wanted::Range(range) => Some(format!("bytes={}-{}", range.start, range.end.saturating_sub(1))),
            Wanted::Last(bytes) => Some(format!("bytes=-{bytes}")),
        };
        if let Some(value) = range.and_then(|range| HeaderValue::from_str(&range).ok()) {
            headers.insert(RANGE, value);
        }
        let most = match &wanted {
            Wanted::Whole { most } => *most,
            Wanted::Range(range) => usize::try_from(range.end - range.start).unwrap_or_default(),
            Wanted::Last(bytes) => usize::try_from(*bytes).unwrap_or_default(),
        };
        let request = OutgoingRequest { method: Method::GET, target, headers, body: Bytes::new() };
        let limits = ExchangeLimits { timeout: PATIENCE, max_bytes: most };
        let answer = self.egress.exchange(request, limits).await.map_err(|e| fault(&e))?;
        understood(answer, &wanted, most)
    }
}

impl RangeReader for EgressRanges {
    fn read<'a>(&'a self, url: &'a Url, wanted: Wanted) -> AnswerFuture<'a> {
        // Only the operator's description of a source can name a folder.
        if url.scheme() == "file" {
            return FolderReader.read(url, wanted);
        }
        Box::pin(self.ask(url, wanted))
    }
}

fn fault(error: &EgressError) -> ReadFault {
    let why = error.to_message();
    match error {
        EgressError::Timeout { .. }
        | EgressError::ConnectionLost { .. }
        | EgressError::ConnectionRefused { .. }
        | EgressError::Unreachable { .. }
        | EgressError::UnknownHost { .. } => ReadFault::Passing { why, after: None },
        _ => ReadFault::Lasting { why },
    }
}

fn understood(answer: IncomingResponse, wanted: &Wanted, most: usize) -> Result<Answer, ReadFault> {
    let status = answer.status;
    let cut_off = || ReadFault::Passing { why: RangeFault::CutOff.to_message(), after: None };
    let is_whole = matches!(wanted, Wanted::Whole { .. });
    match status {
        200 if is_whole => {}
        // The whole file, of which no more than the range was taken.
        200 => return Err(ReadFault::NoRanges),
        206 if !is_whole => {}
        404 | 410 => return Err(ReadFault::NotThere),
        401 | 403 => return Err(ReadFault::Refused),
        408 | 425 | 429 | 500 | 502 | 503 | 504 => {
            let after =
                answer.header("retry-after").and_then(|text| parse_retry_after(text, Timestamp::from_micros(0)));
            return Err(ReadFault::Passing { why: RangeFault::Busy { status }.to_message(), after });
        }
        _ => return Err(ReadFault::Lasting { why: RangeFault::Status { status }.to_message() }),
    }
    if answer.header("content-encoding").is_some_and(|packing| packing != "identity") {
        return Err(ReadFault::Lasting { why: RangeFault::Packed.to_message() });
    }
    let tag = answer.header("etag").map(str::to_owned);
    let length = answer.header("content-length").and_then(|text| text.parse::<u64>().ok());
    let size = match is_whole {
        true if length.is_some_and(|length| length > most as u64) => return Err(ReadFault::TooLong),
        true if answer.truncated && answer.body.len() >= most => return Err(ReadFault::TooLong),
        true if answer.truncated => return Err(cut_off()),
        true => length.unwrap_or(answer.body.len() as u64),
        // `bytes 0-9/100`
        false => {
            let size = answer.header("content-range").and_then(|range| range.rsplit_once('/')?.1.parse().ok());
            size.ok_or_else(cut_off)?
        }
    };
    Ok(Answer { bytes: answer.body.into(), size, tag })
}
