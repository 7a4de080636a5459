//! How bytes of a source are asked for. The implementation decides which servers may be reached.

use std::fs::File;
use std::future::Future;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use shingle_domain::message::{Message, ToMessage};
use url::Url;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// The whole, which may have so many bytes at most.
    Whole {
        most: usize,
    },
    Range(Range<u64>),
    /// The end.
    Last(u64),
}

#[derive(Debug, Clone)]
pub struct Answer {
    pub bytes: Bytes,
    /// Bytes of the whole.
    pub size: u64,
    /// Changes with the content, where the server says it.
    pub tag: Option<String>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadFault {
    NotThere,
    Refused,
    /// The server sends whole files only.
    NoRanges,
    /// More than was allowed.
    TooLong,
    /// Worth another attempt, perhaps after the time that the server names.
    Passing {
        why: Message,
        after: Option<Duration>,
    },
    /// Not worth one: a server that must not be reached, a certificate that is not accepted.
    Lasting {
        why: Message,
    },
}

pub type AnswerFuture<'a> = Pin<Box<dyn Future<Output = Result<Answer, ReadFault>> + Send + 'a>>;

pub trait RangeReader: Send + Sync {
    fn read<'a>(&'a self, url: &'a Url, wanted: Wanted) -> AnswerFuture<'a>;
}

/// Files of this machine, for a source that the operator keeps in a folder.
#[derive(Debug, Clone, Copy, Default)]
pub struct FolderReader;

impl RangeReader for FolderReader {
    fn read<'a>(&'a self, url: &'a Url, wanted: Wanted) -> AnswerFuture<'a> {
        Box::pin(async move {
            let path = url.to_file_path().map_err(|()| ReadFault::NotThere)?;
            let reading = tokio::task::spawn_blocking(move || {
                let mut file = File::open(&path)?;
                let about = file.metadata()?;
                let (size, changed) = (about.len(), about.modified()?);
                let range = match wanted {
                    Wanted::Whole { .. } => 0..size,
                    Wanted::Range(range) => range,
                    Wanted::Last(bytes) => size.saturating_sub(bytes)..size,
                };
                file.seek(SeekFrom::Start(range.start))?;
                let mut bytes = Vec::new();
                file.take(range.end - range.start).read_to_end(&mut bytes)?;
                Ok::<_, std::io::Error>(Answer { bytes: bytes.into(), size, tag: Some(format!("{changed:?}")) })
            });
            match reading.await {
                Ok(Ok(answer)) => Ok(answer),
                Ok(Err(e)) if e.kind() == ErrorKind::NotFound => Err(ReadFault::NotThere),
                Ok(Err(e)) if e.kind() == ErrorKind::PermissionDenied => Err(ReadFault::Refused),
                Ok(Err(e)) => Err(ReadFault::Lasting { why: e.to_message() }),
                Err(e) => Err(ReadFault::Lasting { why: e.to_string().to_message() }),
            }
        })
    }
}
