//! The installation's secret: the key of all keyed hashes.

use core::fmt;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;

/// 32 random bytes, made once for an installation and kept outside the database: anyone who steals only the
/// database cannot test guesses against its hashes. All nodes of an installation share it. Beside them the keys that were
/// made since, which encrypt the keys in the database.
#[derive(Clone)]
pub struct Secret {
    root: [u8; 32],
    /// By number, which begins with 2: the first is made of the root.
    keys: Vec<(u16, [u8; 32])>,
    file: Option<PathBuf>,
}

impl Secret {
    pub fn generate() -> Result<Self, StoreError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(StoreError::Random)?;
        Ok(Self::from_bytes(bytes))
    }

    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self { root: bytes, keys: Vec::new(), file: None }
    }

    /// 64 hexadecimal digits; on further lines a number from 2 on and the digits of its key. Space is ignored.
    pub fn parse(text: &str) -> Result<Self, StoreError> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let root = bytes(lines.next().unwrap_or_default())?;
        let mut keys: Vec<(u16, [u8; 32])> = Vec::new();
        for line in lines {
            let (number, digits) = line.split_once(char::is_whitespace).ok_or(StoreError::SecretForm)?;
            let number = number.parse().map_err(|_| StoreError::SecretForm)?;
            let last = keys.last().map_or(FIRST_KEY, |(last, _)| *last);
            if number <= last {
                return Err(StoreError::SecretForm);
            }
            keys.push((number, bytes(digits.trim())?));
        }
        Ok(Self { root, keys, file: None })
    }

    fn read(path: &Path) -> Result<Option<Self>, StoreError> {
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(Some(Self { file: Some(path.to_owned()), ..Self::parse(&text)? })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(path, error)),
        }
    }

    /// As the file is now: somebody may have added a key.
    pub(crate) fn read_again(&self) -> Result<Option<Self>, StoreError> {
        self.file.as_deref().map_or(Ok(None), Self::read)
    }

    /// The keys that encrypt the keys in the database, by number.
    pub(crate) fn keys(&self) -> &[(u16, [u8; 32])] {
        &self.keys
    }

    /// The number of the newest key.
    pub fn newest_key(&self) -> u16 {
        self.keys.last().map_or(FIRST_KEY, |(number, _)| *number)
    }

    /// Adds a key to the file and returns its number. Nothing is encrypted with it yet.
    pub fn add_key(path: &Path) -> Result<u16, StoreError> {
        // Two that add a key at once must not lose one: the whole file is rewritten.
        let lock = std::fs::File::create(path.with_extension("lock")).map_err(|error| failed(path, error))?;
        lock.lock().map_err(|error| failed(path, error))?;
        let text = std::fs::read_to_string(path).map_err(|error| failed(path, error))?;
        let number = Self::parse(&text)?.newest_key().checked_add(1).ok_or(StoreError::SecretForm)?;
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(StoreError::Random)?;
        let text = format!("{}\n{number} {}\n", text.trim_end(), blake3::Hash::from_bytes(key).to_hex());
        let draft = write_draft(path, &text)?;
        std::fs::rename(&draft, path).map_err(|error| failed(path, error))?;
        sync_folder(path).map_err(|error| failed(path, error))?;
        Ok(number)
    }

    /// Reads the secret from a file, or creates the file, readable only by its owner. Two processes that start
    /// at the same time get the same secret.
    pub fn load_or_create(path: &Path) -> Result<Self, StoreError> {
        if let Some(secret) = Self::read(path)? {
            return Ok(secret);
        }
        let secret = Self { file: Some(path.to_owned()), ..Self::generate()? };
        let draft = write_draft(path, &format!("{}\n", blake3::Hash::from_bytes(secret.root).to_hex()))?;
        let linked = std::fs::hard_link(&draft, path);
        let removed = std::fs::remove_file(&draft);
        match linked {
            Ok(()) => removed.map(|()| secret).map_err(|error| failed(path, error)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Self::read(path)?.ok_or_else(|| failed(path, error))
            }
            Err(error) => Err(failed(path, error)),
        }
    }

    /// A separate key for each purpose, so that a hash made for one is useless for another.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        blake3::derive_key(purpose, &self.root)
    }
}

/// The key that is made of the root.
pub(crate) const FIRST_KEY: u16 = 1;

fn bytes(digits: &str) -> Result<[u8; 32], StoreError> {
    blake3::Hash::from_hex(digits).map(|hash| *hash.as_bytes()).map_err(|_| StoreError::SecretForm)
}

/// Written beside the file, to be put into its place: nobody reads half a secret.
fn write_draft(path: &Path, text: &str) -> Result<PathBuf, StoreError> {
    let mut suffix = [0; 4];
    getrandom::fill(&mut suffix).map_err(StoreError::Random)?;
    let draft = path.with_extension(format!("{:08x}.new", u32::from_be_bytes(suffix)));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&draft).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    if let Err(error) = written {
        // What is there of it holds no secret of use: the first fault is reported.
        let _ = std::fs::remove_file(&draft);
        return Err(failed(path, error));
    }
    Ok(draft)
}

/// So that the new name is still there after a power cut.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if cfg!(unix) => std::fs::File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

fn failed(path: &Path, source: std::io::Error) -> StoreError {
    StoreError::SecretFile { path: path.display().to_string(), source }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([redacted])")
    }
}
