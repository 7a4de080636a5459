//! Positions in paged lists.

use core::fmt;
use core::str::FromStr;

use uuid::Uuid;

use crate::StoreError;

/// A position in a list that is sorted by time: just after one entry. New entries do not move it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub(crate) created_at: i64,
    pub(crate) id: Uuid,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}.{}", self.created_at, self.id.simple())
    }
}

impl FromStr for Cursor {
    type Err = StoreError;
    fn from_str(text: &str) -> Result<Self, StoreError> {
        let (created_at, id) = text.split_once('.').ok_or(StoreError::Cursor)?;
        Ok(Self {
            created_at: i64::from_str_radix(created_at, 16).map_err(|_| StoreError::Cursor)?,
            id: id.parse().map_err(|_| StoreError::Cursor)?,
        })
    }
}
