//! The homes of several servers, through a bucket: one server pushes what it imported, the others pull it.
//!
//! # Decisions
//!
//! - Files lie under their hash and never change. A list names them, and is named by its own hash in `current.json`, which is
//!   written last. What was pushed half, or is damaged, is never served: a server puts a list in the place of its own only
//!   when it has each file and has seen that its hash is right.
//! - A server that changed its homes pushes, one whose homes are as they were pulls. If both changed, neither is lost: that
//!   is said, and a person decides.
//! - Turned down: reading the index in place from the bucket, where each look-up would cost several round trips.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use futures_util::StreamExt as _;
use object_store::aws::AmazonS3;
use object_store::{ObjectStore as _, ObjectStoreExt as _, WriteMultipart};
use serde::{Deserialize, Serialize};
use shingle_domain::messages;
use shingle_store::Store;
use tokio::time::MissedTickBehavior;

use crate::bucket::{self, Patience, is_gone, refused};
use crate::config::Settings;
use crate::object_address::ObjectAddress;
use crate::operator_error::OperatorError;

const EVERY: Duration = Duration::from_secs(60);
/// Of parts that are sent at once.
const PART: usize = 8 << 20;
const PARTS_AT_ONCE: usize = 2;
const FORMAT: u32 = 1;
/// In the folder of the index: what the bucket had when this server last agreed with it.
const AGREED: &str = "shared.json";
/// In the same folder, until they are in their places.
const PULLED: &str = ".pulled";
/// How long another server's files are kept that no list names: it may be about to write its own.
const KEPT: Duration = Duration::from_secs(24 * 3_600);
/// Only one server pushes or pulls by itself at a time, so that two do not push at once.
const WORK: &str = "shared homes";
const LEASE: Duration = Duration::from_secs(30 * 60);

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SharedHomesFault {
        NoBucket => "No bucket is named for the homes",
        NothingPushed => "No server has pushed homes into this bucket yet",
        NoHomes => "There are no homes here to push",
        OthersPushed => "Another server has pushed homes since this one last pulled",
        ChangedHere => "The homes of this server were changed and not pushed",
        Damaged { file: String } => "The bucket holds a damaged file: {file}",
        Newer { found: u32 } => "The homes in the bucket were pushed by a newer version (format {found})",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum SharedHomesFix {
        NameBucket => "Set property_bucket (SHINGLE_PROPERTY_BUCKET) to s3://BUCKET/FOLDER.",
        PushFirst => "Run `shingle index push` on the server that has the homes.",
        Import => "Load homes with `shingle area add` or `shingle import` first.",
        PullOrReplace => "Pull first: `shingle index pull`. To keep this server's homes instead: `shingle index push --replace`.",
        PushOrReplace => "Push first: `shingle index push`. To drop this server's change: `shingle index pull --replace`.",
        PushAgain => "Push again from a server that has the homes: `shingle index push --replace`.",
        Upgrade => "Upgrade this server.",
    }
}

fn fault(what: SharedHomesFault, fix: SharedHomesFix) -> OperatorError {
    OperatorError::new(what).fix(fix)
}

/// What a push sends, under its own hash.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileList {
    format: u32,
    fingerprint: String,
    files: Vec<ListedFile>,
    /// The index's own list, as text: its hash is that of this list.
    manifest: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct ListedFile {
    path: String,
    bytes: u64,
    hash: String,
}

/// What is current in the bucket.
#[derive(Debug, Serialize, Deserialize)]
struct Current {
    format: u32,
    list: String,
}

/// What this server and the bucket agreed on last.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Agreed {
    list: String,
    /// Of the index here, at that time.
    generation: u64,
    /// By their paths here.
    files: BTreeMap<String, HashedFile>,
}

/// A file whose hash is known as long as it is the same file: after an undo, another one may get its path.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct HashedFile {
    hash: String,
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

impl HashedFile {
    fn new(hash: String, metadata: &fs::Metadata) -> Self {
        let since = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let modified = since.and_then(|since| u64::try_from(since.as_nanos()).ok()).unwrap_or_default();
        Self { hash, bytes: metadata.len(), modified }
    }

    fn is(&self, metadata: &fs::Metadata) -> bool {
        *self == Self::new(self.hash.clone(), metadata)
    }
}

impl Agreed {
    fn read(root: &Path) -> Self {
        let text = fs::read(root.join(AGREED)).unwrap_or_default();
        // Without it everything is hashed again.
        serde_json::from_slice(&text).unwrap_or_default()
    }

    fn write(&self, root: &Path) -> Result<(), OperatorError> {
        let (file, draft) = (root.join(AGREED), root.join("shared.json.new"));
        let text = serde_json::to_vec_pretty(self).map_err(OperatorError::text)?;
        fs::write(&draft, text).and_then(|()| fs::rename(&draft, &file)).map_err(at(&file))
    }
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> OperatorError + '_ {
    move |error| OperatorError::text(error).at(path.display())
}

/// What a push or a pull has done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Exchanged {
    pub places: u64,
    /// Of the whole index.
    pub files: usize,
    pub bytes: u64,
    /// What was not on the other side yet.
    pub sent_files: usize,
    pub sent_bytes: u64,
}

/// What a server does by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Synchronized {
    Same,
    Pushed(Exchanged),
    Pulled(Exchanged),
}

/// The homes of this server, and the bucket that shares them.
pub struct SharedHomes {
    bucket: AmazonS3,
    place: ObjectAddress,
    root: PathBuf,
}

impl SharedHomes {
    /// `None`: no bucket is named.
    pub fn of(settings: &Settings) -> Result<Option<Self>, OperatorError> {
        let Some(place) = settings.property_bucket()? else { return Ok(None) };
        let bucket = bucket::open(settings, &place.bucket, Patience::BACKUP)?;
        Ok(Some(Self { bucket, place, root: settings.property() }))
    }

    pub fn named(settings: &Settings) -> Result<Self, OperatorError> {
        Self::of(settings)?.ok_or_else(|| fault(SharedHomesFault::NoBucket, SharedHomesFix::NameBucket))
    }

    pub fn place(&self) -> &ObjectAddress {
        &self.place
    }

    fn object(&self, name: &str) -> ObjectAddress {
        name.split('/').fold(self.place.clone(), |place, part| place.join(part))
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, OperatorError> {
        let object = self.object(name);
        match self.bucket.get(&object.key).await {
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(refused(&object)(error)),
            Ok(found) => Ok(Some(found.bytes().await.map_err(refused(&object))?.to_vec())),
        }
    }

    async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), OperatorError> {
        let object = self.object(name);
        self.bucket.put(&object.key, bytes.into()).await.map_err(refused(&object))?;
        Ok(())
    }

    /// The hash of the list that is current in the bucket.
    async fn current(&self) -> Result<Option<String>, OperatorError> {
        let Some(text) = self.get("current.json").await? else { return Ok(None) };
        let damaged = || self.damaged("current.json");
        let current: Current = serde_json::from_slice(&text).map_err(|_| damaged())?;
        if current.format != FORMAT {
            return Err(
                fault(SharedHomesFault::Newer { found: current.format }, SharedHomesFix::Upgrade).at(&self.place)
            );
        }
        // It becomes a name.
        let is_hash = current.list.len() == 64 && current.list.bytes().all(|b| b.is_ascii_hexdigit());
        if is_hash { Ok(Some(current.list)) } else { Err(damaged()) }
    }

    fn damaged(&self, name: &str) -> OperatorError {
        let file = name.to_owned();
        fault(SharedHomesFault::Damaged { file }, SharedHomesFix::PushAgain).at(self.object(name))
    }

    async fn list(&self, hash: &str) -> Result<FileList, OperatorError> {
        let name = format!("lists/{hash}.json");
        let text = self.get(&name).await?.ok_or_else(|| self.damaged(&name))?;
        if blake3::hash(&text).to_hex().as_str() != hash {
            return Err(self.damaged(&name));
        }
        serde_json::from_slice(&text).map_err(|_| self.damaged(&name))
    }

    fn fingerprint(&self) -> Result<String, OperatorError> {
        Ok(shingle_property::fingerprint(&self.root)?)
    }

    /// Sends the homes of this server. `replace`: also if another server has pushed meanwhile.
    pub async fn push(&self, replace: bool) -> Result<Exchanged, OperatorError> {
        let (current, agreed) = (self.current().await?, Agreed::read(&self.root));
        if !replace && current.as_ref().is_some_and(|list| *list != agreed.list) {
            return Err(fault(SharedHomesFault::OthersPushed, SharedHomesFix::PullOrReplace).at(&self.place));
        }
        let root = self.root.clone();
        let offered = tokio::task::spawn_blocking(move || shingle_property::offer_index(&root)).await;
        let offered = offered.map_err(OperatorError::text)??;
        if offered.files.is_empty() {
            return Err(fault(SharedHomesFault::NoHomes, SharedHomesFix::Import).at(self.root.display()));
        }
        let mut done =
            Exchanged { places: self.places(), files: offered.files.len(), bytes: 0, sent_files: 0, sent_bytes: 0 };
        let there = self.sizes("files").await?;
        let mut listed = Vec::new();
        let mut hashed = BTreeMap::new();
        for (path, file) in offered.files {
            let path = path.to_string_lossy().into_owned();
            let metadata = file.metadata().map_err(at(&self.root))?;
            let bytes = metadata.len();
            let hash = match agreed.files.get(&path).filter(|known| known.is(&metadata)) {
                Some(known) => known.hash.clone(),
                None => hash_of(file.try_clone().map_err(at(&self.root))?).await?,
            };
            done.bytes += bytes;
            if there.get(&hash) != Some(&bytes) {
                self.send_file(&hash, file).await?;
                done.sent_files += 1;
                done.sent_bytes += bytes;
            }
            hashed.insert(path.clone(), HashedFile::new(hash.clone(), &metadata));
            listed.push(ListedFile { path, bytes, hash });
        }
        let manifest = String::from_utf8(offered.manifest).map_err(OperatorError::text)?;
        let list = FileList { format: FORMAT, fingerprint: self.fingerprint()?, files: listed, manifest };
        let text = serde_json::to_vec(&list).map_err(OperatorError::text)?;
        let hash = blake3::hash(&text).to_hex().to_string();
        self.put(&format!("lists/{hash}.json"), text).await?;
        let current = Current { format: FORMAT, list: hash.clone() };
        self.put("current.json", serde_json::to_vec(&current).map_err(OperatorError::text)?).await?;
        Agreed { list: hash.clone(), generation: offered.generation, files: hashed }.write(&self.root)?;
        self.remove_unlisted(&hash, &list.files).await;
        Ok(done)
    }

    /// Of the objects in a folder, by their names.
    async fn sizes(&self, folder: &str) -> Result<BTreeMap<String, u64>, OperatorError> {
        let folder = self.object(folder);
        let mut found = self.bucket.list(Some(&folder.key));
        let mut sizes = BTreeMap::new();
        while let Some(object) = found.next().await {
            let object = object.map_err(refused(&folder))?;
            sizes.insert(object.location.filename().unwrap_or_default().to_owned(), object.size);
        }
        Ok(sizes)
    }

    async fn send_file(&self, hash: &str, mut file: File) -> Result<(), OperatorError> {
        // It was read for its hash.
        file.rewind().map_err(at(&self.root))?;
        let object = self.object(&format!("files/{hash}"));
        let failed = refused(&object);
        let upload = self.bucket.put_multipart(&object.key).await.map_err(&failed)?;
        let mut writer = WriteMultipart::new_with_chunk_size(upload, PART);
        let sent = async {
            loop {
                let (part, rest) = tokio::task::spawn_blocking(move || next_part(file)).await??;
                if part.is_empty() {
                    return Ok::<_, Box<dyn Error + Send + Sync>>(());
                }
                file = rest;
                writer.wait_for_capacity(PARTS_AT_ONCE).await?;
                writer.put(part.into());
            }
        };
        match sent.await {
            Ok(()) => writer.finish().await.map(drop).map_err(&failed),
            Err(error) => {
                // Parts that nobody asks for again cost money. What cannot be aborted now is up to the bucket's own rules.
                let _: Result<(), _> = writer.abort().await;
                Err(match error.downcast::<object_store::Error>() {
                    Ok(error) => failed(*error),
                    Err(error) => OperatorError::text(error).at(self.root.display()),
                })
            }
        }
    }

    /// Files and lists of earlier pushes. What cannot be removed now is removed by the next push.
    async fn remove_unlisted(&self, list: &str, files: &[ListedFile]) {
        let keeps = |name: &str| files.iter().any(|file| file.hash == name) || name.strip_suffix(".json") == Some(list);
        for folder in ["files", "lists"] {
            let mut found = self.bucket.list(Some(&self.object(folder).key));
            let mut newest = None;
            let mut old = Vec::new();
            while let Some(Ok(object)) = found.next().await {
                newest = newest.max(Some(object.last_modified));
                if !keeps(object.location.filename().unwrap_or_default()) {
                    old.push(object);
                }
            }
            // By the clock of the bucket alone.
            let is_old = |object: &object_store::ObjectMeta| {
                newest.is_some_and(|newest| (newest - object.last_modified).to_std().is_ok_and(|age| age > KEPT))
            };
            for object in old.into_iter().filter(is_old) {
                let _: Result<(), _> = self.bucket.delete(&object.location).await;
            }
        }
    }

    /// Takes the homes that are current in the bucket. `replace`: also if homes were changed here and not pushed.
    pub async fn pull(&self, replace: bool) -> Result<Exchanged, OperatorError> {
        let nothing = || fault(SharedHomesFault::NothingPushed, SharedHomesFix::PushFirst).at(&self.place);
        let hash = self.current().await?.ok_or_else(nothing)?;
        let (list, agreed) = (self.list(&hash).await?, Agreed::read(&self.root));
        let is_other = self.is_changed_since(&agreed)? && self.fingerprint()? != list.fingerprint;
        if is_other && !replace {
            return Err(fault(SharedHomesFault::ChangedHere, SharedHomesFix::PushOrReplace).at(self.root.display()));
        }
        let mut done = Exchanged { places: 0, files: list.files.len(), bytes: 0, sent_files: 0, sent_bytes: 0 };
        let pulled = self.root.join(PULLED);
        fs::create_dir_all(&pulled).map_err(at(&pulled))?;
        let here: BTreeMap<_, _> = agreed.files.iter().map(|(path, known)| (&known.hash, (path, known))).collect();
        let mut files = BTreeMap::new();
        for file in &list.files {
            done.bytes += file.bytes;
            let known = here.get(&file.hash).and_then(|(path, known)| {
                let path = self.root.join(path);
                fs::metadata(&path).is_ok_and(|found| known.is(&found)).then_some(path)
            });
            let lies_at = match known {
                Some(path) => path,
                None => {
                    done.sent_files += 1;
                    done.sent_bytes += file.bytes;
                    self.fetch_file(file, &pulled).await?
                }
            };
            files.insert(PathBuf::from(&file.path), lies_at);
        }
        let (root, manifest) = (self.root.clone(), list.manifest.into_bytes());
        let taken = tokio::task::spawn_blocking(move || shingle_property::take_index(&root, &manifest, &files)).await;
        let taken = taken.map_err(OperatorError::text)??;
        let mut hashed = BTreeMap::new();
        for file in list.files {
            if let Some(path) = taken.files.get(Path::new(&file.path)) {
                let metadata = fs::metadata(self.root.join(path)).map_err(at(path))?;
                hashed.insert(path.to_string_lossy().into_owned(), HashedFile::new(file.hash, &metadata));
            }
        }
        Agreed { list: hash, generation: taken.generation, files: hashed }.write(&self.root)?;
        let _ = fs::remove_dir_all(&pulled);
        done.places = self.places();
        Ok(done)
    }

    /// Into the folder, under its hash. One that a pull has left there, whole, is not fetched again.
    async fn fetch_file(&self, file: &ListedFile, folder: &Path) -> Result<PathBuf, OperatorError> {
        let is_hash = file.hash.len() == 64 && file.hash.bytes().all(|b| b.is_ascii_hexdigit());
        let name = format!("files/{}", file.hash);
        if !is_hash {
            return Err(self.damaged(&file.path));
        }
        let target = folder.join(&file.hash);
        if let Ok(left) = File::open(&target)
            && hash_of(left).await? == file.hash
        {
            return Ok(target);
        }
        let object = self.object(&name);
        let failed = refused(&object);
        let draft = folder.join(format!("{}.new", file.hash));
        let mut out = File::create(&draft).map_err(at(&draft))?;
        let found = self.bucket.get(&object.key).await;
        let mut chunks = match found {
            Err(error) if is_gone(&error) => return Err(self.damaged(&name)),
            found => found.map_err(&failed)?.into_stream(),
        };
        let (mut hasher, mut size) = (blake3::Hasher::new(), 0);
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(&failed)?;
            size += chunk.len() as u64;
            if size > file.bytes {
                break;
            }
            hasher.update(&chunk);
            out.write_all(&chunk).map_err(at(&draft))?;
        }
        if size != file.bytes || hasher.finalize().to_hex().as_str() != file.hash {
            return Err(self.damaged(&name));
        }
        out.sync_all().and_then(|()| fs::rename(&draft, &target)).map_err(at(&draft))?;
        Ok(target)
    }

    /// An index without homes is not worth a word.
    fn is_changed_since(&self, agreed: &Agreed) -> Result<bool, OperatorError> {
        Ok(shingle_property::generation(&self.root)? != agreed.generation && self.places() > 0)
    }

    fn places(&self) -> u64 {
        shingle_property::places(&self.root).unwrap_or_default()
    }

    /// What a server does by itself: pushes what was changed here, or pulls what was changed elsewhere.
    pub async fn synchronize(&self, store: &Store, node: &str) -> Result<Synchronized, OperatorError> {
        let (current, agreed) = (self.current().await?, Agreed::read(&self.root));
        let changed_there = current.as_ref().is_some_and(|list| *list != agreed.list);
        let changed_here = self.is_changed_since(&agreed)?;
        if !changed_there && !changed_here {
            return Ok(Synchronized::Same);
        }
        if !changed_there {
            if !store.nodes().may_do(WORK, node, LEASE).await? {
                return Ok(Synchronized::Same);
            }
            let pushed = self.push(false).await;
            store.nodes().is_done(WORK, node).await?;
            return pushed.map(Synchronized::Pushed);
        }
        self.pull(false).await.map(Synchronized::Pulled)
    }
}

/// Until it is aborted. What cannot be done now is tried again in a minute.
pub async fn keep_synchronized(homes: SharedHomes, store: Store, node: String) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match homes.synchronize(&store, &node).await {
            Ok(Synchronized::Same) => {}
            Ok(Synchronized::Pushed(done)) => {
                tracing::info!(
                    files = done.sent_files,
                    bytes = done.sent_bytes,
                    "pushed the homes for the other servers"
                );
            }
            Ok(Synchronized::Pulled(done)) => {
                tracing::info!(files = done.sent_files, bytes = done.sent_bytes, "pulled the homes of another server");
            }
            Err(error) => tracing::warn!("the homes are not shared: {error}"),
        }
    }
}

/// Of a file that is sent, and the file.
fn next_part(mut file: File) -> std::io::Result<(Vec<u8>, File)> {
    let mut part = Vec::with_capacity(PART);
    (&mut file).take(PART as u64).read_to_end(&mut part)?;
    Ok((part, file))
}

async fn hash_of(mut file: File) -> Result<String, OperatorError> {
    let work = move || {
        let mut hasher = blake3::Hasher::new();
        std::io::copy(&mut file, &mut hasher)?;
        Ok::<_, std::io::Error>(hasher.finalize().to_hex().to_string())
    };
    tokio::task::spawn_blocking(work).await.map_err(OperatorError::text)?.map_err(OperatorError::text)
}
