//! The keys of the installation, which stand outside the database: they encrypt data keys and the secrets of destinations.

use std::sync::{PoisonError, RwLock};

use crate::encryption::cipher::Cipher;
use crate::encryption::secret::FIRST_KEY;
use crate::{Secret, StoreError};

/// Begins a text with the number of its key.
const MARK: char = '~';

pub(crate) struct InstallationKeys {
    secret: Secret,
    /// By number; the last encrypts.
    ciphers: RwLock<Vec<(u16, Cipher)>>,
}

impl InstallationKeys {
    pub fn new(secret: &Secret) -> Self {
        Self { ciphers: RwLock::new(ciphers(secret)), secret: secret.clone() }
    }

    pub fn newest(&self) -> u16 {
        self.read(|ciphers| ciphers.last().map_or(FIRST_KEY, |(number, _)| *number))
    }

    /// Reads the file again: `shingle secret rotate` may have added a key.
    pub fn refresh(&self) -> Result<(), StoreError> {
        if let Some(secret) = self.secret.read_again()? {
            *self.ciphers.write().unwrap_or_else(PoisonError::into_inner) = ciphers(&secret);
        }
        Ok(())
    }

    /// With the number of the key.
    pub fn wrap(&self, record: &str, plain: &str) -> Result<(u16, String), StoreError> {
        let (number, cipher) = self.read(|ciphers| ciphers.last().cloned()).ok_or(StoreError::Cipher)?;
        Ok((number, cipher.seal(record, plain)?))
    }

    pub fn unwrap(&self, number: u16, record: &str, sealed: &str) -> Result<String, StoreError> {
        let find = || self.read(|ciphers| ciphers.iter().find(|(known, _)| *known == number).cloned());
        let found = match find() {
            Some(found) => Some(found),
            None => {
                self.refresh()?;
                find()
            }
        };
        let (_, cipher) = found.ok_or(StoreError::MissingKey(number))?;
        cipher.open(record, sealed)
    }

    /// As one text.
    pub fn seal(&self, record: &str, plain: &str) -> Result<String, StoreError> {
        let (number, sealed) = self.wrap(record, plain)?;
        Ok(format!("{MARK}{number}.{sealed}"))
    }

    pub fn open(&self, record: &str, sealed: &str) -> Result<String, StoreError> {
        let numbered = sealed.strip_prefix(MARK).and_then(|sealed| sealed.split_once('.'));
        let (number, sealed) = numbered.ok_or(StoreError::Cipher)?;
        self.unwrap(number.parse().map_err(|_| StoreError::Cipher)?, record, sealed)
    }

    /// Whether a text is of the key that encrypts now.
    pub fn is_newest(&self, sealed: &str) -> bool {
        sealed.starts_with(&format!("{MARK}{}.", self.newest()))
    }

    fn read<T>(&self, of: impl FnOnce(&Vec<(u16, Cipher)>) -> T) -> T {
        of(&self.ciphers.read().unwrap_or_else(PoisonError::into_inner))
    }
}

fn ciphers(secret: &Secret) -> Vec<(u16, Cipher)> {
    let first = (FIRST_KEY, Cipher::new(secret));
    let others = secret.keys().iter().map(|(number, key)| (*number, Cipher::of_key(*key)));
    std::iter::once(first).chain(others).collect()
}
