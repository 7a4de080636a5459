//! Backups in a bucket.
//!
//! # Decisions
//!
//! - All parts of an upload but the last have one size, as R2 wants it; an object has at most 10,000 of them.
//! - An upload is noted in the data folder before its first part, in a file that stays locked. What a process that was killed
//!   has left is aborted before the next backup: its parts cost money, and no list of objects shows them.
//! - The name of a backup is looked for in the list of its folder, not asked for by itself: the right to list is needed
//!   anyway, and without it S3 answers a missing object with 403.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc as threads};
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use futures_util::StreamExt as _;
use object_store::aws::AmazonS3;
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path as Key;
use object_store::{MultipartId, ObjectStore as _, ObjectStoreExt as _};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::messages::{not_read, not_written};
use super::stop::Stop;
use crate::bucket::{self, BucketFault, BucketFix, Patience, is_gone, refused};
use crate::config::Settings;
use crate::object_address::ObjectAddress;
use crate::operator_error::OperatorError;

/// A line of half a megabit a second sends it in the time of [`Patience::BACKUP`].
const PART: usize = 8 << 20;
/// For the abort of an upload, when a server stops.
const ABORT: Duration = Duration::from_secs(10);
/// Of the files that note uploads.
const NOTE: &str = ".upload";

pub(super) struct Bucket {
    store: AmazonS3,
    name: String,
}

/// What a thread that writes an archive hands over.
pub(super) enum Piece {
    Part(Bytes),
    Last(Bytes),
}

/// Cuts what is written into parts.
pub(super) struct PartWriter {
    to: mpsc::Sender<Piece>,
    part: Vec<u8>,
}

impl PartWriter {
    pub(super) fn new() -> (Self, mpsc::Receiver<Piece>) {
        let (to, pieces) = mpsc::channel(1);
        (Self { to, part: Vec::with_capacity(PART) }, pieces)
    }

    fn send(&self, piece: Piece) -> io::Result<()> {
        self.to.blocking_send(piece).map_err(|_| io::Error::other("the upload ended"))
    }

    /// Without this, the upload is aborted.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let last = std::mem::take(&mut self.part);
        self.send(Piece::Last(last.into()))
    }
}

impl Write for PartWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PART - self.part.len());
        self.part.extend_from_slice(&bytes[..taken]);
        if self.part.len() == PART {
            let part = std::mem::replace(&mut self.part, Vec::with_capacity(PART));
            self.send(Piece::Part(part.into()))?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An upload that has begun. The file is locked as long as it goes on.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    place: String,
    id: String,
}

struct Noted {
    file: PathBuf,
    _lock: File,
}

impl Noted {
    fn write(folder: &Path, place: &ObjectAddress, id: &str) -> Result<Self, OperatorError> {
        fs::create_dir_all(folder).map_err(not_written(folder))?;
        let file = folder.join(format!("{}.{}{NOTE}", place.name(), std::process::id()));
        let failed = || not_written(&file);
        let mut open = File::create(&file).map_err(failed())?;
        open.lock().map_err(failed())?;
        let text =
            serde_json::to_vec(&Note { place: place.to_string(), id: id.to_owned() }).map_err(OperatorError::text)?;
        open.write_all(&text).and_then(|()| open.sync_all()).map_err(failed())?;
        Ok(Self { file, _lock: open })
    }

    fn remove(self) {
        if let Err(error) = fs::remove_file(&self.file) {
            tracing::warn!(file = %self.file.display(), %error, "the note of an upload stays");
        }
    }
}

impl Bucket {
    pub(super) fn open(settings: &Settings, name: &str) -> Result<Self, OperatorError> {
        Self::waiting(settings, name, Patience::BACKUP)
    }

    fn waiting(settings: &Settings, name: &str, patience: Patience) -> Result<Self, OperatorError> {
        Ok(Self { store: bucket::open(settings, name, patience)?, name: name.to_owned() })
    }

    fn at(&self, key: &Key) -> ObjectAddress {
        ObjectAddress { bucket: self.name.clone(), key: key.clone() }
    }

    /// Names and sizes of what lies in this folder itself.
    pub(super) async fn list(&self, folder: &Key) -> Result<Vec<(String, u64)>, OperatorError> {
        let listed = self.store.list_with_delimiter(Some(folder)).await.map_err(|error| match is_gone(&error) {
            // There is nothing else that could be missing.
            true => OperatorError::new(BucketFault::NoBucket).at(self.at(folder)).fix(BucketFix::Bucket),
            false => refused(&self.at(folder))(error),
        })?;
        let one = |object: object_store::ObjectMeta| Some((object.location.filename()?.to_owned(), object.size));
        Ok(listed.objects.into_iter().filter_map(one).collect())
    }

    pub(super) async fn holds(&self, place: &ObjectAddress) -> Result<bool, OperatorError> {
        let (folder, name) = place.split();
        Ok(self.list(&folder).await?.iter().any(|(found, _)| found == name))
    }

    pub(super) async fn delete(&self, place: &ObjectAddress) -> Result<(), OperatorError> {
        match self.store.delete(&place.key).await {
            Err(error) if !is_gone(&error) => Err(refused(place)(error)),
            _ => Ok(()),
        }
    }

    /// Uploads what the writer of the pieces sends; `None` if it ended before the last one. Nothing appears in the bucket
    /// but the whole.
    pub(super) async fn upload(
        &self,
        place: &ObjectAddress,
        pieces: &mut mpsc::Receiver<Piece>,
        notes: &Path,
        stop: &Stop,
    ) -> Result<Option<u64>, OperatorError> {
        let (key, failed) = (&place.key, refused(place));
        let first = match pieces.recv().await {
            None => return Ok(None),
            Some(Piece::Last(bytes)) => {
                let size = bytes.len() as u64;
                let sent = tokio::select! {
                    sent = self.store.put(key, bytes.into()) => sent.map_err(&failed),
                    () = stop.wait() => Err(OperatorError::new(BucketFault::Stopped).at(place)),
                };
                return sent.map(|_| Some(size));
            }
            Some(Piece::Part(bytes)) => bytes,
        };
        let id = tokio::select! {
            id = self.store.create_multipart(key) => id.map_err(&failed)?,
            () = stop.wait() => return Err(OperatorError::new(BucketFault::Stopped).at(place)),
        };
        let noted = Noted::write(notes, place, &id);
        let sent = match &noted {
            Ok(_) => tokio::select! {
                sent = self.send(place, &id, first, pieces) => sent,
                () = stop.wait() => Err(OperatorError::new(BucketFault::Stopped).at(place)),
            },
            Err(error) => Err(error.clone()),
        };
        // The archive may still be written: its next write fails.
        pieces.close();
        let is_ended = match &sent {
            Ok(Some(_)) => true,
            _ => self.abort(key, &id).await,
        };
        if let (Ok(noted), true) = (noted, is_ended) {
            noted.remove();
        }
        sent
    }

    async fn send(
        &self,
        place: &ObjectAddress,
        id: &MultipartId,
        first: Bytes,
        pieces: &mut mpsc::Receiver<Piece>,
    ) -> Result<Option<u64>, OperatorError> {
        let (key, failed) = (&place.key, refused(place));
        let mut parts: Vec<PartId> = Vec::new();
        let (mut next, mut size) = (Some(Piece::Part(first)), 0);
        while let Some(piece) = next {
            let (bytes, is_last) = match piece {
                Piece::Part(bytes) => (bytes, false),
                Piece::Last(bytes) => (bytes, true),
            };
            size += bytes.len() as u64;
            if !bytes.is_empty() {
                parts.push(self.store.put_part(key, id, parts.len(), bytes.into()).await.map_err(&failed)?);
            }
            if is_last {
                self.store.complete_multipart(key, id, parts).await.map_err(&failed)?;
                return Ok(Some(size));
            }
            next = pieces.recv().await;
        }
        Ok(None)
    }

    /// Whether it is gone.
    async fn abort(&self, key: &Key, id: &MultipartId) -> bool {
        match tokio::time::timeout(ABORT, self.store.abort_multipart(key, id)).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) if is_gone(&error) => true,
            _ => {
                tracing::warn!(place = %self.at(key), "an upload could not be aborted; the next backup tries again");
                false
            }
        }
    }

    /// The object as a stream that a thread reads.
    pub(super) async fn read(&self, place: &ObjectAddress) -> Result<ObjectReader, OperatorError> {
        let failed = refused(place);
        let mut stream = self.store.get(&place.key).await.map_err(&failed)?.into_stream();
        let (to, chunks) = threads::sync_channel(4);
        let fault = Arc::new(Mutex::new(None));
        let (told, runtime) = (fault.clone(), tokio::runtime::Handle::current());
        tokio::task::spawn_blocking(move || {
            while let Some(chunk) = runtime.block_on(stream.next()) {
                let chunk = chunk.map_err(|error| {
                    *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(failed(error));
                });
                let is_end = chunk.is_err();
                // The reader may have seen enough.
                if to.send(chunk).is_err() || is_end {
                    return;
                }
            }
        });
        Ok(ObjectReader { chunks, chunk: Bytes::new(), fault })
    }
}

pub(super) struct ObjectReader {
    chunks: threads::Receiver<Result<Bytes, ()>>,
    chunk: Bytes,
    fault: Arc<Mutex<Option<OperatorError>>>,
}

impl ObjectReader {
    /// Why the stream ended too early, for who knows only that it did.
    pub(super) fn fault(&self) -> ReadFault {
        ReadFault(self.fault.clone())
    }
}

pub(super) struct ReadFault(Arc<Mutex<Option<OperatorError>>>);

impl ReadFault {
    pub(super) fn take(&self) -> Option<OperatorError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            match self.chunks.recv() {
                Ok(Ok(chunk)) => self.chunk = chunk,
                Ok(Err(())) => return Err(io::Error::other("the bucket")),
                Err(threads::RecvError) => return Ok(0),
            }
        }
        let taken = buffer.len().min(self.chunk.len());
        self.chunk.copy_to_slice(&mut buffer[..taken]);
        Ok(taken)
    }
}

/// Aborts the uploads that processes have left which were killed.
pub(super) async fn abort_left_uploads(settings: &Settings, notes: &Path) -> Result<(), OperatorError> {
    let entries = match fs::read_dir(notes) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(not_read(notes)(error)),
    };
    let files = entries.flatten().map(|entry| entry.path());
    for file in files.filter(|file| file.to_string_lossy().ends_with(NOTE)) {
        // Another one may have removed it; and who holds the lock still uploads.
        let Ok(open) = File::open(&file) else { continue };
        if open.try_lock().is_err() {
            continue;
        }
        let note: Option<Note> = fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let is_gone = match note.map(|note| (ObjectAddress::parse(&note.place), note.id)) {
            Some((Ok(place), id)) => Bucket::open(settings, &place.bucket)?.abort(&place.key, &id).await,
            // It was killed before it had written the note, and so before the first part.
            _ => true,
        };
        if is_gone {
            Noted { file, _lock: open }.remove();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
